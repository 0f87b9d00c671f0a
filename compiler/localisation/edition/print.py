"""Set a book for print: its source in the language of Typst, and a PDF of it if Typst is installed.

In: a `Volume` that is typeset. Out: the source; a PDF beside it. How things look stands in `grammar/edition/book.typ`;
here they are put in their order. Only fonts that Typst brings along are used, so that the same source looks the same
everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import grimoire.grammar as grammar
from grimoire.compiler.localisation.edition.book import Entry
from grimoire.compiler.localisation.edition.book_content import Volume, anchor, main_reference, references, slug, spans
from grimoire.compiler.localisation.edition.cards import Card, Group
from grimoire.compiler.localisation.edition.links import Mention
from grimoire.compiler.localisation.tuning import (
    PRINT_LONG,
    PRINT_SHORT,
)
from grimoire.compiler.telling import Finding

SOURCE_MARKER: Final = "// Written by grimoire edition; what is changed here is overwritten the next time."


def quoted(text: str) -> str:
    """A text as a string of Typst: nothing in it is markup, and spaces at its ends stay."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def make_print(volume: Volume) -> str:
    """The source of the book."""
    book, words = volume.book, volume.book.tables.words
    names = {"title": book.title, "rules": words["rules"], "version": f"{words['version']} {volume.version}"}
    names |= {"contents": words["contents"], "language": book.tables.language}
    rows = [
        SOURCE_MARKER,
        *(f"#let {name} = {quoted(text)}" for name, text in names.items()),
        grammar.read("edition/book.typ"),
    ]
    for title, entries in volume.parts():
        rows.append(part_source(title, 2, "\n".join(entry_source(volume, entry) for entry in entries)))
    for title, groups in volume.galleries():
        rows.append(part_source(title, 2, "\n".join(group_source(volume, group) for group in groups)))
    rows.append(f"#set page(columns: 1)\n#part({quoted(words['index'])})\n#small(3, [\n{index_source(volume)}])\n")
    return "\n".join(rows)


def part_source(title: str, columns: int, body: str) -> str:
    """A part on pages of its own. One that may end on its first page has columns of one height."""
    if len(body) < PRINT_SHORT:
        return f"#set page(columns: 1)\n#part({quoted(title)})\n#balanced({columns}, [\n{body}])\n"
    return f"#set page(columns: {columns})\n#pagebreak(weak: true)\n#part({quoted(title)})\n{body}"


def link(entry: str, clause: str | None, text: str) -> str:
    to = f"c:{slug(entry)}.{anchor(clause)}" if clause else f"e:{slug(entry)}"
    return f"#link(label({quoted(to)}))[#{quoted(text)}]"


def body_source(text: str, mentions: Sequence[Mention], lead: int = 0) -> str:
    """A text with its links."""
    rows = []
    for piece, to, strong in spans(text, mentions, lead):
        made = f"#{quoted(piece)}" if to is None else link(to, None, piece)
        rows.append(f"#strong[{made}]" if strong else made)
    return "".join(rows)


def entry_source(volume: Volume, entry: Entry) -> str:
    words = volume.book.tables.words
    rows = [f"#entry({quoted(volume.heading(entry))}, {quoted(entry.title)}, {quoted(f'e:{slug(entry.id)}')})"]
    see = [other for other in volume.book.all() if other.id in volume.links.see.get(entry.id, ())]
    for at, line in enumerate(entry.lines):
        body = body_source(line.text, volume.links.mentions.get(line.id, ()))
        label = line.label if line.bullet or not line.label else line.number
        below = entry.lines[at + 1] if at + 1 < len(entry.lines) else None
        stays = bool(see) if below is None else not line.label or (below.bullet and not line.bullet)
        if line.head:
            rows.append(f"#heading(level: 3, {quoted(line.head)})")
        where = quoted(f"c:{slug(entry.id)}.{anchor(line.id)}")
        flags = f"{str(line.bullet).lower()}, {str(stays).lower()}"
        rows.append(f"#clause({quoted(label)}, {flags}, {where})[{body}]")
    if see:
        links = '#", "'.join(link(other.id, None, f"{other.title}\u00a0({other.number})") for other in see)
        rows.append(f"#see({quoted(words['see'])})[{links}]")
    return "\n".join([*rows, ""])


def group_source(volume: Volume, group: Group) -> str:
    words = volume.book.tables.words
    rows = [f"#heading(level: 2, {quoted(group.name)})"]
    head = f"#{quoted(volume.amount(group))}"
    places = volume.places(group)
    if places:
        links = '#", "'.join(link(ref.entry, ref.clause, ref.number) for ref in places)
        head += f"#{quoted('. ' + words['by-rules'] + ': ')}{links}"
    rows.append(f"#note[{head}]")
    if group.texts:
        texts = bodies(volume, group.kind, group.texts, group.leads)
        rows.append(f'#card({quoted(words["common"])}, "", "", none, {is_long(group.texts)}{texts})')
    bare = [
        card for card in group.cards if not card.values and not card.texts and not card.clauses and not card.flavour
    ]
    if len(bare) == len(group.cards):
        rows.append(f"#par[#{quoted(', '.join(map(named, bare)))}]")
        return "\n".join([*rows, ""])
    return "\n".join([*rows, *(card_source(volume, card) for card in group.cards), ""])


def named(card: Card) -> str:
    return card.name if card.copies == 1 else f"{card.name}\u00a0\u00d7{card.copies}"


def card_source(volume: Volume, card: Card) -> str:
    values = "; ".join(f"{heading}: {value}" for heading, value in card.values)
    copies = "" if card.copies == 1 else f"\u00d7{card.copies}"
    links = '#", "'.join(link(ref.entry, ref.clause, ref.number) for ref in volume.places(card))
    rules = f"[#{quoted(volume.book.tables.words['by-rules'] + ': ')}{links}]" if links else "none"
    texts = bodies(volume, card.id, card.texts, card.leads)
    flavour = f", flavour: {quoted(card.flavour)}" if card.flavour else ""
    return (
        f"#card({quoted(card.name)}, {quoted(copies)}, {quoted(values)}, {rules}, "
        f"{is_long(card.texts)}{texts}{flavour})"
    )


def is_long(texts: Sequence[str]) -> str:
    return "true" if sum(map(len, texts)) > PRINT_LONG else "false"


def bodies(volume: Volume, id_: str, texts: Sequence[str], leads: Sequence[int]) -> str:
    """The texts of a card as arguments."""
    cards = volume.links.cards
    pairs = enumerate(zip(texts, leads, strict=True))
    return "".join(f", [{body_source(text, cards.get((id_, at), ()), lead)}]" for at, (text, lead) in pairs)


def index_source(volume: Volume) -> str:
    tables = volume.book.tables
    rows = [f"#note[#{quoted(tables.words['index-note'])}]"]
    letter = ""
    for subject in volume.links.subjects:
        if tables.initial(subject.label) != letter:
            letter = tables.initial(subject.label)
            rows.append(f"#letter({quoted(letter)})")
        main = main_reference(volume, subject)
        parts = [] if main is None else [f"#strong[{link(main.entry, main.clause, main.number)}]"]
        parts += [link(ref.entry, ref.clause, ref.number) for ref in references(volume, subject)]
        rows.append(f"#subject[#{quoted(subject.label)}{''.join(f', {part}' for part in parts)}]")
    return "\n".join([*rows, ""])


def can_print() -> bool:
    from importlib.util import find_spec

    return find_spec("typst") is not None


def make_pdf(source: Path, target: Path) -> None:
    """Have the source set; `can_print` has been asked before."""
    import typst

    try:
        typst.compile(source, output=target, ignore_system_fonts=True)
    except RuntimeError as error:
        raise Finding(f"{source.as_posix()}: typst cannot set it: {error}") from None

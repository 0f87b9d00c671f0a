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
from grimoire.compiler.localisation.edition.book_content import (
    Volume,
    list_references,
    main_reference,
    make_anchor,
    make_slug,
    split_spans,
)
from grimoire.compiler.localisation.edition.cards import Card, Group
from grimoire.compiler.localisation.edition.links import Mention
from grimoire.compiler.localisation.tuning import (
    PRINT_LONG,
    PRINT_SHORT,
)
from grimoire.compiler.telling import Finding

SOURCE_MARKER: Final = "// Written by grimoire edition; what is changed here is overwritten the next time."


def quote_string(text: str) -> str:
    """A text as a string of Typst: nothing in it is markup, and spaces at its ends stay."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def make_print(volume: Volume) -> str:
    """The source of the book."""
    book, words = volume.book, volume.book.tables.words
    names = {"title": book.title, "rules": words["rules"], "version": f"{words['version']} {volume.version}"}
    names |= {"contents": words["contents"], "language": book.tables.language}
    rows = [
        SOURCE_MARKER,
        *(f"#let {name} = {quote_string(text)}" for name, text in names.items()),
        grammar.read("edition/book.typ"),
    ]
    for title, entries in volume.parts():
        rows.append(render_part(title, 2, "\n".join(render_entry(volume, entry) for entry in entries)))
    for title, groups in volume.list_galleries():
        rows.append(render_part(title, 2, "\n".join(group_source(volume, group) for group in groups)))
    rows.append(
        f"#set page(columns: 1)\n#part({quote_string(words['index'])})\n#small(3, [\n{render_index(volume)}])\n"
    )
    return "\n".join(rows)


def render_part(title: str, columns: int, body: str) -> str:
    """A part on pages of its own. One that may end on its first page has columns of one height."""
    if len(body) < PRINT_SHORT:
        return f"#set page(columns: 1)\n#part({quote_string(title)})\n#balanced({columns}, [\n{body}])\n"
    return f"#set page(columns: {columns})\n#pagebreak(weak: true)\n#part({quote_string(title)})\n{body}"


def render_link(entry: str, clause: str | None, text: str) -> str:
    to = f"c:{make_slug(entry)}.{make_anchor(clause)}" if clause else f"e:{make_slug(entry)}"
    return f"#link(label({quote_string(to)}))[#{quote_string(text)}]"


def render_body(text: str, mentions: Sequence[Mention], lead: int = 0) -> str:
    """A text with its links."""
    rows = []
    for piece, to, strong in split_spans(text, mentions, lead):
        made = f"#{quote_string(piece)}" if to is None else render_link(to, None, piece)
        rows.append(f"#strong[{made}]" if strong else made)
    return "".join(rows)


def render_entry(volume: Volume, entry: Entry) -> str:
    words = volume.book.tables.words
    label = quote_string(f"e:{make_slug(entry.id)}")
    rows = [f"#entry({quote_string(volume.heading(entry))}, {quote_string(entry.title)}, {label})"]
    see = [other for other in volume.book.all() if other.id in volume.links.see.get(entry.id, ())]
    for at, line in enumerate(entry.lines):
        body = render_body(line.text, volume.links.mentions.get(line.id, ()))
        label = line.label if line.bullet or not line.label else line.number
        below = entry.lines[at + 1] if at + 1 < len(entry.lines) else None
        stays = bool(see) if below is None else not line.label or (below.bullet and not line.bullet)
        if line.head:
            rows.append(f"#heading(level: 3, {quote_string(line.head)})")
        where = quote_string(f"c:{make_slug(entry.id)}.{make_anchor(line.id)}")
        flags = f"{str(line.bullet).lower()}, {str(stays).lower()}"
        rows.append(f"#clause({quote_string(label)}, {flags}, {where})[{body}]")
    if see:
        links = '#", "'.join(render_link(other.id, None, f"{other.title}\u00a0({other.number})") for other in see)
        rows.append(f"#see({quote_string(words['see'])})[{links}]")
    return "\n".join([*rows, ""])


def group_source(volume: Volume, group: Group) -> str:
    words = volume.book.tables.words
    rows = [f"#heading(level: 2, {quote_string(group.name)})"]
    head = f"#{quote_string(volume.amount(group))}"
    places = volume.places(group)
    if places:
        links = '#", "'.join(render_link(ref.entry, ref.clause, ref.number) for ref in places)
        head += f"#{quote_string('. ' + words['by-rules'] + ': ')}{links}"
    rows.append(f"#note[{head}]")
    if group.texts:
        texts = render_bodies(volume, group.kind, group.texts, group.leads)
        rows.append(f'#card({quote_string(words["common"])}, "", "", none, {is_long(group.texts)}{texts})')
    bare = [
        card for card in group.cards if not card.values and not card.texts and not card.clauses and not card.flavour
    ]
    if len(bare) == len(group.cards):
        rows.append(f"#par[#{quote_string(', '.join(map(format_name, bare)))}]")
        return "\n".join([*rows, ""])
    return "\n".join([*rows, *(render_card(volume, card) for card in group.cards), ""])


def format_name(card: Card) -> str:
    return card.name if card.copies == 1 else f"{card.name}\u00a0\u00d7{card.copies}"


def render_card(volume: Volume, card: Card) -> str:
    values = "; ".join(f"{heading}: {value}" for heading, value in card.values)
    copies = "" if card.copies == 1 else f"\u00d7{card.copies}"
    links = '#", "'.join(render_link(ref.entry, ref.clause, ref.number) for ref in volume.places(card))
    rules = f"[#{quote_string(volume.book.tables.words['by-rules'] + ': ')}{links}]" if links else "none"
    texts = render_bodies(volume, card.id, card.texts, card.leads)
    flavour = f", flavour: {quote_string(card.flavour)}" if card.flavour else ""
    return (
        f"#card({quote_string(card.name)}, {quote_string(copies)}, {quote_string(values)}, {rules}, "
        f"{is_long(card.texts)}{texts}{flavour})"
    )


def is_long(texts: Sequence[str]) -> str:
    return "true" if sum(map(len, texts)) > PRINT_LONG else "false"


def render_bodies(volume: Volume, id_: str, texts: Sequence[str], leads: Sequence[int]) -> str:
    """The texts of a card as arguments."""
    cards = volume.links.cards
    pairs = enumerate(zip(texts, leads, strict=True))
    return "".join(f", [{render_body(text, cards.get((id_, at), ()), lead)}]" for at, (text, lead) in pairs)


def render_index(volume: Volume) -> str:
    tables = volume.book.tables
    rows = [f"#note[#{quote_string(tables.words['index-note'])}]"]
    letter = ""
    for subject in volume.links.subjects:
        if tables.initial(subject.label) != letter:
            letter = tables.initial(subject.label)
            rows.append(f"#letter({quote_string(letter)})")
        main = main_reference(volume, subject)
        parts = [] if main is None else [f"#strong[{render_link(main.entry, main.clause, main.number)}]"]
        parts += [render_link(ref.entry, ref.clause, ref.number) for ref in list_references(volume, subject)]
        rows.append(f"#subject[#{quote_string(subject.label)}{''.join(f', {part}' for part in parts)}]")
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

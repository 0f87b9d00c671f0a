"""Set a book for print: its source in the language of Typst, and a PDF of it if Typst is installed.

In: a `Volume`. Out: the source; a PDF beside it. Only fonts that Typst brings along are used, so that the same source looks the same everywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grimoire.compiler.command_common import Finding
from grimoire.compiler.edition import Entry
from grimoire.compiler.edition_cards import Group
from grimoire.compiler.edition_site import Volume, anchor, references, slug, spans

_HEAD: Final = """\
#set document(title: {title}, date: none)
#set page(paper: "a4", margin: (x: 1.8cm, y: 2cm), numbering: "1")
#set text(font: ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono"), lang: {language}, size: 9.5pt, hyphenate: true)
#set par(justify: true, leading: 0.55em)
#show heading.where(level: 1): it => block(above: 0pt, below: 1em, text(size: 18pt, it.body))
#show heading.where(level: 2): it => block(above: 1.4em, below: 0.7em, sticky: true, text(size: 12pt, it.body))
#let clause(number, bullet, body) = block(above: 0.6em, below: 0.6em, inset: (left: if bullet {{ 3em }} else {{ 0pt }}),
  if number == "" {{ body }} else {{ grid(columns: (if bullet {{ 1.2em }} else {{ 3em }}, 1fr), strong(number), body) }})
#let see(title, body) = block(above: 0.8em, text(size: 8.5pt, style: "italic", [#title: #body]))
#let card(name, values, ..texts) = block(breakable: false, width: 100%, above: 0.9em, stroke: 0.4pt + luma(150), inset: 6pt, {{
  set par(justify: false)
  strong(name)
  if values != "" {{ linebreak(); text(size: 8pt, fill: luma(80), values) }}
  for body in texts.pos() {{ parbreak(); body }}
}})
#align(center + horizon)[#text(size: 30pt)[#{title}] #v(1em) #text(size: 16pt)[#{rules}] #v(0.5em) #{subtitle}]
#pagebreak()
#outline(title: {contents}, depth: 2)
"""


def quoted(text: str) -> str:
    """A text as a string of Typst: nothing in it is markup."""
    return '"' + " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'


def piece(text: str) -> str:
    """A part of a line; the spaces at its ends stay."""
    return '#"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def make_print(volume: Volume) -> str:
    """The source of the book."""
    book, words = volume.book, volume.book.tables.words
    names = {"title": book.title, "language": book.tables.language, "rules": words["rules"]}
    names |= {"subtitle": volume.subtitle, "contents": words["contents"]}
    rows = [_HEAD.format(**{name: quoted(text) for name, text in names.items()})]
    for title, entries in ((words["entries"], book.entries), (words["appendices"], book.appendices)):
        if entries:
            rows.append(section(title, 2))
            rows += [entry_source(volume, entry) for entry in entries]
    if volume.groups:
        rows.append(section(words["cards"], 2))
        rows += [group_source(volume, group) for group in volume.groups]
    rows.append(section(words["index"], 3))
    rows.append(index_source(volume))
    return "\n".join(rows)


def section(title: str, columns: int) -> str:
    return f"#set page(columns: {columns})\n#heading(level: 1)[#{quoted(title)}]\n"


def entry_source(volume: Volume, entry: Entry) -> str:
    words = volume.book.tables.words
    head = f"{words['appendix']} {entry.number}" if entry.appendix else entry.number
    rows = [f"#heading(level: 2)[#{quoted(f'{head}. {entry.title}')}] <e:{slug(entry.id)}>"]
    for line in entry.lines:
        body = "".join(
            piece(text) if to is None else f"#link(<e:{slug(to)}>)[{piece(text)}]"
            for text, to in spans(line, volume.links.mentions.get(line.id, ()))
        )
        label = line.label if line.bullet or not line.label else line.number
        where = f"c:{slug(entry.id)}.{anchor(line.id)}"
        rows.append(f"#clause({quoted(label)}, {'true' if line.bullet else 'false'})[{body}] <{where}>")
    titles = {other.id: other for other in volume.book.all()}
    see = [titles[id_] for id_ in volume.links.see.get(entry.id, ())]
    if see:
        links = '#", "'.join(
            f"#link(<e:{slug(other.id)}>)[#{quoted(f'{other.title} ({other.number})')}]" for other in see
        )
        rows.append(f"#see({quoted(words['see'])})[{links}]")
    return "\n".join([*rows, ""])


def group_source(volume: Volume, group: Group) -> str:
    words = volume.book.tables.words
    rows = [f"#heading(level: 2)[#{quoted(group.name)}]"]
    rows += [f"#par[#{quoted(text)}]" for text in group.texts]
    for card in group.cards:
        values = [f"{heading}: {value}" for heading, value in card.values]
        if card.copies != 1:
            values.append(f"{words['copies']}: {card.copies}")
        texts = "".join(f", {quoted(text)}" for text in card.texts)
        rows.append(f"#card({quoted(card.name)}, {quoted('; '.join(values))}{texts})")
    return "\n".join([*rows, ""])


def index_source(volume: Volume) -> str:
    tables = volume.book.tables
    numbers = {entry.id: entry.number for entry in volume.book.all()}
    rows = ["#set par(justify: false, hanging-indent: 1em)", "#set text(size: 8pt)"]
    letter = ""
    for subject in volume.links.subjects:
        if tables.initial(subject.label) != letter:
            letter = tables.initial(subject.label)
            rows.append(f"#block(above: 1em, sticky: true, strong({quoted(letter)}))")
        parts = []
        if subject.entry is not None:
            parts.append(f"#strong[#link(<e:{slug(subject.entry)}>)[{numbers[subject.entry]}]]")
        for ref in references(volume, subject):
            to = f"c:{slug(ref.entry)}.{anchor(ref.clause)}" if ref.clause else f"e:{slug(ref.entry)}"
            parts.append(f"#link(<{to}>)[{ref.number}]")
        rows.append(f"#par[#{quoted(subject.label)}: {', '.join(parts)}]")
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

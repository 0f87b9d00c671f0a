"""Set a book as a website: pages in Markdown and the configuration of MkDocs.

In: a `Volume`, all that is in the book. Out: the files of a folder, by name. `command_edition` writes them and has them built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import yaml

from grimoire.compiler.edition import Book, Entry, Line
from grimoire.compiler.edition_cards import Group
from grimoire.compiler.edition_links import Links, Mention, Subject

MARKER: Final = "# Written by grimoire edition; what is changed here is overwritten the next time."
MANY: Final = 40  # clauses behind a subject of the index; of more, the entries alone are listed
_SIGNS: Final = re.compile(r"([\\`*_{}\[\]#|])")
_STYLE: Final = """\
.clause, .bullet { display: block; margin: 0 0 .6em 0; padding-left: 3.6em; text-indent: -3.6em; }
.bullet { margin-left: 3.6em; padding-left: 1.6em; text-indent: -1.6em; }
.clause strong:first-child { display: inline-block; min-width: 3.6em; text-indent: 0; }
.bullet strong:first-child { display: inline-block; min-width: 1.6em; text-indent: 0; }
.values { color: #555; }
"""


class Volume(NamedTuple):
    """All that is in a book."""

    book: Book
    links: Links
    groups: tuple[Group, ...]
    subtitle: str  # version of the package


class Reference(NamedTuple):
    """A number of the index, and what it leads to."""

    number: str
    entry: str
    clause: str | None


def references(volume: Volume, subject: Subject) -> list[Reference]:
    """What stands behind a subject: clauses, or entries where the clauses are too many to be of use."""
    where = {line.id: (entry, line) for entry in volume.book.all() for line in entry.lines}
    if len(subject.clauses) <= MANY:
        found = [where[id_] for id_ in subject.clauses]
        return [Reference(line.number, entry.id, line.id) for entry, line in found]
    entries = {where[id_][0].id: where[id_][0] for id_ in subject.clauses}
    return [Reference(entry.number, entry.id, None) for entry in entries.values()]


def spans(line: Line, mentions: Sequence[Mention]) -> Iterator[tuple[str, str | None]]:
    """The text of a clause in pieces, each with the entry that it leads to, if any."""
    at = 0
    for mention in mentions:
        if mention.start > at:
            yield line.text[at : mention.start], None
        yield line.text[mention.start : mention.end], mention.entry
        at = mention.end
    if at < len(line.text):
        yield line.text[at:], None


def slug(id_: str) -> str:
    return re.sub(r"[^\w-]", "-", id_)


def anchor(clause: str) -> str:
    return f"c{slug(clause.rpartition('.')[2])}"


def make_site(volume: Volume) -> dict[str, str]:
    """The files of the folder of pages."""
    words = volume.book.tables.words
    book = volume.book
    files = {f"docs/entries/{slug(entry.id)}.md": entry_page(volume, entry) for entry in book.all()}
    files |= {f"docs/cards/{slug(group.kind)}.md": cards_page(volume, group) for group in volume.groups}
    files["docs/index.md"] = front_page(volume)
    files["docs/subjects.md"] = subject_page(volume)
    files["docs/style.css"] = _STYLE
    nav: list[Any] = [{words["contents"]: "index.md"}]
    for title, entries in ((words["entries"], book.entries), (words["appendices"], book.appendices)):
        if entries:
            nav.append(
                {title: [{f"{entry.number}. {entry.title}": f"entries/{slug(entry.id)}.md"} for entry in entries]}
            )
    if volume.groups:
        nav.append({words["cards"]: [{group.name: f"cards/{slug(group.kind)}.md"} for group in volume.groups]})
    nav.append({words["index"]: "subjects.md"})
    files["mkdocs.yml"] = f"{MARKER}\n" + yaml.safe_dump(
        {
            "site_name": f"{book.title}: {words['rules']}",
            "docs_dir": "docs",
            "site_dir": "../site",
            "use_directory_urls": False,  # the site can be read from a folder, without a server
            "strict": True,
            "theme": {"name": "readthedocs", "locale": book.tables.language, "highlightjs": False, "navigation_depth": 2},
            "plugins": [{"search": {"lang": ["en"] if book.tables.language == "en" else ["en", "ru"]}}],
            "markdown_extensions": ["attr_list"],
            "extra_css": ["style.css"],
            "validation": {"links": {"anchors": "warn"}},
            "nav": nav,
        },
        allow_unicode=True,
        sort_keys=False,
        width=1000,
    )  # fmt: skip
    return files


def plain(text: str) -> str:
    """Text as Markdown that shows just it."""
    text = _SIGNS.sub(r"\\\1", " ".join(text.split()))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def front_page(volume: Volume) -> str:
    book, words = volume.book, volume.book.tables.words
    rows = [f"# {plain(book.title)}", "", f"{words['rules']} · {volume.subtitle}", ""]
    for title, entries in ((words["entries"], book.entries), (words["appendices"], book.appendices)):
        if entries:
            rows += [f"## {title}", ""]
            rows += [f"- [{entry.number}. {plain(entry.title)}](entries/{slug(entry.id)}.md)" for entry in entries]
            rows.append("")
    if volume.groups:
        rows += [f"## {words['cards']}", ""]
        rows += [
            f"- [{plain(group.name)}](cards/{slug(group.kind)}.md) ({len(group.cards)})" for group in volume.groups
        ]
        rows.append("")
    rows += [f"[{words['index']}](subjects.md)", ""]
    return "\n".join(rows)


def entry_page(volume: Volume, entry: Entry) -> str:
    words = volume.book.tables.words
    titles = {other.id: other for other in volume.book.all()}
    head = f"{words['appendix']} {entry.number}" if entry.appendix else entry.number
    rows = [f"# {head}. {plain(entry.title)}", ""]
    for line in entry.lines:
        text = "".join(
            plain_piece(piece) if to is None else f"[{plain_piece(piece)}]({slug(to)}.md)"
            for piece, to in spans(line, volume.links.mentions.get(line.id, ()))
        )
        label = f"**{line.label if line.bullet else line.number}** " if line.label else ""
        sort = " .bullet" if line.bullet else " .clause" if line.label else ""
        rows += [f"{label}{text}", f"{{: #{anchor(line.id)}{sort} }}", ""]
    see = [titles[id_] for id_ in volume.links.see.get(entry.id, ())]
    if see:
        links = ", ".join(f"[{plain(other.title)} ({other.number})]({slug(other.id)}.md)" for other in see)
        rows += [f"**{plain(words['see'])}:** {links}", ""]
    return "\n".join(rows)


def plain_piece(text: str) -> str:
    """A piece of a line: the space at its ends stays."""
    made = plain(text)
    return f"{' ' if text[:1].isspace() else ''}{made}{' ' if text[-1:].isspace() and made else ''}"


def cards_page(volume: Volume, group: Group) -> str:
    words = volume.book.tables.words
    rows = [f"# {plain(group.name)}", ""]
    for text in group.texts:
        rows += [plain(text), ""]
    for card in group.cards:
        rows += [f"## {plain(card.name)} {{: #{slug(card.id)} }}", ""]
        values = [*card.values, *([(words["copies"], str(card.copies))] if card.copies != 1 else [])]
        if values:
            rows += ["; ".join(f"{plain(heading)}: {plain(value)}" for heading, value in values), "{: .values }", ""]
        for text in card.texts:
            rows += [plain(text), ""]
    return "\n".join(rows)


def subject_page(volume: Volume) -> str:
    tables = volume.book.tables
    numbers = {entry.id: entry.number for entry in volume.book.all()}
    rows = [f"# {tables.words['index']}", ""]
    letter = ""
    for subject in volume.links.subjects:
        if tables.initial(subject.label) != letter:
            letter = tables.initial(subject.label)
            rows += ["", f"## {plain(letter)}", ""]
        parts = []
        if subject.entry is not None:
            parts.append(f"**[{numbers[subject.entry]}](entries/{slug(subject.entry)}.md)**")
        for ref in references(volume, subject):
            where = f"entries/{slug(ref.entry)}.md" + (f"#{anchor(ref.clause)}" if ref.clause else "")
            parts.append(f"[{ref.number}]({where})")
        rows.append(f"- {plain(subject.label)}: {', '.join(parts)}")
    return "\n".join([*rows, ""])

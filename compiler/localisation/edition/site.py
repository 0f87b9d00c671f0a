"""Renders a book as a website: Markdown pages, the configuration of MkDocs, and a theme in the book's language.

In: a `Volume` that is typeset. Out: the files of a folder, by name. `command.edition` writes them and has them built.
What the pages look like and how they are searched stands in `grammar/edition`; the site needs no server and nothing
from elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import yaml

import grimoire.grammar as grammar
from grimoire.compiler.localisation.edition.book import Entry
from grimoire.compiler.localisation.edition.book_content import (
    Reference,
    Volume,
    anchor,
    main_reference,
    references,
    slug,
    spans,
)
from grimoire.compiler.localisation.edition.cards import Card, Group
from grimoire.compiler.localisation.edition.links import VOWELS, Mention

MARKER: Final = "# Written by grimoire edition; what is changed here is overwritten the next time."
_SIGNS: Final = re.compile(r"([\\`*_{}\[\]#])")
TOP: Final = "{: #top }"  # of all pages, whatever their headings are in the language
CONTENTS: Final = '<div class="contents" markdown="1">'
INDEX: Final = '<div class="index" markdown="1">'
_WORDS: Final = ("search", "found", "nothing", "previous", "next", "menu")  # what the pages say around their text


def make_site(volume: Volume) -> dict[str, str]:
    """The files of the folder of pages."""
    words = volume.book.tables.words
    book = volume.book
    files = {f"docs/{entry_file(entry.id)}": entry_page(volume, entry) for entry in book.all()}
    files |= {f"docs/{group_file(group)}": cards_page(volume, group) for group in volume.groups}
    files["docs/index.md"] = front_page(volume)
    files["docs/subjects.md"] = subject_page(volume)
    files["docs/search-data.js"] = f"const BOOK = {search_data(volume)};\n"
    files |= {f"docs/{name}": grammar.read(f"edition/{name}") for name in ("style.css", "search.js")}
    files["theme/main.html"] = grammar.read("edition/main.html")
    files["theme/sitemap.xml"] = ""  # an empty one is not written: it would have the day in it
    nav: list[Any] = [{words["contents"]: "index.md"}]
    for title, entries in volume.parts():
        nav.append({title: [{f"{entry.number}. {entry.title}": entry_file(entry.id)} for entry in entries]})
    for title, groups in volume.galleries():
        nav.append({title: [{group.name: group_file(group)} for group in groups]})
    nav.append({words["index"]: "subjects.md"})
    files["mkdocs.yml"] = f"{MARKER}\n" + yaml.safe_dump(
        {
            "site_name": f"{book.title}: {words['rules']}",
            "docs_dir": "docs",
            "site_dir": "../site",
            "use_directory_urls": False,  # the site can be read from a folder, without a server
            "strict": True,
            "theme": {"name": None, "custom_dir": "theme"},
            "plugins": [],
            "markdown_extensions": ["attr_list", "md_in_html"],
            "validation": {"links": {"anchors": "warn"}},
            "extra": {"language": book.tables.language, "words": {key: words[key] for key in _WORDS}},
            "nav": nav,
        },
        allow_unicode=True,
        sort_keys=False,
        width=1000,
    )
    return files


def entry_file(id_: str) -> str:
    return f"entries/{slug(id_)}.md"


def group_file(group: Group) -> str:
    return f"cards/{slug(group.kind)}.md"


# --- texts ------------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """Text as Markdown that shows just it; spaces stay, also at its ends."""
    text = _SIGNS.sub(r"\\\1", text.replace("\n", " "))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def opening(text: str) -> str:
    """Text at the beginning of a paragraph, where more is taken for markup, spaces too."""
    made = plain(text.lstrip())
    return re.sub(r"^(\d+)([.)])|^([+-])", lambda found: f"{found[1] or ''}\\{found[2] or found[3]}", made)


def slanted(text: str) -> str:
    return f"*{plain(text.strip())}*"


def linked(text: str, mentions: Sequence[Mention], up: str, lead: int = 0) -> str:
    """A text with its links, as a paragraph or its end; `up` leads from its page to the top."""
    rows = []
    for at, (piece, to, strong) in enumerate(spans(text, mentions, lead)):
        made = opening(piece) if at == 0 else plain(piece)
        made = made if to is None else f"[{made}]({up}{entry_file(to)})"
        rows.append(f"**{made.strip()}**" + made[len(made.rstrip()) :] if strong else made)
    return "".join(rows).replace("****", "")


# --- pages ------------------------------------------------------------------------------------------------------------


def front_page(volume: Volume) -> str:
    book, words = volume.book, volume.book.tables.words
    version = f"{words['version']} {volume.version}"
    rows = [f"# {plain(book.title)} {TOP}", "", f"{plain(words['rules'])}. {plain(version)}", ""]
    for title, entries in volume.parts():
        rows += [f"## {plain(title)} {{: #{'appendices' if entries[0].appendix else 'entries'} }}", "", CONTENTS, ""]
        rows += [f"- [{entry.number}. {plain(entry.title)}]({entry_file(entry.id)})" for entry in entries]
        rows += ["", "</div>", ""]
    for title, groups in volume.galleries():
        rows += [f"## {plain(title)} {{: #{'cards' if groups[0].card else 'pieces'} }}", "", CONTENTS, ""]
        rows += [f"- [{plain(group.name)}]({group_file(group)}) ({group.copies()})" for group in groups]
        rows += ["", "</div>", ""]
    rows += [f"[{plain(words['index'])}](subjects.md)", ""]
    return "\n".join(rows)


def entry_page(volume: Volume, entry: Entry) -> str:
    words = volume.book.tables.words
    rows = [f"# {volume.heading(entry)}. {plain(entry.title)} {TOP}", ""]
    for line in entry.lines:
        text = linked(line.text, volume.links.mentions.get(line.id, ()), "../")
        if line.head:
            rows += [f"## {plain(line.head)} {{: #h{slug(line.id.rpartition('.')[2])} }}", ""]
        label = f"**[{line.label if line.bullet else line.number}](#{anchor(line.id)})** " if line.label else ""
        sort = " .bullet" if line.bullet else " .clause" if line.label else ""
        rows += [f"{label}{text}", f"{{: #{anchor(line.id)}{sort} }}", ""]
    see = [other for other in volume.book.all() if other.id in volume.links.see.get(entry.id, ())]
    if see:
        links = ", ".join(f"[{plain(other.title)}\u00a0({other.number})]({slug(other.id)}.md)" for other in see)
        rows += [f"**{plain(words['see'])}:** {links}", "{: .see }", ""]
    cards = card_links(volume, entry)
    if cards:
        rows += [f"**{plain(words['on-cards'])}:** {', '.join(cards)}", "{: .rules }", ""]
    return "\n".join(rows)


def card_links(volume: Volume, entry: Entry) -> list[str]:
    """From an entry to the cards that it is about, and to those that carry out a clause of it."""
    cited = volume.links.cited.get(entry.id, ())
    made = [
        f"[{plain(group.name)}](../{group_file(group)})"
        for group in volume.groups
        if entry.id in {ref.entry for ref in volume.places(group)}
    ]
    return made + [
        f"[{plain(card.name)}](../{group_file(group)}#{slug(card.id)})"
        for group in volume.groups
        for card in group.cards
        if card.id in cited
    ]


def cards_page(volume: Volume, group: Group) -> str:
    words = volume.book.tables.words
    rows = [f"# {plain(group.name)} {TOP}", ""]
    head = plain(volume.amount(group))
    if volume.places(group):
        head += f". {plain(words['by-rules'])}: {places_of(volume, group)}"
    rows += [head, "{: .count }", ""]
    if group.texts:
        rows += [f"**{plain(words['common'])}.**", "", *texts_of(volume, group.kind, group.texts, group.leads)]
    for card in group.cards:
        rows += card_rows(volume, card)
    return "\n".join(rows)


def card_rows(volume: Volume, card: Card) -> list[str]:
    copies = f' <span class="copies">\u00d7{card.copies}</span>' if card.copies != 1 else ""
    rows = [f"## {plain(card.name)}{copies} {{: #{slug(card.id)} }}", ""]
    if card.values:
        rows += ["; ".join(f"{plain(heading)}: {plain(value)}" for heading, value in card.values), "{: .values }", ""]
    rows += texts_of(volume, card.id, card.texts, card.leads)
    if card.flavour:
        rows += [slanted(card.flavour), "{: .flavour }", ""]
    if card.clauses:
        rows += [f"{plain(volume.book.tables.words['by-rules'])}: {places_of(volume, card)}", "{: .rules }", ""]
    return rows


def places_of(volume: Volume, what: Card | Group) -> str:
    return ", ".join(f"[{plain(ref.number)}](../{place_of(ref)})" for ref in volume.places(what))


def place_of(ref: Reference) -> str:
    return entry_file(ref.entry) + (f"#{anchor(ref.clause)}" if ref.clause else "")


def texts_of(volume: Volume, id_: str, texts: Sequence[str], leads: Sequence[int]) -> list[str]:
    rows: list[str] = []
    for at, (text, lead) in enumerate(zip(texts, leads, strict=True)):
        rows += [linked(text, volume.links.cards.get((id_, at), ()), "../", lead), ""]
    return rows


def subject_page(volume: Volume) -> str:
    tables = volume.book.tables
    rows = [f"# {plain(tables.words['index'])} {TOP}", "", opening(tables.words["index-note"])]
    letter = ""
    for subject in volume.links.subjects:
        if tables.initial(subject.label) != letter:
            rows += ["", "</div>"] if letter else []
            letter = tables.initial(subject.label)
            rows += ["", f"## {plain(letter)} {{: #l{ord(letter or ' '):04x} }}", "", INDEX, ""]
        main = main_reference(volume, subject)
        parts = [] if main is None else [f"**[{main.number}]({place_of(main)})**"]
        parts += [f"[{ref.number}]({place_of(ref)})" for ref in references(volume, subject)]
        rows.append(f"- {opening(subject.label)}, {', '.join(parts)}")
    return "\n".join([*rows, "", "</div>", ""])


# --- search -----------------------------------------------------------------------------------------------------------


def search_data(volume: Volume) -> str:
    """What is searched: every clause and every card with its place, and what the language does with words."""
    tables = volume.book.tables
    rows: list[tuple[str, str, str, str]] = []
    for entry in volume.book.all():
        page = entry_file(entry.id).removesuffix(".md") + ".html"
        for line in entry.lines:
            text = f"{line.head}. {line.text}" if line.head else line.text
            rows.append((f"{page}#{anchor(line.id)}", line.number, entry.title, text))
    for group in volume.groups:
        page = group_file(group).removesuffix(".md") + ".html"
        for card in group.cards:
            values = "; ".join(f"{heading}: {value}" for heading, value in card.values)
            text = " ".join([*([values + "."] if values else []), *card.texts]) or group.name
            rows.append((f"{page}#{slug(card.id)}", "", card.name, text))
    data = {"language": tables.language, "alike": dict(tables.alike), "begins": tables.begins, "vowels": VOWELS}
    return json.dumps({**data, "endings": list(tables.endings), "rows": rows}, ensure_ascii=False, indent=0)

"""Renders a book as a website: Markdown pages, the configuration of MkDocs, and a theme in the book's language.

In: a `Volume` that is typeset. Out: the files of a folder, by name. `command.edition` writes them and has them built.
What the pages look like and how they are searched stands in `grammar/edition`; the site needs no server and nothing
from elsewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

import yaml

import grimoire.grammar as grammar
from grimoire.compiler.localisation.edition.book import Entry
from grimoire.compiler.localisation.edition.book_content import (
    Reference,
    Volume,
    list_references,
    main_reference,
    make_anchor,
    make_slug,
    split_spans,
)
from grimoire.compiler.localisation.edition.cards import Card, Group
from grimoire.compiler.localisation.edition.links import VOWELS, Mention
from grimoire.runtime.plain_data import Json

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
    files = {f"docs/{name_entry_file(entry.id)}": render_entry_page(volume, entry) for entry in book.all()}
    files |= {f"docs/{group_file(group)}": render_cards_page(volume, group) for group in volume.groups}
    files["docs/index.md"] = render_front_page(volume)
    files["docs/subjects.md"] = render_subject_page(volume)
    files["docs/search-data.js"] = f"const BOOK = {search_data(volume)};\n"
    files |= {f"docs/{name}": grammar.read(f"edition/{name}") for name in ("style.css", "search.js")}
    files["theme/main.html"] = grammar.read("edition/main.html")
    files["theme/sitemap.xml"] = ""  # an empty one is not written: it would have the day in it
    nav: list[Json] = [{words["contents"]: "index.md"}]
    for title, entries in volume.parts():
        nav.append({title: [{f"{entry.number}. {entry.title}": name_entry_file(entry.id)} for entry in entries]})
    for title, groups in volume.list_galleries():
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


def name_entry_file(id_: str) -> str:
    return f"entries/{make_slug(id_)}.md"


def group_file(group: Group) -> str:
    return f"cards/{make_slug(group.kind)}.md"


# --- texts ------------------------------------------------------------------------------------------------------------


def escape_text(text: str) -> str:
    """Text as Markdown that shows just it; spaces stay, also at its ends."""
    text = _SIGNS.sub(r"\\\1", text.replace("\n", " "))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_opening(text: str) -> str:
    """Text at the beginning of a paragraph, where more is taken for markup, spaces too."""
    made = escape_text(text.lstrip())
    return re.sub(r"^(\d+)([.)])|^([+-])", lambda found: f"{found[1] or ''}\\{found[2] or found[3]}", made)


def render_emphasis(text: str) -> str:
    return f"*{escape_text(text.strip())}*"


def render_links(text: str, mentions: Sequence[Mention], up: str, lead: int = 0) -> str:
    """A text with its links, as a paragraph or its end; `up` leads from its page to the top."""
    rows = []
    for at, (piece, to, strong) in enumerate(split_spans(text, mentions, lead)):
        made = escape_opening(piece) if at == 0 else escape_text(piece)
        made = made if to is None else f"[{made}]({up}{name_entry_file(to)})"
        rows.append(f"**{made.strip()}**" + made[len(made.rstrip()) :] if strong else made)
    return "".join(rows).replace("****", "")


# --- pages ------------------------------------------------------------------------------------------------------------


def render_front_page(volume: Volume) -> str:
    book, words = volume.book, volume.book.tables.words
    version = f"{words['version']} {volume.version}"
    rows = [f"# {escape_text(book.title)} {TOP}", "", f"{escape_text(words['rules'])}. {escape_text(version)}", ""]
    for title, entries in volume.parts():
        rows += [
            f"## {escape_text(title)} {{: #{'appendices' if entries[0].appendix else 'entries'} }}",
            "",
            CONTENTS,
            "",
        ]
        rows += [f"- [{entry.number}. {escape_text(entry.title)}]({name_entry_file(entry.id)})" for entry in entries]
        rows += ["", "</div>", ""]
    for title, groups in volume.list_galleries():
        rows += [f"## {escape_text(title)} {{: #{'cards' if groups[0].card else 'pieces'} }}", "", CONTENTS, ""]
        rows += [f"- [{escape_text(group.name)}]({group_file(group)}) ({group.copies()})" for group in groups]
        rows += ["", "</div>", ""]
    rows += [f"[{escape_text(words['index'])}](subjects.md)", ""]
    return "\n".join(rows)


def render_entry_page(volume: Volume, entry: Entry) -> str:
    words = volume.book.tables.words
    rows = [f"# {volume.heading(entry)}. {escape_text(entry.title)} {TOP}", ""]
    for line in entry.lines:
        text = render_links(line.text, volume.links.mentions.get(line.id, ()), "../")
        if line.head:
            rows += [f"## {escape_text(line.head)} {{: #h{make_slug(line.id.rpartition('.')[2])} }}", ""]
        label = f"**[{line.label if line.bullet else line.number}](#{make_anchor(line.id)})** " if line.label else ""
        sort = " .bullet" if line.bullet else " .clause" if line.label else ""
        rows += [f"{label}{text}", f"{{: #{make_anchor(line.id)}{sort} }}", ""]
    see = [other for other in volume.book.all() if other.id in volume.links.see.get(entry.id, ())]
    if see:
        links = ", ".join(
            f"[{escape_text(other.title)}\u00a0({other.number})]({make_slug(other.id)}.md)" for other in see
        )
        rows += [f"**{escape_text(words['see'])}:** {links}", "{: .see }", ""]
    cards = render_card_links(volume, entry)
    if cards:
        rows += [f"**{escape_text(words['on-cards'])}:** {', '.join(cards)}", "{: .rules }", ""]
    return "\n".join(rows)


def render_card_links(volume: Volume, entry: Entry) -> list[str]:
    """From an entry to the cards that it is about, and to those that carry out a clause of it."""
    cited = volume.links.cited.get(entry.id, ())
    made = [
        f"[{escape_text(group.name)}](../{group_file(group)})"
        for group in volume.groups
        if entry.id in {ref.entry for ref in volume.places(group)}
    ]
    return made + [
        f"[{escape_text(card.name)}](../{group_file(group)}#{make_slug(card.id)})"
        for group in volume.groups
        for card in group.cards
        if card.id in cited
    ]


def render_cards_page(volume: Volume, group: Group) -> str:
    words = volume.book.tables.words
    rows = [f"# {escape_text(group.name)} {TOP}", ""]
    head = escape_text(volume.amount(group))
    if volume.places(group):
        head += f". {escape_text(words['by-rules'])}: {render_places(volume, group)}"
    rows += [head, "{: .count }", ""]
    if group.texts:
        rows += [
            f"**{escape_text(words['common'])}.**",
            "",
            *render_texts(volume, group.kind, group.texts, group.leads),
        ]
    for card in group.cards:
        rows += render_card_rows(volume, card)
    return "\n".join(rows)


def render_card_rows(volume: Volume, card: Card) -> list[str]:
    copies = f' <span class="copies">\u00d7{card.copies}</span>' if card.copies != 1 else ""
    rows = [f"## {escape_text(card.name)}{copies} {{: #{make_slug(card.id)} }}", ""]
    if card.values:
        rows += [
            "; ".join(f"{escape_text(heading)}: {escape_text(value)}" for heading, value in card.values),
            "{: .values }",
            "",
        ]
    rows += render_texts(volume, card.id, card.texts, card.leads)
    if card.flavour:
        rows += [render_emphasis(card.flavour), "{: .flavour }", ""]
    if card.clauses:
        rows += [
            f"{escape_text(volume.book.tables.words['by-rules'])}: {render_places(volume, card)}",
            "{: .rules }",
            "",
        ]
    return rows


def render_places(volume: Volume, what: Card | Group) -> str:
    return ", ".join(f"[{escape_text(ref.number)}](../{place_of(ref)})" for ref in volume.places(what))


def place_of(ref: Reference) -> str:
    return name_entry_file(ref.entry) + (f"#{make_anchor(ref.clause)}" if ref.clause else "")


def render_texts(volume: Volume, id_: str, texts: Sequence[str], leads: Sequence[int]) -> list[str]:
    rows: list[str] = []
    for at, (text, lead) in enumerate(zip(texts, leads, strict=True)):
        rows += [render_links(text, volume.links.cards.get((id_, at), ()), "../", lead), ""]
    return rows


def render_subject_page(volume: Volume) -> str:
    tables = volume.book.tables
    rows = [f"# {escape_text(tables.words['index'])} {TOP}", "", escape_opening(tables.words["index-note"])]
    letter = ""
    for subject in volume.links.subjects:
        if tables.initial(subject.label) != letter:
            rows += ["", "</div>"] if letter else []
            letter = tables.initial(subject.label)
            rows += ["", f"## {escape_text(letter)} {{: #l{ord(letter or ' '):04x} }}", "", INDEX, ""]
        main = main_reference(volume, subject)
        parts = [] if main is None else [f"**[{main.number}]({place_of(main)})**"]
        parts += [f"[{ref.number}]({place_of(ref)})" for ref in list_references(volume, subject)]
        rows.append(f"- {escape_opening(subject.label)}, {', '.join(parts)}")
    return "\n".join([*rows, "", "</div>", ""])


# --- search -----------------------------------------------------------------------------------------------------------


def search_data(volume: Volume) -> str:
    """What is searched: every clause and every card with its place, and what the language does with words."""
    tables = volume.book.tables
    rows: list[tuple[str, str, str, str]] = []
    for entry in volume.book.all():
        page = name_entry_file(entry.id).removesuffix(".md") + ".html"
        for line in entry.lines:
            text = f"{line.head}. {line.text}" if line.head else line.text
            rows.append((f"{page}#{make_anchor(line.id)}", line.number, entry.title, text))
    for group in volume.groups:
        page = group_file(group).removesuffix(".md") + ".html"
        for card in group.cards:
            values = "; ".join(f"{heading}: {value}" for heading, value in card.values)
            text = " ".join([*([values + "."] if values else []), *card.texts]) or group.name
            rows.append((f"{page}#{make_slug(card.id)}", "", card.name, text))
    data = {"language": tables.language, "alike": dict(tables.alike), "begins": tables.begins, "vowels": VOWELS}
    return json.dumps({**data, "endings": list(tables.endings), "rows": rows}, ensure_ascii=False, indent=0)

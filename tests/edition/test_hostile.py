"""Whatever stands in the strings of a package, a book shows it as text: no markup, script, address or command comes
from content.

Every string that a package can set holds all the `POISON` there is, each string beginning with another piece of it. All
pages are parsed and compared with what the book says; the source for print is compared with the few commands that it is
made of, and set. What cannot be shown at all (control characters, signs that turn the direction of text) never gets
that far.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import markdown
import pytest
import yaml

import grimoire.grammar as grammar
from grimoire.compiler.cli import main
from grimoire.compiler.command.edition import make_volume
from grimoire.compiler.localisation.edition.book_content import Volume
from grimoire.compiler.localisation.edition.print import make_print
from grimoire.compiler.localisation.edition.site import (
    escape_opening,
    escape_text,
    make_site,
    render_emphasis,
    render_links,
)
from grimoire.compiler.localisation.edition.typography import typeset_volume
from tests.packages import compile_folder

from .conftest import GAME

LANGUAGES = ("en", "uk", "ru")
POISON = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title><b>",
    "[x](javascript:alert(1))",
    "![x](http://example.org/x.png)",
    "<http://example.org>",
    "&lt;i&gt; &#60; &copy;",
    "{{ config }} {% raw %} {# x #}",
    "{: onclick=alert(1) }",
    "--> <!-- ]]>",
    '#eval("1")',
    '#import "@preview/x:0.1.0"',
    '#read("/etc/passwd")',
    "$x$ @ref <label> ~ \\u{41}",
    "*b* **b** _i_ __i__ `c` ```",
    "# head",
    "- item",
    "1. item",
    "+ item",
    "= head",
    "> quote",
    "| a | b |",
    "    indented",
    "\\ \\\\ \\n \\* \\#",
    "[bold red]x[/] [link=http://example.org]x[/link] :bomb:",
    "/* c */ // c",
    "[x]: http://example.org",
    "www.example.org mailto:x@example.org",
    "---",
)
WORD = '<u>#eval("1")*[b]`{{7*7}}'  # a word of a sentence: without spaces and slashes, which part words and forms
GAME_MORE = """\
tokens:
  coin-token: {kind: coin-kind, in: purse}
"""


class Poisoner:
    """Gives every string another beginning."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> str:
        at = self.count = self.count + 1
        parts = [POISON[(at + step) % len(POISON)] for step in range(len(POISON))]
        return f"{' '.join(parts)} n{at}n"


def poisoned_texts() -> dict[str, Any]:
    """The texts of the small game in all sections that there are, with names in none of which anything is harmless."""
    made = Poisoner()
    names = ["fruit", "basket", "heap", "apple", "eaten", "coin-kind", "purse", "coin-token"]
    clauses = {
        "zest": {"title": made(), "0": made(), "1": made(), "1a": made(), "1b": made(), "2": made()},
        "sale": {"title": made(), "1": made()},
        "end": {"title": made(), "0": made()},
        "layout": {"title": made(), "1": made()},
    }
    return {
        "title": made(),
        "names": {name: made() for name in names},
        "headings": {"coins": made(), "weight": made(), "zest.2": made(), "layout.1": made()},
        "prompts": {"sell": made()},
        "choices": {"sell": made()},
        "log": {"sell": made()},
        "clauses": clauses,
        "cards": {"apple": made()},
        "flavour": {"apple": made()},
        "reasons": {"sell": made()},
        "terms": dict.fromkeys(("fruit", "basket", "heap"), WORD),
        "verbs": {"sell": f"{WORD} {WORD} {WORD}"},
        "adjectives": {"ripe": WORD},
        "slots": {"effect": f"{WORD[:9]}: {{body}}"},
        "glossary": {"peel": made()},
    }


@pytest.fixture
def poisoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIMOIRE_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    return write_package(tmp_path)


def write_package(home: Path) -> Path:
    folder = home / "content" / "orchard"
    (folder / "text").mkdir(parents=True)
    manifest = {"package": "orchard", "version": "1.2.0", "languages": list(LANGUAGES), "players": "2"}
    manifest |= {"title": Poisoner()(), "licence": Poisoner()()}
    (folder / "package.yaml").write_text(yaml.safe_dump(manifest))
    game = GAME.replace("  player: {", "  coin-kind: {is: token}\n  player: {")
    game = game.replace("  heap: {", "  purse: {holds: coin-kind}\n  heap: {")
    game = game.replace("may sell the top", "may sell the ripe top").replace("optional number}", "optional number}")
    game = game.replace("effect: effect}}", "effect: effect}, adjectives: {ripe: its weight >= 3}}")
    (folder / "game.yaml").write_text(game + GAME_MORE)
    for language in LANGUAGES:
        (folder / "text" / f"{language}.yaml").write_text(yaml.safe_dump(poisoned_texts(), allow_unicode=True))
    return folder


@cache
def volume(folder: Path, language: str) -> Volume:
    made = compile_folder(folder, [])
    assert not made.diags.has_errors, made.diags.sorted()
    return typeset_volume(make_volume(made, language))


# --- pages ------------------------------------------------------------------------------------------------------------

# The elements of a page with the attributes that they may have, and what may stand in those.
ID = r"[\w-]+"
URL = r"(?:\.\./)?(?:(?:entries|cards)/)?[\w.-]+\.html(?:#[\w-]+)?|#[\w-]+|[\w-]+\.html"
ELEMENTS: dict[str, dict[str, str]] = {
    "html": {"lang": "en|uk|ru"},
    "head": {},
    "meta": {"charset": "utf-8", "http-equiv": "Content-Security-Policy", "name": "viewport", "content": ".*"},
    "title": {},
    "link": {"rel": "stylesheet", "href": r"(?:\.\./)?style\.css"},
    "body": {},
    "header": {},
    "input": {"id": "query", "type": "search", "autocomplete": "off", "placeholder": r"\w+", "aria-label": r"\w+"},
    "nav": {},
    "details": {"class": "menu", "open": ""},
    "summary": {},
    "main": {},
    "footer": {},
    "script": {"src": r"(?:\.\./)?search(?:-data)?\.js"},
    "div": {"id": "found", "class": "page|contents|index", "data-root": r"\.\.?", "data-found": r"\w+", "data-nothing": r"[\w ]+", "hidden": ""},
    "a": {"href": URL, "class": "book", "aria-current": "page", "rel": "prev|next"},
    "p": {"id": ID, "class": "clause|bullet|see|rules|values|flavour|count"},
    "h1": {"id": "top"},
    "h2": {"id": ID},
    "span": {"class": "copies"},
    "ul": {},
    "li": {},
    "strong": {},
    "em": {},
}  # fmt: skip
# nothing in the page itself
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"


class Page(HTMLParser):
    """Takes a page to pieces, and notes what must not be in it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.policy = ""
        self.links: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            allowed = ELEMENTS.get(tag, {}).get(name)
            if allowed is None or not re.fullmatch(allowed, value or ""):
                self.wrong.append(f"<{tag} {name}={value!r}>")
        if tag not in ELEMENTS:
            self.wrong.append(f"<{tag}>")
        if tag == "meta" and ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""
            if {"script", "link"} & set(self.texts) or self.links:
                self.wrong.append("something is loaded before the policy")
        if tag == "a":
            self.links.append(dict(attrs)["href"] or "")
        if tag not in ("meta", "link", "input"):
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        for tag in dict.fromkeys(self.open):
            self.texts[tag][-1] += data

    def handle_comment(self, data: str) -> None:
        self.wrong.append(f"<!--{data}-->")

    def handle_pi(self, data: str) -> None:
        self.wrong.append(f"<?{data}>")

    def unknown_decl(self, data: str) -> None:
        self.wrong.append(f"<![{data}]>")

    def all(self, tag: str) -> list[str]:
        return [flat(text) for text in self.texts.get(tag, [])]


def flat(text: str) -> str:
    """A browser shows blanks in a row as one."""
    return re.sub(r"[ \n\t]+", " ", text).strip()


def strings(book: Volume) -> Iterator[tuple[str, str]]:
    """What each page of a book says."""
    for entry in book.book.all():
        page = f"entries/{entry.id}.html"
        yield page, f"{entry.number}. {entry.title}"
        for line in entry.lines:
            yield from ((page, text) for text in (line.text, line.head) if text)
    for group in book.groups:
        page = f"cards/{group.kind}.html"
        yield page, group.name
        for card in group.cards:
            yield from ((page, text) for text in (card.name, *card.texts, card.flavour) if text)
            yield from ((page, f"{heading}: {value}") for heading, value in card.values)
    for subject in book.links.subjects:
        yield "subjects.html", subject.label
    yield "index.html", book.book.title


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages(language: str, poisoned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edition", "orchard", "--lang", language, "-o", "book"]) == 0, capsys.readouterr().err
    site, book = Path("book/site"), volume(poisoned, language)
    pages = {file.relative_to(site).as_posix(): Page(file.read_text("utf-8")) for file in site.rglob("*.html")}
    assert len(pages) == 4 + 2 + 2
    for name, page in pages.items():
        assert page.wrong == [], name
        assert page.policy == POLICY
        assert page.open == []
        assert page.all("script") == ["", ""]  # nothing is written into the page itself
        for link in page.links:
            there = (site / name).parent / unquote(link.partition("#")[0]) if link[0] != "#" else site / name
            assert there.resolve().is_relative_to(site.resolve()) and there.is_file(), link
    for name, text in strings(book):
        assert flat(text) in " ".join(pages[name].all("main")), (name, text)
    title = flat(f"{book.book.title}: {book.book.tables.words['rules']}")
    for entry in book.book.all():
        page = pages[f"entries/{entry.id}.html"]
        assert page.all("title") == [f"{flat(f'{entry.number}. {entry.title}')} – {title}"]
    for page in pages.values():
        menu = page.all("nav")[0]
        assert title in page.all("header")[0]
        assert all(flat(f"{entry.number}. {entry.title}") in menu for entry in book.book.all())
        assert all(flat(group.name) in menu for group in book.groups)
    assert "<u>#eval" in pages["cards/fruit.html"].all("main")[0]  # words of generated texts as well
    first, second = book.book.entries[:2]
    assert flat(f"{second.number}. {second.title}") in pages[f"entries/{first.id}.html"].all("footer")[0]
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    assert files - set(pages) == {"search-data.js", "search.js", "style.css"}


@pytest.mark.parametrize("poison", [*POISON, "\t- tab", "   * three", "~~~", "===", "1) one", ": x", "a  \nb\n\n    c"])
def test_every_beginning(poison: str) -> None:
    """The same behind all that a text can begin: a paragraph, a heading, an entry of a list, what is set in italics or
    is a link."""
    text = flat(poison)
    frames = {
        "p": f"{render_links(poison, (), '')}\n{{: #c1 .clause }}",
        "h1": f"# {escape_text(poison)} {{: #top }}",
        "li": f"- {escape_opening(poison)}, [1](x.html)",
        "em": f"{render_emphasis(poison)}\n{{: .flavour }}",
        "a": f"[{escape_text(poison)}](x.html)",
    }
    for tag, source in frames.items():
        page = Page(markdown.markdown(source, extensions=["attr_list", "md_in_html"]))
        assert page.wrong == [] and page.open == []
        shown = [found.removesuffix(", 1") for found in page.all(tag)]
        assert shown == [text], (tag, source)


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_data_is_data(language: str, poisoned: Path) -> None:
    source = make_site(volume(poisoned, language))["docs/search-data.js"]
    found = re.fullmatch(r"const BOOK = (.*);\n", source, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert {row[2] for row in data["rows"]} >= {entry.title for entry in volume(poisoned, language).book.entries}
    assert all(re.fullmatch(r"(entries|cards)/[\w-]+\.html#[\w-]+", row[0]) for row in data["rows"])
    script = grammar.read("edition/search.js")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(", script)


def test_templates_escape() -> None:
    """MkDocs does not escape what stands in a template: each of ours says that it is escaped, and what is not is told
    apart."""
    folder = Path(grammar.__file__).parent / "edition"
    templates = [file for file in folder.iterdir() if "{{" in file.read_text("utf-8") and file.suffix != ".typ"]
    assert [file.name for file in templates] == ["main.html"]
    for file in templates:
        text = file.read_text("utf-8").strip()
        assert re.match(r"\{%-? autoescape true -?%\}", text) and text.endswith("{% endautoescape %}")
        assert re.findall(r"\{\{([^}]*\|\s*safe[^}]*)\}\}", text) == [" page.content|safe "]
        assert not re.search(r"<style|<script(?! src=)| style=| on\w+=", text)


# --- print ------------------------------------------------------------------------------------------------------------

STRING = re.compile(r'"(?:\\[\\"]|[^"\\])*"')
COMMANDS = (
    *("let", "set", "pagebreak", "part", "balanced", "small", "entry", "clause", "heading", "link", "see", "note"),
    *("card", "par", "letter", "subject", "strong"),
)
WORDS = (
    *("label", "page", "columns", "weak", "level", "flavour", "true", "false", "none"),
    *("title", "rules", "version", "contents", "language"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_print(language: str, poisoned: Path) -> None:
    """Behind `#` stands a string or a command of ours, texts stand in strings only, and Typst reads them so."""
    import typst

    book = volume(poisoned, language)
    source = make_print(book)
    made = STRING.sub('""', source.replace(grammar.read("edition/book.typ"), "").partition("\n")[2])
    assert set(re.findall(r"#([a-z-]*)", made)) <= {"", *COMMANDS}
    assert set(re.findall(r"[a-z-]+", made)) <= {*COMMANDS, *WORDS}
    assert not re.search(r"#(?![a-z\"])|[^\x00-\x7f$]|[\\$@`*_<>~/']", made)
    file = Path("book.typ")
    file.write_text(source, encoding="utf-8")
    assert typst.compile(file, ignore_system_fonts=True).startswith(b"%PDF-")
    heads = json.loads(typst.query(file, "heading", field="body", ignore_system_fonts=True))
    assert {head["text"] for head in heads} >= {f"{book.heading(entry)}. {entry.title}" for entry in book.book.all()}


# --- what is refused before it gets there -----------------------------------------------------------------------------


@pytest.mark.parametrize(("sign", "code"), [("\x1b", "G0108"), ("\u202e", "G0122"), ("\u2066", "G0122"), ("\u200b", "G0122"), ("\r", "G0108")])  # fmt: skip
@pytest.mark.parametrize("name", ["package.yaml", "game.yaml", "text/en.yaml"])
def test_signs_that_cannot_be_seen(
    name: str, sign: str, code: str, poisoned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every scalar is read by one reader; one that has such a sign in it makes no book."""
    file = poisoned / name
    key = {"package.yaml": "title", "game.yaml": "outcomes", "text/en.yaml": "title"}[name]
    escaped = f'"\\u{ord(sign):04x}"'
    value = f"[{escaped}]" if key == "outcomes" else escaped
    text = re.sub(rf"^{key}:.*\n(?:[ '\"-].*\n)*", "", file.read_text("utf-8"), flags=re.MULTILINE)
    file.write_text(f"{text}{key}: {value}\n", encoding="utf-8")
    assert main(["edition", "orchard", "-o", "book"]) == 1
    done = capsys.readouterr()
    assert f"[{code}]" in done.err and sign not in done.out + done.err.replace("\r\n", "\n")
    assert not Path("book").exists()

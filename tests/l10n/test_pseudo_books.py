"""Books in the pseudo-locale: no page of the site and nothing in print shows a word that is not of the locale files."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import grimoire.grammar as grammar_files
from grimoire.compiler.command import edition as command_edition
from grimoire.compiler.localisation.edition.book import Tables, load_tables
from grimoire.compiler.localisation.edition.book_content import Volume
from grimoire.compiler.localisation.edition.print import make_print
from grimoire.compiler.localisation.edition.site import make_site
from grimoire.compiler.localisation.edition.typography import typeset_volume
from grimoire.compiler.localisation.text import tool_words as tool_text
from grimoire.runtime.wording.own_words import OWN_WORDS
from tests.l10n.test_pseudo_locale import _WORD, LANGUAGE, pseudo_grammar, pseudo_lexicon, untyped, whole
from tests.packages import CONTENT, Compiled, compile_folder

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SHOWN = re.compile(r'\s(?:title|placeholder|aria-label|alt|data-found|data-nothing)="([^"]*)"')
_CALLS = (
    "let|title|rules|version|contents|language|part|set|page|columns|pagebreak|weak|true|false|none|text|size|heading|level|"
    "entry|clause|see|note|card|flavour|par|letter|subject|label|link|strong|balanced|small"
)
# What a template of print may have in quotes: fonts, settings, signs. Its words come from outside.
_SETTINGS = frozenset(
    (
        "Libertinus Serif",
        "New Computer Modern",
        "DejaVu Sans Mono",
        "lining",
        "bold",
        "italic",
        "a4",
        "1",
        "parent",
        "",
        ":",
        ". ",
    )
)


@pytest.fixture
def pseudo_volume(monkeypatch: pytest.MonkeyPatch) -> Any:
    def make(name: str) -> Volume:
        made = pseudo_package(name)
        tables: dict[str, Tables] = {**load_tables()}
        tables[LANGUAGE] = tables[LANGUAGE]._replace(words=whole(dict(tables[LANGUAGE].words)))
        grammar = pseudo_grammar()
        monkeypatch.setattr(command_edition, "load_tables", lambda: tables)
        monkeypatch.setattr(command_edition, "load_grammar", lambda language: grammar)

        words = made.workspace.lexicon(made.package, LANGUAGE)
        pseudo = pseudo_lexicon(words) if words is not None else None
        monkeypatch.setattr(made.workspace, "lexicon", lambda *asked: pseudo)
        monkeypatch.setitem(tool_text.TOOL_TEXT, LANGUAGE, whole(tool_text.TOOL_TEXT[LANGUAGE]))
        monkeypatch.setitem(OWN_WORDS, LANGUAGE, whole(OWN_WORDS[LANGUAGE]))
        return typeset_volume(command_edition.make_volume(made, LANGUAGE))

    return make


def pseudo_package(name: str) -> Compiled:
    needs = [CONTENT / "unfathomable"] if name.endswith("expansion") else []
    made = compile_folder(CONTENT / name, needs)
    assert made.artefact is not None
    made.artefact["text"][LANGUAGE] = whole(made.artefact["text"][LANGUAGE])
    return made


def bare(text: str) -> str:
    """What stands outside of the brackets; numbers of clauses may have a letter."""
    return re.sub(r"\b(?:\d+|[IVXLC]+)(?:\.\d+)?[a-z]?\b", " ", untyped(text, None))


def shown_in(page: str) -> list[str]:
    """What somebody sees of a page, or is read."""
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    seen = [*_SHOWN.findall(page), *re.sub(r"<[^>]+>", " ", page).splitlines()]
    return [html.unescape(row) for row in seen]


NAMES = ["unfathomable", "abyss", "love-letter", "tic-tac-toe", "unfathomable-example-expansion"]


@pytest.mark.parametrize("name", NAMES)
def test_a_site_shows_only_texts_of_the_locale_files(name: str, pseudo_volume: Any, tmp_path: Path) -> None:
    volume = pseudo_volume(name)
    files = {f"pages/{file}": text.encode() for file, text in make_site(volume).items()}
    site = command_edition.build_site(files, tmp_path)
    pages = {file: data.decode() for file, data in site.items() if file.endswith(".html")}
    assert len(pages) >= len(volume.book.all()) + len(volume.groups) + 2
    for file, page in pages.items():
        rows = shown_in(page)
        assert any("⟦" in row for row in rows)
        assert [row for row in rows if _WORD.search(bare(row))] == [], file
    data = json.loads(site["site/search-data.js"].decode()[len("const BOOK = ") : -2])
    assert [row for row in data["rows"] if any(_WORD.search(bare(part)) for part in row[1:])] == []


def test_the_search_has_no_words_of_its_own() -> None:
    script = re.sub(r"//.*", "", grammar_files.read("edition/search.js"))
    assigned = re.findall(r"textContent = ([^;]*);", script)
    assert len(assigned) == 3
    assert [row for row in assigned if any(_WORD.search(text) for text in _STRING.findall(row))] == []


@pytest.mark.parametrize("name", NAMES)
def test_print_shows_only_texts_of_the_locale_files(name: str, pseudo_volume: Any) -> None:
    source = make_print(pseudo_volume(name))
    template = grammar_files.read("edition/book.typ")
    assert template in source
    rows = [_STRING.findall(row) for row in source.replace(template, "").splitlines()]
    rows = [[text for text in row if not re.match(r"[ec]:[\w.-]+\Z", text) and text != LANGUAGE] for row in rows]
    shown = [" ".join(row) for row in rows if row]
    assert len(shown) > 20
    assert [text for text in shown if _WORD.search(bare(text))] == []
    body = _STRING.sub("", source.replace(template, ""))
    code = re.sub(rf"#?\b(?:{_CALLS})\b|<[ec]:[\w.-]+>|\d+pt|//.*", "", body)
    assert _WORD.findall(code) == []


def test_the_template_of_print_has_no_words_of_its_own() -> None:
    template = re.sub(r"//.*", "", grammar_files.read("edition/book.typ"))
    assert set(_STRING.findall(template)) <= _SETTINGS
    blocks = re.findall(r"\[([^\[\]]*)\]", _STRING.sub("", template))
    assert blocks
    assert [block for block in blocks if _WORD.search(re.sub(r"#[\w.-]+(?:\([^)]*\))?", "", block))] == []

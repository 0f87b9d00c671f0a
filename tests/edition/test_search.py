"""The site is searched without a server: by number, by words in any form, in Cyrillic."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.localisation.edition.site import make_site, search_data

from .conftest import typeset_volume

SCRIPT = """
const vm = require("vm"), fs = require("fs"), context = {module: {}};
const [data, script, ...queries] = process.argv.slice(2);
vm.createContext(context);
vm.runInContext(fs.readFileSync(data, "utf8").replace("const BOOK", "var BOOK") + fs.readFileSync(script, "utf8"), context);
console.log(JSON.stringify(queries.map((query) => context.module.exports.search(query).map((row) => [row.url, row.number, row.title]))));
"""
node = pytest.mark.skipif(shutil.which("node") is None, reason="no JavaScript here")


def searched(language: str, folder: Path, *queries: str) -> list[list[list[str]]]:
    files = make_site(typeset_volume(language))
    for name in ("search-data.js", "search.js"):
        (folder / name).write_text(files[f"docs/{name}"], encoding="utf-8")
    (folder / "run.js").write_text(SCRIPT)
    command = ["node", "run.js", "search-data.js", "search.js", *queries]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    found: list[list[list[str]]] = json.loads(done.stdout)
    return found


@node
def test_search_in_ukrainian(tmp_path: Path) -> None:
    forms, other, first, both, straight, curly, number, roman, none = searched(
        "uk", tmp_path, "карцеру", "карцер", "ВМІНЬ", "карта зради", "зв'язані", "зв’язані", "22.6", "iv", "ґзмл"
    )
    assert forms[0][:2] == ["entries/brig.html#c0", "25"]
    assert {tuple(row) for row in forms} == {tuple(row) for row in other}  # in whatever form
    assert first[0][2] == "Карти вмінь"
    assert both[0][:2] == ["entries/treachery-card.html#c0", "19"]
    assert straight == curly and straight
    assert number[0][:2] == ["entries/mythos-card.html#c6", "22.6"]
    assert roman[0][1] == "IV.1"
    assert none == []


@node
@pytest.mark.parametrize(
    ("language", "query", "url"),
    [
        ("ru", "побежденный", "entries/defeated.html#c0"),  # with or without the dots
        ("ru", "лазарета", "entries/sick-bay.html#c0"),
        ("en", "passengers", "entries/passenger.html#c0"),
        ("uk", "шестизарядного револьвера", "cards/item.html#six-shooter"),
    ],
)
def test_search(language: str, query: str, url: str, tmp_path: Path) -> None:
    (found,) = searched(language, tmp_path, query)
    assert found[0][0] == url


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_what_is_searched_is_there(language: str) -> None:
    """Every clause and every card, each at a place of a page."""
    volume = typeset_volume(language)
    data: dict[str, Any] = json.loads(search_data(volume))
    files = make_site(volume)
    assert len(data["rows"]) == len(volume.book.lines()) + sum(len(group.cards) for group in volume.groups)
    for url, *_ in data["rows"]:
        page, _, anchor = url.partition("#")
        assert f"{{: #{anchor} " in files[f"docs/{page.removesuffix('.html')}.md"]

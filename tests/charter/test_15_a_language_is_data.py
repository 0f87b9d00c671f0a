"""Charter 15: a language is data. Which languages there are stands in one table; no module names one."""

from __future__ import annotations

import ast
import json

import pytest

from grimoire.compiler.localisation import languages
from tests.sources import ROOT, source_files

TABLE = json.loads((ROOT / "grammar" / "languages.json").read_text(encoding="utf-8"))
CODES = set(TABLE["languages"])
SOURCES = [path for part in ("compiler", "runtime", "grammar") for path in source_files(part)]


def named_languages(source: str) -> list[tuple[int, str]]:
    """The literals of a module that are the id of a language."""
    nodes = ast.walk(ast.parse(source))
    return [(node.lineno, node.value) for node in nodes if isinstance(node, ast.Constant) and node.value in CODES]


def test_no_module_names_a_language() -> None:
    found = {}
    for path in SOURCES:
        name = path.relative_to(ROOT).as_posix()
        rows = named_languages(path.read_text(encoding="utf-8"))
        if rows:
            found[name] = rows
    assert found == {}


def test_a_language_in_a_module_is_found() -> None:
    assert named_languages('KNOWN = ("xx", "uk")\nif language == "ru":\n    pass\n') == [(1, "uk"), (2, "ru")]


def test_every_table_belongs_to_a_language_of_the_list() -> None:
    for folder in ("wording", "l10n", "tool"):
        for path in sorted((ROOT / "grammar" / folder).glob("*.yaml")):
            assert path.stem in CODES or path.stem == "common" or path.stem.removeprefix("forms-") in CODES, path.name


def test_what_a_language_has_follows_from_its_tables() -> None:
    assert languages.SOURCE in CODES
    assert set(languages.WORDED) | set(languages.CHECKED) | set(languages.INFLECTED) <= CODES
    assert list(languages.WORDED) == [
        id_ for id_ in TABLE["languages"] if (ROOT / f"grammar/wording/{id_}.yaml").exists()
    ]
    for id_ in languages.INFLECTED:
        assert languages.find_language(id_).dictionary


@pytest.mark.parametrize("id_", ["eo", "zz", ""])
def test_of_a_language_that_is_not_listed_nothing_is_known(id_: str) -> None:
    assert languages.find_language(id_) == languages.Language(id_, id_)

"""The core is typed: what builds and plays a program reads records, never the JSON that they are written as."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from grimoire.runtime.core.records import FORMS
from tests.charter.kit import ROOT
from tests.sources import source_files

FOLDERS = ("runtime/build", "runtime/play", "runtime/kernel", "runtime/bots", "runtime/testing")
NAMES = {name for table in FORMS.values() for name in table}


def text_of(node: ast.AST | None) -> str | None:
    """The text that a constant holds."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_first(node: ast.AST) -> bool:
    """Whether a node takes the first part of something: `form[0]`."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == 0
        and type(node.slice.value) is int
    )


def json_of_the_core(source: str) -> Iterator[tuple[int, str]]:
    """Where a module looks into JSON of the core: the name of a form, or a table of the document."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript) and text_of(node.slice) == "op":
            yield node.lineno, '["op"]'
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            if node.args and text_of(node.args[0]) == "op":
                yield node.lineno, '.get("op")'
        elif isinstance(node, ast.Compare) and is_first(node.left):
            beside = [one for other in node.comparators for one in ast.walk(other)]
            if any(text_of(one) in NAMES for one in beside):
                yield node.lineno, "form[0]"
        elif isinstance(node, ast.Attribute) and node.attr in ("document", "doc"):
            yield node.lineno, f".{node.attr}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_that_builds_or_plays_looks_into_the_json_of_the_core(folder: str) -> None:
    found = [
        f"{path.name}:{line}: {what}"
        for path in source_files(folder)
        for line, what in json_of_the_core(path.read_text(encoding="utf-8"))
        if (path.name, what) not in GIVEN_ON
    ]
    assert found == []


# The document as a whole, for other processes.
GIVEN_ON = {("simulate.py", ".document")}


def uses_any(path: Path) -> list[str]:
    """The lines of a module on which a type is `Any`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [f"{path.name}:{node.lineno}" for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "Any"]


def test_a_program_is_built_without_any() -> None:
    assert [line for path in source_files("runtime/build") for line in uses_any(path)] == []


def test_the_tables_of_an_artefact_are_typed() -> None:
    for name in ("expressions", "selectors", "statements", "tables"):
        assert uses_any(ROOT / "runtime" / "core" / f"{name}.py") == []


@pytest.mark.parametrize(
    "line",
    [
        'if s["op"] == "menu": pass',
        'if s.get("op", "menu") == "menu": pass',
        'if form[0] == "filter": pass',
        'if form[0] in ("zone", "top"): pass',
        'rows = program.doc["procs"]',
        'rows = package.document["procs"]',
    ],
)
def test_what_looks_into_json_is_found(line: str) -> None:
    assert list(json_of_the_core(line))


def test_what_does_not_is_left_alone() -> None:
    assert list(json_of_the_core('found[0] == 3; row.id == "menu"; key[0] == "p"; table["vars"]')) == []

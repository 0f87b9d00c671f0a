"""The core is typed: what builds and plays a program reads records, never the JSON that they are written as."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from grimoire.runtime.core.records import FORMS
from tests.charter.kit import ROOT
from tests.sources import source_files

FOLDERS = ("runtime", "compiler")
NAMES = {name for table in FORMS.values() for name in table}


def text_of(node: ast.AST | None) -> str | None:
    """The text that a constant holds."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_first(node: ast.AST) -> bool:
    """Whether a node takes the first part of something: `form[0]`. The first of the words of a text is none."""
    return (
        isinstance(node, ast.Subscript)
        and ast.unparse(node.value) != "words"
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


# Where the JSON of the core is read, written and described.
CORE_JSON = ("runtime/core/reading.py", "runtime/core/writing.py", "runtime/core/schema.py")
# Who takes a document as a whole: to give it to another process, or to word and show what it says.
WHOLE = (
    "runtime/bots/simulate.py",
    "runtime/wording/words.py",
    "compiler/command/common.py",
    "compiler/command/terminal.py",
)


def place_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_looks_into_the_json_of_the_core(folder: str) -> None:
    found = [
        f"{place_of(path)}:{line}: {what}"
        for path in source_files(folder)
        for line, what in json_of_the_core(path.read_text(encoding="utf-8"))
        if place_of(path) not in CORE_JSON and not (what == ".document" and place_of(path) in WHOLE)
    ]
    assert found == []


# Where types end: each names there what it does not know, once, and nothing else says Any.
EDGES = {
    "runtime/core/records.py": "classes are made of their declarations",
    "runtime/core/walk.py": "a record inside another is of any class",
    "runtime/artefact/arguments.py": "what callers give is looked at part by part",
    "runtime/play/shapes.py": "saves, records and scripts from outside are looked at part by part",
    "compiler/records.py": "classes are made of their annotations",
    "compiler/syntax/build.py": "the parts of a rule are what the grammar says",
    "compiler/syntax/machine.py": "Lark's parser has no types inside",
    "compiler/source/tree.py": "PyYAML has no types",
    "compiler/workspace/engine.py": "questions of all types stand in one table",
    "compiler/workspace/places.py": "records of all classes are copied",
    "compiler/localisation/text/inflect.py": "the tables of a language are data",
    "compiler/localisation/translation/forms.py": "pymorphy has no types",
    "compiler/reference/language.py": "constructs.yaml is data",
}


def names_any(path: Path) -> bool:
    """Whether a module imports `Any` of typing: a class of that name is something else."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(
        isinstance(node, ast.ImportFrom) and node.module == "typing" and any(name.name == "Any" for name in node.names)
        for node in ast.walk(tree)
    )


def test_no_any_crosses_a_stage() -> None:
    """What has no type of its own is plain data (`Json`), an object that is asked for its class, or an edge."""
    assert sorted(place_of(path) for folder in FOLDERS for path in source_files(folder) if names_any(path)) == sorted(
        EDGES
    )


@pytest.mark.parametrize("edge", EDGES)
def test_an_edge_gives_what_it_does_not_know_a_name(edge: str) -> None:
    """`Any` stands in aliases alone: what a function takes or gives there has a name that says what it is."""
    tree = ast.parse((ROOT / edge).read_text(encoding="utf-8"))
    aliases = {id(inner) for node in tree.body if isinstance(node, ast.AnnAssign) for inner in ast.walk(node)}
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "Any"]
    assert [node.lineno for node in used if id(node) not in aliases] == []


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

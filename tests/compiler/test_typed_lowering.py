"""Lowering knows the core by its records: nothing in it is `Any`, no form is told by its place in a list."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import grimoire.compiler.lower

FILES = sorted(Path(grimoire.compiler.lower.__file__).parent.glob("*.py"))


def reads_json(node: ast.AST) -> bool:
    """`x["op"]`, `x.get("op")`, `{"op": ..}`, `x[0] == "and"`, `x[0] in ("and", ..)`."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == "op":
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        return any(isinstance(part, ast.Constant) and part.value == "op" for part in node.args)
    if isinstance(node, ast.Dict):
        return any(isinstance(key, ast.Constant) and key.value == "op" for key in node.keys)
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript):
        first = isinstance(node.left.slice, ast.Constant) and node.left.slice.value == 0
        words = [part for other in node.comparators for part in ast.walk(other) if isinstance(part, ast.Constant)]
        form = isinstance(node.left.value, ast.Name) and node.left.value.id not in ("words", "phrases")
        return first and form and any(isinstance(word.value, str) for word in words)
    return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_forms_are_records(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [f"{path.name}:{node.lineno}" for node in ast.walk(tree) if reads_json(node)]  # type: ignore[attr-defined]
    assert not found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_is_any(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "Any"]
    assert not found


@pytest.mark.parametrize("source", ['x["op"]', 'x.get("op")', '{"op": 1}', 'x[0] == "and"', 'x[0] in ("and", "or")'])
def test_the_test_sees(source: str) -> None:
    assert any(reads_json(node) for node in ast.walk(ast.parse(source)))

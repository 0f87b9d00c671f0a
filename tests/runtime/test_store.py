"""The store is the one mutation path of the kernel: no other module of it writes what is saved, or the trail."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import ROOT, source_files

OWNED = {"mem", "zones", "loc", "index", "floats", "trail", "float_trail"}
CHANGING = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "setdefault", "sort", "update"}
MODULES = [path for path in source_files("runtime/kernel") if path.name != "store.py"]


def is_owned(node: ast.expr, names: dict[str, str]) -> bool:
    """Whether an expression is a part of a state that the store owns: an attribute, a name for one, something in it."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        return names.get(node.id, "") in OWNED
    return isinstance(node, ast.Attribute) and node.attr in OWNED and ast.unparse(node.value) in ("g", "self.state")


def writes(source: str) -> Iterator[str]:
    """Line and text of everything that changes such a part."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        names: dict[str, str] = {}
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Attribute)
                and ast.unparse(node.value.value) == "g"
            ):
                names |= {target.id: node.value.attr for target in node.targets if isinstance(target, ast.Name)}
        for node in ast.walk(function):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign | ast.Delete):
                targets = node.targets
            elif isinstance(node, ast.AugAssign | ast.AnnAssign):
                targets = [node.target]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                targets = [node.func.value]
            for target in targets:
                if not isinstance(target, ast.Name) and is_owned(target, names):
                    yield f"{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_only_the_store_writes_what_is_saved(path: Path) -> None:
    assert list(writes(path.read_text(encoding="utf-8"))) == []


def test_a_planted_write_is_found() -> None:
    planted = (
        "def f(g):\n    mem = g.mem\n    mem[1] = 2\n    g.zones[3].append(4)\n    g.loc[5] += 6\n    g.floats = {}\n"
        "    del g.trail[7:]\n    x = g.mem[8]\n    g.put(9, x)\n"
    )
    assert sorted(int(line.split(":")[0]) for line in writes(planted)) == [3, 4, 5, 6, 7]
    assert (ROOT / "runtime/kernel/store.py").is_file()

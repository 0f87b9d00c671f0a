"""Numbers that tune the checks stand in one table, each with its meaning; no module has one of its own."""

from __future__ import annotations

import ast
import re

from tests.sources import ROOT, source_files

FOLDER = ROOT / "compiler" / "localisation"
TABLE = FOLDER / "tuning.py"
NO_TUNING = {  # numbers that mean what they say
    "edition/book.py": {"INTRODUCTION": "the key of a clause", "_DIGITS": "Roman digits"},
}


def is_numeric(node: ast.expr) -> bool:
    """Whether an expression is a number, or holds one: -3.0, 64 * 1024, (1, 2), {"a": 5}."""
    match node:
        case ast.Constant(value=value):
            return type(value) in (int, float)
        case ast.UnaryOp(operand=inner):
            return is_numeric(inner)
        case ast.BinOp(left=left, right=right):
            return is_numeric(left) and is_numeric(right)
        case ast.Tuple(elts=inside) | ast.List(elts=inside) | ast.Set(elts=inside) | ast.Dict(values=inside):
            return any(is_numeric(inner) for inner in inside)
    return False


def find_constants(source: str) -> list[str]:
    """The names in capitals that a module gives to numbers."""
    found = []
    for node in ast.parse(source).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is not None and is_numeric(value):
            found += [target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper()]
    return found


def test_no_module_has_numbers_of_its_own() -> None:
    own: dict[str, list[str]] = {}
    for path in source_files("compiler/localisation"):
        name = path.relative_to(FOLDER).as_posix()
        found = find_constants(path.read_text(encoding="utf-8"))
        strange = [constant for constant in found if constant not in NO_TUNING.get(name, {})]
        if strange and path != TABLE:
            own[name] = strange
    assert own == {}, "such a number belongs into compiler/localisation/tuning.py, with its meaning"


def test_what_is_looked_for_is_found() -> None:
    source = "A: Final = -0.5\nB = 64 * 1024\nC = (1, 'x')\nD: Final = {'I': 1}\nE = 'text'\nf = 3\nG = len('x')\n"
    assert find_constants(source) == ["A", "B", "C", "D"]


def test_every_number_has_its_meaning_and_is_read_by_the_module_that_is_named() -> None:
    text = TABLE.read_text(encoding="utf-8")
    read: dict[str, set[str]] = {}
    for path in source_files("compiler/localisation"):
        if path != TABLE:
            words = set(re.findall(r"[A-Z][A-Z_]+", path.read_text(encoding="utf-8")))
            read[path.relative_to(FOLDER).as_posix()] = words
    group = re.compile(r"^# --- (.*?) \((\S+\.py)\)$", re.MULTILINE | re.DOTALL)
    assert sorted(read) == sorted({*read, *(match[2] for match in group.finditer(text))})
    names = find_constants(text)
    assert len(names) > 150 and len(set(names)) == len(names)
    for name in names:
        said = re.search(rf"^(# [^-].*\n)*{name}: Final = [^#\n]*(?:  # .+)?$", text, re.MULTILINE)
        assert said is not None and "# " in said[0], f"{name} has no meaning"
        assert any(name in words for words in read.values()), f"nothing reads {name}"

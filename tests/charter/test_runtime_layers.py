"""The folders of the runtime stand in a row: each imports only those before it, and no module needs itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.charter.kit import ROOT
from tests.sources import source_files

PREFIX = "grimoire.runtime"
# From what knows nobody to what knows everybody. The public face stands at the end.
LAYERS = (
    "plain_data",
    "errors",
    "limits",
    "core",
    "artefact",
    "kernel",
    "build",
    "play",
    "wording",
    "bots",
    "testing",
    "worker",
    "__init__",
)
# In kernel and build types name each other; the public face loads a name when it is first asked for.
TYPES_ALONE = ("kernel", "__init__")

Import = tuple[str, int, str]  # the module imported, the line, and where the import stands: top, types or inner


def modules() -> dict[str, str]:
    """The text of every module of the runtime, by its dotted name there."""
    return {
        ".".join(path.relative_to(ROOT / "runtime").with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in source_files("runtime")
    }


def module_of(name: str, there: set[str]) -> str | None:
    """The module that a dotted name stands for, if there is one: a folder stands for its `__init__`."""
    short = name.removeprefix(PREFIX).removeprefix(".")
    return next((one for one in (short, f"{short}.__init__".removeprefix(".")) if one in there), None)


def imports(text: str, there: set[str]) -> Iterator[Import]:
    """What a module imports of the runtime, wherever the import stands."""
    tree = ast.parse(text)
    top = {id(node) for node in tree.body}
    types = {
        id(inner)
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        names: list[tuple[str, str]] = []  # what may be a module, and else what it is taken from
        if isinstance(node, ast.Import):
            names = [(alias.name, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [(f"{node.module}.{alias.name}", node.module) for alias in node.names]
        stands = "top" if id(node) in top else "types" if id(node) in types else "inner"
        for name, home in names:
            if name.startswith(PREFIX):
                yield module_of(name, there) or module_of(home, there) or name, getattr(node, "lineno", 0), stands


def wrong_layers(found: dict[str, str]) -> list[str]:
    """Imports of a folder that does not stand before one's own."""
    wrong = []
    for name, text in found.items():
        mine = LAYERS.index(name.split(".")[0])
        for other, line, _ in imports(text, set(found)):
            if LAYERS.index(other.split(".")[0]) > mine:
                wrong.append(f"{name}:{line}: {other}")
    return wrong


def hidden_imports(found: dict[str, str]) -> list[str]:
    """Imports inside functions, and those for types alone in folders that can do without."""
    return [
        f"{name}:{line}: {other}"
        for name, text in found.items()
        for other, line, stands in imports(text, set(found))
        if stands == "inner" or (stands == "types" and name.split(".")[0] not in TYPES_ALONE)
    ]


def knots(found: dict[str, str]) -> list[str]:
    """Modules that need themselves: those that are left when all are taken away that need nothing that is left."""
    needs = {
        name: {other for other, _, stands in imports(text, set(found)) if stands != "types" and other != name}
        for name, text in found.items()
    }
    while True:
        free = [name for name, others in needs.items() if not others & needs.keys()]
        if not free:
            return sorted(needs)
        for name in free:
            del needs[name]


def test_every_folder_imports_only_what_stands_before_it() -> None:
    assert wrong_layers(modules()) == []


def test_no_import_hides_in_a_function() -> None:
    assert hidden_imports(modules()) == []


def test_no_module_needs_itself() -> None:
    assert knots(modules()) == []


def test_planted_imports_are_found() -> None:
    planted = {
        "__init__": f"from {PREFIX}.play.game import Game\n",
        "errors": f"import {PREFIX}.limits\n",
        "limits": "",
        "kernel.state": f"from {PREFIX}.errors import E\nfrom {PREFIX} import play\n",
        "play.__init__": "",
        "play.game": f"from {PREFIX}.play import save\n",
        "play.save": f"def f():\n    from {PREFIX}.play.game import Game\n",
        "play.view": f"if TYPE_CHECKING:\n    from {PREFIX}.bots.bot import Bot\n",
        "bots.bot": "",
    }
    assert wrong_layers(planted) == ["errors:1: limits", "kernel.state:2: play.__init__", "play.view:2: bots.bot"]
    assert hidden_imports(planted) == ["play.save:2: play.game", "play.view:2: bots.bot"]
    assert knots(planted) == ["__init__", "play.game", "play.save"]


def test_no_class_has_more_than_two_above_it() -> None:
    above: dict[str, list[str]] = {}
    for path in source_files("runtime"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                above[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]

    def longest(name: str) -> int:
        return 1 + max((longest(base) for base in above[name] if base in above), default=0)

    assert above and [name for name in above if longest(name) > 3] == []

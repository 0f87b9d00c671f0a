"""What follows from the charter for the packages themselves: who imports whom, what is public, what is installed."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import grimoire.compiler
import grimoire.runtime
from tests.charter.kit import ROOT, package
from tests.sources import source_files

RUNTIME = source_files("runtime")
COMPILER = source_files("compiler")

# Playing needs the standard library, nothing else.
RUNTIME_MAY = {"grimoire.runtime"}
COMPILER_MAY = {
    "grimoire.compiler",
    "grimoire.runtime",
    "grimoire.grammar",
    "babel",
    "jsonschema",
    "lark",
    "polib",
    "yaml",
    "rich",
}

# What a command uses if it is installed, with its licence: the extras of pyproject.toml.
OPTIONAL = {"typst": "Apache-2.0", "mkdocs": "BSD"}
DICTIONARIES = {
    "pymorphy3",
    "pymorphy3-dicts-ru",
    "pymorphy3-dicts-uk",
}  # only with the extras forms and forms-uk, not even for tests


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of everything that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "import_module",
            "importlib.import_module",
            "__import__",
        ):
            yield (
                node.lineno,
                re.sub(r"[^\w.].*", "", ast.unparse(node.args[0]).removeprefix("f").strip("'\"")).rstrip("."),
            )


def strangers(path: Path, may: set[str], erase: Callable[[str], str] = str) -> list[str]:
    """Imports that a module must not have, besides those that are erased first."""
    found = []
    for line, name in imported(erase(path.read_text(encoding="utf-8"))):
        top = name.split(".")[0]
        if top not in sys.stdlib_module_names and not any(name == one or name.startswith(one + ".") for one in may):
            found.append(f"{path.parent.name}/{path.name}:{line}: {name}")
    return found


def erase_type_imports(source: str) -> str:
    """A module without what it imports for the type checker alone: the number types that mypyc compiles to words."""
    return re.sub(
        r"(?m)(^if TYPE_CHECKING:\n)    from mypy_extensions import i64\n",
        lambda found: f"{found[1]}    pass\n",
        source,
    )


def test_the_runtime_imports_nothing_of_the_compiler_and_no_yaml() -> None:
    found = [text for path in RUNTIME for text in strangers(path, RUNTIME_MAY, erase_type_imports)]
    assert found == []


def test_the_compiler_imports_what_is_installed_with_it() -> None:
    assert [
        text
        for path in [*COMPILER, *source_files("grammar")]
        for text in strangers(path, COMPILER_MAY | {*OPTIONAL} | DICTIONARIES)
    ] == []


# The way of a package through the compiler: each folder knows those before it, and none of them what works on the artefact.
WAY = ("records", "files", "cache", "diagnostics", "source", "telling", "resolve", "syntax", "declare", "lower")
# What works on it, by hand-over: only `api` asks the workspace, and the workspace asks texts, scenarios and records.
BEHIND = {
    "checking": set(),
    "scenario": set(),
    "proof": {"scenario"},
    "localisation": set(),
    "localisation.languages": set(),
    "localisation.tuning": set(),
    "localisation.text": set(),
    "localisation.edition": {"localisation.text"},
    "localisation.translation": {"proof", "localisation.text", "localisation.edition"},
    "localisation.audit": {"localisation.translation", "proof", "localisation.text", "localisation.edition"},
    "workspace": {"checking", "scenario", "localisation.text", "localisation.translation"},
    "api": {"workspace", "scenario", "proof", "localisation.text", "localisation.translation"},
    "reference": set(),
}


def home_of(name: str) -> str:
    """The folder of the compiler in which a module stands, by the module's name below `grimoire.compiler`."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "localisation" and parts[1:2] != ["__init__"] else parts[0]


def test_every_folder_of_the_compiler_knows_only_what_stands_before_it() -> None:
    found = {}
    for path in COMPILER:
        home = home_of(".".join(path.relative_to(ROOT / "compiler").with_suffix("").parts))
        if home in ("__init__", "cli", "command"):
            continue
        ground = {"localisation.languages", "localisation.tuning"}  # tables that know nothing themselves
        may = {*WAY[: WAY.index(home) + 1]} if home in WAY else {*WAY, home, *ground, *BEHIND[home]}
        for line, name in imported(path.read_text(encoding="utf-8")):
            other = home_of(name.removeprefix("grimoire.compiler."))
            if name.startswith("grimoire.compiler.") and other not in may:
                found[f"{path.relative_to(ROOT)}:{line}"] = name
    assert found == {}


def test_a_planted_import_is_found(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(
        "import json, yaml\nfrom grimoire.compiler import check\ndef f():\n    from lark import Lark\n"
        "    import_module('grimoire.compiler.x')\nfrom . import x\nfrom compiler import y\n",
        encoding="utf-8",
    )
    found = sorted(text.split(":", 1)[1] for text in strangers(path, RUNTIME_MAY))
    assert found == ["1: yaml", "2: grimoire.compiler", "4: lark", "5: grimoire.compiler.x", "6: .", "7: compiler"]


BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("yaml", "lark", "rich", "jsonschema") or name.startswith(("grimoire.compiler", "grimoire.grammar")):
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Blocker())
import json
from grimoire.runtime import load_artefact, load_game, new_game, record_of
from grimoire.runtime import simulate
from grimoire.runtime import replay
from grimoire.runtime import redeal
package = load_artefact(sys.argv[1])
report = simulate(package, 5, 3)
game = new_game(package, 3, 1)
visited = False
while game.decision is not None:
    if len(game.decisions_made) == 5 and not visited:
        visited = True
        game.view(0), game.log(0), game.why_not("x"), redeal(game, 0), game.clone(), game.undo(force=True)
        game = load_game(package, json.loads(json.dumps(game.save())))
    game.choose(game.decision.keys[0])
replay(package, record_of(game))
print(report.digest, game.outcome.id)
"""


def test_a_game_is_played_without_compiler_yaml_and_lark(tmp_path: Path) -> None:
    path = tmp_path / "artefact.json"
    path.write_text(json.dumps(package("love-letter").document), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", BLOCKED, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    blocked = BLOCKED.replace("import json\n", "import json\nimport grimoire.compiler\n", 1)
    assert subprocess.run([sys.executable, "-c", blocked, str(path)], capture_output=True, check=False).returncode != 0


def test_there_is_one_copy_of_every_module() -> None:
    """Imported by folder name, every class would be there twice."""
    assert "compiler" not in sys.modules and "runtime" not in sys.modules and "grammar" not in sys.modules


COMPILER_PUBLIC = ["CompileFailed", "Diagnostic", "Related", "Span", "build", "check", "compile_package"]
RUNTIME_PUBLIC = [
    "ArtefactError", "BudgetExceeded", "ContentMismatch", "Decision", "EditError", "EngineError", "EngineFault", "Game", "GrimoireError", "IllegalChoice", "Option", "OptionKind",
    "Outcome", "Package", "Reason", "ReplayMismatch", "Report", "SaveError", "SetupError", "SignatureMismatch", "Source", "StaleChoice", "UndoBarrier", "artefact_schema",
    "content_hash", "kernel_form", "load_artefact", "load_game", "new_game", "record_of", "redeal", "replay", "simulate",
]  # fmt: skip


def test_the_public_names_are_pinned() -> None:
    """A name that is added or taken away is a decision: change it here as well, and in the reference."""
    assert sorted(grimoire.compiler.__all__) == COMPILER_PUBLIC
    assert sorted(grimoire.runtime.__all__) == RUNTIME_PUBLIC
    for module in (grimoire.compiler, grimoire.runtime):
        for name in module.__all__:
            assert getattr(module, name).__doc__, name


@pytest.mark.parametrize(
    "path", [*COMPILER, *RUNTIME, *source_files("grammar")], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_the_first_line_of_a_module_says_its_place(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, "a module starts with a line that says its place"
    first = " ".join(text.split("\n\n")[0].split("\n"))
    assert len(first) > 15 and first[0].isupper() and first.endswith((".", ":", "?"))


# --- what is installed ------------------------------------------------------------------------------------------------

PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation)\b")
LICENCES = {"babel": "BSD-3-Clause", "lark": "MIT", "polib": "MIT", "pyyaml": "MIT", "jsonschema": "MIT", "rich": "MIT"}


def declared() -> list[str]:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = [re.split(r"[^\w.-]", line)[0].lower() for line in data["project"]["dependencies"]]
    return [name for name in names if name != "grimoire-runtime"]


def licence(name: str) -> str:
    """What the installed distribution says of its licence."""
    meta = importlib.metadata.metadata(name)
    rows = [
        meta.get("License-Expression"),
        meta.get("License"),
        *[c for c in meta.get_all("Classifier") or [] if "License ::" in c],
    ]
    return " | ".join(row.split("\n")[0] for row in rows if row)


def needed(name: str, seen: set[str]) -> set[str]:
    """A distribution and everything that it needs without extras, as far as it is installed."""
    if name in seen:
        return seen
    seen.add(name)
    for line in importlib.metadata.requires(name) or []:
        if "extra ==" not in line and not ("python_version" in line and "<" in line.split("python_version")[1][:5]):
            other = re.split(r"[^\w.-]", line)[0].lower()
            try:
                importlib.metadata.metadata(other)
            except importlib.metadata.PackageNotFoundError:
                continue
            needed(other, seen)
    return seen


def test_dependencies_are_the_ones_whose_licence_was_read() -> None:
    assert sorted(declared()) == sorted(LICENCES)


def test_extras_are_the_ones_whose_licence_was_read() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [
        line
        for name, rows in data["project"]["optional-dependencies"].items()
        if name not in ("dev", "fuzz")
        for line in rows
    ]
    names = {re.split(r"[^\w.-]", line)[0] for line in extras}
    assert sorted(names - DICTIONARIES) == sorted(OPTIONAL) and names >= DICTIONARIES
    for name, text in OPTIONAL.items():
        assert text in licence(name)


def test_the_default_install_is_permissive() -> None:
    every = sorted(set().union(*(needed(name, set()) for name in declared())))
    assert len(every) > len(LICENCES)
    found = {name: licence(name) for name in every}
    assert {
        name: text for name, text in found.items() if not PERMISSIVE.search(text) or re.search(r"\bA?L?GPL", text)
    } == {}
    for name, text in LICENCES.items():
        assert text in found[name]
    assert not PERMISSIVE.search("GNU General Public License v3 (GPLv3)")

"""The packages of content/, small and large: what is done to each decision of hundreds of games is done to the small
ones.

A large one (more than a hundred clauses, those of the packages that it needs included) is looked at in the same ways,
but at fewer places; `make soak` takes it in full.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.api.build import compile_package
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.workspace.artefacts import link_content, with_texts
from grimoire.compiler.workspace.content import vocabulary
from grimoire.compiler.workspace.sources import package_of
from grimoire.compiler.workspace.workspace import Workspace
from grimoire.runtime import Package

CONTENT = Path(__file__).parents[1] / "content"
MANY_CLAUSES = 100
_CLAUSE = re.compile(r"^      \w+: (?:rule|definition|\{kind: )", re.MULTILINE)


_NEEDS = re.compile(r"^needs:\n((?:  .*\n)+)", re.MULTILINE)


def needs(name: str) -> list[str]:
    """The packages that one needs."""
    found = _NEEDS.search((CONTENT / name / "package.yaml").read_text(encoding="utf-8"))
    return [] if found is None else re.findall(r"^  ([a-z-]+):", found[1], re.MULTILINE)


def clauses(root: Path) -> int:
    own = sum(len(_CLAUSE.findall(path.read_text(encoding="utf-8"))) for path in root.glob("rules/*.yaml"))
    return own + sum(clauses(CONTENT / name) for name in needs(root.name))


FOLDERS = sorted(path.parent for path in CONTENT.glob("*/package.yaml"))
LARGE = [root.name for root in FOLDERS if clauses(root) > MANY_CLAUSES]
SMALL = [root.name for root in FOLDERS if root.name not in LARGE]


@cache
def open_package(name: str) -> Package:
    """A package of content/, compiled once in a process for all tests that only read it."""
    return compile_package(CONTENT / name)


class Compiled:
    """What a workspace answers about a folder; `texts` are lowered beside the package, as those of scenarios are."""

    def __init__(self, root: Path, needs: Sequence[Path], lower: Callable[[ScenarioTexts], None] | None) -> None:
        self.workspace, self.package = Workspace(), package_of(root, list(needs))
        self.diags = Diagnostics(self.workspace.compile_problems(self.package))
        self.manifest = self.workspace.manifest(self.package)
        self.model = self.workspace.model(self.package)
        self.lower = lower

    @cached_property
    def artefact(self) -> dict[str, Any] | None:
        if self.lower is None:
            return self.workspace.artefact(self.package)
        db = self.workspace.db
        words = vocabulary(db, self.package)
        assert words is not None
        texts = ScenarioTexts(words.vocabulary, words.model)
        self.lower(texts)
        return with_texts(db, self.package, link_content(db, self.package, texts.units))


def compile_folder(root: Path, needs: Sequence[Path], lower: Callable[[ScenarioTexts], None] | None = None) -> Compiled:
    """Ask a new workspace about a folder."""
    return Compiled(root, needs, lower)


def lower_budget(monkeypatch: pytest.MonkeyPatch, units: int) -> None:
    """Give every module of the kernel that asks for the budget of a decision a lower one, so that a breach comes
    sooner."""
    for name, module in list(sys.modules.items()):
        if name.startswith("grimoire.runtime.") and hasattr(module, "MAX_WORK"):
            monkeypatch.setattr(module, "MAX_WORK", units)

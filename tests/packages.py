"""The packages of content/, small and large: what is done to each decision of hundreds of games is done to the small
ones.

A large one (more than a hundred clauses, those of the packages that it needs included) is looked at in the same ways,
but at fewer places; `make soak` takes it in full.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest

from grimoire.compiler.package import compile_package
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


def lower_budget(monkeypatch: pytest.MonkeyPatch, units: int) -> None:
    """Give every module of the kernel that asks for the budget of a decision a lower one, so that a breach comes
    sooner."""
    for name, module in list(sys.modules.items()):
        if name.startswith("grimoire.runtime.") and hasattr(module, "MAX_WORK"):
            monkeypatch.setattr(module, "MAX_WORK", units)

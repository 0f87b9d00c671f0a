"""The part of the soak that edits packages, with small numbers: what it counts, and that it finds what it is for."""

from __future__ import annotations

import pytest

from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.workspace.workspace import Workspace
from tests.soak import edits


def test_edits_of_a_package_are_compared_and_counted() -> None:
    told: list[str] = []
    rows = edits.run_edits(12, 1, 1, told.append, ("leduc",))
    assert [(row["probe"], row["games"], row["findings"]) for row in rows] == [("edits", 12, []), ("memory", 12, [])]
    assert len(rows[1]["held"]) == edits.LOOKS and min(rows[1]["held"]) > 10 and rows[1]["answers"] > 100
    assert len(told) == 2


def test_a_workspace_that_says_what_it_said_before_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, said = Workspace.problems, dict[int, list[Diagnostic]]()
    monkeypatch.setattr(Workspace, "problems", lambda self, package: said.setdefault(id(self), ask(self, package)))
    (found,) = edits.compare(("leduc", 12, 1))["findings"]
    assert "another report after" in found


def test_a_process_that_grows_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(100, 400, 5))
    monkeypatch.setattr(edits, "forget_peak", lambda: next(looks) << 20)
    (found,) = edits.hold(("leduc", 10, 1))["findings"]
    assert "memory grows over 10 edits, in MiB: [100, 105" in found

"""Charter 10: every numbered clause is accounted for: a rule is proved by breaking it, the rest says what it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grimoire.compiler.api.trace import trace_package
from tests.charter.kit import CONTENT, NAMES, package


@pytest.mark.parametrize("name", NAMES)
def test_no_clause_is_unproved(name: str) -> None:
    report = trace_package(CONTENT / name, jobs=1)
    assert report.summary["unproved"] == 0, report.render()
    assert report.summary["rule"] > 0
    assert report.summary["parts_unproved"] == 0, report.render()
    assert all(clause.reason for clause in report.clauses if clause.kind == "manners")
    assert [clause.id for clause in report.clauses] == list(package(name).document["clauses"])


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_has_a_text_in_every_language(name: str) -> None:
    document = package(name).document
    for language in document["languages"]:
        assert set(document["clauses"]) <= set(document["text"][language]["clauses"]), language


def test_a_clause_without_its_scenario_is_unproved(tmp_path: Path) -> None:
    root = tmp_path / "tic-tac-toe"
    shutil.copytree(CONTENT / "tic-tac-toe", root)
    path = root / "scenarios" / "play.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("proves: [end.2]", "proves: [end.1]").replace("[end.1, end.2]", "[end.1]"), encoding="utf-8"
    )
    assert [clause.id for clause in trace_package(root, jobs=1).clauses if clause.killed is False] == ["end.2"]

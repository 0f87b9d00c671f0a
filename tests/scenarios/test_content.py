"""Every package of content/: its scenarios pass, and they prove every rule of its ledger."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import ROOT

from grimoire.compiler.scenario import run_scenarios
from grimoire.compiler.trace import trace_package

PACKAGES = sorted(manifest.parent for manifest in (ROOT / "content").glob("*/package.yaml"))
with_scenarios = pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)


def test_there_are_packages() -> None:
    assert PACKAGES


@with_scenarios
def test_the_scenarios_pass(package: Path) -> None:
    report = run_scenarios(package)
    assert not report.failed, report.render()
    assert report.passed > 0


@with_scenarios
def test_every_rule_is_proved(package: Path) -> None:
    report = trace_package(package)
    assert not report.failed, report.render()
    unproved = [card.id for card in report.cards if card.killed is False]
    assert unproved == [], report.render()

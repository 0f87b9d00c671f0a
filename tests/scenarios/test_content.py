"""Every package of content/: its scenarios pass, and they prove every rule of its ledger."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import ROOT

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.api.trace import trace_package
from tests.packages import SMALL

PACKAGES = sorted(manifest.parent for manifest in (ROOT / "content").glob("*/package.yaml"))
SMALL_ONES = [root for root in PACKAGES if root.name in SMALL]
with_scenarios = pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)


def test_there_are_packages() -> None:
    assert PACKAGES


@with_scenarios
def test_the_scenarios_pass(package: Path) -> None:
    report = run_scenarios(package)
    assert not report.failed, report.render()
    assert report.passed > 0


@pytest.mark.parametrize("package", SMALL_ONES, ids=lambda path: path.name)
def test_every_rule_is_proved(package: Path) -> None:
    report = trace_package(package)
    assert not report.failed, report.render()
    assert report.summary["unproved"] == report.summary["parts_unproved"] == 0

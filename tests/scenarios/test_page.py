"""The code blocks of docs/how-to/scenarios.md work as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import blocks, files, lake

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.api.trace import trace_package


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = lake(tmp_path)
    for name, text in files().items():
        (root / name).write_text(text, encoding="utf-8")
    return root


def outputs() -> list[str]:
    return [text for language, text in blocks() if language == "text"]


def test_all_files_are_shown() -> None:
    assert {"package.yaml", "lake.yaml", "scenarios/walk.yaml", "scenarios/heap.yaml"} <= set(files())


def test_the_scenarios_of_the_page_pass_and_prove_every_rule(package: Path) -> None:
    (package / "scenarios" / "wrong.yaml").unlink()
    report = run_scenarios(package)
    assert report.render() == "11 scenarios: 11 passed, 0 failed\n"
    traced = trace_package(package)
    assert not traced.failed
    assert traced.render() == outputs()[1]


def test_the_failures_read_as_the_page_says(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("walk", "heap", "rain"):
        (package / "scenarios" / f"{name}.yaml").unlink()
    rendered = run_scenarios(package).render().replace(f"{package}/", "")
    assert rendered == outputs()[0]

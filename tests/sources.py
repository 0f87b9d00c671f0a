"""The Python modules of the project, for tests that read its source: all folders, however deep."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
SKIPPED = {"__pycache__", ".wheel", "setup.py"}  # what a build leaves, and what builds: no part of a package


def source_files(part: str, pattern: str = "*.py") -> list[Path]:
    """Every file of a part (compiler, runtime, grammar) that fits; a test that would look at nothing fails instead."""
    found = sorted(path for path in (ROOT / part).rglob(pattern) if not SKIPPED & {*path.parts})
    assert found, f"there is no {pattern} in {part}/: this test would look at nothing"
    return found

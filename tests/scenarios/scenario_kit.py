"""A small package for the tests of scenarios: that of docs/how-to/scenarios.md, and helpers to change it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "scenarios.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    """The code blocks of the page: language and text."""
    return [(found[1], found[2]) for found in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def files() -> dict[str, str]:
    """The files that the page shows: the first line of a block names the file."""
    found: dict[str, str] = {}
    for language, text in blocks():
        if language == "yaml" and text.startswith("# "):
            name = text.partition("\n")[0].removeprefix("# ")
            found[name] = text
    return found


def lake(folder: Path, scenarios: str | None = None, **changes: tuple[str, str]) -> Path:
    """The package of the page in a folder, with these scenarios only; `changes` replace text in the rules."""
    shown = files()
    rules = shown["lake.yaml"]
    for old, new in changes.values():
        assert old in rules
        rules = rules.replace(old, new)
    root = folder / "lake"
    (root / "scenarios").mkdir(parents=True)
    (root / "package.yaml").write_text(shown["package.yaml"], encoding="utf-8")
    (root / "lake.yaml").write_text(rules, encoding="utf-8")
    if scenarios is not None:
        (root / "scenarios" / "tests.yaml").write_text(scenarios, encoding="utf-8")
    return root

"""The error index in the docs is what the registry makes of it."""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler.diagnostics.codes import CODES
from grimoire.compiler.reference.errors import render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "errors.md"


def test_the_page_is_up_to_date() -> None:
    again = "python -m grimoire.compiler.reference.errors > docs/reference/errors.md"
    assert PAGE.read_text(encoding="utf-8") == render(), f"run: {again}"


def test_every_code_has_a_section() -> None:
    page = render()
    for code, entry in CODES.items():
        assert f"\n### {code} {entry.name}" in page
    assert page.count("\n### ") == len(CODES)
    assert page == render()

"""Results do not depend on the order of edits: a living workspace says after each edit what a new one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workspace.edits import SMALL, edit_and_compare


@pytest.mark.parametrize("name", SMALL)
def test_random_edits(tmp_path: Path, name: str) -> None:
    edit_and_compare(tmp_path, name, 1, 25)

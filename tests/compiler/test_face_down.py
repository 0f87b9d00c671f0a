"""A card that moves itself: `this` takes face-down and face-up like any other noun."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import load_artefact, new_game
from tests.charter.kit import tiny

TABLE = """
kinds:
  leaf: {is: card, slots: {effect: effect}}
zones:
  row: {holds: leaf, seen: everyone}
  heap: {holds: leaf, seen: nobody}
  vault: {holds: leaf, seen: nobody}
outcomes: [finish]
cards:
  oak: {kind: leaf, in: row, effect: move this face-down to the heap}
  elm: {kind: leaf, in: heap, effect: move this face-up to the vault}
procedures:
  game: |
    resolve the effect of the oak
    resolve the effect of the elm
    end the game with finish
"""


@pytest.mark.parametrize(("zone", "shown"), [("heap", [None]), ("vault", ["elm"])])
def test_this_moves_face_down_and_face_up(tmp_path: Path, zone: str, shown: list[str | None]) -> None:
    game = new_game(load_artefact(compile_package(tiny(tmp_path, TABLE)).document), 2, 0)
    assert game.outcome is not None
    assert [piece["id"] for piece in game.view(0)["zones"][zone]] == shown

"""Printed fields that may be left blank: what a card has then is declared with the field."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import check, compile_package
from grimoire.runtime import new_game

PACKAGE = "package: yard\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n"
GAME = """\
kinds:
  boat:
    is: figure
    fields:
      price: number, 2 if blank
      rig: rig, sloop-rig if blank
      swift: optional flag
      length: {type: number, start: 7}
values:
  rig: [bare, sloop-rig]
zones:
  pool: {holds: boat, seen: everyone}
figures:
  gull: {kind: boat, in: pool}
  tern: {kind: boat, price: 5, rig: bare, swift: true, length: 1, in: pool}
outcomes: [right, wrong]
procedures:
  game: |
    if total price of boats in the pool = 7 and total length of boats in the pool = 8:
      if there is 1 swift boat in the pool and there is 1 boat whose rig = sloop-rig in the pool:
        end the game with right for all players
    end the game with wrong for all players
"""


def write(folder: Path, game: str) -> Path:
    (folder / "package.yaml").write_text(PACKAGE, encoding="utf-8")
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    return folder


def test_a_blank_field_has_what_was_declared_for_it(tmp_path: Path) -> None:
    game = new_game(compile_package(write(tmp_path, GAME)), players=2, seed=1)
    assert game.outcome is not None and game.outcome.id == "right"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("price: number, 2 if blank", "price: number", "G0306"),
        ("price: number, 2 if blank", "price: number, two if blank", "G0302"),
        ("sloop-rig if blank", "gaff-rig if blank", "G0501"),
        ("price: number, 2 if blank", "price: number, 2 if blanc", "G0310"),
        ("swift: optional flag", "swift: optional flags", "G0310"),
    ],
)
def test_what_is_wrong_with_it_is_told_where_it_stands(old: str, new: str, code: str, tmp_path: Path) -> None:
    found = [item for item in check([write(tmp_path, GAME.replace(old, new))]) if item.severity == "error"]
    assert [item.code for item in found][:1] == [code]

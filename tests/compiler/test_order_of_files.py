"""Where a thing is declared, in which file and in which line, means nothing."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from grimoire.compiler import build, check

PACKAGE = "package: yard\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n"
PARTS = (
    """\
kinds:
  player: {states: {coins: number}}
  boat: {is: figure, fields: {length: number}}
  yard: {is: space, holds: true}
outcomes: [rich]
""",
    """\
kinds:
  skiff: {is: boat, states: {rigged: flag}}
  boat: {states: {hue: hue}}
  hue: {states: {worn: flag}}
  dock: {is: yard}
figures:
  gull: {kind: skiff, length: 3, in: pool}
values:
  weather: [fair, foul]
""",
    """\
values:
  hue: [red, blue]
kinds:
  weather: {is: thing, fields: {wind: optional number}}
zones:
  pool: {holds: boat, seen: everyone}
boards:
  harbour: {kind: dock, spaces: {west: {adjacent to: [east]}, east: {}}}
procedures:
  game: |
    move each skiff to the west
    if there is a red boat in the west and the red is not worn:
      end the game with rich for the first-player
    end the game with rich for all players
""",
)


def write(folder: Path, order: tuple[int, ...]) -> Path:
    folder.mkdir()
    (folder / "package.yaml").write_text(PACKAGE, encoding="utf-8")
    for name, part in zip("abc", order, strict=True):
        (folder / f"{name}.yaml").write_text(PARTS[part], encoding="utf-8")
    return folder


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_files_can_be_in_any_order(order: tuple[int, ...], tmp_path: Path) -> None:
    folder = write(tmp_path / "yard", order)
    assert [str(d) for d in check([folder]) if d.code != "G0704"] == []
    kinds = build(folder)["kinds"]
    above = {row["id"]: kinds[row["is"]]["id"] for row in kinds if row["is"] >= 0}
    assert (above["skiff"], above["dock"], above["weather"], above["hue"]) == ("boat", "yard", "thing", "thing")


def test_what_a_kind_does_not_say_is_as_the_kind_above_it(tmp_path: Path) -> None:
    """A dock holds pieces because a yard does, though a yard says it in a later file."""
    folder = write(tmp_path / "yard", (1, 2, 0))
    assert not [d for d in check([folder]) if d.code != "G0704"]
    text = (folder / "c.yaml").read_text(encoding="utf-8")
    (folder / "c.yaml").write_text(text.replace(", holds: true", ""), encoding="utf-8")
    assert [d.code for d in check([folder]) if d.code != "G0704"]

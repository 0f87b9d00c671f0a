"""What a text means changes with the version of the language that its package names, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import check, compile_package
from grimoire.runtime import Game, new_game

PACKAGE = "package: pier\nversion: 1.0.0\nlanguages: [en]\nplayers: 2\n"
GAME = """\
kinds:
  ware: {is: card}
zones:
  deck: {holds: ware, seen: nobody}
  hand: {holds: ware, each: player, seen: owner}
cards:
  herring: {kind: ware, copies: 2, in: deck}
outcomes: [finished]
verbs:
  fetch:
    signature: fetch <number> wares
    done: fetched
    body: repeat (amount) times, move the top ware of the deck to your hand
  sort-out:
    body: move a ware in your hand under the deck
procedures:
  game: |
    TEXT
    end the game with finished
"""


def play(folder: Path, text: str, version: int) -> Game:
    language = "" if version == 1 else f"language: {version}\n"
    (folder / "package.yaml").write_text(PACKAGE + language, encoding="utf-8")
    (folder / "game.yaml").write_text(GAME.replace("TEXT", text.replace("\n", "\n    ")), encoding="utf-8")
    assert [one for one in check([folder]) if one.severity == "error"] == []
    return new_game(compile_package(folder), players=2, seed=1)


def keys(game: Game) -> list[str]:
    return [] if game.decision is None else [option.key for option in game.decision.options]


@pytest.mark.parametrize(
    ("text", "before", "now"),
    [
        ("may fetch 3 wares", [], ["fetch", "decline"]),  # there are two
        ("may fetch 2 wares", ["fetch", "decline"], ["fetch", "decline"]),
        ("may sort-out", [], []),
        ("either sort-out or fetch 1 ware", ["sort-out", "fetch"], ["fetch"]),
    ],
)
def test_what_may_be_done(tmp_path: Path, text: str, before: list[str], now: list[str]) -> None:
    assert keys(play(tmp_path, text, 1)) == before
    assert keys(play(tmp_path, text, 2)) == now


def test_a_text_of_version_1_can_be_said_in_version_2(tmp_path: Path) -> None:
    assert keys(play(tmp_path, "may fetch 3 wares if able", 2)) == []
    assert keys(play(tmp_path, "may fetch 2 wares if able", 2)) == ["fetch", "decline"]

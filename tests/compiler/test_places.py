"""Places as values and as aims: a printed zone is the zone it names, a move that leads nowhere moves nothing, a card
lies as was said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler import check, compile_package
from grimoire.runtime import Game, new_game

# The zones of the players are declared first: whoever counts rows of the table instead of zones finds the wrong place.
PACKAGE = """\
values:
  colour:
    red: {home: red-box}
    blue: {home: blue-box}
kinds:
  colour:
    fields: {home: zone}
    states: {seat-of-honour: {type: zone, start: blue-box}}
  ware: {is: card, fields: {colour: colour}}
zones:
  hand: {holds: ware, each: player, seen: owner}
  purse: {holds: ware, each: player}
  store: {holds: ware, seen: nobody}
  red-box: {holds: ware}
  blue-box: {holds: ware}
counters:
  host: {type: optional player}
cards:
  cherry: {kind: ware, in: store, colour: red}
  plum: {kind: ware, in: store, colour: blue}
outcomes: [finished]
verbs:
  note: {signature: note <colour>, body: the host is now the current-player}
  donate: {body: move the top ware of the store to the purse of the host}
procedures:
  game: |
    DO
    choose a colour as favourite
    note the favourite
    end the game with finished
"""


def write(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "places"
    folder.mkdir(exist_ok=True)
    (folder / "package.yaml").write_text(
        "package: places\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n", encoding="utf-8"
    )
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder


def play(tmp_path: Path, *lines: str) -> Game:
    folder = write(tmp_path, PACKAGE.replace("DO", "\n    ".join(lines)))
    assert [d.message for d in check([folder]) if d.severity == "error"] == []
    return new_game(compile_package(folder), players=2, seed=1)


def lying(game: Game, seat: int = 0) -> dict[str, list[Any]]:
    return {zone: [piece["id"] for piece in pieces] for zone, pieces in game.view(seat)["zones"].items() if pieces}


def test_a_printed_zone_is_the_zone_it_names(tmp_path: Path) -> None:
    game = play(tmp_path, "for each ware in the store as one, move the one to the home of the colour of the one")
    assert lying(game) == {"red-box": ["cherry"], "blue-box": ["plum"]}


def test_a_state_starts_with_the_zone_it_names(tmp_path: Path) -> None:
    game = play(tmp_path, "move the top ware of the store to the seat-of-honour of red")
    assert [*lying(game)] == ["store", "blue-box"]


@pytest.mark.parametrize(
    "line",
    [
        "move the top ware of the store to the purse of the host",
        "move each ware in the store to the purse of the host",
        "move the top 2 wares of the store to the purse of the host",
        "choose a random ware in the store as one\n    move the one to the purse of the host",
    ],
)
def test_a_move_to_nobody_moves_nothing(tmp_path: Path, line: str) -> None:
    assert lying(play(tmp_path, line)) == {"store": [None, None]}


def test_a_cost_that_leads_to_nobody_cannot_be_paid(tmp_path: Path) -> None:
    game = play(tmp_path, "may donate to move the top ware of the store to the red-box")
    assert lying(game) == {"store": [None, None]}
    assert game.decision is not None
    assert game.decision.keys == ("favourite:red", "favourite:blue"), "the offer was not made: the cost cannot be paid"


@pytest.mark.parametrize(
    "line",
    [
        "move a random ware in the store face-down to the red-box",
        "move the top ware of the store face-down to the red-box",
        "move the top ware of the store to the red-box face-down",
    ],
)
def test_a_card_lies_as_was_said(tmp_path: Path, line: str) -> None:
    assert lying(play(tmp_path, line))["red-box"] == [None]


def test_face_down_goes_with_a_move(tmp_path: Path) -> None:
    folder = write(tmp_path, PACKAGE.replace("DO", "choose a ware in the red-box face-down as one"))
    assert [(d.code, d.hint) for d in check([folder]) if d.severity == "error"] == [
        ("G0607", "move .. face-down to the ..")
    ]


def test_the_zone_of_a_player_is_no_printed_value(tmp_path: Path) -> None:
    folder = write(tmp_path, PACKAGE.replace("{home: blue-box}", "{home: purse}").replace("DO", "donate"))
    assert [(d.code, d.span.line) for d in check([folder]) if d.severity == "error"] == [("G0506", 4)]

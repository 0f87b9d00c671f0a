"""Options never depend on what the chooser cannot see."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import check, compile_package
from grimoire.compiler.lower.asking import Asking
from grimoire.runtime import Game, new_game
from grimoire.runtime.core.expressions import Number
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import If, Sequence
from grimoire.runtime.testing.redeal import redeal
from tests.hostile.watch import time_limit

PACKAGE = """\
kinds:
  ware: {is: card}
  fish: {is: ware}
  silk: {is: ware}
zones:
  deck: {holds: ware, seen: nobody}
  hand: {holds: ware, each: player, seen: owner}
  pile: {holds: ware}
cards:
  herring: {kind: fish, copies: 6, in: deck}
  scarf: {kind: silk, copies: 6, in: deck}
outcomes: [finished]
procedures:
  game: |
    shuffle the deck
    each player must move the top 3 wares of the deck to their hand
    move the top 2 wares of the deck to the pile
    CHOICE
    move the picked to the pile
    end the game with finished
"""


def play(tmp_path: Path, choice: str, seed: int, text: str = PACKAGE) -> Game:
    folder = tmp_path / "hidden"
    folder.mkdir(exist_ok=True)
    (folder / "package.yaml").write_text(
        "package: hidden\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n", encoding="utf-8"
    )
    (folder / "game.yaml").write_text(text.replace("CHOICE", choice), encoding="utf-8")
    assert [d for d in check([folder]) if d.severity == "error"] == []
    return new_game(compile_package(folder), players=2, seed=seed)


def keys(game: Game) -> list[str]:
    return [] if game.decision is None else [option.key for option in game.decision.options]


@pytest.mark.parametrize(
    "choice",
    [
        "choose a fish as picked",
        "choose a ware as picked",
        "choose a fish in the deck as picked",
        "choose a fish in the hand of your opponent as picked",
        "choose a ware in the hand of your opponent as picked",
        "choose a fish in your hand as picked",
        "choose 1 to 2 fishes as picked",
        "choose a fish or a silk as picked",
    ],
)
def test_options_survive_a_redeal(tmp_path: Path, choice: str) -> None:
    for seed in range(12):
        game = play(tmp_path, choice, seed)
        if game.decision is None:
            continue
        for other in range(4):
            twin = redeal(game, game.decision.seat, other)
            assert keys(twin) == keys(game), choice


def test_what_is_offered(tmp_path: Path) -> None:
    game = play(tmp_path, "choose a ware as picked", 1)
    places = {key.split("@")[-1] for key in keys(game)}
    assert places == {"hand.p1", "pile"}, "own hand and the open pile, not the deck or the other hand"
    game = play(tmp_path, "choose a ware in the hand of your opponent as picked", 1)
    assert keys(game) == ["picked:hand.p2#1", "picked:hand.p2#2", "picked:hand.p2#3"], (
        "a hidden hand is offered by place"
    )


BOARD = """\
values:
  quay: [north-quay, south-quay]
kinds:
  quay: {holds: true}
  crate: {is: token, back: true, fields: {weight: number}}
zones:
  store: {holds: crate, seen: nobody}
  gone: {holds: crate}
tokens:
  tea: {kind: crate, copies: 4, in: store, weight: 1}
  lead: {kind: crate, copies: 4, in: store, weight: 5}
outcomes: [finished]
procedures:
  game: |
    shuffle the store
    for each quay as spot:
      choose a random crate in the store as first-one
      move the first-one face-down to the spot
      choose a random crate in the store as second-one
      move the second-one face-down to the spot
    CHOICE
    move the picked to the gone
    end the game with finished
"""


@pytest.mark.parametrize(
    ("choice", "offered"),
    [
        ("choose a crate in a quay as picked", 4),
        ("choose a crate in the north-quay as picked", 2),
        ("choose a crate as picked", 4),
        ("choose a crate whose weight = 5 in a quay as picked", 0),
        ("choose a crate with the highest weight in a quay as picked", 0),
    ],
)
def test_what_lies_face_down_on_the_board_is_offered_by_its_place(tmp_path: Path, choice: str, offered: int) -> None:
    for seed in range(12):
        game = play(tmp_path, choice, seed, BOARD)
        assert len(keys(game)) == offered
        if game.decision is not None:
            for other in range(4):
                assert keys(redeal(game, game.decision.seat, other)) == keys(game), choice


@pytest.mark.parametrize("depth", [1, 3])
def test_an_if_that_holds_nothing_ends_the_search_for_a_question(depth: int) -> None:
    """The pass looks through ifs for the question inside them; it went round for ever where there was none."""
    stmt: Statement = Sequence(())
    for _ in range(depth):
        stmt = If(Number(1), stmt)
    asking = Asking.__new__(Asking)  # this part of the pass asks nothing of the tables
    with time_limit(10):
        assert asking.statement(stmt) == stmt

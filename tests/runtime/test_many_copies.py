"""A choice among many copies of cards costs about what one among the cards costs, and offers the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, new_game
from tests.work import count_calls

MANIFEST = "package: market\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n"
GAME = """
kinds:
  ware: {is: card, fields: {cost: number}}
  player: {states: {coins: {type: number 0 to 99, start: 4}}}
zones:
  market: {holds: ware, seen: everyone}
  store: {holds: ware, each: player, seen: everyone}
outcomes: [closed]
verbs:
  buy:
    signature: buy <ware>
    done: bought
    body: |
      move the ware to your store
      your coins is now your coins - the cost of the ware
procedures:
  game: |
    repeat 20 times:
      each player must take a turn
    end the game with closed
  turn: |
    choose a ware in the market whose cost = 1 as sold
    until the end of the turn, the sold cannot be bought
    may buy a ware in the market whose cost <= your coins
"""


def market(folder: Path, copies: int) -> Package:
    """Seventeen wares, each so often."""
    folder.mkdir()
    cards = (f"  ware{letter}: {{kind: ware, copies: {copies}, cost: {1 + at % 6}, in: market}}\n"
             for at, letter in enumerate("abcdefghijklmnopq"))  # fmt: skip
    (folder / "package.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "game.yaml").write_text(f"{GAME}cards:\n{''.join(cards)}", encoding="utf-8")
    return compile_package(folder)


def keys(game: Game) -> list[str]:
    assert game.decision is not None
    return game.decision.keys


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Game]:
    """With one copy and with ten of each, where the first copy of a ware cannot be bought."""
    folder = tmp_path_factory.mktemp("market")
    made = new_game(market(folder / "single", 1), 2, 1), new_game(market(folder / "many", 10), 2, 1)
    for game in made:
        game.choose(next(key for key in keys(game) if "warea" in key))
    return made


def test_a_copy_that_may_be_bought_stands_for_one_that_may_not(games: tuple[Game, Game]) -> None:
    single, many = ([key.split("@")[0] for key in keys(game)] for game in games)
    assert sorted(many) == sorted([*single, "buy:warea"]) and "buy:warea" not in single


def test_copies_cost_little(games: tuple[Game, Game]) -> None:
    def find_options(game: Game) -> None:
        game.state.waiter().refresh(game.state, game.state.base)

    single, many = (count_calls(lambda game=game: find_options(game))[1] for game in games)
    assert many < 3 * single

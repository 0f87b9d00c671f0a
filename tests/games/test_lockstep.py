"""The small games against independent hand-written versions: seat to move, legal options and results agree at every decision."""

from __future__ import annotations

import random
from typing import Any

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, new_game
from tests.bench import handwritten as hand

GAMES = 60
NAMES = ["guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess"]
RANKS = {"jack": 0, "queen": 1, "king": 2}


@pytest.fixture(scope="module")
def packages() -> dict[str, Package]:
    return {
        name: compile_package(f"content/{name}") for name in ("tic-tac-toe", "connect-four", "leduc", "love-letter")
    }


def keys(game: Game) -> list[str]:
    assert game.decision is not None
    return [option.key for option in game.decision.options]


def ids(zone: list[dict[str, Any]]) -> list[str]:
    return [str(piece["id"]) for piece in zone]


@pytest.mark.parametrize("seed", range(GAMES))
def test_tic_tac_toe(packages: dict[str, Package], seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(packages["tic-tac-toe"], players=2, seed=seed)
    twin = hand.TicTacToe()
    cells = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
    while not twin.done:
        assert game.decision is not None and game.decision.seat == twin.turn
        assert sorted(keys(game)) == sorted(f"mark:{cells[cell]}" for cell in twin.legal())
        cell = rng.choice(twin.legal())
        game.choose(f"mark:{cells[cell]}")
        twin.apply(cell)
    assert game.outcome is not None
    assert list(game.outcome.winners) == ([] if twin.winner < 0 else [twin.winner])
    assert game.outcome.id == ("draw" if twin.winner < 0 else "victory")


@pytest.mark.parametrize("seed", range(GAMES))
def test_connect_four(packages: dict[str, Package], seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(packages["connect-four"], players=2, seed=seed)
    twin = hand.ConnectFour()
    while not twin.done:
        assert game.decision is not None and game.decision.seat == twin.turn
        assert sorted(keys(game)) == sorted(f"chute:column-{'abcdefg'[column]}" for column in twin.legal())
        column = rng.choice(twin.legal())
        game.choose(f"chute:column-{'abcdefg'[column]}")
        twin.apply(column)
    assert game.outcome is not None
    assert list(game.outcome.winners) == ([] if twin.winner < 0 else [twin.winner])


@pytest.mark.parametrize("seed", range(GAMES))
def test_leduc(packages: dict[str, Package], seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(packages["leduc"], players=2, seed=seed)
    twin = hand.Leduc(rng.random)
    zones = game.view(None)["zones"]
    twin.hands = [RANKS[ids(zones[f"hand.p{seat}"])[0]] for seat in (1, 2)]
    words = {hand.FOLD: "fold", hand.CALL: "call", hand.RAISE: "raise"}
    while not twin.done:
        assert game.decision is not None and game.decision.seat == twin.turn
        assert sorted(keys(game)) == sorted(words[action] for action in twin.legal())
        stakes = [game.view(None)["seats"][f"p{seat}"]["player.stake"] for seat in (1, 2)]
        assert stakes == twin.paid
        action = rng.choice(twin.legal())
        board = RANKS[ids(game.view(None)["zones"]["deck"])[-1]]
        twin.rand = lambda board=board, twin=twin: (twin.deck.index(board) + 0.5) / len(twin.deck)  # type: ignore[misc]
        twin.deck = sorted({*twin.deck, board})
        game.choose(words[action])
        twin.apply(action)
    assert game.outcome is not None
    assert list(game.outcome.winners) == ([] if twin.winner < 0 else [twin.winner])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(GAMES // 6))
def test_love_letter(packages: dict[str, Package], seed: int, players: int) -> None:
    rng = random.Random(seed)
    game = new_game(packages["love-letter"], players=players, seed=seed)
    twin = hand.LoveLetter(rng.random, players)
    rounds = 0
    while not twin.done:
        if twin.rounds != rounds:
            rounds = twin.rounds
            copy_deal(game, twin)
        assert game.decision is not None and game.decision.seat == twin.turn
        offered = [key.split("@")[0] for key in keys(game)]
        legal = {name_of(twin, action): action for action in twin.legal()}
        assert sorted(offered) == sorted(legal)
        choice = rng.choice(sorted(legal))
        game.choose(next(key for key in keys(game) if key.split("@")[0] == choice))
        twin.apply(legal[choice])
        check_tokens(game, twin)
    assert game.outcome is not None and list(game.outcome.winners) == twin.winners


def name_of(twin: hand.LoveLetter, action: int) -> str:
    if twin.ask == hand.ASK_CARD:
        return f"play:{NAMES[action - 1]}"
    return f"target:p{action + 1}" if twin.ask == hand.ASK_TARGET else f"guess:{NAMES[action - 1]}"


def copy_deal(game: Game, twin: hand.LoveLetter) -> None:
    """Give the twin the cards that the engine has dealt for this round."""
    zones = game.view(None)["zones"]

    def cards(zone: str) -> list[int]:
        return [NAMES.index(name) + 1 for name in ids(zones[zone])]

    twin.deck, twin.aside, twin.shown = cards("deck"), cards("aside"), cards("shown")
    twin.hands = [cards(f"hand.p{seat + 1}") for seat in range(twin.players)]


def check_tokens(game: Game, twin: hand.LoveLetter) -> None:
    seats = game.view(None)["seats"]
    assert [seats[f"p{seat + 1}"]["player.tokens"] for seat in range(twin.players)] == twin.tokens

"""Games against independent hand-written versions: seat to move, legal options and results agree at every decision."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, new_game
from tests.bench import abyss
from tests.bench import handwritten as hand
from tests.packages import open_package

GAMES = 60
NAMES = ["guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess"]
RANKS = {"jack": 0, "queen": 1, "king": 2}


@pytest.fixture(scope="module")
def packages() -> dict[str, Package]:
    return {name: open_package(name) for name in ("tic-tac-toe", "connect-four", "leduc", "love-letter")}


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


# --- Abyss: the loop of exploring and recruiting, with lords and tiles that have no powers

TRIBES = ("squid", "shellfish", "crab", "seahorse", "jellyfish")
POWERS = ("arrival", "power", "abilities", "taken")
ACTIONS = ("plot", "explore-depths", "consult", "recruit")
SPOILS = {abyss.ASK_ONE_SPOIL: ("earn", "draw"), abyss.ASK_TWO_SPOILS: ("earn", "mix-spoils", "draw")}


class Powerless:
    """The package without powers, and the numbers of its cards in the twin."""

    def __init__(self, folder: Path) -> None:
        root = folder / "abyss"
        shutil.copytree("content/abyss", root, ignore=shutil.ignore_patterns("scenarios"))
        self.lords, self.tiles = self.strip(root / "cards/lords.yaml"), self.strip(root / "cards/locations.yaml")
        self.package = compile_package(root)

    @staticmethod
    def strip(path: Path) -> list[str]:
        cards = yaml.safe_load(path.read_text(encoding="utf-8"))["cards"]
        kept = {name: {key: value for key, value in row.items() if key not in POWERS} for name, row in cards.items()}
        path.write_text(yaml.safe_dump({"cards": kept}, sort_keys=False), encoding="utf-8")
        return list(cards)

    def card(self, name: str) -> int:
        """A card of the Depths in the twin."""
        race, _, strength = name.rpartition("-")
        return abyss.MONSTER if race == "depths" else abyss.ally(TRIBES.index(race), int(strength))

    def key(self, twin: abyss.Abyss, action: int) -> str:
        """The option of the engine that an action of the twin stands for."""
        match twin.ask:
            case abyss.ASK_ACTION:
                return ACTIONS[action]
            case abyss.ASK_BUY:
                return ("buy", "decline")[action]
            case abyss.ASK_ALLY:
                return ("take-up", "pass-by")[action]
            case abyss.ASK_MONSTER:
                return ("fight", "pass-by")[action]
            case abyss.ASK_STACK:
                return f"consult:{TRIBES[action]}"
            case abyss.ASK_LORD:
                return f"recruit:{self.lords[action]}"
            case abyss.ASK_RACE:
                return TRIBES[action]
            case abyss.ASK_CARD:
                return "done" if action == abyss.DONE else f"{TRIBES[action // 10]}-{action % 10}"
            case abyss.ASK_FOLLOWER:
                return f"affiliate:{TRIBES[action // 10]}-{action % 10}"
            case abyss.ASK_BACKER:
                return "done" if action == abyss.DONE else self.lords[action]
            case abyss.ASK_CLAIM:
                return ("occupy", "choose")[action]
            case abyss.ASK_NUMBER:
                return f"how-many:{action}"
            case abyss.ASK_TILE:
                return f"occupy:{self.tiles[action]}"
        return SPOILS[twin.ask][action]

    def deal(self, game: Game, twin: abyss.Abyss) -> None:
        """Give the twin the piles of the engine."""
        zones = game.view(None)["zones"]
        twin.deck = [self.card(name) for name in ids(zones["depths-deck"])]
        twin.lords = [self.lords.index(name) for name in ids(zones["lord-deck"])]
        twin.court = [self.lords.index(name) for name in ids(zones["court"])]
        twin.tiles = [self.tiles.index(name) for name in ids(zones["location-stack"])]
        twin.open = [self.tiles.index(name) for name in ids(zones["open-locations"])]

    def compare(self, game: Game, twin: abyss.Abyss) -> None:
        view = game.view(None)
        deck = [self.card(name) for name in ids(view["zones"]["depths-deck"])]
        assert sorted(deck) == sorted(twin.deck)
        twin.deck = deck  # shuffled again by the engine
        assert [self.lords.index(name) for name in ids(view["zones"]["court"])] == twin.court
        assert view["vars"]["threat"] == twin.threat
        for seat in range(twin.players):
            name = f"p{seat + 1}"
            assert view["seats"][name]["player.pearls"] == twin.pearls[seat]
            hand_cards = sorted(self.card(card) for card in ids(view["zones"][f"hand.{name}"]))
            assert hand_cards == sorted(twin.hands[seat])
            assert len(view["zones"][f"trophies.{name}"]) == twin.trophies[seat]
            assert len(view["zones"][f"key-ring.{name}"]) == twin.rings[seat]
            assert sorted(ids(view["zones"][f"free-lords.{name}"])) == sorted(self.lords[i] for i in twin.free[seat])


@pytest.fixture(scope="module")
def powerless(tmp_path_factory: pytest.TempPathFactory) -> Powerless:
    return Powerless(tmp_path_factory.mktemp("powerless"))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_abyss(powerless: Powerless, seed: int, players: int) -> None:
    rng = random.Random(seed)
    game = new_game(powerless.package, players=players, seed=seed)
    twin = abyss.Abyss(rng.random, players)
    assert game.decision is not None
    twin.turn = twin.seat = game.decision.seat
    powerless.deal(game, twin)
    while not twin.done:
        powerless.compare(game, twin)
        assert game.decision is not None and game.decision.seat == twin.seat
        offered = {key.split("@")[0]: key for key in keys(game)}
        legal = {powerless.key(twin, action): action for action in twin.legal()}
        assert sorted(offered) == sorted(legal)
        choice = rng.choice(sorted(legal))
        game.choose(offered[choice])
        twin.apply(legal[choice])
    assert game.decision is None and game.outcome is not None

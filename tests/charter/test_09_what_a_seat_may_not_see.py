"""Charter 9: what a seat may not see never reaches it."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from grimoire.runtime import Game, UndoBarrier, new_game
from tests.charter.kit import HIDDEN, TABLES, package, positions, seen_by
from tests.charter.twins import twins

POSITIONS = 100


@pytest.mark.parametrize(("name", "players"), HIDDEN)
def test_games_that_differ_in_what_is_hidden_show_a_seat_the_same_bytes(name: str, players: int) -> None:
    found = twins(name, players, POSITIONS, steps=12)
    assert found.moved > POSITIONS * 3 // 2, "too few cards were moved to prove anything"
    assert found.pinned * 100 <= found.moved, "too many cards had to stay"
    assert found.compared > POSITIONS * 3, "too little was played on"
    assert not found.wrong, f"{len(found.wrong)} of {found.compared}:\n" + "\n".join(found.wrong[:10])


def test_the_hidden_games_are_known() -> None:
    """A new package with hidden cards is in the list by itself; these must be there."""
    assert {("leduc", 2), ("love-letter", 2), ("love-letter", 3), ("love-letter", 4)} <= set(HIDDEN)
    assert ("tic-tac-toe", 2) in set(TABLES) - set(HIDDEN)


def test_options_of_another_are_not_shown() -> None:
    for name, players in HIDDEN:
        for game, _ in positions(name, players, 3):
            assert game.decision is not None
            for seat in range(players):
                shown = game.view(seat)["decision"]
                assert ("options" in shown) == (seat == game.decision.seat)


# --- without the engine's own idea of who knows what ------------------------------------------------------------------


def told(game: Game, seat: int | None) -> dict[str, list[Any]]:
    return {zone: [piece["id"] for piece in pieces] for zone, pieces in game.view(seat)["zones"].items()}


def test_poker_shows_a_hand_to_its_owner_alone() -> None:
    """Two deals of leduc that differ only in the cards that a seat cannot see, played with the same decisions."""
    deals: dict[tuple[Any, ...], list[int]] = {}
    for seed in range(120):
        zones = told(new_game(package("leduc"), 2, seed), None)
        deals.setdefault((zones["hand.p1"][0], zones["deck"][-1]), []).append(seed)
    pairs = differ = 0
    for (own, board), seeds in sorted(deals.items()):
        for one, two in pairwise(seeds):
            rng = random.Random(one)
            games = [new_game(package("leduc"), 2, seed) for seed in (one, two)]
            differ += games[0].view(1)["zones"] != games[1].view(1)["zones"]
            while games[0].decision is not None:
                assert told(games[0], 0)["hand.p1"] == [own] and told(games[0], 0)["hand.p2"] == [None]
                assert told(games[0], 0)["board"] in ([], [board]) and set(told(games[0], 0)["deck"]) == {None}
                assert seen_by(games[0], 0) == seen_by(games[1], 0)
                key = rng.choice(games[0].decision.keys)
                for game in games:
                    game.choose(key)
            pairs += 1
    assert pairs > 50 and differ > 20


QUIET = ("handmaid", "countess")  # cards after which nothing of another hand is told


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_of_letters_that_differs_only_in_hidden_cards(players: int) -> None:
    """Deals with the same cards for the first seat; the others play cards that tell nothing, by the same keys."""
    deals: dict[str, list[int]] = {}
    for seed in range(2500 if players == 2 else 500):
        game = new_game(package("love-letter"), players, seed)
        deals.setdefault(json.dumps(told(game, 0)), []).append(seed)
    pairs = steps = 0
    for seeds in deals.values():
        for first, second in pairwise(seeds):
            one, two = (new_game(package("love-letter"), players, seed) for seed in (first, second))
            pairs += 1
            rng = random.Random(first)
            while True:
                assert seen_by(one, 0) == seen_by(two, 0)
                steps += 1
                assert one.decision is not None and two.decision is not None
                both = [
                    key
                    for key in one.decision.keys
                    if key in two.decision.keys and key.startswith(tuple(f"play:{card}" for card in QUIET))
                ]
                if not both:
                    break
                key = rng.choice(both)
                one.choose(key)
                two.choose(key)
                assert one.decision is not None
                if one.decision.seat == 0 or two.decision is None or two.decision.seat == 0:
                    break  # the first seat has drawn a card: from here on it sees different things
    assert pairs > 50 and steps > pairs + 10


@pytest.mark.parametrize("players", [2, 3, 4])
def test_letters_keep_the_deck_and_the_card_set_aside_from_everybody(players: int) -> None:
    known = 0
    for seed in range(6):
        looked: set[tuple[int, int]] = set()
        lines = 0
        for game, _ in positions("love-letter", players, seed):
            log = game.log(None)
            for entry in log[lines:]:
                if entry["verb"] == "settle":
                    looked = set()
                if entry["verb"] == "play" and entry["args"][0]["value"] in ("priest", "baron", "king"):
                    mover = int(entry["you"][1:]) - 1
                    looked |= {(mover, other) for other in range(players)} | {
                        (other, mover) for other in range(players)
                    }
            lines = len(log)
            # while a card is being carried out its event is not yet in the log
            if game.decision is not None and game.decision.label != "play":
                continue
            for seat in range(players):
                zones = told(game, seat)
                assert set(zones["deck"]) | set(zones["aside"]) <= {None}, "nobody looks into the deck"
                for other in range(players):
                    ids = [name for name in zones[f"hand.p{other + 1}"] if name is not None]
                    if other == seat:
                        assert len(ids) == len(zones[f"hand.p{seat + 1}"])
                    else:
                        known += bool(ids)
                        assert not ids or (seat, other) in looked, f"p{seat + 1} knows {ids} of p{other + 1}"
    assert known > 10, "somebody must have looked at something"


# --- undo -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), HIDDEN)
def test_undo_does_not_take_back_what_became_known(name: str, players: int) -> None:
    """After each decision: if a seat knows a card that it did not know, undo is refused and changes nothing."""
    stopped = free = 0
    for seed in range(12 if players == 2 else 3):
        before: list[int] = []
        for game, _ in positions(name, players, seed):
            now = [
                sum(piece is not None for pieces in told(game, seat).values() for piece in pieces)
                for seat in range(players)
            ]
            if before:
                learned = any(one < two for one, two in zip(before, now, strict=True))
                digest, seen, made = game.digest(), seen_by(game, None), game.decisions_made
                try:
                    game.undo()
                except UndoBarrier:
                    stopped += 1
                    assert (game.digest(), seen_by(game, None)) == (digest, seen)
                else:
                    free += 1
                    assert not learned, "undo took back what a seat had seen"
                    seat, _, key = made[-1].partition(" ")
                    game.choose(key, int(seat[1:]) - 1)
            before = now
    assert stopped > 3 and free > 3


def test_a_copy_has_no_history_to_read() -> None:
    game = new_game(package("leduc"), 2, 1)
    game.choose("call")
    game.choose("call")
    with pytest.raises(UndoBarrier):
        game.undo()
    copy = game.clone()
    with pytest.raises(UndoBarrier):
        copy.undo(force=True)

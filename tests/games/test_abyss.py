"""Abyss as a whole: nothing is lost or made at any event, scores agree with a second reckoning, games end, hands stay
hidden."""

from __future__ import annotations

import random

import pytest

from grimoire.runtime import Game, SetupError, new_game, simulate
from tests.games.reign import House, package, reign


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_lost_and_scores_agree(players: int) -> None:
    found = reign(players, range(12))
    assert not found.wrong
    assert found.games == 12 and found.looks > found.decisions, "more happens than is decided"


def test_the_score_by_hand_is_that_of_the_rulebook() -> None:
    lords = ["keeper", "slaver", "master-of-magic", "elder", "jailer", "traitor", "corruptor"]
    allies = [("jellyfish", 3), ("jellyfish", 1), ("squid", 3), ("crab", 2), ("seahorse", 1), ("shellfish", 5)]
    house = House(lords, allies, ["parliament", "sanctuary"], ["medium-trophy", "medium-trophy"], 0)
    assert house.score([]) == 79


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_end(players: int) -> None:
    report = simulate(package(), games=60, players=players, seed=11)
    assert report.errors == 0, report.error_notes
    assert set(report.outcomes) == {"mastery"}


def test_two_to_four_players() -> None:
    for players in (1, 5):
        with pytest.raises(SetupError, match="2 to 4 players"):
            new_game(package(), players)


def test_what_there_is() -> None:
    document = package().document
    kinds = [row["id"] for row in document["kinds"]]
    counts: dict[str, int] = {}
    for row in document["definitions"]:
        counts[kinds[row["kind"]]] = counts.get(kinds[row["kind"]], 0) + row["copies"]
    assert counts == {
        "lord": 35, "location": 20, "ally": 65, "monster": 6, "monster-token": 20, "key-token": 10,
    }  # fmt: skip


def asked(game: Game, label: str) -> bool:
    return game.decision is not None and game.decision.label == label


def test_paying_is_a_short_list_and_never_a_dead_end() -> None:
    """A payment goes card by card: no more options than cards, and always a way on until the lord is there."""
    longest = payments = 0
    for seed in range(30):
        game = new_game(package(), 3, seed)
        rng = random.Random(seed)
        while game.decision is not None:
            if asked(game, "helpers") or asked(game, "paid"):
                view = game.view(game.decision.seat)
                cards = len(view["zones"][f"hand.p{game.decision.seat + 1}"])
                assert 1 <= len(game.decision.options) <= max(5, cards + 1)
                longest = max(longest, len(game.decision.options))
                payments += 1
            game.choose_index(rng.randrange(len(game.decision.options)))
    assert payments > 200 and longest <= 25

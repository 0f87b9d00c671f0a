"""Unfathomable as a whole: what holds after every event, how games end, what is hidden."""

from __future__ import annotations

from typing import Any

import pytest

from grimoire.runtime import SetupError, new_game, simulate
from tests.games.voyage import ENDS, package, sail

TABLES: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (4, {}),
    (5, {}),
    (6, {}),
    (4, {"no-cultist": True}),
    (6, {"no-cultist": True, "difficulty": "human-ease"}),
    (5, {"difficulty": "traitor-ease"}),
]


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_after_every_event_the_ship_is_whole(players: int, options: dict[str, Any]) -> None:
    found = sail(players, range(3), options)
    assert not found.wrong
    assert found.games == 3 and found.looks > found.decisions, "more happens than is decided"


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_random_games_end(players: int, options: dict[str, Any]) -> None:
    report = simulate(package(), games=30, players=players, seed=7, options=options)
    assert report.errors == 0, report.error_notes
    assert set(report.outcomes) <= set(ENDS)


def test_what_the_game_has_not_is_refused_with_what_there_is() -> None:
    for players in (2, 7):
        with pytest.raises(SetupError, match="3 to 6 players"):
            new_game(package(), players)
    with pytest.raises(SetupError, match="no-cultist"):
        new_game(package(), 4, options={"cultists": 3})
    with pytest.raises(SetupError, match="human-ease"):
        new_game(package(), 4, options={"difficulty": "hard"})

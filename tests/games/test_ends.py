"""Unfathomable played to win: the ways in which it ends soon, in whole games from the set-up.

The port, and with it the humans, and the cultists are met about once in forty games: `make soak` looks for them.

The first seeds are known to lead there; with other content, aims or bots they may lead elsewhere, and then the search goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grimoire.runtime import simulate
from tests.games.voyage import ENDS, package

EASY = {"difficulty": "human-ease"}
Table = tuple[int, int, dict[str, Any]]  # players, seed, options
KNOWN: list[Table] = [
    (4, 0, {}),  # starved; hybrids
    (4, 1, {}),  # wrecked; hybrids
    (4, 7, {}),  # overrun; nobody
]
SELDOM = {"port", "humans", "cultists"}
MORE = 10  # seeds of each table that are tried before it is given up


def tables() -> Iterator[Table]:
    yield from KNOWN
    for seed in range(MORE):
        yield from [(4, seed, EASY), (4, seed, {}), (6, seed, EASY)]


def test_the_ends_that_come_soon_are_met() -> None:
    document = package().document
    outcome = [row["id"] for row in document["kinds"]].index("outcome")
    wanted = {row["id"] for row in document["fixtures"] if row["kind"] == outcome}
    sides = {row["id"] for row in document["aims"] if row["only"] is not None}
    assert wanted == set(ENDS) and sides == {"humans", "hybrids", "cultists"}
    left = (wanted | sides) - SELDOM
    for players, seed, options in tables():
        if not left:
            return
        report = simulate(package(), 1, players, seed, "aims", 1, options)
        assert report.errors == 0, report.error_notes
        ((end, won),) = report.winners.items()
        (who,) = won
        left -= {end, *who.split(" + ")}
        assert ("humans" in who) == (end == "port"), "humans win in the port, and nowhere else"
    raise AssertionError(f"not met: {', '.join(sorted(left))}")

"""The long runs of large packages: random games of every table and variant, games that are watched, games that are
played to win.

A variant is one option with another value than its default. Of the watched games the invariants of `tests/games` are
asked after every event. The bot that plays by aims, for all sides and for each of them alone, must meet every end that
the rules know and a victory of every side; a table says who won how often by each end, for each number of players.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from grimoire.runtime import GrimoireError, simulate
from grimoire.runtime.bots.bot import SIDES
from tests.charter.kit import ends, package, sizes
from tests.games.voyage import sail
from tests.packages import LARGE

Json = dict[str, Any]
EXPANSION = "unfathomable-example-expansion"
WATCHED = {"unfathomable": sail, EXPANSION: partial(sail, name=EXPANSION)}


def variants(name: str) -> list[Json]:
    """The options of a package: all as they are, then each other value of each."""
    found: list[Json] = [{}]
    for row in package(name).document["options"]:
        values = [True, False] if row["sort"] == "flag" else row["values"]
        default = bool(row["default"]) if row["sort"] == "flag" else row["default"]
        found += [{row["id"]: value} for value in values if value != default]
    return found


def sides(name: str) -> list[str]:
    """The sides that somebody can be on."""
    return [row["id"] for row in package(name).document.get("aims", ()) if row["only"] is not None]


def bots(name: str) -> list[str]:
    """Everybody plays to win, and one side after the other while the rest take any option."""
    return ["aims", *(f"{SIDES}{side}" for side in sides(name))]


def ends_by_winners(rows: list[Json]) -> Json:
    """For each end and who won by it: how many games, by the number of players."""
    table: Json = {}
    for row in rows:
        for end, winners in row.get("winners", {}).items():
            for who, games in winners.items():
                found = table.setdefault(end, {}).setdefault(who, {})
                found[row["players"]] = found.get(row["players"], 0) + games
    return table


def run(name: str, players: int, options: Json, games: int, seed: int, jobs: int, bot: str) -> Json:
    """Games of one table and variant: how they end and who wins."""
    began = time.monotonic()
    row: Json = {"package": name, "players": players, "options": options, "bot": bot, "findings": []}
    try:
        report = simulate(package(name), games, players, seed, bot, jobs, options)
    except GrimoireError as error:
        row["findings"].append(f"{type(error).__name__}: {error}")
        return row
    if report.errors:
        row["findings"].append(f"{report.errors} of {games} games failed: {'; '.join(report.error_notes)}")
    row["findings"] += [
        f"a game ended with {end!r}, which no rule says" for end in report.outcomes if end not in ends(name)
    ]
    row |= {"games": report.games, "decisions": report.decisions, "longest": report.longest, "errors": report.errors}
    row |= {"outcomes": report.outcomes, "winners": report.winners, "digest": report.digest}
    return row | {"seconds": round(time.monotonic() - began, 1)}


def watch(name: str, players: int, options: Json, games: int, seed: int) -> Json:
    """Games that are looked at after every event."""
    found = WATCHED[name](players, range(seed, seed + games), options)
    row: Json = {"package": name, "players": players, "options": options, "bot": "watched", "games": found.games}
    row |= {"decisions": found.decisions, "looks": found.looks, "outcomes": dict(sorted(found.ends.items()))}
    return row | {"findings": [f"{text} ({times} times)" for text, times in found.wrong.most_common(20)]}


def not_met(name: str, rows: list[Json]) -> list[str]:
    """Ends that no game of the bot came to, and sides that never won."""
    met: set[str] = set()
    won: Counter[str] = Counter()
    for row in rows:
        met.update(row.get("outcomes", {}))
        for winners in row.get("winners", {}).values():
            for who, times in winners.items():
                won.update(dict.fromkeys(who.split(" + "), times))
    found = [f"no game ended with {end!r}" for end in sorted(ends(name) - met)]
    return found + [f"the side {side!r} never won" for side in sides(name) if not won[side]]


def long_runs(games: int, watched: int, aims: int, seed: int, jobs: int, tell: Callable[[str], None]) -> list[Json]:
    """All of it, for each large package."""
    rows: list[Json] = []

    def add(row: Json) -> None:
        rows.append(row)
        what = f"{row['package']} with {row['players']} {row['options'] or ''} {row['bot']}"
        tell(f"{row.get('games')} games of {what}: {row.get('outcomes')} {row.get('winners', '')} {row['findings']}")

    for name in LARGE:
        for players in sizes(name):
            for options in variants(name):
                if games:
                    add(run(name, players, options, games, seed, jobs, "random"))
                if watched and name in WATCHED:
                    add(watch(name, players, options, watched, seed))
        if aims:
            played: list[Json] = []
            for players in sizes(name):
                for options in variants(name):
                    for bot in bots(name):
                        played.append(run(name, players, options, aims, seed, jobs, bot))
                        add(played[-1])
            missing = not_met(name, played)
            played[-1]["findings"] += missing
            played[-1]["table"] = ends_by_winners(played)
            tell(f"{name}, games of the bots that play to win: {played[-1]['table']} {missing}")
    return rows

"""Unfathomable played to win: each way in which it ends and each side's victory, in whole games from the set-up.

The games were played by the bot `aims`, some of them by one side only, and are kept as lists of decisions in
tests/playthroughs, because to think takes the bot longer than to play. `python -m tests.games.test_ends --update` has
them played on from where a change of rules or cards has made a decision of them illegal; where that leads elsewhere,
the bot thinks with other seeds, and then begins anew with the next ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grimoire.runtime import Game, IllegalChoice, ReplayMismatch, new_game, record_of, replay, simulate
from grimoire.runtime.bots.bot import make_bot
from grimoire.runtime.bots.worth import Worth
from tests.games.voyage import ENDS, package

FOLDER = Path(__file__).parents[1] / "playthroughs"
UPDATE = "python -m tests.games.test_ends --update"
EASY = {"difficulty": "human-ease"}
HARD = {"difficulty": "traitor-ease"}
HUMANS = "aims:humans"  # the other sides take any option
HYBRIDS = "aims:hybrids"
AGAIN = 4  # ways to go on with a kept game that are tried
MORE = 40  # seeds that are tried for a game


class Played(NamedTuple):
    """A game to be kept: how it ends and who wins, and the table where that was met."""

    end: str
    winners: str
    players: int
    seed: int
    bot: str
    options: dict[str, Any]

    @property
    def path(self) -> Path:
        return FOLDER / f"unfathomable-{self.end}-{self.winners.replace(' + ', '-')}-{self.players}.json"


RECORDS = [
    Played("port", "humans", 3, 1, HUMANS, {}),
    Played("port", "humans", 4, 3, HUMANS, EASY),
    Played("port", "humans", 5, 1, HUMANS, EASY),
    Played("port", "humans", 6, 4, HUMANS, EASY),
    Played("starved", "hybrids + cultists", 6, 20, HUMANS, EASY),
    Played("overrun", "hybrids + cultists", 4, 0, "aims", EASY),
    Played("overrun", "hybrids", 3, 2, HYBRIDS, {}),
    Played("wrecked", "hybrids", 3, 1, HYBRIDS, {}),
    Played("starved", "hybrids", 5, 1, HYBRIDS, HARD),
    Played("starved", "nobody", 3, 3, HYBRIDS, {}),
    Played("overrun", "nobody", 4, 0, HYBRIDS, {}),
    Played("wrecked", "nobody", 5, 0, HYBRIDS, {}),
]


def sides_of(game: Game) -> str:
    """The sides that have won a game."""
    assert game.outcome is not None
    worth = Worth(game.program)
    return worth.name_winners(0, worth.won(game.state)) if game.outcome.winners else "nobody"


def kept(row: Played) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(row.path.read_text(encoding="utf-8"))
    return record


def check_record(row: Played) -> None:
    """A kept game can still be played, and ends as it did."""
    record = kept(row)
    assert (record["players"], record["options"]) == (row.players, row.options)
    try:
        game = replay(package(), record, log=False)
    except ReplayMismatch as error:
        raise AssertionError(f"{error}\nif this is meant: {UPDATE}") from None
    assert game.outcome is not None, f"the game is not over; if this is meant: {UPDATE}"
    assert (game.outcome.id, sides_of(game)) == (row.end, row.winners)


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row.path.stem)
def test_the_game_ends_as_it_was_played(row: Played) -> None:
    check_record(row)


def test_every_end_and_every_victory_is_met() -> None:
    document = package().document
    outcome = [row["id"] for row in document["kinds"]].index("outcome")
    ends = {row["id"] for row in document["fixtures"] if row["kind"] == outcome}
    sides = {row["id"] for row in document["aims"] if row["only"] is not None}
    assert ends == set(ENDS) and sides == {"humans", "hybrids", "cultists"}
    assert {row.end for row in RECORDS} == ends
    assert {side for row in RECORDS for side in row.winners.split(" + ")} - {"nobody"} == sides
    assert {row.end for row in RECORDS if "hybrids" in row.winners} == ends - {"port"}, "they win by each of the ends"
    assert {row.players for row in RECORDS if row.end == "port"} == {3, 4, 5, 6}
    assert all(("humans" in row.winners) == (row.end == "port") for row in RECORDS), "in the port, and nowhere else"
    assert sorted(FOLDER.glob("unfathomable-*.json")) == sorted(row.path for row in RECORDS)


def test_the_bot_plays_the_same_game_again() -> None:
    """The shortest of them, thought through once more; with other aims or another bot, it is only to be played to its
    end."""
    row = min(RECORDS, key=lambda row: len(kept(row)["decisions"]))
    report = simulate(package(), 1, row.players, row.seed, row.bot, 1, row.options)
    assert report.errors == 0, report.error_notes
    if kept(row)["content"] == package().hash:
        assert report.winners == {row.end: {row.winners: 1}}


def play(row: Played, record: dict[str, Any], thought: int) -> Game:
    """A game of the bot that begins as a record does, as far as that is still offered."""
    game = new_game(package(), record["players"], record["seed"], record["options"], log=False)
    for made in record["decisions"]:
        seat, _, key = made.partition(" ")
        try:
            game.choose(key, int(seat[1:]) - 1)
        except IllegalChoice:
            break
    bot = make_bot(row.bot)
    bot.join(game.program)
    bot.begin(thought)
    while game.decision is not None:
        game.choose_index(bot.pick(game.state))
    return game


def tries(row: Played) -> Iterator[tuple[dict[str, Any], int]]:
    """How a game may begin, and the seed of the bot that goes on: first as it was kept, then from the start."""
    record = kept(row)
    yield from ((record, thought) for thought in range(row.seed, row.seed + AGAIN))
    for seed in range(row.seed, row.seed + MORE):
        yield {"players": row.players, "seed": seed, "options": row.options, "decisions": []}, seed


def update() -> None:
    """Have those played again that cannot be replayed any more, from where they cannot."""
    for row in RECORDS:
        try:
            check_record(row)
            continue
        except AssertionError as error:
            print(f"{row.path.stem}: {error}", flush=True)
        for record, thought in tries(row):
            game = play(row, record, thought)
            assert game.outcome is not None
            met = game.outcome.id, sides_of(game)
            print(f"{row.path.stem}, seeds {record['seed']}, {thought}: {met[0]}, {met[1]}", flush=True)
            if met == (row.end, row.winners):
                write(row.path, record_of(game))
                break
        else:
            sys.exit(f"not met: {row}")


def write(path: Path, record: dict[str, Any]) -> None:
    path.write_text(json.dumps(record, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(f"usage: {UPDATE}")
    update()

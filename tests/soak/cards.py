"""Try every card of a package in positions of random games: `python -m tests.soak.cards PACKAGE [--positions 300]`.

A position is a decision of a random game. In it the card is put on top of where it starts, or to a player where one of
its abilities works, or one of its texts is carried out at once; then the game goes on at random for some decisions, and
options that name the card are taken first. A finding is whatever raises an error, asks without an option, or ends
without an outcome.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from grimoire.compiler import compile_package
from grimoire.runtime import Game, GrimoireError, Package, new_game
from grimoire.runtime.errors import EditError
from grimoire.runtime.play.edit import Position
from tests.packages import CONTENT

DECISIONS = 20
FAILED = 5  # random games
APART = 25  # decisions between two positions of one game, at most
CRASHES = (
    GrimoireError,
    AssertionError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
)
Way = tuple[str, Callable[[Game, random.Random], None]]


@dataclass
class Tried:
    """What was tried, how often, and what was wrong."""

    runs: Counter[str] = field(default_factory=Counter)  # by card
    used: Counter[str] = field(default_factory=Counter)  # runs in which an option that names the card was taken
    wrong: list[str] = field(default_factory=list)


class Bench:
    """A package for so many players, and the ways in which each of its cards can be tried."""

    def __init__(self, package: Package, players: int) -> None:
        self.package = package
        self.players = players
        doc: dict[str, Any] = package.document
        self.zones = doc["zones"]
        self.ways: dict[str, list[Way]] = {}
        for number, card in enumerate(doc["definitions"]):
            ways: list[Way] = []
            start = card["start"]
            live = [row["live"] for row in (*doc["abilities"], *doc["modifiers"]) if row["of"] == number]
            if start >= 0 and (card["programs"] or live):
                ways.append(("on top", partial(self.place, card["id"], start)))
            there = sorted({zone for zones in live for zone in zones or ()})
            ways += [(f"in {self.zones[zone]['id']}", partial(self.place, card["id"], zone)) for zone in there]
            texts = sorted(card["programs"].items())
            ways += [(slot, partial(self.resolve, card["id"], doc["procs"][proc]["id"])) for slot, proc in texts]
            if ways:
                self.ways[card["id"]] = ways

    def place(self, card: str, zone: int, game: Game, dice: random.Random) -> None:
        """Put a card to the top of a zone; into that of somebody, it takes the place of another."""
        row, edit = self.zones[zone], Position(game)
        if row["each"]:
            asked = game.decision.seat if game.decision is not None else 0
            edit.set_zone(row["id"], [card], dice.choice([asked, asked, dice.randrange(self.players)]))
        else:
            edit.move(card, row["id"])
        edit.settle()

    def resolve(self, card: str, proc: str, game: Game, dice: random.Random) -> None:
        """Carry out a text of a card instead of what goes on."""
        edit = Position(game)
        edit.start(proc, dice.randrange(self.players), [edit.resolve("piece", card)])

    def positions(self, seed: int, found: Tried) -> Iterator[Game]:
        """Decisions of random games; they end when too many games have failed."""
        failed = 0
        while failed < FAILED:
            seed += 1
            dice = random.Random(seed)
            try:
                game = new_game(self.package, self.players, seed, log=False)
                while game.outcome is None:
                    for _ in range(dice.randint(1, APART)):
                        if game.outcome is None:
                            step(game, dice, "")
                    if game.outcome is None:
                        yield game
            except CRASHES as error:
                failed += 1
                found.wrong.append(f"the random game {seed}: {type(error).__name__}: {error}")


def step(game: Game, dice: random.Random, card: str) -> bool:
    """One random decision; True if it took an option that names the card."""
    decision = game.decision
    assert decision is not None, "nobody is asked, and there is no outcome"
    assert decision.keys, f"p{decision.seat + 1} is asked ({decision.label}) and has no option"
    named = [key for key in decision.keys if card and card in key]
    game.choose(dice.choice(named or list(decision.keys)))
    return bool(named)


def try_cards(package: Package, players: int, positions: int, seed: int = 0, only: str | None = None) -> Tried:
    """Try each card in so many positions, its ways in turn."""
    bench, found = Bench(package, players), Tried()
    for number, position in zip(range(positions), bench.positions(seed, found), strict=False):
        for card, ways in bench.ways.items():
            if only is not None and card != only:
                continue
            name, way = ways[number % len(ways)]
            dice = random.Random(f"{seed} {number} {card}")
            game = position.clone()
            made: list[str] = []
            try:
                way(game, dice)
            except EditError:
                continue  # no copy of it is in play, or it cannot lie there now
            except CRASHES as error:
                found.wrong.append(f"{card}, {name}, position {number}: {type(error).__name__}: {error}")
                continue
            found.runs[card] += 1
            try:
                used = False
                for _ in range(DECISIONS):
                    if game.outcome is not None or (game.decision is None and name in position_slots(card, bench)):
                        break
                    made.append(str(game.decision.label if game.decision is not None else ""))
                    used = step(game, dice, card) or used
                found.used[card] += used
            except CRASHES as error:
                trail = " > ".join(made[-4:])
                found.wrong.append(f"{card}, {name}, position {number}, {trail}: {type(error).__name__}: {error}")
    return found


def position_slots(card: str, bench: Bench) -> set[str]:
    """The ways of a card after which the game may be at its end: only the text was carried out."""
    return {name for name, way in bench.ways[card] if isinstance(way, partial) and way.func == bench.resolve}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.cards", description=__doc__)
    parser.add_argument("package", help="id of a package in content/")
    parser.add_argument("--positions", type=int, default=300, help="positions for each card")
    parser.add_argument("--players", type=int, help="the fewest, unless said")
    parser.add_argument("--card", help="only this one")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    package = compile_package(CONTENT / given.package)
    began = time.monotonic()
    found = try_cards(package, given.players or package.min_players, given.positions, given.seed, given.card)
    runs = sum(found.runs.values())
    print(f"{len(found.runs)} cards, {runs} runs, {sum(found.used.values())} with the card in use, "
          f"{time.monotonic() - began:.0f} s; {len(found.wrong)} findings")  # fmt: skip
    for text in found.wrong[:50]:
        print("  " + text[:400])
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

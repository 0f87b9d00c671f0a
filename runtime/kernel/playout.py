"""One game with random choices: the short path of bulk play, which equals ``RandomBot``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.errors import BudgetExceeded
from grimoire.runtime.kernel.base import WAIT, Tables
from grimoire.runtime.kernel.rng import block, salt, stream_key, word
from grimoire.runtime.kernel.state import State, fresh_state
from grimoire.runtime.kernel.trial import advance, start
from grimoire.runtime.limits import MAX_DECISIONS

if TYPE_CHECKING:
    from mypy_extensions import i64

# The hash of decisions is taken modulo 2 ** 61, in two halves: no product is longer than a machine word.
FACTOR: Final = 1_000_003
LOW: Final = (1 << 31) - 1
HIGH: Final = (1 << 30) - 1
MASK: Final = (1 << 61) - 1

Row = tuple[int, int, int, int]  # decisions, a hash of them, outcome (-1: an error), winners


def stuck() -> BudgetExceeded:
    """The error of a game that does not come to its end."""
    return BudgetExceeded(f"stuck: the game is not over after {MAX_DECISIONS} decisions", "decisions", MAX_DECISIONS)


def extend_trace(trace: i64, i: i64) -> i64:
    """The hash of the decisions so far with one more."""
    return ((((trace >> 31) * FACTOR & HIGH) << 31) + (trace & LOW) * FACTOR + i) & MASK


_BOT_KEY: Final = stream_key("bot")


def play_random(g: State, salted: bytes) -> Row:
    """One game with random choices for a seed: the short path, which equals ``RandomBot``."""
    dice = _BOT_KEY + salted
    code = WAIT if g.waiting else start(g)
    trace: i64 = 0
    decisions: i64 = 0
    number = 0
    pays = g.tables.pays
    units = g.units
    words = b""
    while code == WAIT:
        if decisions & 15 == 0:
            words = block(dice, number)
            number += 1
            if decisions >= MAX_DECISIONS:
                raise stuck()
        i = (word(words, decisions & 15) * len(g.opts)) >> 32
        trace = ((((trace >> 31) * FACTOR & HIGH) << 31) + (trace & LOW) * FACTOR + i) & MASK
        decisions += 1
        if pays:
            code = advance(g, i)
        else:
            g.work = 0
            code = g.run(units[g.unit].code[g.pc].pick(g, g.base, i))
    return decisions, trace, g.over, g.winners


class Ends:
    """How games of a run ended: each end with its words and how often it came."""

    __slots__ = ("counts", "found", "numbers", "outcomes", "words")

    def __init__(self, outcomes: list[str]) -> None:
        self.outcomes = outcomes
        self.numbers: dict[tuple[int, int], int] = {}
        self.found: list[tuple[int, int]] = []  # outcome, winners
        self.words: list[str] = []
        self.counts: list[int] = []

    def add(self, outcome: int, winners: int) -> int:
        """Enter a new end; gives its number."""
        number = len(self.found)
        self.numbers[outcome, winners] = number
        self.found.append((outcome, winners))
        self.words.append(f" {'' if outcome < 0 else self.outcomes[outcome]} {winners};")
        self.counts.append(0)
        return number


def tell_rows(rows: list[Row], ends: Ends) -> str:
    """A line for each row, for the digest of a report; how the games ended is counted."""
    lines: list[str] = []
    for decisions, trace, outcome, winners in rows:
        number = ends.numbers.get((outcome, winners), -1)
        if number < 0:
            number = ends.add(outcome, winners)
        ends.counts[number] += 1
        lines.append(f"{decisions} {trace}{ends.words[number]}")
    return "".join(lines)


def play_games(tables: Tables, opening: State | None, seeds: range, rows: list[Row]) -> None:
    """A game for each seed, and a row for each game: from the start, or from the first decision if that is given."""
    g: State | None = None
    for seed in seeds:
        salted = salt(seed)
        if g is not None:
            g.restart(tables.key + salted, opening)
        elif opening is None:
            g = fresh_state(tables, seed)
        else:
            g = opening.copy_for(tables.key + salted)
        rows.append(play_random(g, salted))

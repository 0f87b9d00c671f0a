"""Steered play: games from the set-up to the end in which all seats together look for what has not happened yet.

In: a program built with tracking, and for each thing that is looked for the counters that show it. Out: the counters,
moved on. Chance stays what the seed makes it. A stretch of decisions is tried out some times on copies of the state;
the first try in which something new happens is what is then played, else one after which the game goes on.
"""

from __future__ import annotations

from typing import Final

from grimoire.runtime.bots.bot import ExploreBot
from grimoire.runtime.bots.simulate import first_state
from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.base import WAIT
from grimoire.runtime.kernel.playout import Row, extend_trace, stuck
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.state import State
from grimoire.runtime.kernel.trial import advance, start
from grimoire.runtime.limits import MAX_DECISIONS
from grimoire.runtime.play.faults import FAULTS, fault

TRIES: Final = 6  # tries of a stretch
MORE: Final = 6  # further tries whenever one came near to something that is looked for
MOST: Final = 42  # tries of a stretch at most
HARDEST: Final = 210  # when little is left that is looked for
LITTLE: Final = 25
FEW: Final = 10  # it is worth that once little is left, or less than one in ten
STRETCHES: Final = (6, 12, 25, 50)  # decisions of a stretch


class Steering:
    """What is looked for, what has happened, and which options were taken how often: kept from game to game."""

    def __init__(self, signs: list[list[int]], near: list[list[int]], counters: int) -> None:
        self.signs = signs
        self.near = near  # for each, counters that show that it may be close: those of the same card
        self.fired = [0] * counters
        self.open = [at for at, found in enumerate(signs) if found]  # what never happened so far
        self.bot = ExploreBot()
        self.dice = Dice(0, "steer")

    def play(self, program: Program, seed: int) -> Row:
        """One game; a row as of every other bot. Raises GrimoireError if it cannot be played to its end."""
        self.dice = Dice(seed, "steer")
        self.bot.begin(seed)
        g = first_state(program, seed)
        g.count_in(self.fired)
        try:
            return self.run_game(g)
        except FAULTS as error:
            raise fault(g, error) from error

    def run_game(self, g: State) -> Row:
        code = WAIT if g.waiting else start(g)
        trace = decisions = 0
        plan: list[int] = []
        while code == WAIT:
            if decisions >= MAX_DECISIONS:
                raise stuck()
            if not plan:
                self.settle()
                plan = self.plan(g)
                plan.reverse()
            i = plan.pop()
            self.bot.note(g, i)
            trace = extend_trace(trace, i)
            decisions += 1
            code = advance(g, i)
        self.settle()
        return decisions, trace, g.over, g.winners

    def settle(self) -> None:
        """Leave out what has happened."""
        fired = self.fired
        self.open = [at for at in self.open if not any(fired[sign] for sign in self.signs[at])]

    def plan(self, g: State) -> list[int]:
        """The next decisions."""
        length = STRETCHES[self.dice.below(len(STRETCHES))]
        if not self.open:
            return [self.dice.below(len(g.opts))]
        going: list[int] = []
        picks: list[int] = []
        close: list[int] = []  # the last try that came near
        left = tries = TRIES
        most = self.most()
        while left:
            left -= 1
            other = g.copy()
            track = [0] * len(self.fired)
            other.count_in(track)
            picks = []
            code = WAIT
            kept = self.dice.below(len(close)) if close else 0  # the rest of what came near is done in another way
            try:
                while code == WAIT and len(picks) < length:
                    i = close[len(picks)] if len(picks) < kept else self.choice(other)
                    picks.append(i)
                    code = advance(other, i)
            except FAULTS:
                return picks  # the game itself will tell
            for at in self.open:
                for sign in self.signs[at]:
                    if track[sign]:
                        return picks
            if tries < most and self.came_near(track):
                close = picks
                left += MORE
                tries += MORE
            if code == WAIT and not going:
                going = picks
        return going or picks

    def most(self) -> int:
        """How often a stretch may be tried."""
        if len(self.open) <= LITTLE:
            return HARDEST
        return MOST if len(self.open) * FEW < len(self.signs) else TRIES

    def came_near(self, track: list[int]) -> bool:
        for at in self.open:
            for sign in self.near[at]:
                if track[sign]:
                    return True
        return False

    def choice(self, g: State) -> int:
        n = len(g.opts)
        if n == 1:
            return 0
        return self.dice.below(n) if self.dice.below(2) else self.bot.least(g, self.dice)


__all__ = ["Steering"]

"""Lookahead: what an option of an imagined position leads to, through what the same seat may choose next, and what that
is worth.
"""

from __future__ import annotations

from typing import Final

from grimoire.runtime.bots.worth import WON, Worth
from grimoire.runtime.build.program import Program
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import Sequence
from grimoire.runtime.kernel.base import OPTION_DONE, OPTION_IN_TURN, OPTION_PASS, WAIT
from grimoire.runtime.kernel.events import WindowOp
from grimoire.runtime.kernel.menus import PollOp
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.state import State
from grimoire.runtime.kernel.trial import advance
from grimoire.runtime.play.faults import FAULTS

FRAME: Final = 3  # numbers that a frame takes
OUTWARD: Final = 3  # who reacts to an event sees what becomes of that many calls around it
MOST: Final = 40  # questions that are answered by themselves on the way


class Lookahead:
    """Tries options for one seat at a time."""

    def __init__(self, program: Program, dice: Dice) -> None:
        self.worth = Worth(program)
        self.dice = dice
        self.seat = -1
        # events in which nothing happens but what somebody uses: there is nothing to react to, it is a choice of its
        # own
        self.calls = frozenset(at for at, row in enumerate(program.procs) if says_nothing(row.body))
        self.steps = 0  # that may still be gone; when there are none left, a position is valued where it is

    def value(self, g: State, i: int, within: list[int], tries: int) -> int:
        """What an option is worth to the seat with the best of what it may choose next, as far as the tries go."""
        other = g.copy()
        try:
            if not self.on(other, i, within) or self.steps <= 0:
                return self.worth.of(other, self.seat)
            n = len(other.opts)
            if tries <= 1:  # the last option ends a choice of several things
                few = [n - 1 if ends_choice(other) else self.dice.below(n)]
            else:
                count = min(n, tries)
                first = self.dice.below(n)
                few = [n - 1, *[(first + n * k // count) % n for k in range(1, count)]] if count < n else list(range(n))
            share = (tries - 1) // len(few)
            return max([self.value(other, j, within, share) for j in few])
        except FAULTS:
            return -WON * 2

    def on(self, g: State, i: int, within: list[int]) -> bool:
        """Take an option and go on: whether the seat itself has something to choose then.

        Everybody passes who may react, and no order is chosen. What somebody else chooses is not looked through.
        """
        for _ in range(MOST):
            self.steps -= 1
            if advance(g, i) != WAIT or g.callers()[: len(within)] != within:
                return False
            op = g.waiter()
            if isinstance(op, PollOp):
                return False
            i = self.by_itself(g)
            if i < 0:
                if len(g.opts) > 1:
                    return op.seat(g, g.base) == self.seat
                i = 0
        return False

    def horizon(self, g: State) -> list[int]:
        """The frames of a waiting game inside of which is looked what comes of an option: those that are open.

        Where the seat reacts to an event, what becomes of the event matters: some calls around it are left, too.
        """
        frames = g.callers()
        at = len(frames)
        unit, pc = g.unit, g.pc
        while True:
            op = g.units[unit].code[pc]
            if isinstance(op, WindowOp):
                return frames[: at if op.unit.proc in self.calls else max(0, at - FRAME * OUTWARD)]
            at -= FRAME
            if at < 0:
                return frames
            unit, pc = frames[at], frames[at + 1]

    def by_itself(self, g: State) -> int:
        """The answer to a question of a window while nobody thinks about it, or -1: to pass; as the turns go; the
        first.
        """
        op = g.waiter()
        if not isinstance(op, WindowOp) or op.unit.proc in self.calls or not g.opts:
            return -1
        return len(g.opts) - 1 if op.option_kind(g, len(g.opts) - 1) == OPTION_PASS else 0


def ordering(g: State) -> bool:
    """Whether it is asked who comes first."""
    return len(g.opts) > 0 and g.waiter().option_kind(g, 0) == OPTION_IN_TURN


def says_nothing(body: Statement | None) -> bool:
    """Whether a body says nothing."""
    return isinstance(body, Sequence) and all(says_nothing(part) for part in body.body)


def ends_choice(g: State) -> bool:
    """Whether the seat asked may end a choice of several things here."""
    return g.waiter().option_kind(g, len(g.opts) - 1) == OPTION_DONE

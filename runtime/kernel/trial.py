"""Costs: whether a statement could be carried out in full, by trying it under a mark with bounded back-tracking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import DONE, WAIT, Expr, Op, TrialFailed
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_TRIES, ROOMY, TRY

if TYPE_CHECKING:
    from mypy_extensions import i64

    from grimoire.runtime.kernel.protocols import Recorder, Script


class Attempt:
    """What a trial puts aside and puts back."""

    __slots__ = ("asking", "depth", "goal", "log", "mark", "opts", "script", "track", "trial", "vals")

    def __init__(self, g: State, top: i64) -> None:
        """Before a trial; ``top`` is where the slots end that are in use."""
        g.charge_trial()
        self.mark = g.mark_in(top)
        self.trial = g.trial
        self.depth = g.goal_depth
        self.goal = g.goal_pc
        self.log: Recorder | None = g.log
        self.track = g.track
        self.script: Script | None = g.script  # what is forced is meant for what really happens
        self.opts = g.opts
        self.vals = g.vals
        self.asking = g.asking
        g.log = None
        g.track = None
        g.script = None

    def close(self, g: State) -> None:
        """Everything as it was."""
        g.undo(self.mark)
        g.drop()
        g.trial = self.trial
        g.goal_depth = self.depth
        g.goal_pc = self.goal
        g.log = self.log
        g.track = self.track
        g.script = self.script
        g.opts = self.opts
        g.vals = self.vals
        g.asking = self.asking


def search(g: State, pc: i64, budget: list[int]) -> bool:
    """Run on from a position; at decisions, try the options in order. True when the goal is reached."""
    try:
        code = g.run(pc)
    except TrialFailed:
        return False
    if code != WAIT:
        return True
    return any_option(g, budget, len(g.opts))


def any_option(g: State, budget: list[int], n: int) -> bool:
    """Whether some option of the waiting game leads to the goal. To choose no more, or to use nothing, is tried first:
    that is the shortest way."""
    g.charge_trial()
    opts = g.opts
    vals = g.vals
    asking = g.asking
    at = n - 1 if opts[n - 1] < 0 else 0
    mark = g.mark()
    try:
        for tried in range(n):
            if tried:
                g.undo(mark)
                g.opts = opts
                g.vals = vals
                g.asking = asking
                at = at + 1 if at + 1 < n else 0
            if try_option(g, at, budget):
                return True
    finally:
        g.drop()
    return False


def try_option(g: State, i: i64, budget: list[int]) -> bool:
    """Take one option and search on. What is not found within the budget is not there: nobody is offered what may not
    work."""
    budget[0] -= 1
    if budget[0] < 0:
        return False
    op = g.waiter()
    g.charge(TRY + op.weight + (g.base >> 3))
    try:
        pc = op.pick(g, g.base, i)
    except TrialFailed:
        return False
    return search(g, pc, budget)


def payable(g: State, start: int, goal: i64) -> bool:
    """Whether the code from ``start`` can reach ``goal`` in the running frame."""
    attempt = Attempt(g, g.top())
    g.trial = g.abil + 1
    g.goal_depth = g.depth
    g.goal_pc = goal
    try:
        return search(g, start, [MAX_TRIES])
    finally:
        attempt.close(g)


class PayOp(Op):
    """Payable in full: go on with the cost; otherwise leave it."""

    __slots__ = ("goal", "next", "other")

    def __init__(self) -> None:
        super().__init__()
        self.next: i64 = -1
        self.other: i64 = -1
        self.goal: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]
        self.other = thread[self.other]

    def step(self, g: State, b: i64) -> i64:
        return self.next if payable(g, self.next, self.goal) else self.other


class PaidOp(Op):
    """The end of a cost: the goal of a trial."""

    __slots__ = ("next",)

    def __init__(self) -> None:
        super().__init__()
        self.next: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]

    def step(self, g: State, b: i64) -> i64:
        if g.goal_pc == self.pc and g.goal_depth == g.depth:
            return DONE
        return self.next


class Can(Expr):
    """Whether a statement that may wait could be carried out in full; its code is a unit of its own."""

    __slots__ = ("goal", "unit")

    def __init__(self, unit: i64) -> None:
        self.unit = unit
        self.goal: i64 = -1

    def test(self, g: State, b: i64) -> bool:
        attempt = Attempt(g, b + g.units[self.unit].window)
        g.push_caller(g.pc)
        g.unit = self.unit
        g.base = b
        g.trial = g.abil + 1
        g.goal_depth = g.depth
        g.goal_pc = self.goal
        try:
            return search(g, 0, [MAX_TRIES])
        finally:
            attempt.close(g)


def prune(g: State) -> None:
    """While a cost is being paid, offer only what lets it be paid in full."""
    if not g.waiter().pays():
        return
    goal = -1
    depth = -1
    for number in range(g.depth + 1):
        unit = g.units[g.frame_unit(number)]
        pc = g.frame_pc(number)
        if unit.paying and unit.paying[pc] >= 0:
            goal = unit.paying[pc]
            depth = number
            break
    if goal < 0:
        return
    kept: list[int] = []
    attempt = Attempt(g, g.top())
    abil = 0
    for number in range(depth + 1):
        if g.units[g.frame_unit(number)].ability:
            abil += 1
    g.trial = abil + 1
    g.goal_depth = depth
    g.goal_pc = goal
    budget = [MAX_TRIES]
    try:
        for i in range(len(attempt.opts)):
            if i:
                g.undo(attempt.mark)
                g.opts = attempt.opts
                g.vals = attempt.vals
                g.asking = attempt.asking
            if try_option(g, i, budget):
                kept.append(i)
    finally:
        attempt.close(g)
    if kept:
        vals = g.vals
        g.opts = [g.opts[i] for i in kept]
        if len(vals) >= len(attempt.opts):
            g.vals = [vals[i] for i in kept]


def advance(g: State, i: i64) -> int:
    """Answer with option i and run to the next decision or the end."""
    g.work = 0
    if len(g.slots) > ROOMY:
        g.trim()
    op = g.waiter()
    if g.track is not None:
        for at in op.tracks:
            g.track[at] += 1
    code = g.run(op.pick(g, g.base, i))
    if code == WAIT and g.tables.pays:
        prune(g)
    return code


def start(g: State) -> int:
    """Run from the present position to the first decision or the end."""
    g.work = 0
    code = g.run(g.pc)
    if code == WAIT and g.tables.pays:
        prune(g)
    return code


def refresh(g: State) -> None:
    """Derive the options of a waiting game again: a question of its own."""
    g.work = 0
    if g.waiting:
        g.waiter().refresh(g, g.base)
        if g.tables.pays:
            prune(g)

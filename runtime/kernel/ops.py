"""Flat code: the operations that run blocks, branch, loop, call and leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.base import (
    CALL,
    END,
    OVER,
    RET,
    RETURN,
    STOP,
    X_RESULT,
    Expr,
    Op,
    Selector,
    Stmt,
    fill_window,
)
from grimoire.runtime.kernel.blocks import Seq
from grimoire.runtime.kernel.nodes import Var
from grimoire.runtime.kernel.selectors import Seats
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_WORK, ROOMY, WORD

if TYPE_CHECKING:
    from mypy_extensions import i64

FIELD: Final = 32
HALF: Final = 1 << 31
FIELD_MASK: Final = (1 << 32) - 1


def pack(items: list[int]) -> int:
    """A list of small ints as one int: 32-bit fields, the first lowest; 0 is the empty list."""
    packed = 0
    for x in reversed(items):
        packed = (packed << FIELD) | (x + HALF)
    return packed


def unpack(packed: int) -> list[int]:
    """The list that ``pack`` packed."""
    items: list[int] = []
    while packed:
        items.append((packed & FIELD_MASK) - HALF)
        packed >>= FIELD
    return items


class Jump(Op):
    __slots__ = ("next",)

    def __init__(self) -> None:
        super().__init__()
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        return self.next


class Block(Op):
    """A statement that never waits, with the ways out of it."""

    __slots__ = ("after", "again", "extras", "next", "parts", "stop")

    def __init__(self, stmt: Stmt, extras: i64) -> None:
        super().__init__()
        self.parts = stmt.parts if isinstance(stmt, Seq) else [stmt]
        self.next: i64 = -1
        self.stop: i64 = -1
        self.again: i64 = -1
        self.after: i64 = -1  # where a return goes in an event, else -1
        self.extras = extras

    def step(self, g: State, b: i64) -> i64:
        for part in self.parts:
            code = part.run(g, b)
            if code:
                return self.out(g, b, code)
        return self.next

    def out(self, g: State, b: i64, code: int) -> i64:
        """Where it goes on when a part does not simply end."""
        if code == OVER:
            return END
        if code == STOP:
            return self.stop
        if code == RETURN:
            if self.after >= 0:
                g.slots[b + self.extras + X_RESULT] = g.result
                return self.after
            g.ok = 1
            return RET
        return self.again

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]
        if self.stop >= 0:
            self.stop = thread[self.stop]
            self.again = thread[self.again]
        if self.after >= 0:
            self.after = thread[self.after]


class Single(Block):
    """A block of one statement."""

    __slots__ = ("stmt",)

    def __init__(self, stmt: Stmt, extras: i64) -> None:
        super().__init__(stmt, extras)
        self.stmt = stmt

    def step(self, g: State, b: i64) -> i64:
        code = self.stmt.run(g, b)
        return self.out(g, b, code) if code else self.next


def block_op(stmt: Stmt, extras: i64) -> Block:
    """The operation that runs a statement."""
    return Block(stmt, extras) if isinstance(stmt, Seq) else Single(stmt, extras)


class Finish(Op):
    """The end of a procedure: returns nothing."""

    __slots__ = ()

    def step(self, g: State, b: i64) -> i64:
        g.ok = 1
        g.result = -1
        return RET


class BranchOp(Op):
    __slots__ = ("cond", "next", "other")

    def __init__(self, cond: Expr) -> None:
        super().__init__()
        self.cond = cond
        self.next: i64 = -1
        self.other: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        return self.next if self.cond.test(g, b) else self.other

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]
        self.other = thread[self.other]


class LoopStart(Op):
    """foreach: the snapshot goes into a hidden slot. All rounds are charged here; a packed list is copied in every
    round."""

    __slots__ = ("hidden", "next", "place", "sel")

    def __init__(self, sel: Selector, hidden: i64) -> None:
        super().__init__()
        self.sel = sel
        self.hidden = hidden
        self.next: i64 = -1
        self.place: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        items = self.sel.items(g, b)
        n = len(items)
        g.work += (n + 1) * self.weight
        if n > ROOMY:
            g.work += n * n >> WORD
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        g.slots[b + self.hidden] = pack(items)
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class SeatsStart(Op):
    """foreach over all seats: what is left is one small number, how many times the number of seats plus the next
    seat."""

    __slots__ = ("address", "firsts", "hidden", "next", "place", "start")

    def __init__(self, sel: Seats, hidden: i64) -> None:
        super().__init__()
        self.start = sel.start
        self.address = sel.start.address if isinstance(sel.start, Var) else -1
        seats = len(sel.rounds[0])
        self.firsts = [seats * seats + first for first in range(seats)]
        self.hidden = hidden
        self.next: i64 = -1
        self.place: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        g.work += self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        first: i64 = g.mem[self.address] if self.address >= 0 else self.start.ev(g, b)
        g.slots[b + self.hidden] = self.firsts[first if first >= 0 else 0]
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class SeatsNext(Op):
    """The head of such a loop."""

    __slots__ = ("exit", "hidden", "i", "next", "seats")

    def __init__(self, i: i64, hidden: i64, seats: i64) -> None:
        super().__init__()
        self.i = i
        self.hidden = hidden
        self.seats = seats
        self.next: i64 = -1
        self.exit: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        slots = g.slots
        left: i64 = slots[b + self.hidden]
        n = self.seats
        if left < n:
            return self.exit
        seat = left % n
        slots[b + self.i] = seat
        slots[b + self.hidden] = left - n + 1 if seat < n - 1 else left - n - n + 1
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]
        self.exit = thread[self.exit]


class LoopNext(Op):
    __slots__ = ("exit", "hidden", "i", "next")

    def __init__(self, i: i64, hidden: i64) -> None:
        super().__init__()
        self.i = i
        self.hidden = hidden
        self.next: i64 = -1
        self.exit: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        slots = g.slots
        packed = slots[b + self.hidden]
        if packed == 0:
            return self.exit
        slots[b + self.i] = (packed & FIELD_MASK) - HALF
        slots[b + self.hidden] = packed >> FIELD
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]
        self.exit = thread[self.exit]


class RepeatStart(Op):
    __slots__ = ("hidden", "next", "times")

    def __init__(self, times: Expr, hidden: i64) -> None:
        super().__init__()
        self.times = times
        self.hidden = hidden
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        g.slots[b + self.hidden] = max(self.times.ev(g, b), 0)
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class RepeatNext(Op):
    """The head of a counted loop; without a count (hidden < 0) it only counts work."""

    __slots__ = ("exit", "hidden", "next", "place")

    def __init__(self, hidden: i64) -> None:
        super().__init__()
        self.hidden = hidden
        self.next: i64 = -1
        self.exit: i64 = -1
        self.place: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        g.work += self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        if self.hidden >= 0:
            left = g.slots[b + self.hidden]
            if left <= 0:
                return self.exit
            g.slots[b + self.hidden] = left - 1
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]
        self.exit = thread[self.exit]


class CallOp(Op):
    __slots__ = ("args", "next", "ok", "result", "unit")

    def __init__(self, unit: i64, args: list[Expr], result: int, ok: int) -> None:
        super().__init__()
        self.unit = unit
        self.args = args
        self.result = result
        self.ok = ok
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        g.enter(self.unit, self.pc, fill_window(g.units[self.unit].blank, self.args, g, b))
        return CALL

    def resume(self, g: State, b: i64) -> i64:
        if self.result >= 0:
            g.slots[b + self.result] = g.result
        if self.ok >= 0:
            g.slots[b + self.ok] = 1
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class ProgramOp(Op):
    """Runs the program of a piece's definition, if it has one of that name."""

    __slots__ = ("next", "piece", "result", "units", "you")

    def __init__(self, piece: Expr, you: Expr, units: list[int], result: int) -> None:
        super().__init__()
        self.piece = piece
        self.you = you
        self.units = units
        self.result = result
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        piece = self.piece.ev(g, b)
        unit = self.units[g.tables.piece_def[piece]] if piece >= 0 else -1
        if unit < 0:
            g.result = -1
            return self.resume(g, b)
        window = g.units[unit].blank[:]
        window[0] = self.you.ev(g, b)
        window[1] = piece
        g.enter(unit, self.pc, window)
        return CALL

    def resume(self, g: State, b: i64) -> i64:
        if self.result >= 0:
            g.slots[b + self.result] = g.result
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class InlineStart(Op):
    """A call written into its caller: fills the window of the procedure, which lies in hidden slots."""

    __slots__ = ("args", "at", "blank", "next", "proc", "since")

    def __init__(self, proc: i64, args: list[Expr], at: i64, blank: list[int], since: int) -> None:
        super().__init__()
        self.proc = proc  # -1: a plain call, which is not logged
        self.args = args
        self.at = at
        self.blank = blank
        self.since = since
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        window = fill_window(self.blank, self.args, g, b)
        at = b + self.at
        g.slots[at : at + len(window)] = window
        if g.log is not None and self.proc >= 0:
            g.slots[b + self.since] = g.log.begin(g, self.proc, at)
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class InlineEnd(Op):
    """The end of a call written into its caller."""

    __slots__ = ("at", "found", "next", "ok", "proc", "result", "since")

    def __init__(self, proc: i64, at: i64, found: int, since: int, ok: int, result: int) -> None:
        super().__init__()
        self.proc = proc  # -1: a plain call, which is not logged
        self.at = at
        self.found = found
        self.since = since
        self.ok = ok
        self.result = result
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        if g.log is not None and self.proc >= 0:
            result = g.slots[b + self.found] if self.found >= 0 else -1
            g.log.event(g, self.proc, b + self.at, 1, g.slots[b + self.since], result)
        if self.ok >= 0:
            g.slots[b + self.ok] = 1
        if self.result >= 0:
            g.slots[b + self.result] = g.slots[b + self.found]
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class LeaveOp(Op):
    __slots__ = ("proc", "value")

    def __init__(self, proc: i64, value: Expr | None) -> None:
        super().__init__()
        self.proc = proc
        self.value = value

    def step(self, g: State, b: i64) -> i64:
        g.result = -1 if self.value is None else self.value.ev(g, b)
        return g.unwind(self.proc)


class CountingOp(Op):
    """Counts that a statement was reached; only in programs built with tracking."""

    __slots__ = ("at", "inner")

    def __init__(self, at: i64, inner: Op) -> None:
        super().__init__()
        self.at = at
        self.inner = inner
        self.pc = inner.pc

    def step(self, g: State, b: i64) -> i64:
        if g.track is not None:
            g.track[self.at] += 1
        return self.inner.step(g, b)

    def resume(self, g: State, b: i64) -> i64:
        return self.inner.resume(g, b)

    def relink(self, thread: list[int]) -> None:
        inner = self.inner
        inner.relink(thread)
        if isinstance(inner, Jump):
            inner.next = thread[inner.next]


def strip_counters(op: Op) -> Op:
    """The operation itself, without what counts that it was reached."""
    while isinstance(op, CountingOp):
        op = op.inner
    return op


def count_reached(op: Op, at: i64) -> Op:
    """An operation that counts. What waits is counted when it is answered."""
    if op.asks:
        op.tracks = [*op.tracks, at]
        return op
    return CountingOp(at, op)

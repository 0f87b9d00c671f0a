"""Statements that run others: sequences, branches, loops, calls, costs. They never wait: no frame, the window of their
procedure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import (
    AGAIN,
    NEXT,
    OVER,
    RETURN,
    SPARE,
    STOP,
    Expr,
    Selector,
    Stmt,
    TrialFailed,
    fill_window,
)
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_WORK

if TYPE_CHECKING:
    from mypy_extensions import i64


class Seq(Stmt):
    __slots__ = ("parts",)

    def __init__(self, parts: list[Stmt]) -> None:
        self.parts = parts

    def run(self, g: State, b: i64) -> i64:
        for part in self.parts:
            code = part.run(g, b)
            if code:
                return code
        return NEXT


class Nothing(Stmt):
    __slots__ = ()

    def run(self, g: State, b: i64) -> i64:
        return NEXT


class Branch(Stmt):
    __slots__ = ("cond", "no", "yes")

    def __init__(self, cond: Expr, yes: Stmt, no: Stmt) -> None:
        self.cond = cond
        self.yes = yes
        self.no = no

    def run(self, g: State, b: i64) -> i64:
        if self.cond.test(g, b):
            return self.yes.run(g, b)
        return self.no.run(g, b)


class When(Stmt):
    """A branch without else."""

    __slots__ = ("cond", "yes")

    def __init__(self, cond: Expr, yes: Stmt) -> None:
        self.cond = cond
        self.yes = yes

    def run(self, g: State, b: i64) -> i64:
        return self.yes.run(g, b) if self.cond.test(g, b) else NEXT


class WhenBoth(Stmt):
    """A branch without else that needs two tests."""

    __slots__ = ("also", "cond", "yes")

    def __init__(self, cond: Expr, also: Expr, yes: Stmt) -> None:
        self.cond = cond
        self.also = also
        self.yes = yes

    def run(self, g: State, b: i64) -> i64:
        return self.yes.run(g, b) if self.cond.test(g, b) and self.also.test(g, b) else NEXT


class WhenAny(Stmt):
    """A branch without else that needs an element of a selector."""

    __slots__ = ("sel", "yes")

    def __init__(self, sel: Selector, yes: Stmt) -> None:
        self.sel = sel
        self.yes = yes

    def run(self, g: State, b: i64) -> i64:
        return self.yes.run(g, b) if self.sel.some(g, b) else NEXT


class WhenNone(WhenAny):
    __slots__ = ()

    def run(self, g: State, b: i64) -> i64:
        return NEXT if self.sel.some(g, b) else self.yes.run(g, b)


class Foreach(Stmt):
    __slots__ = ("body", "i", "sel")

    def __init__(self, i: i64, sel: Selector, body: Stmt) -> None:
        self.i = i
        self.sel = sel
        self.body = body

    def run(self, g: State, b: i64) -> i64:
        at = b + self.i
        slots = g.slots
        body = self.body
        for x in self.sel.items(g, b)[:]:
            slots[at] = x
            code = body.run(g, b)
            if code:
                if code == STOP:
                    break
                if code != AGAIN:
                    return code
        return NEXT


class Repeat(Stmt):
    """A loop with or without a number of rounds."""

    __slots__ = ("body", "place", "times", "weight")

    def __init__(self, times: Expr | None, body: Stmt, weight: i64, place: i64) -> None:
        self.times = times
        self.body = body
        self.weight = weight
        self.place = place

    def run(self, g: State, b: i64) -> i64:
        left = -1 if self.times is None else max(self.times.ev(g, b), 0)
        body = self.body
        while left != 0:
            left -= 1
            g.work += self.weight
            if g.work > MAX_WORK:
                g.raise_exceeded(self.place)
            code = body.run(g, b)
            if code:
                if code == STOP:
                    break
                if code != AGAIN:
                    return code
        return NEXT


class Signal(Stmt):
    """stop and again."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        self.code = code

    def run(self, g: State, b: i64) -> i64:
        return self.code


class Return(Stmt):
    __slots__ = ("value",)

    def __init__(self, value: Expr | None) -> None:
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        g.result = -1 if self.value is None else self.value.ev(g, b)
        return RETURN


class Routine:
    """A procedure that never waits, for direct calls; filled in after it is built."""

    __slots__ = ("blank", "body", "name", "place", "proc", "weight", "window")

    def __init__(self, proc: i64, name: str, weight: i64, place: i64) -> None:
        self.proc = proc
        self.name = name
        self.weight = weight  # units of work of one call, logged
        self.place = place
        self.body: Stmt = Nothing()
        self.window: i64 = 0
        self.blank: list[int] = []


class CallDirect(Stmt):
    """A call, or an event that nobody in the package hears, of a procedure that never waits."""

    __slots__ = ("args", "logged", "ok", "result", "routine", "window")

    def __init__(self, routine: Routine, args: list[Expr], window: i64, ok: int, result: int, logged: bool) -> None:
        self.routine = routine
        self.args = args
        self.window = window
        self.ok = ok
        self.result = result
        self.logged = logged

    def run(self, g: State, b: i64) -> i64:
        r = self.routine
        base = b + self.window
        window = fill_window(r.blank, self.args, g, b)
        slots = g.slots
        if len(slots) < base + r.window + SPARE:
            g.room(base + r.window)
        slots[base : base + r.window] = window
        g.work += r.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(r.place)
        since = g.log.begin(g, r.proc, base) if g.log is not None and self.logged else 0
        code = r.body.run(g, base)
        if self.logged and g.log is not None:
            g.log.event(g, r.proc, base, 1, since, g.result if code == RETURN else -1)
        if code == OVER:
            return OVER
        if self.result >= 0:
            slots[b + self.result] = g.result if code == RETURN else -1
        if self.ok >= 0:
            slots[b + self.ok] = 1
        return NEXT


class InlinedCall(Stmt):
    """A call whose window lies in hidden slots of the caller: for procedures that do not return early.

    Only the arguments in ``stored`` are read from that window; the log wants them all.
    """

    __slots__ = ("args", "at", "body", "logged", "ok", "proc", "result", "stored")

    def __init__(
        self, proc: i64, args: list[Expr], stored: list[int], at: i64, body: Stmt, ok: int, result: int, logged: bool
    ) -> None:
        self.proc = proc
        self.args = args
        self.stored = stored
        self.at = at
        self.body = body
        self.ok = ok
        self.result = result
        self.logged = logged

    def run(self, g: State, b: i64) -> i64:
        slots = g.slots
        at = b + self.at
        if g.log is None:
            if self.stored:
                args = self.args
                for i in self.stored:
                    slots[at + i] = args[i].ev(g, b)
            if self.body.run(g, b):
                return OVER
        else:
            for i, arg in enumerate(self.args):
                slots[at + i] = arg.ev(g, b)
            since = g.log.begin(g, self.proc, at) if self.logged else 0
            code = self.body.run(g, b)
            if self.logged:
                g.log.event(g, self.proc, at, 1, since)
            if code:
                return OVER
        if self.ok >= 0:
            slots[b + self.ok] = 1
        if self.result >= 0:
            slots[b + self.result] = -1
        return NEXT


class ProgramDirect(Stmt):
    """A definition's program, where none of that name ever waits."""

    __slots__ = ("piece", "result", "table", "window", "you")

    def __init__(self, piece: Expr, you: Expr, table: list[Routine | None], window: i64, result: int) -> None:
        self.piece = piece
        self.you = you
        self.table = table
        self.window = window
        self.result = result

    def run(self, g: State, b: i64) -> i64:
        piece = self.piece.ev(g, b)
        value = -1
        if piece >= 0:
            r = self.table[g.tables.piece_def[piece]]
            if r is not None:
                base = b + self.window
                you = self.you.ev(g, b)
                g.room(base + r.window)
                g.slots[base : base + r.window] = [you, piece] + [-1] * (r.window - 2)
                g.work += r.weight
                if g.work > MAX_WORK:
                    g.raise_exceeded(r.place)
                code = r.body.run(g, base)
                if code == OVER:
                    return OVER
                if code == RETURN:
                    value = g.result
        if self.result >= 0:
            g.slots[b + self.result] = value
        return NEXT


class PayDirect(Stmt):
    """A cost that never waits: pay under a mark, and take it back if it cannot be paid in full."""

    __slots__ = ("cost", "no", "yes")

    def __init__(self, cost: Stmt, yes: Stmt, no: Stmt) -> None:
        self.cost = cost
        self.yes = yes
        self.no = no

    def run(self, g: State, b: i64) -> i64:
        g.charge_trial()
        mark = g.mark()
        trial = g.trial
        g.trial = g.abil + 1
        code = NEXT
        paid = True
        try:
            code = self.cost.run(g, b)
        except TrialFailed:
            paid = False
            g.undo(mark)
        finally:
            g.trial = trial
            g.drop()
        if not paid:
            return self.no.run(g, b)
        return code if code else self.yes.run(g, b)


class CanDirect(Expr):
    """Whether a statement that never waits could be carried out in full."""

    __slots__ = ("cost", "window")

    def __init__(self, cost: Stmt, window: i64) -> None:
        self.cost = cost
        self.window = window

    def ev(self, g: State, b: i64) -> int:
        return 1 if self.test(g, b) else 0

    def test(self, g: State, b: i64) -> bool:
        g.charge_trial()
        mark = g.mark_in(b + self.window)
        trial = g.trial
        log = g.log
        track = g.track
        script = g.script
        g.log = None
        g.track = None
        g.script = None  # what is forced is meant for what really happens
        g.trial = g.abil + 1
        try:
            self.cost.run(g, b)
            return True
        except TrialFailed:
            return False
        finally:
            g.script = script
            g.trial = trial
            g.undo(mark)
            g.drop()
            g.log = log
            g.track = track


class Track(Stmt):
    """Counts that a statement was reached; only in programs built with tracking."""

    __slots__ = ("at", "inner")

    def __init__(self, at: i64, inner: Stmt) -> None:
        self.at = at
        self.inner = inner

    def run(self, g: State, b: i64) -> i64:
        if g.track is not None:
            g.track[self.at] += 1
        return self.inner.run(g, b)

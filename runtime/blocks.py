"""Statements that never wait: they run directly, without frames, inside the window of their procedure."""

from __future__ import annotations

from grimoire.runtime.base import (
    AGAIN,
    CANCELLED,
    MAX_TICKS,
    NEXT,
    OVER,
    RETURN,
    SCRIPTED,
    SPARE,
    STOP,
    X_RESULT,
    X_STATUS,
    Expr,
    Selector,
    Stmt,
    TrialFailed,
)
from grimoire.runtime.selectors import bits
from grimoire.runtime.state import State


def breach(g: State) -> None:
    """Something could not be done in full: fatal to a cost that is being tried, nothing otherwise."""
    if g.trial == g.abil + 1:
        raise TrialFailed


class Seq(Stmt):
    __slots__ = ("parts",)

    def __init__(self, parts: list[Stmt]) -> None:
        self.parts = parts

    def run(self, g: State, b: int) -> int:
        for part in self.parts:
            code = part.run(g, b)
            if code:
                return code
        return NEXT


class Nothing(Stmt):
    __slots__ = ()

    def run(self, g: State, b: int) -> int:
        return NEXT


class Let(Stmt):
    __slots__ = ("i", "value")

    def __init__(self, i: int, value: Expr) -> None:
        self.i = i
        self.value = value

    def run(self, g: State, b: int) -> int:
        g.slots[b + self.i] = self.value.ev(g, b)
        return NEXT


class SetVar(Stmt):
    __slots__ = ("address", "value")

    def __init__(self, address: int, value: Expr) -> None:
        self.address = address
        self.value = value

    def run(self, g: State, b: int) -> int:
        value = self.value.ev(g, b)
        if g.tracing:
            g.trail.append(g.mem[self.address])
            g.trail.append(self.address)
        g.mem[self.address] = value
        return NEXT


class SetBounded(Stmt):
    """A variable with bounds."""

    __slots__ = ("address", "high", "low", "value")

    def __init__(self, address: int, value: Expr, low: int | None, high: int | None) -> None:
        self.address = address
        self.value = value
        self.low = low
        self.high = high

    def run(self, g: State, b: int) -> int:
        g.put(self.address, clamp(g, self.value.ev(g, b), self.low, self.high))
        return NEXT


def clamp(g: State, value: int, low: int | None, high: int | None) -> int:
    """A value inside its bounds; leaving them is a breach."""
    if low is not None and value < low:
        breach(g)
        return low
    if high is not None and value > high:
        breach(g)
        return high
    return value


class SetCol(Stmt):
    __slots__ = ("base", "of", "value")

    def __init__(self, base: int, of: Expr, value: Expr) -> None:
        self.base = base
        self.of = of
        self.value = value

    def run(self, g: State, b: int) -> int:
        o = self.of.ev(g, b)
        value = self.value.ev(g, b)
        if o >= 0:
            address = self.base + o
            if g.tracing:
                g.trail.append(g.mem[address])
                g.trail.append(address)
            g.mem[address] = value
        return NEXT


class SetColBounded(Stmt):
    __slots__ = ("base", "high", "low", "of", "value")

    def __init__(self, base: int, of: Expr, value: Expr, low: int | None, high: int | None) -> None:
        self.base = base
        self.of = of
        self.value = value
        self.low = low
        self.high = high

    def run(self, g: State, b: int) -> int:
        o = self.of.ev(g, b)
        value = self.value.ev(g, b)
        if o >= 0:
            g.put(self.base + o, clamp(g, value, self.low, self.high))
        return NEXT


class SetSetting(Stmt):
    __slots__ = ("i", "proc", "value")

    def __init__(self, proc: int, i: int, value: Expr) -> None:
        self.proc = proc
        self.i = i
        self.value = value

    def run(self, g: State, b: int) -> int:
        value = self.value.ev(g, b)
        number = g.running(self.proc)
        if number >= 0:
            g.slots[g.frame_base(number) + self.i] = value
        return NEXT


class Move(Stmt):
    __slots__ = ("piece", "seen", "to", "top")

    def __init__(self, piece: Expr, to: Expr, top: bool, seen: int) -> None:
        self.piece = piece
        self.to = to
        self.top = top
        self.seen = seen

    def run(self, g: State, b: int) -> int:
        piece = self.piece.ev(g, b)
        if piece >= 0:
            g.move(piece, self.to.ev(g, b), self.top, self.seen)
        else:
            breach(g)
        return NEXT


class Shuffle(Stmt):
    __slots__ = ("zone",)

    def __init__(self, zone: Expr) -> None:
        self.zone = zone

    def run(self, g: State, b: int) -> int:
        z = self.zone.ev(g, b)
        if z >= 0:
            g.shuffle(z)
        return NEXT


class Random(Stmt):
    __slots__ = ("i", "sel")

    def __init__(self, i: int, sel: Selector) -> None:
        self.i = i
        self.sel = sel

    def run(self, g: State, b: int) -> int:
        items = self.sel.items(g, b)
        value = -1
        if items:
            at = -1
            if g.script is not None:
                position = g.mem[SCRIPTED]
                at = g.script.index(g, items, position)
                if at >= 0:
                    g.put(SCRIPTED, position + 1)
            if at < 0:
                at = g.draw(len(items))
            value = items[at]
        g.slots[b + self.i] = value
        return NEXT


class Look(Stmt):
    __slots__ = ("what", "who")

    def __init__(self, who: Expr, what: Expr) -> None:
        self.who = who
        self.what = what

    def run(self, g: State, b: int) -> int:
        who = self.who.ev(g, b) & g.tables.everyone
        for piece in bits(self.what.ev(g, b)):
            g.learn(piece, who)
        return NEXT


class Branch(Stmt):
    __slots__ = ("cond", "no", "yes")

    def __init__(self, cond: Expr, yes: Stmt, no: Stmt) -> None:
        self.cond = cond
        self.yes = yes
        self.no = no

    def run(self, g: State, b: int) -> int:
        if self.cond.test(g, b):
            return self.yes.run(g, b)
        return self.no.run(g, b)


class When(Stmt):
    """A branch without else."""

    __slots__ = ("cond", "yes")

    def __init__(self, cond: Expr, yes: Stmt) -> None:
        self.cond = cond
        self.yes = yes

    def run(self, g: State, b: int) -> int:
        return self.yes.run(g, b) if self.cond.test(g, b) else NEXT


class WhenBoth(Stmt):
    """A branch without else that needs two tests."""

    __slots__ = ("also", "cond", "yes")

    def __init__(self, cond: Expr, also: Expr, yes: Stmt) -> None:
        self.cond = cond
        self.also = also
        self.yes = yes

    def run(self, g: State, b: int) -> int:
        return self.yes.run(g, b) if self.cond.test(g, b) and self.also.test(g, b) else NEXT


class WhenAny(Stmt):
    """A branch without else that needs an element of a selector."""

    __slots__ = ("sel", "yes")

    def __init__(self, sel: Selector, yes: Stmt) -> None:
        self.sel = sel
        self.yes = yes

    def run(self, g: State, b: int) -> int:
        return self.yes.run(g, b) if self.sel.some(g, b) else NEXT


class WhenNone(WhenAny):
    __slots__ = ()

    def run(self, g: State, b: int) -> int:
        return NEXT if self.sel.some(g, b) else self.yes.run(g, b)


class Foreach(Stmt):
    __slots__ = ("body", "i", "sel")

    def __init__(self, i: int, sel: Selector, body: Stmt) -> None:
        self.i = i
        self.sel = sel
        self.body = body

    def run(self, g: State, b: int) -> int:
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

    __slots__ = ("body", "times")

    def __init__(self, times: Expr | None, body: Stmt) -> None:
        self.times = times
        self.body = body

    def run(self, g: State, b: int) -> int:
        left = -1 if self.times is None else max(self.times.ev(g, b), 0)
        body = self.body
        while left != 0:
            left -= 1
            g.ticks += 1
            if g.ticks > MAX_TICKS:
                g.exceeded()
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

    def run(self, g: State, b: int) -> int:
        return self.code


class Return(Stmt):
    __slots__ = ("value",)

    def __init__(self, value: Expr | None) -> None:
        self.value = value

    def run(self, g: State, b: int) -> int:
        g.result = -1 if self.value is None else self.value.ev(g, b)
        return RETURN


class Routine:
    """A procedure that never waits, for direct calls; filled in after it is built."""

    __slots__ = ("body", "name", "pad", "proc", "window")

    def __init__(self, proc: int, name: str) -> None:
        self.proc = proc
        self.name = name
        self.body: Stmt = Nothing()
        self.window = 0
        self.pad: list[int] = []


class CallDirect(Stmt):
    """A call, or an event that nobody in the package hears, of a procedure that never waits."""

    __slots__ = ("args", "logged", "ok", "result", "routine", "window")

    def __init__(self, routine: Routine, args: list[Expr], window: int, ok: int, result: int, logged: bool) -> None:
        self.routine = routine
        self.args = args
        self.window = window
        self.ok = ok
        self.result = result
        self.logged = logged

    def run(self, g: State, b: int) -> int:
        r = self.routine
        base = b + self.window
        values = [arg.ev(g, b) for arg in self.args]
        slots = g.slots
        if len(slots) < base + r.window + SPARE:
            g.room(base + r.window)
        slots[base : base + r.window] = values + r.pad
        g.ticks += 1
        since = g.log.now() if g.log is not None else 0
        code = r.body.run(g, base)
        if self.logged and g.log is not None:
            g.log.event(g, r.proc, base, 1, since)
        if code == OVER:
            return OVER
        if self.result >= 0:
            slots[b + self.result] = g.result if code == RETURN else -1
        if self.ok >= 0:
            slots[b + self.ok] = 1
        return NEXT


class Inlined(Stmt):
    """A call whose window lies in hidden slots of the caller: for procedures that do not return early.

    Only the arguments in ``stored`` are read from that window; the log wants them all.
    """

    __slots__ = ("args", "at", "body", "logged", "ok", "proc", "result", "stored")

    def __init__(
        self, proc: int, args: list[Expr], stored: list[int], at: int, body: Stmt, ok: int, result: int, logged: bool
    ) -> None:
        self.proc = proc
        self.args = args
        self.stored = stored
        self.at = at
        self.body = body
        self.ok = ok
        self.result = result
        self.logged = logged

    def run(self, g: State, b: int) -> int:
        g.ticks += 1
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
            since = g.log.now()
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

    def __init__(self, piece: Expr, you: Expr, table: list[Routine | None], window: int, result: int) -> None:
        self.piece = piece
        self.you = you
        self.table = table
        self.window = window
        self.result = result

    def run(self, g: State, b: int) -> int:
        piece = self.piece.ev(g, b)
        value = -1
        if piece >= 0:
            r = self.table[g.tables.piece_def[piece]]
            if r is not None:
                base = b + self.window
                you = self.you.ev(g, b)
                g.room(base + r.window)
                g.slots[base : base + r.window] = [you, piece] + [-1] * (r.window - 2)
                g.ticks += 1
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

    def run(self, g: State, b: int) -> int:
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

    __slots__ = ("cost",)

    def __init__(self, cost: Stmt) -> None:
        self.cost = cost

    def ev(self, g: State, b: int) -> int:
        return 1 if self.test(g, b) else 0

    def test(self, g: State, b: int) -> bool:
        mark = g.mark()
        trial = g.trial
        log = g.log
        track = g.track
        kept = g.slots[:]
        g.log = None
        g.track = None
        g.trial = g.abil + 1
        try:
            self.cost.run(g, b)
            return True
        except TrialFailed:
            return False
        finally:
            g.trial = trial
            g.undo(mark)
            g.drop()
            g.slots[: len(kept)] = kept
            g.log = log
            g.track = track


class Cancel(Stmt):
    __slots__ = ("at",)

    def __init__(self, at: int) -> None:
        self.at = at

    def run(self, g: State, b: int) -> int:
        slots = g.slots
        slots[slots[b + self.at + 1] + X_STATUS] = CANCELLED
        return NEXT


class SetArg(Stmt):
    __slots__ = ("at", "i", "value")

    def __init__(self, at: int, i: int, value: Expr) -> None:
        self.at = at
        self.i = i
        self.value = value

    def run(self, g: State, b: int) -> int:
        value = self.value.ev(g, b)
        g.slots[g.slots[b + self.at] + self.i] = value
        return NEXT


class SetResult(Stmt):
    __slots__ = ("at", "value")

    def __init__(self, at: int, value: Expr) -> None:
        self.at = at
        self.value = value

    def run(self, g: State, b: int) -> int:
        value = self.value.ev(g, b)
        g.slots[g.slots[b + self.at + 1] + X_RESULT] = value
        return NEXT


class Grant(Stmt):
    __slots__ = ("abilities", "captures", "modifiers", "until")

    def __init__(self, abilities: list[int], modifiers: list[int], until: int, captures: list[Expr]) -> None:
        self.abilities = abilities
        self.modifiers = modifiers
        self.until = until
        self.captures = captures

    def run(self, g: State, b: int) -> int:
        captures = [capture.ev(g, b) for capture in self.captures]
        depth = -1 if self.until < 0 else max(g.running(self.until), 0)
        you = g.slots[b]
        for which in self.abilities:
            g.grant(0, which, you, depth, captures)
        for which in self.modifiers:
            g.grant(1, which, you, depth, captures)
        return NEXT


class End(Stmt):
    __slots__ = ("outcome", "winners")

    def __init__(self, outcome: int, winners: Expr) -> None:
        self.outcome = outcome
        self.winners = winners

    def run(self, g: State, b: int) -> int:
        g.finish(self.outcome, self.winners.ev(g, b))
        return OVER


class Track(Stmt):
    """Counts that a statement was reached; only in programs built with tracking."""

    __slots__ = ("at", "inner")

    def __init__(self, at: int, inner: Stmt) -> None:
        self.at = at
        self.inner = inner

    def run(self, g: State, b: int) -> int:
        if g.track is not None:
            g.track[self.at] += 1
        return self.inner.run(g, b)

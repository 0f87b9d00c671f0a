"""Statements that change something: numbers, places, knowledge, the event heard, floating effects, the end of the
game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import (
    CANCELLED,
    FORCED,
    NEXT,
    OVER,
    SCRIPTED,
    X_RESULT,
    X_STATUS,
    Expr,
    Floating,
    Selector,
    Stmt,
    TrialFailed,
)
from grimoire.runtime.kernel.hearing import limit_serial
from grimoire.runtime.kernel.selectors import bits
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_FLOATS

if TYPE_CHECKING:
    from mypy_extensions import i64


def breach(g: State) -> None:
    """Something could not be done in full: fatal to a cost that is being tried, nothing otherwise."""
    if g.trial == g.abil + 1:
        raise TrialFailed


class Let(Stmt):
    __slots__ = ("i", "value")

    def __init__(self, i: i64, value: Expr) -> None:
        self.i = i
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        g.slots[b + self.i] = self.value.ev(g, b)
        return NEXT


class SetVar(Stmt):
    __slots__ = ("address", "value")

    def __init__(self, address: i64, value: Expr) -> None:
        self.address = address
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        value = self.value.ev(g, b)
        g.put(self.address, value)
        return NEXT


class SetBounded(Stmt):
    """A variable with bounds."""

    __slots__ = ("address", "high", "low", "value")

    def __init__(self, address: i64, value: Expr, low: int | None, high: int | None) -> None:
        self.address = address
        self.value = value
        self.low = low
        self.high = high

    def run(self, g: State, b: i64) -> i64:
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

    def __init__(self, base: i64, of: Expr, value: Expr) -> None:
        self.base = base
        self.of = of
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        o = self.of.ev(g, b)
        value = self.value.ev(g, b)
        if o >= 0:
            address = self.base + o
            g.put(address, value)
        return NEXT


class SetColBounded(Stmt):
    __slots__ = ("base", "high", "low", "of", "value")

    def __init__(self, base: i64, of: Expr, value: Expr, low: int | None, high: int | None) -> None:
        self.base = base
        self.of = of
        self.value = value
        self.low = low
        self.high = high

    def run(self, g: State, b: i64) -> i64:
        o = self.of.ev(g, b)
        value = self.value.ev(g, b)
        if o >= 0:
            g.put(self.base + o, clamp(g, value, self.low, self.high))
        return NEXT


class SetSetting(Stmt):
    __slots__ = ("i", "proc", "value")

    def __init__(self, proc: i64, i: i64, value: Expr) -> None:
        self.proc = proc
        self.i = i
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        value = self.value.ev(g, b)
        number = g.find_running(self.proc)
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

    def run(self, g: State, b: i64) -> i64:
        piece = self.piece.ev(g, b)
        zone = self.to.ev(g, b) if piece >= 0 else -1
        if zone >= 0:
            g.move(piece, zone, self.top, self.seen)
        else:
            breach(g)  # nothing to move, or nowhere to move it to
        return NEXT


class Shuffle(Stmt):
    __slots__ = ("zone",)

    def __init__(self, zone: Expr) -> None:
        self.zone = zone

    def run(self, g: State, b: i64) -> i64:
        z = self.zone.ev(g, b)
        if z >= 0:
            g.shuffle(z)
            if g.script is not None:
                g.script.arrange_top(g, z)
        return NEXT


class Random(Stmt):
    __slots__ = ("i", "sel")

    def __init__(self, i: i64, sel: Selector) -> None:
        self.i = i
        self.sel = sel

    def run(self, g: State, b: i64) -> i64:
        items = self.sel.items(g, b)
        value = -1
        if items:
            at = -1
            if g.script is not None:
                used = g.mem[SCRIPTED]
                at = g.script.index(g, items, used & ((1 << FORCED) - 1))
                if at >= 0:
                    g.put(SCRIPTED, used + 1)
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

    def run(self, g: State, b: i64) -> i64:
        who = self.who.ev(g, b) & g.tables.everyone
        for piece in bits(self.what.ev(g, b)):
            g.show(piece, who)
        return NEXT


class Cancel(Stmt):
    __slots__ = ("at",)

    def __init__(self, at: i64) -> None:
        self.at = at

    def run(self, g: State, b: i64) -> i64:
        slots = g.slots
        slots[slots[b + self.at + 1] + X_STATUS] = CANCELLED
        return NEXT


class SetArg(Stmt):
    __slots__ = ("at", "i", "value")

    def __init__(self, at: i64, i: i64, value: Expr) -> None:
        self.at = at
        self.i = i
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        value = self.value.ev(g, b)
        g.slots[g.slots[b + self.at] + self.i] = value
        return NEXT


class SetResult(Stmt):
    __slots__ = ("at", "value")

    def __init__(self, at: i64, value: Expr) -> None:
        self.at = at
        self.value = value

    def run(self, g: State, b: i64) -> i64:
        value = self.value.ev(g, b)
        g.slots[g.slots[b + self.at + 1] + X_RESULT] = value
        return NEXT


class Grant(Stmt):
    __slots__ = ("abilities", "captures", "modifiers", "place", "until")

    def __init__(
        self, abilities: list[int], modifiers: list[int], until: int, captures: list[Expr], place: i64
    ) -> None:
        self.place = place
        self.abilities = abilities
        self.modifiers = modifiers
        self.until = until
        self.captures = captures

    def run(self, g: State, b: i64) -> i64:
        captures = [capture.ev(g, b) for capture in self.captures]
        depth = -1 if self.until < 0 else max(g.find_running(self.until), 0)
        you = g.slots[b]
        if len(g.floats) + len(self.abilities) + len(self.modifiers) > MAX_FLOATS:
            raise g.breach("effects", MAX_FLOATS, f"more than {MAX_FLOATS:,} floating effects in force", self.place)
        for which in self.abilities:
            a = g.tables.abilities[which]
            serial = limit_serial(g, a.per) if a.later else 0
            g.grant(Floating(False, which, you, depth, (serial << 12) + a.limit if serial else 0, captures))
        for which in self.modifiers:
            g.grant(Floating(True, which, you, depth, 0, captures))
        return NEXT


class End(Stmt):
    __slots__ = ("outcome", "winners")

    def __init__(self, outcome: int, winners: Expr) -> None:
        self.outcome = outcome
        self.winners = winners

    def run(self, g: State, b: i64) -> i64:
        g.finish(self.outcome, self.winners.ev(g, b))
        return OVER

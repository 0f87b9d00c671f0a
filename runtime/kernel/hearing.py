"""Expressions about running frames and events, and whether an ability answers an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import SPARE, X_RESULT, Ability, Expr, Unit, fill_window
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import LISTENER, MAX_WORK

if TYPE_CHECKING:
    from mypy_extensions import i64


class Setting(Expr):
    __slots__ = ("i", "proc")

    def __init__(self, proc: i64, i: i64) -> None:
        self.proc = proc
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        number = g.find_running(self.proc)
        return g.slots[g.frame_base(number) + self.i] if number >= 0 else -1


class IsRunning(Expr):
    __slots__ = ("proc",)

    def __init__(self, proc: i64) -> None:
        self.proc = proc

    def test(self, g: State, b: i64) -> bool:
        return g.find_running(self.proc) >= 0


class Arg(Expr):
    """A slot of the event that an ability hears; ``at`` is where its address stands."""

    __slots__ = ("at", "i")

    def __init__(self, at: i64, i: i64) -> None:
        self.at = at
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        slots = g.slots
        return slots[slots[b + self.at] + self.i]


class EventResult(Expr):
    __slots__ = ("at",)

    def __init__(self, at: i64) -> None:
        self.at = at

    def ev(self, g: State, b: i64) -> int:
        slots = g.slots
        return slots[slots[b + self.at + 1] + X_RESULT]


class IsAllowed(Expr):
    """No ``cannot`` ability forbids the event."""

    __slots__ = ("args", "key", "unit", "window")

    def __init__(self, unit: Unit, key: i64, args: list[Expr], window: i64) -> None:
        self.unit = unit
        self.key = key
        self.args = args
        self.window = window

    def test(self, g: State, b: i64) -> bool:
        found = g.index[self.key]
        if not found:
            return True
        g.work += len(found) * LISTENER
        if g.work > MAX_WORK:
            g.raise_exceeded(-1)
        window = fill_window(self.unit.blank, self.args, g, b)
        base = b + self.window
        top = base + self.unit.window
        g.room(top)
        g.slots[base:top] = window
        extras = base + self.unit.extras
        for instance in found:
            if hears(g, instance, base, extras, top) >= 0:
                if g.bars is not None:
                    g.bars[find_answering(g, instance).track] += 1
                return False
        return True


def find_answering(g: State, instance: int) -> Ability:
    """The ability of an instance in force."""
    t = g.tables
    static = len(t.instance_ability)
    return t.abilities[t.instance_ability[instance] if instance < static else g.floats[instance - static].which]


def hears(g: State, instance: int, event: i64, extras: i64, top: i64) -> i64:
    """The owner of an instance if it answers the event whose slots start at ``event``; else -1.

    The condition is evaluated in the layout of the ability, above the event's window.
    """
    t = g.tables
    static = len(t.instance_ability)
    if instance < static:
        a = t.abilities[t.instance_ability[instance]]
        piece = t.instance_piece[instance]
        owner: i64 = -1
        if piece >= 0:
            zone = g.loc[piece]
            if zone >= 0:
                owner = t.holder[zone]
        if owner < 0:
            owner = g.current()
        if a.limit >= 0 and limit_used(g, a, instance, event, extras, top) >= a.limit:
            return -1
        if a.cond is None:
            return owner
        g.room(top + a.cond_window)
        slots = g.slots
        slots[top] = owner
        slots[top + 1] = piece
    else:
        effect = g.floats[instance - static]
        a = t.abilities[effect.which]
        owner = effect.owner
        if owner < 0:
            owner = g.current()
        if a.limit >= 0 and stamp_count(g, effect.stamp, a.per) >= a.limit:
            return -1
        if a.cond is None:
            return owner
        g.room(top + a.cond_window + len(effect.captures) + 5)
        slots = g.slots
        slots[top] = owner
        slots[top + 1] = -1
        at = top + 2
        for capture in effect.captures:
            slots[at] = capture
            at += 1
    slots[top + a.cond_window] = event
    slots[top + a.cond_window + 1] = extras
    g.work += a.weight
    return owner if a.cond.test(g, top) else -1


def might_hear(
    g: State, a: Ability, might: Expr | None, owner: int, piece: int, event: i64, extras: i64, top: i64
) -> bool:
    """Whether, by what everybody can see, the ability could answer the event for that owner with that piece, as far as
    one of its conditions about that says."""
    if might is None:
        return True
    g.room(top + a.cond_window)
    slots = g.slots
    slots[top] = owner
    slots[top + 1] = piece
    slots[top + a.cond_window] = event
    slots[top + a.cond_window + 1] = extras
    return might.test(g, top)


def limit_serial(g: State, per: int) -> int:
    """The serial of the scope that a limit counts in: 0 for the whole game."""
    if per < 0:
        return 0
    number = g.find_running(per)
    if number < 0:
        return 0
    return g.slots[g.frame_base(number) + g.units[g.frame_unit(number)].serial]


def limit_used(g: State, a: Ability, instance: int, event: i64, extras: i64, top: i64) -> int:
    """How often an instance was used in the present scope. A stamp is serial * 4096 + count."""
    return stamp_count(g, g.mem[stamp_address(g, a, instance, event, extras, top)], a.per)


def stamp_address(g: State, a: Ability, instance: int, event: i64, extras: i64, top: i64) -> int:
    """Where the uses of an instance stand that count together with one for this event."""
    t = g.tables
    if a.by_seat < 0:
        return t.stamps + t.instance_lead[instance]
    seat = g.slots[event]
    if a.asks is not None:
        g.room(top + a.cond_window + SPARE)
        slots = g.slots
        slots[top] = g.current()
        slots[top + 1] = -1
        slots[top + a.cond_window] = event
        slots[top + a.cond_window + 1] = extras
        g.work += a.weight
        seat = a.asks.ev(g, top)
    return a.by_seat + (seat if seat >= 0 else t.seats)


def stamp_count(g: State, stamp: int, per: int) -> int:
    """The uses that a stamp says, in the present scope."""
    return stamp & 4095 if stamp >> 12 == limit_serial(g, per) else 0

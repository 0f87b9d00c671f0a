"""Fused nodes: one object for the shapes that profiles show; each equals the plain nodes that it replaces.

A *table* is a printed column, or None for the state's memory; ``base`` is the column's address in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import NEXT, Expr, Selector, Stmt
from grimoire.runtime.kernel.effects import breach, clamp
from grimoire.runtime.kernel.nodes import HUGE, SMALL, check_size
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_WORK

if TYPE_CHECKING:
    from mypy_extensions import i64


class ColumnFilter(Selector):
    """The base of filters by a column against a value that does not depend on the element."""

    __slots__ = ("base", "right", "sel", "table")

    def __init__(self, sel: Selector, table: list[int] | None, base: i64, right: Expr) -> None:
        self.sel = sel
        self.table = table
        self.base = base
        self.right = right


class FilterEq(ColumnFilter):
    __slots__ = ()

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        return [x for x in self.sel.items(g, b) if mem[base + x] == r]

    def some(self, g: State, b: i64) -> bool:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        for x in self.sel.items(g, b):  # noqa: SIM110
            if mem[base + x] == r:
                return True
        return False

    def first(self, g: State, b: i64) -> int:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        for x in self.sel.items(g, b):
            if mem[base + x] == r:
                return x
        return -1

    def count(self, g: State, b: i64) -> int:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        n = 0
        for x in self.sel.items(g, b):
            if mem[base + x] == r:
                n += 1
        return n

    def total(self, g: State, b: i64, column: list[int], base: i64) -> int:
        mem = g.mem if self.table is None else self.table
        own = self.base
        r = self.right.ev(g, b)
        total = 0
        for x in self.sel.items(g, b):
            if mem[own + x] == r:
                total += column[base + x]
        return total


class FilterNe(ColumnFilter):
    __slots__ = ()

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        return [x for x in self.sel.items(g, b) if mem[base + x] != r]


class FilterLt(ColumnFilter):
    __slots__ = ()

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        return [x for x in self.sel.items(g, b) if mem[base + x] < r]


class FilterGt(ColumnFilter):
    __slots__ = ()

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        return [x for x in self.sel.items(g, b) if mem[base + x] > r]


class AllEq(Expr):
    """Every element's column equals a value that does not depend on the element."""

    __slots__ = ("base", "right", "sel", "table")

    def __init__(self, sel: Selector, table: list[int] | None, base: i64, right: Expr) -> None:
        self.sel = sel
        self.table = table
        self.base = base
        self.right = right

    def test(self, g: State, b: i64) -> bool:
        mem = g.mem if self.table is None else self.table
        base = self.base
        r = self.right.ev(g, b)
        for x in self.sel.items(g, b):  # noqa: SIM110
            if mem[base + x] != r:
                return False
        return True


class FullRows(Selector):
    """The elements all of whose related fixtures have a column that equals a value: full lines of a board."""

    __slots__ = ("cells", "right", "sel")

    def __init__(self, sel: Selector, relation: list[list[int]], base: i64, right: Expr) -> None:
        self.sel = sel
        self.cells = [[base + y for y in row] for row in relation]
        self.right = right

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem
        cells = self.cells
        r = self.right.ev(g, b)
        found: list[int] = []
        for x in self.sel.items(g, b):
            for address in cells[x]:
                if mem[address] != r:
                    break
            else:
                found.append(x)
        return found

    def some(self, g: State, b: i64) -> bool:
        mem = g.mem
        cells = self.cells
        r = self.right.ev(g, b)
        for x in self.sel.items(g, b):
            for address in cells[x]:
                if mem[address] != r:
                    break
            else:
                return True
        return False


class TouchedRows(FullRows):
    """The elements some of whose related fixtures have a column that equals a value."""

    __slots__ = ()

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem
        cells = self.cells
        r = self.right.ev(g, b)
        found: list[int] = []
        for x in self.sel.items(g, b):
            for address in cells[x]:
                if mem[address] == r:
                    found.append(x)
                    break
        return found

    def some(self, g: State, b: i64) -> bool:
        mem = g.mem
        cells = self.cells
        r = self.right.ev(g, b)
        for x in self.sel.items(g, b):
            for address in cells[x]:
                if mem[address] == r:
                    return True
        return False


class SumOf(Expr):
    """The sum of a column over a selector."""

    __slots__ = ("base", "sel", "table")

    def __init__(self, sel: Selector, table: list[int] | None, base: i64) -> None:
        self.sel = sel
        self.table = table
        self.base = base

    def ev(self, g: State, b: i64) -> int:
        return self.sel.total(g, b, g.mem if self.table is None else self.table, self.base)


class SumOfUnbounded(SumOf):
    """The sum of a column without bounds, which may have grown by sums like this one."""

    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        total = super().ev(g, b)
        return total if -SMALL < total < SMALL else check_size(g, total)


class AddConst(Expr):
    __slots__ = ("left", "n")

    def __init__(self, left: Expr, n: int) -> None:
        self.left = left
        self.n = n

    def ev(self, g: State, b: i64) -> int:
        return self.left.ev(g, b) + self.n


class NextConst(Expr):
    """A fixed number of seats on from the seat in a variable or slot expression."""

    __slots__ = ("n", "seat", "seats")

    def __init__(self, seat: Expr, n: int, seats: int) -> None:
        self.seat = seat
        self.n = n
        self.seats = seats

    def ev(self, g: State, b: i64) -> int:
        seat = self.seat.ev(g, b)
        return (seat + self.n) % self.seats if seat >= 0 else -1


class EqVarConst(Expr):
    __slots__ = ("address", "n")

    def __init__(self, address: i64, n: int) -> None:
        self.address = address
        self.n = n

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.address] == self.n


class LtVarConst(EqVarConst):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.address] < self.n


class GtVarConst(EqVarConst):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.address] > self.n


class EqSlotConst(Expr):
    __slots__ = ("i", "n")

    def __init__(self, i: i64, n: int) -> None:
        self.i = i
        self.n = n

    def test(self, g: State, b: i64) -> bool:
        return g.slots[b + self.i] == self.n


class NeSlotConst(EqSlotConst):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return g.slots[b + self.i] != self.n


class HandOfSlot(Selector):
    """The pieces of the zone of a family that belongs to the seat in a slot."""

    __slots__ = ("base", "i")

    def __init__(self, base: i64, i: i64) -> None:
        self.base = base
        self.i = i

    def items(self, g: State, b: i64) -> list[int]:
        seat = g.slots[b + self.i]
        return g.zones[self.base + seat] if seat >= 0 else []


class FixedZone(Selector):
    """The pieces of one zone."""

    __slots__ = ("zone",)

    def __init__(self, zone: i64) -> None:
        self.zone = zone

    def items(self, g: State, b: i64) -> list[int]:
        return g.zones[self.zone]


class ChargedHand(HandOfSlot):
    """The same, each element charged (as ``selectors.ChargedList`` does, without another call)."""

    __slots__ = ("place", "weight")

    def __init__(self, base: i64, i: i64, weight: i64, place: i64) -> None:
        super().__init__(base, i)
        self.weight = weight
        self.place = place

    def items(self, g: State, b: i64) -> list[int]:
        seat = g.slots[b + self.i]
        if seat < 0:
            return []
        found = g.zones[self.base + seat]
        g.work += len(found) * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        return found


class ChargedZone(FixedZone):
    """The same, each element charged."""

    __slots__ = ("place", "weight")

    def __init__(self, zone: i64, weight: i64, place: i64) -> None:
        super().__init__(zone)
        self.weight = weight
        self.place = place

    def items(self, g: State, b: i64) -> list[int]:
        found = g.zones[self.zone]
        g.work += len(found) * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        return found


class TopOfFixed(Expr):
    """The top piece of one zone."""

    __slots__ = ("zone",)

    def __init__(self, zone: i64) -> None:
        self.zone = zone

    def ev(self, g: State, b: i64) -> int:
        zone = g.zones[self.zone]
        return zone[-1] if zone else -1


class SetConst(Stmt):
    """A variable without bounds gets a constant."""

    __slots__ = ("address", "n")

    def __init__(self, address: i64, n: int) -> None:
        self.address = address
        self.n = n

    def run(self, g: State, b: i64) -> i64:
        g.put(self.address, self.n)
        return NEXT


class Bump(SetConst):
    """A variable without bounds changes by a constant."""

    __slots__ = ()

    def run(self, g: State, b: i64) -> i64:
        value = g.mem[self.address]
        g.put(self.address, value + self.n)
        return NEXT


class BumpBounded(Stmt):
    """A variable with bounds changes by a constant."""

    __slots__ = ("address", "high", "low", "n")

    def __init__(self, address: i64, n: int, low: int | None, high: int | None) -> None:
        self.address = address
        self.n = n
        self.low = -HUGE if low is None else low
        self.high = HUGE if high is None else high

    def run(self, g: State, b: i64) -> i64:
        old = g.mem[self.address]
        value = old + self.n
        if value > self.high or value < self.low:
            value = clamp(g, value, self.low, self.high)
        g.put(self.address, value)
        return NEXT


class Deal(Stmt):
    """The top piece of one zone, if there is one, goes to another."""

    __slots__ = ("seen", "to", "top", "zone")

    def __init__(self, zone: i64, to: Expr, top: bool, seen: int) -> None:
        self.zone = zone
        self.to = to
        self.top = top
        self.seen = seen

    def run(self, g: State, b: i64) -> i64:
        zone = g.zones[self.zone]
        if zone:
            to = self.to.ev(g, b)
            if to >= 0:
                g.move(zone[-1], to, self.top, self.seen)
            else:
                breach(g)
        return NEXT

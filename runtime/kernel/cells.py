"""Fused nodes for cells: a column of the object in a slot, as one look into a table of addresses.

A table has one address for each object and, at its end, the one for nothing (-1): a cell that always holds -1. Tables
may also say which seat follows another, so that "the score of your opponent" is one cell. Each node equals the plain
nodes that it replaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import NEXT, Expr, Selector, Stmt
from grimoire.runtime.kernel.effects import breach, clamp
from grimoire.runtime.kernel.state import State

if TYPE_CHECKING:
    from mypy_extensions import i64

# -- seats


class SeatOfSlot(Expr):
    """A seat that depends on the seat in a slot alone."""

    __slots__ = ("i", "table")

    def __init__(self, table: list[int], i: i64) -> None:
        self.table = table
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        return self.table[g.slots[b + self.i]]


class SeatOfVar(Expr):
    """A seat that depends on the seat in a variable alone."""

    __slots__ = ("address", "table")

    def __init__(self, table: list[int], address: i64) -> None:
        self.table = table
        self.address = address

    def ev(self, g: State, b: i64) -> int:
        return self.table[g.mem[self.address]]


class ZoneOfSlot(Expr):
    """The zone of a family that belongs to the seat in a slot."""

    __slots__ = ("base", "i")

    def __init__(self, base: i64, i: i64) -> None:
        self.base = base
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        seat = g.slots[b + self.i]
        return self.base + seat if seat >= 0 else -1


# -- reading


class Cell(Expr):
    """A column of the object in a slot."""

    __slots__ = ("i", "table")

    def __init__(self, table: list[int], i: i64) -> None:
        self.table = table
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        return g.mem[self.table[g.slots[b + self.i]]]


class CellOfVar(Expr):
    """A column of the object in a variable."""

    __slots__ = ("address", "table")

    def __init__(self, table: list[int], address: i64) -> None:
        self.table = table
        self.address = address

    def ev(self, g: State, b: i64) -> int:
        mem = g.mem
        return mem[self.table[mem[self.address]]]


class CellIs(Expr):
    """A cell against a constant."""

    __slots__ = ("i", "n", "table")

    def __init__(self, table: list[int], i: i64, n: int) -> None:
        self.table = table
        self.i = i
        self.n = n

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.table[g.slots[b + self.i]]] == self.n


class CellIsNot(CellIs):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.table[g.slots[b + self.i]]] != self.n


class CellBelow(CellIs):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.table[g.slots[b + self.i]]] < self.n


class CellAbove(CellIs):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return g.mem[self.table[g.slots[b + self.i]]] > self.n


class CellsEq(Expr):
    """Two cells against each other."""

    __slots__ = ("i", "j", "left", "right")

    def __init__(self, left: Cell, right: Cell) -> None:
        self.left = left.table
        self.i = left.i
        self.right = right.table
        self.j = right.i

    def test(self, g: State, b: i64) -> bool:
        mem = g.mem
        slots = g.slots
        return mem[self.left[slots[b + self.i]]] == mem[self.right[slots[b + self.j]]]


class CellsNe(CellsEq):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        mem = g.mem
        slots = g.slots
        return mem[self.left[slots[b + self.i]]] != mem[self.right[slots[b + self.j]]]


class CellsLt(CellsEq):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        mem = g.mem
        slots = g.slots
        return mem[self.left[slots[b + self.i]]] < mem[self.right[slots[b + self.j]]]


class CellsLe(CellsEq):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        mem = g.mem
        slots = g.slots
        return mem[self.left[slots[b + self.i]]] <= mem[self.right[slots[b + self.j]]]


class SlotsEq(Expr):
    __slots__ = ("i", "j")

    def __init__(self, i: i64, j: i64) -> None:
        self.i = i
        self.j = j

    def test(self, g: State, b: i64) -> bool:
        slots = g.slots
        return slots[b + self.i] == slots[b + self.j]


class SlotsNe(SlotsEq):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        slots = g.slots
        return slots[b + self.i] != slots[b + self.j]


# -- selecting


class CellsWith(Selector):
    """The objects of a fixed list whose column equals a constant."""

    __slots__ = ("found", "high", "low", "n", "table")

    def __init__(self, found: list[int], base: i64, n: int) -> None:
        self.found = found
        self.table = [base + x for x in found]
        self.n = n
        self.low: i64 = -1
        self.high: i64 = -1
        if found and found == list(range(found[0], found[-1] + 1)):
            self.low = base + found[0]
            self.high = base + found[-1] + 1

    def items(self, g: State, b: i64) -> list[int]:
        n = self.n
        found: list[int] = []
        if self.low >= 0:
            x = self.found[0]
            for value in g.mem[self.low : self.high]:
                if value == n:
                    found.append(x)
                x += 1
            return found
        mem = g.mem
        for at, address in enumerate(self.table):
            if mem[address] == n:
                found.append(self.found[at])
        return found

    def some(self, g: State, b: i64) -> bool:
        if self.low >= 0:
            return self.n in g.mem[self.low : self.high]
        mem = g.mem
        for address in self.table:  # noqa: SIM110
            if mem[address] == self.n:
                return True
        return False


class RowsWith(Selector):
    """The objects related to the one in a slot all of whose own related objects have a column that equals a value.

    That is: the full lines through a cell.
    """

    __slots__ = ("i", "right", "rows", "table")

    def __init__(self, table: list[list[int]], i: i64, cells: list[list[int]], right: Expr) -> None:
        self.table = [*table, []]
        self.i = i
        self.rows = [[cells[x] for x in row] for row in self.table]
        self.right = right

    def items(self, g: State, b: i64) -> list[int]:
        mem = g.mem
        r = self.right.ev(g, b)
        of = g.slots[b + self.i]
        found: list[int] = []
        for at, row in enumerate(self.rows[of]):
            for address in row:
                if mem[address] != r:
                    break
            else:
                found.append(self.table[of][at])
        return found

    def some(self, g: State, b: i64) -> bool:
        mem = g.mem
        r = self.right.ev(g, b)
        for row in self.rows[g.slots[b + self.i]]:
            for address in row:
                if mem[address] != r:
                    break
            else:
                return True
        return False


class NoneOf(Expr):
    """A selector gives nothing."""

    __slots__ = ("sel",)

    def __init__(self, sel: Selector) -> None:
        self.sel = sel

    def test(self, g: State, b: i64) -> bool:
        return not self.sel.some(g, b)


# -- writing


class SetCell(Stmt):
    """A column of the object in a slot, inside its bounds."""

    __slots__ = ("base", "high", "i", "low", "value")

    def __init__(self, base: i64, i: i64, value: Expr, low: int, high: int) -> None:
        self.base = base
        self.i = i
        self.value = value
        self.low = low
        self.high = high

    def run(self, g: State, b: i64) -> i64:
        o = g.slots[b + self.i]
        if o >= 0:
            address = self.base + o
            value = self.value.ev(g, b)
            if value > self.high or value < self.low:
                value = clamp(g, value, self.low, self.high)
            g.put(address, value)
        return NEXT


class SetCellConst(Stmt):
    __slots__ = ("base", "i", "n")

    def __init__(self, base: i64, i: i64, n: int) -> None:
        self.base = base
        self.i = i
        self.n = n

    def run(self, g: State, b: i64) -> i64:
        o = g.slots[b + self.i]
        if o >= 0:
            address = self.base + o
            g.put(address, self.n)
        return NEXT


class SetCellSlot(Stmt):
    __slots__ = ("base", "i", "j")

    def __init__(self, base: i64, i: i64, j: i64) -> None:
        self.base = base
        self.i = i
        self.j = j

    def run(self, g: State, b: i64) -> i64:
        slots = g.slots
        o = slots[b + self.i]
        if o >= 0:
            address = self.base + o
            g.put(address, slots[b + self.j])
        return NEXT


class SetCellCell(Stmt):
    """The same with the value of a cell, and a constant more."""

    __slots__ = ("base", "high", "i", "j", "low", "n", "table")

    def __init__(self, base: i64, i: i64, cell: Cell, n: int, low: int, high: int) -> None:
        self.base = base
        self.i = i
        self.table = cell.table
        self.j = cell.i
        self.n = n
        self.low = low
        self.high = high

    def run(self, g: State, b: i64) -> i64:
        slots = g.slots
        o = slots[b + self.i]
        if o >= 0:
            mem = g.mem
            address = self.base + o
            value = mem[self.table[slots[b + self.j]]] + self.n
            if value > self.high or value < self.low:
                value = clamp(g, value, self.low, self.high)
            g.put(address, value)
        return NEXT


class FillCells(Stmt):
    """For each element: columns without bounds get constants."""

    __slots__ = ("bases", "i", "ns", "sel")

    def __init__(self, i: i64, sel: Selector, bases: list[int], ns: list[int]) -> None:
        self.i = i
        self.sel = sel
        self.bases = bases
        self.ns = ns

    def run(self, g: State, b: i64) -> i64:
        items = self.sel.items(g, b)
        for at in range(len(self.bases)):
            base = self.bases[at]
            n = self.ns[at]
            for x in items:
                if x >= 0:
                    g.put(base + x, n)
        if items:
            g.slots[b + self.i] = items[-1]
        return NEXT


class SetVarSlot(Stmt):
    """A variable without bounds gets the value of a slot."""

    __slots__ = ("address", "i")

    def __init__(self, address: i64, i: i64) -> None:
        self.address = address
        self.i = i

    def run(self, g: State, b: i64) -> i64:
        g.put(self.address, g.slots[b + self.i])
        return NEXT


class LetConst(Stmt):
    __slots__ = ("i", "n")

    def __init__(self, i: i64, n: int) -> None:
        self.i = i
        self.n = n

    def run(self, g: State, b: i64) -> i64:
        g.slots[b + self.i] = self.n
        return NEXT


class WhenAbove(Stmt):
    """A branch without else that needs a variable above a number and another test."""

    __slots__ = ("address", "also", "n", "yes")

    def __init__(self, address: i64, n: int, also: Expr, yes: Stmt) -> None:
        self.address = address
        self.n = n
        self.also = also
        self.yes = yes

    def run(self, g: State, b: i64) -> i64:
        return self.yes.run(g, b) if g.mem[self.address] > self.n and self.also.test(g, b) else NEXT


# -- moving


class MoveTop(Stmt):
    """The top piece of one zone goes to another."""

    __slots__ = ("seen", "to", "top", "zone")

    def __init__(self, zone: i64, to: Expr, top: bool, seen: int) -> None:
        self.zone = zone
        self.to = to
        self.top = top
        self.seen = seen

    def run(self, g: State, b: i64) -> i64:
        zone = g.zones[self.zone]
        to = self.to.ev(g, b) if zone else -1
        if to >= 0:
            g.move(zone[-1], to, self.top, self.seen)
        else:
            breach(g)
        return NEXT


class MoveEach(Stmt):
    """Each element, a piece, goes to a zone that does not depend on it."""

    __slots__ = ("i", "seen", "sel", "to", "top")

    def __init__(self, i: i64, sel: Selector, to: Expr, top: bool, seen: int) -> None:
        self.i = i
        self.sel = sel
        self.to = to
        self.top = top
        self.seen = seen

    def run(self, g: State, b: i64) -> i64:
        items = self.sel.items(g, b)
        if items:
            items = items[:]
            g.slots[b + self.i] = items[-1]
            to = self.to.ev(g, b)
            if to >= 0:
                g.move_all(items, to, self.top, self.seen)
            else:
                breach(g)
        return NEXT


class DealEach(Stmt):
    """For each element, a seat: the top piece of one zone goes to the zone of a family that belongs to the seat."""

    __slots__ = ("base", "i", "seen", "sel", "top", "zone")

    def __init__(self, i: i64, sel: Selector, zone: i64, base: i64, top: bool, seen: int) -> None:
        self.i = i
        self.sel = sel
        self.zone = zone
        self.base = base
        self.top = top
        self.seen = seen

    def run(self, g: State, b: i64) -> i64:
        for seat in self.sel.items(g, b):
            g.slots[b + self.i] = seat
            zone = g.zones[self.zone]
            if zone:
                g.move(zone[-1], self.base + seat, self.top, self.seen)
            else:
                breach(g)
        return NEXT


class LookAt(Stmt):
    """Seats get to know the pieces of a selector."""

    __slots__ = ("sel", "who")

    def __init__(self, who: Expr, sel: Selector) -> None:
        self.who = who
        self.sel = sel

    def run(self, g: State, b: i64) -> i64:
        who = self.who.ev(g, b) & g.tables.everyone
        for piece in self.sel.items(g, b):
            if piece >= 0:
                g.show(piece, who)
        return NEXT

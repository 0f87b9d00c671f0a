"""Expressions about places: zones, pieces, seats, distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.base import Expr
from grimoire.runtime.kernel.state import State

if TYPE_CHECKING:
    from mypy_extensions import i64

FAR: Final = 9999


class ZoneOfSeat(Expr):
    """The zone of a family: base + seat."""

    __slots__ = ("base", "of")

    def __init__(self, base: i64, of: Expr) -> None:
        self.base = base
        self.of = of

    def ev(self, g: State, b: i64) -> int:
        seat = self.of.ev(g, b)
        return self.base + seat if seat >= 0 else -1


class Lookup(Expr):
    """A static table by the value of a part; -1 for nothing."""

    __slots__ = ("part", "table")

    def __init__(self, table: list[int], part: Expr) -> None:
        self.table = table
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        x = self.part.ev(g, b)
        return self.table[x] if x >= 0 else -1


class TestTable(Expr):
    """A static table of flags (kinds, definitions)."""

    __slots__ = ("part", "table")

    def __init__(self, table: list[bool], part: Expr) -> None:
        self.table = table
        self.part = part

    def test(self, g: State, b: i64) -> bool:
        x = self.part.ev(g, b)
        return x >= 0 and self.table[x]


class Where(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        x = self.part.ev(g, b)
        return g.loc[x] if x >= 0 else -1


class Height(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        z = self.part.ev(g, b)
        return len(g.zones[z]) if z >= 0 else 0


class Knows(Expr):
    """Whether a seat knows which piece lies there."""

    __slots__ = ("piece", "seat")

    def __init__(self, seat: Expr, piece: Expr) -> None:
        self.seat = seat
        self.piece = piece

    def ev(self, g: State, b: i64) -> int:
        seat = self.seat.ev(g, b)
        piece = self.piece.ev(g, b)
        if seat < 0 or piece < 0:
            return 0
        return g.mem[g.tables.known + piece] >> seat & 1

    def test(self, g: State, b: i64) -> bool:
        return self.ev(g, b) == 1


class Fits(Expr):
    """Whether a piece may lie in a zone."""

    __slots__ = ("flags", "piece", "zone")

    def __init__(self, flags: list[list[bool]], zone: Expr, piece: Expr) -> None:
        self.flags = flags  # for each zone, of each piece; empty where all may lie there
        self.zone = zone
        self.piece = piece

    def ev(self, g: State, b: i64) -> int:
        zone = self.zone.ev(g, b)
        piece = self.piece.ev(g, b)
        if zone < 0 or piece < 0:
            return 0
        flags = self.flags[zone]
        return 1 if not flags or flags[piece] else 0

    def test(self, g: State, b: i64) -> bool:
        return self.ev(g, b) == 1


class Top(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        z = self.part.ev(g, b)
        if z < 0:
            return -1
        zone = g.zones[z]
        return zone[-1] if zone else -1


class NextSeat(Expr):
    __slots__ = ("n", "seat", "seats")

    def __init__(self, seat: Expr, n: Expr, seats: int) -> None:
        self.seat = seat
        self.n = n
        self.seats = seats

    def ev(self, g: State, b: i64) -> int:
        seat = self.seat.ev(g, b)
        return (seat + self.n.ev(g, b)) % self.seats if seat >= 0 else -1


class Distances:
    """Steps between fixtures along a relation, worked out from a fixture when first asked."""

    __slots__ = ("rows", "table")

    def __init__(self, table: list[list[int]]) -> None:
        self.table = table
        self.rows: list[list[int]] = [[] for _ in table]

    def row(self, a: int) -> list[int]:
        row = self.rows[a]
        if row:
            return row
        row = [FAR] * len(self.table)
        row[a] = 0
        edge = [a]
        steps = 0
        while edge:
            steps += 1
            ahead: list[int] = []
            for x in edge:
                for y in self.table[x]:
                    if row[y] == FAR:
                        row[y] = steps
                        ahead.append(y)
            edge = ahead
        self.rows[a] = row
        return row


class Dist(Expr):
    __slots__ = ("distances", "left", "right")

    def __init__(self, distances: Distances, left: Expr, right: Expr) -> None:
        self.distances = distances
        self.left = left
        self.right = right

    def ev(self, g: State, b: i64) -> int:
        x = self.left.ev(g, b)
        y = self.right.ev(g, b)
        return self.distances.row(x)[y] if x >= 0 and y >= 0 else FAR

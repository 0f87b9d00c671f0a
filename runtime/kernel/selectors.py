"""Selectors: pure nodes that give ordered lists of ints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.alike import is_another, merge_alike, note_passed
from grimoire.runtime.kernel.base import Expr, Selector
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_RANGE, MAX_WORK

if TYPE_CHECKING:
    from mypy_extensions import i64

FEW: Final = 8  # elements: with no more of them each is looked at
WORD_BITS: Final = 60
WORD_MASK: Final = (1 << WORD_BITS) - 1


class ChargedList(Selector):
    """A list that may be long: each element is charged with the work that is done with it."""

    __slots__ = ("place", "sel", "weight")

    def __init__(self, sel: Selector, weight: i64, place: i64) -> None:
        self.sel = sel
        self.weight = weight
        self.place = place

    def items(self, g: State, b: i64) -> list[int]:
        found = self.sel.items(g, b)
        g.work += len(found) * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        return found

    def items_apart(self, g: State, b: i64, seat: int, columns: list[int]) -> list[int]:
        found = self.sel.items_apart(g, b, seat, columns)
        g.work += len(found) * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        return found

    def count(self, g: State, b: i64) -> int:
        n = self.sel.count(g, b)
        g.work += n * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        return n

    def some(self, g: State, b: i64) -> bool:
        return self.count(g, b) > 0


class FixedList(Selector):
    """A list known when the program is built."""

    __slots__ = ("found",)

    def __init__(self, found: list[int]) -> None:
        self.found = found

    def items(self, g: State, b: i64) -> list[int]:
        return self.found


class InZone(Selector):
    """The pieces of a zone, bottom to top."""

    __slots__ = ("zone",)

    def __init__(self, zone: Expr) -> None:
        self.zone = zone

    def items(self, g: State, b: i64) -> list[int]:
        z = self.zone.ev(g, b)
        return g.zones[z] if z >= 0 else []


class ChargedIn(InZone):
    """The same, each element charged."""

    __slots__ = ("place", "weight")

    def __init__(self, zone: Expr, weight: i64, place: i64) -> None:
        super().__init__(zone)
        self.weight = weight
        self.place = place

    def items(self, g: State, b: i64) -> list[int]:
        z = self.zone.ev(g, b)
        if z < 0:
            return []
        found = g.zones[z]
        g.work += len(found) * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(self.place)
        return found


class TopOf(Selector):
    """The top n pieces of a zone, top first."""

    __slots__ = ("n", "zone")

    def __init__(self, zone: Expr, n: Expr) -> None:
        self.zone = zone
        self.n = n

    def items(self, g: State, b: i64) -> list[int]:
        z = self.zone.ev(g, b)
        n = self.n.ev(g, b)
        if z < 0 or n <= 0:
            return []
        found = g.zones[z][-n:]
        found.reverse()
        return found

    def some(self, g: State, b: i64) -> bool:
        z = self.zone.ev(g, b)
        return self.n.ev(g, b) > 0 and z >= 0 and len(g.zones[z]) > 0

    def first(self, g: State, b: i64) -> int:
        z = self.zone.ev(g, b)
        if self.n.ev(g, b) <= 0 or z < 0:
            return -1
        zone = g.zones[z]
        return zone[-1] if zone else -1


class Pieces(Selector):
    """All pieces of a kind that are in some zone, by zone and place."""

    __slots__ = ("few", "flags", "number")

    def __init__(self, flags: list[bool], number: i64) -> None:
        self.number = number  # of the list that a state keeps; -1: it keeps none
        self.flags = flags
        self.few = [piece for piece, flag in enumerate(flags) if flag]

    def items(self, g: State, b: i64) -> list[int]:
        if self.number >= 0:
            known = g.lists[self.number]
            if known is not None:
                return known
        flags = self.flags
        loc = g.loc
        found: list[int] = []
        if len(g.zones) < len(self.few):
            for zone in g.zones:
                for piece in zone:
                    if flags[piece]:
                        found.append(piece)  # noqa: PERF401 - a list for each zone costs more than its few pieces
        else:
            for z in sorted({loc[piece] for piece in self.few}):
                if z >= 0:
                    found.extend([piece for piece in g.zones[z] if flags[piece]])
        if self.number >= 0:
            g.lists[self.number] = found
            g.kept += 1
        return found

    def count(self, g: State, b: i64) -> int:
        loc = g.loc
        n = 0
        for piece in self.few:
            if loc[piece] >= 0:
                n += 1
        return n

    def some(self, g: State, b: i64) -> bool:
        loc = g.loc
        for piece in self.few:  # noqa: SIM110
            if loc[piece] >= 0:
                return True
        return False


class Seats(Selector):
    """All seats in turn order from one."""

    __slots__ = ("rounds", "start")

    def __init__(self, start: Expr, seats: int) -> None:
        self.start = start
        self.rounds = [[(first + i) % seats for i in range(seats)] for first in range(seats)]

    def items(self, g: State, b: i64) -> list[int]:
        first = self.start.ev(g, b)
        return self.rounds[first if first >= 0 else 0]


class SeatsOfSlot(Seats):
    """The same from the seat in a slot."""

    __slots__ = ("i",)

    def __init__(self, start: Expr, i: i64, seats: int) -> None:
        super().__init__(start, seats)
        self.i = i
        self.rounds.append(self.rounds[0])  # from nobody: from the first

    def items(self, g: State, b: i64) -> list[int]:
        return self.rounds[g.slots[b + self.i]]


class Related(Selector):
    __slots__ = ("of", "table")

    def __init__(self, table: list[list[int]], of: Expr) -> None:
        self.table = table
        self.of = of

    def items(self, g: State, b: i64) -> list[int]:
        x = self.of.ev(g, b)
        return self.table[x] if x >= 0 else []


class Members(Selector):
    """The elements of a mask, ascending."""

    __slots__ = ("mask",)

    def __init__(self, mask: Expr) -> None:
        self.mask = mask

    def items(self, g: State, b: i64) -> list[int]:
        return bits(self.mask.ev(g, b))

    def some(self, g: State, b: i64) -> bool:
        return self.mask.ev(g, b) > 0

    def count(self, g: State, b: i64) -> int:
        mask = self.mask.ev(g, b)
        return mask.bit_count() if mask > 0 else 0


class MemberPieces(Members):
    """The pieces of a mask by zone and place: their numbers follow the list of cards, and would tell what is hidden."""

    __slots__ = ()

    def items(self, g: State, b: i64) -> list[int]:
        return by_place(g, self.mask.ev(g, b))


class MemberSeats(Selector):
    """The seats of a mask in turn order from the current seat."""

    __slots__ = ("mask", "seats")

    def __init__(self, mask: Expr, seats: int) -> None:
        self.mask = mask
        self.seats = seats

    def items(self, g: State, b: i64) -> list[int]:
        return seats_from(g.current(), self.seats, self.mask.ev(g, b))


class Range(Selector):
    __slots__ = ("high", "low")

    def __init__(self, low: Expr, high: Expr) -> None:
        self.low = low
        self.high = high

    def items(self, g: State, b: i64) -> list[int]:
        low = self.low.ev(g, b)
        high = self.high.ev(g, b)
        if high - low > MAX_RANGE:
            raise g.breach("range", MAX_RANGE, f"a range of {high - low + 1} numbers (at most {MAX_RANGE:,})")
        return list(range(low, high + 1))


class Cat(Selector):
    """One list after the other, each element once."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Selector]) -> None:
        self.parts = parts

    def items(self, g: State, b: i64) -> list[int]:
        found: dict[int, bool] = {}
        for part in self.parts:
            for x in part.items(g, b):
                found[x] = True
        return list(found)

    def some(self, g: State, b: i64) -> bool:
        for part in self.parts:  # noqa: SIM110
            if part.some(g, b):
                return True
        return False


class Filter(Selector):
    __slots__ = ("cond", "i", "sel")

    def __init__(self, sel: Selector, i: i64, cond: Expr) -> None:
        self.sel = sel
        self.i = i
        self.cond = cond

    def items(self, g: State, b: i64) -> list[int]:
        at = b + self.i
        cond = self.cond
        slots = g.slots
        found: list[int] = []
        for x in self.sel.items(g, b):
            slots[at] = x
            if cond.test(g, b):
                found.append(x)
        return found

    def items_apart(self, g: State, b: i64, seat: int, columns: list[int]) -> list[int]:
        """What holds for a piece is not asked of another one that would be offered as the same option."""
        items = self.sel.items(g, b)
        few = len(items) <= FEW
        known = g.tables.known
        passed: dict[int, list[int]] = {}
        found: list[int] = []
        for x in items:
            named = not few and (g.mem[known + x] >> seat) & 1 == 1
            if not (named and is_another(g, x, passed, columns)) and self.holds(g, b, x):
                found.append(x)
                if named:
                    note_passed(g, x, passed)
        return merge_alike(g, seat, found, columns)

    def holds(self, g: State, b: i64, x: int) -> bool:
        """Whether the condition holds for an element."""
        g.slots[b + self.i] = x
        return self.cond.test(g, b)

    def some(self, g: State, b: i64) -> bool:
        at = b + self.i
        cond = self.cond
        slots = g.slots
        for x in self.sel.items(g, b):
            slots[at] = x
            if cond.test(g, b):
                return True
        return False

    def count(self, g: State, b: i64) -> int:
        at = b + self.i
        cond = self.cond
        slots = g.slots
        n = 0
        for x in self.sel.items(g, b):
            slots[at] = x
            if cond.test(g, b):
                n += 1
        return n

    def first(self, g: State, b: i64) -> int:
        at = b + self.i
        cond = self.cond
        slots = g.slots
        for x in self.sel.items(g, b):
            slots[at] = x
            if cond.test(g, b):
                return x
        return -1


class FilterTwice(Filter):
    """A filter of a filter: each element is looked at once, and no list is made in between."""

    __slots__ = ("before", "j")

    def __init__(self, sel: Selector, j: i64, before: Expr, i: i64, cond: Expr) -> None:
        super().__init__(sel, i, cond)
        self.j = j
        self.before = before

    def items(self, g: State, b: i64) -> list[int]:
        slots = g.slots
        found: list[int] = []
        for x in self.sel.items(g, b):
            slots[b + self.j] = x
            if self.before.test(g, b):
                slots[b + self.i] = x
                if self.cond.test(g, b):
                    found.append(x)
        return found

    def holds(self, g: State, b: i64, x: int) -> bool:
        g.slots[b + self.j] = x
        if not self.before.test(g, b):
            return False
        g.slots[b + self.i] = x
        return self.cond.test(g, b)

    def some(self, g: State, b: i64) -> bool:
        slots = g.slots
        for x in self.sel.items(g, b):
            slots[b + self.j] = x
            if self.before.test(g, b):
                slots[b + self.i] = x
                if self.cond.test(g, b):
                    return True
        return False

    def count(self, g: State, b: i64) -> int:
        return len(self.items(g, b))

    def first(self, g: State, b: i64) -> int:
        slots = g.slots
        for x in self.sel.items(g, b):
            slots[b + self.j] = x
            if self.before.test(g, b):
                slots[b + self.i] = x
                if self.cond.test(g, b):
                    return x
        return -1


class Best(Selector):
    """All that share the best key."""

    __slots__ = ("i", "key", "most", "sel")

    def __init__(self, most: bool, sel: Selector, i: i64, key: Expr) -> None:
        self.most = most
        self.sel = sel
        self.i = i
        self.key = key

    def items(self, g: State, b: i64) -> list[int]:
        at = b + self.i
        slots = g.slots
        found: list[int] = []
        best = 0
        for x in self.sel.items(g, b):
            slots[at] = x
            value = self.key.ev(g, b)
            if not found or (value > best if self.most else value < best):
                best = value
                found = [x]
            elif value == best:
                found.append(x)
        return found

    def some(self, g: State, b: i64) -> bool:
        return self.sel.some(g, b)


class Take(Selector):
    __slots__ = ("n", "sel")

    def __init__(self, n: Expr, sel: Selector) -> None:
        self.n = n
        self.sel = sel

    def items(self, g: State, b: i64) -> list[int]:
        n = self.n.ev(g, b)
        return self.sel.items(g, b)[:n] if n > 0 else []


class Except(Selector):
    __slots__ = ("e", "sel")

    def __init__(self, sel: Selector, e: Expr) -> None:
        self.sel = sel
        self.e = e

    def items(self, g: State, b: i64) -> list[int]:
        found = self.sel.items(g, b)
        out = self.e.ev(g, b)
        return [x for x in found if x != out]

    def some(self, g: State, b: i64) -> bool:
        found = self.sel.items(g, b)
        out = self.e.ev(g, b)
        for x in found:  # noqa: SIM110
            if x != out:
                return True
        return False

    def first(self, g: State, b: i64) -> int:
        found = self.sel.items(g, b)
        out = self.e.ev(g, b)
        for x in found:
            if x != out:
                return x
        return -1


class Lone(Selector):
    __slots__ = ("e",)

    def __init__(self, e: Expr) -> None:
        self.e = e

    def items(self, g: State, b: i64) -> list[int]:
        x = self.e.ev(g, b)
        return [x] if x != -1 else []

    def some(self, g: State, b: i64) -> bool:
        return self.e.ev(g, b) != -1

    def first(self, g: State, b: i64) -> int:
        return self.e.ev(g, b)


def bits(mask: int) -> list[int]:
    """The bits of a mask, ascending; a long mask is taken apart into pieces that fit into a machine word."""
    found: list[int] = []
    first = -1
    while mask > 0:
        part: i64 = mask & WORD_MASK
        while part:
            low: int = part & -part
            found.append(first + low.bit_length())
            part ^= low
        mask >>= WORD_BITS
        first += WORD_BITS
    return found


def by_place(g: State, mask: int) -> list[int]:
    """The pieces of a mask by zone and place; those out of play, which have none, come last."""
    found = bits(mask)
    if len(found) < 2:
        return found
    loc = g.loc
    chosen = set(found)
    ordered: list[int] = []
    for zone in sorted({loc[piece] for piece in found}):
        if zone >= 0:
            ordered.extend([piece for piece in g.zones[zone] if piece in chosen])
    if len(ordered) < len(found):
        ordered.extend([piece for piece in found if loc[piece] < 0])
    return ordered


def first_seat(first: int, seats: int, mask: int) -> int:
    """The first seat of a mask in turn order from one; -1 if there is none."""
    for i in range(seats):
        seat = (first + i) % seats
        if (mask >> seat) & 1:
            return seat
    return -1


def seats_from(first: int, seats: int, mask: int) -> list[int]:
    """The seats of a mask in turn order from one."""
    found: list[int] = []
    for i in range(seats):
        seat = (first + i) % seats
        if (mask >> seat) & 1:
            found.append(seat)
    return found

"""Expressions: small pure node objects that read the state and the slots of a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.base import Expr, Selector
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_BITS, MAX_ELEMENT, MAX_WORK

if TYPE_CHECKING:
    from mypy_extensions import i64

HUGE: Final = 1 << MAX_BITS
SMALL: Final = 1 << 60  # what lies below needs no comparison with numbers of many digits

NOTHING: Final[list[int]] = []


def check_size(g: State, value: int) -> int:
    """A number that is not small, unless it has grown beyond all sense."""
    if -HUGE < value < HUGE:
        return value
    raise g.breach("number", MAX_BITS, f"a number grows beyond {MAX_BITS} bits")


def no_element(g: State) -> int:
    """A number is too large for a set, which is a mask."""
    raise g.breach("element", MAX_ELEMENT, f"a number beyond {MAX_ELEMENT:,} cannot be in a set")


class Const(Expr):
    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def ev(self, g: State, b: i64) -> int:
        return self.n

    def test(self, g: State, b: i64) -> bool:
        return self.n != 0


class Slot(Expr):
    __slots__ = ("i",)

    def __init__(self, i: i64) -> None:
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        return g.slots[b + self.i]

    def test(self, g: State, b: i64) -> bool:
        return g.slots[b + self.i] != 0


class Var(Expr):
    __slots__ = ("address",)

    def __init__(self, address: i64) -> None:
        self.address = address

    def ev(self, g: State, b: i64) -> int:
        return g.mem[self.address]


class Col(Expr):
    """A stored column of any object."""

    __slots__ = ("base", "of")

    def __init__(self, base: i64, of: Expr) -> None:
        self.base = base
        self.of = of

    def ev(self, g: State, b: i64) -> int:
        o = self.of.ev(g, b)
        return g.mem[self.base + o] if o >= 0 else -1


class ColSlot(Expr):
    """A stored column of the object in a slot."""

    __slots__ = ("base", "i")

    def __init__(self, base: i64, i: i64) -> None:
        self.base = base
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        o = g.slots[b + self.i]
        return g.mem[self.base + o] if o >= 0 else -1


class Printed(Expr):
    """A column that never changes."""

    __slots__ = ("of", "values")

    def __init__(self, values: list[int], of: Expr) -> None:
        self.values = values
        self.of = of

    def ev(self, g: State, b: i64) -> int:
        o = self.of.ev(g, b)
        return self.values[o] if o >= 0 else -1


class PrintedSlot(Expr):
    __slots__ = ("i", "values")

    def __init__(self, values: list[int], i: i64) -> None:
        self.values = values
        self.i = i

    def ev(self, g: State, b: i64) -> int:
        o = g.slots[b + self.i]
        return self.values[o] if o >= 0 else -1


class Attr(Expr):
    """A column with its continuous modifiers: set-to, then add, then the bounds."""

    __slots__ = ("column", "high", "key", "low", "of", "weight", "window")

    def __init__(
        self, column: Expr, of: Expr, key: i64, low: int | None, high: int | None, window: i64, weight: i64
    ) -> None:
        self.weight = weight
        self.column = column
        self.of = of
        self.key = key
        self.low = low
        self.high = high
        self.window = window

    def ev(self, g: State, b: i64) -> int:
        value = self.column.ev(g, b)
        found = g.index[self.key]
        if not found:
            return value
        o = self.of.ev(g, b)
        if o < 0:
            return value
        t = g.tables
        static = len(t.mod_instance)
        extra = 0
        top = b + self.window
        g.work += len(found) * self.weight
        if g.work > MAX_WORK:
            g.raise_exceeded(-1)
        for instance in found:
            captures = NOTHING
            if instance < static:
                m = t.modifiers[t.mod_instance[instance]]
                piece = t.mod_piece[instance]
                owner = -1 if piece < 0 else t.holder[g.loc[piece]]
            else:
                effect = g.floats[instance - static]
                m = t.modifiers[effect.which]
                piece = -1
                owner = effect.owner
                captures = effect.captures
            if owner < 0:
                owner = g.current()
            g.room(top + m.window)
            slots = g.slots
            slots[top] = owner
            slots[top + 1] = piece
            at = top + 2
            for capture in captures:
                slots[at] = capture
                at += 1
            slots[top + m.slot] = o
            if m.cond is not None and not m.cond.test(g, top):
                continue
            if m.set is not None:
                value = m.set.ev(g, top)
            if m.add is not None:
                extra += m.add.ev(g, top)
        value += extra
        if self.low is not None and value < self.low:
            value = self.low
        if self.high is not None and value > self.high:
            value = self.high
        return value if -SMALL < value < SMALL else check_size(g, value)


class Function:
    """The body of a pure function, filled in after all are known."""

    __slots__ = ("name", "value", "window")

    def __init__(self, name: str) -> None:
        self.name = name
        self.value: Expr = Const(0)
        self.window: i64 = 0


class Fn(Expr):
    __slots__ = ("args", "function", "window")

    def __init__(self, function: Function, args: list[Expr], window: i64) -> None:
        self.function = function
        self.args = args
        self.window = window

    def _enter(self, g: State, b: i64) -> i64:
        top = b + self.window
        slots = g.slots
        if len(slots) < top + self.function.window:
            g.room(top + self.function.window)
        args = self.args
        n = len(args)
        if n == 1:
            slots[top] = args[0].ev(g, b)
        elif n == 2:
            first = args[0].ev(g, b)
            slots[top + 1] = args[1].ev(g, b)
            slots[top] = first
        else:
            values = [arg.ev(g, b) for arg in args]
            slots[top : top + n] = values
        return top

    def ev(self, g: State, b: i64) -> int:
        return self.function.value.ev(g, self._enter(g, b))

    def test(self, g: State, b: i64) -> bool:
        return self.function.value.test(g, self._enter(g, b))


class Add(Expr):
    __slots__ = ("left", "right")

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left = left
        self.right = right

    def ev(self, g: State, b: i64) -> int:
        x = self.left.ev(g, b) + self.right.ev(g, b)
        return x if -SMALL < x < SMALL else check_size(g, x)


class Sub(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        x = self.left.ev(g, b) - self.right.ev(g, b)
        return x if -SMALL < x < SMALL else check_size(g, x)


class Mul(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        x = self.left.ev(g, b) * self.right.ev(g, b)
        return x if -SMALL < x < SMALL else check_size(g, x)


class Div(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        d = self.right.ev(g, b)
        return self.left.ev(g, b) // d if d else 0


class Min(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        x = self.left.ev(g, b)
        y = self.right.ev(g, b)
        return x if x < y else y


class Max(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        x = self.left.ev(g, b)
        y = self.right.ev(g, b)
        return x if x > y else y


class CountedTest(Expr):
    """A condition that counts how it came out; only in programs built with tracking."""

    __slots__ = ("inner", "no", "yes")

    def __init__(self, inner: Expr, yes: int, no: int) -> None:
        self.inner = inner
        self.yes = yes
        self.no = no

    def test(self, g: State, b: i64) -> bool:
        found = self.inner.test(g, b)
        if g.track is not None:
            g.track[self.yes if found else self.no] += 1
        return found


class CountedValue(Expr):
    """A value that counts how often it was asked for; only in programs built with tracking."""

    __slots__ = ("at", "inner")

    def __init__(self, inner: Expr, at: i64) -> None:
        self.inner = inner
        self.at = at

    def ev(self, g: State, b: i64) -> int:
        if g.track is not None:
            g.track[self.at] += 1
        return self.inner.ev(g, b)


class Compare(Expr):
    __slots__ = ("left", "right")

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left = left
        self.right = right


class Eq(Compare):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) == self.right.ev(g, b)


class Ne(Compare):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) != self.right.ev(g, b)


class Lt(Compare):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) < self.right.ev(g, b)


class Le(Compare):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) <= self.right.ev(g, b)


class Gt(Compare):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) > self.right.ev(g, b)


class Ge(Compare):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) >= self.right.ev(g, b)


class EqConst(Expr):
    """An expression against a constant."""

    __slots__ = ("left", "n")

    def __init__(self, left: Expr, n: int) -> None:
        self.left = left
        self.n = n

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) == self.n


class NeConst(EqConst):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) != self.n


class LtConst(EqConst):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) < self.n


class GtConst(EqConst):
    __slots__ = ()

    def test(self, g: State, b: i64) -> bool:
        return self.left.ev(g, b) > self.n


class And(Expr):
    __slots__ = ("parts",)

    def __init__(self, parts: list[Expr]) -> None:
        self.parts = parts

    def test(self, g: State, b: i64) -> bool:
        for part in self.parts:  # noqa: SIM110
            if not part.test(g, b):
                return False
        return True


class And2(Expr):
    __slots__ = ("left", "right")

    def __init__(self, left: Expr, right: Expr) -> None:
        self.left = left
        self.right = right

    def test(self, g: State, b: i64) -> bool:
        return self.left.test(g, b) and self.right.test(g, b)


class Or(Expr):
    __slots__ = ("parts",)

    def __init__(self, parts: list[Expr]) -> None:
        self.parts = parts

    def test(self, g: State, b: i64) -> bool:
        for part in self.parts:  # noqa: SIM110
            if part.test(g, b):
                return True
        return False


class Not(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def test(self, g: State, b: i64) -> bool:
        return not self.part.test(g, b)


class If(Expr):
    __slots__ = ("cond", "no", "yes")

    def __init__(self, cond: Expr, yes: Expr, no: Expr) -> None:
        self.cond = cond
        self.yes = yes
        self.no = no

    def ev(self, g: State, b: i64) -> int:
        return self.yes.ev(g, b) if self.cond.test(g, b) else self.no.ev(g, b)

    def test(self, g: State, b: i64) -> bool:
        return self.yes.test(g, b) if self.cond.test(g, b) else self.no.test(g, b)


# -- over selectors


class SetOf(Expr):
    __slots__ = ("sel",)

    def __init__(self, sel: Selector) -> None:
        self.sel = sel

    def ev(self, g: State, b: i64) -> int:
        mask = 0
        for x in self.sel.items(g, b):
            if x >= 0:
                mask |= 1 << x
        return mask


class SetOfNumbers(SetOf):
    """The same for a list that may have numbers in it."""

    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        mask = 0
        for x in self.sel.items(g, b):
            if x > MAX_ELEMENT:
                no_element(g)
            if x >= 0:
                mask |= 1 << x
        return mask


class One(Expr):
    __slots__ = ("sel",)

    def __init__(self, sel: Selector) -> None:
        self.sel = sel

    def ev(self, g: State, b: i64) -> int:
        return self.sel.first(g, b)


class Count(Expr):
    __slots__ = ("sel",)

    def __init__(self, sel: Selector) -> None:
        self.sel = sel

    def ev(self, g: State, b: i64) -> int:
        return self.sel.count(g, b)


class Any(Expr):
    __slots__ = ("sel",)

    def __init__(self, sel: Selector) -> None:
        self.sel = sel

    def test(self, g: State, b: i64) -> bool:
        return self.sel.some(g, b)


class All(Expr):
    __slots__ = ("cond", "i", "sel")

    def __init__(self, sel: Selector, i: i64, cond: Expr) -> None:
        self.sel = sel
        self.i = i
        self.cond = cond

    def test(self, g: State, b: i64) -> bool:
        at = b + self.i
        cond = self.cond
        slots = g.slots
        for x in self.sel.items(g, b):
            slots[at] = x
            if not cond.test(g, b):
                return False
        return True


class Fold(Expr):
    """The base of folds over a selector with the element in a slot."""

    __slots__ = ("e", "i", "sel")

    def __init__(self, sel: Selector, i: i64, e: Expr) -> None:
        self.sel = sel
        self.i = i
        self.e = e


class Sum(Fold):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        at = b + self.i
        e = self.e
        slots = g.slots
        total = 0
        for x in self.sel.items(g, b):
            slots[at] = x
            total += e.ev(g, b)
        return total if -SMALL < total < SMALL else check_size(g, total)


class MaxOf(Fold):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        at = b + self.i
        slots = g.slots
        best = 0
        first = True
        for x in self.sel.items(g, b):
            slots[at] = x
            value = self.e.ev(g, b)
            if first or value > best:
                best = value
                first = False
        return best


class MinOf(Fold):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        at = b + self.i
        slots = g.slots
        best = 0
        first = True
        for x in self.sel.items(g, b):
            slots[at] = x
            value = self.e.ev(g, b)
            if first or value < best:
                best = value
                first = False
        return best


class Distinct(Fold):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        at = b + self.i
        slots = g.slots
        found: set[int] = set()
        for x in self.sel.items(g, b):
            slots[at] = x
            found.add(self.e.ev(g, b))
        return len(found)


# -- masks


class Bit(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        x = self.part.ev(g, b)
        if x > MAX_ELEMENT:
            no_element(g)
        return 1 << x if x >= 0 else 0


class Has(Expr):
    __slots__ = ("element", "mask")

    def __init__(self, mask: Expr, element: Expr) -> None:
        self.mask = mask
        self.element = element

    def test(self, g: State, b: i64) -> bool:
        x = self.element.ev(g, b)
        return x >= 0 and (self.mask.ev(g, b) >> x) & 1 == 1


class Union(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        return self.left.ev(g, b) | self.right.ev(g, b)


class Inter(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        return self.left.ev(g, b) & self.right.ev(g, b)


class Minus(Add):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        return self.left.ev(g, b) & ~self.right.ev(g, b)


class Size(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        mask = self.part.ev(g, b)
        return mask.bit_count() if mask > 0 else 0


class First(Expr):
    __slots__ = ("part",)

    def __init__(self, part: Expr) -> None:
        self.part = part

    def ev(self, g: State, b: i64) -> int:
        mask = self.part.ev(g, b)
        return (mask & -mask).bit_length() - 1 if mask > 0 else -1

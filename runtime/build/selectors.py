"""Building selectors of the core: node objects that give lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimoire.runtime.build.columns import ColumnTests
from grimoire.runtime.build.context import Context
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core.analysis import free_slots, never_negative, strip
from grimoire.runtime.core.expressions import AllOf, AnyOf, Comparison, Slot
from grimoire.runtime.core.records import Selector
from grimoire.runtime.core.selectors import (
    Best,
    Concatenation,
    Except,
    Filter,
    FixturesOfKind,
    Lone,
    Members,
    PiecesOfKind,
    PiecesOfZone,
    Range,
    Related,
    SeatsFrom,
    Take,
    TopPieces,
)
from grimoire.runtime.kernel import base, cells, fused, nodes, places, selectors
from grimoire.runtime.kernel.nodes import Const

FILTERS: Final[dict[str, type[fused.ColumnFilter]]] = {
    "==": fused.FilterEq,
    "!=": fused.FilterNe,
    "<": fused.FilterLt,
    ">": fused.FilterGt,
}


class SelectorBuilder:
    """Builds selectors."""

    def __init__(self, context: Context, columns: ColumnTests) -> None:
        self.context = context
        self.columns = columns
        self.fuse = context.fuse
        self.players = context.players

    def build(self, form: Selector, scope: Scope, units: int) -> base.Selector:
        """The node of a selector with each of whose elements something of so many units of work is done."""
        c = self.context
        make = _SOURCES.get(type(form))
        if make is not None:
            node = make(self, form, scope)
            weight = c.sizes.charge(form, units)
            return self.charge(node, weight, scope.place) if weight else node
        if isinstance(form, Filter):
            return self.filtered(form, scope, units)
        if isinstance(form, Concatenation):
            parts = [self.build(part, scope, units + 2) for part in form.lists]
            fixed = [part.found for part in parts if isinstance(part, selectors.FixedList)]
            if len(fixed) == len(parts) and self.fuse:
                return selectors.FixedList(list(dict.fromkeys(x for part in fixed for x in part)))
            return selectors.Cat(parts)
        if isinstance(form, Best):
            sel = self.build(form.selector, scope, units + 2 + c.sizes.form(form.key))
            return selectors.Best(form.extreme == "max", sel, form.element, c.expr(form.key, scope))
        if isinstance(form, Take):
            return selectors.Take(c.expr(form.number, scope), self.build(form.selector, scope, units))
        assert isinstance(form, Except)
        return selectors.Except(self.build(form.selector, scope, units + 1), c.expr(form.but, scope))

    def charge(self, node: base.Selector, weight: int, place: int) -> base.Selector:
        """The same list, with each element charged."""
        if self.fuse:
            if isinstance(node, fused.FixedZone):
                return fused.ChargedZone(node.zone, weight, place)
            if isinstance(node, fused.HandOfSlot):
                return fused.ChargedHand(node.base, node.i, weight, place)
            if isinstance(node, selectors.InZone):
                return selectors.ChargedIn(node.zone, weight, place)
        return selectors.ChargedList(node, weight, place)

    # -- lists that are made from another list

    def filtered(self, form: Filter, scope: Scope, units: int) -> base.Selector:
        """Those for which a condition holds; comparing a column has nodes of its own."""
        c = self.context
        rows = self.row_filter(form, scope, units)
        if rows is not None:
            return rows
        sel = self.build(form.selector, scope, units + 1 + c.sizes.form(form.condition))
        found = self.columns.test(form.selector, form.element, form.condition, scope)
        if found is None:
            return self.plain_filter(sel, form.element, c.expr(form.condition, scope))
        value = found.value
        if (
            found.op == "=="
            and found.table is None
            and isinstance(sel, selectors.FixedList)
            and isinstance(value, Const)
        ):
            return cells.CellsWith(sel.found, found.base, value.n)
        return FILTERS[found.op](sel, found.table, found.base, value)

    def plain_filter(self, sel: base.Selector, element: int, cond: base.Expr) -> base.Selector:
        """Those for which a condition holds: found now if that is known now; a filter of a filter makes one list."""
        if not self.fuse:
            return selectors.Filter(sel, element, cond)
        if isinstance(sel, selectors.FixedList) and reads_slot_alone(cond, element):
            nowhere = self.context.nowhere
            nowhere.room(element)
            kept = []
            for x in sel.found:
                nowhere.slots[element] = x
                if cond.test(nowhere, 0):
                    kept.append(x)
            return selectors.FixedList(kept)
        if type(sel) is selectors.Filter:
            return selectors.FilterTwice(sel.sel, sel.i, sel.cond, element, cond)
        return selectors.Filter(sel, element, cond)

    def row_filter(self, form: Filter, scope: Scope, units: int) -> base.Selector | None:
        """The elements all (or some) of whose related fixtures have a column equal to a value."""
        outer, cond = form.element, strip(form.condition)
        if not self.fuse or not isinstance(cond, AllOf | AnyOf) or not never_negative(form.selector):
            return None
        inner = cond if isinstance(cond, AllOf) else cond.selector
        if not isinstance(inner, AllOf | Filter) or not isinstance(inner.selector, Related):
            return None
        if strip(inner.selector.fixture) != Slot(outer):
            return None
        test = strip(inner.condition)
        if not isinstance(test, Comparison) or test.op != "==":
            return None
        for side in (test.left, test.right):
            if self.columns.of_element(side, inner.element) is None and outer in free_slots(side):
                return None
        found = self.columns.test(inner.selector, inner.element, inner.condition, scope)
        if found is None or found.table is not None:
            return None
        relation = self.context.layout.relation(inner.selector.relation)
        sel = self.build(form.selector, scope, units + 1 + self.context.sizes.form(form.condition))
        if isinstance(cond, AllOf) and isinstance(sel, selectors.Related) and isinstance(sel.of, nodes.Slot):
            addresses = [[found.base + y for y in row] for row in relation]
            return cells.RowsWith(sel.table, sel.of.i, addresses, found.value)
        node = fused.FullRows if isinstance(cond, AllOf) else fused.TouchedRows
        return node(sel, relation, found.base, found.value)

    # -- lists that are not made from another one

    def pieces_of_zone(self, form: PiecesOfZone, scope: Scope) -> base.Selector:
        zone = self.context.expr(form.zone, scope)
        if isinstance(zone, Const) and zone.n >= 0 and self.fuse:
            return fused.FixedZone(zone.n)
        if isinstance(zone, cells.ZoneOfSlot):
            return fused.HandOfSlot(zone.base, zone.i)
        return selectors.InZone(zone)

    def top_pieces(self, form: TopPieces, scope: Scope) -> base.Selector:
        return selectors.TopOf(self.context.expr(form.zone, scope), self.context.expr(form.number, scope))

    def pieces_of_kind(self, form: PiecesOfKind, scope: Scope) -> base.Selector:
        layout = self.context.layout
        return selectors.Pieces(layout.flags("piece", form.kind), layout.list_number(form.kind))

    def fixtures_of_kind(self, form: FixturesOfKind, scope: Scope) -> base.Selector:
        return selectors.FixedList(self.context.layout.fixtures(form.kind))

    def seats_from(self, form: SeatsFrom, scope: Scope) -> base.Selector:
        n = self.players
        start = self.context.expr(form.seat, scope)
        if isinstance(start, nodes.Slot) and self.fuse:
            return selectors.SeatsOfSlot(start, start.i, n)
        if isinstance(start, Const) and self.fuse and start.n < n:
            return selectors.FixedList([(max(start.n, 0) + i) % n for i in range(n)])
        return selectors.Seats(start, n)

    def related(self, form: Related, scope: Scope) -> base.Selector:
        return selectors.Related(self.context.layout.relation(form.relation), self.context.expr(form.fixture, scope))

    def members(self, form: Members, scope: Scope) -> base.Selector:
        mask = self.context.expr(form.members, scope)
        if form.sort == "seat":
            return selectors.MemberSeats(mask, self.players)
        return selectors.MemberPieces(mask) if form.sort == "piece" else selectors.Members(mask)

    def numbers_from(self, form: Range, scope: Scope) -> base.Selector:
        low, high = self.context.expr(form.low, scope), self.context.expr(form.high, scope)
        if isinstance(low, Const) and isinstance(high, Const) and high.n - low.n < 1000:
            return selectors.FixedList(list(range(low.n, high.n + 1)))
        return selectors.Range(low, high)

    def lone(self, form: Lone, scope: Scope) -> base.Selector:
        of = self.context.expr(form.object, scope)
        if isinstance(of, Const) and self.fuse:
            return selectors.FixedList([of.n] if of.n != -1 else [])
        return selectors.Lone(of)


def reads_slot_alone(node: base.Expr, i: int) -> bool:
    """Whether a condition is about what is in one slot and never changes."""
    match node:
        case Const():
            return True
        case nodes.Slot() | nodes.PrintedSlot() | fused.EqSlotConst():
            return node.i == i
        case nodes.Not():
            return reads_slot_alone(node.part, i)
        case nodes.And() | nodes.Or():
            return all(reads_slot_alone(part, i) for part in node.parts)
        case nodes.And2():
            return reads_slot_alone(node.left, i) and reads_slot_alone(node.right, i)
        case nodes.EqConst():
            return reads_slot_alone(node.left, i)
        case nodes.Has():
            return reads_slot_alone(node.mask, i) and reads_slot_alone(node.element, i)
        case places.TestTable() | places.Lookup():
            return reads_slot_alone(node.part, i)
    return False


_SOURCES: Final[dict[type[Selector], Callable[..., base.Selector]]] = {
    PiecesOfZone: SelectorBuilder.pieces_of_zone,
    TopPieces: SelectorBuilder.top_pieces,
    PiecesOfKind: SelectorBuilder.pieces_of_kind,
    FixturesOfKind: SelectorBuilder.fixtures_of_kind,
    SeatsFrom: SelectorBuilder.seats_from,
    Related: SelectorBuilder.related,
    Members: SelectorBuilder.members,
    Range: SelectorBuilder.numbers_from,
    Lone: SelectorBuilder.lone,
}

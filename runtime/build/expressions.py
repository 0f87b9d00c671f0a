"""Building expressions of the core: node objects with a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimoire.runtime.build.columns import ColumnTests
from grimoire.runtime.build.context import Context, require_ability
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core import expressions as core
from grimoire.runtime.core.analysis import never_negative, strip
from grimoire.runtime.core.records import Expression, Selector
from grimoire.runtime.core.selectors import Filter, Lone, SeatsFrom
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.kernel import base, cells, fused, hearing, nodes, places, selectors
from grimoire.runtime.kernel.base import VARS, Expr
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.limits import MAX_ELEMENT

BINARY: Final[dict[str, type[nodes.Add]]] = {
    "+": nodes.Add,
    "-": nodes.Sub,
    "*": nodes.Mul,
    "//": nodes.Div,
    "min": nodes.Min,
    "max": nodes.Max,
    "union": nodes.Union,
    "inter": nodes.Inter,
    "minus": nodes.Minus,
}
COMPARE: Final[dict[str, type[nodes.Compare]]] = {
    "==": nodes.Eq,
    "!=": nodes.Ne,
    "<": nodes.Lt,
    "<=": nodes.Le,
    ">": nodes.Gt,
    ">=": nodes.Ge,
}
FOLDS: Final[dict[str, type[nodes.Fold]]] = {
    "sum": nodes.Sum,
    "maxof": nodes.MaxOf,
    "minof": nodes.MinOf,
    "distinct": nodes.Distinct,
}
CELL_WITH_NUMBER: Final[dict[str, type[cells.CellIs]]] = {
    "==": cells.CellIs,
    "!=": cells.CellIsNot,
    "<": cells.CellBelow,
    ">": cells.CellAbove,
}
CELL_WITH_CELL: Final[dict[str, type[cells.CellsEq]]] = {
    "==": cells.CellsEq,
    "!=": cells.CellsNe,
    "<": cells.CellsLt,
    "<=": cells.CellsLe,
}
SWAPPED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class ExpressionBuilder:
    """Builds expressions."""

    def __init__(self, context: Context, columns: ColumnTests) -> None:
        self.context = context
        self.columns = columns
        self.layout = context.layout
        self.tables = context.tables
        self.players = context.players
        self.fuse = context.fuse

    def build(self, form: Expression, scope: Scope) -> Expr:
        """The node of an expression."""
        return BUILDERS[type(form)](self, form, scope)

    def build_all(self, forms: tuple[Expression, ...], scope: Scope) -> list[Expr]:
        return [BUILDERS[type(form)](self, form, scope) for form in forms]

    # -- values

    def number(self, form: core.Number, scope: Scope) -> Expr:
        return Const(form.value)

    def slot(self, form: core.Slot, scope: Scope) -> Expr:
        return nodes.Slot(form.slot)

    def variable(self, form: core.ReadVariable, scope: Scope) -> Expr:
        return nodes.Var(VARS + form.variable)

    def placed(self, form: core.Placed, scope: Scope) -> Expr:
        return self.build(form.value, scope.at(form.place))

    def option(self, form: core.OptionValue, scope: Scope) -> Expr:
        return Const(self.players if form.option == "players" else self.context.settings.options[form.option])

    def column(self, form: core.ReadColumn | core.ReadModified, scope: Scope) -> Expr:
        """A column as it is written; what reads one for a slot or a variable has a node of its own."""
        values = self.layout.printed[form.column]
        of = self.build(form.of, scope)
        if values is not None:
            return nodes.PrintedSlot(values, of.i) if isinstance(of, nodes.Slot) else nodes.Printed(values, of)
        base = self.layout.column_base[form.column]
        if isinstance(of, Const):
            return nodes.Var(base + of.n) if of.n >= 0 else Const(-1)
        if self.fuse:
            table = self.layout.addresses(form.column)
            if isinstance(of, nodes.Slot):
                return cells.Cell(table, of.i)
            if isinstance(of, nodes.Var):
                return cells.CellOfVar(table, of.address)
            if isinstance(of, cells.SeatOfSlot):
                return cells.Cell([table[seat] for seat in of.table], of.i)
            if isinstance(of, cells.SeatOfVar):
                return cells.CellOfVar([table[seat] for seat in of.table], of.address)
        return nodes.ColSlot(base, of.i) if isinstance(of, nodes.Slot) else nodes.Col(base, of)

    def modified_column(self, form: core.ReadModified, scope: Scope) -> Expr:
        plain = self.column(form, scope)
        key = self.context.modified.get(form.column)
        if key is None:
            return plain
        row = self.context.artefact.columns[form.column]
        of, units = self.build(form.of, scope), self.context.sizes.modifiers(form.column)
        return nodes.Attr(plain, of, key, row.min, row.max, scope.window.size, units)

    def call(self, form: core.CallFunction, scope: Scope) -> Expr:
        function = self.context.function(form.function)
        return nodes.Fn(function, self.build_all((form.you, *form.arguments), scope), scope.window.size)

    # -- arithmetic and comparison

    def binary(self, form: core.Arithmetic | core.SetArithmetic, scope: Scope) -> Expr:
        op = form.op
        left, right = self.build(form.left, scope), self.build(form.right, scope)
        if isinstance(right, Const) and self.fuse:
            if isinstance(left, Const) and op in ("+", "-", "*"):
                return Const(BINARY[op](left, right).ev(self.context.nowhere, 0))
            if op in ("+", "-") and -nodes.HUGE < right.n < nodes.HUGE:
                return fused.AddConst(left, right.n if op == "+" else -right.n)
        return BINARY[op](left, right)

    def comparison(self, form: core.Comparison, scope: Scope) -> Expr:
        op: str = form.op
        left, right = self.build(form.left, scope), self.build(form.right, scope)
        if isinstance(left, Const):
            if isinstance(right, Const):
                return Const(COMPARE[op](left, right).ev(self.context.nowhere, 0))
            if op in ("==", "!="):
                left, right = right, left
        if isinstance(right, Const):
            return self.with_number(op, left, right.n)
        if isinstance(left, cells.Cell) and isinstance(right, cells.Cell):
            if op in (">", ">="):
                op, left, right = SWAPPED[op], right, left
            return CELL_WITH_CELL[op](left, right)
        if isinstance(left, nodes.Slot) and isinstance(right, nodes.Slot) and op in ("==", "!=") and self.fuse:
            return cells.SlotsEq(left.i, right.i) if op == "==" else cells.SlotsNe(left.i, right.i)
        return COMPARE[op](left, right)

    def with_number(self, op: str, left: Expr, n: int) -> Expr:
        """The comparison of something with a number."""
        if isinstance(left, nodes.Var) and op != "!=" and self.fuse:
            if op == "==":
                return fused.EqVarConst(left.address, n)
            if op in ("<", "<="):
                return fused.LtVarConst(left.address, n if op == "<" else n + 1)
            return fused.GtVarConst(left.address, n if op == ">" else n - 1)
        if isinstance(left, cells.Cell):
            n = n + 1 if op == "<=" else n - 1 if op == ">=" else n
            return CELL_WITH_NUMBER[op[0] if op[0] in "<>" else op](left.table, left.i, n)
        if isinstance(left, nodes.Slot) and op in ("==", "!=") and self.fuse:
            return fused.EqSlotConst(left.i, n) if op == "==" else fused.NeSlotConst(left.i, n)
        if op == "==":
            return nodes.EqConst(left, n)
        if op == "!=":
            return nodes.NeConst(left, n)
        if op in ("<", "<="):
            return nodes.LtConst(left, n if op == "<" else n + 1)
        return nodes.GtConst(left, n if op == ">" else n - 1)

    # -- logic

    def negation(self, form: core.Not, scope: Scope) -> Expr:
        part = self.build(form.condition, scope)
        if isinstance(part, Const):
            return Const(0 if part.n else 1)
        if self.fuse:
            if isinstance(part, nodes.Any):
                return cells.NoneOf(part.sel)
            if type(part) is cells.CellIs:
                return cells.CellIsNot(part.table, part.i, part.n)
            if type(part) is cells.CellIsNot:
                return cells.CellIs(part.table, part.i, part.n)
        return nodes.Not(part)

    def conditional(self, form: core.Conditional, scope: Scope) -> Expr:
        cond = self.build(form.condition, scope)
        if isinstance(cond, Const):
            return self.build(form.then if cond.n else form.otherwise, scope)
        return nodes.If(cond, self.build(form.then, scope), self.build(form.otherwise, scope))

    def conjunction(self, form: core.And, scope: Scope) -> Expr:
        kept: list[Expr] = []
        for part in self.build_all(form.conditions, scope):
            if not isinstance(part, Const):
                kept.append(part)
            elif not part.n:
                return Const(0)
        if not kept:
            return Const(1)
        return nodes.And2(kept[0], kept[1]) if len(kept) == 2 else nodes.And(kept)

    def disjunction(self, form: core.Or, scope: Scope) -> Expr:
        kept: list[Expr] = []
        for part in self.build_all(form.conditions, scope):
            if not isinstance(part, Const):
                kept.append(part)
            elif part.n:
                return Const(1)
        return nodes.Or(kept) if kept else Const(0)

    # -- over lists

    def set_of(self, form: core.SetOf, scope: Scope) -> Expr:
        if isinstance(form.selector, Lone) and self.fuse:
            return nodes.Bit(self.build(form.selector.object, scope))
        sel = drop_order(self.context.selector(form.selector, scope, self.context.sizes.mask))
        if isinstance(sel, selectors.Seats) and self.fuse:
            return Const(self.tables.everyone)
        if isinstance(sel, selectors.FixedList) and self.fuse and max(sel.found, default=0) <= MAX_ELEMENT:
            return Const(nodes.SetOf(sel).ev(self.context.nowhere, 0))
        return nodes.SetOf(sel) if never_negative(form.selector) else nodes.SetOfNumbers(sel)

    def first_of(self, form: core.FirstOf, scope: Scope) -> Expr:
        other = self.other_seat(form.selector, scope)
        return nodes.One(self.context.selector(form.selector, scope)) if other is None else other

    def other_seat(self, form: Selector, scope: Scope) -> Expr | None:
        """The first seat in turn order that is not the one from which the order starts: the seat after it."""
        if not self.fuse or not isinstance(form, Filter) or not isinstance(form.selector, SeatsFrom):
            return None
        start, cond, element = strip(form.selector.seat), strip(form.condition), core.Slot(form.element)
        if not isinstance(cond, core.Comparison) or cond.op != "!=" or start == element:
            return None
        sides = (strip(cond.left), strip(cond.right))
        if sides not in ((element, start), (start, element)):
            return None
        n = self.players
        table = [*((seat + 1) % n for seat in range(n)), 0] if n > 1 else [-1, 0]
        return self.seat_after(self.build(start, scope), table)

    def seat_after(self, seat: Expr, table: list[int]) -> Expr | None:
        """The node of a seat that depends on another seat alone; the table ends with the one for nothing."""
        if isinstance(seat, nodes.Slot):
            return cells.SeatOfSlot(table, seat.i)
        return cells.SeatOfVar(table, seat.address) if isinstance(seat, nodes.Var) else None

    def count_of(self, form: core.CountOf, scope: Scope) -> Expr:
        sel = drop_order(self.context.selector(form.selector, scope))
        return Const(self.players) if isinstance(sel, selectors.Seats) and self.fuse else nodes.Count(sel)

    def any_of(self, form: core.AnyOf, scope: Scope) -> Expr:
        sel = drop_order(self.context.selector(form.selector, scope))
        return Const(1) if isinstance(sel, selectors.Seats) and self.fuse else nodes.Any(sel)

    def all_of(self, form: core.AllOf, scope: Scope) -> Expr:
        sel = drop_order(self.context.selector(form.selector, scope, 2 + self.context.sizes.form(form.condition)))
        found = self.columns.test(form.selector, form.element, form.condition, scope)
        if found is not None and found.op == "==":
            return fused.AllEq(sel, found.table, found.base, found.value)
        return nodes.All(sel, form.element, self.build(form.condition, scope))

    def aggregate(self, form: core.Aggregate, scope: Scope) -> Expr:
        sel = drop_order(self.context.selector(form.selector, scope, 2 + self.context.sizes.form(form.value)))
        if form.op == "sum":
            column = self.columns.of_element(form.value, form.element)
            if column is not None and never_negative(form.selector) and self.fuse:
                read = strip(form.value)
                assert isinstance(read, core.ReadColumn | core.ReadModified)
                row = self.context.artefact.columns[read.column]
                bounded = column[0] is not None or (row.min is not None and row.max is not None)
                return (fused.SumOf if bounded else fused.SumOfUnbounded)(sel, column[0], column[1])
        return FOLDS[form.op](sel, form.element, self.build(form.value, scope))

    # -- sets

    def set_with(self, form: core.SetWith, scope: Scope) -> Expr:
        return nodes.Bit(self.build(form.member, scope))

    def contains(self, form: core.Contains, scope: Scope) -> Expr:
        return nodes.Has(self.build(form.members, scope), self.build(form.member, scope))

    def size_of_set(self, form: core.SizeOfSet, scope: Scope) -> Expr:
        return nodes.Size(self.build(form.members, scope))

    def first_of_set(self, form: core.FirstOfSet, scope: Scope) -> Expr:
        return nodes.First(self.build(form.members, scope))

    # -- zones, pieces, seats, fixtures

    def zone(self, form: core.Zone, scope: Scope) -> Expr:
        row = self.context.artefact.zones[form.zone]
        if row.each:
            raise ArtefactError(f"zone {row.id} is one a seat: use zfam")
        return Const(self.layout.zone_base[form.zone])

    def zone_of_seat(self, form: core.ZoneOfSeat, scope: Scope) -> Expr:
        row = self.context.artefact.zones[form.zone]
        if not row.each:
            raise ArtefactError(f"zone {row.id} is not one a seat: use zone")
        seat = self.build(form.seat, scope)
        base = self.layout.zone_base[form.zone]
        if isinstance(seat, Const) and seat.n >= 0:
            return Const(base + seat.n)
        if isinstance(seat, nodes.Slot) and self.fuse:
            return cells.ZoneOfSlot(base, seat.i)
        return places.ZoneOfSeat(base, seat)

    def zone_of_fixture(self, form: core.ZoneOfFixture, scope: Scope) -> Expr:
        return places.Lookup(self.tables.fixture_zone, self.build(form.fixture, scope))

    def zone_of_piece(self, form: core.ZoneOfPiece, scope: Scope) -> Expr:
        return places.Where(self.build(form.piece, scope))

    def fixture_of_zone(self, form: core.FixtureOfZone, scope: Scope) -> Expr:
        return places.Lookup(self.tables.zone_fixture, self.build(form.zone, scope))

    def holder_of_zone(self, form: core.HolderOfZone, scope: Scope) -> Expr:
        return places.Lookup(self.tables.holder, self.build(form.zone, scope))

    def height_of_zone(self, form: core.HeightOfZone, scope: Scope) -> Expr:
        return places.Height(self.build(form.zone, scope))

    def top_of_zone(self, form: core.TopOfZone, scope: Scope) -> Expr:
        zone = self.build(form.zone, scope)
        if isinstance(zone, Const) and zone.n >= 0 and self.fuse:
            return fused.TopOfFixed(zone.n)
        return places.Top(zone)

    def is_kind(self, form: core.IsKind, scope: Scope) -> Expr:
        return places.TestTable(self.layout.flags(form.sort, form.kind), self.build(form.of, scope))

    def is_definition(self, form: core.IsDefinition, scope: Scope) -> Expr:
        return places.TestTable(self.layout.definition_flags(form.definition), self.build(form.piece, scope))

    def definition_of(self, form: core.DefinitionOf, scope: Scope) -> Expr:
        return places.Lookup(self.tables.piece_def, self.build(form.piece, scope))

    def knows(self, form: core.Knows, scope: Scope) -> Expr:
        return places.Knows(self.build(form.seat, scope), self.build(form.piece, scope))

    def fits_zone(self, form: core.FitsZone, scope: Scope) -> Expr:
        return places.Fits(self.layout.flags_of_zones(), self.build(form.zone, scope), self.build(form.piece, scope))

    def next_seat(self, form: core.NextSeat, scope: Scope) -> Expr:
        seat, steps = self.build(form.seat, scope), self.build(form.steps, scope)
        if isinstance(steps, Const) and self.fuse:
            table = [*((at + steps.n) % self.players for at in range(self.players)), -1]
            return self.seat_after(seat, table) or fused.NextConst(seat, steps.n, self.players)
        return places.NextSeat(seat, steps, self.players)

    def seat_count(self, form: core.SeatCount, scope: Scope) -> Expr:
        return Const(self.players)

    def distance(self, form: core.Distance, scope: Scope) -> Expr:
        table = self.layout.distances(form.relation)
        return places.Dist(table, self.build(form.start, scope), self.build(form.end, scope))

    # -- frames and events

    def setting(self, form: core.ReadSetting, scope: Scope) -> Expr:
        proc, slot = form.procedure, form.slot
        if not 0 <= slot < self.context.procs[proc].slots:
            raise ArtefactError(f"setting: slot {slot} is outside procedure {proc}")
        inside = scope.inside.get(proc)
        if inside is not None:
            here = inside.instead.get(slot)
            return nodes.Slot(inside.at + slot) if here is None else self.build(here, scope)
        if scope.window.proc == proc and self.fuse:
            return nodes.Slot(slot)
        return hearing.Setting(proc, slot)

    def is_running(self, form: core.IsRunning, scope: Scope) -> Expr:
        if form.procedure in scope.inside or (scope.window.proc == form.procedure and self.fuse):
            return Const(1)
        return hearing.IsRunning(form.procedure)

    def event_argument(self, form: core.EventArgument, scope: Scope) -> Expr:
        require_ability(scope, "arg")
        return hearing.Arg(scope.window.heard, form.slot)

    def event_result(self, form: core.EventResult, scope: Scope) -> Expr:
        require_ability(scope, "result")
        return hearing.EventResult(scope.window.heard)

    def this_piece(self, form: core.ThisPiece, scope: Scope) -> Expr:
        return nodes.Slot(1) if scope.window.bearer else Const(-1)

    def is_allowed(self, form: core.IsAllowed, scope: Scope) -> Expr:
        key = self.context.heard.get(form.verb)
        if key is None:
            return Const(1)
        unit = self.context.event_unit(form.verb)
        return hearing.IsAllowed(unit, key, self.build_all((form.you, *form.arguments), scope), scope.window.size)

    def can_carry_out(self, form: core.CanCarryOut, scope: Scope) -> Expr:
        return self.context.can(form.statement, scope)


def drop_order(sel: base.Selector) -> base.Selector:
    """The same elements for somebody to whom their order does not matter: pieces need not be looked for in zones."""
    if type(sel) is selectors.MemberPieces:
        return selectors.Members(sel.mask)
    if isinstance(sel, selectors.Filter | fused.ColumnFilter | selectors.ChargedList):
        sel.sel = drop_order(sel.sel)
    return sel


BUILDERS: Final[dict[type[Expression], Callable[..., Expr]]] = {
    core.Number: ExpressionBuilder.number,
    core.Slot: ExpressionBuilder.slot,
    core.ReadVariable: ExpressionBuilder.variable,
    core.ReadColumn: ExpressionBuilder.column,
    core.ReadModified: ExpressionBuilder.modified_column,
    core.CallFunction: ExpressionBuilder.call,
    core.Arithmetic: ExpressionBuilder.binary,
    core.Comparison: ExpressionBuilder.comparison,
    core.And: ExpressionBuilder.conjunction,
    core.Or: ExpressionBuilder.disjunction,
    core.Not: ExpressionBuilder.negation,
    core.Conditional: ExpressionBuilder.conditional,
    core.Placed: ExpressionBuilder.placed,
    core.SetOf: ExpressionBuilder.set_of,
    core.FirstOf: ExpressionBuilder.first_of,
    core.CountOf: ExpressionBuilder.count_of,
    core.AnyOf: ExpressionBuilder.any_of,
    core.AllOf: ExpressionBuilder.all_of,
    core.Aggregate: ExpressionBuilder.aggregate,
    core.SetWith: ExpressionBuilder.set_with,
    core.Contains: ExpressionBuilder.contains,
    core.SetArithmetic: ExpressionBuilder.binary,
    core.SizeOfSet: ExpressionBuilder.size_of_set,
    core.FirstOfSet: ExpressionBuilder.first_of_set,
    core.Zone: ExpressionBuilder.zone,
    core.ZoneOfSeat: ExpressionBuilder.zone_of_seat,
    core.ZoneOfFixture: ExpressionBuilder.zone_of_fixture,
    core.ZoneOfPiece: ExpressionBuilder.zone_of_piece,
    core.FixtureOfZone: ExpressionBuilder.fixture_of_zone,
    core.HolderOfZone: ExpressionBuilder.holder_of_zone,
    core.HeightOfZone: ExpressionBuilder.height_of_zone,
    core.TopOfZone: ExpressionBuilder.top_of_zone,
    core.IsKind: ExpressionBuilder.is_kind,
    core.IsDefinition: ExpressionBuilder.is_definition,
    core.DefinitionOf: ExpressionBuilder.definition_of,
    core.Knows: ExpressionBuilder.knows,
    core.FitsZone: ExpressionBuilder.fits_zone,
    core.NextSeat: ExpressionBuilder.next_seat,
    core.SeatCount: ExpressionBuilder.seat_count,
    core.Distance: ExpressionBuilder.distance,
    core.ReadSetting: ExpressionBuilder.setting,
    core.IsRunning: ExpressionBuilder.is_running,
    core.EventArgument: ExpressionBuilder.event_argument,
    core.EventResult: ExpressionBuilder.event_result,
    core.ThisPiece: ExpressionBuilder.this_piece,
    core.IsAllowed: ExpressionBuilder.is_allowed,
    core.CanCarryOut: ExpressionBuilder.can_carry_out,
    core.OptionValue: ExpressionBuilder.option,
}

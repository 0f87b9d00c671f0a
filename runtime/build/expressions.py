"""Building, part two: expressions and selectors of the core -> node objects, for one number of players and set of options."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.kernel import cells, fused, hearing, nodes, places, selectors
from grimoire.runtime.kernel.base import VARS, Expr, Modifier, Selector
from grimoire.runtime.build.tables import TableBuilder
from grimoire.runtime.errors import ArtefactError, BudgetExceeded
from grimoire.runtime.build.forms import (
    Json,
    free_slots,
    has_statement,
    never_negative,
    strip,
)
from grimoire.runtime.limits import MAX_CELLS
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.build.scope import Scope

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


FILTERS: Final[dict[str, type[fused.FilterEq]]] = {
    "==": fused.FilterEq,
    "!=": fused.FilterNe,
    "<": fused.FilterLt,
    ">": fused.FilterGt,
}


CELLS_WITH: Final[dict[str, type[cells.CellIs]]] = {
    "==": cells.CellIs,
    "!=": cells.CellIsNot,
    "<": cells.CellBelow,
    ">": cells.CellAbove,
}
SWAPPED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class ExprBuilder(TableBuilder):
    """Builds expressions and selectors over the tables of a program."""

    # -- expressions

    def exprs(self, forms: list[Json], scope: Scope) -> list[Expr]:
        return [self.expr(form, scope) for form in forms]

    def expr(self, form: Json, scope: Scope) -> Expr:
        """The node of an expression."""
        if isinstance(form, int):
            return Const(form)
        op = form[0]
        if op == "at":
            around, self.place = self.place, form[1]
            node = self.expr(form[2], scope)
            self.place = around
            return node
        if op == "int":
            return Const(form[1])
        if op == "slot":
            return nodes.Slot(form[1])
        if op == "var":
            return nodes.Var(VARS + form[1])
        if op == "col":
            return self.column(form[1], form[2], scope)
        if op == "attr":
            return self.attribute(form[1], form[2], scope)
        if op in BINARY:
            return self.binary(op, form, scope)
        if op in COMPARE:
            return self.compare(op, form, scope)
        if op in ("and", "or", "not", "if"):
            return self.logic(op, form, scope)
        if op == "sum":
            return self.total(form, scope)
        if op in FOLDS:
            sel = self.sel(form[1], scope, 2 + self.sizes.form(form[3]))
            return FOLDS[op](sel, form[2], self.expr(form[3], scope))
        if op in ("set", "one", "count", "any", "all"):
            return self.over(op, form, scope)
        if op in (
            "zone",
            "zfam",
            "zfix",
            "where",
            "fixof",
            "holder",
            "height",
            "top",
            "iskind",
            "isdef",
            "defof",
            "knows",
        ):
            return self.placed(op, form, scope)
        return self.rest(op, form, scope)

    def column(self, column: int, of: Json, scope: Scope) -> Expr:
        values = self.printed[column]
        obj = self.expr(of, scope)
        if values is not None:
            if isinstance(obj, nodes.Slot):
                return nodes.PrintedSlot(values, obj.i)
            return nodes.Printed(values, obj)
        base = self.column_base[column]
        if isinstance(obj, Const):
            return nodes.Var(base + obj.n) if obj.n >= 0 else Const(-1)
        if self.fuse:
            table = self.addresses(column)
            if isinstance(obj, nodes.Slot):
                return cells.Cell(table, obj.i)
            if isinstance(obj, nodes.Var):
                return cells.CellOfVar(table, obj.address)
            if isinstance(obj, cells.SeatOfSlot):
                return cells.Cell([table[seat] for seat in obj.table], obj.i)
            if isinstance(obj, cells.SeatOfVar):
                return cells.CellOfVar([table[seat] for seat in obj.table], obj.address)
        if isinstance(obj, nodes.Slot):
            return nodes.ColSlot(base, obj.i)
        return nodes.Col(base, obj)

    def seat_after(self, seat: Expr, table: list[int]) -> Expr | None:
        """The node of a seat that depends on another seat alone; the table ends with the one for nothing."""
        if isinstance(seat, nodes.Slot):
            return cells.SeatOfSlot(table, seat.i)
        return cells.SeatOfVar(table, seat.address) if isinstance(seat, nodes.Var) else None

    def other_seat(self, sel: Json, scope: Scope) -> Expr | None:
        """The first seat in turn order that is not the one from which the order starts: the seat after it."""
        if not self.fuse or sel[0] != "filter" or sel[1][0] != "seats":
            return None
        start, cond = strip(sel[1][1]), strip(sel[3])
        element = ["slot", sel[2]]
        if cond[0] != "!=" or start == element:
            return None
        if [strip(cond[1]), strip(cond[2])] not in ([element, start], [start, element]):
            return None
        n = self.players
        table = [*((seat + 1) % n for seat in range(n)), 0] if n > 1 else [-1, 0]
        return self.seat_after(self.expr(start, scope), table)

    def attribute(self, column: int, of: Json, scope: Scope) -> Expr:
        plain = self.column(column, of, scope)
        key = self.modified.get(column)
        if key is None:
            return plain
        row = self.doc["columns"][column]
        of_node, units = self.expr(of, scope), self.sizes.modifiers(column)
        return nodes.Attr(plain, of_node, key, row.get("min"), row.get("max"), scope.window, units)

    def binary(self, op: str, form: Json, scope: Scope) -> Expr:
        left, right = self.expr(form[1], scope), self.expr(form[2], scope)
        if isinstance(right, Const) and self.fuse:
            if isinstance(left, Const) and op in ("+", "-", "*"):
                return Const(BINARY[op](left, right).ev(self.nowhere, 0))
            if op in ("+", "-") and -nodes.HUGE < right.n < nodes.HUGE:
                return fused.AddConst(left, right.n if op == "+" else -right.n)
        return BINARY[op](left, right)

    def compare(self, op: str, form: Json, scope: Scope) -> Expr:
        left, right = self.expr(form[1], scope), self.expr(form[2], scope)
        if isinstance(left, Const) and isinstance(right, Const):
            return Const(COMPARE[op](left, right).ev(self.nowhere, 0))
        if isinstance(left, Const) and op in ("==", "!="):
            left, right = right, left
        if isinstance(right, Const):
            n = right.n
            if isinstance(left, nodes.Var) and op != "!=" and self.fuse:
                if op == "==":
                    return fused.EqVarConst(left.address, n)
                if op in ("<", "<="):
                    return fused.LtVarConst(left.address, n if op == "<" else n + 1)
                return fused.GtVarConst(left.address, n if op == ">" else n - 1)
            if isinstance(left, cells.Cell):
                n = n + 1 if op == "<=" else n - 1 if op == ">=" else n
                return CELLS_WITH[op[0] if op[0] in "<>" else op](left.table, left.i, n)
            if isinstance(left, nodes.Slot) and op in ("==", "!=") and self.fuse:
                return fused.EqSlotConst(left.i, n) if op == "==" else fused.NeSlotConst(left.i, n)
            if op == "==":
                return nodes.EqConst(left, n)
            if op == "!=":
                return nodes.NeConst(left, n)
            if op == "<":
                return nodes.LtConst(left, n)
            if op == "<=":
                return nodes.LtConst(left, n + 1)
            if op == ">":
                return nodes.GtConst(left, n)
            return nodes.GtConst(left, n - 1)
        if isinstance(left, cells.Cell) and isinstance(right, cells.Cell):
            if op in (">", ">="):
                op, left, right = SWAPPED[op], right, left
            return {"==": cells.CellsEq, "!=": cells.CellsNe, "<": cells.CellsLt, "<=": cells.CellsLe}[op](left, right)
        if isinstance(left, nodes.Slot) and isinstance(right, nodes.Slot) and op in ("==", "!=") and self.fuse:
            return cells.SlotsEq(left.i, right.i) if op == "==" else cells.SlotsNe(left.i, right.i)
        return COMPARE[op](left, right)

    def logic(self, op: str, form: Json, scope: Scope) -> Expr:
        if op == "not":
            part = self.expr(form[1], scope)
            if isinstance(part, Const):
                return Const(0 if part.n else 1)
            return (self.negated(part) if self.fuse else None) or nodes.Not(part)
        if op == "if":
            cond = self.expr(form[1], scope)
            if isinstance(cond, Const):
                return self.expr(form[2] if cond.n else form[3], scope)
            return nodes.If(cond, self.expr(form[2], scope), self.expr(form[3], scope))
        neutral = 1 if op == "and" else 0
        kept: list[Expr] = []
        for part in self.exprs(form[1:], scope):
            if isinstance(part, Const):
                if (part.n != 0) != (neutral == 1):
                    return Const(1 - neutral)
                continue
            kept.append(part)
        if not kept:
            return Const(neutral)
        if op == "or":
            return nodes.Or(kept)
        return nodes.And2(kept[0], kept[1]) if len(kept) == 2 else nodes.And(kept)

    def negated(self, part: Expr) -> Expr | None:
        """The opposite of a test as a node of its own, if there is one."""
        if isinstance(part, nodes.Any):
            return cells.NoneOf(part.sel)
        if type(part) is cells.CellIs:
            return cells.CellIsNot(part.table, part.i, part.n)
        if type(part) is cells.CellIsNot:
            return cells.CellIs(part.table, part.i, part.n)
        return None

    def over(self, op: str, form: Json, scope: Scope) -> Expr:
        if op == "one":
            other = self.other_seat(form[1], scope)
            if other is not None:
                return other
        if op == "set" and form[1][0] == "lone" and self.fuse:
            return nodes.Bit(self.expr(form[1][1], scope))
        units = self.sizes.mask if op == "set" else 2 + self.sizes.form(form[3]) if op == "all" else 0
        sel = self.sel(form[1], scope, units)
        if isinstance(sel, selectors.Seats) and self.fuse and op in ("set", "count", "any"):
            return Const({"set": self.tables.everyone, "count": self.players, "any": 1}[op])
        if op == "set":
            return nodes.SetOf(sel) if never_negative(form[1]) else nodes.SetOfNumbers(sel)
        if op == "one":
            return nodes.One(sel)
        if op == "count":
            return nodes.Count(sel)
        if op == "any":
            return nodes.Any(sel)
        found = self.column_test(form[1], form[2], form[3], scope)
        if found is not None and found[0] == "==":
            return fused.AllEq(sel, found[1], found[2], found[3])
        return nodes.All(sel, form[2], self.expr(form[3], scope))

    # -- shapes that have a node of their own

    def column_of(self, form: Json, slot: int) -> tuple[list[int] | None, int] | None:
        """Table and base of a column of the element in the slot, if the form is that."""
        form = strip(form)
        if form[0] not in ("col", "attr") or strip(form[2]) != ["slot", slot]:
            return None
        if form[0] == "attr" and form[1] in self.modified:
            return None
        values = self.printed[form[1]]
        return (None, self.column_base[form[1]]) if values is None else (values, 0)

    def column_test(
        self, sel: Json, slot: int, cond: Json, scope: Scope
    ) -> tuple[str, list[int] | None, int, Expr] | None:
        """A comparison of a column of the element with something that does not depend on it."""
        cond = strip(cond)
        if not self.fuse or cond[0] not in ("==", "!=", "<", "<=", ">", ">=") or not never_negative(sel):
            return None
        op, left, right = cond[0], cond[1], cond[2]
        found = self.column_of(left, slot)
        if found is None and op in ("==", "!="):
            left, right = right, left
            found = self.column_of(left, slot)
        if found is None or slot in free_slots(right) or has_statement(right):
            return None
        value = self.expr(right, scope)
        if op in ("<=", ">="):
            value = self.binary("+" if op == "<=" else "-", [op, right, ["int", 1]], scope)
        return op[0] if op[0] in "<>" else op, found[0], found[1], value

    def row_filter(self, form: Json, scope: Scope, units: int) -> Selector | None:
        """The elements all (or some) of whose related fixtures have a column equal to a value."""
        outer, cond = form[2], strip(form[3])
        if not self.fuse or cond[0] not in ("all", "any") or not never_negative(form[1]):
            return None
        inner = cond if cond[0] == "all" else cond[1]
        if inner[0] not in ("all", "filter") or inner[1][0] != "rel" or strip(inner[1][2]) != ["slot", outer]:
            return None
        test = strip(inner[3])
        if test[0] != "==" or any(self.column_of(x, inner[2]) is None and outer in free_slots(x) for x in test[1:]):
            return None
        found = self.column_test(inner[1], inner[2], inner[3], scope)
        if found is None or found[1] is not None:
            return None
        relation = self.doc["relations"][inner[1][1]]["table"]
        sel = self.sel(form[1], scope, units + 1 + self.sizes.form(form[3]))
        if cond[0] == "all" and isinstance(sel, selectors.Related) and isinstance(sel.of, nodes.Slot):
            addresses = [[found[2] + y for y in row] for row in relation]
            return cells.RowsWith(sel.table, sel.of.i, addresses, found[3])
        node = fused.FullRows if cond[0] == "all" else fused.TouchedRows
        return node(sel, relation, found[2], found[3])

    def total(self, form: Json, scope: Scope) -> Expr:
        sel = self.sel(form[1], scope, 2 + self.sizes.form(form[3]))
        column = self.column_of(form[3], form[2])
        if column is not None and never_negative(form[1]) and self.fuse:
            row = self.doc["columns"][strip(form[3])[1]]
            bounded = column[0] is not None or (row.get("min") is not None and row.get("max") is not None)
            return (fused.SumOf if bounded else fused.SumOfUnbounded)(sel, column[0], column[1])
        return nodes.Sum(sel, form[2], self.expr(form[3], scope))

    def filtered(self, form: Json, scope: Scope, units: int) -> Selector:
        rows = self.row_filter(form, scope, units)
        if rows is not None:
            return rows
        sel = self.sel(form[1], scope, units + 1 + self.sizes.form(form[3]))
        found = self.column_test(form[1], form[2], form[3], scope)
        if found is not None:
            value = found[3]
            if found[0] == "==" and found[1] is None and isinstance(sel, selectors.Fixed) and isinstance(value, Const):
                return cells.CellsWith(sel.found, found[2], value.n)
            return FILTERS[found[0]](sel, found[1], found[2], value)
        return selectors.Filter(sel, form[2], self.expr(form[3], scope))

    def placed(self, op: str, form: Json, scope: Scope) -> Expr:
        t = self.tables
        if op == "zone":
            if self.doc["zones"][form[1]].get("each"):
                raise ArtefactError(f"zone {self.doc['zones'][form[1]]['id']} is one a seat: use zfam")
            return Const(self.zone_base[form[1]])
        if op == "zfam":
            if not self.doc["zones"][form[1]].get("each"):
                raise ArtefactError(f"zone {self.doc['zones'][form[1]]['id']} is not one a seat: use zone")
            seat = self.expr(form[2], scope)
            base = self.zone_base[form[1]]
            if isinstance(seat, Const) and seat.n >= 0:
                return Const(base + seat.n)
            if isinstance(seat, nodes.Slot) and self.fuse:
                return cells.ZoneOfSlot(base, seat.i)
            return places.ZoneOfSeat(base, seat)
        if op == "iskind":
            return places.TestTable(self.flags(form[1], form[2]), self.expr(form[3], scope))
        if op == "isdef":
            flags = self.definition_flags.get(form[1])
            if flags is None:
                flags = self.definition_flags[form[1]] = [d == form[1] for d in t.piece_def]
            return places.TestTable(flags, self.expr(form[2], scope))
        part = self.expr(form[1], scope)
        if op == "knows":
            return places.Knows(part, self.expr(form[2], scope))
        if op == "zfix":
            return places.Lookup(t.fixture_zone, part)
        if op == "where":
            return places.Where(part)
        if op == "fixof":
            return places.Lookup(t.zone_fixture, part)
        if op == "holder":
            return places.Lookup(t.holder, part)
        if op == "height":
            return places.Height(part)
        if op == "top":
            if isinstance(part, Const) and part.n >= 0 and self.fuse:
                return fused.TopOfFixed(part.n)
            return places.Top(part)
        return places.Lookup(t.piece_def, part)

    def rest(self, op: str, form: Json, scope: Scope) -> Expr:
        if op == "fn":
            return nodes.Fn(self.function(form[1]), self.exprs(form[2:], scope), scope.window)
        if op == "bit":
            return nodes.Bit(self.expr(form[1], scope))
        if op == "has":
            return nodes.Has(self.expr(form[1], scope), self.expr(form[2], scope))
        if op == "size":
            return nodes.Size(self.expr(form[1], scope))
        if op == "first":
            return nodes.First(self.expr(form[1], scope))
        if op == "next":
            seat, steps = self.expr(form[1], scope), self.expr(form[2], scope)
            if isinstance(steps, Const) and self.fuse:
                table = [*((at + steps.n) % self.players for at in range(self.players)), -1]
                return self.seat_after(seat, table) or fused.NextConst(seat, steps.n, self.players)
            return places.NextSeat(seat, steps, self.players)
        if op == "seatcount":
            return Const(self.players)
        if op == "dist":
            found = self.distances.get(form[1])
            if found is None:
                found = self.distances[form[1]] = self.distances_of(self.doc["relations"][form[1]])
            return places.Dist(found, self.expr(form[2], scope), self.expr(form[3], scope))
        if op == "setting":
            if not 0 <= form[2] < self.doc["procs"][form[1]]["slots"]:
                raise ArtefactError(f"setting: slot {form[2]} is outside procedure {form[1]}")
            inside = scope.inside.get(form[1])
            if inside is not None:
                here = inside.instead.get(form[2])
                return nodes.Slot(inside.at + form[2]) if here is None else self.expr(here, scope)
            if scope.proc == form[1] and self.fuse:
                return nodes.Slot(form[2])
            return hearing.Setting(form[1], form[2])
        if op == "running":
            if form[1] in scope.inside or (scope.proc == form[1] and self.fuse):
                return Const(1)
            return hearing.Running(form[1])
        if op == "arg":
            self.in_ability(scope, "arg")
            return hearing.Arg(scope.heard, form[1])
        if op == "result":
            self.in_ability(scope, "result")
            return hearing.EventResult(scope.heard)
        if op == "this":
            return nodes.Slot(1) if scope.bearer else Const(-1)
        if op == "allowed":
            key = self.heard.get(form[1])
            if key is None:
                return Const(1)
            return hearing.Allowed(self.event_unit(form[1]), key, self.exprs(form[2:], scope), scope.window)
        if op == "can":
            return self.can(form[1], scope)
        if op == "option":
            return Const(self.players if form[1] == "players" else self.options[form[1]])
        raise ArtefactError(f"unknown expression {op!r}")

    def distances_of(self, relation: Json) -> places.Distances:
        table = relation["table"]
        if len(table) * (len(table) + sum(len(row) for row in table)) > MAX_CELLS:
            raise BudgetExceeded(
                f"the distances along {relation['id']} are too many: more than {MAX_CELLS:,} spaces times neighbours",
                "size",
                MAX_CELLS,
            )
        return places.Distances(table)

    # -- selectors

    def sel(self, form: Json, scope: Scope, units: int = 0) -> Selector:
        """The node of a selector with each of whose elements something of so many units of work is done."""
        op = form[0]
        if op == "cat":
            return selectors.Cat([self.sel(part, scope, units + 2) for part in form[1:]])
        if op == "filter":
            return self.filtered(form, scope, units)
        if op == "best":
            sel = self.sel(form[2], scope, units + 2 + self.sizes.form(form[4]))
            return selectors.Best(form[1] == "max", sel, form[3], self.expr(form[4], scope))
        if op == "take":
            return selectors.Take(self.expr(form[1], scope), self.sel(form[2], scope, units))
        if op == "except":
            return selectors.Except(self.sel(form[1], scope, units + 1), self.expr(form[2], scope))
        node = self.source(op, form, scope)
        return self.charged(node, self.sizes.each(form, units)) if self.sizes.charged(form, units) else node

    def charged(self, node: Selector, weight: int) -> Selector:
        """The same list, with each element charged."""
        if self.fuse:
            if isinstance(node, fused.FixedZone):
                return fused.ChargedZone(node.zone, weight, self.place)
            if isinstance(node, fused.HandOfSlot):
                return fused.ChargedHand(node.base, node.i, weight, self.place)
            if isinstance(node, selectors.InZone):
                return selectors.ChargedIn(node.zone, weight, self.place)
        return selectors.Charged(node, weight, self.place)

    def source(self, op: str, form: Json, scope: Scope) -> Selector:
        """The node of a selector that is not made from another one."""
        if op == "zone*":
            zone = self.expr(form[1], scope)
            if isinstance(zone, Const) and zone.n >= 0 and self.fuse:
                return fused.FixedZone(zone.n)
            if isinstance(zone, cells.ZoneOfSlot):
                return fused.HandOfSlot(zone.base, zone.i)
            return selectors.InZone(zone)
        if op == "top*":
            return selectors.TopOf(self.expr(form[1], scope), self.expr(form[2], scope))
        if op == "pieces":
            return selectors.Pieces(self.flags("piece", form[1]))
        if op == "fixtures":
            return selectors.Fixed([at for at, flag in enumerate(self.flags("fixture", form[1])) if flag])
        if op == "seats":
            start = self.expr(form[1], scope)
            if isinstance(start, nodes.Slot) and self.fuse:
                return selectors.SeatsOfSlot(start, start.i, self.players)
            if isinstance(start, Const) and self.fuse and start.n < self.players:
                return selectors.Fixed([(max(start.n, 0) + i) % self.players for i in range(self.players)])
            return selectors.Seats(start, self.players)
        if op == "rel":
            return selectors.Related(self.doc["relations"][form[1]]["table"], self.expr(form[2], scope))
        if op == "members":
            mask = self.expr(form[2], scope)
            if form[1] == "seat":
                return selectors.MemberSeats(mask, self.players)
            return selectors.MemberPieces(mask) if form[1] == "piece" else selectors.Members(mask)
        if op == "range":
            low, high = self.expr(form[1], scope), self.expr(form[2], scope)
            if isinstance(low, Const) and isinstance(high, Const) and high.n - low.n < 1000:
                return selectors.Fixed(list(range(low.n, high.n + 1)))
            return selectors.Range(low, high)
        if op == "lone":
            return selectors.Lone(self.expr(form[1], scope))
        raise ArtefactError(f"unknown selector {op!r}")

    def modifier(self, at: int, key: int, captures: int) -> Modifier:
        """A modifier with its condition and amounts."""
        row = self.doc["modifiers"][at]
        m = Modifier(at)
        forms = [row.get("cond"), row.get("add"), row.get("set")]
        scope = self.form_scope(forms, max(2 + captures, row["slot"] + 1), False)
        m.of = row.get("of", -1)
        m.key = key
        m.slot = row["slot"]
        m.window = scope.window
        m.cond = None if forms[0] is None else self.expr(forms[0], scope)
        m.add = None if forms[1] is None else self.expr(forms[1], scope)
        m.set = None if forms[2] is None else self.expr(forms[2], scope)
        if self.modifier_numbers >= 0:
            number = self.modifier_numbers + at
            m.add = None if m.add is None else nodes.Noted(m.add, number)
            m.set = None if m.set is None else nodes.Noted(m.set, number)
        return m

"""Comparisons of a column of an element with something that does not depend on it: shapes that have nodes of their
own."""

from __future__ import annotations

from grimoire.runtime.build.context import Context
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core.analysis import free_slots, has_statement, never_negative, strip
from grimoire.runtime.core.expressions import Arithmetic, Comparison, Number, ReadColumn, ReadModified, Slot
from grimoire.runtime.core.records import Expression, Selector
from grimoire.runtime.kernel.base import Expr


class ColumnTest:
    """A comparison: how, the table of a printed column or the base of another one, and with what."""

    __slots__ = ("base", "op", "table", "value")

    def __init__(self, op: str, table: list[int] | None, base: int, value: Expr) -> None:
        self.op = op
        self.table = table
        self.base = base
        self.value = value


class ColumnTests:
    """Finds such comparisons."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def of_element(self, form: Expression, slot: int) -> tuple[list[int] | None, int] | None:
        """Table and base of a column of the element in the slot, if the form is that."""
        form = strip(form)
        if not isinstance(form, ReadColumn | ReadModified):
            return None
        of = strip(form.of)
        if not isinstance(of, Slot) or of.slot != slot:
            return None
        if isinstance(form, ReadModified) and form.column in self.context.modified:
            return None
        layout = self.context.layout
        values = layout.printed[form.column]
        return (None, layout.column_base[form.column]) if values is None else (values, 0)

    def test(self, selector: Selector, slot: int, condition: Expression, scope: Scope) -> ColumnTest | None:
        """The comparison that a condition on the elements of a selector is, if it is one."""
        condition = strip(condition)
        if not self.context.fuse or not isinstance(condition, Comparison) or not never_negative(selector):
            return None
        op, right = condition.op, condition.right
        found = self.of_element(condition.left, slot)
        if found is None and op in ("==", "!="):
            right = condition.left
            found = self.of_element(condition.right, slot)
        if found is None or slot in free_slots(right) or has_statement(right):
            return None
        value = self.context.expr(right, scope)
        if op == "<=":
            value = self.context.expr(Arithmetic("+", right, Number(1)), scope)
        elif op == ">=":
            value = self.context.expr(Arithmetic("-", right, Number(1)), scope)
        return ColumnTest(op[0] if op[0] in "<>" else op, found[0], found[1], value)

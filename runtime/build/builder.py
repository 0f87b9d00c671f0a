"""The parts of a build put together: what is asked of it by the program, and by questions about a game."""

from __future__ import annotations

from grimoire.runtime.build.blocks import BlockBuilder
from grimoire.runtime.build.columns import ColumnTests
from grimoire.runtime.build.context import Basis, Context
from grimoire.runtime.build.expressions import BUILDERS, ExpressionBuilder
from grimoire.runtime.build.flat import FlatBuilder
from grimoire.runtime.build.references import slots_of
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.build.scope import Scope, Window, scope_of
from grimoire.runtime.build.selectors import SelectorBuilder
from grimoire.runtime.build.units import UnitBuilder
from grimoire.runtime.core.analysis import first_place
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.kernel import base
from grimoire.runtime.kernel.base import Expr, Modifier, Unit
from grimoire.runtime.kernel.blocks import Routine
from grimoire.runtime.kernel.nodes import CountedValue, Function
from grimoire.runtime.limits import MAX_SIZE


class Builder(Context):
    """Builds code into a registry."""

    def __init__(self, basis: Basis, registry: Registry, asking: bool = False) -> None:
        super().__init__(basis, asking)
        self.registry = registry
        columns = ColumnTests(self)
        self.expressions = ExpressionBuilder(self, columns)
        self.selectors = SelectorBuilder(self, columns)
        blocks = BlockBuilder(self)
        self.units = UnitBuilder(self, FlatBuilder(self, blocks, registry), blocks, registry)

    def fork(self) -> Builder:
        """A builder that goes on from here for a single question: what it makes is not in the program."""
        return Builder(self.basis, self.registry.fork(), asking=True)

    # -- from one part to another

    def expr(self, form: Expression, scope: Scope) -> Expr:
        return BUILDERS[type(form)](self.expressions, form, scope)

    def selector(self, form: Selector, scope: Scope, units: int = 0) -> base.Selector:
        return self.selectors.build(form, scope, units)

    def can(self, statement: Statement, scope: Scope) -> Expr:
        return self.units.can(statement, scope)

    def routine(self, proc: int, event: bool, place: int) -> Routine:
        return self.units.routine(proc, event, place)

    def call_unit(self, proc: int) -> Unit:
        return self.units.call_unit(proc)

    def verb_unit(self, proc: int) -> Unit:
        return self.units.verb_unit(proc)

    def event_unit(self, proc: int) -> Unit:
        return self.units.event_unit(proc)

    def function(self, at: int) -> Function:
        f, state = self.basis.functions[at], self.basis.built
        if state[at] == 1:
            raise ArtefactError(f"functions[{at}:{f.name}]: calls itself")
        if state[at] == 0:
            state[at] = 1
            row = self.artefact.functions[at]
            if self.sizes.function(at) > MAX_SIZE:
                raise self.too_large(first_place(row.value), f"the value {row.id}")
            window = Window(row.slots, self.calls.hidden(self.references.function_needs[at]))
            f.window = window.size
            f.value = self.expr(row.value, scope_of(window, first_place(row.value)))
            state[at] = 2
        return f

    # -- abilities and modifiers

    def optional(self, form: Expression | None, scope: Scope) -> Expr | None:
        """The node of an expression that may be left out."""
        return None if form is None else self.expr(form, scope)

    def ability_window(self, at: int) -> Window:
        """The window of the conditions of an ability."""
        refs = self.references
        least = 2 + refs.ability_captures.get(at, 0)
        window = Window(max(refs.ability_slots(at), least), self.calls.hidden(refs.ability_needs[at]))
        window.bearer = True
        window.add_heard()
        return window

    def modifier(self, at: int, key: int) -> Modifier:
        """A modifier with its condition and amounts."""
        row, refs = self.artefact.modifiers[at], self.references
        least = max(2 + refs.modifier_captures.get(at, 0), row.slot + 1)
        used = slots_of((row.cond, row.add, row.set))
        window = Window(max(used, least), self.calls.hidden(refs.modifier_needs[at]))
        window.bearer = True
        scope = scope_of(window, -1)
        m = Modifier(at)
        m.of = row.of
        m.key = key
        m.slot = row.slot
        m.window = window.size
        m.cond = self.optional(row.cond, scope)
        m.add = self.optional(row.add, scope)
        m.set = self.optional(row.set, scope)
        if self.numbers.modifiers >= 0:
            number = self.numbers.modifiers + at
            m.add = None if m.add is None else CountedValue(m.add, number)
            m.set = None if m.set is None else CountedValue(m.set, number)
        return m

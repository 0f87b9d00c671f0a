"""Tests about a waiting game, built for a single question: what is made for them is not in the program."""

from __future__ import annotations

from grimoire.runtime.build.builder import Builder
from grimoire.runtime.build.scope import Scope, Window, scope_of
from grimoire.runtime.core.records import Expression, Selector
from grimoire.runtime.kernel import base
from grimoire.runtime.kernel.base import Expr, Unit

ROOM = 64  # hidden slots for what a condition tries


class Question:
    """Builds conditions and lists in the window of a unit, as its own code would see it."""

    def __init__(self, builder: Builder, unit: int) -> None:
        self.builder = builder
        own = builder.registry.windows[unit]
        window = Window(own.size, ROOM)
        window.heard = own.heard
        window.extras = own.extras
        window.bearer = own.bearer
        self.window = window.size
        self.scope = scope_of(window, -1)

    @property
    def units(self) -> list[Unit]:
        """The units of the program, and those that the question needed."""
        return self.builder.registry.units

    def expr(self, form: Expression) -> Expr:
        """An expression in the window of the unit."""
        return self._ready(form, self.scope)

    def selector(self, form: Selector) -> base.Selector:
        """A selector in the window of the unit."""
        node = self.builder.selector(form, self.scope)
        self.builder.units.write_queue()
        return node

    def parts_of_ability(self, ability: int, parts: list[Expression]) -> list[Expr]:
        """Parts of the condition of an ability, in the window that it has when it is heard."""
        scope = scope_of(self.builder.ability_window(ability), -1)
        return [self._ready(part, scope) for part in parts]

    def listeners_key(self, verb: int) -> int:
        """The key under which those stand that may forbid an event; -1 if nothing answers it."""
        return self.builder.heard.get(verb, -1)

    def event_unit(self, verb: int) -> Unit:
        """The unit of an event."""
        unit = self.builder.event_unit(verb)
        self.builder.units.write_queue()
        return unit

    def _ready(self, form: Expression, scope: Scope) -> Expr:
        node = self.builder.expr(form, scope)
        self.builder.units.write_queue()
        return node

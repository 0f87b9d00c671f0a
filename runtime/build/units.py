"""The units of a program: code for calls, events, abilities and costs; routines for direct calls."""

from __future__ import annotations

from grimoire.runtime.build.blocks import BlockBuilder
from grimoire.runtime.build.context import Context
from grimoire.runtime.build.flat_writer import NO_SLOTS, Code, Exits, FlatWriter, Note
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.build.scope import Scope, Window, scope_of
from grimoire.runtime.core.analysis import first_place_of
from grimoire.runtime.core.records import Statement
from grimoire.runtime.kernel import blocks, events, ops, trial
from grimoire.runtime.kernel.base import EXTRAS, X_SINCE, Expr, Unit
from grimoire.runtime.limits import MAX_SIZE


class UnitBuilder:
    """Makes units when they are first asked for, and writes their code."""

    def __init__(self, context: Context, flat: FlatWriter, block_builder: BlockBuilder, registry: Registry) -> None:
        self.context = context
        self.flat = flat
        self.blocks = block_builder
        self.registry = registry

    # -- asked for

    def call_unit(self, proc: int) -> Unit:
        """The unit of a plain call."""
        unit = self.registry.call_units.get(proc)
        if unit is None:
            unit = self.new_unit(proc, self.window(proc, False, False), self.context.procs[proc].id)
            self.registry.call_units[proc] = unit
        return unit

    def verb_unit(self, proc: int) -> Unit:
        """The unit of a proposed event that nothing in the package answers, where no log is kept: a plain call."""
        unit = self.registry.verb_units.get(proc)
        if unit is None:
            unit = self.new_unit(proc, self.window(proc, False, False), self.context.procs[proc].id)
            unit.apart = True
            self.registry.verb_units[proc] = unit
        return unit

    def ability_unit(self, proc: int, name: str) -> Unit:
        """The unit of an ability's program."""
        unit = self.registry.ability_units.get(proc)
        if unit is None:
            window = self.window(proc, False, True)
            unit = self.registry.ability_units[proc] = self.new_unit(proc, window, name)
            unit.ability = True
            unit.extras = window.heard
        return unit

    def event_unit(self, proc: int) -> Unit:
        """The unit of a proposed event: look, body, after."""
        unit = self.registry.event_units.get(proc)
        if unit is None:
            window = self.window(proc, True, False)
            unit = self.registry.event_units[proc] = self.new_unit(proc, window, self.context.procs[proc].id)
            unit.event = True
            unit.extras = window.extras
            unit.since.append(window.extras + X_SINCE)
            unit.blank[window.extras : window.extras + EXTRAS] = [0, 0, 0, -1, 0, 0]
        return unit

    def routine(self, proc: int, event: bool, place: int) -> blocks.Routine:
        """A procedure for direct calls, first called at a place; with ``event`` in the window of its event unit."""
        key = (proc, event)
        found = self.registry.routines.get(key)
        if found is None:
            c, row = self.context, self.context.procs[proc]
            units = c.sizes.event(proc) + c.sizes.proc(proc)
            if units > MAX_SIZE:
                raise c.too_large(first_place_of(row.body), row.id)
            found = blocks.Routine(proc, row.id, units, c.place_in(proc, place))
            self.registry.routines[key] = found
            window = self.window(proc, event, False)
            found.window = self.event_unit(proc).window if event else window.size
            found.blank = [-1] * found.window
            found.body = self.blocks.build(row.body, scope_of(window, found.place))
        return found

    def can(self, statement: Statement, scope: Scope) -> Expr:
        """The node that tries a statement; one that may wait needs a unit of its own."""
        if not self.context.calls.waits(statement):
            return blocks.CanDirect(self.blocks.build(statement, scope), scope.window.size)
        unit = self.registry.add(Unit(len(self.registry.units), -1, "a cost"), scope.window)
        unit.place = scope.place
        node = trial.Can(unit.index)
        code = Code()
        self.flat.write(statement, code, scope, Exits(scope.window.extras))
        node.goal = len(code.ops)
        paid = trial.PaidOp()
        paid.next = code.label()
        code.emit(paid, Note([]))
        code.mark(paid.next)
        self.finish(unit, code)
        return node

    # -- made

    def window(self, proc: int, event: bool, ability: bool) -> Window:
        """The window of a procedure, with room for what its event or ability keeps."""
        refs = self.context.references
        row = refs.procs[proc]
        least = 2 + refs.captures.get(proc, 0) if ability else 2 if proc in refs.bearers else 1
        window = Window(max(row.slots, least), self.context.calls.hidden(refs.needs[proc]))
        window.bearer = ability or proc in refs.bearers
        window.proc = -1 if ability else proc
        if ability:
            window.add_heard()
        if event:
            window.add_extras()
        if proc in refs.limited:
            window.add_serial()
        return window

    def new_unit(self, proc: int, window: Window, name: str) -> Unit:
        """A unit whose code is written later."""
        c = self.context
        row = c.procs[proc]
        unit = self.registry.add(Unit(len(self.registry.units), proc, name), window)
        unit.serial = window.serial
        unit.until = proc in c.references.lasting
        unit.place = c.references.place_of(proc)
        unit.weight = c.sizes.proc(proc)
        if unit.weight > MAX_SIZE:
            raise c.too_large(first_place_of(row.body), name)
        unit.blank = [-1] * window.size
        self.registry.queue.append((unit, window, row.body))
        return unit

    def write_queue(self) -> None:
        """Write the code of all units asked for."""
        queue = self.registry.queue
        while queue:
            unit, window, body = queue.pop(0)
            code = Code()
            scope = scope_of(window, unit.place)
            if unit.event:
                self.write_event(unit, code, scope, body)
            else:
                self.flat.write(body, code, scope, Exits(window.extras))
                self.finish(unit, code)

    def finish(self, unit: Unit, code: Code) -> None:
        """End code that ends by itself."""
        code.emit(ops.Finish(), Note([]))
        self.link(unit, code)

    def link(self, unit: Unit, code: Code) -> None:
        """Give a unit its code."""
        code.link(unit)
        self.registry.notes[unit.index] = code.notes

    def write_event(self, unit: Unit, code: Code, scope: Scope, body: Statement | None) -> None:
        """Write the code of an event: its windows around its body."""
        keys = self.context.heard.get(unit.proc, -1)
        columns = self.context.tables.piece_columns
        look = events.LookOp(unit, columns)
        after = events.AfterOp(unit, columns)
        if keys >= 0:
            look.cannot = keys
            look.keys = [keys + 1, keys + 2]
            after.keys = [keys + 3]
        look.next, end = code.label(), code.label()
        code.own_after = end
        code.emit(look, Note([(look.next, NO_SLOTS)]))
        code.mark(look.next)
        unit.body = 1
        self.flat.write(body, code, scope, Exits(scope.window.extras, end))
        code.mark(end)
        unit.after = len(code.ops)
        code.emit(after, Note([]))
        self.link(unit, code)

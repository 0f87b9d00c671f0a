"""Building, part five: which procedures wait, need a frame or are written into their callers; units for calls, events, abilities."""

from __future__ import annotations

from typing import Any

from grimoire.runtime.kernel import blocks, events, ops
from grimoire.runtime.kernel.base import X_SINCE, Tables, Unit
from grimoire.runtime.build.flat import FlatBuilder
from grimoire.runtime.build.flat_writer import Code, Note
from grimoire.runtime.build.forms import Json, children
from grimoire.runtime.build.inlining import only_inlinable
from grimoire.runtime.limits import MAX_HIDDEN, MAX_INLINE
from grimoire.runtime.build.liveness import block_live
from grimoire.runtime.build.scope import Scope


class CodeBuilder(FlatBuilder):
    """Builds procedures."""

    def __init__(
        self, document: dict[str, Any], tables: Tables, players: int, options: dict[str, int], track: bool
    ) -> None:
        super().__init__(document, tables, players, options, track)
        self.limited: set[int] = set()  # procedures that limits count by
        self.lasting: set[int] = set()  # ... that floating effects last as long as
        self.bearers: set[int] = set()  # programs of definitions: slot 1 is the piece
        self.captures: dict[int, int] = {}  # procedure of an ability -> most values captured
        self.inline_sizes: dict[int, int] = {}
        self.statements: dict[int, int] = {}  # how many a procedure has when its short calls are written out
        self.callers: dict[int, int] = {}  # how many statements call a procedure
        self.sites: dict[int, int] = {}  # the same, with what is only tried in conditions
        self.called_by: dict[int, set[int]] = {}  # the procedures in which they stand
        self.refers: dict[int, set[int]] = {}  # ... that refer to its running frame (-1: something else does)
        self.abilities: set[int] = set()  # procedures of abilities
        self.recursive: set[int] = set()
        self.waiting: dict[int, bool] = {}
        self.call_units: dict[int, Unit] = {}
        self.verb_units: dict[int, Unit] = {}
        self.ability_units: dict[int, Unit] = {}
        self.routines: dict[tuple[int, bool], blocks.Routine] = {}
        self.queue: list[tuple[Unit, Scope, Json]] = []

    # -- may it wait?

    def proc_waits(self, proc: int) -> bool:
        """Whether a procedure may wait; recursion counts as waiting."""
        known = self.waiting.get(proc)
        if known is None:
            self.waiting[proc] = True
            known = self.waits(self.doc["procs"][proc].get("body"))
            self.waiting[proc] = known
        return known

    def waits(self, statement: Json) -> bool:
        """Whether a statement may wait, be heard, or needs a frame."""
        if statement is None:
            return False
        if isinstance(statement, list):
            return any(self.waits(part) for part in statement)
        op = statement["op"]
        if op in ("menu", "choose", "poll", "leave"):
            return True
        if op == "do":
            verb = statement["verb"]
            return verb in self.heard or verb in self.framed or self.proc_waits(verb)
        if op == "call":
            return statement["proc"] in self.framed or self.proc_waits(statement["proc"])
        if op == "program":
            found = self.programs.get(statement["name"], [])
            return any(proc >= 0 and (proc in self.framed or self.proc_waits(proc)) for proc in found)
        return any(self.waits(child) for child in children(statement))

    def inlined(self, statement: Json) -> int:
        """A call of a short procedure that never waits or returns is written into its caller."""
        op = statement["op"]
        proc = statement["verb"] if op == "do" else statement["proc"]
        if op == "do" and proc in self.heard:
            return -1
        return self.inline_size_of(proc)

    def inline_size_of(self, proc: int) -> int:
        """The hidden slots that a procedure needs when it is written into its caller; -1 if it cannot be."""
        known = self.inline_sizes.get(proc)
        if known is None:
            self.inline_sizes[proc] = -1  # while it is worked out: no recursion
            size = self.flat_inline_size(proc) if self.proc_waits(proc) else self.inline_size(proc)
            known = self.inline_sizes[proc] = size
        return known

    def flat_inline_size(self, proc: int) -> int:
        """The same for one that waits: not recursive, called from few places, in need of no frame."""
        row = self.doc["procs"][proc]
        body = row.get("body")
        if not self.fuse or proc in self.framed or proc in self.bearers or self.callers.get(proc, 0) > 2:
            return -1
        if proc in self.recursive or not only_inlinable(body, True) or self.spread(proc) > MAX_INLINE:
            return -1
        size = int(row["slots"]) + 2 + self.hidden_in(body)
        return size if size <= 100 else -1

    def inline_size(self, proc: int) -> int:
        row = self.doc["procs"][proc]
        body = row.get("body")
        if not self.fuse or proc in self.framed or proc in self.bearers or self.proc_waits(proc):
            return -1
        if self.spread(proc) > MAX_INLINE or not only_inlinable(body, False):
            return -1
        if not block_live(body, set(), set(), set(), set()) <= set(range(row["params"] + 1)):
            return -1
        size = int(row["slots"]) + self.hidden_in(body)
        return size if size * self.sites.get(proc, 0) <= MAX_HIDDEN else -1

    def spread(self, proc: int) -> int:
        """How many statements writing a procedure into all its callers adds, with what is written into it."""
        return self.written(proc) * self.sites.get(proc, 0)

    def written(self, proc: int) -> int:
        """How many statements a procedure has, with the calls that are written into it."""
        known = self.statements.get(proc)
        if known is None:
            self.statements[proc] = 1
            known = self.statements[proc] = self.written_in(self.doc["procs"][proc].get("body"))
        return known

    def written_in(self, statement: Json) -> int:
        n = 0
        if isinstance(statement, dict):
            n = 1
            op = statement.get("op", "menu")
            if op in ("do", "call") and self.inlined(statement) >= 0:
                n += self.written(statement["verb"] if op == "do" else statement["proc"])
        return n + sum(self.written_in(child) for child in children(statement))

    def unframe(self) -> None:
        """Where no log is kept: a procedure needs no frame if all that refers to it is written into it."""
        fixed = self.limited | self.lasting
        tried = {proc for proc in self.framed - fixed if -1 not in self.refers.get(proc, {-1})}
        while True:
            self.framed = (self.framed | fixed) - tried
            self.waiting.clear()
            self.inline_sizes.clear()
            self.statements.clear()
            self.sizes.procs.clear()
            failed = {proc for proc in tried if not all(self.within(user, proc) for user in self.refers[proc])}
            if not failed:
                return
            tried -= failed
            self.framed |= failed

    def within(self, proc: int, outer: int) -> bool:
        """Whether a procedure runs only as part of another one, written into it."""
        if proc == outer:
            return True
        if proc in self.heard or proc in self.abilities or proc in self.recursive or proc not in self.called_by:
            return False
        if self.inline_size_of(proc) < 0:
            return False
        return all(self.within(caller, outer) for caller in self.called_by[proc])

    # -- units

    def proc_scope(self, proc: int, event: bool, ability: bool) -> Scope:
        row = self.doc["procs"][proc]
        least = 2 + self.captures.get(proc, 0) if ability else 2 if proc in self.bearers else 1
        scope = Scope(max(row["slots"], least), self.hidden_in(row.get("body")))
        scope.bearer = ability or proc in self.bearers
        scope.proc = -1 if ability else proc
        if ability:
            scope.add_heard()
        if event:
            scope.add_extras()
        if proc in self.limited:
            scope.add_serial()
        return scope

    def new_unit(self, proc: int, scope: Scope, name: str) -> Unit:
        unit = Unit(len(self.units), proc, name)
        self.units.append(unit)
        self.scopes[unit.index] = scope
        unit.window = scope.window
        unit.serial = scope.serial
        unit.until = proc in self.lasting
        if proc >= 0:
            row = self.doc["procs"][proc]
            unit.place = self.place_of(proc)
            unit.weight = self.bounded(self.sizes.proc(proc), row.get("body"), name)
            unit.pad = [-1] * (scope.window - 1 - row["params"])
        return unit

    def call_unit(self, proc: int) -> Unit:
        """The unit of a plain call."""
        unit = self.call_units.get(proc)
        if unit is None:
            scope = self.proc_scope(proc, False, False)
            unit = self.call_units[proc] = self.new_unit(proc, scope, self.doc["procs"][proc]["id"])
            self.queue.append((unit, scope, self.doc["procs"][proc].get("body")))
        return unit

    def verb_unit(self, proc: int) -> Unit:
        """The unit of a proposed event that nothing in the package answers, where no log is kept: a plain call."""
        unit = self.verb_units.get(proc)
        if unit is None:
            scope = self.proc_scope(proc, False, False)
            unit = self.verb_units[proc] = self.new_unit(proc, scope, self.doc["procs"][proc]["id"])
            unit.apart = True
            self.queue.append((unit, scope, self.doc["procs"][proc].get("body")))
        return unit

    def ability_unit(self, proc: int, name: str) -> Unit:
        """The unit of an ability's program."""
        unit = self.ability_units.get(proc)
        if unit is None:
            scope = self.proc_scope(proc, False, True)
            unit = self.ability_units[proc] = self.new_unit(proc, scope, name)
            unit.ability = True
            unit.extras = scope.heard
            self.queue.append((unit, scope, self.doc["procs"][proc].get("body")))
        return unit

    def event_unit(self, proc: int) -> Unit:
        """The unit of a proposed event: look, body, after."""
        unit = self.event_units.get(proc)
        if unit is None:
            scope = self.proc_scope(proc, True, False)
            unit = self.event_units[proc] = self.new_unit(proc, scope, self.doc["procs"][proc]["id"])
            unit.event = True
            unit.extras = scope.extras
            unit.since.append(scope.extras + X_SINCE)
            at = scope.extras - 1 - self.doc["procs"][proc]["params"]
            unit.pad[at : at + 6] = [0, 0, 0, -1, 0, 0]
            self.queue.append((unit, scope, self.doc["procs"][proc].get("body")))
        return unit

    def routine(self, proc: int, event: bool) -> blocks.Routine:
        """A procedure for direct calls; with ``event`` in the window of its event unit."""
        key = (proc, event)
        r = self.routines.get(key)
        if r is None:
            row = self.doc["procs"][proc]
            units = self.bounded(self.sizes.event(proc) + self.sizes.proc(proc), row.get("body"), row["id"])
            r = self.routines[key] = blocks.Routine(proc, row["id"], units, self.place_in(proc))
            if event:
                scope = self.proc_scope(proc, True, False)
                r.window = self.event_unit(proc).window
            else:
                scope = self.proc_scope(proc, False, False)
                r.window = scope.window
            r.pad = [-1] * (r.window - 1 - row["params"])
            around, self.place = self.place, r.place
            r.body = self.direct(row.get("body"), scope)
            self.place = around
        return r

    def build_queue(self) -> None:
        """Write the code of all units asked for."""
        while self.queue:
            unit, scope, body = self.queue.pop(0)
            self.place = unit.place
            code = Code(scope)
            if unit.event:
                self.event_code(unit, code, body)
            else:
                self.flat(body, code)
                code.emit(ops.Finish(), Note(set(), []))
            code.link(unit, self.fuse)
            self.notes[unit.index] = code.notes

    def event_code(self, unit: Unit, code: Code, body: Json) -> None:
        keys = self.heard.get(unit.proc, -1)
        columns = self.tables.piece_columns
        look = events.LookOp(unit, columns)
        after = events.AfterOp(unit, columns)
        if keys >= 0:
            look.cannot, look.before, look.instead, after.after = keys, keys + 1, keys + 2, keys + 3
        start, code.after = code.label(), code.label()
        code.own_after = code.after
        look.next = start
        code.emit(look, Note(set(), [(start, set())]))
        code.mark(start)
        unit.body = 1
        self.flat(body, code)
        code.mark(code.after)
        unit.after = len(code.ops)
        code.emit(after, Note(set(), []))

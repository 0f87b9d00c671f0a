"""Flat code of what calls: proposed events, procedures, programs of definitions, and bodies written into their
callers."""

from __future__ import annotations

from collections.abc import Iterable

from grimoire.runtime.build.blocks import BlockBuilder, ok_slot, slot_or_none
from grimoire.runtime.build.context import Context
from grimoire.runtime.build.flat_writer import Code, Exits, FlatWriter, Note, plain
from grimoire.runtime.build.scope import Inside, Scope
from grimoire.runtime.core.analysis import NOTHING
from grimoire.runtime.core.expressions import Number, Slot
from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.shift import Shift
from grimoire.runtime.core.statements import Call, Let, Propose, RunProgram
from grimoire.runtime.kernel import events, ops
from grimoire.runtime.kernel.base import X_RESULT


class CallWriter:
    """Writes calls."""

    def __init__(self, context: Context, writer: FlatWriter, block_builder: BlockBuilder) -> None:
        self.context = context
        self.writer = writer
        self.blocks = block_builder

    def write_propose(self, s: Propose, code: Code, scope: Scope, exits: Exits) -> None:
        """Write a proposed event."""
        c, verb = self.context, s.verb
        forms = (s.you, *s.args)
        if c.calls.count_inlined_slots(s) >= 0:
            self.write_inline(s, verb, code, scope, exits)
            return
        if c.quiet and verb not in c.heard:
            args = c.exprs(forms, scope)
            call = ops.CallOp(c.verb_unit(verb).index, args, slot_or_none(s.result), ok_slot(s))
            self.emit(call, forms, results(s), code)
            return
        unit = c.event_unit(verb)
        args = c.exprs(forms, scope)
        routine = None
        if verb not in c.calls.framed and not c.calls.proc_waits(verb):
            routine = c.routine(verb, True, scope.place)
        op = events.DoOp(unit, routine, args, scope.window.size, ok_slot(s), slot_or_none(s.result))
        op.weight = c.sizes.event(verb) if routine is None else routine.weight
        keys = c.heard.get(verb, -1)
        if keys >= 0:
            op.cannot, op.before, op.instead, op.after = keys, keys + 1, keys + 2, keys + 3
        self.emit(op, forms, results(s), code)

    def write_call(self, s: Call, code: Code, scope: Scope, exits: Exits) -> None:
        """Write a call of a procedure."""
        if self.context.calls.count_inlined_slots(s) >= 0:
            self.write_inline(s, s.proc, code, scope, exits)
            return
        forms = (s.you, *s.args)
        args = self.context.exprs(forms, scope)
        op = ops.CallOp(self.context.call_unit(s.proc).index, args, slot_or_none(s.result), -1)
        self.emit(op, forms, results(s), code)

    def write_program(self, s: RunProgram, code: Code, scope: Scope) -> None:
        """Write the call of a definition's program."""
        c = self.context
        found = c.references.programs.get(s.name, [-1] * len(c.artefact.definitions))
        units = [-1 if proc < 0 else c.call_unit(proc).index for proc in found]
        op = ops.ProgramOp(c.expr(s.piece, scope), c.expr(s.you, scope), units, slot_or_none(s.result))
        self.emit(op, (s.piece, s.you), results(s), code)

    def emit(
        self, op: events.DoOp | ops.CallOp | ops.ProgramOp, forms: Iterable[Expression], kills: set[int], code: Code
    ) -> None:
        """Write an operation that calls: its result slots are written when it comes back."""
        op.next = code.label()
        code.emit(op, Note([(op.next, kills)], None, plain(*forms)))
        code.mark(op.next)

    # -- calls written into their callers

    def write_inline(self, s: Propose | Call, proc: int, code: Code, scope: Scope, exits: Exits) -> None:
        """Write the body of a called procedure here, in hidden slots."""
        inner = scope.at(self.context.place_in(proc, scope.place))
        at = scope.window.take(self.context.procs[proc].slots + 2)
        scope.window.calls.append((at, proc))
        if self.context.quiet:
            self.write_quiet(s, proc, at, code, inner, exits)
        else:
            self.write_logged(s, proc, at, code, inner)

    def write_logged(self, s: Propose | Call, proc: int, at: int, code: Code, scope: Scope) -> None:
        """Write it where the log is told of its beginning and end."""
        row = self.context.procs[proc]
        found, since = at + row.slots, at + row.slots + 1
        forms = (s.you, *s.args)
        args = self.context.exprs(forms, scope)
        logged = proc if isinstance(s, Propose) else -1
        start = ops.InlineStart(logged, args, at, [-1] * (row.slots + 1), since)
        begin, finish, end = code.label(), code.label(), code.label()
        start.next = begin
        code.emit(start, Note([(begin, set(range(at, at + row.slots + 1)))], None, plain(*forms)))
        code.mark(begin)
        self.writer.write(self.blocks.shift_body(row.body, Shift(at, {})), code, scope, Exits(found - X_RESULT, finish))
        code.mark(finish)
        op = ops.InlineEnd(logged, at, found, since, ok_slot(s), slot_or_none(s.result))
        op.next = end
        live = {found, *range(at, at + 1 + row.params)}  # the arguments stay for the log
        code.emit(op, Note([(end, results(s))], live))
        code.mark(end)

    def write_quiet(self, s: Propose | Call, proc: int, at: int, code: Code, scope: Scope, exits: Exits) -> None:
        """The same where no log is kept: arguments are read where they stand, and what is not read is not cleared."""
        row = self.context.procs[proc]
        forms = (s.you, *s.args)
        instead, stored = self.blocks.in_place(forms, proc)
        lets = [Let(at + i, forms[i]) for i in stored]
        stale = self.context.references.read_first(proc) - set(range(len(forms)))
        lets += [Let(at + i, NOTHING) for i in sorted(stale)]
        found = at + row.slots
        if s.result is not None:
            lets.append(Let(found, NOTHING))
        self.writer.write_block(lets, code, scope, exits)
        finish = code.label()
        inside = Inside(at, instead, finish, found if s.result is not None else -1, code)
        body = self.blocks.shift_body(row.body, Shift(at, instead))
        self.writer.write(body, code, scope.within(proc, inside), Exits(found - X_RESULT, finish))
        code.mark(finish)
        ends: list[Let] = []
        if ok_slot(s) >= 0:
            ends.append(Let(ok_slot(s), Number(1)))
        if s.result is not None:
            ends.append(Let(s.result, Slot(found)))
        self.writer.write_block(ends, code, scope, exits)


def results(s: Propose | Call | RunProgram) -> set[int]:
    """The slots that a call writes when it comes back."""
    found = set() if s.result is None else {s.result}
    if isinstance(s, Propose) and s.ok is not None:
        found.add(s.ok)
    return found

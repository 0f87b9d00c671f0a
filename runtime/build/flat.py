"""Building statements that may wait: flat code; runs of parts that cannot wait become blocks in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grimoire.runtime.build.blocks import BlockBuilder
from grimoire.runtime.build.context import Context
from grimoire.runtime.build.flat_calls import CallWriter
from grimoire.runtime.build.flat_questions import QuestionWriter
from grimoire.runtime.build.flat_writer import NO_SLOTS, Code, Exits, FlatWriter, Note, plain
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core import statements as core
from grimoire.runtime.core.analysis import NOTHING, body_of
from grimoire.runtime.core.records import Statement
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.kernel import blocks, ops, trial
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.kernel.selectors import Seats
from grimoire.runtime.limits import STEP

_CHARGED_AT_ITS_HEAD: Final = (ops.LoopStart, ops.SeatsStart)


class FlatBuilder(FlatWriter):
    """Builds flat code."""

    def __init__(self, context: Context, block_builder: BlockBuilder, registry: Registry) -> None:
        self.context = context
        self.blocks = block_builder
        self.questions = QuestionWriter(context, self, registry)
        self.calls = CallWriter(context, self, block_builder)

    # -- sequences

    def write(self, statement: Statement | None, code: Code, scope: Scope, exits: Exits) -> None:
        """Write a statement: runs of parts that cannot wait become one block."""
        parts: Sequence[Statement] = body_of(statement)
        waits = self.context.calls.waits
        run: list[Statement] = []
        for part in parts:
            if waits(part):
                self.write_block(run, code, scope, exits)
                run = []
                self.write_one(part, code, scope, exits)
            else:
                run.append(part)
        self.write_block(run, code, scope, exits)

    def write_block(self, run: Sequence[Statement], code: Code, scope: Scope, exits: Exits) -> None:
        """Write statements that cannot wait as one block."""
        if not run:
            return
        stmt = self.blocks.build_run(run, scope)
        if isinstance(stmt, blocks.Nothing):
            return
        op = ops.block_op(stmt, exits.extras)
        op.next = code.label()
        op.stop, op.again, op.after = exits.stop, exits.again, exits.after
        edges = [
            (op.next, NO_SLOTS),
            (op.stop if op.stop >= 0 else op.next, NO_SLOTS),
            (op.again if op.again >= 0 else op.next, NO_SLOTS),
        ]
        if op.after >= 0:
            edges.append((op.after, NO_SLOTS))
        code.emit(op, Note(edges, block=run))
        code.mark(op.next)

    def write_one(self, s: Statement, code: Code, scope: Scope, exits: Exits) -> None:
        """Write one statement; it is counted if the program counts."""
        first = len(code.ops)
        self.write_kind(s, code, scope if s.at is None else scope.at(s.at), exits)
        if not self.blocks.counts:
            return
        number = self.context.numbers.of_statement(s)
        if number >= 0 and len(code.ops) > first:
            code.ops[first] = ops.count_reached(code.ops[first], number)

    def write_kind(self, s: Statement, code: Code, scope: Scope, exits: Exits) -> None:
        """Write one statement by its kind."""
        match s:
            case core.Sequence():
                self.write(s, code, scope, exits)
            case core.If():
                self.write_if(s, code, scope, exits)
            case core.ForEach():
                self.write_foreach(s, code, scope, exits)
            case core.Repeat():
                self.write_repeat(s, code, scope, exits)
            case core.Menu():
                self.questions.write_menu(s, code, scope, exits)
            case core.Choose():
                self.questions.write_choose(s, code, scope)
            case core.Poll():
                self.questions.write_poll(s, code, scope, exits)
            case core.Propose():
                self.calls.write_propose(s, code, scope, exits)
            case core.Call():
                self.calls.write_call(s, code, scope, exits)
            case core.RunProgram():
                self.calls.write_program(s, code, scope)
            case core.Leave():
                self.write_leave(s, code, scope, exits)
            case core.Pay():
                self.write_pay(s, code, scope, exits)
            case _:
                raise ArtefactError(f"unknown statement {type(s).__name__}")

    # -- branches and loops

    def write_if(self, s: core.If, code: Code, scope: Scope, exits: Exits) -> None:
        cond = self.blocks.count_outcomes(s, self.context.expr(s.cond, scope))
        if isinstance(cond, Const):
            self.write(s.then if cond.n else s.else_, code, scope, exits)
            return
        branch = ops.BranchOp(cond)
        branch.next, branch.other = code.label(), code.label()
        code.emit(branch, Note([(branch.next, NO_SLOTS), (branch.other, NO_SLOTS)], None, plain(s.cond)))
        code.mark(branch.next)
        self.write(s.then, code, scope, exits)
        self.write_otherwise(s.else_, branch.other, code, scope, exits)

    def write_otherwise(self, s: Statement | None, label: int, code: Code, scope: Scope, exits: Exits) -> None:
        """Write what is done instead of what stands before it, at its label."""
        if not body_of(s):
            code.mark(label)
            return
        end = code.label()
        code.jump(end)
        code.mark(label)
        self.write(s, code, scope, exits)
        code.mark(end)

    def write_foreach(self, s: core.ForEach, code: Code, scope: Scope, exits: Exits) -> None:
        players = self.context.players
        hidden = scope.window.take(1)
        sel = self.context.selector(s.in_, scope)
        start: ops.LoopStart | ops.SeatsStart
        step: ops.LoopNext | ops.SeatsNext
        units = 2 + self.context.sizes.statement(s.body)
        if isinstance(sel, Seats) and self.context.fuse:
            start, step = ops.SeatsStart(sel, hidden), ops.SeatsNext(s.slot, hidden, players)
            start.weight = units * players
        else:
            start, step = ops.LoopStart(sel, hidden), ops.LoopNext(s.slot, hidden)
            start.weight = units
            scope.window.lists.append((hidden, s.in_))
        start.place = scope.place
        head, body, end = code.label(), code.label(), code.label()
        start.next, step.next, step.exit = head, body, end
        code.emit(start, Note([(head, {hidden})], None, plain(s.in_)))
        code.mark(head)
        code.emit(step, Note([(body, {s.slot}), (end, NO_SLOTS)], {hidden}))
        code.mark(body)
        self.write(s.body, code, scope, exits.in_loop(end, head))
        code.jump(head)
        code.mark(end)

    def write_repeat(self, s: core.Repeat, code: Code, scope: Scope, exits: Exits) -> None:
        head, body, end = code.label(), code.label(), code.label()
        hidden = -1
        if s.times is not None:
            hidden = scope.window.take(1)
            start = ops.RepeatStart(self.context.expr(s.times, scope), hidden)
            start.next = head
            code.emit(start, Note([(head, {hidden})], None, plain(s.times)))
        units = STEP + self.context.sizes.statement(s.body)
        code.mark(head)
        if hidden >= 0 or not self.charges_round(s.body):
            step = ops.RepeatNext(hidden)
            step.next, step.exit = body, end
            step.weight, step.place = units, scope.place
            code.emit(step, Note([(body, NO_SLOTS), (end, NO_SLOTS)], {hidden} if hidden >= 0 else None))
        code.mark(body)
        first = len(code.ops)
        self.write(s.body, code, scope, exits.in_loop(end, head))
        code.jump(head)
        code.mark(end)
        asking = ops.strip_counters(code.ops[first])
        if asking.asks or isinstance(asking, _CHARGED_AT_ITS_HEAD):
            asking.weight += units

    def charges_round(self, body: Statement) -> bool:
        """Whether a round starts with a question or with such a loop: then it needs no head, that is charged with the
        round."""
        parts = body_of(body)
        if not parts:
            return False
        return isinstance(parts[0], core.Menu) or (
            isinstance(parts[0], core.ForEach) and self.context.calls.waits(parts[0])
        )

    def write_leave(self, s: core.Leave, code: Code, scope: Scope, exits: Exits) -> None:
        inside = scope.inside.get(s.proc)
        if inside is not None and inside.code is code:
            if inside.found >= 0:
                let = core.Let(inside.found, NOTHING if s.value is None else s.value)
                self.write_block([let], code, scope, exits)
            code.jump(inside.finish)
            return
        value = None if s.value is None else self.context.expr(s.value, scope)
        note = Note([], None, plain(s.value))
        written_in = (
            exits.after >= 0 and not self.context.quiet
        )  # an event written into this code is left: the log is told
        if self.context.fuse and scope.window.proc == s.proc and code.own_after < 0 and not written_in:
            code.emit(ops.block_op(blocks.Return(value), -1), note)
        else:
            code.emit(ops.LeaveOp(s.proc, value), note)

    # -- costs

    def write_pay(self, s: core.Pay, code: Code, scope: Scope, exits: Exits) -> None:
        self.context.tables.pays = True
        pay, paid = trial.PayOp(), trial.PaidOp()
        start, then, other = code.label(), code.label(), code.label()
        pay.next, pay.other, paid.next = start, other, then
        code.emit(pay, Note([(start, NO_SLOTS), (other, NO_SLOTS)]))
        code.mark(start)
        first = len(code.ops)
        self.write(s.cost, code, scope, exits)
        code.paying.append((first, len(code.ops), len(code.ops)))
        pay.goal = len(code.ops)
        code.emit(paid, Note([(then, NO_SLOTS)]))
        code.mark(then)
        self.write(s.then, code, scope, exits)
        self.write_otherwise(s.else_, other, code, scope, exits)

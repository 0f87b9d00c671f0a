"""Building statements that cannot wait: blocks, which run directly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from grimoire.runtime.build.context import Context, require_ability
from grimoire.runtime.build.references import find_called
from grimoire.runtime.build.scope import Inside, Scope
from grimoire.runtime.core import statements as core
from grimoire.runtime.core.analysis import body_of, never_negative, statements_in, strip
from grimoire.runtime.core.expressions import Number, Slot
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.selectors import Except, Filter, SeatsFrom
from grimoire.runtime.core.shift import Shift
from grimoire.runtime.core.tables import Column, VariableOf
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.kernel import blocks, cells, effects, fused, nodes
from grimoire.runtime.kernel.base import AGAIN, STOP, VARS, Expr, Stmt
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.limits import STEP

SEEN: Final = {"zone": 0, "none": 1, "all": 2, "keep": 3}


class BlockBuilder:
    """Builds statements that never wait."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.fuse = context.fuse
        self.counts = context.settings.track
        self.expr: Callable[[Expression, Scope], Expr] = context.expr

    def build(self, statement: Statement | None, scope: Scope) -> Stmt:
        """A statement that cannot wait."""
        return self.build_run(body_of(statement), scope)

    def build_run(self, statements: Sequence[Statement], scope: Scope) -> Stmt:
        """Statements one after the other, none of which can wait."""
        return join_statements([self.build_one(one, scope) for one in statements])

    def build_one(self, s: Statement, scope: Scope) -> Stmt:
        """One statement; it is counted if the program counts."""
        if s.at is not None:
            scope = scope.at(s.at)
        made = _BUILDERS[type(s)](self, s, scope)
        if not self.counts:
            return made
        number = self.context.numbers.of_statement(s)
        return made if number < 0 else blocks.Track(number, made)

    # -- control

    def sequence(self, s: core.Sequence, scope: Scope) -> Stmt:
        return self.build_run(s.body, scope)

    def branch(self, s: core.If, scope: Scope) -> Stmt:
        cond = self.count_outcomes(s, self.expr(s.cond, scope))
        if isinstance(cond, Const):
            return self.build(s.then if cond.n else s.else_, scope)
        yes, no = self.build(s.then, scope), self.build(s.else_, scope)
        if isinstance(yes, cells.MoveTop) and isinstance(no, blocks.Nothing):
            if isinstance(cond, nodes.NeConst) and cond.n == -1 and isinstance(cond.left, fused.TopOfFixed):
                if cond.left.zone == yes.zone:
                    return fused.Deal(yes.zone, yes.to, yes.top, yes.seen)
        if not isinstance(no, blocks.Nothing):
            return blocks.Branch(cond, yes, no)
        if self.fuse:
            if isinstance(cond, nodes.And2) and isinstance(cond.left, fused.GtVarConst):
                return cells.WhenAbove(cond.left.address, cond.left.n, cond.right, yes)
            if isinstance(cond, nodes.And2):
                return blocks.WhenBoth(cond.left, cond.right, yes)
            if isinstance(cond, nodes.Any):
                return blocks.WhenAny(cond.sel, yes)
            if isinstance(cond, cells.NoneOf):
                return blocks.WhenNone(cond.sel, yes)
        return blocks.When(cond, yes)

    def count_outcomes(self, s: core.If, cond: Expr) -> Expr:
        """The condition of a branch; with tracking it counts how it came out, in the two numbers behind that of the
        branch."""
        at = self.context.numbers.of_statement(s)
        return cond if at < 0 else nodes.CountedTest(cond, at + 1, at + 2)

    def each(self, s: core.ForEach, scope: Scope) -> Stmt:
        """A loop over a selector; what only fills columns, or moves each piece to one zone, has a node of its own."""
        sel = self.context.selector(s.in_, scope, 2 + self.context.sizes.statement(s.body))
        i, body = s.slot, self.build(s.body, scope)
        if self.fuse:
            if isinstance(body, effects.Move) and isinstance(body.piece, nodes.Slot) and body.piece.i == i:
                to = body.to
                fixed = isinstance(to, Const) or (isinstance(to, cells.ZoneOfSlot) and to.i != i)
                if fixed and never_negative(s.in_):
                    return cells.MoveEach(i, sel, to, body.top, body.seen)
            if isinstance(body, cells.MoveTop) and isinstance(body.to, cells.ZoneOfSlot) and body.to.i == i:
                if never_negative(s.in_) and goes_over_seats(s.in_):
                    return cells.DealEach(i, sel, body.zone, body.to.base, body.top, body.seen)
            parts = body.parts if isinstance(body, blocks.Seq) else [body]
            fills = [part for part in parts if isinstance(part, cells.SetCellConst) and part.i == i]
            if len(fills) == len(parts):
                return cells.FillCells(i, sel, [fill.base for fill in fills], [fill.n for fill in fills])
        return blocks.Foreach(i, sel, body)

    def repeat(self, s: core.Repeat, scope: Scope) -> Stmt:
        times = None if s.times is None else self.expr(s.times, scope)
        body = self.build(s.body, scope)
        if isinstance(times, Const) and self.fuse and times.n <= 1 and not leaves_loop(s.body):
            return body if times.n == 1 else blocks.Nothing()
        return blocks.Repeat(times, body, STEP + self.context.sizes.statement(s.body), scope.place)

    def stop(self, s: core.Stop, scope: Scope) -> Stmt:
        return blocks.Signal(STOP)

    def again(self, s: core.Again, scope: Scope) -> Stmt:
        return blocks.Signal(AGAIN)

    def give_back(self, s: core.Return, scope: Scope) -> Stmt:
        return blocks.Return(None if s.value is None else self.expr(s.value, scope))

    def pay(self, s: core.Pay, scope: Scope) -> Stmt:
        return blocks.PayDirect(self.build(s.cost, scope), self.build(s.then, scope), self.build(s.else_, scope))

    # -- slots, variables, columns

    def let(self, s: core.Let, scope: Scope) -> Stmt:
        value = self.expr(s.value, scope)
        if isinstance(value, Const) and self.fuse:
            return cells.LetConst(s.slot, value.n)
        return effects.Let(s.slot, value)

    def set_setting(self, s: core.SetSetting, scope: Scope) -> Stmt:
        inside = scope.inside.get(s.proc)
        if inside is not None:
            return effects.Let(inside.at + s.slot, self.expr(s.value, scope))
        if scope.window.proc == s.proc and self.fuse:
            return effects.Let(s.slot, self.expr(s.value, scope))
        return effects.SetSetting(s.proc, s.slot, self.expr(s.value, scope))

    def set_variable(self, s: core.SetVariable, scope: Scope) -> Stmt:
        value = self.expr(s.value, scope)
        row = self.context.artefact.vars[s.var]
        bounded = row.min is not None or row.max is not None
        address = VARS + s.var
        if self.fuse:
            if isinstance(value, Const):
                if within(row, value.n):
                    return fused.SetConst(address, value.n)
            elif isinstance(value, fused.AddConst) and isinstance(value.left, nodes.Var):
                if value.left.address == address:
                    if bounded:
                        return fused.BumpBounded(address, value.n, row.min, row.max)
                    return fused.Bump(address, value.n)
            if isinstance(value, nodes.Slot) and not bounded:
                return cells.SetVarSlot(address, value.i)
        return effects.SetBounded(address, value, row.min, row.max) if bounded else effects.SetVar(address, value)

    def set_column(self, s: core.SetColumn, scope: Scope) -> Stmt:
        value = self.expr(s.value, scope)
        row = self.context.artefact.columns[s.col]
        if row.printed is not None:
            raise ArtefactError(f"column {row.id} is printed and cannot be written")
        bounded = row.min is not None or row.max is not None
        base, of = self.context.layout.column_base[s.col], self.expr(s.of, scope)
        if isinstance(of, nodes.Slot) and self.fuse:
            if isinstance(value, Const) and within(row, value.n):
                return cells.SetCellConst(base, of.i, value.n)
            if not bounded and isinstance(value, nodes.Slot):
                return cells.SetCellSlot(base, of.i, value.i)
            least = -nodes.HUGE if row.min is None else row.min
            most = nodes.HUGE if row.max is None else row.max
            if isinstance(value, cells.Cell):
                return cells.SetCellCell(base, of.i, value, 0, least, most)
            if isinstance(value, fused.AddConst) and isinstance(value.left, cells.Cell):
                return cells.SetCellCell(base, of.i, value.left, value.n, least, most)
            return cells.SetCell(base, of.i, value, least, most)
        if bounded:
            return effects.SetColBounded(base, of, value, row.min, row.max)
        return effects.SetCol(base, of, value)

    # -- pieces

    def move(self, s: core.Move, scope: Scope) -> Stmt:
        piece, to = self.expr(s.piece, scope), self.expr(s.to, scope)
        top, seen = s.where != "bottom", SEEN[s.seen or "zone"]
        if isinstance(piece, fused.TopOfFixed):
            return cells.MoveTop(piece.zone, to, top, seen)
        return effects.Move(piece, to, top, seen)

    def shuffle(self, s: core.Shuffle, scope: Scope) -> Stmt:
        return effects.Shuffle(self.expr(s.zone, scope))

    def choose_at_random(self, s: core.ChooseAtRandom, scope: Scope) -> Stmt:
        return effects.Random(s.slot, self.context.selector(s.from_, scope))

    def look(self, s: core.Look, scope: Scope) -> Stmt:
        who, what = self.expr(s.who, scope), self.expr(s.what, scope)
        if isinstance(what, nodes.SetOf) and self.fuse:
            return cells.LookAt(who, what.sel)
        return effects.Look(who, what)

    # -- events, effects, the end

    def cancel(self, s: core.Cancel, scope: Scope) -> Stmt:
        require_ability(scope, "cancel")
        return effects.Cancel(scope.window.heard)

    def set_argument(self, s: core.SetArgument, scope: Scope) -> Stmt:
        require_ability(scope, "setarg")
        return effects.SetArg(scope.window.heard, s.arg, self.expr(s.value, scope))

    def set_result(self, s: core.SetResult, scope: Scope) -> Stmt:
        require_ability(scope, "setresult")
        return effects.SetResult(scope.window.heard, self.expr(s.value, scope))

    def grant(self, s: core.Grant, scope: Scope) -> Stmt:
        captures = self.context.exprs(s.captures, scope)
        return effects.Grant(list(s.abilities), list(s.modifiers), s.until, captures, scope.place)

    def end(self, s: core.EndGame, scope: Scope) -> Stmt:
        return effects.End(self.context.references.outcomes[s.outcome], self.expr(s.winners, scope))

    # -- calls

    def call(self, s: core.Propose | core.Call, scope: Scope) -> Stmt:
        args = self.context.exprs((s.you, *s.args), scope)
        proc = find_called(s)
        if self.context.calls.count_inlined_slots(s) >= 0:
            return self.inline(s, proc, args, scope)
        routine = self.context.routine(proc, False, scope.place)
        proposed = isinstance(s, core.Propose)
        return blocks.CallDirect(routine, args, scope.window.size, ok_slot(s), slot_or_none(s.result), proposed)

    def run_program(self, s: core.RunProgram, scope: Scope) -> Stmt:
        found = self.context.references.programs.get(s.name, [-1] * len(self.context.artefact.definitions))
        table = [None if proc < 0 else self.context.routine(proc, False, scope.place) for proc in found]
        piece, you = self.expr(s.piece, scope), self.expr(s.you, scope)
        return blocks.ProgramDirect(piece, you, table, scope.window.size, slot_or_none(s.result))

    def inline(self, s: core.Propose | core.Call, proc: int, args: list[Expr], scope: Scope) -> Stmt:
        """A call written into its caller; arguments that are slots or numbers are read where they stand."""
        row = self.context.procs[proc]
        at = scope.window.take(row.slots)
        instead, stored = self.in_place((s.you, *s.args), proc)
        inner = scope.within(proc, Inside(at, instead, -1, -1, None)) if self.context.quiet else scope
        inner = inner.at(self.context.place_in(proc, scope.place))
        body = self.build(self.shift_body(row.body, Shift(at, instead)), inner)
        if self.context.quiet:
            parts: list[Stmt] = [effects.Let(at + i, args[i]) for i in stored]
            parts.append(body)
            if ok_slot(s) >= 0:
                parts.append(cells.LetConst(ok_slot(s), 1))
            if s.result is not None:
                parts.append(cells.LetConst(s.result, -1))
            return join_statements(parts)
        proposed = isinstance(s, core.Propose)
        return blocks.InlinedCall(proc, args, stored, at, body, ok_slot(s), slot_or_none(s.result), proposed)

    def shift_body(self, body: Statement | None, shift: Shift) -> Statement | None:
        """The body of a procedure in the slots that it has in its caller."""
        if body is None:
            return None
        found = shift.move(body)
        self.context.numbers.follow(shift)
        return found

    def in_place(self, forms: tuple[Expression, ...], proc: int) -> tuple[dict[int, Expression], list[int]]:
        """Which arguments of a call can be read where they stand (numbers and steady slots), and which must be
        stored."""
        references = self.context.references
        written = references.find_assigned(proc)
        instead: dict[int, Expression] = {}
        stored: list[int] = []
        for i, form in enumerate(forms):
            plain = strip(form)
            steady = isinstance(plain, Number) or (isinstance(plain, Slot) and not references.changed)
            if steady and i not in written:
                instead[i] = plain
            else:
                stored.append(i)
        return instead, stored


def join_statements(found: list[Stmt]) -> Stmt:
    """Statements one after the other."""
    kept: list[Stmt] = []
    for part in found:
        if isinstance(part, blocks.Seq):
            kept.extend(part.parts)
        elif not isinstance(part, blocks.Nothing):
            kept.append(part)
    if not kept:
        return blocks.Nothing()
    return kept[0] if len(kept) == 1 else blocks.Seq(kept)


def goes_over_seats(selector: Selector) -> bool:
    """Whether a selector goes over seats before anything is left out."""
    while isinstance(selector, Filter | Except):
        selector = selector.selector
    return isinstance(selector, SeatsFrom)


def leaves_loop(statement: Statement) -> bool:
    """Whether a statement stops or goes on with the loop around it."""
    if isinstance(statement, core.Stop | core.Again):
        return True
    if isinstance(statement, core.ForEach | core.Repeat):
        return False
    return any(leaves_loop(child) for child in statements_in(statement))


def within(row: VariableOf | Column, value: int) -> bool:
    """Whether a value lies within the bounds of a variable or column."""
    return (row.min is None or value >= row.min) and (row.max is None or value <= row.max)


def slot_or_none(slot: int | None) -> int:
    """A slot that may be left out, as the kernel has it."""
    return -1 if slot is None else slot


def ok_slot(s: core.Propose | core.Call) -> int:
    """The slot that says whether a proposed event happened, or -1."""
    return slot_or_none(s.ok) if isinstance(s, core.Propose) else -1


_BUILDERS: Final[dict[type[Statement], Callable[..., Stmt]]] = {
    core.Sequence: BlockBuilder.sequence,
    core.Let: BlockBuilder.let,
    core.SetVariable: BlockBuilder.set_variable,
    core.SetColumn: BlockBuilder.set_column,
    core.SetSetting: BlockBuilder.set_setting,
    core.Move: BlockBuilder.move,
    core.Shuffle: BlockBuilder.shuffle,
    core.ChooseAtRandom: BlockBuilder.choose_at_random,
    core.Look: BlockBuilder.look,
    core.If: BlockBuilder.branch,
    core.ForEach: BlockBuilder.each,
    core.Repeat: BlockBuilder.repeat,
    core.Stop: BlockBuilder.stop,
    core.Again: BlockBuilder.again,
    core.Return: BlockBuilder.give_back,
    core.Propose: BlockBuilder.call,
    core.Call: BlockBuilder.call,
    core.RunProgram: BlockBuilder.run_program,
    core.Pay: BlockBuilder.pay,
    core.Cancel: BlockBuilder.cancel,
    core.SetArgument: BlockBuilder.set_argument,
    core.SetResult: BlockBuilder.set_result,
    core.Grant: BlockBuilder.grant,
    core.EndGame: BlockBuilder.end,
}

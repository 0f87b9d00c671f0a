"""Building, part three: statements that cannot wait -> blocks."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Final

from grimoire.runtime.kernel import blocks, cells, effects, fused, nodes
from grimoire.runtime.kernel.base import AGAIN, STOP, VARS, Expr, Stmt, Tables
from grimoire.runtime.build.expressions import ExprBuilder
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.build.forms import Json, body_of, children, never_negative, strip
from grimoire.runtime.build.inlining import Shift, assigned, shifted
from grimoire.runtime.limits import STEP
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.build.scope import Inside, Scope

SEEN: Final = {"zone": 0, "none": 1, "all": 2, "keep": 3}


class BlockBuilder(ExprBuilder):
    """Builds statements that never wait."""

    def __init__(
        self, document: dict[str, Any], tables: Tables, players: int, options: dict[str, int], track: bool
    ) -> None:
        super().__init__(document, tables, players, options)
        self.track = track
        self.quiet = False  # no log will be written, nothing saved: for bulk play
        self.programs: dict[str, list[int]] = {}  # name -> procedure for each definition
        self.changed: set[tuple[int, int]] = set()  # procedure and slot that others write
        self.outcomes: dict[str, int] = {"done": 0}
        self.copies: list[Json] = []
        self.statement_numbers: dict[int, int] = {}
        self.entry_numbers: dict[int, int] = {}

    # -- hooks of the code builder

    @abstractmethod
    def routine(self, proc: int, event: bool) -> blocks.Routine:
        """A procedure for direct calls."""

    # -- statements

    def direct(self, statement: Json, scope: Scope) -> Stmt:
        """A statement that cannot wait."""
        return joined([self.direct_one(part, scope) for part in body_of(statement)])

    def direct_one(self, s: Json, scope: Scope) -> Stmt:
        around = self.place
        if isinstance(s, dict) and s.get("at") is not None:
            self.place = s["at"]
        stmt = self.direct_plain(s, scope) if isinstance(s, dict) else self.direct(s, scope)
        self.place = around
        if id(s) in self.statement_numbers and isinstance(s, dict) and s["op"] != "seq":
            return blocks.Track(self.statement_numbers[id(s)], stmt)
        return stmt

    def direct_plain(self, s: Json, scope: Scope) -> Stmt:
        op = s["op"]
        if op == "seq":
            return self.direct(s["body"], scope)
        if op == "let":
            value = self.expr(s["value"], scope)
            if isinstance(value, Const) and self.fuse:
                return cells.LetConst(s["slot"], value.n)
            return effects.Let(s["slot"], value)
        if op in ("setvar", "setcol"):
            return self.write(op, s, scope)
        if op == "setting":
            inside = scope.inside.get(s["proc"])
            if inside is not None:
                return effects.Let(inside.at + s["slot"], self.expr(s["value"], scope))
            if scope.proc == s["proc"] and self.fuse:
                return effects.Let(s["slot"], self.expr(s["value"], scope))
            return effects.SetSetting(s["proc"], s["slot"], self.expr(s["value"], scope))
        if op == "move":
            return self.move(s, scope)
        if op == "shuffle":
            return effects.Shuffle(self.expr(s["zone"], scope))
        if op == "random":
            return effects.Random(s["slot"], self.sel(s["from"], scope))
        if op == "look":
            who, what = self.expr(s["who"], scope), self.expr(s["what"], scope)
            if isinstance(what, nodes.SetOf) and self.fuse:
                return cells.LookAt(who, what.sel)
            return effects.Look(who, what)
        if op == "if":
            return self.branch(s, scope)
        if op == "foreach":
            return self.each(s, scope)
        if op == "repeat":
            times = None if s.get("times") is None else self.expr(s["times"], scope)
            body = self.direct(s["body"], scope)
            if isinstance(times, Const) and self.fuse and times.n <= 1 and not leaves_loop(s["body"]):
                return body if times.n == 1 else blocks.Nothing()
            return blocks.Repeat(times, body, STEP + self.sizes.statement(s["body"]), self.place)
        if op in ("stop", "again"):
            return blocks.Signal(STOP if op == "stop" else AGAIN)
        if op == "return":
            return blocks.Return(None if s.get("value") is None else self.expr(s["value"], scope))
        if op in ("do", "call"):
            args = self.exprs([s["you"], *s["args"]], scope)
            proc = s["verb"] if op == "do" else s["proc"]
            if self.inlined(s) >= 0:
                return self.inline(s, proc, args, scope)
            routine = self.routine(proc, False)
            return blocks.CallDirect(routine, args, scope.window, s_slot(s, "ok"), s_slot(s, "result"), op == "do")
        if op == "program":
            found = self.programs.get(s["name"], [-1] * len(self.doc["definitions"]))
            table = [None if proc < 0 else self.routine(proc, False) for proc in found]
            piece, you = self.expr(s["piece"], scope), self.expr(s["you"], scope)
            return blocks.ProgramDirect(piece, you, table, scope.window, s_slot(s, "result"))
        if op == "pay":
            return blocks.PayDirect(
                self.direct(s["cost"], scope), self.direct(s["then"], scope), self.direct(s.get("else"), scope)
            )
        return self.direct_event(op, s, scope)

    def each(self, s: Json, scope: Scope) -> Stmt:
        """A loop over a selector; what only fills columns, or moves each piece to one zone, has a node of its own."""
        sel = self.sel(s["in"], scope, 2 + self.sizes.statement(s["body"]))
        i, body = s["slot"], self.direct(s["body"], scope)
        if self.fuse:
            if isinstance(body, effects.Move) and isinstance(body.piece, nodes.Slot) and body.piece.i == i:
                to = body.to
                fixed = isinstance(to, Const) or (isinstance(to, cells.ZoneOfSlot) and to.i != i)
                if fixed and never_negative(s["in"]):
                    return cells.MoveEach(i, sel, to, body.top, body.seen)
            if isinstance(body, cells.MoveTop) and isinstance(body.to, cells.ZoneOfSlot) and body.to.i == i:
                if never_negative(s["in"]) and sel_sort(s["in"]) == "seats":
                    return cells.DealEach(i, sel, body.zone, body.to.base, body.top, body.seen)
            parts = body.parts if isinstance(body, blocks.Seq) else [body]
            fills = [part for part in parts if isinstance(part, cells.SetCellConst) and part.i == i]
            if len(fills) == len(parts):
                return cells.FillCells(i, sel, [fill.base for fill in fills], [fill.n for fill in fills])
        return blocks.Foreach(i, sel, body)

    def weighed(self, s: Json, cond: Expr) -> Expr:
        """The condition of a branch; with tracking it counts how it came out, in the two numbers behind that of the branch."""
        at = self.statement_numbers.get(id(s), -1)
        return cond if at < 0 else nodes.Weighed(cond, at + 1, at + 2)

    def branch(self, s: Json, scope: Scope) -> Stmt:
        cond = self.weighed(s, self.expr(s["cond"], scope))
        if isinstance(cond, Const):
            return self.direct(s["then"] if cond.n else s.get("else"), scope)
        yes, no = self.direct(s["then"], scope), self.direct(s.get("else"), scope)
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

    def write(self, op: str, s: Json, scope: Scope) -> Stmt:
        value = self.expr(s["value"], scope)
        row = self.doc["vars"][s["var"]] if op == "setvar" else self.doc["columns"][s["col"]]
        low, high = row.get("min"), row.get("max")
        bounded = low is not None or high is not None
        if op == "setvar":
            address = VARS + s["var"]
            if self.fuse and isinstance(value, Const):
                if (low is None or value.n >= low) and (high is None or value.n <= high):
                    return fused.SetConst(address, value.n)
            elif self.fuse and isinstance(value, fused.AddConst) and isinstance(value.left, nodes.Var):
                if value.left.address == address:
                    if bounded:
                        return fused.BumpBounded(address, value.n, low, high)
                    return fused.Bump(address, value.n)
            if isinstance(value, nodes.Slot) and self.fuse and not bounded:
                return cells.SetVarSlot(address, value.i)
            return effects.SetBounded(address, value, low, high) if bounded else effects.SetVar(address, value)
        if row.get("printed") is not None:
            raise ArtefactError(f"column {row['id']} is printed and cannot be written")
        base, of = self.column_base[s["col"]], self.expr(s["of"], scope)
        if isinstance(of, nodes.Slot) and self.fuse:
            if isinstance(value, Const) and (low is None or value.n >= low) and (high is None or value.n <= high):
                return cells.SetCellConst(base, of.i, value.n)
            if not bounded and isinstance(value, nodes.Slot):
                return cells.SetCellSlot(base, of.i, value.i)
            least, most = -nodes.HUGE if low is None else low, nodes.HUGE if high is None else high
            if isinstance(value, cells.Cell):
                return cells.SetCellCell(base, of.i, value, 0, least, most)
            if isinstance(value, fused.AddConst) and isinstance(value.left, cells.Cell):
                return cells.SetCellCell(base, of.i, value.left, value.n, least, most)
            return cells.SetCell(base, of.i, value, least, most)
        return effects.SetColBounded(base, of, value, low, high) if bounded else effects.SetCol(base, of, value)

    def move(self, s: Json, scope: Scope) -> Stmt:
        piece, to = self.expr(s["piece"], scope), self.expr(s["to"], scope)
        top, seen = s.get("where", "top") == "top", SEEN[s.get("seen", "zone")]
        if isinstance(piece, fused.TopOfFixed):
            return cells.MoveTop(piece.zone, to, top, seen)
        return effects.Move(piece, to, top, seen)

    def direct_event(self, op: str, s: Json, scope: Scope) -> Stmt:
        if op in ("cancel", "setarg", "setresult"):
            self.in_ability(scope, op)
            if op == "cancel":
                return effects.Cancel(scope.heard)
            if op == "setarg":
                return effects.SetArg(scope.heard, s["arg"], self.expr(s["value"], scope))
            return effects.SetResult(scope.heard, self.expr(s["value"], scope))
        if op == "grant":
            captures = self.exprs(s["captures"], scope)
            return effects.Grant(s["abilities"], s["modifiers"], s["until"], captures, self.place)
        if op == "end":
            outcome = self.outcomes.setdefault(s["outcome"], len(self.outcomes))
            return effects.End(outcome, self.expr(s["winners"], scope))
        raise ArtefactError(f"unknown statement {op!r}")

    # -- calls written into their callers

    def inline(self, s: Json, proc: int, args: list[Expr], scope: Scope) -> Stmt:
        """A call written into its caller; arguments that are slots or numbers are read where they stand."""
        row = self.doc["procs"][proc]
        at = scope.take(row["slots"])
        instead, stored = self.in_place([s["you"], *s["args"]], proc)
        if self.quiet:
            scope.inside[proc] = Inside(at, instead, -1, -1, None)
        around, self.place = self.place, self.place_in(proc)
        body = self.direct(shifted(row.get("body"), Shift(at, instead, self.copied)), scope)
        self.place = around
        scope.inside.pop(proc, None)
        if self.quiet:
            parts: list[Stmt] = [effects.Let(at + i, args[i]) for i in stored]
            parts.append(body)
            if s.get("ok") is not None:
                parts.append(cells.LetConst(s["ok"], 1))
            if s.get("result") is not None:
                parts.append(cells.LetConst(s["result"], -1))
            return joined(parts)
        return blocks.Inlined(proc, args, stored, at, body, s_slot(s, "ok"), s_slot(s, "result"), s["op"] == "do")

    def in_place(self, forms: list[Json], proc: int) -> tuple[dict[int, Json], list[int]]:
        """Which arguments of a call can be read where they stand (numbers and steady slots), and which must be stored."""
        written = assigned(self.doc["procs"][proc].get("body")) | {slot for of, slot in self.changed if of == proc}
        instead: dict[int, Json] = {}
        stored: list[int] = []
        for i, form in enumerate(forms):
            plain = strip(form)
            steady = plain[0] == "int" or (plain[0] == "slot" and not self.changed)
            if steady and i not in written:
                instead[i] = plain
            else:
                stored.append(i)
        return instead, stored

    def copied(self, old: Json, new: Json) -> None:
        """A statement or menu entry was copied into a caller: it counts as the one it was copied from."""
        self.copies.append(new)  # keeps its identity its own
        for numbers in (self.statement_numbers, self.entry_numbers):
            if id(old) in numbers:
                numbers[id(new)] = numbers[id(old)]


def joined(found: list[Stmt]) -> Stmt:
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


def sel_sort(sel: Json) -> str:
    """What a selector goes over before anything is left out."""
    while sel[0] in ("filter", "except"):
        sel = sel[1]
    return str(sel[0])


def leaves_loop(statement: Json) -> bool:
    """Whether a statement stops or goes on with the loop around it."""
    if isinstance(statement, dict) and statement.get("op") in ("stop", "again"):
        return True
    if isinstance(statement, dict) and statement.get("op") in ("foreach", "repeat"):
        return False
    return any(leaves_loop(child) for child in children(statement))


def s_slot(s: Json, name: str) -> int:
    """An optional slot field."""
    value = s.get(name)
    return -1 if value is None else int(value)

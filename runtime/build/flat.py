"""Building, part four: statements that may wait -> flat code; runs of parts that cannot wait become blocks in it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from grimoire.runtime.build import settled
from grimoire.runtime.kernel import blocks, effects, events, fused, menus, ops, trial
from grimoire.runtime.kernel.base import X_RESULT, Expr, Tables, Unit, WaitOp
from grimoire.runtime.build.blocks import BlockBuilder, s_slot
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.build.flat_writer import Code, Note
from grimoire.runtime.build.forms import Json, body_of, free_slots, never_negative
from grimoire.runtime.build.inlining import Shift, shifted
from grimoire.runtime.limits import OPTION, STEP
from grimoire.runtime.build.liveness import block_live
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.build.scope import Inside, Scope
from grimoire.runtime.kernel.selectors import Charged, InZone, Seats


class FlatBuilder(BlockBuilder):
    """Builds flat code."""

    def __init__(
        self, document: dict[str, Any], tables: Tables, players: int, options: dict[str, int], track: bool
    ) -> None:
        super().__init__(document, tables, players, options, track)
        self.framed: set[int] = set()  # procedures that must have a frame of their own
        self.notes: dict[int, list[Note]] = {}
        self.scopes: dict[int, Scope] = {}
        self.menus: list[tuple[Json, int]] = []  # menu statements by number, with their unit

    # -- hooks of the code builder

    @abstractmethod
    def proc_waits(self, proc: int) -> bool:
        """Whether a procedure may wait."""

    @abstractmethod
    def waits(self, statement: Json) -> bool:
        """Whether a statement may wait, be heard, or needs a frame."""

    @abstractmethod
    def call_unit(self, proc: int) -> Unit:
        """The unit of a plain call."""

    @abstractmethod
    def verb_unit(self, proc: int) -> Unit:
        """The unit of an event that nothing answers."""

    # -- sequences

    def flat(self, statement: Json, code: Code) -> None:
        """Write a statement: runs of parts that cannot wait become one block."""
        run: list[Json] = []
        parts = body_of(statement)
        if self.fuse and not self.track:
            parts = settled.settled(parts, never_negative)
        for part in parts:
            if self.waits(part):
                self.flush(run, code)
                run = []
                self.flat_one(part, code)
            else:
                run.append(part)
        self.flush(run, code)

    def flush(self, run: list[Json], code: Code) -> None:
        if not run:
            return
        stmt = self.direct(run, code.scope)
        if isinstance(stmt, blocks.Nothing):
            return
        op = ops.block_op(stmt, code.extras)
        op.next = code.label()
        edges = [(op.next, set[int]())]
        if code.loops:
            op.stop, op.again = code.loops[-1]
        if code.after >= 0:
            op.after = code.after
        edges.append((op.stop if op.stop >= 0 else op.next, set()))
        edges.append((op.again if op.again >= 0 else op.next, set()))
        if op.after >= 0:
            edges.append((op.after, set()))
        code.emit(op, Note(set(), edges, run))
        code.mark(op.next)

    def flat_one(self, s: Json, code: Code) -> None:
        if isinstance(s, list):
            self.flat(s, code)
            return
        first = len(code.ops)
        around = self.place
        if s.get("at") is not None:
            self.place = s["at"]
        self.flat_kind(s, code)
        self.place = around
        if id(s) in self.statement_numbers and s["op"] != "seq" and len(code.ops) > first:
            code.ops[first] = ops.tracked(code.ops[first], self.statement_numbers[id(s)])

    def flat_kind(self, s: Json, code: Code) -> None:
        op = s["op"]
        if op == "seq":
            self.flat(s, code)
        elif op == "if":
            self.flat_if(s, code)
        elif op == "foreach":
            self.flat_foreach(s, code)
        elif op == "repeat":
            self.flat_repeat(s, code)
        elif op == "menu":
            self.flat_menu(s, code)
        elif op == "choose":
            self.flat_choose(s, code)
        elif op == "poll":
            self.flat_poll(s, code)
        elif op == "do":
            self.flat_do(s, code)
        elif op == "call":
            self.flat_call(s, code)
        elif op == "program":
            self.flat_program(s, code)
        elif op == "leave":
            inside = code.scope.inside.get(s["proc"])
            if inside is not None and inside.code is code:
                if inside.found >= 0:
                    self.flush([{"op": "let", "slot": inside.found, "value": s.get("value") or ["int", -1]}], code)
                code.jump(inside.finish)
                return
            value = None if s.get("value") is None else self.expr(s["value"], code.scope)
            reads = set() if s.get("value") is None else free_slots(s["value"])
            within = code.after >= 0 and not self.quiet  # an event written into this code is left too: the log is told
            if self.fuse and code.scope.proc == s["proc"] and code.own_after < 0 and not within:
                code.emit(ops.block_op(blocks.Return(value), -1), Note(reads, []))
            else:
                code.emit(ops.LeaveOp(s["proc"], value), Note(reads, []))
        elif op == "pay":
            self.flat_pay(s, code)
        else:
            raise ArtefactError(f"unknown statement {op!r}")

    # -- branches and loops

    def flat_if(self, s: Json, code: Code) -> None:
        cond = self.weighed(s, self.expr(s["cond"], code.scope))
        if isinstance(cond, Const):
            self.flat(s["then"] if cond.n else s.get("else"), code)
            return
        branch = ops.BranchOp(cond)
        yes, no, end = code.label(), code.label(), code.label()
        branch.next, branch.other = yes, no
        code.emit(branch, Note(free_slots(s["cond"]), [(yes, set()), (no, set())]))
        code.mark(yes)
        self.flat(s["then"], code)
        if body_of(s.get("else")):
            code.jump(end)
            code.mark(no)
            self.flat(s["else"], code)
        else:
            code.mark(no)
        code.mark(end)

    def flat_foreach(self, s: Json, code: Code) -> None:
        hidden = code.scope.take(1)
        sel = self.sel(s["in"], code.scope)
        start: ops.LoopStart | ops.SeatsStart = ops.LoopStart(sel, hidden)
        step: ops.LoopNext | ops.SeatsNext = ops.LoopNext(s["slot"], hidden)
        if isinstance(sel, Seats) and self.fuse:
            start = ops.SeatsStart(sel, hidden)
            step = ops.SeatsNext(s["slot"], hidden, self.players)
        units = 2 + self.sizes.statement(s["body"])
        start.weight = units if isinstance(start, ops.LoopStart) else units * self.players
        start.place = self.place
        if isinstance(start, ops.LoopStart):
            code.scope.lists.append((hidden, s["in"]))
        head, body, end = code.label(), code.label(), code.label()
        start.next, step.next, step.exit = head, body, end
        code.emit(start, Note(free_slots(s["in"]), [(head, {hidden})]))
        code.mark(head)
        code.emit(step, Note({hidden}, [(body, {s["slot"]}), (end, set())]))
        code.mark(body)
        code.loops.append((end, head))
        self.flat(s["body"], code)
        code.loops.pop()
        code.jump(head)
        code.mark(end)

    def flat_repeat(self, s: Json, code: Code) -> None:
        head, body, end = code.label(), code.label(), code.label()
        hidden = -1
        if s.get("times") is not None:
            hidden = code.scope.take(1)
            start = ops.RepeatStart(self.expr(s["times"], code.scope), hidden)
            start.next = head
            code.emit(start, Note(free_slots(s["times"]), [(head, {hidden})]))
        parts = body_of(s["body"])
        units = STEP + self.sizes.statement(s["body"])
        code.mark(head)
        first = parts[0]["op"] if parts and isinstance(parts[0], dict) else ""
        if hidden >= 0 or not (first == "menu" or (first == "foreach" and self.waits(parts[0]))):
            step = ops.RepeatNext(hidden)
            step.next, step.exit = body, end
            step.weight, step.place = units, self.place
            code.emit(step, Note({hidden} if hidden >= 0 else set(), [(body, set()), (end, set())]))
        code.mark(body)
        code.loops.append((end, head))
        start_at = len(code.ops)
        self.flat(s["body"], code)
        code.loops.pop()
        code.jump(head)
        code.mark(end)
        # a round that starts with a question or with such a loop needs no head: that is charged with the round
        asking = ops.untracked(code.ops[start_at])
        if isinstance(asking, WaitOp | ops.LoopStart | ops.SeatsStart):
            asking.weight += units

    # -- decisions

    def entries(self, s: Json, code: Code) -> tuple[list[menus.Entry], set[int], list[set[int]]]:
        """The entries of a menu, the slots it reads, and the slots each entry binds."""
        found: list[menus.Entry] = []
        reads: set[int] = set()
        binds: list[set[int]] = []
        for row in s["entries"]:
            guard = None if row.get("guard") is None else self.expr(row["guard"], code.scope)
            if row.get("guard") is not None:
                reads |= free_slots(row["guard"])
            domains: list[menus.Domain] = []
            bound: set[int] = set()
            for domain in row.get("domains", []):
                reads |= free_slots(domain["in"]) - bound
                bound.add(domain["slot"])
                units = self.sizes.option(row["domains"], len(domains))
                domains.append(menus.Domain(domain["slot"], domain["sort"], self.sel(domain["in"], code.scope, units)))
            entry = menus.Entry(row["id"], guard, domains)
            entry.track = self.entry_numbers.get(id(row), -1)
            found.append(entry)
            binds.append(bound)
        return found, reads, binds

    def flat_menu(self, s: Json, code: Code) -> None:
        found, reads, binds = self.entries(s, code)
        reads |= free_slots(s["seat"])
        who = self.expr(s["seat"], code.scope)
        columns = self.tables.piece_columns
        self.menus.append((s, -1))
        source = len(self.menus) - 1
        menu: menus.MenuOp
        if len(found) == 1 and len(found[0].domains) == 1:
            domain = found[0].domains[0]
            plain = domain.sel.sel if isinstance(domain.sel, Charged) else domain.sel
            shared = isinstance(plain, InZone | fused.FixedZone | fused.HandOfSlot)
            menu = menus.MenuOne(who, s["label"], found, columns, source, domain.sort == "piece", shared)
        elif all(not entry.domains for entry in found):
            pair = sum(entry.guard is not None for entry in found) == 2
            menu = (menus.MenuPair if pair else menus.MenuPlain)(who, s["label"], found, columns, source)
        else:
            menu = menus.MenuOp(who, s["label"], found, columns, source)
        menu.might = self.might(s, code, reads)
        self.menu_bodies(s, code, menu, reads, binds)

    def might(self, s: Json, code: Code, reads: set[int]) -> Expr | None:
        """What all can see of whether a question has options, where that is not all."""
        if s.get("might") is None:
            return None
        reads |= free_slots(s["might"])
        return self.expr(s["might"], code.scope)

    def menu_bodies(self, s: Json, code: Code, menu: menus.MenuOp, reads: set[int], binds: list[set[int]]) -> None:
        menu.weight = self.sizes.asking(s)
        end = code.label()
        edges: list[tuple[int, set[int]]] = []
        for at, entry in enumerate(menu.entries):
            entry.body = code.label()
            edges.append((entry.body, binds[at]))
        menu.otherwise = code.label()
        edges.append((menu.otherwise, set()))
        code.emit(menu, Note(reads, edges))
        for at, entry in enumerate(menu.entries):
            code.mark(entry.body)
            self.flat(s["entries"][at].get("body"), code)
            code.jump(end)
        code.mark(menu.otherwise)
        self.flat(s.get("otherwise"), code)
        code.mark(end)

    def flat_choose(self, s: Json, code: Code) -> None:
        scope = code.scope
        start = ops.block_op(effects.Let(s["slot"], Const(0)), scope.extras)
        ask, end = code.label(), code.label()
        start.next = ask
        code.emit(start, Note(set(), [(ask, {s["slot"]})]))
        constraint = None if s.get("constraint") is None else self.expr(s["constraint"], scope)
        reads = {s["slot"]}
        op = menus.ChooseOp(
            self.expr(s["seat"], scope),
            s["label"],
            s["slot"],
            s["sort"],
            self.sel(s["in"], scope, OPTION),
            self.expr(s["low"], scope),
            self.expr(s["high"], scope),
            constraint,
            self.might(s, code, reads),
            self.tables.piece_columns,
            len(self.menus),
        )
        self.menus.append((s, -1))
        op.weight = self.sizes.asking(s)
        op.next = end
        for form in (s["seat"], s["in"], s["low"], s["high"], s.get("constraint")):
            if form is not None:
                reads |= free_slots(form)
        code.mark(ask)
        code.emit(op, Note(reads, [(end, set()), (ask, set())]))
        code.mark(end)

    def flat_poll(self, s: Json, code: Code) -> None:
        scope = code.scope
        hidden = scope.take(2 + self.players)
        menu = s["menu"]
        scope.polls.append((hidden, menu))
        start = menus.PollStart(self.expr(s["seats"], scope), hidden, self.players)
        ask, each, end = code.label(), code.label(), code.label()
        start.next = ask
        own = set(range(hidden, hidden + 2 + self.players))
        code.emit(start, Note(free_slots(s["seats"]), [(ask, own)]))
        found, reads, _ = self.entries(menu, code)
        self.menus.append((menu, -1))
        poll = menus.PollOp(
            menu.get("label", ""), found, self.tables.piece_columns, len(self.menus) - 1, s["slot"], hidden
        )
        poll.might = self.might(menu, code, reads)
        poll.next = each
        poll.weight = self.sizes.asking(s)
        labels = [code.label() for _ in found]
        other = code.label()
        for entry, label in zip(found, labels, strict=True):
            entry.body = label
        poll.otherwise = other
        code.mark(ask)
        code.emit(poll, Note((reads - {s["slot"]}) | own, [(each, set())]))
        code.mark(each)
        step = menus.PollNext(poll, hidden)
        step.exit = end
        edges = [(label, {s["slot"]} | {d.i for d in found[at].domains}) for at, label in enumerate(labels)]
        code.emit(step, Note(own - {hidden}, [*edges, (other, {s["slot"]}), (end, set())]))
        for at, label in enumerate(labels):
            code.mark(label)
            self.flat(menu["entries"][at].get("body"), code)
            code.jump(each)
        code.mark(other)
        self.flat(menu.get("otherwise"), code)
        code.jump(each)
        code.mark(end)

    # -- calls and events

    def flat_do(self, s: Json, code: Code) -> None:
        verb = s["verb"]
        if self.inlined(s) >= 0:
            self.flat_inline(s, verb, code)
            return
        if self.quiet and verb not in self.heard:
            args = self.exprs([s["you"], *s["args"]], code.scope)
            call = ops.CallOp(self.verb_unit(verb).index, args, s_slot(s, "result"), s_slot(s, "ok"))
            self.calling(call, s, [s["you"], *s["args"]], code)
            return
        unit = self.event_unit(verb)
        args = self.exprs([s["you"], *s["args"]], code.scope)
        routine = None
        if verb not in self.framed and not self.proc_waits(verb):
            routine = self.routine(verb, True)
        op = events.DoOp(unit, routine, args, code.scope.window, s_slot(s, "ok"), s_slot(s, "result"))
        op.weight = self.sizes.event(verb) if routine is None else routine.weight
        keys = self.heard.get(verb, -1)
        if keys >= 0:
            op.cannot, op.before, op.instead, op.after = keys, keys + 1, keys + 2, keys + 3
        self.calling(op, s, [s["you"], *s["args"]], code)

    def flat_call(self, s: Json, code: Code) -> None:
        if self.inlined(s) >= 0:
            self.flat_inline(s, s["proc"], code)
            return
        args = self.exprs([s["you"], *s["args"]], code.scope)
        op = ops.CallOp(self.call_unit(s["proc"]).index, args, s_slot(s, "result"), -1)
        self.calling(op, s, [s["you"], *s["args"]], code)

    def flat_program(self, s: Json, code: Code) -> None:
        found = self.programs.get(s["name"], [-1] * len(self.doc["definitions"]))
        units = [-1 if proc < 0 else self.call_unit(proc).index for proc in found]
        op = ops.ProgramOp(
            self.expr(s["piece"], code.scope), self.expr(s["you"], code.scope), units, s_slot(s, "result")
        )
        self.calling(op, s, [s["piece"], s["you"]], code)

    def calling(self, op: events.DoOp | ops.CallOp | ops.ProgramOp, s: Json, forms: list[Json], code: Code) -> None:
        """Write an operation that calls: its result slots are written when it comes back."""
        op.next = code.label()
        reads: set[int] = set()
        for form in forms:
            reads |= free_slots(form)
        kills = {s[name] for name in ("ok", "result") if s.get(name) is not None}
        code.emit(op, Note(reads, [(op.next, kills)]))
        code.mark(op.next)

    def flat_inline(self, s: Json, proc: int, code: Code) -> None:
        """Write the body of a called procedure here, in hidden slots."""
        around, self.place = self.place, self.place_in(proc)
        at = code.scope.take(self.doc["procs"][proc]["slots"] + 2)
        code.scope.windows.append((at, proc))
        if self.quiet:
            self.quiet_inline(s, proc, at, code)
        else:
            self.logged_inline(s, proc, at, code)
        self.place = around

    def logged_inline(self, s: Json, proc: int, at: int, code: Code) -> None:
        row = self.doc["procs"][proc]
        slots = row["slots"]
        found, since = at + slots, at + slots + 1
        forms = [s["you"], *s["args"]]
        args = self.exprs(forms, code.scope)
        logged = proc if s["op"] == "do" else -1
        start = ops.InlineStart(logged, args, at, [-1] * (slots + 1 - len(args)), since)
        begin, finish, end = code.label(), code.label(), code.label()
        start.next = begin
        reads: set[int] = set()
        for form in forms:
            reads |= free_slots(form)
        code.emit(start, Note(reads, [(begin, set(range(at, at + slots + 1)))]))
        code.mark(begin)
        kept = code.loops, code.after, code.extras
        code.loops, code.after, code.extras = [], finish, found - X_RESULT
        self.flat(shifted(row.get("body"), Shift(at, {}, self.copied)), code)
        code.loops, code.after, code.extras = kept
        code.mark(finish)
        op = ops.InlineEnd(logged, at, found, since, s_slot(s, "ok"), s_slot(s, "result"))
        op.next = end
        kills = {s[name] for name in ("ok", "result") if s.get(name) is not None}
        # the arguments stay for the log
        live = {found, *range(at, at + 1 + row["params"])}
        code.emit(op, Note(live, [(end, kills)]))
        code.mark(end)

    def quiet_inline(self, s: Json, proc: int, at: int, code: Code) -> None:
        """The same where no log is kept: arguments are read where they stand, and what is not read is not cleared."""
        row = self.doc["procs"][proc]
        body = row.get("body")
        forms = [s["you"], *s["args"]]
        instead, stored = self.in_place(forms, proc)
        lets = [{"op": "let", "slot": at + i, "value": forms[i]} for i in stored]
        stale = block_live(body, set(), set(), set(), set()) - set(range(len(forms)))
        lets += [{"op": "let", "slot": at + i, "value": ["int", -1]} for i in sorted(stale)]
        found = at + row["slots"]
        if s.get("result") is not None:
            lets.append({"op": "let", "slot": found, "value": ["int", -1]})
        self.flush(lets, code)
        finish = code.label()
        kept = code.loops, code.after, code.extras
        code.loops, code.after, code.extras = [], finish, found - X_RESULT
        code.scope.inside[proc] = Inside(at, instead, finish, found if s.get("result") is not None else -1, code)
        self.flat(shifted(body, Shift(at, instead, self.copied)), code)
        del code.scope.inside[proc]
        code.loops, code.after, code.extras = kept
        code.mark(finish)
        ends: list[Json] = []
        if s.get("ok") is not None:
            ends.append({"op": "let", "slot": s["ok"], "value": ["int", 1]})
        if s.get("result") is not None:
            ends.append({"op": "let", "slot": s["result"], "value": ["slot", found]})
        self.flush(ends, code)

    # -- costs

    def flat_pay(self, s: Json, code: Code) -> None:
        self.tables.pays = True
        pay, paid = trial.PayOp(), trial.PaidOp()
        start, then, other, end = code.label(), code.label(), code.label(), code.label()
        pay.next, pay.other, paid.next = start, other, then
        code.emit(pay, Note(set(), [(start, set()), (other, set())]))
        code.mark(start)
        first = len(code.ops)
        self.flat(s["cost"], code)
        code.paying.append((first, len(code.ops), len(code.ops)))
        pay.goal = len(code.ops)
        code.emit(paid, Note(set(), [(then, set())]))
        code.mark(then)
        self.flat(s["then"], code)
        if body_of(s.get("else")):
            code.jump(end)
            code.mark(other)
            self.flat(s["else"], code)
        else:
            code.mark(other)
        code.mark(end)

    def can(self, statement: Json, scope: Scope) -> Expr:
        if not self.waits(statement):
            return blocks.CanDirect(self.direct(statement, scope))
        unit = Unit(len(self.units), -1, "a cost")
        unit.place = self.place
        self.units.append(unit)
        self.scopes[unit.index] = scope
        unit.window = scope.window
        node = trial.Can(unit.index)
        code = Code(scope)
        self.flat(statement, code)
        node.goal = len(code.ops)
        paid = trial.PaidOp()
        paid.next = code.label()
        code.emit(paid, Note(set(), []))
        code.mark(paid.next)
        code.emit(ops.Finish(), Note(set(), []))
        code.link(unit, self.fuse)
        self.notes[unit.index] = code.notes
        return node

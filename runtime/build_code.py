"""Building, part two: statements -> blocks where nothing can wait, flat code elsewhere; units for calls, events, abilities."""

from __future__ import annotations

from typing import Any, Final

from grimoire.runtime import blocks, cells, effects, events, fused, known, menus, nodes, ops, trial
from grimoire.runtime.base import AGAIN, STOP, VARS, X_RESULT, Expr, Stmt, Tables, Unit
from grimoire.runtime.build_expr import ExprBuilder
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.flat import Code, Note
from grimoire.runtime.forms import Json, body_of, children, free_slots, never_negative, strip
from grimoire.runtime.inline import Shift, assigned, only_inlinable, shifted
from grimoire.runtime.live import block_live
from grimoire.runtime.nodes import Const
from grimoire.runtime.scope import Inside, Scope
from grimoire.runtime.selectors import InZone, Seats

SEEN: Final = {"zone": 0, "none": 1, "all": 2, "keep": 3}


class CodeBuilder(ExprBuilder):
    """Builds procedures."""

    def __init__(
        self, document: dict[str, Any], tables: Tables, players: int, options: dict[str, int], track: bool
    ) -> None:
        super().__init__(document, tables, players, options)
        self.track = track
        self.quiet = False  # no log will be written, nothing saved: for bulk play
        self.framed: set[int] = set()  # procedures that must have a frame of their own
        self.limited: set[int] = set()  # ... that limits count by
        self.lasting: set[int] = set()  # ... that floating effects last as long as
        self.bearers: set[int] = set()  # programs of definitions: slot 1 is the piece
        self.programs: dict[str, list[int]] = {}  # name -> procedure for each definition
        self.changed: set[tuple[int, int]] = set()  # procedure and slot that others write
        self.captures: dict[int, int] = {}  # procedure of an ability -> most values captured
        self.inline_sizes: dict[int, int] = {}
        self.callers: dict[int, int] = {}  # how many statements call a procedure
        self.called_by: dict[int, set[int]] = {}  # the procedures in which they stand
        self.refers: dict[int, set[int]] = {}  # ... that refer to its running frame (-1: something else does)
        self.abilities: set[int] = set()  # procedures of abilities
        self.recursive: set[int] = set()
        self.copies: list[Json] = []
        self.waiting: dict[int, bool] = {}
        self.call_units: dict[int, Unit] = {}
        self.verb_units: dict[int, Unit] = {}
        self.ability_units: dict[int, Unit] = {}
        self.routines: dict[tuple[int, bool], blocks.Routine] = {}
        self.notes: dict[int, list[Note]] = {}
        self.scopes: dict[int, Scope] = {}
        self.queue: list[tuple[Unit, Scope, Json]] = []
        self.outcomes: dict[str, int] = {"done": 0}
        self.menus: list[tuple[Json, int]] = []  # menu statements by number, with their unit
        self.statement_numbers: dict[int, int] = {}
        self.entry_numbers: dict[int, int] = {}

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
        if proc in self.recursive or not only_inlinable(body, True):
            return -1
        size = int(row["slots"]) + 2 + self.hidden_in(body)
        return size if size <= 100 else -1

    def inline_size(self, proc: int) -> int:
        row = self.doc["procs"][proc]
        body = row.get("body")
        if not self.fuse or proc in self.framed or proc in self.bearers or self.proc_waits(proc):
            return -1
        if not only_inlinable(body, False) or not block_live(body, set(), set(), set(), set()) <= set(
            range(row["params"] + 1)
        ):
            return -1
        return int(row["slots"]) + self.hidden_in(body)

    def unframe(self) -> None:
        """Where no log is kept: a procedure needs no frame if all that refers to it is written into it."""
        fixed = self.limited | self.lasting
        tried = {proc for proc in self.framed - fixed if -1 not in self.refers.get(proc, {-1})}
        while True:
            self.framed = (self.framed | fixed) - tried
            self.waiting.clear()
            self.inline_sizes.clear()
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
        unit = Unit(len(self.tables.units), proc, name)
        self.tables.units.append(unit)
        self.scopes[unit.index] = scope
        unit.window = scope.window
        unit.serial = scope.serial
        unit.until = proc in self.lasting
        if proc >= 0:
            row = self.doc["procs"][proc]
            place = row.get("at")
            if place is None:
                place = first_place(row.get("body"))
            unit.place = place
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
            at = scope.extras - 1 - self.doc["procs"][proc]["params"]
            unit.pad[at : at + 5] = [0, 0, 0, -1, 0]
            self.queue.append((unit, scope, self.doc["procs"][proc].get("body")))
        return unit

    def routine(self, proc: int, event: bool) -> blocks.Routine:
        """A procedure for direct calls; with ``event`` in the window of its event unit."""
        key = (proc, event)
        r = self.routines.get(key)
        if r is None:
            row = self.doc["procs"][proc]
            r = self.routines[key] = blocks.Routine(proc, row["id"])
            if event:
                scope = self.proc_scope(proc, True, False)
                r.window = self.event_unit(proc).window
            else:
                scope = self.proc_scope(proc, False, False)
                r.window = scope.window
            r.pad = [-1] * (r.window - 1 - row["params"])
            r.body = self.direct(row.get("body"), scope)
        return r

    def build_queue(self) -> None:
        """Write the code of all units asked for."""
        while self.queue:
            unit, scope, body = self.queue.pop(0)
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

    # -- flat code

    def flat(self, statement: Json, code: Code) -> None:
        """Write a statement: runs of parts that cannot wait become one block."""
        run: list[Json] = []
        parts = body_of(statement)
        if self.fuse and not self.track:
            parts = known.settled(parts, never_negative)
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
        self.flat_kind(s, code)
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
            if self.fuse and code.scope.proc == s["proc"] and code.own_after < 0:
                code.emit(ops.block_op(blocks.Return(value), -1), Note(reads, []))
            else:
                code.emit(ops.LeaveOp(s["proc"], value), Note(reads, []))
        elif op == "pay":
            self.flat_pay(s, code)
        else:
            raise ArtefactError(f"unknown statement {op!r}")

    def flat_if(self, s: Json, code: Code) -> None:
        cond = self.expr(s["cond"], code.scope)
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
        code.mark(head)
        first = parts[0]["op"] if parts and isinstance(parts[0], dict) else ""
        if hidden >= 0 or not (first == "menu" or (first == "foreach" and self.waits(parts[0]))):
            step = ops.RepeatNext(hidden)
            step.next, step.exit = body, end
            code.emit(step, Note({hidden} if hidden >= 0 else set(), [(body, set()), (end, set())]))
        code.mark(body)
        code.loops.append((end, head))
        self.flat(s["body"], code)
        code.loops.pop()
        code.jump(head)
        code.mark(end)

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
                domains.append(menus.Domain(domain["slot"], domain["sort"], self.sel(domain["in"], code.scope)))
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
            shared = isinstance(domain.sel, InZone | fused.FixedZone | fused.HandOfSlot)
            menu = menus.MenuOne(who, s["label"], found, columns, source, domain.sort == "piece", shared)
        elif all(not entry.domains for entry in found):
            pair = sum(entry.guard is not None for entry in found) == 2
            menu = (menus.MenuPair if pair else menus.MenuPlain)(who, s["label"], found, columns, source)
        else:
            menu = menus.MenuOp(who, s["label"], found, columns, source)
        self.menu_bodies(s, code, menu, reads, binds)

    def menu_bodies(self, s: Json, code: Code, menu: menus.MenuOp, reads: set[int], binds: list[set[int]]) -> None:
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
        op = menus.ChooseOp(
            self.expr(s["seat"], scope),
            s["label"],
            s["slot"],
            s["sort"],
            self.sel(s["in"], scope),
            self.expr(s["low"], scope),
            self.expr(s["high"], scope),
            constraint,
            self.tables.piece_columns,
            len(self.menus),
        )
        self.menus.append((s, -1))
        op.next = end
        reads = {s["slot"]}
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
        poll.next = each
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
        keys = self.heard.get(verb, -1)
        if keys >= 0:
            op.cannot, op.before, op.instead, op.after = keys, keys + 1, keys + 2, keys + 3
        self.calling(op, s, [s["you"], *s["args"]], code)

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
        row = self.doc["procs"][proc]
        slots = row["slots"]
        at = code.scope.take(slots + 2)
        if self.quiet:
            self.quiet_inline(s, proc, at, code)
            return
        found, since = at + slots, at + slots + 1
        forms = [s["you"], *s["args"]]
        args = self.exprs(forms, code.scope)
        start = ops.InlineStart(args, at, [-1] * (slots + 1 - len(args)), since)
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
        op = ops.InlineEnd(proc if s["op"] == "do" else -1, at, found, since, s_slot(s, "ok"), s_slot(s, "result"))
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
        unit = Unit(len(self.tables.units), -1, "a cost")
        self.tables.units.append(unit)
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

    # -- blocks

    def direct(self, statement: Json, scope: Scope) -> Stmt:
        """A statement that cannot wait."""
        return joined([self.direct_one(part, scope) for part in body_of(statement)])

    def direct_one(self, s: Json, scope: Scope) -> Stmt:
        stmt = self.direct_plain(s, scope) if isinstance(s, dict) else self.direct(s, scope)
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
            return blocks.Repeat(times, body)
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

    def inline(self, s: Json, proc: int, args: list[Expr], scope: Scope) -> Stmt:
        """A call written into its caller; arguments that are slots or numbers are read where they stand."""
        row = self.doc["procs"][proc]
        at = scope.take(row["slots"])
        instead, stored = self.in_place([s["you"], *s["args"]], proc)
        if self.quiet:
            scope.inside[proc] = Inside(at, instead, -1, -1, None)
        body = self.direct(shifted(row.get("body"), Shift(at, instead, self.copied)), scope)
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

    def each(self, s: Json, scope: Scope) -> Stmt:
        """A loop over a selector; what only fills columns, or moves each piece to one zone, has a node of its own."""
        i, sel, body = s["slot"], self.sel(s["in"], scope), self.direct(s["body"], scope)
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
            return effects.Grant(s["abilities"], s["modifiers"], s["until"], captures)
        if op == "end":
            outcome = self.outcomes.setdefault(s["outcome"], len(self.outcomes))
            return effects.End(outcome, self.expr(s["winners"], scope))
        raise ArtefactError(f"unknown statement {op!r}")

    def branch(self, s: Json, scope: Scope) -> Stmt:
        cond = self.expr(s["cond"], scope)
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
            if not bounded:
                return cells.SetCell(base, of.i, value)
        return effects.SetColBounded(base, of, value, low, high) if bounded else effects.SetCol(base, of, value)

    def move(self, s: Json, scope: Scope) -> Stmt:
        piece, to = self.expr(s["piece"], scope), self.expr(s["to"], scope)
        top, seen = s.get("where", "top") == "top", SEEN[s.get("seen", "zone")]
        if isinstance(piece, fused.TopOfFixed):
            return cells.MoveTop(piece.zone, to, top, seen)
        return effects.Move(piece, to, top, seen)


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


def first_place(statement: Json) -> int:
    """The first place that a statement or one inside it names, or -1."""
    if isinstance(statement, dict) and statement.get("at") is not None:
        return int(statement["at"])
    for child in children(statement):
        place = first_place(child)
        if place >= 0:
            return place
    return -1

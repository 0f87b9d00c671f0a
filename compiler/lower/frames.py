"""Lower the clause frame: who acts, whether they may, what it costs, and choices between clauses.

One frame for all wordings: a subject (who decides), a gate (may, a cost, require), a body. What can fail writes 0 into
the slot of the frame (`Scope.fail`), so that `if you do` and costs see what really happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from grimoire.compiler.lower.actions import Actions
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.beginnings import CanBegin, CanBeginWith, find_start, narrow_by_start
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.denotation import Denotation
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.forms import CURRENT, NOTHING, ONE, ZERO, both, list_statements, seq
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.phrases import Phrases
from grimoire.compiler.lower.scope import Order, Scope
from grimoire.compiler.lower.tidy import replace_slot
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.walk import walk

Make = Callable[[Scope], list[Statement]]


class Frames:
    """Modals, costs, either .. or, first able."""

    def __init__(
        self, context: Context, phrases: Phrases, nouns: Nouns, amounts: Amounts, actions: Actions, engine: EngineVerbs
    ) -> None:
        self.context = context
        self.phrases = phrases
        self.nouns = nouns
        self.amounts = amounts
        self.actions = actions
        self.engine = engine

    # ------------------------------------------------------------ who acts

    def subject_loop(self, subject: s.Full, may: bool, scope: Scope, make: Make) -> list[Statement]:
        """Somebody else acts: one after the other in turn order where there are several."""
        made = self.nouns.denote(subject, scope)
        if made.type.sort != "seat":
            raise self.context.problem("G0601", subject, f"a {made.type} cannot act", "players act; name a player")
        pre: list[Statement] = []
        if made.quant == "random" or (made.quant == "choose" and not may):
            pre, ref = self.actions.choice(made, "player", scope, False, subject)
            if ref.type.many:
                made = Denotation(ref.type, "all", mask=ref.expr, node=subject)
            else:
                made = Denotation(ref.type, "one", expr=ref.expr, node=subject)
        if made.quant == "none":
            raise self.context.problem(
                "G0607", subject, "nobody acts here", "say cannot in the slot always or for a duration"
            )
        inner = scope.inner()
        if made.quant == "one":
            return [*pre, *self.single_subject(self.nouns.one(made, subject).expr, inner, scope, make)]
        slot = scope.unit.slot()
        inner.they = inner.asks = ex.Slot(slot)
        if made.quant == "choose":
            return self.first_willing(made, slot, inner, scope, make)
        if scope.poll is not None and not scope.poll.used:
            scope.poll.used = True
            inner.poll = None
            return [*pre, *self.poll(made, slot, inner, make)]
        inner.loops += 1
        body = make(inner)
        self.context.above.close(inner)
        body = [*inner.resets, *body]
        if inner.did >= 0 and inner.did != scope.did:
            # behind the round, "if they do" asks whether anybody did
            some = scope.unit.slot()
            pre.append(st.Let(some, ZERO))
            known: Statement = st.Let(some, ONE)
            body.append(st.If(ex.Comparison("==", ex.Slot(inner.did), ONE), known))
            body.insert(0, st.Let(inner.did, ZERO))
            scope.did = some
        whole = seq(body)
        sel = made.selector()
        # the condition is looked at when the turn comes, not when the loop starts
        if isinstance(sel, se.Filter):
            whole = st.If(replace_slot(sel.condition, sel.element, ex.Slot(slot)), whole)
            sel = sel.selector
        return [*pre, st.ForEach(slot, sel, whole)]

    def single_subject(self, who: Expression, inner: Scope, scope: Scope, make: Make) -> list[Statement]:
        sure = (
            isinstance(who, (ex.Number, ex.NextSeat))
            or (isinstance(who, ex.Slot) and who.slot not in scope.unit.chosen)
            or who == ex.ReadVariable(CURRENT)
        )
        pre: list[Statement] = []
        if not isinstance(who, (ex.Slot, ex.Number, ex.ReadVariable)):
            slot = scope.unit.slot()
            pre.append(st.Let(slot, who))
            who = ex.Slot(slot)
        inner.they = inner.asks = who
        body = make(inner)
        body = [*inner.resets, *body]
        inner.resets.clear()
        inner.leave()
        if sure:
            return [*pre, *body]
        absent = seq(self.actions.impossible(scope))
        return [*pre, st.If(ex.Comparison("!=", who, NOTHING), seq(body), absent)]

    def first_willing(self, made: Denotation, slot: int, inner: Scope, scope: Scope, make: Make) -> list[Statement]:
        """`any player may ..`: asked in turn order until one does."""
        if made.low != ONE or made.high != ONE:
            raise self.context.problem(
                "G0607", made.node, "one player may do it", "any player may .., or each player may .."
            )
        inner.loops += 1
        inner.did = -1
        body = make(inner)
        body = [*inner.resets, *body]
        inner.resets.clear()
        stop: Statement = st.If(ex.Comparison("==", ex.Slot(inner.did), ONE), st.Stop())
        inner.leave()
        return [st.ForEach(slot, made.selector(), seq([*body, stop]))]

    def poll(self, made: Denotation, slot: int, inner: Scope, make: Make) -> list[Statement]:
        """At the same time: every seat answers one menu, in any order; then the answers are carried out in turn
        order."""
        body = seq([*make(inner)])
        self.context.above.close(inner)
        parts = [*inner.resets, *(body.body if isinstance(body, st.Sequence) else [body])]
        first = next((i for i, part in enumerate(parts) if not isinstance(part, st.Let)), None)
        menu = None if first is None else parts[first]
        if first is None or not isinstance(menu, st.Menu):
            raise self.context.problem(
                "G0607",
                made.node,
                "at the same time each player starts with one choice",
                "each player must choose a .. as NAME, and more lines below it",
            )
        rest = parts[first + 1 :]
        entries = tuple(replace(entry, body=seq([*list_statements(entry.body), *rest])) for entry in menu.entries)
        otherwise = seq([*list_statements(menu.otherwise), *rest])
        asked = replace(menu, seat=ex.Slot(slot), entries=entries, otherwise=otherwise)
        return [*parts[:first], st.Poll(made.as_mask(), slot, asked)]

    # ------------------------------------------------------------ may

    def act(self, node: s.Act, scope: Scope) -> list[Statement]:
        return self.acts([node], scope)

    def acts(self, nodes: list[s.Act], scope: Scope) -> list[Statement]:
        """One clause, or several joined by `and` under one subject and modal."""
        lead = nodes[0]
        may = lead.modal is not None and lead.modal.type == "MAY"

        def perform(inner: Scope) -> list[Statement]:
            return [part for node in nodes for part in self.engine.perform(node.action, inner)]

        def make(inner: Scope) -> list[Statement]:
            if may:
                return self.optional(lambda deep: (perform(deep), None), str(lead.action.verb), inner)
            return self.note_success(perform, lead.action, inner)

        if lead.subject is not None:
            return self.subject_loop(lead.subject, may, scope, make)
        if lead.modal is not None and not may:
            raise self.context.problem(
                "G0607", lead.modal, '"must" needs somebody', "the leader must .., each player must .."
            )
        return make(scope)

    def note_success(self, perform: Make, action: s.Action, scope: Scope) -> list[Statement]:
        """A plain clause; where the text asks `if you do`, it notes whether it was carried out."""
        text = self.context.text.text if self.context.text is not None else ""
        if str(action.verb) == "choose" or ("you do" not in text and "they do" not in text):
            return perform(scope)
        did = scope.unit.slot()
        fail, scope.fail = scope.fail, did
        try:
            body = perform(scope)
        finally:
            scope.fail = fail
        scope.did = did
        if fail >= 0:
            note: Statement = st.Let(fail, ZERO)
            body.append(st.If(ex.Comparison("!=", ex.Slot(did), ONE), note))
        return [st.Let(did, ONE), *body]

    def modal_block(self, gate: s.Gate, body: s.Statement, scope: Scope) -> list[Statement]:
        may = gate.word.type == "MAY"

        def build(deep: Scope) -> tuple[list[Statement], Statement | None]:
            lines = self.context.above.branch_lines(body, deep)
            return lines, next((part for part in lines if not isinstance(part, st.Let)), None)

        def make(inner: Scope) -> list[Statement]:
            if not may:
                return self.context.above.branch_lines(body, inner)
            tests, rest = self.guards(body, inner)
            if not tests:
                return self.optional(build, "accept", inner)

            def build_rest(deep: Scope) -> tuple[list[Statement], Statement | None]:
                lines = self.context.above.branch_lines(rest, deep)
                return lines, next((part for part in lines if not isinstance(part, st.Let)), None)

            return self.optional(build_rest, "accept", inner, both(tests))

        if gate.noun is not None:
            return self.subject_loop(gate.noun, may, scope, make)
        if not may:
            raise self.context.problem(
                "G0607", gate.word, '"must" needs somebody', "the leader must: .., each player must: .."
            )
        return make(scope)

    def optional(
        self,
        build: Callable[[Scope], tuple[list[Statement], Statement | None]],
        label: str,
        scope: Scope,
        guard: Expression | None = None,
    ) -> list[Statement]:
        """`may`: one menu, with the choice inside it where the clause starts with one, and `decline`.

        It is offered when it can begin. `if you do` asks whether it was done in full: as far as can be known before it,
        of a block its first clause (`head`). In version 1 only what can be done in full is offered.
        """
        did = scope.unit.slot()
        inner = scope.inner()
        inner.fail, inner.did = did, -1
        body, head = build(inner)
        body = [*inner.resets, *body]
        inner.resets.clear()
        inner.did = did
        inner.leave()
        begins = self.context.version() >= 2
        lead = next((i for i, part in enumerate(body) if not isinstance(part, st.Let)), 0)
        choice = find_plain_choice(body[lead]) if body else None
        made: list[Statement]
        done: Statement = st.Let(did, ONE)
        if choice is not None:
            rest = body[lead + 1 :]
            if begins:
                done = self.note_whether_whole(seq(rest), did) if head is None else done
                start = self.startable(st.Sequence(tuple(rest)), True)
                if start is not None:
                    domain = narrow_by_start(choice.entries[0].domains[0], start)
                    choice = replace(choice, entries=(replace(choice.entries[0], domains=(domain,)),))
            menu = self.menu_with_decline(choice, rest, [done, *rest], head is None and not begins)
            made = [*body[:lead], menu]
        elif begins:
            done = self.note_whether_whole(seq(body) if head is None else head, did)
            taken = st.Entry(label, None, (), seq([done, *body]))
            menu = st.Menu(self.context.actor(scope), label, (taken, st.Entry("decline", None, (), None)))
            start = self.startable(seq(body), True)
            made = [menu] if start is None else [st.If(start, menu)]
        else:
            menu = st.Menu(
                self.context.actor(scope),
                label,
                (st.Entry(label, None, (), seq([done, *body])), st.Entry("decline", None, (), None)),
            )
            whole = seq(body) if head is None else head
            made = [st.If(ex.CanCarryOut(whole), menu)] if self.can_fail(whole) else [menu]
        if guard is not None:
            made = [st.If(guard, seq(made))]
        return [st.Let(did, ZERO), *made]

    def note_whether_whole(self, stmt: Statement, did: int) -> Statement:
        """What `if you do` reads, unless something fails later: whether it can be done in full.

        A text that was resolved has been done, whatever came of it.
        """
        if self.can_fail(stmt) and not leaves(stmt) and not isinstance(stmt, st.RunProgram):
            return st.Let(did, ex.CanCarryOut(stmt))
        return st.Let(did, ONE)

    def menu_with_decline(self, menu: st.Menu, rest: list[Statement], body: list[Statement], whole: bool) -> st.Menu:
        """A choice that may be declined; only what lets the rest be carried out is offered."""
        entry = menu.entries[0]
        domain = entry.domains[0]
        following = seq(rest)
        if whole and rest and self.can_fail(following):
            domain = replace(domain, in_=se.Filter(domain.in_, domain.slot, ex.CanCarryOut(following)))
        accepted = replace(entry, domains=(domain, *entry.domains[1:]), body=seq(body))
        declined = st.Entry("decline", ex.AnyOf(domain.in_), (), None)
        return replace(menu, entries=(accepted, declined), otherwise=None)

    def can_fail(self, stmt: Statement | None) -> bool:
        """Whether a statement may turn out impossible to carry out in full."""
        match stmt:
            case st.Menu():
                return not any(entry.id == "decline" for entry in stmt.entries)
            case (
                st.Choose() | st.Propose() | st.Pay() | st.Move() | st.SetVariable() | st.SetColumn() | st.RunProgram()
            ):
                return True
            case st.Sequence():
                return any(self.can_fail(part) for part in stmt.body)
            case st.If():
                return self.can_fail(stmt.then) or self.can_fail(stmt.else_)
            case st.ForEach() | st.Repeat():
                return self.can_fail(stmt.body)
        return False

    # ------------------------------------------------------------ costs

    @staticmethod
    def lead(cost: s.Statement) -> tuple[s.Full | None, bool, s.Statement]:
        """Who pays, whether they may, and the cost without these."""
        if isinstance(cost, s.Act):
            may = cost.modal is not None and cost.modal.type == "MAY"
            return cost.subject, may, s.Act(None, None, cost.action)
        if isinstance(cost, s.Together) and isinstance(cost.parts[0], s.Act):
            first = cost.parts[0]
            may = first.modal is not None and first.modal.type == "MAY"
            bare = [s.Act(None, None, p.action) if isinstance(p, s.Act) else p for p in cost.parts]
            return first.subject, may, s.Together(tuple(bare))
        return None, False, cost

    def pay(self, cost: s.Statement, rest: Callable[[Scope], Statement], scope: Scope) -> list[Statement]:
        """`A to B`: A is checked in full, paid, and only then B."""
        subject, may, plain = self.lead(cost)

        def make(inner: Scope) -> list[Statement]:
            return self.lower_cost(cost, plain, may, rest, inner)

        if subject is not None:
            return self.subject_loop(subject, may, scope, make)
        return make(scope)

    def lower_cost(
        self, cost: s.Statement, plain: s.Statement, may: bool, rest: Callable[[Scope], Statement], scope: Scope
    ) -> list[Statement]:
        did = scope.unit.slot()
        inner = scope.inner()
        inner.fail = did
        first = self.context.above.statement(plain, inner)
        paid = [*inner.resets, *list_statements(first)]
        inner.resets.clear()
        inner.fail, inner.did = scope.fail, -1
        after = rest(inner)
        after = seq([*inner.resets, after])
        inner.resets.clear()
        inner.did = did
        inner.leave()
        done: Statement = st.Let(did, ONE)
        reset: Statement = st.Let(did, ZERO)
        then: Statement = st.If(ex.Comparison("==", ex.Slot(did), ONE), after)
        if not self.can_note_failure(seq(paid), did):
            then = after
        if not may:
            unpaid = seq(self.actions.impossible(scope))
            return [reset, st.Pay(seq([done, *paid]), then, unpaid)]
        lead = next((i for i, part in enumerate(paid) if not isinstance(part, st.Let)), 0)
        choice = find_plain_choice(paid[lead]) if paid else None
        if choice is not None:
            remaining = paid[lead + 1 :]
            body: list[Statement] = [done, st.Pay(seq(remaining), then)] if remaining else [done, then]
            return [reset, *paid[:lead], self.menu_with_decline(choice, remaining, body, True)]
        label = first_verb(cost)
        accepted = st.Pay(seq([done, *paid]), then)
        menu: Statement = st.Menu(
            self.context.actor(scope), label, (st.Entry(label, None, (), accepted), st.Entry("decline", None, (), None))
        )
        return [reset, st.If(ex.CanCarryOut(seq(paid)), menu)]

    @staticmethod
    def can_note_failure(stmt: Statement, slot: int) -> bool:
        """Whether something in a cost can note that it was not paid after all."""
        return any(isinstance(part, st.Let) and part.slot == slot for part in walk(stmt))

    # ------------------------------------------------------------ choices between clauses

    def guards(self, body: s.Statement, scope: Scope) -> tuple[list[Expression], s.Statement]:
        """The `require` lines at the head of an option, and the rest of it."""
        tests: list[Expression] = []
        if not isinstance(body, s.Block):
            return tests, body
        lines = list(body.statements)
        while lines and isinstance(lines[0].statement, s.Require):
            tests.append(self.amounts.condition(lines[0].statement.condition, scope))
            lines.pop(0)
        if not lines:
            raise self.context.problem("G0602", body, "nothing follows the require", "say what is done when it holds")
        return tests, s.Block(tuple(lines))

    def either_blocks(self, group: list[s.Line], scope: Scope) -> Statement:
        options: list[tuple[object, list[Expression], Make]] = []
        for line in group:
            gated = line.statement
            assert isinstance(gated, s.Gated)
            tests, rest = self.guards(gated.body, scope)

            def make(inner: Scope, body: s.Statement = rest, line: s.Line = line) -> list[Statement]:
                lowered = seq(self.context.above.branch_lines(body, inner))
                return [self.context.above.tag_clauses(lowered, line) if line is not group[0] else lowered]

            options.append((rest, tests, make))
        head = gate_of(group[0])
        assert head is not None
        if len(options) < 2:
            raise self.context.problem(
                "G0407", head.word, "either has no or", "add or: and a block, or leave either out"
            )
        return self.menu_of(options, head.word, scope)

    def either(self, node: s.Either, scope: Scope) -> Statement:
        options: list[tuple[object, list[Expression], Make]] = []
        for option in node.options:

            def make(inner: Scope, action: s.Action = option) -> list[Statement]:
                return self.act(s.Act(None, None, action), inner)

            options.append((option, [], make))
        return self.menu_of(options, node.word, scope)

    def menu_of(self, options: list[tuple[object, list[Expression], Make]], word: Token, scope: Scope) -> Statement:
        entries: list[st.Entry] = []
        seen: dict[str, int] = {}
        for node, tests, make in options:
            label = option_word(node) or "or"
            seen[label] = seen.get(label, 0) + 1
            key = label if seen[label] == 1 else f"{label}-{seen[label]}"
            inner = scope.inner()
            body = seq([*make(inner)])
            body = seq([*inner.resets, body])
            inner.resets.clear()
            inner.leave()
            start = self.startable(body)
            guard = both([*tests, *([start] if start is not None else [])])
            entries.append(st.Entry(key, None if guard == ONE else guard, (), body))
        otherwise = None
        if entries and all(entry.guard is not None for entry in entries):
            otherwise = seq(self.actions.impossible(scope))
        return st.Menu(self.context.actor(scope), "either", tuple(entries), otherwise, at=self.context.place(word))

    def startable(self, stmt: Statement | None, may: bool = False) -> Expression | None:
        """The guard of an option: what must hold for its first step to be possible.

        A text that is there can always be chosen; who `may` resolve one is asked only where it can begin.
        """
        if self.context.version() < 2:
            return self.startable_before(stmt)
        return find_start(stmt, lambda step, alone: self.start_elsewhere(step, alone, may))

    def start_elsewhere(self, stmt: Statement, alone: bool, may: bool) -> Expression | None:
        """What an event, a call or a text needs to begin: what is known of it here, and what its own text says."""
        if isinstance(stmt, st.Call) and stmt.proc in self.context.programs_of_this.values() and stmt.you == ex.Slot(0):
            return self.startable(self.context.out.procs[stmt.proc - self.context.out.first_proc].body, may)
        tests: list[Expression] = []
        if id(stmt) in self.context.absent:
            tests.append(ex.Comparison(">", self.phrases.texts_of(self.context.absent[id(stmt)][1]), ZERO))
        if isinstance(stmt, st.Propose):
            stmt = replace(stmt, at=None, ok=None, result=None)
            if stmt.verb in self.context.vocabulary.forbidden:
                tests.append(ex.IsAllowed(stmt.verb, stmt.you, stmt.args))
        if may or not isinstance(stmt, st.RunProgram):
            tests.append(CanBegin(stmt) if alone else CanBeginWith(stmt))
        return both(tests) if tests else None

    def startable_before(self, stmt: Statement | None) -> Expression | None:
        """The same as version 1 of the language has it: what a verb or a text needs by itself is not asked."""
        if id(stmt) in self.context.absent:
            return ex.Comparison(">", self.phrases.texts_of(self.context.absent[id(stmt)][1]), ZERO)
        match stmt:
            case st.Sequence():
                first = next((part for part in stmt.body if not isinstance(part, (st.Let, st.Cancel))), None)
                return self.startable_before(first) if first is not None else None
            case st.If() if id(stmt) in self.context.restricted:
                inner = self.startable_before(stmt.then)
                return stmt.cond if inner is None else both([stmt.cond, inner])
            case st.If(ex.Comparison("!="), _, else_) if else_ is not None:
                return stmt.cond  # the object of a verb that may be missing
            case st.Pay():
                return ex.CanCarryOut(stmt.cost)
            case st.Menu() if find_plain_choice(stmt) is not None:
                return ex.AnyOf(stmt.entries[0].domains[0].in_)
            case st.Choose():
                if stmt.constraint is not None:
                    return ex.CanCarryOut(stmt)
                return None if stmt.low == ZERO else ex.Comparison(">=", ex.CountOf(stmt.in_), stmt.low)
            case st.Move() if not isinstance(stmt.piece, ex.Slot):
                return ex.Comparison("!=", stmt.piece, NOTHING)
            case st.Call() if stmt.proc in self.context.programs_of_this.values() and stmt.you == ex.Slot(0):
                return self.startable_before(self.context.out.procs[stmt.proc - self.context.out.first_proc].body)
            case st.Propose() if stmt.verb in self.context.vocabulary.forbidden:
                return ex.IsAllowed(stmt.verb, stmt.you, stmt.args)
        return None

    def first_able(self, body: s.Statement, word: Token, scope: Scope) -> Statement:
        """The first line that can be carried out in full."""
        if not isinstance(body, s.Block):
            raise self.context.problem(
                "G0607", body, "first able: opens a block", "one possibility a line, indented below it"
            )
        done = scope.unit.slot()
        made: list[Statement] = [st.Let(done, ZERO)]
        for i, group in enumerate(groups(list(body.statements))):
            line, inner = group[0], scope.inner()
            if len(group) > 1:
                lowered = self.context.above.group(group, inner)
                lowered = seq([*inner.resets, lowered])
                self.context.above.close(inner)
                made.append(self.attempt(lowered, done, [], i == 0))
                continue
            statement = line.statement
            tests: list[Expression] = []
            while (
                isinstance(statement, s.Gated) and statement.gate.kind == "if" and statement.gate.condition is not None
            ):
                tests.append(self.amounts.condition(statement.gate.condition, scope))
                statement = statement.body
            more, statement = self.guards(statement, scope)
            tests += more
            lowered = seq(self.context.above.branch_lines(statement, inner))
            self.context.above.close(inner)
            made.append(self.context.above.tag_clauses(self.attempt(lowered, done, tests, i == 0), line))
        last: Statement = st.If(ex.Comparison("==", ex.Slot(done), ZERO), seq(self.actions.impossible(scope)))
        return seq([*made, last])

    def attempt(self, lowered: Statement, done: int, tests: list[Expression], first: bool) -> Statement:
        """One possibility: tried in full, unless an earlier one was taken."""
        taken: Statement = st.Let(done, ONE)
        made: Statement = st.Pay(lowered, taken)
        if leaves(lowered):
            made = st.If(ex.CanCarryOut(lowered), seq([taken, lowered]))
        cond = both([*([] if first else [ex.Comparison("==", ex.Slot(done), ZERO)]), *tests])
        return made if cond == ONE else st.If(cond, made)

    def report_unused_order(self, order: Order, node: object, word: str, hint: str) -> None:
        """Complain about a gate that nobody below it has used."""
        if not order.used:
            raise self.context.problem("G0607", node, f'"{word}" changes nothing here', hint)


def leaves(stmt: Statement) -> bool:
    """Whether a statement may jump out of where it stands."""
    return any(isinstance(part, (st.Stop, st.Again, st.Leave, st.Return)) for part in walk(stmt))


def gate_of(line: s.Line) -> s.Gate | None:
    return line.statement.gate if isinstance(line.statement, s.Gated) else None


def groups(lines: list[s.Line]) -> list[list[s.Line]]:
    """Lines that belong together: a condition with its otherwise, either with its or, a choice with its require."""
    found: list[list[s.Line]] = []
    for line in lines:
        gate = gate_of(line)
        kind = gate.kind if gate is not None else None
        head = gate_of(found[-1][0]) if found else None
        follows = False
        if found and head is not None and head.kind in ("if", "on", "otherwise_if"):
            follows = kind in ("otherwise", "otherwise_if")
        elif found and head is not None and head.kind == "either":
            follows = kind == "or"
        elif found and head is None:
            follows = isinstance(line.statement, s.Require) and not isinstance(found[-1][0].statement, s.Require)
        if follows:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def first_verb(node: object) -> str:
    """The verb that names an option."""
    if isinstance(node, s.Action):
        return str(node.verb)
    if isinstance(node, s.Act):
        return str(node.action.verb)
    if isinstance(node, tuple):
        for part in node:
            found = first_verb(part)
            if found:
                return found
    return ""


def option_word(node: object) -> str:
    """What an option between clauses is called: its verb; where a text is resolved, which one."""
    action = next((part for part in _actions(node)), None)
    if action is not None and str(action.verb) == "resolve" and action.object is not None:
        item = action.object.items[0]
        if isinstance(item, (s.Noun, s.Owned)):
            return f"resolve-{item.words[-1]}"
    return first_verb(node)


def _actions(node: object) -> Iterator[s.Action]:
    if isinstance(node, s.Action):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _actions(part)


def find_plain_choice(stmt: Statement) -> st.Menu | None:
    """The menu, where a statement is the plain choice of one thing."""
    plain = isinstance(stmt, st.Menu) and len(stmt.entries) == 1 and stmt.entries[0].body is None
    return stmt if plain and isinstance(stmt, st.Menu) else None

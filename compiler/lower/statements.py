"""Lower statements to core statements: blocks, sequences, gates and loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from grimoire.compiler.declare.model import Type
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.assignments import Assignments
from grimoire.compiler.lower.context import Context, Unresolved
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.forms import NOTHING, both, seq
from grimoire.compiler.lower.frames import Frames, gate_of, groups
from grimoire.compiler.lower.least_work import LeastWork
from grimoire.compiler.lower.most_work import MostWork
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.repeating import check_end, check_ends, check_times, repeat_until
from grimoire.compiler.lower.scope import Order, Ref, Scope
from grimoire.compiler.lower.tidy import EMPTY, too_large
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_part
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.walk import rewrite
from grimoire.runtime.limits import MAX_FLOATS, MAX_WORK

MOST = 999_999_999  # numbers go up to this


class Statements:
    """Statements and blocks."""

    def __init__(
        self,
        context: Context,
        nouns: Nouns,
        amounts: Amounts,
        engine: EngineVerbs,
        assignments: Assignments,
        frames: Frames,
    ) -> None:
        self.context = context
        self.nouns = nouns
        self.amounts = amounts
        self.engine = engine
        self.assignments = assignments
        self.frames = frames

    # ------------------------------------------------------------ blocks

    def block(self, block: s.Block, scope: Scope) -> Statement:
        """A whole text in its own scope; what cannot be lowered is reported and left out, the rest goes on."""
        inner = scope.inner()
        body = self.lines(list(block.statements), inner)
        self.close(inner)
        return seq(body)

    def branch(self, node: s.Statement, scope: Scope) -> Statement:
        """A body that may be left out: its names are empty behind it unless it was carried out."""
        inner = scope.inner()
        made = seq(self.branch_lines(node, inner))
        inner.leave()
        return made

    def loop(self, node: s.Statement, inner: Scope) -> Statement:
        """A body that is repeated, in a scope of its own: its names end with it."""
        made = seq(self.branch_lines(node, inner))
        self.close(inner)
        return made

    def branch_lines(self, node: s.Statement, scope: Scope) -> list[Statement]:
        """The statements of a block, or of the rest of a line, in the scope given."""
        if isinstance(node, s.Block):
            return self.lines(list(node.statements), scope)
        made = self.statement(node, scope)
        return [*self.drain(scope), made]

    @staticmethod
    def drain(scope: Scope) -> list[Statement]:
        resets = list(scope.resets)
        scope.resets.clear()
        return resets

    def check_size(self, made: Statement, node: object) -> Statement:
        """A whole effect, or nothing and a diagnostic where it is too large to be played."""
        if not too_large(made):
            self.check_work(made, node)
            return made
        self.context.problem(
            "G0405", node, "this effect is nested too deep or grows too large", "declare a verb for a part of it"
        )
        return EMPTY

    def check_work(self, made: Statement, node: object) -> None:
        """That the loops of a text, by the sizes that are known, do not take more than a decision has."""
        verb = self.context.unit.verb
        if verb is not None and verb.only is None and verb.index not in self.context.vocabulary.stoppable:
            if LeastWork({}, frozenset()).count(made) > MAX_WORK:
                return  # that it always does is an error, and is told
        steps = MostWork(self.context).count(made)
        if steps > MAX_WORK:
            message = f"this may take {steps:,} steps, and no decision has more than {MAX_WORK:,}"
            hint = "loops in loops multiply: name first what is gone through, or go through fewer"
            self.context.warn("G0724", node, message, hint)
            return
        effects = MostWork(self.context).count_granted(made)
        if effects > MAX_FLOATS:
            message = f"this may put {effects:,} effects in force, and there are never more than {MAX_FLOATS:,}"
            self.context.warn("G0724", node, message, "put one in force that counts for all of them")

    def close(self, scope: Scope) -> None:
        for name in scope.names.values():
            if not name.used and name.token is not None:
                self.context.problem(
                    "G0701", name.token, f'"{name.word}" is named and never used', f"leave out as {name.word}"
                )

    def lines(self, lines: list[s.Line], scope: Scope) -> list[Statement]:
        body: list[Statement] = []
        answered: list[tuple[Ref, s.Gate]] = []
        for group in groups(lines):
            gate, result = gate_of(group[0]), scope.outcome
            try:
                made = self.group(group, scope)
                if gate is not None and gate.kind == "on" and result is not None:
                    self.apart(gate, [other for ref, other in answered if ref is result], scope)
                    if not _leaves(group[0].statement):
                        answered.append((result, gate))
            except Unresolved:
                scope.resets.clear()
                scope.forgive()
                self.context.lost.update((id(self.context.text), word) for line in group for word in names_of(line))
                continue
            body.extend(self.drain(scope))
            body.append(made)
        return body

    def apart(self, gate: s.Gate, others: list[s.Gate], scope: Scope) -> None:
        """Two lines that ask for one result should not both be carried out for the same one."""
        told = [outcome for other in others for outcome in other.outcomes]
        for outcome in gate.outcomes:
            low, high = self.results(outcome, scope)
            for other in told:
                first, last = self.results(other, scope)
                if low <= last and first <= high:
                    self.context.problem(
                        "G0710",
                        outcome,
                        f'"{print_part(other)}" and "{print_part(outcome)}" are both carried out for one result',
                        "make them apart; the rest is said by otherwise",
                    )
                    return
            told.append(outcome)

    def results(self, outcome: s.Outcome, scope: Scope) -> tuple[int, int]:
        """The results that an outcome stands for, from the lowest to the highest; none for a name that is no fixed
        value."""
        low, _, high = str(outcome.token).partition("-")
        match outcome.form:
            case "name":
                value = self.nouns.bare(outcome.token, scope).expr
                return (value.value, value.value) if isinstance(value, ex.Number) else (1, 0)
            case "at_least":
                return int(low), MOST
            case "at_most":
                return -MOST, int(low)
        return int(low), int(high or low)

    def group(self, group: list[s.Line], scope: Scope) -> Statement:
        line = group[0]
        head = gate_of(line)
        if head is not None and head.kind in ("otherwise", "otherwise_if", "or"):
            wanted = "if or on" if head.kind != "or" else "either"
            raise self.context.problem(
                "G0407",
                head.word,
                f'"{head.word}" stands behind nothing',
                f"it follows a line that starts with {wanted}",
            )
        if head is not None and head.kind == "either":
            return self.tag_clauses(self.frames.either_blocks(group, scope), line)
        if len(group) > 1 and isinstance(group[1].statement, s.Require):
            return self.lower_constrained(group, scope)
        made = self.statement(line.statement, scope)
        if len(group) > 1:
            # the whole chain hangs on the first condition: its clause is that of the first branch
            return self.otherwise(made, line, group[1:], scope)
        return self.tag_clauses(made, line)

    def tag_clauses(self, made: Statement, line: s.Line) -> Statement:
        if line.clause is None:
            return made
        for clause in self.clause_ids(line.clause):
            if made.clause is not None:
                made = st.Sequence((made,))
            plain, made = made, replace(made, clause=clause)
            self.keep_marks(plain, made)
        return made

    def keep_marks(self, old: Statement, new: Statement) -> None:
        """What is known of a statement is known of the one that takes its place."""
        if id(old) in self.context.restricted:
            self.context.restricted[id(new)] = new
        if id(old) in self.context.absent:
            self.context.absent[id(new)] = (new, self.context.absent[id(old)][1])

    def clause_ids(self, token: Token | None) -> tuple[str, ...]:
        """The clauses that a mark names: `§turn.4`, or several that say the same, `§turn.4,draw.1`."""
        found: list[str] = []
        clauses = self.context.model.clauses
        if token is None:
            return ()
        for wanted in str(token)[1:].split(","):
            if wanted not in clauses:
                alike = [c for c in clauses if c.split(".", 1)[-1] == wanted]
                if len(alike) != 1:
                    word = Token.new_borrow_pos("CLAUSE", f"§{wanted}", token)
                    self.context.unknown(
                        "G0801", "clause", word, [f"§{c}" for c in clauses], "clauses stand under rules"
                    )
                    continue
                wanted = alike[0]
            found.append(wanted)
        return tuple(found)

    def otherwise(self, made: Statement, line: s.Line, rest: list[s.Line], scope: Scope) -> Statement:
        """Chain `otherwise` lines to the conditional they follow."""
        if not isinstance(made, st.If) or made.else_ is not None:
            raise self.context.problem(
                "G0407", rest[0].statement, '"otherwise" stands behind nothing that can fail', "it follows if or on"
            )
        branches: list[tuple[st.If, s.Line]] = [(made, line)]
        last: Statement | None = None
        for other in rest:
            gated = other.statement
            assert isinstance(gated, s.Gated)
            if last is not None:
                raise self.context.problem(
                    "G0702",
                    gated.gate.word,
                    "this can never be reached: an otherwise without a condition stands above it",
                    "put it above, or leave it out",
                )
            if gated.gate.kind == "otherwise_if":
                assert gated.gate.condition is not None
                cond = self.amounts.condition(gated.gate.condition, scope)
                branches.append((st.If(cond, self.branch(gated.body, scope)), other))
            else:
                last = self.tag_clauses(self.branch(gated.body, scope), other)
        for branch, its_line in reversed(branches):
            last = self.tag_clauses(replace(branch, else_=last), its_line)
        assert last is not None
        return last

    # ------------------------------------------------------------ one statement

    def statement(self, node: s.Statement, scope: Scope) -> Statement:
        match node:
            case s.Act():
                return seq(self.frames.act(node, scope))
            case s.Then(first, _, rest):
                head = self.statement(first, scope)
                before = self.drain(scope)
                tail = self.statement(rest, scope)
                return seq([*before, head, *self.drain(scope), tail])
            case s.Together(parts):
                return self.together(parts, scope)
            case s.Pay(cost, rest):
                return seq(self.frames.pay(cost, lambda inner: self.statement(rest, inner), scope))
            case s.Assign(target, value):
                return self.assignments.assign(target, value, scope)
            case s.Change():
                return self.assignments.change(node, scope)
            case s.Either():
                return self.frames.either(node, scope)
            case s.Gated(gate, body):
                return self.lower_gated(gate, body, scope)
            case s.Block():
                return self.branch(node, scope)
            case s.Require(word, _):
                raise self.context.problem(
                    "G0607",
                    word,
                    "require stands behind a choice, or at the head of an option",
                    "choose .. as NAME, and on the next line require ..",
                )
            case s.Gets() | s.Cannot() | s.CannotBe():
                raise self.context.problem(
                    "G0607",
                    node,
                    "this holds for a time: it needs a duration",
                    "until the end of the turn: .., or the slot always",
                )
        raise self.context.problem("G0607", node, "this cannot stand here", "a verb, a gate or a choice can")

    def together(self, parts: tuple[s.Statement, ...], scope: Scope) -> Statement:
        """`A and B`. Parts that share their subject and modal, as the very same objects, are one frame."""
        self.refuse_repeated(parts)
        made: list[Statement] = []
        at = 0
        while at < len(parts):
            part = parts[at]
            group = [part]
            at += 1
            while (
                isinstance(part, s.Act)
                and (part.subject is not None or part.modal is not None)
                and at < len(parts)
                and _same_frame(part, parts[at])
            ):
                group.append(parts[at])
                at += 1
            acts = [p for p in group if isinstance(p, s.Act)]
            made.append(seq(self.frames.acts(acts, scope)) if len(acts) > 1 else self.statement(part, scope))
            made[-1:-1] = self.drain(scope)
        return seq(made)

    def refuse_repeated(self, parts: tuple[s.Statement, ...]) -> None:
        """`gain 1 coin and rest twice` has two readings."""
        actions = [part.action for part in parts if isinstance(part, s.Act)]
        found = next((action for action in actions if action.again or action.until), None)
        if found is None:
            return
        said = print_part(found)
        raise self.context.problem(
            "G0607",
            found.again or found.until,
            f'"{said}" stands behind "and": is only this done again, or all of it?',
            f"write {said} on a line of its own; all of it again is a block: repeat ..:",
        )

    def lower_gated(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Statement:
        match gate.kind:
            case "if" if gate.condition is not None:
                return st.If(self.amounts.condition(gate.condition, scope), self.branch(body, scope))
            case "on":
                return st.If(self.on(gate, scope), self.branch(body, scope))
            case "each":
                return self.for_each(gate, body, scope)
            case "repeat":
                self.context.countable(gate.amount)
                times = None if gate.amount is None else self.amounts.amount(gate.amount, scope)
                if times is not None:
                    check_times(times, gate.amount, self.context)
                inner = scope.inner()
                inner.loops += 1
                if gate.condition is not None:
                    condition = self.amounts.condition(gate.condition, scope)
                    until = repeat_until(condition, self.loop(body, inner))
                    check_end(until, condition, gate.condition, self.context)
                    return until
                made = st.Repeat(self.loop(body, inner), times)
                if times is None:
                    check_ends(made, gate.word, self.context)
                return made
            case "in_turn" | "at_once" | "secretly":
                return self.lower_in_order(gate, body, scope)
            case "modal":
                return seq(self.frames.modal_block(gate, body, scope))
            case "pay" if gate.cost is not None:
                return seq(self.frames.pay(gate.cost, lambda inner: seq(self.branch_lines(body, inner)), scope))
            case "first_able":
                return self.frames.first_able(body, gate.word, scope)
            case "instead":
                self.engine.need_replaceable(gate.word, scope)
                return seq([st.Cancel(), self.branch(body, scope)])
            case "until" | "window":
                return self.context.above.grant(gate, body, scope)
            case "while":
                raise self.context.problem(
                    "G0607",
                    gate.word,
                    "while stands in the slot always",
                    "until the end of .. is a duration inside an effect; repeat with stop is a loop",
                )
        raise self.context.problem(
            "G0407", gate.word, f'"{gate.word}" stands behind nothing', "it follows another line"
        )

    def lower_in_order(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Statement:
        """In which order several act: in turn from somebody, or at the same time."""
        inner = scope.inner()
        if gate.kind == "in_turn":
            assert gate.noun is not None
            first = self.nouns.one(self.nouns.denote(gate.noun, scope), gate.noun)
            if first.type.sort != "seat":
                raise self.context.problem("G0601", gate.noun, f"a {first.type} has no turn", "in turn from a player")
            order = inner.order = Order(first.expr)
            hint = "each player must .. stands below it"
        else:
            order = inner.poll = scope.poll if scope.poll is not None else Order(None)
            hint = "each player must choose a .. stands below it"
        made = seq(self.branch_lines(body, inner))
        inner.leave()
        self.frames.report_unused_order(order, gate.word, str(gate.word), hint)
        return made

    def on(self, gate: s.Gate, scope: Scope) -> Expression:
        ref = scope.outcome
        if ref is None:
            raise self.context.problem(
                "G0607",
                gate.word,
                "nothing above gives a result",
                "a verb with a result stands on an earlier line: roll a die",
            )
        tests: list[Expression] = []
        for outcome in gate.outcomes:
            token = outcome.token
            if outcome.form == "name":
                value = self.nouns.bare(token, scope)
                self.amounts.same_sort(ref.type, value, token)
                tests.append(ex.Comparison("==", ref.expr, value.expr))
            elif ref.type.sort != "number":
                raise self.context.problem(
                    "G0605", token, f"the result is a {ref.type}, not a number", "name an outcome"
                )
            elif self.out_of_reach(outcome, ref.type, scope):
                raise self.context.problem(
                    "G0702",
                    outcome,
                    f"no result is {print_part(outcome)}",
                    f"results go from {ref.type.low} to {ref.type.high}",
                )
            elif outcome.form == "range":
                low, high = str(token).split("-")
                if int(low) > int(high):
                    raise self.context.problem(
                        "G0702", token, f"no number lies from {low} to {high}", f"write {high}-{low}"
                    )
                tests.append(
                    ex.And(
                        (
                            ex.Comparison(">=", ref.expr, ex.Number(int(low))),
                            ex.Comparison("<=", ref.expr, ex.Number(int(high))),
                        )
                    )
                )
            elif outcome.form == "at_most":
                # an event that did not happen has the result -1
                tests.append(
                    ex.And(
                        (
                            ex.Comparison("!=", ref.expr, NOTHING),
                            ex.Comparison("<=", ref.expr, ex.Number(int(token))),
                        )
                    )
                )
            else:
                operator: Literal[">=", "=="] = ">=" if outcome.form == "at_least" else "=="
                tests.append(ex.Comparison(operator, ref.expr, ex.Number(int(token))))
        test = tests[0] if len(tests) == 1 else ex.Or((*tests,))
        return self.context.at(gate.outcomes[0], test)

    def out_of_reach(self, outcome: s.Outcome, type_: Type, scope: Scope) -> bool:
        """Whether a number lies outside the bounds of what gives the result."""
        low, high = self.results(outcome, scope)
        return (
            type_.low is not None and type_.high is not None and low <= high and (high < type_.low or low > type_.high)
        )

    def for_each(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Statement:
        assert gate.noun is not None and gate.bind is not None
        made = self.nouns.denote(gate.noun, scope)
        if made.quant not in ("all", "one") or made.program is not None:
            raise self.context.problem(
                "G0607", gate.noun, "for each goes over all of them", "say for each NOUN as NAME"
            )
        word = str(gate.bind)
        known = scope.find(word)
        if (known is not None and known.token is not None and not known.resets) or word in self.context.nouns:
            raise self.context.problem("G0509", gate.bind, f'"{word}" is named already', "take another name")
        slot = scope.unit.slot()
        inner = scope.inner()
        inner.loops += 1
        inner.bind(word, Ref(ex.Slot(slot), made.type.one()), gate.bind)
        return st.ForEach(slot, made.selector(), self.loop(body, inner))

    def lower_constrained(self, group: list[s.Line], scope: Scope) -> Statement:
        """A choice and what its finished result must meet."""
        node = group[0].statement
        requires = [line.statement for line in group[1:] if isinstance(line.statement, s.Require)]
        if not isinstance(node, s.Act):
            raise self.context.problem(
                "G0607",
                requires[0].word,
                "require stands directly behind a choice",
                "choose .. as NAME, then require ..",
            )
        body = self.frames.act(node, scope)
        choice = _first_choice(body)
        if choice is None:
            raise self.context.problem(
                "G0607", requires[0].word, "require narrows a choice", "choose any number of .. as NAME"
            )
        tests = [self.amounts.condition(require.condition, scope) for require in requires]
        test = both(tests)
        made: Statement
        if isinstance(choice, st.Choose):
            made = replace(choice, constraint=test)
        else:
            entry = choice.entries[0]
            domain = replace(entry.domains[0], in_=se.Filter(entry.domains[0].in_, entry.domains[0].slot, test))
            entries = (replace(entry, domains=(domain, *entry.domains[1:])), *choice.entries[1:])
            made = replace(choice, entries=entries)
        self.keep_marks(choice, made)
        for line in group[1:]:
            made = self.tag_clauses(made, line)
        whole = rewrite(seq(body), lambda part: made if part is choice else part)
        return self.tag_clauses(whole, group[0])


def names_of(node: object) -> Iterator[str]:
    """The names that a statement gives with `as`."""
    if isinstance(node, (s.Action, s.Gate)) and node.bind is not None:
        yield str(node.bind)
    if isinstance(node, tuple):
        for part in node:
            if isinstance(part, tuple):
                yield from names_of(part)


def _leaves(node: s.Statement) -> bool:
    """Whether what a gate opens ends by leaving: the lines below it are not reached then."""
    while isinstance(node, s.Gated):
        node = node.body
    if isinstance(node, s.Block):
        return _leaves(node.statements[-1].statement)
    if isinstance(node, (s.Then, s.Pay)):
        return _leaves(node.rest)
    return isinstance(node, s.Act) and node.modal is None and str(node.action.verb) in ("stop", "conclude", "end")


def _same_frame(first: s.Act, other: s.Statement) -> bool:
    return isinstance(other, s.Act) and other.subject is first.subject and other.modal is first.modal


def _first_choice(body: Iterable[Statement]) -> st.Choose | st.Menu | None:
    """The statement that asks for the choice, also inside a `may` or a round of players."""
    for part in body:
        if isinstance(part, st.Choose) or (isinstance(part, st.Menu) and part.entries[0].domains):
            return part
        inside: list[Statement | None] = []
        match part:
            case st.Sequence():
                inside = [*part.body]
            case st.ForEach() | st.Repeat():
                inside = [part.body]
            case st.If() | st.Pay():
                inside = [part.then]
            case st.Menu():
                inside = [entry.body for entry in part.entries]
        found = _first_choice([one for one in inside if one is not None])
        if found is not None:
            return found
    return None

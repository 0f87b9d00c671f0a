"""Lower windows and durations: abilities, prohibitions, continuous modifiers, floating effects."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from grimoire.compiler.declare.model import SEAT, Ability, Definition, Field, Text, Type, Verb
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context, Unresolved
from grimoire.compiler.lower.denotation import Denotation
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.event_patterns import EventPatterns
from grimoire.compiler.lower.forms import NOTHING, ONE, ZERO, both, seq
from grimoire.compiler.lower.frames import Frames
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.output import Guarded, NewAbility
from grimoire.compiler.lower.scope import EventShape, Ref, Scope, Unit
from grimoire.compiler.lower.statements import Statements
from grimoire.compiler.lower.states import Phase, States, new_ability
from grimoire.compiler.lower.tidy import has_trial, redirect, replace_slot, tidy
from grimoire.compiler.records import field, record
from grimoire.compiler.syntax import nodes as s
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.tables import Limit, Modifier, ProcedureOf
from grimoire.runtime.core.walk import rewrite

RULE = -1
FLOATING = -2
CAPTURES = 12  # values that one lasting effect can keep


@record()
class Heard:
    """What the windows of one ability answer so far: its first row, and for each event and phase the tests of its
    windows."""

    first: int = -1
    tests: dict[tuple[int, str], list[Expression]] = field(default_factory=dict)


class Windows:
    """Abilities of cards and rules, and effects that last."""

    def __init__(
        self,
        context: Context,
        nouns: Nouns,
        amounts: Amounts,
        engine: EngineVerbs,
        frames: Frames,
        statements: Statements,
        states: States,
        events: EventPatterns,
    ) -> None:
        self.context = context
        self.nouns = nouns
        self.amounts = amounts
        self.engine = engine
        self.frames = frames
        self.statements = statements
        self.states = states
        self.events = events

    # ------------------------------------------------------------ declared abilities

    def ability(self, ability: Ability, owner: Definition | None) -> None:
        """One ability of a card (owner) or of the rules (no owner)."""
        base = owner.index if owner is not None else RULE
        label = f"{owner.id}.{ability.id}" if owner is not None else ability.id
        if ability.always is not None and ability.always.ok:
            self.context.text = ability.always
            unit = self.enter(f"{label}.always", None)
            scope = self.ability_scope(unit, owner)
            only = ability.only if ability.only is not None and ability.only.ok else None
            for line in ability.always.block.statements:
                try:
                    clauses = (*ability.clauses, *self.statements.clause_ids(line.clause))
                    self.lower_lasting(line.statement, scope, base, label, clauses, only)
                except Unresolved:
                    continue
        if ability.do is None or not ability.do.ok:
            return
        if ability.use is not None:
            with suppress(Unresolved):
                self.lower_used_instead(ability, owner, base, label)
        if ability.window is None:
            return
        heard = Heard()
        for window in (ability.window, *ability.other_windows):
            if not window.ok:
                continue
            try:
                self.lower_window(ability, window, owner, base, label, heard)
            except Unresolved:
                continue

    def enter(self, name: str, verb: Verb | None) -> Unit:
        self.context.unit = Unit(name, 2, [], False, verb)
        return self.context.unit

    def ability_scope(self, unit: Unit, owner: Definition | None) -> Scope:
        scope = Scope(unit)
        if owner is not None:
            scope.this = Ref(ex.Slot(1), Type("piece", owner.kind))
        return scope

    def lower_window(
        self, ability: Ability, window: Text, owner: Definition | None, base: int, label: str, heard: Heard
    ) -> None:
        """One window of an ability. `heard` remembers what the windows before it in the list answer."""
        assert ability.do is not None
        unit = self.enter(label, None)
        scope = self.ability_scope(unit, owner)
        if owner is None:
            scope.you = ex.EventArgument(
                0
            )  # nobody owns a rule: in its window, `you` is whoever does what it waits for
        self.context.text = window
        if window.window.kind == "soon":
            scope.you = ex.Slot(0)
            self.states.wait_for(ability, window, owner, base, label, scope)
            return
        verb, phase, tests = self.events.read_window(window.window, scope)
        own = both(tests)
        earlier = heard.tests.setdefault((verb.index, phase), [])
        if ONE in earlier or own in earlier:
            raise self.context.problem(
                "G0702", window.window, "a window above it in the list answers this already", "take one of them out"
            )
        tests += [ex.Not(other) for other in earlier]
        earlier.append(own)
        if ability.only is not None and ability.only.ok:
            self.context.text = ability.only
            with suppress(Unresolved):  # reported; what the ability does is still looked at
                tests.append(self.amounts.condition(ability.only.condition, scope))
        self.context.text = ability.do
        scope.you = ex.Slot(0)
        made = self.finish_ability(
            ability.do.block,
            verb,
            phase,
            tests,
            scope,
            base,
            label,
            self.limit(ability, owner),
            False,
            ability.clauses,
            heard.first,
        )
        heard.first = made if heard.first < 0 else heard.first

    def lower_used_instead(self, ability: Ability, owner: Definition | None, base: int, label: str) -> None:
        """An ability that is used in the place of a verb: who does it may take this instead."""
        assert ability.do is not None
        unit = self.enter(label, None)
        scope = self.ability_scope(unit, owner)
        verb = self.context.model.verbs[str(ability.use)]
        scope.event = EventShape(verb, True)
        self.events.name_participants(verb, verb.params, False, scope)
        tests: list[Expression] = [] if owner is None else [ex.Comparison("==", ex.EventArgument(0), ex.Slot(0))]
        if ability.only is not None and ability.only.ok:
            self.context.text = ability.only
            scope.you = ex.EventArgument(0) if owner is None else ex.Slot(0)
            with suppress(Unresolved):
                tests.append(self.amounts.condition(ability.only.condition, scope))
            scope.you = ex.Slot(0)
        self.context.text = ability.do
        limit = self.limit(ability, owner)
        self.context.text = ability.do
        self.finish_ability(
            ability.do.block, verb, "instead", tests, scope, base, label, limit, False, ability.clauses, -1, True
        )

    def finish_ability(
        self, node: s.Block, verb: Verb, phase: Phase, tests: list[Expression], scope: Scope, base: int, label: str,
        limit: Limit | None, once: bool, clauses: tuple[str, ...], shares: int = -1, instead: bool = False,
    ) -> int:  # fmt: skip
        unit = scope.unit
        optional, asks, body = (
            (True, None, self.statements.block(node, scope)) if instead else self.optional_body(node, scope)
        )
        if instead:
            body = seq([st.Cancel(), body])
        body = self.statements.check_size(body, node)
        if base == RULE:
            body = seq([st.Let(0, ex.EventArgument(0)), body])
            asks = ex.EventArgument(0) if optional and asks is None else asks
        cond = both(tests)
        # several windows of one ability are one ability to whoever is asked
        out = self.context.out
        name = out.name(label) if shares < 0 else out.abilities[shares].name
        at = self.context.place(node.statements[0].statement)
        which = "" if shares < 0 else f".{len(out.abilities) - shares + 1}"
        proc = self.add_proc(f"ability:*{which}", 0, unit, body, name=name)
        guard = self.frames.startable(body) if optional else None
        if guard is not None:
            cheap = self.cheap(body) if has_trial(guard) else None
            if base == RULE:
                guard = replace_slot(guard, 0, ex.EventArgument(0))
                cheap = None if cheap is None else replace_slot(cheap, 0, ex.EventArgument(0))
            cheap = None if cheap is None else redirect(cheap, unit.redirects)
            out.guarded.append(Guarded(len(out.abilities), redirect(guard, unit.redirects), cheap))
        row = new_ability(
            label,
            verb.index,
            phase,
            base,
            at,
            None if cond == ONE else cond,
            optional,
            asks,
            proc,
            limit,
            once,
            clauses,
            shares if shares >= 0 else None,
            late=True if self.context.text is not None and self.context.text.language < 2 else None,
        )
        return out.ability(NewAbility(row, name, True))

    def optional_body(self, node: s.Block, scope: Scope) -> tuple[bool, Expression | None, Statement]:
        """An ability whose text starts with `may ..` is optional: the window itself asks, and the cost is checked
        there.

        Behind the `may` only lines that start with `if you do` may follow.
        """
        lines = list(node.statements)
        found = self.without_may(lines[0].statement)
        if found is None or not all(_follows(line.statement) for line in lines[1:]):
            return False, None, self.statements.block(node, scope)
        subject, plain = found
        inner = scope.inner()
        asks: Expression | None = None
        if subject is not None:
            made = self.nouns.denote(subject, inner)
            if made.quant != "one" or made.type.sort != "seat":
                return False, None, self.statements.block(node, scope)
            asks = self.nouns.one(made, subject).expr
            inner.they = inner.asks = asks
        first = s.Line(lines[0].clause, plain, lines[0].block)
        body = seq(self.statements.lines([first, *lines[1:]], inner))
        self.statements.close(inner)
        return True, asks, body

    def without_may(self, node: s.Statement) -> tuple[s.Full | None, s.Statement] | None:
        """Who may, and what, where a statement is a `may`."""
        match node:
            case s.Pay(cost, rest):
                subject, may, plain = self.frames.lead(cost)
                return (subject, s.Pay(plain, rest)) if may else None
            case s.Gated(gate, body) if gate.kind == "pay" and gate.cost is not None:
                subject, may, plain = self.frames.lead(gate.cost)
                return (subject, s.Gated(gate._replace(cost=plain), body)) if may else None
            case s.Gated(gate, body) if gate.kind == "modal" and gate.word.type == "MAY":
                block = body if isinstance(body, s.Block) else s.Block((s.Line(None, body, False),))
                starts = isinstance(block.statements[0].statement, s.Require)
                return None if starts else (gate.noun, block)
            case s.Act() | s.Together():
                subject, may, plain = self.frames.lead(node)
                return (subject, plain) if may else None
        return None

    def limit(self, ability: Ability, owner: Definition | None) -> Limit | None:
        """How often: of a rule each player, unless all share it or its text is older than that; of a card the card."""
        if ability.limit is None or not ability.limit.ok:
            return None
        self.context.text = ability.limit
        node = ability.limit.limit
        if node.times == 0:
            raise self.context.problem("G0702", node, "what may be done 0 times never happens", "once per turn")
        if node.shared:
            self.check_shared(node, owner)
        each = owner is None and not node.shared and ability.limit.language >= 2
        return Limit(node.times, self.scope_proc(node.scope), each=True if each else None)

    def check_shared(self, node: s.Limit, owner: Definition | None) -> None:
        """Only players share a limit, and only that of a rule: of a card its uses count, whoever makes them."""
        word = node.shared[-1]
        if word != self.context.model.kinds["player"].plural:
            raise self.context.problem(
                "G0601", word, f'a limit is shared by players, not by "{word}"', "write for all players"
            )
        if owner is not None:
            message = "the uses of a card are counted for that card, whoever makes them"
            raise self.context.problem("G0601", word, message, f"leave for all {word} out")

    def scope_proc(self, words: s.Words) -> int:
        word = words[-1]
        if word == "game":
            return -1
        verb = self.context.model.verbs.get(str(word))
        if verb is None or not verb.procedure or len(words) != 1:
            names = self.engine.procedures()
            raise self.context.unknown("G0510", "procedure", word, names, f"one of {', '.join(names)}")
        return verb.index

    # ------------------------------------------------------------ what lasts

    def lower_lasting(
        self,
        node: s.Statement,
        scope: Scope,
        base: int,
        label: str,
        clauses: tuple[str, ...],
        only: Text | None,
        extra: list[Expression] | None = None,
    ) -> list[tuple[str, int]]:
        """A prohibition or a modifier, perhaps under a condition. Gives the table entries that it made."""
        tests = list(extra or [])
        if only is not None:
            saved, self.context.text = self.context.text, only
            try:
                tests.append(self.amounts.condition(only.condition, scope))
            finally:
                self.context.text = saved
        match node:
            case s.Gated(gate, body) if gate.kind in ("while", "if") and gate.condition is not None:
                tests.append(self.amounts.condition(gate.condition, scope))
                inner = body.statements if isinstance(body, s.Block) else (s.Line(None, body, False),)
                return self.lower_lasting_lines(inner, scope, base, label, clauses, tests)
            case s.Block(lines):
                return self.lower_lasting_lines(lines, scope, base, label, clauses, tests)
            case s.Together(parts):
                lines = tuple(s.Line(None, part, False) for part in parts)
                return self.lower_lasting_lines(lines, scope, base, label, clauses, tests)
            case s.Cannot(subject, action):
                event = s.Event("would", subject, action.verb, action, ())
                return [self.forbid(event, scope.inner(), tests, base, label, clauses, node)]
            case s.CannotBe(subject, word, phrases):
                event = s.Event("would_be", subject, word, None, phrases)
                return [self.forbid(event, scope.inner(), tests, base, label, clauses, node)]
            case s.Gets():
                return [self.modifier(node, scope.inner(), tests, base, clauses)]
            case s.Assign(_, s.Bare() | s.Negated()):
                return [self.lower_flag(node, scope.inner(), tests, base, clauses)]
        raise self.context.problem(
            "G0607",
            node,
            "what lasts is a cannot, a gets or a flag",
            "you cannot .., NP cannot be .., NP gets +1 .., NP is now FLAG",
        )

    def lower_lasting_lines(
        self,
        lines: tuple[s.Line, ...],
        scope: Scope,
        base: int,
        label: str,
        clauses: tuple[str, ...],
        tests: list[Expression],
    ) -> list[tuple[str, int]]:
        made: list[tuple[str, int]] = []
        for line in lines:
            carried = (*clauses, *self.statements.clause_ids(line.clause))
            made += self.lower_lasting(line.statement, scope, base, label, carried, None, tests)
        return made

    def forbid(
        self,
        event: s.Event,
        scope: Scope,
        tests: list[Expression],
        base: int,
        label: str,
        clauses: tuple[str, ...],
        node: s.Statement,
    ) -> tuple[str, int]:
        window = s.Window(event.verb, "when", event, None)
        verb, _, found = self.events.read_window(window, scope)
        cond = both([*tests, *found])
        slots = scope.unit.slots
        row = new_ability(
            label,
            verb.index,
            "cannot",
            base,
            self.context.place(node),
            None if cond == ONE else cond,
            clauses=clauses,
            slots=slots,
        )
        return "ability", self.context.out.ability(NewAbility(row))

    def modifier(
        self, node: s.Gets, scope: Scope, tests: list[Expression], base: int, clauses: tuple[str, ...]
    ) -> tuple[str, int]:
        subject = node.subject
        if len(node.words) != 1:
            raise self.context.problem("G0602", node, "what does it get more of?", "NP gets +1 FIELD")
        made = self.nouns.denote(subject, scope)
        noun_type = made.type.one()
        declared = self.context.model.field(noun_type.kind, str(node.words[-1]))
        if declared is None or declared.type.sort != "number":
            names = [
                n
                for k in self.context.model.ancestors(noun_type.kind)
                for n, f in self.context.model.kinds[k].fields.items()
                if f.type.sort == "number"
            ]
            hint = f"its numbers are {', '.join(names)}" if names else "it has no numbers"
            raise self.context.unknown("G0501", f"number of a {noun_type}", node.words[-1], names, hint)
        entry = self.make_modifier(node, made, declared, scope, tests, base, clauses)
        amount = read_unmodified(self.amounts.amount(node.amount, scope))
        added = amount if node.sign.type == "PLUS" else ex.Arithmetic("-", ZERO, amount)
        return "modifier", self.context.out.modifier(replace(entry, add=added, slots=scope.unit.slots))

    def lower_flag(
        self, node: s.Assign, scope: Scope, tests: list[Expression], base: int, clauses: tuple[str, ...]
    ) -> tuple[str, int]:
        """`NP is now FLAG`, as long as it lasts."""
        assert isinstance(node.value, s.Bare | s.Negated)
        made = self.nouns.denote(node.target, scope)
        name = node.value.name
        declared = self.context.model.field(made.type.one().kind, str(name))
        if declared is None or declared.type.sort != "flag":
            raise self.context.problem(
                "G0606", name, f'"{name}" is no flag of this', "declare it as a flag under states"
            )
        entry = self.make_modifier(node, made, declared, scope, tests, base, clauses)
        value = ONE if isinstance(node.value, s.Bare) else ZERO
        return "modifier", self.context.out.modifier(replace(entry, set=value))

    def make_modifier(
        self,
        node: s.Gets | s.Assign,
        made: Denotation,
        declared: Field,
        scope: Scope,
        tests: list[Expression],
        base: int,
        clauses: tuple[str, ...],
    ) -> Modifier:
        """A row for the modifiers: what it changes of which things, and when."""
        noun_type = made.type.one()
        slot = scope.unit.slot()
        scope.it = Ref(ex.Slot(slot), noun_type)
        if noun_type.sort == "seat":
            scope.they = ex.Slot(slot)
        # what a modifier reads is the state without modifiers: none depends on another
        cond = read_unmodified(both([*tests, self.amounts.member(scope.it, made)]))
        return Modifier(
            declared.column,
            base,
            None,
            slot,
            None if cond == ONE else cond,
            None,
            None,
            scope.unit.slots,
            self.context.place(node),
            clauses or None,
        )

    # ------------------------------------------------------------ effects that last for a time

    def grant(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Statement:
        """`until the end of the turn: ..`, `next time ..: ..`, a window inside an effect."""
        until = gate if gate.kind == "until" else None
        lines: tuple[s.Line, ...] = (s.Line(None, s.Gated(gate, body), False),)
        if until is not None:
            lines = body.statements if isinstance(body, s.Block) else (s.Line(None, body, False),)
        made: list[Statement] = []
        plain = tuple(line for line in lines if _soon(line) is None)
        if plain:
            made.append(self.lower_granted(plain, until, gate.word, scope))
        for line in lines:
            waits = _soon(line)
            if waits is not None:
                # what holds already is answered now
                assert waits.gate.window is not None and waits.gate.window.condition is not None
                now = self.amounts.condition(waits.gate.window.condition, scope)
                done = self.statements.loop(waits.body, scope.inner())
                later = self.lower_granted((line,), until, gate.word, scope)
                made.append(st.If(now, done, later))
        return seq(made)

    def lower_granted(self, lines: tuple[s.Line, ...], until: s.Gate | None, word: object, scope: Scope) -> Statement:
        """Effects that begin and end together. All share the captured values; each has its own window of slots above
        them."""
        outer = self.context.unit
        abilities: list[int] = []
        modifiers: list[int] = []
        captures: list[Expression] = []
        label = (self.context.text.owner if self.context.text else outer.id) or outer.id
        ends, ender = -1, -1
        if until is not None:
            assert until.noun is not None
            noun = until.noun.noun
            if until.word.type == "UNTIL_END_OF" and _is_plain(until.noun) and isinstance(noun, s.Noun):
                ends = self.scope_proc(noun.words)
            else:
                ender = self.ender(until, self.make_lasting_scope(scope, captures), label)
                abilities.append(ender)
        try:
            for line in lines:
                inner = self.make_lasting_scope(scope, captures)
                clauses = self.statements.clause_ids(line.clause)
                statement = line.statement
                if isinstance(statement, s.Gated) and statement.gate.kind == "window":
                    abilities.append(self.float_ability(statement, inner, label, clauses))
                else:
                    for table, index in self.lower_lasting(statement, inner, FLOATING, label, clauses, None):
                        (abilities if table == "ability" else modifiers).append(index)
        finally:
            self.context.unit = outer
        if len(captures) > CAPTURES:
            raise self.context.problem(
                "G0705", word, f"more than {CAPTURES} values are kept by this effect", "use fewer names inside it"
            )
        if ender >= 0:
            first = self.context.out.abilities[ender]
            first.row = replace(first.row, ends=(0, len(abilities) + len(modifiers) - 1))
        return st.Grant(abilities=tuple(abilities), modifiers=tuple(modifiers), until=ends, captures=tuple(captures))

    def make_lasting_scope(self, scope: Scope, captures: list[Expression]) -> Scope:
        self.context.unit = Unit(f"{scope.unit.id}.lasting", 2 + CAPTURES, captures, True)
        return Scope(self.context.unit, scope)

    def ender(self, gate: s.Gate, scope: Scope, label: str) -> int:
        """The floating ability that only ends a duration: `until the start of your next turn`. It is granted first, and
        ends with it what is granted behind it. The frame that runs when it is granted has begun already, and is not the
        next one."""
        assert gate.noun is not None and scope.parent is not None
        start = gate.word.type == "UNTIL_START_OF"
        verb, later = self.events.edge_of(gate.noun, gate.word)
        cond = both(self.whose_edge(gate.noun, scope))
        limit = Limit(1, verb.index, True) if start or later else None
        row = new_ability(
            f"{label}.until",
            verb.index,
            "before" if start else "after",
            FLOATING,
            self.context.place(gate.noun),
            None if cond == ONE else cond,
            limit=limit,
            once=True,
            ends=(0, 0),
            slots=scope.unit.slots,
        )
        return self.context.out.ability(NewAbility(row))

    def whose_edge(self, full: s.Full, scope: Scope) -> list[Expression]:
        """Whose turn it must be: one player, known when the effect begins, or any that fits."""
        noun, phrases = full.noun, list(full.phrases)
        owner: s.Full | None = None
        outer = scope.parent
        assert outer is not None
        if isinstance(noun, s.Owned):
            owner = s.Full(s.Noun(noun.det, noun.owner, None, (), None), ())
        elif phrases and phrases[0].prep.type == "OF" and isinstance(phrases[0].item, s.NounPhrase):
            owner, phrases = s.Full(phrases[0].item, tuple(phrases[1:])), []
        self.nouns.no_phrases(phrases)
        actor = Ref(ex.EventArgument(0), SEAT)
        if owner is None:
            det = noun.det if isinstance(noun, s.Noun) else None
            if det is None or det.type not in ("YOUR", "THEIR"):
                return []
            who = Ref(outer.you, SEAT) if det.type == "YOUR" else self.nouns.they(det, outer)
        else:
            unit, self.context.unit = self.context.unit, outer.unit
            try:
                made = self.nouns.denote(owner, outer)
            finally:
                self.context.unit = unit
            if made.quant != "one":
                return [self.amounts.matches(actor, owner.noun, list(owner.phrases), scope)]
            who = self.nouns.one(made, owner)
            if who.type.sort != "seat":
                raise self.context.problem("G0601", owner, f"a {who.type} takes no turns", "name a player")
        kept = scope.capture(who).expr
        # of nobody: the next one ends it
        return [ex.Or((ex.Comparison("==", kept, NOTHING), ex.Comparison("==", actor.expr, kept)))]

    def float_ability(self, statement: s.Gated, scope: Scope, label: str, clauses: tuple[str, ...]) -> int:
        window = statement.gate.window
        assert window is not None
        body = (
            statement.body if isinstance(statement.body, s.Block) else s.Block((s.Line(None, statement.body, False),))
        )
        if window.kind == "soon":
            return self.states.float_state(window, body, scope, label, clauses)
        verb, phase, tests = self.events.read_window(window, scope)
        once = window.kind == "next"
        limit: Limit | None = None
        if window.noun is not None and self.events.edge_of(window.noun, window.word)[1]:
            once, limit = True, Limit(1, verb.index, True)
        return self.finish_ability(body, verb, phase, tests, scope, FLOATING, label, limit, once, clauses)

    def cheap(self, body: Statement) -> Expression | None:
        """What can be seen without trying: each part of a cost up to its first choice can be started."""
        tests: list[Expression] = []
        programs, self.context.programs_of_this = self.context.programs_of_this, {}
        parts = body.body if isinstance(body, st.Sequence) else (body,)
        first = next((part for part in parts if not isinstance(part, st.Let)), None)
        cost = first.cost if isinstance(first, st.Pay) else first
        for part in () if cost is None else cost.body if isinstance(cost, st.Sequence) else (cost,):
            test = self.frames.startable(part)
            if test is not None:
                tests.append(test)
            if isinstance(part, (st.Menu, st.Choose)):
                break
        self.context.programs_of_this = programs
        return both(tests) if tests else None

    def add_proc(
        self,
        label: str,
        params: int,
        unit: Unit,
        body: Statement,
        clauses: tuple[str, ...] = (),
        name: int | None = None,
    ) -> int:
        """A procedure. `name`: the number of the name that stands for `*` in its label."""
        whole = tidy(redirect(body, unit.redirects))
        row = ProcedureOf(label, params, unit.slots, whole, False, False, label, clauses=clauses or None)
        return self.context.out.proc(row, name)


def read_unmodified(expr: Expression) -> Expression:
    """An expression that reads every number without the modifiers on it."""
    return rewrite(
        expr, lambda part: ex.ReadColumn(part.column, part.of) if isinstance(part, ex.ReadModified) else part
    )


def _is_plain(full: s.Full) -> bool:
    """`the turn`, `this round`: the one that is running, whoever takes it."""
    noun = full.noun
    return (
        not full.phrases
        and isinstance(noun, s.Noun)
        and len(noun.words) == 1
        and (noun.det is None or noun.det.type in ("THE", "THIS_DET"))
    )


def _soon(line: s.Line) -> s.Gated | None:
    """A line that waits for a state."""
    node = line.statement
    if not isinstance(node, s.Gated) or node.gate.window is None or node.gate.window.kind != "soon":
        return None
    return node


def _follows(node: s.Statement) -> bool:
    """A line that only goes on when the `may` above it was taken."""
    return (
        isinstance(node, s.Gated)
        and node.gate.kind == "if"
        and isinstance(node.gate.condition, s.Did)
        and not node.gate.condition.negated
    )

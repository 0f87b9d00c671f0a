"""Lower windows and durations: abilities, prohibitions, continuous modifiers, floating effects."""

from __future__ import annotations

from functools import partial
from typing import Any

from grimoire.compiler import syntax as s
from grimoire.compiler.amounts import replace_slot
from grimoire.compiler.base import Unresolved, seq, tidy
from grimoire.compiler.diagnostics import Diagnostics
from grimoire.compiler.footprints import finish
from grimoire.compiler.model import SEAT, Ability, Definition, Expr, PackageModel, Param, Stmt, Text, Type, Verb
from grimoire.compiler.scope import EventShape, Ref, Scope, Unit
from grimoire.compiler.selectors import Item
from grimoire.compiler.statements import Statements

RULE = -1
FLOATING = -2
CAPTURES = 12  # values that one lasting effect can keep


class Windows(Statements):
    """Abilities of cards and rules, and effects that last."""

    def __init__(self, model: PackageModel, diags: Diagnostics) -> None:
        super().__init__(model, diags)
        self.labels: dict[str, int] = {}
        self.participants: list[tuple[str, Ref]] = []  # nouns of the window being read
        self.guarded: list[
            tuple[dict[str, Any], Expr | None, Stmt]
        ] = []  # optional abilities and what must hold to offer them

    # ------------------------------------------------------------ declared abilities

    def ability(self, ability: Ability, owner: Definition | None) -> None:
        """One ability of a card (owner) or of the rules (no owner)."""
        base = owner.index if owner is not None else RULE
        label = f"{owner.id}.{ability.id}" if owner is not None else ability.id
        if ability.always is not None and ability.always.ok:
            self.text = ability.always
            unit = self.enter(f"{label}.always", None)
            scope = self.ability_scope(unit, owner)
            only = ability.only if ability.only is not None and ability.only.ok else None
            for line in ability.always.node.statements:
                try:
                    clause = self.clause_id(line.clause) if line.clause is not None else None
                    clauses = (*ability.clauses, clause) if clause is not None else ability.clauses
                    self.lasting(line.statement, scope, base, label, clauses, only)
                except Unresolved:
                    continue
        if ability.window is None or ability.do is None or not (ability.window.ok and ability.do.ok):
            return
        try:
            self.triggered(ability, owner, base, label)
        except Unresolved:
            return

    def enter(self, name: str, verb: Verb | None) -> Unit:
        self.unit = Unit(name, 2, [], False, verb)
        return self.unit

    def ability_scope(self, unit: Unit, owner: Definition | None) -> Scope:
        scope = Scope(unit)
        if owner is not None:
            scope.this = Ref(["slot", 1], Type("piece", owner.kind))
        return scope

    def triggered(self, ability: Ability, owner: Definition | None, base: int, label: str) -> None:
        assert ability.window is not None and ability.do is not None
        unit = self.enter(label, None)
        scope = self.ability_scope(unit, owner)
        if owner is None:
            scope.you = ["arg", 0]  # nobody owns a rule: in its window, `you` is whoever does what it waits for
        self.text = ability.window
        verb, phase, tests = self.heard(ability.window.node, scope)
        if ability.only is not None and ability.only.ok:
            self.text = ability.only
            tests.append(self.condition(ability.only.node, scope))
        self.text = ability.do
        scope.you = ["slot", 0]
        self.finish_ability(
            ability.do.node, verb, phase, tests, scope, base, label, self.limit(ability), False, ability.clauses
        )

    def finish_ability(
        self, node: s.Block, verb: Verb, phase: str, tests: list[Expr], scope: Scope, base: int, label: str,
        limit: dict[str, int] | None, once: bool, clauses: tuple[str, ...],
    ) -> int:  # fmt: skip
        unit = scope.unit
        optional, asks, body = self.optional_body(node, scope)
        if base == RULE:
            body = seq([{"op": "let", "slot": 0, "value": ["arg", 0]}, body])
            asks = ["arg", 0] if optional and asks is None else asks
        cond = self.both(tests)
        label = self.unique(label)
        made: dict[str, Any] = {
            "id": label, "label": label, "on": verb.index, "phase": phase, "of": base, "live": None,
            "cond": None if cond == ["int", 1] else cond, "optional": optional, "asks": asks, "proc": -1, "limit": limit, "once": once,
            "reads": [], "writes": [], "at": self.place(node.statements[0].statement),
        }  # fmt: skip
        if clauses:
            made["clauses"] = list(clauses)
        made["proc"] = self.add_proc(f"ability:{label}", 0, unit, body, verb=False)
        if optional and not self.checking:
            guard = self.startable(body)
            if base == RULE and guard is not None:
                guard = replace_slot(guard, 0, ["arg", 0])
            self.guarded.append((made, guard, body))
        self.tables.abilities.append(made)
        return len(self.tables.abilities) - 1

    def unique(self, label: str) -> str:
        """Two abilities never have one name: options are told apart by it."""
        count = self.labels.get(label, 0) + 1
        self.labels[label] = count
        return label if count == 1 else self.unique(f"{label}-{count}")

    def optional_body(self, node: s.Block, scope: Scope) -> tuple[bool, Expr | None, Stmt]:
        """An ability whose text starts with `may ..` is optional: the window itself asks, and the cost is checked there.

        Behind the `may` only lines that start with `if you do` may follow.
        """
        lines = list(node.statements)
        found = self.without_may(lines[0].statement)
        if found is None or not all(_follows(line.statement) for line in lines[1:]):
            return False, None, self.block(node, scope)
        subject, plain = found
        inner = scope.inner()
        asks: Expr | None = None
        if subject is not None:
            made = self.denote(subject, inner)
            if made.quant != "one" or made.type.sort != "seat":
                return False, None, self.block(node, scope)
            asks = self.one(made, subject).expr
            inner.they = inner.asks = asks
        first = s.Line(lines[0].clause, plain, lines[0].block)
        body = seq(self.lines([first, *lines[1:]], inner))
        self.close(inner)
        return True, asks, body

    def without_may(self, node: s.Statement) -> tuple[s.Full | None, s.Statement] | None:
        """Who may, and what, where a statement is a `may`."""
        match node:
            case s.Pay(cost, rest):
                subject, may, plain = self.lead(cost)
                return (subject, s.Pay(plain, rest)) if may else None
            case s.Gated(gate, body) if gate.kind == "pay" and gate.cost is not None:
                subject, may, plain = self.lead(gate.cost)
                return (subject, s.Gated(gate._replace(cost=plain), body)) if may else None
            case s.Gated(gate, body) if gate.kind == "modal" and gate.word.type == "MAY":
                block = body if isinstance(body, s.Block) else s.Block((s.Line(None, body, False),))
                starts = isinstance(block.statements[0].statement, s.Require)
                return None if starts else (gate.noun, block)
            case s.Act() | s.Together():
                subject, may, plain = self.lead(node)
                return (subject, plain) if may else None
        return None

    def limit(self, ability: Ability) -> dict[str, int] | None:
        if ability.limit is None or not ability.limit.ok:
            return None
        self.text = ability.limit
        node: s.Limit = ability.limit.node
        return {"n": node.times, "per": self.scope_proc(node.scope)}

    def scope_proc(self, words: s.Words) -> int:
        word = words[-1]
        if word == "game":
            return -1
        verb = self.model.verbs.get(str(word))
        if verb is None or not verb.procedure or len(words) != 1:
            names = [v.id for v in self.model.verbs.values() if v.procedure] + ["game"]
            raise self.unknown("G0510", "procedure", word, names, f"one of {', '.join(names)}")
        self.used_names.add(verb.id)
        return verb.index

    # ------------------------------------------------------------ which event is heard

    def heard(self, window: s.Window, scope: Scope) -> tuple[Verb, str, list[Expr]]:
        if window.kind in ("any", "soon"):
            raise self.problem(
                "G0610",
                window.word,
                f'"{window.word}" is not a window that the engine opens yet',
                "name the event: before .., after .., when .. would ..",
            )
        if window.noun is not None:
            return self.edge(window, scope)
        event = window.event
        assert event is not None
        verb = self.event_verb(event)
        verb.used = True
        self.used_names.add(verb.id)
        would = event.form in ("would_be", "would")
        phase = {
            "before": "before",
            "after": "after",
            "when": "instead" if would else "after",
            "next": "instead" if would else "after",
        }[window.kind]
        tests: list[Expr] = []
        scope.event = EventShape(verb, would or window.kind == "before")
        self.participants = []
        if event.form in ("would_be", "is_done"):
            assert event.subject is not None
            rest = self.event_phrases(verb, event.phrases, tests, scope)
            options: list[Expr] = []
            for subject in (event.subject, *event.others):
                found: list[Expr] = []
                more = rest if subject is event.subject else []
                self.match_object(verb, subject.noun, [*subject.phrases, *more], found, event.verb, scope)
                options.append(self.both(found))
            tests.append(options[0] if len(options) == 1 else ["or", *options])
        else:
            assert event.action is not None
            subjects = [] if event.subject is None else [event.subject, *event.others]
            if not subjects:
                tests.append(["==", ["arg", 0], scope.you])
            actors = [self.match_actor(subject, scope) for subject in subjects]
            if actors:
                tests.append(actors[0] if len(actors) == 1 else ["or", *actors])
            self.match_action(verb, event.action, tests, scope)
        self.name_participants(verb, verb.params, phase == "after", scope)
        return verb, phase, [test for test in tests if test != ["int", 1]]

    def name_participants(self, verb: Verb, params: list[Param], over: bool, scope: Scope) -> None:
        """Once the window is read, its nouns and the verb's parameters name who and what takes part."""
        for i, param in enumerate(params):
            scope.bind(param.name, Ref(["arg", i + 1], param.type), None)
        if verb.result is not None and over:
            scope.bind("result", Ref(["result"], verb.result), None)
        for word, ref in reversed(self.participants):
            scope.bind(word, ref, None)
        self.participants = []

    def match_action(self, verb: Verb, action: s.Action, tests: list[Expr], scope: Scope) -> None:
        preps = tuple(p.role for p in verb.params if p.role not in (None, "object", "amount"))
        own, taken = self.share(action, preps)
        if action.bind is not None or action.able or action.instead:
            raise self.problem("G0607", action, "a window only names the event", "leave out what stands behind it")
        if action.object is not None:
            if len(action.object.items) != 1:
                raise self.problem("G0607", action.object, "one thing is named in a window", "make two abilities of it")
            self.match_object(verb, action.object.items[0], own, tests, action.verb, scope)
        elif own:
            self.no_phrases(own)
        for role, (phrase, tail) in taken.items():
            index = next(i for i, p in enumerate(verb.params) if p.role == role)
            self.match_arg(verb, index, phrase.item, tail, tests, scope)

    def match_object(
        self, verb: Verb, noun: Item, phrases: list[s.Phrase], tests: list[Expr], word: object, scope: Scope
    ) -> None:
        """The object of the event, or how much of what: `when you would gain 2 or more coins`."""
        target = next((i for i, p in enumerate(verb.params) if p.role == "object"), -1)
        amount = next((i for i, p in enumerate(verb.params) if p.role == "amount"), -1)
        if amount >= 0:
            self.no_phrases(phrases)
            if isinstance(noun, s.Counted | s.Noun) and (len(noun.words) != 1 or noun.relative is not None):
                raise self.problem("G0607", noun, f'"{verb.id}" is heard with a plain amount', "any .., 2 or more ..")
            if isinstance(noun, s.Counted | s.Count):
                count = noun.count if isinstance(noun, s.Counted) else noun
                tests.append(self.at(noun, self.enough(["arg", amount + 1], count, scope)))
            if isinstance(noun, s.Counted | s.Noun):
                if target >= 0:
                    thing = self.bare(noun.words[-1], scope)
                    self.check_type(thing.type, verb.params[target].type, noun, verb)
                    tests.append(self.at(noun, ["==", ["arg", target + 1], thing.expr]))
                elif verb.params[amount].noun is not None and str(verb.params[amount].noun).rstrip("s") != str(
                    noun.words[-1]
                ).rstrip("s"):
                    raise self.problem(
                        "G0601",
                        noun,
                        f'"{verb.id}" goes with {verb.params[amount].noun}',
                        f"it is written {verb.signature}",
                    )
            return
        if target < 0:
            raise self.problem(
                "G0603", noun, f'"{verb.id}" has no object that "{word}" could name', f"it is written {verb.signature}"
            )
        self.match_arg(verb, target, noun, phrases, tests, scope)

    def event_verb(self, event: s.Event) -> Verb:
        word = event.verb
        if event.form in ("would_be", "is_done"):
            verb = self.participles.get(str(word))
            if verb is None:
                raise self.unknown("G0504", "participle", word, list(self.participles), "a verb declares it under done")
            return verb
        verb = self.verb_words.get(str(word))
        if verb is None:
            raise self.unknown("G0502", "verb", word, list(self.verb_words), "only verbs of the package are heard")
        return verb

    def event_phrases(
        self, verb: Verb, phrases: tuple[s.Phrase, ...], tests: list[Expr], scope: Scope
    ) -> list[s.Phrase]:
        rest: list[s.Phrase] = []
        own: tuple[int, s.Phrase, list[s.Phrase]] | None = None
        for phrase in phrases:
            index = next((i for i, p in enumerate(verb.params) if p.role == phrase.prep.type), None)
            if index is not None:
                if own is not None:
                    self.match_arg(verb, own[0], own[1].item, own[2], tests, scope)
                own = (index, phrase, [])
            elif phrase.prep.type == "BY":
                noun = phrase.item
                if isinstance(noun, s.Operand) and len(noun.items) == 1:
                    noun = noun.items[0]
                if isinstance(noun, s.Count | s.Operand | s.BareWords):
                    raise self.problem("G0601", phrase, "by names who acts", "by you, by an opponent")
                tests.append(self.match_actor(s.Full(noun, ()), scope))
            elif own is not None:
                own[2].append(phrase)
            else:
                rest.append(phrase)
        if own is not None:
            self.match_arg(verb, own[0], own[1].item, own[2], tests, scope)
        return rest

    def match_actor(self, subject: s.Full, scope: Scope) -> Expr:
        actor = Ref(["arg", 0], SEAT)
        noun = subject.noun
        test = self.at(subject, self.matches(actor, noun, list(subject.phrases), scope))
        if isinstance(noun, s.Noun):
            self.participants.append((str(noun.words[-1]), actor))
            scope.they = actor.expr
        return test

    def match_arg(
        self, verb: Verb, index: int, noun: Item, phrases: list[s.Phrase], tests: list[Expr], scope: Scope
    ) -> None:
        if isinstance(noun, s.Operand) and len(noun.items) == 1:
            noun = noun.items[0]
        param = verb.params[index]
        ref = Ref(["arg", index + 1], param.type)
        if param.type.sort == "number":
            if isinstance(noun, s.Counted | s.Count):
                count = noun.count if isinstance(noun, s.Counted) else noun
                tests.append(self.at(noun, self.enough(ref.expr, count, scope)))
                return
            raise self.problem("G0601", noun, f"the {param.name} is a number", "2 or more, up to 3")
        element = ref
        if param.type.sort == "zone" and self.peek(noun, scope).sort == "fixture":
            element = Ref(["fixof", ref.expr], Type("fixture"))
        if param.type.many:
            slot = scope.unit.slot()
            test = self.matches(Ref(["slot", slot], param.type.one()), noun, phrases, scope)
            test = ["any", ["filter", ["members", param.type.sort, ref.expr], slot, test]]
        else:
            test = self.matches(element, noun, phrases, scope)
        if test != ["int", 1]:
            tests.append(self.at(noun, test))
        if param.role == "object":
            scope.it = ref
            if scope.event is not None:
                scope.event.object = ref
        if isinstance(noun, s.Noun | s.Counted):
            found = self.nouns.get(str(noun.words[-1]))
            if found is not None:
                kind = found[0].id
                self.participants.append((kind, Ref(element.expr, Type(element.type.sort, kind, param.type.many))))

    def edge(self, window: s.Window, scope: Scope) -> tuple[Verb, str, list[Expr]]:
        """At the start of, at the end of a procedure."""
        assert window.noun is not None
        noun = window.noun.noun
        words = noun.words if isinstance(noun, s.Noun | s.Owned) else ()
        verb = self.model.verbs.get(str(words[-1])) if len(words) == 1 else None
        if verb is None or not verb.procedure:
            names = [v.id for v in self.model.verbs.values() if v.procedure]
            word = words[-1] if words else window.word
            raise self.unknown("G0510", "procedure", word, names, f"one of {', '.join(names)}")
        self.used_names.add(verb.id)
        tests: list[Expr] = []
        self.participants = []
        actor = Ref(["arg", 0], SEAT)
        phrases = list(window.noun.phrases)
        if isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "YOUR":
            tests.append(["==", actor.expr, scope.you])
        elif isinstance(noun, s.Owned):
            owner = s.Noun(noun.det, noun.owner, None, (), None)
            tests.append(self.matches(actor, owner, [], scope))
            self.participants.append((str(noun.owner[-1]), actor))
            scope.they = actor.expr
        elif phrases and phrases[0].prep.type == "OF":
            tests.append(self.matches(actor, phrases[0].item, phrases[1:], scope))
            scope.they = actor.expr
            phrases = []
        self.no_phrases(phrases)
        self.name_participants(verb, [*verb.params, *verb.settings], window.kind == "end", scope)
        scope.event = EventShape(verb, False)
        return verb, "before" if window.kind == "start" else "after", [t for t in tests if t != ["int", 1]]

    # ------------------------------------------------------------ what lasts

    def lasting(
        self,
        node: s.Statement,
        scope: Scope,
        base: int,
        label: str,
        clauses: tuple[str, ...],
        only: Text | None,
        extra: list[Expr] | None = None,
    ) -> list[tuple[str, int]]:
        """A prohibition or a modifier, perhaps under a condition. Gives the table entries that it made."""
        tests = list(extra or [])
        if only is not None:
            saved, self.text = self.text, only
            try:
                tests.append(self.condition(only.node, scope))
            finally:
                self.text = saved
        match node:
            case s.Gated(gate, body) if gate.kind in ("while", "if") and gate.condition is not None:
                tests.append(self.condition(gate.condition, scope))
                inner = body.statements if isinstance(body, s.Block) else (s.Line(None, body, False),)
                return self.lasting_lines(inner, scope, base, label, clauses, tests)
            case s.Block(lines):
                return self.lasting_lines(lines, scope, base, label, clauses, tests)
            case s.Together(parts):
                lines = tuple(s.Line(None, part, False) for part in parts)
                return self.lasting_lines(lines, scope, base, label, clauses, tests)
            case s.Cannot(subject, action):
                event = s.Event("would", subject, action.verb, action, ())
                return [self.forbid(event, scope.inner(), tests, base, label, clauses, node)]
            case s.CannotBe(subject, word, phrases):
                event = s.Event("would_be", subject, word, None, phrases)
                return [self.forbid(event, scope.inner(), tests, base, label, clauses, node)]
            case s.Gets():
                return [self.modifier(node, scope.inner(), tests, base, clauses)]
        raise self.problem(
            "G0607", node, "what lasts is a cannot or a gets", "you cannot .., NP cannot be .., NP gets +1 .."
        )

    def lasting_lines(
        self,
        lines: tuple[s.Line, ...],
        scope: Scope,
        base: int,
        label: str,
        clauses: tuple[str, ...],
        tests: list[Expr],
    ) -> list[tuple[str, int]]:
        made: list[tuple[str, int]] = []
        for line in lines:
            carried = clauses
            if line.clause is not None:
                clause = self.clause_id(line.clause)
                carried = (*clauses, clause) if clause is not None else clauses
            made += self.lasting(line.statement, scope, base, label, carried, None, tests)
        return made

    def forbid(
        self, event: s.Event, scope: Scope, tests: list[Expr], base: int, label: str, clauses: tuple[str, ...], node: s.Statement
    ) -> tuple[str, int]:  # fmt: skip
        window = s.Window(event.verb, "when", event, None)
        verb, _, found = self.heard(window, scope)
        cond = self.both([*tests, *found])
        made: dict[str, Any] = {
            "id": label, "label": label, "on": verb.index, "phase": "cannot", "of": base, "live": None,
            "cond": None if cond == ["int", 1] else cond, "optional": False, "asks": None, "proc": -1, "limit": None, "once": False,
            "reads": [], "writes": [], "at": self.place(node), "slots": scope.unit.slots,
        }  # fmt: skip
        if clauses:
            made["clauses"] = list(clauses)
        self.tables.abilities.append(made)
        return "ability", len(self.tables.abilities) - 1

    def modifier(
        self, node: s.Gets, scope: Scope, tests: list[Expr], base: int, clauses: tuple[str, ...]
    ) -> tuple[str, int]:
        subject = node.subject
        if len(node.words) != 1:
            raise self.problem("G0602", node, "what does it get more of?", "NP gets +1 FIELD")
        made = self.denote(subject, scope)
        noun_type = made.type.one()
        declared = self.model.field(noun_type.kind, str(node.words[-1]))
        if declared is None or declared.type.sort != "number":
            names = [
                n
                for k in self.model.ancestors(noun_type.kind)
                for n, f in self.model.kinds[k].fields.items()
                if f.type.sort == "number"
            ]
            hint = f"its numbers are {', '.join(names)}" if names else "it has no numbers"
            raise self.unknown("G0501", f"number of a {noun_type}", node.words[-1], names, hint)
        declared.used = True
        slot = scope.unit.slot()
        scope.it = Ref(["slot", slot], noun_type)
        if noun_type.sort == "seat":
            scope.they = ["slot", slot]
        # what a modifier reads is the state without modifiers: none depends on another
        cond = unmodified(self.both([*tests, self.member(scope.it, made)]))
        amount = unmodified(self.amount(node.amount, scope))
        entry: dict[str, Any] = {
            "col": declared.column, "of": base, "live": None, "slot": slot, "cond": None if cond == ["int", 1] else cond,
            "add": amount if node.sign.type == "PLUS" else ["-", ["int", 0], amount], "set": None, "slots": scope.unit.slots, "at": self.place(node),
        }  # fmt: skip
        if clauses:
            entry["clauses"] = list(clauses)
        self.tables.modifiers.append(entry)
        return "modifier", len(self.tables.modifiers) - 1

    # ------------------------------------------------------------ effects that last for a time

    def grant(self, gate: s.Gate, body: s.Statement, scope: Scope) -> Stmt:
        """`until the end of the turn: ..`, `next time ..: ..`, a window inside an effect."""
        outer = self.unit
        until = -1
        if gate.kind == "until":
            assert gate.noun is not None
            noun = gate.noun.noun
            if gate.noun.phrases or not isinstance(noun, s.Noun):
                raise self.problem(
                    "G0610",
                    gate.noun,
                    "a duration ends with a procedure, whoever takes it",
                    "until the end of the turn",
                )
            until = self.scope_proc(noun.words)
            lines = body.statements if isinstance(body, s.Block) else (s.Line(None, body, False),)
        else:
            lines = (s.Line(None, s.Gated(gate, body), False),)
        abilities: list[int] = []
        modifiers: list[int] = []
        captures: list[Expr] = []
        label = (self.text.owner if self.text else outer.id) or outer.id
        for line in lines:
            # all effects of one grant share the captured values; each has its own window of slots above them
            inner_unit = Unit(f"{outer.id}.lasting", 2 + CAPTURES, captures, True)
            self.unit = inner_unit
            inner = Scope(inner_unit, scope)
            clause = self.clause_id(line.clause) if line.clause is not None else None
            clauses = (clause,) if clause is not None else ()
            try:
                statement = line.statement
                if isinstance(statement, s.Gated) and statement.gate.kind == "window":
                    abilities.append(self.float_ability(statement, inner, label, clauses))
                else:
                    for table, index in self.lasting(statement, inner, FLOATING, label, clauses, None):
                        (abilities if table == "ability" else modifiers).append(index)
            finally:
                self.unit = outer
        if len(captures) > CAPTURES:
            raise self.problem(
                "G0705", gate.word, f"more than {CAPTURES} values are kept by this effect", "use fewer names inside it"
            )
        return {"op": "grant", "abilities": abilities, "modifiers": modifiers, "until": until, "captures": captures}

    def float_ability(self, statement: s.Gated, scope: Scope, label: str, clauses: tuple[str, ...]) -> int:
        window = statement.gate.window
        assert window is not None
        verb, phase, tests = self.heard(window, scope)
        body = (
            statement.body if isinstance(statement.body, s.Block) else s.Block((s.Line(None, statement.body, False),))
        )
        once = window.kind == "next"
        return self.finish_ability(body, verb, phase, tests, scope, FLOATING, label, None, once, clauses)

    # ------------------------------------------------------------ the last pass

    def close_tables(
        self, programs: dict[str, list[int]], columns: list[dict[str, Any]], variables: list[dict[str, Any]]
    ) -> None:
        """When all is lowered: footprints, conditions of optional abilities, no needless trials."""

        def bounded(stmt: Stmt) -> bool:
            row = variables[stmt["var"]] if stmt["op"] == "setvar" else columns[stmt["col"]]
            return row["min"] is not None or row["max"] is not None

        tables = self.tables
        guarded = [(made, guard, partial(self.cheap, body, made["of"] == RULE)) for made, guard, body in self.guarded]
        self.guarded = []
        finish(tables.procs, tables.abilities, tables.modifiers, programs, len(self.model.zones), bounded, guarded)

    def cheap(self, body: Stmt, rule: bool) -> Expr | None:
        """What can be seen without trying: each part of a cost up to its first choice can be started."""
        tests: list[Expr] = []
        first = next((part for part in (body["body"] if body["op"] == "seq" else [body]) if part["op"] != "let"), None)
        cost = first["cost"] if first is not None and first["op"] == "pay" else first
        for part in [] if cost is None else cost["body"] if cost["op"] == "seq" else [cost]:
            test = self.startable(part)
            if test is not None:
                tests.append(test)
            if part["op"] in ("menu", "choose"):
                break
        if not tests:
            return None
        return replace_slot(self.both(tests), 0, ["arg", 0]) if rule else self.both(tests)

    def add_proc(self, name: str, params: int, unit: Unit, body: Stmt, verb: bool, **more: Any) -> int:
        made = {
            "id": name, "params": params, "slots": unit.slots, "body": body if self.checking else tidy(body), "verb": verb, "scope": False,
            "label": name, **more,
        }  # fmt: skip
        self.tables.procs.append(made)
        return len(self.tables.procs) - 1


def unmodified(expr: Expr) -> Expr:
    """An expression that reads every number without the modifiers on it."""
    made = [unmodified(part) if isinstance(part, list) else part for part in expr]
    return ["col", *made[1:]] if made and made[0] == "attr" else made


def _follows(node: s.Statement) -> bool:
    """A line that only goes on when the `may` above it was taken."""
    return (
        isinstance(node, s.Gated)
        and node.gate.kind == "if"
        and isinstance(node.gate.condition, s.Did)
        and not node.gate.condition.negated
    )

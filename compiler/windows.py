"""Lower windows and durations: abilities, prohibitions, continuous modifiers, floating effects."""

from __future__ import annotations

from typing import Any

from lark import Token

from grimoire.compiler import syntax as s
from grimoire.compiler.base import CURRENT, Unresolved, seq, tidy
from grimoire.compiler.model import NUMBER, SEAT, Ability, Definition, Expr, Stmt, Text, Type, Verb
from grimoire.compiler.scope import EventShape, Ref, Scope, Unit
from grimoire.compiler.statements import Statements

RULE = -1
FLOATING = -2


class Windows(Statements):
    """Abilities of cards and rules, and effects that last."""

    # ------------------------------------------------------------ declared abilities

    def ability(self, ability: Ability, owner: Definition | None) -> None:
        """One ability of a card (owner) or of the rules (no owner)."""
        base = owner.index if owner is not None else RULE
        label = f"{owner.id}.{ability.id}" if owner is not None else ability.id
        if ability.always is not None and ability.always.ok:
            self.text = ability.always
            unit = self.enter(f"{label}.always", None)
            scope = self.ability_scope(unit, owner)
            for line in ability.always.node.statements:
                try:
                    self.lasting(line.statement, scope, base, label, ability.clauses, self.only_of(ability, owner))
                except Unresolved:
                    continue
        if ability.window is None or ability.do is None or not (ability.window.ok and ability.do.ok):
            return
        try:
            self.triggered(ability, owner, base, label)
        except Unresolved:
            return

    def only_of(self, ability: Ability, owner: Definition | None) -> Text | None:
        return ability.only if ability.only is not None and ability.only.ok else None

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
        self.text = ability.window
        verb, phase, tests = self.heard(ability.window.node, scope)
        if ability.only is not None and ability.only.ok:
            self.text = ability.only
            tests.append(self.condition(ability.only.node, scope))
        self.text = ability.do
        self.finish_ability(ability.do.node, verb, phase, tests, scope, base, label, self.limit(ability), False, ability.clauses)

    def finish_ability(
        self, node: s.Block, verb: Verb, phase: str, tests: list[Expr], scope: Scope, base: int, label: str,
        limit: dict[str, int] | None, once: bool, clauses: tuple[str, ...],
    ) -> int:  # fmt: skip
        unit = scope.unit
        optional, asks, body = self.optional_body(node, scope)
        cond = self.both(tests)
        made: dict[str, Any] = {
            "id": f"{label}", "label": label, "on": verb.index, "phase": phase, "of": base, "live": None,
            "cond": None if cond == ["int", 1] else cond, "optional": optional, "asks": asks, "proc": -1, "limit": limit, "once": once,
            "reads": [], "writes": [], "at": self.place(node.statements[0].statement),
        }  # fmt: skip
        if clauses:
            made["clauses"] = list(clauses)
        made["proc"] = self.add_proc(f"ability:{label}", 0, unit, body, verb=False)
        self.tables.abilities.append(made)
        return len(self.tables.abilities) - 1

    def optional_body(self, node: s.Block, scope: Scope) -> tuple[bool, Expr | None, Stmt]:
        """An ability whose whole text is `may ..` is optional: the window itself asks, and the cost is checked there."""
        if len(node.statements) == 1:
            statement = node.statements[0].statement
            match statement:
                case s.Pay(s.Act(subject, modal, action), rest) if modal is not None and modal.type == "MAY":
                    plain: s.Statement = s.Pay(s.Act(None, None, action), rest)
                    return self._optional(plain, subject, scope)
                case s.Gated(s.Gate(kind="pay", cost=s.Act(subject, modal, action)) as gate, body) if modal is not None and modal.type == "MAY":
                    return self._optional(s.Gated(gate._replace(cost=s.Act(None, None, action)), body), subject, scope)
                case s.Act(subject, modal, action) if modal is not None and modal.type == "MAY":
                    return self._optional(s.Act(None, None, action), subject, scope)
                case s.Gated(s.Gate(kind="modal", word=word, noun=noun), body) if word.type == "MAY":
                    return self._optional(body, noun, scope)
        return False, None, self.block(node, scope)

    def _optional(self, plain: s.Statement, subject: s.Full | None, scope: Scope) -> tuple[bool, Expr | None, Stmt]:
        asks: Expr | None = None
        inner = scope.inner()
        if subject is not None:
            asks = self.one(self.denote(subject, scope), subject).expr
            inner.they = inner.asks = asks
        body = self.body(plain, inner)
        self.close(inner)
        return True, asks, body

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
        if verb is None or not verb.procedure:
            raise self.unknown("G0510", "procedure", word, [v.id for v in self.model.verbs.values() if v.procedure] + ["game"])
        self.used_names.add(verb.id)
        return verb.index

    # ------------------------------------------------------------ which event is heard

    def heard(self, window: s.Window, scope: Scope) -> tuple[Verb, str, list[Expr]]:
        if window.kind == "any":
            raise self.problem("G0610", window.word, "at any time is not a window that the engine opens yet", "name the event: before .., after .., when .. would ..")
        if window.noun is not None:
            return self.edge(window, scope)
        event = window.event
        assert event is not None
        verb = self.event_verb(event)
        verb.used = True
        self.used_names.add(verb.id)
        would = event.form in ("would_be", "would")
        phase = {"before": "before", "after": "after", "when": "instead" if would else "after", "next": "instead" if would else "after"}[window.kind]
        tests: list[Expr] = []
        shape = EventShape(verb, would or window.kind == "before")
        scope.event = shape
        if event.form in ("would_be", "is_done"):
            target = next((i for i, p in enumerate(verb.params) if p.role == "object"), None)
            phrases = self.event_phrases(verb, event.phrases, tests, scope)
            assert event.subject is not None
            if target is None:
                raise self.problem("G0607", event.subject, f'"{verb.id}" has no object that could be {event.verb}')
            self.match_arg(verb, target, event.subject.noun, [*event.subject.phrases, *phrases], tests, scope)
        else:
            assert event.action is not None and event.subject is not None
            self.match_actor(event.subject, tests, scope)
            action = event.action
            preps = tuple(p.role for p in verb.params if p.role not in (None, "object", "amount"))
            own, taken = self.share(action, preps)  # type: ignore[arg-type]
            if action.object is not None:
                target = next((i for i, p in enumerate(verb.params) if p.role in ("object", "amount")), None)
                if target is None:
                    raise self.problem("G0603", action.object, f'"{verb.id}" takes no object')
                if verb.params[target].role == "object":
                    self.match_arg(verb, target, action.object.items[0], own, tests, scope)
            for role, (phrase, tail) in taken.items():
                index = next(i for i, p in enumerate(verb.params) if p.role == role)
                self.match_arg(verb, index, phrase.item, tail, tests, scope)
        return verb, phase, tests

    def event_verb(self, event: s.Event) -> Verb:
        word = event.verb
        if event.form in ("would_be", "is_done"):
            verb = self.participles.get(str(word))
            if verb is None:
                raise self.unknown("G0504", "participle", word, list(self.participles), "a verb declares it under done")
            return verb
        verb = self.verb_words.get(str(word))
        if verb is None:
            raise self.unknown("G0502", "verb", word, list(self.verb_words))
        return verb

    def event_phrases(self, verb: Verb, phrases: tuple[s.Phrase, ...], tests: list[Expr], scope: Scope) -> list[s.Phrase]:
        rest: list[s.Phrase] = []
        for phrase in phrases:
            index = next((i for i, p in enumerate(verb.params) if p.role == phrase.prep.type), None)
            if index is not None:
                self.match_arg(verb, index, phrase.item, [], tests, scope)
            elif phrase.prep.type == "BY":
                noun = phrase.item
                if isinstance(noun, s.Count | s.Operand | s.BareWords):
                    raise self.problem("G0601", phrase, "by names who acts")
                self.match_actor(s.Full(noun, ()), tests, scope)
            else:
                rest.append(phrase)
        return rest

    def match_actor(self, subject: s.Full, tests: list[Expr], scope: Scope) -> None:
        actor = Ref(["arg", 0], SEAT)
        noun = subject.noun
        tests.append(self.at(subject, self.matches(actor, noun, list(subject.phrases), scope)))
        if isinstance(noun, s.Noun):
            scope.bind(str(noun.words[-1]), actor, None)

    def match_arg(self, verb: Verb, index: int, noun: Any, phrases: list[s.Phrase], tests: list[Expr], scope: Scope) -> None:
        param = verb.params[index]
        ref = Ref(["arg", index + 1], param.type)
        if param.type.sort == "number":
            return
        test = self.matches(ref, noun, phrases, scope)
        if test != ["int", 1]:
            tests.append(self.at(noun, test))
        if param.role == "object":
            scope.it = ref
            if scope.event is not None:
                scope.event.object = ref
        kind = param.type.kind
        if isinstance(noun, s.Noun | s.Counted):
            word = str(noun.words[-1])
            found = self.nouns.get(word)
            if found is not None:
                kind = found[0].id
                scope.bind(kind, Ref(ref.expr, Type(param.type.sort, kind, param.type.many)), None)

    def edge(self, window: s.Window, scope: Scope) -> tuple[Verb, str, list[Expr]]:
        """At the start of, at the end of a procedure."""
        assert window.noun is not None
        noun = window.noun.noun
        words = noun.words if isinstance(noun, s.Noun | s.Owned) else ()
        verb = self.model.verbs.get(str(words[-1])) if words else None
        if verb is None or not verb.procedure:
            names = [v.id for v in self.model.verbs.values() if v.procedure]
            raise self.unknown("G0510", "procedure", words[-1] if words else window.word, names)
        self.used_names.add(verb.id)
        tests: list[Expr] = []
        actor = Ref(["arg", 0], SEAT)
        if isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "YOUR":
            tests.append(["==", actor.expr, scope.you])
        elif isinstance(noun, s.Owned):
            owner = s.Noun(noun.det, noun.owner, None, (), None)
            tests.append(self.matches(actor, owner, [], scope))
            scope.bind(str(noun.owner[-1]), actor, None)
        scope.event = EventShape(verb, window.kind == "start")
        return verb, "before" if window.kind == "start" else "after", tests

    # ------------------------------------------------------------ what lasts

    def lasting(
        self, node: s.Statement, scope: Scope, base: int, label: str, clauses: tuple[str, ...], only: Text | None, extra: list[Expr] | None = None
    ) -> list[tuple[str, int]]:
        """A prohibition or a modifier, perhaps under a condition. Gives the table entries that it made."""
        tests = list(extra or [])
        if only is not None:
            saved, self.text = self.text, only
            tests.append(self.condition(only.node, scope))
            self.text = saved
        match node:
            case s.Gated(gate, body) if gate.kind in ("while", "if") and gate.condition is not None:
                tests.append(self.condition(gate.condition, scope))
                inner = body.statements if isinstance(body, s.Block) else (s.Line(None, body, False),)
                made: list[tuple[str, int]] = []
                for line in inner:
                    made += self.lasting(line.statement, scope, base, label, clauses, None, tests)
                return made
            case s.Block(lines):
                return [entry for line in lines for entry in self.lasting(line.statement, scope, base, label, clauses, None, tests)]
            case s.Cannot(subject, action):
                inner_scope = scope.inner()
                verb = self.verb_words.get(str(action.verb))
                if verb is None:
                    raise self.unknown("G0502", "verb", action.verb, list(self.verb_words))
                event = s.Event("would", subject, action.verb, action, ())
                return [self.forbid(event, inner_scope, tests, base, label, clauses, node)]
            case s.CannotBe(subject, word, phrases):
                event = s.Event("would_be", subject, word, None, phrases)
                return [self.forbid(event, scope.inner(), tests, base, label, clauses, node)]
            case s.Gets(subject, sign, amount, words):
                return [self.modifier(node, scope, tests, base, clauses)]
        raise self.problem("G0607", node, "what lasts is a cannot or a gets", "you cannot .., NP cannot be .., NP gets +1 ..")

    def forbid(
        self, event: s.Event, scope: Scope, tests: list[Expr], base: int, label: str, clauses: tuple[str, ...], node: s.Statement
    ) -> tuple[str, int]:
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

    def modifier(self, node: s.Gets, scope: Scope, tests: list[Expr], base: int, clauses: tuple[str, ...]) -> tuple[str, int]:
        subject = node.subject
        if not node.words:
            raise self.problem("G0602", node, "what does it get more of?", "NP gets +1 FIELD")
        slot = scope.unit.slot()
        noun_type = self.denote(subject, scope).type
        declared = self.model.field(noun_type.kind, str(node.words[-1]))
        if declared is None or declared.type.sort != "number":
            names = [n for k in self.model.ancestors(noun_type.kind) for n, f in self.model.kinds[k].fields.items() if f.type.sort == "number"]
            raise self.unknown("G0501", f"number of a {noun_type}", node.words[-1], names)
        declared.used = True
        made = self.denote(subject, scope)
        test = self.member(Ref(["slot", slot], noun_type.one()), made)
        cond = self.both([*tests, test])
        amount = self.amount(node.amount, scope)
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
            until = self.scope_proc(noun.words if isinstance(noun, s.Noun) else (gate.word,))
            parts = list(body.statements) if isinstance(body, s.Block) else [s.Line(None, body, False)]
        else:
            parts = [s.Line(None, s.Gated(gate, body), False)]
        abilities: list[int] = []
        modifiers: list[int] = []
        captures: list[Expr] = []
        unit = Unit(f"{outer.id}.lasting", 2, captures, True)
        label = (self.text.owner if self.text else outer.id) or outer.id
        for line in parts:
            # all effects of one grant share the captured values; each has its own window of slots above them
            inner_unit = Unit(unit.id, 2 + 12, captures, True)
            self.unit = inner_unit
            inner = Scope(inner_unit, scope)
            inner.granting = True
            inner.this = Ref(["slot", 1], scope.this.type) if scope.this is not None else None
            try:
                statement = line.statement
                if isinstance(statement, s.Gated) and statement.gate.kind == "window":
                    abilities.append(self.float_ability(statement, inner, label))
                else:
                    for table, index in self.lasting(statement, inner, FLOATING, label, (), None):
                        (abilities if table == "ability" else modifiers).append(index)
            finally:
                self.unit = outer
        if len(captures) > 12:
            raise self.problem("G0705", gate.word, "more than 12 values are kept by this effect")
        return {"op": "grant", "abilities": abilities, "modifiers": modifiers, "until": until, "captures": captures}

    def float_ability(self, statement: s.Gated, scope: Scope, label: str) -> int:
        window = statement.gate.window
        assert window is not None
        verb, phase, tests = self.heard(window, scope)
        body = statement.body if isinstance(statement.body, s.Block) else s.Block((s.Line(None, statement.body, False),))
        return self.finish_ability(body, verb, phase, tests, scope, FLOATING, label, None, window.kind == "next", ())

    def add_proc(self, name: str, params: int, unit: Unit, body: Stmt, verb: bool, **more: Any) -> int:
        self.tables.procs.append({"id": name, "params": params, "slots": unit.slots, "body": tidy(body), "verb": verb, "scope": False, "label": name, **more})
        return len(self.tables.procs) - 1


__all__ = ["CURRENT", "NUMBER", "Token", "Windows", "seq"]

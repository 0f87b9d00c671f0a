"""Say an effect in a language: the tree of a text becomes sentences.

In: a syntax node, the tables of the language (grammar/wording), the words of the package. Out: text; and what there are
no words for, which is a finding of the caller. Every wording is a pattern of the tables: a slot is filled with a part
of the node in the form that the pattern asks for, so the same tables can read a sentence back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from grimoire.compiler.localisation.text.conditions import Tests, is_usual
from grimoire.compiler.localisation.text.inflect import Features, Grammar, Term, Verb
from grimoire.compiler.localisation.text.nouns import FURTHER, Head
from grimoire.compiler.localisation.text.patterns import YOU, Lexicon, Slot, make_fixed
from grimoire.compiler.localisation.text.short_forms import find_pick, in_one_row
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

T = TypeVar("T")


_TIMES = {2: "twice", 3: "thrice"}


class Sayer(Tests):
    """Says the texts of one card."""

    def __init__(self, grammar: Grammar, lexicon: Lexicon, this: str, *, brief: bool = True) -> None:
        super().__init__(grammar, lexicon, this)
        self.brief = brief  # steps that do the same to several things are said in one clause
        self.shortened = False  # whether that has happened
        self.actor = "you"  # who acts where a clause does not say it
        self.about_to_answer: set[str] = set()  # nouns of the window that is being said
        self.inside_steps = False  # whether what is said is one of several steps or options
        self.lasting = False  # whether what is said holds for a time, and is not done once

    # ------------------------------------------------------------ texts

    def text(self, lines: Iterable[s.Line], lasting: bool = False) -> str:
        """The sentences of a text, of something that is done or that lasts."""
        self.lasting = lasting
        return " ".join(self.sentence(said) for said in self.lines([line.statement for line in lines], "imp"))

    def lines(self, statements: Sequence[s.Statement], mood: str) -> Iterator[str]:
        """What each line says; `either: .. or: ..` are one."""
        at = 0
        while at < len(statements):
            options = either_group(statements[at:])
            again = count_repeats(statements[at:])
            if again > 1 and _TIMES.get(again) in self.frames:
                yield self.frame(_TIMES[again], body=self.clause(statements[at], mood))
                at += again
                continue
            count, together = self.row(statements[at:])
            if together is not None:
                yield self.statement(together, mood)
                at += count
                continue
            if len(options) > 1:
                yield self.frame(self.by_mood("one-of", mood), options=self.options(options, mood))
            else:
                yield self.statement(statements[at], mood)
            at += max(1, len(options))

    def row(self, statements: Sequence[s.Statement]) -> tuple[int, s.Act | None]:
        """Steps that do the same to one thing after the other, if the verb says to what it is done."""
        count, together = in_one_row(statements) if self.brief else (1, None)
        said = together is not None and "{object" in self.verb(str(together.action.verb)).pattern
        self.shortened = self.shortened or said
        return (count, together) if said else (1, None)

    def is_one(self, body: s.Block) -> bool:
        """Whether the steps of a block are said in one clause."""
        steps = [line.statement for line in body.statements]
        twice = _TIMES.get(len(steps)) in self.frames and count_repeats(steps) == len(steps)
        return len(steps) in (1, len(either_group(steps)), self.row(steps)[0]) or twice

    def options(self, options: Sequence[s.Statement], mood: str) -> Slot:
        def say(asked: str) -> str:
            before, said = self.inside_steps, list[str]()
            for at, option in enumerate(options):
                self.inside_steps = before or at + 1 < len(options)
                said.append(self.body(option, asked or mood))
            self.inside_steps = before
            text = said[0]
            for other in said[1:]:
                text = self.frame("join-options", first=make_fixed(text), last=make_fixed(other))
            return text

        return Slot(say)

    @staticmethod
    def sentence(text: str) -> str:
        return text if not text else text[0].upper() + text[1:] + ("" if text[-1] in ".:" else ".")

    def body(self, node: s.Statement, mood: str) -> str:
        """The steps of a block; those of a block inside another are told apart from the steps behind it."""
        if not isinstance(node, s.Block):
            return self.statement(node, mood)
        if len(node.statements) == 1:
            return self.statement(node.statements[0].statement, mood)
        steps = [line.statement for line in node.statements]
        inner, self.inside_steps = self.inside_steps, self.inside_steps or not self.is_one(node)
        try:
            said = list(self.lines(steps, mood))
        finally:
            self.inside_steps = inner
        text = said[0]
        asks = isinstance(steps[0], s.Require)  # no step itself
        for at, step in enumerate(said[1:]):
            if inner and (at or not asks):
                text = self.frame("then", first=make_fixed(text), rest=make_fixed(step))
            else:
                text += f"; {step}"
        return text

    def cannot(self, frame: str, subject: s.Full) -> str:
        """`no card can ..` and `a card cannot ..` may be said in different ways."""
        det = subject.noun.det if isinstance(subject.noun, s.Noun) else None
        some = det is not None and det.type in ("A", "ANY")
        return f"{frame}-any" if some and f"{frame}-any" in self.frames else frame

    def clause(self, node: s.Statement, mood: str, lasting: bool | None = None) -> Slot:
        def say(asked: str) -> str:
            before = self.lasting
            self.lasting = before if lasting is None else lasting
            try:
                return self.body(node, asked or mood)
            finally:
                self.lasting = before

        return Slot(say)

    def statement(self, node: s.Statement, mood: str = "imp") -> str:
        match node:
            case s.Act(subject, modal, action):
                return self.act(subject, modal, action, mood)
            case s.Cannot(subject, action):
                return self.frame(
                    self.cannot("cannot", subject),
                    subject=self.full(subject, negated=True),
                    action=self.action(action, who(subject)),
                )
            case s.CannotBe(subject, verb, phrases):
                what, said = self.full(subject, negated=True), self.bare_verb(verb)
                return self.frame(
                    self.cannot("cannot-be", subject), subject=what, verb=said, phrases=self.phrases(phrases)
                )
            case s.Assign(target, value):
                return self.assign(target, value, mood)
            case s.Gets(subject, sign, amount, words):
                slots = {"subject": self.full(subject), "amount": self.amount(amount)}
                state = self.words.terms.get(str(words[-1])) if words else None
                own = state.get.get("more" if sign == "+" else "less") if state is not None else None
                if own is not None:
                    return self.fill(own, slots)
                slots |= {"what": self.noun(words)} if words else {}
                return self.frame("gets-more" if sign == "+" else "gets-less", **slots)
            case s.Change(sign, amount, word):
                grown_by = self.say_counted(
                    s.Count(sign, "exactly", amount, None), (self.find_counter(word),), None, ()
                )
                return self.frame("plus" if sign == "+" else "minus", what=grown_by)
            case s.Either(_, options):
                return self.join("either", [self.action(option, "you").say(mood) for option in options])
            case s.Require(_, condition):
                return self.frame("require", condition=self.condition(condition))
            case s.Together(parts):
                return self.together(parts, mood)
            case s.Then(first, word, rest):
                name = "then" if word == "then" else "next"
                return self.frame(name, first=self.clause(first, mood), rest=self.clause(rest, mood))
            case s.Pay(cost, rest):
                pick = find_pick(cost, rest)
                if pick is not None:
                    found = self.head(pick.noun) or (self.this, "sg")
                    return self.spread(pick.name, self.np(pick.noun, pick.phrases), found, pick.step, mood)
                return self.frame("pay", cost=self.clause(cost, mood), rest=self.clause(rest, mood))
            case s.Gated(gate, body):
                return self.say_gated(gate, body, mood)
            case s.Block():
                return self.body(node, mood)

    def find_counter(self, word: Token) -> Token:
        """The word of the term for `+1 action`, which may be called `actions`."""
        names = (str(word), f"{word}s", str(word).removesuffix("s"))
        return next((word.update(value=name) for name in names if name in self.words.terms), word)

    # ------------------------------------------------------------ clauses

    def act(self, subject: s.Full | None, modal: Token | None, action: s.Action, mood: str) -> str:
        may = modal is not None and modal.type == "MAY"
        if subject is None:
            done = self.action(action, self.actor)
            return self.frame("may", action=done) if may else done.say(mood)
        doer, done = self.full(subject), self.action(action, who(subject))
        if may:
            return self.frame("subject-may", subject=doer, action=done)
        return self.frame("subject-must", subject=doer, action=indicative(done, doer))

    def together(self, parts: Sequence[s.Statement], mood: str) -> str:
        """`A and B`: a subject and a modal that two parts share are said once."""
        said: list[str] = []
        before: s.Statement | None = None
        first = parts[0].modal if isinstance(parts[0], s.Act) and parts[0].subject is None else None
        allowed = first is not None and first.type == "MAY"
        for part in parts:
            if (
                isinstance(part, s.Act)
                and isinstance(before, s.Act)
                and part.subject is not None
                and part.subject == before.subject
            ):
                may = part.modal is not None and part.modal.type == "MAY"
                form = "inf" if may else form_of(self.full(part.subject))
                said.append(self.action(part.action, who(part.subject)).say(form))
            elif allowed and isinstance(part, s.Act) and part.subject is None and part.modal is None:
                said.append(self.action(part.action, self.actor).say("inf"))
            else:
                said.append(self.statement(part, mood))
            before = part
        return self.join("and", said)

    def assign(self, target: s.Full, value: s.Amount, mood: str) -> str:
        name = value.name if isinstance(value, (s.Negated, s.Bare)) else None
        what = self.full(target)
        if self.lasting and name is not None:
            return self.lasts(what, str(name), isinstance(value, s.Negated))
        flag = self.words.terms.get(str(name)) if name is not None else None
        turned = flag.set.get("false" if isinstance(value, s.Negated) else "true") if flag is not None else None
        if turned is not None and flag is not None and is_usual(turned, flag, target):
            return self.set_with(turned, mood, {"subject": what, "owner": what})
        found = self.head(target.noun)
        state = self.words.terms.get(found[0]) if found is not None else None
        own = {key: said for key, said in state.set.items() if speaks_of(said, state, target)} if state else {}
        if own:
            return self.say_change(own, target, value, mood)
        grows = grown(target, value)
        if grows is not None:
            frame, amount = grows
            if frame in self.frames:
                return self.frame(self.by_mood(frame, mood), subject=what, amount=self.amount(amount))
        if name is not None and str(name) in self.words.adjectives:
            said = Slot(lambda asked: self.adjective(str(name), asked or "nom", what.features), what.features)
            frame = self.by_mood("no-longer" if isinstance(value, s.Negated) else "becomes", mood)
            return self.frame(frame, subject=what, value=said)
        return self.frame(self.by_mood("set-to", mood), subject=what, value=self.amount(value))

    def lasts(self, what: Slot, name: str, negated: bool) -> str:
        """A flag that is set as long as something lasts; its term may have a sentence for it."""
        term = self.words.terms.get(name)
        own = term.is_.get("not.true" if negated else "true") if term is not None else None
        if own is not None:
            return self.fill(own, {"subject": what})
        said = Slot(lambda asked: self.adjective(name, asked or "nom", what.features), what.features)
        return self.frame("lasts-not" if negated else "lasts", subject=what, value=said)

    def say_change(self, own: Mapping[str, str], target: s.Full, value: s.Amount, mood: str) -> str:
        """A state whose term says how it changes; `X is now X + n` may have words of its own."""
        slots = {"value": self.amount(value)}
        change = grown(target, value)
        grows = change is not None and change[0] == "grows"
        if isinstance(value, s.Binary):
            slots["amount"] = self.amount(value.right)
        if target.phrases:
            slots["owner"] = self.item(target.phrases[-1].item)
        figure = str(value.value) if isinstance(value, s.Number) else ""
        said = own.get(f"{figure}.{mood}") or own.get(figure) if figure else None
        if said is not None or any(key.partition(".")[0].isdigit() for key in own):  # words for some values only
            return self.set_with(said, mood, slots | {"subject": self.full(target)})
        key = f"more.{mood}" if grows and f"more.{mood}" in own else "more" if grows and "more" in own else mood
        return self.set_with(own.get(key) or own.get("imp"), "imp", slots | {"subject": self.full(target)})

    def set_with(self, own: str | None, mood: str, slots: Mapping[str, Slot]) -> str:
        return self.frame(self.by_mood("set-to", mood), **slots) if own is None else self.fill(own, slots)

    # ------------------------------------------------------------ gates

    def say_gated(self, gate: s.Gate, body: s.Statement, mood: str) -> str:
        several = "-block" if isinstance(body, s.Block) and not self.is_one(body) else ""
        if gate.kind == "modal":
            return self.modal(gate, body, mood, several)
        if gate.kind == "pay":
            assert gate.cost is not None
            return self.frame(f"pay{several}", cost=self.clause(gate.cost, mood), rest=self.clause(body, mood))
        name, slots = gate.kind.replace("_", "-"), dict[str, Slot]()
        if gate.condition is not None:
            condition = self.say_condition(gate.condition)
            if not condition and gate.kind == "if":
                return self.body(body, mood)
            slots["condition"] = make_fixed(condition)
        if gate.noun is not None:
            each = gate.kind == "each"
            said = self.each(gate.noun, gate.word.type == "FOR_EACH_OF") if each else self.full(gate.noun)
            slots["noun"] = said
            if gate.bind is not None and each:
                body = point_back(str(gate.bind), body)
            if gate.bind is not None and each and is_said_once(str(gate.bind), body):
                found = self.head(gate.noun.noun)
                return self.spread(str(gate.bind), said, found or (self.this, "sg"), body, mood)
            if gate.bind is not None:
                self.bind(str(gate.bind), gate.noun.noun, "sg")
        if gate.amount is not None:
            slots["amount"] = self.amount(gate.amount)
            name = "repeat-up-to" if gate.up_to else "repeat-times"
            given = name
            name = self.with_chosen(name, gate.amount)
            if name == given and not isinstance(gate.amount, s.Number) and f"{name}-of" in self.frames:
                name += "-of"
        elif gate.kind == "repeat" and gate.condition is not None:
            name = "repeat-until"
        if gate.outcomes:
            said_all = [self.outcome(outcome) for outcome in gate.outcomes]
            slots["outcomes"] = Slot(lambda asked: self.join("or", [one.say(asked) for one in said_all]))
            if gate.outcomes[0].form == "name" and "on-name" in self.frames:
                name = "on-name"
        if gate.window is not None:
            slots["window"] = make_fixed(self.say_window(gate.window))
        if gate.kind == "until":
            name = "until-start" if gate.word.type == "UNTIL_START_OF" else "until-end"
        slots["body"] = self.clause(body, mood, {"until": True, "window": False}.get(gate.kind))
        return self.frame(self.by_mood(name + several if name + several in self.frames else name, mood), **slots)

    def spread(self, name: str, over: Slot, noun: Head, body: s.Statement, mood: str) -> str:
        """`for each X as y, do it to the y`: do it to each X."""
        self.spoken_of = noun
        before, self.inline = self.inline, self.inline | {name: (over, noun)}
        try:
            return self.body(body, mood)
        finally:
            self.inline = before

    def modal(self, gate: s.Gate, body: s.Statement, mood: str, several: str) -> str:
        may = "may" if gate.word.type == "MAY" else "must"
        options = either_group([line.statement for line in body.statements]) if isinstance(body, s.Block) else ()
        if may == "may" and isinstance(body, s.Block) and len(options) == len(body.statements) > 1:
            who_may = {} if gate.noun is None else {"subject": self.full(gate.noun)}
            return self.frame(
                "may-one-of" if gate.noun is None else "subject-may-one-of",
                options=self.options(options, "inf"),
                **who_may,
            )
        if gate.noun is None:
            return self.frame(f"{may}{several}", action=self.clause(body, mood))
        doer, actor = self.full(gate.noun), who(gate.noun)

        def by_them(asked: str) -> str:
            before, self.actor = self.actor, actor
            try:
                return self.body(body, asked or mood)
            finally:
                self.actor = before

        done = indicative(Slot(by_them), doer)
        return self.frame(f"subject-{may}{several}", subject=doer, action=done)

    def outcome(self, outcome: s.Outcome) -> Slot:
        if outcome.form == "name":
            return self.noun((outcome.token,))
        number = str(outcome.token).replace("-", "–")
        if outcome.form in ("number", "range"):
            return make_fixed(number)
        return make_fixed(self.frame(outcome.form.replace("_", "-"), number=make_fixed(number)))

    # ------------------------------------------------------------ windows and limits

    def say_window(self, window: s.Window) -> str:
        text = self.say_event_of(window)
        self.mentioned |= self.about_to_answer
        return text

    def say_event_of(self, window: s.Window) -> str:
        if window.noun is not None:
            if isinstance(window.noun.noun, s.Owned):
                self.about_to_answer.add(self.noun_of(window.noun.noun.owner)[0])
            return self.frame(f"at-{window.kind}", noun=self.full(window.noun))
        if window.condition is not None:
            return self.frame("as-soon-as", condition=self.condition(window.condition))
        event = window.event
        if event is None:
            return self.frame("any-time")
        slots: dict[str, Slot] = {"verb": self.bare_verb(event.verb)}
        agent = next((phrase for phrase in event.phrases if phrase.prep.type == "BY" and event.form == "is_done"), None)
        slots["phrases"] = self.phrases([phrase for phrase in event.phrases if phrase is not agent], str(event.verb))
        if event.subject is not None:
            subjects = [self.full(subject) for subject in (event.subject, *event.others)]
            features = subjects[0].features
            slots["subject"] = Slot(lambda asked: self.join("or", [one.say(asked) for one in subjects]), features)
            self.note_subject(event.subject.noun)
        if agent is not None:
            slots["agent"] = self.item(agent.item)
            slots["verb"] = indicative(slots["verb"], slots["agent"])
        if event.action is not None:
            done = self.action(event.action, "you" if event.subject is None else who(event.subject))
            slots["action"] = indicative(done, slots.get("subject", make_fixed("", YOU)))
            if event.action.object is not None:
                self.note_subject(event.action.object)
        name = f"{window.kind}-{event.form.replace('_', '-')}{'-by' if agent else ''}"
        if agent is not None and slots["agent"].features.person == 2:
            name = self.by_mood(name, "you")
        return self.frame(name, **slots)

    def note_subject(self, item: object) -> None:
        """What an event is about: `the card` and `it` are that card from now on."""
        found = self.head(item)
        if found is not None:
            self.spoken_of = found
            self.about_to_answer.add(found[0])

    def say_limit(self, limit: s.Limit) -> str:
        name = {1: "limit-once", 2: "limit-twice"}.get(limit.times, "limit-times")
        number = make_fixed(str(limit.times), Features(figure=limit.times))
        if limit.shared:
            return self.frame(
                f"{name}-shared", scope=self.noun(limit.scope), number=number, whose=self.noun(limit.shared)
            )
        return self.frame(name, scope=self.noun(limit.scope), number=number)

    # ------------------------------------------------------------ verbs

    def action(self, node: s.Action, acting: str) -> Slot:
        """A clause without its subject, in the mood asked for."""

        def say(mood: str) -> str:
            before, self.acting = self.acting, acting
            try:
                return self.say_action(node, mood or "imp")
            finally:
                self.acting = before

        return Slot(say)

    def say_action(self, node: s.Action, mood: str) -> str:
        name = str(node.verb)
        first = node.object.items[0] if node.object is not None else None
        if name == "take" and isinstance(first, s.Noun):
            text = self.say_procedure(f"take {first.words[-1]}", node.phrases, mood)
        else:
            text = self.say_verb(name, node, mood)
        if node.bind is not None:
            self.bind_result(str(node.bind), name, node)
        if first is not None and not isinstance(first, s.Pronoun):
            self.speak_of(first)
        if node.order is not None:
            text = self.frame("in-any-order", body=make_fixed(text))
        if node.again is not None:
            text = self.say_again(text, node.again.times)
        if node.until is not None:
            text = self.frame("until", body=make_fixed(text), condition=make_fixed(self.say_condition(node.until)))
        if node.able:
            text = self.frame("if-able", action=make_fixed(text))
        return self.frame("instead", action=make_fixed(text)) if node.instead else text

    def say_again(self, done: str, times: s.Amount) -> str:
        """How often a verb is done."""
        own = _TIMES.get(int(times.value), "") if isinstance(times, s.Number) else ""
        if own in self.frames:
            return self.frame(own, body=make_fixed(done))
        name = "so-often" if isinstance(times, s.Number) else self.with_chosen("so-often", times)
        name = f"{name}-of" if name == "so-often" and not isinstance(times, s.Number) else name
        return self.frame(name, body=make_fixed(done), amount=self.amount(times))

    def bind_result(self, given: str, name: str, node: s.Action) -> None:
        """A name stands for what the verb gives, else for its object, else for what is looked at."""
        verb = self.words.verbs.get(name)
        result = (verb.result if verb is not None else "") or self.words.results.get(name, "")
        if result:
            if given not in self.words.terms:
                self.bound[given] = (result, "sg")
        elif node.object is not None:
            self.bind(given, node.object)
        elif node.phrases:
            self.bind(given, node.phrases[0].item)

    def say_verb(self, name: str, node: s.Action, mood: str) -> str:
        verb = self.verb(name)
        into = next((self.head(phrase.item) for phrase in node.phrases if phrase.prep.type == "TO"), None)
        phrases = node.phrases
        if into is not None and into[0] in self.words.into and name == "move":
            verb = self.words.into[into[0]]
            phrases = tuple(phrase for phrase in phrases if phrase.prep.type != "TO")
            self.lying = False
        slots = {"v": make_fixed(self.form(verb, name, mood))}
        narrowing, groups = group_clauses(phrases)
        if node.object is not None:
            slots["object"] = self.join_object(self.narrowed(node.object, narrowing), verb)
            item = node.object.items[0]
            if isinstance(item, s.Counted):
                slots |= {"amount": self.quantity(item.count), "noun": self.noun(item.words)}
            elif isinstance(item, s.Count):
                slots["amount"] = self.quantity(item)
        named = {slot_of(phrase): self.narrowed(phrase.item, clauses) for phrase, clauses in groups}
        counted = node.object.items[0] if node.object is not None else None
        plain = not isinstance(counted, s.Counted) or isinstance(counted.count.low or counted.count.high, s.Number)
        pattern = verb.pattern if plain or not verb.worked_out else verb.worked_out
        if "object" in verb.usual and " ".join(s.tokens(node.object)) != verb.usual["object"]:
            pattern = Verb({}).pattern
        own = {prep: slot for prep, slot in named.items() if f"{{{prep}" in pattern}
        rest = [one for phrase, clauses in groups if slot_of(phrase) not in own for one in (phrase, *clauses)]
        if (
            isinstance(counted, s.Counted) and not plain and pattern == verb.pattern
        ):  # 'cards of the deck (as many as ..)'
            slots["object"] = self.join_object(
                self.say_counted(counted.count, counted.words, counted.relative, [*narrowing, *rest]), verb
            )
            rest = []
        features = slots["object"].features if "object" in slots else None
        tail = self.say_phrases(rest, "acc" if "acc" in self.grammar.cases else "nom", features, verb.phrases)
        text = f"{self.fill(pattern, slots | own)} {tail}".strip()
        self.lying = True
        return text

    def join_object(self, slot: Slot, verb: Verb) -> Slot:
        """An object: the phrases that belong to it are joined as the verb asks for."""

        def say(asked: str) -> str:
            before, self.taking = self.taking, verb.phrases
            try:
                return slot.say(asked)
            finally:
                self.taking = before

        return Slot(say, slot.features)

    def say_procedure(self, name: str, phrases: Sequence[s.Phrase], mood: str) -> str:
        """`take a PROCEDURE with NAME A and NAME B`: its pattern has {NAME}; without names {1}, {2}."""
        verb = self.verb(name)
        slots = {"v": make_fixed(self.form(verb, name, mood))}
        given: dict[str, Slot] = {}
        none: set[str] = set()  # a 0 and what is usual are not said
        for phrase in phrases:
            if phrase.name is not None:
                found = {str(phrase.name): phrase.item}
            elif phrase.prep.type == "WITH":
                items = phrase.item.items if isinstance(phrase.item, s.Operand) else (phrase.item,)
                found = {str(at): item for at, item in enumerate(items, len(given) + 1)}
            elif given:  # it narrows the last argument
                last = next(reversed(given))
                given[last] = join_behind(given[last], self.phrase(phrase))
                continue
            else:
                continue
            given |= {key: self.item(item) for key, item in found.items()}
            none |= {
                key for key, item in found.items() if is_zero(item) or verb.usual.get(key) == " ".join(s.tokens(item))
            }
        slots |= {key: slot for key, slot in given.items() if key not in none}
        return self.fill(verb.pattern, slots)

    def bare_verb(self, token: Token) -> Slot:
        """A verb by itself; the participle that the package declares is the verb."""
        name = str(token)
        verb: Verb = self.verb(name)
        return Slot(lambda mood: f"{self.form(verb, name, mood)} {verb.alone}".strip())

    def phrases(self, phrases: Sequence[s.Phrase], verb: str = "") -> Slot:
        own = self.words.verbs[verb].phrases if verb in self.words.verbs else None
        return Slot(lambda _: self.say_phrases(phrases, own=own))


def group_clauses(phrases: Sequence[s.Phrase]) -> tuple[list[s.Phrase], list[tuple[s.Phrase, list[s.Phrase]]]]:
    """Further relative clauses: those of the object, and each other phrase with those behind it."""
    first: list[s.Phrase] = []
    groups: list[tuple[s.Phrase, list[s.Phrase]]] = []
    for phrase in phrases:
        if phrase.prep.type not in FURTHER:
            groups.append((phrase, []))
        else:
            (groups[-1][1] if groups else first).append(phrase)
    return first, groups


def slot_of(phrase: s.Phrase) -> str:
    """The part of a pattern that says a phrase: the name of the argument, or the preposition."""
    return str(phrase.name or phrase.prep.type.lower())


def either_group(statements: Sequence[s.Statement]) -> list[s.Statement]:
    """The options of an `either:` with the `or:` behind it."""
    options: list[s.Statement] = []
    for at, node in enumerate(statements):
        if not isinstance(node, s.Gated) or node.gate.kind != ("or" if at else "either"):
            break
        options.append(node.body)
    return options


def is_said_once(name: str, body: s.Statement) -> bool:
    """Whether a body speaks of a name once and asks nothing for each of them."""
    found = list(s.tokens(body))
    return sum(str(token) == name for token in found) == 1 and not any(
        token.type == "MAY" or str(token) in ("choose", "either") for token in found
    )


def point_back(name: str, body: s.Statement) -> s.Statement:
    """`move the NAME to the room of the NAME`: the second time it is `it`."""
    if not isinstance(body, s.Act) or body.action.object is None or len(body.action.object.items) != 1:
        return body
    item = body.action.object.items[0]
    if not isinstance(item, s.Noun) or [str(word) for word in item.words] != [name]:
        return body

    def again(node: T) -> T:
        if isinstance(node, s.Noun) and [str(word) for word in node.words] == [name] and node.relative is None:
            return s.Pronoun(Token("IT", "it"))  # type: ignore[return-value]
        if isinstance(node, tuple) and not isinstance(node, Token):
            parts = [again(part) for part in node]
            make = getattr(node, "_make", tuple)  # a node, or a list of them
            made: T = make(parts)  # type: ignore[assignment]
            return made
        return node

    return body._replace(action=body.action._replace(phrases=again(body.action.phrases)))


def count_repeats(statements: Sequence[s.Statement]) -> int:
    """How many times the first statement stands here one behind the other, without giving a name."""
    first = statements[0]
    if not isinstance(first, s.Act) or first.action.bind is not None:
        return 1
    count = 1
    while count < len(statements) and statements[count] == first:
        count += 1
    return count


def grown(target: s.Full, value: s.Amount) -> tuple[str, s.Amount] | None:
    """`X is now X + n`: how it changes, and by how much."""
    if not isinstance(value, s.Binary) or str(value.op) not in "+-":
        return None
    left = value.left
    same = isinstance(left, s.Read) and left.noun == target
    head = target.noun.words[-1] if isinstance(target.noun, s.Noun) else None
    named = isinstance(left, s.Bare) and head is not None and str(left.name) == str(head)
    return ("grows" if str(value.op) == "+" else "shrinks", value.right) if same or named else None


def speaks_of(pattern: str, state: Term, target: s.Full) -> bool:
    """Whether a pattern says whose state it is, or need not: it is that of its usual owner."""
    if "{owner" in pattern or not target.phrases or not state.usual:
        return True
    return " ".join(s.tokens(target.phrases[-1].item)) == state.usual


def is_zero(item: object) -> bool:
    return isinstance(item, s.Count) and isinstance(item.low, s.Number) and str(item.low.value) == "0"


def who(subject: s.Full) -> str:
    """Who acts, for `your` and `their`."""
    return "you" if isinstance(subject.noun, s.Pronoun) and subject.noun.word.type == "YOU" else "they"


def form_of(doer: Slot) -> str:
    return "you" if doer.features.person == 2 else doer.features.number


def indicative(clause: Slot, doer: Slot) -> Slot:
    """A clause that agrees with who acts when a pattern asks for `ind`."""
    return Slot(lambda asked: clause.say(form_of(doer) if asked == "ind" else asked), doer.features)


def join_behind(slot: Slot, text: str) -> Slot:
    return Slot(lambda asked: f"{slot.say(asked)} {text}", slot.features)

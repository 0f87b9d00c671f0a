"""Say noun phrases in a language, in the case that is asked for.

In: syntax nodes. Out: slots: text on demand, with the gender, number and animacy that others agree with. Conditions and
amounts, which noun phrases hold and which hold noun phrases, are said by `conditions`.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from grimoire.compiler.localisation.text.inflect import Features, Grammar, Term
from grimoire.compiler.localisation.text.patterns import YOU, Lexicon, Patterns, Slot, make_fixed
from grimoire.compiler.localisation.text.short_forms import excess
from grimoire.compiler.lower.nouns import MANNERS
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

OPERATORS = {"=": "equal", "!=": "unequal", "<": "below", "<=": "at-most", ">": "above", ">=": "at-least"}
_ONE = "1"
FURTHER = ("AND_REL", "OF_THOSE")  # joints of a further relative clause
_PLACES = ("to", "into", "onto", "in", "on_prep", "from", "at")
_ASKED = re.compile(r"\{np:(\w+)")
_THE = Token("THE", "the")
_THEIR = Token("THEIR", "their")
_ITS = Token("ITS", "its")

Head = tuple[str, str]  # a noun and its number


class Nouns(Patterns):
    """Noun phrases and what narrows them."""

    def __init__(self, grammar: Grammar, lexicon: Lexicon, this: str) -> None:
        super().__init__(grammar, lexicon)
        self.this = this  # the noun for `this`
        self.bound: dict[str, Head] = {}  # names given with `as`, and what they stand for
        self.chosen: set[str] = set()  # names given to numbers
        self.mentioned: set[str] = set()  # nouns of the event that is answered: `the card` is that card
        self.inline: dict[str, tuple[Slot, Head]] = {}  # names that are said by what they go over: `each card`
        self.spoken_of: Head = (this, "sg")  # what `it` is
        self.acting = ""  # who acts in the clause: you, they or nobody in particular
        self.taking: Mapping[str, str] = {}  # how the verb whose object is said joins the phrases behind it
        self.lying = True  # whether it is said how things come to lie
        self.in_general = False  # `the number of cards in a room`: in all rooms

    # ------------------------------------------------------------ words

    def noun_of(self, words: s.Words) -> Head:
        """The noun at the end of some words, and its number; a term may have several words: `old card`."""
        name, number = self.single_noun(str(words[-1]))
        for first in range(len(words) - 1):
            whole = " ".join([*(str(word) for word in words[first:-1]), name])
            if whole in self.words.terms:
                return whole, number
        return name, number

    def single_noun(self, name: str) -> Head:
        if name in self.inline:
            return self.inline[name][1]
        if name in self.bound:
            return self.bound[name]
        if name not in self.words.terms and name in self.words.plurals:
            return self.words.plurals[name], "pl"
        return name, "sg"

    def head(self, item: object) -> Head | None:
        """The noun that an item is about, and its number."""
        match item:
            case s.Operand(items):
                return self.head(items[0])
            case s.Noun(det, words, amount, rest):
                name, number = self.noun_of(plain((*words, *rest)))
                many = amount is not None or (det is not None and det.type in ("ALL", "BOTH"))
                return name, "pl" if many else number
            case s.Counted(count, words):
                return self.noun_of(plain(words))[0], "sg" if one(count) else "pl"
            case s.Owned(_, _, words):
                return self.noun_of(plain(words))
            case s.Part(count, whole):
                found = self.head(whole)
                return None if found is None else (found[0], "sg" if one(count) else "pl")
            case s.Pronoun(word) if word.type == "THIS":
                return self.this, "sg"
        return None

    def bind(self, name: str, item: object, number: str | None = None) -> None:
        """A name is given: it is said with the noun of what it names, unless it has a word of its own."""
        found = self.head(item)
        if found is not None and found[0] == "number":
            self.chosen.add(name)
        if found is not None and name not in self.words.terms:
            self.bound[name] = (found[0], number or found[1])

    def speak_of(self, item: object) -> None:
        self.spoken_of = self.head(item) or self.spoken_of

    # ------------------------------------------------------------ noun phrases

    def full(self, node: s.Full, negated: bool = False) -> Slot:
        return self.np(node.noun, node.phrases, negated)

    def each(self, node: s.Full, of: bool) -> Slot:
        """What a loop goes over, one by one."""
        if of:
            return self.part(s.Count(_THE, "each", None, None), self.full(node))
        noun = node.noun
        return self.np(noun._replace(det=Token("EACH", "each")) if isinstance(noun, s.Noun) else noun, node.phrases)

    def narrowed(self, item: object, clauses: Sequence[s.Phrase]) -> Slot:
        """What stands behind a verb or a preposition, with the further relative clauses of its noun."""
        if not clauses:
            return self.item(item)
        if isinstance(item, s.Operand):
            *before, last = item.items
            slots = [*(self.item(one) for one in before), self.np(last, clauses)]
            if not before:
                return slots[0]
            return Slot(lambda asked: self.join(item.joint, [one.say(asked) for one in slots]), slots[0].features)
        return self.np(item, clauses)

    def item(self, item: object) -> Slot:
        match item:
            case s.Operand(items, joint):
                slots = [self.item(part) for part in items]
                if len(slots) == 1:
                    return slots[0]
                features = slots[0].features._replace(number="pl")
                return Slot(lambda asked: self.join(joint, [slot.say(asked) for slot in slots]), features)
            case s.Count():
                return self.quantity(item)
            case s.BareWords(words):
                return self.noun(words)
        return self.np(item, ())

    def np(self, node: object, phrases: Sequence[s.Phrase], negated: bool = False) -> Slot:
        match node:
            case s.Pronoun(word):
                return self.pronoun(word, phrases)
            case s.Noun(det, words, amount, rest, relative):
                return self.noun((*words, *rest), det, amount, relative, phrases, negated)
            case s.Counted(count, words, relative):
                return self.say_counted(count, words, relative, phrases)
            case s.Part(count, whole):
                return self.part(count, self.np(whole, phrases))
            case s.Owned(det, owner, words, relative):
                whose, thing = self.noun(owner, det), self.noun(words, None, None, relative, phrases)
                return Slot(
                    lambda asked: self.frame("owned", owner=whose, thing=make_fixed(thing.say(asked))), thing.features
                )
            case s.Listed(words):
                names = [self.noun((word,)) for word in words]
                joint = "list" if "join-list" in self.frames else "or"
                return Slot(lambda asked: self.join(joint, [name.say(asked) for name in names]), names[0].features)
        raise AssertionError(node)

    def pronoun(self, word: Token, phrases: Sequence[s.Phrase]) -> Slot:
        sort = word.type.lower()
        if sort == "this":
            own = f"this {self.this}"
            name = own if own in self.words.terms else self.this
            return self.noun((Token("NAME", name),), Token("THIS_DET", "this"), None, None, phrases)
        features = YOU if sort == "you" else Features("m", "sg", True)
        if sort == "it":
            features = self.term(self.spoken_of[0]).features(self.spoken_of[1])
        table = self.grammar.tables["pronouns"]
        rows = table.get(f"{sort}-alive", table.get(sort)) if features.animate else table.get(sort)
        if rows is None:
            self.missing.add(("frame", f"pronoun {sort}"))
            return make_fixed(f"<{sort}>", features)

        def say(asked: str) -> str:
            case = asked.partition(".")[0] or "nom"
            text = (
                self.grammar.find_agreeing(rows, case, features)
                if isinstance(rows, Mapping)
                else pick(rows, self.grammar.cases, case)
            )
            return f"{text} {self.say_phrases(phrases, case, features)}".strip()

        return Slot(say, features)

    def noun(
        self,
        words: s.Words,
        det: Token | None = None,
        amount: s.Amount | None = None,
        relative: s.Relative | None = None,
        phrases: Sequence[s.Phrase] = (),
        negated: bool = False,
        number: str | None = None,
    ) -> Slot:
        """A determiner, adjectives, a noun, what narrows it. A case may be asked for, or a case and a number."""
        manner, words = (str(words[-1]), words[:-1]) if str(words[-1]) in MANNERS else ("", words)
        if str(words[-1]) in self.inline and not phrases:
            return self.inline[str(words[-1])][0]
        name, own_number = self.noun_of(words)
        term, sort = self.term(name), self.determiner_of(det, words, name, negated)
        if amount is not None or sort in ("all", "both"):
            own_number = "pl"
        features = term.features(number or own_number)
        before = words[: len(words) - 1 - name.count(" ")]
        tail, front, relative = self.narrow(relative)
        if sort == "that" and tail is None:
            tail = make_fixed("")  # `this card`: which one is known

        def say(asked: str) -> str:
            case, _, of = (asked or "nom").partition(".")
            agree = term.features(of) if of else features
            behind = tail.say("") if tail is not None else None
            parts = [self.determiner(sort, case, agree)]
            if isinstance(amount, s.Number) and len(self.grammar.cases) > 1:
                parts += [
                    str(amount.value),
                    self.adjectives(before, *self.grammar.beside(int(amount.value), case, agree)),
                ]
                parts.append(self.grammar.inflect_counted(term, int(amount.value), case, behind)[0])
            else:
                parts += [
                    self.adjectives(before, case, agree),
                    self.amount(amount).say("nom") if amount is not None else "",
                ]
                parts += [front.say(""), self.grammar.noun(term, case, agree.number, behind)]
            parts += [self.behind(relative, phrases, case, agree, (name, agree.number))]
            parts += [self.frame(manner)] if manner and self.lying else []
            return " ".join(part for part in parts if part)

        return Slot(say, features)

    def determiner_of(self, det: Token | None, words: s.Words, name: str, negated: bool) -> str:
        sort = "" if det is None else det.type.lower()
        if sort == "the" and (str(words[-1]) in self.bound or name in self.mentioned):
            return "that"
        if negated and sort in ("a", "any"):
            return "no"
        if (sort, self.acting) in (("your", "you"), ("their", "they")):
            return f"{sort} own"
        return sort

    def determiner(self, sort: str, case: str, features: Features) -> str:
        table = self.grammar.tables["determiners"]
        if sort.endswith(" own"):
            sort = sort.removesuffix(" own") if case == "nom" or "own" not in table else "own"
        if sort == "its" and "its-alive" in table and self.term(self.spoken_of[0]).animate:
            sort = "its-alive"
        row = table.get(sort)
        if row is None:
            if sort:
                self.missing.add(("frame", f"determiner {sort}"))
            return f"<{sort}>" if sort else ""
        return self.grammar.find_agreeing(row, case, features) if isinstance(row, Mapping) else str(row)

    def narrow(self, relative: s.Relative | None) -> tuple[Slot | None, Slot, s.Relative | None]:
        """`whose FIELD = VALUE`, where the term of the field has words for it: behind the noun in place of its tail, or
        before it."""
        if isinstance(relative, s.Whose) and str(relative.op) == "=":
            field, value = self.words.terms.get(str(relative.field[-1])), self.amount(relative.value)
            if field is not None and field.whose:
                pattern = field.whose
                return Slot(lambda _: self.fill(pattern, {"value": value})), make_fixed(""), None
            if field is not None and field.whose_before:
                front = field.whose_before
                return None, Slot(lambda _: self.fill(front, {"value": value})), None
        return None, make_fixed(""), relative

    def adjectives(self, words: s.Words, case: str, features: Features) -> str:
        return " ".join(said for word in words if (said := self.adjective(str(word), case, features)))

    def behind(
        self, relative: s.Relative | None, phrases: Sequence[s.Phrase], case: str, features: Features, noun: Head
    ) -> str:
        """What stands behind a noun."""
        said = [self.relative(relative, case, features, noun)] if relative is not None else []
        if said and phrases and phrases[0].prep.type == "AND_REL":
            said[0] = said[0].removesuffix(",")
        return " ".join([*said, self.say_phrases(phrases, case, features, self.taking)]).strip()

    def say_counted(
        self, count: s.Count, words: s.Words, relative: s.Relative | None, phrases: Sequence[s.Phrase]
    ) -> Slot:
        """A number of things: the noun takes the form that the number asks for."""
        manner, words = (str(words[-1]), words[:-1]) if str(words[-1]) in MANNERS else ("", words)
        name = self.noun_of(words)[0]
        term, before = self.term(name), words[: len(words) - 1 - name.count(" ")]
        tail, front, relative = self.narrow(relative)
        last = count.high if count.high is not None else count.low
        number = int(last.value) if isinstance(last, s.Number) else None

        def several(asked: str) -> str:
            case, _, of = asked.partition(".")
            agree = term.features(of or "pl")
            noun = self.grammar.noun(term, case, agree.number, tail.say("") if tail is not None else None)
            parts = (self.adjectives(before, case, agree), front.say(""), noun)
            return " ".join(
                part for part in (*parts, self.behind(relative, phrases, case, agree, (name, "pl"))) if part
            )

        def in_all(asked: str) -> str:
            with self.general():
                return several(asked)

        def say_case(case: str) -> str:
            if number is None:
                noun = Slot(lambda asked: in_all(asked or f"{case}.pl"))
                frame = self.with_chosen(f"{kind(count)}-of", last)
                return self.frame(self.by_mood(frame, case), noun=noun, amount=self.figure(count))
            behind = tail.say("") if tail is not None else None
            if term.mass:
                text, agree = self.grammar.portion(term, number, case, behind)
            else:
                text, agree = self.grammar.inflect_counted(term, number, case, behind)
            low = f"{count.low.value}–" if count.kind == "between" and isinstance(count.low, s.Number) else ""
            parts = (
                f"{low}{number}",
                self.adjectives(before, *self.grammar.beside(number, case, agree)),
                front.say(""),
                text,
            )
            whole = (*parts, self.behind(relative, phrases, case, agree, (name, agree.number)))
            text = " ".join(part for part in whole if part)
            return text if count.kind in ("exactly", "between") else self.frame(kind(count), noun=make_fixed(text))

        def say(asked: str) -> str:
            text = say_case(asked.partition(".")[0] or "nom")
            return f"{text} {self.frame(manner)}" if manner and self.lying else text

        return Slot(say, term.features("sg" if number == 1 else "pl")._replace(figure=number))

    def with_chosen(self, frame: str, amount: s.Amount | None) -> str:
        """The frame for an amount, or the one for the only number that was named: `that many`."""
        while isinstance(amount, s.Paren):
            amount = amount.inner
        if isinstance(amount, s.ThatMany):
            return f"{frame}-chosen"
        if isinstance(amount, s.Read) and isinstance(amount.noun.noun, s.Noun) and not amount.noun.phrases:
            word = amount.noun.noun.words[-1]
        elif isinstance(amount, s.Bare):
            word = amount.name
        else:
            return frame
        known = len(self.chosen) == 1 and str(word) in self.chosen and f"{frame}-chosen" in self.frames
        return f"{frame}-chosen" if known else frame

    def part(self, count: s.Count, whole: Slot) -> Slot:
        """`2 of your cards`, `each of them`."""
        figure = self.figure(count)
        features = whole.features._replace(number="sg" if one(count) or count.kind == "each" else "pl")

        def say(asked: str) -> str:
            case = asked.partition(".")[0] or "nom"
            rows = self.grammar.tables.get("one", {})
            number = self.grammar.find_agreeing(rows, case, features) if rows and one(count) else figure.say("nom")
            each = self.determiner("each", case, features)
            return self.frame(f"part-{kind(count)}", number=make_fixed(number), whole=whole, each=make_fixed(each))

        return Slot(say, features)

    def figure(self, count: s.Count) -> Slot:
        """How many, by itself."""
        if count.kind == "between" and count.low is not None and count.high is not None:
            return self.say_measured(
                "range", Features("n", "pl"), low=self.amount(count.low), high=self.amount(count.high)
            )
        number = count.low if count.low is not None else count.high
        return make_fixed("") if number is None else self.amount(number)

    def quantity(self, count: s.Count) -> Slot:
        """How many, by itself: `up to 2` as well."""
        figure = self.figure(count)
        if kind(count) not in ("up-to", "or-more"):
            return figure
        return Slot(lambda asked: self.frame(kind(count), noun=make_fixed(figure.say(asked))), figure.features)

    def say_measured(self, frame: str, features: Features, **slots: Slot) -> Slot:
        """An amount that is worked out; a frame may have a form of its own for a case."""

        def say(asked: str) -> str:
            return self.frame(self.by_mood(frame, asked.partition(".")[0]), **slots)

        return Slot(say, features)

    # ------------------------------------------------------------ phrases behind a noun or a verb

    def say_phrases(
        self,
        phrases: Sequence[s.Phrase],
        case: str = "nom",
        features: Features | None = None,
        own: Mapping[str, str] | None = None,
    ) -> str:
        """Phrases one behind the other; `of` behind `within` has a pattern of its own."""
        said: list[str] = []
        before = ""
        for phrase in phrases:
            if phrase.prep.type in FURTHER:
                if said and phrase.prep.type == "AND_REL":
                    said[-1] = said[-1].removesuffix(",")
                said.append(self.further(phrase, case, features))
                continue
            sort = "within_of" if before == "within" and phrase.prep.type == "OF" else phrase.prep.type.lower()
            said.append(self.phrase(phrase, own, sort, case, features))
            before = sort
            if sort in _PLACES and not isinstance(phrase.item, s.Count):  # what stands behind a place narrows that
                pattern = (own or {}).get(sort) or self.grammar.tables["prepositions"].get(sort)
                asked = _ASKED.search(pattern) if isinstance(pattern, str) else None
                case, features = asked[1] if asked else "nom", self.item_in(phrase).features
        return " ".join(said)

    def phrase(
        self,
        phrase: s.Phrase,
        own: Mapping[str, str] | None = None,
        sort: str = "",
        case: str = "nom",
        features: Features | None = None,
    ) -> str:
        prep = str(phrase.name or phrase.prep.type.lower())
        rows = self.grammar.tables["prepositions"]
        pattern = (own or {}).get(prep) or (rows.get("argument") if phrase.name else rows.get(sort) or rows.get(prep))
        item = self.item_in(phrase)
        if isinstance(phrase.item, s.Count) and prep in ("from", "to") and prep not in (own or {}):
            if phrase.item.kind == "between":
                return item.say("phrase")
            pattern = rows.get(f"{prep}-number")
        if pattern is None:
            self.missing.add(("preposition", prep))
            return f"<{prep}> {item.say('nom')}"
        more = excess(phrase.item.low) if isinstance(phrase.item, s.Count) and phrase.item.low is not None else None
        if more is not None and isinstance(pattern, str) and "{np#" in pattern:
            said = self.fill(pattern, {"np": self.amount(more.base)})
            amounts = {
                "value": self.amount(more.value),
                "limit": self.amount(more.limit),
                "step": self.amount(more.step),
            }
            return self.frame("for-every", said=make_fixed(said), **amounts)
        at = self.place_word(phrase.item)
        slots = {
            "np": item,
            "at": make_fixed(at),
            "from": make_fixed(str(self.grammar.tables.get("from-at", {}).get(at, at))),
        }
        if phrase.name is not None:
            slots["name"] = self.noun((phrase.name,))
        if isinstance(pattern, Mapping):  # it agrees with the noun in front of it, if there is one
            if features is None:
                return self.fill(pattern["plain"], slots)
            slots["adj"] = make_fixed(self.grammar.adjective(pattern["adjective"], case, features))
            return self.fill(pattern["pattern"], slots)
        return self.fill(pattern, slots)

    def item_in(self, phrase: s.Phrase) -> Slot:
        """What stands behind a preposition; `in a room` may mean any room at all, or all of them."""
        item = (
            phrase.item.items[0] if isinstance(phrase.item, s.Operand) and len(phrase.item.items) == 1 else phrase.item
        )
        if isinstance(item, s.Noun) and item.det is not None and item.det.type == "A":
            if self.in_general:
                return self.noun((*item.words, *item.rest), None, None, item.relative, (), number="pl")
            if phrase.prep.type == "IN" and "a_in" in self.grammar.tables["determiners"]:
                return self.np(item._replace(det=Token("A_IN", "a")), ())
        return self.item(item)

    def place_word(self, item: object) -> str:
        """The preposition of place that a noun has: on the roof, in the house."""
        found = self.head(item)
        term = self.words.terms.get(found[0]) if found is not None else None
        return term.at if term is not None and term.at else str(self.grammar.tables.get("at", ""))

    @contextmanager
    def general(self) -> Iterator[None]:
        before, self.in_general = self.in_general, True
        try:
            yield
        finally:
            self.in_general = before

    # ------------------------------------------------------------ what narrows a noun

    def relative(self, node: s.Relative, case: str, features: Features, noun: Head) -> str:
        rows = self.grammar.tables["which"]
        which = Slot(lambda asked: self.grammar.find_agreeing(rows, asked or case, features), features)
        match node:
            case s.Whose(_, field, op, value):
                return self.frame(
                    f"whose-{OPERATORS[str(op)]}", which=which, field=self.noun(field), value=self.amount(value)
                )
            case s.WhoIs(_, negated, predicate):
                return self.who_is(which, [(negated, predicate)], "or")
            case s.Where(_, condition):
                before, self.spoken_of = self.spoken_of, noun
                try:
                    return self.where(condition, which, noun)
                finally:
                    self.spoken_of = before
            case s.Superlative(word, field, ties):
                name = str(word).removeprefix("with the ")
                said = self.ties(ties, case, features)
                return self.frame(f"with-{name}{'-ties' if ties else ''}", field=self.noun(field), ties=said)
            case s.Nearest(_, anchor, ties):
                near = self.agreeing("nearest", case, features)
                slots = {"near": near, "anchor": self.np(anchor, ()), "ties": self.ties(ties, case, features)}
                return self.frame(f"nearest{'-ties' if ties else ''}", **slots)
            case s.FirstTo(word, anchor):
                first = self.agreeing("first", case, features)
                return self.frame(f"first-{side_of(word)}", first=first, anchor=self.np(anchor, ()))

    def further(self, phrase: s.Phrase, case: str, features: Features | None) -> str:
        """`and whose ..`; `of those with the least ..`, which speaks of several."""
        assert isinstance(phrase.item, s.Those)
        relative = phrase.item.relative
        features = features or Features("m", "sg", False)
        if phrase.prep.type == "AND_REL":
            said = self.relative(relative, case, features, self.spoken_of)
            return self.frame("and-clause", clause=make_fixed(said.removeprefix(",").strip()))
        match relative:
            case s.Superlative(word, field, ties):
                said = self.frame(f"of-those-{str(word).removeprefix('with the ')}", field=self.noun(field))
            case s.Nearest(_, anchor, ties):
                said = self.frame("of-those-nearest", anchor=self.np(anchor, ()))
            case _:
                several = features._replace(number="pl")
                said, ties = self.relative(relative, "nom", several, self.spoken_of), None
                return self.frame("of-those", clause=make_fixed(said))
        if ties is None:
            return said
        return self.frame("with-ties", said=make_fixed(said.removesuffix(",")), ties=self.ties(ties, "nom", features))

    def who_is(self, which: Slot, tests: Sequence[tuple[bool, s.Predicate]], joint: str) -> str:
        """`who is A or B`."""
        negated, first = tests[0]
        sort = "-in" if first.prep is not None else ""
        name = f"who-is{sort}{'-not' if negated else ''}"
        named = first.noun is not None or str(first.words[-1]) not in self.words.adjectives
        if which.features.animate and named and f"{name}-alive" in self.frames:
            name += "-alive"
        said = [self.predicate(predicate, which.features) for _, predicate in tests]
        predicate = Slot(lambda asked: self.join(joint, [one.say(asked) for one in said]), said[0].features)
        return self.frame(name, which=which, predicate=predicate)

    def where(self, condition: s.Condition, which: Slot, noun: Head) -> str:
        """`where (it is ..)`, `where (there is a card in it)`, `where (there is a card in its hand)` have words of
        their own."""
        joint, parts = (
            ("and", chain(condition, s.And)) if isinstance(condition, s.And) else ("or", chain(condition, s.Or))
        )
        tests = [about_it(part) for part in parts]
        known = [test for test in tests if test is not None]
        if len(known) == len(tests) and len({(negated, predicate.prep is None) for negated, predicate in known}) == 1:
            return self.who_is(which, known, joint)
        said = [self.inside(part, which, noun) for part in parts]
        found = [text for text in said if text is not None]
        if len(found) == len(said):
            commas = found[0].startswith(",")
            text = self.join(joint, [text.strip(", ") for text in found])
            return f", {text}," if commas else text
        return self.frame("where", condition=self.condition(condition))

    def inside(self, condition: s.Condition, which: Slot, noun: Head) -> str | None:
        """`it has a card`, `there is a card in it`, `.. in its hand`, of the noun that is narrowed."""
        if isinstance(condition, s.Has) and is_it(condition.subject.noun):
            none, what = self.without_no(condition.thing)
            frame = f"where-has{'-no' if none else ''}{'-alive' if which.features.animate else ''}"
            return self.frame(frame, which=which, thing=what)
        if not isinstance(condition, s.There) or not condition.thing.phrases:
            return None
        *phrases, last = condition.thing.phrases
        if last.prep.type == "OF" and is_it(last.item) and phrases and phrases[-1].prep.type == "IN":
            *phrases, inner = phrases
            none, what = self.without_no(condition.thing._replace(phrases=tuple(phrases)))
            frame = f"where-{'no' if none else 'there'}-of"
            if frame not in self.frames:
                return None
            where = inner.item.items[0] if isinstance(inner.item, s.Operand) else inner.item
            own = self.phrase(inner._replace(item=where._replace(det=_ITS)) if isinstance(where, s.Noun) else inner)
            return self.frame(frame, which=which, thing=what, place=make_fixed(self.phrase(inner)), own=make_fixed(own))
        none, what = self.without_no(condition.thing._replace(phrases=tuple(phrases)))
        sort = "no" if none else "there"
        place = last.item.items[0] if isinstance(last.item, s.Operand) and len(last.item.items) == 1 else last.item
        if last.prep.type == "IN" and is_it(place):
            at = self.term(noun[0]).at or str(self.grammar.tables.get("at", ""))
            return self.frame(f"where-{sort}-in", which=which, thing=what, at=make_fixed(at))
        if last.prep.type == "IN" and isinstance(place, s.Noun) and place.det is not None and place.det.type == "ITS":
            bare, own = (self.phrase(s.Phrase(last.prep, place._replace(det=det))) for det in (None, _THEIR))
            return self.frame(f"where-{sort}-its", which=which, thing=what, place=make_fixed(bare), own=make_fixed(own))
        return None

    def agreeing(self, word: str, case: str, features: Features) -> Slot:
        """A word of the language that agrees with a noun as an adjective does."""
        text = str(self.grammar.tables[word])
        return Slot(lambda asked: self.grammar.adjective(text, asked or case, features))

    def ties(self, ties: s.Ties | None, case: str, features: Features) -> Slot:
        if ties is None:
            return make_fixed("")
        first, *others = ties.parts
        said = [self.tie(first, "ties", case, features), *(self.tie(one, "then", case, features) for one in others)]
        return make_fixed(", ".join(said))

    def tie(self, tie: s.Tie, when: str, case: str, features: Features) -> str:
        """One tie-break: `ties`, the first, or `then`, a later one."""
        if tie.anchor is None:
            return self.frame(f"{when}-{tie.word}", field=self.noun(tie.field))
        sort = side_of(tie.word) if tie.word.type == "FIRST_TO" else "nearest"
        word = self.agreeing("first" if sort != "nearest" else sort, case, features)
        return self.frame(f"{when}-{sort}", word=word, anchor=self.np(tie.anchor, ()))

    # ------------------------------------------------------------ supplied by the other parts

    @abstractmethod
    def amount(self, node: s.Amount) -> Slot: ...

    @abstractmethod
    def condition(self, node: s.Condition) -> Slot: ...

    @abstractmethod
    def predicate(self, node: s.Predicate, features: Features) -> Slot: ...

    @abstractmethod
    def without_no(self, thing: s.Full) -> tuple[bool, Slot]: ...


def chain(node: s.Condition, sort: type[s.And] | type[s.Or]) -> list[s.Condition]:
    """The parts of `A and B and C`, or of `A or B or C`."""
    if isinstance(node, (s.And, s.Or)) and isinstance(node, sort):
        return [*chain(node.left, sort), *chain(node.right, sort)]
    return [node]


def side_of(word: Token) -> str:
    """`first to the left of`: left."""
    return "left" if "left" in word else "right"


def is_it(item: object) -> bool:
    return isinstance(item, s.Pronoun) and item.word.type == "IT"


def about_it(node: s.Condition) -> tuple[bool, s.Predicate] | None:
    """What `it is ..` says of it."""
    if isinstance(node, s.Is) and is_it(node.subject.noun):
        return node.negated, node.predicate
    return None


def plain(words: s.Words) -> s.Words:
    """Words without what says how something lies."""
    return words[:-1] if len(words) > 1 and str(words[-1]) in MANNERS else words


def kind(count: s.Count) -> str:
    return {"any": "any-number"}.get(count.kind, count.kind.replace("_", "-"))


def one(count: s.Count) -> bool:
    return count.kind == "exactly" and isinstance(count.low, s.Number) and str(count.low.value) == _ONE


def pick(row: str, cases: Sequence[str], case: str) -> str:
    forms = row.split()
    at = cases.index(case) if case in cases else 0
    return (forms[at] if len(forms) > 1 else forms[0]).replace("_", " ")


def the(word: Token) -> s.Noun:
    """`the NAME`."""
    return s.Noun(_THE, (word,), None, (), None)


__all__ = ["FURTHER", "OPERATORS", "Head", "Nouns", "Term", "chain", "the"]

"""Say noun phrases, conditions and amounts in a language, in the case that is asked for.

In: syntax nodes. Out: slots: text on demand, with the gender, number and animacy that others agree with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grimoire.compiler import syntax as s
from grimoire.compiler.inflect import Features, Grammar, Term
from grimoire.compiler.nouns import MANNERS
from grimoire.compiler.say_base import YOU, Lexicon, Patterns, Slot, fixed
from grimoire.compiler.tokens import Token

_OPS = {"=": "equal", "!=": "unequal", "<": "below", "<=": "at-most", ">": "above", ">=": "at-least"}
_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "over"}
_ONE = "1"


class Nouns(Patterns):
    """Noun phrases, conditions, amounts."""

    def __init__(self, grammar: Grammar, lexicon: Lexicon, this: str) -> None:
        super().__init__(grammar, lexicon)
        self.this = this  # the noun for `this`
        self.bound: dict[
            str, tuple[str, str]
        ] = {}  # names given with `as`: the noun and the number that they stand for
        self.spoken_of: tuple[str, str] = (this, "sg")  # what `it` is
        self.inline: dict[str, Slot] = {}  # names that are said by what they go over: `each card`
        self.acting = ""  # who acts in the clause: you, they or nobody in particular

    # ------------------------------------------------------------ words

    def noun_of(self, words: s.Words) -> tuple[str, str]:
        """The noun at the end of some words, and its number; a term may have several words: `human player`."""
        name, number = self.single_noun(str(words[-1]))
        for first in range(len(words) - 1):
            whole = " ".join([*(str(word) for word in words[first:-1]), name])
            if whole in self.words.terms:
                return whole, number
        return name, number

    def single_noun(self, name: str) -> tuple[str, str]:
        if name in self.bound:
            return self.bound[name]
        if name in self.words.terms:
            return name, "sg"
        if name in self.words.plurals:
            return self.words.plurals[name], "pl"
        return name, "sg"

    def own_adjectives(self, words: s.Words, name: str) -> s.Words:
        """The words in front of a noun that do not belong to its term."""
        return words[: len(words) - 1 - name.count(" ")]

    def head(self, item: object) -> tuple[str, str] | None:
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
        return None

    def bind(self, name: str, item: object, number: str | None = None) -> None:
        """A name is given: it is said with the noun of what it names, unless it has a word of its own."""
        found = self.head(item)
        if found is not None and name not in self.words.terms:
            self.bound[name] = (found[0], number or found[1])

    def speak_of(self, item: object) -> None:
        found = self.head(item)
        if found is not None:
            self.spoken_of = found

    # ------------------------------------------------------------ noun phrases

    def full(self, node: s.Full, negated: bool = False) -> Slot:
        return self.np(node.noun, node.phrases, negated)

    def each(self, node: s.Full, of: bool) -> Slot:
        """What a loop goes over, one by one."""
        noun = node.noun
        if isinstance(noun, s.Noun) and not of:
            noun = noun._replace(det=Token("EACH", "each"))
        return self.np(noun, node.phrases)

    def item(self, item: object) -> Slot:
        match item:
            case s.Operand(items, joint):
                slots = [self.item(part) for part in items]
                if len(slots) == 1:
                    return slots[0]
                features = slots[0].features._replace(number="pl")
                return Slot(lambda asked: self.joined(joint, [slot.say(asked) for slot in slots]), features)
            case s.Count():
                return self.figure(item)
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
                return self.counted(count, words, relative, phrases)
            case s.Part(count, whole):
                return self.part(count, self.np(whole, phrases))
            case s.Owned(det, owner, words, relative):
                whose, thing = self.noun(owner, det), self.noun(words, None, None, relative, phrases)
                return Slot(
                    lambda asked: self.frame("owned", owner=whose, thing=fixed(thing.say(asked))), thing.features
                )
            case s.Listed(words):
                names = [self.noun((word,)) for word in words]
                return Slot(lambda asked: self.joined("or", [name.say(asked) for name in names]), names[0].features)
        raise AssertionError(node)

    def pronoun(self, word: Token, phrases: Sequence[s.Phrase]) -> Slot:
        sort = word.type.lower()
        if sort == "this":
            return self.noun((Token("NAME", self.this),), Token("THIS_DET", "this"), None, None, phrases)
        features = YOU if sort == "you" else self.term(self.spoken_of[0]).features(self.spoken_of[1])
        if sort == "they":
            features = Features("m", "sg", True)
        rows = self.grammar.tables["pronouns"][sort]

        def say(asked: str) -> str:
            case = asked.partition(".")[0] or "nom"
            text = (
                self.grammar.agreeing(rows, case, features)
                if isinstance(rows, Mapping)
                else pick(rows, self.grammar.cases, case)
            )
            return " ".join([text, *(self.phrase(phrase) for phrase in phrases)])

        return Slot(say, features)

    def noun(
        self,
        words: s.Words,
        det: Token | None = None,
        amount: s.Amount | None = None,
        relative: s.Relative | None = None,
        phrases: Sequence[s.Phrase] = (),
        negated: bool = False,
    ) -> Slot:
        """A determiner, adjectives, a noun, what narrows it. A case may be asked for, or a case and a number."""
        manner, words = (str(words[-1]), words[:-1]) if str(words[-1]) in MANNERS else ("", words)
        if str(words[-1]) in self.inline and not phrases:
            return self.inline[str(words[-1])]
        name, number = self.noun_of(words)
        again = str(words[-1]) in self.bound
        term = self.term(name)
        sort = "" if det is None else det.type.lower()
        if amount is not None or sort in ("all", "both"):
            number = "pl"
        if sort == "the" and again:
            sort = "that"
        if negated and sort in ("a", "any"):
            sort = "no"
        if (sort, self.acting) in (("your", "you"), ("their", "they")):
            sort = f"{sort} own"
        features = term.features(number)
        before = self.own_adjectives(words, name)
        tail, relative = self.tail_of(relative)

        def say(asked: str) -> str:
            case, _, of = (asked or "nom").partition(".")
            agree = term.features(of) if of else features
            parts = [self.determiner(sort, case, agree), self.adjectives(before, case, agree)]
            parts += [self.amount(amount).say("nom")] if amount is not None else []
            noun = self.grammar.noun(term, case, agree.number, tail.say("") if tail is not None else None)
            parts += [noun, self.behind(relative, phrases, case, agree, place=term.at)]
            parts += [self.frame(manner)] if manner else []
            return " ".join(part for part in parts if part)

        return Slot(say, features)

    def determiner(self, sort: str, case: str, features: Features) -> str:
        if sort.endswith(" own"):
            sort = sort.removesuffix(" own") if case == "nom" else "own"
        row = self.grammar.tables["determiners"].get(sort, "")
        return self.grammar.agreeing(row, case, features) if isinstance(row, Mapping) else str(row)

    def tail_of(self, relative: s.Relative | None) -> tuple[Slot | None, s.Relative | None]:
        """`whose FIELD = VALUE`, where the term of the field has words for it: said behind the noun in place of its tail."""
        if isinstance(relative, s.Whose) and str(relative.op) == "=":
            field, value = self.words.terms.get(str(relative.field[-1])), self.amount(relative.value)
            if field is not None and field.whose:
                pattern = field.whose
                return Slot(lambda _: self.fill(pattern, {"value": value})), None
        return None, relative

    def adjectives(self, words: s.Words, case: str, features: Features) -> str:
        return " ".join(self.adjective(str(word), case, features) for word in words)

    def behind(
        self,
        relative: s.Relative | None,
        phrases: Sequence[s.Phrase],
        case: str,
        features: Features,
        place: str = "",
    ) -> str:
        parts = [self.relative(relative, case, features, place)] if relative is not None else []
        return " ".join([*parts, *(self.phrase(phrase) for phrase in phrases)])

    def counted(self, count: s.Count, words: s.Words, relative: s.Relative | None, phrases: Sequence[s.Phrase]) -> Slot:
        """A number of things: the noun takes the form that the number asks for."""
        manner, words = (str(words[-1]), words[:-1]) if str(words[-1]) in MANNERS else ("", words)
        name = self.noun_of(words)[0]
        term, before = self.term(name), self.own_adjectives(words, name)
        tail, relative = self.tail_of(relative)
        last = count.high if count.high is not None else count.low
        number = int(last.value) if isinstance(last, s.Number) else None

        def said(case: str) -> str:
            if number is None:
                described = Slot(
                    lambda asked: self.several(before, term, asked or f"{case}.pl", relative, phrases, tail)
                )
                return self.frame(f"{kind(count)}-of", noun=described, amount=self.figure(count))
            if term.mass:
                noun, agree = self.grammar.noun(term, self.grammar.mass_case(case), "sg"), term.features("sg")
            else:
                noun, agree = self.grammar.counted(term, number, case, tail.say("") if tail is not None else None)
            low = f"{count.low.value}–" if count.kind == "between" and isinstance(count.low, s.Number) else ""
            parts: tuple[str, ...] = (
                f"{low}{number}",
                self.adjectives(before, *self.grammar.beside(number, case, agree)),
                noun,
            )
            parts = (*parts, self.behind(relative, phrases, case, agree))
            text = " ".join(part for part in parts if part)
            return text if count.kind in ("exactly", "between") else self.frame(kind(count), noun=fixed(text))

        def say(asked: str) -> str:
            text = said(asked.partition(".")[0] or "nom")
            return f"{text} {self.frame(manner)}" if manner else text

        return Slot(say, term.features("sg" if number == 1 else "pl"))

    def several(
        self,
        before: s.Words,
        term: Term,
        asked: str,
        relative: s.Relative | None,
        phrases: Sequence[s.Phrase],
        tail: Slot | None,
    ) -> str:
        case, _, number = asked.partition(".")
        agree = term.features(number or "pl")
        noun = self.grammar.noun(term, case, agree.number, tail.say("") if tail is not None else None)
        parts = (self.adjectives(before, case, agree), noun, self.behind(relative, phrases, case, agree, term.at))
        return " ".join(part for part in parts if part)

    def part(self, count: s.Count, whole: Slot) -> Slot:
        figure = self.figure(count)
        features = whole.features._replace(number="sg" if one(count) else "pl")

        def say(asked: str) -> str:
            case = asked.partition(".")[0] or "nom"
            rows = self.grammar.tables.get("one", {})
            single = self.grammar.agreeing(rows, case, features) if rows and one(count) else figure.say("nom")
            return self.frame(
                f"part-{kind(count)}",
                number=fixed(single),
                whole=whole,
                each=fixed(self.determiner("each", case, features)),
            )

        return Slot(say, features)

    def figure(self, count: s.Count) -> Slot:
        """How many, by itself."""
        if count.kind == "between" and count.low is not None and count.high is not None:
            return self.measured("range", Features("n", "pl"), low=self.amount(count.low), high=self.amount(count.high))
        number = count.low if count.low is not None else count.high
        return fixed("") if number is None else self.amount(number)

    # ------------------------------------------------------------ phrases behind a noun or a verb

    def phrase(self, phrase: s.Phrase, own: Mapping[str, str] | None = None) -> str:
        prep = phrase.prep.type.lower()
        pattern = (own or {}).get(prep) or self.grammar.tables["prepositions"].get(prep)
        item = self.item(phrase.item)
        if prep == "from" and isinstance(phrase.item, s.Count):
            prep, pattern = "from a number", self.grammar.tables["prepositions"]["from-number"]
            if phrase.item.kind == "between":
                return item.say("phrase")
        elif prep == "to" and isinstance(phrase.item, s.Count) and (own or {}).get(prep) is None:
            pattern = self.grammar.tables["prepositions"]["to-number"]
        if pattern is None:
            self.missing.add(("preposition", prep))
            return f"<{prep}> {item.say('nom')}"
        at = self.place_word(phrase.item)
        away = str(self.grammar.tables.get("from-at", {}).get(at, at))
        return self.fill(pattern, {"np": item, "at": fixed(at), "from": fixed(away)})

    def place_word(self, item: object) -> str:
        """The preposition of place that a noun has: on the deck, in the brig."""
        found = self.head(item)
        term = self.words.terms.get(found[0]) if found is not None else None
        return term.at if term is not None and term.at else str(self.grammar.tables.get("at", ""))

    # ------------------------------------------------------------ what narrows a noun

    def relative(self, node: s.Relative, case: str, features: Features, place: str = "") -> str:
        rows = self.grammar.tables["which"]
        which = Slot(lambda asked: self.grammar.agreeing(rows, asked or case, features), features)
        match node:
            case s.Whose(_, field, op, value):
                return self.frame(
                    f"whose-{_OPS[str(op)]}", which=which, field=self.noun(field), value=self.amount(value)
                )
            case s.WhoIs(_, negated, predicate):
                said = self.predicate(predicate, features)
                sort = "-in" if predicate.prep is not None else ""
                return self.frame(f"who-is{sort}{'-not' if negated else ''}", which=which, predicate=said)
            case s.Where(_, condition):
                return self.where(condition, which, place)
            case s.Superlative(word, field, ties):
                name = str(word).removeprefix("with the ")
                return self.frame(f"with-{name}{'-ties' if ties else ''}", field=self.noun(field), ties=self.ties(ties))
            case s.Nearest(_, anchor, ties):
                near = Slot(
                    lambda asked: self.grammar.adjective(str(self.grammar.tables["nearest"]), asked or case, features)
                )
                slots = {"near": near, "anchor": self.np(anchor, ()), "ties": self.ties(ties)}
                return self.frame(f"nearest{'-ties' if ties else ''}", **slots)

    def where(self, condition: s.Condition, which: Slot, place: str) -> str:
        """`where (there is a card in it)` and `where (there is a card in its hand)` have words of their own."""
        if isinstance(condition, s.There) and condition.thing.phrases:
            *phrases, last = condition.thing.phrases
            thing = condition.thing._replace(phrases=tuple(phrases))
            none, what = self.without_no(thing)
            sort = "no" if none else "there"
            inside = last.item.items[0] if isinstance(last.item, s.Operand) and len(last.item.items) == 1 else last.item
            if last.prep.type == "IN" and isinstance(inside, s.Pronoun) and inside.word.type == "IT":
                at = place or str(self.grammar.tables.get("at", ""))
                return self.frame(f"where-{sort}-in", which=which, thing=what, at=fixed(at))
            if (
                last.prep.type == "IN"
                and isinstance(inside, s.Noun)
                and inside.det is not None
                and inside.det.type == "ITS"
            ):
                there = fixed(self.phrase(s.Phrase(last.prep, inside._replace(det=None))))
                return self.frame(f"where-{sort}-its", which=which, thing=what, place=there)
        return self.frame("where", condition=self.condition(condition))

    def ties(self, ties: s.Ties | None) -> Slot:
        if ties is None:
            return fixed("")
        return Slot(lambda _: self.frame(f"ties-{ties.extreme}", field=self.noun(ties.field)))

    # ------------------------------------------------------------ conditions

    def condition(self, node: s.Condition) -> Slot:
        return Slot(lambda _: self.say_condition(node))

    def say_condition(self, node: s.Condition) -> str:
        acting, self.acting = self.acting, ""
        try:
            return self.say_test(node)
        finally:
            self.acting = acting

    def say_test(self, node: s.Condition) -> str:
        match node:
            case s.Compare(left, op, right):
                return self.frame(f"is-{_OPS[str(op)]}", left=self.amount(left), right=self.amount(right))
            case s.Is(subject, negated, predicate):
                who = self.full(subject)
                sort = "-in" if predicate.prep is not None else "-a" if predicate.noun is not None else ""
                if not sort and str(predicate.words[-1]) not in self.words.adjectives:
                    sort = "-a"
                said = self.predicate(predicate, who.features)
                return self.frame(f"is{sort}{'-not' if negated else ''}", subject=who, predicate=said)
            case s.Has(subject, thing):
                none, what = self.without_no(thing)
                return self.frame("has-no" if none else "has", subject=self.full(subject), thing=what)
            case s.There(_, thing):
                none, what = self.without_no(thing)
                return self.frame("there-is-no" if none else "there-is", thing=what)
            case s.Did(word, negated):
                who_did = "they" if "they" in str(word) else "you"
                return self.frame(f"{who_did}-did{'-not' if negated else ''}")
            case s.Not(inner):
                return self.frame("not", condition=self.condition(inner))
            case s.Grouped(inner):
                return self.frame("grouped", condition=self.condition(inner))
            case s.And(left, right):
                return self.frame("both", left=self.condition(left), right=self.condition(right))
            case s.Or(left, right):
                return self.frame("any-of", left=self.condition(left), right=self.condition(right))

    def predicate(self, node: s.Predicate, features: Features) -> Slot:
        if node.prep is not None and node.noun is not None:
            first = s.Phrase(node.prep, node.noun)
            return Slot(lambda _: " ".join(self.phrase(phrase) for phrase in (first, *node.phrases)))
        if node.noun is not None:
            return self.np(node.noun, node.phrases)
        if str(node.words[-1]) in self.words.adjectives:
            return Slot(lambda asked: self.adjectives(node.words, asked or "nom", features), features)
        return self.noun(node.words, None, None, None, node.phrases)

    def without_no(self, thing: s.Full) -> tuple[bool, Slot]:
        noun = thing.noun
        if isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "NO":
            return True, self.np(noun._replace(det=None), thing.phrases)
        return False, self.full(thing)

    # ------------------------------------------------------------ amounts

    def amount(self, node: s.Amount) -> Slot:
        match node:
            case s.Number(value):
                return fixed(str(value), Features("n", "sg" if str(value) == _ONE else "pl"))
            case s.Bare(name):
                return self.noun((name,))
            case s.Read(noun):
                return self.full(noun)
            case s.NumberOf(_, noun):
                return self.measured("number-of", Features("f"), noun=self.full(noun))
            case s.Total(word, field, noun):
                return self.measured(f"amount-{word}", Features("f"), field=self.noun((field,)), noun=self.full(noun))
            case s.Binary(op, left, right):
                return self.measured(
                    f"sum-{_SIGNS[str(op)]}", Features("n"), left=self.amount(left), right=self.amount(right)
                )
            case s.Paren(inner):
                return self.amount(inner)
            case s.Extreme(word, left, right):
                which = "lower-of" if "lower" in str(word) else "higher-of"
                return self.measured(which, Features("n"), left=self.amount(left), right=self.amount(right))
            case s.Depends(then, _, condition, other):
                slots = {"then": self.amount(then), "condition": self.condition(condition), "other": self.amount(other)}
                return self.measured("depends", Features("n"), **slots)
            case s.Negated(name):
                return Slot(lambda _: self.frame("not-a", value=self.noun((name,))))

    def measured(self, frame: str, features: Features, **slots: Slot) -> Slot:
        """An amount that is worked out; a frame may have a form of its own for a case."""

        def say(asked: str) -> str:
            case = asked.partition(".")[0]
            return self.frame(f"{frame}.{case}" if f"{frame}.{case}" in self.frames else frame, **slots)

        return Slot(say, features)


def plain(words: s.Words) -> s.Words:
    """Words without what says how something lies."""
    return words[:-1] if len(words) > 1 and str(words[-1]) in MANNERS else words


def kind(count: s.Count) -> str:
    return {"any": "any-number"}.get(count.kind, count.kind.replace("_", "-"))


def one(count: s.Count) -> bool:
    return count.kind == "exactly" and isinstance(count.low, s.Number) and str(count.low.value) == _ONE


def pick(row: str, cases: Sequence[str], case: str) -> str:
    forms = row.split()
    return (forms[cases.index(case)] if len(forms) > 1 else forms[0]).replace("_", " ")

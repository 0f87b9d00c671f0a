"""Say conditions and amounts in a language.

In: syntax nodes. Out: slots, as for noun phrases.
"""

from __future__ import annotations

from grimoire.compiler.localisation.text.inflect import Features, Term
from grimoire.compiler.localisation.text.nouns import OPERATORS, Nouns, chain, the
from grimoire.compiler.localisation.text.patterns import Slot, make_fixed
from grimoire.compiler.syntax import nodes as s

_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "over"}
_PLACES = ("IN", "ON_PREP", "ADJACENT_TO", "WITHIN")


class Tests(Nouns):
    """Conditions and amounts."""

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
                own = self.own_test(left, str(op), right)
                if own is not None:
                    return own
                return self.frame(f"is-{OPERATORS[str(op)]}", left=self.amount(left), right=self.amount(right))
            case s.Is(_, False, predicate) if predicate.noun is None and self.silent(str(predicate.words[-1])):
                return ""  # what goes without saying
            case s.Is(subject, negated, predicate):
                who = self.full(subject)
                own = self.own_flag(subject, negated, predicate)
                if own is not None:
                    return own
                sort = "-in" if predicate.prep is not None else "-a" if predicate.noun is not None else ""
                if not sort and str(predicate.words[-1]) not in self.words.adjectives:
                    sort = "-a"
                said = self.predicate(predicate, who.features)
                return self.frame(f"is{sort}{'-not' if negated else ''}", subject=who, predicate=said)
            case s.Has(subject, thing):
                none, what = self.without_no(thing)
                return self.frame("has-no" if none else "has", subject=self.full(subject), thing=what)
            case s.There(_, thing):
                return self.there_is(thing)
            case s.Did(word, negated):
                who_did = "they" if "they" in str(word) else "you"
                return self.frame(f"{who_did}-did{'-not' if negated else ''}")
            case s.Not(inner):
                return self.frame("not", condition=self.condition(inner))
            case s.Grouped(inner):
                either = isinstance(inner, s.Or) and "grouped-or" in self.frames
                return self.frame("grouped-or" if either else "grouped", condition=self.condition(inner))
            case s.And():
                parts = [text for part in chain(node, s.And) if (text := self.say_test(part))]
                return self.join("conditions-and", parts) if parts else ""
            case s.Or():
                return self.join("conditions-or", [self.say_test(part) for part in chain(node, s.Or)])

    def own_test(self, left: s.Amount, op: str, right: s.Amount) -> str | None:
        """A state whose term has words for a value that it is compared with."""
        found = None
        if isinstance(left, s.Bare):
            found = self.noun_of((left.name,))
        elif isinstance(left, s.Read):
            found = self.head(left.noun.noun)
        term = self.words.terms.get(found[0]) if found is not None else None
        if term is None or not term.is_ or op not in ("=", "!=") or not isinstance(right, s.Number):
            return None
        pattern = term.is_.get(f"{'not.' if op == '!=' else ''}{right.value}")
        return None if pattern is None else self.fill(pattern, {"subject": self.amount(left)})

    def own_flag(self, subject: s.Full, negated: bool, node: s.Predicate) -> str | None:
        """A flag whose term has words for its being set, or not."""
        if node.prep is not None or node.noun is not None or len(node.words) > 1:
            return None
        term = self.words.terms.get(str(node.words[-1]))
        pattern = None if term is None else term.is_.get("not.true" if negated else "true")
        if term is None or pattern is None or not is_usual(pattern, term, subject):
            return None
        return self.fill(pattern, {"subject": self.full(subject)})

    def there_is(self, thing: s.Full) -> str:
        """`there is a foe in your space`: a language may say the place first."""
        none, _ = self.without_no(thing)
        frame = "there-is-no" if none else "there-is"
        place = make_fixed("")
        if thing.phrases and thing.phrases[-1].prep.type in _PLACES and "{place}" in self.frames.get(frame, ""):
            place = make_fixed(self.phrase(thing.phrases[-1]))
            thing = thing._replace(phrases=thing.phrases[:-1])
        return self.frame(frame, thing=self.without_no(thing)[1], place=place)

    def predicate(self, node: s.Predicate, features: Features) -> Slot:
        if node.prep is not None and node.noun is not None:
            phrases = (s.Phrase(node.prep, node.noun), *node.phrases)
            return Slot(lambda _: self.say_phrases(phrases))
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
                features = Features("n", "sg" if str(value) == "1" else "pl", figure=int(value))
                return make_fixed(str(value), features)
            case s.Bare(name):
                return self.np(the(name), ()) if str(name) in self.bound else self.noun((name,))
            case s.Read(noun):
                return self.full(noun)
            case s.NumberOf(_, noun):
                return self.all_over("number-of", noun)
            case s.Total(word, field, noun):
                return self.all_over(f"amount-{word}", noun, field=self.noun((field,)))
            case s.Binary(op, left, right):
                return self.say_measured(
                    f"sum-{_SIGNS[str(op)]}",
                    Features("n", "pl"),
                    left=self.part_of_sum(left),
                    right=self.part_of_sum(right),
                )
            case s.Paren(inner):
                return self.amount(inner)
            case s.Extreme(word, left, right):
                lower = "lower" in str(word)
                bounded = find_bound(left, right)
                if bounded is not None:
                    what, most = (self.amount(part) for part in bounded)
                    return self.say_measured("no-more" if lower else "no-less", what.features, value=what, limit=most)
                frame = "lower-of" if lower else "higher-of"
                return self.say_measured(
                    frame, Features("n"), left=self.part_of_sum(left), right=self.part_of_sum(right)
                )
            case s.Depends(then, _, condition, other):
                slots = {"then": self.amount(then), "condition": self.condition(condition), "other": self.amount(other)}
                return self.say_measured("depends", Features("n"), **slots)
            case s.ThatMany():
                return make_fixed(self.frame("that-many"), Features("n", "pl"))
            case s.Negated(name):
                return Slot(lambda _: self.frame("not-a", value=self.noun((name,))))

    def part_of_sum(self, node: s.Amount) -> Slot:
        """What is worked out inside a sum keeps its parentheses."""
        inner = self.amount(node)
        if isinstance(node, s.Paren) and isinstance(node.inner, (s.Binary, s.Extreme, s.Depends)):
            return Slot(lambda asked: f"({inner.say(asked)})", inner.features)
        return inner

    def all_over(self, frame: str, noun: s.Full, **slots: Slot) -> Slot:
        """`the number of cards in a room` counts those in all rooms."""

        def say(asked: str) -> str:
            with self.general():
                return self.frame(self.by_mood(frame, asked.partition(".")[0]), noun=self.full(noun), **slots)

        return Slot(say, Features("f"))


def is_usual(pattern: str, flag: Term, subject: s.Full) -> bool:
    """Whether a pattern says of what a flag is set, or need not: it is that of which it is set as a rule."""
    named = "{owner" in pattern or "{subject" in pattern
    return named or not flag.usual or " ".join(s.tokens(subject)) == flag.usual


def find_bound(left: s.Amount, right: s.Amount) -> tuple[s.Amount, s.Amount] | None:
    """An amount and the number that it does not pass: one of the two, not both, is a plain number."""
    if isinstance(left, s.Number) == isinstance(right, s.Number):
        return None
    value, limit = (right, left) if isinstance(left, s.Number) else (left, right)
    return value, limit

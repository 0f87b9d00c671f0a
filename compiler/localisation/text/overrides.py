"""Compares the approved text of a card with what its effect does, as the generated text says it.

In: the model of a package, its words, the section `cards` of its texts. Out: diagnostics G0912 to G0916, in the file of
the text. Both texts are in one language; what is compared are the facts in them: numbers with what they count, terms,
may and must, who decides, their order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import Definition, Printed
from grimoire.compiler.localisation.text.cards import CardText, Paragraph
from grimoire.compiler.localisation.text.inflect import Term
from grimoire.compiler.localisation.text.language import TOKEN, Knowledge, knowledge
from grimoire.compiler.localisation.text.patterns import make_fixed
from grimoire.compiler.localisation.text.sentences import Sayer
from grimoire.compiler.localisation.text.step_order import Order
from grimoire.compiler.localisation.tuning import (
    OVERRIDE_NEAR,
    OVERRIDE_OFTEN,
    OVERRIDE_SEEN,
    OVERRIDE_SURE,
)
from grimoire.compiler.source.tree import Mapping as Rows
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.source.tree import Sequence as Items
from grimoire.compiler.syntax.nodes import Cannot, CannotBe
from grimoire.compiler.syntax.tokens import Token

NEVER: Final = frozenset(["cannot", "can't", "нельзя", "невозможно", "неможливо"])
_STOP: Final = re.compile(r"\n|[.;:,]\s|\s—\s|\Z")
_RANK: Final = re.compile(r"\(\d\)")  # (1), (2): which of the options it is
_RANGE: Final = re.compile(r"(\d+)[–-](\d+)")
_NOT: Final = re.compile(r"\b(?:не|can|no \w+)\s+\Z|not\s+\Z", re.IGNORECASE)
_NEVER: Final = (Cannot, CannotBe)
_SIGNS: Final = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\u2190-\u21FF]|\[[\w -]+\]|<[\w -]+>")


class Fact(NamedTuple):
    """A number or a term of a text, and its place."""

    sort: str  # number or term
    value: str
    at: int  # which word
    segment: int  # what stands between two commas
    step: int  # what stands between two stops
    part: int  # which slot or ability
    joint: str  # the stop before its step


class Facts(NamedTuple):
    """What a text says, as far as it can be compared."""

    found: tuple[Fact, ...]
    may: bool
    free: bool  # any number, up to: none at all is a choice as well
    words: frozenset[str]
    again: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]
    signs: Counter[str]

    def values(self, sort: str) -> list[str]:
        return [fact.value for fact in self.found if fact.sort == sort]

    def group_numbers(self) -> dict[str, Counter[str]]:
        """The numbers of each term that stands beside one."""
        rows: dict[str, Counter[str]] = defaultdict(Counter)
        terms = [fact for fact in self.found if fact.sort == "term"]
        for fact in self.found:
            if fact.sort == "number" and fact.value != "0":
                near = [
                    term for term in terms if term.segment == fact.segment and abs(term.at - fact.at) <= OVERRIDE_NEAR
                ]
                if near:
                    rows[min(near, key=lambda term: (abs(term.at - fact.at), term.at)).value][fact.value] += 1
        return rows


class Made(NamedTuple):
    """What is made from the effects of a card."""

    text: str
    printed: str  # what is printed besides
    parts: list[tuple[str, str]]  # each with what stands before it


class Reading:
    """Reads the facts out of the texts of one language of a package."""

    def __init__(self, says: CardText) -> None:
        self.says = says
        self.known: Knowledge = knowledge(says.grammar.language)
        self.forms: dict[tuple[str, ...], str] = {}
        short: dict[tuple[str, ...], set[str]] = defaultdict(set)  # without the tail: a form of several terms is none
        for term in says.lexicon.terms.values():
            name = self.name(term)
            for number in term.forms:
                for case in says.grammar.cases:
                    form = tuple(self.tokens(says.grammar.noun(term, case, number)))
                    if form:
                        self.forms.setdefault(form, name)
                    short[tuple(self.tokens(says.grammar.noun(term, case, number, "")))].add(name)
        for form, names in short.items():
            if form and len(names) == 1:
                self.forms.setdefault(form, *names)
        terms = says.lexicon.terms
        self.plain = frozenset(
            self.name(terms[key]) for key in ("card", "player", "game", "turn", "number") if key in terms
        )
        self.verbs = {form.lower(): name for name, verb in says.lexicon.verbs.items() for form in verb.forms.values()}
        by_word: dict[str, set[int]] = defaultdict(set)
        for form in self.forms:
            by_word[form[0]].add(len(form))
        self.lengths = {
            word: sorted(sizes, reverse=True) for word, sizes in by_word.items()
        }  # of the terms that begin so
        self.telling = self.lengths.keys() | self.verbs.keys() | self.known.numbers.keys()  # words of facts
        self.named: dict[str, str] = {}  # what terms are called by themselves

    def name(self, term: Term) -> str:
        """A term by its first form."""
        return " ".join(self.tokens(self.says.grammar.noun(term, self.says.grammar.cases[0], next(iter(term.forms)))))

    @staticmethod
    def tokens(text: str) -> list[str]:
        return [word.lower() for word in TOKEN.findall(text)]

    def facts(self, text: str) -> Facts:
        text = _RANK.sub(" ", text)
        tokens = list(TOKEN.finditer(text))
        words = [found[0].lower() for found in tokens]
        ends: list[int] = []
        places: list[tuple[int, int, int, str]] = [(0, 0, 0, "")]  # behind each stop
        for stop in _STOP.finditer(text):
            sign = "\n" if "\n" in stop[0] else stop[0][:1]
            passed, steps, lines, joint = places[-1]
            ends.append(stop.end())
            places.append((passed + 1, steps + (sign != ","), lines + (sign == "\n"), joint if sign == "," else sign))
        facts: list[Fact] = []
        at = 0
        telling = self.telling
        while at < len(words):
            word = words[at]
            if word not in telling and not word.isdigit():
                at += 1
                continue
            place = places[bisect_right(ends, tokens[at].start())]
            size = 0
            for n in self.lengths.get(word, ()):  # the longest first
                if n == 1 or tuple(words[at : at + n]) in self.forms:
                    size = n
                    break
            if size:
                facts.append(Fact("term", self.forms[tuple(words[at : at + size])], at, *place))
                at += size
                continue
            number = word if word.isdigit() else self.known.numbers.get(word)
            if word in self.verbs:
                facts.append(Fact("verb", self.verbs[word], at, *place))
            if number is not None:
                facts.append(Fact("number", str(int(number)), at, *place))
            at += 1
        ranges = tuple((int(low), int(high)) for low, high in _RANGE.findall(text))
        return Facts(
            tuple(facts),
            self.says_may(text),
            False,
            frozenset(words),
            (),
            ranges,
            Counter(_SIGNS.findall(text)),
        )

    def says_may(self, text: str) -> bool:
        """Whether a choice is left; `cannot` leaves none."""
        return any(
            found[0].lower() not in NEVER and not _NOT.search(text[: found.start()])
            for found in self.known.may.finditer(text)
        )

    def generate(self, card: Definition, said: Sequence[Paragraph]) -> Made | None:
        """What the effects of a card say step by step, and what is printed on it besides; None where words are
        missing."""
        parts = self.says.step_by_step(card, said)
        if not parts or any(part.missing for part in parts):
            return None
        sayer = self.says.sayer(card)
        printed: list[str] = []
        for name, node in card.values.items():
            for word in (name, *name.split("-"), *scalars(node)):
                if word in self.says.lexicon.terms:
                    printed.append(self.name_of(word, sayer))
                elif word.isdigit():
                    printed.append(word)
        printed += [self.name_of(word, sayer) for word in (card.kind, sayer.this) if word in self.says.lexicon.terms]
        text = "\n".join(part.text for part in parts)
        return Made(text, ". ".join(printed), [self.label(card, part, sayer) for part in parts])

    def name_of(self, word: str, sayer: Sayer) -> str:
        """A term by itself, whatever card it is printed on."""
        found = self.named.get(word)
        if found is None:
            found = self.named[word] = sayer.noun((Token("NAME", word),)).say("")
        return found

    def label(self, card: Definition, part: Paragraph, sayer: Sayer) -> tuple[str, str]:
        """What stands before the text of a slot, and the text."""
        pattern = self.says.lexicon.slots.get(part.part.partition(".")[0]) if part.part in card.programs else None
        label = sayer.fill(pattern, {"body": make_fixed("")} | self.says.list_printed(card, sayer)) if pattern else ""
        return label, part.text.removeprefix(label)


def scalars(node: Printed) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.value
    elif isinstance(node, Items):
        for item in node.items:
            yield from scalars(item)
    elif isinstance(node, Rows):
        for key, value in node.entries:
            yield from (key.value, *scalars(value))


def nodes_of(card: Definition) -> Iterator[object]:
    """Everything in the trees of a card."""
    abilities = [
        text for ability in card.abilities.values() for text in (ability.do, ability.always) if text is not None
    ]
    rest: list[object] = [text.node for text in (*card.programs.values(), *abilities)]
    while rest:
        node = rest.pop()
        yield node
        if isinstance(node, tuple) and not isinstance(node, Token):
            rest.extend(node)


SLIP_HINT: Final = "change the text or the effect; `grimoire text` shows what the effect says"


class Slip(NamedTuple):
    code: str
    message: str


class Modes(NamedTuple):
    """What the effects of a card leave open, in any language."""

    may: bool
    never: bool  # something cannot be done
    free: bool  # any number, up to


def modes_of(card: Definition) -> Modes:
    sorts: set[str] = set()
    never = False
    for node in nodes_of(card):
        if isinstance(node, Token):
            sorts.add(node.type)
        elif isinstance(node, _NEVER):
            never = True
    return Modes("MAY" in sorts, never, not sorts.isdisjoint(("UP_TO", "ANY_NUMBER_OF")))


class Pair(NamedTuple):
    """What a text written by hand is compared with: what the effect says, what is printed besides, and the steps of
    the effect."""

    effect: Facts
    printed: Facts
    order: Order


def read_card(reading: Reading, card: Definition, said: Sequence[Paragraph], modes: Modes) -> Pair | None:
    """What a text of a card is compared with, given what it says and leaves open; None where words are missing."""
    made = reading.generate(card, said)
    if made is None:
        return None
    effect = reading.facts(made.text)
    may = modes.may or (effect.may and not modes.never)
    return Pair(effect._replace(may=may, free=modes.free), reading.facts(made.printed), Order(made.parts))


def find_slips(pair: Pair, said: Facts, text: str, usual: Usual) -> Iterator[Slip]:
    """Where a text says something else than the effect."""
    yield from compare(pair.effect, pair.printed, said, usual)
    for one, other in pair.order.inversions(text):
        yield Slip("G0915", f"'{one}' stands before '{other}', in the effect behind it")
        return


class Overrides:
    """The texts of a language that were written by hand, beside what the effects say."""

    def __init__(self, says: CardText, texts: Mapping[str, Scalar]) -> None:
        self.reading = Reading(says)
        cards = {card.id: card for card in says.cards()}
        self.pairs: dict[str, Pair] = {}
        for key in texts:
            meant = next((card for id_, card in cards.items() if fnmatchcase(id_, key)), None)
            if meant is not None:
                pair = read_card(self.reading, meant, list(says.paragraphs(meant)), modes_of(meant))
                self.pairs |= {key: pair} if pair is not None else {}
        rows = [
            list_spoken_terms(pair.effect, pair.printed, self.reading.facts(texts[key].value))
            for key, pair in self.pairs.items()
        ]
        self.usual = usual_terms(rows, self.reading.plain)

    def slips(self, key: str, text: str) -> Iterator[Slip]:
        """Where a text says something else than the effect."""
        if key in self.pairs:
            yield from find_slips(self.pairs[key], self.reading.facts(text), text, self.usual)


class Usual(NamedTuple):
    """What the texts of a package do everywhere: terms that they always have, and terms that they have although the
    effects do not."""

    always: frozenset[str]
    more: frozenset[str]
    plain: frozenset[str]  # words of every game: card, player, turn


class Spoken(NamedTuple):
    """The terms of an effect, those of them that the text has, and those that only the text has."""

    effect: frozenset[str]
    both: frozenset[str]
    more: frozenset[str]


def list_spoken_terms(effect: Facts, printed: Facts, text: Facts) -> Spoken:
    terms = frozenset(effect.values("term"))
    return Spoken(terms, terms & {*text.values("term")}, frozenset(new_terms(effect, printed, text)))


def usual_terms(rows: Sequence[Spoken], plain: frozenset[str]) -> Usual:
    there, both, more = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        there.update(row.effect)
        both.update(row.both)
        more.update(row.more)
    always = frozenset(
        term for term, count in there.items() if count >= OVERRIDE_OFTEN and both[term] >= OVERRIDE_SURE * count
    )
    return Usual(always - plain, plain | {term for term, count in more.items() if count >= OVERRIDE_SEEN}, plain)


def compare(effect: Facts, printed: Facts, text: Facts, usual: Usual) -> Iterator[Slip]:
    yield from numbers(effect, printed, text)
    yield from terms(effect, printed, text, usual)
    if text.may and not effect.may and not effect.free:
        yield Slip("G0914", "it leaves a choice, and the effect does not")
    elif effect.may and not text.may:
        yield Slip("G0914", "it leaves no choice, and the effect says 'may'")
    if effect.signs != text.signs:
        odd = (effect.signs - text.signs) + (text.signs - effect.signs)
        yield Slip("G0916", f"its symbols are not those of the effect: {' '.join(odd)}")


def numbers(effect: Facts, printed: Facts, text: Facts) -> Iterator[Slip]:
    here, there = set(text.values("number")), set(effect.values("number"))
    often, known = Counter(text.values("number")), Counter(effect.values("number") + printed.values("number"))
    new = {number for number in here if often[number] > known[number] + text.again.count(number)} - {"1"}
    lost = {number for number in there - here - {"1", "0"} if number in effect.words}  # in digits
    for low, high in effect.ranges:  # 1 to 4 can be said as less than 5, or as the rest
        ends = {str(number) for number in (low - 1, low, low + 1, high - 1, high, high + 1)}
        if ends & here:
            lost -= {str(low), str(high)}
            new -= {str(low - 1), str(high + 1)}
    if new:
        yield Slip("G0912", f"the number {list_names(new)} is not in the effect")
    if lost:
        yield Slip("G0912", f"the number {list_names(lost)} of the effect is missing")
    if new or lost:
        return
    written, meant = text.group_numbers(), effect.group_numbers()
    for term in sorted(written.keys() & meant.keys()):
        more, less = written[term] - meant[term], meant[term] - written[term]
        if more and less:
            yield Slip("G0912", f"{list_names(set(more))} of '{term}', and in the effect {list_names(set(less))}")
            return


def new_terms(effect: Facts, printed: Facts, text: Facts) -> set[str]:
    """Terms that only the text has; a word of a longer term is that term."""
    there = {*effect.values("term"), *printed.values("term")}
    words = effect.words | printed.words
    return {
        term
        for term in text.values("term")
        if term not in there and not all(has_stem(word, words) for word in term.split())
    }


def has_stem(word: str, words: frozenset[str]) -> bool:
    """Whether a form of a word is there, or a word that is made from it."""
    stem = word[: max(3, len(word) - 2)]
    return any(other.startswith(stem) for other in words)


def terms(effect: Facts, printed: Facts, text: Facts, usual: Usual) -> Iterator[Slip]:
    new = new_terms(effect, printed, text) - usual.more
    gone = {*effect.values("term")} - {*text.values("term"), *printed.values("term")}
    lost = {term for term in gone & usual.always if not all(has_stem(word, text.words) for word in term.split())}
    if new:
        yield Slip("G0913", f"the effect does not speak of {list_names(new)}")
    if lost:
        yield Slip("G0913", f"the effect speaks of {list_names(lost)}")


def list_names(names: set[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))

"""Patterns and agreement in generated texts: a pattern has slots that ask for forms; a slot words itself.

In: the tables of a language (grammar/wording) and the words of a package. Used by `nouns` and `say`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from grimoire.compiler.localisation.text.inflect import MOODS, NUMBERS, Features, Grammar, Term, Verb, plural_category
from grimoire.compiler.localisation.tuning import REMEMBERED_PATTERNS

FORMS = (*MOODS, "ind", "low", "phrase")  # what a clause or a whole text can be asked for
YOU = Features("m", "pl", True, 2)
PLAIN = Features()
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([\w-]+)(?::([\w.]+)|([?#])([^{}]*))?\}")
_TIDY = (
    (re.compile(r" {2,}"), " "),
    (re.compile(r" +(?=[,.;:])"), ""),
    (re.compile(r",(?=[,.;:)])"), ""),
    (re.compile(r"([.:;]),"), r"\1"),
)
# What one of these can be found in; most texts have none of it, and to look for them is quicker than the patterns are.
_UNTIDY: Final = ("  ", " ,", " .", " ;", " :", ",,", ",.", ",;", ",:", ",)", ".,", ":,", ";,")


class Slot(NamedTuple):
    """A part of a text: what it says in the form asked for, and what agrees with it."""

    say: Callable[[str], str]
    features: Features = Features()


def make_fixed(text: str, features: Features = PLAIN) -> Slot:
    """A part that has one form."""
    return Slot(lambda _: text, features)


class Printed(NamedTuple):
    """What the printed values of the cards of a kind say: a pattern for each value of a field, or one for all of
    them."""

    field: str
    patterns: Mapping[str, str]  # by the value of the field; by nothing, if there is no field


class Lexicon(NamedTuple):
    """The words of a package in one language, those of the language itself included."""

    terms: Mapping[str, Term]
    verbs: Mapping[str, Verb]
    adjectives: Mapping[str, str]
    plurals: Mapping[str, str]  # the plural word of a noun in the effect language -> the noun
    results: Mapping[str, str] = {}  # the kind of what a verb gives
    slots: Mapping[str, str] = {}  # patterns for the texts in the slots of a card: what they are for
    into: Mapping[str, Verb] = {}  # nouns that say a move into them their own way: out of the game
    printed: Mapping[str, Printed] = {}  # by kind


class Patterns:
    """Says what patterns say."""

    def __init__(self, grammar: Grammar, lexicon: Lexicon) -> None:
        self.grammar = grammar
        self.frames: Mapping[str, str] = grammar.tables["frames"]
        self.words = lexicon
        self.missing: set[tuple[str, str]] = set()  # (sort, name) of what has no words

    def frame(self, name: str, /, **slots: Slot) -> str:
        pattern = self.frames.get(name)
        if pattern is None:
            self.missing.add(("frame", name))
            return f"<{name}>"
        return self.fill(pattern, slots)

    def fill(self, pattern: str, slots: Mapping[str, Slot]) -> str:
        """A pattern with its slots filled; what stands in square brackets is left out if a slot in it is not there."""

        said: list[str] = []
        for text, name, asked, sign, forms in parts_of(with_slots(pattern, slots) if "[" in pattern else pattern):
            said.append(text)
            slot = slots.get(name)
            if slot is None:
                continue
            if sign == "":
                said.append(slot.say(asked))
            elif sign == "#":
                said.append(self.for_number(forms, slot.features.figure))
            else:
                said.append(choose_form(forms, slot.features))
        return tidy("".join(said))

    def for_number(self, forms: Sequence[str], number: int | None) -> str:
        """The form that goes with a number, by its plural category; the last one where there is no number."""
        if number is None:
            return forms[-1]
        order = ("one", "other") if len(forms) == 2 else ("one", "few", "many")
        category = plural_category(self.grammar.language, number)
        return forms[order.index(category)] if category in order else forms[-1]

    def by_mood(self, name: str, mood: str) -> str:
        """The name of a frame, or of its form for a mood if it has one: `becomes.inf`."""
        return f"{name}.{mood}" if f"{name}.{mood}" in self.frames else name

    def join(self, joint: str, parts: Sequence[str]) -> str:
        """`a, b and c`."""
        if len(parts) == 1:
            return parts[0]
        if any("," in part for part in parts) and f"join-{joint}-long" in self.frames:
            joint += "-long"
        return self.frame(f"join-{joint}", first=make_fixed(", ".join(parts[:-1])), last=make_fixed(parts[-1]))

    def term(self, name: str) -> Term:
        term = self.words.terms.get(name)
        if term is None:
            self.missing.add(("term", name))
            return Term({"sg": (f"<{name}>",), "pl": (f"<{name}>",)})
        return term

    def verb(self, name: str) -> Verb:
        verb = self.words.verbs.get(name)
        if verb is None:
            self.missing.add(("verb", name))
            return Verb({})
        return verb

    def form(self, verb: Verb, name: str, mood: str) -> str:
        word = verb.forms.get(mood)
        if word is None:
            if verb.forms:
                self.missing.add(("form", f"{name}.{mood}"))
            return f"<{name}>"
        return word

    def adjective(self, name: str, case: str, features: Features) -> str:
        word = self.words.adjectives.get(name)
        if word is None:
            self.missing.add(("adjective", name))
            return f"<{name}>"
        return " ".join(self.grammar.adjective(part, case, features) for part in word.split())

    def silent(self, name: str) -> bool:
        """Whether an adjective goes without saying: its word is empty."""
        return self.words.adjectives.get(name) == ""


class _Part(NamedTuple):
    """A slot of a pattern and the text before it; behind the last slot a text without one."""

    text: str
    name: str
    asked: str  # the form
    sign: str  # ? for words that agree, # for those that go with a number
    forms: tuple[str, ...]


@lru_cache(REMEMBERED_PATTERNS)
def parts_of(pattern: str) -> tuple[_Part, ...]:
    parts: list[_Part] = []
    at = 0
    for found in _SLOT.finditer(pattern):
        forms = tuple(found[4].split("|")) if found[3] is not None else ()
        parts.append(_Part(pattern[at : found.start()], found[1], found[2] or "", found[3] or "", forms))
        at = found.end()
    return (*parts, _Part(pattern[at:], "", "", "", ()))


@lru_cache(REMEMBERED_PATTERNS)
def options_of(pattern: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The texts of a pattern that may be left out, each behind the one that stands before it, with their slots."""
    parts: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    for found in _OPTIONAL.finditer(pattern):
        parts += (pattern[at : found.start()], ()), (found[1], tuple(slots_of(found[1])))
        at = found.end()
    return (*parts, (pattern[at:], ()))


def with_slots(pattern: str, slots: Mapping[str, Slot]) -> str:
    """A pattern without what asks for slots that are not there."""
    return "".join(text for text, names in options_of(pattern) if all(name in slots for name in names))


def choose_form(forms: Sequence[str], features: Features) -> str:
    """The word that agrees: singular|plural, singular|plural|you, or masculine|feminine|neuter|plural."""
    if len(forms) == 4:
        return forms[3 if features.number == "pl" else ("m", "f", "n").index(features.gender)]
    if len(forms) == 3 and features.person == 2:
        return forms[2]
    return forms[features.number == "pl"]


def slots_of(pattern: str) -> list[str]:
    """The names of the slots of a pattern."""
    return [found[1] for found in _SLOT.finditer(pattern)]


def wrong_slot(pattern: str, cases: Sequence[str]) -> str | None:
    """The first slot of a pattern of a package that asks for a form which its language does not have, as it is
    written."""
    for found in _SLOT.finditer(pattern):
        case, _, number = (found[2] or cases[0]).partition(".")
        if found[3] is not None:
            fits = len(found[4].split("|")) in ((2, 3) if found[3] == "#" else (2, 3, 4))
        else:  # a language without cases has patterns for those of others, too: the text of the verb is the same
            fits = (case in cases or case in FORMS or len(cases) == 1) and number in ("", *NUMBERS)
        if not fits:
            return found[0]
    return None


def tidy(text: str) -> str:
    """Spaces and commas where patterns met."""
    for sign in _UNTIDY:
        if sign in text:
            for pattern, better in _TIDY:
                text = pattern.sub(better, text)
            break
    return text.strip()

"""Inflected words of one language, for generated texts: nouns, adjectives, verbs and numerals.

In: the tables of a language (grammar/wording) and the terms of a package. Out: a form for the features that a pattern
asks for. All forms are stored; nothing is looked up in a dictionary, and of each word only what the tables of its
language say is derived.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from grimoire.runtime.wording import counts

T = TypeVar("T")

GENDERS = ("m", "f", "n")
NUMBERS = ("sg", "pl")
MOODS = ("imp", "inf", "sg", "pl", "you", "past", "done")  # do!, to do, does, do, you do, (they) did, (is) done

# Words and tables of a language as they stand in its files, every scalar a text: who reads a table knows its shape.
Plain: TypeAlias = Any


class Features(NamedTuple):
    """What agrees: the gender and number of a noun phrase, and whether it is alive; `person` 2 is you."""

    gender: str = "m"
    number: str = "sg"
    animate: bool = False
    person: int = 3
    figure: int | None = None  # the number, where there is one


class Term(NamedTuple):
    """A noun: its forms by number and case, what stands before it and agrees, and what stands behind it and does
    not."""

    forms: Mapping[str, tuple[str, ...]]  # by number
    gender: str = "m"
    animate: bool = False
    mass: bool = False  # flour: it has no plural
    at: str = ""  # its own preposition of place
    adjectives: tuple[str, ...] = ()
    tail: tuple[str, str] = ("", "")  # singular, plural
    whose: str = ""  # of a field: how a noun is narrowed by its value, in place of the tail: a card `of lore`
    whose_before: str = ""  # the same, in front of the noun: a `lore` card
    set: Mapping[str, str] = {}  # of a state: how it is said that it changes, by mood; `more`: that it grows
    get: Mapping[str, str] = {}  # of a state: how `X gets +n STATE` is said: `more`, `less`
    is_: Mapping[str, str] = {}  # of a state: how it is said that it has a value: 0, not.0
    usual: str = ""  # of a state: whose it is as a rule; patterns for it that do not say whose are about that

    def number_of(self, number: str) -> str:
        """The number that is asked for, or the only one that the noun has."""
        return number if number in self.forms else next(iter(self.forms))

    def features(self, number: str) -> Features:
        return Features(self.gender, self.number_of(number), self.animate)


class Verb(NamedTuple):
    """A verb: its forms by mood, the pattern of its clause, and how it joins the phrases behind it."""

    forms: Mapping[str, str]
    pattern: str = "{v} {object:acc}"
    phrases: Mapping[str, str] = {}
    result: str = ""  # the term for what it gives
    worked_out: str = ""  # the pattern for an amount that is no plain number
    usual: Mapping[str, str] = {}  # what it is given as a rule, by place, or its usual `object`; that is not said
    alone: str = ""  # what belongs to it where it stands without its pattern: moved `back`


class Grammar:
    """The tables of one language."""

    def __init__(self, tables: Mapping[str, Plain]) -> None:
        self.tables = tables
        self.language: str = tables["language"]
        self.cases: tuple[str, ...] = tuple(tables["cases"].split())
        self.places = {case: at for at, case in enumerate(self.cases)}
        self.classes: list[tuple[str, dict[str, list[str]]]] = [
            (row["like"], {key: str(forms).split() for key, forms in row.items() if key != "like"})
            for row in tables.get("adjectives", [])
        ]

    def place(self, case: str) -> int:
        """Where a case stands in a row of forms; a noun that is asked for a form of verbs is named."""
        return self.places.get(case, 0)

    # ------------------------------------------------------------ nouns

    def noun(self, term: Term, case: str, number: str, tail: str | None = None) -> str:
        """A noun in a case, with the adjectives that belong to the term and its tail, or another one."""
        number = term.number_of(number)
        return self.with_words(
            term, case, number, term.tail[NUMBERS.index(number)] if tail is None else tail, (case, number)
        )

    def with_words(self, term: Term, case: str, number: str, tail: str, beside: tuple[str, str]) -> str:
        row = term.forms[number]
        word = row[self.place(case)] if len(row) == len(self.cases) > 1 else row[0]
        if not term.adjectives:
            return f"{word} {tail}" if tail else word
        features = term.features(number)._replace(number=beside[1])
        before = [self.adjective(adjective, beside[0], features) for adjective in term.adjectives]
        return " ".join([*before, word, *([tail] if tail else [])])

    # ------------------------------------------------------------ adjectives and what is declined like them

    def adjective(self, word: str, case: str, features: Features) -> str:
        """An adjective in agreement; a word that the language declines by no rule stays as it is."""
        for ending, rows in self.classes:
            if word.endswith(ending):
                return word.removesuffix(ending) + self.find_ending(row_of(rows, features), case, features)
        return word

    def find_agreeing(self, rows: Mapping[str, str], case: str, features: Features) -> str:
        """A word whose rows are written out: determiners, possessives."""
        return self.find_ending(words(row_of(rows, features)), case, features)

    def find_ending(self, row: Sequence[str], case: str, features: Features) -> str:
        if len(row) < len(self.cases) or len(self.cases) == 1:
            return row[0] if row else ""
        if case == "acc" and row[self.place("acc")] == "*":  # as the nominative, or as the genitive of what is alive
            case = "gen" if features.animate else "nom"
        form = row[self.place(case)]
        return "" if form == "-" else form

    # ------------------------------------------------------------ numerals

    def portion(self, term: Term, number: int, case: str, tail: str | None = None) -> tuple[str, Features]:
        """A mass noun behind a number: `1 flour`, `1 of flour`, or with the measure of the language: `1 unit of
        flour`."""
        measure = self.tables["numerals"].get("measure")
        asked = str(self.tables["numerals"].get("mass", case)) if case in ("nom", "acc") else case
        if measure is None:
            return self.noun(term, asked, "sg", tail), term.features("sg")
        unit = Term({of: words(measure[of]) for of in NUMBERS}, measure["gender"])
        text, agree = self.inflect_counted(unit, number, case)
        return f"{text} {self.noun(term, str(self.tables['numerals']['mass']), 'sg', tail)}", agree

    def beside(self, number: int, case: str, features: Features) -> tuple[str, Features]:
        """The case and number of an adjective between a numeral and its noun; the gender of the noun may have a row of
        its own."""
        form, rule = plural_category(self.language, number), self.tables["numerals"]
        own = None if features.animate and case == "acc" else rule.get(f"{form}-adjective-{features.gender}")
        asked = own or rule.get(f"{form}-adjective")
        if asked is None or case not in ("nom", "acc"):
            return case, features
        wanted, of = asked.split(".")
        return wanted, features._replace(number=of)

    def inflect_counted(self, term: Term, number: int, case: str, tail: str | None = None) -> tuple[str, Features]:
        """A noun behind a numeral, and what agrees with the two."""
        rule = self.tables["numerals"]
        form = plural_category(self.language, number)
        if len(self.cases) == 1:
            asked = f"nom.{'sg' if form == 'one' else 'pl'}"
        elif case not in ("nom", "acc"):
            asked = f"{case}.{'sg' if form == 'one' else 'pl'}"
        elif form == "one":
            asked = f"{case}.sg"
        else:
            asked = rule.get(f"{form}-alive" if term.animate and case == "acc" else form) or rule[form]
        wanted, of = asked.split(".")
        if wanted == "same":
            wanted = case
        agree = Features(term.gender, "sg" if form == "one" else "pl", term.animate)
        of = term.number_of(of)
        behind = term.tail[NUMBERS.index("sg" if number == 1 else "pl")] if tail is None else tail
        near, features = self.beside(number, wanted if form == "many" else case, agree)
        return self.with_words(term, wanted, of, behind, (near, features.number)), agree


@cache
def plural_category(language: str, number: int) -> str:
    """The CLDR category of a whole number."""
    return counts.plural_category(language, number) or "other"


def row_of(rows: Mapping[str, T], features: Features) -> T:
    """The row for a gender or for the plural; one row may stand for all of them."""
    return rows["pl" if features.number == "pl" else features.gender] if len(rows) > 1 else next(iter(rows.values()))


@lru_cache(4096)
def words(text: str) -> tuple[str, ...]:
    """Forms are set off by spaces; inside a form a space is written as an underscore."""
    return tuple(word.replace("_", " ") for word in text.split())

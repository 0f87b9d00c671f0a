"""The glossary of a package as an index for the checks: the terms of its words files with all their forms.

In: an edition. Out: `Lemmas`: which word is a form of which term, in which case and number. The forms that stand in the
words files are the lemmatiser: nothing is looked up elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.inflect import Features, Grammar, Term, row_of, words
from grimoire.compiler.localisation.text.lexicon import Reader
from grimoire.compiler.localisation.translation.strings import Edition


class Lemma(NamedTuple):
    """A noun: all terms that have the same forms."""

    name: str  # its first form
    gender: str
    animate: bool
    keys: tuple[str, ...]


class Reading(NamedTuple):
    """What a form can be."""

    lemma: str
    gender: str
    number: str
    case: str
    animate: bool


def read_words(edition: Edition, language: str) -> Reader | None:
    """The words of a package in a language, those of the tables of the language included; None if there are none."""
    if language not in WORDED or language not in edition.languages:
        return None
    reader = Reader(language, Diagnostics(), edition.reader)
    reader.read([*edition.needs, edition.root])
    return reader if reader.found else None


def iterate_forms(term: Term, cases: tuple[str, ...]) -> Iterable[tuple[str, str, str]]:
    """All forms of the noun itself: (number, case, form)."""
    for number, row in term.forms.items():
        for at, case in enumerate(cases):
            yield number, case, row[at] if len(row) == len(cases) else row[0]


class Lemmas:
    """The nouns of a language by their forms, and adjectives by theirs."""

    def __init__(self, reader: Reader) -> None:
        self.grammar: Grammar = reader.grammar
        self.readings: dict[str, set[Reading]] = {}
        self.lemmas: dict[str, Lemma] = {}
        self.forms: dict[str, dict[tuple[str, str], str]] = {}
        for key, term in reader.terms.items():
            table = {(number, case): form for number, case, form in iterate_forms(term, self.grammar.cases)}
            if not table or any(" " in form for form in table.values()):
                continue
            name = next(iter(table.values())).lower()
            old = self.lemmas.get(name)
            self.lemmas[name] = Lemma(name, term.gender, term.animate, (*(old.keys if old else ()), key))
            self.forms.setdefault(name, {}).update(table)
            for (number, case), form in table.items():
                reading = Reading(name, term.gender, number, case, term.animate)
                self.readings.setdefault(form.lower(), set()).add(reading)
        self.adjectives: dict[str, set[tuple[str, str, bool | None]]] = {}
        given = {word for term in reader.terms.values() for word in term.adjectives}
        for word in sorted(given | set(reader.adjectives.values())):
            self.add_adjective(word.lower())
        for rows in self.grammar.tables.get("determiners", {}).values():
            if isinstance(rows, dict):
                self.add_rows({key: list(words(forms)) for key, forms in rows.items()}, "")

    def lemma(self, word: str) -> str | None:
        """One name for all forms of a noun."""
        readings = self.readings.get(word)
        return min(reading.lemma for reading in readings) if readings else None

    def add_adjective(self, word: str) -> None:
        for ending, rows in self.grammar.classes:
            if word.endswith(ending):
                self.add_rows(rows, word.removesuffix(ending))
                return

    def adjective_endings(self) -> dict[str, set[tuple[str, str, bool | None]]]:
        """What each ending of the classes of adjectives can be."""
        own, self.adjectives = self.adjectives, {}
        for _, rows in self.grammar.classes:
            self.add_rows(rows, "")
        own, self.adjectives = self.adjectives, own
        return own

    def add_rows(self, rows: Mapping[str, list[str]], stem: str) -> None:
        cases = self.grammar.cases
        for gender in ("m", "f", "n", "pl"):
            if gender not in rows or len(rows[gender]) != len(cases):
                continue
            for case in cases:
                for alive in (False, True):
                    features = Features(gender if gender != "pl" else "m", "pl" if gender == "pl" else "sg", alive)
                    form = stem + self.grammar.find_ending(row_of(rows, features), case, features)
                    limit = alive if case == "acc" and rows[gender][cases.index("acc")] == "*" else None
                    self.adjectives.setdefault(form.lower(), set()).add((gender, case, limit))

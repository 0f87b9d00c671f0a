"""The glossary of a package: the terms of its words files with all their forms, as CSV or TBX, and as an index for the checks.

In: an edition. Out: a file, or `Lemmas`: which word is a form of which term, in which case and number. The forms that stand in the words
files are the lemmatiser: nothing is looked up elsewhere.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from grimoire.compiler.command_common import WrongUse
from grimoire.compiler.diagnostics import Diagnostics
from grimoire.compiler.inflect import NUMBERS, Features, Grammar, Term, words
from grimoire.compiler.l10n_store import Edition
from grimoire.compiler.lexicon import LANGUAGES, Reader

_CASES: Final = ("nom", "gen", "dat", "acc", "ins", "loc")


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
    if language not in LANGUAGES or language not in edition.languages:
        return None
    reader = Reader(language, Diagnostics())
    reader.read([*edition.needs, edition.root])
    return reader if reader.found else None


def forms_of(term: Term, cases: tuple[str, ...]) -> Iterable[tuple[str, str, str]]:
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
            table = {(number, case): form for number, case, form in forms_of(term, self.grammar.cases)}
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
                    form = stem + self.grammar.ending(dict(rows), case, features)
                    limit = alive if case == "acc" and rows[gender][cases.index("acc")] == "*" else None
                    self.adjectives.setdefault(form.lower(), set()).add((gender, case, limit))


# --- files ------------------------------------------------------------------------------------------------------------


def glossary_rows(edition: Edition) -> list[dict[str, Any]]:
    """One row for each term and language: id, language, term, gender, animate, forms by number and case."""
    rows: list[dict[str, Any]] = []
    readers = {language: read_words(edition, language) for language in edition.languages}
    keys = list(dict.fromkeys(key for reader in readers.values() if reader is not None for key in reader.terms))
    for key in keys:
        for language, reader in readers.items():
            term = reader.terms.get(key) if reader is not None else None
            if reader is None or term is None or not term.forms:
                continue
            cases = reader.grammar.cases
            row: dict[str, Any] = {"id": key, "language": language}
            row["term"] = reader.grammar.noun(term, cases[0], "sg")
            row["gender"] = term.gender if len(cases) > 1 else ""
            row["animate"] = "yes" if term.animate else ""
            for number in term.forms:
                for case in cases:
                    row[f"{case}.{number}"] = reader.grammar.noun(term, case, number)
            rows.append(row)
    return rows


def write_glossary(edition: Edition, path: Path) -> int:
    """Write the glossary; the ending of the file says how. Returns the number of terms."""
    if path.suffix not in (".csv", ".tbx"):
        raise WrongUse(f"a glossary is written as .csv or .tbx, not '{path.suffix or path.name}'")
    rows = glossary_rows(edition)
    text = as_csv(rows) if path.suffix == ".csv" else as_tbx(rows, edition.id)
    path.write_text(text, encoding="utf-8", newline="")
    return len({row["id"] for row in rows})


def as_csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    head = [
        "id",
        "language",
        "term",
        "gender",
        "animate",
        *(f"{case}.{number}" for number in NUMBERS for case in _CASES),
    ]
    writer = csv.DictWriter(out, head, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_tbx(rows: list[dict[str, Any]], title: str) -> str:
    """TBX-Core, one entry for each term: what each language calls it, its gender, and its forms."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<martif type="TBX" xml:lang="en">',
        f"  <martifHeader><fileDesc><sourceDesc><p>{escape(title)}</p></sourceDesc></fileDesc></martifHeader>",
        "  <text><body>",
    ]
    genders = {"m": "masculine", "f": "feminine", "n": "neuter"}
    for key in dict.fromkeys(row["id"] for row in rows):
        lines.append(f"    <termEntry id={quoteattr('term-' + key.replace(' ', '_'))}>")
        for row in (row for row in rows if row["id"] == key):
            lines.append(f"      <langSet xml:lang={quoteattr(row['language'])}>")
            lines.append(f"        <tig><term>{escape(row['term'])}</term>")
            if row["gender"]:
                lines.append(f'          <termNote type="grammaticalGender">{genders[row["gender"]]}</termNote>')
            if row["animate"]:
                lines.append('          <termNote type="animacy">animate</termNote>')
            for name, form in row.items():
                if "." in name:
                    lines.append(f"          <termNote type={quoteattr('form ' + name)}>{escape(form)}</termNote>")
            lines += ["        </tig>", "      </langSet>"]
        lines.append("    </termEntry>")
    return "\n".join([*lines, "  </body></text>", "</martif>", ""])

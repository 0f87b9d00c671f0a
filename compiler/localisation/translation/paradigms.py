"""How words are declined, where no dictionary is at hand: which forms belong together, and what each of them can be.

In: the tables of a language (grammar/l10n/forms-<language>.yaml: endings by declension, verbs, some nouns of games) and
the words of an edition. Out: readings of nouns for the checks, and forms that a word cannot have. A word is taken for a
noun of a declension if other forms of just that declension stand in the texts, and more of them than of a verb or an
adjective with the same stem.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import INFLECTED, SOURCE
from grimoire.compiler.localisation.text.inflect import Plain
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.localisation.translation.glossary import Lemma, Lemmas, Reading
from grimoire.compiler.localisation.tuning import (
    PARADIGM_ATTESTED,
    PARADIGM_ENOUGH,
    PARADIGM_KNOWN,
    PARADIGM_LONGEST,
    PARADIGM_SHORTEST,
    PARADIGM_STEM,
    PARADIGM_STRONG,
    PARADIGM_TAIL,
)
from grimoire.compiler.source.tree import parse_bytes
from grimoire.grammar import read

CASES: Final = ("nom", "gen", "dat", "acc", "ins", "loc")
_REFLEXIVE: Final = ("ся", "сь")

State = tuple[str, str, bool | None]  # number, case, alive (None: either)
Key = tuple[str, int, str]  # noun, verb or adjective; the row of the table; the stem


class Declension(NamedTuple):
    """A row of the table: what each ending of it can be."""

    gender: str
    after: str
    states: dict[str, frozenset[State]]
    first: str  # the ending of the nominative
    table: dict[tuple[str, str], str]  # by number and case the first ending
    sure: frozenset[str]  # the endings that nothing else has


class Tables(NamedTuple):
    """What is known about a language."""

    nouns: tuple[Declension, ...]
    verbs: tuple[frozenset[str], ...]
    verbal: tuple[str, ...]
    alternate: dict[str, tuple[str, ...]]
    known: dict[str, tuple[str, ...]]  # by gender nouns, perhaps with the stem of their other forms
    others: frozenset[str]
    participles: frozenset[str]  # done, beside doing


def find_shared_start(endings: Iterable[str]) -> str:
    """What all endings begin with."""
    first, last = min(rows := [*endings]), max(rows)
    size = 0
    while size < len(first) and first[size] == last[size]:
        size += 1
    return first[:size]


def _read_declension(row: Mapping[str, str]) -> Declension:
    states: dict[str, set[State]] = defaultdict(set)
    table: dict[tuple[str, str], str] = {}
    for number, part in zip(("sg", "pl"), row["forms"].split("/"), strict=False):
        rows = dict(zip(CASES, part.split(), strict=True))
        for case, cell in rows.items():
            for ending in cell.split("|"):
                if ending != "*":
                    states["" if ending == "-" else ending].add((number, case, None))
                    table.setdefault((number, case), "" if ending == "-" else ending)
        if rows["acc"] == "*":
            for like, alive in (("nom", False), ("gen", True)):
                for ending in rows[like].split("|"):
                    states["" if ending == "-" else ending].add((number, "acc", alive))
            table[number, "acc"] = table[number, "nom"]
    first = row["forms"].split()[0]
    return Declension(
        row["gender"],
        row.get("after", ""),
        {ending: frozenset(found) for ending, found in states.items()},
        "" if first == "-" else first,
        table,
        frozenset(row.get("sure", "").split()),
    )


@cache
def load_tables(language: str) -> Tables:
    diags = Diagnostics()
    name = f"l10n/forms-{language}.yaml"
    tree = parse_bytes(read(name).encode(), name, diags)
    assert tree is not None and not len(diags), [item.message for item in diags]
    data: dict[str, Plain] = plain(tree)
    return Tables(
        tuple(_read_declension(row) for row in data["nouns"]),
        tuple(frozenset(row.split()) for row in data["verbs"]),
        tuple(dict.fromkeys(data["verbal"].split())),
        {vowel: tuple(row.split()) for vowel, row in (data.get("alternate") or {}).items()},
        {gender: tuple(row.split()) for gender, row in data["known"].items()},
        frozenset(data["others"].split()),
        frozenset(data["participles"].split()),
    )


@cache
def load_common_words(source: str, language: str) -> dict[str, tuple[str, ...]]:
    """What things of many games are called: by word of the source (English) those of a language."""
    if source != SOURCE or language not in INFLECTED:
        return {}
    diags = Diagnostics()
    tree = parse_bytes(read("l10n/common.yaml").encode(), "l10n/common.yaml", diags)
    assert tree is not None and not len(diags), [item.message for item in diags]
    return {word: tuple(row[language].split()) for word, row in plain(tree).items()}


class Paradigms:
    """The words of an edition by what they are."""

    def __init__(self, language: str, lemmas: Lemmas, vocabulary: Iterable[str]) -> None:
        self.tables = load_tables(language)
        self.lemmas = lemmas
        self.nouns: dict[str, list[int]] = defaultdict(list)
        for at, row in enumerate(self.tables.nouns):
            for ending in row.states:
                self.nouns[ending].append(at)
        self.verbs: dict[str, list[int]] = defaultdict(list)
        for at, endings in enumerate(self.tables.verbs):
            for ending in endings:
                self.verbs[ending].append(at)
        self.adjectives: dict[str, list[int]] = defaultdict(list)
        for at, (_, rows) in enumerate(lemmas.grammar.classes):
            for ending in {form for row in rows.values() for form in row if form not in ("*", "-")}:
                self.adjectives[ending].append(at)
        self.there: dict[Key, set[str]] = defaultdict(set)
        self.stems: dict[str, set[Key]] = defaultdict(set)
        self.given = self.collect_known_nouns()
        self.lemma_of: dict[str, str | None] = {}
        self.endings = frozenset(self.nouns) | frozenset(self.adjectives)
        self.words = {word for word in vocabulary if not word.isdigit()}
        for word in self.words:
            for key in self.iterate_keys(word):
                self.there[key].add(word)
        for key in [*self.there, *self.given]:
            if key[0] == "noun":  # what all its forms begin with
                self.stems[key[2]].add(key)
                self.stems[key[2] + find_shared_start(self.tables.nouns[key[1]].states)].add(key)
            elif key[0] == "adjective":
                self.stems[key[2]].add(key)

    # ------------------------------------------------------------ what a word can be

    def collect_known_nouns(self) -> set[Key]:
        found: set[Key] = set()
        for gender, nouns in self.tables.known.items():
            for noun in nouns:
                word, _, stem = noun.partition("/")
                best: tuple[int, Key] | None = None
                for at, row in enumerate(self.tables.nouns):
                    own = word.removesuffix(row.first)
                    if row.gender == gender and word.endswith(row.first) and self.fits(row, stem or own):
                        if best is None or len(row.first) > best[0]:
                            best = len(row.first), ("noun", at, stem or own)
                if best is not None:
                    found.add(best[1])
        return found

    @staticmethod
    def fits(row: Declension, stem: str) -> bool:
        return len(stem) >= PARADIGM_STEM and (not row.after or stem[-1] in row.after)

    def iterate_keys(self, word: str) -> Iterator[Key]:
        """All that a word can be by its letters."""
        for size in range(min(PARADIGM_LONGEST, len(word) - PARADIGM_STEM) + 1):
            stem, ending = word[: len(word) - size], word[len(word) - size :]
            for at in self.nouns.get(ending, ()):
                row = self.tables.nouns[at]
                if self.fits(row, stem):
                    yield "noun", at, stem
                if ending in ("", "ь") or ending == row.first:
                    for other in self.iterate_alternates(stem):
                        if self.fits(row, other):
                            yield "noun", at, other
            for at in self.adjectives.get(ending, ()) if size else ():
                yield "adjective", at, stem
        plain_word = word[:-2] if word.endswith(_REFLEXIVE) else word
        for size in range(1, min(PARADIGM_LONGEST, len(plain_word) - PARADIGM_STEM) + 1):
            for at in self.verbs.get(plain_word[-size:], ()):
                yield "verb", at, plain_word[:-size]

    def iterate_alternates(self, stem: str) -> Iterator[str]:
        for at in range(len(stem) - 1, max(len(stem) - 4, 0), -1):
            for vowel in self.tables.alternate.get(stem[at], ()):
                yield stem[:at] + vowel + stem[at + 1 :]
            if stem[at] in "аеиоуіїєюя":
                return

    def count_backing(self, key: Key, word: str) -> int:
        """How many other forms of it there are."""
        sure = (
            key[0] == "noun" and len(key[2]) > PARADIGM_STEM and word[len(key[2]) :] in self.tables.nouns[key[1]].sure
        )
        return len(self.there[key] - {word}) + PARADIGM_ENOUGH * sure + (PARADIGM_KNOWN if key in self.given else 0)

    def choose_best(self, word: str) -> tuple[int, list[Key]]:
        """What a word most likely is, and how many forms say so."""
        if word in self.tables.others or len(word) < 3:
            return 0, []
        rows = [(self.count_backing(key, word), key) for key in dict.fromkeys(self.iterate_keys(word))]
        if word.endswith(self.tables.verbal):
            rows = [row for row in rows if row[1][0] == "verb" or row[0] >= PARADIGM_STRONG]
        most = max((count for count, _ in rows), default=0)
        return most, [key for count, key in rows if count == most] if most else []

    # ------------------------------------------------------------ for the checks

    def find_readings(self, word: str) -> set[Reading]:
        """What a word is as a noun, if it can be nothing else."""
        count, keys = self.choose_best(word)
        if count < PARADIGM_ENOUGH or any(kind != "noun" for kind, _, _ in keys):
            return set()
        return {reading for _, at, stem in keys for reading in self.read_forms(at, stem, word)}

    def find_lemma(self, word: str) -> str | None:
        """One name for all forms of a word, if it is clear enough what it is."""
        if word not in self.lemma_of:
            count, keys = self.choose_best(word)
            self.lemma_of[word] = f"{min(key[2] for key in keys)}-" if count >= PARADIGM_ENOUGH else None
        return self.lemma_of[word]

    def is_noun(self, word: str) -> bool:
        return bool(self.find_readings(word))

    def name(self, at: int, stem: str) -> str:
        return f"{stem}{self.tables.nouns[at].first}*{at}"  # apart from the terms of the glossary

    def read_forms(self, at: int, stem: str, word: str) -> Iterator[Reading]:
        row = self.tables.nouns[at]
        endings = [word.removeprefix(stem)] if word.startswith(stem) else ["", "ь", row.first]
        for ending in endings:
            for number, case, alive in row.states.get(ending, ()):
                for animate in (False, True) if alive is None and case == "acc" else (bool(alive),):
                    yield Reading(self.name(at, stem), row.gender, number, case, animate)

    def enrich(self, vocabulary: Collection[str]) -> None:
        """Add the readings of words that the glossary has not."""
        lemmas = self.lemmas
        found: dict[str, set[Reading]] = {}
        for word in vocabulary:
            if len(word) >= 3 and word not in lemmas.readings and word not in lemmas.adjectives:
                readings = self.find_readings(word)
                if readings and not self.find_misformed(word):
                    found[word] = readings
                    for key in self.choose_best(word)[1]:
                        self.add_lemma(key)
        for word, readings in found.items():
            lemmas.readings[word] = readings

    def find_misformed(self, word: str) -> str | None:
        """The word whose stem another one has, with an ending that it cannot have; nothing else accounts for it."""
        if word in self.tables.others or len(word) < PARADIGM_SHORTEST or word.endswith(self.tables.verbal):
            return None
        keys = [key for key in dict.fromkeys(self.iterate_keys(word)) if self.there[key] - {word} or key in self.given]
        if any(key in self.given for key in keys):
            return None
        for size in range(1, min(PARADIGM_TAIL, len(word) - PARADIGM_STEM - 1) + 1):
            stem, ending = word[:-size], word[-size:]
            if ending not in self.endings or ending.endswith("о") or ending == "е":  # quickly, it is done
                continue
            for strong in self.stems.get(stem, ()):
                there = self.there[strong] - {word}
                enough = len(there) + (PARADIGM_KNOWN if strong in self.given else 0)
                if (
                    enough < PARADIGM_STRONG
                    or len(there) < PARADIGM_ATTESTED
                    or strong in keys
                    or self.is_related(strong, ending, there)
                ):
                    continue
                if not any(self.there[key] - {word} - there or len(self.there[key] - {word}) >= enough for key in keys):
                    return self.make_first_form(strong)
        return None

    def is_related(self, key: Key, ending: str, there: Collection[str]) -> bool:
        """Whether another word has the same stem by right: a verb beside a noun like doing, an adjective beside one
        like goodness."""
        kind, at, stem = key
        if kind == "adjective":  # not one that is only guessed from the endings of a noun
            sure = [form for form in there if len(form) - len(stem) > 1]
            return len(sure) < 2 or ending in self.adjectives
        row = self.tables.nouns[at]
        return bool(row.sure) and (
            ending in self.tables.participles if row.gender == "n" else ending in self.adjectives
        )

    def is_of_a_noun(self, stem: str, forms: Collection[str]) -> bool:
        """Whether nearly all of some forms are those of one noun."""
        return any(
            len(self.there[key]) >= PARADIGM_STRONG and len(set(forms) - self.there[key]) < 2
            for key in self.stems.get(stem, ())
            if key[0] == "noun"
        )

    def make_first_form(self, key: Key) -> str:
        """The form that a dictionary would have."""
        kind, at, stem = key
        return stem + (self.tables.nouns[at].first if kind == "noun" else self.lemmas.grammar.classes[at][0])

    def add_lemma(self, key: Key) -> None:
        _, at, stem = key
        name, row = self.name(at, stem), self.tables.nouns[at]
        if name not in self.lemmas.lemmas:
            self.lemmas.lemmas[name] = Lemma(name, row.gender, False, ())
            self.lemmas.forms[name] = {state: stem + ending for state, ending in row.table.items()}

"""Which words of a package can be taken for each other: terms of one class.

In: the model and the words of a package. Out: `Rivals`: for a stem the stems of its rivals. A class is what the package
itself holds together: the things of a kind, the kinds of one kind above, the persons.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from grimoire.compiler.localisation.audit.statement_facts import Vocabulary
from grimoire.compiler.localisation.translation.glossary import read_words
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.localisation.tuning import (
    CONFUSABLE_TIGHT,
    FACTS_MOST,
)

PLAYER: Final = "player"


class ConfusableTerms:
    """The rivals of stems, by language."""

    def __init__(self, edition: Edition, words: Mapping[str, Vocabulary]) -> None:
        things = [ids for ids in self.list_things(edition) if len(ids) <= CONFUSABLE_TIGHT]
        classes = self.list_classes(edition)
        self.table: dict[str, dict[str, set[str]]] = {}
        self.firm: dict[str, dict[str, set[str]]] = {}  # without those places that only hold pieces
        self.acting: dict[str, dict[str, set[str]]] = {}
        self.tight: dict[str, dict[str, set[str]]] = {}
        self.solid: dict[str, dict[str, set[str]]] = {}  # of things and kinds only
        self.persons: dict[str, set[str]] = {}  # who is often left to be understood
        self.where: dict[str, set[str]] = {}  # the things that are neighbours of each other, by what tells them apart
        for language, vocabulary in words.items():
            people = self.tell_apart(self.collect_designations(edition, vocabulary))
            places = self.tell_apart(self.collect_places(edition, vocabulary))
            self.firm[language] = merge_sets(self.collect_rows(classes, vocabulary), people)
            titles = self.collect_titles(edition, vocabulary)
            self.table[language] = merge_sets(merge_sets(self.firm[language], places), titles)
            self.tight[language] = self.collect_rows(things, vocabulary)
            self.acting[language] = people
            self.where[language] = self.collect_neighbours(edition, vocabulary)
            self.solid[language] = self.collect_rows(classes, vocabulary)
            self.persons[language] = {
                stem for key in self.list_actors(edition, language) for stem in vocabulary.words.get(key, ())
            }

    @staticmethod
    def collect_rows(groups: list[list[str]], vocabulary: Vocabulary) -> dict[str, set[str]]:
        rows: dict[str, set[str]] = defaultdict(set)
        for keys in groups:
            stems = {key: set(vocabulary.words.get(key, ())) for key in keys}
            count = Counter(stem for own in stems.values() for stem in own)
            own = {key: {stem for stem in found if count[stem] == 1} for key, found in stems.items()}
            for key, mine in own.items():
                for other, theirs in own.items():
                    if key != other:
                        for stem in mine:
                            rows[stem] |= theirs - mine
        return rows

    @staticmethod
    def tell_apart(sets: Collection[frozenset[str]]) -> dict[str, set[str]]:
        """The stems of each set with those of all others; a set that has another one in it only narrows that."""
        rows: dict[str, set[str]] = defaultdict(set)
        plain = [one for one in sets if not any(other < one for other in sets)]
        for one in plain:
            for stem in one:
                for other in plain:
                    if stem not in other:
                        rows[stem] |= other - one
        return rows

    @staticmethod
    def collect_designations(edition: Edition, vocabulary: Vocabulary) -> set[frozenset[str]]:
        """The terms for whoever acts, each by the stems that tell it from the word for any player."""
        reader = read_words(edition, vocabulary.language)
        found: set[frozenset[str]] = set()
        player = {*vocabulary.words.get(PLAYER, ())}
        for term in reader.terms.values() if reader is not None else ():
            if term.animate and term.forms:
                heads = [row[0] for row in term.forms.values() if row]
                found.add(vocabulary.collect_stems(" ".join([*term.adjectives, heads[0], *term.tail])) - player)
        return found - {frozenset()}

    @staticmethod
    def collect_titles(edition: Edition, vocabulary: Vocabulary) -> dict[str, set[str]]:
        """Two titles of entries that differ in one word are two of a kind."""
        texts = edition.open_language(vocabulary.language).texts
        rows = [texts[f"clauses.{id_}"].value for id_ in edition.model.rules if f"clauses.{id_}" in texts]
        groups: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for words in (title.lower().split() for title in rows):
            for at, word in enumerate(words) if len(words) > 1 else ():
                groups[(*words[:at], "*", *words[at + 1 :])].add(vocabulary.stem(word))
        found: dict[str, set[str]] = defaultdict(set)
        for stems in groups.values():
            for stem in stems if len(stems) == CONFUSABLE_TIGHT else ():
                found[stem] |= stems - {stem}
        return found

    @staticmethod
    def collect_places(edition: Edition, vocabulary: Vocabulary) -> set[frozenset[str]]:
        """Where something can be: zones by their heads, the things that are neighbours of each other, and their
        kinds."""
        model = edition.model
        things = {id_ for relation in model.relations for id_ in relation.pairs if id_ in model.things}
        kinds = {above for id_ in things for above in model.ancestors(model.things[id_].kind)}
        above_all = {kind for kind in kinds if all(model.is_a(model.things[id_].kind, kind) for id_ in things)}
        kinds -= above_all
        reader = read_words(edition, vocabulary.language)
        found: set[frozenset[str]] = set()
        for key, term in reader.terms.items() if reader is not None else ():
            if key not in model.zones and key not in kinds and key not in things:
                continue
            head = next((row[0] for row in term.forms.values() if row), "")
            narrow = " ".join([*term.adjectives, *(term.tail if key in kinds else ())]).strip()
            found.add(vocabulary.collect_stems(head if key in things else narrow or head))
        return found - {frozenset()}

    @staticmethod
    def collect_neighbours(edition: Edition, vocabulary: Vocabulary) -> set[str]:
        """The stems that belong to one of the things that are neighbours of each other, or to one of their kinds,
        only."""
        model = edition.model
        things = {id_ for relation in model.relations for id_ in relation.pairs if id_ in model.things}
        kinds = {above for id_ in things for above in model.ancestors(model.things[id_].kind)}
        count = Counter(stem for key in things | kinds for stem in vocabulary.words.get(key, ()))
        return {stem for stem, times in count.items() if times == 1}

    def find_rivals(self, language: str, stem: str) -> set[str]:
        return self.table[language].get(stem, set())

    def find_near_rivals(self, language: str, stem: str) -> set[str]:
        """Rivals in a small class: what is said of the one is not said of the other."""
        return self.tight[language].get(stem, set())

    @staticmethod
    def list_things(edition: Edition) -> list[list[str]]:
        things: dict[str, list[str]] = defaultdict(list)
        for id_, thing in edition.model.things.items():
            things[thing.kind].append(id_)
        return [ids for ids in things.values() if 1 < len(ids) <= FACTS_MOST]

    @classmethod
    def list_classes(cls, edition: Edition) -> list[list[str]]:
        kinds: dict[str, list[str]] = defaultdict(list)
        for id_, kind in edition.model.kinds.items():
            above = edition.model.kinds.get(kind.parent or "")
            if kind.parent is not None and above is not None and above.parent is not None:
                kinds[kind.parent].append(id_)
        found = [*cls.list_things(edition), *(ids for ids in kinds.values() if 1 < len(ids) <= FACTS_MOST)]
        # a kind and those above it: water spaces and spaces of the ship, deck and interior spaces
        for id_, members in kinds.items():
            parent = edition.model.kinds[id_].parent if id_ in edition.model.kinds else None
            if parent is not None and members and parent in kinds:
                found.append([*kinds[parent], *members])
        return found

    @staticmethod
    def list_actors(edition: Edition, language: str) -> list[str]:
        """The terms for whoever acts."""
        reader = read_words(edition, language)
        return [key for key, term in reader.terms.items() if term.animate] if reader is not None else []


def merge_sets(rows: Mapping[str, set[str]], more: Mapping[str, set[str]]) -> dict[str, set[str]]:
    return {stem: {*rows.get(stem, ()), *more.get(stem, ())} for stem in {*rows, *more}}

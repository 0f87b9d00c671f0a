"""Which words of a package can be taken for each other: terms of one class.

In: the model and the words of a package. Out: `Rivals`: for a stem the stems of its rivals. A class is what the package itself holds
together: the things of a kind, the kinds of one kind above, the persons.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

from grimoire.compiler.l10n_facts import MOST, Vocabulary
from grimoire.compiler.l10n_glossary import read_words
from grimoire.compiler.l10n_store import Edition

TIGHT: Final = 2  # members of a small class


class Rivals:
    """The rivals of stems, by language."""

    def __init__(self, edition: Edition, words: Mapping[str, Vocabulary]) -> None:
        things = [ids for ids in self.things(edition) if len(ids) <= TIGHT]
        classes = self.classes(edition)
        self.table: dict[str, dict[str, set[str]]] = {}
        self.tight: dict[str, dict[str, set[str]]] = {}
        self.solid: dict[str, dict[str, set[str]]] = {}  # of things and kinds only
        self.persons: dict[str, set[str]] = {}  # who is often left to be understood
        for language, vocabulary in words.items():
            self.table[language] = self.rows([*classes, self.people(edition, language)], vocabulary)
            self.tight[language] = self.rows(things, vocabulary)
            self.solid[language] = self.rows(classes, vocabulary)
            self.persons[language] = {
                stem for key in self.people(edition, language) for stem in vocabulary.words.get(key, ())
            }

    @staticmethod
    def rows(groups: list[list[str]], vocabulary: Vocabulary) -> dict[str, set[str]]:
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

    def of(self, language: str, stem: str) -> set[str]:
        return self.table[language].get(stem, set())

    def near(self, language: str, stem: str) -> set[str]:
        """Rivals in a small class: what is said of the one is not said of the other."""
        return self.tight[language].get(stem, set())

    @staticmethod
    def things(edition: Edition) -> list[list[str]]:
        things: dict[str, list[str]] = defaultdict(list)
        for id_, thing in edition.model.things.items():
            things[thing.kind].append(id_)
        return [ids for ids in things.values() if 1 < len(ids) <= MOST]

    @classmethod
    def classes(cls, edition: Edition) -> list[list[str]]:
        kinds: dict[str, list[str]] = defaultdict(list)
        for id_, kind in edition.model.kinds.items():
            above = edition.model.kinds.get(kind.parent or "")
            if kind.parent is not None and above is not None and above.parent is not None:
                kinds[kind.parent].append(id_)
        found = [*cls.things(edition), *(ids for ids in kinds.values() if 1 < len(ids) <= MOST)]
        # a kind and those above it: water spaces and spaces of the ship, deck and interior spaces
        for id_, members in kinds.items():
            parent = edition.model.kinds[id_].parent if id_ in edition.model.kinds else None
            if parent is not None and members and parent in kinds:
                found.append([*kinds[parent], *members])
        return found

    @staticmethod
    def people(edition: Edition, language: str) -> list[str]:
        """The terms for whoever acts."""
        reader = read_words(edition, language)
        return [key for key, term in reader.terms.items() if term.animate] if reader is not None else []

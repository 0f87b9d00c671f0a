"""Which words of a package can be taken for each other: terms of one class.

In: the model and the words of a package. Out: `Rivals`: for a stem the stems of its rivals. A class is what the package itself holds
together: the things of a kind, the kinds of one kind above, terms that differ only in what stands beside the same noun, the persons.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from grimoire.compiler.l10n_facts import FEW, MOST, Vocabulary
from grimoire.compiler.l10n_glossary import read_words
from grimoire.compiler.l10n_store import Edition


class Rivals:
    """The rivals of stems, by language."""

    def __init__(self, edition: Edition, words: Mapping[str, Vocabulary]) -> None:
        classes = list(self.classes(edition))
        self.table: dict[str, dict[str, set[str]]] = {}
        for language, vocabulary in words.items():
            rows: dict[str, set[str]] = defaultdict(set)
            groups = [*classes, *self.heads(edition, language)]
            for keys in groups:
                stems = {key: set(vocabulary.words.get(key, ())) for key in keys}
                count = Counter(stem for own in stems.values() for stem in own)
                own = {key: {stem for stem in found if count[stem] == 1} for key, found in stems.items()}
                for key, mine in own.items():
                    for other, theirs in own.items():
                        if key != other:
                            for stem in mine:
                                rows[stem] |= theirs - mine
            self.table[language] = rows

    def of(self, language: str, stem: str) -> set[str]:
        return self.table[language].get(stem, set())

    @staticmethod
    def classes(edition: Edition) -> list[list[str]]:
        things: dict[str, list[str]] = defaultdict(list)
        for id_, thing in edition.model.things.items():
            things[thing.kind].append(id_)
        kinds: dict[str, list[str]] = defaultdict(list)
        for id_, kind in edition.model.kinds.items():
            above = edition.model.kinds.get(kind.parent or "")
            if kind.parent is not None and above is not None and above.parent is not None:
                kinds[kind.parent].append(id_)
        found = [ids for ids in [*things.values(), *kinds.values()] if 1 < len(ids) <= MOST]
        # a kind and those above it: water spaces and spaces of the ship, deck and interior spaces
        for id_, members in kinds.items():
            parent = edition.model.kinds[id_].parent if id_ in edition.model.kinds else None
            if parent is not None and members and parent in kinds:
                found.append([*kinds[parent], *members])
        return found

    @staticmethod
    def heads(edition: Edition, language: str) -> list[list[str]]:
        """Terms with the same noun and something else beside it; and all persons."""
        reader = read_words(edition, language)
        if reader is None:
            return []
        heads: dict[str, list[str]] = defaultdict(list)
        people: list[str] = []
        for key, term in reader.terms.items():
            if 0 < len(" ".join([*term.adjectives, term.tail[0]]).split()) <= FEW:
                row = next(iter(term.forms.values()))
                heads[row[0].lower()].append(key)
            if term.animate:
                people.append(key)
        return [*(keys for keys in heads.values() if len(keys) > 1), people]

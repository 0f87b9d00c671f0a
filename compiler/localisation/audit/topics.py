"""Related topics: the list that a printed entry ends with, beside the one that the entry has in the package.

In: a printed entry and the ids that belong to it. Out: the topics that the print lacks and those that the package has
not. A title counts as that of an entry in singular and plural, with a slip of spelling, and as the heading of one of
its clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from grimoire.compiler.localisation.audit.printed import PrintedEntry, find_topics, fold_title
from grimoire.compiler.localisation.edition.book import Entry
from grimoire.compiler.localisation.tuning import (
    TOPIC_ALIKE,
)

_STOPS: Final = (".", "!", "…")


class Lists(NamedTuple):
    """What two lists of related topics differ in."""

    lacks: tuple[str, ...]  # ids that the print does not name
    more: tuple[str, ...]  # printed titles of entries that the package does not name
    whole: bool  # whether the printed list has its end


class Topics:
    """Reads the titles of a book as entries of the package."""

    def __init__(
        self,
        entries: Sequence[tuple[Entry, PrintedEntry]],
        loose: Callable[[str], tuple[str, ...]],
        all_: Iterable[Entry],
    ) -> None:
        self.loose = loose
        self.titles: dict[str, str] = {}
        self.stems: dict[tuple[str, ...], str] = {}
        for entry, found in entries:  # headings of clauses first: a title of an entry counts more
            for clause in found.clauses if not entry.appendix else ():
                if clause.title:
                    self.add(clause.title, entry.id)
        for entry, found in entries:
            self.add(found.title, entry.id)
        for entry in all_:
            self.add(entry.title, entry.id)
        self.used = any(found.topics for _, found in entries)  # a book without such lists lacks none

    def add(self, title: str, id_: str) -> None:
        if fold_title(title):
            self.titles[fold_title(title)] = id_
            self.stems[self.loose(fold_title(title))] = id_

    def entry_of(self, title: str) -> str | None:
        """The entry that a title means."""
        plain = fold_title(title)
        return self.titles.get(plain) or self.stems.get(self.loose(plain))

    def compare(self, found: PrintedEntry, see: Sequence[str], titles: Mapping[str, str]) -> Lists:
        names = [title for title, _ in find_topics(found.topics)]
        meant = {name: self.entry_of(name) for name in names}
        lacks = [id_ for id_ in see if id_ not in meant.values()]
        for name in (name for name, id_ in meant.items() if id_ is None):
            near = max(lacks, key=lambda id_: measure_likeness(name, titles[id_]), default=None)
            if near is not None and measure_likeness(name, titles[near]) >= TOPIC_ALIKE:
                lacks.remove(near)
        more = tuple(name for name, id_ in meant.items() if id_ is not None and id_ not in see)
        return Lists(tuple(lacks), more, bool(names) and found.topics[-1].text.rstrip(" *_").endswith(_STOPS))


def measure_likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, fold_title(one), fold_title(other)).ratio()

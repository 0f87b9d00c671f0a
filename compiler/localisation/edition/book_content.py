"""The content of a book, and what its site and its print share: anchors, pieces of text, index numbers.

In: a `Book` with its `Links` and its cards. Out: a `Volume`, which `site` and `print` set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from grimoire.compiler.localisation.edition.book import Book, Entry
from grimoire.compiler.localisation.edition.cards import Card, Group
from grimoire.compiler.localisation.edition.links import Links, Mention, Subject
from grimoire.compiler.localisation.tuning import (
    INDEX_MANY,
    INDEX_RUN,
)


class Reference(NamedTuple):
    """A number of the index, and what it leads to."""

    number: str
    entry: str
    clause: str | None


class Volume(NamedTuple):
    """All that is in a book."""

    book: Book
    links: Links
    groups: tuple[Group, ...]
    version: str  # of the package

    def heading(self, entry: Entry) -> str:
        """`Appendix IV`, or the number."""
        return f"{self.book.tables.words['appendix']}\u00a0{entry.number}" if entry.appendix else entry.number

    def parts(self) -> list[tuple[str, tuple[Entry, ...]]]:
        """The entries and the appendices, under their headings."""
        words = self.book.tables.words
        rows = [(words["entries"], self.book.entries), (words["appendices"], self.book.appendices)]
        return [(title, entries) for title, entries in rows if entries]

    def list_galleries(self) -> list[tuple[str, tuple[Group, ...]]]:
        """The cards, and what is no card, under their headings."""
        words = self.book.tables.words
        cards = tuple(group for group in self.groups if group.card)
        others = tuple(group for group in self.groups if not group.card)
        return [(title, groups) for title, groups in ((words["cards"], cards), (words["pieces"], others)) if groups]

    def amount(self, group: Group) -> str:
        """How many there are; how many kinds of them, if they are not all different."""
        words = self.book.tables.words
        total = f"{words['total']}: {group.copies()}"
        return (
            total if len(group.cards) in (1, group.copies()) else f"{total}; {words['different']}: {len(group.cards)}"
        )

    def places(self, what: Card | Group) -> list[Reference]:
        """The clauses that cards say to carry out, behind the entry that is about their kind."""
        where = {
            line.id: Reference(line.number, entry.id, line.id) for entry in self.book.all() for line in entry.lines
        }
        about = self.links.about.get(what.kind) if isinstance(what, Group) else None
        entries = [entry for entry in self.book.all() if entry.id == about]
        made = [Reference(f"{entry.title}\u00a0({entry.number})", entry.id, None) for entry in entries]
        return made + [where[id_] for id_ in what.clauses]


def main_reference(volume: Volume, subject: Subject) -> Reference | None:
    """Where a subject is dealt with: its entry, or the clause that has it for a heading."""
    for entry in volume.book.all():
        if entry.id == subject.entry:
            return Reference(entry.number, entry.id, None)
        for line in entry.lines:
            if line.id == subject.head:
                return Reference(line.number, entry.id, line.id)
    return None


def list_references(volume: Volume, subject: Subject) -> list[Reference]:
    """What stands behind a subject: clauses and ranges of them, or entries where those are too many to be of use."""
    places = [(entry, line) for entry in volume.book.all() for line in entry.lines]
    wanted = set(subject.clauses)
    runs: list[list[int]] = []
    for at, (entry, line) in enumerate(places):
        if line.id not in wanted:
            continue
        if runs and runs[-1][-1] == at - 1 and places[at - 1][0].id == entry.id:
            runs[-1].append(at)
        else:
            runs.append([at])
    found: list[Reference] = []
    for run in runs:
        entry, line = places[run[0]]
        if len(run) >= INDEX_RUN:
            number = f"{line.number}\u2013{places[run[-1]][1].number}"
            found.append(Reference(number, entry.id, line.id))
        else:
            found += [Reference(places[at][1].number, entry.id, places[at][1].id) for at in run]
    if len(found) <= INDEX_MANY:
        return found
    entries = {places[run[0]][0].id: places[run[0]][0] for run in runs}
    return [Reference(entry.number, entry.id, None) for entry in entries.values()]


def split_spans(text: str, mentions: Sequence[Mention], lead: int = 0) -> Iterator[tuple[str, str | None, bool]]:
    """A text in pieces, each with the entry that it leads to, if any, and whether it belongs to the heading of the
    text."""
    cuts = sorted(
        {0, lead, len(text), *(mention.start for mention in mentions), *(mention.end for mention in mentions)}
    )
    to = {at: mention.entry for mention in mentions for at in range(mention.start, mention.end)}
    for start, end in pairwise(cuts):
        yield text[start:end], to.get(start), start < lead


def make_slug(id_: str) -> str:
    """An id as the name of a file or of a place: letters, digits and hyphens, and a dot as a sign that ids do not
    have."""
    return id_.replace(".", "_")


def make_anchor(clause: str) -> str:
    return f"c{make_slug(clause.rpartition('.')[2])}"

"""Lay a printed rules reference beside the clauses of a package: which printed statement is which of ours.

In: a `Print` and a `Book`. Out: `Aligned`: pairs of statements, and what has no counterpart. Numbers lead; where what
stands under a number is about something else, likeness does.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from grimoire.compiler.localisation.audit.printed import Part, Print, PrintedClause, PrintedEntry, fold_title
from grimoire.compiler.localisation.audit.statement_facts import Vocabulary
from grimoire.compiler.localisation.edition.book import Book, Entry, Line
from grimoire.compiler.localisation.tuning import (
    ALIGN_LIKE,
    ALIGN_SAME_NUMBER,
    ALIGN_SAME_PLACE,
    ALIGN_UNLIKE,
)

A = TypeVar("A")
B = TypeVar("B")


class OurClause(NamedTuple):
    """A clause of the package: itself, and its lettered statements."""

    number: int
    lines: tuple[Line, ...]


class Pair(NamedTuple):
    """A printed statement and ours."""

    entry: Entry
    clause: OurClause
    line: Line
    printed: PrintedClause
    part: Part
    number: str
    likeness: float


class Clauses(NamedTuple):
    """Two clauses that are one."""

    entry: Entry
    ours: OurClause
    printed: PrintedClause
    number: str


class Aligned(NamedTuple):
    pairs: list[Pair]
    clauses: list[Clauses]
    entries: list[tuple[Entry, PrintedEntry]]
    no_entry: list[Entry]  # ours that the book has not
    new_entry: list[PrintedEntry]
    no_clause: list[tuple[Entry, PrintedEntry, OurClause]]
    new_clause: list[tuple[Entry, PrintedClause, str]]
    renumbered: list[tuple[Entry, OurClause, PrintedClause, str]]
    no_line: list[tuple[Clauses, Line]]
    new_part: list[tuple[Clauses, Part]]
    twice: list[tuple[PrintedEntry, PrintedClause, str]]


def list_clauses(entry: Entry) -> list[OurClause]:
    rows: dict[int, list[Line]] = defaultdict(list)
    for line in entry.lines:
        found = re.match(r"\d+", line.id.rpartition(".")[2])
        rows[int(found[0]) if found is not None else 0].append(line)
    return [OurClause(number, tuple(lines)) for number, lines in rows.items()]


def match(
    ours: Sequence[A], theirs: Sequence[B], score: Callable[[int, int], float]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """The best pairs in order; what is left on both sides. A score of 0 or less is no pair."""
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    made: dict[tuple[int, int], float] = {}
    for a in range(len(ours) - 1, -1, -1):
        for b in range(len(theirs) - 1, -1, -1):
            made[a, b] = score(a, b)
            take = made[a, b] + best[a + 1][b + 1] if made[a, b] > 0 else 0.0
            best[a][b] = max(best[a + 1][b], best[a][b + 1], take)
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    right: list[int] = []
    a = b = 0
    while a < len(ours) and b < len(theirs):
        value = made[a, b]
        if value > 0 and best[a][b] == value + best[a + 1][b + 1]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif best[a][b] == best[a + 1][b]:
            left.append(a)
            a += 1
        else:
            right.append(b)
            b += 1
    return pairs, [*left, *range(a, len(ours))], [*right, *range(b, len(theirs))]


class Aligner:
    """Lays one book beside a package."""

    def __init__(self, book: Book, printed: Print, words: Vocabulary) -> None:
        self.book, self.printed, self.words = book, printed, words
        rows = [words.collect_facts(line.text).stems for line in book.lines()]
        count = Counter(stem for stems in rows for stem in stems)
        self.weight: Mapping[str, float] = {stem: math.log(len(rows) / seen) + 0.2 for stem, seen in count.items()}
        self.usual = math.log(max(len(rows), 2)) / 2
        self.out = Aligned([], [], [], [], [], [], [], [], [], [], [])

    def measure_likeness(self, ours: str, theirs: str) -> float:
        """How much two texts of one language have in common: 0 to 1."""
        mine, other = self.words.collect_facts(ours), self.words.collect_facts(theirs)
        left = mine.stems | {str(number) for number in mine.figures}
        right = other.stems | {str(number) for number in other.figures}
        common = sum(self.weight.get(stem, self.usual) for stem in left & right)
        whole = sum(self.weight.get(stem, self.usual) for stem in left) + sum(
            self.weight.get(stem, self.usual) for stem in right
        )
        return 2 * common / whole if whole else 0.0

    def align(self) -> Aligned:
        there = list(self.printed.all())
        for entry in self.book.all():
            found = self.find_entry(entry, there)
            if found is None:
                self.out.no_entry.append(entry)
                continue
            there.remove(found)
            self.out.entries.append((entry, found))
            self.align_entry(entry, found)
        self.out.new_entry.extend(there)
        return self.out

    def find_entry(self, entry: Entry, there: Sequence[PrintedEntry]) -> PrintedEntry | None:
        numbered = [found for found in there if found.number == entry.number]
        titled = [found for found in there if fold_title(found.title) == fold_title(entry.title)]
        for found in numbered:
            if found in titled:
                return found
        if titled:
            return titled[0]
        for found in numbered:
            other = next((row for row in self.book.all() if fold_title(row.title) == fold_title(found.title)), None)
            if other is None:
                return found
        return None

    # --- clauses ------------------------------------------------------------------------------------------------------

    def align_entry(self, entry: Entry, found: PrintedEntry) -> None:
        ours = list_clauses(entry)
        theirs = self.drop_doubles(found)
        numbers = {clause.number for clause in theirs}
        if entry.appendix and len(ours) > 1 and not numbers - {0}:
            self.align_unnumbered(entry, ours, theirs)
            return
        texts = [" ".join(line.text for line in clause.lines) for clause in ours]
        other = [" ".join([clause.title, *(part.text for part in clause.parts)]) for clause in theirs]
        likeness = {
            (a, b): self.measure_likeness(texts[a], other[b]) for a in range(len(ours)) for b in range(len(theirs))
        }

        def score(a: int, b: int) -> float:
            alike = likeness[a, b]
            if ours[a].number == theirs[b].number:
                if not theirs[b].parts:
                    return ALIGN_SAME_NUMBER
                return alike + ALIGN_SAME_NUMBER if alike > ALIGN_UNLIKE / 2 or len(texts[a]) < 60 else 0.01
            return alike if alike > ALIGN_LIKE and 0 not in (ours[a].number, theirs[b].number) else 0.0

        pairs, left, right = match(ours, theirs, score)
        # what is left on both sides under one number, or stands in another place: exchanged clauses
        for a in list(left):
            better = [
                (likeness[a, b], b) for b in right if likeness[a, b] > ALIGN_LIKE or ours[a].number == theirs[b].number
            ]
            if better:
                b = max(better)[1]
                pairs.append((a, b))
                left.remove(a)
                right.remove(b)
        for a, b in sorted(pairs):
            number = f"{found.number}.{theirs[b].number}" if theirs[b].number else found.number
            if ours[a].number != theirs[b].number:
                self.out.renumbered.append((entry, ours[a], theirs[b], number))
            self.align_clause(Clauses(entry, ours[a], theirs[b], number))
        for a in left:
            self.out.no_clause.append((entry, found, ours[a]))
        for b in right:
            number = f"{found.number}.{theirs[b].number}" if theirs[b].number else found.number
            self.out.new_clause.append((entry, theirs[b], number))

    def drop_doubles(self, found: PrintedEntry) -> list[PrintedClause]:
        kept: list[PrintedClause] = []
        for clause in found.clauses:
            if clause.number and any(clause.number == other.number for other in kept):
                self.out.twice.append((found, clause, f"{found.number}.{clause.number}"))
            kept.append(clause)
        return kept

    def align_clause(self, row: Clauses) -> None:
        self.out.clauses.append(row)
        lines, parts = row.ours.lines, row.printed.parts
        titled = row.printed.title
        if not parts:
            return

        def score(a: int, b: int) -> float:
            alike = self.measure_likeness(lines[a].text, f"{titled} {parts[b].text}" if b == 0 else parts[b].text)
            first = (a == 0) == (b == 0)
            near = ALIGN_SAME_PLACE if a == b and len(lines) == len(parts) else ALIGN_SAME_PLACE / 2 if first else 0.0
            return alike + near if alike > ALIGN_UNLIKE or (near and alike > 0) else near / 4

        pairs, left, right = match(lines, parts, score)
        if len(lines) == len(parts) and left:  # what is exchanged stands beside what it was exchanged with
            for a in list(left):
                likely = [(self.measure_likeness(lines[a].text, parts[b].text), b) for b in right]
                if likely and max(likely)[0] > ALIGN_UNLIKE:
                    b = max(likely)[1]
                    pairs.append((a, b))
                    left.remove(a)
                    right.remove(b)
        for a, b in pairs:
            alike = self.measure_likeness(lines[a].text, parts[b].text)
            self.out.pairs.append(Pair(row.entry, row.ours, lines[a], row.printed, parts[b], row.number, alike))
        ours, theirs = [line.text for line in lines], [part.text for part in parts]
        for a in left:
            if not self.is_covered(ours[a], theirs, [ours[other] for other, _ in pairs]):
                self.out.no_line.append((row, lines[a]))
        for b in right:
            if not self.is_covered(theirs[b], ours, [theirs[other] for _, other in pairs]):
                self.out.new_part.append((row, parts[b]))

    def is_covered(self, text: str, by: Sequence[str], beside: Sequence[str]) -> bool:
        """Whether what a text says more than those beside it stands on the other side: two statements in one."""
        known = {stem for other in beside for stem in self.collect_stems(other)}
        own = self.collect_stems(text) - known
        there = {stem for other in by for stem in self.collect_stems(other)}
        whole = sum(self.weight.get(stem, self.usual) for stem in own)
        return sum(self.weight.get(stem, self.usual) for stem in own & there) > 0.6 * whole

    def collect_stems(self, text: str) -> set[str]:
        facts = self.words.collect_facts(text)
        return {*facts.stems, *map(str, facts.figures)}

    def align_unnumbered(self, entry: Entry, ours: Sequence[OurClause], theirs: Sequence[PrintedClause]) -> None:
        """An appendix whose statements have no numbers in print: by order and likeness."""
        lines = [(clause, line) for clause in ours for line in clause.lines]
        parts = [(clause, part) for clause in theirs for part in clause.parts]

        def score(a: int, b: int) -> float:
            alike = self.measure_likeness(lines[a][1].text, parts[b][1].text)
            return alike if alike > ALIGN_UNLIKE else 0.0

        pairs, left, _ = match(lines, parts, score)
        for a, b in pairs:
            (clause, line), (printed, part) = lines[a], parts[b]
            alike = self.measure_likeness(line.text, part.text)
            self.out.pairs.append(Pair(entry, clause, line, printed, part, entry.number, alike))
        for a in left:
            clause, line = lines[a]
            if not self.is_covered(line.text, [part.text for _, part in parts], []):
                self.out.no_line.append((Clauses(entry, clause, theirs[0], entry.number), line))

"""Data of the comparison of a print with a package: findings, both sides of a statement, habits of the book.

In: a book laid beside a package. Out: `Habits`: what our wordings and the program say of a clause, what the print says,
and how usual it is that the book has a term where we have it. Our wording is a paraphrase: only what breaks a habit of
the book counts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.localisation.audit.align import Aligned, Pair
from grimoire.compiler.localisation.audit.confusable_terms import ConfusableTerms
from grimoire.compiler.localisation.audit.printed import Print
from grimoire.compiler.localisation.audit.statement_facts import Facts, Vocabulary
from grimoire.compiler.localisation.edition.book import Line
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.localisation.tuning import (
    STATEMENT_OWN,
    STATEMENT_UNKNOWN,
)
from grimoire.runtime.plain_data import Json

CHANGES: Final = "changes-play"
GAP: Final = "gap"
IMPRECISE: Final = "imprecise"
WORDING: Final = "wording"
SEVERITIES: Final = (CHANGES, GAP, IMPRECISE, WORDING)

KINDS: Final = ("rule", "definition")  # clauses of other kinds are compared for contradictions only
MANNERS: Final = "manners"


class Remark(NamedTuple):
    """One finding."""

    id: str
    number: str
    lang: str
    severity: str
    message: str
    span: Span
    quote: str = ""
    rule: str = ""
    weight: float = 0.0

    def plain(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "number": self.number,
            "lang": self.lang,
            "severity": self.severity,
            "message": self.message,
            "span": self.span.plain(),
        }


class Habit(NamedTuple):
    """How often a term stands in both, only in ours, only in print."""

    both: int
    ours: int
    theirs: int

    def rate_missing(self) -> float:
        """How usual it is that the book does not have the term where we do; the place in question not counted."""
        return self.compute_rate(self.ours)

    def rate_added(self) -> float:
        return self.compute_rate(self.theirs)

    def compute_rate(self, alone: int) -> float:
        if not self.both:
            return STATEMENT_UNKNOWN if self.ours + self.theirs <= 2 else 1.0
        return (max(alone - 1, 0) + 0.2) / (self.both + max(alone - 1, 0) + 0.4)


class Ours(NamedTuple):
    """What the package says and does for one statement."""

    facts: Facts
    others: Mapping[str, Facts]  # by language
    program: frozenset[str]  # names in the statements that carry the clause out
    figures: frozenset[int]


class Habits:
    """A book beside a package, and what it usually does."""

    def __init__(
        self,
        edition: Edition,
        language: str,
        aligned: Aligned,
        printed: Print,
        words: Mapping[str, Vocabulary],
        program: Mapping[str, Sequence[str]],
    ) -> None:
        self.edition, self.language, self.aligned, self.printed = edition, language, aligned, printed
        self.words = words
        self.own = words[language]
        self.program = program
        self.rivals = ConfusableTerms(edition, words)
        self.texts = {id_: edition.open_language(id_).texts for id_ in words}
        self.cached: dict[str, Ours] = {}
        self.below: dict[tuple[str, int], set[str]] = defaultdict(set)
        for entry, found in aligned.entries:
            for clause in found.clauses:
                for number in (clause.number, clause.number - 1, clause.number - 2, clause.number - 3):
                    for part in clause.parts:
                        self.below[entry.id, number] |= self.own.collect_facts(part.text).stems
        self.habits = self.learn()
        self.spoken = {stem for pair in aligned.pairs for stem in self.own.collect_facts(pair.line.text).stems}
        lines = [self.own.collect_facts(pair.line.text) for pair in aligned.pairs]
        count = Counter(stem for facts in lines for stem in facts.terms)
        likeness = sorted(pair.likeness for pair in aligned.pairs)
        self.ours_set = bool(likeness) and likeness[len(likeness) // 2] > STATEMENT_OWN
        self.share = {stem: count[stem] / max(len(lines), 1) for stem in {*count, *self.habits}}

    def read_ours(self, line: Line) -> Ours:
        found = self.cached.get(line.id)
        if found is None:
            others = {
                id_: self.words[id_].collect_facts(rows[f"clauses.{line.id}"].value)
                for id_, rows in self.texts.items()
                if id_ != self.language and f"clauses.{line.id}" in rows
            }
            quoted = (re.match(r"'(.*)' in ", source) for source in self.program.get(line.id, ()))
            sources = [found[1] for found in quoted if found is not None]
            names = frozenset(name for source in sources for name in re.findall(r"[a-z][a-z-]+", source))
            figures = frozenset(int(digits) for source in sources for digits in re.findall(r"(?<![\w-])\d+", source))
            found = self.cached[line.id] = Ours(self.own.collect_facts(line.text), others, names, figures)
        return found

    def is_said(self, stem: str, facts: Facts, language: str) -> bool | None:
        """Whether another language says what a stem stands for; None if it has no word for it."""
        there = self.words[language]
        keys = [key for key in self.own.find_shared_keys(stem) if key in there.telling]
        if not keys:
            return None
        return any(
            there.telling[key] & facts.alone
            or any(
                key in there.joined[both] or set(both.split(" ")) <= set(there.words[key])
                for both in facts.joined
                if there.telling[key] & set(both.split(" "))
            )
            for key in keys
        )

    def is_new(self, stem: str, mine: Ours) -> bool:
        """Whether none of our wordings has what a stem stands for."""
        if stem in mine.facts.stems:
            return False
        return not any(self.is_said(stem, facts, id_) for id_, facts in mine.others.items())

    def learn(self) -> dict[str, Habit]:
        """What the book says where we do: of terms by stem, of sides by name."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for pair in self.aligned.pairs:
            mine, print_ = self.own.collect_facts(pair.line.text), self.read(pair)
            ours = {*mine.terms, *mine.joined, *find_sides(mine), *mine.notions}
            theirs = {*print_.terms, *print_.joined, *find_sides(print_), *print_.notions}
            for stem in ours | theirs:
                at = 0 if stem in ours and stem in theirs else 1 if stem in ours else 2
                counts[stem][at] += 1
        return {stem: Habit(*row) for stem, row in counts.items()}

    def read(self, pair: Pair) -> Facts:
        first = pair.printed.parts and pair.part is pair.printed.parts[0]
        return self.own.collect_facts(
            f"{pair.printed.title}. {pair.part.text}" if first and pair.printed.title else pair.part.text
        )

    def make_remark(self, pair: Pair, severity: str, message: str, weight: float) -> Remark:
        return Remark(
            pair.line.id,
            pair.number,
            self.language,
            severity,
            message,
            self.printed.span(pair.part),
            pair.part.text,
            pair.line.text,
            weight,
        )

    def is_rule(self, pair: Pair, *kinds: str) -> bool:
        """Whether a statement is one of the rules: manners of play are, unless they stand in an appendix, where most
        are examples."""
        kind = self.edition.model.clauses[pair.line.id].kind
        return kind in (kinds or KINDS) or (not kinds and kind == MANNERS and not pair.entry.appendix)

    def find_habit(self, stem: str) -> Habit:
        return self.habits.get(stem) or Habit(0, 0, 0)

    def collect_stems_above(self, pair: Pair) -> set[str]:
        """The stems of what stands above a printed statement: titles, and the clause that a bullet belongs to."""
        found = set(self.own.collect_facts(f"{pair.entry.title}. {pair.printed.title}").stems | self.read(pair).stems)
        if pair.printed.parts and pair.part is not pair.printed.parts[0]:
            found |= self.own.collect_facts(pair.printed.parts[0].text).stems
        if pair.part.text.endswith(":") or (pair.printed.number == 0 and pair.part is pair.printed.parts[0]):
            # what is listed below belongs to it
            found |= self.below[pair.entry.id, pair.printed.number]
        return found

    def collect_stems_around(self, pair: Pair) -> set[str]:
        """The stems of our clause and of the title of its entry."""
        found = set(self.own.collect_facts(pair.entry.title).stems)
        for line in pair.clause.lines:
            found |= self.own.collect_facts(line.text).stems
        return found


def find_sides(facts: Facts) -> set[str]:
    return {f"{name}: {side}" for name, sides in facts.sides.items() for side in sides}

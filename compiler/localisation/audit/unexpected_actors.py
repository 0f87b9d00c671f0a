"""Actors and places that only the print names, and a player where the rule has somebody else.

In: the two sides of a statement. Out: remarks. A book may name a person more often than we do; what counts is that it
else does not name this one where we do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.confusable_terms import PLAYER
from grimoire.compiler.localisation.audit.opposites import quote_text
from grimoire.compiler.localisation.audit.statement_facts import Facts
from grimoire.compiler.localisation.audit.statements import CHANGES, IMPRECISE, Habits, Ours, Remark
from grimoire.compiler.localisation.tuning import (
    ACTOR_ADDED,
    ACTOR_BEFORE,
    ACTOR_INSTEAD,
)


class UnexpectedActors:
    """Looks for persons and places that only the print has."""

    def __init__(self, book: Habits) -> None:
        self.book, self.own, self.rivals, self.language = book, book.own, book.rivals, book.language

    def find_newcomers(self, pair: Pair, mine: Ours, print_: Facts, found: Sequence[Remark]) -> Iterator[Remark]:
        if pair.entry.appendix or not self.book.is_rule(pair, "rule"):
            return
        told = " ".join(row.message for row in found)
        people, places = self.rivals.persons[self.language], self.rivals.where[self.language]
        known = (
            self.book.collect_stems_around(pair)
            | self.find_recent_stems(pair)
            | self.own.collect_facts(pair.printed.title).stems
        )
        bare = self.own.collect_facts(pair.part.text)
        new = {
            stem: word
            for stem, word in bare.terms.items()
            if stem in self.own.nouns & people | places
            and stem not in known
            and f"'{word}'" not in told
            and self.book.is_new(stem, mine)
            and not self.own.find_shared_keys(stem) & mine.program
            and self.is_odd(stem)
        }
        if new:
            rivals = {rival for stem in new for rival in self.rivals.find_rivals(self.language, stem)}
            gone = set(mine.facts.terms) - print_.stems
            severity = CHANGES if gone & (rivals | self.players) else IMPRECISE
            yield self.book.make_remark(pair, severity, f"says {quote_text(new.values())}, which the rule has not", 1.2)
        elif not any(row.severity == CHANGES for row in found):
            yield from [*self.check_narrowed_player(pair, mine, bare, told)] or self.check_generic_player(
                pair, mine, bare, told
            )

    def check_narrowed_player(self, pair: Pair, mine: Ours, print_: Facts, told: str) -> Iterator[Remark]:
        """A player of some kind, where our wordings have just a player."""
        plain = self.players & mine.facts.alone
        for both, words in print_.joined.items():
            first, second = both.split(" ")
            if (
                second not in plain
                or f"'{words}'" in told
                or both in mine.facts.joined
                or not self.book.find_habit(both).both
            ):
                continue
            if self.book.is_new(first, mine) and not self.own.joined[both] & mine.program:
                message = f"says '{words}'; the rule has '{mine.facts.terms[second]}'"
                yield self.book.make_remark(pair, CHANGES, message, 1.1)
                return

    def is_odd(self, stem: str) -> bool:
        """Whether the book else does not name somebody, or a place, where we do not."""
        habit = self.book.find_habit(stem)
        return habit.theirs <= 1 or habit.rate_added() < ACTOR_ADDED

    def find_recent_stems(self, pair: Pair) -> set[str]:
        """The stems of our statements just before: who is meant by `he`."""
        lines = [line for line in pair.entry.lines if line.id != pair.line.id]
        at = next((at for at, line in enumerate(pair.entry.lines) if line.id == pair.line.id), 0)
        return {
            stem for line in lines[max(at - ACTOR_BEFORE, 0) : at] for stem in self.own.collect_facts(line.text).stems
        }

    @property
    def players(self) -> set[str]:
        return set(self.own.words.get(PLAYER, ()))

    def check_generic_player(self, pair: Pair, mine: Ours, print_: Facts, told: str) -> Iterator[Remark]:
        """A player, where all our wordings have a player of some part only, and not just any."""
        if not self.players & print_.stems or self.players & mine.facts.stems:
            return
        acting = self.rivals.acting[self.language]
        around = self.book.collect_stems_above(pair) | self.find_governing_stems(pair)
        for stem, word in mine.facts.terms.items():
            if stem not in acting or stem not in self.own.nouns or f"'{word}'" in told or stem in around:
                continue
            if not any(key.endswith(f" {PLAYER}") for key in self.own.keys[stem]):
                continue
            if not all(self.book.is_said(stem, facts, id_) for id_, facts in mine.others.items()):
                continue
            if self.book.find_habit(stem).rate_missing() < ACTOR_INSTEAD:
                player = next(print_.terms[one] for one in self.players if one in print_.terms)
                yield self.book.make_remark(pair, IMPRECISE, f"says '{player}'; the rule has '{word}'", 1.0)
                return

    def find_governing_stems(self, pair: Pair) -> set[str]:
        """The stems of the last statement of the entry before this one that announces a list: what follows is said of
        those."""
        for entry, found in self.book.aligned.entries:
            if entry.id == pair.entry.id:
                before = [clause for clause in found.clauses if clause.number < pair.printed.number]
                heads = [part.text for clause in before for part in clause.parts[:1] if part.text.endswith(":")]
                return set(self.own.collect_facts(heads[-1]).stems) if heads else set()
        return set()

"""Words that turn a rule round: may and must, opposites, and notions that are left out.

In: the two sides of a statement. Out: remarks. What our wordings in several languages agree on is compared, never one
of them alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.statement_facts import Facts
from grimoire.compiler.localisation.audit.statements import CHANGES, GAP, IMPRECISE, Habits, Ours, Remark
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.tuning import (
    OPPOSITE_FEWEST,
    OPPOSITE_NOTED,
    OPPOSITE_NOTION,
    OPPOSITE_OPPOSED,
    OPPOSITE_QUOTED,
    OPPOSITE_RARE,
    OPPOSITE_VERB,
)

_QUOTED: Final = re.compile(r"[«„“\"]([^«»„“”\"]+)[»“”\"]")
MODES: Final = (
    ("must", "may", "says that one must; by the rule one may"),
    ("may", "must", "says that one may; by the rule one must"),
    ("must", "cannot", "says what one must, or need not; the rule forbids it"),
    ("may", "cannot", "allows what the rule forbids"),
    ("cannot", "may", "forbids what the rule allows"),
    ("cannot", "must", "forbids what the rule demands"),
)


class Opposites:
    """The comparison of what needs no glossary."""

    def __init__(self, book: Habits) -> None:
        self.book, self.own = book, book.own

    def compare_notions(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """What is said without terms: instead, clockwise, again; and the verbs of the package."""
        if not self.book.is_rule(pair):
            return
        agreed = set(mine.facts.notions)
        for facts in mine.others.values():
            agreed &= set(facts.notions)
        lost = {
            name: mine.facts.notions[name]
            for name in sorted(agreed - set(print_.notions))
            if name in self.own.table.telling
            or (
                self.book.find_habit(name).both >= OPPOSITE_NOTED
                and self.book.find_habit(name).rate_missing()
                < (OPPOSITE_VERB if name.startswith("to ") else OPPOSITE_NOTION)
            )
        }
        titles = f"{pair.entry.title}. {pair.printed.title}"
        above = self.own.collect_facts(
            f"{titles}. {pair.printed.parts[0].text}" if pair.printed.parts else titles
        ).notions
        words = [self.own.plain(word) for word in TOKEN.findall(f"{titles} {pair.part.text}")]
        also = self.own.table.also
        lost = {
            name: word
            for name, word in lost.items()
            if name not in above
            and not (name in also and also[name].search(print_.text))
            and not any(root in word for root in self.own.roots.get(name, ()) for word in words)
        }
        if lost:
            habit = min(min(self.book.find_habit(name).rate_missing() for name in lost), OPPOSITE_NOTION)
            severity = GAP if habit < OPPOSITE_RARE or GAP in map(self.own.table.telling.get, lost) else IMPRECISE
            yield self.book.make_remark(
                pair, severity, f"does not say {quote_text(dict.fromkeys(lost.values()))}", 0.8 - habit
            )

    def compare_modals(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """May, must and cannot: what none of our wordings says, in place of what most of them say."""
        if not self.book.is_rule(pair):
            return
        all_ = [mine.facts, *mine.others.values()]
        only = self.own.table.only
        here, there = bool(only.search(print_.text)), bool(only.search(mine.facts.text))  # may only: cannot else
        for says, has, message in MODES:
            most = max(facts.modes.get(says, 0) for facts in all_)
            if print_.modes.get(says, 0) <= most or has in print_.modes:
                continue
            agreed = sum(has in facts.modes for facts in all_)
            if agreed <= len(all_) / 2 or (says == "must" and there and not here):
                continue
            if {says, has} == {"may", "cannot"} and (here or there or print_.bounds or mine.facts.bounds):
                continue
            yield self.book.make_remark(pair, CHANGES, message, 2.0)
            return
        message = self.find_turned_ban(all_, print_)
        if message:
            yield self.book.make_remark(pair, CHANGES, message, 1.8)

    @staticmethod
    def find_turned_ban(all_: Sequence[Facts], print_: Facts) -> str:
        """A ban that is none in print, or the other way round, however our wordings say it."""
        free = not print_.nots and "cannot" not in print_.modes
        forbids = all(facts.nots or "cannot" in facts.modes for facts in all_)
        if free and "may" in print_.modes and forbids and not any("may" in facts.modes for facts in all_):
            return "allows what the rule forbids"
        if free and all("cannot" in facts.modes for facts in all_):
            return "does not forbid what the rule forbids"
        if "cannot" in print_.modes and not any(facts.nots or "cannot" in facts.modes for facts in all_):
            return "forbids what the rule allows"
        return ""

    def compare_quotes(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """What stands in quotes: a step, a space of a track, a word of cards. One that the rules quote elsewhere, in
        place of ours."""
        ours, theirs = self.collect_quotes(pair.line.text), self.collect_quotes(pair.part.text)
        new = [name for name in theirs if name in self.known_quotes and not set(name.split()) <= mine.facts.stems]
        lost = [name for name in ours if not set(name.split()) <= print_.stems]
        if new and lost:
            yield self.book.make_remark(pair, CHANGES, f"says «{theirs[new[0]]}»; the rule has «{ours[lost[0]]}»", 2.8)
        elif (
            lost and self.book.is_rule(pair) and all(len(_QUOTED.findall(facts.text)) for facts in mine.others.values())
        ):
            yield self.book.make_remark(pair, GAP, f"does not say {', '.join(f'«{ours[name]}»' for name in lost)}", 0.9)

    def collect_quotes(self, text: str) -> dict[str, str]:
        """Short quotations by the stems of their words."""
        found = [match[1].strip(" .,") for match in _QUOTED.finditer(text)]
        short = [words for words in found if 0 < len(words.split()) <= OPPOSITE_QUOTED]
        return {" ".join(map(self.own.stem, TOKEN.findall(row))): row for row in short if not re.search(r"\d", row)}

    @cached_property
    def known_quotes(self) -> set[str]:
        return {name for pair in self.book.aligned.pairs for name in self.collect_quotes(pair.line.text)}

    def find_opposed_sides(self, name: str, mine: Ours, print_: Facts) -> tuple[frozenset[str], frozenset[str]] | None:
        """The sides that print and rule take, where they have none in common."""
        here, own = print_.sides[name], mine.facts.sides[name]
        others = [facts.sides[name] for facts in mine.others.values()]
        if not here or not own or here & own.union(*others):
            return None
        return (here, own) if not others or any(own & sides for sides in others) else None

    def compare_sides(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        for name in self.own.table.sides:
            found = self.find_opposed_sides(name, mine, print_)
            if found is not None and name in self.settled and self.book.is_rule(pair):
                says, has = self.word_of(name, found[0], print_), self.word_of(name, found[1], mine.facts)
                yield self.book.make_remark(pair, CHANGES, f"says '{says}'; the rule has '{has}'", 2.0)

    def word_of(self, name: str, sides: Iterable[str], facts: Facts) -> str:
        words = (self.own.table.sides[name][side].search(facts.text) for side in sorted(sides))
        return ", ".join(found[0] for found in words if found is not None)

    @cached_property
    def settled(self) -> set[str]:
        """Groups of opposites in which the book seldom takes the other side: a word of the others means something
        else."""
        both: Counter[str] = Counter()
        opposed: Counter[str] = Counter()
        for pair in self.book.aligned.pairs:
            mine, print_ = self.book.read_ours(pair.line), self.book.read(pair)
            for name in self.own.table.sides:
                if print_.sides[name] and mine.facts.sides[name]:
                    both[name] += 1
                    opposed[name] += self.find_opposed_sides(name, mine, print_) is not None
        return {
            name
            for name in self.own.table.sides
            if opposed[name] <= max(OPPOSITE_FEWEST, OPPOSITE_OPPOSED * both[name])
        }


def quote_text(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)

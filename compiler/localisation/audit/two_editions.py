"""Compare two printed editions in two languages, statement by statement, through the keys of the glossary.

In: two books, each laid beside the package. Out: remarks on the first where the two differ and the package does not
side with the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.statement_facts import Facts, Vocabulary
from grimoire.compiler.localisation.audit.statements import CHANGES, GAP, IMPRECISE, Habit, Habits, Remark, find_sides
from grimoire.compiler.localisation.tuning import (
    COMPARE_EVERYWHERE,
    EDITIONS_OFTEN,
    EDITIONS_RARE,
    EDITIONS_SEEN,
    EDITIONS_SELDOM,
)

if TYPE_CHECKING:
    from grimoire.compiler.localisation.audit.run import Laid

PLACES: Final = ("height", "face", "hand", "nearness")  # groups of opposites that are said, not understood


class Beside:
    """The comparison with another edition."""

    def __init__(self, book: Habits, laid: Laid, other: Laid, told: Iterable[Remark]) -> None:
        self.book, self.laid, self.other = book, laid, other
        self.own, self.theirs = book.words[laid.language], book.words[other.language]
        self.told = {row.id for row in told if row.severity in (CHANGES, GAP)}
        there = {pair.line.id: pair for pair in other.aligned.pairs}
        self.pairs = [(pair, there[pair.line.id]) for pair in laid.aligned.pairs if pair.line.id in there]
        lost: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        new: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for pair, second in self.pairs:
            mine, facts = book.read(pair), self.read(second)
            for stem in facts.terms:
                lost[stem][0 if says_stem(self.theirs, stem, mine, self.own) else 1] += 1
            for stem in mine.terms:
                new[stem][0 if says_stem(self.own, stem, facts, self.theirs) else 2] += 1
            here, there_ = collect_notions(mine), collect_notions(facts)
            for name in there_:
                lost[name][0 if name in here else 1] += 1
        self.lost = {stem: Habit(*row) for stem, row in lost.items()}
        self.new = {stem: Habit(*row) for stem, row in new.items()}

    def read(self, pair: Pair) -> Facts:
        first = bool(pair.printed.parts) and pair.part is pair.printed.parts[0]
        text = f"{pair.printed.title}. {pair.part.text}" if first and pair.printed.title else pair.part.text
        return self.theirs.collect_facts(text)

    def list_remarks(self) -> Iterator[Remark]:
        for pair, second in self.pairs:
            if self.book.is_rule(pair):
                yield from self.compare(pair, second)

    def compare(self, pair: Pair, second: Pair) -> Iterator[Remark]:
        mine, facts, ours = self.book.read(pair), self.read(second), self.book.read_ours(pair.line)
        where = f"the edition '{self.other.language}'"
        known = ours.facts.figures | ours.facts.loose | ours.figures
        new = {number for number in mine.figures if number > 1 and number not in facts.figures | facts.loose}
        lost = {number for number in facts.figures if number > 1 and number not in mine.figures | mine.loose}
        if new and lost and not new <= known:
            message = f"says {_list(new)}; {where} has {_list(lost)} in {second.number}"
            yield self.book.make_remark(pair, IMPRECISE, message, 1.2)
        if pair.line.id in self.told:
            return
        above = self.book.collect_stems_above(pair)
        gone = {
            stem: word
            for stem, word in facts.terms.items()
            if says_stem(self.theirs, stem, mine, self.own) is False
            and self.is_habit(self.lost[stem].both, self.lost[stem].rate_missing(), self.is_rival(stem))
            and says_stem(self.theirs, stem, ours.facts, self.own)
            and self.is_rare(stem)
            and not self.is_above(stem, above)
        }
        here = collect_notions(mine)
        left = {
            name: word
            for name, word in collect_notions(facts).items()
            if name not in here
            and name in collect_notions(ours.facts)
            and (
                (self.lost[name].both == 0 and self.lost[name].ours <= 2)
                or self.is_habit(self.lost[name].both, self.lost[name].rate_missing(), True)
            )
        }
        if gone or left:
            words = ", ".join(f"'{word}'" for word in dict.fromkeys([*gone.values(), *left.values()]))
            solid = self.book.rivals.solid[self.other.language]
            severity = GAP if any(solid.get(stem) for stem in gone) else IMPRECISE
            message = f"does not say what {where} says in {second.number}, and the rule too: {words}"
            yield self.book.make_remark(pair, severity, message, 0.7)
        more = {
            stem: word
            for stem, word in mine.terms.items()
            if self.book.is_new(stem, ours)
            and says_stem(self.own, stem, facts, self.theirs) is False
            and self.is_habit(self.new[stem].both, self.new[stem].rate_added(), True)
            and self.book.share.get(stem, 0.0) < COMPARE_EVERYWHERE
            and not self.own.find_shared_keys(stem) & ours.program
            and stem not in self.book.collect_stems_around(pair)
        }
        joined = {part for both in mine.joined if both not in ours.facts.joined for part in both.split(" ")}
        rare = [stem for stem in more if stem in joined and self.new[stem].rate_added() < EDITIONS_RARE]
        if (
            len(more) > 1 or rare
        ):  # one word may come with the style of a book; two, or another term, are something else
            words = ", ".join(f"'{word}'" for word in more.values())
            message = f"says {words}, which neither {where} has in {second.number} nor the rule"
            yield self.book.make_remark(pair, IMPRECISE, message, 0.6)

    @staticmethod
    def is_habit(both: int, rate: float, telling: bool) -> bool:
        return both >= EDITIONS_SEEN and rate < (EDITIONS_OFTEN if telling else EDITIONS_SELDOM)

    def is_rival(self, stem: str) -> bool:
        """Whether a term has rivals, or an entry of its own."""
        own = any(key.startswith("rule ") for key in self.theirs.find_shared_keys(stem))
        return own or bool(self.book.rivals.find_rivals(self.other.language, stem))

    def is_rare(self, stem: str) -> bool:
        """Whether a term of the other language tells something: cards and players are everywhere."""
        own = [
            self.book.share.get(other, 0.0)
            for key in self.theirs.find_shared_keys(stem)
            for other in self.own.telling.get(key, ())
        ]
        return bool(own) and max(own) < 1.5 * COMPARE_EVERYWHERE

    def is_above(self, stem: str, above: set[str]) -> bool:
        return any(self.own.telling.get(key, frozenset()) & above for key in self.theirs.find_shared_keys(stem))


def collect_notions(facts: Facts) -> dict[str, str]:
    """What is said without terms: notions and sides, by names that the languages share."""
    notions = {name: word for name, word in facts.notions.items() if not name.startswith("to ")}
    return {**notions, **{name: name.partition(": ")[2] for name in find_sides(facts) if name.startswith(PLACES)}}


def says_stem(words: Vocabulary, stem: str, facts: Facts, there: Vocabulary) -> bool | None:
    """Whether a statement in another language says what a stem stands for; None if that language has no word for it."""
    rows = [there.telling[key] for key in words.find_shared_keys(stem) if key in there.telling]
    if not rows:
        return None
    return any(stems & facts.stems for stems in rows)


def _list(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))

"""Compare two printed editions in two languages, statement by statement, through the keys of the glossary.

In: two books, each laid beside the package. Out: remarks on the first where the two differ and the package does not side with the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grimoire.compiler.l10n_align import Pair
from grimoire.compiler.l10n_compare import GAP, IMPRECISE, SELDOM, Comparer, Habit, Remark
from grimoire.compiler.l10n_facts import Facts, Vocabulary

if TYPE_CHECKING:
    from grimoire.compiler.l10n_audit import Laid


class Beside:
    """The comparison with another edition."""

    def __init__(self, comparer: Comparer, laid: Laid, other: Laid) -> None:
        self.comparer, self.laid, self.other = comparer, laid, other
        self.own, self.theirs = comparer.words[laid.language], comparer.words[other.language]
        there = {pair.line.id: pair for pair in other.aligned.pairs}
        self.pairs = [(pair, there[pair.line.id]) for pair in laid.aligned.pairs if pair.line.id in there]
        self.lost: dict[str, Habit] = {}
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for pair, second in self.pairs:
            mine, facts = comparer.read(pair), self.read(second)
            for stem in facts.terms:
                counts[stem][0 if said(self.theirs, stem, mine, self.own) else 1] += 1
        self.lost = {stem: Habit(*row) for stem, row in counts.items()}

    def read(self, pair: Pair) -> Facts:
        first = bool(pair.printed.parts) and pair.part is pair.printed.parts[0]
        text = f"{pair.printed.title}. {pair.part.text}" if first and pair.printed.title else pair.part.text
        return self.theirs.facts(text)

    def remarks(self) -> Iterator[Remark]:
        name = self.other.language
        for pair, second in self.pairs:
            mine, facts, ours = self.comparer.read(pair), self.read(second), self.comparer.ours(pair.line)
            known = ours.facts.figures | ours.facts.loose | ours.figures
            new = {number for number in mine.figures if number > 1 and number not in facts.figures | facts.loose}
            lost = {number for number in facts.figures if number > 1 and number not in mine.figures | mine.loose}
            if new and lost and not new <= known:
                message = f"says {_list(new)}; the edition '{name}' has {_list(lost)} in {second.number}"
                yield self.comparer.remark(pair, IMPRECISE, message, 1.2)
            above = self.comparer.above(pair)
            gone = [
                word
                for stem, word in facts.terms.items()
                if said(self.theirs, stem, mine, self.own) is False
                and self.lost[stem].both > 2
                and self.lost[stem].missing() < SELDOM
                and said(self.theirs, stem, ours.facts, self.own)
                and not self.is_above(stem, above)
            ]
            if gone:
                message = f"does not say {', '.join(repr(word) for word in gone)}, as the edition '{name}' does in {second.number}"
                yield self.comparer.remark(pair, GAP, message, 1.1)

    def is_above(self, stem: str, above: set[str]) -> bool:
        return any(self.own.telling.get(key, frozenset()) & above for key in self.theirs.named(stem))


def said(words: Vocabulary, stem: str, facts: Facts, there: Vocabulary) -> bool | None:
    """Whether a statement in another language says what a stem stands for; None if that language has no word for it."""
    rows = [there.telling[key] for key in words.named(stem) if key in there.telling]
    if not rows:
        return None
    return any(stems & facts.stems for stems in rows)


def _list(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))

"""How many: numbers, all and one and chosen, at least and more than.

In: the two sides of a statement. Out: remarks. What our wordings in several languages agree on is compared, never one
of them alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.confusable_terms import PLAYER
from grimoire.compiler.localisation.audit.statement_facts import Facts
from grimoire.compiler.localisation.audit.statements import CHANGES, GAP, IMPRECISE, Habits, Ours, Remark
from grimoire.compiler.localisation.text.language import TOKEN

# What the print says in place of what: such a change is another rule.
EXCHANGED: Final = {
    "one": ("all", "any"),
    "all": ("one", "chosen", "some"),
    "chosen": ("all", "any"),
    "some": ("all", "any"),
    "any": ("chosen",),
}
PARTLY: Final = ("some", "chosen")


class Amounts:
    """The comparison of how many are meant."""

    def __init__(self, book: Habits) -> None:
        self.book, self.own, self.rivals, self.language = book, book.own, book.rivals, book.language

    def compare_numbers(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        all_ = [mine.facts, *mine.others.values()]
        known = {number for facts in all_ for number in facts.counts} | mine.figures
        known |= {number for facts in all_ for number in facts.loose}
        here = print_.figures | print_.loose
        around = {number for line in pair.clause.lines for number in self.own.collect_facts(line.text).figures}
        new = {number for number in print_.figures if number not in known and number != 1}
        agreed = set(mine.facts.figures)
        for facts in mine.others.values():
            agreed &= facts.figures | facts.loose
        digit = re.search(r"(?<![\w.,-])1(?![\w–-]|[.,]\d)", pair.line.text)  # one is often left out, 1 is not
        lost = {number for number in agreed if number not in here and (number != 1 or (digit and new))}
        several = self.own.table.several.search(pair.line.text) and "from" not in print_.bounds
        if new and lost:
            yield self.book.make_remark(
                pair, CHANGES, f"says {join_numbers(new)}; the rule has {join_numbers(lost)}", 3.0
            )
        elif max(new, default=0) > 2:
            weight = 1.0 if new & around else 2.0
            yield self.book.make_remark(pair, CHANGES, f"says {join_numbers(new)}, which the rule has not", weight)
        elif new and (exact := self.describe_stress(pair, new)):
            yield self.book.make_remark(pair, CHANGES, f"says '{exact}', which the rule has not", 2.0)
        elif new - {0} and several:
            yield self.book.make_remark(
                pair, IMPRECISE, f"says {join_numbers(new)}; the rule has any number of them", 0.9
            )
        elif (swapped := self.find_swapped_number(all_, print_, mine)) is not None:
            yield self.book.make_remark(pair, CHANGES, f"says {swapped[0]}; the rule has {swapped[1]}", 2.5)
        elif lost & mine.figures:
            yield self.book.make_remark(pair, GAP, f"does not say {join_numbers(lost & mine.figures)}", 0.95)

    def describe_stress(self, pair: Pair, new: set[int]) -> str:
        """A new number that is said with stress: at least 2, only 2."""
        known = self.own.known
        for found in self.own.table.exactly.finditer(pair.part.text):
            word = TOKEN.match(pair.part.text, found.end() + 1)
            if word is not None and known.figures(word[0])[0] + known.figures(word[0])[1]:
                if set(known.figures(word[0])[0] + known.figures(word[0])[1]) <= new:
                    return f"{found[0]} {word[0]}"
        return ""

    def find_swapped_number(self, all_: Sequence[Facts], print_: Facts, mine: Ours) -> tuple[int, int] | None:
        """A number that stands in print more often than in any of our wordings, for one that all of them have more
        often."""
        more = [
            number
            for number in print_.figures
            if number > 1 and print_.counts[number] > max(facts.counts.get(number, 0) for facts in all_)
        ]
        if len(more) != 1 or (more[0] in mine.figures and print_.counts[more[0]] == 1):
            return None
        less = [
            number
            for number in all_[0].counts
            if print_.counts.get(number, 0) < min(facts.counts.get(number, 0) for facts in all_)
        ]
        return (more[0], less[0]) if len(less) == 1 and less != more else None

    def compare_amounts(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """All, one, any, some, chosen, wherever they stand: more often than in any of our wordings, in place of
        another."""
        if not self.book.is_rule(pair):
            return
        all_ = [mine.facts, *mine.others.values()]
        for name, words in print_.amounts.items():
            if len(words) <= max(len(facts.amounts.get(name, ())) for facts in all_):
                continue
            if name == "one" and "other" in print_.notions and "other" not in mine.facts.notions:
                continue  # the one and the other
            new = not any(name in facts.amounts for facts in all_)
            for lost in EXCHANGED[name]:
                here = len(print_.amounts.get(lost, ()))
                agreed = sum(len(facts.amounts.get(lost, ())) > here for facts in all_)
                if not here and (agreed == len(all_) or (new and agreed > len(all_) / 2)):
                    has = mine.facts.amounts.get(lost, [lost])
                    yield self.book.make_remark(pair, CHANGES, f"says '{words[-1]}'; the rule has '{has[0]}'", 2.2)
                    return
        if not pair.entry.appendix:
            yield from self.check_partial_extent(pair, all_, print_)

    def check_partial_extent(self, pair: Pair, all_: Sequence[Facts], print_: Facts) -> Iterator[Remark]:
        """Some of them, the chosen ones, in print only; not where a sentence begins, which says only that there are
        such."""
        if any(name in facts.amounts for name in PARTLY for facts in all_):
            return
        for name in PARTLY:
            for word in print_.amounts.get(name, ()):
                stem = self.own.stem(word)
                several = "may" not in print_.modes if name == "some" else word.lower() in self.own.table.extent
                begins = re.search(rf"(?:\A|[.!?:;]\s)\W*(?:\w+\s)?{re.escape(word)}\b", pair.part.text)
                if several and begins is None and stem not in self.book.collect_stems_around(pair):
                    yield self.book.make_remark(pair, IMPRECISE, f"says '{word}', which the rule has not", 0.9)
                    return

    def compare_extents(self, pair: Pair, mine: Ours) -> list[Remark]:
        """All, one, chosen: what is said before a noun."""
        return [*self.compare_nouns(pair, mine)] or [*self.check_receivers(pair, mine)]

    def compare_nouns(self, pair: Pair, mine: Ours) -> Iterator[Remark]:
        print_ = self.own.collect_facts(pair.part.text)
        ours, theirs = mine.facts.extents, print_.extents
        any_ = bool(self.own.table.any.search(pair.part.text))
        for stem, words in ours["one"].items():
            if not self.is_extent("one", stem, mine) or stem in theirs["one"] or stem in ours["all"]:
                continue
            if stem in theirs["all"]:
                yield self.book.make_remark(pair, CHANGES, f"says '{theirs['all'][stem]}'; the rule has '{words}'", 2.5)
            elif (
                stem in print_.many and stem not in mine.facts.plurals and "all" not in mine.facts.amounts and not any_
            ):
                yield self.book.make_remark(pair, CHANGES, f"says '{print_.many[stem]}'; the rule has '{words}'", 2.5)
        for stem, words in ours["all"].items():
            is_one = stem in theirs["one"] and stem not in {*ours["one"], *theirs["all"]} and not any_
            if is_one and self.is_extent("all", stem, mine):
                yield self.book.make_remark(pair, CHANGES, f"says '{theirs['one'][stem]}'; the rule has '{words}'", 2.4)
        for stem, words in ours["chosen"].items():
            if stem in theirs["all"] and stem not in theirs["chosen"] and self.is_extent("chosen", stem, mine):
                yield self.book.make_remark(pair, CHANGES, f"says '{theirs['all'][stem]}'; the rule has '{words}'", 2.3)

    def check_receivers(self, pair: Pair, mine: Ours) -> Iterator[Remark]:
        """All of these, one of those: the same extent of somebody else."""
        print_ = self.own.collect_facts(pair.part.text)
        acting = self.rivals.acting[self.language]
        players = set(self.own.words.get(PLAYER, ()))
        for extent, severity in (("all", CHANGES), ("one", IMPRECISE)):
            ours, theirs = mine.facts.extents[extent], print_.extents[extent]
            for stem, words in ours.items():
                if stem not in acting or stem in theirs or not self.is_extent(extent, stem, mine):
                    continue
                if not any(key.endswith(f" {PLAYER}") for key in self.own.keys[stem]):
                    continue  # a player may stand for a figure, not for another part
                others = [other for other in theirs if other in players | set(acting) and other not in mine.facts.stems]
                others += [other for other in theirs if other in players and other not in others]
                if others:
                    message = f"says '{theirs[others[0]]}'; the rule has '{words}'"
                    yield self.book.make_remark(pair, severity, message, 2.0)

    def is_extent(self, extent: str, stem: str, mine: Ours) -> bool:
        """Whether another language says the same of the same, and the others do not say nothing at all."""
        agreed = [
            bool(
                {
                    other
                    for key in self.own.find_shared_keys(stem)
                    for other in self.book.words[id_].telling.get(key, frozenset())
                }
                & set(facts.extents[extent])
            )
            for id_, facts in mine.others.items()
        ]
        return any(agreed) or not agreed

    def compare_bounds(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """At least and less than have one edge, more than and at most another one."""
        edges = {"from": "from", "below": "from", "above": "above", "upto": "above"}
        all_ = [mine.facts, *mine.others.values()]
        known = [{edges[bound] for bound in facts.bounds} for facts in all_]
        here = {edges[bound] for bound in print_.bounds}
        if here and all(known) and all(rows == known[0] for rows in known) and len(known[0]) == 1 and here != known[0]:
            if here - known[0] == {"above"}:
                says, has = "more than, or not more than, a number", "less than, or at least"
            else:
                says, has = "less than, or at least, a number", "more than, or not more than"
            yield self.book.make_remark(pair, CHANGES, f"says '{says}'; the rule has '{has}'", 2.0)
        elif print_.bounds and all(facts.bounds for facts in all_):
            agreed = set.intersection(*(set(facts.bounds) for facts in all_))
            same = agreed and not agreed & print_.bounds and {edges[bound] for bound in agreed} == here
            if same and print_.nots % 2 == mine.facts.nots % 2:
                yield self.book.make_remark(
                    pair,
                    CHANGES,
                    f"compares the other way round: {join_words(print_.bounds)}, not {join_words(agreed)}",
                    1.5,
                )


def join_numbers(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def join_words(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))

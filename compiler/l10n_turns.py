"""Words that turn a rule round: numbers, bounds, may and must, all and one, opposites, and notions that are left out.

In: the two sides of a statement. Out: remarks. What our wordings in several languages agree on is compared, never one of them alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from grimoire.compiler.l10n_align import Pair
from grimoire.compiler.l10n_facts import Facts
from grimoire.compiler.l10n_habits import CHANGES, GAP, IMPRECISE, Habits, Ours, Remark
from grimoire.compiler.l10n_language import TOKEN

RARE: Final = 0.12  # a term that is else missing, or added, in no more than so many of its places: a habit of the book
FEWEST: Final = 2
OPPOSED: Final = 0.2  # a group of opposites in which so many places differ says little
NOTED: Final = 4  # places that make a habit of a notion
NOTION: Final = 0.25
VERB: Final = 0.08  # verbs have more forms than are known


class Turns(Habits):
    """The comparison of what needs no glossary."""

    def numbers(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        all_ = [mine.facts, *mine.others.values()]
        known = {number for facts in all_ for number in facts.figures | facts.loose} | mine.figures
        here = print_.figures | print_.loose
        around = {number for line in pair.clause.lines for number in self.own.facts(line.text).figures}
        new = {number for number in print_.figures if number not in known and number != 1}
        agreed = set(mine.facts.figures)
        for facts in mine.others.values():
            agreed &= facts.figures | facts.loose
        said = (
            re.search(r"(?<![\w.,-])1(?![\w–-]|[.,]\d)", pair.line.text) is not None
        )  # one is often left out, 1 is not
        lost = {number for number in agreed if number not in here and (number != 1 or (said and new))}
        if new and lost:
            yield self.remark(pair, CHANGES, f"says {_said(new)}; the rule has {_said(lost)}", 3.0)
        elif max(new, default=0) > 2:
            weight = 1.0 if new & around else 2.0
            yield self.remark(pair, CHANGES, f"says {_said(new)}, which the rule has not", weight)
        elif new - {0} and self.own.table.several.search(pair.line.text) and "from" not in print_.bounds:
            yield self.remark(pair, IMPRECISE, f"says {_said(new)}; the rule has any number of them", 0.9)
        elif lost & mine.figures:
            yield self.remark(pair, GAP, f"does not say {_said(lost & mine.figures)}", 0.95)

    def notions(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """What is said without terms: instead, clockwise, again; and the verbs of the package."""
        if not self.is_rule(pair):
            return
        agreed = set(mine.facts.notions)
        for facts in mine.others.values():
            agreed &= set(facts.notions)
        lost = {
            name: mine.facts.notions[name]
            for name in agreed - set(print_.notions)
            if self.habit(name).both >= NOTED
            and self.habit(name).missing() < (VERB if name.startswith("to ") else NOTION)
        }
        titles = f"{pair.entry.title}. {pair.printed.title}"
        above = self.own.facts(f"{titles}. {pair.printed.parts[0].text}" if pair.printed.parts else titles).notions
        words = [self.own.plain(word) for word in TOKEN.findall(f"{titles} {pair.part.text}")]
        lost = {
            name: word
            for name, word in lost.items()
            if name not in above and not any(root in word for root in self.own.roots.get(name, ()) for word in words)
        }
        if lost:
            habit = min(self.habit(name).missing() for name in lost)
            severity = GAP if habit < RARE else IMPRECISE
            yield self.remark(pair, severity, f"does not say {quoted(dict.fromkeys(lost.values()))}", 0.8 - habit)

    def extents(self, pair: Pair, mine: Ours) -> Iterator[Remark]:
        """All, one, chosen: what is said before a noun."""
        print_ = self.own.facts(pair.part.text)
        ours, theirs = mine.facts.extents, print_.extents
        any_ = bool(self.own.table.any.search(pair.part.text))
        for stem, words in ours["one"].items():
            if not self.is_extent("one", stem, mine) or stem in theirs["one"] or stem in ours["all"]:
                continue
            if stem in theirs["all"]:
                yield self.remark(pair, CHANGES, f"says '{theirs['all'][stem]}'; the rule has '{words}'", 2.5)
            elif stem in print_.many and stem not in mine.facts.plurals and not ours["all"] and not any_:
                yield self.remark(pair, CHANGES, f"says '{print_.many[stem]}'; the rule has '{words}'", 2.5)
        for stem, words in ours["all"].items():
            said = stem in theirs["one"] and stem not in {*ours["one"], *theirs["all"]} and not any_
            if said and self.is_extent("all", stem, mine):
                yield self.remark(pair, CHANGES, f"says '{theirs['one'][stem]}'; the rule has '{words}'", 2.4)
        for stem, words in ours["chosen"].items():
            if stem in theirs["all"] and stem not in theirs["chosen"] and self.is_extent("chosen", stem, mine):
                yield self.remark(pair, CHANGES, f"says '{theirs['all'][stem]}'; the rule has '{words}'", 2.3)

    def is_extent(self, extent: str, stem: str, mine: Ours) -> bool:
        """Whether another language says the same of the same, and the others do not say nothing at all."""
        agreed = [
            bool(
                {other for key in self.own.named(stem) for other in self.words[id_].telling.get(key, frozenset())}
                & set(facts.extents[extent])
            )
            for id_, facts in mine.others.items()
        ]
        return any(agreed) or not agreed

    def bounds(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
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
            yield self.remark(pair, CHANGES, f"says '{says}'; the rule has '{has}'", 2.0)
        elif print_.bounds and all(facts.bounds for facts in all_):
            agreed = set.intersection(*(set(facts.bounds) for facts in all_))
            same = agreed and not agreed & print_.bounds and {edges[bound] for bound in agreed} == here
            if same and print_.nots % 2 == mine.facts.nots % 2:
                yield self.remark(
                    pair, CHANGES, f"compares the other way round: {_told(print_.bounds)}, not {_told(agreed)}", 1.5
                )

    def modals(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        """May, must and cannot: our wording in this language, and in at least one other."""
        if not self.is_rule(pair):
            return
        own, others = mine.facts, list(mine.others.values())
        only = self.own.table.only
        narrow = bool(only.search(print_.text)) or bool(only.search(own.text))  # may only: cannot else
        may = own.may and not own.must and not own.cannot and all(f.may for f in others)
        must = own.must and not own.may and all(f.must and not f.may for f in others)
        cannot = own.cannot and not own.must and not own.may
        cannot = cannot and (not others or any(f.cannot and not f.may for f in others))
        if print_.must and not print_.may and may and not narrow:
            yield self.remark(pair, CHANGES, "says that one must; by the rule one may", 2.0)
        elif print_.may and not print_.must and not print_.cannot and must:
            yield self.remark(pair, CHANGES, "says that one may; by the rule one must", 2.0)
        elif print_.must and not print_.cannot and not print_.may and cannot:
            yield self.remark(pair, CHANGES, "says what one must, or need not; the rule forbids it", 2.0)
        elif narrow or print_.bounds or own.bounds:
            return
        elif print_.may and not print_.cannot and cannot and all(f.cannot for f in others):
            yield self.remark(pair, CHANGES, "allows what the rule forbids", 2.0)
        elif print_.cannot and not print_.may and may and not any(f.cannot for f in others):
            yield self.remark(pair, CHANGES, "forbids what the rule allows", 2.0)

    def opposed(self, name: str, mine: Ours, print_: Facts) -> tuple[frozenset[str], frozenset[str]] | None:
        """The sides that print and rule take, where they have none in common."""
        here, own = print_.sides[name], mine.facts.sides[name]
        others = [facts.sides[name] for facts in mine.others.values()]
        if not here or not own or here & own.union(*others):
            return None
        return (here, own) if not others or any(own & sides for sides in others) else None

    def sides(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        for name in self.own.table.sides:
            found = self.opposed(name, mine, print_)
            if found is not None and name in self.settled and self.is_rule(pair):
                yield self.remark(pair, CHANGES, f"says '{_told(found[0])}'; the rule has '{_told(found[1])}'", 2.0)

    @cached_property
    def settled(self) -> set[str]:
        """Groups of opposites in which the book seldom takes the other side: a word of the others means something else."""
        both: Counter[str] = Counter()
        opposed: Counter[str] = Counter()
        for pair in self.aligned.pairs:
            mine, print_ = self.ours(pair.line), self.read(pair)
            for name in self.own.table.sides:
                if print_.sides[name] and mine.facts.sides[name]:
                    both[name] += 1
                    opposed[name] += self.opposed(name, mine, print_) is not None
        return {name for name in self.own.table.sides if opposed[name] <= max(FEWEST, OPPOSED * both[name])}


def quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _said(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def _told(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))

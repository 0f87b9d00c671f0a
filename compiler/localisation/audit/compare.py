"""Compare statements of a printed edition with what the clauses of the package say and do.

In: a book laid beside a package. Out: `Remark`s: contradictions, gaps, loose wording. A word that is not there proves
nothing by itself: how often the book else says a term where we do is learnt from the book. What our wordings in all
languages and the program agree on weighs most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.amounts import Amounts
from grimoire.compiler.localisation.audit.omissions import Omissions
from grimoire.compiler.localisation.audit.opposites import Opposites, quote_text
from grimoire.compiler.localisation.audit.spelling import is_near
from grimoire.compiler.localisation.audit.statement_facts import Facts
from grimoire.compiler.localisation.audit.statements import (
    CHANGES,
    GAP,
    IMPRECISE,
    SEVERITIES,
    WORDING,
    Habits,
    Ours,
    Remark,
    find_sides,
)
from grimoire.compiler.localisation.audit.unexpected_actors import UnexpectedActors
from grimoire.compiler.localisation.audit.unknown_words import UnknownWords
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.tuning import (
    COMPARE_EVERYWHERE,
    COMPARE_LOOSE,
    COMPARE_NEAR,
    COMPARE_NEVER,
    COMPARE_OTHER,
    COMPARE_RIVAL,
    COMPARE_ROOT,
    COMPARE_SEEN,
    COMPARE_SELDOM,
    COMPARE_TIGHT,
    OPPOSITE_RARE,
)

LACKS: Final = "does not say "


class Comparer:
    """Compares statements of a book with those of a package."""

    def __init__(self, book: Habits) -> None:
        self.book, self.own, self.rivals, self.language = book, book.own, book.rivals, book.language
        self.amounts, self.opposites, self.omissions = Amounts(book), Opposites(book), Omissions(book)
        self.actors, self.unknown = UnexpectedActors(book), UnknownWords(book)

    def compare(self, pair: Pair) -> Iterator[Remark]:
        mine, print_ = self.book.read_ours(pair.line), self.book.read(pair)
        found = [
            *self.amounts.compare_numbers(pair, mine, print_),
            *self.compare_terms(pair, mine, print_),
            *(self.amounts.compare_extents(pair, mine) or self.amounts.compare_amounts(pair, mine, print_)),
            *self.amounts.compare_bounds(pair, mine, print_),
            *self.opposites.compare_modals(pair, mine, print_),
            *self.opposites.compare_sides(pair, mine, print_),
            *self.opposites.compare_quotes(pair, mine, print_),
            *self.opposites.compare_notions(pair, mine, print_),
        ]
        found += self.actors.find_newcomers(pair, mine, print_, found)
        if (
            self.book.is_rule(pair)
            and not self.book.ours_set
            and not any(row.severity in (CHANGES, GAP) for row in found)
        ):
            for sentence, weight in self.omissions.find_omissions(pair):
                found.append(self.book.make_remark(pair, GAP, f"does not say: {sentence}", min(weight / 10, 0.9)))
        yield from merge_gaps(found)
        if not found and self.book.ours_set:
            yield from self.compare_closely(pair, mine)

    def compare_closely(self, pair: Pair, mine: Ours) -> Iterator[Remark]:
        """Two statements in a book with our wording: each other word is meant."""
        ours, theirs = self.own.count(pair.line.text), self.own.count(pair.part.text)
        lost, new = ours - theirs, theirs - ours
        if not lost and not new:
            return
        words = {self.own.stem(word): word for word in TOKEN.findall(f"{pair.line.text} {pair.part.text}")}
        says, has = [words.get(stem, stem) for stem in new], [words.get(stem, stem) for stem in lost]
        sides = {stem for stem in {*lost, *new} if find_sides(self.own.collect_facts(words.get(stem, stem)))}
        heavy = sides or set(self.own.keys) & {*lost, *new} or self.own.table.no.search(" ".join([*says, *has]))
        severity = CHANGES if heavy and says else IMPRECISE
        if pair.likeness < COMPARE_OTHER:
            yield self.book.make_remark(pair, CHANGES, "says something else than the rule", 1.0)
        elif says and has:
            yield self.book.make_remark(pair, severity, f"says {quote_text(says)}; the rule has {quote_text(has)}", 1.0)
        elif has:
            yield self.book.make_remark(pair, GAP, f"does not say {quote_text(has)}", 0.9)
        else:
            yield self.book.make_remark(pair, severity, f"says {quote_text(says)}, which the rule has not", 0.9)

    def compare_terms(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        new = {stem: word for stem, word in print_.terms.items() if self.book.is_new(stem, mine)}
        lost = {stem: word for stem, word in mine.facts.terms.items() if self.is_lost(stem, mine, print_)}
        bare = self.own.collect_facts(
            pair.part.text
        )  # a title says a term for what it is the title of, not what is said of it
        gone_here = {stem: word for stem, word in mine.facts.terms.items() if self.is_lost(stem, mine, bare)}
        plain = self.book.is_rule(pair)
        defines = self.book.is_rule(pair, "definition")
        told: set[str] = set()
        for stem, word in new.items():
            for other in sorted(self.rivals.find_rivals(self.language, stem) & set(gone_here)):
                loose = other not in self.rivals.solid[self.language].get(stem, ())
                if defines and loose and other in self.rivals.acting[self.language].get(stem, ()):
                    continue  # a player is a character, and a person too
                added, missing = self.book.find_habit(stem).rate_added(), self.book.find_habit(other).rate_missing()
                tight = (
                    other in self.rivals.find_near_rivals(self.language, stem) and max(added, missing) < COMPARE_TIGHT
                )
                if (
                    tight or (max(added, missing) < COMPARE_LOOSE and added + missing < COMPARE_RIVAL)
                ) and other not in told:
                    message = f"says '{word}'; the rule has '{gone_here[other]}'"
                    yield self.book.make_remark(pair, CHANGES, message, 4 - added - missing)
                    told |= {stem, other}
                    break
            else:
                there = self.rivals.find_near_rivals(self.language, stem) & set(mine.facts.terms) & print_.stems
                if there and stem not in told and self.book.find_habit(stem).rate_added() < COMPARE_LOOSE:
                    word_ = mine.facts.terms[min(there)]
                    yield self.book.make_remark(
                        pair, CHANGES, f"says '{word}' beside '{word_}'; the rule has only that", 1.5
                    )
                    told.add(stem)
        for pair_, words in print_.joined.items():
            first, second = pair_.split(" ")
            if pair_ in mine.facts.joined or {first, second} & told or self.own.joined[pair_] & mine.program:
                continue
            others = [
                other
                for other in mine.facts.joined
                if other not in print_.joined and _differ_in_one_word(first, second, *other.split(" "))
            ]
            added = self.book.find_habit(pair_).rate_added()
            if (
                others
                and added < COMPARE_LOOSE
                and all(self.book.find_habit(other).rate_missing() + added < COMPARE_RIVAL for other in others)
            ):
                if not self.is_joined(pair_, mine):
                    message = f"says '{words}'; the rule has '{mine.facts.joined[others[0]]}'"
                    yield self.book.make_remark(pair, CHANGES, message, 3 - added)
                    told |= {first, second, *others[0].split(" ")}
        if not plain:
            return
        near, theirs = self.book.collect_stems_around(pair), self.book.collect_stems_above(pair)
        rare = {
            stem: word
            for stem, word in new.items()
            if stem not in told
            and not defines
            and stem not in near
            and self.is_telling(stem)
            and self.book.find_habit(stem).rate_added() < OPPOSITE_RARE
            and self.rivals.firm[self.language].get(stem)
            and not self.own.find_shared_keys(stem) & mine.program
            and stem not in self.rivals.persons[self.language]
        }
        gone = {
            stem: word
            for stem, word in lost.items()
            if stem not in told
            and self.is_telling(stem)
            and self.book.find_habit(stem).rate_missing() < self.choose_threshold(stem)
            and not self.is_there(stem, theirs, mine)
        }
        for stem, says, has in self.find_renamed(mine, print_, gone):
            yield self.book.make_remark(pair, WORDING, f"says '{says}'; the term is '{has}'", 0.6)
            del gone[stem]
        for _, says, has in self.unknown.find_unknown_words(pair, mine, print_):
            yield self.book.make_remark(pair, WORDING, f"says '{says}'; the term is perhaps '{has}'", 0.6)
        heavy = [stem for stem in gone if self.is_heavy(stem, mine)]
        parts = {part for both in mine.facts.joined for part in both.split(" ") if set(both.split(" ")) <= set(gone)}
        wide = self.find_widened(pair, mine, print_, gone)
        if wide is not None:
            message = f"says '{wide}' and does not say {quote_text(gone.values())}"
            yield self.book.make_remark(pair, CHANGES, message, 1.8)
        elif heavy or len(gone) - len(parts) // 2 > 1:
            weight = 1 + len(gone) / 10 - min(self.book.find_habit(stem).rate_missing() for stem in gone)
            yield self.book.make_remark(pair, GAP, f"does not say {quote_text(gone.values())}", weight)
        elif gone and min(self.book.find_habit(stem).rate_missing() for stem in gone) < COMPARE_NEVER:
            weight = 1 - min(self.book.find_habit(stem).rate_missing() for stem in gone)
            yield self.book.make_remark(pair, IMPRECISE, f"does not say {quote_text(gone.values())}", weight)
        elif rare:
            weight = 1 - min(self.book.find_habit(stem).rate_added() for stem in rare)
            yield self.book.make_remark(
                pair, IMPRECISE, f"says {quote_text(rare.values())}, which the rule has not", weight
            )

    def find_widened(self, pair: Pair, mine: Ours, print_: Facts, gone: Mapping[str, str]) -> str | None:
        """All of something, where the rule narrows it: all cards, not those in the hand."""
        narrow = [
            stem
            for stem in gone
            if self.is_heavy(stem, mine) or any(key.startswith("adjective ") for key in self.own.find_shared_keys(stem))
        ]
        if not narrow or not self.book.is_rule(pair):
            return None
        words = [self.own.stem(word) for word in TOKEN.findall(pair.line.text)]
        for stem, said in print_.extents["all"].items():
            if stem in mine.facts.extents["all"]:
                near = {at for at, word in enumerate(words) if word == stem}
                if any(
                    abs(at - other) <= COMPARE_NEAR for at, word in enumerate(words) if word in narrow for other in near
                ):
                    return said
        return None

    def find_renamed(self, mine: Ours, print_: Facts, gone: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
        """Terms of two words of which the print has one, beside a word that is not of the glossary."""
        told: set[str] = set()
        for pair, words in mine.facts.joined.items():
            first, second = pair.split(" ")
            if (first in gone) == (second in gone) or {first, second} & told:
                continue
            head = first if second in gone else second
            if sum(head in other.split(" ") and other not in print_.joined for other in mine.facts.joined) > 1:
                continue  # two terms with this word are not there: which is meant?
            for before, behind, says in print_.pairs:
                same = before == first if second in gone else behind == second
                other = behind if second in gone else before
                if same and other not in self.book.spoken and f"{before} {behind}" not in self.own.joined:
                    stem = second if second in gone else first
                    told.add(stem)
                    yield stem, says, words
                    break

    def is_heavy(self, stem: str, mine: Ours) -> bool:
        """A term of a class, said as a term: of one of two words only where the other one stands beside it."""
        if not self.rivals.solid[self.language].get(stem) or stem in self.rivals.persons[self.language]:
            return False
        keys = [key for key in self.own.find_shared_keys(stem) if not key.startswith("rule ")]
        single = any(len(self.own.words[key]) == 1 for key in keys)
        return single or any(stem in both.split(" ") for both in mine.facts.joined)

    def choose_threshold(self, stem: str) -> float:
        """Terms with rivals weigh more."""
        return COMPARE_SELDOM if self.rivals.firm[self.language].get(stem) else OPPOSITE_RARE

    def is_joined(self, pair: str, mine: Ours) -> bool:
        """Whether our wording has the two words, if not side by side."""
        return set(pair.split(" ")) <= mine.facts.stems

    def is_there(self, stem: str, there: set[str], mine: Ours) -> bool:
        """Whether a stem is there, or another word of the same root that is no term of its own."""
        if stem in there or any(is_near(stem, other, stem, other) for other in there if other not in self.own.keys):
            return True
        root = stem[:COMPARE_ROOT]
        return len(root) == COMPARE_ROOT and any(
            other.startswith(root) and (other not in self.own.keys or other not in mine.facts.stems) for other in there
        )

    def is_telling(self, stem: str) -> bool:
        """A term that the book has often enough to have a habit, and not so often that it says little."""
        return self.book.find_habit(stem).both >= COMPARE_SEEN and self.book.share[stem] < COMPARE_EVERYWHERE

    def is_lost(self, stem: str, mine: Ours, print_: Facts) -> bool:
        if stem in print_.stems:
            return False
        return not any(self.book.is_said(stem, facts, id_) is False for id_, facts in mine.others.items())


def merge_gaps(found: Sequence[Remark]) -> Iterator[Remark]:
    """Remarks on one statement; what it leaves out is told once."""
    gaps = [row for row in found if row.message.startswith(LACKS) and row.severity in (GAP, IMPRECISE)]
    gaps.sort(key=lambda row: SEVERITIES.index(row.severity))
    if any(row.severity == CHANGES for row in found):
        gaps = [row for row in gaps if row.severity == GAP]
    for row in found:
        if row not in gaps and not (row.message.startswith(LACKS) and row.severity == IMPRECISE):
            yield row
        elif gaps and row is gaps[0]:
            words = dict.fromkeys(word for gap in gaps for word in gap.message.removeprefix(LACKS).split(", "))
            weight = max(gap.weight for gap in gaps)
            yield row._replace(message=LACKS + ", ".join(words), weight=weight)


def _differ_in_one_word(first: str, second: str, other: str, another: str) -> bool:
    """Whether two terms of two words differ in one of them."""
    return (first == other) != (second == another)

"""Compare statements of a printed edition with what the clauses of the package say and do.

In: a book laid beside a package. Out: `Remark`s: contradictions, gaps, loose wording. Our wording is a paraphrase, so a word that is not
there proves nothing by itself: how often the book else says a term where we do is learnt from the book, and only what breaks its habit
counts. What our wordings in all languages and the program of a clause agree on weighs most.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimoire.compiler.diagnostics import Span
from grimoire.compiler.edition import Line
from grimoire.compiler.l10n_align import Aligned, Pair
from grimoire.compiler.l10n_facts import Facts, Vocabulary
from grimoire.compiler.l10n_language import TOKEN
from grimoire.compiler.l10n_printed import Print
from grimoire.compiler.l10n_rivals import Rivals
from grimoire.compiler.l10n_spelling import is_near
from grimoire.compiler.l10n_store import Edition

CHANGES: Final = "changes-play"
GAP: Final = "gap"
IMPRECISE: Final = "imprecise"
WORDING: Final = "wording"
SEVERITIES: Final = (CHANGES, GAP, IMPRECISE, WORDING)

RARE: Final = 0.12  # a term that is else missing, or added, in no more than so many of its places: a habit of the book
SELDOM: Final = 0.16
SAME: Final = 0.72  # statements that are so much alike have the same wording
OWN: Final = 0.9  # how much alike half of the statements are in a book that was set from the texts of the package
FEWEST: Final = 2
OPPOSED: Final = 0.2  # a group of opposites in which so many places differ says little
NOTED: Final = 4  # places that make a habit of a notion
NOTION: Final = 0.25
VERB: Final = 0.08  # verbs have more forms than are known
NEVER: Final = 0.03
TIGHT: Final = 0.5  # of two things of one kind
RIVAL: Final = 0.45  # both together
LOOSE: Final = 0.30
SEEN: Final = 2  # places that make a habit
ROOT: Final = 5  # letters that words of one root have in common
KINDS: Final = ("rule", "definition")  # clauses of other kinds are compared for contradictions only
EVERYWHERE: Final = 0.1  # what stands in more of the statements tells little where it does not


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

    def plain(self) -> dict[str, Any]:
        span = self.span
        place = {
            "file": span.file,
            "line": span.line,
            "column": span.column,
            "end_line": span.end_line,
            "end_column": span.end_column,
        }
        return {
            "id": self.id,
            "number": self.number,
            "lang": self.lang,
            "severity": self.severity,
            "message": self.message,
            "span": place,
        }


class Habit(NamedTuple):
    """How often a term stands in both, only in ours, only in print."""

    both: int
    ours: int
    theirs: int

    def missing(self) -> float:
        """How usual it is that the book does not have the term where we do; the place in question not counted."""
        return (max(self.ours - 1, 0) + 0.2) / (self.both + max(self.ours - 1, 0) + 0.4) if self.both else 1.0

    def added(self) -> float:
        return (max(self.theirs - 1, 0) + 0.2) / (self.both + max(self.theirs - 1, 0) + 0.4) if self.both else 1.0


class Ours(NamedTuple):
    """What the package says and does for one statement."""

    facts: Facts
    others: Mapping[str, Facts]  # by language
    program: frozenset[str]  # names in the statements that carry the clause out
    figures: frozenset[int]


class Comparer:
    """Compares statements of a book with those of a package."""

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
        self.rivals = Rivals(edition, words)
        self.texts = {id_: edition.of(id_).texts for id_ in words}
        self.cached: dict[str, Ours] = {}
        self.below: dict[tuple[str, int], set[str]] = defaultdict(set)
        for entry, found in aligned.entries:
            for clause in found.clauses:
                for number in (clause.number, clause.number - 1, clause.number - 2, clause.number - 3):
                    for part in clause.parts:
                        self.below[entry.id, number] |= self.own.facts(part.text).stems
        self.habits = self.learn()
        self.settled = self.settle()
        self.spoken = {stem for pair in aligned.pairs for stem in self.own.facts(pair.line.text).stems}
        lines = [self.own.facts(pair.line.text) for pair in aligned.pairs]
        count = Counter(stem for facts in lines for stem in facts.terms)
        likeness = sorted(pair.likeness for pair in aligned.pairs)
        self.ours_set = bool(likeness) and likeness[len(likeness) // 2] > OWN
        self.share = {stem: count[stem] / max(len(lines), 1) for stem in {*count, *self.habits}}

    # --- what is known ------------------------------------------------------------------------------------------------

    def ours(self, line: Line) -> Ours:
        found = self.cached.get(line.id)
        if found is None:
            others = {
                id_: self.words[id_].facts(rows[f"clauses.{line.id}"].value)
                for id_, rows in self.texts.items()
                if id_ != self.language and f"clauses.{line.id}" in rows
            }
            quoted = (re.match(r"'(.*)' in ", source) for source in self.program.get(line.id, ()))
            sources = [found[1] for found in quoted if found is not None]
            names = frozenset(name for source in sources for name in re.findall(r"[a-z][a-z-]+", source))
            figures = frozenset(int(digits) for source in sources for digits in re.findall(r"(?<![\w-])\d+", source))
            found = self.cached[line.id] = Ours(self.own.facts(line.text), others, names, figures)
        return found

    def is_said(self, stem: str, facts: Facts, language: str) -> bool | None:
        """Whether another language says what a stem stands for; None if it has no word for it."""
        keys = self.own.named(stem)
        there = [self.words[language].telling[key] for key in keys if key in self.words[language].telling]
        if not there:
            return None
        return any(stems & facts.stems for stems in there)

    def learn(self) -> dict[str, Habit]:
        """What the book says where we do: of terms by stem, of sides by name."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for pair in self.aligned.pairs:
            mine, print_ = self.own.facts(pair.line.text), self.read(pair)
            ours = {*mine.terms, *mine.joined, *sides_of(mine), *mine.notions}
            theirs = {*print_.terms, *print_.joined, *sides_of(print_), *print_.notions}
            for stem in ours | theirs:
                at = 0 if stem in ours and stem in theirs else 1 if stem in ours else 2
                counts[stem][at] += 1
        return {stem: Habit(*row) for stem, row in counts.items()}

    def read(self, pair: Pair) -> Facts:
        first = pair.printed.parts and pair.part is pair.printed.parts[0]
        return self.own.facts(
            f"{pair.printed.title}. {pair.part.text}" if first and pair.printed.title else pair.part.text
        )

    # --- comparing ----------------------------------------------------------------------------------------------------

    def remark(self, pair: Pair, severity: str, message: str, weight: float) -> Remark:
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

    def compare(self, pair: Pair) -> Iterator[Remark]:
        mine, print_ = self.ours(pair.line), self.read(pair)
        found = [
            *self.numbers(pair, mine, print_),
            *self.terms(pair, mine, print_),
            *self.extents(pair, mine),
            *self.bounds(pair, mine, print_),
            *self.modals(pair, mine, print_),
            *self.sides(pair, mine, print_),
            *self.notions(pair, mine, print_),
        ]
        yield from found
        if not found and self.ours_set and pair.likeness > SAME:
            yield from self.closely(pair, mine)

    def is_rule(self, pair: Pair) -> bool:
        return self.edition.model.clauses[pair.line.id].kind in KINDS

    def closely(self, pair: Pair, mine: Ours) -> Iterator[Remark]:
        """Two statements with nearly the same words, in a book with our wording: each other word is meant."""
        ours, theirs = self.own.count(pair.line.text), self.own.count(pair.part.text)
        lost, new = ours - theirs, theirs - ours
        if not lost and not new:
            return
        words = {self.own.stem(word): word for word in TOKEN.findall(f"{pair.line.text} {pair.part.text}")}
        says, has = [words.get(stem, stem) for stem in new], [words.get(stem, stem) for stem in lost]
        sides = {stem for stem in {*lost, *new} if sides_of(self.own.facts(words.get(stem, stem)))}
        heavy = sides or set(self.own.keys) & {*lost, *new} or self.own.table.no.search(" ".join([*says, *has]))
        severity = CHANGES if heavy and says else IMPRECISE
        if says and has:
            yield self.remark(pair, severity, f"says {_quoted(says)}; the rule has {_quoted(has)}", 1.0)
        elif has:
            yield self.remark(pair, GAP, f"does not say {_quoted(has)}", 0.9)
        else:
            yield self.remark(pair, severity, f"says {_quoted(says)}, which the rule has not", 0.9)

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

    def terms(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[Remark]:
        new = {stem: word for stem, word in print_.terms.items() if self.is_new(stem, mine)}
        lost = {stem: word for stem, word in mine.facts.terms.items() if self.is_lost(stem, mine, print_)}
        plain = self.is_rule(pair)
        told: set[str] = set()
        for stem, word in new.items():
            for other in sorted(self.rivals.of(self.language, stem) & set(lost)):
                added, missing = self.habit(stem).added(), self.habit(other).missing()
                tight = other in self.rivals.near(self.language, stem) and max(added, missing) < TIGHT
                if (tight or (max(added, missing) < LOOSE and added + missing < RIVAL)) and other not in told:
                    message = f"says '{word}'; the rule has '{lost[other]}'"
                    yield self.remark(pair, CHANGES, message, 4 - added - missing)
                    told |= {stem, other}
                    break
            else:
                there = self.rivals.near(self.language, stem) & set(mine.facts.terms) & print_.stems
                if there and stem not in told and self.habit(stem).added() < LOOSE:
                    word_ = mine.facts.terms[min(there)]
                    yield self.remark(pair, CHANGES, f"says '{word}' beside '{word_}'; the rule has only that", 1.5)
                    told.add(stem)
        for pair_, words in print_.joined.items():
            first, second = pair_.split(" ")
            if pair_ in mine.facts.joined or {first, second} & told or self.own.joined[pair_] & mine.program:
                continue
            others = [
                other
                for other in mine.facts.joined
                if other not in print_.joined and _differ(first, second, *other.split(" "))
            ]
            added = self.habit(pair_).added()
            if others and added < LOOSE and all(self.habit(other).missing() + added < RIVAL for other in others):
                if not self.is_joined(pair_, mine):
                    message = f"says '{words}'; the rule has '{mine.facts.joined[others[0]]}'"
                    yield self.remark(pair, CHANGES, message, 3 - added)
                    told |= {first, second, *others[0].split(" ")}
        if not plain:
            return
        near, theirs = self.around(pair), self.above(pair)
        rare = {
            stem: word
            for stem, word in new.items()
            if stem not in told
            and stem not in near
            and self.is_telling(stem)
            and self.habit(stem).added() < RARE
            and self.rivals.of(self.language, stem)
            and not self.own.named(stem) & mine.program
        }
        gone = {
            stem: word
            for stem, word in lost.items()
            if stem not in told
            and self.is_telling(stem)
            and self.habit(stem).missing() < self.seldom(stem)
            and not self.is_there(stem, theirs, mine)
        }
        for stem, says, has in self.renamed(mine, print_, gone):
            yield self.remark(pair, WORDING, f"says '{says}'; the term is '{has}'", 0.6)
            del gone[stem]
        heavy = [stem for stem in gone if self.is_heavy(stem, mine)]
        parts = {part for both in mine.facts.joined for part in both.split(" ") if set(both.split(" ")) <= set(gone)}
        if heavy or len(gone) - len(parts) // 2 > 1:
            weight = 1 + len(gone) / 10 - min(self.habit(stem).missing() for stem in gone)
            says = f"says {_quoted(rare.values())} and does not say" if rare else "does not say"
            yield self.remark(pair, GAP, f"{says} {_quoted(gone.values())}", weight)
        elif gone and min(self.habit(stem).missing() for stem in gone) < NEVER:
            weight = 1 - min(self.habit(stem).missing() for stem in gone)
            yield self.remark(pair, IMPRECISE, f"does not say {_quoted(gone.values())}", weight)
        elif rare:
            weight = 1 - min(self.habit(stem).added() for stem in rare)
            yield self.remark(pair, IMPRECISE, f"says {_quoted(rare.values())}, which the rule has not", weight)

    def renamed(self, mine: Ours, print_: Facts, gone: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
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
                if same and other not in self.spoken and f"{before} {behind}" not in self.own.joined:
                    stem = second if second in gone else first
                    told.add(stem)
                    yield stem, says, words
                    break

    def is_heavy(self, stem: str, mine: Ours) -> bool:
        """A term of a class, said as a term: of one of two words only where the other one stands beside it."""
        if not self.rivals.solid[self.language].get(stem) or stem in self.rivals.persons[self.language]:
            return False
        keys = [key for key in self.own.named(stem) if not key.startswith("rule ")]
        single = any(len(self.own.words[key]) == 1 for key in keys)
        return single or any(stem in both.split(" ") for both in mine.facts.joined)

    def seldom(self, stem: str) -> float:
        """Terms with rivals weigh more."""
        return SELDOM if self.rivals.of(self.language, stem) else RARE

    def is_joined(self, pair: str, mine: Ours) -> bool:
        """Whether our wording has the two words, if not side by side."""
        return set(pair.split(" ")) <= mine.facts.stems

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
            yield self.remark(pair, severity, f"does not say {_quoted(dict.fromkeys(lost.values()))}", 0.8 - habit)

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

    def is_there(self, stem: str, there: set[str], mine: Ours) -> bool:
        """Whether a stem is there, or another word of the same root that is no term of its own."""
        if stem in there or any(is_near(stem, other, stem, other) for other in there if other not in self.own.keys):
            return True
        root = stem[:ROOT]
        return len(root) == ROOT and any(
            other.startswith(root) and (other not in self.own.keys or other not in mine.facts.stems) for other in there
        )

    def is_telling(self, stem: str) -> bool:
        """A term that the book has often enough to have a habit, and not so often that it says little."""
        return self.habit(stem).both >= SEEN and self.share[stem] < EVERYWHERE

    def habit(self, stem: str) -> Habit:
        return self.habits.get(stem) or Habit(0, 0, 0)

    def is_new(self, stem: str, mine: Ours) -> bool:
        if stem in mine.facts.stems:
            return False
        return not any(self.is_said(stem, facts, id_) for id_, facts in mine.others.items())

    def is_lost(self, stem: str, mine: Ours, print_: Facts) -> bool:
        if stem in print_.stems:
            return False
        return not any(self.is_said(stem, facts, id_) is False for id_, facts in mine.others.items())

    def around(self, pair: Pair) -> set[str]:
        """The stems of our clause and of the title of its entry."""
        found = set(self.own.facts(pair.entry.title).stems)
        for line in pair.clause.lines:
            found |= self.own.facts(line.text).stems
        return found

    def above(self, pair: Pair) -> set[str]:
        """The stems of what stands above a printed statement: titles, and the clause that a bullet belongs to."""
        found = set(self.own.facts(f"{pair.entry.title}. {pair.printed.title}").stems | self.read(pair).stems)
        if pair.printed.parts and pair.part is not pair.printed.parts[0]:
            found |= self.own.facts(pair.printed.parts[0].text).stems
        if pair.part.text.endswith(":") or (pair.printed.number == 0 and pair.part is pair.printed.parts[0]):
            # what is listed below belongs to it
            found |= self.below[pair.entry.id, pair.printed.number]
        return found

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

    def settle(self) -> set[str]:
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


def sides_of(facts: Facts) -> set[str]:
    return {f"{name}: {side}" for name, sides in facts.sides.items() for side in sides}


def _differ(first: str, second: str, other: str, another: str) -> bool:
    """Whether two terms of two words differ in one of them."""
    return (first == other) != (second == another)


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _said(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def _told(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))

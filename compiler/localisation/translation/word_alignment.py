"""Which words of a translation stand for which words of its source, learnt from all strings of the edition itself.

In: pairs of texts. Out: for a pair, the words of the source that nothing stands for though something does everywhere
else, and the words of the translation that nothing in the source accounts for. The alignment is that of IBM model 1;
words are compared without their endings. No string is measured by what it has taught itself.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from grimoire.compiler.localisation.text.language import TOKEN, Knowledge, count_pairs
from grimoire.compiler.localisation.translation.findings import WARNING
from grimoire.compiler.localisation.translation.single_string import Found, is_fuller, strip_places
from grimoire.compiler.localisation.tuning import (
    SENSE_CLOSE_RATE,
    SENSE_FEW,
    SENSE_LEAST,
    SENSE_RATE,
    WORDS_CLOSE_TERM,
    WORDS_CLOSE_WORD,
    WORDS_FAINT,
    WORDS_GIVEN,
    WORDS_LEAST_NOUN,
    WORDS_LEAST_SWAP,
    WORDS_LONG,
    WORDS_MOST,
    WORDS_NOUN,
    WORDS_ROUNDS,
    WORDS_SHARE,
    WORDS_TERM,
    WORDS_UNSEEN,
    WORDS_WORD,
)

_BESIDE: Final = re.compile(r"[^\W\d_]+ «?\{")
NOTHING: Final = ""

Stem = Callable[[str], str]


class Odd(NamedTuple):
    """A word that should not be there, or is not there and should be."""

    word: str
    surprise: float


def stem_english(word: str) -> str:
    """An English word without its ending."""
    word = word.removesuffix("'s").removesuffix("’s")
    for tail, put in (("ies", "y"), ("sses", "ss"), ("s", ""), ("ing", ""), ("ed", "")):
        if word.endswith(tail) and not word.endswith("ss") and len(word) - len(tail) >= 3:
            return (word.removesuffix(tail) + put).rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def stem_cyrillic(word: str) -> str:
    """A word without what may be its ending."""
    size = len(word)
    return word if size <= 3 else word[:3] if size == 4 else word[:4] if size <= 6 else word[: max(5, size - 4)]


def make_stemmer(language: Knowledge, lemmas: Callable[[str], str | None]) -> Stem:
    """By the glossary or a dictionary, if they have the word; else by its letters. Small words are kept as they are."""
    small = {*language.prepositions, *language.joining, *language.no_adjectives}
    plain = stem_english if language.script == "latin" else stem_cyrillic

    class Known(dict[str, str]):
        """Each word is looked up once."""

        def __missing__(self, word: str) -> str:
            found = self[word] = word if word in small else lemmas(word) or plain(word)
            return found

    return Known().__getitem__


def iterate_tokens(text: str, stem: Stem) -> Iterator[str]:
    return map(stem, TOKEN.findall(strip_places(text).lower()))


_NONE: Final[frozenset[str]] = frozenset()


def find_firm_links(table: dict[str, dict[str, int]]) -> dict[str, frozenset[str]]:
    """What each word goes with in more than two strings."""
    return {word: frozenset(other for other, count in row.items() if count > 2) for word, row in table.items()}


class Sense:
    """What each word of the source becomes, and what each word of the translation comes from."""

    def __init__(
        self,
        pairs: Sequence[tuple[str, str]],
        source: Stem,
        target: Stem,
        terms: Mapping[str, Iterable[str]] | None = None,
        nouns: Collection[str] = (),
    ) -> None:
        self.source, self.target = source, target
        self.asked: dict[tuple[str, str], tuple[list[Odd], list[Odd]]] = {}
        self.nouns = frozenset(nouns)  # stems of nouns, where no glossary says what is a term
        self.terms = {name: {source(word) for word in words} for name, words in (terms or {}).items()}
        self.named = {word for words in self.terms.values() for word in words}
        given = list(dict.fromkeys(pairs))[:: max(1, len(pairs) // WORDS_MOST)]
        rows = [(frozenset(iterate_tokens(a, source)), frozenset(iterate_tokens(b, target))) for a, b in given]
        self.words, self.others, self.both = count_pairs(rows)
        self.align(rows)
        self.becomes: dict[str, dict[str, int]] = defaultdict(dict)
        self.comes_from: dict[str, dict[str, int]] = defaultdict(dict)
        for (s, t), count in self.expected.items():
            both = self.both.get((s, t), 0)
            if s and both > 1:
                if count >= WORDS_SHARE * self.words[s]:
                    self.becomes[s][t] = both
                    self.comes_from[t][s] = both
                elif count >= WORDS_SHARE * self.others[t]:
                    self.comes_from[t][s] = both
        for name, words in self.terms.items():  # what the glossary says need not be learnt
            for word in words:
                self.becomes[word][name] = self.comes_from[name][word] = WORDS_GIVEN
        # what only the string itself has taught does not count
        self.firm_becomes, self.firm_comes_from = find_firm_links(self.becomes), find_firm_links(self.comes_from)
        self.lost: Counter[str] = Counter()
        self.new: Counter[str] = Counter()
        for source_, target_ in rows:
            self.lost.update(s for s in source_ if self.becomes[s].keys().isdisjoint(target_))
            self.new.update(t for t in target_ if self.comes_from[t].keys().isdisjoint(source_))

    def align(self, rows: Sequence[tuple[frozenset[str], frozenset[str]]]) -> None:
        """IBM model 1: how often each word of the translation was made for each word of the source."""
        chance: dict[str, dict[str, float]] = defaultdict(dict)  # by word of the translation
        for (s, t), count in self.both.items():
            chance[t][s] = count / self.words[s]
        for t, count in self.others.items():
            chance[t][NOTHING] = count / max(len(rows), 1)
        for _ in range(WORDS_ROUNDS):
            table: dict[str, dict[str, float]] = {t: defaultdict(float) for t in chance}
            for source_, target_ in rows:
                words = [*source_, NOTHING]
                for t in target_:
                    known, row = chance[t], table[t]
                    weights = [known.get(s, 0.0) for s in words]
                    whole = sum(weights)
                    if whole > 0:
                        least = 0.001 * whole
                        for s, weight in zip(words, weights, strict=True):
                            if weight > least:
                                row[s] += weight / whole
            sums: dict[str, float] = defaultdict(float)
            for row in table.values():
                for s, part in row.items():
                    sums[s] += part
            chance = {t: {s: part / sums[s] for s, part in row.items()} for t, row in table.items()}
        self.expected = {(s, t): part for t, row in table.items() for s, part in row.items()} if rows else {}

    def find_odd(self, source: str, target: str) -> tuple[list[Odd], list[Odd]]:
        """What is lost and what is new in a pair, with how surprising it is; the most surprising first. Several checks
        ask for the same."""
        found = self.asked.get((source, target))
        if found is None:
            if len(self.asked) > 200:
                self.asked.clear()
            found = self.asked[source, target] = self.look(source, target)
        return found

    def look(self, source: str, target: str) -> tuple[list[Odd], list[Odd]]:
        words, others = set(iterate_tokens(source, self.source)), set(iterate_tokens(target, self.target))
        lost = []
        for s in words:
            if self.firm_becomes.get(s, _NONE).isdisjoint(others):
                count, misses = self.words[s] - 1, max(self.lost[s] - 1, 0)
                lost.append(Odd(s, -math.log((misses + 0.5) / (count + 1.5)) if count >= 2 else 0.0))
        new = []
        for t in others:
            if self.firm_comes_from.get(t, _NONE).isdisjoint(words):
                count, misses = self.others[t] - 1, max(self.new[t] - 1, 0)
                surprise = -math.log((misses + 0.5) / (count + 1.5)) if count >= 2 else 0.0
                new.append(Odd(t, max(surprise, WORDS_UNSEEN) if count <= 2 and self.terms.get(t) else surprise))
        order = lambda row: (-row.surprise, row.word)  # noqa: E731
        return sorted(lost, key=order) if len(lost) > 1 else lost, sorted(new, key=order) if len(new) > 1 else new

    def is_odd(self, source: str, target: str, least: float = WORDS_FAINT) -> bool:
        """Whether something is lost or new, however faint."""
        return any(
            word.surprise > least
            for part, other in split_pair(source, target)
            for row in self.find_odd(part, strip_labels(other))
            for word in row[:1]
        )

    def check(self, source: str, target: str, close: bool = False) -> Iterator[Found]:
        if is_fuller(source, target):
            return
        term, word = (WORDS_CLOSE_TERM, WORDS_CLOSE_WORD) if close else (WORDS_TERM, WORDS_WORD)
        for part, other in split_pair(source, target):
            lost, new = self.find_odd(part, strip_labels(other))
            if self.nouns and (found := self.find_exchange(part, lost, new)) is not None:
                yield found
                return
            gone = next((word for word in lost if len(word.word) > 3 or word.word in self.named), None)
            here = next((word for word in new if word.word in self.terms), None)
            if gone is None or gone.surprise < WORDS_FAINT:
                continue
            if here is not None and here.surprise > WORDS_FAINT and gone.surprise + here.surprise > term:
                yield Found(
                    "terms", WARNING, f"'{gone.word}' of the source is missing, and it does not name '{here.word}'"
                )
                return
            if new and new[0].surprise > WORDS_FAINT and gone.surprise + new[0].surprise > word:
                yield Found(
                    "sense",
                    WARNING,
                    f"nothing stands for '{gone.word}' of the source, and '{new[0].word}..' for nothing of it",
                )
                return

    def find_swaps(self, source: str, target: str) -> dict[str, float]:
        """Terms of the translation that the source does not name, with how surprising they and what is lost instead are
        together."""
        found: dict[str, float] = {}
        if not is_fuller(source, target):
            for part, other in split_pair(source, target):
                lost, new = self.find_odd(part, strip_labels(other))
                gone = next((word for word in lost if len(word.word) > 2), None)
                if gone is not None and gone.surprise > WORDS_LEAST_SWAP:
                    for word in new:
                        if word.word in self.terms and min(word.surprise, gone.surprise) > WORDS_LEAST_SWAP:
                            found[word.word] = max(found.get(word.word, 0.0), gone.surprise + word.surprise)
        return found

    def find_exchange(self, source: str, lost: Sequence[Odd], new: Sequence[Odd]) -> Found | None:
        """A noun that nothing stands for, and another that stands for nothing; in a long text that happens sooner."""
        gone = next((word for word in lost if len(word.word) > 2 and self.is_of_a_noun(word.word)), None)
        here = next((word for word in new if word.word in self.nouns), None)
        if gone is None or here is None or min(gone.surprise, here.surprise) < WORDS_LEAST_NOUN:
            return None
        if gone.surprise + here.surprise - WORDS_LONG * math.sqrt(max(0, source.count(" ") - 7)) < WORDS_NOUN:
            return None
        said = f"'{gone.word}..' of the source is missing, and it does not name '{here.word.rstrip('-')}..'"
        return Found("terms", WARNING, said)

    def is_of_a_noun(self, word: str) -> bool:
        """Whether a word of the source mostly becomes a noun."""
        row = self.becomes.get(word)
        return (
            row is not None
            and len(row) > 0
            and max(row, key=lambda other: self.expected.get((word, other), 0.0)) in self.nouns
        )


def strip_labels(text: str) -> str:
    """A text without the words that only say what a placeholder is: card «{1}»."""
    return _BESIDE.sub("{", text) if "{" in text else text


# --- senses that the tables of the languages know ---------------------------------------------------------------------

_MODALS: Final = ("may", "must", "can")
_UNIT: Final = re.compile(r"(?<=[.!?;:])\s+")


@lru_cache(maxsize=50)
def split_pair(source: str, target: str) -> list[tuple[str, str]]:
    """A pair, sentence by sentence where both texts have as many. Several checks ask for the same."""
    parts, others = _UNIT.split(source), _UNIT.split(target)
    return list(zip(parts, others, strict=True)) if len(parts) == len(others) else [(source, target)]


class Turned:
    """Senses that are lost, added, or turned into their opposite. Whether one may be left out, the edition says."""

    def __init__(
        self, pairs: Iterable[tuple[str, str]], from_: Knowledge, to: Knowledge, rules: Knowledge | None = None
    ) -> None:
        self.from_, self.to = from_.senses, to.senses
        self.allows, self.order = from_.allows, to.order
        rules = rules or from_  # which senses must be kept, and which are opposites
        shared = [name for name in from_.senses.says if name in to.senses.says]
        self.kept, self.never_added = rules.kept & {*shared}, rules.never_added & {*shared}
        self.close = frozenset(("may", "or", "only", "before", "after", "without", "top")) & self.kept
        self.opposites = [
            row for one, two in rules.opposites if one in shared and two in shared for row in ((one, two), (two, one))
        ]
        self.asked: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.new: Counter[str] = Counter()
        if shared:
            rows = list(dict.fromkeys(pairs))
            for source, target in (
                unit for pair in rows[:: max(1, len(rows) // WORDS_MOST)] for unit in split_pair(*pair)
            ):
                says, may = self.from_.of(source)
                says_to, may_to = self.to.of(target)
                self.asked.update(says.keys())
                self.lost.update(name for name in says if not may_to[name])
                self.given.update(says_to.keys())
                self.new.update(name for name in says_to if not may[name])

    def check(self, source: str, target: str, close: bool = False) -> Iterator[Found]:
        for _, found in self.iterate_findings(source, target, close):
            yield found

    def iterate_findings(self, source: str, target: str, close: bool = False) -> Iterator[tuple[frozenset[str], Found]]:
        """Each with the senses that it is about."""
        if self.opposites:
            for unit in split_pair(source, target):
                yield from self.check_unit(*unit, SENSE_CLOSE_RATE if close else SENSE_RATE)

    def differ(self, source: str, target: str) -> set[str]:
        """Senses that only one of two texts has, or has more often."""
        found: set[str] = set()
        for part, other in split_pair(source, target):
            says, may = self.from_.of(part)
            says_to, may_to = self.to.of(other)
            found |= {name for name in says if says[name] > may_to[name] or says[name] > says_to[name]}
            found |= {name for name in says_to if says_to[name] > may[name] or says_to[name] > says[name]}
        return found

    def check_unit(self, source: str, target: str, rate: float) -> Iterator[tuple[frozenset[str], Found]]:
        says, may = self.from_.of(source)
        says_to, may_to = self.to.of(target)
        for one, other in self.opposites:
            if one not in says and other not in says_to:
                continue
            lost, new = says[one] > may_to[one], says_to[other] > may[other]
            if not lost and not new:
                continue
            if (lost and new) or ((lost or new) and says[one] > says_to[one] and says_to[other] > says[other]):
                found = self.make_finding(one, f"the source says '{one}', the translation '{other}'")
                yield frozenset((one, other)), found
                return
        order = self.order.search(target) if says["may"] and not may_to["may"] else None
        if order is not None and self.allows.search(source):
            yield (
                frozenset(("may",)),
                self.make_finding("may", f"the source says that one may, the translation orders it: '{order[0]}'"),
            )
            return
        if is_label(source):
            return
        for name in sorted(says):
            if name not in self.kept:
                continue
            gone = says[name] > says_to[name] if rate > SENSE_RATE and name in self.close else not may_to[name]
            if gone and is_rare(self.lost[name] - 1, self.asked[name] - 1, rate):
                yield (
                    frozenset((name,)),
                    self.make_finding(name, f"the source says '{name}', and nothing in the translation does"),
                )
                return
        for name in sorted(says_to) if not is_fuller(source, target) else ():
            if name in self.never_added and not may[name] and is_rare(self.new[name] - 1, self.given[name] - 1, rate):
                yield (
                    frozenset((name,)),
                    self.make_finding(name, f"the translation says '{name}', and nothing in the source does"),
                )
                return

    @staticmethod
    def make_finding(name: str, message: str) -> Found:
        return Found("modals" if name in _MODALS else "sense", WARNING, message)


def is_label(source: str) -> bool:
    """Whether a text is but a name: two or three words, no sentence. Names are put freely."""
    return source.count(" ") < 3 and not source.endswith((".", "!", "?", ":"))


def is_rare(misses: int, count: int, rate: float) -> bool:
    return count >= SENSE_LEAST and misses <= 0 if count < SENSE_FEW else misses <= rate * count

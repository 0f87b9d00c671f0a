"""A translation against that of a third language: what two editions say alike, a slip in one of them says otherwise.

In: the strings of an edition in a language and in another one beside the source, and what is known about both. Out:
findings: a number that only one of the three texts has, senses, words and sentences that the other translation has, and
endings that no other string has for the same word. Related languages put most words into the same case, so the endings
of one are learnt from those of the other.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.localisation.text.language import TOKEN, Knowledge
from grimoire.compiler.localisation.translation.completeness import Completeness, count_parts
from grimoire.compiler.localisation.translation.findings import WARNING
from grimoire.compiler.localisation.translation.single_string import Found, strip_places
from grimoire.compiler.localisation.translation.word_alignment import Sense, Turned, split_pair
from grimoire.compiler.localisation.tuning import (
    CROSS_ALIKE,
    CROSS_EXPECTED,
    CROSS_FAINT,
    CROSS_LEAST,
    CROSS_LETTERS,
    CROSS_LIKELY,
    CROSS_ODD,
    CROSS_OWN,
    CROSS_ROOT,
    CROSS_SHORT,
    CROSS_SHORTER,
    CROSS_WEIGHT,
    WORDS_CLEAR,
    WORDS_MOST,
    WORDS_SWAP,
)

_SAME: Final = str.maketrans("ыиїійеєэёоґъь’ʼ", "іііііееееаг''''")


def find_root(word: str) -> str:
    """A word as its relatives in other languages are written."""
    return word.translate(_SAME).replace("'", "")


def measure_likeness(one: str, other: str) -> float:
    """How much of two words is the same from their beginning."""
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same / max(len(one), len(other)) if same >= CROSS_LETTERS else 0.0


def find_words(text: str) -> list[str]:
    return TOKEN.findall(strip_places(text).lower())


class Endings:
    """Which endings of one language go with which of the other."""

    def __init__(
        self, pairs: Sequence[tuple[str, str]], sense: Sense, forms: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        self.sense = sense
        self.roots: dict[str, str] = {}
        self.forms: dict[str, Counter[str]] = defaultdict(Counter)
        self.tails: dict[str, Counter[str]] = defaultdict(Counter)
        self.usual: Counter[str] = Counter()
        for pair in list(dict.fromkeys(pairs))[:: max(1, len(pairs) // WORDS_MOST)]:
            for there, here in self.link_words(*pair):
                self.forms[there][here] += 1
                self.usual[here[-2:]] += 1
                for size in (1, 2, 3):
                    self.tails[there[-size:]][here[-2:]] += 1
        self.attested: dict[str, set[str]] = defaultdict(set)
        for name, row in (forms or {}).items():
            self.attested[name].update(form.lower() for form in row)
        for _, target in pairs:
            for word in find_words(target):
                self.attested[sense.target(word)].add(word)
        self.whole = sum(self.usual.values()) or 1

    def link_words(self, other: str, target: str) -> Iterator[tuple[str, str]]:
        """The words of two texts that stand for the same."""
        for part, own in split_pair(other, target):
            there, here = find_words(part), find_words(own)
            pairs = (
                self.link_in_order(there, here)
                if len(there) == len(here) <= CROSS_SHORT
                else self.link_by_likeness(there, here)
            )
            for one, two in pairs:
                if len(one) >= CROSS_LETTERS and len(two) >= CROSS_LETTERS and not one.isdigit() and not two.isdigit():
                    yield one, two

    @staticmethod
    def link_in_order(there: Sequence[str], here: Sequence[str]) -> Iterator[tuple[str, str]]:
        yield from zip(there, here, strict=True)

    def link_by_likeness(self, there: Sequence[str], here: Sequence[str]) -> Iterator[tuple[str, str]]:
        sense = self.sense
        stems = [sense.source(word) for word in there]
        free = set(range(len(there)))
        for at, word in enumerate(here):
            if len(word) < CROSS_LETTERS:
                continue
            stem = sense.target(word)
            best, chosen = 0.0, -1
            for spot in free:
                fit = self.fit(stems[spot], stem, there[spot], word)
                if fit > CROSS_LIKELY:
                    fit -= 0.2 * abs(spot / len(there) - at / len(here))
                    if fit > best:
                        best, chosen = fit, spot
            if chosen >= 0:
                free.discard(chosen)
                yield there[chosen], word

    def fit(self, one: str, two: str, there: str, here: str) -> float:
        known = self.sense.expected.get((one, two), 0.0)
        fit = known / self.sense.words[one] if known and self.sense.both[one, two] > 1 else 0.0
        if fit < CROSS_ALIKE and here and there and find_root(there[0]) == find_root(here[0]):
            if measure_likeness(self.find_root(there), self.find_root(here)) >= CROSS_ROOT:
                return CROSS_ALIKE
        return fit

    def find_root(self, word: str) -> str:
        found = self.roots.get(word)
        if found is None:
            found = self.roots[word] = find_root(word)
        return found

    def estimate_chance(self, there: str, tail: str, taught: int) -> float:
        """How often an ending goes with that of the other word; what the string itself has taught does not count."""
        chance = (max(self.usual[tail] - taught, 0) + 1) / (self.whole + 200)
        for size in (1, 2, 3):
            row = self.tails.get(there[-size:])
            if row is not None:
                chance = (max(row[tail] - taught, 0) + CROSS_WEIGHT * chance) / (row.total() - 1 + CROSS_WEIGHT)
                chance = max(chance, CROSS_LEAST)
        return chance

    def measure_surprise(self, there: str, here: str) -> float:
        """How much better the best ending would fit than this one, as a logarithm."""
        stem = self.sense.target(here)
        same = {f: count for f, count in self.forms.get(there, {}).items() if self.sense.target(f) == stem}
        whole = sum(same.values()) - 1 if same else 0

        def fit(tail: str, count: int, taught: int) -> float:
            return (max(count - taught, 0) + CROSS_OWN * self.estimate_chance(there, tail, taught)) / (
                whole + CROSS_OWN
            )

        others = [form for form in self.attested[stem] if form[-2:] != here[-2:]]
        best = max((fit(form[-2:], same.get(form, 0), 0) for form in others), default=0.0)
        own = fit(here[-2:], same.get(here, 0), 1)
        return math.log(best / own) if best > own else 0.0

    def find_confirmed(self, other: str, target: str) -> set[str]:
        """Words whose ending is the one to expect."""
        return {
            here
            for there, here in self.link_words(other, target)
            if self.estimate_chance(there, here[-2:], 1) >= CROSS_EXPECTED
        }

    def find_suspects(self, other: str, target: str) -> dict[str, float]:
        """Words whose ending is odd beside that of the other language, if not odd enough for a finding, and how odd."""
        rows = ((here, self.measure_surprise(there, here)) for there, here in self.link_words(other, target))
        return {here: surprise for here, surprise in rows if surprise > CROSS_FAINT}

    def check(self, other: str, target: str) -> Iterator[Found]:
        for there, here in self.link_words(other, target):
            if self.measure_surprise(there, here) > CROSS_ODD:
                yield Found("cases", WARNING, f"'{here}' has not the ending that goes with '{there}'")
                return


class Guesses(NamedTuple):
    """What is learnt about the strings of two languages."""

    turned: Turned
    sense: Sense
    whole: Completeness


class CrossLanguage:
    """What the other translation of a string says about it: a guess counts if both the source and the other translation
    bear it out."""

    def __init__(
        self,
        texts: Mapping[str, str],
        languages: tuple[Knowledge, Knowledge, Knowledge],
        first: Guesses,
        own: Guesses,
        endings: Endings,
    ) -> None:
        self.texts = texts
        self.source, self.other, self.target = languages
        self.first, self.own = first, own  # the source with the translation, the other translation with it
        self.endings = endings

    def check(self, other: str, source: str, target: str, close: bool) -> Iterator[Found]:
        yield from self.check_numbers(source, other, target)
        yield from self.check_parts(source, other, target)
        yield from self.check_from_source(other, source, target, close)
        for found in self.check_from_other(other, source, target, close):
            yield found._replace(message=f"with '{self.other.language}' as the source: {found.message}")

    def check_from_source(self, other: str, source: str, target: str, close: bool) -> Iterator[Found]:
        """Guesses from the source that the other translation bears out."""
        for names, found in self.first.turned.iterate_findings(source, target, close=True):
            if names & self.own.turned.differ(other, target):
                yield found
        for found in self.first.sense.check(source, target, close) if close else ():
            if self.own.sense.is_odd(other, target):
                yield found
        swaps = self.first.sense.find_swaps(source, target)
        others = self.own.sense.find_swaps(other, target) if swaps else {}
        for word in sorted(swaps.keys() & others.keys()):
            if swaps[word] + others[word] > WORDS_SWAP:
                yield Found("terms", WARNING, f"'{word}' is named by neither of the other languages here")
                break
        for found in self.first.whole.check(source, target, close):
            if self.own.whole.is_short(other, target):
                yield found

    def check_from_other(self, other: str, source: str, target: str, close: bool) -> Iterator[Found]:
        """Guesses from the other translation that the source bears out; in a text that was changed it need not always
        do so."""
        first = self.first
        for names, found in self.own.turned.iterate_findings(other, target, close=True):
            if close or names & first.turned.differ(source, target):
                yield found
        for found in self.own.sense.check(other, target, close or first.sense.is_odd(source, target, WORDS_CLEAR)):
            if first.sense.is_odd(source, target):
                yield found
        for found in self.own.whole.check(other, target, close):
            if first.whole.is_short(source, target):
                yield found
        if close:
            yield from self.endings.check(other, target)

    def check_parts(self, source: str, other: str, target: str) -> Iterator[Found]:
        """A sentence that both other texts have, or a clause: fewer commas, and a text that is shorter than both let
        expect."""
        if count_parts(target) < min(count_parts(source), count_parts(other)):
            yield Found("sentences", WARNING, "both other languages have a part more: it may be missing here")
        elif target.count(",") < other.count(","):
            one, two = (
                self.first.whole.measure_shortness(source, target),
                self.own.whole.measure_shortness(other, target),
            )
            if min(one, two) > 0 and one + two > CROSS_SHORTER:
                yield Found(
                    "sentences", WARNING, f"shorter than '{self.other.language}' lets expect: a clause may be missing"
                )

    def check_numbers(self, source: str, other: str, target: str) -> Iterator[Found]:
        """A number that neither of the two other texts has, or that both have and this one has not."""
        given, beside, own = (
            language.figures(strip_places(text))
            for language, text in ((self.source, source), (self.other, other), (self.target, target))
        )
        if not any((*given, *beside, *own)):
            return
        every, every_beside, every_own = (sum(rows, Counter()) for rows in (given, beside, own))
        sure = own[0] + own[1]
        lost = {n for n in every & every_beside if every_own[n] < min(every[n], every_beside[n])}
        lost |= {n for n in beside[0] + beside[1] if not every_own[n]}
        new = {n for n in sure if sure[n] > max(every[n], every_beside[n])}
        if new or (lost and {n for n in every_own if every_own[n] > max(every[n], every_beside[n])}):
            number = min(new) if new else min(lost)
            said = "is in no other language" if new else "is in the other languages, and missing here"
            yield Found("numbers", WARNING, f"{number} {said}")

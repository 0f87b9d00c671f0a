"""Finds steps of an approved text that stand in another order than those of the effect.

In: the text that is generated from an effect, step by step, with its parts on lines of their own; a text in the same
language. Out: two steps that have changed places. Words are compared by how they begin, and count for more the fewer
steps of the effect have them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.tuning import (
    ORDER_CLEARER,
    ORDER_ENOUGH,
    ORDER_MOST,
    ORDER_NEARLY,
)

_STOP: Final = re.compile(r"\n|[.;:]\s|\s—\s|\Z")
_RANK: Final = re.compile(r"\(\d\)")


class Step(NamedTuple):
    """What stands between two stops, and the stop before it."""

    words: tuple[str, ...]
    joint: str


def steps_of(text: str) -> list[Step]:
    found: list[Step] = []
    at, joint = 0, ""
    text = _RANK.sub(" ", text)
    for stop in _STOP.finditer(text):
        words = words_of(text[at : stop.start()])
        if words:
            found.append(Step(words, joint))
        at, joint = stop.end(), "\n" if "\n" in stop[0] else stop[0].strip()[:1]
    return found


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two words may be forms of one."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    longer = max(len(one), len(other))
    if one.isdigit() or other.isdigit() or longer - shorter > (4 if shorter > 3 else 0) or shorter < 3:
        return False
    least = shorter - 1 if shorter < 5 else max(4, shorter - 3)
    return one[:least] == other[:least]


class Part(NamedTuple):
    """One slot or ability of an effect: what stands before it on the card, and the steps that it takes."""

    label: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    first: int  # which of all steps its first one is


class Order:
    """The steps of an effect, to lay those of a text beside."""

    def __init__(self, parts: Sequence[tuple[str, str]]) -> None:
        self.parts: list[Part] = []
        self.count = 0  # of all steps
        self.places: dict[str, set[int]] = {}  # of each word of the effect, the steps that have it
        self.begun: dict[str, list[str]] = {}  # the same words by how they begin: words that are alike begin alike
        for label, text in parts:
            steps = tuple(step.words for step in steps_of(text))
            self.parts.append(Part(words_of(label), steps, self.count))
            for at, step in enumerate(steps, self.count):
                for word in step:
                    self.places.setdefault(word, set()).add(at)
            self.count += len(steps)
        for word in self.places:
            self.begun.setdefault(word[:2], []).append(word)
        self.known: dict[str, tuple[frozenset[int], float]] = {}

    def find(self, word: str) -> tuple[frozenset[int], float]:
        """The steps that have a word like this one, and its weight: words that every step has say nothing about which
        one is meant."""
        found = self.known.get(word)
        if found is None:
            like = [self.places[other] for other in self.begun.get(word[:2], ()) if alike(word, other)]
            steps = frozenset().union(*like)
            found = self.known[word] = steps, math.log((self.count + 1) / len(steps)) if steps else 0.0
        return found

    def fits(self, words: Sequence[str], part: Part) -> list[float]:
        """How well a step of the text fits each step of a part; numbers alone say nothing."""
        fit, known = [0.0] * len(part.steps), [False] * len(part.steps)
        for word in dict.fromkeys(words):
            steps, weight = self.find(word)
            for at in steps:
                if 0 <= at - part.first < len(fit):
                    fit[at - part.first] += weight
                    known[at - part.first] |= not word.isdigit()
        return [row if is_known else 0.0 for row, is_known in zip(fit, known, strict=True)]

    def inversions(self, text: str) -> Iterator[tuple[str, str]]:
        """Neighbouring steps of the text, in one sentence, that the effect takes the other way round."""
        steps = steps_of(text)
        joints = ";" if len(self.parts) > 1 else ".;"  # a sentence may be about another slot
        for at in range(1, len(steps)):
            one, other = steps[at - 1].words, steps[at].words
            if steps[at].joint in joints and self.is_inverted(one, other, label_of(steps, at, joints)):
                yield " ".join(one), " ".join(other)

    def is_inverted(self, one: Sequence[str], other: Sequence[str], label: Sequence[str]) -> bool:
        """Whether the second of two steps comes first in every part of the effect that may be meant."""
        rows = [(part, self.fits(one, part), self.fits(other, part)) for part in self.parts if part.steps]
        first = max((max(a) for _, a, _ in rows), default=0.0)
        second = max((max(b) for _, _, b in rows), default=0.0)
        if first < ORDER_ENOUGH or second < ORDER_ENOUGH:
            return False
        meant = [row for row in rows if max(row[1]) >= ORDER_NEARLY * first and max(row[2]) >= ORDER_NEARLY * second]
        named = [row for row in meant if any(alike(word, other) for word in label for other in row[0].label)]
        return bool(meant) and all(
            stand_otherwise(part, one, other, [fit / max(a) for fit in a], [fit / max(b) for fit in b])
            for part, a, b in named or meant
        )


def stand_otherwise(
    part: Part, one: Sequence[str], other: Sequence[str], first: Sequence[float], second: Sequence[float]
) -> bool:
    pairs = [(a + b, at, to) for at, a in enumerate(first) for to, b in enumerate(second)]
    wrong = max((fit for fit, at, to in pairs if at > to), default=0.0)
    right = max((fit for fit, at, to in pairs if at < to), default=0.0)
    best, at, _ = max((row for row in pairs if row[1] == row[2]), default=(0.0, 0, 0))
    if wrong > max(right, best) * ORDER_CLEARER:
        return True
    return best > max(right, wrong) * ORDER_CLEARER and stand_inside(part.steps[at], one, other)


def stand_inside(step: Sequence[str], one: Sequence[str], other: Sequence[str]) -> bool:
    """Two steps of the text that are one of the effect: the words of the second stand before the words of the first."""
    places: list[list[int]] = []
    for words, others in ((one, other), (other, one)):
        own = [word for word in words if len(word) > 2 and not any(alike(word, there) for there in others)]
        found = [[at for at, there in enumerate(step) if alike(word, there)] for word in own]
        places.append([row[0] for row in found if len(row) == 1])
    pairs = [later < earlier for earlier in places[0] for later in places[1]]
    return bool(pairs) and sum(pairs) >= ORDER_MOST * len(pairs)


def label_of(steps: Sequence[Step], at: int, joints: str) -> tuple[str, ...]:
    """What stands before the colon of the sentence that a step is in."""
    while at > 0 and steps[at].joint in joints:
        at -= 1
    return steps[at - 1].words if at > 0 and steps[at].joint == ":" else ()


def words_of(text: str) -> tuple[str, ...]:
    return tuple([word.lower() for word in TOKEN.findall(text)])

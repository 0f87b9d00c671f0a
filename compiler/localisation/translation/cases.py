"""Which case a noun most likely has where it stands: learnt from the texts of the edition itself.

In: texts, and the forms of the words files. Out: for a noun in its place, how much better another form of it would fit.
Many forms stand for several cases, so the cases of all nouns are guessed together, from what stands before and behind
them, in a few rounds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from grimoire.compiler.localisation.tuning import (
    CASES_EXACT,
    CASES_LIKE,
    CASES_MOST,
    CASES_ROUNDS,
)

T = TypeVar("T")
State = tuple[str, str]  # number, case
Context = tuple[str, str]


class Spot(NamedTuple):
    """A noun in its place: the states that its form can have, and what is around it."""

    states: tuple[State, ...]
    around: tuple[tuple[Context, Context], ...]  # each as it is, and what it has in common with others


class CaseModel:
    """How often each number and case stands in each surrounding."""

    def __init__(self, spots: Sequence[Spot]) -> None:
        self.weights: list[dict[State, float]] = [dict.fromkeys(spot.states, 1 / len(spot.states)) for spot in spots]
        self.doubts: dict[tuple[Spot, frozenset[State], bool], tuple[float, State | None]] = {}
        self.base: dict[State, float] = defaultdict(float)
        self.table: dict[Context, dict[State, float]] = defaultdict(lambda: defaultdict(float))
        for _ in range(CASES_ROUNDS):
            self.count(spots)
            self.weights = [self.guess(spot, own) for spot, own in zip(spots, self.weights, strict=True)]
        self.count(spots)

    def count(self, spots: Sequence[Spot]) -> None:
        self.base.clear()
        self.table.clear()
        for spot, weights in zip(spots, self.weights, strict=True):
            for state, weight in weights.items():
                self.base[state] += weight
                for pair in spot.around:
                    for context in pair:
                        self.table[context][state] += weight
        self.total = sum(self.base.values()) or 1.0
        self.sums = {context: sum(row.values()) for context, row in self.table.items()}

    def score(self, state: State, around: Iterable[tuple[Context, Context]], own: Mapping[State, float]) -> float:
        """The logarithm of how well a state fits, without what the noun itself has taught."""
        prior = (self.base.get(state, 0.0) + 0.5) / (self.total + 6)
        score = math.log(prior)
        mine, taught = (own.get(state, 0.0), 1.0) if own else (0.0, 0.0)
        for exact, like in around:
            fit = prior
            for context, weight in ((like, CASES_LIKE), (exact, CASES_EXACT)):
                row = self.table.get(context)
                if row is not None:
                    count = max(row.get(state, 0.0) - mine, 0.0)
                    whole = max(self.sums[context] - taught, 0.0)
                    fit = (count + weight * fit) / (whole + weight)
            score += math.log(fit / prior)
        return score

    def guess(self, spot: Spot, own: Mapping[State, float]) -> dict[State, float]:
        scores = {state: self.score(state, spot.around, own) for state in spot.states}
        top = max(scores.values())
        parts = {state: math.exp(score - top) for state, score in scores.items()}
        whole = sum(parts.values())
        return {state: part / whole for state, part in parts.items()}

    def measure_doubt(self, spot: Spot, others: Iterable[State], *, known: bool) -> tuple[float, State | None]:
        """How much better the best other form fits than this one, as a logarithm, and which it is. The same phrases
        come again and again."""
        key = spot, frozenset(others), known
        found = self.doubts.get(key)
        if found is None:
            found = self.doubts[key] = self.weigh(spot, key[1], known=known)
        return found

    def weigh(self, spot: Spot, others: Iterable[State], *, known: bool) -> tuple[float, State | None]:
        own = self.guess(spot, {}) if known else {}
        here = max(self.score(state, spot.around, own) for state in spot.states)
        best, better = here, None
        for state in sorted(others):
            if state not in spot.states:
                score = self.score(state, spot.around, {})
                if score > best:
                    best, better = score, state
        return best - here, better


def learn(texts: Sequence[T], spots_of: Callable[[T], Iterable[Spot]]) -> CaseModel:
    spots: list[Spot] = []
    for text in texts[:: max(1, len(texts) // CASES_MOST)]:
        spots.extend(spots_of(text))
    return CaseModel(spots)

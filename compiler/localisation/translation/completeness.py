"""Whether a translation is whole: sentences and clauses that are gone.

In: pairs of texts. Out: findings. How long a translation is for its source, the edition says; a unit is reported if it
is much shorter than that, the more so if words of the source have nothing that stands for them (see `sense`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from grimoire.compiler.localisation.text.language import Knowledge
from grimoire.compiler.localisation.translation.findings import WARNING
from grimoire.compiler.localisation.translation.single_string import Found
from grimoire.compiler.localisation.translation.word_alignment import Sense, split_pair
from grimoire.compiler.localisation.tuning import (
    COMPLETE_CLOSE,
    COMPLETE_CLOSE_FEWER,
    COMPLETE_CLOSE_PART,
    COMPLETE_FAINT,
    COMPLETE_FAINTLY,
    COMPLETE_FEW,
    COMPLETE_FEWER,
    COMPLETE_LEAST,
    COMPLETE_LOST,
    COMPLETE_PART,
    COMPLETE_SHORT,
    COMPLETE_SHORTER,
    COMPLETE_USUAL,
    WORDS_MOST,
)

_STEP: Final = math.log(1.5)
_BREAK: Final = re.compile(r"[.!?…:;](?=[»“”\"')\]]*(?:\s|\Z))")
_STOP: Final = re.compile(r"[.!?…][»“”\"')\]]*(?=\s|\Z)")


def count_parts(text: str) -> int:
    """How many sentences and halves of sentences a text has."""
    return len(_BREAK.findall(text))


class Completeness:
    """How long the translations of an edition are for their sources."""

    def __init__(self, pairs: Sequence[tuple[str, str]], sense: Sense, language: Knowledge) -> None:
        self.sense = sense
        rows = [
            unit
            for pair in list(dict.fromkeys(pairs))[:: max(1, len(pairs) // WORDS_MOST)]
            for unit in split_pair(*pair)
            if len(unit[0]) >= COMPLETE_LEAST
        ]
        ratios = [(self.classify_size(source), self.measure_ratio(source, target)) for source, target in rows]
        enough = len(ratios) >= COMPLETE_FEW
        self.middle = median(ratio for _, ratio in ratios) if enough else 0.0
        groups: dict[int, list[float]] = {}
        for size, ratio in ratios:
            for near in (size - 1, size, size + 1):
                groups.setdefault(near, []).append(abs(ratio - self.middle))
        self.spread = {size: max(1.48 * median(row), 0.1) for size, row in groups.items() if len(row) >= COMPLETE_FEW}
        words = "|".join(sorted(language.opening))
        self.fragment = re.compile(rf"(?:{words})\b[^,—–:;()]*\.\Z", re.IGNORECASE) if words else None

    @staticmethod
    def classify_size(source: str) -> int:
        return round(math.log(max(len(source), COMPLETE_LEAST) / COMPLETE_LEAST) / _STEP)

    @staticmethod
    def measure_ratio(source: str, target: str) -> float:
        return math.log((len(target) + 8) / (len(source) + 8))

    def is_short(self, source: str, target: str) -> bool:
        """Whether a translation is shorter than usual at all."""
        return self.measure_shortness(source, target) > COMPLETE_FAINTLY

    def measure_shortness(self, source: str, target: str) -> float:
        """How much shorter than usual the shortest sentence is: so many times the usual difference."""
        return max(
            (self.middle - self.measure_ratio(part, other)) / self.spread.get(self.classify_size(part), COMPLETE_USUAL)
            for part, other in split_pair(source, target)
        )

    def check(self, source: str, target: str, close: bool = False) -> Iterator[Found]:
        if len(source) < COMPLETE_LEAST:
            return
        if self.fragment is not None:
            for sentence in re.split(r"(?<=[.!?])\s+", target):
                if self.fragment.match(sentence):
                    yield Found("sentences", WARNING, f"'{sentence[:40]}..' is half a sentence")
                    return
        fewer = len(_STOP.findall(target)) < len(_STOP.findall(source))
        if len(_BREAK.findall(target)) < len(_BREAK.findall(source)):
            lost_words = self.sense.find_odd(source, target)[0]
            if sum(word.surprise for word in lost_words if word.surprise > COMPLETE_FAINT) > (
                COMPLETE_CLOSE_PART if close else COMPLETE_PART
            ):
                yield Found("sentences", WARNING, f"a part with '{lost_words[0].word}' of the source may be missing")
                return
        for part, other in split_pair(source, target):
            if len(part) < COMPLETE_LEAST:
                continue
            short = (self.middle - self.measure_ratio(part, other)) / self.spread.get(
                self.classify_size(part), COMPLETE_USUAL
            )
            if short < (COMPLETE_CLOSE_FEWER if close else COMPLETE_FEWER):
                continue
            lost = sum(word.surprise for word in self.sense.find_odd(part, other)[0] if word.surprise > COMPLETE_FAINT)
            if (
                short > COMPLETE_SHORTER
                and short + COMPLETE_LOST * lost >= (COMPLETE_CLOSE if close else COMPLETE_SHORT)
            ) or fewer:
                yield Found(
                    "sentences",
                    WARNING,
                    "the translation is much shorter than usual: a part of the source may be missing",
                )
                return

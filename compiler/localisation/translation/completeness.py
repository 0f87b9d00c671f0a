"""Whether a translation is whole: sentences and clauses that are gone.

In: pairs of texts. Out: findings. How long a translation is for its source, the edition says; a unit is reported if it is much shorter than
that, the more so if words of the source have nothing that stands for them (see `sense`).
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
from grimoire.compiler.localisation.translation.word_alignment import MOST, Sense, units

SHORT: Final = 4.0  # so many times the usual difference, lost words counted in
CLOSE: Final = 2.2  # the same where a text was changed since it was accepted
SHORTER: Final = 0.7  # and so many without them
LOST: Final = 0.15  # what a lost word counts
FEWER: Final = 0.8  # enough if there are fewer sentences as well
CLOSE_FEWER: Final = 0.0
PART: Final = 6.0  # words lost where there are fewer parts as well
CLOSE_PART: Final = 1.2
FAINTLY: Final = 0.4
FAINT: Final = 0.7
LEAST: Final = 25  # characters: shorter texts say nothing
FEW: Final = 40  # pairs to learn from: fewer say nothing, and what is usual elsewhere counts
USUAL: Final = 0.18
_STEP: Final = math.log(1.5)
_BREAK: Final = re.compile(r"[.!?…:;](?=[»“”\"')\]]*(?:\s|\Z))")
_STOP: Final = re.compile(r"[.!?…][»“”\"')\]]*(?=\s|\Z)")


def parts(text: str) -> int:
    """How many sentences and halves of sentences a text has."""
    return len(_BREAK.findall(text))


class Whole:
    """How long the translations of an edition are for their sources."""

    def __init__(self, pairs: Sequence[tuple[str, str]], sense: Sense, language: Knowledge) -> None:
        self.sense = sense
        rows = [
            unit
            for pair in list(dict.fromkeys(pairs))[:: max(1, len(pairs) // MOST)]
            for unit in units(*pair)
            if len(unit[0]) >= LEAST
        ]
        ratios = [(self.size(source), self.ratio(source, target)) for source, target in rows]
        enough = len(ratios) >= FEW
        self.middle = median(ratio for _, ratio in ratios) if enough else 0.0
        groups: dict[int, list[float]] = {}
        for size, ratio in ratios:
            for near in (size - 1, size, size + 1):
                groups.setdefault(near, []).append(abs(ratio - self.middle))
        self.spread = {size: max(1.48 * median(row), 0.1) for size, row in groups.items() if len(row) >= FEW}
        words = "|".join(sorted(language.opening))
        self.fragment = re.compile(rf"(?:{words})\b[^,—–:;()]*\.\Z", re.IGNORECASE) if words else None

    @staticmethod
    def size(source: str) -> int:
        return round(math.log(max(len(source), LEAST) / LEAST) / _STEP)

    @staticmethod
    def ratio(source: str, target: str) -> float:
        return math.log((len(target) + 8) / (len(source) + 8))

    def is_short(self, source: str, target: str) -> bool:
        """Whether a translation is shorter than usual at all."""
        return self.shortness(source, target) > FAINTLY

    def shortness(self, source: str, target: str) -> float:
        """How much shorter than usual the shortest sentence is: so many times the usual difference."""
        return max(
            (self.middle - self.ratio(part, other)) / self.spread.get(self.size(part), USUAL)
            for part, other in units(source, target)
        )

    def check(self, source: str, target: str, close: bool = False) -> Iterator[Found]:
        if len(source) < LEAST:
            return
        if self.fragment is not None:
            for sentence in re.split(r"(?<=[.!?])\s+", target):
                if self.fragment.match(sentence):
                    yield Found("sentences", WARNING, f"'{sentence[:40]}..' is half a sentence")
                    return
        fewer = len(_STOP.findall(target)) < len(_STOP.findall(source))
        if len(_BREAK.findall(target)) < len(_BREAK.findall(source)):
            lost_words = self.sense.odd(source, target)[0]
            if sum(word.surprise for word in lost_words if word.surprise > FAINT) > (CLOSE_PART if close else PART):
                yield Found("sentences", WARNING, f"a part with '{lost_words[0].word}' of the source may be missing")
                return
        for part, other in units(source, target):
            if len(part) < LEAST:
                continue
            short = (self.middle - self.ratio(part, other)) / self.spread.get(self.size(part), USUAL)
            if short < (CLOSE_FEWER if close else FEWER):
                continue
            lost = sum(word.surprise for word in self.sense.odd(part, other)[0] if word.surprise > FAINT)
            if (short > SHORTER and short + LOST * lost >= (CLOSE if close else SHORT)) or fewer:
                yield Found(
                    "sentences",
                    WARNING,
                    "the translation is much shorter than usual: a part of the source may be missing",
                )
                return

"""Sentences of a rule that a printed edition leaves out: how unlikely it is that the print says them in other words.

In: a book laid beside a package. Out: the sentences of a statement that nothing in print answers to. How often the book
has a word where we have it is learnt from the book; the words of a sentence together weigh what no single one does.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.statements import Habits
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.tuning import (
    OMISSION_LEAST,
    OMISSION_SHORT,
    OMISSION_SURE,
    OMISSION_THERE,
    OMISSION_USUAL,
)

_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+(?=\S)")


class Omissions:
    """Looks for sentences that are not there."""

    def __init__(self, book: Habits) -> None:
        self.book, self.own = book, book.own

    @cached_property
    def rates(self) -> dict[str, float]:
        """By stem: how usual it is that the book does not have it where we do."""
        ours: Counter[str] = Counter()
        both: Counter[str] = Counter()
        for pair in self.book.aligned.pairs:
            there = self.book.read(pair).stems
            mine = self.find_telling_words(pair.line.text)
            ours.update(mine)
            both.update(mine & there)
        return {stem: (ours[stem] - both[stem] + OMISSION_USUAL * 2) / (ours[stem] + 2) for stem in ours}

    def find_telling_words(self, text: str) -> set[str]:
        words = (
            word for word in TOKEN.findall(text) if len(word) >= OMISSION_SHORT and word.lower() not in self.own.stops
        )
        return {self.own.stem(word) for word in words if not word.isdigit()}

    def find_omissions(self, pair: Pair) -> Iterator[tuple[str, float]]:
        """The sentences of our statement that the printed clause does not have, and how sure that is."""
        sentences = _SENTENCE.split(pair.line.text)
        if len(sentences) < 2:
            return
        there = self.book.collect_stems_above(pair)
        for part in pair.printed.parts:
            there |= self.own.collect_facts(part.text).stems
        words = [self.find_telling_words(sentence) for sentence in sentences]
        for at, sentence in enumerate(sentences):
            own = words[at].difference(*(words[:at] + words[at + 1 :]))
            absent = own - there
            if len(absent) < 2:
                continue
            score = sum(math.log(max(self.rates.get(stem, OMISSION_USUAL), OMISSION_LEAST)) for stem in absent)
            score += OMISSION_THERE * len(own & there)
            if score < OMISSION_SURE:
                yield sentence, -score

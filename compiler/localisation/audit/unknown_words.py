"""Words of a printed edition that stand where a term should: the book has them once or twice, the package not at all.

In: a book laid beside a package. Out: a word with the term that it stands for, perhaps. Only nouns are looked for:
words that end as a form of the term does, and not as verbs of the language do (grammar/audit.yaml).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from grimoire.compiler.localisation.audit.align import Pair
from grimoire.compiler.localisation.audit.statement_facts import Facts
from grimoire.compiler.localisation.audit.statements import Habits, Ours
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.tuning import (
    UNKNOWN_EVERYWHERE,
    UNKNOWN_HABIT,
    UNKNOWN_LONG,
    UNKNOWN_ONCE,
    UNKNOWN_SURE,
)


class UnknownWords:
    """Looks for words that are not of the glossary."""

    def __init__(self, book: Habits) -> None:
        self.book, self.own, self.language = book, book.own, book.language

    @cached_property
    def package_words(self) -> set[str]:
        texts = self.book.edition.open_language(self.language).texts.values()
        return {self.own.stem(word) for row in texts for word in TOKEN.findall(row.value)}

    @cached_property
    def book_words(self) -> Counter[str]:
        parts = (part for entry in self.book.printed.all() for clause in entry.clauses for part in clause.parts)
        return Counter(self.own.stem(word) for part in parts for word in TOKEN.findall(part.text))

    def find_unknown_words(self, pair: Pair, mine: Ours, print_: Facts) -> Iterator[tuple[str, str, str]]:
        """The stem of a term that is not there, the word that stands for it, and the term."""
        new = [word for word in TOKEN.findall(pair.part.text) if self.is_strange(word)]
        if not new or pair.entry.appendix:
            return
        there = print_.stems
        for stem, word in mine.facts.terms.items():
            habit = self.book.find_habit(stem)
            if (
                stem not in self.own.nouns
                or stem in there
                or habit.both < UNKNOWN_ONCE
                or habit.rate_missing() >= UNKNOWN_HABIT
            ):
                continue
            if self.book.share[stem] > UNKNOWN_EVERYWHERE:
                continue
            if any(self.book.is_said(stem, facts, id_) is False for id_, facts in mine.others.items()):
                continue
            ends = {
                form[len(stem) :][-2:] for form, base in self.own.forms.items() if base == stem and form[:3] == stem[:3]
            }
            for strange in new:
                if len({*self.own.plain(strange)} ^ {*self.own.plain(word)}) <= UNKNOWN_ONCE:
                    continue  # a slip of spelling
                fits = any(end and self.own.plain(strange).endswith(end) for end in ends) or (
                    "" in ends and is_bare(strange)
                )
                if fits or (len(new) == 1 and habit.rate_missing() < UNKNOWN_SURE):
                    yield stem, strange, word
                    new.remove(strange)
                    break

    def is_strange(self, word: str) -> bool:
        stem = self.own.stem(word)
        if (
            len(word) <= UNKNOWN_LONG
            or word.isdigit()
            or stem in self.package_words
            or self.book_words[stem] > UNKNOWN_ONCE
        ):
            return False
        latin = re.search(r"[a-z]", word.lower()) is not None
        return not latin and not self.own.table.verbal.search(word.lower())


def is_bare(word: str) -> bool:
    """Whether a word ends in a consonant, as nouns without an ending do."""
    return word[-1:].lower() not in "аеєиіїоуюяыэёй"

"""Words of a printed edition: mixed alphabets, spelling slips, terms that are not those of the glossary.

In: printed texts beside ours. Out: messages. A word is taken for a slip when nothing else in the book, the package or,
where one is installed, a dictionary has it, and a word that they have differs from it in a letter; endings are left
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from grimoire.compiler.localisation.audit.statement_facts import Vocabulary
from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.translation.forms import Forms, is_installed
from grimoire.compiler.localisation.translation.single_string import (
    Pair,
    check_doubled_words,
    check_letters,
    check_quotes,
)
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.localisation.tuning import (
    SPELLING_LONG,
)

TOLD: Final = ("letters", "untranslated", "doubled", "brackets")
ACUTE: Final = "\u0301"


class Speller:
    """Knows the words of a package in one language, and of a book."""

    def __init__(self, edition: Edition, words: Vocabulary, book: Iterable[str]) -> None:
        self.words = words
        self.ours: Counter[str] = Counter()
        for scalar in edition.open_language(words.language).texts.values():
            self.ours.update(map(self.plain, TOKEN.findall(scalar.value)))
        self.ours.update(list(words.forms))
        self.ours.update(list(words.known.numbers))
        self.ours.update(list(words.known.loose))
        self.ours.update(list(words.table.numbers))
        self.book = Counter(self.plain(word) for text in book for word in TOKEN.findall(text))
        self.stems = Counter(words.stem(word) for word in self.ours)
        self.roots = Counter(words.stem(word) for word in self.book)
        self.forms = Forms(words.language) if is_installed(words.language) else None
        self.deleted: dict[str, set[str]] = {}
        # without a dictionary only terms can be told from their slips: of a verb we know too few forms
        model = edition.model
        named = [
            id_
            for id_ in edition.open_language(words.language).texts
            if id_.removeprefix("clauses.") in model.rules or id_.startswith("names.")
        ]
        terms = {
            *words.forms,
            *(
                self.plain(word)
                for id_ in named
                for word in TOKEN.findall(edition.open_language(words.language).texts[id_].value)
            ),
        }
        for word in self.ours:
            if len(word) >= SPELLING_LONG and (self.forms is not None or word in terms):
                for cut in cut_one_letter(word):
                    self.deleted.setdefault(cut, set()).add(word)

    def plain(self, word: str) -> str:
        return self.words.plain(word.replace(ACUTE, ""))

    def check(self, text: str, ours: str) -> Iterator[str]:
        """What is odd about the words of a printed text."""
        known = self.words.known
        single = [word for word in TOKEN.findall(text) if len(word) == 1]  # X cards, the symbol X
        pair = Pair(
            " ".join([ours, *single, *map(str.upper, single)]),
            text.replace(" x ", " X ").replace("«x»", "«X»"),
            known,
            known,
        )
        for check in (check_letters, check_doubled_words, check_quotes):
            for found in check(pair):
                if found.check in TOLD:
                    yield found.message
        yield from self.check_spelling(text)

    def check_spelling(self, text: str) -> Iterator[str]:
        for word in dict.fromkeys(TOKEN.findall(text)):
            better = self.find_correction(word)
            if better is not None:
                yield f"'{word}' is perhaps '{better}'"

    def find_correction(self, word: str) -> str | None:
        """The word that a slip stands for, if it is one."""
        plain = self.plain(word)
        stem = self.words.stem(plain)
        if plain.isdigit() or len(plain) < SPELLING_LONG or plain in self.ours or self.stems[stem]:
            return None
        if self.book[plain] > 2 or self.roots[stem] > 2:
            return None
        if self.forms is not None and self.forms.is_known(plain.replace("’", "'")):
            return None
        near = {other for cut in cut_one_letter(plain) for other in self.deleted.get(cut, ())}
        near = {other for other in near if is_near(plain, other, self.words.stem(other), stem)}
        return max(near, key=lambda other: (self.ours[other] + self.book[other], other)) if near else None


def cut_one_letter(word: str) -> set[str]:
    """A word, and all that is left of it when one letter goes."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def is_near(word: str, other: str, stem: str, own: str) -> bool:
    """Whether one letter is another, too many, missing, or exchanged with the next; not in the ending, not a prefix."""
    if len(stem) < SPELLING_LONG - 1 or own == stem or own.startswith(stem) or stem.startswith(own):
        return False
    if abs(len(word) - len(other)) > 1:
        return False
    at = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    if at == 0 or at >= min(len(own), len(stem)):
        return False
    rest, there = word[at:], other[at:]
    return (
        rest[1:] == there[1:]
        or rest == there[1:]
        or rest[1:] == there
        or (rest[:2] == there[:2][::-1] and rest[2:] == there[2:])
    )

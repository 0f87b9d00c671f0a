"""Find the word of the language that was misspelt in an effect text: the one with which the text can be read.

In: a text that cannot be read, and a way to read it. Out: the word and what to write in its place, or None. Nothing is
guessed from the words alone: what is proposed was tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import is_one_letter_off
from grimoire.compiler.syntax.tokens import Token

MAX_TRIALS: Final = 60
MAX_PROPOSED: Final = 3
MAX_TEXT: Final = 4_000  # characters: a longer one takes too long to read so often

Reads = Callable[[str], bool]


class Misspelt(NamedTuple):
    """A word of a text, and the words of the language that could have been meant, the likeliest first."""

    word: Token
    meant: tuple[str, ...]

    @property
    def message(self) -> str:
        *others, last = self.meant
        return f'unknown word "{self.word}": did you mean {", ".join(others) + " or " if others else ""}{last}?'

    @property
    def hint(self) -> str:
        return f"write {self.meant[0]}"


def find_misspelt(text: str, near: Sequence[Token], keywords: Iterable[str], can_read: Reads) -> Misspelt | None:
    """The first of the words with which the text can be read once it is spelt right."""
    if len(text) > MAX_TEXT:
        return None
    known, trials = sorted(keywords), 0
    lines = text.split("\n")
    for word in near:
        found: list[str] = []
        for keyword in known:
            if not is_one_letter_off(str(word), keyword):
                continue
            trials += 1
            if trials > MAX_TRIALS:
                return None
            if can_read(replace_word(lines, word, keyword)):
                found.append(keyword)
        if found:
            return Misspelt(word, tuple(sorted(found, key=lambda one: _distance(str(word), one))[:MAX_PROPOSED]))
    return None


def replace_word(lines: Sequence[str], word: Token, other: str) -> str:
    """The text with another word in the place of one of its own."""
    row, column = (word.line or 1) - 1, (word.column or 1) - 1
    line = lines[row][:column] + other + lines[row][column + len(word) :]
    return "\n".join([*lines[:row], line, *lines[row + 1 :]])


def _distance(word: str, meant: str) -> tuple[bool, bool, bool, str]:
    """Letters in another order, or one of them twice, are likelier than another first letter or another letter."""
    return sorted(meant) != sorted(word), {*meant} != {*word}, meant[0] != word[0], meant

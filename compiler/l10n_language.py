"""What the checks of translations know about a language: number words, may and must, quotes, prepositions.

In: grammar/l10n/<language>.yaml. Out: `Knowledge`; a language without a table has an empty one, and fewer checks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, NamedTuple

from grimoire.compiler.diagnostics import Diagnostics
from grimoire.compiler.lexicon import plain
from grimoire.compiler.source import parse_bytes
from grimoire.grammar import read

KNOWN: Final = ("en", "uk", "ru")
TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’ʼ`‘][^\W\d_]+)*|\d+")


class Knowledge(NamedTuple):
    """The tables of one language."""

    language: str
    script: str
    foreign: str
    apostrophe: str
    numbers: dict[str, int]
    loose: dict[str, int]
    may: re.Pattern[str]
    must: re.Pattern[str]
    soft_must: re.Pattern[str]
    quotes: tuple[str, ...]
    prepositions: dict[str, frozenset[str]]
    no_adjectives: frozenset[str]  # words that are declined like adjectives and stand alone: this, which
    joining: frozenset[str]  # words behind which any case may stand: and, or

    def figures(self, text: str) -> tuple[set[int], set[int], set[int]]:
        """The numbers of a text: those in digits, those in words, and those that may be meant."""
        digits: set[int] = set()
        words: set[int] = set()
        loose: set[int] = set()
        for found in TOKEN.finditer(text):
            token = found[0]
            if token.isdigit():
                digits.add(int(token[:18]))
            elif (number := self.numbers.get(token.lower())) is not None:
                words.add(number)
            elif (number := self.loose.get(token.lower())) is not None:
                loose.add(number)
        return digits, words, loose


@cache
def knowledge(language: str) -> Knowledge:
    tables: dict[str, Any] = {}
    if language in KNOWN:
        diags = Diagnostics()
        tree = parse_bytes(read(f"l10n/{language}.yaml").encode(), f"{language}.yaml", diags)
        assert tree is not None and not len(diags), [item.message for item in diags]
        tables = plain(tree)
    return Knowledge(
        language,
        tables.get("script", ""),
        tables.get("foreign", ""),
        tables.get("apostrophe", ""),
        _by_word(tables.get("numbers", {})),
        _by_word(tables.get("loose-numbers", {})),
        _any_of(tables.get("may", [])),
        _any_of(tables.get("must", [])),
        _any_of(tables.get("soft-must", [])),
        tuple(tables.get("quotes", [])),
        {word: frozenset(cases.split()) for word, cases in tables.get("prepositions", {}).items()},
        frozenset(tables.get("no-adjectives", "").split()),
        frozenset(tables.get("joining", "").split()),
    )


def _by_word(rows: dict[str, str]) -> dict[str, int]:
    return {word: int(number) for number, words in rows.items() for word in words.split()}


def _any_of(words: list[str]) -> re.Pattern[str]:
    """Whole words; with none of them a pattern that fits nothing."""
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, words)) or '(?!)'})(?![\w'])", re.IGNORECASE)

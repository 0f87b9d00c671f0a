"""What is known about a language: number words, may and must, quotes, prepositions.

In: grammar/l10n/<language>.yaml. Out: `Knowledge`; a language without a table has an empty one, and fewer checks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import CHECKED
from grimoire.compiler.localisation.text.inflect import Plain
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.source.tree import parse_bytes
from grimoire.grammar import read

_JOINED: Final = re.compile(r"[\w'-]+")
_NOT: Final = frozenset(("not", "no", "не"))
_TURNED: Final = {"more": "less", "less": "more"}  # not more is less
_DIGIT: Final = re.compile(r"\d")
_NO_FIGURES: Final[tuple[Counter[int], Counter[int], Counter[int]]] = (Counter(), Counter(), Counter())
TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’ʼ`‘][^\W\d_]+)*|\d+")


class Senses:
    """Which senses a text has: what it says, and what it may say. Words are looked up once."""

    def __init__(self, rows: Mapping[str, str]) -> None:
        self.says: dict[str, list[str]] = {}
        self.may_say: dict[str, list[str]] = {}
        self.never: dict[str, re.Pattern[str]] = {}
        phrases: set[str] = set()
        for name, row in rows.items():
            core, _, wide = row.partition("/")
            never = [word[1:] for word in core.split() if word.startswith("-")]
            self.never[name] = re.compile("|".join(map(_pattern, never)) or "(?!)")
            self.says[name] = [word for word in core.split() if not word.startswith("-")]
            self.may_say[name] = [*self.says[name], *wide.split()]
            phrases |= {word for word in [*self.may_say[name], *never] if "_" in word}
        self.core = {name: _Row.of(row) for name, row in self.says.items()}
        self.wide = {name: _Row.of(row) for name, row in self.may_say.items()}
        parts = "|".join(sorted(map(_pattern, phrases), reverse=True)).lower()
        self.phrases = re.compile(rf"(?<![\w'])(?:{parts})(?![\w'])") if parts else None  # of texts in small letters
        self.known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self.texts: dict[str, tuple[Counter[str], Counter[str]]] = {}

    def of_word(self, word: str) -> tuple[frozenset[str], frozenset[str]]:
        found = self.known.get(word)
        if found is None:
            says = {name for name, row in self.core.items() if row.has(word) and not self.is_never(name, word)}
            may = {name for name, row in self.wide.items() if row.has(word)}
            for part in word.split("_") if "_" in word else ():  # a phrase is also its words
                says |= {name for name in self.of_word(part)[0] if not self.is_never(name, word)}
                may |= self.of_word(part)[1]
            found = frozenset(says), frozenset(may)
            self.known[word] = found
        return found

    def is_never(self, name: str, word: str) -> bool:
        return self.never[name].fullmatch(word) is not None

    def without(self, name: str, text: str) -> str:
        """A text without the phrases that do not have a sense, though their words do."""
        return self.never[name].sub(" ", text) if name in self.never else text

    def of(self, text: str) -> tuple[Counter[str], Counter[str]]:
        """What a text says and what it may say, each how often; the same texts are asked for again and again."""
        found = self.texts.get(text)
        if found is None:
            if len(self.texts) > 1000:
                self.texts.clear()
            found = self.texts[text] = self.read(text)
        return found

    def read(self, text: str) -> tuple[Counter[str], Counter[str]]:
        text = text.lower().replace("’", "'")
        if self.phrases is not None:
            text = self.phrases.sub(lambda found: found[0].replace(" ", "_"), text)
        says: Counter[str] = Counter()
        may: Counter[str] = Counter()
        before = ""
        known = self.known
        for word in _JOINED.findall(text):
            core, wide = known.get(word) or self.of_word(word)
            if wide or core:
                if before in _NOT and not _TURNED.keys().isdisjoint(core):
                    core = wide = frozenset(_TURNED.get(name, name) for name in core)
                for name in wide:
                    may[name] += 1
                for name in core:
                    says[name] += 1
            before = word
        return says, may


def _pattern(word: str) -> str:
    """A word or phrase of the tables: _ is a space, * the rest or the beginning of a word."""
    return re.escape(word).replace("_", "[ _]").replace(r"\*", r"[\w']*")


class _Row(NamedTuple):
    """The words of a sense: whole ones, and what others begin with."""

    words: frozenset[str]
    begins: tuple[str, ...]

    @classmethod
    def of(cls, row: Iterable[str]) -> _Row:
        rows = list(row)
        return cls(
            frozenset(word for word in rows if word[-1] != "*"), tuple(word[:-1] for word in rows if word[-1] == "*")
        )

    def has(self, word: str) -> bool:
        return word in self.words or word.startswith(self.begins)


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
    senses: Senses
    opposites: tuple[tuple[str, str], ...]
    kept: frozenset[str]  # senses that must not be left out
    never_added: frozenset[str]
    times: frozenset[str]  # once: not counted behind a number
    opening: frozenset[str]  # words of a clause that needs another one: if, when
    allows: re.Pattern[str]  # phrases that say that somebody may do something
    before_nouns: frozenset[str]  # this, your: before a noun they agree with it
    counting: frozenset[str]  # number words that count, beside the first of each number
    forbids: re.Pattern[str]  # phrases that say that somebody must not do something
    need_not: re.Pattern[str]  # and those that only say that it is not needed
    order: re.Pattern[str]  # verbs that order something, and words that say that one has to
    odd: re.Pattern[str]  # a letter that the language does not have
    counted: dict[str, tuple[Counter[int], Counter[int], Counter[int]]]  # the numbers of the last texts

    def words(self) -> set[str]:
        """The words that the tables have."""
        rows = (word for row in self.senses.may_say.values() for word in row)
        return {*rows, *self.prepositions, *self.joining, *self.no_adjectives, *self.numbers, *self.loose}

    def figures(self, text: str) -> tuple[Counter[int], Counter[int], Counter[int]]:
        """The numbers of a text, each how often: those in digits, those in words, and those that may be meant. Several
        checks ask."""
        found = self.counted.get(text)
        if found is None:
            if len(self.counted) > 200:
                self.counted.clear()
            found = self.counted[text] = self.read_figures(text)
        return found

    def read_figures(self, text: str) -> tuple[Counter[int], Counter[int], Counter[int]]:
        tokens = TOKEN.findall(text.lower())
        if self.numbers.keys().isdisjoint(tokens) and self.loose.keys().isdisjoint(tokens) and not _DIGIT.search(text):
            return _NO_FIGURES
        digits: Counter[int] = Counter()
        words: Counter[int] = Counter()
        loose: Counter[int] = Counter()
        counted = False
        for token in tokens:
            if counted and token in self.times:  # two times
                continue
            counted = True
            if token.isdigit():
                digits[int(token[:18])] += 1
            elif (number := self.numbers.get(token)) is not None:
                words[number] += 1
            elif (number := self.loose.get(token)) is not None:
                loose[number] += 1
            else:
                counted = False
        return digits, words, loose


def count_pairs(
    rows: Iterable[tuple[Collection[str], Collection[str]]],
) -> tuple[Counter[str], Counter[str], Counter[tuple[str, str]]]:
    """In how many pairs of texts each word stands, on this side and on that, and each two of them together."""
    here: Counter[str] = Counter()
    there: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for source, target in rows:
        here.update(source)
        there.update(target)
        both.update((word, other) for word in source for other in target)
    return here, there, both


@cache
def knowledge(language: str) -> Knowledge:
    tables: dict[str, Plain] = {}
    if language in CHECKED:
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
        Senses(tables.get("senses", {})),
        tuple((one, other) for one, other in map(str.split, tables.get("opposites", []))),
        frozenset(tables.get("kept", "").split()),
        frozenset(tables.get("never-added", "").split()),
        frozenset(tables.get("times", "").split()),
        frozenset(tables.get("opening", "").split()),
        re.compile(tables.get("allows") or "(?!)", re.IGNORECASE),
        frozenset(tables.get("before-nouns", "").split()),
        frozenset(tables.get("counting", "").split()),
        re.compile(tables.get("forbids") or "(?!)", re.IGNORECASE),
        _any_of(tables.get("need-not", [])),
        re.compile(tables.get("order") or "(?!)", re.IGNORECASE),
        re.compile(f"[{re.escape(foreign)}]" if (foreign := tables.get("foreign", "")) else "(?!)"),
        {},
    )


def _by_word(rows: dict[str, str]) -> dict[str, int]:
    return {word: int(number) for number, words in rows.items() for word in words.split()}


def _any_of(words: list[str]) -> re.Pattern[str]:
    """Whole words; with none of them a pattern that fits nothing."""
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, words)) or '(?!)'})(?![\w'])", re.IGNORECASE)

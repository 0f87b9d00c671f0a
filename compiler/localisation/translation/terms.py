"""The check of translations for terms: what the glossary calls a thing, the translation has to call it.

In: all strings of a language with their sources, and the forms of the words files. Out: findings by string. What an
edition does everywhere else is the measure: a term is reported missing only if the edition has it wherever the source
does.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from grimoire.compiler.localisation.text.language import TOKEN, count_pairs
from grimoire.compiler.localisation.translation.findings import WARNING
from grimoire.compiler.localisation.translation.glossary import Lemmas
from grimoire.compiler.localisation.translation.single_string import Found, is_fuller, strip_places
from grimoire.compiler.localisation.tuning import (
    TERMS_LEARNT,
    TERMS_LIFT,
    TERMS_LIKELY,
    TERMS_MANY,
    TERMS_SEEN,
    TERMS_SURE,
    TERMS_SURER,
    TERMS_USUAL,
)

_FORMS: Final = re.compile(r"\{\w+\|([^{}]*)\}")


def spread_forms(text: str) -> str:
    """A text with the forms of its placeholders in the open, and without the placeholders."""
    return strip_places(_FORMS.sub(lambda found: found[1].replace("|", " "), text) if "|" in text else text)


def cut_plural(word: str) -> str:
    """An English word without its plural ending."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


class _Stems(dict[str, str]):
    """Each word is looked at once."""

    def __missing__(self, word: str) -> str:
        found = self[word] = cut_plural(word.removesuffix("'s"))
        return found


_STEMS: Final = _Stems()


def find_stems(text: str) -> frozenset[str]:
    return frozenset(_STEMS[word] for word in TOKEN.findall(strip_places(text).lower().replace("’", "'")))


class Terms:
    """Which words of the source go with a term, in the glossary and in the other strings of the edition."""

    def __init__(
        self, lemmas: Lemmas, source_terms: Mapping[str, Iterable[str]], pairs: Sequence[tuple[str, str]]
    ) -> None:
        self.lemmas = lemmas
        self.english: dict[str, set[str]] = {
            name: {cut_plural(word) for word in source_terms.get(name, ())} for name in lemmas.lemmas
        }
        rows = [(find_stems(source), self.find_terms(target)) for source, target in pairs]
        self.whole = max(len(rows), 1)
        self.words, self.terms, self.both = count_pairs(rows)
        # words of the source that have one of their terms almost everywhere
        self.wanted: dict[str, set[str]] = defaultdict(set)
        for name, english in self.english.items():
            for word in english:
                self.wanted[word].add(name)
        self.named = {word: set(names) for word, names in self.wanted.items()}  # as the glossary has it
        for (word, name), count in self.both.items():
            if count >= TERMS_SEEN and count >= TERMS_LEARNT * self.words[word] and name in self.english:
                self.wanted[word].add(name)
        kept = Counter(
            word for source, target in rows for word in source if word in self.wanted and self.wanted[word] & target
        )
        self.kept = kept

    def find_terms(self, text: str) -> frozenset[str]:
        """The terms that a text may have."""
        readings = self.lemmas.readings
        return frozenset(
            reading.lemma for word in TOKEN.findall(spread_forms(text).lower()) for reading in readings.get(word, ())
        )

    def is_usual(self, word: str) -> bool:
        """Whether a word of the source has one of its terms more often than not."""
        return self.kept[word] >= TERMS_USUAL * (self.words[word] - 1)

    def explains(self, word: str, name: str) -> bool:
        """Whether a term is no surprise where the source has this word: it is so in other strings."""
        both = self.both[word, name] - 1  # without this string
        if both < 1:
            return False
        usual = (self.terms[name] - 1) / self.whole
        return both / (self.words[word] - 0.5) >= min(TERMS_LIFT * usual, TERMS_LIKELY)

    def check(self, source: str, target: str, close: bool = False) -> Iterator[Found]:
        there, given = self.find_terms(target), find_stems(source)
        lost = {
            word
            for word in given
            if word in self.named
            and not self.wanted[word] & there
            and self.words[word] > TERMS_SEEN
            and self.kept[word] >= TERMS_SURE * (self.words[word] - 1)
        }
        # a form may belong to several terms: one of them is enough
        new: list[str] = []
        for match in TOKEN.finditer(spread_forms(target)) if not is_fuller(source, target) else ():
            names = {reading.lemma for reading in self.lemmas.readings.get(match[0].lower(), ())}
            if names and not any(
                given & self.english[name] or not self.english[name] or any(self.explains(word, name) for word in given)
                for name in names
            ):
                new.append(match[0])
        sure = [
            word
            for word in sorted(lost)
            if self.words[word] >= TERMS_MANY and self.kept[word] >= TERMS_SURER * (self.words[word] - 1)
        ]
        if (lost and new) or (sure and close):
            word = sure[0] if sure else min(lost)
            expected = " or ".join(sorted(self.wanted[word])[:3])
            yield Found("terms", WARNING, f"'{word}' of the source is {expected} everywhere else, and missing here")
        elif (
            close
            and new
            and any(word in self.named and not self.wanted[word] & there and self.is_usual(word) for word in given)
        ):
            yield Found("terms", WARNING, f"'{new[0]}' is the term for something that the source does not name")

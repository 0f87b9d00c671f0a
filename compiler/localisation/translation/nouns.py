"""The nouns of an edition in context: what stands before them, which adjectives agree, which forms occur.

In: all texts of a language, its generated texts, and the forms of the words files. Out: `Nouns`, for the checks of
cases: which cases stand behind which word, and a model of what is around each case.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.localisation.text.language import TOKEN, Knowledge
from grimoire.compiler.localisation.translation.cases import Spot, learn
from grimoire.compiler.localisation.translation.glossary import Lemmas, Reading
from grimoire.compiler.localisation.translation.paradigms import Paradigms
from grimoire.compiler.localisation.translation.single_string import strip_places
from grimoire.compiler.localisation.tuning import (
    NOUNS_SHORTEST,
)

_APART: Final = ("dat", "ins", "loc")  # no form of the plural looks like these


class Word(NamedTuple):
    """A word, what stands between it and the word before, and its place."""

    text: str
    gap: str
    at: int


def split_words(text: str) -> list[Word]:
    found: list[Word] = []
    end = 0
    for match in TOKEN.finditer(text):
        start, stop = match.span()
        found.append(Word(text[start:stop].lower(), text[end:start], start))
        end = stop
    return found


class Nouns:
    """The nouns of the texts, what they depend on, and which cases stand where."""

    def __init__(
        self,
        lemmas: Lemmas,
        language: Knowledge,
        texts: Iterable[str],
        more: Iterable[str] = (),
        *,
        paradigms: Paradigms | None = None,
        alone: bool = True,
    ) -> None:
        self.lemmas = lemmas
        self.alone = alone  # no dictionary says which forms there are
        self.paradigms = paradigms
        self.language = language
        # number words in the nominative: the others agree in a case of their own
        self.plain_numbers = frozenset({number: word for word, number in reversed(language.numbers.items())}.values())
        self.plain_numbers |= language.counting
        self.count: Counter[str] = Counter()
        self.behind: dict[str, Counter[frozenset[str]]] = defaultdict(Counter)
        self.pairs: Counter[tuple[str, str]] = Counter()
        texts, more = list(texts), list(more)
        everything = [split_words(strip_places(text)) for text in [*texts, *more]]
        for words in everything:
            self.count.update(word.text for word in words)
        self.likes: dict[str, str] = {}
        self.shape_of: dict[str, set[tuple[str, str, bool | None]]] = {}
        self.adjective_endings = lemmas.adjective_endings()
        self.thin: set[str] = set()  # forms that say themselves that they are adjectives
        self.learn_adjectives()
        self.determiners = {
            word: lemmas.adjectives[word] for word in language.before_nouns if word in lemmas.adjectives
        }
        for word in language.no_adjectives:
            lemmas.adjectives.pop(word, None)
        # what can be a noun: whether all forms of a term stand in the words is asked once
        self.declined: dict[str, set[Reading]] = {}
        self.singular: dict[
            str, set[Reading]
        ] = {}  # of a term without a plural: a form may be one of the plural as well
        for word, readings in lemmas.readings.items():
            if word not in lemmas.adjectives:
                whole = all(reading.case in _APART or self.is_whole(reading.lemma) for reading in readings)
                (self.declined if whole else self.singular)[word] = readings
        for words in everything:
            for at, readings in self.find_nouns(words):
                before = self.find_governor(words, at)
                if before is not None:
                    self.behind[before][frozenset(r.case for r in readings)] += 1
                if at:
                    self.pairs[words[at - 1].text, words[at].text] += 1
        self.stems = self.collect_term_stems()
        tails = Counter(tail for _, row in self.stems.values() for tail in row)
        self.endings = frozenset(tail for tail, count in tails.items() if count >= 3) | frozenset(
            form for _, rows in lemmas.grammar.classes for row in rows.values() for form in row if form.isalpha()
        )
        self.heads = Counter(head for word in self.count for head in find_heads(word))
        self.model = learn(everything, lambda words: (spot for _, spot in self.find_spots(words)))

    def learn_adjectives(self) -> None:
        """Words of the edition with several endings of one class of adjectives are adjectives; nouns have some of them
        too."""
        nouns = Counter(
            form.lower().removeprefix(base)
            for base, (name, _) in self.collect_term_stems().items()
            for form in set(self.lemmas.forms[name].values())
        )
        for ending, rows in self.lemmas.grammar.classes:
            endings = {form for row in rows.values() for form in row if form not in ("*", "-")}
            shapes: dict[str, set[str]] = defaultdict(set)
            for word in self.count:
                for tail in endings:
                    if word.endswith(tail) and len(word) - len(tail) >= 3:
                        shapes[word.removesuffix(tail)].add(tail)
            sure = {tail for tail in endings if len(tail) >= 2}
            for base, tails in shapes.items():
                if len(tails & sure) >= 2 and base + ending not in self.lemmas.adjectives:
                    made = [base + tail for tail in tails & sure]
                    if self.paradigms is not None and self.paradigms.is_of_a_noun(base, made):
                        continue
                    if base + ending not in self.lemmas.readings:
                        own = {tail for tail in tails & sure if nouns[tail] < 3}
                        # one ending that only this word has may be a slip in a noun
                        self.thin |= {base + tail for tail in own if len(own) < 3 and self.count[base + tail] == 1}
                        self.lemmas.add_adjective(base + ending)

    def find_nouns(self, words: Sequence[Word]) -> Iterator[tuple[int, set[Reading]]]:
        for at, word in enumerate(words):
            readings = self.declined.get(word.text)
            if readings is not None and (self.paradigms is None or not self.is_adjective_here(words, at, readings)):
                yield at, readings

    def is_adjective_here(self, words: Sequence[Word], at: int, readings: set[Reading]) -> bool:
        """Whether a word that was taken for a noun by its endings alone stands before a noun that it may agree with."""
        if at + 1 >= len(words) or words[at + 1].gap != " " or not all("*" in reading.lemma for reading in readings):
            return False
        shapes = self.read_shapes(words[at].text)
        following = self.lemmas.readings.get(words[at + 1].text, ())
        if not following:
            return bool(shapes) and words[at + 1].text in self.lemmas.adjectives
        return any(self.agree(shape, reading) for shape in shapes for reading in following)

    def read_shapes(self, word: str) -> set[tuple[str, str, bool | None]]:
        """What a word can be as an adjective, by its ending of two letters or more."""
        found = self.shape_of.get(word)
        if found is None:
            found = set()
            for size in range(2, min(5, len(word) - 3) + 1):
                found |= self.adjective_endings.get(word[-size:], set())
            self.shape_of[word] = found
        return found

    @staticmethod
    def agree(shape: tuple[str, str, bool | None], reading: Reading) -> bool:
        gender, case, alive = shape
        same = reading.number == "pl" if gender == "pl" else reading.number == "sg" and reading.gender == gender
        return same and reading.case == case and (alive is None or alive == reading.animate)

    def is_whole(self, name: str) -> bool:
        """Whether all forms of a term stand in the words: singular and plural."""
        return len({number for number, _ in self.lemmas.forms[name]}) > 1

    def find_governor(self, words: Sequence[Word], at: int) -> str | None:
        """The word that a noun depends on, adjectives left out; None behind a sign or at the beginning."""
        while at > 0 and words[at].gap == " ":
            at -= 1
            if words[at].text not in self.lemmas.adjectives or words[at].text in self.lemmas.readings:
                return None if words[at].gap.endswith("-") else words[at].text
        return None

    def find_spots(
        self, words: Sequence[Word], nouns: Iterable[tuple[int, set[Reading]]] | None = None
    ) -> Iterator[tuple[int, Spot]]:
        """The nouns of a text with what is around them."""
        for at, readings in self.find_nouns(words) if nouns is None else nouns:
            before = self.find_governor(words, at)
            if before is None:
                start = at
                while start and words[start].gap == " " and words[start - 1].text in self.lemmas.adjectives:
                    start -= 1
                before = "^" if start == 0 else words[start].gap.strip()[-1:] or "-"
            behind = "$"
            if at + 1 < len(words):
                gap = words[at + 1].gap
                behind = words[at + 1].text if gap == " " else gap.strip()[:1]
            around = [
                (("before", before), ("before-like", self.find_shape(before))),
                (("behind", behind), ("behind-like", self.find_shape(behind))),
            ]
            if at and words[at].gap == " " and words[at - 1].text in self.lemmas.adjectives:
                around.append((("beside", words[at - 1].text), ("beside-like", words[at - 1].text[-3:])))
            yield at, Spot(tuple(sorted({(r.number, r.case) for r in readings})), tuple(around))

    def find_shape(self, word: str) -> str:
        """What words that behave alike have in common: nouns their case, others their ending."""
        found = self.likes.get(word)
        if found is None:
            found = self.likes[word] = self.look_alike(word)
        return found

    def look_alike(self, word: str) -> str:
        readings = self.lemmas.readings.get(word)
        if readings:
            return "noun " + " ".join(sorted({reading.case for reading in readings}))
        return word if word in self.language.prepositions or word in self.language.joining else word[-3:]

    def collect_term_stems(self) -> dict[str, tuple[str, frozenset[str]]]:
        found: dict[str, tuple[str, frozenset[str]]] = {}
        for name, table in self.lemmas.forms.items():
            if not self.lemmas.lemmas[name].keys:
                continue  # a word of the dictionary, no term
            forms = {form.lower() for form in table.values()}
            base = name
            while base and not all(form.startswith(base) for form in forms):
                base = base[:-1]
            if len(base) >= 3 and len(forms) > 3 and self.is_whole(name):
                found[base] = (name, frozenset(form.removeprefix(base) for form in forms))
        return found


def find_heads(word: str) -> tuple[str, ...]:
    """What words with the same stem may begin with."""
    return (word[: max(4, len(word) - 3)],) if len(word) >= NOUNS_SHORTEST and not word.isdigit() else ()

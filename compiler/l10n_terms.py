"""The checks of translations that need the glossary: terms, cases, agreement, words for numbers with their nouns.

In: all strings of a language with their sources, and the forms of the words files. Out: findings by string. What an edition does
everywhere else is the measure: a term is reported missing only if the edition has it wherever the source does, a case only if nothing in
the edition, and nothing in the generated texts of its cards, has such a case behind the same word.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.inflect import plural_category
from grimoire.compiler.l10n_checks import Found, bare
from grimoire.compiler.l10n_findings import WARNING
from grimoire.compiler.l10n_glossary import Lemmas, Reading
from grimoire.compiler.l10n_language import TOKEN, Knowledge

SURE: Final = 0.9  # a term stands for its source in so many of the strings
SEEN: Final = 4  # in at least so many strings
LEARNT: Final = 0.75
CONTEXT: Final = 4  # so many nouns behind a word say which cases it takes
LOOSE: Final = 12  # and so many that it takes no nominative and no dative, which stand almost anywhere


class Word(NamedTuple):
    """A word, what stands between it and the word before, and its place."""

    text: str
    gap: str
    at: int


def words_of(text: str) -> list[Word]:
    found: list[Word] = []
    end = 0
    for match in TOKEN.finditer(text):
        found.append(Word(match[0].lower(), text[end : match.start()], match.start()))
        end = match.end()
    return found


def stem(word: str) -> str:
    """An English word without its plural ending."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(match[0].lower().removesuffix("'s")) for match in TOKEN.finditer(bare(text).replace("’", "'")))


# --- terms ------------------------------------------------------------------------------------------------------------


class Terms:
    """Which words of the source a term stands for, and how surely."""

    def __init__(self, lemmas: Lemmas, source_terms: Mapping[str, Iterable[str]], pairs: Sequence[tuple[str, str]]) -> None:
        self.lemmas = lemmas
        self.english: dict[str, set[str]] = {
            name: {stem(word) for key in lemma.keys for word in source_terms.get(key, ())} for name, lemma in lemmas.lemmas.items()
        }
        rows = [(stems(source), self.found(target)) for source, target in pairs]
        word_count = Counter(word for source, _ in rows for word in source)
        lemma_count = Counter(name for _, target in rows for name in target)
        both: Counter[tuple[str, str]] = Counter()
        for source, target in rows:
            for name in target:
                for word in source:
                    both[word, name] += 1
        for (word, name), count in both.items():
            if count >= SEEN and count >= LEARNT * word_count[word]:
                self.english[name].add(word)
        covered = Counter(name for source, target in rows for name in target if source & self.english[name])
        self.sure = {name for name, count in lemma_count.items() if count >= SEEN and covered[name] >= SURE * count}
        # words of the source that always have one of their terms
        self.wanted: dict[str, set[str]] = defaultdict(set)
        for name, english in self.english.items():
            for word in english:
                self.wanted[word].add(name)
        kept = Counter(word for source, target in rows for word in source if word in self.wanted and self.wanted[word] & target)
        self.must = {
            word for word in self.wanted if word_count[word] >= SEEN and kept[word] >= SURE * word_count[word]
        }

    def found(self, text: str) -> frozenset[str]:
        """The terms that a text may have."""
        readings = self.lemmas.readings
        return frozenset(
            reading.lemma for match in TOKEN.finditer(bare(text)) for reading in readings.get(match[0].lower(), ())
        )

    def check(self, source: str, target: str) -> Iterator[Found]:
        there, given = self.found(target), stems(source)
        lost = [word for word in sorted(given & self.must) if not self.wanted[word] & there]
        # a form may belong to several terms: one of them is enough
        new: list[str] = []
        for match in TOKEN.finditer(bare(target)):
            names = {reading.lemma for reading in self.lemmas.readings.get(match[0].lower(), ())}
            if names and names <= self.sure and not any(given & self.english[name] for name in names):
                new.append(match[0])
        if lost:
            expected = " or ".join(sorted(self.wanted[lost[0]])[:3])
            yield Found("terms", WARNING, f"'{lost[0]}' of the source is {expected} everywhere else, and missing here")
        if new:
            yield Found("terms", WARNING, f"'{new[0]}' is the term for something that the source does not name")


# --- cases and agreement ----------------------------------------------------------------------------------------------


class Cases:
    """Which cases stand where."""

    def __init__(self, lemmas: Lemmas, language: Knowledge, texts: Iterable[str], more: Iterable[str] = ()) -> None:
        self.lemmas = lemmas
        self.language = language
        self.count: Counter[str] = Counter()
        self.behind: dict[str, Counter[frozenset[str]]] = defaultdict(Counter)
        self.pairs: Counter[tuple[str, str]] = Counter()
        everything = [words_of(bare(text)) for text in [*texts, *more]]
        for words in everything:
            self.count.update(word.text for word in words)
        self.learn_adjectives()
        for word in language.no_adjectives:
            lemmas.adjectives.pop(word, None)
        for words in everything:
            for at, readings in self.nouns(words):
                before = self.before(words, at)
                if before is not None:
                    self.behind[before][frozenset(r.case for r in readings)] += 1
                if at:
                    self.pairs[words[at - 1].text, words[at].text] += 1
        self.stems = self.term_stems()

    def learn_adjectives(self) -> None:
        """Words of the edition with several endings of one class of adjectives are adjectives."""
        for ending, rows in self.lemmas.grammar.classes:
            endings = {form for row in rows.values() for form in row if form not in ("*", "-")}
            shapes: dict[str, set[str]] = defaultdict(set)
            for word in self.count:
                for tail in endings:
                    if word.endswith(tail) and len(word) - len(tail) >= 3:
                        shapes[word.removesuffix(tail)].add(tail)
            sure = {tail for tail in endings if len(tail) >= 2}
            for base, tails in shapes.items():
                if len(tails) >= 3 and len(tails & sure) >= 2 and base + ending not in self.lemmas.adjectives:
                    if base + ending not in self.lemmas.readings:
                        self.lemmas.add_adjective(base + ending)

    def nouns(self, words: Sequence[Word]) -> Iterator[tuple[int, set[Reading]]]:
        for at, word in enumerate(words):
            readings = self.lemmas.readings.get(word.text)
            if readings is None or word.text in self.lemmas.adjectives:
                continue
            if all(self.is_whole(reading.lemma) for reading in readings):
                yield at, readings

    def is_whole(self, name: str) -> bool:
        """Whether all forms of a term stand in the words: singular and plural."""
        return len({number for number, _ in self.lemmas.forms[name]}) > 1

    def before(self, words: Sequence[Word], at: int) -> str | None:
        """The word that a noun depends on, adjectives left out; None behind a sign or at the beginning."""
        while at > 0 and words[at].gap == " ":
            at -= 1
            if words[at].text not in self.lemmas.adjectives or words[at].text in self.lemmas.readings:
                return None if words[at].gap.endswith("-") else words[at].text
        return None

    def term_stems(self) -> dict[str, tuple[str, frozenset[str]]]:
        found: dict[str, tuple[str, frozenset[str]]] = {}
        for name, table in self.lemmas.forms.items():
            forms = {form.lower() for form in table.values()}
            base = name
            while base and not all(form.startswith(base) for form in forms):
                base = base[:-1]
            if len(base) >= 4 and len(forms) > 3 and self.is_whole(name):
                found[base] = (name, frozenset(form.removeprefix(base) for form in forms))
        return found

    def check(self, text: str) -> Iterator[Found]:
        words = words_of(bare(text))
        told: set[int] = set()
        for at, readings in self.nouns(words):
            found = self.counted(words, at, readings) or self.agreeing(words, at, readings) or self.governed(words, at, readings)
            if found is not None and at not in told:
                told.add(at)
                yield found
        for word in words:
            found = self.formed(word.text)
            if found is not None:
                yield found

    def counted(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """5 passengers: the form that goes with the number."""
        spot = at
        while spot > 0 and words[spot].gap == " " and words[spot - 1].text in self.lemmas.adjectives:
            spot -= 1
        if spot == 0 or words[spot].gap not in (" ", "\u00a0"):
            return None
        number = self.number(words[spot - 1].text)
        if number is None:
            return None
        before = words[spot - 2].text if spot > 1 and words[spot - 1].gap == " " else ""
        if before in self.lemmas.readings or words[spot - 1].gap.strip() in ("–", "-", "№"):
            return None  # step 3, space 7: the number is a name
        category = plural_category(self.language.language, number)
        if category == "one":
            good = any(reading.number == "sg" for reading in readings)
        elif category == "few" and self.language.language == "ru":
            good = any((r.number, r.case) == ("sg", "gen") or (r.number == "pl" and r.case != "nom") for r in readings)
        elif category == "few":
            good = any(reading.number == "pl" for reading in readings)
        else:
            good = any(r.number == "pl" and r.case in ("gen", "dat", "ins", "loc") for r in readings)
        if good:
            return None
        return Found("agreement", WARNING, f"'{words[spot - 1].text} {words[at].text}': the noun has not the form for this number")

    def number(self, word: str) -> int | None:
        if word.isdigit():
            return int(word[-9:])
        number = self.language.numbers.get(word)
        return number if number is not None and number > 1 and word in self.plain_numbers() else None

    def plain_numbers(self) -> frozenset[str]:
        """Number words in the nominative: the others agree in a case of their own."""
        return frozenset(dict((number, word) for word, number in reversed(self.language.numbers.items())).values())

    def agreeing(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """An adjective and its noun: gender, number, case."""
        if at == 0 or words[at].gap != " ":
            return None
        shapes = self.lemmas.adjectives.get(words[at - 1].text)
        if shapes is None or words[at - 1].text in self.lemmas.readings:
            return None
        if at > 1 and words[at - 1].gap == " " and (words[at - 2].text.isdigit() or words[at - 2].text in self.language.numbers):
            return None
        for gender, case, alive in shapes:
            for reading in readings:
                same = reading.number == "pl" if gender == "pl" else reading.number == "sg" and reading.gender == gender
                if same and reading.case == case and (alive is None or alive == reading.animate):
                    return None
        if self.pairs[words[at - 1].text, words[at].text] > 1:
            return None
        return Found("agreement", WARNING, f"'{words[at - 1].text} {words[at].text}' do not agree")

    def governed(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """The case behind a preposition, or behind a word that the edition has often enough."""
        before = self.before(words, at)
        cases = frozenset(reading.case for reading in readings)
        if before is None:
            if cases == {"loc"} and not (at and words[at].gap.strip() in ("«", "(", "—", ",")) :
                return Found("cases", WARNING, f"'{words[at].text}' has a case that only stands behind a preposition")
            return None
        allowed = self.language.prepositions.get(before)
        if allowed is not None:
            if not cases & allowed:
                return Found("cases", WARNING, f"'{words[at].text}' has not the case that stands behind '{before}'")
            return None
        if cases == {"loc"} and not self.joined(words, at):
            return Found("cases", WARNING, f"'{words[at].text}' has a case that only stands behind a preposition")
        if before.isdigit() or before in self.language.joining:
            return None
        seen = self.behind[before]
        own = seen[cases]
        if own > 1:
            return None
        total = sum(seen.values()) - 1
        fits = sum(count for other, count in seen.items() if other & cases) - 1
        if total >= (LOOSE if cases & {"nom", "dat"} else CONTEXT) and fits <= 0:
            return Found("cases", WARNING, f"'{words[at].text}' has a case that nothing else has behind '{before}'")
        return None

    def joined(self, words: Sequence[Word], at: int) -> bool:
        """Whether a preposition stands earlier in the same run of words."""
        while at > 0 and not re.search(r"[.;:!?]", words[at].gap):
            at -= 1
            if words[at].text in self.language.prepositions:
                return True
        return False

    def formed(self, word: str) -> Found | None:
        """A form that a term does not have."""
        if word in self.lemmas.readings or word in self.lemmas.adjectives or self.count[word] > 1:
            return None
        for size in range(max(4, len(word) - 3), len(word) + 1):
            row = self.stems.get(word[:size])
            if row is not None and word[size:] not in row[1] and word[size:] in self.endings():
                return Found("forms", WARNING, f"'{word}' is no form of '{row[0]}' in the glossary")
        return None

    def endings(self) -> frozenset[str]:
        found = getattr(self, "_endings", None)
        if found is None:
            tails = Counter(tail for _, row in self.stems.values() for tail in row)
            found = self._endings = frozenset(tail for tail, count in tails.items() if count >= 3)
        return found

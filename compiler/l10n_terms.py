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
from grimoire.compiler.l10n_cases import Spot, learn
from grimoire.compiler.l10n_checks import Found, bare, is_fuller
from grimoire.compiler.l10n_findings import WARNING
from grimoire.compiler.l10n_glossary import Lemmas, Reading
from grimoire.compiler.l10n_language import TOKEN, Knowledge

SURE: Final = 0.9  # a term stands for its source in so many of the strings
SEEN: Final = 4  # in at least so many strings
LEARNT: Final = 0.75
LIFT: Final = 18.0  # so much more often than by chance
LIKELY: Final = 0.2  # or so often
MANY: Final = 15
USUAL: Final = 0.6
SURER: Final = 0.97
CONTEXT: Final = 4  # so many nouns behind a word say which cases it takes
DOUBT: Final = 5.5  # another form fits better by this logarithm
RARE: Final = 6.5
CLOSE: Final = 4.0  # the same where a text was changed since it was accepted
SHORTEST: Final = 5  # letters: of shorter words it cannot be told
ENOUGH: Final = 300  # nouns to learn from
LOOSE: Final = 12  # and so many that it takes no nominative and no dative, which stand almost anywhere


_FREE: Final = frozenset(("dat", "ins"))  # cases that can be added to almost any sentence
_APART: Final = ("dat", "ins", "loc")  # no form of the plural looks like these


_FORMS: Final = re.compile(r"\{\w+\|([^{}]*)\}")


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


def spread(text: str) -> str:
    """A text with the forms of its placeholders in the open, and without the placeholders."""
    return bare(_FORMS.sub(lambda found: found[1].replace("|", " "), text) if "|" in text else text)


def stem(word: str) -> str:
    """An English word without its plural ending."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def stems(text: str) -> frozenset[str]:
    return frozenset(
        stem(match[0].lower().removesuffix("'s")) for match in TOKEN.finditer(bare(text).replace("’", "'"))
    )


# --- terms ------------------------------------------------------------------------------------------------------------


class Terms:
    """Which words of the source go with a term, in the glossary and in the other strings of the edition."""

    def __init__(
        self, lemmas: Lemmas, source_terms: Mapping[str, Iterable[str]], pairs: Sequence[tuple[str, str]]
    ) -> None:
        self.lemmas = lemmas
        self.english: dict[str, set[str]] = {
            name: {stem(word) for word in source_terms.get(name, ())} for name in lemmas.lemmas
        }
        rows = [(stems(source), self.found(target)) for source, target in pairs]
        self.whole = max(len(rows), 1)
        self.words = Counter(word for source, _ in rows for word in source)
        self.terms = Counter(name for _, target in rows for name in target)
        self.both: Counter[tuple[str, str]] = Counter()
        for source, target in rows:
            for name in target:
                for word in source:
                    self.both[word, name] += 1
        # words of the source that have one of their terms almost everywhere
        self.wanted: dict[str, set[str]] = defaultdict(set)
        for name, english in self.english.items():
            for word in english:
                self.wanted[word].add(name)
        self.named = {word: set(names) for word, names in self.wanted.items()}  # as the glossary has it
        for (word, name), count in self.both.items():
            if count >= SEEN and count >= LEARNT * self.words[word] and name in self.english:
                self.wanted[word].add(name)
        kept = Counter(
            word for source, target in rows for word in source if word in self.wanted and self.wanted[word] & target
        )
        self.kept = kept

    def found(self, text: str) -> frozenset[str]:
        """The terms that a text may have."""
        readings = self.lemmas.readings
        return frozenset(
            reading.lemma for match in TOKEN.finditer(spread(text)) for reading in readings.get(match[0].lower(), ())
        )

    def is_usual(self, word: str) -> bool:
        """Whether a word of the source has one of its terms more often than not."""
        return self.kept[word] >= USUAL * (self.words[word] - 1)

    def explains(self, word: str, name: str) -> bool:
        """Whether a term is no surprise where the source has this word: it is so in other strings."""
        both = self.both[word, name] - 1  # without this string
        if both < 1:
            return False
        usual = (self.terms[name] - 1) / self.whole
        return both / (self.words[word] - 0.5) >= min(LIFT * usual, LIKELY)

    def check(self, source: str, target: str, close: bool = False) -> Iterator[Found]:
        there, given = self.found(target), stems(source)
        lost = {
            word
            for word in given
            if word in self.named
            and not self.wanted[word] & there
            and self.words[word] > SEEN
            and self.kept[word] >= SURE * (self.words[word] - 1)
        }
        # a form may belong to several terms: one of them is enough
        new: list[str] = []
        for match in TOKEN.finditer(spread(target)) if not is_fuller(source, target) else ():
            names = {reading.lemma for reading in self.lemmas.readings.get(match[0].lower(), ())}
            if names and not any(
                given & self.english[name] or not self.english[name] or any(self.explains(word, name) for word in given)
                for name in names
            ):
                new.append(match[0])
        sure = [
            word
            for word in sorted(lost)
            if self.words[word] >= MANY and self.kept[word] >= SURER * (self.words[word] - 1)
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


# --- cases and agreement ----------------------------------------------------------------------------------------------


class Cases:
    """Which cases stand where."""

    def __init__(
        self, lemmas: Lemmas, language: Knowledge, texts: Iterable[str], more: Iterable[str] = (), *, alone: bool = True
    ) -> None:
        self.lemmas = lemmas
        self.alone = alone  # no dictionary says which forms there are
        self.language = language
        # number words in the nominative: the others agree in a case of their own
        self.plain_numbers = frozenset({number: word for word, number in reversed(language.numbers.items())}.values())
        self.count: Counter[str] = Counter()
        self.behind: dict[str, Counter[frozenset[str]]] = defaultdict(Counter)
        self.pairs: Counter[tuple[str, str]] = Counter()
        texts, more = list(texts), list(more)
        everything = [words_of(bare(text)) for text in [*texts, *more]]
        for words in everything:
            self.count.update(word.text for word in words)
        self.thin: set[str] = set()  # forms that say themselves that they are adjectives
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
        tails = Counter(tail for _, row in self.stems.values() for tail in row)
        self.endings = frozenset(tail for tail, count in tails.items() if count >= 3) | frozenset(
            form for _, rows in lemmas.grammar.classes for row in rows.values() for form in row if form.isalpha()
        )
        self.heads = Counter(head for word in self.count for head in heads(word))
        self.model = learn([*texts, *more], lambda text: (spot for _, spot in self.spots(words_of(bare(text)))))

    def learn_adjectives(self) -> None:
        """Words of the edition with several endings of one class of adjectives are adjectives; nouns have some of them too."""
        nouns = Counter(
            form.lower().removeprefix(base)
            for base, (name, _) in self.term_stems().items()
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
                    if base + ending not in self.lemmas.readings:
                        own = {tail for tail in tails & sure if nouns[tail] < 3}
                        # one ending that only this word has may be a slip in a noun
                        self.thin |= {base + tail for tail in own if len(own) < 3 and self.count[base + tail] == 1}
                        self.lemmas.add_adjective(base + ending)

    def nouns(self, words: Sequence[Word]) -> Iterator[tuple[int, set[Reading]]]:
        for at, word in enumerate(words):
            readings = self.lemmas.readings.get(word.text)
            if readings is None or word.text in self.lemmas.adjectives:
                continue
            if all(self.is_whole(reading.lemma) or reading.case in _APART for reading in readings):
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

    def spots(self, words: Sequence[Word]) -> Iterator[tuple[int, Spot]]:
        """The nouns of a text with what is around them."""
        for at, readings in self.nouns(words):
            before = self.before(words, at)
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
                (("before", before), ("before-like", self.shape(before))),
                (("behind", behind), ("behind-like", self.shape(behind))),
            ]
            if at and words[at].gap == " " and words[at - 1].text in self.lemmas.adjectives:
                around.append((("beside", words[at - 1].text), ("beside-like", words[at - 1].text[-3:])))
            yield at, Spot(tuple(sorted({(r.number, r.case) for r in readings})), tuple(around))

    def shape(self, word: str) -> str:
        """What words that behave alike have in common: nouns their case, others their ending."""
        readings = self.lemmas.readings.get(word)
        if readings:
            return "noun " + " ".join(sorted({reading.case for reading in readings}))
        return word if word in self.language.prepositions or word in self.language.joining else word[-3:]

    def doubtful(self, words: Sequence[Word], close: bool = False) -> Iterator[Found]:
        """Nouns where another form would fit far better; a small edition says too little about that."""
        if self.model.total < ENOUGH:
            return
        for at, spot in self.spots(words):
            readings = self.lemmas.readings[words[at].text]
            others = {state for reading in readings for state in self.lemmas.forms[reading.lemma]}
            cases = {case for _, case in spot.states}
            allowed = self.language.prepositions.get(self.before(words, at) or "")
            if (allowed is not None and cases & allowed) or (cases == {"dat"} and all(r.animate for r in readings)):
                continue
            others = {state for state in others if state[1] not in cases}
            doubt, better = self.model.doubt(spot, others, known=True)
            if better is not None and doubt > (CLOSE if close else DOUBT if cases - _FREE else RARE):
                form = self.lemmas.forms[min(readings).lemma].get(better, "")
                yield Found("cases", WARNING, f"'{words[at].text}' does not fit where it stands; perhaps '{form}'")

    def term_stems(self) -> dict[str, tuple[str, frozenset[str]]]:
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

    def check(self, text: str, close: bool = False, known: frozenset[str] = frozenset()) -> Iterator[Found]:
        words = words_of(bare(text))
        told: set[int] = set()
        for at, readings in self.nouns(words):
            found = (
                self.counted(words, at, readings)
                or self.agreeing(words, at, readings)
                or self.hyphened(words, at, readings)
                or self.governed(words, at, readings)
            )
            if found is not None and at not in told:
                told.add(at)
                yield found
        if not told:
            yield from self.doubtful(words, close)
        for word in words:
            found = self.formed(word.text) or (self.unseen(word.text) if close and self.alone and word.text not in known else None)
            if found is not None:
                yield found

    def check_name(self, source: str, target: str) -> Iterator[Found]:
        """A name stands in the nominative: its first noun or adjective does."""
        words = words_of(bare(target))
        if (
            not words
            or words[0].gap.strip(' «„"(')
            or re.match(r"(?:to|in|on|at|by|for|with|from|of|under|off)\b", source, re.IGNORECASE)
        ):
            return
        first = words[0].text
        shapes, readings = self.lemmas.adjectives.get(first), self.lemmas.readings.get(first)
        if (shapes or readings) and not any(case == "nom" for _, case, _ in shapes or ()):
            # a counter is named by what it counts: tokens
            if not any(r.case == "nom" or (r.case, r.number) == ("gen", "pl") for r in readings or ()):
                yield Found("cases", WARNING, f"'{first}': a name stands in the nominative")

    def counted(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """A number and its noun: the form that goes with the number."""
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
        return Found(
            "agreement",
            WARNING,
            f"'{words[spot - 1].text} {words[at].text}': the noun has not the form for this number",
        )

    def number(self, word: str) -> int | None:
        if word.isdigit():
            return int(word[-9:])
        number = self.language.numbers.get(word)
        return number if number is not None and number > 1 and word in self.plain_numbers else None

    def agreeing(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """An adjective and its noun: gender, number, case."""
        if at == 0 or words[at].gap != " ":
            return None
        shapes = self.lemmas.adjectives.get(words[at - 1].text)
        beside = words[at - 1].text
        if shapes is None or any(
            beside in table for table in (self.lemmas.readings, self.language.numbers, self.language.loose)
        ):
            return None
        if (
            at > 1
            and words[at - 1].gap == " "
            and (words[at - 2].text.isdigit() or words[at - 2].text in self.language.numbers)
        ):
            return None
        for gender, case, alive in shapes:
            for reading in readings:
                same = reading.number == "pl" if gender == "pl" else reading.number == "sg" and reading.gender == gender
                if same and reading.case == case and (alive is None or alive == reading.animate):
                    return None
        if self.pairs[words[at - 1].text, words[at].text] > 1:
            return None
        return Found("agreement", WARNING, f"'{words[at - 1].text} {words[at].text}' do not agree")

    def hyphened(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """Two nouns with a hyphen have the same case."""
        if at == 0 or words[at].gap != "-":
            return None
        first = self.lemmas.readings.get(words[at - 1].text)
        if first is None or {(r.number, r.case) for r in first} & {(r.number, r.case) for r in readings}:
            return None
        return Found(
            "agreement", WARNING, f"'{words[at - 1].text}-{words[at].text}': the two words have not the same case"
        )

    def governed(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """The case behind a preposition, or behind a word that the edition has often enough."""
        before = self.before(words, at)
        cases = frozenset(reading.case for reading in readings)
        if before is None:
            if cases == {"loc"} and not (at and words[at].gap.strip() in ("«", "(", "—", ",")):
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
        if word in self.lemmas.readings or self.count[word] > 1:
            return None
        if word in self.lemmas.adjectives and word not in self.thin:
            return None
        for size in range(max(3, len(word) - 4), len(word) + 1):
            row = self.stems.get(word[:size]) if size > 3 or len(word) < 7 else None
            if row is not None and word[size:] not in row[1] and word[size:] in self.endings:
                return Found("forms", WARNING, f"'{word}' is no form of '{row[0]}' in the glossary")
        return None

    def unseen(self, word: str) -> Found | None:
        """A form that stands nowhere else in the edition, though the word does."""
        if (
            self.count[word] > 1
            or word in self.lemmas.readings
            or (word in self.lemmas.adjectives and word not in self.thin)
            or len(word) < SHORTEST
        ):
            return None
        if any(self.heads[head] > 1 for head in heads(word)):
            return Found("forms", WARNING, f"'{word}' stands nowhere else in this form")
        return None


def heads(word: str) -> tuple[str, ...]:
    """What words with the same stem may begin with."""
    return (word[: max(4, len(word) - 3)],) if len(word) >= SHORTEST and not word.isdigit() else ()

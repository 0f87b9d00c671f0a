"""The checks of translations for endings: cases, agreement, numbers with their nouns, forms that a word does not have.

In: what the edition does everywhere else (`Nouns`). Out: findings by string: a case is reported only if nothing in the
edition, and nothing in the generated texts of its cards, has such a case behind the same word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from grimoire.compiler.localisation.languages import find_language
from grimoire.compiler.localisation.text.inflect import plural_category
from grimoire.compiler.localisation.translation.findings import WARNING
from grimoire.compiler.localisation.translation.glossary import Reading
from grimoire.compiler.localisation.translation.nouns import Nouns, Word, find_heads, split_words
from grimoire.compiler.localisation.translation.single_string import Found, strip_places
from grimoire.compiler.localisation.tuning import (
    AGREEMENT_CLOSE,
    AGREEMENT_CONTEXT,
    AGREEMENT_DOUBT,
    AGREEMENT_ENOUGH,
    AGREEMENT_FAINT,
    AGREEMENT_LOOSE,
    AGREEMENT_ODD,
    AGREEMENT_ONCE,
    AGREEMENT_RARE,
    AGREEMENT_SUSPECT,
    NOUNS_SHORTEST,
)

Suspects = Callable[[], Mapping[str, float]]  # how odd endings are beside those of a third language, if somebody asks
_PARTICIPLE: Final = re.compile(r"(?:нн|[ена]н|щ|вш|[аеиуыяі]т|[еи]м)\w{1,3}\Z")
_FREE: Final = frozenset(("dat", "ins"))  # cases that can be added to almost any sentence


class Cases(Nouns):
    """Nouns whose form does not fit where they stand."""

    def check_doubtful(
        self,
        words: Sequence[Word],
        nouns: Sequence[tuple[int, set[Reading]]],
        close: bool = False,
        suspects: Suspects | None = None,
    ) -> Iterator[Found]:
        """Nouns where another form would fit far better; a small edition says too little about that."""
        if self.model.total < AGREEMENT_ENOUGH:
            return
        for at, spot in self.find_spots(words, nouns):
            readings = self.lemmas.readings[words[at].text]
            cases = {case for _, case in spot.states}
            allowed = self.language.prepositions.get(spot.around[0][0][1])
            if (allowed is not None and cases & allowed) or (cases == {"dat"} and all(r.animate for r in readings)):
                continue
            rows = {reading.lemma for reading in readings}
            others = {state for name in rows for state in self.lemmas.forms[name] if state[1] not in cases}
            doubt, better = self.model.measure_doubt(spot, others, known=True)
            if better is None or doubt <= AGREEMENT_FAINT:
                continue
            if doubt > (AGREEMENT_CLOSE if close else AGREEMENT_DOUBT if cases - _FREE else AGREEMENT_RARE) or (
                not close
                and suspects is not None
                and (odd := suspects().get(words[at].text)) is not None
                and (doubt > AGREEMENT_SUSPECT or odd > AGREEMENT_ODD)
            ):
                form = self.lemmas.forms[min(readings).lemma].get(better, "")
                yield Found("cases", WARNING, f"'{words[at].text}' does not fit where it stands; perhaps '{form}'")

    def check(
        self,
        text: str,
        close: bool = False,
        known: frozenset[str] = frozenset(),
        suspects: Suspects | None = None,
    ) -> Iterator[Found]:
        words = split_words(strip_places(text))
        told: set[int] = set()
        nouns = list(self.find_nouns(words))
        for at, readings in nouns:
            found = (
                self.check_count(words, at, readings)
                or self.check_agreement(words, at, readings)
                or self.check_hyphenated(words, at, readings)
                or self.check_governed(words, at, readings)
            )
            if found is not None and at not in told:
                told.add(at)
                yield found
        for at, word in enumerate(words):
            single = self.singular.get(word.text) if at else None
            if single is None or any(gender == "pl" for gender, _, _ in self.read_adjective(words[at - 1].text)):
                continue
            if (found := self.check_agreement(words, at, single)) is not None:
                told.add(at)
                yield found
        if not told:
            yield from self.check_doubtful(words, nouns, close, suspects)
        for at, word in enumerate(words):
            following = words[at + 1].text if at + 1 < len(words) and words[at + 1].gap == " " else ""
            found = self.check_form(word.text, following)
            if found is None and self.alone and word.text not in known:
                if close:
                    found = self.check_unseen_form(word.text)
                elif suspects is not None and self.count[word.text] == 1 and not told:
                    found = self.check_single_form(words, at, suspects)
            if found is not None:
                yield found

    def check_name(self, source: str, target: str) -> Iterator[Found]:
        """A name stands in the nominative: its first noun or adjective does."""
        words = split_words(strip_places(target))
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

    def check_count(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
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
        elif category == "few" and find_language(self.language.language).few == "gen.sg":
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

    def check_agreement(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """An adjective and its noun: gender, number, case."""
        if at == 0 or words[at].gap != " ":
            return None
        beside = words[at - 1].text
        shapes = self.read_adjective(beside)
        if not shapes or any(
            beside in table for table in (self.lemmas.readings, self.language.numbers, self.language.loose)
        ):
            return None
        if at > 1 and words[at - 1].gap == " " and words[at - 2].text.isdigit():
            return None
        if (
            at > 1
            and words[at - 1].gap == " "
            and any(words[at - 2].text in row for row in (self.language.numbers, self.language.loose))
        ):
            return None
        if any(reading.case == "ins" for reading in readings) and _PARTICIPLE.search(beside):
            return None  # marked with a star: what it was done with
        if any(self.agree(shape, reading) for shape in shapes for reading in readings):
            return None
        if self.pairs[words[at - 1].text, words[at].text] > 1:
            return None
        return Found("agreement", WARNING, f"'{words[at - 1].text} {words[at].text}' do not agree")

    def read_adjective(self, word: str) -> Collection[tuple[str, str, bool | None]]:
        """What a word can be as an adjective, or as one of those that stand before nouns: this, your."""
        return self.lemmas.adjectives.get(word) or self.determiners.get(word) or ()

    def check_hyphenated(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """Two nouns with a hyphen have the same case."""
        if at == 0 or words[at].gap != "-":
            return None
        first = self.lemmas.readings.get(words[at - 1].text)
        if first is None or {(r.number, r.case) for r in first} & {(r.number, r.case) for r in readings}:
            return None
        return Found(
            "agreement", WARNING, f"'{words[at - 1].text}-{words[at].text}': the two words have not the same case"
        )

    def check_governed(self, words: Sequence[Word], at: int, readings: set[Reading]) -> Found | None:
        """The case behind a preposition, or behind a word that the edition has often enough."""
        before = self.find_governor(words, at)
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
        if cases == {"loc"} and not self.is_joined(words, at):
            return Found("cases", WARNING, f"'{words[at].text}' has a case that only stands behind a preposition")
        if before.isdigit() or before in self.language.joining:
            return None
        seen = self.behind[before]
        own = seen[cases]
        if own > 1:
            return None
        total = sum(seen.values()) - 1
        fits = sum(count for other, count in seen.items() if other & cases) - 1
        if total >= (AGREEMENT_LOOSE if cases & {"nom", "dat"} else AGREEMENT_CONTEXT) and fits <= 0:
            return Found("cases", WARNING, f"'{words[at].text}' has a case that nothing else has behind '{before}'")
        return None

    def is_joined(self, words: Sequence[Word], at: int) -> bool:
        """Whether a preposition stands earlier in the same run of words."""
        while at > 0 and not re.search(r"[.;:!?]", words[at].gap):
            at -= 1
            if words[at].text in self.language.prepositions:
                return True
        return False

    def check_form(self, word: str, following: str = "") -> Found | None:
        """A form that a term does not have."""
        if word in self.lemmas.readings or self.count[word] > 1:
            return None
        if word in self.lemmas.adjectives and word not in self.thin:
            return None
        for size in range(max(3, len(word) - 4), len(word) + 1):
            row = self.stems.get(word[:size]) if size > 3 or len(word) < 7 else None
            if row is not None and word[size:] not in row[1] and word[size:] in self.endings:
                return Found("forms", WARNING, f"'{word}' is no form of '{row[0]}' in the glossary")
        if self.paradigms is None or any(
            self.agree(shape, reading)
            for shape in self.read_shapes(word)
            for reading in self.lemmas.readings.get(following, ())
        ):
            return None
        like = self.paradigms.find_misformed(word)
        return Found("forms", WARNING, f"'{word}' is no form of '{like}'") if like is not None else None

    def check_single_form(self, words: Sequence[Word], at: int, suspects: Suspects) -> Found | None:
        """A form that stands nowhere else in the edition, and that is odd beside a third language."""
        word = words[at].text
        if (
            len(word) < NOUNS_SHORTEST
            or word in self.lemmas.adjectives
            or (self.paradigms is not None and word.endswith(self.paradigms.tables.verbal))
        ):
            return None
        if suspects().get(word, 0.0) <= AGREEMENT_ONCE:
            return None
        following = self.lemmas.readings.get(words[at + 1].text, ()) if at + 1 < len(words) else ()
        if any(self.agree(shape, reading) for shape in self.read_shapes(word) for reading in following):
            return None
        return Found(
            "forms", WARNING, f"'{word}' stands nowhere else in this form, and another goes with the other language"
        )

    def check_unseen_form(self, word: str) -> Found | None:
        """A form that stands nowhere else in the edition, though the word does."""
        if (
            self.count[word] > 1
            or word in self.lemmas.readings
            or (word in self.lemmas.adjectives and word not in self.thin)
            or len(word) < NOUNS_SHORTEST
        ):
            return None
        if any(self.heads[head] > 1 for head in find_heads(word)):
            return Found("forms", WARNING, f"'{word}' stands nowhere else in this form")
        return None

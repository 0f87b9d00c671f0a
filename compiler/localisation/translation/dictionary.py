"""What a dictionary adds to the checks of translations: readings of nouns and adjectives, known words.

In: the dictionary of a language (an extra that need not be installed), and the words of an edition. Out: more readings
in `Lemmas`, and findings for words that no dictionary has. Names are those of the package (see `names`); a word that
the edition has more than once, or that has a capital and no known word is like, is taken for one as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from grimoire.compiler.localisation.text.language import TOKEN
from grimoire.compiler.localisation.translation.findings import WARNING
from grimoire.compiler.localisation.translation.forms import Forms, Morphology
from grimoire.compiler.localisation.translation.glossary import Lemma, Lemmas, Reading
from grimoire.compiler.localisation.translation.names import Names
from grimoire.compiler.localisation.translation.single_string import Found, strip_places
from grimoire.compiler.localisation.tuning import (
    DICTIONARY_LEAST,
)

_CASES: Final = {
    "nomn": "nom",
    "gent": "gen",
    "gen2": "gen",
    "datv": "dat",
    "accs": "acc",
    "acc2": "acc",
    "ablt": "ins",
    "loct": "loc",
    "loc2": "loc",
}
_GENDERS: Final = {"masc": "m", "femn": "f", "neut": "n"}
_ADJECTIVES: Final = ("ADJF", "PRTF")
_ODD: Final = frozenset(("Apro", "NPRO", "Fixd", "Anph", "Abbr", "Name", "Surn", "Geox"))


class Dictionary:
    """The dictionary of one language, for the words of one edition."""

    def __init__(self, forms: Forms, given: Iterable[str], seen: Counter[str], names: Names | None = None) -> None:
        self.forms = forms
        self.names = (names or Names(())).without(forms.is_known)
        self.given = frozenset(given)
        self.seen = seen
        self.known: dict[str, bool] = {}
        self.lemmas: dict[str, str | None] = {}
        self.nouns: dict[str, bool] = {}

    # ------------------------------------------------------------ readings

    def enrich(self, lemmas: Lemmas, vocabulary: Iterable[str]) -> None:
        """Add what the dictionary knows of words that the glossary has not; only of words that can be nothing else."""
        for word in vocabulary:
            if len(word) < DICTIONARY_LEAST or word in lemmas.readings or word in lemmas.adjectives:
                continue
            parses = self.parse_word(word)
            if not parses:
                continue
            kinds = {str(parse.tag.POS) for parse in parses}
            if kinds == {"NOUN"}:
                for parse in parses:
                    self.add_noun(lemmas, word, parse)
            elif kinds <= {*_ADJECTIVES}:
                rows = lemmas.adjectives.setdefault(word, set())
                for parse in parses:
                    case = _CASES.get(str(parse.tag.case))
                    gender = "pl" if "plur" in parse.tag else _GENDERS.get(str(parse.tag.gender), "")
                    alive = None if case != "acc" or gender in ("f", "n", "") else "anim" in parse.tag
                    if case and gender:
                        rows.add((gender, case, alive))

    def parse_word(self, word: str) -> list[Morphology]:
        plain = word.replace("’", "'")
        if not self.forms.morph.word_is_known(plain):
            return []
        found = [parse for parse in self.forms.morph.parse(plain) if "voct" not in parse.tag]
        return [] if any(parse.tag.grammemes & _ODD for parse in found) else found

    def add_noun(self, lemmas: Lemmas, word: str, parse: Morphology) -> None:
        tag = parse.tag
        case = _CASES.get(str(tag.case)) or "nom"
        name = f"{parse.normal_form}*"  # apart from the terms of the glossary
        gender = _GENDERS.get(str(tag.gender), "") or next(
            (_GENDERS[str(form.tag.gender)] for form in parse.lexeme if str(form.tag.gender) in _GENDERS), "m"
        )
        number = "pl" if "plur" in tag else "sg"
        lemmas.readings.setdefault(word, set()).add(Reading(name, gender, number, case, "anim" in tag))
        if name not in lemmas.forms:
            lemmas.lemmas[name] = Lemma(name, gender, "anim" in tag, ())
            table: dict[tuple[str, str], str] = {}
            for form in parse.lexeme:
                state = ("pl" if "plur" in form.tag else "sg", _CASES.get(str(form.tag.case)) or "nom")
                if "voct" not in form.tag:
                    table.setdefault(state, form.word)
            lemmas.forms[name] = table

    def find_lemma(self, word: str) -> str | None:
        """One name for all forms of a word."""
        if word not in self.lemmas:
            parses = self.parse_word(word) if len(word) >= DICTIONARY_LEAST - 1 else []
            self.lemmas[word] = f"{parses[0].normal_form}*" if parses else None
            self.nouns[word] = bool(parses) and {str(parse.tag.POS) for parse in parses} == {"NOUN"}
        return self.lemmas[word]

    def is_noun(self, word: str) -> bool:
        return self.find_lemma(word) is not None and self.nouns[word]

    # ------------------------------------------------------------ words

    def check(self, text: str, *, is_named: bool = False) -> Iterator[Found]:
        """Words that no dictionary and no other string of the edition has."""
        for match in TOKEN.finditer(strip_places(text)):
            word = match[0].lower()
            if len(word) < DICTIONARY_LEAST or self.seen[word] > 1 or match[0].isupper() or word.isdigit():
                continue
            if word not in self.known:
                plain = word.replace("’", "'")
                self.known[word] = self.forms.is_known(plain) or plain in self.given
            if self.known[word] or self.names.has(word, is_named=is_named):
                continue
            if match[0].islower() or self.is_like_another(word):
                yield Found("words", WARNING, f"'{match[0]}' is in no dictionary")

    def is_like_another(self, word: str) -> bool:
        """Whether the dictionary has words that begin alike: then it is no name, but a wrong form."""
        size = max(DICTIONARY_LEAST, len(word) - 3)
        words = self.forms.morph.dictionary.words
        return next(iter(words.keys(word[:size])), None) is not None

"""Proposes the forms of a noun, a row for `terms`, from the dictionary of pymorphy3 (an optional extra).

In: a noun, perhaps with adjectives before it, and its language. Out: a line of YAML with forms, gender and animate.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from grimoire.compiler.localisation.languages import find_language
from grimoire.compiler.telling import WrongUse, make_printable

Morphology: TypeAlias = Any  # words as pymorphy reads them: it has no types

CASES: Final = ("nomn", "gent", "datv", "accs", "ablt", "loct")
_POS: Final = frozenset(["NOUN", "ADJF", "PRTF"])
_GENDERS: Final = {"masc": "m", "femn": "f", "neut": "n"}


def is_installed(language: str) -> bool:
    return find_spec("pymorphy3") is not None and find_spec(f"pymorphy3_dicts_{language}") is not None


class Forms:
    """The dictionary of one language."""

    def __init__(self, language: str) -> None:
        if not is_installed(language):
            raise WrongUse(
                f"forms in '{language}' need a dictionary that is not installed: pip install "
                f"'grimoire-compiler[{find_language(language).dictionary or 'forms'}]'"
            )
        self.language = language
        self.morph: Morphology = import_module("pymorphy3").MorphAnalyzer(lang=language)

    def is_known(self, word: str) -> bool:
        """Whether a word, or every part of a phrase, is in the dictionary."""
        return all(self.morph.word_is_known(part.lower()) for part in word.split())

    def propose_row(self, name: str, phrase: str) -> str:
        """`lamp: {forms: .., gender: f}`; the words before the noun agree with it, those behind it stay as they are."""
        adjectives, word, tail = self.split_phrase(phrase)
        noun = self.choose_noun(word)
        table = self.make_table(noun, word)
        gender = _GENDERS.get(str(noun.tag.gender), "m")
        plural = f" / {' '.join(table['plur'])}" if table["plur"] else ""
        keys = [f"forms: {' '.join(table['sing'])}{plural}".replace("  ", " ")]
        if gender != "m" and table["sing"]:
            keys.append(f"gender: {gender}")
        if "anim" in noun.tag or _is_adjective(noun):
            keys.append("animate: true")
        if not table["plur"]:
            keys.append("mass: true")
        if adjectives:
            keys.append(f"with: {' '.join(self.find_adjective(part) for part in adjectives)}")
        if tail:
            keys.append(f"tail: {' '.join(tail)}")
        return f"{name if re.fullmatch(r'[^:#{}]+', name) else repr(name)}: {{{', '.join(keys)}}}"

    def split_phrase(self, phrase: str) -> tuple[list[str], str, list[str]]:
        """Adjectives, the noun, and what stands behind it in the genitive."""
        words = phrase.split() or [""]
        for at, word in enumerate(words[:-1]):
            behind = words[at + 1 :]
            if self.find_readings(word) and all(self.can_follow(part) for part in behind):
                return words[:at], word, behind
        return words[:-1], words[-1], []

    def can_follow(self, word: str) -> bool:
        """Whether a word can belong to the noun before it without agreeing with it."""
        cases = [
            _read_case(parse.tag) for parse in self.morph.parse(word.lower()) if _POS & set(str(parse.tag.POS).split())
        ]
        return "gent" in cases

    def find_readings(self, word: str) -> list[Morphology]:
        """The readings of a word as a noun in the nominative, those in the singular first."""
        parses = self.morph.parse(word.lower())
        found = [parse for parse in parses if "NOUN" in parse.tag and _read_case(parse.tag) == "nomn"]
        if not word[:1].isupper():  # no name of somebody
            found.sort(
                key=lambda parse: any(
                    sign in str(parse.tag) for sign in ("Name", "Surn", "Patr", "lname", "fname", "Sgtm")
                )
            )
        return sorted(found, key=lambda parse: "plur" in parse.tag)

    def choose_noun(self, word: str) -> Morphology:
        """The reading of a word as a noun in the nominative, in the singular if it can be; an adjective can be a noun
        as well."""
        for parse in self.find_readings(word):
            return parse
        for parse in self.morph.parse(word.lower()):
            if _is_adjective(parse) and _read_case(parse.tag) == "nomn":
                return parse
        raise WrongUse(f"'{make_printable(word)}' is no noun in the nominative")

    def make_table(self, noun: Morphology, word: str) -> dict[str, list[str]]:
        """By number the forms of all cases; no number that the noun, or the word as it was given, does not have."""
        first: dict[tuple[str, str], str] = {}
        for form in noun.lexeme:
            number = "plur" if "plur" in form.tag else "sing"
            if _is_adjective(noun) and not self.is_of(form, noun, number):
                continue
            first.setdefault((number, _read_case(form.tag)), self.inflect_case(form.word, word))
        numbers = ("plur",) if "plur" in noun.tag else ("sing",) if "Sgtm" in noun.tag else ("sing", "plur")
        return {
            number: [first[number, case] for case in CASES]
            if number in numbers and all((number, case) in first for case in CASES)
            else []
            for number in ("sing", "plur")
        }

    @staticmethod
    def is_of(form: Morphology, noun: Morphology, number: str) -> bool:
        """Whether a form of an adjective is one of the noun that it is: of its gender, and of somebody, not of
        something."""
        one, other = form.tag, noun.tag
        if (one.POS, one.tense, one.voice, one.aspect) != (other.POS, other.tense, other.voice, other.aspect):
            return False
        is_plain = not any(sign in str(one) for sign in ("Supr", "COMP", "inan"))
        return is_plain and (number == "plur" or form.tag.gender == (noun.tag.gender or "masc"))

    def find_adjective(self, word: str) -> str:
        """The dictionary form of an adjective: masculine, nominative. That of a participle is no verb."""
        for parse in self.morph.parse(word.lower()):
            if _is_adjective(parse):
                form = parse.inflect({"masc", "sing", "nomn"}) or parse.inflect({"masc", "nomn"})
                return self.inflect_case(str(form.word if form is not None else parse.normal_form), word)
        raise WrongUse(f"'{make_printable(word)}' is no adjective, and only adjectives stand before the noun")

    @staticmethod
    def inflect_case(form: str, like: str) -> str:
        return form[:1].upper() + form[1:] if like[:1].isupper() else form


def _is_adjective(parse: Morphology) -> bool:
    return "ADJF" in parse.tag or "PRTF" in parse.tag


def _read_case(tag: Morphology) -> str:
    """The case of a reading; the Ukrainian dictionary leaves the nominative of some nouns out."""
    return str(tag.case) if tag.case is not None else "nomn"

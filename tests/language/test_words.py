"""The words and the grammar of all generated texts: every word form is in a reviewed list, and the checks for
translations find nothing.

No dictionary is needed. The lists in tests/language/words have first the forms that a dictionary knows (pymorphy3 in
Ukrainian and Russian), then those that it does not know or was not asked for, looked at one by one. Where the
dictionary is installed (`pip install 'grimoire-compiler[forms,forms-uk]'`) it is asked for each form.

python -m tests.language.test_words    # write the lists again; look at every word that is new to them
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import copy
from functools import cache
from pathlib import Path

import pytest

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import PRINTED
from grimoire.compiler.localisation.text.inflect import plural_category
from grimoire.compiler.localisation.text.language import knowledge
from grimoire.compiler.localisation.text.lexicon import Reader
from grimoire.compiler.localisation.translation.agreement import Cases
from grimoire.compiler.localisation.translation.dictionary import Dictionary
from grimoire.compiler.localisation.translation.forms import Forms, is_installed
from grimoire.compiler.localisation.translation.glossary import Lemmas, Reading
from grimoire.compiler.localisation.translation.nouns import split_words
from grimoire.compiler.localisation.translation.single_string import Found, Pair, check_pair
from tests.language.test_card_texts import PACKAGES, compiled, paragraphs

LISTS = Path(__file__).parent / "words"
REVIEWED = "# without a dictionary: looked at one by one"
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CASES = ("uk", "ru")
# What the checks find although it is right, and why.
ADMISSIBLE = {
    "ru": {
        "'после' has a case that only stands behind a preposition": "a preposition, not the ambassador",
        "'все свои звания' do not agree": "a plural that stands in a pattern; the term itself needs only a singular",
    },
}
WITH_DICTIONARY = {  # a participle with what depends on it: the two do not agree, and need not
    "uk": ("'зв'язані обітницею'", "'захоплена ворогом'", "'захоплену ворогом'"),
    "ru": ("'равном количеству'", "'равным результату'"),
}
GENITIVE = ("крім", "кроме", "межах", "пределах", "больше", "более")  # words that take it, besides prepositions
# Checks that compare two languages in ways in which generated texts differ: their styles, not their meanings.
OF_STYLE = ("symbols", "sentences", "modals")


@cache
def texts(language: str) -> dict[str, str]:
    return {
        f"{name}: {card.id}.{paragraph.part}": paragraph.text
        for name in PACKAGES
        for card, paragraph in paragraphs(name, language)
    }


@cache
def used(language: str) -> frozenset[str]:
    return frozenset(word.lower() for text in texts(language).values() for word in WORD.findall(text))


def read_list(language: str) -> tuple[list[str], list[str]]:
    """The words that a dictionary has, and those that were looked at."""
    known, _, other = (LISTS / f"{language}.txt").read_text(encoding="utf-8").partition(REVIEWED)
    return known.split(), other.split()


@pytest.mark.parametrize("language", WORDED)
def test_every_word_is_reviewed(language: str) -> None:
    known, other = read_list(language)
    listed = {*known, *other}
    new, gone = sorted(used(language) - listed), sorted(listed - used(language))
    where = {word: next(id_ for id_, text in texts(language).items() if word in text.lower()) for word in new}
    assert not new, f"new words, look at them, then run python -m tests.language.test_words: {where}"
    assert not gone, f"no text has these words any more, run python -m tests.language.test_words: {gone}"
    assert len(known) == len(set(known)) and not {*known} & {*other}


@pytest.mark.parametrize("language", CASES)
def test_the_dictionary_knows_the_words(language: str) -> None:
    if not is_installed(language):
        pytest.skip("the dictionary is an extra")
    known, _ = read_list(language)
    forms = Forms(language)
    assert [word for word in known if not has(forms, word)] == []


def has(forms: Forms, word: str) -> bool:
    return all(forms.is_known(part) for part in word.replace("’", "'").split("-"))


# --- spelling, numbers, agreement -------------------------------------------------------------------------------------


@cache
def lemmas_of(name: str, language: str, with_dictionary: bool) -> Lemmas:
    """The nouns and adjectives of a package by their forms."""
    reader = Reader(language, Diagnostics())
    reader.read(compiled(name)[1])
    lemmas = Lemmas(reader)
    if with_dictionary:
        given = {*lemmas.readings, *knowledge(language).words()}
        Dictionary(Forms(language), given, Counter()).enrich(lemmas, sorted(used(language)))
    return lemmas


@cache
def endings(name: str, language: str, with_dictionary: bool) -> Cases:
    """The checks of cases and agreement, which have learnt nothing from the texts that they judge."""
    lemmas = copy(lemmas_of(name, language, with_dictionary))
    lemmas.adjectives = dict(lemmas.adjectives)
    return Cases(lemmas, knowledge(language), [], (), alone=not with_dictionary)


def disagreements(name: str, language: str, text: str, with_dictionary: bool) -> Iterator[Found]:
    """A noun with all words before it that must agree with it, and with the number before them. Generated texts are
    regular: this is stricter than what a translator is told."""
    lemmas, known = lemmas_of(name, language, with_dictionary), knowledge(language)
    words = split_words(text)
    for at, word in enumerate(words):
        readings = lemmas.readings.get(word.text, set())
        first = at
        while first and words[first].gap == " " and is_adjective(lemmas, words[first - 1].text):
            first -= 1
        chain = [words[place].text for place in range(first, at)]
        number = words[first - 1].text if first and words[first].gap == " " else ""
        if not readings or is_adjective(lemmas, word.text):
            continue
        if number.isdigit():
            before = words[first - 2].text if first > 1 and words[first - 1].gap == " " else ""
            if word.text in masses(name, language):
                continue
            fits = {case for reading in readings if (case := counted_case(language, int(number), reading))}
            if not fits:
                yield Found("agreement", "", f"'{number} {word.text}': not the form for this number")
            elif fits == {"gen"} and "gen" not in known.prepositions.get(before, ()) and before not in GENITIVE:
                yield Found("agreement", "", f"'{number} {word.text}': only behind a word that takes the genitive")
        elif chain and not any(agree(lemmas, chain, reading) for reading in readings):
            yield Found("agreement", "", f"'{' '.join(chain)} {word.text}' do not agree")


@cache
def masses(name: str, language: str) -> frozenset[str]:
    """Nouns that have no plural, in the form that stands behind a number: 2 of fuel."""
    reader = Reader(language, Diagnostics())
    reader.read(compiled(name)[1])
    cases = reader.grammar.cases
    rule = str(reader.grammar.tables["numerals"].get("mass", "nom"))
    return frozenset(term.forms["sg"][cases.index(rule)] for term in reader.terms.values() if term.mass)


def is_adjective(lemmas: Lemmas, word: str) -> bool:
    return word in lemmas.adjectives and word not in lemmas.readings


def agree(lemmas: Lemmas, chain: list[str], noun: Reading) -> bool:
    gender = "pl" if noun.number == "pl" else noun.gender
    return all(
        any(
            (of, case) == (gender, noun.case) and alive in (None, noun.animate)
            for of, case, alive in lemmas.adjectives[word]
        )
        for word in chain
    )


def counted_case(language: str, number: int, noun: Reading) -> str:
    """The case in which a number and this form of a noun stand; none, if they cannot."""
    category = plural_category(language, number)
    if category == "one":
        return noun.case if noun.number == "sg" else ""
    plain = {"few": ("pl", "nom") if language == "uk" else ("sg", "gen"), "many": ("pl", "gen")}[category]
    if (noun.number, noun.case) == plain:
        return "nom"
    if category == "few" and noun.animate and (noun.number, noun.case) == ("pl", "gen"):
        return "acc"
    return noun.case if noun.number == "pl" and noun.case not in ("nom", "acc") else ""


def findings(name: str, language: str, source: str, text: str, with_dictionary: bool = False) -> Iterator[Found]:
    """What the checks for translations find in a generated text, beside the generated English one."""
    pair = Pair(source, text, knowledge("en"), knowledge(language))
    for found in check_pair(pair):
        if found.check not in OF_STYLE:
            yield found
    for found in judged(name, language, text, with_dictionary):
        if found.message not in ADMISSIBLE.get(language, {}):
            yield found


def judged(name: str, language: str, text: str, with_dictionary: bool) -> Iterator[Found]:
    yield from endings(name, language, with_dictionary).check(text)
    yield from disagreements(name, language, text, with_dictionary)


def pairs(name: str, language: str) -> list[tuple[str, str, str]]:
    """Every paragraph of a package with the English one; what is printed on cards is worded freely."""
    both = zip(paragraphs(name, "en"), paragraphs(name, language), strict=True)
    return [
        (f"{card.id}.{part.part}", part.text if part.part == PRINTED else other.text, part.text)
        for (_, other), (card, part) in both
    ]


@pytest.mark.parametrize("language", CASES)
@pytest.mark.parametrize("name", PACKAGES)
def test_the_checks_for_translations_find_nothing(name: str, language: str) -> None:
    found = [
        (id_, row.check, row.message)
        for id_, source, text in pairs(name, language)
        for row in findings(name, language, source, text)
        if not (source == text and row.check == "untranslated")
    ]
    assert found == []


@pytest.mark.parametrize("language", CASES)
@pytest.mark.parametrize("name", PACKAGES)
def test_nor_do_they_with_a_dictionary(name: str, language: str) -> None:
    if not is_installed(language):
        pytest.skip("the dictionary is an extra")
    found = [
        (id_, row.message)
        for id_, _, text in pairs(name, language)
        for row in judged(name, language, text, True)
        if row.message not in ADMISSIBLE.get(language, {}) and not row.message.startswith(WITH_DICTIONARY[language])
    ]
    assert found == []


# One letter, word or sign of a text changed: what must find it.
BROKEN = {
    "uk": (
        ("Помістіть 4 глибоководних у цю", "Помістіть 4 глибоководного у цю", "agreement"),
        ("2 карти вмінь", "2 карт вмінь", "agreement"),
        ("цю карту", "цієї карту", "agreement"),
        ("в карцер.", "в карцером.", "cases"),
        ("кістку", "кiстку", "letters"),
        ("Можете ", "Можете Можете ", "doubled"),
        (". ", " . ", "punctuation"),
        ("«Початок»", '"Початок"', "quotes"),
        ("зв'язані", "зв`язані", "apostrophe"),
        ("1–4", "1–5", "numbers"),
    ),
    "ru": (
        ("2 карты навыков", "2 карт навыков", "agreement"),
        ("эту карту", "этой карту", "agreement"),
        ("в карцер.", "в карцером.", "cases"),
        ("кубик", "кyбик", "letters"),
        ("Вы можете ", "Вы вы можете ", "doubled"),
        (". ", " . ", "punctuation"),
        ("«Железную выдержку»", '"Железную выдержку"', "quotes"),
        ("1–4", "1–5", "numbers"),
    ),
}


@pytest.mark.parametrize(
    ("language", "right", "wrong", "check"), [(id_, *row) for id_, rows in BROKEN.items() for row in rows]
)
def test_slips_in_generated_texts_are_found(language: str, right: str, wrong: str, check: str) -> None:
    source, text = next((other, text) for _, other, text in pairs("unfathomable", language) if right in text)
    found = {row.check for row in findings("unfathomable", language, source, text.replace(right, wrong, 1))}
    assert check in found, (text, found)


@pytest.mark.parametrize("language", WORDED)
def test_a_misspelt_word_is_in_no_list(language: str) -> None:
    """Two neighbouring letters of a word change places: hardly ever is that another word of the texts."""
    known, other = read_list(language)
    listed = {*known, *other}
    swapped = {word: word[:2] + word[3] + word[2] + word[4:] for word in listed if len(word) > 5 and word[2] != word[3]}
    assert len(swapped) > 150
    assert [word for word, wrong in swapped.items() if wrong in listed] == []


def main() -> None:
    LISTS.mkdir(exist_ok=True)
    for language in WORDED:
        path = LISTS / f"{language}.txt"
        before, looked = read_list(language) if path.is_file() else ([], [])
        words = sorted(used(language))
        if is_installed(language):
            forms = Forms(language)
            other = [word for word in words if not has(forms, word)]
        else:
            other = [word for word in words if word not in before or word in looked]
        known = [word for word in words if word not in other]
        new = [word for word in words if word not in (*before, *looked)]
        path.write_text("\n".join([*known, REVIEWED, *other]) + "\n", encoding="utf-8")
        print(f"{language}: {len(known)} and {len(other)} words; new: {' '.join(new) or 'none'}")


if __name__ == "__main__":
    main()

"""Texts as they are set: quotes, apostrophes, dashes, spaces at which no line ends; and that setting them moves
nothing."""

from __future__ import annotations

import re

import pytest

from grimoire.compiler.localisation.edition.book import load_tables
from grimoire.compiler.localisation.edition.print import make_print
from grimoire.compiler.localisation.edition.typography import make_setter

from .conftest import typeset_volume, volume

LANGUAGES = ["uk", "ru", "en"]


@pytest.mark.parametrize(
    ("language", "text", "made"),
    [
        ("uk", "Зв'язок і м'яч", "Зв’язок і~м’яч"),
        ("uk", "у карцері й в лазареті", "у~карцері й~в~лазареті"),
        ("uk", "Якщо ж він - зрадник, хід його", "Якщо~ж він~— зрадник, хід його"),
        ("uk", "Візьміть 2 карти з 5 карт", "Візьміть 2~карти з~5~карт"),
        ("uk", 'Карта "Щит" і «"Меч" короля»', "Карта «Щит» і~«„Меч“ короля»"),
        ("uk", "З'їзд «Я» о 5 годині", "З’їзд «Я» о~5~годині"),
        ("ru", "К ним и в трюм, если бы я знал", "К~ним и~в~трюм, если~бы я~знал"),
        ("ru", "Карта — это карта", "Карта~— это карта"),
        ("ru", "по-моему, кто-то", "по-моему, кто-то"),
        ("en", "A card's 'a' is a card \u2014 or 2 cards", "A~card’s 'a’ is a~card~— or 2~cards"),
        ("en", '"Stop", he said ("no")', "“Stop”, he said (“no”)"),
        ("en", "Roll a 6+ or \u22121 souls", "Roll a~6+ or \u22121~souls"),
        ("en", "Appendix IV says", "Appendix IV~says"),
    ],
)  # fmt: skip
def test_texts_are_set(language: str, text: str, made: str) -> None:
    assert make_setter(load_tables()[language])(text).replace("\u00a0", "~") == made


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_moves(language: str) -> None:
    """What is found in a text stays where it was; words are the same."""
    plain, made = volume(language), typeset_volume(language)
    for one, other in zip(plain.book.lines(), made.book.lines(), strict=True):
        assert len(one.text) == len(other.text)
        assert re.findall(r"\w+", one.text) == re.findall(r"\w+", other.text)
    for group, other_group in zip(plain.groups, made.groups, strict=True):
        for card, other_card in zip(group.cards, other_group.cards, strict=True):
            assert [len(text) for text in card.texts] == [len(text) for text in other_card.texts]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_book_can_end_with_a_short_word_or_begin_with_a_dash(language: str) -> None:
    source = make_print(typeset_volume(language))
    texts = re.findall(r'"((?:[^"\\]|\\.)*)"', source[source.index("#balanced(2, outline") :])
    short = "|".join(load_tables()[language].proclitics)
    assert [text for text in texts if re.search(rf"(?<![\w’'-])(?:{short}) \S", text, re.IGNORECASE)] == []
    assert [text for text in texts if re.search(r" [\u2013\u2014-] ", text)] == []
    assert [text for text in texts if "'" in text or '\\"' in text] == []
    assert sum("\u00a0" in text for text in texts) > 500 or language == "en"

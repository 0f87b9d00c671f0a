"""Both printed books are numbered as they are printed; other books are numbered by their alphabet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from grimoire.compiler.declare.model import Rule
from grimoire.compiler.localisation.edition.book import format_letter, format_roman, load_tables, make_book, parse_roman
from grimoire.compiler.records import replace

from .conftest import compiled, volume

OWN = {"golden-rules": "V", "first-game": "VI"}  # appendices that only the package has: the books say it elsewhere
PRINTED: dict[str, dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "printed.yaml").read_text())


@pytest.mark.parametrize("language", ["uk", "ru"])
def test_entries_have_their_printed_numbers(language: str) -> None:
    book = volume(language).book
    printed = {id_: str(row[language]) for id_, row in PRINTED.items()}
    assert {entry.id: entry.number for entry in book.all()} == printed | OWN
    assert [entry.number for entry in book.entries] == [str(number) for number in range(1, 55)]


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_clauses_have_their_printed_numbers(language: str) -> None:
    book = volume(language).book
    for entry in book.all():
        numbered = [line.label for line in entry.lines if line.label and not line.bullet]
        if entry.id not in OWN:
            assert numbered == [str(at + 1) for at in range(PRINTED[entry.id]["clauses"])]
        for line in entry.lines:
            key = line.id.removeprefix(f"{entry.id}.")
            assert line.number == (entry.number if key == "0" else f"{entry.number}.{key}")
    inside = [line for entry in book.entries for line in entry.lines if line.label and not line.bullet]
    assert len(inside) == 309


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_every_clause_is_there_once(language: str) -> None:
    model = compiled().model
    assert model is not None
    lines = [line.id for line in volume(language).book.lines()]
    assert sorted(lines) == sorted(model.clauses)
    assert len(lines) == len(set(lines))


def changed(language: str, **rules: Rule) -> Any:
    made = compiled()
    assert made.model is not None and made.artefact is not None
    model = replace(made.model, rules={**made.model.rules, **rules})
    return make_book(model, made.artefact["text"][language], "", load_tables()[language])[1]


@pytest.mark.parametrize(("language", "out"), [("uk", "skill-card"), ("ru", "defeated")])
def test_one_entry_of_each_book_stands_out_of_the_alphabet(language: str, out: str) -> None:
    """The content says so, the tool says so, and without that the numbers would be wrong."""
    model = compiled().model
    assert model is not None
    assert [id_ for id_, rule in model.rules.items() if language in rule.after] == [out]
    remarks = changed(language)
    assert remarks.wrong == []
    assert [note.split(" ")[0] for note in remarks.notes] == [out]
    remarks = changed(language, **{out: replace(model.rules[out], after={})})
    assert any(line.startswith(f"{out} ") and "after: {" + language in line for line in remarks.wrong)
    assert remarks.notes == []


def test_places_that_lead_in_a_circle() -> None:
    model = compiled().model
    assert model is not None
    one, other = model.rules["die"], model.rules["brig"]
    remarks = changed("en", die=replace(one, after={"en": "brig"}), brig=replace(other, after={"en": "die"}))
    assert remarks.wrong == ["no place for brig, die: after: {en: ..} leads to an appendix or in a circle"]


def test_places_that_clash() -> None:
    model = compiled().model
    assert model is not None
    one, other = model.rules["die"], model.rules["brig"]
    remarks = changed("en", die=replace(one, after={"en": "human"}), brig=replace(other, after={"en": "human"}))
    assert remarks.wrong == [
        "brig and die have one place, behind human: after: {en: ..} says for one of them that it stands "
        "behind the other"
    ]
    remarks = changed("en", die=replace(one, after={"en": "human"}), brig=replace(other, after={"en": "die"}))
    assert remarks.wrong == []


def test_a_place_of_an_appendix() -> None:
    model = compiled().model
    assert model is not None
    remarks = changed("uk", secrecy=replace(model.rules["secrecy"], after={"uk": "die"}))
    assert remarks.wrong == ["secrecy is an appendix, and those follow their Roman numbers: after: {uk: ..} cannot be"]


def test_a_place_that_is_that_of_the_alphabet() -> None:
    model = compiled().model
    assert model is not None
    titles = [entry.id for entry in volume("en").book.entries]
    before = titles[titles.index("die") - 1]
    remarks = changed("en", die=replace(model.rules["die"], after={"en": before}))
    assert remarks.notes == [f"die («Die») stands behind {before} by the alphabet: after: {{en: ..}} says nothing new"]


def test_a_wrong_number_is_told() -> None:
    model = compiled().model
    assert model is not None
    remarks = changed("uk", attack=replace(model.rules["attack"], numbers={"uk": "3"}))
    assert len(remarks.wrong) == 1
    assert remarks.wrong[0].startswith("attack («Атака») is number 2 by the alphabet and 3 in the content")


def test_entries_without_a_number_are_told() -> None:
    model = compiled().model
    assert model is not None
    remarks = changed("ru", attack=replace(model.rules["attack"], numbers={}))
    assert remarks.wrong == []
    assert "1 of 60 entries have no printed number in 'ru' (attack): all are numbered anew" in remarks.notes


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("uk", ["а-2", "вилка", "відро", "влада", "гак", "ґанок", "за кермом", "закон", "йод", "пряник", "п'ята", "«яма»"]),
        ("uk", ["ЗА КОРМОЮ", "закінчення", "Їжак", "йти", "кіт"]),
        ("ru", ["еда", "ёж", "ель", "игрок", "игрок-человек", "карта вещи", "карта роли", "карцер"]),
        ("en", ["2 cards", "End of the game", "ending", "Zest", "the zoo"]),
    ],
)  # fmt: skip
def test_alphabets(language: str, words: list[str]) -> None:
    tables = load_tables()[language]
    shuffled = words[::-1]
    assert sorted(shuffled, key=tables.key) == words


def test_roman_numbers_and_letters() -> None:
    assert [format_roman(number) for number in (1, 4, 9, 14, 40, 90)] == ["I", "IV", "IX", "XIV", "XL", "XC"]
    assert [parse_roman(format_roman(number)) for number in range(1, 99)] == list(range(1, 99))
    assert [format_letter(number) for number in (1, 26, 27)] == ["a", "z", "aa"]

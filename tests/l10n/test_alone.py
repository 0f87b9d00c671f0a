"""Checks without a dictionary and without a package: declensions from tables, and what a file says about itself."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest

from grimoire.compiler.api.translations import check_paths
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.text.lexicon import Reader
from grimoire.compiler.localisation.translation import run as l10n_check
from grimoire.compiler.localisation.translation.glossary import Lemmas
from grimoire.compiler.localisation.translation.names import Names
from grimoire.compiler.localisation.translation.paradigms import Paradigms, load_common_words, load_tables

PAIRS = {  # texts of no game of ours
    "uk": [
        ("Take a lantern and two drops.", "Візьміть ліхтар і дві краплі."),
        ("Put the lantern on a tree.", "Поставте ліхтар на дерево."),
        ("A tree without a lantern loses one drop.", "Дерево без ліхтаря втрачає одну краплю."),
        ("The lantern burns until the end of the round.", "Ліхтар горить до кінця раунду."),
        ("Move all lanterns to the left.", "Пересуньте всі ліхтарі ліворуч."),
        ("Each player takes a card.", "Кожен гравець бере карту."),
        ("Discard one card.", "Скиньте одну карту."),
        ("Look at the top card.", "Подивіться верхню карту."),
        ("You may discard two cards.", "Ви можете скинути дві карти."),
        ("You cannot harvest in the seventh round.", "Збирати врожай у сьомому раунді не можна."),
        ("No more than four guests fit on a porch.", "На ґанку вміщується не більше чотирьох гостей."),
        ("{player} gains 2 [coin].", "{player} отримує 2 [coin]."),
        ("Remove the guests marked with a star.", "Приберіть гостей, позначених зіркою."),
    ],
    "ru": [
        ("Take a lantern and two drops.", "Возьмите фонарь и две капли."),
        ("Put the lantern on a tree.", "Поставьте фонарь на дерево."),
        ("A tree without a lantern loses one drop.", "Дерево без фонаря теряет одну каплю."),
        ("The lantern burns until the end of the round.", "Фонарь горит до конца раунда."),
        ("Move all lanterns to the left.", "Передвиньте все фонари влево."),
        ("Each player takes a card.", "Каждый игрок берёт карту."),
        ("Discard one card.", "Сбросьте одну карту."),
        ("Look at the top card.", "Посмотрите верхнюю карту."),
        ("You may discard two cards.", "Вы можете сбросить две карты."),
        ("You cannot harvest in the seventh round.", "Собирать урожай в седьмом раунде нельзя."),
        ("No more than four guests fit on a porch.", "На крыльце помещается не больше четырёх гостей."),
        ("{player} gains 2 [coin].", "{player} получает 2 [coin]."),
        ("Remove the guests marked with a star.", "Уберите гостей, отмеченных звездой."),
    ],
}


@pytest.fixture(autouse=True)
def no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(l10n_check, "is_installed", lambda language: False)


def found(tmp_path: Path, language: str, change: tuple[str, str] | None = None) -> dict[str, set[str]]:
    po = polib.POFile()
    po.metadata = {"Language": language, "Content-Type": "text/plain; charset=UTF-8"}
    for at, (source, target) in enumerate(PAIRS[language]):
        if change is not None and change[0] in target:
            target = target.replace(*change)
        po.append(polib.POEntry(msgctxt=f"s{at}", msgid=source, msgstr=target))
    if change is not None:
        assert any(change[1] in entry.msgstr for entry in po)
    po.save(str(tmp_path / "x.po"))
    rows: dict[str, set[str]] = {}
    for slip in check_paths([str(tmp_path / "x.po")], language, None, None):
        rows.setdefault(slip.id, set()).add(slip.check)
    return rows


@pytest.mark.parametrize("language", ["uk", "ru"])
def test_a_clean_file_has_no_findings(tmp_path: Path, language: str) -> None:
    assert found(tmp_path, language) == {}


@pytest.mark.parametrize(
    ("language", "change", "id_", "check"),
    [
        ("uk", ("Ви можете скинути", "Скиньте"), "s8", "modals"),  # an order, no permission
        ("ru", ("Вы можете сбросить", "Сбросьте"), "s8", "modals"),
        ("uk", ("раунді не можна", "раунді не потрібно"), "s9", "modals"),  # forbidden is not needless
        ("ru", ("раунде нельзя", "раунде не нужно"), "s9", "modals"),
        ("uk", ("сьомому", "п'ятому"), "s9", "numbers"),
        ("ru", ("седьмом", "пятом"), "s9", "numbers"),
        ("uk", ("{player}", "{players}"), "s11", "placeholders"),
        ("uk", ("2 [coin]", "2"), "s11", "symbols"),
        ("uk", ("без ліхтаря", "без ліхтарю"), "s2", "cases"),
        ("uk", ("верхню карту", "верхню картів"), "s7", "forms"),
        ("ru", ("верхнюю карту", "верхнюю картыми"), "s7", "forms"),
    ],
)
def test_slips_in_a_file_without_a_package(
    tmp_path: Path, language: str, change: tuple[str, str], id_: str, check: str
) -> None:
    assert check in found(tmp_path, language, change).get(id_, set())


# --- declensions ------------------------------------------------------------------------------------------------------


def paradigms(language: str, words: str) -> Paradigms:
    return Paradigms(language, Lemmas(Reader(language, Diagnostics())), words.split())


def test_forms_that_belong_together() -> None:
    known = paradigms("uk", "шкатулка шкатулку шкатулки шкатулкою скидає скидати скидають скинув")
    readings = {(reading.number, reading.case) for reading in known.find_readings("шкатулці")}
    assert readings == {("sg", "dat"), ("sg", "loc")}
    assert known.find_readings("скидаю") == set()  # a verb
    assert known.find_readings("небувальщ") == set()  # nothing else says what it is
    assert known.find_misformed("шкатулкам") is None
    assert known.find_misformed("шкатулків") == "шкатулка"


def test_alternating_vowels() -> None:
    known = paradigms("uk", "ніс носа носу носом")
    assert ("sg", "nom") in {(reading.number, reading.case) for reading in known.find_readings("ніс")}


@pytest.mark.parametrize("language", ["uk", "ru"])
def test_the_tables_are_whole(language: str) -> None:
    """Every noun of the tables has a declension; no word stands there with a letter of another alphabet."""
    known = paradigms(language, "")
    words = [word for row in load_tables(language).known.values() for word in row]
    assert len(known.given) > 0.95 * len(set(words))
    assert all("а" <= letter <= "ї" or letter in "ґ'/" for word in words for letter in word)


def test_common_words() -> None:
    assert load_common_words("en", "uk")["card"] == ("карта", "картка")
    assert not load_common_words("de", "uk")


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_in_their_cases() -> None:
    names = Names(["Ктулху", "Дагон"], ["Поклик Іннсмута"])
    assert names.has("Дагоном") and names.has("ктулху")
    assert names.has("Іннсмуті")
    assert not names.has("Іннсмута", is_named=True)  # it cannot vouch for itself
    assert not names.has("дагестан")
    assert not names.without(lambda word: word == "поклик").has("поклику")

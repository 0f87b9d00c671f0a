"""What localisers leave in a package is checked with it: nothing in its files is ignored."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grimoire.compiler import check
from grimoire.compiler.api.translations import check_paths
from grimoire.compiler.localisation.translation.card_room import is_too_long, measure_text

ROOT = Path(__file__).parents[2]
RECORD = "l10n/uk.yaml"
SILENCED = "l10n/silenced.yaml"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "content" / "leduc", tmp_path / "leduc")


def said(package: Path) -> list[tuple[str, int, str, str]]:
    return [(Path(item.span.file).name, item.span.line, item.code, item.message) for item in check([package])]


def edit(path: Path, change: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    new = change(text)
    assert new != text
    path.write_text(new, encoding="utf-8")


def test_the_packages_records_say_nothing(package: Path) -> None:
    assert (package / RECORD).is_file()
    assert said(package) == []


@pytest.mark.parametrize(
    ("change", "line", "code", "words"),
    [
        (lambda t: t + "de: {}\n", -1, "G0305", "no key 'de'"),
        (
            lambda t: t.replace("en:\n", "en:\n  'names.ghost': '0123456789abcdef'\n"),
            3,
            "G0920",
            "no text 'names.ghost'",
        ),
        (lambda t: t.replace("en:\n", "en:\n  'names.ghost': [1]\n"), 3, "G0301", "must be a text"),
        (lambda t: t.partition("': '")[0] + "': 'nonsense'\n", 3, "G0920", "'nonsense' is no hash"),
        (lambda t: "[1]\n", 1, "G0301", "must be a mapping"),
        (lambda t: "en: 3\n", 1, "G0301", "must be a mapping"),
    ],
)
def test_a_record_of_nothing(package: Path, change: Callable[[str], str], line: int, code: str, words: str) -> None:
    edit(package / RECORD, change)
    (found,) = [row for row in said(package) if row[2] == code]
    assert found[0] == "uk.yaml"
    assert line in (found[1], -1)
    assert words in found[3]


@pytest.mark.parametrize(
    ("text", "line", "code", "words"),
    [
        ("uk:\n  names.ghost:\n    quotes: why\n", 2, "G0920", "no text 'names.ghost'"),
        ("uk:\n  names.king:\n    ghosts: why\n", 3, "G0305", "no key 'ghosts'"),
        ("uk:\n  names.king:\n    quotes: ''\n", 3, "G0920", "needs a reason"),
        ("uk:\n  names.king: quotes\n", 2, "G0301", "must be a mapping"),
        ("de:\n  names.king: {quotes: why}\n", 1, "G0305", "no key 'de'"),
    ],
)
def test_a_silence_of_nothing(package: Path, text: str, line: int, code: str, words: str) -> None:
    (package / SILENCED).write_text(text, encoding="utf-8")
    (found,) = said(package)
    assert found[:3] == ("silenced.yaml", line, code)
    assert words in found[3]


def test_a_file_of_another_name(package: Path) -> None:
    (package / "l10n" / "de.yaml").write_text("en: {}\n", encoding="utf-8")
    (found,) = said(package)
    assert found[0] == "de.yaml"
    assert "no file of localisers" in found[3]


def test_a_glossary_is_checked_with_the_package_though_no_card_has_words(package: Path) -> None:
    """Nothing in it is ignored, and a change is seen at once."""
    file = package / "text" / "uk" / "glossary.yaml"
    file.parent.mkdir()
    file.write_text("glossary:\n  box: {forms: коробка коробки}\n  loud: [1]\n", encoding="utf-8")
    assert [row[:3] for row in said(package)] == [("glossary.yaml", 2, "G0911"), ("glossary.yaml", 3, "G0301")]
    file.write_text("glossary:\n  box: {forms: коробка, gender: f}\n  loud: уголос\n", encoding="utf-8")
    assert said(package) == []


# --- names and space --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "code", "words"),
    [
        ("uk:\n- король\n- Тюхтій\n", 3, "G0920", "no text in 'uk' has the name 'Тюхтій'"),
        ("de:\n- король\n", 1, "G0305", "no key 'de'"),
        ("uk: король\n", 1, "G0301", "must be a list"),
    ],
)
def test_a_name_that_nothing_uses(package: Path, text: str, line: int, code: str, words: str) -> None:
    (package / "l10n/names.yaml").write_text(text, encoding="utf-8")
    (found,) = said(package)
    assert found[:3] == ("names.yaml", line, code)
    assert words in found[3]


def test_a_name_in_any_case(package: Path) -> None:
    (package / "l10n/names.yaml").write_text("uk: [Валет, Дама]\nru: [Король]\n", encoding="utf-8")
    assert said(package) == []


@pytest.mark.parametrize(
    ("text", "line", "code", "words"),
    [
        ("ghost: {name: 3}\n", 1, "G0920", "no kind 'ghost'"),
        ("court-card: {width: 3}\n", 1, "G0305", "no key 'width'"),
        ("court-card: {name: much}\n", 1, "G0302", "whole number"),
        ("court-card: {name: 0}\n", 1, "G0307", "the characters of the name"),
    ],
)
def test_space_that_says_nothing(tmp_path: Path, text: str, line: int, code: str, words: str) -> None:
    package = shutil.copytree(ROOT / "content" / "love-letter", tmp_path / "love-letter")
    (package / "l10n/space.yaml").write_text(text, encoding="utf-8")
    found = said(package)
    assert [row[:3] for row in found] == [("space.yaml", line, code)]
    assert words in found[0][3]


def test_what_does_not_fit(tmp_path: Path) -> None:
    """Names and generated texts; the same limit holds for both commands, and a limit that is high enough is silent."""
    package = shutil.copytree(ROOT / "content" / "love-letter", tmp_path / "love-letter")
    space = package / "l10n/space.yaml"
    space.write_text("court-card: {name: 40, text: 900}\n", encoding="utf-8")
    assert said(package) == []
    assert not [slip for slip in check_paths([str(package)], "uk", None, None) if slip.check == "length"]
    space.write_text("court-card: {name: 8, text: 250}\n", encoding="utf-8")
    found = said(package)
    assert {code for _, _, code, _ in found} == {"G0921"}
    assert any("the name has 9 characters, and 8 fit" in row[3] for row in found)
    assert any("the generated text has" in row[3] and "in 'uk'" in row[3] for row in found)
    lines = (package / "cards.yaml").read_text(encoding="utf-8").splitlines()
    for file, line, _, message in found:
        if "generated" in message:
            assert (file, lines[line - 1]) == ("cards.yaml", f"  {message.partition(' ')[0]}:"), "where the card stands"
    slips = [slip for slip in check_paths([str(package)], "uk", None, None) if slip.check == "length"]
    assert {slip.id.partition(".")[0] for slip in slips} == {"names", "cards"}


def test_the_cards_of_our_games_fit() -> None:
    for game in ("unfathomable", "abyss"):
        assert (ROOT / "content" / game / "l10n/space.yaml").is_file()
        assert not [item for item in check([ROOT / "content" / game]) if item.code == "G0921"]


def test_a_symbol_takes_one_sign() -> None:
    assert measure_text("Pay 2 [coin]<b>!</b>") == len("Pay 2 x!")
    assert is_too_long("Lamp", "Дуже довга назва для лампи, якої ніхто не хоче")
    assert not is_too_long("Used", "Використано цього ходу")

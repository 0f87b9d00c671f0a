"""Words of a locale in shapes that nobody expects: always diagnostics, whatever the texts of cards are made with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from grimoire.compiler import check
from tests.packages import CONTENT

from .kit import with_file

NOUN = "forms: персонаж персонажа персонажеві персонажа персонажем персонажеві"


def words(folder: Path, text: str) -> Path:
    """A game in which one Ukrainian noun has this row."""
    root = folder / "love-letter"
    shutil.copytree(CONTENT / "love-letter", root)
    file = root / "text" / "uk" / "words.yaml"
    before = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^  character:\n(?:    .*\n)+", f"{text}\n", before), encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("whose: '{value:constructor}'", "G0911"),
        ("whose: '{value:nom.dual}'", "G0911"),
        ("whose: '{value?one}'", "G0911"),
        ("whose: '{value#one}'", "G0911"),
        ("whose: '{value?a|b|c|d|e}'", "G0911"),
        ("tail: [a, b]", "G0301"),
        ("whose: [a]", "G0301"),
        ("whose: {before: {a: b}}", "G0301"),
        ("gender: [m]", "G0301"),
        ("with: {a: b}", "G0301"),
        ("set: text", "G0301"),
        ("get: [more]", "G0301"),
        ("is: {0: [a]}", "G0301"),
        ("usual: {a: b}", "G0301"),
        ("into: [a]", "G0301"),
        ("into: {phrases: text}", "G0301"),
        ("at: ~", "G0304"),
    ],
)
def test_a_noun(tmp_path: Path, row: str, code: str) -> None:
    found = check([words(tmp_path, f"  character: {{{NOUN}, {row}}}")])
    assert code in {item.code for item in found}, found


@pytest.mark.parametrize("form", ["inf", "done", "ind", "low", "phrase"])
def test_a_noun_that_is_asked_for_a_form_of_verbs_is_named(tmp_path: Path, form: str) -> None:
    found = check([words(tmp_path, f"  character: {{{NOUN}, whose: '{{value:{form}}}'}}")])
    assert not [item for item in found if item.severity == "error"]


def test_more_players_than_can_be_played(tmp_path: Path) -> None:
    manifest = "package: base\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: {}\n"
    assert "G0210" not in {item.code for item in check([with_file(tmp_path, manifest.format(64), "package.yaml")])}
    (tmp_path / "base" / "package.yaml").write_text(manifest.format(65))
    assert "G0210" in {item.code for item in check([tmp_path / "base"])}

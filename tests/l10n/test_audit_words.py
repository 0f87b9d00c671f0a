"""The audit of a book that is not word for word ours: all and one, may and must, whoever acts, quotations, notions,
sentences.

Each statement of the print has a tail of words that the package does not know; so the book is compared by what it says,
not word by word.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from grimoire.compiler.localisation.audit.run import Audit
from grimoire.compiler.localisation.audit.statements import Remark

from .printed import Statement, changers, make, number_of, render, statements

TAILS = {
    "uk": "Отакої оповідки дотримуються бувальці.",
    "ru": "Такой побасенки держатся бывальцы.",
    "en": "Thus goes yonder sailors yarn.",
}
KINDS = ("number", "track", "space", "actor", "term", "modal")


def audited(made: Audit, language: str, rows: list[Statement], tmp_path: Path) -> list[Remark]:
    book = make(made.edition, language)
    tail = TAILS[language]
    text = render(book, [row._replace(text=f"{row.text.rstrip('.')}. {tail}") for row in rows], random.Random(1))
    (tmp_path / "book.txt").write_text(text, encoding="utf-8")
    return made.run(made.lay(language, tmp_path / "book.txt", "book.txt"))


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_other_words_are_no_findings(unfathomable: Audit, tmp_path: Path, language: str) -> None:
    assert audited(unfathomable, language, statements(make(unfathomable.edition, language)), tmp_path) == []


@pytest.mark.parametrize("language", ["uk", "ru"])
def test_slips_in_other_words_are_found(unfathomable: Audit, tmp_path: Path, language: str) -> None:
    book, chance = make(unfathomable.edition, language), random.Random(12)
    rows = statements(book)
    sown: list[tuple[str, str, str]] = []
    used: set[tuple[int, int]] = set()
    order = [at for at, row in enumerate(rows) if row.clause and not book.all()[row.entry].appendix]
    for kind in KINDS:
        chance.shuffle(order)
        left = 5
        for at in order:
            row = rows[at]
            after = changers(language)[kind](row.text, chance) if left and (row.entry, row.clause) not in used else None
            if after is not None:
                rows[at] = row._replace(text=after)
                used.add((row.entry, row.clause))
                sown.append((kind, number_of(book, row), after))
                left -= 1
    found = audited(unfathomable, language, rows, tmp_path)
    worst = {row.number for row in found if row.severity == "changes-play"}
    missed = [slip for slip in sown if slip[1] not in worst]
    assert len(sown) >= 25 and len(missed) <= 0.15 * len(sown), missed
    assert {row.number for row in found} <= {number for _, number, _ in sown}


@pytest.mark.parametrize(
    ("id_", "old", "new", "severity", "words"),
    [
        # may and must
        ("action.8c", "людині доступна", "людина мусить розіграти, і це", "changes-play", "says that one must"),
        ("brig.11", "не можна ні поміщати", "можна і поміщати", "changes-play", "allows what the rule forbids"),
        # all, one, chosen
        ("action.10b", "Усі вибрані карти", "Усі карти", "changes-play", "the rule has 'вибрані"),
        ("reveal-as-traitor.3", "одній людині", "одному гравцеві", "imprecise", "says 'одному гравцеві'"),
        ("title.4c", "всі інші люди", "всі гравці", "changes-play", "says 'всі гравці'; the rule has 'всі"),
        ("loyalty-card.3", "хоча б одну карту", "всі карти", "changes-play", "says 'всі"),
        # whoever acts, and where
        ("turn-structure.2", "людина поточний", "пасажир поточний", "changes-play", "says 'пасажир'"),
        ("activation.10b", "у запасі", "у Глибинах", "changes-play", "says 'Глибинах'; the rule has 'запасі'"),
        # numbers
        ("activation.9", "на одну водну", "на дві водні", "changes-play", "says 2; the rule has 1"),
        ("loyalty-card.3", "хоча б одну", "хоча б дві", "changes-play", "says 'хоча б дві', which the rule has not"),
        # names in quotes
        ("title.8", "«Прибуття»", "«Закляття»", "changes-play", "says «Закляття»; the rule has «Прибуття»"),
        ("ability.6", "ще й «натомість»", "ще й про інше", "gap", "does not say «натомість»"),
        # notions
        ("bow-waters.1", "найближчої з пронумерованих", "пронумерованих", "gap", "does not say 'найближчої'"),
        ("attack.6", ", зокрема й кілька з однією назвою", "", "gap", "'однією назвою'"),
        ("revealed-traitor.5", ", крім карцеру,", "", "gap", "'крім'"),
        ("activation.10b", "не вистачає", "немає жодного", "changes-play", "says 'немає жодного'"),
        # sentences
        ("sick-bay.1", " Відкритий зрадник може натомість узяти карту зради.", "", "gap", "does not say"),
        ("mythos-card.4f", " Так чинять, доки скидати більше нічого.", "", "gap", "does not say 'Так чинять, доки'"),
    ],
)
def test_what_each_instrument_is_for(
    unfathomable: Audit, tmp_path: Path, id_: str, old: str, new: str, severity: str, words: str
) -> None:
    rows = statements(make(unfathomable.edition, "uk"))
    (at,) = [at for at, row in enumerate(rows) if row.id == id_]
    assert old in rows[at].text, f"the wording of {id_} has changed: choose other words of it"
    rows[at] = rows[at]._replace(text=rows[at].text.replace(old, new))
    found = [row for row in audited(unfathomable, "uk", rows, tmp_path) if row.id == id_]
    assert [row for row in found if row.severity == severity and words in row.message], found

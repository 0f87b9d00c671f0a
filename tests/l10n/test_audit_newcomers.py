"""The audit of who acts and where: persons and places that only the print has, bans turned round, manners of play."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler.localisation.audit.run import Audit
from grimoire.compiler.localisation.audit.statements import Remark

from .printed import make, number_of, statements
from .test_audit_words import audited


def changed(made: Audit, language: str, id_: str, before: str, after: str, tmp_path: Path) -> list[Remark]:
    """The findings on one statement of a print with other words, after one word has been exchanged."""
    book = make(made.edition, language)
    rows = statements(book)
    at = next(at for at, row in enumerate(rows) if row.id == id_)
    assert before in rows[at].text
    rows[at] = rows[at]._replace(text=rows[at].text.replace(before, after))
    found = audited(made, language, rows, tmp_path)
    assert {row.number for row in found} <= {number_of(book, rows[at])}
    return found


@pytest.mark.parametrize(
    ("id_", "before", "after"),
    [
        ("reveal-as-traitor.4", "гравець", "монарх"),  # nobody of a class is lost: any player is meant
        ("sick-bay.3", "Людина", "Пасажир"),
        ("brig.6", "карцері", "каплиці"),  # the space is named in the title of the entry
        ("mythos-card.9", "до гравця", "до поточного гравця"),
    ],
)
def test_persons_and_places_of_the_print_only(
    unfathomable: Audit, tmp_path: Path, id_: str, before: str, after: str
) -> None:
    found = changed(unfathomable, "uk", id_, before, after, tmp_path)
    assert [row.severity for row in found][:1] == ["changes-play"]
    assert after.rpartition(" ")[2].lower() in found[0].message.lower()


def test_a_ban_that_is_none(unfathomable: Audit, tmp_path: Path) -> None:
    found = changed(
        unfathomable, "uk", "brig.11", "не можна ні поміщати в карцер, ні", "можна поміщати в карцер і", tmp_path
    )
    assert any("forbids" in row.message for row in found)


def test_manners_are_compared(unfathomable: Audit, tmp_path: Path) -> None:
    assert unfathomable.edition.model.clauses["ability.16b"].kind == "manners"
    found = changed(unfathomable, "uk", "ability.16b", " чи відповідати взагалі", "", tmp_path)
    assert any("взагалі" in row.message for row in found)

"""The ledger of Unfathomable against the two printed books: every entry under both numbers, every clause, all proved or
explained."""

from __future__ import annotations

import pytest

from tests.games.voyage import package

# entry, number in the Ukrainian book, number in the Russian book, numbered clauses
BOOK = [
    ("activation", 1, 1, 18),
    ("attack", 2, 2, 9),
    ("remove-from-game", 3, 51, 0),
    ("open-information", 4, 26, 8),
    ("revealed-traitor", 5, 40, 7),
    ("traitor-ability", 6, 45, 0),
    ("ability", 7, 44, 16),
    ("action-ability", 8, 28, 3),
    ("enemy", 9, 3, 2),
    ("the-deep", 10, 38, 3),
    ("player", 11, 7, 0),
    ("action", 12, 4, 13),
    ("stern-waters", 13, 5, 1),
    ("game-end", 14, 19, 1),
    ("space", 15, 25, 20),
    ("traitor", 16, 35, 0),
    ("spell-card", 17, 10, 2),
    ("feat-card", 18, 14, 4),
    ("treachery-card", 19, 11, 3),
    ("waypoint-card", 20, 15, 2),
    ("loyalty-card", 21, 16, 7),
    ("mythos-card", 22, 12, 27),
    ("item-card", 23, 9, 10),
    ("skill-card", 24, 13, 4),
    ("brig", 25, 17, 13),
    ("die", 26, 20, 2),
    ("chaos-deck", 27, 18, 5),
    ("sick-bay", 28, 21, 6),
    ("hand-limit", 29, 36, 2),
    ("human", 30, 8, 1),
    ("objective", 31, 54, 13),
    ("monarch", 32, 22, 2),
    ("monster", 33, 23, 0),
    ("skill-set", 34, 24, 2),
    ("component-limits", 35, 27, 2),
    ("reveal-as-traitor", 36, 43, 8),
    ("passenger", 37, 30, 11),
    ("skill-test", 38, 37, 9),
    ("defeated", 39, 48, 7),
    ("character", 40, 32, 0),
    ("bow-waters", 41, 31, 1),
    ("place", 42, 39, 1),
    ("title", 43, 6, 14),
    ("damage", 44, 33, 7),
    ("repair", 45, 41, 3),
    ("resource", 46, 42, 1),
    ("movement-arrow", 47, 47, 2),
    ("turn-structure", 48, 49, 13),
    ("adjacent", 49, 46, 3),
    ("track", 50, 50, 12),
    ("hindering-skill", 51, 29, 1),
    ("supporting-skill", 52, 34, 1),
    ("awakening-phase", 53, 52, 5),
    ("target-number", 54, 53, 2),
]
APPENDICES = {"no-cultist", "difficulty", "secrecy", "set-up"}
UNNUMBERED = {"golden-rules", "first-game"}  # appendices only here


def clauses() -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = package().document["clauses"]
    return found


def test_the_table_of_the_books_is_whole() -> None:
    assert len(BOOK) == 54 and sum(count for *_, count in BOOK) == 309
    for book in (1, 2):
        assert sorted(row[book] for row in BOOK) == list(range(1, 55))


def test_the_ledger_has_these_entries_and_no_others() -> None:
    assert {id_.rpartition(".")[0] for id_ in clauses()} == {row[0] for row in BOOK} | APPENDICES | UNNUMBERED


@pytest.mark.parametrize(("slug", "uk", "ru", "count"), BOOK)
def test_every_numbered_clause_has_both_numbers(slug: str, uk: int, ru: int, count: int) -> None:
    own = {id_.partition(".")[2]: row for id_, row in clauses().items() if id_.startswith(f"{slug}.")}
    assert "0" in own, "the statement that opens the entry"
    assert {int(key) for key in own if key.isdecimal()} == set(range(count + 1))
    for key, row in own.items():
        number = f".{key}" if key != "0" else ".0"
        assert row["numbers"] == {"uk": f"{uk}{number}", "ru": f"{ru}{number}"}, key


def test_the_same_clause_in_two_books() -> None:
    assert clauses()["mythos-card.17"]["numbers"] == {"uk": "22.17", "ru": "12.17"}
    assert clauses()["reveal-as-traitor.3"]["numbers"] == {"uk": "36.3", "ru": "43.3"}


def test_bullets_follow_their_clause_in_order() -> None:
    for slug, *_ in BOOK:
        own = [id_.partition(".")[2] for id_ in clauses() if id_.startswith(f"{slug}.")]
        for key in own:
            number, letter = key.rstrip("abcdefghijklmnopqrstuvwxyz"), key.lstrip("0123456789")
            assert number in own, f"{slug}.{key} is a bullet of nothing"
            for before in "abcdefghijklmnopqrstuvwxyz"[: max(ord(letter) - ord("a"), 0) if letter else 0]:
                assert f"{number}{before}" in own, f"{slug}.{key} without {number}{before}"

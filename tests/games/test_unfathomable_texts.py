"""What Unfathomable tells people: every card that does something is worded in three languages, with the numbers of its
program."""

from __future__ import annotations

from typing import Any

import pytest

from grimoire.runtime.wording.words import Words
from tests.games.voyage import package

LANGUAGES = ("en", "uk", "ru")


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = package().document["definitions"]
    return found


def printed(column: str, number: int) -> Any:
    for row in package().document["columns"]:
        if row["id"] == column and row["printed"]:
            return row["printed"][number]
    raise AssertionError(column)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_that_does_something_says_what(language: str) -> None:
    document = package().document
    words = Words(document, language)
    bearing = {row["of"] for row in document["abilities"] if row["of"] >= 0}
    silent = [
        row["id"]
        for at, row in enumerate(rows())
        if (row["programs"] or at in bearing) and words.card(row["id"]) is None
    ]
    assert silent == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_tests_are_worded_with_their_numbers_and_skills(language: str) -> None:
    document = package().document
    words = Words(document, language)
    fixtures = [row["id"] for row in document["fixtures"]]
    tests = 0
    for number, row in enumerate(rows()):
        if "pass" not in row["programs"] and "fail" not in row["programs"]:
            continue
        text = words.card(row["id"]) or ""
        tests += 1
        assert f" {printed('mythos-card.target', number)} (" in text, row["id"]
        partial = printed("mythos-card.partial-target", number)
        assert (f"({partial}+)" in text) == (partial > 0), row["id"]
        support = printed("mythos-card.support", number)
        for at, id_ in enumerate(fixtures):
            if (support >> at) & 1:
                assert words.name(id_).lower() in text.lower(), (row["id"], id_)
    assert tests == 49, "30 tests and 19 combined crises"


@pytest.mark.parametrize("language", LANGUAGES)
def test_waypoints_are_worded_with_their_distance(language: str) -> None:
    words = Words(package().document, language)
    found = 0
    for number, row in enumerate(rows()):
        text = words.card(row["id"]) or ""
        if package().document["kinds"][row["kind"]]["id"] == "waypoint-card":
            found += 1
            assert f" {printed('waypoint-card.distance', number)}." in text, row["id"]
    assert found == 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_characters_are_worded_with_their_skill_sets(language: str) -> None:
    document = package().document
    words = Words(document, language)
    for number, row in enumerate(rows()):
        if document["kinds"][row["kind"]]["id"] == "character":
            text = (words.card(row["id"]) or "").lower()
            for skill in ("influence", "lore", "observation", "strength", "will"):
                count = printed(f"character.{skill}-set", number)
                assert (f"{words.name(skill).lower()} {count}" in text) == (count > 0), (row["id"], skill)

"""The charter for large packages: the same looks as at the small ones, at fewer places."""

from __future__ import annotations

import random

import pytest

from grimoire.compiler.api.trace import trace_package
from grimoire.runtime import simulate
from tests.charter import probes
from tests.charter.kit import CONTENT, package, sizes
from tests.charter.twins import twins
from tests.open_proofs import list_new
from tests.packages import FOLDERS, LARGE, needs

# an expansion is the same table as its game
TABLES = [(name, players) for name in LARGE for players in sizes(name)[: 1 if needs(name) else None]]
CLAUSES = 12  # proved by breaking them, of all
CARDS = 8
EXPANSIONS = [root.name for root in FOLDERS if "\nneeds:" in (root / "package.yaml").read_text(encoding="utf-8")]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_games_that_differ_in_what_is_hidden_show_a_seat_the_same_bytes(name: str, players: int) -> None:
    found = twins(name, players, 6, steps=10)
    assert found.moved > 60 and found.pinned * 100 <= found.moved
    assert found.compared > 12 and not found.wrong, "\n".join(found.wrong[:5])


@pytest.mark.parametrize("name", LARGE)
def test_saved_copied_and_taken_back_at_every_decision(name: str) -> None:
    found = probes.paused(name, sizes(name)[0], range(1), logged=lambda seed: False)
    assert found.looks > 100 and not found.wrong, "\n".join(found.wrong[:5])


@pytest.mark.parametrize("name", LARGE)
def test_bulk_play_depends_on_the_seed_alone(name: str) -> None:
    one, two, other = (simulate(package(name), 6, sizes(name)[0], seed) for seed in (3, 3, 4))
    assert one.digest == two.digest != other.digest and one.errors == other.errors == 0


def choose_clauses(name: str) -> list[str]:
    """Some rules of the package's own ledger, others for every state of the content."""
    document = package(name).document
    own = {clause: row for clause, row in document["clauses"].items() if row["package"] == name}
    rules = [clause for clause, row in own.items() if row["kind"] == "rule"]
    return random.Random(document["hash"]).sample(rules, CLAUSES)


def choose_cards(name: str) -> list[str]:
    """Some cards that bear texts of their own, not only those of their kind; others for every state of the content."""
    document = package(name).document
    bearing = {row["of"] for row in document["abilities"] if row["label"] == row["id"]}
    bearing |= {row["of"] for row in document["modifiers"] if not row.get("clauses")}
    rows = enumerate(document["definitions"])
    cards = [row["id"] for number, row in rows if row["programs"] or number in bearing]
    return random.Random(document["hash"]).sample(cards, CARDS)


@pytest.mark.parametrize("name", [name for name in LARGE if name not in EXPANSIONS])  # these have tests of their own
def test_clauses_and_cards_are_proved_by_breaking_them(name: str) -> None:
    """All in one run: what they share, the package compiled with its scenarios and a program built, takes most of the
    time."""
    clauses, cards = choose_clauses(name), choose_cards(name)
    report = trace_package(CONTENT / name, jobs=1, only=[*clauses, *cards])
    assert {clause.id for clause in report.clauses} == set(clauses) and {card.id for card in report.cards} == set(cards)
    assert not list_new(report)


@pytest.mark.parametrize("name", LARGE)
def test_table_manners_have_reasons(name: str) -> None:
    rows = package(name).document["clauses"].values()
    assert all(row.get("reason") for row in rows if row["kind"] == "manners")

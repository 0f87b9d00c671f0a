"""The engine of the workspace: what is computed again after a change, and what is not."""

from __future__ import annotations

import pytest

from grimoire.compiler.workspace import engine
from grimoire.compiler.workspace.engine import Cycle, Database, Input, Query, query

number = Input[str, int]("number", lambda db, name: len(name))
ran: list[str] = []


@query
def sign(db: Database, name: str) -> bool:
    ran.append(f"sign {name}")
    return number(db, name) > 0


@query
def both(db: Database, names: tuple[str, str]) -> bool:
    ran.append("both")
    return sign(db, names[0]) and sign(db, names[1])


@pytest.fixture(autouse=True)
def _forget() -> None:
    ran.clear()


def test_an_answer_is_computed_once() -> None:
    db = Database()
    assert both(db, ("a", "b")) and both(db, ("a", "b"))
    assert ran == ["both", "sign a", "sign b"]


def test_an_equal_answer_ends_the_way_of_a_change() -> None:
    db = Database()
    both(db, ("a", "b"))
    ran.clear()
    number.set(db, "a", 7)
    assert both(db, ("a", "b"))
    assert ran == ["sign a"]
    ran.clear()
    number.set(db, "a", -7)
    assert not both(db, ("a", "b"))
    assert ran == ["sign a", "both"], "the second was not asked for"
    number.set(db, "b", -7)
    ran.clear()
    assert not both(db, ("a", "b"))
    assert ran == [], "what is not asked for any more does not count"


def test_an_input_that_stays_equal_is_no_change() -> None:
    db = Database()
    both(db, ("a", "b"))
    before = db.revision
    number.set(db, "a", 1)
    assert db.revision == before


def test_what_nobody_asks_for_any_more_is_dropped() -> None:
    db = Database()
    for i in range(1_000):
        number.set(db, "a", i)
        sign(db, f"name {i}")
        sign(db, "a")
        db.drop_unasked()
        assert len([1 for asked, _ in db._answers if asked is sign]) <= 4
    ran.clear()
    sign(db, "a")
    assert ran == []


def test_too_many_answers_are_dropped_without_being_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MAX_ANSWERS", 50)
    db = Database()
    for i in range(500):
        number.set(db, "a", i)
        sign(db, f"b{i % 7} {i}")
    assert len([1 for asked, _ in db._answers if asked is sign]) < 60


def test_a_circle_is_told() -> None:
    def ask(db: Database, name: str) -> int:
        return circle(db, name)

    circle = Query[str, int]("circle", ask)
    with pytest.raises(Cycle, match=r"circle.*-> circle"):
        circle(Database(), "x")


def test_an_answer_that_failed_is_not_kept() -> None:
    def ask(db: Database, name: str) -> int:
        return 1 // number(db, name)

    divide = Query[str, int]("divide", ask)
    db = Database()
    number.set(db, "a", 0)
    with pytest.raises(ZeroDivisionError):
        divide(db, "a")
    number.set(db, "a", 1)
    assert divide(db, "a") == 1

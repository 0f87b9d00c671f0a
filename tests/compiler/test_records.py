"""Records are data classes that cost less to load: they do the same."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from dataclasses import field as data_field
from typing import Any

import pytest

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.records import field, record, replace


@record(frozen=True, order=True)
class Point:
    """A place."""

    x: int
    y: int = 2

    @property
    def both(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True, order=True)
class DataPoint:
    """A place."""

    x: int
    y: int = 2


@record()
class Bag:
    name: str
    items: list[int] = field(default_factory=list)
    secret: dict[str, int] = field(repr=False, default_factory=dict)


@dataclass(slots=True)
class DataBag:
    name: str
    items: list[int] = data_field(default_factory=list)
    secret: dict[str, int] = data_field(repr=False, default_factory=dict)


@record(eq=False)
class Thing:
    name: str


def test_they_print_compare_and_hash_as_data_classes_do() -> None:
    one, other = Point(1), Point(1, 3)
    assert repr(one) == repr(DataPoint(1)).replace("Data", "") == "Point(x=1, y=2)"
    assert one == Point(1, 2) != other
    assert one != DataPoint(1)
    assert {one: "a"}[Point(x=1)] == "a"
    assert hash(one) == hash(DataPoint(1))
    assert one < other and other > one and one <= Point(1) and one >= Point(1)
    assert sorted([other, one]) == [one, other]
    assert (one.both, Point.__doc__, Point.__name__) == (3, "A place.", "Point")
    with pytest.raises(TypeError):
        assert one < 3  # type: ignore[operator]


def test_defaults_are_made_anew() -> None:
    first, second = Bag("a"), Bag("a")
    first.items.append(1)
    assert (first.items, second.items) == ([1], [])
    assert repr(first) == repr(DataBag("a", [1])).replace("Data", "") == "Bag(name='a', items=[1])"
    assert Bag("a", [1]) == first != second
    with pytest.raises(TypeError):
        hash(first)
    assert Thing("a") != Thing("a")
    assert isinstance(hash(Thing("a")), int)


def test_they_have_their_names_and_no_others() -> None:
    with pytest.raises(AttributeError):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del Point(1).x  # type: ignore[misc]
    bag: Any = Bag("a")
    with pytest.raises(AttributeError):
        bag.other = 1
    made: Any = Point
    for wrong in ((), (1, 2, 3)):
        with pytest.raises(TypeError):
            made(*wrong)


def test_they_can_be_copied_sent_and_changed() -> None:
    span = Span("a.yaml", 1, 2, 3, 4)
    assert pickle.loads(pickle.dumps(span)) == copy.deepcopy(span) == copy.copy(span) == span
    assert replace(span, line=7) == Span("a.yaml", 7, 2, 3, 4)
    assert copy.deepcopy(Bag("a", [1])) == Bag("a", [1])
    match span:
        case Span(file, line):
            assert (file, line) == ("a.yaml", 1)

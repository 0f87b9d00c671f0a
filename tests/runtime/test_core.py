"""The declarations of the core, and what is made from them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from grimoire.compiler.reference.core import PAGE, SCHEMA, render, render_schema
from grimoire.runtime import ArtefactError
from grimoire.runtime.core.expressions import Arithmetic, Comparison, Conditional, Number, Slot
from grimoire.runtime.core.reading import Tables, read_artefact, read_expression, read_statement
from grimoire.runtime.core.records import FORMS
from grimoire.runtime.core.statements import If, Let, Menu, Poll, Sequence
from grimoire.runtime.core.walk import children, rewrite, walk
from grimoire.runtime.core.writing import name_of, write
from tests.charter.kit import package
from tests.packages import FOLDERS

NONE = Tables({"vars": 2, "places": 0, "procs": 1}, [0], [4], [False], [], frozenset())
SEVEN = ["if", ["==", ["slot", 1], ["int", 2]], ["+", ["slot", 1], ["int", 5]], ["int", 0]]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_read_from_a_package_is_written_as_it_was(folder: Any) -> None:
    document = package(folder.name).document
    assert write(read_artefact(document)) == document


def test_every_form_has_a_meaning_and_a_name_of_its_own() -> None:
    records = [form.record for table in FORMS.values() for form in table.values()]
    assert len(records) > 100
    for table in FORMS.values():
        for name, form in table.items():
            assert form.meaning and form.meaning[0] == form.meaning[0].lower() and not form.meaning.endswith("."), name
            op = {field.name: field.type for field in fields(form.record)}.get("op", "")
            assert not op or f"'{name}'" in op.replace('"', "'"), f"{name} is not among {op}"


def test_an_expression_is_read_as_records() -> None:
    read = read_expression(NONE, SEVEN, 4, "f")
    assert read == Conditional(Comparison("==", Slot(1), Number(2)), Arithmetic("+", Slot(1), Number(5)), Number(0))
    assert write(read) == SEVEN
    assert hash(read) == hash(read_expression(NONE, SEVEN, 4, "f"))


@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        (["+", ["int", 1]], "f/+: has 1 parts, expected 2"),
        (["not", ["and", ["int", 1], ["slot", 9]]], "f/not/and/slot: slot 9 is outside the window of 4 slots"),
        (["var", True], "f/var: expected an index of vars, found True"),
        (["var", 2], "f/var: index 2 of vars is out of range (there are 2)"),
        (["eval", "x"], "f: unknown expression 'eval'"),
        (3, "f: expected a form [op, ..], found 3"),
        (["int", 10**2000], "f/int: a number too large"),
        (
            ["iskind", "cow", 0, ["int", 1]],
            "f/iskind: expected one of number, flag, seat, fixture, piece, zone, found 'cow'",
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_the_way_to_it(form: Any, wrong: str) -> None:
    with pytest.raises(ArtefactError) as raised:
        read_expression(NONE, form, 4, "f")
    assert str(raised.value) == wrong


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ({"op": "let", "slot": 1}, "p/let: field 'value' is missing"),
        (
            {"op": "seq", "body": [{"op": "let", "slto": 1}]},
            "p/seq.body[0]/let: unknown field 'slto' (did you mean 'slot'?)",
        ),
        (
            {"op": "setting", "proc": 0, "slot": 4, "value": ["int", 0]},
            "p/setting: slot 4 is outside the window of 4 slots",
        ),
        ({"op": "call", "proc": 0, "you": ["int", 0], "args": [["int", 0]]}, "p/call: passes 1 arguments, expected 0"),
        ({"op": "do", "verb": 0, "you": ["int", 0], "args": []}, "p/do: procedure 0 is no verb"),
        ({"op": "stop", "at": 3}, "p/stop: index 3 of places is out of range (there are 0)"),
        ([{"op": "stop"}], "p: expected a statement, found [{'op': 'stop'}]"),
    ],
)
def test_a_statement_that_cannot_be_read(statement: Any, wrong: str) -> None:
    with pytest.raises(ArtefactError) as raised:
        read_statement(NONE, statement, 4, "p")
    assert str(raised.value) == wrong


def test_walks_go_through_entries_and_polls() -> None:
    entry = {"id": "go", "guard": ["slot", 2], "domains": [], "body": {"op": "let", "slot": 1, "value": ["int", 7]}}
    asked = {"op": "menu", "seat": ["slot", 1], "label": "x", "entries": [entry]}
    poll = read_statement(NONE, {"op": "poll", "seats": ["int", 3], "slot": 1, "menu": asked}, 4, "p")
    assert isinstance(poll, Poll)
    assert [type(one) for one in children(poll)] == [Number, Menu]
    assert [one.value for one in walk(poll) if isinstance(one, Number)] == [3, 7]
    more = rewrite(poll, lambda one: replace(one, value=one.value + 1) if isinstance(one, Number) else one)
    assert [one.value for one in walk(more) if isinstance(one, Number)] == [4, 8]
    assert [one.value for one in walk(poll) if isinstance(one, Number)] == [3, 7]


def test_what_a_rewrite_leaves_alone_is_the_same_object() -> None:
    body = Sequence((Let(1, Number(2)), If(Slot(1), Let(2, Number(3)))))
    assert rewrite(body, lambda one: one) is body
    changed = rewrite(body, lambda one: Number(4) if one == Number(2) else one)
    assert changed.body[0] == Let(1, Number(4)) and changed.body[1] is body.body[1]
    assert name_of(changed) == "seq"


def test_the_schema_and_the_tables_of_the_page_are_as_declared() -> None:
    again = "run: python -m grimoire.compiler.reference.core"
    assert SCHEMA.read_text(encoding="utf-8") == render_schema(), again
    assert PAGE.read_text(encoding="utf-8") == render(PAGE.read_text(encoding="utf-8")), again


def test_records_are_frozen_values() -> None:
    one, other = Let(1, Number(2), at=4), Let(1, Number(2), at=4)
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != Let(1, Number(2)) and one != Number(2)
    assert repr(one) == "Let(at=4, clause=None, slot=1, value=Number(value=2))"
    assert copy.deepcopy(one) == one and pickle.loads(pickle.dumps(one)) == one
    assert replace(one, slot=3) == Let(3, Number(2), at=4)
    for spoil in (lambda: setattr(one, "slot", 5), lambda: delattr(one, "slot"), lambda: setattr(one, "more", 5)):
        with pytest.raises(FrozenInstanceError):
            spoil()
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Let(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Let(1, Number(2), 4)  # type: ignore[call-arg, misc]

"""Constructs of forms.yaml print in their canonical form and read back equal; and what some of them mean in the
tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.parse import parse
from grimoire.compiler.syntax.printer import print_node

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "forms.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[f"{case.get('start', 'effect')}: {case['text']!r}" for case in CASES])
def test_a_form_is_printed_canonically_and_survives(case: dict[str, Any]) -> None:
    start = case.get("start", "effect")
    tree = parse(case["text"], start)
    printed = print_node(tree)
    assert printed == case.get("print", case["text"])
    again = parse(printed, start)
    assert repr(again) == repr(tree)
    assert print_node(again) == printed


def statement(text: str) -> Any:
    return parse(text, "effect").statements[0].statement


def test_a_part_takes_over_subject_and_modal_as_the_same_objects() -> None:
    first, second, third = statement("each human must draw a card and discard a card and may move").parts
    assert second.subject is first.subject and second.modal is first.modal
    assert third.subject is first.subject and third.modal.type == "MAY"
    _, plain = statement("draw a card and discard a card").parts
    assert (plain.subject, plain.modal) == (None, None)
    assert [type(part) for part in statement("you cannot draw a card and move").parts] == [s.Cannot, s.Cannot]


def test_in_a_cost_only_the_first_part_says_who_may() -> None:
    for cost in (
        statement("each player may draw a card and discard a card to gain 1 food").cost,
        statement("each player may draw a card and discard a card to:\n  gain 1 food").gate.cost,
    ):
        first, second = cost.parts
        assert first.subject is not None and first.modal.type == "MAY"
        assert (second.subject, second.modal) == (None, None)


def test_phrases_behind_a_predicate_belong_to_it() -> None:
    node = parse("it is in a space adjacent to the brig", "condition")
    assert node.predicate.prep.type == "IN"
    assert [phrase.prep.type for phrase in node.predicate.phrases] == ["ADJACENT_TO"]


def test_alternative_subjects_of_an_event() -> None:
    event = parse("when a character or a passenger would be defeated", "trigger").event
    assert [full.noun.words for full in (event.subject, *event.others)] == [("character",), ("passenger",)]


def test_a_negative_number_is_a_difference() -> None:
    node = parse("-4", "amount")
    assert isinstance(node, s.Binary) and node.op == "-"
    assert [part.value for part in (node.left, node.right) if isinstance(part, s.Number)] == ["0", "4"]


def test_partitives() -> None:
    kinds = {
        text: statement(f"discard {text} your items").action.object.items[0].count.kind
        for text in ("2 of", "any number of", "each of", "any of", "all but 2 of", "up to 2 of")
    }
    assert list(kinds.values()) == ["exactly", "any", "each", "exactly", "all_but", "up_to"]


def test_up_to_of_a_repetition_and_the_condition_of_a_window_are_kept() -> None:
    assert statement("repeat up to 4 times, draw a card").gate.up_to
    assert not statement("repeat 4 times, draw a card").gate.up_to
    window = parse("as soon as you have 3 keys", "trigger")
    assert window.kind == "soon" and isinstance(window.condition, s.Has)

"""What a failed scenario prints: what was expected, what there was, what was offered; never the whole table."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import lake

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.scenario.report import Failure

MANY = {
    "plumb": (
        "  dive:\n",
        "  plumb:\n    done: plumbed\n    body: |\n      choose a number from 1 to 400 as depth\n"
        "      your steps is now (9 if depth > 9, otherwise 8)\n  dive:\n",
    ),
    "turn": ("either fetch or rest or dive", "either fetch or rest or dive or plumb"),
}
BID = {
    "bid": ("      wet: flag\n", "      wet: flag\n      bid: optional number 0 to 5\n      friend: optional player\n")
}
SCORED = {"score": ("outcomes: [home]", "outcomes: [home]\nscore: your steps + 1")}


def failure(folder: Path, body: str, **changes: tuple[str, str]) -> Failure:
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    report = run_scenarios(lake(folder, f"scenarios:\n  one:\n{indented}", **changes))
    assert len(report.failures) == 1, report.render()
    lines = report.render().splitlines()
    assert len(lines) <= 10, report.render()
    assert lines[0].startswith(f"{folder}/lake/scenarios/tests.yaml:{report.failures[0].line}: one: ")
    assert not any("sees:" in line or "purse.p2" in line for line in lines), report.render()
    return report.failures[0]


RESTED = "when: [{p1: rest}, {p2: fetch}]\n"


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("then: [rests = 5 - 3]", "(rests: 1, 5 - 3: 2)"),
        ("then: [the steps of p1 = 5]", "(it is 1)"),
        ("then: [the steps of p1 = rests + 1]", "(the steps of p1: 1, rests + 1: 2)"),
        ("then: [number of pebbles in the heap = 3]", "(it is 2)"),
        ("then: [there is no pebble in the heap]", "(there are 2)"),
        ("then: [there are 3 or more pebbles in the heap]", "(there are 2)"),
        ("then: [p2 has no pebbles]", "(there is 1)"),
        ("then: [p2 has 2 or more pebbles]", "(there is 1)"),
        ("then: [p1 has a pebble]", "(there are 0)"),
        ("then: [the current-player is p2]", "(it is p1)"),
        ("then: [the current-player = p2]", "(it is p1)"),
        ("then: [each player has a pebble]", "(not so: p1)"),
        ("then: [each player is wet]", "(not so: p1, p2)"),
        ("then: [rests = 1 and p2 is wet]", "(rests: 1, p2 is wet: false)"),
        ("then: [rests = 2 or p2 has 2 pebbles]", "(rests: 1, p2 has 2 pebbles: 1)"),
        ("then: [the bid of p1 = 3]", "(it is nothing)"),
        ("then: [the friend of p1 = p2]", "(it is nothing)"),
        ("then: [p2 is wet]", ""),
    ],
)
def test_a_condition_is_told_with_what_it_reads(tmp_path: Path, body: str, values: str) -> None:
    text = body.removeprefix("then: [").removesuffix("]")
    found = failure(tmp_path, RESTED + body, **BID)
    assert found.message == f"this does not hold: {text}" + (f" {values}" if values else "")
    assert found.line == 4
    assert found.output == (
        "p1 is asked (either): fetch, rest, dive\n"
        "decisions: p1 rest, p2 fetch\n"
        "last events: p1 turn, p1 rest, p2 turn, p2 fetch, p1 turn"
    )


def test_of_many_options_the_nearest_are_told(tmp_path: Path) -> None:
    found = failure(tmp_path, "when:\n  - p1: plumb\n  - p1: depth:431\nthen: [asked: p1]", **MANY)
    assert found.line == 5
    assert found.message.startswith("'depth:431' is not offered to p1 (depth)")
    offered = found.message.partition("; offered: ")[2]
    assert offered.startswith("depth:") and offered.endswith(" and 394 more"), found.message
    names = offered.removesuffix(" and 394 more").split(", ")
    assert len(names) == 6 and {"depth:31", "depth:43"} <= set(names)
    assert found.output == "decisions: p1 plumb\nlast events: p1 turn, p1 plumb"


def test_a_step_that_is_not_offered_says_why_not(tmp_path: Path) -> None:
    found = failure(tmp_path, "given: {states: {p1: {wet: true}}}\nwhen:\n  - p1: fetch\nthen: [asked: p1]")
    assert found.line == 5
    assert found.message == (
        "'fetch' is not offered to p1 (either): this does not hold: you are not wet; offered: rest, dive"
    )
    assert found.output == "last events: p1 turn"


def test_another_player_is_asked(tmp_path: Path) -> None:
    found = failure(tmp_path, "when:\n  - p1: plumb\n  - p2: rest\nthen: [asked: p1]", **MANY)
    assert (found.line, found.message) == (5, "p2 is to choose 'rest', but p1 is asked (depth)")
    assert found.output.splitlines()[0] == (
        "p1 is asked (depth): depth:1, depth:2, depth:3, depth:4, depth:5, depth:6 and 394 more"
    )


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            "offered: {p1: [rest, fetch]}",
            "not offered to p1 (either): fetch (this does not hold: you are not wet); also offered: dive",
        ),
        ("offered: {p1: [rest]}", "also offered to p1 (either): dive"),
        (
            "offers: {p1: [rest, fetch]}",
            "not offered to p1 (either): fetch (this does not hold: you are not wet); offered: rest, dive",
        ),
        ("not offered: {p1: [rest, dive]}", "offered to p1 and should not be: rest, dive"),
    ],
)
def test_offers_say_what_is_missing_and_what_is_too_much(tmp_path: Path, check: str, message: str) -> None:
    found = failure(tmp_path, f"given: {{states: {{p1: {{wet: true}}}}}}\nthen: [{check}]")
    assert found.message == message
    assert found.output == "last events: p1 turn"


def test_of_many_that_are_too_much_a_few_are_told(tmp_path: Path) -> None:
    body = "when: [{p1: plumb}]\nthen: [offered: {p1: ['depth:1', 'depth:401']}]"
    assert failure(tmp_path, body, **MANY).message == (
        "not offered to p1 (depth): depth:401; "
        "also offered: depth:2, depth:3, depth:4, depth:5, depth:6, depth:7 and 393 more"
    )


LAST = "given: {counters: {rests: 2}}\nwhen:\n  - p1: rest\n"


@pytest.mark.parametrize(
    ("rest", "line", "message"),
    [
        (
            "  - p2: rest\nthen: [asked: p1]",
            6,
            "p2 is to choose 'rest', but nobody is asked: the game is over, and the outcome is home, winners p1, "
            "scores 2, 1",
        ),
        (
            "then: [asked: p2]",
            6,
            "p2 is to be asked, but nobody is asked: the game is over, and the outcome is home, winners p1, "
            "scores 2, 1",
        ),
        ("then: [outcome: none]", 6, "the outcome is to be none, but the outcome is home, winners p1, scores 2, 1"),
    ],
)
def test_an_unexpected_end_says_how_the_game_ended(tmp_path: Path, rest: str, line: int, message: str) -> None:
    found = failure(tmp_path, LAST + rest, **SCORED)
    assert (found.line, found.message) == (line, message)


def test_a_text_that_has_come_to_its_end(tmp_path: Path) -> None:
    found = failure(tmp_path, "given: {start: rest, as: p1}\nthen: [asked: p1]")
    assert found.message == "p1 is to be asked, but nobody is asked any more: the text has come to its end"


HEAP = {
    "many": (
        "  sun: {kind: pebble, in: heap, clause: things.1}\n",
        "  sun: {kind: pebble, in: heap, clause: things.1}\n"
        + "".join(f"  s{n}: {{kind: pebble, in: heap}}\n" for n in range(40)),
    )
}


def test_of_long_lists_of_pieces_the_difference_is_told(tmp_path: Path) -> None:
    names = ", ".join(f"s{n}" for n in range(1, 40))
    found = failure(
        tmp_path, f"then: [zones: {{heap: [2 moon, moon, {names}]}}]".replace("2 moon, moon", "moon"), **HEAP
    )
    assert found.message == "heap: too much: moon, s0, sun"


def test_of_much_that_happened_the_last_is_told(tmp_path: Path) -> None:
    steps = "{p1: fetch}, {p2: fetch}, {p1: rest}, {p2: rest}, {p1: dive}"
    found = failure(tmp_path, f"when: [{steps}]\nthen: [events: [rest, fetch]]")
    assert found.message.startswith("what happened has no 'fetch' after rest: 1 more, then p1 fetch, ")
    assert len(found.output.splitlines()[-1].split(", ")) == 5

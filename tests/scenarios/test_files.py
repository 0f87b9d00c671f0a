"""Mistakes in scenario files: each has a code and its place, and the other scenarios still run."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import lake

from grimoire.compiler.api.check import check
from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.diagnostics.codes import CODES

GOOD = "  good: {then: [asked: p1]}\n"

CASES = [
    ("given: {zones: {haep: [moon]}}", "G0811", "there is no place 'haep' (did you mean 'heap'?)"),
    ("given: {zones: {heap: [mooon]}}", "G0811", "there is no card 'mooon' (did you mean 'moon'?)"),
    ("given: {zones: {purse: [moon]}}", "G0811", "every player has a purse: it does not say whose"),
    ("given: {zones: {heap of p1: [moon]}}", "G0811", "heap belongs to nobody"),
    ("given: {zones: {purse of p7: [moon]}}", "G0811", "there is no player 'p7'"),
    ("given: {counters: {rest: 1}}", "G0811", "there is no counter 'rest' (did you mean 'rests'?)"),
    ("given: {states: {p1: {wett: true}}}", "G0811", "there is no state of a player 'wett' (did you mean 'wet'?)"),
    ("given: {states: {moon: {wet: true}}}", "G0811", "it is not said which moon is meant"),
    ("given: {states: {mars: {wet: true}}}", "G0811", "there is no player, space or card 'mars'"),
    ("given: {states: {p3: {wet: true}}}", "G0811", "there is no player, space or card 'p3'"),
    ("given: {current: p3}", "G0811", "current: there is no player 'p3'"),
    ("given: {random: [mooon]}", "G0811", "there is no result 'mooon' (did you mean 'moon'?)"),
    ("options: {hard: true}", "G0811", "there is no option 'hard'"),
    ("then: [sees: {p1: {heap: [mon]}}]", "G0811", "there is no card 'mon' (did you mean 'moon'?)"),
    ("then: [events: [rset]]", "G0811", "there is no verb 'rset' (did you mean 'rest'?)"),
    ("then: [outcome: houme]", "G0811", "there is no outcome 'houme' (did you mean 'home'?)"),
    ("then: [asked: p4]", "G0811", "asked: there is no player 'p4'"),
    (
        "given: {zones: {heap: [moon, moon], purse of p1: [moon]}}",
        "G0812",
        "the position has 3 of moon (heap and purse of p1), and there are 2",
    ),
    (
        "given: {zones: {purse of p2: [sun], purse of p1: [sun]}}",
        "G0813",
        "there is one sun, and the position has it in purse of p2 and purse of p1",
    ),
    ("given: {zones: {heap: [sun, sun]}}", "G0813", "there is one sun, and the position has it in heap, 2 times"),
    ("given: {counters: {rests: 4}}", "G0814", "rests goes from 0 to 3; 4 is outside"),
    ("given: {states: {p1: {steps: 10}}}", "G0814", "steps goes from 0 to 9; 10 is outside"),
    ("given: {counters: {current-player: nobody}}", "G0814", "current-player is always a player: it cannot be nobody"),
    ("given: {states: {p1: {wet: maybe}}}", "G0303", "wet must be true or false, not 'maybe'"),
    ("given: {counters: {rests: many}}", "G0302", "rests must be a whole number, not 'many'"),
    ("when: [{p1: rest}]", "G0815", "the scenario bad checks nothing"),
    ("then: []", "G0815", "the scenario bad checks nothing"),
    (
        "when: [{p1: rset}]",
        "G0816",
        "no option is ever called 'rset': 'rset' is no word of a decision and no name (did you mean 'rest'?)",
    ),
    (
        "then: [not offered: {p1: ['take:mooon']}]",
        "G0816",
        "no option is ever called 'take:mooon': 'take' is no word of a decision and no name",
    ),
    ("players: 4", "G0817", "the game is for 2 to 3 players, not 4"),
    ("proves: [wlak.1]", "G0818", "there is no clause or card 'wlak.1' (did you mean 'walk.1'?)"),
    ("when: [{p1: rest, p2: rest}]", "G0820", "a step is one decision of one player"),
    ("when: [rest]", "G0820", "a step is one decision of one player"),
    ("when: [{q1: rest}]", "G0820", "there is no player 'q1'"),
    ("given: {as: p1}", "G0820", "as: goes with start:"),
    ("then: [events: []]", "G0820", "events: names nothing, so that it cannot fail"),
    ("then: [sees: {p1: {}}]", "G0820", "sees: names nothing, so that it cannot fail"),
    ("then: [offers: {p1: []}]", "G0820", "offers: names nothing, so that it cannot fail"),
    ("then: [[asked]]", "G0820", "a check is a condition"),
    ("thne: [asked: p1]", "G0305", "a scenario has no key 'thne' (did you mean 'then'?)"),
    ("given: {zone: {}}", "G0305", "given has no key 'zone' (did you mean 'zones'?)"),
    ("then: [asket: p1]", "G0305", "a check has no key 'asket' (did you mean 'asked'?)"),
    ("when: [{p1: {chose: rest}}]", "G0305", "a step has no key 'chose' (did you mean 'choose'?)"),
    ("then: [rests is is 3]", "G04", ""),
    ("then: [stoves = 3]", "G05", "stoves"),
    ("given: {start: fly}", "G05", "fly"),
    ("given: {start: 'rest rest rest the'}", "G04", ""),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code", "expected"), CASES)
def test_a_mistake_is_a_failure_with_code_and_place(tmp_path: Path, body: str, code: str, expected: str) -> None:
    rest = "" if body.startswith(("then", "when", "thne")) else "    then: [asked: p1]\n"
    report = run_scenarios(lake(tmp_path, f"scenarios:\n{GOOD}  bad:\n    {body}\n{rest}"))
    assert report.passed == 1
    failure = report.failures[0]
    assert (failure.id, failure.line) in (("bad", 3), ("bad", 4)), report.render()
    assert report.failures[0].message.startswith(f"[{code}"), report.render()
    assert expected in report.failures[0].message


def test_every_code_of_scenarios_has_a_failing_case() -> None:
    codes = {code for code in CODES if "G0811" <= code <= "G0899"}
    tested = {code for _, code, _ in CASES} | {
        "G0819",
        "G0821",
        "G0822",
    }  # below, with the invariants of a game, and by trace
    assert codes <= tested
    assert all(CODES[code].explanation != CODES[code].title for code in codes)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"scenarios:\n{GOOD}{GOOD}", "G01"),
        (f"scenario:\n{GOOD}", "G030"),
        ("- a\n", "G0301"),
        ("scenarios: [a]\n", "G0301"),
        (f"scenarios:\n{GOOD}  Bad Name: {{then: [asked: p1]}}\n", "G0308"),
        ("scenarios:\n\tgood: 1\n", "G01"),
        (f"scenarios:\n{GOOD}equivalent: [a]\n", "G03"),
        (f"scenarios:\n{GOOD}equivalent: {{walk.1: {{removed: [a]}}}}\n", "G03"),
    ],
)
def test_a_file_that_is_wrong_as_a_whole(tmp_path: Path, text: str, code: str) -> None:
    report = run_scenarios(lake(tmp_path, text))
    assert report.failed and report.failures[0].message.startswith(f"[{code}"), report.render()
    assert report.failures[0].file.endswith("tests.yaml")


def test_a_name_is_taken_once_in_a_package(tmp_path: Path) -> None:
    root = lake(tmp_path, f"scenarios:\n{GOOD}")
    (root / "scenarios" / "other.yaml").write_text(f"scenarios:\n{GOOD}", encoding="utf-8")
    report = run_scenarios(root)
    assert report.passed == 1 and "[G0819]" in report.failures[0].message


def test_check_finds_the_same_mistakes(tmp_path: Path) -> None:
    root = lake(tmp_path, f"scenarios:\n{GOOD}  bad:\n    proves: [wlak.1]\n    players: 9\n")
    assert [d.code for d in check([root])] == ["G0818", "G0817"]


def test_all_mistakes_of_a_scenario_are_told(tmp_path: Path) -> None:
    report = run_scenarios(lake(tmp_path, "scenarios:\n  bad:\n    proves: [wlak.1]\n    players: 9\n    then: [p]\n"))
    (failure,) = report.failures
    assert "[G0818]" in failure.message and "also line 4: [G0817]" in failure.output

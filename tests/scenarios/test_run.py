"""The scenario runner: what passes, what fails, and what a failure says."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import lake

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.scenario.report import ScenarioReport


def run(folder: Path, body: str, **changes: tuple[str, str]) -> ScenarioReport:
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    return run_scenarios(lake(folder, f"scenarios:\n  one:\n{indented}", **changes))


def message(report: ScenarioReport) -> str:
    assert len(report.failures) == 1, report.render()
    return report.failures[0].message


@pytest.mark.parametrize(
    "body",
    [
        "then: [asked: p1]",
        "then: [p2 has no pebbles, p1 is not wet, there is no pebble in p2's purse, the p1 has no pebbles]",
        "given: {start: p2 must rest, as: p1}\nthen: [events: [p2 rest]]",
        "when: [{p1: rest}]\nthen: [asked: p2, rests = 1]",
        "when: [{p1: {choose: rest}}]\nthen: [counters: {rests: 1}]",
        "then: [offered: {p1: [rest, fetch, dive]}]",
        "then: [offered: {p2: []}]",
        "then: [offers: {p1: [rest]}]",
        "given: {states: {p1: {wet: true}}}\nthen: [not offered: {p1: [fetch]}, 'why not': {p1: {fetch: not wet}}]",
        "when: [{p1: rest}, {then: [asked: p2]}, {p2: rest}]\nthen: [events: [p1 rest, turn, p2 rest]]",
        "when: [{p1: rest}]\nthen: [no event: [fetch, p2 rest]]",
        "given: {counters: {rests: 2}}\nwhen: [{p1: rest}]\nthen: [outcome: home, outcome: {winners: [p1]}]",
        "given: {counters: {rests: 2}}\nwhen: [{p1: rest}]\nthen: [outcome: {id: home, winners: [p1]}, asked: nobody]",
        "given: {zones: {heap: [moon, sun]}}\nwhen: [{p1: fetch}]\nthen: [zones: {heap: [moon], purse of p1: [sun]}]",
        "given: {zones: {purse of p1: [sun]}}\nthen: [sees: {p1: {heap: 2 hidden}, p2: {purse of p1: [hidden]}}]",
        "given: {current: p2}\nthen: [the current-player is p2]",
        "given: {start: take a turn, as: p2}\nthen: [asked: p2, the current-player is p2, your steps = 0]",
        "given: {start: take a turn, as: p2}\nwhen: [{p2: rest}]\nthen: [asked: nobody, outcome: none, your steps = 1]",
        "given: {start: end the game with home for p2, as: p1}\nthen: [outcome: {id: home, winners: [p2]}]",
        "given: {random: [moon, sun]}\nwhen: [{p1: dive}, {p2: dive}]\nthen: [zones: {purse of p2: [sun]}]",
        "given: {random: [sun, moon]}\nwhen: [{p1: dive}, {p2: dive}]\nthen: [zones: {purse of p2: [moon]}]",
        "players: 3\nwhen: [{p1: rest}, {p2: rest}]\nthen: [asked: p3]",
        "given: {states: {'p1, p2': {steps: 4}}}\nthen: [the steps of p1 = 4, states: {'p1, p2': {steps: 4}}]",
        "when: [{p1: fetch}]\nthen: [log: {p2: [p1 fetch]}]",
    ],
)
def test_what_holds_passes(tmp_path: Path, body: str) -> None:
    report = run(tmp_path, body)
    assert report.to_json() == {"scenarios": 1, "passed": 1, "failed": 0, "failures": []}, report.render()
    assert not report.failed


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("then: [asked: p2]", "p2 is to be asked, but p1 is asked (either)"),
        ("then: [asked: nobody]", "nobody is to be asked, but p1 is asked (either)"),
        ("when: [{p2: rest}]\nthen: [asked: p1]", "p2 is to choose 'rest', but p1 is asked (either)"),
        (
            "given: {states: {p1: {wet: true}}}\nwhen: [{p1: fetch}]\nthen: [asked: p2]",
            "'fetch' is not offered to p1 (either): this does not hold: you are not wet; offered: rest, dive",
        ),
        ("then: [rests = 2]", "this does not hold: rests = 2 (it is 0)"),
        ("then: [there is no pebble in the heap]", "this does not hold: there is no pebble in the heap (there are 3)"),
        ("then: [offered: {p1: [rest, fetch]}]", "also offered to p1 (either): dive"),
        (
            "given: {states: {p1: {wet: true}}}\nthen: [offered: {p1: [rest, fetch, dive]}]",
            "not offered to p1 (either): fetch (this does not hold: you are not wet); offered: rest, dive",
        ),
        ("then: [offers: {p2: [rest]}]", "offers to p2: p1 is asked (either)"),
        ("then: [not offered: {p1: [rest]}]", "offered to p1 and should not be: rest"),
        ("then: [not offered: {p2: [rest]}]", "not offered to p2: p1 is asked (either)"),
        ("then: ['why not': {p1: {fetch: wet}}]", "'fetch' is offered to p1"),
        (
            "given: {states: {p1: {wet: true}}}\nthen: ['why not': {p1: {fetch: cold}}]",
            "the reason why 'fetch' is not offered is to contain 'cold', but it is: "
            "this does not hold: you are not wet",
        ),
        ("then: [outcome: home]", "the outcome is to be home, but the game goes on"),
        (
            "given: {counters: {rests: 2}}\nwhen: [{p1: rest}]\nthen: [outcome: none]",
            "the outcome is to be none, but the outcome is home, winners p1",
        ),
        (
            "given: {counters: {rests: 2}}\nwhen: [{p1: rest}]\nthen: [outcome: {id: home, winners: [p2]}]",
            "the winners are to be p2, but the outcome is home, winners p1",
        ),
        (
            "when: [{p1: rest}]\nthen: [events: [rest, p1 turn]]",
            "what happened has no 'p1 turn' after rest: p1 turn, p1 rest, p2 turn",
        ),
        ("when: [{p1: rest}]\nthen: [no event: [p1 rest]]", "this happened, and should not: p1 rest"),
        (
            "when: [{p1: fetch}]\nthen: [sees: {p2: {purse of p1: []}}]",
            "p2 sees purse of p1: [hidden], not []",
        ),
        ("then: [zones: {heap: [moon]}]", "heap: [2 moon, sun], not [moon]"),
        ("then: [counters: {rests: 1}]", "rests is to be 1, but it is 0"),
        ("then: [states: {p2: {steps: 1}}]", "steps of p2 is to be 1, but it is 0"),
        ("given: {random: [sun]}\nthen: [asked: p1]", "random results were given that never came up: sun"),
        (
            "given: {zones: {heap: [moon]}, random: [sun]}\nwhen: [{p1: dive}]\nthen: [asked: p2]",
            "SetupError: script: result 1, 'sun', is not among the 1 that can come up",
        ),
        ("given:\n  start: |\n    repeat:\n      rest\nthen: [asked: p1]", "BudgetExceeded"),
    ],
)
def test_what_does_not_hold_fails_and_says_so(tmp_path: Path, body: str, expected: str) -> None:
    report = run(tmp_path, body)
    assert report.failed and report.to_json()["failed"] == 1
    assert message(report).startswith(expected)
    assert report.failures[0].id == "one"


def test_a_failure_has_its_place_and_says_what_led_to_it(tmp_path: Path) -> None:
    report = run(tmp_path, "when:\n  - p1: fetch\n  - then:\n      - rests = 1\nthen: [asked: p1]")
    failure = report.failures[0]
    assert failure.file.endswith("scenarios/tests.yaml") and failure.line == 6
    assert failure.output.splitlines() == [
        "p2 is asked (either): fetch, rest, dive",
        "decisions: p1 fetch",
        "last events: p1 turn, p1 fetch, p2 turn",
    ]
    assert set(report.to_json()["failures"][0]) == {"id", "file", "line", "message", "output"}


def test_a_key_may_be_shortened_while_it_means_one_option(tmp_path: Path) -> None:
    changes = {
        "verb": ("    body: |\n      §walk.3", "    body: |\n      choose a pebble in the heap as found\n      §walk.3")
    }
    body = "when: [{p1: rest}, {p1: 'found:sun'}]\nthen: [asked: p2]"
    changes["seen"] = ("heap: {holds: pebble, seen: nobody", "heap: {holds: pebble, seen: everyone")
    changes["read"] = ("you are now not wet", "move the found to your purse")
    report = run(tmp_path, body, **changes)
    assert not report.failed, report.render()
    wrong = run(tmp_path / "wrong", body.replace("found:sun", "found"), **changes)
    assert message(wrong) == "'found' means more than one option of p1: found:moon@heap, found:sun@heap"


def test_only_scenarios_with_the_name_are_run(tmp_path: Path) -> None:
    root = lake(tmp_path, "scenarios:\n  first: {then: [asked: p1]}\n  second: {then: [asked: p2]}\n")
    assert run_scenarios(root).to_json()["failed"] == 1
    told: list[tuple[int, int, str]] = []
    report = run_scenarios(root, "firs", lambda *now: told.append(now))
    assert (report.passed, report.failures, told) == (1, [], [(0, 1, "first")])
    assert run_scenarios(root, "*ond").failed
    assert run_scenarios(root, "frist").render() == (
        "no scenario is called 'frist'; did you mean first?\n0 scenarios: 0 passed, 0 failed\n"
    )


def test_a_package_with_errors_is_not_played(tmp_path: Path) -> None:
    report = run(tmp_path, "then: [asked: p1]", wrong=("rests + 1", "rets + 1"))
    assert report.failed and "G05" in message(report) and report.failures[0].file.endswith("lake.yaml")


def test_a_package_that_is_not_there(tmp_path: Path) -> None:
    assert run_scenarios(tmp_path / "nowhere").failed


def test_scores(tmp_path: Path) -> None:
    scored = ("outcomes: [home]", "outcomes: [home]\nscore: your steps + 1")
    body = "given: {counters: {rests: 2}}\nwhen: [{p1: rest}]\nthen: [outcome: {id: home, scores: {p1: %s, p2: 1}}]"
    assert not run(tmp_path / "a", body % 2, score=scored).failed
    assert message(run(tmp_path / "b", body % 3, score=scored)) == "the score of p1 is to be 3, but it is 2"


PIECES = (
    "pebble: {is: token}",
    "pebble: {is: token, states: {worn: flag, keeper: optional player, fans: set of player}}",
)


@pytest.mark.parametrize(
    ("given", "then", "failure"),
    [
        ("sun in heap: {worn: true}", "sun in heap: {worn: true, keeper: nobody}", None),
        ("sun in heap: {keeper: p2}", "sun in heap: {keeper: p2, worn: false}", None),
        ("sun in heap: {fans: [p2, p1]}", "sun in heap: {fans: [p1, p2]}", None),
        ("sun in heap: {fans: []}", "sun in heap: {fans: []}", None),
        (
            "each moon in heap: {worn: true}",
            "'moon#1 in heap, moon#2 in heap': {worn: true}, sun in heap: {worn: false}",
            None,
        ),
        ("moon#2 in heap: {worn: true}", "moon in heap: {worn: true}, moon#1 in heap: {worn: false}", None),
        (
            "moon#2 in heap: {worn: true}",
            "each moon in heap: {worn: true}",
            "worn of moon in heap is to be 1, but it is 0",
        ),
        ("moon#1 in heap: {worn: true}", "moon#3 in heap: {worn: true}", "there is no moon#3 in heap"),
        ("moon#3 in heap: {worn: true}", "sun in heap: {worn: true}", "EditError: there is no piece moon in heap#3"),
        ("moon in the heap: {worn: true}", "sun in heap: {worn: true}", "worn of sun in heap is to be 1, but it is 0"),
        (
            "sun in heap: {fans: [p2]}",
            "sun in heap: {fans: [p1]}",
            "fans of sun in heap is to be ['p1'], but it is ['p2']",
        ),
        ("sun in heap: {worn: true}", "sun in purse of p1: {worn: true}", "there is no sun in purse.p1"),
        (
            "sun in purse of p1: {worn: true}",
            "sun in heap: {worn: true}",
            "EditError: there is no piece sun in purse.p1",
        ),
    ],
)
def test_states_of_pieces(tmp_path: Path, given: str, then: str, failure: str | None) -> None:
    body = f"given: {{states: {{{given}}}}}\nthen: [states: {{{then}}}]"
    report = run(tmp_path, body, pieces=PIECES)
    assert [f.message for f in report.failures] == ([] if failure is None else [failure])


INVARIANT = {
    "invariants": (
        "outcomes: [home]",
        "outcomes: [home]\ninvariants:\n  one-sun: there is no player where (it is wet and it has 2 or more pebbles)",
    )
}


def test_a_position_that_the_package_rules_out_is_refused(tmp_path: Path) -> None:
    body = "given: {zones: {purse of p1: [moon, moon]}, states: {p1: {wet: true}}}\nthen: [asked: p1]"
    text = message(run(tmp_path, body, **INVARIANT))
    wanted = "it breaks 'there is no player where (it is wet and it has 2 or more pebbles)' (one-sun)"
    assert text == f"[G0821] this position can never be: {wanted}"


def test_a_position_that_keeps_the_invariants_is_played(tmp_path: Path) -> None:
    body = "given: {zones: {purse of p1: [moon]}, states: {p1: {wet: true}}}\nthen: [asked: p1]"
    assert run(tmp_path, body, **INVARIANT).passed == 1


def test_trying_a_cost_leaves_the_scripted_chance_alone(tmp_path: Path) -> None:
    """Whether the wager can be paid is tried with chance of its own: the 5 is for the throw that really comes."""
    changes = {
        "wager": (
            "outcomes: [home]",
            "outcomes: [home]\nabilities:\n  wager:\n    window: after you rest\n"
            "    do: may move a random pebble in the heap to your purse to gamble",
        ),
        "throw": (
            "  dive:\n",
            "  gamble:\n    done: gambled\n    body: |\n      choose a random number from 4 to 6 as pips\n"
            "      your steps is now pips\n  dive:\n",
        ),
    }
    body = "given: {random: [sun, 5]}\nwhen: [{p1: rest}, {p1: wager}]\nthen: [the steps of p1 = 6, p1 has 1 pebble]"
    assert run(tmp_path, body, **changes).passed == 1
    other = "given: {random: [4]}\nwhen: [{p1: rest}, {p1: pass}, {p2: rest}, {p2: pass}]\nthen: [asked: p1]"
    report = run(tmp_path / "other", other, **changes)
    assert "never came up" in message(report)


CHARMS = {
    "finder": ("  pebble: {is: token}", "  pebble: {is: token, states: {finder: optional player}}"),
    "charm": ("      wet: flag\n", "      wet: flag\n      charm: optional pebble\n"),
}


def test_states_of_pieces_and_states_that_are_pieces(tmp_path: Path) -> None:
    given = "given: {states: {sun in heap: {finder: p1}, p1: {charm: sun}}}\n"
    body = given + "then: [states: {sun in heap: {finder: p1}, sun: {finder: p1}, p1: {charm: sun}}]"
    assert run(tmp_path / "a", body, **CHARMS).passed == 1
    wrong = given + "then: [states: {p1: {charm: nothing}}]"
    assert message(run(tmp_path / "b", wrong, **CHARMS)) == "charm of p1 is to be none, but it is sun"
    other = given + "then: [states: {sun: {finder: p2}}]"
    assert message(run(tmp_path / "c", other, **CHARMS)) == "finder of sun in heap is to be p2, but it is p1"

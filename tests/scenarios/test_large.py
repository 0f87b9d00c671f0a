"""Positions, scripts and checks that a large game needs, on the made-up package of tests/cli/content/delta."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from scenario_kit import ROOT

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.scenario.report import ScenarioReport

DELTA = ROOT / "tests" / "cli" / "content" / "delta"


def run(folder: Path, body: str) -> ScenarioReport:
    root = folder / "delta"
    shutil.copytree(DELTA, root)
    (root / "scenarios").mkdir()
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    (root / "scenarios" / "tests.yaml").write_text(f"scenarios:\n  one:\n{indented}", encoding="utf-8")
    return run_scenarios(root)


HOLDS = {
    "pieces on spaces, in any order": """
given: {zones: {mill: [heron, 2 brown-rat], marsh: 3 x brown-rat, weir: []}}
then:
  - zones: {mill: [brown-rat, heron, brown-rat], marsh: 3 brown-rat, weir: []}
  - there are 2 rats in the mill
""",
    "dials, flags, fields of spaces, figures, players, counters": """
given:
  counters: {day: 3, weather: rough, first-player: p3}
  zones: {mill: [heron]}
  states:
    grain, timber: {level: 0}
    sea: {step: 12, alarm: true}
    mill, weir: {flooded: true, silt: 2, claim: p2}
    heron in mill: {owner: p2, cargo: 3}
    p1: {coins: 20, weary: true, bid: 9, patron: grain}
  current: p2
then:
  - counters: {day: 3, weather: rough, first-player: p3, current-player: p2}
  - states: {'grain, timber': {level: 0}, sea: {step: 12, alarm: true}, heron in mill: {owner: p2, cargo: 3}}
  - states: {p1: {patron: grain, bid: 9}, peat: {level: 5}}
  - the silt of the mill = 2
  - the mill is flooded
""",
    "a turn of somebody, from the box": """
given: {start: take a turn, as: p3, zones: {crisis-deck: [toll]}, states: {p3: {weary: true}}}
then:
  - asked: p3
  - offered: {p3: [rest]}
  - zones: {nest: 12 brown-rat, hand of p3: [2 guard-duty]}
""",
    "a turn of somebody, from the game as it is set up": """
given: {set up: true, start: take a turn, as: p3, zones: {crisis-deck: [toll]}}
when: [{p3: rest}]
then:
  - asked: nobody
  - zones: {nest: 9 brown-rat, marsh: 3 brown-rat}
  - number of skills in the hand of p3 = 10
""",
    "a verb by itself": """
given: {start: flood the mill, as: p2, zones: {bench of p1: [waders]}}
when:
  - then: [asked: p1, why not: {p1: {bell.ring: does not answer here}}]
  - p1: waders.dry-feet
then: [prevented: [p2 flood mill], events: [p1 pay 1], no event: [flood], the mill is not flooded]
""",
    "what was not prevented": """
given: {start: flood the mill, as: p2, zones: {bench of p1: [waders]}}
when: [{p1: pass}]
then: [events: [flood mill], 'no event': [p1 pay, flood weir]]
""",
    "the results of shuffles and of chance": """
given:
  random: [crane, teal, pike, otter, heron, bittern]
  shuffles:
    - skill-deck: [2 swim, 6 sing, 2 mend, 4 dig, 4 count, 2 dig, 6 row]
    - crisis-deck: [storm, toll]
then:
  - zones: {hand of p1: [6 row, 2 dig, 2 swim], hand of p2: [4 count, 4 dig], long-quay: [crane, teal, pike]}
  - states: {crane in long-quay: {owner: p1}, otter in ferry: {owner: p1}}
""",
    "events with what they were done to": """
given: {zones: {crisis-deck: [toll]}}
when: [{p1: sail}, {p1: 'sail:otter'}, {p1: 'sail-to:mill'}]
then:
  - events: [p1 turn, sail otter mill, p1 face toll, p3 pay 1]
  - no event: [sail otter weir]
  - log: {p2: [p1 sail otter mill]}
""",
    "what a seat sees of states and counters": """
given: {states: {p1: {bid: 4}}}
then:
  - sees: {p1: {bid of p1: 4}, p2: {bid of p1: hidden, coins of p1: 3, day: 1, level of grain: 5}}
  - sees: {p2: {hand of p1: 10 hidden, skill-deck: [46 hidden skill], owner of crane in long-quay: p1}}
""",
    "options out of many": """
when: [{p1: sail}, {p1: 'sail:otter'}]
then: [offers: {p1: ['sail-to:mill']}, 'not offered': {p1: ['sail-to:marsh']}, 'why not': {p1: {'sail-to:marsh': flooded}}]
""",
    "how it ends": """
given: {counters: {day: 6}, start: 'end the game with saved for all players', as: p1}
then: [outcome: {id: saved, winners: [p3, p2, p1]}, asked: nobody, day = 6]
""",
}

FAILS = {
    "one piece in two places": (
        "given: {zones: {mill: [heron], weir: [heron]}}",
        "[G0813] there is one heron, and the position has it in mill and weir",
    ),
    "too many": (
        "given: {zones: {mill: 7 brown-rat, weir: 6 brown-rat}}",
        "[G0812] the position has 13 of brown-rat (mill and weir), and there are 12",
    ),
    "a number out of bounds": (
        "given: {states: {grain: {level: 9}}}",
        "[G0814] level goes from 0 to 8; 9 is outside",
    ),
    "a piece where its kind cannot be": (
        "given: {zones: {hand of p1: [heron]}}",
        "[G0814] hand of p1 holds skill, and heron is a barge",
    ),
    "a space for a flag": ("given: {states: {mill: {shut: true}}}", "[G0811] there is no state of a site 'shut'"),
    "a piece that is not there": (
        "given: {states: {heron in mill: {cargo: 1}}}",
        "EditError: there is no piece heron in mill",
    ),
    "none of them": ("given: {states: {each heron in mill: {cargo: 1}}}", "there is no heron in mill"),
    "an option that is not offered": (
        "when: [{p1: sail}, {p1: 'sail:otter'}, {p1: 'sail-to:marsh'}]",
        "'sail-to:marsh' is not offered to p1 (sail-to): this does not hold: the site is not "
        "flooded; offered: sail-to:archive, sail-to:smithy, ",
    ),
    "a shuffle that never comes": (
        "given: {shuffles: [{goal-card-deck: [hero]}]}",
        "random results were given that never came up",
    ),
    "a shuffle of what is not there": (
        "given: {shuffles: [{skill-deck: [7 row]}]}",
        "SetupError: script: shuffle 1 wants row in skill-deck",
    ),
    "a shuffle with the wrong kind": (
        "given: {shuffles: [{skill-deck: [storm]}]}",
        "[G0814] skill-deck holds skill, and storm is a crisis",
    ),
    "set up without a text": ("given: {set up: true}", "[G0820] set up: goes with start:"),
    "an event with nothing": ("then: [events: [sail herron]]", "there is no player, space or card 'herron' (did you mean 'heron'?)"),
    "an event that was not prevented": ("then: [prevented: [p1 draw]]", "what was prevented has no 'p1 draw': nothing"),
    "a state that is hidden": (
        "then: [sees: {p2: {bid of p1: 0}}]",
        "p2 sees: bid of p1 is to be 0, but it is hidden",
    ),
    "a state that there is not": ("then: [sees: {p2: {bidd of p1: 0}}]", "there is no state of a player 'bidd' (did you mean 'bid'?)"),
    "a back that is another": ("then: [sees: {p2: {hand of p1: 10 hidden crisis}}]", "[10 hidden skill], not [10 hidden crisis]"),
    "a score where there is none": (
        "given: {start: end the game with saved for p1}\nthen: [outcome: {id: saved, scores: {p1: 3}}]",
        "the score of p1 is to be 3, but there is none",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HOLDS)
def test_it_holds(tmp_path: Path, case: str) -> None:
    report = run(tmp_path, HOLDS[case].strip("\n"))
    assert not report.failed and report.passed == 1, report.render()


@pytest.mark.parametrize("case", FAILS)
def test_it_fails_and_says_why(tmp_path: Path, case: str) -> None:
    body, expected = FAILS[case]
    report = run(tmp_path, body if "then" in body else f"{body}\nthen: [asked: p1]")
    assert len(report.failures) == 1, report.render()
    assert expected in report.failures[0].message, report.render()

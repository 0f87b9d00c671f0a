"""Trace: a clause is proved when breaking its program is noticed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scenario_kit import files, lake

from grimoire.compiler.api.build import build
from grimoire.compiler.api.trace import trace_package
from grimoire.compiler.proof.mutate import find_carriers, mutate
from grimoire.compiler.proof.trace import TracedClause, TraceReport
from grimoire.runtime import load_artefact
from grimoire.runtime.artefact.loading import content_hash
from grimoire.runtime.core.writing import write

MOVED = "ability swim before the event, not after it"
SWAPPED = "'rests = 3' before setting player.steps in turn"


def clause(report: TraceReport, name: str) -> TracedClause:
    return next(found for found in report.clauses if found.id == name)


def test_a_scenario_that_notices_proves_its_clause(tmp_path: Path) -> None:
    text = "scenarios:\n  one:\n    proves: [walk.3]\n    when: [{p1: rest}]\n    then: [rests = 1]\n"
    report = trace_package(lake(tmp_path, text))
    assert clause(report, "walk.3").to_json() == {
        "id": "walk.3", "numbers": {}, "kind": "rule", "scenarios": ["one"], "killed": True, "reason": None,
    }  # fmt: skip
    assert report.failed and report.summary["proved"] == 1 and report.summary["unproved"] == 7


def test_a_scenario_that_notices_nothing_does_not(tmp_path: Path) -> None:
    text = "scenarios:\n  one:\n    proves: [walk.3]\n    when: [{p1: rest}]\n    then: [asked: p2]\n"
    found = clause(trace_package(lake(tmp_path, text)), "walk.3")
    assert found.killed is False and len(found.survivors) == 1
    assert found.reason is not None and "in rest" in found.reason and found.survivors[0].endswith("removed")


def test_an_if_is_also_turned_round(tmp_path: Path) -> None:
    """A scenario in which the condition holds and nothing hangs on what follows misses only one of the two."""
    text = (
        "scenarios:\n  one:\n    proves: [end.1]\n    given: {counters: {rests: 2}}\n"
        "    when: [{p1: rest}]\n    then: [outcome: home]\n"
    )
    text = text.replace("outcome: home]", "outcome: home, the steps of p1 = 1]")
    assert clause(trace_package(lake(tmp_path, text)), "end.1").killed is True
    goes_on = text.replace("rests: 2", "rests: 1").replace("outcome: home", "outcome: none")
    found = clause(trace_package(lake(tmp_path / "two", goes_on)), "end.1")
    assert found.killed is False and [name.rpartition(", ")[2] for name in found.survivors] == ["removed", SWAPPED]


def test_every_carrier_must_be_noticed(tmp_path: Path) -> None:
    text = "scenarios:\n  one:\n    proves: [things.1]\n    then: [number of pebbles in the heap = 3]\n"
    found = clause(trace_package(lake(tmp_path, text)), "things.1")
    assert found.survivors == ["zone heap, seen by others"]


@pytest.mark.parametrize(
    ("name", "then", "survivor"),
    [
        ("things.2", "asked: p1", "zone purse, seen by others"),
        ("things.3", "asked: p1", "counter rests, another start value"),
    ],
)
def test_declarations_are_broken_too(tmp_path: Path, name: str, then: str, survivor: str) -> None:
    text = f"scenarios:\n  one:\n    proves: [{name}]\n    then: [{then}]\n"
    assert clause(trace_package(lake(tmp_path, text)), name).survivors == [survivor]


def test_work_without_end_counts_as_noticed(tmp_path: Path) -> None:
    text = "scenarios:\n  one:\n    proves: [walk.1]\n    then: [rests = 0]\n"
    assert clause(trace_package(lake(tmp_path, text)), "walk.1").killed is True


def test_no_scenario_no_program_and_a_scenario_that_fails(tmp_path: Path) -> None:
    text = "scenarios:\n  one:\n    proves: [walk.2, walk.3]\n    then: [rests = 1]\n"
    root = lake(tmp_path, text, untagged=("§walk.2 ", ""))
    report = trace_package(root)
    assert clause(report, "walk.1").reason == "no scenario proves it"
    assert clause(report, "walk.2").reason == "nothing in the package carries it out"
    assert clause(report, "walk.3").reason == "the scenario one fails as it is"
    assert clause(report, "things.4").killed is None
    rendered = report.render()
    assert "walk.2: not proved: nothing in the package carries it out" in rendered
    assert rendered.splitlines()[-1].startswith("lake: 9 clauses (8 rules, 1 definitions, 0 table manners), 0 proved")


def test_the_json_is_the_contract(tmp_path: Path) -> None:
    root = lake(tmp_path, "scenarios:\n  one: {proves: [walk.1], then: [asked: p1]}\n")
    made = trace_package(root).to_json()
    counts = ["clauses", "rule", "definition", "manners", "proved", "unproved"]
    more = ["cards", "parts", "parts_proved", "parts_unproved", "equivalent"]
    assert list(made["summary"]) == [*counts, *more]
    assert all(list(c)[:6] == ["id", "numbers", "kind", "scenarios", "killed", "reason"] for c in made["clauses"])
    json.dumps(made)


def test_a_wrong_scenario_is_told_and_the_rest_is_traced(tmp_path: Path) -> None:
    text = (
        "scenarios:\n  one: {proves: [nothing.1], then: [asked: p1]}\n"
        "  two:\n    proves: [walk.3]\n    when: [{p1: rest}]\n    then: [rests = 1]\n"
    )
    report = trace_package(lake(tmp_path, text))
    assert [(failure.id, failure.message[:7]) for failure in report.failures] == [("one", "[G0818]")]
    assert report.failed and clause(report, "walk.3").killed is True


def test_what_an_ability_demands_and_its_limit_are_broken_too(tmp_path: Path) -> None:
    """A row of the tables that carries out several clauses: a scenario of any of them may notice what it demands."""
    ability = (
        "abilities:\n  swim:\n    window: after you dive\n    only: rests = 0\n    limit: once per turn\n"
        "    clause: [walk.2, walk.3]\n    do: the rests is now rests + 1\n\nprocedures:"
    )
    text = "scenarios:\n  one:\n    proves: [walk.2]\n    when: [{p1: dive}]\n    then: [rests = 1]\n"
    other = text + "  two: {proves: [walk.3], given: {start: dive, as: p1, counters: {rests: 2}}, then: [rests = 2]}\n"
    changes = {"untagged": ("§walk.2 ", ""), "loose": ("§walk.3 ", ""), "more": ("procedures:", ability)}
    wanted = ["ability swim without its limit", "ability swim without 'rests = 0'", MOVED]
    assert clause(trace_package(lake(tmp_path / "a", text, **changes)), "walk.2").survivors == wanted
    found = trace_package(lake(tmp_path / "b", other, **changes))
    assert clause(found, "walk.2").survivors == [wanted[0], MOVED]
    assert clause(found, "walk.3").survivors == ["ability swim, removed", wanted[0], MOVED]


def test_what_a_verb_demands_is_broken_too(tmp_path: Path) -> None:
    tagged = ("    only: you are not wet\n", "    only: you are not wet\n    clause: walk.4\n")
    text = (
        "scenarios:\n  one:\n    proves: [walk.4]\n    when: [{p1: fetch}, {p2: dive}]\n    then: [events: [p1 "
        "fetch]]\n"
    )
    found = clause(trace_package(lake(tmp_path, text, tagged=tagged)), "walk.4")
    assert "fetch without 'you are not wet'" in found.survivors


def test_a_mutant_is_a_loadable_artefact_and_the_original_stays(tmp_path: Path) -> None:
    document = build(lake(tmp_path))
    artefact = load_artefact(document).artefact
    hashes = {artefact.hash}
    for carrier in find_carriers(artefact):
        for mutant in carrier.mutants:
            made = write(mutate(artefact, mutant))
            hashes.add(load_artefact({**made, "hash": content_hash(made)}).hash)
    assert write(artefact) == document
    assert len(hashes) == 1 + sum(len(carrier.mutants) for carrier in find_carriers(artefact)) > 10


def test_processes_and_hash_seeds_change_nothing(tmp_path: Path) -> None:
    root = lake(tmp_path)
    for name, text in files().items():
        if "wrong" not in name:
            (root / name).write_text(text, encoding="utf-8")
    code = (
        "import json, sys\nimport grimoire.compiler.api.trace as trace, grimoire.compiler.proof.bench as bench\n"
        "if __name__ == '__main__':\n"
        "    bench.WORTH_PROCESSES = 1\n"
        "    print(json.dumps(trace.trace_package(sys.argv[1], jobs=int(sys.argv[2])).to_json()))\n"
    )
    script = tmp_path / "run.py"
    script.write_text(code, encoding="utf-8")
    outputs = [
        subprocess.run(
            [sys.executable, str(script), str(root), jobs],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for jobs, seed in (("1", "0"), ("2", "7"))
    ]
    assert outputs[0] == outputs[1] and json.loads(outputs[0])["summary"]["unproved"] == 0


ORDERED = (
    "scenarios:\n  one:\n    proves: [end.1]\n    given: {counters: {rests: 2}}\n"
    "    when: [{p1: rest}]\n    then: [outcome: home%s]\n"
)


def test_what_is_done_first_is_also_done_second(tmp_path: Path) -> None:
    """The third rest ends the game before or behind the last step: who looks at the step alone notices."""
    assert clause(trace_package(lake(tmp_path / "a", ORDERED % "")), "end.1").survivors == [SWAPPED]
    seen = clause(trace_package(lake(tmp_path / "b", ORDERED % ", the steps of p1 = 1")), "end.1")
    assert seen.killed is True


def test_what_nothing_can_notice_is_said_with_its_reason(tmp_path: Path) -> None:
    said = f'equivalent:\n  end.1:\n    "{SWAPPED}": nobody counts the last step\n'
    report = trace_package(lake(tmp_path, said + ORDERED % ""))
    found = clause(report, "end.1")
    assert found.killed is True and found.equivalent == [SWAPPED] and not report.failures
    assert report.summary["equivalent"] == 1 and report.render().endswith("tried, 1 of them equivalent\n")


@pytest.mark.parametrize(
    ("of", "broken", "then", "why"),
    [
        ("end.1", SWAPPED, ", the steps of p1 = 1", "a scenario notices it"),
        ("end.1", "'rests = 4' before setting player.steps in turn", ", the steps of p1 = 1", "does not break it so"),
        ("end.2", SWAPPED, ", the steps of p1 = 1", "does not break it so"),
    ],
)
def test_what_is_called_equivalent_and_is_not_is_told(
    tmp_path: Path, of: str, broken: str, then: str, why: str
) -> None:
    said = f'equivalent:\n  {of}:\n    "{broken}": nobody counts the last step\n'
    report = trace_package(lake(tmp_path, said + ORDERED % then))
    (failure,) = report.failures
    assert failure.message.startswith("[G0822]") and why in failure.message and failure.line == 3
    assert report.failed and failure.file.endswith("tests.yaml")


def test_effects_that_touch_nothing_in_common_and_cases_that_exclude_each_other_are_left_in_order(
    tmp_path: Path,
) -> None:
    cases = (
        "§walk.3 the rests is now rests + 1",
        "§walk.3 if rests = 0, you are now wet\n      the rests is now rests + 1",
    )
    apart = ("you are now not wet", "your steps is now your steps + 2")
    text = "scenarios:\n  one: {proves: [walk.3], when: [{p1: rest}], then: [rests = 1]}\n"
    alone = clause(trace_package(lake(tmp_path / "a", text, apart=apart)), "walk.3")
    assert alone.killed is True
    touching = clause(trace_package(lake(tmp_path / "b", text, cases=cases)), "walk.3")
    assert "setting rests before 'rests = 0' in rest" in touching.survivors


def test_only_who_says_that_a_clause_is_proved_proves_its_details(tmp_path: Path) -> None:
    """A scenario that comes by and would notice a border does not count for a clause that it does not name."""
    text = (
        "scenarios:\n  one:\n    proves: [end.1]\n    given: {counters: {rests: 2}}\n    when: [{p1: rest}]\n"
        "    then: [outcome: home, the steps of p1 = 1]\n"
        "  two: {proves: [%s], given: {counters: {rests: 1}}, when: [{p1: rest}], then: [outcome: none]}\n"
    )
    border = ("if rests = 3", "if rests >= 3")
    found = clause(trace_package(lake(tmp_path / "a", text % "walk.1", border=border)), "end.1")
    assert found.survivors == ["'>= 3' one lower in 'rests >= 3'"]
    assert clause(trace_package(lake(tmp_path / "b", text % "end.1", border=border)), "end.1").killed is True

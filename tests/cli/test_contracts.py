"""What programs may rely on: JSON on stdout and nothing else there, exit codes, the same digest everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grimoire.compiler.cli import build_parser
from grimoire.runtime import kernel_form, load_artefact
from grimoire.runtime.artefact.documents import canonical
from tests.packages import SMALL

from .conftest import ROOT, Run

GAMES = SMALL
SMALL = ["tic-tac-toe", "connect-four", "leduc", "love-letter"]
COMMANDS = [
    "check",
    "build",
    "schema",
    "fmt",
    "test",
    "trace",
    "list",
    "text",
    "edition",
    "l10n",
    "explain",
    "play",
    "simulate",
    "cover",
    "replay",
]


def test_every_command_is_there() -> None:
    actions = [action for action in build_parser()._actions if action.dest == "command"]
    assert sorted(actions[0].choices or ()) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert f"example: grimoire {command} " in done.out
    assert done.err == ""


def test_version_and_no_command(run: Run) -> None:
    out = run("--version").out
    assert out.startswith("grimoire ") and out.strip().endswith(f"({kernel_form()} kernel)")
    done = run()
    assert (done.code, done.out) == (2, "") and "COMMAND" in done.err


# --- check


def test_check_of_good_packages(run: Run) -> None:
    done = run("check", *SMALL, "--json")
    assert (done.code, json.loads(done.out)) == (0, {"diagnostics": []})
    done = run("check", *SMALL)
    assert (done.code, done.out) == (0, "") and "4 packages" in done.err


def test_check_reports_as_json(run: Run, sample: Path) -> None:
    rules = sample / "rules.yaml"
    rules.write_text(rules.read_text().replace("move the top stone", "move the top stoen"))
    for option in (["--json"], ["--format", "json"], ["--format=json"]):
        done = run("check", str(sample), *option)
        assert done.code == 1
        first = json.loads(done.out)["diagnostics"][0]
        keys = ["code", "severity", "file", "line", "column", "end_line", "end_column", "message", "hint", "related"]
        assert list(first) == keys
        assert first["code"] == "G0501" and first["file"] == str(rules)
        line = rules.read_text().splitlines()[first["line"] - 1]
        assert line[first["column"] - 1 : first["end_column"] - 1] == "stoen"
    text = run("check", str(sample))
    assert text.code == 1 and "error[G0501]" in text.out and "^^^^^" in text.out and "1 error" in text.out


def test_check_of_what_is_not_there(run: Run) -> None:
    done = run("check", "no-such-package", "--json")
    assert done.code == 1
    assert json.loads(done.out)["diagnostics"][0]["code"] == "G0202"


# --- build


def test_build_writes_what_the_runtime_loads(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert run("build", "leduc", "-o", str(target)).code == 0
    package = load_artefact(target)
    assert package.id == "leduc"
    assert canonical(package.document) == target.read_bytes()
    assert sorted(package.document["text"]) == ["en", "ru", "uk"]
    assert run("build", "leduc", "-o", "-").out.encode() == target.read_bytes()
    done = run("simulate", str(target), "--games", "5", "--json")
    assert done.code == 0 and json.loads(done.out)["games"] == 5


def test_build_goes_to_build(run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample.parent)
    assert run("build", "sample").code == 0
    assert load_artefact(sample.parent / "build" / "sample.json").id == "sample"


def test_build_with_errors(run: Run, sample: Path, tmp_path: Path) -> None:
    (sample / "more.yaml").write_text("zones:\n  pit: {holds: gravel}\n")
    done = run("build", str(sample), "-o", str(tmp_path / "x.json"))
    assert (done.code, done.out) == (1, "") and "error[G0310]" in done.err
    assert not (tmp_path / "x.json").exists()


# --- list, explain


def test_list(run: Run) -> None:
    found = json.loads(run("list", "leduc", "--json").out)
    assert {"id": "jack", "kind": "court-card", "count": 2, "base": "card"} in found["cards"]
    assert not {"tokens", "figures", "sheets"} & set(found)
    assert found["players"] == {"min": 2, "max": 2} and found["languages"] == ["en", "uk", "ru"]
    assert json.loads(run("list", "leduc", "--kind", "card", "--json").out)["cards"] == found["cards"]
    only = json.loads(run("list", "leduc", "--kind", "outcome", "--json").out)
    assert only["cards"] == [] and [row["id"] for row in only["things"]] == ["showdown", "fold", "split"]
    text = run("list", "leduc")
    assert text.code == 0 and "jack" in text.out and "2 x" in text.out
    zones = {line.split()[0]: line.split()[-1] for line in text.out.partition("zones:\n")[2].splitlines()[:3]}
    assert zones == {"deck": "nobody", "hand": "owner", "board": "everyone"}  # the words of the files


def test_list_unverified(run: Run) -> None:
    found = json.loads(run("list", "unfathomable", "--unverified", "--json").out)
    rows = {row["id"]: row for row in found["clauses"]}
    assert set(found) == {"package", "players", "clauses"}
    assert rows["reveal-as-traitor.2"]["kind"] == "rule" and "one program" in rows["reveal-as-traitor.2"]["unverified"]
    assert "reveal-as-traitor.3" not in rows
    text = run("list", "unfathomable", "--unverified")
    assert text.code == 0 and "reveal-as-traitor.2" in text.out and "one program" in text.out
    nothing = run("list", "leduc", "--unverified", "--json")
    assert nothing.code == 0 and json.loads(nothing.out)["clauses"] == []
    assert run("list", "leduc", "--unverified", "--kind", "card").code == 2


def test_explain(run: Run) -> None:
    done = run("explain", "g0901")
    assert done.code == 0 and "text-missing" in done.out and "Repair:" in done.out
    assert run("explain", "text-missing").out == done.out
    unknown = run("explain", "G9999")
    assert (unknown.code, unknown.out) == (2, "")


# --- test, trace


def test_scenarios(run: Run) -> None:
    done = run("test", "tic-tac-toe", "--json")
    report = json.loads(done.out)
    assert done.code == 0 and report["failed"] == 0 and report["passed"] == report["scenarios"] > 0
    both = json.loads(run("test", "tic-tac-toe", "connect-four", "--json").out)
    assert both["scenarios"] > report["scenarios"]
    assert both["packages"]["tic-tac-toe"]["scenarios"] == report["scenarios"]
    assert run("test", "tic-tac-toe").code == 0


def test_trace(run: Run) -> None:
    done = run("trace", "tic-tac-toe", "--json")
    report = json.loads(done.out)
    assert {"id", "numbers", "kind", "scenarios", "killed", "reason"} <= set(report["clauses"][0])
    assert {"clauses", "rule", "definition", "manners", "proved", "unproved"} <= set(report["summary"])
    assert report["summary"]["clauses"] == len(report["clauses"]) == 7
    unknown = run("trace", "tic-tac-toe", "-k", "trun.1")
    assert unknown.code == 2 and "has no clause, card or part of a card 'trun.1'" in unknown.err


def test_a_scenario_that_is_not_there(run: Run) -> None:
    for more in ([], ["--json"]):
        done = run("test", "love-letter", "-k", "baronn", *more)
        assert (done.code, done.out) == (2, "")
        assert "no scenario is called 'baronn'; did you mean baron-with-" in done.err
    found = run("test", "love-letter", "leduc", "-k", "baron")  # one of them has it
    assert (found.code, found.err) == (0, "") and "no scenario" not in found.out


# --- simulate

SIMULATION = ["games", "decisions", "seconds", "outcomes", "errors", "digest", "error_notes", "winners"]


@pytest.mark.parametrize("game", SMALL)
def test_simulate(run: Run, game: str) -> None:
    done = run("simulate", game, "--games", "50", "--players", "2", "--seed", "3", "--json")
    report = json.loads(done.out)
    assert done.code == 0 and done.err == ""
    assert list(report) == SIMULATION
    assert report["games"] == 50 == sum(report["outcomes"].values()) and report["errors"] == 0
    assert {end: sum(won.values()) for end, won in report["winners"].items()} == report["outcomes"]


def test_digest_depends_on_content_seed_and_bot_alone() -> None:
    def digest(jobs: str, hash_seed: str, *more: str) -> str:
        args = ["simulate", "leduc", "--games", "200", "--seed", "5", "--jobs", jobs, "--json", *more]
        done = subprocess.run(
            [sys.executable, "-m", "grimoire.compiler.cli", *args],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=True,
        )
        return str(json.loads(done.stdout)["digest"])

    first = digest("1", "1")
    assert digest("2", "2") == first
    assert digest("1", "1", "--bot", "first") != first


def test_simulate_as_text(run: Run) -> None:
    done = run("simulate", "leduc", "--games", "20")
    assert done.code == 0 and "20 games" in done.out and "digest: " in done.out


def test_options_of_a_game(run: Run, sample: Path) -> None:
    def decisions(*option: str) -> str:
        report = json.loads(run("simulate", str(sample), "--games", "9", "--players", "2", "--json", *option).out)
        return str(report["outcomes"])

    assert decisions("--option", "long=yes") == decisions("--option", "long=no") == "{'done-for': 9}"
    for wrong in ("long=maybe", "lnog=yes", "long", "long=yes long=no"):
        done = run("simulate", str(sample), "--games", "1", "--players", "2", "--option", *wrong.split())
        assert done.code == 2 and "long" in done.err


# --- cover


def test_cover_tells_what_never_happens(run: Run, sample: Path, tmp_path: Path) -> None:
    done = run("cover", "love-letter", "--games", "20", "--json")
    report = json.loads(done.out)
    keys = ["package", "games", "decisions", "summary", "parts", "curve", "errors", "error_notes", "idle"]
    assert done.code == 0 and done.err == "" and list(report) == keys
    assert list(report["parts"][0]) == ["id", "card", "place", "times", "reason"]
    assert report["summary"]["happened"] == report["summary"]["parts"] == report["curve"][-1] and report["games"] < 20
    done = run("cover", "love-letter", "--games", "1", "-k", "king", "--players", "2", "--seed", "4")
    assert "happened" in done.out and (done.code == 1) == ("love-letter/cards.yaml" in done.out)
    rules = sample / "rules.yaml"
    rules.write_text(
        rules.read_text()
        .replace("    is: card\n", "    is: card\n    slots: {effect: effect}\n")
        .replace("in: heap}", "in: heap, effect: 'if your coins > 90, wait'}")
        .replace("    either pick 1 stone or wait\n", "    resolve the effect of the first moon in your satchel\n")
    )
    done = run("cover", str(sample), "--games", "3")
    assert done.code == 1 and "moon.effect.if-1.yes: never happened" in done.out
    why = tmp_path / "why.yaml"
    why.write_text("moon.effect.if-1.yes: there are no 90 coins\n")
    assert run("cover", str(sample), "--explained", str(why)).code == 0
    why.write_text("moon.effect.if-1.no: it does happen\n")
    assert (
        "moon.effect.if-1.no: explained as what never happens" in run("cover", str(sample), "--explained", str(why)).out
    )
    for text, word in (
        ("- a\n", "why it never happens"),
        ("moon: [a]\n", "why it never happens"),
        ("a: b: c\n", "error[G01"),
    ):
        why.write_text(text)
        done = run("cover", str(sample), "--explained", str(why))
        assert done.code in (1, 2) and word in done.err
    for wrong in (
        ["--players", "9"],
        ["-k", "nonsense"],
        ["--option", "x=1"],
        ["--explained", "not-there"],
        ["--games", "0"],
    ):
        done = run("cover", "love-letter", *wrong)
        assert done.code == 2 and done.out == "" and done.err.startswith("grimoire: ")

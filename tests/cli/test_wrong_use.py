"""Wrong use: exit code 2, nothing on stdout, a short message that says what was expected. Never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, Run

# command line -> what the message must say
WRONG: dict[str, str] = {
    "chek content": "did you mean 'check'",
    "--frobnicate": "grimoire --help",
    "check": "PATH",
    "check content --format xml": "text, json",
    "check content --jsno": "--jsno",
    "build": "PACKAGE",
    "build no-such-package": "no-such-package",
    "build lovletter": "there is no package 'lovletter'",
    "build content": "several packages",
    "build leduc -o /no/such/folder/x.json": "folder",
    "build leduc -o tests": "is a folder",
    "schema": "PACKAGE",
    "schema no-such-package": "no-such-package",
    "schema leduc -o /no/such/folder/x.json": "folder",
    "schema leduc -o tests": "is a folder",
    "list leduc --kind caard": "did you mean 'card'",
    "list": "PACKAGE",
    "explain": "CODE",
    "explain E17": "G0501",
    "test no-such-package": "no-such-package",
    "trace no-such-package": "no-such-package",
    "play": "PACKAGE",
    "play no-such-package": "no-such-package",
    "play love-letter --bots clever": "random, first, explore",
    "play love-letter --players 9": "2 to 4 players",
    "play love-letter --players two": "whole number",
    "play leduc --seat 3": "seat 3",
    "play leduc --seat 0": "whole number",
    "play leduc --lang de": "en, uk, ru",
    "play leduc --option speed=high": "no option 'speed'",
    "play leduc --seed -1": "whole number",
    "play leduc --seed 1e3": "whole number",
    "play leduc --record /no/such/folder/r.json": "--record",
    "play leduc --load no-such-file": "no-such-file",
    "simulate leduc": "--games",
    "simulate love-letter --games 5": "--players N",
    "simulate leduc --games 0": "whole number",
    "simulate leduc --games 99999999999999999999999999999999": "whole number",
    "simulate leduc --games 5 --jobs 0": "whole number",
    "simulate leduc --games 5 --bot clever": "random, first, explore",
    "simulate leduc --games 5 --players 3": "2 players",
    "replay": "FILE",
    "replay no-such-file.json": "no-such-file.json",
    "replay no-such-file.json --to x": "whole number",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_use(run: Run, line: str) -> None:
    done = run(*line.split())
    assert done.code == 2
    assert done.out == ""
    assert WRONG[line] in done.err
    assert len(done.err.splitlines()) <= 3


@pytest.mark.parametrize("text", ["\x1b[2J", "a\x00b", "x" * 5000, "", "..", "💥", "\udcff"])
def test_odd_names(run: Run, text: str) -> None:
    """Whatever stands where a name should be: a short message without signs that steer the terminal."""
    for command in (
        ["check", text],
        ["play", text],
        ["list", text],
        ["replay", text],
        ["explain", text],
        ["fmt", text],
    ):
        done = run(*command)
        assert done.code in (1, 2)
        assert "\x1b" not in done.err + done.out and "\x00" not in done.err
        assert len(done.err) < len(text) + 1000


DAMAGED: dict[str, str] = {
    "": "complete JSON",
    "{": "complete JSON",
    "[" * 100_000: "nested too deeply",
    "[]": "not a replay",
    '{"format": "grimoire-save"}': "not a replay",
    '{"format": "grimoire-replay", "version": 7}': "version 7",
    '{"format": "grimoire-replay", "version": 1}': "'package'",
}


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_replays(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text)
    done = run("replay", str(file))
    assert (done.code, done.out) == (1, "") and DAMAGED[text] in done.err


@pytest.mark.parametrize(
    ("key", "value"),
    [("players", 0), ("players", "2"), ("players", True), ("seed", None), ("options", []), ("decisions", [1])],
)
def test_replays_with_a_wrong_field(run: Run, tmp_path: Path, key: str, value: object) -> None:
    record = {
        "format": "grimoire-replay",
        "version": 1,
        "package": {"id": "leduc", "version": "1.0.0", "hash": "0"},
        "players": 2,
        "seed": 1,
        "options": {},
        "decisions": [],
    }
    file = tmp_path / "r.json"
    file.write_text(json.dumps({**record, key: value}))
    done = run("replay", str(file))
    assert done.code == 1 and f"'{key}'" in done.err


def test_artefacts_that_are_damaged(run: Run, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    assert run("build", "leduc", "-o", str(good)).code == 0
    data = good.read_bytes()
    for name, bad in {"half": data[: len(data) // 2], "edited": data.replace(b'"copies":2', b'"copies":3')}.items():
        file = tmp_path / f"{name}.json"
        file.write_bytes(bad)
        for command in (["list", str(file)], ["play", str(file)], ["simulate", str(file), "--games", "1"]):
            done = run(*command)
            assert (done.code, done.out) == (1, "") and "artefact" in done.err


def test_ctrl_c_is_short(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("grimoire.compiler.command.play.simulate", stop)
    done = run("simulate", "leduc", "--games", "5")
    assert (done.code, done.out, done.err.strip()) == (130, "", "stopped")


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    command = f"{sys.executable} -m grimoire.compiler.cli play love-letter --bots | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


def test_an_error_inside_a_game_is_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from grimoire.runtime import BudgetExceeded

    def fail(*args: object, **named: object) -> None:
        raise BudgetExceeded("too much")

    monkeypatch.setattr("grimoire.compiler.command.play.simulate", fail)
    done = run("simulate", "leduc", "--games", "5", "--json")
    report = json.loads(done.out)
    assert done.code == 1 and report["errors"] == report["games"] == 5 and "too much" in done.err
    assert report["error_notes"] == ["all games: too much"]


def test_games_that_fail_are_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from grimoire.runtime.bots.simulate import Report

    report = Report(games=9, decisions=4, errors=2, error_notes=["seed 3: too much", "seed 7: \x1b[2J too deep"])
    monkeypatch.setattr("grimoire.compiler.command.play.simulate", lambda *args: report)
    done = run("simulate", "leduc", "--games", "9")
    assert done.code == 1 and "errors: 2\n  seed 3: too much\n  seed 7: " in done.out
    assert "\x1b" not in done.out
    assert json.loads(run("simulate", "leduc", "--games", "9", "--json").out)["error_notes"] == report.error_notes


def test_a_fault_of_our_own_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the runtime tells it or nobody caught it: exit code 70, where it happened, and no traceback of Python."""
    from grimoire.runtime import play as playing

    def fail(*args: object, **named: object) -> None:
        raise AttributeError("no slot")

    with monkeypatch.context() as broken:
        broken.setattr("grimoire.compiler.command.play.simulate", fail)
        done = run("simulate", "leduc", "--games", "5")
    assert done.code == 70 and "AttributeError: no slot" in done.err and "fault of Grimoire" in done.err
    assert "test_wrong_use.py:" in done.err and "report" in done.err and not done.out

    monkeypatch.setattr(playing.game.trial, "advance", fail)
    done = run("play", "leduc", "--bots")
    assert done.code == 70 and "the engine failed in" in done.err and "not of the content" in done.err

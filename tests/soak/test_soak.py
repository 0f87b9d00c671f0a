"""The soak itself, with small numbers: what it prints, and that it fails when something is found."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler import files
from grimoire.runtime import BudgetExceeded, Report
from tests.charter.kit import CONTENT, ROOT, TABLES
from tests.games.voyage import Voyage
from tests.soak import large, writes
from tests.soak import run as soak

LITTLE = [
    "--large",
    "0",
    "--watched",
    "0",
    "--aims",
    "0",
    "--reign",
    "0",
    "--trace",
    "0",
    "--cards",
    "0",
    "--cover",
    "0",
    "--corrupted",
    "0",
    "--fuzzers",
    "0",
    "--faults",
    "0",
    "--kills",
    "0",
    "--edits",
    "0",
]
SMALL = [
    "--games",
    "5",
    "--paused",
    "1",
    "--positions",
    "2",
    "--legal",
    "1",
    "--files",
    "0",
    "--explore",
    "2",
    *LITTLE,
    "--cards",
    "2",
    "--jobs",
    "1",
]


def test_a_small_soak(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "TABLES", [("leduc", 2), ("tic-tac-toe", 2)])
    monkeypatch.setattr(soak, "HIDING", ["leduc"])
    monkeypatch.setattr(soak, "DECKS", ["love-letter"])
    code = soak.main(SMALL)
    summary = json.loads(capsys.readouterr().out)
    assert code == 0 and summary["findings"] == 0
    assert [(row["package"], row["bot"], row["games"]) for row in summary["games"]] == [
        ("leduc", "random", 5), ("tic-tac-toe", "random", 5), ("leduc", "explore", 2), ("tic-tac-toe", "explore", 2),
    ]  # fmt: skip
    assert [row["probe"] for row in summary["probes"]] == ["paused", "paused", "legal", "legal", "twins", "cards"]


def test_a_finding_is_told_and_fails(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise BudgetExceeded("for ever")

    monkeypatch.setattr(soak, "TABLES", [("leduc", 2)])
    monkeypatch.setattr(soak, "simulate", broken)
    assert (
        soak.main(
            [
                "--games",
                "5",
                "--paused",
                "0",
                "--positions",
                "0",
                "--legal",
                "0",
                "--files",
                "0",
                "--explore",
                "0",
                *LITTLE,
            ]
        )
        == 1
    )
    summary = json.loads(capsys.readouterr().out)
    assert summary["findings"] == 1 and "for ever" in summary["games"][0]["findings"][0]


def test_games_that_fail_or_have_no_end_are_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on when some games fail: they are counted, and the soak must not take them for played."""
    failed = Report(games=5, outcomes={"fold": 3}, errors=2, error_notes=["seed 1: stuck", "seed 4: stuck"])
    monkeypatch.setattr(soak, "simulate", lambda *_, **__: failed)
    assert soak.random_games("leduc", 2, 5, 0, 1)["findings"] == ["2 of 5 games failed: seed 1: stuck; seed 4: stuck"]
    monkeypatch.setattr(soak, "simulate", lambda *_, **__: Report(games=5, outcomes={"fold": 3}))
    assert soak.random_games("leduc", 2, 5, 0, 1)["findings"] == ["3 of 5 games have an outcome, 0 failed"]


def test_an_end_that_no_rule_says_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "ends", lambda name: set())
    assert soak.random_games("leduc", 2, 20, 0, 1)["findings"]


def test_the_command_with_two_processes() -> None:
    """As `make soak` calls it: the probes run in processes of their own."""
    numbers = ["--games", "70", "--paused", "0", "--positions", "2", "--legal", "0", "--files", "0", "--explore", "0"]
    numbers += LITTLE
    line = [sys.executable, "-m", "tests.soak", *numbers, "--jobs", "2"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    summary = json.loads(done.stdout)
    assert [row["games"] for row in summary["games"]] == [70] * len(TABLES)
    found: Counter[str] = Counter()
    for row in summary["probes"]:
        found[row["package"]] += row["positions"]
    assert found == {"leduc": 2, "love-letter": 2}


def test_commands_are_killed_while_they_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """And who writes in place is found out."""
    monkeypatch.setattr(writes, "JOBS", [job for job in writes.JOBS if job.name in ("fmt", "build")])
    row = writes.killed_commands(6, 1, lambda text: None)
    assert row["games"] == 6 and row["findings"] == []

    real, here = files.write_file, os.getpid()

    def in_place(path: Path, data: bytes, **more: Any) -> None:
        if os.getpid() == here:  # not killed
            real(path, data, **more)
            return
        path.write_bytes(data[: len(data) // 2])
        files._write_part(str(path.parent), b"", 0o600)  # what tells that it begins
        signal.pause()

    monkeypatch.setattr("grimoire.compiler.command.content.write_file", in_place)
    monkeypatch.setattr(writes, "JOBS", [job for job in writes.JOBS if job.name == "build"])
    assert writes.killed_commands(6, 1, lambda text: None)["findings"]


def test_what_no_scenario_notices_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "love-letter"
    shutil.copytree(CONTENT / "love-letter", root)
    monkeypatch.setattr(soak, "CONTENT", tmp_path)
    fine = soak.traced("love-letter", 1, lambda text: None)
    assert fine["findings"] == [] and fine["parts"] == fine["parts_proved"] > 20
    shutil.rmtree(root / "scenarios")
    (root / "scenarios").mkdir()
    (root / "scenarios" / "one.yaml").write_text("scenarios: {one: {then: [asked: p1]}}\n", encoding="utf-8")
    assert soak.traced("love-letter", 1, lambda text: None)["found"] == fine["rule"] + fine["parts"]


def test_every_package_is_soaked() -> None:
    assert soak.TABLES == TABLES and set(soak.HIDING) == {"abyss", "leduc", "love-letter", *large.LARGE}


def test_watched_games_are_counted_and_findings_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = soak.run_reigns(3, 7, 1, lambda text: None)
    assert [(row["players"], row["games"], row["findings"]) for row in rows] == [(2, 3, []), (3, 3, []), (4, 3, [])]


def test_large_packages_are_run_with_every_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "LARGE", ["unfathomable"])
    monkeypatch.setattr(large, "sizes", lambda name: [3])
    assert large.bots("unfathomable") == ["aims", "aims:humans", "aims:hybrids", "aims:cultists"]
    monkeypatch.setattr(large, "bots", lambda name: ["aims:cultists"])  # with three players there are none: quick
    rows = large.long_runs(2, 1, 1, 0, 1, lambda text: None)
    options = large.variants("unfathomable")
    first = [{}, {"difficulty": "human-ease"}, {"difficulty": "traitor-ease"}]
    assert options == [*first, {"first-game": True}, {"no-cultist": True}]
    assert [row["options"] for row in rows if row["bot"] == "random"] == options
    assert all(row["looks"] > row["decisions"] > 0 for row in rows if row["bot"] == "watched")
    assert all(row["games"] == sum(row["outcomes"].values()) for row in rows)
    assert not [text for row in rows[:-1] for text in row["findings"]]
    assert any("no game ended with 'port'" in text for text in rows[-1]["findings"]), "one game cannot meet every end"
    assert "the side 'cultists' never won" in rows[-1]["findings"]
    assert sum(games for ends in rows[-1]["table"].values() for who in ends.values() for games in who.values()) == 5


def test_the_table_of_ends_and_winners() -> None:
    rows = [
        {"players": 3, "winners": {"port": {"humans": 1}, "starved": {"hybrids": 2}}},
        {"players": 3, "winners": {"starved": {"hybrids": 1, "nobody": 1}}},
        {"players": 4, "winners": {"starved": {"hybrids + cultists": 1}}},
    ]
    assert large.ends_by_winners(rows) == {
        "port": {"humans": {3: 1}},
        "starved": {"hybrids": {3: 3}, "nobody": {3: 1}, "hybrids + cultists": {4: 1}},
    }


def test_what_is_wrong_in_a_watched_game_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Voyage(games=1, wrong=Counter({"a piece is lost or in two places": 3}))
    monkeypatch.setitem(large.WATCHED, "unfathomable", lambda *_: wrong)
    assert large.watch("unfathomable", 3, {}, 1, 0)["findings"] == ["a piece is lost or in two places (3 times)"]


def test_the_expansion_is_run_and_watched_as_well() -> None:
    assert large.EXPANSION in large.LARGE and len(large.variants(large.EXPANSION)) == 5
    assert large.sizes(large.EXPANSION) == [3, 4, 5, 6]
    row = large.watch(large.EXPANSION, 4, {"no-cultist": True}, 1, 0)
    assert row["games"] == 1 and row["looks"] > row["decisions"] > 0 and not row["findings"]

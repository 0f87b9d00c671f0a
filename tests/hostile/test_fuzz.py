"""A short run of the fuzzer, what its changes are, and that a planted crash, hang, flood and death are found; `make
soak` runs it for longer."""

from __future__ import annotations

import json
import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grimoire.compiler.syntax.parse import ParseProblem, parse
from grimoire.runtime import new_game
from tests.packages import CONTENT, FOLDERS, LARGE

from . import fuzz as fuzzing
from . import watch
from .change_effects import change_tree, printed, walk
from .change_text import change_words, vocabulary
from .fuzz import Fuzzer, fuzz, shares
from .planted import Planted
from .watch import Report, TooSlow, run_lookers, time_limit

QUICK = [CONTENT / name for name in ("tic-tac-toe", "connect-four", "leduc", "love-letter")]


def test_changed_content_gets_diagnostics() -> None:
    reports = fuzz(200, 20_240, packages=QUICK, jobs=2)
    assert [report.looks for report in reports] == [50] * 4
    assert sum(report.clean for report in reports) > 10 and sum(report.decisions for report in reports) > 50
    assert not [crash for report in reports for crash in report.crashes], "\n".join(
        str(crash) for report in reports for crash in report.crashes
    )


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Fuzzer:
    return Fuzzer(tmp_path_factory.mktemp("changed"), CONTENT / "tic-tac-toe")


def test_a_change_is_found_again(fuzzer: Fuzzer) -> None:
    made = [fuzzer.make(7, number) for number in range(60)]
    assert made == [fuzzer.make(7, number) for number in range(60)]
    assert len({json.dumps({name: data.hex() for name, data in files.items()}) for files in made}) > 50
    words = vocabulary(["verbs:\n  draw: rest\n"])
    text = b"verbs:\n  draw:\n    body: rest\n" * 5
    assert change_words(text, random.Random(3), words) == change_words(text, random.Random(3), words)


def test_the_files_are_as_before_behind_each_change(fuzzer: Fuzzer) -> None:
    for number in range(20):
        fuzzer.run(8, number)
    assert {path.relative_to(fuzzer.root).as_posix() for path in fuzzer.root.rglob("*.yaml")} == {*fuzzer.files}
    assert all((fuzzer.root / name).read_bytes() == data for name, data in fuzzer.files.items())


def test_changed_trees_are_mostly_texts(fuzzer: Fuzzer) -> None:
    """A third of them at least can be parsed: what is behind the parser is reached."""
    texts = [text for rows in fuzzer.texts.values() for text in rows if text.start == "effect"]
    rng, fine = random.Random(1), 0
    for _ in range(300):
        said = printed(change_tree(rng.choice(texts).node, fuzzer.trees, rng))
        try:
            fine += list(walk(parse(said, "effect"))) != []
        except ParseProblem:
            continue
    assert fine > 100


def test_a_crash_is_found_and_cut_down(fuzzer: Fuzzer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(root: Path, *_: object) -> list[object]:
        if b"bad" in (root / "new.yaml").read_bytes():
            raise LookupError("planted")
        return []

    files = {**fuzzer.files, "new.yaml": b"a: 1\nb: bad\nc: 3\n", "text/en.yaml": b""}
    monkeypatch.setattr(fuzzing, "check", broken)
    monkeypatch.setattr(fuzzer, "make", lambda *_: files)
    crash = fuzzer.run(1, 1)
    assert crash is not None and crash.what.startswith("LookupError: planted")
    assert "python -m tests.hostile.fuzz --package tic-tac-toe --seed 1 --again 1" in str(crash)
    assert fuzzer.shrink(1, 1) == {"new.yaml": b"b: bad"}


def test_a_game_that_is_stuck_or_loads_as_another_is_told(fuzzer: Fuzzer, monkeypatch: pytest.MonkeyPatch) -> None:
    from grimoire.compiler import compile_package

    game = new_game(compile_package(fuzzer.root), 2)
    other = new_game(game.package, 2)
    other.choose_index(0)
    monkeypatch.setattr(fuzzing, "load_game", lambda *_: other)
    assert fuzzing.play_on(game, 9, random.Random(0), Report("x")) == "a loaded game has another digest"


def test_what_is_planted_is_found() -> None:
    """Also what ends the process or never lets go of it; the numbers behind it are looked at by another one."""
    (report,) = run_lookers([("planted", Planted, 13)], 1, command="planted")
    found = {crash.number: crash.what for crash in report.crashes}
    assert sorted(found) == [3, 5, 7, 9] and report.looks == 13
    assert found[3].startswith("KeyError: 'planted' at planted.py:fail")
    assert found[5].startswith("more than 0.5 seconds at planted.py:hang")
    assert found[7].startswith("the process holds 3") and found[9] == "the process died (exit code 7)"


def test_a_run_ends_when_its_time_is_over() -> None:
    (report,) = run_lookers([("planted", Planted, 10**9)], 1, first=100, seconds=0.2)
    assert 0 < report.looks < 10**6 and not report.crashes


def test_shares() -> None:
    counts = {root.name: count for root, count in shares(20_000, FOLDERS).items()}
    assert sum(counts.values()) == 20_000
    assert all(count == 1000 if name in LARGE else count > 3000 for name, count in counts.items())
    assert shares(1000, [CONTENT / "unfathomable"]) == {CONTENT / "unfathomable": 1000}


def test_a_block_that_does_nothing_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "WAITING", 0.02)
    with pytest.raises(TooSlow), time_limit(2):
        select.select([], [], [], 600)


def test_a_block_that_gets_little_of_the_machine_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock runs out again and again, as if others had the machine, and each time something was done."""
    clock = iter(range(100))
    monkeypatch.setattr(watch.time, "process_time", lambda: float(next(clock)))
    with time_limit(60):
        for _ in range(5):
            signal.raise_signal(signal.SIGALRM)
    monkeypatch.setattr(watch.time, "process_time", lambda: 7.0)
    with pytest.raises(TooSlow), time_limit(60):
        signal.raise_signal(signal.SIGALRM)


def test_a_silent_process_is_left_alone_while_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    one = watch.Watched("planted", Planted, 1, range(1), None, "planted", lambda text: None)
    spent = iter([100.0, 200.0, 200.0])
    monkeypatch.setattr(watch, "SILENCE", 0.0)
    monkeypatch.setattr(watch, "spent_by", lambda pid: next(spent))
    assert [one.silent() for _ in range(3)] == [False, False, True]
    assert "nothing was heard" in one.report.crashes[0].what
    assert not one.process.is_alive()


def test_a_silent_process_that_works_for_too_long_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = watch.Watched("planted", Planted, 1, range(1), None, "planted", lambda text: None)
    monkeypatch.setattr(watch, "SILENCE", 0.0)
    monkeypatch.setattr(watch, "spent_by", lambda pid: watch.WORK + 1)
    assert one.silent() and not one.process.is_alive()


def test_too_slow_is_not_caught_with_the_errors() -> None:
    assert not issubclass(TooSlow, Exception)


def test_the_command(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "tests.hostile.fuzz", "--package", "tic-tac-toe", "--seed", "4", "--again", "2"]
    done = subprocess.run(line, cwd=CONTENT.parent, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "no crash\n"), done.stderr[-2000:]

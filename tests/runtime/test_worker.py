"""The worker: content from strangers in a process with limits; it is killed and reported, and the pool goes on with the
next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import games
import pytest
from rtkit import Art, end, entry, menu, n, repeat

from grimoire.runtime import ArtefactError, Outcome, SetupError, new_game
from grimoire.runtime.bots.bot import make_bot
from grimoire.runtime.worker import Job, Limits, WorkerPool, WorkerReport, play_limited
from grimoire.runtime.worker.pool import frame, read_report

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the worker refuses to start")
ASK = menu(n(0), "ask", entry("go"))


def artefact(*body: object) -> bytes:
    art = Art("stranger")
    art.proc("main", [*body])
    return json.dumps(art.finish()).encode()


GOOD = artefact(ASK, ASK, end("won", n(1)))
ENDLESS = artefact(repeat(ASK))
# Hundreds of megabytes when it is read.
GREEDY = b'{"format": [' + b"[]," * 6_000_000 + b"[]]}"
SMALL = Limits(memory=96 * 1024 * 1024, cpu=2, seconds=600)


def test_a_game_is_played_as_it_is_here() -> None:
    package, seed = games.leduc(), 11
    report = play_limited(Job(json.dumps(package.document).encode(), 2, seed))
    game = new_game(package, 2, seed, log=False)
    bot = make_bot("random")
    bot.join(game.program)
    bot.begin(seed)
    while game.decision is not None:
        game.choose_index(bot.pick(game.state))
    assert report == WorkerReport(game.outcome, game.decisions_made, game.digest())


def test_what_passes_a_limit_is_killed_and_the_pool_goes_on() -> None:
    """Endless play, and more memory than there may be; between them and after them a good game."""
    jobs = [
        Job(ENDLESS, most=10**9),
        Job(GOOD),
        Job(GREEDY),
        Job(GOOD),
        Job(b"{}"),
        Job(GOOD, players=7),
        Job("/dev/zero"),
    ]
    reports = list(WorkerPool(2, SMALL).play(jobs))
    assert [report.killed for report in reports] == ["cpu", "", "memory", "", "", "", ""]
    for at in (1, 3):
        assert reports[at].outcome == Outcome("won", (0,), None) and reports[at].decisions == ("p1 go", "p1 go")
    assert reports[4].error.startswith("ArtefactError: not an artefact")
    assert reports[5].error.startswith("SetupError: stranger is for 2 players")
    assert "is no file" in reports[6].error


def test_what_takes_too_long_is_killed() -> None:
    assert play_limited(Job(GOOD), Limits(seconds=0.0001)) == WorkerReport(killed="time")


def test_decisions_that_are_given_are_made() -> None:
    report = play_limited(Job(GOOD, decisions=["p1 go"]))
    assert (report.outcome, report.decisions, report.error) == (None, ("p1 go",), "")
    assert play_limited(Job(GOOD, decisions=["p1 stop"])).error.startswith("IllegalChoice: 'stop' is not offered")
    assert "no decision" in play_limited(Job(GOOD, decisions=["nonsense"])).error
    assert "not over after 5 decisions" in play_limited(Job(ENDLESS, most=5)).error


def test_a_pipe_is_no_artefact(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ArtefactError, match="is no file"):
        play_limited(Job(tmp_path / "pipe"))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Limits(memory=1),
        lambda: Limits(cpu=0),
        lambda: Limits(seconds=float("nan")),
        lambda: WorkerPool(0),
        lambda: play_limited(Job(GOOD, seed=-1)),
        lambda: play_limited(Job(GOOD, options={"x": object()})),
        lambda: play_limited(Job(GOOD, decisions="p1 go")),
    ],
)
def test_what_cannot_be_asked_for_is_refused(wrong: Any) -> None:
    with pytest.raises(SetupError):
        wrong()


def test_where_limits_do_not_hold_nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SetupError, match="cannot be limited on this platform"):
        play_limited(Job(GOOD))


WHOLE = {"outcome": ["won", [0], None], "decisions": ["p1 go"], "digest": "00", "error": ""}


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": 3},
        {"outcome": ["won", [True], None]},
        {"outcome": [1, [0], None]},
        {"outcome": ["won", [0], [1.5]]},
        {"outcome": ["won", [0]]},
        {"decisions": "p1 go"},
        {"decisions": [1]},
        {"digest": None},
        {"error": {}},
        {"more": 1},
    ],
)
def test_nothing_of_an_answer_is_believed_but_its_shape(change: dict[str, Any]) -> None:
    """The process may be in the hands of the stranger."""
    assert read_report(frame(json.dumps(WHOLE).encode())) == WorkerReport(Outcome("won", (0,), None), ("p1 go",), "00")
    assert read_report(frame(json.dumps({**WHOLE, **change}).encode())).killed == "died"


@pytest.mark.parametrize(
    "answer", [b"", b"x", frame(b""), frame(b"[]") + b"x", frame(b"[]")[:-1], frame(b"[" * 100_000), b"\xff" * 99]
)
def test_an_answer_that_is_none(answer: bytes) -> None:
    assert read_report(answer).killed == "died"


LIMITED = """
from grimoire.runtime.worker.process import take_limits
import os
take_limits(300_000_000, 5)
for attempt in (lambda: bytes(400_000_000), lambda: os.write(os.open("{file}", os.O_CREAT | os.O_WRONLY), b"x")):
    try:
        attempt()
        print("done")
    except (MemoryError, OSError) as error:
        print(type(error).__name__)
"""


def test_the_process_has_neither_memory_nor_files(tmp_path: Path) -> None:
    code = LIMITED.replace("{file}", str(tmp_path / "file"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["MemoryError", "OSError"] and not (tmp_path / "file").stat().st_size

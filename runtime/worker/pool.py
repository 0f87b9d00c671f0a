"""Plays untrusted content in processes with limits of memory and time; a small pool of such processes.

In: jobs. Out: a report for each, also for one that was killed. One process plays one game, so that what a game has done
to its process ends with it. From the process comes JSON only, of a bounded size, and nothing in it is believed but its
shape.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.documents import MOST_BYTES, read_json
from grimoire.runtime.errors import ArtefactError, GrimoireError, SetupError
from grimoire.runtime.limits import MAX_DECISIONS
from grimoire.runtime.play.outcome import Outcome

MOST_ANSWER: Final = 16 * 1024 * 1024
LEAST_MEMORY: Final = 64 * 1024 * 1024
OUT_OF_MEMORY: Final = 77  # the exit code of a process that could not have more
LIMITED: Final = ("linux", "freebsd")  # elsewhere nothing holds a process to the memory that it may have
BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from grimoire.runtime.worker.process import main; main(*json.loads(sys.argv[2]))"
)


@dataclass(frozen=True)
class Limits:
    """What one game may take: bytes of memory, seconds of CPU time, and seconds that pass. Loading the runtime counts,
    too."""

    memory: int = 512 * 1024 * 1024
    cpu: int = 10
    seconds: float = 30.0

    def __post_init__(self) -> None:
        arguments.check_whole_number(self.memory, "a limit of memory, in bytes,", LEAST_MEMORY)
        arguments.check_whole_number(self.cpu, "a limit of CPU time, in seconds,", 1)
        if not isinstance(self.seconds, int | float) or not 0 < self.seconds < 1_000_000:
            raise SetupError(f"a limit of time is a number of seconds, not {arguments.show_value(self.seconds)}")


@dataclass(frozen=True)
class Job:
    """A game to be played: an artefact (its bytes, or the path of one), the table, and a bot or the decisions to
    make."""

    artefact: bytes | str | Path
    players: int = 2
    seed: int = 0
    options: Mapping[str, object] | None = None
    bot: str = "random"
    decisions: Sequence[str] | None = None  # "p1 key"; the game stands where they lead to
    most: int = MAX_DECISIONS


@dataclass(frozen=True)
class WorkerReport:
    """What came of a job. ``killed``: empty, or the limit that was passed (memory, cpu, time), or ``died`` for any
    other end."""

    outcome: Outcome | None = None
    decisions: tuple[str, ...] = ()
    digest: str = ""
    error: str = ""  # class and message of a documented error
    killed: str = ""


def play_limited(job: Job, limits: Limits | None = None) -> WorkerReport:
    """Play a game in a process of its own. Whatever its content does, a report comes back within the limits."""
    limits = limits or Limits()
    if not sys.platform.startswith(LIMITED):
        raise SetupError(f"memory and CPU time of a process cannot be limited on this platform ({sys.platform})")
    request = frame(_request(job)) + frame(_artefact(job.artefact))
    command = [sys.executable, "-I", "-c", BOOT, json.dumps(sys.path), json.dumps([limits.memory, limits.cpu])]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/", env={}
    )
    try:
        answer = _talk(process, request, monotonic() + limits.seconds)
    finally:
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
    if answer is None:
        return WorkerReport(killed="time")
    if code == -signal.SIGXCPU:
        return WorkerReport(killed="cpu")
    if code == OUT_OF_MEMORY:
        return WorkerReport(killed="memory")
    return read_report(answer)


class WorkerPool:
    """Several jobs at a time, each in a process of its own; one that is killed does not keep the others."""

    def __init__(self, size: int = 2, limits: Limits | None = None) -> None:
        arguments.check_whole_number(size, "the size of a pool", 1)
        self.size = size
        self.limits = limits or Limits()

    def play(self, jobs: Iterable[Job]) -> Iterator[WorkerReport]:
        """The reports, in the order of the jobs; a job that cannot be started is an error in its report."""
        with ThreadPoolExecutor(self.size) as threads:
            yield from threads.map(self._play, jobs)

    def _play(self, job: Job) -> WorkerReport:
        try:
            return play_limited(job, self.limits)
        except GrimoireError as error:
            return WorkerReport(error=f"{type(error).__name__}: {error}")


def frame(data: bytes) -> bytes:
    """Bytes behind their length."""
    return len(data).to_bytes(8, "big") + data


def _request(job: Job) -> bytes:
    asked = {
        "players": job.players,
        "seed": arguments.seed(job.seed),
        "options": arguments.options(job.options),
        "bot": arguments.text(job.bot, "a bot", SetupError),
        "decisions": None
        if job.decisions is None
        else list(arguments.check_list(job.decisions, "decisions", SetupError)),
        "most": arguments.check_whole_number(job.most, "the most decisions", 1),
    }
    try:
        return json.dumps(asked).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SetupError(f"a job is plain data: {error}") from None


def _artefact(source: bytes | str | Path) -> bytes:
    """The bytes of an artefact; it is read by the process that plays it, and nowhere else."""
    if isinstance(source, bytes):
        return source
    if not isinstance(source, str | Path):
        raise ArtefactError(f"an artefact is given as its path or its bytes, not {arguments.show_value(source)}")
    try:
        with open(os.open(source, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # a pipe would wait for its other end
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
                raise ArtefactError(f"{arguments.show_value(str(source))} is no file, or too large for an artefact")
            return file.read(MOST_BYTES)
    except (OSError, ValueError) as error:
        raise ArtefactError(f"cannot read the artefact {arguments.show_value(str(source))}: {error}") from None


def _talk(process: subprocess.Popen[bytes], request: bytes, end: float) -> bytes | None:
    """Write the request and read the answer; None if the time is over. An answer that is too long is cut, and so is
    none."""
    assert process.stdin is not None and process.stdout is not None
    rest, answer = memoryview(request), bytearray()
    with selectors.DefaultSelector() as ready:
        for pipe, event in ((process.stdin, selectors.EVENT_WRITE), (process.stdout, selectors.EVENT_READ)):
            os.set_blocking(pipe.fileno(), False)
            ready.register(pipe, event)
        while len(answer) <= MOST_ANSWER:
            left = end - monotonic()
            if left <= 0:
                return None
            for key, _ in ready.select(left):
                if key.fileobj is process.stdin:
                    try:
                        rest = rest[os.write(key.fd, rest[:65536]) :]
                    except BrokenPipeError:  # it ended without reading on
                        rest = rest[:0]
                    if not rest:
                        ready.unregister(process.stdin)
                        process.stdin.close()
                else:
                    data = os.read(key.fd, 65536)
                    if not data:
                        return _wait_for_end(process, answer, end)
                    answer += data
    return bytes(answer)


def _wait_for_end(process: subprocess.Popen[bytes], answer: bytearray, end: float) -> bytes | None:
    """The answer, when the process has ended by itself: why it did is its exit code."""
    try:
        process.wait(max(end - monotonic(), 0.01))
    except subprocess.TimeoutExpired:
        return None
    return bytes(answer)


def read_report(answer: bytes) -> WorkerReport:
    """The report in an answer; of anything else than a whole one: the process died."""
    died = WorkerReport(killed="died")
    if len(answer) < 8 or len(answer) > MOST_ANSWER or answer[:8] != (len(answer) - 8).to_bytes(8, "big"):
        return died
    try:
        found = read_json(answer[8:], "the report", ArtefactError)
    except GrimoireError:
        return died
    if not isinstance(found, dict) or found.keys() != {"outcome", "decisions", "digest", "error"}:
        return died
    lines, outcome = found["decisions"], found["outcome"]
    if not _texts([found["digest"], found["error"]]) or not _texts(lines):
        return died
    if outcome is not None:
        if (
            not isinstance(outcome, list)
            or len(outcome) != 3
            or not _texts(outcome[:1])
            or not _are_whole_numbers(outcome[1])
        ):
            return died
        if outcome[2] is not None and not _are_whole_numbers(outcome[2]):
            return died
        scores = None if outcome[2] is None else tuple(outcome[2])
        outcome = Outcome(outcome[0], tuple(outcome[1]), scores)
    return WorkerReport(outcome, tuple(lines), found["digest"], found["error"])


def _texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _are_whole_numbers(values: object) -> bool:
    return isinstance(values, list) and all(type(value) is int for value in values)

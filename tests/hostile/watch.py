"""Look at many hostile things, in processes that are watched: whoever crashes, hangs or floods the memory is a finding,
and the rest goes on.

What is looked at is a `Looker`: it makes the thing with a number from the seed, and looks at it. `run_lookers` has each
looker in a process of its own. A thing is known by the name of the looker, the seed and the number, and is shown again
by a command.
"""

from __future__ import annotations

import gc
import os
import re
import resource
import signal
import tempfile
import time
import traceback
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, TypeVar

Part = TypeVar("Part")

SECONDS = 2.0  # of CPU time, beyond what the thing takes as it stands
WAITING = 30  # times as long, by the clock, on a machine that has other work to do
MEMORY = 1 << 30  # bytes that the process may hold while it looks at one thing
ADDRESSES = 4 << 30  # what the process may ask for at all: a flood becomes a MemoryError, and the machine lives on
SILENCE = 1800.0  # seconds of silence after which a process counts as dead; to begin takes minutes on a busy machine
WORK = 600.0  # seconds of CPU time that it may spend in silence, if it is only slow


@dataclass(frozen=True, slots=True)
class Crash:
    """One thing that was answered with something else than what is documented."""

    name: str
    seed: int
    number: int
    what: str
    trace: str = ""
    command: str = ""  # what shows it again, given the name

    @property
    def key(self) -> str:
        """The same for crashes in the same place."""
        return key_of(self.what)

    def __str__(self) -> str:
        again = f"python -m {self.command} {self.name} --seed {self.seed} --again {self.number}"
        return f"{self.what}\n  {again}\n{self.trace}"


def key_of(what: str) -> str:
    return re.sub(r"/tmp/\S+|[0-9]+|'[^']*'|\"[^\"]*\"", "", what)[:300]


@dataclass(slots=True)
class Report:
    """What one looker came to."""

    name: str
    seed: int = 0
    looks: int = 0
    clean: int = 0  # accepted
    games: int = 0
    decisions: int = 0
    faults: Counter[str] = field(default_factory=Counter)  # documented errors, by class
    cpu: float = 0.0  # seconds
    own: float = 0.0  # of these, what the thing as it stands takes, once
    slowest: float = 0.0
    memory: int = 0  # bytes, the most that the process held
    crashes: list[Crash] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """What another process came to with the same looker."""
        for name in ("looks", "clean", "games", "decisions", "cpu"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("own", "slowest", "memory"):
            setattr(self, name, max(getattr(self, name), getattr(other, name)))
        self.faults += other.faults

    def plain(self) -> dict[str, Any]:
        """As a row of the soak."""
        counts = {name: getattr(self, name) for name in ("name", "seed", "looks", "clean", "games", "decisions")}
        seconds = {name: round(getattr(self, name), 2) for name in ("cpu", "own", "slowest")}
        found = {"findings": [str(crash) for crash in self.crashes], "found": len(self.crashes)}
        return counts | seconds | {"megabytes": self.memory >> 20, "faults": dict(self.faults)} | found

    def __str__(self) -> str:
        each = 1000 * self.cpu / max(self.looks, 1)
        return (
            f"{self.name}: {self.looks} looked at, {self.clean} accepted, {self.games} games, "
            f"{self.decisions} decisions, "
            f"{dict(self.faults)}; {self.cpu:.0f} s ({each:.0f} ms each, as it stands {1000 * self.own:.0f} "
            "ms, the slowest "
            f"{self.slowest:.1f} s), {self.memory >> 20} MB, {len(self.crashes)} crashes"
        )


class TooSlow(BaseException):
    """The block took more than its time. Not an Exception: who catches those must not go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the block after some seconds of CPU time, or when it does nothing for much longer (in the main
    thread of a POSIX system). A process that only gets little of a busy machine is not too slow."""
    spent = time.process_time()

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal spent
        now = time.process_time()
        if number == signal.SIGALRM and now - spent > seconds / 100:
            spent = now
            signal.setitimer(signal.ITIMER_REAL, seconds * WAITING, 1.0)
            return
        raise TooSlow(f"more than {seconds:.1f} seconds")

    before = [signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again and again: an exception inside of a callback can be lost
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITING, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


class Looker:
    """The ground of those who look at things; `look` is told what the thing takes as it stands by `self.report.own`."""

    command = ""  # the module, with its options up to the name, that shows a thing again
    memory = MEMORY
    seconds = SECONDS

    def __init__(self, name: str) -> None:
        self.report = Report(name)

    def guarded(self, look: Callable[[], str | None]) -> tuple[str, str] | None:
        """Look at one thing: what went wrong and where, or None. Time and memory are counted."""
        before = forget_peak()
        began = time.process_time()
        wrong: str | None
        trace = ""
        try:
            with time_limit(self.seconds + self.report.own):
                wrong = look()
        except (Exception, TooSlow) as error:
            wrong, trace = told(error)
        self.report.slowest = max(self.report.slowest, time.process_time() - began)
        held = peak()
        self.report.memory = max(self.report.memory, held)
        if wrong is None and held > max(self.memory, before):
            wrong = f"the process holds {held >> 20} MB"
            gc.collect()
        return None if wrong is None else (wrong, trace)

    @abstractmethod
    def attempt(self, seed: int, number: int) -> tuple[str, str] | None:
        """Make the thing and look at it: what went wrong and where, or None."""

    def measure(self) -> None:
        """Set `self.report.own`: what the thing as it stands takes."""

    def run(self, seed: int, number: int) -> Crash | None:
        self.report.looks += 1
        wrong = self.attempt(seed, number)
        for _ in range(3):
            if wrong is not None and wrong[0].startswith("more than"):
                # A machine that has other work to do makes everything slower: measure again, the thing as it stands
                # beside the other.
                self.measure()
                wrong = self.attempt(seed, number)
        return None if wrong is None else Crash(self.report.name, seed, number, *wrong, self.command)


def told(error: BaseException) -> tuple[str, str]:
    """What an exception says and where it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    own = [frame for frame in frames if re.search("/(compiler|runtime)/", frame.filename)] or frames
    where = " < ".join(f"{Path(frame.filename).name}:{frame.name}" for frame in reversed(own[-3:]))
    what = str(error) if isinstance(error, TooSlow) else f"{type(error).__name__}: {str(error)[:200]}"
    trace = "".join(traceback.format_exception(error, limit=-8, chain=False))[-4000:]
    error.__traceback__ = None
    return f"{what} at {where}", trace


def fewer(parts: list[Part], fails: Callable[[list[Part]], bool]) -> list[Part]:
    """The parts without those that a failure does not need: halves, quarters, .. and single ones are left out in
    turn."""
    size = max(len(parts) // 2, 1)
    while True:
        at = 0
        while at < len(parts):
            rest = parts[:at] + parts[at + size :]
            if fails(rest):
                parts = rest
            else:
                at += size
        if size == 1:
            return parts
        size = max(size // 2, 1)


def forget_peak() -> int:
    """Start to count the memory of the process afresh where the system can do that; what it holds now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass
    return peak()


def peak() -> int:
    """The most memory that the process held since `forget_peak`, in bytes."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    return (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) << 10


def spent_by(pid: int | None) -> float:
    """The CPU time of a process in seconds, 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- processes --------------------------------------------------------------------------------------------------------


class Make(Protocol):
    """Makes a looker that may use a folder; a class or a partial of one, so that another process can call it."""

    def __call__(self, folder: Path) -> Looker: ...


def settle(memory: int = ADDRESSES) -> None:
    """What a process does before it looks at things: no cache, and it cannot take the whole machine."""
    os.environ["GRIMOIRE_CACHE"] = "off"
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def work(pipe: Connection, make: Make, seed: int, first: int, last: int, seconds: float | None) -> None:
    """Look at the things `first` to `last` in this process; each is told before it is begun."""
    settle()
    until = None if seconds is None else time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        looker = make(folder=Path(folder))
        looker.report = Report(looker.report.name, seed, own=looker.report.own)
        known: set[str] = set()
        for number in range(first, last):
            if until is not None and time.monotonic() > until:
                break
            pipe.send(number)
            crash = looker.run(seed, number)
            if crash is not None and crash.key not in known:
                known.add(crash.key)
                pipe.send(crash)
        looker.report.cpu = time.process_time()
        pipe.send(looker.report)


class Watched:
    """A process with one looker. When it dies or falls silent, the thing is a crash, and another process goes on behind
    it."""

    def __init__(
        self,
        name: str,
        make: Make,
        seed: int,
        numbers: range,
        seconds: float | None,
        command: str,
        tell: Callable[[str], None],
    ) -> None:
        self.command = command
        self.make, self.seed, self.last, self.seconds, self.tell = make, seed, numbers.stop, seconds, tell
        self.began = time.monotonic()
        self.report = Report(name, seed)
        self.start(numbers.start)

    def start(self, first: int) -> None:
        self.first, self.at = first, first - 1
        self.pipe, other = get_context("spawn").Pipe(duplex=False)
        left = None if self.seconds is None else max(self.seconds - (time.monotonic() - self.began), 0.0)
        task = (other, self.make, self.seed, first, self.last, left)
        self.process = get_context("spawn").Process(target=work, args=task, daemon=True)
        self.process.start()
        other.close()
        self.heard = time.monotonic()
        self.spent = self.spent_then = 0.0  # CPU time at the last look, and when something was heard

    def listen(self) -> bool:
        """Take what the process says; whether it is done."""
        self.heard = time.monotonic()
        self.spent = self.spent_then = spent_by(self.process.pid)
        try:
            message = self.pipe.recv()
        except EOFError:
            self.process.join()
            return self.died(f"the process died (exit code {self.process.exitcode})")
        if isinstance(message, int):
            self.at = message
        elif isinstance(message, Crash):
            self.found(message)
        else:
            self.report.add(message)
            self.process.join()
            return True
        return False

    def found(self, crash: Crash) -> None:
        if crash.key not in {known.key for known in self.report.crashes}:
            self.report.crashes.append(crash)
            self.tell(str(crash))

    def died(self, what: str) -> bool:
        """The thing at hand ended the process; whether there is nothing to go on with."""
        started = self.at >= self.first
        self.found(
            Crash(
                self.report.name, self.seed, self.at, what if started else f"{what} before it began", "", self.command
            )
        )
        self.report.looks += self.at + 1 - self.first
        if not started or self.at + 1 >= self.last:
            return True
        self.start(self.at + 1)
        return False

    def silent(self) -> bool:
        """Kill a process that has said nothing for too long, unless it works and gets little of a busy machine; whether
        that was the end."""
        if time.monotonic() - self.heard < SILENCE:
            return False
        before, self.spent = self.spent, spent_by(self.process.pid)
        if before < self.spent < self.spent_then + WORK:
            self.heard = time.monotonic()
            return False
        self.process.kill()
        self.process.join()
        return self.died(f"nothing was heard for {SILENCE:.0f} seconds")


def run_lookers(
    lookers: list[tuple[str, Make, int]],
    seed: int,
    *,
    first: int = 0,
    seconds: float | None = None,
    jobs: int = 1,
    command: str = "",
    tell: Callable[[str], None] = lambda text: None,
) -> list[Report]:
    """Have each looker (its name, how it is made, how many things) look in a process of its own; a report for each.

    With `seconds` every looker gets its share of that time and stops when it is over.
    """
    todo = [row for row in lookers if row[2] > 0]
    each = None if seconds is None else seconds * min(jobs, len(todo)) / max(len(todo), 1)
    running: list[Watched] = []
    reports: list[Report] = []
    while todo or running:
        while todo and len(running) < jobs:
            name, make, number = todo.pop(0)
            running.append(Watched(name, make, seed, range(first, first + number), each, command, tell))
        ready = wait([one.pipe for one in running], timeout=5.0)
        for one in list(running):
            if one.listen() if one.pipe in ready else one.silent():
                running.remove(one)
                reports.append(one.report)
                tell(str(one.report))
    return sorted(reports, key=lambda report: report.name)

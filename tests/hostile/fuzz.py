"""Change the content files at random, check what comes out, and play what is accepted: `python -m tests.hostile.fuzz --number 20000`.

Whatever stands in the files, the compiler answers with diagnostics, within the time that the package itself takes and two seconds, and
a process that has looked at thousands of them stays below a gigabyte. A package that has no errors is built and played; the runtime
answers with its documented errors. Each package is looked at by a process of its own.

A change is found again by package, seed and number: `python -m tests.hostile.fuzz --package abyss --seed 1 --again 17` shows what goes
wrong, and the changed files, cut down to the lines that are needed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any

from grimoire.compiler import Diagnostic
from grimoire.compiler.cache import Cache
from grimoire.compiler.checking import incremental, processes, units
from grimoire.compiler.checking.formatting import format_paths
from grimoire.compiler.checking.packages import check_packages, full, resolve_paths
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.package import compile_folder
from grimoire.compiler.scenario.run import run_scenarios
from grimoire.runtime import GrimoireError, Package, load_artefact, load_game, new_game
from tests.hostile.change_effects import Trees, change_effect
from tests.hostile.change_files import CHANGES, Files, pick
from tests.hostile.change_text import change_bytes, change_words, change_yaml, vocabulary
from tests.packages import FOLDERS, LARGE, needs

CONTENT = Path(__file__).parents[2] / "content"
SECONDS = 2.0  # of CPU time, beyond what the package as it stands takes
MEMORY = 1 << 30  # bytes that the process may hold while it looks at one change
ADDRESSES = 4 << 30  # what the process may ask for at all: a flood becomes a MemoryError, and the machine lives on
SILENCE = 300.0  # seconds after which a process that says nothing counts as dead
DECISIONS = 40  # of one game
THOROUGH = 4  # one in so many is also checked without what is remembered, compiled, formatted, and its scenarios are run


@dataclass(frozen=True, slots=True)
class Crash:
    """One change that was answered with something else than diagnostics."""

    package: str
    seed: int
    number: int
    what: str
    trace: str = ""

    @property
    def again(self) -> str:
        """The command that shows it."""
        return f"python -m tests.hostile.fuzz --package {self.package} --seed {self.seed} --again {self.number}"

    @property
    def key(self) -> str:
        """The same for crashes in the same place."""
        return re.sub(r"/tmp/\S+|[0-9]+|'[^']*'|\"[^\"]*\"", "", self.what)[:300]

    def __str__(self) -> str:
        return f"{self.what}\n  {self.again}\n{self.trace}"


@dataclass(slots=True)
class Report:
    """What one package came to."""

    package: str
    seed: int
    changes: int = 0
    clean: int = 0  # no errors
    games: int = 0
    decisions: int = 0
    faults: Counter[str] = field(default_factory=Counter)  # documented errors of the runtime, by class
    cpu: float = 0.0  # seconds
    own: float = 0.0  # of these, what the package as it stands takes, once
    slowest: float = 0.0
    memory: int = 0  # bytes, the most that the process held
    crashes: list[Crash] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """What another process came to with the same package."""
        for name in ("changes", "clean", "games", "decisions", "cpu"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("own", "slowest", "memory"):
            setattr(self, name, max(getattr(self, name), getattr(other, name)))
        self.faults += other.faults

    def plain(self) -> dict[str, Any]:
        """As a row of the soak."""
        counts = {name: getattr(self, name) for name in ("package", "seed", "changes", "clean", "games", "decisions")}
        seconds = {name: round(getattr(self, name), 2) for name in ("cpu", "own", "slowest")}
        found = {"findings": [str(crash) for crash in self.crashes], "found": len(self.crashes)}
        return counts | seconds | {"megabytes": self.memory >> 20, "faults": dict(self.faults)} | found


class TooSlow(BaseException):
    """The block took more than its time. Not an Exception: who catches those must not go on."""


@contextmanager
def time_limit(seconds: float, timer: int = signal.ITIMER_REAL) -> Iterator[None]:
    """Raise TooSlow in the block after some seconds of the timer (in the main thread of a POSIX system)."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds:.1f} seconds")

    number = signal.SIGALRM if timer == signal.ITIMER_REAL else signal.SIGPROF
    before = signal.signal(number, stop)
    signal.setitimer(timer, seconds, 1.0)  # again and again: an exception inside of a callback can be lost
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


class Remembered(Cache):
    """What was found in the package as it stands: a changed file is looked at with all the others known, and nothing is written."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull))
        self.packs: dict[str, dict[str, bytes]] = {}
        self.learning = True

    def load_pack(self, name: str) -> dict[str, bytes]:
        return dict(self.packs.get(name, {}))

    def save_pack(self, name: str, entries: dict[str, bytes]) -> None:
        if self.learning:
            self.packs[name] = dict(entries)


# --- one change -------------------------------------------------------------------------------------------------------


def check(root: Path, cache: Cache) -> list[Diagnostic]:
    diags = Diagnostics()
    check_packages(resolve_paths([root], diags), diags, cache)
    return diags.sorted()


def said(items: list[Diagnostic]) -> list[tuple[str, str, int, int, str]]:
    """What must be the same in both ways: all but the caps."""
    return sorted({(i.code, i.span.file, i.span.line, i.span.column, i.message) for i in items if i.code != "G0199"})


def differ(quick: list[Diagnostic], whole: list[Diagnostic]) -> str | None:
    one, two = said(quick), said(whole)
    if one == two:
        return None
    more, less = [item for item in one if item not in two], [item for item in two if item not in one]
    return f"the quick and the full check differ: only the quick one {more[:3]}, only the full one {less[:3]}"


def out_of_place(report: list[Diagnostic]) -> str | None:
    """A report is sorted, and every place in it lies in its file."""
    if report != sorted(report, key=lambda item: (item.span.file, item.span.line, item.span.column)):
        return "the report is not sorted"
    lines: dict[str, int] = {}
    for item in report:
        span = item.span
        if span.file not in lines:
            found = Path(span.file)
            data = found.read_bytes() if found.is_file() else b""
            lines[span.file] = data.count(b"\n") + data.count(b"\r") + 2 if data else 1
        if not (1 <= span.line <= span.end_line <= lines[span.file] and span.column >= 1):
            return f"a place outside of the file: {item}"
        if not item.message or (span.line == span.end_line and span.end_column < span.column):
            return f"a bad diagnostic: {item}"
    return None


def play(package: Package, players: int, rng: random.Random, report: Report) -> str | None:
    """Some decisions at random; the game is looked at, saved and loaded on the way."""
    try:
        game = new_game(package, players, rng.randrange(1000))
        report.games += 1
        for number in range(DECISIONS):
            decision = game.decision
            if decision is None:
                break
            if not decision.options:
                return "a decision without an option"
            if number % 16 == 5:
                game.view(decision.seat)
                game.log(decision.seat)
                game.why_not("nothing-of-the-sort", decision.seat)
                if load_game(package, json.loads(json.dumps(game.save()))).digest() != game.digest():
                    return "a loaded game has another digest"
            game.choose_index(rng.randrange(len(decision.options)))
            report.decisions += 1
    except GrimoireError as error:
        report.faults[type(error).__name__] += 1
    return None


class Fuzzer:
    """Changed copies of one package."""

    def __init__(self, folder: Path, package: Path) -> None:
        self.root = folder / package.name
        for name in (package.name, *(needs(package.name) if package.parent == CONTENT else ())):
            shutil.copytree(package.parent / name, folder / name)
        self.large = package.name in LARGE
        self.files: Files = {
            path.relative_to(self.root).as_posix(): path.read_bytes() for path in sorted(self.root.rglob("*.yaml"))
        }
        self.words = vocabulary([data.decode("utf-8") for data in self.files.values()])
        found = resolve_paths([self.root], Diagnostics())
        made = compile_folder(*found[0])
        texts = [] if made.model is None else [text for text in made.model.texts if self.root in Path(text.file).parents]
        self.trees = Trees(texts)
        self.texts = {Path(file).relative_to(self.root).as_posix(): rows for file, rows in self.trees.by_file.items()}
        self.cache = Remembered()
        self.report = Report(package.name, 0)
        self.limit = 60.0
        self.limit = SECONDS + self.measure()

    def measure(self) -> float:
        """The CPU time that the package as it stands takes, with all that is done to a change; also fills what is remembered."""
        self.cache.learning = True
        check(self.root, self.cache)
        self.cache.learning = False
        began = time.process_time()
        wrong = self.inspect(0, thorough=True)
        assert wrong is None, wrong
        self.report.own = time.process_time() - began
        return self.report.own

    def make(self, seed: int, number: int) -> Files:
        """The files of the package with one to four changes."""
        rng = random.Random(f"{seed}/{self.root.name}/{number}")
        files = dict(self.files)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            way = rng.randrange(20)
            if way < 8:
                known = [name for name in self.texts if files.get(name) == self.files[name]]
                if known:
                    name = rng.choice(known)
                    files[name] = change_effect(files[name], self.texts[name], self.trees, rng)
            elif way < 13:
                name = pick(files, rng)
                files[name] = change_words(files[name], rng, self.words)
            elif way < 17:
                rng.choice(CHANGES)(files, rng)
            else:
                name = pick(files, rng)
                files[name] = rng.choice((change_yaml, change_bytes))(files[name], rng, self.words)
        return files

    def inspect(self, number: int, *, thorough: bool) -> str | None:
        """Look at the package as it lies there; what is wrong with the answers, or None."""
        quick = check(self.root, self.cache)
        wrong = out_of_place(quick)
        found = resolve_paths([self.root], Diagnostics())
        if wrong is not None or len(found) != 1:
            return wrong
        if thorough:
            wrong = differ(quick, Diagnostics(full(*found[0])).sorted())
            format_paths([self.root], write=False)
        if wrong is not None or any(item.severity == "error" for item in quick):
            return wrong
        self.report.clean += 1
        if thorough and not self.large:
            run_scenarios(self.root)
        compiled = compile_folder(*found[0], texts=False)
        if compiled.artefact is None or compiled.diags.has_errors:
            return "check finds no error, and compile does"
        package = load_artefact(compiled.artefact)
        rng = random.Random(number)
        counts = range(package.min_players, min(package.max_players, 12) + 1)
        for players in [rng.choice(counts)] if self.large else counts:
            wrong = play(package, players, rng, self.report)
            if wrong is not None:
                return wrong
        return None

    @contextmanager
    def laid(self, files: Files) -> Iterator[None]:
        """Have these files in the folder of the package for a while."""
        changed = {name for name in {*files, *self.files} if files.get(name) != self.files.get(name)}
        self.lay(changed, files)
        try:
            yield
        finally:
            self.lay(changed, self.files)

    def lay(self, names: set[str], files: Files) -> None:
        for name in sorted(names):
            path = self.root / name
            if name in files:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(files[name])
            else:
                path.unlink(missing_ok=True)

    def attempt(self, files: Files, number: int, *, limited: bool = True) -> tuple[str, str] | None:
        """What went wrong with changed files and where, or None."""
        before = forget_peak()
        began = time.process_time()
        thorough = number % (THOROUGH * 4 if self.large else THOROUGH) == 0
        wrong: str | None
        try:
            with self.laid(files), time_limit(self.limit if limited else 600.0, signal.ITIMER_PROF):
                wrong = self.inspect(number, thorough=thorough)
            trace = ""
        except (Exception, TooSlow) as error:
            frames = traceback.extract_tb(error.__traceback__)
            own = [frame for frame in frames if "compiler" in frame.filename or "runtime" in frame.filename] or frames
            where = " < ".join(f"{Path(frame.filename).name}:{frame.name}" for frame in reversed(own[-3:]))
            what = str(error) if isinstance(error, TooSlow) else f"{type(error).__name__}: {str(error)[:200]}"
            wrong, trace = f"{what} at {where}", "".join(traceback.format_exception(error, limit=-8, chain=False))[-4000:]
            error.__traceback__ = None
        taken = time.process_time() - began
        self.report.slowest = max(self.report.slowest, taken)
        held = peak()
        self.report.memory = max(self.report.memory, held)
        if wrong is None and held > max(MEMORY, before):
            wrong, trace = f"the process holds {held >> 20} MB", ""
            gc.collect()
        return None if wrong is None else (wrong, trace)

    def run(self, seed: int, number: int) -> Crash | None:
        files = self.make(seed, number)
        self.report.changes += 1
        wrong = self.attempt(files, number)
        if wrong is not None and wrong[0].startswith("more than"):
            # A machine that has other work to do makes everything slower: measure again, the package beside the change.
            with self.laid(self.files):
                self.limit = max(self.limit, SECONDS + self.measure())
            wrong = self.attempt(files, number)
        return None if wrong is None else Crash(self.root.name, seed, number, *wrong)

    def shrink(self, seed: int, number: int) -> Files:
        """The changed files without the changes, and without the lines, that the failure does not need."""
        files = self.make(seed, number)
        wrong = self.attempt(files, number)
        if wrong is None:
            return {}
        kept = Crash("", 0, 0, wrong[0]).key

        def fails(tried: Files) -> bool:
            found = self.attempt(tried, number)
            return found is not None and Crash("", 0, 0, found[0]).key == kept

        for name in sorted({*files, *self.files}):
            if files.get(name) != self.files.get(name):
                back = {**files, name: self.files[name]} if name in self.files else {**files}
                if name not in self.files:
                    del back[name]
                files = back if fails(back) else files
        changed = [name for name in sorted(files) if files[name] != self.files.get(name)]
        for name in changed:
            files = self.fewer_lines(files, name, fails)
        gone = {name: b"(deleted)" for name in self.files if name not in files}
        return {name: files[name] for name in changed} | gone

    def fewer_lines(self, files: Files, name: str, fails: Callable[[Files], bool]) -> Files:
        lines = files[name].split(b"\n")
        size = max(len(lines) // 2, 1)
        while True:
            at = 0
            while at < len(lines):
                fewer = lines[:at] + lines[at + size :]
                if fails({**files, name: b"\n".join(fewer)}):
                    lines = fewer
                else:
                    at += size
            if size == 1:
                return {**files, name: b"\n".join(lines)}
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


# --- runs -------------------------------------------------------------------------------------------------------------


def settle(memory: int = ADDRESSES) -> None:
    """What a process does before it looks at changes: all work is done by itself, and it cannot take the whole machine."""
    os.environ["GRIMOIRE_CACHE"] = "off"
    for module in (processes, incremental, units):
        module.cores = lambda: 1
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def work(pipe: Connection, package: Path, seed: int, first: int, last: int, seconds: float | None) -> None:
    """Look at the changes `first` to `last` of a package in this process; each is told before it is begun."""
    settle()
    until = None if seconds is None else time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder), package)
        fuzzer.report = Report(package.name, seed, own=fuzzer.report.own)
        for number in range(first, last):
            if until is not None and time.monotonic() > until:
                break
            pipe.send(number)
            crash = fuzzer.run(seed, number)
            if crash is not None and crash.key not in {known.key for known in fuzzer.report.crashes}:
                fuzzer.report.crashes.append(crash)
                pipe.send(crash)
        fuzzer.report.cpu = time.process_time()
        pipe.send(fuzzer.report)


class Watched:
    """A process that looks at changes of one package. When it dies or falls silent, the change is a crash, and another goes on."""

    def __init__(self, package: Path, seed: int, number: int, seconds: float | None, first: int = 0) -> None:
        self.package, self.seed, self.number, self.seconds = package, seed, first + number, seconds
        self.began = time.monotonic()
        self.report = Report(package.name, seed)
        self.crashes: dict[str, Crash] = {}
        self.at = first - 1
        self.begun = first
        self.start(first)

    def start(self, first: int) -> None:
        self.begun = first
        self.pipe, other = get_context("spawn").Pipe(duplex=False)
        left = None if self.seconds is None else max(self.seconds - (time.monotonic() - self.began), 0.0)
        task = (other, self.package, self.seed, first, self.number, left)
        self.process = get_context("spawn").Process(target=work, args=task, daemon=True)
        self.process.start()
        other.close()
        self.heard = time.monotonic()

    def listen(self) -> bool:
        """Take what the process says; whether it is done."""
        self.heard = time.monotonic()
        try:
            message = self.pipe.recv()
        except EOFError:
            self.process.join()
            return self.died(f"the process died (exit code {self.process.exitcode})")
        if isinstance(message, Crash):
            self.crashes.setdefault(message.key, message)
        elif isinstance(message, Report):
            self.report.add(message)
            self.report.crashes = list(self.crashes.values())
            self.process.join()
            return True
        else:
            self.at = message
        return False

    def died(self, what: str) -> bool:
        crash = Crash(self.package.name, self.seed, max(self.at, self.begun), what)
        self.crashes.setdefault(crash.key, crash)
        self.report.crashes = list(self.crashes.values())
        self.report.changes += max(self.at + 1 - self.begun, 0)
        if self.at < self.begun or self.at + 1 >= self.number:  # it did not even start, or nothing is left
            return True
        self.start(self.at + 1)
        return False

    def silent(self) -> bool:
        """Kill a process that has said nothing for too long; whether that was the end."""
        if time.monotonic() - self.heard < SILENCE:
            return False
        self.process.kill()
        self.process.join()
        return self.died(f"nothing was heard for {SILENCE:.0f} seconds")


def shares(number: int, packages: list[Path]) -> dict[Path, int]:
    """How many changes each package gets: a large one takes a hundred times as long and gets a twentieth, the others share the rest."""
    large = [root for root in packages if root.name in LARGE]
    small = [root for root in packages if root.name not in LARGE]
    each = max(number // 20, 1) if small else max(number // max(len(large), 1), 1)
    rest = max(number - each * len(large), 0)
    counts = {root: rest // len(small) + (at < rest % len(small)) for at, root in enumerate(small)}
    return {root: counts.get(root, each) for root in packages}


def fuzz(
    number: int,
    seed: int,
    *,
    packages: list[Path] | None = None,
    seconds: float | None = None,
    jobs: int = 1,
    first: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Report]:
    """Look at so many changes of the packages, or as many as there is time for; a report for each."""
    roots = FOLDERS if packages is None else packages
    todo = [(root, count) for root, count in shares(number, roots).items() if count]
    each = None if seconds is None else seconds * min(jobs, len(todo)) / len(todo)
    running: list[Watched] = []
    reports: list[Report] = []
    while todo or running:
        while todo and len(running) < jobs:
            root, count = todo.pop(0)
            running.append(Watched(root, seed, count, each, first))
        ready = wait([one.pipe for one in running], timeout=5.0)
        for one in list(running):
            if one.listen() if one.pipe in ready else one.silent():
                running.remove(one)
                reports.append(one.report)
                tell(summary(one.report))
    return sorted(reports, key=lambda report: report.package)


def summary(report: Report) -> str:
    each = 1000 * report.cpu / max(report.changes, 1)
    return (
        f"{report.package}: {report.changes} changes, {report.clean} without errors, {report.games} games, "
        f"{report.decisions} decisions, {dict(report.faults)}; {report.cpu:.0f} s ({each:.0f} ms each, the package alone "
        f"{1000 * report.own:.0f} ms, the slowest {report.slowest:.1f} s), {report.memory >> 20} MB, {len(report.crashes)} crashes"
    )


def again(package: Path, seed: int, number: int) -> int:
    """Show one change again, cut down to what is needed."""
    settle()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder), package)
        crash = fuzzer.run(seed, number)
        print(crash or "no crash")
        for name, data in fuzzer.shrink(seed, number).items() if crash is not None else ():
            shown = data.decode("utf-8", "backslashreplace")
            print(f"--- {name} ({len(data)} bytes)\n{shown if len(shown) < 6000 else shown[:3000] + ' .. ' + shown[-3000:]}")
    return 1 if crash else 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.fuzz", description=__doc__)
    parser.add_argument("--number", type=int, default=20_000, help="changed packages in all")
    parser.add_argument("--seconds", type=float, help="stop after so much time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first change: to go on with a run")
    parser.add_argument("--package", action="append", help="only this package of content/ (may be said several times)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", type=int, metavar="NUMBER", help="show one change again, cut down to what is needed")
    given = parser.parse_args(arguments)
    roots = [root for root in FOLDERS if given.package is None or root.name in given.package]
    if given.again is not None:
        return max(again(root, given.seed, given.again) for root in roots)
    reports = fuzz(given.number, given.seed, packages=roots, seconds=given.seconds, jobs=given.jobs, first=given.first,
                   tell=lambda text: print(text, file=sys.stderr, flush=True))  # fmt: skip
    for report in reports:
        for crash in report.crashes:
            print(crash)
    print(json.dumps([report.plain() | {"findings": len(report.crashes)} for report in reports]))
    return 1 if any(report.crashes for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())

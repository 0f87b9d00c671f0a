"""Files under attack: every fault at every call of every command that writes, and commands that are killed (kill -9)
while they write.

`python -m tests.soak --faults 1 --kills 2000` runs both. A killed command is a process of its own; the moment is drawn
over the time that it takes to write. Afterwards each file is the old or the new one, whole, and the same command, run
again, finishes the work.
"""

from __future__ import annotations

import os
import random
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from grimoire.compiler import files
from tests.faults import (
    JOBS,
    FaultyOs,
    Job,
    broken,
    clean_run,
    faulty,
    kill,
    left_over,
    restore,
    run,
    tree,
    try_faults,
    try_kills,
)

PATIENCE = 60.0  # seconds until a command counts as hanging


def every_fault(tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """Each call that changes the disk fails in each way, and ends the process, in each command."""
    rows: list[dict[str, Any]] = []
    for job in JOBS:
        row: dict[str, Any] = {"probe": "faults", "command": job.name, "games": 0, "findings": []}
        for what, attempt in (("faults", try_faults), ("ends", try_kills)):
            with TemporaryDirectory() as name, mock.patch.dict(os.environ, {"GRIMOIRE_CACHE": f"{name}/area/cache"}):
                try:
                    row[what] = attempt(job, Path(name) / "area")
                    row["games"] += row[what]
                except AssertionError as error:
                    row["findings"].append(f"{what}: {error}")
        tell(f"faults in {job.name}: {row['games']} runs, {row['findings']}")
        rows.append(row)
    return rows


def killed_commands(number: int, seed: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Kill so many commands while they write, over all of them in turn."""
    chance = random.Random(seed)
    row: dict[str, Any] = {"probe": "kill -9", "seed": seed, "games": 0, "halfway": 0, "findings": []}
    shares = [number // len(JOBS) + (at < number % len(JOBS)) for at in range(len(JOBS))]
    for job, share in zip(JOBS, shares, strict=True):
        with TemporaryDirectory() as name, mock.patch.dict(os.environ, {"GRIMOIRE_CACHE": f"{name}/area/cache"}):
            _kill_command(job, Path(name) / "area", share, chance, row)
        tell(
            f"kill -9 in {job.name}: {row['games']} in all, {row['halfway']} with a temporary file left, "
            f"{row['findings']}"
        )
    return row


def _kill_command(job: Job, folder: Path, share: int, chance: random.Random, row: dict[str, Any]) -> None:
    before, after, _ = clean_run(job, folder)
    length = 0.002  # seconds of the writing; found out on the way
    done = 0
    while done < share and len(row["findings"]) < 20:
        restore(folder, before)
        child, wire = _start(job, folder)
        ready, _, _ = select.select([wire], [], [], PATIENCE)
        writes = bool(ready) and bool(os.read(wire, 1))  # a byte: it begins to write; none: it has ended
        time.sleep(chance.uniform(0, 1.1 * length))
        os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(wire)
        if not writes:
            row["findings"].append(f"{job.name} ended with {code} before it wrote anything")
            return
        if (
            code != -signal.SIGKILL or tree(folder) == after
        ):  # it was through, or nearly: the writing takes no longer than that
            length = max(length * 0.97, 0.0005)
        else:
            length = min(length * 1.02, 0.5)
        if code != -signal.SIGKILL:
            continue
        done += 1
        row["games"] += 1
        row["halfway"] += bool(left_over(folder))
        wrong = broken(tree(folder), before, after)
        if wrong:
            row["findings"].append(f"{job.name} was killed, and {wrong} are neither old nor new")
            continue
        with faulty(FaultyOs(0, kill)):
            again = run(folder, job.words, job.stdin)
        if again.code not in (0, 1) or tree(folder) != after:
            row["findings"].append(f"{job.name} was killed and run again: {again}")


def _start(job: Job, folder: Path) -> tuple[int, int]:
    """Start a command in a process of its own: its number, and a wire that gives a byte when it begins to write."""
    wire, out = os.pipe()
    child = os.fork()
    if child:
        os.close(out)
        return child, wire
    try:
        os.close(wire)
        real, told = files._write_part, [False]

        def write_part(*args: Any, **more: Any) -> str:
            if not told[0]:
                told[0] = True
                os.write(out, b".")
            return real(*args, **more)

        with faulty(FaultyOs(0, kill)), mock.patch.object(files, "_write_part", write_part):
            run(folder, job.words, job.stdin)
        os._exit(0)
    finally:
        os._exit(70)

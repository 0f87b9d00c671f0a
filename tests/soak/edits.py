"""Edits at random in a living workspace: `python -m tests.soak.edits --number 2000`.

After every edit the workspace must say what a new one says, and now and then what a compile of everything at once says;
then it is edited as often again without comparing, and the memory of the process must stay as it is. Each package is
edited in a process of its own, a large one a twentieth as often.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grimoire.compiler.workspace.sources import package_of
from grimoire.compiler.workspace.workspace import Workspace
from tests.hostile.watch import forget_peak, settle
from tests.packages import LARGE
from tests.workspace.edits import SMALL, Editor, copy_package, edit_and_compare

EDITED = (*SMALL, "unfathomable")
WHOLE = 6  # edits from one compile of everything at once to the next
LOOKS = 10  # at the memory
GROWTH = 1.1  # of the memory, from the second look to the last one, beyond a few pages
PAGES = 8 << 20


def compare(job: tuple[str, int, int]) -> dict[str, Any]:
    """So many edits of a package, each compared with a cold check; in a process of its own."""
    name, number, seed = job
    row: dict[str, Any] = {"probe": "edits", "package": name, "games": number, "seed": seed, "findings": []}
    with TemporaryDirectory() as folder:
        try:
            edit_and_compare(Path(folder), name, seed, number, whole=WHOLE)
        except AssertionError as error:
            row["findings"].append(f"{name} {seed}: another report after {error}")
    return row | {"cpu": round(time.process_time(), 1)}


def hold(job: tuple[str, int, int]) -> dict[str, Any]:
    """What a process holds while a package is edited so many times in it."""
    name, number, seed = job
    held: list[int] = []
    with TemporaryDirectory() as folder:
        root, needs = copy_package(Path(folder), name)
        living, package = Workspace(), package_of(root, needs)
        editor = Editor([*needs, root], random.Random(f"{name} {seed} held"), living)
        living.problems(package)
        for at in range(1, number + 1):
            editor.step()
            living.problems(package)
            if at * LOOKS % number < LOOKS:
                editor.restore()
                living.problems(package)
                gc.collect()
                held.append(forget_peak())
    row: dict[str, Any] = {"probe": "memory", "package": name, "games": number, "seed": seed, "answers": len(living.db)}
    row |= {"held": [size >> 20 for size in held], "findings": []}
    if held[-1] > held[min(1, len(held) - 1)] * GROWTH + PAGES:
        row["findings"].append(f"{name} {seed}: memory grows over {number} edits, in MiB: {row['held']}")
    return row | {"cpu": round(time.process_time(), 1)}


def run_edits(
    number: int, seed: int, jobs: int, tell: Callable[[str], None], packages: tuple[str, ...] = EDITED
) -> list[dict[str, Any]]:
    """Edits of every package, compared and held."""
    rows: list[dict[str, Any]] = []
    work = [(name, max(number // 20, 1) if name in LARGE else number, seed) for name in packages]
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=settle, max_tasks_per_child=1) as pool:
        for row in (*pool.map(compare, work), *pool.map(hold, work)):
            tell(f"{row['probe']} {row['package']}: {row['games']}, {row.get('held', '')} {row['findings']}")
            rows.append(row | {"found": len(row["findings"])})
    return rows


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.edits", description=__doc__)
    parser.add_argument("--number", type=int, default=2000, help="edits of each package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--package", action="append", choices=EDITED, help="only this one (may be said several times)")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    rows = run_edits(
        given.number,
        given.seed,
        given.jobs,
        lambda text: print(text, file=sys.stderr, flush=True),
        tuple(given.package or EDITED),
    )
    print(json.dumps(rows, ensure_ascii=False, indent=1))
    return 1 if any(row["findings"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())

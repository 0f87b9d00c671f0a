"""How long checks of a real package take, as ratios to PyYAML's C compose of the same files: by command, cold and after
one card was changed, and in a living workspace after one edit. Medians of CPU time, of the command's processes too; a
cold check works on two cores, so that its figure is the time by the clock, and `cold_work` what both had to do."""

from __future__ import annotations

import gc
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace

GOALS = {"cold": 5.0, "touched": 2.5, "card_edited": 0.15, "package_after_edit": 0.5}
EDITS = 7
CARD = ("cards/damage.yaml", "fuel-leak", "lose 1 ")  # where it stands, its name, and what of it is changed


def compose(files: list[Path]) -> None:
    for path in files:
        with path.open("rb") as stream:
            yaml.compose(stream, Loader=yaml.CSafeLoader)


def spent_by(work: Callable[[], object]) -> float:
    """CPU time of this process and of those that it waits for."""
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.process_time()
    work()
    own = time.process_time() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def waited_for(work: Callable[[], object]) -> float:
    """Time by the clock."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure_workspace(package: Path, repetitions: int = 3) -> dict[str, Any]:
    times: dict[str, list[float]] = {name: [] for name in ("compose", "compose_by_clock", "cold_work", *GOALS)}
    file, card, said = CARD
    with tempfile.TemporaryDirectory(prefix="bench-workspace-") as scratch:
        root = Path(shutil.copytree(package, Path(scratch) / package.name))
        path, cache = root / file, Path(scratch) / "cache"
        text = path.read_text(encoding="utf-8")
        command = [str(Path(sys.executable).with_name("grimoire")), "check", str(root)]
        environment = os.environ | {"GRIMOIRE_CACHE": str(cache)}

        def check() -> None:
            ran = subprocess.run(command, env=environment, capture_output=True, check=False)
            if ran.returncode not in (0, 1):
                raise RuntimeError(ran.stderr.decode())

        def look_at_all() -> None:
            compose(sorted(root.rglob("*.yaml")))

        def check_cold() -> None:
            shutil.rmtree(cache, ignore_errors=True)
            check()

        for number in range(repetitions):
            path.write_text(text, encoding="utf-8")
            times["compose"].append(spent_by(look_at_all))
            times["compose_by_clock"].append(waited_for(look_at_all))
            times["cold"].append(waited_for(check_cold))
            times["cold_work"].append(spent_by(check_cold))
            path.write_text(text.replace(said, f"lose {number + 2} ", 1), encoding="utf-8")
            times["touched"].append(spent_by(check))
        path.write_text(text, encoding="utf-8")
        living, key = Workspace(), Package(str(root))
        living.problems(key)
        for number in range(EDITS):
            other = text.replace(said, f"lose {number % 8 + 2} ", 1)

            def look(other: str = other) -> None:
                living.edit(path, other)
                living.card_problems(key, card)

            first = spent_by(look)
            times["card_edited"].append(first)
            times["package_after_edit"].append(first + spent_by(lambda: living.problems(key)))
    seconds = {name: statistics.median(rows) for name, rows in times.items()}
    ratios = {name: seconds[name] / seconds["compose"] for name in GOALS}
    ratios["cold"] = seconds["cold"] / seconds["compose_by_clock"]
    return {
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "cold_work": round(seconds["cold_work"] / seconds["compose"], 3),
        **{
            name: {"value": round(ratios[name], 3), "goal": goal, "met": ratios[name] <= goal}
            for name, goal in GOALS.items()
        },
    }

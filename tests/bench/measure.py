"""Measure playouts, checking and idle cards, and compare each with its goal. Ratios are what counts, never seconds.

Every measurement is a number of repetitions in one process on one core (checks have all cores); what is compared
alternates, so that both sides meet the same machine. A fixed loop (the spin) is timed around every repetition, and a
repetition counts as long as it would have taken at the median spin: the speed of a shared machine wanders. Medians are
reported.

The engine is reached through ``load_engine`` and ``check_command`` only.
"""

from __future__ import annotations

import gc
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .abyss import Abyss
from .generate import PACKAGE, Part, write_package, write_part
from .handwritten import ConnectFour, Game, Leduc, LoveLetter, Rand, TicTacToe, playout
from .kernels import measure_kernels
from .l10n import measure_l10n
from .large import NAME as LARGE_GAME
from .large import measure_large
from .workspace import measure_workspace

PROJECT = Path(__file__).resolve().parents[2]
CONTENT = PROJECT / "content"

Json = dict[str, Any]
# Plays that many games from that seed; the number of decisions made.
Playouts = Callable[[int, int], int]


@dataclass(frozen=True)
class Contest:
    """A game that is measured against its hand-written twin; ``goal`` is the least ratio of decisions a second."""

    make: Callable[[Rand], Game]
    players: int
    goal: float


CONTESTS = {
    "tic-tac-toe": Contest(TicTacToe, 2, 0.20),
    "connect-four": Contest(ConnectFour, 2, 0.20),
    "leduc": Contest(Leduc, 2, 0.08),
    "love-letter": Contest(LoveLetter, 2, 0.07),
    "abyss": Contest(Abyss, 3, 0.03),
}
COLD_TO_COMPOSE = 10.0
TOUCHED_TO_COMPOSE = 0.5
DOUBLE_TO_SINGLE = 2.2
MANY_TO_FEW_IDLE = 0.8

CHECKS = {"check": False, "check-different": True}  # short cards that often say the same; cards that never do
NAMES = (*CONTESTS, "kernels", *CHECKS, "workspace", "idle-cards", "large", "l10n")


@dataclass(frozen=True)
class Settings:
    seconds: float = 0.5  # of one repetition of playouts
    repetitions: int = 7
    check_repetitions: int = 3
    cards: int = 10_000  # of the package that is checked; it is checked at twice the size too
    idle_cards: int = 100  # of the smaller package; the larger has a hundred times as many


# ------------------------------------------------------------------ the engine


def load_engine(path: Path, players: int) -> Playouts:
    """Compile the package at the path and give its random playouts."""
    from grimoire.compiler import compile_package
    from grimoire.runtime import load_artefact, simulate

    compiled = compile_package(path)
    package = load_artefact(compiled) if isinstance(compiled, dict | bytes | str | Path) else compiled

    def play(games: int, seed: int) -> int:
        report = simulate(package, games=games, players=players, seed=seed, bot="random", jobs=1)
        if report.games != games:
            raise RuntimeError(f"{report.games} games played, not {games}")
        return int(report.decisions)

    return play


CACHE_FOLDER = "check-cache"


def check_command(package: Path) -> tuple[list[str], dict[str, str]]:
    """The command and its environment; whatever it keeps for the next run goes under the package's parent."""
    command = [str(Path(sys.executable).with_name("grimoire")), "check", str(package)]
    return command, os.environ | {"GRIMOIRE_CACHE": str(package.parent / CACHE_FOLDER)}


def forget(folder: Path) -> None:
    """Empty every cache that a check of a package in the folder, run from the folder, can have left."""
    for cache in list(folder.rglob(CACHE_FOLDER)):
        shutil.rmtree(cache)


# ----------------------------------------------------------------------- clock


def spin() -> float:
    """Seconds for a fixed loop of the kind of work that playouts are: calls, lists, small ints."""
    cells = [0] * 64
    start = time.perf_counter()
    for i in range(60_000):
        at = i & 63
        if cells[at] < i:
            cells[at] = min(i, cells[at - 1] + at)
    return time.perf_counter() - start


@dataclass
class Timing:
    seconds: float = 0.0
    spin: float = 0.0


@dataclass
class Clock:
    """Times pieces of work, each between two spins, and remembers all spins."""

    spins: list[float] = field(default_factory=list)

    @contextmanager
    def timed(self) -> Iterator[Timing]:
        gc.collect()
        timing = Timing()
        before = spin()
        start = time.perf_counter()
        yield timing
        timing.seconds = time.perf_counter() - start
        timing.spin = (before + spin()) / 2
        self.spins.append(timing.spin)

    def steady(self, timings: list[Timing]) -> list[float]:
        """Seconds as they would have been at the median spin of these repetitions."""
        usual = statistics.median(timing.spin for timing in timings)
        return [timing.seconds * usual / timing.spin for timing in timings]

    def report(self) -> Json:
        if not self.spins:
            return {}
        middle = statistics.median(self.spins)
        return {
            "median_ms": round(middle * 1000, 3),
            "fastest": round(min(self.spins) / middle, 3),
            "slowest": round(max(self.spins) / middle, 3),
            "samples": len(self.spins),
        }


CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()


def use_one_core() -> None:
    if CORES:
        os.sched_setaffinity(0, {max(CORES)})


def use_all_cores() -> None:
    if CORES:
        os.sched_setaffinity(0, CORES)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def against(value: float, goal: float, at_least: bool) -> Json:
    return {"value": round(value, 4), "goal": goal, "met": value >= goal if at_least else value <= goal}


# -------------------------------------------------------------------- playouts


def handwritten_playouts(make: Callable[[Rand], Game]) -> Playouts:
    def play(games: int, seed: int) -> int:
        rand = random.Random(seed).random
        return sum(playout(make(rand), rand) for _ in range(games))

    return play


def games_for(play: Playouts, seconds: float) -> int:
    """How many games take about that long; warms the code up on the way."""
    play(1, 0)  # the first game of a package builds its program
    games = 1
    while True:
        start = time.perf_counter()
        play(games, 0)
        spent = time.perf_counter() - start
        if spent >= seconds / 4:
            return max(1, round(games * seconds / spent))
        games *= 2


@dataclass
class Rates:
    """Medians of one side."""

    decisions_per_s: float
    games_per_s: float
    decisions_per_game: float


def alternate(clock: Clock, sides: list[Playouts], settings: Settings) -> list[Rates]:
    """Measure several sides in turn, repetition by repetition, the first one changing each time."""
    sizes = [games_for(play, settings.seconds) for play in sides]
    timings: list[list[Timing]] = [[] for _ in sides]
    decisions: list[list[int]] = [[] for _ in sides]
    for repetition in range(settings.repetitions):
        order = range(len(sides)) if repetition % 2 == 0 else reversed(range(len(sides)))
        for i in order:
            with clock.timed() as timing:
                made = sides[i](sizes[i], repetition + 1)
            timings[i].append(timing)
            decisions[i].append(made)
    steady = iter(clock.steady([timing for side in timings for timing in side]))
    rates = []
    for size, made_by_side in zip(sizes, decisions, strict=True):
        seconds = [next(steady) for _ in made_by_side]
        rates.append(
            Rates(
                statistics.median(made / spent for made, spent in zip(made_by_side, seconds, strict=True)),
                statistics.median(size / spent for spent in seconds),
                sum(made_by_side) / (size * len(made_by_side)),
            )
        )
    return rates


def measure_game(name: str, clock: Clock, settings: Settings) -> Json:
    """Engine and hand-written playouts of one game. Without an engine the hand-written side is still measured."""
    contest = CONTESTS[name]
    by_hand = handwritten_playouts(contest.make)
    result: Json = {
        "engine_decisions_per_s": None,
        "handwritten_decisions_per_s": None,
        "ratio": None,
        "games_ratio": None,
        "goal": contest.goal,
        "met": None,
        "players": contest.players,
    }
    try:
        by_engine = load_engine(CONTENT / name, contest.players)
        engine, hand = alternate(clock, [by_engine, by_hand], settings)
    except Exception as error:
        result["error"] = f"{type(error).__name__}: {error}"
        (hand,) = alternate(clock, [by_hand], settings)
        result["handwritten_decisions_per_s"] = round(hand.decisions_per_s)
        return result
    ratio = engine.decisions_per_s / hand.decisions_per_s
    return result | {
        "engine_decisions_per_s": round(engine.decisions_per_s),
        "handwritten_decisions_per_s": round(hand.decisions_per_s),
        "ratio": round(ratio, 4),
        "games_ratio": round(engine.games_per_s / hand.games_per_s, 4),
        "met": ratio >= contest.goal,
        # Equal up to chance when both sides ask the same decisions.
        "decisions_per_game": {
            "engine": round(engine.decisions_per_game, 2),
            "handwritten": round(hand.decisions_per_game, 2),
        },
    }


# ---------------------------------------------------------------- check at scale


def compose(files: list[Path]) -> None:
    for path in files:
        with path.open("rb") as stream:
            yaml.compose(stream, Loader=yaml.CSafeLoader)


def check(package: Path) -> None:
    """Run the command as an author would, from the folder above the package."""
    command, environment = check_command(package)
    ran = subprocess.run(command, env=environment, cwd=package.parent, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        lines = (ran.stdout + ran.stderr).strip().splitlines()
        raise RuntimeError(f"check of {package.name} ended with {ran.returncode}: " + " | ".join(lines[:5]))


def measure_check(clock: Clock, settings: Settings, different: bool = False) -> Json:
    """Time `grimoire check` of a large package: cold, after a change of one file, and of twice as many cards.

    The command has all cores, as it has at an author's desk; composing the files is the work of one.
    """
    use_all_cores()
    times: dict[str, list[Timing]] = {"compose": [], "cold": [], "touched": [], "double": []}
    with tempfile.TemporaryDirectory(prefix="bench-check-") as scratch:
        single, double = Path(scratch) / "single" / PACKAGE, Path(scratch) / "double" / PACKAGE
        parts = write_package(single, settings.cards, different=different)
        write_package(double, settings.cards * 2, different=different)
        files = sorted(single.rglob("*.yaml"))
        size = sum(path.stat().st_size for path in files)
        for repetition in range(settings.check_repetitions):
            say(
                f"check{' of different cards' if different else ''}: repetition {repetition + 1} of "
                f"{settings.check_repetitions}"
            )
            forget(Path(scratch))
            with clock.timed() as timing:
                compose(files)
            times["compose"].append(timing)
            with clock.timed() as timing:
                check(single)
            times["cold"].append(timing)
            touch(parts, repetition)
            with clock.timed() as timing:
                check(single)
            times["touched"].append(timing)
            # The larger package begins with the same cards: what is known of the smaller must not help.
            forget(Path(scratch))
            with clock.timed() as timing:
                check(double)
            times["double"].append(timing)
    steady = iter(clock.steady([timing for side in times.values() for timing in side]))
    seconds = {name: statistics.median([next(steady) for _ in side]) for name, side in times.items()}
    return {
        "cards": settings.cards,
        "files": len(files),
        "bytes": size,
        "seconds": {name: round(spent, 3) for name, spent in seconds.items()},
        "cold_to_compose": against(seconds["cold"] / seconds["compose"], COLD_TO_COMPOSE, at_least=False),
        "touched_to_compose": against(seconds["touched"] / seconds["compose"], TOUCHED_TO_COMPOSE, at_least=False),
        "double_to_single": against(seconds["double"] / seconds["cold"], DOUBLE_TO_SINGLE, at_least=False),
    }


def touch(parts: list[Part], repetition: int) -> None:
    """Give the cards of one file other effects: a new time of change alone would not fool a cache that reads."""
    write_part(parts[(repetition * 7 + 3) % len(parts)], seed=repetition + 1)


# -------------------------------------------------------------------- idle cards


def measure_idle_cards(clock: Clock, settings: Settings) -> Json:
    """The same game with few and with a hundred times as many cards that never come into play."""
    few, many = settings.idle_cards, settings.idle_cards * 100
    with tempfile.TemporaryDirectory(prefix="bench-idle-") as scratch:
        sides = []
        for cards in (few, many):
            package = Path(scratch) / f"idle-{cards}"
            write_package(package, cards)
            sides.append(load_engine(package, 2))
        small, large = alternate(clock, sides, settings)
    return {
        "cards": [few, many],
        "decisions_per_s": [round(small.decisions_per_s), round(large.decisions_per_s)],
        "many_to_few": against(large.decisions_per_s / small.decisions_per_s, MANY_TO_FEW_IDLE, at_least=True),
    }


# ------------------------------------------------------------------------ report


def measure(names: list[str], settings: Settings) -> Json:
    """Everything that was asked for, as one JSON document. What could not be measured carries an ``error``."""
    clock = Clock()
    games: Json = {}
    report: Json = {"games": games}
    for name in names:
        say(f"{name} ...")
        use_one_core()
        if name in CONTESTS:
            games[name] = measure_game(name, clock, settings)
            say(f"{name}: {summary(games[name])}")
            continue
        try:
            if name in CHECKS:
                found = measure_check(clock, settings, CHECKS[name])
            elif name == "workspace":
                use_all_cores()
                found = measure_workspace(CONTENT / LARGE_GAME, settings.check_repetitions)
            elif name == "large":
                found = measure_large(CONTENT / LARGE_GAME, sys.modules[__name__], clock, settings)
            elif name == "kernels":
                found = measure_kernels(CONTENT, sys.modules[__name__], settings)
            elif name == "l10n":
                found = measure_l10n(CONTENT / LARGE_GAME)
            else:
                found = measure_idle_cards(clock, settings)
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        report[name.replace("-", "_")] = found
        say(f"{name}: {found.get('error', 'done')}")
    report["spin"] = clock.report()
    report["machine"] = {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "machine": platform.machine(),
        "cores": {"playouts": 1, "check": len(CORES) or os.cpu_count()},
    }
    return report


def summary(found: Json) -> str:
    if "error" in found:
        return str(found["error"])
    return f"ratio {found['ratio']} (goal {found['goal']})"


def errors(report: Json) -> list[str]:
    """Names of what could not be measured."""
    sections = report["games"] | {
        name: report[name]
        for name in ("kernels", "check", "check_different", "workspace", "idle_cards", "large", "l10n")
        if name in report
    }
    return [name for name, found in sections.items() if "error" in found]

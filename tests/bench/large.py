"""Measure a large game: decisions a second next to hand-written small games, loading, compiling, and where the time
goes.

Its playouts have no hand-written twin, so they alternate with those of the small games: how much slower is a decision
of a large game than one of a small game written by hand? The goals are seconds of one core, taken from the time that
the process had it, because the machine may be shared.
"""

from __future__ import annotations

import cProfile
import gc
import json
import pstats
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .handwritten import ConnectFour, Game, Leduc, LoveLetter, Rand, TicTacToe

Json = dict[str, Any]

NAME = "unfathomable"
PLAYERS = 4
BY_HAND: dict[str, Callable[[Rand], Game]] = {
    "tic-tac-toe": TicTacToe,
    "connect-four": ConnectFour,
    "leduc": Leduc,
    "love-letter": LoveLetter,
}
LEAST_PER_S = 5_000
LOAD_MS = 150
COMPILE_MS = 1_500
TOP = 12

# Compiles in a process that has nothing loaded yet; prints seconds: imports, compiling.
COLD = """
import sys, time
began = time.process_time()
from grimoire.compiler.api.build import build
loaded = time.process_time()
build(sys.argv[1])
print(loaded - began, time.process_time() - loaded)
"""


def compiled_cold(path: Path) -> tuple[float, float]:
    """Seconds to import the compiler and to compile, in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", COLD, str(path)], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise RuntimeError(f"{path.name} could not be compiled: {ran.stderr.strip().splitlines()[-1:]}")
    first, second = ran.stdout.split()
    return float(first), float(second)


def where_time_goes(play: Callable[[int, int], int], games: int) -> list[Json]:
    """The functions with the largest share of the time of random games, by their own time."""
    profile = cProfile.Profile()
    profile.enable()
    play(games, 0)
    profile.disable()
    return shares(pstats.Stats(profile).stats, TOP)  # type: ignore[attr-defined]


def shares(stats: dict[tuple[str, int, str], tuple[int, int, float, float, Any]], top: int) -> list[Json]:
    """The first rows by own time, as shares of the whole."""
    total = sum(row[2] for row in stats.values()) or 1.0
    rows = sorted(stats.items(), key=lambda item: (-item[1][2], item[0]))[:top]
    return [
        {"function": f"{Path(file).name}:{line} {name}", "share": round(row[2] / total, 3), "calls": row[1]}
        for (file, line, name), row in rows
    ]


def measure_large(path: Path, kit: Any, clock: Any, settings: Any) -> Json:
    """All of it; `kit` is the module `measure`, whose clock and playouts are used."""
    from grimoire.compiler.api.build import build
    from grimoire.runtime import load_artefact, new_game

    engine = kit.load_engine(path, PLAYERS)
    hands = [kit.handwritten_playouts(make) for make in BY_HAND.values()]
    large, *small = kit.alternate(clock, [engine, *hands], settings)
    raw = json.dumps(build(path)).encode()
    seconds: dict[str, list[float]] = {"load": [], "first": [], "import": [], "compile": []}
    rates: list[float] = []
    for repetition in range(settings.check_repetitions):
        spent, package = timed(lambda: load_artefact(raw))
        seconds["load"].append(spent)
        seconds["first"].append(timed(lambda package=package: new_game(package, PLAYERS, 0))[0])
        imported, compiled = compiled_cold(path)
        seconds["import"].append(imported)
        seconds["compile"].append(compiled)
        games = max(1, round(large.games_per_s * settings.seconds * 4))
        spent, made = timed(lambda games=games, seed=repetition: engine(games, seed))
        rates.append(made / spent)
    ms = {name: round(statistics.median(side) * 1000, 1) for name, side in seconds.items()}
    return {
        "package": path.name,
        "players": PLAYERS,
        "artefact_bytes": len(raw),
        "decisions_per_s": kit.against(round(statistics.median(rates)), LEAST_PER_S, at_least=True),
        "decisions_per_game": round(large.decisions_per_game, 1),
        "ratio_to_handwritten": {
            name: round(large.decisions_per_s / by_hand.decisions_per_s, 5)
            for name, by_hand in zip(BY_HAND, small, strict=True)
        },
        "load_ms": kit.against(ms["load"], LOAD_MS, at_least=False),
        "first_game_ms": ms["first"],  # the program for this table is built
        "compile_ms": kit.against(ms["compile"], COMPILE_MS, at_least=False),
        "import_ms": ms["import"],
        "profile": where_time_goes(engine, 20 if settings.seconds >= 0.1 else 1),
    }


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that this process had a core for the work, and what came of it."""
    gc.collect()
    start = time.process_time()
    made = work()
    return max(time.process_time() - start, 1e-9), made

"""Measure the pure and the compiled kernel on the real games, against plain hand-written Python in the same run.

The three sides take turns; each counts the seconds that its own process had a core, because the machine may be
shared. Games that have a hand-written twin are compared with it, the large ones with hand-written Love Letter.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.compiled import NoCompiler, compiled_root, environment

from . import worker
from .handwritten import ConnectFour, Game, Leduc, LoveLetter, Rand, TicTacToe

Json = dict[str, Any]
Side = Callable[[int, int], tuple[int, float]]  # games and a seed -> decisions and seconds


@dataclass(frozen=True)
class Row:
    """A game, what it is compared with, and the least ratios of decisions a second."""

    by_hand: Callable[[Rand], Game]
    players: int
    pure: float
    compiled: float


ROWS = {
    "tic-tac-toe": Row(TicTacToe, 2, 0.30, 1.8),
    "connect-four": Row(ConnectFour, 2, 0.30, 2.0),
    "leduc": Row(Leduc, 2, 0.10, 0.8),
    "love-letter": Row(LoveLetter, 2, 0.10, 0.9),
    "abyss": Row(LoveLetter, 3, 0.05, 0.35),
    "unfathomable": Row(LoveLetter, 4, 0.023, 0.20),
}


@contextmanager
def working(root: Path | None, artefact: Path, players: int, form: str) -> Iterator[Side]:
    """A process with the runtime below a root (None: the one installed), as a side."""
    line = [sys.executable, worker.__file__, str(artefact), str(players)]
    process = subprocess.Popen(
        line, env=environment(root), cwd=artefact.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    wire, answers = process.stdin, process.stdout

    def play(games: int, seed: int) -> tuple[int, float]:
        wire.write(f"{games} {seed}\n")
        wire.flush()
        decisions, seconds = answers.readline().split()
        return int(decisions), max(float(seconds), 1e-9)

    try:
        found = answers.readline().strip()
        if found != form:
            raise RuntimeError(f"a {form} kernel was to be measured, and the process has {found or 'none'}")
        yield play
    finally:
        wire.close()
        process.wait()
        answers.close()


def by_hand(play: Callable[[int, int], int]) -> Side:
    def timed(games: int, seed: int) -> tuple[int, float]:
        start = time.process_time()
        decisions = play(games, seed)
        return decisions, max(time.process_time() - start, 1e-9)

    return timed


def games_for(play: Side, seconds: float) -> int:
    """How many games take about that long."""
    games = 1
    while True:
        spent = play(games, 0)[1]
        if spent >= seconds / 4:
            return max(1, round(games * seconds / spent))
        games *= 2


def measure_row(artefact: Path, row: Row, compiled: Path | None, kit: Any, settings: Any) -> Json:
    """One game: medians of the ratios of repetitions."""
    with ExitStack() as stack:
        sides: dict[str, Side] = {"hand": by_hand(kit.handwritten_playouts(row.by_hand))}
        sides["pure"] = stack.enter_context(working(None, artefact, row.players, "pure"))
        if compiled is not None:
            sides["compiled"] = stack.enter_context(working(compiled, artefact, row.players, "compiled"))
        sizes = {name: games_for(side, settings.seconds) for name, side in sides.items()}
        rates: dict[str, list[float]] = {name: [] for name in sides}
        for repetition in range(settings.repetitions):
            for name, side in sides.items():
                decisions, seconds = side(sizes[name], repetition + 1)
                rates[name].append(decisions / seconds)
    found: Json = {"players": row.players, "by_hand": row.by_hand.__name__}
    found["decisions_per_s"] = {name: round(statistics.median(side)) for name, side in rates.items()}
    for name, goal in (("pure", row.pure), ("compiled", row.compiled)):
        if name in rates:
            ratios = [one / other for one, other in zip(rates[name], rates["hand"], strict=True)]
            found[name] = kit.against(statistics.median(ratios), goal, at_least=True)
    return found


def measure_kernels(content: Path, kit: Any, settings: Any, names: list[str] | None = None) -> Json:
    """A row for each game; `kit` is the module `measure`, whose hand-written playouts are used."""
    from grimoire.compiler.api.build import build

    report: Json = {}
    compiled: Path | None = None
    try:
        compiled = compiled_root("3")
    except NoCompiler as error:
        report["not_compiled"] = str(error)
    with tempfile.TemporaryDirectory() as folder:
        for name in names or list(ROWS):
            artefact = Path(folder) / f"{name}.json"
            artefact.write_text(json.dumps(build(content / name)), encoding="utf-8")
            report[name] = measure_row(artefact, ROWS[name], compiled, kit, settings)
            kit.say(f"{name}: {json.dumps(report[name])}")
    return report

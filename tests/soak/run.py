"""Run the long versions: `python -m tests.soak [--games 10000]`.

Every package of content/ with every number of players: random games without an error, a stuck decision or an unknown
end; the probes of the charter with their full numbers; changed files for the compiler, corrupted ones for whoever reads
them, and fuzzers. Large packages with every variant: large.py. Prints a summary as JSON; exit code 1 when anything was
found.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from grimoire.compiler.api.trace import trace_package
from grimoire.runtime import GrimoireError, simulate
from tests.charter import probes
from tests.charter.kit import CONTENT, TABLES, ends, hides, package, sizes
from tests.charter.probes import Findings
from tests.charter.twins import Tally, twins
from tests.games.reign import Reign, reign
from tests.hostile.fuzz import fuzz
from tests.hostile.watch import Report
from tests.open_proofs import list_closed, list_new
from tests.packages import FOLDERS, LARGE
from tests.soak.cards import try_cards
from tests.soak.corruption import corrupt
from tests.soak.coverage import run_coverage
from tests.soak.edits import run_edits
from tests.soak.fuzzers import run_fuzzers
from tests.soak.large import long_runs
from tests.soak.writes import every_fault, killed_commands

SHOWN = 20
DECKS = [root.name for root in FOLDERS]
HIDING = [name for name in DECKS if hides(name)]


def random_games(name: str, players: int, games: int, seed: int, jobs: int, bot: str = "random") -> dict[str, Any]:
    """How random games of one table end."""
    began = time.monotonic()
    row: dict[str, Any] = {
        "package": name,
        "players": players,
        "bot": bot,
        "content": package(name).hash,
        "findings": [],
    }
    try:
        report = simulate(package(name), games, players, seed, bot=bot, jobs=jobs)
    except (GrimoireError, AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        row["findings"].append(f"{type(error).__name__}: {error}")
        return row
    if report.errors:
        row["findings"].append(f"{report.errors} of {games} games failed: {'; '.join(report.error_notes)}")
    ended = sum(report.outcomes.values())
    if report.games != games or ended + report.errors != games:
        row["findings"].append(f"{ended} of {games} games have an outcome, {report.errors} failed")
    row["findings"] += [
        f"a game ended with {end!r}, which no rule says" for end in report.outcomes if end not in ends(name)
    ]
    row |= {
        "games": report.games,
        "errors": report.errors,
        "decisions": report.decisions,
        "longest": report.longest,
        "outcomes": report.outcomes,
    }
    return row | {"wins": report.wins, "digest": report.digest, "seconds": round(time.monotonic() - began, 1)}


def probe(job: tuple[str, str, int, list[int]]) -> Findings:
    """One share of a probe, in a process of its own."""
    what, name, players, seeds = job
    if what == "paused":
        return probes.paused(name, players, seeds, logged=lambda seed: seed % 4 == 0)
    return probes.legal(name, players, seeds)


def run_probes(
    what: str, tables: list[tuple[str, int]], number: int, jobs: int, tell: Callable[[str], None]
) -> list[dict[str, Any]]:
    """A probe over tables, `number` games or positions each."""
    share = 25
    rows = []
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for name, players in tables:
            began = time.monotonic()
            work = [(what, name, players, list(range(at, min(at + share, number)))) for at in range(0, number, share)]
            found = Findings()
            for part in pool.map(probe, work):
                found.add(part)
            row = {"probe": what, "package": name, "players": players, "games": found.games, "looks": found.looks}
            rows.append(row | {"findings": found.wrong[:SHOWN], "found": len(found.wrong)})
            tell(f"{what} {name} {players}: {len(found.wrong)} findings, {time.monotonic() - began:.0f} s")
    return rows


def paired(job: tuple[str, int, int, int]) -> Tally:
    """One share of the twins, in a process of its own."""
    name, players, number, seed = job
    return twins(name, players, number, seed=seed, timed=True)


def run_twins(name: str, number: int, seed: int, jobs: int, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """Positions of one package, shared out among its numbers of players: what a seat cannot see is dealt again and
    played on."""
    share = 25
    rows = []
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for at, players in enumerate(sizes(name)):
            began = time.monotonic()
            wanted = number * (at + 1) // len(sizes(name)) - number * at // len(sizes(name))
            parts = [min(share, wanted - done) for done in range(0, wanted, share)]
            work = [(name, players, part, seed + 1000 * (1 + which)) for which, part in enumerate(parts)]
            found = Tally()
            for part in pool.map(paired, work):
                found.add(part)
            row = {"probe": "twins", "package": name, "players": players, "seed": seed, **found.figures()}
            rows.append(row | {"findings": found.wrong[:SHOWN], "found": len(found.wrong)})
            tell(
                f"twins {name} {players}: {len(found.wrong)} findings {dict(found.classes)}, "
                f"{time.monotonic() - began:.0f} s"
            )
    return rows


def reigned(job: tuple[int, range]) -> Reign:
    """One share of the watched games, in a process of its own."""
    return reign(*job)


def run_reigns(number: int, seed: int, jobs: int, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """Random games of Abyss: nothing is lost at any event, and the scores are worked out a second time."""
    share = 50
    rows = []
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for players in (2, 3, 4):
            starts = range(seed, seed + number, share)
            work = [(players, range(at, min(at + share, seed + number))) for at in starts]
            found = Reign()
            for part in pool.map(reigned, work):
                found.add(part)
            row = {"probe": "reign", "package": "abyss", "players": players, "games": found.games, "looks": found.looks}
            rows.append(row | {"findings": list(found.wrong)[:SHOWN], "found": sum(found.wrong.values())})
            tell(f"{found.games} watched games of abyss with {players}: {dict(found.wrong)}")
    return rows


def watched(probe: str, reports: list[Report]) -> list[dict[str, Any]]:
    """What lookers came to, as rows."""
    return [{"probe": probe, "games": report.looks} | report.plain() for report in reports]


def traced(name: str, jobs: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Every clause and every part of every card broken in turn: what no scenario notices."""
    began = time.monotonic()
    report = trace_package(CONTENT / name, jobs=jobs)
    found = [*list_new(report), *list_closed(report)]
    tell(f"trace {name}: {report.summary}, {len(found)} findings, {time.monotonic() - began:.0f} s")
    row = {"probe": "trace", "package": name, "games": report.mutants, "findings": found[:SHOWN], "found": len(found)}
    return row | report.summary


def tried_cards(name: str, positions: int, seed: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Every card of a package in positions of random games."""
    made = package(name)
    found = try_cards(made, made.min_players, positions, seed)
    runs = sum(found.runs.values())
    tell(f"cards of {name}: {runs} runs, {len(found.wrong)} findings")
    row = {"probe": "cards", "package": name, "cards": len(found.runs), "games": runs, "used": sum(found.used.values())}
    return row | {"findings": found.wrong[:SHOWN], "found": len(found.wrong)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="random games for each package and number of players")
    parser.add_argument(
        "--paused", type=int, default=200, help="games in which every decision is saved, copied, taken back"
    )
    parser.add_argument(
        "--positions", type=int, default=3000, help="positions of each package in which what is hidden is dealt again"
    )
    parser.add_argument(
        "--legal", type=int, default=50, help="games in which every option and many other keys are tried"
    )
    parser.add_argument(
        "--reign", type=int, default=5000, help="games of Abyss for each number of players, watched at every event"
    )
    parser.add_argument(
        "--files", type=int, default=20_000, help="changed packages for the compiler, played where accepted"
    )
    parser.add_argument(
        "--corrupted", type=int, default=50_000, help="corrupted saves, replays, artefacts, caches, PO files"
    )
    parser.add_argument("--fuzzers", type=int, default=600, help="seconds of each fuzzer")
    parser.add_argument("--seconds", type=float, help="stop changed files, and corrupted ones, after so much time each")
    parser.add_argument("--cards", type=int, default=300, help="positions in which each card is tried")
    parser.add_argument("--explore", type=int, default=300, help="games of the bot that looks for what has not fired")
    parser.add_argument(
        "--cover", type=int, default=1500, help="games that look for parts of cards of a large package, at most"
    )
    parser.add_argument("--trace", type=int, default=1, help="0: large packages are not traced")
    parser.add_argument(
        "--large", type=int, default=2000, help="random games of each table and variant of a large package"
    )
    parser.add_argument("--watched", type=int, default=20, help="of these, games that are looked at after every event")
    parser.add_argument(
        "--aims", type=int, default=3, help="games of the bots that play to win, of each table and variant"
    )
    parser.add_argument("--faults", type=int, default=1, help="0: no write fails in turn")
    parser.add_argument("--edits", type=int, default=2000, help="edits of each package in a living workspace")
    parser.add_argument("--kills", type=int, default=2000, help="commands that are killed while they write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    began = time.monotonic()

    def tell(text: str) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {text}", file=sys.stderr, flush=True)

    games = []
    for bot, number in (("random", given.games), ("explore", given.explore)):
        for name, players in TABLES if number else ():
            games.append(random_games(name, players, number, given.seed, given.jobs, bot))
            tell(f"{number} games of {name} with {players}, {bot}: {games[-1].get('outcomes')} {games[-1]['findings']}")
    games += long_runs(given.large, given.watched, given.aims, given.seed, given.jobs, tell)
    rows: list[dict[str, Any]] = []
    for what, tables, number in (
        ("paused", TABLES, given.paused),
        ("legal", TABLES, given.legal),
    ):
        if number:
            rows += run_probes(what, tables, number, given.jobs, tell)
    for name in HIDING if given.positions else ():
        if given.large or name not in LARGE:
            rows += run_twins(name, given.positions, given.seed, given.jobs, tell)
    if given.reign:
        rows += run_reigns(given.reign, given.seed, given.jobs, tell)
    if given.trace:
        rows += [traced(name, given.jobs, tell) for name in LARGE]
    if given.cover:
        rows += [run_coverage(name, given.cover, given.seed, tell) for name in LARGE]
    rows += [tried_cards(name, given.cards, given.seed, tell) for name in DECKS if given.cards]
    if given.faults:
        rows += every_fault(tell)
    if given.kills:
        rows.append(killed_commands(given.kills, given.seed, tell))
    if given.edits:
        rows += run_edits(given.edits, given.seed, given.jobs, tell)
    rows += watched("changed files", fuzz(given.files, given.seed, seconds=given.seconds, jobs=given.jobs, tell=tell))
    rows += watched(
        "corrupted", corrupt(given.corrupted, given.seed, seconds=given.seconds, jobs=given.jobs, tell=tell)
    )
    if given.fuzzers:
        rows += run_fuzzers(given.fuzzers, given.seed, tell)
    findings = [text for row in [*games, *rows] for text in row["findings"]]
    summary = {"seconds": round(time.monotonic() - began, 1), "findings": len(findings), "games": games, "probes": rows}
    print(json.dumps(summary, ensure_ascii=False, indent=1))
    return 1 if findings else 0

"""Bulk play: many games with a bot, in one process or several, with the same report either way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from grimoire.runtime.artefact import Package, load_artefact
from grimoire.runtime.base import WAIT
from grimoire.runtime.bots import make_bot
from grimoire.runtime.errors import BudgetExceeded
from grimoire.runtime.game import fresh_state
from grimoire.runtime.program import Program, program_for
from grimoire.runtime.streams import block, stream, stream_key
from grimoire.runtime.trial import advance, start

CHUNK: Final = 64
MAX_DECISIONS: Final = 1_000_000
_MASK: Final = (1 << 61) - 1

Row = tuple[int, int, int, int]  # decisions, a hash of them, outcome, winners


@dataclass
class Report:
    """What a run of games showed."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    wins: list[int] = field(default_factory=list)
    digest: str = ""
    fired: dict[str, int] = field(default_factory=dict)  # what was reached how often; only with the bot "explore"


def simulate(
    package: Package,
    games: int,
    players: int = 2,
    seed: int = 0,
    bot: str = "random",
    jobs: int = 1,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play games with seeds ``seed``, ``seed + 1``, ...; the report does not depend on the number of jobs."""
    given = dict(options or {})
    program = program_for(package, players, given, bot == "explore")
    make_bot(bot)
    chunks = [(seed + at, min(CHUNK, games - at)) for at in range(0, games, CHUNK)]
    rows: list[list[Row]] = []
    fired = [0] * len(program.tracked)
    if jobs <= 1 or len(chunks) < 2:
        for first, n in chunks:
            found = play_chunk(program, first, n, bot)
            rows.append(found[0])
            fired = [a + b for a, b in zip(fired, found[1], strict=True)] if found[1] else fired
            if progress is not None:
                progress(min(games, len(rows) * CHUNK))
    else:
        with ProcessPoolExecutor(jobs, initializer=_load, initargs=(package.document, players, given, bot)) as pool:
            for found in pool.map(_work, [(first, n, bot) for first, n in chunks]):
                rows.append(found[0])
                fired = [a + b for a, b in zip(fired, found[1], strict=True)] if found[1] else fired
                if progress is not None:
                    progress(min(games, len(rows) * CHUNK))
    report = _report(program, [row for chunk in rows for row in chunk])
    if bot == "explore":
        report.fired = {f"{at} {name}": fired[at] for at, name in enumerate(program.tracked)}
    return report


_worker: list[Program] = []


def _load(document: dict[str, Any], players: int, options: dict[str, Any], bot: str) -> None:
    _worker.append(program_for(load_artefact(document), players, options, bot == "explore"))


def _work(job: tuple[int, int, str]) -> tuple[list[Row], list[int]]:
    return play_chunk(_worker[-1], *job)


def _report(program: Program, rows: list[Row]) -> Report:
    report = Report(wins=[0] * program.seats)
    digest = blake2b(digest_size=16)
    for decisions, trace, outcome, winners in rows:
        report.games += 1
        report.decisions += decisions
        report.longest = max(report.longest, decisions)
        name = program.outcomes[outcome]
        report.outcomes[name] = report.outcomes.get(name, 0) + 1
        for seat in range(program.seats):
            report.wins[seat] += (winners >> seat) & 1
        digest.update(f"{decisions} {trace} {name} {winners};".encode())
    report.outcomes = dict(sorted(report.outcomes.items()))
    report.digest = digest.hexdigest()
    return report


def play_chunk(program: Program, first: int, n: int, bot: str) -> tuple[list[Row], list[int]]:
    """Play n games from a seed; a row for each, and the counters of what fired if the bot explores."""
    try:
        return _play_chunk(program, first, n, bot)
    except RecursionError:
        raise BudgetExceeded("the rules call each other without end") from None


def _play_chunk(program: Program, first: int, n: int, bot: str) -> tuple[list[Row], list[int]]:
    if bot == "random":
        return [play_random(program, seed) for seed in range(first, first + n)], []
    player = make_bot(bot)
    rows: list[Row] = []
    fired: list[int] = [0] * len(program.tracked) if bot == "explore" else []
    for seed in range(first, first + n):
        player.begin(seed)
        g = fresh_state(program, seed)
        if bot == "explore":
            g.track = fired
        code = start(g)
        trace = decisions = 0
        while code == WAIT:
            i = player.pick(g)
            trace = (trace * 1_000_003 + i) & _MASK
            decisions += 1
            if decisions > MAX_DECISIONS:
                raise BudgetExceeded(f"the game with seed {seed} takes more than {MAX_DECISIONS} decisions")
            code = advance(g, i)
        rows.append((decisions, trace, g.over, g.winners))
    return rows, fired


_BOT_KEY: Final = stream_key("bot")


def play_random(program: Program, seed: int) -> Row:
    """One game with random choices: the short path, which equals ``RandomBot``."""
    g = fresh_state(program, seed)
    dice = stream(_BOT_KEY, seed)
    code = start(g)
    trace = decisions = number = 0
    pays = program.pays
    units = program.units
    words: tuple[int, ...] = ()
    while code == WAIT:
        if decisions & 15 == 0:
            words = block(dice, number)
            number += 1
            if decisions > MAX_DECISIONS:
                raise BudgetExceeded(f"the game with seed {seed} takes more than {MAX_DECISIONS} decisions")
        i = (words[decisions & 15] * len(g.opts)) >> 32
        trace = (trace * 1_000_003 + i) & _MASK
        decisions += 1
        if pays:
            code = advance(g, i)
        else:
            g.ticks = 0
            code = g.run(units[g.unit].code[g.pc].pick(g, g.base, i))
    return decisions, trace, g.over, g.winners

"""Bulk play: many games with a bot, in one process or several, with the same report either way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from grimoire.runtime import errors
from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.loading import Package, load_artefact
from grimoire.runtime.bots.bot import Bot, make_bot
from grimoire.runtime.bots.worth import Worth
from grimoire.runtime.build.program import Program, program_for
from grimoire.runtime.kernel.base import DRAWS, MIXES, WAIT
from grimoire.runtime.kernel.playout import Ends, Row, extend_trace, play_games, play_random, stuck, tell_rows
from grimoire.runtime.kernel.rng import salt, stream
from grimoire.runtime.kernel.state import State, fresh_state
from grimoire.runtime.kernel.trial import advance, start
from grimoire.runtime.limits import MAX_DECISIONS
from grimoire.runtime.plain_data import Document
from grimoire.runtime.play.faults import FAULTS, fault

CHUNK: Final = 64
NOTES: Final = 10

Error = tuple[int, str, str]  # seed, class, message


@dataclass
class Report:
    """What a run of games showed."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    wins: list[int] = field(default_factory=list)
    winners: dict[str, dict[str, int]] = field(default_factory=dict)  # for each outcome, who won how often
    digest: str = ""
    fired: dict[str, int] = field(default_factory=dict)  # what was reached how often; only with the bot "explore"
    errors: int = 0  # games that could not be played to their end
    error_notes: list[str] = field(default_factory=list)  # the first few of them: seed and message


@dataclass
class Chunk:
    """What some games in a row showed."""

    rows: list[Row] = field(default_factory=list)
    fired: list[int] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    ends: dict[tuple[int, int, int], int] = field(default_factory=dict)  # outcome, winners, their sides: how often


def simulate(
    package: Package,
    games: int,
    players: int = 2,
    seed: int = 0,
    bot: str = "random",
    jobs: int = 1,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play games with seeds ``seed``, ``seed + 1``, ...; the report does not depend on the number of jobs.

    A game that fails is counted in ``errors``, and the run goes on. If no game at all can be played, the first error is
    raised.
    """
    for number, what in ((games, "the number of games"), (jobs, "the number of jobs")):
        arguments.check_whole_number(number, what, 1)
    arguments.check_whole_number(seed, "a seed", 0)
    chosen = arguments.options(options)
    program = program_for(arguments.package(package), players, chosen, bot == "explore", make_bot(bot).quiet)
    todo = [(seed + at, min(CHUNK, games - at), bot) for at in range(0, games, CHUNK)]
    chunks: list[Chunk] = []

    def done(chunk: Chunk) -> None:
        chunks.append(chunk)
        if progress is not None:
            progress(min(games, len(chunks) * CHUNK))

    if jobs <= 1 or len(todo) < 2:
        for job in todo:
            done(play_chunk(program, *job))
    else:
        with ProcessPoolExecutor(jobs, initializer=_load, initargs=(package.document, players, chosen, bot)) as pool:
            for found in pool.map(_work, todo):
                done(found)
    report = _report(program, chunks)
    if report.errors and report.errors == report.games:
        _, kind, text = next(error for chunk in chunks for error in chunk.errors)
        raise getattr(errors, kind)(text)
    if bot == "explore":
        fired = [sum(counts) for counts in zip(*(chunk.fired for chunk in chunks), strict=True)]
        report.fired = {f"{at} {name}": fired[at] if fired else 0 for at, name in enumerate(program.tracked)}
    return report


_worker: list[Program] = []


def _load(document: Document, players: int, options: dict[str, object], bot: str) -> None:
    _worker.append(program_for(load_artefact(document), players, options, bot == "explore", make_bot(bot).quiet))


def _work(job: tuple[int, int, str]) -> Chunk:
    return play_chunk(_worker[-1], *job)


def _report(program: Program, chunks: list[Chunk]) -> Report:
    report = Report(wins=[0] * program.seats)
    digest = blake2b(digest_size=16)
    ends = Ends(program.outcomes)
    for chunk in chunks:
        for seed, _, text in chunk.errors:
            report.errors += 1
            if len(report.error_notes) < NOTES:
                report.error_notes.append(f"seed {seed}: {text}")
        lengths = [row[0] for row in chunk.rows]
        report.decisions += sum(lengths)
        report.longest = max(report.longest, *lengths)
        report.games += len(lengths)
        digest.update(tell_rows(chunk.rows, ends).encode())
    for (outcome, winners), games in zip(ends.found, ends.counts, strict=True):
        if outcome >= 0:
            name = program.outcomes[outcome]
            report.outcomes[name] = report.outcomes.get(name, 0) + games
            for seat in range(program.seats):
                report.wins[seat] += games * ((winners >> seat) & 1)
    report.outcomes = dict(sorted(report.outcomes.items()))
    worth = Worth(program)
    sides = {
        (outcome, winners, 0): games
        for (outcome, winners), games in zip(ends.found, ends.counts, strict=True)
        if outcome >= 0
    }
    won: dict[tuple[str, str], int] = {}
    for found in [chunk.ends for chunk in chunks] if worth.sides else [sides]:
        for (outcome, winners, mask), games in found.items():
            key = (program.outcomes[outcome], worth.name_winners(winners, mask))
            won[key] = won.get(key, 0) + games
    for name, who in sorted(won):
        report.winners.setdefault(name, {})[who] = won[name, who]
    report.digest = digest.hexdigest()
    return report


def play_chunk(program: Program, first: int, n: int, bot: str) -> Chunk:
    """Play n games from a seed; a row for each, and the counters of what fired if the bot explores."""
    chunk = Chunk(fired=[0] * len(program.tracked) if bot == "explore" else [])
    player = make_bot(bot)
    player.join(program)
    worth = Worth(program)
    if bot == "random" and not worth.sides:
        find_opening(program)
        with suppress(*FAULTS):  # a game that fails is played again below, where its state is at hand
            play_games(program.tables, program.opening, range(first, first + n), chunk.rows)
    for seed in range(first + len(chunk.rows), first + n):
        g = first_state(program, seed)
        try:
            if bot == "random":
                row = play_random(g, salt(seed))
            else:
                if bot == "explore":
                    g.count_in(chunk.fired)
                player.begin(seed)
                row = play_bot(g, player)
            chunk.rows.append(row)
            if worth.sides:
                end = (row[2], row[3], worth.won(g))
                chunk.ends[end] = chunk.ends.get(end, 0) + 1
        except FAULTS as error:
            raised = fault(g, error)
            chunk.rows.append((0, 0, -1, 0))
            chunk.errors.append((seed, type(raised).__name__, str(raised)))
    return chunk


def find_opening(program: Program) -> None:
    """Keep the state at the first decision, where that is the same in every game."""
    if program.quiet and not program.opened:
        program.opened = True
        g = fresh_state(program.tables, 0)
        with suppress(*FAULTS):  # every game will say so
            if start(g) == WAIT and not g.mem[DRAWS] and not g.mem[MIXES]:
                program.opening = g


def first_state(program: Program, seed: int) -> State:
    """A state at the start, or at the first decision where that is the same in every game."""
    find_opening(program)
    if program.opening is not None:
        return program.opening.copy_for(stream(program.tables.key, seed))
    return fresh_state(program.tables, seed)


def play_bot(g: State, player: Bot) -> Row:
    """One game with the choices of a bot."""
    code = WAIT if g.waiting else start(g)
    trace = decisions = 0
    while code == WAIT:
        if decisions >= MAX_DECISIONS:
            raise stuck()
        i = player.pick(g)
        trace = extend_trace(trace, i)
        decisions += 1
        code = advance(g, i)
    return decisions, trace, g.over, g.winners

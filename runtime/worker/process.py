"""The process that plays one game of untrusted content: limits itself, reads a job, plays, writes a report."""

from __future__ import annotations

import json
import os
import sys
from typing import BinaryIO

from grimoire.runtime.artefact.loading import load_artefact
from grimoire.runtime.bots.bot import make_bot
from grimoire.runtime.errors import GrimoireError, SetupError
from grimoire.runtime.play.game import Game, new_game
from grimoire.runtime.play.save_check import decision_line
from grimoire.runtime.play.shapes import Saved
from grimoire.runtime.worker.pool import OUT_OF_MEMORY, frame


def main(memory: int, cpu: int) -> None:
    """Play the game on stdin."""
    take_limits(memory, cpu)
    try:
        job = json.loads(_read(sys.stdin.buffer))
        report = play(job, _read(sys.stdin.buffer))
        sys.stdout.buffer.write(frame(json.dumps(report).encode()))
        sys.stdout.buffer.flush()
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def take_limits(memory: int, cpu: int) -> None:
    """From here on: so much memory and CPU time, no file longer than nothing, no other process."""
    import resource

    wanted = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_NPROC: 0,
    }
    for what, most in wanted.items():
        hard = resource.getrlimit(what)[1]
        # one second more of CPU time: the signal says what was passed, before the kernel kills without a word
        last = most + 1 if what == resource.RLIMIT_CPU else most
        resource.setrlimit(what, (most, last) if hard == resource.RLIM_INFINITY else (min(most, hard), min(last, hard)))


def _read(stream: BinaryIO) -> bytes:
    """Bytes behind their length."""
    return stream.read(int.from_bytes(stream.read(8), "big"))


def play(job: Saved, artefact: bytes) -> dict[str, object]:
    """The report of a game; a documented error is a part of it."""
    game: Game | None = None
    error = ""
    try:
        game = new_game(load_artefact(artefact), job["players"], job["seed"], job["options"], log=False)
        _decide(game, job)
    except GrimoireError as wrong:
        if _memory(wrong):
            raise MemoryError from wrong
        error = f"{type(wrong).__name__}: {wrong}"[:2000]
    if game is None:
        return {"outcome": None, "decisions": [], "digest": "", "error": error}
    end = game.outcome
    scores = None if end is None or end.scores is None else list(end.scores)
    outcome = None if end is None else [end.id, list(end.winners), scores]
    return {"outcome": outcome, "decisions": list(game.decisions_made), "digest": game.digest(), "error": error}


def _decide(game: Game, job: Saved) -> None:
    """Make the decisions of the job, or those of its bot."""
    if job["decisions"] is not None:
        for at, line in enumerate(job["decisions"]):
            seat, key = decision_line(line, f"decision {at + 1}")
            game.choose(key, seat)
        return
    bot = make_bot(job["bot"])
    bot.join(game.program)
    bot.begin(game.seed)
    for _ in range(job["most"]):
        if game.decision is None:
            return
        game.choose_index(bot.pick(game.state))
        game.forget_history()  # nobody takes anything back here, and it would only grow
    if game.decision is not None:
        raise SetupError(f"the game is not over after {job['most']} decisions")


def _memory(error: BaseException | None) -> bool:
    """Whether an error comes of memory that was not there."""
    while error is not None:
        if isinstance(error, MemoryError):
            return True
        error = error.__cause__ or error.__context__
    return False

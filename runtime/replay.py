"""Replay: a record of decisions -> the game they lead to."""

from __future__ import annotations

from typing import Any

from grimoire.runtime.artefact import Package
from grimoire.runtime.errors import IllegalChoice, ReplayMismatch
from grimoire.runtime.game import Game, new_game
from grimoire.runtime.save import split_decision


def record_of(game: Game) -> dict[str, Any]:
    """What ``replay`` needs to play a game again."""
    return {
        "content": game.package.hash,
        "seed": game.seed,
        "players": game.players,
        "options": dict(game.options),
        "script": game.script,
        "decisions": list(game.decisions_made),
        "digest": game.digest(),
    }


def replay(package: Package, record: dict[str, Any], log: bool = True) -> Game:
    """Play a record (or a save) again; a stated digest must be met at the end."""
    if record.get("edited"):
        raise ReplayMismatch("the position was edited, so its decisions cannot be replayed")
    try:
        options, script = record.get("options") or {}, record.get("script")
        game = new_game(package, record["players"], record["seed"], options, log=log, script=script)
        lines = list(record["decisions"])
    except (KeyError, TypeError) as error:
        raise ReplayMismatch(f"the record is incomplete: {error}") from None
    for at, line in enumerate(lines):
        seat, key = split_decision(line)
        try:
            game.choose(key, seat)
        except IllegalChoice as error:
            raise ReplayMismatch(f"decision {at + 1} of {len(lines)} ({line}): {error}") from None
    digest = record.get("digest")
    if digest is not None and record.get("content", package.hash) == package.hash and game.digest() != digest:
        raise ReplayMismatch(f"the game ends with digest {game.digest()}, the record says {digest}")
    return game

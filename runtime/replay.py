"""Replay: a record of decisions -> the game they lead to."""

from __future__ import annotations

from typing import Any

from grimoire.runtime import given
from grimoire.runtime.artefact import Package
from grimoire.runtime.errors import IllegalChoice, ReplayMismatch, SaveError, SetupError
from grimoire.runtime.game import Game, new_game
from grimoire.runtime.save import split_decision


def record_of(game: Game) -> dict[str, Any]:
    """What ``replay`` needs to play a game again."""
    if not isinstance(game, Game):
        raise SetupError(f"record_of takes a game, not {given.shown(game)}")
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
    given.package(package)
    given.table(record, "a record is a dictionary, as record_of gives it", ReplayMismatch)
    if record.get("edited"):
        raise ReplayMismatch("the position was edited, so its decisions cannot be replayed")
    try:
        options, script = record.get("options") or {}, record.get("script")
        game = new_game(package, record["players"], record["seed"], options, log=log, script=script)
        lines = given.listed(record["decisions"], "decisions", ReplayMismatch)
    except KeyError as error:
        raise ReplayMismatch(f"the record is incomplete: it has no {error}") from None
    for at, line in enumerate(lines):
        try:
            seat, key = split_decision(line)
            game.choose(key, seat)
        except (IllegalChoice, SaveError) as error:
            raise ReplayMismatch(f"decision {at + 1} of {len(lines)} ({line}): {error}") from None
    digest = record.get("digest")
    if digest is not None and record.get("content", package.hash) == package.hash and game.digest() != digest:
        raise ReplayMismatch(f"the game ends with digest {game.digest()}, the record says {digest}")
    return game

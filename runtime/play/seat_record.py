"""What a seat may keep of a game: its view, its log and its replay, and nothing that it has not seen."""

from __future__ import annotations

from typing import Any, Final

from grimoire.runtime.play.game import Game, new_game

FORMAT: Final = "grimoire-seat-record"
VERSION: Final = 1


def seat_record(game: Game, seat: int) -> dict[str, Any]:
    """The record of a seat. It has no seed, no digest and no decision of others: each would tell what is hidden."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": {"id": game.package.id, "version": game.package.version},
        "content": game.package.hash,
        "players": game.players,
        "options": dict(game.options),
        "seat": game.program.seat_names[seat],
        "view": game.view(seat),
        "log": game.log(seat, choices=True),
        "steps": seat_steps(game, seat),
    }


def seat_steps(game: Game, seat: int) -> list[dict[str, Any]] | None:
    """What the seat saw when it was asked, and what it answered, question by question; None if the position was edited.

    ``log`` holds the entries that are new, or read otherwise, since the step before: the others stand as they were.
    """
    if game.edited:
        return None
    again = new_game(
        game.package, game.players, game.seed, game.options, log=game.state.log is not None, script=game.script
    )
    steps: list[dict[str, Any]] = []
    before: dict[int, dict[str, Any]] = {}
    for chooser, key in game.made:
        if chooser == seat:
            entries = {int(entry["n"]): entry for entry in again.log(seat, choices=True)}
            view = again.view(seat)
            news = [entry for n, entry in entries.items() if before.get(n) != entry]
            steps.append({"view": view, "log": news, "chose": key})
            before = entries
        again.choose(key, chooser)
    return steps

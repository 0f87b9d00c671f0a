"""What a seat may keep of a game: its view, its log and its replay, and nothing that it has not seen."""

from __future__ import annotations

from typing import Final, TypedDict

from grimoire.runtime.play.protocols import PlayedGame
from grimoire.runtime.play.shapes import LogEntry, Options, View

FORMAT: Final = "grimoire-seat-record"
VERSION: Final = 1


class SeatStep(TypedDict):
    """What a seat saw when it was asked, and what it answered."""

    view: View
    log: list[LogEntry]
    chose: str


class SeatRecord(TypedDict):
    """What a seat may keep."""

    format: str
    version: int
    package: dict[str, str]
    content: str
    players: int
    options: Options
    seat: str
    view: View
    log: list[LogEntry]
    steps: list[SeatStep] | None


def seat_record(game: PlayedGame, again: PlayedGame | None, seat: int) -> SeatRecord:
    """The record of a seat. It has no seed, no digest and no decision of others: each would tell what is hidden.

    ``again`` is the same game at its start, to be played once more; None if the position was edited: then there are no
    steps.
    """
    package = game.program.package
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": {"id": package.id, "version": package.version},
        "content": package.hash,
        "players": game.program.seats,
        "options": dict(game.options),
        "seat": game.program.seat_names[seat],
        "view": game.view(seat),
        "log": game.log(seat, choices=True),
        "steps": None if again is None else seat_steps(game, again, seat),
    }


def seat_steps(game: PlayedGame, again: PlayedGame, seat: int) -> list[SeatStep]:
    """What the seat saw when it was asked, and what it answered, question by question.

    ``log`` holds the entries that are new, or read otherwise, since the step before: the others stand as they were.
    """
    steps: list[SeatStep] = []
    before: dict[int, LogEntry] = {}
    for chooser, key in game.made:
        if chooser == seat:
            entries = {entry["n"]: entry for entry in again.log(seat, choices=True)}
            view = again.view(seat)
            news = [entry for n, entry in entries.items() if before.get(n) != entry]
            steps.append({"view": view, "log": news, "chose": key})
            before = entries
        again.choose(key, chooser)
    return steps

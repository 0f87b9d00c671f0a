"""Saves: the whole game as plain JSON, pending work included, with a checksum and perhaps a signature."""

from __future__ import annotations

import hashlib
from typing import Final

from grimoire.runtime.artefact.documents import SIGNED, canonical, sign, verify
from grimoire.runtime.errors import SaveError
from grimoire.runtime.kernel.base import NIL, VARS
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.frames import frames_data, since_data
from grimoire.runtime.play.log import Log
from grimoire.runtime.play.protocols import PlayedGame
from grimoire.runtime.play.save_check import write_large_numbers
from grimoire.runtime.play.shapes import Saved

FORMAT: Final = "grimoire-save"
VERSION: Final = 4


def floats_data(g: State) -> list[list[int]]:
    """The floating effects, by serial."""
    return [[serial, *effect.row()] for serial, effect in sorted(g.floats.items())]


def state_data(game: PlayedGame) -> list[object]:
    """Everything that makes two games differ, as nested lists of ints and text."""
    g, p = game.state, game.program
    options = [p.option_values[row.id] for row in p.artefact.options]
    ended = ["", 0] if g.over < 0 else [p.outcomes[g.over], g.winners]
    frames = [list(row) for row in frames_data(p, g)]
    return [p.package.hash, p.seats, options, g.mem, g.zones, frames, floats_data(g), ended]


def save_game(game: PlayedGame, key: bytes | None) -> Saved:
    """The save of a game, signed if there is a key."""
    g, p = game.state, game.program
    variables = {row.id: g.mem[VARS + at] for at, row in enumerate(p.artefact.vars)}
    columns = {row.id: g.mem[base : base + p.size(row.of)] for row, base in p.stored_columns()}
    frames = []
    for unit, pc, values in frames_data(p, g):
        u = p.units[unit]
        sort = "event" if u.event else "ability" if u.ability else "call"
        frames.append({"proc": u.name, "as": sort, "unit": unit, "at": pc, "slots": values})
    saved: Saved = {
        "format": FORMAT,
        "version": VERSION,
        "package": {"id": p.package.id, "version": p.package.version},
        "content": p.package.hash,
        "seed": game.seed,
        "players": p.seats,
        "options": dict(game.options),
        "script": game.script,
        "decisions": list(game.decisions_made),
        "numbers": list(game.numbers),
        "edited": game.edited,
        "state": {
            "counters": g.mem[:NIL],
            "vars": variables,
            "columns": columns,
            "zones": {
                name: [p.piece_names[piece] for piece in g.zones[zone]] for zone, name in enumerate(p.zone_names)
            },
            "known": g.mem[p.known : p.known + len(p.piece_def)],
            "stamps": g.mem[p.tables.stamps :],
            "frames": frames,
            "floats": floats_data(g),
            "outcome": None if g.over < 0 else [p.outcomes[g.over], g.winners],
        },
        "protection": "none" if key is None else SIGNED,
    }
    if isinstance(g.log, Log):
        saved["log"] = [{"begin": row.begin, "end": row.end, "told": list(row.versions)} for row in g.log.written]
        saved["seen"] = {"moment": g.log.moment, "blurred": g.log.blurred[:], "since": since_data(g)}
        saved["open"] = [[moment, begun.proc, begun.base, *begun.slots] for moment, begun in sorted(g.log.open.items())]
    saved = {name: write_large_numbers(value) for name, value in saved.items()}
    saved["check"] = checksum(saved)
    return saved if key is None else sign(saved, key)


def checksum(saved: Saved) -> str:
    """What tells a whole save from a damaged one. It has no secret: against whoever means to, only a key helps."""
    rest = {name: value for name, value in saved.items() if name not in ("check", "signature")}
    return hashlib.blake2b(canonical(rest), digest_size=16).hexdigest()


def check_whole(save: Saved, key: bytes | None) -> None:
    """Refuse a save that is damaged or, if there is a key, not signed with it."""
    try:
        if key is not None:
            verify(save, key, "the save")
        if save.get("check") != checksum(save):
            raise SaveError("the save was damaged or edited: its checksum does not fit")
    except (TypeError, ValueError, RecursionError) as error:
        raise SaveError(f"the save is not plain JSON: {error}") from None

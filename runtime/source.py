"""Where a question comes from: the card or ability whose text asks, the event that a window belongs to. Never on the hot path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grimoire.runtime.base import X_SINCE
from grimoire.runtime.decision import Names
from grimoire.runtime.events import WindowOp, ability_of, bearer_of
from grimoire.runtime.log import Log

if TYPE_CHECKING:
    from grimoire.runtime.program import Program
    from grimoire.runtime.state import State


@dataclass(frozen=True)
class Source:
    """What a question comes from, as far as the seat that is asked may know it.

    ``piece`` is the definition of the card whose text asks, ``label`` that of its ability (None: one of its effects, or no ability at
    all). ``event`` is the entry of the log that may be reacted to; its ``ok`` is null if it has not happened yet.
    """

    piece: str | None
    label: str | None
    event: dict[str, Any] | None


def source_of(program: Program, g: State, seat: int) -> Source | None:
    """The source of what a seat is asked now; None if it is a rule of the game, or not for the seat to know."""
    op = g.waiter()
    if isinstance(op, WindowOp):
        moment = g.slots[g.base + op.unit.extras + X_SINCE]
        event = g.log.entry(g, seat, moment) if isinstance(g.log, Log) else None
        return None if event is None else Source(None, None, event)
    texts = {proc for procs in program.builder.programs.values() for proc in procs if proc >= 0}
    for number in range(len(g.frames) // 3, -1, -1):
        u = g.units[g.frame_unit(number)]
        base = g.frame_base(number)
        if u.ability:
            instance = g.slots[base + u.extras + 2]
            return _named(program, g, seat, bearer_of(g, instance), ability_of(g, instance).label)
        if u.proc in texts and not u.event:
            return _named(program, g, seat, g.slots[base + 1], None)
    return _handled(program, g, seat)


def _handled(program: Program, g: State, seat: int) -> Source | None:
    """The piece that the nearest running event is done with: a rule asks about it."""
    for number in range(len(g.frames) // 3, -1, -1):
        u = g.units[g.frame_unit(number)]
        sorts = program.doc["procs"][u.proc].get("sorts") or [] if u.event else []
        for at, sort in enumerate(sorts):
            piece = g.slots[g.frame_base(number) + 1 + at]
            if sort == "piece" and 0 <= piece < len(program.piece_def):
                return _named(program, g, seat, piece, None)
    return None


def _named(program: Program, g: State, seat: int, piece: int, label: str | None) -> Source | None:
    if piece < 0:
        return Source(None, label, None)
    if not Names(program, g, seat).knows(piece):
        return None
    return Source(str(program.definition_names[program.piece_def[piece]]), label, None)

"""Where a question comes from: the card or ability whose text asks, the event that a window belongs to. Never on the
hot path.
"""

from __future__ import annotations

from dataclasses import dataclass

from grimoire.runtime.build.program import Program
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.walk import children
from grimoire.runtime.kernel.base import X_SINCE
from grimoire.runtime.kernel.events import WindowOp, ability_of, bearer_of
from grimoire.runtime.kernel.menus import ChooseOp, MenuOp
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.log import Log
from grimoire.runtime.play.names import Names
from grimoire.runtime.play.shapes import LogEntry


@dataclass(frozen=True)
class Source:
    """What a question comes from, as far as the seat that is asked may know it.

    ``piece`` is the definition of the card whose text asks, ``label`` that of its ability (None: one of its effects, or
    no ability at all). ``event`` is the entry of the log that may be reacted to; its ``ok`` is null if it has not
    happened yet. ``clause`` is that of the rule that asks: of the statement, or else of what it is a part of.
    """

    piece: str | None
    label: str | None
    event: LogEntry | None
    clause: str | None = None


def source_of(program: Program, g: State, seat: int) -> Source | None:
    """The source of what a seat is asked now; None if nothing names it, or if it is not for the seat to know."""
    op = g.waiter()
    if not isinstance(op, WindowOp):
        return _source_of_frame(program, g, seat, g.depth)
    moment = g.slots[g.base + op.unit.extras + X_SINCE]
    event = g.log.entry(g, seat, moment) if isinstance(g.log, Log) else None
    around = _source_of_frame(program, g, seat, g.depth - 1)
    if around is None:
        return None if event is None else Source(None, None, event)
    return Source(around.piece, around.label, event, around.clause)


def _source_of_frame(program: Program, g: State, seat: int, first: int) -> Source | None:
    """The card or ability whose text runs in a frame, or around it; else the rule."""
    texts = program.references.bearers
    for number in range(first, -1, -1):
        u = g.units[g.frame_unit(number)]
        base = g.frame_base(number)
        if u.ability:
            instance = g.slots[base + u.extras + 2]
            gone = instance - len(g.tables.instance_ability)  # an effect for one use ends when it is used
            label = u.name if gone >= 0 and gone not in g.floats else ability_of(g, instance).label
            return _source_of_text(program, g, seat, bearer_of(g, instance), label, number)
        if u.proc in texts and not u.event:
            return _source_of_text(program, g, seat, g.slots[base + 1], None, number)
    return _source_of_event(program, g, seat, first)


def clause_of(program: Program, g: State, first: int | None = None) -> str | None:
    """The clause of the rule that asks now: that of the statement, else that of the nearest running procedure that has
    one.

    With a number, what runs in that frame and around it counts only.
    """
    op = g.waiter()
    statements, procedures = clauses_of(program)
    if isinstance(op, MenuOp | ChooseOp) and first is None:
        menu = program.menus[op.source]
        found = statements.get(-1 if menu.at is None else menu.at)
        if found is not None:
            return found
    for number in range(g.depth if first is None else first, -1, -1):
        found = procedures.get(g.units[g.frame_unit(number)].proc)
        if found is not None:
            return found
    return None


def clauses_of(program: Program) -> tuple[dict[int, str], dict[int, str]]:
    """The clauses of statements, by their places, and those by which procedures are known best."""
    if program.asking is None:
        statements: dict[int, str] = {}
        procedures: dict[int, str] = {}
        for at, row in enumerate(program.procs):
            bare: list[int] = []
            named = [*(row.clauses or ()), *([] if row.body is None else _walk(row.body, None, statements, bare))]
            if named:
                procedures[at] = named[0]
                for place in bare:
                    statements.setdefault(place, procedures[at])
        program.asking = statements, procedures
    return program.asking


def _walk(record: object, clause: str | None, statements: dict[int, str], bare: list[int]) -> list[str]:
    """Note the clause of each statement, the nearest one, and those without; all clauses in the order of the text."""
    own = record.clause if isinstance(record, Statement) else None
    clause = own or clause
    if isinstance(record, Statement) and record.at is not None:
        if clause is None:
            bare.append(record.at)
        else:
            statements.setdefault(record.at, clause)
    found = [found for child in children(record) for found in _walk(child, clause, statements, bare)]
    return found or ([] if own is None else [own])


def _source_of_event(program: Program, g: State, seat: int, first: int) -> Source | None:
    """The piece that the nearest running event is done with: a rule asks about it."""
    clause = clause_of(program, g)
    for number in range(first, -1, -1):
        u = g.units[g.frame_unit(number)]
        sorts = program.artefact.procs[u.proc].sorts or () if u.event else ()
        for at, sort in enumerate(sorts):
            piece = g.slots[g.frame_base(number) + 1 + at]
            if sort == "piece" and 0 <= piece < len(program.piece_def):
                known = Names(program, g, seat).knows(piece)
                name = str(program.definition_names[program.piece_def[piece]]) if known else None
                return Source(name, None, None, clause) if known or clause is not None else None
    return None if clause is None else Source(None, None, None, clause)


def _source_of_text(program: Program, g: State, seat: int, piece: int, label: str | None, number: int) -> Source | None:
    """A card or ability whose text runs in a frame; of one that the seat may not know, the rule around it."""
    if piece < 0:
        return Source(None, label, None)
    if Names(program, g, seat).knows(piece):
        return Source(str(program.definition_names[program.piece_def[piece]]), label, None)
    around = clause_of(program, g, number - 1)
    return None if around is None else Source(None, None, None, around)

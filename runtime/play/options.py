"""Options: what a seat may choose, read off the state, with keys in the terms of that seat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grimoire.runtime.kernel.base import (
    FIRST,
    OPTION_DONE,
    OPTION_IN_TURN,
    OPTION_PASS,
    OPTION_SEAT,
    Op,
)
from grimoire.runtime.kernel.events import WindowOp, ability_of, bearer_of
from grimoire.runtime.kernel.menus import ChooseOp, Entry, MenuOne, MenuOp, MenuPlain
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.names import Names


class OptionKind(StrEnum):
    """What an option is, whatever its key looks like."""

    ENTRY = "entry"  # of a menu: `label` is its id, `values` what it is done with
    ELEMENT = "element"  # one of those to choose from
    ABILITY = "ability"  # `label` is the ability's, the value the piece that bears it
    DONE = "done"  # to choose no more
    PASS = "pass"  # to use nothing, or to have nothing to choose from
    IN_TURN = "in-turn"  # who reacts first is as the turns go
    SEAT = "seat"  # that a seat reacts first


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen."""

    key: str
    label: str
    values: tuple[str | int, ...]
    kind: OptionKind


def option_at(names: Names, op: Op, i: int) -> Option:
    """Option number i of the options derived."""
    g = names.g
    kind = op.option_kind(g, i)
    if kind == OPTION_PASS:
        return Option("pass", "pass", (), OptionKind.PASS)
    if kind == OPTION_DONE:
        return Option("done", "done", (), OptionKind.DONE)
    if kind == OPTION_IN_TURN:
        return Option("in-turn", "in-turn", (), OptionKind.IN_TURN)
    if kind == OPTION_SEAT:
        seat = names.program.seat_names[FIRST - g.opts[i]]
        return Option(seat, "who-first", (seat,), OptionKind.SEAT)
    if isinstance(op, MenuOp):
        entry, raw = entry_at(g, op, i)
        values = tuple(names.value(domain.sort, x) for domain, x in zip(entry.domains, raw, strict=True))
        return Option(":".join([entry.id, *[str(value) for value in values]]), entry.id, values, OptionKind.ENTRY)
    if isinstance(op, ChooseOp):
        value = names.value(op.sort, g.opts[i])
        return Option(str(value), op.text, (value,), OptionKind.ELEMENT)
    assert isinstance(op, WindowOp)
    piece = bearer_of(g, g.opts[i])
    borne = (names.piece(piece),) if piece >= 0 else ()
    return Option(names.instance(g.opts[i]), ability_of(g, g.opts[i]).label, borne, OptionKind.ABILITY)


def entry_at(g: State, op: MenuOp, i: int) -> tuple[Entry, tuple[int, ...]]:
    """The entry of a menu that option number i is, with the values of its domains."""
    if isinstance(op, MenuOne):
        return op.entries[0], (g.opts[i],)
    return op.entries[g.opts[i]], () if isinstance(op, MenuPlain) else g.vals[i]

"""Options: what a seat may choose, read off the state, with keys in the terms of that seat; and the line of the log for one."""

from __future__ import annotations

from dataclasses import dataclass

from grimoire.runtime.kernel.base import NO_OPTION, WaitOp
from grimoire.runtime.kernel.events import FIRST, IN_TURN, WindowOp, ability_of, bearer_of
from grimoire.runtime.kernel.menus import ChooseOp, MenuOne, MenuOp, MenuPlain
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.names import Names


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen."""

    key: str
    label: str
    values: tuple[str | int, ...]


def option_at(names: Names, op: WaitOp, i: int) -> Option:
    """Option number i of the options derived."""
    g = names.g
    if isinstance(op, MenuOp):
        if g.opts[i] == NO_OPTION:
            return Option("pass", "pass", ())
        entry = op.entries[0 if isinstance(op, MenuOne) else g.opts[i]]
        raw: tuple[int, ...] = ()
        if isinstance(op, MenuOne):
            raw = (g.opts[i],)
        elif not isinstance(op, MenuPlain):
            raw = g.vals[i]
        values = tuple(names.value(domain.sort, x) for domain, x in zip(entry.domains, raw, strict=True))
        return Option(":".join([entry.id, *[str(value) for value in values]]), entry.id, values)
    if isinstance(op, ChooseOp):
        if g.opts[i] < 0:
            return Option("done", "done", ())
        value = names.value(op.sort, g.opts[i])
        return Option(str(value), op.text, (value,))
    assert isinstance(op, WindowOp)
    if g.opts[i] == IN_TURN:
        return Option("in-turn", "in-turn", ())
    if g.opts[i] <= FIRST:
        seat = names.program.seat_names[FIRST - g.opts[i]]
        return Option(seat, "who-first", (seat,))
    if g.opts[i] < 0:
        return Option("pass", "pass", ())
    piece = bearer_of(g, g.opts[i])
    return Option(
        names.instance(g.opts[i]), ability_of(g, g.opts[i]).label, (names.piece(piece),) if piece >= 0 else ()
    )


def write_choice(g: State, op: WaitOp, seat: int, i: int) -> None:
    """Log the decision for option i. What abilities are used, or passed, shows in what follows, if at all."""
    log = g.log
    if log is None:
        return
    if isinstance(op, ChooseOp):
        x = g.opts[i]
        log.choice(g, seat, op.text, op.text if x >= 0 else "done", [op.sort] if x >= 0 else [], [x] if x >= 0 else [])
    elif isinstance(op, MenuOp) and g.opts[i] == NO_OPTION:
        log.choice(g, seat, op.text, "pass", [], [])
    elif isinstance(op, MenuOp):
        entry = op.entries[0 if isinstance(op, MenuOne) else g.opts[i]]
        values: list[int] = []
        if isinstance(op, MenuOne):
            values = [g.opts[i]]
        elif not isinstance(op, MenuPlain):
            values = list(g.vals[i])
        log.choice(g, seat, op.text, entry.id, [domain.sort for domain in entry.domains], values)

"""Inlining: moving the body of a procedure into other slots, so that it can be written into its caller."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.core.analysis import Form, find_bound_slot, forms_in, forms_of, list_written_slots, statements_in
from grimoire.runtime.core.expressions import CanCarryOut, EventArgument, EventResult, ThisPiece
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import Cancel, Entry, Grant, Leave, Pay, Return, SetArgument, SetResult
from grimoire.runtime.core.walk import rewrite_inside

_OWN_WINDOW: Final = (CanCarryOut, ThisPiece, EventArgument, EventResult)  # what only stands where it was written


def only_inlinable(statement: Statement | None, waits: bool) -> bool:
    """Whether a statement has none of what needs a window of its own."""
    if statement is None:
        return True
    if isinstance(statement, Grant | Cancel | SetArgument | SetResult):
        return False
    if isinstance(statement, Return | Pay) and not waits:
        return False
    for form in forms_of(statement):
        if not can_move(form):
            return False
    return all(only_inlinable(child, waits) for child in statements_in(statement))


def can_move(form: Form) -> bool:
    """Whether a form can be moved to other slots."""
    return not isinstance(form, _OWN_WINDOW) and all(can_move(part) for part in forms_in(form))


def find_assigned(statement: Statement | None) -> set[int]:
    """Every slot that a statement, or anything inside it, writes or binds."""
    if statement is None:
        return set()
    found = set(list_written_slots(statement))
    for form in forms_of(statement):
        _add_bound(form, found)
    for child in statements_in(statement):
        found |= find_assigned(child)
    return found


def _add_bound(form: Form, found: set[int]) -> None:
    bound = find_bound_slot(form)
    if bound >= 0:
        found.add(bound)
    for part in forms_in(form):
        _add_bound(part, found)


def own_leaves(statement: Statement, proc: int) -> Statement:
    """A statement of a procedure in which leaving that same procedure is written as a return."""
    if type(statement) is Leave and statement.proc == proc:
        return Return(statement.value, at=statement.at, clause=statement.clause)

    def change(record: object) -> object:
        if isinstance(record, Statement):
            return own_leaves(record, proc)
        return rewrite_inside(record, change) if isinstance(record, Entry) else record

    return rewrite_inside(statement, change)

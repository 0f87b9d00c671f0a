"""Walks and rewrites over what was lowered: size, slots that nobody reads, a slot for another value."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Selector, Statement, parts_of
from grimoire.runtime.core.walk import rewrite, walk

MAX_FORM_DEPTH = 115  # the runtime loads forms up to 120 deep
MAX_FORM_SIZE = 50_000
EMPTY: Final = st.Sequence(())

F = TypeVar("F", bound=Expression | Statement)


def too_large(made: Statement) -> bool:
    """Whether a lowered form is deeper or larger than the runtime takes. Parts that are shared count each time."""
    level: list[object] = [made]
    depth, size = 0, 1
    while level:
        depth += 1
        below: list[object] = []
        for node in level:
            size += _written(node, below)
        if depth > MAX_FORM_DEPTH or size > MAX_FORM_SIZE:
            return True
        level = below
    return False


def _written(node: object, below: list[object]) -> int:
    """How many parts a record or a list is written with; those that are lists or objects themselves go to `below`."""
    if isinstance(node, tuple):
        below += [part for part in node if type(part) is not int]
        return len(node)
    flat = isinstance(node, Expression | Selector)  # a list in it is written as parts of its own
    count = 1 if flat or isinstance(node, Statement) else 0
    if isinstance(node, Statement):
        count += (node.at is not None) + (node.clause is not None)
    for part in parts_of(type(node)):
        value = getattr(node, part.field)
        if value is None:
            count += not part.default
        elif type(value) is tuple and flat:
            count += len(value)
            below += value
        else:
            count += 1
            if type(value) is not int and type(value) is not str:
                below.append(value)
    return count


def replace_slot(form: F, slot: int, value: Expression) -> F:
    """A form with what a slot holds replaced by another value, also in the statements that it tries."""
    wanted = ex.Slot(slot)
    return rewrite(form, lambda part: value if part == wanted else part)


def redirect(form: F, slots: dict[int, int]) -> F:
    """A form in which the writes to some slots go to others."""
    if not slots:
        return form

    def change(part: object) -> object:
        return replace(part, slot=slots[part.slot]) if isinstance(part, st.Let) and part.slot in slots else part

    return rewrite(form, change)


def has_trial(form: Expression | Statement) -> bool:
    """Whether a statement or expression holds a trial."""
    return any(isinstance(part, ex.CanCarryOut) for part in walk(form))


def tidy(stmt: Statement) -> Statement:
    """Take out writes to slots that nothing in the procedure reads, and what is empty then."""
    known = -1
    while True:
        read = _reads(stmt)
        if len(read) == known:
            return stmt
        known = len(read)
        stmt = _without(stmt, read)


def _reads(stmt: Statement) -> set[int]:
    read: set[int] = set()
    for part in walk(stmt):
        if isinstance(part, ex.Slot | st.Choose | st.Poll):
            read.add(part.slot)
        elif isinstance(part, st.Grant):
            read.add(0)  # what is granted belongs to you
    return read


def _without(stmt: Statement, read: set[int]) -> Statement:
    match stmt:
        case st.Let():
            return stmt if stmt.slot in read else EMPTY
        case st.Sequence():
            body = tuple(part for part in (_without(part, read) for part in stmt.body) if not is_empty(part))
            if len(body) == 1 and stmt.clause is None:
                return body[0]
            return replace(stmt, body=body)
        case st.If():
            made = replace(stmt, then=_without(stmt.then, read), else_=_maybe(stmt.else_, read))
            return EMPTY if is_empty(made.then) and is_empty(made.else_) and made.clause is None else made
        case st.Propose():
            ok = stmt.ok if stmt.ok in read else None
            return replace(stmt, ok=ok, result=stmt.result if stmt.result in read else None)
        case st.ForEach() | st.Repeat():
            return replace(stmt, body=_without(stmt.body, read))
        case st.Pay():
            cost, then = _without(stmt.cost, read), _without(stmt.then, read)
            return replace(stmt, cost=cost, then=then, else_=_maybe(stmt.else_, read))
        case st.Menu():
            return _menu(stmt, read)
        case st.Poll():
            return replace(stmt, menu=_menu(stmt.menu, read))
    return stmt


def _menu(menu: st.Menu, read: set[int]) -> st.Menu:
    entries = tuple(replace(entry, body=_maybe(entry.body, read)) for entry in menu.entries)
    return replace(menu, entries=entries, otherwise=_maybe(menu.otherwise, read))


def _maybe(stmt: Statement | None, read: set[int]) -> Statement | None:
    return None if stmt is None else _without(stmt, read)


def is_empty(stmt: Statement | None) -> bool:
    return stmt is None or (isinstance(stmt, st.Sequence) and not stmt.body and stmt.clause is None)

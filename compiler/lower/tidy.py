"""Walks and rewrites over what was lowered: size, slots that nobody reads, a slot for another value."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Selector, Statement, parts_of
from grimoire.runtime.core.walk import children, rewrite, walk

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
            size += _count_parts(node, below)
        if depth > MAX_FORM_DEPTH or size > MAX_FORM_SIZE:
            return True
        level = below
    return False


class _Plan(NamedTuple):
    """How records of a class are written: as a list or as an object, with a name of their own, and their parts."""

    flat: bool  # a list in it is written as parts of its own
    is_statement: bool
    parts: tuple[tuple[str, bool], ...]  # each with whether it is left out when it holds nothing


class _Plans(dict[type[object], _Plan]):
    def __missing__(self, record: type[object]) -> _Plan:
        parts = tuple((part.field, part.default) for part in parts_of(record))
        flat = issubclass(record, (Expression, Selector))
        self[record] = plan = _Plan(flat, issubclass(record, Statement), parts)
        return plan


_PLANS: Final = _Plans()


def _count_parts(node: object, below: list[object]) -> int:
    """How many parts a record or a list is written with; those that are lists or objects themselves go to `below`."""
    if isinstance(node, tuple):
        below += [part for part in node if type(part) is not int]
        return len(node)
    flat, is_statement, parts = _PLANS[type(node)]
    count = 1 if flat or is_statement else 0
    if isinstance(node, Statement):
        count += (node.at is not None) + (node.clause is not None)
    for field, may_miss in parts:
        value = getattr(node, field)
        if value is None:
            count += not may_miss
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
    while True:
        cleaner = _Cleaner(_reads(stmt))
        stmt = cleaner.clean(stmt)
        if not cleaner.dropped:
            return stmt


def _reads(stmt: Statement) -> set[int]:
    read: set[int] = set()
    todo: list[object] = [stmt]
    while todo:
        part = todo.pop()
        if isinstance(part, ex.Slot):
            read.add(part.slot)
            continue
        if isinstance(part, (st.Choose, st.Poll)):
            read.add(part.slot)
        elif isinstance(part, st.Grant):
            read.add(0)  # what is granted belongs to you
        todo += children(part)
    return read


class _Cleaner:
    """One pass over a procedure. `dropped`: something was taken out that read slots itself, or wrote one."""

    def __init__(self, read: set[int]) -> None:
        self.read = read
        self.dropped = False

    def clean(self, stmt: Statement) -> Statement:
        match stmt:
            case st.Let():
                if stmt.slot in self.read:
                    return stmt
                self.dropped = True
                return EMPTY
            case st.Sequence():
                body = tuple([part for part in map(self.clean, stmt.body) if not is_empty(part)])
                if len(body) == 1 and stmt.clause is None:
                    return body[0]
                return stmt if body == stmt.body else replace(stmt, body=body)
            case st.If():
                made = replace(stmt, then=self.clean(stmt.then), else_=self.maybe(stmt.else_))
                if is_empty(made.then) and is_empty(made.else_) and made.clause is None:
                    self.dropped = True
                    return EMPTY
                return made
            case st.Propose():
                ok = stmt.ok if stmt.ok in self.read else None
                result = stmt.result if stmt.result in self.read else None
                return stmt if (ok, result) == (stmt.ok, stmt.result) else replace(stmt, ok=ok, result=result)
            case st.ForEach() | st.Repeat():
                return replace(stmt, body=self.clean(stmt.body))
            case st.Pay():
                cost, then = self.clean(stmt.cost), self.clean(stmt.then)
                return replace(stmt, cost=cost, then=then, else_=self.maybe(stmt.else_))
            case st.Menu():
                return self.menu(stmt)
            case st.Poll():
                return replace(stmt, menu=self.menu(stmt.menu))
        return stmt

    def menu(self, menu: st.Menu) -> st.Menu:
        entries = tuple([replace(entry, body=self.maybe(entry.body)) for entry in menu.entries])
        return replace(menu, entries=entries, otherwise=self.maybe(menu.otherwise))

    def maybe(self, stmt: Statement | None) -> Statement | None:
        return None if stmt is None else self.clean(stmt)


def is_empty(stmt: Statement | None) -> bool:
    return stmt is None or (isinstance(stmt, st.Sequence) and not stmt.body and stmt.clause is None)

"""What can be said of a form by itself: the forms and statements directly in it, the slots that it reads, binds and
writes, its place."""

from __future__ import annotations

from collections.abc import Sequence as Listed
from typing import Final

from grimoire.runtime.core.expressions import CanCarryOut, Number, Placed, Slot, ThisPiece
from grimoire.runtime.core.records import (
    FORMS,
    Expression,
    Many,
    Maybe,
    RecordClass,
    Selector,
    Slots,
    Statement,
    What,
    parts_of,
)
from grimoire.runtime.core.selectors import (
    Best,
    Concatenation,
    Except,
    Filter,
    FixturesOfKind,
    Members,
    PiecesOfKind,
    PiecesOfZone,
    Related,
    SeatsFrom,
    Take,
    TopPieces,
)
from grimoire.runtime.core.statements import Menu, Poll, Sequence
from grimoire.runtime.core.tables import ProcedureOf
from grimoire.runtime.core.walk import Inner, children, fields_with_records, rewrite

Form = Expression | Selector
NOTHING: Final = Number(-1)

# --- what stands directly in a form -----------------------------------------------------------------------------------


def forms_in(form: Form) -> list[Form]:
    """The expressions and selectors directly in an expression or selector."""
    return [] if type(form) is CanCarryOut else children(form)


def is_leaf(record: type[Expression]) -> bool:
    """Whether expressions of a class have no expressions, selectors or statements in them."""
    return not fields_with_records(record)


def forms_of(statement: Statement) -> list[Form]:
    """The expressions and selectors directly in a statement (not those of statements inside it)."""
    if type(statement) is Poll:
        return [statement.seats, *forms_of(statement.menu)]
    if type(statement) is Menu:
        found: list[Form] = [statement.seat]
        for entry in statement.entries:
            if entry.guard is not None:
                found.append(entry.guard)
            found.extend(domain.in_ for domain in entry.domains)
        if statement.might is not None:
            found.append(statement.might)
        return found
    return _list_held(statement, _FORM_FIELDS[type(statement)])


def statements_in(statement: Statement) -> list[Statement]:
    """The statements directly inside a statement; those of the menu inside a poll are its own."""
    fields = _STATEMENT_FIELDS[type(statement)]
    if not fields:
        return []
    menu = statement.menu if type(statement) is Poll else statement
    if type(menu) is not Menu:
        return _list_held(menu, fields)
    found: list[Statement] = [entry.body for entry in menu.entries if entry.body is not None]
    if menu.otherwise is not None:
        found.append(menu.otherwise)
    return found


def body_of(statement: Statement | None) -> tuple[Statement, ...]:
    """A statement as a list: nothing, one, or the parts of a sequence."""
    if statement is None:
        return ()
    if type(statement) is Sequence:
        return statement.body
    return (statement,)


def _list_held(record: object, fields: tuple[str, ...]) -> list[Inner]:
    found: list[Inner] = []
    for field in fields:
        value = getattr(record, field)
        if type(value) is tuple:
            found.extend(value)
        elif value is not None:
            found.append(value)
    return found


def _fields_with(bases: tuple[RecordClass, ...]) -> dict[RecordClass, tuple[str, ...]]:
    def inner(what: What) -> What:
        return inner(what.of) if isinstance(what, Many | Maybe) else what

    def holds(what: What) -> bool:
        return isinstance(what, type) and issubclass(what, bases)

    return {
        form.record: tuple(part.field for part in parts_of(form.record) if holds(inner(part.what)))
        for form in FORMS[Statement].values()
    }


_FORM_FIELDS: Final = _fields_with((Expression, Selector))
_STATEMENT_FIELDS: Final = _fields_with((Statement,))

# --- slots ------------------------------------------------------------------------------------------------------------


def _slot_fields(base: RecordClass, which: Slots) -> dict[RecordClass, tuple[str, ...]]:
    return {
        form.record: tuple(part.field for part in parts_of(form.record) if part.what in (which, Maybe(which)))
        for form in FORMS[base].values()
    }


_BOUND_FIELDS: Final = {
    record: fields[0]
    for base in (Expression, Selector)
    for record, fields in _slot_fields(base, Slots.BOUND).items()
    if fields
}
_WRITTEN_FIELDS: Final = _slot_fields(Statement, Slots.WRITTEN)


def find_bound_slot(form: Form) -> int:
    """The slot that a form binds for its last part, or -1."""
    field = _BOUND_FIELDS.get(type(form))
    return -1 if field is None else int(getattr(form, field))


def free_slots(form: Form) -> set[int]:
    """The slots that an expression or selector reads from outside itself."""
    found: set[int] = set()
    _add_free_slots(form, found)
    return found


def _add_free_slots(form: Form, found: set[int]) -> None:
    if type(form) is Slot:
        found.add(form.slot)
    elif type(form) is ThisPiece:
        found.add(1)
    elif type(form) is CanCarryOut:
        found |= statement_slots(form.statement)
    elif type(form) in _BOUND_FIELDS:
        *before, last = children(form)
        for part in before:
            _add_free_slots(part, found)
        inside = free_slots(last)
        inside.discard(find_bound_slot(form))
        found |= inside
    else:
        for part in children(form):
            _add_free_slots(part, found)


def statement_slots(statement: Statement) -> set[int]:
    """Every slot that a statement reads anywhere (an over-estimate of what it needs from outside)."""
    found: set[int] = set()
    for form in forms_of(statement):
        _add_free_slots(form, found)
    for child in statements_in(statement):
        found |= statement_slots(child)
    return found


def max_slot(form: Form) -> int:
    """The highest slot that an expression or selector mentions, or -1."""
    if isinstance(form, CanCarryOut):
        return _statement_max_slot(form.statement)
    highest = form.slot if isinstance(form, Slot) else 1 if isinstance(form, ThisPiece) else find_bound_slot(form)
    return max([highest, *[max_slot(part) for part in children(form)]])


def _statement_max_slot(statement: Statement) -> int:
    inside = [_statement_max_slot(child) for child in statements_in(statement)]
    return max([-1, *list_written_slots(statement), *map(max_slot, forms_of(statement)), *inside])


def list_written_slots(statement: Statement) -> list[int]:
    """The slots that a statement itself writes (not the statements inside it)."""
    found = _list_held(statement, _WRITTEN_FIELDS[type(statement)])
    menu = statement.menu if type(statement) is Poll else statement
    if type(menu) is Menu:
        found.extend(domain.slot for entry in menu.entries for domain in entry.domains)
    return found


# --- shapes -----------------------------------------------------------------------------------------------------------


def strip(expression: Expression) -> Expression:
    """An expression without the places around it."""
    while type(expression) is Placed:
        expression = expression.value
    return expression


def without_places(expression: Expression) -> Expression:
    """An expression without any places in it."""
    return rewrite(expression, lambda record: record.value if type(record) is Placed else record)


_OBJECTS: Final = (PiecesOfZone, TopPieces, PiecesOfKind, FixturesOfKind, SeatsFrom, Related, Members)


def never_negative(selector: Selector) -> bool:
    """Whether a selector gives objects only, never nothing or a number."""
    if isinstance(selector, Filter | Except | Take | Best):
        return never_negative(selector.selector)
    if isinstance(selector, Concatenation):
        return all(never_negative(part) for part in selector.lists)
    return isinstance(selector, _OBJECTS)


def has_statement(form: Form) -> bool:
    """Whether a form tries a statement: such are not moved or built twice."""
    return isinstance(form, CanCarryOut) or any(has_statement(part) for part in children(form))


# --- places, and what is told -----------------------------------------------------------------------------------------


def first_place(form: Form | None) -> int:
    """The first place that an expression, or one inside it, names, or -1."""
    if form is None:
        return -1
    if type(form) is Placed:
        return form.place
    if type(form) is CanCarryOut:
        return first_place_of(form.statement)
    for part in children(form):
        place = first_place(part)
        if place >= 0:
            return place
    return -1


def first_place_of(statement: Statement | None) -> int:
    """The first place that a statement, or anything inside it, names, or -1."""
    if statement is None:
        return -1
    if statement.at is not None:
        return statement.at
    for form in forms_of(statement):
        place = first_place(form)
        if place >= 0:
            return place
    for child in statements_in(statement):
        place = first_place_of(child)
        if place >= 0:
            return place
    return -1


def secretless(sorts: Listed[str]) -> bool:
    """Whether values of these sorts are told to everybody alike."""
    return not any(sort in ("", "piece", "set:piece") for sort in sorts)


def is_told_alike(procedure: ProcedureOf) -> bool:
    """Whether everybody may read the same of an event of this procedure: it names no piece."""
    arguments = not procedure.params or secretless(procedure.sorts or ("",))
    return arguments and secretless((procedure.tells if procedure.tells is not None else "number",))

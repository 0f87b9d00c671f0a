"""Move forms to other slots of a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Final, NamedTuple, TypeVar

from grimoire.runtime.core.expressions import Slot
from grimoire.runtime.core.records import Expression, Many, Maybe, RecordClass, Slots, Statement, What, parts_of
from grimoire.runtime.core.statements import Entry

R = TypeVar("R")


class Shift:
    """Where slots go: so many on, except those that stand for a simple argument of a call."""

    def __init__(self, by: int, instead: dict[int, Expression]) -> None:
        self.by = by
        self.instead = instead
        self.copies: list[tuple[Statement | Entry, Statement | Entry]] = []  # each that was copied, and its copy

    def move(self, record: R) -> R:
        """A form or menu entry with all its own slots moved; the same one if it has none."""
        if isinstance(record, Slot):
            return self._slot(record)  # type: ignore[return-value]
        plan = _PLANS[type(record)]
        if plan is None:
            return record
        made = self._copy(record, plan)
        if plan.numbered:
            self.copies.append((record, made))  # type: ignore[arg-type]
        return made

    def _slot(self, record: Slot) -> Expression:
        found = self.instead.get(record.slot)
        return Slot(record.slot + self.by) if found is None else found

    def _copy(self, record: R, plan: _Plan) -> R:
        made = _new(type(record))
        for field, write, moves in plan.fields:
            value = getattr(record, field)
            if moves == _RECORD:
                write(made, value if value is None else self.move(value))
            elif moves == _KEEP or value is None:
                write(made, value)
            elif moves == _SLOT:
                write(made, value + self.by)
            else:
                write(made, tuple([self.move(one) for one in value]))
        return made


def _new(record: type[R]) -> R:
    return object.__new__(record)


_KEEP, _SLOT, _RECORD, _RECORDS = range(4)


class _Plan(NamedTuple):
    """How a record is copied: each field, what writes it (the class itself refuses, once it is made), and what is
    done with it."""

    fields: tuple[tuple[str, Callable[[object, object], None], int], ...]
    numbered: bool  # statements and entries are counted by those who track them


class _Plans(dict[RecordClass, "_Plan | None"]):
    def __missing__(self, record: RecordClass) -> _Plan | None:
        moves = {part.field: _moves(part.what) for part in parts_of(record)}
        names = [field.name for field in fields(record)]
        plan = tuple([(name, getattr(record, name).__set__, moves.get(name, _KEEP)) for name in names])
        moved = any(what != _KEEP for what in moves.values())
        self[record] = _Plan(plan, issubclass(record, Statement | Entry)) if moved else None
        return self[record]


def _moves(what: What) -> int:
    if isinstance(what, Maybe):
        return _moves(what.of)
    if isinstance(what, Many):
        return _RECORDS if isinstance(what.of, type) else _KEEP
    if what in (Slots.READ, Slots.WRITTEN, Slots.BOUND):
        return _SLOT
    return _RECORD if isinstance(what, type) else _KEEP


_PLANS: Final = _Plans()

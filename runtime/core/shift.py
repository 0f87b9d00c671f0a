"""Move forms to other slots of a window."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeVar

from grimoire.runtime.core.expressions import Slot
from grimoire.runtime.core.records import Expression, Many, Maybe, Slots, Statement, What, parts_of
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
        if type(record) is Slot:
            moved: R = self._slot(record)
            return moved
        plan = _PLANS[type(record)]
        if plan is None:
            return record
        made = self._copy(record, plan)
        if plan.numbered:
            self.copies.append((record, made))  # type: ignore[arg-type]
        return made

    def _slot(self, record: Any) -> Any:
        found = self.instead.get(record.slot)
        return Slot(record.slot + self.by) if found is None else found

    def _copy(self, record: R, plan: _Plan) -> R:
        values: list[Any] = []
        for field, moves in plan.fields:
            value = getattr(record, field)
            if moves == _KEEP or value is None:
                values.append(value)
            elif moves == _SLOT:
                values.append(value + self.by)
            elif moves == _RECORD:
                values.append(self.move(value))
            else:
                values.append(tuple([self.move(one) for one in value]))
        if isinstance(record, Statement):
            return type(record)(*values, at=record.at, clause=record.clause)
        return type(record)(*values)


_KEEP, _SLOT, _RECORD, _RECORDS = range(4)


class _Plan(NamedTuple):
    """How a record is copied: its fields in the order of its arguments, and what is done with each."""

    fields: tuple[tuple[str, int], ...]
    numbered: bool  # statements and entries are counted by those who track them


class _Plans(dict[type[Any], "_Plan | None"]):
    def __missing__(self, record: type[Any]) -> _Plan | None:
        fields = [("op", _KEEP)] if "op" in record.__match_args__ else []
        fields += [(part.field, _moves(part.what)) for part in parts_of(record)]
        plan = _Plan(tuple(fields), issubclass(record, Statement | Entry))
        self[record] = plan if any(moves != _KEEP for _, moves in fields) else None
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

"""The rows of a unit with the numbers of the tables in place of its own.

Which parts of a record are numbers of which table follows from how the core declares it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from grimoire.runtime.core.records import Many, Maybe, Named, Row, Statement, What, parts_of

R = TypeVar("R")
_OWN: Final = ("places", "functions", "columns", "vars", "procs", "abilities", "modifiers")  # tables that units add to


class Numbers:
    """What the numbers of one unit stand for in the tables."""

    def __init__(self, verbs: int, columns: int, variables: int) -> None:
        self.first_proc = verbs
        self.first_column = columns
        self.first_variable = variables
        self.places: list[int] = []
        self.functions: list[int] = []
        self.columns: list[int] = []
        self.variables: list[int] = []
        self.procs: list[int] = []
        self.abilities: list[int] = []
        self.modifiers: list[int] = []
        self.floating: list[int] = []
        self.names: list[str] = []
        self.of_table: dict[str, Callable[[int], int]] = {
            "places": self.places.__getitem__,
            "functions": self.functions.__getitem__,
            "modifiers": self.modifiers.__getitem__,
            "columns": self.column,
            "vars": self.variable,
            "procs": self.proc,
            "abilities": self.ability,
        }

    def proc(self, number: int) -> int:
        return number if number < self.first_proc else self.procs[number - self.first_proc]

    def column(self, number: int) -> int:
        return number if number < self.first_column else self.columns[number - self.first_column]

    def variable(self, number: int) -> int:
        return number if number < self.first_variable else self.variables[number - self.first_variable]

    def ability(self, number: int) -> int:
        return self.abilities[number] if number >= 0 else -self.floating[-number - 1] - 1

    def place_in(self, record: R) -> R:
        """A record with the numbers of the tables; the same one if it holds none of the unit's own."""
        plan = _PLANS[type(record)]
        if plan is None:
            return record
        values: list[object] = []
        changed = False
        make: Callable[..., R] = type(record)
        for field, table, inner in plan:
            value = getattr(record, field)
            if value is None or (table is None and not inner):
                values.append(value)
                continue
            if table is not None:
                number = self.of_table[table]
                made: object = tuple([number(one) for one in value]) if type(value) is tuple else number(value)
                changed = changed or made != value
            elif type(value) is tuple:
                made = tuple([self.place_in(one) for one in value])
                changed = changed or any(new is not old for new, old in zip(made, value, strict=True))
            else:
                made = self.place_in(value)
                changed = changed or made is not value
            values.append(made)
        if isinstance(record, Statement):
            at = None if record.at is None else self.places[record.at]
            if not changed and at == record.at:
                return record
            return make(*values, at=at, clause=record.clause)
        return make(*values) if changed else record


Plan = tuple[tuple[str, str | None, bool], ...]  # field, the table that it is a number of, whether records stand there


class _Plans(dict[type[object], "Plan | None"]):
    def __missing__(self, record: type[object]) -> Plan | None:
        fields: list[tuple[str, str | None, bool]] = (
            [("op", None, False)] if "op" in getattr(record, "__match_args__", ()) else []
        )
        fields += [(part.field, *_holds(part.what)) for part in parts_of(record)]
        some = issubclass(record, Statement) or any(table is not None or inner for _, table, inner in fields)
        self[record] = tuple(fields) if some else None
        return self[record]


def _holds(what: What) -> tuple[str | None, bool]:
    """The table that the numbers in a part are of, if units add to it; and whether records stand there."""
    while isinstance(what, Many | Maybe | Named):
        what = what.of
    table = what.table if isinstance(what, Row) and what.table in _OWN else None
    return table, isinstance(what, type)


_PLANS: Final = _Plans()

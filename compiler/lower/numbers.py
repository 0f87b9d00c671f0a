"""Write the rows of a unit with the numbers of the tables in place of its own.

Which parts of a record are numbers of which table follows from how the core declares it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from grimoire.runtime.core.records import FORMS, Expression, Many, Maybe, Row, Selector, Statement, parts_of

Field = tuple[
    str, str, str | None, bool
]  # name in JSON, in Python, the table that it is a number of, whether it is left out
_OWN = ("places", "functions", "columns", "vars", "procs", "abilities", "modifiers")  # tables that units add to


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

    def write(self, value: Any) -> Any:
        """A record, or what stands in a part of one, as the artefact has it."""
        kind = type(value)
        if value is None or kind is int or kind is str or kind is bool:
            return value
        if kind is tuple:
            return [self.write(one) for one in value]
        flat, name, fields = _PLANS.get(kind) or _plan(kind)
        if flat:
            listed: list[Any] = [name or value.op]
            for _, field, table, many in fields:
                part = getattr(value, field)
                if many:
                    listed.extend([self.write(one) for one in part])
                else:
                    listed.append(self.of_table[table](part) if table is not None else self.write(part))
            return listed
        made: dict[str, Any] = {} if name is None else {"op": name}
        for key, field, table, left_out in fields:
            part = getattr(value, field)
            if part is None:
                if not left_out:
                    made[key] = None
            elif table is None:
                made[key] = self.write(part)
            else:
                number = self.of_table[table]
                made[key] = [number(one) for one in part] if type(part) is tuple else number(part)
        return made


_NAMES: Final = {form.record: form.name for table in FORMS.values() for form in table.values()}
_PLANS: dict[type[Any], tuple[bool, str | None, list[Field]]] = {}


def _plan(record: type[Any]) -> tuple[bool, str | None, list[Field]]:
    """How records of a class are written: as a list or an object, their name, their parts."""
    flat = issubclass(record, Expression | Selector)
    named = issubclass(record, Expression | Selector | Statement)
    name = None if not named or "op" in record.__dataclass_fields__ else _NAMES[record]
    fields: list[Field] = []
    for part in parts_of(record):
        what = part.what
        many = isinstance(what, Many)
        while isinstance(what, Many | Maybe):
            what = what.of
        table = what.table if isinstance(what, Row) and what.table in _OWN else None
        fields.append((part.name, part.field, table, many if flat else part.default))
    if issubclass(record, Statement):
        fields += [("at", "at", "places", True), ("clause", "clause", None, True)]
    _PLANS[record] = (flat, name, fields)
    return _PLANS[record]

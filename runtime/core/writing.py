"""Write records of the core as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from grimoire.runtime.core.records import FORMS, Expression, Many, RecordClass, Selector, Statement, parts_of
from grimoire.runtime.plain_data import Json

_NAMES: Final = {form.record: form.name for table in FORMS.values() for form in table.values()}


def write(value: object) -> Json:
    """A record, or what stands in a part of one, as the artefact has it."""
    kind = type(value)
    if value is None or type(value) is int or type(value) is str or type(value) is bool:
        return value
    if isinstance(value, tuple | list):
        return [write(one) for one in value]
    if isinstance(value, Mapping):
        return {name: write(one) for name, one in value.items()}
    layout = _LAYOUTS[kind]
    if isinstance(value, (Expression, Selector)):
        return _write_list(value, layout)
    return _write_object(value, layout)


def write_row(record: object) -> dict[str, Json]:
    """A record that is written as an object: a row of a table, or a whole artefact."""
    return _write_object(record, _LAYOUTS[type(record)])


def _write_object(value: object, layout: _Layout) -> dict[str, Json]:
    written: dict[str, Json] = {} if layout.name is None else {"op": layout.name}
    for field, name, left_out in layout.parts:
        part = getattr(value, field)
        if part is not None:
            written[name] = write(part)
        elif not left_out:
            written[name] = None
    return written


def name_of(record: Expression | Selector | Statement) -> str:
    """The name of a form."""
    name: str = getattr(record, "op", None) or _NAMES[type(record)]
    return name


def _write_list(record: Expression | Selector, layout: _Layout) -> list[Json]:
    listed: list[Json] = [layout.name or name_of(record)]
    for field, _, many in layout.parts:
        if many:
            listed += [write(one) for one in getattr(record, field)]
        else:
            listed.append(write(getattr(record, field)))
    return listed


class _Layout(NamedTuple):
    """How records of a class are written: as a list or an object, their name (none: the record knows it, or has none),
    their parts.

    Of a part: its field, its name, and in a list whether it is several parts, in an object whether it is left out when
    it holds nothing.
    """

    flat: bool
    name: str | None
    parts: tuple[tuple[str, str, bool], ...]


class _Layouts(dict[RecordClass, _Layout]):
    def __missing__(self, record: RecordClass) -> _Layout:
        flat = issubclass(record, Expression | Selector)
        parts = [(p.field, p.name, isinstance(p.what, Many) if flat else p.default) for p in parts_of(record)]
        if issubclass(record, Statement):
            parts += [("at", "at", True), ("clause", "clause", True)]
        name = None if "op" in record.__match_args__ else _NAMES.get(record)
        self[record] = _Layout(flat, name, tuple(parts))
        return self[record]


_LAYOUTS: Final = _Layouts()

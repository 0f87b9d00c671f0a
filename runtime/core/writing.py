"""Write records of the core as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from grimoire.runtime.core.records import FORMS, Expression, Many, Selector, Statement, parts_of

_NAMES: Final = {form.record: form.name for table in FORMS.values() for form in table.values()}


def write(value: Any) -> Any:
    """A record, or what stands in a part of one, as the artefact has it."""
    kind = type(value)
    if value is None or kind is int or kind is str or kind is bool:
        return value
    if kind is tuple or kind is list:
        return [write(one) for one in value]
    if isinstance(value, Mapping):
        return {name: write(one) for name, one in value.items()}
    layout = _LAYOUTS[kind]
    if layout.flat:
        return _write_list(value, layout)
    written: dict[str, Any] = {} if layout.name is None else {"op": layout.name}
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


def _write_list(record: Any, layout: _Layout) -> list[Any]:
    listed: list[Any] = [layout.name or record.op]
    for field, _, many in layout.parts:
        if many:
            listed += [write(one) for one in getattr(record, field)]
        else:
            listed.append(write(getattr(record, field)))
    return listed


class _Layout(NamedTuple):
    """How records of a class are written: as a list or an object, their name (none: the record knows it, or has none), their parts.

    Of a part: its field, its name, and in a list whether it is several parts, in an object whether it is left out when it
    holds nothing.
    """

    flat: bool
    name: str | None
    parts: tuple[tuple[str, str, bool], ...]


class _Layouts(dict[type[Any], _Layout]):
    def __missing__(self, record: type[Any]) -> _Layout:
        flat = issubclass(record, Expression | Selector)
        parts = [(p.field, p.name, isinstance(p.what, Many) if flat else p.default) for p in parts_of(record)]
        if issubclass(record, Statement):
            parts += [("at", "at", True), ("clause", "clause", True)]
        name = None if "op" in record.__match_args__ else _NAMES.get(record)
        self[record] = _Layout(flat, name, tuple(parts))
        return self[record]


_LAYOUTS: Final = _Layouts()

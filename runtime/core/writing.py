"""Write records of the core as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from grimoire.runtime.core.records import FORMS, Expression, Many, Selector, Statement, parts_of

_NAMES: Final = {form.record: form.name for table in FORMS.values() for form in table.values()}


def write(value: Any) -> Any:
    """A record, or what stands in a part of one, as the artefact has it."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Expression | Selector):
        return _write_list(value)
    if isinstance(value, tuple | list):
        return [write(one) for one in value]
    if isinstance(value, Mapping):
        return {name: write(one) for name, one in value.items()}
    if isinstance(value, Statement):
        common = {"at": value.at, "clause": value.clause}
        return {"op": name_of(value), **_write_fields(value)} | {k: v for k, v in common.items() if v is not None}
    return _write_fields(value)


def name_of(record: Expression | Selector | Statement) -> str:
    """The name of a form."""
    name: str = getattr(record, "op", None) or _NAMES[type(record)]
    return name


def _write_list(record: Expression | Selector) -> list[Any]:
    listed: list[Any] = [name_of(record)]
    for part in parts_of(type(record)):
        value = write(getattr(record, part.field))
        if isinstance(part.what, Many):
            listed.extend(value)
        else:
            listed.append(value)
    return listed


def _write_fields(record: object) -> dict[str, Any]:
    written = {}
    for part in parts_of(type(record)):
        value = getattr(record, part.field)
        if value is not None or not part.default:
            written[part.name] = write(value)
    return written

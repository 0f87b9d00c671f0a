"""Walks over records of the core: what stands directly in one, everything in it, and a copy with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeVar

from grimoire.runtime.core.records import Many, Maybe, Named, What, parts_of

R = TypeVar("R")


def children(record: object) -> list[Any]:
    """The records directly in a record, in the order in which they are written; entries and domains are records too."""
    found: list[Any] = []
    for field in _INNER_FIELDS[type(record)]:
        value = getattr(record, field)
        if type(value) is tuple:
            found.extend(value)
        elif value is not None:
            found.append(value)
    return found


def walk(record: object) -> Iterator[Any]:
    """A record and all that stands in it, outermost first."""
    todo = [record]
    while todo:
        one = todo.pop()
        yield one
        inside = children(one)
        inside.reverse()
        todo += inside


def rewrite(record: R, change: Callable[[Any], Any]) -> R:
    """A copy in which every record is what `change` makes of it, innermost first; what stays as it is is not copied."""
    result: R = change(rewrite_inside(record, lambda inner: rewrite(inner, change)))
    return result


def rewrite_inside(record: R, change: Callable[[Any], Any]) -> R:
    """A copy in which the records directly in a record are what `change` makes of them; the same one if it leaves them alone."""
    changed: dict[str, Any] = {}
    for field in _INNER_FIELDS[type(record)]:
        value = getattr(record, field)
        if value is None:
            continue
        if type(value) is tuple:
            made: Any = tuple([change(one) for one in value])
            if any(new is not old for new, old in zip(made, value, strict=True)):
                changed[field] = made
        else:
            made = change(value)
            if made is not value:
                changed[field] = made
    return replace(record, **changed) if changed else record  # type: ignore[type-var]


class _InnerFields(dict[type[Any], tuple[str, ...]]):
    """For each class of record the fields that hold records: one, none, or several in a tuple."""

    def __missing__(self, record: type[Any]) -> tuple[str, ...]:
        self[record] = found = tuple(part.field for part in parts_of(record) if _holds_records(part.what))
        return found


def _holds_records(what: What) -> bool:
    if isinstance(what, Many | Maybe | Named):
        return _holds_records(what.of)
    return isinstance(what, type)


_INNER_FIELDS: Final = _InnerFields()

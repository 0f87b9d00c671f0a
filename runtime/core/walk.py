"""Walks over records of the core: what stands directly in one, everything in it, and a copy with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from grimoire.runtime.core.records import Many, Maybe, Named, What, parts_of, remember

R = TypeVar("R")


def children(record: object) -> Iterator[Any]:
    """The records directly in a record, in the order in which they are written; entries and domains are records too."""
    for field, _ in _inner_fields(type(record)):
        yield from _records_in(getattr(record, field))


def walk(record: object) -> Iterator[Any]:
    """A record and all that stands in it, outermost first."""
    todo = [record]
    while todo:
        one = todo.pop()
        yield one
        todo.extend(reversed(list(children(one))))


def rewrite(record: R, change: Callable[[Any], Any]) -> R:
    """A copy in which every record is what `change` makes of it, innermost first; what stays as it is is not copied."""
    changed: dict[str, Any] = {}
    for field, _ in _inner_fields(type(record)):
        value = getattr(record, field)
        made = _rewrite_value(value, change)
        if made is not value:
            changed[field] = made
    rewritten = replace(record, **changed) if changed else record  # type: ignore[type-var]
    result: R = change(rewritten)
    return result


def _records_in(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for one in value:
            yield from _records_in(one)
    elif value is not None:
        yield value


def _rewrite_value(value: Any, change: Callable[[Any], Any]) -> Any:
    if value is None:
        return None
    if isinstance(value, tuple):
        made = tuple(_rewrite_value(one, change) for one in value)
        return value if all(new is old for new, old in zip(made, value, strict=True)) else made
    return rewrite(value, change)


@remember
def _inner_fields(record: type[Any]) -> tuple[tuple[str, What], ...]:
    """The fields of a record that hold records."""
    return tuple((part.field, part.what) for part in parts_of(record) if _holds_records(part.what))


def _holds_records(what: What) -> bool:
    if isinstance(what, Many | Maybe | Named):
        return _holds_records(what.of)
    return isinstance(what, type)

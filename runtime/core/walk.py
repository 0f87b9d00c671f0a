"""Walks over records of the core: what stands directly in one, everything in it, and a copy with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

from grimoire.runtime.core.records import Many, Maybe, RecordClass, What, parts_of

R = TypeVar("R")
Inner: TypeAlias = Any  # a record inside another: whoever looks at it asks for its class
# The way to something in a record: fields, and numbers in those that hold several.
Path: TypeAlias = tuple[str | int, ...]


def children(record: object) -> list[Inner]:
    """The records directly in a record, in the order in which they are written; entries and domains are records too."""
    found: list[Inner] = []
    for field in _INNER_FIELDS[type(record)]:
        value = getattr(record, field)
        if type(value) is tuple:
            found.extend(value)
        elif value is not None:
            found.append(value)
    return found


def walk(record: object) -> Iterator[object]:
    """A record and all that stands in it, outermost first."""
    todo = [record]
    while todo:
        one = todo.pop()
        yield one
        inside = children(one)
        inside.reverse()
        todo += inside


def walk_paths(record: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """A record and all that stands in it, outermost first, each with its path; `path` is that of the record itself."""
    yield path, record
    for field in _INNER_FIELDS[type(record)]:
        value = getattr(record, field)
        if type(value) is tuple:
            for at, one in enumerate(value):
                yield from walk_paths(one, (*path, field, at))
        elif value is not None:
            yield from walk_paths(value, (*path, field))


def find_at(record: object, path: Path) -> object:
    """What stands at a path. Raises LookupError where there is no such thing."""
    found = record
    for step in path:
        if isinstance(step, int):
            if type(found) is not tuple:
                raise LookupError(step)
            found = found[step]
        else:
            if not hasattr(found, step):
                raise LookupError(step)
            found = getattr(found, step)
    return found


def rewrite_at(record: R, path: Path, change: Callable[[Inner], Inner]) -> R:
    """A copy in which what stands at a path is what `change` makes of it; all else is shared."""
    if not path:
        result: R = change(record)
        return result
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        assert isinstance(record, tuple)
        listed: Inner = (*record[:step], rewrite_at(record[step], rest, change), *record[step + 1 :])
        return listed  # type: ignore[no-any-return]
    made: R = replace(record, **{step: rewrite_at(getattr(record, step), rest, change)})  # type: ignore[type-var]
    return made


class Finder(Generic[R]):
    """Finds all records of some classes; what can hold none of them is not looked into."""

    def __init__(self, *classes: type[R]) -> None:
        self.classes = frozenset(classes)
        self.fields: dict[RecordClass, tuple[str, ...]] = {}  # of each class, the last first
        self.idle: set[RecordClass] = set()  # classes that are not looked for and hold nothing

    def find(self, record: object) -> list[R]:
        """All in a record, in the order of the walk."""
        found: list[R] = []
        todo: list[Inner] = [record]
        classes, fields_of, idle = self.classes, self.fields, self.idle
        while todo:
            one = todo.pop()
            kind = type(one)
            if kind in classes:
                found.append(one)
            for field in fields_of[kind] if kind in fields_of else self._enter(kind):
                value = getattr(one, field)
                if type(value) is tuple:
                    todo.extend(value[::-1])
                elif value is not None and type(value) not in idle:
                    todo.append(value)
        return found

    def _enter(self, kind: RecordClass) -> tuple[str, ...]:
        fields = self.fields[kind] = _INNER_FIELDS[kind][::-1]
        if not fields and kind not in self.classes:
            self.idle.add(kind)
        return fields


def rewrite(record: R, change: Callable[[Inner], Inner]) -> R:
    """A copy in which every record is what `change` makes of it, innermost first; what stays as it is is not copied."""
    result: R = change(rewrite_inside(record, lambda inner: rewrite(inner, change)))
    return result


def rewrite_inside(record: R, change: Callable[[Inner], Inner]) -> R:
    """A copy in which the records directly in a record are what `change` makes of them; the same one if it leaves
    them alone."""
    changed: dict[str, object] = {}
    for field in _INNER_FIELDS[type(record)]:
        value = getattr(record, field)
        if value is None:
            continue
        if type(value) is tuple:
            made: Inner = tuple([change(one) for one in value])
            if any(new is not old for new, old in zip(made, value, strict=True)):
                changed[field] = made
        else:
            made = change(value)
            if made is not value:
                changed[field] = made
    return replace(record, **changed) if changed else record  # type: ignore[type-var]


def fields_with_records(record: RecordClass) -> tuple[str, ...]:
    """The fields of a class of records that hold records."""
    return _INNER_FIELDS[record]


class _InnerFields(dict[RecordClass, tuple[str, ...]]):
    """For each class of record the fields that hold records: one, none, or several in a tuple."""

    def __missing__(self, record: RecordClass) -> tuple[str, ...]:
        self[record] = found = tuple(part.field for part in parts_of(record) if _holds_records(part.what))
        return found


def _holds_records(what: What) -> bool:
    if isinstance(what, Many | Maybe):  # what a package names by itself holds no forms
        return _holds_records(what.of)
    return isinstance(what, type)


_INNER_FIELDS: Final = _InnerFields()

"""Plain classes of data: what `dataclasses` gives, for the modules that every command loads.

`dataclasses` takes longer to load than a package that is known takes to check, and half a millisecond more for every
class. Records have slots, and compare, hash and print as data classes do; they are not inherited from.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, dataclass_transform

__all__ = ["field", "record", "replace"]

T = TypeVar("T")
C = TypeVar("C", bound=type)
_Made: TypeAlias = Any  # a class while it is made, its records, and the defaults of their parts


class _Field:
    """A default that is made for each record, or a value that is not printed."""

    __slots__ = ("make", "shown")

    def __init__(self, make: Callable[[], object] | None, shown: bool) -> None:
        self.make = make
        self.shown = shown


def field(*, default_factory: Callable[[], object] | None = None, repr: bool = True) -> _Made:
    """In the place of a default: `default_factory` makes it, `repr` says whether it is printed."""
    return _Field(default_factory, repr)


@dataclass_transform(field_specifiers=(field,))
def record(*, frozen: bool = False, order: bool = False, eq: bool = True) -> Callable[[C], C]:
    """Make a record of a class with annotated names."""
    return lambda cls: _make_record(cls, frozen, order, eq)


def replace(item: T, **changes: object) -> T:
    """The same record with some values changed."""
    made: _Made = type(item)
    return made(**{name: getattr(item, name) for name in made.__slots__} | changes)  # type: ignore[no-any-return]


def copy_record(item: T) -> T:
    """The same record once more, for somebody who changes it."""
    made: _Made = type(item)
    return made(**{name: getattr(item, name) for name in made.__slots__})  # type: ignore[no-any-return]


def _make_record(cls: _Made, frozen: bool, order: bool, eq: bool) -> _Made:
    space = dict(cls.__dict__)
    names = tuple(name for name in space.get("__annotations__", ()))
    scope: dict[str, _Made] = {"_MISSING": _MISSING}
    params, lines, shown = list[str](), list[str](), list[str]()
    for name in names:
        given = space.pop(name, _MISSING)
        value = name
        if isinstance(given, _Field):
            if given.shown:
                shown.append(name)
            if given.make is not None:
                scope[f"_make_{name}"] = given.make
                value = f"_make_{name}() if {name} is _MISSING else {name}"
                params.append(f"{name}=_MISSING")
            else:
                params.append(name)
        else:
            shown.append(name)
            if given is not _MISSING:
                scope[f"_default_{name}"] = given
            params.append(name if given is _MISSING else f"{name}=_default_{name}")
        lines.append(f"  self.{name} = {value}\n")
    for key in ("__dict__", "__weakref__"):
        space.pop(key, None)
    space |= {"__slots__": names, "__match_args__": names}
    if frozen:
        # It is filled while it is of a class that can be: to go round the refusal value by value takes twice the time.
        scope |= {"_new": object.__new__, "_Open": type(cls)(cls.__name__, cls.__bases__, {"__slots__": names})}
        lines = ["  self = _new(_Open)\n", *lines, "  self.__class__ = cls\n", "  return self\n"]
    maker, first = ("__new__", "cls") if frozen else ("__init__", "self")
    exec(f"def {maker}({', '.join([first, *params])}):\n{''.join(lines)}", scope)
    space[maker] = scope[maker]
    several = attrgetter(*names)
    values: Callable[[_Made], tuple[_Made, ...]] = several if len(names) > 1 else lambda item: (several(item),)

    def __repr__(self: _Made) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    def __reduce__(self: _Made) -> _Made:
        return type(self), values(self)

    def __eq__(self: _Made, other: object) -> _Made:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def __hash__(self: _Made) -> int:
        return hash(values(self))

    def __lt__(self: _Made, other: object) -> _Made:
        return values(self) < values(other) if type(other) is type(self) else NotImplemented

    def __le__(self: _Made, other: object) -> _Made:
        return values(self) <= values(other) if type(other) is type(self) else NotImplemented

    def refuse(self: _Made, name: str, *_: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    space["__reduce__"] = __reduce__
    space.setdefault("__repr__", __repr__)
    if eq:
        space["__eq__"] = __eq__
        space["__hash__"] = __hash__ if frozen else None
    if order:
        space |= {"__lt__": __lt__, "__le__": __le__}  # the other two follow by turning round
    if frozen:
        space |= {"__setattr__": refuse, "__delattr__": refuse}
    return type(cls)(cls.__name__, cls.__bases__, space)


_MISSING: _Made = object()

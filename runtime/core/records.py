"""What a record of the core is: a frozen class with typed parts, known by the name of its form.

A form is declared once, as a class with the decorator `form`: the first paragraph of its documentation is its meaning,
its fields are its parts, their types say what may stand there. Reading, writing, the schema, the tables of the docs and
the walks over a program are made from these declarations (`reading`, `writing`, `schema`, `walk`). A name that Python
keeps for itself has an underscore behind it: the field `in_` is written as `in`.

A field without a default is always written, as null if it holds nothing. A field with one is left out when it holds
nothing.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from enum import Enum
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

_Made: TypeAlias = Any  # a class while its methods are put in one by one, and what they are called with
RecordClass: TypeAlias = type[Any]  # of some record: what stands in one is known from its declaration alone


class Expression:
    """A form with a value: `[name, part, ..]`."""

    __slots__ = ()


class Selector:
    """A form that gives an ordered list: `[name, part, ..]`."""

    __slots__ = ()


R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _common(plain: type[R]) -> type[R]:
    """Declare what all records of a base have: it is given by name."""
    return _make_record(plain, by_name=True)


def _make_record(plain: type[R], *, by_name: bool = False) -> type[R]:
    """A class of frozen records: what `dataclass` gives with `frozen` and `slots`.

    `dataclass` writes and compiles six functions for each class, which takes longer than all else that a short command
    does. Here each is compiled when it is first needed, and few of them are.
    """
    made: _Made = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=by_name)(plain)

    def __init__(self: object, *given: object, **named: object) -> None:
        made.__init__ = _compile_init(made)
        made.__init__(self, *given, **named)

    def __eq__(self: object, other: object) -> _Made:
        made.__eq__ = _compile_eq(made)
        return made.__eq__(self, other)

    def __hash__(self: object) -> int:
        made.__hash__ = _compile_hash(made)
        return hash(self)

    for method in (__init__, __eq__, __hash__):
        setattr(made, method.__name__, method)
    made.__repr__, made.__getstate__, made.__setstate__ = _show, _values, _restore
    made.__setattr__ = made.__delattr__ = _refuse_change
    found: type[R] = made
    return found


def _compile_init(made: RecordClass) -> Callable[..., None]:
    """`__init__` of a class of records, which writes past the class's own refusal."""
    scope: dict[str, _Made] = {}
    given: list[str] = ["self"]
    named: list[str] = []
    body: list[str] = []
    for field in fields(made):
        name = field.name
        scope[f"_write_{name}"] = getattr(made, name).__set__
        parameter = name
        if field.default is not MISSING:
            scope[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        (named if field.kw_only else given).append(parameter)
        body.append(f" _write_{name}(self, {name})")
    parameters = ", ".join([*given, "*", *named] if named else given)
    return _compile("__init__", parameters, "\n".join(body) or " pass", scope)


def _compile_eq(made: RecordClass) -> Callable[..., _Made]:
    own, others = _tuple_of(made, "self"), _tuple_of(made, "other")
    same = f" return {own} == {others} if other.__class__ is self.__class__ else NotImplemented"
    return _compile("__eq__", "self, other", same, {})


def _compile_hash(made: RecordClass) -> Callable[..., _Made]:
    return _compile("__hash__", "self", f" return hash({_tuple_of(made, 'self')})", {})


def _tuple_of(made: RecordClass, name: str) -> str:
    return f"({''.join(f'{name}.{field.name}, ' for field in fields(made))})"


def _compile(name: str, parameters: str, body: str, scope: dict[str, _Made]) -> Callable[..., _Made]:
    exec(f"def {name}({parameters}):\n{body}", scope)
    found: Callable[..., _Made] = scope[name]
    return found


def _values(record: _Made) -> list[object]:
    return [getattr(record, field.name) for field in fields(record)]


def _restore(record: _Made, values: list[object]) -> None:
    for field, value in zip(fields(record), values, strict=True):
        object.__setattr__(record, field.name, value)


def _show(record: _Made) -> str:
    shown = ", ".join([f"{field.name}={getattr(record, field.name)!r}" for field in fields(record)])
    return f"{type(record).__qualname__}({shown})"


def _refuse_change(record: object, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"{name!r} of a record cannot be changed")


@_common
class Statement:
    """A form that does something: `{"op": name, part: .., "at": place?, "clause": id?}`."""

    at: Place | None = None
    clause: str | None = None


# --- what may stand in a part -----------------------------------------------------------------------------------------


class Slots(Enum):
    """A slot, by what the form does with it."""

    READ = "read"
    WRITTEN = "written"
    BOUND = "holds the element while the parts that follow are looked at"
    OUTER = "of the window of the procedure named before"


@dataclass(frozen=True, slots=True)
class Row:
    """An index into a table of the artefact."""

    table: str
    low: int = 0  # -1 where nothing may be named


@dataclass(frozen=True, slots=True)
class Words:
    """One of a few words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """A list."""

    of: What


@dataclass(frozen=True, slots=True)
class Maybe:
    """Something or nothing."""

    of: What


@dataclass(frozen=True, slots=True)
class Named:
    """An object whose keys are names of the package's own."""

    of: What


class Plain(Enum):
    """A value without a structure of ours."""

    NUMBER = int
    FLAG = bool
    TEXT = str
    OPTION = "the id of an option"
    SORT = "a sort, `set:` and a sort for a mask of it, or empty"
    ZONE = "a zone as the program counts them: those of the zones table, then those of fixtures"
    JSON = "anything"


What = RecordClass | Slots | Row | Words | Many | Maybe | Named | Plain

Read = Annotated[int, Slots.READ]
Written = Annotated[int, Slots.WRITTEN]
Bound = Annotated[int, Slots.BOUND]
Outer = Annotated[int, Slots.OUTER]
Variable = Annotated[int, Row("vars")]
ColumnRow = Annotated[int, Row("columns")]
FunctionRow = Annotated[int, Row("functions")]
FixtureRow = Annotated[int, Row("fixtures")]
ZoneRow = Annotated[int, Row("zones")]
RelationRow = Annotated[int, Row("relations")]
DefinitionRow = Annotated[int, Row("definitions")]
Procedure = Annotated[int, Row("procs")]
ProcedureOrNone = Annotated[int, Row("procs", -1)]
AbilityRow = Annotated[int, Row("abilities")]
ModifierRow = Annotated[int, Row("modifiers")]
Kind = Annotated[int, Row("kinds", -1)]
Place = Annotated[int, Row("places", -1)]
Sort = Literal["number", "flag", "seat", "fixture", "piece", "zone"]
OptionId = Annotated[str, Plain.OPTION]
SortOrSet = Annotated[str, Plain.SORT]
ProgramZone = Annotated[int, Plain.ZONE]
Json = Annotated[object, Plain.JSON]


# --- declaring --------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """One field of a record: its name in Python and in JSON, what stands there, and whether it may be left out."""

    field: str
    name: str
    what: What
    default: bool


class Form(NamedTuple):
    """A declared form."""

    name: str
    record: RecordClass
    meaning: str


FORMS: Final[dict[RecordClass, dict[str, Form]]] = {Expression: {}, Selector: {}, Statement: {}}


@dataclass_transform(frozen_default=True)
def form(*names: str) -> Callable[[type[R]], type[R]]:
    """Declare a class as the record of a form. Several names: the first field, `op`, says which one it is."""

    def declare(plain: type[R]) -> type[R]:
        record = _make_record(plain)
        (base,) = (base for base in FORMS if issubclass(record, base))
        for name in names:
            FORMS[base][name] = Form(name, record, " ".join((record.__doc__ or "").partition("\n\n")[0].split()))
        return record

    return declare


@dataclass_transform(frozen_default=True)
def row(plain: type[R]) -> type[R]:
    """Declare a class as the record of an object that has no name of its own: a row of a table, an entry of a menu."""
    return _make_record(plain)


def remember(make: Callable[[K], V]) -> Callable[[K], V]:
    """Make what belongs to a key once. (`functools.cache` does not take classes as keys under strict types.)"""
    made: dict[K, V] = {}

    def get(key: K) -> V:
        if key not in made:
            made[key] = make(key)
        return made[key]

    return get


@remember
def parts_of(record: RecordClass) -> tuple[Part, ...]:
    """The parts of a record in the order in which they are written, without its own name, place and clause."""
    hints = get_type_hints(record, include_extras=True)
    left_out = ("op", "at", "clause") if issubclass(record, Expression | Selector | Statement) else ()
    return tuple(
        Part(field.name, field.name.rstrip("_"), _what(hints[field.name]), field.default is not MISSING)
        for field in fields(record)
        if field.name not in left_out
    )


_PLAIN: Final = {int: Plain.NUMBER, bool: Plain.FLAG, str: Plain.TEXT}


def _what(hint: object) -> What:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union or origin is types.UnionType:
        (inner,) = (one for one in arguments if one is not type(None))
        return Maybe(_what(inner))
    if origin is tuple:
        return Many(_what(arguments[0]))
    if origin is Mapping:
        return Named(_what(arguments[1]))
    if origin is Annotated:
        meant: What = arguments[1]
        return meant
    if origin is Literal:
        return Words(arguments)
    assert isinstance(hint, type)
    return _PLAIN.get(hint, hint)

"""Read JSON into records of the core, and say where and why it cannot be read: the structural check of a program."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn, TypeAlias, get_args

from grimoire.runtime.core.expressions import CallFunction, IsAllowed
from grimoire.runtime.core.records import (
    FORMS,
    Expression,
    Form,
    Many,
    Maybe,
    Named,
    Part,
    Plain,
    RecordClass,
    Row,
    Selector,
    Slots,
    Sort,
    Statement,
    What,
    Words,
    parts_of,
    remember,
)
from grimoire.runtime.core.statements import Call, Menu, Propose, SetSetting
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.walk import Inner
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.limits import MAX_NESTING

LARGEST: Final = 4096  # bits of a constant
WINDOW: Final = 4096  # slots of a window, at most
Take = Callable[["Reader", object, int, int], object]  # reader, value, window, depth -> what is read
_KINDS: Final = {Expression: "expression", Selector: "selector", Statement: "statement"}
_SORTS: Final = get_args(Sort)


@dataclass(frozen=True)
class Tables:
    """What the rows of a document refer to: how many each table has, and what calls must agree with."""

    counts: Mapping[str, int]
    parameters: Sequence[int]  # of each procedure
    windows: Sequence[int]  # of each procedure
    verbs: Sequence[bool]  # whether it is one
    function_parameters: Sequence[int]
    options: frozenset[str]


Agreement: TypeAlias = Callable[[Tables, Inner], None]  # of one form


class _Wrong(Exception):
    """Something that cannot be read; the way to it is filled in from the inside outwards."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.way: list[str] = []


class Reader(NamedTuple):
    """What is the same for all forms of a document."""

    tables: Tables


def read_artefact(document: Mapping[str, object]) -> Artefact:
    """A document as records. Raises ``ArtefactError`` for the first thing that is out of shape or out of range."""
    artefact = _outermost(_take(Artefact), Reader(tables_of(document)), document, WINDOW, "")
    assert isinstance(artefact, Artefact)
    return artefact


def read_expression(tables: Tables, value: object, window: int, path: str) -> Expression:
    """An expression that may use so many slots."""
    expression = _outermost(_read_expression, Reader(tables), value, window, path)
    assert isinstance(expression, Expression)
    return expression


def read_statement(tables: Tables, value: object, window: int, path: str) -> Statement:
    """A statement that may use so many slots."""
    statement = _outermost(_read_statement, Reader(tables), value, window, path)
    assert isinstance(statement, Statement)
    return statement


def _outermost(read: Take, reader: Reader, value: object, window: int, path: str) -> object:
    try:
        return read(reader, value, window, 0)
    except _Wrong as wrong:
        raise ArtefactError(f"{path}{''.join(reversed(wrong.way))}: {wrong}".lstrip(".:")) from None


def tables_of(document: Mapping[str, object]) -> Tables:
    """The tables of a document that was not looked at yet: what is out of shape counts as nothing and is told
    when it is read."""
    listed = {part.name: value for part in parts_of(Artefact) if isinstance(value := document.get(part.name), list)}

    def column(table: str, key: str) -> list[object]:
        return [line.get(key) if isinstance(line, dict) else None for line in listed.get(table, [])]

    def numbers(table: str, key: str) -> list[int]:
        return [value if isinstance(value, int) else 0 for value in column(table, key)]

    return Tables(
        {part.name: len(listed.get(part.name, [])) for part in parts_of(Artefact)},
        numbers("procs", "params"),
        numbers("procs", "slots"),
        [value is True for value in column("procs", "verb")],
        numbers("functions", "params"),
        frozenset(value for value in column("options", "id") if isinstance(value, str)),
    )


# --- forms ------------------------------------------------------------------------------------------------------------


class _Layout(NamedTuple):
    """How the parts of a record are read, worked out once."""

    named: bool  # the record wants the name of the form first
    parts: tuple[Part, ...]
    takes: tuple[Take, ...]
    rest: Take | None  # of a form that is a list: for all that follow
    known: frozenset[str]
    windowed: bool  # the record says itself how many slots its forms may use
    agrees: Agreement | None


@remember
def _layout(record: RecordClass) -> _Layout:
    parts = parts_of(record)
    takes = [_take(part.what) for part in parts]
    rest = None
    if parts and issubclass(record, Expression | Selector) and isinstance(parts[-1].what, Many):
        takes.pop()
        rest = _take(parts[-1].what.of)
    known = frozenset(part.name for part in parts)
    windowed = known >= {"params", "slots"}
    return _Layout("op" in record.__match_args__, parts, tuple(takes), rest, known, windowed, _AGREEMENTS.get(record))


def _read_expression(reader: Reader, value: object, window: int, depth: int) -> object:
    return _read_list(Expression, reader, value, window, depth)


def _read_selector(reader: Reader, value: object, window: int, depth: int) -> object:
    return _read_list(Selector, reader, value, window, depth)


def _read_list(base: RecordClass, reader: Reader, value: object, window: int, depth: int) -> object:
    if depth > MAX_NESTING:
        _fail(f"nested more than {MAX_NESTING} levels deep")
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        _fail(f"expected a form [op, ..], found {_show(value)}")
    form = FORMS[base].get(value[0])
    if form is None:
        _fail(f"unknown {_KINDS[base]} {_show(value[0])}")
    try:
        return _read_listed_parts(form, reader, value, window, depth)
    except _Wrong as wrong:
        wrong.way.append(f"/{form.name}")
        raise


def _read_listed_parts(form: Form, reader: Reader, value: list[object], window: int, depth: int) -> object:
    named, _, takes, rest, _, _, agrees = _layout(form.record)
    given, fixed = len(value) - 1, len(takes)
    if given < fixed or (given > fixed and rest is None):
        _fail(f"has {given} parts, expected {fixed}{'' if rest is None else ' or more'}")
    read: list[object] = [form.name] if named else []
    for at, take in enumerate(takes, 1):
        read.append(take(reader, value[at], window, depth + 1))
    if rest is not None:
        read.append(tuple([rest(reader, one, window, depth + 1) for one in value[fixed + 1 :]]))
    made = form.record(*read)
    if agrees is not None:
        agrees(reader.tables, made)
    return made


def _read_statement(reader: Reader, value: object, window: int, depth: int) -> object:
    if depth > MAX_NESTING:
        _fail(f"nested more than {MAX_NESTING} levels deep")
    if not isinstance(value, dict):
        _fail(f"expected a statement, found {_show(value)}")
    name = value.get("op")
    form = FORMS[Statement].get(name) if isinstance(name, str) else None
    if form is None:
        _fail(f"unknown statement {_show(name)}")
    try:
        return _read_named_parts(form, reader, value, window, depth)
    except _Wrong as wrong:
        wrong.way.append(f"/{form.name}")
        raise


def _read_named_parts(form: Form, reader: Reader, value: Mapping[str, object], window: int, depth: int) -> object:
    layout = _layout(form.record)
    _refuse_unknown(value, layout.known | _EVERY_STATEMENT.keys())
    common = {
        name: take(reader, value[name], window, depth)
        for name, take in _EVERY_STATEMENT.items()
        if take is not None and value.get(name) is not None
    }
    made = form.record(**_read_fields(layout, reader, value, window, depth), **common)
    if layout.agrees is not None:
        layout.agrees(reader.tables, made)
    return made


def _read_object(record: RecordClass, reader: Reader, value: object, window: int, depth: int) -> object:
    if not isinstance(value, dict):
        _fail(f"expected an object, found {_show(value)}")
    layout = _layout(record)
    _refuse_unknown(value, layout.known)
    if layout.windowed:
        slots = value.get("slots")
        window = slots if isinstance(slots, int) else 0
    return record(**_read_fields(layout, reader, value, window, depth))


def _read_fields(
    layout: _Layout, reader: Reader, value: Mapping[str, object], window: int, depth: int
) -> dict[str, object]:
    fields: dict[str, object] = {}
    for part, take in zip(layout.parts, layout.takes, strict=True):
        if part.name in value:
            try:
                fields[part.field] = take(reader, value[part.name], window, depth + 1)
            except _Wrong as wrong:
                wrong.way.append(f".{part.name}")
                raise
        elif not part.default:
            _fail(f"field {part.name!r} is missing")
    return fields


def _refuse_unknown(value: Mapping[str, object], known: Set[str]) -> None:
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(key, sorted(known), 1) if isinstance(key, str) else []
            _fail(f"unknown field {key!r}" + (f" (did you mean {near[0]!r}?)" if near else ""))


# --- parts ------------------------------------------------------------------------------------------------------------


@remember
def _take(what: What) -> Take:
    """The function that reads a part, by what may stand there."""
    if isinstance(what, Many):
        inner = _take(what.of)
        return lambda reader, value, window, depth: _read_items(inner, reader, value, window, depth)
    if isinstance(what, Maybe):
        wanted = _take(what.of)
        return lambda reader, value, window, depth: None if value is None else wanted(reader, value, window, depth)
    if isinstance(what, Named):
        each = _take(what.of)
        return lambda reader, value, window, depth: _read_names(each, reader, value, window, depth)
    if isinstance(what, Row):
        return lambda reader, value, window, depth: _read_row(what, reader, value)
    if isinstance(what, Words):
        return lambda reader, value, window, depth: _read_word(what.words, value)
    if what in _TAKES:
        return _TAKES[what]
    assert isinstance(what, type)
    return lambda reader, value, window, depth: _read_object(what, reader, value, window, depth)


def _read_items(take: Take, reader: Reader, values: object, window: int, depth: int) -> tuple[object, ...]:
    if not isinstance(values, list):
        _fail(f"expected a list, found {_show(values)}")
    found = []
    for at, one in enumerate(values):
        try:
            found.append(take(reader, one, window, depth + 1))
        except _Wrong as wrong:
            wrong.way.append(f"[{at}]")
            raise
    return tuple(found)


def _read_names(take: Take, reader: Reader, value: object, window: int, depth: int) -> dict[str, object]:
    if not isinstance(value, dict):
        _fail(f"expected an object, found {_show(value)}")
    found = {}
    for name, one in value.items():
        try:
            found[name] = take(reader, one, window, depth + 1)
        except _Wrong as wrong:
            wrong.way.append(f".{name}")
            raise
    return found


def _read_menu(reader: Reader, value: object, window: int, depth: int) -> object:
    made = _read_statement(reader, value, window, depth)
    if not isinstance(made, Menu):
        _fail(f"expected a menu, found {_show(value)}")
    return made


def _read_row(row: Row, reader: Reader, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _fail(f"expected an index of {row.table}, found {_show(value)}")
    if not row.low <= value < reader.tables.counts[row.table]:
        _fail(f"index {value} of {row.table} is out of range (there are {reader.tables.counts[row.table]})")
    return value


def _read_zone(reader: Reader, value: object, window: int, depth: int) -> int:
    there = reader.tables.counts["zones"] + reader.tables.counts["fixtures"]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < there:
        _fail(f"zone {_show(value)} is out of range")
    return value


def _read_word(words: tuple[str, ...], value: object) -> object:
    if value not in words:
        _fail(f"expected one of {', '.join(words)}, found {_show(value)}")
    return value


def _read_sort(reader: Reader, value: object, window: int, depth: int) -> str:
    if not isinstance(value, str) or value.removeprefix("set:") not in ("", *_SORTS):
        _fail(f"{_show(value)} is no sort")
    return value


def _read_number(reader: Reader, value: object, window: int, depth: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _fail(f"expected a whole number, found {_show(value)}")
    if value.bit_length() > LARGEST:
        _fail("a number too large")
    return value


def _read_flag(reader: Reader, value: object, window: int, depth: int) -> bool:
    if not isinstance(value, bool):
        _fail(f"expected true or false, found {_show(value)}")
    return value


def _read_text(reader: Reader, value: object, window: int, depth: int) -> str:
    if not isinstance(value, str):
        _fail(f"expected text, found {_show(value)}")
    return value


def _read_slot(reader: Reader, value: object, window: int, depth: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < window:
        _fail(f"slot {_show(value)} is outside the window of {window} slots")
    return value


def _read_option(reader: Reader, value: object, window: int, depth: int) -> object:
    if value != "players" and value not in reader.tables.options:
        _fail(f"unknown option {_show(value)}")
    return value


def _read_json(reader: Reader, value: object, window: int, depth: int) -> object:
    return value


_TAKES: Final[dict[What, Take]] = {
    Expression: _read_expression,
    Selector: _read_selector,
    Statement: _read_statement,
    Menu: _read_menu,
    Slots.READ: _read_slot,
    Slots.WRITTEN: _read_slot,
    Slots.BOUND: _read_slot,
    Slots.OUTER: _read_number,
    Plain.NUMBER: _read_number,
    Plain.FLAG: _read_flag,
    Plain.TEXT: _read_text,
    Plain.OPTION: _read_option,
    Plain.SORT: _read_sort,
    Plain.ZONE: _read_zone,
    Plain.JSON: _read_json,
}
_EVERY_STATEMENT: Final[dict[str, Take | None]] = {"op": None, "at": _take(Row("places", -1)), "clause": _read_text}


# --- what a form says must fit the procedure or function that it names ------------------------------------------------


def _call_function(tables: Tables, made: CallFunction) -> None:
    _count(made.arguments, tables.function_parameters[made.function])


def _is_allowed(tables: Tables, made: IsAllowed) -> None:
    _count(made.arguments, tables.parameters[made.verb])


def _call(tables: Tables, made: Call) -> None:
    _count(made.args, tables.parameters[made.proc])


def _propose(tables: Tables, made: Propose) -> None:
    _count(made.args, tables.parameters[made.verb])
    if not tables.verbs[made.verb]:
        _fail(f"procedure {made.verb} is no verb")


def _set_setting(tables: Tables, made: SetSetting) -> None:
    if not 0 <= made.slot < tables.windows[made.proc]:
        _fail(f"slot {made.slot} is outside the window of {tables.windows[made.proc]} slots")


def _count(arguments: tuple[Expression, ...], wanted: int) -> None:
    if len(arguments) != wanted:
        _fail(f"passes {len(arguments)} arguments, expected {wanted}")


_AGREEMENTS: Final[dict[RecordClass, Agreement]] = {
    CallFunction: _call_function,
    IsAllowed: _is_allowed,
    Call: _call,
    Propose: _propose,
    SetSetting: _set_setting,
}


def _fail(text: str) -> NoReturn:
    raise _Wrong(text)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

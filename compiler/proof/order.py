"""Find neighbouring effects whose order can matter: what one of them writes, the other reads or writes.

In: the programs of an artefact. Out: `Order` values, each with the change that does the second of two effects first.
What a later effect takes from an earlier one by name (a choice, what was done) cannot be done before it, and is left
as it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from grimoire.compiler.lower.footprints import Footprints, Print
from grimoire.compiler.proof import changes as ch
from grimoire.compiler.proof.mutate import shorten_text
from grimoire.compiler.proof.places import SourcePlace
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import list_written_slots, statement_slots, statements_in, strip
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.walk import Path, fields_with_records, find_at, walk
from grimoire.runtime.core.writing import name_of

# Both may write these, and nobody can tell which did so first; so it is with zones in which order means nothing.
ALIKE = frozenset({"known", "random"})
_COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
LEAVING = (st.Return, st.Stop, st.Again, st.Leave, st.EndGame)


@dataclass(frozen=True, slots=True)
class Order:
    """Two neighbours in a sequence. `marks` are the clauses that they carry out by themselves."""

    path: Path
    change: ch.SwapNeighbours
    name: str
    place: int | None
    marks: tuple[str, ...]
    reached: tuple[Path, Path]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Statements that are moved together: what is worked out first for an effect, and the effect."""

    first: int
    end: int
    body: tuple[Statement, ...]

    @property
    def last(self) -> Statement:
        return self.body[-1]


class Orders:
    """The orders of an artefact that can matter."""

    def __init__(self, artefact: Artefact, prints: Footprints, places: list[SourcePlace]) -> None:
        self.artefact = artefact
        self.prints = prints
        self.places = places
        self.alike = ALIKE | {f"zone:{number}" for number, zone in enumerate(artefact.zones) if not zone.ordered}

    def list_orders(self, body: Path) -> list[Order]:
        """Those in a program, in the order of the program; what is only tried is not looked at."""
        found = []
        for path, sequence in walk_sequences(find_at(self.artefact, body), body):
            units = split_units(sequence.body)
            for one, two in pairwise(units):
                if one.end == two.first and not depends(one, two) and self.overlap(one, two):
                    found.append(self.make_order(path, one, two))
        return tell_apart(found)

    def make_order(self, path: Path, one: _Unit, two: _Unit) -> Order:
        places = [ch.find_first_place(st.Sequence(unit.body)) for unit in (one, two)]
        first, second = (self.describe(unit, place) for unit, place in zip((one, two), places, strict=True))
        change = ch.SwapNeighbours(one.first, two.first, two.end)
        marks = tuple(dict.fromkeys(mark for unit in (one, two) for mark in list_marks(unit.last)))
        reached = ((*path, "body", one.end - 1), (*path, "body", two.end - 1))
        return Order(
            path, change, f"{second} before {first}", next((p for p in places if p is not None), None), marks, reached
        )

    def describe(self, unit: _Unit, place: int | None) -> str:
        """What a person calls an effect: its text, or, of what the engine does by itself, what it is done with."""
        if place is not None:
            return f"'{shorten_text(self.places[place].text)}'"
        inner: object = unit.last
        while isinstance(inner, st.ForEach | st.If | st.Repeat | st.Sequence):
            if isinstance(inner, st.Sequence):
                inner = inner.body[-1] if inner.body else None
            else:
                inner = inner.then if isinstance(inner, st.If) else inner.body
        artefact = self.artefact
        match inner:
            case st.SetColumn():
                return f"setting {artefact.columns[inner.col].id}"
            case st.SetVariable():
                return f"setting {artefact.vars[inner.var].id}"
            case st.Move(to=ex.Zone(zone) | ex.ZoneOfSeat(zone)):
                return f"moving to {artefact.zones[zone].id}"
            case st.Shuffle(zone=ex.Zone(zone) | ex.ZoneOfSeat(zone)):
                return f"shuffling {artefact.zones[zone].id}"
            case st.RunProgram():
                return f"resolving the {inner.name}"
            case st.Propose() | st.Call():
                return artefact.procs[inner.verb if isinstance(inner, st.Propose) else inner.proc].id
            case Statement():
                return name_of(inner)
        return "nothing"

    def overlap(self, one: _Unit, two: _Unit) -> bool:
        """Whether one writes what the other reads or writes, or may keep the other from being done."""
        if exclude(one.last, two.last):
            return False
        if isinstance(one.last, st.Cancel) or isinstance(two.last, st.Cancel):
            return False  # what is prevented does not happen, whenever that is said
        first, second = self.join_prints(one), self.join_prints(two)
        if leaves(one) or leaves(two):
            return True
        both = (first.writes & second.writes) - self.alike
        return bool(both or first.writes & second.reads or first.reads & second.writes)

    def join_prints(self, unit: _Unit) -> Print:
        """All that some statements may lead to."""
        own = Print()
        prints = self.prints
        for statement in unit.body:
            prints.statement(statement, own, {})
        procs = {*own.verbs, *(proc for name in own.programs for proc in prints.programs.get(name, ()))}
        for proc in sorted(procs):
            own.join(prints.of_proc[proc])
            for ability in prints.hearing.get(proc, ()):
                own.join(prints.of_ability[ability])
        return own


def tell_apart(orders: list[Order]) -> list[Order]:
    """The orders of one program with a name each."""
    counts: dict[str, int] = {}
    found = []
    for order in orders:
        counts[order.name] = count = counts.get(order.name, 0) + 1
        found.append(order if count == 1 else replace(order, name=f"{order.name}, {count}"))
    return found


def exclude(one: Statement, two: Statement) -> bool:
    """Whether two effects never meet: they write plain values to two things, or their conditions, which compare the
    same name with other numbers, never hold together."""
    inner = [ch.unwrap_mark(statement) for statement in (one, two)]
    match inner:
        case [st.SetColumn(of=ex.Number(a), value=ex.Number()), st.SetColumn(of=ex.Number(b), value=ex.Number())]:
            return a != b
    conds = [part.cond for part in inner if isinstance(part, st.If) and part.else_ is None]
    if len(conds) < 2:
        return False
    slots = [{part.slot for part in walk(cond) if isinstance(part, ex.Slot)} for cond in conds]
    numbers = {part.value for cond in conds for part in walk(cond) if isinstance(part, ex.Number)}
    near = {number + by for number in numbers for by in (-1, 0, 1)}
    return any(
        not any(all(may_hold(cond, slot, number) for cond in conds) for number in near) for slot in slots[0] & slots[1]
    )


def may_hold(cond: Expression, slot: int, number: int) -> bool:
    """Whether a condition can hold when a slot has a number; what does not speak of it may."""
    match strip(cond):
        case ex.And(parts):
            return all(may_hold(part, slot, number) for part in parts)
        case ex.Or(parts):
            return any(may_hold(part, slot, number) for part in parts)
        case ex.Comparison(op, ex.Slot(at), ex.Number(value)) if at == slot:
            return _COMPARE[op](number, value)
    return True


def split_units(body: tuple[Statement, ...]) -> list[_Unit]:
    """A sequence as effects, each with what is worked out for it alone; what several effects use stays where it is."""
    found, first = [], 0
    for at, statement in enumerate(body):
        if not isinstance(statement, st.Let):
            found.append(_Unit(first, at + 1, body[first : at + 1]))
            first = at + 1
        elif any(statement.slot in statement_slots(later) for later in find_others(body, at)):
            first = at + 1
    return found


def find_others(body: tuple[Statement, ...], at: int) -> tuple[Statement, ...]:
    """What stands behind the effect that follows a `let`."""
    end = next((n for n in range(at, len(body)) if not isinstance(body[n], st.Let)), len(body) - 1)
    return body[end + 1 :]


def depends(one: _Unit, two: _Unit) -> bool:
    """Whether what one writes down for the statements behind it is read by the other."""
    whole = [st.Sequence(one.body), st.Sequence(two.body)]
    writes = [collect_written(unit) for unit in whole]
    reads = [statement_slots(unit) for unit in whole]
    return bool(writes[0] & (reads[1] | writes[1]) or writes[1] & reads[0])


def collect_written(statement: Statement) -> set[int]:
    found = set(list_written_slots(statement))
    return found.union(*(collect_written(inner) for inner in statements_in(statement)))


def leaves(unit: _Unit) -> bool:
    """Whether what stands behind may not be done any more."""
    return any(isinstance(part, LEAVING) for statement in unit.body for part in walk(statement))


def list_marks(statement: object) -> list[str]:
    """The clauses that a statement is marked with: a line with several is wrapped once for each."""
    found = []
    while isinstance(statement, Statement):
        if statement.clause is not None:
            found.append(statement.clause)
        if not isinstance(statement, st.Sequence) or len(statement.body) != 1:
            break
        statement = statement.body[0]
    return found


def walk_sequences(record: object, path: Path) -> Iterator[tuple[Path, st.Sequence]]:
    """The sequences of a program that are carried out, outermost first."""
    if isinstance(record, Expression | Selector):
        return
    if isinstance(record, st.Sequence) and len(record.body) > 1:
        yield path, record
    for field in fields_with_records(type(record)):
        value = getattr(record, field)
        if isinstance(value, tuple):
            for at, one in enumerate(value):
                yield from walk_sequences(one, (*path, field, at))
        elif value is not None:
            yield from walk_sequences(value, (*path, field))


__all__ = ["Order", "Orders"]

"""Find the details of programs that an author wrote: the numbers in them, and what a noun says of what it means.

In: programs and rows of an artefact. Out: `Detail` values: a number is changed by one, either way; what narrows a noun
down (`whose`, `who`, `where`, `other than`) is not asked for. The compiler writes one text several times (where an
ability is offered, where it is tried, where it is done), so a detail is broken wherever its place in the source is
told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeGuard

from grimoire.compiler.proof import changes as ch
from grimoire.compiler.proof.mutate import Edit, Mutant, shorten_text, walk_statements
from grimoire.compiler.proof.places import read_places
from grimoire.runtime.core.expressions import Comparison, Number, Placed, Slot
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.selectors import Filter
from grimoire.runtime.core.statements import Sequence
from grimoire.runtime.core.tables import Ability, Artefact, Modifier, ProcedureOf
from grimoire.runtime.core.walk import Path, fields_with_records, find_at


@dataclass(frozen=True, slots=True)
class Detail:
    """One detail. It is proved when a scenario notices any of its mutants: a bound that is met from below is not met
    from above."""

    name: str
    place: int
    mutants: tuple[Mutant, ...]
    within: tuple[Path, ...]  # the statements that it stands in


class _Key(NamedTuple):
    """What makes two copies one detail. `what` is the number, or what a noun is other than; None: a test with words."""

    kind: Literal["number", "test"]
    place: int
    what: Expression | None


class _Found(NamedTuple):
    path: Path
    statement: Path


class Details:
    """The details of an artefact, by where they stand."""

    def __init__(self, artefact: Artefact) -> None:
        self.places = read_places(artefact)
        self.artefact = artefact

    def list_details(self, bodies: list[Path]) -> list[Detail]:
        """The details at and below these places, each once, in the order of the source."""
        found: dict[_Key, list[_Found]] = {}
        for body in bodies:
            for key, row in self.walk(find_at(self.artefact, body), _Found(body, body), -1):
                rows = found.setdefault(key, [])
                if row not in rows:
                    rows.append(row)
        made = [self.make_detail(key, rows) for key, rows in found.items()]
        return sorted(made, key=lambda detail: (*self.places[detail.place][:3], detail.name, str(detail.mutants[0])))

    def list_written(self, body: Path) -> list[Detail]:
        """The details that stand in the text of a program itself: what a term or an adjective says is a detail of its
        own text."""
        spans: dict[str, tuple[int, int]] = {}
        for _, statement in walk_statements(find_at(self.artefact, body), body):
            if statement.at is not None:
                place = self.places[statement.at]
                low, high = spans.get(place.file, (place.line, place.end_line))
                spans[place.file] = (min(low, place.line), max(high, place.end_line))
        found = []
        for detail in self.list_details([body]):
            place = self.places[detail.place]
            if place.file in spans and spans[place.file][0] <= place.line <= spans[place.file][1]:
                found.append(detail)
        return found

    def make_detail(self, key: _Key, rows: list[_Found]) -> Detail:
        text = shorten_text(self.places[key.place].text)
        within = tuple(dict.fromkeys(row.statement for row in rows))

        def make_mutant(name: str, change: ch.Change) -> Mutant:
            return Mutant(name, tuple(Edit(row.path, change) for row in rows))

        if key.kind == "number":
            assert isinstance(key.what, Number)
            number = key.what.value
            mutants = [make_mutant(f"{number} is one more in '{text}'", ch.ONE_MORE)]
            if number > 0:
                mutants.append(make_mutant(f"{number} is one less in '{text}'", ch.ONE_LESS))
            return Detail(key.kind, key.place, tuple(mutants), within)
        name = f"without '{text}'" if key.what is None else f"itself as well in '{text}'"
        return Detail(key.kind, key.place, (make_mutant(name, ch.HOLD),), within)

    def walk(self, record: object, at: _Found, place: int) -> Iterator[tuple[_Key, _Found]]:
        path, statement = at
        if isinstance(record, Statement) and not isinstance(record, Sequence):
            statement = path
        if isinstance(record, Statement | ProcedureOf | Ability | Modifier) and record.at is not None:
            place = record.at
        elif isinstance(record, Placed):
            place = record.place
        elif isinstance(record, Number):
            if place >= 0 and self.is_written(record.value, place):
                yield _Key("number", place, record), _Found(path, statement)
            return
        elif isinstance(record, Filter):
            test = record.condition
            if isinstance(test, Placed):
                yield _Key("test", test.place, None), _Found((*path, "condition", "value"), statement)
            elif is_other_than(test, record.element) and place >= 0:
                yield _Key("test", place, test.right), _Found((*path, "condition"), statement)
        for field in fields_with_records(type(record)):
            value = getattr(record, field)
            if isinstance(value, tuple):
                for number, one in enumerate(value):
                    yield from self.walk(one, _Found((*path, field, number), statement), place)
            elif value is not None:
                yield from self.walk(value, _Found((*path, field), statement), place)

    def is_written(self, number: int, place: int) -> bool:
        """Whether the author wrote this number: the compiler has numbers of its own."""
        return re.search(rf"(?<![\w-]){number}(?![\w])", self.places[place].text) is not None


def is_other_than(test: Expression, element: int) -> TypeGuard[Comparison]:
    """Whether a test leaves out one object alone."""
    return isinstance(test, Comparison) and test.op == "!=" and test.left == Slot(element)


__all__ = ["Detail", "Details"]

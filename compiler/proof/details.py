"""Find the details of programs that an author wrote: the numbers in them, and what a noun says of what it means.

In: programs and rows of an artefact. Out: `Detail` values: a number is changed by one, either way, and so is each side
of a border (`>= 6`); what narrows a noun down (`whose`, `who`, `where`, `other than`), and what a choice asks of what
is chosen, is not asked for. The compiler writes one text several times (where an ability is offered, where it is tried,
where it is done), so a detail is broken wherever its place in the source is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeGuard

from grimoire.compiler.proof import changes as ch
from grimoire.compiler.proof.mutate import Edit, Mutant, shorten_text, walk_statements
from grimoire.compiler.proof.places import read_places
from grimoire.runtime.core.expressions import (
    And,
    CanCarryOut,
    Comparison,
    FixtureOfZone,
    IsAllowed,
    IsKind,
    Knows,
    Number,
    Placed,
    Slot,
    ZoneOfPiece,
)
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.selectors import Filter
from grimoire.runtime.core.statements import Choose, Domain, Sequence
from grimoire.runtime.core.tables import Ability, Artefact, Modifier, ProcedureOf
from grimoire.runtime.core.walk import Path, fields_with_records, find_at, walk

_FACES: Final = re.compile(r"\d+-(\d+)")
PLACES: Final = (ZoneOfPiece, FixtureOfZone)
# What is asked of every choice, whatever its words: no rule of the game.
ASKED_BY_ALL: Final = (Knows, IsAllowed, CanCarryOut)


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

    kind: Literal["number", "border", "test", "filter"]
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
        faces = [found for place in self.places if (found := _FACES.fullmatch(place.text)) is not None]
        self.highest_face = max((int(found[1]) for found in faces), default=0)

    def list_details(self, bodies: list[Path]) -> list[Detail]:
        """The details at and below these places, each once, in the order of the source."""
        found: dict[_Key, list[_Found]] = {}
        for body in bodies:
            for key, row in self.walk(find_at(self.artefact, body), _Found(body, body), -1):
                rows = found.setdefault(key, [])
                if row not in rows:
                    rows.append(row)
        made = [detail for key, rows in found.items() for detail in self.make_details(key, rows)]
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

    def make_details(self, key: _Key, rows: list[_Found]) -> list[Detail]:
        text = shorten_text(self.places[key.place].text)
        within = tuple(dict.fromkeys(row.statement for row in rows))

        def make_mutant(name: str, change: ch.Change) -> Mutant:
            return Mutant(name, tuple(Edit(row.path, change) for row in rows))

        def make(*mutants: Mutant) -> Detail:
            return Detail(key.kind, key.place, mutants, within)

        match key.kind, key.what:
            case "number", Number(number):
                more = make_mutant(f"{number} is one more in '{text}'", ch.ONE_MORE)
                less = make_mutant(f"{number} is one less in '{text}'", ch.ONE_LESS)
                return [make(more, less) if number > 0 else make(more)]
            case "border", Comparison() as border:
                sign = f"{border.op} {border.right.value}" if isinstance(border.right, Number) else border.op
                return [
                    make(make_mutant(f"'{sign}' one {word} in '{text}'", ch.ShiftBorder(by)))
                    for by, word in ((-1, "lower"), (1, "higher"))
                    if self.can_shift(border, by, text)
                ]
            case "filter", Expression() as test:
                return [make(make_mutant(f"choice without {self.describe_test(test)} in '{text}'", ch.HOLD))]
        name = f"without '{text}'" if key.what is None else f"itself as well in '{text}'"
        return [make(make_mutant(name, ch.HOLD))]

    def can_shift(self, border: Comparison, by: int, text: str) -> bool:
        """Whether a border that is moved is another one: the faces of a die begin and end somewhere."""
        if not isinstance(border.right, Number):
            return True
        number = border.right.value
        if _FACES.fullmatch(text):
            return number > 1 if by < 0 else number < self.highest_face
        return number + by >= 0 if border.op in ("<", ">=") else number + by >= -1

    def describe_test(self, test: Expression) -> str:
        """What a person calls one of the tests that something chosen must pass."""
        match test:
            case Placed(place):
                return f"'{shorten_text(self.places[place].text)}'"
            case IsKind(_, kind):
                return f"its kind {self.artefact.kinds[kind].id}"
        return "its place" if any(isinstance(one, PLACES) for one in walk(test)) else "a test"

    def walk_choice(self, among: Selector, path: Path, statement: Path, place: int) -> Iterator[tuple[_Key, _Found]]:
        """What is asked of what is chosen, beside what stands in the words of the noun itself."""
        while True:
            if isinstance(among, Filter) and place >= 0:
                whole = among.condition
                if isinstance(whole, And):
                    parts = [((*path, "condition", "conditions", n), part) for n, part in enumerate(whole.conditions)]
                else:
                    parts = [((*path, "condition"), whole)]
                for at, part in parts:
                    told = isinstance(part, Placed) and part is whole and self.stands_in(part.place, place)
                    if not (told or isinstance(part, ASKED_BY_ALL) or is_other_than(part, among.element)):
                        yield (
                            _Key("filter", place, part),
                            _Found((*at, "value") if isinstance(part, Placed) else at, statement),
                        )
            inner = getattr(among, "selector", None)
            if not isinstance(inner, Selector):
                return
            among, path = inner, (*path, "selector")

    def stands_in(self, inner: int, outer: int) -> bool:
        """Whether a place lies in another one: a test of a term stands where the term is declared."""
        one, other = self.places[inner], self.places[outer]
        return one.file == other.file and other.start <= one.start and one.end <= other.end

    def walk(self, record: object, at: _Found, place: int) -> Iterator[tuple[_Key, _Found]]:
        path, statement = at
        if isinstance(record, Statement) and not isinstance(record, Sequence):
            statement = path
        if isinstance(record, Statement | ProcedureOf | Ability | Modifier) and record.at is not None:
            place = record.at
        elif isinstance(record, Placed):
            place = record.place
        elif isinstance(record, Domain | Choose):
            yield from self.walk_choice(record.in_, (*path, "in_"), statement, place)
        elif isinstance(record, Comparison) and self.is_border(record, place):
            yield _Key("border", place, record), _Found(path, statement)
            if isinstance(record.right, Number):
                yield from self.walk(record.left, _Found((*path, "left"), statement), place)
                return
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

    def is_border(self, test: Comparison, place: int) -> bool:
        """Whether the author wrote a border here."""
        if test.op in ("==", "!=") or place < 0 or isinstance(test.left, Number):
            return False
        if isinstance(test.right, Number):
            return self.is_written(test.right.value, place)
        return test.op in self.places[place].text


def is_other_than(test: Expression, element: int) -> TypeGuard[Comparison]:
    """Whether a test leaves out one object alone."""
    return isinstance(test, Comparison) and test.op == "!=" and test.left == Slot(element)


__all__ = ["Detail", "Details"]

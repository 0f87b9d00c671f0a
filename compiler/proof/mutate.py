"""Break one thing in a program at a time: what `trace` tries the scenarios on.

In: an artefact. Out: `Carrier` values, which say what in the artefact carries out which clause, each with its
`Mutant`s: places in the artefact, and how each is broken (`changes`). `mutate` makes a copy with one mutant; `switch`
one that has them all. The artefact is never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grimoire.compiler.proof import changes as ch
from grimoire.compiler.proof.places import SourcePlace, read_places
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import If
from grimoire.runtime.core.tables import (
    Ability,
    Artefact,
    CarryingRow,
    Column,
    Definition,
    Function,
    Modifier,
    Order,
    ProcedureOf,
    VariableOf,
    ZoneOf,
    list_carrying_tables,
)
from grimoire.runtime.core.walk import Path, rewrite_at, walk_paths
from grimoire.runtime.core.writing import name_of


@dataclass(frozen=True, slots=True)
class Edit:
    """One place of an artefact, and the way in which it is broken."""

    path: Path
    change: ch.Change


@dataclass(frozen=True, slots=True)
class Mutant:
    """One thing broken, wherever it stands in the artefact."""

    name: str
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Carrier:
    """A statement or a row of a table that carries out a clause, and the ways in which it is broken."""

    clause: str
    path: Path
    name: str
    mutants: tuple[Mutant, ...]
    clauses: tuple[str, ...] = ()  # all that it carries out
    demands: tuple[Mutant, ...] = ()  # what it demands, left out: for the scenarios of all its clauses together
    body: Path = ()  # its program, whose details are broken too


def find_carriers(artefact: Artefact, demands: dict[Path, list[Mutant]] | None = None) -> Iterator[Carrier]:
    """Everything that carries out some clause, in the order of the artefact.

    `demands` are more mutants of rows: what they demand, each left out (see `parts`).
    """
    places = read_places(artefact)
    for table, rows in list_carrying_tables(artefact):
        for number, row in enumerate(rows):
            path: Path = (table, number)
            for clause in row.clauses or ():
                name = describe_row(artefact, row)
                made = tuple(make_mutants(path, name, list_row_changes(row)))
                more = tuple((demands or {}).get(path, ()))
                body = (*path, "body") if isinstance(row, ProcedureOf) else ()
                yield Carrier(clause, path, name, made, row.clauses or (), more, body)
            if isinstance(row, ProcedureOf) and row.body is not None:
                for inner, statement in walk_statements(row.body, (*path, "body")):
                    if statement.clause is not None:
                        name = describe_statement(places, row, statement)
                        made = tuple(make_mutants(inner, name, list_statement_changes(statement)))
                        yield Carrier(statement.clause, inner, name, made, body=inner)


def make_mutants(path: Path, name: str, ways: Iterable[ch.Change]) -> list[Mutant]:
    return [Mutant(f"{name}, {change.name}", (Edit(path, change),)) for change in ways]


def walk_statements(record: object, path: Path) -> Iterator[tuple[Path, Statement]]:
    """All statements at and below a place, with their paths."""
    for inner, one in walk_paths(record, path):
        if isinstance(one, Statement):
            yield inner, one


def describe_row(artefact: Artefact, row: CarryingRow) -> str:
    match row:
        case ProcedureOf():
            return f"procedure {row.id}"
        case Ability():
            return f"ability {row.id}"
        case Modifier():
            return f"modifier of {artefact.columns[row.col].id}"
        case ZoneOf():
            return f"zone {row.id}"
        case Column():
            return f"state {row.id}"
        case VariableOf():
            return f"counter {row.id}"
        case Function():
            return f"definition {row.id}"
        case Order():
            return f"order of {row.id}"
        case Definition():
            return f"card {row.id}"


def describe_statement(places: Sequence[SourcePlace], proc: ProcedureOf, statement: Statement) -> str:
    """What a person calls a statement: its text in the source with its place, else its operation."""
    at = ch.find_first_place(statement)
    where = f"in {proc.id}"
    if at is None:
        return f"{name_of(statement)} {where}"
    place = places[at]
    return f"'{shorten_text(place.text)}' {where} ({place.file.rpartition('/')[2]}:{place.line})"


def shorten_text(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


# ---------------------------------------------------------------- the ways


def list_statement_changes(statement: Statement) -> list[ch.Change]:
    inner = ch.unwrap_mark(statement)
    if isinstance(inner, If):
        return [ch.REMOVE, ch.REVERSE_CONDITION]
    return [ch.REMOVE, ch.ALLOW_ANY_CHOICE] if ch.drop_restriction(inner) is not None else [ch.REMOVE]


def list_row_changes(row: CarryingRow) -> list[ch.Change]:
    match row:
        case ProcedureOf():
            return [ch.EMPTY]
        case Ability() | Modifier():
            return [ch.DISABLE]
        case ZoneOf():
            shown: list[ch.Change] = [ch.Hide(), ch.TellCount()] if row.counted is False else [ch.ShowToOthers()]
            return shown if row.when is None else [*shown, ch.BringAlways()]
        case Order():
            return [ch.Reorder()]
        case Function():
            return [ch.ReverseTest() if row.test else ch.AddToValue()]
        case Column() if row.printed is not None:
            return [ch.ChangePrinted()]
        case Definition():
            return [ch.AddCopy()] if row.when is None else [ch.AddCopy(), ch.BringAlways()]
    return [ch.ChangeStart()]


def has_own_limit(row: Ability | Modifier) -> bool:
    """Whether an ability has a limit of its own: not the one that keeps a floating one waiting for the next event."""
    return isinstance(row, Ability) and row.limit is not None and not row.limit.later


def mutate(artefact: Artefact, mutant: Mutant) -> Artefact:
    """A copy of the artefact with one thing broken; what is not broken is shared, and the hash is the old one."""
    for edit in sorted(mutant.edits, key=lambda edit: -len(edit.path)):
        artefact = rewrite_at(artefact, edit.path, edit.change.apply)
    return artefact

"""The tables of an artefact, a record a row. References between tables are indices; ids are for people, keys, views
and saves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from grimoire.runtime.core.records import (
    ColumnRow,
    Expression,
    FixtureRow,
    FunctionRow,
    Json,
    Kind,
    Place,
    Procedure,
    ProcedureOrNone,
    ProgramZone,
    Row,
    Sort,
    SortOrSet,
    Statement,
    row,
)

SeenZone = Literal["all", "owner", "none", "top"]
SeenColumn = Literal["all", "owner", "none"]
Bearer = Annotated[int, Row("definitions", -2)]  # -1: a rule, always in force; -2: floating, made by a grant


@row
class About:
    """The package itself."""

    id: str
    version: str
    title: str | None = None


@row
class Players:
    """How many can play."""

    min: int
    max: int


@row
class Linked:
    """A package that this one was made with."""

    id: str
    version: str


@row
class Option:
    """What can be chosen before a game; a flag has no values."""

    id: str
    sort: Literal["flag", "choice"]
    values: tuple[Json, ...]
    default: Json


@row
class Only:
    """Pairs of a relation that are there only where a condition on the options holds."""

    when: Expression
    pairs: tuple[tuple[FixtureRow, ...], ...]


@row
class Relation:
    """Adjacency, one-way ways, cells of a line, spaces of a region: for each fixture those to which it leads; `only`:
    which of them depend on the options; `region`: it joins spaces and the regions that they lie in."""

    id: str
    table: tuple[tuple[FixtureRow, ...], ...]
    only: tuple[Only, ...] | None = None
    region: bool | None = None


@row
class KindOf:
    """A kind of object; `back`: pieces of it share a back that is seen; `listed`: heading in lists."""

    id: str
    sort: Literal["seat", "fixture", "piece"]
    is_: Kind
    back: bool | None = None
    listed: str | None = None


@row
class Fixture:
    """Something with a name that never moves; one that holds pieces has a zone. `when`: a condition on the options
    without which it is not there; `spot`: where it is drawn, in steps from the left and from the top."""

    id: str
    kind: Kind
    holds: bool
    seen: SeenZone
    when: Expression | None = None
    spot: tuple[int, ...] | None = None


@row
class ZoneOf:
    """A list of pieces, bottom to top; `each`: one a seat; `ordered` false: what lies where means nothing, and
    what comes in mixes it unless everybody sees it; `counted` false: nobody is told how many lie there;
    `holds`: the kind of what may lie there, where not every piece is of it; `when`: a condition on the options
    without which it is not there."""

    id: str
    each: bool
    ordered: bool
    seen: SeenZone
    counted: bool | None = None
    holds: Kind | None = None
    clauses: tuple[str, ...] | None = None
    when: Expression | None = None


@row
class Order:
    """Who puts simultaneous abilities in order."""

    id: Literal["abilities"]
    by: Literal["turn", "current"]
    clauses: tuple[str, ...] | None = None


@row
class Invariant:
    """What holds at every moment, for scenarios and tests; not used in play."""

    id: str
    function: str
    text: str


@row
class VariableOf:
    """A number of the game; writes are kept within its bounds."""

    id: str
    sort: Sort
    init: int
    min: int | None
    max: int | None
    seen: Literal["all", "none"]
    clauses: tuple[str, ...] | None = None
    set: bool | None = None


@row
class Column:
    """A number for each seat, fixture or piece; `printed`: one that never changes, for each fixture or definition."""

    id: str
    of: Literal["seat", "fixture", "piece"]
    sort: Sort
    set: bool
    init: int
    min: int | None
    max: int | None
    seen: SeenColumn
    printed: tuple[int, ...] | None
    clauses: tuple[str, ...] | None = None


@row
class Definition:
    """What pieces are copies of; without a start, or where `when` does not hold, none are made. `on` is the fixture on
    which they start, in place of a zone."""

    id: str
    kind: Kind
    copies: int
    start: Annotated[int, Row("zones", -1)]
    programs: Mapping[str, Procedure]
    when: Expression | None
    clauses: tuple[str, ...] | None = None
    on: Annotated[int, Row("fixtures")] | None = None


@row
class ProcedureOf:
    """A program: slot 0 is who acts, then the parameters, then the locals. A verb is an event that abilities hear."""

    id: str
    params: int
    slots: int
    body: Statement | None
    verb: bool
    scope: bool
    label: str
    sorts: tuple[SortOrSet, ...] | None = None
    tells: SortOrSet | None = None
    clauses: tuple[str, ...] | None = None
    at: Place | None = None


@row
class Function:
    """A pure function."""

    id: str
    params: int
    slots: int
    value: Expression
    clauses: tuple[str, ...] | None = None
    test: bool | None = None


@row
class Limit:
    """So many uses inside the running frame of a procedure; `later`: not inside the one that runs when it is
    granted; `each`: of a rule, so many by every seat."""

    n: int
    per: ProcedureOrNone
    later: bool | None = None
    each: bool | None = None


@row
class Ability:
    """What answers an event; `late`: also one in whose windows it came into force."""

    id: str
    label: str
    on: Procedure
    phase: Literal["cannot", "before", "instead", "after"]
    of: Bearer
    live: tuple[ProgramZone, ...] | None
    cond: Expression | None
    optional: bool
    asks: Expression | None
    proc: ProcedureOrNone
    limit: Limit | None
    once: bool
    reads: tuple[Json, ...]
    writes: tuple[Json, ...]
    at: Place
    might: Expression | None = None
    shares: Annotated[int, Row("abilities", -1)] | None = None
    ends: tuple[int, ...] | None = None
    clauses: tuple[str, ...] | None = None
    slots: int | None = None
    late: bool | None = None


@row
class Modifier:
    """A continuous change of a column."""

    col: ColumnRow
    of: Bearer
    live: tuple[ProgramZone, ...] | None
    slot: int
    cond: Expression | None
    add: Expression | None
    set: Expression | None
    slots: int | None = None
    at: Place | None = None
    clauses: tuple[str, ...] | None = None


@row
class Aim:
    """What a side wants, read for the seat in slot 0; `only` says whether it is that seat's."""

    id: str
    only: FunctionRow | None
    value: FunctionRow


@row
class ClauseOf:
    """A clause of the rulebook, for those who prove and print it; `numbers`: what it is called in the book of a
    language; `unverified`: what it is known from, where that is not certain."""

    kind: Literal["rule", "definition", "manners"]
    reason: str | None
    numbers: Mapping[str, str] | None
    package: str | None = None
    unverified: str | None = None


@row
class Artefact:
    """A whole package, ready to play."""

    format: Literal["grimoire-artefact"]
    version: int
    hash: str
    package: About
    linked: tuple[Linked, ...]
    languages: tuple[str, ...]
    players: Players
    options: tuple[Option, ...]
    relations: tuple[Relation, ...]
    kinds: tuple[KindOf, ...]
    fixtures: tuple[Fixture, ...]
    zones: tuple[ZoneOf, ...]
    vars: tuple[VariableOf, ...]
    columns: tuple[Column, ...]
    definitions: tuple[Definition, ...]
    procs: tuple[ProcedureOf, ...]
    functions: tuple[Function, ...]
    abilities: tuple[Ability, ...]
    modifiers: tuple[Modifier, ...]
    main: Procedure
    score: FunctionRow | None
    places: tuple[tuple[Json, ...], ...]
    clauses: Mapping[str, ClauseOf]
    text: Mapping[str, Json]
    order: tuple[Order, ...] | None = None
    invariants: tuple[Invariant, ...] | None = None
    aims: tuple[Aim, ...] | None = None


CarryingRow = ProcedureOf | Ability | Modifier | ZoneOf | Column | VariableOf | Definition | Function | Order


def list_carrying_tables(artefact: Artefact) -> Iterator[tuple[str, Sequence[CarryingRow]]]:
    """The tables whose rows may carry clauses."""
    yield "procs", artefact.procs
    yield "abilities", artefact.abilities
    yield "modifiers", artefact.modifiers
    yield "zones", artefact.zones
    yield "columns", artefact.columns
    yield "vars", artefact.vars
    yield "definitions", artefact.definitions
    yield "functions", artefact.functions
    yield "order", artefact.order or ()

"""Link units to the tables of an artefact: rows get their places, references of units become numbers of the tables.

In: a vocabulary and what its units were lowered to, in the order of `units.package_units`. Out: the tables of the
artefact, byte for byte the same whichever units were lowered anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeVar

from grimoire.compiler.declare.model import Counter, PackageModel, Relation, When
from grimoire.compiler.lower.closing import Tables, WaitingRow, close_tables
from grimoire.compiler.lower.forms import as_sort
from grimoire.compiler.lower.numbers import Numbers
from grimoire.compiler.lower.output import (
    Entry,
    Floating,
    LoweredUnit,
    NewAbility,
    NewModifier,
    NewName,
    NewProcedure,
    NewTextColumn,
    PlaceKey,
    Ruling,
    RulingKey,
)
from grimoire.compiler.lower.presence import presence, presence_of_one
from grimoire.compiler.lower.values import bounds_of
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.runtime.core.tables import (
    Ability,
    Aim,
    Column,
    Definition,
    Function,
    Invariant,
    ProcedureOf,
    VariableOf,
)
from grimoire.runtime.core.writing import write, write_row
from grimoire.runtime.plain_data import Json

R = TypeVar("R")
_UNKNOWN: Final = ProcedureOf("", 0, 0, None, False, False, "")


def link_units(
    vocabulary: Vocabulary,
    model: PackageModel,
    units: Sequence[LoweredUnit],
    locate: Callable[[PlaceKey], PlaceKey] | None = None,
) -> dict[str, Json]:
    """The tables of an artefact. The model says what no text hangs on: what is written into the tables as it is
    declared; `locate`, where in the files of the package a place of a unit is."""
    linker = Linker(vocabulary, model, locate)
    linker.take(units)
    close_tables(linker.tables, model)
    return linker.artefact_tables()


class Labels:
    """Two abilities never have one name: options are told apart by it."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def unique(self, label: str) -> str:
        count = self.counts.get(label, 0) + 1
        self.counts[label] = count
        return label if count == 1 else self.unique(f"{label}-{count}")


class Linker:
    """Puts units into one set of tables."""

    def __init__(
        self, vocabulary: Vocabulary, model: PackageModel, locate: Callable[[PlaceKey], PlaceKey] | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.model = model
        self.locate = locate
        self.tables = Tables(len(model.zones))
        self.tables.procs = [_UNKNOWN] * len(model.verbs)
        self.tables.columns = list(vocabulary.column_rows)
        self.tables.variables = [variable_row(model, counter) for counter in model.counters.values()]
        self.places: dict[PlaceKey, int] = {}
        self.rulings: dict[RulingKey, int] = {}
        self.text_columns: dict[str, int] = {}
        self.labels = Labels()
        self.definitions: list[Definition] = []
        self.score: int | None = None
        self.aims: list[Aim] = []
        self.invariants: list[Invariant] = []
        self.floating: list[tuple[Floating, Numbers]] = []

    def fresh(self) -> Numbers:
        model = self.model
        return Numbers(len(model.verbs), len(self.vocabulary.column_rows), len(model.counters))

    # ------------------------------------------------------------ units

    def take(self, units: Sequence[LoweredUnit]) -> None:
        """All units: first those without cards and the texts of cards, then the abilities of cards, then what is
        extra."""
        definitions = self.vocabulary.definitions
        assert definitions is not None
        self.segment(definitions.log, self.fresh())
        cards: list[tuple[LoweredUnit, Numbers]] = []
        extra: list[LoweredUnit] = []
        for unit in units:
            if unit.name.startswith("extra:"):
                extra.append(unit)
                continue
            numbers = self.fresh()
            self.segment(unit.log[: unit.split], numbers)
            if unit.name.startswith("card:"):
                self.definitions.append(self.definition_row(unit, numbers))
                cards.append((unit, numbers))
            else:
                self.finish_unit(unit, numbers)
        self.print_values(units)
        for unit, numbers in sorted(cards, key=lambda pair: not pair[0].lends):
            self.segment(unit.log[unit.split :], numbers)
            self.finish_unit(unit, numbers)
        for unit in extra:
            numbers = self.fresh()
            self.segment(unit.log, numbers)
            self.finish_unit(unit, numbers)
        for one, numbers in self.floating:
            self.tables.floating.append((name_ability(one.ability, numbers), numbers.place_in(one.condition)))

    def segment(self, log: Sequence[Entry], numbers: Numbers) -> None:
        """Number what stands in a stretch of a log; then write its rows with the numbers."""
        tables = self.tables
        procs: list[tuple[int, NewProcedure]] = []
        abilities: list[tuple[int, NewAbility]] = []
        modifiers: list[tuple[int, NewModifier]] = []
        functions: list[tuple[int, Function]] = []
        for entry in log:
            match entry:
                case tuple():
                    numbers.places.append(self.place(entry))
                case Ruling():
                    numbers.functions.append(self.number_ruling(entry))
                case NewTextColumn(slot):
                    numbers.columns.append(self.text_column(slot))
                case NewName(label):
                    numbers.names.append(self.labels.unique(label))
                case Floating():
                    numbers.floating.append(len(self.floating))
                    self.floating.append((entry, numbers))
                case NewProcedure():
                    procs.append((append(tables.procs, entry.row, numbers.procs), entry))
                case NewAbility():
                    abilities.append((append(tables.abilities, entry.row, numbers.abilities), entry))
                case NewModifier():
                    modifiers.append((append(tables.modifiers, entry.row, numbers.modifiers), entry))
                case Function():
                    functions.append((append(tables.functions, entry, numbers.functions), entry))
                case Column():
                    append(tables.columns, entry, numbers.columns)
                case VariableOf():
                    append(tables.variables, entry, numbers.variables)
        for at, proc in procs:
            tables.procs[at] = name_procedure(proc, numbers)
        for at, ability in abilities:
            tables.abilities[at] = name_ability(ability, numbers)
        for at, modifier in modifiers:
            tables.modifiers[at] = numbers.place_in(modifier.row)
        for at, function in functions:
            tables.functions[at] = numbers.place_in(function)

    def finish_unit(self, unit: LoweredUnit, numbers: Numbers) -> None:
        """What of a unit is no row of a log."""
        tables = self.tables
        if unit.verb is not None:
            index, row = unit.verb
            tables.procs[index] = numbers.place_in(row)
        for one in unit.waiting:
            condition, latch = numbers.place_in(one.condition), numbers.place_in(one.latch)
            tables.waiting.append(WaitingRow(name_ability(one.ability, numbers), condition, latch, one.slots))
        for guarded in unit.guarded:
            cheap = None if guarded.cheap is None else numbers.place_in(guarded.cheap)
            number = numbers.abilities[guarded.ability]
            tables.guarded.append((number, numbers.place_in(guarded.guard), cheap))
        if unit.name == "score" and unit.function is not None:
            self.score = numbers.functions[unit.function]
        if unit.aim is not None:
            self.aims.append(numbers.place_in(unit.aim))
        if unit.invariant is not None:
            self.invariants.append(unit.invariant)

    def place(self, key: PlaceKey) -> int:
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = len(self.tables.places)
            self.tables.places.append(key if self.locate is None else self.locate(key))
        return found

    def number_ruling(self, ruling: Ruling) -> int:
        found = self.rulings.get(ruling.key)
        if found is None:
            numbers = self.fresh()
            self.segment(ruling.log, numbers)
            found = self.rulings[ruling.key] = len(self.tables.functions)
            self.tables.functions.append(numbers.place_in(ruling.row))
        return found

    def text_column(self, slot: str) -> int:
        """A number printed on every card that nobody is shown: how many texts it has in a slot."""
        found = self.text_columns.get(slot)
        if found is None:
            found = self.text_columns[slot] = len(self.tables.columns)
            counts = tuple(d.texts(slot) for d in self.model.definitions.values())
            row = Column(f"{slot}.texts", "piece", "number", False, 0, None, None, "none", counts)
            self.tables.columns.append(row)
        return found

    def definition_row(self, unit: LoweredUnit, numbers: Numbers) -> Definition:
        definition = self.model.definitions[unit.name.removeprefix("card:")]
        start = self.model.zones[definition.zone].index if definition.zone in self.model.zones else -1
        programs = {name: numbers.proc(proc) for name, proc in unit.programs.items()}
        for name, proc in programs.items():
            self.tables.programs.setdefault(name, []).append(proc)
            self.tables.texts.setdefault(name, []).append((definition.index, proc))
        kind = self.model.kinds[definition.kind].index
        when = presence(self.model, definition.when)
        thing = self.model.things.get(str(definition.zone))
        on = thing.index if start < 0 and thing is not None else None
        return Definition(definition.id, kind, definition.copies, start, programs, when, definition.clauses or None, on)

    def print_values(self, units: Iterable[LoweredUnit]) -> None:
        """Fill the printed columns: one value a thing or a definition."""
        cards = [unit.values for unit in units if unit.name.startswith("card:")]
        things = next((unit.things for unit in units if unit.name == "things"), {})
        for kind, declared in self.vocabulary.declared:
            if declared.state:
                continue
            row = self.tables.columns[declared.column]
            values = [things.get(name, {}) for name in self.model.things] if kind.sort == "fixture" else cards
            printed = tuple(one.get(declared.column, row.init) for one in values)
            self.tables.columns[declared.column] = replace(row, printed=printed)

    # ------------------------------------------------------------ the artefact

    def artefact_tables(self) -> dict[str, Json]:
        model, tables = self.model, self.tables
        things, kinds = list(model.things), list(model.kinds)
        orders = [
            {"id": row.id, "by": row.by, **({"clauses": list(row.clauses)} if row.clauses else {})}
            for row in model.order.values()
        ]
        kinds_of_cards = {definition.kind for definition in model.definitions.values()}
        narrow = {z.id for z in model.zones.values() if not all(model.is_a(kind, z.holds) for kind in kinds_of_cards)}
        abilities = [write_row(row) for row in tables.abilities]
        for number in tables.hidden:
            abilities[number]["might"] = None
        return {
            "relations": [
                {
                    "id": r.id,
                    "table": [[model.things[m].index for m in r.pairs.get(t, ())] for t in things],
                    **self.conditional_pairs(r),
                    **({"region": True} if r.region else {}),
                }
                for r in model.relations
            ],
            "kinds": [
                {
                    "id": k.id,
                    "sort": k.sort,
                    "is": kinds.index(k.parent) if k.parent else -1,
                    **({"back": True} if k.back else {}),
                    **({"listed": k.listed} if k.listed is not None else {}),
                }
                for k in model.kinds.values()
            ],
            "fixtures": [
                {
                    "id": t.id,
                    "kind": model.kinds[t.kind].index,
                    "holds": model.kinds[t.kind].holds,
                    "seen": model.kinds[t.kind].seen,
                    **self.condition_of(t.when),
                    **({"spot": list(t.spot)} if t.spot is not None else {}),
                }
                for t in model.things.values()
            ],
            "zones": [
                {
                    "id": z.id,
                    "each": z.each,
                    "ordered": z.ordered,
                    "seen": z.seen,
                    **({} if z.counted else {"counted": False}),
                    **({"holds": model.kinds[z.holds].index} if z.id in narrow else {}),
                    **({"clauses": list(z.clauses)} if z.clauses else {}),
                    **self.condition_of(z.when),
                }
                for z in model.zones.values()
            ],
            **({"invariants": write(self.invariants)} if self.invariants else {}),
            **({"order": orders} if orders else {}),
            "vars": write(tables.variables),
            "columns": write(tables.columns),
            "definitions": write(self.definitions),
            "procs": write(tables.procs),
            "functions": write(tables.functions),
            "abilities": abilities,
            "modifiers": write(tables.modifiers),
            "options": [
                {"id": o.id, "sort": o.sort, "values": o.values, "default": o.default} for o in model.options.values()
            ],
            "main": model.verbs["game"].index if "game" in model.verbs else -1,
            "score": self.score,
            **({"aims": write(self.aims)} if self.aims else {}),
            "places": [list(key) for key in tables.places],
        }

    def condition_of(self, when: When) -> dict[str, Json]:
        test = presence(self.model, when)
        return {} if test is None else {"when": write(test)}

    def conditional_pairs(self, relation: Relation) -> dict[str, Json]:
        """The pairs of a relation that options bring, those of one condition together."""
        groups: dict[tuple[When, ...], list[Json]] = {}
        for (owner, member), whens in relation.only.items():
            pair: list[Json] = [self.model.things[owner].index, self.model.things[member].index]
            groups.setdefault(whens, []).append(pair)
        rows: list[Json] = []
        for whens, pairs in groups.items():
            test = presence_of_one(self.model, whens)
            assert test is not None
            rows.append({"when": write(test), "pairs": pairs})
        return {"only": rows} if rows else {}


def append(table: list[R], row: R, numbers: list[int]) -> int:
    """Put a row at the end of a table, and note its number there."""
    numbers.append(len(table))
    table.append(row)
    return len(table) - 1


def name_procedure(made: NewProcedure, numbers: Numbers) -> ProcedureOf:
    row = numbers.place_in(made.row)
    if made.name is None:
        return row
    label = row.id.replace("*", numbers.names[made.name], 1)
    return replace(row, id=label, label=label)


def name_ability(made: NewAbility, numbers: Numbers) -> Ability:
    row = numbers.place_in(made.row)
    if made.name is None:
        return row
    name = numbers.names[made.name]
    return replace(row, id=name, label=name if made.labelled else row.label)


def variable_row(model: PackageModel, counter: Counter) -> VariableOf:
    type_ = counter.type
    start = counter.start if counter.start is not None else 0
    if counter.start_name is not None:
        thing = model.things.get(counter.start_name)
        start = thing.index if thing is not None else -1
    low, high = bounds_of(type_)
    seen: Literal["all", "none"] = "all" if counter.seen == "all" else "none"
    return VariableOf(counter.id, as_sort(type_.sort), start, low, high, seen, counter.clauses or None)


def clause_rows(model: PackageModel) -> dict[str, Json]:
    """The clauses of the ledger as the artefact has them."""
    return {
        c.id: {"kind": c.kind, "reason": c.reason, "numbers": c.numbers, "package": c.package}
        | ({"unverified": c.unverified} if c.unverified is not None else {})
        for c in model.clauses.values()
    }

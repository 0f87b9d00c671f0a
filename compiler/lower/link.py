"""Link units to the tables of an artefact: rows get their places, references of units become numbers of the tables.

In: a vocabulary and what its units were lowered to, in the order of `units.package_units`. Out: the tables of the artefact, byte for
byte the same whichever units were lowered anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from grimoire.compiler.declare.model import Counter, PackageModel
from grimoire.compiler.lower.base import as_sort
from grimoire.compiler.lower.closing import Row, Tables, WaitingRow, close_tables
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
from grimoire.compiler.lower.values import bounds_of
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.tables import Column, Function, VariableOf
from grimoire.runtime.core.walk import walk
from grimoire.runtime.core.writing import write


def link_units(vocabulary: Vocabulary, model: PackageModel, units: Sequence[LoweredUnit]) -> dict[str, Any]:
    """The tables of an artefact. The model says what no text hangs on: what is written into the tables as it is declared."""
    linker = Linker(vocabulary, model)
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

    def __init__(self, vocabulary: Vocabulary, model: PackageModel) -> None:
        self.vocabulary = vocabulary
        self.model = model
        self.tables = Tables(len(model.zones))
        self.tables.procs = [{} for _ in model.verbs]
        self.tables.columns = [write(row) for row in vocabulary.column_rows]
        self.tables.variables = [write(variable_row(model, counter)) for counter in model.counters.values()]
        self.places: dict[PlaceKey, int] = {}
        self.rulings: dict[RulingKey, int] = {}
        self.text_columns: dict[str, int] = {}
        self.labels = Labels()
        self.definitions: list[Row] = []
        self.score: int | None = None
        self.aims: list[Row] = []
        self.invariants: list[Row] = []
        self.floating: list[tuple[Floating, Numbers]] = []

    def fresh(self) -> Numbers:
        model = self.model
        return Numbers(len(model.verbs), len(self.vocabulary.column_rows), len(model.counters))

    # ------------------------------------------------------------ units

    def take(self, units: Sequence[LoweredUnit]) -> None:
        """All units: first those without cards and the texts of cards, then the abilities of cards, then what is extra."""
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
            self.tables.floating.append((self.row(one.ability, numbers), numbers.write(one.condition)))

    def segment(self, log: Sequence[Entry], numbers: Numbers) -> None:
        """Number what stands in a stretch of a log; then write its rows with the numbers."""
        tables = self.tables
        pending: list[tuple[list[Row], int, Entry]] = []
        for entry in log:
            match entry:
                case tuple():
                    numbers.places.append(self.place(entry))
                    continue
                case Ruling():
                    numbers.functions.append(self.ruling(entry))
                    continue
                case NewTextColumn(slot):
                    numbers.columns.append(self.text_column(slot))
                    continue
                case NewName(label):
                    numbers.names.append(self.labels.unique(label))
                    continue
                case Floating():
                    numbers.floating.append(len(self.floating))
                    self.floating.append((entry, numbers))
                    continue
                case NewProcedure():
                    table, known = tables.procs, numbers.procs
                case NewAbility():
                    table, known = tables.abilities, numbers.abilities
                case NewModifier():
                    table, known = tables.modifiers, numbers.modifiers
                case Function():
                    table, known = tables.functions, numbers.functions
                case Column():
                    table, known = tables.columns, numbers.columns
                case VariableOf():
                    table, known = tables.variables, numbers.variables
            known.append(len(table))
            pending.append((table, len(table), entry))
            table.append({})
        for table, at, entry in pending:
            table[at] = self.row(entry, numbers)

    def row(self, entry: Entry, numbers: Numbers) -> Row:
        """A row of a table, as the artefact has it."""
        made: Row
        match entry:
            case NewProcedure(row, name):
                made = numbers.write(row)
                if name is not None:
                    made["id"] = made["label"] = row.id.replace("*", numbers.names[name], 1)
            case NewAbility(ability, name, labelled):
                made = numbers.write(ability)
                if name is not None:
                    made["id"] = numbers.names[name]
                    made["label"] = numbers.names[name] if labelled else ability.label
            case NewModifier(modifier):
                made = numbers.write(modifier)
            case _:
                made = numbers.write(entry)
        return made

    def finish_unit(self, unit: LoweredUnit, numbers: Numbers) -> None:
        """What of a unit is no row of a log."""
        tables = self.tables
        if unit.verb is not None:
            index, row = unit.verb
            tables.procs[index] = numbers.write(row)
        for one in unit.waiting:
            condition, latch = numbers.write(one.condition), numbers.write(one.latch)
            tables.waiting.append(WaitingRow(self.row(one.ability, numbers), condition, latch, one.slots))
        for guarded in unit.guarded:
            made = tables.abilities[numbers.abilities[guarded.ability]]
            tables.guarded.append((made, numbers.write(guarded.guard), numbers.write(guarded.cheap)))
        if unit.name == "score" and unit.function is not None:
            self.score = numbers.functions[unit.function]
        if unit.aim is not None:
            self.aims.append(numbers.write(unit.aim))
        if unit.invariant is not None:
            self.invariants.append(numbers.write(unit.invariant))

    def place(self, key: PlaceKey) -> int:
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = len(self.tables.places)
            self.tables.places.append(list(key))
        return found

    def ruling(self, ruling: Ruling) -> int:
        found = self.rulings.get(ruling.key)
        if found is None:
            numbers = self.fresh()
            self.segment(ruling.log, numbers)
            found = self.rulings[ruling.key] = len(self.tables.functions)
            self.tables.functions.append(numbers.write(ruling.row))
        return found

    def text_column(self, slot: str) -> int:
        """A number printed on every card that nobody is shown: how many texts it has in a slot."""
        found = self.text_columns.get(slot)
        if found is None:
            found = self.text_columns[slot] = len(self.tables.columns)
            counts = [d.texts(slot) for d in self.model.definitions.values()]
            self.tables.columns.append(
                {"id": f"{slot}.texts", "of": "piece", "sort": "number", "set": False, "init": 0, "min": None, "max": None, "seen": "none",
                 "printed": counts}
            )  # fmt: skip
        return found

    def definition_row(self, unit: LoweredUnit, numbers: Numbers) -> Row:
        definition = self.model.definitions[unit.name.removeprefix("card:")]
        start = self.model.zones[definition.zone].index if definition.zone in self.model.zones else -1
        programs = {name: numbers.proc(proc) for name, proc in unit.programs.items()}
        for name, proc in programs.items():
            self.tables.programs.setdefault(name, []).append(proc)
        row: Row = {
            "id": definition.id,
            "kind": self.model.kinds[definition.kind].index,
            "copies": definition.copies,
            "start": start,
            "programs": programs,
            "when": None,
        }
        if definition.clauses:
            row["clauses"] = list(definition.clauses)
        return row

    def print_values(self, units: Iterable[LoweredUnit]) -> None:
        """Fill the printed columns: one value a thing or a definition."""
        cards = [unit.values for unit in units if unit.name.startswith("card:")]
        things = next((unit.things for unit in units if unit.name == "things"), {})
        for kind, declared in self.vocabulary.declared:
            if declared.state:
                continue
            row = self.tables.columns[declared.column]
            start = row["init"]
            if kind.sort == "fixture":
                row["printed"] = [things.get(name, {}).get(declared.column, start) for name in self.model.things]
            else:
                row["printed"] = [values.get(declared.column, start) for values in cards]

    # ------------------------------------------------------------ the artefact

    def artefact_tables(self) -> dict[str, Any]:
        model, tables = self.model, self.tables
        things, kinds = list(model.things), list(model.kinds)
        orders = [
            {"id": row.id, "by": row.by, **({"clauses": list(row.clauses)} if row.clauses else {})}
            for row in model.order.values()
        ]
        return {
            "relations": [
                {"id": r.id, "table": [[model.things[m].index for m in r.pairs.get(t, ())] for t in things]}
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
                    **({"clauses": list(z.clauses)} if z.clauses else {}),
                }
                for z in model.zones.values()
            ],
            **({"invariants": self.invariants} if self.invariants else {}),
            **({"order": orders} if orders else {}),
            "vars": tables.variables,
            "columns": tables.columns,
            "definitions": self.definitions,
            "procs": tables.procs,
            "functions": tables.functions,
            "abilities": tables.abilities,
            "modifiers": tables.modifiers,
            "options": [
                {"id": o.id, "sort": o.sort, "values": o.values, "default": o.default} for o in model.options.values()
            ],
            "main": model.verbs["game"].index if "game" in model.verbs else -1,
            "score": self.score,
            **({"aims": self.aims} if self.aims else {}),
            "places": tables.places,
        }


def variable_row(model: PackageModel, counter: Counter) -> VariableOf:
    type_ = counter.type
    start = counter.start if counter.start is not None else 0
    if counter.start_name is not None:
        thing = model.things.get(counter.start_name)
        start = thing.index if thing is not None else -1
    low, high = bounds_of(type_)
    seen: Literal["all", "none"] = "all" if counter.seen == "all" else "none"
    return VariableOf(counter.id, as_sort(type_.sort), start, low, high, seen, counter.clauses or None)


def option_words(units: Iterable[LoweredUnit]) -> set[str]:
    """The words of all options that these units can offer: entries of menus, and names of abilities."""
    found: set[str] = set()
    labels = Labels()
    for unit in units:
        names: list[str] = []
        for entry in unit.log:
            if isinstance(entry, NewName):
                names.append(labels.unique(entry.label))
            elif isinstance(entry, NewAbility):
                found.add(entry.row.id if entry.name is None else names[entry.name])
        for row in unit.procedures():
            if row.body is not None:
                found.update(part.id for part in walk(row.body) if isinstance(part, st.Entry))
    return found | {part for name in found for part in name.split(":")}

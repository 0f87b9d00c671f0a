"""Link units to the tables of an artefact: rows get their places, references of units become numbers of the tables.

In: a vocabulary and what its units were lowered to, in the order of `units.package_units`. Out: the tables of the artefact, byte for
byte the same whichever units were lowered anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grimoire.compiler.declare.model import Counter, Expr, PackageModel, Type
from grimoire.compiler.lower.closing import Tables, close_tables
from grimoire.compiler.lower.output import Guarded, LoweredUnit, Name, PlaceKey, Row, Ruling, Waiting
from grimoire.compiler.lower.values import bounds_of
from grimoire.compiler.lower.vocabulary import Vocabulary


def link_units(vocabulary: Vocabulary, model: PackageModel, units: Sequence[LoweredUnit]) -> dict[str, Any]:
    """The tables of an artefact. The model says what no text hangs on: what is written into the tables as it is declared."""
    linker = Linker(vocabulary, model)
    linker.take(units)
    close_tables(linker.tables, model)
    return linker.artefact_tables()


class Numbers:
    """What the numbers of one unit stand for in the tables."""

    __slots__ = (
        "abilities", "columns", "first_column", "first_proc", "first_variable", "floating", "functions", "modifiers", "names", "places",
        "procs", "variables",
    )  # fmt: skip

    def __init__(self, verbs: int, columns: int, variables: int) -> None:
        self.first_proc = verbs
        self.first_column = columns
        self.first_variable = variables
        self.places: list[int] = []
        self.functions: list[int] = []
        self.columns: list[int] = []
        self.variables: list[int] = []
        self.procs: list[int] = []
        self.abilities: list[int] = []
        self.modifiers: list[int] = []
        self.names: list[str] = []
        self.floating: list[int] = []

    def proc(self, number: int) -> int:
        return number if number < self.first_proc else self.procs[number - self.first_proc]

    def column(self, number: int) -> int:
        return number if number < self.first_column else self.columns[number - self.first_column]

    def variable(self, number: int) -> int:
        return number if number < self.first_variable else self.variables[number - self.first_variable]

    def ability(self, number: int) -> int:
        return self.abilities[number] if number >= 0 else -self.floating[-number - 1] - 1

    # ------------------------------------------------------------ forms

    def form(self, node: Any) -> Any:
        """An expression, a statement or a list of them with the numbers of the tables."""
        if type(node) is list:
            return self.listed(node)
        return self.statement(node) if type(node) is dict else node

    def listed(self, node: list[Any]) -> list[Any]:
        op = node[0] if node else None
        if op == "slot" or op == "int" or op == "arg":
            return node
        if op == "at":
            return ["at", self.places[node[1]], self.listed(node[2])]
        if op == "fn":
            return ["fn", self.functions[node[1]], *map(self.form, node[2:])]
        if op == "col" or op == "attr":
            return [op, self.column(node[1]), self.listed(node[2])]
        if op == "var":
            return ["var", self.variable(node[1])]
        return [self.form(part) if type(part) is list or type(part) is dict else part for part in node]

    def statement(self, node: dict[str, Any]) -> dict[str, Any]:
        made = {
            key: self.form(part) if type(part) is list or type(part) is dict else part for key, part in node.items()
        }
        if "at" in made:
            made["at"] = self.places[made["at"]]
        op = made.get("op")
        if op == "setcol":
            made["col"] = self.column(made["col"])
        elif op == "setvar":
            made["var"] = self.variable(made["var"])
        elif op == "call":
            made["proc"] = self.proc(made["proc"])
        elif op == "grant":
            made["abilities"] = [self.ability(number) for number in node["abilities"]]
            made["modifiers"] = [self.modifiers[number] for number in node["modifiers"]]
        return made

    def row(self, row: Row) -> Row:
        """A row of a table."""
        made = dict(row)
        for key in ("body", "cond", "asks", "add", "set", "value"):
            if made.get(key) is not None:
                made[key] = self.form(made[key])
        for key in ("id", "label"):
            if isinstance(made.get(key), Name):
                made[key] = self.name(made[key])
        if "at" in made:
            made["at"] = self.places[made["at"]]
        if "proc" in made:
            made["proc"] = self.proc(made["proc"])
        if "shares" in made:
            made["shares"] = self.abilities[made["shares"]]
        return made

    def name(self, name: Name) -> str:
        return f"{name.before}{self.names[name.number]}{name.after}"


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
        self.tables.columns = [dict(row) for row in vocabulary.column_rows]
        self.tables.variables = [variable_row(model, counter) for counter in model.counters.values()]
        self.places: dict[PlaceKey, int] = {}
        self.rulings: dict[tuple[str, str, int, int], int] = {}
        self.text_columns: dict[str, int] = {}
        self.labels = Labels()
        self.definitions: list[Row] = []
        self.score: int | None = None
        self.aims: list[Row] = []
        self.invariants: list[Row] = []

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

    def segment(self, log: list[tuple[str, Any]], numbers: Numbers) -> None:
        """Number what stands in a stretch of a log; then write its rows with the numbers."""
        tables = self.tables
        pending: list[tuple[list[Row], int, Row]] = []
        floating: list[tuple[int, tuple[Row, Expr]]] = []
        for sort, item in log:
            if sort == "place":
                numbers.places.append(self.place(item))
            elif sort == "ruling":
                numbers.functions.append(self.ruling(item))
            elif sort == "texts":
                numbers.columns.append(self.text_column(item))
            elif sort == "name":
                numbers.names.append(self.labels.unique(item))
            elif sort == "floating":
                numbers.floating.append(len(tables.floating))
                floating.append((len(tables.floating), item))
                tables.floating.append(item)
            else:
                table: list[Row] = {
                    "proc": tables.procs,
                    "function": tables.functions,
                    "ability": tables.abilities,
                    "modifier": tables.modifiers,
                    "column": tables.columns,
                    "variable": tables.variables,
                }[sort]
                known: list[int] = {
                    "proc": numbers.procs,
                    "function": numbers.functions,
                    "ability": numbers.abilities,
                    "modifier": numbers.modifiers,
                    "column": numbers.columns,
                    "variable": numbers.variables,
                }[sort]
                known.append(len(table))
                pending.append((table, len(table), item))
                table.append(item)
        for table, at, row in pending:
            table[at] = numbers.row(row)
        for at, (row, condition) in floating:
            tables.floating[at] = (numbers.row(row), numbers.form(condition))

    def finish_unit(self, unit: LoweredUnit, numbers: Numbers) -> None:
        """What of a unit is no row of a log."""
        tables = self.tables
        if unit.verb is not None:
            index, row = unit.verb
            tables.procs[index] = numbers.row(row)
        for one in unit.waiting:
            condition, latch = numbers.form(one.condition), numbers.form(one.latch)
            tables.waiting.append(Waiting(numbers.row(one.made), condition, latch, one.slots))
        for guarded in unit.guarded:
            tables.guarded.append(self.guarded(guarded, numbers))
        if unit.name == "score" and unit.function is not None:
            self.score = numbers.functions[unit.function]
        elif unit.row is not None:
            row = dict(unit.row)
            if unit.name.startswith("aim:"):
                for key in ("only", "value"):
                    row[key] = None if row[key] is None else numbers.functions[row[key]]
                self.aims.append(row)
            else:
                self.invariants.append(row)

    def guarded(self, guarded: Guarded, numbers: Numbers) -> tuple[Row, Any, Any]:
        row = self.tables.abilities[numbers.abilities[guarded.ability]]
        return row, numbers.form(guarded.guard), numbers.form(guarded.cheap)

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
            self.tables.functions.append(numbers.row(ruling.row))
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


def variable_row(model: PackageModel, counter: Counter) -> Row:
    type_: Type = counter.type
    start = counter.start if counter.start is not None else 0
    if counter.start_name is not None:
        thing = model.things.get(counter.start_name)
        start = thing.index if thing is not None else -1
    bounds = bounds_of(type_)
    made = {
        "id": counter.id,
        "sort": type_.sort,
        "init": start,
        "min": bounds[0],
        "max": bounds[1],
        "seen": "all" if counter.seen == "all" else "none",
    }
    if counter.clauses:
        made["clauses"] = list(counter.clauses)
    return made


def option_words(units: Iterable[LoweredUnit]) -> set[str]:
    """The words of all options that these units can offer: entries of menus, and names of abilities."""
    found: set[str] = set()
    labels = Labels()
    for unit in units:
        names: list[str] = []
        for sort, item in unit.log:
            if sort == "name":
                names.append(labels.unique(item))
            elif sort == "ability":
                name = item["id"]
                found.add(names[name.number] if isinstance(name, Name) else str(name))
            elif sort == "proc":
                collect_entries(item["body"], found)
        if unit.verb is not None:
            collect_entries(unit.verb[1]["body"], found)
    return found | {part for name in found for part in name.split(":")}


def collect_entries(node: object, found: set[str]) -> None:
    """The ids of all menu entries below a statement."""
    if isinstance(node, dict):
        for entry in node.get("entries", ()) if node.get("op") in ("menu", None) else ():
            found.update(str(entry["id"]).split(":"))
        for value in node.values():
            collect_entries(value, found)
    elif isinstance(node, list):
        for value in node:
            collect_entries(value, found)

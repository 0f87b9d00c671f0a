"""Close the tables of a package when all of it is lowered: what waits for a state gets its events, footprints, questions.

In: tables with absolute numbers, as `link.py` has put them together. Out: the same tables, ready for the artefact.
"""

from __future__ import annotations

from typing import Any

from grimoire.compiler.declare.model import Expr, PackageModel, Stmt
from grimoire.compiler.lower.asking import Asking
from grimoire.compiler.lower.footprints import Footprints, Print, Secret, both, finish
from grimoire.compiler.records import field, record

_NO: Expr = ["int", 0]
_YES: Expr = ["int", 1]
Row = dict[str, Any]


@record()
class WaitingRow:
    """One ability that waits for a state."""

    made: Row
    condition: Expr
    latch: Expr
    slots: int


@record()
class Tables:
    """The tables that units fill, with absolute numbers."""

    zones: int
    places: list[list[Any]] = field(default_factory=list)
    procs: list[Row] = field(default_factory=list)
    functions: list[Row] = field(default_factory=list)
    abilities: list[Row] = field(default_factory=list)
    modifiers: list[Row] = field(default_factory=list)
    columns: list[Row] = field(default_factory=list)
    variables: list[Row] = field(default_factory=list)
    programs: dict[str, list[int]] = field(default_factory=dict)  # the procedures of a slot's texts
    waiting: list[WaitingRow] = field(default_factory=list)
    floating: list[tuple[Row, Expr]] = field(default_factory=list)
    guarded: list[tuple[Row, Expr, Expr | None]] = field(default_factory=list)

    def footprints(self) -> Footprints:
        return Footprints(self.procs, self.abilities, self.modifiers, self.programs, self.zones, self.functions)


def close_tables(tables: Tables, model: PackageModel) -> None:
    """Footprints, conditions of optional abilities, no needless trials, questions that tell nothing."""

    def bounded(stmt: Stmt) -> bool:
        row = tables.variables[stmt["var"]] if stmt["op"] == "setvar" else tables.columns[stmt["col"]]
        return row["min"] is not None or row["max"] is not None

    if tables.floating:
        hang_floating(tables)
    if tables.waiting:
        hang_on_events(tables)
    secret = secrets_of(model)
    prints = finish(
        tables.procs,
        tables.abilities,
        tables.modifiers,
        tables.functions,
        tables.programs,
        tables.zones,
        bounded,
        tables.guarded,
        secret,
    )
    asking = Asking(secret, prints, tables.functions)
    for proc in tables.procs:
        proc["body"] = asking.statement(proc["body"])


def secrets_of(model: PackageModel) -> Secret:
    """What only some seats see."""
    zones = [zone for zone in model.zones.values() if zone.seen == "owner" and zone.each]
    kinds = {
        kind.index
        for zone in zones
        for kind in model.kinds.values()
        if kind.sort == "piece" and model.fits(kind.id, zone.holds)
    }
    columns = [f.column for kind in model.kinds.values() for f in kind.fields.values() if f.seen == "owner"]
    return Secret([zone.index for zone in zones], kinds, columns)


# ------------------------------------------------------------ what waits for a state


def hang_floating(tables: Tables) -> None:
    """Give each floating ability that waits for a state its rows, one for each event; the first that answers ends them all."""
    prints = tables.footprints()
    changed = prints.own_writes()
    rows: list[list[int]] = []
    for made, condition in tables.floating:
        own = Print()
        prints.expression(condition, own, {})
        heard = [verb for verb, writes in enumerate(changed) if writes & own.reads]
        first = len(tables.abilities)
        rows.append(list(range(first, first + len(heard))))
        for i, verb in enumerate(heard):
            tables.abilities.append({**made, "on": verb, "ends": [i, len(heard) - 1 - i]})
    for proc in tables.procs:
        fill_grants(proc.get("body"), rows, tables.abilities)
    for ability in tables.abilities:
        fill_grants(ability["cond"], rows, tables.abilities)
    for _, guard, cheap in tables.guarded:
        fill_grants(guard, rows, tables.abilities)
        fill_grants(cheap, rows, tables.abilities)


def fill_grants(node: object, rows: list[list[int]], abilities: list[Row]) -> None:
    """Put the rows of floating abilities where a negative number stands for them."""
    if isinstance(node, dict):
        if node.get("op") == "grant":
            granted: list[int] = node["abilities"]
            if any(index < 0 for index in granted):
                granted[:] = [i for index in granted for i in ([index] if index >= 0 else rows[-index - 1])]
                if granted and abilities[granted[0]]["proc"] < 0:
                    abilities[granted[0]]["ends"] = [0, len(granted) + len(node["modifiers"]) - 1]
            return
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            if isinstance(part, dict | list):
                fill_grants(part, rows, abilities)


def hang_on_events(tables: Tables) -> None:
    """Give each waiting ability its events: those that may change what it waits for."""
    prints = tables.footprints()
    changed = prints.own_writes()
    for waiting in tables.waiting:
        own = Print()
        prints.expression(waiting.condition, own, {})
        over = [["!=", waiting.latch, _NO], ["not", waiting.condition]]
        rows = [waiting.made, latch_row(tables, waiting, "over", "after", over, 0)]
        if waiting.made["optional"]:
            begun: list[Expr] = [["==", waiting.latch, _NO], waiting.condition]
            rows.append(latch_row(tables, waiting, "begun", "after", begun, 1))
            rows.append(latch_row(tables, waiting, "asked", "before", [["==", waiting.latch, _YES]], 2))
        for verb, writes in enumerate(changed):
            if writes & own.reads:
                tables.abilities.extend({**row, "on": verb} for row in rows)


def latch_row(tables: Tables, waiting: WaitingRow, name: str, phase: str, tests: list[Expr], value: int) -> Row:
    """An ability that keeps the latch of a waiting one."""
    label = f"{waiting.made['id']}.{name}"
    latch = waiting.latch
    body: Stmt = {"op": "setvar", "var": latch[1], "value": ["int", value]}
    if latch[0] != "var":
        body = {"op": "setcol", "col": latch[1], "of": latch[2], "value": ["int", value]}
    tables.procs.append(
        {
            "id": f"ability:{label}", "params": 0, "slots": waiting.slots, "body": body, "verb": False, "scope": False,
            "label": f"ability:{label}",
        }
    )  # fmt: skip
    row = {
        **waiting.made,
        "id": label,
        "label": label,
        "phase": phase,
        "cond": both(tests),
        "optional": False,
        "asks": None,
    }
    row.pop("clauses", None)
    return {**row, "proc": len(tables.procs) - 1}

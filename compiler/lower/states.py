"""Windows that wait for a state: `as soon as CONDITION`.

There is no event of its own for a condition that becomes true. So the ability hears, afterwards, every event whose own text may change
what the condition reads, and a hidden latch remembers whether it has answered already: it answers once each time the condition becomes
true. The latch is 0 while the condition does not hold, 1 when it has begun to hold, 2 when an optional ability has been asked.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from grimoire.compiler.declare.model import Ability, Definition, Expr, Stmt, Text
from grimoire.compiler.lower.footprints import Footprints, Print
from grimoire.compiler.lower.scope import Scope, Unit
from grimoire.compiler.lower.statements import Statements
from grimoire.compiler.records import record
from grimoire.compiler.syntax import nodes as s

_NO: Expr = ["int", 0]
_YES: Expr = ["int", 1]


@record()
class Waiting:
    """One ability that waits for a state."""

    made: dict[str, Any]
    condition: Expr
    latch: Expr
    unit: Unit


class States(Statements):
    """`as soon as`."""

    latches: list[dict[str, Any]]
    waiting: list[Waiting]
    floating: list[tuple[dict[str, Any], Expr]]  # abilities that wait inside an effect, with their conditions
    guarded: list[tuple[dict[str, Any], Expr | None, Stmt]]  # optional abilities and what must hold to offer them

    def new_latch(self, label: str, owner: Definition | None) -> Expr:
        """A hidden number: of the card that bears the ability, or of the game."""
        row = {"id": f"{label}.latch", "sort": "number", "init": 0, "min": None, "max": None, "seen": "none"}
        if owner is not None:
            self.columns.append({**row, "of": "piece", "set": False, "printed": None})
            return ["col", len(self.columns) - 1, ["slot", 1]]
        self.latches.append(row)
        return ["var", len(self.model.counters) + len(self.latches) - 1]

    def wait_for(
        self, ability: Ability, window: Text, owner: Definition | None, base: int, label: str, scope: Scope
    ) -> None:
        assert ability.do is not None
        if ability.limit is not None:
            self.text = ability.limit
            raise self.problem(
                "G0610",
                ability.limit.node,
                "as soon as answers once each time: it takes no limit",
                "leave the limit out",
            )
        self.text = window
        condition = self.condition(window.node.condition, scope)
        tests = [condition]
        if ability.only is not None and ability.only.ok:
            self.text = ability.only
            tests.append(self.condition(ability.only.node, scope))
        self.text = ability.do
        latch = self.new_latch(label, owner)
        optional, asks, body = self.optional_body(ability.do.node, scope)
        if not optional:
            body = {"op": "seq", "body": [set_latch(latch, 1), body]}
        made: dict[str, Any] = {
            "id": self.unique(label), "label": label, "on": -1, "phase": "after", "of": base, "live": None,
            "cond": self.both([["==", latch, _YES if optional else _NO], *tests]), "optional": optional, "asks": asks, "proc": -1, "limit": None,
            "once": False, "reads": [], "writes": [], "at": self.place(ability.do.node.statements[0].statement),
        }  # fmt: skip
        if ability.clauses:
            made["clauses"] = list(ability.clauses)
        made["proc"] = self.add_proc(f"ability:{made['id']}", 0, scope.unit, body, verb=False)
        self.waiting.append(Waiting(made, self.both(tests), latch, scope.unit))

    def float_state(self, window: s.Window, body: s.Block, scope: Scope, label: str, clauses: tuple[str, ...]) -> int:
        """`as soon as` inside an effect: it answers once, and is gone. Gives the number that stands for its rows in the grant."""
        assert window.condition is not None
        condition = self.condition(window.condition, scope)
        made: dict[str, Any] = {
            "id": self.unique(label), "label": label, "on": -1, "phase": "after", "of": -2, "live": None, "cond": condition, "optional": False,
            "asks": None, "proc": -1, "limit": None, "once": True, "reads": [], "writes": [], "at": self.place(body.statements[0].statement),
        }  # fmt: skip
        if clauses:
            made["clauses"] = list(clauses)
        lowered = self.bounded(self.block(body, scope), body)
        made["proc"] = self.add_proc(f"ability:{made['id']}", 0, scope.unit, lowered, verb=False)
        self.floating.append((made, condition))
        return -len(self.floating)

    def hang_floating(self, prints: Footprints) -> None:
        """Give each floating ability that waits for a state its rows, one for each event; the first that answers ends them all."""
        changed = prints.own_writes()
        rows: list[list[int]] = []
        for made, condition in self.floating:
            own = Print()
            prints.expression(condition, own, {})
            heard = [verb for verb, writes in enumerate(changed) if writes & own.reads]
            first = len(self.tables.abilities)
            rows.append(list(range(first, first + len(heard))))
            for i, verb in enumerate(heard):
                self.tables.abilities.append({**made, "on": verb, "ends": [i, len(heard) - 1 - i]})
        self.floating = []
        for proc in self.tables.procs:
            self.fill_grants(proc.get("body"), rows)
        for ability in self.tables.abilities:
            self.fill_grants(ability["cond"], rows)
        for _, guard, body in self.guarded:
            self.fill_grants(guard, rows)
            self.fill_grants(body, rows)

    def fill_grants(self, node: object, rows: list[list[int]]) -> None:
        if isinstance(node, dict):
            if node.get("op") == "grant":
                abilities: list[int] = node["abilities"]
                if any(index < 0 for index in abilities):
                    abilities[:] = [i for index in abilities for i in ([index] if index >= 0 else rows[-index - 1])]
                    if abilities and self.tables.abilities[abilities[0]]["proc"] < 0:
                        self.tables.abilities[abilities[0]]["ends"] = [0, len(abilities) + len(node["modifiers"]) - 1]
                return
            node = list(node.values())
        if isinstance(node, list):
            for part in node:
                if isinstance(part, dict | list):
                    self.fill_grants(part, rows)

    def hang_on_events(self, prints: Footprints) -> None:
        """Give each waiting ability its events: those that may change what it waits for."""
        changed = prints.own_writes()
        for waiting in self.waiting:
            own = Print()
            prints.expression(waiting.condition, own, {})
            rows = [
                waiting.made,
                self.latch_row(waiting, "over", "after", [["!=", waiting.latch, _NO], ["not", waiting.condition]], 0),
            ]
            if waiting.made["optional"]:
                rows.append(
                    self.latch_row(waiting, "begun", "after", [["==", waiting.latch, _NO], waiting.condition], 1)
                )
                rows.append(self.latch_row(waiting, "asked", "before", [["==", waiting.latch, _YES]], 2))
            for verb, writes in enumerate(changed):
                if writes & own.reads:
                    self.tables.abilities.extend({**row, "on": verb} for row in rows)
        self.waiting = []

    def latch_row(self, waiting: Waiting, name: str, phase: str, tests: list[Expr], value: int) -> dict[str, Any]:
        label = f"{waiting.made['id']}.{name}"
        proc = self.add_proc(
            f"ability:{label}", 0, Unit(label, waiting.unit.slots), set_latch(waiting.latch, value), verb=False
        )
        row = {
            **waiting.made,
            "id": label,
            "label": label,
            "phase": phase,
            "cond": self.both(tests),
            "optional": False,
            "asks": None,
        }
        row.pop("clauses", None)
        return {**row, "proc": proc}

    # ------------------------------------------------------------ supplied by the windows

    @abstractmethod
    def optional_body(self, node: Any, scope: Scope) -> tuple[bool, Expr | None, Stmt]: ...

    @abstractmethod
    def unique(self, label: str) -> str: ...

    @abstractmethod
    def add_proc(self, name: str, params: int, unit: Unit, body: Stmt, verb: bool, **more: Any) -> int: ...


def set_latch(latch: Expr, value: int) -> Stmt:
    if latch[0] == "var":
        return {"op": "setvar", "var": latch[1], "value": ["int", value]}
    return {"op": "setcol", "col": latch[1], "of": latch[2], "value": ["int", value]}

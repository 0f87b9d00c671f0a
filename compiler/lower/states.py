"""Windows that wait for a state: `as soon as CONDITION`.

There is no event of its own for a condition that becomes true. So the ability hears, afterwards, every event whose own text may change
what the condition reads, and a hidden latch remembers whether it has answered already: it answers once each time the condition becomes
true. The latch is 0 while the condition does not hold, 1 when it has begun to hold, 2 when an optional ability has been asked.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from grimoire.compiler.declare.model import Ability, Definition, Expr, Stmt, Text
from grimoire.compiler.lower.output import Name, Waiting
from grimoire.compiler.lower.scope import Scope, Unit
from grimoire.compiler.lower.statements import Statements
from grimoire.compiler.syntax import nodes as s

_NO: Expr = ["int", 0]
_YES: Expr = ["int", 1]


class States(Statements):
    """`as soon as`."""

    def new_latch(self, label: str, owner: Definition | None) -> Expr:
        """A hidden number: of the card that bears the ability, or of the game."""
        row = {"id": f"{label}.latch", "sort": "number", "init": 0, "min": None, "max": None, "seen": "none"}
        if owner is not None:
            return ["col", self.out.column({**row, "of": "piece", "set": False, "printed": None}), ["slot", 1]]
        return ["var", self.out.variable(row)]

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
        name = Name(self.out.name(label))
        made: dict[str, Any] = {
            "id": name, "label": label, "on": -1, "phase": "after", "of": base, "live": None,
            "cond": self.both([["==", latch, _YES if optional else _NO], *tests]), "optional": optional, "asks": asks, "proc": -1, "limit": None,
            "once": False, "reads": [], "writes": [], "at": self.place(ability.do.node.statements[0].statement),
        }  # fmt: skip
        if ability.clauses:
            made["clauses"] = list(ability.clauses)
        made["proc"] = self.add_proc(Name(name.number, "ability:"), 0, scope.unit, body, verb=False)
        self.out.waiting.append(Waiting(made, self.both(tests), latch, scope.unit.slots))

    def float_state(self, window: s.Window, body: s.Block, scope: Scope, label: str, clauses: tuple[str, ...]) -> int:
        """`as soon as` inside an effect: it answers once, and is gone. Gives the number that stands for its rows in the grant."""
        assert window.condition is not None
        condition = self.condition(window.condition, scope)
        name = Name(self.out.name(label))
        made: dict[str, Any] = {
            "id": name, "label": label, "on": -1, "phase": "after", "of": -2, "live": None, "cond": condition, "optional": False,
            "asks": None, "proc": -1, "limit": None, "once": True, "reads": [], "writes": [], "at": self.place(body.statements[0].statement),
        }  # fmt: skip
        if clauses:
            made["clauses"] = list(clauses)
        lowered = self.bounded(self.block(body, scope), body)
        made["proc"] = self.add_proc(Name(name.number, "ability:"), 0, scope.unit, lowered, verb=False)
        return self.out.floating_state(made, condition)

    # ------------------------------------------------------------ supplied by the windows

    @abstractmethod
    def optional_body(self, node: Any, scope: Scope) -> tuple[bool, Expr | None, Stmt]: ...

    @abstractmethod
    def add_proc(self, name: str | Name, params: int, unit: Unit, body: Stmt, verb: bool, **more: Any) -> int: ...


def set_latch(latch: Expr, value: int) -> Stmt:
    if latch[0] == "var":
        return {"op": "setvar", "var": latch[1], "value": ["int", value]}
    return {"op": "setcol", "col": latch[1], "of": latch[2], "value": ["int", value]}

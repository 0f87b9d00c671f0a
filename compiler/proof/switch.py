"""One program with all mutants in it and a switch that selects one: built once instead of once a mutant.

In: an artefact and mutants. Out: an artefact with one more variable, whose value is the number of the mutant that is
on; 0 is none. What cannot be asked while the game is played (the limit of an ability, for one) is changed in the tables
of the built program.
"""

from __future__ import annotations

from typing import Any

from grimoire.compiler.proof.mutate import ALWAYS, PRINTED, Edit, Json, Mutant, break_node
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.play import PASS, Stage
from grimoire.runtime import Package
from grimoire.runtime.build.program import program_for
from grimoire.runtime.kernel.base import VARS

SWITCH = "trace:mutant"
# What is changed in the tables of a program that is built, and what is not accepted from players.
IN_TABLES = frozenset(("limit lifted",))
REFUSED = frozenset(("forced",))
# What a program is built around: each such mutant has to be built.
BUILT = frozenset(
    (
        "seen by others",
        "hidden",
        "counted",
        "in another order",
        "one copy more",
        "values changed",
        "another start value",
    )
)


def is_switchable(mutant: Mutant) -> bool:
    return not any(edit.way in BUILT for edit in mutant.edits)


class _Tree:
    """The edits at and below a place."""

    __slots__ = ("below", "edits")

    def __init__(self) -> None:
        self.below: dict[str | int, _Tree] = {}
        self.edits: list[tuple[int, Edit]] = []


def build_switched(artefact: dict[str, Any], mutants: list[Mutant]) -> dict[str, Any]:
    """The artefact with mutant n of the list on when the switch is n + 1. Those that are not switchable are left
    out."""
    root = _Tree()
    for number, mutant in enumerate(mutants, 1):
        if not is_switchable(mutant):
            continue
        for edit in mutant.edits:
            if edit.way in IN_TABLES or edit.way in REFUSED or edit.way.startswith(PRINTED):
                continue
            at = root
            for key in edit.path:
                at = at.below.setdefault(key, _Tree())
            at.edits.append((number, edit))
    row = {"id": SWITCH, "sort": "number", "init": 0, "min": None, "max": None, "seen": "all"}
    made = _build_node(artefact, root, len(artefact["vars"]))
    return {**made, "vars": [*made["vars"], row]}


def _build_node(node: Json, tree: _Tree, var: int) -> Json:
    plain = node
    if tree.below:
        node = list(node) if isinstance(node, list) else dict(node)
        for key, inner in tree.below.items():
            node[key] = _build_node(plain[key], inner, var)
    for number, edit in tree.edits:
        node = _guard_node(
            node, plain, edit, ["==", ["var", var], ["int", number]], ["!=", ["var", var], ["int", number]]
        )
    return node


def _guard_node(node: Json, plain: Json, edit: Edit, on: Json, off: Json) -> Json:
    """A node that is as it was while its mutant is off. `plain` is the node without any mutant."""
    match edit.way:
        case "holds":
            return _relax_condition(node, on)
        case "fails":
            return ["and", off, node]
        case "not offered":
            return {**node, "guard": off if node.get("guard") is None else ["and", off, node["guard"]]}
        case "emptied":
            return {**node, "body": {"op": "if", "cond": off, "then": node["body"]}}
        case "one more" | "one less":
            return ["if", on, break_node(plain, edit), node]
        case "reversed" | "another value":
            return {**node, "value": ["if", on, break_node(plain, edit)["value"], node["value"]]}
        case "removed":
            if edit.path[0] in ("abilities", "modifiers") and len(edit.path) == 2:
                return {**node, "cond": off if node.get("cond") is None else ["and", off, node["cond"]]}
            return {"op": "if", "cond": off, "then": node}
    return {"op": "if", "cond": on, "then": break_node(plain, edit), "else": node}


def _relax_condition(form: Json, on: Json) -> Json:
    """A condition that also holds while the mutant is on; its parts keep their places, so that a reason can still be
    told."""
    if form[0] == "at":
        return ["at", form[1], _relax_condition(form[2], on)]
    if form[0] == "and":
        return ["and", *(_relax_condition(part, on) for part in form[1:])]
    return ALWAYS if form == ALWAYS else ["or", on, form]


class SwitchStage(Stage):
    """A stage for a switched artefact."""

    def __init__(self, artefact: dict[str, Any], mutants: list[Mutant]) -> None:
        super().__init__(build_switched(artefact, mutants), trusted=True)
        self.mutants = mutants
        self.on = 0
        self.address = VARS + len(artefact["vars"])
        self.changed: list[tuple[Any, str, Any]] = []
        self.reprinted: list[tuple[list[int], int, int]] = []

    def turn(self, number: int) -> None:
        """Turn a mutant on; 0 turns all off."""
        self.on = number

    def ready(self, package: Package, scenario: Scenario) -> None:
        program = program_for(package, scenario.players, dict(scenario.options), fuse=False)
        tables = program.tables
        tables.mem[self.address] = self.on
        for values, at, old in self.reprinted:
            values[at] = old
        self.reprinted.clear()
        for row, name, value in self.changed:
            setattr(row, name, value)
        self.changed.clear()
        for edit in self.mutants[self.on - 1].edits if self.on else ():
            if edit.way in IN_TABLES:
                number = edit.path[1]
                assert isinstance(number, int)
                row = tables.abilities[number]
                self.changed.append((row, "limit", row.limit))
                row.limit = -1
            elif edit.way.startswith(PRINTED):
                _, column, _, definition = edit.path
                cells = program.printed[int(column)]
                assert cells is not None
                for piece, of in enumerate(tables.piece_def):
                    if of == definition:
                        self.reprinted.append((cells, piece, cells[piece]))
                        cells[piece] = int(edit.way.removeprefix(PRINTED))

    def refuses(self, key: str, offered: tuple[str, ...]) -> bool:
        if key != PASS or not self.on:
            return False
        edits = self.mutants[self.on - 1].edits
        names = tuple(self.artefact["abilities"][edit.path[1]]["id"] for edit in edits if edit.way in REFUSED)
        return any(one == name or one.startswith((f"{name}:", f"{name}#")) for one in offered for name in names)


__all__ = ["SWITCH", "SwitchStage", "build_switched", "is_switchable"]

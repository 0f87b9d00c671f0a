"""One program with all mutants in it and a switch that selects one: built once instead of once a mutant.

In: an artefact and mutants. Out: an artefact with one more variable, whose value is the number of the mutant that is
on; 0 is none. What cannot be asked while the game is played (the limit of an ability, for one) is changed in the tables
of the built program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from grimoire.compiler.proof.changes import OTHER_SIDE, Force, LiftLimit, MoveAcross, Print, Switch
from grimoire.compiler.proof.mutate import Edit, Mutant
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.play import PASS, Stage
from grimoire.runtime import Package
from grimoire.runtime.build.listeners import PHASES
from grimoire.runtime.build.program import Program, program_for
from grimoire.runtime.core.expressions import Comparison, Number, ReadVariable
from grimoire.runtime.core.tables import Artefact, VariableOf
from grimoire.runtime.kernel.base import VARS, Ability, Hook

SWITCH: Final = "trace:mutant"
# What is changed in the tables of a program that is built, or not accepted from players.
BY_STAGE: Final = (LiftLimit, Force, MoveAcross, Print)


def is_switchable(mutant: Mutant) -> bool:
    return not any(edit.change.built for edit in mutant.edits)


class _Tree:
    """The edits at and below a place."""

    __slots__ = ("below", "edits")

    def __init__(self) -> None:
        self.below: dict[str | int, _Tree] = {}
        self.edits: list[tuple[int, Edit]] = []


def build_switched(artefact: Artefact, mutants: Sequence[Mutant]) -> Artefact:
    """The artefact with mutant n of the list on when the switch is n + 1. Those that are not switchable are left
    out."""
    root = _Tree()
    for number, mutant in enumerate(mutants, 1):
        if not is_switchable(mutant):
            continue
        for edit in mutant.edits:
            if isinstance(edit.change, BY_STAGE):
                continue
            at = root
            for key in edit.path:
                at = at.below.setdefault(key, _Tree())
            at.edits.append((number, edit))
    made = _build_record(artefact, root, ReadVariable(len(artefact.vars)))
    assert isinstance(made, Artefact)
    return replace(made, vars=(*made.vars, VariableOf(SWITCH, "number", 0, None, None, "all")))


def _build_record(plain: object, tree: _Tree, switch: ReadVariable) -> object:
    record = plain
    if isinstance(plain, tuple):
        listed = list(plain)
        for at, inner in tree.below.items():
            assert isinstance(at, int)
            listed[at] = _build_record(plain[at], inner, switch)
        record = tuple(listed)
    elif tree.below:
        changed = {
            str(name): _build_record(getattr(plain, str(name)), inner, switch) for name, inner in tree.below.items()
        }
        record = replace(plain, **changed)  # type: ignore[type-var]
    for number, edit in tree.edits:
        on, off = (Comparison(op, switch, Number(number)) for op in ("==", "!="))
        record = edit.change.switch(record, plain, Switch(on, off))
    return record


class SwitchStage(Stage):
    """A stage for a switched artefact."""

    def __init__(self, artefact: Artefact, mutants: Sequence[Mutant]) -> None:
        super().__init__(Package(None, build_switched(artefact, mutants)))
        self.mutants = mutants
        self.on = 0
        self.address = VARS + len(artefact.vars)
        self.lifted: list[tuple[Ability, int]] = []
        self.reprinted: list[tuple[list[int], int, int]] = []
        self.moved: list[tuple[Program, Ability]] = []

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
        for row, limit in self.lifted:
            row.limit = limit
        self.lifted.clear()
        for built, row in self.moved:
            move_across(built, row)
        self.moved.clear()
        for edit in self.mutants[self.on - 1].edits if self.on else ():
            if isinstance(edit.change, LiftLimit):
                row = tables.abilities[find_row(edit)]
                self.lifted.append((row, row.limit))
                row.limit = -1
            elif isinstance(edit.change, MoveAcross):
                row = tables.abilities[find_row(edit)]
                if row.key >= 0:
                    move_across(program, row)
                    self.moved.append((program, row))
            elif isinstance(edit.change, Print):
                cells = program.printed[find_row(edit)]
                assert cells is not None
                for piece, of in enumerate(tables.piece_def):
                    if of == edit.path[-1]:
                        self.reprinted.append((cells, piece, cells[piece]))
                        cells[piece] = edit.change.value

    def refuses(self, key: str, offered: tuple[str, ...]) -> bool:
        if key != PASS or not self.on:
            return False
        edits = [edit for edit in self.mutants[self.on - 1].edits if isinstance(edit.change, Force)]
        names = [self.artefact.abilities[find_row(edit)].id for edit in edits]
        return any(one == name or one.startswith((f"{name}:", f"{name}#")) for one in offered for name in names)


def move_across(program: Program, row: Ability) -> None:
    """Have a built program answer an event on its other side, or on its first one again."""
    tables = program.tables
    old, phase = row.key, PHASES.index(OTHER_SIDE[PHASES[row.phase]])
    new = old - row.phase + phase
    row.phase, row.key = phase, new
    for instance, at in enumerate(tables.instance_ability):
        if at == row.index and instance in tables.index[old]:
            tables.index[old] = [other for other in tables.index[old] if other != instance]
            tables.index[new] = sorted([*tables.index[new], instance])
    for hooks in tables.hooks:
        for number, hook in enumerate(hooks):
            if hook.key == old and tables.instance_ability[hook.instance] == row.index:
                hooks[number] = Hook(hook.instance, new, hook.live)
    moved = tuple(blind for blind in tables.blind[old] if blind.ability == row.index)
    tables.blind[old] = tuple(blind for blind in tables.blind[old] if blind.ability != row.index)
    tables.blind[new] = (*tables.blind[new], *moved)


def find_row(edit: Edit) -> int:
    """The number of the row of a table that is broken, or in which something is."""
    number = edit.path[1]
    assert isinstance(number, int)
    return number


__all__ = ["SWITCH", "SwitchStage", "build_switched", "is_switchable"]

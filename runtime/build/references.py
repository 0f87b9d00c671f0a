"""What the code of a package refers to: worked out once, for any number of players and any options."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grimoire.runtime.build.block_liveness import NO_WAYS, block_live
from grimoire.runtime.build.inlining import find_assigned, only_inlinable, own_leaves
from grimoire.runtime.core.analysis import body_of, first_place_of, max_slot, statements_in
from grimoire.runtime.core.expressions import EventArgument, IsRunning, ReadSetting
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.statements import (
    Call,
    EndGame,
    ForEach,
    Grant,
    Leave,
    Poll,
    Propose,
    Repeat,
    RunProgram,
    SetSetting,
)
from grimoire.runtime.core.tables import Ability, Artefact, Limit, ProcedureOf
from grimoire.runtime.core.walk import Finder


class Needs:
    """What the statements in a form need hidden slots for."""

    __slots__ = ("calls", "loops", "polls")

    def __init__(self) -> None:
        self.loops = 0
        self.polls = 0
        self.calls: list[Propose | Call] = []

    def count(self, record: object) -> None:
        """Count one record of a form."""
        if isinstance(record, ForEach) or (isinstance(record, Repeat) and record.times is not None):
            self.loops += 1
        elif isinstance(record, Poll):
            self.polls += 1
        elif isinstance(record, Propose | Call):
            self.calls.append(record)


_NOTED: Final = Finder(
    Call,
    EndGame,
    EventArgument,
    ForEach,
    Grant,
    IsRunning,
    Leave,
    Limit,
    Poll,
    Propose,
    ReadSetting,
    Repeat,
    SetSetting,
)


class References:
    """What the procedures, functions, abilities and modifiers of an artefact refer to."""

    def __init__(self, artefact: Artefact) -> None:
        self.artefact = artefact
        self.procs: list[ProcedureOf] = []  # leaving a procedure from within itself is written as a return
        self.programs: dict[str, list[int]] = {}  # name -> procedure for each definition
        self.bearers: set[int] = set()  # programs of definitions: slot 1 is the piece
        self.framed: set[int] = set()  # procedures that must have a frame of their own
        self.limited: set[int] = set()  # ... that limits count by
        self.lasting: set[int] = set()  # ... that floating effects last as long as
        self.refers: dict[int, set[int]] = {}  # the procedures that refer to the frame of one (-1: something else does)
        self.settings: dict[int, set[int]] = {}  # slots of a procedure that others read
        self.changed: set[tuple[int, int]] = set()  # procedure and slot that others write
        self.arg_slots: set[int] = set()  # slots of events that abilities read
        self.outcomes: dict[str, int] = {"done": 0}
        self.ability_captures: dict[int, int] = {}  # most values that a floating ability captures
        self.modifier_captures: dict[int, int] = {}
        self.captures: dict[int, int] = {}  # procedure of an ability -> most values captured
        self.sites: dict[int, int] = {}  # how many statements call a procedure, with what is only tried in conditions
        self.callers: dict[int, int] = {}  # the same without
        self.called_by: dict[int, set[int]] = {}  # the procedures in which they stand
        self.recursive: set[int] = set()
        self.abilities: set[int] = set()  # procedures of abilities
        self.statements: list[int] = []  # how many each procedure has
        self.calls: list[list[Propose | Call]] = []  # those of each procedure, without what is only tried
        self.needs: list[Needs] = []  # of each procedure
        self.function_needs: list[Needs] = []
        self.ability_needs: list[Needs] = []
        self.modifier_needs: list[Needs] = []
        self.touched = find_touching(artefact.abilities)
        self._places: dict[int, int] = {}
        self._ability_slots: dict[int, int] = {}
        self._assigned: dict[int, set[int]] = {}
        self._read_first: dict[int, set[int]] = {}
        self._inlinable: dict[tuple[int, bool], bool] = {}
        self._scan()
        self._find_calls()

    # -- asked by the builders, answered once

    def place_of(self, proc: int) -> int:
        """The number of the place of a procedure, or -1."""
        found = self._places.get(proc)
        if found is None:
            row = self.procs[proc]
            found = self._places[proc] = first_place_of(row.body) if row.at is None else row.at
        return found

    def find_assigned(self, proc: int) -> set[int]:
        """Every slot that the body of a procedure writes or binds, and those that others write."""
        found = self._assigned.get(proc)
        if found is None:
            found = find_assigned(self.procs[proc].body) | {slot for of, slot in self.changed if of == proc}
            self._assigned[proc] = found
        return found

    def read_first(self, proc: int) -> set[int]:
        """The slots that the body of a procedure may read before it has written them."""
        found = self._read_first.get(proc)
        if found is None:
            found = self._read_first[proc] = block_live(body_of(self.procs[proc].body), set(), NO_WAYS)
        return found

    def ability_slots(self, at: int) -> int:
        """How many slots the conditions of an ability mention."""
        found = self._ability_slots.get(at)
        if found is None:
            row = self.artefact.abilities[at]
            found = self._ability_slots[at] = slots_of((row.cond, row.asks, row.might))
        return found

    def only_inlinable(self, proc: int, waits: bool) -> bool:
        """Whether the body of a procedure has none of what needs a window of its own."""
        key = (proc, waits)
        found = self._inlinable.get(key)
        if found is None:
            found = self._inlinable[key] = only_inlinable(self.procs[proc].body, waits)
        return found

    # -- one look at everything

    def _scan(self) -> None:
        definitions = self.artefact.definitions
        for at, definition in enumerate(definitions):
            for name, proc in definition.programs.items():
                self.programs.setdefault(name, [-1] * len(definitions))[at] = proc
                self.bearers.add(proc)
        for at, row in enumerate(self.artefact.procs):
            noted = _NOTED.find(row)
            if row.body is not None and any(type(one) is Leave and one.proc == at for one in noted):
                row = replace(row, body=own_leaves(row.body, at))
                noted = _NOTED.find(row)
            self.procs.append(row)
            self.needs.append(self._look(noted, at))
        self.function_needs = [self._look(_NOTED.find(row), -1) for row in self.artefact.functions]
        self.ability_needs = [self._look(_NOTED.find(row), -1) for row in self.artefact.abilities]
        self.modifier_needs = [self._look(_NOTED.find(row), -1) for row in self.artefact.modifiers]
        for at, ability in enumerate(self.artefact.abilities):
            captured = self.ability_captures.get(at, 0)
            self.captures[ability.proc] = max(self.captures.get(ability.proc, 0), captured)
            self.abilities.add(ability.proc)
        self.framed |= self.limited | self.lasting

    def _look(self, noted: list[object], proc: int) -> Needs:
        needs = Needs()
        for record in noted:
            needs.count(record)
            self._note(record, proc)
        return needs

    def _note(self, record: object, proc: int) -> None:
        match record:
            case Propose() | Call():
                called = find_called(record)
                self.sites[called] = self.sites.get(called, 0) + 1
            case EndGame():
                self.outcomes.setdefault(record.outcome, len(self.outcomes))
            case IsRunning():
                self._refer(record.procedure, proc)
            case ReadSetting():
                self._refer(record.procedure, proc)
                self.settings.setdefault(record.procedure, set()).add(record.slot)
            case Leave():
                self._refer(record.proc, proc)
            case SetSetting():
                self._refer(record.proc, proc)
                self.changed.add((record.proc, record.slot))
            case EventArgument():
                self.arg_slots.add(record.slot)
            case Limit():
                if record.per >= 0:
                    self.limited.add(record.per)
            case Grant():
                self._note_grant(record)

    def _note_grant(self, grant: Grant) -> None:
        if grant.until >= 0:
            self.lasting.add(grant.until)
        captured = len(grant.captures)
        for at in grant.abilities:
            self.ability_captures[at] = max(self.ability_captures.get(at, 0), captured)
        for at in grant.modifiers:
            self.modifier_captures[at] = max(self.modifier_captures.get(at, 0), captured)

    def _refer(self, proc: int, user: int) -> None:
        """Something refers to the running frame of a procedure."""
        self.framed.add(proc)
        self.refers.setdefault(proc, set()).add(user)

    def _find_calls(self) -> None:
        """How many places call each procedure, and which ones can come back to themselves."""
        reached: list[int] = []  # by each procedure: a mask
        called: list[list[int]] = []
        for at, row in enumerate(self.procs):
            calls: list[Propose | Call] = []
            found: list[int] = []
            self.statements.append(0 if row.body is None else self._list_calls(row.body, calls, found))
            self.calls.append(calls)
            called.append(found)
            for proc in found:
                self.callers[proc] = self.callers.get(proc, 0) + 1
                self.called_by.setdefault(proc, set()).add(at)
            reached.append(_mask(found))
        changed = True
        while changed:
            changed = False
            for at, found in enumerate(called):
                mask = reached[at]
                for proc in found:
                    mask |= reached[proc]
                if mask != reached[at]:
                    reached[at] = mask
                    changed = True
        self.recursive = {at for at, mask in enumerate(reached) if mask >> at & 1}

    def _list_calls(self, statement: Statement, calls: list[Propose | Call], found: list[int]) -> int:
        """Note what a statement calls, and the procedures called; how many statements there are."""
        if type(statement) is Propose or type(statement) is Call:
            calls.append(statement)
            found.append(find_called(statement))
        elif type(statement) is RunProgram:
            found.extend(proc for proc in self.programs.get(statement.name, []) if proc >= 0)
        n = 1
        for child in statements_in(statement):
            n += self._list_calls(child, calls, found)
        return n


def find_called(statement: Propose | Call) -> int:
    """The procedure that a statement calls."""
    return statement.verb if isinstance(statement, Propose) else statement.proc


def _mask(numbers: list[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def slots_of(forms: tuple[Expression | None, ...]) -> int:
    """How many slots a window needs for what forms mention."""
    return 1 + max([max_slot(form) for form in forms if form is not None], default=-1)


def find_touching(abilities: tuple[Ability, ...]) -> list[int]:
    """For each ability those whose order with it can matter, as a mask: one writes what the other reads or writes."""
    reads = [list(map(str, row.reads)) for row in abilities]
    writes = [list(map(str, row.writes)) for row in abilities]
    readers: dict[str, int] = {}
    writers: dict[str, int] = {}
    for at in range(len(abilities)):
        for name in reads[at]:
            readers[name] = readers.get(name, 0) | 1 << at
        for name in writes[at]:
            writers[name] = writers.get(name, 0) | 1 << at
    found: list[int] = []
    for at in range(len(abilities)):
        mask = 0
        for name in reads[at]:
            mask |= writers.get(name, 0)
        for name in writes[at]:
            mask |= writers[name] | readers.get(name, 0)
        found.append(mask)
    return found

"""Flat code while it is being written: operations, notes for liveness, labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core.analysis import Form, free_slots
from grimoire.runtime.core.records import Statement
from grimoire.runtime.kernel import ops
from grimoire.runtime.kernel.base import Op, Unit


class Note:
    """What an operation reads, where it leads (label, slots written on the way), and the statements of a block.

    It reads slots of its own and those of its forms, but for the ones that stand beside a form: these were written
    before. What that comes to is worked out when somebody saves a game (`liveness`).
    """

    __slots__ = ("block", "edges", "forms", "own")

    def __init__(
        self,
        edges: list[tuple[int, set[int]]],
        own: set[int] | None = None,
        forms: Sequence[tuple[Form, set[int]]] = (),
        block: Sequence[Statement] | None = None,
    ) -> None:
        self.edges = edges
        self.own = own
        self.forms = forms
        self.block = block

    def reads(self) -> set[int]:
        """The slots that the operation reads."""
        found = set() if self.own is None else set(self.own)
        for form, written in self.forms:
            found |= free_slots(form) - written
        return found


def plain(*forms: Form | None) -> list[tuple[Form, set[int]]]:
    """Forms that read all their slots from outside."""
    return [(form, NO_SLOTS) for form in forms if form is not None]


NO_SLOTS: Final[set[int]] = set()


class Exits:
    """Where a statement may lead besides going on: labels, and where it leaves its result."""

    __slots__ = ("after", "again", "extras", "stop")

    def __init__(self, extras: int, after: int = -1, stop: int = -1, again: int = -1) -> None:
        self.extras = (
            extras  # the slots of the event, or of the call written into the code, whose result a return gives
        )
        self.after = after  # of where a return goes: the after window of an event, the end of an inlined call
        self.stop = stop
        self.again = again

    def in_loop(self, stop: int, again: int) -> Exits:
        """The same inside a loop."""
        return Exits(self.extras, self.after, stop, again)


class Code:
    """Flat code while it is being written; jump targets are labels until ``link``."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.notes: list[Note] = []
        self.labels: list[int] = []
        self.own_after = -1  # label of the after window of the event whose code it is
        self.paying: list[tuple[int, int, int]] = []  # first, last + 1, goal

    def label(self) -> int:
        self.labels.append(-1)
        return len(self.labels) - 1

    def mark(self, label: int) -> None:
        self.labels[label] = len(self.ops)

    def emit(self, op: Op, note: Note) -> None:
        op.pc = len(self.ops)
        self.ops.append(op)
        self.notes.append(note)

    def jump(self, label: int) -> None:
        op = ops.Jump()
        op.next = label
        self.emit(op, Note([(label, NO_SLOTS)]))

    def link(self, unit: Unit) -> None:
        """Resolve the labels, jumps to jumps included."""
        thread: list[int] = []
        for pc in self.labels:
            seen = 0
            while pc >= 0:
                op = self.ops[pc]
                if not isinstance(op, ops.Jump) or seen > len(self.ops):
                    break
                pc = self.labels[op.next]
                seen += 1
            thread.append(pc)
        for op in self.ops:
            op.relink(thread)
        for op in self.ops:
            if isinstance(op, ops.Jump):
                op.next = thread[op.next]
        for note in self.notes:
            note.edges = [(thread[label], kills) for label, kills in note.edges]
        for op in map(ops.strip_counters, self.ops):
            if isinstance(op, ops.InlineStart) and op.proc >= 0:
                unit.since.append(op.since)
        unit.code = self.ops
        if self.paying:
            unit.paying = [-1] * len(self.ops)
            for first, last, goal in reversed(self.paying):
                for pc in range(first, last):
                    unit.paying[pc] = goal


class FlatWriter:
    """Writes statements that may wait into flat code."""

    @abstractmethod
    def write(self, statement: Statement | None, code: Code, scope: Scope, exits: Exits) -> None:
        """Write a statement."""

    @abstractmethod
    def write_block(self, run: Sequence[Statement], code: Code, scope: Scope, exits: Exits) -> None:
        """Write statements that cannot wait as one block."""

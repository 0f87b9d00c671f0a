"""Flat code while it is being written: operations, notes for liveness, labels."""

from __future__ import annotations

from grimoire.runtime import ops
from grimoire.runtime.base import Op, Unit
from grimoire.runtime.build_expr import Scope
from grimoire.runtime.forms import Json


class Note:
    """What an operation reads, where it leads (label, slots written on the way), and the statements of a block."""

    __slots__ = ("block", "edges", "reads")

    def __init__(self, reads: set[int], edges: list[tuple[int, set[int]]], block: list[Json] | None = None) -> None:
        self.reads = reads
        self.edges = edges
        self.block = block


class Code:
    """Flat code while it is being written; jump targets are labels until ``link``."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.ops: list[Op] = []
        self.notes: list[Note] = []
        self.labels: list[int] = []
        self.after = -1  # label of where a return goes: the after window of an event, the end of an inlined call
        self.extras = scope.extras  # where it leaves its result
        self.own_after = -1  # the same of the unit itself
        self.loops: list[tuple[int, int]] = []  # (stop, again)
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
        self.emit(op, Note(set(), [(label, set())]))

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
        unit.code = self.ops
        if self.paying:
            unit.paying = [-1] * len(self.ops)
            for first, last, goal in reversed(self.paying):
                for pc in range(first, last):
                    unit.paying[pc] = goal

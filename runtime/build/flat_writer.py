"""Flat code while it is being written: operations, notes for liveness, labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core.analysis import Form, free_slots
from grimoire.runtime.core.records import Statement
from grimoire.runtime.kernel import blocks, cells, ops
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

    def link(self, unit: Unit, fuse: bool) -> None:
        """Resolve the labels, jumps to jumps included; where one block leads to another, join them."""
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
        if fuse:
            merge_blocks(self.ops)
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


# Statements that may end otherwise than by going on (or ending the game).
LEAVING: Final = (
    blocks.Branch,
    blocks.Foreach,
    blocks.PayDirect,
    blocks.Repeat,
    blocks.Return,
    blocks.Seq,
    blocks.Signal,
    blocks.Track,
    blocks.When,
    blocks.WhenAny,
    blocks.WhenBoth,
    cells.WhenAbove,
)


def goes_on(block: ops.Block) -> bool:
    """Whether a block can only go on, or end the game."""
    return not any(isinstance(part, LEAVING) for part in block.parts)


def merge_blocks(code: list[Op]) -> None:
    """A block that leads to another one runs that as well; so does the head of a loop over seats that sets a variable
    first."""
    for pc in range(len(code) - 1, -1, -1):
        op = code[pc]
        if isinstance(op, ops.Block) and 0 <= op.next < len(code):
            after = code[op.next]
            if isinstance(after, ops.Block) and after is not op:
                if goes_on(op):
                    code[pc] = join_blocks(op, after, after)
                elif goes_on(after) or op.leads_out_like(after):
                    code[pc] = join_blocks(op, after, op)
    for op in code:
        if isinstance(op, ops.SeatsNext):
            first = code[op.next]
            if isinstance(first, ops.Single) and isinstance(first.stmt, cells.SetVarSlot) and first.stmt.i == op.i:
                op.address = first.stmt.address
                op.next = first.next


def join_blocks(first: ops.Block, second: ops.Block, out: ops.Block) -> ops.Block:
    """Two blocks as one, with the ways out of one of them."""
    block = ops.Block(blocks.Seq([*first.parts, *second.parts]), out.extras)
    block.pc, block.next = first.pc, second.next
    block.stop, block.again, block.after = out.stop, out.again, out.after
    return block

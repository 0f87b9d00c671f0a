"""Imagine: a position as one seat could think it is. It follows from what the seat sees and from chance, from nothing else.

Pieces that the seat does not know are dealt out anew, within their kind, among the places of such pieces; numbers that it does not see
stand as at the start; what is covered where nobody counts lies together; answers to an open poll that it has not heard are given anew;
future chance is another. Two positions that differ
only in what the seat cannot see are imagined alike, with one exception: a piece that pending work may refer to stays where it is
(slots have no sorts, so every number that could be one counts).
"""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import VARS
from grimoire.runtime.kernel.menus import PollOp
from grimoire.runtime.kernel.rng import Dice, stream, stream_key
from grimoire.runtime.kernel.selectors import bits
from grimoire.runtime.kernel.state import State

_KEY: Final = stream_key("imagined")
_WORD: Final = 1 << 32


class Imagination:
    """What the tables of a program say about this, read once."""

    def __init__(self, program: Program) -> None:
        p = program
        definitions = p.artefact.definitions
        self.tables = p.tables
        self.live = p.live_slots()
        self.uncounted = sorted(p.uncounted)
        self.kinds = [definitions[d].kind for d in p.piece_def]
        self.columns = [p.known]  # what lies on a piece stays at its place
        self.pointers: list[tuple[int, bool]] = []  # cells that name a piece, or a set of them
        self.unseen: list[tuple[int, int, int]] = []  # cells not seen by all: address, start, who sees it or -1
        for at, variable in enumerate(p.artefact.vars):
            if variable.sort == "piece":
                self.pointers.append((VARS + at, bool(variable.set)))
            if variable.seen != "all":
                self.unseen.append((VARS + at, variable.init, -1))
        for row, base in p.stored_columns():
            if row.of == "piece":
                self.columns.append(base)
            elif row.seen != "all":
                for i in range(p.size(row.of)):
                    owner = i if row.seen == "owner" and row.of == "seat" else -1
                    self.unseen.append((base + i, row.init, owner))
            if row.sort == "piece":
                self.pointers.extend((base + i, row.set) for i in range(p.size(row.of)))

    def position(self, g: State, seat: int, dice: Dice) -> State:
        """The position of a waiting game, as the seat that is asked may imagine it."""
        other = g.copy_for(stream(_KEY, dice.below(_WORD) * _WORD + dice.below(_WORD)))
        if self.uncounted:
            self.gather(other)
        swap = self.deal(other, seat, dice)
        mem = other.mem
        old = g.mem
        for base in self.columns:
            for before, after in swap.items():
                mem[base + after] = old[base + before]
        for address, many in self.pointers:
            value = mem[address]
            if many:
                mem[address] = sum(1 << swap.get(x, x) for x in bits(value))
            elif value in swap:
                mem[address] = swap[value]
        for address, first, owner in self.unseen:
            if owner != seat:
                mem[address] = first
        op = other.waiter()
        if isinstance(op, PollOp):
            answer_anew(op, other, seat, dice)
        trial.refresh(other)
        return other

    def deal(self, g: State, seat: int, dice: Dice) -> dict[int, int]:
        """Give the places of unknown pieces other pieces, and say which piece became which."""
        known = g.mem
        base = self.tables.known
        bit = 1 << seat
        kinds = self.kinds
        pinned = self.pinned(g)
        groups: dict[int, list[int]] = {}
        for zone in g.zones:
            for piece in zone:
                if not known[base + piece] & bit and piece not in pinned:
                    groups.setdefault(kinds[piece], []).append(piece)
        swap: dict[int, int] = {}
        for kind in sorted(groups):
            there = groups[kind]
            dealt = sorted(there)  # the order must not depend on where they really are
            dice.shuffle(dealt)
            swap.update(zip(there, dealt, strict=True))
        loc = g.loc
        hooks = self.tables.hooks
        touched: dict[int, None] = {}
        moves: list[tuple[int, int, int]] = []
        for before, after in swap.items():
            if before != after:
                touched[loc[before]] = None
                if loc[before] != loc[after]:
                    moves.append((after, loc[after], loc[before]))
        for place in touched:
            g.zones[place] = [swap.get(piece, piece) for piece in g.zones[place]]
        for piece, was, now in moves:
            loc[piece] = now
            if hooks[piece]:
                g.rehook(piece, was, now)
        return swap

    def gather(self, g: State) -> None:
        """Where nobody is told how many pieces lie, what is covered lies in the first such zone that shows a piece of its kind."""
        hooks = self.tables.hooks
        pinned = self.pinned(g)
        zones = [zone for zone in self.uncounted if g.zones[zone]]
        for kind in sorted({self.kinds[g.zones[zone][-1]] for zone in zones}):
            among = [zone for zone in zones if self.kinds[g.zones[zone][-1]] == kind]
            loose = sorted(
                piece
                for zone in among
                for piece in g.zones[zone][:-1]
                if self.kinds[piece] == kind
                and piece not in pinned
                and not any(hook.live[place] for hook in hooks[piece] for place in self.uncounted)
            )
            for zone in among:
                g.zones[zone] = [piece for piece in g.zones[zone] if piece not in loose]
            g.zones[among[0]] = loose + g.zones[among[0]]
            for piece in loose:
                g.loc[piece] = among[0]

    def pinned(self, g: State) -> set[int]:
        """Pieces that frames or floating effects may refer to."""
        n = len(self.kinds)
        found: set[int] = set()
        values: set[int] = set()
        slots = g.slots
        frames = g.frames
        for at in range(0, len(frames), 3):
            base = frames[at + 2]
            values.update([slots[base + i] for i in self.live.at(frames[at], frames[at + 1])])
        values.update([slots[g.base + i] for i in self.live.at(g.unit, g.pc)])
        for effect in g.floats.values():
            values.update(effect.captures)
        for value in values:
            if value < 0:
                continue
            if value < n:
                found.add(value)
            found.update(x for x in bits(value) if x < n)
            while value >> 31:
                if 0 <= (value & 0xFFFFFFFF) - (1 << 31) < n:
                    found.add((value & 0xFFFFFFFF) - (1 << 31))
                value >>= 32
        return found


def answer_anew(op: PollOp, g: State, seat: int, dice: Dice) -> None:
    """In an open poll, every other seat answers at random: what it has answered cannot be known."""
    for other in op.asked(g, g.base):
        if other != seat:
            op.ask(g, g.base, other)
            if g.opts:
                op.answer(g, g.base, other, dice.below(len(g.opts)))
    g.slots[g.base + op.hidden] = 1 << seat

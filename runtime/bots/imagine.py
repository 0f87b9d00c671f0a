"""Imagine: a position as one seat could think it is. It follows from what the seat sees and from chance alone.

Pieces that the seat does not know are dealt out anew (`play/dealer.py`); numbers that it does not see stand as at the
start; what is covered where nobody counts lies together; answers to an open poll that it has not heard are given anew;
future chance is another. Two positions that differ only in what the seat cannot see are imagined alike, as long as the
same kinds of pieces lie in the same places.
"""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import VARS
from grimoire.runtime.kernel.rng import Dice, stream, stream_key
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.dealer import Dealer, answer_polls

_KEY: Final = stream_key("imagined")
_WORD: Final = 1 << 32


class Imagination:
    """What the tables of a program say about this, read once."""

    def __init__(self, program: Program) -> None:
        self.dealer = Dealer(program)
        self.unseen: list[tuple[int, int, int]] = []  # cells not seen by all: address, start, who sees it or -1
        for at, variable in enumerate(program.artefact.vars):
            if variable.seen != "all":
                self.unseen.append((VARS + at, variable.init, -1))
        for row, base in program.stored_columns():
            if row.of != "piece" and row.seen != "all":
                for i in range(program.size(row.of)):
                    owner = i if row.seen == "owner" and row.of == "seat" else -1
                    self.unseen.append((base + i, row.init, owner))

    def position(self, g: State, seat: int, dice: Dice) -> State:
        """The position of a waiting game, as the seat that is asked may imagine it."""
        other = g.copy_for(stream(_KEY, dice.below(_WORD) * _WORD + dice.below(_WORD)))
        dealer = self.dealer
        pinned = dealer.find_pinned(other)
        if dealer.uncounted:
            dealer.spread_covered(other, seat, pinned, lambda zones: zones[0])
        free = [piece for piece in dealer.unknown(other, seat) if piece not in pinned]
        dealer.carry_out(other, dealer.deal(other, free, dice))
        for address, first, owner in self.unseen:
            if owner != seat:
                other.mem[address] = first
        answer_polls(other, seat, dice, all_others=True)
        trial.refresh(other)
        return other

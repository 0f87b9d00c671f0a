"""Decisions: what one seat is asked, with its options and where the question comes from."""

from __future__ import annotations

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.names import Names
from grimoire.runtime.play.options import Option, option_at
from grimoire.runtime.play.source import Source, source_of


class Decision:
    """What one seat is asked, with everything as it was when the decision was read: it does not change when the game
    goes on.

    ``number`` tells the questions of one seat apart, those taken back included: ``choose`` can be given it.
    """

    def __init__(self, program: Program, g: State, seat: int, number: int) -> None:
        """What the seat is asked in a state whose options are those of the seat."""
        op = g.waiter()
        names = Names(program, g, seat)
        self.seat = seat
        self.number = number
        self.label = op.label(g, g.base)
        self.options: tuple[Option, ...] = tuple(option_at(names, op, i) for i in range(len(g.opts)))
        self.keys: tuple[str, ...] = tuple(option.key for option in self.options)
        # the card, ability or event that the question comes from, as far as the seat may know it
        self.source: Source | None = source_of(program, g, seat)

    @property
    def prompt(self) -> str:
        """The id of the question."""
        return self.label

    def __repr__(self) -> str:
        return f"<Decision p{self.seat + 1} {self.label}: {', '.join(self.keys)}>"

"""Worth: what a position is worth to a seat, by the aims of the package; and which aims the winners of a game had."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.base import Expr
from grimoire.runtime.kernel.state import State

WON: Final = 1 << 60  # to have won is more than any aim
NOBODY: Final = "nobody"


class Worth:
    """The aims of a program, ready to be read. Without aims the score counts; without either, only to win."""

    def __init__(self, program: Program) -> None:
        self.aims: list[tuple[Expr | None, Expr]] = []
        self.sides: list[Expr] = []  # what is not the aim of everybody tells the sides apart
        self.side_ids: list[str] = []
        self.window = 0
        for row in program.artefact.aims or ():
            only = None
            if row.only is not None:
                only = self.read(program, row.only)
                self.sides.append(only)
                self.side_ids.append(row.id)
            self.aims.append((only, self.read(program, row.value)))
        if not self.aims and program.artefact.score is not None:
            self.aims.append((None, self.read(program, program.artefact.score)))

    def read(self, program: Program, function: int) -> Expr:
        """A function by its number."""
        found = program.function(function)
        self.window = max(self.window, found.window)
        return found.value

    def of(self, g: State, seat: int) -> int:
        """What the position is worth to a seat: the sum of the aims that count for it."""
        total = 0
        if g.over >= 0:
            total = WON if (g.winners >> seat) & 1 else -WON
        base = self.stand(g, seat)
        for only, value in self.aims:
            if only is None or only.test(g, base):
                total += value.ev(g, base)
        return total

    def sides_of(self, g: State, seat: int) -> list[str]:
        """The sides that a seat is on."""
        base = self.stand(g, seat)
        return [name for name, only in zip(self.side_ids, self.sides, strict=True) if only.test(g, base)]

    def won(self, g: State) -> int:
        """Which sides have won a game that is over: a mask of them."""
        mask = 0
        for at, only in enumerate(self.sides):
            for seat in range(g.tables.seats):
                if (g.winners >> seat) & 1 and only.test(g, self.stand(g, seat)):
                    mask |= 1 << at
        return mask

    def name_winners(self, winners: int, sides: int) -> str:
        """Who has won: the sides; where there are none, the seats."""
        if sides:
            return " + ".join(name for at, name in enumerate(self.side_ids) if (sides >> at) & 1)
        return " + ".join(f"p{seat + 1}" for seat in range(winners.bit_length()) if (winners >> seat) & 1) or NOBODY

    def stand(self, g: State, seat: int) -> int:
        """Make room behind all frames, with the seat as `you`."""
        base = g.base + g.units[g.unit].window
        g.room(base + self.window)
        g.slots[base] = seat
        return base

"""Names: how a seat calls pieces, places, seats and abilities, from nothing but what it knows of them."""

from __future__ import annotations

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.alike import alike
from grimoire.runtime.kernel.events import ability_of, bearer_of
from grimoire.runtime.kernel.selectors import bits, by_place
from grimoire.runtime.kernel.state import State


class Names:
    """How a seat names things. ``seat`` -1 knows everything."""

    def __init__(self, program: Program, g: State, seat: int) -> None:
        self.program = program
        self.g = g
        self.seat = seat

    def knows(self, piece: int) -> bool:
        """Whether the seat knows what the piece is."""
        return self.seat < 0 or bool((self.g.mem[self.program.known + piece] >> self.seat) & 1)

    def place(self, piece: int) -> str:
        """A piece by its place: ``zone#n``, counted from the bottom; from the top where nobody may know how many there
        are.
        """
        zone = self.g.loc[piece]
        if zone < 0:
            return "nowhere"
        return f"{self.program.zone_names[zone]}#{self.height(zone, piece)}"

    def height(self, zone: int, piece: int) -> int:
        pieces = self.g.zones[zone]
        at = pieces.index(piece)
        return len(pieces) - at if zone in self.program.uncounted and self.seat >= 0 else at + 1

    def piece(self, piece: int) -> str:
        """A piece by definition and zone if the seat knows it, with its place where that does not tell it apart."""
        if not self.knows(piece):
            return self.place(piece)
        p, g = self.program, self.g
        name = str(p.definition_names[p.piece_def[piece]])
        zone = g.loc[piece]
        if zone < 0:
            return name
        text = f"{name}@{p.zone_names[zone]}"
        for other in g.zones[zone]:
            if other != piece and p.piece_def[other] == p.piece_def[piece] and self.knows(other):
                if not alike(g, piece, other, p.tables.piece_columns):
                    return f"{text}#{self.height(zone, piece)}"
        return text

    def members(self, sort: str, mask: int) -> list[int]:
        """A set in an order that tells the seat nothing new: pieces by zone and place, and of those out of play first
        the known ones.
        """
        if sort != "piece":
            return bits(mask)
        found = by_place(self.g, mask)
        lost = [piece for piece in found if self.g.loc[piece] < 0]
        return [*found[: len(found) - len(lost)], *sorted(lost, key=lambda piece: not self.knows(piece))]

    def value(self, sort: str, value: int) -> str | int:
        """A value of a sort; nothing is ``none``."""
        if sort in ("number", "flag"):
            return value
        if value < 0:
            return "none"
        if sort == "piece":
            return self.piece(value) if value < len(self.program.piece_def) else f"?{value}"
        p = self.program
        found = p.seat_names if sort == "seat" else p.fixture_names if sort == "fixture" else p.zone_names
        return str(found[value]) if value < len(found) else f"?{value}"

    def instance(self, instance: int) -> str:
        """An ability in force: its id, with the bearing piece."""
        a = ability_of(self.g, instance)
        piece = bearer_of(self.g, instance)
        if piece >= 0:
            return f"{a.id}:{self.piece(piece)}"
        static = len(self.program.tables.instance_ability)
        if instance < static:
            return a.id
        alikes = [s for s, e in sorted(self.g.floats.items()) if not e.modifies and e.which == a.index]
        at = alikes.index(instance - static)
        return a.id if len(alikes) == 1 else f"{a.id}#{at + 1}"

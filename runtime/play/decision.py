"""Decisions: options derived from the state, with keys in the terms of the seat that decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.base import NO_OPTION, WaitOp
from grimoire.runtime.kernel.events import FIRST, IN_TURN, WindowOp, ability_of, bearer_of
from grimoire.runtime.kernel.menus import ChooseOp, MenuOne, MenuOp, MenuPlain, alike
from grimoire.runtime.kernel.selectors import bits, by_place
from grimoire.runtime.kernel.state import State

if TYPE_CHECKING:
    from grimoire.runtime.play.source import Source


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen."""

    key: str
    label: str
    values: tuple[str | int, ...]


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
        """A piece by its place: ``zone#n``, counted from the bottom; from the top where nobody may know how many there are."""
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
        """A set in an order that tells the seat nothing new: pieces by zone and place, and of those out of play first the known ones."""
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
        alikes = [s for s, e in sorted(self.g.floats.items()) if e[0] == 0 and e[1] == a.index]
        at = alikes.index(instance - static)
        return a.id if len(alikes) == 1 else f"{a.id}#{at + 1}"


def option_at(names: Names, op: WaitOp, i: int) -> Option:
    """Option number i of the options derived."""
    g = names.g
    if isinstance(op, MenuOp):
        if g.opts[i] == NO_OPTION:
            return Option("pass", "pass", ())
        entry = op.entries[0 if isinstance(op, MenuOne) else g.opts[i]]
        raw: tuple[int, ...] = ()
        if isinstance(op, MenuOne):
            raw = (g.opts[i],)
        elif not isinstance(op, MenuPlain):
            raw = g.vals[i]
        values = tuple(names.value(domain.sort, x) for domain, x in zip(entry.domains, raw, strict=True))
        return Option(":".join([entry.id, *[str(value) for value in values]]), entry.id, values)
    if isinstance(op, ChooseOp):
        if g.opts[i] < 0:
            return Option("done", "done", ())
        value = names.value(op.sort, g.opts[i])
        return Option(str(value), op.text, (value,))
    assert isinstance(op, WindowOp)
    if g.opts[i] == IN_TURN:
        return Option("in-turn", "in-turn", ())
    if g.opts[i] <= FIRST:
        seat = names.program.seat_names[FIRST - g.opts[i]]
        return Option(seat, "who-first", (seat,))
    if g.opts[i] < 0:
        return Option("pass", "pass", ())
    piece = bearer_of(g, g.opts[i])
    return Option(
        names.instance(g.opts[i]), ability_of(g, g.opts[i]).label, (names.piece(piece),) if piece >= 0 else ()
    )


def write_choice(g: State, op: WaitOp, seat: int, i: int) -> None:
    """Log the decision for option i. What abilities are used, or passed, shows in what follows, if at all."""
    log = g.log
    if log is None:
        return
    if isinstance(op, ChooseOp):
        x = g.opts[i]
        log.choice(g, seat, op.text, op.text if x >= 0 else "done", [op.sort] if x >= 0 else [], [x] if x >= 0 else [])
    elif isinstance(op, MenuOp) and g.opts[i] == NO_OPTION:
        log.choice(g, seat, op.text, "pass", [], [])
    elif isinstance(op, MenuOp):
        entry = op.entries[0 if isinstance(op, MenuOne) else g.opts[i]]
        values: list[int] = []
        if isinstance(op, MenuOne):
            values = [g.opts[i]]
        elif not isinstance(op, MenuPlain):
            values = list(g.vals[i])
        log.choice(g, seat, op.text, entry.id, [domain.sort for domain in entry.domains], values)


class Decision:
    """What one seat is asked, with everything as it was when the decision was read: it does not change when the game goes on.

    ``number`` tells the questions of one seat apart, those taken back included: ``choose`` can be given it.
    """

    def __init__(self, program: Program, g: State, seat: int, number: int) -> None:
        """What the seat is asked in a state whose options are those of the seat."""
        from grimoire.runtime.play.source import source_of

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

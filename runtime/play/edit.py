"""Editing a position, for scenarios: every edit is checked, and the pending decision is derived again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from grimoire.runtime.artefact import arguments
from grimoire.runtime.core.tables import Column, VariableOf
from grimoire.runtime.errors import EditError, GrimoireError
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import VARS, X_SINCE
from grimoire.runtime.kernel.nodes import HUGE
from grimoire.runtime.play.listener_index import rebuild_index
from grimoire.runtime.play.protocols import EditedGame
from grimoire.runtime.play.start import run_first

Value = int | str | bool | None
Given = Value | Sequence[Value]
LONGEST: Final = 60  # digits of a number given as a text: more than any that is played with


def ids_of(rows: Sequence[VariableOf | Column]) -> str:
    """The ids of what there is, for a message."""
    return ", ".join(row.id for row in rows) or "none"


class Position:
    """An editor of a game's state. Edits end the history for undo."""

    def __init__(self, game: EditedGame) -> None:
        self.game = game
        self.program = game.program
        self.state = game.state

    # -- edits

    def set_var(self, ident: str, value: Given) -> None:
        """Give a variable a value: a number, the id of what it names, or for a set a list of them."""
        rows = self.program.artefact.vars
        for at, row in enumerate(rows):
            if row.id == ident:
                self._write(VARS + at, row, value, f"variable {ident}")
                return
        raise EditError(f"there is no variable {ident!r}; there are {ids_of(rows)}")

    def set_col(self, ident: str, of: Value, value: Given) -> None:
        """Give a column of an object a value."""
        rows = self.program.artefact.columns
        for at, row in enumerate(rows):
            if row.id == ident:
                base = self.program.column_base[at]
                if base < 0:
                    raise EditError(f"column {ident} is printed and cannot be changed")
                o = self.resolve(row.of, of)
                if o < 0:
                    raise EditError(f"column {ident}: {of!r} is nothing")
                self._write(base + o, row, value, f"column {ident}")
                return
        raise EditError(f"there is no column {ident!r}; there are {ids_of(rows)}")

    def move(self, piece: str | tuple[str, int], zone: str, seat: int | None = None) -> None:
        """Move a piece (by definition, or by zone and index from the bottom) to the top of a zone."""
        number = self._piece(piece)
        z = self.zone(zone, seat)
        below = [other for other in self.state.zones[z] if other != number]
        self.state.move(number, z, True, 3)
        self.state.reorder(z, [*below, number])  # as it is said, where a zone has no order as well
        self._know(z, number)
        self._settle()

    def set_zone(self, zone: str, definitions: Sequence[str], seat: int | None = None) -> None:
        """Make these the top pieces of a zone, bottom to top; what lay there takes the places of what was brought."""
        g = self.state
        z = self.zone(zone, seat)
        taken: list[int] = []
        for ident in arguments.check_list(definitions, f"zone {zone}", EditError):
            taken.append(self._bring(ident, z, taken))
        spare = [piece for piece in g.zones[z] if piece not in taken]
        for piece in taken:
            home = g.loc[piece]
            if home != z and home >= 0:
                at = g.zones[home].index(piece)
                del g.zones[home][at]
                if spare:
                    other = spare.pop()
                    g.zones[home].insert(at, other)
                    g.loc[other] = home
                    self._know(home, other)
            g.loc[piece] = z
        g.zones[z] = spare + taken
        for piece in taken:
            self._know(z, piece)
        rebuild_index(g)
        self._settle()

    def start(self, proc: str, you: int = 0, args: Sequence[Value] = ()) -> None:
        """Replace the pending work by a call of a procedure (an event, if it is a verb); then the game is over."""
        rows = self.program.artefact.procs
        arguments.seat(you, self.program.seats, EditError)
        arguments.check_list(args, "what a procedure takes", EditError)
        for at, row in enumerate(rows):
            if row.id == proc:
                if len(args) != row.params:
                    raise EditError(f"{proc} takes {row.params} arguments, not {len(args)}")
                sorts = row.sorts or ("number",) * row.params
                values = [self.resolve(sort, value) for sort, value in zip(sorts, args, strict=True)]
                self._start(self.program.unit_of(at), [you, *values])
                return
        there = ", ".join(row.id for row in rows if ":" not in row.id)
        raise EditError(f"there is no procedure {arguments.show_value(proc)}; there are {there}")

    def lay(self, zones: Mapping[str, Sequence[str]]) -> None:
        """Give several zones (by full name) exactly these pieces, bottom to top.

        What lay there and is listed nowhere goes under the zone where it starts the game, or out of play if that is
        listed too. The other zones keep what they have, but for what is taken from them.
        """
        g, p = self.state, self.program
        wanted = {
            self.zone(name): [
                self._definition(ident) for ident in arguments.check_list(idents, f"zone {name}", EditError)
            ]
            for name, idents in arguments.table(zones, "zones are given as {name: [pieces]}", EditError).items()
        }
        loose = [piece for zone in wanted for piece in g.zones[zone]]
        taken = self._find(wanted, loose)
        for piece in loose:
            g.move(piece, -1, True, 1)
        for zone, pieces in taken.items():
            for piece in pieces:
                g.move(piece, zone, True, 1)
                self._know(zone, piece)
            g.reorder(zone, pieces[:])  # the same holds here
        for piece in loose:
            start = p.layout.find_start(p.piece_def[piece])
            if g.loc[piece] < 0 and start not in wanted:
                g.move(piece, start, False, 1)
                self._know(start, piece)
        self._settle()

    def settle(self) -> None:
        """Run on if the edits left the pending decision without options."""
        g = self.state
        if g.waiting and not g.opts:
            self.game.note_edit()
            run_first(g)

    # -- names

    def zone(self, name: str, seat: int | None = None) -> int:
        """A zone by its id (with a seat if each seat has one) or by its full name."""
        full = name if seat is None else f"{name}.p{arguments.seat(seat, self.program.seats, EditError) + 1}"
        if full in self.program.zone_names:
            found = self.program.zone_names.index(full)
            if found in self.program.layout.absent_zones:
                raise EditError(f"{full} is not there with the options of this game")
            return found
        raise EditError(
            f"there is no zone {arguments.show_value(full)}; there are {', '.join(self.program.zone_names)}"
        )

    def resolve(self, sort: str, value: Value) -> int:
        """A value of a sort from a number, an id, or None for nothing."""
        p = self.program
        arguments.text(sort, "a sort", EditError)
        if sort in ("number", "flag"):
            if isinstance(value, str) and len(value) <= LONGEST and value.removeprefix("-").isdecimal():
                value = int(value)
            if not isinstance(value, int) or not -HUGE < value < HUGE or (sort == "flag" and value not in (0, 1)):
                raise EditError(
                    f"{arguments.show_value(value)} is no {sort}" + (": it is 0 or 1" if sort == "flag" else "")
                )
            return int(value)
        if value is None:
            return -1
        if isinstance(value, int) and not isinstance(value, bool):
            limit = self._count(sort)
            if not -1 <= value < limit:
                raise EditError(f"{arguments.show_value(value)} is out of range for a {sort} (0 to {limit - 1})")
            return int(value)
        if not isinstance(value, str):
            raise EditError(f"{arguments.show_value(value)} is no {sort}{self._there(sort)}")
        if value == "none":
            return -1
        if sort == "seat" and value in p.seat_names:
            return p.seat_names.index(value)
        if sort == "fixture" and value in p.fixture_names:
            found = p.fixture_names.index(value)
            if found in p.layout.absent:
                raise EditError(f"{value} is not there with the options of this game")
            return found
        if sort == "zone":
            return self.zone(value)
        if sort == "piece":
            return self._piece(value)
        raise EditError(f"{arguments.show_value(value)} is no {sort}{self._there(sort)}")

    # -- inside

    def _count(self, sort: str) -> int:
        """How many of a sort a set can hold."""
        p = self.program
        found = {"seat": p.seats, "fixture": len(p.fixture_names), "piece": len(p.piece_def), "zone": len(p.zone_names)}
        return found.get(sort, HUGE.bit_length() - 1)

    def _there(self, sort: str) -> str:
        names = {"seat": self.program.seat_names, "fixture": self.program.fixture_names}.get(sort, [])
        return f"; there are {', '.join(names[:30])}{', ...' if len(names) > 30 else ''}" if names else ""

    def _write(self, address: int, row: VariableOf | Column, value: Given, what: str) -> None:
        number = self._set(row.sort, value, what) if row.set else self._one(row.sort, value, what)
        low, high = row.min, row.max
        if (low is not None and number < low) or (high is not None and number > high):
            raise EditError(f"{what} goes from {low} to {high}; {number} is outside")
        self.state.put(address, number)
        self._settle()

    def _one(self, sort: str, value: Given, what: str) -> int:
        if value is not None and not isinstance(value, int | str):
            raise EditError(f"{what} is one {sort}, not {value!r}")
        return self.resolve(sort, value)

    def _set(self, sort: str, value: Given, what: str) -> int:
        """The mask of a set: from a list of values, or the mask itself."""
        if value is None:
            return 0
        if isinstance(value, int) and value >= 0:
            if value.bit_length() > self._count(sort):
                raise EditError(
                    f"{what} is a set of {sort}s: {arguments.show_value(value)} names some that there are not"
                )
            return value
        if isinstance(value, int | str):
            raise EditError(f"{what} is a set: give a list of {sort}s, not {arguments.show_value(value)}")
        mask = 0
        for item in value:
            number = self.resolve(sort, item)
            if not 0 <= number < self._count(sort):
                raise EditError(f"{what} is a set: {arguments.show_value(item)} cannot be in it")
            mask |= 1 << number
        return mask

    def _piece(self, piece: str | tuple[str, int]) -> int:
        g, p = self.state, self.program
        if not isinstance(piece, str):
            if not isinstance(piece, tuple) or len(piece) != 2:
                raise EditError(f"a piece is its definition, or (zone, number), not {arguments.show_value(piece)}")
            z = self.zone(piece[0])
            if not isinstance(piece[1], int) or not 0 <= piece[1] < len(g.zones[z]):
                raise EditError(
                    f"zone {piece[0]} has {len(g.zones[z])} pieces, there is no number {arguments.show_value(piece[1])}"
                )
            return g.zones[z][piece[1]]
        ident, _, place = piece.partition("@")
        zone, _, which = place.partition("#")
        if ident not in p.definition_names:
            raise EditError(f"there is no definition {ident!r}")
        if zone:
            self.zone(zone)
        for z, pieces in enumerate(g.zones):
            if not zone or p.zone_names[z] == zone:
                found = [number for number in pieces if p.definition_names[p.piece_def[number]] == ident]
                if which.isdecimal() and len(which) <= LONGEST and 1 <= int(which) <= len(found):
                    return found[int(which) - 1]
                if found and not which:
                    return found[-1]
        raise EditError(f"there is no piece {ident} in {place}" if zone else f"no piece {ident} is in play")

    def _bring(self, ident: str, zone: int, taken: list[int]) -> int:
        g, p = self.state, self.program
        if ident not in p.definition_names:
            raise EditError(f"there is no definition {ident!r}")
        for pieces in [g.zones[zone], *g.zones]:
            for number in reversed(pieces):
                if number not in taken and p.definition_names[p.piece_def[number]] == ident:
                    return number
        raise EditError(f"there are not enough pieces of {ident} for this zone")

    def _definition(self, ident: str) -> int:
        if ident not in self.program.definition_names:
            raise EditError(f"there is no definition {ident!r}")
        return self.program.definition_names.index(ident)

    def _find(self, wanted: dict[int, list[int]], loose: list[int]) -> dict[int, list[int]]:
        """Pieces of the definitions wanted: first what lies in the zones listed, then what is elsewhere."""
        g, p = self.state, self.program
        rest = [piece for piece in range(len(p.piece_def)) if g.loc[piece] not in wanted]
        pools: dict[int, list[int]] = {}
        for piece in [*loose, *rest]:
            pools.setdefault(p.piece_def[piece], []).append(piece)
        taken: dict[int, list[int]] = {}
        for zone, definitions in wanted.items():
            taken[zone] = []
            for definition in definitions:
                pool = pools.get(definition, [])
                if not pool:
                    raise EditError(f"there are not enough pieces of {p.definition_names[definition]}")
                taken[zone].append(pool.pop(0))
        return taken

    def _start(self, unit: int, args: list[int]) -> None:
        g = self.state
        mark = g.mark()
        try:
            if g.log is not None:
                g.log.leave(g, -1)
            g.begin(unit, args)
            u = g.units[unit]
            if g.log is not None and u.event:
                g.slots[u.extras + X_SINCE] = g.log.begin(g, u.proc, 0)
            run_first(g)
        except GrimoireError:
            g.undo(mark)
            trial.refresh(g)
            raise
        finally:
            g.drop()
        self.game.note_edit()

    def _know(self, zone: int, piece: int) -> None:
        """Those that see into the zone know the piece; what is covered in a zone that shows its top is not known."""
        p, g = self.program, self.state
        g.put(p.known + piece, p.sees[zone])
        if p.sees_top[zone] and g.zones[zone]:
            g.put(p.known + g.zones[zone][-1], p.everyone)

    def _settle(self) -> None:
        self.game.note_edit()
        trial.refresh(self.state)

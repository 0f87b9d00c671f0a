"""Draw a view of a game as text: grids, zones, counters, a table of the players.

In: the view of a seat (plain JSON), the tables of the artefact and the words of a language. Out: rich renderables. The
layout follows from the view alone; no game is known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grimoire.compiler.wording import Words, coordinate

MARKS: Final = "XO#@*+%&"
COLORS: Final = ("cyan", "yellow", "magenta", "green", "red", "blue", "bright_cyan", "bright_yellow")
FREE: Final = "·"
_OWN_TABLES: Final = ("current-player", "first-player")


def mark_of(seat: int) -> str:
    """The mark of a seat (from 0) on a grid."""
    return MARKS[seat] if seat < len(MARKS) else chr(ord("a") + seat - len(MARKS))


def seat_style(seat: int) -> str:
    return COLORS[seat % len(COLORS)]


def styled_seat(words: Words, name: str) -> Text:
    """A seat `p1` by its name in its colour."""
    number = int(name[1:])
    return Text(words.seat(number), style=seat_style(number - 1))


class Painter:
    """Draws the views of one package in one language."""

    def __init__(self, document: Mapping[str, Any], words: Words) -> None:
        self.document = document
        self.words = words
        self.sorts = {row["id"]: row["sort"] for row in (*document["columns"], *document["vars"])}
        self.kind_of = {row["id"]: row["kind"] for row in document["fixtures"]}
        kinds = document["kinds"]
        self.above: list[set[str]] = []
        for row in kinds:
            names = {row["id"]}
            while row["is"] >= 0:
                row = kinds[row["is"]]
                names.add(row["id"])
            self.above.append(names)

    def paint(self, view: Mapping[str, Any]) -> RenderableType:
        parts: list[RenderableType] = []
        parts.extend(self._grids(view))
        parts.extend(self._things(view))
        zones = self._zones(view)
        if zones is not None:
            parts.append(zones)
        counters = self._counters(view)
        if counters is not None:
            parts.append(counters)
        seats = self._seats(view)
        if seats is not None:
            parts.append(seats)
        return Group(*parts)

    # --- fixtures

    def _columns_of(self, view: Mapping[str, Any], fixture: str) -> dict[str, Any]:
        """The states that a fixture really has: those of its kind and of the kinds above it."""
        above = self.above[self.kind_of[fixture]]
        return {id_: value for id_, value in view["fixtures"][fixture].items() if id_.partition(".")[0] in above}

    def _grids(self, view: Mapping[str, Any]) -> list[RenderableType]:
        """Each kind of fixture whose ids are coordinates, as a grid; row 1 is at the bottom."""
        cells: dict[int, dict[tuple[int, int], str]] = {}
        for row in self.document["fixtures"]:
            place = coordinate(row["id"])
            if place is not None:
                cells.setdefault(row["kind"], {})[place] = row["id"]
        drawn: list[RenderableType] = []
        for found in cells.values():
            if len(found) < 4:
                continue
            width, height = 1 + max(x for x, _ in found), 1 + max(y for _, y in found)
            lines = Text()
            for y in range(height - 1, -1, -1):
                lines.append(f"{y + 1:>3} ", style="dim")
                for x in range(width):
                    id_ = found.get((x, y))
                    mark, style = (" ", "") if id_ is None else self._cell(view, id_)
                    lines.append(f" {mark}", style=style)
                lines.append("\n")
            lines.append("    " + "".join(f" {chr(ord('a') + x)}" for x in range(width)), style="dim")
            drawn.append(lines)
            owners = Text("    ")
            for seat in range(view["players"]):
                owners.append(f" {mark_of(seat)}", style=seat_style(seat))
                owners.append(f" {self.words.seat(seat + 1)} ")
            drawn.append(owners)
        return drawn

    def _cell(self, view: Mapping[str, Any], id_: str) -> tuple[str, str]:
        for piece in view["zones"].get(id_, []):
            return ("?" if piece["id"] is None else self.words.name(piece["id"])[:1]), "bold"
        for column, value in self._columns_of(view, id_).items() if id_ in view["fixtures"] else ():
            if value == "none" or (value == 0 and isinstance(value, int)):
                continue
            if self.sorts[column] == "seat":
                return mark_of(int(value[1:]) - 1), "bold " + seat_style(int(value[1:]) - 1)
            if isinstance(value, int):
                return (str(value) if 0 <= value <= 9 else "+"), "bold"
            return self.words.value(value)[:1], "bold"
        return FREE, "dim"

    def _things(self, view: Mapping[str, Any]) -> list[RenderableType]:
        """Fixtures with states that lie on no grid, as lines."""
        lines = Text()
        for id_ in view["fixtures"]:
            if coordinate(id_) is not None:
                continue
            states = {
                column: value
                for column, value in self._columns_of(view, id_).items()
                if value not in ("none", []) and value != 0
            }
            if states:
                said = ", ".join(
                    f"{self.words.heading(c)}: {self.words.value(v, self.sorts[c])}" for c, v in states.items()
                )
                lines.append(f"{self.words.name(id_)} ", style="bold")
                lines.append(said + "\n")
        lines.rstrip()
        return [lines] if lines.plain else []

    # --- zones

    def _zones(self, view: Mapping[str, Any]) -> RenderableType | None:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        for id_, pieces in view["zones"].items():
            if coordinate(id_) is not None:
                continue
            if id_ in self.kind_of and not pieces:
                continue  # empty spaces of a board say nothing
            table.add_row(self.words.zone(id_), self._pieces(view, pieces))
        return table if table.row_count else None

    def _pieces(self, view: Mapping[str, Any], pieces: list[Mapping[str, Any]]) -> Text:
        """Cards from bottom to top; runs of unknown ones are counted."""
        if not pieces:
            return Text(self.words.tool("nothing"), style="dim")
        shown = Text()
        runs: list[list[Any]] = []
        for piece in pieces:
            label = None if piece["id"] is None else self._piece(piece)
            if runs and runs[-1][0] == label:
                runs[-1][1] += 1
            else:
                runs.append([label, 1])
        for at, (label, count) in enumerate(runs):
            if at:
                shown.append(", ")
            if label is None:
                shown.append(self.words.tool("unknown-pieces", count=count), style="dim")
            else:
                shown.append(label if count == 1 else f"{label} ×{count}")
        return shown

    def _piece(self, piece: Mapping[str, Any]) -> str:
        states = [
            f"{self.words.heading(column)}: {self.words.value(value, self.sorts.get(column, ''))}"
            for column, value in piece.items()
            if column != "id" and value not in ("none", []) and value != 0
        ]
        name = self.words.name(piece["id"])
        return f"{name} ({', '.join(states)})" if states else name

    # --- numbers

    def _counters(self, view: Mapping[str, Any]) -> RenderableType | None:
        parts = [
            f"{self.words.heading(id_)}: {self.words.value(value, self.sorts[id_])}"
            for id_, value in view["vars"].items()
            if id_ not in _OWN_TABLES
        ]
        return Text(" · ".join(parts)) if parts else None

    def _seats(self, view: Mapping[str, Any]) -> RenderableType | None:
        columns = list(dict.fromkeys(column for states in view["seats"].values() for column in states))
        if not columns:
            return None
        table = Table(box=None, padding=(0, 2), header_style="dim", show_edge=False, pad_edge=False)
        table.add_column(self.words.tool("state-of-seats"), no_wrap=True)
        for column in columns:
            number = self.sorts[column] == "number"
            table.add_column(self.words.heading(column), justify="right" if number else "left")
        for name, states in view["seats"].items():
            cells = [self._state(column, states[column]) if column in states else "?" for column in columns]
            table.add_row(styled_seat(self.words, name), *cells)
        return table

    def _state(self, column: str, value: object) -> str:
        if self.sorts[column] == "flag" and not value:
            return self.words.tool("nothing")
        return self.words.value(value, self.sorts[column])

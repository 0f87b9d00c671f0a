"""Draw a view of a game as text: grids, spaces of a board, dials, zones, counters, a table of the players.

In: the view of a seat (plain JSON), the tables of the artefact, the words of a language, a width. Out: rich
renderables. The layout follows from the view alone; no game is known here. A small table is drawn zone by zone; a large
one counts what nobody can read, and lists what can be read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grimoire.compiler.command.terminal_map import Cell, cell_width, draw_map, wrap
from grimoire.runtime.core.tables import Artefact, Column, Definition, VariableOf
from grimoire.runtime.play.shapes import Piece, Shown, States, View
from grimoire.runtime.wording.coordinates import coordinate
from grimoire.runtime.wording.views import word_back, word_effect
from grimoire.runtime.wording.words import Words

MARKS: Final = "XO#@*+%&"
COLORS: Final = ("cyan", "yellow", "magenta", "green", "red", "blue", "bright_cyan", "bright_yellow")
FREE: Final = "·"
HERE: Final = "▸ "
PLAIN_WIDTH: Final = 120
FEW_ZONES: Final = 12  # up to so many, each zone has a line of its own
FEW_SEATS: Final = 2  # with more, it is said who is first and whose turn it is
FEW_GROUPS: Final = 3  # of a pile that lies face down: what the reader happens to know of it
GROUPS: Final = 8  # groups of pieces that are listed of a zone of somebody else
UNBOUNDED: Final = 999_999_999
_OWN_TABLES: Final = ("current-player", "first-player")

Rows = list[tuple[str, Text]]


def mark_of(seat: int) -> str:
    """The mark of a seat (from 0) on a grid."""
    return MARKS[seat] if seat < len(MARKS) else chr(ord("a") + seat - len(MARKS))


def seat_style(seat: int) -> str:
    return COLORS[seat % len(COLORS)]


def is_nothing(value: object) -> bool:
    """Whether a state says nothing: not set, nobody, none of them, zero."""
    return value in ("none", []) or (isinstance(value, int) and value == 0)


class Painter:
    """Draws the views of one package in one language."""

    def __init__(self, artefact: Artefact, words: Words) -> None:
        self.artefact = artefact
        self.words = words
        self.rows: dict[str, Column | VariableOf] = {row.id: row for row in artefact.columns}
        self.rows |= {row.id: row for row in artefact.vars}
        self.fixtures = {row.id: row for row in artefact.fixtures}
        kinds = artefact.kinds
        self.above: list[set[str]] = []
        for row in kinds:
            names = {row.id}
            while row.is_ >= 0:
                row = kinds[row.is_]
                names.add(row.id)
            self.above.append(names)
        self.shown: set[str] = set()  # columns of the players of a large table that have said something: they stay
        self.kind_of = {row.id: row.kind for row in artefact.fixtures}
        self.kind_of |= {row.id: row.kind for row in artefact.definitions}

    def paint(self, view: View, width: int = PLAIN_WIDTH) -> RenderableType:
        """The whole table as a seat sees it."""
        zones = [id_ for id_ in view["zones"] if id_ not in self.fixtures]
        shared, owned = [id_ for id_ in zones if "." not in id_], [id_ for id_ in zones if "." in id_]
        large = len(zones) > FEW_ZONES
        chart, drawn = self._map(view, width)
        board = [*self._spaces(view, drawn), *self._dials(view)]
        board += self._paint_shared_zones(view, shared) if large else self._zones(view, zones)
        held = self._paint_player_zones(view, owned) if large else []
        labels = max((cell_len(label) for label, _ in (*board, *held)), default=0)
        parts: list[RenderableType | None] = [
            *self._grids(view),
            *chart,
            make_table(board, labels),
            self._counters(view),
        ]
        parts += [self._seats(view, owned if large else [], width), make_table(held, labels), self._effects(view)]
        return Group(*(part for part in parts if part is not None))

    def detail(self, view: View, given: str) -> RenderableType | None:
        """All about what is called so: spaces with their neighbours, things, zones in full, what is printed on
        pieces."""
        tokens = given.casefold().split()

        def is_called(name: str, id_: str) -> bool:
            text = f"{name} {id_.replace('-', ' ')}".casefold()
            return all(any(word.startswith(token) for word in text.split()) for token in tokens)

        rows: Rows = []
        pieces_called = {self.words.name(row.id) for row in self.artefact.definitions}
        for id_ in self.fixtures:
            name = self.words.name(id_)
            if is_called(name, id_) and id_ not in view.get("absent", ()):
                found = self._about(view, id_)
                bare = len(found) == 1 and not view["fixtures"].get(id_)
                rows.extend([] if bare and name in pieces_called else found)  # a piece of that name says more
        for id_, pieces in view["zones"].items():
            if id_ not in self.fixtures and is_called(self.words.zone(id_), id_):
                rows.append((self.words.zone(id_), self._pieces(pieces)))
                rows.extend(self.texts(str(piece["id"]) for piece in pieces if piece["id"] is not None))
        for number, row in enumerate(self.artefact.definitions):
            if is_called(self.words.name(row.id), row.id):
                rows.extend(self._paint_piece(view, row, number))
        return make_table(rows, max((cell_len(label) for label, _ in rows), default=0))

    def texts(self, ids: Iterable[str]) -> Rows:
        """What some cards do, and what else is told on them."""
        rows: Rows = []
        for id_ in dict.fromkeys(ids):
            said = [Text(text, style="italic")] if (text := self.words.card(id_)) is not None else []
            said += self._flavour(id_)
            rows += [("" if at else f"  {self.words.name(id_)}", text) for at, text in enumerate(said)]
        return rows

    def _flavour(self, id_: str) -> list[Text]:
        found = self.words.flavour(id_)
        return [] if found is None else [Text(found, style="dim italic")]

    def _about(self, view: View, id_: str) -> Rows:
        """A space or thing: every state, what lies there, what is next to it."""
        said = [
            f"{self.words.heading(column)}: {self._word_number(column, value)}"
            for column, value in self._states(id_, view["fixtures"].get(id_, {})).items()
        ]
        kind = self.words.name(self.artefact.kinds[self.fixtures[id_].kind].id)
        rows: Rows = [(self.words.name(id_), Text(", ".join([kind, *said])))]
        if id_ in view["zones"]:
            rows.append(("", self._pieces(view["zones"][id_], joined=True)))
        order = list(self.fixtures)
        for relation in self.artefact.relations:
            near = [order[at] for at in relation.table[order.index(id_)]] if relation.id == "adjacent" else []
            near = [
                end for end in near if end not in view.get("absent", ()) and [id_, end] not in view.get("closed", ())
            ]
            if near:
                names = ", ".join(self.words.name(end) for end in near)
                rows.append(("", Text(self.words.own_text("next-to", names=names))))
        return rows

    def _paint_piece(self, view: View, row: Definition, number: int) -> Rows:
        """A card, token or figure: its kind, what is printed on it, and where the reader sees copies of it."""
        above = self.above[row.kind]
        said = [self.words.name(self.artefact.kinds[row.kind].id)]
        columns = () if self.words.says_values(row.id) else self.artefact.columns
        for column in columns:
            if column.of == "piece" and column.printed and column.id.partition(".")[0] in above:
                if not self.words.label_printed(column.id):
                    continue
                value = self._raw(column, column.printed[number])
                if value in ("none", []) or value == column.init == -1:  # the card has none
                    continue
                said.append(f"{self.words.heading(column.id)}: {self.words.value(value, column.sort)}")
        rows: Rows = [(self.words.name(row.id), Text(", ".join(said)))]
        wording = self.words.card(row.id)
        if wording is not None:
            rows.append(("", Text(wording, style="italic")))
        rows += [("", text) for text in self._flavour(row.id)]
        for zone, pieces in view["zones"].items():
            found = [piece for piece in pieces if piece["id"] == row.id]
            if found:
                shown = Text(f"{self.words.zone(zone)}: ")
                rows.append(("", shown.append_text(self._pieces(found, joined=True))))
        return rows

    def _raw(self, column: VariableOf | Column, value: int) -> Shown:
        """A number of the artefact as views show it."""
        if column.sort in ("number", "flag"):
            return value
        if column.sort != "fixture":
            return "none"
        ids = list(self.fixtures)
        if column.set:
            return [id_ for at, id_ in enumerate(ids) if (value >> at) & 1]
        return ids[value] if value >= 0 else "none"

    # --- states

    def _states(self, id_: str, values: Mapping[str, Shown]) -> States:
        """The states that a thing or piece really has: those of its kind and of the kinds above it."""
        above = self.above[self.kind_of[id_]]
        return {column: value for column, value in values.items() if column.partition(".")[0] in above}

    def _word_state(self, column: str, value: object) -> str:
        """A state that is not nothing: a flag by its name alone, the rest with its value."""
        heading = self.words.heading(column)
        sort = self.rows[column].sort
        if sort == "flag":
            return heading
        if sort == "number":
            return f"{heading} {value}"
        if sort == "seat" and isinstance(value, str):
            return f"{heading}: {self._short(value)}"
        return f"{heading}: {self.words.value(value, sort)}"

    def _short(self, seat: str) -> str:
        return self.words.own_text("seat-short", number=int(seat[1:]))

    def _start(self, column: str) -> Shown:
        """The value that a state has at the start of the game, as views show it."""
        row = self.rows[column]
        if row.sort == "seat" and row.init >= 0 and not row.set:
            return f"p{row.init + 1}"
        return [] if row.set else self._raw(row, row.init)

    def _word_number(self, id_: str, value: Shown) -> str:
        """A number with the end of its dial, if it has one."""
        row = self.rows[id_]
        top = self._dial_end(id_)
        if row.sort != "number" or top is None or not isinstance(value, int):
            return self.words.value(value, row.sort)
        return f"{value}/{top}"

    def _dial_end(self, id_: str) -> int | None:
        top = self.rows[id_].max
        return None if top is None or top >= UNBOUNDED else int(top)

    # --- fixtures

    def _grids(self, view: View) -> list[RenderableType]:
        """Each kind of fixture whose ids are coordinates, as a grid; row 1 is at the bottom."""
        cells: dict[int, dict[tuple[int, int], str]] = {}
        for row in self.artefact.fixtures:
            place = coordinate(row.id)
            if place is not None and row.id not in view.get("absent", ()):
                cells.setdefault(row.kind, {})[place] = row.id
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

    def _cell(self, view: View, id_: str) -> tuple[str, str]:
        for piece in view["zones"].get(id_, []):
            return ("?" if piece["id"] is None else self.words.name(str(piece["id"]))[:1]), "bold"
        for column, value in self._states(id_, view["fixtures"].get(id_, {})).items():
            if is_nothing(value):
                continue
            if self.rows[column].sort == "seat":
                owner = int(str(value)[1:]) - 1
                return mark_of(owner), "bold " + seat_style(owner)
            if isinstance(value, int):
                return (str(value) if 0 <= value <= 9 else "+"), "bold"
            return self.words.value(value)[:1], "bold"
        return FREE, "dim"

    def _map(self, view: View, width: int) -> tuple[list[RenderableType], set[str]]:
        """The spaces that have a place on a map, with the regions that they lie in, and those of which it shows all."""
        absent = view.get("absent", ())
        regions = self._regions(absent)
        cells: dict[tuple[int, int], Cell] = {}
        placed: dict[str, Cell] = {}
        for id_, row in self.fixtures.items():
            if row.spot is None or id_ in absent:
                continue
            states = self._states(id_, view["fixtures"].get(id_, {}))
            held = [str(part) for part in self._pieces(view["zones"].get(id_, []), joined=True).split(", ")]
            said = [
                self._word_state(column, value)
                for column, value in states.items()
                if not is_nothing(value) and value != self._start(column)
            ]
            parts = [*(held if view["zones"].get(id_) else []), *([f"[{', '.join(said)}]"] if said else [])]
            style = COLORS[regions[id_][0] % len(COLORS)] if id_ in regions else ""
            placed[id_] = cells[row.spot[0], row.spot[1]] = Cell(self.words.name(id_), tuple(parts), style)
        room = cell_width(cells, width)
        if not room:
            return [], set()
        parts_of_map: list[RenderableType] = []
        names = {name: COLORS[number % len(COLORS)] for id_, (number, name) in regions.items() if id_ in placed}
        if names:
            legend = [Text(self.words.name(name), style=style) for name, style in names.items()]
            parts_of_map.append(Text(" · ").join(legend))
        full = {id_ for id_, cell in placed.items() if wrap(cell.parts, room)[1]}
        return [*parts_of_map, draw_map(cells, room)], full

    def _regions(self, absent: Collection[str]) -> dict[str, tuple[int, str]]:
        """The first region of each space, with its number."""
        ids = list(self.fixtures)
        found: dict[str, tuple[int, str]] = {}
        numbers: dict[str, int] = {}
        for relation in self.artefact.relations:
            for at, row in enumerate(relation.table) if relation.region else ():
                there = [ids[end] for end in row if ids[end] not in absent]
                if there and self.artefact.fixtures[at].spot is not None:
                    found.setdefault(ids[at], (numbers.setdefault(there[0], len(numbers)), there[0]))
        return found

    def _spaces(self, view: View, drawn: Collection[str]) -> Rows:
        """The spaces of boards that are no grids: what lies there and what holds there; the empty ones are counted.
        `drawn`: those of which a map shows all."""
        rows: Rows = []
        empty = 0
        absent = view.get("absent", ())
        for id_, row in self.fixtures.items():
            if coordinate(id_) is not None or "space" not in self.above[row.kind] or id_ in drawn or id_ in absent:
                continue
            pieces = view["zones"].get(id_, [])
            states = self._states(id_, view["fixtures"].get(id_, {}))
            if not pieces and all(is_nothing(value) or value == self._start(c) for c, value in states.items()):
                empty += 1
                continue
            said = [self._word_state(column, value) for column, value in states.items() if not is_nothing(value)]
            shown = self._pieces(pieces, joined=True) if pieces else Text()
            if said:
                shown.append(("  " if pieces else "") + f"[{', '.join(said)}]", style="italic")
            rows.append((self.words.name(id_), shown))
        if rows and empty:
            rows.append(("", Text(self.words.own_text("empty-spaces", count=empty), style="dim")))
        return rows

    def _dials(self, view: View) -> Rows:
        """Things that are no spaces and have states, kind by kind: those with one number as dials on one line."""
        kinds: dict[int, list[tuple[str, States]]] = {}
        for id_, row in self.fixtures.items():
            states = self._states(id_, view["fixtures"].get(id_, {}))
            if states and "space" not in self.above[row.kind]:
                kinds.setdefault(row.kind, []).append((id_, states))
        rows: Rows = []
        for kind, things in kinds.items():
            numbers = [column for column in things[0][1] if self.rows[column].sort == "number"]
            if not any(self._dial_end(column) for column in numbers) and all(
                is_nothing(value) for _, states in things for value in states.values()
            ):
                continue
            parts = [text for id_, states in things if (text := self._dial(id_, states, numbers))]
            if parts:
                one = len(numbers) == 1
                name = self.words.heading(numbers[0]) if one else self.words.name(self.artefact.kinds[kind].id)
                rows.append((name, Text(" · ".join(parts))))
        return rows

    def _dial(self, id_: str, states: Mapping[str, Shown], numbers: Sequence[str]) -> str:
        others = [
            self._word_state(c, value) for c, value in states.items() if c not in numbers and not is_nothing(value)
        ]
        if len(numbers) == 1:
            rest = f" ({', '.join(others)})" if others else ""
            return f"{self.words.name(id_)} {self._word_number(numbers[0], states[numbers[0]])}{rest}"
        said = [f"{self.words.heading(c)} {self._word_number(c, states[c])}" for c in numbers] + others
        return f"{self.words.name(id_)} ({', '.join(said)})" if said else ""

    # --- zones

    def _zones(self, view: View, ids: Sequence[str]) -> Rows:
        """Each zone on a line of its own."""
        return [(self.words.zone(id_), self._pieces(view["zones"][id_])) for id_ in ids]

    def _paint_shared_zones(self, view: View, ids: Sequence[str]) -> Rows:
        """The zones of nobody: those that can be read, then counts of those that cannot, then the empty ones."""
        rows: Rows = []
        hidden: list[str] = []
        empty: list[str] = []
        tops: list[str] = []
        unread = {row.id for row in self.artefact.zones if row.seen == "none"}
        filled = {self.artefact.zones[row.start].id for row in self.artefact.definitions if row.start >= 0}
        for id_ in ids:
            pieces = view["zones"][id_]
            if not pieces:
                empty.extend([self.words.zone(id_)] if id_ in filled else [])
            elif id_ in view.get("uncounted", ()):
                tops.append(f"{self.words.zone(id_)}: {self._pieces(pieces).plain}")
            elif all(piece["id"] is None for piece in pieces):
                hidden.append(f"{self.words.zone(id_)} {len(pieces)}")
            else:
                rows.append((self.words.zone(id_), self._pieces(pieces, most=FEW_GROUPS if id_ in unread else GROUPS)))
        if tops:
            rows.append((self.words.own_text("on-top"), Text(" · ".join(tops))))
        if hidden:
            rows.append((self.words.own_text("face-down"), Text(" · ".join(hidden))))
        if empty:
            rows.append((self.words.own_text("empty"), Text(" · ".join(empty), style="dim")))
        return rows

    def _paint_player_zones(self, view: View, ids: Sequence[str]) -> Rows:
        """What can be read in the zones of players: first those of the reader, in full."""
        mine = [id_ for id_ in ids if id_.rpartition(".")[2] == view["seat"]]
        rows: Rows = []
        for id_ in [*mine, *(id_ for id_ in ids if id_ not in mine)]:
            pieces = view["zones"][id_]
            if any(piece["id"] is not None for piece in pieces) or len({piece.get("kind") for piece in pieces}) > 1:
                shown = self._pieces(pieces, joined=True, most=None if id_ in mine else GROUPS)
                rows.append((self.words.zone(id_), shown))
        return rows

    def _pieces(self, pieces: Iterable[Piece], *, joined: bool = False, most: int | None = None) -> Text:
        """Pieces from bottom to top, equal ones in a row counted; `joined`: equal ones anywhere. `most`: the top groups
        only."""
        runs: list[tuple[str | None, int]] = []
        at: dict[str | None, int] = {}
        for piece in pieces:
            label = self._piece(piece)
            place = at.get(label) if joined else (len(runs) - 1 if runs and runs[-1][0] == label else None)
            if place is None:
                at[label] = len(runs)
                runs.append((label, 1))
            else:
                runs[place] = (label, runs[place][1] + 1)
        if not runs:
            return Text(self.words.own_text("nothing"), style="dim")
        shown = Text()
        if most is not None and len(runs) > most:
            left = sum(count for _, count in runs[:-most])
            shown.append(self.words.own_text("more-below", count=left) + ", ", style="dim")
            runs = runs[-most:]
        for number, (label, count) in enumerate(runs):
            if number:
                shown.append(", ")
            if label is None:
                shown.append(self.words.own_text("unknown-pieces", count=count), style="dim")
            else:
                shown.append(label if count == 1 else f"{count} × {label}")
        return shown

    def _piece(self, piece: Piece) -> str | None:
        """A piece with its states; by its back, if that is all that can be seen; None if there is nothing to be
        seen."""
        if piece["id"] is None:
            return word_back(str(piece["kind"]), self.words) if "kind" in piece else None
        id_ = str(piece["id"])
        states = self._states(id_, {column: value for column, value in piece.items() if column != "id"})
        told = {
            column: value
            for column, value in states.items()
            if not is_nothing(value) and value != self._start(column) and self.words.heading(column)
        }
        said = [self._word_state(column, value) for column, value in told.items()]
        if [self.rows[column].sort for column in told] == ["seat"]:  # whose it is needs no heading
            said = [self._short(value) for value in told.values() if isinstance(value, str)] or said
        name = self.words.name(id_)
        return f"{name} ({', '.join(said)})" if said else name

    # --- numbers

    def _counters(self, view: View) -> RenderableType | None:
        large = sum(id_ not in self.fixtures for id_ in view["zones"]) > FEW_ZONES
        parts = [
            f"{self.words.heading(id_)}: {self._word_number(id_, value)}"
            for id_, value in view["vars"].items()
            if id_ not in _OWN_TABLES and not (large and is_nothing(value)) and self.words.heading(id_)
        ]
        first = view["vars"].get("first-player", "none")
        if view["players"] > FEW_SEATS and first != "none":
            parts.append(f"{self.words.own_text('first-player')}: {self.words.value(first)}")
        return Text(" · ".join(parts)) if parts else None

    def _effects(self, view: View) -> RenderableType | None:
        """What holds for a time."""
        parts = [word_effect(effect, self.words) for effect in view["effects"]]
        return Text(f"{self.words.own_text('in-force')}: {' · '.join(parts)}") if parts else None

    # --- players

    def _seats(self, view: View, owned: Sequence[str], width: int) -> RenderableType | None:
        """States of the players, and how many pieces their zones hold: a line a player, or a column if lines are too
        long."""
        families = list(dict.fromkeys(id_.rpartition(".")[0] for id_ in owned))
        columns = list(dict.fromkeys(column for states in view["seats"].values() for column in states))
        columns = [column for column in columns if self.words.heading(column)]
        if owned:  # of a large table, what has been the same nothing for everybody so far is left out
            seats = view["seats"]
            self.shown.update(c for c in columns if not all(is_nothing(states.get(c, 1)) for states in seats.values()))
            self.shown.update(id_ for id_ in families if any(view["zones"][f"{id_}.{name}"] for name in seats))
            columns, families = [c for c in columns if c in self.shown], [f for f in families if f in self.shown]
        heads = [*(self.words.heading(column) for column in columns), *(self.words.heading(id_) for id_ in families)]
        if not heads:
            return None
        numbers = [*(self.rows[column].sort == "number" for column in columns), *(True for _ in families)]
        body: list[list[str]] = []
        for name, states in view["seats"].items():
            cells = [self._state(column, states[column]) if column in states else "?" for column in columns]
            cells += [str(len(view["zones"][f"{id_}.{name}"])) for id_ in families]
            body.append(cells)
        names = [self._seat_name(view, name, self.words.value(name)) for name in view["seats"]]
        top = Text(self.words.own_text("state-of-seats"))
        lines = [[top.plain, *heads], *([shown.plain, *cells] for shown, cells in zip(names, body, strict=True))]
        if table_width(lines) <= width:
            table = self._table(top, [Text(head) for head in heads], numbers)
            for shown, cells in zip(names, body, strict=True):
                table.add_row(shown, *cells)
            return table
        turned = [[head, *(cells[at] for cells in body)] for at, head in enumerate(heads)]
        if table_width([[top.plain, *(shown.plain for shown in names)], *turned]) > width:
            names = [self._seat_name(view, name, self._short(name)) for name in view["seats"]]
        table = self._table(top, names, [True] * len(names))
        for row in turned:
            table.add_row(*row)
        return table

    def _seat_name(self, view: View, name: str, text: str) -> Text:
        mark = ""
        if view["players"] > FEW_SEATS and "current-player" in view["vars"]:
            mark = HERE if view["vars"]["current-player"] == name else " " * len(HERE)
        return Text(mark + text, style=seat_style(int(name[1:]) - 1))

    def _table(self, top: Text, heads: Sequence[Text], numbers: Sequence[bool]) -> Table:
        table = Table(box=None, padding=(0, 2), header_style="dim", show_edge=False, pad_edge=False)
        table.add_column(top, no_wrap=True)
        for head, number in zip(heads, numbers, strict=True):
            table.add_column(head, justify="right" if number else "left")
        return table

    def _state(self, column: str, value: object) -> str:
        if self.rows[column].sort == "flag" and not value:
            return self.words.own_text("nothing")
        return self.words.value(value, self.rows[column].sort)


def make_table(rows: Rows, labels: int) -> Table | None:
    """Lines with labels of one width."""
    if not rows:
        return None
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True, min_width=labels)
    table.add_column()
    for label, text in rows:
        table.add_row(label, text)
    return table


def table_width(lines: Sequence[Sequence[str]]) -> int:
    """How wide a table without a frame is, with the space between its columns."""
    widths = [max(cell_len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return sum(widths) + 4 * (len(widths) - 1)

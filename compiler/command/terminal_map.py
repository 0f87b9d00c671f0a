"""Draw a map as text: spaces where their board says, each with its name and what lies there.

In: the cells by their places, a width. Out: a rich renderable, or nothing where the width is too small. What does not
fit a cell is cut there; who draws the table lists it as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

LEAST: Final = 12  # cells of the terminal that a space needs
MOST: Final = 24
LINES: Final = 3  # of what lies in a space
CUT: Final = "…"

Place = tuple[int, int]


class Cell(NamedTuple):
    """A space of a map: its name, what lies and holds there, part by part, and the style of its region."""

    name: str
    parts: tuple[str, ...]
    style: str


def cell_width(cells: Mapping[Place, Cell], width: int) -> int:
    """How wide a space is drawn; 0 where the map does not fit."""
    columns = len({x for x, _ in cells})
    if len(cells) < 2:
        return 0
    found = (width - (columns - 1)) // columns
    return min(found, MOST) if found >= LEAST else 0


def wrap(parts: tuple[str, ...], width: int) -> tuple[list[str], bool]:
    """Parts on lines of a width, and whether all of them could be shown."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1]) + 2 + cell_len(part) <= width:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    fits = len(lines) <= LINES and all(cell_len(line) <= width for line in lines)
    lines = [cut(line, width) for line in lines[:LINES]]
    if not fits and not any(line.endswith(CUT) for line in lines):
        lines[-1] = cut(lines[-1] + " " * width, width)
    return lines, fits


def cut(text: str, width: int) -> str:
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + CUT


def draw_map(cells: Mapping[Place, Cell], width: int) -> Table:
    """Rows from the top, columns from the left; steps that no space stands on take no room."""
    columns, rows = sorted({x for x, _ in cells}), sorted({y for _, y in cells})
    table = Table.grid(padding=(0, 1))
    for _ in columns:
        table.add_column(width=width, no_wrap=True)
    for at, y in enumerate(rows):
        table.add_row(*(_draw_cell(cells.get((x, y)), width) for x in columns))
        if at + 1 < len(rows) and any(cell.parts for (_, row), cell in cells.items() if row == y):
            table.add_row()
    return table


def _draw_cell(cell: Cell | None, width: int) -> Text:
    if cell is None:
        return Text()
    shown = Text(cut(cell.name, width), style=f"bold {cell.style}".strip())
    for line in wrap(cell.parts, width)[0]:
        shown.append(f"\n{line}", style="not bold default")
    return shown

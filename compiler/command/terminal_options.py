"""Lists the options of a decision at a terminal, short or grouped, and matches what was typed to one of them.

In: a decision and the words of a language. Out: lines of text, and the options that a few letters mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from grimoire.runtime import Decision
from grimoire.runtime.wording.decisions import word_options
from grimoire.runtime.wording.words import Words

LONG: Final = 20  # more options than this are listed in groups and columns
GAP: Final = 3
_PARTS: Final = re.compile("[:@#.-]")


class Item(NamedTuple):
    """One option as it is listed: its number from 1, its key, all of its text, its group, and its text in the group."""

    number: int
    key: str
    text: str
    group: str
    short: str


class Listing:
    """The options of one decision in one language."""

    def __init__(self, decision: Decision, words: Words) -> None:
        self.items = [Item(at, *row) for at, row in enumerate(word_options(decision, words), 1)]
        self.long = len(self.items) > LONG

    # --- showing

    def lines(self, width: int, items: Sequence[Item] | None = None) -> list[Text]:
        """The list, or a part of it under the same numbers."""
        shown = self.items if items is None else items
        if len(shown) <= LONG:
            return [self._line(item, width) for item in shown]
        groups: dict[str, list[Item]] = {}
        for item in shown:
            groups.setdefault(item.group, []).append(item)
        lines: list[Text] = []
        digits = len(str(self.items[-1].number))
        for group, members in groups.items():
            if len(groups) > 1 and group:
                lines.append(Text(f"  {group}", style="bold"))
            lines.extend(self._columns(members, digits, width))
        return lines

    def _line(self, item: Item, width: int) -> Text:
        """An option with its key, if that has room beside it."""
        row = Text(f"  {item.number:>{max(2, len(str(len(self.items))))}}  {item.text}")
        if cell_len(row.plain) + 2 + cell_len(item.key) <= width:
            row.append(f"  {item.key}", style="dim")
        return row

    def _columns(self, members: Sequence[Item], digits: int, width: int) -> list[Text]:
        """Columns that are read downwards, as many as there is room for."""
        longest = max(cell_len(item.short) for item in members)
        room = 2 + digits + 2 + longest
        across = max(1, min(len(members), (width + GAP - 2) // (room + GAP)))
        down = -(-len(members) // across)
        lines: list[Text] = []
        for row in range(down):
            line = Text()
            for at, item in enumerate(members[row::down]):
                line.append(" " * (at * (room + GAP) - cell_len(line.plain)))
                line.append(f"  {item.number:>{digits}}", style="dim")
                line.append(f"  {item.short}")
            lines.append(line)
        return lines

    # --- finding

    def find_fitting(self, given: str) -> list[Item]:
        """What a few letters can mean: the beginning of a key or of a part of it, a part itself, the beginning of the
        words on the screen, or else every word given somewhere in key and text."""
        items, low = self.items, given.casefold()
        tests = (
            lambda item: item.key.startswith(given),
            lambda item: f":{given}" in item.key,
            lambda item: given in _PARTS.split(item.key),
            lambda item: item.text.casefold().startswith(low),
            lambda item: all(word in f"{item.key} {item.text}".casefold() for word in low.split()),
        )
        return next((found for test in tests if (found := [item for item in items if test(item)])), [])

"""The numbers of the counters with which a program counts what happens: statements, menu entries, modifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grimoire.runtime.core import statements as core
from grimoire.runtime.core.analysis import statements_in
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.shift import Shift
from grimoire.runtime.core.statements import Entry
from grimoire.runtime.core.tables import ProcedureOf
from grimoire.runtime.core.writing import name_of


class Numbers:
    """Which counter counts what. A program that counts nothing has none."""

    def __init__(self) -> None:
        self.statements: dict[int, int] = {}  # by identity
        self.entries: dict[int, int] = {}
        self.modifiers = -1  # the first number of the modifiers
        self._kept: list[Statement | Entry] = []  # copies, so that their identity stays their own

    def of_statement(self, statement: Statement) -> int:
        """The counter of a statement, or -1."""
        return self.statements.get(id(statement), -1)

    def of_entry(self, entry: Entry) -> int:
        """The counter of an entry of a menu, or -1."""
        return self.entries.get(id(entry), -1)

    def follow(self, shift: Shift) -> None:
        """What was copied into a caller counts as what it was copied from."""
        for numbers in (self.statements, self.entries):
            if numbers:
                for old, new in shift.copies:
                    if id(old) in numbers:
                        numbers[id(new)] = numbers[id(old)]
                        self._kept.append(new)


def number_statements(
    numbers: Numbers, procs: Sequence[ProcedureOf], place: Callable[[int | None], str], tracked: list[str]
) -> None:
    """Give every statement and menu entry of the procedures a counter, and the counter a name."""
    for row in procs:
        if row.body is not None:
            _number(numbers, row.body, row.id, place, tracked)


def _number(numbers: Numbers, s: Statement, name: str, place: Callable[[int | None], str], tracked: list[str]) -> None:
    if not isinstance(s, core.Sequence):
        numbers.statements[id(s)] = len(tracked)
        tracked.append(f"{name} {name_of(s)} {place(s.at)}".rstrip())
        if isinstance(s, core.If):
            tracked += [f"{name} if so", f"{name} if not"]
        menu = s.menu if isinstance(s, core.Poll) else s
        if isinstance(menu, core.Menu):
            for entry in menu.entries:
                numbers.entries[id(entry)] = len(tracked)
                tracked.append(f"{name} entry {entry.id}")
    for child in statements_in(s):
        _number(numbers, child, name, place, tracked)

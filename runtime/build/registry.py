"""The units, routines and questions of a program, each made once, and what is known of their code."""

from __future__ import annotations

from grimoire.runtime.build.flat_writer import Note
from grimoire.runtime.build.scope import Window
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import Choose, Menu
from grimoire.runtime.kernel.base import Unit
from grimoire.runtime.kernel.blocks import Routine


class Registry:
    """What a build has made so far."""

    def __init__(self, units: list[Unit]) -> None:
        self.units = units
        self.notes: dict[int, list[Note]] = {}  # of the code of each unit
        self.windows: dict[int, Window] = {}  # of each unit
        self.menus: list[Menu | Choose] = []  # what asks, by number
        self.call_units: dict[int, Unit] = {}
        self.verb_units: dict[int, Unit] = {}
        self.ability_units: dict[int, Unit] = {}
        self.event_units: dict[int, Unit] = {}
        self.routines: dict[tuple[int, bool], Routine] = {}
        self.queue: list[tuple[Unit, Window, Statement | None]] = []  # units whose code is not written yet

    def fork(self) -> Registry:
        """A registry that goes on from here: what is added to it is not in this one."""
        other = Registry(self.units.copy())
        other.notes = self.notes.copy()
        other.windows = self.windows.copy()
        other.menus = self.menus.copy()
        other.call_units = self.call_units.copy()
        other.verb_units = self.verb_units.copy()
        other.ability_units = self.ability_units.copy()
        other.event_units = self.event_units.copy()
        other.routines = self.routines.copy()
        return other

    def add(self, unit: Unit, window: Window) -> Unit:
        """Enter a new unit."""
        self.units.append(unit)
        self.windows[unit.index] = window
        unit.window = window.size
        return unit

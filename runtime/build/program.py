"""A program: the tables and code of a package for one number of players and one set of options, with its names."""

from __future__ import annotations

from collections.abc import Mapping

from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.artefact.memory import collector_paused
from grimoire.runtime.build.builder import Builder
from grimoire.runtime.build.context import Basis, Settings
from grimoire.runtime.build.layout import Layout
from grimoire.runtime.build.listeners import Listeners
from grimoire.runtime.build.liveness import LiveSlots
from grimoire.runtime.build.numbers import number_statements
from grimoire.runtime.build.options import option_values
from grimoire.runtime.build.question import Question
from grimoire.runtime.build.references import References
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.build.scope import Window, scope_of
from grimoire.runtime.build.slot_sorts import SlotSorts
from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.tables import Column, KindOf
from grimoire.runtime.errors import ArtefactError, engine_fault
from grimoire.runtime.kernel.base import Tables
from grimoire.runtime.kernel.nodes import Function
from grimoire.runtime.kernel.rng import stream_key
from grimoire.runtime.kernel.state import State


class Program:
    """Tables with the names that people, keys, views and saves use."""

    def __init__(
        self,
        package: Package,
        players: int,
        options: dict[str, int],
        track: bool = False,
        fuse: bool = True,
        quiet: bool = False,
    ) -> None:
        self.package = package
        self.artefact = artefact = package.artefact
        self.references = references_of(package)
        self.procs = self.references.procs
        self.option_values = options
        self.tables = t = Tables()
        self.seats = t.seats = players
        self.everyone = t.everyone = (1 << players) - 1
        t.orders = any(row.id == "abilities" and row.by == "current" for row in artefact.order or ())
        t.key = stream_key(f"package {package.id}")
        t.places = list(package.places)
        self.piece_def, self.units = t.piece_def, t.units
        self.sees, self.sees_top = t.sees, t.sees_top
        self.layout = layout = Layout(artefact, t, players)
        self.zone_names, self.zone_base = layout.zone_names, layout.zone_base
        self.column_base, self.printed = layout.column_base, layout.printed
        self.uncounted, self.piece_names = layout.uncounted, layout.piece_names
        self.seat_names = [f"p{seat + 1}" for seat in range(players)]
        self.fixture_names = [row.id for row in artefact.fixtures]
        self.definition_names = [row.id for row in artefact.definitions]
        self.kind_numbers = {row.id: at for at, row in enumerate(artefact.kinds)}
        self.backs = [back_of(artefact.kinds, row.kind) for row in artefact.definitions]
        self.tracked: list[str] = []  # what each counter counts
        self.asking: tuple[dict[int, str], dict[int, str]] | None = (
            None  # clauses of what asks, when somebody wants to know
        )
        self.quiet = quiet
        self.opened = False  # whether that was tried
        self.opening: State | None = None  # the state at the first decision, if chance has no part in it
        self._live: LiveSlots | None = None
        self._sorts: SlotSorts | None = None
        layout.add_zones()
        self._basis = Basis(self.references, layout, Settings(players, options, fuse, quiet, track))
        self._registry = Registry(t.units)
        self._builder = Builder(self._basis, self._registry)
        self.notes, self.windows = self._registry.notes, self._registry.windows
        self.menus, self.routines = self._registry.menus, self._registry.routines
        self._add_pieces()
        layout.add_cells()
        self.known = t.known
        if track:
            number_statements(self._basis.numbers, self.procs, package.place, self.tracked)
        listeners = Listeners(self._basis)
        listeners.register(self.tracked)
        self._build(listeners)
        self.outcomes = list(self.references.outcomes)

    def _add_pieces(self) -> None:
        bare = State(self.tables, b"", None)
        scope = scope_of(Window(8, 0), -1)

        def holds(when: Expression) -> bool:
            return bool(self._builder.expr(when, scope).test(bare, 0))

        self.layout.leave_out(holds)
        for at, row in enumerate(self.artefact.definitions):
            if (row.start < 0 and row.on is None) or row.copies < 1:
                continue
            if row.when is None or holds(row.when):
                self.layout.add_pieces(at)
        self._basis.sizes.count_pieces(len(self.piece_def))

    def _build(self, listeners: Listeners) -> None:
        builder = self._builder
        if builder.quiet and builder.fuse:
            self._basis.calls.unframe()
        self.tables.main = builder.call_unit(self.artefact.main).index
        listeners.build(builder)
        for at in range(len(self.artefact.functions)):  # also those that only questions use: these must not add units
            builder.function(at)
        builder.units.write_queue()
        self.layout.closed = True
        self._basis.sizes.forget()
        self._basis.calls.forget()

    # -- for others

    def function(self, at: int) -> Function:
        """A pure function by its number."""
        return self._basis.functions[at]

    def unit_of(self, proc: int) -> int:
        """The unit that starts a procedure from outside: the event of a verb, else a plain call."""
        builder = self._builder
        unit = builder.event_unit(proc) if self.procs[proc].verb else builder.call_unit(proc)
        builder.units.write_queue()
        return unit.index

    def question(self, unit: int) -> Question:
        """What builds tests about a game that waits in a unit; nothing of it stays in the program."""
        return Question(self._builder.fork(), unit)

    def is_of_kind(self, sort: str, kind: int, number: int) -> bool:
        """Whether an object of a sort is of a kind."""
        return self.layout.flags(sort, kind)[number]

    def size(self, sort: str) -> int:
        """How many seats, fixtures or pieces there are."""
        return self.layout.size(sort)

    def stored_columns(self) -> list[tuple[Column, int]]:
        """The columns that are not printed, each with its first address."""
        return [(row, base) for row, base in zip(self.artefact.columns, self.column_base, strict=True) if base >= 0]

    def count_captured(self, ability: bool, which: int) -> int:
        """The most values that a floating effect captures."""
        captures = self.references.ability_captures if ability else self.references.modifier_captures
        return captures.get(which, 0)

    @property
    def framed(self) -> set[int]:
        """The procedures that have a frame of their own."""
        return self._basis.calls.framed

    @property
    def counters(self) -> int:
        """How many statements and menu entries are counted."""
        return len(self._basis.numbers.statements) + len(self._basis.numbers.entries)

    def live_slots(self) -> LiveSlots:
        """Which slots of a frame can still be read."""
        if self._live is None:
            self._live = LiveSlots(self.references, self._registry)
        return self._live

    def slot_sorts(self) -> SlotSorts:
        """What the slots of suspended work hold."""
        if self._sorts is None:
            self._sorts = SlotSorts(self.references, self._registry)
        return self._sorts


def references_of(package: Package) -> References:
    """What the code of a package refers to, found out once."""
    found = package.shared.get("references")
    if not isinstance(found, References):
        found = package.shared["references"] = References(package.artefact)
    return found


def program_for(
    package: Package,
    players: int,
    options: Mapping[str, object],
    track: bool = False,
    quiet: bool = False,
    fuse: bool = True,
) -> Program:
    """The program of a package for these players and options, built once; a quiet one keeps no log and is never saved.

    Without `fuse` it is built quickly and plays more slowly: for programs that are played a few times.
    """
    values = option_values(package, players, options)
    key = (players, tuple(values[row.id] for row in package.artefact.options), track, quiet)
    found = package.built.get(key)
    if isinstance(found, Program):
        return found
    try:
        with collector_paused():
            program = Program(package, players, values, track, fuse=fuse, quiet=quiet)
    except RecursionError:
        raise ArtefactError("the artefact is nested too deeply") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise engine_fault(f"building {package.id}", error) from error
    package.built[key] = program
    return program


def back_of(kinds: tuple[KindOf, ...], kind: int) -> str | None:
    """The kind that the back of a piece tells, nearest first."""
    while kind >= 0:
        if kinds[kind].back:
            return kinds[kind].id
        kind = kinds[kind].is_
    return None

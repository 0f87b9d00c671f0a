"""Where the zones, pieces, variables and columns of a package stand in the tables of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.tables import Artefact, Column, Fixture, VariableOf, ZoneOf
from grimoire.runtime.errors import BudgetExceeded
from grimoire.runtime.kernel.base import NIL, VARS, Tables
from grimoire.runtime.kernel.places import Distances
from grimoire.runtime.limits import MAX_CELLS

CURRENT: Final = "current-player"


class Layout:
    """The numbers and addresses of all objects for one number of players."""

    def __init__(self, artefact: Artefact, tables: Tables, players: int) -> None:
        self.artefact = artefact
        self.tables = tables
        self.players = players
        self.zone_names: list[str] = []
        self.uncounted: set[int] = set()  # zones of which nobody is told how many pieces lie there
        self.piece_names: list[str] = []  # definition id # copy, for saves
        self.zone_base: list[int] = []  # the first zone of each row
        self.column_base: list[int] = []  # the address of each column for the first object; -1: printed
        self.printed: list[list[int] | None] = []  # the values of each printed column, by object
        self._flags: dict[tuple[str, int], list[bool]] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._fixtures: dict[int, list[int]] = {}
        self._definition_flags: dict[int, list[bool]] = {}
        self._addresses: dict[int, list[int]] = {}
        self._live_zones: dict[tuple[int, ...] | None, list[bool]] = {}
        self._distances: dict[int, Distances] = {}
        self._relations: dict[int, list[list[int]]] = {}
        self.absent: set[int] = set()  # fixtures that are not there with these options
        self.absent_zones: set[int] = set()
        self.closed_ways: list[tuple[int, int]] = []  # between fixtures that are there
        self._absent_rows: set[int] = set()  # ... and rows of the table of zones
        self._absent_pairs: dict[int, set[tuple[int, int]]] = {}  # by relation
        self.lists: dict[int, int] = {}  # the numbers of the lists of pieces of a kind that states keep
        self.closed = False  # there are states: they keep no more lists

    # -- laid out once, in this order

    def add_zones(self) -> None:
        """Number the zones: those of the zones table, a family for each seat, then those of fixtures."""
        for row in self.artefact.zones:
            self.zone_base.append(len(self.zone_names))
            if row.each:
                for seat in range(self.players):
                    self._add_zone(f"{row.id}.p{seat + 1}", row, seat, -1)
            else:
                self._add_zone(row.id, row, -1, -1)
            if row.counted is False:
                self.uncounted.update(range(self.zone_base[-1], len(self.zone_names)))
        for at, fixture in enumerate(self.artefact.fixtures):
            self.tables.fixture_zone.append(len(self.zone_names) if fixture.holds else -1)
            if fixture.holds:
                self._add_zone(fixture.id, fixture, -1, at)

    def _add_zone(self, name: str, row: ZoneOf | Fixture, owner: int, fixture: int) -> None:
        t = self.tables
        self.zone_names.append(name)
        t.zones.append([])
        t.holder.append(owner)
        t.zone_fixture.append(fixture)
        t.sees_top.append(row.seen == "top")
        t.tops = t.tops or row.seen == "top"
        t.sees.append(t.everyone if row.seen == "all" else 1 << owner if row.seen == "owner" and owner >= 0 else 0)
        ordered = row.ordered if isinstance(row, ZoneOf) else False
        t.mixes.append(not ordered and row.seen != "top" and t.sees[-1] != t.everyone)
        if t.mixes[-1]:
            t.mixed.append(len(t.mixes) - 1)

    def leave_out(self, holds: Callable[[Expression], bool]) -> None:
        """Take away the fixtures, zones and ways that are not there with the options of the game."""
        t, a = self.tables, self.artefact
        for at, row in enumerate(a.zones):
            if row.when is not None and not holds(row.when):
                base = self.zone_base[at]
                self._absent_rows.add(at)
                self.absent_zones.update(range(base, base + (self.players if row.each else 1)))
        for at, fixture in enumerate(a.fixtures):
            if fixture.when is not None and not holds(fixture.when):
                self.absent.add(at)
                if t.fixture_zone[at] >= 0:
                    self.absent_zones.add(t.fixture_zone[at])
        for at, relation in enumerate(a.relations):
            pairs = [pair for only in relation.only or () if not holds(only.when) for pair in only.pairs]
            self._absent_pairs[at] = {(pair[0], pair[1]) for pair in pairs}
        gone = {pair for pairs_of_one in self._absent_pairs.values() for pair in pairs_of_one}
        self.closed_ways = sorted(pair for pair in gone if not self.absent.intersection(pair))

    def add_pieces(self, definition: int) -> None:
        """Make the pieces of a definition and lay them into the zone where they start, if that is there."""
        row, t = self.artefact.definitions[definition], self.tables
        zone = self.find_start(definition)
        if zone in self.absent_zones:
            return
        for copy in range(row.copies):
            t.zones[zone].append(len(t.piece_def))
            t.piece_def.append(definition)
            t.loc.append(zone)
            self.piece_names.append(f"{row.id}#{copy + 1}")

    def find_start(self, definition: int) -> int:
        """The zone in which the pieces of a definition start."""
        row = self.artefact.definitions[definition]
        return self.zone_base[row.start] if row.on is None else self.tables.fixture_zone[row.on]

    def add_cells(self) -> None:
        """Give every variable and column its cells, and every piece the mask of those that know it."""
        t = self.tables
        t.mem = [0] * VARS
        t.mem[NIL] = -1
        for at, variable in enumerate(self.artefact.vars):
            t.mem.append(self._as_played(variable, variable.init))
            if variable.id == CURRENT:
                t.current = VARS + at
        for column in self.artefact.columns:
            self._add_column(column)
        t.known = len(t.mem)
        for piece in range(len(t.piece_def)):
            t.mem.append(t.sees[t.loc[piece]])
        for zone, pieces in enumerate(t.zones):
            if pieces and t.sees_top[zone]:
                t.mem[t.known + pieces[-1]] = t.everyone

    def _add_column(self, row: Column) -> None:
        t = self.tables
        if row.printed is not None:
            values = [self._as_played(row, value) for value in row.printed]
            self.printed.append([values[d] for d in t.piece_def] if row.of == "piece" else values)
            self.column_base.append(-1)
            return
        self.printed.append(None)
        self.column_base.append(len(t.mem))
        if row.of == "piece" and row.seen != "none":
            t.piece_columns.append(len(t.mem))
        t.mem.extend([self._as_played(row, row.init)] * self.size(row.of))

    def _as_played(self, row: VariableOf | Column, value: int) -> int:
        """A value of the artefact as the kernel has it: a zone is a row there, here the zones of all seats are
        counted; what is not there is nothing."""
        if row.sort == "zone" and value >= 0:
            return -1 if value in self._absent_rows else self.zone_base[value]
        if row.sort == "fixture" and self.absent:
            if not row.set:
                return -1 if value in self.absent else value
            for fixture in self.absent:
                value &= ~(1 << fixture)
        return value

    # -- asked afterwards

    def size(self, sort: str) -> int:
        """How many objects a sort has: seats, fixtures or pieces."""
        if sort == "seat":
            return self.players
        return len(self.artefact.fixtures) if sort == "fixture" else len(self.tables.piece_def)

    def flags(self, sort: str, kind: int) -> list[bool]:
        """For each object of a sort, whether it is of the kind."""
        key = (sort, kind)
        found = self._flags.get(key)
        if found is None:
            if sort == "seat":
                found = [True] * self.players
            elif sort == "fixture":
                kinds = self._kinds_below(kind)
                found = [row.kind in kinds and at not in self.absent for at, row in enumerate(self.artefact.fixtures)]
            else:
                kinds = self._kinds_below(kind)
                per = [row.kind in kinds for row in self.artefact.definitions]
                found = [per[d] for d in self.tables.piece_def]
            self._flags[key] = found
        return found

    def _kinds_below(self, kind: int) -> set[int]:
        """A kind and those below it; of none, all there are."""
        kinds = self.artefact.kinds
        if kind < 0:
            return {-1, *range(len(kinds))}
        found: set[int] = set()
        for at in range(len(kinds)):
            up = at
            while up >= 0 and up != kind:
                up = kinds[up].is_
            if up == kind:
                found.add(at)
        return found

    def count(self, sort: str, kind: int) -> int:
        """How many objects of a sort are of the kind."""
        key = (sort, kind)
        found = self._counts.get(key)
        if found is None:
            found = self._counts[key] = sum(self.flags(sort, kind))
        return found

    def list_number(self, kind: int) -> int:
        """The number of the list that states keep of the pieces of a kind; -1: they keep none of those that only
        questions ask for."""
        t = self.tables
        if kind not in self.lists and not self.closed and len(t.listed) == len(t.piece_def):
            self.lists[kind] = t.lists
            for piece, flag in enumerate(self.flags("piece", kind)):
                if flag:
                    t.listed[piece].append(t.lists)
            t.lists += 1
        return self.lists.get(kind, -1)

    def fixtures(self, kind: int) -> list[int]:
        """The fixtures of a kind."""
        found = self._fixtures.get(kind)
        if found is None:
            found = self._fixtures[kind] = [at for at, flag in enumerate(self.flags("fixture", kind)) if flag]
        return found

    def definition_flags(self, definition: int) -> list[bool]:
        """For each piece whether it is a copy of the definition."""
        found = self._definition_flags.get(definition)
        if found is None:
            found = self._definition_flags[definition] = [d == definition for d in self.tables.piece_def]
        return found

    def flags_of_zones(self) -> list[list[bool]]:
        """For each zone, of each piece whether it may lie there; empty where all may."""
        found: list[list[bool]] = []
        for row in self.artefact.zones:
            flags = [] if row.holds is None else self.flags("piece", row.holds)
            found += [flags] * (self.players if row.each else 1)
        return found + [[]] * (len(self.zone_names) - len(found))

    def addresses(self, column: int) -> list[int]:
        """The addresses of a column, one for each object, then the one for nothing."""
        found = self._addresses.get(column)
        if found is None:
            base = self.column_base[column]
            size = self.size(self.artefact.columns[column].of)
            found = self._addresses[column] = [*range(base, base + size), NIL]
        return found

    def relation(self, relation: int) -> list[list[int]]:
        """For each fixture those to which a relation leads."""
        found = self._relations.get(relation)
        if found is None:
            found = [list(row) for row in self.artefact.relations[relation].table]
            gone, without = self.absent, self._absent_pairs.get(relation, set())
            if gone or without:
                found = [
                    [end for end in row if not (start in gone or end in gone or (start, end) in without)]
                    for start, row in enumerate(found)
                ]
            self._relations[relation] = found
        return found

    def distances(self, relation: int) -> Distances:
        """The steps between any two fixtures along a relation."""
        found = self._distances.get(relation)
        if found is None:
            table = self.relation(relation)
            if len(table) * (len(table) + sum([len(row) for row in table])) > MAX_CELLS:
                name = self.artefact.relations[relation].id
                raise BudgetExceeded(
                    f"the distances along {name} are too many: more than {MAX_CELLS:,} spaces times neighbours",
                    "size",
                    MAX_CELLS,
                )
            found = self._distances[relation] = Distances(table)
        return found

    def live_zones(self, live: tuple[int, ...] | None) -> list[bool]:
        """For each zone whether something that is in force in those of the artefact is so there; without any: in those
        that are seen."""
        found = self._live_zones.get(live)
        if found is None:
            found = self._live_zones[live] = self._find_live_zones(live)
        return found

    def _find_live_zones(self, live: tuple[int, ...] | None) -> list[bool]:
        t = self.tables
        if live is None:
            return [t.sees[z] != 0 or t.sees_top[z] for z in range(len(self.zone_names))]
        found = [False] * len(self.zone_names)
        zones = self.artefact.zones
        for zone in live:
            if zone < len(zones):
                base = self.zone_base[zone]
                for z in range(base, base + (self.players if zones[zone].each else 1)):
                    found[z] = True
            elif t.fixture_zone[zone - len(zones)] >= 0:
                found[t.fixture_zone[zone - len(zones)]] = True
        return found

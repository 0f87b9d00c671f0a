"""Abilities and modifiers of a program: which of them pieces bear, where they are in force, and who can see that."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.builder import Builder
from grimoire.runtime.build.context import Basis
from grimoire.runtime.build.scope import scope_of
from grimoire.runtime.core import tables as core
from grimoire.runtime.core.analysis import first_place, free_slots, strip
from grimoire.runtime.core.expressions import And
from grimoire.runtime.errors import BudgetExceeded
from grimoire.runtime.kernel.base import Ability, Blind, Hook
from grimoire.runtime.limits import LISTENER, MAX_INSTANCES, MAX_SIZE

PHASES: Final = ("cannot", "before", "instead", "after")


class Listeners:
    """The abilities and modifiers of a program while it is built."""

    def __init__(self, basis: Basis) -> None:
        self.basis = basis
        self.layout = basis.layout
        self.tables = basis.layout.tables
        self.abilities = basis.references.artefact.abilities
        self.modifiers = basis.references.artefact.modifiers
        self.bearers: dict[int, list[int]] = {}  # the pieces of each definition
        for piece, definition in enumerate(self.tables.piece_def):
            self.bearers.setdefault(definition, []).append(piece)
        self.in_force: list[list[int]] = []

    # -- before code is built

    def register(self, tracked: list[str]) -> None:
        """Make the instances and the index of what is in force; name the counters."""
        t, basis = self.tables, self.basis
        self._number_keys()
        t.hooks = [[] for _ in t.piece_def]
        t.listed = [[] for _ in t.piece_def]
        t.stamps = len(t.mem)
        leads: dict[tuple[int, int], int] = {}
        for at, row in enumerate(self.abilities):
            ability = self._ability(at, row, len(tracked))
            tracked.append(f"ability {row.id}")
            live = self.layout.live_zones(row.live)
            for piece in self._pieces_of(row.of):
                instance = len(t.instance_ability)
                self._enter(instance, ability.key, piece, live)
                leads[at, piece] = instance
                t.instance_lead.append(leads.get((at if row.shares is None else row.shares, piece), instance))
                t.instance_ability.append(at)
                t.instance_piece.append(piece)
        for at, modifier in enumerate(self.modifiers):
            live = self.layout.live_zones(modifier.live)
            for piece in self._pieces_of(modifier.of):
                self._enter(len(t.mod_instance), basis.modified[modifier.col], piece, live)
                t.mod_instance.append(at)
                t.mod_piece.append(piece)
        if basis.settings.track:
            basis.numbers.modifiers = len(tracked)
        tracked += [f"modifier {at}" for at in range(len(self.modifiers))]
        for ability in t.abilities:
            ability.declined = len(tracked)
            tracked.append(f"declined {ability.id}")
        t.mem.extend([0] * len(t.instance_ability))
        for ability, row in zip(t.abilities, self.abilities, strict=True):
            if row.limit is None or not row.limit.each or row.of != -1:
                continue
            if row.shares is not None:
                ability.by_seat = t.abilities[row.shares].by_seat
            else:
                ability.by_seat = len(t.mem)
                t.mem.extend([0] * (t.seats + 1))
        t.index = self.in_force
        for row in self.abilities:
            if row.shares is not None and (row.asks is not None or self.abilities[row.shares].asks is not None):
                t.shares_asked = True
        self._find_blind()

    def _number_keys(self) -> None:
        """Give every verb that is answered four keys of the index, and every column that is modified one."""
        heard, modified = self.basis.heard, self.basis.modified
        for row in self.abilities:
            if (row.of < 0 or row.of in self.bearers) and row.on not in heard:
                heard[row.on] = len(heard) * 4
        keys = len(heard) * 4
        for modifier in self.modifiers:
            if (modifier.of < 0 or modifier.of in self.bearers) and modifier.col not in modified:
                modified[modifier.col] = keys
                keys += 1
        self.in_force = [[] for _ in range(keys)]

    def _pieces_of(self, definition: int) -> list[int]:
        return [-1] if definition == -1 else self.bearers.get(definition, [])

    def _ability(self, at: int, row: core.Ability, track: int) -> Ability:
        a = Ability(at, row.id)
        a.label = row.label or row.id
        a.of = row.of
        a.phase = PHASES.index(row.phase)
        a.verb = row.on
        a.key = self.basis.heard[row.on] + a.phase if row.on in self.basis.heard else -1
        a.track = track
        self.tables.abilities.append(a)
        return a

    def _enter(self, instance: int, key: int, piece: int, live: list[bool]) -> None:
        """Enter an instance into the index, or hook it to its piece."""
        if instance >= MAX_INSTANCES:
            raise BudgetExceeded(
                f"more than {MAX_INSTANCES:,} abilities or modifiers, one for every piece that bears one",
                "size",
                MAX_INSTANCES,
            )
        if piece < 0:
            self.in_force[key].append(instance)
            return
        self.tables.hooks[piece].append(Hook(instance, key, live))
        if live[self.tables.loc[piece]]:
            self.in_force[key].append(instance)

    def _find_blind(self) -> None:
        """The optional abilities of which not everybody can see whether they may be used."""
        t = self.tables
        t.blind = [() for _ in t.index]
        by_ability: dict[int, list[int]] = {}
        for instance, at in enumerate(t.instance_ability):
            by_ability.setdefault(at, []).append(instance)
        shared: list[list[list[int]]] = []
        for at, row in enumerate(self.abilities):
            a = t.abilities[at]
            if a.key < 0 or row.might is None or a.phase == 0 or not row.optional or a.of == -2:
                continue
            a.blind = True
            unseen: list[list[int]] = []
            if a.of >= 0 and row.asks is None:
                live = self.layout.live_zones(row.live)
                own = [z for z in range(len(live)) if live[z] and t.holder[z] >= 0 and t.sees[z] != t.everyone]
                if own:
                    unseen = [[z for z in own if t.holder[z] == seat] for seat in range(t.seats)]
                    if unseen in shared:
                        unseen = shared[shared.index(unseen)]  # one list for all: the kernel looks at it once
                    else:
                        shared.append(unseen)
            t.blind[a.key] = (*t.blind[a.key], Blind(at, by_ability.get(at, []), unseen))

    # -- while code is built

    def build(self, builder: Builder) -> None:
        """Build conditions and programs of the abilities, then the modifiers."""
        for row, a, touched in zip(self.abilities, self.tables.abilities, self.basis.references.touched, strict=True):
            if a.key >= 0:
                self._build_ability(builder, row, a)
                a.touches = touched
        for at, modifier in enumerate(self.modifiers):
            self.tables.modifiers.append(builder.modifier(at, self.basis.modified.get(modifier.col, -1)))
        self._weigh(builder)
        self._find_ordered()

    def _find_ordered(self) -> None:
        """Under which keys it can matter which of two comes first."""
        under = [0] * len(self.tables.index)
        for a in self.tables.abilities:
            if a.key >= 0:
                under[a.key] |= 1 << a.index
        self.tables.ordered = [False] * len(under)
        for a in self.tables.abilities:
            if a.key >= 0 and a.touches & under[a.key]:
                self.tables.ordered[a.key] = True

    def _build_ability(self, builder: Builder, row: core.Ability, a: Ability) -> None:
        window = builder.ability_window(a.index)
        scope = scope_of(window, -1)
        a.might = builder.optional(row.might, scope)
        if row.might is not None:
            might = strip(row.might)
            parts = might.conditions if isinstance(might, And) else (might,)
            own = tuple(part for part in parts if 0 in free_slots(part))
            a.might_own = builder.expr(And(own), scope) if own else None
            if len(own) < len(parts):
                a.might_all = builder.expr(And(tuple(part for part in parts if part not in own)), scope)
        a.cond = builder.optional(row.cond, scope)
        a.asks = builder.optional(row.asks, scope)
        a.cond_window = window.heard
        a.optional = row.optional and a.phase != 0
        a.once = row.once
        a.late = bool(row.late) or row.ends is not None
        if row.ends is not None:
            a.ends_before, a.ends_behind = row.ends
        a.place = row.at
        if row.limit is not None:
            a.limit = row.limit.n
            a.per = row.limit.per
            a.later = bool(row.limit.later)
        if row.proc >= 0:
            a.unit = builder.units.ability_unit(row.proc, a.label).index

    def _weigh(self, builder: Builder) -> None:
        """The units of work of the conditions of abilities."""
        sizes = self.basis.sizes
        for row, a in zip(self.abilities, self.tables.abilities, strict=True):
            a.weight = 0
            for form in (row.cond, row.asks, row.might):
                if form is not None:
                    units = sizes.form(form)
                    if units > MAX_SIZE:
                        raise builder.too_large(first_place(form), a.label)
                    a.weight += units
        for modifier in self.modifiers:
            if sizes.modifiers(modifier.col) > MAX_SIZE:
                raise builder.too_large(first_place(modifier.cond), "a modifier")
        for found in self.tables.blind:
            total = 0
            for x in reversed(found):
                units = LISTENER + self.tables.abilities[x.ability].weight
                total += self.tables.seats * units + len(x.instances) if x.zones else len(x.instances) * units
                x.weight = total

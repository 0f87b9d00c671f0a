"""Live slots: which slots of a frame can still be read, so that saves and digests hold nothing stale."""

from __future__ import annotations

from grimoire.runtime.build.block_liveness import Ways, block_live
from grimoire.runtime.build.references import References
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.kernel.base import X_ASKED, X_PASSED, X_RESULT, X_SPENT, X_STATUS


class LiveSlots:
    """Live sets of the units of a program, worked out unit by unit when first asked."""

    def __init__(self, references: References, registry: Registry) -> None:
        self.references = references
        self.registry = registry
        self.texts = {proc for procs in references.programs.values() for proc in procs}
        self.entries: dict[int, list[set[int]]] = {}
        self.cache: dict[tuple[int, int], tuple[int, ...]] = {}

    def at(self, unit: int, pc: int) -> tuple[int, ...]:
        """The live slots of a frame of a unit that stands at (or called from) a position, ascending."""
        key = (unit, pc)
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = tuple(sorted(self._find_suspended(unit, pc)))
        return found

    def _find_suspended(self, unit: int, pc: int) -> set[int]:
        entries = self._unit(unit)
        always = self.always(unit)
        op = self.registry.units[unit].code[pc]
        if op.asks:
            return entries[pc] | always
        live = set(always)
        for target, kills in self.registry.notes[unit][pc].edges:
            live |= entries[target] - kills
        return live

    def always(self, unit: int) -> set[int]:
        """Slots that others may read at any time."""
        u = self.registry.units[unit]
        live = set(self.references.settings.get(u.proc, ()))
        if u.event:
            row = self.references.procs[u.proc]
            live |= set(range(row.params + 1))
            live |= {i for i in self.references.arg_slots if i < row.slots}
            live |= {u.extras + x for x in (X_SPENT, X_PASSED, X_STATUS, X_RESULT, X_ASKED)}
        if u.ability:
            live.add(u.extras + 2)  # the instance; the event is the frame below
        elif not u.event and u.proc in self.texts:
            live.add(1)  # the piece, which the question names
        if u.serial >= 0:
            live.add(u.serial)
        return live

    def _unit(self, unit: int) -> list[set[int]]:
        found = self.entries.get(unit)
        if found is not None:
            return found
        notes = self.registry.notes[unit]
        found = [set() for _ in notes]
        changed = True
        while changed:
            changed = False
            for pc in range(len(notes) - 1, -1, -1):
                note = notes[pc]
                if note.block is not None:
                    outs = [found[target] for target, _ in note.edges]
                    back = outs[3] if len(outs) > 3 else set()
                    live = block_live(note.block, outs[0], Ways(outs[1], outs[2], back))
                else:
                    live = note.reads()
                    for target, kills in note.edges:
                        live |= found[target] - kills
                if live != found[pc]:
                    found[pc] = live
                    changed = True
        self.entries[unit] = found
        return found

"""Live slots: which slots of a frame can still be read, so that saves and digests hold nothing stale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import X_ASKED, X_PASSED, X_RESULT, X_SPENT, X_STATUS, WaitOp
from grimoire.runtime.build.forms import Json, body_of, expressions_of, free_slots, written_slots

if TYPE_CHECKING:
    from grimoire.runtime.build.program import Program


class LiveSlots:
    """Live sets of the units of a program, worked out unit by unit when first asked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.texts = {proc for procs in program.builder.programs.values() for proc in procs}
        self.entries: dict[int, list[set[int]]] = {}
        self.cache: dict[tuple[int, int], tuple[int, ...]] = {}

    def at(self, unit: int, pc: int) -> tuple[int, ...]:
        """The live slots of a frame of a unit that stands at (or called from) a position, ascending."""
        key = (unit, pc)
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = tuple(sorted(self._suspended(unit, pc)))
        return found

    def _suspended(self, unit: int, pc: int) -> set[int]:
        entries = self._unit(unit)
        always = self.always(unit)
        op = self.program.units[unit].code[pc]
        if isinstance(op, WaitOp):
            return entries[pc] | always
        live = set(always)
        for target, kills in self.program.builder.notes[unit][pc].edges:
            live |= entries[target] - kills
        return live

    def always(self, unit: int) -> set[int]:
        """Slots that others may read at any time."""
        u = self.program.units[unit]
        live = set(self.program.settings.get(u.proc, ()))
        if u.event:
            row = self.program.doc["procs"][u.proc]
            live |= set(range(row["params"] + 1))
            live |= {i for i in self.program.arg_slots if i < row["slots"]}
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
        notes = self.program.builder.notes[unit]
        found = [set() for _ in notes]
        changed = True
        while changed:
            changed = False
            for pc in range(len(notes) - 1, -1, -1):
                note = notes[pc]
                if note.block is not None:
                    outs = [found[target] for target, _ in note.edges]
                    back = outs[3] if len(outs) > 3 else set()
                    live = block_live(note.block, outs[0], outs[1], outs[2], back)
                else:
                    live = set(note.reads)
                    for target, kills in note.edges:
                        live |= found[target] - kills
                if live != found[pc]:
                    found[pc] = live
                    changed = True
        self.entries[unit] = found
        return found


def block_live(statement: Json, out: set[int], stop: set[int], again: set[int], back: set[int]) -> set[int]:
    """What is live before a statement, given what is live after it and where stop, again and return lead."""
    live = set(out)
    for part in reversed(body_of(statement)):
        live = one_live(part, live, stop, again, back)
    return live


def one_live(s: Json, out: set[int], stop: set[int], again: set[int], back: set[int]) -> set[int]:
    """The same for one statement."""
    if isinstance(s, list) or s["op"] == "seq":
        return block_live(s if isinstance(s, list) else s["body"], out, stop, again, back)
    op = s["op"]
    reads: set[int] = set()
    for form in expressions_of(s):
        reads |= free_slots(form)
    if op == "grant":
        reads.add(0)  # what is granted belongs to you
    if op == "stop":
        return set(stop)
    if op == "again":
        return set(again)
    if op == "return":
        return reads | back
    if op == "end":
        return reads
    if op == "if":
        yes = block_live(s["then"], out, stop, again, back)
        return reads | yes | block_live(s.get("else"), out, stop, again, back)
    if op == "pay":
        yes = block_live(s["then"], out, stop, again, back)
        yes = block_live(s["cost"], yes, stop, again, back)
        return reads | yes | block_live(s.get("else"), out, stop, again, back)
    if op == "menu":
        return menu_live(s, out, stop, again, back)
    if op == "poll":
        inside = menu_live(s["menu"], out, stop, again, back) - {s["slot"]}
        return reads | inside | out
    if op == "choose":
        return (reads | out) - {s["slot"]}
    if op == "leave":
        return reads
    if op in ("foreach", "repeat"):
        bound = {s["slot"]} if op == "foreach" else set()
        endless = op == "repeat" and s.get("times") is None
        head: set[int] = set() if endless else set(out)
        while True:
            inside = block_live(s["body"], head, out, head, back) - bound
            grown = inside if endless else inside | out
            if grown <= head:
                return reads | head
            head = head | grown
    return reads | (out - set(written_slots(s)))


def menu_live(s: Json, out: set[int], stop: set[int], again: set[int], back: set[int]) -> set[int]:
    """The same for a menu."""
    live = free_slots(s["seat"]) | block_live(s.get("otherwise"), out, stop, again, back)
    for entry in s["entries"]:
        bound: set[int] = set()
        if entry.get("guard") is not None:
            live |= free_slots(entry["guard"])
        for domain in entry.get("domains", []):
            live |= free_slots(domain["in"]) - bound
            bound.add(domain["slot"])
        live |= block_live(entry.get("body"), out, stop, again, back) - bound
    return live

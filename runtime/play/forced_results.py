"""Forced results of random statements, for tests that are content."""

from __future__ import annotations

from grimoire.runtime.build.program import Program
from grimoire.runtime.errors import SetupError
from grimoire.runtime.kernel.base import FORCED, SCRIPTED
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.shapes import Script


class RandomScript:
    """Two queues. ``random``: an element (number, or id of a fixture, definition or seat), or ``{"index": n}``.
    ``shuffle``: a zone and the definitions that lie on top after its next shuffle, the last one uppermost; what is
    below is random.
    """

    def __init__(self, program: Program, script: Script) -> None:
        self.program = program
        self.queue = list(script.get("random", []))
        self.shuffles: list[tuple[int, list[str]]] = []
        for zone, top in script.get("shuffle", []):
            if zone not in program.zone_names:
                raise SetupError(f"script: there is no zone {zone!r}; there are {', '.join(program.zone_names)}")
            self.shuffles.append((program.zone_names.index(zone), list(top)))

    def arrange_top(self, g: State, zone: int) -> None:
        """Put on top what the next entry wants there, if it is for this zone."""
        used = g.mem[SCRIPTED] >> FORCED
        if used >= len(self.shuffles) or self.shuffles[used][0] != zone:
            return
        p = self.program
        rest = g.zones[zone][:]
        top: list[int] = []
        for name in self.shuffles[used][1]:
            found = [piece for piece in rest if p.definition_names[p.piece_def[piece]] == name]
            if not found:
                there = ", ".join(str(p.definition_names[p.piece_def[piece]]) for piece in rest) or "nothing"
                raise SetupError(
                    f"script: shuffle {used + 1} wants {name} in {p.zone_names[zone]}, where there is {there}"
                )
            rest.remove(found[0])
            top.append(found[0])
        g.reorder(zone, rest + top)
        g.put(SCRIPTED, g.mem[SCRIPTED] + (1 << FORCED))

    def index(self, g: State, items: list[int], position: int) -> int:
        if position >= len(self.queue):
            return -1
        wanted = self.queue[position]
        if isinstance(wanted, dict):
            at = wanted.get("index")
            if isinstance(at, int) and 0 <= at < len(items):
                return at
            raise SetupError(f"script: result {position + 1} has index {at!r}, but there are {len(items)} elements")
        if isinstance(wanted, int):
            if wanted in items:
                return items.index(wanted)
        else:
            for at, x in enumerate(items):
                if self._is(str(wanted), x):
                    return at
        raise SetupError(f"script: result {position + 1}, {wanted!r}, is not among the {len(items)} that can come up")

    def _is(self, name: str, x: int) -> bool:
        p = self.program
        if 0 <= x < len(p.fixture_names) and p.fixture_names[x] == name:
            return True
        if 0 <= x < len(p.piece_def) and p.definition_names[p.piece_def[x]] == name:
            return True
        return (0 <= x < p.seats and p.seat_names[x] == name) or str(x) == name

"""Forced results of random statements, for tests that are content."""

from __future__ import annotations

from typing import Any

from grimoire.runtime.errors import SetupError
from grimoire.runtime.program import Program
from grimoire.runtime.state import State


class RandomScript:
    """A queue: an element (number, or id of a fixture, definition or seat), or ``{"index": n}``."""

    def __init__(self, program: Program, script: dict[str, list[Any]]) -> None:
        self.program = program
        self.queue = list(script.get("random", []))

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

"""Where the same thing stands in an artefact: what an author writes once, the compiler writes in several places.

In: the programs and rows that were made of one text. Out: for a place in one of them, all places to break with it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from grimoire.runtime.core.expressions import CanCarryOut
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.statements import Entry, Propose
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.walk import Path, find_at, walk_paths


class Copies:
    """The copies of statements, options and trials in some programs."""

    def __init__(self, artefact: Artefact, bodies: Sequence[Path]) -> None:
        self.artefact = artefact
        self.bodies = bodies
        self.copies: dict[Hashable, list[Path]] = {}
        for body in bodies:
            for path, record in walk_paths(find_at(artefact, body), body):
                if isinstance(record, Statement | Entry | CanCarryOut):
                    self.copies.setdefault(make_key(record), []).append(path)

    def find_same(self, path: Path, record: Statement | Entry | Expression) -> list[Path]:
        """Where this record stands: here, and in copies that are not part of the same program's own lines."""
        found = self.copies.get(make_key(record), [])
        own = path[:2]
        twins = [p for p in found if p != path and (p[:2] != own or self.is_in_trial(p))]
        if isinstance(record, Statement | Entry):
            for body in self.bodies:  # other cards of a kind, other windows of an ability
                if body[0] == own[0] and body != own:
                    twin = (*body, *path[2:])
                    if self.has_one_like(record, twin):
                        twins.append(twin)
        kept: list[Path] = []
        for p in sorted([path, *twins], key=len):
            if not any(p[: len(q)] == q for q in kept):
                kept.append(p)
        return kept

    def has_one_like(self, record: Statement | Entry, path: Path) -> bool:
        """Whether a record of the same sort stands at a path."""
        try:
            return type(find_at(self.artefact, path)) is type(record)
        except LookupError:
            return False

    def is_in_trial(self, path: Path) -> bool:
        """Whether a place lies in a trial."""
        return any(isinstance(find_at(self.artefact, path[:end]), CanCarryOut) for end in range(2, len(path) + 1))


def make_key(record: Statement | Entry | Expression) -> Hashable:
    """What is equal for copies of one thing: an event is proposed in different words in different places."""
    if isinstance(record, Propose) and record.at is not None:
        return record.at
    return record


__all__ = ["Copies"]

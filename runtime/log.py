"""The log: one entry an event and one a decision, redacted for every seat when it is written."""

from __future__ import annotations

from typing import Any

from grimoire.runtime.decision import Names
from grimoire.runtime.program import Program
from grimoire.runtime.selectors import bits
from grimoire.runtime.state import State


class Log:
    """Entries are written when an event has happened, or failed to.

    A piece is named to a seat if the seat knows it then and never lost sight of it while the event went on: ``blurred`` holds, for each
    piece, the moment at which somebody last stopped knowing it.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.moment = 1
        self.blurred = [0] * len(program.piece_def)
        self.written: list[list[dict[str, Any]]] = []  # for each entry: one version a seat, then the full one
        self.trail: list[
            tuple[int, int]
        ] = []  # what happened: a piece blurred and when it was before, or -1 for an entry

    def copy(self) -> Log:
        log = Log(self.program)
        log.moment = self.moment
        log.blurred = self.blurred[:]
        log.written = self.written[:]
        return log

    def now(self) -> int:
        return self.moment

    def size(self) -> int:
        return len(self.trail)

    def cut(self, size: int) -> None:
        """Take back all that was told since the log had this size."""
        while len(self.trail) > size:
            piece, before = self.trail.pop()
            if piece < 0:
                self.written.pop()
            else:
                self.blurred[piece] = before
                self.moment -= 1

    def blur(self, piece: int) -> None:
        self.trail.append((piece, self.blurred[piece]))
        self.moment += 1
        self.blurred[piece] = self.moment

    def write(self, versions: list[dict[str, Any]]) -> None:
        self.trail.append((-1, 0))
        self.written.append(versions)

    def event(self, g: State, proc: int, base: int, ok: int, since: int) -> None:
        row = self.program.doc["procs"][proc]
        sorts = row.get("sorts")
        args = g.slots[base + 1 : base + 1 + row["params"]]
        versions: list[dict[str, Any]] = []
        for seat in [*range(self.program.seats), -1]:
            names = Names(self.program, g, seat)
            shown = [self._arg(names, sorts[at] if sorts else "", x, since) for at, x in enumerate(args)]
            you = g.slots[base]
            versions.append(
                {
                    "n": len(self.written) + 1,
                    "verb": row["id"],
                    "you": self.program.seat_names[you] if 0 <= you < self.program.seats else None,
                    "args": shown,
                    "ok": bool(ok),
                }
            )
        self.write(versions)

    def choice(self, g: State, seat: int, label: str, entry: str, sorts: list[str], values: list[int]) -> None:
        """A decision: who, what was asked, which entry, the values chosen as far as each seat knows them now."""
        versions: list[dict[str, Any]] = []
        for reader in [*range(self.program.seats), -1]:
            names = Names(self.program, g, reader)
            versions.append(
                {
                    "n": len(self.written) + 1,
                    "choice": label,
                    "entry": entry,
                    "you": self.program.seat_names[seat],
                    "values": [self._arg(names, sort, x, self.moment) for sort, x in zip(sorts, values, strict=True)],
                }
            )
        self.write(versions)

    def _arg(self, names: Names, sort: str, value: int, since: int) -> dict[str, Any]:
        if sort == "":
            return {"sort": "", "value": value if names.seat < 0 else None}
        many = sort.startswith("set:")
        if many:
            found = [self._one(names, sort[4:], x, since) for x in bits(value)]
            return {"sort": sort, "value": found}
        return {"sort": sort, "value": self._one(names, sort, value, since)}

    def _one(self, names: Names, sort: str, value: int, since: int) -> str | int | None:
        if sort == "piece" and value >= 0 and names.seat >= 0:
            if not names.knows(value) or self.blurred[value] > since:
                return None
            return str(self.program.definition_names[self.program.piece_def[value]])
        if sort == "piece" and value >= 0:
            return str(self.program.definition_names[self.program.piece_def[value]])
        return names.value(sort, value)

    def entries(self, seat: int | None, choices: bool) -> list[dict[str, Any]]:
        """What a seat may read."""
        found = [versions[-1 if seat is None else seat] for versions in self.written]
        return found if choices else [entry for entry in found if "verb" in entry]

"""A log that looks at the table after every event: for games whose invariants are read from the raw state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Protocol

from grimoire.runtime import Game
from grimoire.runtime.play.log import Log


class Looked(Protocol):
    """A table that can say what does not hold."""

    def wrong(self) -> Iterator[str]: ...


class Watch(Log):
    """A log that asks a table after every event."""

    def event(self, g: Any, *args: Any) -> Any:  # type: ignore[override]
        made = super().event(g, *args)
        table: Looked | None = getattr(self, "table", None)
        if table is not None:
            found: Counter[str] = self.found
            found.update(table.wrong())
            self.looks += 1
        return made


def watched(game: Game, table: Looked, found: Counter[str]) -> Any:
    """Watch a game: what does not hold is counted in `found`, the events in `looks` of the log."""
    watch: Any = Watch(game.program)
    watch.table, watch.found, watch.looks = table, found, 0
    game.state.log = watch
    return watch

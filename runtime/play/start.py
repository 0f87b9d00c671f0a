"""The start of a game: run to the first decision."""

from __future__ import annotations

from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.faults import tell_faults


def run_first(g: State) -> None:
    """Run to the first decision."""
    with tell_faults(g):
        trial.start(g)
        close_log(g)


def close_log(g: State) -> None:
    """When the game is over, what it ended in is told as well."""
    if g.log is not None and not g.waiting:
        g.log.leave(g, -1)

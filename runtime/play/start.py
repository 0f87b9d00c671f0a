"""The start of a game: a state at the first statement, run to the first decision."""

from __future__ import annotations

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import SPARE
from grimoire.runtime.kernel.rng import stream
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.faults import tell_faults


def fresh_state(program: Program, seed: int) -> State:
    """A state at the start of the main procedure."""
    g = State(program.tables, stream(program.tables.key, seed), None)
    u = program.units[program.tables.main]
    if u.window > SPARE or u.serial >= 0:
        g.begin(program.tables.main, [0])
    else:
        g.slots[0] = 0
    return g


def run_first(g: State) -> None:
    """Run to the first decision."""
    with tell_faults(g):
        trial.start(g)
        close_log(g)


def close_log(g: State) -> None:
    """When the game is over, what it ended in is told as well."""
    if g.log is not None and not g.waiting:
        g.log.leave(g, -1)

"""Faults: whatever goes wrong while the rules of a package run becomes an error of the runtime that names the place.

What the rules can bring about is told as such (too deep, too much memory, what a `GrimoireError` says). Everything else
that Python raises is a fault of the engine, and is never told as the author's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from grimoire.runtime.errors import GrimoireError, engine_fault
from grimoire.runtime.kernel.base import TrialFailed
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_DEPTH

# What can come out of the kernel: caught everywhere, so that a game is left as it was whatever happens.
FAULTS: Final = (
    GrimoireError,
    TrialFailed,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)


def fault(g: State, error: BaseException) -> GrimoireError:
    """The error to raise for one that came up while the state ran."""
    if isinstance(error, GrimoireError):
        return error
    if isinstance(error, RecursionError):
        return g.breach("depth", MAX_DEPTH, "the rules call each other without end")
    if isinstance(error, MemoryError):
        return g.breach("memory", 0, "the rules need more memory than there is")
    return engine_fault(where(g), error)


def where(g: State) -> str:
    """The running procedure with its place."""
    unit = g.units[g.unit]
    places = g.tables.places
    place = places[unit.place] if 0 <= unit.place < len(places) else ""
    return f"{unit.name} ({place})" if place else unit.name


@contextmanager
def tell_faults(g: State) -> Iterator[None]:
    """Whatever is raised in the block becomes an error of the runtime."""
    try:
        yield
    except FAULTS as error:
        raised = fault(g, error)
        raise raised from (None if raised is error else error)

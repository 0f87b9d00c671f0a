"""The window that a form is built for, and where in it and in the source it stands."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.core.records import Expression, Selector
from grimoire.runtime.core.statements import Menu
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.kernel.base import EXTRAS, HEARD


class Window:
    """The slots of a frame: those of the artefact, what the kernel keeps behind them, and hidden ones for loops and
    calls."""

    def __init__(self, slots: int, hidden: int) -> None:
        self.slots = slots
        self.heard = -1  # where the address of the event heard stands
        self.extras = -1  # where the extra slots of an event stand
        self.serial = -1
        self.bearer = False  # slot 1 is the bearing piece
        self.proc = -1  # the procedure whose frame this is
        self.hidden = slots
        self.size = slots + hidden
        # what hidden slots hold, for those who have to know it (slot_sorts.py)
        self.calls: list[tuple[int, int]] = []  # where the window of a call written into this one stands; its procedure
        self.lists: list[tuple[int, Selector]] = []  # what is left of a loop; the selector it goes over
        self.polls: list[tuple[int, Menu]] = []  # the first slot of a poll; its menu

    def add_heard(self) -> None:
        """Room for what an ability knows of its event."""
        self.heard = self.hidden
        self.hidden += HEARD
        self.size += HEARD

    def add_extras(self) -> None:
        """Room for what an event keeps."""
        self.extras = self.hidden
        self.hidden += EXTRAS
        self.size += EXTRAS

    def add_serial(self) -> None:
        """Room for the serial of a scope."""
        self.serial = self.hidden
        self.hidden += 1
        self.size += 1

    def take(self, n: int) -> int:
        """Hidden slots for a statement."""
        at = self.hidden
        self.hidden += n
        if self.hidden > self.size:
            raise ArtefactError("internal: too few hidden slots")
        return at


class Inside:
    """A call written into its caller: where its slots stand, what stands for its arguments, where it ends and leaves
    its result."""

    def __init__(self, at: int, instead: dict[int, Expression], finish: int, found: int, code: object) -> None:
        self.code = code  # in which the end is a label
        self.at = at
        self.instead = instead
        self.finish = finish
        self.found = found


class Scope:
    """A window, the place in the source of what is being built for it, and the calls that are being written into it."""

    __slots__ = ("inside", "place", "window")

    def __init__(self, window: Window, place: int, inside: dict[int, Inside]) -> None:
        self.window = window
        self.place = place
        self.inside = inside  # by procedure

    def at(self, place: int) -> Scope:
        """The same at another place."""
        return Scope(self.window, place, self.inside)

    def within(self, proc: int, inside: Inside) -> Scope:
        """The same inside a call that is written into it."""
        return Scope(self.window, self.place, {**self.inside, proc: inside})


NO_CALLS: Final[dict[int, Inside]] = {}


def scope_of(window: Window, place: int) -> Scope:
    """The scope of what stands directly in a window."""
    return Scope(window, place, NO_CALLS)

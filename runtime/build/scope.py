"""The window that a form is built for, and the calls that are being written into it."""

from __future__ import annotations

from grimoire.runtime.kernel.base import EXTRAS, HEARD
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.build.forms import Json


class Inside:
    """A call written into its caller: where its slots stand, what stands for its arguments, where it ends and leaves its result."""

    def __init__(self, at: int, instead: dict[int, Json], finish: int, found: int, code: object) -> None:
        self.code = code  # in which the end is a label
        self.at = at
        self.instead = instead
        self.finish = finish
        self.found = found


class Scope:
    """The window that a form is built for."""

    def __init__(self, slots: int, hidden: int) -> None:
        self.slots = slots
        self.heard = -1  # where the address of the event heard stands
        self.extras = -1  # where the extra slots of an event stand
        self.serial = -1
        self.bearer = False  # slot 1 is the bearing piece
        self.proc = -1  # the procedure whose frame this is
        self.inside: dict[int, Inside] = {}  # the procedures whose calls are being written into this window
        self.hidden = slots
        self.window = slots + hidden
        # what hidden slots hold, for those who have to know it (slot_sorts.py)
        self.windows: list[
            tuple[int, int]
        ] = []  # where the window of a call written into this one stands; which procedure
        self.lists: list[tuple[int, Json]] = []  # what is left of a loop; the selector it goes over
        self.polls: list[tuple[int, Json]] = []  # the first slot of a poll; its menu

    def add_heard(self) -> None:
        """Room for what an ability knows of its event."""
        self.heard = self.hidden
        self.hidden += HEARD
        self.window += HEARD

    def add_extras(self) -> None:
        """Room for what an event keeps."""
        self.extras = self.hidden
        self.hidden += EXTRAS
        self.window += EXTRAS

    def add_serial(self) -> None:
        """Room for the serial of a scope."""
        self.serial = self.hidden
        self.hidden += 1
        self.window += 1

    def take(self, n: int) -> int:
        """Hidden slots for a statement."""
        at = self.hidden
        self.hidden += n
        if self.hidden > self.window:
            raise ArtefactError("internal: too few hidden slots")
        return at

"""Errors of the runtime: one base class, one class a cause; every message names the thing and the likely repair."""

from __future__ import annotations

import os
import traceback


class GrimoireError(Exception):
    """The base of everything the runtime raises on purpose."""


class ArtefactError(GrimoireError):
    """The artefact cannot be loaded: not JSON, another format, edited, cut short or out of range."""


class SetupError(GrimoireError):
    """A game cannot be set up with these players, options or script."""


class IllegalChoice(GrimoireError):
    """The key is not among the options offered; the game is unchanged."""


class StaleChoice(IllegalChoice):
    """The answer belongs to another question than the one that the seat is asked now: it came twice, or too late."""


class SaveError(GrimoireError):
    """A saved game cannot be loaded."""


class SignatureMismatch(SaveError):
    """A key was given, and the save or record was not signed with it, or was changed since."""


class ContentMismatch(SaveError):
    """The saved game belongs to another content hash."""

    def __init__(self, saved: str, present: str) -> None:
        super().__init__(
            f"the save belongs to content {saved}, the loaded package is {present}; "
            "load that version, or pass migrate=True to replay the decisions"
        )
        self.saved = saved
        self.present = present


class UndoBarrier(GrimoireError):
    """Undo would take back something that became known, or a random number."""


class BudgetExceeded(GrimoireError):
    """A decision, a question or a program needs more than the limits allow; the game is unchanged.

    ``what`` was too much (work, depth, effects, number, element, range, size, memory, decisions), ``limit`` is how much
    there may be, ``place`` is ``file:line:column`` where the artefact knows it, ``chain`` what was running, innermost
    first.
    """

    def __init__(
        self, message: str, what: str = "", limit: int = 0, place: str = "", chain: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.what = what
        self.limit = limit
        self.place = place
        self.chain = chain

    def __reduce__(self) -> tuple[type[BudgetExceeded], tuple[str, str, int, str, tuple[str, ...]]]:
        return BudgetExceeded, (str(self), self.what, self.limit, self.place, self.chain)


class EngineError(GrimoireError):
    """The artefact is well formed, but its rules ask for something that cannot be asked; the message names it."""


class EngineFault(GrimoireError):
    """The runtime itself failed: a fault of ours, not of the package's author; the game is unchanged.

    ``where`` is what was done, ``cause`` the error of Python with its place in the runtime. Whoever forges an artefact
    or a save can provoke one, too.
    """

    def __init__(self, message: str, where: str = "", cause: str = "") -> None:
        super().__init__(message)
        self.where = where
        self.cause = cause

    def __reduce__(self) -> tuple[type[EngineFault], tuple[str, str, str]]:
        return EngineFault, (str(self), self.where, self.cause)


def engine_fault(where: str, error: BaseException) -> EngineFault:
    """The fault for an error that nobody raised on purpose, with the innermost place in our own code."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" at {'/'.join(frames[-1].filename.split(os.sep)[-2:])}:{frames[-1].lineno}" if frames else ""
    cause = f"{type(error).__name__}: {error}{at}".replace(":  at", " at")
    return EngineFault(
        f"the engine failed in {where} ({cause}). This is a fault of Grimoire, not of the content, unless somebody "
        "else wrote the artefact or changed the save: please report it with both and the decisions",
        where,
        cause,
    )


class ReplayMismatch(GrimoireError):
    """A recorded decision is not legal in the replayed game."""


class EditError(GrimoireError):
    """An edit of a position is not possible."""

"""What the kernel calls outside itself: the log and the script of forced results. No class of the kernel is their
base."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from grimoire.runtime.kernel.state import State


class Recorder(Protocol):
    """What the kernel tells the log."""

    def begin(self, g: State, proc: int, base: int) -> int: ...

    def event(self, g: State, proc: int, base: int, ok: int, since: int, result: int = -1) -> None: ...

    def choice(self, g: State, seat: int, label: str, entry: str, sorts: list[str], values: list[int]) -> None: ...

    def leave(self, g: State, base: int) -> None: ...

    def blur(self, piece: int) -> None: ...

    def rest(self, shown: list[int]) -> None: ...

    def size(self) -> int: ...

    def cut(self, size: int) -> None: ...


class Script(Protocol):
    """Forced results of random statements, for scenarios."""

    def index(self, g: State, items: list[int], position: int) -> int:
        """Index into the items, or -1 when the script is used up."""
        ...

    def arrange_top(self, g: State, zone: int) -> None:
        """A zone was arrange_top: put on top what the script wants there, if it is its turn."""
        ...

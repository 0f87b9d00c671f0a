"""How much work something is, without a clock: calls of functions, the same on every machine at every time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def count_calls(action: Callable[[], T]) -> tuple[T, int]:
    """What an action gives, and how many calls of functions, of Python and of C, it takes."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        return action(), count
    finally:
        sys.setprofile(before)

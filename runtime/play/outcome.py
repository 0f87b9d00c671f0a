"""The end of a game, as everybody is told it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    id: str
    winners: tuple[int, ...]
    scores: tuple[int, ...] | None

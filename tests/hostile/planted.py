"""Lookers in which something is planted: the runs themselves are tested with them. A module of its own, for other
processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .watch import Looker


def fail() -> None:
    raise KeyError("planted")


def hang() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:  # who catches everything must be stopped as well
            continue


def flood() -> list[Any]:
    return [bytearray(b"x") * (300 << 20)]


def die() -> None:
    os._exit(7)


PLANTED = {3: fail, 5: hang, 7: flood, 9: die, 11: fail}


class Planted(Looker):
    """The numbers above go wrong, each in its own way; the rest is fine."""

    command = "planted"
    seconds = 0.5
    memory = 256 << 20  # little: a busy machine takes seconds to hand out a gigabyte

    def __init__(self, folder: Path) -> None:
        super().__init__("planted")

    def attempt(self, seed: int, number: int) -> tuple[str, str] | None:
        return self.guarded(lambda: PLANTED[number]() and None if number in PLANTED else None)

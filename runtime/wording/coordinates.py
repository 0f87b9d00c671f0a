"""Ids that are places on a grid: the letter of the column and the number of the row."""

from __future__ import annotations

import re
from typing import Final

_COORDINATE: Final = re.compile(r"([a-z])([1-9][0-9]?)\Z")


def is_coordinate(id_: str) -> bool:
    """Whether an id is a place on a grid: the letter of its column and the number of its row."""
    return _COORDINATE.match(id_) is not None


def coordinate(id_: str) -> tuple[int, int] | None:
    """Column and row from 0, or None."""
    found = _COORDINATE.match(id_)
    return (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else None

"""The type of plain data: what a JSON document holds, before it is read into something that says what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
Document: TypeAlias = Mapping[str, Json]

__all__ = ["Document", "Json"]

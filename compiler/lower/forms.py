"""Small builders of core forms that all parts of the lowering use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Sort, Statement

Comparing = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARISONS: Final[dict[str, Comparing]] = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
ONE: Final = ex.Number(1)
ZERO: Final = ex.Number(0)
NOTHING: Final = ex.Number(-1)
CURRENT = 0  # variable index of the current player
FIRST = 1  # variable index of the first player

_SORTS: Final[dict[str, Sort]] = {
    "number": "number", "flag": "flag", "seat": "seat", "fixture": "fixture", "piece": "piece", "zone": "zone",
}  # fmt: skip


def as_sort(sort: str) -> Sort:
    """The sort of objects that the core knows."""
    return _SORTS[sort]


def both(parts: Iterable[Expression]) -> Expression:
    """That all of these hold; the number 1 where there is nothing to test."""
    flat: list[Expression] = []
    for part in parts:
        if isinstance(part, ex.And):
            flat.extend(part.conditions)
        elif part != ONE:
            flat.append(part)
    if not flat:
        return ONE
    return flat[0] if len(flat) == 1 else ex.And(tuple(flat))


def seq(body: Iterable[Statement]) -> Statement:
    """Statements in order, as one."""
    flat: list[Statement] = []
    for part in body:
        if isinstance(part, st.Sequence) and part.clause is None:
            flat.extend(part.body)
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else st.Sequence(tuple(flat))


def list_statements(stmt: Statement | None) -> list[Statement]:
    """The statements of a sequence, or the one that there is."""
    if stmt is None:
        return []
    return list(stmt.body) if isinstance(stmt, st.Sequence) and stmt.clause is None else [stmt]

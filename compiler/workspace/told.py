"""What units tell of what can be where, as plain data, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grimoire.compiler.lower.told import Premise, PremiseSort, Told
from grimoire.compiler.workspace.plain import rows, texts
from grimoire.runtime.plain_data import Json

_SORTS: Final[dict[str, PremiseSort]] = {"lies": "lies", "works": "works", "done": "done", "happens": "happens"}


def write_told(told: Told) -> Json:
    moves, given, premises = ([list(row) for row in part] for part in (told.moves, told.given, told.premises))
    return [moves, given, list(told.carried_out), premises]


def read_told(value: Json) -> Told:
    moves, given, carried_out, premises = rows(value, 4)
    lists = read_pairs(moves), read_pairs(given), tuple(texts(carried_out))
    return Told(*lists, tuple(read_premise(premise) for premise in rows(premises)))


def read_pairs(value: Json) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, other in (texts(pair) for pair in rows(value)))


def write_premises(premises: Iterable[Premise]) -> Json:
    return [list(premise) for premise in sorted(premises)]


def read_premises(value: Json) -> frozenset[Premise]:
    return frozenset(read_premise(premise) for premise in rows(value))


def read_premise(value: Json) -> Premise:
    sort, what, where = texts(value)
    found = _SORTS.get(sort)
    if found is None:
        raise ValueError("no premise")
    return Premise(found, what, where)

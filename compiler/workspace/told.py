"""What units tell of what can be where, as plain data, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grimoire.compiler.lower.told import Claim, ClaimSort, Told
from grimoire.compiler.workspace.plain import rows, texts
from grimoire.runtime.plain_data import Json

_SORTS: Final[dict[str, ClaimSort]] = {"lies": "lies", "works": "works", "done": "done", "happens": "happens"}


def write_told(told: Told) -> Json:
    moves, given, claims = ([list(row) for row in part] for part in (told.moves, told.given, told.claims))
    return [moves, given, list(told.carried_out), claims]


def read_told(value: Json) -> Told:
    moves, given, carried_out, claims = rows(value, 4)
    lists = read_pairs(moves), read_pairs(given), tuple(texts(carried_out))
    return Told(*lists, tuple(read_claim(claim) for claim in rows(claims)))


def read_pairs(value: Json) -> tuple[tuple[str, str], ...]:
    return tuple((one, other) for one, other in (texts(pair) for pair in rows(value)))


def write_claims(claims: Iterable[Claim]) -> Json:
    return [list(claim) for claim in sorted(claims)]


def read_claims(value: Json) -> frozenset[Claim]:
    return frozenset(read_claim(claim) for claim in rows(value))


def read_claim(value: Json) -> Claim:
    sort, what, where = texts(value)
    found = _SORTS.get(sort)
    if found is None:
        raise ValueError("no claim")
    return Claim(found, what, where)

"""Changes of JSON documents: bytes, and values that are of another type, gone, doubled, swapped, huge or deep."""

from __future__ import annotations

import random
from typing import Any

from tests.hostile.change_text import change_bytes

Path_ = list[Any]  # keys and places


def deep(depth: int) -> Any:
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


ODD: list[Any] = [None, True, False, 0, 1, -1, -2, 2, 7, 63, 64, 200, 2**31, 2**63, -(2**63), 10**30, 10**5000, 0.5, -0.0, 1e308,
                  float("nan"), float("inf"), "", "p1", "p9 x", "\x00", "\ud800", "x" * 5000, "\u202e", [], [[]], {}, {"": 0}, {"a": []},
                  [0] * 300, [None], ["x"], deep(30), deep(3000)]  # fmt: skip


def put(value: Any, path: Path_, new: Any) -> Any:
    """The document with something else in one place; what is not on the way there is shared."""
    if not path:
        return new
    made = dict(value) if isinstance(value, dict) else list(value)
    made[path[0]] = put(value[path[0]], path[1:], new)
    return made


def place(value: Any, rng: random.Random) -> Path_:
    """The way to somewhere in a document: small tables are as likely as large ones."""
    path: Path_ = []
    while isinstance(value, dict | list) and value and (not path or rng.random() < 0.85):
        key = rng.choice(sorted(value, key=str)) if isinstance(value, dict) else rng.randrange(len(value))
        path.append(key)
        value = value[key]
    return path


def at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def change_value(document: Any, rng: random.Random) -> Any:
    """One change somewhere in a document."""
    path = place(document, rng)
    old = at(document, path)
    match rng.randrange(10):
        case 0 | 1:
            return put(document, path, rng.choice(ODD))
        case 2 | 3 | 4 if isinstance(old, int):
            return put(
                document,
                path,
                rng.choice((old + 1, old - 1, -old, old * 2, old ^ 1 << rng.randrange(70), not old, "1")),
            )
        case 5 if path:  # gone
            owner = at(document, path[:-1])
            if isinstance(owner, dict):
                return put(document, path[:-1], {key: part for key, part in owner.items() if key != path[-1]})
            return put(document, path[:-1], [*owner[: path[-1]], *owner[path[-1] + 1 :]])
        case 6 if path:  # twice, or under another name
            owner = at(document, path[:-1])
            if isinstance(owner, dict):
                return put(document, path[:-1], {**owner, str(path[-1]) + rng.choice(("", "2", "\n")): rng.choice(ODD)})
            return put(
                document, path[:-1], [*owner[: path[-1]], *[old] * rng.choice((2, 3, 200)), *owner[path[-1] + 1 :]]
            )
        case 7 if isinstance(old, list):
            return put(document, path, rng.sample(old, len(old)))
        case 8 if isinstance(old, str):
            other = at(document, place(document, rng))
            return put(document, path, rng.choice((other, old + "x", old[:-1], old.upper(), old[::-1])))
        case _:  # what stands elsewhere
            return put(document, path, at(document, place(document, rng)))


def change_document(document: Any, rng: random.Random) -> Any:
    """One to three changes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        document = change_value(document, rng)
    return document


def change_encoded(data: bytes, rng: random.Random) -> bytes:
    """One to three changes of the bytes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = change_bytes(data, rng, [])
    return data

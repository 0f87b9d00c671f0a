"""Hostile artefacts: cut, edited, of another version, with wrong indices. Always ArtefactError, never another
exception."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler import build
from grimoire.runtime import ArtefactError, content_hash, load_artefact
from tests.packages import SMALL

from .change_json import deep
from .fuzz import CONTENT
from .kit import BASE, SECONDS
from .watch import time_limit

GAMES = [BASE, *(CONTENT / name for name in SMALL)]


@cache
def artefact(root: Path) -> dict[str, Any]:
    return build(root)


def encoded(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def signed(document: dict[str, Any]) -> dict[str, Any]:
    """With the hash that belongs to it: whoever edits an artefact can do that as well."""
    document["hash"] = content_hash(document)
    return document


@pytest.mark.parametrize("root", GAMES, ids=lambda root: str(root.name))
def test_as_built(root: Path) -> None:
    assert load_artefact(encoded(artefact(root))).hash == artefact(root)["hash"]


def test_cut_anywhere() -> None:
    data = encoded(artefact(BASE))
    rng = random.Random(5)
    for size in [0, 1, len(data) // 2, len(data) - 1, *(rng.randrange(len(data)) for _ in range(40))]:
        with pytest.raises(ArtefactError):
            load_artefact(data[:size])


def test_edited_anywhere() -> None:
    data = encoded(artefact(BASE))
    rng = random.Random(6)
    for _ in range(60):
        at = rng.randrange(len(data))
        changed = bytearray(data)
        changed[at] ^= 1 << rng.randrange(7)
        same = False
        try:
            same = json.loads(bytes(changed)) == json.loads(data)
        except ValueError:
            pass
        if not same:
            with pytest.raises(ArtefactError):
                load_artefact(bytes(changed))


@pytest.mark.parametrize("version", [0, 2, -1, "1", None, 1.5, [1], 10**30])
def test_another_version(version: Any) -> None:
    with pytest.raises(ArtefactError, match="version"):
        load_artefact(signed({**artefact(BASE), "version": version}))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"grimoire-artefact"',
        b"\xff\xfe",
        b"\x00" * 100,
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"format": "grimoire-artefact"}',
        b'{"format": "grimoire-artefact", "version": 1}',
        b"1" * 10_000,
        b"NaN",
        b"{} {}",
    ],
    ids=lambda data: repr(bytes(data[:12])),
)
def test_not_an_artefact(data: bytes) -> None:
    with time_limit(SECONDS), pytest.raises(ArtefactError):
        load_artefact(data)


@pytest.mark.parametrize("path", ["nowhere.json", "", "\x00", "."])
def test_no_such_file(path: str) -> None:
    with pytest.raises(ArtefactError):
        load_artefact(Path(path) if path else b"")


def test_a_section_is_missing() -> None:
    for key in artefact(BASE):
        made = {k: v for k, v in artefact(BASE).items() if k != key}
        if key != "hash":
            signed(made)
        try:
            load_artefact(made)
        except ArtefactError:
            continue
        assert key in ("linked", "languages", "text", "score", "clauses", "places", "options"), f"{key} may be left out"


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [None], [[]], [3], {"a": 1}, True], ids=repr)
def test_a_section_of_another_shape(value: Any) -> None:
    for key in artefact(BASE):
        if key in ("hash", "format", "version", "linked", "languages", "text", "clauses"):
            continue
        made = signed({**artefact(BASE), key: value})
        try:
            load_artefact(made)
        except ArtefactError:
            continue


def spots(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all plain values."""
    if isinstance(node, dict):
        for key, part in node.items():
            yield from spots(part, (*path, key))
    elif isinstance(node, list):
        for at, part in enumerate(node):
            yield from spots(part, (*path, at))
    else:
        yield path


def replaced(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    made: dict[str, Any] = copy.deepcopy(document)
    node: Any = made
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return signed(made)


@pytest.mark.parametrize("root", [BASE, CONTENT / "love-letter"], ids=lambda root: str(root.name))
def test_wrong_indices(root: Path) -> None:
    """Any number or word of the tables replaced: refused, or loaded without any other exception."""
    document = artefact(root)
    tables = ("procs", "functions", "abilities", "modifiers", "columns", "definitions", "relations", "fixtures", "kinds",
              "vars", "zones", "options", "main", "score", "players")  # fmt: skip
    found = [path for path in spots({key: document[key] for key in tables}) if path]
    rng = random.Random(8)
    refused = 0
    for path in rng.sample(found, 120):
        value = rng.choice([-1, -2, 10**6, 10**40, 3.5, "x", None, [], {}, True, ["slot", 10**6], ["no-such-form"]])
        try:
            load_artefact(replaced(document, path, value))
        except ArtefactError:
            refused += 1
    assert refused > 60


@pytest.mark.parametrize("table", ["vars", "columns"])
@pytest.mark.parametrize("sort", [None, "x", 3, []], ids=repr)
def test_a_value_without_a_sort_is_refused(table: str, sort: Any) -> None:
    """Whoever shows it would look for one."""
    document = artefact(CONTENT / "love-letter")
    rows = [{**row, "sort": sort} if at == 0 else row for at, row in enumerate(document[table])]
    with pytest.raises(ArtefactError, match="sort"):
        load_artefact(signed({**document, table: rows}))
    gone = {key: part for key, part in document[table][0].items() if key != "sort"}
    with pytest.raises(ArtefactError, match="sort"):
        load_artefact(signed({**document, table: [gone, *document[table][1:]]}))


@pytest.mark.parametrize("key", ["format", "version", "hash"])
@pytest.mark.parametrize("value", [10**5000, deep(3000), deep(900)], ids=["digits", "deep", "less-deep"])
def test_a_head_that_cannot_be_shown(key: str, value: Any) -> None:
    with pytest.raises(ArtefactError):
        load_artefact({**artefact(BASE), key: value})

"""Find the details of programs that an author wrote: the numbers in them, and what a noun says of what it means.

In: programs and rows of an artefact. Out: `Detail` values: a number is changed by one, either way; what narrows a noun
down (`whose`, `who`, `where`, `other than`) is not asked for. The compiler writes one text several times (where an
ability is offered, where it is tried, where it is done), so a detail is broken wherever its place in the source is
told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grimoire.compiler.proof.mutate import LESS, MORE, Edit, Json, Mutant, Path, shorten_text, walk_statements


@dataclass(frozen=True, slots=True)
class Detail:
    """One detail. It is proved when a scenario notices any of its mutants: a bound that is met from below is not met
    from above."""

    name: str
    place: int
    mutants: tuple[Mutant, ...]
    within: tuple[Path, ...]  # the statements that it stands in


class Details:
    """The details of an artefact, by where they stand."""

    def __init__(self, artefact: dict[str, Any]) -> None:
        self.places = artefact["places"]
        self.artefact = artefact

    def list_details(self, bodies: list[Path]) -> list[Detail]:
        """The details at and below these places, each once, in the order of the source."""
        found: dict[tuple[str, int, str], list[tuple[Path, Path]]] = {}
        for body in bodies:
            node: Json = self.artefact
            for key in body:
                node = node[key]
            for kind, place, what, path, statement in self.walk(node, body, body, -1):
                rows = found.setdefault((kind, place, what), [])
                if (path, statement) not in rows:
                    rows.append((path, statement))
        made = [self.make_detail(*key, rows) for key, rows in found.items()]
        return sorted(made, key=lambda detail: (*self.places[detail.place][:3], detail.name, str(detail.mutants[0])))

    def list_written(self, body: Path) -> list[Detail]:
        """The details that stand in the text of a program itself: what a term or an adjective says is a detail of its
        own text."""
        node: Json = self.artefact
        for key in body:
            node = node[key]
        own = [self.places[statement["at"]] for _, statement in walk_statements(node, body) if "at" in statement]
        spans: dict[str, tuple[int, int]] = {}
        for file, first, _, last, *_ in own:
            low, high = spans.get(file, (first, last))
            spans[file] = (min(low, first), max(high, last))
        found = []
        for detail in self.list_details([body]):
            file, line = self.places[detail.place][:2]
            if file in spans and spans[file][0] <= line <= spans[file][1]:
                found.append(detail)
        return found

    def make_detail(self, kind: str, place: int, what: str, rows: list[tuple[Path, Path]]) -> Detail:
        text = shorten_text(str(self.places[place][5]))
        paths = tuple(path for path, _ in rows)
        within = tuple(dict.fromkeys(statement for _, statement in rows))
        if kind == "number":
            ways = [("one more", MORE)] + ([("one less", LESS)] if int(what) > 0 else [])
            mutants = [
                Mutant(f"{what} is {say} in '{text}'", tuple(Edit(path, way) for path in paths)) for say, way in ways
            ]
            return Detail(kind, place, tuple(mutants), within)
        edits = tuple(Edit(path, "holds") for path in paths)
        return Detail(
            kind, place, (Mutant(f"without '{text}'" if not what else f"itself as well in '{text}'", edits),), within
        )

    def walk(self, node: Json, path: Path, statement: Path, place: int) -> Iterator[tuple[str, int, str, Path, Path]]:
        if isinstance(node, dict):
            if "op" in node and node["op"] != "seq":
                statement = path
            if isinstance(node.get("at"), int):
                place = node["at"]
            for key, value in node.items():
                if isinstance(value, dict | list):
                    yield from self.walk(value, (*path, key), statement, place)
            return
        if len(node) == 3 and node[0] == "at" and isinstance(node[1], int):
            place = node[1]
        elif len(node) == 2 and node[0] == "int":
            if place >= 0 and self.is_written(node[1], place):
                yield "number", place, str(node[1]), path, statement
            return
        elif node and node[0] == "filter" and len(node) == 4:
            test = node[3]
            if test[0] == "at":
                yield "test", test[1], "", (*path, 3, 2), statement
            elif test[0] == "!=" and test[1] == ["slot", node[2]] and place >= 0:
                yield "test", place, json.dumps(test[2]), (*path, 3), statement
        for index, value in enumerate(node):
            if isinstance(value, dict | list):
                yield from self.walk(value, (*path, index), statement, place)

    def is_written(self, number: int, place: int) -> bool:
        """Whether the author wrote this number: the compiler has numbers of its own."""
        return re.search(rf"(?<![\w-]){number}(?![\w])", str(self.places[place][5])) is not None


__all__ = ["Detail", "Details"]

"""Declare the fixtures and relations of a board: a grid, or spaces that name their neighbours.

grid:  {grid: 3 x 3, kind: cell, lines: {kind: line, length: 3}, columns: column, rows: row}
graph: {spaces: {quay: {kind: berth, adjacent to: [mole], number: 6}, ..}}, which `maps.py` reads
"""

from __future__ import annotations

import re

from grimoire.compiler.declare.model import PackageModel, Relation, Thing
from grimoire.compiler.diagnostics.report import Diagnostics, Related, did_you_mean
from grimoire.compiler.source.shapes import as_int, as_mapping, as_text, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar

_SIZE = re.compile(r"(\d{1,3}) x (\d{1,3})\Z")
MAX_CELLS = 4_096
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def declare_board(model: PackageModel, name: Scalar, mapping: Mapping, diags: Diagnostics) -> None:
    """A grid, all at once."""
    if mapping.get("grid") is not None:
        _grid(model, name, mapping, diags)
    else:
        diags.add(
            "G0306", name.span, f"the board {name.value} has neither grid nor spaces", "grid: 3 x 3, or spaces: .."
        )


def fixture_kind(model: PackageModel, node: Node | None, diags: Diagnostics, what: str) -> str | None:
    text = as_text(node, diags, what) if node is not None else None
    if text is None or node is None:
        return None
    kind = model.kinds.get(text)
    if kind is None or kind.sort != "fixture":
        guess = did_you_mean(text, [k for k, v in model.kinds.items() if v.sort == "fixture"])
        diags.add(
            "G0310",
            node.span,
            f'"{text}" is no kind of spaces' + (f": did you mean {guess}?" if guess else ""),
            "declare it under kinds with is: space",
        )
        return guess
    return text


def _grid(model: PackageModel, name: Scalar, mapping: Mapping, diags: Diagnostics) -> None:
    mapping = check_keys(mapping, ("grid", "kind", "lines", "columns", "rows"), diags, "a grid", required=("kind",))
    size_node = mapping.get("grid")
    assert size_node is not None
    size = as_text(size_node, diags, "grid")
    kind = fixture_kind(model, mapping.get("kind"), diags, "kind")
    match = _SIZE.match(size or "")
    if match is None:
        diags.add("G0310", size_node.span, "a grid has columns x rows", "grid: 7 x 6")
        return
    columns, rows = int(match[1]), int(match[2])
    if kind is None:
        return
    if not 0 < columns * rows <= MAX_CELLS or columns > 26:
        diags.add(
            "G0313",
            size_node.span,
            f"a grid of {columns} x {rows} is too large or empty",
            f"at most 26 columns and {MAX_CELLS} cells",
        )
        return
    cell = [[f"{_LETTERS[x]}{y + 1}" for y in range(rows)] for x in range(columns)]
    numbers = _number_fields(model, kind)
    for y in range(rows):
        for x in range(columns):
            values = {"column": x + 1, "row": y + 1}
            _add(model, cell[x][y], kind, {k: v for k, v in values.items() if k in numbers}, name, diags)
    near: dict[str, list[str]] = {}
    for x in range(columns):
        for y in range(rows):
            near[cell[x][y]] = [
                cell[i][j]
                for i, j in ((x - 1, y), (x, y - 1), (x, y + 1), (x + 1, y))
                if 0 <= i < columns and 0 <= j < rows
            ]
    relate(model, Relation(f"{kind}-adjacent", kind, kind, "ADJACENT_TO", near))
    lines_node = mapping.get("lines")
    if lines_node is not None:
        _lines(model, name, lines_node, cell, kind, diags)
    for key, groups in (("columns", cell), ("rows", [[cell[x][y] for x in range(columns)] for y in range(rows)])):
        node = mapping.get(key)
        group_kind = fixture_kind(model, node, diags, key) if node is not None else None
        if group_kind is not None:
            ids = _LETTERS if key == "columns" else [str(i + 1) for i in range(rows)]
            _groups(
                model,
                name,
                group_kind,
                kind,
                [(f"{group_kind}-{ids[i]}", group) for i, group in enumerate(groups)],
                diags,
            )


def _lines(model: PackageModel, name: Scalar, node: Node, cell: list[list[str]], kind: str, diags: Diagnostics) -> None:
    mapping = as_mapping(node, diags, "lines")
    if mapping is None:
        return
    mapping = check_keys(mapping, ("kind", "length"), diags, "lines", required=("kind", "length"))
    line_kind = fixture_kind(model, mapping.get("kind"), diags, "kind")
    length_node = mapping.get("length")
    length = as_int(length_node, diags, "length", low=2, high=26) if length_node is not None else None
    if line_kind is None or length is None:
        return
    columns, rows = len(cell), len(cell[0])
    if length_node is not None and length > max(columns, rows):
        message = f"no line of {length} lies on {columns} x {rows} cells"
        diags.add("G0313", length_node.span, message, f"length: at most {max(columns, rows)}")
        return
    found: list[tuple[str, list[str]]] = []
    for y in range(rows):
        for x in range(columns):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                last_x, last_y = x + dx * (length - 1), y + dy * (length - 1)
                if 0 <= last_x < columns and 0 <= last_y < rows:
                    members = [cell[x + dx * k][y + dy * k] for k in range(length)]
                    found.append((f"{line_kind}-{members[0]}-{members[-1]}", members))
    _groups(model, name, line_kind, kind, found, diags)


def _groups(
    model: PackageModel, name: Scalar, group: str, member: str, groups: list[tuple[str, list[str]]], diags: Diagnostics
) -> None:
    pairs: dict[str, list[str]] = {}
    back: dict[str, list[str]] = {}
    for ident, members in groups:
        _add(model, ident, group, {}, name, diags)
        pairs[ident] = members
        for item in members:
            back.setdefault(item, []).append(ident)
    relate(model, Relation(f"{member}-of-{group}", group, member, "OF", pairs))
    relate(model, Relation(f"{group}-of-{member}", member, group, "OF", back))


def relate(model: PackageModel, made: Relation) -> None:
    """Add a relation, or its pairs to the one of that meaning: several boards, or columns and rows of one kind."""
    for known in model.relations:
        if known.id == made.id:
            for owner, members in made.pairs.items():
                here = known.pairs.setdefault(owner, [])
                here.extend(item for item in members if item not in here)
            known.only |= made.only
            return
    model.relations.append(made)


def _number_fields(model: PackageModel, kind: str) -> set[str]:
    return {
        f
        for k in model.ancestors(kind)
        for f, v in model.kinds[k].fields.items()
        if v.type.sort == "number" and not v.state
    }


def _add(model: PackageModel, ident: str, kind: str, values: dict[str, int], name: Scalar, diags: Diagnostics) -> None:
    if ident in model.things:
        related = (Related(model.things[ident].span, "first here"),)
        diags.add("G0505", name.span, f'"{ident}" is declared already', "cells are called by their places", related)
        return
    model.things[ident] = Thing(ident, kind, {**values}, name.span)

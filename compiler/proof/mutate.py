"""Break one thing in a program at a time: what `trace` tries the scenarios on.

In: an artefact. Out: `Carrier` values, which say what in the artefact carries out which clause, each with its
`Mutant`s: places in the artefact, and how each is broken. `mutate` makes a copy with one mutant; `switch` one that has
them all. The artefact is never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from grimoire.runtime.artefact.loading import content_hash

Json = Any
Path = tuple[str | int, ...]

EMPTY: dict[str, Any] = {"op": "seq", "body": []}
ALWAYS = ["int", 1]
NEVER = ["int", 0]
MORE, LESS = "one more", "one less"
PRINTED = "printed "  # and a value: what stands on a card
# Tables whose rows may carry clauses.
TABLES = ("procs", "abilities", "modifiers", "zones", "columns", "vars", "definitions", "functions", "order")


@dataclass(frozen=True, slots=True)
class Edit:
    """One place of an artefact, and the way in which it is broken."""

    path: Path
    way: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """One thing broken, wherever it stands in the artefact."""

    name: str
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Carrier:
    """A statement or a row of a table that carries out a clause, and the ways in which it is broken."""

    clause: str
    path: Path
    name: str
    mutants: tuple[Mutant, ...]
    clauses: tuple[str, ...] = ()  # all that it carries out
    demands: tuple[Mutant, ...] = ()  # what it demands, left out: for the scenarios of all its clauses together
    body: Path = ()  # its program, whose details are broken too


def find_carriers(artefact: dict[str, Any], demands: dict[Path, list[Mutant]] | None = None) -> Iterator[Carrier]:
    """Everything that carries out some clause, in the order of the artefact.

    `demands` are more mutants of rows: what they demand, each left out (see `parts`).
    """
    for table in TABLES:
        for number, row in enumerate(artefact.get(table, ())):
            path: Path = (table, number)
            for clause in row.get("clauses", ()):
                name = describe_row(artefact, table, row)
                made = tuple(make_mutants(path, name, list_row_edits(table, row)))
                more = tuple((demands or {}).get(path, ()))
                body = (*path, "body") if table == "procs" else ()
                yield Carrier(clause, path, name, made, tuple(row["clauses"]), more, body)
            if table == "procs":
                for inner, statement in walk_statements(row["body"], (table, number, "body")):
                    if "clause" in statement:
                        name = describe_statement(artefact, row, statement)
                        made = tuple(make_mutants(inner, name, list_statement_edits(statement)))
                        yield Carrier(statement["clause"], inner, name, made, body=inner)


def make_mutants(path: Path, name: str, ways: Iterable[str]) -> list[Mutant]:
    return [Mutant(f"{name}, {way}", (Edit(path, way),)) for way in ways]


def walk_statements(node: Json, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """All statements at and below a place, with their paths."""
    if isinstance(node, dict):
        if "op" in node:
            yield path, node
        for key, value in node.items():
            if isinstance(value, dict | list):
                yield from walk_statements(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            if isinstance(value, dict | list):
                yield from walk_statements(value, (*path, index))


def describe_row(artefact: dict[str, Any], table: str, row: dict[str, Any]) -> str:
    words = {
        "procs": "procedure",
        "abilities": "ability",
        "zones": "zone",
        "columns": "state",
        "vars": "counter",
        "functions": "definition",
        "order": "order of",
    }
    if table == "modifiers":
        return f"modifier of {artefact['columns'][row['col']]['id']}"
    return f"{words.get(table, 'card')} {row['id']}"


def describe_statement(artefact: dict[str, Any], proc: dict[str, Any], statement: dict[str, Any]) -> str:
    """What a person calls a statement: its text in the source with its place, else its operation."""
    place = find_first_place(statement)
    where = f"in {proc['id']}"
    if place is None:
        return f"{statement['op']} {where}"
    file, line, _, _, _, text = artefact["places"][place]
    return f"'{shorten_text(str(text))}' {where} ({str(file).rpartition('/')[2]}:{line})"


def shorten_text(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def find_first_place(node: Json) -> int | None:
    """The first place in the source that stands at or below a node."""
    if isinstance(node, dict):
        if isinstance(node.get("at"), int):
            return int(node["at"])
        nodes = [node[key] for key in ("cond", "then", "body", "entries") if key in node]
        nodes += [value for key, value in node.items() if key not in ("cond", "then", "body", "entries")]
    elif isinstance(node, list):
        if len(node) == 3 and node[0] == "at" and isinstance(node[1], int):
            return int(node[1])
        nodes = node
    else:
        return None
    for inner in nodes:
        if isinstance(inner, dict | list):
            found = find_first_place(inner)
            if found is not None:
                return found
    return None


# ---------------------------------------------------------------- the ways


def list_statement_edits(statement: dict[str, Any]) -> list[str]:
    inner = unwrap_mark(statement)
    if inner["op"] == "if":
        return ["removed", "condition reversed"]
    return ["removed", "any choice allowed"] if drop_restriction(inner) is not None else ["removed"]


def unwrap_mark(statement: dict[str, Any]) -> dict[str, Any]:
    """What a mark really stands in front of: a line with several marks is wrapped once for each."""
    while statement["op"] == "seq" and len(statement["body"]) == 1:
        statement = statement["body"][0]
    return statement


def drop_restriction(statement: dict[str, Any]) -> dict[str, Any] | None:
    """A choice without what its result must meet; None where nothing is demanded."""
    if statement["op"] == "choose" and "constraint" in statement:
        return {key: value for key, value in statement.items() if key != "constraint"}
    if statement["op"] == "menu" and len(statement["entries"]) == 1 and statement["entries"][0]["domains"]:
        entry = statement["entries"][0]
        domain, *more = entry["domains"]
        among = domain["in"]
        while among[0] == "filter" and among[3][0] == "knows":
            among = among[1]  # what the chooser knows is no rule of the game
        if among[0] == "filter":
            return {**statement, "entries": [{**entry, "domains": [{**domain, "in": among[1]}, *more]}]}
    return None


def list_row_edits(table: str, row: dict[str, Any]) -> list[str]:
    match table:
        case "procs":
            return ["emptied"]
        case "abilities" | "modifiers":
            return ["removed"]
        case "zones":
            return ["seen by others"] if row.get("counted", True) else ["hidden", "counted"]
        case "order":
            return ["in another order"]
        case "functions":
            return ["reversed"] if row.get("test") else ["another value"]
        case "columns" if row.get("printed") is not None:
            return ["values changed"]
        case "definitions":
            return ["one copy more"]
    return ["another start value"]


def has_own_limit(row: dict[str, Any]) -> bool:
    """Whether an ability has a limit of its own: not the one that keeps a floating one waiting for the next event."""
    limit = row.get("limit")
    return limit is not None and not limit.get("later")


def mutate(artefact: dict[str, Any], mutant: Mutant, sign: bool = True) -> dict[str, Any]:
    """A copy of the artefact with one thing broken; what is not broken is shared. Unsigned, it keeps the old hash."""
    made: Json = artefact
    for edit in sorted(mutant.edits, key=lambda edit: -len(edit.path)):
        made = replace(made, edit.path, partial(break_node, edit=edit))
    found: dict[str, Any] = {**made}
    if sign:
        found["hash"] = content_hash(found)
    return found


def replace(node: Json, path: Path, change: Callable[[Json], Json]) -> Json:
    if not path:
        return change(node)
    made: Json = list(node) if isinstance(node, list) else dict(node)
    made[path[0]] = replace(node[path[0]], path[1:], change)
    return made


def find_node(node: Json, path: Path) -> Json:
    for key in path:
        node = node[key]
    return node


def break_node(node: Json, edit: Edit) -> Json:
    match edit.way:
        case "condition reversed":
            inner = unwrap_mark(node)
            return {**inner, "cond": ["not", inner["cond"]]}
        case "any choice allowed":
            return drop_restriction(unwrap_mark(node)) or EMPTY
        case "reversed":
            return {**node, "value": ["not", node["value"]]}
        case "another value":
            return {**node, "value": ["+", node["value"], ["int", 1]]}
        case "emptied":
            return {**node, "body": EMPTY}
        case "seen by others":
            return {**node, "seen": "none" if node.get("seen", "all") == "all" else "all"}
        case "in another order":
            return {**node, "by": "turn" if node["by"] == "current" else "current"}
        case "hidden":
            return {**node, "seen": "none"}
        case "counted":
            return {key: value for key, value in node.items() if key != "counted"}
        case "one copy more":
            return {**node, "copies": node.get("copies", 1) + 1}
        case "values changed":
            return {**node, "printed": list_other_values(node["printed"])}
        case "another start value":
            return {**node, "init": choose_other_start(node)}
        case "limit lifted":
            return {**node, "limit": None}
        case "forced":
            return {**node, "optional": False}
        case "holds":
            return ALWAYS
        case "fails":
            return NEVER
        case "not offered":
            return {**node, "guard": NEVER}
        case "one more":
            return ["int", node[1] + 1]
        case "one less":
            return ["int", node[1] - 1]
        case "on credit":
            return {"op": "seq", "body": [node["cost"], find_paid_body(node["then"])]}
    if edit.way.startswith(PRINTED):
        return int(edit.way.removeprefix(PRINTED))
    assert edit.way == "removed", edit.way
    if edit.path[0] in ("abilities", "modifiers") and len(edit.path) == 2:
        return {**node, "cond": NEVER}  # its number stays, because statements refer to it
    return EMPTY


def find_paid_body(statement: dict[str, Any]) -> dict[str, Any]:
    """What a cost is paid for, without the question whether it was paid after all."""
    asks = statement["op"] == "if" and find_first_place(statement["cond"]) is None and "else" not in statement
    return dict(statement["then"]) if asks else statement


def list_other_values(values: list[Any]) -> list[Any]:
    """Every value in the place of another: for the rules that is another printing."""
    turned = [*values[1:], *values[:1]]
    return turned if turned != values else [value + 1 if isinstance(value, int) else value for value in values]


def choose_other_start(row: dict[str, Any]) -> int:
    start, high = int(row.get("init", 0)), row.get("max")
    if row.get("sort") == "flag":
        return 1 - start
    if high is not None and start + 1 > high:
        return start - 1
    return start + 1

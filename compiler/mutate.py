"""Break the program of a clause, one carrier at a time: what `trace` tries the scenarios on.

In: an artefact. Out: `Carrier` values, which say what in the artefact carries out which clause, and for each its `Mutant`s: copies of
the artefact with that one thing broken. The artefact itself is never changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grimoire.runtime.artefact import content_hash

Json = Any
Path = tuple[str | int, ...]

EMPTY: dict[str, Any] = {"op": "seq", "body": []}
NEVER = ["int", 0]
# Tables whose rows may carry clauses.
TABLES = ("procs", "abilities", "modifiers", "zones", "columns", "vars", "definitions", "functions", "order")


@dataclass(frozen=True, slots=True)
class Carrier:
    """A statement or a row of a table that carries out a clause, and the ways in which it is broken."""

    clause: str
    path: Path
    name: str
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One way to break one carrier."""

    carrier: Carrier
    way: str

    def __str__(self) -> str:
        return f"{self.carrier.name}, {self.way}"


def carriers(artefact: dict[str, Any]) -> Iterator[Carrier]:
    """Everything that carries out some clause, in the order of the artefact."""
    for table in TABLES:
        for number, row in enumerate(artefact.get(table, ())):
            for clause in row.get("clauses", ()):
                yield Carrier(clause, (table, number), row_name(artefact, table, row), tuple(ways_of_row(table, row)))
            if table == "procs":
                for path, statement in statements(row["body"], (table, number, "body")):
                    if "clause" in statement:
                        name = statement_name(artefact, row, statement)
                        yield Carrier(statement["clause"], path, name, tuple(ways_of_statement(statement)))


def of_definition(artefact: dict[str, Any], number: int) -> list[Carrier]:
    """What carries out a card itself: its programs and its abilities."""
    row = artefact["definitions"][number]
    found: list[Carrier] = []
    for slot, proc in sorted(row.get("programs", {}).items()):
        found.append(Carrier(row["id"], ("procs", proc), f"{slot} of {row['id']}", ("emptied",)))
    for table in ("abilities", "modifiers"):
        for index, entry in enumerate(artefact[table]):
            if entry["of"] == number:
                found.append(Carrier(row["id"], (table, index), row_name(artefact, table, entry), ("removed",)))
    return found


def statements(node: Json, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """All statements at and below a place, with their paths."""
    if isinstance(node, dict):
        if "op" in node:
            yield path, node
        for key, value in node.items():
            if isinstance(value, dict | list):
                yield from statements(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            if isinstance(value, dict | list):
                yield from statements(value, (*path, index))


def row_name(artefact: dict[str, Any], table: str, row: dict[str, Any]) -> str:
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


def statement_name(artefact: dict[str, Any], proc: dict[str, Any], statement: dict[str, Any]) -> str:
    """What a person calls a statement: its text in the source with its place, else its operation."""
    place = first_place(statement)
    where = f"in {proc['id']}"
    if place is None:
        return f"{statement['op']} {where}"
    file, line, _, _, _, text = artefact["places"][place]
    short = " ".join(str(text).split())
    short = short if len(short) <= 60 else short[:57] + "..."
    return f"'{short}' {where} ({str(file).rpartition('/')[2]}:{line})"


def first_place(node: Json) -> int | None:
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
            found = first_place(inner)
            if found is not None:
                return found
    return None


# ---------------------------------------------------------------- the ways


def ways_of_statement(statement: dict[str, Any]) -> list[str]:
    inner = marked(statement)
    if inner["op"] == "if":
        return ["removed", "condition reversed"]
    return ["removed", "any choice allowed"] if unrestricted(inner) is not None else ["removed"]


def marked(statement: dict[str, Any]) -> dict[str, Any]:
    """What a mark really stands in front of: a line with several marks is wrapped once for each."""
    while statement["op"] == "seq" and len(statement["body"]) == 1:
        statement = statement["body"][0]
    return statement


def unrestricted(statement: dict[str, Any]) -> dict[str, Any] | None:
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


def ways_of_row(table: str, row: dict[str, Any]) -> list[str]:
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


def mutate(artefact: dict[str, Any], mutant: Mutant, sign: bool = True) -> dict[str, Any]:
    """A copy of the artefact with one carrier broken; what is not broken is shared. Unsigned, it keeps the old hash."""
    made = replace(artefact, mutant.carrier.path, lambda node: broken(node, mutant.carrier.path, mutant.way))
    assert isinstance(made, dict)
    if sign:
        made["hash"] = content_hash(made)
    return made


def replace(node: Json, path: Path, change: Any) -> Json:
    if not path:
        return change(node)
    made: Json = list(node) if isinstance(node, list) else dict(node)
    made[path[0]] = replace(node[path[0]], path[1:], change)
    return made


def broken(node: dict[str, Any], path: Path, way: str) -> dict[str, Any]:
    match way:
        case "condition reversed":
            inner = marked(node)
            return {**inner, "cond": ["not", inner["cond"]]}
        case "any choice allowed":
            return unrestricted(marked(node)) or EMPTY
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
            return {**node, "printed": other_values(node["printed"])}
        case "another start value":
            return {**node, "init": other_start(node)}
    if path[0] in ("abilities", "modifiers") and len(path) == 2:
        return {**node, "cond": NEVER}  # its number stays, because statements refer to it
    return EMPTY


def other_values(values: list[Any]) -> list[Any]:
    """Every value in the place of another: for the rules that is another printing."""
    turned = [*values[1:], *values[:1]]
    return turned if turned != values else [value + 1 if isinstance(value, int) else value for value in values]


def other_start(row: dict[str, Any]) -> int:
    start, high = int(row.get("init", 0)), row.get("max")
    if row.get("sort") == "flag":
        return 1 - start
    if high is not None and start + 1 > high:
        return start - 1
    return start + 1

"""A tiny builder of artefacts for the tests of the runtime: tables by id, forms as plain lists."""

from __future__ import annotations

from typing import Any

from grimoire.runtime import Package, content_hash, load_artefact

Json = Any


class Art:
    """An artefact in the making. Every ``add_*`` returns the index of the row."""

    def __init__(self, ident: str = "test", players: tuple[int, int] = (2, 2)) -> None:
        self.doc: dict[str, Any] = {
            "format": "grimoire-artefact",
            "version": 1,
            "package": {"id": ident, "version": "1"},
            "linked": [],
            "languages": ["en"],
            "players": {"min": players[0], "max": players[1]},
            "main": 0,
            "score": None,
            "places": [],
            "clauses": {},
            "text": {},
        }
        for name in [
            "options",
            "relations",
            "kinds",
            "fixtures",
            "zones",
            "vars",
            "columns",
            "definitions",
            "procs",
            "functions",
            "abilities",
            "modifiers",
        ]:
            self.doc[name] = []

    def _add(self, table: str, row: dict[str, Any]) -> int:
        self.doc[table].append(row)
        return len(self.doc[table]) - 1

    def find(self, table: str, ident: str) -> int:
        return next(at for at, row in enumerate(self.doc[table]) if row["id"] == ident)

    def option(self, ident: str, sort: str = "flag", values: list[Any] | None = None, default: Any = None) -> int:
        return self._add("options", {"id": ident, "sort": sort, "values": values or [], "default": default})

    def kind(self, ident: str, sort: str, parent: int = -1) -> int:
        return self._add("kinds", {"id": ident, "sort": sort, "is": parent})

    def fixture(self, ident: str, kind: int, holds: bool = False, seen: str = "all") -> int:
        return self._add("fixtures", {"id": ident, "kind": kind, "holds": holds, "seen": seen})

    def relation(self, ident: str, table: list[list[int]]) -> int:
        return self._add("relations", {"id": ident, "table": table})

    def zone(self, ident: str, each: bool = False, seen: str = "all") -> int:
        return self._add("zones", {"id": ident, "each": each, "ordered": True, "seen": seen})

    def var(
        self, ident: str, sort: str = "number", init: int = 0, low: Any = None, high: Any = None, seen="all"
    ) -> int:
        return self._add("vars", {"id": ident, "sort": sort, "init": init, "min": low, "max": high, "seen": seen})

    def column(
        self, ident: str, of: str, sort: str = "number", init: int = 0, low=None, high=None, seen="all", printed=None
    ) -> int:
        row = {"id": ident, "of": of, "sort": sort, "set": False, "init": init, "min": low, "max": high}
        return self._add("columns", {**row, "seen": seen, "printed": printed})

    def definition(
        self, ident: str, kind: int, copies: int = 1, start: int = -1, programs: dict[str, int] | None = None, when=None
    ) -> int:
        row = {"id": ident, "kind": kind, "copies": copies, "start": start, "programs": programs or {}, "when": when}
        return self._add("definitions", row)

    def proc(
        self,
        ident: str,
        body: Json = None,
        params: int = 0,
        slots: int = 12,
        verb: bool = False,
        scope: bool = False,
        sorts: list[str] | None = None,
    ) -> int:
        row = {"id": ident, "params": params, "slots": slots, "body": seq(body), "verb": verb, "scope": scope}
        if sorts is not None:
            row["sorts"] = sorts
        return self._add("procs", {**row, "label": ident})

    def body(self, proc: int, *body: Json) -> None:
        """Give a procedure its body after others were declared."""
        self.doc["procs"][proc]["body"] = seq(list(body))

    def function(self, ident: str, value: Json, params: int = 0, slots: int = 8) -> int:
        return self._add("functions", {"id": ident, "params": params, "slots": slots, "value": value})

    def place(self, file: str, line: int, text: str) -> int:
        self.doc["places"].append([file, line, 1, line, 1 + len(text), text])
        return len(self.doc["places"]) - 1

    def ability(self, ident: str, on: int, phase: str, proc: int = -1, **more: Any) -> int:
        row = {"id": ident, "label": ident, "on": on, "phase": phase, "of": -1, "live": None, "cond": None}
        row |= {"optional": False, "asks": None, "proc": proc, "limit": None, "once": False}
        row |= {"reads": [], "writes": [], "at": -1}
        return self._add("abilities", {**row, **more})

    def modifier(self, col: int, slot: int = 2, **more: Any) -> int:
        row = {"col": col, "of": -1, "live": None, "slot": slot, "cond": None, "add": None, "set": None}
        return self._add("modifiers", {**row, **more})

    def finish(self) -> dict[str, Any]:
        self.doc["hash"] = content_hash(self.doc)
        return self.doc

    def load(self) -> Package:
        return load_artefact(self.finish())


# -- forms


def seq(body: Json) -> Json:
    if isinstance(body, list):
        return {"op": "seq", "body": [part for part in body if part is not None]}
    return body


def n(value: int) -> Json:
    return ["int", value]


def s(slot: int) -> Json:
    return ["slot", slot]


def v(var: int) -> Json:
    return ["var", var]


def eq(a: Json, b: Json) -> Json:
    return ["==", a, b]


def let(slot: int, value: Json) -> Json:
    return {"op": "let", "slot": slot, "value": value}


def setvar(var: int, value: Json) -> Json:
    return {"op": "setvar", "var": var, "value": value}


def setcol(col: int, of: Json, value: Json) -> Json:
    return {"op": "setcol", "col": col, "of": of, "value": value}


def add(var: int, amount: int) -> Json:
    return setvar(var, ["+", v(var), n(amount)])


def when(cond: Json, then: Json, other: Json = None) -> Json:
    found = {"op": "if", "cond": cond, "then": seq(then)}
    if other is not None:
        found["else"] = seq(other)
    return found


def do(verb: int, *args: Json, you: Json = ("slot", 0), ok: int | None = None, result: int | None = None) -> Json:
    found: dict[str, Any] = {"op": "do", "verb": verb, "you": list(you), "args": list(args)}
    if ok is not None:
        found["ok"] = ok
    if result is not None:
        found["result"] = result
    return found


def call(proc: int, *args: Json, you: Json = ("slot", 0), result: int | None = None) -> Json:
    found: dict[str, Any] = {"op": "call", "proc": proc, "you": list(you), "args": list(args)}
    if result is not None:
        found["result"] = result
    return found


def repeat(*body: Json, times: Json = None) -> Json:
    found: dict[str, Any] = {"op": "repeat", "body": seq(list(body))}
    if times is not None:
        found["times"] = times
    return found


def foreach(slot: int, sel: Json, *body: Json) -> Json:
    return {"op": "foreach", "slot": slot, "in": sel, "body": seq(list(body))}


def move(piece: Json, to: Json, where: str = "top", seen: str = "zone") -> Json:
    return {"op": "move", "piece": piece, "to": to, "where": where, "seen": seen}


def entry(ident: str, *body: Json, guard: Json = None, domains: list[tuple[int, str, Json]] = ()) -> Json:
    rows = [{"slot": slot, "sort": sort, "in": sel} for slot, sort, sel in domains]
    return {"id": ident, "guard": guard, "domains": rows, "body": seq(list(body)) if body else None}


def menu(seat: Json, label: str, *entries: Json, otherwise: Json = None) -> Json:
    found: dict[str, Any] = {"op": "menu", "seat": seat, "label": label, "entries": list(entries)}
    if otherwise is not None:
        found["otherwise"] = seq(otherwise)
    return found


def choose(seat: Json, label: str, slot: int, sort: str, sel: Json, low: Json, high: Json, constraint=None) -> Json:
    found: dict[str, Any] = {"op": "choose", "seat": seat, "label": label, "slot": slot, "sort": sort, "in": sel}
    found |= {"low": low, "high": high}
    if constraint is not None:
        found["constraint"] = constraint
    return found


def pay(cost: Json, then: Json, other: Json = None) -> Json:
    found = {"op": "pay", "cost": seq(cost), "then": seq(then)}
    if other is not None:
        found["else"] = seq(other)
    return found


def end(outcome: str = "won", winners: Json = ("int", 0)) -> Json:
    return {"op": "end", "outcome": outcome, "winners": list(winners)}


STOP = {"op": "stop"}
AGAIN = {"op": "again"}
CANCEL = {"op": "cancel"}


def ret(value: Json = None) -> Json:
    return {"op": "return"} if value is None else {"op": "return", "value": value}


def ability_program(art: Art, ident: str, body: Json, slots: int = 6) -> int:
    """A procedure for an ability or a definition's program: slot 1 is the bearing piece."""
    return art.proc(ident, body, params=1, slots=slots)

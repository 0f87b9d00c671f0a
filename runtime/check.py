"""Structural check of an artefact: shapes, index ranges, slots and nesting, with the path of what is wrong."""

from __future__ import annotations

from typing import Any, Final

from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.forms import EXPRESSIONS, SELECTORS, SORTS, STATEMENTS
from grimoire.runtime.limits import MAX_ABILITIES, MAX_NESTING, MAX_PIECES

WORDS: Final = {"where": ("top", "bottom"), "seen": ("zone", "none", "all", "keep")}
SEEN: Final = ("all", "owner", "none", "top")
PHASES: Final = ("cannot", "before", "instead", "after")


def _fail(path: str, text: str) -> None:
    raise ArtefactError(f"{path}: {text}")


def _int(value: Any, path: str) -> int:
    if not isinstance(value, int):
        _fail(path, f"expected a whole number, found {_show(value)}")
    return int(value)


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class _Check:
    """One pass over a document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.doc = document
        self.counts: dict[str, int] = {}
        self.params: list[int] = []
        self.slots: list[int] = []
        self.options: set[str] = set()

    # -- small helpers

    def rows(self, name: str) -> list[dict[str, Any]]:
        rows = self.doc.get(name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ArtefactError(f"{name}: expected a list of objects")
        return rows

    def text(self, row: dict[str, Any], key: str, path: str) -> str:
        value = row.get(key)
        if not isinstance(value, str):
            _fail(path, f"{key} must be text, found {_show(value)}")
        return str(value)

    def index(self, value: Any, table: str, path: str, low: int = 0) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            _fail(path, f"expected an index of {table}, found {_show(value)}")
        elif not low <= value < self.counts[table]:
            _fail(path, f"index {value} of {table} is out of range (there are {self.counts[table]})")

    def slot(self, value: Any, window: int, path: str) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < window:
            _fail(path, f"slot {_show(value)} is outside the window of {window} slots")

    def word(self, value: Any, words: tuple[str, ...], path: str) -> None:
        if value not in words:
            _fail(path, f"expected one of {', '.join(words)}, found {_show(value)}")

    # -- forms

    def form(self, form: Any, table: dict[str, str], window: int, path: str, depth: int) -> None:
        if depth > MAX_NESTING:
            _fail(path, f"nested more than {MAX_NESTING} levels deep")
        if not isinstance(form, list) or not form or not isinstance(form[0], str):
            _fail(path, f"expected a form [op, ..], found {_show(form)}")
        signature = table.get(form[0])
        if signature is None:
            kind = "expression" if table is EXPRESSIONS else "selector"
            raise ArtefactError(f"{path}: unknown {kind} {_show(form[0])}")
        path = f"{path}/{form[0]}"
        fixed = len(signature.rstrip("*@"))
        rest = len(signature) != fixed
        if len(form) - 1 < fixed or (len(form) - 1 > fixed and not rest):
            _fail(path, f"has {len(form) - 1} parts, expected {fixed}{' or more' if rest else ''}")
        for at, code in enumerate(signature[:fixed], 1):
            self.part(code, form[at], window, path, depth)
        if rest:
            inner = EXPRESSIONS if signature[-1] == "*" else SELECTORS
            for part in form[fixed + 1 :]:
                self.form(part, inner, window, path, depth + 1)
        if form[0] in ("fn", "allowed"):
            counts = self.params if form[0] == "allowed" else self.fparams
            if len(form) - 3 != counts[form[1]]:
                _fail(path, f"passes {len(form) - 3} arguments, expected {counts[form[1]]}")

    def part(self, code: str, part: Any, window: int, path: str, depth: int) -> None:
        if code in "ex":
            if code == "x" and isinstance(part, int):
                return
            self.form(part, EXPRESSIONS, window, path, depth + 1)
        elif code == "S":
            self.form(part, SELECTORS, window, path, depth + 1)
        elif code == "T":
            self.statement(part, window, path, depth + 1)
        elif code in "sb":
            self.slot(part, window, path)
        elif code == "n":
            if _int(part, path).bit_length() > 4096:
                _fail(path, "a number too large")
        elif code == "o":
            _int(part, path)
        elif code in TABLES:
            self.index(part, TABLES[code], path, -1 if code == "k" else 0)
        elif code == "P":
            self.index(part, "places", path, -1)
        elif code == "q":
            self.word(part, SORTS, path)
        elif code == "m":
            self.word(part, ("max", "min"), path)
        elif code == "O":
            if part != "players" and part not in self.options:
                _fail(path, f"unknown option {_show(part)}")

    def expression(self, form: Any, window: int, path: str, depth: int = 0) -> None:
        self.form(form, EXPRESSIONS, window, path, depth)

    # -- statements

    def statement(self, statement: Any, window: int, path: str, depth: int) -> None:
        if depth > MAX_NESTING:
            _fail(path, f"nested more than {MAX_NESTING} levels deep")
        if isinstance(statement, list):
            for at, part in enumerate(statement):
                self.statement(part, window, f"{path}[{at}]", depth + 1)
            return
        if not isinstance(statement, dict):
            _fail(path, f"expected a statement, found {_show(statement)}")
        op = statement.get("op")
        fields = STATEMENTS.get(op) if isinstance(op, str) else None
        if fields is None:
            raise ArtefactError(f"{path}: unknown statement {_show(op)}")
        path = f"{path}/{op}"
        for key in statement:
            if key not in fields and key not in ("op", "at", "clause"):
                _fail(path, f"unknown field {key!r}")
        if statement.get("at") is not None:
            self.index(statement["at"], "places", path, -1)
        for name, (code, required) in fields.items():
            value = statement.get(name)
            if value is None:
                if required and not (code == "T" and name in statement):
                    _fail(path, f"field {name!r} is missing")
                continue
            self.field(code, name, value, window, f"{path}.{name}", depth)
        if op in ("do", "call"):
            proc = statement["verb"] if op == "do" else statement["proc"]
            if len(statement["args"]) != self.params[proc]:
                _fail(path, f"passes {len(statement['args'])} arguments, expected {self.params[proc]}")
            if op == "do" and not self.doc["procs"][proc].get("verb"):
                _fail(path, f"procedure {proc} is no verb")
        elif op == "setting":
            self.slot(statement["slot"], self.slots[statement["proc"]], path)

    def field(self, code: str, name: str, value: Any, window: int, path: str, depth: int) -> None:
        if code == "w":
            self.slot(value, window, path)
        elif code == "L":
            if not isinstance(value, list):
                _fail(path, "expected a list of statements")
            self.statement(value, window, path, depth + 1)
        elif code == "t":
            if not isinstance(value, str):
                _fail(path, f"expected text, found {_show(value)}")
        elif code == "i":
            _int(value, path)
        elif code in "AME":
            if not isinstance(value, list):
                _fail(path, "expected a list")
            for part in value:
                if code == "E":
                    self.expression(part, window, path, depth + 1)
                else:
                    self.index(part, "abilities" if code == "A" else "modifiers", path)
        elif code == "C":
            self.index(value, "procs", path, -1)
        elif code == "-":
            self.word(value, WORDS[name], path)
        elif code == "U":
            if not isinstance(value, dict) or value.get("op", "menu") != "menu":
                _fail(path, "expected a menu")
            self.statement({"op": "menu", "seat": ["int", 0], "label": "", **value}, window, path, depth + 1)
        elif code == "G":
            self.entries(value, window, path, depth)
        else:
            self.part(code, value, window, path, depth)

    def entries(self, entries: Any, window: int, path: str, depth: int) -> None:
        if not isinstance(entries, list):
            _fail(path, "expected a list of entries")
        for at, entry in enumerate(entries):
            where = f"{path}[{at}]"
            if not isinstance(entry, dict):
                _fail(where, "expected an entry")
            self.text(entry, "id", where)
            if entry.get("guard") is not None:
                self.expression(entry["guard"], window, where, depth + 1)
            domains = entry.get("domains", [])
            if not isinstance(domains, list):
                _fail(where, "domains must be a list")
            for domain in domains:
                if not isinstance(domain, dict):
                    _fail(where, "expected a domain")
                self.slot(domain.get("slot"), window, where)
                self.word(domain.get("sort"), SORTS, where)
                self.form(domain.get("in"), SELECTORS, window, where, depth + 1)
            if entry.get("body") is not None:
                self.statement(entry["body"], window, where, depth + 1)

    # -- tables

    def run(self) -> None:
        doc = self.doc
        for name in ("package", "players"):
            if not isinstance(doc.get(name), dict):
                _fail(name, "expected an object")
        self.text(doc["package"], "id", "package")
        low, high = _int(doc["players"].get("min"), "players.min"), _int(doc["players"].get("max"), "players.max")
        if not 1 <= low <= high <= 64:
            _fail("players", f"{low} to {high} is no range of players (1 to 64)")
        if not isinstance(doc.get("places"), list):
            _fail("places", "expected a list")
        for at, place in enumerate(doc["places"]):
            if not isinstance(place, list) or len(place) < 3:
                _fail(f"places[{at}]", "expected [file, line, column, ..]")
        self.counts["places"] = len(doc["places"])
        for name in sorted(set(TABLES.values()) | {"fixtures", "abilities", "modifiers"}):
            self.counts[name] = len(self.rows(name))
        self.ids()
        self.small_tables()
        self.procs()
        self.abilities()
        self.index(doc.get("main"), "procs", "main")
        if doc.get("score") is not None:
            self.index(doc["score"], "functions", "score")
        if "aims" in doc:
            for at, row in enumerate(self.rows("aims")):
                self.text(row, "id", f"aims[{at}]")
                self.index(row.get("value"), "functions", f"aims[{at}].value")
                if row.get("only") is not None:
                    self.index(row["only"], "functions", f"aims[{at}].only")

    def ids(self) -> None:
        for name in ("kinds", "fixtures", "zones", "vars", "columns", "definitions", "procs", "functions", "relations"):
            seen: set[str] = set()
            for at, row in enumerate(self.rows(name)):
                ident = self.text(row, "id", f"{name}[{at}]")
                if ident in seen and name != "procs":
                    _fail(f"{name}[{at}]", f"the id {ident!r} is used twice")
                seen.add(ident)
        for at, row in enumerate(self.rows("options")):
            where = f"options[{at}]"
            self.options.add(self.text(row, "id", where))
            self.word(row.get("sort"), ("flag", "choice"), where)
            if row["sort"] == "choice" and (not isinstance(row.get("values"), list) or not row["values"]):
                _fail(where, "a choice needs values")

    def small_tables(self) -> None:
        fixtures, definitions = self.counts["fixtures"], self.counts["definitions"]
        for at, row in enumerate(self.rows("relations")):
            table = row.get("table")
            if not isinstance(table, list) or len(table) != fixtures:
                _fail(f"relations[{at}]", f"the table needs one row for each of {fixtures} fixtures")
            for cells in table or []:
                for cell in cells if isinstance(cells, list) else [None]:
                    self.index(cell, "fixtures", f"relations[{at}]")
        for at, row in enumerate(self.rows("kinds")):
            self.word(row.get("sort"), ("seat", "fixture", "piece"), f"kinds[{at}]")
            self.index(row.get("is", -1), "kinds", f"kinds[{at}].is", -1)
            self.kind_chain(at)
        for at, row in enumerate(self.rows("fixtures")):
            self.index(row.get("kind"), "kinds", f"fixtures[{at}].kind", -1)
            self.word(row.get("seen", "all"), SEEN, f"fixtures[{at}].seen")
        for at, row in enumerate(self.rows("zones")):
            self.word(row.get("seen", "all"), SEEN, f"zones[{at}].seen")
            if not isinstance(row.get("counted", True), bool):
                _fail(f"zones[{at}].counted", f"expected true or false, found {_show(row['counted'])}")
        for at, row in enumerate(self.rows("order") if "order" in self.doc else []):
            self.word(row.get("id"), ("abilities",), f"order[{at}].id")
            self.word(row.get("by"), ("turn", "current"), f"order[{at}].by")
        for name in ("vars", "columns"):
            for at, row in enumerate(self.rows(name)):
                where = f"{name}[{at}]"
                self.word(row.get("sort"), SORTS, f"{where}.sort")
                _int(row.get("init", 0), f"{where}.init")
                for key in ("min", "max"):
                    if row.get(key) is not None:
                        _int(row[key], f"{where}.{key}")
                if name == "columns":
                    self.word(row.get("of"), ("seat", "fixture", "piece"), f"{where}.of")
                    self.printed(row, where, fixtures, definitions)
        pieces = 0
        for at, row in enumerate(self.rows("definitions")):
            where = f"definitions[{at}]"
            self.index(row.get("kind"), "kinds", f"{where}.kind", -1)
            self.index(row.get("start", -1), "zones", f"{where}.start", -1)
            copies = _int(row.get("copies", 1), f"{where}.copies")
            pieces += max(copies, 0)
            if copies < 0 or pieces > MAX_PIECES:
                _fail(where, f"{copies} copies are too many or too few")
            start = row.get("start", -1)
            if start >= 0 and self.doc["zones"][start].get("each"):
                _fail(where, "pieces cannot start in a zone that each seat has")
            if not isinstance(row.get("programs", {}), dict):
                _fail(where, "programs must be an object")
            for name, proc in row.get("programs", {}).items():
                self.index(proc, "procs", f"{where}.programs.{name}")

    def kind_chain(self, at: int) -> None:
        kinds = self.doc["kinds"]
        steps, kind = 0, at
        while kind >= 0:
            kind = kinds[kind].get("is", -1)
            steps += 1
            if steps > len(kinds):
                _fail(f"kinds[{at}]", "the chain of parents is a circle")

    def printed(self, row: dict[str, Any], where: str, fixtures: int, definitions: int) -> None:
        values = row.get("printed")
        if values is None:
            return
        wanted = fixtures if row["of"] == "fixture" else definitions if row["of"] == "piece" else 0
        if row["of"] == "seat" or not isinstance(values, list) or len(values) != wanted:
            _fail(where, f"printed needs {wanted} values")
        for value in values:
            _int(value, f"{where}.printed")

    def procs(self) -> None:
        for at, row in enumerate(self.rows("procs")):
            params, slots = _int(row.get("params"), f"procs[{at}].params"), _int(row.get("slots"), f"procs[{at}].slots")
            if not 0 <= params < slots <= 4096:
                _fail(f"procs[{at}]", f"{slots} slots do not hold you and {params} parameters")
            sorts = row.get("sorts")
            if sorts is not None and (not isinstance(sorts, list) or len(sorts) != params):
                _fail(f"procs[{at}]", f"sorts needs {params} entries")
            for sort in [*(sorts or []), row.get("tells", "")]:
                if not isinstance(sort, str) or sort.removeprefix("set:") not in ("", *SORTS):
                    _fail(f"procs[{at}].sorts", f"{_show(sort)} is no sort")
            self.params.append(params)
            self.slots.append(slots)
        self.fparams: list[int] = []
        for at, row in enumerate(self.rows("functions")):
            params, slots = _int(row.get("params"), f"functions[{at}]"), _int(row.get("slots"), f"functions[{at}]")
            if not 0 <= params < slots <= 4096:
                _fail(f"functions[{at}]", f"{slots} slots do not hold you and {params} parameters")
            self.fparams.append(params)
        for at, row in enumerate(self.doc["functions"]):
            self.expression(row.get("value"), row["slots"], f"functions[{at}:{row['id']}]")
        for at, row in enumerate(self.doc["procs"]):
            if row.get("body") is not None:
                self.statement(row["body"], row["slots"], f"procs[{at}:{row['id']}]", 0)
        for at, row in enumerate(self.doc["definitions"]):
            if row.get("when") is not None:
                self.expression(row["when"], 256, f"definitions[{at}].when")

    def abilities(self) -> None:
        if self.counts["abilities"] > MAX_ABILITIES:
            _fail("abilities", f"{self.counts['abilities']} are too many (at most {MAX_ABILITIES})")
        for at, row in enumerate(self.rows("abilities")):
            where = f"abilities[{at}:{row.get('id')}]"
            self.text(row, "id", where)
            self.index(row.get("on"), "procs", f"{where}.on")
            if not self.doc["procs"][row["on"]].get("verb"):
                _fail(where, "hears a procedure that is no verb")
            self.word(row.get("phase"), PHASES, f"{where}.phase")
            self.borne(row, where)
            self.index(row.get("proc", -1), "procs", f"{where}.proc", -1)
            ends = row.get("ends")
            if ends is not None:
                if not isinstance(ends, list) or len(ends) != 2 or row.get("of", -1) != -2:
                    _fail(where, "ends has two numbers, and stands in a floating ability")
                if any(_int(number, f"{where}.ends") < 0 for number in ends):
                    _fail(where, "ends has numbers from 0 on")
            if row.get("proc", -1) < 0 and row["phase"] != "cannot" and ends is None:
                _fail(where, "has no procedure")
            for name in ("asks", "might"):
                if row.get(name) is not None:
                    self.expression(row[name], 4096, f"{where}.{name}")
            self.index(row.get("shares", -1), "abilities", f"{where}.shares", -1)
            limit = row.get("limit")
            if limit is not None:
                if not isinstance(limit, dict):
                    _fail(where, "limit must be an object")
                _int(limit.get("n"), f"{where}.limit.n")
                self.index(limit.get("per", -1), "procs", f"{where}.limit.per", -1)
        for at, row in enumerate(self.rows("modifiers")):
            where = f"modifiers[{at}]"
            self.index(row.get("col"), "columns", f"{where}.col")
            self.slot(row.get("slot"), 4096, f"{where}.slot")
            self.borne(row, where)
            for key in ("add", "set"):
                if row.get(key) is not None:
                    self.expression(row[key], 4096, f"{where}.{key}")

    def borne(self, row: dict[str, Any], where: str) -> None:
        self.index(row.get("of", -1), "definitions", f"{where}.of", -2)
        live = row.get("live")
        if live is not None:
            if not isinstance(live, list):
                _fail(where, "live must be a list of zones or null")
            top = self.counts["zones"] + self.counts["fixtures"]
            for zone in live:
                if not isinstance(zone, int) or not 0 <= zone < top:
                    _fail(f"{where}.live", f"zone {_show(zone)} is out of range")
        if row.get("cond") is not None:
            self.expression(row["cond"], 4096, f"{where}.cond")


TABLES: Final = {
    "v": "vars",
    "c": "columns",
    "f": "functions",
    "z": "zones",
    "r": "relations",
    "d": "definitions",
    "p": "procs",
    "k": "kinds",
}


def check_document(document: dict[str, Any]) -> None:
    """Raise ``ArtefactError`` for the first thing that is out of shape or out of range."""
    try:
        _Check(document).run()
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise ArtefactError(f"the artefact is out of shape: {type(error).__name__} {error}") from None

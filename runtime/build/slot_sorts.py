"""Slot sorts: which slots of suspended work hold a piece, a set of pieces, a list of them, or something else.

Slots are plain ints. Only parameters are declared with a sort; those of the other slots follow from what the code writes into them,
worked out here once for a whole program, without regard to the order of statements. A slot into which different sorts are written is
``MIXED``: nothing can be said about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.base import X_RESULT
from grimoire.runtime.build.forms import Json, body_of, children, expressions_of, parts

if TYPE_CHECKING:
    from grimoire.runtime.build.program import Program

NOTHING: Final = 0  # never written, or only with what stands for nothing
PIECE: Final = 1
PIECES: Final = 2  # a mask
OTHER: Final = 4
MIXED: Final = 8
LIST: Final = 16  # what is left of a loop over pieces: a packed list

_MASKED: Final = {PIECE: PIECES, PIECES: MIXED, NOTHING: NOTHING, OTHER: OTHER, MIXED: MIXED}
_MEMBER: Final = {PIECES: PIECE, PIECE: MIXED, NOTHING: NOTHING, OTHER: OTHER, MIXED: MIXED}

Bound = dict[int, int]


def named(sort: str, many: bool = False) -> int:
    """The sort of a name in the artefact."""
    if sort == "set:piece" or (many and sort == "piece"):
        return PIECES
    return PIECE if sort == "piece" else OTHER


def joined(one: int, two: int) -> int:
    """What a slot holds into which both are written."""
    if one in (NOTHING, two):
        return two
    return one if two == NOTHING else MIXED


class Window:
    """The slots of a procedure or function, with what it returns and the events that its ability hears."""

    def __init__(self, slots: int) -> None:
        self.slots = [NOTHING] * slots
        self.result = NOTHING
        self.heard: list[Window] = []

    def at(self, slot: int) -> int:
        return self.slots[slot] if slot < len(self.slots) else NOTHING


class SlotSorts:
    """The sorts of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        doc = program.doc
        self.procs = [
            Window(max(row["slots"], 2 + program.builder.captures.get(at, 0))) for at, row in enumerate(doc["procs"])
        ]
        self.functions = [Window(max(row["slots"], 1 + row["params"])) for row in doc["functions"]]
        self.effects = {name: [Window(2) for _ in doc[name]] for name in ("abilities", "modifiers")}  # conditions
        self.units: dict[int, list[int]] = {}
        self.changed = False
        for at, row in enumerate(doc["procs"]):
            self._write(self.procs[at], 0, OTHER)
            for slot, sort in enumerate(row.get("sorts") or [], 1):
                self._write(self.procs[at], slot, named(sort) if sort else NOTHING)
        for window in self.functions:
            self._write(window, 0, OTHER)
        for row in doc["definitions"]:
            for proc in row.get("programs", {}).values():
                self._write(self.procs[proc], 1, PIECE)
        for window, row in zip(self.effects["abilities"], doc["abilities"], strict=True):
            window.heard.append(self.procs[row["on"]])
            if row.get("proc", -1) >= 0:
                self._write(self.procs[row["proc"]], 1, PIECE)
                self.procs[row["proc"]].heard.append(self.procs[row["on"]])
        for window, row in zip(self.effects["modifiers"], doc["modifiers"], strict=True):
            self._write(window, row["slot"], named(doc["columns"][row["col"]]["of"]))
        for window in [*self.effects["abilities"], *self.effects["modifiers"]]:
            self._write(window, 0, OTHER)
            self._write(window, 1, PIECE)
        self.changed = True
        while self.changed:
            self.changed = False
            self._pass()

    def of_unit(self, unit: int) -> list[int]:
        """The sort of each slot of a frame."""
        found = self.units.get(unit)
        if found is None:
            found = self.units[unit] = self._unit(unit)
        return found

    def of_captures(self, ability: bool, which: int, n: int) -> list[int]:
        """The sorts of what a floating effect has captured."""
        return self.effects["abilities" if ability else "modifiers"][which].slots[2 : 2 + n]

    # -- suspended frames

    def _unit(self, unit: int) -> list[int]:
        u = self.program.units[unit]
        scope = self.program.builder.scopes[unit]
        found = [OTHER] * u.window  # what no statement of the package writes: counts, marks, addresses
        if u.proc < 0:
            return [MIXED] * u.window
        own = self.procs[u.proc]
        found[: scope.slots] = [*own.slots, *[NOTHING] * scope.slots][: scope.slots]
        for at, proc in scope.windows:
            inner = self.procs[proc]
            width = self.program.doc["procs"][proc]["slots"]
            found[at : at + width] = inner.slots[:width]
            found[at + width] = inner.result
        whole = Window(0)
        whole.slots, whole.heard = found, own.heard
        for hidden, selector in scope.lists:
            found[hidden] = {PIECE: LIST, MIXED: MIXED}.get(self._form(selector, whole, {}), OTHER)
        if u.event:
            found[u.extras + X_RESULT] = own.result
        return found

    # -- one look at all the code

    def _pass(self) -> None:
        doc = self.program.doc
        for at, row in enumerate(doc["procs"]):
            self._statement(row.get("body"), self.procs[at])
        for at, row in enumerate(doc["functions"]):
            window = self.functions[at]
            self._return(window, self._form(row["value"], window, {}))
        for name, windows in self.effects.items():
            for window, row in zip(windows, doc[name], strict=True):
                for field in ("cond", "asks", "might", "add", "set"):
                    if row.get(field) is not None:
                        self._form(row[field], window, {})

    def _write(self, window: Window, slot: int, sort: int) -> None:
        if slot >= len(window.slots):
            window.slots += [NOTHING] * (slot + 1 - len(window.slots))
        now = joined(window.slots[slot], sort)
        if now != window.slots[slot]:
            window.slots[slot] = now
            self.changed = True

    def _return(self, window: Window, sort: int) -> None:
        now = joined(window.result, sort)
        if now != window.result:
            window.result = now
            self.changed = True

    def _statement(self, statement: Json, window: Window) -> None:
        for s in body_of(statement):
            if isinstance(s, list):
                self._statement(s, window)
                continue
            self._writes(s, window)
            for child in children(s):
                self._statement(child, window)

    def _writes(self, s: Json, window: Window) -> None:
        """What one statement writes, the statements inside it left aside."""

        def value(form: Json) -> int:
            return self._form(form, window, {})

        op = s.get("op", "menu")
        if op == "let":
            self._write(window, s["slot"], value(s["value"]))
        elif op == "setting":
            self._write(self.procs[s["proc"]], s["slot"], value(s["value"]))
        elif op in ("random", "foreach"):
            self._write(window, s["slot"], self._form(s["from" if op == "random" else "in"], window, {}))
        elif op == "choose":
            self._write(window, s["slot"], PIECES if s["sort"] == "piece" else OTHER)
        elif op in ("do", "call"):
            self._calls(s, self.procs[s["verb"] if op == "do" else s["proc"]], window)
        elif op == "program":
            for proc in self.program.builder.programs.get(s["name"], []):
                if proc >= 0 and s.get("result") is not None:
                    self._write(window, s["result"], self.procs[proc].result)
        elif op == "return" and s.get("value") is not None:
            self._return(window, value(s["value"]))
        elif op == "leave" and s.get("value") is not None:
            self._return(self.procs[s["proc"]], value(s["value"]))
        elif op == "setarg":
            for event in window.heard:
                self._write(event, s["arg"], value(s["value"]))
        elif op == "setresult":
            for event in window.heard:
                self._return(event, value(s["value"]))
        elif op == "grant":
            for slot, form in enumerate(s["captures"], 2):
                for name in ("abilities", "modifiers"):
                    for which in s[name]:
                        self._write(self.effects[name][which], slot, value(form))
                for which in s["abilities"]:
                    if self.program.doc["abilities"][which].get("proc", -1) >= 0:
                        self._write(self.procs[self.program.doc["abilities"][which]["proc"]], slot, value(form))
        elif op == "poll":
            self._write(window, s["slot"], OTHER)
        menu = s["menu"] if op == "poll" else s
        for entry in menu.get("entries", []):
            for domain in entry.get("domains", []):
                self._write(window, domain["slot"], named(domain["sort"]))
        for form in expressions_of(s):
            self._form(form, window, {})

    def _calls(self, s: Json, called: Window, window: Window) -> None:
        for slot, form in enumerate(s["args"], 1):
            self._write(called, slot, self._form(form, window, {}))
        if s.get("result") is not None:
            self._write(window, s["result"], called.result)
        if s.get("ok") is not None:
            self._write(window, s["ok"], OTHER)

    # -- expressions and selectors

    def _form(self, form: Json, window: Window, bound: Bound) -> int:
        """The sort of an expression, or of the elements of a selector; functions are told what they are given."""
        if isinstance(form, int):
            return NOTHING if form <= 0 else OTHER
        op = form[0]
        if op == "int":
            return NOTHING if form[1] <= 0 else OTHER  # nothing, or the empty set
        if op == "slot":
            slot: int = form[1]
            return bound[slot] if slot in bound else window.at(slot)
        inner = self._parts(form, window, bound)
        if op == "fn":
            called = self.functions[int(form[1])]
            for slot, sort in enumerate(inner[1:], 1):
                self._write(called, slot, sort)
            return called.result
        if op == "allowed":
            return OTHER
        return self._sort(form, inner, window)

    def _parts(self, form: Json, window: Window, bound: Bound) -> list[int]:
        """The sorts of the expressions and selectors in a form, from left to right."""
        found: list[int] = []
        for code, part in parts(form):
            if code == "b":
                bound = {**bound, part: found[-1]}
            elif code in "eS":
                found.append(self._form(part, window, bound))
            elif code == "T":
                self._statement(part, window)
        return found

    def _sort(self, form: Json, inner: list[int], window: Window) -> int:
        """The sort of a form whose parts have these sorts."""
        doc = self.program.doc
        op = form[0]
        if op in ("var", "col", "attr"):
            row = doc["vars" if op == "var" else "columns"][form[1]]
            return named(row["sort"], bool(row.get("set")))
        if op in ("this", "top", "zone*", "top*", "pieces"):
            return PIECE
        if op in ("set", "bit"):
            return _MASKED[inner[0]]
        if op == "first":
            return _MEMBER[inner[0]]
        if op == "members":
            return PIECE if form[1] == "piece" else OTHER
        if op in ("at", "one", "lone", "filter", "best", "except"):
            return inner[0]
        if op in ("take", "maxof", "minof"):
            return inner[-1]
        if op in ("if", "union", "inter", "minus", "cat"):
            sort = NOTHING
            for part in inner[1:] if op == "if" else inner:
                sort = joined(sort, part)
            return sort
        if op in ("arg", "result"):
            sort = NOTHING
            for event in window.heard:
                sort = joined(sort, event.result if op == "result" else event.at(form[1]))
            return sort
        if op == "setting":
            return self.procs[int(form[1])].at(int(form[2]))
        return OTHER

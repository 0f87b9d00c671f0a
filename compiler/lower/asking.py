"""Who is asked follows from what all can see: the last pass over questions.

A question that would be left out for want of options, where others cannot see that, is put all the same. The pass gives such a menu or
choice `might`: what everybody can see of whether it has options. What may be declined can be declined whether there is anything to accept
or not, and `if C: may X` becomes a question in which C, as far as it is secret, is a condition of X.
"""

from __future__ import annotations

from typing import Any

from grimoire.compiler.declare.model import Expr, Stmt
from grimoire.compiler.lower.footprints import Footprints, Secret, both, conjuncts

_YES: Expr = ["int", 1]
_NEVER: Expr = ["int", 0]
_ANYTHING: Expr = ["lone", ["int", 0]]
_MANY: Expr = ["int", 9999]
_INSIDE = ("then", "else", "body", "cost", "otherwise", "menu")


class Asking(Secret):
    """The pass over the statements of one set of tables."""

    def __init__(self, secret: Secret, prints: Footprints, functions: list[dict[str, Any]]) -> None:
        super().__init__(secret.numbers, secret.kinds, ())
        self.columns = secret.columns
        self.prints = prints
        self.functions = functions
        self.open_functions: dict[int, int] = {}
        self.tried: dict[int, bool] = {}

    # ------------------------------------------------------------ statements

    def statement(self, stmt: Any) -> Any:
        """The same statement with questions that tell nothing."""
        if isinstance(stmt, list):
            return [self.statement(part) for part in stmt]
        if not isinstance(stmt, dict):
            return stmt
        made = {key: self.statement(value) if key in _INSIDE else value for key, value in stmt.items()}
        if "entries" in made:
            entries = [{**entry, "body": self.statement(entry["body"])} for entry in made["entries"]]
            return self.menu({**made, "entries": entries})
        if made.get("op") == "choose":
            return self.choose(made)
        return self.condition(made) if made.get("op") == "if" else made

    def menu(self, menu: Stmt) -> Stmt:
        """A menu of which others cannot see whether it has options."""
        entries = menu["entries"]
        if any(entry["guard"] is None and not entry["domains"] for entry in entries):
            return menu
        offers = [entry for entry in entries if entry["id"] != "decline"]
        might = [self.offered(entry) for entry in offers]
        if might == [self.whole(entry) for entry in offers]:
            return menu
        found = might[0] if len(might) == 1 else _YES if _YES in might else ["or", *might]
        if len(offers) == len(entries):
            return {**menu, "might": found}
        guard = None if found == _YES else found
        return {**menu, "entries": [e if e["id"] != "decline" else {**e, "guard": guard} for e in entries]}

    @staticmethod
    def whole(entry: dict[str, Any]) -> Expr:
        """Whether an entry has options, as far as its guard and the first thing chosen in it say."""
        return both([*conjuncts(entry["guard"]), *(["any", domain["in"]] for domain in entry["domains"][:1])])

    def offered(self, entry: dict[str, Any]) -> Expr:
        return self.open_part(self.whole(entry))

    def choose(self, stmt: Stmt) -> Stmt:
        """An accumulating choice of which others cannot see how much there is to choose: it ends when the seat says so."""
        among = self.open_list(stmt["in"])
        if among == stmt["in"]:
            return stmt
        high = _MANY if stmt["high"] in (["count", stmt["in"]], ["count", stmt["in"][1]]) else stmt["high"]
        return {**stmt, "high": high, "might": ["count", among]}

    def condition(self, stmt: Stmt) -> Stmt:
        """`if C: may X`, where others cannot see all of C."""
        parts, menu = conjuncts(stmt["cond"]), stmt
        lets: list[Stmt] = []
        clause: dict[str, Any] = {}
        while menu["op"] == "if" and menu.get("else") is None:
            inside = _listed(menu["then"])
            if not inside:
                return stmt
            *more, menu = inside
            lets += more
            parts += conjuncts(menu["cond"]) if menu["op"] == "if" else []
            clause = {"clause": menu["clause"]} if "clause" in menu else clause
        if menu["op"] != "menu" or menu.get("otherwise") is not None:
            return stmt
        if any(line["op"] != "let" or _mentions(parts, line["slot"]) for line in lets):
            return stmt
        hidden = [part for part in parts if self.open_part(part) != part]
        if not hidden or all(entry["id"] != "decline" for entry in menu["entries"]):
            return stmt
        entries = [
            {**entry, "guard": _NEVER if entry["id"] == "decline" else both([*hidden, *conjuncts(entry["guard"])])}
            for entry in menu["entries"]
        ]
        made = self.menu({**menu, "entries": entries, **clause})  # which says when it can be declined
        shown = [part for part in map(self.open_part, parts) if part != _YES]
        return {**stmt, "cond": both(shown), "then": seq([*lets, made])}

    # ------------------------------------------------------------ what all can see

    def open_part(self, expr: Expr) -> Expr:
        """A condition that everybody can look at, and that holds whenever this one does."""
        op = expr[0]
        if op == "and":
            parts = [part for part in map(self.open_part, expr[1:]) if part != _YES]
            return both(parts) if parts else _YES
        if op == "or":
            parts = [self.open_part(part) for part in expr[1:]]
            return _YES if _YES in parts else ["or", *parts]
        if op == "at":
            inner = self.open_part(expr[2])
            return inner if inner == _YES else ["at", expr[1], inner]
        if op == "any":
            return ["any", self.open_list(expr[1])]
        if op == "fn" and not any(self.reads(part, self.prints) for part in expr[2:]):
            return ["fn", self.open_function(expr[1]), *expr[2:]]
        return _YES if self.reads(expr, self.prints) else expr

    def open_function(self, function: int) -> int:
        found = self.open_functions.get(function)
        if found is None:
            self.open_functions[function] = found = function  # one that calls itself keeps the name
            row = self.functions[function]
            value = self.open_part(row["value"])
            if value != row["value"]:
                self.open_functions[function] = found = len(self.functions)
                self.functions.append({**row, "id": f"{row['id']}, as far as all can see", "value": value})
        return found

    def open_list(self, sel: Expr) -> Expr:
        """A list of which everybody can see whether there is something in it, and there is whenever there is in this one."""
        op = sel[0]
        if op == "filter":
            among = self.open_list(sel[1])
            if self.hides(sel[1]):
                return among
            test = self.open_part(sel[3])
            return among if test == _YES else ["filter", among, sel[2], test]
        if op == "best":
            among = self.open_list(sel[2])
            return sel if among == sel[2] else among
        if op == "take":
            return ["take", sel[1], self.open_list(sel[2])]
        if op == "except":
            return ["except", self.open_list(sel[1]), sel[2]]
        if op == "cat":
            return ["cat", *map(self.open_list, sel[1:])]
        if op in ("zone*", "top*", "pieces"):
            return sel
        return _ANYTHING if self.reads(sel, self.prints) else sel

    def hides(self, sel: Expr) -> bool:
        """Whether not everybody sees which pieces are in a list."""
        if sel[0] in ("filter", "except"):
            return self.hides(sel[1])
        if sel[0] in ("best", "take"):
            return self.hides(sel[2])
        if sel[0] == "cat":
            return any(self.hides(part) for part in sel[1:])
        if sel[0] == "members":
            return bool(sel[1] == "piece" and self.zones)
        return self.reads(sel, self.prints)

    def reads(self, expr: Any, prints: Footprints) -> bool:
        """Whether an expression tells what only some see: where a card lies that is meant by its name, but not what it is called.

        Where a piece lies that is meant in another way is a secret only if it is one which piece that is.
        """
        if isinstance(expr, list) and expr:
            if _named(expr):
                return False
            if expr[0] == "where":
                return _named(expr[1]) or self.reads(expr[1], prints)
            if expr[0] == "can":
                return self.tries(expr[1])
        return super().reads(expr, prints)

    def tries(self, stmt: Any) -> bool:
        """Whether it depends on what only some see if a statement could be carried out in full."""
        if isinstance(stmt, list):
            return any(self.tries(part) for part in stmt)
        if not isinstance(stmt, dict):
            return False
        op = stmt.get("op", "menu")
        if op == "choose" and self.open_list(stmt["in"]) != stmt["in"]:
            return True
        if op == "menu" and any(self.offered(entry) != self.whole(entry) for entry in stmt["entries"]):
            return True
        if op == "if" and self.open_part(stmt["cond"]) != stmt["cond"]:
            return True
        if op in ("setvar", "setcol") and self.reads(stmt["value"], self.prints):
            return True
        if op in ("do", "call") and self.tries_proc(stmt["verb" if op == "do" else "proc"]):
            return True
        if op == "program" and any(map(self.tries_proc, self.prints.programs.get(stmt["name"], ()))):
            return True
        inside = [stmt.get(key) for key in _INSIDE] + [entry["body"] for entry in stmt.get("entries", ())]
        return any(self.tries(part) for part in inside)

    def tries_proc(self, index: int) -> bool:
        found = self.tried.get(index)
        if found is None:
            self.tried[index] = False  # one that calls itself tells no more by that
            bars = [self.prints.abilities[i] for i in self.prints.hearing.get(index, ())]
            found = self.tried[index] = self.tries(self.prints.procs[index].get("body")) or any(
                bar["phase"] == "cannot" and bar["cond"] is not None and self.open_part(bar["cond"]) != bar["cond"]
                for bar in bars
            )
        return found


def seq(body: list[Stmt]) -> Stmt:
    flat: list[Stmt] = []
    for part in body:
        if part["op"] == "seq" and "clause" not in part:
            flat.extend(part["body"])
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else {"op": "seq", "body": flat}


def _listed(stmt: Stmt) -> list[Stmt]:
    """The statements of a sequence, or the one that there is."""
    if stmt["op"] != "seq" or "clause" in stmt:
        return [stmt]
    return [line for part in stmt["body"] for line in _listed(part)]


def _mentions(node: Any, slot: int) -> bool:
    """Whether a form reads a slot."""
    if isinstance(node, dict):
        return any(_mentions(value, slot) for value in node.values())
    return isinstance(node, list) and (node == ["slot", slot] or any(_mentions(part, slot) for part in node))


def _named(expr: Expr) -> bool:
    """Whether an expression is the piece of one definition."""
    sel = expr[1] if expr[0] == "one" else None
    return bool(
        sel and sel[0] == "filter" and sel[1][0] == "pieces" and sel[3] == ["isdef", sel[3][1], ["slot", sel[2]]]
    )

"""How much work a form is: units that one evaluation of an expression, one run of a statement takes, worked out while building.

Lists whose length is known to be small count with what lies around them. What can be long, and what is called, is not in the figure: the
kernel charges it when it runs, each element or call with the figure of what is done with it. So the figure of a form bounds what
one run of it costs between two charges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from grimoire.runtime.build.forms import Json, body_of, children, expressions_of, parts, told_alike
from grimoire.runtime.limits import EVENT, EXACT, GRANT, LISTENER, MAX_RANGE, MOVE, OPTION, SMALL, STEP, TRY, WORD

MASKS: Final = ("bit", "union", "inter", "minus", "set", "members")
MOST: Final = 10**12  # figures go no further: what is written out again and again doubles


class Sizes:
    """The figures of one program."""

    def __init__(self, document: dict[str, Any], players: int, inlined: Callable[[Json], int]) -> None:
        self.doc = document
        self.players = players
        self.inlined = inlined  # whether a call is written into its caller: -1 if not
        self.pieces = 0  # in the whole game
        self.of_kind: Callable[[str, int], int] = lambda sort, kind: 0
        self.functions: dict[int, int] = {}
        self.procs: dict[int, int] = {}
        self.columns: dict[int, int] = {}

    @property
    def mask(self) -> int:
        """Units of an operation on sets."""
        return 1 + (max(self.pieces, len(self.doc["fixtures"])) >> WORD)

    # -- expressions

    def form(self, form: Json) -> int:
        """Units of one evaluation of an expression; of a selector: if nothing is done with its elements."""
        if isinstance(form, int):
            return 1
        op = form[0]
        if op in ("set", "count", "any", "one"):
            return 1 + self.select(form[1], self.mask if op == "set" else 0)
        if op in ("all", "sum", "maxof", "minof", "distinct"):
            return 1 + self.select(form[1], 2 + self.form(form[3]))
        units = self.mask if op in MASKS else 1
        if op == "fn":
            units += 2 + self.function(form[1])
        elif op == "allowed":
            units += 2
        for code, part in parts(form):
            if code in "ex":
                units += self.form(part)
            elif code == "S":
                units += self.select(part, 0)
            elif code == "T":
                units += TRY + self.statement(part)
        return min(units, MOST)

    def function(self, at: int) -> int:
        """Units of the value of a function."""
        known = self.functions.get(at)
        if known is None:
            self.functions[at] = 0  # while it is worked out; one that calls itself is refused elsewhere
            known = self.functions[at] = self.form(self.doc["functions"][at]["value"])
        return known

    def modifiers(self, column: int) -> int:
        """Units of the heaviest modifier of a column."""
        known = self.columns.get(column)
        if known is None:
            self.columns[column] = LISTENER  # modifiers may read the column again: they pay for it themselves
            rows = [row for row in self.doc["modifiers"] if row["col"] == column]
            found = [sum(self.form(row[name]) for name in ("cond", "add", "set") if row.get(name)) for row in rows]
            known = self.columns[column] = LISTENER + max(found, default=0)
        return known

    # -- selectors

    def select(self, form: Json, units: int) -> int:
        """Units of a selector with each of whose elements something of so many units is done, as far as it is not charged as it runs."""
        op = form[0]
        if op == "filter":
            return 1 + self.select(form[1], units + 1 + self.form(form[3]))
        if op == "best":
            return 1 + self.select(form[2], units + 2 + self.form(form[4]))
        if op == "except":
            return 1 + self.select(form[1], units + 1) + self.form(form[2])
        if op == "take":
            return 1 + self.select(form[2], units) + self.form(form[1])
        if op == "cat":
            return min(1 + sum(self.select(part, units + 2) for part in form[1:]), MOST)
        total = 1
        for code, part in parts(form):
            if code in "ex":
                total += self.form(part)
        if not self.charged(form, units):
            total += self.bound(form) * self.each(form, units)
        return min(total, MOST)

    def each(self, form: Json, units: int) -> int:
        """Units of one element of a list that does not come from another list, making it included."""
        return units + {"pieces": 2, "members": 1 + self.mask, "range": 1, "top*": 1}.get(form[0], 0)

    def charged(self, form: Json, units: int) -> bool:
        """Whether such a list is charged as it runs: it could cost much."""
        exact = form[0] in ("fixtures", "seats", "rel", "lone")
        return self.bound(form) * self.each(form, units) > (EXACT if exact else SMALL)

    def bound(self, form: Json) -> int:
        """The most elements of such a list."""
        op = form[0]
        if op in ("pieces", "fixtures"):
            return self.of_kind(op[:-1], form[1])
        if op == "seats":
            return self.players
        if op == "rel":
            return max([len(row) for row in self.doc["relations"][form[1]]["table"]], default=0)
        if op == "members":
            counts = {"seat": self.players, "fixture": len(self.doc["fixtures"])}
            return counts.get(form[1], max(self.pieces, MAX_RANGE if form[1] == "number" else 0))
        if op == "range":
            low, high = form[1], form[2]
            if low[0] == "int" and high[0] == "int":
                return max(0, int(high[1]) - int(low[1]) + 1)
            return MAX_RANGE
        if op == "top*" and isinstance(form[2], int):
            return max(0, min(form[2], self.pieces))
        return 1 if op == "lone" else self.pieces

    # -- statements

    def statement(self, statement: Json) -> int:
        """Units of one run of a statement, as far as it is not charged as it runs."""
        total = 0
        for part in body_of(statement):
            total += self.statement(part) if isinstance(part, list) else self.one(part)
        return min(total, MOST)

    def one(self, s: Json) -> int:
        op = s.get("op", "menu")
        if op == "foreach":
            return STEP + self.select(s["in"], 2 + self.statement(s["body"]))
        total = STEP + MOVE if op == "move" else STEP
        for form in expressions_of(s):
            total += self.form(form)
        if op in ("menu", "poll", "choose"):
            return total + self.asking(s) + max([self.statement(child) for child in children(s)], default=0)
        if op == "repeat":
            return total  # every round is charged
        if op in ("do", "call"):
            proc = s["verb"] if op == "do" else s["proc"]
            total += self.event(proc) if op == "do" else 0
            return total + (self.proc(proc) if self.inlined(s) >= 0 else 0)
        if op == "grant":
            return total + GRANT * (len(s["abilities"]) + len(s["modifiers"]))
        inside = [self.statement(child) for child in children(s)]
        if op == "pay":
            return total + TRY + inside[0] + max(inside[1:])
        return total + max(inside, default=0)

    def asking(self, s: Json) -> int:
        """Units of deriving the options of a question, as far as it is not charged as it runs."""
        if s.get("op") == "choose":
            return self.select(s["in"], OPTION) + (0 if s.get("constraint") is None else self.form(s["constraint"]))
        menu = s["menu"] if s.get("op") == "poll" else s
        total = STEP
        for entry in menu["entries"]:
            total += OPTION if entry.get("guard") is None else OPTION + self.form(entry["guard"])
            domains = entry.get("domains", [])
            if domains:
                total += self.select(domains[0]["in"], self.option(domains, 0))
        return total

    def option(self, domains: list[Json], depth: int) -> int:
        """Units of one element of a domain of a menu: an option, and what the domains behind it are."""
        if depth == len(domains) - 1:
            return OPTION
        return min(OPTION + self.select(domains[depth + 1]["in"], self.option(domains, depth + 1)), MOST)

    def proc(self, proc: int) -> int:
        """Units of the body of a procedure."""
        known = self.procs.get(proc)
        if known is None:
            self.procs[proc] = 0  # one that comes back to itself is not written out
            known = self.procs[proc] = STEP + self.statement(self.doc["procs"][proc].get("body"))
        return known

    def event(self, proc: int) -> int:
        """Units of an event besides its body: the log keeps it, for every seat if it names what not all may know."""
        row = self.doc["procs"][proc]
        readers = 1 if told_alike(row) else self.players + 1
        return EVENT * (5 + readers * (1 + int(row["params"])))

"""Building, part one: what all forms share: tables by kind and column, functions, hidden slots, scopes."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from typing import Any, Self

from grimoire.runtime.kernel import nodes, places
from grimoire.runtime.kernel.base import NIL, Expr, Tables, Unit
from grimoire.runtime.errors import ArtefactError, BudgetExceeded
from grimoire.runtime.build.forms import Json, children, expressions_of, max_slot, parts
from grimoire.runtime.limits import MAX_SIZE
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.build.work import Sizes
from grimoire.runtime.kernel.state import State


class TableBuilder:
    """The tables of a program while its code is built."""

    def __init__(self, document: dict[str, Any], tables: Tables, players: int, options: dict[str, int]) -> None:
        self.doc = document
        self.tables = tables
        self.units = tables.units
        self.nowhere = State(tables, b"", None)  # in which constants are worked out
        self.players = players
        self.options = options
        self.functions = [nodes.Function(row["id"]) for row in document["functions"]]
        self.function_state = [0] * len(self.functions)
        self.zone_base: list[int] = []
        self.column_base: list[int] = []
        self.printed: list[list[int] | None] = []
        self.modified: dict[int, int] = {}  # column -> index key
        self.heard: dict[int, int] = {}  # verb -> first of its four index keys
        self.kind_flags: dict[tuple[str, int], list[bool]] = {}
        self.kind_counts: dict[tuple[str, int], int] = {}
        self.definition_flags: dict[int, list[bool]] = {}
        self.cell_tables: dict[int, list[int]] = {}
        self.distances: dict[int, places.Distances] = {}
        self.event_units: dict[int, Unit] = {}
        self.modifier_numbers = -1  # the first number of the modifiers, with tracking
        self.fuse = True  # off only in tests, which compare fused with plain nodes
        self.place = -1  # of what is being built
        self.sizes = Sizes(document, players, self.inlined)
        self.sizes.of_kind = self.count

    def fork(self) -> Self:
        """A builder that goes on from here for a single question: what it adds, units included, is not in the program."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set):
                setattr(other, name, value.copy())
        return other

    # -- hooks of the later parts

    @abstractmethod
    def expr(self, form: Json, scope: Scope) -> Expr:
        """The node of an expression."""

    @abstractmethod
    def can(self, statement: Json, scope: Scope) -> Expr: ...

    @abstractmethod
    def event_unit(self, proc: int) -> Unit: ...

    def inlined(self, statement: Json) -> int:
        """The hidden slots that a call written into its caller needs; -1 if it is not."""
        return -1

    # -- hidden slots

    def hidden_in(self, statement: Json) -> int:
        """How many hidden slots a statement needs."""
        if statement is None:
            return 0
        n = 0
        if not isinstance(statement, list):
            op = statement.get("op", "menu")
            if op == "foreach" or (op == "repeat" and statement.get("times") is not None):
                n = 1
            elif op == "poll":
                n = 2 + self.players
            elif op in ("do", "call"):
                n = max(self.inlined(statement), 0)
        for form in expressions_of(statement):
            n += self.hidden_in_form(form)
        for child in children(statement):
            n += self.hidden_in(child)
        return n

    def hidden_in_form(self, form: Json) -> int:
        """How many hidden slots the statements inside a form need."""
        if isinstance(form, int) or form is None:
            return 0
        n = 0
        for code, part in parts(form):
            if code == "T":
                n += self.hidden_in(part)
            elif code in "eS":
                n += self.hidden_in_form(part)
        return n

    # -- tables

    def flags(self, sort: str, kind: int) -> list[bool]:
        """For each object of a sort, whether it is of the kind."""
        key = (sort, kind)
        found = self.kind_flags.get(key)
        if found is None:
            kinds = self.doc["kinds"]
            inside = [False] * len(kinds)
            for at in range(len(kinds)):
                up = at
                while up >= 0 and up != kind:
                    up = kinds[up].get("is", -1)
                inside[at] = up == kind and kind >= 0
            if sort == "seat":
                found = [True] * self.players
            elif sort == "fixture":
                found = [kind < 0 or (row["kind"] >= 0 and inside[row["kind"]]) for row in self.doc["fixtures"]]
            else:
                defs = self.doc["definitions"]
                per = [kind < 0 or (row["kind"] >= 0 and inside[row["kind"]]) for row in defs]
                found = [per[d] for d in self.tables.piece_def]
            self.kind_flags[key] = found
        return found

    def count(self, sort: str, kind: int) -> int:
        """How many objects of a sort are of the kind."""
        key = (sort, kind)
        found = self.kind_counts.get(key)
        if found is None:
            found = self.kind_counts[key] = sum(self.flags(sort, kind))
        return found

    def addresses(self, column: int) -> list[int]:
        """The addresses of a column, one for each object, then the one for nothing."""
        found = self.cell_tables.get(column)
        if found is None:
            of = self.doc["columns"][column]["of"]
            counts = {"seat": self.players, "fixture": len(self.doc["fixtures"]), "piece": len(self.tables.piece_def)}
            base = self.column_base[column]
            found = self.cell_tables[column] = [*range(base, base + counts[of]), NIL]
        return found

    # -- sizes

    def bounded(self, units: int, form: Json, name: str) -> int:
        """The units of something that is written out, if they are not too many."""
        if units > MAX_SIZE:
            places = self.tables.places
            at = first_place(form)
            where = places[at] if 0 <= at < len(places) else ""
            raise BudgetExceeded(
                f"{name}{f' at {where}' if where else ''} is too large with all that is written out in it: "
                f"more than {MAX_SIZE:,} units of work without a loop",
                "size",
                MAX_SIZE,
                where,
                (name,),
            )
        return units

    def place_of(self, proc: int) -> int:
        """The number of the place of a procedure, or -1."""
        row = self.doc["procs"][proc]
        return int(row["at"]) if row.get("at") is not None else first_place(row.get("body"))

    def place_in(self, proc: int) -> int:
        """The number of a place for what stands in a procedure that runs without a frame: its own, else that of its call; with its name."""
        t = self.tables
        at = self.place_of(proc)
        at = at if at >= 0 else self.place
        t.inside[len(t.places)] = self.doc["procs"][proc]["id"]
        t.places.append(t.places[at] if at >= 0 else "")
        return len(t.places) - 1

    # -- functions and conditions

    def function(self, at: int) -> nodes.Function:
        """A function, built when first used."""
        f = self.functions[at]
        if self.function_state[at] == 1:
            raise ArtefactError(f"functions[{at}:{f.name}]: calls itself")
        if self.function_state[at] == 0:
            self.function_state[at] = 1
            row = self.doc["functions"][at]
            self.bounded(self.sizes.function(at), row["value"], f"the value {row['id']}")
            scope = Scope(row["slots"], self.hidden_in_form(row["value"]))
            f.window = scope.window
            around, self.place = self.place, first_place(row["value"])
            f.value = self.expr(row["value"], scope)
            self.place = around
            self.function_state[at] = 2
        return f

    def form_scope(self, forms: list[Json], least: int, heard: bool) -> Scope:
        """The scope of a condition, which has no window of its own."""
        used = [form for form in forms if form is not None]
        highest = max([max_slot(form) for form in used], default=-1)
        hidden = sum(self.hidden_in_form(form) for form in used)
        scope = Scope(max(highest + 1, least), hidden)
        scope.bearer = True
        if heard:
            scope.add_heard()
        return scope

    def in_ability(self, scope: Scope, what: str) -> None:
        if scope.heard < 0:
            raise ArtefactError(f"{what} stands outside an ability")


def first_place(form: Json) -> int:
    """The first place that a statement or an expression, or one inside it, names, or -1."""
    if isinstance(form, dict):
        if form.get("at") is not None:
            return int(form["at"])
        inside = [*expressions_of(form), *children(form)]
    elif isinstance(form, list) and form and isinstance(form[0], str):
        if form[0] == "at":
            return int(form[1])
        inside = [part for code, part in parts(form) if code in "eST"]
    else:
        inside = form if isinstance(form, list) else []
    for part in inside:
        place = first_place(part)
        if place >= 0:
            return place
    return -1

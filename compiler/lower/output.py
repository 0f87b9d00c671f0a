"""What lowering one unit gives: rows of the artefact's tables, with numbers of the unit's own.

Nothing here depends on what other units made. Rows of other units are named by what the vocabulary fixes (verbs, declared columns,
counters); everything that a unit adds has a number of its own, counted from there, and gets its place in the tables when all units
are linked (`link.py`). The order of the log is the order in which a package lowered as a whole would have made the rows.
"""

from __future__ import annotations

from typing import Any

from grimoire.compiler.declare.model import Expr, Text
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.records import field, record

Row = dict[str, Any]
PlaceKey = tuple[str, int, int, int, int, str]  # file, line, column, end line, end column, source


@record(frozen=True)
class Name:
    """The name of an ability, which is made unique when all units are there; with what stands before and behind it."""

    number: int
    before: str = ""
    after: str = ""


@record()
class Waiting:
    """One ability that waits for a state."""

    made: Row
    condition: Expr
    latch: Expr
    slots: int


@record()
class Guarded:
    """An optional ability, and what must hold to offer it: all of it, and what can be seen without trying."""

    ability: int
    guard: Expr
    cheap: Expr | None


@record()
class Ruling:
    """A definition that carries out a clause: a function that all who use it share. `log` is what it needs itself."""

    key: tuple[str, str, int, int]
    log: list[tuple[str, Any]]
    row: Row


@record()
class LoweredUnit:
    """The result of one unit: plain data that depends on the vocabulary and the unit alone."""

    name: str
    log: list[tuple[str, Any]]  # what has to be numbered, in order; see `Output`
    first_proc: int = 0  # numbers of procedures below it are verbs of the vocabulary
    split: int = 0  # where in the log the abilities of a card begin; what stands before are its texts
    verb: tuple[int, Row] | None = None  # the procedure of a verb, and its number
    lends: bool = False  # a card that only lends its abilities to others
    programs: dict[str, int] = field(default_factory=dict)  # texts of a card: slot -> procedure
    values: dict[int, int] = field(default_factory=dict)  # what is printed on a card: column -> value
    things: dict[str, dict[int, int]] = field(default_factory=dict)  # what is printed on all things: column -> value
    waiting: list[Waiting] = field(default_factory=list)
    guarded: list[Guarded] = field(default_factory=list)
    broken: frozenset[str] = frozenset()  # abilities that no card may have from here: they are reported
    function: int | None = None  # the function of the score, an aim or an invariant
    row: Row | None = None  # of an aim or an invariant, which names functions of this unit
    diagnostics: tuple[Diagnostic, ...] = ()
    failed: bool = False  # a text of a scenario that cannot be used


class Output:
    """Collects what a unit makes.

    The log holds, in order: ("place", key), ("ruling", Ruling), ("function", row), ("texts", slot), ("column", row), ("variable", row),
    ("proc", row), ("ability", row), ("modifier", row), ("floating", (row, condition)), ("name", label). Numbers count each sort by itself, rulings and functions as
    one, text columns and columns as one.
    """

    def __init__(self, verbs: int, columns: int, variables: int) -> None:
        self.log: list[tuple[str, Any]] = []
        self.base = (verbs, columns, variables)
        self.first_proc = verbs
        self.columns = columns
        self.variables = variables
        self.functions = 0
        self.names = 0
        self.places: dict[PlaceKey, int] = {}
        self.text_columns: dict[str, int] = {}
        self.rulings: dict[tuple[str, str, int, int], int] = {}
        self.procs: list[Row] = []
        self.abilities: list[Row] = []
        self.modifiers: list[Row] = []
        self.waiting: list[Waiting] = []
        self.floating = 0
        self.guarded: list[Guarded] = []

    def fresh(self) -> Output:
        """An empty output that counts from the same numbers."""
        return Output(*self.base)

    def place(self, key: PlaceKey) -> int:
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = len(self.places)
            self.log.append(("place", key))
        return found

    def name(self, label: str) -> int:
        self.log.append(("name", label))
        self.names += 1
        return self.names - 1

    def proc(self, row: Row) -> int:
        self.log.append(("proc", row))
        self.procs.append(row)
        return self.first_proc + len(self.procs) - 1

    def ability(self, row: Row) -> int:
        self.log.append(("ability", row))
        self.abilities.append(row)
        return len(self.abilities) - 1

    def modifier(self, row: Row) -> int:
        self.log.append(("modifier", row))
        self.modifiers.append(row)
        return len(self.modifiers) - 1

    def floating_state(self, row: Row, condition: Expr) -> int:
        """An ability inside an effect that waits for a state: a negative number stands for its rows."""
        self.log.append(("floating", (row, condition)))
        self.floating += 1
        return -self.floating

    def function(self, row: Row) -> int:
        self.log.append(("function", row))
        self.functions += 1
        return self.functions - 1

    def ruling(self, ruling: Ruling) -> int:
        found = self.rulings.get(ruling.key)
        if found is None:
            self.log.append(("ruling", ruling))
            found = self.rulings[ruling.key] = self.functions
            self.functions += 1
        return found

    def text_column(self, slot: str) -> int:
        """The column that says how many texts a piece has in a slot."""
        found = self.text_columns.get(slot)
        if found is None:
            self.log.append(("texts", slot))
            found = self.text_columns[slot] = self.columns
            self.columns += 1
        return found

    def column(self, row: Row) -> int:
        self.log.append(("column", row))
        self.columns += 1
        return self.columns - 1

    def variable(self, row: Row) -> int:
        self.log.append(("variable", row))
        self.variables += 1
        return self.variables - 1

    def adopt(self, scratch: Output) -> None:
        """Take over from a trial what stays: places, rulings and columns, none of its rows."""
        for sort, item in scratch.log:
            if sort == "place":
                self.place(item)
            elif sort == "ruling":
                self.ruling(item)
            elif sort == "texts":
                self.text_column(item)
            elif sort == "column":
                self.column(item)


def ruling_key(text: Text) -> tuple[str, str, int, int]:
    return text.owner, text.file, text.scalar.line, text.scalar.column

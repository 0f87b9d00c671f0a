"""What lowering one unit gives: rows of the artefact's tables, with numbers of the unit's own.

Nothing here depends on what other units made. Rows of other units are named by what the vocabulary fixes (verbs,
declared columns, counters); everything that a unit adds has a number of its own, counted from there, and gets its place
in the tables when all units are linked (`link.py`). The order of the log is the order in which a package lowered as a
whole would have made the rows.
"""

from __future__ import annotations

from typing import TypeAlias

from grimoire.compiler.declare.model import Text
from grimoire.compiler.diagnostics.report import Diagnostic, Span
from grimoire.compiler.lower.told import Premise, Told
from grimoire.compiler.records import field, record
from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.tables import Ability, Aim, Column, Function, Invariant, Modifier, ProcedureOf, VariableOf

PlaceKey = tuple[str, int, int, int, int, str]  # file, line, column, end line, end column, source
RulingKey = tuple[str, str, int, int]


# ------------------------------------------------------------ what has to be numbered


@record()
class NewName:
    """The name of an ability, which is made unique when all units are there."""

    label: str


@record()
class NewProcedure:
    """A procedure. `name`: the number of the name that stands in its id and its label for `*`; none: they are as they
    stand."""

    row: ProcedureOf
    name: int | None = None


@record()
class NewAbility:
    """An ability. `name`: the number of its id; `labelled`: and of its label; none: they are as they stand."""

    row: Ability
    name: int | None = None
    labelled: bool = False


@record()
class NewModifier:
    row: Modifier


@record()
class NewTextColumn:
    """The number, printed on every card, of its texts in a slot."""

    slot: str


@record()
class Floating:
    """An ability inside an effect that waits for a state: it gets one row for each event that may change it."""

    ability: NewAbility
    condition: Expression


@record()
class Ruling:
    """A definition that carries out a clause: a function that all who use it share. `log` is what it needs itself."""

    key: RulingKey
    log: list[Entry]
    row: Function


Entry: TypeAlias = (
    PlaceKey
    | NewName
    | NewProcedure
    | NewAbility
    | NewModifier
    | NewTextColumn
    | Floating
    | Ruling
    | Function
    | Column
    | VariableOf
)


# ------------------------------------------------------------ a unit


@record()
class Waiting:
    """One ability that waits for a state."""

    ability: NewAbility
    condition: Expression
    latch: Expression
    slots: int


@record()
class Guarded:
    """An optional ability, and what must hold to offer it: all of it, and what can be seen without trying."""

    ability: int
    guard: Expression
    cheap: Expression | None


@record(frozen=True)
class Reading:
    """A value that a condition of a scenario reads. `form`: is (it is 3), there (there are 3), not (those of which it
    is not true)."""

    form: str
    text: str
    sort: str
    many: bool = False
    optional: bool = False


@record()
class LoweredUnit:
    """The result of one unit: plain data that depends on the vocabulary and the unit alone."""

    name: str
    log: list[Entry]  # what has to be numbered, in order
    first_proc: int = 0  # numbers of procedures below it are verbs of the vocabulary
    split: int = 0  # where in the log the abilities of a card begin; what stands before are its texts
    verb: tuple[int, ProcedureOf] | None = None  # the procedure of a verb, and its number
    lends: bool = False  # a card that only lends its abilities to others
    programs: dict[str, int] = field(default_factory=dict)  # texts of a card: slot -> procedure
    values: dict[int, int] = field(default_factory=dict)  # what is printed on a card: column -> value
    things: dict[str, dict[int, int]] = field(default_factory=dict)  # what is printed on all things: column -> value
    waiting: list[Waiting] = field(default_factory=list)
    guarded: list[Guarded] = field(default_factory=list)
    broken: frozenset[str] = frozenset()  # abilities that no card may have from here: they are reported
    function: int | None = None  # the function of the score
    readings: tuple[Reading, ...] = ()  # what the condition of a scenario reads
    aim: Aim | None = None
    invariant: Invariant | None = None
    told: Told = Told()
    premises: frozenset[tuple[Premise, Span]] = frozenset()  # what its texts take for possible, and where
    diagnostics: tuple[Diagnostic, ...] = ()
    failed: bool = False  # a text of a scenario that cannot be used

    def procedures(self) -> list[ProcedureOf]:
        """All procedures of the unit, that of a verb included."""
        own = [entry.row for entry in self.log if isinstance(entry, NewProcedure)]
        return own if self.verb is None else [*own, self.verb[1]]


class Output:
    """Collects what a unit makes. Every sort of row is numbered by itself; rulings and functions are one sort, and so
    are columns."""

    def __init__(self, verbs: int, columns: int, variables: int) -> None:
        self.log: list[Entry] = []
        self.base = (verbs, columns, variables)
        self.first_proc = verbs
        self.columns = columns
        self.variables = variables
        self.functions = 0
        self.names = 0
        self.floating = 0
        self.places: dict[PlaceKey, int] = {}
        self.text_columns: dict[str, int] = {}
        self.rulings: dict[RulingKey, int] = {}
        self.procs: list[ProcedureOf] = []
        self.abilities: list[NewAbility] = []
        self.modifiers: list[NewModifier] = []
        self.waiting: list[Waiting] = []
        self.guarded: list[Guarded] = []

    def fresh(self) -> Output:
        """An empty output that counts from the same numbers."""
        return Output(*self.base)

    def place(self, key: PlaceKey) -> int:
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = len(self.places)
            self.log.append(key)
        return found

    def name(self, label: str) -> int:
        self.log.append(NewName(label))
        self.names += 1
        return self.names - 1

    def proc(self, row: ProcedureOf, name: int | None = None) -> int:
        self.log.append(NewProcedure(row, name))
        self.procs.append(row)
        return self.first_proc + len(self.procs) - 1

    def ability(self, made: NewAbility) -> int:
        self.log.append(made)
        self.abilities.append(made)
        return len(self.abilities) - 1

    def modifier(self, row: Modifier) -> int:
        self.modifiers.append(NewModifier(row))
        self.log.append(self.modifiers[-1])
        return len(self.modifiers) - 1

    def add_floating_state(self, ability: NewAbility, condition: Expression) -> int:
        """An ability inside an effect that waits for a state: a negative number stands for its rows."""
        self.log.append(Floating(ability, condition))
        self.floating += 1
        return -self.floating

    def function(self, row: Function) -> int:
        self.log.append(row)
        self.functions += 1
        return self.functions - 1

    def number_ruling(self, ruling: Ruling) -> int:
        found = self.rulings.get(ruling.key)
        if found is None:
            self.log.append(ruling)
            found = self.rulings[ruling.key] = self.functions
            self.functions += 1
        return found

    def text_column(self, slot: str) -> int:
        """The column that says how many texts a piece has in a slot."""
        found = self.text_columns.get(slot)
        if found is None:
            self.log.append(NewTextColumn(slot))
            found = self.text_columns[slot] = self.columns
            self.columns += 1
        return found

    def column(self, row: Column) -> int:
        self.log.append(row)
        self.columns += 1
        return self.columns - 1

    def variable(self, row: VariableOf) -> int:
        self.log.append(row)
        self.variables += 1
        return self.variables - 1

    def adopt(self, scratch: Output) -> None:
        """Take over from a trial what stays: places, rulings and columns, none of its rows."""
        for entry in scratch.log:
            if isinstance(entry, tuple):
                self.place(entry)
            elif isinstance(entry, Ruling):
                self.number_ruling(entry)
            elif isinstance(entry, NewTextColumn):
                self.text_column(entry.slot)
            elif isinstance(entry, Column):
                self.column(entry)


def ruling_key(text: Text) -> RulingKey:
    return text.owner, text.file, text.scalar.line, text.scalar.column

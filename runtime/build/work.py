"""How much work a form is: units that one evaluation of an expression, one run of a statement takes, worked out while building.

Lists whose length is known to be small count with what lies around them. What can be long, and what is called, is not in the figure: the
kernel charges it when it runs, each element or call with the figure of what is done with it. So the figure of a form bounds what
one run of it costs between two charges.
"""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.calls import Calls
from grimoire.runtime.build.layout import Layout
from grimoire.runtime.build.references import called_by
from grimoire.runtime.core.analysis import Form, body_of, forms_in, forms_of, statements_in, told_alike
from grimoire.runtime.core.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    CallFunction,
    CanCarryOut,
    CountOf,
    FirstOf,
    IsAllowed,
    Number,
    SetArithmetic,
    SetOf,
    SetWith,
)
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.selectors import (
    Best,
    Concatenation,
    Except,
    Filter,
    FixturesOfKind,
    Lone,
    Members,
    PiecesOfKind,
    Range,
    Related,
    SeatsFrom,
    Take,
    TopPieces,
)
from grimoire.runtime.core.statements import (
    Call,
    Choose,
    Domain,
    ForEach,
    Grant,
    Menu,
    Move,
    Pay,
    Poll,
    Propose,
    Repeat,
)
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.limits import EVENT, EXACT, GRANT, LISTENER, MAX_RANGE, MOVE, OPTION, SMALL, STEP, TRY, WORD

MOST: Final = 10**12  # figures go no further: what is written out again and again doubles


class Sizes:
    """The figures of one program."""

    def __init__(self, artefact: Artefact, layout: Layout, calls: Calls) -> None:
        self.artefact = artefact
        self.layout = layout
        self.calls = calls
        self.players = layout.players
        self.pieces = 0  # in the whole game
        self.mask = 1  # units of an operation on sets
        self._functions: dict[int, int] = {}
        self._procs: dict[int, int] = {}
        self._columns: dict[int, int] = {}
        self._longest: dict[int, int] = {}  # list of each relation
        # What was worked out while building, by identity; the form is kept with it, so that its identity stays its own.
        self._known: dict[int, tuple[Form, int]] = {}

    def count_pieces(self, pieces: int) -> None:
        """Say how many pieces the game has."""
        self.pieces = pieces
        self.mask = 1 + (max(pieces, len(self.artefact.fixtures)) >> WORD)

    def forget(self) -> None:
        """Let go of what was remembered for single forms."""
        self._known.clear()

    # -- expressions

    def form(self, form: Form) -> int:
        """Units of one evaluation of an expression; of a selector: if nothing is done with its elements."""
        known = self._known.get(id(form))
        if known is not None:
            return known[1]
        units = min(self._form(form), MOST)
        self._known[id(form)] = (form, units)
        return units

    def _form(self, form: Form) -> int:
        if isinstance(form, SetOf | CountOf | AnyOf | FirstOf):
            return 1 + self.select(form.selector, self.mask if isinstance(form, SetOf) else 0)
        if isinstance(form, AllOf):
            return 1 + self.select(form.selector, 2 + self.form(form.condition))
        if isinstance(form, Aggregate):
            return 1 + self.select(form.selector, 2 + self.form(form.value))
        if isinstance(form, CanCarryOut):
            return 1 + TRY + self.statement(form.statement)
        units = 1
        if isinstance(form, SetWith | SetArithmetic | Members):
            units = self.mask
        elif isinstance(form, CallFunction):
            units = 3 + self.function(form.function)
        elif isinstance(form, IsAllowed):
            units = 3
        for part in forms_in(form):
            units += self.form(part) if isinstance(part, Expression) else self.select(part, 0)
        return units

    def function(self, at: int) -> int:
        """Units of the value of a function."""
        known = self._functions.get(at)
        if known is None:
            self._functions[at] = 0  # while it is worked out; one that calls itself is refused elsewhere
            known = self._functions[at] = self.form(self.artefact.functions[at].value)
        return known

    def modifiers(self, column: int) -> int:
        """Units of the heaviest modifier of a column."""
        known = self._columns.get(column)
        if known is None:
            self._columns[column] = LISTENER  # modifiers may read the column again: they pay for it themselves
            heaviest = 0
            for row in self.artefact.modifiers:
                if row.col == column:
                    parts = [part for part in (row.cond, row.add, row.set) if part is not None]
                    heaviest = max(heaviest, sum([self.form(part) for part in parts]))
            known = self._columns[column] = LISTENER + heaviest
        return known

    # -- selectors

    def select(self, form: Selector, units: int) -> int:
        """Units of a selector with each of whose elements something of so many units is done, as far as it is not charged as it runs."""
        if isinstance(form, Filter):
            return 1 + self.select(form.selector, units + 1 + self.form(form.condition))
        if isinstance(form, Best):
            return 1 + self.select(form.selector, units + 2 + self.form(form.key))
        if isinstance(form, Except):
            return 1 + self.select(form.selector, units + 1) + self.form(form.but)
        if isinstance(form, Take):
            return 1 + self.select(form.selector, units) + self.form(form.number)
        if isinstance(form, Concatenation):
            return min(1 + sum([self.select(part, units + 2) for part in form.lists]), MOST)
        total = 1
        for part in forms_in(form):
            total += self.form(part)
        uncharged = self.uncharged(form, units)
        return min(total + max(uncharged, 0), MOST)

    def each(self, form: Selector, units: int) -> int:
        """Units of one element of a list that does not come from another list, making it included."""
        if isinstance(form, PiecesOfKind):
            return units + 2
        if isinstance(form, Members):
            return units + 1 + self.mask
        return units + 1 if isinstance(form, Range | TopPieces) else units

    def charged(self, form: Selector, units: int) -> bool:
        """Whether such a list is charged as it runs: it could cost much."""
        return self.uncharged(form, units) < 0

    def uncharged(self, form: Selector, units: int) -> int:
        """Units of all elements of such a list; -1 if they could be many, so that it is charged as it runs."""
        most = SMALL if not isinstance(form, FixturesOfKind | SeatsFrom | Related | Lone) else EXACT
        total = self.bound(form) * self.each(form, units)
        return total if total <= most else -1

    def bound(self, form: Selector) -> int:
        """The most elements of such a list."""
        if isinstance(form, PiecesOfKind):
            return self.layout.count("piece", form.kind)
        if isinstance(form, FixturesOfKind):
            return self.layout.count("fixture", form.kind)
        if isinstance(form, SeatsFrom):
            return self.players
        if isinstance(form, Related):
            return self._longest_list(form.relation)
        if isinstance(form, Members):
            if form.sort == "seat":
                return self.players
            if form.sort == "fixture":
                return len(self.artefact.fixtures)
            return max(self.pieces, MAX_RANGE if form.sort == "number" else 0)
        if isinstance(form, Range):
            if isinstance(form.low, Number) and isinstance(form.high, Number):
                return max(0, form.high.value - form.low.value + 1)
            return MAX_RANGE
        return 1 if isinstance(form, Lone) else self.pieces

    def _longest_list(self, relation: int) -> int:
        known = self._longest.get(relation)
        if known is None:
            known = max([len(row) for row in self.artefact.relations[relation].table], default=0)
            self._longest[relation] = known
        return known

    # -- statements

    def statement(self, statement: Statement | None) -> int:
        """Units of one run of a statement, as far as it is not charged as it runs."""
        total = 0
        for part in body_of(statement):
            total += self._one(part)
        return min(total, MOST)

    def _one(self, s: Statement) -> int:
        if isinstance(s, ForEach):
            return STEP + self.select(s.in_, 2 + self.statement(s.body))
        total = STEP + MOVE if isinstance(s, Move) else STEP
        for form in forms_of(s):
            total += self.form(form)
        if isinstance(s, Menu | Poll | Choose):
            return total + self.asking(s) + max([self.statement(child) for child in statements_in(s)], default=0)
        if isinstance(s, Repeat):
            return total  # every round is charged
        if isinstance(s, Propose | Call):
            proc = called_by(s)
            total += self.event(proc) if isinstance(s, Propose) else 0
            return total + (self.proc(proc) if self.calls.inlined(s) >= 0 else 0)
        if isinstance(s, Grant):
            return total + GRANT * (len(s.abilities) + len(s.modifiers))
        if isinstance(s, Pay):
            either = max(self.statement(s.then), self.statement(s.else_))
            return total + TRY + self.statement(s.cost) + either
        return total + max([self.statement(child) for child in statements_in(s)], default=0)

    def asking(self, s: Menu | Poll | Choose) -> int:
        """Units of deriving the options of a question, as far as it is not charged as it runs."""
        if isinstance(s, Choose):
            return self.select(s.in_, OPTION) + (0 if s.constraint is None else self.form(s.constraint))
        menu = s.menu if isinstance(s, Poll) else s
        total = STEP
        for entry in menu.entries:
            total += OPTION if entry.guard is None else OPTION + self.form(entry.guard)
            if entry.domains:
                total += self.select(entry.domains[0].in_, self.option(entry.domains, 0))
        return total

    def option(self, domains: tuple[Domain, ...], depth: int) -> int:
        """Units of one element of a domain of a menu: an option, and what the domains behind it are."""
        if depth == len(domains) - 1:
            return OPTION
        return min(OPTION + self.select(domains[depth + 1].in_, self.option(domains, depth + 1)), MOST)

    def proc(self, proc: int) -> int:
        """Units of the body of a procedure."""
        known = self._procs.get(proc)
        if known is None:
            self._procs[proc] = 0  # one that comes back to itself is not written out
            known = self._procs[proc] = STEP + self.statement(self.calls.references.procs[proc].body)
        return known

    def event(self, proc: int) -> int:
        """Units of an event besides its body: the log keeps it, for every seat if it names what not all may know."""
        row = self.artefact.procs[proc]
        readers = 1 if told_alike(row) else self.players + 1
        return EVENT * (5 + readers * (1 + row.params))

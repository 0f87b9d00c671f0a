"""How much work a form is: units that one evaluation of an expression, one run of a statement takes, worked out while
building.

Lists whose length is known to be small count with what lies around them. What can be long, and what is called, is not
in the figure: the kernel charges it when it runs, each element or call with the figure of what is done with it. So the
figure of a form bounds what one run of it costs between two charges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimoire.runtime.build.calls import Calls
from grimoire.runtime.build.layout import Layout
from grimoire.runtime.core.analysis import body_of, forms_of, is_leaf, is_told_alike, statements_in
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
from grimoire.runtime.core.records import FORMS, Expression, Selector, Statement
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
from grimoire.runtime.core.walk import children
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
        self._events: dict[int, int] = {}
        self._longest: dict[int, int] = {}  # list of each relation
        # What was worked out while building, by identity; the form is kept with it, so that its identity stays its own.
        self._known: dict[int, tuple[Expression, int]] = {}

    def count_pieces(self, pieces: int) -> None:
        """Say how many pieces the game has."""
        self.pieces = pieces
        self.mask = 1 + (max(pieces, len(self.artefact.fixtures)) >> WORD)

    def forget(self) -> None:
        """Let go of what was remembered for single forms."""
        self._known.clear()

    # -- expressions

    def form(self, form: Expression) -> int:
        """Units of one evaluation of an expression."""
        kind = type(form)
        if kind in _LEAVES:
            return 1
        special = _SPECIAL.get(kind)
        if special is None:
            units = 1
            for part in children(form):
                units += self.form(part)
            return min(units, MOST)
        known = self._known.get(id(form))
        if known is None:
            known = self._known[id(form)] = (form, min(special(self, form), MOST))
        return known[1]

    def _parts(self, form: Expression) -> int:
        units = 0
        for part in children(form):
            units += self.form(part)
        return units

    def _selected(self, form: CountOf | AnyOf | FirstOf) -> int:
        return 1 + self.select(form.selector, 0)

    def _set(self, form: SetOf) -> int:
        return 1 + self.select(form.selector, self.mask)

    def _all(self, form: AllOf) -> int:
        return 1 + self.select(form.selector, 2 + self.form(form.condition))

    def _aggregate(self, form: Aggregate) -> int:
        return 1 + self.select(form.selector, 2 + self.form(form.value))

    def _can(self, form: CanCarryOut) -> int:
        return 1 + TRY + self.statement(form.statement)

    def _masked(self, form: SetWith | SetArithmetic) -> int:
        return self.mask + self._parts(form)

    def _call(self, form: CallFunction) -> int:
        return 3 + self.function(form.function) + self._parts(form)

    def _allowed(self, form: IsAllowed) -> int:
        return 3 + self._parts(form)

    def measure_list(self, form: Selector) -> int:
        """Units of a selector beside the work of what stands around it, nothing done with its elements."""
        units = self.mask if type(form) is Members else 1
        for part in children(form):
            units += self.form(part) if isinstance(part, Expression) else self.select(part, 0)
        return min(units, MOST)

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
        """Units of a selector with each of whose elements something of so many units is done, as far as it is not
        charged as it runs."""
        if type(form) is Filter:
            return 1 + self.select(form.selector, units + 1 + self.form(form.condition))
        if type(form) is Best:
            return 1 + self.select(form.selector, units + 2 + self.form(form.key))
        if type(form) is Except:
            return 1 + self.select(form.selector, units + 1) + self.form(form.but)
        if type(form) is Take:
            return 1 + self.select(form.selector, units) + self.form(form.number)
        if type(form) is Concatenation:
            return min(1 + sum([self.select(part, units + 2) for part in form.lists]), MOST)
        total = 1
        for part in children(form):
            total += self.form(part)
        each, most = self.each(form, units), self.bound_elements(form)
        if each * most <= _most_uncharged(form):
            total += each * most
        return min(total, MOST)

    def each(self, form: Selector, units: int) -> int:
        """Units of one element of a list that does not come from another list, making it included."""
        if type(form) is PiecesOfKind:
            return units + 2
        if type(form) is Members:
            return units + 1 + self.mask
        return units + 1 if type(form) is Range or type(form) is TopPieces else units

    def charge(self, form: Selector, units: int) -> int:
        """What each element of such a list is charged as it runs, if it could cost much; else 0."""
        each = self.each(form, units)
        return each if each * self.bound_elements(form) > _most_uncharged(form) else 0

    def bound_elements(self, form: Selector) -> int:
        """The most elements of such a list."""
        if type(form) is PiecesOfKind:
            return self.layout.count("piece", form.kind)
        if type(form) is FixturesOfKind:
            return self.layout.count("fixture", form.kind)
        if type(form) is SeatsFrom:
            return self.players
        if type(form) is Related:
            return self._longest_list(form.relation)
        if type(form) is Members:
            if form.sort == "seat":
                return self.players
            if form.sort == "fixture":
                return len(self.artefact.fixtures)
            return max(self.pieces, MAX_RANGE if form.sort == "number" else 0)
        if type(form) is Range:
            if type(form.low) is Number and type(form.high) is Number:
                return max(0, form.high.value - form.low.value + 1)
            return MAX_RANGE
        return 1 if type(form) is Lone else self.pieces

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
        if type(s) is ForEach:
            return STEP + self.select(s.in_, 2 + self.statement(s.body))
        total = STEP + MOVE if type(s) is Move else STEP
        for form in forms_of(s):
            total += self.form(form) if isinstance(form, Expression) else self.measure_list(form)
        if type(s) is Propose:
            total += self.event(s.verb)
            return total + (self.proc(s.verb) if self.calls.count_inlined_slots(s) >= 0 else 0)
        if type(s) is Call:
            return total + (self.proc(s.proc) if self.calls.count_inlined_slots(s) >= 0 else 0)
        if type(s) is Repeat:
            return total  # every round is charged
        if type(s) is Grant:
            return total + GRANT * (len(s.abilities) + len(s.modifiers))
        if type(s) is Pay:
            either = max(self.statement(s.then), self.statement(s.else_))
            return total + TRY + self.statement(s.cost) + either
        if type(s) is Menu or type(s) is Poll or type(s) is Choose:
            total += self.measure_question(s)
        inside = statements_in(s)
        return total + max([self.statement(child) for child in inside]) if inside else total

    def measure_question(self, s: Menu | Poll | Choose) -> int:
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
        known = self._events.get(proc)
        if known is None:
            row = self.artefact.procs[proc]
            readers = 1 if is_told_alike(row) else self.players + 1
            known = self._events[proc] = EVENT * (5 + readers * (1 + row.params))
        return known


def _most_uncharged(form: Selector) -> int:
    """How many units all elements of a list may take that is not charged as it runs; of some, the number is known."""
    return EXACT if type(form) in _COUNTED else SMALL


_COUNTED: Final = frozenset((FixturesOfKind, SeatsFrom, Related, Lone))
_LEAVES: Final = frozenset(form.record for form in FORMS[Expression].values() if is_leaf(form.record))
_SPECIAL: Final[dict[type[Expression], Callable[..., int]]] = {
    SetOf: Sizes._set,
    CountOf: Sizes._selected,
    AnyOf: Sizes._selected,
    FirstOf: Sizes._selected,
    AllOf: Sizes._all,
    Aggregate: Sizes._aggregate,
    CanCarryOut: Sizes._can,
    SetWith: Sizes._masked,
    SetArithmetic: Sizes._masked,
    CallFunction: Sizes._call,
    IsAllowed: Sizes._allowed,
}

"""Find numbers that are read though nothing may stand there, in the rows of one lowered unit.

In: a unit, and which fields and counters may hold nothing. Out: diagnostics. A read is guarded by what was asked
before it: `if the price of it is not nothing`, the first half of an `and`, a filter, the `only` of an ability, a line
above that leaves. Nothing stands in the core as -1; that it is compared with that number is how it is asked for.
"""

from __future__ import annotations

import re

from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.lower.output import LoweredUnit, NewAbility, NewModifier, PlaceKey
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import strip
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.tables import Function
from grimoire.runtime.core.walk import children, walk

Facts = frozenset[tuple[int, Expression]]  # columns, and of what they surely hold a number; of a counter ITSELF

_NOBODY = ex.Number(-1)
_LEAVES = (st.Stop, st.Again, st.Return, st.Leave, st.EndGame)
_SUMS = ("sum", "maxof", "minof")


def tell_absent(unit: LoweredUnit, vocabulary: Vocabulary, diags: Diagnostics) -> None:
    """Report every read of a number that may be absent where a number is needed."""
    reads = AbsentReads(unit, vocabulary, diags)
    if not reads.columns and not reads.variables:
        return
    reads.look_at_unit(unit)


class AbsentReads:
    """One look at a unit."""

    def __init__(self, unit: LoweredUnit, vocabulary: Vocabulary, diags: Diagnostics) -> None:
        self.columns = vocabulary.absent_columns
        self.variables = vocabulary.absent_counters
        self.vocabulary = vocabulary
        self.diags = diags
        self.places: list[PlaceKey] = [entry for entry in unit.log if isinstance(entry, tuple)]
        self.place = -1
        self.told: set[tuple[int, str]] = set()

    def look_at_unit(self, unit: LoweredUnit) -> None:
        procs = dict(enumerate(unit.procedures(), unit.first_proc))
        if unit.verb is not None:
            procs[unit.verb[0]] = procs.pop(unit.first_proc + len(procs) - 1)
        known: dict[int, Facts] = {}
        for entry in unit.log:
            if isinstance(entry, NewAbility):
                row = entry.row
                for value in (row.cond, row.asks):
                    if value is not None:
                        self.look(value, frozenset())
                known[row.proc] = frozenset() if row.cond is None else self.learn(row.cond, True)
            elif isinstance(entry, NewModifier):
                facts = frozenset[tuple[int, Expression]]()
                if entry.row.cond is not None:
                    self.look(entry.row.cond, facts)
                    facts = self.learn(entry.row.cond, True)
                for value in (entry.row.add, entry.row.set):
                    if value is not None:
                        self.need(value, facts)
            elif isinstance(entry, Function):
                self.look(entry.value, frozenset())
        for number, proc in procs.items():
            if proc.body is not None:
                self.carry_out(proc.body, known.get(number, frozenset()))

    # ------------------------------------------------------------ what is known

    def find_read(self, value: Expression) -> tuple[int, Expression] | None:
        """Which column of what, or which counter, is read, if it may hold nothing."""
        value = strip(value)
        if isinstance(value, ex.ReadColumn | ex.ReadModified) and value.column in self.columns:
            return value.column, strip(value.of)
        if isinstance(value, ex.ReadVariable) and value.variable in self.variables:
            return -1 - value.variable, _NOBODY
        return None

    def learn(self, cond: Expression, holds: bool) -> Facts:
        """What surely is there where a condition holds, or does not."""
        match strip(cond):
            case ex.Not(inner):
                return self.learn(inner, not holds)
            case ex.And(parts) if holds:
                return frozenset().union(*(self.learn(part, True) for part in parts))
            case ex.Or(parts) if not holds:
                return frozenset().union(*(self.learn(part, False) for part in parts))
            case ex.Comparison(op, left, right) if op == ("!=" if holds else "=="):
                for one, other in ((left, right), (right, left)):
                    read = self.find_read(one)
                    if read is not None and strip(other) == _NOBODY:
                        return frozenset([read])
        return frozenset()

    def learn_of(self, selector: Selector, slot: int) -> Facts:
        """What surely is there for each element of a selection, which stands in a slot."""
        if isinstance(selector, se.Filter):
            facts = self.learn(selector.condition, True) if strip(selector.condition) else frozenset()
            own = ex.Slot(selector.element)
            moved = frozenset((column, ex.Slot(slot) if of == own else of) for column, of in facts)
            return moved | self.learn_of(selector.selector, slot)
        if isinstance(selector, se.Best | se.Take | se.Except):
            return self.learn_of(selector.selector, slot)
        return frozenset()

    # ------------------------------------------------------------ what is needed

    def need(self, value: Expression, facts: Facts) -> None:
        """A number is needed here."""
        if isinstance(value, ex.Placed):
            self.place = value.place
            self.need(value.value, facts)
            return
        if isinstance(value, ex.Conditional):
            self.look(value.condition, facts)
            self.need(value.then, facts | self.learn(value.condition, True))
            self.need(value.otherwise, facts | self.learn(value.condition, False))
            return
        read = self.find_read(value)
        if read is not None and read not in facts:
            self.tell(read)
        self.look(value, facts)

    def look(self, value: Expression, facts: Facts) -> None:
        """A value is worked out; whether a number is needed, its form says."""
        match value:
            case ex.Placed(place, inner):
                self.place = place
                self.look(inner, facts)
            case ex.And(parts) | ex.Or(parts):
                for part in parts:
                    self.look(part, facts)
                    facts |= self.learn(part, isinstance(value, ex.And))
            case ex.Comparison(op, left, right):
                self.compare(op, left, right, facts)
            case ex.Arithmetic(_, left, right):
                self.need(left, facts)
                self.need(right, facts)
            case ex.Conditional(condition, then, otherwise):
                self.look(condition, facts)
                self.look(then, facts | self.learn(condition, True))
                self.look(otherwise, facts | self.learn(condition, False))
            case ex.Aggregate(op, selector, slot, inner):
                self.select(selector, facts)
                work = self.need if op in _SUMS else self.look
                work(inner, facts | self.learn_of(selector, slot))
            case ex.AllOf(selector, slot, condition):
                self.select(selector, facts)
                self.look(condition, facts | self.learn_of(selector, slot))
            case _:
                self.look_inside(value, facts)

    def compare(self, op: str, left: Expression, right: Expression, facts: Facts) -> None:
        """Nothing is less than no number and more than none; that it is none of 0, 1, 2 .. is right."""
        for one, other in ((left, right), (right, left)):
            known = strip(other)
            plain = op in ("==", "!=") and (
                (isinstance(known, ex.Number) and known.value >= -1) or self.find_read(other) is not None
            )
            if plain:
                self.look(one, facts)
            else:
                self.need(one, facts)

    def select(self, selector: Selector, facts: Facts) -> None:
        match selector:
            case se.Filter(inner, slot, condition):
                self.select(inner, facts)
                self.look(condition, facts | self.learn_of(inner, slot))
            case se.Best(_, inner, slot, key):
                self.select(inner, facts)
                self.need(key, facts | self.learn_of(inner, slot))
            case se.Take(number, inner):
                self.need(number, facts)
                self.select(inner, facts)
            case _:
                self.look_inside(selector, facts)

    def look_inside(self, record: object, facts: Facts) -> None:
        for part in children(record):
            if isinstance(part, Selector):
                self.select(part, facts)
            elif isinstance(part, Statement):
                self.carry_out(part, facts)
            elif isinstance(part, Expression):
                self.look(part, facts)
            else:
                self.look_inside(part, facts)

    # ------------------------------------------------------------ statements

    def carry_out(self, statement: Statement, facts: Facts) -> None:
        if statement.at is not None:
            self.place = statement.at
        match statement:
            case st.Sequence():
                for part in statement.body:
                    self.carry_out(part, facts)
                    if isinstance(part, st.If) and part.else_ is None and _always_leaves(part.then):
                        facts |= self.learn(part.cond, False)
            case st.If():
                self.look(statement.cond, facts)
                self.carry_out(statement.then, facts | self.learn(statement.cond, True))
                if statement.else_ is not None:
                    self.carry_out(statement.else_, facts | self.learn(statement.cond, False))
            case st.ForEach():
                self.select(statement.in_, facts)
                self.carry_out(statement.body, facts | self.learn_of(statement.in_, statement.slot))
            case st.Repeat():
                if statement.times is not None:
                    self.need(statement.times, facts)
                self.carry_out(statement.body, facts)
            case st.SetVariable():
                work = self.look if statement.var in self.variables else self.need
                work(statement.value, facts)
            case st.SetColumn():
                self.look(statement.of, facts)
                work = self.look if statement.col in self.columns else self.need
                work(statement.value, facts)
            case st.Propose() | st.Call():
                self.give(statement, facts)
            case st.Menu():
                for entry in statement.entries:
                    inner = facts
                    if entry.guard is not None:
                        self.look(entry.guard, facts)
                        inner = facts | self.learn(entry.guard, True)
                    for domain in entry.domains:
                        self.select(domain.in_, inner)
                    if entry.body is not None:
                        self.carry_out(entry.body, inner)
                if statement.otherwise is not None:
                    self.carry_out(statement.otherwise, facts)
            case _:
                self.look_inside(statement, facts)

    def give(self, statement: st.Propose | st.Call, facts: Facts) -> None:
        """What a verb or a procedure is given: a number, unless it may be left out."""
        number = statement.verb if isinstance(statement, st.Propose) else statement.proc
        verb = self.vocabulary.numbered.get(number)
        params = [] if verb is None else verb.params
        self.look(statement.you, facts)
        for at, value in enumerate(statement.args):
            wants = at < len(params) and params[at].type.sort == "number" and not params[at].type.many
            work = self.need if wants and not params[at].type.optional and not params[at].optional else self.look
            work(value, facts)

    # ------------------------------------------------------------ telling

    def tell(self, read: tuple[int, Expression]) -> None:
        column = read[0]
        word, said = self.columns[column] if column >= 0 else self.variables[-1 - column]
        if not 0 <= self.place < len(self.places) or (self.place, word) in self.told:
            return
        self.told.add((self.place, word))
        file, line, start, end_line, end, source = self.places[self.place]
        span = Span(file, line, start, end_line, end)
        found = [one.start() for one in re.finditer(rf"(?<![\w-]){re.escape(word)}(?![\w-])", source)]
        if found and line == end_line and len(source) == end - start:
            span = Span(file, line, start + found[-1], line, start + found[-1] + len(word))
        self.diags.add("G0730", span, f"{said} may be nothing here, which is no number", _HINT)


_HINT = "ask first whether it is not nothing: if .. is not nothing, ..; or declare what it is where nothing stands"


def _always_leaves(statement: Statement) -> bool:
    """Whether nothing that follows a statement is reached from it."""
    if isinstance(statement, st.Sequence):
        return any(_always_leaves(part) for part in statement.body)
    return isinstance(statement, _LEAVES) and not any(isinstance(part, st.If) for part in walk(statement))

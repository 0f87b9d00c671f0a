"""Whether something can begin: its verb is allowed, its restriction holds, what it must choose or take first is there.

One rule for `may`, `either` and optional abilities. While a unit is lowered, what its own statements need is read off
them; what a verb or the text of a card needs first stands elsewhere: `CanBegin` stays there until all is linked. Then
each verb of which that can be said gets a function, `Beginnings`. What stands before `to` is always looked at in full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from grimoire.compiler.lower.forms import NOTHING, ONE, ZERO, both
from grimoire.compiler.lower.tidy import replace_slot
from grimoire.compiler.lower.values import MAX_NUMBER
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import free_slots, list_written_slots
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.tables import Ability, Function, ProcedureOf
from grimoire.runtime.core.walk import Finder, rewrite, walk

F = TypeVar("F", bound=Expression | Statement)
# What a call, an event, a text or a change of a number needs to begin; `alone`: nothing else is done with it.
Elsewhere = Callable[[Statement, bool], Expression | None]


class CanBegin(ex.CanCarryOut):
    """Whether a call, an event, a text of a card or a change of a number could begin, which nothing follows.

    It is no part of the core: linking puts in its place what the tables say.
    """

    __slots__ = ()


class CanBeginWith(CanBegin):
    """The same of a first step that others follow."""

    __slots__ = ()


_MARKS: Final[Finder[object]] = Finder(CanBegin, CanBeginWith)
_QUIET: Final = (st.Let, st.Cancel, st.SetArgument, st.SetSetting)  # what always happens, and is no step of its own


def find_start(stmt: Statement | None, elsewhere: Elsewhere, alone: bool = True) -> Expression | None:
    """What must hold for the first step of a statement to be possible; None where it always is.

    A step that takes what is not there (the top of nothing, more of what is at its bound) does not keep anybody from
    what stands behind it: such a step must be possible only where it is `alone`.
    """
    match stmt:
        case st.Sequence():
            return _start_of_sequence(stmt, elsewhere, alone)
        case st.If(ex.CanCarryOut(), _, None):
            return stmt.cond  # `if able`
        case st.If():
            yes, no = (find_start(part, elsewhere, alone) for part in (stmt.then, stmt.else_))
            if not alone and no == ZERO and _asks_for_object(stmt.cond):
                no = None
            return _choose_start(stmt.cond, yes, no)
        case st.Pay():
            unpaid = find_start(stmt.else_, elsewhere, alone)
            return None if unpaid is None else _choose_start(ex.CanCarryOut(stmt.cost), None, unpaid)
        case st.Menu():
            return _start_of_menu(stmt, elsewhere)
        case st.Choose():
            if stmt.constraint is not None:
                return ex.CanCarryOut(stmt)
            return None if stmt.low == ZERO else ex.Comparison(">=", ex.CountOf(stmt.in_), stmt.low)
        case st.ChooseAtRandom():
            return ex.AnyOf(stmt.from_)
        case st.Move():
            if stmt.piece == NOTHING:
                return ZERO
            there = ex.Comparison("!=", stmt.piece, NOTHING)
            return there if alone and not isinstance(stmt.piece, ex.Slot) else None
        case st.Repeat():
            inner = find_start(stmt.body, elsewhere, alone)
            if inner is None or stmt.times is None or isinstance(stmt.times, ex.Number):
                return inner
            return _choose_start(ex.Comparison(">", stmt.times, ZERO), inner, None)
        case st.Propose() | st.Call() | st.RunProgram():
            return elsewhere(stmt, alone)
        case st.SetVariable() | st.SetColumn():
            return elsewhere(stmt, True) if alone else None
    return None


def _start_of_sequence(stmt: st.Sequence, elsewhere: Elsewhere, alone: bool) -> Expression | None:
    if _is_first_able(stmt):
        return ex.CanCarryOut(stmt)
    return _start_of_steps(stmt.body, elsewhere, alone)


def _start_of_steps(steps: Sequence[Statement], elsewhere: Elsewhere, alone: bool) -> Expression | None:
    """Of the first of some steps. What is chosen belongs to what is done with it: give a .. to a .."""
    lets: list[st.Let] = []
    for number, part in enumerate(steps):
        if isinstance(part, st.Let):
            lets.append(part)
        elif not isinstance(part, _QUIET):
            rest = steps[number + 1 :]
            if isinstance(part, (st.Menu, st.Choose)):
                found = _start_of_choice(part, _start_of_steps(rest, elsewhere, alone), elsewhere)
            else:
                found = find_start(part, elsewhere, alone and not any(map(_is_step, rest)))
            return None if found is None else _with_values(found, lets)
    return None


def _start_of_choice(part: st.Menu | st.Choose, rest: Expression | None, elsewhere: Elsewhere) -> Expression | None:
    """That there is something to choose, and that what is done with it can begin."""
    own = find_start(part, elsewhere)
    if rest is None:
        return own
    if isinstance(part, st.Choose):
        return own if part.slot in free_slots(rest) else both([rest] if own is None else [own, rest])
    domains = part.entries[0].domains
    if len(part.entries) > 1 or len(domains) != 1 or own != ex.AnyOf(domains[0].in_):
        return own
    return ex.AnyOf(narrow_by_start(domains[0], rest).in_)


def narrow_by_start(domain: st.Domain, rest: Expression) -> st.Domain:
    """What can be chosen so that what is done with it can begin."""
    chosen = ex.Comparison("!=", ex.Slot(domain.slot), NOTHING)
    test = rewrite(rest, lambda part: ONE if part == chosen else _without_what_always_holds(part))
    return domain if test == ONE else replace(domain, in_=se.Filter(domain.in_, domain.slot, test))


def _asks_for_object(cond: Expression) -> bool:
    """Whether a condition says that there is what is meant."""
    parts = cond.conditions if isinstance(cond, ex.And) else (cond,)
    return all(isinstance(part, ex.Comparison) and part.op == "!=" and part.right == NOTHING for part in parts)


def _is_step(stmt: Statement | None) -> bool:
    """Whether something is done, not only noted."""
    match stmt:
        case None:
            return False
        case st.If():
            return _is_step(stmt.then) or _is_step(stmt.else_)
        case st.Sequence():
            return any(map(_is_step, stmt.body))
        case st.Move():
            return stmt.piece != NOTHING
    return not isinstance(stmt, _QUIET)


def _is_first_able(stmt: st.Sequence) -> bool:
    """Whether these are possibilities of which the first is taken that can be carried out in full."""
    first, last = (stmt.body[0], stmt.body[-1]) if len(stmt.body) > 2 else (None, None)
    return (
        isinstance(first, st.Let)
        and isinstance(last, st.If)
        and last.cond == ex.Comparison("==", ex.Slot(first.slot), ZERO)
        and find_start(last.then, lambda *_: None) == ZERO
    )


def _with_values(found: Expression, lets: Sequence[st.Let]) -> Expression:
    """A condition that is read before some slots are written: with their values in their place."""
    for let in reversed(lets):
        written = any(isinstance(part, Statement) and getattr(part, "slot", None) == let.slot for part in walk(found))
        if not written:
            found = replace_slot(found, let.slot, let.value)
    return found


def _choose_start(cond: Expression, yes: Expression | None, no: Expression | None) -> Expression | None:
    if yes is None and no is None:
        return None
    if no == ZERO:
        return both([cond] if yes is None else [cond, yes])
    if yes == ZERO and no is None:
        return ex.Not(cond)
    return ex.Conditional(cond, ONE if yes is None else yes, ONE if no is None else no)


def _start_of_menu(menu: st.Menu, elsewhere: Elsewhere) -> Expression | None:
    none = find_start(menu.otherwise, elsewhere)
    if none is None:
        return None
    offers: list[Expression] = []
    for entry in menu.entries:
        tests = [*([] if entry.guard is None else [entry.guard]), *(ex.AnyOf(one.in_) for one in entry.domains[:1])]
        if not tests:
            return None
        offers.append(both(tests))
    return _choose_start(offers[0] if len(offers) == 1 else ex.Or(tuple(offers)), None, none)


class Beginnings:
    """The functions that say whether verbs and texts of cards can begin."""

    def __init__(
        self,
        procs: Sequence[ProcedureOf],
        functions: list[Function],
        abilities: Sequence[Ability],
        texts: Mapping[str, Sequence[tuple[int, int]]],
        bounds: Callable[[st.SetVariable | st.SetColumn], tuple[int | None, int | None]],
    ) -> None:
        """`texts`: of each slot the definitions that have one, with the procedure. `bounds`: of what is written."""
        self.procs = procs
        self.functions = functions
        self.first = len(functions)
        self.bounds = bounds
        self.texts = texts
        self.forbidden = {row.on for row in abilities if row.phase == "cannot"}
        self.of_proc: dict[tuple[int, bool], int | None] = {}
        self.of_text: dict[tuple[str, bool], int | None] = {}

    def put_in(self, form: F) -> F:
        """A form with what the tables say where it asks whether something can begin."""
        if not _MARKS.find(form):
            return form

        def change(part: object) -> object:
            if isinstance(part, CanBegin):
                found = self.find_start(part.statement, type(part) is CanBegin)
                return ONE if found is None else found
            return _without_what_always_holds(part)

        return rewrite(form, change)

    def find_start(self, stmt: Statement, alone: bool) -> Expression | None:
        """What the tables say of whether a call, an event, a text or a change of a number can begin."""
        match stmt:
            case st.Propose():
                function, arguments = self.function_of(stmt.verb, alone), stmt.args
            case st.Call():
                function, arguments = self.function_of(stmt.proc, alone), stmt.args
            case st.RunProgram():
                function, arguments = self.function_of_text(stmt.name, alone), (stmt.piece,)
            case st.SetVariable() | st.SetColumn():
                return _find_room(stmt, *self.bounds(stmt))
            case _:
                return None
        return None if function is None else ex.CallFunction(function, stmt.you, arguments)

    def elsewhere(self, stmt: Statement, alone: bool) -> Expression | None:
        """The same inside a verb, where nobody has asked yet whether it is allowed. A text that is there can begin."""
        found = None if isinstance(stmt, st.RunProgram) else self.find_start(stmt, alone)
        if isinstance(stmt, st.Propose) and stmt.verb in self.forbidden:
            allowed = ex.IsAllowed(stmt.verb, stmt.you, stmt.args)
            return both([allowed, *([] if found is None else [found])])
        return found

    def function_of(self, index: int, alone: bool) -> int | None:
        """The function of a verb, a procedure or the text of a card; None where it can always begin."""
        key = index, alone
        if key not in self.of_proc:
            self.of_proc[key] = None  # one that begins with itself asks no more
            row = self.procs[index]
            value = find_start(row.body, self.elsewhere, alone) if row.body is not None else None
            if value is not None:
                value = rewrite(self.put_in(value), lambda part: ex.Slot(1) if type(part) is ex.ThisPiece else part)
            if value is not None and value != ONE and _needs_only(value, index, row):
                self.of_proc[key] = self.add(row.id, row.params, row.slots, value)
        return self.of_proc[key]

    def function_of_text(self, name: str, alone: bool) -> int | None:
        """The function of a slot of texts, of the card given."""
        key = name, alone
        if key not in self.of_text:
            self.of_text[key] = None
            tests: list[Expression] = []
            for definition, proc in self.texts.get(name, ()):
                function = self.function_of(proc, alone)
                if function is not None:
                    other = ex.Not(ex.IsDefinition(definition, ex.Slot(1)))
                    tests.append(ex.Or((other, ex.CallFunction(function, ex.Slot(0), (ex.Slot(1),)))))
            if tests:
                self.of_text[key] = self.add(name, 1, 2, both(tests))
        return self.of_text[key]

    def add(self, name: str, params: int, slots: int, value: Expression) -> int:
        """A function with this value; one that is there already is not written again."""
        row = Function(f"{name}, whether it can begin", params, slots, value, None, True)
        if row in self.functions[self.first :]:
            return self.functions.index(row, self.first)
        self.functions.append(row)
        return len(self.functions) - 1


def _without_what_always_holds(part: object) -> object:
    match part:
        case se.Filter(condition=ex.Number(1), selector=selector):
            return selector
        case ex.And(conditions):
            return both(conditions)
        case ex.Or(conditions) if ONE in conditions:
            return ONE
        case st.If(cond=ex.Number(1), then=then, clause=None):
            return then
        case st.Entry(guard=ex.Number(1)):
            return replace(part, guard=None)
        case st.Menu() if any(entry.guard is None and not entry.domains for entry in part.entries):
            return replace(part, otherwise=None)
    return part


def _find_room(stmt: st.SetVariable | st.SetColumn, low: int | None, high: int | None) -> Expression | None:
    """That a number is not at its bound already, where it would go beyond it; the bounds of every number are none."""
    now = ex.ReadVariable(stmt.var) if isinstance(stmt, st.SetVariable) else ex.ReadColumn(stmt.col, stmt.of)
    then = stmt.value
    if isinstance(then, ex.Number) and (low is None or low <= then.value) and (high is None or then.value <= high):
        return None
    tests: list[Expression] = []
    if low is not None and low > -MAX_NUMBER:
        tests.append(ex.Or((ex.Comparison(">", now, ex.Number(low)), ex.Comparison(">=", then, ex.Number(low)))))
    if high is not None and high < MAX_NUMBER:
        tests.append(ex.Or((ex.Comparison("<", now, ex.Number(high)), ex.Comparison("<=", then, ex.Number(high)))))
    return both(tests) if tests else None


def _needs_only(value: Expression, index: int, row: ProcedureOf) -> bool:
    """Whether a condition reads nothing but what a procedure is given: what it works out by itself is not there yet."""
    own: set[int] = set()
    for part in walk(value):
        if isinstance(part, ex.EventArgument | ex.EventResult) or (
            isinstance(part, ex.ReadSetting) and part.procedure == index
        ):
            return False
        if isinstance(part, Statement):
            own.update(list_written_slots(part))
    return all(slot <= max(row.params, 1) or slot in own for slot in free_slots(value))

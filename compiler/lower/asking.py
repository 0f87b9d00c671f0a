"""Who is asked follows from what all can see: the last pass over questions.

A question that would be left out for want of options, where others cannot see that, is put all the same. The pass gives
such a menu or choice `might`: what everybody can see of whether it has options. What may be declined can be declined
whether there is anything to accept or not, and `if C: may X` becomes a question in which C, as far as it is secret, is
a condition of X.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grimoire.compiler.lower.footprints import Footprints, Secret, conjuncts
from grimoire.compiler.lower.forms import ONE, ZERO, both, seq
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.tables import Function
from grimoire.runtime.core.walk import children, rewrite_inside, walk

_ANYTHING: Final = se.Lone(ZERO)
_MANY: Final = ex.Number(9999)


class Asking(Secret):
    """The pass over the statements of one set of tables."""

    def __init__(self, secret: Secret, prints: Footprints, functions: list[Function]) -> None:
        super().__init__(secret.numbers, secret.kinds, ())
        self.columns = secret.columns
        self.prints = prints
        self.functions = functions
        self.open_functions: dict[int, int] = {}
        self.tried: dict[int, bool] = {}

    # ------------------------------------------------------------ statements

    def statement(self, stmt: Statement) -> Statement:
        """The same statement with questions that tell nothing."""
        made = rewrite_inside(stmt, self.inside)
        match made:
            case st.Menu():
                return self.menu(made)
            case st.Choose():
                return self.choose(made)
            case st.If():
                return self.condition(made)
        return made

    def inside(self, part: object) -> object:
        """What stands in a statement: statements and entries are looked through, expressions are not."""
        if isinstance(part, Statement):
            return self.statement(part)
        if isinstance(part, st.Entry) and part.body is not None:
            return replace(part, body=self.statement(part.body))
        return part

    def menu(self, menu: st.Menu) -> st.Menu:
        """A menu of which others cannot see whether it has options."""
        entries = menu.entries
        if any(entry.guard is None and not entry.domains for entry in entries):
            return menu
        offers = [entry for entry in entries if entry.id != "decline"]
        might = [self.test_open_part(entry) for entry in offers]
        if might == [self.test_entry(entry) for entry in offers]:
            return menu
        found = might[0] if len(might) == 1 else ONE if ONE in might else ex.Or(tuple(might))
        if len(offers) == len(entries):
            return replace(menu, might=found)
        guard = None if found == ONE else found
        return replace(menu, entries=tuple(e if e.id != "decline" else replace(e, guard=guard) for e in entries))

    @staticmethod
    def test_entry(entry: st.Entry) -> Expression:
        """Whether an entry has options, as far as its guard and the first thing chosen in it say."""
        return both([*conjuncts(entry.guard), *(ex.AnyOf(domain.in_) for domain in entry.domains[:1])])

    def test_open_part(self, entry: st.Entry) -> Expression:
        return self.open_part(self.test_entry(entry))

    def choose(self, stmt: st.Choose) -> st.Choose:
        """An accumulating choice of which others cannot see how much there is to choose: it ends when the seat says
        so."""
        among = self.open_list(stmt.in_)
        if among == stmt.in_:
            return stmt
        counted = [ex.CountOf(stmt.in_)]
        if isinstance(stmt.in_, se.Filter | se.Except):
            counted.append(ex.CountOf(stmt.in_.selector))
        high = _MANY if stmt.high in counted else stmt.high
        return replace(stmt, high=high, might=ex.CountOf(among))

    def condition(self, stmt: st.If) -> st.If:
        """`if C: may X`, where others cannot see all of C."""
        parts = conjuncts(stmt.cond)
        last: Statement = stmt
        lets: list[Statement] = []
        clause: str | None = None
        while isinstance(last, st.If) and last.else_ is None:
            inside = _lines(last.then)
            if not inside:
                return stmt
            *more, last = inside
            lets += more
            parts += conjuncts(last.cond) if isinstance(last, st.If) else []
            clause = last.clause or clause
        if not isinstance(last, st.Menu) or last.otherwise is not None:
            return stmt
        if any(not isinstance(line, st.Let) or _mentions(parts, line.slot) for line in lets):
            return stmt
        hidden = [part for part in parts if self.open_part(part) != part]
        if not hidden or all(entry.id != "decline" for entry in last.entries):
            return stmt
        entries = tuple(
            replace(entry, guard=ZERO if entry.id == "decline" else both([*hidden, *conjuncts(entry.guard)]))
            for entry in last.entries
        )
        made = self.menu(replace(last, entries=entries, clause=clause))  # which says when it can be declined
        shown = [part for part in map(self.open_part, parts) if part != ONE]
        return replace(stmt, cond=both(shown), then=seq([*lets, made]))

    # ------------------------------------------------------------ what all can see

    def open_part(self, expr: Expression) -> Expression:
        """A condition that everybody can look at, and that holds whenever this one does."""
        match expr:
            case ex.And(conditions):
                return both([part for part in map(self.open_part, conditions) if part != ONE])
            case ex.Or(conditions):
                parts = tuple(map(self.open_part, conditions))
                return ONE if ONE in parts else ex.Or(parts)
            case ex.Placed(place, value):
                inner = self.open_part(value)
                return inner if inner == ONE else ex.Placed(place, inner)
            case ex.AnyOf(selector):
                return ex.AnyOf(self.open_list(selector))
            case ex.CallFunction(function, you, arguments) if not any(
                self.reads(part, self.prints) for part in (you, *arguments)
            ):
                return ex.CallFunction(self.open_function(function), you, arguments)
        return ONE if self.reads(expr, self.prints) else expr

    def open_function(self, function: int) -> int:
        found = self.open_functions.get(function)
        if found is None:
            self.open_functions[function] = found = function  # one that calls itself keeps the name
            row = self.functions[function]
            value = self.open_part(row.value)
            if value != row.value:
                self.open_functions[function] = found = len(self.functions)
                self.functions.append(replace(row, id=f"{row.id}, as far as all can see", value=value))
        return found

    def open_list(self, sel: Selector) -> Selector:
        """A list of which everybody can see whether there is something in it, and there is whenever there is in this
        one."""
        match sel:
            case se.Filter(selector, element, condition):
                among = self.open_list(selector)
                if self.hides(selector):
                    return among
                test = self.open_part(condition)
                return among if test == ONE else se.Filter(among, element, test)
            case se.Best(_, selector):
                among = self.open_list(selector)
                return sel if among == selector else among
            case se.Take(number, selector):
                return se.Take(number, self.open_list(selector))
            case se.Except(selector, but):
                return se.Except(self.open_list(selector), but)
            case se.Concatenation(lists):
                return se.Concatenation(tuple(map(self.open_list, lists)))
            case se.PiecesOfZone() | se.TopPieces() | se.PiecesOfKind():
                return sel
        return _ANYTHING if self.reads(sel, self.prints) else sel

    def hides(self, sel: Selector) -> bool:
        """Whether not everybody sees which pieces are in a list."""
        match sel:
            case se.Filter() | se.Except() | se.Best() | se.Take():
                return self.hides(sel.selector)
            case se.Concatenation(lists):
                return any(map(self.hides, lists))
            case se.Members(sort):
                return sort == "piece" and bool(self.zones)
        return self.reads(sel, self.prints)

    def reads(self, form: Expression | Selector, prints: Footprints) -> bool:
        """Whether an expression tells what only some see: where a card lies that is meant by its name, but not what it
        is called.

        Where a piece lies that is meant in another way is a secret only if it is one which piece that is.
        """
        if _is_named(form):
            return False
        if isinstance(form, ex.ZoneOfPiece):
            return _is_named(form.piece) or self.reads(form.piece, prints)
        if isinstance(form, ex.CanCarryOut):
            return self.tries(form.statement)
        return super().reads(form, prints)

    def tries(self, stmt: Statement | None) -> bool:
        """Whether it depends on what only some see if a statement could be carried out in full."""
        match stmt:
            case None:
                return False
            case st.Choose() if self.open_list(stmt.in_) != stmt.in_:
                return True
            case st.Menu() if any(self.test_open_part(entry) != self.test_entry(entry) for entry in stmt.entries):
                return True
            case st.If() if self.open_part(stmt.cond) != stmt.cond:
                return True
            case st.SetVariable() | st.SetColumn() if self.reads(stmt.value, self.prints):
                return True
            case st.Propose() if self.tries_proc(stmt.verb):
                return True
            case st.Call() if self.tries_proc(stmt.proc):
                return True
            case st.RunProgram() if any(map(self.tries_proc, self.prints.programs.get(stmt.name, ()))):
                return True
        inside = [part.body if isinstance(part, st.Entry) else part for part in children(stmt)]
        return any(self.tries(part) for part in inside if isinstance(part, Statement))

    def tries_proc(self, index: int) -> bool:
        found = self.tried.get(index)
        if found is None:
            self.tried[index] = False  # one that calls itself tells no more by that
            bars = [self.prints.abilities[i] for i in self.prints.hearing.get(index, ())]
            found = self.tried[index] = self.tries(self.prints.procs[index].body) or any(
                bar.phase == "cannot" and bar.cond is not None and self.open_part(bar.cond) != bar.cond for bar in bars
            )
        return found


def _lines(stmt: Statement) -> list[Statement]:
    """The statements of a sequence, also of those inside it, or the one that there is."""
    if not isinstance(stmt, st.Sequence) or stmt.clause is not None:
        return [stmt]
    return [line for part in stmt.body for line in _lines(part)]


def _mentions(forms: list[Expression], slot: int) -> bool:
    """Whether one of these reads a slot."""
    return any(isinstance(part, ex.Slot) and part.slot == slot for form in forms for part in walk(form))


def _is_named(form: Expression | Selector) -> bool:
    """Whether an expression is the piece of one definition."""
    match form:
        case ex.FirstOf(se.Filter(se.PiecesOfKind(), element, ex.IsDefinition(_, ex.Slot(slot)))):
            return slot == element
    return False

"""The ways in which one place of a program is broken: rewrites of a record of the core, each declared once.

In: what stands at a place, a record or a printed number. Out: what stands there instead, for good (`apply`) or only
while a condition holds (`switch`), so that one built program can have many of them in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

from grimoire.runtime.core.expressions import (
    And,
    Arithmetic,
    Comparison,
    Conditional,
    Knows,
    Not,
    Number,
    Or,
    Placed,
)
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.selectors import Filter
from grimoire.runtime.core.statements import Choose, Entry, If, Menu, Pay, Sequence
from grimoire.runtime.core.tables import (
    Ability,
    Column,
    Definition,
    Function,
    Modifier,
    Order,
    ProcedureOf,
    VariableOf,
    ZoneOf,
)
from grimoire.runtime.core.walk import fields_with_records

ALWAYS: Final = Number(1)
NEVER: Final = Number(0)
OTHER_SIDE: Final[dict[str, Literal["before", "after"]]] = {"before": "after", "after": "before"}


@dataclass(frozen=True, slots=True)
class Switch:
    """Two conditions: that one mutant is on, and that it is off."""

    on: Expression
    off: Expression


@dataclass(frozen=True, slots=True)
class Change(ABC):
    """A way of breaking what stands at a place."""

    name: ClassVar[str]
    built: ClassVar[bool] = False  # a program is built around it: it cannot be switched

    @abstractmethod
    def apply(self, record: object) -> object:
        """What stands there when it is broken."""

    def switch(self, record: object, plain: object, by: Switch) -> object:
        """What is as it was while the mutant is off. `plain` is the record without any mutant in it."""
        assert isinstance(record, Statement)
        broken = self.apply(plain)
        assert isinstance(broken, Statement)
        return If(by.on, broken, record)


# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Remove(Change):
    """A statement is left out."""

    name = "removed"

    def apply(self, record: object) -> object:
        return do_nothing()

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Statement)
        return If(by.off, record)


@dataclass(frozen=True, slots=True)
class ReverseCondition(Change):
    """What an `if` does when its condition holds is done when it does not."""

    name = "condition reversed"

    def apply(self, record: object) -> object:
        inner = unwrap_mark(record)
        assert isinstance(inner, If)
        return replace(inner, cond=Not(inner.cond))


@dataclass(frozen=True, slots=True)
class AllowAnyChoice(Change):
    """What a choice must meet is not asked for."""

    name = "any choice allowed"

    def apply(self, record: object) -> object:
        return drop_restriction(unwrap_mark(record)) or do_nothing()


@dataclass(frozen=True, slots=True)
class PayOnCredit(Change):
    """What a cost is paid for is done though the cost cannot be paid."""

    name = "on credit"

    def apply(self, record: object) -> object:
        assert isinstance(record, Pay)
        return Sequence((record.cost, find_paid_body(record.then)))


@dataclass(frozen=True, slots=True)
class WithholdOption(Change):
    """An option of a menu is never offered."""

    name = "not offered"

    def apply(self, record: object) -> object:
        assert isinstance(record, Entry)
        return replace(record, guard=NEVER)

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Entry)
        return replace(record, guard=narrow(record.guard, by.off))


@dataclass(frozen=True, slots=True)
class SwapNeighbours(Change):
    """Of two effects in a sequence the second is done first. They stand from `first` to `middle` and from there to
    `end`."""

    first: int
    middle: int
    end: int
    name = "in another order"

    def apply(self, record: object) -> object:
        assert isinstance(record, Sequence)
        body = record.body
        one, two = body[self.first : self.middle], body[self.middle : self.end]
        return replace(record, body=(*body[: self.first], *two, *one, *body[self.end :]))


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hold(Change):
    """A condition always holds."""

    name = "holds"

    def apply(self, record: object) -> object:
        return ALWAYS

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Expression)
        return relax(record, by.on)


@dataclass(frozen=True, slots=True)
class Fail(Change):
    """A condition never holds."""

    name = "fails"

    def apply(self, record: object) -> object:
        return NEVER

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Expression)
        return And((by.off, record))


@dataclass(frozen=True, slots=True)
class AddToNumber(Change):
    """A number is another one."""

    by: int
    name = "another number"

    def apply(self, record: object) -> object:
        assert isinstance(record, Number)
        return Number(record.value + self.by)

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Expression)
        broken = self.apply(plain)
        assert isinstance(broken, Number)
        return Conditional(by.on, broken, record)


@dataclass(frozen=True, slots=True)
class ShiftBorder(Change):
    """What a value is compared with is more or less."""

    by: int
    name = "another border"

    def apply(self, record: object) -> object:
        assert isinstance(record, Comparison)
        right = record.right
        moved = Number(right.value + self.by) if isinstance(right, Number) else Arithmetic("+", right, Number(self.by))
        return replace(record, right=moved)

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Expression)
        broken = self.apply(plain)
        assert isinstance(broken, Expression)
        return Conditional(by.on, broken, record)


# --- rows that a program is made of -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Disable(Change):
    """An ability or a modifier is never in force; its number stays, because statements refer to it."""

    name = "removed"

    def apply(self, record: object) -> object:
        assert isinstance(record, Ability | Modifier)
        return replace(record, cond=NEVER)

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Ability | Modifier)
        return replace(record, cond=narrow(record.cond, by.off))


@dataclass(frozen=True, slots=True)
class Empty(Change):
    """A procedure does nothing."""

    name = "emptied"

    def apply(self, record: object) -> object:
        assert isinstance(record, ProcedureOf)
        return replace(record, body=do_nothing())

    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, ProcedureOf)
        return record if record.body is None else replace(record, body=If(by.off, record.body))


@dataclass(frozen=True, slots=True)
class _ChangeFunction(Change):
    def switch(self, record: object, plain: object, by: Switch) -> object:
        assert isinstance(record, Function)
        broken = self.apply(plain)
        assert isinstance(broken, Function)
        return replace(record, value=Conditional(by.on, broken.value, record.value))


@dataclass(frozen=True, slots=True)
class ReverseTest(_ChangeFunction):
    """A function that tells whether something is so tells the opposite."""

    name = "reversed"

    def apply(self, record: object) -> object:
        assert isinstance(record, Function)
        return replace(record, value=Not(record.value))


@dataclass(frozen=True, slots=True)
class AddToValue(_ChangeFunction):
    """The value of a function is one more."""

    name = "another value"

    def apply(self, record: object) -> object:
        assert isinstance(record, Function)
        return replace(record, value=Arithmetic("+", record.value, Number(1)))


@dataclass(frozen=True, slots=True)
class LiftLimit(Change):
    """An ability may be used as often as one likes."""

    name = "limit lifted"

    def apply(self, record: object) -> object:
        assert isinstance(record, Ability)
        return replace(record, limit=None)


@dataclass(frozen=True, slots=True)
class Force(Change):
    """An ability that is offered must be used."""

    name = "forced"

    def apply(self, record: object) -> object:
        assert isinstance(record, Ability)
        return replace(record, optional=False)


@dataclass(frozen=True, slots=True)
class MoveAcross(Change):
    """What is done before an event is done after it, or the other way round."""

    name = "on the other side of the event"

    def apply(self, record: object) -> object:
        assert isinstance(record, Ability)
        return replace(record, phase=OTHER_SIDE[record.phase])


# --- rows that a program is built around ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShowToOthers(Change):
    """Others see into a zone, or nobody does into an open one."""

    name = "seen by others"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, ZoneOf)
        return replace(record, seen="none" if record.seen == "all" else "all")


@dataclass(frozen=True, slots=True)
class Hide(Change):
    """Nobody sees into a zone."""

    name = "hidden"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, ZoneOf)
        return replace(record, seen="none")


@dataclass(frozen=True, slots=True)
class TellCount(Change):
    """Everybody is told how many pieces lie in a zone."""

    name = "counted"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, ZoneOf)
        return replace(record, counted=None)


@dataclass(frozen=True, slots=True)
class Reorder(Change):
    """Somebody else puts simultaneous abilities in order."""

    name = "in another order"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, Order)
        return replace(record, by="turn" if record.by == "current" else "current")


@dataclass(frozen=True, slots=True)
class AddCopy(Change):
    """There is one copy more."""

    name = "one copy more"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, Definition)
        return replace(record, copies=record.copies + 1)


@dataclass(frozen=True, slots=True)
class BringAlways(Change):
    """What some options bring is there with all of them."""

    name = "there with all options"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, (Definition, ZoneOf))
        return replace(record, when=None)


@dataclass(frozen=True, slots=True)
class ChangePrinted(Change):
    """Every printed value stands in the place of another: for the rules that is another printing."""

    name = "values changed"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, Column) and record.printed is not None
        values = record.printed
        turned = (*values[1:], *values[:1])
        return replace(record, printed=turned if turned != values else tuple(value + 1 for value in values))


@dataclass(frozen=True, slots=True)
class ChangeStart(Change):
    """A counter or a state starts with another value."""

    name = "another start value"
    built = True

    def apply(self, record: object) -> object:
        assert isinstance(record, VariableOf | Column)
        return replace(record, init=choose_other_start(record))


@dataclass(frozen=True, slots=True)
class Print(Change):
    """Another number stands on a card."""

    value: int
    name = "printed"

    def apply(self, record: object) -> object:
        return self.value


REMOVE: Final = Remove()
REVERSE_CONDITION: Final = ReverseCondition()
ALLOW_ANY_CHOICE: Final = AllowAnyChoice()
PAY_ON_CREDIT: Final = PayOnCredit()
WITHHOLD: Final = WithholdOption()
HOLD: Final = Hold()
FAIL: Final = Fail()
ONE_MORE: Final = AddToNumber(1)
ONE_LESS: Final = AddToNumber(-1)
DISABLE: Final = Disable()
EMPTY: Final = Empty()
LIFT_LIMIT: Final = LiftLimit()
MOVE_ACROSS: Final = MoveAcross()
FORCE: Final = Force()


# --- what the changes are made of -------------------------------------------------------------------------------------


def do_nothing() -> Sequence:
    return Sequence(())


def narrow(condition: Expression | None, off: Expression) -> Expression:
    """A condition that does not hold while the mutant is on."""
    return off if condition is None else And((off, condition))


def relax(condition: Expression, on: Expression) -> Expression:
    """A condition that also holds while the mutant is on; its parts keep their places, so that a reason can still be
    told."""
    if isinstance(condition, Placed):
        return Placed(condition.place, relax(condition.value, on))
    if isinstance(condition, And):
        return And(tuple(relax(part, on) for part in condition.conditions))
    return condition if condition == ALWAYS else Or((on, condition))


def unwrap_mark(statement: object) -> object:
    """What a mark really stands in front of: a line with several marks is wrapped once for each."""
    while isinstance(statement, Sequence) and len(statement.body) == 1:
        statement = statement.body[0]
    return statement


def drop_restriction(statement: object) -> Statement | None:
    """A choice without what its result must meet; None where nothing is demanded."""
    if isinstance(statement, Choose) and statement.constraint is not None:
        return replace(statement, constraint=None)
    if isinstance(statement, Menu) and len(statement.entries) == 1 and statement.entries[0].domains:
        (entry,) = statement.entries
        domain, *more = entry.domains
        among: Selector = domain.in_
        while isinstance(among, Filter) and isinstance(among.condition, Knows):
            among = among.selector  # what the chooser knows is no rule of the game
        if isinstance(among, Filter):
            free = replace(domain, in_=among.selector)
            return replace(statement, entries=(replace(entry, domains=(free, *more)),))
    return None


def find_paid_body(statement: Statement) -> Statement:
    """What a cost is paid for, without the question whether it was paid after all."""
    if isinstance(statement, If) and find_first_place(statement.cond) is None and statement.else_ is None:
        return statement.then
    return statement


def choose_other_start(row: VariableOf | Column) -> int:
    if row.sort == "flag":
        return 1 - row.init
    if row.max is not None and row.init + 1 > row.max:
        return row.init - 1
    return row.init + 1


_FIRST: Final = ("cond", "then", "body", "entries")


def find_first_place(record: object) -> int | None:
    """The first place in the source that stands at or below a record: of a statement what it asks and does first."""
    if record is None:
        return None
    if isinstance(record, Placed):
        return record.place
    if isinstance(record, Statement) and record.at is not None:
        return record.at
    fields = fields_with_records(type(record))
    if not isinstance(record, Expression | Selector):
        fields = (*(name for name in _FIRST if name in fields), *(name for name in fields if name not in _FIRST))
    for name in fields:
        value = getattr(record, name)
        for inner in value if isinstance(value, tuple) else (value,):
            found = find_first_place(inner)
            if found is not None:
                return found
    return None

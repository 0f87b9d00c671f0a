"""Windows that wait for a state: `as soon as CONDITION`.

There is no event of its own for a condition that becomes true. So the ability hears, afterwards, every event whose own
text may change what the condition reads, and a hidden latch remembers whether it has answered already: it answers once
each time the condition becomes true. The latch is 0 while the condition does not hold, 1 when it has begun to hold, 2
when an optional ability has been asked.
"""

from __future__ import annotations

from typing import Literal

from grimoire.compiler.declare.model import Ability, Definition, Text
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.forms import ONE, ZERO, both
from grimoire.compiler.lower.output import NewAbility, Waiting
from grimoire.compiler.lower.scope import Scope
from grimoire.compiler.lower.statements import Statements
from grimoire.compiler.syntax import nodes as s
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.tables import Ability as AbilityRow
from grimoire.runtime.core.tables import Column, Limit, VariableOf

Phase = Literal["cannot", "before", "instead", "after"]


class States:
    """`as soon as`."""

    def __init__(self, context: Context, amounts: Amounts, statements: Statements) -> None:
        self.context = context
        self.amounts = amounts
        self.statements = statements

    def new_latch(self, label: str, owner: Definition | None) -> Expression:
        """A hidden number: of the card that bears the ability, or of the game."""
        name = f"{label}.latch"
        if owner is not None:
            row = Column(name, "piece", "number", False, 0, None, None, "none", None)
            return ex.ReadColumn(self.context.out.column(row), ex.Slot(1))
        return ex.ReadVariable(self.context.out.variable(VariableOf(name, "number", 0, None, None, "none")))

    def wait_for(
        self, ability: Ability, window: Text, owner: Definition | None, base: int, label: str, scope: Scope
    ) -> None:
        assert ability.do is not None
        if ability.limit is not None:
            self.context.text = ability.limit
            raise self.context.problem(
                "G0610",
                ability.limit.limit,
                "as soon as answers once each time: it takes no limit",
                "leave the limit out",
            )
        self.context.text = window
        state = window.window.condition
        assert state is not None
        condition = self.amounts.condition(state, scope)
        tests = [condition]
        if ability.only is not None and ability.only.ok:
            self.context.text = ability.only
            tests.append(self.amounts.condition(ability.only.condition, scope))
        self.context.text = ability.do
        latch = self.new_latch(label, owner)
        optional, asks, body = self.context.above.optional_body(ability.do.block, scope)
        if not optional:
            body = st.Sequence((set_latch(latch, 1), body))
        name = self.context.out.name(label)
        cond = both([ex.Comparison("==", latch, ONE if optional else ZERO), *tests])
        at = self.context.place(ability.do.block.statements[0].statement)
        proc = self.context.above.add_proc("ability:*", 0, scope.unit, body, name=name)
        row = new_ability(label, -1, "after", base, at, cond, optional, asks, proc, clauses=ability.clauses, late=True)
        self.context.out.waiting.append(Waiting(NewAbility(row, name), both(tests), latch, scope.unit.slots))

    def float_state(self, window: s.Window, body: s.Block, scope: Scope, label: str, clauses: tuple[str, ...]) -> int:
        """`as soon as` inside an effect: it answers once, and is gone. Gives the number that stands for its rows in the
        grant."""
        assert window.condition is not None
        condition = self.amounts.condition(window.condition, scope)
        name = self.context.out.name(label)
        at = self.context.place(body.statements[0].statement)
        lowered = self.statements.check_size(self.statements.block(body, scope), body)
        proc = self.context.above.add_proc("ability:*", 0, scope.unit, lowered, name=name)
        row = new_ability(label, -1, "after", -2, at, condition, proc=proc, once=True, clauses=clauses, late=True)
        return self.context.out.add_floating_state(NewAbility(row, name), condition)


def new_ability(
    label: str,
    on: int,
    phase: Phase,
    of: int,
    at: int,
    cond: Expression | None,
    optional: bool = False,
    asks: Expression | None = None,
    proc: int = -1,
    limit: Limit | None = None,
    once: bool = False,
    clauses: tuple[str, ...] = (),
    shares: int | None = None,
    ends: tuple[int, ...] | None = None,
    slots: int | None = None,
    late: bool | None = None,
) -> AbilityRow:
    """The row of an ability; what it reads and writes is found when the tables are closed."""
    return AbilityRow(
        label,
        label,
        on,
        phase,
        of,
        None,
        cond,
        optional,
        asks,
        proc,
        limit,
        once,
        (),
        (),
        at,
        None,
        shares,
        ends,
        clauses or None,
        slots,
        late,
    )


def set_latch(latch: Expression, value: int) -> Statement:
    if isinstance(latch, ex.ReadVariable):
        return st.SetVariable(latch.variable, ex.Number(value))
    assert isinstance(latch, ex.ReadColumn)
    return st.SetColumn(latch.column, latch.of, ex.Number(value))

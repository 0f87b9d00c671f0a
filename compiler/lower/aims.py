"""Lower aims: what is good for a player, so that a bot can play for its side and a report can say which side won.

In: the aims of a model whose texts are parsed. Out: functions of the artefact, and a row for each aim. No rule of a
game reads them.
"""

from __future__ import annotations

from grimoire.compiler.declare.model import Aim, Text
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context, Unresolved
from grimoire.compiler.lower.scope import Scope, Unit
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.tables import Aim as AimRow
from grimoire.runtime.core.tables import Function
from grimoire.runtime.core.walk import walk

# A value of these alone is the same in every position of a game.
_FIXED = (
    ex.Number
    | ex.Slot
    | ex.OptionValue
    | ex.SeatCount
    | ex.Placed
    | ex.Arithmetic
    | ex.Comparison
    | ex.And
    | ex.Or
    | ex.Not
    | ex.Conditional
)


def lower_aim(context: Context, amounts: Amounts, aim: Aim) -> AimRow | None:
    """A row for an aim; its texts become functions of the artefact, read for `you`."""
    only = None
    if aim.only is not None:
        only = _function(context, amounts, f"aim:{aim.id}:only", [aim.only], condition=True)
    value = _function(context, amounts, f"aim:{aim.id}", aim.values, condition=False)
    return None if value is None else AimRow(aim.id, only, value)


def _function(context: Context, amounts: Amounts, name: str, texts: list[Text], condition: bool) -> int | None:
    """One function of several texts, which are added. None when one of them is wrong, which is told."""
    unit = Unit(name, 1)
    total: Expression | None = None
    wrong = False
    for text in texts:
        if not text.ok or text.node is None:
            wrong = True
            continue
        context.unit, context.text = unit, text
        try:
            scope = Scope(unit)
            value = amounts.condition(text.condition, scope) if condition else amounts.amount(text.amount, scope)
        except Unresolved:
            wrong = True
            continue
        if not condition and _is_fixed(value):
            context.diags.add(
                "G0711",
                text.scalar.span,
                "this is the same in every position: no choice is better or worse by it",
                "name something that changes in play, or take it out",
            )
        total = value if total is None else ex.Arithmetic("+", total, value)
    if wrong or total is None:
        return None
    return context.out.function(Function(name, 0, unit.slots, total))


def _is_fixed(value: Expression) -> bool:
    """Whether an expression reads nothing that can change while a game goes on."""
    return all(isinstance(part, _FIXED) for part in walk(value))

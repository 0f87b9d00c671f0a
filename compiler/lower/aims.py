"""Lower aims: what is good for a player, so that a bot can play for its side and a report can say which side won.

In: the aims of a model whose texts are parsed. Out: functions of the artefact, and a row for each aim. No rule of a game reads them.
"""

from __future__ import annotations

from typing import Any

from grimoire.compiler.declare.model import Aim, Expr, Text
from grimoire.compiler.lower.base import Unresolved
from grimoire.compiler.lower.scope import Scope, Unit
from grimoire.compiler.lower.windows import Windows

# An expression of these alone is the same in every position of a game.
_FIXED = frozenset(
    [
        "int", "slot", "option", "seatcount", "at", "+", "-", "*", "//", "min", "max", "==", "!=", "<", "<=", ">", ">=",
        "and", "or", "not", "if",
    ]
)  # fmt: skip


def lower_aim(lowering: Windows, aim: Aim) -> dict[str, Any] | None:
    """A row for an aim; its texts become functions of the artefact, read for `you`."""
    row: dict[str, Any] = {"id": aim.id, "only": None, "value": -1}
    if aim.only is not None:
        row["only"] = _function(lowering, f"aim:{aim.id}:only", [aim.only], condition=True)
    row["value"] = _function(lowering, f"aim:{aim.id}", aim.values, condition=False)
    return row if row["value"] is not None else None


def _function(lowering: Windows, name: str, texts: list[Text], condition: bool) -> int | None:
    """One function of several texts, which are added. None when one of them is wrong, which is told."""
    unit = Unit(name, 1)
    total: Expr | None = None
    wrong = False
    for text in texts:
        if not text.ok or text.node is None:
            wrong = True
            continue
        lowering.unit, lowering.text = unit, text
        try:
            scope = Scope(unit)
            value = lowering.condition(text.node, scope) if condition else lowering.amount(text.node, scope)
        except Unresolved:
            wrong = True
            continue
        if not condition and _fixed(value):
            lowering.diags.add(
                "G0711",
                text.scalar.span,
                "this is the same in every position: no choice is better or worse by it",
                "name something that changes in play, or take it out",
            )
        total = value if total is None else ["+", total, value]
    if wrong or total is None:
        return None
    return lowering.out.function({"id": name, "params": 0, "slots": unit.slots, "value": total})


def _fixed(value: Any) -> bool:
    """Whether an expression reads nothing that can change while a game goes on."""
    if not isinstance(value, list):
        return True
    if value and isinstance(value[0], str):
        return value[0] in _FIXED and all(_fixed(part) for part in value[1:])
    return all(_fixed(part) for part in value)

"""What a condition reads, so that a failed scenario can say what there was.

In: the syntax of a condition. Out: values with what they are called: both sides of a comparison, how many there are of
what somebody has, who differs where something is said of each; of a part that reads nothing of this, whether it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grimoire.compiler.declare.model import FLAG, NUMBER
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.context import Unresolved
from grimoire.compiler.lower.output import Reading
from grimoire.compiler.lower.parts import Parts
from grimoire.compiler.lower.scope import Ref, Scope
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.printer import print_node
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression

SHOWN = ("number", "flag", "seat", "fixture", "piece", "zone")  # sorts whose values have names
MOST = 4  # values of one condition

_SEAT = re.compile(r"\bthe (p[1-9][0-9]?)\b")  # in scenarios players stand without the

Read = tuple[str, object, Ref]  # how it is told, what is read, its value


class Readings:
    """Reads the parts of a condition. Nothing is reported: the condition itself has been looked at."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        parts = Parts(vocabulary, Diagnostics(), quiet=True)
        self.context, self.nouns, self.amounts = parts.context, parts.nouns, parts.amounts

    def read(self, condition: s.Condition, scope: Scope) -> list[tuple[Reading, Expression]]:
        parts = list(find_parts(condition))
        found: list[tuple[Reading, Expression]] = []
        for part in parts:
            values = [read for read in self.values(part, scope) if is_told(read[2])]
            if not values and len(parts) > 1:
                values = self.truth(part, scope)
            for form, node, ref in values:
                text = _SEAT.sub(r"\1", print_node(node))
                found.append((Reading(form, text, ref.type.sort, ref.type.many, ref.type.optional), ref.expr))
        return found[:MOST]

    def values(self, part: s.Condition, scope: Scope) -> list[Read]:
        match part:
            case s.Compare(left, _, right):
                return [*self.side(left, scope), *self.side(right, scope)]
            case s.Is(subject) | s.Has(subject):
                return [*self.subject(part, subject, scope), *self.exceptions(part, subject, scope)]
            case s.There():
                return self.count(part, scope)
        return []

    def side(self, node: s.Amount, scope: Scope) -> list[Read]:
        try:
            return [("is", node, self.amounts.amount_ref(node, scope))]
        except Unresolved:
            return []

    def subject(self, part: s.Is | s.Has, subject: s.Full, scope: Scope) -> list[Read]:
        """Who or what it is said of, where that is not said by its name; how many of something it has."""
        if isinstance(part, s.Has):
            return self.count(part, scope)
        if isinstance(subject.noun, s.Pronoun):
            return []
        try:
            made = self.nouns.denote(subject, scope)
            return [("is", subject, self.nouns.one(made, subject))] if made.quant == "one" else []
        except Unresolved:
            return []

    def exceptions(self, part: s.Is | s.Has, subject: s.Full, scope: Scope) -> list[Read]:
        """Of what is said of each: those of which it is not true."""
        try:
            made = self.nouns.denote(subject, scope)
            if made.quant != "all" or made.program is not None:
                return []
            value = self.amounts.condition(part, scope)
        except Unresolved:
            return []
        if isinstance(value, ex.Placed):
            value = value.value
        if not isinstance(value, ex.AllOf):
            return []
        others = se.Filter(value.selector, value.element, ex.Not(value.condition))
        return [("not", part, Ref(ex.SetOf(others), made.type.set()))]

    def count(self, part: s.Has | s.There, scope: Scope) -> list[Read]:
        try:
            number = find_count(self.amounts.condition(part, scope), isinstance(part.thing.noun, s.Counted))
        except Unresolved:
            return []
        return [] if number is None else [("there", part, Ref(number, NUMBER))]

    def truth(self, part: s.Condition, scope: Scope) -> list[Read]:
        try:
            return [("is", part, Ref(self.amounts.condition(part, scope), FLAG))]
        except Unresolved:
            return []


def is_told(ref: Ref) -> bool:
    """Whether a value has a name, and does not stand in the condition itself."""
    value = ref.expr.value if isinstance(ref.expr, ex.Placed) else ref.expr
    return ref.type.sort in SHOWN and not isinstance(value, ex.Number)


def find_parts(node: s.Condition) -> Iterator[s.Condition]:
    match node:
        case s.And(left, right) | s.Or(left, right):
            yield from find_parts(left)
            yield from find_parts(right)
        case s.Not(inner) | s.Grouped(inner):
            yield from find_parts(inner)
        case _:
            yield node


def find_count(value: Expression, counted: bool) -> Expression | None:
    """How many there are, from the expression that asks whether there are any, or enough of them."""
    match value:
        case ex.Not(inner) | ex.Placed(_, inner):
            return find_count(inner, counted)
        case ex.And((first, *_)):
            return find_count(first, counted)
        case ex.AnyOf(selector):
            return ex.CountOf(selector)
        case ex.Comparison(op, left, _) if counted and op in (">=", "<="):
            return left
    return None

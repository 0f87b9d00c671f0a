"""Between which bounds a number surely lies, as far as declarations tell."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from grimoire.compiler.declare.model import Type
from grimoire.compiler.lower.context import Context
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core.records import Expression


class Range(NamedTuple):
    low: float
    high: float

    @property
    def is_fixed(self) -> bool:
        return self.low == self.high


ANYTHING = Range(-inf, inf)
_A_COUNT = Range(0, inf)


def find_range(value: Expression, context: Context) -> Range:
    match value:
        case ex.Number(number):
            return Range(number, number)
        case ex.Placed():
            return find_range(value.value, context)
        case ex.ReadVariable(index):
            counter = next((one for one in context.model.counters.values() if one.index == index), None)
            return ANYTHING if counter is None else _range_of_type(counter.type)
        case ex.ReadColumn(column) | ex.ReadModified(column):
            # a modified value is read within the bounds of its column
            return _range_of_type(context.vocabulary.declared[column][1].type)
        case ex.CountOf() | ex.SizeOfSet():
            return _A_COUNT
        case ex.Conditional():
            then, other = find_range(value.then, context), find_range(value.otherwise, context)
            return Range(min(then.low, other.low), max(then.high, other.high))
        case ex.Arithmetic(op, first, second):
            return _calculate(op, find_range(first, context), find_range(second, context))
    return ANYTHING


def can_hold(op: str, left: Range, right: Range) -> bool:
    """Whether numbers of two ranges can compare like this."""
    match op:
        case "=":
            return left.low <= right.high and right.low <= left.high
        case "!=":
            return not (left.is_fixed and left == right)
        case "<":
            return left.low < right.high
        case "<=":
            return left.low <= right.high
        case ">":
            return left.high > right.low
        case ">=":
            return left.high >= right.low
    return True


def _range_of_type(type_: Type) -> Range:
    if type_.sort == "flag":
        return Range(0, 1)
    if type_.sort != "number" or type_.many:
        return ANYTHING
    low = -inf if type_.low is None else type_.low
    high = inf if type_.high is None else type_.high
    return Range(min(low, -1), high) if type_.optional else Range(low, high)  # what is absent reads -1


def _calculate(op: str, left: Range, right: Range) -> Range:
    match op:
        case "+":
            return Range(left.low + right.low, left.high + right.high)
        case "-":
            return Range(left.low - right.high, left.high - right.low)
        case "*" if min(left.low, right.low) >= 0:
            return Range(left.low * right.low, inf if inf in (left.high, right.high) else left.high * right.high)
        case "min":
            return Range(min(left.low, right.low), min(left.high, right.high))
        case "max":
            return Range(max(left.low, right.low), max(left.high, right.high))
    return ANYTHING

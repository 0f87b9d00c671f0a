"""What the options of a game bring or leave out, as conditions of the core."""

from __future__ import annotations

from typing import Literal

from grimoire.compiler.declare.model import PackageModel, When
from grimoire.compiler.lower.forms import NOTHING
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core.records import Expression


def presence(model: PackageModel, when: When) -> Expression | None:
    """The condition under which something is there; None: always."""
    tests: list[Expression] = []
    for name, values in when:
        option = model.options[name]
        numbers = [option.values.index(value) if option.values else int(value == "true") for value in values]
        fits: list[Expression] = [ex.Comparison("==", ex.OptionValue(name), ex.Number(number)) for number in numbers]
        tests.append(fits[0] if len(fits) == 1 else ex.Or(tuple(fits)))
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else ex.And(tuple(tests))


def presence_of_one(model: PackageModel, whens: tuple[When, ...]) -> Expression | None:
    """The condition under which one of several settings is there."""
    tests = [presence(model, when) for when in whens]
    found = [test for test in tests if test is not None]
    if len(found) < len(tests):
        return None
    return found[0] if len(found) == 1 else ex.Or(tuple(found))


def is_same(left: Expression, right: Expression) -> Expression:
    """That two are one and the same. What the options leave out is nothing, but it is not what else is nothing."""
    made = ex.Comparison("==", left, right)
    tests = [test for side in (left, right) if (test := _brought_by(side)) is not None]
    return ex.And((*tests, made)) if tests else made


def compare(op: Literal["==", "!=", "<", "<=", ">", ">="], left: Expression, right: Expression) -> Expression:
    if op == "!=":
        same = is_same(left, right)
        return ex.Not(same) if isinstance(same, ex.And) else ex.Comparison(op, left, right)
    return is_same(left, right) if op == "==" else ex.Comparison(op, left, right)


def _brought_by(value: Expression) -> Expression | None:
    """The condition on the options under which something that is named is there."""
    if isinstance(value, ex.ZoneOfFixture):
        return _brought_by(value.fixture)
    if isinstance(value, ex.Conditional) and value.otherwise == NOTHING and _asks_options(value.condition):
        return value.condition
    return None


def _asks_options(test: Expression) -> bool:
    if isinstance(test, (ex.And, ex.Or)):
        return all(_asks_options(part) for part in test.conditions)
    return isinstance(test, ex.Comparison) and isinstance(test.left, ex.OptionValue)


def or_nothing(model: PackageModel, when: When, value: Expression) -> Expression:
    """Something that is nothing where the options leave it out."""
    test = presence(model, when)
    return value if test is None else ex.Conditional(test, value, NOTHING)

"""What the options of a game bring or leave out, as conditions of the core."""

from __future__ import annotations

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


def or_nothing(model: PackageModel, when: When, value: Expression) -> Expression:
    """Something that is nothing where the options leave it out."""
    test = presence(model, when)
    return value if test is None else ex.Conditional(test, value, NOTHING)

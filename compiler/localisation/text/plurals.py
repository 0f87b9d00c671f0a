"""The forms that a language has for counts: how many, which goes with a number, and how a PO file says it.

In: the id of a language. Out: numbers from 0, in the order of CLDR (zero, one, two, few, many, other), without those
that no whole number below a thousand has. Those of the languages of the project are written out, so that play need not
load the tables of all; a language that CLDR does not have counts like English.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from grimoire.compiler.localisation.tuning import (
    PLURAL_EXAMPLES,
    PLURAL_MOST,
)

ORDER: Final = ("zero", "one", "two", "few", "many", "other")
_THREE: Final = ("uk", "ru", "be")
_TWO: Final = ("en",)
_EAST: Final = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"


def plural_form(language: str, count: int) -> int:
    """The number of the form that goes with a count."""
    count = abs(count)
    if language in _TWO:
        return 0 if count == 1 else 1
    if language not in _THREE:
        rule, names = _cldr(language)
        return names.index(rule(count)) if rule(count) in names else len(names) - 1
    if count % 10 == 1 and count % 100 != 11:
        return 0
    if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14:
        return 1
    return 2


def plural_forms(language: str) -> int:
    """How many forms a language has."""
    return 2 if language in _TWO else 3 if language in _THREE else len(_cldr(language)[1])


def plural_examples(language: str) -> list[tuple[int, ...]]:
    """For each form the first numbers that it goes with."""
    found: list[list[int]] = [[] for _ in range(plural_forms(language))]
    for count in (*range(1, PLURAL_MOST), 0):
        found[plural_form(language, count)].append(count)
    return [tuple(row[:PLURAL_EXAMPLES]) for row in found]


@cache
def gettext_plurals(language: str) -> str:
    """The line Plural-Forms of a PO file, as translation programs know it where it says the same."""
    if language in _THREE:
        return _EAST
    if language in _TWO:
        return "nplurals=2; plural=(n != 1);"
    from gettext import c2py

    from babel.messages.plurals import get_plural
    from babel.plural import PluralRule, to_gettext

    rule, names = _cldr(language)
    locale = _locale(language)
    usual = get_plural(locale) if locale is not None else (2, "(n != 1)")
    if usual[0] == len(names):
        said = c2py(usual[1])
        if all(said(count) == plural_form(language, count) for count in range(PLURAL_MOST)):
            return f"nplurals={usual[0]}; plural={usual[1]};"
    rules: dict[str, str] = dict(getattr(rule, "rules", {}))
    return str(to_gettext(PluralRule({name: rules[name] for name in names[:-1]})))


@cache
def _cldr(language: str) -> tuple[Callable[[int], str], tuple[str, ...]]:
    """The rule of a language, and the names of its forms for whole numbers, in order."""
    locale = _locale(language)
    if locale is None:
        return (lambda count: "one" if count == 1 else "other"), ("one", "other")
    rule: Callable[[int], str] = locale.plural_form
    there = {rule(count) for count in range(PLURAL_MOST)}
    return rule, tuple(name for name in ORDER if name in there)


def _locale(language: str) -> Any:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (ValueError, UnknownLocaleError):
        return None

"""Counts: which form of a word goes with a whole number, in every language that CLDR has a rule for.

In: the id of a language, a number; plurals.json, which is made from CLDR (`python -m
grimoire.compiler.reference.plurals`). Out: the number of the form, from 0, in the order of CLDR (zero, one, two, few,
many, other) without those that no whole number below a thousand has; or the name that CLDR has for it. Of a language
without a rule nothing is said: None.
"""

from __future__ import annotations

import json
from functools import cache
from pkgutil import get_data
from typing import Final, NamedTuple

ORDER: Final = ("zero", "one", "two", "few", "many", "other")
MOST: Final = 1000  # games count less


class Relation(NamedTuple):
    """`i mod 10 in 2..4,7`: a number, or what is left of it, lies in one of the ranges; or, denied, in none."""

    whole: bool  # of the number itself; else of its decimals, which a whole number has none of
    modulus: int
    denied: bool
    ranges: tuple[tuple[int, int], ...]


Rule = tuple[tuple[Relation, ...], ...]  # one of the rows holds if all of its relations do


class Counting(NamedTuple):
    """How a language counts: the names of its forms, and the rules of all but the last."""

    forms: tuple[str, ...]
    rules: tuple[Rule, ...]

    def form_of(self, count: int) -> int:
        count = abs(count)
        for at, rule in enumerate(self.rules):
            if any(all(_holds(relation, count) for relation in row) for row in rule):
                return at
        return len(self.rules)


def plural_form(language: str, count: int) -> int | None:
    """The number of the form that goes with a count; None if no rule is known for the language."""
    found = _counting(language)
    return None if found is None else found.form_of(count)


def plural_category(language: str, count: int) -> str | None:
    """The name of the form that goes with a count; None if no rule is known for the language."""
    found = _counting(language)
    return None if found is None else found.forms[found.form_of(count)]


def plural_forms(language: str) -> int | None:
    """How many forms a language has; None if no rule is known for it."""
    found = _counting(language)
    return None if found is None else len(found.forms)


def read_rule(text: str) -> Rule:
    """A rule as CLDR writes it: `n mod 10 in 1 and n mod 100 not in 11 or ..`."""
    return tuple(tuple(_relation(part) for part in row.split(" and ")) for row in text.split(" or "))


def _relation(text: str) -> Relation:
    left, _, right = text.partition(" in ")
    denied = left.endswith(" not")
    operand, _, modulus = left.removesuffix(" not").partition(" mod ")
    ranges = [part.partition("..") for part in right.split(",")]
    bounds = tuple((int(low), int(high or low)) for low, _, high in ranges)
    return Relation(operand in ("n", "i"), int(modulus or 0), denied, bounds)


def _holds(relation: Relation, count: int) -> bool:
    value = count if relation.whole else 0
    if relation.modulus:
        value %= relation.modulus
    return any(low <= value <= high for low, high in relation.ranges) != relation.denied


@cache
def _table() -> dict[str, tuple[str, list[str]]]:
    data = json.loads(get_data(__package__, "plurals.json") or b"")
    return {language: (row["forms"], row["rules"]) for row in data["counts"] for language in row["languages"].split()}


@cache
def _counting(language: str) -> Counting | None:
    """A region counts like its language unless it has a rule of its own."""
    table = _table()
    name = language
    while name not in table:
        name, _, _ = name.rpartition("-")
        if not name:
            return None
    forms, rules = table[name]
    return Counting(tuple(forms.split()), tuple(map(read_rule, rules)))

"""How a PO file says the forms that a language has for counts, and numbers that go with each of them.

In: the id of a language; the rules themselves belong to the runtime (`grimoire.runtime.wording.counts`). Out: the line
Plural-Forms, examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from gettext import c2py
from typing import Final

from grimoire.compiler.localisation.tuning import PLURAL_EXAMPLES
from grimoire.runtime.wording.counts import MOST, ORDER, plural_form, plural_forms

UNKNOWN: Final = "nplurals=INTEGER; plural=EXPRESSION;"  # as the template of gettext has it before somebody fills it in
# Lines that translation programs know; the first that says what the rule says is taken.
USUAL: Final = (
    "nplurals=2; plural=(n != 1);",
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
)


def plural_examples(language: str) -> list[tuple[int, ...]]:
    """For each form the first numbers that it goes with; nothing if no rule is known."""
    found: list[list[int]] = [[] for _ in range(plural_forms(language) or 0)]
    for count in (*range(1, MOST), 0):
        form = plural_form(language, count)
        if form is not None:
            found[form].append(count)
    return [tuple(row[:PLURAL_EXAMPLES]) for row in found]


@cache
def gettext_plurals(language: str) -> str:
    """The line Plural-Forms of a PO file, as translation programs know it where it says the same."""
    if plural_forms(language) is None:
        return UNKNOWN
    return next(line for line in _lines(language) if _says_the_same(line, language))


def _lines(language: str) -> Iterator[str]:
    """Lines that could say how a language counts, the most usual first; the last one does."""
    from babel import Locale
    from babel.messages.plurals import get_plural
    from babel.plural import PluralRule, to_gettext

    yield from USUAL
    locale = Locale.parse(language, sep="-")
    usual = get_plural(locale)
    yield f"nplurals={usual[0]}; plural={usual[1]};"
    rule = locale.plural_form
    rules: dict[str, str] = {str(name): text for name, text in rule.rules.items()}
    there = {rule(count) for count in range(MOST)}
    names: list[str] = [name for name in ORDER if name in there]
    yield str(to_gettext(PluralRule({name: rules[name] for name in names[:-1]})))


def _says_the_same(line: str, language: str) -> bool:
    number, _, rule = line.partition("; plural=")
    if number != f"nplurals={plural_forms(language)}":
        return False
    said = c2py(rule.rstrip(";"))
    return all(said(count) == plural_form(language, count) for count in range(MOST))

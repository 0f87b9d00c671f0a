"""Make runtime/wording/plurals.json: the rules for counts of every language, from the tables of CLDR that Babel has.

In: nothing. Out: `render_plurals()`, the text of the file. Run as a module to write it anew: `python -m
grimoire.compiler.reference.plurals`. A test compares file and Babel.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, TypeAlias

from babel import Locale
from babel.localedata import locale_identifiers

from grimoire.compiler.files import write_file
from grimoire.runtime.wording.counts import MOST, ORDER

FILE: Final = Path(__file__).resolve().parents[2] / "runtime" / "wording" / "plurals.json"
WITHOUT_RULE: Final = "aa"  # a language that CLDR knows, but not how it counts
NOTE: Final = "Unicode CLDR, by Babel; made by grimoire.compiler.reference.plurals"


Counting: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


def rules_of(locale: Locale) -> Counting:
    """The forms that whole numbers have, in order, and the rules of all but the last."""
    rule = locale.plural_form
    there = {rule(count) for count in range(MOST)}
    names = tuple(name for name in ORDER if name in there)
    return names, tuple(rule.rules[name] for name in names[:-1])


def render_plurals() -> str:
    """The table as its file has it: languages with the same rules together; a region only where its language counts
    otherwise.
    """
    known = {name: rules_of(Locale.parse(name)) for name in sorted(locale_identifiers()) if _has_rule(name)}
    rows: dict[Counting, list[str]] = {}
    for name, rules in known.items():
        wider = name.rpartition("_")[0]
        while wider and wider not in known:
            wider = wider.rpartition("_")[0]
        if not wider or known[wider] != rules:
            rows.setdefault(rules, []).append(name.replace("_", "-"))
    table = [
        {"forms": " ".join(forms), "rules": list(rules), "languages": " ".join(names)}
        for (forms, rules), names in rows.items()
    ]
    return json.dumps({"source": NOTE, "counts": table}, indent=1) + "\n"


def _has_rule(name: str) -> bool:
    """Whether CLDR says how a language counts; where it does not, Babel has one rule for all that it gives instead."""
    return Locale.parse(name).plural_form is not Locale.parse(WITHOUT_RULE).plural_form


def main() -> None:
    write_file(FILE, render_plurals().encode())


if __name__ == "__main__":
    main()

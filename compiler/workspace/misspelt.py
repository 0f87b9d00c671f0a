"""Find the declaration that was misspelt among problems that speak of its uses.

In: the problems of a package. Out: the same, with one problem at each declaration that was misspelt, in the place of
all that follow from it. A name that is declared and used nowhere, one letter off a name that is used and declared
nowhere, is a misspelt declaration; where there is a single use, that is blamed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostic, Related, Span, is_one_letter_off
from grimoire.compiler.source.manifest import MANIFEST
from grimoire.compiler.workspace.engine import Database
from grimoire.compiler.workspace.places import anchor_span
from grimoire.compiler.workspace.references import declarations, file_words
from grimoire.compiler.workspace.sources import Package, listing

FEWEST: Final = 2  # uses that speak against a declaration
SHOWN: Final = 3
UNKNOWN_CLAUSE: Final = "G0801"
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


class Slip(NamedTuple):
    """A name as it is declared, and as it is used."""

    declared: str
    used: str


def blame_declarations(db: Database, package: Package, found: list[Diagnostic]) -> list[Diagnostic]:
    """The problems of a package, with those that follow from a misspelt declaration told there."""
    out = found
    for slip in sorted({slip for item in found for slip in list_slips(item)}):
        declaring, using = find_places(db, package, slip.declared), find_places(db, package, slip.used)
        is_rule = any(item.code == UNKNOWN_CLAUSE and slip in list_slips(item) for item in found)
        is_free = is_rule or not declarations(db, (package, slip.used))  # a rule has a name apart from all others
        if len(declaring) == 1 and declarations(db, (package, slip.declared)) and len(using) >= FEWEST and is_free:
            left = [item for item in out if not follows(item, slip)]
            out = [blame(slip, declaring[0], using), *left]
    return out


def find_places(db: Database, package: Package, name: str) -> list[Span]:
    """All places of a name itself, whatever is made of it, in the order of the files."""
    found: list[Span] = []
    for root in (*package.needs, package.root):
        for file in listing(db, root).names:
            if file != MANIFEST:
                found += [spot.span for spot in file_words(db, (package, root, file)).get(name, ())]
    return [anchor_span(db, span) for span in dict.fromkeys(found)]


def list_slips(item: Diagnostic) -> Iterable[Slip]:
    """Pairs of the words of a problem that proposes another word, one letter off each other."""
    if "did you mean" not in f"{item.message} {item.hint}":
        return
    head, _, tail = f"{item.message} {item.hint}".partition("did you mean")
    meant = set(_WORD.findall(tail))
    for used in set(_WORD.findall(head)):
        yield from (Slip(other, used) for other in meant if is_one_letter_off(used, other))


def follows(item: Diagnostic, slip: Slip) -> bool:
    """Whether a problem speaks of either name, or of a verb that is there and could not be declared with it."""
    words = _WORD.findall(f"{item.message} {item.hint}")
    return slip.declared in words or slip.used in words or item.code == "G0502"


def blame(slip: Slip, declaration: Span, using: list[Span]) -> Diagnostic:
    places = tuple(Related(span, "used here") for span in using[:SHOWN])
    message = f'"{slip.declared}" is used nowhere, and "{slip.used}" is used {len(using)} times and declared nowhere'
    return Diagnostic("G0525", "error", declaration, message, f"write {slip.used}", places)

"""What a unit tells of which pieces come where and what is done to them, and what its texts take for possible.

A *sort of pieces* is a kind, "" (any piece), or `@VERB.N`: whatever that argument of a verb is given. A *place* is a
zone, `space:KIND`, `*` (anywhere), or an argument as well. All is text, so that it can be kept between two runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from grimoire.compiler.diagnostics.report import Span

ANYWHERE: Final = "*"
ANY_PIECE: Final = ""
SPACE: Final = "space:"
ARGUMENT: Final = "@"
PremiseSort = Literal["lies", "works", "done", "happens"]


class Premise(NamedTuple):
    """What a text takes for possible. `lies`, `works`: such a piece is in a place, and an ability works there; `done`:
    an argument of a verb, named by `where`, is such a piece; `happens`: a verb is carried out at all."""

    sort: PremiseSort
    what: str
    where: str


class Told(NamedTuple):
    """What one unit tells, in order."""

    moves: tuple[tuple[str, str], ...] = ()  # a sort of pieces, and the place it is moved to
    given: tuple[tuple[str, str], ...] = ()  # an argument of a verb, and what it is given: pieces, or a place
    carried_out: tuple[str, ...] = ()  # verbs and procedures
    premises: tuple[Premise, ...] = ()


class Teller:
    """Collects what a unit tells while it is lowered."""

    def __init__(self) -> None:
        self.moves: set[tuple[str, str]] = set()
        self.given: set[tuple[str, str]] = set()
        self.carried_out: set[str] = set()
        self.premises: set[tuple[Premise, Span]] = set()
        self.definition: object = None  # the text of a definition that is looked at for itself
        self.presuming = True  # no premise is noted where a text is read again for one of many that bear it

    def presume(self, premise: Premise, span: Span) -> None:
        if self.presuming:
            self.premises.add((premise, span))

    def tell(self) -> Told:
        premises = {premise for premise, _ in self.premises}
        return Told(
            tuple(sorted(self.moves)),
            tuple(sorted(self.given)),
            tuple(sorted(self.carried_out)),
            tuple(sorted(premises)),
        )


def join_told(parts: Iterable[Told]) -> Told:
    """What several units tell together."""
    every = list(parts)
    return Told(
        tuple(sorted({row for one in every for row in one.moves})),
        tuple(sorted({row for one in every for row in one.given})),
        tuple(sorted({row for one in every for row in one.carried_out})),
        tuple(sorted({row for one in every for row in one.premises})),
    )


def name_argument(verb: str, number: int) -> str:
    """How an argument of a verb is called."""
    return f"{ARGUMENT}{verb}.{number}"

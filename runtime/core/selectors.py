"""The selectors of the core: ordered lists of objects or numbers."""

from __future__ import annotations

from typing import Literal

from grimoire.runtime.core.records import Bound, Expression, Kind, RelationRow, Selector, Sort, form


@form("zone*")
class PiecesOfZone(Selector):
    """the pieces of a zone, bottom to top"""

    zone: Expression


@form("top*")
class TopPieces(Selector):
    """the top pieces of a zone, top first"""

    zone: Expression
    number: Expression


@form("pieces")
class PiecesOfKind(Selector):
    """all pieces of a kind that are in some zone, by zone and place"""

    kind: Kind


@form("fixtures")
class FixturesOfKind(Selector):
    """all fixtures of a kind"""

    kind: Kind


@form("seats")
class SeatsFrom(Selector):
    """all seats in turn order from that one"""

    seat: Expression


@form("rel")
class Related(Selector):
    """what a relation leads to from a fixture"""

    relation: RelationRow
    fixture: Expression


@form("members")
class Members(Selector):
    """the members of a set in ascending order; seats in turn order from the current one; pieces by zone and
    place, those out of play last"""

    sort: Sort
    members: Expression


@form("range")
class Range(Selector):
    """the numbers from the first to the second, both included"""

    low: Expression
    high: Expression


@form("cat")
class Concatenation(Selector):
    """one list after the other; of what is there twice the first is kept"""

    lists: tuple[Selector, ...]


@form("filter")
class Filter(Selector):
    """those for which the condition holds"""

    selector: Selector
    element: Bound
    condition: Expression


@form("best")
class Best(Selector):
    """all that share the largest or smallest key"""

    extreme: Literal["max", "min"]
    selector: Selector
    element: Bound
    key: Expression


@form("take")
class Take(Selector):
    """the first so many"""

    number: Expression
    selector: Selector


@form("except")
class Except(Selector):
    """all but one object"""

    selector: Selector
    but: Expression


@form("lone")
class Lone(Selector):
    """one object, unless it is -1"""

    object: Expression

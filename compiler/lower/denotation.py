"""What a noun means: which objects, and how many of them; finished (`Denotation`), or being built (`Draft`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from grimoire.compiler.declare.model import Type
from grimoire.compiler.lower.forms import as_sort
from grimoire.compiler.records import field, record
from grimoire.compiler.syntax import nodes as s
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression, Selector

Filter = Callable[[Expression], Expression]
Extreme = Literal["max", "min"]
Item = s.NounPhrase | s.Count | s.Operand | s.BareWords | s.Those


class Program(NamedTuple):
    """A text of a piece: `the effect of the card`; `many` where the slot holds a list of texts."""

    piece: Expression
    name: str
    kind: str | None
    many: bool = False


@record()
class Denotation:
    """`quant`: one (a definite object), all, choose, random, none. `low` and `high` bound a choice (None: no bound)."""

    type: Type
    quant: str
    expr: Expression | None = None
    mask: Expression | None = None
    sel: Selector | None = None
    low: Expression | None = None
    high: Expression | None = None
    manner: str | None = None
    node: object = None
    program: Program | None = None
    source: str | None = None  # the named set that it was taken from
    alike: bool = False  # copies of one card that nothing tells apart: which of them is not asked
    slot: int = -1  # the slot that a choice of it fills, where that is fixed already

    def selector(self) -> Selector:
        if self.sel is not None:
            return self.sel
        if self.mask is not None:
            return se.Members(as_sort(self.type.sort), self.mask)
        assert self.expr is not None
        return se.Lone(self.expr)

    def as_mask(self) -> Expression:
        if self.mask is not None:
            return self.mask
        if self.sel is not None:
            return ex.SetOf(self.sel)
        assert self.expr is not None
        return ex.SetWith(self.expr)


@record()
class Draft:
    """A noun being built: where its objects come from, and what they must meet."""

    type: Type
    base: Selector | None = None
    single: Expression | None = None
    mask: Expression | None = None
    whole: bool = True  # base is the whole domain of the kind
    filters: list[Filter] = field(default_factory=list)
    best: list[tuple[Extreme, Filter]] = field(default_factory=list)
    pick: str | None = None
    pick_count: Expression | None = None
    random: bool = False
    plural: bool = False
    program: Program | None = None
    zone: Expression | None = None  # the one zone that the base is the content of
    place: str | None = None  # ... as it is declared, where that is known
    copies: bool = False  # of one card, by its plural
    source: str | None = None

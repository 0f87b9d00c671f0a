"""What the parts of a build share: the package, the tables being filled, how calls are made; and what they ask of each
other."""

from __future__ import annotations

from abc import abstractmethod

from grimoire.runtime.build.calls import Calls
from grimoire.runtime.build.layout import Layout
from grimoire.runtime.build.numbers import Numbers
from grimoire.runtime.build.references import References
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.build.work import Sizes
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.errors import ArtefactError, BudgetExceeded
from grimoire.runtime.kernel import base
from grimoire.runtime.kernel.base import Expr, Tables, Unit
from grimoire.runtime.kernel.blocks import Routine
from grimoire.runtime.kernel.nodes import Function
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_SIZE


class Settings:
    """For whom a program is built, and how."""

    def __init__(self, players: int, options: dict[str, int], fuse: bool, quiet: bool, track: bool) -> None:
        self.players = players
        self.options = options
        self.fuse = fuse  # off only in tests, which compare fused with plain nodes
        self.quiet = quiet  # no log will be written, nothing saved: for bulk play
        self.track = track  # statements, entries and abilities are counted


class Basis:
    """What is settled before code is built, and what all builds of a program share, questions included."""

    def __init__(self, references: References, layout: Layout, settings: Settings) -> None:
        self.references = references
        self.layout = layout
        self.settings = settings
        self.numbers = Numbers()
        self.heard: dict[int, int] = {}  # verb -> first of its four index keys
        self.modified: dict[int, int] = {}  # column -> index key
        self.calls = Calls(references, self.heard, settings.players, settings.fuse)
        self.sizes = Sizes(references.artefact, layout, self.calls)
        self.functions = [Function(row.id) for row in references.artefact.functions]
        self.built = [0] * len(self.functions)  # 1: it is being built, 2: it is there
        self.places: dict[tuple[int, int], int] = {}  # of what is in a procedure without a frame, by where it is called
        self.nowhere = State(layout.tables, b"", None)  # in which constants are worked out


class Context:
    """The basis at hand for every part of a build, and the ways from one part to another."""

    def __init__(self, basis: Basis, asking: bool) -> None:
        self.basis = basis
        self.asking = asking  # for a question: nothing that it makes may stay
        self.references = basis.references
        self.artefact: Artefact = basis.references.artefact
        self.procs = basis.references.procs
        self.layout = basis.layout
        self.tables: Tables = basis.layout.tables
        self.settings = basis.settings
        self.players = basis.settings.players
        self.fuse = basis.settings.fuse
        self.quiet = basis.settings.quiet
        self.numbers = basis.numbers
        self.heard = basis.heard
        self.modified = basis.modified
        self.calls = basis.calls
        self.sizes = basis.sizes
        self.nowhere = basis.nowhere

    # -- from one part to another

    @abstractmethod
    def expr(self, form: Expression, scope: Scope) -> Expr:
        """The node of an expression."""

    @abstractmethod
    def selector(self, form: Selector, scope: Scope, units: int = 0) -> base.Selector:
        """The node of a selector with each of whose elements something of so many units of work is done."""

    @abstractmethod
    def can(self, statement: Statement, scope: Scope) -> Expr:
        """The node that tries a statement."""

    @abstractmethod
    def function(self, at: int) -> Function:
        """A pure function, built when first used."""

    @abstractmethod
    def routine(self, proc: int, event: bool, place: int) -> Routine:
        """A procedure for direct calls, first called at a place; with `event` in the window of its event unit."""

    @abstractmethod
    def call_unit(self, proc: int) -> Unit:
        """The unit of a plain call."""

    @abstractmethod
    def verb_unit(self, proc: int) -> Unit:
        """The unit of a proposed event that nothing in the package answers, where no log is kept: a plain call."""

    @abstractmethod
    def event_unit(self, proc: int) -> Unit:
        """The unit of a proposed event: look, body, after."""

    # -- what all of them need

    def exprs(self, forms: tuple[Expression, ...] | list[Expression], scope: Scope) -> list[Expr]:
        """The nodes of expressions."""
        return [self.expr(form, scope) for form in forms]

    def too_large(self, place: int, name: str) -> BudgetExceeded:
        """The refusal of something that is too much work with all that is written out in it."""
        places = self.tables.places
        where = places[place] if 0 <= place < len(places) else ""
        return BudgetExceeded(
            f"{name}{f' at {where}' if where else ''} is too large with all that is written out in it: "
            f"more than {MAX_SIZE:,} units of work without a loop",
            "size",
            MAX_SIZE,
            where,
            (name,),
        )

    def place_in(self, proc: int, around: int) -> int:
        """The number of a place for what stands in a procedure that runs without a frame: its own, else that of its
        call; with its name."""
        at = self.references.place_of(proc)
        at = at if at >= 0 else around
        known = self.basis.places.get((proc, at))
        if known is not None or self.asking:
            return at if known is None else known
        t = self.tables
        found = self.basis.places[proc, at] = len(t.places)
        t.inside[found] = self.procs[proc].id
        t.places.append(t.places[at] if at >= 0 else "")
        return found


def require_ability(scope: Scope, what: str) -> None:
    """Refuse what only stands in an ability."""
    if scope.window.heard < 0:
        raise ArtefactError(f"{what} stands outside an ability")

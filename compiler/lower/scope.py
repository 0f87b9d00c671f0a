"""Scopes of the resolve stage: what a name means at one place of an effect.

A `Unit` is one window of slots (a procedure, an ability, a function). A `Scope` is a chain of names inside it. A name
of an outer unit is captured: its value is copied into the floating effect when that is granted. A name that was given
inside a branch stays known behind it, as empty: the slot is cleared in front of the branch as soon as somebody reads
the name from outside.
"""

from __future__ import annotations

from grimoire.compiler.declare.model import SEAT, Type, Verb
from grimoire.compiler.records import field, record
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement


@record()
class Ref:
    """A value known by an expression."""

    expr: Expression
    type: Type


@record()
class Name:
    """A word and its value. `resets`: the windows and slots of the clearing `let`s in front of the branches that gave
    it and are closed."""

    word: str
    ref: Ref
    token: Token | None
    used: bool = False
    resets: list[tuple[Unit, int]] = field(default_factory=list)

    def read(self) -> Ref:
        self.used = True
        for unit, slot in self.resets:
            assert isinstance(self.ref.expr, ex.Slot)
            unit.redirects[slot] = self.ref.expr.slot
        return self.ref


@record()
class Unit:
    """One slot window being filled."""

    id: str
    slots: int = 1
    captures: list[Expression] = field(default_factory=list)
    floating: bool = False
    verb: Verb | None = None
    result: int = -1
    chosen: set[int] = field(default_factory=set)  # slots that a choice may leave empty
    taken: dict[str, Expression] = field(default_factory=dict)  # what the last choice took out of a named set
    redirects: dict[int, int] = field(
        default_factory=dict
    )  # slots of clearing `let`s -> the slots that they clear after all

    def slot(self) -> int:
        self.slots += 1
        return self.slots - 1


@record()
class EventShape:
    """The event that an ability hears."""

    verb: Verb
    replaceable: bool
    object: Ref | None = None


@record()
class Order:
    """`in turn from NP`, `at the same time`: set by a gate, to be used by somebody below it."""

    expr: Expression | None
    used: bool = False


@record()
class Scope:
    unit: Unit
    parent: Scope | None = None
    names: dict[str, Name] = field(default_factory=dict)
    you: Expression = field(default_factory=lambda: ex.Slot(0))
    they: Expression | None = None
    it: Ref | None = None
    this: Ref | None = None
    event: EventShape | None = None
    order: Order | None = None
    poll: Order | None = None
    loops: int = 0
    did: int = -1
    fail: int = -1  # the slot that a part which cannot be done sets to 0
    outcome: Ref | None = None
    asks: Expression | None = None  # who is asked, where it is not `you`
    resets: list[Statement] = field(default_factory=list)  # to stand in front of the statement at hand
    moving: bool = False  # a move is spoken of: it may say how things come to lie

    def inner(self) -> Scope:
        return Scope(
            self.unit, self, {}, self.you, self.they, self.it, self.this, self.event, self.order, self.poll,
            self.loops, self.did, self.fail, self.outcome, self.asks,
        )  # fmt: skip

    def of_move(self) -> Scope:
        """The same, for the nouns of a move."""
        made = self.inner()
        made.moving = True
        return made

    def bind(self, word: str, ref: Ref, token: Token | None) -> Name:
        name = Name(word, ref, token)
        self.names[word] = name
        return name

    def find(self, word: str) -> Name | None:
        scope: Scope | None = self
        while scope is not None:
            name = scope.names.get(word)
            if name is not None:
                return name
            scope = scope.parent
        return None

    def lookup(self, word: str, given: bool = False) -> Ref | None:
        """The value of a name, captured where it belongs to an outer unit. `given`: only names given with `as`."""
        name = self.names.get(word)
        if name is not None and (name.token is not None or not given):
            return name.read()
        if self.parent is None:
            return None
        ref = self.parent.lookup(word, given)
        if ref is None or self.parent.unit is self.unit:
            return ref
        return self.capture(ref)

    def capture(self, ref: Ref) -> Ref:
        if isinstance(ref.expr, ex.Number):
            return ref
        captures = self.unit.captures
        if ref.expr not in captures:
            captures.append(ref.expr)
        slot = 2 + captures.index(ref.expr)
        if not ref.type.many:
            self.unit.chosen.add(slot)
        return Ref(ex.Slot(slot), ref.type)

    def inherit(self, what: str) -> Ref | None:
        """`they`, `it` or `this`, captured where it belongs to an outer unit."""
        own = getattr(self, what)
        if own is not None:
            return own if isinstance(own, Ref) else Ref(own, SEAT)
        if self.parent is None:
            return None
        ref = self.parent.inherit(what)
        if ref is None or self.parent.unit is self.unit:
            return ref
        return self.capture(ref)

    def leave(self) -> None:
        """Close a branch: its names stay known in the scope around it, as empty unless the branch was taken."""
        outer = self.parent
        assert outer is not None
        for word, name in self.names.items():
            given = name.ref.expr
            if name.token is None or word in outer.names or not isinstance(given, ex.Slot):
                continue
            empty = -1 if name.ref.type.sort in ("seat", "fixture", "piece", "zone") and not name.ref.type.many else 0
            reset = st.Let(self.unit.slot(), ex.Number(empty))
            name.resets.append((self.unit, reset.slot))
            outer.resets.append(reset)
            outer.names[word] = name
            if not name.ref.type.many:
                self.unit.chosen.add(given.slot)
        outer.resets.extend(self.resets)
        self.resets.clear()
        if self.did >= 0 and self.did != outer.did:
            outer.did = self.did
            outer.resets.append(st.Let(self.did, ex.Number(0)))

    def forgive(self) -> None:
        """A line could not be read: what it may have used or done is not reported as missing."""
        if self.did < 0:
            self.did = self.unit.slot()
        scope: Scope | None = self
        while scope is not None:
            for name in scope.names.values():
                name.used = True
            scope = scope.parent

    def most_recent(self, sort: str) -> Ref | None:
        """The last named single object of a sort."""
        scope: Scope | None = self
        while scope is not None:
            for name in reversed(scope.names.values()):
                if name.token is not None and name.ref.type.sort == sort and not name.ref.type.many:
                    return self.lookup(name.word)
            scope = scope.parent
        return None

    def words(self) -> list[str]:
        out: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            out.extend(scope.names)
            scope = scope.parent
        return out

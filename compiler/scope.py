"""Scopes of the resolve stage: what a name means at one place of an effect.

A `Unit` is one window of slots (a procedure, an ability, a function). A `Scope` is a chain of names inside it. A name of an outer unit
is captured: its value is copied into the floating effect when that is granted.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from grimoire.compiler.model import Expr, Type, Verb


@dataclass(slots=True)
class Ref:
    """A value known by an expression."""

    expr: Expr
    type: Type


@dataclass(slots=True)
class Name:
    word: str
    ref: Ref
    token: Token | None
    used: bool = False
    unit: Unit | None = None


@dataclass(slots=True)
class Unit:
    """One slot window being filled."""

    id: str
    slots: int = 1
    captures: list[Expr] = field(default_factory=list)
    floating: bool = False
    verb: Verb | None = None
    result: int = -1
    chosen: set[int] = field(default_factory=set)  # slots that a choice may leave empty

    def slot(self) -> int:
        self.slots += 1
        return self.slots - 1


@dataclass(slots=True)
class EventShape:
    """The event that an ability hears."""

    verb: Verb
    replaceable: bool
    object: Ref | None = None


@dataclass(slots=True)
class Scope:
    unit: Unit
    parent: Scope | None = None
    names: dict[str, Name] = field(default_factory=dict)
    you: Expr = field(default_factory=lambda: ["slot", 0])
    they: Expr | None = None
    it: Ref | None = None
    this: Ref | None = None
    event: EventShape | None = None
    order_from: Expr | None = None
    secret: bool = False
    poll: bool = False
    loops: int = 0
    did: int = -1
    outcome: Ref | None = None
    granting: bool = False
    asks: Expr | None = None  # who is asked, where it is not `you`

    def inner(self) -> Scope:
        return Scope(
            self.unit, self, {}, self.you, self.they, self.it, self.this, self.event, self.order_from, self.secret, self.poll,
            self.loops, self.did, self.outcome, self.granting, self.asks,
        )  # fmt: skip

    def bind(self, word: str, ref: Ref, token: Token | None) -> Name:
        name = Name(word, ref, token, False, self.unit)
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

    def lookup(self, word: str) -> Ref | None:
        """The value of a name, captured when it belongs to an outer unit."""
        name = self.find(word)
        if name is None:
            return None
        name.used = True
        if name.unit is self.unit or name.unit is None:
            return name.ref
        return self.capture(name.ref)

    def capture(self, ref: Ref) -> Ref:
        captures = self.unit.captures
        if ref.expr in captures:
            return Ref(["slot", 2 + captures.index(ref.expr)], ref.type)
        captures.append(ref.expr)
        return Ref(["slot", 1 + len(captures)], ref.type)

    def words(self) -> list[str]:
        out: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            out.extend(scope.names)
            scope = scope.parent
        return out

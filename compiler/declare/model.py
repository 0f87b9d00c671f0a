"""What a package declares: the vocabulary that effects are resolved against.

In: nothing. Out: plain data classes, filled by the declare stage and read by the resolve and lower stages. A declared
thing knows the span of its name, so that every later diagnostic can point at it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.records import field, record
from grimoire.compiler.source.manifest import LANGUAGE
from grimoire.compiler.source.tree import Node, Scalar, Sequence
from grimoire.compiler.syntax import nodes as s

Printed: TypeAlias = Node | str | int  # a value as it stands in a file, or one that follows from where it stands
SORTS = ("number", "flag", "seat", "fixture", "piece", "zone", "procedure")


@record(frozen=True)
class Type:
    """A sort, narrowed to a kind; `many` is a set of them, `optional` may be nothing."""

    sort: str
    kind: str | None = None
    many: bool = False
    optional: bool = False
    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        name = self.kind or {"seat": "player", "fixture": "thing"}.get(self.sort, self.sort)
        return f"set of {name}" if self.many else name

    def one(self) -> Type:
        return Type(self.sort, self.kind, False, self.optional, self.low, self.high)

    def set(self) -> Type:
        return Type(self.sort, self.kind, True, self.optional, self.low, self.high)


NUMBER = Type("number")
FLAG = Type("flag")
SEAT = Type("seat", "player")


class Spanned(Protocol):
    """Whatever was declared somewhere."""

    @property
    def span(self) -> Span: ...


@record()
class Text:
    """An effect text in its YAML slot; `node` is filled by the parse stage."""

    text: str
    start: str  # start symbol of the grammar
    scalar: Scalar  # for places
    file: str
    owner: str  # readable name of where it stands
    clauses: tuple[str, ...] = ()
    node: s.Root | None = None
    ok: bool = True
    language: int = LANGUAGE  # the version of the language that it is written in

    @property
    def span(self) -> Span:
        return self.scalar.span

    @property
    def block(self) -> s.Block:
        """The node of an effect."""
        assert isinstance(self.node, s.Block)
        return self.node

    @property
    def window(self) -> s.Window:
        """The node of a trigger."""
        assert isinstance(self.node, s.Window)
        return self.node

    @property
    def condition(self) -> s.Condition:
        """The node of a condition."""
        assert isinstance(self.node, s.Condition)
        return self.node

    @property
    def amount(self) -> s.Amount:
        """The node of an amount."""
        assert isinstance(self.node, s.Amount)
        return self.node

    @property
    def limit(self) -> s.Limit:
        """The node of a limit."""
        assert isinstance(self.node, s.Limit)
        return self.node


@record()
class Field:
    """A printed field or a changeable state of a kind."""

    name: str
    type: Type
    state: bool
    start: Node | None
    seen: str
    span: Span
    column: int = -1
    clauses: tuple[str, ...] = ()


@record()
class Kind:
    id: str
    parent: str | None
    sort: str
    plural: str
    span: Span
    package: str
    fields: dict[str, Field] = field(default_factory=dict)
    adjectives: dict[str, Text] = field(default_factory=dict)
    derived: dict[str, Text] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)
    holds: bool = False
    seen: str = "all"
    names: str | None = None
    abilities: dict[str, Ability] = field(default_factory=dict)  # every card of the kind has them
    place: Text | None = None  # of players: the derived value that says where they stand
    back: bool = False  # its pieces look alike from behind: that a hidden one is of the kind is no secret
    listed: str | None = None  # the heading under which lists show what is of the kind
    together: list[tuple[Scalar, ...]] = field(default_factory=list)  # fields and slots of which a card has all or none
    lends: str | None = None  # the kind of cards to which its cards lend their abilities, by being named on them
    index: int = -1
    places: dict[str, Span] = field(default_factory=dict)  # where each of these was said, so that nothing is said twice


When = tuple[tuple[str, tuple[str, ...]], ...]  # values of options, all of which must fit
ALWAYS: When = ()


@record()
class Thing:
    """A fixture: a space, a line, a value, a resource. `when`: with which options it is there; `spot`: where it is
    drawn."""

    id: str
    kind: str
    values: dict[str, Printed]
    span: Span
    index: int = -1
    when: When = ALWAYS
    spot: tuple[int, int] | None = None


@record()
class Relation:
    """`member` of `owner`: the cells of a line, the lines through a cell, the spaces adjacent to a space."""

    id: str
    owner: str  # kind
    member: str  # kind
    prep: str  # "of" or "adjacent to" or another preposition
    pairs: dict[str, list[str]]
    index: int = -1
    region: bool = False  # the owner is a region, or what lies in one
    only: dict[tuple[str, str], tuple[When, ...]] = field(default_factory=dict)  # pairs that options bring


@record()
class Zone:
    id: str
    holds: str
    each: bool
    ordered: bool
    seen: str
    span: Span
    clauses: tuple[str, ...] = ()
    index: int = -1
    counted: bool = True  # whether players are told how many pieces lie there
    when: When = ALWAYS


@record()
class Counter:
    id: str
    type: Type
    start: int | None
    seen: str
    span: Span
    clauses: tuple[str, ...] = ()
    index: int = -1
    start_name: str | None = None


@record()
class Ability:
    id: str
    span: Span
    window: Text | None = None
    only: Text | None = None
    limit: Text | None = None
    do: Text | None = None
    always: Text | None = None
    clauses: tuple[str, ...] = ()
    zones: tuple[str, ...] | None = None  # where the card must lie for it to work; None: where it can be seen
    use: str | None = None  # the verb in whose place it is used: `action: ..`
    other_windows: tuple[Text, ...] = ()  # `window` as a list: those behind the first


@record()
class Definition:
    """A card, token, figure or sheet: one printed thing with its copies."""

    id: str
    kind: str
    copies: int
    zone: str | None
    values: dict[str, Printed]
    programs: dict[str, Text]
    abilities: dict[str, Ability]
    span: Span
    package: str
    clauses: tuple[str, ...] = ()
    index: int = -1
    when: When = ALWAYS

    def texts(self, slot: str) -> int:
        """How many texts it has in a slot; those of a list are kept as `slot.1`, `slot.2` .."""
        if slot in self.programs:
            return int(self.programs[slot].ok)
        count = 0
        while f"{slot}.{count + 1}" in self.programs:
            count += 1
        return count


@record()
class Param:
    """`role`: object, amount, or the token type of a preposition; None for what is given by its name."""

    name: str
    type: Type
    role: str | None
    optional: bool = False
    noun: str | None = None  # the fixed noun behind an amount: "draw <number> cards"

    @property
    def key(self) -> str:
        """How a call gives it: the role, or the name. No role is written like a name but object and amount."""
        return self.role or self.name


@record()
class Verb:
    id: str
    span: Span
    params: list[Param]
    done: str | None
    body: Text | None
    only: Text | None
    result: Type | None
    package: str
    clauses: tuple[str, ...] = ()
    index: int = -1  # proc index
    procedure: bool = False
    settings: list[Param] = field(default_factory=list)
    setting_starts: dict[str, Node] = field(default_factory=dict)
    steps: dict[str, Text] = field(default_factory=dict)
    signature: str = ""
    told: bool = False  # whether the log says what it gives
    uses: str | None = None  # the key of abilities that are used in its place


@record()
class Option:
    id: str
    sort: str
    values: list[str]
    default: str | bool | None
    span: Span


@record()
class Order:
    """Who decides in which order things come that happen at once: `turn` (nobody), `current` (the current player)."""

    id: str
    by: str
    span: Span
    clauses: tuple[str, ...] = ()


@record()
class Aim:
    """What is good for the players whom `only` fits; the values are added."""

    id: str
    only: Text | None
    values: list[Text]
    span: Span


@record()
class Clause:
    """A statement of the rulebook in the ledger."""

    id: str
    kind: str  # rule, definition, manners
    reason: str | None
    numbers: dict[str, str]
    span: Span
    package: str = ""
    unverified: str | None = None  # by what source it is known, and why that is not certain


@record()
class Rule:
    """An entry of the ledger: where it stands in the printed editions, by language."""

    id: str
    numbers: dict[str, str]
    after: dict[str, str]  # the entry that it stands behind in a book, where that is not its alphabetical place
    span: Span
    package: str = ""
    see: tuple[str, ...] | None = None  # the related entries of a book; without it they are found in the texts


@record()
class PackageModel:
    """All that a package and those it needs declare, by name."""

    id: str
    version: str
    kinds: dict[str, Kind] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    boards: dict[str, Span] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    zones: dict[str, Zone] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    verbs: dict[str, Verb] = field(default_factory=dict)
    abilities: dict[str, Ability] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    terms: dict[str, Text] = field(default_factory=dict)  # words for what can be worked out: `leader`
    score: Text | None = None
    invariants: dict[str, Text] = field(default_factory=dict)  # what holds in every position
    order: dict[str, Order] = field(default_factory=dict)  # who decides what comes first
    aims: dict[str, Aim] = field(default_factory=dict)
    texts: list[Text] = field(default_factory=list)
    languages: dict[str, int] = field(default_factory=dict)  # versions of the language, by package

    def language(self, package: str) -> int:
        """The version of the language that the texts of a package are written in."""
        return self.languages.get(package, LANGUAGE)

    def list_names(self) -> set[str]:
        """All that effects can speak of by a name, with the plurals and the participles."""
        tables: tuple[Iterable[str], ...] = (
            self.kinds, self.things, self.zones, self.counters, self.definitions, self.verbs, self.abilities,
            self.options, self.terms,
        )  # fmt: skip
        names = {name for table in tables for name in table}
        for kind in self.kinds.values():
            names |= {kind.plural, *kind.fields, *kind.adjectives, *kind.derived, *kind.slots}
        for verb in self.verbs.values():
            names |= {param.name for param in (*verb.params, *verb.settings)}
            names |= {verb.done} if verb.done is not None else set()
        return names

    def ancestors(self, kind: str | None) -> list[str]:
        """The kind and those above it, nearest first."""
        out: list[str] = []
        while kind is not None and kind in self.kinds and kind not in out:
            out.append(kind)
            kind = self.kinds[kind].parent
        return out

    def is_a(self, kind: str | None, wanted: str | None) -> bool:
        if wanted is None:
            return True
        kinds = self.kinds
        for _ in kinds:  # a kind above itself is refused, and looked at all the same
            found = kinds.get(kind) if kind is not None else None
            if found is None or kind == wanted:
                return found is not None
            kind = found.parent
        return False

    def fits(self, kind: str | None, wanted: str | None) -> bool:
        """Below or above: above is narrowed when the game runs."""
        return kind is None or wanted is None or self.is_a(kind, wanted) or self.is_a(wanted, kind)

    def field(self, kind: str | None, name: str) -> Field | None:
        for ancestor in self.ancestors(kind):
            found = self.kinds[ancestor].fields.get(name)
            if found is not None:
                return found
        return None

    def descendants(self, kind: str) -> list[str]:
        return [k for k in self.kinds if self.is_a(k, kind)]


def lent(model: PackageModel, definition: Definition) -> list[tuple[str, Ability]]:
    """The abilities of the cards that a card names in its printed fields, if these lend them to its kind; and whose."""
    lenders = {k.names: k for k in model.kinds.values() if k.lends}
    found: dict[tuple[str, str], Ability] = {}
    for name, node in definition.values.items() if lenders else ():
        declared = model.field(definition.kind, name)
        kind = lenders.get(declared.type.kind) if declared is not None and not declared.state else None
        if kind is None or not model.is_a(definition.kind, kind.lends):
            continue
        for item in node.items if isinstance(node, Sequence) else [node]:
            lender = model.definitions.get(item.value) if isinstance(item, Scalar) else None
            if lender is not None and model.is_a(lender.kind, kind.id):
                for above in reversed(model.ancestors(lender.kind)):
                    found.update({(lender.id, k): v for k, v in model.kinds[above].abilities.items()})
                found.update({(lender.id, k): v for k, v in lender.abilities.items()})
    return [(whose, ability) for (whose, _), ability in found.items()]

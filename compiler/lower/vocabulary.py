"""The vocabulary of a package: everything that a text is lowered against.

It is made from the interface of the declarations: kinds with their adjectives and derived values, things, zones,
counters, verbs with their signatures and restrictions, the names and kinds of cards, which verbs some text forbids or
can stop. It does not hold what the texts of cards, verbs and abilities say: as long as `key` is the same, a unit is
lowered to the same result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from grimoire.compiler.declare.model import Field, Kind, PackageModel, Text, Type, Verb
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, Related
from grimoire.compiler.lower.output import LoweredUnit, Ruling
from grimoire.compiler.records import record
from grimoire.compiler.source.tree import Mapping, Scalar
from grimoire.compiler.source.tree import Sequence as Listed
from grimoire.compiler.syntax import nodes as s
from grimoire.runtime.core.tables import Column


@record(frozen=True)
class Signals:
    """What a text tells all others: the verbs that it forbids, and those that it can stop, as it names them."""

    cannot: frozenset[str] = frozenset()
    cannot_be: frozenset[str] = frozenset()
    stops: frozenset[str] = frozenset()


_SILENT = Signals()


def can_signal(text: Text) -> bool:
    """Whether a text has a word without which it tells others nothing."""
    said = text.text
    return "cannot" in said or "would" in said or "before" in said


def text_signals(text: Text) -> Signals:
    """What a parsed text tells all others."""
    if not text.ok or text.node is None or not can_signal(text):
        return _SILENT
    cannot, cannot_be, stops = set(), set(), set()
    windows = text.start in ("trigger", "effect")
    for node in walk_nodes(text.node):
        if isinstance(node, s.Cannot):
            cannot.add(str(node.action.verb))
        elif isinstance(node, s.CannotBe):
            cannot_be.add(str(node.verb))
        elif windows and isinstance(node, s.Window) and node.event is not None:
            if node.event.form in ("would", "would_be") or node.kind == "before":
                stops.add(str(node.event.verb))
    return Signals(frozenset(cannot), frozenset(cannot_be), frozenset(stops))


def join_signals(signals: Iterable[Signals]) -> Signals:
    """What several texts tell together."""
    every = [one for one in signals if one is not _SILENT]
    return Signals(
        frozenset().union(*(one.cannot for one in every)),
        frozenset().union(*(one.cannot_be for one in every)),
        frozenset().union(*(one.stops for one in every)),
    )


@record()
class Peek:
    """What can be said of a noun before it is resolved. `wants`: a field or a zone that needs its owner behind `of`."""

    sort: str | None
    kind: str | None = None
    single: bool = False
    wants: bool = False


def is_absent_number(type_: Type) -> bool:
    """Whether a number of this type may be nothing."""
    return type_.sort == "number" and type_.optional and not type_.many


class Vocabulary:
    """Everything that a text is lowered against. Nothing changes it once it is made; what it remembers follows from
    it."""

    def __init__(self, model: PackageModel, signals: Signals) -> None:
        self.model = model
        self.signals = signals
        self.nouns: dict[str, tuple[Kind, bool]] = {}
        self.participles: dict[str, Verb] = {}
        self.verb_words = {verb.id: verb for verb in model.verbs.values() if not verb.procedure}
        self.setting_owners: dict[str, list[str]] = {}
        self.meant_of: dict[
            int, Type
        ] = {}  # of which kind an adjective or a derived value is said, by its text's identity
        self.broken: set[int] = set()  # adjectives and derived values that are reported, by their texts' identity
        diags = Diagnostics()
        self.take_words(diags)
        self.declared = [
            (kind, declared) for kind in model.kinds.values() for declared in kind.fields.values()
        ]  # by column
        # what may hold no number, with its word and how it is called
        self.absent_columns = {
            at: (declared.name, f"the {declared.name} of a {kind.id}")
            for at, (kind, declared) in enumerate(self.declared)
            if is_absent_number(declared.type)
        }
        self.absent_counters = {
            counter.index: (name, f"the counter {name}")
            for name, counter in model.counters.items()
            if is_absent_number(counter.type)
        }
        self.numbered = {verb.index: verb for verb in model.verbs.values()}
        self.forbidden = {verb.index for verb in self.find_verbs(signals.cannot, self.verb_words)}
        self.forbidden |= {verb.index for verb in self.find_verbs(signals.cannot_be, self.participles)}
        self.stoppable = {
            verb.index for verb in self.find_verbs(signals.stops, self.verb_words | self.participles)
        } | self.forbidden
        self.diagnostics: tuple[Diagnostic, ...] = diags.list_added()
        self.definitions: LoweredUnit | None = None  # what the adjectives and derived values, looked at once each, left
        self.column_rows: list[Column] = []
        # remembered
        self.peeks: dict[tuple[str, bool], Peek] = {}
        self.meanings: dict[int, Type] = {}
        self.rulings: dict[int, Ruling] = {}
        self.copies: dict[str, int] = {}
        self._key: str | None = None

    def take_words(self, diags: Diagnostics) -> None:
        """Nouns, participles, settings: which word means what."""
        model = self.model
        for kind in model.kinds.values():
            self.nouns.setdefault(kind.id, (kind, False))
            if kind.plural != kind.id:
                self.nouns.setdefault(kind.plural, (kind, True))
            for text in (*kind.adjectives.values(), *kind.derived.values()):
                self.meant_of[id(text)] = Type(kind.sort, kind.id)
        for verb in model.verbs.values():
            if verb.procedure:
                for param in (*verb.params, *verb.settings):
                    self.setting_owners.setdefault(param.name, []).append(verb.id)
            if verb.done is None:
                continue
            other = self.participles.setdefault(verb.done, verb)
            if other is not verb:
                message = f'"{verb.done}" is the participle of {other.id} already'
                diags.add("G0505", verb.span, message, None, (Related(other.span, "declared here"),))

    def count_copies(self, kind: str) -> int:
        """How many pieces of a kind there are."""
        found = self.copies.get(kind)
        if found is None:
            cards = self.model.definitions.values()
            found = sum(card.copies for card in cards if self.model.is_a(card.kind, kind))
            self.copies[kind] = found
        return found

    @staticmethod
    def find_verbs(words: frozenset[str], table: dict[str, Verb]) -> list[Verb]:
        return [table[word] for word in words if word in table]

    @property
    def key(self) -> str:
        """The same for two vocabularies against which every text means the same."""
        if self._key is None:
            told = repr((_interface(self.model), _sort_signals(self.signals), self.diagnostics))
            self._key = hashlib.blake2b(told.encode(), digest_size=20).hexdigest()
        return self._key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _sort_signals(signals: Signals) -> tuple[list[str], ...]:
    return sorted(signals.cannot), sorted(signals.cannot_be), sorted(signals.stops)


def _interface(model: PackageModel) -> list[object]:
    """What of the declarations a text can depend on, as plain data."""
    kinds = [
        (
            k.id,
            k.parent,
            k.sort,
            k.plural,
            k.slots,
            k.holds,
            k.seen,
            k.names,
            k.back,
            k.lends,
            [_field(f) for f in k.fields.values()],
            {name: _text(t) for name, t in k.adjectives.items()},
            {name: _text(t) for name, t in k.derived.items()},
            _text(k.place),
        )
        for k in model.kinds.values()
    ]
    zones = [(z.id, z.holds, z.each, z.ordered, z.seen, z.counted, z.when) for z in model.zones.values()]
    verbs = [
        (v.id, v.params, v.done, v.result, v.procedure, v.settings, v.signature, v.told, v.uses, _text(v.only))
        for v in model.verbs.values()
    ]
    cards = [
        (d.id, d.kind, d.copies, [(slot, d.texts(slot.partition(".")[0])) for slot in d.programs])
        for d in model.definitions.values()
    ]
    return [
        kinds,
        zones,
        verbs,
        cards,
        [(t.id, t.kind, t.when) for t in model.things.values()],
        [(r.id, r.owner, r.member, r.prep, r.region) for r in model.relations],
        [(c.id, c.type) for c in model.counters.values()],
        [(o.id, o.sort, o.values) for o in model.options.values()],
        {name: _text(text) for name, text in model.terms.items()},
        list(model.clauses),
    ]


def _field(declared: Field) -> tuple[object, ...]:
    return declared.name, declared.type, declared.state, _plain(declared.start), declared.seen, declared.clauses


def _text(text: Text | None) -> tuple[object, ...] | None:
    if text is None:
        return None
    scalar = text.scalar
    place = (text.file, scalar.line, scalar.column, scalar.end_line, scalar.end_column, scalar.style)
    return text.text, text.start, text.language, text.owner, text.clauses, text.ok, place


def _plain(node: object) -> object:
    """What a node of a file says."""
    if isinstance(node, Scalar):
        return node.style, node.value
    if isinstance(node, Mapping):
        return [(_plain(key), _plain(value)) for key, value in node.entries]
    return [_plain(item) for item in node.items] if isinstance(node, Listed) else node


def walk_nodes(node: object) -> Iterator[tuple[object, ...]]:
    """All nodes of a syntax tree, tokens apart."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            yield one
            stack.extend([part for part in one if isinstance(part, tuple)])

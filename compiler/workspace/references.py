"""What refers to what: where a name is declared, and all places that use it.

In: files of content, texts and scenarios, cut into entries. Out: the places of a name. A file is gone through once, and
again only when it changes; a name is found by its word, as the rulebook would be read: in effects and scenarios every
word counts, elsewhere a value or a key that is the name and nothing else, or a part of an id (`cards.guard`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.source.manifest import MANIFEST
from grimoire.compiler.source.positions import offset_position
from grimoire.compiler.source.tree import ENTRY, Mapping, Node, Scalar
from grimoire.compiler.workspace.declarations import declared
from grimoire.compiler.workspace.engine import Database, fresh_query, query
from grimoire.compiler.workspace.places import anchor_span
from grimoire.compiler.workspace.sources import Package, file_tree, listing

_WORD: Final = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
_SCENARIOS: Final = "scenarios/"
_TEXTS: Final = ("text/", "l10n/")


class Reference(NamedTuple):
    """A place of a name: where it is declared, or used. `entry`: the section of the file and the entry in which it
    stands, such as `cards` and `guard`."""

    span: Span
    is_declaration: bool
    entry: tuple[str, ...]


@query
def effect_places(db: Database, package: Package) -> frozenset[tuple[str, int, int]]:
    """Where the texts of the effect language stand."""
    found = declared(db, package)
    texts = found.model.texts if found is not None else ()
    return frozenset((text.file, text.scalar.line, text.scalar.column) for text in texts)


class Spot(NamedTuple):
    """A stretch of a scalar; without an end all of it."""

    scalar: Scalar
    start: int = 0
    end: int = 0

    @property
    def span(self) -> Span:
        if not self.end:
            return self.scalar.span
        line, column = offset_position(self.scalar, self.start)
        end_line, end_column = offset_position(self.scalar, self.end - 1)
        return Span(self.scalar.source.path, line, column, end_line, end_column + 1)


@fresh_query
def file_words(db: Database, key: tuple[Package, str, str]) -> dict[str, list[Spot]]:
    """The places of all words in a file of a package, at places of entries: by package, folder and name."""
    package, root, name = key
    tree, found = file_tree(db, str(Path(root) / name)).tree, dict[str, list[Spot]]()
    is_text, is_scenario = name.startswith(_TEXTS), name.startswith(_SCENARIOS)
    effects = frozenset() if is_text or is_scenario else effect_places(db, package)
    sections = {id(row[0]) for row in tree.entries} if isinstance(tree, Mapping) else set()
    for scalar, is_key in iterate_scalars(tree) if tree is not None else ():
        if id(scalar) in sections:
            continue
        if is_scenario or (scalar.source.path, scalar.line, scalar.column) in effects:
            for word in _WORD.finditer(scalar.value):
                for part in {word[0], *word[0].split(".")}:
                    found.setdefault(part, []).append(Spot(scalar, word.start(), word.end()))
        elif is_key or not is_text:
            for part in {scalar.value, *scalar.value.split("."), clause_of(scalar)} if is_key else {scalar.value}:
                found.setdefault(part, []).append(Spot(scalar))
    return found


def clause_of(scalar: Scalar) -> str:
    """The clause that a key in the texts of clauses is the number of."""
    _, *entry = scalar.source.path.split(ENTRY)
    return f"{entry[1]}.{scalar.value}" if len(entry) == 2 and entry[0] == "clauses" else scalar.value


def iterate_scalars(node: Node) -> Iterator[tuple[Scalar, bool]]:
    """All scalars, each with whether it is a key."""
    if isinstance(node, Scalar):
        yield node, False
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield key, True
            yield from iterate_scalars(value)
    else:
        for item in node.items:
            yield from iterate_scalars(item)


@query
def declarations(db: Database, key: tuple[Package, str]) -> tuple[Span, ...]:
    """Where a name is declared: a card, a kind, a place, a verb, a clause or whatever else has a name."""
    found = declared(db, key[0])
    return () if found is None else tuple(declaration_spans(found.model, key[1]))


def declaration_spans(model: PackageModel, name: str) -> Iterator[Span]:
    """Without what the engine itself declares."""
    tables = (
        model.kinds, model.things, model.zones, model.counters, model.definitions, model.verbs, model.abilities,
        model.options, model.clauses, model.rules, model.order, model.aims,
    )  # fmt: skip
    spans = [table[name].span for table in tables if name in table]
    spans += [table[name].span for table in (model.terms, model.invariants) if name in table]
    spans += [model.boards[name]] if name in model.boards else []
    for kind in model.kinds.values():
        spans += [kind.fields[name].span] if name in kind.fields else []
        spans += [table[name].span for table in (kind.adjectives, kind.derived) if name in table]
    yield from dict.fromkeys(span for span in spans if span.file)


@query
def name_words(db: Database, key: tuple[Package, str]) -> tuple[str, ...]:
    """The words that a name is said by: itself, the plural of a kind, the participle of a verb."""
    found, name = declared(db, key[0]), key[1]
    words = [name]
    if found is not None:
        kind, verb = found.model.kinds.get(name), found.model.verbs.get(name)
        words += [kind.plural] if kind is not None else []
        words += [verb.done] if verb is not None and verb.done is not None else []
    return tuple(dict.fromkeys(words))


def find_references(db: Database, package: Package, name: str) -> list[Reference]:
    """All places of a name, at the lines of the files: declarations first, then uses in the order of the files."""
    declaring = declarations(db, (package, name))
    used: list[Span] = []
    for root in (*package.needs, package.root):
        for file in listing(db, root).names:
            if file != MANIFEST:
                words = file_words(db, (package, root, file))
                for word in name_words(db, (package, name)):
                    used += [spot.span for spot in words.get(word, ())]
    places = [(span, True) for span in declaring] + [(span, False) for span in used if not holds(declaring, span)]
    return [Reference(anchor_span(db, span), own, tuple(span.file.split(ENTRY)[1:])) for span, own in places]


def holds(declaring: tuple[Span, ...], span: Span) -> bool:
    """Whether a place is the key of a declaration itself."""
    return any((one.file, one.line, one.column) == (span.file, span.line, span.column) for one in declaring)

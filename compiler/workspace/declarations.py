"""What the files of a package declare: its manifest, all that is no card, and file by file its cards.

In: files of content, cut into entries. Out: declarations, and for each file its *interface*: all that files tell each
other of their cards. Interfaces are kept between two runs, so that of an unchanged file of cards only the bytes are
read.

As long as nothing is wrong with any declaration, cards are declared file by file, each against all that is no card:
only names can then clash between files, and interfaces have the names. Otherwise, and where a package changes the cards
of another, which declaration counts follows from the order of all of them, and they are declared as a whole.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.checking.flow import start_zones, words_of
from grimoire.compiler.declare.base import MAX_PIECES
from grimoire.compiler.declare.folders import BESIDE, declare_folder
from grimoire.compiler.declare.model import Definition, PackageModel, Printed, Text, When
from grimoire.compiler.declare.sections import PIECE_SECTIONS, Declarer, base_model
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.lower.vocabulary import can_signal
from grimoire.compiler.records import replace
from grimoire.compiler.source.manifest import MANIFEST, Manifest, load_manifest
from grimoire.compiler.source.tree import ENTRY, Entry, Mapping, Scalar, Sequence
from grimoire.compiler.workspace.engine import Database, Query, fresh_query, kept_query, query
from grimoire.compiler.workspace.plain import fingerprint_of, number, read_texts, rows, text, texts
from grimoire.compiler.workspace.sources import (
    EntryReader,
    FileTree,
    Package,
    PlacedReader,
    content,
    file_tree,
    listing,
    same_tree,
)
from grimoire.runtime.plain_data import Json

REPLACES: Final = "replaces"
# A file of cards begins with one of their sections, and no other begins in it.
_CARDS: Final = b"|".join(section.encode() for section in PIECE_SECTIONS)
_FIRST: Final = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:%s):" % _CARDS)
_OTHER: Final = re.compile(rb"^(?![ #\r\n]|(?:%s):)." % _CARDS, re.MULTILINE)

FileKey = tuple[Package, str]  # a package and the path of one of its files
Place = tuple[
    str, int, int
]  # of the name of a card: its section, by path, its column, and what it is longer than the name


class CardRow(NamedTuple):
    """What all texts can know of a card, and where it stands."""

    name: str
    kind: str
    copies: int
    zone: str | None
    slots: tuple[str, ...]
    package: str
    place: Place
    when: When

    @property
    def span(self) -> Span:
        section, column, more = self.place
        return Span(f"{section}{ENTRY}{self.name}", 1, column, 1, column + len(self.name) + more)


def place_of(card: Definition) -> Place:
    span = card.span
    return span.file.removesuffix(ENTRY + card.id), span.column, span.end_column - span.column - len(card.id)


class Named(NamedTuple):
    """The manifest of a folder; None when there is none."""

    manifest: Manifest | None
    problems: Diagnostics


@fresh_query
def manifest(db: Database, root: str) -> Named:
    diags = Diagnostics()
    found = load_manifest(Path(root), diags, reader=EntryReader(db))
    if len(diags):  # some are told of the file as a whole, at its first line, which is no entry's and moves
        diags = Diagnostics()
        found = load_manifest(Path(root), diags, reader=PlacedReader(db))
    return Named(found, diags)


class Manifests(NamedTuple):
    """The manifests of a package and of those it needs."""

    own: Manifest
    below: tuple[Manifest, ...]
    players: tuple[int, int] | None
    problems: Diagnostics


@fresh_query
def manifests(db: Database, package: Package) -> Manifests | None:
    found, diags = manifest(db, package.root), Diagnostics()
    diags.extend(found.problems)
    own = found.manifest
    if own is None:
        return None
    players, below = own.players, []
    for folder in package.needs:
        other = manifest(db, folder)
        diags.extend(other.problems)
        if other.manifest is not None:
            players = own.players or other.manifest.players or players  # an expansion is played by as many as its game
            below.append(other.manifest)
    return Manifests(own, tuple(below), players, diags)


# ------------------------------------------------------------ all of it at once


class Declared(NamedTuple):
    """All declarations of a package and of those it needs; nothing is written into the model any more."""

    model: PackageModel
    problems: Diagnostics


@fresh_query
def declared(db: Database, package: Package) -> Declared | None:
    found = manifests(db, package)
    return None if found is None else declare(db, package, found)


def declare(db: Database, package: Package, found: Manifests) -> Declared:
    model, diags = base_model(found.own.id, str(found.own.version)), Diagnostics()
    diags.extend(found.problems)
    model.languages = {one.id: one.language for one in (found.own, *found.below)}
    for folder in package.needs:
        other = manifest(db, folder).manifest
        if other is not None:
            declare_folder(Path(folder), model, other.id, diags, EntryReader(db))
    declare_folder(Path(package.root), model, found.own.id, diags, EntryReader(db))
    return Declared(model, diags)


# ------------------------------------------------------------ all that is no card


def section_of(path: str) -> str:
    """The section in which an entry stands, by the path of its source."""
    return path.split(ENTRY, 2)[1] if ENTRY in path else ""


@query
def content_files(db: Database, folder: str) -> tuple[str, ...]:
    """The paths of the files of content in a folder."""
    names = [name for name in listing(db, folder).names if name != MANIFEST and not name.startswith(BESIDE)]
    return tuple(str(Path(folder) / name) for name in names)


@query
def holds_only_cards(db: Database, path: str) -> bool:
    """Whether a file surely has no other sections. Of some that have none it cannot be told without reading them."""
    data = content(db, path).data
    if data is None or data.count(b"\r") != data.count(b"\r\n"):
        return False
    return _FIRST.match(data) is not None and _OTHER.search(data) is None


def _frame_tree(db: Database, path: str) -> FileTree:
    if holds_only_cards(db, path):
        return FileTree(None, (), Diagnostics())
    found = file_tree(db, path)
    if not isinstance(found.tree, Mapping):
        return found
    sections = tuple(row for row in found.tree.entries if row[0].value not in PIECE_SECTIONS)
    entries = tuple(entry for entry in found.entries if section_of(entry.path) not in PIECE_SECTIONS)
    return FileTree(replace(found.tree, entries=sections), entries, found.problems)


frame_tree = Query[str, FileTree]("frame_tree", _frame_tree, same_tree)


@query
def frame_entries(db: Database, package: Package) -> tuple[Entry, ...]:
    """All entries that are no cards."""
    folders = [folder for folder in (*package.needs, package.root) if manifest(db, folder).manifest is not None]
    return tuple(
        entry for folder in folders for path in content_files(db, folder) for entry in frame_tree(db, path).entries
    )


@fresh_query
def skeleton(db: Database, package: Package) -> PackageModel | None:
    """All declarations but the cards, which nobody writes into; None where cards cannot be declared file by file."""
    own = manifest(db, package.root).manifest
    if own is None or package.needs:
        return None
    model, diags = base_model(own.id, str(own.version)), Diagnostics()
    diags.extend(listing(db, package.root).problems)
    model.languages = {own.id: own.language}
    declarer = Declarer(model, own.id, diags)
    for path in content_files(db, package.root):
        found = frame_tree(db, path)
        diags.extend(found.problems)
        if isinstance(found.tree, Mapping):
            if found.tree.get(REPLACES) is not None:
                return None
            declarer.read(found.tree)
        elif found.tree is not None:
            return None
    declarer.finish()
    return None if len(diags) else model


@query
def skeleton_word(db: Database, package: Package) -> str:
    own = manifest(db, package.root).manifest
    return "" if own is None else fingerprint_of(own.id, str(own.version), own.language, *frame_entries(db, package))


# ------------------------------------------------------------ the cards of a file


class FileCards(NamedTuple):
    """The cards of a file, which nobody writes into; and whether all was right with it."""

    cards: dict[str, Definition]
    is_right: bool


@fresh_query
def file_cards(db: Database, key: FileKey) -> FileCards:
    frame, found = skeleton(db, key[0]), file_tree(db, key[1])
    assert frame is not None
    diags = Diagnostics()
    diags.extend(found.problems)
    if not isinstance(found.tree, Mapping):
        return FileCards({}, found.tree is None and not len(diags))
    sections = tuple(row for row in found.tree.entries if row[0].value in PIECE_SECTIONS)
    model = replace(frame, definitions={}, texts=[])
    declarer = Declarer(model, model.id, diags)
    declarer.read(replace(found.tree, entries=sections))
    declarer.finish()
    is_whole = len(sections) == len(found.tree) or not holds_only_cards(db, key[1])
    return FileCards(model.definitions, is_whole and not len(diags))


class Shape(NamedTuple):
    """What many cards have in common."""

    kind: str
    copies: int
    zone: str | None
    slots: tuple[str, ...]
    place: Place
    is_full: bool  # there is something to say
    when: When  # with which options it is there


class Interface(NamedTuple):
    """What a file tells all others of its cards."""

    is_right: bool  # nothing was told when they were declared
    names: tuple[str, ...]
    shapes: tuple[Shape, ...]
    which: tuple[int, ...]  # the shape of each
    words: frozenset[str]  # of their texts
    starts: frozenset[str]  # zones in which they start, or that stand on them
    telling: tuple[str, ...]  # cards whose texts may forbid or stop verbs
    said: tuple[str, ...]  # a word for what each card says

    def card_rows(self, package: str) -> list[CardRow]:
        return [
            CardRow(name, one.kind, one.copies, one.zone, one.slots, package, one.place, one.when)
            for name, one in zip(self.names, map(self.shapes.__getitem__, self.which), strict=True)
        ]


def interface_word(db: Database, key: FileKey) -> str:
    data = content(db, key[1]).data
    return fingerprint_of(skeleton_word(db, key[0]), key[1], b"" if data is None else data, data is None)


def write_interface(value: Interface) -> Json:
    shapes: Json = [
        [one.kind, one.copies, one.zone, list(one.slots), list(one.place), one.is_full, _write_when(one.when)]
        for one in value.shapes
    ]
    lists: list[Json] = [list(value.names), shapes, list(value.which)]
    return [value.is_right, *lists, sorted(value.words), sorted(value.starts), list(value.telling), list(value.said)]


def read_interface(value: Json) -> Interface:
    is_right, names, shapes, which, words, starts, telling, said = rows(value, 8)
    made = tuple(map(_read_shape, rows(shapes)))
    own, numbers, cards = tuple(texts(names)), tuple(map(number, rows(which))), tuple(texts(said))
    if not len(own) == len(numbers) == len(cards) or (numbers and not 0 <= min(numbers) <= max(numbers) < len(made)):
        raise ValueError("no shapes")
    tells = tuple(texts(telling))
    return Interface(is_right is True, own, made, numbers, read_texts(words), read_texts(starts), tells, cards)


def _read_shape(value: Json) -> Shape:
    kind, copies, zone, slots, place, is_full, when = rows(value, 7)
    section, column, more = rows(place, 3)
    stands = (text(section), number(column), number(more))
    start = None if zone is None else text(zone)
    return Shape(text(kind), number(copies), start, tuple(texts(slots)), stands, is_full is True, _read_when(when))


def _write_when(when: When) -> Json:
    return [[option, list(values)] for option, values in when]


def _read_when(value: Json) -> When:
    pairs = [rows(row, 2) for row in rows(value)]
    return tuple((text(option), tuple(texts(values))) for option, values in pairs)


@kept_query(interface_word, write_interface, read_interface)
def interface(db: Database, key: FileKey) -> Interface:
    frame, found = skeleton(db, key[0]), file_cards(db, key)
    assert frame is not None
    shapes: dict[Shape, int] = {}
    which: list[int] = []
    words: set[str] = set()
    telling: list[str] = []
    for card in found.cards.values():
        said = texts_of(card)
        is_full = bool(card.programs or card.abilities)
        shape = Shape(card.kind, card.copies, card.zone, tuple(card.programs), place_of(card), is_full, card.when)
        which.append(shapes.setdefault(shape, len(shapes)))
        words |= words_of(said)
        if any(can_signal(one) for one in said):
            telling.append(card.id)
    zones = _named(start_zones(replace(frame, things={}, definitions=found.cards)))
    parts = (tuple(shapes), tuple(which), frozenset(words), zones, tuple(telling))
    return Interface(found.is_right, tuple(found.cards), *parts, tuple(map(word_of, found.cards.values())))


def texts_of(one: Definition) -> list[Text]:
    found = [*one.programs.values()]
    for a in one.abilities.values():
        found += [t for t in (a.window, *a.other_windows, a.only, a.limit, a.do, a.always) if t is not None]
    return found


def word_of(found: Definition) -> str:
    """A word for what a card says: its entry, and those that replace parts of it."""
    sources = {id(node.source): node.source for node in sources_of(found)}
    shown = sorted((source.path, source.lines) for source in sources.values())
    return fingerprint_of(found.id, *shown, found.span, found.kind, tuple(found.values), found.when)


def sources_of(found: Definition) -> list[Scalar]:
    """Scalars from all entries that a card is made of."""
    waiting: list[Printed] = [*found.values.values(), *(one.scalar for one in texts_of(found))]
    out: list[Scalar] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            out.append(node)
        elif isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            waiting += [part for row in node.entries for part in row]
    return out


# ------------------------------------------------------------ the cards of a package


@query
def is_split(db: Database, package: Package) -> bool:
    """Whether the cards of a package are declared file by file."""
    if skeleton(db, package) is None:
        return False
    found = [interface(db, (package, path)) for path in content_files(db, package.root)]
    names = [name for one in found for name in one.names]
    copies = sum(one.shapes[at].copies for one in found for at in one.which)
    return all(one.is_right for one in found) and len(names) == len({*names}) and copies <= MAX_PIECES


def interfaces(db: Database, package: Package) -> list[Interface]:
    return [interface(db, (package, path)) for path in content_files(db, package.root)]


@query
def card_rows(db: Database, package: Package) -> tuple[CardRow, ...]:
    """The interfaces of all cards, in the order of their declarations."""
    if is_split(db, package):
        own = manifest(db, package.root).manifest
        assert own is not None
        return tuple(row for one in interfaces(db, package) for row in one.card_rows(own.id))
    found = declared(db, package)
    return tuple(
        CardRow(
            card.id, card.kind, card.copies, card.zone, tuple(card.programs), card.package, place_of(card), card.when
        )
        for card in (found.model.definitions.values() if found is not None else ())
    )


@query
def full_cards(db: Database, package: Package) -> tuple[str, ...]:
    """The cards that have effects or abilities."""
    if is_split(db, package):
        found = interfaces(db, package)
        return tuple(
            name for one in found for name, at in zip(one.names, one.which, strict=True) if one.shapes[at].is_full
        )
    whole = declared(db, package)
    assert whole is not None
    return tuple(one.id for one in whole.model.definitions.values() if one.programs or one.abilities)


class Home(NamedTuple):
    """The file in which a card stands, and a word for what it says."""

    path: str
    word: str


@query
def homes(db: Database, package: Package) -> dict[str, Home]:
    """All cards that are declared file by file."""
    found: dict[str, Home] = {}
    for path in content_files(db, package.root):
        one = interface(db, (package, path))
        found |= {name: Home(path, word) for name, word in zip(one.names, one.said, strict=True)}
    return found


@query
def card(db: Database, key: tuple[Package, str]) -> Definition | None:
    """One card as it was declared."""
    package, name = key
    if is_split(db, package):
        home = homes(db, package).get(name)
        return None if home is None else file_cards(db, (package, home.path)).cards[name]
    found = declared(db, package)
    return None if found is None else found.model.definitions.get(name)


@query
def card_word(db: Database, key: tuple[Package, str]) -> str:
    """A word for what a card says."""
    if is_split(db, key[0]):
        home = homes(db, key[0]).get(key[1])
        return "" if home is None else home.word
    found = card(db, key)
    return "" if found is None else word_of(found)


@query
def cards_word(db: Database, package: Package) -> str:
    """A word for what all cards say."""
    return fingerprint_of(*((row.name, card_word(db, (package, row.name))) for row in card_rows(db, package)))


class Used(NamedTuple):
    """What texts and values use: on that hangs what is declared for nothing."""

    words: frozenset[str]
    starts: frozenset[str]


@query
def used(db: Database, package: Package) -> Used:
    if is_split(db, package):
        frame, found = skeleton(db, package), interfaces(db, package)
        assert frame is not None
        words = words_of(frame.texts).union(*(one.words for one in found))
        return Used(frozenset(words), _named(start_zones(frame)).union(*(one.starts for one in found)))
    whole = declared(db, package)
    assert whole is not None
    return Used(frozenset(words_of(whole.model.texts)), _named(start_zones(whole.model)))


def _named(zones: set[str | None]) -> frozenset[str]:
    return frozenset(zone for zone in zones if zone is not None)

"""What the content of a package says: declarations, the frame that every text is looked at against, and each card for itself.

In: files of content, cut into entries. Out: for the frame and for each card what is wrong with it and what it asks of texts and scenarios.

The *frame* is all but the cards, and of these the interface: name, kind, copies, start, filled slots. While it stays equal, a changed card is
parsed, lowered and looked at alone. Nothing here says where things stand: places are those of entries, and `sources.anchor` puts them into files.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, NamedTuple

from grimoire.compiler.checking.flow import Flow, start_zones, words_of
from grimoire.compiler.declare.model import Ability, Definition, PackageModel, Text, lent
from grimoire.compiler.declare.sections import PIECE_SECTIONS, Declarer, base_model
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.localisation.text.texts import asking
from grimoire.compiler.lower.base import MAX_GUESSED, Tables
from grimoire.compiler.lower.tables import Lowering, resolved_slots
from grimoire.compiler.package import declare_folder
from grimoire.compiler.records import replace
from grimoire.compiler.scenario.positions import collect_entries
from grimoire.compiler.source.manifest import MANIFEST, Manifest, load_manifest
from grimoire.compiler.source.tree import ENTRY, Entry, Mapping, Scalar, Sequence
from grimoire.compiler.syntax.parse import parse_texts
from grimoire.compiler.workspace.engine import Database, Json, Query, fresh_query, kept_query, query
from grimoire.compiler.workspace.plain import (
    fingerprint_of,
    number,
    read_problems,
    rows,
    text,
    texts,
    write_problems,
)
from grimoire.compiler.workspace.sources import EntryReader, Package, file_tree, listing

BESIDE = ("text/", "scenarios/", "l10n/")  # folders of what is no content
OWN_TEXTS = (*PIECE_SECTIONS, "replaces")  # sections whose texts belong to cards


# ------------------------------------------------------------ declarations


class Named(NamedTuple):
    """The manifest of a folder; None when there is none."""

    manifest: Manifest | None
    problems: Diagnostics


@fresh_query
def manifest(db: Database, root: str) -> Named:
    diags = Diagnostics()
    return Named(load_manifest(Path(root), diags, reader=EntryReader(db)), diags)


class Declared(NamedTuple):
    """All declarations of a package and of those it needs; nothing is written into the model any more."""

    model: PackageModel
    manifests: tuple[Manifest, ...]  # its own is the last
    players: tuple[int, int] | None
    problems: Diagnostics


@fresh_query
def declared(db: Database, package: Package) -> Declared | None:
    own = manifest(db, package.root)
    diags = Diagnostics()
    diags.extend(own.problems)
    return None if own.manifest is None else declare(db, package, own.manifest, diags)


def declare(db: Database, package: Package, own: Manifest, diags: Diagnostics) -> Declared:
    """A model of its own for whoever wants to write into it."""
    model = base_model(own.id, str(own.version))
    players, manifests = own.players, []
    for folder in package.needs:
        other = manifest(db, folder)
        diags.extend(other.problems)
        if other.manifest is not None:
            players = own.players or other.manifest.players or players  # an expansion is played by as many as its game
            manifests.append(other.manifest)
            declare_folder(Path(folder), model, other.manifest.id, diags, EntryReader(db))
    declare_folder(Path(package.root), model, own.id, diags, EntryReader(db))
    return Declared(model, (*manifests, own), players, diags)


def section_of(path: str) -> str:
    """The section in which an entry stands, by the path of its source."""
    return path.split(ENTRY, 2)[1] if ENTRY in path else ""


class Frame(NamedTuple):
    """What every text is looked at against: entries that are no cards, and the interfaces of the cards."""

    entries: tuple[Entry, ...]
    cards: tuple[tuple[str, str, int, str | None, tuple[str, ...], str], ...]
    trees: tuple[tuple[str, tuple[Mapping, ...]], ...]  # by package, as they were when the frame came to be what it is
    id: str
    version: str


def _frame(db: Database, package: Package) -> Frame | None:
    found = declared(db, package)
    if found is None:
        return None
    entries: list[Entry] = []
    trees: list[tuple[str, tuple[Mapping, ...]]] = []
    for folder in (*package.needs, package.root):
        named = manifest(db, folder).manifest
        paths = [str(Path(folder) / name) for name in listing(db, folder).names if not name.startswith(BESIDE)]
        files = [file_tree(db, path) for path in paths if Path(path).name != MANIFEST]
        for file in files if named is not None else ():
            entries += [entry for entry in file.entries if section_of(entry.path) not in PIECE_SECTIONS]
        if named is not None:
            trees.append((named.id, tuple(file.tree for file in files if isinstance(file.tree, Mapping))))
    cards = tuple(
        (card.id, card.kind, card.copies, card.zone, tuple(card.programs), card.package)
        for card in found.model.definitions.values()
    )
    return Frame(tuple(entries), cards, tuple(trees), found.model.id, found.model.version)


def _same_frame(one: Frame | None, other: Frame | None) -> bool:
    if one is None or other is None or (one.id, one.version) != (other.id, other.version):
        return False
    ids = [package for package, _ in one.trees] == [package for package, _ in other.trees]
    return ids and one[:2] == other[:2]


frame = Query[Package, Frame | None]("frame", _frame, _same_frame)


@query
def frame_word(db: Database, package: Package) -> str:
    """A word for the frame: equal frames have equal words."""
    found = frame(db, package)
    return "" if found is None else fingerprint_of(found.id, found.version, *found.entries, found.cards)


class Asks(NamedTuple):
    """What lowered texts want of the texts of languages, and of scenarios."""

    menus: tuple[
        tuple[str, str, tuple[tuple[str, int], ...]], ...
    ]  # how it is asked, its label, entries and what each speaks of
    abilities: tuple[tuple[str, str, str], ...]  # id, label, phase
    sources: tuple[str, ...]  # what can be the reason that something is not offered
    keys: frozenset[str]  # words that options are called by


def write_asks(asks: Asks) -> Json:
    menus: Json = [[op, label, [[id_, count] for id_, count in entries]] for op, label, entries in asks.menus]
    return [menus, [list(row) for row in asks.abilities], list(asks.sources), sorted(asks.keys)]


def read_asks(value: Json) -> Asks:
    menus, abilities, sources, keys = rows(value, 4)
    found = []
    for op, label, entries in (rows(menu, 3) for menu in rows(menus)):
        pairs = tuple((text(id_), number(count)) for id_, count in (rows(entry, 2) for entry in rows(entries)))
        found.append((text(op), text(label), pairs))
    named = [texts(row) for row in rows(abilities)]
    own = tuple((id_, label, phase) for id_, label, phase in named)
    return Asks(tuple(found), own, tuple(texts(sources)), frozenset(texts(keys)))


class Vocabulary:
    """The frame, lowered. A text is lowered with a copy, so that nothing of it is left here."""

    def __init__(self, model: PackageModel) -> None:
        self.diags = Diagnostics()
        self.model = model
        own = [text for text in model.texts if section_of(text.file) not in OWN_TEXTS]
        parse_texts(own, self.diags)
        lowering = self.lowering = Lowering(model, self.diags)
        lowering.prepare()
        for thing in model.things.values():
            for name, node in thing.values.items():
                check_value(lowering, thing.id, thing.kind, name, node)
        self.flow = Flow(model, self.diags)
        for one in own:
            self.flow.text(one)
        tables = lowering.tables
        self.flow.endless_triggers(tables.procs, tables.abilities, list(model.verbs.values()))
        self.asks = asks_of(tables, 0)
        self.guessed = lowering.guessed
        self.lending = {kind for kind in model.kinds if lowering.bearers(kind) is not None}

    def fork(self, diags: Diagnostics) -> Lowering:
        """A lowering of its own for one more text."""
        made = copy.copy(self.lowering)
        for name, value in vars(made).items():
            if type(value) in (list, dict, set):
                setattr(made, name, value.copy())
        made.tables = Tables(procs=self.lowering.tables.procs.copy())  # of other rows nothing is read
        made.diags = diags
        made.guessed = 0
        return made

    def look(self, text: Text, diags: Diagnostics) -> None:
        self.flow.diags = diags
        self.flow.text(text)


def check_value(lowering: Lowering, owner: str, kind: str, name: str, node: Any) -> None:
    """A printed value, against every kind that declares it."""
    for above in lowering.model.ancestors(kind):
        found = lowering.model.kinds[above].fields.get(name)
        if found is not None and not found.state:
            lowering.value(node, found.type, f"{owner}.{name}")


def asks_of(tables: Tables, first: int) -> Asks:
    """What the rows of tables ask for, and of procedures those from the first on."""
    menus: list[tuple[str, str, tuple[tuple[str, int], ...]]] = []
    keys: set[str] = set()
    for proc in tables.procs[first:]:
        for row in asking(proc["body"]):
            entries = row["entries"] if row["op"] == "menu" else ()
            menus.append((row["op"], row["label"], tuple((e["id"], len(e.get("domains") or ())) for e in entries)))
        collect_entries(proc.get("body"), keys)
    rows = tuple((str(row["id"]), row["label"], row["phase"]) for row in tables.abilities)
    for id_, _, _ in rows:
        keys.add(id_)
        keys.update(id_.split(":"))
    sources = dict.fromkeys(place[5] for place in tables.places if len(place) > 5 and isinstance(place[5], str))
    return Asks(tuple(menus), rows, tuple(sources), frozenset(keys))


@fresh_query
def vocabulary(db: Database, package: Package) -> Vocabulary | None:
    found = frame(db, package)
    if found is None:
        return None
    model = base_model(found.id, found.version)  # of its own: lowering writes into it
    for owner, trees in found.trees:
        declarer = Declarer(model, owner, Diagnostics())
        for tree in trees:
            declarer.read(tree)
        declarer.finish()
    return Vocabulary(model)


class FrameFacts(NamedTuple):
    """What is known of a frame without lowering it again."""

    problems: tuple[Diagnostic, ...]
    asks: Asks
    guessed: int
    names: tuple[str, ...]  # of things, cards and zones
    zones: tuple[str, ...]
    lending: tuple[str, ...]  # kinds of cards that lend their abilities to others


def write_frame(facts: FrameFacts | None) -> Json:
    if facts is None:
        return []
    problems, asks, guessed, names, zones, lending = facts
    return [write_problems(problems), write_asks(asks), guessed, list(names), list(zones), list(lending)]


def read_frame(value: Json) -> FrameFacts | None:
    if value == []:
        return None
    problems, asks, guessed, names, zones, lending = rows(value, 6)
    own, places = tuple(texts(names)), tuple(texts(zones))
    lent_by = tuple(texts(lending))
    return FrameFacts(read_problems(problems), read_asks(asks), number(guessed), own, places, lent_by)


@kept_query(frame_word, write_frame, read_frame)
def frame_facts(db: Database, package: Package) -> FrameFacts | None:
    found = vocabulary(db, package)
    if found is None:
        return None
    model = found.model
    names = (*model.things, *model.definitions, *model.zones)
    problems = tuple(found.diags.sorted())
    return FrameFacts(problems, found.asks, found.guessed, names, tuple(model.zones), tuple(sorted(found.lending)))


# ------------------------------------------------------------ cards


@query
def card(db: Database, key: tuple[Package, str]) -> Definition | None:
    """One card as it was declared."""
    found = declared(db, key[0])
    return None if found is None else found.model.definitions.get(key[1])


class Parsed(NamedTuple):
    """A card with its texts parsed, which nobody writes into, and what could not be parsed."""

    card: Definition
    problems: Diagnostics


@fresh_query
def parsed_card(db: Database, key: tuple[Package, str]) -> Parsed | None:
    found = card(db, key)
    if found is None:
        return None
    made, texts = writable(found)
    diags = Diagnostics()
    parse_texts(texts, diags)
    return Parsed(made, diags)


def writable(found: Definition) -> tuple[Definition, list[Text]]:
    """A card with texts of its own, and these."""
    texts: list[Text] = []

    def fresh(text: Text | None) -> Text | None:
        if text is None:
            return None
        texts.append(replace(text))
        return texts[-1]

    def ability(one: Ability) -> Ability:
        parts = {name: fresh(getattr(one, name)) for name in ("window", "only", "limit", "do", "always")}
        others = tuple(text for text in map(fresh, one.other_windows) if text is not None)
        return replace(one, **parts, other_windows=others)

    programs = {name: text for name, old in found.programs.items() if (text := fresh(old)) is not None}
    abilities = {name: ability(one) for name, one in found.abilities.items()}
    return replace(found, values=dict(found.values), programs=programs, abilities=abilities), texts


class UnitFacts(NamedTuple):
    """What is known of a card: what is wrong with its texts and values, what it asks for, and how many words suggestions were sought among."""

    problems: tuple[Diagnostic, ...]
    asks: Asks
    guessed: int


class _Lenders(dict[str, Definition]):
    """The cards that lend abilities, as they are now."""

    def __init__(self, db: Database, package: Package) -> None:
        super().__init__()
        self.db, self.package = db, package

    def get(self, name: str, default: Any = None) -> Any:
        found = parsed_card(self.db, (self.package, name))
        return default if found is None else found.card


@query
def card_word(db: Database, key: tuple[Package, str]) -> str:
    """A word for what a card says: its entry, and those that replace parts of it."""
    found, shown = card(db, key), []
    if found is not None:
        sources = {id(node.source): node.source for node in sources_of(found)}
        shown = sorted((source.path, source.lines) for source in sources.values())
        shown.append((found.span.file, (repr(found.span), found.kind, repr(tuple(found.values)))))
    return fingerprint_of(key[1], *shown)


def sources_of(found: Definition) -> list[Scalar]:
    """Scalars from all entries that a card is made of."""
    waiting: list[Any] = [*found.values.values(), *(one.scalar for one in texts_of(found))]
    out: list[Scalar] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            out.append(node)
        else:
            waiting += node.items if isinstance(node, Sequence) else [part for row in node.entries for part in row]
    return out


@query
def lender_words(db: Database, package: Package) -> tuple[str, ...]:
    """Words for the cards that lend their abilities to others."""
    facts, found = frame_facts(db, package), declared(db, package)
    if facts is None or found is None:
        return ()
    lenders = [one.id for one in found.model.definitions.values() if one.kind in facts.lending]
    return tuple(card_word(db, (package, name)) for name in lenders)


def unit_word(db: Database, key: tuple[Package, str, bool]) -> str:
    package, name, guessing = key
    own = card_word(db, (package, name))
    return fingerprint_of(frame_word(db, package), own, guessing, *lender_words(db, package))


def write_unit(facts: UnitFacts) -> Json:
    return [write_problems(facts.problems), write_asks(facts.asks), facts.guessed]


def read_unit(value: Json) -> UnitFacts:
    problems, asks, guessed = rows(value, 3)
    return UnitFacts(read_problems(problems), read_asks(asks), number(guessed))


@kept_query(unit_word, write_unit, read_unit)
def unit(db: Database, key: tuple[Package, str, bool]) -> UnitFacts:
    """A card looked at for itself; the last of the key says whether suggestions may be sought."""
    package, name, guessing = key
    words, found = vocabulary(db, package), parsed_card(db, (package, name))
    assert words is not None and found is not None
    diags = Diagnostics()
    diags.extend(found.problems)
    made, own = writable(found.card)
    made.index = words.model.definitions[name].index
    lowering = words.fork(diags)
    lowering.guessed = 0 if guessing else MAX_GUESSED + 1
    first = len(lowering.tables.procs)
    for field, node in made.values.items():
        check_value(lowering, made.id, made.kind, field, node)
    programs = lowering.lower_definition(made)["programs"]
    if made.kind in words.lending:  # what it can do, those can do that bear it
        for ability in made.abilities.values():
            lowering.card_ability(ability, made)
    else:
        lowering.programs_of_this = programs
        borrowed = PackageModel("", "", words.model.kinds, definitions=_Lenders(db, package)) if words.lending else None
        lower_abilities(lowering, made, lent(borrowed, made) if borrowed is not None else [])
    for one in own:
        words.look(one, diags)
    guessed = lowering.guessed if guessing else 0
    return UnitFacts(tuple(diags.sorted()), asks_of(lowering.tables, first), guessed)


def lower_abilities(lowering: Lowering, made: Definition, borrowed: list[tuple[str, Ability]]) -> None:
    """The abilities that a card has from its kinds, from those it names, and of its own."""
    for ability in lowering.inherited(made):
        lowering.card_ability(ability, made)
    for lender, ability in borrowed:
        if resolved_slots(ability) <= made.programs.keys():
            first = len(lowering.tables.abilities)
            lowering.card_ability(ability, made)
            for row in lowering.tables.abilities[first:]:
                row["label"] = f"{lender}.{ability.id}"  # one text for all that bear it
    for ability in made.abilities.values():
        lowering.card_ability(ability, made)


# ------------------------------------------------------------ all of it


class Used(NamedTuple):
    """What texts and values use: on that hangs what is declared for nothing."""

    words: frozenset[str]
    starts: frozenset[str | None]


@query
def used(db: Database, package: Package) -> Used:
    found = declared(db, package)
    assert found is not None
    return Used(frozenset(words_of(found.model.texts)), frozenset(start_zones(found.model)))


def unread_word(db: Database, package: Package) -> str:
    found = used(db, package)
    return fingerprint_of(frame_word(db, package), sorted(found.words), sorted(str(zone) for zone in found.starts))


@kept_query(unread_word, write_problems, read_problems)
def unread(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """Declarations that nothing uses."""
    found, words, seen = manifest(db, package.root), vocabulary(db, package), used(db, package)
    assert found.manifest is not None and words is not None
    diags = words.flow.diags = Diagnostics()
    words.flow.unread(seen.words, seen.starts, found.manifest.id)
    return tuple(diags.sorted())


@query
def stray_texts(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What is wrong with texts that no card has: those that were replaced, or whose card was refused."""
    found = declared(db, package)
    assert found is not None
    held = {id(text) for one in found.model.definitions.values() for text in texts_of(one)}
    stray = [t for t in found.model.texts if section_of(t.file) in OWN_TEXTS and id(t) not in held]
    words = vocabulary(db, package) if stray else None
    diags = Diagnostics()
    for one in [replace(one) for one in stray]:
        parse_texts([one], diags)
        if words is not None:
            words.look(one, diags)
    return tuple(diags.sorted())


def texts_of(one: Definition) -> list[Text]:
    found = [*one.programs.values()]
    for a in one.abilities.values():
        found += [t for t in (a.window, *a.other_windows, a.only, a.limit, a.do, a.always) if t is not None]
    return found


class ContentFacts(NamedTuple):
    """All that is wrong with the content of a package, at places of entries, and what it asks for."""

    problems: tuple[Diagnostic, ...]
    has_errors: bool
    asks: tuple[Asks, ...]


@fresh_query
def content_facts(db: Database, package: Package) -> ContentFacts | None:
    found, facts_of_frame = declared(db, package), frame_facts(db, package)
    if found is None or facts_of_frame is None:
        return None
    problems = [*found.problems.sorted(), *facts_of_frame.problems, *stray_texts(db, package)]
    asks: list[Asks] = [facts_of_frame.asks]
    guessed = facts_of_frame.guessed
    for name in found.model.definitions:
        facts = unit(db, (package, name, guessed <= MAX_GUESSED))
        guessed += facts.guessed
        problems += facts.problems
        asks.append(facts.asks)
    diags = Diagnostics()
    Flow(found.model, diags).whole(found.manifests[-1], found.players)
    problems += diags.sorted()
    has_errors = any(item.severity == "error" for item in problems)
    if not has_errors:
        problems += unread(db, package)
    return ContentFacts(tuple(problems), has_errors, tuple(asks))

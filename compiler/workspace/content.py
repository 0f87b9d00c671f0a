"""What the content of a package says: declarations, the frame that every text is looked at against, and each card for
itself.

In: files of content, cut into entries. Out: for the frame and for each card what is wrong with it and what it asks of
texts and scenarios.

The *frame* is all but the cards, and of these the interface: name, kind, copies, start, filled slots. While it stays
equal, a changed card is parsed, lowered and looked at alone. Nothing here says where things stand: places are those of
entries, and `sources.anchor` puts them into files.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from grimoire.compiler.checking.flow import Flow
from grimoire.compiler.checking.reach import find_impossible, report_premises, report_stranded
from grimoire.compiler.declare.model import Ability, Definition, PackageModel, Text
from grimoire.compiler.declare.numbering import number_declarations
from grimoire.compiler.declare.sections import PIECE_SECTIONS, Declarer, base_model
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.lower.output import LoweredUnit
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.lower.told import Premise, Told, join_told
from grimoire.compiler.lower.units import bearers, lower_unit, make_vocabulary, plain_units
from grimoire.compiler.lower.units import card_unit as make_card_unit
from grimoire.compiler.lower.values import read_values
from grimoire.compiler.lower.vocabulary import Signals, can_signal, join_signals, text_signals
from grimoire.compiler.records import copy_record, replace
from grimoire.compiler.scenario.positions import Resolved
from grimoire.compiler.source.tree import ENTRY, Entry, Mapping, Scalar, SourceFile
from grimoire.compiler.syntax.parse import parse_texts
from grimoire.compiler.workspace.asks import Asks, asks_of, read_asks, words_of_options, write_asks
from grimoire.compiler.workspace.declarations import (
    REPLACES,
    CardRow,
    FileKey,
    card,
    card_rows,
    card_word,
    content_files,
    declared,
    frame_entries,
    frame_tree,
    homes,
    interface,
    interface_word,
    is_split,
    manifest,
    manifests,
    section_of,
    skeleton,
    texts_of,
    used,
)
from grimoire.compiler.workspace.engine import Database, Query, fresh_query, kept_query, query
from grimoire.compiler.workspace.plain import (
    fingerprint_of,
    read_problems,
    read_texts,
    rows,
    texts,
    write_problems,
)
from grimoire.compiler.workspace.sources import Package, file_tree, report_name
from grimoire.compiler.workspace.told import read_premises, read_told, write_premises, write_told
from grimoire.runtime.plain_data import Json

MAX_KNOWN = 20_000  # texts of scenarios, or of cards, whose lowering is remembered
OWN_TEXTS = (*PIECE_SECTIONS, REPLACES)  # sections whose texts belong to cards
TextsKey = tuple[str, tuple[tuple[str, str, str, int, tuple[str, ...]], ...]]  # a kind, and what a card of it says
_NOWHERE: Final = Scalar("", "plain", 1, 1, 1, 1, SourceFile("", "", ()))


# ------------------------------------------------------------ the frame


class Frame(NamedTuple):
    """What every text is looked at against: entries that are no cards, and the interfaces of the cards."""

    entries: tuple[Entry, ...]
    cards: tuple[CardRow, ...]
    packages: tuple[tuple[str, int], ...]  # their ids, and the versions of the language that they are written in
    id: str
    version: str
    trees: tuple[tuple[Mapping, ...], ...]  # by package, as they were when the frame came to be what it is
    is_split: bool  # there are no cards in the trees


def _frame(db: Database, package: Package) -> Frame | None:
    found = manifests(db, package)
    if found is None:
        return None
    split = is_split(db, package)
    load = frame_tree if split else file_tree
    packages: list[tuple[str, int]] = []
    trees: list[tuple[Mapping, ...]] = []
    for folder in (*package.needs, package.root):
        named = manifest(db, folder).manifest
        if named is not None:
            files = (load(db, path).tree for path in content_files(db, folder))
            packages.append((named.id, named.language))
            trees.append(tuple(tree for tree in files if isinstance(tree, Mapping)))
    parts = (tuple(packages), found.own.id, str(found.own.version), tuple(trees), split)
    return Frame(frame_entries(db, package), card_rows(db, package), *parts)


def _same_frame(one: Frame | None, other: Frame | None) -> bool:
    return one is not None and other is not None and one[:5] == other[:5]


frame = Query[Package, Frame | None]("frame", _frame, _same_frame)


@query
def frame_word(db: Database, package: Package) -> str:
    """A word for the frame: equal frames have equal words."""
    found = frame(db, package)
    return "" if found is None else fingerprint_of(found.id, found.version, found.packages, *found.entries, found.cards)


def frame_model(db: Database, package: Package) -> PackageModel | None:
    """The declarations of the frame in a model of its own, which can be numbered and whose texts can be parsed."""
    found = frame(db, package)
    if found is None:
        return None
    model = base_model(found.id, found.version)
    model.languages = dict(found.packages)
    for (owner, _), trees in zip(found.packages, found.trees, strict=True):
        declarer = Declarer(model, owner, Diagnostics())
        for tree in trees:
            declarer.read(tree)
        declarer.finish()
    if found.is_split:
        model.definitions = {row.name: outline(row) for row in found.cards}
    return model


def outline(row: CardRow) -> Definition:
    """A card of which nothing is known but its interface."""
    programs = {slot: Text("", "effect", _NOWHERE, "", row.name) for slot in row.slots}
    return Definition(row.name, row.kind, row.copies, row.zone, {}, programs, {}, row.span, row.package, when=row.when)


def frame_texts(model: PackageModel) -> list[Text]:
    return [one for one in model.texts if section_of(one.file) not in OWN_TEXTS]


def write_signals(signals: Signals) -> Json:
    return [sorted(signals.cannot), sorted(signals.cannot_be), sorted(signals.stops)]


def read_signals(value: Json) -> Signals:
    return Signals(*(read_texts(row) for row in rows(value, 3)))


@kept_query(frame_word, write_signals, read_signals)
def frame_signals(db: Database, package: Package) -> Signals:
    """What the texts of the frame tell all others."""
    model = frame_model(db, package)
    own = frame_texts(model) if model is not None else []
    parse_texts(own, Diagnostics())
    return join_signals(map(text_signals, own))


@query
def signals(db: Database, package: Package) -> Signals:
    """What all texts of a package tell all others: every unit is lowered against it."""
    if is_split(db, package):
        files = [file_signals(db, (package, path)) for path in content_files(db, package.root)]
        return join_signals([frame_signals(db, package), *files])
    found = declared(db, package)
    cards = found.model.definitions.values() if found is not None else ()
    telling = [one.id for one in cards if any(can_signal(text) for text in texts_of(one))]
    return join_signals([frame_signals(db, package), *(card_signals(db, (package, name)) for name in telling)])


class FrameVocabulary:
    """What every card and every scenario is looked at against."""

    def __init__(self, model: PackageModel, signals: Signals) -> None:
        self.model = model
        bodies = {id(verb.body) for verb in model.verbs.values()}  # these nobody looks into but the verb itself
        parse_texts([one for one in frame_texts(model) if id(one) not in bodies], Diagnostics())
        number_declarations(model)
        self.vocabulary = make_vocabulary(model, signals)
        self.flow = Flow(model, Diagnostics())
        self.known: dict[tuple[str, int], LoweredUnit] = {}  # texts of scenarios that are right, by what they say
        self.resolved: Resolved = {}  # entries of positions that are right
        self.called: dict[int, tuple[LoweredUnit, frozenset[str]]] = {}  # of known texts, by identity
        self.twins: dict[
            TextsKey, tuple[Asks, Told]
        ] = {}  # what texts of cards that are right lead to, by what they say
        self.bearing = {kind for kind in model.kinds if any(model.kinds[k].abilities for k in model.ancestors(kind))}
        self.lending = tuple(sorted(kind for kind in model.kinds if bearers(model, kind) is not None))

    def look_at_texts(self) -> ScenarioTexts:
        """For the texts of one scenario whose rows nobody wants. Most say what others have said before them."""
        if max(len(self.known), len(self.resolved), len(self.called)) > MAX_KNOWN:
            self.known.clear()
            self.resolved.clear()
            self.called.clear()
        return ScenarioTexts(self.vocabulary, self.model, known=self.known)

    def words_of(self, lowered: LoweredUnit) -> frozenset[str]:
        """The words that the options of a text of a scenario are called by."""
        found = self.called.get(id(lowered))
        if found is None:
            found = self.called[id(lowered)] = lowered, frozenset(words_of_options([asks_of(lowered)]))
        return found[1]

    def texts_key(self, card: Definition) -> TextsKey | None:
        """The same for two cards whose texts mean the same; None for a card with abilities, which have names."""
        if card.abilities or self.lending or card.kind in self.bearing:
            return None
        said = [(slot, text.start, text.text, text.language, text.clauses) for slot, text in card.programs.items()]
        return card.kind, tuple(said)

    def remember(self, key: TextsKey, card: str, asks: Asks, told: Told) -> None:
        """What the texts of a card ask for and tell, unless it says which card it is."""
        if len(self.twins) > MAX_KNOWN:
            self.twins.clear()
        if card not in repr(asks):
            self.twins[key] = asks, told

    def look(self, one: Text, diags: Diagnostics) -> None:
        """The flow of one text."""
        self.flow.diags = diags
        self.flow.text(one)


@fresh_query
def vocabulary(db: Database, package: Package) -> FrameVocabulary | None:
    model = frame_model(db, package)
    return None if model is None else FrameVocabulary(model, signals(db, package))


class Lowered(NamedTuple):
    """Units of a package, and all that is wrong with them."""

    units: tuple[LoweredUnit, ...]
    problems: tuple[Diagnostic, ...]


@fresh_query
def frame_units(db: Database, package: Package) -> Lowered | None:
    """All units but those of cards, in the order of the artefact."""
    found = vocabulary(db, package)
    if found is None:
        return None
    own, diags = frame_texts(found.model), Diagnostics()
    parse_texts(own, diags)
    diags.extend(found.vocabulary.diagnostics)
    units = tuple(lower_unit(found.vocabulary, one) for one in plain_units(found.model))
    for lowered in units:
        diags.extend(lowered.diagnostics)
    for one in own:
        found.look(one, diags)
    found.flow.diags = diags
    verbs = list(found.model.verbs.values())
    found.flow.endless_triggers(units, verbs)
    found.flow.endless_calls(units, verbs, found.vocabulary.stoppable)
    found.flow.measure_work(units, verbs, found.vocabulary)
    return Lowered(units, tuple(diags.sorted()))


class FrameFacts(NamedTuple):
    """What is known of a frame without lowering it again."""

    problems: tuple[Diagnostic, ...]
    asks: tuple[Asks, ...]
    names: tuple[str, ...]  # of things, cards and zones
    zones: tuple[str, ...]
    lending: tuple[str, ...]  # kinds of cards that lend their abilities to others
    broken: frozenset[str]  # abilities that no card may have
    told: Told


def write_frame(facts: FrameFacts | None) -> Json:
    if facts is None:
        return []
    problems, asks, names, zones, lending, broken, told = facts
    said: Json = [write_asks(one) for one in asks]
    lists = [list(row) for row in (names, zones, lending)]
    return [write_problems(problems), said, *lists, sorted(broken), write_told(told)]


def read_frame(value: Json) -> FrameFacts | None:
    if value == []:
        return None
    problems, asks, names, zones, lending, broken, told = rows(value, 7)
    own, places, lent_by = (tuple(texts(row)) for row in (names, zones, lending))
    said = tuple(map(read_asks, rows(asks)))
    return FrameFacts(read_problems(problems), said, own, places, lent_by, read_texts(broken), read_told(told))


def frame_facts_word(db: Database, package: Package) -> str:
    return fingerprint_of(frame_word(db, package), write_signals(signals(db, package)))


@kept_query(frame_facts_word, write_frame, read_frame)
def frame_facts(db: Database, package: Package) -> FrameFacts | None:
    found, lowered = vocabulary(db, package), frame_units(db, package)
    if found is None or lowered is None:
        return None
    definitions, model = found.vocabulary.definitions, found.model
    assert definitions is not None
    asks = tuple(asks_of(one) for one in (definitions, *lowered.units))
    names = (*model.things, *model.definitions, *model.zones)
    broken = frozenset(name for one in lowered.units for name in one.broken)
    told = join_told(one.told for one in (definitions, *lowered.units))
    return FrameFacts(lowered.problems, asks, names, tuple(model.zones), found.lending, broken, told)


# ------------------------------------------------------------ cards


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
        texts.append(copy_record(text))
        return texts[-1]

    def ability(one: Ability) -> Ability:
        parts = {name: fresh(getattr(one, name)) for name in ("window", "only", "limit", "do", "always")}
        others = tuple(text for text in map(fresh, one.other_windows) if text is not None)
        return replace(one, **parts, other_windows=others)

    programs = {name: text for name, old in found.programs.items() if (text := fresh(old)) is not None}
    abilities = {name: ability(one) for name, one in found.abilities.items()}
    return replace(found, values=dict(found.values), programs=programs, abilities=abilities), texts


class UnitFacts(NamedTuple):
    """What is known of a card: what is wrong with its texts and values, what it asks for, which of its abilities no
    other may have."""

    problems: tuple[Diagnostic, ...]
    asks: Asks
    broken: frozenset[str]
    told: Told


class _Lenders(dict[str, Definition]):
    """The cards that lend abilities, as they are now."""

    def __init__(self, db: Database, package: Package) -> None:
        super().__init__()
        self.db, self.package = db, package
        self.asked: dict[str, None] = {}

    def get(self, name: str, default: Definition | None = None) -> Definition | None:  # type: ignore[override]
        found = parsed_card(self.db, (self.package, name))
        if found is not None:
            self.asked[name] = None
        return default if found is None else found.card


@query
def lender_words(db: Database, package: Package) -> tuple[str, ...]:
    """Words for the cards that lend their abilities to others."""
    facts = frame_facts(db, package)
    lending = facts.lending if facts is not None else ()
    return tuple(card_word(db, (package, row.name)) for row in card_rows(db, package) if row.kind in lending)


def home_of(db: Database, key: tuple[Package, str]) -> str:
    """The file of a card, as reports call it."""
    if is_split(db, key[0]):
        return report_name(homes(db, key[0])[key[1]].path)
    found = card(db, key)
    return "" if found is None else found.span.file.partition(ENTRY)[0]


@kept_query(card_word, write_signals, read_signals, shelf=home_of)
def card_signals(db: Database, key: tuple[Package, str]) -> Signals:
    """What the texts of a card tell all others."""
    found = parsed_card(db, key)
    return join_signals(map(text_signals, texts_of(found.card) if found is not None else ()))


@kept_query(interface_word, write_signals, read_signals)
def file_signals(db: Database, key: FileKey) -> Signals:
    """What the texts of the cards of a file tell all others."""
    return join_signals([card_signals(db, (key[0], name)) for name in interface(db, key).telling])


def unit_word(db: Database, key: tuple[Package, str]) -> str:
    return fingerprint_of(frame_facts_word(db, key[0]), card_word(db, key), *lender_words(db, key[0]))


def write_unit(facts: UnitFacts) -> Json:
    return [write_problems(facts.problems), write_asks(facts.asks), sorted(facts.broken), write_told(facts.told)]


def read_unit(value: Json) -> UnitFacts:
    problems, asks, broken, told = rows(value, 4)
    return UnitFacts(read_problems(problems), read_asks(asks), read_texts(broken), read_told(told))


def numbered_card(db: Database, key: tuple[Package, str]) -> Definition:
    """A card with its texts parsed and its number among all cards."""
    words, found = vocabulary(db, key[0]), parsed_card(db, key)
    assert words is not None and found is not None
    known = words.model.definitions[key[1]]
    return replace(found.card, index=known.index, values={**known.values, **found.card.values})


@fresh_query
def card_unit(db: Database, key: tuple[Package, str]) -> Lowered:
    """A card looked at for itself."""
    package = key[0]
    words, found, facts = vocabulary(db, package), parsed_card(db, key), frame_facts(db, package)
    assert words is not None and found is not None and facts is not None
    diags = Diagnostics()
    diags.extend(found.problems)
    card = numbered_card(db, key)
    model, broken = words.model, facts.broken
    if words.lending and card.kind not in words.lending:
        lenders = _Lenders(db, package)
        model = PackageModel("", "", words.model.kinds, definitions=lenders)
        make_card_unit(model, card, ())
        broken = broken.union(*(unit(db, (package, lender)).broken for lender in lenders.asked))
    lowered = lower_unit(words.vocabulary, make_card_unit(model, card, broken))
    diags.extend(lowered.diagnostics)
    for one in texts_of(card):
        words.look(one, diags)
    return Lowered((lowered,), tuple(diags.sorted()))


@kept_query(unit_word, write_unit, read_unit, shelf=home_of)
def unit(db: Database, key: tuple[Package, str]) -> UnitFacts:
    """What is known of a card. Texts that others have said before it, and rightly, are not looked at again."""
    words, found = vocabulary(db, key[0]), card(db, key)
    assert words is not None and found is not None
    same = words.texts_key(found)
    known = words.twins.get(same) if same is not None else None
    if known is not None:
        diags = Diagnostics()
        read_values(words.model, found, diags)
        return UnitFacts(tuple(diags.sorted()), known[0], frozenset(), known[1])
    (lowered,), problems = card_unit(db, key)
    asks = asks_of(lowered)
    if same is not None and not problems:
        words.remember(same, key[1], asks, lowered.told)
    return UnitFacts(problems, asks, lowered.broken, lowered.told)


# ------------------------------------------------------------ all of it


def unread_word(db: Database, package: Package) -> str:
    found = used(db, package)
    return fingerprint_of(frame_word(db, package), sorted(found.words), sorted(found.starts))


@kept_query(unread_word, write_problems, read_problems)
def unread(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """Declarations that nothing uses."""
    found, words, seen = manifest(db, package.root), vocabulary(db, package), used(db, package)
    assert found.manifest is not None and words is not None
    diags = Diagnostics()
    Flow(words.model, diags).unread(seen.words, seen.starts, found.manifest.id)
    return tuple(diags.sorted())


def file_word(db: Database, key: FileKey) -> str:
    """A word for all that the cards of a file hang on."""
    return fingerprint_of(frame_facts_word(db, key[0]), interface_word(db, key), *lender_words(db, key[0]))


@kept_query(file_word, write_told, read_told)
def file_told(db: Database, key: FileKey) -> Told:
    """What the cards of a file tell of what can be where."""
    return join_told(unit(db, (key[0], name)).told for name in interface(db, key).names)


@query
def told(db: Database, package: Package) -> Told:
    """What all units of a package tell of what can be where, and take for possible."""
    facts = frame_facts(db, package)
    own = () if facts is None else (facts.told,)
    if is_split(db, package):
        return join_told([*own, *(file_told(db, (package, path)) for path in content_files(db, package.root))])
    return join_told([*own, *(unit(db, (package, row.name)).told for row in card_rows(db, package))])


def told_word(db: Database, package: Package) -> str:
    return fingerprint_of(frame_word(db, package), told(db, package))


@kept_query(told_word, write_premises, read_premises)
def impossible(db: Database, package: Package) -> frozenset[Premise]:
    """What texts of a package take for possible, and nothing makes so."""
    found = vocabulary(db, package)
    return frozenset() if found is None else find_impossible(found.model, told(db, package))


@kept_query(frame_word, write_problems, read_problems)
def stranded(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """Cards that never come into play."""
    found, own = vocabulary(db, package), manifest(db, package.root).manifest
    diags = Diagnostics()
    if found is not None and own is not None:
        report_stranded(found.model, own.id, diags)
    return tuple(diags.sorted())


@fresh_query
def never_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What can never be: pieces in places to which nothing brings them, events that nothing makes happen."""
    never = impossible(db, package)
    if not never:
        return stranded(db, package)
    found, facts, lowered = vocabulary(db, package), frame_facts(db, package), frame_units(db, package)
    assert found is not None and facts is not None and lowered is not None
    units = [unit for unit in (found.vocabulary.definitions, *lowered.units) if unit is not None]
    for row in card_rows(db, package):
        if not never.isdisjoint(unit(db, (package, row.name)).told.premises):
            units += card_unit(db, (package, row.name)).units
    diags = Diagnostics(stranded(db, package))
    report_premises(found.model, {premise for one in units for premise in one.premises}, never, diags)
    return tuple(diags.sorted())


@query
def stray_texts(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What is wrong with texts that no card has: those that were replaced, or whose card was refused."""
    found = None if is_split(db, package) else declared(db, package)
    if found is None:
        return ()
    held = {id(text) for one in found.model.definitions.values() for text in texts_of(one)}
    stray = [t for t in found.model.texts if section_of(t.file) in OWN_TEXTS and id(t) not in held]
    words = vocabulary(db, package) if stray else None
    diags = Diagnostics()
    for one in [copy_record(one) for one in stray]:
        parse_texts([one], diags)
        if words is not None:
            words.look(one, diags)
    return tuple(diags.sorted())


class ContentFacts(NamedTuple):
    """All that is wrong with the content of a package, at places of entries."""

    problems: tuple[Diagnostic, ...]
    has_errors: bool


@fresh_query
def content_facts(db: Database, package: Package) -> ContentFacts | None:
    about, facts = manifests(db, package), frame_facts(db, package)
    if about is None or facts is None:
        return None
    if is_split(db, package):
        problems = [*about.problems.sorted(), *facts.problems]
        for path in content_files(db, package.root):
            problems += file_problems(db, (package, path))
    else:
        found = declared(db, package)
        assert found is not None
        problems = [*found.problems.sorted(), *facts.problems, *stray_texts(db, package)]
        for name in found.model.definitions:
            problems += unit(db, (package, name)).problems
    problems += whole_problems(db, package)
    has_errors = any(item.severity == "error" for item in problems)
    if not has_errors:
        problems += unread(db, package)
        problems += never_problems(db, package)
    return ContentFacts(tuple(problems), has_errors)


@kept_query(file_word, write_problems, read_problems, covers=lambda db, key: report_name(key[1]))
def file_problems(db: Database, key: FileKey) -> tuple[Diagnostic, ...]:
    """What is wrong with the cards of a file."""
    names = interface(db, key).names
    return tuple(item for name in names for item in unit(db, (key[0], name)).problems)


@query
def whole_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What a package needs in order to be played at all."""
    about, whole = manifests(db, package), None if is_split(db, package) else declared(db, package)
    model = skeleton(db, package) if whole is None else whole.model
    assert about is not None and model is not None
    diags = Diagnostics()
    Flow(model, diags).check_package(about.own, about.players)
    return tuple(diags.sorted())


@fresh_query
def content_asks(db: Database, package: Package) -> tuple[Asks, ...]:
    """What all units of a package ask for, in the order of the artefact."""
    facts = frame_facts(db, package)
    assert facts is not None
    return (*facts.asks, *(unit(db, (package, row.name)).asks for row in card_rows(db, package)))

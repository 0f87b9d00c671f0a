"""Check the content of a package at scale: what is known of unchanged files is not looked at again, the rest is shared out to all cores.

In: the files of a package and of those it needs, and what an earlier run kept. Out: an `Outcome`: the diagnostics that a full compile
gives (texts and scenarios apart), and what the next run may use.

A file that declares nothing but cards is a *leaf*; all other files are the *frame*. The frame and the interface of all cards (name, kind,
copies, start, filled slots, in order) are the *vocabulary*: under the same vocabulary, what was clean stays clean.

- `Delta`: some leaves changed, the vocabulary did not. Only these are read, and of them only what was never seen is parsed and lowered.
- `Together`: everything is read, each process reads its share of the leaves and tells the others the interfaces of its cards.
- `Alone`: everything is read by one process, as a full compile does it; only the texts are shared out.

What a quick way cannot do exactly as a full compile does, it leaves to the next one, and the last to the full compile.
"""

from __future__ import annotations

import marshal
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from grimoire.compiler.cache import content_key
from grimoire.compiler.checking.packages import File, Pack
from grimoire.compiler.checking.processes import Helper, cores, stop
from grimoire.compiler.checking.units import (
    KEY,
    NOWHERE,
    Finding,
    Unit,
    check_unit,
    check_value,
    distinct,
    look,
    look_here,
    rebuilt,
    shape_of,
    unit_key,
    units_of,
)
from grimoire.compiler.declare.base import MAX_PIECES
from grimoire.compiler.declare.model import Definition, PackageModel, Text
from grimoire.compiler.declare.sections import PIECE_SECTIONS, Declarer, base_model
from grimoire.compiler.diagnostics.report import (
    MAX_IN_ALL,
    MAX_PER_FILE,
    Diagnostic,
    Diagnostics,
    Span,
    from_plain,
    to_plain,
)
from grimoire.compiler.records import field, record, replace
from grimoire.compiler.source.manifest import MANIFEST, Manifest, read_manifest
from grimoire.compiler.source.tree import Mapping, Node, parse_bytes

# The later stages are imported where they are used: often nothing has to be parsed.
if TYPE_CHECKING:
    from grimoire.compiler.checking.flow import Flow
    from grimoire.compiler.lower.vocabulary import Vocabulary

PARALLEL_BYTES = 150_000  # of files to read; the same
MAX_KNOWN = 1_000_000  # units remembered as clean
_NO_LEAF = rb"^(?![ #\r\n]|(?:%s):)." % "|".join(PIECE_SECTIONS).encode()  # a line that no leaf has
_WORD = re.compile(r"[a-z][a-z0-9-]*")

# The interface of a card: name, kind, copies, start, filled slots.
Card = tuple[str, str, int, str | None, tuple[str, ...]]


@record()
class Outcome:
    """`report` is None when only a full compile can tell; `pack` and `cards` are what the next run may use."""

    report: list[Diagnostic] | None
    pack: Pack = field(default_factory=dict)
    cards: Pack | None = None  # interfaces; None: those that there are still hold


@record()
class Leaf:
    """What is remembered of a file of cards."""

    digest: str
    dirty: bool  # something in it was reported: it is read again each time
    words: list[str]  # of its texts
    values: bytes  # keys of the printed values
    cards: str  # key of the interfaces of its cards


@record()
class Frame:
    """What is remembered of all the rest."""

    key: str
    shared: list[Diagnostic]
    unread: list[Diagnostic]  # told when there are no errors
    asked: dict[str, bool]  # the words that `unread` hangs on, and whether they were there
    values: str  # the printed values that it hangs on


class LookedInside(Exception):
    """A stage wanted to know of a remembered card what is not remembered."""


class _Closed(dict[str, Any]):
    """The values or abilities of a remembered card: nobody may ask for them, though a value may be added."""

    def _refuse(self, *_: object) -> NoReturn:
        raise LookedInside

    get = items = values = keys = copy = _refuse
    __getitem__ = __contains__ = __iter__ = __len__ = __or__ = __ror__ = _refuse


class _ClosedText:
    """A text of a remembered card: it is there and can be parsed, and that is all."""

    ok = True

    def __getattr__(self, name: str) -> NoReturn:
        raise LookedInside


_TEXT: Any = _ClosedText()


class Words:
    """Words that remember what was asked of them. They can be asked for single words only."""

    def __init__(self, words: set[str]) -> None:
        self.words = words
        self.asked: dict[str, bool] = {}

    def __contains__(self, word: str) -> bool:
        found = self.asked[word] = word in self.words
        return found


def check_content(
    roots: list[Path], files: list[File], tool: str, pack: Pack, known_cards: Callable[[], Pack]
) -> Outcome:
    """Check the content files of a package (the last of the roots) and of those it needs, with what an earlier run kept.

    The interfaces of the cards are kept apart: most runs do not need them.
    """
    for way in (Delta, Together, Alone):
        try:
            found = way(roots, files, tool, pack, known_cards).run()
        except LookedInside:
            continue
        if found is not None:
            return found
    return Outcome(None)


def only_cards(tree: Node | None) -> bool:
    return isinstance(tree, Mapping) and len(tree) > 0 and all(key.value in PIECE_SECTIONS for key, _ in tree.entries)


def crowded(items: list[Diagnostic]) -> bool:
    """More than is shown: which of them are shown then depends on the order of the work."""
    if len(items) > MAX_IN_ALL:
        return True
    counts: dict[str, int] = {}
    for item in items:
        counts[item.span.file] = counts.get(item.span.file, 0) + 1
    return any(count > MAX_PER_FILE for count in counts.values())


class Way:
    """One way to check; `run` gives None to leave it to the next."""

    def __init__(
        self, roots: list[Path], files: list[File], tool: str, pack: Pack, known_cards: Callable[[], Pack]
    ) -> None:
        self.roots = roots
        self.files = files
        self.tool = tool
        self.pack = pack
        self.known_cards = known_cards
        self.diags = Diagnostics()  # of reading and declaring
        self.manifests: list[Manifest] = []
        self.players: tuple[int, int] | None = None
        self.model = PackageModel("", "")
        self.broken: set[str] = set()  # abilities of kinds that no card may have

    @abstractmethod
    def run(self) -> Outcome | None: ...

    # ------------------------------------------------------------ files

    @property
    def leaves(self) -> list[File]:
        return [file for file in self.files if file.leaf]

    def read_manifests(self) -> bool:
        """Read package.yaml of every folder; False when one is broken."""
        for number, root in enumerate(self.roots):
            file = next((f for f in self.files if f.folder == number and f.name == MANIFEST), None)
            tree = None if file is None else parse_bytes(file.data, (root / MANIFEST).as_posix(), self.diags)
            made = None if tree is None else read_manifest(tree, root, self.diags)
            if made is None:
                return False
            self.manifests.append(made)
        own = self.manifests[-1]
        self.players = own.players
        for other in self.manifests[:-1]:
            self.players = own.players or other.players or self.players
        return True

    def load(self, files: Iterable[File]) -> bool:
        """Read files as YAML; False when one holds something else than sections."""
        for file in files:
            if file.name == MANIFEST:
                continue
            if file.problems is None:
                diags = Diagnostics()
                file.tree = parse_bytes(file.data, file.path, diags)
                file.problems = diags.sorted()
            self.diags.extend(file.problems)
            if file.tree is not None and not isinstance(file.tree, Mapping):
                return False
        return True

    def frame_key(self) -> str:
        return content_key(self.tool, *[f"{f.path}={'leaf' if f.leaf else f.digest}" for f in self.files])

    # ------------------------------------------------------------ declarations

    def declare(self, files: Iterable[File]) -> None:
        """Declare what stands in these files, which are in order."""
        self.model = base_model(self.manifests[-1].id, str(self.manifests[-1].version))
        files = list(files)
        for number, manifest in enumerate(self.manifests):
            declarer = Declarer(self.model, manifest.id, self.diags)
            for file in files:
                if file.folder == number and isinstance(file.tree, Mapping):
                    declarer.read(file.tree)
            declarer.finish()

    def cards_of(self, files: Iterable[File]) -> dict[str, list[Card]]:
        found: dict[str, list[Card]] = {file.path: [] for file in files}
        for d in self.model.definitions.values():
            if d.span.file in found:
                found[d.span.file].append((d.id, d.kind, d.copies, d.zone, tuple(d.programs)))
        return found

    def complete(self, cards: dict[str, list[Card]]) -> None:
        """Put the remembered cards of other files among the declared ones, in the order of the files."""
        by_file: dict[str, list[Definition]] = {}
        for definition in self.model.definitions.values():
            by_file.setdefault(definition.span.file, []).append(definition)
        slots: dict[tuple[str, ...], dict[str, Text]] = {}
        closed, place = _Closed(), Span.point(NOWHERE.path)
        definitions: dict[str, Definition] = {}
        for file in self.files:
            path = file.path
            for definition in by_file.get(path, ()):
                definitions[definition.id] = definition
            package = self.manifests[file.folder].id
            for name, kind, copies, zone, filled in cards.get(path, ()):
                texts = slots.get(filled)
                if texts is None:
                    texts = slots[filled] = dict.fromkeys(filled, _TEXT)
                definitions[name] = Definition(name, kind, copies, zone, _Closed(), texts, closed, place, package)
        self.model.definitions = definitions

    def units(self, files: Iterable[File]) -> list[Unit]:
        """What there is to look at in these leaves."""
        paths = {file.path for file in files}
        units = [
            unit
            for definition in self.model.definitions.values()
            if definition.span.file in paths
            for unit in units_of(definition)
            if unit.at_home
        ]
        owned = {id(text) for unit in units for text in unit.texts()}
        rest = [text for text in self.model.texts if text.file in paths and id(text) not in owned]
        return units + [Unit(None, "", unit_key(f"o\0{text.start}\0{text.text}"), text) for text in rest]

    def remember(
        self, leaves: dict[str, Leaf], files: list[File], units: list[Unit], cards: dict[str, list[Card]]
    ) -> None:
        """Note what the files say: words and values, on which hangs what nothing uses; and which cards they have."""
        said: dict[str, set[str]] = {file.path: set() for file in files}
        for text in self.model.texts:
            if text.file in said:
                said[text.file].add(text.text)
        values: dict[str, set[bytes]] = {file.path: set() for file in files}
        for unit in units:
            if unit.value is not None:
                values[unit.value.source.path].add(unit.key)
        for file in files:
            words = {word for text in said[file.path] for word in _WORD.findall(text)}
            said_values = b"".join(sorted(values[file.path]))
            leaves[file.path] = Leaf(file.digest, False, sorted(words), said_values, cards_key(file.path, cards))

    def frame_words(self) -> set[str]:
        paths = {file.path for file in self.leaves}
        return {word for text in self.model.texts if text.file not in paths for word in _WORD.findall(text.text)}

    # ------------------------------------------------------------ looking at texts

    def prepare(self) -> tuple[Vocabulary, Flow]:
        """Lower the frame: what every text is looked at against. The diagnostics are those of the flow."""
        from grimoire.compiler.checking.flow import Flow
        from grimoire.compiler.declare.numbering import number_declarations
        from grimoire.compiler.lower.units import ThingsUnit, lower_unit, make_vocabulary, plain_units
        from grimoire.compiler.syntax.parse import parse_texts

        model, diags = self.model, Diagnostics()
        leaves = {file.path for file in self.leaves}
        everything = model.texts
        model.texts = [text for text in everything if text.file not in leaves]
        parse_texts(model.texts, diags)
        number_declarations(model)
        vocabulary = make_vocabulary(model)
        diags.extend(vocabulary.diagnostics)
        lowered = [lower_unit(vocabulary, unit) for unit in plain_units(model) if not isinstance(unit, ThingsUnit)]
        self.broken = {name for unit in lowered for name in unit.broken}
        for unit in lowered:
            diags.extend(unit.diagnostics)
        flow = Flow(model, diags)
        for text in model.texts:
            flow.text(text)
        flow.endless_triggers(lowered, list(model.verbs.values()))
        model.texts = everything
        return vocabulary, flow

    def look_at_frame(self, vocabulary: Vocabulary, diags: Diagnostics) -> None:
        """What is looked at once: things, the cards of the frame, what replaces, and what cards have from their kinds."""
        from grimoire.compiler.lower.units import CardUnit, bearers, inherited_abilities, lower_unit

        leaves = {file.path for file in self.leaves}
        for thing in self.model.things.values():
            for name, node in thing.values.items():
                check_value(vocabulary, thing, name, node, diags)
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for definition in self.model.definitions.values():
            profile = (definition.kind, tuple(definition.programs))
            if profile not in seen:
                seen.add(profile)
                part = replace(definition, values={}, programs={}, abilities={})
                inherited = [(None, ability) for ability in inherited_abilities(self.model, definition, self.broken)]
                if bearers(self.model, definition.kind) is None:
                    diags.extend(lower_unit(vocabulary, CardUnit(part, tuple(inherited))).diagnostics)
            if isinstance(definition.values, _Closed):
                continue
            inside = definition.span.file in leaves
            for unit in units_of(definition):
                if not (inside and unit.at_home):
                    check_unit(unit, vocabulary, diags)

    def finish(
        self, shared: list[Diagnostic], finding: Finding, flow: Flow, cards: dict[str, list[Card]], leaves: dict[str, Leaf]
    ) -> Outcome:  # fmt: skip
        """The report of a run that read everything, and what it leaves for the next."""
        flow.diags = Diagnostics(shared)
        flow.whole(self.manifests[-1], self.players)
        shared = flow.diags.sorted()
        flow.diags = Diagnostics()
        words = Words(self.frame_words().union(*(leaf.words for leaf in leaves.values())))
        flow.unread(words, self.manifests[-1].id)  # type: ignore[arg-type]
        unread = flow.diags.sorted()
        frame = Frame(self.frame_key(), shared, unread, words.asked, values_key(leaves))
        made = self.outcome(frame, finding, leaves, b"".join(sorted(set(finding.clean))))
        if made.pack:
            made.cards = {cards_key(path, cards): marshal.dumps(rows) for path, rows in cards.items()}
        return made

    def outcome(self, frame: Frame, finding: Finding, leaves: dict[str, Leaf], clean: bytes) -> Outcome:
        report = [*frame.shared, *finding.diagnostics]
        if not any(item.severity == "error" for item in report):
            report += frame.unread
        places = {span.file for item in report for span in spans_of(item)}
        if NOWHERE.path in places:
            raise LookedInside
        if crowded(report):
            return Outcome(None)
        paths = {file.path for file in self.leaves}
        framed = (*frame.shared, *frame.unread)
        if len(clean) > MAX_KNOWN * KEY or any(span.file in paths for item in framed for span in spans_of(item)):
            return Outcome(report)  # what the frame reports hangs on lines of a leaf
        for item in finding.diagnostics:
            for span in spans_of(item):
                if span.file in leaves:
                    leaves[span.file].dirty = True
        head = (
            (frame.key, to_plain(frame.shared), to_plain(frame.unread), frame.asked, frame.values),
            plain_leaves(leaves),
        )  # fmt: skip
        return Outcome(report, {"head": marshal.dumps(head), "clean": clean})


class Delta(Way):
    """Some leaves changed, and their cards are called and sorted as before."""

    def run(self) -> Outcome | None:
        if "head" not in self.pack or "clean" not in self.pack:
            return None
        (key, shared, unread, asked, values), rows = marshal.loads(self.pack["head"])
        leaves = {path: Leaf(*rest) for path, *rest in rows}
        changed: list[File] = []
        for file in self.files:
            known = leaves.get(file.path)
            file.leaf = known is not None
            if known is not None and (known.dirty or known.digest != file.digest):
                changed.append(file)
        if key != self.frame_key() or not self.load(changed) or not all(only_cards(file.tree) for file in changed):
            return None
        if len(self.diags) or not self.read_manifests() or not self.load(f for f in self.files if not f.leaf):
            return None
        self.declare([file for file in self.files if not file.leaf or file in changed])
        # What the frame reports is known. It can be wrong here, where most cards are missing.
        paths = {file.path for file in changed}
        if any(span.file in paths for item in self.diags for span in spans_of(item)):
            return None
        cards = self.cards_of(changed)
        if any(cards_key(path, cards) != leaves[path].cards for path in paths):
            return None
        units = self.units(changed)
        self.remember(leaves, changed, units, cards)
        words = self.frame_words().union(*(leaf.words for leaf in leaves.values()))
        used = values == values_key(leaves) and all((word in words) == there for word, there in asked.items())
        stored = self.pack["clean"]
        clean = {stored[at : at + KEY] for at in range(0, len(stored), KEY)}
        finding = Finding()
        if any(unit.key not in clean for unit in units):
            interfaces = self.known_cards()
            rest = {path: leaf.cards for path, leaf in leaves.items() if path not in paths}
            if any(name not in interfaces for name in rest.values()):
                return None
            self.complete({path: marshal.loads(interfaces[name]) for path, name in rest.items()})
            vocabulary, flow = self.prepare()
            finding = look(units, clean, vocabulary, flow)
        frame = Frame(key, from_plain(shared), from_plain(unread), asked, values)
        if not used and not any(item.severity == "error" for item in (*frame.shared, *finding.diagnostics)):
            return None  # something may be used now that was not, or the other way round
        stored += b"".join(sorted(set(finding.clean) - clean))
        return self.outcome(frame, finding, leaves, stored)


class Alone(Way):
    """Everything is read by this process."""

    def run(self) -> Outcome | None:
        if not self.read_manifests() or not self.load(self.files):
            return None
        for file in self.files:
            file.leaf = only_cards(file.tree)
        self.declare(self.files)
        vocabulary, flow = self.prepare()
        diags = flow.diags
        self.look_at_frame(vocabulary, diags)
        shared = [*self.diags, *diags]
        units, cards = self.units(self.leaves), self.cards_of(self.leaves)
        leaves: dict[str, Leaf] = {}
        self.remember(leaves, self.leaves, units, cards)
        finding = look(units, set(), vocabulary, flow)
        return self.finish(shared, finding, flow, cards, leaves)


class Together(Way):
    """Every process reads its share of the leaves. Only where nothing is to be said about any declaration."""

    def run(self) -> Outcome | None:
        count = cores()
        for file in self.files:
            file.leaf = file.name != MANIFEST and not re.search(_NO_LEAF, file.data, re.MULTILINE)
        leaves = self.leaves
        if count < 2 or len(leaves) < 2 or sum(len(file.data) for file in leaves) < PARALLEL_BYTES:
            return None
        if not self.read_manifests() or not self.load(f for f in self.files if not f.leaf) or len(self.diags):
            return None
        first, *others = split(leaves, count)
        helpers = [Helper(self.help, share) for share in others]
        try:
            return self.lead(first, helpers)
        finally:
            stop(helpers)

    def lead(self, share: list[File], helpers: list[Helper]) -> Outcome | None:
        cards = self.first_half(share)
        for helper in helpers:
            more = helper.receive()
            if more is None or cards is None:
                return None
            cards |= more
        if cards is None or not self.fits(cards):
            return None
        for helper in helpers:
            helper.send(cards)
        vocabulary, flow = self.middle(share, cards)
        self.look_at_frame(vocabulary, flow.diags)
        shared = flow.diags.sorted()
        leaves, finding = self.second_half(share, vocabulary, flow, cards)
        for helper in helpers:
            answer = helper.receive()
            if answer is None:
                return None
            plain, clean, rows, values = answer
            finding.diagnostics += from_plain(plain)
            finding.clean += clean
            leaves |= {path: Leaf(*rest) for path, *rest in rows}
            for name, printed in values.items():
                definition = self.model.definitions[name]
                made = dict.items(definition.values)
                definition.values = {field: rebuilt(shape) for field, shape in printed.items()} | dict(made)
        in_order = {file.path: leaves[file.path] for file in self.leaves}
        return self.finish(shared, finding, flow, cards, in_order)

    def help(self, share: list[File], receive: Callable[[], Any], send: Callable[[Any], None]) -> None:
        """What a helper does."""
        own = self.first_half(share)
        send(own)
        cards = receive()
        if own is None or cards is None:
            return
        values = {
            d.id: {name: shape_of(node) for name, node in d.values.items()}
            for d in self.model.definitions.values()
            if d.span.file in own
        }
        vocabulary, flow = self.middle(share, cards)
        leaves, finding = self.second_half(share, vocabulary, flow, cards)
        send((to_plain(finding.diagnostics), finding.clean, plain_leaves(leaves), values))

    def first_half(self, share: list[File]) -> dict[str, list[Card]] | None:
        """Read and declare a share; the interfaces of its cards, or None if there was anything to report."""
        if not self.load(share) or not all(only_cards(file.tree) for file in share):
            return None
        self.declare([file for file in self.files if not file.leaf or file in share])
        return None if len(self.diags) else self.cards_of(share)

    def middle(self, share: list[File], cards: dict[str, list[Card]]) -> tuple[Vocabulary, Flow]:
        """Take in the cards of the others."""
        own = {file.path for file in share}
        self.complete({path: rows for path, rows in cards.items() if path not in own})
        return self.prepare()

    def second_half(
        self, share: list[File], vocabulary: Vocabulary, flow: Flow, cards: dict[str, list[Card]]
    ) -> tuple[dict[str, Leaf], Finding]:
        units = self.units(share)
        leaves: dict[str, Leaf] = {}
        self.remember(leaves, share, units, cards)
        return leaves, look_here(*distinct(units, set()), vocabulary, flow)

    def fits(self, cards: dict[str, list[Card]]) -> bool:
        """Whether the cards of all shares can be declared together."""
        frame = [d for d in self.model.definitions.values() if d.span.file not in cards]
        names = [d.id for d in frame] + [card[0] for rows in cards.values() for card in rows]
        copies = sum(d.copies for d in frame) + sum(card[2] for rows in cards.values() for card in rows)
        return len(set(names)) == len(names) and copies <= MAX_PIECES


def split(files: list[File], count: int) -> list[list[File]]:
    """Share files out to about equal numbers of bytes, in order."""
    total = sum(len(file.data) for file in files)
    shares: list[list[File]] = [[] for _ in range(count)]
    at = 0
    for file in files:
        shares[min((at + len(file.data) // 2) * count // max(total, 1), count - 1)].append(file)
        at += len(file.data)
    return [share for share in shares if share]


def cards_key(path: str, cards: dict[str, list[Card]]) -> str:
    return content_key(path, repr(cards[path]))


def plain_leaves(leaves: dict[str, Leaf]) -> list[tuple[Any, ...]]:
    return [(path, leaf.digest, leaf.dirty, leaf.words, leaf.values, leaf.cards) for path, leaf in leaves.items()]


def values_key(leaves: dict[str, Leaf]) -> str:
    keys = {leaf.values[at : at + KEY] for leaf in leaves.values() for at in range(0, len(leaf.values), KEY)}
    return content_key(b"".join(sorted(keys)))


def spans_of(item: Diagnostic) -> list[Span]:
    return [item.span, *(other.span for other in item.related)]

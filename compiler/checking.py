"""Check packages at scale: cached by content, on all cores.

In: package folders. Out: diagnostics, the same as a full compile gives. Three levels keep a second run short:
the whole package (nothing changed: the stored report is the answer); a file of cards (unchanged under the same vocabulary: not even
read as YAML); a text (same words in the same slot of the same kind: checked once). The vocabulary is everything that is not a file of
cards, plus the names and kinds of all cards.
"""

from __future__ import annotations

import gc
import hashlib
import json
import marshal
import multiprocessing
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache as remembered
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimoire.compiler.cache import Cache, content_key
from grimoire.compiler.diagnostics import Diagnostic, Diagnostics, Span, from_json, to_json
from grimoire.compiler.manifest import find_packages, load_manifest, load_packages, resolve_dependencies
from grimoire.compiler.source import list_files, read_bytes

# The stages themselves are imported where they are used: a run that finds its answer in the cache needs none of them.
if TYPE_CHECKING:
    from grimoire.compiler.flow import Flow
    from grimoire.compiler.lower import Lowering
    from grimoire.compiler.manifest import Manifest
    from grimoire.compiler.model import Ability, Definition, PackageModel, Text

PARALLEL_FROM = 800  # texts; below that a second process costs more than it brings
SPECIAL = ("text/", "scenarios/")
_WORDS = 32


@dataclass(slots=True)
class FileState:
    """One file of a package with its bytes."""

    folder: Path
    name: str
    data: bytes
    digest: str
    tree: Any = None
    cards: list[tuple[Any, ...]] | None = None  # remembered interface of a file of cards

    @property
    def path(self) -> Path:
        return self.folder / self.name


@dataclass(slots=True)
class UnitOfWork:
    """One text or ability of a card."""

    definition: Definition
    name: str
    text: Text | None
    ability: Ability | None
    key: bytes = b""


@dataclass(slots=True)
class Finding:
    """What a look at some units gave."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    clean: list[bytes] = field(default_factory=list)


@remembered
def tool_key() -> str:
    """Changes whenever the compiler does: an older report is then not used."""
    parts: list[bytes] = []
    here = Path(__file__).parent
    for folder, ending in ((here, "*.py"), (here.parent / "grammar", "*.lark")):
        for path in sorted(folder.glob(ending)):
            stat = path.stat()
            parts.append(f"{path.name}:{stat.st_size}:{stat.st_mtime_ns}".encode())
    return content_key(*parts)


def resolve_paths(paths: Iterable[str | Path], diags: Diagnostics) -> list[tuple[Path, list[Path]]]:
    """The package folders meant by paths or ids, each with the folders of what it needs, in the order to declare them."""
    roots = find_packages(paths, diags)
    manifests = load_packages(roots, Diagnostics())
    order = resolve_dependencies(manifests, diags)
    by_id = {manifest.id: manifest for manifest in order}
    wanted = {root.resolve() for root in roots}
    out: list[tuple[Path, list[Path]]] = []
    for manifest in order:
        if manifest.root.resolve() not in wanted:
            continue
        above: list[str] = []

        def collect(id_: str, above: list[str] = above) -> None:
            for need in by_id[id_].needs:
                if need.package in by_id and need.package not in above:
                    collect(need.package)
                    above.append(need.package)

        collect(manifest.id)
        out.append((manifest.root, [by_id[name].root for name in above]))
    missing = [root for root in roots if root.resolve() not in {folder.resolve() for folder, _ in out}]
    for root in missing:
        load_manifest(root, diags)
    return out


def check(paths: Iterable[str | Path]) -> list[Diagnostic]:
    """All problems of the packages that the paths or ids mean, sorted by place."""
    diags = Diagnostics()
    check_packages(resolve_paths(paths, diags), diags)
    return diags.sorted()


def check_packages(found: Iterable[tuple[Path, list[Path]]], diags: Diagnostics, cache: Cache | None = None) -> None:
    """Check folders of packages, each with the folders of those it needs."""
    store = Cache() if cache is None else cache
    paused = gc.isenabled()
    gc.disable()  # millions of small objects, none of them garbage before the end
    try:
        for root, needs in found:
            diags.extend(check_folder(root, needs, store))
    finally:
        if paused:
            gc.enable()


def check_folder(root: Path, needs: list[Path], cache: Cache) -> list[Diagnostic]:
    files = read_files([*needs, root])
    if files is None:
        return full(root, needs)
    # what the texts must say is read off the whole artefact, so a package with texts is compiled in full
    texts = any(file.folder is root and file.name.startswith("text/") for file in files)
    key = content_key("check", tool_key(), *[f"{f.path}={f.digest}" for f in files])
    stored = cache.get(key)
    if stored is not None:
        return from_json(json.loads(stored))
    report = None if texts else Incremental(root, needs, files, cache).run()
    if report is None:
        report = full(root, needs)
    if any(file.folder is root and file.name.startswith("scenarios/") for file in files):
        from grimoire.compiler.scenario import check_scenarios

        if not any(item.severity == "error" for item in report):
            report = [*report, *check_scenarios(root, needs)]
    cache.put(key, json.dumps(to_json(report)).encode())
    return report


def full(root: Path, needs: list[Path]) -> list[Diagnostic]:
    from grimoire.compiler.package import compile_folder

    return list(compile_folder(root, needs).diags)


def read_files(folders: list[Path]) -> list[FileState] | None:
    """The bytes of all files; None when something must be reported by the ordinary way of reading."""
    out: list[FileState] = []
    trouble = Diagnostics()
    for folder in folders:
        for name in list_files(folder, trouble):
            data = read_bytes(folder / name, trouble)
            if data is None or trouble:
                return None
            out.append(FileState(folder, name, data, hashlib.blake2b(data, digest_size=16).hexdigest()))
    return None if trouble else out


class Incremental:
    """One run over a package with a store of what was found before."""

    def __init__(self, root: Path, needs: list[Path], files: list[FileState], cache: Cache) -> None:
        self.root = root
        self.needs = needs
        self.cache = cache
        self.pack_name = "check-" + content_key(str(root.resolve()))
        self.pack = cache.load_pack(self.pack_name) if cache.enabled else {}
        self.files = files
        self.diags = Diagnostics()
        self.players: tuple[int, int] | None = None

    def run(self) -> list[Diagnostic] | None:
        """The report, or None when this way of checking does not fit and the package is to be compiled in full."""
        from grimoire.compiler.declare import PIECE_SECTIONS
        from grimoire.compiler.source import Mapping, load_file

        leaves: list[FileState] = []
        others: list[FileState] = []
        known = set(self.pack.get("leaves", b"").decode().split())
        for file in self.files:
            if file.name == "package.yaml" or file.name.startswith(SPECIAL):
                continue
            if file.digest in known:
                leaves.append(file)
                continue
            file.tree = load_file(file.path, self.diags, name=str(file.path))
            only_cards = (
                isinstance(file.tree, Mapping)
                and len(file.tree)
                and all(k.value in PIECE_SECTIONS for k, _ in file.tree.entries)
            )
            (leaves if only_cards else others).append(file)
        frame = content_key(
            tool_key(),
            *[f"{f.path}={f.digest}" for f in self.files if f not in leaves and not f.name.startswith(SPECIAL)],
        )
        for file in leaves:
            stored = self.pack.get(f"cards:{frame}:{file.digest}")
            if file.tree is None and stored is not None:
                file.cards = marshal.loads(stored)
            elif file.tree is None:
                file.tree = load_file(file.path, self.diags, name=str(file.path))
        made = self.declare(others, leaves)
        if made is None:
            return None
        manifest, model = made
        return self.check(manifest, model, leaves, frame)

    def declare(self, others: list[FileState], leaves: list[FileState]) -> tuple[Manifest, PackageModel] | None:
        from grimoire.compiler.declare import Declarer, base_model
        from grimoire.compiler.source import Mapping

        manifest = load_manifest(self.root, self.diags)
        if manifest is None:
            return None
        model = base_model(manifest.id, str(manifest.version))
        self.players = manifest.players
        for folder in [*self.needs, self.root]:
            above = manifest if folder is self.root else load_manifest(folder, self.diags)
            if above is None:
                return None
            self.players = manifest.players or above.players or self.players
            declarer = Declarer(model, above.id, self.diags)
            for file in others:
                if file.folder is folder:
                    if isinstance(file.tree, Mapping):
                        declarer.read(file.tree)
                    elif file.tree is not None:
                        return None
            for file in leaves:
                if file.folder is folder and file.tree is not None:
                    declarer.read(file.tree)
            declarer.finish()
            for file in leaves:
                if file.folder is folder and file.tree is None and not self.recall(file, above.id, model):
                    return None
        return manifest, model

    def recall(self, file: FileState, package: str, model: PackageModel) -> bool:
        """Declare the cards of an unchanged file from what is remembered of it."""
        from grimoire.compiler.model import Definition

        for name, kind, copies, zone, *place in file.cards or ():
            if name in model.definitions or name in model.things or name in model.zones or name in model.counters:
                return False
            span = Span(str(file.path), *place)
            model.definitions[name] = Definition(name, kind, copies, zone, {}, {}, {}, span, package)
        return True

    def check(self, manifest: Manifest, model: PackageModel, leaves: list[FileState], frame: str) -> list[Diagnostic]:
        from grimoire.compiler.flow import Flow, words_of
        from grimoire.compiler.lower import Lowering
        from grimoire.compiler.package import parse_texts

        leaf_paths = {str(file.path) for file in leaves}
        shared = [text for text in model.texts if text.file not in leaf_paths]
        everything = model.texts
        model.texts = shared
        parse_texts(shared, self.diags)
        lowering = Lowering(model, self.diags)
        lowering.checking = True
        lowering.prepare()
        lowering.check_values()
        flow = Flow(model, self.diags)
        for text in shared:
            flow.text(text)
        flow.endless_triggers(lowering.tables.procs, lowering.tables.abilities, list(model.verbs.values()))
        names = sorted(f"{d.id}:{d.kind}:{d.copies}" for d in model.definitions.values())
        vocabulary = content_key(frame, *names)
        by_file: dict[str, list[UnitOfWork]] = {}
        for definition in model.definitions.values():
            if definition.span.file in leaf_paths:
                by_file.setdefault(definition.span.file, []).extend(units_of(definition))
        rest_units = [u for d in model.definitions.values() if d.span.file not in leaf_paths for u in units_of(d)]
        clean_files: dict[str, list[str]] = marshal.loads(self.pack.get(f"clean:{vocabulary}", marshal.dumps({})))
        stored = self.pack.get(f"texts:{vocabulary}", b"")
        clean_texts = {stored[i : i + 12] for i in range(0, len(stored), 12)}
        words = words_of(shared)
        todo: list[UnitOfWork] = list(rest_units)
        for file in leaves:
            path = str(file.path)
            if file.digest in clean_files and file.tree is None:
                words.update(clean_files[file.digest])
                continue
            if file.tree is None:
                # remembered under other names: its texts must be looked at again
                return full(self.root, self.needs)
            units = by_file.get(path, [])
            words.update(words_of(text for unit in units for text in texts_of(unit)))
            todo.extend(units)
        finding = look(todo, clean_texts, lowering, flow)
        self.diags.extend(finding.diagnostics)
        flow.diags = self.diags
        flow.whole(manifest, self.players)
        model.texts = everything
        report = list(self.diags)
        if not self.diags.has_errors:
            flow.unread(words, manifest.id)
            report = list(self.diags)
        self.remember(leaves, by_file, report, finding, clean_texts, clean_files, vocabulary, frame, model)
        return report

    def remember(
        self, leaves: list[FileState], by_file: dict[str, list[UnitOfWork]], report: list[Diagnostic], finding: Finding,
        clean_texts: set[bytes], clean_files: dict[str, list[str]], vocabulary: str, frame: str, model: PackageModel,
    ) -> None:  # fmt: skip
        from grimoire.compiler.flow import words_of

        if not self.cache.enabled:
            return
        troubled = {item.span.file for item in report}
        pack: dict[str, bytes] = {}
        files: dict[str, list[str]] = {}
        by_path: dict[str, list[tuple[Any, ...]]] = {}
        for d in model.definitions.values():
            place = (d.span.line, d.span.column, d.span.end_line, d.span.end_column)
            by_path.setdefault(d.span.file, []).append((d.id, d.kind, d.copies, d.zone, *place))
        kept: list[str] = []
        for file in leaves:
            path = str(file.path)
            if path in troubled:
                continue
            kept.append(file.digest)
            pack[f"cards:{frame}:{file.digest}"] = marshal.dumps(by_path.get(path, []))
            if file.tree is None:
                files[file.digest] = clean_files[file.digest]
            else:
                files[file.digest] = sorted(words_of(text for unit in by_file.get(path, []) for text in texts_of(unit)))
        pack["leaves"] = " ".join(kept).encode()
        pack[f"clean:{vocabulary}"] = marshal.dumps(files)
        pack[f"texts:{vocabulary}"] = b"".join(sorted({*clean_texts, *finding.clean}))
        self.cache.save_pack(self.pack_name, pack)


# ---------------------------------------------------------------- units


def units_of(definition: Definition) -> list[UnitOfWork]:
    out: list[UnitOfWork] = []
    for name, text in definition.programs.items():
        key = hashlib.blake2b(f"{definition.kind}\0{name}\0{text.text}".encode(), digest_size=12).digest()
        out.append(UnitOfWork(definition, name, text, None, key))
    for name, ability in definition.abilities.items():
        unit = UnitOfWork(definition, name, None, ability)
        parts = "\0".join(f"{text.start}={text.text}" for text in texts_of(unit))
        unit.key = hashlib.blake2b(f"{definition.kind}\0ability\0{parts}".encode(), digest_size=12).digest()
        out.append(unit)
    return out


def texts_of(unit: UnitOfWork) -> list[Text]:
    if unit.text is not None:
        return [unit.text]
    a = unit.ability
    assert a is not None
    return [text for text in (a.window, *a.other_windows, a.only, a.limit, a.do, a.always) if text is not None]


def look(units: list[UnitOfWork], clean: set[bytes], lowering: Lowering, flow: Flow) -> Finding:
    """Look at all units that are not known to be clean; on several cores when there are many."""
    waiting: list[UnitOfWork] = []
    twins: list[UnitOfWork] = []
    first: set[bytes] = set()
    for unit in units:
        if unit.key in clean:
            continue
        (twins if unit.key in first else waiting).append(unit)
        first.add(unit.key)
    cores = min(os.cpu_count() or 1, 8)
    if len(waiting) >= PARALLEL_FROM and cores > 1 and "fork" in multiprocessing.get_all_start_methods():
        finding = spread(waiting, cores, lowering, flow)
    else:
        finding = look_here(waiting, lowering, flow)
    found_clean = set(finding.clean)
    dirty_twins = [unit for unit in twins if unit.key not in found_clean]
    more = look_here(dirty_twins, lowering, flow)
    finding.diagnostics += more.diagnostics
    return finding


def look_here(units: list[UnitOfWork], lowering: Lowering, flow: Flow) -> Finding:
    from grimoire.compiler.package import parse_texts

    out = Finding()
    for unit in units:
        diags = Diagnostics()
        lowering.diags = flow.diags = diags
        texts = texts_of(unit)
        parse_texts(texts, diags)
        if unit.text is not None:
            lowering.lower_program(unit.definition, unit.name, unit.text)
        else:
            assert unit.ability is not None
            lowering.ability(unit.ability, unit.definition)
        lowering.forget()
        for text in texts:
            flow.text(text)
            text.node = None
        if len(diags):
            out.diagnostics.extend(diags)
        else:
            out.clean.append(unit.key)
    return out


def spread(units: list[UnitOfWork], cores: int, lowering: Lowering, flow: Flow) -> Finding:
    """The same work in forked processes: each inherits the vocabulary and sends back what it found."""
    context = multiprocessing.get_context("fork")
    size = -(-len(units) // cores)
    children = []
    for start in range(size, len(units), size):
        receiver, sender = context.Pipe(duplex=False)
        share = units[start : start + size]
        child = context.Process(target=_child, args=(sender, share, lowering, flow), daemon=True)
        child.start()
        sender.close()
        children.append((child, receiver, share))
    out = look_here(units[:size], lowering, flow)
    for child, receiver, share in children:
        try:
            found, clean = receiver.recv()
            part = Finding(from_json(found), clean)
        except (EOFError, OSError):
            part = look_here(share, lowering, flow)
        child.join()
        out.diagnostics += part.diagnostics
        out.clean += part.clean
    return out


def _child(sender: Any, units: list[UnitOfWork], lowering: Lowering, flow: Flow) -> None:
    finding = look_here(units, lowering, flow)
    sender.send((to_json(finding.diagnostics), finding.clean))
    sender.close()

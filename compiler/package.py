"""Compile a package: the whole way from its files to an artefact, stage by stage.

load -> shape (declare) -> parse -> resolve, check, lower -> link (hash)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimoire.compiler.checking.flow import Flow, start_zones, words_of
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.declare.numbering import number_declarations
from grimoire.compiler.declare.sections import Declarer, base_model
from grimoire.compiler.diagnostics import codes_declarations as _declarations  # noqa: F401
from grimoire.compiler.diagnostics import codes_effects as _effects  # noqa: F401
from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics, Span
from grimoire.compiler.localisation.text.texts import package_text
from grimoire.compiler.lower.link import clause_rows, link_units
from grimoire.compiler.lower.output import LoweredUnit
from grimoire.compiler.lower.units import ConditionUnit, EffectUnit, lower_package, lower_unit, make_vocabulary
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.records import field, record
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.manifest import Manifest, load_manifest
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import wrong_shape
from grimoire.compiler.source.tree import Mapping
from grimoire.compiler.syntax.parse import parse_texts

if TYPE_CHECKING:
    from grimoire.runtime import Package

__all__ = [
    "CompileFailed",
    "Compiled",
    "build",
    "canonical",
    "compile_content",
    "compile_folder",
    "compile_package",
    "content_hash",
    "declare_folder",
    "link",
    "parse_texts",
]

FORMAT = "grimoire-artefact"
VERSION = 1


@record()
class Compiled:
    """What one run made of a package."""

    manifest: Manifest | None
    model: PackageModel | None
    artefact: dict[str, Any] | None
    diags: Diagnostics = field(default_factory=Diagnostics)


@record()
class LoweredPackage:
    """A package whose units are lowered; more of them, texts of scenarios, may be added before they are linked."""

    vocabulary: Vocabulary
    model: PackageModel
    units: list[LoweredUnit]
    diags: Diagnostics
    known: dict[tuple[str, int], LoweredUnit] | None = None  # for whoever wants no rows: what texts gave that are right

    def add(self, unit: EffectUnit | ConditionUnit) -> LoweredUnit:
        """Lower one more text against the same vocabulary. Its diagnostics are the caller's to report."""
        key = (f"{unit.text.start} {unit.text.text}", unit.seats)
        made = None if self.known is None else self.known.get(key)
        if made is None:
            made = lower_unit(self.vocabulary, unit)
            if self.known is not None and unit.text.ok and not made.diagnostics:
                self.known[key] = made
        self.units.append(made)
        return made


def canonical(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def content_hash(artefact: dict[str, Any]) -> str:
    rest = {k: v for k, v in artefact.items() if k != "hash"}
    return hashlib.blake2b(canonical(rest), digest_size=32).hexdigest()


def titled(manifest: Manifest) -> dict[str, str]:
    return {} if manifest.title is None else {"title": manifest.title}


@record()
class Compilation:
    """All that the files of content say, before the tables of an artefact are closed: more texts can be lowered against
    it."""

    root: Path
    needs: list[Path]
    manifest: Manifest
    above: list[Manifest]  # of what it needs, in order
    players: tuple[int, int] | None
    model: PackageModel
    lowered: LoweredPackage
    diags: Diagnostics


def compile_content(
    root: Path, needs: list[Path], diags: Diagnostics, reader: SourceReader = DISK
) -> Compilation | None:
    """Declare, parse, lower and check the content of a package together with that of the folders it needs (in
    order)."""
    manifest = load_manifest(root, diags, reader=reader)
    if manifest is None:
        return None
    model = base_model(manifest.id, str(manifest.version))
    above: list[Manifest] = []
    roots: list[tuple[str, str]] = []
    players = manifest.players
    for folder in needs:
        other = load_manifest(folder, diags, reader=reader)
        if other is not None:
            players = manifest.players or other.players or players  # an expansion is played by as many as its game
            above.append(other)
            roots.append((other.id, folder.as_posix()))
            declare_folder(folder, model, other.id, diags, reader)
    declare_folder(root, model, manifest.id, diags, reader)
    parse_texts(model.texts, diags)
    number_declarations(model)
    vocabulary = make_vocabulary(model, [*roots, (manifest.id, root.as_posix())])
    lowered = LoweredPackage(vocabulary, model, lower_package(vocabulary, model), diags)
    diags.extend(vocabulary.diagnostics)
    for unit in lowered.units:
        diags.extend(unit.diagnostics)
    flow = Flow(model, diags)
    for text in model.texts:
        flow.text(text)
    flow.endless_triggers(lowered.units, list(model.verbs.values()))
    flow.check_package(manifest, players)
    if not diags.has_errors:
        flow.unread(words_of(model.texts), start_zones(model), manifest.id)
    return Compilation(root, needs, manifest, above, players, model, lowered, diags)


def link(made: Compilation, reader: SourceReader = DISK, *, texts: bool = True) -> dict[str, Any]:
    """Close the tables of a compilation: its artefact, with the texts of all languages unless they are not wanted."""
    low, high = made.players or (1, 1)
    artefact: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "package": {"id": made.manifest.id, "version": str(made.manifest.version), **titled(made.manifest)},
        "linked": [{"id": other.id, "version": str(other.version)} for other in made.above],
        "languages": list(made.manifest.languages),
        "players": {"min": low, "max": high},
        **link_units(made.lowered.vocabulary, made.model, made.lowered.units),
        "clauses": clause_rows(made.model),
        "text": {},
    }
    if texts:
        artefact["text"] = package_text(made.root, made.needs, made.manifest, artefact, made.diags, reader)
    artefact["hash"] = content_hash(artefact)
    return artefact


def compile_folder(
    root: Path,
    needs: list[Path],
    extra: Callable[[LoweredPackage], None] | None = None,
    *,
    texts: bool = True,
    tables: bool = True,
    reader: SourceReader = DISK,
) -> Compiled:
    """Compile the package in a folder together with the folders of those it needs (in order).

    `extra` may lower more texts against the same vocabulary before the tables are closed: scenarios do. Without `texts`
    the languages are left out; without `tables` there is no artefact, for whoever wants to know only what `extra`
    finds.
    """
    diags = Diagnostics()
    made = compile_content(root, needs, diags, reader)
    if made is None:
        return Compiled(None, None, None, diags)
    if extra is not None:
        extra(made.lowered)
    artefact = link(made, reader, texts=texts) if tables else None
    return Compiled(made.manifest, made.model, artefact, diags)


def build(path: str | Path) -> dict[str, Any]:
    """The artefact of one package. Raises CompileFailed with all diagnostics when there are errors."""
    diags = Diagnostics()
    found = resolve_paths([path], diags)
    if len(found) == 1:
        compiled = compile_folder(*found[0])
        diags.extend(compiled.diags)
        if compiled.artefact is not None and not diags.has_errors:
            return compiled.artefact
    elif found:
        names = ", ".join(root.name for root, _ in found)
        diags.add("G0202", Span.point(str(path)), f"'{path}' holds several packages: {names}", "name one of them")
    raise CompileFailed(diags.sorted())


def compile_package(path: str | Path) -> Package:
    """A package ready to play. Raises CompileFailed."""
    from grimoire.runtime import load_artefact

    return load_artefact(build(path))


def declare_folder(
    root: Path, model: PackageModel, package: str, diags: Diagnostics, reader: SourceReader = DISK
) -> None:
    declarer = Declarer(model, package, diags)
    for name in reader.list_files(root, diags):
        if name == "package.yaml" or name.startswith(("text/", "scenarios/", "l10n/")):
            continue
        tree = reader.load_file(root / name, diags, name=(root / name).as_posix())
        if isinstance(tree, Mapping):
            declarer.read(tree)
        elif tree is not None:
            wrong_shape(tree, diags, "a file of a package", "a mapping of sections", "kinds: .., cards: .., verbs: ..")
    declarer.finish()

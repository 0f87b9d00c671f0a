"""Compile a package: the whole way from its files to an artefact, stage by stage.

load -> shape (declare) -> parse -> resolve, check, lower -> link (hash)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimoire.compiler.checking.flow import Flow, words_of
from grimoire.compiler.checking.packages import check, resolve_paths
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.declare.numbering import number_declarations
from grimoire.compiler.declare.sections import Declarer, base_model
from grimoire.compiler.diagnostics import codes_declarations as _declarations  # noqa: F401
from grimoire.compiler.diagnostics import codes_effects as _effects  # noqa: F401
from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics, Span
from grimoire.compiler.localisation.text.texts import package_text
from grimoire.compiler.lower.link import link_units
from grimoire.compiler.lower.output import LoweredUnit
from grimoire.compiler.lower.units import LoweringUnit, lower_package, lower_unit, make_vocabulary
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.records import field, record
from grimoire.compiler.source.manifest import Manifest, load_manifest
from grimoire.compiler.source.shapes import wrong_shape
from grimoire.compiler.source.tree import Mapping, list_files, load_file
from grimoire.compiler.syntax.parse import parse_texts

if TYPE_CHECKING:
    from grimoire.runtime import Package

__all__ = [
    "CompileFailed",
    "Compiled",
    "build",
    "canonical",
    "check",
    "compile_folder",
    "compile_package",
    "content_hash",
    "declare_folder",
    "parse_texts",
    "resolve_paths",
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

    def add(self, unit: LoweringUnit) -> LoweredUnit:
        """Lower one more unit against the same vocabulary. Its diagnostics are the caller's to report."""
        made = lower_unit(self.vocabulary, unit)
        self.units.append(made)
        return made


def canonical(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def content_hash(artefact: dict[str, Any]) -> str:
    rest = {k: v for k, v in artefact.items() if k != "hash"}
    return hashlib.blake2b(canonical(rest), digest_size=32).hexdigest()


def titled(manifest: Manifest) -> dict[str, str]:
    return {} if manifest.title is None else {"title": manifest.title}


def compile_folder(
    root: Path,
    needs: list[Path],
    extra: Callable[[LoweredPackage], None] | None = None,
    *,
    texts: bool = True,
    tables: bool = True,
) -> Compiled:
    """Compile the package in a folder together with the folders of those it needs (in order).

    `extra` may lower more texts against the same vocabulary before the tables are closed: scenarios do. Without `texts` the languages
    are left out; without `tables` there is no artefact, for whoever wants to know only what `extra` finds.
    """
    diags = Diagnostics()
    manifest = load_manifest(root, diags)
    if manifest is None:
        return Compiled(None, None, None, diags)
    model = base_model(manifest.id, str(manifest.version))
    above: list[tuple[Manifest, Path]] = []
    players = manifest.players
    for folder in needs:
        other = load_manifest(folder, diags)
        if other is not None:
            players = manifest.players or other.players or players  # an expansion is played by as many as its game
            above.append((other, folder))
            declare_folder(folder, model, other.id, diags)
    declare_folder(root, model, manifest.id, diags)
    parse_texts(model.texts, diags)
    number_declarations(model)
    vocabulary = make_vocabulary(model, [(other.id, str(folder)) for other, folder in [*above, (manifest, root)]])
    lowered = LoweredPackage(vocabulary, model, lower_package(vocabulary, model), diags)
    diags.extend(vocabulary.diagnostics)
    for unit in lowered.units:
        diags.extend(unit.diagnostics)
    flow = Flow(model, diags)
    for text in model.texts:
        flow.text(text)
    flow.endless_triggers(lowered.units, list(model.verbs.values()))
    flow.whole(manifest, players)
    if not diags.has_errors:
        flow.unread(words_of(model.texts), manifest.id)
    if extra is not None:
        extra(lowered)
    if not tables:
        return Compiled(manifest, model, None, diags)
    players = players or (1, 1)
    artefact: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "package": {"id": manifest.id, "version": str(manifest.version), **titled(manifest)},
        "linked": [{"id": other.id, "version": str(other.version)} for other, _ in above],
        "languages": list(manifest.languages),
        "players": {"min": players[0], "max": players[1]},
        **link_units(vocabulary, model, lowered.units),
        "clauses": {
            c.id: {"kind": c.kind, "reason": c.reason, "numbers": c.numbers, "package": c.package}
            for c in model.clauses.values()
        },
        "text": {},
    }
    if texts:
        artefact["text"] = package_text(root, needs, manifest, artefact, diags)
    artefact["hash"] = content_hash(artefact)
    return Compiled(manifest, model, artefact, diags)


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


def declare_folder(root: Path, model: PackageModel, package: str, diags: Diagnostics) -> None:
    declarer = Declarer(model, package, diags)
    for name in list_files(root, diags):
        if name == "package.yaml" or name.startswith(("text/", "scenarios/", "l10n/")):
            continue
        tree = load_file(root / name, diags, name=str(root / name))
        if isinstance(tree, Mapping):
            declarer.read(tree)
        elif tree is not None:
            wrong_shape(tree, diags, "a file of a package", "a mapping of sections", "kinds: .., cards: .., verbs: ..")
    declarer.finish()

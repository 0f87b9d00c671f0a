"""A compile of everything at once, stage by stage, without a workspace: what the answers of one are compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from grimoire.compiler.checking.flow import Flow, start_zones, words_of
from grimoire.compiler.checking.reach import find_impossible, report_premises, report_stranded
from grimoire.compiler.declare.folders import declare_folder
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.declare.numbering import number_declarations
from grimoire.compiler.declare.sections import base_model
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.localisation.text.texts import check_texts, list_wanted_keys, list_worded, read_texts, text_rows
from grimoire.compiler.lower.link import clause_rows, link_units
from grimoire.compiler.lower.output import LoweredUnit, PlaceKey
from grimoire.compiler.lower.told import join_told
from grimoire.compiler.lower.units import bearers, card_unit, lower_unit, make_vocabulary, plain_units
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.source.manifest import load_manifest
from grimoire.compiler.syntax.parse import parse_texts
from grimoire.runtime import content_hash, load_artefact
from grimoire.runtime.core.tables import Artefact


class Whole(NamedTuple):
    """All that is wrong, and the artefact if there are no errors."""

    problems: list[Diagnostic]
    artefact: dict[str, Any] | None


def lower_package(vocabulary: Vocabulary, model: PackageModel) -> list[LoweredUnit]:
    """All units of a package, lowered, in the order in which they are linked."""
    lowered = [lower_unit(vocabulary, unit) for unit in plain_units(model)]
    broken = {name for unit in lowered for name in unit.broken}
    cards: dict[str, LoweredUnit] = {}
    definitions = model.definitions.values()
    lending = {kind for kind in model.kinds if bearers(model, kind) is not None}
    for definition in [d for d in definitions if d.kind in lending]:
        made = cards[definition.id] = lower_unit(vocabulary, card_unit(model, definition, broken))
        broken |= made.broken
    for definition in definitions:
        if definition.kind not in lending:
            cards[definition.id] = lower_unit(vocabulary, card_unit(model, definition, broken))
    return [*lowered, *(cards[name] for name in model.definitions)]


def read_tables(artefact: dict[str, Any]) -> Artefact:
    made = {**artefact, "text": {}}
    return load_artefact({**made, "hash": content_hash(made)}).artefact


def report_never(
    vocabulary: Vocabulary, model: PackageModel, units: list[LoweredUnit], package: str, diags: Diagnostics
) -> None:
    assert vocabulary.definitions is not None
    every = [vocabulary.definitions, *units]
    never = find_impossible(model, join_told(unit.told for unit in every))
    report_premises(model, {claim for unit in every for claim in unit.premises}, never, diags)
    report_stranded(model, package, diags)


def compile_whole(root: Path, needs: list[Path]) -> Whole:
    """Declare, parse, lower, check and link a package together with those that it needs."""
    diags = Diagnostics()
    manifest = load_manifest(root, diags)
    if manifest is None:
        return Whole(diags.sorted(), None)
    model = base_model(manifest.id, str(manifest.version))
    above = [(folder, load_manifest(folder, diags)) for folder in needs]
    model.languages = {one.id: one.language for one in (manifest, *(o for _, o in above)) if one is not None}
    players = manifest.players
    for folder, other in above:
        if other is not None:
            players = manifest.players or other.players or players
            declare_folder(folder, model, other.id, diags)
    declare_folder(root, model, manifest.id, diags)
    parse_texts(model.texts, diags)
    number_declarations(model)
    vocabulary = make_vocabulary(model)
    units = lower_package(vocabulary, model)
    diags.extend(vocabulary.diagnostics)
    for unit in units:
        diags.extend(unit.diagnostics)
    flow = Flow(model, diags)
    for text in model.texts:
        flow.text(text)
    flow.endless_triggers(units, list(model.verbs.values()))
    flow.endless_calls(units, list(model.verbs.values()), vocabulary.stoppable)
    flow.measure_work(units, list(model.verbs.values()), vocabulary)
    flow.check_package(manifest, players)
    if not diags.has_errors:
        flow.unread(words_of(model.texts), start_zones(model), manifest.id)
        report_never(vocabulary, model, units, manifest.id, diags)
    roots = [(other.id, folder.as_posix()) for folder, other in above if other is not None]
    roots.append((manifest.id, root.as_posix()))

    def shorten(key: PlaceKey) -> PlaceKey:
        found = [id_ + key[0][len(folder) :] for id_, folder in roots if key[0].startswith(folder + "/")]
        return (found[-1], *key[1:]) if found else key

    low, high = players or (1, 1)
    artefact: dict[str, Any] = {
        "format": "grimoire-artefact",
        "version": 1,
        "package": {"id": manifest.id, "version": str(manifest.version)},
        "linked": [{"id": other.id, "version": str(other.version)} for _, other in above if other is not None],
        "languages": list(manifest.languages),
        "players": {"min": low, "max": high},
        **link_units(vocabulary, model, units, shorten),
        "clauses": clause_rows(model),
    }
    if manifest.title is not None:
        artefact["package"]["title"] = manifest.title
    own, below = read_texts(root, diags), [read_texts(folder, Diagnostics()) for folder in needs]
    check_texts(root, own, below, manifest, lambda: list_wanted_keys(list_worded(read_tables(artefact))), diags)
    artefact["text"] = text_rows(root, own, below, manifest)
    artefact["hash"] = content_hash(artefact)
    return Whole(diags.sorted(), None if diags.has_errors else artefact)

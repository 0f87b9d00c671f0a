"""Open the strings of a package as a localiser sees them, and check translations by their paths.

In: package ids and paths, PO files. Out: an `Edition`; findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grimoire.compiler.api.build import find_package
from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics
from grimoire.compiler.localisation.languages import SOURCE as SOURCE_LANGUAGE
from grimoire.compiler.localisation.translation.findings import ERROR, Slip
from grimoire.compiler.localisation.translation.po import PACKAGE, SOURCE, read_po
from grimoire.compiler.localisation.translation.run import Limits, check_edition, check_po
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.source.manifest import find_packages
from grimoire.compiler.telling import WrongUse, make_printable, say
from grimoire.compiler.workspace.sources import WorkspaceReader
from grimoire.compiler.workspace.workspace import Workspace


def open_edition(given: str) -> Edition:
    """The package that an id or a path means. Raises WrongUse, CompileFailed."""
    package, workspace = find_package(package_folder(given)), Workspace()
    artefact, manifest, model = (
        workspace.content_artefact(package),
        workspace.manifest(package),
        workspace.model(package),
    )
    if artefact is None or manifest is None or model is None:
        raise CompileFailed([item for item in workspace.content_problems(package) if item.severity == "error"])
    if not manifest.languages:
        raise WrongUse(f"{manifest.id} lists no languages")
    wrong = workspace.text_files_problems(package)
    if any(item.severity == "error" for item in wrong):
        raise CompileFailed(wrong)
    folders = [Path(folder) for folder in (*package.needs, package.root)]
    return Edition(
        folders,
        manifest,
        model,
        artefact,
        workspace.texts(package),
        lambda language: workspace.lexicon(package, language),
        WorkspaceReader(workspace.db),
    )


def check_paths(
    paths: Sequence[str], language: str | None, given: str | None, most: Limits, *, everything: bool = False
) -> list[Slip]:
    """Everything that paths of packages and PO files mean."""
    found: list[Slip] = []
    for path in paths:
        if path.endswith(".po"):
            found += _check_po_path(Path(path), language, given, most, everything)
            continue
        roots = find_packages([path], diags := Diagnostics())
        if not roots:
            raise (
                CompileFailed(diags.sorted())
                if len(diags)
                else WrongUse(f"there is no package '{make_printable(path)}'")
            )
        editions = [open_edition(str(root)) for root in roots]
        # of a folder, those that have the language
        for edition in [one for one in editions if language in (None, *one.languages)] or editions:
            source = edition.choose_source(given)
            languages = [language] if language else [id_ for id_ in edition.languages if id_ != source]
            for id_ in languages:
                edition.open_language(id_)
                found += check_edition(edition, id_, source, most, everything=everything) if id_ != source else []
                absent = [
                    text for text in edition.list_ids(id_, source) if edition.find_state(text, id_, source) == "missing"
                ]
                if absent:
                    say(f"note: {edition.id} lacks {len(absent)} texts in '{id_}': grimoire l10n stats {edition.id}")
    return found


def _check_po_path(path: Path, language: str | None, given: str | None, most: Limits, everything: bool) -> list[Slip]:
    po, broken = read_po(path, language or "")
    if broken:
        return broken
    wanted = language or po.header.get("Language", "")
    if not wanted:
        raise WrongUse(f"{make_printable(path.as_posix())} does not say its language: --lang L")
    edition: Edition | None = None
    name = po.header.get(PACKAGE)
    if name:
        roots = find_packages([name], Diagnostics())
        if len(roots) != 1:
            slip = Slip(
                "",
                wanted,
                "package",
                ERROR,
                f"there is no package '{make_printable(name)}' here: terms cannot be checked",
                po.span(),
            )
            return [slip, *check_po(po, None, wanted, given or po.header.get(SOURCE, SOURCE_LANGUAGE), most)]
        edition = open_edition(str(roots[0]))
        if wanted not in edition.languages:
            slip = Slip(
                "", wanted, "language", ERROR, f"{edition.id} has no language '{make_printable(wanted)}'", po.span()
            )
            return [slip, *check_po(po, None, wanted, given or po.header.get(SOURCE, SOURCE_LANGUAGE), most)]
    named = given or po.header.get(SOURCE)
    source = edition.choose_source(named) if edition is not None else named or SOURCE_LANGUAGE
    return check_po(po, edition, wanted, source, most, everything=everything)

"""Build packages: the artefact of one, by its path or id.

In: a path. Out: the artefact, the package ready to play, or CompileFailed with all diagnostics.
"""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics, Span
from grimoire.compiler.records import record
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.workspace.sources import Package, package_of
from grimoire.compiler.workspace.workspace import Workspace
from grimoire.runtime import Package as Game
from grimoire.runtime import load_artefact
from grimoire.runtime.plain_data import Json


@record()
class Compiled:
    """A package without errors, and the workspace that can be asked for more of it."""

    workspace: Workspace
    package: Package
    manifest: Manifest
    model: PackageModel
    artefact: dict[str, Json]


def find_package(path: str | Path) -> Package:
    """The one package that a path or an id means. Raises CompileFailed."""
    diags = Diagnostics()
    found = resolve_paths([path], diags)
    if len(found) != 1 or diags.has_errors:
        if len(found) > 1:
            names = ", ".join(root.name for root, _ in found)
            diags.add("G0202", Span.point(str(path)), f"'{path}' holds several packages: {names}", "name one of them")
        raise CompileFailed(diags.sorted())
    return package_of(*found[0])


def compile_path(path: str | Path) -> Compiled:
    """All that a compile makes of a package. Raises CompileFailed."""
    workspace, package = Workspace(), find_package(path)
    artefact, manifest, model = workspace.artefact(package), workspace.manifest(package), workspace.model(package)
    if artefact is None or manifest is None or model is None:
        raise CompileFailed(workspace.compile_problems(package))
    return Compiled(workspace, package, manifest, model, artefact)


def build(path: str | Path) -> dict[str, Json]:
    """The artefact of one package. Raises CompileFailed with all diagnostics when there are errors."""
    workspace, package = Workspace(), find_package(path)
    artefact = workspace.artefact(package)
    if artefact is None:
        raise CompileFailed(workspace.compile_problems(package))
    return artefact


def compile_package(path: str | Path) -> Game:
    """A package ready to play. Raises CompileFailed."""
    return load_artefact(build(path))

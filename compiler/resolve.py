"""Which packages a path or an id means, and what they need."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.source.manifest import find_packages, load_manifest, load_packages, resolve_dependencies
from grimoire.compiler.telling import WrongUse, list_names, make_printable


def package_folder(given: str) -> Path:
    """The one package folder that an id or a path means."""
    diags = Diagnostics()
    found = find_packages([given], diags)
    if len(found) == 1:
        return found[0]
    if found:
        names = list_names([root.name for root in found])
        raise WrongUse(f"'{make_printable(given)}' holds several packages ({names}): name one of them")
    problems = diags.sorted()
    if problems:
        hint = f"; {problems[0].hint}" if problems[0].hint else ""
        raise WrongUse(problems[0].message + hint)
    raise WrongUse(f"there is no package '{make_printable(given)}'")


def resolve_paths(paths: Iterable[str | Path], diags: Diagnostics) -> list[tuple[Path, list[Path]]]:
    """The package folders meant by paths or ids, each with the folders of what it needs, in the order to declare
    them."""
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

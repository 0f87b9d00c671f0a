"""Rewrite packages to the newest version of the language: `grimoire fmt --upgrade`.

In: paths of packages. Out: for each file that changes its new text, and what a person has to decide, with its place.
What can be said in the new version so that it means the same is rewritten at its place; every other byte stays:
comments, layout, quotes, line ends. A package is rewritten as a whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grimoire.compiler.api.formatting import Changed
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, Span
from grimoire.compiler.files import read_file, replace_files
from grimoire.compiler.lower.footprints import certain_statements
from grimoire.compiler.lower.values import MAX_NUMBER
from grimoire.compiler.records import field, record
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.manifest import LANGUAGE, Manifest, load_manifest
from grimoire.compiler.source.positions import effect_position
from grimoire.compiler.source.tree import MAX_FILE_BYTES, Mapping, Scalar, load_file, load_text
from grimoire.compiler.workspace.sources import Package, package_of
from grimoire.compiler.workspace.workspace import Workspace
from grimoire.runtime.core.analysis import body_of, first_place_of
from grimoire.runtime.core.expressions import CanCarryOut
from grimoire.runtime.core.reading import read_artefact
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.selectors import Filter
from grimoire.runtime.core.statements import If, Let, Menu, Pay
from grimoire.runtime.core.walk import walk

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


@record(frozen=True)
class Edit:
    """What stands at a place of a file instead of what stood there."""

    span: Span
    text: str


@record()
class Upgraded:
    """What one run found."""

    packages: int = 0
    changed: list[Changed] = field(default_factory=list)
    decisions: list[Diagnostic] = field(default_factory=list)  # what a person has to look at
    diagnostics: list[Diagnostic] = field(default_factory=list)  # why a package was left alone
    notes: list[str] = field(default_factory=list)
    left: int = 0  # packages that a person has to rewrite


def upgrade_paths(paths: Sequence[str | Path], *, write: bool) -> Upgraded:
    """Rewrite packages, each as a whole."""
    result, diags = Upgraded(), Diagnostics()
    for root, needs in resolve_paths(paths, diags):
        _upgrade_package(package_of(root, list(needs)), root, result, write)
    result.diagnostics += [item for item in diags.sorted() if item.severity == "error"]
    return result


def _upgrade_package(package: Package, root: Path, result: Upgraded, write: bool) -> None:
    workspace = Workspace()
    manifest, problems = load_manifest(root, Diagnostics()), workspace.problems(package)
    errors = [item for item in problems if item.severity == "error"]
    if errors:  # what was meant is known only of a package that can be read
        result.diagnostics += errors
        return
    assert manifest is not None
    if manifest.language == LANGUAGE:
        result.notes.append(f"{manifest.file}: the package is of version {LANGUAGE} already")
        return
    edit = say_version(manifest, read_file(manifest.file, MAX_FILE_BYTES).decode())
    if edit is None:
        result.notes.append(f"{manifest.file}: write language: {LANGUAGE} into this file, on a line of its own")
        result.left += 1
        return
    edits: dict[str, list[Edit]] = {edit.span.file: [edit]}
    for one in share_limits(workspace, package, root):
        edits.setdefault(one.span.file, []).append(one)
    result.decisions += find_wholes(workspace, package, root)
    changed = [_apply(file, edits[file]) for file in sorted(edits)]
    for file in changed:
        workspace.edit(file.path, file.after)
    known = {(item.code, item.message, item.span) for item in problems}
    result.decisions += [
        item for item in workspace.problems(package) if (item.code, item.message, item.span) not in known
    ]
    result.decisions += find_latecomers(workspace, package, root)
    result.packages += 1
    result.changed += changed
    if write:
        replace_files({Path(one.path): one.after.encode() for one in changed}, inside=root)


def say_version(manifest: Manifest, text: str) -> Edit | None:
    """The line of a manifest that names the newest version, behind the one of the package's own version.

    None where that cannot be written as a line.
    """
    named = manifest.spans.get("language")
    if named is not None:
        return Edit(named, str(LANGUAGE))
    after = manifest.span("version")
    line = text.split("\n")[after.line - 1]
    if not re.match(r"\ufeff?version\s*:", line):
        return None
    end = "\r\n" if line.endswith("\r") else "\n"
    place = Span.point(manifest.file, after.line + 1)
    return Edit(place, f"language: {LANGUAGE}{end}") if text.count("\n") >= after.line else None


def share_limits(workspace: Workspace, package: Package, root: Path) -> Iterator[Edit]:
    """Before version 2 all players shared the limit of a rule: written out."""
    model = workspace.model(package)
    assert model is not None
    limits = [ability.limit.scalar for ability in model.abilities.values() if ability.limit is not None]
    for file in sorted({one.source.path for one in limits}):
        if not Path(file).is_relative_to(root):
            continue
        tree = load_file(Path(file), Diagnostics())
        abilities = tree.get("abilities") if isinstance(tree, Mapping) else None
        for _, ability in abilities.entries if isinstance(abilities, Mapping) else ():
            limit = ability.get("limit") if isinstance(ability, Mapping) else None
            if isinstance(limit, Scalar):
                line, column = effect_position(limit, 1, len(limit.value.rstrip()))
                yield Edit(Span.point(file, line, column + 1), f" for all {model.kinds['player'].plural}")


def find_latecomers(workspace: Workspace, package: Package, root: Path) -> Iterator[Diagnostic]:
    """Before version 2 a card that came into play in a window answered the same event: where that can be."""
    artefact = workspace.artefact(package)
    if artefact is None:
        return
    rows = read_artefact(artefact)
    movers: dict[int, list[int]] = {}
    for at, row in enumerate(rows.abilities):
        if row.phase != "cannot" and any(str(name).startswith("zone:") for name in row.writes):
            movers.setdefault(row.on, []).append(at)
    for at, row in enumerate(rows.abilities):
        if row.of < 0 or row.phase == "cannot" or not [other for other in movers.get(row.on, []) if other != at]:
            continue
        span = find_span(rows.places[row.at], root)
        if span is not None:
            message = (
                f"if it comes into play while something else answers the same event, {row.label} waits for the next one"
            )
            yield Diagnostic("G0220", "note", span, message, "look whether that is meant")


def find_wholes(workspace: Workspace, package: Package, root: Path) -> Iterator[Diagnostic]:
    """Before version 2 a `may` was offered only where all of it could be done: which of them can stop halfway."""
    artefact = workspace.artefact(package)
    if artefact is None:
        return
    rows = read_artefact(artefact)
    certain = certain_statements(rows, MAX_NUMBER)
    for proc in rows.procs:
        for part in () if proc.body is None else walk(proc.body):
            tried = find_tried(part)
            at = -1 if certain.stmt(tried) else first_place_of(tried)
            span = find_span(rows.places[at], root) if at >= 0 else None
            if span is not None:
                message = "this may be begun now where not all of it can be done; the rest is done as far as it can be"
                yield Diagnostic(
                    "G0220", "note", span, message, "look whether that is meant; else write may .. if able"
                )


def find_tried(part: object) -> Statement | None:
    """What had to be possible in full for a `may` to be offered; a cost still has to be."""
    menu = part.then if isinstance(part, If) else part
    if not isinstance(menu, Menu) or all(entry.id != "decline" for entry in menu.entries):
        return None
    taken = menu.entries[0]
    if isinstance(next((one for one in body_of(taken.body) if not isinstance(one, Let)), None), Pay):
        return None
    cond = part.cond if isinstance(part, If) else None
    if cond is None and taken.domains and isinstance(taken.domains[0].in_, Filter):
        cond = taken.domains[0].in_.condition
    return cond.statement if isinstance(cond, CanCarryOut) else None


def find_span(place: Sequence[object], root: Path) -> Span | None:
    """A place of an artefact, if it lies in a file of the package."""
    file, line, column, end_line, end_column = (str(one) for one in place[:5])
    path = next((path for path in (root / file, root.parent / file) if path.is_file()), None)
    if path is None or not path.is_relative_to(root):
        return None
    return Span(path.as_posix(), int(line), int(column), int(end_line), int(end_column))


def _apply(file: str, edits: Iterable[Edit]) -> Changed:
    """A file with all edits made."""
    before = read_file(file, MAX_FILE_BYTES).decode()
    lines = [found[0] for found in _LINES.finditer(before)]
    for edit in sorted(edits, key=lambda one: one.span, reverse=True):
        span = edit.span
        head, tail = lines[span.line - 1][: span.column - 1], lines[span.end_line - 1][span.end_column - 1 :]
        lines[span.line - 1 : span.end_line] = [head + edit.text + tail]
    after = "".join(lines)
    assert load_text(after, Diagnostics()) is not None
    return Changed(file, before, after)

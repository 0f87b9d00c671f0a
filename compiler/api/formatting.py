"""Write effect texts in canonical form inside their YAML files: `grimoire fmt`.

In: paths of packages, folders or files. Out: for each file that is not canonical its new text. Only the effect scalars
whose canonical print differs are rewritten, each in the style that it has; every other byte of the file stays:
comments, order, quotes, line ends, byte order mark. A text that cannot be read is reported and left alone.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grimoire.compiler.declare.model import Text
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.files import read_file, replace_files
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.tree import MAX_FILE_BYTES, Mapping, Node, Scalar, load_text
from grimoire.compiler.syntax.parse import parse_texts
from grimoire.compiler.syntax.printer import print_node
from grimoire.compiler.workspace.sources import package_of
from grimoire.compiler.workspace.workspace import Workspace

_BOM = "\ufeff"
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Changed:
    """A file whose effect texts are not canonical."""

    path: str
    before: str
    after: str

    def diff(self) -> str:
        """The change as a unified diff."""
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            self.path,
            self.path + " (formatted)",
        )
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


@dataclass(slots=True)
class Formatted:
    """What one run found."""

    files: int = 0
    texts: int = 0
    changed: list[Changed] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def format_paths(paths: Sequence[str | Path], *, write: bool) -> Formatted:
    """Format the packages, or only those files of them that are named."""
    diags = Diagnostics()
    result = Formatted()
    found = resolve_paths(paths, diags)
    named: list[Path] = []
    for path in paths:
        try:
            named.append(Path(os.path.realpath(path)))  # Path.resolve raises where links lead round in a circle
        except (OSError, ValueError):
            pass  # a name that no file can have: reported as not found
    for root, needs in found:
        by_file: dict[str, list[Text]] = {}
        new: dict[Path, bytes] = {}
        for text in _texts(root, needs, diags):
            by_file.setdefault(text.file, []).append(text)
        for file, texts in sorted(by_file.items()):
            if not _is_meant(Path(file).resolve(), root.resolve(), named):
                continue
            parse_texts(texts, diags)
            result.files += 1
            result.texts += len(texts)
            changed = _format_file(file, [text for text in texts if text.ok], result.notes)
            if changed is not None:
                result.changed.append(changed)
                new[Path(file)] = changed.after.encode()
        if write and new:
            replace_files(new, inside=root)
    # What is declared wrongly is for `check`; here only what stops us from reading a text counts.
    errors = [item for item in diags.sorted() if item.severity == "error"]
    result.diagnostics = [item for item in errors if item.code[:3] in ("G01", "G02", "G04")]
    return result


def _texts(root: Path, needs: Sequence[Path], diags: Diagnostics) -> list[Text]:
    """The effect texts of one package, not parsed yet."""
    workspace, package = Workspace(), package_of(root, list(needs))
    diags.extend(item for item in workspace.declaration_problems(package) if Path(item.span.file).is_relative_to(root))
    return [text for text in workspace.effect_texts(package) if Path(text.file).is_relative_to(root)]


def _is_meant(file: Path, root: Path, named: Sequence[Path]) -> bool:
    """Whether a file lies in one of the paths given; a path above the package, or an id, means all of it."""
    inside = [path for path in named if path != root and path.is_relative_to(root) and path.exists()]
    return not inside or any(file == path or file.is_relative_to(path) for path in inside)


# --- one file ---------------------------------------------------------------------------------------------------------


def _format_file(file: str, texts: Sequence[Text], notes: list[str]) -> Changed | None:
    wanted = [(text.scalar, print_node(text.node)) for text in texts]
    wanted = [(scalar, canonical) for scalar, canonical in wanted if canonical != scalar.value.strip("\n")]
    if not wanted:
        return None
    before = read_file(file, MAX_FILE_BYTES).decode()
    after = _rewritten(before, wanted)
    if not _keeps_all_else(before, after, wanted):
        # One of them cannot be said in the style that it has: find it, and write the others.
        kept = [pair for pair in wanted if _keeps_all_else(before, _rewritten(before, [pair]), [pair])]
        for scalar, _ in wanted:
            if all(scalar is not other for other, _ in kept):
                notes.append(f"{file}:{scalar.line}: this text has several lines; write it below its key, after |")
        after = _rewritten(before, kept)
    return Changed(file, before, after) if after != before else None


def _rewritten(text: str, wanted: Sequence[tuple[Scalar, str]]) -> str:
    bom = _BOM if text.startswith(_BOM) else ""
    lines = [found[0] for found in _LINES.finditer(text[len(bom) :])]
    for scalar, canonical in sorted(wanted, key=lambda pair: (pair[0].line, pair[0].column), reverse=True):
        if scalar.style in ("literal", "folded"):
            _rewrite_block(lines, scalar, canonical)
        else:
            _rewrite_flow(lines, scalar, canonical)
    return bom + "".join(lines)


def _rewrite_block(lines: list[str], scalar: Scalar, canonical: str) -> None:
    """Replace the lines under the header; blank lines at the end stay."""
    first = scalar.line  # index of the line below the header
    last = scalar.end_line if scalar.end_column > 1 else scalar.end_line - 1
    last = min(last, len(lines))
    while last > first and not lines[last - 1].strip():
        last -= 1
    old = lines[first:last]
    if not old:
        return
    body = old[0].rstrip("\r\n")
    indent = body[: len(body) - len(body.lstrip(" "))]
    end = old[0][len(body) :] or "\n"
    new = [indent + line + end if line else end for line in canonical.split("\n")]
    new[-1] = new[-1][: -len(end)] + old[-1][len(old[-1].rstrip("\r\n")) :]
    lines[first:last] = new


def _rewrite_flow(lines: list[str], scalar: Scalar, canonical: str) -> None:
    """Replace a plain or quoted text between its first and its last character."""
    head = lines[scalar.line - 1][: scalar.column - 1]
    tail = lines[scalar.end_line - 1][scalar.end_column - 1 :]
    if scalar.style == "single":
        said = "'" + canonical.replace("'", "''") + "'"
    elif scalar.style == "double":
        said = '"' + canonical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    else:
        said = canonical
    lines[scalar.line - 1 : scalar.end_line] = [head + said + tail]


def _keeps_all_else(before: str, after: str, wanted: Sequence[tuple[Scalar, str]]) -> bool:
    """Whether the new text reads as the old one, but for the texts that are meant."""
    old_tree, new_tree = load_text(before, Diagnostics()), load_text(after, Diagnostics())
    if old_tree is None or new_tree is None:
        return False
    meant = {(scalar.line, scalar.column): canonical for scalar, canonical in wanted}
    old, new = list(_scalars(old_tree)), list(_scalars(new_tree))
    if len(old) != len(new):
        return False
    for one, other in zip(old, new, strict=True):
        canonical = meant.get((one.line, one.column)) if one.style == other.style else None
        if canonical is not None:
            if other.value.strip("\n") != canonical:
                return False
        elif (one.value, one.style) != (other.value, other.style):
            return False
    return True


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield key
            yield from _scalars(value)
    else:
        for item in node.items:
            yield from _scalars(item)

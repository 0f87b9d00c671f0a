"""The files of packages as a workspace has them: read once from the disk, or as an editor holds them unsaved.

In: paths. Out: inputs of the database (which files a folder has, what a file holds) and the queries that everything
else begins with: trees and manifests. `reader(db)` gives them to the stages, which ask for files by path.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.records import replace
from grimoire.compiler.source.reader import SourceReader
from grimoire.compiler.source.tree import (
    Entry,
    Mapping,
    Node,
    Scalar,
    list_files,
    parse_bytes,
    parse_entries,
    printable_name,
    read_bytes,
)
from grimoire.compiler.workspace.engine import Database, Input, Query, fresh_query, query
from grimoire.compiler.workspace.plain import fingerprint_of


class Package(NamedTuple):
    """The folder of a package, and those of the packages that it needs, in the order to declare them."""

    root: str
    needs: tuple[str, ...] = ()


def package_of(root: Path, needs: list[Path]) -> Package:
    return Package(str(root), tuple(str(folder) for folder in needs))


class Listing(NamedTuple):
    """The YAML files of a folder, and what is wrong with other things that lie there."""

    names: tuple[str, ...]
    problems: tuple[Diagnostic, ...]


class Content(NamedTuple):
    """The bytes of a file; None when it cannot be read, and then `problems` says why."""

    data: bytes | None
    problems: tuple[Diagnostic, ...]


class Parsed(NamedTuple):
    """The tree of a file; None when there is none to go on with."""

    tree: Node | None
    problems: Diagnostics


def read_listing(root: str) -> Listing:
    diags = Diagnostics()
    return Listing(tuple(list_files(Path(root), diags)), tuple(diags.sorted()))


def read_content(path: str) -> Content:
    diags = Diagnostics()
    data = read_bytes(Path(path), diags)
    return Content(data, tuple(diags.sorted()))


listing = Input[str, Listing]("listing", lambda db, root: read_listing(root))
content = Input[str, Content]("content", lambda db, path: read_content(path))


@fresh_query
def parsed(db: Database, key: tuple[str, str]) -> Parsed:
    """The tree of a file, by its path and by what reports call it."""
    path, name = key
    found = content(db, path)
    diags = Diagnostics(found.problems)
    return Parsed(None if found.data is None else parse_bytes(found.data, name, diags), diags)


class WorkspaceReader(SourceReader):
    """Gives the stages what the workspace has."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def list_files(self, root: Path, diags: Diagnostics | None = None) -> list[str]:
        found = listing(self.db, str(root))
        if diags is not None:
            diags.extend(found.problems)
        return list(found.names)

    def has_file(self, path: Path) -> bool:
        found = content(self.db, str(path))
        return found.data is not None or any(item.code != "G0101" for item in found.problems)

    def load_file(self, path: Path, diags: Diagnostics, *, name: str | None = None) -> Node | None:
        found = parsed(self.db, (str(path), printable_name(path.as_posix()) if name is None else name))
        diags.extend(found.problems)
        return found.tree


@query
def files_word(db: Database, key: tuple[str, str]) -> str:
    """A word for all files of a folder whose names begin so: their names and bytes."""
    root, begin = key
    parts: list[str | bytes] = []
    for name in listing(db, root).names:
        if name.startswith(begin):
            found = content(db, str(Path(root) / name))
            parts += (name, found.data if found.data is not None else repr(found.problems))
    return fingerprint_of(*parts)


# ------------------------------------------------------------ entries


class FileTree(NamedTuple):
    """The tree of a file whose entries have sources of their own: it stays equal when they move."""

    tree: Node | None
    entries: tuple[Entry, ...]
    problems: Diagnostics


class CutFile(NamedTuple):
    file: FileTree
    bases: dict[str, int]


def report_name(path: str) -> str:
    """What reports call a file."""
    return printable_name(Path(path).as_posix())


@fresh_query
def cut_file(db: Database, path: str) -> CutFile:
    found = content(db, path)
    diags = Diagnostics(found.problems)
    if found.data is None:
        return CutFile(FileTree(None, (), diags), {})
    tree, cut = parse_entries(found.data, report_name(path), diags)
    return CutFile(FileTree(tree, tuple(cut.entries), diags), cut.bases)


def same_tree(one: FileTree, other: FileTree) -> bool:
    rooted = isinstance(one.tree, Mapping) == isinstance(other.tree, Mapping)
    plain = one.tree is None or isinstance(one.tree, Mapping)
    told = len(one.problems) == len(other.problems) and one.problems.sorted() == other.problems.sorted()
    return rooted and plain and (one.tree is None) == (other.tree is None) and one.entries == other.entries and told


def _join_trees(old: FileTree, new: FileTree) -> FileTree:
    """The new tree with the entries of the old one that say the same."""
    if not isinstance(old.tree, Mapping) or not isinstance(new.tree, Mapping):
        return new
    known = {entry.path: entry for entry in old.entries}
    same = {entry.path for entry in new.entries if known.get(entry.path) == entry}
    rows: dict[str, tuple[Scalar, Node]] = {}
    for key, node in old.tree.entries:
        rows[key.source.path] = (key, node)
        rows.update(
            {name.source.path: (name, value) for name, value in (node.entries if isinstance(node, Mapping) else ())}
        )

    def kept(row: tuple[Scalar, Node]) -> tuple[Scalar, Node]:
        path = row[0].source.path
        return rows[path] if path in same and path in rows else row

    sections: list[tuple[Scalar, Node]] = []
    for key, node in new.tree.entries:
        if isinstance(node, Mapping):
            sections.append((kept((key, node))[0], replace(node, entries=tuple(kept(row) for row in node.entries))))
        else:
            sections.append(kept((key, node)))
    return new._replace(tree=replace(new.tree, entries=tuple(sections)))


file_tree = Query[str, FileTree]("file_tree", lambda db, path: cut_file(db, path).file, same_tree, _join_trees)


@query
def layout(db: Database, path: str) -> dict[str, int]:
    """Where the entries of a file stand: the lines of their keys, counted from 0."""
    return cut_file(db, path).bases


class EntryReader(WorkspaceReader):
    """Gives the stages trees whose entries do not know where they stand."""

    def load_file(self, path: Path, diags: Diagnostics, *, name: str | None = None) -> Node | None:
        found = file_tree(self.db, str(path))
        diags.extend(found.problems)
        return found.tree


class PlacedReader(WorkspaceReader):
    """The same, but the tree of a file is a new one when its entries have only moved: it knows where it begins."""

    def load_file(self, path: Path, diags: Diagnostics, *, name: str | None = None) -> Node | None:
        found = cut_file(self.db, str(path)).file
        diags.extend(found.problems)
        return found.tree

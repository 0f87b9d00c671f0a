"""Check packages: what the files say wrongly, stage by stage, each stage kept with what it depends on.

In: package folders. Out: diagnostics, the same as a full compile gives. A file of the cache holds what is known of a package: its last
reports (nothing changed: that is the answer), and for each stage the key of its inputs and what it found:

- content: of a package without texts and scenarios. `incremental` looks at what changed.
- all other packages are asked of a workspace that has the same bytes.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache as remembered
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from grimoire.compiler.cache import Cache, blake2b, content_key
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, from_plain, to_plain
from grimoire.compiler.records import record
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.manifest import (
    MANIFEST,
    tool_version,
)
from grimoire.compiler.source.tree import list_files, read_bytes

# The stages themselves are imported where they are used: a run that finds its answer in the cache needs none of them.
if TYPE_CHECKING:
    from grimoire.compiler.source.tree import Node

Pack = dict[str, bytes]  # what the cache has of a package, by name
TEXTS = "text/"
SCENARIOS = "scenarios/"
LOCALISERS = "l10n/"  # what stands of the work of localisers: no content
KEPT_REPORTS = 4


@record(eq=False)
class File:
    """One file of a package with its bytes. `folder` counts the packages, needed ones first."""

    folder: int
    name: str
    path: str
    data: bytes
    digest: str
    leaf: bool = False
    tree: Node | None = None
    problems: list[Diagnostic] | None = None  # of reading it as YAML; None: not yet read


@remembered
def tool_key() -> str:
    """Changes whenever the compiler does: an older report is then not used."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [here, os.path.join(os.path.dirname(here), "grammar")]
    parts = [f"{sys.version} {yaml.__version__} {marshal.version}"]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith((".py", ".lark")):
                    status = entry.stat()
                    parts.append(f"{entry.name}:{status.st_size}:{status.st_mtime_ns}")
                elif folder == here and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return content_key(*parts)


def check(paths: Iterable[str | Path], cache: Cache | None = None) -> list[Diagnostic]:
    """All problems of the packages that the paths or ids mean, sorted by place."""
    diags = Diagnostics()
    check_packages(resolve_paths(paths, diags), diags, cache)
    return diags.sorted()


def check_packages(found: Sequence[tuple[Path, list[Path]]], diags: Diagnostics, cache: Cache | None = None) -> None:
    """Check folders of packages, each with the folders of those it needs."""
    store = Cache() if cache is None else cache
    store.keep_out_of(root for root, _ in found)
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
    one = PackageCheck(root, needs, files, cache)
    try:
        return one.run()
    except Exception:
        if not one.pack:
            raise
        # What was kept may be the reason, whatever is wrong with it: without it the answer, or the error, is true.
        one.forget()
        return PackageCheck(root, needs, files, cache).run()


def full(root: Path, needs: list[Path]) -> list[Diagnostic]:
    """The report of a new workspace: what every other way must give."""
    from grimoire.compiler.workspace.sources import package_of
    from grimoire.compiler.workspace.workspace import Workspace

    return Workspace().problems(package_of(root, needs))


def has_errors(report: Iterable[Diagnostic]) -> bool:
    return any(item.severity == "error" for item in report)


def read_files(folders: list[Path]) -> list[File] | None:
    """The bytes of all files; None when something must be reported by the ordinary way of reading."""
    out: list[File] = []
    trouble = Diagnostics()
    for number, folder in enumerate(folders):
        for name in list_files(folder, trouble):
            path = folder / name
            data = read_bytes(path, trouble)
            if data is None or trouble:
                return None
            out.append(File(number, name, str(path), data, blake2b(data, digest_size=16).hexdigest()))
    return None if trouble else out


class PackageCheck:
    """One check of one package."""

    def __init__(self, root: Path, needs: list[Path], files: list[File], cache: Cache) -> None:
        self.root = root
        self.needs = needs
        self.cache = cache
        self.files = files
        self.content_files = [f for f in files if not f.name.startswith((TEXTS, SCENARIOS, LOCALISERS))]
        self.beside_content = len(self.content_files) < len(files)
        self.tool = tool_key()
        if any(f.name == MANIFEST and b"grimoire" in f.data for f in files):
            self.tool += f" {tool_version()}"  # what it is made for is compared with that
        self.content_key = self.key("content", self.content_files)
        self.name = "check-" + content_key(str(root), str(root.resolve()))[:40]
        self.pack: Pack = {}

    def key(self, what: str, files: Iterable[File], *more: str) -> str:
        return content_key(what, self.tool, *more, *[f"{file.path}={file.digest}" for file in files])

    def run(self) -> list[Diagnostic]:
        if self.cache.enabled:
            self.pack = self.cache.load_pack(self.name)
            if self.pack.get("tool") != self.tool.encode():
                self.pack = {}
        key = self.key("report", self.files)
        reports: dict[str, Any] = self.kept("reports") or {}
        if key in reports:
            return from_plain(reports[key])
        report = self.look()
        if self.cache.enabled:
            reports[key] = to_plain(report)
            self.keep("reports", dict(list(reports.items())[-KEPT_REPORTS:]))
            self.pack["tool"] = self.tool.encode()
            self.cache.save_pack(self.name, self.pack)
        return report

    def forget(self) -> None:
        """Drop what is kept of this package."""
        self.cache.drop_pack(self.name)
        self.cache.drop_pack(self.name + "-cards")

    def kept(self, name: str) -> Any:
        return marshal.loads(self.pack[name]) if name in self.pack else None

    def keep(self, name: str, value: Any) -> None:
        self.pack[name] = marshal.dumps(value)

    def look(self) -> list[Diagnostic]:
        from grimoire.compiler.checking.incremental import crowded

        report = None if self.beside_content else self.content()
        if report is None or crowded(report):
            return self.asked()
        return report

    def asked(self) -> list[Diagnostic]:
        """What a workspace says that has these bytes."""
        from grimoire.compiler.workspace.sources import package_of
        from grimoire.compiler.workspace.workspace import Workspace

        asked = Workspace()
        for number, folder in enumerate((*self.needs, self.root)):
            own = [file for file in self.files if file.folder == number]
            asked.hold(str(folder), tuple(file.name for file in own), {file.path: file.data for file in own})
        return asked.problems(package_of(self.root, self.needs))

    def stored(self, name: str, key: str) -> list[Diagnostic] | None:
        """What a stage found before, for the same key."""
        kept = self.kept(name)
        return None if kept is None or kept[0] != key else from_plain(kept[1])

    def content(self) -> list[Diagnostic] | None:
        """What is wrong with all but texts and scenarios; None when only a full compile can tell."""
        stored = self.stored("content", self.content_key)
        if stored is not None:
            return stored
        report = self.looked_at()
        if report is not None:
            self.keep("content", (self.content_key, to_plain(report)))
        return report

    def looked_at(self) -> list[Diagnostic] | None:
        from grimoire.compiler.checking.incremental import check_content

        def known_cards() -> Pack:
            return self.cache.load_pack(self.name + "-cards")

        outcome = check_content([*self.needs, self.root], self.content_files, self.tool, self.pack, known_cards)
        self.pack = {name: data for name, data in self.pack.items() if name == "reports"}
        self.pack |= outcome.pack
        if outcome.cards is not None:
            self.cache.save_pack(self.name + "-cards", outcome.cards)
        return outcome.report

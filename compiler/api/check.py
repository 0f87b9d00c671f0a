"""Check packages: ask a workspace for all that is wrong with them, with what an earlier run kept.

In: package folders. Out: diagnostics. When no file has changed, the report of the last run is the answer, and no stage
is loaded.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from pathlib import Path

from grimoire.compiler.cache import Cache
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.source.manifest import MANIFEST, tool_version
from grimoire.compiler.source.tree import list_files, read_bytes
from grimoire.compiler.workspace.plain import fingerprint_of, read_problems, write_problems
from grimoire.compiler.workspace.store import PackageStore, ask_keeping, tool_key

# The workspace itself is imported where it is used: a run that finds its answer in the cache needs no stage at all.

REPORT = "report"


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
    held: list[object] = []
    try:
        for root, needs in found:
            diags.extend(check_folder(root, needs, store, held))
    finally:
        # The last workspace is garbage that only the collector finds: a command does not let it look before the process
        # ends, because to give everything back object by object takes a while.
        held.append(held)
        if paused:
            gc.enable()


def full(root: Path, needs: list[Path]) -> list[Diagnostic]:
    """The report of a new workspace that nothing is kept of."""
    from grimoire.compiler.workspace.sources import package_of
    from grimoire.compiler.workspace.workspace import Workspace

    return Workspace().problems(package_of(root, needs))


def check_folder(root: Path, needs: list[Path], cache: Cache, held: list[object] | None = None) -> list[Diagnostic]:
    """What is wrong with a package. `held` gets the workspace that was asked, in the place of the last one."""
    folders = read_folders([*needs, root])
    if folders is None:
        return full(root, needs)
    store = PackageStore(cache, root, tool_key_for(folders))
    return ask_keeping(store, lambda kept: ask(root, needs, folders, kept, [] if held is None else held))


Folders = list[tuple[str, dict[str, bytes]]]  # by folder the bytes of its files


def read_folders(folders: list[Path]) -> Folders | None:
    """The bytes of all files; None when something must be told of how they are read."""
    found: Folders = []
    trouble = Diagnostics()
    for folder in folders:
        files: dict[str, bytes] = {}
        for name in list_files(folder, trouble):
            data = read_bytes(folder / name, trouble)
            if data is None or trouble:
                return None
            files[name] = data
        found.append((str(folder), files))
    return None if trouble else found


def tool_key_for(folders: Folders) -> str:
    made_for = any(b"grimoire" in files.get(MANIFEST, b"") for _, files in folders)
    return tool_key() + (f" {tool_version()}" if made_for else "")  # what it is made for is compared with that


def report_key(folders: Folders) -> str:
    return fingerprint_of(*(part for folder, files in folders for row in files.items() for part in (folder, *row)))


def ask(root: Path, needs: list[Path], folders: Folders, store: PackageStore, held: list[object]) -> list[Diagnostic]:
    """What a workspace says that has these bytes, or said when it had them last."""
    key = report_key(folders)
    kept = store.get(REPORT, key, REPORT)
    if kept is not None:
        store.settle()
        return list(read_problems(kept))
    from grimoire.compiler.workspace.packages import divide_work
    from grimoire.compiler.workspace.sources import package_of
    from grimoire.compiler.workspace.workspace import Workspace

    asked, package = Workspace(store), package_of(root, needs)
    held[:] = [asked]
    for folder, files in folders:
        asked.hold(folder, tuple(files), {str(Path(folder) / name): data for name, data in files.items()})
    if not store.packed:
        divide_work(asked.db, package, store)
    report = asked.problems(package)
    store.put(REPORT, key, write_problems(report), REPORT)
    return report

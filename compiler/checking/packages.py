"""Check packages: what the files say wrongly, stage by stage, each stage kept with what it depends on.

In: package folders. Out: diagnostics, the same as a full compile gives. A file of the cache holds what is known of a package: its last
reports (nothing changed: that is the answer), and for each stage the key of its inputs and what it found:

- content: all files but texts and scenarios. `incremental` looks at what changed; a package with texts is compiled, because what the
  texts must say is read off the whole artefact.
- texts: the files under text/, and what the content wants to be said.
- localisers: the files under l10n/, and the texts.
- scenarios: the files under scenarios/, and the content.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache as remembered
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from grimoire.compiler.cache import Cache, blake2b, content_key
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, from_plain, to_plain
from grimoire.compiler.records import record
from grimoire.compiler.source.manifest import (
    MANIFEST,
    find_packages,
    load_manifest,
    load_packages,
    resolve_dependencies,
    tool_version,
)
from grimoire.compiler.source.tree import list_files, read_bytes
from grimoire.compiler.telling import WrongUse, listed, shown

# The stages themselves are imported where they are used: a run that finds its answer in the cache needs none of them.
if TYPE_CHECKING:
    from grimoire.compiler.checking.processes import Helper
    from grimoire.compiler.source.tree import Node

Pack = dict[str, bytes]  # what the cache has of a package, by name
TEXTS = "text/"
SCENARIOS = "scenarios/"
LOCALISERS = "l10n/"  # what stands of the work of localisers: no content
KEPT_REPORTS = 4
PARALLEL_BYTES = 20_000  # of scenarios; below that a second process costs more than it brings


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


def package_folder(given: str) -> Path:
    """The one package folder that an id or a path means."""
    diags = Diagnostics()
    found = find_packages([given], diags)
    if len(found) == 1:
        return found[0]
    if found:
        names = listed([root.name for root in found])
        raise WrongUse(f"'{shown(given)}' holds several packages ({names}): name one of them")
    problems = diags.sorted()
    if problems:
        hint = f"; {problems[0].hint}" if problems[0].hint else ""
        raise WrongUse(problems[0].message + hint)
    raise WrongUse(f"there is no package '{shown(given)}'")


def resolve_paths(paths: Iterable[str | Path], diags: Diagnostics) -> list[tuple[Path, list[Path]]]:
    """The package folders meant by paths or ids, each with the folders of what it needs, in the order to declare them."""
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
    """The report without any cache and any short cut: what every other way must give."""
    from grimoire.compiler.package import compile_folder

    report = compile_folder(root, needs).diags.sorted()
    if not has_errors(report) and any(has_words(read_bytes(path, Diagnostics()) or b"") for path in text_paths(root)):
        from grimoire.compiler.localisation.text.cards import check_words

        report += check_words(root, needs)
    if not has_errors(report) and any(name.startswith(LOCALISERS) for name in list_files(root)):
        report += records(root, needs)
    if not has_errors(report) and any(name.startswith(SCENARIOS) for name in list_files(root)):
        from grimoire.compiler.scenario.run import check_scenarios

        report += check_scenarios(root, needs)
    return report


def records(root: Path, needs: list[Path]) -> list[Diagnostic]:
    """What localisers left that belongs to nothing, and texts that do not fit on their cards."""
    from grimoire.compiler.localisation.translation.card_room import check_space
    from grimoire.compiler.localisation.translation.records import check_records

    diags = Diagnostics()
    manifest = load_manifest(root, Diagnostics())
    if manifest is not None:
        check_records(root, manifest, diags)
        check_space(root, needs, manifest, diags)
    return diags.sorted()


_WORDS = (b"terms:", b"verbs:", b"adjectives:", b"slots:", b"printed:", b"glossary:")


def has_words(data: bytes) -> bool:
    """Whether a file of texts has words to generate texts with, or for the glossary."""
    return any(data.startswith(word) or b"\n" + word in data for word in _WORDS)


def has_cards(data: bytes) -> bool:
    """Whether a file of texts has texts of cards that were written by hand."""
    return data.startswith(b"cards:") or b"\ncards:" in data


def text_paths(folder: Path) -> list[Path]:
    return [folder / name for name in list_files(folder) if name.startswith(TEXTS)]


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
        own = len(needs)
        self.content_files = [f for f in files if not f.name.startswith((TEXTS, SCENARIOS, LOCALISERS))]
        self.text_files = [f for f in files if f.name.startswith(TEXTS)]
        self.scenario_files = [f for f in files if f.folder == own and f.name.startswith(SCENARIOS)]
        self.localisers_files = [f for f in files if f.folder == own and f.name.startswith(LOCALISERS)]
        self.has_texts = any(file.folder == own for file in self.text_files)
        self.tool = tool_key()
        if any(f.name == MANIFEST and b"grimoire" in f.data for f in files):
            self.tool += f" {tool_version()}"  # what it is made for is compared with that
        self.content_key = self.key("content", self.content_files)
        self.name = "check-" + content_key(str(root), str(root.resolve()))[:40]
        self.pack: Pack = {}
        self.steady = True  # whether all that was found was found in the bytes that the keys were made of

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
        if self.cache.enabled and (self.steady or self.unchanged()):
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

    def unchanged(self) -> bool:
        """Whether the files still are what they were: a stage that reads them for itself may have read something newer."""
        again = read_files([*self.needs, self.root])
        return again is not None and [(f.path, f.digest) for f in again] == [(f.path, f.digest) for f in self.files]

    def look(self) -> list[Diagnostic]:
        from grimoire.compiler.checking.incremental import crowded

        helper = self.helper()
        try:
            report = self.content()
            if report is not None and self.has_texts:
                report = [*report, *self.texts(report)]
                if any(has_words(f.data) for f in self.text_files if f.folder == len(self.needs)) and not has_errors(
                    report
                ):
                    report = [*report, *self.words()]
            if report is not None and self.localisers_files and not has_errors(report):
                report = [*report, *self.localisers()]
            if report is not None and self.scenario_files and not has_errors(report):
                report = [*report, *self.scenarios(helper)]
        finally:
            if helper is not None:
                helper.stop()
        if report is None or crowded(report):
            self.steady = False
            return full(self.root, self.needs)
        return report

    def helper(self) -> Helper | None:
        """Another process that looks at the scenarios while this one looks at the content, when both have to be done."""
        if not self.scenario_files or self.stored("content", self.content_key) is not None:
            return None
        from grimoire.compiler.checking.processes import Helper, cores

        if cores() < 2 or sum(len(file.data) for file in self.scenario_files) < PARALLEL_BYTES:
            return None

        def work(needs: Any, receive: object, send: Callable[[Any], None]) -> None:
            from grimoire.compiler.scenario.run import check_scenarios

            send(to_plain(check_scenarios(self.root, needs)))

        return Helper(work, self.needs)

    def stored(self, name: str, key: str) -> list[Diagnostic] | None:
        """What a stage found before, for the same key."""
        kept = self.kept(name)
        return None if kept is None or kept[0] != key else from_plain(kept[1])

    def content(self) -> list[Diagnostic] | None:
        """What is wrong with all but texts and scenarios; None when only a full compile can tell."""
        stored = self.stored("content", self.content_key)
        if stored is not None:
            return stored
        report: list[Diagnostic] | None = self.compiled() if self.has_texts else self.looked_at()
        if report is not None:
            self.keep("content", (self.content_key, to_plain(report)))
        return report

    def looked_at(self) -> list[Diagnostic] | None:
        from grimoire.compiler.checking.incremental import check_content

        def known_cards() -> Pack:
            return self.cache.load_pack(self.name + "-cards")

        outcome = check_content([*self.needs, self.root], self.content_files, self.tool, self.pack, known_cards)
        self.pack = {
            name: data
            for name, data in self.pack.items()
            if name in ("reports", "texts", "words", "localisers", "scenarios")
        }
        self.pack |= outcome.pack
        if outcome.cards is not None:
            self.cache.save_pack(self.name + "-cards", outcome.cards)
        return outcome.report

    def compiled(self) -> list[Diagnostic]:
        from grimoire.compiler.localisation.text.texts import wanted_keys
        from grimoire.compiler.package import compile_folder

        self.steady = False
        made = compile_folder(self.root, self.needs, texts=False)
        if made.artefact is not None and not made.diags.has_errors:
            rows = wanted_keys(made.artefact).items()
            wanted = {section: (row.must, row.may, row.results, row.from_) for section, row in rows}
            self.keep("wanted", (self.content_key, wanted))
        return made.diags.sorted()

    def texts(self, before: list[Diagnostic]) -> list[Diagnostic]:
        """What is wrong with the texts."""
        key = self.key("texts", self.text_files, self.content_key)
        stored = self.stored("texts", key)
        if stored is not None:
            return stored
        from grimoire.compiler.localisation.text.texts import Wanted, check_texts

        self.steady = False
        manifest = load_manifest(self.root, Diagnostics())
        if manifest is None:
            return []
        diags = Diagnostics(before)
        known, wanted = self.kept("wanted") or ("", {})
        if known != self.content_key and not diags.has_errors:
            self.compiled()
            known, wanted = self.kept("wanted") or ("", {})
            if known != self.content_key:
                return []  # the files are being changed at this moment
        keys = {section: Wanted(*row) for section, row in wanted.items()}
        check_texts(self.root, self.needs, manifest, lambda: keys, diags)
        found = [item for item in diags if item not in before]
        self.keep("texts", (key, to_plain(found)))
        return found

    def words(self) -> list[Diagnostic]:
        """What the texts of the cards cannot be generated for."""
        key = self.key(
            "words",
            [file for file in self.text_files if has_words(file.data) or has_cards(file.data)],
            self.content_key,
        )
        stored = self.stored("words", key)
        if stored is not None:
            return stored
        from grimoire.compiler.localisation.text.cards import check_words

        self.steady = False
        found = check_words(self.root, self.needs)
        self.keep("words", (key, to_plain(found)))
        return found

    def localisers(self) -> list[Diagnostic]:
        """What localisers left that belongs to no text."""
        key = self.key("localisers", [*self.localisers_files, *self.text_files], self.content_key)
        stored = self.stored("localisers", key)
        if stored is not None:
            return stored
        self.steady = False
        found = records(self.root, self.needs)
        self.keep("localisers", (key, to_plain(found)))
        return found

    def scenarios(self, helper: Helper | None) -> list[Diagnostic]:
        """What is wrong with the scenarios of a package without errors."""
        below = [f for f in self.files if f.name.startswith(SCENARIOS)]  # positions of packages below can be used
        key = self.key("scenarios", below, self.content_key)
        stored = self.stored("scenarios", key)
        if stored is not None:
            return stored
        self.steady = False
        answer = None if helper is None else helper.receive()
        if answer is not None:
            found = from_plain(answer)
        else:
            from grimoire.compiler.scenario.run import check_scenarios

            found = check_scenarios(self.root, self.needs)
        self.keep("scenarios", (key, to_plain(found)))
        return found

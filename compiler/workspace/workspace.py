"""The workspace: owns the sources of packages, saved or not, and answers questions about them.

In: paths, and texts that an editor holds unsaved. Out: diagnostics of a package or a card, cards said in a language,
the model and the artefact. Each answer is computed once, and again only when what it was computed from has changed.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grimoire.compiler.declare.model import PackageModel, Text
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.text.texts import Language
from grimoire.compiler.records import copy_record
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.workspace.artefacts import artefact, compile_problems, content_artefact, placed_model
from grimoire.compiler.workspace.content import content_facts, unit
from grimoire.compiler.workspace.declarations import declared, manifest
from grimoire.compiler.workspace.engine import Database, Store
from grimoire.compiler.workspace.languages import Said, folder_texts, said, slip_problems, text_files_problems, words
from grimoire.compiler.workspace.packages import problems, report
from grimoire.compiler.workspace.places import Placer
from grimoire.compiler.workspace.references import Reference, find_references
from grimoire.compiler.workspace.scenarios import mistakes, read_scenario, scenario_files_problems, scenario_names
from grimoire.compiler.workspace.sources import Content, Listing, Package, content, listing, read_content, read_listing
from grimoire.runtime.plain_data import Json

if TYPE_CHECKING:
    from grimoire.compiler.scenario.play import Miss
    from grimoire.runtime import Package as Game


@contextmanager
def postpone_collection() -> Iterator[None]:
    """Many small objects are made, hardly any of them garbage before the end: looking for it now and then only costs
    time."""
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()


class Workspace:
    """Packages on the disk, with what an editor has not saved laid over them."""

    def __init__(self, store: Store | None = None) -> None:
        """`store` keeps answers between two runs."""
        self.db = Database()
        self.db.store = store
        self.unsaved: dict[str, bytes] = {}

    # ------------------------------------------------------------ sources

    def edit(self, path: str | Path, text: str | bytes | None) -> None:
        """Hold the text of a file as an editor has it; with None, as it lies on the disk."""
        name = str(path)
        if text is None:
            self.unsaved.pop(name, None)
        else:
            self.unsaved[name] = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        self._tell(name)
        for root in self.db.inputs(listing):
            if name.startswith(os.path.join(root, "")):
                listing.set(self.db, root, self._read_listing(root))

    def reload(self) -> None:
        """Look at the disk again."""
        for root in self.db.inputs(listing):
            listing.set(self.db, root, self._read_listing(root))
        for path in self.db.inputs(content):
            self._tell(path)

    def hold(self, root: str, names: tuple[str, ...], files: dict[str, bytes]) -> None:
        """Take a folder as it was read by somebody else: names of its files, and bytes by path."""
        listing.set(self.db, root, Listing(names, ()))
        for path, data in files.items():
            content.set(self.db, path, Content(data, ()))

    def _tell(self, path: str) -> None:
        data = self.unsaved.get(path)
        content.set(self.db, path, read_content(path) if data is None else Content(data, ()))

    def _read_listing(self, root: str) -> Listing:
        found = read_listing(root)
        inside = [Path(path).relative_to(root).as_posix() for path in self.unsaved if Path(path).is_relative_to(root)]
        return found._replace(names=tuple(sorted({*found.names, *inside})))

    # ------------------------------------------------------------ answers

    def problems(self, package: Package) -> list[Diagnostic]:
        """All that is wrong with a package."""
        with postpone_collection():
            found = list(problems(self.db, package))
        self.db.drop_unasked()
        return found

    def file_problems(self, package: Package, path: str | Path) -> list[Diagnostic]:
        """What is wrong with one file of a package."""
        name = Path(path).as_posix()
        return [item for item in self.problems(package) if item.span.file == name]

    def references(self, package: Package, name: str) -> list[Reference]:
        """Where a name is declared, and all places that use it: cards, kinds, places, verbs, clauses."""
        with postpone_collection():
            return find_references(self.db, package, name)

    def compile_problems(self, package: Package) -> list[Diagnostic]:
        """What is wrong with the content of a package and the texts that play shows: an error here, and there is no
        artefact."""
        with postpone_collection():
            return report(self.db, compile_problems(self.db, package))

    def declaration_problems(self, package: Package) -> list[Diagnostic]:
        """What is wrong with the files of content and what they declare, before any text is parsed."""
        found = declared(self.db, package)
        own = manifest(self.db, package.root).problems if found is None else found.problems
        return report(self.db, own.sorted())

    def effect_texts(self, package: Package) -> list[Text]:
        """All texts of the effect language in the files of a package and of those it needs, not parsed; the asker may
        write into them."""
        found = declared(self.db, package)
        return [] if found is None else Placer(self.db).place(list(map(copy_record, found.model.texts)))

    def content_problems(self, package: Package) -> list[Diagnostic]:
        """What is wrong with the content of a package, whatever its texts are."""
        with postpone_collection():
            facts = content_facts(self.db, package)
            own = manifest(self.db, package.root).problems.sorted()
            return report(self.db, own if facts is None else facts.problems)

    def model(self, package: Package) -> PackageModel | None:
        """All that a package and those it needs declare; None when it has no manifest. Nobody writes into it."""
        with postpone_collection():
            return placed_model(self.db, package)

    def artefact(self, package: Package) -> dict[str, Json] | None:
        """The artefact with the texts of all languages; None when there are errors. Nobody writes into it."""
        with postpone_collection():
            return artefact(self.db, package)

    def manifest(self, package: Package) -> Manifest | None:
        """The manifest; None when there is none that can be used."""
        return manifest(self.db, package.root).manifest

    def content_artefact(self, package: Package) -> dict[str, Json] | None:
        """The artefact without the texts of languages; None when the content has errors. Nobody writes into it."""
        with postpone_collection():
            return content_artefact(self.db, package)

    def texts(self, package: Package) -> list[dict[str, Language]]:
        """The texts of the folders of a package by language, as they stand in the files, its own folder last."""
        return [Placer(self.db).place(folder_texts(self.db, root)) for root in (*package.needs, package.root)]

    def text_files_problems(self, package: Package) -> list[Diagnostic]:
        """What is wrong with the files of texts of a package and of those it needs, whatever the content is."""
        roots = (*package.needs, package.root)
        return report(self.db, [item for root in roots for item in text_files_problems(self.db, root)])

    def lexicon(self, package: Package, language: str) -> Lexicon | None:
        """The words that the cards of a package are said with in a language; None if nobody has begun to word it."""
        return words(self.db, (package, language)).lexicon

    def card_problems(self, package: Package, card: str) -> list[Diagnostic]:
        """What is wrong with one card: its values and effects, and what was written for it in every language."""
        with postpone_collection():
            found = list(unit(self.db, (package, card)).problems)
            if not any(item.severity == "error" for item in found):
                for language in self.languages(package):
                    found += slip_problems(self.db, (package, language, card))
            return report(self.db, found)

    def card_texts(self, package: Package, card: str, language: str) -> tuple[Said, ...]:
        """A card in a language, part by part."""
        return said(self.db, (package, language, card))

    # ------------------------------------------------------------ scenarios

    def scenario_names(self, package: Package) -> list[str]:
        """The scenarios of a package; none when its content has errors."""
        return list(scenario_names(self.db, package))

    def scenarios(self, package: Package) -> list[Scenario]:
        """The scenarios of a package, read and resolved."""
        placer = Placer(self.db)
        with postpone_collection():
            names = scenario_names(self.db, package)
            return [placer.place(read_scenario(self.db, (package, name)).scenario) for name in names]

    def scenario_files_problems(self, package: Package) -> list[Diagnostic]:
        """What is wrong with the files of scenarios, and is of no single scenario."""
        return report(self.db, scenario_files_problems(self.db, package))

    def scenario_problems(self, package: Package, name: str) -> list[Diagnostic]:
        """What is wrong with one scenario."""
        with postpone_collection():
            return report(self.db, mistakes(self.db, (package, name)))

    def played_package(self, package: Package) -> Game | None:
        """The package with the texts of its scenarios, which they are played on; None when it has errors."""
        from grimoire.compiler.workspace import results  # the engine takes long to load, and a check does not play

        with postpone_collection():
            return results.played_package(self.db, package)

    def scenario_failure(self, package: Package, name: str) -> Miss | None:
        """Why a scenario without mistakes fails; None when it passes. It is played again only when something that it
        hangs on has changed."""
        from grimoire.compiler.workspace import results

        key = (package, name)
        return None if results.has_passed(self.db, key) else results.miss(self.db, key)

    # ------------------------------------------------------------ cards

    def languages(self, package: Package) -> list[str]:
        """The languages in which the cards of a package are said."""
        own = manifest(self.db, package.root).manifest
        ids = own.languages if own is not None else ()
        return [id_ for id_ in ids if id_ in WORDED and words(self.db, (package, id_)).lexicon is not None]

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
from typing import Any

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.workspace.artefacts import artefact, compile_problems, placed_model
from grimoire.compiler.workspace.content import unit
from grimoire.compiler.workspace.declarations import manifest
from grimoire.compiler.workspace.engine import Database, Store
from grimoire.compiler.workspace.languages import Said, said, slip_problems, words
from grimoire.compiler.workspace.packages import problems, report
from grimoire.compiler.workspace.sources import Content, Listing, Package, content, listing, read_content, read_listing


@contextmanager
def collecting_later() -> Iterator[None]:
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
                listing.set(self.db, root, self._listing(root))

    def reload(self) -> None:
        """Look at the disk again."""
        for root in self.db.inputs(listing):
            listing.set(self.db, root, self._listing(root))
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

    def _listing(self, root: str) -> Listing:
        found = read_listing(root)
        inside = [Path(path).relative_to(root).as_posix() for path in self.unsaved if Path(path).is_relative_to(root)]
        return found._replace(names=tuple(sorted({*found.names, *inside})))

    # ------------------------------------------------------------ answers

    def problems(self, package: Package) -> list[Diagnostic]:
        """All that is wrong with a package."""
        with collecting_later():
            found = list(problems(self.db, package))
        self.db.drop_unasked()
        return found

    def compile_problems(self, package: Package) -> list[Diagnostic]:
        """What is wrong with the content of a package and the texts that play shows: an error here, and there is no
        artefact."""
        with collecting_later():
            return report(self.db, compile_problems(self.db, package))

    def model(self, package: Package) -> PackageModel | None:
        """All that a package and those it needs declare; None when it has no manifest. Nobody writes into it."""
        with collecting_later():
            return placed_model(self.db, package)

    def artefact(self, package: Package) -> dict[str, Any] | None:
        """The artefact with the texts of all languages; None when there are errors. Nobody writes into it."""
        with collecting_later():
            return artefact(self.db, package)

    def card_problems(self, package: Package, card: str) -> list[Diagnostic]:
        """What is wrong with one card: its values and effects, and what was written for it in every language."""
        with collecting_later():
            found = list(unit(self.db, (package, card)).problems)
            if not any(item.severity == "error" for item in found):
                for language in self.languages(package):
                    found += slip_problems(self.db, (package, language, card))
            return report(self.db, found)

    def card_texts(self, package: Package, card: str, language: str) -> tuple[Said, ...]:
        """A card in a language, part by part."""
        return said(self.db, (package, language, card))

    def languages(self, package: Package) -> list[str]:
        """The languages in which the cards of a package are said."""
        own = manifest(self.db, package.root).manifest
        ids = own.languages if own is not None else ()
        return [id_ for id_ in ids if id_ in WORDED and words(self.db, (package, id_)).lexicon is not None]

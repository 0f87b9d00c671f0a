"""Say what cards do, for play: card by card, when one of them is wanted."""

from __future__ import annotations

from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace


class LazyTexts:
    """The texts of the cards of a package in one language."""

    def __init__(self, package: Package, language: str) -> None:
        self.workspace = Workspace()
        self.package = package
        self.language = language

    def parts(self, id_: str) -> tuple[tuple[str, str], ...]:
        """The paragraphs of a card, each with the part of the card that it is of."""
        said = self.workspace.card_texts(self.package, id_, self.language)
        return tuple((part.part, part.text) for part in said if not part.missing)

"""Whoever follows the page on the expansion ends with the cards of the example package."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.declare.model import Definition
from grimoire.compiler.localisation.text.lexicon import plain
from tests.packages import compile_folder

from .page import ROOT, Block, Reader

GAME = ROOT / "content" / "unfathomable"
EXAMPLE = ROOT / "content" / "unfathomable-example-expansion"
CHANGED = "deserted-island"


class Typist(Reader):
    """Writes the files of a page and runs none of its commands."""

    def console(self, block: Block) -> None:
        pass


def said(card: Definition) -> tuple[Any, ...]:
    """What stands on a card."""
    texts = {slot: text.text for slot, text in card.programs.items()}
    abilities = {
        name: (a.zones, *(text and text.text for text in (a.window, a.only, a.limit, a.do, a.always)))
        for name, a in card.abilities.items()
    }
    values = {name: node if isinstance(node, str) else plain(node) for name, node in card.values.items()}
    return card.kind, card.copies, card.zone, values, texts, abilities


def cards(root: Path, game: Path) -> dict[str, tuple[Any, ...]]:
    compiled = compile_folder(root, [game])
    assert compiled.model is not None and not compiled.diags.has_errors
    own = {card.id: said(card) for card in compiled.model.definitions.values() if card.package == root.name}
    return own | {CHANGED: said(compiled.model.definitions[CHANGED])}


def test_the_page_ends_with_the_cards_of_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(GAME, tmp_path / "content" / "unfathomable")
    Typist((ROOT / "docs" / "tutorial-expansion.md").read_text(encoding="utf-8")).follow()
    written = cards(Path("content/drowned-bells"), Path("content/unfathomable"))
    assert len(written) == 21 and written == cards(EXAMPLE, GAME)

"""Books for the tests: those of the large game, compiled once, and a small game to make books of."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from grimoire.compiler.command.edition import make_volume
from grimoire.compiler.localisation.edition import typography
from grimoire.compiler.localisation.edition.book_content import Volume
from tests.packages import Compiled, compile_folder

ROOT = Path(__file__).parents[2]
LARGE = ROOT / "content" / "unfathomable"


@cache
def compiled() -> Compiled:
    return compile_folder(LARGE, [])


@cache
def volume(language: str) -> Volume:
    return make_volume(compiled(), language)


@cache
def typeset_volume(language: str) -> Volume:
    return typography.typeset_volume(volume(language))


MANIFEST = "package: orchard\nversion: 1.2.0\nlanguage: 2\nlanguages: [en, uk]\nplayers: 2\n"
GAME = """\
kinds:
  fruit: {is: card, fields: {weight: number, worth: optional number}, slots: {effect: effect}}
  player: {states: {coins: number}}
zones:
  basket: {holds: fruit, seen: nobody}
  heap: {holds: fruit}
verbs:
  sell:
    signature: sell <fruit>
    body: |
      §sale.1,end.0 move the fruit to the heap
cards:
  apple: {kind: fruit, copies: 9, in: basket, weight: 3, effect: may sell the top fruit of the basket}
outcomes: [eaten]
rules:
  zest: {clauses: {0: definition, 1: definition, 1a: definition, 1b: definition, 2: definition}}
  sale: {clauses: {1: rule}}
  end: {clauses: {0: rule}}
  layout: {numbers: {uk: I}, clauses: {1: definition}}
procedures:
  game: |
    resolve the effect of the top fruit of the basket
    end the game with eaten
"""
ENGLISH = """\
title: Orchard
names: {fruit: fruit, basket: basket, heap: heap, apple: Apple, eaten: eaten}
headings: {coins: coins, weight: Weight}
prompts: {sell: Sell it?}
choices: {sell: sell}
log: {sell: "{1} is sold"}
clauses:
  zest: {title: Zest, 0: The zest is thrown away., 1: 'A *fruit* has [zest] \\ "skin" #3.', 1a: Yellow & <green>., 1b: Or none., 2: See a sale.}
  sale: {title: Sales, 1: A fruit goes on the heap.}
  end: {title: End of the game, 0: The game ends.}
  layout: {title: Layout, 1: The basket stands in the middle.}
terms: {fruit: fruit / fruits, basket: basket, heap: heap}
verbs: {sell: sell sells sold}
"""


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small game in a folder of its own, with one language that is complete."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "content" / "orchard"
    (folder / "text").mkdir(parents=True)
    (folder / "package.yaml").write_text(MANIFEST.replace("[en, uk]", "[en]"))
    (folder / "game.yaml").write_text(GAME)
    (folder / "text" / "en.yaml").write_text(ENGLISH)
    return folder

"""Cards in positions of random games: a short run over the packages, and cards in which something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from tests.packages import FOLDERS, open_package
from tests.soak.cards import try_cards

GAME = """\
kinds:
  player: {states: {coins: number 0 to 9}}
  trick: {is: card, slots: {effect: effect}}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  pile: {holds: trick}
cards:
  penny: {kind: trick, copies: 6, in: deck, effect: gain 1 coin}
  wheel: {kind: trick, copies: 2, in: deck, effect: "WHEEL"}
  charm:
    kind: trick
    in: deck
    abilities:
      luck: {in: hand, window: after you gain any coins, do: "CHARM"}
outcomes: [finis]
verbs:
  gain: {signature: gain <number> coins, done: gained, body: your coins is now your coins + amount}
  act: {abilities: action}
abilities:
  wait: {action: gain 1 coin}
procedures:
  game: |
    shuffle the deck
    each player must move the top trick of the deck to their hand
    repeat 6 times:
      each player must take a turn
    end the game with finis for all players
  turn: |
    either act or gain 1 coin
    choose a trick in your hand as played
    move the played to the pile
    move the top trick of the deck to your hand
    if you never-true, resolve the effect of the played
"""


def game(folder: Path, wheel: str, charm: str) -> Path:
    root = folder / "tricks"
    root.mkdir()
    (root / "package.yaml").write_text("package: tricks\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n")
    text = GAME.replace("WHEEL", wheel).replace("CHARM", charm).replace("if you never-true, ", "if your coins >= 9, ")
    (root / "game.yaml").write_text(text)
    return root


@pytest.mark.parametrize("name", [root.name for root in FOLDERS])
def test_every_card_in_some_positions(name: str) -> None:
    package = open_package(name)
    found = try_cards(package, package.min_players, 2, seed=len(package.hash))
    assert not found.wrong, "\n".join(found.wrong[:10])
    assert name in ("connect-four", "leduc", "tic-tac-toe") or found.runs


def test_sound_cards_are_tried_and_used(tmp_path: Path) -> None:
    found = try_cards(compile_package(game(tmp_path, "gain 2 coins", "may gain 1 coin")), 2, 30)
    assert not found.wrong, found.wrong[0]
    assert set(found.runs) == {"penny", "wheel", "charm"} and min(found.runs.values()) >= 25 and found.used["charm"]


def test_a_text_that_never_ends_is_found(tmp_path: Path) -> None:
    found = try_cards(compile_package(game(tmp_path, "repeat, gain 1 coin", "may gain 1 coin")), 2, 30)
    assert any(text.startswith("wheel, effect, position") and "BudgetExceeded" in text for text in found.wrong)


def test_an_ability_that_never_ends_is_found(tmp_path: Path) -> None:
    found = try_cards(compile_package(game(tmp_path, "gain 2 coins", "gain 1 coin")), 2, 30)
    assert any(text.startswith("charm, in hand") and "BudgetExceeded" in text for text in found.wrong)
    assert any(text.startswith("the random game") for text in found.wrong)

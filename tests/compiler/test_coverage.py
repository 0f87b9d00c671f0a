"""Steered games: every part of a card that can happen does, and what never happens is told."""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.proof.coverage import Coverage, cover
from grimoire.compiler.resolve import resolve_paths
from grimoire.runtime import load_artefact, new_game
from tests.charter.kit import tiny
from tests.packages import compile_folder

# Each turn a player draws and plays a card. The purse never holds more than 40 coins.
GAME = """\
kinds:
  player:
    states: {coins: number 0 to 40, luck: number}
  trick: {is: card, slots: {effect: effect}}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  pile: {holds: trick}
options:
  windy: {default: false}
outcomes: [done-for]
cards:
  plain: {kind: trick, copies: 3, in: deck, effect: gain 1 coins}
  fork:
    kind: trick
    copies: 2
    in: deck
    effect: |
      roll as n
      if n >= 5, gain 2 coins
      otherwise, either gain 1 coins or lose 1 coins
  gift:
    kind: trick
    copies: 2
    in: deck
    effect: may gain 3 coins
  storm:
    kind: trick
    in: deck
    effect: if windy = 1, lose 2 coins
  dragon:
    kind: trick
    in: deck
    effect: |
      if your coins > 39:
        lose 5 coins
        lose 5 coins
  charm:
    kind: trick
    in: deck
    abilities:
      twice: {in: hand, window: after you gain, do: may lose 1 coins}
      lucky: {in: hand, always: you get +1 luck}
      thrift: {in: pile, always: you cannot lose}
verbs:
  gain: {signature: gain <number> coins, done: gained, body: your coins is now your coins + amount + your luck}
  lose: {signature: lose <number> coins, done: lost, body: your coins is now your coins - amount}
  roll:
    result: number
    body: |
      choose a random number from 1 to 6 as pips
      the result is now pips
procedures:
  game: |
    shuffle the deck
    repeat 4 times, in turn from the first-player, each player must take a turn
    end the game with done-for for all players with the most coins
  turn: |
    move the top trick of the deck to your hand
    choose a trick in your hand as played
    if the played is not a charm or your coins > 2:
      move the played to the pile
      resolve the effect of the played
    otherwise, gain 1 coins
"""


def covered(folder: Path, games: int = 60, text: str = GAME, **more: object) -> Coverage:
    root = tiny(folder, text, "2")
    made = compile_folder(*resolve_paths([root], Diagnostics())[0])
    assert not made.diags.has_errors, [d.message for d in made.diags.sorted()]
    assert made.artefact is not None and made.model is not None
    return cover(load_artefact(made.artefact), made.model, games, **more)  # type: ignore[arg-type]


def test_what_can_happen_does_and_the_rest_is_told(tmp_path: Path) -> None:
    found = covered(tmp_path)
    assert not found.errors and found.games == 60 and found.failed
    names = {part.id for part in found.parts}
    assert {part.id for part in found.never} == {
        "dragon.effect.if-1.yes",
        "dragon.effect.line-1",
        "dragon.effect.line-2",
    }
    assert {
        "fork.effect.if-1.yes", "fork.effect.if-1.no", "fork.effect.either-1.gain", "fork.effect.either-1.lose", "gift.effect.may-1.take",
        "gift.effect.may-1.decline", "storm.effect.if-1.yes", "storm.effect.if-1.no", "charm.twice", "charm.twice.decline", "charm.lucky",
        "charm.thrift", "dragon.effect", "dragon.effect.if-1.no",
    } <= names  # fmt: skip


def test_reasons_are_kept_and_must_be_needed(tmp_path: Path) -> None:
    reasons = {
        "dragon.*.yes": "nobody is that rich",
        "dragon.effect.line-*": "nobody is that rich",
        "plain": "it does happen",
    }
    found = covered(tmp_path, explained=reasons)
    assert not found.never and found.idle == ["plain"] and found.failed
    assert found.summary["explained"] == 3 and found.games < 60, "it ends when nothing is left to look for"
    assert next(part for part in found.parts if part.id == "dragon.effect.line-1").reason == "nobody is that rich"
    del reasons["plain"]
    assert not covered(tmp_path, explained=reasons).failed


def test_some_cards_and_the_same_games_each_time(tmp_path: Path) -> None:
    found = covered(tmp_path, only="fork.*")
    assert {part.card for part in found.parts} == {"fork"} and not found.failed and found.games < 30
    one, two = covered(tmp_path, 5, seed=3), covered(tmp_path, 5, seed=3)
    assert one.to_json() == two.to_json() and one.curve != covered(tmp_path, 5, seed=4).curve


def test_a_game_that_fails_is_told(tmp_path: Path) -> None:
    endless = GAME.replace("may gain 3 coins", "repeat, gain 1 coins")
    found = covered(tmp_path, 3, endless)
    assert found.errors and "2 players, {}, seed 0" in found.errors[0] and found.failed
    assert "a game failed: 2 players" in found.render()


def test_play_without_counting_has_no_counters(tmp_path: Path) -> None:
    made = compile_folder(*resolve_paths([tiny(tmp_path, GAME)], Diagnostics())[0])
    assert made.artefact is not None
    game = new_game(load_artefact(made.artefact), 2, 1)
    assert game.state.track is None and game.state.bars is None
    assert game.program.counters == 0

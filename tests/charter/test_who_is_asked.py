"""Charter 9 again: who is asked, and when, tells nothing about what is hidden."""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler import compile_package
from grimoire.runtime import Game, load_artefact, new_game, redeal
from tests.charter.kit import seen_by, tiny

TABLE = """
kinds:
  trick: {is: card, fields: {worth: number}}
  player: {states: {coins: {type: number 0 to 20, start: 3}}}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  heap: {holds: trick, seen: everyone}
outcomes: [finish]
verbs:
  toll:
    done: tolled
    body: your coins is now your coins - 1
  drop:
    signature: drop <trick>
    body: move the trick to the heap
cards:
  dud: {kind: trick, worth: 1, copies: 6, in: deck}
  ward:
    kind: trick
    worth: 2
    copies: 2
    in: deck
    abilities:
      spare:
        in: hand
        window: when you would toll
        do: may drop this to prevent it
abilities:
  alms:
    window: before any player would toll
    do: may drop a trick whose worth = 1 in your hand
procedures:
  game: |
    shuffle the deck
    repeat 2 times, each player must move the top trick of the deck to their hand
    repeat 2 times, each player must toll
    end the game with finish
"""


def games(tmp_path: Path) -> list[Game]:
    package = load_artefact(compile_package(tiny(tmp_path, TABLE)).document)
    return [new_game(package, 2, seed) for seed in range(30)]


def test_everybody_who_could_have_a_card_is_asked(tmp_path: Path) -> None:
    asked = {(game.decision.seat, game.decision.label) for game in games(tmp_path) if game.decision is not None}
    assert asked == {(0, "react")}, "the first question is put to the same seat whatever it holds"


def test_who_has_nothing_can_only_pass_and_is_asked_once(tmp_path: Path) -> None:
    found = 0
    for game in games(tmp_path):
        while game.decision is not None:
            keys = game.decision.keys
            found += keys == ("pass",)
            before = game.decisions_made
            game.choose("pass")
            assert game.decisions_made != before
        assert len(game.decisions_made) <= 2 * 2 * 2, "each of two tolls asks each phase once"
    assert found > 10


def test_a_redeal_does_not_change_who_is_asked(tmp_path: Path) -> None:
    moved = 0
    for game in games(tmp_path):
        while game.decision is not None:
            for seat in range(2):
                other = redeal(game, seat, 7)
                moved += other.view(None)["zones"] != game.view(None)["zones"]
                assert seen_by(other, seat) == seen_by(game, seat)
            game.choose("pass")
    assert moved > 50

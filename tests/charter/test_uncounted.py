"""Charter 9 once more: of a pile that is not counted, a seat is shown the top, and never how many lie there."""

from __future__ import annotations

import json
from pathlib import Path

from grimoire.compiler import compile_package
from grimoire.runtime import Game, load_artefact, new_game, redeal
from tests.charter.kit import seen_by, tiny

TABLE = """
kinds:
  leaf: {is: card}
zones:
  deck: {holds: leaf, seen: nobody}
  heap: {holds: leaf, seen: top, counted: false}
  rest: {holds: leaf, seen: top, counted: false}
  grave: {holds: leaf, seen: nobody, counted: false}
outcomes: [finish]
cards:
  oak: {kind: leaf, copies: 6, in: deck}
  elm: {kind: leaf, copies: 6, in: deck}
verbs:
  shed: {done: shed, body: move the top leaf of the deck to the heap}
  rake: {done: raked, body: move the top leaf of the deck to the rest}
  bury: {done: buried, body: move the top leaf of the deck to the grave}
  pick: {done: picked, body: move a leaf in the heap to the rest}
procedures:
  game: |
    shuffle the deck
    repeat:
      each player must take a turn
  turn: |
    if there is no leaf in the deck, end the game with finish
    either shed or rake or bury or pick
"""


def played(tmp_path: Path, *keys: str) -> Game:
    game = new_game(load_artefact(compile_package(tiny(tmp_path, TABLE)).document), 2, 3)
    for key in keys:
        game.choose(key)
    return game


def test_a_seat_sees_the_top_alone_and_is_told_that_there_may_be_more(tmp_path: Path) -> None:
    game = played(tmp_path, "shed", "shed", "shed", "bury", "bury")
    whole, shown = game.view(None), game.view(0)
    assert len(whole["zones"]["heap"]) == 3 and len(whole["zones"]["grave"]) == 2 and "uncounted" not in whole
    assert shown["zones"]["heap"] == whole["zones"]["heap"][-1:]
    assert [piece["id"] for piece in shown["zones"]["grave"]] == [None]
    assert shown["zones"]["rest"] == []
    assert shown["uncounted"] == ["heap", "rest", "grave"]


def test_what_is_covered_is_dealt_out_anew_in_other_numbers(tmp_path: Path) -> None:
    changed = 0
    for seed in range(12):
        game = played(tmp_path, "shed", "shed", "shed", "rake", "shed", "bury", "rake")
        for seat in range(2):
            other = redeal(game, seat, seed)
            changed += len(other.view(None)["zones"]["heap"]) != len(game.view(None)["zones"]["heap"])
            assert seen_by(other, seat) == seen_by(game, seat)
    assert changed > 6


def test_a_count_that_is_told_would_be_found(tmp_path: Path) -> None:
    def leaky(game: Game) -> bytes:
        return seen_by(game, 0) + json.dumps(len(game.view(None)["zones"]["heap"])).encode()

    game = played(tmp_path, "shed", "shed", "shed", "rake", "rake")
    assert any(leaky(redeal(game, 0, seed)) != leaky(game) for seed in range(5))


def test_keys_count_from_the_top(tmp_path: Path) -> None:
    """Whoever may take any leaf of the heap learns what is there; the place of one tells no more than that."""
    game = played(tmp_path, "shed", "shed", "shed", "shed", "pick")
    assert game.decision is not None
    assert all("#" not in key or int(key.rpartition("#")[2]) <= 4 for key in game.decision.keys)

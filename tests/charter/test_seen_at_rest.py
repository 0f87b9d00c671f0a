"""Charter 9, piles that show their top: what was never on top while the game waited was never seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, UndoBarrier, load_artefact, load_game, new_game, redeal
from tests.charter.kit import everything, seen_by, tiny, unnumbered

TABLE = """
kinds:
  leaf: {is: card}
zones:
  deck: {holds: leaf, seen: nobody}
  hand: {holds: leaf, each: player, seen: owner, order: kept}
  pile: {holds: leaf, seen: top}
outcomes: [finish]
cards:
  ash: {kind: leaf, in: deck}
  bay: {kind: leaf, in: deck}
  elm: {kind: leaf, in: deck}
  fir: {kind: leaf, in: deck}
  oak: {kind: leaf, in: deck}
  yew: {kind: leaf, in: deck}
verbs:
  drop:
    signature: drop <leaf>
    body: move the leaf to the pile
  heap-up: {body: "for each leaf in your hand as one-leaf, drop the one-leaf"}
  lay-out: {body: "for each leaf in your hand as one-leaf, lay-one the one-leaf"}
  lay-one:
    signature: lay-one <leaf>
    body: |
      drop the leaf
      either nod or wink
  nod: {body: "move the bottom leaf of the pile under the pile"}
  wink: {body: "move the bottom leaf of the pile under the pile"}
  take-two: {body: "repeat 2 times, move the top leaf of the pile to your hand"}
  pick: {body: "move a leaf in the pile face-down to the deck"}
  close:
    body: |
      heap-up
      end the game with finish
  bury:
    body: |
      move the top leaf of the deck to the pile
      move the top leaf of the deck face-down to the pile
procedures:
  game: |
    shuffle the deck
    repeat 3 times, move the top leaf of the deck to your hand
    repeat:
      either heap-up or lay-out or take-two or pick or bury or close
"""


def start(tmp_path: Path, seed: int = 3) -> Game:
    return new_game(load_artefact(compile_package(tiny(tmp_path, TABLE)).document), 2, seed)


def ids(game: Game, zone: str, seat: int | None = None) -> list[str | None]:
    return [piece["id"] for piece in game.view(seat)["zones"][zone]]


def dropped(game: Game, seat: int) -> list[str | None]:
    return [row["args"][0]["value"] for row in game.log(seat) if row["verb"] == "drop"]


def test_of_a_pile_laid_at_once_only_the_top_is_seen(tmp_path: Path) -> None:
    game = start(tmp_path)
    hand = ids(game, "hand.p1")
    game.choose("heap-up")
    assert ids(game, "pile") == ids(game, "pile", 0) == hand, "who laid it knows it"
    assert ids(game, "pile", 1) == dropped(game, 1) == [None, None, hand[-1]]
    assert dropped(game, 0) == hand


def test_what_lies_on_top_while_somebody_is_asked_is_seen(tmp_path: Path) -> None:
    game = start(tmp_path)
    hand = ids(game, "hand.p1")
    game.choose("lay-out")
    assert ids(game, "pile", 1) == dropped(game, 1) == hand[:1]
    for key in ("nod", "wink", "nod"):
        game.choose(key)
    assert ids(game, "pile", 1) == dropped(game, 1) == hand


def test_what_is_uncovered_in_passing_is_not_seen(tmp_path: Path) -> None:
    game = start(tmp_path)
    hand = ids(game, "hand.p1")
    game.choose("heap-up")
    game.choose("take-two")
    assert ids(game, "hand.p1") == hand[:0:-1]
    assert ids(game, "hand.p1", 1) == [hand[2], None], "the second was on top for no moment of rest"
    assert ids(game, "pile", 1) == hand[:1]


def test_what_is_laid_face_down_on_it_is_not_seen(tmp_path: Path) -> None:
    game = start(tmp_path)
    game.choose("bury")
    assert ids(game, "pile", 0) == ids(game, "pile", 1) == [None, None]
    game.choose("heap-up")
    game.choose("take-two")
    game.choose("take-two")
    assert ids(game, "pile", 0) == ids(game, "pile", 1) == ids(game, "pile"), "now the first one lies on top"


def test_what_was_just_laid_can_be_chosen(tmp_path: Path) -> None:
    """Nobody chooses what they do not know: the top is known as soon as somebody is asked about it."""
    game = start(tmp_path)
    game.choose("heap-up")
    top = ids(game, "pile")[-1]
    assert game.decision is not None and "pick" in game.decision.keys
    game.choose("pick")
    assert game.decision is not None and any(key.startswith(f"move:{top}") for key in game.decision.keys)


def test_the_end_of_the_game_shows_it_too(tmp_path: Path) -> None:
    game = start(tmp_path)
    hand = ids(game, "hand.p1")
    game.choose("close")
    assert game.outcome is not None
    assert ids(game, "pile", 1) == dropped(game, 1) == [None, None, hand[-1]]


def test_saves_copies_and_undo_keep_it(tmp_path: Path) -> None:
    game = start(tmp_path)
    for key in ("heap-up", "take-two", "heap-up", "bury", "take-two"):
        before, seen = game.digest(), unnumbered(everything(game))
        game.choose(key)
        after = game.digest(), unnumbered(everything(game))
        if key != "bury":  # which shows nothing
            with pytest.raises(UndoBarrier):
                game.undo()
        game.undo(force=True)
        assert (game.digest(), unnumbered(everything(game))) == (before, seen)
        game.choose(key)
        assert (game.digest(), unnumbered(everything(game))) == after
        loaded = load_game(game.package, json.loads(json.dumps(game.save())))
        assert (loaded.digest(), unnumbered(everything(loaded))) == after
        assert unnumbered(everything(game.clone())) == after[1]


def test_another_deal_looks_the_same_to_the_other_seat(tmp_path: Path) -> None:
    """What is passed over is dealt again before it is laid: the other seat sees the same until it sees another top."""
    moved = 0
    for seed in range(20):
        game = start(tmp_path, seed)
        other = redeal(game, 1, seed)
        if ids(other, "hand.p1")[-1] != ids(game, "hand.p1")[-1]:
            continue
        moved += ids(other, "hand.p1") != ids(game, "hand.p1")
        for key in ("heap-up", "bury"):
            game.choose(key)
            other.choose(key)
            assert seen_by(game, 1) == seen_by(other, 1)
    assert moved

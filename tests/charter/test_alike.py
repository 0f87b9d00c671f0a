"""Charter 9, cards of one name in a hand: which of them is chosen tells nobody that there is another one."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, UndoBarrier, load_game, new_game, record_of, replay
from grimoire.runtime.kernel import events, menus
from tests.charter.kit import everything, tiny, unnumbered
from tests.charter.twins import twins

# Whoever gives a leaf away knows it in the hand that it has come to: one of the others this one, another one that one.
GIFTS = """
kinds:
  leaf: {is: card, plural: leaves}
zones:
  deck: {holds: leaf, seen: nobody}
  row: {holds: leaf, seen: everyone}
  hand: {holds: leaf, each: player, seen: owner}
outcomes: [finish]
cards:
  ash: {kind: leaf, copies: 9, in: deck}
verbs:
  draw:
    signature: draw <number> leaves
    body: repeat (amount) times, move the top leaf of the deck to your hand
  give:
    signature: give <leaf> to <player>
    body: move the leaf to the player's hand
  play:
    signature: play <leaf>
    body: move the leaf to the row
  receive:
    body: |
      each opponent must give a leaf in their hand to you
      play a leaf in your hand
procedures:
  game: |
    shuffle the deck
    each player must draw 3 leaves
    repeat 2 times, each player must receive
    end the game with finish
"""
SORTS = GIFTS.replace(
    "ash: {kind: leaf, copies: 9, in: deck}",
    "ash: {kind: leaf, copies: 6, in: deck}\n  bay: {kind: leaf, copies: 4, in: deck}\n"
    "  elm: {kind: leaf, copies: 4, in: deck}",
)
TWO_GIFTS = GIFTS.replace("each opponent must give a leaf", "repeat 2 times, each opponent must give a leaf")
# The same by an ability of the leaves, by sets of them, and by answers that all give at once.
WAYS = {
    "a choice": SORTS,
    "a set": SORTS.replace("play a leaf in your hand", "play 2 leaves in your hand"),
    "an ability": SORTS.replace("play a leaf in your hand", "rest")
    .replace("in: deck}", "in: deck, abilities: {fall: {window: after you rest, do: may move this to the row}}}")
    .replace("procedures:", "  rest: {done: rested, body: shuffle the deck}\nprocedures:"),
    "an answer": SORTS.replace(
        "      play a leaf in your hand\n",
        "      at the same time, secretly, each player must play a leaf in their hand\n",
    ),
}


def made(folder: Path, text: str) -> Package:
    return compile_package(tiny(folder, text, players="3"))


def known(game: Game, seat: int) -> int:
    """How many of the first player's leaves a seat knows."""
    return sum(piece["id"] is not None for piece in game.view(seat)["zones"]["hand.p1"])


def play_on(game: Game, decisions: int, seed: int = 0) -> Game:
    rng = random.Random(seed)
    while game.decision is not None and len(game.decisions_made) < decisions:
        game.choose_index(rng.randrange(len(game.decision.options)))
    return game


@pytest.mark.parametrize("way", WAYS)
def test_which_of_several_is_chosen_tells_nothing(tmp_path: Path, way: str) -> None:
    found = twins(made(tmp_path, WAYS[way]), 3, 120)
    assert found.moved > 300 and found.ends["over"] + found.ends["far enough"] > 25, found.ends
    assert not found.wrong, found.wrong[:3]


@pytest.mark.parametrize(("way", "module"), [("a choice", menus), ("a set", menus), ("an ability", events)])
def test_where_it_tells_something_that_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, module: ModuleType
) -> None:
    monkeypatch.setattr(module, "disputed", lambda g, piece: False)
    found = twins(made(tmp_path, WAYS[way]), 3, 120)
    assert "known" in {name.split()[0] for name in found.classes}, found.classes


def test_whoever_knew_one_of_them_knows_the_one_that_is_chosen(tmp_path: Path) -> None:
    for seed in range(20):
        game = new_game(made(tmp_path, GIFTS), 3, seed)
        game.choose_index(0)
        game.choose_index(0)
        assert [known(game, seat) for seat in range(3)] == [5, 1, 1]
        game.choose_index(0)
        assert [known(game, seat) for seat in range(3)] == [4, 0, 0]
        for seat in (1, 2):
            played = [entry for entry in game.log(seat, choices=True) if entry.get("choice") == "play"]
            assert [entry["values"] for entry in played] == [[{"sort": "piece", "value": "ash"}]]


def test_whoever_knew_two_of_them_still_knows_one(tmp_path: Path) -> None:
    for seed in range(20):
        game = play_on(new_game(made(tmp_path, TWO_GIFTS), 3, seed), 4)
        assert [known(game, seat) for seat in range(3)] == [7, 2, 2]
        game.choose_index(0)
        assert [known(game, seat) for seat in range(3)] == [6, 1, 1]


@pytest.mark.parametrize("way", WAYS)
def test_it_can_be_taken_back_copied_saved_and_played_again(tmp_path: Path, way: str) -> None:
    table = made(tmp_path, WAYS[way])
    for seed in range(6):
        game = new_game(table, 3, seed)
        rng = random.Random(seed)
        while game.decision is not None:
            before, told = game.digest(), unnumbered(everything(game))
            copies = [game.clone(), load_game(table, game.save())]
            i = rng.randrange(len(game.decision.options))
            game.choose_index(i)
            after = game.digest()
            game.undo(force=True)
            assert (game.digest(), unnumbered(everything(game))) == (before, told)
            for one in [game, *copies]:
                one.choose_index(i)
                assert one.digest() == after
        assert replay(table, record_of(game)).digest() == game.digest()


# --- what others knew before ------------------------------------------------------------------------------------------

# Of the two leaves that the second player holds in the end the first one knows one.
BACK = """
kinds:
  leaf: {is: card, plural: leaves}
zones:
  deck: {holds: leaf, seen: nobody}
  row: {holds: leaf, seen: everyone}
  pile: {holds: leaf, seen: top}
  hand: {holds: leaf, each: player, seen: owner}
outcomes: [finish]
cards:
  ash: {kind: leaf, in: deck}
  bay: {kind: leaf, in: deck}
verbs:
  hand-on:
    signature: hand-on <leaf>
    body: move the leaf to your opponent's hand
  back:
    body: |
      THEN
procedures:
  game: |
    each player must move the top leaf of the deck to their hand
    hand-on a leaf in your hand
    your opponent must back
    may shuffle the deck
    end the game with finish
"""


@pytest.mark.parametrize(
    "then",
    [
        "hand-on a leaf in your hand",
        "choose a leaf in your hand as pick\n      move the pick face-up to the deck",
        "choose a leaf in your hand as pick\n      reveal the pick to your opponent",
    ],
)
def test_undo_does_not_tell_what_others_knew(tmp_path: Path, then: str) -> None:
    table = compile_package(tiny(tmp_path, BACK.replace("THEN", then)))
    for i in (0, 1):
        game = new_game(table, 2, 1)
        game.choose_index(0)
        assert game.decision is not None and len(game.decision.options) == 2
        game.choose_index(i)
        with pytest.raises(UndoBarrier):
            game.undo()


def test_undo_is_allowed_where_all_saw_it_before(tmp_path: Path) -> None:
    then = "choose a leaf in your hand as pick\n      move the pick to the row\n      may shuffle the deck"
    then += "\n      move the pick to the pile"
    game = new_game(compile_package(tiny(tmp_path, BACK.replace("THEN", then))), 2, 1)
    game.choose_index(0)
    game.choose_index(0)
    game.choose_index(0)
    assert game.view(0)["zones"]["pile"] != []
    game.undo()
    assert game.view(0)["zones"]["pile"] == []
    with pytest.raises(UndoBarrier):
        game.undo()

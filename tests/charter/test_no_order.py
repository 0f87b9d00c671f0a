"""Charter 9, zones without an order: where a piece lies tells nobody when it came there."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, content_hash, load_artefact, load_game, new_game
from grimoire.runtime.kernel.base import DRAWS, MIXES
from grimoire.runtime.kernel.store import Store
from tests.charter.kit import everything, package, tiny, unnumbered
from tests.charter.twins import twins

# Each verb brings the four leaves to the hand of the first player, which is empty before, in the order of the alphabet.
WAYS = """
kinds:
  leaf: {is: card, plural: leaves}
zones:
  row: {holds: leaf, seen: everyone}
  bag: {holds: leaf, seen: nobody, order: any}
  hand: {holds: leaf, each: player, seen: owner}
cards:
  ash: {kind: leaf, in: row}
  bay: {kind: leaf, in: row}
  elm: {kind: leaf, in: row}
  fir: {kind: leaf, in: row}
  oak: {kind: leaf, in: bag}
  yew: {kind: leaf, in: bag}
  box: {kind: leaf, in: bag}
verbs:
  take-each: {body: "for each leaf in the row as one-leaf, move the one-leaf to your hand"}
  take-all: {body: "move each leaf in the row to your hand"}
  take-face-down: {body: "move each leaf in the row face-down to your hand"}
  take-four: {body: "repeat 4 times, move the bottom leaf of the row to your hand"}
  take-one:
    signature: take-one <leaf>
    body: move the leaf to your hand
  take-by-events: {body: "for each leaf in the row as one-leaf, take-one the one-leaf"}
  trade-places: {body: "swap the row with your hand"}
  take-bag: {body: "move each leaf in the bag to your hand"}
  peek: {body: "your opponent must look at each leaf in your hand"}
procedures:
  game: |
    repeat:
      either:
        take-each
      or:
        take-all
      or:
        take-face-down
      or:
        take-four
      or:
        take-by-events
      or:
        trade-places
      or:
        take-bag
      or:
        peek
"""


WAYS_IN = ("take-each", "take-all", "take-face-down", "take-four", "take-by-events", "trade-places")
GAMES = 240


def ids(game: Game, zone: str, seat: int | None = None) -> list[str | None]:
    return [piece["id"] for piece in game.view(seat)["zones"][zone]]


def made(folder: Path, text: str = WAYS) -> Package:
    return load_artefact(compile_package(tiny(folder, text)).document)


def assert_mixed(orders: list[list[str | None]]) -> None:
    """Every piece lies in every place about as often as in any other: a quarter of the games, more or less."""
    size = len(orders[0])
    seen = Counter((leaf, at) for order in orders for at, leaf in enumerate(order))
    assert len(seen) == size * size, "a piece never lies in some place"
    fair = len(orders) / size
    assert all(fair / 2 < n < fair * 2 for n in seen.values()), seen
    assert len({tuple(order) for order in orders}) > size


@pytest.mark.parametrize("way", WAYS_IN)
def test_whatever_comes_in_mixes_the_zone(tmp_path: Path, way: str) -> None:
    table, orders = made(tmp_path), []
    for seed in range(GAMES):
        game = new_game(table, 2, seed, log=seed % 2 == 0)
        game.choose(way)
        orders.append(ids(game, "hand.p1"))
        assert sorted(map(str, orders[-1])) == ["ash", "bay", "elm", "fir"]
    assert_mixed(orders)


def test_what_lies_there_at_the_start_is_mixed(tmp_path: Path) -> None:
    table = made(tmp_path)
    assert_mixed([ids(new_game(table, 2, seed), "bag") for seed in range(GAMES)])


def test_what_came_first_is_mixed_among_what_came_later(tmp_path: Path) -> None:
    """Where the leaves of the row have come to lie among those of the bag, which were there before."""
    table, orders = made(tmp_path), []
    for seed in range(GAMES):
        game = new_game(table, 2, seed)
        game.choose("take-bag")
        game.choose("take-each")
        orders.append(["old" if leaf in ("oak", "yew", "box") else "new" for leaf in ids(game, "hand.p1")])
    seen = Counter(tuple(order) for order in orders)
    assert len(seen) == 35, "three of seven places, in every way"


def test_a_zone_keeps_its_order_if_it_is_declared_so_or_everybody_sees_it(tmp_path: Path) -> None:
    for text in ("seen: owner, order: kept", "seen: everyone, order: any"):
        table = made(tmp_path, WAYS.replace("seen: owner", text))
        for seed in range(8):
            game = new_game(table, 2, seed)
            game.choose("take-each")
            assert ids(game, "hand.p1") == ["ash", "bay", "elm", "fir"]


def test_it_can_be_taken_back_copied_and_saved_and_nothing_else_depends_on_it(tmp_path: Path) -> None:
    table = made(tmp_path)
    for seed in range(8):
        game = new_game(table, 2, seed)
        before, told = game.digest(), unnumbered(everything(game))
        game.choose("take-all")
        taken, mixes = ids(game, "hand.p1"), game.state.mem[MIXES]
        game.undo()
        assert game.digest() == before and unnumbered(everything(game)) == told
        copies = [game.clone(), load_game(table, game.save()), game]
        for one in copies:
            one.choose("take-all")
        assert {tuple(ids(one, "hand.p1")) for one in copies} == {tuple(taken)}
        assert len({one.digest() for one in copies}) == 1 and game.state.mem[MIXES] == mixes > 0
        assert game.state.mem[DRAWS] == 0
        for one in copies:
            one.choose("take-bag")
        assert len({one.digest() for one in copies}) == 1


def test_whoever_knows_a_piece_still_knows_it(tmp_path: Path) -> None:
    game = new_game(made(tmp_path), 2, 1)
    for key in ("take-face-down", "peek", "take-bag"):
        game.choose(key)
    shown = ids(game, "hand.p1", 1)
    assert sorted(map(str, shown)) == ["None", "None", "None", "ash", "bay", "elm", "fir"]
    assert [leaf for leaf, real in zip(shown, ids(game, "hand.p1"), strict=True) if leaf not in (real, None)] == []


# --- the leak that this closes ----------------------------------------------------------------------------------------

# Who lays down several cards shows those that end up on top of their piles; the log tells in which order they went.
PILES = """
values:
  hue: [red, blue]
kinds:
  leaf: {is: card, plural: leaves, fields: {tint: hue}}
zones:
  deck: {holds: leaf, seen: nobody}
  red-pile: {holds: leaf, seen: top, counted: false}
  blue-pile: {holds: leaf, seen: top, counted: false}
  hand: {holds: leaf, each: player, seen: owner}
outcomes: [finish]
cards:
  ash: {kind: leaf, tint: red, in: deck}
  bay: {kind: leaf, tint: blue, in: deck}
  elm: {kind: leaf, tint: red, in: deck}
  fir: {kind: leaf, tint: blue, in: deck}
  hop: {kind: leaf, tint: red, in: deck}
  ivy: {kind: leaf, tint: blue, in: deck}
  oak: {kind: leaf, tint: red, in: deck}
  pea: {kind: leaf, tint: blue, in: deck}
  rye: {kind: leaf, tint: red, in: deck}
  yew: {kind: leaf, tint: blue, in: deck}
  box: {kind: leaf, tint: red, in: deck}
  nut: {kind: leaf, tint: blue, in: deck}
verbs:
  drop:
    signature: drop <leaf>
    body: |
      if the tint of the leaf = red, move the leaf to the red-pile
      otherwise, move the leaf to the blue-pile
  spend: {body: drop 3 leaves in your hand}
  draw:
    signature: draw <number> leaves
    body: repeat (amount) times, move the top leaf of the deck to your hand
procedures:
  game: |
    shuffle the deck
    each player must draw 4 leaves
    each player must:
      spend
      draw 2 leaves
    each player must spend
    end the game with finish
"""


def test_a_hand_that_keeps_its_order_is_found(tmp_path: Path) -> None:
    found = twins(compile_package(tiny(tmp_path, PILES.replace("seen: owner", "seen: owner, order: kept"))), 2, 120)
    assert {name.split()[0] for name in found.classes} & {"known", "order"}, found.classes


def test_a_hand_without_an_order_tells_nothing(tmp_path: Path) -> None:
    found = twins(compile_package(tiny(tmp_path, PILES)), 2, 120)
    assert found.moved > 150 and not found.wrong, found.wrong[:3]


def test_a_hand_that_should_be_mixed_and_is_not_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "mix", lambda store, zone: None)
    found = twins(compile_package(tiny(tmp_path, PILES)), 2, 240)
    assert {name.split()[0] for name in found.classes} & {"known", "order"}, found.classes


def test_the_leak_of_a_large_game_is_found_and_closed() -> None:
    """Who had laid down several cards at once showed in which order they had been drawn."""
    document = copy.deepcopy(package("unfathomable").document)
    for row in document["zones"]:
        row["ordered"] = True
    document["hash"] = content_hash(document)
    assert "known discard" in twins(load_artefact(document), 3, 12, seed=3000).classes
    assert not twins("unfathomable", 3, 12, seed=3000).wrong

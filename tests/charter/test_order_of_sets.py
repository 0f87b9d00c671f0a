"""Charter 9, sets: the order in which pieces of a set are shown, offered and dealt with tells nothing about what is
hidden."""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, load_artefact, new_game, redeal
from grimoire.runtime.play.names import Names
from tests.charter.kit import tiny

TABLE = """
kinds:
  trick: {is: card}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner, order: kept}
  stack: {holds: trick, seen: nobody}
  heap: {holds: trick, seen: nobody}
outcomes: [finish]
cards:
  ace: {kind: trick, in: deck}
  bat: {kind: trick, in: deck}
  cat: {kind: trick, in: deck}
  dog: {kind: trick, in: deck}
  eel: {kind: trick, in: deck}
  fox: {kind: trick, in: deck}
  gnu: {kind: trick, in: deck}
  hen: {kind: trick, in: deck}
verbs:
  stow:
    signature: "stow <lot: set of trick>"
    body: for each of the lot as one-trick, move the one-trick face-down to the stack
  part:
    body: |
      choose any number of tricks in your hand as lot
      stow the lot
      choose a random trick of the lot as lost
      move the lost face-down to the heap
procedures:
  game: |
    shuffle the deck
    repeat 4 times, each player must move the top trick of the deck to their hand
    reveal a random trick in your hand
    part
    your opponent must move a trick in the stack face-down to the heap
    end the game with finish
"""


def ids(game: Game, zone: str, seat: int | None = None) -> list[str | None]:
    return [piece["id"] for piece in game.view(seat)["zones"][zone]]


def games(tmp_path: Path) -> list[Game]:
    package: Package = load_artefact(compile_package(tiny(tmp_path, TABLE)).document)
    return [new_game(package, 2, seed) for seed in range(12)]


def part(game: Game, backwards: bool = False) -> None:
    """The first seat takes its whole hand, beginning with the last card or with the first."""
    while game.decision is not None and game.decision.seat == 0:
        keys = [key for key in game.decision.keys if key != "done"]
        game.choose(keys[-1 if backwards else 0])


def test_what_is_done_with_a_set_is_done_in_the_order_of_places(tmp_path: Path) -> None:
    mixed = 0
    for game in games(tmp_path):
        hand = ids(game, "hand.p1")
        mixed += hand != sorted(map(str, hand))
        for backwards in (False, True):
            copy = game.clone()
            part(copy, backwards)
            lost = ids(copy, "heap")
            assert ids(copy, "stack") == [name for name in hand if name not in lost]
            (entry,) = (row for row in copy.log(None) if row["verb"] == "stow")
            assert [name for name in entry["args"][0]["value"] if name not in lost] == ids(copy, "stack")
    assert mixed > 6, "most hands must not lie in the order of the list of cards"


def test_a_seat_reads_a_set_in_the_order_of_places_whatever_it_does_not_know(tmp_path: Path) -> None:
    """The other seat knows one card of the hand; which card is lost by chance, and where the known one is listed, tells
    it no more."""
    moved = 0
    for game in games(tmp_path):
        told = []
        for seed in range(4):
            copy = redeal(game, 1, seed)
            moved += ids(copy, "hand.p1") != ids(game, "hand.p1")
            hand = ids(copy, "hand.p1")
            part(copy)
            assert copy.decision is not None and copy.decision.seat == 1
            told.append((hand.index(*ids(copy, "heap")), copy.log(1), copy.view(1), copy.decision.keys))
        assert told == [told[0]] * 4
    assert moved > 20


def test_pieces_out_of_play_are_listed_by_what_the_seat_knows(tmp_path: Path) -> None:
    game = games(tmp_path)[0]
    state, known = game.state, game.program.known
    pieces = list(state.zones[game.program.zone_names.index("deck")]) or list(state.zones[1])
    for at, piece in enumerate(pieces):
        state.move(piece, -1, True, 3)
        state.mem[known + piece] = at % 2
    listed = Names(game.program, state, 0).members("piece", sum(1 << piece for piece in pieces))
    assert sorted(listed) == sorted(pieces)
    assert [state.mem[known + piece] & 1 for piece in listed] == [1] * (len(pieces) // 2) + [0] * (-(-len(pieces) // 2))

"""Charter 9 again: who is asked, and when, tells nothing about what is hidden."""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler import compile_package
from grimoire.runtime import Game, load_artefact, load_game, new_game, redeal
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


# --- who comes first ----------------------------------------------------------------------------------------------------

ORDERED = (
    TABLE
    + """
order: {abilities: current-player}
"""
).replace("when you would toll", "when any player would toll")


def ordered(tmp_path: Path, players: int = 3) -> list[Game]:
    package = load_artefact(compile_package(tiny(tmp_path, ORDERED, str(players))).document)
    return [new_game(package, players, seed) for seed in range(20)]


def test_the_current_player_says_who_comes_first_whatever_anybody_holds(tmp_path: Path) -> None:
    first = set()
    for game in ordered(tmp_path):
        while game.decision is not None and game.decision.label != "who-first":
            game.choose("pass")
        assert game.decision is not None
        first.add((game.decision.seat, game.decision.keys))
    assert first == {(0, ("in-turn", "p1", "p2", "p3"))}


def test_the_order_is_asked_again_until_one_is_left_or_left_to_the_turns(tmp_path: Path) -> None:
    game = ordered(tmp_path)[0]
    while game.decision is not None and game.decision.label != "who-first":
        game.choose("pass")
    seats = []
    for key in ("p3", "pass", "p2", "pass", "pass"):
        assert game.decision is not None
        seats.append((game.decision.seat, game.decision.label))
        game.choose(key)
    assert seats == [(0, "who-first"), (2, "react"), (0, "who-first"), (1, "react"), (0, "react")]
    again = ordered(tmp_path)[0]
    while again.decision is not None and again.decision.label != "who-first":
        again.choose("pass")
    again.choose("in-turn")
    for seat in range(3):
        assert again.decision is not None
        assert (again.decision.seat, again.decision.label) == (seat, "react")
        again.choose("pass")


def test_a_redeal_changes_neither_who_is_asked_nor_for_an_order(tmp_path: Path) -> None:
    moved = questions = 0
    for at, game in enumerate(ordered(tmp_path)):
        while game.decision is not None:
            questions += game.decision.label == "who-first"
            for seat in range(3):
                other = redeal(game, seat, 7)
                moved += other.view(None)["zones"] != game.view(None)["zones"]
                assert seen_by(other, seat) == seen_by(game, seat)
            copy = load_game(game.package, game.save())
            assert copy.decision is not None and copy.decision.keys == game.decision.keys
            keys = game.decision.keys
            game.choose(keys[(at + len(game.decisions_made)) % len(keys)])
    assert moved > 50 and questions > 20


def test_without_a_word_on_the_order_nobody_is_asked_for_it(tmp_path: Path) -> None:
    for game in games(tmp_path):
        while game.decision is not None:
            assert game.decision.label != "who-first"
            game.choose("pass")


APART = """
kinds:
  charm: {is: card}
  player: {states: {coins: number, luck: number, fame: number}}
zones:
  box: {holds: charm, seen: everyone}
  tray: {holds: charm, each: player, seen: everyone}
outcomes: [finish]
order: {abilities: current-player}
verbs:
  toll: {done: tolled, body: your coins is now your coins + 1}
  cheer: {done: cheered, body: your luck is now your luck + 1}
  boast: {done: boasted, body: your fame is now your fame + 1}
cards:
  joy: {kind: charm, in: box, abilities: {cheering: {in: tray, window: before any player would toll, do: may cheer}}}
  pride: {kind: charm, in: box, abilities: {boasting: {in: tray, window: before any player would toll, do: may boast}}}
procedures:
  game: |
    each player must move the top charm of the box to their tray
    toll
    end the game with finish
"""


def test_abilities_that_do_not_touch_each_other_need_no_order(tmp_path: Path) -> None:
    def labels(text: str) -> list[str]:
        package = load_artefact(compile_package(tiny(tmp_path, text)).document)
        game, found = new_game(package, 2, 0), []
        while game.decision is not None:
            found.append(game.decision.label)
            game.choose(game.decision.keys[0])
        return found

    assert labels(APART) == ["react", "react"]
    touching = APART.replace("your fame is now your fame + 1", "your fame is now your opponent's luck")
    assert labels(touching)[0] == "who-first"

"""Charter 9 again: who is asked, and when, tells nothing about what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

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


# --- who comes first --------------------------------------------------------------------------------------------------

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


# --- questions that would be left out for want of options -------------------------------------------------------------

QUESTIONS = """
kinds:
  trick: {is: card, fields: {worth: number}}
  player: {states: {coins: {type: number 0 to 20, start: 3}}}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  heap: {holds: trick, seen: everyone}
outcomes: [finish]
verbs:
  toll: {done: tolled, body: your coins is now your coins - 1}
  drop:
    signature: drop <trick>
    body: move the trick to the heap
  ask: {body: WHAT}
cards:
  dud: {kind: trick, worth: 1, copies: 6, in: deck}
  ward: {kind: trick, worth: 2, copies: 4, in: deck}
procedures:
  game: |
    shuffle the deck
    either toll or drop the top trick of the deck
    repeat 2 times, each player must move the top trick of the deck to their hand
    each player must ask
    end the game with finish
"""
ASKED = {
    "may drop a trick whose worth = 2 in your hand": ["drop", "drop"],
    "may drop a trick whose worth = 2 in your hand to toll": ["drop", "drop"],
    "if there is a trick whose worth = 2 in your hand, may toll": ["toll", "toll"],
    "if there is a trick whose worth = 2 in your hand and your coins >= 1, may toll": ["toll", "toll"],
    "drop a trick whose worth = 2 in your hand": ["drop", "drop"],
    "either drop a trick whose worth = 2 in your hand or drop a trick whose worth = 3 in your hand": [
        "either",
        "either",
    ],
    "choose any number of tricks whose worth = 2 in your hand as lot\n      drop each of the lot": ["lot", "lot"],
    "choose up to 2 tricks whose worth = 2 in your hand as lot\n      drop each of the lot": ["lot", "lot"],
}


def questions(tmp_path: Path, what: str) -> list[Game]:
    text = QUESTIONS.replace("ask: {body: WHAT}", f"ask:\n    body: |\n      {what}")
    package = load_artefact(compile_package(tiny(tmp_path, text)).document)
    found = [new_game(package, 2, seed) for seed in range(12)]
    for game in found:
        game.choose("toll")
    return found


REFUSED = ("decline", "done", "pass")


@pytest.mark.parametrize("what", ASKED)
def test_a_question_is_put_whether_or_not_the_hand_has_an_answer(tmp_path: Path, what: str) -> None:
    empty = moved = 0
    for game in questions(tmp_path, what):
        for seed in range(3):
            one, two, labels = game.clone(), redeal(game, 1, seed), []
            moved += one.view(None)["zones"]["hand.p1"] != two.view(None)["zones"]["hand.p1"]
            while one.decision is not None and two.decision is not None:
                assert seen_by(one, 1) == seen_by(two, 1)
                labels.append(one.decision.label)
                keys = [key for key in one.decision.keys if key in REFUSED and key in two.decision.keys]
                empty += len(one.decision.keys) == 1
                if not keys or one.decision.seat == 1:
                    break  # it must do something that all can see
                one.choose(keys[0])
                two.choose(keys[0])
            assert labels == ASKED[what][: len(labels)] and labels
    assert moved > 5 and empty


@pytest.mark.parametrize("what", ASKED)
def test_a_question_without_an_answer_leads_on_and_survives_a_save(tmp_path: Path, what: str) -> None:
    refused = 0
    for game in questions(tmp_path, what):
        while game.decision is not None:
            copy = load_game(game.package, game.save())
            assert copy.decision is not None and copy.decision.keys == game.decision.keys
            (key, *more) = game.decision.keys
            if not more and key in REFUSED:
                refused += 1
                assert game.why_not(key) == []
                before = game.digest()
                game.choose(key)
                game.undo(force=True)
                assert game.digest() == before and game.decision.keys == (key,)
            game.choose(key)
            copy.choose(key)
            assert copy.digest() == game.digest()
    assert refused


def test_nobody_is_asked_what_all_can_see_to_be_in_vain(tmp_path: Path) -> None:
    for what in ASKED:
        text = QUESTIONS.replace("ask: {body: WHAT}", f"ask:\n    body: |\n      {what}").replace(
            "repeat 2 times, each", "repeat 0 times, each"
        )
        game = new_game(load_artefact(compile_package(tiny(tmp_path, text)).document), 2, 1)
        game.choose("toll")
        assert game.decision is None, what


def test_a_choice_ends_by_itself_where_all_can_see_that_nothing_is_left(tmp_path: Path) -> None:
    """With the whole hand chosen there is nothing to hide; with one card left there is."""
    ends = set()
    for game in questions(
        tmp_path, "choose any number of tricks whose worth = 2 in your hand as lot\n      drop each of the lot"
    ):
        wards = [piece["id"] for piece in game.view(0)["zones"]["hand.p1"]].count("ward")
        asked = 0
        while game.decision is not None and game.decision.seat == 0:
            asked += 1
            game.choose(game.decision.keys[0])
        ends.add((wards, asked))
    assert ends == {(0, 1), (1, 2), (2, 2)}

"""Charter 3: the words of the rulebook are the keywords. Each row of the table in the design is compiled and played."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import CompileFailed
from grimoire.runtime import Game
from tests.charter.kit import keys, play, state_of

HEAD = """
kinds:
  player: {states: {coins: {type: number 0 to 9, start: 3}, fame: number, tired: flag}}
  good: {is: card, fields: {worth: number}}
zones:
  deck: {holds: good, seen: nobody}
  heap: {holds: good, seen: everyone}
  hand: {holds: good, each: player, seen: owner}
cards:
  lamp: {kind: good, worth: 1, in: deck}
  rope: {kind: good, worth: 2, in: deck}
  salt: {kind: good, worth: 5, in: deck}
outcomes: [finish]
verbs:
  gain: {signature: gain <number> coins, done: gained, body: your coins is now your coins + amount}
  pay: {signature: pay <number> coins, done: paid, body: your coins is now your coins - amount}
  draw: {signature: draw <number> goods, done: drawn, body: "repeat (amount) times, move the top good of the deck to your hand"}
  discard: {signature: discard <good>, done: discarded, body: move the good to the heap}
  shine: {done: shone, body: your fame is now your fame + 1}
  rest: {done: rested, body: you are now tired}
  wait: {done: waited, body: may shine}
"""


def played(folder: Path, body: str, abilities: str = "", players: int = 2) -> Game:
    """A game of the small package, with a body of the game and rules; it waits at the end of the body."""
    lines = "".join(f"    {line}\n" for line in [*body.strip().split("\n"), "wait", "end the game with finish"])
    rules = "" if not abilities else "abilities:\n" + "".join(f"  {line}\n" for line in abilities.strip().split("\n"))
    return play(folder, f"{HEAD}{rules}procedures:\n  game: |\n{lines}  turn: shine\n", players)


def at_the_end(game: Game) -> bool:
    return game.decision is not None and keys(game) == ["shine", "decline"]


def size(game: Game, zone: str) -> int:
    return len(game.view(None)["zones"][zone])


def test_you_is_the_player_who_resolves_the_text(tmp_path: Path) -> None:
    game = played(tmp_path, "each opponent must rest\nyour fame is now 4")
    assert (state_of(game, 0, "tired"), state_of(game, 1, "tired")) == (0, 1)
    assert (state_of(game, 0, "fame"), state_of(game, 1, "fame")) == (4, 0)


def test_cannot_stands_above_every_permission_and_replacement(tmp_path: Path) -> None:
    rules = "poor: {always: you cannot gain}\nlucky: {window: when you would gain, do: shine instead}"
    game = played(tmp_path, "gain 2 coins\nmay gain 1 coin", rules)
    assert at_the_end(game), "what cannot be done is not offered"
    assert (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (3, 0), "and is not replaced either"


@pytest.mark.parametrize(("answer", "coins"), [("gain", 5), ("decline", 3)])
def test_may_lets_the_decider_choose(tmp_path: Path, answer: str, coins: int) -> None:
    game = played(tmp_path, "may gain 2 coins")
    assert keys(game) == ["gain", "decline"]
    game.choose(answer)
    assert at_the_end(game) and state_of(game, 0, "coins") == coins


def test_a_cost_is_payable_in_full_paid_first_and_then_the_effect(tmp_path: Path) -> None:
    game = played(tmp_path, "may pay 4 coins to shine\nmay pay 3 coins to shine")
    assert keys(game) == ["pay", "decline"]
    assert state_of(game, 0, "coins") == 3, "four coins could not be paid: not offered, nothing taken"
    game.choose("pay")
    assert at_the_end(game) and (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (0, 1)
    verbs = [entry["verb"] for entry in game.log(None)]
    assert verbs.index("pay") < verbs.index("shine")


def test_a_cost_that_must_be_paid_is_paid_in_full_or_not_at_all(tmp_path: Path) -> None:
    game = played(tmp_path, "pay 4 coins to shine")
    assert at_the_end(game) and (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (3, 0)
    game = played(tmp_path, "pay 2 coins to shine")
    assert at_the_end(game) and (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (1, 1)
    game = played(tmp_path, "draw 1 good\ndiscard 2 goods in your hand to shine")
    assert at_the_end(game) and (size(game, "heap"), state_of(game, 0, "fame")) == (0, 0)


def test_a_cost_that_is_forbidden_is_not_payable(tmp_path: Path) -> None:
    assert at_the_end(played(tmp_path, "may pay 1 coin to shine", "broke: {always: you cannot pay}"))


def test_before_is_a_window_in_front_of_the_event(tmp_path: Path) -> None:
    game = played(tmp_path, "gain 1 coin", "pause: {window: before you gain, do: 'if your coins = 3, rest'}")
    assert [(entry["verb"], entry["depth"]) for entry in game.log(None)][:2] == [("gain", 0), ("rest", 1)]
    assert (state_of(game, 0, "tired"), state_of(game, 0, "coins")) == (1, 4)


def test_would_and_instead_replace_the_event_once_in_a_chain(tmp_path: Path) -> None:
    rules = (
        "one: {window: when you would gain, do: shine instead}\ntwo: {window: when you would shine, do: gain 1 "
        "coin instead}"
    )
    game = played(tmp_path, "gain 2 coins", rules)
    # gain 2 -> shine -> gain 1; the first rule is spent in this chain, so that it ends
    assert (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (4, 0)


def test_what_cannot_be_done_is_left_out_and_the_rest_is_done(tmp_path: Path) -> None:
    game = played(tmp_path, "draw 5 goods\nshine")
    assert size(game, "hand.p1") == 3 and state_of(game, 0, "fame") == 1


def test_if_able_never_stops_what_stands_behind_it(tmp_path: Path) -> None:
    game = played(tmp_path, "may pay 1 coin and discard 3 goods in your hand if able to shine")
    assert keys(game) == ["pay", "decline"], "what is only done if able does not stop a cost"
    game.choose("pay")
    assert at_the_end(game) and (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (2, 1)
    assert at_the_end(played(tmp_path, "may pay 1 coin and discard 3 goods in your hand to shine"))


def test_then_follows_whether_or_not_it_succeeded(tmp_path: Path) -> None:
    game = played(tmp_path, "rest, then shine", "awake: {always: you cannot rest}")
    assert (state_of(game, 0, "tired"), state_of(game, 0, "fame")) == (0, 1)


@pytest.mark.parametrize(
    ("rule", "fame"),
    [
        ("", 1),
        ("awake: {always: you cannot rest}", 0),
        ("busy: {window: when you would rest, do: gain 1 coin instead}", 0),
    ],
)
def test_if_you_do_tests_the_event_that_really_happened(tmp_path: Path, rule: str, fame: int) -> None:
    game = played(tmp_path, "may rest\nif you do, shine", rule)
    if not at_the_end(game):
        game.choose("rest")
    assert at_the_end(game) and state_of(game, 0, "fame") == fame


def test_a_limit_counts_by_scope(tmp_path: Path) -> None:
    rules = "glad: {window: after you gain, limit: once per turn, do: shine}"
    text = (
        f"{HEAD}abilities:\n  {rules}\nprocedures:\n  game: |\n    repeat 2 times, take a turn\n    wait\n    "
        "end the game with finish\n"
    )
    game = play(tmp_path, text + "  turn: |\n    repeat 3 times, gain 1 coin\n")
    assert (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (9, 2)


def test_look_shows_it_to_this_player_alone(tmp_path: Path) -> None:
    game = played(tmp_path, "look at the top good of the deck")
    tops = [game.view(seat)["zones"]["deck"][-1]["id"] for seat in (0, 1)]
    assert tops == ["salt", None]
    assert game.view(0)["zones"]["deck"][0]["id"] is None


def test_an_ability_is_granted_while_the_scope_lasts(tmp_path: Path) -> None:
    text = """procedures:
  game: |
    take a turn
    gain 1 coin
    wait
    end the game with finish
  turn: |
    until the end of the turn, after you gain, shine
    repeat 2 times, gain 1 coin
"""
    game = play(tmp_path, HEAD + text)
    assert (state_of(game, 0, "coins"), state_of(game, 0, "fame")) == (6, 2)


def test_next_time_is_granted_for_one_use(tmp_path: Path) -> None:
    game = played(tmp_path, "next time you gain, shine\nrepeat 2 times, gain 1 coin")
    assert state_of(game, 0, "fame") == 1


def test_a_card_has_its_ability_while_it_lies_there(tmp_path: Path) -> None:
    head = HEAD.replace(
        "worth: 5, in: deck}", "worth: 5, in: heap, abilities: {glow: {window: after you gain, do: shine}}}"
    )
    assert head != HEAD
    text = (
        "procedures:\n  game: |\n    gain 1 coin\n    move each good in the heap to the deck\n    gain 1 coin\n  "
        "  wait\n    end the game with finish\n"
    )
    game = play(tmp_path, head + text)
    assert state_of(game, 0, "fame") == 1, "it shines from the heap, and no more from the deck"


@pytest.mark.parametrize(
    ("body", "offered", "heap"),
    [
        ("discard each good in your hand", None, 3),
        ("discard a good in your hand", 3, 1),
        ("discard 2 goods in your hand", 3, 2),
        ("discard up to 2 goods in your hand", 4, 2),
        ("discard any number of goods in your hand", 4, 3),
        ("discard the good with the highest worth in your hand", None, 1),
        ("choose a random good in your hand as prey\ndiscard the prey", None, 1),
    ],
)
def test_quantifiers(tmp_path: Path, body: str, offered: int | None, heap: int) -> None:
    game = played(tmp_path, f"draw 3 goods\n{body}")
    assert at_the_end(game) if offered is None else len(keys(game)) == offered
    while not at_the_end(game):
        game.choose(keys(game)[0])
    assert size(game, "heap") == heap


def test_nearest_and_another(tmp_path: Path) -> None:
    board = """
  room: {is: space, holds: true, states: {lit: flag}}
  pawn: {is: figure}
figures: {rook: {kind: pawn}}
boards:
  house:
    spaces:
      attic: {kind: room, adjacent to: [hall]}
      hall: {kind: room, adjacent to: [cellar]}
      cellar: {kind: room}
"""
    head = HEAD.replace("\nzones:", board.rstrip() + "\nzones:")
    text = (
        "procedures:\n  game: |\n    the cellar is now lit\n    the hall is now lit\n    may choose another "
        "player as friend\n    if you do, the friend must shine\n"
    )
    text += "    the lit room nearest to the attic is now not lit\n    wait\n    end the game with finish\n"
    game = play(tmp_path, head + text, 3)
    game.choose(next(key for key in keys(game) if "p3" in key))
    lit = {
        name: row["room.lit"]
        for name, row in game.view(None)["fixtures"].items()
        if "room.lit" in row and name in ("attic", "hall", "cellar")
    }
    assert lit == {"attic": 0, "hall": 0, "cellar": 1}
    assert state_of(game, 2, "fame") == 1


def test_a_word_that_is_no_keyword_is_not_taken_for_one(tmp_path: Path) -> None:
    with pytest.raises(CompileFailed):
        played(tmp_path, "could gain 2 coins")

"""Forced results of chance: random statements and shuffles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rtkit import Art, entry, menu, n, repeat, s

from grimoire.runtime import Game, Package, SetupError, load_game, new_game, record_of, replay

CARDS = ("sun", "moon", "star", "dust")


def package(seen: str = "none") -> Package:
    """p1 may shuffle one of two piles of four cards, or throw a die."""
    art = Art("piles")
    card = art.kind("card", "piece")
    piles = [art.zone(name, seen=seen) for name in ("left", "right")]
    for pile in piles:
        for name in CARDS:
            art.definition(f"{name}-{pile}", card, 1, pile)
    pip = art.var("pip")
    throw = [{"op": "random", "slot": 3, "from": ["range", n(1), n(6)]}, {"op": "setvar", "var": pip, "value": s(3)}]
    choices = [entry(f"mix{pile}", {"op": "shuffle", "zone": ["zone", pile]}) for pile in piles]
    art.body(art.proc("main"), repeat(menu(n(0), "what", *choices, entry("throw", *throw))))
    return art.load()


def tops(game: Game, pile: str) -> list[str]:
    return [piece["id"].partition("-")[0] for piece in game.view(None)["zones"][pile]]


def begun(script: Any, seen: str = "none") -> Game:
    return new_game(package(seen), 2, 5, script=script)


def test_shuffles_are_forced_in_turn() -> None:
    game = begun(
        {"shuffle": [["right", ["moon-1", "sun-1"]], ["left", ["dust-0"]], ["right", ["star-1"]]], "random": [6]}
    )
    assert game.script_left == 4
    game.choose("mix0")  # it is not the turn of this pile: as chance will have it
    assert game.script_left == 4
    game.choose("mix1")
    assert tops(game, "right")[2:] == ["moon", "sun"] and sorted(tops(game, "right")) == sorted(CARDS)
    game.choose("throw")
    game.choose("mix0")
    assert tops(game, "left")[3] == "dust" and game.script_left == 1 and game.view(0)["vars"]["pip"] == 6
    again = load_game(game.package, json.loads(json.dumps(game.save())))
    other = replay(game.package, json.loads(json.dumps(record_of(game))))
    for one in (game, again, other, game.clone()):
        one.choose("mix1")
        assert tops(one, "right")[3] == "star" and one.script_left == 0
    game.undo(2, force=True)
    assert game.script_left == 2
    game.choose("mix1")
    assert game.script_left == 2 and sorted(tops(game, "right")) == sorted(CARDS)


def test_what_lies_uppermost_is_known_where_that_is_seen_and_nothing_else() -> None:
    game = begun({"shuffle": [["left", ["sun-0"]]]}, seen="top")
    game.choose("mix0")
    assert [piece["id"] for piece in game.view(1)["zones"]["left"]] == [None, None, None, "sun-0"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ({"shuffle": [["middle", []]]}, "there is no zone 'middle'; there are left, right"),
        ({"shuffle": ["left"]}, "a forced shuffle is a list, not 'left'"),
        ({"shuffle": [["left"]]}, "is [zone, [pieces on top]], not ['left']"),
        ({"shuffle": [["left", "sun-0"]]}, "what lies on top after a shuffle is a list"),
        ({"shuffle": [["left", [3]]]}, "a piece is a text, not 3"),
        ({"shuffle": 3}, "is a list, not 3"),
    ],
)
def test_scripts_that_cannot_be(script: Any, words: str) -> None:
    with pytest.raises(SetupError) as caught:
        begun(script)
    assert words in str(caught.value)


def test_what_is_not_there_cannot_come_up() -> None:
    game = begun({"shuffle": [["left", ["sun-0", "sun-0"]]]})
    before = game.digest()
    with pytest.raises(SetupError, match=r"shuffle 1 wants sun-0 in left, where there is"):
        game.choose("mix0")
    assert game.digest() == before

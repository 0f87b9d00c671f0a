"""An option says what it is: nobody has to read it off a key, which a package may give to something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rtkit import Art, entry, menu, n

from grimoire.runtime import Option, OptionKind, new_game
from grimoire.runtime.kernel.rng import Dice
from tests.charter.kit import package

SHAPES: dict[OptionKind, Callable[[Option], bool]] = {
    OptionKind.ENTRY: lambda o: o.key == ":".join([o.label, *(str(value) for value in o.values)]),
    OptionKind.ELEMENT: lambda o: o.key == str(o.values[0]) and len(o.values) == 1,
    OptionKind.ABILITY: lambda o: len(o.values) <= 1 and (not o.values or o.key.endswith(f":{o.values[0]}")),
    OptionKind.DONE: lambda o: (o.key, o.label, o.values) == ("done", "done", ()),
    OptionKind.PASS: lambda o: (o.key, o.label, o.values) == ("pass", "pass", ()),
    OptionKind.IN_TURN: lambda o: (o.key, o.label, o.values) == ("in-turn", "in-turn", ()),
    OptionKind.SEAT: lambda o: o.label == "who-first" and o.values == (o.key,),
}


@pytest.mark.parametrize(
    ("name", "players", "games", "seen"),
    [
        ("love-letter", 3, 2, {"entry"}),
        ("unfathomable", 4, 3, {str(kind) for kind in OptionKind}),
        ("abyss", 3, 2, {"entry", "element", "done"}),
    ],
)
def test_kinds_of_options_in_play(name: str, players: int, games: int, seen: set[str]) -> None:
    found: set[OptionKind] = set()
    for seed in range(games):
        game, dice = new_game(package(name), players, seed), Dice(seed, "kinds")
        while game.decision is not None and len(game.made) < 400:
            for option in game.decision.options:
                assert SHAPES[option.kind](option), option
                found.add(option.kind)
            game.choose_index(dice.below(len(game.decision.options)))
    assert {str(kind) for kind in found} >= seen, found


def test_an_entry_may_be_called_like_the_answers_of_the_engine() -> None:
    art = Art("words")
    art.proc("main", [menu(n(0), "ask", entry("pass"), entry("done"), entry("in-turn"))])
    decision = new_game(art.load()).decision
    assert decision is not None
    assert [(option.key, option.kind) for option in decision.options] == [
        ("pass", OptionKind.ENTRY),
        ("done", OptionKind.ENTRY),
        ("in-turn", OptionKind.ENTRY),
    ]

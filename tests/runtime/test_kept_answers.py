"""What the kernel keeps instead of working it out again equals what it would find: lists of pieces, who waits in a
window, the options of a position that was taken back, a state that is used for another game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grimoire.runtime import Game, new_game, redeal, simulate
from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.base import OPTION_PASS
from grimoire.runtime.kernel.events import WindowOp
from grimoire.runtime.kernel.playout import play_random
from grimoire.runtime.kernel.rng import Dice, Words, salt, stream
from grimoire.runtime.kernel.state import State, fresh_state
from grimoire.runtime.kernel.store import Store
from grimoire.runtime.kernel.trial import advance
from tests.charter.kit import package

TABLES = [("love-letter", 3), ("abyss", 3), ("unfathomable", 4)]


def positions(game: Game, seed: int, most: int) -> Iterator[State]:
    """The positions of a random game; before each decision an option is tried and taken back."""
    g, dice = game.state, Dice(seed, "kept")
    for _ in range(most):
        if not g.waiting:
            return
        yield g
        opts, vals = g.opts, g.vals
        mark = g.mark()
        advance(g, dice.below(len(opts)))
        g.undo(mark)
        g.drop()
        again = g.copy()
        again.waiter().refresh(again, again.base)
        assert not g.tables.pays or set(opts) <= set(again.opts)
        assert g.tables.pays or again.opts == opts
        g.opts, g.vals = opts, vals
        advance(g, dice.below(len(opts)))


def count_kept(program: Program, g: State) -> int:
    """How many lists of pieces a state keeps; each is what a search of the zones gives."""
    found = 0
    for kind, number in program.layout.lists.items():
        kept = g.lists[number]
        if kept is not None:
            flags = program.layout.flags("piece", kind)
            assert kept == [piece for zone in g.zones for piece in zone if flags[piece]]
            found += 1
    return found


@pytest.mark.parametrize(("name", "players"), [("unfathomable", 4), ("unfathomable", 6)])
def test_lists_of_pieces_are_what_a_search_gives(name: str, players: int) -> None:
    found = 0
    for seed in range(2):
        game = new_game(package(name), players, seed)
        for at, g in enumerate(positions(game, seed, 200)):
            found += count_kept(game.program, g)
            if at % 40 == 0:
                other = redeal(game, at % players, at)
                count_kept(other.program, other.state)
    assert found


def test_who_waits_in_a_window_is_who_would_be_found() -> None:
    """Also after a seat has passed: the others are not searched again."""
    passed = carried = 0
    for seed in range(3):
        after_pass = False
        for g in positions(new_game(package("unfathomable"), 4, seed), seed, 250):
            op, known = g.waiter(), g.asking
            if isinstance(op, WindowOp) and known is not None and known.opts is g.opts:
                other = g.copy()
                waiting = op.find_waiting(other, other.base, known.key, known.optional)
                assert known.waiting == waiting and (waiting >> known.seat) & 1
                if known.loose and waiting & (waiting - 1):
                    assert not op.needs_order(other, other.base, known.key, known.optional)
                passed += 1
                carried += after_pass
            after_pass = isinstance(op, WindowOp) and any(
                op.option_kind(g, i) == OPTION_PASS for i in range(len(g.opts))
            )
    assert passed > 50 and carried > 20


def fields(g: State) -> dict[str, object]:
    """All that a state holds, as plain data, without what is left over of frames that have returned."""
    found: dict[str, object] = {}
    for name in (*Store.__slots__, *State.__slots__):
        value = getattr(g, name)
        found[name] = (value.of, value.number) if isinstance(value, Words) else value
    return found | {"slots": g.slots[: g.top()], "frames": g.callers()}


@pytest.mark.parametrize(("name", "players"), [("tic-tac-toe", 2), ("leduc", 2), *TABLES])
def test_a_state_that_is_used_again_is_like_a_new_one(name: str, players: int) -> None:
    simulate(package(name), 1, players)  # builds the program of bulk play
    program = new_game(package(name), players, 0).program
    t = program.tables
    g = fresh_state(t, 1)
    play_random(g, salt(1))
    g.restart(stream(t.key, 2), None)
    assert fields(g) == fields(fresh_state(t, 2))
    waiting = new_game(package(name), players, 5).state
    waiting.log = None
    play_random(g, salt(2))
    g.restart(stream(t.key, 3), waiting)
    assert fields(g) == fields(waiting.copy_for(stream(t.key, 3)))

"""Properties of whole random games: undo, clone, save, replay, digest, redeal; the same in other processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import games
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtkit import Art, end, entry, eq, menu, n, repeat, s, setvar, when

from grimoire.runtime import (
    Game,
    GrimoireError,
    Package,
    UndoBarrier,
    load_game,
    new_game,
    record_of,
    redeal,
    replay,
    simulate,
)
from grimoire.runtime.build.program import Program, option_values
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.state import fresh_state
from grimoire.runtime.kernel.trial import advance, start
from grimoire.runtime.play.listener_index import rebuild_index

HERE = Path(__file__).parent
PACKAGES = {
    "tic-tac-toe": (games.tic_tac_toe(), 2),
    "connect-four": (games.connect_four(), 2),
    "leduc": (games.leduc(), 2),
    "letters": (games.letters(), 2),
    "stress": (games.stress(), 3),
}
ASK = menu(n(0), "ask", entry("go"))


def step(game: Game, dice: Dice) -> None:
    """One random decision; in a poll, of any seat that is asked."""
    found = game.decisions()
    decision = found[dice.below(len(found))]
    game.choose(decision.keys[dice.below(len(decision.keys))], decision.seat)


def everything(game: Game) -> str:
    """All that can be seen of a game, as text."""
    seats = [None, *range(game.players)]
    return json.dumps([[game.view(seat), game.log(seat, True)] for seat in seats], sort_keys=True)


def unnumbered(text: str) -> str:
    return re.sub(r'"number": \d+, ', "", text)


@pytest.mark.parametrize("name", sorted(PACKAGES))
@pytest.mark.parametrize("seed", range(3))
def test_undo_clone_save_replay_at_every_decision(name: str, seed: int) -> None:
    package, players = PACKAGES[name]
    game = new_game(package, players, seed)
    dice = Dice(seed, "test")
    past: list[tuple[str, str]] = []
    while game.decision is not None and len(past) < 120:
        past.append((game.digest(), everything(game)))
        clone = game.clone()
        loaded = load_game(package, json.loads(json.dumps(game.save())))
        for other in (clone, loaded):
            assert other.digest() == past[-1][0]
            assert everything(other) == past[-1][1]
        found = game.decisions()
        decision = found[dice.below(len(found))]
        key = decision.keys[dice.below(len(decision.keys))]
        for present in (game, clone, loaded):
            present.choose(key, decision.seat)
        assert clone.digest() == game.digest()
        assert loaded.digest() == game.digest()
        assert loaded.state.opts == game.state.opts
        fresh = game.clone()
        rebuild_index(fresh.state)
        assert fresh.state.index == game.state.index
    final = game.digest()
    assert replay(package, record_of(game)).digest() == final
    lines = game.decisions_made
    # back in bites, then forward again
    while past:
        bite = min(1 + dice.below(4), len(past))
        game.undo(bite, force=True)
        digest, seen = past[-bite]
        del past[-bite:]
        assert game.digest() == digest
        assert unnumbered(everything(game)) == unnumbered(seen), (
            "but for the numbers of questions, which never come again"
        )
    for line in lines:
        game.choose(line.split(" ", 1)[1], int(line.split(" ")[0][1:]) - 1)
    assert game.digest() == final


@pytest.mark.parametrize("name", ["leduc", "letters", "stress"])
def test_a_seat_cannot_tell_a_redeal(name: str) -> None:
    package, players = PACKAGES[name]
    moved = compared = 0
    for seed in range(6):
        game = new_game(package, players, seed)
        dice = Dice(seed, "redeal-test")
        for _ in range(60):
            if game.decision is None:
                break
            for seat in range(players):
                other = redeal(game, seat, seed)
                moved += other.state.zones != game.state.zones
                compared += 1
                assert json.dumps(other.view(seat)) == json.dumps(game.view(seat))
                assert json.dumps(other.log(seat, True)) == json.dumps(game.log(seat, True))
                mine = [[d.label, *d.keys] for d in game.decisions() if d.seat == seat]
                assert [[d.label, *d.keys] for d in other.decisions() if d.seat == seat] == mine
            step(game, dice)
    assert moved > compared // 2


def test_the_redeal_test_would_see_a_leak() -> None:
    package, players = PACKAGES["stress"]
    game = new_game(package, players, 1)
    assert any(redeal(game, 0, seed).view(None)["zones"] != game.view(None)["zones"] for seed in range(3))


def test_undo_stops_at_knowledge_and_chance() -> None:
    package, _ = PACKAGES["tic-tac-toe"]
    game = new_game(package)
    before = game.digest()
    game.choose("place:c4")
    game.undo()
    assert game.digest() == before
    with pytest.raises(UndoBarrier, match="only 0"):
        game.undo()
    package, _ = PACKAGES["leduc"]
    game = new_game(package)
    game.choose("call")
    game.undo()
    game.choose("call")
    game.choose("call")  # deals the board
    with pytest.raises(UndoBarrier, match="known or random"):
        game.undo()
    digest = game.digest()
    game.undo(force=True)
    game.choose("call")
    assert game.digest() == digest


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_fused_and_inlined_equal_plain(name: str) -> None:
    package, players = PACKAGES[name]
    values = option_values(package, players, {})
    programs = [
        Program(package, players, values, fuse=False),
        Program(package, players, values),
        Program(package, players, values, quiet=True),
    ]
    for seed in range(25):
        plain, *others = [Game(program, fresh_state(program.tables, seed), seed, {}, None) for program in programs]
        dice = Dice(seed, "fuse")
        for game in (plain, *others):
            start(game.state)
        while plain.state.waiting:
            i = dice.below(len(plain.state.opts))
            for other in others:
                assert other.state.opts == plain.state.opts
                advance(other.state, i)
            advance(plain.state, i)
            for other in others:
                assert other.state.mem == plain.state.mem
                assert other.state.zones == plain.state.zones
                assert other.state.waiting == plain.state.waiting
        for other in others:
            assert (other.outcome, other.digest()) == (plain.outcome, plain.digest())


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import games
from grimoire.runtime import new_game
from grimoire.runtime import simulate
from grimoire.runtime.kernel.rng import Dice
out = []
for package, players in ((games.stress(), 3), (games.leduc(), 2), (games.tic_tac_toe(), 2)):
    report = simulate(package, 70, players, seed=5)
    out.append(report.digest)
    game = new_game(package, players, 9)
    dice = Dice(9, "test")
    while game.decision:
        keys = game.decision.keys
        game.choose(keys[dice.below(len(keys))])
        out.append(game.digest())
print(out)
"""


def test_the_same_bytes_in_any_process() -> None:
    found = set()
    for hash_seed in ("0", "1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(HERE)], env=env, capture_output=True, text=True, check=True
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_the_report_does_not_depend_on_the_jobs() -> None:
    package, players = PACKAGES["stress"]
    one = simulate(package, 150, players, seed=3)
    seen: list[int] = []
    two = simulate(package, 150, players, seed=3, jobs=2, progress=seen.append)
    assert one == two
    assert seen[-1] == 150
    assert simulate(package, 150, players, seed=4).digest != one.digest


def luck(body: object) -> Package:
    """A game in which one of four numbers decides what happens."""
    art = Art("luck")
    art.var("x")
    art.proc(
        "main", [{"op": "random", "slot": 1, "from": ["range", n(1), n(4)]}, ASK, when(eq(s(1), n(1)), body), end()]
    )
    return art.load()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ([repeat(setvar(0, n(1)))], "more than 20,000,000 units of work"),
        ([repeat(ASK)], "stuck: the game is not over after 20000 decisions"),
        ([{"op": "move", "piece": n(7), "to": n(9)}], "the engine failed in main"),
    ],
)
def test_a_game_that_fails_is_counted_and_the_run_goes_on(body: object, text: str) -> None:
    package = luck(body)
    report = simulate(package, 20, seed=0)
    assert 0 < report.errors < 20 and report.games == 20
    assert sum(report.outcomes.values()) == 20 - report.errors
    assert len(report.error_notes) == min(report.errors, 10)
    seed = int(report.error_notes[0].split()[1].rstrip(":"))
    assert text in report.error_notes[0]
    with pytest.raises(GrimoireError, match=text):
        simulate(package, 1, seed=seed, bot="first")
    assert simulate(package, 20, seed=0, bot="first").errors == report.errors


@pytest.mark.parametrize("bot", ["first", "explore"])
def test_other_bots(bot: str) -> None:
    package, players = PACKAGES["stress"]
    one = simulate(package, 66, players, seed=3, bot=bot)
    assert one.games == 66
    assert simulate(package, 66, players, seed=3, bot=bot, jobs=2).digest == one.digest


def test_log_and_tracking_do_not_change_the_game() -> None:
    package, players = PACKAGES["stress"]
    plain = new_game(package, players, 7, log=False)
    logged = new_game(package, players, 7)
    tracked = new_game(package, players, 7, track=True)
    dice = Dice(7, "test")
    for _ in range(150):
        if plain.decision is None:
            break
        i = dice.below(len(plain.decision.keys))
        for game in (plain, logged, tracked):
            game.choose_index(i)
        assert plain.digest() == logged.digest() == tracked.digest()
    assert any(count for count in tracked.fired().values())
    assert plain.log(0) == [] and len(logged.log(0)) > 20


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(PACKAGES)), st.integers(0, 10_000), st.lists(st.integers(0, 30), max_size=40))
def test_every_key_offered_is_accepted(name: str, seed: int, picks: list[int]) -> None:
    package, players = PACKAGES[name]
    game = new_game(package, players, seed)
    for pick in picks:
        if game.decision is None:
            assert game.outcome is not None
            return
        keys = game.decision.keys
        assert keys and len(set(keys)) == len(keys)
        game.choose(keys[pick % len(keys)])

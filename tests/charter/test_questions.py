"""Questions to a game never change it: in any order, twice, from several threads behind one lock, they give the same
bytes."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from grimoire.runtime import Game, GrimoireError, load_artefact, new_game, record_of
from tests.charter.kit import NAMES, package, pick, seen_by, sizes
from tests.packages import LARGE

Question = Callable[[Game, random.Random], object]


def _keys(game: Game, rng: random.Random) -> str:
    """A key that is offered, or looks like one, or names something."""
    document = game.package.document
    offered = [key for decision in game.decisions() for key in decision.keys] or ["pass"]
    named = str(rng.choice(document["definitions"] or document["fixtures"])["id"])
    ability = str(rng.choice(document["abilities"] or document["procs"]).get("label", "x"))
    key = rng.choice(offered)
    return rng.choice(
        [key, key[:-1], f"{key.partition(':')[0]}:{named}", key.partition(":")[0], named, ability, "done"]
    )


def _function(game: Game, rng: random.Random) -> object:
    rows = [row for row in game.package.document["functions"] if not row["params"]]
    return game.eval_function(rng.choice(rows)["id"], rng.randrange(game.players)) if rows else None


QUESTIONS: dict[str, Question] = {
    "decision": lambda game, rng: repr(game.decision),
    "decisions": lambda game, rng: [(d.seat, d.number, d.source, d.options) for d in game.decisions()],
    "view": lambda game, rng: game.view(rng.choice([None, *range(game.players)])),
    "log": lambda game, rng: game.log(rng.choice([None, *range(game.players)]), rng.random() < 0.5),
    "all of a seat": lambda game, rng: seen_by(game, rng.randrange(game.players)).decode(),
    "why not": lambda game, rng: game.why_not(_keys(game, rng)),
    "why not, for a seat": lambda game, rng: game.why_not(_keys(game, rng), rng.randrange(game.players)),
    "digest": lambda game, rng: game.digest(),
    "save": lambda game, rng: game.save(),
    "outcome": lambda game, rng: game.outcome,
    "function": _function,
    "fired": lambda game, rng: game.fired(),
    "script_left": lambda game, rng: game.script_left,
    "record": lambda game, rng: record_of(game),
    "what a seat may keep": lambda game, rng: game.seat_record(rng.randrange(game.players)),
    "a wrong key": lambda game, rng: game.choose("no such key"),
    "a wrong number": lambda game, rng: game.choose_index(10**6),
}


def ask(game: Game, name: str, seed: str) -> str:
    """The answer to a question, as text; a refusal is an answer too."""
    try:
        return repr(QUESTIONS[name](game, random.Random(seed)))
    except GrimoireError as error:
        return f"{type(error).__name__}: {error}"


def inside(game: Game) -> tuple[Any, ...]:
    """All that a game and its program are made of, whether it is ever saved or not."""
    g, p = game.state, game.program
    tables = [p.units, g.units, p.menus, p.windows, p.notes, p.routines, p.tables.places, p.tables.inside]
    made = [[len(one) for one in tables], [len(unit.code) for unit in p.units]]
    state = [g.mem, g.zones, g.loc, g.index, g.slots, g.floats, g.opts, g.vals, g.work]
    running = [g.callers(), g.unit, g.pc, g.base]
    chance = [g.dice.block, g.mixer.block]
    return (
        repr(made),
        repr([state, running]),
        repr([g.trail, g.tracing, g.barrier, chance, g.trial, g.track, g.waiting]),
    )


def twins(name: str, players: int, seed: int, steps: int, asked: int) -> int:
    """Two games with the same decisions, one of which is asked between them; gives how many answers were compared."""
    document = package(name).document
    one, other = (new_game(load_artefact(document), players, seed, track=True) for _ in range(2))
    rng = random.Random(f"questions {name} {players} {seed}")
    compared = 0
    for step in range(steps):
        before = inside(one)
        assert before == inside(other), f"{name}, decision {step}"
        chosen = [(rng.choice(list(QUESTIONS)), f"{seed} {step} {at}") for at in range(asked)]
        first = {pair: ask(one, *pair) for pair in chosen}
        rng.shuffle(chosen)
        for pair in chosen:
            assert ask(one, *pair) == first[pair], f"{name}, decision {step}: {pair[0]} is answered in two ways"
            compared += 1
            assert inside(one) == before, f"{name}, decision {step}: {pair[0]} changed the game"
        if one.decision is None:
            break
        copy = other.clone()  # so that not even finding out what could be chosen is asked of the other game
        key, seat = pick(copy, rng)
        one.choose(key, seat)
        other.choose(key, seat)
    assert one.save() == other.save() and one.fired() == other.fired()
    assert [seen_by(one, seat) for seat in range(players)] == [seen_by(other, seat) for seat in range(players)]
    return compared


@pytest.mark.parametrize("name", [*NAMES, *LARGE])
def test_a_game_that_was_asked_plays_on_like_one_that_was_not(name: str) -> None:
    large = name in LARGE
    for players in sizes(name)[:1] if large else sizes(name):
        assert twins(name, players, seed=3, steps=25 if large else 60, asked=8)


def test_several_threads_behind_one_lock_get_the_same_bytes() -> None:
    game = new_game(package("love-letter"), 3, 5)
    for _ in range(4):
        assert game.decision is not None
        game.choose(game.decision.keys[0])
    names = [name for name in QUESTIONS if "thread" not in name]
    alone = {(name, str(at)): ask(game, name, str(at)) for name in names for at in range(3)}
    before, lock, wrong = inside(game), threading.Lock(), []

    def client(number: int) -> None:
        todo = list(alone)
        random.Random(number).shuffle(todo)
        for pair in todo:
            with lock:
                if ask(game, *pair) != alone[pair]:
                    wrong.append(pair)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and inside(game) == before


def test_a_decision_that_was_read_stays_as_it_was() -> None:
    """Also after the game has gone on: what a host keeps in its hands does not change under it."""
    game = new_game(package("love-letter"), 2, 1)
    kept = []
    while game.decision is not None:
        kept.append(game.decision)
        copy = game.clone()
        game.choose(game.decision.keys[-1])
        assert copy.decision is not None
        assert (kept[-1].seat, kept[-1].label) == (copy.decision.seat, copy.decision.label)
        assert kept[-1].options == copy.decision.options and kept[-1].source == copy.decision.source
    texts = [json.dumps([d.seat, d.label, d.keys]) for d in kept]
    assert len(set(texts)) > 5 and all(d.source is not None or d.label for d in kept)

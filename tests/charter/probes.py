"""Probes of whole games: they give findings instead of failing, so that the suite and `make soak` run the same code.

A probe plays games of one package with one number of players and gives what it looked at and what it found wrong. What
a seat may not see (charter 9) is probed in twins.py.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from grimoire.runtime import Game, GrimoireError, IllegalChoice, load_game, new_game, record_of, replay
from tests.charter.kit import everything, package, pick, plain_json, positions, unnumbered

NONSENSE = ["", " ", "nonsense", "done:done", "pass!", "p1", "-1", "0", "none", ":", "ключ"]


@dataclass
class Findings:
    """What a probe looked at, and what was wrong."""

    games: int = 0
    looks: int = 0
    wrong: list[str] = field(default_factory=list)

    def check(self, holds: bool, what: str, game: Game) -> None:
        self.looks += 1
        if not holds:
            self.wrong.append(f"{what}: {game!r} after {list(game.decisions_made)[-3:]}")

    def add(self, other: Findings) -> None:
        self.games += other.games
        self.looks += other.looks
        self.wrong += other.wrong


# --- charter 6: a paused game is plain data ---------------------------------------------------------------------------


def paused(
    name: str, players: int, seeds: Iterable[int], logged: Callable[[int], bool] = lambda seed: True
) -> Findings:
    """At every decision: save, load and go on; copy and compare; take back and do again. `logged`: seeds that keep a
    log."""
    found = Findings()
    for seed in seeds:
        found.games += 1
        try:
            _paused_game(found, name, players, seed, logged(seed))
        except Exception as error:
            found.wrong.append(f"{name} with {players}, seed {seed}: {type(error).__name__}: {error}")
    return found


def _paused_game(found: Findings, name: str, players: int, seed: int, log: bool) -> None:
    rng = random.Random(f"paused {name} {players} {seed}")
    game = new_game(package(name), players, seed, log=log)
    relay = game  # goes through a save at every decision, and never meets the unbroken game again
    chain: list[str] = []
    while game.decision is not None:
        before = game.digest()
        chain.append(before)
        data = relay.save()
        problem = plain_json(data)
        found.check(problem is None, f"the save holds more than JSON {problem}", game)
        relay = load_game(package(name), json.loads(json.dumps(data)))
        found.check(relay.digest() == before, "a loaded game differs", game)
        copy = game.clone()
        found.check(copy.digest() == before, "a copy differs", game)
        if not log or rng.randrange(8) == 0:
            found.check(relay.save() == data, "the save of a loaded game differs", game)
            found.check(copy.save() == game.save(), "the save of a copy differs", game)
        if log and rng.randrange(8) == 0:
            all_of_it = unnumbered(everything(game))
            found.check(unnumbered(everything(relay)) == all_of_it, "a loaded game shows something else", game)
            found.check(unnumbered(everything(copy)) == all_of_it, "a copy shows something else", game)
        key, seat = pick(game, rng)
        copy.choose(key, seat)
        found.check(game.digest() == before, "a choice in a copy changed the game", game)
        game.choose(key, seat)
        relay.choose(key, seat)
        after = game.digest()
        found.check(relay.digest() == after, "a loaded game goes on differently", game)
        found.check(copy.digest() == after, "a copy goes on differently", game)
        game.undo(force=True)
        found.check(game.digest() == before, "undo leads somewhere else", game)
        game.choose(key, seat)
        found.check(game.digest() == after, "after undo the same choice leads somewhere else", game)
    found.check(relay.outcome == game.outcome and relay.outcome is not None, "a loaded game ends differently", game)
    _back_and_forth(found, game, chain, rng)
    found.check(replay(package(name), record_of(game), log=False).digest() == game.digest(), "a replay differs", game)


def _back_and_forth(found: Findings, game: Game, chain: list[str], rng: random.Random) -> None:
    """Take the whole game back in bites, and play it again."""
    last, lines, at = game.digest(), game.decisions_made, len(chain)
    while at:
        bite = rng.randint(1, min(5, at))
        at -= bite
        game.undo(bite, force=True)
        found.check(game.digest() == chain[at], f"undo of {bite} leads somewhere else", game)
    for line in lines:
        seat, _, key = line.partition(" ")
        game.choose(key, int(seat[1:]) - 1)
    found.check(game.digest() == last, "a game played again after undo ends differently", game)


# --- charter 8: only legal options ------------------------------------------------------------------------------------


def legal(name: str, players: int, seeds: Iterable[int], refused: int = 12) -> Findings:
    """Every option leads on; every other key is refused with a reason, and changes nothing."""
    found = Findings()
    pool: set[str] = set()
    for seed in seeds:
        found.games += 1
        try:
            for game, rng in positions(name, players, seed):
                _legal_position(found, game, rng, pool, refused)
            found.check(game.outcome is not None, "the game stops without an outcome", game)
            found.check(
                _refuses(game, "anything", 0) and bool(game.why_not("anything")), "a finished game is not closed", game
            )
        except Exception as error:
            found.wrong.append(f"{name} with {players}, seed {seed}: {type(error).__name__}: {error}")
    return found


def _legal_position(found: Findings, game: Game, rng: random.Random, pool: set[str], refused: int) -> None:
    before = game.digest()
    every = game.decisions()
    for decision in every:
        offered = decision.keys
        found.check(bool(offered) and len(set(offered)) == len(offered), "no options, or one twice", game)
        for key in offered:
            found.check(
                game.why_not(key, decision.seat) == [], f"{key} is offered, and yet there is a reason against it", game
            )
            copy = game.clone()
            try:
                copy.choose(key, decision.seat)
                found.check((copy.decision is None) == (copy.outcome is not None), f"{key} leads nowhere", game)
            except Exception as error:
                found.check(False, f"{key} was offered and failed with {type(error).__name__}: {error}", game)
        pool.update(offered)
        others = sorted(pool.difference(offered))
        tried = [
            *rng.sample(others, min(refused, len(others))),
            rng.choice(NONSENSE),
            offered[0] + ":x",
            offered[0][:-1],
        ]
        for key in tried:
            if key not in offered:
                found.check(_refuses(game, key, decision.seat), f"{key!r} is not refused", game)
                reasons = game.why_not(key, decision.seat)
                found.check(
                    bool(reasons) and all(reason.text for reason in reasons), f"no reason against {key!r}", game
                )
    idle = [seat for seat in range(game.players) if seat not in [decision.seat for decision in every]]
    for seat in idle:
        key = every[0].keys[0]
        found.check(
            _refuses(game, key, seat) and bool(game.why_not(key, seat)), f"p{seat + 1} may choose out of turn", game
        )
    found.check(game.digest() == before, "a refused key, or asking why, changed the game", game)


def _refuses(game: Game, key: str, seat: int) -> bool:
    try:
        game.choose(key, seat)
    except IllegalChoice as error:
        return bool(str(error))
    except GrimoireError:
        return False
    return False

"""Charter 6: a paused game is plain data. At every decision it can be copied, compared, hashed, saved and loaded."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from grimoire.runtime import Game, load_game, new_game
from grimoire.runtime.play import load as saves
from tests.charter import probes
from tests.charter.kit import NAMES, TABLES, package, pick, plain_json, sizes

GAMES = 80  # for each package, over its numbers of players; `make soak` plays 200 for each number
SHARES = 4  # so that two processes share the work


def seeds(name: str, players: int, share: int) -> range:
    count = GAMES // len(sizes(name))
    first = sizes(name).index(players) * 1000
    return range(first + share, first + count, SHARES)


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_saved_copied_and_taken_back_at_every_decision(name: str, players: int, share: int) -> None:
    """Eighty games of each package. Saving a long log is dear: here the first game keeps one, in the soak every
    fourth."""
    found = probes.paused(name, players, seeds(name, players, share), logged=lambda seed: seed == 0)
    assert found.games >= GAMES // len(sizes(name)) // SHARES and found.looks > 20 * found.games
    assert not found.wrong, f"{len(found.wrong)} of {found.looks}:\n" + "\n".join(found.wrong[:10])


def test_eighty_games_of_each_package() -> None:
    for name in NAMES:
        every = [seed for players in sizes(name) for share in range(SHARES) for seed in seeds(name, players, share)]
        assert len(every) == len(set(every)) >= GAMES - len(sizes(name))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_log_goes_on_after_loading_as_if_nothing_had_been(name: str, players: int) -> None:
    """Loading in the middle of an event changes nothing in what the log then says to any seat."""
    seats = [*range(players), None]
    rng = random.Random(f"log {name} {players}")
    game = relay = new_game(package(name), players, 0)
    while game.decision is not None and len(game.decisions_made) < 25:
        relay = load_game(package(name), json.loads(json.dumps(relay.save())))
        key, seat = pick(game, rng)
        game.choose(key, seat)
        relay.choose(key, seat)
        assert [relay.log(seat) for seat in seats] == [game.log(seat) for seat in seats], game.decisions_made[-2:]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_log_after_undo_and_the_same_choice_is_the_same(name: str, players: int) -> None:
    seats = [*range(players), None]
    rng = random.Random(f"undo {name} {players}")
    plain, back = new_game(package(name), players, 0), new_game(package(name), players, 0)
    while plain.decision is not None and len(plain.decisions_made) < 60:
        key, seat = pick(plain, rng)
        for game in (plain, back):
            game.choose(key, seat)
        back.undo(min(2, len(back.decisions_made)), force=True)
        for line in plain.decisions_made[len(back.decisions_made) :]:
            who, _, key = line.partition(" ")
            back.choose(key, int(who[1:]) - 1)
        assert [back.log(seat) for seat in seats] == [plain.log(seat) for seat in seats], plain.decisions_made[-2:]


def test_equal_states_are_equal_however_they_were_reached() -> None:
    """Two orders of the same marks: the digests differ only where the states do."""
    one, two = new_game(package("tic-tac-toe")), new_game(package("tic-tac-toe"))
    for key in ("mark:a1", "mark:b2", "mark:c3"):
        one.choose(key)
    for key in ("mark:c3", "mark:b2"):
        two.choose(key)
    assert one.digest() != two.digest()
    two.choose("mark:a1")
    assert one.digest() == two.digest()


def test_plain_json_sees_what_is_not_plain() -> None:
    class Number(int):
        pass

    for bad in ({1: 2}, (1,), [{1}], {"a": [b"x"]}, 1.5, [Number(3)], {"a": {"b": object()}}):
        assert plain_json(bad) is not None
    assert plain_json({"a": [1, "b", None, True, {}]}) is None


def _plant(monkeypatch: pytest.MonkeyPatch, change: Any) -> list[str]:
    """What the probe says when loading is broken."""
    real = saves._restore

    def broken(package_: Any, save: dict[str, Any]) -> Game:
        return change(real(package_, save))

    monkeypatch.setattr(saves, "_restore", broken)
    return probes.paused("connect-four", 2, range(2)).wrong


def test_a_planted_loss_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(game: Game) -> Game:
        game.state.mem[-1] ^= 1
        return game

    assert any("loaded game differs" in text for text in _plant(monkeypatch, forget))


def test_a_planted_pending_loss_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(game: Game) -> Game:
        game._made = game._made[1:]
        return game

    assert any("save of a loaded game differs" in text for text in _plant(monkeypatch, forget))


def test_a_copy_that_shares_the_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.clone

    def shared(self: Game) -> Game:
        copy = real(self)
        copy.state.mem = self.state.mem
        return copy

    monkeypatch.setattr(Game, "clone", shared)
    assert probes.paused("leduc", 2, range(4)).wrong


def test_an_undo_that_forgets_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.undo

    def forgetful(self: Game, steps: int = 1, force: bool = False) -> None:
        before = self.state.mem[:]
        real(self, steps, force)
        self.state.mem[-3:] = before[-3:]

    monkeypatch.setattr(Game, "undo", forgetful)
    assert any("undo" in text for text in probes.paused("leduc", 2, range(12)).wrong)

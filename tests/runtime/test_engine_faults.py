"""An error that nobody raised on purpose is told as ours, leaves the game as it was, and blames no author."""

from __future__ import annotations

import pickle

import pytest

from grimoire.runtime import EngineFault, SaveError, load_artefact, load_game, new_game, simulate
from grimoire.runtime.bots import simulate as simulating
from grimoire.runtime.build import program as building
from grimoire.runtime.kernel import playout, trial
from grimoire.runtime.kernel.rng import salt
from grimoire.runtime.play import game as games
from grimoire.runtime.play import load as loading
from tests.charter.kit import package

PLANTED = [
    AttributeError("no slot"),
    TypeError("an int"),
    AssertionError(),
    IndexError("out"),
    KeyError("k"),
    NameError("n"),
]
KEY = b"0123456789abcdef"


def ours(error: BaseException, planted: Exception) -> bool:
    text = str(error)
    return (
        type(planted).__name__ in text
        and "a fault of Grimoire, not of the content" in text
        and "report" in text
        and "test_engine_faults.py:" in text
    )


@pytest.mark.parametrize("planted", PLANTED, ids=lambda error: type(error).__name__)
def test_a_fault_while_a_decision_is_carried_out(monkeypatch: pytest.MonkeyPatch, planted: Exception) -> None:
    def fail(*_: object) -> int:
        raise planted

    game = new_game(package("love-letter"), 3, 7)
    assert game.decision is not None
    before = game.digest(), game.decision.keys, game.decision.number, game.log(None, True)
    with monkeypatch.context() as broken:
        broken.setattr(trial, "advance", fail)
        with pytest.raises(EngineFault) as caught:
            game.choose(game.decision.keys[0])
    assert ours(caught.value, planted) and caught.value.__cause__ is planted
    assert caught.value.where and type(planted).__name__ in caught.value.cause
    assert (game.digest(), game.decision.keys, game.decision.number, game.log(None, True)) == before
    game.choose(game.decision.keys[0])


def test_a_fault_in_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise TypeError("an int")

    game = new_game(package("tic-tac-toe"), 2)
    for name, ask in (("view_of", lambda: game.view(0)), ("reasons", lambda: game.why_not("x"))):
        with monkeypatch.context() as broken:
            broken.setattr(games, name, fail)
            with pytest.raises(EngineFault) as caught:
                ask()
        assert ours(caught.value, TypeError())


def test_a_fault_while_a_program_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> object:
        raise AttributeError("no slot")

    monkeypatch.setattr(building.Program, "__init__", fail)
    fresh = load_artefact(package("leduc").document)
    with pytest.raises(EngineFault) as caught:
        new_game(fresh, 2)
    assert ours(caught.value, AttributeError()) and caught.value.where == "building leduc"


def test_a_fault_while_a_save_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A save with our signature is as we wrote it; one without may have been changed, and the refusal says both."""

    def fail(*_: object) -> object:
        raise IndexError("out")

    game = new_game(package("leduc"), 2, 3)
    plain, signed = game.save(), game.save(KEY)
    monkeypatch.setattr(loading, "_restore", fail)
    with pytest.raises(EngineFault) as caught:
        load_game(game.package, signed, key=KEY)
    assert ours(caught.value, IndexError())
    with pytest.raises(SaveError, match="changed by hand, or the engine"):
        load_game(game.package, plain)


def test_a_fault_in_one_of_many_games_is_counted_as_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    real = playout.play_random

    def fail(g: object, salted: bytes) -> object:
        if salted == salt(2):
            raise AttributeError("no slot")
        return real(g, salted)  # type: ignore[arg-type]

    for module in (playout, simulating):
        monkeypatch.setattr(module, "play_random", fail)
    report = simulate(package("leduc"), 4, 2)
    assert report.errors == 1 and report.error_notes[0].startswith("seed 2: the engine failed")
    with pytest.raises(EngineFault):
        simulate(package("leduc"), 1, 2, seed=2)


def test_a_fault_goes_from_process_to_process() -> None:
    fault = EngineFault("text", "main", "TypeError")
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.where, again.cause) == ("text", "main", "TypeError")

"""Bad input to the API: a documented exception that says what was expected, and the game as it was."""

from __future__ import annotations

import copy
import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from grimoire.runtime import (
    ArtefactError,
    ContentMismatch,
    Game,
    GrimoireError,
    IllegalChoice,
    ReplayMismatch,
    SaveError,
    SetupError,
    UndoBarrier,
    content_hash,
    load_artefact,
    load_game,
    new_game,
    record_of,
    redeal,
    replay,
    simulate,
)
from tests.charter.kit import package, positions, seen_by

Wrong = Callable[[Game], object]


@pytest.fixture
def game() -> Game:
    made = new_game(package("love-letter"), 3, 4)
    for _ in range(6):
        assert made.decision is not None
        made.choose(made.decision.keys[0])
    return made


WRONG: dict[str, tuple[Wrong, type[GrimoireError], str]] = {
    "an option that is not offered": (lambda game: game.choose("play:nobody"), IllegalChoice, "play:"),
    "an empty key": (lambda game: game.choose(""), IllegalChoice, "not offered"),
    "a key of another type": (lambda game: game.choose(3), IllegalChoice, "is a text, not 3"),  # type: ignore[arg-type]
    "no key": (lambda game: game.choose(None), IllegalChoice, "is a text, not None"),  # type: ignore[arg-type]
    "a seat of another type": (lambda game: game.choose(_first(game), "p1"), IllegalChoice, "0 to 2"),  # type: ignore[arg-type]
    "a number of another type": (lambda game: game.choose_index("x"), IllegalChoice, "0 to"),  # type: ignore[arg-type]
    "no key to explain": (lambda game: game.why_not(None), IllegalChoice, "is a text"),  # type: ignore[arg-type]
    "an explanation for a seat that there is not": (lambda game: game.why_not("x", 7), IllegalChoice, "0 to 2"),
    "steps back of another type": (lambda game: game.undo("x"), UndoBarrier, "whole number"),  # type: ignore[arg-type]
    "steps forward": (lambda game: game.undo(-1), UndoBarrier, "from 0 on, not -1"),
    "the view of a seat by its name": (lambda game: game.view("p1"), SetupError, "p1 is 0"),  # type: ignore[arg-type]
    "the log of a seat by its name": (lambda game: game.log("p1"), SetupError, "p1 is 0"),  # type: ignore[arg-type]
    "a redeal for a seat that there is not": (lambda game: redeal(game, 3), SetupError, "0 to 2"),
    "the value for a seat that there is not": (lambda game: game.eval_function("no-such", 9), GrimoireError, "0 to 2"),
    "a seat that is not asked": (lambda game: game.choose(_first(game), _idle(game)), IllegalChoice, "is not asked"),
    "a seat that there is not": (lambda game: game.choose(_first(game), 9), IllegalChoice, "p10"),
    "a seat below the first": (lambda game: game.choose(_first(game), -1), IllegalChoice, "there is no seat"),
    "a number that is not offered": (lambda game: game.choose_index(999), IllegalChoice, "999"),
    "a number below the first": (lambda game: game.choose_index(-1), IllegalChoice, "-1"),
    "more steps back than there are": (lambda game: game.undo(99), UndoBarrier, "only 6"),
    "a step back over what became known": (lambda game: game.undo(6), UndoBarrier, "known or random"),
    "a function that there is not": (lambda game: game.eval_function("no-such", 0), GrimoireError, "no-such"),
    "the view of a seat that there is not": (lambda game: game.view(9), GrimoireError, "seat"),
    "the view of a seat below the first": (lambda game: game.view(-1), GrimoireError, "seat"),
    "the log of a seat that there is not": (lambda game: game.log(9), GrimoireError, "seat"),
    "the log of a seat below the first": (lambda game: game.log(-1), GrimoireError, "seat"),
}


def _first(game: Game) -> str:
    assert game.decision is not None
    return game.decision.keys[0]


def _idle(game: Game) -> int:
    assert game.decision is not None
    return (game.decision.seat + 1) % game.players


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_is_refused_and_changes_nothing(game: Game, case: str) -> None:
    call, error, words = WRONG[case]
    before = game.digest(), seen_by(game, None), game.decisions_made, json.dumps(game.save())
    with pytest.raises(error) as caught:
        call(game)
    assert words in str(caught.value) and str(caught.value)
    assert (game.digest(), seen_by(game, None), game.decisions_made, json.dumps(game.save())) == before
    game.choose(_first(game))


def test_a_refusal_says_what_was_expected(game: Game) -> None:
    assert game.decision is not None
    call, error, _ = WRONG["an option that is not offered"]
    with pytest.raises(error) as caught:
        call(game)
    assert f"p{game.decision.seat + 1}" in str(caught.value)
    call, error, _ = WRONG["a seat that there is not"]
    with pytest.raises(error) as caught:
        call(game)
    assert f"from 0 to {game.players - 1}" in str(caught.value)


SETUP: dict[str, tuple[Callable[[], object], str]] = {
    "too few players": (lambda: new_game(package("love-letter"), 1), "2"),
    "too many players": (lambda: new_game(package("love-letter"), 5), "4"),
    "players of another type": (lambda: new_game(package("love-letter"), "3"), "players"),  # type: ignore[arg-type]
    "a seed of another type": (lambda: new_game(package("love-letter"), 2, "x"), "seed"),  # type: ignore[arg-type]
    "an option that there is not": (lambda: new_game(package("love-letter"), 2, options={"storms": True}), "storms"),
    "a bot that there is not": (lambda: simulate(package("love-letter"), 1, 2, bot="genius"), "genius"),
    "a script of something else": (lambda: new_game(package("love-letter"), 2, script={"weather": []}), "weather"),
    "a script that is none": (lambda: new_game(package("love-letter"), 2, script=[1]), '{"random": [..]'),  # type: ignore[arg-type]
    "a script without a list": (lambda: new_game(package("love-letter"), 2, script={"random": 3}), "is a list"),  # type: ignore[dict-item]
    "no package": (lambda: new_game("love-letter"), "load_artefact"),  # type: ignore[arg-type]
    "options that are no table": (lambda: new_game(package("love-letter"), 2, options=[1]), "{name: value}, not [1]"),  # type: ignore[arg-type]
    "a seed below nothing": (lambda: new_game(package("love-letter"), 2, -1), "from 0 on, not -1"),
    "a flag as the number of players": (lambda: new_game(package("love-letter"), True), "2 to 4 players, not True"),
    "less than no games": (lambda: simulate(package("love-letter"), -1, 2), "from 1 on, not -1"),
    "no jobs": (lambda: simulate(package("love-letter"), 1, 2, jobs=0), "from 1 on, not 0"),
    "a save without a package": (lambda: load_game(None, {}), "load_artefact"),  # type: ignore[arg-type]
    "a record of nothing": (lambda: record_of(None), "takes a game"),  # type: ignore[arg-type]
    "a redeal of nothing": (lambda: redeal(None, 0), "takes a game"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", SETUP)
def test_a_game_that_cannot_be_set_up(case: str) -> None:
    call, words = SETUP[case]
    with pytest.raises(SetupError) as caught:
        call()
    assert words in str(caught.value)


# --- saves ------------------------------------------------------------------------------------------------------------


def test_a_save_of_other_content_is_refused_with_both_hashes(game: Game) -> None:
    save = game.save()
    other = package("leduc")
    with pytest.raises(ContentMismatch) as caught:
        load_game(other, save)
    assert game.package.hash in str(caught.value) and other.hash in str(caught.value)
    assert (caught.value.saved, caught.value.present) == (game.package.hash, other.hash)


def test_a_save_of_an_older_version_is_replayed_when_asked(game: Game) -> None:
    document = copy.deepcopy(package("love-letter").document)
    document["package"]["version"] = "1.0.1"
    document["hash"] = content_hash(document)
    newer = load_artefact(document)
    with pytest.raises(ContentMismatch):
        load_game(newer, game.save())
    moved = load_game(newer, json.loads(json.dumps(game.save())), migrate=True)
    assert moved.package.hash == newer.hash and moved.decisions_made == game.decisions_made
    assert [moved.view(seat) for seat in range(3)] == [game.view(seat) for seat in range(3)]
    with pytest.raises(SaveError, match="does not fit"):
        load_game(package("leduc"), {**game.save(), "players": 2}, migrate=True)


@pytest.mark.parametrize(
    "save", [None, [], "text", 3, {}, {"format": "grimoire-save"}, {"format": "grimoire-save", "version": 99}]
)
def test_what_is_no_save_is_refused(save: Any) -> None:
    with pytest.raises(SaveError) as caught:
        load_game(package("leduc"), save)
    assert str(caught.value)


def paths(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in plain data."""
    found = [at] if at else []
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        found += paths(part, (*at, key))
    return found


def holder(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        data = data[key]
    return data


def odd(game: Game, change: Callable[[Any, Any, random.Random], None], number: int, seed: int) -> list[str]:
    """Changes of a save that are answered with something else than a refusal or a game."""
    rng = random.Random(seed)
    data = json.loads(json.dumps(game.save()))
    every = paths(data)
    found = []
    for path in rng.sample(every, min(number, len(every))):
        edited = copy.deepcopy(data)
        change(holder(edited, path), path[-1], rng)
        try:
            with time_limit(20):
                loaded = load_game(game.package, edited)
                loaded.digest(), json.dumps(loaded.view(None)), loaded.log(0), loaded.decision and loaded.decision.keys
        except GrimoireError:
            continue
        except Exception as error:
            found.append(f"{'.'.join(map(str, path))}: {type(error).__name__}: {error}")
    return found


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in the block after some seconds."""

    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _delete(part: Any, key: Any, _: random.Random) -> None:
    del part[key]


def _replace(part: Any, key: Any, rng: random.Random) -> None:
    part[key] = rng.choice([None, -1, 10**6, 1 << 40, "nonsense", [], {}, [[1]], {"a": 1}, True])


@pytest.mark.parametrize("change", [_delete, _replace])
@pytest.mark.parametrize(("name", "players"), [("love-letter", 3), ("leduc", 2), ("connect-four", 2)])
def test_an_edited_save_is_refused_or_loads_as_a_game(name: str, players: int, change: Any) -> None:
    for number, (game, _) in enumerate(positions(name, players, 2)):
        if number == 5:
            found = odd(game, change, 400, seed=number)
            assert not found, f"{len(found)}:\n" + "\n".join(found[:12])
            return


def test_a_save_whose_state_was_edited_is_refused(game: Game) -> None:
    """Whatever is changed in the state, also into something that could have been."""
    rng = random.Random(7)
    save = json.loads(json.dumps(game.save()))
    accepted = []
    for path in paths(save["state"]):
        if path[-1] == "as":
            continue  # for readers: how the frame was entered
        edited = copy.deepcopy(save)
        part, key = holder(edited["state"], path), path[-1]
        if isinstance(part[key], int):
            part[key] = 1 - int(part[key])
        else:
            _replace(part, key, rng)
        if edited != save:
            try:
                load_game(game.package, edited)
                accepted.append(".".join(map(str, path)))
            except SaveError:
                continue
    assert accepted == []


def test_a_save_cut_anywhere_is_refused(game: Game) -> None:
    save = game.save()
    for key in save:
        if key in ("edited", "script", "log", "package"):
            continue
        with pytest.raises(SaveError):
            load_game(game.package, {name: part for name, part in save.items() if name != key})
    for key in save["state"]:
        state = {name: part for name, part in save["state"].items() if name != key}
        with pytest.raises(SaveError):
            load_game(game.package, {**save, "state": state})


def test_a_piece_that_is_gone_or_in_two_places_is_seen(game: Game) -> None:
    for change in (lambda zones: zones["deck"].pop(), lambda zones: zones["deck"].append(zones["deck"][0])):
        save = copy.deepcopy(game.save())
        change(save["state"]["zones"])
        with pytest.raises(SaveError):
            load_game(game.package, save)


# --- artefacts and records --------------------------------------------------------------------------------------------


def test_an_artefact_cut_or_edited_is_refused() -> None:
    text = json.dumps(package("leduc").document)
    rng = random.Random(1)
    for at in [0, 1, 10, *(rng.randrange(len(text)) for _ in range(20)), len(text) - 1]:
        with pytest.raises(ArtefactError):
            load_artefact(text[:at].encode())
    edited = json.loads(text)
    edited["procs"][0]["slots"] += 1
    with pytest.raises(ArtefactError, match="changed") as caught:
        load_artefact(edited)
    assert package("leduc").hash in str(caught.value)


def test_a_record_that_does_not_fit_is_refused(game: Game) -> None:
    record = record_of(game)
    assert replay(game.package, record).digest() == game.digest()
    for change, words in (
        ({"decisions": ["p1 nonsense"], "length": 1}, "decision 1 of 1"),
        ({"digest": "0" * 32}, "digest"),
        ({"players": None}, "players"),
        ({"decisions": ["nonsense"], "length": None}, "nonsense"),
        ({"length": "x"}, "whole number from 0 on"),
        ({"length": 10**5000}, "cut short"),
        ({"outcome": ["x", []]}, "cut short"),
        ({"decisions": 3}, "decisions"),
    ):
        with pytest.raises((ReplayMismatch, SetupError, SaveError), match=words):
            replay(game.package, {**record, **change})
    with pytest.raises(ReplayMismatch):
        replay(game.package, {})


# --- anything at all --------------------------------------------------------------------------------------------------

ODD: list[Any] = [None, "x", "", -1, 99, 1.5, [1], ["x"], {}, {"x": 1}, True, b"x", (1, 2), object()]
ANYTHING: dict[str, Callable[[Game, Any], object]] = {
    "load_artefact": lambda game, odd: load_artefact(odd),
    "new_game": lambda game, odd: new_game(odd),
    "players": lambda game, odd: new_game(game.package, odd),
    "seed": lambda game, odd: new_game(game.package, 2, odd),
    "options": lambda game, odd: new_game(game.package, 2, options=odd),
    "script": lambda game, odd: new_game(game.package, 2, script=odd),
    "forced": lambda game, odd: new_game(game.package, 2, script={"random": odd}),
    "choose": lambda game, odd: game.choose(odd),
    "choose, seat": lambda game, odd: game.choose("x", odd),
    "choose_index": lambda game, odd: game.choose_index(odd),
    "why_not": lambda game, odd: game.why_not(odd),
    "why_not, seat": lambda game, odd: game.why_not("x", odd),
    "view": lambda game, odd: game.view(odd),
    "log": lambda game, odd: game.log(odd),
    "undo": lambda game, odd: game.undo(odd),
    "eval_function": lambda game, odd: game.eval_function(odd, 0),
    "load_game": lambda game, odd: load_game(game.package, odd),
    "replay": lambda game, odd: replay(game.package, odd),
    "replay, decisions": lambda game, odd: replay(game.package, {**record_of(game), "decisions": odd}),
    "redeal": lambda game, odd: redeal(game, odd),
    "simulate": lambda game, odd: simulate(game.package, odd, 2),
    "simulate, options": lambda game, odd: simulate(game.package, 1, 2, options=odd),
    "set_var": lambda game, odd: game.edit().set_var(odd, 1),
    "set_var, value": lambda game, odd: game.edit().set_var("starter", odd),
    "set_col": lambda game, odd: game.edit().set_col(odd, "p1", 1),
    "set_col, of": lambda game, odd: game.edit().set_col("player.out", odd, 1),
    "set_col, value": lambda game, odd: game.edit().set_col("player.out", "p1", odd),
    "move": lambda game, odd: game.edit().move(odd, "deck"),
    "move, to": lambda game, odd: game.edit().move("guard", odd),
    "set_zone": lambda game, odd: game.edit().set_zone("deck", odd),
    "lay": lambda game, odd: game.edit().lay(odd),
    "lay, pieces": lambda game, odd: game.edit().lay({"deck": odd}),
    "start": lambda game, odd: game.edit().start(odd),
    "start, you": lambda game, odd: game.edit().start("turn", odd),
    "start, args": lambda game, odd: game.edit().start("turn", 0, odd),
}


@pytest.mark.parametrize("call", ANYTHING)
@pytest.mark.parametrize("odd", ODD, ids=[str(at) for at in range(len(ODD))])
def test_whatever_is_given_only_documented_errors_come_out(game: Game, call: str, odd: Any) -> None:
    """It works, or it is refused in words; Python's own errors never leave the runtime."""
    try:
        ANYTHING[call](game, odd)
    except GrimoireError as error:
        assert len(str(error)) > 10 and "object has no" not in str(error) and "NoneType" not in str(error)

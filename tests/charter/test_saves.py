"""Saves of strangers and saves for people: signed or said not to be, complete or refused, and only documented errors
come of a forged one."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from grimoire.runtime import (
    Game,
    GrimoireError,
    ReplayMismatch,
    SaveError,
    SetupError,
    SignatureMismatch,
    StaleChoice,
    load_game,
    new_game,
    record_of,
    replay,
)
from grimoire.runtime.play.save import checksum
from tests.charter.kit import package, pick, sizes
from tests.charter.test_api_errors import holder, paths, time_limit
from tests.packages import LARGE, SMALL

KEY = b"only the host has this one"
OTHER = b"and this is somebody else's"


def played(name: str, players: int, seed: int, steps: int) -> Game:
    """A game after some random decisions."""
    rng = random.Random(f"saves {name} {players} {seed}")
    game = new_game(package(name), players, seed)
    for _ in range(steps):
        if game.decision is None:
            break
        game.choose(*pick(game, rng))
    return game


# --- numbers of decisions ---------------------------------------------------------------------------------------------


def test_a_double_click_does_not_answer_the_next_question() -> None:
    game = new_game(package("tic-tac-toe"), 2)
    assert game.decision is not None
    first = game.decision
    game.choose("mark:b2", first.seat, first.number)
    before = game.save()
    for seat in (first.seat, None):
        with pytest.raises(StaleChoice, match="twice, or too late"):
            game.choose("mark:a1", first.seat, first.number)
        with pytest.raises(StaleChoice):
            game.choose_index(0, number=99)
        assert game.save() == before, seat
    assert game.view(1)["decision"]["number"] == game.decision.number == 1
    game.choose("mark:a1", 1, 1)
    assert game.decision.number == 2 and "number" not in game.view(1)["decision"]


def test_the_number_of_a_question_never_comes_again() -> None:
    """After undo another question may stand in the place of one that somebody still answers."""
    game = new_game(package("tic-tac-toe"), 2)
    seen = set()
    for _ in range(5):
        assert game.decision is not None
        assert (game.decision.seat, game.decision.number) not in seen
        seen.add((game.decision.seat, game.decision.number))
        late = game.decision.number
        game.choose("mark:b2", number=late)
        game.undo()
        with pytest.raises(StaleChoice):
            game.choose("mark:b2", number=late)
        game = load_game(game.package, json.loads(json.dumps(game.save())))
        with pytest.raises(StaleChoice):
            game.clone().choose("mark:b2", number=late)


@pytest.mark.parametrize("number", [0, -1, "x", 1.0, True, [1]])
def test_what_is_no_number_of_a_decision(number: Any) -> None:
    game = new_game(package("tic-tac-toe"), 2)
    with pytest.raises(GrimoireError, match="the number of a decision"):
        game.choose("mark:b2", number=number)


# --- signatures -------------------------------------------------------------------------------------------------------


def test_with_a_key_only_what_was_signed_with_it_is_loaded() -> None:
    game = played("love-letter", 3, 4, 9)
    signed = json.loads(json.dumps(game.save(KEY)))
    assert signed["protection"] == "hmac-sha256" and game.save()["protection"] == "none"
    again = load_game(package("love-letter"), signed, key=KEY)
    assert again.digest() == game.digest() and again.protected and again.clone().protected
    assert not load_game(package("love-letter"), signed).protected, "it is loaded, and said not to be protected"
    assert not load_game(package("love-letter"), game.save()).protected
    edited = copy.deepcopy(signed)
    edited["state"]["zones"]["deck"].reverse()
    edited["check"] = checksum(edited)
    stripped = {name: part for name, part in edited.items() if name != "signature"} | {"protection": "none"}
    stripped["check"] = checksum(stripped)
    assert load_game(package("love-letter"), stripped).digest() != game.digest(), "without a key nobody can tell"
    for wrong in (
        edited,
        stripped,
        game.save(),
        game.save(OTHER),
        {**signed, "signature": None},
        {**signed, "signature": "é"},
    ):
        with pytest.raises(SignatureMismatch):
            load_game(package("love-letter"), wrong, key=KEY)
        with pytest.raises(SignatureMismatch):
            replay(package("love-letter"), wrong, key=KEY)


def test_a_record_can_be_signed() -> None:
    game = played("leduc", 2, 4, 99)
    record = record_of(game, KEY)
    assert replay(game.package, json.dumps(record).encode(), key=KEY).outcome == game.outcome
    for wrong in (record_of(game), {**record, "seed": 5}, record_of(game, OTHER)):
        with pytest.raises(SignatureMismatch):
            replay(game.package, wrong, key=KEY)


@pytest.mark.parametrize("key", [b"", b"short", "a text is no key at all", 3])
def test_a_key_that_is_none(key: Any) -> None:
    game = new_game(package("leduc"), 2)
    for call in (
        game.save,
        lambda key: record_of(game, key),
        lambda key: load_game(game.package, game.save(KEY), key=key),
    ):
        with pytest.raises(SetupError, match="at least 16 bytes"):
            call(key)


# --- records that were cut short --------------------------------------------------------------------------------------


def test_a_record_without_its_last_decision_is_told_as_such() -> None:
    game = played("love-letter", 2, 3, 10_000)
    record = record_of(game)
    n = record["length"]
    assert (n == len(game.decisions_made) and record["outcome"] == [game.outcome.id, ["p1"]]) or game.outcome  # type: ignore[union-attr]
    cut = {**record, "decisions": record["decisions"][:-1]}
    with pytest.raises(ReplayMismatch, match=f"cut short: there are {n - 1} of {n} decisions"):
        replay(game.package, cut)
    with pytest.raises(ReplayMismatch, match=f"cut short: .* after its {n - 1} decisions the game goes on"):
        replay(game.package, {**cut, "length": n - 1})
    with pytest.raises(ReplayMismatch, match="digest"):
        replay(game.package, {**cut, "length": n - 1, "outcome": None})
    with pytest.raises(ReplayMismatch, match="more than it says"):
        replay(game.package, {**record, "length": n - 1})
    save = game.save()
    with pytest.raises(SaveError, match="checksum"):
        replay(game.package, {**save, "decisions": save["decisions"][:-1]})


# --- forged saves -----------------------------------------------------------------------------------------------------

VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2, 7, -2, 10**6, 1 << 40, 1 << 199, 10**4000, -(10**4000), 1.5, float("inf"), float("nan"),
    "", "p1", "x" * 50, "0xff", [], {}, [[1]], {"a": 1}, ["p1 x"],
]  # fmt: skip


def forge(save: dict[str, Any], rng: random.Random) -> str:
    """Change a save in one place (now and then in two), and give it the checksum that fits; tells where."""
    told = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        top = rng.choice(["state", "state", "state", "log", "seen", "open", *save])
        if top not in save or top == "check":
            continue
        path = rng.choice(paths(save[top], (top,)))
        part, key = holder(save, path), path[-1]
        told.append(".".join(map(str, path)))
        kind = rng.randrange(6)
        if kind == 0 and isinstance(part[key], int):
            part[key] += rng.choice([-1, 1, 2, 17])
        elif kind == 1 and isinstance(part, list):
            part.insert(rng.randrange(len(part) + 1), copy.deepcopy(rng.choice(part)))
        elif kind == 2:
            del part[key]
        elif kind == 3 and isinstance(part, dict):
            part["more"] = rng.choice(VALUES)
        elif kind == 4 and isinstance(part, list):
            rng.shuffle(part)
        else:
            part[key] = copy.deepcopy(rng.choice(VALUES))
    try:
        save["check"] = checksum(save)
    except (ValueError, TypeError):
        save["check"] = "0"
    return " and ".join(told)


def use(game: Game, rng: random.Random, steps: int = 20) -> None:
    """Everything that a host does with a game."""
    for step in range(steps):
        if step % 5 == 0:
            for seat in [None, *range(game.players)]:
                json.dumps([game.view(seat), game.log(seat, choices=True)])
            game.digest(), json.dumps(game.save()), game.outcome, game.script_left, record_of(game)
            game.why_not(rng.choice(["x", "pass", "done", "play:x"])), repr(game)
        asked = game.decisions()
        if not asked:
            return
        decision = rng.choice(asked)
        if not decision.options:
            return
        key = rng.choice(decision.keys)
        game.why_not(key + ":x", decision.seat)
        game.choose(key, decision.seat, decision.number)


def forged(name: str, players: int, seed: int, steps: int, number: int) -> tuple[list[str], int]:
    """What came of forged saves that is no documented error, and how many of them were loaded."""
    game = played(name, players, seed, steps)
    text = json.dumps(game.save())
    found, loaded = [], 0
    for at in range(number):
        rng = random.Random(f"forge {name} {seed} {at}")
        save = json.loads(text)
        where = forge(save, rng)
        try:
            with time_limit(20):
                other = load_game(game.package, save)
                loaded += 1
                use(other, rng)
        except GrimoireError:
            continue
        except Exception as error:
            found.append(f"{name} seed {seed} number {at}, {where}: {type(error).__name__}: {str(error)[:100]}")
    return found, loaded


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_of_a_forged_save_only_documented_errors_come(name: str) -> None:
    """Nobody needs a secret for a checksum that fits."""
    found, loaded = [], 0
    for seed in range(2):
        wrong, more = forged(name, sizes(name)[-1], seed, 7 + 20 * seed, 25 if name in LARGE else 120)
        found += wrong
        loaded += more
    assert not found, f"{len(found)}:\n" + "\n".join(found[:12])
    assert loaded, "some changes are of positions that could be"


Change = Callable[[dict[str, Any]], object]
CRAFTED: dict[str, tuple[Change, str]] = {
    "a log that is no list": (lambda save: save.update(log={}), "log"),
    "an entry without versions": (lambda save: save["log"][0].update(told=[]), "4 values"),
    "a version that is no object": (lambda save: save["log"][0]["told"].__setitem__(0, 3), "expected an object"),
    "a version without its values": (lambda save: save["log"][0]["told"][0].clear(), "is missing"),
    "an end before the beginning": (lambda save: save["log"][0].update(begin=10**6), "log[0].begin"),
    "a moment as a text": (lambda save: save["seen"].update(moment="3"), "seen.moment"),
    "a flag as a number": (lambda save: save["state"]["counters"].__setitem__(0, True), "counters[0]"),
    "a number of 5,000 digits": (lambda save: save["state"]["counters"].__setitem__(0, 10**5000), "digits"),
    "a seed of 5,000 digits": (lambda save: save.update(seed=10**5000), "digits"),
    "a seed of 50 digits": (lambda save: save.update(seed=10**50), "below 2**128"),
    "a float": (lambda save: save["state"]["counters"].__setitem__(0, 1.0), "counters[0]"),
    "something more": (lambda save: save.update(note="hello"), "'note' is not known"),
    "something more in the state": (lambda save: save["state"].update(note=1), "'note' is not known"),
    "a zone that there is not": (lambda save: save["state"]["zones"].update(moon=[]), "'moon' is not known"),
    "a piece in two places": (
        lambda save: save["state"]["zones"]["deck"].append(save["state"]["zones"]["deck"][0]),
        "two places",
    ),
    "a piece that there is not": (
        lambda save: save["state"]["zones"]["deck"].append("dragon#1"),
        "no piece 'dragon#1'",
    ),
    "a seat that there is not": (lambda save: save["state"]["vars"].update({"current-player": 3}), "no seat 3"),
    "a decision of nobody": (lambda save: save["decisions"].append("p9 x"), "seat that there is not"),
    "a decision with a long seat": (lambda save: save["decisions"].append("p" + "1" * 5000 + " x"), "is no decision"),
    "a frame of another procedure": (lambda save: save["state"]["frames"][0].update(proc="x"), "does not fit"),
    "a frame elsewhere": (lambda save: save["state"]["frames"][0].update(at=0), "cannot stand here"),
    "no frames": (lambda save: save["state"].update(frames=[]), "does not stand at a decision"),
    "an effect of nothing": (lambda save: save["state"].update(floats=[[0, 0, 0, 0, 0, 0]]), "floats[0]"),
    "numbers of too few seats": (lambda save: save.update(numbers=[1]), "3 values"),
    "no players": (lambda save: save.update(players=0), "players"),
    "a protection that it has not": (lambda save: save.update(protection="hmac-sha256"), "protection"),
}


@pytest.mark.parametrize("case", CRAFTED)
def test_a_crafted_save_is_refused_with_the_place(case: str) -> None:
    change, words = CRAFTED[case]
    game = played("love-letter", 3, 4, 9)
    save = json.loads(json.dumps(game.save()))
    change(save)
    try:
        save["check"] = checksum(save)
    except ValueError:
        pass
    with pytest.raises(SaveError) as caught:
        load_game(game.package, save)
    assert words in str(caught.value)


DEEP = b'{"format":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not complete JSON"),
        (b'{"format": "grimoire-save", "format": "x"}', "stands twice"),
        (b'{"seed": NaN}', "is no number"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "digits"),
        (b"\xff\xfe\x00", "not complete JSON"),
        (DEEP, "nested too deeply"),
    ],
)
def test_bytes_that_are_no_save_or_record(data: bytes, words: str) -> None:
    with pytest.raises(SaveError, match=words):
        load_game(package("leduc"), data)
    with pytest.raises(ReplayMismatch, match=words):
        replay(package("leduc"), data)


def test_numbers_of_thousands_of_digits_are_refused_everywhere() -> None:
    game, huge = new_game(package("love-letter"), 3), 10**5000
    record = record_of(game)
    calls: list[Callable[[], object]] = [
        lambda: new_game(game.package, huge),
        lambda: new_game(game.package, 2, huge),
        lambda: new_game(game.package, 2, options={"players": huge}),
        lambda: new_game(game.package, 2, options={"x": huge}),
        lambda: new_game(game.package, 2, script={"random": huge}),  # type: ignore[dict-item]
        lambda: game.choose("x", huge),
        lambda: game.choose("x", number=huge),
        lambda: game.choose("x", number=-huge),
        lambda: game.choose_index(huge),
        lambda: game.undo(huge),
        lambda: game.view(huge),
        lambda: game.log(huge),
        lambda: game.why_not("x", huge),
        lambda: game.eval_function("x", huge),
        lambda: game.edit().set_var("starter", huge),
        lambda: game.edit().set_col("player.out", "p1", huge),
        lambda: replay(game.package, {**record, "seed": huge}),
        lambda: replay(game.package, {**record, "players": huge}),
        lambda: replay(game.package, {**record, "decisions": [f"p{'9' * 5000} x"], "length": None}),
        lambda: replay(game.package, {**record, "length": huge}),
        lambda: replay(game.package, {**record, "digest": huge}),
        lambda: load_game(game.package, {"format": "grimoire-save", "version": huge}),
    ]
    for at, call in enumerate(calls):
        with pytest.raises(GrimoireError) as caught:
            call()
        assert 10 < len(str(caught.value)) < 1500, at


# --- what a seat may keep ---------------------------------------------------------------------------------------------


def hidden_twins(seat: int) -> list[Game]:
    """Two games that differ only in the card of the other seat, with the same decisions."""
    games = []
    for card in ("jack", "queen"):
        top = [card, "king"] if seat == 0 else ["king", card]
        game = new_game(package("leduc"), 2, 1, script={"shuffle": [["deck", ["jack", *top]]]})
        games.append(game)
    return games


@pytest.mark.parametrize("name", ["love-letter", "abyss"])
def test_a_seat_record_holds_what_the_seat_saw_and_nothing_else(name: str) -> None:
    seed = 987_654_321
    game = played(name, 3, seed, 40)
    for seat in range(3):
        record = game.seat_record(seat)
        text = json.dumps(record)
        assert record["view"] == game.view(seat) and record["log"] == game.log(seat, choices=True)
        assert str(seed) not in text and game.digest() not in text
        own = [line.partition(" ")[2] for line in game.decisions_made if line.startswith(f"p{seat + 1} ")]
        assert [step["chose"] for step in record["steps"]] == own and own
        again = new_game(game.package, 3, seed)
        steps = iter(record["steps"])
        read: dict[int, Any] = {}
        for line in game.decisions_made:
            chooser, _, key = line.partition(" ")
            if chooser == f"p{seat + 1}":
                step = next(steps)
                read |= {entry["n"]: entry for entry in step["log"]}
                assert step["view"] == again.view(seat)
                assert [read[n] for n in sorted(read)] == again.log(seat, choices=True)
            again.choose(key, int(chooser[1:]) - 1)


def test_the_records_of_a_seat_are_the_same_where_it_cannot_tell_two_games_apart() -> None:
    one, other = hidden_twins(0)
    assert one.view(None)["zones"] != other.view(None)["zones"], "they differ"
    hidden = next(seat for seat in range(2) if one.view(seat) == other.view(seat))
    for _ in range(3):
        assert one.decision is not None and other.decision is not None
        for game in (one, other):
            game.choose("call")
        assert json.dumps(one.seat_record(hidden)) == json.dumps(other.seat_record(hidden))
        if one.outcome is not None or one.view(hidden) != other.view(hidden):
            break


def test_an_edited_position_has_no_steps() -> None:
    game = new_game(package("love-letter"), 2)
    game.edit().set_col("player.out", "p1", 0)
    assert game.seat_record(0)["steps"] is None

"""The log: causes before what came of them, how deep things lie, what goes on, what is left, and what is not told to
whom."""

from __future__ import annotations

import json
from typing import Any

import games
import pytest
from rtkit import (
    CANCEL,
    Art,
    ability_program,
    call,
    do,
    end,
    entry,
    foreach,
    menu,
    move,
    n,
    repeat,
    s,
)

from grimoire.runtime import Game, load_game, new_game
from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.rng import Dice

ASK = menu(n(0), "ask", entry("go"))
QUIT = menu(n(0), "ask", entry("go"), entry("quit", end()))


class Play:
    """Verbs that a test gives bodies to: outer, inner, aside; ``main`` is played."""

    def __init__(self) -> None:
        self.art = art = Art("play")
        card = art.kind("card", "piece")
        self.hand, self.table = art.zone("hand", each=True, seen="owner"), art.zone("table")
        self.start = art.zone("start", seen="none")
        art.definition("moon", card, 1, self.start)
        self.main = art.proc("main", slots=6)
        self.outer, self.inner, self.aside = (art.proc(x, slots=4, verb=True) for x in ("outer", "inner", "aside"))
        self.scene = art.proc("scene", slots=4)

    def run(self, *body: Any) -> Game:
        self.art.body(self.main, *body)
        return new_game(self.art.load(), 2)


def told(game: Game, choices: bool = False) -> list[str]:
    """The log as everything: how deep, what, and in which state."""
    marks = {True: "", None: "?", False: "!"}
    lines = []
    for row in game.log(None, choices):
        name = row["verb"] + marks[row["ok"]] if "verb" in row else f"[{row['entry']}]"
        lines.append("  " * row["depth"] + name + (".." if row.get("open") else ""))
    return lines


def test_the_cause_stands_before_what_came_of_it() -> None:
    play = Play()
    play.art.body(play.outer, do(play.inner), do(play.inner))
    play.art.body(play.inner, do(play.aside))
    assert told(play.run(do(play.outer), do(play.aside), ASK)) == [
        "outer", "  inner", "    aside", "  inner", "    aside", "aside"
    ]  # fmt: skip


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("track", [True, False])
def test_what_goes_on_is_told_while_it_does(monkeypatch: pytest.MonkeyPatch, fuse: bool, track: bool) -> None:
    """Also where the code of the event is written into that of its caller, and after saving and loading."""
    plain = Program.__init__

    def build(self: Program, *args: Any, **more: Any) -> None:
        plain(self, *args, **{**more, "fuse": fuse})

    monkeypatch.setattr(Program, "__init__", build)
    play = Play()
    play.art.body(play.outer, do(play.aside), do(play.inner), do(play.aside))
    play.art.body(play.inner, ASK, do(play.aside))
    play.art.body(play.main, call(play.scene))
    play.art.body(play.scene, do(play.outer), ASK)
    game = new_game(play.art.load(), 2, track=track)
    assert told(game) == ["outer..", "  aside", "  inner.."]
    again = load_game(game.package, json.loads(json.dumps(game.save()))) if not track else game.clone()
    assert told(again) == told(game)
    for one in (game, again):
        one.choose("go")
        assert told(one, True) == ["outer", "  aside", "  inner", "    [go]", "    aside", "  aside"]
    before = told(game)
    game.choose("go")
    assert game.outcome is not None
    game.undo()
    assert told(game) == before
    game.undo(force=True)
    assert told(game) == ["outer..", "  aside", "  inner.."]


def test_what_may_still_be_prevented_is_not_decided() -> None:
    play = Play()
    play.art.ability("stop", play.inner, "before", ability_program(play.art, "stop", [ASK, do(play.aside), CANCEL]))
    play.art.body(play.outer, do(play.inner))
    game = play.run(do(play.outer), ASK)
    assert told(game) == ["outer..", "  inner?.."]
    game.choose("go")
    assert told(game, True) == ["outer", "  inner!", "    [go]", "    aside"]


def test_a_forbidden_event_stands_where_it_was_proposed() -> None:
    play = Play()
    play.art.ability("never", play.inner, "cannot")
    play.art.body(play.outer, do(play.inner), do(play.aside))
    assert told(play.run(do(play.outer), ASK)) == ["outer", "  inner!", "  aside"]


def test_what_is_left_early_happened_as_far_as_it_came() -> None:
    play = Play()
    leave = {"op": "leave", "proc": play.scene}
    play.art.body(play.scene, do(play.outer), do(play.aside))
    play.art.body(play.outer, do(play.inner))
    play.art.body(play.inner, ASK, leave)
    game = play.run(call(play.scene), do(play.aside), ASK)
    before = told(game)
    assert before == ["outer..", "  inner.."]
    game.choose("go")
    assert told(game, True) == ["outer", "  inner", "    [go]", "aside"]
    game.undo()
    assert told(game) == before


def test_what_the_game_ends_in_is_told() -> None:
    play = Play()
    play.art.body(play.outer, do(play.inner))
    play.art.body(play.inner, QUIT)
    game = play.run(do(play.outer), ASK)
    game.choose("quit")
    assert told(game, True) == ["outer", "  inner", "    [quit]"]
    assert told(load_game(game.package, game.save())) == ["outer", "  inner"]
    game.undo()
    game.choose("go")
    assert told(game, True) == ["outer", "  inner", "    [go]"]


def test_an_edit_that_starts_something_else_leaves_what_went_on() -> None:
    play = Play()
    play.art.body(play.inner, ASK)
    play.art.body(play.outer, ASK)
    game = play.run(do(play.inner), do(play.outer))
    game.edit().start("outer")
    assert told(game) == ["inner", "outer.."]


def test_a_piece_is_named_when_the_reader_knows_it() -> None:
    """While the event goes on, as far as is known so far; at its end, what is known then."""
    play = Play()
    show = play.art.proc("show", slots=4, params=1, verb=True, sorts=["piece"])
    play.art.body(show, ASK, move(s(1), ["zone", play.table]), ASK)
    deal = foreach(1, ["zone*", ["zone", play.start]], move(s(1), ["zfam", play.hand, n(0)]))
    pick = entry("show", do(show, s(3)), domains=[(3, "piece", ["zone*", ["zfam", play.hand, n(0)]])])
    game = play.run(deal, menu(n(0), "what", pick), ASK)
    game.choose("show:moon@hand.p1")

    def names() -> list[Any]:
        return [game.log(seat)[-1]["args"][0]["value"] for seat in (0, 1)]

    assert names() == ["moon", None]
    game.choose("go")
    assert names() == ["moon", "moon"] and game.log(1)[-1]["open"]
    game.choose("go")
    assert names() == ["moon", "moon"] and "open" not in game.log(1)[-1]


@pytest.mark.parametrize(("back", "shown"), [(False, {}), (True, {"kind": "card"})])
def test_a_hidden_piece_is_told_by_its_back(back: bool, shown: dict[str, str]) -> None:
    play = Play()
    play.art.doc["kinds"][play.art.find("kinds", "card")]["back"] = back
    show = play.art.proc("show", slots=4, params=1, verb=True, sorts=["piece"])
    deal = foreach(1, ["zone*", ["zone", play.start]], move(s(1), ["zfam", play.hand, n(0)]), do(show, s(1)))
    game = play.run(deal, ASK)
    assert game.log(0)[-1]["args"] == [{"sort": "piece", "value": "moon"}]
    assert game.log(1)[-1]["args"] == [{"sort": "piece", "value": None, **shown}]


@pytest.mark.parametrize("name", ["letters", "stress", "leduc"])
def test_entries_keep_their_number(name: str) -> None:
    """Who reads on where he stopped misses nothing: later entries come behind, and what has ended stays as it is."""
    package, players = {
        "letters": (games.letters(), 2),
        "stress": (games.stress(), 3),
        "leduc": (games.leduc(), 2),
    }[name]
    for seed in range(4):
        game = new_game(package, players, seed)
        dice = Dice(seed, "log")
        past: dict[int | None, list[dict[str, Any]]] = {seat: [] for seat in [*range(players), None]}
        for _ in range(80):
            for seat, before in past.items():
                now = game.log(seat, True)
                assert [row["n"] for row in now] == list(range(1, len(now) + 1))
                for old, new in zip(before, now, strict=False):
                    same = ("n", "depth", "verb", "choice", "you") if old.get("open") else tuple(old)
                    assert [new.get(key) for key in same] == [old.get(key) for key in same]
                    assert old.get("open") or "open" not in new
                assert len(now) >= len(before)
                past[seat] = now
            found = game.decisions()
            if not found:
                assert not any("open" in row for row in game.log(None))
                break
            decision = found[dice.below(len(found))]
            game.choose(decision.keys[dice.below(len(decision.keys))], decision.seat)


def test_repeats_do_not_nest() -> None:
    play = Play()
    play.art.body(play.outer, ASK)
    game = play.run(repeat(do(play.outer), times=n(3)), ASK)
    game.choose("go")
    game.choose("go")
    assert told(game, True) == ["outer", "  [go]", "outer", "  [go]", "outer.."]

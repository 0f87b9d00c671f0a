"""Every statement of the core, one at a time, waiting and not waiting."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import pytest
from rtkit import (
    AGAIN,
    STOP,
    Art,
    add,
    call,
    choose,
    do,
    end,
    entry,
    eq,
    foreach,
    let,
    menu,
    move,
    n,
    pay,
    repeat,
    ret,
    s,
    setcol,
    setvar,
    v,
    when,
)

from grimoire.runtime import BudgetExceeded, Game, IllegalChoice, SetupError, StaleChoice, new_game
from grimoire.runtime.core.records import FORMS, Statement

ASK = menu(n(0), "ask", entry("go"))


class Board:
    """A small world: variables x, y, z; four rooms; a hidden deck of six, hands, a face-up pile."""

    def __init__(self, players: int = 2) -> None:
        self.art = art = Art("board", (players, players))
        self.current = art.var("current-player", "seat")
        self.x, self.y, self.z = art.var("x"), art.var("y"), art.var("z", init=5, low=0, high=9)
        self.room = art.kind("room", "fixture")
        for at in range(4):
            art.fixture(f"room{at}", self.room)
        self.heat = art.column("heat", "fixture", low=0, high=3)
        self.mark = art.column("mark", "piece")
        card = art.kind("card", "piece")
        self.deck, self.hand = art.zone("deck", seen="none"), art.zone("hand", each=True, seen="owner")
        self.pile = art.zone("pile", seen="top")
        for at in range(6):
            art.definition(f"card{at}", card, 1, self.deck)
        self.main = art.proc("main", slots=16)
        for name in ("x", "y", "z"):
            art.function(name, v(getattr(self, name)))

    def play(self, *body: object, **more: object) -> Game:
        self.art.body(self.main, *body)
        self.game = new_game(self.art.load(), self.art.doc["players"]["min"], **more)
        return self.game

    def get(self, name: str) -> int:
        return self.game.eval_function(name, 0)


def test_all_statements_are_named_in_this_folder() -> None:
    from pathlib import Path

    text = "".join(path.read_text() for path in Path(__file__).parent.glob("*.py"))
    helpers = {"seq", "let", "setvar", "setcol", "move", "if", "foreach", "repeat", "stop", "again", "return", "menu"}
    helpers |= {"choose", "do", "call", "pay", "cancel", "end"}
    for op in FORMS[Statement]:
        assert op in helpers or f'"op": "{op}"' in text, op


def test_let_and_bounded_writes() -> None:
    b = Board()
    b.play(
        let(1, n(4)),
        setvar(b.x, s(1)),
        setvar(b.z, n(44)),
        setcol(b.heat, n(1), n(-2)),
        setcol(b.heat, n(2), n(8)),
        ASK,
    )
    assert (b.get("x"), b.get("z")) == (4, 9)
    view = b.game.view(0)["fixtures"]
    assert (view["room1"]["heat"], view["room2"]["heat"]) == (0, 3)


def test_setcol_of_nothing_does_nothing() -> None:
    b = Board()
    b.play(setcol(b.heat, n(-1), n(2)), setcol(b.mark, n(-1), n(2)), ASK)
    assert {row["heat"] for row in b.game.view(0)["fixtures"].values()} == {0}


def test_move_top_bottom_and_knowledge() -> None:
    b = Board()
    deck, hand = ["zone", b.deck], ["zfam", b.hand, n(1)]
    top = ["top", deck]
    game = b.play(
        move(top, hand),  # card5: its owner learns it
        move(top, hand, where="bottom", seen="none"),  # card4: nobody
        move(top, hand, seen="all"),  # card3: everybody
        move(top, hand, seen="keep"),  # card2: as before, nobody
        move(n(-1), hand),
        ASK,
    )
    ids = [piece["id"] for piece in game.view(None)["zones"]["hand.p2"]]
    assert ids == ["card4", "card5", "card3", "card2"]
    assert [piece["id"] for piece in game.view(1)["zones"]["hand.p2"]] == [None, "card5", "card3", None]
    assert [piece["id"] for piece in game.view(0)["zones"]["hand.p2"]] == [None, None, "card3", None]


def test_top_zones_show_their_top_only() -> None:
    b = Board()
    deck, pile = ["zone", b.deck], ["zone", b.pile]
    game = b.play(
        move(["top", deck], pile, seen="none"),
        move(["top", deck], pile, seen="none"),
        move(["top", deck], pile),
        move(["top", deck], pile, seen="none"),
        menu(n(0), "ask", entry("take", move(["top", pile], deck))),
        ASK,
    )
    assert [piece["id"] for piece in game.view(0)["zones"]["pile"]] == [None] * 4, "card3 was covered at once"
    game.choose("take")
    assert [piece["id"] for piece in game.view(0)["zones"]["pile"]] == [None, None, "card3"]


def test_shuffle_changes_order_and_drops_knowledge() -> None:
    b = Board()
    deck = ["zone", b.deck]
    look = {"op": "look", "who": n(3), "what": ["set", ["zone*", deck]]}
    orders = set()
    for seed in range(8):
        game = Board()
        game = b.play(look, menu(n(0), "ask", entry("mix", {"op": "shuffle", "zone": deck})), ASK, seed=seed)
        assert None not in [piece["id"] for piece in game.view(0)["zones"]["deck"]]
        game.choose("mix")
        assert [piece["id"] for piece in game.view(0)["zones"]["deck"]] == [None] * 6
        orders.add(tuple(piece["id"] for piece in game.view(None)["zones"]["deck"]))
    assert len(orders) > 4


def test_random_covers_its_selector_and_nothing_gives_minus_one() -> None:
    b = Board()
    found = set()
    for seed in range(40):
        b.play({"op": "random", "slot": 1, "from": ["range", n(1), n(6)]}, setvar(b.x, s(1)), ASK, seed=seed)
        found.add(b.get("x"))
    assert found == {1, 2, 3, 4, 5, 6}
    b.play({"op": "random", "slot": 1, "from": ["lone", n(-1)]}, setvar(b.x, s(1)), ASK)
    assert b.get("x") == -1


def test_script_forces_random_results() -> None:
    b = Board()
    roll = {"op": "random", "slot": 1, "from": ["range", n(1), n(6)]}
    body = [roll, setvar(b.x, s(1)), roll, setvar(b.y, s(1)), ASK]
    b.play(*body, script={"random": [6, {"index": 0}]})
    assert (b.get("x"), b.get("y")) == (6, 1)
    room = {"op": "random", "slot": 1, "from": ["fixtures", b.room]}
    b.play(room, setvar(b.x, s(1)), ASK, script={"random": ["room3"]})
    assert b.get("x") == 3
    with pytest.raises(SetupError, match="not among the 6"):
        b.play(*body, script={"random": [7]})


def test_look_teaches_only_those_that_look() -> None:
    b = Board()
    game = b.play({"op": "look", "who": n(2), "what": ["bit", ["top", ["zone", b.deck]]]}, ASK)
    assert game.view(1)["zones"]["deck"][-1]["id"] == "card5"
    assert game.view(0)["zones"]["deck"][-1]["id"] is None


@pytest.mark.parametrize("waits", [False, True])
def test_if_else(waits: bool) -> None:
    b = Board()
    extra = [ASK] if waits else []
    game = b.play(
        when(eq(v(b.x), n(0)), [*extra, setvar(b.y, n(1))], [setvar(b.y, n(2))]),
        when(eq(v(b.x), n(1)), [*extra, setvar(b.z, n(1))], [*extra, setvar(b.z, n(2))]),
        ASK,
    )
    while game.decision and len(game.decisions_made) < 2 * waits:
        game.choose("go")
    assert (b.get("y"), b.get("z")) == (1, 2)


@pytest.mark.parametrize("waits", [False, True])
def test_foreach_is_a_snapshot_with_stop_and_again(waits: bool) -> None:
    b = Board()
    extra = [ASK] if waits else []
    game = b.play(
        foreach(
            1,
            ["zone*", ["zone", b.deck]],
            move(s(1), ["zone", b.pile]),
            *extra,
            when(eq(s(1), n(1)), [AGAIN]),
            when(eq(s(1), n(4)), [STOP]),
            setvar(b.x, ["+", ["*", v(b.x), n(10)], s(1)]),
        ),
        menu(n(0), "last", entry("go")),
    )
    while game.decision.label != "last":
        game.choose("go")
    assert b.get("x") == 23
    assert len(game.view(0)["zones"]["pile"]) == 5


@pytest.mark.parametrize("waits", [False, True])
def test_repeat_counted_and_open(waits: bool) -> None:
    b = Board()
    extra = [ASK] if waits else []
    game = b.play(
        setvar(b.y, n(3)),
        repeat(*extra, setvar(b.y, n(9)), add(b.x, 1), times=v(b.y)),
        repeat(
            *extra, add(b.x, 10), when([">=", v(b.x), n(40)], [STOP]), when(["<", v(b.x), n(30)], [AGAIN]), add(b.x, 1)
        ),
        menu(n(0), "last", entry("go")),
    )
    while game.decision.label != "last":
        game.choose("go")
    assert b.get("x") == 44


@pytest.mark.parametrize("waits", [False, True])
def test_call_and_return(waits: bool) -> None:
    b = Board()
    extra = [ASK] if waits else []
    sub = b.art.proc("sub", [*extra, when(eq(s(1), n(1)), [ret(["+", s(0), n(40)])]), ret()], params=1, slots=3)
    game = b.play(
        call(sub, n(1), you=n(1), result=1),
        setvar(b.x, s(1)),
        call(sub, n(2), result=2),
        setvar(b.y, s(2)),
        menu(n(0), "last", entry("go")),
    )
    while game.decision.label != "last":
        game.choose("go")
    assert (b.get("x"), b.get("y")) == (41, -1)


def test_slots_of_a_new_frame_are_cleared() -> None:
    b = Board()
    dirty = b.art.proc("dirty", [let(1, n(7)), let(2, n(7)), ASK], slots=3)
    clean = b.art.proc("clean", [setvar(b.x, s(1)), setvar(b.y, s(2)), ASK], slots=3)
    game = b.play(call(dirty), call(clean))
    game.choose("go")
    assert (b.get("x"), b.get("y")) == (-1, -1)


def test_setting_leave_and_running() -> None:
    b = Board()
    art = b.art
    turn, inner = art.proc("turn", slots=4), art.proc("inner", slots=3)
    art.body(inner, setvar(b.x, ["setting", turn, 1]), {"op": "setting", "proc": turn, "slot": 2, "value": n(8)}, ASK)
    art.doc["procs"][inner]["body"]["body"] += [
        setvar(b.y, ["running", turn]),
        {"op": "leave", "proc": turn, "value": n(77)},
    ]
    art.body(turn, let(1, n(6)), call(inner), setvar(b.x, n(1000)))
    art.function("turning", ["running", turn])
    art.function("set", ["setting", turn, 2])
    game = b.play(call(turn, result=1), setvar(b.z, ["-", s(1), n(70)]), menu(n(0), "last", entry("go")))
    assert (b.get("x"), b.get("turning"), b.get("set")) == (6, 1, 8)
    game.choose("go")
    assert (b.get("x"), b.get("y"), b.get("z"), b.get("turning"), b.get("set")) == (6, 1, 7, 0, -1)


def test_leave_of_what_does_not_run_ends_the_work() -> None:
    b = Board()
    other = b.art.proc("other", [ASK])
    game = b.play({"op": "leave", "proc": other}, ASK)
    assert game.outcome is not None and game.outcome.id == "done"


def test_main_that_returns_ends_the_game() -> None:
    game = Board().play(ASK)
    game.choose("go")
    assert (game.outcome.id, game.outcome.winners, game.decision) == ("done", (), None)
    with pytest.raises(IllegalChoice, match="over"):
        game.choose("go")


def test_end_names_outcome_winners_and_scores() -> None:
    b = Board()
    b.art.doc["score"] = b.art.function("points", ["*", s(0), n(3)])
    game = b.play(end("tie", n(3)), ASK)
    assert (game.outcome.id, game.outcome.winners, game.outcome.scores) == ("tie", (0, 1), (0, 3))


def test_menu_guards_domains_otherwise_and_keys() -> None:
    b = Board()
    rooms = ["filter", ["fixtures", b.room], 1, ["!=", s(1), n(2)]]
    game = b.play(
        menu(n(1), "empty", entry("no", guard=n(0)), otherwise=[setvar(b.y, n(6))]),
        menu(
            n(1),
            "go",
            entry(
                "walk",
                setvar(b.x, ["+", ["*", s(1), n(10)], s(2)]),
                domains=[(1, "fixture", rooms), (2, "number", ["range", s(1), n(1)])],
            ),
            entry("hide", guard=eq(v(b.x), n(5))),
            entry("give", domains=[(1, "seat", ["seats", n(1)])]),
            entry("rest"),
        ),
        ASK,
    )
    assert b.get("y") == 6
    assert game.decision.seat == 1
    assert game.decision.keys == ("walk:room0:0", "walk:room0:1", "walk:room1:1", "give:p2", "give:p1", "rest")
    assert game.decision.options[1].values == ("room0", 1)
    before = game.digest()
    with pytest.raises(IllegalChoice, match="not offered to p2"):
        game.choose("hide")
    with pytest.raises(IllegalChoice, match="p1 is not asked"):
        game.choose("rest", 0)
    assert game.digest() == before
    game.choose("walk:room1:1")
    assert b.get("x") == 11


def test_piece_keys_and_merging() -> None:
    art = Art()
    card = art.kind("card", "piece")
    hand = art.zone("hand", each=True, seen="owner")
    deck = art.zone("deck", seen="none")
    mark = art.column("mark", "piece")
    art.definition("ant", card, 4, deck)
    art.definition("bee", card, 1, deck)
    pick = entry("pick", domains=[(1, "piece", ["pieces", card])])
    art.proc(
        "main",
        [
            foreach(1, ["range", n(0), n(2)], move(s(1), ["zfam", hand, n(0)])),
            move(n(4), ["zfam", hand, n(1)]),
            menu(n(0), "first", pick),
            setcol(mark, n(1), n(1)),
            menu(n(0), "second", pick),
        ],
    )
    game = new_game(art.load())
    assert game.decision.keys == ("pick:ant@hand.p1", "pick:hand.p2#1", "pick:deck#1")
    game.choose("pick:ant@hand.p1")
    assert game.decision.keys == ("pick:ant@hand.p1#1", "pick:ant@hand.p1#2", "pick:hand.p2#1", "pick:deck#1")


def test_choose_low_high_done() -> None:
    b = Board()
    game = b.play(choose(n(0), "rooms", 1, "fixture", ["fixtures", b.room], n(1), n(3)), setvar(b.x, s(1)), ASK)
    assert game.decision.keys == ("room0", "room1", "room2", "room3")
    game.choose("room2")
    assert game.decision.keys == ("room0", "room1", "room3", "done")
    clone = game.clone()
    game.choose("done")
    assert b.get("x") == 4
    clone.choose("room0")
    clone.choose("room3")
    assert clone.decision.label == "ask" and clone.eval_function("x", 0) == 13


def test_choose_with_nothing_to_choose_goes_on() -> None:
    b = Board()
    b.play(choose(n(0), "none", 1, "fixture", ["lone", n(-1)], n(2), n(3)), setvar(b.x, ["+", s(1), n(1)]), ASK)
    assert b.get("x") == 1


def test_choose_ends_when_nothing_is_left() -> None:
    b = Board()
    game = b.play(
        choose(n(0), "few", 1, "fixture", ["take", n(2), ["fixtures", b.room]], n(3), n(3)), setvar(b.x, s(1)), ASK
    )
    game.choose("room1")
    game.choose("room0")
    assert b.get("x") == 3


def test_choose_with_a_constraint_never_dead_ends() -> None:
    b = Board()
    total = eq(["sum", ["members", "number", s(1)], 2, s(2)], n(6))
    game = b.play(choose(n(0), "six", 1, "number", ["range", n(1), n(5)], n(2), n(3), total), setvar(b.x, s(1)), ASK)
    ends = set()
    todo = [game]
    while todo:
        present = todo.pop()
        if present.decision.label != "six":
            ends.add(present.eval_function("x", 0))
            continue
        assert present.decision.keys
        for key in present.decision.keys:
            other = present.clone()
            other.choose(key)
            todo.append(other)
    assert ends == {0b10100, 0b100010, 0b1110}
    assert game.decision.keys == ("1", "2", "3", "4", "5")
    game.choose("3")
    assert game.decision.keys == ("1", "2")


@pytest.mark.parametrize("bounds", [(0, 5), (1, 5), (1, 4), (2, 3), (5, 5)])
@pytest.mark.parametrize("op", ["==", ">=", "<="])
def test_the_steps_of_a_constrained_choice_are_those_that_a_search_of_all_sets_finds(
    op: str, bounds: tuple[int, int]
) -> None:
    low, high = bounds
    sets = [set(found) for size in range(low, high + 1) for found in itertools.combinations(range(1, 6), size)]
    for goal in range(1, 17):
        compare = {"==": operator.eq, ">=": operator.ge, "<=": operator.le}[op]
        good = [found for found in sets if compare(sum(found), goal)]
        if not good:
            continue
        b = Board()
        meets = [op, ["sum", ["members", "number", s(1)], 2, s(2)], n(goal)]
        game = b.play(choose(n(0), "some", 1, "number", ["range", n(1), n(5)], n(low), n(high), meets), ASK)
        taken: set[int] = set()
        while game.decision is not None and game.decision.label == "some":
            wanted = {x for x in range(1, 6) if x not in taken and any(taken | {x} <= found for found in good)}
            assert {key for key in game.decision.keys if key != "done"} == {str(x) for x in wanted}
            assert ("done" in game.decision.keys) == (taken in good)
            taken.add(min(wanted))
            game.choose(str(min(wanted)))


def test_program_of_a_definition() -> None:
    b = Board()
    art = b.art
    ask = art.proc("ask-effect", [menu(s(0), "inside", entry("ok")), ret(["+", s(1), n(30)])], params=1, slots=2)
    still = art.proc("still-effect", [ret(["+", s(1), n(60)])], params=1, slots=2)
    art.doc["definitions"][3]["programs"] = {"effect": ask, "note": still}
    art.doc["definitions"][4]["programs"] = {"effect": still}

    def run(piece: int, name: str, var: int) -> list[object]:
        return [{"op": "program", "piece": n(piece), "name": name, "you": n(1), "result": 1}, setvar(var, s(1))]

    game = b.play(
        *run(3, "effect", b.x),
        *run(4, "effect", b.y),
        ASK,
        *run(0, "effect", b.x),
        *run(3, "note", b.y),
        *run(-1, "note", b.z),
        ASK,
    )
    assert (game.decision.seat, game.decision.label) == (1, "inside")
    game.choose("ok")
    assert (b.get("x"), b.get("y")) == (33, 64)
    game.choose("go")
    assert (b.get("x"), b.get("y"), b.get("z")) == (-1, 63, 0)


def test_do_without_listeners() -> None:
    b = Board()
    quiet = b.art.proc("quiet", [add(b.x, 1), ret(n(9))], verb=True, slots=2)
    asks = b.art.proc("asks", [ASK, add(b.x, 10), ret(n(8))], verb=True, slots=2)
    game = b.play(
        do(quiet, ok=1, result=2),
        setvar(b.y, ["+", s(1), s(2)]),
        do(asks, ok=3, result=4),
        setvar(b.z, s(4)),
        menu(n(0), "last", entry("go")),
    )
    assert (b.get("x"), b.get("y")) == (1, 10)
    game.choose("go")
    assert (b.get("x"), b.get("z")) == (11, 8)
    assert [(row["verb"], row["ok"]) for row in game.log(0)] == [("quiet", True), ("asks", True)]


def bids(b: Board) -> dict[str, Any]:
    """A poll of the first and the third seat."""
    return {
        "op": "poll",
        "seats": n(5),
        "slot": 1,
        "menu": {
            "op": "menu",
            "seat": s(1),
            "label": "bid",
            "entries": [
                entry(
                    "bid",
                    setvar(b.x, ["+", ["*", v(b.x), n(10)], s(2)]),
                    domains=[(2, "number", ["range", n(1), ["+", s(1), n(2)]])],
                )
            ],
        },
    }


def test_in_a_poll_each_seat_counts_its_own_questions() -> None:
    """The answer of another seat does not make mine stale; my second click is refused."""
    b = Board(3)
    game = b.play(bids(b), bids(b), ASK)
    first, third = game.decisions()
    game.choose("bid:1", 0, first.number)
    game.choose("bid:4", 2, third.number)
    assert [(d.seat, d.number) for d in game.decisions()] == [(0, 2), (2, 2)], "each has given one answer"
    for seat, number in ((0, first.number), (2, third.number)):
        with pytest.raises(StaleChoice):
            game.choose("bid:1", seat, number)
    game.choose("bid:1", 2, 2)
    with pytest.raises(StaleChoice, match="p3 answers question 2, but 3 is the next one"):
        game.choose("bid:1", 2, 2)
    assert game.view(0)["decision"]["number"] == 2 and "number" not in game.view(2)["decision"]


def test_what_is_asked_in_a_poll_changes_nothing() -> None:
    b = Board(3)
    game = b.play(bids(b), ASK)
    before = repr([game.state.slots, game.state.opts, game.state.vals, game.state.mem, len(game.state.units)])
    third = game.decisions()[1]
    for seat in (0, 1, 2):
        game.view(seat), game.why_not("bid:9", seat), game.why_not("x", seat)
    assert repr([game.state.slots, game.state.opts, game.state.vals, game.state.mem, len(game.state.units)]) == before
    game.choose("bid:4", 2)
    assert third.keys == ("bid:1", "bid:2", "bid:3", "bid:4") and third.label == "bid", "as it was when it was read"


def test_poll_is_answered_in_any_order_and_unseen() -> None:
    b = Board(3)
    game = b.play(bids(b), ASK)
    other = game.clone()
    assert [decision.seat for decision in game.decisions()] == [0, 2]
    assert game.decisions()[1].keys == ("bid:1", "bid:2", "bid:3", "bid:4")
    before = game.view(1), game.view(2)["zones"]
    game.choose("bid:4", 2)
    assert game.log(None, True) == []
    assert b.get("x") == 0
    assert game.view(1)["vars"] == before[0]["vars"]
    assert [decision.seat for decision in game.decisions()] == [0]
    game.choose("bid:1", 0)
    other.choose("bid:1")
    assert other.decision.seat == 2
    other.choose("bid:4", 2)
    assert b.get("x") == 14
    assert game.digest() == other.digest()
    assert game.decisions_made == ("p3 bid:4", "p1 bid:1")
    assert [(row["you"], row["values"][0]["value"]) for row in game.log(1, True)] == [("p1", 1), ("p3", 4)]
    assert game.log(1, True) == other.log(1, True)


def test_poll_with_a_seat_that_has_no_option() -> None:
    b = Board()
    poll = {
        "op": "poll",
        "seats": n(3),
        "slot": 1,
        "menu": menu(s(1), "bid", entry("bid", add(b.x, 1), guard=eq(s(1), n(1))), otherwise=add(b.x, 10)),
    }
    game = b.play(poll, ASK)
    assert [decision.seat for decision in game.decisions()] == [1]
    game.choose("bid")
    assert b.get("x") == 11


def test_pay_runs_then_or_else() -> None:
    b = Board()
    spend = setvar(b.z, ["-", v(b.z), n(3)])
    game = b.play(pay([spend], [add(b.x, 1)], [add(b.y, 1)]), pay([spend], [add(b.x, 1)], [add(b.y, 1)]), ASK)
    assert (b.get("x"), b.get("y"), b.get("z")) == (1, 1, 2)
    assert game.decision.label == "ask"


def test_an_endless_loop_is_stopped_and_named() -> None:
    b = Board()
    spin = b.art.proc("spin", [repeat(add(b.x, 1))])
    with pytest.raises(BudgetExceeded, match="main"):
        b.play(call(spin))
    c = Board()
    again = c.art.proc("again-and-again", slots=2)
    c.art.body(again, when(n(1), [call(again)]))
    with pytest.raises(BudgetExceeded, match="again-and-again"):
        c.play(call(again))


def test_a_breach_of_the_budget_leaves_the_game_unchanged() -> None:
    b = Board()
    spin = b.art.proc("spin", [repeat(add(b.x, 1))])
    game = b.play(menu(n(0), "ask", entry("spin", call(spin)), entry("go")), ASK)
    before = game.digest()
    with pytest.raises(BudgetExceeded):
        game.choose("spin")
    assert game.digest() == before
    game.choose("go")

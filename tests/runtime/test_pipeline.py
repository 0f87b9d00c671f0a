"""Events: cannot, before, instead, after; windows, order, limits, floating effects, costs."""

from __future__ import annotations

import pytest
from rtkit import (
    CANCEL,
    Art,
    ability_program,
    add,
    call,
    choose,
    do,
    end,
    entry,
    eq,
    let,
    menu,
    move,
    n,
    pay,
    repeat,
    ret,
    s,
    setvar,
    v,
    when,
)

from grimoire.runtime import BudgetExceeded, Game, load_game, new_game
from grimoire.runtime.play.listener_index import rebuild_index

WAIT = menu(n(0), "wait", entry("go"))


class Table:
    """One verb ``lose`` (takes an amount from ``hp``, returns it) and whatever a test adds."""

    def __init__(self, players: int = 2) -> None:
        self.art = art = Art("table", (players, players))
        self.current = art.var("current-player", "seat")
        self.hp = art.var("hp", init=20, low=0, high=30)
        self.x, self.y, self.ok, self.result = art.var("x"), art.var("y"), art.var("ok"), art.var("result")
        card = art.kind("card", "piece")
        self.box, self.play_zone = art.zone("box", seen="none"), art.zone("play", each=True, seen="all")
        self.card = art.definition("shield", card, 2, self.box)
        self.main = art.proc("main", slots=10)
        self.lose = art.proc("lose", slots=4, params=1, verb=True, sorts=["number"])
        art.body(self.lose, setvar(self.hp, ["-", v(self.hp), s(1)]), ret(s(1)))
        self.gain = art.proc("gain", slots=4, params=1, verb=True, sorts=["number"])
        art.body(self.gain, setvar(self.hp, ["+", v(self.hp), s(1)]), ret(s(1)))
        for name in ("hp", "x", "y", "ok", "result"):
            art.function(name, v(getattr(self, name)))

    def hit(self, amount: int = 3, verb: int | None = None) -> list[object]:
        verb = self.lose if verb is None else verb
        return [do(verb, n(amount), ok=1, result=2), setvar(self.ok, s(1)), setvar(self.result, s(2))]

    def ability(
        self, ident: str, phase: str, *body: object, on: int | None = None, slots: int = 6, **more: object
    ) -> int:
        proc = ability_program(self.art, f"{ident}-program", list(body), slots)
        return self.art.ability(ident, self.lose if on is None else on, phase, proc, **more)

    def start(self, *body: object) -> Game:
        self.art.body(self.main, *body)
        self.game = new_game(self.art.load(), self.art.doc["players"]["min"])
        return self.game

    def get(self, name: str) -> int:
        return self.game.eval_function(name, 0)


def setarg(value: object) -> object:
    return {"op": "setarg", "arg": 1, "value": value}


def test_cannot_is_above_everything() -> None:
    t = Table()
    t.art.ability("never", t.lose, "cannot", cond=[">", ["arg", 1], n(5)])
    t.ability("halve", "before", setarg(["//", ["arg", 1], n(2)]))
    t.start(*t.hit(6), WAIT, *t.hit(4), WAIT)
    assert (t.get("hp"), t.get("ok"), t.get("result")) == (20, 0, -1)
    t.game.choose("go")
    assert (t.get("hp"), t.get("ok"), t.get("result")) == (18, 1, 2)
    assert [(row["args"][0]["value"], row["ok"]) for row in t.game.log(0)] == [(6, False), (2, True)]


def test_a_changed_argument_is_looked_at_again_from_cannot() -> None:
    t = Table()
    t.art.ability("never", t.lose, "cannot", cond=eq(["arg", 1], n(8)))
    t.ability("double", "before", setarg(["*", ["arg", 1], n(2)]))
    t.start(*t.hit(4), WAIT)
    assert (t.get("hp"), t.get("ok")) == (20, 0)


def test_before_is_used_once_in_a_chain() -> None:
    t = Table()
    t.ability("plus", "before", setarg(["+", ["arg", 1], n(1)]))
    t.ability("more", "before", setarg(["+", ["arg", 1], n(2)]))
    t.start(*t.hit(), WAIT)
    assert t.get("hp") == 14


def test_prevention_counts_as_not_happened() -> None:
    t = Table()
    t.ability("ward", "instead", CANCEL, add(t.x, 1))
    t.ability("late", "instead", add(t.y, 1))
    t.ability("after", "after", add(t.y, 10))
    t.start(*t.hit(), WAIT)
    assert (t.get("hp"), t.get("ok"), t.get("x"), t.get("y")) == (20, 0, 1, 0)


def test_replacement_by_another_event_inherits_what_is_spent() -> None:
    t = Table()
    t.ability("turn", "instead", CANCEL, do(t.gain, ["arg", 1]))
    t.ability("turn-back", "instead", CANCEL, do(t.lose, ["arg", 1]), on=t.gain)
    t.start(*t.hit(), WAIT)
    # lose -> gain -> lose: the first is spent, so the chain ends
    assert (t.get("hp"), t.get("ok")) == (17, 0)


def test_replacement_by_its_own_kind_ends() -> None:
    t = Table()
    t.ability("shift", "instead", CANCEL, do(t.lose, ["+", ["arg", 1], n(1)]))
    t.ability("shift2", "instead", CANCEL, do(t.lose, ["+", ["arg", 1], n(2)]))
    t.start(*t.hit(), WAIT)
    assert t.get("hp") == 14


def test_a_forbidden_replacement_does_not_happen() -> None:
    t = Table()
    t.art.ability("no-gain", t.gain, "cannot")
    t.ability("turn", "instead", CANCEL, do(t.gain, ["arg", 1], ok=2), setvar(t.x, s(2)))
    t.start(setvar(t.x, n(5)), *t.hit(), WAIT)
    assert (t.get("hp"), t.get("x"), t.get("ok")) == (20, 0, 0)


def test_after_sees_result_and_can_change_it() -> None:
    t = Table()
    t.ability("note", "after", setvar(t.x, ["result"]), {"op": "setresult", "value": ["+", ["result"], n(100)]})
    t.start(*t.hit(4), WAIT)
    assert (t.get("x"), t.get("result"), t.get("ok")) == (4, 104, 1)


def test_after_condition_reads_the_result() -> None:
    t = Table()
    t.ability("big", "after", add(t.x, 1), cond=[">=", ["result"], n(4)])
    t.start(*t.hit(3), *t.hit(4), WAIT)
    assert t.get("x") == 1


def test_nested_triggers_run_each_once() -> None:
    t = Table()
    t.ability("thorns", "after", do(t.gain, n(1)))
    t.ability("echo", "after", add(t.x, 1), on=t.gain)
    t.start(*t.hit(), *t.hit(), WAIT)
    assert (t.get("hp"), t.get("x")) == (16, 2)


def test_an_event_whose_body_waits_keeps_its_arguments() -> None:
    t = Table()
    slow = t.art.proc(
        "slow",
        [menu(s(0), "inside", entry("ok")), setvar(t.hp, ["-", v(t.hp), s(1)]), ret(s(1))],
        params=1,
        slots=3,
        verb=True,
    )
    t.ability("plus", "before", setarg(["+", ["arg", 1], n(1)]), on=slow)
    t.ability("note", "after", setvar(t.x, ["arg", 1]), on=slow)
    game = t.start(*t.hit(5, slow), WAIT)
    game.choose("ok")
    assert (t.get("hp"), t.get("x"), t.get("result")) == (14, 6, 6)


def test_optional_abilities_are_asked_in_turn_order_with_pass() -> None:
    t = Table(3)
    for seat in (0, 1, 2):
        t.ability(f"save{seat}", "before", setarg(["-", ["arg", 1], n(1)]), optional=True, asks=n(seat))
    game = t.start(setvar(t.current, n(1)), *t.hit(), WAIT)
    asked = []
    for key in ("pass", "save2", "save0"):
        asked.append((game.decision.seat, game.decision.label, game.decision.keys))
        game.choose(key)
    assert asked == [(1, "react", ("save1", "pass")), (2, "react", ("save2", "pass")), (0, "react", ("save0", "pass"))]
    assert t.get("hp") == 19


def test_a_window_is_looked_at_again_after_each_use() -> None:
    t = Table()
    t.ability("first", "before", setarg(n(0)), cond=[">", ["arg", 1], n(0)])
    t.ability("second", "before", add(t.x, 1), optional=True, cond=[">", ["arg", 1], n(0)])
    game = t.start(*t.hit(), WAIT)
    assert game.decision.label == "wait" and t.get("hp") == 20 and t.get("x") == 0


def test_forced_ones_that_touch_are_ordered_by_the_current_seat() -> None:
    t = Table()
    foot = {"reads": ["hp"], "writes": ["hp"]}
    t.ability("triple", "before", setarg(["*", ["arg", 1], n(3)]), **foot)
    t.ability("minus", "before", setarg(["-", ["arg", 1], n(1)]), **foot)
    t.ability("aside", "before", add(t.x, 1), reads=["x"], writes=["x"])
    game = t.start(setvar(t.current, n(1)), *t.hit(), WAIT)
    assert t.get("x") == 1  # what touches nothing runs unasked
    assert (game.decision.seat, game.decision.label, game.decision.keys) == (1, "order", ("triple", "minus"))
    other = game.clone()
    game.choose("triple")
    assert t.get("hp") == 12
    other.choose("minus")
    assert other.eval_function("hp", 0) == 14


def test_forced_ones_that_do_not_touch_run_in_index_order() -> None:
    t = Table()
    t.ability("one", "after", setvar(t.x, ["+", ["*", v(t.x), n(10)], n(1)]), reads=["a"], writes=["b"])
    t.ability("two", "after", setvar(t.x, ["+", ["*", v(t.x), n(10)], n(2)]), reads=["c"], writes=["d"])
    game = t.start(*t.hit(), WAIT)
    assert game.decision.label == "wait" and t.get("x") == 12


def test_abilities_of_pieces_live_where_they_say() -> None:
    t = Table()
    t.ability(
        "guard",
        "instead",
        CANCEL,
        setvar(t.x, ["+", s(0), n(1)]),
        setvar(t.y, ["this"]),
        of=t.card,
        live=[1],
        limit={"n": 1, "per": -1},
    )
    body = [
        *t.hit(),
        move(n(1), ["zfam", t.play_zone, n(1)]),
        *t.hit(),
        menu(n(0), "mid", entry("go")),
        *t.hit(),
        move(n(0), ["zfam", t.play_zone, n(0)]),
    ]
    game = t.start(*body, *t.hit(), WAIT)
    assert (t.get("hp"), t.get("x"), t.get("y")) == (17, 2, 1)  # the owner is the holder of the zone, p2
    game.choose("go")
    assert (t.get("hp"), t.get("x"), t.get("y")) == (14, 1, 0)
    fresh = game.clone()
    rebuild_index(fresh.state)
    assert fresh.state.index == game.state.index


def test_default_life_is_every_zone_somebody_sees() -> None:
    t = Table()
    t.ability("guard", "after", add(t.x, 1), of=t.card)
    t.start(*t.hit(), move(n(0), ["zfam", t.play_zone, n(0)]), *t.hit(), WAIT)
    assert t.get("x") == 1


def test_limits_count_by_instance_and_scope() -> None:
    t = Table()
    turn = t.art.proc("turn", [*t.hit(), *t.hit(), *t.hit()])
    t.ability("twice", "before", setarg(n(0)), limit={"n": 2, "per": turn})
    t.ability("game", "after", add(t.x, 1), limit={"n": 1, "per": -1})
    t.start(call(turn), call(turn), WAIT)
    assert (t.get("hp"), t.get("x")) == (14, 1)


def grant(t: Table, abilities: list[int], modifiers: list[int], until: int, *captures: object) -> object:
    del t
    return {"op": "grant", "abilities": abilities, "modifiers": modifiers, "until": until, "captures": list(captures)}


def test_floating_abilities_end_with_their_frame() -> None:
    t = Table()
    turn = t.art.proc("turn", slots=6)
    bonus = t.ability("bonus", "before", setarg(["+", ["arg", 1], s(2)]), of=-2)
    t.art.body(turn, grant(t, [bonus], [], turn, n(4)), *t.hit(), WAIT, *t.hit())
    game = t.start(call(turn), *t.hit(), WAIT)
    assert t.get("hp") == 13
    assert [row["ability"] for row in game.view(0)["effects"]] == ["bonus"]
    game.choose("go")
    assert t.get("hp") == 3 and game.view(0)["effects"] == []
    game.undo()
    assert t.get("hp") == 13 and len(game.view(0)["effects"]) == 1
    game.choose("go")
    assert t.get("hp") == 3


def test_the_next_time_is_gone_after_use() -> None:
    t = Table()
    ward = t.ability("ward", "instead", CANCEL, setvar(t.x, s(0)), of=-2, once=True)
    t.start(grant(t, [ward], [], -1), *t.hit(), *t.hit(), WAIT)
    assert (t.get("hp"), t.get("x")) == (17, 0)


def test_floating_limit() -> None:
    t = Table()
    ward = t.ability("ward", "instead", CANCEL, of=-2, limit={"n": 2, "per": -1})
    t.start(grant(t, [ward], [], -1), *t.hit(), *t.hit(), *t.hit(), WAIT)
    assert t.get("hp") == 17


def test_floating_effects_that_are_alike_are_not_put_in_order() -> None:
    """Only what was granted to another, with other captures, or until something else is another one."""
    own = {"reads": ["x"], "writes": ["x"]}
    t = Table()
    double = t.ability("double", "after", setvar(t.x, ["+", ["*", v(t.x), n(2)], s(2)]), of=-2, **own)
    alike = t.start(grant(t, [double], [], -1, n(3)), grant(t, [double], [], -1, n(3)), *t.hit(), WAIT)
    assert alike.decision.label == "wait" and t.get("x") == 9
    t = Table()
    double = t.ability("double", "after", setvar(t.x, ["+", ["*", v(t.x), n(2)], s(2)]), of=-2, **own)
    unlike = t.start(grant(t, [double], [], -1, n(3)), grant(t, [double], [], -1, n(4)), *t.hit(), WAIT)
    assert [option.key for option in unlike.decision.options] == ["double#1", "double#2"]


def test_floating_effects_that_are_alike_are_offered_once() -> None:
    t = Table()
    ward = t.ability("ward", "before", setarg(["-", ["arg", 1], n(1)]), of=-2, optional=True, once=True)
    game = t.start(*[grant(t, [ward], [], -1)] * 3, *t.hit(), WAIT)
    assert [option.key for option in game.decision.options] == ["ward#1", "pass"]
    game.choose("ward#1")
    game.choose("ward#1")
    game.choose("pass")
    assert t.get("hp") == 19 and len(game.view(0)["effects"]) == 1


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("lure", "phase"),
    [("before", "before"), ("before", "instead"), ("before", "after"), ("instead", "instead"), ("after", "after")],
)
def test_what_comes_into_force_in_a_window_waits_for_the_next_event(lure: str, phase: str, late: bool) -> None:
    """The lure brings the guard into play; the guard answers the next hit, unless it answers late ones as well."""
    t = Table()
    live = {"of": t.card, "live": [1]}
    t.ability("lure", lure, move(n(0), ["zfam", t.play_zone, n(0)]))
    t.ability("guard", phase, add(t.x, 1), **live, **({"late": True} if late else {}))
    t.ability("guard-after", "after", add(t.y, 1), **live)
    game = t.start(*t.hit(), menu(n(0), "mid", entry("go")), *t.hit(), WAIT)
    assert (t.get("x"), t.get("y")) == (1 if late else 0, 0)
    game.choose("go")
    assert (t.get("x"), t.get("y")) == (2 if late else 1, 1)


def test_what_comes_into_force_while_the_event_happens_answers_what_follows() -> None:
    """What an ability before it has brought does not."""
    t = Table()
    arrive = t.art.proc("arrive", slots=4, verb=True, sorts=[])
    t.art.body(arrive, move(n(0), ["zfam", t.play_zone, n(0)]))
    t.ability("guard", "after", add(t.x, 1), of=t.card, live=[1], on=arrive)
    t.ability("lure", "before", move(n(1), ["zfam", t.play_zone, n(0)]), on=arrive)
    t.start(do(arrive), WAIT)
    assert t.get("x") == 1


def test_a_floating_effect_of_a_window_waits_for_the_next_event() -> None:
    t = Table()
    ward = t.ability("ward", "after", add(t.x, 1), of=-2)
    t.ability("bless", "before", grant(t, [ward], [], -1), limit={"n": 1, "per": -1})
    game = t.start(*t.hit(), menu(n(0), "mid", entry("go")), *t.hit(), WAIT)
    assert t.get("x") == 0
    game.choose("go")
    assert t.get("x") == 1


def test_a_window_that_waits_keeps_what_was_in_force() -> None:
    """A saved game goes on alike, why-not says why, and who comes first is kept beside it."""
    t = Table()
    live = {"of": t.card, "live": [1], "optional": True}
    t.ability("lure", "before", move(n(0), ["zfam", t.play_zone, n(0)]))
    t.ability("guard", "before", add(t.x, 1), **live)
    t.ability("other", "before", add(t.y, 1), optional=True)
    game = t.start(*t.hit(), WAIT)
    assert [option.key for option in game.decision.options] == ["other", "pass"]
    assert [why.code for why in game.why_not("guard:shield")] == ["late"]
    loaded = load_game(game.package, game.save())
    for one in (game, loaded):
        one.choose("other")
        assert one.decision.label == "wait"
    assert loaded.digest() == game.digest()


def test_leave_ends_floating_effects_of_what_it_leaves() -> None:
    t = Table()
    outer, inner = t.art.proc("outer", slots=4), t.art.proc("inner", slots=4)
    ward = t.ability("ward", "instead", CANCEL, of=-2)
    t.art.body(inner, grant(t, [ward], [], inner), {"op": "leave", "proc": outer})
    t.art.body(outer, call(inner))
    t.start(call(outer), *t.hit(), WAIT)
    assert t.get("hp") == 17


def test_modifiers_of_pieces_and_floating_ones() -> None:
    t = Table()
    might = t.art.column("might", "seat", init=2, low=0, high=8)
    t.art.modifier(might, of=t.card, live=[1], cond=eq(s(2), s(0)), add=n(3))
    extra = t.art.modifier(might, of=-2, slot=3, add=s(2))
    t.art.function("might", ["attr", might, s(0)])
    turn = t.art.proc("turn", [grant(t, [], [extra], 4, n(10)), WAIT])
    t.art.doc["procs"][turn]["body"]["body"][0]["until"] = turn
    game = t.start(
        move(n(0), ["zfam", t.play_zone, n(1)]),
        menu(n(0), "first", entry("go")),
        call(turn),
        menu(n(0), "last", entry("go")),
    )

    def mights() -> list[int]:
        return [game.eval_function("might", seat) for seat in (0, 1)]

    assert mights() == [2, 5]
    game.choose("go")
    assert mights() == [8, 8]
    game.choose("go")
    assert mights() == [2, 5]


def test_an_endless_chain_is_named() -> None:
    t = Table()
    t.ability("loop", "after", do(t.lose, n(1)), label="the endless card")
    try:
        t.start(*t.hit(), WAIT)
    except BudgetExceeded as error:
        assert "the endless card" in str(error) and "lose" in str(error)
    else:
        raise AssertionError("no budget")


def test_an_ability_can_ask_and_end_the_game() -> None:
    t = Table()
    t.ability("doom", "after", menu(n(1), "doom", entry("yes", end("doom", n(2))), entry("no")))
    game = t.start(*t.hit(), WAIT)
    assert game.decision.seat == 1
    other = game.clone()
    game.choose("yes")
    assert game.outcome.id == "doom" and game.outcome.winners == (1,)
    other.choose("no")
    assert other.decision.label == "wait"


def test_return_and_leave_in_an_event_still_open_the_after_window() -> None:
    t = Table()
    early = t.art.proc(
        "early",
        [menu(n(0), "inside", entry("ret", ret(n(5))), entry("leave"), entry("on", add(t.y, 1)))],
        verb=True,
        slots=2,
    )
    t.art.doc["procs"][early]["body"]["body"][0]["entries"][1]["body"] = {"op": "leave", "proc": early, "value": n(6)}
    t.ability("note", "after", setvar(t.x, ["result"]), on=early)
    for key, x in (("ret", 5), ("leave", 6), ("on", -1)):
        game = t.start(do(early, ok=1), setvar(t.ok, s(1)), WAIT)
        game.choose(key)
        assert (t.get("x"), t.get("ok")) == (x, 1), key


# -- costs


class Purse(Table):
    """A pool of gold, and two costs on it."""

    def __init__(self) -> None:
        super().__init__()
        self.gold = self.art.var("gold", init=5, low=0, high=99)
        self.art.function("gold", v(self.gold))
        self.spend = self.art.proc("spend", params=1, slots=3, verb=True, sorts=["number"])
        self.art.body(self.spend, setvar(self.gold, ["-", v(self.gold), s(1)]))


def test_two_costs_on_one_pool_are_added_up() -> None:
    t = Purse()
    t.art.function("can5", ["can", {"op": "seq", "body": [do(t.spend, n(2)), do(t.spend, n(3))]}])
    t.art.function("can6", ["can", {"op": "seq", "body": [do(t.spend, n(3)), do(t.spend, n(3))]}])
    t.start(pay([do(t.spend, n(3)), do(t.spend, n(3))], [add(t.x, 1)], [add(t.y, 1)]), WAIT)
    assert (t.get("can5"), t.get("can6"), t.get("gold"), t.get("x"), t.get("y")) == (1, 0, 5, 0, 1)


def test_a_cost_that_is_forbidden_or_replaced_is_not_payable() -> None:
    t = Purse()
    t.art.ability("locked", t.spend, "cannot", cond=eq(v(t.x), n(1)))
    t.ability("free", "instead", CANCEL, on=t.spend, cond=eq(v(t.x), n(2)))
    t.art.function("can", ["can", do(t.spend, n(1))])
    found = []
    for x in (0, 1, 2):
        game = t.start(setvar(t.x, n(x)), WAIT)
        found.append(t.get("can"))
        assert t.get("gold") == 5 and game.log(0) == []
    assert found == [1, 0, 0]


def test_triggers_of_a_cost_do_not_make_it_unpayable() -> None:
    t = Purse()
    t.ability("tax", "after", setvar(t.hp, ["-", v(t.hp), n(99)]), on=t.spend)
    t.start(pay([do(t.spend, n(2))], [add(t.x, 1)], [add(t.y, 1)]), WAIT)
    assert (t.get("x"), t.get("gold"), t.get("hp")) == (1, 3, 0)


def test_a_cost_with_choices_offers_only_what_can_be_paid() -> None:
    t = Purse()
    pick = menu(n(0), "how", entry("much", do(t.spend, n(4))), entry("little", do(t.spend, n(1))), entry("none"))
    body = [pay([pick, do(t.spend, n(3))], [add(t.x, 1)], [add(t.y, 1)]), WAIT]
    game = t.start(*body)
    assert game.decision.keys == ("little", "none")
    game.choose("little")
    assert (t.get("gold"), t.get("x"), t.get("y")) == (1, 1, 0)
    game = t.start(setvar(t.gold, n(2)), *body)
    assert game.decision.label == "wait" and (t.get("gold"), t.get("y")) == (2, 1)


def test_can_with_choices_back_tracks() -> None:
    t = Purse()
    pick = menu(n(0), "how", entry("much", do(t.spend, n(4))), entry("little", do(t.spend, n(1))))
    t.art.function("yes", ["can", {"op": "seq", "body": [pick, do(t.spend, n(4))]}], slots=9)
    t.art.function("no", ["can", {"op": "seq", "body": [pick, do(t.spend, n(5))]}], slots=9)
    t.start(WAIT)
    assert (t.get("yes"), t.get("no"), t.get("gold")) == (1, 0, 5)


def test_a_choice_below_its_low_is_not_payable() -> None:
    t = Purse()
    zone = ["zone*", ["zone", t.box]]
    t.art.function("two", ["can", choose(n(0), "drop", 1, "piece", zone, n(2), n(2))], slots=9)
    t.art.function("three", ["can", choose(n(0), "drop", 1, "piece", zone, n(3), n(3))], slots=9)
    t.start(WAIT)
    assert (t.get("two"), t.get("three")) == (1, 0)


def test_paying_binds_names_for_what_follows() -> None:
    t = Purse()
    zone = ["zone*", ["zone", t.box]]
    game = t.start(pay([choose(n(0), "drop", 3, "piece", zone, n(1), n(1))], [setvar(t.x, ["size", s(3)])]), WAIT)
    game.choose("box#2")
    assert t.get("x") == 1


def test_undo_of_a_paid_cost() -> None:
    t = Purse()
    game = t.start(repeat(menu(n(0), "buy", entry("buy", pay([do(t.spend, n(2))], [add(t.x, 1)])), entry("rest"))))
    digests = [game.digest()]
    for _ in range(3):
        game.choose("buy")
        digests.append(game.digest())
    assert (t.get("x"), t.get("gold")) == (2, 1)
    for digest in reversed(digests[:-1]):
        game.undo()
        assert game.digest() == digest


def test_if_you_do_reads_what_really_happened() -> None:
    t = Table()
    t.art.ability("no-gain", t.gain, "cannot", cond=eq(v(t.y), n(0)))
    body = [do(t.gain, n(1), ok=4), when(s(4), [add(t.x, 1)], [add(t.x, 10)]), let(5, n(0))]
    t.start(*body, setvar(t.y, n(1)), *body, WAIT)
    assert t.get("x") == 11

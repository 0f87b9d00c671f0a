"""The face of a game: views, logs, why-not, saves that do not fit, edits, replays."""

from __future__ import annotations

import copy

import games
import pytest
from rtkit import Art, do, entry, eq, let, menu, move, n, s, setcol, setvar, v

from grimoire.runtime import (
    ContentMismatch,
    EditError,
    EngineFault,
    Game,
    ReplayMismatch,
    SaveError,
    load_game,
    new_game,
    record_of,
    replay,
)
from grimoire.runtime.kernel.rng import Dice


class Inn:
    """Two seats, a hidden deck, places with texts, a verb that can be forbidden."""

    def __init__(self, extra: int = 0) -> None:
        self.art = art = Art("inn")
        card, room = art.kind("card", "piece"), art.kind("room", "fixture")
        for at in range(3):
            art.fixture(f"room{at}", room)
        self.deck, self.hand = art.zone("deck", seen="none"), art.zone("hand", each=True, seen="owner")
        art.zone("table")
        art.var("current-player", "seat")
        self.gold = art.var("gold", init=2, low=0, high=9)
        self.secret = art.var("secret", init=3, seen="none")
        self.debt = art.column("debt", "seat", seen="owner")
        self.open = art.column("open", "fixture", "flag", init=1)
        self.wear = art.column("wear", "piece", seen="owner")
        art.column("dust", "piece")
        for at in range(4):
            art.definition(f"card{at}", card, 1, self.deck)
        self.main = art.proc("main", slots=8)
        self.rest = art.proc(
            "rest", [setvar(self.gold, ["-", v(self.gold), s(1)])], params=1, slots=4, verb=True, sorts=["number"]
        )
        self.show = art.proc("show", [move(s(1), ["zone", 2])], params=1, slots=3, verb=True, sorts=["piece"])
        ban = art.place("rules.yaml", 7, "cannot rest while poor")
        art.ability("poor", self.rest, "cannot", cond=["<", v(self.gold), n(2)], label="the poor do not rest", at=ban)
        rich, lit = art.place("inn.yaml", 3, "your gold is at least 5"), art.place("inn.yaml", 4, "the room is open")
        hidden = art.place("inn.yaml", 5, "the secret is out")
        rooms = ["filter", ["fixtures", room], 2, ["at", lit, ["col", self.open, s(2)]]]
        feast = ["and", ["at", rich, [">=", v(self.gold), n(5)]], n(1)]
        art.body(
            self.main,
            move(["top", ["zone", self.deck]], ["zfam", self.hand, n(0)]),
            setcol(self.open, n(1), n(0)),
            setcol(self.debt, n(0), n(4)),
            {"op": "repeat", "body": menu(
                n(0),
                "inn",
                entry("feast", guard=feast),
                entry("rest", do(self.rest, n(1 + extra)), guard=["allowed", self.rest, s(0), n(1)]),
                entry("enter", domains=[(2, "fixture", rooms)]),
                entry("tell", guard=["at", hidden, eq(v(self.secret), n(0))]),
                entry("show", do(self.show, s(3)), domains=[(3, "piece", ["zone*", ["zfam", self.hand, n(0)]])]),
                entry("wait"),
            )},
        )  # fmt: skip
        art.function("gold", v(self.gold))

    def game(self) -> Game:
        return new_game(self.art.load())


def test_views_show_what_may_be_seen() -> None:
    game = Inn().game()
    mine, theirs, all_ = game.view(0), game.view(1), game.view(None)
    assert [mine["zones"]["hand.p1"][0]["id"], theirs["zones"]["hand.p1"][0]["id"]] == ["card3", None]
    assert mine["zones"]["hand.p1"][0] == {"id": "card3", "wear": 0, "dust": 0}
    assert theirs["zones"]["hand.p1"][0] == {"id": None, "dust": 0}
    assert "secret" not in mine["vars"] and all_["vars"]["secret"] == 3
    assert mine["seats"]["p1"] == {"debt": 4} and theirs["seats"]["p1"] == {}
    assert mine["decision"]["options"][0] == "rest" and mine["decision"]["label"] == "inn"
    assert theirs["decision"] == {"seat": "p1"}
    assert mine["outcome"] is None


def test_the_log_names_a_piece_only_to_those_that_know_it() -> None:
    inn = Inn()
    hide = inn.art.proc("hide", [move(s(1), ["zone", inn.deck])], params=1, slots=3, verb=True, sorts=["piece"])
    inn.art.doc["procs"][inn.main]["body"]["body"][3]["body"]["entries"].append(
        entry("hide", do(hide, s(3)), domains=[(3, "piece", ["zone*", ["zfam", inn.hand, n(0)]])])
    )
    game = inn.game()
    other = game.clone()
    game.choose("show:card3@hand.p1")
    assert [game.log(seat)[-1]["args"] for seat in (0, 1)] == [[{"sort": "piece", "value": "card3"}]] * 2
    other.choose("hide:card3@hand.p1")
    assert [other.log(seat)[-1]["args"][0]["value"] for seat in (0, 1, None)] == ["card3", None, "card3"]
    assert other.log(1)[-1] | {"args": []} == {
        "n": 2, "depth": 0, "verb": "hide", "you": "p1", "args": [], "ok": True
    }  # fmt: skip


def test_decisions_are_logged_as_far_as_each_seat_knows_what_was_chosen() -> None:
    game = Inn().game()
    game.choose("enter:room2")
    game.choose("show:card3@hand.p1")
    game.choose("wait")
    first = {
        "n": 1,
        "depth": 0,
        "choice": "inn",
        "entry": "enter",
        "you": "p1",
        "values": [{"sort": "fixture", "value": "room2"}],
    }
    shown = {
        "n": 2,
        "depth": 0,
        "choice": "inn",
        "entry": "show",
        "you": "p1",
        "values": [{"sort": "piece", "value": "card3"}],
    }
    last = {"n": 4, "depth": 0, "choice": "inn", "entry": "wait", "you": "p1", "values": []}
    for seat in (0, 1, None):
        logged = game.log(seat, choices=True)
        hidden = shown | {"values": [{"sort": "piece", "value": None}]} if seat == 1 else shown
        assert [logged[0], logged[1], logged[3]] == [first, hidden, last]
        assert logged[2]["verb"] == "show" and game.log(seat) == [logged[2]]
    game.undo()
    assert len(game.log(0, choices=True)) == 3
    assert load_game(game.package, game.save()).log(1, True) == game.log(1, True)
    assert game.clone().log(1, True) == game.log(1, True)


def test_the_log_does_not_name_what_was_mixed_meanwhile() -> None:
    """A card goes into a hidden pile, the pile is shuffled and shown: nobody may learn who gave what."""
    art = Art()
    card = art.kind("card", "piece")
    hand, pile, table = art.zone("hand", each=True, seen="owner"), art.zone("pile", seen="none"), art.zone("table")
    start = art.zone("start", seen="none")
    for at in range(4):
        art.definition(f"card{at}", card, 1, start)
    main = art.proc("main", slots=6)
    give = art.proc("give", params=1, slots=4, verb=True, sorts=["piece"])
    art.body(
        give,
        move(s(1), ["zone", pile], seen="none"),
        {"op": "shuffle", "zone": ["zone", pile]},
        {"op": "foreach", "slot": 2, "in": ["zone*", ["zone", pile]], "body": move(s(2), ["zone", table])},
    )
    art.body(
        main,
        {"op": "foreach", "slot": 1, "in": ["range", n(0), n(2)], "body": move(s(1), ["zone", pile], seen="none")},
        move(n(3), ["zfam", hand, n(0)]),
        menu(n(0), "give", entry("give", do(give, n(3)))),
        menu(n(0), "wait", entry("go")),
    )
    game = new_game(art.load())
    game.choose("give")
    assert all(piece["id"] for piece in game.view(1)["zones"]["table"])
    assert game.log(1)[-1]["args"][0]["value"] is None
    assert game.log(None)[-1]["args"][0]["value"] == "card3"


def test_the_event_that_ends_the_game_is_logged() -> None:
    game = new_game(games.leduc(), seed=1)
    game.choose("raise")
    game.choose("fold")
    assert game.log(0)[-1]["verb"] == "fold" and game.outcome.id == "fold"


def test_why_not() -> None:
    game = Inn().game()
    before = game.digest()

    def why(key: str, seat: int | None = None) -> list[tuple[str, str]]:
        return [(reason.text, reason.place) for reason in game.why_not(key, seat)]

    assert why("wait") == []
    assert why("feast") == [("this does not hold: your gold is at least 5", "inn.yaml:3:1")]
    assert why("enter:room1") == [("this does not hold: the room is open", "inn.yaml:4:1")]
    assert why("tell") == [("something that you cannot see", "inn.yaml:5:1")]
    assert why("enter:room9") == [("room9 is not among what can be named here", "")]
    assert "keys look like feast, rest, enter:<fixture>" in why("dance")[0][0]
    assert "does not say with what" in why("enter")[0][0]
    assert why("wait", 1) == [("p2 is not asked now; p1 is", "")]
    game.choose("rest")
    assert why("rest") == [("cannot: the poor do not rest", "rules.yaml:7:1")]
    game.undo()
    assert game.digest() == before


def test_saves_that_do_not_fit() -> None:
    game = Inn().game()
    game.choose("rest")
    save = game.save()
    other = Inn(extra=0).art
    other.doc["text"] = {"en": {}}
    package = other.load()
    with pytest.raises(ContentMismatch) as caught:
        load_game(package, save)
    assert caught.value.saved == game.package.hash and package.hash in str(caught.value)
    moved = load_game(package, save, migrate=True)
    assert moved.eval_function("gold", 0) == 1 and moved.decisions_made == ("p1 rest",)
    changed = Inn().art
    changed.doc["procs"][0]["body"]["body"][3]["body"]["entries"][1]["id"] = "sleep"
    with pytest.raises(SaveError, match=r"decision 1 \('p1 rest'\)"):
        load_game(changed.load(), save, migrate=True)
    for key in ("state", "players", "decisions"):
        broken = copy.deepcopy(save)
        del broken[key]
        with pytest.raises(SaveError):
            load_game(game.package, broken)
    broken = copy.deepcopy(save)
    broken["state"]["zones"]["table"].append("card3#1")
    with pytest.raises(SaveError, match="checksum"):
        load_game(game.package, broken)
    broken = copy.deepcopy(save)
    broken["state"]["frames"][0]["at"] = 0
    with pytest.raises(SaveError):
        load_game(game.package, broken)
    with pytest.raises(SaveError, match="no saved game"):
        load_game(game.package, {"format": "x"})


def test_replay_mismatch() -> None:
    game = Inn().game()
    game.choose("wait")
    record = record_of(game)
    assert replay(game.package, record).digest() == game.digest()
    with pytest.raises(ReplayMismatch, match=r"decision 1 of 1 \('p1 dance'\)"):
        replay(game.package, {**record, "decisions": ["p1 dance"]})
    with pytest.raises(ReplayMismatch, match="digest"):
        replay(game.package, {**record, "digest": "0"})
    with pytest.raises(ReplayMismatch, match="incomplete"):
        replay(game.package, {"players": 2})


def test_saved_bytes_hold_nothing_stale() -> None:
    """Two orders of the same steps leave other values in dead slots, but the same save and digest."""
    art = Art()
    x = art.var("x")
    mess = art.proc(
        "mess",
        [let(1, n(1)), let(2, s(0)), menu(n(0), "mess", entry("a", let(2, n(8))), entry("b", let(3, n(9))))],
        slots=5,
    )
    art.proc("unused")
    main = art.proc("main", slots=6)
    art.doc["main"] = main
    art.body(
        main,
        menu(n(0), "first", entry("a", let(1, n(4))), entry("b", let(2, n(5)))),
        {"op": "call", "proc": mess, "you": n(0), "args": []},
        setvar(x, n(1)),
        menu(n(0), "wait", entry("go")),
    )
    package = art.load()
    digests = set()
    for keys in (("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")):
        game = new_game(package)
        for key in keys:
            game.choose(key)
        digests.add(game.digest())
    assert len(digests) == 1


def test_edits() -> None:
    game = Inn().game()
    edit = game.edit()
    edit.set_var("gold", 7)
    assert "feast" in game.decision.keys
    edit.set_col("open", "room1", 1)
    assert "enter:room1" in game.decision.keys
    edit.set_zone("hand", ["card0", "card2"], 0)
    assert [piece["id"] for piece in game.view(0)["zones"]["hand.p1"]] == ["card0", "card2"]
    assert [piece["id"] for piece in game.view(None)["zones"]["deck"]] == ["card3", "card1"]
    assert "show:card2@hand.p1" in game.decision.keys and "show:card3@hand.p1" not in game.decision.keys
    edit.move("card1", "table")
    edit.move(("hand.p1", 0), "table")
    assert [piece["id"] for piece in game.view(1)["zones"]["table"]] == ["card1", "card0"]
    game.choose("show:card2@hand.p1")
    for act, text in (
        (lambda: edit.set_var("silver", 1), "no variable 'silver'"),
        (lambda: edit.set_var("gold", 10), "from 0 to 9; 10 is outside"),
        (lambda: edit.set_col("open", "room9", 1), "no fixture"),
        (lambda: edit.set_col("closed", "room1", 1), "no column"),
        (lambda: edit.move("card9", "table"), "no definition"),
        (lambda: edit.move("card1", "attic"), "no zone 'attic'"),
        (lambda: edit.move(("deck", 9), "table"), "no number 9"),
        (lambda: edit.set_zone("hand", ["card1", "card1"], 0), "not enough"),
        (lambda: edit.start("nap"), "no procedure"),
        (lambda: edit.start("rest", 0, []), "takes 1 arguments"),
        (lambda: edit.start("rest", 5, [1]), "no seat 5"),
    ):
        with pytest.raises(EditError, match=text):
            act()


def test_several_zones_are_laid_out_at_once() -> None:
    game = Inn().game()
    edit = game.edit()
    edit.lay({"hand.p1": ["card0"], "hand.p2": ["card3", "card1"]})
    zones = game.view(None)["zones"]
    assert [[piece["id"] for piece in zones[name]] for name in ("deck", "hand.p1", "hand.p2", "table")] == [
        ["card2"],
        ["card0"],
        ["card3", "card1"],
        [],
    ]
    assert [piece["id"] for piece in game.view(0)["zones"]["hand.p2"]] == [None, None]
    assert "show:card0@hand.p1" in game.decision.keys
    edit.lay({"hand.p1": ["card2"], "hand.p2": []})
    zones = game.view(None)["zones"]
    assert [piece["id"] for piece in zones["hand.p1"]] == ["card2"] and not zones["hand.p2"]
    assert sorted(piece["id"] for piece in zones["deck"]) == ["card0", "card1", "card3"]
    before = game.digest()
    with pytest.raises(EditError, match="not enough pieces of card1"):
        edit.lay({"hand.p1": ["card1", "card1"]})
    with pytest.raises(EditError, match="no zone 'attic'"):
        edit.lay({"attic": []})
    assert game.digest() == before


def test_what_a_script_has_left() -> None:
    art = Art("dice")
    x = art.var("x")
    throw = {"op": "random", "slot": 1, "from": ["range", n(1), n(6)]}
    art.proc("main", [throw, setvar(x, s(1)), menu(n(0), "ask", entry("go"))])
    game = new_game(art.load(), script={"random": [4, 5, 6]})
    assert (game.view(None)["vars"]["x"], game.script_left) == (4, 2)
    assert new_game(game.package).script_left == 0


def test_rules_without_sense_raise_an_error_that_names_them() -> None:
    inn = Inn()
    place = inn.art.place("inn.yaml", 9, "fly to the moon")
    fly = inn.art.proc("fly", [setvar(inn.gold, n(9)), {**move(n(0), n(77)), "at": place}], params=0, slots=3)
    inn.art.doc["procs"][inn.main]["body"]["body"][3]["body"]["entries"].append(
        entry("fly", {"op": "call", "proc": fly, "you": n(0), "args": []})
    )
    inn.art.doc["procs"][inn.main]["at"] = place
    game = inn.game()
    before = game.digest(), game.log(None, True), game.decision.keys
    with pytest.raises(EngineFault, match=r"main \(inn.yaml:9:1\) \(IndexError"):
        game.choose("fly")
    assert (game.digest(), game.log(None, True), game.decision.keys) == before
    with pytest.raises(EngineFault, match=r"fly \(inn.yaml:9:1\)"):
        game.edit().start("fly")
    assert (game.digest(), game.log(None, True), game.decision.keys) == before


def test_outcomes_of_what_the_game_itself_never_calls() -> None:
    inn = Inn()
    inn.art.proc("storm", [{"op": "end", "outcome": "wrecked", "winners": n(2)}])
    game = inn.game()
    game.edit().start("storm")
    assert game.outcome is not None and (game.outcome.id, game.outcome.winners) == ("wrecked", (1,))
    assert load_game(game.package, game.save()).outcome == game.outcome


def test_start_replaces_the_pending_work() -> None:
    game = Inn().game()
    game.edit().start("rest", 1, [2])
    assert game.eval_function("gold", 0) == 0
    assert game.outcome.id == "done"
    game.edit().start("main")
    assert game.decision is not None and game.outcome is None
    game.edit().start("show", 0, ["card2"])
    assert game.view(1)["zones"]["table"][-1]["id"] == "card2"
    assert game.save()["edited"]
    with pytest.raises(SaveError, match="edited"):
        load_game(new_game(Inn(1).art.load()).package, game.save(), migrate=True)


def test_a_loaded_game_can_be_edited_and_a_clone_is_free() -> None:
    game = new_game(games.stress(), 3, 5)
    dice = Dice(1, "t")
    for _ in range(30):
        if game.decision is None:
            break
        game.choose(game.decision.keys[dice.below(len(game.decision.keys))])
    digest = game.digest()
    clone = game.clone()
    clone.edit().set_var("rounds", 0)
    clone.edit().set_col("hp", "p1", 12)
    while clone.decision is not None:
        clone.choose(clone.decision.keys[dice.below(len(clone.decision.keys))])
    assert game.digest() == digest
    assert clone.outcome is not None


def test_play_knows_neither_chance_nor_time_of_its_own() -> None:
    """Only the worker looks at a clock: it ends games that take too long."""
    import ast

    from tests.sources import source_files

    for path in source_files("runtime"):
        for node in ast.walk(ast.parse(path.read_text())):
            found = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else []
            )
            for name in found:
                assert name not in ("random", "secrets", "time", "datetime") or path.parts[-2:] == (
                    "worker",
                    "pool.py",
                ), (path, name)

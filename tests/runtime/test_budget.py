"""One budget for all work of a decision: what would stall or eat memory is stopped with one error that names the
place."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from rtkit import (
    Art,
    Json,
    add,
    call,
    choose,
    do,
    end,
    entry,
    eq,
    foreach,
    menu,
    move,
    n,
    pay,
    repeat,
    s,
    setvar,
    v,
    when,
)

from grimoire.runtime import BudgetExceeded, Game, load_game, new_game, simulate
from grimoire.runtime.build.program import program_for
from grimoire.runtime.limits import MAX_DEPTH, MAX_ELEMENT, MAX_FLOATS, MAX_SIZE
from tests.packages import lower_budget

LOW = 400_000  # units: the same limit, a fiftieth of it, so that the tests are quick
GO = menu(n(0), "ask", entry("go"), entry("stay"))


@pytest.fixture(autouse=True)
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    lower_budget(monkeypatch, LOW)


class Heap:
    """A package with cards in a heap, a counter, and one place for what is looked at."""

    def __init__(self, cards: int = 16, players: int = 2) -> None:
        self.art = Art("heap", (players, players))
        self.kind = self.art.kind("card", "piece")
        self.zone = self.art.zone("heap")
        self.other = self.art.zone("other")
        self.art.definition("card", self.kind, cards, self.zone)
        self.x = self.art.var("x")
        self.at = self.art.place("heap.yaml", 7, "the heavy part")
        self.cards = ["zone*", ["zone", self.zone]]

    def placed(self, form: Json) -> Json:
        return ["at", self.at, form]

    def play(self, *body: Json) -> Game:
        """A game in which the first decision leads to the body."""
        self.art.doc["main"] = self.art.proc("main", [GO, *body, GO, end()], slots=40)
        return new_game(self.art.load(), len(range(self.art.doc["players"]["max"])))


def nested(cards: Json, depth: int, value: Callable[[int, Json], Json], slot: int = 1) -> Json:
    form: Json = n(1)
    for at in range(depth):
        form = value(slot + at, form)
    return form


def counts(h: Heap) -> list[Json]:
    return [setvar(h.x, h.placed(nested(h.cards, 7, lambda i, e: ["count", ["filter", h.cards, i, [">", e, n(0)]]])))]


def loops(h: Heap) -> list[Json]:
    body: Json = add(h.x, 1)
    for i in range(6):
        body = foreach(1 + i, h.cards, body) | {"at": h.at}
    return [body]


def totals(h: Heap) -> list[Json]:
    """Values in a chain: each is the total of the one before over all cards."""
    at = h.art.function("value 0", n(1))
    for i in range(1, 8):
        at = h.art.function(f"value {i}", h.placed(["sum", h.cards, 2, ["fn", at, s(0)]]))
    return [setvar(h.x, ["fn", at, s(0)])]


def verbs(h: Heap, depth: int = 18) -> list[Json]:
    """A verb that says the next one twice."""
    at = h.art.proc("verb 0", [add(h.x, 1)], verb=True, slots=2)
    for i in range(1, depth):
        at = h.art.proc(f"verb {i}", [do(at) | {"at": h.at}, do(at)], verb=True, slots=2)
    return [do(at)]


def verbs_that_ask(h: Heap) -> list[Json]:
    """The same with procedures that may wait, and that abilities hear."""
    found = verbs(h, 30)
    h.art.ability("ear", found[0]["verb"], "after", h.art.proc("hear", [add(h.x, 1)], params=1, slots=3))
    return found


def options(h: Heap) -> list[Json]:
    domain = ["range", n(1), n(100)]
    return [
        menu(n(0), "pick", entry("four", domains=[(i, "number", domain) for i in range(1, 5)])) | {"at": h.at},
    ]


def completions(h: Heap) -> list[Json]:
    """A set that can never meet its constraint: every completion would be looked at."""
    return [
        choose(n(0), "some", 1, "number", ["range", n(0), n(60)], n(20), n(30), h.placed(["<", ["size", s(1)], n(0)]))
    ]


def trials(h: Heap) -> list[Json]:
    """Trials of costs inside each other."""
    cost: Json = choose(n(0), "cost", 9, "piece", h.cards, n(3), n(3), eq(["size", s(9)], n(4)))
    for i in range(3):
        cost = foreach(1 + i, h.cards, when(["can", cost], add(h.x, 1)))
    return [{**cost, "at": h.at}]


def payments(h: Heap) -> list[Json]:
    """A cost that fails only at its end, after many choices."""
    picks = [menu(n(0), "pick", *[entry(f"way {k}") for k in range(6)]) for _ in range(12)]
    return [pay([*picks, move(n(-1), n(-1))], [add(h.x, 1)])]


def modifiers(h: Heap) -> list[Json]:
    """Columns whose modifiers read the next column twice."""
    columns = [h.art.column(f"column {i}", "piece") for i in range(30)]
    for one, two in pairwise(columns):
        value = ["attr", two, s(2)]
        h.art.modifier(one, add=["+", value, value])
    return [setvar(h.x, ["attr", columns[0], n(0)])]


def prohibitions(h: Heap) -> list[Json]:
    """What forbids a verb asks twice whether the next verb is allowed."""
    chain = [h.art.proc(f"verb {i}", verb=True, slots=2) for i in range(30)]
    for one, two in pairwise(chain):
        no = ["not", ["allowed", two, s(0)]]
        h.art.ability(f"bar {one}", one, "cannot", cond=["or", no, no])
    return [setvar(h.x, ["allowed", chain[0], n(0)])]


def lists(h: Heap) -> list[Json]:
    """A loop that waits packs its list into one number, and copies it in every round."""
    return [foreach(1, ["range", n(1), n(90_000)], menu(n(0), "pick", entry("a"), entry("b"))) | {"at": h.at}]


def shuffles(h: Heap) -> list[Json]:
    return [repeat({"op": "shuffle", "zone": ["zone", h.zone]}) | {"at": h.at}]


def bottoms(h: Heap) -> list[Json]:
    top = ["top", ["zone", h.zone]]
    return [repeat(move(top, ["zone", h.zone], where="bottom")) | {"at": h.at}]


def rounds(h: Heap) -> list[Json]:
    """A loop whose rounds are long counts as much as its rounds do."""
    return [repeat(*[add(h.x, 1)] * 500, times=n(10_000)) | {"at": h.at}]


def events(h: Heap) -> list[Json]:
    """Every event stays in the log, once for every seat."""
    told = h.art.proc("told", [add(h.x, 1)], verb=True, params=3, slots=5)
    return [repeat(do(told, n(1), n(2), n(3)), times=n(100_000)) | {"at": h.at}]


HEAVY: dict[str, tuple[Callable[[Heap], list[Json]], bool]] = {
    "counts in counts": (counts, True),
    "loops in loops": (loops, True),
    "totals of totals": (totals, True),
    "a verb that says the next one twice": (verbs, True),
    "the same, heard": (verbs_that_ask, False),
    "options of four domains": (options, True),
    "completions of a set": (completions, False),
    "trials in trials": (trials, True),
    "a payment that fails at its end": (payments, False),
    "modifiers that read twice": (modifiers, False),
    "prohibitions that ask twice": (prohibitions, False),
    "a loop that waits": (lists, True),
    "shuffles": (shuffles, True),
    "moves to the bottom": (bottoms, True),
    "long rounds": (rounds, True),
    "events for the log": (events, True),
}


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_work_is_stopped_and_the_game_is_unchanged(name: str) -> None:
    make, placed = HEAVY[name]
    h = Heap(3_000 if make in (shuffles, bottoms) else 16)
    game = h.play(*make(h))
    before, log = game.digest(), game.log(None, choices=True)
    with pytest.raises(BudgetExceeded) as caught:
        game.choose("go")
    error = caught.value
    assert (error.what, error.limit) == ("work", LOW)
    assert error.chain[-1].startswith("main") and str(error).endswith(" < ".join(error.chain[:12]))
    if placed:
        assert error.place == "heap.yaml:7:1" and error.place in str(error)
    assert (game.digest(), game.log(None, choices=True)) == (before, log)
    assert game.decision is not None and game.decision.keys == ("go", "stay")


@pytest.mark.parametrize("name", HEAVY)
def test_bulk_play_is_stopped_as_well(name: str) -> None:
    h = Heap()
    game = h.play(*HEAVY[name][0](h))
    with pytest.raises(BudgetExceeded, match="units of work"):
        simulate(game.package, 1, bot="first")


def test_the_count_is_the_same_in_every_run_of_the_same_decision() -> None:
    h = Heap()
    cost = choose(n(0), "cost", 3, "piece", h.cards, n(2), n(2))
    game = h.play(
        foreach(1, h.cards, setvar(h.x, ["sum", h.cards, 2, s(2)])), pay([cost], [add(h.x, 1)]), when(["can", cost], GO)
    )
    again = new_game(game.package)
    again.choose("go")
    game.view(0), game.why_not("no", 0), game.decisions(), game.save()  # questions have a budget of their own
    loaded = load_game(game.package, game.save())
    clone = game.clone()
    for other in (game, loaded, clone):
        other.choose("go")
        assert other.state.work == again.state.work > 1_000
    game.undo()
    game.choose("go")
    assert game.state.work == again.state.work


def test_a_move_is_paid_for_as_what_is_moved_twice() -> None:
    """A decision that breaches the budget is taken back, and every piece is moved again."""

    def work(body: Callable[[Heap], Json]) -> int:
        h = Heap()
        game = h.play(repeat(body(h), times=n(1_000)))
        game.choose("go")
        return game.state.work

    written = work(lambda h: setvar(h.x, ["one", h.cards]))
    moved = work(lambda h: move(["one", h.cards], ["zone", h.zone]))
    assert moved >= written + 16 * 1_000


def test_what_is_tried_is_paid_for() -> None:
    h = Heap()
    tried = {"op": "if", "cond": ["can", foreach(1, h.cards, *[add(h.x, 1)] * 50)], "then": add(h.x, 1)}
    game = h.play(tried)
    game.choose("go")
    assert game.state.work > 16 * 50


def test_a_breach_in_a_trial_does_not_count_as_impossible() -> None:
    h = Heap()
    game = h.play(when(["can", repeat(add(h.x, 1))], add(h.x, 1), add(h.x, 2)))
    with pytest.raises(BudgetExceeded):
        game.choose("go")


def test_questions_have_a_budget_and_the_game_goes_on() -> None:
    h = Heap()
    heavy = totals(h)[0]["value"]
    h.art.function("heavy", heavy)
    game = h.play()
    for _ in range(2):
        with pytest.raises(BudgetExceeded, match=r"heap.yaml:7:1"):
            game.eval_function("heavy", 0)
    game.choose("go")


def test_why_not_has_a_budget() -> None:
    h = Heap()
    half = ["sum", h.cards, 5, ["sum", h.cards, 6, ["sum", h.cards, 7, ["sum", h.cards, 8, n(1)]]]]
    guards = [["<", half, n(0)]] * 2
    game = h.play(menu(n(0), "pick", entry("a"), entry("b", guard=["and", *guards])))
    game.choose("go")
    assert LOW // 4 < game.state.work <= LOW  # the first half fails: the second is not looked at
    with pytest.raises(BudgetExceeded):
        game.why_not("b", 0)
    game.choose("a")


# -- other limits


def grants(h: Heap, times: int, until: int = -1) -> Json:
    column = h.art.column(f"might {len(h.art.doc['columns'])}", "piece")
    floating = h.art.modifier(column, of=-2, add=n(1))
    grant = {"op": "grant", "abilities": [], "modifiers": [floating], "until": until, "captures": [], "at": h.at}
    return repeat(grant, times=n(times))


def test_floating_effects_are_bounded() -> None:
    h = Heap()
    game = h.play(grants(h, MAX_FLOATS // 2), GO, grants(h, MAX_FLOATS // 2), GO, grants(h, 1))
    game.choose("go")
    game.choose("go")
    before = game.digest()
    with pytest.raises(BudgetExceeded, match=r"2,000 floating effects in force at heap.yaml:7:1") as caught:
        game.choose("go")
    assert (caught.value.what, caught.value.limit) == ("effects", MAX_FLOATS)
    assert game.digest() == before and len(game.state.floats) == MAX_FLOATS


def test_granting_keeps_no_copies_of_what_is_in_force() -> None:
    h = Heap()
    game = h.play(grants(h, 500))
    before = game.digest()
    game.choose("go")
    g = game.state
    assert len(g.floats) == 500 and all(effect is None for _, effect in g.float_trail)
    game.undo()
    assert game.digest() == before and not g.floats and not any(g.index)
    game.choose("go")
    assert len(g.floats) == 500


def test_effects_that_ended_come_back_with_undo() -> None:
    h = Heap()
    scope = h.art.proc("scope", slots=4)
    h.art.body(scope, grants(h, 5, scope), GO)
    game = h.play(call(scope), GO)
    game.choose("go")
    during, clone = game.digest(), game.clone()
    assert len(game.state.floats) == 5
    game.choose("go")
    assert not game.state.floats
    game.undo()
    assert game.digest() == during == clone.digest() and len(game.state.floats) == 5
    game.choose("go")
    assert len(clone.state.floats) == 5


def test_depth() -> None:
    h = Heap()
    deep = h.art.proc("deep", slots=2)
    h.art.body(deep, when(n(1), [call(deep)]) | {"at": h.at})
    game = h.play(call(deep))
    with pytest.raises(BudgetExceeded) as caught:
        game.choose("go")
    assert (caught.value.what, caught.value.limit, caught.value.place) == ("depth", MAX_DEPTH, "heap.yaml:7:1")
    assert caught.value.chain[0] == "deep (heap.yaml:7:1)"


@pytest.mark.parametrize(
    "value", [["bit", n(10**9)], ["set", ["range", n(10**9), n(10**9)]], ["set", ["lone", n(MAX_ELEMENT + 1)]]]
)
def test_sets_of_large_numbers(value: Json) -> None:
    h = Heap()
    game = h.play(setvar(h.x, value))
    with pytest.raises(BudgetExceeded, match="cannot be in a set") as caught:
        game.choose("go")
    assert caught.value.what == "element"


def test_numbers_that_grow_by_totals() -> None:
    h = Heap()
    total = ["sum", ["range", n(1), n(1000)], 1, v(h.x)]
    game = h.play(setvar(h.x, n(1)), repeat(setvar(h.x, total), times=n(30)))
    with pytest.raises(BudgetExceeded, match="beyond 200 bits"):
        game.choose("go")


# -- what is bounded when a program is built


def test_values_that_are_written_out_twice_are_refused() -> None:
    h = Heap()
    at = h.art.function("value 0", n(1))
    for i in range(1, 60):
        one = ["fn", at, s(0)]
        at = h.art.function(f"value {i}", h.placed(["+", one, one]))
    with pytest.raises(BudgetExceeded, match=r"main at heap.yaml:7:1 is too large") as caught:
        h.play(setvar(h.x, h.placed(["fn", at, s(0)])))
    assert (caught.value.what, caught.value.limit, caught.value.place) == ("size", MAX_SIZE, "heap.yaml:7:1")


@pytest.mark.parametrize("quiet", [False, True])
def test_verbs_that_are_written_into_their_callers_stay_small(quiet: bool) -> None:
    h = Heap()
    h.art.doc["main"] = h.art.proc("main", [GO, *verbs(h, 60), GO])
    program = program_for(h.art.load(), 2, {}, quiet=quiet)
    assert sum(len(notes) for notes in program.notes.values()) < 10_000
    assert sum(unit.window for unit in program.units) < 100_000


def test_instances_are_bounded() -> None:
    h = Heap(5_001)
    verb = h.art.proc("verb", verb=True, slots=2)
    for i in range(10):
        h.art.ability(f"ability {i}", verb, "cannot", of=0, cond=n(0))
    with pytest.raises(BudgetExceeded, match="50,000 abilities"):
        h.play(do(verb))


def test_tables_of_distances_are_bounded() -> None:
    h = Heap()
    space = h.art.kind("space", "fixture")
    for i in range(4_500):
        h.art.fixture(f"space {i}", space)
    road = h.art.relation("road", [[(i + 1) % 4_500] for i in range(4_500)])
    with pytest.raises(BudgetExceeded, match="distances along road"):
        h.play(setvar(h.x, ["dist", road, n(0), n(9)]))


def test_the_error_survives_a_process() -> None:
    """Bulk play in several processes sends errors from one to the other."""
    error: Any = pickle.loads(pickle.dumps(BudgetExceeded("too much", "work", 7, "a.yaml:1:1", ("main",))))
    assert (str(error), error.what, error.limit, error.place, error.chain) == (
        "too much", "work", 7, "a.yaml:1:1", ("main",),
    )  # fmt: skip

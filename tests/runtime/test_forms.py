"""Every expression and selector form of the core, against hand-worked values."""

from __future__ import annotations

import pytest
from rtkit import Art, ability_program, add, end, entry, eq, menu, n, s, setcol, setvar, v, when

from grimoire.runtime import ArtefactError, Game, load_artefact, new_game
from grimoire.runtime.core.records import FORMS, Expression, Selector


def world(*functions: object) -> Game:
    """Five fixtures in a path with a branch, a deck of numbered cards, hands, a few numbers; 3 seats."""
    art = Art("world", (3, 3))
    art.option("long", "flag", default=True)
    art.option("map", "choice", ["small", "large"], "large")
    room, deep = art.kind("room", "fixture"), art.kind("card", "piece")
    cellar = art.kind("cellar", "fixture", room)
    red = art.kind("red", "piece", deep)
    for at in range(5):
        art.fixture(f"r{at}", cellar if at == 4 else room, holds=at == 2)
    art.relation("next-to", [[1], [0, 2], [1, 3], [2], []])
    deck = art.zone("deck", seen="none")
    art.doc["zones"][deck]["holds"] = red
    art.zone("hand", each=True, seen="owner")
    art.var("current-player", "seat", init=1)
    art.var("level", init=7, low=0, high=9)
    art.column("heat", "fixture", init=3)
    art.column("power", "piece", printed=[5, 2, 9])
    art.column("gold", "seat", init=4, low=0, high=10)
    art.definition("ant", deep, 2, deck)
    art.definition("bee", red, 1, deck)
    art.definition("cat", deep, 1, -1)
    art.doc["columns"][1]["printed"] = [5, 2, 9]
    verb = art.proc("strike", params=1, slots=4, verb=True)
    art.ability("no-strike", verb, "cannot", cond=eq(["arg", 1], n(2)))
    double = art.function("double", ["*", s(1), n(2)], params=1)
    assert double == 0
    for at, value in enumerate(functions):
        art.function(f"f{at}", value, params=2, slots=10)
    main = art.proc("main", slots=4)
    art.body(main, setcol(0, n(1), n(8)), menu(n(0), "wait", entry("go")), end())
    art.doc["main"] = main
    game = new_game(art.load(), 3)
    edit = game.edit()
    edit.move("bee", "hand", 1)
    edit.move(("deck", 0), "r2")
    return game


A = n(3)
B = n(4)
DECK, HAND = ["zone", 0], ["zfam", 1, n(1)]
ROOMS = ["fixtures", 0]

# fixtures 0-4; pieces: 0, 1 ants (0 is in r2's zone, 1 in the deck), 2 bee in p2's hand
CASES = {
    "int": [(n(-5), -5)],
    "slot": [(s(1), 11), (s(2), 12), (s(0), 2)],
    "var": [(v(1), 7)],
    "col": [(["col", 0, n(1)], 8), (["col", 0, n(-1)], -1), (["col", 1, n(2)], 2), (["col", 0, ["+", n(0), n(1)]], 8)],
    "attr": [(["attr", 0, n(1)], 8)],
    "fn": [(["fn", 0, n(0), ["fn", 0, n(0), n(5)]], 20)],
    "+": [(["+", A, B], 7)],
    "-": [(["-", A, B], -1)],
    "*": [(["*", A, B], 12)],
    "//": [(["//", n(7), n(2)], 3), (["//", n(-7), n(2)], -4), (["//", A, n(0)], 0)],
    "min": [(["min", A, B], 3), (["min", B, A], 3)],
    "max": [(["max", A, B], 4), (["max", B, A], 4)],
    "==": [(["==", A, B], 0), (["==", v(1), n(7)], 1), (["==", n(7), v(1)], 1), (["==", s(1), v(1)], 0)],
    "!=": [(["!=", A, B], 1), (["!=", v(1), n(7)], 0), (["!=", s(1), v(1)], 1)],
    "<": [(["<", A, B], 1), (["<", v(1), n(7)], 0), (["<", v(1), n(8)], 1), (["<", v(1), s(1)], 1)],
    "<=": [(["<=", v(1), n(7)], 1), (["<=", v(1), n(6)], 0), (["<=", s(1), v(1)], 0)],
    ">": [([">", v(1), n(7)], 0), ([">", v(1), n(6)], 1), ([">", s(1), v(1)], 1)],
    ">=": [([">=", v(1), n(7)], 1), ([">=", v(1), n(8)], 0), ([">=", v(1), s(1)], 0)],
    "and": [
        (["and", v(1), A], 1),
        (["and", v(1), ["-", v(1), n(7)]], 0),
        (["and"], 1),
        (["and", v(1), s(1), s(2)], 1),
        (["and", n(0), v(1)], 0),
        (["and", v(1), s(1), eq(s(1), n(0))], 0),
    ],
    "or": [(["or", n(0), v(1)], 1), (["or"], 0), (["or", eq(v(1), n(1)), eq(v(1), n(2))], 0), (["or", n(1), v(1)], 1)],
    "not": [(["not", v(1)], 0), (["not", eq(v(1), n(1))], 1), (["not", n(0)], 1)],
    "if": [(["if", v(1), A, B], 3), (["if", eq(v(1), n(1)), A, B], 4), (["if", n(0), A, B], 4), (["not", ["if", v(1), n(0), A]], 1)],
    "at": [(["at", -1, v(1)], 7)],
    "set": [(["set", ROOMS], 0b11111), (["set", ["lone", n(-1)]], 0)],
    "one": [(["one", ROOMS], 0), (["one", ["lone", n(-1)]], -1), (["one", ["filter", ROOMS, 3, [">", s(3), n(1)]]], 2)],
    "count": [(["count", ROOMS], 5)],
    "any": [(["any", ROOMS], 1), (["any", ["zone*", ["zfam", 1, n(0)]]], 0)],
    "all": [(["all", ROOMS, 3, ["<", s(3), n(5)]], 1), (["all", ROOMS, 3, ["<", s(3), n(4)]], 0), (["all", ["lone", n(-1)], 3, n(0)], 1)],
    "sum": [(["sum", ROOMS, 3, s(3)], 10), (["sum", ["lone", n(-1)], 3, s(3)], 0)],
    "maxof": [(["maxof", ROOMS, 3, ["-", n(2), s(3)]], 2), (["maxof", ["lone", n(-1)], 3, s(3)], 0)],
    "minof": [(["minof", ROOMS, 3, ["-", n(2), s(3)]], -2), (["minof", ["lone", n(-1)], 3, s(3)], 0)],
    "distinct": [(["distinct", ROOMS, 3, ["//", s(3), n(2)]], 3)],
    "bit": [(["bit", n(3)], 8), (["bit", n(-1)], 0)],
    "has": [(["has", n(10), n(3)], 1), (["has", n(10), n(2)], 0), (["has", n(10), n(-1)], 0)],
    "union": [(["union", n(10), n(3)], 11)],
    "inter": [(["inter", n(10), n(3)], 2)],
    "minus": [(["minus", n(10), n(3)], 8)],
    "size": [(["size", n(11)], 3)],
    "first": [(["first", n(12)], 2), (["first", n(0)], -1)],
    "zone": [(DECK, 0)],
    "zfam": [(HAND, 2), (["zfam", 1, n(-1)], -1), (["zfam", 1, v(0)], 2)],
    "zfix": [(["zfix", n(2)], 4), (["zfix", n(1)], -1), (["zfix", n(-1)], -1)],
    "where": [(["where", n(2)], 2), (["where", n(0)], 4), (["where", n(-1)], -1)],
    "fixof": [(["fixof", ["where", n(0)]], 2), (["fixof", DECK], -1)],
    "holder": [(["holder", HAND], 1), (["holder", DECK], -1)],
    "height": [(["height", DECK], 1), (["height", n(-1)], 0)],
    "top": [(["top", DECK], 1), (["top", ["zfam", 1, n(0)]], -1), (["top", n(-1)], -1)],
    "iskind": [(["iskind", "fixture", 0, n(4)], 1), (["iskind", "fixture", 2, n(3)], 0), (["iskind", "piece", 3, n(2)], 1), (["iskind", "piece", 3, n(-1)], 0)],
    "isdef": [(["isdef", 1, n(2)], 1), (["isdef", 1, n(0)], 0)],
    "fits": [
        (["fits", DECK, n(2)], 1),
        (["fits", DECK, n(0)], 0),
        (["fits", HAND, n(0)], 1),
        (["fits", ["zfix", n(2)], n(0)], 1),
        (["fits", n(-1), n(2)], 0),
        (["fits", DECK, n(-1)], 0),
    ],
    "knows": [(["knows", n(1), n(2)], 1), (["knows", n(0), n(2)], 0), (["knows", n(1), n(-1)], 0), (["knows", n(-1), n(2)], 0)],
    "defof": [(["defof", n(2)], 1), (["defof", n(-1)], -1)],
    "next": [(["next", n(2), n(1)], 0), (["next", n(0), n(-1)], 2), (["next", n(-1), n(1)], -1)],
    "seatcount": [(["seatcount"], 3)],
    "dist": [(["dist", 0, n(0), n(3)], 3), (["dist", 0, n(0), n(4)], 9999), (["dist", 0, n(2), n(2)], 0), (["dist", 0, n(-1), n(2)], 9999)],
    "setting": [(["setting", 1, 0], 0), (["setting", 0, 1], -1)],
    "running": [(["running", 1], 1), (["running", 0], 0)],
    "this": [(["this"], -1)],
    "allowed": [(["allowed", 0, n(0), n(2)], 0), (["allowed", 0, n(0), n(3)], 1)],
    "can": [(["can", setvar(1, n(9))], 1), (["can", setvar(1, n(10))], 0)],
    "option": [(["option", "long"], 1), (["option", "map"], 1), (["option", "players"], 3)],
    # selectors, read through set, count or a sum that shows the order
    "zone*": [(["set", ["zone*", DECK]], 2), (["count", ["zone*", n(-1)]], 0)],
    "top*": [(["one", ["top*", DECK, n(1)]], 1), (["count", ["top*", DECK, n(5)]], 1), (["count", ["top*", DECK, n(0)]], 0)],
    "pieces": [(["set", ["pieces", 1]], 7), (["one", ["pieces", 1]], 1), (["set", ["pieces", 3]], 4)],
    "fixtures": [(["set", ["fixtures", 2]], 16)],
    "seats": [(["one", ["seats", n(2)]], 2), (["count", ["seats", n(0)]], 3)],
    "rel": [(["set", ["rel", 0, n(1)]], 5), (["count", ["rel", 0, n(-1)]], 0)],
    "members": [(["one", ["members", "seat", n(5)]], 2), (["one", ["members", "fixture", n(6)]], 1)],
    "range": [(["set", ["range", n(2), v(1)]], 0b11111100), (["count", ["range", n(3), n(2)]], 0)],
    "cat": [(["count", ["cat", ["range", n(1), n(3)], ["range", n(2), n(5)]]], 5), (["one", ["cat", ["lone", n(4)], ROOMS]], 4)],
    "filter": [(["set", ["filter", ROOMS, 3, ["==", ["col", 0, s(3)], n(3)]]], 0b11101)],
    "best": [(["set", ["best", "max", ROOMS, 3, ["col", 0, s(3)]]], 2), (["set", ["best", "min", ROOMS, 3, ["col", 0, s(3)]]], 0b11101)],
    "take": [(["set", ["take", n(2), ROOMS]], 3), (["count", ["take", n(0), ROOMS]], 0)],
    "except": [(["set", ["except", ROOMS, n(2)]], 0b11011)],
    "lone": [(["set", ["lone", n(3)]], 8)],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CASES))
def test_value(name: str) -> None:
    rows = CASES[name]
    game = world(*[form for form, _ in rows])
    found = [game.eval_function(f"f{at}", 2, [11, 12]) for at in range(len(rows))]
    assert found == [wanted for _, wanted in rows]


def test_every_form_has_a_case() -> None:
    # arg and result need an ability: they are tested with the pipeline
    assert set(CASES) | {"arg", "result"} == set(FORMS[Expression]) | set(FORMS[Selector])


def test_evaluation_leaves_the_game_as_it_was() -> None:
    forms = [form for rows in CASES.values() for form, _ in rows]
    game = world(*forms)
    before = game.digest()
    for at in range(len(forms)):
        game.eval_function(f"f{at}", 2, [11, 12])
    assert game.digest() == before


def test_attr_applies_set_then_add_then_bounds() -> None:
    art = Art()
    art.kind("room", "fixture")
    art.fixture("a", 0)
    art.fixture("b", 0)
    heat = art.column("heat", "fixture", init=2, low=0, high=9)
    art.modifier(heat, add=n(3))
    art.modifier(heat, set=n(5), cond=eq(s(2), n(0)))
    art.modifier(heat, add=n(4), cond=eq(s(2), n(0)))
    art.function("a", ["attr", heat, n(0)])
    art.function("b", ["attr", heat, n(1)])
    art.function("none", ["attr", heat, n(-1)])
    art.proc("main", [menu(n(0), "wait", entry("go"))])
    game = new_game(art.load())
    assert [game.eval_function(name, 0) for name in ("a", "b", "none")] == [9, 5, -1]


def test_a_function_that_calls_itself_is_refused() -> None:
    art = Art()
    art.function("loop", ["fn", 0, s(0)])
    art.proc("main", [when(["fn", 0, n(0)], [add(0, 1)])])
    art.var("x")
    with pytest.raises(ArtefactError, match="calls itself"):
        new_game(art.load())


def test_arg_outside_an_ability_is_refused() -> None:
    art = Art()
    art.proc("main", [when(["arg", 0], [])])
    with pytest.raises(ArtefactError, match="outside an ability"):
        new_game(art.load())


def test_this_is_the_piece_in_a_program() -> None:
    art = Art()
    card = art.kind("card", "piece")
    pile = art.zone("pile")
    seen = art.var("seen", init=-5)
    main, effect = art.proc("main"), ability_program(art, "effect", [setvar(seen, ["this"])], slots=2)
    art.definition("blank", card, 2, pile)
    art.definition("card", card, 1, pile, {"effect": effect})
    art.function("seen", v(seen))
    art.body(
        main,
        {"op": "program", "piece": n(0), "name": "effect", "you": n(0)},
        {"op": "program", "piece": n(2), "name": "effect", "you": n(0)},
        menu(n(0), "wait", entry("go")),
    )
    game = new_game(load_artefact(art.finish()))
    assert game.eval_function("seen", 0) == 2

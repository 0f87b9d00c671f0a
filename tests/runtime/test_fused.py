"""Every fused node against the plain ones that it replaces: the same play in the plain, the usual and the quiet
program."""

from __future__ import annotations

from inspect import isdatadescriptor
from typing import Any

import pytest
from rtkit import (
    Art,
    Json,
    add,
    call,
    do,
    end,
    entry,
    eq,
    foreach,
    let,
    menu,
    move,
    n,
    repeat,
    ret,
    s,
    setcol,
    setvar,
    v,
    when,
)

from grimoire.runtime import Game
from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.state import fresh_state
from grimoire.runtime.kernel.trial import advance, start

SEATS = 3
GO = menu(s(0), "go", entry("go"))


class World:
    """Three seats with columns, a board with lines, a deck, hands, a pile whose top is seen."""

    def __init__(self) -> None:
        self.art = art = Art("world", (SEATS, SEATS))
        self.current, self.x, self.y = art.var("current-player", "seat"), art.var("x"), art.var("y", low=0, high=3)
        self.who = art.var("who", "seat", init=-1)
        self.stake = art.column("stake", "seat")
        self.bid = art.column("bid", "seat", low=0, high=5)
        self.cell, line = art.kind("cell", "fixture"), art.kind("line", "fixture")
        for at in range(6):
            art.fixture(f"cell{at}", self.cell)
        for at in range(4):
            art.fixture(f"line{at}", line)
        rows = [[0, 1, 2], [3, 4, 5], [0, 3], [2, 5]]
        self.cells = art.relation("cells", [[]] * 6 + rows)
        self.lines = art.relation(
            "lines", [[6 + at for at, row in enumerate(rows) if i in row] for i in range(6)] + [[]] * 4
        )
        self.owner = art.column("owner", "fixture", "seat", init=-1)
        card = art.kind("card", "piece")
        self.card = card
        self.deck, self.hand = art.zone("deck", seen="none"), art.zone("hand", each=True, seen="owner")
        self.pile, self.board = art.zone("pile", seen="top"), art.zone("board")
        for at in range(5):
            art.definition(f"card{at}", card, 2, self.deck)
        self.rank = art.column("rank", "piece", printed=[1, 2, 3, 4, 5])
        self.main = art.proc("main", slots=20)

    def opponent(self, of: Json, slot: int) -> Json:
        return ["one", ["filter", ["seats", of], slot, ["!=", s(slot), of]]]

    def programs(self, *body: Json) -> list[Program]:
        self.art.body(self.main, *body)
        package = self.art.load()
        return [
            Program(package, SEATS, {}, fuse=False),
            Program(package, SEATS, {}),
            Program(package, SEATS, {}, quiet=True),
        ]


def same_play(programs: list[Program], seeds: int = 6) -> int:
    """Play all programs with the same choices; the number of decisions made."""
    made = 0
    for seed in range(seeds):
        games = [Game(program, fresh_state(program.tables, seed), seed, {}, None) for program in programs]
        dice = Dice(seed, "fused")
        for game in games:
            start(game.state)
        for _ in range(40):
            states = [game.state for game in games]
            for state in states[1:]:
                assert (state.mem, state.zones, state.loc) == (states[0].mem, states[0].zones, states[0].loc)
                assert (state.waiting, state.over, state.winners) == (
                    states[0].waiting,
                    states[0].over,
                    states[0].winners,
                )
            if not states[0].waiting:
                break
            assert {tuple(state.opts) for state in states} == {tuple(states[0].opts)}
            assert {state.waiter().seat(state, state.base) for state in states} == {
                states[0].waiter().seat(states[0], states[0].base)
            }
            i = dice.below(len(states[0].opts))
            made += 1
            for state in states:
                mark = state.mark()
                before = state.mem[:], [zone[:] for zone in state.zones]
                advance(state, i)
                state.undo(mark)
                assert (state.mem, state.zones) == before
                state.drop()
                state.waiter().refresh(state, state.base)
                advance(state, i)
    return made


def node_names(root: Any) -> set[str]:
    """The classes of all objects of the kernel that hang on a unit."""
    found: set[str] = set()
    seen: set[int] = set()
    todo: list[Any] = [root]
    while todo:
        x = todo.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, list | tuple):
            todo.extend(y for y in x if not isinstance(y, int | str))
        elif type(x).__module__.startswith("grimoire.runtime"):
            found.add(type(x).__name__)
            fields = [name for cls in type(x).__mro__ for name in vars(cls) if isdatadescriptor(vars(cls)[name])]
            todo.extend(getattr(x, name, None) for name in fields if not name.startswith("__"))
    return found


def cases() -> dict[str, tuple[World, list[Json], set[str]]]:
    found: dict[str, tuple[World, list[Json], set[str]]] = {}

    def case(name: str, nodes: str, *body: Json, world: World | None = None) -> None:
        found[name] = world or w, list(body), set(nodes.split())

    w = World()
    every = ["seats", v(w.who)]
    col = lambda at, of: ["attr", at, of]  # noqa: E731
    case(
        "cells of slots, variables and the seat after",
        "Cell CellOfVar SeatOfVar SetCell SetCellCell SetCellConst SetCellSlot SeatOfSlot",
        foreach(
            1,
            ["seats", n(1)],
            setcol(w.stake, s(1), ["+", col(w.stake, w.opponent(s(1), 2)), ["*", s(1), n(3)]]),
            setcol(w.stake, s(1), ["-", col(w.stake, w.opponent(s(1), 2)), n(1)]),
            setcol(w.stake, w.opponent(s(1), 2), col(w.stake, s(1))),
            setcol(w.stake, s(3), col(w.bid, s(1))),
            setcol(w.bid, s(1), ["+", col(w.bid, s(1)), n(9)]),
            setcol(w.bid, s(1), ["-", col(w.bid, s(1)), n(9)]),
            setcol(w.bid, s(1), ["*", col(w.stake, s(1)), n(2)]),
            setcol(w.bid, s(1), n(2)),
            setvar(w.who, w.opponent(s(1), 2)),
            setvar(w.x, ["+", v(w.x), col(w.stake, v(w.who))]),
            setvar(w.x, ["+", v(w.x), col(w.stake, ["next", v(w.who), n(2)])]),
            setcol(w.stake, ["next", s(1), n(1)], s(1)),
            setcol(w.stake, s(1), s(1)),
            GO,
        ),
        setvar(w.who, n(-1)),
        setvar(w.x, ["+", v(w.x), col(w.stake, v(w.who))]),
        setvar(w.x, ["+", v(w.x), col(w.stake, w.opponent(v(w.who), 2))]),
        setvar(w.who, ["next", v(w.who), n(1)]),
        let(3, n(-1)),
        setcol(w.stake, s(3), n(7)),
        setcol(w.stake, s(3), s(0)),
        setvar(w.x, ["+", v(w.x), ["*", n(100), col(w.stake, s(3))]]),
        setvar(w.x, ["+", v(w.x), ["*", n(10), w.opponent(s(3), 2)]]),
        setvar(w.x, ["+", v(w.x), ["next", s(3), n(1)]]),
        GO,
    )
    tests = [
        [op, col(w.stake, s(1)), other]
        for op in ("==", "!=", "<", "<=", ">", ">=")
        for other in (n(1), col(w.stake, w.opponent(s(1), 2)))
    ]
    tests += [eq(s(1), s(0)), ["!=", s(1), s(0)], ["not", eq(col(w.stake, s(1)), n(2))]]
    tests += [["not", ["!=", col(w.stake, s(1)), n(2)]], ["not", ["any", ["fixtures", w.cell]]]]
    case(
        "tests of cells",
        "CellIs CellIsNot CellBelow CellAbove CellsEq CellsNe CellsLt CellsLe SlotsEq SlotsNe NoneOf WhenAbove WhenBoth WhenAny WhenNone",
        setcol(w.stake, n(1), n(1)),
        setcol(w.stake, n(2), n(2)),
        foreach(
            1,
            ["seats", n(0)],
            *[setvar(w.x, ["+", ["*", v(w.x), n(2)], test]) for test in tests],
            when(["and", eq(s(1), n(1)), ["<", v(w.y), n(3)]], [add(w.y, 1)]),
            when(["and", [">=", v(w.y), n(1)], eq(s(1), n(2))], [add(w.x, 1)]),
            when(["any", ["fixtures", w.cell]], [add(w.y, 1)]),
            when(["not", ["any", ["filter", ["fixtures", w.cell], 3, n(0)]]], [add(w.y, 1)]),
        ),
        GO,
    )
    free = ["filter", ["fixtures", w.cell], 1, eq(col(w.owner, s(1)), n(-1))]
    full = ["filter", ["rel", w.lines, s(2)], 3, ["all", ["rel", w.cells, s(3)], 4, eq(["col", w.owner, s(4)], s(0))]]
    case(
        "a board",
        "CellsWith RowsWith MenuOne WhenAny WhenNone",
        repeat(
            menu(s(0), "mark", entry("mark", setcol(w.owner, s(2), s(0)), domains=[(2, "fixture", free)])),
            when(["any", full], [setvar(w.x, ["+", v(w.x), ["count", full]])]),
            when(["not", ["any", free]], [end("full")]),
        ),
    )
    case(
        "fill, deal, gather, look",
        "FillCells DealEach MoveEach MoveTop LookAt LetConst SeatsOfSlot",
        {"op": "shuffle", "zone": ["zone", w.deck]},
        foreach(1, ["seats", s(0)], setcol(w.stake, s(1), n(4)), setcol(w.bid, s(1), n(5))),
        foreach(1, ["seats", s(0)], move(["top", ["zone", w.deck]], ["zfam", w.hand, s(1)])),
        let(5, n(2)),
        move(["top", ["zone", w.deck]], ["zone", w.pile]),
        move(["top", ["zone", w.deck]], ["zone", w.pile]),
        {"op": "look", "who": ["set", every], "what": ["set", ["zone*", ["zfam", w.hand, s(5)]]]},
        {"op": "look", "who": ["bit", n(1)], "what": ["set", ["top*", ["zone", w.deck], n(2)]]},
        GO,
        foreach(1, ["top*", ["zone", w.deck], n(2)], move(s(1), ["zone", w.board])),
        foreach(1, ["zone*", ["zfam", w.hand, s(5)]], move(s(1), ["zfam", w.hand, s(0)], "bottom", "none")),
        GO,
        foreach(1, ["pieces", w.card], move(s(1), ["zone", w.deck])),
        foreach(1, ["top*", ["zone", w.deck], n(9)], move(s(1), ["zone", w.pile])),
        foreach(1, ["zone*", ["zone", w.pile]], move(s(1), ["zone", w.board])),
        setvar(w.x, ["sum", ["zone*", ["zone", w.deck]], 1, col(w.rank, s(1))]),
        GO,
    )
    case(
        "moves to nobody",
        "MoveEach MoveTop",
        {"op": "shuffle", "zone": ["zone", w.deck]},
        move(["top", ["zone", w.deck]], ["zfam", w.hand, v(w.who)]),
        let(5, v(w.who)),
        foreach(1, ["top*", ["zone", w.deck], n(2)], move(s(1), ["zfam", w.hand, s(5)])),
        setvar(w.x, ["height", ["zone", w.deck]]),
        GO,
    )
    draw = w.art.proc(
        "draw",
        [repeat(move(["top", ["zone", w.deck]], ["zfam", w.hand, s(0)]), times=s(1))],
        params=1,
        slots=2,
        verb=True,
    )
    case(
        "counted loops of inlined calls",
        "MoveTop Repeat",
        do(draw, n(0), you=n(1)),
        do(draw, n(1), you=n(1), ok=4),
        do(draw, n(3), you=s(0), result=5),
        setvar(w.x, ["+", s(4), s(5)]),
        repeat(add(w.x, 1), {"op": "stop"}, times=n(1)),
        GO,
    )
    seat_loop = foreach(
        1,
        ["seats", v(w.who)],
        setvar(w.current, s(1)),
        menu(
            s(1),
            "bet",
            entry("fold", when([">", v(w.x), n(3)], [end("fold", ["bit", s(1)])], [add(w.y, 3)]), guard=[">", v(w.x), n(3)]),
            entry("call", add(w.x, 1)),
            entry("raise", when(["<", v(w.y), n(2)], [add(w.y, 1)]), guard=["<", v(w.y), n(2)]),
        ),
        add(w.x, 1),
    )  # fmt: skip
    low = ["filter", ["fixtures", w.cell], 1, ["<", s(1), ["+", v(w.x), n(2)]]]
    both = ["filter", low, 2, [">", ["*", s(2), n(2)], v(w.y)]]
    corners = [
        "filter",
        ["fixtures", w.cell],
        1,
        ["not", ["has", ["set", ["cat", ["lone", n(1)], ["lone", n(4)]]], s(1)]],
    ]
    case(
        "a filter of a filter, and lists that are known ahead",
        "FilterTwice FixedList MenuOne",
        repeat(
            setvar(w.x, ["+", v(w.x), ["count", both]]),
            setvar(w.x, ["+", v(w.x), ["one", both]]),
            when(["any", both], [add(w.y, 1)]),
            setcol(w.stake, n(0), ["sum", both, 3, ["+", s(3), n(1)]]),
            setcol(w.stake, n(1), ["count", corners]),
            setcol(w.stake, n(2), ["size", ["set", ["cat", ["lone", n(2)], ["lone", n(-1)], ["lone", n(2)]]]]),
            menu(s(0), "take", entry("take", setcol(w.owner, s(4), s(0)), domains=[(4, "fixture", corners)])),
            when([">", v(w.x), n(40)], [end("far")]),
        ),
    )
    case("seat loops and guards", "SeatsStart SeatsNext MenuPlain Single", repeat(seat_loop))
    some = ["filter", ["seats", s(0)], 3, ["<", col(w.stake, s(3)), v(w.y)]]
    case(
        "tests of what a menu has bound",
        "MenuOne",
        repeat(
            menu(s(0), "aim", entry("aim", domains=[(4, "seat", some)]), otherwise=[let(4, n(-1)), add(w.x, 10)]),
            let(5, ["!=", s(4), n(-1)]),
            when(eq(s(5), n(1)), [setcol(w.stake, s(4), ["+", col(w.stake, s(4)), n(1)])], [add(w.y, 1)]),
            menu(s(0), "aim", entry("aim", domains=[(4, "seat", some)]), otherwise=let(4, n(-1))),
            when(["!=", s(4), n(-1)], [add(w.x, 1)], [add(w.y, 1)]),
            when(["!=", s(4), n(-1)], [add(w.x, 1)]),
            menu(s(0), "and", entry("and", let(4, n(-1)), domains=[(4, "seat", some)]), otherwise=let(4, n(1))),
            when(["!=", s(4), n(-1)], [add(w.x, 7)]),
            when([">", v(w.x), n(60)], [end("far")]),
            GO,
        ),
    )
    return found


CASES = cases()


@pytest.mark.parametrize("name", sorted(CASES))
def test_fused_equals_plain(name: str) -> None:
    world, body, nodes = CASES[name]
    programs = world.programs(*body)
    assert same_play(programs) > 0
    names = node_names(programs[1].units)
    assert nodes <= names, f"not fused: {', '.join(sorted(nodes - names))}"
    plain = node_names(programs[0].units)
    assert not plain & {node for node in nodes if node.startswith(("Cell", "Fill", "Deal", "MoveEach", "Seats"))}


def rounds(w: World) -> None:
    """A round that others refer to: they raise its stake, ask whether it runs, and leave it."""
    art = w.art
    turn, bump, game = art.proc("round", slots=8, params=1, verb=True), art.proc("bump", verb=True), w.main
    quit_ = art.proc("quit", params=1, slots=4, verb=True)
    art.body(
        bump,
        setvar(w.x, ["+", v(w.x), ["setting", turn, 1]]),
        when(["running", turn], [{"op": "setting", "proc": turn, "slot": 1, "value": ["+", ["setting", turn, 1], n(1)]}]),
    )  # fmt: skip
    leave = {"op": "leave", "proc": turn, "value": s(1)}
    art.body(quit_, add(w.x, 100), when([">", v(w.y), n(1)], [leave]), add(w.x, 1000))
    art.body(
        turn,
        foreach(2, ["seats", s(0)], when(eq(s(3), n(-1)), [add(w.x, 1)]), let(3, s(2))),
        menu(s(0), "act", entry("bump", do(bump)), entry("quit", do(quit_, n(5))), entry("done", ret(n(9)))),
        add(w.y, 1),
        do(bump),
        do(quit_, n(6)),
    )
    art.body(
        game,
        repeat(
            do(turn, n(2), result=4, ok=5),
            setvar(w.x, ["+", v(w.x), ["+", s(4), s(5)]]),
            call(turn, v(w.y), result=6),
            setvar(w.x, ["+", v(w.x), s(6)]),
            when([">", v(w.x), n(9000)], [end("far")]),
        ),
    )


def test_procedures_need_no_frame_if_all_that_refers_to_them_is_inside() -> None:
    w = World()
    rounds(w)
    package = w.art.load()
    programs = [
        Program(package, SEATS, {}, fuse=False),
        Program(package, SEATS, {}),
        Program(package, SEATS, {}, quiet=True),
    ]
    assert same_play(programs) > 50
    assert [len(program.units) for program in programs][2] == 1
    assert len(programs[0].units) > 2


def test_what_is_referred_to_from_elsewhere_keeps_its_frame() -> None:
    w = World()
    rounds(w)
    bump = w.art.find("procs", "bump")
    w.art.doc["procs"][w.main]["body"]["body"].insert(0, do(bump))
    package = w.art.load()
    programs = [Program(package, SEATS, {}, fuse=fuse, quiet=quiet) for fuse, quiet in ((0, 0), (1, 0), (1, 1))]
    assert same_play(programs) > 50
    assert w.art.find("procs", "round") in programs[2].framed

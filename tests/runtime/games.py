"""Small whole games for the tests and the speed measurements of the runtime."""

from __future__ import annotations

from rtkit import Art, do, end, entry, eq, foreach, let, menu, move, n, repeat, s, setcol, setvar, v, when

from grimoire.runtime import Package


def tic_tac_toe() -> Package:
    """Cells and lines as fixtures, a relation from a line to its cells."""
    art = Art("three-in-a-row")
    cell, line = art.kind("cell", "fixture"), art.kind("line", "fixture")
    for i in range(9):
        art.fixture(f"c{i}", cell)
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for i in range(8):
        art.fixture(f"l{i}", line)
    cells = art.relation("cells", [[]] * 9 + [list(row) for row in lines])
    current = art.var("current-player", "seat")
    owner = art.column("owner", "fixture", "seat", init=-1)
    main = art.proc("game")
    place = art.proc("place", [setcol(owner, s(1), s(0))], params=1, slots=3, verb=True, sorts=["fixture"])
    row = ["all", ["rel", cells, s(1)], 2, eq(["col", owner, s(2)], s(0))]
    full = art.function("row", ["any", ["filter", ["fixtures", line], 1, row]], slots=4)
    free = ["filter", ["fixtures", cell], 1, eq(["col", owner, s(1)], n(-1))]
    art.body(
        main,
        repeat(
            menu(
                v(current),
                "place",
                entry("place", do(place, s(1), you=v(current)), domains=[(1, "fixture", free)]),
                otherwise=[end("draw")],
            ),
            when(["fn", full, v(current)], [end("row", ["bit", v(current)])]),
            setvar(current, ["next", v(current), n(1)]),
        ),
    )
    return art.load()


def connect_four() -> Package:
    """Columns 0..6 of heights; every run of four is a fixture with its cells."""
    art = Art("four-in-a-row")
    cell, line = art.kind("cell", "fixture"), art.kind("line", "fixture")
    for i in range(42):
        art.fixture(f"c{i}", cell)
    lines = []
    for r in range(6):
        for c in range(7):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                run = [(c + k * dc, r + k * dr) for k in range(4)]
                if all(0 <= x < 7 and 0 <= y < 6 for x, y in run):
                    lines.append([y * 7 + x for x, y in run])
    for i in range(len(lines)):
        art.fixture(f"l{i}", line)
    through = [[42 + at for at, row in enumerate(lines) if i in row] for i in range(42)]
    cells = art.relation("cells", [[]] * 42 + lines)
    lines_of = art.relation("lines", through + [[]] * len(lines))
    current = art.var("current-player", "seat")
    last = art.var("last", "fixture", init=-1)
    column = art.kind("column", "fixture")
    for i in range(7):
        art.fixture(f"col{i}", column)
    first = 42 + len(lines)
    for relation in art.doc["relations"]:
        relation["table"] = relation["table"] + [[]] * 7
    height = art.column("height", "fixture")
    owner = art.column("owner", "fixture", "seat", init=-1)
    main = art.proc("game")
    at = ["+", ["*", ["col", height, s(1)], n(7)], ["-", s(1), n(first)]]
    drop = art.proc(
        "drop",
        [
            let(2, at),
            setcol(owner, s(2), s(0)),
            setcol(height, s(1), ["+", ["col", height, s(1)], n(1)]),
            setvar(last, s(2)),
        ],
        params=1,
        slots=4,
        verb=True,
        sorts=["fixture"],
    )
    row = ["all", ["rel", cells, s(1)], 2, eq(["col", owner, s(2)], s(0))]
    full = art.function("row", ["any", ["filter", ["rel", lines_of, v(last)], 1, row]], slots=4)
    free = ["filter", ["fixtures", column], 1, ["<", ["col", height, s(1)], n(6)]]
    art.body(
        main,
        repeat(
            menu(
                v(current),
                "drop",
                entry("drop", do(drop, s(1), you=v(current)), domains=[(1, "fixture", free)]),
                otherwise=[end("draw")],
            ),
            when(["fn", full, v(current)], [end("row", ["bit", v(current)])]),
            setvar(current, ["next", v(current), n(1)]),
        ),
    )
    return art.load()


def leduc() -> Package:
    """Two suits of three ranks, two rounds, two raises a round."""
    art = Art("leduc")
    card = art.kind("card", "piece")
    deck, hand, board = art.zone("deck", seen="none"), art.zone("hand", each=True, seen="owner"), art.zone("board")
    current = art.var("current-player", "seat")
    stage, raises, acted = art.var("stage"), art.var("raises"), art.var("acted")
    pot = art.column("pot", "seat", init=1)
    for i in range(3):
        art.definition(f"rank{i}", card, 2, deck)
    rank = art.column("rank", "piece", printed=[0, 1, 2])
    main = art.proc("game")
    other = ["next", v(current), n(1)]
    mine, theirs = ["col", pot, v(current)], ["col", pot, other]
    top_rank = ["col", rank, ["top", ["zone", board]]]

    def held(seat):
        return ["col", rank, ["top", ["zfam", hand, seat]]]

    fold = art.proc("fold", [end("fold", ["bit", ["next", s(0), n(1)]])], verb=True, slots=2)
    show = art.proc(
        "showdown",
        [
            let(1, held(n(0))),
            let(2, held(n(1))),
            let(3, top_rank),
            when(eq(s(1), s(3)), [end("pair", n(1))]),
            when(eq(s(2), s(3)), [end("pair", n(2))]),
            when([">", s(1), s(2)], [end("high", n(1))]),
            when(["<", s(1), s(2)], [end("high", n(2))]),
            end("tie"),
        ],
        slots=4,
    )
    deal = art.proc("deal", [move(["top", ["zone", deck]], s(1))], params=1, slots=2, verb=True, sorts=["zone"])
    follow = art.proc("follow", [setcol(pot, s(0), ["col", pot, ["next", s(0), n(1)]])], slots=2, verb=True)
    lift = art.proc(
        "lift",
        [
            setcol(pot, s(0), ["+", ["col", pot, ["next", s(0), n(1)]], ["if", eq(v(stage), n(0)), n(2), n(4)]]),
            setvar(raises, ["+", v(raises), n(1)]),
        ],
        slots=2,
        verb=True,
    )
    me = v(current)
    call_show = {"op": "call", "proc": show, "you": me, "args": []}
    next_round = [
        setvar(stage, n(1)),
        do(deal, ["zone", board], you=me),
        setvar(raises, n(0)),
        setvar(acted, n(0)),
        setvar(current, n(0)),
    ]
    art.body(
        main,
        {"op": "shuffle", "zone": ["zone", deck]},
        foreach(1, ["seats", n(0)], do(deal, ["zfam", hand, s(1)], you=s(1))),
        repeat(
            menu(
                me,
                "bet",
                entry("fold", do(fold, you=me), guard=["<", mine, theirs]),
                entry(
                    "call",
                    do(follow, you=me),
                    setvar(acted, ["+", v(acted), n(1)]),
                    when(
                        [">=", v(acted), n(2)],
                        [when(eq(v(stage), n(1)), [call_show], next_round), {"op": "again"}],
                    ),
                ),
                entry(
                    "raise",
                    do(lift, you=me),
                    setvar(acted, ["+", v(acted), n(1)]),
                    guard=["<", v(raises), n(2)],
                ),
            ),
            setvar(current, other),
        ),
    )
    return art.load()

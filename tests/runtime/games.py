"""Small whole games for the tests and the speed measurements of the runtime."""

from __future__ import annotations

from rtkit import Art, choose, do, end, entry, eq, foreach, let, menu, move, n, pay, repeat, s, setcol, setvar, v, when

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


def stress(players: int = 3) -> Package:
    """Hidden hands and deck, reactions, floating effects, limits, costs, polls, a secret pile, one verb inside
    another."""
    art = Art("stress", (2, 4))
    card = art.kind("card", "piece")
    room = art.kind("room", "fixture")
    deck, hand = art.zone("deck", seen="none"), art.zone("hand", each=True, seen="owner")
    table, trash, secret = art.zone("table", each=True), art.zone("trash", seen="top"), art.zone("secret", seen="none")
    for at in range(4):
        art.fixture(f"room{at}", room, holds=at == 3, seen="all")
    doors = art.relation("doors", [[1], [0, 2], [1, 3], [2]])
    current = art.var("current-player", "seat")
    rounds = art.var("rounds", init=0)
    mood = art.var("mood", init=0, seen="none")
    target = art.var("target", "piece", init=-1)
    hp = art.column("hp", "seat", init=12, low=0, high=12)
    gold = art.column("gold", "seat", init=3, low=0, high=20)
    at_room = art.column("room", "seat", "fixture", init=0)
    token = art.column("token", "piece", init=0)
    secret_note = art.column("note", "piece", init=0, seen="owner")
    power = art.column("power", "piece", printed=[1, 2, 3, 1, 2, 5])
    main, turn = art.proc("main", slots=12), art.proc("turn", slots=12)
    lose = art.proc("lose", params=2, slots=6, verb=True, sorts=["seat", "number"])
    spend = art.proc("spend", params=1, slots=4, verb=True, sorts=["number"])
    play = art.proc("play", params=1, slots=6, verb=True, sorts=["piece"])
    contest = art.proc("contest", params=1, slots=8, verb=True, sorts=["number"])
    draw = art.proc("draw", slots=4, verb=True)
    roll = art.proc("roll", params=1, slots=4, verb=True, sorts=["number"])
    mine = ["zfam", hand, s(0)]
    art.body(
        lose,
        setcol(hp, s(1), ["-", ["col", hp, s(1)], s(2)]),
        when(eq(["col", hp, s(1)], n(0)), [end("killed", ["bit", s(0)])]),
    )
    art.body(spend, setcol(gold, s(0), ["-", ["col", gold, s(0)], s(1)]))
    art.body(
        draw,
        when(
            eq(["height", ["zone", deck]], n(0)),
            [
                foreach(1, ["zone*", ["zone", trash]], move(s(1), ["zone", deck], seen="none")),
                {"op": "shuffle", "zone": ["zone", deck]},
            ],
        ),
        move(["top", ["zone", deck]], mine),
    )
    art.body(
        roll, {"op": "random", "slot": 2, "from": ["range", n(1), n(6)]}, {"op": "return", "value": ["+", s(2), s(1)]}
    )
    art.body(play, move(s(1), ["zone", trash]), {"op": "program", "piece": s(1), "name": "effect", "you": s(0)})
    give = entry(
        "give", move(s(2), ["zone", secret], seen="none"), domains=[(2, "piece", ["zone*", ["zfam", hand, s(3)]])]
    )
    art.body(
        contest,
        {
            "op": "poll",
            "seats": ["set", ["seats", n(0)]],
            "slot": 3,
            "menu": {"op": "menu", "seat": s(3), "label": "give", "entries": [give, entry("keep")]},
        },
        {"op": "shuffle", "zone": ["zone", secret]},
        let(4, ["sum", ["zone*", ["zone", secret]], 5, ["col", power, s(5)]]),
        foreach(5, ["zone*", ["zone", secret]], move(s(5), ["zone", trash])),
        {"op": "return", "value": [">=", s(4), s(1)]},
    )
    anyone = ["except", ["seats", s(0)], s(0)]
    strike = art.proc(
        "strike",
        [
            do(roll, n(0), result=3),
            menu(
                s(0),
                "whom",
                entry("hit", do(lose, s(2), ["//", ["+", s(3), n(1)], n(2)]), domains=[(2, "seat", anyone)]),
            ),
        ],
        params=1,
        slots=6,
    )
    peek = art.proc(
        "peek",
        [
            {"op": "look", "who": ["bit", s(0)], "what": ["set", ["top*", ["zone", deck], n(2)]]},
            setcol(token, ["top", ["zone", deck]], n(1)),
            setcol(secret_note, ["top", ["zone", deck]], ["+", s(0), n(1)]),
        ],
        params=1,
        slots=4,
    )
    stay = art.proc("stay", [move(s(1), ["zfam", table, s(0)])], params=1, slots=4)
    test = art.proc(
        "test",
        [do(contest, n(4), result=2), when(s(2), [setcol(gold, s(0), ["+", ["col", gold, s(0)], n(2)])])],
        params=1,
        slots=4,
    )
    aim = art.proc(
        "aim", [setvar(target, ["top", ["zone", deck]]), setvar(mood, ["col", power, v(target)])], params=1, slots=4
    )
    for name, program, copies in (
        ("strike", strike, 4),
        ("peek", peek, 3),
        ("guard", stay, 3),
        ("test", test, 3),
        ("charm", stay, 3),
        ("aim", aim, 2),
    ):
        art.definition(name, card, copies, deck, {"effect": program})
    guard = art.proc(
        "guard-program",
        [
            pay(
                do(spend, n(1)),
                [{"op": "setarg", "arg": 2, "value": ["-", ["arg", 2], n(2)]}, move(["this"], ["zone", trash])],
            )
        ],
        params=1,
        slots=4,
    )
    art.ability(
        "guard",
        lose,
        "before",
        guard,
        of=2,
        live=[2],
        optional=True,
        cond=["and", eq(["arg", 1], s(0)), [">", ["arg", 2], n(0)]],
        writes=["lose"],
    )
    again = art.proc(
        "reroll-program", [{"op": "cancel"}, do(roll, ["+", ["arg", 1], n(1)], you=["arg", 0])], params=1, slots=4
    )
    art.ability(
        "charm",
        roll,
        "instead",
        again,
        of=4,
        live=[2],
        cond=eq(["arg", 0], s(0)),
        limit={"n": 1, "per": turn},
        reads=["roll"],
        writes=["roll"],
    )
    thorns = art.proc(
        "thorns-program",
        [menu(s(0), "thorns", entry("take", setcol(gold, s(0), ["+", ["col", gold, s(0)], n(1)])), entry("leave"))],
        params=1,
        slots=4,
    )
    art.ability(
        "thorns",
        lose,
        "after",
        thorns,
        asks=["arg", 1],
        optional=True,
        cond=[">", ["arg", 2], n(2)],
        limit={"n": 2, "per": turn},
    )
    curse = art.proc("curse-program", [{"op": "setarg", "arg": 2, "value": ["+", ["arg", 2], s(2)]}], params=1, slots=5)
    art.ability("curse", lose, "before", curse, of=-2, once=True, cond=["!=", ["arg", 0], s(0)])
    art.ability("peace", lose, "cannot", cond=["and", eq(["col", at_room, ["arg", 1]], n(3)), eq(v(rounds), n(1))])
    art.modifier(power, of=4, live=[2], cond=eq(["holder", ["where", s(2)]], s(0)), add=n(1))
    art.function("strength", ["sum", ["zone*", ["zfam", hand, s(0)]], 1, ["attr", power, s(1)]])
    me = s(0)
    buy = pay(
        [choose(me, "discard", 4, "piece", ["zone*", mine], n(1), n(2)), do(spend, ["size", s(4)])],
        [foreach(5, ["members", "piece", s(4)], move(s(5), ["zone", trash])), do(draw), do(draw)],
        [setcol(gold, me, ["+", ["col", gold, me], n(1)])],
    )
    art.body(
        turn,
        do(draw),
        repeat(
            menu(
                me,
                "act",
                entry("play", do(play, s(2)), domains=[(2, "piece", ["zone*", mine])]),
                entry(
                    "walk",
                    setcol(at_room, me, s(3)),
                    domains=[(3, "fixture", ["rel", doors, ["col", at_room, me]])],
                    guard=["can", do(spend, n(1))],
                ),
                entry("buy", buy),
                entry(
                    "curse",
                    {
                        "op": "grant",
                        "abilities": [art.find("abilities", "curse")],
                        "modifiers": [],
                        "until": turn,
                        "captures": [n(1)],
                    },
                ),
                entry("stop", {"op": "stop"}),
            ),
            times=n(2),
        ),
    )
    art.body(
        main,
        {"op": "shuffle", "zone": ["zone", deck]},
        foreach(1, ["seats", n(0)], do(draw, you=s(1)), do(draw, you=s(1))),
        repeat(
            call_proc(turn, v(current)),
            setvar(current, ["next", v(current), n(1)]),
            when(eq(v(current), n(0)), [setvar(rounds, ["+", v(rounds), n(1)])]),
            when(
                [">", v(rounds), n(5)], [end("time", ["set", ["best", "max", ["seats", n(0)], 2, ["col", gold, s(2)]]])]
            ),
        ),
    )
    art.doc["score"] = art.function("score", ["col", gold, s(0)])
    del players
    return art.load()


def call_proc(proc: int, you: object) -> object:
    return {"op": "call", "proc": proc, "you": you, "args": []}


def letters() -> Package:
    """A sixteen-card game of eight ranks, two seats, one round: the card is chosen, then its target, then a guess."""
    art = Art("letters")
    card, guess = art.kind("card", "piece"), art.kind("rank", "fixture")
    for at in range(2, 9):
        art.fixture(f"r{at}", guess)
    deck, aside = art.zone("deck", seen="none"), art.zone("aside", seen="none")
    hand, pile, shown = art.zone("hand", each=True, seen="owner"), art.zone("pile", each=True), art.zone("shown")
    current = art.var("current-player", "seat")
    safe = art.column("safe", "seat", "flag")
    rank = art.column("rank", "piece", printed=[1, 2, 3, 4, 5, 6, 7, 8])
    main = art.proc("main", slots=8)
    out = art.proc("out", [end("out", ["bit", ["next", s(1), n(1)]])], params=1, slots=2, verb=True, sorts=["seat"])
    draw = art.proc("draw", [move(["top", ["zone", deck]], ["zfam", hand, s(0)])], slots=2, verb=True)
    play = art.proc("play", params=1, slots=6, verb=True, sorts=["piece"])
    drop = art.proc("drop", params=1, slots=6, verb=True, sorts=["seat"])
    foe = ["next", s(0), n(1)]

    def held(seat: object) -> object:
        return ["col", rank, ["top", ["zfam", hand, seat]]]

    others = ["filter", ["except", ["seats", s(0)], s(0)], 2, eq(["col", safe, s(2)], n(0))]
    anyone = ["filter", ["seats", s(0)], 2, ["or", eq(s(2), s(0)), eq(["col", safe, s(2)], n(0))]]

    def target(body: list[object], sel: object = others) -> list[object]:
        return [menu(s(0), "target", entry("target", *body, domains=[(2, "seat", sel)]))]

    ask = menu(
        s(0),
        "guess",
        entry(
            "guess",
            when(eq(held(s(2)), ["+", s(3), n(2)]), [do(out, s(2))]),
            domains=[(3, "fixture", ["fixtures", guess])],
        ),
    )
    effects = {
        1: target([ask]),
        2: target([{"op": "look", "who": ["bit", s(0)], "what": ["bit", ["top", ["zfam", hand, s(2)]]]}]),
        3: target(
            [
                when(
                    [">", held(s(0)), held(s(2))],
                    [do(out, s(2))],
                    [when(["<", held(s(0)), held(s(2))], [do(out, s(0))])],
                )
            ]
        ),
        4: [setcol(safe, s(0), n(1))],
        5: target([do(drop, s(2))], anyone),
        6: target(
            [
                let(3, ["top", ["zfam", hand, s(0)]]),
                let(4, ["top", ["zfam", hand, s(2)]]),
                move(s(3), ["zfam", hand, s(2)]),
                move(s(4), ["zfam", hand, s(0)]),
            ]
        ),
        7: [],
        8: [do(out, s(0))],
    }
    copies = {1: 5, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1, 8: 1}
    for at in range(1, 9):
        program = art.proc(f"effect{at}", effects[at], params=1, slots=6)
        art.definition(f"card{at}", card, copies[at], deck, {"effect": program})
    art.body(play, move(s(1), ["zfam", pile, s(0)]), {"op": "program", "piece": s(1), "name": "effect", "you": s(0)})
    art.body(
        drop,
        let(2, ["top", ["zfam", hand, s(1)]]),
        move(s(2), ["zfam", pile, s(1)]),
        when(eq(["col", rank, s(2)], n(8)), [do(out, s(1))]),
        when(
            ["height", ["zone", deck]],
            [move(["top", ["zone", deck]], ["zfam", hand, s(1)])],
            [move(["top", ["zone", aside]], ["zfam", hand, s(1)])],
        ),
    )
    me = v(current)
    mine = ["zone*", ["zfam", hand, me]]
    royal = [
        "and",
        ["any", ["filter", mine, 2, eq(["col", rank, s(2)], n(7))]],
        ["any", ["filter", mine, 2, ["or", eq(["col", rank, s(2)], n(5)), eq(["col", rank, s(2)], n(6))]]],
    ]
    playable = ["filter", mine, 1, ["or", ["not", royal], eq(["col", rank, s(1)], n(7))]]
    discarded = ["sum", ["zone*", ["zfam", pile, s(1)]], 2, ["col", rank, s(2)]]
    compare = ["best", "max", ["best", "max", ["seats", n(0)], 1, held(s(1))], 1, discarded]
    top = ["top", ["zone", deck]]
    art.body(
        main,
        {"op": "shuffle", "zone": ["zone", deck]},
        move(top, ["zone", aside]),
        repeat(move(top, ["zone", shown]), times=n(3)),
        foreach(1, ["seats", n(0)], do(draw, you=s(1))),
        repeat(
            when(eq(["height", ["zone", deck]], n(0)), [end("compare", ["set", compare])]),
            setcol(safe, me, n(0)),
            do(draw, you=me),
            menu(me, "play", entry("play", do(play, s(1), you=me), domains=[(1, "piece", playable)])),
            setvar(current, ["next", me, n(1)]),
        ),
    )
    del foe
    return art.load()

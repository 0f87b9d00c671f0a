"""Where a question comes from, as far as the seat that is asked may know it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from rtkit import Art, ability_program, do, entry, foreach, let, menu, move, n, s

from grimoire.runtime import Game, Source, load_game, new_game

ASK = menu(n(0), "ask", entry("go"))
ASK_OTHER = menu(n(1), "ask", entry("go"))


def table(ability: Any = None, effect: Any = None, seen: str = "all", phase: str = "after", **more: Any) -> Game:
    """p1 has a card ``bell`` in a zone; the event ``sail`` happens, then the effect of the card is carried out."""
    art = Art("table")
    card = art.kind("card", "piece")
    start, desk = art.zone("start", seen="none"), art.zone("desk", each=True, seen=seen)
    main = art.proc("main", slots=6)
    programs = {} if effect is None else {"effect": ability_program(art, "effect", [effect])}
    bell = art.definition("bell", card, 1, start, programs)
    sail = art.proc("sail", slots=4, verb=True)
    if ability is not None:
        proc = ability_program(art, "ring", [ability])
        art.ability("bell.ring", sail, phase, proc, **{"of": bell, "live": [desk], **more})
    deal = foreach(1, ["zone*", ["zone", start]], move(s(1), ["zfam", desk, n(0)]))
    run = {"op": "program", "piece": s(2), "name": "effect", "you": n(0)}
    art.body(main, deal, let(2, ["top", ["zfam", desk, n(0)]]), do(sail), run, ASK)
    return new_game(art.load(), 2)


def source(game: Game) -> Source | None:
    assert game.decision is not None
    again = load_game(game.package, json.loads(json.dumps(game.save())))
    assert again.decision is not None and again.decision.source == game.decision.source
    return game.decision.source


def test_a_rule_of_the_game_has_none() -> None:
    assert source(table()) is None


def test_the_clause_of_the_rule_that_asks() -> None:
    """That of the statement, the nearest one; where it has none, that of the procedure it is asked in."""
    at = {**ASK, "at": 1}
    near = {"op": "seq", "body": [{"op": "seq", "body": [at], "clause": "wind.1"}], "clause": "wind.2"}

    def asked(*body: Any) -> Source | None:
        art = Art("table")
        for line in (1, 2):
            art.place("x.yaml", line, "either go or stay")
        main, call = art.proc("main", slots=3), art.proc("gale", slots=3, verb=True)
        art.body(call, *body)
        art.body(main, do(call))
        return source(new_game(art.load(), 2))

    assert asked(near) == Source(None, None, None, "wind.1")
    assert asked({**let(1, n(1)), "clause": "wind.3"}, at) == Source(None, None, None, "wind.3")
    assert asked(at) is None


def test_the_effect_of_a_card() -> None:
    assert source(table(effect=ASK)) == Source("bell", None, None)


def test_an_ability_of_a_card_and_one_of_no_card() -> None:
    assert source(table(ASK)) == Source("bell", "bell.ring", None)
    assert source(table(ASK, of=-1, live=None)) == Source(None, "bell.ring", None)


def test_an_effect_for_one_use_is_gone_when_it_asks() -> None:
    art = Art("table")
    main, sail = art.proc("main", slots=3), art.proc("sail", slots=4, verb=True)
    ward = art.ability("ward", sail, "after", ability_program(art, "warded", [ASK]), of=-2, once=True)
    art.body(main, {"op": "grant", "abilities": [ward], "modifiers": [], "until": -1, "captures": []}, do(sail))
    assert source(new_game(art.load(), 2)) == Source(None, "ward", None)


def test_what_the_seat_does_not_know_is_not_named() -> None:
    assert source(table(ASK_OTHER, seen="owner")) is None
    assert source(table(ASK, seen="owner")) == Source("bell", "bell.ring", None)
    assert source(table(effect=ASK_OTHER, seen="owner")) is None


def test_a_window_belongs_to_an_event() -> None:
    after = source(table(ASK, optional=True))
    assert after is not None and after.event == {"verb": "sail", "you": "p1", "args": [], "ok": True}
    before = source(table(ASK, optional=True, phase="before"))
    assert before is not None and before.event == {"verb": "sail", "you": "p1", "args": [], "ok": None}
    assert json.loads(json.dumps(asdict(before)))["piece"] is None


def test_an_ability_is_offered_with_its_card() -> None:
    game = table(ASK, optional=True)
    assert game.decision is not None
    assert game.decision.options[0].key == "bell.ring:bell@desk.p1"
    assert game.decision.options[0].values == ("bell@desk.p1",)

"""Loading: what is wrong with an artefact is named, whatever it is; nothing else ever escapes."""

from __future__ import annotations

import copy
import json
from typing import Any

import games
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtkit import Art, entry, menu, n, s, setvar, v, when

from grimoire.runtime import (
    ArtefactError,
    BudgetExceeded,
    EngineError,
    EngineFault,
    SetupError,
    artefact_schema,
    content_hash,
    load_artefact,
    new_game,
)
from grimoire.runtime.build.program import program_for
from grimoire.runtime.core.records import FORMS, Expression, Selector, Statement

MADE = [games.tic_tac_toe(), games.connect_four(), games.leduc(), games.stress()]


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    document["hash"] = content_hash(document)
    return document


def small() -> dict[str, Any]:
    art = Art()
    art.var("x")
    art.kind("room", "fixture")
    art.fixture("a", 0)
    art.zone("deck")
    art.column("heat", "fixture")
    art.proc("main", [setvar(0, n(1)), menu(n(0), "wait", entry("go"))])
    art.proc("verb", [], verb=True, slots=2)
    art.function("f", v(0))
    art.ability("a", 1, "cannot")
    return art.finish()


def test_from_path_bytes_and_dict(tmp_path) -> None:
    document = small()
    data = json.dumps(document).encode()
    path = tmp_path / "game.json"
    path.write_bytes(data)
    assert {load_artefact(source).hash for source in (document, data, path, str(path))} == {document["hash"]}


def test_cut_edited_foreign_and_later_ones() -> None:
    document = small()
    data = json.dumps(document).encode()
    with pytest.raises(ArtefactError, match="not complete JSON"):
        load_artefact(data[: len(data) // 2])
    with pytest.raises(ArtefactError, match="cannot read"):
        load_artefact("/no/such/file.json")
    with pytest.raises(ArtefactError, match="changed after it was written"):
        load_artefact({**document, "players": {"min": 2, "max": 3}})
    with pytest.raises(ArtefactError, match="version 2"):
        load_artefact(sealed({**document, "version": 2}))
    with pytest.raises(ArtefactError, match="not an artefact"):
        load_artefact({"format": "other"})
    with pytest.raises(ArtefactError, match="JSON object"):
        load_artefact(b"[1, 2]")
    with pytest.raises(ArtefactError):
        load_artefact(b"\xff\xfe\x00")


def test_deep_nesting_is_refused() -> None:
    document = small()
    deep: Any = n(1)
    for _ in range(400):
        deep = ["not", deep]
    document["functions"][0]["value"] = deep
    with pytest.raises(ArtefactError, match="nested"):
        load_artefact(sealed(document))
    with pytest.raises(ArtefactError, match="nested"):
        load_artefact(b'{"a":' * 100_000 + b"1" + b"}" * 100_000)


CHANGES = {
    "var": lambda d: d["procs"][0]["body"]["body"][0].update(var=1),
    "slot": lambda d: d["functions"][0].update(value=s(8)),
    "bool index": lambda d: d["procs"][0]["body"]["body"][0].update(var=True),
    "missing field": lambda d: d["procs"][0]["body"]["body"][0].pop("value"),
    "unknown field": lambda d: d["procs"][0]["body"]["body"][0].update(extra=1),
    "unknown statement": lambda d: d["procs"][0]["body"]["body"].append({"op": "jump"}),
    "unknown expression": lambda d: d["functions"][0].update(value=["eval", "x"]),
    "parts": lambda d: d["functions"][0].update(value=["+", n(1)]),
    "arguments": lambda d: d["procs"][0]["body"]["body"].append({"op": "call", "proc": 1, "you": n(0), "args": [n(1)]}),
    "no verb": lambda d: d["procs"][0]["body"]["body"].append({"op": "do", "verb": 0, "you": n(0), "args": []}),
    "kind": lambda d: d["fixtures"][0].update(kind=7),
    "kind circle": lambda d: d["kinds"][0].update({"is": 0}),
    "main": lambda d: d.update(main=9),
    "score": lambda d: d.update(score=9),
    "aims": lambda d: d.update(aims=7),
    "aim value": lambda d: d.update(aims=[{"id": "x", "only": None, "value": 9}]),
    "aim only": lambda d: d.update(aims=[{"id": "x", "only": 9, "value": 0}]),
    "aim id": lambda d: d.update(aims=[{"id": 3, "only": None, "value": 0}]),
    "players": lambda d: d.update(players={"min": 3, "max": 2}),
    "table": lambda d: d.update(zones={}),
    "missing table": lambda d: d.pop("columns"),
    "printed": lambda d: d["columns"][0].update(printed=[1, 2, 3]),
    "id twice": lambda d: d["vars"].append(d["vars"][0]),
    "ability on": lambda d: d["abilities"][0].update(on=0),
    "ability phase": lambda d: d["abilities"][0].update(phase="never"),
    "ability proc": lambda d: d["abilities"][0].update(phase="after"),
    "place": lambda d: d["functions"][0].update(value=["at", 5, n(1)]),
    "option": lambda d: d["functions"][0].update(value=["option", "nope"]),
    "sort": lambda d: d["functions"][0].update(value=["set", ["members", "cow", n(1)]]),
    "relation": lambda d: d.update(relations=[{"id": "r", "table": []}]),
    "text": lambda d: d["procs"][0].update(id=5),
    "slots": lambda d: d["procs"][0].update(slots=0),
    "too many": lambda d: d.update(definitions=[{"id": "c", "kind": -1, "copies": 10**9, "start": 0}]),
    "start": lambda d: d.update(definitions=[{"id": "c", "kind": -1, "copies": 1, "start": 4}]),
    "start on what holds nothing": lambda d: (
        d["fixtures"][0].update(holds=False),
        d.update(
            definitions=[{"id": "c", "kind": -1, "copies": 1, "start": -1, "programs": {}, "when": None, "on": 0}]
        ),
    ),
    "domain": lambda d: d["procs"][0]["body"]["body"][1]["entries"][0].update(domains=[{"slot": 99}]),
    "words": lambda d: d["procs"][0]["body"]["body"].append({"op": "move", "piece": n(0), "to": n(0), "where": "side"}),
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_what_is_out_of_shape_is_refused(name: str) -> None:
    document = copy.deepcopy(small())
    CHANGES[name](document)
    with pytest.raises(ArtefactError):
        load_artefact(sealed(document))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damage_anywhere_gives_an_artefact_error_or_a_playable_game(data: st.DataObject) -> None:
    document = copy.deepcopy(data.draw(st.sampled_from([small(), MADE[0].document, MADE[3].document])))
    node: Any = document
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.integers(0, 5)) == 0:
            break
        node = node[key]
    node[key] = data.draw(st.sampled_from([None, -1, -3, 7, 10**6, "x", [], {}, True, ["slot", 3], [["int"]], 1.5]))
    try:
        package = load_artefact(sealed(document))
        program_for(package, package.min_players, {})
    except (ArtefactError, EngineFault, SetupError):
        return
    try:
        game = new_game(package, package.min_players)
        for _ in range(12):
            if game.decision is None or not game.decision.keys:
                break
            game.choose(game.decision.keys[-1])
        json.dumps([game.view(None), game.view(0), game.log(0, True), game.save(), game.digest()])
    except (BudgetExceeded, EngineError, EngineFault):
        pass  # rules that no compiler writes may run into a wall, but only while they are played


def test_schema_and_check_know_the_same_forms() -> None:
    defs = artefact_schema()["$defs"]
    assert defs["expression"]["prefixItems"][0]["enum"] == sorted(FORMS[Expression])
    assert defs["selector"]["prefixItems"][0]["enum"] == sorted(FORMS[Selector])
    assert defs["statement"]["properties"]["op"]["enum"] == sorted(FORMS[Statement])


def test_schema_accepts_what_is_played_and_refuses_damage() -> None:
    validator = jsonschema.Draft202012Validator(artefact_schema())
    for package in MADE:
        errors = [error.message for error in validator.iter_errors(package.document)]
        assert errors == []
    bad = small()
    bad["procs"][0]["body"]["body"].append({"op": "jump"})
    assert list(validator.iter_errors(bad))
    bad = small()
    bad["functions"][0]["value"] = ["+", n(1)]
    assert list(validator.iter_errors(bad))


# -- setting up


def optional() -> Any:
    art = Art("opt", (2, 4))
    art.option("long", "flag", default=False)
    art.option("map", "choice", ["small", "large"], "small")
    card = art.kind("card", "piece")
    pile = art.zone("pile")
    art.definition("always", card, 1, pile)
    art.definition("large-only", card, 2, pile, when=["==", ["option", "map"], n(1)])
    art.proc("main", [when(["option", "long"], [menu(n(0), "long", entry("go"))]), menu(n(0), "wait", entry("go"))])
    return art.load()


def test_options_and_players() -> None:
    package = optional()
    game = new_game(package, 3, options={"map": "large", "long": True})
    assert game.decision.label == "long" and len(game.view(0)["zones"]["pile"]) == 3
    assert len(new_game(package, 2).view(0)["zones"]["pile"]) == 1
    with pytest.raises(SetupError, match="2 to 4 players, not 5"):
        new_game(package, 5)
    with pytest.raises(SetupError, match=r"unknown option 'lang'.*long \(yes or no\), map \(small, large\)"):
        new_game(package, 2, options={"lang": 1})
    with pytest.raises(SetupError, match=r"'tiny' is no value of the option map \(small, large\)"):
        new_game(package, 2, options={"map": "tiny"})
    with pytest.raises(SetupError, match="whole number"):
        new_game(package, 2, seed="x")
    with pytest.raises(SetupError, match="can force 'random'"):
        new_game(package, 2, script={"dice": []})

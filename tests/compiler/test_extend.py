"""Expansions: a package adds to another without touching its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import build, check, compile_package
from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.api.trace import trace_package
from grimoire.runtime import new_game

BASE = {
    "package.yaml": "package: base\nversion: 1.2.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n",
    "game.yaml": """\
kinds:
  player: {states: {coins: number}}
  trick:
    is: card
    fields: {worth: number}
    slots: {effect: effect}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  pile: {holds: trick}
cards:
  penny: {kind: trick, worth: 1, copies: 2, in: deck, effect: gain (the worth of this) coins}
outcomes: [rich]
rules:
  play: {clauses: {1: rule}}
verbs:
  gain: {signature: gain <number> coins, done: gained, body: your coins is now your coins + amount}
procedures:
  game: |
    shuffle the deck
    §play.1 each player must take a turn
    end the game with rich for all players with the most coins
  turn: |
    move the top trick of the deck to your hand
    choose a trick in your hand as played
    move the played to the pile
    resolve the effect of the played
""",
}
MORE = {
    "package.yaml": "package: more\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds: {base: '>=1.1, <2'}\n",
    "cards.yaml": """\
kinds:
  trick: {fields: {colour: optional hue}}
values: {hue: [red, blue]}
cards:
  pound: {kind: trick, worth: 5, colour: red, in: deck, effect: gain (the worth of this) coins}
replaces:
  penny: {worth: 2}
rules:
  red: {clauses: {1: rule}}
abilities:
  red-bonus:
    clause: red.1
    window: at the end of a turn
    do: if there is a trick whose colour = red in the pile, gain 1 coin
""",
    "scenarios/red.yaml": """\
scenarios:
  red-in-the-pile-pays:
    proves: [red.1]
    given: {start: take a turn, as: p2, zones: {deck: [pound], pile: []}}
    when: [p2: played]
    then: [the coins of p2 = 6]
  nothing-red-pays-nothing:
    proves: [red.1]
    given: {start: take a turn, as: p2, zones: {deck: [penny], pile: []}}
    when: [p2: played]
    then: [the coins of p2 = 2]
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "base", BASE)
    write(tmp_path / "more", MORE)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def codes(folder: Path) -> list[str]:
    return [d.code for d in check([folder / "more"])]


def test_an_expansion_is_clean_and_leaves_its_base_alone(folder: Path) -> None:
    before = build(folder / "base")["hash"]
    assert check([folder]) == []
    assert build(folder / "base")["hash"] == before
    artefact = build(folder / "more")
    assert artefact["linked"] == [{"id": "base", "version": "1.2.0"}]
    assert artefact["players"] == {"min": 2, "max": 2}
    assert [d["id"] for d in artefact["definitions"]] == ["penny", "pound"]


def test_new_card_erratum_and_rule_are_played(folder: Path) -> None:
    package = compile_package(folder / "more")
    seen = set()
    for seed in range(30):
        game = new_game(package, players=2, seed=seed)
        while game.decision is not None:
            game.choose(game.decision.options[0].key)
        assert game.outcome is not None
        seats = game.view(None)["seats"]
        seen.add(tuple(sorted(seat["player.coins"] for seat in seats.values())))
    # two pennies of 2 (erratum); or a pound of 5, which pays 1 more at the end of its turn and of the next
    assert seen == {(2, 2), (2, 6), (3, 6)}


def test_scenarios_and_trace_speak_of_the_expansion_alone(folder: Path) -> None:
    report = run_scenarios(folder / "more")
    assert (report.passed, report.failed) == (2, False), report.render()
    traced = trace_package(folder / "more")
    assert [clause.id for clause in traced.clauses] == ["red.1"]
    assert not traced.failed, traced.render()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("optional hue", "hue", "G0709"),
        ("  penny: {worth: 2}", "  pennie: {worth: 2}", "G0218"),
        ("  penny: {worth: 2}", "  penny: {wroth: 2}", "G0305"),
        ("  pound: {", "  penny: {", "G0523"),
        ("in: deck", "in: dekc", "G0520"),
    ],
)
def test_what_cannot_be_added(folder: Path, old: str, new: str, code: str) -> None:
    edit(folder / "more" / "cards.yaml", old, new)
    assert code in codes(folder)


def test_a_base_that_is_misspelt_is_looked_for_beside_it(folder: Path) -> None:
    edit(folder / "more" / "package.yaml", "base:", "bases:")
    found = check([folder / "more"])
    assert [(item.code, item.hint) for item in found] == [("G0213", "write base")]


def test_a_newer_base_is_wanted(folder: Path) -> None:
    edit(folder / "more" / "package.yaml", ">=1.1, <2", ">=2")
    found = check([folder / "more"])
    assert found and "1.2.0" in found[0].message


def test_older_cards_get_the_new_field_by_erratum(folder: Path) -> None:
    edit(folder / "more" / "cards.yaml", "optional hue", "hue")
    edit(folder / "more" / "cards.yaml", "penny: {worth: 2}", "penny: {worth: 2, colour: blue}")
    assert codes(folder) == []


TABLE = """\
positions:
  begin:
    given: {start: take a turn, as: p1, zones: {deck: [penny], pile: []}}
scenarios:
  a-penny:
    position: begin
    when: [p1: played]
    then: [the coins of p1 = 1]
"""
FROM_THE_TABLE = """\
scenarios:
  red-in-the-pile-pays:
    position: begin
    given: {zones: {deck: [pound]}}
    when: [p1: played]
    then: [the coins of p1 = 6]
"""
OWN_TABLE = """\
positions:
  begin:
    given: {start: take a turn, as: p1, zones: {deck: [penny], pile: []}}
"""


def test_positions_of_the_game_are_there_for_its_expansion(folder: Path) -> None:
    write(folder / "base", {"scenarios/table.yaml": TABLE})
    write(folder / "more", {"scenarios/red.yaml": FROM_THE_TABLE})
    assert not check([folder / "more"]) and run_scenarios(folder / "more").passed == 1
    # what the check has kept does not hold when the table of the game changes
    edit(folder / "base/scenarios/table.yaml", "begin", "beginning")
    assert [item.code for item in check([folder / "more"])] == ["G0811"]
    # a position may be said anew
    edit(folder / "base/scenarios/table.yaml", "beginning", "begin")
    write(folder / "more", {"scenarios/red.yaml": FROM_THE_TABLE + OWN_TABLE})
    assert not check([folder / "more"]) and run_scenarios(folder / "more").passed == 1
    edit(folder / "more/scenarios/red.yaml", "    given: {zones: {deck: [pound]}}\n", "")
    assert not check([folder / "more"]) and run_scenarios(folder / "more").failed  # its own deck holds a penny

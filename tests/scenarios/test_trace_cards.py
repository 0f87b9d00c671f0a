"""Trace: every part of every card is proved when breaking it is noticed. One part of each sort, and the scenario that
proves it taken away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grimoire.compiler.api.scenarios import load_scenarios
from grimoire.compiler.api.trace import trace_package
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.proof.changes import FORCE
from grimoire.compiler.proof.mutate import mutate
from grimoire.compiler.proof.parts import Finder
from grimoire.compiler.proof.switch import SwitchStage, is_switchable
from grimoire.compiler.proof.trace import TracedPart, TraceReport
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.scenario.play import Stage
from grimoire.runtime import Package, load_artefact
from grimoire.runtime.artefact.loading import content_hash
from grimoire.runtime.core.writing import write

MANIFEST = "package: den\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n"
RULES = """\
kinds:
  player:
    states: {coins: number 0 to 20, health: number 0 to 20, tired: flag}
    adjectives: {weary: it is tired}
  trick:
    is: card
    fields: {worth: optional number}
    slots: {effect: effect, sale: effect}
    abilities:
      sell:
        in: hand
        only: you are not tired
        action: resolve the sale of this
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
cards:
  pair:
    kind: trick
    worth: 3
    in: deck
    effect: |
      gain 1 coin
      heal
  gamble:
    kind: trick
    in: deck
    effect: |
      if your coins >= 5, gain 1 coin
      otherwise, gain 3 coins
  fork: {kind: trick, in: deck, effect: either gain 1 coin or heal}
  gift: {kind: trick, in: deck, effect: may gain 2 coins}
  deal: {kind: trick, in: deck, effect: spend 2 coins to heal}
  offer: {kind: trick, in: deck, effect: may spend 2 coins to heal}
  echo:
    kind: trick
    in: deck
    effect: |
      may gain 1 coin
      if you do, heal
  goods: {kind: trick, in: deck, sale: gain 1 coin}
  wares: {kind: trick, in: deck, sale: gain 2 coins}
  shield:
    kind: trick
    in: deck
    abilities:
      block:
        in: hand
        window: [when you would be struck, when you would be robbed]
        only: you are not tired
        limit: once per turn
        do: may prevent it
  charm:
    kind: trick
    in: deck
    abilities:
      luck:
        in: hand
        only: your health >= 5
        always: a player cannot rob you
  lasting:
    kind: trick
    in: deck
    effect: |
      until the end of the turn, next time a player is struck:
        gain 1 coin
        heal
  feast:
    kind: trick
    in: deck
    effect: |
      heal
      gain (your health) coins
  spite:
    kind: trick
    in: deck
    abilities:
      sting:
        in: hand
        window: after you are struck
        do: gain (your health) coins
  taunt:
    kind: trick
    in: deck
    effect: |
      choose a player who is tired as mark
      rob the mark
  jeer:
    kind: trick
    in: deck
    effect: |
      choose a weary opponent as mark
      rob the mark
outcomes: [closed]
verbs:
  gain: {signature: gain <number> coins, done: gained, body: your coins is now your coins + amount}
  spend: {signature: spend <number> coins, only: your coins >= amount, body: your coins is now your coins - amount}
  heal: {body: your health is now your health + 1}
  act: {abilities: action}
  strike: {signature: strike <player>, done: struck, body: the health of the player is now the health of the player - 1}
  rob: {signature: rob <player>, done: robbed, body: the coins of the player is now the coins of the player - 1}
procedures:
  game: |
    each player must take a turn
    end the game with closed for the first-player
  turn: act
"""
SCENARIOS = """\
positions:
  poor: {given: {as: p1, current: p1, states: {"p1, p2": {coins: 4, health: 4}}}}
scenarios:
  pair: {position: poor, given: {start: resolve the effect of the pair}, then: [the coins of p1 = 5, the health of p1 = 5, the worth of the pair = 3]}
  gamble-poor: {position: poor, given: {start: resolve the effect of the gamble}, then: [the coins of p1 = 7]}
  gamble-rich: {position: poor, given: {start: resolve the effect of the gamble, states: {p1: {coins: 5}}}, then: [the coins of p1 = 6]}
  fork-coin: {position: poor, given: {start: resolve the effect of the fork}, when: [{p1: gain}], then: [the coins of p1 = 5]}
  fork-heal: {position: poor, given: {start: resolve the effect of the fork}, when: [{p1: heal}], then: [the health of p1 = 5]}
  gift-taken: {position: poor, given: {start: resolve the effect of the gift}, when: [{p1: gain}], then: [the coins of p1 = 6]}
  gift-left: {position: poor, given: {start: resolve the effect of the gift}, when: [{p1: decline}], then: [the coins of p1 = 4]}
  deal: {position: poor, given: {start: resolve the effect of the deal}, then: [the coins of p1 = 2, the health of p1 = 5]}
  deal-broke:
    position: poor
    given: {start: resolve the effect of the deal, states: {p1: {coins: 1}}}
    then: [the coins of p1 = 1, the health of p1 = 4]
  offer: {position: poor, given: {start: resolve the effect of the offer}, when: [{p1: spend}], then: [the coins of p1 = 2, the health of p1 = 5]}
  offer-left: {position: poor, given: {start: resolve the effect of the offer}, when: [{p1: decline}], then: [the coins of p1 = 4]}
  offer-broke: {position: poor, given: {start: resolve the effect of the offer, states: {p1: {coins: 1}}}, then: [asked: nobody]}
  echo: {position: poor, given: {start: resolve the effect of the echo}, when: [{p1: gain}], then: [the coins of p1 = 5, the health of p1 = 5]}
  echo-left: {position: poor, given: {start: resolve the effect of the echo}, when: [{p1: decline}], then: [the coins of p1 = 4, the health of p1 = 4]}
  goods: {position: poor, given: {start: act, zones: {hand of p1: [goods]}}, when: [{p1: goods.sell}], then: [the coins of p1 = 5]}
  wares: {position: poor, given: {start: act, zones: {hand of p1: [wares]}}, when: [{p1: wares.sell}], then: [the coins of p1 = 6]}
  tired: {position: poor, given: {start: act, zones: {hand of p1: [goods]}, states: {p1: {tired: true}}}, then: [asked: nobody]}
  blocked: {position: poor, given: {start: strike p2, zones: {hand of p2: [shield]}}, when: [{p2: shield.block}], then: [the health of p2 = 4]}
  not-blocked: {position: poor, given: {start: strike p2, zones: {hand of p2: [shield]}}, when: [{p2: pass}], then: [the health of p2 = 3]}
  not-robbed: {position: poor, given: {start: rob p2, zones: {hand of p2: [shield]}}, when: [{p2: shield.block}], then: [the coins of p2 = 4]}
  too-tired:
    position: poor
    given: {start: strike p2, zones: {hand of p2: [shield]}, states: {p2: {tired: true}}}
    then: [asked: nobody, the health of p2 = 3]
  blocked-once:
    position: poor
    given: {start: "strike p2, then strike p2", zones: {hand of p2: [shield]}}
    when: [{p2: shield.block}]
    then: [asked: nobody, the health of p2 = 3]
  charmed: {position: poor, given: {start: rob p2, zones: {hand of p2: [charm]}, states: {p2: {health: 5}}}, then: [the coins of p2 = 4]}
  no-charm: {position: poor, given: {start: rob p2, zones: {hand of p2: [charm]}}, then: [the coins of p2 = 3]}
  other-struck: {position: poor, given: {start: strike p1, zones: {hand of p2: [shield]}}, then: [asked: nobody, the health of p1 = 3]}
  other-robbed: {position: poor, given: {start: rob p1, zones: {hand of p2: [shield]}}, then: [asked: nobody, the coins of p1 = 3]}
  other-charmed:
    position: poor
    given: {start: rob p1, zones: {hand of p2: [charm]}, states: {p2: {health: 5}}}
    then: [the coins of p1 = 3]
  feast: {position: poor, given: {start: resolve the effect of the feast}, then: [the coins of p1 = 9, the health of p1 = 5]}
  stung: {position: poor, given: {start: strike p2, zones: {hand of p2: [spite]}}, then: [the health of p2 = 3, the coins of p2 = 7]}
  not-stung: {position: poor, given: {start: strike p1, zones: {hand of p2: [spite]}}, then: [the health of p1 = 3, the coins of p2 = 4]}
  taunted:
    position: poor
    given: {start: resolve the effect of the taunt, states: {p2: {tired: true}}}
    when: [{then: [{offered: {p1: ["mark:p2"]}}]}, {p1: "mark:p2"}]
    then: [the coins of p2 = 3, the coins of p1 = 4]
  jeered:
    position: poor
    given: {start: resolve the effect of the jeer, states: {p1: {tired: true}, p2: {tired: true}}}
    when: [{p1: "mark:p2"}]
    then: [the coins of p2 = 3, the coins of p1 = 4]
  not-jeered: {position: poor, given: {start: resolve the effect of the jeer}, then: [asked: nobody, the coins of p2 = 4]}
  lasting:
    position: poor
    given: {start: "resolve the effect of the lasting, then strike p2"}
    then: [the coins of p1 = 5, the health of p1 = 5]
"""


def den(folder: Path, without: str = "", scenarios: str = SCENARIOS) -> Path:
    """The package, without one of its scenarios."""
    root = folder / "den"
    (root / "scenarios").mkdir(parents=True)
    (root / "package.yaml").write_text(MANIFEST, encoding="utf-8")
    (root / "den.yaml").write_text(RULES, encoding="utf-8")
    lines: list[str] = []
    inside = False
    for line in scenarios.splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            inside = line.strip().partition(":")[0] == without
        if not inside:
            lines.append(line)
    (root / "scenarios" / "all.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


def parts(report: TraceReport) -> dict[str, TracedPart]:
    return {part.id: part for card in report.cards for part in card.parts}


def unproved(report: TraceReport) -> set[str]:
    return {name for name, part in parts(report).items() if not part.killed}


def test_every_part_is_found_and_proved(tmp_path: Path) -> None:
    report = trace_package(den(tmp_path), jobs=1)
    assert not report.failed, report.render()
    assert set(parts(report)) == {
        "pair.worth", "pair.effect", "pair.effect.line-1", "pair.effect.line-2", "pair.effect.number-1",
        "gamble.effect", "gamble.effect.if-1.yes", "gamble.effect.if-1.no", "gamble.effect.line-1", "gamble.effect.line-2",
        "gamble.effect.border-1", "gamble.effect.border-2", "gamble.effect.number-1", "gamble.effect.number-2",
        "fork.effect", "fork.effect.either-1.gain", "fork.effect.either-1.heal", "fork.effect.line-1", "fork.effect.line-2",
        "fork.effect.number-1",
        "gift.effect", "gift.effect.may-1.take", "gift.effect.may-1.decline", "gift.effect.number-1",
        "deal.effect", "deal.effect.cost-1", "deal.effect.line-1", "deal.effect.line-2", "deal.effect.number-1",
        "offer.effect", "offer.effect.may-1.take", "offer.effect.may-1.decline", "offer.effect.cost-1", "offer.effect.line-1",
        "offer.effect.line-2", "offer.effect.number-1",
        "echo.effect", "echo.effect.may-1.take", "echo.effect.may-1.decline", "echo.effect.line-1", "echo.effect.line-2",
        "echo.effect.if-1.yes", "echo.effect.if-1.no", "echo.effect.number-1",
        "goods.sale", "goods.sale.number-1", "wares.sale", "wares.sale.number-1", "trick.sell", "trick.sell.only-1",
        "shield.block", "shield.block.window-1", "shield.block.window-2", "shield.block.only-1", "shield.block.limit",
        "shield.block.heard-1", "shield.block.heard-2", "shield.block.decline",
        "charm.luck", "charm.luck.only-1", "charm.luck.while-1",
        "feast.effect", "feast.effect.line-1", "feast.effect.line-2", "feast.effect.order-1",
        "spite.sting", "spite.sting.heard-1", "spite.sting.moved-1",
        "taunt.effect", "taunt.effect.test-1", "jeer.effect", "jeer.effect.filter-1",
        "lasting.effect", "lasting.effect.line-1", "lasting.effect.line-2", "lasting.effect.line-3",
        "lasting.effect.number-1",
    }  # fmt: skip
    kinds = {card.id: card.kind for card in report.cards}
    assert kinds["pair"] == "trick" and kinds["trick"] == "kind"
    assert (
        report.summary["cards"] == 17
        and report.summary["parts"] == len(parts(report)) == report.summary["parts_proved"]
    )


@pytest.mark.parametrize(
    ("without", "found"),
    [
        ("pair", {"pair.worth", "pair.effect", "pair.effect.line-1", "pair.effect.line-2", "pair.effect.number-1"}),
        (
            "gamble-rich",
            {"gamble.effect.if-1.yes", "gamble.effect.line-1", "gamble.effect.number-1", "gamble.effect.border-1"},
        ),
        (
            "gamble-poor",
            {"gamble.effect.if-1.no", "gamble.effect.line-2", "gamble.effect.number-2", "gamble.effect.border-2"},
        ),
        ("fork-coin", {"fork.effect.either-1.gain", "fork.effect.line-1", "fork.effect.number-1"}),
        ("fork-heal", {"fork.effect.either-1.heal", "fork.effect.line-2"}),
        ("gift-left", {"gift.effect.may-1.decline"}),
        ("deal-broke", {"deal.effect.cost-1"}),
        ("offer-broke", {"offer.effect.cost-1"}),
        ("offer-left", {"offer.effect.may-1.decline"}),
        ("echo-left", {"echo.effect.may-1.decline", "echo.effect.if-1.no"}),
        ("wares", {"wares.sale", "wares.sale.number-1"}),
        ("tired", {"trick.sell.only-1"}),
        ("not-blocked", {"shield.block.decline"}),
        ("not-robbed", {"shield.block.window-2"}),
        ("too-tired", {"shield.block.only-1"}),
        ("blocked-once", {"shield.block.limit"}),
        ("charmed", {"charm.luck"}),
        ("no-charm", {"charm.luck.only-1"}),
        ("other-charmed", {"charm.luck.while-1"}),
        ("other-struck", {"shield.block.heard-1"}),
        ("other-robbed", {"shield.block.heard-2"}),
        ("not-stung", {"spite.sting.heard-1"}),
        ("not-jeered", {"jeer.effect.filter-1"}),
        (
            "lasting",
            {"lasting.effect", *(f"lasting.effect.{name}" for name in ("line-1", "line-2", "line-3", "number-1"))},
        ),
    ],
)
def test_a_missing_scenario_is_found(tmp_path: Path, without: str, found: set[str]) -> None:
    report = trace_package(den(tmp_path, without), jobs=1)
    assert unproved(report) == found and report.failed


@pytest.mark.parametrize(
    ("seen", "unseen", "found"),
    [
        (
            "the coins of p1 = 9, the health of p1 = 5",
            "the coins of p1 >= 8, the health of p1 = 5",
            "feast.effect.order-1",
        ),
        (
            "the health of p2 = 3, the coins of p2 = 7",
            "the health of p2 = 3, the coins of p2 >= 7",
            "spite.sting.moved-1",
        ),
    ],
)
def test_what_notices_that_something_is_done_and_not_when_does_not_prove_the_order(
    tmp_path: Path, seen: str, unseen: str, found: str
) -> None:
    assert seen in SCENARIOS
    assert unproved(trace_package(den(tmp_path, scenarios=SCENARIOS.replace(seen, unseen)), jobs=1)) == {found}


def test_both_sides_of_a_border_must_be_met(tmp_path: Path) -> None:
    """Four and six coins show that some border lies between them, not where."""
    far = SCENARIOS.replace(
        "states: {p1: {coins: 5}}}, then: [the coins of p1 = 6]",
        "states: {p1: {coins: 6}}}, then: [the coins of p1 = 7]",
    )
    assert unproved(trace_package(den(tmp_path, scenarios=far), jobs=1)) == {"gamble.effect.border-1"}


def test_what_is_told_of_an_unproved_part(tmp_path: Path) -> None:
    report = trace_package(den(tmp_path, "gift-left"), jobs=1)
    part = parts(report)["gift.effect.may-1.decline"]
    line = RULES[: RULES.index("  gift:")].count("\n") + 1
    assert part.to_json() == {
        "id": "gift.effect.may-1.decline", "scenarios": [], "killed": False, "reason": "no scenario comes to it",
        "broken": "cannot be declined", "place": f"{tmp_path}/den/den.yaml:{line}",
    }  # fmt: skip
    first = report.render().splitlines()[0]
    assert first == f"{part.place}: {part.id}: not proved: cannot be declined; no scenario comes to it"
    taken = parts(trace_package(den(tmp_path / "two", "no-charm"), jobs=1))["charm.luck.only-1"]
    assert taken.broken == "without 'your health >= 5'"
    blind = SCENARIOS.replace(
        "when: [{p1: gain}], then: [the coins of p1 = 6]", "when: [{p1: gain}], then: [asked: nobody]"
    )
    blind = blind.replace("[the coins of p1 = 5, the health of p1 = 5, the worth of the pair = 3]", "[asked: nobody]")
    told = parts(trace_package(den(tmp_path / "three", scenarios=blind), jobs=1))["pair.effect.line-1"]
    assert told.scenarios == ["pair"] and told.reason == "1 scenario comes to it and still passes: pair"


def test_names_and_patterns_choose_cards_and_parts(tmp_path: Path) -> None:
    root = den(tmp_path)
    assert set(parts(trace_package(root, jobs=1, only=["gift"]))) == {
        "gift.effect", "gift.effect.may-1.take", "gift.effect.may-1.decline", "gift.effect.number-1",
    }  # fmt: skip
    assert set(parts(trace_package(root, jobs=1, only=["*.limit"]))) == {"shield.block.limit"}
    assert not trace_package(root, jobs=1, only=["trick*"]).failed


def test_scenarios_that_fail_or_are_wrong_are_told_and_the_rest_is_traced(tmp_path: Path) -> None:
    wrong = SCENARIOS + "  broken: {position: poor, given: {start: heal}, then: [the health of p1 = 9]}\n"
    wrong += "  unknown: {position: poor, given: {start: heal}, then: [the wealth of p1 = 9]}\n"
    report = trace_package(den(tmp_path, scenarios=wrong), jobs=1)
    assert report.failed and unproved(report) == set()
    assert sorted(failure.id for failure in report.failures) == ["broken", "unknown"]
    assert [failure["id"] for failure in report.to_json()["failures"]] == [f.id for f in report.failures]
    assert "all.yaml" in report.render() and "scenarios that fail as they are: 2" in report.render()


def test_all_mutants_in_one_program_do_what_each_does_alone(tmp_path: Path) -> None:
    """The switch is only quicker: with it off every scenario passes, and each mutant is noticed by the same
    scenarios."""
    loaded = load_scenarios(*resolve_paths([den(tmp_path)], Diagnostics())[0])
    package, model = loaded.package, loaded.model
    assert package is not None and model is not None
    artefact = package.artefact
    before = json.dumps(write(artefact))
    mutants = [part.mutant for owner in Finder(artefact, model, "den").list_owners() for part in owner.parts]
    stage = SwitchStage(artefact, mutants)
    assert all(stage.play(scenario, quiet=True) is None for scenario in loaded.scenarios)
    for number, mutant in enumerate(mutants, 1):
        assert is_switchable(mutant)
        alone = mutate(artefact, mutant)
        made = write(alone)
        load_artefact({**made, "hash": content_hash(made)})
        if any(edit.change == FORCE for edit in mutant.edits):
            continue  # played, it asks for no decision at all; the switch only refuses to hear `pass`
        plain = Stage(Package(None, alone))
        for scenario in loaded.scenarios:
            stage.turn(number)
            switched = stage.play(scenario, quiet=True) is None
            assert switched == (plain.play(scenario, quiet=True) is None), (str(mutant), scenario.id)
    assert json.dumps(write(artefact)) == before

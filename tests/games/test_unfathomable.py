"""Unfathomable as a whole: what holds after every event, how games end, what is hidden."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.runtime import SetupError, new_game, simulate
from tests.games.voyage import ENDS, package, sail

CONTENT = Path(__file__).parents[2] / "content" / "unfathomable"
TABLES: list[tuple[int, dict[str, Any]]] = [
    (3, {}),
    (4, {}),
    (5, {}),
    (6, {}),
    (4, {"no-cultist": True}),
    (6, {"no-cultist": True, "difficulty": "human-ease"}),
    (5, {"difficulty": "traitor-ease"}),
]


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_after_every_event_the_ship_is_whole(players: int, options: dict[str, Any]) -> None:
    found = sail(players, range(3), options)
    assert not found.wrong
    assert found.games == 3 and found.looks > found.decisions, "more happens than is decided"


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_random_games_end(players: int, options: dict[str, Any]) -> None:
    report = simulate(package(), games=30, players=players, seed=7, options=options)
    assert report.errors == 0, report.error_notes
    assert set(report.outcomes) <= set(ENDS)


def test_what_the_game_has_not_is_refused_with_what_there_is() -> None:
    for players in (2, 7):
        with pytest.raises(SetupError, match="3 to 6 players"):
            new_game(package(), players)
    with pytest.raises(SetupError, match="no-cultist"):
        new_game(package(), 4, options={"cultists": 3})
    with pytest.raises(SetupError, match="human-ease"):
        new_game(package(), 4, options={"difficulty": "hard"})


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_what_the_package_says_of_every_position_holds_in_play(players: int) -> None:
    rows = package().document["invariants"]
    assert len(rows) >= 6
    game = new_game(package(), players, 11)
    rng = random.Random(players)
    while game.decision is not None:
        broken = [row["id"] for row in rows if not game.eval_function(row["function"], 0)]
        assert not broken, game.decisions_made[-3:]
        game.choose_index(rng.randrange(len(game.decision.options)))


IMPOSSIBLE = {
    "a pawn in the water": ("zones: {bridge: [], water-1: [arjun-singh-pawn]}", "nobody-swims"),
    "two damage cards in a room": ("zones: {galley: [lore-breach, will-breach]}", "one-damage-card-a-room"),
    "a damaged sick bay": ("zones: {sick-bay: [lore-breach]}", "sick-bay-and-brig-stand"),
    "a human with a revealed card": (
        "zones: {loyalty of p2: [], unmasking of p2: [hybrid-loyalty]}",
        "humans-show-no-loyalty",
    ),
    "a resource of 11": ("states: {fuel: {level: 11}}", "11 is outside"),
    "a character twice": ("zones: {dossier of p2: [arjun-singh]}", "there is one arjun-singh"),
    "an unknown character": ("zones: {dossier of p2: [arjun-sing]}", "did you mean 'arjun-singh'"),
    "too many Deep Ones": ("zones: {deck-1: [21 deep-one-figure]}", "there are 20"),
    "an item in a hand": ("zones: {hand of p1: [six-shooter]}", "holds skill-card"),
}


def test_impossible_positions_are_refused_with_the_reason(tmp_path: Path) -> None:
    root = tmp_path / "unfathomable"
    shutil.copytree(CONTENT, root, ignore=lambda folder, names: names if Path(folder).name == "scenarios" else [])
    shutil.copy(CONTENT / "scenarios" / "table.yaml", root / "scenarios")
    lines = ["scenarios:"]
    for number, (given, _) in enumerate(IMPOSSIBLE.values()):
        lines.append(f"  s{number}: {{position: three, given: {{start: act, as: p1, {given}}}, then: [asked: p1]}}")
    (root / "scenarios" / "bad.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = run_scenarios(root)
    messages = {failure.id: failure.message for failure in report.failures}
    for number, (what, (_, reason)) in enumerate(IMPOSSIBLE.items()):
        assert reason in messages.get(f"s{number}", ""), (what, messages.get(f"s{number}"))

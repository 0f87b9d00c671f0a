"""Results of scenarios are remembered: one is played again only when something that it hangs on says something else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.cache import Cache
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.play import Miss, Stage
from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace
from tests.workspace.edits import ROOT

SCENARIO = "scenarios/cards.yaml"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scenarios that were played, in order."""
    found: list[str] = []
    play = Stage.play

    def note(self: Stage, scenario: Scenario, quiet: bool = False) -> Miss | None:
        found.append(scenario.id)
        return play(self, scenario, quiet)

    monkeypatch.setattr(Stage, "play", note)
    return found


def failing(workspace: Workspace, package: Package) -> dict[str, Miss]:
    found = {name: workspace.scenario_failure(package, name) for name in workspace.scenario_names(package)}
    return {name: miss for name, miss in found.items() if miss is not None}


def change(game: Path, name: str, old: str, new: str) -> tuple[Path, str]:
    path = game / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    return path, text.replace(old, new, 1)


def test_only_a_changed_scenario_is_played_again(game: Path, played: list[str]) -> None:
    workspace, package = Workspace(), Package(str(game))
    assert failing(workspace, package) == {}
    assert played == workspace.scenario_names(package) and len(played) > 30
    played.clear()
    assert failing(workspace, package) == {} and played == []
    name = workspace.scenario_names(package)[3]
    workspace.edit(*change(game, SCENARIO, f"  {name}:\n", f"  {name}:\n    seed: 5\n"))
    failing(workspace, package)
    assert set(played) == {name}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cards.yaml", "kinds:\n", "# a remark\nkinds:\n"),
        (SCENARIO, "scenarios:\n", "\n\nscenarios:\n"),
        ("text/en.yaml", "names:\n", "\nnames:\n"),
    ],
)
def test_what_only_moves_things_plays_nothing(game: Path, played: list[str], name: str, old: str, new: str) -> None:
    workspace, package = Workspace(), Package(str(game))
    failing(workspace, package)
    played.clear()
    workspace.edit(*change(game, name, old, new))
    assert failing(workspace, package) == {} and played == []


def test_a_changed_card_plays_everything_and_failures_stand_where_they_are_now(game: Path, played: list[str]) -> None:
    workspace, package = Workspace(), Package(str(game))
    failing(workspace, package)
    played.clear()
    workspace.edit(*change(game, "cards.yaml", "rank: 1\n", "rank: 2\n"))
    found = failing(workspace, package)
    assert found and set(played) == set(workspace.scenario_names(package))
    played.clear()
    workspace.edit(*change(game, SCENARIO, "scenarios:\n", "\n\nscenarios:\n"))
    moved = failing(workspace, package)
    assert set(played) == set(found), "what a failure says is found out anew, what passes is not played"
    for name, miss in found.items():
        below = 2 if miss.span.file.endswith(SCENARIO) else 0
        assert (moved[name].span.line, moved[name].message) == (miss.span.line + below, miss.message)


def test_results_are_those_of_a_new_workspace(game: Path) -> None:
    living, package = Workspace(), Package(str(game))
    edits = [
        ("cards.yaml", "rank: 1\n", "rank: 2\n"),
        ("rules/play.yaml", "settle", "draw 1 card"),
        (SCENARIO, "scenarios:\n", "scenarios:\n  empty: {then: [there is no guard in the deck]}\n"),
    ]
    for name, old, new in edits:
        failing(living, package)
        path, text = change(game, name, old, new)
        before = path.read_bytes()
        path.write_text(text, encoding="utf-8")
        living.reload()
        assert failing(living, package) == failing(Workspace(), package)
        assert living.scenario_names(package) == Workspace().scenario_names(package)
        path.write_bytes(before)
        living.reload()


def test_what_passed_is_kept_between_two_runs(game: Path, played: list[str], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    first = run_scenarios(game, cache=cache)
    assert not first.failed and len(played) == first.passed
    played.clear()
    assert run_scenarios(game, cache=cache).to_json() == first.to_json() and played == []
    assert run_scenarios(game, name_filter="guard", cache=cache).passed and played, "some by name are always played"
    played.clear()
    path, text = change(game, SCENARIO, "scenarios:\n", "scenarios:\n  wrong: {then: [there is no guard]}\n")
    path.write_text(text, encoding="utf-8")
    second = run_scenarios(game, cache=cache)
    assert [failure.id for failure in second.failures] == ["wrong"] and set(played) == {"wrong"}
    assert second.failures[0].line == 2
    assert run_scenarios(game, cache=cache).to_json() == second.to_json() == run_scenarios(game).to_json()

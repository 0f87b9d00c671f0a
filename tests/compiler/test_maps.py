"""Maps that depend on options, spaces in regions, an expansion that joins its spaces to those of its base: made-up
packages, whose scenarios are the cases; and what a seat is shown of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grimoire.compiler.api.build import build
from grimoire.compiler.api.check import check
from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.proof.changes import BringAlways
from grimoire.compiler.proof.mutate import list_row_changes
from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace
from grimoire.runtime import load_artefact, load_game, new_game
from grimoire.runtime.core.tables import Definition
from grimoire.runtime.errors import EditError

MAPS = Path(__file__).parent / "maps"
PACKAGES = sorted(path.name for path in MAPS.iterdir())


@pytest.mark.parametrize("name", PACKAGES)
def test_nothing_is_wrong_with_it(name: str) -> None:
    assert [found.message for found in check([MAPS / name])] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_every_scenario_passes(name: str) -> None:
    report = run_scenarios(MAPS / name)
    assert [str(failure) for failure in report.failures] == [] and report.passed


def test_a_seat_is_shown_nothing_of_what_is_not_there() -> None:
    package = load_artefact(build(MAPS / "isles"))
    calm, storm = (new_game(package, options={"voyage": voyage}) for voyage in ("calm", "storm"))
    assert calm.view(0)["absent"] == ["south", "reef", "cave"] and storm.view(0)["absent"] == ["bay"]
    for game, gone in ((calm, {"reef", "cave", "storm-nests", "south"}), (storm, {"bay"})):
        view = game.view(None)
        assert not gone & {*view["zones"], *view["fixtures"]}
        assert load_game(package, game.save()).digest() == game.digest()
    with pytest.raises(EditError, match="reef is not there"):
        calm.edit().move("skiff", "reef")
    with pytest.raises(EditError, match="south is not there"):
        calm.edit().set_col("sea.swell", "south", 1)
    storm.edit().move("skiff", "reef")


def test_what_is_always_there_says_nothing_of_it() -> None:
    rows = build(MAPS / "isles")["fixtures"]
    assert isinstance(rows, list)
    found = {row["id"] for row in rows if isinstance(row, dict) and "when" in row}
    assert found == {"south", "reef", "cave", "rock", "bay"}


def test_what_brings_something_is_seen_when_it_is_edited(tmp_path: Path) -> None:
    """A living workspace says the same as a new one when the options that bring a card or a space change."""
    root = tmp_path / "isles"
    shutil.copytree(MAPS / "isles", root)
    workspace, package = Workspace(), Package(str(root))
    before = workspace.artefact(package)
    for name, old, new in (
        ("cards", "when: {voyage: calm, fog: true}", "when: {fog: true}"),
        (
            "board",
            "rock: {in: north, at: [2, 0], when: {fog: false}",
            "rock: {in: north, at: [2, 0], when: {fog: true}",
        ),
        ("board", "joins: [[bay, mole]]", "joins: [[bay, mole], [bay, rock]]"),
        ("board", "things:\n", "things:\n  east: {kind: sea, when: {fog: true}}\n"),
    ):
        path = root / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")
        workspace.reload()
        after = workspace.artefact(package)
        assert after is not None and after != before and after == Workspace().artefact(package)
        before = after


def test_trace_brings_what_only_some_options_bring() -> None:
    artefact = load_artefact(build(MAPS / "isles")).artefact
    rows = {row.id: row for table in (artefact.definitions, artefact.zones) for row in table}
    found = {name for name, row in rows.items() if BringAlways() in list_row_changes(row)}
    assert found == {"tern", "storm-nests"}
    tern = BringAlways().apply(rows["tern"])
    assert isinstance(tern, Definition) and tern.when is None

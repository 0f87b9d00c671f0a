"""The model and the artefact as answers of the workspace: from units lowered once, at the places of files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grimoire.compiler.lower.output import LoweredUnit
from grimoire.compiler.lower.units import LoweringUnit, lower_unit
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.workspace import content
from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace
from tests.workspace.edits import ROOT


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


def test_what_a_check_has_lowered_is_not_lowered_again(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[str] = []

    def count(vocabulary: Vocabulary, unit: LoweringUnit) -> LoweredUnit:
        made = lower_unit(vocabulary, unit)
        lowered.append(made.name)
        return made

    monkeypatch.setattr(content, "lower_unit", count)
    workspace, package = Workspace(), Package(str(game))
    assert workspace.problems(package) == []
    before = len(lowered)
    first = workspace.artefact(package)
    assert first is not None and len(lowered) == before
    assert workspace.artefact(package) is first, "it is remembered"
    path = game / "cards.yaml"
    workspace.edit(path, path.read_text(encoding="utf-8").replace("rank: 1\n", "rank: 0\n", 1))
    second = workspace.artefact(package)
    assert second is not None and second["hash"] != first["hash"]
    assert lowered[before:] == ["card:guard"]


def test_an_edit_that_only_moves_things_changes_only_places(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    first, path = workspace.artefact(package), game / "cards.yaml"
    workspace.edit(path, "\n\n" + path.read_text(encoding="utf-8"))
    second = workspace.artefact(package)
    assert first is not None and second is not None
    assert {key for key in first if first[key] != second[key]} == {"places", "hash"}
    moved = [(one, other) for one, other in zip(first["places"], second["places"], strict=True) if one != other]
    assert moved and all(one[0] == "love-letter/cards.yaml" for one, _ in moved)
    assert all(other[1:4:2] == [one[1] + 2, one[3] + 2] for one, other in moved)
    model = workspace.model(package)
    assert model is not None
    guard = model.definitions["guard"]
    lines = ("\n\n" + path.read_text(encoding="utf-8")).split("\n")
    assert guard.span.file == path.as_posix() and lines[guard.span.line - 1].strip() == "guard:"


def test_what_one_card_forbids_changes_how_others_are_lowered(game: Path) -> None:
    """Whether a verb can be forbidden is known only when all texts are: the artefact must not hang on the order."""
    workspace, package = Workspace(), Package(str(game))
    workspace.artefact(package)
    path = game / "cards.yaml"
    text = path.read_text(encoding="utf-8")
    forbids = text.replace("  guard:\n", "  guard:\n    abilities:\n      stop: {always: you cannot draw}\n", 1)
    assert forbids != text
    for edited in (forbids, text):
        workspace.edit(path, edited)
        path.write_text(edited, encoding="utf-8")
        assert workspace.compile_problems(package) == Workspace().compile_problems(package)
        assert workspace.artefact(package) == Workspace().artefact(package)


def test_a_package_with_errors_has_no_artefact(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    workspace.edit(game / "cards.yaml", "cards: [")
    assert workspace.artefact(package) is None
    assert [item.code for item in workspace.compile_problems(package)][:1] == ["G0110"]
    assert workspace.artefact(Package(str(game.parent))) is None

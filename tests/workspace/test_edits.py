"""Results do not depend on the order of edits: a living workspace says after each edit what a new one says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace
from tests.workspace.edits import ROOT, SMALL, edit_and_compare

LARGE = "unfathomable"


@pytest.mark.parametrize("name", SMALL)
def test_random_edits(tmp_path: Path, name: str) -> None:
    edit_and_compare(tmp_path, name, 1, 72, whole=6)


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_of_a_large_package(tmp_path: Path, seed: int) -> None:
    edit_and_compare(tmp_path, LARGE, seed, 10, whole=10)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


def codes(found: list[Diagnostic]) -> list[str]:
    return [item.code for item in found]


def test_what_an_editor_holds_is_what_counts(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    assert workspace.problems(package) == []
    path = game / "cards.yaml"
    workspace.edit(path, path.read_text(encoding="utf-8").replace("outcomes: [", "outcomes: [late, "))
    assert "G0704" in codes(workspace.problems(package))
    workspace.edit(game / "more.yaml", "outcomes: [early]\n")
    assert any("early" in item.message for item in workspace.problems(package)), "a file that is not saved yet"
    workspace.edit(game / "more.yaml", None)
    workspace.edit(path, None)
    assert workspace.problems(package) == []
    path.write_text("cards: [", encoding="utf-8")
    assert workspace.problems(package) == [], "nobody has said that the disk has changed"
    workspace.reload()
    assert "G0110" in codes(workspace.problems(package))


def test_what_is_said_of_a_manifest_as_a_whole_moves_with_it(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    path = game / "package.yaml"
    broken = path.read_text(encoding="utf-8").replace("languages:", "titles:")
    for above in (0, 1, 3, 0):
        path.write_text("\n" * above + broken, encoding="utf-8")
        workspace.reload()
        found = workspace.problems(package)
        assert found == Workspace().problems(package)
        assert ("G0306", 1 + above) in [(item.code, item.span.line) for item in found]


def test_a_card_that_moves_is_not_looked_at_again(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    path = game / "cards.yaml"
    wrong = path.read_text(encoding="utf-8").replace("rank: 1\n", "rank: one\n", 1)
    workspace.edit(path, wrong)
    (before,) = workspace.problems(package)
    computed = workspace.db.computed
    workspace.edit(path, "\n\n" + wrong)
    (after,) = workspace.problems(package)
    assert (after.span.line, after.message) == (before.span.line + 2, before.message)
    assert workspace.db.computed - computed <= 6, "the file is read, and the report put into its new place"


def test_memory_stays_as_it_is_over_a_thousand_edits(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    path = game / "cards.yaml"
    text = path.read_text(encoding="utf-8")
    sizes: list[int] = []
    for number in range(1_000):
        other = text.replace("rank: 1\n", f"rank: {number % 7}\n", 1)
        workspace.edit(path, other.replace("  guard:", f"  guard-{number}:", 1) if number % 50 == 0 else other)
        workspace.problems(package)
        sizes.append(len(workspace.db))
    assert max(sizes[500:]) <= max(sizes[:60]) + 10

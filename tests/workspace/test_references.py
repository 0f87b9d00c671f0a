"""What refers to what: the places of a name in content, texts and scenarios; what is wrong with one file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grimoire.compiler.workspace.references import Reference
from grimoire.compiler.workspace.sources import Package
from grimoire.compiler.workspace.workspace import Workspace
from tests.workspace.edits import ROOT


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


def said_at(reference: Reference) -> str:
    """What stands at the place of a reference."""
    span = reference.span
    line = Path(span.file).read_text(encoding="utf-8").splitlines()[span.line - 1]
    assert span.line == span.end_line
    return line[span.column - 1 : span.end_column - 1].strip("\"'")


WORDS = {
    "guard": {"guard", "names.guard", "cards.guard"},
    "hand": {"hand", "names.hand", "headings.hand"},
    "eliminate": {"eliminate", "eliminated", "log.eliminate"},
    "court-card": {"court-card", "court-cards", "names.court-card"},
}


@pytest.mark.parametrize("name", WORDS)
def test_every_place_says_the_name(game: Path, name: str) -> None:
    found = Workspace().references(Package(str(game)), name)
    assert [reference.is_declaration for reference in found][:2] == [True, False]
    assert said_at(found[0]) == name
    places = [(reference.span.file, reference.span.line, reference.span.column) for reference in found]
    assert len(set(places)) == len(places)
    for reference in found[1:]:
        assert said_at(reference) in WORDS[name] or f":{name}" in said_at(reference), reference


def test_content_texts_and_scenarios_are_looked_through(game: Path) -> None:
    found = Workspace().references(Package(str(game)), "guard")
    files = {Path(reference.span.file).relative_to(game).parts[0] for reference in found}
    assert files == {"cards.yaml", "text", "l10n", "scenarios"}
    assert ("cards", "guard") in {reference.entry for reference in found if not reference.is_declaration}


def test_a_clause_is_found_where_it_is_cited_proved_and_worded(game: Path) -> None:
    found = Workspace().references(Package(str(game)), "round.2")
    folders = {Path(reference.span.file).relative_to(game).parts[0] for reference in found}
    assert folders >= {"rules", "text", "scenarios"}
    assert sum(reference.is_declaration for reference in found) == 1


def test_an_edit_looks_through_one_file(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    before, path = workspace.references(package, "guard"), game / "text/en.yaml"
    computed = workspace.db.computed
    text = path.read_text(encoding="utf-8")
    workspace.edit(path, text.replace("  guard:", "\n  guard:", 1))
    after = workspace.references(package, "guard")
    assert len(after) == len(before) and after != before
    assert workspace.db.computed - computed <= 4
    workspace.edit(path, text.replace("  guard:", "  guardian:", 1))
    assert len(workspace.references(package, "guard")) == len(before) - 1


def test_what_nothing_declares_has_no_declaration(game: Path) -> None:
    assert Workspace().references(Package(str(game)), "dragon") == []


def test_what_is_wrong_with_one_file(game: Path) -> None:
    workspace, package = Workspace(), Package(str(game))
    cards, rules = game / "cards.yaml", game / "rules/play.yaml"
    workspace.edit(cards, cards.read_text(encoding="utf-8").replace("rank: 1\n", "rank: one\n", 1))
    workspace.edit(rules, rules.read_text(encoding="utf-8") + "junk: 1\n")
    both = workspace.problems(package)
    files = [workspace.file_problems(package, path) for path in (cards, rules)]
    assert all(files) and [item for items in files for item in items] == sorted(both, key=lambda d: d.span.file)
    assert workspace.file_problems(package, game / "text/en.yaml") == []

"""Checking at scale: the quick ways give what a full compile gives, whatever changed in between."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from grimoire.compiler import checking
from grimoire.compiler.cache import Cache
from grimoire.compiler.checking import check_folder, full
from grimoire.compiler.diagnostics import Diagnostic, Diagnostics
from tests.bench.generate import write_package


def sorted_(report: list[Diagnostic]) -> list[Diagnostic]:
    return Diagnostics(report).sorted()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "bench-cards"
    write_package(folder, 260)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


CHANGES = {
    "another effect": ("cards/cards-000.yaml", "gain", "draw"),
    "an unknown verb": ("cards/cards-000.yaml", "gain", "gian"),
    "a new name": ("cards/cards-000.yaml", "card-00001:", "card-zero:"),
    "a name twice": ("cards/cards-000.yaml", "card-00001:", "card-00000:"),
    "a name of another file": ("cards/cards-000.yaml", "card-00001:", "card-00250:"),
    "another kind": ("cards/cards-000.yaml", "kind: trick", "kind: card"),
    "an unknown key": ("cards/cards-000.yaml", "price:", "prize:"),
    "a wrong value": ("cards/cards-000.yaml", "price: ", "price: x"),
    "a verb renamed": ("game.yaml", "  gain:\n    signature: gain", "  win:\n    signature: win"),
    "a zone unused": ("game.yaml", "zones:\n", "zones:\n  attic: {holds: trick}\n"),
    "broken YAML": ("cards/cards-000.yaml", "cards:", "cards: ["),
    "no cards": ("cards/cards-000.yaml", "cards:", "tokens:"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("cached", [True, False])
def test_incremental_equals_full(package: Path, tmp_path: Path, change: str, cached: bool) -> None:
    cache = Cache(tmp_path / "cache")
    assert sorted_(check_folder(package, [], cache)) == []
    if not cached:
        cache = Cache(tmp_path / "other")
    name, old, new = CHANGES[change]
    edit(package / name, old, new)
    expected = sorted_(full(package, []))
    assert sorted_(check_folder(package, [], cache)) == expected
    assert sorted_(check_folder(package, [], cache)) == expected, "the stored report"
    if change not in ("another effect", "a new name", "no cards"):
        assert expected, "the change was meant to be found"


def test_random_edits_in_a_row(package: Path, tmp_path: Path) -> None:
    """Ten edits one after the other with one cache: each report equals that of a full compile."""
    cache = Cache(tmp_path / "cache")
    rng = random.Random(5)
    files = sorted((package / "cards").glob("*.yaml"))
    for _ in range(10):
        path = rng.choice(files)
        lines = path.read_text(encoding="utf-8").split("\n")
        at = rng.randrange(1, len(lines) - 1)
        lines[at] = rng.choice(
            [lines[at].replace("coins", "cions"), lines[at] + " ", lines[at - 1], lines[at].replace("gain", "lose")]
        )
        path.write_text("\n".join(lines), encoding="utf-8")
        assert sorted_(check_folder(package, [], cache)) == sorted_(full(package, []))


def test_several_processes_give_the_same(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in sorted((package / "cards").glob("*.yaml")):
        edit(path, "coins", "cions")
    alone = sorted_(check_folder(package, [], Cache(tmp_path / "one")))
    monkeypatch.setattr(checking, "PARALLEL_FROM", 1)
    assert sorted_(check_folder(package, [], Cache(tmp_path / "two"))) == alone
    assert len(alone) >= 1


def test_a_clean_second_run_reads_no_yaml(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    assert check_folder(package, [], cache) == []
    loaded: list[str] = []
    real = checking.list_files

    def spy(root: Path, *more: object) -> list[str]:
        loaded.append(str(root))
        return real(root, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "list_files", spy)
    monkeypatch.setattr(checking, "full", lambda *_: pytest.fail("compiled in full"))
    monkeypatch.setattr(checking, "Incremental", lambda *_: pytest.fail("checked again"))
    assert check_folder(package, [], cache) == []
    assert loaded


def test_a_moved_package_is_checked_under_its_new_name(package: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    edit(package / "cards/cards-000.yaml", "coins", "cions")
    first = check_folder(package, [], cache)
    moved = tmp_path / "elsewhere" / "bench-cards"
    shutil.copytree(package, moved)
    second = check_folder(moved, [], cache)
    assert [d.message for d in first] == [d.message for d in second]
    assert all(str(moved) in d.span.file for d in second)

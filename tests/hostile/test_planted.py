"""A repository that brings a cache along: its entries do not count, and whatever it leads to is left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grimoire.compiler.api.check import REPORT, read_folders, report_key, tool_key_for
from grimoire.compiler.cache import Cache
from grimoire.compiler.cli import main
from grimoire.compiler.workspace.store import PackageStore

from .kit import package

OLD = ".grimoire-cache"  # where the cache once lay


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a mistake, checked by somebody with a cache of their own elsewhere."""
    home = tmp_path / "repository"
    root = package(home)
    (root / "example.yaml").write_text("counters:\n  Bad: number\n")
    monkeypatch.delenv("GRIMOIRE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.chdir(home)
    return home


def tree(folder: Path) -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def forge(folder: Path) -> None:
    """Leave an answer in a cache: there is nothing wrong with the package."""
    cache, root = Cache(folder), Path("base")
    folders = read_folders([root]) or []
    store = PackageStore(cache, root, tool_key_for(folders))
    store.put(REPORT, report_key(folders), [])
    store.save()


@pytest.mark.parametrize("place", [OLD, ".cache/grimoire", "base/.cache", ".cache"])
def test_a_planted_answer_does_not_count(place: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forge(Path(place))
    assert Cache(Path(place)).enabled
    assert main(["check", "base"]) == 1
    assert "G0308" in capsys.readouterr().out


def test_nor_where_the_user_keeps_caches_in_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a server where the home of the user is the folder of the work: what it brought is neither read nor
    written."""
    (repository / ".git").mkdir()
    forge(repository / ".cache" / "grimoire")
    monkeypatch.setenv("XDG_CACHE_HOME", str(repository / ".cache"))
    before = tree(repository)
    assert main(["check", "base"]) == 1
    out, err = capsys.readouterr()
    assert "G0308" in out and "is not used: it lies inside" in err
    assert tree(repository) == before


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_link_is_not_followed(repository: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "letter").write_text("dear")
    (repository / OLD).symlink_to(away)
    before = tree(tmp_path / "away"), tree(repository)
    assert main(["check", "base"]) == 1
    assert main(["check", "base"]) == 1
    assert (tree(tmp_path / "away"), tree(repository)) == before
    assert (tmp_path / "user" / "grimoire" / "packs").is_dir(), "there is a cache all the same"


def test_a_folder_that_is_no_cache_is_told_and_left_alone(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "letter").write_text("dear")
    monkeypatch.setenv("GRIMOIRE_CACHE", str(tmp_path / "documents"))
    before = tree(tmp_path / "documents")
    assert main(["check", "base"]) == 1
    out, err = capsys.readouterr()
    assert "G0308" in out
    assert "documents is not used: it has files that are not of a cache of this tool" in err
    assert tree(tmp_path / "documents") == before

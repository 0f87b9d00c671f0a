"""A short run over corrupted files, and that what is planted is found; `make soak` looks at fifty thousand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.soak import corruption
from tests.soak.corruption import SORTS, Caches, Corrupter, Saves, corrupt


@pytest.mark.parametrize("sort", SORTS)
def test_corrupted_files_get_documented_errors(sort: str) -> None:
    (report,) = corrupt(120, 7, sorts=[sort])
    assert report.looks == 120 and not report.crashes, "\n".join(map(str, report.crashes))
    assert report.faults or sort in ("cache", "po")
    assert report.clean or sort == "cache"


@pytest.fixture(scope="module")
def saves(tmp_path_factory: pytest.TempPathFactory) -> Corrupter:
    return Saves(tmp_path_factory.mktemp("saves"))


def test_another_error_is_found(saves: Corrupter, monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(*_: Any) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(saves, "take", planted)
    crash = next(crash for crash in (saves.run(1, number) for number in range(20)) if crash is not None)
    assert "KeyError: 'planted'" in str(crash)
    assert f"python -m tests.soak.corruption --sort save --seed 1 --again {crash.number}" in str(crash)


def test_a_change_without_its_checksum_is_found(saves: Corrupter, monkeypatch: pytest.MonkeyPatch) -> None:
    package, document = saves.kept[0]  # type: ignore[attr-defined]
    game = corruption.load_game(package, document)
    monkeypatch.setattr(saves, "take", lambda *_: game.clone())
    found = {crash.what for crash in (saves.run(1, number) for number in range(40)) if crash is not None}
    assert "a change was taken without its checksum" in found


def test_a_check_that_believes_a_damaged_cache_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = Caches(tmp_path)
    monkeypatch.setattr(caches, "check", list)
    crash = caches.run(1, 1)
    assert crash is not None and crash.what == "the check says something else"
    assert all(path.read_bytes() == data for path, data in caches.files.items())


def test_shares_and_nothing_for_nothing() -> None:
    assert sum(share for _, share in SORTS.values()) == 100
    assert corrupt(0, 1) == []

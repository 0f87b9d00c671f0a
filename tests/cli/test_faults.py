"""Whatever the disk does while a command writes, nothing is lost: the n-th call fails, for every n and every command
that writes.

Here each call of a command meets some of the faults in turn; `python -m tests.soak` tries all of them at each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import faults
from tests.faults import FAULTS, JOBS, FaultyOs, Job


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIMOIRE_CACHE", str(tmp_path / "work" / "cache"))


@pytest.mark.parametrize("job", JOBS, ids=[job.name for job in JOBS])
def test_nothing_is_lost(job: Job, tmp_path: Path) -> None:
    assert faults.try_faults(job, tmp_path / "work", most=30) > 0


@pytest.mark.parametrize("job", JOBS, ids=[job.name for job in JOBS])
def test_who_is_killed_loses_nothing_and_can_do_it_again(job: Job, tmp_path: Path) -> None:
    assert faults.try_kills(job, tmp_path / "work", most=8) > 0


def test_every_fault_is_met() -> None:
    """The disk of these tests does fail, and a write that fails leaves half of it."""
    assert set(FAULTS) == {"full", "broken", "refused", "stopped"}
    disk = FaultyOs(1, FAULTS["full"])
    with pytest.raises(OSError, match="No space"):
        disk.fsync(0)
    assert disk.fired and disk.calls == ["fsync"]

"""A cache of its own for every run of the suite: no test reads or fills the cache of whoever runs it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

# Windows has no such thing: what these look at cannot be set up there. Everything else runs on every platform.
POSIX_ONLY = {
    "charter/test_api_errors.py": "a time limit by a signal",
    "cli/test_faults.py": "processes that are killed while they write, file systems that fail",
    "cli/test_wrong_use.py": "a shell, /dev/full, pipes",
    "compiler/test_cache.py": "owners and rights of files",
    "compiler/test_files.py": "owners and rights of files, pipes, devices",
    "compiler/test_source.py": "limits of memory of a process",
    "edition/test_books.py": "links and rights of files",
    "hostile": "limits of memory and time of a process, devices, pipes, links",
    "l10n/test_bad_files.py": "devices and rights of files",
    "runtime/test_worker.py": "limits of memory and CPU time of a process",
    "soak": "limits of memory and time of a process",
}
collect_ignore = list(POSIX_ONLY) if sys.platform == "win32" else []


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIMOIRE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="module")
def unscanned_heap() -> None:
    """What earlier modules of tests left for others, compiled packages above all, is not gone through again by every
    collection of garbage: in a process that has compiled all of content/ one takes seconds."""
    gc.freeze()

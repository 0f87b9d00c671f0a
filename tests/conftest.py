"""A cache of its own for every run of the suite: no test reads or fills the cache of whoever runs it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIMOIRE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield

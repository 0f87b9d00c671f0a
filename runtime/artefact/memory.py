"""The garbage collector, while something large is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Make very many objects that all stay: to look for garbage among them takes longer than to make them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():  # else somebody keeps objects away from the collector, which stay so
                gc.freeze()  # together: what was made counts as old, without being looked through
                gc.unfreeze()
            gc.enable()

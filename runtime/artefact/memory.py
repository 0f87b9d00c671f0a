"""The garbage collector, while something large is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MOST_UNSEEN: Final = 500_000  # objects that count as old without having been looked through

_unseen = 0
_kept_by_others = False  # objects that somebody keeps away from the collector: to count them takes long


@contextmanager
def collector_paused() -> Iterator[None]:
    """Make very many objects that all stay: to look for garbage among them takes longer than to make them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            age_together()
            gc.enable()


def age_together() -> None:
    """Have all objects count as old, without looking through them.

    Whatever is garbage among them by then (what was loaded before, a workspace) is old as well, and Python does not
    look for old garbage because of objects that grew old in this way: so it is looked for here, now and then.
    """
    global _unseen, _kept_by_others
    _kept_by_others = _kept_by_others or gc.get_freeze_count() > 0
    if _kept_by_others:
        return  # to unfreeze what was made would unfreeze theirs
    _unseen += gc.get_count()[0]
    if _unseen > MOST_UNSEEN:
        _unseen = 0
        gc.collect()
    else:
        gc.freeze()
        gc.unfreeze()

"""Work that a copy of this process does at the same time, on another core.

In: work that ends with bytes. Out: these bytes; none where a process cannot be copied safely (threads run, another
system), where there is one core only, and when the copy fails, for whatever reason: then whoever wanted them does the
work. Bytes may be cut off at the end.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_BLOCK: Final = 1 << 20


def can_copy() -> bool:
    if sys.platform != "linux" or len(threading.enumerate()) > 1:
        return False
    return len(os.sched_getaffinity(0)) > 1


@contextmanager
def run_aside(work: Callable[[], bytes]) -> Iterator[Callable[[], bytes]]:
    """Begin the work; what is given waits for its end. Whoever does not ask for it ends the copy at once."""
    copy = _copy_process(work) if can_copy() else None
    if copy is None:
        yield bytes
        return
    child, reading = copy
    try:
        yield lambda: b"".join(iter(lambda: os.read(reading, _BLOCK), b""))
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _copy_process(work: Callable[[], bytes]) -> tuple[int, int] | None:
    """The number of the copy, and where its bytes can be read; None when the system refuses: too many processes or open
    files, no memory."""
    ends: tuple[int, ...] = ()
    try:
        reading, writing = ends = os.pipe()
        child = os.fork()
    except OSError:
        for end in ends:
            os.close(end)
        return None
    if child == 0:
        _work_and_end(work, writing)
    os.close(writing)
    return child, reading


def _work_and_end(work: Callable[[], bytes], writing: int) -> None:
    """All that the copy does. It says nothing, and closes nothing that is not its own."""
    try:
        waiting = memoryview(work())
        while waiting:
            waiting = waiting[os.write(writing, waiting) :]
    finally:
        os._exit(0)  # whatever was raised: those who asked are told by what is missing

"""Work shared out to forked processes: each does its share and talks through a pipe. Used by the checks of big packages."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

MAX_CORES = 8


def cores() -> int:
    if not hasattr(os, "fork"):
        return 1
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(found, MAX_CORES)


class Helper:
    """A forked process that does its share of the work and talks through a pipe."""

    def __init__(self, work: Callable[[Any, Callable[[], Any], Callable[[Any], None]], None], share: Any) -> None:
        import multiprocessing

        context = multiprocessing.get_context("fork")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=self.run, args=(work, share, other), daemon=True)
        with suppress(OSError, AssertionError):  # no room for another process, or none is allowed: it counts as dead
            self.process.start()
        other.close()

    def run(self, work: Callable[[Any, Callable[[], Any], Callable[[Any], None]], None], share: Any, pipe: Any) -> None:
        self.pipe.close()
        try:
            work(share, lambda: marshal.loads(pipe.recv_bytes()), lambda data: pipe.send_bytes(marshal.dumps(data)))
        except BaseException:
            os._exit(1)  # whoever waits for the answer does the work instead, and meets what went wrong

    def send(self, data: Any) -> None:
        try:
            self.pipe.send_bytes(marshal.dumps(data))
        except OSError:
            return  # it has died; that shows when its answer is wanted

    def receive(self) -> Any:
        """What it has to say; None when it died."""
        try:
            return marshal.loads(self.pipe.recv_bytes())
        except (EOFError, OSError, ValueError, TypeError):
            return None

    def stop(self) -> None:
        self.pipe.close()
        if self.process.pid is not None:
            self.process.kill()
            self.process.join()


def stop(helpers: Iterable[Helper]) -> None:
    for helper in helpers:
        helper.stop()

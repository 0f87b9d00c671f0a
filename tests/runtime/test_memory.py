"""What was loaded and let go is given back, also in a process that loads for ever."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: the suite keeps its heap away from the collector. Each round leaves a ring of objects, as
# packages and workspaces do, which only the collector can give back.
ROUNDS = """
import gc
from grimoire.runtime.artefact import memory

class Ring:
    def __init__(self):
        self.ring = self

memory.MOST_UNSEEN = 5_000
most = 0
for _ in range(40):
    with memory.collector_paused():
        kept = [Ring() for _ in range(1_000)]
    del kept
    most = max(most, sum(isinstance(one, Ring) for one in gc.get_objects()))
print(most)
"""


def test_old_garbage_is_looked_for_now_and_then() -> None:
    done = subprocess.run([sys.executable, "-c", ROUNDS], capture_output=True, text=True, check=True)
    assert 1_000 <= int(done.stdout) <= 10_000

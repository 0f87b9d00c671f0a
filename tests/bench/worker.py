"""A process that plays games of one artefact on demand, with whichever runtime its PYTHONPATH leads to.

`python worker.py ARTEFACT PLAYERS` first prints the form of its kernel. For each line `GAMES SEED` that it reads it
plays, and prints how many decisions were made in how many seconds of a core. It needs the runtime and the standard
library.
"""

from __future__ import annotations

import gc
import sys
import time

from grimoire.runtime import kernel_form, load_artefact, simulate


def main() -> None:
    package = load_artefact(sys.argv[1])
    players = int(sys.argv[2])
    simulate(package, 1, players)  # builds the program
    print(kernel_form(), flush=True)
    for line in sys.stdin:
        games, seed = map(int, line.split())
        gc.collect()
        start = time.process_time()
        decisions = simulate(package, games, players, seed).decisions
        print(decisions, time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()

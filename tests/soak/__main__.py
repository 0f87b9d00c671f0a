"""`python -m tests.soak`: see run.py. The work is in a module of its own, so that other processes can import it."""

from __future__ import annotations

import sys

from tests.soak.run import main

if __name__ == "__main__":
    sys.exit(main())

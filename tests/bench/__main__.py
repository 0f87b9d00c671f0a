"""The command line of the benchmarks: one JSON document on stdout, progress on stderr.

The exit status says whether everything could be measured, not whether a goal was met.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .measure import NAMES, Settings, errors, measure


def main() -> int:
    usual = Settings()
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Benchmarks, as ratios with goals.")
    parser.add_argument("--only", action="append", choices=NAMES, metavar="NAME", help=f"one of {', '.join(NAMES)}")
    parser.add_argument("--seconds", type=float, default=usual.seconds, help="of one repetition of playouts")
    parser.add_argument("--reps", type=int, default=usual.repetitions, help="repetitions of playouts")
    parser.add_argument("--check-reps", type=int, default=usual.check_repetitions, help="repetitions of checks")
    parser.add_argument("--cards", type=int, default=usual.cards, help="cards of the package that is checked")
    parser.add_argument("--out", type=Path, help="write the document to this file as well")
    args = parser.parse_args()
    settings = Settings(args.seconds, args.reps, args.check_reps, args.cards)
    report = measure([name for name in NAMES if not args.only or name in args.only], settings)
    text = json.dumps(report, indent=2)
    print(text)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")
    return 1 if errors(report) else 0


if __name__ == "__main__":
    sys.exit(main())

"""What no scenario of a package in content/ notices yet: open_proofs.yaml, a list that only becomes shorter.

`python -m tests.open_proofs NAME ..` traces whole packages and takes out of the list what is proved by now; with
`--add` it also puts in what is not, which is for a new way of breaking things alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import yaml

from grimoire.compiler.api.trace import trace_package
from grimoire.compiler.proof.trace import TraceReport, drop_place

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("open_proofs.yaml")
Open = dict[str, list[str]]  # clauses and parts of cards, and how they can be broken unnoticed


def read_open() -> dict[str, Open]:
    found: dict[str, Open] = yaml.safe_load(LIST.read_text(encoding="utf-8")) or {}
    return found


def list_survivors(report: TraceReport) -> set[tuple[str, str]]:
    """What nobody noticed, of clauses and parts of cards."""
    found = {(clause.id, drop_place(name)) for clause in report.clauses for name in clause.survivors}
    for card in report.cards:
        found |= {(p.id, drop_place(p.broken)) for p in card.parts if not (p.killed or p.equivalent)}
    bare = {clause.id for clause in report.clauses if clause.killed is False and not clause.survivors}
    return found | {(name, "no scenario or program") for name in bare}


def list_open(name: str) -> set[tuple[str, str]]:
    return {(of, way) for of, ways in read_open().get(name, {}).items() for way in ways}


def list_new(report: TraceReport) -> list[str]:
    """What is not proved and not in the list, among what a report is about."""
    new = list_survivors(report) - list_open(report.package)
    return [f"{of}: not proved: {way}" for of, way in sorted(new)] + [f"{f.id}: {f.message}" for f in report.failures]


def list_closed(report: TraceReport) -> list[str]:
    """What is in the list and proved by now, or is not broken so any more."""
    about = {clause.id for clause in report.clauses} | {part.id for card in report.cards for part in card.parts}
    gone = list_open(report.package) - list_survivors(report)
    return [f"{of}: proved by now: {way}" for of, way in sorted(gone) if of in about]


def write_open(lists: dict[str, Open]) -> None:
    head = "# What no scenario notices yet: see open_proofs.py. Nothing is put in by hand.\n"
    text = yaml.safe_dump(lists, allow_unicode=True, width=1000, sort_keys=True) if lists else "{}\n"
    LIST.write_text(head + text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--add", action="store_true")
    args = parser.parse_args()
    lists = read_open()
    for name in args.packages:
        report = trace_package(ROOT / "content" / name)
        alive = list_survivors(report)
        before = list_open(name)
        kept: Open = {}
        for of, way in sorted(alive if args.add else alive & before):
            kept.setdefault(of, []).append(way)
        lists.pop(name, None)
        lists |= {name: kept} if kept else {}
        print(report.render().splitlines()[-1], f"{len(alive)} open")
    write_open(lists)


if __name__ == "__main__":
    main()

"""The example expansion: what it adds to its game, that it can be played, and that every card of it is proved."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from grimoire.compiler import build, check
from grimoire.compiler.api.trace import trace_package
from grimoire.compiler.command.listing import contents_of
from grimoire.runtime import load_artefact, simulate
from tests.open_proofs import list_closed, list_new
from tests.packages import CONTENT, open_package

NAME = "unfathomable-example-expansion"
ADDED = {"character": 2, "pawn": 2, "feat": 2, "mythos": 6, "item": 4, "spell": 2, "waypoint": 1, "trait": 1}


def counts(root: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for row in contents_of(load_artefact(build(root)).artefact, None).sections["cards"]:
        found[row["kind"]] += row["count"]
    return found


def test_what_it_adds() -> None:
    assert counts(CONTENT / NAME) - counts(CONTENT / "unfathomable") == ADDED
    assert not counts(CONTENT / "unfathomable") - counts(CONTENT / NAME)


@pytest.mark.parametrize("players", range(3, 7))
def test_it_is_played(players: int) -> None:
    report = simulate(open_package(NAME), 2, players, 20)
    assert report.games == 2 and not report.errors, report.error_notes


def test_every_rule_and_every_part_of_its_cards_is_proved() -> None:
    report = trace_package(CONTENT / NAME, jobs=1)
    assert not list_new(report) and not list_closed(report)
    assert {"cursed.1", "cursed.2"} < {clause.id for clause in report.clauses}
    assert len(report.cards) == 17


def test_it_is_refused_beside_another_version_of_its_game(tmp_path: Path) -> None:
    for name in ("unfathomable", NAME):
        shutil.copytree(CONTENT / name, tmp_path / name, ignore=shutil.ignore_patterns("scenarios"))
    manifest = tmp_path / NAME / "package.yaml"
    manifest.write_text(manifest.read_text().replace(">=0.1, <2", ">=2.5"))
    found = check([tmp_path / NAME])
    assert [item.code for item in found] == ["G0214"] and ">=2.5, but its version is 0.1.0" in found[0].message

"""Every construct of the language is played: its example compiles, and its checks hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.declare.model import Text
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.lower.units import EffectUnit
from grimoire.compiler.syntax.parse import parse_texts
from tests.packages import Compiled, compile_folder
from tests.workshop.harness import HARBOUR, Play, compiled, constructs, plays, run, scalar

PLAYS = plays()


@pytest.fixture(scope="session")
def effects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Compiled, dict[str, list[str]], dict[str, Play]]:
    """The package with all plays that add no file, compiled once."""
    found = [play for play in PLAYS if play.file is None]
    made, problems = compiled(found, tmp_path_factory.mktemp("workshop"))
    return made, problems, {play.id: play for play in found}


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.id)
def test_play(play: Play, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if play.file is None:
        made, problems, found = request.getfixturevalue("effects")
        play = found[play.id]
    else:
        made, problems = compiled([play], tmp_path)
    assert play.id not in problems, "\n".join(problems[play.id])
    run(made, play)


REFUSED = [(entry["id"], i, item) for entry in constructs() for i, item in enumerate(entry.get("refused", []))]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case[0]}-{case[1]}")
def test_refused(case: tuple[str, int, dict[str, Any]], tmp_path: Path) -> None:
    _, _, item = case
    codes: list[str] = []

    def extra(lowered: ScenarioTexts) -> None:
        node = scalar(item["text"], tmp_path)
        text = Text(node.value, "effect", node, "refused", "refused")
        found = Diagnostics()
        parse_texts([text], found)
        found.extend(lowered.add(EffectUnit(text, 2)).diagnostics)
        codes.extend(d.code for d in found)
        assert all(d.hint for d in found if d.severity == "error"), [d.message for d in found]

    assert compile_folder(HARBOUR, [], extra).artefact is not None
    assert item["code"] in codes, codes


def test_every_construct_is_played() -> None:
    for entry in constructs():
        assert entry.get("checks") or entry.get("refused"), f"{entry['id']} has no check"
        assert ("example" in entry) != ("file" in entry), f"{entry['id']} needs an example or a file"


def test_ids_are_unique() -> None:
    ids = [entry["id"] for entry in constructs()]
    assert len(ids) == len(set(ids))

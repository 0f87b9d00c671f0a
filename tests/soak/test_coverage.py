"""The short version of the steered games of large packages; `make soak` plays them until everything has happened."""

from __future__ import annotations

import pytest

from grimoire.compiler.command.cover import explanations
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.proof.coverage import find_happenings, matches_pattern
from grimoire.compiler.resolve import resolve_paths
from grimoire.runtime import load_artefact
from grimoire.runtime.bots.bot import RandomBot
from grimoire.runtime.bots.simulate import first_state, play_bot
from grimoire.runtime.build.program import program_for
from tests.packages import CONTENT, compile_folder, needs
from tests.soak import coverage
from tests.soak.coverage import NEVER, covered, run_coverage

GAMES = 16
TABLES = [(players, {}) for players in range(3, 7)]


@pytest.mark.parametrize("name", ["unfathomable", "unfathomable-example-expansion"])
def test_what_is_explained_is_there(name: str) -> None:
    made = compile_folder(*resolve_paths([CONTENT / name], Diagnostics())[0])
    assert made.artefact is not None and made.model is not None
    parts = list(find_happenings(load_artefact(made.artefact).artefact, made.model, [*needs(name), name]))
    assert len(parts) > 1000 and len({part.id for part in parts}) == len(parts)
    for package in (*needs(name), name):
        file = NEVER / f"{package}.yaml"
        for part in explanations(str(file)) if file.is_file() else {}:
            assert any(matches_pattern(known, part) for known in parts), part


def test_steered_games_come_to_more_than_random_ones() -> None:
    found = covered("unfathomable", GAMES, tables=TABLES)
    assert not found.errors and found.games == GAMES and not found.idle
    assert found.summary["happened"] > 600, found.summary
    made = compile_folder(*resolve_paths([CONTENT / "unfathomable"], Diagnostics())[0])
    assert made.artefact is not None
    package = load_artefact(made.artefact)
    bot = RandomBot()
    fired: list[int] = []
    for seed in range(GAMES):
        program = program_for(package, *TABLES[seed % len(TABLES)], track=True)
        fired = fired or [0] * len(program.tracked)
        state = first_state(program, seed)
        state.count_in(fired)
        bot.begin(seed)
        play_bot(state, bot)
    random = sum(1 for part in found.parts if any(fired[sign] for sign in part.signs))
    assert found.summary["happened"] > random + 50


def test_what_never_happens_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "covered", lambda name, games, seed: covered("unfathomable", 1, seed, TABLES))
    row = run_coverage("unfathomable", 1, 0, lambda text: None)
    assert row["games"] == 1 and row["happened_after"] == {1: row["happened"]}
    assert row["found"] == row["never"] > 500 and "never happened" in row["findings"][0]

"""Charter 7: same content, same seed, same decisions: the same bytes, in any process.

digests.json keeps what fixed seeds lead to, with the hash of the content. When the content or the meaning of the
artefact changed, its hash did: `python -m tests.charter.test_07_same_bytes --update` writes the table again. A digest
that changes while the hash stays is a fault.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler import build, check
from grimoire.runtime import content_hash, load_artefact, new_game, simulate
from grimoire.runtime.bots.bot import make_bot
from tests.charter.kit import CONTENT, NAMES, ROOT, TABLES, package, positions

TABLE = Path(__file__).parent / "digests.json"
GAMES = {"love-letter": 20}
SEED = 20


def digests(name: str, players: int) -> dict[str, Any]:
    """What fixed seeds of one table lead to."""
    report = simulate(package(name), GAMES.get(name, 100), players, SEED)
    steps = [game.digest() for game, _ in positions(name, players, SEED)]
    return {
        "content": package(name).hash,
        "games": report.games,
        "decisions": report.decisions,
        "outcomes": report.outcomes,
        "simulate": report.digest,
        "first": new_game(package(name), players, SEED).digest(),
        "steps": len(steps),
        "last": steps[-1],
    }


def compare(kept: dict[str, Any], now: dict[str, Any]) -> str | None:
    """What is wrong with a row of the table, or None."""
    if kept["content"] != now["content"]:
        return "the content changed: run python -m tests.charter.test_07_same_bytes --update and read the diff"
    changed = [key for key in now if kept.get(key) != now[key]]
    return f"the same content and seed lead somewhere else: {', '.join(changed)}" if changed else None


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_fixed_seeds_lead_to_the_digests_of_the_table(name: str, players: int) -> None:
    kept = json.loads(TABLE.read_text(encoding="utf-8"))
    assert f"{name} {players}" in kept, "run python -m tests.charter.test_07_same_bytes --update"
    problem = compare(kept[f"{name} {players}"], digests(name, players))
    assert problem is None, problem


def test_the_table_tells_a_change_of_content_from_a_fault() -> None:
    row = {"content": "a", "simulate": "b"}
    assert compare(row, dict(row)) is None
    assert "--update" in str(compare(row, {"content": "c", "simulate": "d"}))
    assert "somewhere else: simulate" in str(compare(row, {"content": "a", "simulate": "d"}))


def grimoire(arguments: list[str], hash_seed: str, cache: str = "off", cwd: Path = ROOT) -> str:
    """What the command prints, in a process of its own."""
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "GRIMOIRE_CACHE": cache}
    line = [sys.executable, "-c", "import sys; from grimoire.compiler.cli import main; sys.exit(main())", *arguments]
    done = subprocess.run(line, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_simulate_does_not_depend_on_process_hash_seed_or_jobs(name: str) -> None:
    players = str(TABLES[[table[0] for table in TABLES].index(name)][1])
    arguments = ["simulate", str(CONTENT / name), "--games", "70", "--players", players, "--seed", "5", "--json"]
    rows = []
    for hash_seed, jobs in (("0", "1"), ("4242", "2")):
        row = json.loads(grimoire([*arguments, "--jobs", jobs], hash_seed))
        assert row["games"] == 70 and row["errors"] == 0
        row.pop("seconds")
        rows.append(row)
    assert rows[0] == rows[1]
    assert rows[0]["digest"] == simulate(package(name), 70, int(players), 5).digest
    assert rows[0]["digest"] != simulate(package(name), 70, int(players), 6).digest


def one_by_one(name: str, players: int, games: int, seed: int) -> tuple[dict[str, int], list[int], int]:
    """Outcomes, wins and decisions of random games, played through the public API."""
    outcomes: dict[str, int] = {}
    wins, decisions = [0] * players, 0
    for number in range(seed, seed + games):
        bot = make_bot("random")
        bot.begin(number)
        game = new_game(package(name), players, number, log=False)
        while game.decision is not None:
            game.choose_index(bot.pick(game.state))
            decisions += 1
        assert game.outcome is not None
        outcomes[game.outcome.id] = outcomes.get(game.outcome.id, 0) + 1
        for seat in game.outcome.winners:
            wins[seat] += 1
    return dict(sorted(outcomes.items())), wins, decisions


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_games_in_bulk_are_the_games_of_the_api(name: str, players: int) -> None:
    """Bulk play has a short path of its own: its numbers mean nothing unless it plays the same games."""
    report = simulate(package(name), 15, players, 7)
    assert (report.outcomes, report.wins, report.decisions) == one_by_one(name, players, 15, 7)
    other = simulate(package(name), 15, players, 8)
    assert other.digest != report.digest and report.errors == other.errors == 0


SCRIPT = """
import json, sys
from grimoire.compiler import build, check
from grimoire.runtime import load_game, load_artefact, new_game
sys.path.insert(0, sys.argv[1])
from tests.charter.kit import CONTENT, NAMES
found = {}
for name in (NAMES if sys.argv[2] == "up" else NAMES[::-1]):
    check([CONTENT / name])
    artefact = build(CONTENT / name)
    game = new_game(load_artefact(artefact), artefact["players"]["min"], 3)
    while game.decision is not None and len(game.decisions_made) < 12:
        game.choose(game.decision.keys[-1])
    text = json.dumps(artefact, ensure_ascii=False)
    found[name] = [artefact["hash"], text, json.dumps([game.save(), game.view(0), game.log(0), game.view(None)])]
print(json.dumps(dict(sorted(found.items()))))
"""


def test_compiling_and_saving_give_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    """Other hash seeds, other order of packages, cache off, cold and warm, another folder to stand in."""
    outputs = []
    warm = str(tmp_path / "cache")
    for hash_seed, order, cache, cwd in (
        ("0", "up", "off", ROOT),
        ("7", "down", warm, tmp_path),
        ("99", "up", warm, ROOT),
    ):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed, "GRIMOIRE_CACHE": cache}
        line = [sys.executable, "-c", SCRIPT, str(ROOT), order]
        done = subprocess.run(line, env=env, cwd=cwd, capture_output=True, text=True, check=True)
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] == outputs[2]


def test_the_hash_covers_all_of_the_artefact() -> None:
    artefact = build(CONTENT / "leduc")
    assert artefact["hash"] == content_hash(artefact) == load_artefact(artefact).hash
    for key in artefact:
        if key != "hash":
            changed = {**artefact, key: [artefact[key], 1]}
            assert content_hash(changed) != artefact["hash"], key


def test_the_hash_does_not_hold_where_the_package_lies(tmp_path: Path) -> None:
    """The same files in another folder are the same content, on any machine."""
    shutil.copytree(CONTENT / "leduc", tmp_path / "elsewhere" / "leduc")
    there, here = build(tmp_path / "elsewhere" / "leduc"), build(CONTENT / "leduc")
    assert [key for key in here if there[key] != here[key]] == []


def test_check_says_the_same_with_and_without_a_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = tmp_path / "leduc"
    shutil.copytree(CONTENT / "leduc", root)
    with open(root / "cards.yaml", "a", encoding="utf-8") as stream:
        stream.write("\nverbs:\n  gamble: {done: gambled, body: explode}\n")
    said = []
    for cache in ("off", str(tmp_path / "cache"), str(tmp_path / "cache")):
        monkeypatch.setenv("GRIMOIRE_CACHE", cache)
        said.append(check([root]))
    assert said[0] and said[0] == said[1] == said[2]


def update() -> None:
    rows = {f"{name} {players}": digests(name, players) for name, players in TABLES}
    TABLE.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: python -m tests.charter.test_07_same_bytes --update")
    update()

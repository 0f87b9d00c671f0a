"""Recorded games: a seeded game printed step by step, with what every seat sees, compared with the files in
tests/playthroughs.

A leak, a change of an option or of a rule shows as a diff. `python -m tests.games.test_playthroughs --update` writes
the files again; read the diff before it is committed.
"""

from __future__ import annotations

import difflib
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from grimoire.runtime import Game, Package, new_game
from tests.packages import SMALL, open_package

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "playthroughs"
LONGEST = 25  # decisions; a record is there to be read

# file -> package, players, seed
RECORDS = {
    "tic-tac-toe-1": ("tic-tac-toe", 2, 1),
    "tic-tac-toe-2": ("tic-tac-toe", 2, 11),
    "connect-four-1": ("connect-four", 2, 1),
    "leduc-1": ("leduc", 2, 1),
    "leduc-2": ("leduc", 2, 3),
    "leduc-3": ("leduc", 2, 8),
    "love-letter-1": ("love-letter", 2, 1),
    "love-letter-2": ("love-letter", 3, 2),
    "love-letter-3": ("love-letter", 4, 3),
}


def package(name: str) -> Package:
    return open_package(name)


def word(value: Any) -> str:
    """A value of a view on one line."""
    if isinstance(value, dict):
        extra = {key: part for key, part in value.items() if key != "id"}
        name = "?" if value.get("id") is None else str(value["id"])
        return name + (f"{{{', '.join(f'{key} {word(part)}' for key, part in extra.items())}}}" if extra else "")
    if isinstance(value, list):
        return "[" + " ".join(word(part) for part in value) + "]"
    return str(value)


def view_lines(view: dict[str, Any]) -> list[str]:
    """What a seat sees, a line for each sort of thing; what is alike is drawn together."""
    lines = [f"vars {', '.join(f'{key} {word(value)}' for key, value in view['vars'].items())}"]
    lines += [
        f"{seat} {', '.join(f'{key} {word(value)}' for key, value in row.items())}"
        for seat, row in view["seats"].items()
        if row
    ]
    marked: dict[str, list[str]] = {}
    for name, row in view["fixtures"].items():
        for key, value in row.items():
            if value not in ("none", 0, None):
                marked.setdefault(f"{key} {word(value)}", []).append(name)
    lines += [f"{key}: {' '.join(names)}" for key, names in marked.items()]
    filled = {name: pieces for name, pieces in view["zones"].items() if pieces}
    lines += [f"{name} {word(pieces)}" for name, pieces in filled.items()]
    if view["effects"]:
        lines.append(f"effects {view['effects']}")
    if view["decision"] is not None:  # its number only counts the questions of the seat
        shown = {key: value for key, value in view["decision"].items() if key != "number"}
        lines.append("decision " + ", ".join(f"{key} {word(value)}" for key, value in shown.items()))
    return lines


def event(entry: dict[str, Any]) -> str:
    """One entry of a log."""
    args = " ".join("?" if arg["value"] is None else word(arg["value"]) for arg in entry["args"])
    state = {True: "", None: " (not decided)", False: " (did not happen)"}[entry["ok"]]
    return f"{entry['you']} {entry['verb']} {args}".strip() + (" .." if entry.get("open") else "") + state


def events(game: Game, told: dict[int, str]) -> list[str]:
    """What was logged or changed since it was told, as everybody saw it; seats that saw it differently have a line of
    their own.

    What began and goes on ends with two dots; when it has ended it is told again only if it then reads differently.
    """
    lines = []
    logs = [game.log(seat) for seat in range(game.players)]
    for at, entry in enumerate(game.log(None)):
        now = json.dumps([{**log[at], "open": None} for log in [*logs, game.log(None)]])
        if told.get(at) == now:
            continue
        told[at] = now
        lines.append(f"  * {'  ' * entry['depth']}{event(entry)}")
        lines += [
            f"      p{seat + 1} reads: {event(log[at])}"
            for seat, log in enumerate(logs)
            if event(log[at]) != event(entry)
        ]
    return lines


def step(game: Game) -> list[str]:
    """A game at a decision."""
    lines = [f"p{decision.seat + 1} {decision.prompt}: {', '.join(decision.keys)}" for decision in game.decisions()]
    shared = view_lines({**game.view(None), "decision": None})
    lines += [f"  all | {line}" for line in shared]
    for seat in range(game.players):
        lines += [f"  p{seat + 1}  | {line}" for line in view_lines(game.view(seat)) if line not in shared]
    return lines


def record(name: str, players: int, seed: int) -> str:
    """A whole game as text."""
    game = new_game(package(name), players, seed)
    rng = random.Random(seed)
    lines = [f"{name}, {players} players, seed {seed}", ""]
    told: dict[int, str] = {}
    lines += events(game, told)
    while game.decision is not None and len(game.decisions_made) < LONGEST:
        lines += ["", f"--- {len(game.decisions_made) + 1}", *step(game)]
        decision = rng.choice(game.decisions())
        game.choose(rng.choice(decision.keys), decision.seat)
        lines += [f"> {game.decisions_made[-1]}", *events(game, told)]
    if game.outcome is None:
        lines += ["", f"(after {LONGEST} decisions; the game goes on)"]
    else:
        winners = ", ".join(f"p{seat + 1}" for seat in game.outcome.winners) or "nobody"
        lines += ["", *[f"  all | {line}" for line in view_lines(game.view(None))]]
        lines += [f"=== {game.outcome.id}, winners: {winners}, scores: {game.outcome.scores}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("name", RECORDS)
def test_the_game_is_played_as_it_was_recorded(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    now = record(*RECORDS[name])
    diff = list(difflib.unified_diff(kept.split("\n"), now.split("\n"), "recorded", "now", lineterm="", n=2))
    assert not diff, "\n".join([*diff[:60], "", "if this is meant: python -m tests.games.test_playthroughs --update"])


def test_every_record_and_every_package_is_there() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(RECORDS)
    assert {row[0] for row in RECORDS.values()} >= {
        path.parent.name for path in (ROOT / "content").glob("*/package.yaml") if path.parent.name in SMALL
    }


def test_a_leak_shows_as_a_diff(monkeypatch: pytest.MonkeyPatch) -> None:
    before = record("leduc", 2, 1)
    monkeypatch.setattr(Game, "view", lambda self, seat, real=Game.view: real(self, None))
    after = record("leduc", 2, 1)
    assert "p1  | hand.p2 [?]" in before and "p1  | hand.p2 [?]" not in after


def update() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for name, row in RECORDS.items():
        (FOLDER / f"{name}.txt").write_text(record(*row), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: python -m tests.games.test_playthroughs --update")
    update()

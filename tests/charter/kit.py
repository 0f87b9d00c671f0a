"""What the tests of the charter share: the packages of content/, random play, tiny packages."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from grimoire.compiler import compile_package
from grimoire.runtime import Game, Package, new_game
from tests.packages import SMALL, open_package

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "content"
NAMES = SMALL


def sizes(name: str) -> list[int]:
    """The numbers of players that a package can be played with."""
    manifest = yaml.safe_load((CONTENT / name / "package.yaml").read_text(encoding="utf-8"))
    low, _, high = str(manifest.get("players", 1)).partition("-")
    return list(range(int(low), int(high or low) + 1))


# Every small package with every number of players: what "each package" means in these tests. Large ones: test_large.py.
TABLES = [(name, players) for name in NAMES for players in sizes(name)]


def package(name: str) -> Package:
    """A package of content/, compiled once in a process."""
    return open_package(name)


def hides(name: str) -> bool:
    """Whether a package has anything that a seat cannot see."""
    document = package(name).document
    tables = ("zones", "fixtures", "vars", "columns")
    return any(row.get("seen", "all") != "all" for table in tables for row in document[table] if row.get("holds", True))


def ends(name: str) -> set[str]:
    """The outcomes that the rules of a package can end a game with."""
    stack, found = [package(name).document["procs"]], set()
    while stack:
        part = stack.pop()
        if isinstance(part, dict) and part.get("op") == "end":
            found.add(str(part["outcome"]))
        stack.extend(part.values() if isinstance(part, dict) else part if isinstance(part, list) else ())
    return found


HIDDEN = [(name, players) for name, players in TABLES if hides(name)]


def pick(game: Game, rng: random.Random) -> tuple[str, int]:
    """A random key and the seat that is asked for it; in a poll, of any seat that is asked."""
    found = game.decisions()
    decision = found[0] if len(found) == 1 else rng.choice(found)
    return rng.choice(decision.keys), decision.seat


def positions(of: str | Package, players: int, seed: int) -> Iterator[tuple[Game, random.Random]]:
    """A game of a package (or its name) at each of its decisions in turn; afterwards a random one is taken."""
    made = package(of) if isinstance(of, str) else of
    rng = random.Random(f"{made.id} {players} {seed}")
    game = new_game(made, players, seed)
    while game.decision is not None:
        yield game, rng
        key, seat = pick(game, rng)
        game.choose(key, seat)


def plain_json(data: object, where: str = "") -> str | None:
    """Where data is not made of JSON types alone, or None."""
    if data is None or type(data) in (str, int, bool):
        return None
    if type(data) is list:
        found = [plain_json(part, f"{where}[{at}]") for at, part in enumerate(data)]
    elif type(data) is dict:
        found = [
            plain_json(part, f"{where}.{key}") if type(key) is str else f"{where}: the key {key!r}"
            for key, part in data.items()
        ]
    else:
        return f"{where}: {type(data).__name__}"
    return next((text for text in found if text is not None), None)


def seen_by(game: Game, seat: int | None) -> bytes:
    """All that reaches a seat, as bytes: view, log and what it is asked."""
    questions = [
        [d.label, d.prompt, d.source and asdict(d.source), [[o.key, o.label, o.values] for o in d.options]]
        for d in game.decisions()
        if d.seat == seat
    ]
    return json.dumps([game.view(seat), game.log(seat, choices=True), questions]).encode()


def unnumbered(seen: bytes) -> bytes:
    """The same without the numbers of questions, which go on when a decision is taken back."""
    return re.sub(rb'"number": [0-9]+, ', b"", seen)


def everything(game: Game) -> bytes:
    """All that can be read of a game, from every seat and from none."""
    return b"\n".join(seen_by(game, seat) for seat in [*range(game.players), None])


# --- tiny packages ----------------------------------------------------------------------------------------------------

MANIFEST = "package: tiny\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: {players}\n"


def tiny(folder: Path, text: str, players: str = "2") -> Path:
    """A package with one file; gives its folder."""
    root = folder / "tiny"
    root.mkdir(exist_ok=True)
    (root / "package.yaml").write_text(MANIFEST.format(players=players), encoding="utf-8")
    (root / "play.yaml").write_text(text, encoding="utf-8")
    return root


def play(folder: Path, text: str, players: int = 2, seed: int = 0) -> Game:
    """A game of a package with one file."""
    return new_game(compile_package(tiny(folder, text, str(players))), players, seed)


def words(text: str) -> list[str]:
    """The words of an identifier or a text, in small letters."""
    return re.findall(r"[^\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())


def state_of(game: Game, seat: int, name: str) -> Any:
    """A state of a player."""
    return game.view(None)["seats"][f"p{seat + 1}"][f"player.{name}"]


def keys(game: Game) -> list[str]:
    """What is offered now."""
    assert game.decision is not None, "the game is over"
    return list(game.decision.keys)

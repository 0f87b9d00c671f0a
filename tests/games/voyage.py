"""What must hold in every game of Unfathomable after every event, read from the raw state; and games that are watched
for it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grimoire.runtime import Game, Package, new_game
from tests.games.watch import watched
from tests.packages import open_package

CONTENT = Path(__file__).resolve().parents[2] / "content"
ENDS = ("port", "starved", "wrecked", "overrun")


def package(name: str = "unfathomable") -> Package:
    return open_package(name)


class Ship:
    """The places and pieces of one game, by number."""

    def __init__(self, game: Game) -> None:
        p = game.program
        artefact = p.artefact
        self.g: Any = game.state
        self.pieces = len(p.piece_def)
        kinds = [row.id for row in artefact.kinds]
        of = [kinds[artefact.definitions[d].kind] for d in p.piece_def]
        names = [p.definition_names[d] for d in p.piece_def]
        self.pawns = [i for i in range(self.pieces) if of[i] == "pawn"]
        self.damage = {i for i in range(self.pieces) if of[i] == "damage-card"}
        self.titles = [i for i in range(self.pieces) if names[i] in ("captain-card", "keeper-card")]
        self.water = {z for z, name in enumerate(p.zone_names) if name.startswith("water-")}
        self.spaces = [z for z in range(len(p.zone_names)) if p.tables.zone_fixture[z] >= 0]
        self.waiting = p.zone_names.index("title-supply")
        columns = [row.id for row in artefact.columns]
        self.level = p.column_base[columns.index("resource.level")]
        self.resources = [p.fixture_names.index(name) for name in ("fuel", "food", "sanity", "souls")]
        self.zone_names = p.zone_names
        self.begun = False

    def wrong(self) -> Iterator[str]:
        """Everything that does not hold now."""
        g = self.g
        seen = [piece for zone in g.zones for piece in zone]
        if len(seen) != self.pieces or len(set(seen)) != self.pieces:
            yield "a piece is lost or in two places"
        if any(piece not in g.zones[g.loc[piece]] for piece in (*self.pawns, *self.titles)):
            yield "a piece is not where it says"
        for at in self.resources:
            if not 0 <= g.mem[self.level + at] <= 10:
                yield "a resource is out of bounds"
        for zone in self.spaces:
            if sum(piece in self.damage for piece in g.zones[zone]) > 1:
                yield f"two damage cards in {self.zone_names[zone]}"
        for piece in self.pawns:
            if g.loc[piece] in self.water:
                yield "a character in the water"
        away = [g.loc[title] == self.waiting for title in self.titles]
        self.begun = self.begun or not any(away)
        if self.begun and any(away):
            yield "nobody has a title"


@dataclass
class Voyage:
    """What was seen in a number of games."""

    games: int = 0
    decisions: int = 0
    looks: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)


def sail(players: int, seeds: range, options: dict[str, Any] | None = None, name: str = "unfathomable") -> Voyage:
    """Random games, watched after every event; `name` may be an expansion."""
    found = Voyage()
    for seed in seeds:
        game = new_game(package(name), players, seed, options or {})
        watch = watched(game, Ship(game), found.wrong)
        rng = random.Random(f"sail {players} {seed}")
        while game.decision is not None:
            game.choose_index(rng.randrange(len(game.decision.options)))
            found.decisions += 1
        assert game.outcome is not None
        found.games += 1
        found.looks += watch.looks
        found.ends[game.outcome.id] += 1
    return found

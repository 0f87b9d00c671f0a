"""What must hold in every game of Abyss after every event, and the score worked out a second time; games that are
watched for it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grimoire.runtime import Game, Package, new_game
from grimoire.runtime.kernel.base import VARS
from tests.games.watch import watched
from tests.packages import open_package

CONTENT = Path(__file__).resolve().parents[2] / "content"
RACES = ("squid", "shellfish", "crab", "seahorse", "jellyfish")
PEARLS = 100  # with what the treasury starts

# Guild, key and influence of the lords, written down a second time.
LORDS = {
    "recruiter": ("soldier", 1, 4), "jailer": ("soldier", 0, 7), "seeker": ("soldier", 0, 7),
    "assassin": ("soldier", 0, 6), "commander": ("soldier", 1, 4), "tamer": ("soldier", 1, 4),
    "hunter": ("soldier", 0, 6), "ship-master": ("merchant", 1, 5), "trader": ("merchant", 0, 9),
    "peddler": ("merchant", 0, 9), "landlord": ("merchant", 1, 5), "slaver": ("merchant", 1, 5),
    "shopkeeper": ("merchant", 0, 9), "shaman": ("mage", 1, 5), "invoker": ("mage", 0, 8),
    "apprentice": ("mage", 0, 9), "oracle": ("mage", 1, 5), "alchemist": ("mage", 1, 5),
    "illusionist": ("mage", 0, 9), "master-of-magic": ("mage", 1, 6), "opportunist": ("politician", 1, 5),
    "corruptor": ("politician", 0, 6), "traitor": ("politician", 0, 6), "diplomat": ("politician", 1, 5),
    "treasurer": ("politician", 1, 5), "schemer": ("politician", 0, 6), "keeper": ("farmer", 1, 6),
    "reaper": ("farmer", 1, 6), "shepherd": ("farmer", 1, 6), "miller": ("farmer", 0, 10),
    "aquaculturalist": ("farmer", 0, 11), "landowner": ("farmer", 0, 12), "sage": ("ambassador", 0, 4),
    "hermit": ("ambassador", 0, 5), "elder": ("ambassador", 0, 3),
}  # fmt: skip
GUILD_TILES = {
    "sargasso-silos": ("farmer", 5), "hydrozoa-reserves": ("mage", 6), "parliament": ("politician", 6),
    "barracks": ("soldier", 7), "dockworks": ("merchant", 5),
}  # fmt: skip
RACE_TILES = {
    "sanctuary": ("jellyfish", 4), "sargasso-fields": ("seahorse", 3), "oceanic-senate": ("squid", 4),
    "chasm": ("crab", 5), "giant-clams-nest": ("shellfish", 3),
}  # fmt: skip
TOKENS = {"small-trophy": 2, "medium-trophy": 3, "large-trophy": 4}


def package() -> Package:
    return open_package("abyss")


# ---------------------------------------------------------------- the score, by hand


@dataclass
class House:
    """What lies before one player at the end."""

    lords: list[str]
    allies: list[tuple[str, int]]
    tiles: list[str]
    tokens: list[str]
    pearls: int

    def of_race(self, race: str) -> list[int]:
        return [strength for tribe, strength in self.allies if tribe == race]

    def worth(self, tile: str) -> int:
        """A location other than the mirrors, with the cards of this house."""
        influence = [LORDS[lord][2] for lord in self.lords]
        keys = sum(LORDS[lord][1] for lord in self.lords)
        if tile in GUILD_TILES:
            guild, base = GUILD_TILES[tile]
            return base + 2 * sum(LORDS[lord][0] == guild for lord in self.lords)
        if tile in RACE_TILES:
            race, base = RACE_TILES[tile]
            return base + 3 * len(self.of_race(race))
        return {
            "the-abyss": 2 * len({LORDS[lord][0] for lord in self.lords}),
            "closed-tower": 3 * keys,
            "lost-tower": 3 * (len(self.lords) - keys),
            "jail": 15 - len(self.lords),
            "coral-barrier": 20 - len(self.allies),
            "the-depths": 2 * min(influence, default=0),
            "throne-room": max(influence, default=0),
            "chamber-of-allies": 3 + sum(min(self.of_race(race), default=0) for race in RACES),
            "black-smokers": 0,
        }[tile]

    def score(self, others: Iterable[House]) -> int:
        foreign = [tile for house in others for tile in house.tiles]
        total = 0
        for tile in self.tiles:
            if tile == "city-of-mirrors":
                total += max((self.worth(copied) for copied in foreign), default=0)
            else:
                total += self.worth(tile)
        total += sum(LORDS[lord][2] for lord in self.lords)
        total += sum(max(self.of_race(race), default=0) for race in RACES)
        return total + sum(TOKENS[token] for token in self.tokens)

    def rank(self, total: int) -> tuple[int, int, int]:
        return total, self.pearls, max((LORDS[lord][2] for lord in self.lords), default=0)


def houses(game: Game) -> list[House]:
    view = game.view(None)
    found = []
    for seat in range(view["players"]):
        name = f"p{seat + 1}"

        def pile(zone: str, name: str = name) -> list[str]:
            return [str(piece["id"]) for piece in view["zones"][f"{zone}.{name}"]]

        assert not pile("hand"), "hands are empty at the end"
        allies = [(race, int(strength)) for race, _, strength in (card.rpartition("-") for card in pile("retinue"))]
        lords = pile("free-lords") + pile("tucked-lords")
        pearls = view["seats"][name]["player.pearls"]
        found.append(House(lords, allies, pile("held-locations"), pile("trophies"), pearls))
    return found


def judged(game: Game) -> tuple[list[int], list[int]]:
    """Scores and winners, worked out from what lies on the table."""
    all_houses = houses(game)
    scores = [house.score(other for other in all_houses if other is not house) for house in all_houses]
    ranks = [house.rank(total) for house, total in zip(all_houses, scores, strict=True)]
    return scores, [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


# ---------------------------------------------------------------- what always holds


class Table:
    """The places and pieces of one game, by number."""

    def __init__(self, game: Game) -> None:
        p = game.program
        artefact = p.artefact
        self.g: Any = game.state
        self.pieces = len(p.piece_def)
        kinds = [row.id for row in artefact.kinds]
        of = [kinds[artefact.definitions[d].kind] for d in p.piece_def]
        places = {
            "lord": ("lord-", "court", "free-", "tucked-"),
            "key-token": ("key-",),
            "monster-token": ("token-", "trophies"),
            "location": ("location-", "open-", "surveyed", "gone-", "held-"),
            "ally": ("depths-", "laid-", "hand", "retinue", *(f"{race}-" for race in RACES)),
            "monster": ("depths-",),
        }
        self.home = [
            {z for z, name in enumerate(p.zone_names) if name.startswith(places[kind])} for kind in of
        ]  # where each piece may lie
        number = {name: z for z, name in enumerate(p.zone_names)}
        self.row, self.court, self.laid = number["depths-row"], number["court"], number["laid-down"]
        self.stacks = [(number[f"{race}-stack"], race) for race in RACES]
        self.names = [p.definition_names[d] for d in p.piece_def]
        columns = [row.id for row in artefact.columns]
        at = p.column_base[columns.index("player.pearls")]
        self.purses = range(at, at + game.view(None)["players"])
        self.treasury = VARS + [row.id for row in artefact.vars].index("treasury")

    def wrong(self) -> Iterator[str]:
        """What does not hold after this event."""
        g = self.g
        if sum(map(len, g.zones)) != self.pieces:
            yield "a piece is lost or in two places"
        purses = [g.mem[at] for at in self.purses]
        if min(purses) < 0:
            yield "somebody owes pearls"
        if sum(purses) + g.mem[self.treasury] != PEARLS:
            yield "pearls are lost or made"
        if len(g.zones[self.row]) > 5 or len(g.zones[self.court]) > 6:
            yield "too many cards in a row"

    def wrong_place(self) -> Iterator[str]:
        """What does not hold when somebody is asked."""
        g = self.g
        seen = [piece for zone in g.zones for piece in zone]
        if len(set(seen)) != self.pieces:
            yield "a piece is in two places"
        for z, zone in enumerate(g.zones):
            for piece in zone:
                if g.loc[piece] != z or z not in self.home[piece]:
                    yield f"{self.names[piece]} is where it cannot be"
        for z, race in self.stacks:
            if any(not self.names[piece].startswith(race) for piece in g.zones[z]):
                yield "a Council stack of two races"


@dataclass
class Reign:
    """What was seen in a number of games."""

    games: int = 0
    decisions: int = 0
    looks: int = 0
    shared: int = 0  # games with more than one winner
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, other: Reign) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.looks += other.looks
        self.shared += other.shared
        self.wrong += other.wrong


def reign(players: int, seeds: Iterable[int]) -> Reign:
    """Random games, watched after every event, their scores worked out again."""
    found = Reign()
    for seed in seeds:
        game = new_game(package(), players, seed)
        table = Table(game)
        watch = watched(game, table, found.wrong)
        rng = random.Random(f"reign {players} {seed}")
        while game.decision is not None:
            game.choose_index(rng.randrange(len(game.decision.options)))
            found.decisions += 1
            found.wrong.update(table.wrong_place())
        assert game.outcome is not None
        scores, winners = judged(game)
        if list(game.outcome.scores or ()) != scores:
            found.wrong[f"seed {seed}: scores {game.outcome.scores}, by hand {scores}"] += 1
        if list(game.outcome.winners) != winners:
            found.wrong[f"seed {seed}: winners {game.outcome.winners}, by hand {winners}"] += 1
        found.games += 1
        found.looks += watch.looks
        found.shared += len(winners) > 1
    return found

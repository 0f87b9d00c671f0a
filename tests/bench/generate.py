"""Write a package of any number of cards, for measuring the checker at scale and cards that are not in play.

    python -m tests.bench.generate FOLDER --cards 10000

The package is a small playable game and, beside it, many cards that never enter it. The same number and seed give the
same bytes. What depends on the language stands in the three templates below and nowhere else.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

# The effects, one to four lines each: choices, costs, conditions. {a}, {b}, {c} become small numbers.
EFFECTS = [
    "gain {a} coins",
    "may lose {a} coins to draw {b} cards",
    "if you have {c} or more coins, draw {a} cards\notherwise, gain {b} coins",
    "either gain {a} coins or draw {b} cards",
    "choose another player as rival\nthe rival must lose {a} coins\ngain {b} coins",
    "each player must lose {a} coins\nif your coins < {c}, gain {b} coins",
    "may discard 1 card to:\n  gain {a} coins\n  draw {b} cards",
    "gain {a} coins\nlose {b} coins to draw {c} cards\nif you do, gain 1 coin",
    "either:\n  lose {a} coins to draw {b} cards\nor:\n  gain {c} coins",
    "for each player as guest, the guest must gain {a} coins\ndraw {b} cards\nif your coins >= {c}, draw 1 card",
]

# One card, as its file holds it.
CARD = """\
{id}:
  kind: card
  price: {price}
  effect: |
{effect}
"""

# The files of the small game itself.
GAME = {
    "game.yaml": """\
package: bench-cards
version: 1
players: {min: 2, max: 2}
""",
}

SMALLEST_FILE = 100
LARGEST_FILE = 500


@dataclass(frozen=True)
class Part:
    """One file of cards: numbers ``first`` to ``first + count - 1``."""

    path: Path
    first: int
    count: int


def plan(folder: Path, cards: int, seed: int = 0) -> list[Part]:
    """Share the cards out to files of 100 to 500 (fewer only when there are fewer)."""
    rng = random.Random(f"files {seed}")
    parts: list[Part] = []
    first = 0
    while first < cards:
        left = cards - first
        count = min(rng.randint(SMALLEST_FILE, LARGEST_FILE), left)
        if 0 < left - count < SMALLEST_FILE:
            count = left if left <= LARGEST_FILE else left - SMALLEST_FILE
        parts.append(Part(folder / "cards" / f"cards-{len(parts):03}.yaml", first, count))
        first += count
    return parts


def card_text(number: int, seed: int) -> str:
    rng = random.Random(f"card {seed} {number}")
    effect = rng.choice(EFFECTS).format(a=rng.randint(2, 4), b=rng.randint(2, 5), c=rng.randint(3, 9))
    indented = "\n".join(f"    {line}" for line in effect.splitlines())
    return CARD.format(id=f"card-{number:05}", price=rng.randint(0, 9), effect=indented)


def write_part(part: Part, seed: int = 0) -> None:
    """Write one file of cards; with another seed the same cards get other effects."""
    part.path.parent.mkdir(parents=True, exist_ok=True)
    part.path.write_text("".join(card_text(part.first + i, seed) for i in range(part.count)), encoding="utf-8")


def write_package(folder: Path, cards: int, seed: int = 0) -> list[Part]:
    """Write the whole package into the folder; its files of cards."""
    for name, text in GAME.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    parts = plan(folder, cards, seed)
    for part in parts:
        write_part(part, seed)
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.generate", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    parts = write_package(args.folder, args.cards, args.seed)
    print(f"{args.cards} cards in {len(parts)} files under {args.folder}")


if __name__ == "__main__":
    main()

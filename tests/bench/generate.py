"""Write a package of any number of cards, for measuring the checker at scale and cards that are not in play.

    python -m tests.bench.generate FOLDER --cards 10000 [--different]

The package is a small playable game and, beside it, many cards that never enter it. The same number and seed give the
same bytes. Cards are short and often say the same, or (`different`) as long as cards of real games are and never say
the same. What depends on the language stands in the templates below and nowhere else.
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
    "may discard a trick in your hand to:\n  gain {a} coins\n  draw {b} cards",
    "gain {a} coins\nlose {b} coins to draw {c} cards\nif you do, gain 1 coin",
    "either:\n  lose {a} coins to draw {b} cards\nor:\n  gain {c} coins",
    "for each player as guest, the guest must gain {a} coins\ndraw {b} cards\nif your coins >= {c}, draw 1 card",
]

# One card, as its file holds it (below the section `cards`).
CARD = """\
  {id}:
    kind: trick
    in: deck
    price: {price}
    effect: |
{effect}
"""

# What different cards say: one line of each group, 250 to 400 bytes a card. {a} to {c} become small numbers, {n} is the
# number of the card.
LINES = [
    [
        "if you have {n} or more coins, draw {a} cards",
        "if your coins < {n}, gain {a} coins",
        "may lose {n} coins to draw {b} cards",
        "either gain {n} coins or draw {b} cards",
        "each player must lose {n} coins",
    ],
    [
        "choose another player as rival\nthe rival must lose {a} coins",
        "for each player as guest, the guest must gain {b} coins",
        "if there is no trick in the pile, gain {a} coins",
        "lose {a} coins to draw {b} cards\nif you do, gain {c} coins",
    ],
    [
        "may discard a trick in your hand to:\n  gain {a} coins\n  draw {c} cards",
        "if your coins >= {c}:\n  lose {b} coins\n  draw {a} cards",
        "either lose {b} coins or discard a trick in your hand",
    ],
]
WINDOWS = ["after you play this", "after a trick is discarded", "after you play a trick"]
ANSWERS = ["may lose {b} coins to draw {c} cards", "gain {c} coins", "if you have {c} or more coins, draw {b} cards"]

FEAT = """\
  {id}:
    kind: feat
    in: deck
    price: {price}
    mood: {mood}
    effect: |
{effect}
    abilities:
      echo:
        window: {window}
        do: {answer}
"""
MOODS = ["bold", "calm", "grim", "merry"]

# The files of the small game itself.
PACKAGE = "bench-cards"

GAME = {
    "package.yaml": f"""\
package: {PACKAGE}
version: 1.0.0
language: 2
languages: [en]
players: 2
""",
    "game.yaml": """\
kinds:
  player:
    states:
      coins: number 0 to 99
  trick:
    is: card
    fields: {price: number}
    slots: {effect: effect}
zones:
  deck: {holds: trick, seen: nobody}
  hand: {holds: trick, each: player, seen: owner}
  pile: {holds: trick, seen: everyone}
cards:
  starter: {kind: trick, price: 1, copies: 20, in: deck, effect: gain 1 coin}
  helper: {kind: trick, price: 2, copies: 20, in: deck, effect: may lose 1 coin to draw 2 cards}
outcomes: [rich, spent]
verbs:
  gain:
    signature: gain <number> coins
    done: gained
    body: your coins is now your coins + amount
  lose:
    signature: lose <number> coins
    done: lost
    body: your coins is now your coins - amount
  draw:
    signature: draw <number> cards
    done: drawn
    body: repeat (amount) times, move the top trick of the deck to your hand
  discard:
    signature: discard <trick>
    done: discarded
    body: move the trick to the pile
  play:
    signature: play <trick>
    done: played
    body: |
      discard the trick
      if the price of the trick <= 9, resolve the effect of the trick
procedures:
  game: |
    shuffle the deck
    each player must draw 3 cards
    repeat:
      in turn from the first-player, each player must take a turn
  turn: |
    the current-player is now you
    draw 1 card
    play a trick in your hand
    if your coins >= 10, end the game with rich for you
    if there is no trick in the deck, end the game with spent
""",
}

# Beside it, when the cards are different.
FEATS = """\
values:
  mood: [bold, calm, grim, merry]
kinds:
  feat:
    is: trick
    fields: {mood: mood}
abilities:
  cheer:
    window: after you play a feat
    only: the mood of the feat = merry
    do: gain 1 coin
"""

SMALLEST_FILE = 100
LARGEST_FILE = 500


@dataclass(frozen=True)
class Part:
    """One file of cards: numbers ``first`` to ``first + count - 1``."""

    path: Path
    first: int
    count: int
    different: bool = False


def plan(folder: Path, cards: int, seed: int = 0, different: bool = False) -> list[Part]:
    """Share the cards out to files of 100 to 500 (fewer only when there are fewer)."""
    rng = random.Random(f"files {seed}")
    parts: list[Part] = []
    first = 0
    while first < cards:
        left = cards - first
        count = min(rng.randint(SMALLEST_FILE, LARGEST_FILE), left)
        if 0 < left - count < SMALLEST_FILE:
            count = left if left <= LARGEST_FILE else left - SMALLEST_FILE
        parts.append(Part(folder / "cards" / f"cards-{len(parts):03}.yaml", first, count, different))
        first += count
    return parts


def card_text(number: int, seed: int) -> str:
    rng = random.Random(f"card {seed} {number}")
    effect = rng.choice(EFFECTS).format(a=rng.randint(2, 4), b=rng.randint(2, 5), c=rng.randint(3, 9))
    return CARD.format(id=f"card-{number:05}", price=rng.randint(0, 9), effect=indented(effect))


def feat_text(number: int, seed: int) -> str:
    """A card that says what no other card says: its own number is among the numbers that it names."""
    rng = random.Random(f"feat {seed} {number}")

    def fill(text: str) -> str:
        return text.format(a=rng.randint(2, 9), b=rng.randint(2, 9), c=rng.randint(2, 9), n=number + 2)

    effect = "\n".join(fill(rng.choice(group)) for group in LINES)
    return FEAT.format(
        id=f"card-{number:05}",
        price=rng.randint(0, 9),
        mood=rng.choice(MOODS),
        effect=indented(effect),
        window=rng.choice(WINDOWS),
        answer=fill(rng.choice(ANSWERS)),
    )


def indented(effect: str) -> str:
    return "\n".join(f"      {line}" for line in effect.splitlines())


def write_part(part: Part, seed: int = 0) -> None:
    """Write one file of cards; with another seed the same cards get other effects."""
    part.path.parent.mkdir(parents=True, exist_ok=True)
    write = feat_text if part.different else card_text
    part.path.write_text("cards:\n" + "".join(write(part.first + i, seed) for i in range(part.count)), encoding="utf-8")


def write_package(folder: Path, cards: int, seed: int = 0, *, different: bool = False) -> list[Part]:
    """Write the whole package into the folder; its files of cards."""
    for name, text in (GAME | {"more.yaml": FEATS} if different else GAME).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    parts = plan(folder, cards, seed, different)
    for part in parts:
        write_part(part, seed)
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.generate", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--different", action="store_true", help="longer cards, no two of which say the same")
    args = parser.parse_args()
    parts = write_package(args.folder, args.cards, args.seed, different=args.different)
    print(f"{args.cards} cards in {len(parts)} files under {args.folder}")


if __name__ == "__main__":
    main()

"""A small package for tests of the command: one to two players, texts in two languages."""

from __future__ import annotations

from pathlib import Path


def write_sample(root: Path) -> Path:
    (root / "text").mkdir(parents=True)
    (root / "package.yaml").write_text(
        "package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en, uk]\nplayers: 1-2\n"
    )
    (root / "rules.yaml").write_text(
        """\
kinds:
  player:
    states:
      coins: number
  stone:
    is: card
zones:
  heap: {holds: stone, seen: nobody}
  satchel: {holds: stone, each: player, seen: owner}
cards:
  moon: {kind: stone, copies: 3, in: heap}
options:
  long: {default: false}
outcomes: [done-for]
rules:
  start:
    clauses:
      1: rule
verbs:
  pick:
    signature: pick <number> stones
    done: picked
    body: repeat (amount) times, move the top stone of the heap to your satchel
  wait:
    done: waited
    body: your coins is now your coins + 1
procedures:
  game: |
    §start.1 each player must pick 1 stone
    if long = 1, each player must pick 1 stone
    in turn from the first-player, each player must take a visit
    end the game with done-for for the first-player
  visit: |
    either pick 1 stone or wait
"""
    )
    for language, words in {"en": ("Sample", "stone|stones"), "uk": ("Зразок", "камінь|камені|каменів")}.items():
        (root / "text" / f"{language}.yaml").write_text(
            f"""\
title: {words[0]}
names: {{stone: s, heap: h, satchel: t, moon: m, long: l, done-for: d}}
prompts: {{either: e}}
choices: {{pick: t, wait: w}}
log:
  pick: '{{you}} + {{1}} {{1|{words[1]}}}'
  wait: '{{you}} .'
headings: {{coins: c}}
clauses:
  start: {{title: s, 1: t}}
"""
        )
    return root

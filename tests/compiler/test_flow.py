"""Flow checks: what is never reached, never ends, never finds a target, never read; and what is none of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import check

MANIFEST = "package: small\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 2\n"
BASE = """\
kinds:
  player:
    states: {coins: number}
zones:
  deck: {holds: card}
cards:
  coin: {copies: 3, in: deck}
outcomes: [finished]
verbs:
  gain:
    signature: gain <number> coins
    done: gained
    body: your coins is now your coins + amount
procedures:
  game: |
    each player must take a turn
    end the game with finished
  turn: |
    gain 1 coin
    move the top card of the deck to the deck
"""


def codes(tmp_path: Path, extra: str, base: str = BASE, manifest: str = MANIFEST) -> list[tuple[str, int]]:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "package.yaml").write_text(manifest, encoding="utf-8")
    (folder / "base.yaml").write_text(base, encoding="utf-8")
    if extra:
        (folder / "extra.yaml").write_text(extra, encoding="utf-8")
    return [(d.code, d.span.line) for d in check([folder])]


def test_the_base_is_clean(tmp_path: Path) -> None:
    assert codes(tmp_path, "") == []


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("counters:\n  dust: number\n", [("G0704", 2)]),
        ("zones:\n  attic: {holds: card}\n", [("G0704", 2)]),
        ("options:\n  hard: {default: false}\n", [("G0704", 2)]),
        ("verbs:\n  nap: {body: gain 1 coin}\n", [("G0704", 2)]),
        ("kinds:\n  player: {states: {mood: number}}\n", [("G0704", 2)]),
        ("kinds:\n  player:\n    adjectives: {rich: its coins >= 3}\n", [("G0704", 3)]),
        ("abilities:\n  echo: {window: after you gain 1 coin, do: gain 1 coin}\n", []),
        ("abilities:\n  first:\n    window: at the start of a turn\n    do: take a turn\n", [("G0707", 2)]),
        ("abilities:\n  first:\n    window: at the start of a turn\n    do: may take a turn\n", []),
        ("abilities:\n  first:\n    window: at the start of a turn\n    limit: once per game\n    do: take a turn\n", []),
        ("abilities:\n  late:\n    window: at the end of a turn\n    do: |\n      repeat:\n        the first-player is now you\n", [("G0707", 5)]),
        ("kinds:\n  ghost: {is: figure}\nzones:\n  attic: {holds: ghost}\nabilities:\n  late:\n    window: at the end of a turn\n    do: move a ghost to the attic\n", [("G0703", 8)]),
        ("abilities:\n  late:\n    window: at the end of a turn\n    do: |\n      end the game with finished\n      gain 1 coin\n", [("G0702", 6)]),
        ("abilities:\n  late:\n    window: at the end of a turn\n    do: if 1 = 2, gain 1 coin\n", [("G0702", 4)]),
    ],
)  # fmt: skip
def test_findings(tmp_path: Path, extra: str, expected: list[tuple[str, int]]) -> None:
    assert codes(tmp_path, extra) == expected


def test_no_game_and_no_players(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("players: 2\n", "")
    base = BASE.replace("  game: |", "  show: |")
    assert sorted(code for code, _ in codes(tmp_path, "", base, manifest)) == ["G0219", "G0708"]

"""Every hard case is read and printed: the text parses, its canonical form parses to an equal tree and prints the same.

The cases are in hard-cases/<game>.yaml. A key is a text slot (SLOTS), a map of text slots (MAPS), a map of entries
(NESTED) or plain data (DATA); any other key fails, so that no text is skipped by a misspelt key.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from grimoire.compiler.syntax.parse import ParseProblem, parse
from grimoire.compiler.syntax.printer import print_node

CASES = Path(__file__).parent / "hard-cases"
PAGE = Path(__file__).parents[2] / "docs" / "design" / "hard-cases.md"
SLOTS = {
    "window": "trigger",
    "only": "condition",
    "limit": "limit",
    "score": "amount",
    **dict.fromkeys(
        ("do", "action", "pass", "partial", "fail", "otherwise", "body", "always", "back", "on-recruit", "on-join"),
        "effect",
    ),
}
MAPS = {"steps": "effect", "options": "effect", "adjectives": "condition", "values": "amount"}
NESTED = {"abilities", "kept", "verbs"}
DATA = {"about", "decider", "distance", "needs", "outcomes", "settings", "spaces", "takes", "wraps"}
GROUPS = {"cards", "spaces", "rules"}
GAMES = ("unfathomable", "abyss", "glow", "arkham3")


def entries(game: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    data = yaml.safe_load((CASES / f"{game}.yaml").read_text(encoding="utf-8"))
    assert set(data) <= GROUPS
    for group, members in data.items():
        for name, entry in members.items():
            yield group, name, entry


def fragments(entry: dict[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    """Each text of an entry as (path, start symbol, text)."""
    for key, value in entry.items():
        here = f"{path}.{key}"
        if key in SLOTS:
            assert isinstance(value, str), f"{here}: quote it or write a block"
            yield here, SLOTS[key], value
        elif key in MAPS:
            for name, text in value.items():
                yield f"{here}.{name}", MAPS[key], str(text)
        elif key in NESTED:
            for name, inner in value.items():
                yield from fragments(inner, f"{here}.{name}")
        else:
            assert key in DATA, f"{here}: no slot has this name"


ALL = [
    pytest.param(start, text, id=path)
    for game in GAMES
    for _, name, entry in entries(game)
    for path, start, text in fragments(entry, f"{game}.{name}")
]


@pytest.mark.parametrize(("start", "text"), ALL)
def test_a_hard_case_survives_the_round_trip(start: str, text: str) -> None:
    try:
        tree = parse(text, start)
    except ParseProblem as problem:
        pytest.fail(f"{problem.line}:{problem.column} {problem.message} ({problem.hint})\n{text}")
    printed = print_node(tree)
    again = parse(printed, start)
    assert repr(again) == repr(tree)
    assert print_node(again) == printed


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_says_why_it_is_hard_and_holds_text(game: str) -> None:
    for group, name, entry in entries(game):
        assert entry.get("about"), f"{game}.{group}.{name}"
        assert list(fragments(entry, name)), f"{game}.{group}.{name}"


def test_there_are_enough_of_each() -> None:
    count = {(game, group): 0 for game in GAMES for group in GROUPS}
    for game in GAMES:
        for group, _, _ in entries(game):
            count[game, group] += 1
    assert count["unfathomable", "cards"] >= 12
    assert count["abyss", "cards"] >= 6
    assert count["glow", "cards"] >= 4
    assert count["arkham3", "cards"] >= 6
    assert sum(n for (_, group), n in count.items() if group == "rules") >= 10


def test_the_page_shows_the_cases_as_they_are() -> None:
    lines = {
        line.strip() for game in GAMES for line in (CASES / f"{game}.yaml").read_text(encoding="utf-8").splitlines()
    }
    blocks = PAGE.read_text(encoding="utf-8").split("```")[1::2]
    shown = [line.strip() for block in blocks for line in block.removeprefix("yaml").splitlines()]
    text = [line for line in shown if line and " #" not in line and not line.endswith("|")]
    assert len(text) > 50
    assert [line for line in text if line not in lines] == []

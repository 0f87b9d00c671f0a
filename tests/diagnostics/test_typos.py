"""Single typos in the words of small packages get one message, at their line, with the right word (typos.py)."""

from __future__ import annotations

import random

import pytest

from .typos import Typist, misspell, summary

SEED = 15
NUMBER = 30


@pytest.mark.parametrize("name", ["tic-tac-toe", "leduc", "love-letter"])
def test_a_typo_is_found_where_it_stands(name: str) -> None:
    typist = Typist(name)
    verdicts = [typist.judge(typo) for typo in typist.draw(NUMBER, SEED)]
    found = summary(verdicts)
    shown = "\n".join(one.show() for one in verdicts if not (one.is_on_line and one.is_proposed))
    assert found["silent"] == 0, shown
    assert found["line"] >= 93, shown
    assert found["word"] >= 90, shown


def test_a_typo_changes_one_letter() -> None:
    chance = random.Random(1)
    assert {misspell("hand", "drop", chance) for _ in range(40)} == {"and", "hnd", "had", "han"}
    assert {misspell("hand", "double", chance) for _ in range(40)} == {"hhand", "haand", "hannd", "handd"}
    assert {misspell("hand", "swap", chance) for _ in range(40)} == {"ahnd", "hnad", "hadn"}
    assert all(len(misspell("hand", "replace", chance)) == 4 for _ in range(40))

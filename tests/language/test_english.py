"""The last pass over English: articles, possessives, commas, capitals behind a heading."""

from __future__ import annotations

import pytest

from grimoire.compiler.localisation.text.cards import euphony, euphony_rules
from grimoire.compiler.localisation.text.lexicon import load_grammar

RULES = euphony_rules(load_grammar("en"))


@pytest.mark.parametrize(
    ("said", "better"),
    [
        ("Draw a item.", "Draw an item."),
        ("A enemy is there.", "An enemy is there."),
        ("Choose a unused card and a used one.", "Choose an unused card and a used one."),
        ("Take a one-eyed cat, a euro and a hour.", "Take a one-eyed cat, a euro and an hour."),
        ("Look at the opponents's hands.", "Look at the opponents' hands."),
        ("Look at that player's hand.", "Look at that player's hand."),
        ("Action: if you can, draw 1 card.", "Action: If you can, draw 1 card."),
        ("Action (once per turn): if you can, rest.", "Action (once per turn): If you can, rest."),
        ("After this, if you can, rest.", "After this, if you can, rest."),
        ("Either look at 2 cards, keeping 1 or rest.", "Either look at 2 cards, keeping 1, or rest."),
        ("Either lose 1 fuel or rest.", "Either lose 1 fuel or rest."),
    ],
)
def test_what_sounds_wrong_is_mended(said: str, better: str) -> None:
    assert euphony(said, RULES) == better

"""Views in words: what a seat sees, and how a game ended, as plain JSON with names beside the ids.

In: a view or an outcome, and the words of a language. Out: the same in words, in the same order; what has an empty
heading is not for people and left out. Nothing but what the view holds is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grimoire.runtime.play.outcome import Outcome
from grimoire.runtime.play.shapes import EffectView, Piece, Shown, View
from grimoire.runtime.wording.words import Words

Worded = dict[str, object]

ENGINE_COUNTERS: Final = ("current-player", "first-player")  # every game has them: they are no words of its own


def word_view(view: View, words: Words) -> Worded:
    """A view in words: `counters`, `seats`, `fixtures`, `zones`, `effects`, each row with the `id` that the view has it
    under; and whose turn it is (`current-player`, `first-player`).
    """
    return {
        "title": words.title,
        "seat": None if view["seat"] is None else words.value(view["seat"], "seat"),
        **{id_: words.value(view["vars"][id_], "seat") for id_ in ENGINE_COUNTERS if id_ in view["vars"]},
        "counters": word_states(
            {id_: value for id_, value in view["vars"].items() if id_ not in ENGINE_COUNTERS}, words
        ),
        "seats": [_row(id_, words.name(id_), states, words) for id_, states in view["seats"].items()],
        "fixtures": [_row(id_, words.name(id_), states, words) for id_, states in view["fixtures"].items()],
        "zones": [
            {"id": id_, "name": words.zone(id_), "pieces": [word_piece(piece, words) for piece in pieces]}
            for id_, pieces in view["zones"].items()
            if words.zone(id_)
        ],
        "effects": [word_effect(effect, words) for effect in view["effects"]],
    }


def word_states(states: Mapping[str, Shown], words: Words) -> list[Worded]:
    """Counters or states: heading and value."""
    return [
        {"id": id_, "heading": heading, "value": words.value(value, words.sorts.get(id_, ""))}
        for id_, value in states.items()
        if (heading := words.heading(id_))
    ]


def word_piece(piece: Piece, words: Words) -> Worded:
    """A piece: its name and what it says; by its back, or as unknown, where the seat does not know it."""
    states = {id_: value for id_, value in piece.items() if id_ not in ("id", "kind")}
    if piece["id"] is None:
        back = piece.get("kind")
        name = words.value(None) if back is None else word_back(str(back), words)
        return {**_row(None, name, states, words), "text": None}
    id_ = str(piece["id"])
    return {**_row(id_, words.name(id_), states, words), "text": words.card(id_)}


def word_back(kind: str, words: Words) -> str:
    """A piece of which only the back is seen."""
    return words.own_text("back", kind=words.name(kind))


def word_effect(effect: EffectView, words: Words) -> str:
    """What holds for a time, with whose it is."""
    if "ability" in effect:
        label = words.ability_labels.get(effect["ability"], effect["ability"])
        text = words.option(label, (), label)
    else:
        text = words.heading(effect["modifies"])
    owner = effect.get("owner")
    return text if owner is None else f"{text} ({words.value(owner)})"


def word_outcome(outcome: Outcome, words: Words) -> list[str]:
    """How a game ended: what it ended with, who has won, the points if there are any."""
    winners = ", ".join(words.seat(winner + 1) for winner in outcome.winners)
    key = "won-nobody" if not winners else "won-one" if len(outcome.winners) == 1 else "won-many"
    lines = [words.own_text("over", outcome=words.name(outcome.id)), words.own_text(key, seats=winners)]
    if outcome.scores is not None:
        scores = ", ".join(f"{words.seat(at + 1)}: {score}" for at, score in enumerate(outcome.scores))
        lines.append(f"{words.own_text('score')}: {scores}")
    return lines


def _row(id_: str | None, name: str, states: Mapping[str, Shown], words: Words) -> Worded:
    return {"id": id_, "name": name, "states": word_states(states, words)}

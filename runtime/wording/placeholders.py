"""Placeholders: what a text leaves open, and filling it. The one reader of them, for play and for the checks of texts.

In: a text of a package. Out: its places, or the text with the places filled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grimoire.runtime.wording.counts import plural_form

_PLACE: Final = re.compile(r"\{([^{}]*)\}")
_INSIDE: Final = re.compile(r"(you|result|[1-9])(?:\.(number)|((?:\|[^|{}]*)+))?\Z")


@dataclass(frozen=True)
class Place:
    """A placeholder: `{1}` the name, `{1.number}` the number of a seat, `{1|form|form}` the form that a count takes;
    `{result}`."""

    name: str
    number: bool = False
    forms: tuple[str, ...] = ()


def read_place(inside: str) -> Place | None:
    """What stands between the braces, or None if it is no placeholder."""
    found = _INSIDE.match(inside)
    if found is None:
        return None
    forms = tuple(found[3].split("|")[1:]) if found[3] else ()
    return Place(found[1], found[2] is not None, forms)


def places_of(text: str) -> tuple[list[Place], list[str]]:
    """The placeholders of a text, and what looks like one but is none."""
    good: list[Place] = []
    bad: list[str] = []
    for found in _PLACE.finditer(text):
        place = read_place(found[1])
        if place is None:
            bad.append(found[0])
        else:
            good.append(place)
    rest = _PLACE.sub("", text)
    bad.extend(sign for sign in "{}" if sign in rest)
    return good, bad


def fill(text: str, language: str, values: Mapping[str, tuple[str, int | None]]) -> str:
    """A text with its places filled; a value is its wording and, for a seat or a count, its number."""

    def put(found: re.Match[str]) -> str:
        place = read_place(found[1])
        if place is None or place.name not in values:
            return found[0]
        wording, number = values[place.name]
        if place.number:
            return wording if number is None else str(number)
        if place.forms:
            form = plural_form(language, number or 0)
            if form is None:  # which one goes with the number is not known: all of them are shown, none is guessed
                return "/".join(place.forms)
            return place.forms[min(form, len(place.forms) - 1)]
        return wording

    return _PLACE.sub(put, text)

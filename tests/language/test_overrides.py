"""Texts of cards that were written by hand, compared with the effects: those of the packages are clean, and slips sown
into them are found.

python -m tests.language.test_overrides    # how many slips of each sort are found
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.language import knowledge
from grimoire.compiler.localisation.text.overrides import Overrides
from grimoire.compiler.localisation.text.texts import read_texts
from grimoire.compiler.source.tree import Scalar
from tests.language.test_card_texts import compiled, sayer
from tests.packages import FOLDERS

WITH_CARDS = [
    root.name
    for root in FOLDERS
    if any("\ncards:" in path.read_text("utf-8") for path in root.rglob("text/*/cards.yaml"))
]
OVERALL = 0.9  # of the slips of every sort, and of all of them


@cache
def texts(name: str, language: str) -> dict[str, Scalar]:
    return read_texts(compiled(name)[1][-1], Diagnostics())[language].texts["cards"]


@cache
def overrides(name: str, language: str) -> Overrides:
    return Overrides(sayer(name, language), texts(name, language))


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("name", WITH_CARDS)
def test_the_texts_of_the_packages_say_what_the_effects_do(name: str, language: str) -> None:
    for key, text in texts(name, language).items():
        assert list(overrides(name, language).slips(key, text.value)) == [], key


# --- slips ------------------------------------------------------------------------------------------------------------


def other_number(text: str, language: str) -> Iterator[str]:
    for match in re.finditer(r"(?<![(\d–-])\d+(?![)\d–])", text):
        yield f"{text[: match.start()]}{int(match[0]) + 1}{text[match.end() :]}"


def other_term(text: str, language: str) -> Iterator[str]:
    swaps = {"en": ("sanity", "fuel"), "uk": ("розум", "пальне"), "ru": ("рассудок", "топливо")}[language]
    zones = {"en": ("brig", "galley"), "uk": ("карцер", "камбуз"), "ru": ("карцер", "камбуз")}[language]
    for one, other in (swaps, swaps[::-1], zones):
        changed = re.sub(rf"\b{one}\b", other, text, count=1, flags=re.IGNORECASE)
        if changed != text and not re.search(rf"\b{other}", text, re.IGNORECASE):
            yield changed


def other_choice(text: str, language: str) -> Iterator[str]:
    may = knowledge(language).may
    if may.search(text):
        yield may.sub("", text)
    else:
        yield {"en": "You may: ", "uk": "Можете: ", "ru": "Можете: "}[language] + text


def other_decider(text: str, language: str) -> Iterator[str]:
    people = {
        "en": ("The captain decides", "The keeper decides", "The current player decides"),
        "uk": ("Вирішує капітан", "Вирішує хранитель гримуара", "Вирішує поточний гравець"),
        "ru": ("Решает капитан", "Решает хранитель фолианта", "Решает текущий игрок"),
    }[language]
    for at, who in enumerate(people):
        if text.startswith(who):
            yield people[(at + 1) % 2] + text.removeprefix(who)


def other_order(text: str, language: str) -> Iterator[str]:
    """Two steps of one sentence change places."""
    for match in re.finditer(r"(?<=[:.)—] )([^.;:()—]{5,}); ([^.;:()—]{5,})(?=[.;])", text):
        first, second = match[1], match[2]
        words, others = (set(re.findall(r"[^\W\d]{4,}", part.lower())) for part in (first, second))
        if words and others and not words & others:
            swapped = second[0].upper() + second[1:] if first[0].isupper() else second
            yield f"{text[: match.start()]}{swapped}; {first[0].lower()}{first[1:]}{text[match.end() :]}"


SLIPS = {
    "number": other_number,
    "term": other_term,
    "choice": other_choice,
    "decider": other_decider,
    "order": other_order,
}


def share(sort: str, language: str) -> tuple[int, int, list[str]]:
    known = overrides("unfathomable", language)
    hits, missed = 0, []
    for key, text in texts("unfathomable", language).items():
        for slip in SLIPS[sort](text.value, language) if key in known.pairs else ():
            if any(known.slips(key, slip)):
                hits += 1
            else:
                missed.append(f"{key}: {slip}")
    return hits, hits + len(missed), missed


@pytest.mark.parametrize("language", WORDED)
@pytest.mark.parametrize("sort", SLIPS)
def test_slips_are_found(sort: str, language: str) -> None:
    hits, count, missed = share(sort, language)
    assert count >= 9 and hits >= OVERALL * count, (hits, count, missed)


@pytest.mark.parametrize("language", WORDED)
def test_slips_of_all_sorts_are_found(language: str) -> None:
    rows = [share(sort, language)[:2] for sort in SLIPS]
    assert sum(hits for hits, _ in rows) >= OVERALL * sum(count for _, count in rows)


def main() -> None:
    for sort in SLIPS:
        for language in WORDED:
            hits, count, missed = share(sort, language)
            print(f"{sort} {language}: {hits} of {count}")
            for row in missed[:6]:
                print("   ", row[:260])


if __name__ == "__main__":
    main()

"""How long the checks of translations take: 20,000 strings that all differ, on one core, with and without a
dictionary."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.localisation.translation import run as l10n_check
from grimoire.compiler.localisation.translation.run import Text, check_texts, collect_texts

COUNT = 20_000
GOALS = {"without": 20.0, "with": 60.0}  # seconds


def many(texts: list[Text], count: int) -> list[Text]:
    """So many strings, no two alike and about as long as those of the edition: each of the halves of two of them."""
    found = list(texts)
    step = 1

    def half(text: str) -> str:
        words = text.split(" ")
        return " ".join(words[: len(words) // 2 + 1])

    while len(found) < count:
        for at, text in enumerate(texts):
            other = texts[(at + step) % len(texts)]
            found.append(
                text._replace(
                    id=f"{text.id}+{step}",
                    source=f"{half(text.source)} {half(other.source)}",
                    target=f"{half(text.target)} {half(other.target)}",
                )
            )
        step += 1
    return found[:count]


def measure_l10n(package: Path) -> dict[str, Any]:
    edition = open_edition(str(package))
    texts = [text._replace(standing="new") for text in many(collect_texts(edition, "uk", "en"), COUNT)]
    third = edition.open_language("ru").texts  # as many strings of a third language, made in the same way
    for text in many(collect_texts(edition, "ru", "en"), COUNT):
        if text.id not in third:
            third[text.id] = third[text.id.rpartition("+")[0]]._replace(value=text.target)
    installed = l10n_check.is_installed
    out: dict[str, Any] = {"strings": COUNT}
    for name, goal in GOALS.items():
        if name == "with" and not installed("uk"):
            continue  # the dictionary is an extra
        l10n_check.is_installed = installed if name == "with" else lambda language: False
        try:
            begin = time.process_time()
            check_texts("uk", "en", texts, edition)
            seconds = time.process_time() - begin
        finally:
            l10n_check.is_installed = installed
        out[f"{name}_dictionary"] = {"seconds": round(seconds, 1), "goal": goal, "met": seconds < goal}
    return out

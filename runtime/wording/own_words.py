"""The engine's own words: how to pass, who is asked, why something is not offered. Words of a game stand in its
artefact.

In: languages/<language>.json, a file for every language that the engine speaks: that is the list of them. Out: a text
with named places to fill. A test holds all files to the same keys and the same places.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final


class OwnWords(dict[str, dict[str, str]]):
    """The words by language, read when they are first asked for; of a language that the engine does not speak there are
    none.
    """

    def __missing__(self, language: str) -> dict[str, str]:
        found: dict[str, str] = {}
        if language in languages():
            path = files(__package__).joinpath("languages", f"{language}.json")
            found = json.loads(path.read_text(encoding="utf-8"))
        self[language] = found
        return found


OWN_WORDS: Final = OwnWords()


@cache
def languages() -> tuple[str, ...]:
    """The languages that the engine has words of its own in."""
    names = [path.name for path in files(__package__).joinpath("languages").iterdir()]
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def own_text(language: str, key: str, /, **places: object) -> str:
    """A text of the engine, its places filled; in a language that it does not speak, the key in angle brackets."""
    text = OWN_WORDS[language].get(key)
    return f"<{key}>" if text is None else text.format(**places)

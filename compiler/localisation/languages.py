"""The languages that the tool knows: grammar/languages.json, and which tables of the grammar folder each has.

In: nothing. Out: ids of languages, in the order in which they are named. No other module lists languages.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from grimoire.grammar import exists, read


class Language(NamedTuple):
    """One row of grammar/languages.json."""

    id: str
    name: str  # in English
    foreign: str = ""  # letters of a kindred alphabet that it does not have
    dictionary: str = ""  # the extra of the distribution that installs word forms
    few: str = ""  # case and number of a noun behind a count of few, where that is not the nominative plural


_TABLE: Final = json.loads(read("languages.json"))
_ALL: Final = {id_: Language(id_, **row) for id_, row in _TABLE["languages"].items()}

SOURCE: Final = str(_TABLE["source"])  # of effects and ids, and of a text that is translated, if none is named
WORDED: Final = tuple(id_ for id_ in _ALL if exists(f"wording/{id_}.yaml"))  # texts of cards can be generated
CHECKED: Final = tuple(id_ for id_ in _ALL if exists(f"l10n/{id_}.yaml"))  # translations are checked with tables
INFLECTED: Final = tuple(id_ for id_ in _ALL if exists(f"l10n/forms-{id_}.yaml"))  # paradigms of words are known


def find_language(id_: str) -> Language:
    """What is known of a language: of one that is not listed nothing but its id."""
    return _ALL.get(id_, Language(id_, id_))

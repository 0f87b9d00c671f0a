"""Find the keys that somebody means who asks why something is not offered: `why sail crane quay`.

In: the words typed, the decision, the tables of the artefact. Out: keys that the game can explain, the likeliest ones
only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from grimoire.runtime import Decision
from grimoire.runtime.core.statements import Choose, Menu
from grimoire.runtime.core.tables import Ability, Artefact
from grimoire.runtime.core.walk import children
from grimoire.runtime.wording.words import Words

MOST_KEYS: Final = 4
MOST_VALUES: Final = 8
_WORD: Final = re.compile(r"\w+")


def find_meant_keys(given: str, decision: Decision, artefact: Artefact, words: Words, seats: int) -> list[str]:
    """The keys that the words can mean in this decision, offered or not; a key stands for itself."""
    if ":" in given or given in decision.keys:
        return [given]
    tokens = [token.casefold() for token in _WORD.findall(given)]
    best: list[tuple[int, str]] = []
    plain: set[str] = set()  # entries that are chosen before it is said with what
    for ability in list_optional_abilities(artefact, decision):
        named = names_of(words, ability.label.replace(".", " ")) | names_of_choice(words, ability.label)
        score = sum(starts(token, named) for token in tokens)
        if score:
            best.append((score, ability.label))
    for entry, domains in entries(artefact, decision.label):
        named = names_of(words, entry) | names_of_choice(words, entry) if entry else set()
        left = [token for token in tokens if not starts(token, named)]
        plain.update([entry] if entry and not domains else ())
        values = [find_fitting(left, sort, artefact, words, seats) for sort in domains]
        used = {token for found in values for token, _ in found}
        if (named and len(left) < len(tokens)) or used:
            score = len(tokens) - len(left) + len(used)
            keys = [":".join([part for part in (entry, *chosen) if part]) for chosen in combinations(values)]
            best.extend((score, key) for key in keys)
    most = max((score for score, _ in best), default=0)
    found = list(dict.fromkeys(key for score, key in best if score == most and score == len(tokens)))
    if not found and len(tokens) > 1:  # `why buy lamp`, where the lamp is asked for later
        found = list(dict.fromkeys(key for score, key in best if score == most and key in plain))
    return found[:MOST_KEYS]


def list_optional_abilities(artefact: Artefact, decision: Decision) -> list[Ability]:
    """The optional abilities that can be used in the window of a decision; none elsewhere."""
    source = decision.source
    if decision.label != "react" or source is None or source.event is None:
        return []
    verbs = {at for at, row in enumerate(artefact.procs) if row.id == source.event["verb"]}
    return [row for row in artefact.abilities if row.on in verbs and row.optional]


def combinations(values: Sequence[Sequence[tuple[str, str]]]) -> Iterator[tuple[str, ...]]:
    """One value for each place of a key, as far as something was named for it."""
    filled: list[list[str]] = []
    for found in values:
        if not found:
            break
        filled.append(list(dict.fromkeys(value for _, value in found)))
    yield from product(*filled)


def entries(artefact: Artefact, label: str) -> Iterator[tuple[str, list[str]]]:
    """The entries of all questions with a label: id (empty if a key is a bare value) and the sorts of its values."""
    waiting: list[object] = [proc.body for proc in artefact.procs if proc.body is not None]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        record = waiting.pop()
        waiting += children(record)
        rows: list[tuple[str, list[str]]] = []
        if isinstance(record, Choose) and record.label == label:
            rows = [("", [record.sort])]
        elif isinstance(record, Menu) and record.label == label:
            rows = [(entry.id, [domain.sort for domain in entry.domains]) for entry in record.entries]
        for ident, sorts in rows:
            if (ident, tuple(sorts)) not in seen:
                seen.add((ident, tuple(sorts)))
                yield ident, sorts


def names_of(words: Words, ident: str) -> set[str]:
    """The words by which a thing can be called: those of its id and of its name."""
    return {word.casefold() for word in _WORD.findall(f"{ident.replace('-', ' ')} {words.name(ident)}")}


def names_of_choice(words: Words, entry: str) -> set[str]:
    text = words.text.get("choices", {}).get(entry, "")
    return {word.casefold() for word in _WORD.findall(re.sub(r"\{[^}]*\}", " ", str(text)))}


def starts(token: str, named: set[str]) -> bool:
    return any(word.startswith(token) for word in named)


def find_fitting(
    tokens: Sequence[str], sort: str, artefact: Artefact, words: Words, seats: int
) -> list[tuple[str, str]]:
    """The values of a sort that most of the words fit: a word that names it, and the value."""
    if sort == "number":
        return [(token, token) for token in tokens if token.isdecimal()][:MOST_VALUES]
    rows: list[str] = []
    if sort == "seat":
        rows = [f"p{number + 1}" for number in range(seats)]
    elif sort == "fixture":
        rows = [row.id for row in artefact.fixtures]
    elif sort == "piece":
        rows = [row.id for row in artefact.definitions]
    scored = [(sum(starts(token, names_of(words, id_)) for token in tokens), id_) for id_ in rows]
    most = max((score for score, _ in scored), default=0)
    if not most:
        return []
    found: list[tuple[str, str]] = []
    for score, id_ in scored:
        if score == most:
            found.extend((token, id_) for token in tokens if starts(token, names_of(words, id_)))
    return list(dict.fromkeys(found))[: MOST_VALUES * most]

"""What lowered units ask of the texts of languages, and what scenarios may call their options.

In: lowered units. Out: `Asks`, plain data of one unit; all of them together name the keys that texts must have, and
the words of options.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grimoire.compiler.localisation.text.texts import Question, describe_question
from grimoire.compiler.lower.link import Labels
from grimoire.compiler.lower.output import Entry, Floating, LoweredUnit, NewAbility, NewName, Ruling
from grimoire.compiler.workspace.plain import number, rows, text, texts
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.tables import Column, VariableOf
from grimoire.runtime.core.walk import walk
from grimoire.runtime.plain_data import Json


class Asked(NamedTuple):
    """An ability. `name` is the number of its name among those of the unit; without one its id and label stand as they
    are."""

    id: str
    label: str
    phase: str
    name: int
    labelled: bool


class Asks(NamedTuple):
    """What one unit asks for."""

    sort: str  # card, lender or rule
    menus: tuple[Question, ...]
    names: tuple[str, ...]  # names of abilities, made unique when all units are there
    split: int  # how many of them stand before the abilities of a card
    abilities: tuple[Asked, ...]
    sources: tuple[str, ...]  # what can be the reason that something is not offered
    columns: tuple[str, ...]  # hidden ones that the unit adds
    variables: tuple[str, ...]


def asks_of(unit: LoweredUnit) -> Asks:
    names: list[str] = []
    abilities: list[Asked] = []
    sources: dict[str, None] = {}
    columns: list[str] = []
    variables: list[str] = []
    split = 0

    def add(made: NewAbility) -> None:
        row = made.row
        abilities.append(Asked(row.id, row.label, row.phase, -1 if made.name is None else made.name, made.labelled))

    def read(log: Sequence[Entry]) -> None:
        nonlocal split
        for at, entry in enumerate(log):
            if log is unit.log and at == unit.split:
                split = len(names)
            match entry:
                case tuple():
                    sources[entry[5]] = None
                case NewName(label):
                    names.append(label)
                case NewAbility():
                    add(entry)
                case Floating(ability):
                    add(ability)
                case Ruling():
                    read(entry.log)
                case Column():
                    columns.append(entry.id)
                case VariableOf():
                    variables.append(entry.id)
                case _:
                    continue

    read(unit.log)
    if unit.split >= len(unit.log):
        split = len(names)
    for waiting in unit.waiting:
        add(waiting.ability)
    sort = "rule" if not unit.name.startswith("card:") else "lender" if unit.lends else "card"
    parts = (tuple(names), split, tuple(abilities), tuple(sources), tuple(columns), tuple(variables))
    return Asks(sort, tuple(menus_of(unit)), *parts)


def menus_of(unit: LoweredUnit) -> list[Question]:
    found: list[Question] = []
    for row in unit.procedures():
        for part in walk(row.body) if row.body is not None else ():
            if isinstance(part, st.Menu | st.Choose):
                found += [describe_question(part)]
    return found


# ------------------------------------------------------------ all units together


def list_abilities(asks: Sequence[Asks]) -> list[tuple[str, bool]]:
    """The labels of the abilities of all units, with whether they can be chosen: first the names of texts, then those
    of cards, lenders first."""
    labels = Labels()
    names = [[labels.unique(name) for name in one.names[: one.split]] for one in asks]
    cards = [at for at, one in enumerate(asks) if one.sort != "rule"]
    for at in sorted(cards, key=lambda at: asks[at].sort != "lender"):
        names[at] += [labels.unique(name) for name in asks[at].names[asks[at].split :]]
    found: list[tuple[str, bool]] = []
    for one, own in zip(asks, names, strict=True):
        for ability in one.abilities:
            label = own[ability.name] if ability.labelled and ability.name >= 0 else ability.label
            found.append((label, ability.phase != "cannot"))
    return found


def words_of_options(asks: Iterable[Asks]) -> set[str]:
    """The words of all options that units can offer: entries of menus, and names of abilities."""
    found: set[str] = set()
    labels = Labels()
    for one in asks:
        names = [labels.unique(name) for name in one.names]
        found.update(ability.id if ability.name < 0 else names[ability.name] for ability in one.abilities)
        found.update(id_ for menu in one.menus for id_, _ in menu.entries or ())
    return found | {part for name in found for part in name.split(":")}


# ------------------------------------------------------------ as plain data


def write_asks(asks: Asks) -> Json:
    menus: Json = [
        [label, None if entries is None else [[id_, count] for id_, count in entries]] for label, entries in asks.menus
    ]
    abilities: Json = [list(row) for row in asks.abilities]
    lists = [list(row) for row in (asks.names, asks.sources, asks.columns, asks.variables)]
    return [asks.sort, menus, asks.split, abilities, lists]


def read_asks(value: Json) -> Asks:
    sort, menus, split, abilities, lists = rows(value, 5)
    names, sources, columns, variables = (tuple(texts(row)) for row in rows(lists, 4))
    parts = (names, number(split), tuple(map(_read_ability, rows(abilities))), sources, columns, variables)
    return Asks(text(sort), tuple(map(_read_menu, rows(menus))), *parts)


def _read_menu(value: Json) -> Question:
    label, entries = rows(value, 2)
    if entries is None:
        return Question(text(label), None)
    pairs = (rows(entry, 2) for entry in rows(entries))
    return Question(text(label), tuple((text(id_), number(count)) for id_, count in pairs))


def _read_ability(value: Json) -> Asked:
    id_, label, phase, name, labelled = rows(value, 5)
    return Asked(text(id_), text(label), text(phase), number(name), labelled is True)

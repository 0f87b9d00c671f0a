"""Typography of the texts of a book: quotes, apostrophes, dashes, and spaces at which no line may end.

In: a `Volume` with the texts of the package. Out: the same with its texts as they are set. A text keeps its length, so
that what has been found in it is still where it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from grimoire.compiler.localisation.edition.book import Book, Entry, Tables
from grimoire.compiler.localisation.edition.book_content import Volume
from grimoire.compiler.localisation.edition.cards import Card, Group

FIXED: Final = "\u00a0"  # a space at which no line may end
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])['\u02bc]")
_DASH: Final = re.compile(r"(?<=\S) ([-\u2013\u2014])(?=\s)")
_NUMBER: Final = re.compile(r"(?<![\w.])([+\u2212-]?\d+|[IVX]+) (?=[^\W\d_])")
_OPENS: Final = "([\u00ab\u201e\u201c\u2018"


def make_setter(tables: Tables) -> Callable[[str], str]:
    """What sets a text in a language."""
    behind = (
        re.compile(rf"(?<![\w'\u2019-])({'|'.join(tables.proclitics)}) (?=\S)", re.IGNORECASE)
        if tables.proclitics
        else None
    )
    before = re.compile(rf"(?<=\w) ({'|'.join(tables.enclitics)})(?![\w'\u2019-])") if tables.enclitics else None

    def bind(text: str) -> str:
        text = set_quotes(_APOSTROPHE.sub("\u2019", text.replace("\n", " ")), tables.quotes)
        text = _DASH.sub(lambda found: FIXED + found[1].replace("-", "\u2014"), text)
        text = _NUMBER.sub(rf"\1{FIXED}", text)
        if behind is not None:
            text = behind.sub(rf"\1{FIXED}", text)
            text = behind.sub(
                rf"\1{FIXED}", text
            )  # two short words in a row: the first match has taken the space between them
        return before.sub(rf"{FIXED}\1", text) if before is not None else text

    return bind


def set_quotes(text: str, signs: str) -> str:
    """Straight quotes as those of the language: outer ones, and inner ones inside of others."""
    made: list[str] = []
    depth = 0
    for at, sign in enumerate(text):
        if sign == '"':
            opens = (at == 0 or text[at - 1].isspace() or made[-1] in _OPENS) and at + 1 < len(text)
            depth = depth if opens else max(depth - 1, 0)
            sign = signs[2 * min(depth, 1) + (0 if opens else 1)]
            depth += opens
        elif sign == signs[0]:
            depth += 1
        elif sign == signs[1]:
            depth = max(depth - 1, 0)
        made.append(sign)
    return "".join(made)


def typeset_volume(volume: Volume) -> Volume:
    """A volume as it is set."""
    put = make_setter(volume.book.tables)
    book = volume.book
    tables = book.tables._replace(words={key: put(word) for key, word in book.tables.words.items()})
    made = Book(
        book.package,
        put(book.title),
        tables,
        tuple(set_entry(entry, put) for entry in book.entries),
        tuple(set_entry(entry, put) for entry in book.appendices),
    )
    subjects = tuple(subject._replace(label=put(subject.label)) for subject in volume.links.subjects)
    groups = tuple(set_group(group, put) for group in volume.groups)
    return Volume(made, volume.links._replace(subjects=subjects), groups, volume.version)


def set_entry(entry: Entry, put: Callable[[str], str]) -> Entry:
    lines = tuple(line._replace(text=put(line.text), head=put(line.head)) for line in entry.lines)
    return entry._replace(title=put(entry.title), lines=lines)


def set_group(group: Group, put: Callable[[str], str]) -> Group:
    cards = tuple(set_card(card, put) for card in group.cards)
    return group._replace(name=put(group.name), texts=tuple(map(put, group.texts)), cards=cards)


def set_card(card: Card, put: Callable[[str], str]) -> Card:
    values = tuple((put(heading), put(value)) for heading, value in card.values)
    texts, flavour = tuple(map(put, card.texts)), put(card.flavour)
    return card._replace(name=put(card.name), values=values, texts=texts, flavour=flavour)

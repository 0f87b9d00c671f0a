"""The rules reference of one edition as a book: entries in alphabetical order, numbered, with their clauses.

In: a compiled package and a language. Out: a `Book`, which `links` gives its cross-references and its index, `cards`
its cards, and `site` and `print` set. Numbers follow from order alone; those that the content stores are compared with
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import grimoire.grammar as grammar
from grimoire.compiler.declare.model import PackageModel, Rule
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.text.inflect import Plain
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.source.tree import parse_bytes

INTRODUCTION: Final = 0  # the key of what an entry says before its first numbered clause
_KEY: Final = re.compile(r"(\d+)([a-z]*)\Z")
_ROMAN: Final = re.compile(r"(?=[IVXLC])(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})\Z")
_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


BookTexts: TypeAlias = Mapping[str, Mapping[str, str]]  # of one language, by section


class Tables(NamedTuple):
    """What a book needs to know of its language."""

    language: str
    alphabet: Mapping[str, int]
    alike: Mapping[str, str]
    endings: tuple[str, ...]
    begins: str
    articles: tuple[str, ...]
    proclitics: tuple[str, ...]
    enclitics: tuple[str, ...]
    quotes: str
    words: Mapping[str, str]

    def key(self, text: str) -> tuple[tuple[tuple[int, str], ...], ...]:
        """Sorts texts by the alphabet, word by word; signs and a first article count for nothing, digits and foreign
        letters stand in front."""
        return tuple(tuple(self.place(letter) for letter in word) for word in self.sort_words(text))

    def sort_words(self, text: str) -> list[str]:
        letters = "".join(self.alike.get(letter, letter) for letter in re.sub(r"['\u2019\u02bc]", "", text.lower()))
        words = re.findall(r"\w+", letters)
        return words[1:] if len(words) > 1 and words[0] in self.articles else words

    def place(self, letter: str) -> tuple[int, str]:
        return (self.alphabet.get(letter, -1), "" if letter in self.alphabet else letter)

    def initial(self, text: str) -> str:
        """The letter that a text stands under."""
        return next(iter(self.sort_words(text)), "")[:1].upper()[:1]


class Line(NamedTuple):
    """A clause in the book."""

    id: str
    label: str  # `6`, or `a` for a bullet below it; nothing for the introduction
    number: str  # with that of its entry: `22.6a`
    bullet: bool
    text: str
    head: str = ""  # what stands above it inside of its entry


class Entry(NamedTuple):
    """An entry, or an appendix."""

    id: str
    title: str
    number: str
    lines: tuple[Line, ...]
    appendix: bool


class Book(NamedTuple):
    """What is printed, without cards, references and index."""

    package: str
    title: str
    tables: Tables
    entries: tuple[Entry, ...]
    appendices: tuple[Entry, ...]

    def all(self) -> tuple[Entry, ...]:
        return (*self.entries, *self.appendices)

    def lines(self) -> list[Line]:
        return [line for entry in self.all() for line in entry.lines]


class Remarks(NamedTuple):
    """What is to be said about a book: `wrong` keeps it from being printed as the book it says it is, `notes` do
    not."""

    wrong: list[str]
    notes: list[str]


@cache
def load_tables() -> dict[str, Tables]:
    """The languages that books can be set in."""
    diags = Diagnostics()
    tree = parse_bytes(grammar.read("edition.yaml").encode(), "edition.yaml", diags)
    assert tree is not None and not len(diags), [item.message for item in diags]
    rows: dict[str, Plain] = plain(tree)
    return {
        language: Tables(
            language,
            {letter: at for at, letter in enumerate(row["alphabet"])},
            row["alike"],
            tuple(sorted(row["endings"].split(), key=len, reverse=True)),
            row["begins"],
            tuple(row["articles"].split()),
            tuple(row["proclitics"].split()),
            tuple(row["enclitics"].split()),
            row["quotes"],
            row["words"],
        )
        for language, row in rows.items()
    }


def make_book(model: PackageModel, texts: BookTexts, title: str, tables: Tables) -> tuple[Book, Remarks]:
    """The entries of a package in their order, numbered."""
    remarks = Remarks([], [])
    titles: dict[str, str] = {id_: texts["clauses"].get(id_, "") for id_ in model.rules}
    appendices = sorted((rule for rule in model.rules.values() if is_appendix(rule)), key=make_roman_key)
    remarks.wrong.extend(
        f"{rule.id} is an appendix, and those follow their Roman numbers: after: {{{tables.language}: ..}} cannot be"
        for rule in appendices
        if tables.language in rule.after
    )
    inside = [rule for rule in model.rules.values() if not is_appendix(rule)]
    clauses: dict[str, list[str]] = {id_: [] for id_ in model.rules}
    for clause in model.clauses:
        clauses[clause.rpartition(".")[0]].append(clause)
    entries = [
        make_entry(rule, str(number), clauses[rule.id], titles, texts, False)
        for number, rule in enumerate(sort_rules(inside, titles, tables, remarks), 1)
    ]
    more = [
        make_entry(rule, format_roman(number), clauses[rule.id], titles, texts, True)
        for number, rule in enumerate(appendices, 1)
    ]
    book = Book(model.id, title, tables, tuple(entries), tuple(more))
    compare_numbers(book, model, remarks)
    return book, remarks


def find_missing_texts(model: PackageModel, texts: BookTexts) -> list[str]:
    """The clauses and rules that have no text."""
    there = texts.get("clauses", {})
    return [id_ for id_ in (*model.rules, *model.clauses) if not there.get(id_)]


# --- order ------------------------------------------------------------------------------------------------------------


def sort_rules(rules: Sequence[Rule], titles: Mapping[str, str], tables: Tables, remarks: Remarks) -> list[Rule]:
    """Rules by the alphabet of the language over their titles; those that say what they stand behind are put there."""
    order = sorted(rules, key=lambda rule: (tables.key(titles[rule.id]), rule.id))
    alphabet = list(order)
    moved = [rule for rule in order if tables.language in rule.after]
    behind: dict[str, list[str]] = {}
    for rule in moved:
        order.remove(rule)
        behind.setdefault(rule.after[tables.language], []).append(rule.id)
    for before, ids in behind.items():
        if len(ids) > 1:
            remarks.wrong.append(
                f"{' and '.join(ids)} have one place, behind {before}: after: {{{tables.language}: ..}} says "
                "for one of them that it "
                f"stands behind the other"
            )
    waiting = list(moved)
    while waiting:
        there = {rule.id: at for at, rule in enumerate(order)}
        ready = next((rule for rule in waiting if rule.after[tables.language] in there), None)
        if ready is None:
            names = ", ".join(rule.id for rule in waiting)
            remarks.wrong.append(
                f"no place for {names}: after: {{{tables.language}: ..}} leads to an appendix or in a circle"
            )
            return [*order, *waiting]
        waiting.remove(ready)
        order.insert(there[ready.after[tables.language]] + 1, ready)
    for rule in moved:
        name = f"{rule.id} («{titles[rule.id]}»)"
        before = rule.after[tables.language]
        if order.index(rule) == alphabet.index(rule) and len(moved) == 1:
            remarks.notes.append(
                f"{name} stands behind {before} by the alphabet: after: {{{tables.language}: ..}} says nothing new"
            )
        else:
            remarks.notes.append(f"{name} stands out of the alphabet: behind {before}, as the content says")
    return order


def is_appendix(rule: Rule) -> bool:
    """An entry with a Roman number, in whatever edition."""
    return any(is_roman(number) for number in rule.numbers.values())


def make_roman_key(rule: Rule) -> tuple[int, str]:
    return (min(parse_roman(number) for number in rule.numbers.values() if is_roman(number)), rule.id)


def is_roman(text: str) -> bool:
    return _ROMAN.match(text) is not None


def parse_roman(text: str) -> int:
    values = [_DIGITS[sign] for sign in text]
    return sum(-value if value < max(values[at:], default=0) else value for at, value in enumerate(values))


def format_roman(number: int) -> str:
    signs = ((90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    made = ""
    for value, sign in signs:
        made += sign * (number // value)
        number %= value
    return made


# --- numbers ----------------------------------------------------------------------------------------------------------


def make_entry(
    rule: Rule,
    number: str,
    clauses: Iterable[str],
    titles: Mapping[str, str],
    texts: BookTexts,
    appendix: bool,
) -> Entry:
    """An entry with its clauses numbered in the order of the ledger."""
    lines: list[Line] = []
    heads: Mapping[str, str] = texts.get("headings", {})
    count = INTRODUCTION
    bullets = 0
    for id_ in clauses:
        found = _KEY.match(id_.rpartition(".")[2])
        bullet = found is not None and found[2] != ""
        first = found is not None and int(found[1]) == INTRODUCTION
        if bullet:
            bullets += 1
            label = format_letter(bullets)
        else:
            bullets = 0
            count += not first
            label = "" if first else str(count)
        tail = f".{count if count or bullet else ''}{label if bullet else ''}".rstrip(".")
        lines.append(Line(id_, label, number + tail, bullet, texts["clauses"][id_], heads.get(id_, "")))
    return Entry(rule.id, titles[rule.id], number, tuple(lines), appendix)


def format_letter(number: int) -> str:
    """a .. z, aa .."""
    made = ""
    while number:
        number, at = divmod(number - 1, 26)
        made = chr(ord("a") + at) + made
    return made


def compare_numbers(book: Book, model: PackageModel, remarks: Remarks) -> None:
    """The numbers that follow from the order, against those that the content has from a printed book."""
    language = book.tables.language
    without = [entry.id for entry in book.all() if language not in model.rules[entry.id].numbers]
    if without:
        if len(without) < len(book.all()):
            some = ", ".join(without[:5]) + (", .." if len(without) > 5 else "")
            remarks.notes.append(
                f"{len(without)} of {len(book.all())} entries have no printed number in '{language}' "
                f"({some}): all are numbered anew"
            )
        return
    for entry in book.all():
        printed = model.rules[entry.id].numbers[language]
        if printed != entry.number:
            remarks.wrong.append(
                f"{entry.id} («{entry.title}») is number {entry.number} by the alphabet and {printed} in the content; "
                f"if the book has it out of order, after: {{{language}: ..}} says behind which"
            )
            continue
        for line in entry.lines:
            stored = model.clauses[line.id].numbers[language]
            made = line.number if line.number != entry.number else f"{entry.number}.{INTRODUCTION}"
            if stored != made:
                remarks.wrong.append(f"the clause {line.id} is {made} by its place and {stored} in the content")

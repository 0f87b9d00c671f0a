"""Find in the clauses and cards of a book what they speak of: links, related entries and the subject index.

In: a `Book`, the model, names and words of its package, its cards. Out: `Links`. An entry is found by its title, by the
forms of its term or verb where the package stores them, and otherwise by its title in any of the endings of the
language. Entries whose clauses share a mark belong together, and where the ledger says what is related, that holds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.localisation.edition.book import Book, Tables
from grimoire.compiler.localisation.edition.cards import Group
from grimoire.compiler.localisation.text.inflect import NUMBERS, Grammar
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.tuning import (
    RELATED_BACK,
    RELATED_CLAUSES,
    RELATED_LEAST,
    RELATED_MARK,
    RELATED_SHORT_STEM,
    RELATED_TOPICS,
)
from grimoire.runtime.core.tables import Artefact, list_carrying_tables

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019\u02bc-][^\W_]+)*")
_MARK: Final = re.compile(r"§([\w.,-]+)")
QUOTES: Final = ("\u00ab\u00bb", "\u201e\u201c", "\u201c\u201d")
VOWELS: Final = "аеєиіїоуюяыэё"


class Mention(NamedTuple):
    """Where a clause speaks of an entry."""

    start: int
    end: int
    entry: str


class Subject(NamedTuple):
    """A line of the index."""

    label: str
    entry: str | None  # the entry that is about it
    clauses: tuple[str, ...]  # ids of the clauses of other entries that speak of it
    head: str | None = None  # the clause that has it for a heading


class Links(NamedTuple):
    """What leads from one place of the book to another."""

    mentions: Mapping[str, tuple[Mention, ...]]  # by clause; each entry once in an entry
    see: Mapping[str, tuple[str, ...]]  # by entry, in the order of the book
    subjects: tuple[Subject, ...]  # the index, in the order of the alphabet
    cards: Mapping[
        tuple[str, int], tuple[Mention, ...]
    ]  # by card or kind and number of the text; each entry once on a card
    about: Mapping[str, str]  # by kind, the entry that is about its cards
    cited: Mapping[str, tuple[str, ...]]  # by entry, the cards that carry out a clause of it


class Phrase(NamedTuple):
    """Words to look for: `=form`, or `~stem` with any ending."""

    keys: tuple[str, ...]
    subject: str


def find_links(
    book: Book, model: PackageModel, artefact: Artefact, names: Mapping[str, str], lexicon: Lexicon | None,
    grammar: Grammar | None, groups: Sequence[Group] = (),
) -> Links:  # fmt: skip
    """All references of a book."""
    searcher = Searcher(book.tables)
    labels = make_labels(book, model, names)
    entries = {entry.id for entry in book.all()}
    called = index_terms(lexicon, grammar)
    for subject, label in labels.items():
        ids = list(called.get(label.lower(), ()))
        if subject in entries and (
            lexicon is None or subject not in lexicon.terms or searcher.is_about(subject, label, called)
        ):
            ids.append(subject)
        for form in dict.fromkeys(form for id_ in ids for form in iterate_stored_forms(id_, lexicon, grammar)):
            searcher.add_forms(form, subject)
        searcher.add_title(label, subject)
    spoken: dict[str, list[str]] = {subject: [] for subject in labels}
    mentions: dict[str, tuple[Mention, ...]] = {}
    speaks: Counter[tuple[str, str]] = Counter()
    for entry in book.all():
        seen: set[str] = set()
        for line in entry.lines:
            found = [hit for hit in searcher.find(line.text) if hit.entry != entry.id]
            for subject in dict.fromkeys(hit.entry for hit in found):
                spoken[subject].append(line.id)
                speaks[entry.id, subject] += 1
            mentions[line.id] = take_first_mentions(found, entries, seen)
    index = [
        Subject(label, subject if subject in entries else None, tuple(spoken[subject]))
        for subject, label in labels.items()
        if subject in entries or spoken[subject]
    ]
    index = with_heads(book, index, searcher, labels)
    index.sort(key=lambda subject: (book.tables.key(subject.label), subject.label))
    see = find_related(book, speaks, find_shared_marks(model, artefact))
    see |= {id_: sort_by_book(book, rule.see) for id_, rule in model.rules.items() if rule.see is not None}
    cards, about = find_in_cards(searcher, groups, entries)
    return Links(mentions, see, tuple(index), cards, about, find_citing_cards(groups))


def with_heads(book: Book, index: list[Subject], searcher: Searcher, labels: Mapping[str, str]) -> list[Subject]:
    """The headings of clauses as subjects: one that is a subject already shows where it is dealt with."""
    found: dict[str, str] = {}
    more: list[Subject] = []
    for line in (line for line in book.lines() if line.head):
        hits = searcher.find(line.head)
        whole = hits[0].entry if len(hits) == 1 and (hits[0].start, hits[0].end) == (0, len(line.head)) else None
        if whole is None:
            more.append(Subject(line.head, None, (), line.id))
        else:
            found.setdefault(labels[whole], line.id)
    heads = [subject._replace(head=found.pop(subject.label, None)) for subject in index]
    made = [
        subject._replace(head=None)
        if subject.entry is not None
        else subject._replace(clauses=tuple(id_ for id_ in subject.clauses if id_ != subject.head))
        for subject in heads
    ]
    return made + more + [Subject(label, None, (), clause) for label, clause in found.items()]


def take_first_mentions(found: Iterable[Mention], entries: Iterable[str], seen: set[str]) -> tuple[Mention, ...]:
    """The mentions of entries that have not been seen yet; they are seen then."""
    fresh: list[Mention] = []
    for hit in found:
        if hit.entry in entries and hit.entry not in seen:
            seen.add(hit.entry)
            fresh.append(hit)
    return tuple(fresh)


def sort_by_book(book: Book, ids: Iterable[str]) -> tuple[str, ...]:
    """Entries in the order of the book."""
    wanted = set(ids)
    return tuple(entry.id for entry in book.all() if entry.id in wanted)


def make_labels(book: Book, model: PackageModel, names: Mapping[str, str]) -> dict[str, str]:
    """What can be a subject, by id: the entries, and whatever else the package has a name for; of those with one name
    the first."""
    labels = {entry.id: entry.title for entry in book.all()}
    called = {title.lower() for title in labels.values()}
    for id_ in (*model.kinds, *model.things, *model.zones, *model.counters):
        name = names.get(id_, "")
        if id_ not in labels and name.lower() not in called and _WORD.search(name):
            called.add(name.lower())
            labels[id_] = name[:1].upper() + name[1:]
    return labels


# --- forms ------------------------------------------------------------------------------------------------------------


def iterate_stored_forms(id_: str, lexicon: Lexicon | None, grammar: Grammar | None) -> Iterator[str]:
    """The forms of a term or verb of this id."""
    if lexicon is None or grammar is None:
        return
    if id_ in lexicon.terms:
        yield from iterate_term_forms(id_, lexicon, grammar)
    for name in (id_, f"take {id_}"):
        if name in lexicon.verbs:
            yield from (form for form in lexicon.verbs[name].forms.values() if form)


def iterate_term_forms(id_: str, lexicon: Lexicon, grammar: Grammar) -> Iterator[str]:
    term = lexicon.terms[id_]
    for number in NUMBERS:
        if number in term.forms:
            yield from (grammar.noun(term, case, number) for case in grammar.cases)


def index_terms(lexicon: Lexicon | None, grammar: Grammar | None) -> dict[str, list[str]]:
    """The ids of terms by what they are called, in the singular and in the plural."""
    called: dict[str, list[str]] = {}
    if lexicon is not None and grammar is not None:
        for id_, term in lexicon.terms.items():
            for number in term.forms:
                called.setdefault(grammar.noun(term, grammar.cases[0], number).lower(), []).append(id_)
    return called


class Searcher:
    """Finds phrases in texts; the longest wins, and of two as long the one that was added first."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.phrases: dict[str, list[Phrase]] = {}
        self.cut: dict[str, frozenset[str]] = {}

    def add_forms(self, form: str, subject: str) -> None:
        words = [word for word in map(self.plain, _WORD.findall(form)) if word not in self.tables.articles]
        self.add(Phrase(tuple(f"={word}" for word in words), subject))

    def add_title(self, title: str, subject: str) -> None:
        self.add(Phrase(self.make_title_keys(title), subject))

    def make_title_keys(self, title: str) -> tuple[str, ...]:
        words = [word for word in map(self.plain, _WORD.findall(title)) if word not in self.tables.articles]
        return tuple(self.make_stem_key(word) for word in words)

    def is_about(self, id_: str, title: str, called: Mapping[str, Iterable[str]]) -> bool:
        """Whether a term has the words of a title: what has the id of an entry may be something else."""
        names = [name for name, ids in called.items() if id_ in ids]
        wanted = self.make_title_keys(title)
        return any(
            all(any(key in self.keys(self.plain(word)) for word in _WORD.findall(name)) for key in wanted)
            for name in names
        )

    def add(self, phrase: Phrase) -> None:
        rows = self.phrases.setdefault(phrase.keys[0], []) if phrase.keys else []
        if phrase not in rows:
            rows.append(phrase)

    def plain(self, word: str) -> str:
        """Small letters; a word that may begin with one letter or another begins with the first of them."""
        word = "".join(self.tables.alike.get(letter, letter) for letter in word.lower())
        if len(word) > 1 and word[0] in self.tables.begins and word[1] not in VOWELS:
            return self.tables.begins[0] + word[1:]
        return word

    def make_stem_key(self, word: str) -> str:
        ends = (end for end in self.tables.endings if word.endswith(end) and len(word) - len(end) >= RELATED_SHORT_STEM)
        return f"~{word.removesuffix(next(ends, ''))}"

    def keys(self, word: str) -> frozenset[str]:
        """All that a word may be found by."""
        if word not in self.cut:
            ends = ("", *self.tables.endings)
            stems = {f"~{word[: len(word) - len(end)]}" for end in ends if word.endswith(end)}
            self.cut[word] = frozenset(stems | {f"={word}"})
        return self.cut[word]

    def find(self, text: str) -> list[Mention]:
        places = [(found.start(), found.end(), self.keys(self.plain(found[0]))) for found in _WORD.finditer(text)]
        hits: list[Mention] = []
        at = 0
        while at < len(places):
            best: Phrase | None = None
            for key in sorted(places[at][2]):
                for phrase in self.phrases.get(key, ()):
                    if (best is None or len(phrase.keys) > len(best.keys)) and self.fits(phrase, places, at, text):
                        best = phrase
            if best is None:
                at += 1
                continue
            start, end = places[at][0], places[at + len(best.keys) - 1][1]
            hits.append(Mention(start, end + match_closing_quote(text[start:end], text[end : end + 1]), best.subject))
            at += len(best.keys)
        return hits

    @staticmethod
    def fits(phrase: Phrase, places: list[tuple[int, int, frozenset[str]]], at: int, text: str) -> bool:
        rows = places[at : at + len(phrase.keys)]
        return (
            len(rows) == len(phrase.keys)
            and all(key in row[2] for key, row in zip(phrase.keys, rows, strict=True))
            and not re.search(r"[.;:!?]", text[rows[0][0] : rows[-1][1]])
        )


def match_closing_quote(text: str, sign: str) -> int:
    """Whether a sign closes a quotation that has been opened in a text; one letter more then."""
    return int(any(sign == pair[1] and text.count(pair[0]) > text.count(pair[1]) for pair in QUOTES))


# --- related entries --------------------------------------------------------------------------------------------------


def find_shared_marks(model: PackageModel, artefact: Artefact) -> set[tuple[str, str]]:
    """Pairs of entries that some statement or declaration carries out together."""
    pairs: set[tuple[str, str]] = set()
    groups = [mark.rstrip(".,").split(",") for text in model.texts for mark in _MARK.findall(text.text)]
    groups += [list(row.clauses) for _, rows in list_carrying_tables(artefact) for row in rows if row.clauses]
    for group in groups:
        rules = {id_.rpartition(".")[0] for id_ in group if id_ in model.clauses}
        pairs.update((one, other) for one in rules for other in rules if one != other)
    return pairs


def find_related(
    book: Book, speaks: Mapping[tuple[str, str], int], pairs: set[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """For each entry the few that it has most to do with: those that it speaks of often and others seldom, and those
    that share a mark."""
    ids = [entry.id for entry in book.all()]
    spoken = {other: sum(speaks.get((id_, other), 0) > 0 for id_ in ids) for other in ids}
    rare = {other: math.log((len(ids) + 1) / (times + 1)) for other, times in spoken.items()}

    def weight(one: str, other: str) -> float:
        forth, back = speaks.get((one, other), 0), speaks.get((other, one), 0)
        return (
            math.sqrt(forth) * rare[other]
            + RELATED_BACK * math.sqrt(back) * rare[one]
            + RELATED_MARK * ((one, other) in pairs)
        )

    made: dict[str, tuple[str, ...]] = {}
    for entry in book.all():
        weights = {other: weight(entry.id, other) for other in ids if other != entry.id}
        near = sorted(
            (other for other in weights if weights[other] >= RELATED_LEAST), key=lambda other: -weights[other]
        )
        made[entry.id] = sort_by_book(book, near[: RELATED_TOPICS + len(entry.lines) // RELATED_CLAUSES])
    return made


# --- cards ------------------------------------------------------------------------------------------------------------


def find_in_cards(
    searcher: Searcher, groups: Iterable[Group], entries: Iterable[str]
) -> tuple[dict[tuple[str, int], tuple[Mention, ...]], dict[str, str]]:
    """What the texts of cards speak of, and the entries that are about their kinds."""
    cards: dict[tuple[str, int], tuple[Mention, ...]] = {}
    about: dict[str, str] = {}
    for group in groups:
        whole = [hit for hit in searcher.find(group.name) if hit.entry in entries]
        if len(whole) == 1 and (whole[0].start, whole[0].end) == (0, len(group.name)):
            about[group.kind] = whole[0].entry
        for id_, texts in ((group.kind, group.texts), *((card.id, card.texts) for card in group.cards)):
            seen = {about.get(group.kind, "")}
            for at, text in enumerate(texts):
                cards[id_, at] = take_first_mentions(searcher.find(text), entries, seen)
    return cards, about


def find_citing_cards(groups: Iterable[Group]) -> dict[str, tuple[str, ...]]:
    """The cards by the entries whose clauses they carry out."""
    cited: dict[str, dict[str, None]] = {}
    for group in groups:
        for card in group.cards:
            for clause in card.clauses:
                cited.setdefault(clause.rpartition(".")[0], {}).setdefault(card.id)
    return {entry: tuple(cards) for entry, cards in cited.items()}

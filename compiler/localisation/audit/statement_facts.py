"""What a statement of a rulebook says, taken from its words: numbers, terms, bounds, sides, may and must.

In: texts, the words and names of a package, and grammar/audit.yaml. Out: `Facts`. Terms are known by keys that all
languages share, so that what one language says can be looked for in another.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import grimoire.grammar as grammar
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.edition.book import load_tables
from grimoire.compiler.localisation.text.inflect import Grammar, Plain
from grimoire.compiler.localisation.text.language import TOKEN, Knowledge, knowledge
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.localisation.translation.glossary import read_words
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.localisation.tuning import (
    FACTS_FEW,
    FACTS_MOST,
    FACTS_ROOT,
    FACTS_SHORT,
    FACTS_STEM,
)
from grimoire.compiler.source.tree import parse_bytes

EXTENTS: Final = ("all", "chosen", "one")
_NUMBERED: Final = re.compile(r"«\s*\d{1,3}\.")


class Language(NamedTuple):
    """The row of grammar/audit.yaml."""

    example: tuple[str, ...]
    see: tuple[str, ...]
    page: re.Pattern[str]
    sides: Mapping[str, Mapping[str, re.Pattern[str]]]
    bounds: Mapping[str, re.Pattern[str]]
    cannot: re.Pattern[str]
    may: re.Pattern[str]
    must: re.Pattern[str]
    free: re.Pattern[str]
    aside: re.Pattern[str]
    no: re.Pattern[str]
    only: re.Pattern[str]
    any: re.Pattern[str]
    several: re.Pattern[str]
    exactly: re.Pattern[str]  # what stresses the number that follows
    notions: Mapping[str, re.Pattern[str]]
    telling: Mapping[str, str]  # notions that need no habit: how bad it is that one is left out
    also: Mapping[str, re.Pattern[str]]  # more words by which a print may say a notion
    extent: Mapping[str, str]  # words before a noun: all, chosen, one
    amounts: Mapping[str, re.Pattern[str]]  # all, one, any, some, chosen, wherever they stand
    verbal: re.Pattern[str]  # how words end that are no nouns
    numbers: Mapping[str, int]  # more words for numbers
    fleeting: re.Pattern[str] | None  # a vowel that comes and goes before the last consonant


def _compile_phrases(rows: Iterable[str]) -> re.Pattern[str]:
    """Whole words, in any of the endings where a star stands."""
    made = [
        re.escape(row)
        .replace(r"\ \.\.\ ", r"(?:\s+[\w'’-]+){0,4}?\s+")
        .replace(r"\*", r"[\w'’-]*")
        .replace(r"\ ", r"\s+")
        for row in rows
    ]
    made.sort(key=len, reverse=True)
    return re.compile(rf"(?<![\w'’-])(?:{'|'.join(made) or '(?!)'})(?![\w'’-])", re.IGNORECASE)


@cache
def load_languages() -> dict[str, Language]:
    """The languages that printed editions can be audited in."""
    diags = Diagnostics()
    tree = parse_bytes(grammar.read("audit.yaml").encode(), "audit.yaml", diags)
    assert tree is not None and not len(diags), [item.message for item in diags]
    rows: dict[str, Plain] = plain(tree)
    return {
        language: Language(
            tuple(row["example"]),
            tuple(row["see"]),
            re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, row['page']))})\.?\s*\d+", re.IGNORECASE),
            {
                name: {side: _compile_phrases(words) for side, words in sides.items()}
                for name, sides in row["sides"].items()
            },
            {name: _compile_phrases(words) for name, words in row["bounds"].items()},
            _compile_phrases(row["cannot"]),
            _compile_phrases(row["may"]),
            _compile_phrases(row["must"]),
            _compile_phrases(row["free"]),
            _compile_phrases(row["aside"]),
            _compile_phrases(row["no"]),
            _compile_phrases(row["only"]),
            _compile_phrases(row["any"]),
            _compile_phrases(row["several"]),
            _compile_phrases(row["exactly"]),
            {name: _compile_phrases(words) for name, words in row["notions"].items()},
            dict(row["telling"]),
            {name: _compile_phrases(words) for name, words in row["also"].items()},
            {word: extent for extent in EXTENTS for word in row[extent]},
            {name: _compile_phrases(words) for name, words in row["amounts"].items()},
            re.compile(rf"(?:{'|'.join(row['verbal']) or '(?!)'})\Z"),
            {word: int(number) for number, words in row["numbers"].items() for word in words.split()},
            re.compile(row["fleeting"]) if row.get("fleeting") else None,
        )
        for language, row in rows.items()
    }


class Facts(NamedTuple):
    """What one statement says."""

    text: str
    stems: frozenset[str]
    terms: Mapping[str, str]  # stems of the glossary, and the word that stands for each
    figures: frozenset[int]  # numbers that are said plainly
    loose: frozenset[int]  # numbers that may be meant
    bounds: frozenset[str]
    sides: Mapping[str, frozenset[str]]
    may: bool
    must: bool
    cannot: bool
    modes: Mapping[str, int]  # may, must, cannot, taken widely: how many words can mean it
    nots: int  # how many words say no
    joined: Mapping[str, str]  # terms of two words
    alone: frozenset[str]  # stems that stand somewhere by themselves, not only as a part of such a term
    pairs: tuple[tuple[str, str, str], ...]  # all two words in a row: their stems, and the words
    extents: Mapping[str, Mapping[str, str]]  # all, chosen, one: the stems that it says it of, with the words
    many: Mapping[str, str]  # stems that stand in the plural only, and not beside another term
    plurals: frozenset[str]  # stems that stand in the plural somewhere
    notions: Mapping[str, str]  # by name: the words
    amounts: Mapping[str, Sequence[str]]  # all, one, any, some, chosen: the words that say it
    counts: Mapping[int, int]  # numbers, said plainly or meant, and how often


def find_named_things(edition: Edition) -> set[str]:
    """The things of a package whose names are words of its rules: not the single cards."""
    model = edition.model
    many = Counter(thing.kind for thing in model.things.values())
    return {*model.kinds, *(id_ for id_, thing in model.things.items() if many[thing.kind] <= FACTS_MOST)}


class Vocabulary:
    """The words of one language of a package: stems, and which of them are terms."""

    def __init__(self, edition: Edition, language: str) -> None:
        self.language = language
        self.table = load_languages()[language]
        self.known: Knowledge = knowledge(language)
        tables = load_tables()[language]
        self.endings, self.alike, self.begins = tables.endings, tables.alike, tables.begins
        self.fleeting = self.table.fleeting
        self.forms: dict[str, str] = {}
        self.keys: dict[str, set[str]] = defaultdict(set)  # by stem
        self.words: dict[str, dict[str, str]] = defaultdict(dict)  # by key: stems, and a word for each
        self.joined: dict[str, set[str]] = defaultdict(set)  # two stems in a row that are a term: its keys
        self.plural: set[str] = set()  # forms that are no singular
        self.nouns: set[str] = set()  # stems
        self.verbs: dict[str, set[str]] = defaultdict(set)  # forms of the verbs of the package
        self.roots: dict[str, set[str]] = defaultdict(set)  # how the forms of a verb begin
        reader = read_words(edition, language)
        stops = self.known.joining | frozenset(self.known.prepositions) | {"of", "the", "a", "an", "with", "to", "in"}
        self.stops = stops
        if reader is not None:
            for term in reader.terms.values():
                first = next((row[0].lower().split() for row in term.forms.values() if row), [])
                if len(term.forms) > 1:
                    self.plural |= {self.plain(form) for form in {*term.forms["pl"]} - {*term.forms["sg"]}}
                for row in term.forms.values():
                    for form in row:
                        for at, word in enumerate(form.lower().split()):
                            if at < len(first) and self.fits(first[at], word):
                                self.forms.setdefault(self.plain(word), self.strip(self.plain(first[at])))
            for word in {
                *(word for term in reader.terms.values() for word in term.adjectives),
                *reader.adjectives.values(),
            }:
                self.decline(reader.grammar, word.lower())
            for key, term in reader.terms.items():
                nouns = [word for row in term.forms.values() for word in row[:1]]
                self.nouns |= {self.stem(word) for noun in nouns for word in noun.lower().split()}
                narrow = [*term.adjectives, *term.tail]
                shared = bool("".join(narrow).strip())
                if shared:
                    self.add("", " ".join(nouns))
                if not shared or len(" ".join([*term.adjectives, term.tail[0]]).split()) <= FACTS_FEW:
                    self.add(key, " ".join(narrow if shared else nouns))
                    for at, noun in enumerate(nouns):
                        self.join(key, " ".join([*term.adjectives, noun, term.tail[min(at, 1)]]))
            for key, verb in reader.verbs.items():
                for form in verb.forms.values():
                    if len(form) > FACTS_ROOT and " " not in form and "{" not in form:
                        self.verbs[self.plain(form)].add(f"to {key}")
                        self.roots[f"to {key}"].add(
                            self.plain(form)[: max(FACTS_ROOT, min(len(form) - FACTS_ROOT, FACTS_ROOT + 2))]
                        )
            for key, word in reader.adjectives.items():
                if word and " " not in word:
                    self.add(f"adjective {key}", word)
        names = edition.open_language(language).texts
        named = find_named_things(edition)
        for id_, scalar in names.items():
            section, _, key = id_.partition(".")
            if section == "names" and key in named:
                if len(scalar.value.split()) <= FACTS_FEW:
                    self.add(key, scalar.value)
                    self.join(key, scalar.value)
            elif section == "clauses" and key in edition.model.rules:
                self.add(f"rule {key}", scalar.value)
                self.join(f"rule {key}", scalar.value)
        self.of: dict[str, Facts] = {}
        many = Counter(stem for key, rows in self.words.items() if not key.startswith("rule ") for stem in rows)
        every = Counter(stem for rows in self.words.values() for stem in rows)
        # what tells a term from others: in `travel token` the word that fewer terms have
        self.telling: dict[str, frozenset[str]] = {
            key: frozenset(stem for stem in rows if seen[stem] == min(seen[other] for other in rows))
            for key, rows in self.words.items()
            if key
            for seen in [every if key.startswith("rule ") else many]
        }

    @staticmethod
    def fits(first: str, word: str) -> bool:
        return first[:2] == word[:2] or len(first) < 5

    def decline(self, grammar_: Grammar, word: str) -> None:
        """All forms of an adjective have its stem."""
        for ending, rows in grammar_.classes:
            if word.endswith(ending):
                base = word.removesuffix(ending)
                stem = self.strip(self.plain(word))
                for row in rows.values():
                    for end in row:
                        if end not in ("-", "*"):
                            self.forms.setdefault(self.plain(base + end), stem)
                return

    def plain(self, word: str) -> str:
        word = re.sub(r"['’ʼ`]", "'", word.lower()).removesuffix("'s")
        return "".join(self.alike.get(letter, letter) for letter in word)

    def strip(self, word: str) -> str:
        if len(word) > 2 and word[0] in self.begins:
            word = self.begins[0] + word[1:]
        for ending in self.endings:
            if word.endswith(ending) and len(word) - len(ending) >= FACTS_SHORT:
                word = word[: -len(ending)]
                break
        if self.fleeting is not None:
            word = self.fleeting.sub(r"\1\2", word)
        return word[:FACTS_STEM]

    def stem(self, word: str) -> str:
        word = self.plain(word)
        return self.forms.get(word) or self.strip(word)

    def add(self, key: str, text: str) -> None:
        for word in TOKEN.findall(text):
            if word.isdigit() or word.lower() in self.stops or len(word) < 3:
                continue
            stem = self.stem(word)
            self.keys[stem].add(key)
            self.words[key].setdefault(stem, word.lower())

    def join(self, key: str, text: str) -> None:
        """A term of two words."""
        words = [word for word in TOKEN.findall(text) if word.lower() not in self.stops]
        if len(words) == FACTS_FEW:
            self.joined[" ".join(map(self.stem, words))].add(key)

    def collect_stems(self, text: str) -> frozenset[str]:
        """The stems of the words of a term."""
        words = [word for word in TOKEN.findall(text) if word.lower() not in self.stops and len(word) >= FACTS_SHORT]
        return frozenset(map(self.stem, words))

    def count(self, text: str) -> Counter[str]:
        """How often each stem stands in a text."""
        return Counter(word if word.isdigit() else self.stem(word) for word in TOKEN.findall(text))

    def collect_facts(self, text: str) -> Facts:
        found = self.of.get(text)
        if found is None:
            found = self.of[text] = self.read(text)
        return found

    def read(self, text: str) -> Facts:
        bare = self.table.page.sub(" ", _NUMBERED.sub("«", text))
        stems: set[str] = set()
        terms: dict[str, str] = {}
        joined: dict[str, str] = {}
        pairs: list[tuple[str, str, str]] = []
        single: set[str] = set()
        extents: dict[str, dict[str, str]] = {extent: {} for extent in EXTENTS}
        open_: dict[str, tuple[str, int]] = {}  # extents that wait for their noun: the word, and how many words ago
        many: dict[str, str] = {}
        plurals: set[str] = set()
        alone: set[str] = set()
        held = False  # whether the word before is a part of a term of two words
        last, before = "", ""  # the stem and the word that stand before
        for place in TOKEN.finditer(bare):
            word = place[0]
            open_ = {extent: (said, ago + 1) for extent, (said, ago) in open_.items() if ago < FACTS_FEW}
            extent_ = self.table.extent.get(word.lower())
            if extent_ is not None:
                open_[extent_] = (word, 0)
            if word.isdigit():
                if last and not held:
                    alone.add(last)
                last, before, held = word, word, True
                continue
            stem = self.stem(word)
            both = any(not key.startswith("rule ") for key in self.joined.get(f"{last} {stem}", ()))
            if last and not held and not both:
                alone.add(last)
            held = both
            stems.add(stem)
            if stem in self.keys:
                terms.setdefault(stem, word)
                if self.plain(word) in self.plural:
                    plurals.add(stem)
                    if last not in self.keys:
                        many.setdefault(stem, word)
                else:
                    single.add(stem)
                for extent, (said, _) in open_.items() if extent_ is None else ():
                    extents[extent].setdefault(stem, f"{said} {word}")
                if stem in self.nouns and extent_ is None and bare[place.end() : place.end() + 1] != "-":
                    open_ = {}
            if last and not last.isdigit() and word.lower() not in self.stops and before.lower() not in self.stops:
                pairs.append((last, stem, f"{before} {word}"))
            if f"{last} {stem}" in self.joined:
                joined.setdefault(f"{last} {stem}", f"{before} {word}")
            last, before = stem, word
        if last and not held:
            alone.add(last)
        figures = self.known.figures(bare)
        digits, words, loose = (set(found) for found in figures)
        loose |= {
            self.table.numbers[word.lower()] for word in TOKEN.findall(bare) if word.lower() in self.table.numbers
        }
        bounds = self.find_bounds(bare)
        sides = {
            name: frozenset(side for side, words in rows.items() if words.search(bare))
            for name, rows in self.table.sides.items()
        }
        cannot = bool(self.table.cannot.search(bare))
        rest = self.table.cannot.sub(" ", bare)
        return Facts(
            text,
            frozenset(stems),
            terms,
            frozenset(digits | words),
            frozenset(loose),
            bounds,
            sides,
            bool(self.known.may.search(rest)),
            bool(self.known.must.search(rest)),
            cannot,
            self.find_modes(bare),
            len(self.table.no.findall(bare)),
            joined,
            frozenset(alone),
            tuple(pairs),
            extents,
            {stem: word for stem, word in many.items() if stem not in single},
            frozenset(plurals),
            self.find_notions(bare),
            self.find_amounts(bare),
            figures[0] + figures[1] + figures[2],
        )

    def find_notions(self, text: str) -> dict[str, str]:
        found = {name: words.search(text) for name, words in self.table.notions.items()}
        made = {name: match[0] for name, match in found.items() if match is not None}
        for word in TOKEN.findall(text):
            for verb in self.verbs.get(self.plain(word), ()):
                made.setdefault(verb, word)
        return made

    def find_modes(self, text: str) -> dict[str, int]:
        rest, free = self.table.free.subn(" ", self.table.aside.sub(" ", text))
        rest, cannot = self.table.cannot.subn(" ", rest)
        may = free + len(self.known.may.findall(rest)) + len(self.table.may.findall(rest))
        must = len(self.known.must.findall(rest)) + len(self.table.must.findall(rest))
        return {name: count for name, count in (("may", may), ("must", must), ("cannot", cannot)) if count}

    def find_amounts(self, text: str) -> dict[str, list[str]]:
        text = self.table.amounts["strip"].sub(" ", text)
        found = {name: words.findall(text) for name, words in self.table.amounts.items() if name != "strip"}
        return {name: words for name, words in found.items() if words}

    def find_bounds(self, text: str) -> frozenset[str]:
        text = self.table.bounds["strip"].sub(" ", text)
        found: set[str] = set()
        for name in ("from", "upto", "above", "below"):
            made = self.table.bounds[name].sub("\0", text)
            if made != text:
                found.add(name)
                text = made.replace("\0", "\u2009")
        return frozenset(found)

    def find_shared_keys(self, stem: str) -> frozenset[str]:
        """The keys of a stem that other languages may have."""
        return frozenset(key for key in self.keys.get(stem, ()) if key and stem in self.telling[key])

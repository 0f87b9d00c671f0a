"""The languages of a package: its texts, the words that card texts are made with, each card said in each language, and
beside it what was written by hand.

In: files of texts, cut into entries; the vocabulary; cards. Out: answers by language and by card, so that a changed
card is said and compared alone.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.declare.model import Definition
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, Span, is_one_letter_off
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import CardText, Paragraph, report_missing, span_of
from grimoire.compiler.localisation.text.lexicon import SECTIONS as WORDS
from grimoire.compiler.localisation.text.lexicon import load_grammar, load_words, read_lexicon
from grimoire.compiler.localisation.text.overrides import (
    SLIP_HINT,
    Facts,
    Modes,
    Pair,
    Reading,
    Slip,
    Spoken,
    Usual,
    find_slips,
    list_spoken_terms,
    modes_of,
    read_card,
    usual_terms,
)
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.text.texts import (
    FOLDER,
    SECTIONS,
    Language,
    Wanted,
    Worded,
    WordedVerb,
    check_texts,
    language_of,
    list_wanted_keys,
    read_texts,
)
from grimoire.compiler.records import copy_record, replace
from grimoire.compiler.source.tree import Mapping, Node
from grimoire.compiler.workspace import plain
from grimoire.compiler.workspace.asks import list_abilities, write_asks
from grimoire.compiler.workspace.content import content_asks, frame_word, parsed_card, vocabulary
from grimoire.compiler.workspace.declarations import card_word, cards_word, full_cards, manifest, section_of, used
from grimoire.compiler.workspace.engine import Database, Query, fresh_query, kept_query, query
from grimoire.compiler.workspace.plain import fingerprint_of, read_problems, write_problems
from grimoire.compiler.workspace.sources import (
    EntryReader,
    FileTree,
    Package,
    WorkspaceReader,
    content,
    file_tree,
    files_word,
    listing,
    same_tree,
)
from grimoire.runtime.plain_data import Json

Key = tuple[Package, str]  # a package and a language
HEADED: Final = ("terms", "verbs", "adjectives")  # sections of words whose headings are names
_WORDS_SHELF: Final = "words "  # what stands before the language of a shelf
_WORD_KEYS: Final = tuple(word.encode() for word in WORDS)


# ------------------------------------------------------------ texts


@query
def languages(db: Database, root: str) -> tuple[str, ...]:
    """The languages that a folder has files of."""
    found = (language_of(name) for name in listing(db, root).names)
    return tuple(dict.fromkeys(id_ for id_ in found if id_ is not None))


class Texts(NamedTuple):
    """The texts of a language in one folder, and what is wrong with its files."""

    language: Language
    problems: Diagnostics


@fresh_query
def language_texts(db: Database, key: tuple[str, str]) -> Texts:
    root, language = key
    diags = Diagnostics()
    return Texts(read_texts(Path(root), diags, EntryReader(db), language)[language], diags)


def texts_word(db: Database, root: str) -> str:
    return files_word(db, (root, FOLDER))


def write_rows(value: dict[str, str]) -> Json:
    return {**value}


def read_rows(value: Json) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("no rows")
    return {name: plain.text(row) for name, row in value.items()}


def language_word(db: Database, key: tuple[str, str]) -> str:
    """A word for the files of a language in a folder."""
    return fingerprint_of(key[1], files_word(db, (key[0], f"{FOLDER}{key[1]}")))


def shelf_of(db: Database, key: Hashable) -> str:
    """Where all is kept that is said and compared in a language."""
    assert isinstance(key, tuple)
    return f"{_WORDS_SHELF}{key[1]}"


def folder_texts(db: Database, root: str) -> dict[str, Language]:
    return {id_: language_texts(db, (root, id_)).language for id_ in languages(db, root)}


def reasons_word(db: Database, package: Package) -> str:
    return texts_word(db, package.root)


def write_wanted(value: dict[str, Wanted]) -> Json:
    return {name: [{**row.must}, {**row.may}, sorted(row.results), sorted(row.from_)] for name, row in value.items()}


def read_wanted(value: Json) -> dict[str, Wanted]:
    if not isinstance(value, dict) or value.keys() != {*SECTIONS}:
        raise ValueError("no sections")
    found: dict[str, Wanted] = {}
    for name, row in value.items():
        must, may, results, from_ = plain.rows(row, 4)
        needed, allowed = ({key: plain.number(count) for key, count in plain.names(one)} for one in (must, may))
        found[name] = Wanted(needed, allowed, plain.read_texts(results), plain.read_texts(from_))
    return found


def wanted_word(db: Database, package: Package) -> str:
    asked = json.dumps([write_asks(asks) for asks in content_asks(db, package)])
    return fingerprint_of(frame_word(db, package), asked, sorted(worded_reasons(db, package)))


@kept_query(wanted_word, write_wanted, read_wanted)
def wanted(db: Database, package: Package) -> dict[str, Wanted]:
    """The keys that texts must have and may have."""
    every, words = content_asks(db, package), vocabulary(db, package)
    assert words is not None
    model = words.model
    columns = [(row.id, row.printed is not None) for row in words.vocabulary.column_rows]
    columns += [(id_, False) for asks in every for id_ in asks.columns]
    verbs = model.verbs.values()
    worded = Worded(
        model.id,
        list(model.things),
        [*model.counters, *(id_ for asks in every for id_ in asks.variables)],
        list(model.kinds),
        list(model.definitions),
        list(model.zones),
        [(option.id, option.values) for option in model.options.values()],
        columns,
        [WordedVerb(verb.id, len(verb.params), verb.procedure) for verb in verbs],
        [verb.id for verb in verbs if verb.told and verb.result is not None],
        [question for asks in every for question in reversed(asks.menus)],
        list_abilities(every),
        [source for asks in every for source in asks.sources],
        [(clause.id, clause.package or model.id) for clause in model.clauses.values()],
    )
    found = list_wanted_keys(worded)
    may, said = found["reasons"].may, worded_reasons(db, package)
    if said <= may.keys():  # every clause can be a reason: those that nobody words do not count
        found["reasons"].may = {reason: 0 for reason in may if reason in said}
    return found


@kept_query(reasons_word, plain.write_texts, plain.read_texts)
def worded_reasons(db: Database, package: Package) -> frozenset[str]:
    """The reasons that a package has words for in some language."""
    return frozenset(key for one in folder_texts(db, package.root).values() for key in one.texts["reasons"])


@kept_query(texts_word, write_problems, read_problems)
def text_files_problems(db: Database, root: str) -> tuple[Diagnostic, ...]:
    """What is wrong with the files of texts of a folder, whatever the content is."""
    diags = Diagnostics()
    for id_ in languages(db, root):
        diags.extend(language_texts(db, (root, id_)).problems)
    return tuple(diags.sorted())


def text_problems_word(db: Database, package: Package) -> str:
    listed = manifest(db, package.root).manifest
    assert listed is not None
    keys = json.dumps(write_wanted(wanted(db, package)))
    return fingerprint_of(listed.languages, keys, *(texts_word(db, f) for f in (*package.needs, package.root)))


@kept_query(text_problems_word, write_problems, read_problems)
def text_problems(db: Database, package: Package) -> tuple[Diagnostic, ...]:
    """What is wrong with the texts of a package when neither the content nor a file of texts has errors."""
    listed = manifest(db, package.root).manifest
    assert listed is not None
    diags = Diagnostics()
    own = folder_texts(db, package.root)
    below = [folder_texts(db, folder) for folder in package.needs]

    def keys() -> dict[str, Wanted]:
        return {section: copy_record(row) for section, row in wanted(db, package).items()}

    check_texts(Path(package.root), own, below, listed, keys, diags)
    return tuple(diags.sorted())


# ------------------------------------------------------------ words


def _words(db: Database, path: str) -> FileTree:
    found = file_tree(db, path)
    if not isinstance(found.tree, Mapping):
        return found
    rows = tuple(row for row in found.tree.entries if row[0].value in WORDS)
    entries = tuple(entry for entry in found.entries if section_of(entry.path) in WORDS)
    return FileTree(replace(found.tree, entries=rows), entries, found.problems)


word_tree = Query[str, FileTree]("word_tree", _words, same_tree)


class _WordReader(WorkspaceReader):
    """Reads of files of texts only the words."""

    def load_file(self, path: Path, diags: Diagnostics, *, name: str | None = None) -> Node | None:
        if not has_words(content(self.db, str(path)).data or b""):
            return None
        found = word_tree(self.db, str(path))
        diags.extend(found.problems)
        return found.tree


@query
def words_word(db: Database, key: Key) -> str:
    """A word for all that the texts of cards in a language are made with."""
    package, language = key
    parts: list[bytes | str] = [language, frame_word(db, package)]
    for folder in (*package.needs, package.root):
        for name in listing(db, folder).names:
            if language_of(name) == language:
                data = content(db, str(Path(folder) / name)).data or b""
                parts += (name, data) if has_words(data) else ()
    return fingerprint_of(*parts)


def has_words(data: bytes) -> bool:
    """Whether a file of texts has words to generate texts with, or for the glossary."""
    return any(data.startswith(b"%s:" % word) or b"\n%s:" % word in data for word in _WORD_KEYS)


class Words(NamedTuple):
    """The words of a language; None if nobody has begun to word it."""

    lexicon: Lexicon | None
    problems: tuple[Diagnostic, ...]


@fresh_query
def words(db: Database, key: Key) -> Words:
    package, language = key
    found = vocabulary(db, package)
    if found is None or language not in WORDED:
        return Words(None, ())
    diags = Diagnostics()
    folders = [Path(folder) for folder in (*package.needs, package.root)]
    lexicon = read_lexicon(folders, found.model, language, diags, _WordReader(db))
    return Words(lexicon, tuple(diags.sorted()))


class WordFacts(NamedTuple):
    """What is known of the words of a language without reading them again."""

    are_there: bool
    problems: tuple[Diagnostic, ...]
    common: frozenset[str]  # terms that every game has


def write_word_facts(facts: WordFacts) -> Json:
    return [facts.are_there, write_problems(facts.problems), sorted(facts.common)]


def read_word_facts(value: Json) -> WordFacts:
    are_there, problems, common = plain.rows(value, 3)
    return WordFacts(are_there is True, read_problems(problems), frozenset(plain.texts(common)))


@kept_query(words_word, write_word_facts, read_word_facts, shelf=shelf_of)
def word_facts(db: Database, key: Key) -> WordFacts:
    found, reads = words(db, key), reading(db, key)
    return WordFacts(found.lexicon is not None, found.problems, frozenset() if reads is None else reads.plain)


@fresh_query
def speaker(db: Database, key: Key) -> CardText | None:
    """Who says the cards of a package in a language, if it has words."""
    found, lexicon = vocabulary(db, key[0]), words(db, key).lexicon
    return None if found is None or lexicon is None else CardText(found.model, load_grammar(key[1]), lexicon)


# ------------------------------------------------------------ cards said


@fresh_query
def rule_cards(db: Database, package: Package) -> dict[str, Definition]:
    """Kinds and rules that are said as cards are."""
    found = vocabulary(db, package)
    assert found is not None
    return {one.id: one for one in CardText.rules_as_cards(found.model)}


def subject(db: Database, package: Package, name: str) -> Definition | None:
    """What is said under a name: a card, a kind whose cards all have an ability, an ability of the game."""
    found = parsed_card(db, (package, name))
    return found.card if found is not None else rule_cards(db, package).get(name)


def subjects_word(db: Database, key: Key) -> str:
    return fingerprint_of(words_word(db, key), full_cards(db, key[0]))


@kept_query(
    subjects_word,
    lambda value: [list(row) for row in value],
    lambda value: tuple(map(_pair, plain.rows(value))),
    shelf=shelf_of,
)
def subjects(db: Database, key: Key) -> tuple[tuple[str, str], ...]:
    """All names under which something is said, in order, each with the package that it is of."""
    found, says = vocabulary(db, key[0]), speaker(db, key)
    assert found is not None and says is not None
    full = set(full_cards(db, key[0]))
    cards = [one for one in found.model.definitions.values() if one.id in full or says.row(one) is not None]
    return tuple((one.id, one.package) for one in (*cards, *rule_cards(db, key[0]).values()))


def _pair(value: Json) -> tuple[str, str]:
    one, other = plain.texts(value)
    return one, other


def said_word(db: Database, key: tuple[Package, str, str]) -> str:
    """A word for all that a card in a language hangs on."""
    package, language, name = key
    return fingerprint_of(words_word(db, (package, language)), card_word(db, (package, name)))


def write_said(value: tuple[Said, ...]) -> Json:
    return [[one.part, one.text, [list(row) for row in one.missing], plain.write_span(one.span)] for one in value]


def read_said(value: Json) -> tuple[Said, ...]:
    found: list[Said] = []
    for part, text, missing, span in (plain.rows(one, 4) for one in plain.rows(value)):
        lost = tuple(_pair(row) for row in plain.rows(missing))
        found.append(Said(plain.text(part), plain.text(text), lost, plain.read_span(span)))
    return tuple(found)


class Said(NamedTuple):
    """A part of a card in a language."""

    part: str
    text: str
    missing: tuple[tuple[str, str], ...]
    span: Span


@fresh_query
def paragraphs(db: Database, key: tuple[Package, str, str]) -> tuple[Paragraph, ...] | None:
    """What a card says in a language, if its texts can be read."""
    package, language, name = key
    says, card = speaker(db, (package, language)), subject(db, package, name)
    return None if says is None or card is None or not is_readable(card) else tuple(says.paragraphs(card))


@kept_query(said_word, write_said, read_said, shelf=shelf_of)
def said(db: Database, key: tuple[Package, str, str]) -> tuple[Said, ...]:
    """A card in a language, part by part."""
    card, parts = subject(db, key[0], key[2]), paragraphs(db, key)
    if card is None or parts is None:
        return ()
    return tuple(Said(part.part, part.text, tuple(sorted(part.missing)), span_of(card, part)) for part in parts)


def is_readable(card: Definition) -> bool:
    """Whether all texts of a card could be parsed."""
    abilities = [
        text for a in card.abilities.values() for text in (a.window, *a.other_windows, a.only, a.limit, a.do, a.always)
    ]
    return all(text.ok for text in (*card.programs.values(), *abilities) if text is not None)


# ------------------------------------------------------------ written by hand


@fresh_query
def reading(db: Database, key: Key) -> Reading | None:
    says = speaker(db, key)
    return None if says is None else Reading(says)


@fresh_query
def pair(db: Database, key: tuple[Package, str, str]) -> Pair | None:
    """What a text of a card in a language is compared with."""
    package, language, name = key
    reads, card, parts = reading(db, (package, language)), subject(db, package, name), paragraphs(db, key)
    if reads is None or card is None or parts is None:
        return None
    return read_card(reads, card, parts, modes(db, (package, name)))


@query
def modes(db: Database, key: tuple[Package, str]) -> Modes:
    """What the effects of a card leave open."""
    card = subject(db, *key)
    assert card is not None
    return modes_of(card)


@kept_query(language_word, write_rows, read_rows, shelf=shelf_of)
def written_texts(db: Database, key: tuple[str, str]) -> dict[str, str]:
    """What was written for cards by hand, in a folder and a language."""
    if key[1] not in languages(db, key[0]):
        return {}
    return {name: row.value for name, row in language_texts(db, key).language.texts["cards"].items()}


@query
def written(db: Database, key: tuple[str, str, str]) -> str:
    """What was written for a card by hand, in a folder and a language."""
    return written_texts(db, key[:2])[key[2]]


@fresh_query
def written_facts(db: Database, key: tuple[Package, str, str]) -> Facts:
    package, language, name = key
    reads = reading(db, (package, language))
    assert reads is not None
    return reads.facts(written(db, (package.root, language, name)))


@query
def written_keys(db: Database, key: tuple[str, str]) -> tuple[str, ...]:
    return tuple(written_texts(db, key))


@query
def meant(db: Database, key: Key) -> tuple[tuple[str, str], ...]:
    """The keys of texts written by hand, each with the card that it is for."""
    package, language = key
    names = [name for name, _ in subjects(db, key)]
    there = set(names)
    found: list[tuple[str, str]] = []
    for written_key in written_keys(db, (package.root, language)):
        exact = written_key if written_key in there and not any(sign in written_key for sign in "*?[") else None
        name = exact or next((one for one in names if fnmatchcase(one, written_key)), None)
        if name is not None:
            found.append((written_key, name))
    return tuple(found)


@query
def meant_by_card(db: Database, key: Key) -> dict[str, tuple[str, ...]]:
    """The same keys, by card."""
    found: dict[str, tuple[str, ...]] = {}
    for written_key, name in meant(db, key):
        found[name] = (*found.get(name, ()), written_key)
    return found


@query
def meant_for(db: Database, key: tuple[Package, str, str]) -> tuple[str, ...]:
    """The keys of the texts written by hand for a card."""
    return meant_by_card(db, key[:2]).get(key[2], ())


@query
def usual(db: Database, key: Key) -> Usual:
    """What the texts of a language written by hand do everywhere."""
    package, language = key
    rows = (spoken(db, (package, language, written_key, name)) for written_key, name in meant(db, key))
    return usual_terms([row for row in rows if row is not None], word_facts(db, key).common)


def spoken_word(db: Database, key: tuple[Package, str, str, str]) -> str:
    """A word for all that a text written by hand and what it is compared with hang on."""
    package, language, written_key, name = key
    return fingerprint_of(said_word(db, (package, language, name)), written(db, (package.root, language, written_key)))


def write_spoken(value: Spoken | None) -> Json:
    return [] if value is None else [sorted(row) for row in value]


def read_spoken(value: Json) -> Spoken | None:
    return None if value == [] else Spoken(*(frozenset(plain.texts(row)) for row in plain.rows(value, 3)))


@kept_query(spoken_word, write_spoken, read_spoken, shelf=shelf_of)
def spoken(db: Database, key: tuple[Package, str, str, str]) -> Spoken | None:
    """The terms of a text written by hand and of the effect of its card."""
    package, language, written_key, name = key
    beside = pair(db, (package, language, name))
    if beside is None:
        return None
    return list_spoken_terms(beside.effect, beside.printed, written_facts(db, (package, language, written_key)))


@query
def usual_word(db: Database, key: Key) -> str:
    return fingerprint_of(*(sorted(terms) for terms in usual(db, key)))


def slips_word(db: Database, key: tuple[Package, str, str, str]) -> str:
    return fingerprint_of(spoken_word(db, key), usual_word(db, key[:2]))


@kept_query(
    slips_word,
    lambda value: [list(row) for row in value],
    lambda value: tuple(Slip(*_pair(row)) for row in plain.rows(value)),
    shelf=shelf_of,
)
def slips(db: Database, key: tuple[Package, str, str, str]) -> tuple[Slip, ...]:
    """Where a text written by hand says something else than the effect of a card."""
    package, language, written_key, name = key
    beside = pair(db, (package, language, name))
    if beside is None:
        return ()
    facts = written_facts(db, (package, language, written_key))
    text = written(db, (package.root, language, written_key))
    return tuple(find_slips(beside, facts, text, usual(db, (package, language))))


def word_problems_word(db: Database, key: Key) -> str:
    """A word for all that what is said and compared in a language hangs on."""
    package, language = key
    own = manifest(db, package.root).manifest
    assert own is not None
    parts = (words_word(db, key), language_word(db, (package.root, language)), cards_word(db, package))
    return fingerprint_of(own.id, *parts)


@kept_query(word_problems_word, write_problems, read_problems, covers=shelf_of)
def word_problems(db: Database, key: Key) -> tuple[Diagnostic, ...]:
    """What the texts of the cards cannot be generated for, and texts written by hand that say something else."""
    package, language = key
    found, own = word_facts(db, key), manifest(db, package.root).manifest
    assert own is not None
    diags = Diagnostics(found.problems)
    if not found.are_there:
        return tuple(diags.sorted())
    told: set[tuple[str, str]] = set()
    for span, wrong, right in useless_headings(db, key):
        told |= {("term", right), ("verb", right), ("adjective", right)}
        message = f"{wrong} has the words of nothing that the package has"
        diags.add(
            "G0902",
            span,
            f"{message}: did you mean {right}?" if right else message,
            f"write {right}" if right else "take it out",
        )
    for name, owner in subjects(db, key):
        if owner != own.id:
            continue
        for part in said(db, (package, language, name)):
            for sort, word in part.missing:
                if (sort, word) not in told:
                    told.add((sort, word))
                    report_missing(sort, word, language, name, part.span, diags)
    for _, name in meant(db, key):
        diags.extend(slip_problems(db, (package, language, name)))
    return tuple(diags.sorted())


@fresh_query
def useless_headings(db: Database, key: Key) -> tuple[tuple[Span, str, str], ...]:
    """Headings of words that nothing is called by: where they stand, what they say, and the name without words that is
    one letter off."""
    package, language = key
    found = vocabulary(db, package)
    if found is None or language not in languages(db, package.root):
        return ()
    spans = language_texts(db, (package.root, language)).language.words
    headed = {heading.partition(".")[2] for heading in spans}
    names = found.model.list_names()
    free = sorted(names - headed)
    lexicon = words(db, key).lexicon
    known = names | used(db, package).words | {word for heading in load_words(language) for word in heading.split()}
    if lexicon is not None:
        known |= {verb.result for verb in lexicon.verbs.values()}
    out: list[tuple[Span, str, str]] = []
    for heading, span in spans.items():
        section, _, name = heading.partition(".")
        if section in HEADED and " " not in name and name not in known:
            meant = next((one for one in free if is_one_letter_off(name, one)), None)
            out.append((span, heading, meant or ""))
    return tuple(out)


@query
def slip_problems(db: Database, key: tuple[Package, str, str]) -> tuple[Diagnostic, ...]:
    """What the texts of a card written by hand say otherwise than its effects."""
    package, language, name = key
    diags = Diagnostics()
    for written_key in meant_for(db, key):
        for slip in slips(db, (package, language, written_key, name)):
            span = language_texts(db, (package.root, language)).language.texts["cards"][written_key].span
            diags.add(slip.code, span, f"the text of {written_key}: {slip.message}", SLIP_HINT)
    return tuple(diags.sorted())

"""The strings of a package as a localiser sees them: ids, texts by language, and what each translation was made from.

In: a package folder and those it needs. Out: `Edition`: for each language its strings with their places, the strings
that it should have, and their state. Beside the texts stands l10n/<language>.yaml: the hash of the source text that
each translation was made from, so that a translation whose source has changed is known to be old.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, NamedTuple

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import load_grammar
from grimoire.compiler.localisation.text.patterns import Lexicon
from grimoire.compiler.localisation.text.texts import SECTIONS, Language, list_wanted_keys, list_worded
from grimoire.compiler.localisation.translation.records import make_string_id, read_record, write_record
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.reader import SourceReader
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.telling import WrongUse, list_names, make_printable
from grimoire.runtime.core.reading import read_artefact
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.plain_data import Document

State = Literal["translated", "fuzzy", "missing"]
Standing = Literal["new", "accepted", "changed"]
UPCOMING: Final = ".upcoming"  # a sentence of the log before it has happened
FLAVOUR: Final = "flavour"
STATES: Final = ("translated", "fuzzy", "missing")


def split_id(id_: str) -> tuple[str, str]:
    section, _, key = id_.partition(".")
    return section, key


def hash_source(text: str) -> str:
    """What a translation remembers of the text it was made from."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class Strings(NamedTuple):
    """One language of a package: its texts by id, in the order of the files."""

    language: str
    texts: dict[str, Scalar]

    def text(self, id_: str) -> str | None:
        found = self.texts.get(id_)
        return None if found is None else found.value


class Edition:
    """All languages of one package."""

    def __init__(
        self,
        folders: Sequence[Path],
        manifest: Manifest,
        model: PackageModel,
        artefact: Document,
        texts: Sequence[dict[str, Language]],
        lexicon: Callable[[str], Lexicon | None],
        reader: SourceReader,
    ) -> None:
        """`folders` and their `texts`: those of the package itself are the last. `lexicon` gives the words of a
        language, `reader` whatever else is wanted of the files."""
        *self.needs, self.root = folders
        self.lexicon = lexicon
        self.reader = reader
        self.manifest = manifest
        self.model = model
        self.artefact = artefact
        self.id = manifest.id
        self.version = str(manifest.version)
        self.languages = tuple(manifest.languages)
        self.keys = list_wanted_keys(list_worded(self.program))
        self.wanted = {
            make_string_id(section, key): section for section, rows in self.keys.items() for key in rows.must
        }
        self.known = {make_string_id(section, key) for section, rows in self.keys.items() for key in rows.list_known()}
        self.strings = _list_strings(texts[-1])
        self.wanted |= dict.fromkeys(self._list_flavoured(), FLAVOUR)
        self.below: dict[str, set[str]] = {}
        for languages in texts[:-1]:
            for id_, strings in _list_strings(languages).items():
                self.below.setdefault(id_, set()).update(strings.texts)
        self.records = {language: read_record(self.root, language, reader) for language in self.languages}

    @cached_property
    def program(self) -> Artefact:
        """The artefact as records, for those who look into programs."""
        return read_artefact(self.artefact)

    def _list_flavoured(self) -> list[str]:
        """The flavour that some language has: all should."""
        there = {id_ for strings in self.strings.values() for id_ in strings.texts if split_id(id_)[0] == FLAVOUR}
        patterns = _compile_patterns(there)
        cards = [make_string_id(FLAVOUR, card) for card in self.model.definitions]
        return [id_ for id_ in cards if id_ in there or any(pattern.match(id_) for pattern in patterns)]

    def make_card_text(self, language: str) -> CardText | None:
        """Who says the cards of the package in a language, if it has words."""
        lexicon = self.lexicon(language)
        return None if lexicon is None else CardText(self.model, load_grammar(language), lexicon)

    def open_language(self, language: str) -> Strings:
        """The strings of a language; one that the manifest does not list is wrong use."""
        if language not in self.languages:
            there = f"{self.id} has no language '{make_printable(language)}': {list_names(self.languages)}"
            raise WrongUse(f"{there}; a new one is added to languages in {self.root.as_posix()}/package.yaml")
        return self.strings.get(language) or Strings(language, {})

    def choose_source(self, given: str | None) -> str:
        """The source language: as given, or the first of the manifest."""
        language = given or self.languages[0]
        self.open_language(language)
        return language

    def list_ids(self, language: str, source: str) -> list[str]:
        """What a language should have: what must have a text, what the source has, and what it has itself."""
        own, other = self.open_language(language).texts, self.open_language(source).texts
        below, stray = self.below.get(language, set()), set(self.list_stray(language, source))
        patterns, asked = _compile_patterns([*own, *below]), _compile_patterns(other)
        found: dict[str, None] = {}
        for id_ in [*other, *self.wanted, *own]:
            if id_ in stray:
                continue
            if id_ in own:
                found[id_] = None
            elif id_ in below or any(pattern.match(id_) for pattern in patterns) or self._is_spelled_out(id_, own):
                continue
            elif id_ in self.wanted and "*" not in id_:
                # what a pattern of the source stands for is asked for once, as the pattern
                if language == source or not any(pattern.match(id_) for pattern in asked) or id_ in other:
                    found[id_] = None
            elif id_ in other:
                found[id_] = None
        return sorted(found, key=self._order(source))

    def list_more(self, language: str, source: str) -> set[str]:
        """What a language words of its own accord: nothing asks for it, and the source does with fewer words."""
        own, other = self.open_language(language).texts, self.open_language(source).texts
        asked = _compile_patterns(other)
        return {
            id_
            for id_ in own
            if id_ not in other
            and id_ not in self.wanted
            and self.is_known(id_, source)
            and not any(pattern.match(id_) for pattern in asked)
        }

    def list_stray(self, language: str, source: str) -> list[str]:
        """What a language has a text for, and the package has no longer."""
        return [id_ for id_ in self.open_language(language).texts if "*" not in id_ and not self.is_known(id_, source)]

    def _is_spelled_out(self, id_: str, own: Iterable[str]) -> bool:
        """Whether a language names one by one what a pattern of the source stands for."""
        if "*" not in id_:
            return False
        pattern = _compile_patterns([id_])[0]
        wanted = [other for other in self.wanted if pattern.match(other)]
        return bool(wanted) and set(wanted) <= set(own)

    def _order(self, source: str) -> Callable[[str], tuple[int, int, str]]:
        places = {id_: at for at, id_ in enumerate(self.open_language(source).texts)}
        sections = {section: at for at, section in enumerate(SECTIONS)}
        return lambda id_: (sections.get(split_id(id_)[0], 99), places.get(id_, len(places)), id_)

    def is_known(self, id_: str, source: str) -> bool:
        """Whether there is a string of this id: the source has it, or a language may have it."""
        section, key = split_id(id_)
        if id_ in self.known or id_ in self.open_language(source).texts:
            return True
        return section in self.keys and make_string_id(section, self.keys[section].plain(key)) in self.known

    def read_source_text(self, id_: str, source: str) -> str | None:
        """What a string says in the source language; where that has one wording for several cases, the one it falls
        back to."""
        strings = self.open_language(source)
        found = strings.text(id_)
        section, key = split_id(id_)
        if found is None and section in self.keys:
            found = strings.text(make_string_id(section, self.keys[section].plain(key).removesuffix(UPCOMING)))
        return found

    def find_source_hash(self, id_: str, language: str, source: str) -> str | None:
        """The hash of the source text that a translation was made from, if it is known."""
        return self.records[language].get(source, {}).get(id_, "").partition(" ")[0] or None

    def list_silent(self, language: str, source: str) -> list[str]:
        """What a language lacks, and the source does not tell on purpose."""
        own, other = self.open_language(language), self.open_language(source)
        return [id_ for id_ in self.list_ids(language, source) if own.text(id_) is None and other.text(id_) == ""]

    def find_state(self, id_: str, language: str, source: str) -> State:
        if id_ not in self.open_language(language).texts:
            return "missing"
        text = self.open_language(source).text(id_)
        if language == source or text is None:
            return "translated"
        known = self.records[language].get(source, {}).get(id_)
        return "translated" if known is None or known.partition(" ")[0] == hash_source(text) else "fuzzy"

    def find_standing(self, id_: str, language: str, source: str, text: str) -> Standing:
        """Whether somebody has accepted just this translation of just this source, or another one."""
        hash_, _, translation = self.records[language].get(source, {}).get(id_, "").partition(" ")
        if not translation:
            return "new"
        same = hash_ == hash_source(self.open_language(source).text(id_) or "") and translation == hash_source(text)
        return "accepted" if same else "changed"

    def is_recorded(self, id_: str, language: str, source: str) -> bool:
        """Whether it is known what a translation was made from."""
        return (
            language == source
            or self.open_language(source).text(id_) is None
            or id_ in self.records[language].get(source, {})
        )

    def list_spare(self, language: str, source: str) -> list[str]:
        """Records of strings that are no longer there."""
        return [id_ for id_ in self.records[language].get(source, {}) if id_ not in self.open_language(language).texts]


def _list_strings(languages: dict[str, Language]) -> dict[str, Strings]:
    """The strings of a folder by language."""
    return {
        id_: Strings(
            id_,
            {make_string_id(section, key): text for section in SECTIONS for key, text in part.texts[section].items()},
        )
        for id_, part in languages.items()
    }


def _compile_patterns(ids: Iterable[str]) -> list[re.Pattern[str]]:
    return [re.compile(re.escape(id_).replace(r"\*", ".+") + r"\Z") for id_ in ids if "*" in id_]


# --- records ----------------------------------------------------------------------------------------------------------


def accept_translations(edition: Edition, language: str, source: str, ids: Iterable[str] | None) -> int:
    """Record that translations stand for the source as it is now; records of what is no longer there go. How many
    changed."""
    own, other = edition.open_language(language).texts, edition.open_language(source).texts
    record = {name: dict(rows) for name, rows in edition.records[language].items()}
    rows = record.setdefault(source, {})
    changed = 0
    for id_ in own if ids is None else ids:
        if id_ in own and id_ in other:
            hash_ = f"{hash_source(other[id_].value)} {hash_source(own[id_].value)}"
            changed += rows.get(id_) != hash_
            rows[id_] = hash_
    for id_ in edition.list_spare(language, source):
        del rows[id_]
        changed += 1
    if changed:
        write_record(edition.root, language, record)
        edition.records[language] = record
    return changed

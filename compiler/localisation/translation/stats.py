"""How far the translation of packages is: by language, kind, section and package.

In: editions. Out: plain data for `l10n stats`. The card texts that are generated from effects count as strings of their
own: one is translated if all words for it are there, and missing if any is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import span_of
from grimoire.compiler.localisation.translation.strings import STATES, Edition, split_id
from grimoire.compiler.records import field, record
from grimoire.runtime.plain_data import Json

GENERATED: Final = "generated"
KINDS: Final = {
    "title": "names",
    "names": "names",
    "clauses": "rules",
    "headings": "rules",
    "cards": "cards",
    "flavour": "cards",
    GENERATED: "cards",
    "prompts": "prompts",
    "choices": "prompts",
    "reasons": "prompts",
    "log": "log",
}
Row = dict[str, int]


@record()
class LanguageStats:
    """The counts of one language, in a package or in several."""

    whole: Row
    unrecorded: int = 0
    more: int = 0
    kinds: dict[str, Row] = field(default_factory=dict)
    sections: dict[str, Row] = field(default_factory=dict)
    packages: dict[str, LanguageStats] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        found: dict[str, Json] = {
            **self.whole, "unrecorded": self.unrecorded, "more": self.more, "kinds": self.kinds,
            "sections": self.sections,
        }  # fmt: skip
        if self.packages:
            found["packages"] = {package: row.to_json() for package, row in self.packages.items()}
        return found


def count_strings(edition: Edition, source: str) -> dict[str, LanguageStats]:
    """By language: how many strings are translated, fuzzy and missing; the same by kind and section; how many have no
    record, and how many a language has beyond those that are counted."""
    out: dict[str, LanguageStats] = {}
    for language in edition.languages:
        whole = _make_row()
        sections: dict[str, Row] = {}
        kinds: dict[str, Row] = {}
        unrecorded = 0
        more = edition.list_more(language, source)
        for id_ in edition.list_ids(language, source):
            if id_ in more:
                continue
            state = edition.find_state(id_, language, source)
            section = split_id(id_)[0]
            _count(
                state, whole, sections.setdefault(section, _make_row()), kinds.setdefault(KINDS[section], _make_row())
            )
            unrecorded += state != "missing" and not edition.is_recorded(id_, language, source)
        for said, count in count_generated(edition, language, source).items():
            rows = (whole, sections.setdefault(GENERATED, _make_row()), kinds.setdefault(KINDS[GENERATED], _make_row()))
            _count(said, *rows, count=count)
        out[language] = LanguageStats(whole, unrecorded, len(more), kinds, sections)
    return out


def count_generated(edition: Edition, language: str, source: str) -> dict[str, int]:
    """How many of the generated card texts can be said in a language, and how many want words."""
    if language not in WORDED or source not in WORDED:
        return {}
    if edition.lexicon(source) is None:
        return {}  # the package has no words: its cards have no generated texts
    says = edition.make_card_text(language)
    if says is None:
        return {"missing": sum(count_generated(edition, source, source).values())}
    own = edition.root.resolve()
    parts = [
        part
        for card in says.cards()
        for part in says.paragraphs(card)
        if Path(span_of(card, part).file).resolve().is_relative_to(own)
    ]
    missing = sum(bool(part.missing) for part in parts)
    return {state: count for state, count in (("translated", len(parts) - missing), ("missing", missing)) if count}


def sum_stats(found: Iterable[tuple[str, dict[str, LanguageStats]]]) -> dict[str, LanguageStats]:
    """The stats of several packages: sums by language, and each package apart."""
    out: dict[str, LanguageStats] = {}
    for package, languages in found:
        for language, row in languages.items():
            sums = out.setdefault(language, LanguageStats(_make_row()))
            sums.unrecorded += row.unrecorded
            sums.more += row.more
            _add(sums.whole, row.whole)
            for parts, of in ((sums.kinds, row.kinds), (sums.sections, row.sections)):
                for name, counts in of.items():
                    _add(parts.setdefault(name, _make_row()), counts)
            sums.packages[package] = row
    return out


def _add(sums: Row, counts: Row) -> None:
    for name, count in counts.items():
        sums[name] += count


def _make_row() -> Row:
    return dict.fromkeys(("total", *STATES), 0)


def _count(state: str, *rows: Row, count: int = 1) -> None:
    for row in rows:
        row["total"] += count
        row[state] += count

"""The glossary of a package as a file for translators: CSV or TBX.

In: an edition. Out: rows of nouns with all their forms, of verbs, of adjectives, of phrases, of names and of the titles
of the rules, and a file of them. The TBX has the structure of TBX-Basic (ISO 30042); animacy is a note of the term, and
its forms stand in a note, for which TBX has no field.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.files import write_file
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.inflect import NUMBERS, Term
from grimoire.compiler.localisation.text.lexicon import Reader
from grimoire.compiler.localisation.translation.strings import Edition, split_id
from grimoire.compiler.telling import WrongUse

CASES: Final = ("nom", "gen", "dat", "acc", "ins", "loc")
MOODS: Final = ("inf", "imp", "sg", "pl", "you", "past", "done")
NOUN, VERB, ADJECTIVE, PHRASE, NAME, TITLE = "noun", "verb", "adjective", "phrase", "name", "rule"
_SPEECH: Final = {
    NOUN: "noun",
    VERB: "verb",
    ADJECTIVE: "adjective",
    PHRASE: "other",
    NAME: "properNoun",
    TITLE: "other",
}
_GENDERS: Final = {"m": "masculine", "f": "feminine", "n": "neuter"}
Row = dict[str, str]


def list_glossary(edition: Edition) -> list[Row]:
    """One row for each term and language: id, part, language, term, gender, animate, forms by number and case, or by
    mood."""
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for language in edition.languages:
        rows = list(_iterate_words(edition, language)) if language in WORDED else []
        for row in [*rows, *_iterate_names(edition, language)]:
            found.setdefault((row["part"], row["id"]), {})[language] = {**row, "language": language}
    for part, id_ in [key for key in found if key[0] == NAME and (NOUN, key[1]) in found]:
        for language, row in found.pop((part, id_)).items():  # a name where others have all the forms
            found[NOUN, id_].setdefault(language, {**row, "part": NOUN, "animate": ""})
    order = (NOUN, VERB, ADJECTIVE, PHRASE, NAME, TITLE)
    keys = sorted(found, key=lambda key: order.index(key[0]))
    return [found[key][language] for key in keys for language in edition.languages if language in found[key]]


def _iterate_words(edition: Edition, language: str) -> Iterator[Row]:
    reader = Reader(language, Diagnostics(), edition.reader)
    reader.read([*edition.needs, edition.root])
    if reader.found:
        yield from [*_iterate_nouns(reader, reader.terms), *_iterate_verbs(reader), *_iterate_adjectives(reader)]
    yield from _iterate_nouns(reader, reader.glossary)
    for key, text in reader.phrases.items():
        yield {"id": key, "part": PHRASE, "term": text}


def _iterate_nouns(reader: Reader, terms: Mapping[str, Term]) -> Iterator[Row]:
    cases = reader.grammar.cases
    for key, term in terms.items():
        if not term.forms:
            continue
        row: Row = {"id": key, "part": NOUN}
        row["term"] = reader.grammar.noun(term, cases[0], "sg" if "sg" in term.forms else "pl")
        row["gender"] = term.gender if len(cases) > 1 and "sg" in term.forms else ""
        row["animate"] = "yes" if term.animate else ""
        for number in term.forms:
            row |= {f"{case}.{number}": reader.grammar.noun(term, case, number) for case in cases}
        yield row


def _iterate_verbs(reader: Reader) -> Iterator[Row]:
    for key, verb in reader.verbs.items():
        forms = {mood: form for mood, form in verb.forms.items() if mood in MOODS}
        if forms:
            yield {"id": key, "part": VERB, "term": forms.get("inf") or next(iter(forms.values())), **forms}


def _iterate_adjectives(reader: Reader) -> Iterator[Row]:
    for key, word in reader.adjectives.items():
        if word:
            yield {"id": key, "part": ADJECTIVE, "term": word}


def _iterate_names(edition: Edition, language: str) -> Iterator[Row]:
    for id_, text in edition.open_language(language).texts.items():
        section, key = split_id(id_)
        if not text.value or "*" in text.value:
            continue
        if section == "names":
            yield {"id": key, "part": NAME, "term": text.value}
        elif section == "clauses" and key in edition.model.rules:
            yield {"id": key, "part": TITLE, "term": text.value}


def write_glossary(edition: Edition, path: Path) -> int:
    """Write the glossary; the ending of the file says how. Returns the number of terms."""
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".tbx"):
        raise WrongUse(f"a glossary is written as .csv or .tbx, not '{path.suffix or path.name}'")
    rows = list_glossary(edition)
    text = (
        render_csv(rows)
        if suffix == ".csv"
        else render_tbx(rows, f"{edition.id} {edition.version}", edition.languages[0])
    )
    write_file(path, text.encode())
    return len({(row["part"], row["id"]) for row in rows})


def render_csv(rows: list[Row]) -> str:
    out = io.StringIO()
    forms = [f"{case}.{number}" for number in NUMBERS for case in CASES]
    head = ["id", "language", "term", "gender", "animate", *forms, "part", *MOODS]
    writer = csv.DictWriter(out, head, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def render_tbx(rows: list[Row], title: str, language: str) -> str:
    """One entry for each term: what each language calls it, its part of speech, gender and animacy, and its forms."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<martif type="TBX" xml:lang={quoteattr(language)}>',
        "  <martifHeader>",
        "    <fileDesc>",
        f"      <titleStmt><title>{escape(title)}</title></titleStmt>",
        f"      <sourceDesc><p>The words of {escape(title)}, written by grimoire l10n glossary</p></sourceDesc>",
        "    </fileDesc>",
        '    <encodingDesc><p type="XCSURI">'
        "http://www.lisa.org/fileadmin/standards/tbx/TBXXCSV02.XCS</p></encodingDesc>",
        "  </martifHeader>",
        "  <text><body>",
    ]
    entries: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        entries.setdefault((row["part"], row["id"]), []).append(row)
    seen: set[str] = set()
    for (part, key), there in entries.items():
        name = re.sub(r"[^\w.-]", "_", f"{part}-{key}")
        while name in seen:
            name += "_"
        seen.add(name)
        lines.append(f"    <termEntry id={quoteattr(name)}>")
        lines.append(f"      <note>id: {escape(key)}</note>")
        for row in there:
            lines.append(f"      <langSet xml:lang={quoteattr(row['language'])}>")
            lines.append(f"        <tig><term>{escape(row['term'])}</term>")
            lines += [f"          {note}" for note in _render_notes(row)]
            lines += ["        </tig>", "      </langSet>"]
        lines.append("    </termEntry>")
    return "\n".join([*lines, "  </body></text>", "</martif>", ""])


def _render_notes(row: Row) -> Iterator[str]:
    yield f'<termNote type="partOfSpeech">{_SPEECH[row["part"]]}</termNote>'
    if row.get("gender"):
        yield f'<termNote type="grammaticalGender">{_GENDERS[row["gender"]]}</termNote>'
    if row["part"] == NOUN:
        yield f'<termNote type="animacy">{"animate" if row["animate"] else "inanimate"}</termNote>'
    forms = [f"{name}: {form}" for name, form in row.items() if "." in name or name in MOODS]
    if forms:
        yield f"<note>forms: {escape('; '.join(forms))}</note>"

"""Exchange with translators: the strings of a language as a PO file, and back.

In: an edition, or a PO file. Out: a PO file, or a plan of what to write. The context of an entry is the id of the string, its msgid the
text of the source language, its msgstr the translation; the wording that is generated from the effects, and what a card is, are
translator comments. An entry carries the hash of its source and of the translation that stood when it was exported, so that an import
knows what has changed since and loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polib

from grimoire.compiler.card_text import CardText
from grimoire.compiler.diagnostics import Diagnostics, Span, did_you_mean
from grimoire.compiler.l10n_findings import ERROR, WARNING, Slip
from grimoire.compiler.l10n_store import Edition, source_hash, split_id
from grimoire.compiler.lexicon import LANGUAGES, load_grammar, plain, read_lexicon
from grimoire.compiler.model import Definition
from grimoire.compiler.source import Mapping, Scalar
from grimoire.compiler.source import Sequence as Items
from grimoire.compiler.wording import plural_forms

PACKAGE: Final = "X-Grimoire-Package"
VERSION: Final = "X-Grimoire-Version"
SOURCE: Final = "X-Source-Language"
FEW: Final = 20  # to guess what was meant takes time
_MARK: Final = re.compile(r"^(source|standing): (\w+)$", re.MULTILINE)
_LINE: Final = re.compile(r"\(line (\d+)\)")
_PLURALS: Final = {
    2: "nplurals=2; plural=(n != 1);",
    3: "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}


# --- export -----------------------------------------------------------------------------------------------------------


def export_po(edition: Edition, language: str, source: str) -> tuple[str, list[str]]:
    """The text of a PO file, and the ids that the source language has no text for."""
    po = polib.POFile(wrapwidth=0)
    po.metadata = {
        "Project-Id-Version": f"{edition.id} {edition.version}",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": _PLURALS[plural_forms(language)],
        SOURCE: source,
        PACKAGE: edition.id,
        VERSION: edition.version,
    }
    pictures = Pictures(edition, language, source)
    own, other = edition.of(language), edition.of(source)
    left: list[str] = []
    for id_ in edition.ids(language, source):
        text = other.text(id_)
        stands = own.text(id_)
        if not text or stands == "":  # one of them is silent on purpose, or the source has no text
            if text is None or stands is None:
                left.append(id_)
            continue
        node = other.texts[id_]
        place = Path(node.source.path)
        if place.is_relative_to(edition.root):
            place = place.relative_to(edition.root)
        entry = polib.POEntry(
            msgctxt=id_,
            msgid=text,
            msgstr=stands or "",
            comment=f"source: {source_hash(text)}\nstanding: {source_hash(stands) if stands else 'none'}",
            tcomment=pictures.comment(id_),
            occurrences=[(place.as_posix(), str(node.line))],
        )
        if edition.state(id_, language, source) == "fuzzy":
            entry.flags.append("fuzzy")
        po.append(entry)
    return str(po), left


class Pictures:
    """What a translator should know about a card: its kind, what is printed on it, its effect, and the generated wording."""

    def __init__(self, edition: Edition, language: str, source: str) -> None:
        self.edition = edition
        self.source = source
        self.says: dict[str, CardText] = {}
        for id_ in (source, language):
            if id_ in LANGUAGES:
                lexicon = read_lexicon([*edition.needs, edition.root], edition.model, id_, Diagnostics())
                if lexicon is not None:
                    self.says[id_] = CardText(edition.model, load_grammar(id_), lexicon)

    def comment(self, id_: str) -> str:
        section, key = split_id(id_)
        name, _, part = key.partition(".")
        card = self.edition.model.definitions.get(name)
        if card is None or section not in ("names", "choices", "flavour"):
            return ""
        return "\n".join(self.lines(card, part))

    def lines(self, card: Definition, part: str) -> Iterator[str]:
        yield f"{card.kind} {card.id}"
        values = {name: _plain(value) for name, value in card.values.items()}
        if values:
            yield "; ".join(f"{name}: {_said(value)}" for name, value in values.items())
        texts = {**card.programs, **{id_: row.do or row.always for id_, row in card.abilities.items()}}
        for slot, text in texts.items():
            if text is not None and part in ("", slot):
                yield f"effect {slot}: {' / '.join(line.strip() for line in text.text.splitlines() if line.strip())}"
        for language, says in self.says.items():
            for paragraph in says.paragraphs(card):
                if part in ("", paragraph.part) and not paragraph.missing:
                    yield f"wording {language}: {paragraph.text}"


def _plain(value: Any) -> Any:
    return plain(value) if isinstance(value, Scalar | Mapping | Items) else value


def _said(value: Any) -> str:
    return ", ".join(map(_said, value)) if isinstance(value, list) else str(value)


# --- reading ----------------------------------------------------------------------------------------------------------


class PoFile(NamedTuple):
    """A PO file as it was read."""

    path: str
    entries: list[polib.POEntry]
    header: dict[str, str]

    def span(self, entry: polib.POEntry | None = None) -> Span:
        line = entry.linenum if entry is not None and entry.linenum else 1
        return Span(self.path, line, 1, line, 2)


def read_po(path: Path, language: str) -> tuple[PoFile, list[Slip]]:
    """A PO file; what cannot be read is a finding, and there are no entries then."""
    name = path.as_posix()
    data = path.read_bytes()
    nothing = PoFile(name, [], {})

    def broken(line: int, check: str, message: str) -> tuple[PoFile, list[Slip]]:
        return nothing, [Slip("", language, check, ERROR, message, Span(name, line, 1, line, 2))]

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return broken(line, "encoding", f"the byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8")
    charset = re.search(r"charset=([\w-]+)", text)
    if charset is not None and charset[1].upper() not in ("UTF-8", "UTF8", "CHARSET"):
        return broken(1, "encoding", f"the header says {charset[1]}, and only UTF-8 is read")
    try:
        po = polib.pofile(text + "\n", encoding="utf-8")
    except (OSError, ValueError, IndexError, KeyError, AttributeError) as error:
        found = _LINE.search(str(error))
        return broken(int(found[1]) if found else 1, "syntax", "this is no PO file that can be read: " + _short(error))
    entries = [entry for entry in po if not entry.obsolete]
    if not entries:
        return broken(1, "syntax", "there is no entry in this file")
    return PoFile(name, entries, dict(po.metadata)), []


def _short(error: Exception) -> str:
    return str(error).partition(":")[2].strip() or str(error)[:80] or type(error).__name__


def check_file(po: PoFile, edition: Edition, language: str, source: str) -> list[Slip]:
    """Whether a PO file belongs to this package, version and language, and each entry to a string of it."""
    found: list[Slip] = []

    def add(entry: polib.POEntry | None, check: str, severity: str, message: str) -> None:
        id_ = (entry.msgctxt or "") if entry is not None else ""
        found.append(Slip(id_, language, check, severity, message, po.span(entry)))

    for field, here in ((PACKAGE, edition.id), (VERSION, edition.version), ("Language", language), (SOURCE, source)):
        there = po.header.get(field)
        if there is None and field == PACKAGE:
            add(
                None,
                "package",
                WARNING,
                f"the header has no {PACKAGE}: it cannot be told whether the file is of {edition.id}",
            )
        if there is not None and there != here:
            check = {PACKAGE: "package", VERSION: "version"}.get(field, "language")
            add(None, check, ERROR, f"the file says {field}: {there}, and here it is {here}")
    seen: dict[str, int] = {}
    texts = edition.of(source).texts
    for entry in po.entries:
        id_ = entry.msgctxt
        if not id_:
            add(entry, "id", ERROR, "the entry has no msgctxt: it cannot be told which string it is")
        elif id_ in seen:
            add(entry, "id", ERROR, f"the id stands in line {seen[id_]} already")
        elif id_ not in texts and id_ not in edition.known:
            guess = did_you_mean(id_, [*texts]) if len(found) < FEW else None
            add(entry, "id", ERROR, f"{edition.id} has no such string" + (f": did you mean {guess}?" if guess else ""))
        else:
            marks = dict(_MARK.findall(entry.comment or ""))
            if "source" in marks and marks["source"] != source_hash(entry.msgid):
                add(
                    entry,
                    "source",
                    ERROR,
                    "the msgid is not the one that was exported: the source text belongs to the package",
                )
            elif id_ in texts and texts[id_].value != entry.msgid:
                add(entry, "source", WARNING, "the source text has changed since the export")
            seen[id_] = entry.linenum or 1
    return found


# --- import -----------------------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """What an import is going to do."""

    texts: dict[str, str]  # to write
    hashes: dict[str, str]  # to record: what each translation was made from
    skipped: dict[str, int]  # why -> how many
    slips: list[Slip]


def plan_import(
    po: PoFile,
    edition: Edition,
    language: str,
    source: str,
    slips: Sequence[Slip],
    asked: Collection[str],
) -> Plan:
    """All strings of a file without errors, or those that are asked for by id."""
    plan = Plan({}, {}, {}, [])
    blocked = not asked and any(slip.severity == ERROR for slip in slips)

    def skip(why: str) -> None:
        plan.skipped[why] = plan.skipped.get(why, 0) + 1

    for entry in po.entries:
        id_ = entry.msgctxt or ""
        if (asked and id_ not in asked) or (id_ not in edition.of(source).texts and id_ not in edition.known):
            continue
        if id_ in plan.texts or id_ in plan.hashes:
            continue
        if not entry.msgstr:
            skip("without a translation")
        elif blocked:
            skip("not imported because of errors in the file")
        elif "fuzzy" in entry.flags and not asked:
            skip("fuzzy")
        else:
            _plan_entry(po, entry, edition, language, source, bool(asked), plan, skip)
    return plan


def _plan_entry(
    po: PoFile,
    entry: polib.POEntry,
    edition: Edition,
    language: str,
    source: str,
    asked: bool,
    plan: Plan,
    skip: Callable[[str], None],
) -> None:
    id_, text = entry.msgctxt or "", entry.msgstr
    stands = edition.of(language).text(id_)
    marks = dict(_MARK.findall(entry.comment or ""))
    exported = marks.get("standing")
    if stands and stands != text and not asked:
        if exported is not None and exported == source_hash(text):
            skip("unchanged since the export, and changed in the package")
            return
        reason = None
        if exported is not None and exported != source_hash(stands):
            reason = "the translation that stands has changed since the export"
        elif entry.msgid != edition.of(source).text(id_):
            reason = "it is a translation of an older source text"
        if reason is not None:
            message = f"{reason}: what stands is kept; --string {id_} takes this one"
            plan.slips.append(Slip(id_, language, "conflict", WARNING, message, po.span(entry)))
            skip("in conflict with what stands")
            return
    if stands != text:
        plan.texts[id_] = text
    elif entry.msgid != edition.of(source).text(id_) and edition.state(id_, language, source) == "translated":
        return  # the same text stands for the newer source
    plan.hashes[id_] = source_hash(entry.msgid)

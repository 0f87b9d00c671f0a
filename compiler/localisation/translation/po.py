"""Read what translators send back: a PO file, whether it belongs to a package, and what of it is to be written.

In: a PO file and an edition. Out: its entries and findings; a plan of what to write. Nothing is taken from a file that
cannot be read with certainty: polib forgives slips that would lose a part of a text, so every line is looked at first.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import polib

from grimoire.compiler.diagnostics.report import Span, did_you_mean
from grimoire.compiler.localisation.translation.findings import ERROR, WARNING, Slip
from grimoire.compiler.localisation.translation.strings import Edition, hash_source
from grimoire.compiler.localisation.tuning import (
    PO_FEW,
    PO_LARGEST,
    PO_LONGEST,
    PO_SHOWN,
)
from grimoire.compiler.telling import make_printable, read_given

PACKAGE: Final = "X-Grimoire-Package"
VERSION: Final = "X-Grimoire-Version"
SOURCE: Final = "X-Source-Language"
_MARK: Final = re.compile(r"^(source|standing): (\w+)$", re.MULTILINE)
_LINE: Final = re.compile(r"\(line (\d+)\)")
_ROW: Final = re.compile(
    r"[ \t]*(?:(?P<key>msgctxt|msgid_plural|msgid|msgstr\[[0-9]\]|msgstr)[ \t]+)?"
    r'"(?:[^"\\]|\\(?:["\\abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{2}))*"[ \t]*\Z'
)
_KEYWORD: Final = re.compile(r"[ \t]*(msgctxt|msgid_plural|msgid|msgstr)")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
_CHARSET: Final = re.compile(r'^"Content-Type:.*?charset=([\w-]+)', re.MULTILINE)


# --- reading ----------------------------------------------------------------------------------------------------------


class PoFile(NamedTuple):
    """A PO file as it was read."""

    path: str
    entries: list[polib.POEntry]
    header: dict[str, str]
    obsolete: Sequence[polib.POEntry] = ()

    def span(self, entry: polib.POEntry | None = None) -> Span:
        line = entry.linenum if entry is not None and entry.linenum else 1
        return Span(self.path, line, 1, line, 2)


def read_marks(entry: polib.POEntry) -> dict[str, str]:
    """What the export noted with an entry: the hash of its source, and of the translation that stood."""
    return dict(_MARK.findall(entry.comment or ""))


def read_po(path: Path, language: str) -> tuple[PoFile, list[Slip]]:
    """A PO file; what is no PO file is a finding, and there are no entries then; entries that are too long are left
    out. Raises WrongUse, Finding."""
    name = path.as_posix()
    nothing = PoFile(name, [], {})

    def broken(*rows: tuple[int, str, str]) -> tuple[PoFile, list[Slip]]:
        return nothing, [Slip("", language, check, ERROR, said, Span(name, at, 1, at, 2)) for at, check, said in rows]

    data = read_given(path, "a PO file", PO_LARGEST)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return broken((1, "encoding", "the file is UTF-16, and only UTF-8 is read: save it as UTF-8"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = f"the byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
        return broken((line, "encoding", said))
    charset = _CHARSET.search(text)
    if charset is not None and charset[1].upper() not in ("UTF-8", "UTF8", "CHARSET"):
        return broken((1, "encoding", f"the header says {charset[1]}, and only UTF-8 is read"))
    wrong = [(line, "syntax", said) for line, said in _find_wrong_lines(text)]
    if wrong:
        return broken(*wrong[:PO_SHOWN])
    try:
        po = polib.pofile(text.replace("\r\n", "\n") + "\n", encoding="utf-8")
    except (OSError, ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        found = _LINE.search(str(error))
        said = "this is no PO file that can be read: " + _shorten(error)
        return broken((int(found[1]) if found else 1, "syntax", said))
    entries = [entry for entry in po if not entry.obsolete]
    if not entries:
        return broken((1, "syntax", "there is no entry in this file"))
    file = PoFile(name, entries, dict(po.metadata), [entry for entry in po if entry.obsolete])
    long = [entry for entry in entries if max(len(entry.msgid), len(entry.msgstr)) > PO_LONGEST]
    file.entries[:] = [entry for entry in entries if max(len(entry.msgid), len(entry.msgstr)) <= PO_LONGEST]
    return file, [
        Slip(
            make_printable(entry.msgctxt or ""),
            language,
            "length",
            ERROR,
            f"it has more than {PO_LONGEST} characters",
            file.span(entry),
        )
        for entry in long
    ]


def _find_wrong_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that no PO file has, and entries that are not complete."""
    last = ""
    for number, line in enumerate(text.split("\n"), 1):
        row = line.removesuffix("\r")
        sign = _CONTROL.search(row)
        if sign is not None:
            yield number, f"the sign U+{ord(sign[0]):04X} cannot stand in a PO file"
            last = found[1] if (found := _KEYWORD.match(row)) is not None else last
            continue
        if not row.strip():
            continue
        if row.lstrip().startswith("#"):
            if last.startswith("msgctxt") or (last.startswith("msgid") and not row.lstrip().startswith("#~")):
                yield number, f"a comment cannot stand behind {last}: there is no msgstr"
            continue
        found = _ROW.match(row)
        if found is None:
            last = word[1] if (word := _KEYWORD.match(row)) is not None else last
            said = (
                "a text is not closed by a quote"
                if row.count('"') % 2
                else "this is neither a keyword with a text nor a text"
            )
            yield number, f"{said}: {make_printable(row.strip(), 40)}"
            continue
        key = found["key"] or ""
        if not key and not last:
            yield number, "a text without a keyword before it"
        if (
            key in ("msgctxt", "msgid")
            and last in ("msgctxt", "msgid", "msgid_plural")
            and (last, key) != ("msgctxt", "msgid")
        ):
            yield number, f"{key} stands behind {last}: there is no msgstr"
        if key.startswith("msgstr") and not last.startswith(("msgid", "msgstr[")):
            yield number, f"{key} without a msgid before it"
        last = key or last
    if last in ("msgctxt", "msgid", "msgid_plural"):
        yield text.count("\n") + 1, f"the file ends behind {last}: there is no msgstr"


def _shorten(error: Exception) -> str:
    return str(error).partition(":")[2].strip() or str(error)[:80] or type(error).__name__


def check_head(po: PoFile, edition: Edition, language: str, source: str) -> list[Slip]:
    """Whether a PO file belongs to this package, version and language."""
    found: list[Slip] = []
    if PACKAGE not in po.header:
        said = f"the header has no {PACKAGE}: it cannot be told whether the file is of {edition.id}"
        found.append(Slip("", language, "package", WARNING, said, po.span()))
    for field, here in ((PACKAGE, edition.id), (VERSION, edition.version), ("Language", language), (SOURCE, source)):
        there = po.header.get(field)
        if there is not None and there != here:
            check = {PACKAGE: "package", VERSION: "version"}.get(field, "language")
            said = f"the file says {field}: {make_printable(there)}, and here it is {here}"
            if check == "version":
                said += "; `grimoire l10n export` onto the file brings it up to date, and keeps its translations"
            found.append(Slip("", language, check, ERROR, said, po.span()))
    return found


def is_foreign(slips: Sequence[Slip]) -> bool:
    """Whether a file is of another package or language: then there is no sense in what its strings are."""
    return any(slip.check in ("package", "language") and slip.severity == ERROR and not slip.id for slip in slips)


def check_file(po: PoFile, edition: Edition, language: str, source: str) -> list[Slip]:
    """Whether a PO file belongs to this package, version and language, and each entry to a string of it."""
    found = check_head(po, edition, language, source)

    def add(entry: polib.POEntry, check: str, severity: str, message: str) -> None:
        found.append(Slip(make_printable(entry.msgctxt or ""), language, check, severity, message, po.span(entry)))

    seen: dict[str, int] = {}
    texts = edition.open_language(source).texts
    for entry in po.entries:
        id_ = entry.msgctxt
        if not id_:
            add(entry, "id", ERROR, "the entry has no msgctxt: it cannot be told which string it is")
            continue
        if id_ in seen:
            add(entry, "id", ERROR, f"the id stands in line {seen[id_]} already")
            continue
        seen[id_] = entry.linenum or 1
        if not edition.is_known(id_, source):
            guess = did_you_mean(id_, [*texts]) if len(found) < PO_FEW else None
            add(entry, "id", ERROR, f"{edition.id} has no such string" + (f": did you mean {guess}?" if guess else ""))
            continue
        if entry.msgid_plural or entry.msgstr_plural:
            said = "msgid_plural is not used here: the forms stand in the text itself, {1|..|..}"
            add(entry, "placeholders", ERROR, said)
        if entry.msgstr and not entry.msgstr.strip():
            add(entry, "untranslated", WARNING, "there is nothing but spaces: it counts as not translated")
        marks, text = read_marks(entry), edition.read_source_text(id_, source)
        if "source" in marks and marks["source"] != hash_source(entry.msgid):
            said = "the msgid is not the one that was exported: the source text belongs to the package"
            add(entry, "source", ERROR, said)
        elif text is not None and text != entry.msgid:
            add(entry, "source", WARNING, "the source text has changed since the export")
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

    often = Counter(entry.msgctxt or "" for entry in po.entries)
    for entry in po.entries:
        id_ = entry.msgctxt or ""
        if (asked and id_ not in asked) or not edition.is_known(id_, source):
            continue
        if often[id_] > 1 and not blocked:
            skip("given twice")
        elif not entry.msgstr.strip():
            skip("without a translation")
        elif blocked:
            skip("not imported because of errors in the file")
        elif "fuzzy" in entry.flags and not asked:
            skip("fuzzy")
        else:
            _plan_entry(po, entry, edition, language, source, bool(asked), plan, skip)
    if not asked and not blocked:
        for id_ in edition.list_silent(language, source):
            plan.texts[id_] = ""
            plan.hashes[id_] = hash_source("")
            skip(f"as silent as in '{source}'")
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
    stands = edition.open_language(language).text(id_)
    exported = read_marks(entry).get("standing")
    if stands is not None and stands != text and not asked:
        if exported is not None and exported == hash_source(text):
            skip("unchanged since the export, and changed in the package")
            return
        reason = None
        if exported is not None and exported != hash_source(stands):
            reason = "the translation that stands has changed since the export"
        elif entry.msgid != edition.read_source_text(id_, source):
            reason = "it is a translation of an older source text"
        if reason is not None:
            message = f"{reason}: what stands is kept; --string {id_} takes this one"
            plan.slips.append(Slip(id_, language, "conflict", WARNING, message, po.span(entry)))
            skip("in conflict with what stands")
            return
    if stands != text:
        plan.texts[id_] = text
    elif (
        entry.msgid != edition.read_source_text(id_, source)
        and edition.find_state(id_, language, source) == "translated"
    ):
        return  # the same text stands for the newer source
    if id_ in edition.open_language(source).texts:
        plan.hashes[id_] = hash_source(entry.msgid)

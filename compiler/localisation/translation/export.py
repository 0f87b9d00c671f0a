"""The strings of a language as a PO file for translators.

In: an edition, and perhaps the PO file of an earlier export. Out: the text of a PO file. The context of an entry is the
id of the string, its msgid the text of the source language, its msgstr the translation; what a translator should know
about it are translator comments. An entry carries the hash of its source and of the translation that stood when it was
exported, so that an import knows what has changed since and loses nothing. What an earlier file has and the package has
not (yet) is kept: translations that were not imported, the source text that a translation was made from, and entries
whose strings are gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import polib

from grimoire.compiler.localisation.text.plurals import gettext_plurals
from grimoire.compiler.localisation.translation.notes import Notes
from grimoire.compiler.localisation.translation.po import PACKAGE, SOURCE, VERSION, PoFile, read_marks
from grimoire.compiler.localisation.translation.strings import Edition, hash_source, split_id

FUZZY: Final = "fuzzy"


class Exported(NamedTuple):
    """A PO file, and what is to be told about it."""

    text: str
    left: list[str]  # without a text in the source language: not exported
    kept: list[str]  # translations of the earlier file that are not in the package
    gone: list[str]  # entries of the earlier file whose strings are no longer there
    moved: list[str]  # what has the source of a string that is gone: it was given another id


def export_po(edition: Edition, language: str, source: str, old: PoFile | None = None) -> Exported:
    """The strings of a language; `old` is the file that is brought up to date."""
    po = polib.POFile(wrapwidth=0)
    po.header = (
        f"The strings of {edition.id} {edition.version} in '{language}', from '{source}'. The context is "
        "the id of a string."
    )
    po.metadata = {
        "Project-Id-Version": f"{edition.id} {edition.version}",
        "PO-Revision-Date": "",  # translation programs write these three
        "Last-Translator": "",
        "Language-Team": "",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": gettext_plurals(language),
        SOURCE: source,
        PACKAGE: edition.id,
        VERSION: edition.version,
    }
    if old is not None:  # what a translation program has added: who, when, which team
        po.metadata |= {field: text for field, text in old.header.items() if not po.metadata.get(field)}
    notes = Notes(edition, language, source)
    before = {entry.msgctxt: entry for entry in old.entries} if old is not None else {}
    made = Exported("", [], [], [], [])
    own, other = edition.open_language(language), edition.open_language(source)
    spare = _collect_spare(edition, language, source, before.values())
    for id_ in edition.list_ids(language, source):
        text = edition.read_source_text(id_, source)
        stands = own.text(id_)
        if not text or stands == "":  # one of them is silent on purpose, or the source has no text
            if text is None and stands != "":
                made.left.append(id_)
            continue
        entry = polib.POEntry(
            msgctxt=id_,
            msgid=text,
            msgstr=stands or "",
            comment=f"source: {hash_source(text)}\nstanding: {hash_source(stands) if stands else 'none'}",
            tcomment=notes.make_comment(id_),
        )
        node = other.texts.get(id_)
        if node is not None:
            place = Path(node.source.path)
            place = place.relative_to(edition.root) if place.is_relative_to(edition.root) else place
            entry.occurrences = [(place.as_posix(), str(node.line))]
        if edition.find_state(id_, language, source) == FUZZY:
            entry.flags.append(FUZZY)
        earlier = before.pop(id_, None)
        if earlier is not None:
            _take_over(edition, language, source, entry, earlier, made.kept)
        said = spare.get((split_id(id_)[0], hash_source(text)))
        if not entry.msgstr and said is not None:
            entry.previous_msgctxt, entry.msgstr = said
            entry.flags.append(FUZZY)
            made.moved.append(id_)
        po.append(entry)
    here = {entry.msgctxt for entry in po}
    for entry in [*before.values(), *(old.obsolete if old is not None else ())]:
        if entry.msgctxt not in here and entry.msgstr.strip():
            made.gone.append(entry.msgctxt or "")
            here.add(entry.msgctxt)
            po.append(polib.POEntry(msgctxt=entry.msgctxt, msgid=entry.msgid, msgstr=entry.msgstr, obsolete=True))
    return made._replace(text=str(po))


def _collect_spare(
    edition: Edition, language: str, source: str, before: Iterable[polib.POEntry]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Translations of strings that are gone, by section and hash of the source: the id that they had, and the text."""
    rows = [(entry.msgctxt or "", hash_source(entry.msgid), str(entry.msgstr)) for entry in before]
    rows = [row for row in rows if row[0] and row[2].strip() and not edition.is_known(row[0], source)]
    for id_ in edition.list_stray(language, source):
        rows.append(
            (
                id_,
                edition.find_source_hash(id_, language, source) or "",
                edition.open_language(language).text(id_) or "",
            )
        )
    return {(split_id(id_)[0], hash_): (id_, text) for id_, hash_, text in rows if text}


def _take_over(
    edition: Edition, language: str, source: str, entry: polib.POEntry, earlier: polib.POEntry, kept: list[str]
) -> None:
    """Take over from the entry of an earlier file what the package does not know."""
    id_ = str(entry.msgctxt)
    marks = read_marks(earlier)
    stands = edition.open_language(language).text(id_)
    standing = marks.get("standing")
    theirs = earlier.msgstr.strip()
    is_new = theirs and earlier.msgstr != (stands or "")
    if is_new and standing is not None and standing == hash_source(earlier.msgstr):
        is_new = False  # nobody has touched it since it was exported: the package knows better
    if is_new:
        entry.msgstr = earlier.msgstr
        entry.flags = [flag for flag in entry.flags if flag != FUZZY]
        if FUZZY in earlier.flags or earlier.msgid != entry.msgid:
            entry.flags.append(FUZZY)
        if standing is not None and stands:  # what stood when the work began: an import tells a conflict by it
            entry.comment = f"source: {hash_source(entry.msgid)}\nstanding: {standing}"
        kept.append(id_)
    if FUZZY not in entry.flags:
        return
    made_from = edition.find_source_hash(id_, language, source)
    texts = [earlier.msgid, earlier.previous_msgid or ""]
    if is_new:
        previous: str | None = texts[0] if texts[0] != entry.msgid else texts[1]
    else:
        previous = next((text for text in texts if text and hash_source(text) == made_from), None)
    if previous and previous != entry.msgid:
        entry.previous_msgctxt = None
        entry.previous_msgid = previous

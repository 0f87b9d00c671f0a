"""What localisers leave in a package beside its texts: the records of translations and the silences.

In: the files l10n/<language>.yaml (source language -> id -> hash of the source text that the translation was made from,
and of the translation itself if somebody has accepted it) and l10n/silenced.yaml (language -> id -> check -> reason);
beside them names.yaml and space.yaml (see `names`, `space`). Out: the records as plain data, a file of them written,
and diagnostics for `check`: G03xx for their shape, G0920 for what belongs to no text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostics, Span, did_you_mean, is_one_letter_off
from grimoire.compiler.files import write_file
from grimoire.compiler.localisation.text.lexicon import plain
from grimoire.compiler.localisation.text.texts import SECTIONS, Language
from grimoire.compiler.localisation.translation.card_room import FILE as SPACE
from grimoire.compiler.localisation.translation.findings import CHECKS
from grimoire.compiler.localisation.translation.names import FILE as NAMES
from grimoire.compiler.localisation.translation.names import check_names
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import as_mapping, as_text, check_keys
from grimoire.compiler.source.tree import Mapping, Scalar, quote
from grimoire.compiler.telling import Finding

FOLDER: Final = "l10n"
SILENCED: Final = "silenced.yaml"
Record = dict[
    str, dict[str, str]
]  # source language -> id -> hash of the source, and of the translation once it was accepted
_HASH: Final = re.compile(r"[0-9a-f]{16}(?: [0-9a-f]{16})?\Z")


def make_string_id(section: str, key: str) -> str:
    return f"{section}.{key}" if key else section


def record_path(root: Path, language: str) -> Path:
    return root / FOLDER / f"{language}.yaml"


def read_record(root: Path, language: str, reader: SourceReader = DISK) -> Record:
    """By source language: id -> hash of the source text that the translation was made from."""
    path = record_path(root, language)
    if not reader.has_file(path):
        return {}
    diags = Diagnostics()
    tree = reader.load_file(path, diags, name=path.as_posix())
    data = plain(tree) if tree is not None and not diags.has_errors else None
    if not isinstance(data, dict) or not all(
        isinstance(rows, dict) and all(isinstance(hash_, str) for hash_ in rows.values()) for rows in data.values()
    ):
        message = (
            f"{path.as_posix()} is no record of translations: remove it, and `grimoire l10n accept` writes a new one"
        )
        raise Finding(message)
    return data


def write_record(root: Path, language: str, record: Record) -> None:
    write_file(record_path(root, language), record_bytes(record), inside=root)


def record_bytes(record: Record) -> bytes:
    """The file of the records of a language."""
    lines = [
        "# Written by grimoire l10n: the hash of the source that each translation was made from, and of what "
        "was accepted."
    ]
    for source, rows in sorted(record.items()):
        lines.append(f"{source}:" if rows else f"{source}: {{}}")
        lines += [f"  '{id_}': '{hash_}'" for id_, hash_ in sorted(rows.items())]
    return ("\n".join(lines) + "\n").encode()


def texts_by_id(languages: dict[str, Language]) -> dict[str, dict[str, Scalar]]:
    """By language the texts of a package by their ids."""
    return {
        language: {
            make_string_id(section, key): text for section in SECTIONS for key, text in part.texts[section].items()
        }
        for language, part in languages.items()
    }


# --- for `check` ------------------------------------------------------------------------------------------------------


def check_records(
    root: Path,
    manifest: Manifest,
    read: dict[str, dict[str, Scalar]],
    diags: Diagnostics,
    reader: SourceReader = DISK,
) -> None:
    """Every row of the files must belong to a text that is there: `read` has them by language and id."""
    names = [name for name in reader.list_files(root) if name.startswith(f"{FOLDER}/")]
    texts = {language: set(rows) for language, rows in read.items()}
    said = {language: [row.value for row in rows.values()] for language, rows in read.items()}
    if NAMES in names:
        check_names(root, manifest, said, diags, reader)
    for name in names:
        if name in (NAMES, SPACE):  # they have checks of their own
            continue
        path = root / name
        tree = reader.load_file(path, diags, name=path.as_posix())
        own = name.removeprefix(f"{FOLDER}/")
        language = own.removesuffix(".yaml")
        if own != SILENCED and (language not in manifest.languages or own == language):
            own_files = [SILENCED, NAMES.removeprefix(f"{FOLDER}/"), SPACE.removeprefix(f"{FOLDER}/")]
            there = ", ".join([f"{id_}.yaml" for id_ in manifest.languages] + own_files)
            message = f"{quote(own)} is no file of localisers"
            diags.add("G0920", Span.point(path.as_posix()), message, f"the files here are {there}")
            continue
        mapping = as_mapping(tree, diags, "a file of localisers") if tree is not None else None
        if mapping is None:
            continue
        mapping = check_keys(mapping, manifest.languages, diags, "a file of localisers")
        for key, node in mapping.entries:
            rows = as_mapping(node, diags, "a language") if key.value in manifest.languages else None
            if rows is not None and own == SILENCED:
                _check_silences(rows, texts.get(key.value, set()), diags)
            elif rows is not None:
                _check_record(rows, texts.get(language, set()), language, diags)


def _check_record(rows: Mapping, there: set[str], language: str, diags: Diagnostics) -> None:
    said = {id_.value for id_, _ in rows.entries}
    unrecorded = [id_ for id_ in there if id_ not in said]
    for id_, hash_ in rows.entries:
        value = as_text(hash_, diags, "the record of a translation")
        if id_.value not in there and any(_is_misspelt(id_.value, other) for other in unrecorded):
            continue  # the key of its text is misspelt, which is told there
        if id_.value not in there:
            message = f"there is no text {quote(id_.value)} in '{language}'"
            diags.add("G0920", id_.span, message, f"grimoire l10n accept .. --lang {language} removes the record")
        elif value is not None and not _HASH.match(value):
            message = f"{quote(value)} is no hash of a text"
            diags.add("G0920", hash_.span, message, f"grimoire l10n accept .. --lang {language} writes it")


def _is_misspelt(id_: str, other: str) -> bool:
    """Whether another id is this one with a wrong letter, or the heading of this rule under a misspelt key."""
    rule, _, number = other.rpartition(".")
    return is_one_letter_off(id_, other) or (rule == id_ and did_you_mean(number, ("title",)) is not None)


def _check_silences(rows: Mapping, there: set[str], diags: Diagnostics) -> None:
    for id_, node in rows.entries:
        if id_.value not in there:
            diags.add("G0920", id_.span, f"there is no text {quote(id_.value)} to silence", "remove the row")
            continue
        checks = as_mapping(node, diags, "the silences of a text")
        if checks is None:
            continue
        checks = check_keys(checks, CHECKS, diags, "the silences of a text")
        for check, reason in checks.entries:
            said = as_text(reason, diags, "the reason of a silence") if check.value in CHECKS else "-"
            if isinstance(reason, Scalar) and said is not None and not said.strip():
                diags.add("G0920", check.span, "a silence needs a reason", f"{check.value}: why it is right as it is")

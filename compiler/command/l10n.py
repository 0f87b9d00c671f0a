"""The commands `l10n ..`: what is translated, exchange with translators, glossary, forms, checks.

In: the parsed command line. Out: an exit code; what was asked for on stdout, everything else on stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.command.common import FINDINGS, FINE, check_target, print_json
from grimoire.compiler.files import write_file
from grimoire.compiler.localisation.translation.records import record_bytes
from grimoire.compiler.localisation.translation.strings import Edition, accept_translations
from grimoire.compiler.telling import WrongUse, guess, list_names, make_printable, say

if TYPE_CHECKING:
    import argparse

    from grimoire.compiler.localisation.translation.po import PoFile
    from grimoire.compiler.localisation.translation.stats import LanguageStats


def help_command(args: argparse.Namespace) -> int:
    raise WrongUse(
        "l10n wants an action: stats, export, import, accept, check, audit, glossary or inflect\nSee: "
        "grimoire l10n --help"
    )


def _language(edition: Edition, language: str, source: str) -> str:
    edition.open_language(language)
    if language == source:
        raise WrongUse(f"'{language}' is the source language: --source names another one")
    return language


def stats_command(args: argparse.Namespace) -> int:

    from grimoire.compiler.localisation.translation.stats import count_strings, sum_stats

    editions = [open_edition(str(root)) for root in _packages(args.package)]
    found = [(edition, count_strings(edition, edition.choose_source(args.source))) for edition in editions]
    rows = sum_stats((edition.id, part) for edition, part in found)
    if args.json:
        print_json({language: row.to_json() for language, row in rows.items()})
    else:
        for edition, part in found:
            _print_stats(edition.id, part)
        if len(found) > 1:
            _print_stats("all packages", rows)
    for edition, part in found:
        for language, row in part.items():
            if row.more and not args.json:
                ids = sorted(edition.list_more(language, edition.choose_source(args.source)))
                say(
                    f"note: {edition.id} has {len(ids)} more in '{language}', worded for one case; they are "
                    f"not counted: {list_names(ids, 3)}"
                )
            stray = edition.list_stray(language, edition.choose_source(args.source))
            if stray:
                say(f"note: {edition.id} has texts in '{language}' for what is no longer there: {list_names(stray, 3)}")
            if row.unrecorded:
                say(
                    f"note: of {row.unrecorded} texts in '{language}' it is not known what source they "
                    "were made from: "
                    f"grimoire l10n accept {make_printable(edition.id)} --lang {language}"
                )
    return FINDINGS if any(row.whole["fuzzy"] or row.whole["missing"] for row in rows.values()) else FINE


def _packages(given: list[str]) -> list[Path]:
    """The packages that are meant; all of content/ if none is given. Those that list no languages are left out
    there."""
    from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics
    from grimoire.compiler.source.manifest import find_packages

    diags = Diagnostics()
    found = find_packages(given or ["content"], diags)
    if len(diags) and not found:
        raise (
            WrongUse(diags.sorted()[0].message)
            if given
            else WrongUse("there is no folder content/ here: name a package")
        )
    if diags.has_errors:
        raise CompileFailed(diags.sorted())
    return found


def _print_stats(name: str, rows: dict[str, LanguageStats]) -> None:
    sections = list(dict.fromkeys(section for row in rows.values() for section in row.sections))
    width = max(len(section) for section in [*sections, name, "section"])
    print(f"{'section':<{width}}  lang  total  translated  fuzzy  missing")
    for section in [*sections, name]:
        for language, row in rows.items():
            part = row.whole if section == name else row.sections.get(section)
            if part is not None:
                numbers = f"{part['total']:>5}  {part['translated']:>10}  {part['fuzzy']:>5}  {part['missing']:>7}"
                print(f"{section:<{width}}  {language:<4}  {numbers}")


def export_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.localisation.translation.export import export_po

    edition = open_edition(args.package)
    source = edition.choose_source(args.source)
    language = _language(edition, args.lang, source)
    path = None if args.output in (None, "-") else check_target(args.output)
    made = export_po(edition, language, source, _earlier(path, edition, language, source))
    if path is None:
        sys.stdout.write(made.text)
    else:
        write_file(path, made.text.encode())
    rows = (
        (made.left, f"left out, because '{source}' has no text for them"),
        (made.kept, "kept from the file, whose translation is not in the package"),
        (made.gone, f"kept as obsolete, which '{source}' no longer has"),
        (made.moved, "fuzzy, with the translation of a string that had the same source"),
    )
    for ids, why in rows:
        if ids:
            say(f"note: {len(ids)} {why}: {list_names(ids, 5)}")
    return FINE


def _earlier(path: Path | None, edition: Edition, language: str, source: str) -> PoFile | None:
    """The file of an earlier export that is brought up to date. One that is something else is not overwritten."""
    from grimoire.compiler.localisation.translation.po import check_head, is_foreign, read_po

    if path is None or not path.is_file() or not path.stat().st_size:
        return None
    po, slips = read_po(path, language)
    name = make_printable(path.as_posix())
    if slips:
        raise WrongUse(
            f"{name} is there already, and cannot be read: {slips[0].message}; remove it, or name another file"
        )
    foreign = [slip for slip in check_head(po, edition, language, source) if is_foreign([slip])]
    if foreign:
        raise WrongUse(f"{name} is there already: {foreign[0].message}; name another file")
    return po


def import_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.localisation.translation.findings import ERROR, format_findings
    from grimoire.compiler.localisation.translation.po import check_head, is_foreign, plan_import, read_po
    from grimoire.compiler.localisation.translation.run import check_po
    from grimoire.compiler.localisation.translation.write import write_texts

    edition = open_edition(args.package)
    source = edition.choose_source(args.source)
    language = _language(edition, args.lang, source)
    path = Path(args.file)
    po, slips = read_po(path, language)
    asked = set(args.string or ())
    if not slips:
        slips = check_head(po, edition, language, source)
        if asked or not is_foreign(slips):
            slips = check_po(po, edition, language, source)
    there = {entry.msgctxt or "" for entry in po.entries}
    for id_ in sorted(asked - there) if po.entries else ():
        raise WrongUse(f"{make_printable(args.file)} has no string '{make_printable(id_)}'{guess(id_, sorted(there))}")
    plan = plan_import(po, edition, language, source, slips, asked)
    change = write_texts(edition, language, source, plan.texts, _record(edition, language, source, plan.hashes))
    left = {
        entry.msgctxt for entry in po.entries if "fuzzy" in entry.flags
    } - asked  # not imported: no guesses about them
    slips = [slip for slip in slips if slip.severity == ERROR or slip.id not in left]
    seen = [slip for slip in [*slips, *plan.slips] if not asked or slip.id in asked or not slip.id]
    if seen:
        say(format_findings(seen))
    silent = {id_ for id_, text in plan.texts.items() if not text}
    parts = [f"{len([*filter(lambda id_: id_ not in silent, change.added)])} added", f"{len(change.replaced)} changed"]
    parts += [f"{count} {why}" for why, count in plan.skipped.items()]
    absent = (
        {id_ for id_ in edition.list_ids(language, source) if edition.read_source_text(id_, source)} - there - asked
    )
    if po.entries and not asked and absent and not is_foreign(slips):
        parts.append(f"{len(absent)} not in the file")
    print(f"{language}: {', '.join(parts)}; {len(change.files)} file{'' if len(change.files) == 1 else 's'} written")
    return FINDINGS if seen else FINE


def _record(edition: Edition, language: str, source: str, hashes: dict[str, str]) -> bytes | None:
    """The records of a language with those of an import; nothing if all are there already."""
    record = {name: dict(rows) for name, rows in edition.records[language].items()}
    rows = record.setdefault(source, {})
    new = {id_: hash_ for id_, hash_ in hashes.items() if rows.get(id_, "").partition(" ")[0] != hash_}
    if not new:
        return None
    rows.update(new)
    return record_bytes(record)


def accept_command(args: argparse.Namespace) -> int:
    edition = open_edition(args.package)
    source = edition.choose_source(args.source)
    language = _language(edition, args.lang, source)
    there = edition.open_language(language).texts
    for id_ in args.string or ():
        if id_ not in there:
            raise WrongUse(f"{edition.id} has no text {make_printable(id_)} in '{language}'{guess(id_, list(there))}")
    count = accept_translations(edition, language, source, args.string)
    print(f"{language}: {count} record{'' if count == 1 else 's'} changed")
    return FINE


def check_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.api.translations import check_paths
    from grimoire.compiler.localisation.translation.findings import format_findings

    slips = check_paths(args.paths, args.lang, args.source, _lengths(args.length), everything=args.all)
    if args.json:
        print_json({"findings": [slip.plain() for slip in slips]})
    else:
        print(format_findings(slips) or "no findings")
    return FINDINGS if slips else FINE


def _lengths(given: list[str] | None) -> dict[str, int] | None:
    """By kind of strings how long a translation may be, in per cent of its source."""
    from grimoire.compiler.localisation.translation.stats import KINDS

    kinds = list(dict.fromkeys(KINDS.values()))
    found: dict[str, int] = {}
    for row in given or ():
        kind, _, number = row.rpartition("=")
        if kind and kind not in kinds:
            raise WrongUse(f"--length: there is no kind '{make_printable(kind)}': {list_names(kinds)}")
        if not number.isdecimal() or not 50 <= int(number[:5]) <= 1000:
            raise WrongUse(f"--length wants a number from 50 to 1000, not '{make_printable(number)}'")
        found.update(dict.fromkeys([kind] if kind else kinds, int(number)))
    return found or None


def audit_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.localisation.audit.run import audit, format_findings

    if (args.beside is None) != (args.beside_lang is None):
        raise WrongUse("--beside FILE and --beside-lang L belong together: another edition and its language")
    edition = open_edition(args.package)
    beside = (args.beside, args.beside_lang) if args.beside is not None else None
    found, _ = audit(edition, args.lang, args.text, beside, args.silenced)
    if args.json:
        print_json({"findings": [row.plain() for row in found]})
    else:
        print(format_findings(found) or "no findings")
    return FINDINGS if found else FINE


def glossary_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.localisation.translation.termbase import write_glossary

    edition = open_edition(args.package)
    count = write_glossary(edition, check_target(args.output))
    if not count:
        say(f"note: {edition.id} has no words: they stand under terms in text/{edition.languages[0]}.yaml")
    print(f"{make_printable(args.output)}: {count} term{'' if count == 1 else 's'}")
    return FINE


def inflect_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.localisation.translation.forms import Forms

    forms = Forms(args.lang)
    unknown = 0
    rows: list[str] = []
    for given in args.words:
        name, _, word = given.rpartition("=")
        rows.append(forms.propose_row(name or word, word))
        unknown += not forms.is_known(word)
    print("terms:")
    for row in rows:
        print(f"  {row}")
    if unknown:
        say(f"note: {unknown} of the words are not in the dictionary: their forms are a guess")
    return FINE

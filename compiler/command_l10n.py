"""The commands `l10n ..`: what is translated, exchange with translators, glossary, forms, checks.

In: the parsed command line. Out: an exit code; what was asked for on stdout, everything else on stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimoire.compiler.command_common import FINDINGS, FINE, WrongUse, guess, listed, print_json, say, shown
from grimoire.compiler.l10n_records import write_record
from grimoire.compiler.l10n_store import Edition, accept, open_edition

if TYPE_CHECKING:
    import argparse


def help_command(args: argparse.Namespace) -> int:
    raise WrongUse(
        "l10n wants an action: stats, export, import, accept, check, audit, glossary or inflect\nSee: grimoire l10n --help"
    )


def _language(edition: Edition, language: str, source: str) -> str:
    edition.of(language)
    if language == source:
        raise WrongUse(f"'{language}' is the source language: --source names another one")
    return language


def stats_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_stats import stats, together

    editions = [open_edition(str(root)) for root in _packages(args.package)]
    found = [(edition, stats(edition, edition.source(args.source))) for edition in editions]
    rows = together((edition.id, part) for edition, part in found)
    if args.json:
        print_json(rows)
    else:
        for edition, part in found:
            _print_stats(edition.id, part)
        if len(found) > 1:
            _print_stats("all packages", rows)
    for edition, part in found:
        for language, row in part.items():
            if row["unrecorded"]:
                say(
                    f"note: of {row['unrecorded']} texts in '{language}' it is not known what source they were made from: "
                    f"grimoire l10n accept {shown(edition.id)} --lang {language}"
                )
    return FINDINGS if any(row["fuzzy"] or row["missing"] for row in rows.values()) else FINE


def _packages(given: list[str]) -> list[Path]:
    """The packages that are meant; all of content/ if none is given. Those that list no languages are left out there."""
    from grimoire.compiler.diagnostics import CompileFailed, Diagnostics
    from grimoire.compiler.manifest import find_packages

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


def _print_stats(name: str, rows: dict[str, Any]) -> None:
    sections = list(dict.fromkeys(section for row in rows.values() for section in row["sections"]))
    width = max(len(section) for section in [*sections, name, "section"])
    print(f"{'section':<{width}}  lang  total  translated  fuzzy  missing")
    for section in [*sections, name]:
        for language, row in rows.items():
            part = row if section == name else row["sections"].get(section)
            if part is not None:
                numbers = f"{part['total']:>5}  {part['translated']:>10}  {part['fuzzy']:>5}  {part['missing']:>7}"
                print(f"{section:<{width}}  {language:<4}  {numbers}")


def export_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_po import export_po

    edition = open_edition(args.package)
    source = edition.source(args.source)
    text, left = export_po(edition, _language(edition, args.lang, source), source)
    if args.output in (None, "-"):
        sys.stdout.write(text)
    else:
        Path(args.output).write_text(text, encoding="utf-8")
    if left:
        say(f"note: {len(left)} strings have no text in '{source}' and are left out: {listed(left, 5)}")
    return FINE


def import_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_check import check_po
    from grimoire.compiler.l10n_findings import ERROR, told
    from grimoire.compiler.l10n_po import plan_import, read_po
    from grimoire.compiler.l10n_write import write_texts

    edition = open_edition(args.package)
    source = edition.source(args.source)
    language = _language(edition, args.lang, source)
    path = Path(args.file)
    if not path.is_file():
        raise WrongUse(f"there is no file {shown(args.file)}")
    po, slips = read_po(path, language)
    slips = slips or check_po(po, edition, language, source)
    asked = set(args.string or ())
    there = {entry.msgctxt or "" for entry in po.entries}
    for id_ in sorted(asked - there) if po.entries else ():
        raise WrongUse(f"{shown(args.file)} has no string '{shown(id_)}'{guess(id_, sorted(there))}")
    plan = plan_import(po, edition, language, source, slips, asked)
    change = write_texts(edition, language, source, plan.texts)
    _record(edition, language, source, plan.hashes)
    left = {
        entry.msgctxt for entry in po.entries if "fuzzy" in entry.flags
    } - asked  # not imported: no guesses about them
    slips = [slip for slip in slips if slip.severity == ERROR or slip.id not in left]
    seen = [slip for slip in [*slips, *plan.slips] if not asked or slip.id in asked or not slip.id]
    if seen:
        say(told(seen))
    parts = [f"{len(change.added)} added", f"{len(change.replaced)} changed"]
    parts += [f"{count} {why}" for why, count in plan.skipped.items()]
    print(f"{language}: {', '.join(parts)}; {len(change.files)} file{'' if len(change.files) == 1 else 's'} written")
    return FINDINGS if seen else FINE


def _record(edition: Edition, language: str, source: str, hashes: dict[str, str]) -> None:
    record = {name: dict(rows) for name, rows in edition.records[language].items()}
    rows = record.setdefault(source, {})
    new = {id_: hash_ for id_, hash_ in hashes.items() if rows.get(id_, "").partition(" ")[0] != hash_}
    if new:
        rows.update(new)
        write_record(edition.root, language, record)


def accept_command(args: argparse.Namespace) -> int:
    edition = open_edition(args.package)
    source = edition.source(args.source)
    language = _language(edition, args.lang, source)
    there = edition.of(language).texts
    for id_ in args.string or ():
        if id_ not in there:
            raise WrongUse(f"{edition.id} has no text {shown(id_)} in '{language}'{guess(id_, list(there))}")
    count = accept(edition, language, source, args.string)
    print(f"{language}: {count} record{'' if count == 1 else 's'} changed")
    return FINE


def check_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_check import check_paths
    from grimoire.compiler.l10n_findings import told

    slips = check_paths(args.paths, args.lang, args.source, _lengths(args.length), everything=args.all)
    if args.json:
        print_json({"findings": [slip.plain() for slip in slips]})
    else:
        print(told(slips) or "no findings")
    return FINDINGS if slips else FINE


def _lengths(given: list[str] | None) -> dict[str, int] | None:
    """By kind of strings how long a translation may be, in per cent of its source."""
    from grimoire.compiler.l10n_stats import KINDS

    kinds = list(dict.fromkeys(KINDS.values()))
    found: dict[str, int] = {}
    for row in given or ():
        kind, _, number = row.rpartition("=")
        if kind and kind not in kinds:
            raise WrongUse(f"--length: there is no kind '{shown(kind)}': {listed(kinds)}")
        if not number.isdecimal() or not 50 <= int(number[:5]) <= 1000:
            raise WrongUse(f"--length wants a number from 50 to 1000, not '{shown(number)}'")
        found.update(dict.fromkeys([kind] if kind else kinds, int(number)))
    return found or None


def audit_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_audit import audit, told

    if (args.beside is None) != (args.beside_lang is None):
        raise WrongUse("--beside FILE and --beside-lang L belong together: another edition and its language")
    edition = open_edition(args.package)
    beside = (args.beside, args.beside_lang) if args.beside is not None else None
    found, _ = audit(edition, args.lang, args.text, beside, args.silenced)
    if args.json:
        print_json({"findings": [row.plain() for row in found]})
    else:
        print(told(found) or "no findings")
    return FINDINGS if found else FINE


def glossary_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_glossary import write_glossary

    edition = open_edition(args.package)
    count = write_glossary(edition, Path(args.output))
    print(f"{shown(args.output)}: {count} term{'' if count == 1 else 's'}")
    return FINE


def inflect_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.l10n_forms import Forms

    forms = Forms(args.lang)
    unknown = 0
    rows: list[Any] = []
    for given in args.words:
        name, _, word = given.rpartition("=")
        rows.append(forms.row(name or word, word))
        unknown += not forms.is_known(word)
    print("terms:")
    for row in rows:
        print(f"  {row}")
    if unknown:
        say(f"note: {unknown} of the words are not in the dictionary: their forms are a guess")
    return FINE

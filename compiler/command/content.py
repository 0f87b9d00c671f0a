"""The commands that look at content: check, build, schema, fmt, test, trace, explain.

In: the parsed command line. Out: an exit code, and a report on stdout as text or as JSON.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from grimoire.compiler.api.check import check
from grimoire.compiler.cache import ENVIRONMENT, Cache
from grimoire.compiler.command.common import FINDINGS, FINE, check_target, print_json, progress_bar, report_text
from grimoire.compiler.diagnostics.report import Diagnostics, to_json
from grimoire.compiler.files import write_file
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.source.manifest import find_packages
from grimoire.compiler.telling import WrongUse, guess, make_printable, say

if TYPE_CHECKING:
    import argparse

    from grimoire.compiler.api.formatting import Formatted
    from grimoire.compiler.api.upgrading import Upgraded
    from grimoire.compiler.scenario.report import ScenarioReport
    from grimoire.runtime.plain_data import Json


def check_command(args: argparse.Namespace) -> int:
    cache = Cache()
    diags = check(args.paths, cache)
    if cache.refused is not None:
        say(
            f"note: the cache {make_printable(str(cache.root), 200)} is not used: {cache.refused}; {ENVIRONMENT} can "
            "name a folder for it"
        )
    if args.json or args.format == "json":
        print_json(to_json(diags))
    elif diags:
        report_text(diags, sys.stdout)
    else:
        count = len(find_packages(args.paths, Diagnostics()))
        say(f"{count} package{'' if count == 1 else 's'}: no problems")
    return FINDINGS if any(item.severity != "note" for item in diags) else FINE


def build_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.api.build import build
    from grimoire.runtime.artefact.documents import canonical

    artefact = build(package_folder(args.package))
    data, about = canonical(artefact), artefact["package"]
    assert isinstance(about, dict)
    if args.output == "-":
        sys.stdout.write(data.decode())
        return FINE
    own = args.output is None
    target = Path(f"build/{about['id']}.json") if own else check_target(args.output)
    if target.is_dir():
        raise WrongUse(f"'{make_printable(str(target))}' is a folder: -o wants the name of a file")
    # What nobody asked to be written elsewhere stays here: build/ may have come with a repository, and be a link.
    write_file(target, data, inside=Path() if own else None)
    say(f"{target}: {about['id']} {about['version']}, content {artefact['hash']}")
    return FINE


def schema_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.api.build import compile_path
    from grimoire.compiler.declare.kind_schema import make_schema

    found = compile_path(package_folder(args.package))
    text = json.dumps(make_schema(found.model), ensure_ascii=False, indent=1) + "\n"
    if args.output is None:
        sys.stdout.write(text)
        return FINE
    target = check_target(args.output)
    write_file(target, text.encode())
    say(f"{target}: what stands in files of {found.manifest.id}")
    return FINE


def fmt_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.api.formatting import format_paths

    if args.upgrade:
        return _upgrade(args)
    result = format_paths(args.paths, write=not args.check)
    _report_changes(result, args.check, "formatted")
    count = len(result.changed)
    what = "would change" if args.check else "changed"
    say(f"{result.texts} effect texts in {result.files} files, {count} file{'' if count == 1 else 's'} {what}")
    return FINDINGS if result.diagnostics or result.notes or (args.check and result.changed) else FINE


def _report_changes(result: Formatted | Upgraded, only_check: bool, done: str) -> None:
    """What is wrong, what was noticed, and each file: how it would change, or that it has."""
    if result.diagnostics:
        report_text(result.diagnostics, sys.stderr)
    for note in result.notes:
        say(note)
    for changed in result.changed:
        if only_check:
            sys.stdout.write(changed.diff())
        else:
            say(f"{changed.path}: {done}")


def _upgrade(args: argparse.Namespace) -> int:
    from grimoire.compiler.api.upgrading import upgrade_paths

    result = upgrade_paths(args.paths, write=not args.check)
    _report_changes(result, args.check, "upgraded")
    if result.decisions:
        report_text(result.decisions, sys.stdout)
    counted = len(result.decisions)
    what = "would be upgraded" if args.check else "upgraded"
    places = f"{counted} place{'' if counted == 1 else 's'} to decide"
    say(f"{result.packages} package{'' if result.packages == 1 else 's'} {what}, {places}")
    return FINDINGS if result.diagnostics or result.left or counted or (args.check and result.changed) else FINE


def test_command(args: argparse.Namespace) -> int:
    run_scenarios = import_module("grimoire.compiler.api.scenarios").run_scenarios
    given = args.packages or ["content"]
    diags = Diagnostics()
    roots = find_packages(given, diags)
    if not roots:
        raise WrongUse(diags.sorted()[0].message)
    with progress_bar("scenarios") as tell:
        reports = [run_scenarios(root, name_filter=args.name, progress=tell, cache=Cache()) for root in roots]
    notes = [report.note for report in reports if report.note is not None]
    if notes and len(notes) == len(reports):  # the one that has a guess says most
        raise WrongUse(make_printable(max(notes, key=lambda note: "did you mean" in note), 200))
    if args.json:
        print_json(_merge_reports(reports, [root.name for root in roots]))
    else:
        for report in [report for report in reports if report.note is None]:
            sys.stdout.write(report.render().rstrip("\n") + "\n")
    return FINDINGS if any(report.failed for report in reports) else FINE


def _merge_reports(reports: list[ScenarioReport], names: list[str]) -> dict[str, Json]:
    """One report for several packages: the counts are added up, the rest stands under each package."""
    if len(reports) == 1:
        return reports[0].to_json()
    passed, failed = (sum(counts) for counts in zip(*((r.passed, len(r.failures)) for r in reports), strict=True))
    told = {name: report.to_json() for name, report in zip(names, reports, strict=True)}
    return {"scenarios": passed + failed, "passed": passed, "failed": failed, "packages": told}


def trace_command(args: argparse.Namespace) -> int:
    trace_package = import_module("grimoire.compiler.api.trace").trace_package
    root = package_folder(args.package)
    with progress_bar("scenarios, then broken programs") as tell:
        report = trace_package(root, progress=tell, only=[] if args.name is None else [args.name])
    if args.name is not None and not (report.clauses or report.cards):
        there = f"{report.package} has no clause, card or part of a card '{make_printable(args.name)}'"
        raise WrongUse(f"{there}: grimoire list {report.package} names what it has; * stands for anything")
    if args.json:
        print_json(report.to_json())
    else:
        sys.stdout.write(report.render().rstrip("\n") + "\n")
    return FINDINGS if report.failed else FINE


# --- explain ----------------------------------------------------------------------------------------------------------


def explain_command(args: argparse.Namespace) -> int:
    from grimoire.compiler.diagnostics.codes import CODES
    from grimoire.compiler.reference.errors import register_all

    register_all()
    by_name = {code.name: code for code in CODES.values()}
    wanted = args.code.strip()
    found = CODES.get(wanted.upper()) or by_name.get(wanted.lower())
    if found is None:
        names = [*CODES, *by_name]
        raise WrongUse(f"there is no code '{make_printable(wanted)}'{guess(wanted, names)}; codes look like G0501")
    print(f"{found.code} {found.name} ({found.severity}): {found.title}\n")
    print(found.explanation + "\n")
    print("Example:\n" + "".join(f"    {line}\n" for line in found.example.splitlines()))
    print(f"Repair: {found.repair}")
    return FINE

"""Run the scenarios of a package: tests that are content.

In: a package id or path. Out: a `ScenarioReport`. The package itself must compile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import grimoire.runtime
from grimoire.compiler.cache import Cache
from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, did_you_mean
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.scenario.report import (
    Failure,
    Loaded,
    Progress,
    ScenarioReport,
    file_failure,
    is_selected,
    read_failures,
)
from grimoire.compiler.source.manifest import tool_version
from grimoire.compiler.workspace.sources import Package, package_of
from grimoire.compiler.workspace.store import PackageStore, ask_keeping, folders_key, tool_key
from grimoire.compiler.workspace.workspace import Workspace


def load_scenarios(root: Path, needs: Sequence[Path]) -> Loaded:
    """Compile a package with the texts of its scenarios."""
    workspace, package = Workspace(), package_of(root, list(needs))
    played, scenarios = workspace.played_package(package), workspace.scenarios(package)
    return Loaded(root, workspace.model(package), played, scenarios, find_errors(workspace, package))


def find_errors(workspace: Workspace, package: Package) -> list[Diagnostic]:
    """The errors of a package, and those of its files of scenarios that are of no single scenario."""
    found = [*workspace.compile_problems(package), *workspace.scenario_files_problems(package)]
    return [item for item in found if item.severity == "error"]


def run_scenarios(
    path: str | Path, name_filter: str | None = None, progress: Progress | None = None, cache: Cache | None = None
) -> ScenarioReport:
    """Run the scenarios of the packages meant by a path or an id.

    `name_filter` is a part of a name, or a pattern with `*`. `progress` is told how many are done, of how many, and the
    next name. With a cache, what passed in an earlier run is not played again.
    """
    diags = Diagnostics()
    report = ScenarioReport()
    names: list[str] = []
    found = resolve_paths([path], diags)
    if cache is not None:
        cache.keep_out_of(root for root, _ in found)
    for root, needs in found:
        package = package_of(root, needs)
        if cache is None or name_filter is not None:
            names += run_package(Workspace(), package, name_filter, progress, report)
        else:
            store = PackageStore(
                cache, root, f"{tool_key()} {folders_key(*grimoire.runtime.__path__)} {tool_version()}", "scenarios"
            )
            names += ask_keeping(store, partial(_run_keeping, package, progress, report))
    for d in diags.sorted():
        if d.severity == "error":
            report.failures.append(file_failure(d))
    if name_filter is not None and not report.failures and not report.passed:
        likely = _likely(name_filter, names)
        report.note = f"no scenario is called '{name_filter}'" + (f"; did you mean {likely}?" if likely else "")
    return report


def _run_keeping(package: Package, progress: Progress | None, report: ScenarioReport, kept: PackageStore) -> list[str]:
    return run_package(Workspace(kept), package, None, progress, report)


def run_package(
    workspace: Workspace, package: Package, name_filter: str | None, progress: Progress | None, report: ScenarioReport
) -> list[str]:
    """Run the scenarios of one package into a report; gives the names of all."""
    errors = find_errors(workspace, package)
    names = workspace.scenario_names(package)
    wanted = [name for name in names if is_selected(name, name_filter)]
    failures, passed = [file_failure(item) for item in errors], 0
    mistakes = [read_failures(name, workspace.scenario_problems(package, name)) for name in wanted]
    failures += [failure for found in mistakes for failure in found]
    can_play = not any(item.severity == "error" for item in workspace.compile_problems(package))
    for number, (name, wrong) in enumerate(zip(wanted, mistakes, strict=True) if can_play else ()):
        if progress is not None:
            progress(number, len(wanted), name)
        if wrong:
            continue
        failed = workspace.scenario_failure(package, name)
        if failed is None:
            passed += 1
        else:
            failures.append(Failure(name, failed.span.file, failed.span.line, failed.message, failed.output))
    report.failures += failures
    report.passed += passed
    return names


def _likely(given: str, names: list[str]) -> str:
    """The name that was meant, or some that have a word like one that was given."""
    whole = did_you_mean(given, names)
    if whole is not None:
        return whole
    parts = {name: re.split(r"[^\w]+", name) for name in names}
    said = [part for part in re.split(r"[^\w]+", given) if part]
    near = {did_you_mean(part, {word for words in parts.values() for word in words}) for part in said} | {*said}
    return ", ".join([name for name, words in parts.items() if near & {*words}][:3])

"""Run the scenarios of a package: tests that are content.

In: a package id or path. Out: a `ScenarioReport`. A mistake in a scenario file is a failure with its code and place, as
a check that does not hold is one; the package itself must compile.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, did_you_mean
from grimoire.compiler.package import Compilation, Compiled, compile_content, link
from grimoire.compiler.records import field, record
from grimoire.compiler.resolve import resolve_paths
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.read import ScenarioReader, load_trees
from grimoire.compiler.source.manifest import load_manifest
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.runtime.plain_data import Json

if TYPE_CHECKING:
    from grimoire.runtime import Package

Progress = Callable[[int, int, str], None]


@record(frozen=True)
class Failure:
    """A scenario that failed, or a file that cannot be read (then `id` is empty)."""

    id: str
    file: str
    line: int
    message: str
    output: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"id": self.id, "file": self.file, "line": self.line, "message": self.message, "output": self.output}


@record()
class ScenarioReport:
    """What a run of scenarios found. `note` says that a filter left nothing to run."""

    passed: int = 0
    failures: list[Failure] = field(default_factory=list)
    note: str | None = None

    @property
    def failed(self) -> bool:
        return bool(self.failures)

    def to_json(self) -> dict[str, Json]:
        return {
            "scenarios": self.passed + len(self.failures),
            "passed": self.passed,
            "failed": len(self.failures),
            "failures": [failure.to_json() for failure in self.failures],
        }

    def render(self) -> str:
        """The report for people."""
        lines: list[str] = []
        for failure in self.failures:
            lines.append(f"{failure.file}:{failure.line}: {failure.id or 'scenarios'}: {failure.message}")
            lines.extend("    " + line for line in failure.output.splitlines())
        total = self.passed + len(self.failures)
        lines.extend([self.note] if self.note is not None else [])
        lines.append(f"{total} scenario{'' if total == 1 else 's'}: {self.passed} passed, {len(self.failures)} failed")
        return "\n".join(lines) + "\n"


@record()
class Loaded:
    """A package compiled together with its scenarios. `problems` are those of no single scenario."""

    root: Path
    compiled: Compiled
    scenarios: list[Scenario]
    problems: list[Diagnostic]

    def open(self) -> Package | None:
        """The package that scenarios are played on, if it has no errors."""
        compiled = self.compiled
        if compiled.artefact is None or compiled.diags.has_errors:
            return None
        from grimoire.compiler.scenario.play import with_idle  # who only reads scenarios needs no engine
        from grimoire.runtime import Package, load_artefact

        return Package(None, with_idle(load_artefact(compiled.artefact).artefact))

    @property
    def failures(self) -> list[Failure]:
        """The mistakes in the files, as failures."""
        found = [Failure("", d.span.file, d.span.line, diagnostic_text(d)) for d in self.problems]
        for scenario in self.scenarios:
            errors = [d for d in scenario.problems if d.severity == "error"]
            if errors:
                first, rest = errors[0], errors[1:]
                also = "\n".join(f"also line {d.span.line}: {diagnostic_text(d)}" for d in rest)
                found.append(Failure(scenario.id, first.span.file, first.span.line, diagnostic_text(first), also))
        return found


def diagnostic_text(diagnostic: Diagnostic) -> str:
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    return f"[{diagnostic.code}] {diagnostic.message}{hint}"


def load_scenarios(root: Path, needs: list[Path], reader: SourceReader = DISK) -> Loaded:
    """Compile a package with the texts of its scenarios."""
    own, diags = Diagnostics(), Diagnostics()
    made = compile_content(root, needs, diags, reader)
    scenarios = read_scenarios(made, own, reader) if made is not None else []
    artefact = link(made, reader) if made is not None else None
    problems = [d for d in (*diags.sorted(), *own.sorted()) if d.severity == "error"]
    compiled = Compiled(made.manifest, made.model, artefact, diags) if made else Compiled(None, None, None, diags)
    return Loaded(root, compiled, scenarios, problems)


def read_scenarios(made: Compilation, own: Diagnostics, reader: SourceReader = DISK) -> list[Scenario]:
    """The scenarios of a package, their texts lowered; what belongs to no single one of them is told to `own`."""
    trees = load_trees(made.root, own, reader)
    below = [tree for folder in made.needs for tree in load_trees(folder, Diagnostics(), reader)]
    manifests = [load_manifest(folder, Diagnostics(), reader=reader) for folder in (made.root, *reversed(made.needs))]
    players = next((found.players for found in manifests if found is not None and found.players), (1, 1))
    return [] if made.diags.has_errors else ScenarioReader(made.lowered, players, own).read(trees, below)


def run_scenarios(path: str | Path, name_filter: str | None = None, progress: Progress | None = None) -> ScenarioReport:
    """Run the scenarios of the packages meant by a path or an id.

    `name_filter` is a part of a name, or a pattern with `*`. `progress` is told how many are done, of how many, and the
    next name.
    """
    diags = Diagnostics()
    report = ScenarioReport()
    names: list[str] = []
    for root, needs in resolve_paths([path], diags):
        loaded = load_scenarios(root, needs)
        names.extend(scenario.id for scenario in loaded.scenarios)
        run_loaded(loaded, name_filter, progress, report)
    for d in diags.sorted():
        if d.severity == "error":
            report.failures.append(Failure("", d.span.file, d.span.line, diagnostic_text(d)))
    if name_filter is not None and not report.failures and not report.passed:
        found = _likely(name_filter, names)
        report.note = f"no scenario is called '{name_filter}'" + (f"; did you mean {found}?" if found else "")
    return report


def _likely(given: str, names: list[str]) -> str:
    """The name that was meant, or some that have a word like one that was given."""
    whole = did_you_mean(given, names)
    if whole is not None:
        return whole
    parts = {name: re.split(r"[^\w]+", name) for name in names}
    said = [part for part in re.split(r"[^\w]+", given) if part]
    near = {did_you_mean(part, {word for words in parts.values() for word in words}) for part in said} | {*said}
    return ", ".join([name for name, words in parts.items() if near & {*words}][:3])


def run_loaded(loaded: Loaded, name_filter: str | None, progress: Progress | None, report: ScenarioReport) -> None:
    """Run the scenarios of one package into a report."""
    wanted = [scenario for scenario in loaded.scenarios if is_selected(scenario.id, name_filter)]
    ids = {scenario.id for scenario in wanted}
    report.failures.extend(f for f in loaded.failures if f.id == "" or f.id in ids)
    package = loaded.open()
    if package is None:
        return
    from grimoire.compiler.scenario.play import Stage

    stage = Stage(package)
    for number, scenario in enumerate(wanted):
        if progress is not None:
            progress(number, len(wanted), scenario.id)
        if any(d.severity == "error" for d in scenario.problems):
            continue
        miss = stage.play(scenario)
        if miss is None:
            report.passed += 1
        else:
            report.failures.append(Failure(scenario.id, miss.span.file, miss.span.line, miss.message, miss.output))


def is_selected(name: str, name_filter: str | None) -> bool:
    return name_filter is None or name_filter in name or fnmatch.fnmatchcase(name, name_filter)

"""What a run of scenarios found, and what is run: tests that are content.

A mistake in a scenario file is a failure with its code and place, as a check that does not hold is one.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.records import field, record
from grimoire.compiler.scenario.model import Scenario
from grimoire.runtime.plain_data import Json

if TYPE_CHECKING:
    from grimoire.runtime import Package

MANY = 8  # mistakes of one scenario, besides the first
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
    """The scenarios of a package, and the package that they are played on; there is none when it has errors.
    `problems` are those of no single scenario."""

    root: Path
    model: PackageModel | None
    package: Package | None
    scenarios: list[Scenario]
    problems: list[Diagnostic]

    @property
    def failures(self) -> list[Failure]:
        """The mistakes in the files, as failures."""
        found = [file_failure(d) for d in self.problems]
        return [*found, *(failure for one in self.scenarios for failure in read_failures(one.id, one.problems))]


def file_failure(diagnostic: Diagnostic) -> Failure:
    """A mistake of no single scenario."""
    return Failure("", diagnostic.span.file, diagnostic.span.line, diagnostic_text(diagnostic))


def read_failures(scenario: str, problems: Iterable[Diagnostic]) -> list[Failure]:
    """The mistakes in a scenario, if there are any, as one failure."""
    errors = [d for d in problems if d.severity == "error"]
    if not errors:
        return []
    first, rest = errors[0], errors[1:]
    also = [f"also line {d.span.line}: {diagnostic_text(d)}" for d in rest[:MANY]]
    also += [f"and {len(rest) - MANY} more"] if len(rest) > MANY else []
    return [Failure(scenario, first.span.file, first.span.line, diagnostic_text(first), "\n".join(also))]


def diagnostic_text(diagnostic: Diagnostic) -> str:
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    return f"[{diagnostic.code}] {diagnostic.message}{hint}"


def is_selected(name: str, name_filter: str | None) -> bool:
    return name_filter is None or name_filter in name or fnmatch.fnmatchcase(name, name_filter)

"""Trace a package: every clause of its rulebook, and every part of every card, to the scenarios that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grimoire.compiler.api.build import find_package
from grimoire.compiler.api.scenarios import load_scenarios
from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics
from grimoire.compiler.proof.trace import Tracer, TraceReport
from grimoire.compiler.scenario.equivalents import read_equivalents
from grimoire.compiler.scenario.read import load_trees
from grimoire.compiler.scenario.report import Progress


def trace_package(
    path: str | Path, progress: Progress | None = None, jobs: int = 2, only: Sequence[str] = ()
) -> TraceReport:
    """Trace the clauses and cards of one package; `only` has names or patterns with `*`, and without one everything is
    traced.

    Raises CompileFailed when the package has errors.
    """
    package = find_package(path)
    loaded = load_scenarios(Path(package.root), [Path(folder) for folder in package.needs])
    if loaded.package is None:
        raise CompileFailed(Diagnostics(loaded.problems).sorted())
    trees = load_trees(Path(package.root), Diagnostics())
    equivalents = read_equivalents(trees, Diagnostics())  # mistakes in them are among the problems of the files
    return Tracer(loaded, loaded.package.artefact, progress, jobs, only, equivalents).report

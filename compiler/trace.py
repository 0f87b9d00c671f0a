"""Trace every clause of a rulebook to the program that carries it out and the scenarios that prove it.

In: a package with a ledger of clauses and scenarios. Out: a `TraceReport`. A clause that is a rule is proved when each statement, ability
or declaration that carries it out, once broken, makes at least one of its scenarios fail: trace breaks it and looks.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatch
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grimoire.compiler.checking import resolve_paths
from grimoire.compiler.diagnostics import CompileFailed, Diagnostic, Diagnostics, Span
from grimoire.compiler.mutate import Carrier, Mutant, carriers, mutate, of_definition
from grimoire.compiler.scenario import Loaded, Progress, load_scenarios
from grimoire.compiler.scenario_model import Scenario
from grimoire.compiler.scenario_play import Stage, only_these

# Fewer mutants than this are not worth the start of processes.
WORTH_PROCESSES = 60


@dataclass(slots=True)
class TracedClause:
    """A clause of the ledger and how it fared. `killed` is None for what is no rule."""

    id: str
    kind: str
    numbers: dict[str, Any]
    scenarios: list[str]
    killed: bool | None = None
    reason: str | None = None
    survivors: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        made = {
            "id": self.id, "numbers": self.numbers, "kind": self.kind, "scenarios": self.scenarios, "killed": self.killed,
            "reason": self.reason,
        }  # fmt: skip
        return {**made, "survivors": self.survivors} if self.survivors else made


@dataclass(slots=True)
class TraceReport:
    """The ledger of a package, proved or not. `cards` are traced in the same way, but are not counted."""

    package: str
    clauses: list[TracedClause] = field(default_factory=list)
    cards: list[TracedClause] = field(default_factory=list)
    mutants: int = 0

    @property
    def summary(self) -> dict[str, int]:
        kinds = [clause.kind for clause in self.clauses]
        rules = [clause for clause in self.clauses if clause.kind == "rule"]
        proved = sum(1 for clause in rules if clause.killed)
        return {
            "clauses": len(self.clauses), "rule": len(rules), "definition": kinds.count("definition"),
            "manners": kinds.count("manners"), "proved": proved, "unproved": len(rules) - proved,
        }  # fmt: skip

    @property
    def failed(self) -> bool:
        return self.summary["unproved"] > 0

    def to_json(self) -> dict[str, Any]:
        return {
            "clauses": [clause.to_json() for clause in self.clauses],
            "summary": self.summary,
            "cards": [
                {"id": c.id, "scenarios": c.scenarios, "killed": c.killed, "reason": c.reason} for c in self.cards
            ],
        }

    def render(self) -> str:
        """The report for people: what is not proved, then the counts."""
        lines: list[str] = []
        for clause in self.clauses:
            if clause.kind == "rule" and not clause.killed:
                lines.append(f"{clause.id}: not proved: {clause.reason}")
                lines.extend(f"    survives: {name}" for name in clause.survivors)
        lines.extend(f"card {c.id}: not proved: {c.reason}" for c in self.cards if c.killed is False and c.scenarios)
        unseen = [card.id for card in self.cards if not card.scenarios]
        if unseen:
            names = ", ".join(unseen[:10]) + (", .." if len(unseen) > 10 else "")
            lines.append(f"cards without a scenario: {len(unseen)} ({names})")
        s = self.summary
        lines.append(
            f"{self.package}: {s['clauses']} clauses ({s['rule']} rules, {s['definition']} definitions, {s['manners']} "
            f"table manners), {s['proved']} proved, {s['unproved']} not proved; {self.mutants} broken programs tried"
        )
        return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- trying mutants

Task = tuple[Mutant, tuple[str, ...]]


class _Bench:
    """An artefact and its scenarios in one process."""

    def __init__(self, artefact: dict[str, Any], scenarios: Iterable[Scenario]) -> None:
        self.artefact = artefact
        self.scenarios = {scenario.id: scenario for scenario in scenarios}

    def survives(self, task: Task) -> bool:
        """Whether all scenarios of a task still pass on the mutant. One that cannot be loaded or played is dead."""
        mutant, names = task
        try:
            proving = [self.scenarios[name] for name in names]
            broken = mutate(self.artefact, mutant, sign=False)
            stage = Stage(only_these(broken, {s.start for s in proving if s.start is not None}), trusted=True)
            return all(stage.play(scenario, quiet=True) is None for scenario in proving)
        except Exception:  # whatever a broken program does to the runtime, it does not pass
            return False


_bench: _Bench | None = None


def _open_bench(artefact: dict[str, Any], scenarios: tuple[Scenario, ...]) -> None:
    global _bench
    _bench = _Bench(artefact, scenarios)


def _try(task: Task) -> bool:
    assert _bench is not None
    return _bench.survives(task)


def try_mutants(
    artefact: dict[str, Any], scenarios: list[Scenario], tasks: list[Task], jobs: int, progress: Progress | None
) -> list[bool]:
    """For each task whether its mutant survives, in order."""
    found: list[bool] = []

    def told(results: Iterable[bool]) -> list[bool]:
        for number, result in enumerate(results):
            if progress is not None:
                progress(number, len(tasks), str(tasks[number][0]))
            found.append(result)
        return found

    if jobs < 2 or len(tasks) < WORTH_PROCESSES:
        bench = _Bench(artefact, scenarios)
        return told(bench.survives(task) for task in tasks)
    start = (artefact, tuple(scenarios))
    with ProcessPoolExecutor(jobs, get_context("spawn"), _open_bench, start) as pool:
        return told(pool.map(_try, tasks, chunksize=4))


# ---------------------------------------------------------------- the report


def trace_package(
    path: str | Path, progress: Progress | None = None, jobs: int = 2, only: str | None = None
) -> TraceReport:
    """Trace the clauses of one package; `only` is a name or a pattern with `*`. Raises CompileFailed when it or a scenario file has errors."""
    diags = Diagnostics()
    found = resolve_paths([path], diags)
    if len(found) != 1:
        if found:
            diags.add("G0202", Span.point(str(path)), f"'{path}' holds several packages", "name one of them")
        raise CompileFailed(diags.sorted())
    loaded = load_scenarios(*found[0])
    problems: list[Diagnostic] = [*loaded.problems, *(d for s in loaded.scenarios for d in s.problems)]
    artefact = loaded.artefact
    if artefact is None or any(d.severity == "error" for d in problems):
        raise CompileFailed(Diagnostics(problems).sorted())
    return trace_loaded(loaded, artefact, progress, jobs, only)


def trace_loaded(
    loaded: Loaded, artefact: dict[str, Any], progress: Progress | None, jobs: int, only: str | None = None
) -> TraceReport:
    stage = Stage(artefact)
    failing = {scenario.id for scenario in loaded.scenarios if stage.play(scenario) is not None}
    proving: dict[str, list[str]] = {}
    for scenario in loaded.scenarios:
        for name in dict.fromkeys(scenario.proves):
            proving.setdefault(name, []).append(scenario.id)
    carried: dict[str, list[Carrier]] = {}
    for carrier in carriers(artefact):
        carried.setdefault(carrier.clause, []).append(carrier)

    report = TraceReport(str(artefact["package"]["id"]))
    tasks: list[Task] = []
    waiting: list[tuple[TracedClause, int, int]] = []

    def add(clause: TracedClause, of: list[Carrier]) -> None:
        """Settle a clause, or put its mutants into the list."""
        broken = [name for name in clause.scenarios if name in failing]
        if not of:
            clause.killed, clause.reason = False, "nothing in the package carries it out"
        elif not clause.scenarios:
            clause.killed, clause.reason = False, "no scenario proves it"
        elif broken:
            clause.killed, clause.reason = False, f"the scenario {broken[0]} fails as it is"
        else:
            first = len(tasks)
            tasks.extend((Mutant(carrier, way), tuple(clause.scenarios)) for carrier in of for way in carrier.ways)
            waiting.append((clause, first, len(tasks)))

    own = artefact["package"]["id"]
    for id_, row in artefact["clauses"].items():
        if row.get("package", own) != own or (only is not None and not fnmatch(id_, only)):
            continue  # the package that declares a clause proves it
        clause = TracedClause(id_, row["kind"], row["numbers"] or {}, proving.get(id_, []), None, row.get("reason"))
        report.clauses.append(clause)
        if clause.kind == "rule":
            clause.reason = None
            add(clause, carried.get(id_, []))
    declared = {} if loaded.compiled.model is None else loaded.compiled.model.definitions
    below = {id_ for id_, card in declared.items() if card.package != own} - proving.keys()
    for number, definition in enumerate(artefact["definitions"]):
        if definition["id"] in below or (only is not None and not fnmatch(definition["id"], only)):
            continue  # the package that declares a card proves it
        of = of_definition(artefact, number)
        if of or definition["id"] in proving:
            card = TracedClause(definition["id"], "card", {}, proving.get(definition["id"], []))
            report.cards.append(card)
            if of:
                add(card, of)
    report.mutants = len(tasks)
    results = try_mutants(artefact, loaded.scenarios, tasks, jobs, progress)
    for clause, first, last in waiting:
        clause.survivors = [str(tasks[i][0]) for i in range(first, last) if results[i]]
        clause.killed = not clause.survivors
        if clause.survivors:
            clause.reason = f"its scenarios still pass with this: {clause.survivors[0]}"
    return report


__all__ = ["TraceReport", "TracedClause", "trace_package"]

"""Try mutants on scenarios, on all cores.

In: an artefact, scenarios, mutants, and for each mutant the scenarios to be tried. Out: which mutants no scenario
notices. Also: what each scenario reaches in the artefact, so that only those need be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TypeVar

from grimoire.compiler.proof.mutate import Mutant, mutate
from grimoire.compiler.proof.switch import SwitchStage, is_switchable
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.play import Miss, Stage, only_these
from grimoire.compiler.scenario.report import Progress
from grimoire.runtime import Package
from grimoire.runtime.build.program import program_for
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import ForEach, If, Menu, Pay, Poll, Repeat, Sequence
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.walk import Path

T = TypeVar("T")
R = TypeVar("R")
# How an `if` came out, and that an ability was declined: these have a number, but no place of their own in the
# artefact.
YES, NO, DECLINED = "so", "not", "declined"
# Less work than this is not worth the start of processes.
WORTH_PROCESSES = 60


class _Looked(Stage):
    """A stage that notes what scenarios reach."""

    def ready(self, package: Package, scenario: Scenario) -> None:
        program_for(package, scenario.players, dict(scenario.options), track=True, fuse=False)


@dataclass(slots=True)
class Bench:
    """An artefact with its scenarios and mutants in one process."""

    artefact: Artefact
    scenarios: tuple[Scenario, ...]
    mutants: list[Mutant]
    plain: Stage | None = None
    switch: SwitchStage | None = None
    fit: dict[int, bool] = field(default_factory=dict)  # whether a scenario passes with all mutants off

    def look(self, number: int) -> tuple[Miss | None, list[int]]:
        """Play a scenario on the artefact as it is: how it fails, if it does, and what it reaches."""
        if self.plain is None:
            self.plain = _Looked(Package(None, self.artefact))
        self.plain.reached = set()
        missed = self.plain.play(self.scenarios[number])
        return missed, sorted(self.plain.reached)

    def survives(self, task: tuple[int, tuple[int, ...]]) -> bool:
        """Whether all scenarios of a task still pass on its mutant. What cannot be played is noticed."""
        number, names = task
        mutant = self.mutants[number]
        if not is_switchable(mutant):
            return self.survives_built(mutant, names)
        if self.switch is None:
            self.switch = SwitchStage(self.artefact, self.mutants)
        unfit: list[int] = []
        for name in names:
            if not self.is_fit(name):
                unfit.append(name)
                continue
            self.switch.turn(number + 1)
            if not self.passes(self.switch, name):
                return False
        return not unfit or self.survives_built(mutant, tuple(unfit))

    def is_fit(self, name: int) -> bool:
        assert self.switch is not None
        if name not in self.fit:
            self.switch.turn(0)
            self.fit[name] = self.passes(self.switch, name)
        return self.fit[name]

    def passes(self, stage: Stage, name: int) -> bool:
        try:
            return stage.play(self.scenarios[name], quiet=True) is None
        except Exception:  # whatever a broken program does to the runtime, it does not pass
            return False

    def survives_built(self, mutant: Mutant, names: tuple[int, ...]) -> bool:
        """The same on a program that is built for this one mutant."""
        starts = {start for name in names if (start := self.scenarios[name].start) is not None}
        try:
            stage = Stage(Package(None, only_these(mutate(self.artefact, mutant), starts)))
        except Exception:
            return False
        return all(self.passes(stage, name) for name in names)


_bench: Bench | None = None


def _open(bench: Bench) -> None:
    global _bench
    _bench = bench


def _look(number: int) -> tuple[Miss | None, list[int]]:
    assert _bench is not None
    return _bench.look(number)


def _survives(task: tuple[int, tuple[int, ...]]) -> bool:
    assert _bench is not None
    return _bench.survives(task)


class Benches:
    """One bench, or one in each process."""

    def __init__(self, bench: Bench, jobs: int) -> None:
        self.bench = bench
        self.jobs = jobs

    def share_out(
        self,
        work: list[T],
        here: Callable[[T], R],
        there: Callable[[T], R],
        say: Callable[[T], str],
        progress: Progress | None,
    ) -> list[R]:
        found: list[R] = []

        def tell_each(results: Iterable[R]) -> list[R]:
            for number, result in enumerate(results):
                if progress is not None:
                    progress(number, len(work), say(work[number]))
                found.append(result)
            return found

        if self.jobs < 2 or len(work) < WORTH_PROCESSES:
            return tell_each(here(item) for item in work)
        with ProcessPoolExecutor(self.jobs, get_context("spawn"), _open, (self.bench,)) as pool:
            return tell_each(pool.map(there, work, chunksize=8))

    def look(self, wanted: list[int], progress: Progress | None) -> list[tuple[Miss | None, list[int]]]:
        """What each of these scenarios reaches, and whether it fails."""
        return self.share_out(wanted, self.bench.look, _look, lambda n: self.bench.scenarios[n].id, progress)

    def find_survivors(self, tasks: list[tuple[int, tuple[int, ...]]], progress: Progress | None) -> list[bool]:
        """For each task whether its mutant survives, in order."""
        name = lambda task: str(self.bench.mutants[task[0]])  # noqa: E731
        return self.share_out(tasks, self.bench.survives, _survives, name, progress)


def number_statements(artefact: Artefact) -> dict[Path, int]:
    """The number that `Game.fired` gives to each statement, option and ability, by its path in the artefact."""
    found: dict[Path, int] = {}
    count = 0
    for number, proc in enumerate(artefact.procs):
        for path in _walk_numbered(proc.body, ("procs", number, "body")):
            found[path] = count
            count += 1
    for table, rows in (("abilities", len(artefact.abilities)), ("modifiers", len(artefact.modifiers))):
        for number in range(rows):
            found[table, number] = count
            count += 1
    for number in range(len(artefact.abilities)):
        found["abilities", number, DECLINED] = count
        count += 1
    return found


def _walk_numbered(statement: Statement | None, path: Path) -> Iterator[Path]:
    """Statements and options in the order in which the runtime numbers them: a sequence has no number, a menu is
    followed by its options."""
    if statement is None:
        return
    if isinstance(statement, Sequence):
        for index, inner in enumerate(statement.body):
            yield from _walk_numbered(inner, (*path, "body", index))
        return
    yield path
    match statement:
        case If():
            yield (*path, YES)
            yield (*path, NO)
            yield from _walk_numbered(statement.then, (*path, "then"))
            yield from _walk_numbered(statement.else_, (*path, "else_"))
        case Pay():
            yield from _walk_numbered(statement.cost, (*path, "cost"))
            yield from _walk_numbered(statement.then, (*path, "then"))
            yield from _walk_numbered(statement.else_, (*path, "else_"))
        case ForEach() | Repeat():
            yield from _walk_numbered(statement.body, (*path, "body"))
        case Poll():
            yield from _walk_options(statement.menu, (*path, "menu"))
        case Menu():
            yield from _walk_options(statement, path)


def _walk_options(menu: Menu, path: Path) -> Iterator[Path]:
    for index in range(len(menu.entries)):
        yield (*path, "entries", index)
    for index, entry in enumerate(menu.entries):
        yield from _walk_numbered(entry.body, (*path, "entries", index, "body"))
    yield from _walk_numbered(menu.otherwise, (*path, "otherwise"))


__all__ = ["DECLINED", "NO", "YES", "Bench", "Benches", "number_statements"]

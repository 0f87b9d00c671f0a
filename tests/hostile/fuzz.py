"""Change the content files at random, check what comes out, and play what is accepted: `python -m tests.hostile.fuzz
--number 20000`.

Whatever stands in the files, the compiler answers with diagnostics, within the time that the package itself takes and
two seconds, and a process that has looked at thousands of them stays below a gigabyte. A package that has no errors is
built and played; the runtime answers with its documented errors. Each package is looked at by a process of its own.

A change is found again by package, seed and number: `python -m tests.hostile.fuzz --package abyss --seed 1 --again 17`
shows what goes wrong, and the changed files, cut down to the lines that are needed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from grimoire.compiler import Diagnostic
from grimoire.compiler.api.check import check_packages, full
from grimoire.compiler.api.formatting import format_paths
from grimoire.compiler.api.scenarios import run_scenarios
from grimoire.compiler.cache import Cache
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.resolve import resolve_paths
from grimoire.runtime import Game, GrimoireError, load_artefact, load_game, new_game
from tests.hostile.change_effects import Trees, change_effect
from tests.hostile.change_files import CHANGES, Files, pick
from tests.hostile.change_text import change_bytes, change_words, change_yaml, vocabulary
from tests.hostile.watch import Looker, Report, fewer, key_of, run_lookers, settle
from tests.packages import FOLDERS, LARGE, compile_folder, needs

CONTENT = Path(__file__).parents[2] / "content"
DECISIONS = 40  # of one game
THOROUGH = (
    4  # one in so many is also checked without what is remembered, compiled, formatted, and its scenarios are run
)


class Remembered(Cache):
    """What was found in the package as it stands: a changed file is looked at with all the others known, and nothing is
    written."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull))
        self.packs: dict[str, dict[str, bytes]] = {}
        self.learning = True

    def load_pack(self, name: str) -> dict[str, bytes]:
        return dict(self.packs.get(name, {}))

    def save_pack(self, name: str, entries: dict[str, bytes]) -> None:
        if self.learning:
            self.packs[name] = dict(entries)


# --- one change -------------------------------------------------------------------------------------------------------


def check(root: Path, cache: Cache) -> list[Diagnostic]:
    diags = Diagnostics()
    check_packages(resolve_paths([root], diags), diags, cache)
    return diags.sorted()


def said(items: list[Diagnostic]) -> list[tuple[str, str, int, int, str]]:
    """What must be the same in both ways: all but the caps."""
    return sorted({(i.code, i.span.file, i.span.line, i.span.column, i.message) for i in items if i.code != "G0199"})


def differ(quick: list[Diagnostic], whole: list[Diagnostic]) -> str | None:
    one, two = said(quick), said(whole)
    if one == two:
        return None
    more, less = [item for item in one if item not in two], [item for item in two if item not in one]
    return f"the quick and the full check differ: only the quick one {more[:3]}, only the full one {less[:3]}"


def out_of_place(report: list[Diagnostic]) -> str | None:
    """A report is sorted, and every place in it lies in its file."""
    if report != sorted(report, key=lambda item: (item.span.file, item.span.line, item.span.column)):
        return "the report is not sorted"
    lines: dict[str, int] = {}
    for item in report:
        span = item.span
        if span.file not in lines:
            found = Path(span.file)
            data = found.read_bytes() if found.is_file() else b""
            lines[span.file] = data.count(b"\n") + data.count(b"\r") + 2 if data else 1
        if not (1 <= span.line <= span.end_line <= lines[span.file] and span.column >= 1):
            return f"a place outside of the file: {item}"
        if not item.message or (span.line == span.end_line and span.end_column < span.column):
            return f"a bad diagnostic: {item}"
    return None


def play_on(game: Game, decisions: int, rng: random.Random, report: Report) -> str | None:
    """Some decisions at random; the game is looked at, saved and loaded on the way. What is wrong, or None; documented
    errors are not."""
    try:
        report.games += 1
        for number in range(decisions):
            decision = game.decision
            if decision is None:
                break
            if not decision.options:
                return "a decision without an option"
            if number % 16 == 5:
                for seat in range(game.players):
                    game.view(seat)
                    game.log(seat, choices=True)
                game.why_not("nothing-of-the-sort", decision.seat)
                if load_game(game.package, json.loads(json.dumps(game.save()))).digest() != game.digest():
                    return "a loaded game has another digest"
            game.choose_index(rng.randrange(len(decision.options)))
            report.decisions += 1
    except GrimoireError as error:
        report.faults[type(error).__name__] += 1
    return None


class Fuzzer(Looker):
    """Changed copies of one package."""

    command = "tests.hostile.fuzz --package"

    def __init__(self, folder: Path, package: Path) -> None:
        super().__init__(package.name)
        self.root = folder / package.name
        for name in (package.name, *(needs(package.name) if package.parent == CONTENT else ())):
            shutil.copytree(package.parent / name, folder / name)
        self.large = package.name in LARGE
        self.files: Files = {
            path.relative_to(self.root).as_posix(): path.read_bytes() for path in sorted(self.root.rglob("*.yaml"))
        }
        self.words = vocabulary([data.decode("utf-8") for data in self.files.values()])
        found = resolve_paths([self.root], Diagnostics())
        made = compile_folder(*found[0])
        texts = (
            [] if made.model is None else [text for text in made.model.texts if self.root in Path(text.file).parents]
        )
        self.trees = Trees(texts)
        self.texts = {Path(file).relative_to(self.root).as_posix(): rows for file, rows in self.trees.by_file.items()}
        self.cache = Remembered()
        self.cache.learning = True
        check(self.root, self.cache)
        self.cache.learning = False
        self.measure()

    def measure(self) -> None:
        """The CPU time that the package as it stands takes, with all that is done to a change. Nothing is remembered
        meanwhile: a change of what every card hangs on has all of them looked at again."""
        known, self.cache = self.cache, Remembered()
        self.cache.learning = False
        began = time.process_time()
        wrong = self.inspect(0, thorough=True)
        assert wrong is None, wrong
        self.report.own = max(self.report.own, time.process_time() - began)
        self.cache = known

    def make(self, seed: int, number: int) -> Files:
        """The files of the package with one to four changes."""
        rng = random.Random(f"{seed}/{self.root.name}/{number}")
        files = dict(self.files)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            way = rng.randrange(20)
            if way < 8:
                known = [name for name in self.texts if files.get(name) == self.files[name]]
                if known:
                    name = rng.choice(known)
                    files[name] = change_effect(files[name], self.texts[name], self.trees, rng)
            elif way < 13:
                name = pick(files, rng)
                files[name] = change_words(files[name], rng, self.words)
            elif way < 17:
                rng.choice(CHANGES)(files, rng)
            else:
                name = pick(files, rng)
                files[name] = rng.choice((change_yaml, change_bytes))(files[name], rng, self.words)
        return files

    def inspect(self, number: int, *, thorough: bool) -> str | None:
        """Look at the package as it lies there; what is wrong with the answers, or None."""
        quick = check(self.root, self.cache)
        wrong = out_of_place(quick)
        found = resolve_paths([self.root], Diagnostics())
        if wrong is not None or [root for root, _ in found] != [self.root]:
            return wrong  # no package, or its manifest lies elsewhere
        if thorough:
            wrong = differ(quick, Diagnostics(full(*found[0])).sorted())
            format_paths([self.root], write=False)
        if wrong is not None or any(item.severity == "error" for item in quick):
            return wrong
        self.report.clean += 1
        if thorough and not self.large:
            run_scenarios(self.root)
        compiled = compile_folder(*found[0])
        if compiled.artefact is None or compiled.diags.has_errors:
            return "check finds no error, and compile does"
        package = load_artefact(compiled.artefact)
        rng = random.Random(number)
        counts = range(package.min_players, min(package.max_players, 12) + 1)
        for players in [rng.choice(counts)] if self.large else counts:
            try:
                game = new_game(package, players, rng.randrange(1000))
            except GrimoireError as error:
                self.report.faults[type(error).__name__] += 1
                continue
            wrong = play_on(game, DECISIONS, rng, self.report)
            if wrong is not None:
                return wrong
        return None

    @contextmanager
    def laid(self, files: Files) -> Iterator[None]:
        """Have these files in the folder of the package for a while."""
        changed = {name for name in {*files, *self.files} if files.get(name) != self.files.get(name)}
        self.lay(changed, files)
        try:
            yield
        finally:
            self.lay(changed, self.files)

    def lay(self, names: set[str], files: Files) -> None:
        for name in sorted(names):
            path = self.root / name
            if name in files:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(files[name])
            else:
                path.unlink(missing_ok=True)

    def attempt(self, seed: int, number: int) -> tuple[str, str] | None:
        return self.attempt_files(self.make(seed, number), number)

    def attempt_files(self, files: Files, number: int) -> tuple[str, str] | None:
        """What went wrong with changed files and where, or None."""
        thorough = number % (THOROUGH * 4 if self.large else THOROUGH) == 0
        with self.laid(files):
            return self.guarded(lambda: self.inspect(number, thorough=thorough))

    def shrink(self, seed: int, number: int) -> Files:
        """The changed files without the changes, and without the lines, that the failure does not need."""
        files = self.make(seed, number)
        wrong = self.attempt_files(files, number)
        if wrong is None:
            return {}

        def fails(tried: Files) -> bool:
            found = self.attempt_files(tried, number)
            return found is not None and key_of(found[0]) == key_of(wrong[0])

        for name in sorted({*files, *self.files}):
            if files.get(name) != self.files.get(name):
                back = {**files, name: self.files[name]} if name in self.files else {**files}
                if name not in self.files:
                    del back[name]
                files = back if fails(back) else files
        changed = [name for name in sorted(files) if files[name] != self.files.get(name)]
        for name in changed:
            lines = fewer(
                files[name].split(b"\n"), lambda kept, name=name, files=files: fails(with_lines(files, name, kept))
            )
            files = with_lines(files, name, lines)
        gone = {name: b"(deleted)" for name in self.files if name not in files}
        return {name: files[name] for name in changed} | gone


def with_lines(files: Files, name: str, lines: list[bytes]) -> Files:
    return {**files, name: b"\n".join(lines)}


# --- runs -------------------------------------------------------------------------------------------------------------


def shares(number: int, packages: list[Path]) -> dict[Path, int]:
    """How many changes each package gets: a large one takes a hundred times as long and gets a twentieth, the others
    share the rest."""
    large = [root for root in packages if root.name in LARGE]
    small = [root for root in packages if root.name not in LARGE]
    if number <= 0:
        return {}
    each = max(number // 20, 1) if small else max(number // max(len(large), 1), 1)
    rest = max(number - each * len(large), 0)
    counts = {root: rest // len(small) + (at < rest % len(small)) for at, root in enumerate(small)}
    return {root: counts.get(root, each) for root in packages}


def fuzz(
    number: int,
    seed: int,
    *,
    packages: list[Path] | None = None,
    first: int = 0,
    seconds: float | None = None,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Report]:
    """Look at so many changes of the packages, or as many as there is time for; a report for each package."""
    counts = shares(number, FOLDERS if packages is None else packages)
    lookers = [(root.name, partial(Fuzzer, package=root), count) for root, count in counts.items()]
    return run_lookers(lookers, seed, first=first, seconds=seconds, jobs=jobs, command=Fuzzer.command, tell=tell)


def again(package: Path, seed: int, number: int) -> int:
    """Show one change again, cut down to what is needed."""
    settle()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder), package)
        crash = fuzzer.run(seed, number)
        print(crash or "no crash")
        for name, data in fuzzer.shrink(seed, number).items() if crash is not None else ():
            shown = data.decode("utf-8", "backslashreplace")
            print(
                f"--- {name} ({len(data)} "
                f"bytes)\n{shown if len(shown) < 6000 else shown[:3000] + ' .. ' + shown[-3000:]}"
            )
    return 1 if crash else 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.fuzz", description=__doc__)
    parser.add_argument("--number", type=int, default=20_000, help="changed packages in all")
    parser.add_argument("--seconds", type=float, help="stop after so much time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first change: to go on with a run")
    parser.add_argument("--package", action="append", help="only this package of content/ (may be said several times)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", type=int, metavar="NUMBER", help="show one change again, cut down to what is needed")
    given = parser.parse_args(arguments)
    roots = [root for root in FOLDERS if given.package is None or root.name in given.package]
    if given.again is not None:
        return max(again(root, given.seed, given.again) for root in roots)
    reports = fuzz(given.number, given.seed, packages=roots, seconds=given.seconds, jobs=given.jobs, first=given.first,
                   tell=lambda text: print(text, file=sys.stderr, flush=True))  # fmt: skip
    print(json.dumps([report.plain() for report in reports], ensure_ascii=False, indent=1))
    return 1 if any(report.crashes for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())

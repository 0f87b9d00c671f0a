"""Commands that write files, and disks that fail: what the suite and the soak run both need.

A `Job` is a folder as it was, and a command; a clean run of it gives the folder as it should be. `FaultyOs` stands for
the module `os` where the tool writes, and makes the n-th call that changes the disk fail. Whatever happens, each file
must be the old one or the new one, whole.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from grimoire.compiler.cli import main
from grimoire.compiler.files import TEMPORARY
from tests.cli.sample import write_sample

Tree = dict[str, bytes]
NOISE = ("cache/",)  # what a command keeps for itself
BETWEEN = ("out/book/pages/files.txt",)  # a list of what is written: of old and new files while these are put in place
CHANGING = ("write", "fsync", "replace", "link", "unlink", "mkdir", "rmdir", "chmod", "chown")


class Job(NamedTuple):
    """A command that writes, from the folder that holds everything."""

    name: str
    words: tuple[str, ...]
    stdin: str = ""
    all_or_none: bool = True  # of a failure: every file is as it was
    fails: bool = True  # a failure is the end of the command


JOBS = (
    Job("fmt", ("fmt", "sample")),
    Job("upgrade", ("fmt", "--upgrade", "sample")),
    Job("build", ("build", "sample", "-o", "out/sample.json")),
    Job("build-new", ("build", "sample")),
    Job("schema", ("schema", "sample", "-o", "out/schema.json")),
    Job("record", ("play", "sample", "--bots", "--seed", "3", "--record", "out/replay.json")),
    Job("save", ("play", "sample", "--seat", "1"), "save out/game.json\nquit\n", fails=False),
    Job("export", ("l10n", "export", "sample", "--lang", "uk", "-o", "out/uk.po")),
    Job("import", ("l10n", "import", "sample", "in.po", "--lang", "uk", "--string", "title")),
    Job("accept", ("l10n", "accept", "sample", "--lang", "uk")),
    Job("glossary", ("l10n", "glossary", "sample", "-o", "out/words.csv")),
    Job("edition", ("edition", "sample", "-o", "out/book"), all_or_none=False),
    Job("check", ("check", "sample"), fails=False),
)


def prepare(job: Job, folder: Path) -> None:
    """The folder as it is before a command: texts to format, and files of earlier runs."""
    write_sample(folder / "sample")
    rules = folder / "sample" / "rules.yaml"
    rules.write_text(rules.read_text().replace("is now your", "is  now your"))
    (folder / "sample" / "more.yaml").write_text("verbs:\n  rest:\n    done: rested\n    body: your  coins is now 1\n")
    for language in ("en", "uk"):
        text = folder / "sample" / "text" / f"{language}.yaml"
        text.write_text(
            text.read_text().replace("choices: {", "choices: {rest: r, ").replace("log:\n", "log:\n  rest: '.'\n")
        )
    (folder / "out").mkdir()
    if job.name == "upgrade":
        manifest = folder / "sample" / "package.yaml"
        manifest.write_text(manifest.read_text().replace("language: 2\n", ""))
    if job.name == "import":
        run(folder, ("l10n", "accept", "sample", "--lang", "uk"))
        source = folder / "sample" / "text" / "en.yaml"
        source.write_text(
            source.read_text().replace("title: Sample", "title: Example")
        )  # so that there is a record to write
        run(folder, ("l10n", "export", "sample", "--lang", "uk", "-o", "in.po"))
        po = folder / "in.po"
        po.write_text(po.read_text().replace('msgstr "Зразок"', 'msgstr "Приклад"'))
    if job.name in ("record", "save", "export", "glossary", "build", "edition"):
        # an earlier file of the same sort, from a package that was another one
        texts = folder / "sample" / "text" / "en.yaml"
        now = texts.read_text()
        texts.write_text(
            now.replace("title: Sample", "title: Older").replace("start: {title: s", "start: {title: older")
        )
        run(folder, tuple(word if word != "3" else "4" for word in job.words), job.stdin)
        texts.write_text(now)


class Done(NamedTuple):
    code: int
    said: str


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(folder: Path, words: tuple[str, ...], stdin: str = "") -> Done:
    """Run a command in this process."""
    out = io.StringIO()
    told = contextlib.redirect_stdout(out), contextlib.redirect_stderr(out)
    with inside(folder), told[0], told[1], mock.patch("sys.stdin", io.StringIO(stdin)):
        code = main(list(words))
    return Done(code, out.getvalue())


def tree(folder: Path) -> Tree:
    """All files, but temporary ones."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(NOISE) and not TEMPORARY.match(path.name):
            found[name] = path.read_bytes()
    return found


def left_over(folder: Path) -> list[str]:
    """Temporary files."""
    return [
        path.name
        for path in folder.rglob(".grimoire-*.tmp")
        if not path.relative_to(folder).as_posix().startswith(NOISE)
    ]


def restore(folder: Path, files: Tree) -> None:
    """Make the folder what it was."""
    shutil.rmtree(folder)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "out").mkdir(exist_ok=True)


def broken(now: Tree, before: Tree, after: Tree) -> list[str]:
    """Files that are neither as they were nor as they should be."""
    names = sorted({*now, *before, *after} - {*BETWEEN})
    return [name for name in names if now.get(name) not in (before.get(name), after.get(name))]


Fault = Callable[[str], None]


def failing(number: int) -> Fault:
    def fault(call: str) -> None:
        raise OSError(number, os.strerror(number))

    return fault


def interrupt(call: str) -> None:
    raise KeyboardInterrupt


def kill(call: str) -> None:
    os._exit(9)


FAULTS: dict[str, Fault] = {
    "full": failing(errno.ENOSPC),
    "broken": failing(errno.EIO),
    "refused": failing(errno.EACCES),
    "stopped": interrupt,
}


class FaultyOs:
    """The module `os`, of which call number `at` (from 1) that changes the disk fails; with `lasting` all after it as
    well. A write that fails has written half."""

    def __init__(self, at: int, fault: Fault, *, lasting: bool = False) -> None:
        self.at, self.fault, self.lasting = at, fault, lasting
        self.calls: list[str] = []
        self.written: set[int] = set()

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name in CHANGING:
            return lambda *args, **more: self.call(name, real, args, more)
        return {"open": self.open, "close": self.close}.get(name, real)

    def due(self, name: str) -> bool:
        self.calls.append(name)
        return len(self.calls) == self.at or (self.lasting and len(self.calls) > self.at)

    def call(self, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        if self.due(name):
            if name == "write":
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            self.fault(name)
        return real(*args, **more)

    def open(self, path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            if self.due("open"):
                self.fault("open")
            handle = os.open(path, flags, *rest, **more)
            self.written.add(handle)
            return handle
        return os.open(path, flags, *rest, **more)

    def close(self, handle: int) -> None:
        os.close(handle)
        if handle in self.written:
            self.written.discard(handle)
            if self.due("close"):
                self.fault("close")

    @property
    def fired(self) -> bool:
        return len(self.calls) >= self.at


@contextlib.contextmanager
def faulty(disk: FaultyOs) -> Iterator[FaultyOs]:
    """The tool writes to a disk that fails, and other programs are not asked for."""
    pages = mock.patch(
        "grimoire.compiler.command.edition.build_site",
        lambda files, folder: {"site/index.html": files["pages/docs/index.md"]},
    )
    print_ = mock.patch(
        "grimoire.compiler.command.edition.make_pdf", lambda source, target: target.write_bytes(source.read_bytes())
    )
    with pages, print_, mock.patch("grimoire.compiler.files.os", disk):
        yield disk


def forked(work: Callable[[], None]) -> int:
    """Run something in a copy of this process; how that ended, 9 if it was killed."""
    pid = os.fork()
    if not pid:
        try:
            work()
        except BaseException:
            os._exit(70)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


# --- every position ---------------------------------------------------------------------------------------------------


def clean_run(job: Job, folder: Path) -> tuple[Tree, Tree, int]:
    """The folder before a command and after it, and the number of its calls that change the disk."""
    folder.mkdir()
    with faulty(FaultyOs(0, kill)):
        prepare(job, folder)
    before = tree(folder)
    with faulty(FaultyOs(0, kill)) as disk:
        done = run(folder, job.words, job.stdin)
    assert done.code in (0, 1) and "Traceback" not in done.said, done
    after = tree(folder)
    assert before != after or job.name == "check", "the command wrote nothing"
    return before, after, len(disk.calls)


def positions(calls: int, most: int | None) -> list[int]:
    """Calls from 1 on, all of them or so many over the whole length."""
    if most is None or most >= calls:
        return [*range(1, calls + 1)]
    return [1 + at * calls // most for at in range(most)]


def try_faults(job: Job, folder: Path, most: int | None = None) -> int:
    """Let each call of a command fail in each way, once or from then on. How many runs; at most so many, with one way
    each in turn."""
    before, after, calls = clean_run(job, folder)
    ways = [(name, lasting) for lasting in (False, True) for name in FAULTS]
    runs = 0
    for turn, at in enumerate(positions(calls, most)):
        for name, lasting in ways if most is None else [ways[turn % len(ways)]]:
            restore(folder, before)
            with faulty(FaultyOs(at, FAULTS[name], lasting=lasting)) as disk:
                done = run(folder, job.words, job.stdin)
            where = f"{job.name}, call {at} ({disk.calls[at - 1]}), {name}{', lasting' if lasting else ''}: {done}"
            now = tree(folder)
            assert disk.fired and "Traceback" not in done.said, where
            assert not broken(now, before, after), where
            tolerated = now == after
            if not tolerated and job.all_or_none and not lasting:
                assert now == before, where
            if not tolerated and name != "stopped":
                assert done.code == 1 or not job.fails, where
                assert any(Path(file).name in done.said for file in after), where
                assert any(
                    words in done.said
                    for words in ("nothing is lost", "othing was written", "Nothing is lost", "each of them whole")
                ), where
            if not lasting and disk.calls[at - 1] not in ("unlink", "rmdir"):
                assert not left_over(folder), where
            runs += 1
    return runs


def try_kills(job: Job, folder: Path, most: int | None = None) -> int:
    """End the process at each call of a command, and do it again. How many runs; at most so many."""
    before, after, calls = clean_run(job, folder)
    runs = 0
    for at in positions(calls, most):
        restore(folder, before)

        def work(at: int = at) -> None:
            with faulty(FaultyOs(at, kill)):
                run(folder, job.words, job.stdin)

        assert forked(work) == 9, f"{job.name}, call {at}"
        assert not broken(tree(folder), before, after), f"{job.name}, call {at}"
        with faulty(FaultyOs(0, kill)):
            done = run(folder, job.words, job.stdin)
        assert done.code in (0, 1) and tree(folder) == after, f"{job.name}, again after call {at}: {done}"
        runs += 1
    return runs

"""Change the content files at random and check them: whatever comes out, the compiler answers with diagnostics.

`fuzz(n, seed)` makes n changed packages and gives what went wrong; `make soak` calls it with large numbers. A change is
found again by its seed and number: `python -m tests.hostile.fuzz SEED NUMBER` shows the file, cut down to the lines that
are needed.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from grimoire.compiler import Diagnostic, check
from grimoire.compiler.package import compile_folder
from grimoire.compiler.syntax.parse import grammar_text
from grimoire.runtime import load_artefact
from tests.packages import LARGE

CONTENT = Path(__file__).parents[2] / "content"
LONGEST = 10.0  # seconds for one package; a hundred times what they need


@dataclass(frozen=True, slots=True)
class Crash:
    """One change that was answered with something else than diagnostics."""

    seed: int
    number: int
    package: str
    file: str
    text: str
    what: str
    trace: str

    def __str__(self) -> str:
        return f"{self.what}\n  in {self.package}/{self.file}, seed {self.seed} number {self.number}\n{self.trace}"


class TooSlow(Exception):
    """The compiler needed more than LONGEST seconds."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the block after some seconds (in the main thread of a POSIX system)."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- changes ----------------------------------------------------------------------------------------------------------

_YAML = ["kinds:", "cards:", "verbs:", "procedures:", "abilities:", "zones:", "counters:", "boards:", "values:", "is:",
         "fields:", "states:", "slots:", "body:", "signature:", "window:", "always:", "do:", "only:", "limit:", "true", "no",
         "on", "1e3", "~", "|", ">", "- ", ": ", "{", "}", "[", "]", "&a ", "*a", "!!str ", "<<: ", "---", "#", "'", '"',
         "\t", "\ufeff", "\u202e", "\x00", "é", "999999999999", "-1", "0", "number", "flag", "player", "card", "set of ",
         "optional ", "<number>", "<card>", "to", "and", "or", "of"]  # fmt: skip


def vocabulary(texts: list[str]) -> list[str]:
    """The words of the grammar, of YAML and of the content itself."""
    keywords = sorted(set(re.findall(r'"([^"\n]+)"', grammar_text())))
    words = sorted({word for text in texts for word in re.findall(r"[a-z][a-z0-9-]*", text)})
    return [*keywords, *keywords, *_YAML, *words]


def change(text: str, rng: random.Random, words: list[str]) -> str:
    """One to four random changes of a text."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        text = rng.choice(_CHANGES)(text, rng, words)
    return text


def _lines(
    edit: Callable[[list[str], random.Random, list[str]], None],
) -> Callable[[str, random.Random, list[str]], str]:
    def made(text: str, rng: random.Random, words: list[str]) -> str:
        lines = text.split("\n")
        edit(lines, rng, words)
        return "\n".join(lines)

    return made


def _delete(lines: list[str], rng: random.Random, _: list[str]) -> None:
    del lines[rng.randrange(len(lines))]
    if not lines:
        lines.append("")


def _double(lines: list[str], rng: random.Random, _: list[str]) -> None:
    at = rng.randrange(len(lines))
    lines.insert(rng.randrange(len(lines) + 1), lines[at])


def _swap(lines: list[str], rng: random.Random, _: list[str]) -> None:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _indent(lines: list[str], rng: random.Random, _: list[str]) -> None:
    at = rng.randrange(len(lines))
    width = rng.choice((1, 2, 4))
    lines[at] = " " * width + lines[at] if rng.random() < 0.5 else lines[at].removeprefix(" " * width)


def _word(lines: list[str], rng: random.Random, words: list[str]) -> None:
    """Another word in the place of a word, before it or instead of nothing."""
    at = rng.randrange(len(lines))
    found = list(re.finditer(r"[A-Za-z0-9§.-]+|[^\sA-Za-z0-9]", lines[at]))
    if not found:
        lines[at] += rng.choice(words)
        return
    hit = rng.choice(found)
    new = rng.choice(("", rng.choice(words), rng.choice(words), rng.choice(words) + " " + hit[0], f"{hit[0]} {hit[0]}"))
    lines[at] = lines[at][: hit.start()] + new + lines[at][hit.end() :]


def _flip(text: str, rng: random.Random, _: list[str]) -> str:
    if not text:
        return "x"
    at = rng.randrange(len(text))
    return text[:at] + chr(rng.choice((ord(text[at]) ^ 1, rng.randrange(32, 127), 0x430))) + text[at + 1 :]


def _cut(text: str, rng: random.Random, _: list[str]) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _insert(text: str, rng: random.Random, words: list[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + " ".join(rng.choice(words) for _ in range(rng.randint(1, 3))) + text[at:]


def _repeat(text: str, rng: random.Random, _: list[str]) -> str:
    at = rng.randrange(len(text) + 1)
    part = text[at : at + rng.randint(1, 12)]
    return text[:at] + part * rng.choice((2, 3, 50)) + text[at:]


_CHANGES = [_lines(_delete), _lines(_double), _lines(_swap), _lines(_indent), _flip, _insert, _repeat, _cut,
            *[_lines(_word)] * 6]  # fmt: skip


# --- runs -------------------------------------------------------------------------------------------------------------


def inspect(root: Path, both: bool) -> str | None:
    """Check a package, and compile it as well if `both`; what is wrong with the answer, or None."""
    quick = check([root])
    if both:
        compiled = compile_folder(root, [])
        one, two = said(quick), said(compiled.diags.sorted())
        if one != two:
            more, less = [item for item in one if item not in two], [item for item in two if item not in one]
            return f"check and compile differ: only check {more[:3]}, only compile {less[:3]}"
        if compiled.artefact is not None and not compiled.diags.has_errors:
            load_artefact(compiled.artefact)
    if quick != sorted(quick, key=lambda item: (item.span.file, item.span.line, item.span.column)):
        return "the report is not sorted"
    lines: dict[str, int] = {}
    for item in quick:
        span = item.span
        if span.file not in lines:
            found = Path(span.file)
            lines[span.file] = (
                found.read_bytes().count(b"\n") + found.read_bytes().count(b"\r") + 2 if found.is_file() else 1
            )
        if not (1 <= span.line <= span.end_line <= lines[span.file] and span.column >= 1):
            return f"a place outside of the file: {item}"
        if not item.message or (span.line == span.end_line and span.end_column < span.column):
            return f"a bad diagnostic: {item}"
    return None


def said(items: list[Diagnostic]) -> list[tuple[str, str, int, int, str]]:
    """What must be the same in both ways: all but the caps and the scenarios, which only check reads."""
    return sorted(
        {
            (i.code, i.span.file, i.span.line, i.span.column, i.message)
            for i in items
            if i.code != "G0199" and not re.search("/(scenarios|l10n)/", i.span.file)
        }
    )


def attempt(root: Path, both: bool) -> tuple[str, str] | None:
    """What went wrong with a package and where, or None."""
    try:
        with time_limit(LONGEST):
            wrong = inspect(root, both)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if "grimoire" in frame.filename or "compiler" in frame.filename] or frames
        where = " < ".join(f"{Path(frame.filename).name}:{frame.name}" for frame in reversed(own[-3:]))
        return f"{type(error).__name__}: {str(error)[:200]} at {where}", traceback.format_exc(limit=-8)
    return None if wrong is None else (wrong, "")


class Fuzzer:
    """Changed copies of the packages in content/, one file at a time."""

    def __init__(self, folder: Path, content: Path = CONTENT, *, thorough: bool = True) -> None:
        self.thorough = thorough
        self.roots: list[tuple[Path, str, str]] = []
        for package in sorted(path.parent for path in content.glob("*/package.yaml") if path.parent.name not in LARGE):
            root = folder / package.name
            shutil.copytree(package, root)
            for path in sorted(root.rglob("*.yaml")):
                self.roots.append((root, path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")))
        self.words = vocabulary([text for _, _, text in self.roots])

    def make(self, seed: int, number: int) -> tuple[Path, str, str, str]:
        """Package, file, its text and the changed text."""
        rng = random.Random(f"{seed}/{number}")
        root, name, text = self.roots[rng.randrange(len(self.roots))]
        return root, name, text, change(text, rng, self.words)

    def run(self, seed: int, number: int) -> Crash | None:
        root, name, text, changed = self.make(seed, number)
        wrong = self.attempt(root, name, text, changed, self.thorough or number % 4 == 0)
        return None if wrong is None else Crash(seed, number, root.name, name, changed, *wrong)

    def attempt(self, root: Path, name: str, text: str, changed: str, both: bool = True) -> tuple[str, str] | None:
        (root / name).write_text(changed, encoding="utf-8", errors="surrogatepass")
        try:
            return attempt(root, both)
        finally:
            (root / name).write_text(text, encoding="utf-8")

    def shrink(self, seed: int, number: int) -> str:
        """The changed file without the lines that the failure does not need."""
        root, name, text, changed = self.make(seed, number)
        wrong = self.attempt(root, name, text, changed)
        if wrong is None:
            return changed
        lines = changed.split("\n")
        size = max(len(lines) // 2, 1)
        while True:
            at = 0
            while at < len(lines):
                fewer = lines[:at] + lines[at + size :]
                now = self.attempt(root, name, text, "\n".join(fewer))
                if (
                    now is not None
                    and now[0].split(":")[0] == wrong[0].split(":")[0]
                    and now[0][-40:] == wrong[0][-40:]
                ):
                    lines = fewer
                else:
                    at += size
            if size == 1:
                return "\n".join(lines)
            size = max(size // 2, 1)


def fuzz(n: int, seed: int, progress: Callable[[int], None] | None = None, *, thorough: bool = True) -> list[Crash]:
    """Check n changed packages; the crashes, one for each place where one happens.

    A thorough run also compiles each of them and compares what is said; otherwise only one in four.
    """
    before = os.environ.get("GRIMOIRE_CACHE")
    os.environ["GRIMOIRE_CACHE"] = "off"
    found: dict[str, Crash] = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            fuzzer = Fuzzer(Path(folder), thorough=thorough)
            for number in range(n):
                crash = fuzzer.run(seed, number)
                if crash is not None:
                    found.setdefault(re.sub(r"[0-9]+|'[^']*'|\"[^\"]*\"", "", crash.what.replace(folder, "")), crash)
                if progress is not None:
                    progress(number + 1)
    finally:
        if before is None:
            del os.environ["GRIMOIRE_CACHE"]
        else:
            os.environ["GRIMOIRE_CACHE"] = before
    return list(found.values())


def main() -> None:
    seed, number = int(sys.argv[1]), int(sys.argv[2])
    os.environ["GRIMOIRE_CACHE"] = "off"
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder))
        crash = fuzzer.run(seed, number)
        print(crash or "no crash")
        if crash is not None:
            print(fuzzer.shrink(seed, number))


if __name__ == "__main__":
    main()

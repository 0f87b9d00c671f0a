"""Check the base package with one more file, and read the expectations written into case files.

The format of the case files is described in cases/README.md.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from grimoire.compiler import Diagnostic, check
from grimoire.compiler.reference.errors import register_all

register_all()

HERE = Path(__file__).parent
BASE = HERE / "base"
CASES = HERE / "cases"
EXTRA = "example.yaml"
# Words that nothing uses: most cases declare a verb that nobody calls.
UNUSED = "G0704"
# What is said beside it, unless a case wants it: words that nothing uses, texts that are missing where there is one.
BESIDE = (UNUSED, "G0901", "G0905", "G0910")

_FILE = re.compile(r"# file: (\S+)\n")
_HEAD = re.compile(r"=== (.+)")
_MARK = re.compile(r" *# ! ")
_WANTED = re.compile(r"(?P<code>G\d{4})(?: «(?P<quoted>[^»]*)»(?P<nth>\d+)?| @(?P<column>\d+))?(?: (?P<words>.+))?\Z")


def extra_name(text: str) -> str:
    """The file that an example is: example.yaml, unless its first line names another one."""
    found = _FILE.match(text)
    return found[1] if found else EXTRA


def check_with(text: str, folder: Path, name: str = EXTRA) -> list[Diagnostic]:
    """What `check` says about the base package with one more file, or with one file of it replaced."""
    root = folder / "base"
    if root.exists():
        shutil.rmtree(root)
    shutil.copytree(BASE, root)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    return check([root])


def show(item: Diagnostic) -> str:
    """A diagnostic on one line, for messages of failing tests."""
    span = item.span
    place = f"{Path(span.file).name}:{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    return f"{place} {item.code} {item.message} | {item.hint}"


# --- case files -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """One expectation: a code on a line, perhaps the exact column and the words that must be said."""

    line: int
    code: str
    column: int | None = None
    end: int | None = None  # column after the last character; None when the span goes on over the line
    words: str = ""

    def met_by(self, item: Diagnostic) -> bool:
        span = item.span
        if (span.line, item.code) != (self.line, self.code):
            return False
        if self.column is not None and span.column != self.column:
            return False
        if self.end is not None and (span.end_line, span.end_column) != (span.line, self.end):
            return False
        return self.words in f"{item.message} | {item.hint or ''}"

    def __str__(self) -> str:
        place = "" if self.column is None else f":{self.column}"
        return f"line {self.line}{place} {self.code} {self.words}"


@dataclass(frozen=True, slots=True)
class Case:
    """One wrong file: its text without the expectations, and the expectations."""

    title: str
    text: str
    wanted: tuple[Wanted, ...]
    lines: tuple[str, ...] = ()  # as they stand in the case file

    def complaint(self, found: list[Diagnostic]) -> str | None:
        """What was said and not expected, or expected and not said; None when all is as it should be."""
        open_ = list(self.wanted)
        for item in self.worth_saying(found):
            met = next((wanted for wanted in open_ if wanted.met_by(item)), None)
            if met is None or not item.span.file.endswith(f"/{extra_name(self.text)}"):
                return f"not expected: {show(item)}"
            open_.remove(met)
        return f"not said: {', '.join(map(str, open_))}" if open_ else None

    def worth_saying(self, found: list[Diagnostic]) -> list[Diagnostic]:
        wanted = {one.code for one in self.wanted}
        return [item for item in found if item.code not in BESIDE or item.code in wanted]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, in order."""
    cases: list[Case] = []
    title = ""
    lines: list[str] = []
    for line in [*path.read_text(encoding="utf-8").split("\n"), "=== end"]:
        head = _HEAD.match(line)
        if head is None:
            lines.append(line)
            continue
        if title:
            cases.append(make_case(title, lines))
        elif any(text and not text.startswith("#") for text in lines):
            raise ValueError(f"{path}: text before the first === line")
        title, lines = head[1], []
    return cases


def make_case(title: str, lines: list[str]) -> Case:
    text: list[str] = []
    wanted: list[Wanted] = []
    for number, line in enumerate(lines, 1):
        bare, *marks = _MARK.split(line)
        text.append(bare)
        wanted.extend(read_wanted(mark, number, bare) for mark in marks)
    return Case(title, "\n".join(text).rstrip("\n") + "\n", tuple(wanted), tuple(lines))


def read_wanted(mark: str, number: int, bare: str) -> Wanted:
    found = _WANTED.match(mark.strip())
    if found is None:
        raise ValueError(f"not an expectation: {mark!r}")
    words = found["words"] or ""
    if found["column"]:
        return Wanted(number, found["code"], int(found["column"]), None, words)
    if found["quoted"] is None:
        return Wanted(number, found["code"], None, None, words)
    quoted = found["quoted"]
    goes_on = quoted.endswith("…")
    quoted = quoted.removesuffix("…")
    at = -1
    for _ in range(int(found["nth"] or 1)):
        at = bare.find(quoted, at + 1)
        if at < 0:
            raise ValueError(f"line {number}: {quoted!r} does not stand there")
    return Wanted(number, found["code"], at + 1, None if goes_on else at + 1 + len(quoted), words)


def write_wanted(item: Diagnostic, line: str) -> str:
    """The expectation that a diagnostic meets, as it is written into a case file."""
    span = item.span
    one_line = span.end_line == span.line
    quoted = line[span.column - 1 : span.end_column - 1 if one_line else len(line)]
    words = item.message
    if item.hint and "did you mean" not in words:
        words = item.hint
    if not quoted.strip() or "»" in quoted or "# !" in quoted:
        return f"# ! {item.code} @{span.column} {words}"
    nth, at = 1, line.find(quoted)
    while at != span.column - 1:
        nth, at = nth + 1, line.find(quoted, at + 1)
    return f"# ! {item.code} «{quoted}{'' if one_line else '…'}»{nth if nth > 1 else ''} {words}"

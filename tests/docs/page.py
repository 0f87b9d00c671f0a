"""Follow a page of the docs: write its files, run its commands and its Python, compare what it shows. See README.md
here."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

from grimoire.compiler.cli import main

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^(?:(?P<how>Add to|In) )?`(?P<file>[\w./-]+)`:$")
_CODE = re.compile(r"\s+# exit code (\d+)$")
_TYPED = re.compile(r"\(help\): ?(.+)$", re.MULTILINE)


class Wrong(AssertionError):
    """The page does not say what happens."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line that it begins at, the line of text before it, its place in the
    page."""

    language: str
    text: str
    line: int
    before: str
    start: int


@dataclass
class Command:
    """A command of a console block and the output that the page shows."""

    line: str
    shown: str

    @property
    def code(self) -> int:
        found = _CODE.search(self.line)
        return int(found[1]) if found else 0

    @property
    def words(self) -> list[str]:
        return shlex.split(_CODE.sub("", self.line))


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page."""
    found = []
    for match in _FENCE.finditer(text):
        lines = text[: match.start()].rstrip().splitlines()
        number = text.count("\n", 0, match.start()) + 1
        found.append(Block(match[1], match[2], number, lines[-1] if lines else "", match.start(2)))
    return found


def commands(text: str) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif found:
            found[-1].shown += line + "\n"
        else:
            raise Wrong(f"output without a command: {line}")
    return found


def run(command: Command) -> tuple[int, str]:
    """Exit code and output of a command, both streams in the order of writing."""
    words = command.words
    if words[0] == "mkdir":
        for name in words[1:]:
            if not name.startswith("-"):
                Path(name).mkdir(parents=True)
        return 0, ""
    if words[0] != "grimoire":
        raise Wrong(f"pages run grimoire and mkdir, not {words[0]}")
    out = io.StringIO()
    typed = io.StringIO("".join(f"{answer}\n" for answer in _TYPED.findall(command.shown)))
    with redirect_stdout(out), redirect_stderr(out), patch.object(sys, "stdin", typed):
        code = main(words[1:])
    return code, tidy(out.getvalue())


def tidy(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def fits(shown: str, found: str) -> bool:
    """Whether an output is the one shown; `...` stands for any text of a line, or for any lines."""
    pattern = ""
    for line in tidy(shown).splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, found) is not None


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    old = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(old)


class Reader:
    """Follows one page in the present folder. With `update` a changed output is kept for `updated` instead of
    refused."""

    def __init__(self, text: str, update: bool = False) -> None:
        self.text = text
        self.update = update
        self.fresh: list[tuple[Block, str]] = []
        self.left: list[str] = []
        self.names: dict[str, Any] = {"__name__": "page"}
        self.printed = ""

    def follow(self) -> None:
        for block in blocks(self.text):
            try:
                self.block(block)
            except Wrong as wrong:
                raise Wrong(f"line {block.line}: {wrong}") from None

    @property
    def updated(self) -> str:
        """The page with the outputs that have come."""
        text = self.text
        for block, said in reversed(self.fresh):
            text = text[: block.start] + said + text[block.start + len(block.text) :]
        return text

    def block(self, block: Block) -> None:
        named = _FILE.match(block.before)
        if block.language == "console":
            self.console(block)
        elif block.language == "python":
            self.python(block)
        elif named is not None:
            self.file(Path(named["file"]), named["how"], block)
        elif block.language == "text" and block.before == "It prints:":
            if not fits(block.text, self.printed):
                raise Wrong(f"the page shows\n{block.text}\nand this was printed\n{self.printed}")
        elif block.language == "yaml":
            yaml.safe_load(block.text)
        elif block.language == "json":
            json.loads(block.text)
        else:
            raise Wrong(f"nothing says what to do with this block of {block.language}")

    def file(self, file: Path, how: str | None, block: Block) -> None:
        if how is None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
            return
        text = file.read_text(encoding="utf-8")
        if how == "Add to":
            file.write_text(text + block.text, encoding="utf-8")
            return
        lines = block.text.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if line[0] in "- ")
        new = "".join(f"{line[1:]}\n" for line in lines if line[0] in "+ ")
        if block.language != "diff" or text.count(old) != 1:
            raise Wrong(f"{file} has {text.count(old)} times\n{old}")
        file.write_text(text.replace(old, new), encoding="utf-8")

    def console(self, block: Block) -> None:
        said = ""
        wrong = ""
        for command in commands(block.text):
            code, found = run(command)
            said += f"$ {command.line}\n{found}"
            if code != command.code:
                raise Wrong(f"$ {command.line}\nexit code {code}, not {command.code}\n{found}")
            if not fits(command.shown, found):
                wrong = wrong or f"$ {command.line}\nthe page shows\n{command.shown}\nand this came\n{found}"
        if wrong and not self.update:
            raise Wrong(wrong)
        if wrong and "..." in block.text:
            self.left.append(f"line {block.line}: {wrong}")
        elif wrong:
            self.fresh.append((block, said))

    def python(self, block: Block) -> None:
        out = io.StringIO()
        ast.parse(block.text)
        with redirect_stdout(out):
            exec(compile("\n" * block.line + block.text, "page", "exec"), self.names)
        self.printed = tidy(out.getvalue())

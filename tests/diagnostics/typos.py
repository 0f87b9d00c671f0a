"""Single typos in the words of content, and what `check` says of each.

    python -m tests.diagnostics.typos --number 200

A word of a content file is an id, a key, a word of an effect, a kind, a heading, a word of a scenario. In one of them
at a time a letter is dropped, doubled, swapped with the next or replaced, and the package is checked in a living
workspace. Counted are the typos whose first message stands on their own line, those for which the right word is
proposed there, those with no other message, and those that nothing is said of.

Not counted as wrong: prose (names, prompts, flavour, clauses, reasons), which has no right word; a word that stands
nowhere else in the package and is no word of the language, which is then only called otherwise; and a typo that makes
another word of the package or the language, which no reader could tell from a word that was meant.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.workspace.sources import package_of
from grimoire.compiler.workspace.workspace import Workspace
from tests.packages import CONTENT

TRIED = ("tic-tac-toe", "leduc", "love-letter", "abyss", "unfathomable")
WAYS = ("drop", "double", "swap", "replace")
_WORD = re.compile(r"[A-Za-z](?:[A-Za-z0-9]|[-'](?=[A-Za-z0-9]))*")
_QUOTED = re.compile(r"[A-Za-z][A-Za-z0-9'-]*")
_REMARK = re.compile(r"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
# Values that are prose wherever they stand, and those of files of texts that are words of the tool.
PROSE = {"title", "reason", "reasons", "note", "version", "package", "authors", "license", "unverified", "because"}
TOOL_VALUES = {"gender", "animate"}
GRAMMAR = Path(__file__).parents[2] / "grammar" / "effects.lark"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a file: where it stands, and whether it names an entry of a section."""

    path: Path
    start: int
    line: int
    text: str
    role: str  # the keys above it, for the report


@dataclass(frozen=True, slots=True)
class Typo:
    """A word with one letter wrong, in its file."""

    word: Word
    wrong: str
    way: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check said of a typo."""

    typo: Typo
    found: tuple[Diagnostic, ...]

    @property
    def is_silent(self) -> bool:
        return not self.found

    @property
    def is_on_line(self) -> bool:
        return bool(self.found) and self._stands_there(self.found[0])

    @property
    def is_proposed(self) -> bool:
        """The right word stands in the first message on the line of the typo."""
        first = next((item for item in self.found if self._stands_there(item)), None)
        if first is None:
            return False
        said = f"{first.message} {first.hint or ''}".replace(f'"{self.typo.wrong}"', "")
        return self.typo.word.text in {word.strip("'-") for word in _QUOTED.findall(said)}

    @property
    def is_alone(self) -> bool:
        return len(self.found) == 1

    def _stands_there(self, item: Diagnostic) -> bool:
        word = self.typo.word
        return item.span.line == word.line and Path(item.span.file) == word.path

    def show(self) -> str:
        word, typo = self.typo.word, self.typo
        marks = "".join(
            letter if good else "-"
            for letter, good in zip("LPA", (self.is_on_line, self.is_proposed, self.is_alone), strict=True)
        )
        head = f"{marks} {word.path.relative_to(CONTENT)}:{word.line} [{word.role}] {word.text} -> {typo.wrong}"
        rows = [
            f"    {Path(item.span.file).name}:{item.span.line} {item.code} {item.message} | {item.hint}"
            for item in self.found[:4]
        ]
        more = [f"    .. {len(self.found)} in all"] if len(self.found) > 4 else []
        return "\n".join([head, *rows, *more])


# ------------------------------------------------------------ the words of a package


@cache
def language_words() -> frozenset[str]:
    """The words of the effect language."""
    return frozenset(re.findall(r'"([a-z]+)"', GRAMMAR.read_text(encoding="utf-8")))


def files_of(root: Path) -> list[Path]:
    """The files that authors and localisers write: not what the tool keeps of translations."""
    return sorted(path for path in root.rglob("*.yaml") if path.relative_to(root).parts[0] != "l10n")


def words_of(path: Path, root: Path) -> Iterator[Word]:
    """The words of a file that are no prose, in order."""
    text = path.read_text(encoding="utf-8")
    first = path.relative_to(root).parts[0]
    is_text = first == "text"
    tree = yaml.compose(text)
    for node, role, is_key in _scalars(tree, ()):
        if _is_prose(role, is_key, is_text, first == "scenarios"):
            continue
        start, end = node.start_mark.index, node.end_mark.index
        raw = _REMARK.sub(lambda found: " " * len(found[0]), text[start:end])
        if "{" in raw and is_text:
            continue
        for found in _WORD.finditer(raw):
            at = start + found.start()
            yield Word(path, at, text.count("\n", 0, at) + 1, found[0], "/".join(role[-3:]) + ("*" if is_key else ""))


def _scalars(node: yaml.Node | None, role: tuple[str, ...]) -> Iterator[tuple[yaml.ScalarNode, tuple[str, ...], bool]]:
    """All scalars with the keys above them; the key of an entry itself is told from its value."""
    match node:
        case yaml.ScalarNode():
            yield node, role, False
        case yaml.SequenceNode():
            for item in node.value:
                yield from _scalars(item, role)
        case yaml.MappingNode():
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode):
                    yield key, role, True
                    yield from _scalars(value, (*role, key.value))
        case _:
            pass


def _is_prose(role: tuple[str, ...], is_key: bool, is_text: bool, is_scenario: bool) -> bool:
    if is_scenario and is_key and len(role) == 1:
        return True  # scenarios have names that nothing reads
    if is_text and not is_key:
        return not role or role[-1] not in TOOL_VALUES
    if is_scenario and role[:1] == ("equivalent",) and (len(role) > 2 or (is_key and len(role) == 2)):
        return True  # what trace says of a broken program, and a reason
    return any(key in PROSE for key in role)


# ------------------------------------------------------------ typos


def misspell(word: str, way: str, chance: random.Random) -> str:
    """A word with one letter wrong; the same word where the way changes nothing."""
    letters = [at for at, char in enumerate(word) if char.isalpha()]
    at = chance.choice(letters)
    if way == "drop":
        return word[:at] + word[at + 1 :]
    if way == "double":
        return word[:at] + word[at] + word[at:]
    if way == "swap":
        pairs = [i for i in range(len(word) - 1) if word[i].isalpha() and word[i + 1].isalpha()]
        if not pairs:
            return word
        at = chance.choice(pairs)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + chance.choice(string.ascii_lowercase) + word[at + 1 :]


class Typist:
    """Plants typos in a package, one at a time, and takes each back."""

    def __init__(self, name: str, only: str = "") -> None:
        self.root = CONTENT / name
        self.package = package_of(self.root, [])
        self.workspace = Workspace()
        everything = [word for path in files_of(self.root) for word in words_of(path, self.root)]
        self.known = Counter(word.text for word in everything)
        self.words = [
            word
            for word in everything
            if len(word.text) > 1
            and (self.known[word.text] > 1 or word.text in language_words())
            and re.search(only, f"{word.path.relative_to(self.root)}:{word.role}")
        ]
        before = self.workspace.problems(self.package)
        if before:
            raise ValueError(f"{name} is not clean: {before[0].message}")

    def draw(self, number: int, seed: int) -> list[Typo]:
        """So many typos by chance: each file as likely as it has words."""
        chance = random.Random(f"{self.root.name} {seed}")
        typos: list[Typo] = []
        for _ in range(50 * number):
            word, way = chance.choice(self.words), chance.choice(WAYS)
            wrong = misspell(word.text, way, chance)
            if wrong == word.text or not self._is_wrong(wrong):
                continue
            typos.append(Typo(word, wrong, way))
            if len(typos) == number:
                break
        return typos

    def _is_wrong(self, text: str) -> bool:
        return bool(_WORD.fullmatch(text)) and text not in self.known and text not in language_words()

    def judge(self, typo: Typo) -> Verdict:
        """The check of the package with the typo in it."""
        word = typo.word
        text = word.path.read_text(encoding="utf-8")
        self.workspace.edit(word.path, text[: word.start] + typo.wrong + text[word.start + len(word.text) :])
        found = tuple(self.workspace.problems(self.package))
        self.workspace.edit(word.path, None)
        return Verdict(typo, found)


def summary(verdicts: Sequence[Verdict]) -> dict[str, int | float]:
    """Shares of all typos, in percent."""
    number = len(verdicts)

    def share(holds: Callable[[Verdict], bool]) -> float:
        return round(100 * sum(map(holds, verdicts)) / number, 1) if number else 0.0

    return {
        "typos": number,
        "line": share(lambda one: one.is_on_line),
        "word": share(lambda one: one.is_proposed),
        "alone": share(lambda one: one.is_alone),
        "silent": sum(one.is_silent for one in verdicts),
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.diagnostics.typos", description=__doc__)
    parser.add_argument("--number", type=int, default=100, help="typos in each package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--package", action="append", choices=TRIED, help="only this one (may be said several times)")
    parser.add_argument("--only", default="", help="only words whose file and keys match this pattern")
    parser.add_argument("--show", choices=("none", "bad", "all"), default="bad", help="which of them to print")
    given = parser.parse_args(arguments)
    every: list[Verdict] = []
    rows: dict[str, dict[str, int | float]] = {}
    for name in given.package or TRIED:
        typist = Typist(name, given.only)
        verdicts = [typist.judge(typo) for typo in typist.draw(given.number, given.seed)]
        every += verdicts
        rows[name] = summary(verdicts)
        for one in verdicts:
            is_good = one.is_on_line and one.is_proposed and one.is_alone
            if given.show == "all" or (given.show == "bad" and not is_good):
                print(one.show(), flush=True)
    rows["all"] = summary(every)
    print(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Tidiness of every text file of the project: UTF-8, lines that end as lines do here, no space at their ends, YAML and
TOML that can be read.

python -m tests.tidy [FILE ..]     # what is wrong, one a line; exit code 1 if anything is

Without names: every file under version control. Files that are wrong on purpose, or made by somebody else's tool, are
left alone.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
LEFT_ALONE = ("tests/hostile/corpus/",)  # inputs that fuzzers found, byte for byte
NOT_READ = ("tests/diagnostics/", "tests/compiler/", "tests/hostile/")  # cases that hold wrong YAML
KINDS = {
    ".cfg",
    ".css",
    ".html",
    ".js",
    ".json",
    ".lark",
    ".md",
    ".po",
    ".py",
    ".toml",
    ".txt",
    ".typ",
    ".yaml",
    ".yml",
}
BARE = {"Makefile", "LICENSE", ".gitignore", ".gitattributes"}


def list_files() -> list[Path]:
    """Every file under version control, also one that is new and not ignored."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in sorted(done.stdout.decode().split("\0")) if name]


def find_faults(path: Path) -> Iterator[str]:
    """What is wrong with one file, each with its place."""
    name = path.relative_to(ROOT).as_posix()
    if name.startswith(LEFT_ALONE) or (path.suffix not in KINDS and path.name not in BARE) or not path.is_file():
        return
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"{name}: byte {error.start} is not UTF-8"
        return
    if "\r" in text:
        yield f"{name}: a line ends with a carriage return"
    if text and not text.endswith("\n"):
        yield f"{name}: the last line has no end"
    if text.endswith("\n\n"):
        yield f"{name}: empty lines at the end"
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip(" \t"):
            yield f"{name}:{number}: space at the end of the line"
    if not name.startswith(NOT_READ):
        yield from find_syntax_faults(name, path.suffix, text)


def find_syntax_faults(name: str, suffix: str, text: str) -> Iterator[str]:
    """What keeps YAML or TOML from being read."""
    try:
        if suffix in (".yaml", ".yml"):
            for _ in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
                pass
        elif suffix == ".toml":
            tomllib.loads(text)
    except (yaml.YAMLError, tomllib.TOMLDecodeError) as error:
        yield f"{name}: {' '.join(str(error).split())}"


def main(names: list[str]) -> int:
    files = [Path(name).resolve() for name in names] or list_files()
    assert files, "there is no file to look at"
    faults = [fault for path in files for fault in find_faults(path)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

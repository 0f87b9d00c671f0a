"""What is declared twice, in whatever section and wherever, is one diagnostic at the second place that names the first.

The packages in `twice/` have an entry in every section that there is: the tables of the compiler are asked, so that a
new section is missed here at once. Each entry is copied, as it stands in its file, to another file, to the same one,
and to a package that needs it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grimoire.compiler.cli import main
from grimoire.compiler.declare.base import KIND_KEYS, SECTIONS
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.localisation.text.texts import SECTIONS as TEXT_SECTIONS
from grimoire.compiler.localisation.text.texts import WORDS
from grimoire.compiler.scenario.read import SECTIONS as SCENARIO_SECTIONS
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence, list_files, load_file

PACKAGES = Path(__file__).parent / "twice"
BASE, EXPANSION = "ferry", "night-ferry"
FOLDERS = {"content": "", "text": "text/en/", "scenarios": "scenarios/"}
# An expansion may word anew what its game has, lay its positions anew, and has scenarios of its own; `values` and
# `replaces` are made for it.
ANEW = {
    *(("text", section) for section in (*TEXT_SECTIONS, *WORDS)),
    ("scenarios", "scenarios"),
    ("scenarios", "positions"),
    ("scenarios", "equivalent"),
    ("content", "replaces"),
}
UNUSED = "G0704"  # a position that is laid anew and not used


class Entry(NamedTuple):
    """The first entry of a section: a key with its value, an item of a list, or the section itself where it is one
    value."""

    area: str
    section: str
    package: str
    file: str
    key: Scalar
    node: Node

    def source(self) -> str:
        """The section with this entry alone, as the author wrote it."""
        if isinstance(self.node, Scalar) and self.key is self.node:
            return f"{self.section}: [{self.node.value}]\n"
        text = slice_of(self.key, self.node)
        return text if self.key.value == self.section else f"{self.section}:\n  {text}"

    @property
    def id(self) -> str:
        return f"{self.area}-{self.section}"


def slice_of(key: Scalar, node: Node) -> str:
    """The lines of a file from a key to the end of its value."""
    lines = list(node.source.lines[: node.end_line])
    lines[-1] = lines[-1][: node.end_column - 1]
    rows = [lines[key.line - 1][key.column - 1 :], *lines[key.line :]]
    return "\n".join(rows).rstrip() + "\n"


def entries() -> Iterator[Entry]:
    seen = set()
    for package in (BASE, EXPANSION):
        for file in list_files(PACKAGES / package):
            area = next((area for area in ("text", "scenarios", "l10n") if file.startswith(f"{area}/")), "content")
            if file == "package.yaml" or area == "l10n":
                continue
            tree = load_file(PACKAGES / package / file, Diagnostics(), name=file)
            assert isinstance(tree, Mapping)
            for section, node in tree.entries:
                assert (area, section.value) not in seen
                seen.add((area, section.value))
                key, body = section, node
                if isinstance(node, Mapping):
                    key, body = next((row for row in node.entries if row[0].value == "fare"), node.entries[0])
                elif isinstance(node, Sequence):
                    assert isinstance(node.items[0], Scalar)
                    key = body = node.items[0]
                yield Entry(area, section.value, package, file, key, body)


ENTRIES = list(entries())


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIMOIRE_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(PACKAGES, tmp_path, dirs_exist_ok=True)
    return tmp_path


def checked(package: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    code = main(["check", "--json", package])
    return code, json.loads(capsys.readouterr().out)["diagnostics"]


def is_told_once(found: tuple[int, list[dict[str, Any]]], second: str, first: str, line: int) -> None:
    """One diagnostic, in the second file, that leads to the first place."""
    code, diagnostics = found
    assert code == 1, diagnostics
    assert [(item["file"], len(item["related"])) for item in diagnostics] == [(second, 1)], diagnostics
    related = diagnostics[0]["related"][0]
    assert (related["file"], related["line"]) == (first, line)
    assert diagnostics[0]["severity"] == "error"


def write(file: Path, text: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file.as_posix()


def test_every_section_is_here() -> None:
    there: dict[str, set[str]] = {}
    for entry in ENTRIES:
        there.setdefault(entry.area, set()).add(entry.section)
    assert there["content"] == set(SECTIONS)
    assert there["text"] == {*TEXT_SECTIONS, *WORDS}
    assert there["scenarios"] == set(SCENARIO_SECTIONS)
    assert {key for key, _, _ in kind_parts()} == set(KIND_KEYS) - {"is", "clause"}  # of clauses there may be several


def test_the_packages_are_in_order(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(BASE, capsys) == checked(EXPANSION, capsys) == (0, [])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_in_another_file(entry: Entry, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = write(Path(entry.package) / f"{FOLDERS[entry.area]}zz.yaml", entry.source())
    is_told_once(checked(entry.package, capsys), second, f"{entry.package}/{entry.file}", entry.key.line)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_in_the_same_file(entry: Entry, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(entry.package) / entry.file
    lines = file.read_text(encoding="utf-8").splitlines()
    if isinstance(entry.node, Scalar) and entry.key is entry.node:
        lines[entry.key.line - 1] = lines[entry.key.line - 1].replace("]", f", {entry.node.value}]")
    else:
        end = entry.node.end_line - (entry.node.end_column == 1)
        lines.insert(end, " " * (entry.key.column - 1) + slice_of(entry.key, entry.node).rstrip())
    path = write(file, "\n".join(lines) + "\n")
    is_told_once(checked(entry.package, capsys), path, path, entry.key.line)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.package == BASE], ids=lambda entry: entry.id)
def test_in_an_expansion(entry: Entry, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = write(Path(EXPANSION) / f"{FOLDERS[entry.area]}zz.yaml", entry.source())
    found = checked(EXPANSION, capsys)
    if (entry.area, entry.section) in ANEW:
        assert [item for item in found[1] if item["code"] != UNUSED] == []
    else:
        is_told_once(found, second, f"{BASE}/{entry.file}", entry.key.line)


# --- parts of a kind --------------------------------------------------------------------------------------------------


def kind_parts() -> Iterator[tuple[str, int, str]]:
    """What kinds can say, each with the line where one says it and the source of a kind that says it alone."""
    tree = load_file(PACKAGES / BASE / "game.yaml", Diagnostics())
    assert isinstance(tree, Mapping)
    kinds = tree.get("kinds")
    assert isinstance(kinds, Mapping)
    for kind, body in kinds.entries:
        assert isinstance(body, Mapping)
        for key, node in body.entries:
            if key.value != "is":
                name, value = node.entries[0] if isinstance(node, Mapping) else (key, node)
                said = slice_of(name, value).strip()
                said = f"{key.value}: {{{said}}}" if name is not key else said
                yield key.value, name.line, f"kinds:\n  {kind.value}: {{{said}}}\n"


@pytest.mark.parametrize("package", [BASE, EXPANSION])
@pytest.mark.parametrize(("key", "line", "source"), [*kind_parts()], ids=lambda part: str(part).partition("\n")[0])
def test_part_of_a_kind(
    key: str, line: int, source: str, package: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kind may be added to, in another file and by an expansion: by what it does not have."""
    second = write(Path(package) / "zz.yaml", source)
    is_told_once(checked(package, capsys), second, f"{BASE}/game.yaml", line)

"""docs/reference/command.md has every command, every option and every field of the reports."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.cli import build_parser

from .page import ROOT, Command, run

PAGE = (ROOT / "docs/reference/command.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0].strip(): part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}


def parsers() -> dict[str, argparse.ArgumentParser]:
    found = next(action for action in build_parser()._actions if action.dest == "command")
    assert isinstance(found.choices, dict)
    return found.choices


def test_every_command_has_a_section() -> None:
    assert list(SECTIONS) == list(parsers())


@pytest.mark.parametrize("command", parsers())
def test_every_option_is_described(command: str) -> None:
    rows = re.findall(r"^\| (`.*?) \|", SECTIONS[command], re.MULTILINE)
    spans = [span for row in rows for span in re.findall(r"`([^`]+)`", row)]
    written = {word for span in spans for word in span.split()}
    wanted: set[str] = set()
    actions = list(parsers()[command]._actions)
    for action in actions:  # those of a family of commands are found on the way
        if isinstance(action.choices, dict):
            actions.extend(part for parser in action.choices.values() for part in parser._actions)
        if action.dest != "help":
            wanted |= set(action.option_strings) or {str(action.metavar)}
    assert wanted <= written
    assert {word for word in written if word.startswith("-")} - {"-"} <= wanted


def fields(report: Any) -> set[str]:
    """All keys of a report; what stands below an id of the content is no field."""
    if isinstance(report, list):
        return set().union(*map(fields, report)) if report else set()
    if not isinstance(report, dict):
        return set()
    return set(report) | set().union(
        *(fields(part) for key, part in report.items() if key not in ("outcomes", "winners", "numbers", "packages")),
        set(),
    )


@pytest.mark.parametrize(
    "line",
    [
        "check broken --json",
        "test broken --json",
        "test --json",
        "trace leduc --json",
        "trace broken --json",
        "list love-letter --json",
        "simulate leduc --games 3 --json",
    ],
)
def test_every_field_is_described(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "content").mkdir()
    for game in ("leduc", "love-letter"):
        (tmp_path / "content" / game).symlink_to(ROOT / "content" / game)
    broken = tmp_path / "content" / "broken"
    broken.mkdir()
    (broken / "package.yaml").write_text("package: broken\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 1\n")
    wrong = "game: end the gmae\n" if line.startswith("check") else "game: '§a.1 end the game with won'\n"
    (broken / "all.yaml").write_text(f"outcomes: [won]\nrules: {{a: {{clauses: {{1: rule}}}}}}\nprocedures:\n  {wrong}")
    (broken / "scenarios").mkdir()
    (broken / "scenarios" / "one.yaml").write_text("scenarios: {one: {proves: [a.1], then: [asked: p1]}}\n")
    _, out = run(Command(f"grimoire {line}", ""))
    section = SECTIONS[line.split()[0]]
    assert {name for name in fields(json.loads(out)) if f"`{name}`" not in section} == set()


def test_every_field_of_a_replay_file_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(Command(f"grimoire play {ROOT}/content/leduc --bots --record r.json", ""))[0] == 0
    record = json.loads((tmp_path / "r.json").read_text())
    assert {name for name in fields(record) if f"`{name}`" not in SECTIONS["play"]} == set()

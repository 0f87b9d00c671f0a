"""Every target of the Makefile is a command of Python, and the page for developers has them all; what the workflow
calls is there."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tests import tidy

from .page import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def load_make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_py", ROOT / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_make_and_python_have_the_same_targets() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    assert phony[1].split() == list(load_make().TARGETS)


def test_the_page_has_every_target() -> None:
    page = (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `make (\w+)` \| `python make\.py (\w+)` \| .+ \|$", page, re.MULTILINE)
    assert rows == [(name, name) for name in load_make().TARGETS]


def test_the_workflow_and_the_hooks_call_targets() -> None:
    targets = load_make().TARGETS
    called = re.findall(r"python make\.py (\S+)", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = [hook["entry"].split() for repo in hooks["repos"] for hook in repo["hooks"]]
    assert called and set(called) <= set(targets)
    assert entries and all(words[:2] == ["python", "make.py"] and words[2] in targets for words in entries)


def test_what_quick_looks_at_is_there() -> None:
    make = load_make()
    assert make.QUICK and all((ROOT / name).exists() for name in (*make.QUICK, *make.NOT_QUICK))


def test_an_unknown_target_is_told(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, ROOT / "make.py", "tset"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "quick" in done.stdout


def test_the_project_is_tidy() -> None:
    assert [fault for path in tidy.list_files() for fault in tidy.find_faults(path)] == []


def test_what_is_not_tidy_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    wrong = {
        "a.md": (b"one \n", "a.md:1: space at the end of the line"),
        "b.py": (b"one", "b.py: the last line has no end"),
        "c.py": (b"one\r\n", "c.py: a line ends with a carriage return"),
        "d.txt": (b"\xff\n", "d.txt: byte 0 is not UTF-8"),
        "e.py": (b"one\n\n", "e.py: empty lines at the end"),
        "f.yaml": (b"a: [\n", "f.yaml: while parsing"),
        "g.toml": (b"a\n", "g.toml: "),
    }
    for name, (data, said) in wrong.items():
        (tmp_path / name).write_bytes(data)
        found = list(tidy.find_faults(tmp_path / name))
        assert len(found) == 1 and found[0].startswith(said), (name, found)

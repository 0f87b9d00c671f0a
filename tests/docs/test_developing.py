"""The page for developers names, for each task, the files to touch: each of them exists."""

from __future__ import annotations

import re

from .page import ROOT

PAGE = (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")
TASKS = (
    "A construct of the language",
    "A verb of the engine",
    "An operation of the core",
    "A diagnostic",
    "A language of the tool",
    "The way options are enumerated",
)
_PATH = re.compile(r"`((?:compiler|runtime|grammar|tests|docs|content)/[\w./-]*)`")


def read_task(title: str) -> str:
    """The part of the page under the heading of a task."""
    found = re.search(rf"^### {title}$(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/developing.md does not say which files are touched for: {title}"
    return found[1]


def test_every_task_names_files() -> None:
    for title in TASKS:
        assert len(_PATH.findall(read_task(title))) >= 4, title


def test_every_file_that_is_named_exists() -> None:
    named = _PATH.findall(PAGE)
    assert len(named) > 40
    assert [name for name in named if not (ROOT / name).exists()] == []

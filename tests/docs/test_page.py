"""The reader of pages itself: what it accepts and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from .page import Reader, Wrong, blocks, fits


@pytest.mark.parametrize(
    ("shown", "found", "good"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\n", "a\nb\nc\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("a\n...\nc\n", "a\nc\n", True),
        ("1 of ... s\n", "1 of 20 s\n", True),
        ("1 of ... s\n", "1 of\n20 s\n", False),
        ("a.c\n", "abc\n", False),
        ("", "a\n", False),
    ],
)
def test_ellipsis(shown: str, found: str, good: bool) -> None:
    assert fits(shown, found) is good


def test_blocks_know_their_line_and_what_stands_before() -> None:
    [block] = blocks("# A\n\n`content/a.yaml`:\n\n```yaml\na: 1\n```\n")
    assert (block.language, block.text, block.line, block.before) == ("yaml", "a: 1\n", 5, "`content/a.yaml`:")


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = "`a/b.yaml`:\n\n```yaml\nx: 1\ny: 2\n```\n\nAdd to `a/b.yaml`:\n\n```yaml\nz: 3\n```\n\n"
    page += "In `a/b.yaml`:\n\n```diff\n x: 1\n-y: 2\n+y: 5\n```\n"
    Reader(page).follow()
    assert (tmp_path / "a/b.yaml").read_text() == "x: 1\ny: 5\nz: 3\n"
    with pytest.raises(Wrong, match="0 times"):
        Reader("In `a/b.yaml`:\n\n```diff\n-nothing\n+q: 5\n```\n").follow()


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ grimoire explain nothing\n```\n",
        "```console\n$ grimoire list nothing  # exit code 1\n```\n",
        "```console\n$ grimoire --version\ngrimoire 99\n```\n",
        "```console\n$ rm -r x\n```\n",
        "```console\noutput\n```\n",
        "```python\nprint(1)\n```\n\nIt prints:\n\n```text\n2\n```\n",
        "```text\nno idea\n```\n",
    ],
)
def test_what_is_not_so_is_refused(page: str) -> None:
    with pytest.raises(Wrong):
        Reader(page).follow()


def test_update_writes_the_output() -> None:
    reader = Reader("```console\n$ grimoire explain nothing  # exit code 2\nold\n```\n", update=True)
    reader.follow()
    assert reader.updated.startswith(
        "```console\n$ grimoire explain nothing  # exit code 2\ngrimoire: there is no code"
    )
    reader = Reader("```console\n$ grimoire explain nothing  # exit code 2\nold ...\n```\n", update=True)
    reader.follow()
    assert reader.updated == reader.text and len(reader.left) == 1

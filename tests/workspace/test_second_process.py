"""A cold check says cards on a second core: whatever becomes of the copy, the answers are the same."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from grimoire.compiler.api.check import check_folder, full, read_folders, tool_key_for
from grimoire.compiler.cache import Cache
from grimoire.compiler.declare.model import Definition
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.localisation.text.cards import CardText, Paragraph
from grimoire.compiler.workspace import packages
from grimoire.compiler.workspace.second_process import run_aside
from grimoire.compiler.workspace.store import PackageStore
from tests.workspace.edits import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no second process on other systems")

MISTAKES = {  # a file, what stands there, what is written instead
    "none": ("cards.yaml", "", ""),
    "content": ("cards.yaml", "do: ", "do: gian "),
    "texts": ("text/en.yaml", "names:\n", "names:\n  nobody: Nobody\n"),
    "words": ("text/uk/words.yaml", "terms:\n", "terms:\n  nobody: {}\n"),
    "scenarios": (
        "scenarios/cards.yaml",
        "scenarios:\n",
        "scenarios:\n  odd: {then: [there is no whale]}\n",
    ),
    "nothing to read": ("text/uk/words.yaml", "terms:\n", "terms: [\n"),
}


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})
    monkeypatch.setattr(packages, "WORTH_DIVIDING", 0)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content/love-letter", tmp_path / "love-letter"))


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cards that this process says itself."""
    found: list[str] = []
    paragraphs = CardText.paragraphs

    def note(self: CardText, card: Definition) -> Iterator[Paragraph]:
        found.append(card.id)
        return paragraphs(self, card)

    monkeypatch.setattr(CardText, "paragraphs", note)
    return found


def ask(work: Callable[[], bytes]) -> bytes:
    with run_aside(work) as answer:
        return answer()


def list_children() -> set[int]:
    """The processes that this one has begun and not yet given up, ended ones as well."""
    found = set()
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and (folder / "stat").read_text().rpartition(")")[2].split()[1] == str(
                os.getpid()
            ):
                found.add(int(folder.name))
    return found


@pytest.fixture
def children() -> set[int]:
    """Those that were there before: other tests may have left some."""
    return list_children()


def test_the_bytes_come_back_however_many(children: set[int]) -> None:
    for size in (0, 1, 65_536, 3_000_001):
        assert ask(lambda size=size: bytes(size)) == bytes(size)
    assert list_children() <= children


@pytest.mark.parametrize("end", ["error", "exit", "killed"])
def test_a_copy_that_fails_says_nothing(end: str, capfd: pytest.CaptureFixture[str], children: set[int]) -> None:
    def work() -> bytes:
        if end == "error":
            raise MemoryError
        if end == "exit":
            sys.exit(3)
        os.kill(os.getpid(), signal.SIGKILL)
        return b"never"

    assert ask(work) == b"" and list_children() <= children
    assert capfd.readouterr() == ("", "")


def test_a_copy_that_nobody_waits_for_is_ended(children: set[int]) -> None:
    def work() -> bytes:
        while True:
            pass

    with run_aside(work):
        pass
    assert list_children() <= children
    with pytest.raises(KeyError), run_aside(work):
        raise KeyError
    assert list_children() <= children


def test_no_copy_with_threads_on_one_core_or_when_the_system_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[int] = []

    def refuse() -> int:
        copies.append(1)
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    assert ask(lambda: b"yes") == b"" and copies == [1]
    free = os.listdir("/proc/self/fd")
    assert ask(lambda: b"yes") == b"" and len(os.listdir("/proc/self/fd")) == len(free)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert ask(lambda: b"yes") == b"" and copies == [1, 1]
    finally:
        stop.set()
        thread.join()
    monkeypatch.setattr(os, "pipe", refuse)
    assert ask(lambda: b"yes") == b"" and copies == [1, 1, 1]
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})
    assert ask(lambda: b"yes") == b"" and copies == [1, 1, 1]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_report_and_what_is_kept_are_those_of_one_process(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    name, old, new = MISTAKES[mistake]
    path = game / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    expected = full(game, [])
    assert bool(expected) == (mistake != "none")
    two = look(game, tmp_path / "two")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})
    one = look(game, tmp_path / "one")
    assert two[0] == one[0] == expected
    if not any(item.severity == "error" for item in expected):
        assert two[1] == one[1]


def look(game: Path, folder: Path) -> tuple[list[Diagnostic], dict[str, object]]:
    """The report of a cold check, and all that it keeps."""
    cache = Cache(folder)
    report = check_folder(game, [], cache)
    folders = read_folders([game])
    assert folders is not None
    store = PackageStore(cache, game, tool_key_for(folders))
    return report, {shelf: store.open(shelf) for shelf in sorted(store.packed)}


def test_the_copy_says_the_cards(game: Path, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    check_folder(game, [], Cache(tmp_path / "two"))
    assert said == []
    monkeypatch.setattr(packages, "run_aside", cut_off)
    check_folder(game, [], Cache(tmp_path / "one"))
    assert len(said) > 20


@contextmanager
def cut_off(work: Callable[[], bytes]) -> Iterator[Callable[[], bytes]]:
    """A copy that dies while it writes."""
    with run_aside(work) as answer:
        yield lambda: answer()[:-7]

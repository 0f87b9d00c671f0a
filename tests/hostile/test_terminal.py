"""No text from outside steers a terminal: content, compiled packages, saved games, PO files and printed books are shown
as text, or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.api.build import build
from grimoire.compiler.cli import main
from grimoire.runtime import content_hash

from ..edition.test_hostile import poisoned as poisoned

STEERS = "\x1b[31m\x9b2J\x07\r\u202e\u2066\u200b"
# Signs of a terminal, of the direction of text, and without width: none of them is ever printed.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
COMMANDS = (
    ("check", "orchard"),
    ("check", "--json", "orchard"),
    ("fmt", "--check", "orchard"),
    ("list", "orchard"),
    ("text", "orchard"),
    ("play", "orchard", "--bots", "--seed", "1"),
    ("simulate", "orchard", "--games", "2", "--seed", "1"),
    ("test", "orchard"),
    ("trace", "orchard"),
    ("cover", "orchard", "--games", "1"),
    ("build", "orchard", "-o", "-"),
    ("l10n", "stats", "orchard"),
    ("l10n", "check", "orchard"),
    ("l10n", "export", "orchard", "--lang", "uk"),
    ("edition", "orchard", "-o", "book"),
)
Shown = Callable[..., tuple[int, str]]


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    """Runs a command; its exit code, and what it printed, in which nothing is unseen."""

    def run(*words: str) -> tuple[int, str]:
        code = main(list(words))
        done = capsys.readouterr()
        text = done.out + done.err
        assert "Traceback" not in text
        assert UNSEEN.findall(text) == [], words
        return code, text

    return run


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_content(words: tuple[str, ...], poisoned: Path, shown: Shown) -> None:
    """Escapes in a text are refused with a place, whatever the command; the line is shown with signs in their place."""
    file = poisoned / "text" / "en.yaml"
    text = re.sub(r"^title:.*\n(?:[ '\"].*\n)*", "", file.read_text("utf-8"), flags=re.MULTILINE)
    steers = "".join(f"\\u{ord(sign):04x}" for sign in STEERS)
    file.write_text(f'{text}title: "{steers}"\n', encoding="utf-8")
    code, _ = shown(*words)
    assert code == 1 or words[0] in ("fmt", "test", "trace", "cover")  # these look at no text
    # no control character, and refused all the same
    file.write_text(f"{text}title: a{STEERS[-3:]}\n", encoding="utf-8")
    shown(*words)


@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] != "edition"], ids=" ".join)
def test_markup(words: tuple[str, ...], poisoned: Path, shown: Shown) -> None:
    """Markup of the library that draws the table is text like any other."""
    _, text = shown(*words)
    if words[0] in ("play", "text", "build"):
        assert "[bold red]x[/] [link=http://example.org]x[/link] :bomb:" in re.sub(r"\s+", " ", text)


def with_steers(data: Any) -> Any:
    """The same with all texts steering."""
    if isinstance(data, dict):
        return {key: with_steers(value) for key, value in data.items()}
    return [with_steers(item) for item in data] if isinstance(data, list) else f"{data}{STEERS}"


def test_a_compiled_package(poisoned: Path, shown: Shown) -> None:
    artefact = build("content/orchard")
    artefact["text"] = with_steers(artefact["text"])
    artefact["hash"] = content_hash(artefact)
    Path("orchard.json").write_text(json.dumps(artefact), encoding="utf-8")
    for words in (
        ("play", "orchard.json", "--bots", "--seed", "1"),
        ("list", "orchard.json"),
        ("simulate", "orchard.json", "--games", "1"),
    ):
        code, text = shown(*words)
        assert code == 1
        assert text.startswith("grimoire: orchard.json has signs that cannot be seen in its texts: ")


def test_a_saved_game(poisoned: Path, shown: Shown) -> None:
    Path("save.json").write_text(json.dumps({"format": STEERS, STEERS: [STEERS]}), encoding="utf-8")
    for words in (("play", "orchard", "--load", "save.json"), ("replay", "save.json")):
        code, text = shown(*words)
        assert code == 1
        assert "save.json has signs that cannot be seen in its texts" in text


def test_a_file_of_a_translator(poisoned: Path, shown: Shown) -> None:
    assert shown("l10n", "export", "orchard", "--lang", "uk", "-o", "uk.po")[0] == 0
    text = Path("uk.po").read_text("utf-8")
    steers = STEERS.replace("\r", "").replace("\x07", "\\a")
    Path("uk.po").write_text(re.sub(r'^msg(ctxt|str) "', lambda m: m[0] + steers, text, flags=re.MULTILINE), "utf-8")
    for words in (("l10n", "import", "orchard", "--lang", "uk", "uk.po"), ("l10n", "check", "uk.po")):
        assert shown(*words)[0] != 0


def test_a_printed_book(poisoned: Path, shown: Shown) -> None:
    Path("book.txt").write_text(f"1. Zest{STEERS}\n1.1 A fruit{STEERS} must not have 7 zests.\n", encoding="utf-8")
    shown("l10n", "audit", "orchard", "--lang", "en", "--text", "book.txt")

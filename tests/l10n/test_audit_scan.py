"""The audit of raw scans: pages, numberings, encodings, other books; and findings that are silenced."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grimoire.compiler.cli import main
from grimoire.compiler.localisation.audit.scan import NOTHING, clean_lines

from .test_audit import BOOK, ROOT, findings

SLIP = BOOK.replace("шість карт", "сім карт")


def told(tmp_path: Path, text: str) -> list[tuple[str, str, str]]:
    return [(row.number, row.severity, row.message) for row in findings(tmp_path, text)]


def paged(text: str, every: int, *lines: str) -> str:
    """A book with the same lines on every page."""
    rows: list[str] = []
    for at, line in enumerate(text.split("\n"), 1):
        rows.append(line)
        if at % every == 0:
            rows += [row.format(at // every) for row in lines]
    return "\n".join(rows)


@pytest.mark.parametrize(
    "text",
    [
        re.sub(r"(?m)^(\d+)\.(\d+) ", r"\1.\2. ", SLIP),
        re.sub(r"(?m)^(\d+)\.(\d+) ", r"\1.\2) ", SLIP),
        re.sub(r"(?m)^(\d+)\.(\d+) ", r"\1. \2 ", SLIP),
        SLIP.replace("## ", ""),
        SLIP.replace("\n", "\r\n"),
        SLIP.replace("\n", "\r"),
        "\ufeff" + SLIP,
        paged(SLIP, 8, "{}", "", "ПРАВИЛА КАРТЯРІВ", ""),
        paged(SLIP, 8, "Правила картярів {}"),
        paged(SLIP, 8, "— {} —"),
    ],
)
def test_a_scan_is_read_as_the_book_it_shows(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, text) == [("2.1", "changes-play", "says 7; the rule has 6")]


def test_places_are_those_of_the_file(tmp_path: Path) -> None:
    (row,) = findings(tmp_path, re.sub(r"(?m)^(\d+)\.(\d+) ", r"\1. \2 ", SLIP))
    assert (row.span.line, row.span.column, row.span.end_line) == (8, 1, 9)
    lines = paged(SLIP, 8, "— {} —").split("\n")
    (row,) = findings(tmp_path, "\n".join(lines))
    assert lines[row.span.line - 1].startswith("2.1 ") and lines[row.span.end_line - 1] == "Її карт не бачить ніхто."


def test_what_a_book_repeats_is_not_taken_for_the_head_of_a_page() -> None:
    rows = ["1.1 The end.", "- It ends.", "- It ends.", "- It ends.", "a row", "a row", "a row", "a row", "12", "LAMPS"]
    assert clean_lines(rows, frozenset(), {}) == rows
    page = [line for at in range(6) for line in [f"{at}.1 Something."] + ["and so on"] * 9 + [f"Lamps {at}"]]
    kept = clean_lines(
        [row if row != "and so on" else f"and {at}x so on" for at, row in enumerate(page)], frozenset(), {}
    )
    assert kept.count(NOTHING) == 6 and "0.1 Something." in kept
    assert (
        NOTHING
        not in clean_lines(["LAMPS" if row.startswith("Lamps") else f"{row} x." for row in page], frozenset(), {})[:1]
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \r\n\t\n", "is empty"),
        (
            BOOK.encode("cp1251", "replace"),
            "is not UTF-8: byte 3 cannot be read; it seems to be cp1251. Save it as UTF-8",
        ),
        (BOOK.encode("utf-16"), "it seems to be UTF-16"),
        ("1.1 Für jeden Spieler.\n".encode("latin-1"), "it seems to be latin-1"),
        (b"\x80\x81\x82\x83\x84", "is not UTF-8: byte 1"),
        (
            (
                b"1 THE BOARD\n1.1 After the first round of betting the top card of the deck is put on the "
                b"table face up.\n"
                b"2 DEALING\n2.1 The deck is six cards: two jacks, two queens, two kings. Nobody sees its "
                b"cards before the end.\n"
                b"2.2 Before dealing each player bets one coin, then gets a single card which only that "
                b"player may look at.\n"
            ),
            "is in 'en', not in 'uk': say --lang en",
        ),
        (
            "1 МЛИН\n1.1 Вода крутить колесо млина.\n1.2 Мірошник меле зерно.\n2 ДОРОГА\n2.1 Віз їде лісом до села.\n"
            "2.2 Кінь п'є воду з річки.\n2.3 Сонце сідає за обрій.\n".encode(),
            "is not a book of leduc: of its 7 statements",
        ),
    ],
)
def test_what_is_no_book_of_the_package_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: bytes, words: str
) -> None:
    monkeypatch.chdir(ROOT)
    book = tmp_path / "book.txt"
    book.write_bytes(content)
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book)]) == 1
    done = capsys.readouterr()
    assert done.out == "" and words in done.err


# --- silences ---------------------------------------------------------------------------------------------------------


def silenced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rows: str
) -> list[dict[str, object]]:
    monkeypatch.chdir(ROOT)
    book, known = tmp_path / "book.txt", tmp_path / "known.yaml"
    book.write_text(SLIP.replace("ставить 1", "ставить 2"), encoding="utf-8")
    known.write_text(rows, encoding="utf-8")
    command = ["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book), "--silenced", str(known), "--json"]
    assert main(command) in (0, 1)
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["findings"]
    return found


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ("{}\n", ["deal.1", "deal.2"]),
        ("deal.1: {changes-play: erratum}\n", ["deal.2"]),
        ('"2.1": {says 7: erratum}\ndeal.2: {says 2: erratum}\n', []),
    ],
)
def test_a_finding_is_silenced_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rows: str, left: list[str]
) -> None:
    assert sorted(str(row["id"]) for row in silenced(tmp_path, monkeypatch, capsys, rows)) == left


@pytest.mark.parametrize(
    ("rows", "message", "line"),
    [
        ("deal.1: {says 9: erratum}\n", "nothing is silenced: the audit finds no 'says 9' here", 1),
        ("deal.1: {gap: erratum}\n", "nothing is silenced: the audit finds no 'gap' here", 1),
        ("deal.9: {gap: erratum}\n", "nothing is silenced: the audit finds no 'gap' here", 1),
        ("\ndeal.1: {changes-play: ''}\n", "a silence needs a reason", 2),
        ("deal.1: erratum\n", "write the severity, or how the message begins, and the reason", 1),
        ("- deal.1\n", "silences are a mapping: statement, then severity or message, then the reason", 1),
    ],
)
def test_a_silence_that_silences_nothing_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rows: str,
    message: str,
    line: int,
) -> None:
    found = silenced(tmp_path, monkeypatch, capsys, rows)
    assert [row["id"] for row in found[:2]] == ["deal.1", "deal.2"] or len(found) == 3
    last = found[-1]
    assert (last["severity"], last["message"]) == ("wording", message)
    assert isinstance(last["span"], dict) and last["span"]["file"] == str(tmp_path / "known.yaml")
    assert last["span"]["line"] == line


@pytest.mark.parametrize(("content", "code", "words"), [(None, 2, "there is no file"), ("a: [\n", 1, "known.yaml")])
def test_a_file_of_silences_that_cannot_be_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    content: str | None,
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(ROOT)
    book, known = tmp_path / "book.txt", tmp_path / "known.yaml"
    book.write_text(BOOK, encoding="utf-8")
    if content is not None:
        known.write_text(content, encoding="utf-8")
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book), "--silenced", str(known)]) == code
    assert words in capsys.readouterr().err

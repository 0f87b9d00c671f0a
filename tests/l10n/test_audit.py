"""The audit of printed editions: the reader, the comparison, slips sown into our own texts, bad input."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.cli import main
from grimoire.compiler.localisation.audit import spelling as l10n_spelling
from grimoire.compiler.localisation.audit.printed import Print, find_topics, read_print
from grimoire.compiler.localisation.audit.run import Audit
from grimoire.compiler.localisation.audit.statements import SEVERITIES, Remark
from grimoire.compiler.localisation.edition.book import load_tables

from .printed import KINDS, STRUCTURE, make, render, sow, statements

ROOT = Path(__file__).parents[2]

# Entries by the Ukrainian alphabet: 1 board, 2 deal, 3 showdown, 4 betting. In other words than the package has.
BOOK = """# КНИГА

## 1 КАРТА НА СТОЛІ
1.1 Коли перше коло ставок скінчилося, верхню карту колоди
кладуть на стіл горілиць.

## 2 РОЗДАВАННЯ
2.1 Колода — це шість карт: два валети, дві дами й два королі.
Її карт не бачить ніхто.
2.2 До роздавання кожен гравець ставить 1.
2.3 Кожен гравець бере одну карту; бачить її лише він.

## 3 РОЗКРИТТЯ КАРТ
3.1 Коли минуло й друге коло ставок, перемагає той, чия карта
має той самий ранг, що й карта на столі.
3.2 Якщо такої карти ні в кого немає, перемагає карта най-
вищого рангу. Найнижчий має валет, вищий дама, ще вищий король.
3.3 Якщо ранг обох карт однаковий, банк ділять, ніхто не перемагає.
3.4 Гравці показують свої карти.

## 4 СТАВКИ
4.1 Кіл ставок два: після роздавання, з кроком 2, і після
карти на столі, з кроком 4.
4.2 У колі гравці діють по черзі, і починає перший гравець.
4.3 Зрівняти — це поставити стільки, скільки суперник; якщо
ставки вже однакові, не додають нічого.
4.4 Хто підвищує, спершу зрівнює ставку зі ставкою суперника,
а потім додає один крок цього кола.
4.5 Хто пасує, закінчує гру одразу: перемагає його суперник.
4.6 Коли настає черга, гравець пасує, зрівнює або підвищує.
Пасувати можна, лише якщо ставка менша за ставку суперника, а
підвищувати — лише якщо в цьому колі було менше ніж два
підвищення.
4.7 Коло завершується, щойно обидва гравці вже діяли, а їхні
ставки рівні.
"""


def findings(tmp_path: Path, text: str, package: str = "leduc", language: str = "uk") -> list[Remark]:
    book = tmp_path / "book.txt"
    book.write_text(text, encoding="utf-8")
    made = Audit(open_edition(str(ROOT / "content" / package)))
    return made.run(made.lay(language, book, "book.txt"))


# --- the reader -------------------------------------------------------------------------------------------------------


def read(text: str) -> Print:
    return read_print(text, "book.txt", load_tables()["en"], ("for example",), ("related",))


def test_reader_takes_a_book_apart() -> None:
    book = read(
        """CONTENTS..... 2
# 1 LAMPS
A lamp gives light.

- 1.1 **STEP 1.** Light a lamp (★) with one
match, then put it in a dry win-
dow.
  ☛ A wet lamp cannot be lit.
  - It can be

lit when it is dry.
*For example: nothing.*
### 1.2 OIL
Oil burns.

**RELATED.** Oil, wicks,
and nothing else.
2 WICKS
A wick is short.
APPENDIX I.
LAMPS AT NIGHT
1. PUT THEM OUT
All of them.
Picture of a lamp

INDEX
lamp, 1.0
light, 1.1
oil, 1.2
wick, 2.0
window, 1.1
dark, 7.7
"""
    )
    lamps, wicks = book.entries
    assert (lamps.number, lamps.title, wicks.title) == ("1", "LAMPS", "WICKS")
    intro, first, oil = lamps.clauses
    assert (intro.number, intro.parts[0].text) == (0, "A lamp gives light.")
    assert [(part.level, part.text) for part in first.parts] == [
        (0, "STEP 1. Light a lamp with one match, then put it in a dry window."),
        (1, "A wet lamp cannot be lit."),
        (2, "It can be lit when it is dry."),
    ]
    assert (first.parts[0].line, first.parts[0].end_line) == (5, 7)
    assert [part.text for part in first.examples] == ["For example: nothing."]
    assert (oil.title, oil.parts[0].text) == ("OIL", "Oil burns.")
    assert [title for title, _ in find_topics(lamps.topics)] == ["Oil", "wicks", "and nothing else"]
    assert (book.appendices[0].number, book.appendices[0].title) == ("I", "LAMPS AT NIGHT")
    assert [(row.number, row.title) for row in book.appendices[0].clauses] == [(1, "PUT THEM OUT")]
    assert (book.references[-1].entry, book.references[-1].clause) == ("7", 7)


def test_headings_may_be_missing_or_in_small_letters() -> None:
    book = read("1.1 First.\n1.2 Second.\n3.1 Third.\n")
    assert [(entry.number, [row.number for row in entry.clauses]) for entry in book.entries] == [
        ("1", [1, 2]),
        ("3", [1]),
    ]
    made = read_print("1 Lamps\nLight.\n2. Oil\n2.1 It burns.\n", "x", load_tables()["en"], (), (), ("Lamps", "Oil"))
    assert [(entry.number, entry.title) for entry in made.entries] == [("1", "Lamps"), ("2", "Oil")]


# --- other words, the same rules --------------------------------------------------------------------------------------


def test_a_book_in_other_words_has_no_findings(tmp_path: Path) -> None:
    assert findings(tmp_path, BOOK) == []


@pytest.mark.parametrize(
    ("old", "new", "id_", "number", "severity"),
    [
        ("ставить 1", "ставить 2", "deal.2", "2.2", "changes-play"),
        ("шість карт", "сім карт", "deal.1", "2.1", "changes-play"),
        ("стіл горілиць", "стіл долілиць", "board.1", "1.1", "changes-play"),
        ("верхню карту", "нижню карту", "board.1", "1.1", "changes-play"),
        ("3.3 Якщо ранг обох карт однаковий, банк ділять, ніхто не перемагає.\n", "", "showdown.3", "3.3", "gap"),
        ("## 3 РОЗКРИТТЯ КАРТ", "## 3 ВІДКРИТТЯ КАРТ", "showdown", "3", "wording"),
        ("ставки рівні", "cтавки рівні", "betting.7", "4.7", "wording"),
        ("починає перший", "починає пeрший", "betting.2", "4.2", "wording"),
        ("3.4 Гравці", "3.3 Гравці", "showdown.3", "3.3", "imprecise"),
        ("ставки рівні.\n", "ставки рівні.\n4.8 Банк ділять на трьох і йдуть спати.\n", "betting", "4.8", "gap"),
        ("## 4 СТАВКИ", "## 5 СТАВКИ", "betting", "5", "imprecise"),
    ],
)
def test_a_slip_is_found_at_its_number(
    tmp_path: Path, old: str, new: str, id_: str, number: str, severity: str
) -> None:
    assert old in BOOK
    found = findings(tmp_path, BOOK.replace(old, new))
    assert (id_, number, severity) in [(row.id, row.number, row.severity) for row in found], found


def test_a_part_of_a_book(tmp_path: Path) -> None:
    found = findings(tmp_path, "2.1 Колода — це сім карт: два валети, дві дами й два королі.\n")
    assert (found[0].id, found[0].severity, found[0].message) == ("deal.1", "changes-play", "says 7; the rule has 6")
    assert [row.message for row in found if "entries are missing" in row.message] == [
        "3 of 4 entries are missing: 1, 3, 4 .."
    ]


def test_swapped_clauses_are_told(tmp_path: Path) -> None:
    text = BOOK.replace("2.2 До", "2.9 До").replace("2.3 Кожен", "2.2 Кожен").replace("2.9 До", "2.3 До")
    assert {row.number for row in findings(tmp_path, text)} & {"2.2", "2.3"}


def test_a_dictionary_finds_slips_of_other_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dictionary:
        def __init__(self, language: str) -> None:
            assert language == "uk"

        def is_known(self, word: str) -> bool:
            return word != "покахують"

    text = BOOK.replace("показують", "покахують")
    assert findings(tmp_path, text) == []
    monkeypatch.setattr(l10n_spelling, "is_installed", lambda language: True)
    monkeypatch.setattr(l10n_spelling, "Forms", Dictionary)
    (row,) = findings(tmp_path, text)
    assert (row.number, row.severity) == ("3.4", "wording") and row.message == "'покахують' is perhaps 'показують'"


def test_the_other_edition_is_evidence(tmp_path: Path) -> None:
    made = Audit(open_edition(str(ROOT / "content" / "leduc")))
    (tmp_path / "uk.txt").write_text(BOOK.replace("шість карт", "сім карт"), encoding="utf-8")
    english = make(made.edition, "en")
    (tmp_path / "en.txt").write_text(render(english, statements(english), random.Random(1)), encoding="utf-8")
    own, other = made.lay("uk", tmp_path / "uk.txt", "uk.txt"), made.lay("en", tmp_path / "en.txt", "en.txt")
    numbers = {entry.id: entry.number for entry in english.all()}
    messages = [row.message for row in made.run(own, other)]
    assert any(f"the edition 'en' has 6 in {numbers['deal']}.1" in message for message in messages), messages


# --- our own texts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_a_clean_print_of_our_texts_has_no_findings(unfathomable: Audit, tmp_path: Path, language: str) -> None:
    book = make(unfathomable.edition, language)
    for seed in (1, 2):
        (tmp_path / "book.txt").write_text(render(book, statements(book), random.Random(seed)), encoding="utf-8")
        assert unfathomable.run(unfathomable.lay(language, tmp_path / "book.txt", "book.txt")) == []


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_sown_slips_are_found(unfathomable: Audit, tmp_path: Path, language: str) -> None:
    book = make(unfathomable.edition, language)
    text, sown = sow(book, language, seed=31, each=4)
    assert {slip.kind for slip in sown} >= set(KINDS) - {"letters"}
    (tmp_path / "book.txt").write_text(text, encoding="utf-8")
    found = unfathomable.run(unfathomable.lay(language, tmp_path / "book.txt", "book.txt"))
    there = {row.number for row in found}
    meant = {row.number for row in found if row.severity != "wording"}
    missed = [slip for slip in sown if slip.number not in (there if slip.kind == "letters" else meant)]
    missed = [slip for slip in missed if slip.kind != "swap clauses" or not is_told(slip.number, found)]
    assert len(missed) <= 0.1 * len(sown), missed
    heavy = [slip for slip in sown if slip.kind not in (*STRUCTURE, "letters") and slip.number in there]
    changes = {row.number for row in found if row.severity == "changes-play"}
    assert sum(slip.number in changes for slip in heavy) >= 0.8 * len(heavy)


def is_told(number: str, found: list[Remark]) -> bool:
    """Of two exchanged clauses one is told."""
    entry = number.partition(".")[0]
    return any("stands as" in row.message and row.number.partition(".")[0] == entry for row in found)


def test_findings_are_ranked(unfathomable: Audit, tmp_path: Path) -> None:
    text, _ = sow(make(unfathomable.edition, "uk"), "uk", seed=5, each=2)
    (tmp_path / "book.txt").write_text(text, encoding="utf-8")
    found = unfathomable.run(unfathomable.lay("uk", tmp_path / "book.txt", "book.txt"))
    ranks = [SEVERITIES.index(row.severity) for row in found]
    assert ranks == sorted(ranks) and len(set(ranks)) >= 3


# --- the command ------------------------------------------------------------------------------------------------------


def test_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    book = tmp_path / "book.txt"
    book.write_text(BOOK.replace("шість карт", "сім карт"), encoding="utf-8")
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book), "--json"]) == 1
    out = json.loads(capsys.readouterr().out)
    (row,) = out["findings"]
    assert list(row) == ["id", "number", "lang", "severity", "message", "span"]
    assert (row["id"], row["number"], row["lang"], row["severity"]) == ("deal.1", "2.1", "uk", "changes-play")
    assert row["span"] == {"file": str(book), "line": 8, "column": 1, "end_line": 9, "end_column": 25}
    book.write_text(BOOK, encoding="utf-8")
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"findings": []}


def test_report_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    book = tmp_path / "book.txt"
    book.write_text(BOOK.replace("шість карт", "сім карт"), encoding="utf-8")
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("changes-play (1): ") and "  2.1 [deal.1] line 8: says 7; the rule has 6" in out
    assert "    print: Колода — це сім карт" in out and "    rule:  У колоді шість карт" in out
    assert out.endswith("1 finding\n")


@pytest.mark.parametrize(
    ("content", "arguments", "code", "words"),
    [
        (None, [], 2, "there is no file"),
        (b"\xff\xfe1.1 x", [], 1, "is not UTF-8: byte 1"),
        (b"", [], 1, "is empty"),
        ("1 КАРТА НА СТОЛІ\nслова без номера".encode(), [], 1, "has no numbered clause"),
        (BOOK.encode(), ["--lang", "de"], 2, "has no language 'de'"),
        (BOOK.encode(), ["--beside", "x.txt"], 2, "belong together"),
        (BOOK.encode(), ["--beside", "nowhere.txt", "--beside-lang", "ru"], 2, "there is no file nowhere.txt"),
        (BOOK.encode(), ["--beside", "nowhere.txt", "--beside-lang", "de"], 2, "has no language 'de'"),
    ],
)
def test_bad_input(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    content: bytes | None,
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(ROOT)
    book = tmp_path / "book.txt"
    if content is not None:
        book.write_bytes(content)
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", str(book), *arguments]) == code
    done = capsys.readouterr()
    assert done.out == "" and words in done.err


def test_folder_in_place_of_a_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["l10n", "audit", "leduc", "--lang", "uk", "--text", "content"]) == 2
    assert "content is a folder" in capsys.readouterr().err


def test_package_without_clause_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "content" / "leduc", tmp_path / "content" / "leduc")
    path = tmp_path / "content" / "leduc" / "text" / "uk.yaml"
    head, _, _ = path.read_text(encoding="utf-8").partition("\nclauses:")
    path.write_text(head + "\n", encoding="utf-8")
    (tmp_path / "book.txt").write_text(BOOK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["l10n", "audit", "content/leduc", "--lang", "uk", "--text", "book.txt"]) == 1
    assert "titles and clauses of leduc have no text in 'uk'" in capsys.readouterr().err

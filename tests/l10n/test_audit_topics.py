"""The audit of the lists of related topics: what a print lacks or has too much; scans that cut a list short."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from grimoire.compiler.localisation.audit.run import Audit
from grimoire.compiler.localisation.audit.statements import Remark

from .printed import make, render, statements


def text_of(made: Audit, language: str) -> tuple[str, str]:
    """A print of our texts, and the first list of three topics or more in it."""
    book = make(made.edition, language)
    text = render(book, statements(book), random.Random(3))
    label = re.escape(book.tables.words["see"].upper())
    found = re.search(rf"\*\*{label}\.\*\* ([^,\n]+(?:, [^,\n]+){{2,}})\.\n", text)
    assert found is not None
    return text, found[1]


def audited(made: Audit, language: str, text: str, tmp_path: Path) -> list[Remark]:
    (tmp_path / "book.txt").write_text(text, encoding="utf-8")
    return made.run(made.lay(language, tmp_path / "book.txt", "book.txt"))


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_a_topic_that_is_missing_and_one_too_many(unfathomable: Audit, tmp_path: Path, language: str) -> None:
    text, topics = text_of(unfathomable, language)
    rows = topics.split(", ")
    titles = [entry.title for entry in make(unfathomable.edition, language).entries]
    new = next(title for title in titles if title.lower() not in topics.lower())
    changed = ", ".join([new, *rows[1:]])
    found = audited(unfathomable, language, text.replace(topics, changed), tmp_path)
    assert len(found) == 1
    (row,) = found
    assert row.severity == "wording"
    assert f"«{new}», which the package has not" in row.message
    assert f"do not have «{rows[0]}»".lower() in row.message.lower()


@pytest.mark.parametrize("language", ["uk", "ru"])
def test_a_list_cut_short_is_no_finding(unfathomable: Audit, tmp_path: Path, language: str) -> None:
    text, topics = text_of(unfathomable, language)
    rows = topics.split(", ")
    assert audited(unfathomable, language, text.replace(f"{topics}.", f"{rows[0]},"), tmp_path) == []


def test_a_list_that_is_gone_is_told(unfathomable: Audit, tmp_path: Path) -> None:
    text, topics = text_of(unfathomable, "uk")
    line = next(line for line in text.splitlines() if topics in line)
    found = audited(unfathomable, "uk", text.replace(line, ""), tmp_path)
    assert [row.message.startswith("the related topics do not have «") for row in found] == [True]


def test_a_book_without_such_lists_lacks_none(unfathomable: Audit, tmp_path: Path) -> None:
    text, _ = text_of(unfathomable, "uk")
    label = make(unfathomable.edition, "uk").tables.words["see"].upper()
    bare = "\n".join(line for line in text.splitlines() if not line.startswith(f"**{label}"))
    assert audited(unfathomable, "uk", bare, tmp_path) == []

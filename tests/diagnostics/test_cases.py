"""Wrong content with the expected diagnostics on the offending line: cases/*.yaml, format in cases/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from .kit import CASES, Case, check_with, extra_name, make_case, read_cases

FILES = sorted(CASES.glob("*.yaml"))
ALL = [(path.stem, case) for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", [case for _, case in ALL], ids=[f"{stem}: {case.title}" for stem, case in ALL])
def test_case(case: Case, tmp_path: Path) -> None:
    assert case.complaint(check_with(case.text, tmp_path, extra_name(case.text))) is None


def test_there_are_many_cases() -> None:
    titles = [case.title for _, case in ALL]
    assert len(titles) >= 700
    assert len(set(titles)) == len(titles)
    assert all(case.wanted for _, case in ALL)


def test_an_expectation_can_fail() -> None:
    wanted = make_case("", ["counters:", "  price: number  # ! G0505 «price» taken  # ! G0310 @3 kind"]).wanted
    assert [(w.line, w.code, w.column, w.end, w.words) for w in wanted] == [
        (2, "G0505", 3, 8, "taken"),
        (2, "G0310", 3, None, "kind"),
    ]
    with pytest.raises(ValueError, match="does not stand there"):
        make_case("", ["a: b  # ! G0505 «c»"])
    with pytest.raises(ValueError, match="not an expectation"):
        make_case("", ["a: b  # ! nonsense"])

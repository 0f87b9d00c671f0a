"""Wrong content with the expected diagnostics on the offending line: cases/*.yaml, format in cases/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from .kit import CASES, UNUSED, Case, check_with, extra_name, make_case, read_cases, show

FILES = sorted(CASES.glob("*.yaml"))
ALL = [(path.stem, case) for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", [case for _, case in ALL], ids=[f"{stem}: {case.title}" for stem, case in ALL])
def test_case(case: Case, tmp_path: Path) -> None:
    name = extra_name(case.text)
    open_ = list(case.wanted)
    wants_unused = any(wanted.code == UNUSED for wanted in open_)
    for item in check_with(case.text, tmp_path, name):
        if item.code == UNUSED and not wants_unused:
            continue
        met = next((wanted for wanted in open_ if wanted.met_by(item)), None)
        assert met is not None and Path(item.span.file).name == name, f"not expected: {show(item)}"
        open_.remove(met)
    assert not open_, f"not said: {', '.join(map(str, open_))}"


def test_there_are_many_cases() -> None:
    titles = [case.title for _, case in ALL]
    assert len(titles) >= 60
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

"""Every wrong text of parse-errors.yaml gives its code, its place and words that help; no message shows a name of the
grammar."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from grimoire.compiler.syntax.parse import ParseProblem, grammar_text, parse

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "parse-errors.yaml").read_text(encoding="utf-8"))
TERMINALS = set(re.findall(r"\b_?[A-Z][A-Z_]+\b", grammar_text()))


@pytest.mark.parametrize("case", CASES, ids=[f"{case.get('start', 'effect')}: {case['text']!r}" for case in CASES])
def test_a_wrong_text_is_explained(case: dict[str, Any]) -> None:
    with pytest.raises(ParseProblem) as caught:
        parse(case["text"], case.get("start", "effect"))
    problem = caught.value
    assert [problem.code, problem.line, problem.column] == case["at"]
    assert case["message"] in problem.message
    assert case.get("hint", "") in (problem.hint or "")


@pytest.mark.parametrize("case", CASES, ids=[f"{case.get('start', 'effect')}: {case['text']!r}" for case in CASES])
def test_the_place_lies_inside_the_text_and_no_terminal_is_named(case: dict[str, Any]) -> None:
    with pytest.raises(ParseProblem) as caught:
        parse(case["text"], case.get("start", "effect"))
    problem = caught.value
    lines = case["text"].split("\n")
    assert 1 <= problem.line <= len(lines)
    assert 1 <= problem.column <= problem.column + problem.width - 1 <= max(len(lines[problem.line - 1]), 1)
    said = set(re.findall(r"\b_?[A-Z][A-Z_]+\b", f"{problem.message} {problem.hint}"))
    assert not said & TERMINALS


def test_there_are_enough_and_each_once() -> None:
    assert len(CASES) >= 40
    texts = [(case.get("start", "effect"), case["text"]) for case in CASES]
    assert len(set(texts)) == len(texts)
    assert {case["at"][0] for case in CASES} >= {"G0401", "G0402", "G0403", "G0404", "G0406"}

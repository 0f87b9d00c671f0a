"""The page of the language is made from what is tested: the grammar, the tables and the constructs."""

from __future__ import annotations

from pathlib import Path

from grimoire.compiler.lower.engine_verbs import BUILT_IN, EngineVerbs
from grimoire.compiler.reference.language import list_uncovered, load, render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "language.md"


def test_every_rule_and_word_of_the_grammar_is_covered() -> None:
    assert list_uncovered() == []


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: python -m grimoire.compiler.reference.language > docs/reference/language.md"
    )


def test_every_verb_of_the_engine_is_shown_and_done() -> None:
    texts = "\n".join(str(entry) for section in load() for entry in section["constructs"])
    for verb in BUILT_IN:
        assert hasattr(EngineVerbs, f"do_{verb}")
        assert f"{verb} " in texts or f"{verb}\\n" in texts, f"no construct shows {verb}"


def test_constructs_have_all_parts() -> None:
    for section in load():
        assert section["title"]
        for entry in section["constructs"]:
            assert set(entry) <= {"id", "title", "covers", "example", "file", "says", "checks", "refused"}, entry["id"]
            assert isinstance(entry["id"], str) and entry["title"] and entry["says"], entry

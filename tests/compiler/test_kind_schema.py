"""The schema of a package's files: what we have fits it, and what is wrong with a card is found by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from grimoire.compiler.api.build import compile_path
from grimoire.compiler.declare.folders import BESIDE
from grimoire.compiler.declare.kind_schema import make_schema
from tests.packages import CONTENT, FOLDERS

VALIDATOR = jsonschema.Draft7Validator


def validator(root: Path) -> jsonschema.Draft7Validator:
    schema = make_schema(compile_path(root).model)
    VALIDATOR.check_schema(schema)
    return VALIDATOR(schema)


def files_of(root: Path) -> dict[str, Any]:
    names = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.yaml"))]
    content = [name for name in names if name != "package.yaml" and not name.startswith(BESIDE)]
    return {name: yaml.safe_load((root / name).read_text(encoding="utf-8")) for name in content}


@pytest.mark.parametrize("root", FOLDERS, ids=[root.name for root in FOLDERS])
def test_the_files_of_our_packages_fit(root: Path) -> None:
    known, files = validator(root), files_of(root)
    assert files
    assert {name: [error.message for error in known.iter_errors(data)] for name, data in files.items()} == {
        name: [] for name in files
    }


@pytest.fixture(scope="module")
def love_letter() -> jsonschema.Draft7Validator:
    return validator(CONTENT / "love-letter")


GUARD = {"kind": "court-card", "rank": 1, "copies": 5, "in": "deck", "effect": "draw 1 card"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rnak": 1}, "'rnak' was unexpected"),
        ({"rank": None}, "'rank' is a required property"),
        ({"rank": "one"}, "'one' is not of type 'integer'"),
        ({"copies": 0}, "0 is less than the minimum of 1"),
        ({"in": "hand"}, "'hand' is not one of"),
        ({"kind": "court-crad"}, "'court-crad' is not one of"),
        ({"effect": ["draw 1 card"]}, "is not of type 'string'"),
        ({"abilities": {"pride": {"widow": "after this is discarded"}}}, "'widow' was unexpected"),
        ({"clause": "goal.99"}, "is not valid under any of the given schemas"),
    ],
)
def test_what_is_wrong_with_a_card_is_found(
    love_letter: jsonschema.Draft7Validator, change: dict[str, Any], told: str
) -> None:
    assert not list(love_letter.iter_errors({"cards": {"guard": GUARD}}))
    card = {key: value for key, value in (GUARD | change).items() if value is not None}
    assert any(told in error.message for error in love_letter.iter_errors({"cards": {"guard": card}}))
    assert any(error for error in love_letter.iter_errors({"crads": {"guard": GUARD}}))

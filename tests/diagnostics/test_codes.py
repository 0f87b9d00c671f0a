"""Every code of the content stages: its example gets it; every code that is emitted is registered, and the reverse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import grimoire.compiler
from grimoire.compiler.diagnostics.codes import CODES
from grimoire.compiler.reference.errors import register_all

from .kit import check_with, extra_name, show

register_all()
COMPILER = Path(str(grimoire.compiler.__file__)).parent
TABLES = "".join(
    (COMPILER / f"diagnostics/codes_{of}.py").read_text(encoding="utf-8") for of in ("declarations", "effects")
)
CONTENT = sorted(re.findall(r'register_content\(\s*"(G\d{4})"', TABLES))
# The manifest is where the procedure is missing.
ELSEWHERE = {"G0219": "package.yaml"}
# What to do is said by the message itself, or there is nothing to propose.
WITHOUT_HINT = {"G0218", "G0402", "G0405", "G0605", "G0608", "G0702", "G0705", "G0706"}


def test_the_table_is_read() -> None:
    assert len(CONTENT) >= 40
    assert len(set(CONTENT)) == len(CONTENT)


@pytest.mark.parametrize("code", CONTENT)
def test_the_example_gets_its_code_and_no_other(code: str, tmp_path: Path) -> None:
    example = CODES[code].example
    name = extra_name(example)
    found = check_with(example, tmp_path, name)
    assert [item.code for item in found] == [code], [show(item) for item in found]
    item = found[0]
    assert item.severity == CODES[code].severity
    assert Path(item.span.file).name == ELSEWHERE.get(code, name)
    assert 1 <= item.span.line <= len(example.split("\n"))
    assert (item.span.line, item.span.column) < (item.span.end_line, item.span.end_column)
    assert len(item.message) > 10
    if code not in WITHOUT_HINT:
        assert item.hint is not None and len(item.hint) > 3, item.message


@pytest.mark.parametrize("code", CONTENT)
def test_a_code_is_explained(code: str) -> None:
    entry = CODES[code]
    assert entry.explanation.endswith(".") and len(entry.explanation) > 60
    assert entry.repair.endswith(".") and len(entry.repair) > 10
    assert entry.example.endswith("\n") and not entry.example.startswith("\n")
    assert not entry.title.endswith(".")


def test_the_base_package_is_without_a_finding(tmp_path: Path) -> None:
    found = check_with("values:\n  mood: [calm]\n", tmp_path)
    assert not found, [show(item) for item in found]


def test_a_report_is_sorted_and_the_same_every_time(tmp_path: Path) -> None:
    # All examples in one file would clash in their names: one after the other, renamed, as far as they allow it.
    bodies = [re.search(r"^verbs:\n  loot:\n((?:    .*\n)+)", CODES[code].example) for code in CONTENT]
    text = "verbs:\n" + "".join(f"  loot-{i}:\n{body[1]}" for i, body in enumerate(bodies) if body)
    first = check_with(text, tmp_path)
    assert len({item.code for item in first}) > 20
    places = [(item.span.file, item.span.line, item.span.column) for item in first]
    assert places == sorted(places)
    assert first == check_with(text, tmp_path)


# --- registry and sources ---------------------------------------------------------------------------------------------


def emitted() -> dict[str, set[str]]:
    """The codes that stand as a text in each module of the compiler that registers none."""
    out: dict[str, set[str]] = {}
    for path in sorted(COMPILER.rglob("*.py")):
        if not path.name.startswith("codes"):
            for code in re.findall(r"""["'](G\d{4})["']""", path.read_text(encoding="utf-8")):
                out.setdefault(code, set()).add(path.name)
    return out


def test_every_emitted_code_is_registered() -> None:
    unknown = {code: sorted(files) for code, files in emitted().items() if code not in CODES}
    assert not unknown


def test_every_registered_code_is_emitted() -> None:
    assert not sorted(set(CODES) - set(emitted()))

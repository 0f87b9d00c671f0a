"""Diagnostics: order, caps, JSON, the text for people, suggestions, and the registry of codes."""

from __future__ import annotations

import inspect
import itertools
import json
import re
import unicodedata
from pathlib import Path

import pytest

from grimoire.compiler.diagnostics import codes
from grimoire.compiler.diagnostics import report as diagnostics
from grimoire.compiler.diagnostics.codes import CODES
from grimoire.compiler.diagnostics.report import (
    Diagnostic,
    Diagnostics,
    Related,
    Span,
    did_you_mean,
    render_text,
    to_json,
)
from grimoire.compiler.source import manifest
from grimoire.compiler.source import tree as source


def at(file: str, line: int, column: int = 1, width: int = 1) -> Span:
    return Span(file, line, column, line, column + width)


def test_sorted_by_file_then_place_whatever_the_order_of_adding() -> None:
    places = [at("b", 1), at("a", 10), at("a", 9, 5), at("a", 9, 2)]
    wanted = ["a:9:2", "a:9:5", "a:10:1", "b:1:1"]
    for order in itertools.permutations(places):
        diags = Diagnostics()
        for span in order:
            diags.add("G0110", span, "wrong")
        assert [f"{item.span.file}:{item.span.line}:{item.span.column}" for item in diags.sorted()] == wanted


def test_severity_comes_from_the_code_unless_given() -> None:
    diags = Diagnostics()
    diags.add("G0107", at("a", 1), "mark")
    assert not diags.has_errors
    diags.add("G0107", at("a", 2), "mark", severity="error")
    assert diags.has_errors
    assert [item.severity for item in diags.sorted()] == ["warning", "error"]


def test_unregistered_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Diagnostics().add("G9999", at("a", 1), "wrong")


def test_the_same_diagnostic_is_shown_once() -> None:
    diags = Diagnostics()
    for _ in range(3):
        diags.add("G0110", at("a", 1), "wrong", "mend")
    diags.add("G0110", at("a", 1), "wrong otherwise", "mend")
    assert [item.message for item in diags.sorted()] == ["wrong", "wrong otherwise"]


def test_cap_per_file_with_a_note_that_counts_the_rest() -> None:
    diags = Diagnostics()
    for line in range(1, 1001):
        diags.add("G0110", at("a", line), "wrong")
    diags.add("G0110", at("b", 1), "wrong")
    shown = diags.sorted()
    assert len(shown) == 202
    assert shown[200].code == "G0199" and shown[200].severity == "note" and "800 more" in shown[200].message
    assert shown[200].span.file == "a" and shown[201].span.file == "b"
    assert len(diags) == 1001


def test_cap_in_all_counts_every_file_beyond_it() -> None:
    diags = Diagnostics()
    for file in range(30):
        for line in range(1, 101):
            diags.add("G0110", at(f"{file:02}", line), "wrong")
    shown = diags.sorted()
    assert [item.code for item in shown].count("G0110") == 2000
    assert shown[-1].code == "G0199" and "1,000 more" in shown[-1].message
    assert len(shown) == 2001


def test_a_late_error_is_shown_before_many_warnings() -> None:
    diags = Diagnostics()
    for line in range(1, 5001):
        diags.add("G0107", at("a", line), "mark")
    diags.add("G0110", at("a", 6000), "wrong")
    shown = diags.sorted()
    assert "wrong" in [item.message for item in shown]
    assert "4,801 more" in shown[-1].message


def test_an_error_beyond_the_caps_still_counts() -> None:
    diags, outer = Diagnostics(), Diagnostics()
    for line in range(1, 1001):
        diags.add("G0110", at("a", line), "wrong")
    outer.extend(diags)
    assert outer.has_errors and len(outer) == 1000
    assert outer.sorted() == diags.sorted()
    assert not Diagnostics(outer.sorted()[-1:]).has_errors


def test_memory_does_not_grow_with_the_number_of_mistakes() -> None:
    diags = Diagnostics()
    for line in range(100_000):
        diags.add("G0110", at(f"file-{line % 500}", line), "wrong")
    assert len(diags._items) <= 20_000
    assert len(diags) == 100_000


def test_json_has_exactly_the_agreed_keys_and_reads_back() -> None:
    diags = Diagnostics()
    diags.add("G0115", Span("a", 1, 2, 3, 4), "twice", "delete", [Related(at("b", 5, 6), "first")])
    diags.add("G0110", at("c", 1), "wrong")
    data = to_json(diags.sorted())
    assert data["diagnostics"][0] == {
        "code": "G0115",
        "severity": "error",
        "file": "a",
        "line": 1,
        "column": 2,
        "end_line": 3,
        "end_column": 4,
        "message": "twice",
        "hint": "delete",
        "related": [{"file": "b", "line": 5, "column": 6, "end_line": 5, "end_column": 7, "message": "first"}],
    }
    assert data["diagnostics"][1]["hint"] is None and data["diagnostics"][1]["related"] == []
    assert list(data) == ["diagnostics"]
    assert json.loads(json.dumps(data)) == data


def one(span: Span, text: str, **more: object) -> str:
    item = Diagnostic("G0110", "error", span, "wrong", **more)  # type: ignore[arg-type]
    return render_text([item], {span.file: text})


def test_text_shows_line_caret_hint_and_related_places() -> None:
    text = "first: 1\nsecond: two\n"
    shown = one(at("f.yaml", 2, 9, 3), text, hint="mend it", related=(Related(at("f.yaml", 1, 1, 5), "see this"),))
    assert shown == (
        "f.yaml:2:9: error[G0110]: wrong\n"
        "  2 | second: two\n"
        "    |         ^^^\n"
        "  hint: mend it\n"
        "  f.yaml:1:1: see this\n"
        "  1 | first: 1\n"
        "    | ^^^^^\n"
    )


def caret_cells(shown: str) -> tuple[str, int, int]:
    """The source line, and from which to which cell the carets stand."""
    lines = shown.split("\n")
    source_line, carets = lines[1].split(" | ", 1)[1], lines[2].split(" | ", 1)[1]
    return source_line, len(carets) - len(carets.lstrip(" ")), len(carets)


def cell_of(line: str, char: str) -> int:
    """The cell at which a character starts, counted in another way: by its width class."""
    cells = 0
    for each in line:
        if each == char:
            return cells
        cells += 0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
    raise AssertionError(char)


@pytest.mark.parametrize("before", ["", "\t", "\t\t x", "日本語", "e\u0301a\u0308", "ж", "\t日e\u0301"])
def test_caret_stands_under_its_character(before: str) -> None:
    line = f"{before}Ω rest"
    shown, low, high = caret_cells(one(at("f", 1, len(before) + 1), line))
    assert low == cell_of(shown, "Ω") and high == low + 1


def test_caret_under_a_wide_character_is_two_cells() -> None:
    _, low, high = caret_cells(one(at("f", 1, 2), "a語b"))
    assert (low, high) == (1, 3)


def test_long_lines_are_cut_round_the_caret() -> None:
    line = "a" * 5_000_000 + "Ω" + "b" * 3_000_000
    shown, low, _ = caret_cells(one(at("f", 1, 5_000_001), line))
    assert shown[low] == "Ω" and shown.startswith("...a") and shown.endswith("b...") and len(shown) < 120


def test_places_outside_of_the_file_are_harmless() -> None:
    assert one(at("f", 9), "a\n") == "f:9:1: error[G0110]: wrong\n"
    assert one(Span("f", 1, 500, 1, 600), "abc").endswith("| abc\n    |    ^\n")
    assert one(Span("f", 1, 2, 7, 1), "abc\ndef").endswith("|  ^^\n")
    assert "wrong" in render_text([Diagnostic("G0110", "error", at("unknown", 1), "wrong")], {})


def test_nothing_in_a_file_or_a_message_steers_the_terminal() -> None:
    bad = "a\x1b[2Jb\u202ec"
    item = Diagnostic("G0110", "error", at("f\x1b", 1), f"wrong {bad}\nsecond", bad)
    shown = render_text([item], {"f\x1b": bad})
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", shown)
    assert shown.count("\n") == 4


def test_color_only_adds_escapes() -> None:
    item = Diagnostic("G0110", "error", at("f", 1, 1, 3), "wrong", "mend", (Related(at("f", 2), "see"),))
    sources = {"f": "abc\ndef"}
    colored = render_text([item], sources, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render_text([item], sources)


def test_sources_may_be_source_files_lines_or_text() -> None:
    item = Diagnostic("G0110", "error", at("f", 2), "wrong")
    text = "a\r\nb"
    shown = [render_text([item], {"f": it}) for it in (text, ["a", "b"], source.SourceFile.of_text("f", text))]
    assert shown[0] == shown[1] == shown[2] and "2 | b" in shown[0]


def test_did_you_mean() -> None:
    assert did_you_mean("langauges", ["languages", "licence"]) == "languages"
    assert did_you_mean("Version", ["version", "needs"]) == "version"
    assert did_you_mean("qqq", ["languages"]) is None
    assert did_you_mean("version", ["version"]) is None
    assert did_you_mean("", ["a"]) is None
    assert did_you_mean("x" * 100_000, ["x" * 99_999]) is None


def test_did_you_mean_does_not_depend_on_the_order() -> None:
    names = ["abcx", "abcy", "abcz", "zabc"]
    assert {did_you_mean("abc", order) for order in itertools.permutations(names)} == {"abcx"}


# --- the registry -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [source, manifest, diagnostics])
def test_every_code_that_is_emitted_is_registered(module: object) -> None:
    emitted = set(re.findall(r'"(G\d{4})"', inspect.getsource(module)))  # type: ignore[arg-type]
    assert emitted
    for code in emitted:
        assert CODES[code].example.strip() and CODES[code].explanation.strip() and CODES[code].repair.strip()


def test_every_file_and_manifest_code_is_emitted_somewhere() -> None:
    folder = Path(inspect.getfile(codes)).parents[1]
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")) if "codes" not in path.name
    )
    unused = [code for code in CODES if code < "G03" and f'"{code}"' not in text]
    assert unused == []


def test_registry_refuses_bad_entries() -> None:
    assert all(code == entry.code for code, entry in CODES.items())
    good = {"explanation": "e", "example": "x", "repair": "r"}
    for code, name, more in [
        ("G0101", "fresh-name", good),
        ("G0998", "file-not-found", good),
        ("X0998", "fresh-name", good),
        ("G0998", "Fresh Name", good),
        ("G0998", "fresh-name", {**good, "example": " "}),
    ]:
        with pytest.raises(ValueError):
            codes._register(code, name, "title", **more)
    assert "G0998" not in CODES

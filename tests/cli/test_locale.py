"""Texts: every language complete and clean, each mistake found where it stands, the tool's own words as well."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from gettext import c2py
from pathlib import Path

import pytest

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics
from grimoire.compiler.localisation.text.plurals import UNKNOWN, gettext_plurals, plural_examples
from grimoire.compiler.localisation.text.tool_words import TOOL_TEXT, tool_text
from grimoire.compiler.resolve import resolve_paths
from grimoire.runtime.wording.counts import plural_form, plural_forms
from grimoire.runtime.wording.own_words import languages
from grimoire.runtime.wording.placeholders import fill, places_of
from grimoire.runtime.wording.words import Words
from tests.packages import compile_folder
from tests.sources import source_files

from .conftest import ROOT, Run

PACKAGES = sorted(path.parent for path in (ROOT / "content").glob("*/package.yaml"))
PLACES = re.compile(r"\{(\w+)\}")


def look(root: Path) -> list[Diagnostic]:
    return [item for item in compile_folder(root, []).diags.sorted() if item.code.startswith("G09")]


@pytest.mark.parametrize("root", PACKAGES, ids=lambda root: root.name)
def test_texts_of_the_content(root: Path) -> None:
    compiled = compile_folder(*resolve_paths([root], Diagnostics())[0])
    assert [item for item in compiled.diags.sorted() if item.code.startswith("G09") and item.severity != "note"] == []
    if not (root / "text").is_dir():
        return
    assert compiled.artefact is not None
    text = compiled.artefact["text"]
    assert list(text) == compiled.artefact["languages"]
    if any(sections["clauses"] for sections in text.values()):
        for sections in text.values():
            assert set(compiled.artefact["clauses"]) <= set(sections["clauses"])


@pytest.mark.parametrize(
    "file", sorted((ROOT / "content").glob("*/text/*.yaml")), ids=lambda p: f"{p.parts[-3]}-{p.stem}"
)
def test_typography(file: Path) -> None:
    """What a proof-reader would mark: quotes, apostrophes, double blanks, dots, the letter ё."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        text = line.partition(":")[2]
        where = f"{file.name}:{number}"
        assert "  " not in text.strip() and " ." not in text and " ," not in text, where
        assert not re.search("[“”„’ʼ`]", line), where
        if file.stem == "uk":
            assert not re.search(r"[бпвмф][яюєї]", re.sub(r"(свя|цвя|мавпя|морквя|духмя)\w*", "", text, flags=re.I)), (
                where
            )
        if file.stem == "ru":
            assert not re.search(r"\b(еще|ее|чье|все еще|трех|четырех|берет|кладет|идет|поделен)\b", text), where
    clauses = file.read_text().partition("clauses:")[2]
    for line in clauses.splitlines():
        if re.match(r"\s+\d+:", line):
            assert line.endswith("."), line


# --- mistakes

Edit = Callable[[str], str]
MISTAKES: dict[str, tuple[str, Edit, str]] = {
    "missing name": ("G0901", lambda t: t.replace("moon: m, ", ""), "names.moon"),
    "empty name": ("G0901", lambda t: t.replace("moon: m", "moon: ''"), "names.moon"),
    "missing title": ("G0901", lambda t: t.replace("title: Зразок\n", ""), "title"),
    "missing clause": ("G0901", lambda t: t.replace(", 1: t}", "}"), "clauses.start.1"),
    "missing heading of an entry": ("G0901", lambda t: t.replace("{title: s, 1: t}", "{1: t}"), "clauses.start"),
    "missing sentence": ("G0901", lambda t: re.sub(r"  wait: .*\n", "", t), "log.wait"),
    "missing prompt": ("G0901", lambda t: t.replace("prompts: {either: e}\n", ""), "prompts.either"),
    "missing choice": ("G0901", lambda t: t.replace(", wait: w", ""), "choices.wait"),
    "missing state": ("G0901", lambda t: t.replace("headings: {coins: c}\n", ""), "headings.coins"),
    "unknown name": ("G0902", lambda t: t.replace("moon: m", "moon: m, mooon: m"), "names.mooon"),
    "wrong section": ("G0902", lambda t: t.replace("moon: m", "moon: m, coins: c"), "names.coins"),
    "unknown pattern": ("G0902", lambda t: t.replace("moon: m", "moon: m, sun-*: c"), "names.sun-*"),
    "unknown card with flavour": ("G0902", lambda t: t + "flavour: {mooon: m}\n", "flavour.mooon"),
    "unknown flavour of several": ("G0902", lambda t: t + "flavour: {sun-*: m}\n", "flavour.sun-*"),
    "twice": ("G0906", lambda t: t.replace("start: {title", "start.1: t\n  start: {title"), "clauses.start.1"),
    "no placeholder": ("G0903", lambda t: t.replace("{you} .", "{me} {you} ."), "{me}"),
    "open brace": ("G0903", lambda t: t.replace("{you} .", "{you} { ."), "{ in"),
    "beyond the last": ("G0903", lambda t: t.replace("{you} .", "{you} {2} ."), "{2}"),
    "none allowed": ("G0903", lambda t: t.replace("either: e", "either: 'e {1}'"), "{1}"),
    "forms": ("G0903", lambda t: t.replace("|каменів", ""), "2 forms"),
    "lacks a place": ("G0903", lambda t: t.replace("{you} .", "."), "lacks {you}"),
    "Latin letter": ("G0904", lambda t: t.replace("Зразок", "Зрaзок"), "'Зрaзок'"),
    "letter of another language": ("G0904", lambda t: t.replace("Зразок", "Образцы"), "ы"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(sample: Path, name: str) -> None:
    code, edit, words = MISTAKES[name]
    file = sample / "text" / "uk.yaml"
    before = file.read_text()
    assert look(sample) == []
    file.write_text(edit(before))
    assert file.read_text() != before
    found = look(sample)
    assert [item.code for item in found] == [code]
    assert words in found[0].message and found[0].span.file == file.as_posix()
    assert found[0].severity == ("error" if code == "G0906" else "warning")


def test_a_language_without_a_file_and_a_file_without_a_language(sample: Path) -> None:
    (sample / "text" / "uk.yaml").rename(sample / "text" / "de.yaml")
    found = look(sample)
    assert sorted((item.code, Path(item.span.file).name) for item in found) == [
        ("G0901", "uk.yaml"),
        ("G0902", "de.yaml"),
    ]


def test_a_draft_without_texts_is_not_reported(sample: Path) -> None:
    for file in (sample / "text").iterdir():
        file.unlink()
    assert look(sample) == []


def test_a_rulebook_that_nobody_has_worded_is_noted_once(sample: Path) -> None:
    for file in (sample / "text").glob("*.yaml"):
        kept = file.read_text().partition("clauses:")
        rest = [line for line in kept[2].splitlines() if line and not line.startswith(" ")]
        after = kept[2][kept[2].index(rest[0]) :] if rest else ""
        file.write_text(kept[0] + after)
    found = look(sample)
    assert [(item.code, item.severity) for item in found] == [("G0905", "note")]


def test_texts_in_several_files(sample: Path) -> None:
    file = sample / "text" / "uk.yaml"
    (sample / "text" / "uk").mkdir()
    head, _, tail = file.read_text().partition("prompts:")
    (sample / "text" / "uk" / "names.yaml").write_text(head)
    (sample / "text" / "uk" / "rest.yaml").write_text("prompts:" + tail)
    file.unlink()
    assert look(sample) == []


def test_texts_of_a_needed_package(sample: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    (more / "text").mkdir(parents=True)
    (more / "package.yaml").write_text(
        "package: more\nversion: 1.0.0\nlanguage: 2\nlanguages: [en, uk]\nplayers: 1-2\nneeds: {sample: '*'}\n"
    )
    (more / "cards.yaml").write_text("cards:\n  sun: {kind: stone, copies: 1, in: heap}\n")
    for language in ("en", "uk"):
        (more / "text" / f"{language}.yaml").write_text("title: M\nnames: {sun: s, moon: other}\n")
    compiled = compile_folder(more, [sample])
    assert [item for item in compiled.diags.sorted() if item.severity == "error" or item.code.startswith("G09")] == []
    assert compiled.artefact is not None
    names = compiled.artefact["text"]["uk"]["names"]
    assert (names["sun"], names["moon"], names["heap"]) == ("s", "other", "h")


def test_broken_text_files(sample: Path) -> None:
    file = sample / "text" / "uk.yaml"
    for text, code in (
        ("- a\n", "G0301"),
        ("names: [a]\n", "G0301"),
        ("title: {a: b}\n", "G0301"),
        ("nmaes: {}\n", "G0305"),
    ):
        file.write_text(text)
        assert code in [item.code for item in compile_folder(sample, []).diags.sorted()]


# --- words


def test_plural_forms() -> None:
    forms = [plural_form("uk", n) for n in (1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 100, 101, 111)]
    assert forms == [0, 1, 1, 2, 2, 2, 2, 0, 1, 2, 2, 0, 2]
    assert [plural_form("en", n) for n in (0, 1, 2, 21)] == [1, 0, 1, 1]
    said = fill("{you.number}: {1} {1|карта|карти|карт}", "uk", {"you": ("X", 2), "1": ("22", 22)})
    assert said == "2: 22 карти"
    assert [place.name for place in places_of("{you} {1.number} {2|a|b}")[0]] == ["you", "1", "2"]


def test_words() -> None:
    words = Words(
        {
            "package": {"id": "x"},
            "text": {"en": {"names": {"moon": "Moon", "lane-*": "Lane *"}, "log": {"go": "{you} to {1}"}}},
        },
        "en",
    )
    assert words.name("moon") == "Moon" and words.name("lane-a") == "Lane a"
    assert words.name("b2") == "b2" and words.name("other") == "<other>" and words.title == "<x>"
    assert words.value("moon@heap.p1#2") == "Moon" and words.value("p2") == "Player 2"
    assert words.value(None) == "something face down" and words.value("none", "seat") == "nobody"
    entry = {"verb": "go", "you": "p1", "args": [{"sort": "piece", "value": None}], "ok": True}
    assert words.sentence(entry) == "Player 1 to something face down"
    assert words.sentence({**entry, "ok": False}) is None and words.sentence({**entry, "verb": "rest"}) is None


# --- the tool's own words


def test_tool_texts_have_the_same_keys_and_places() -> None:
    english = TOOL_TEXT["en"]
    for language, table in ((language, TOOL_TEXT[language]) for language in languages()):
        assert list(table) == list(english), language
        for key, text in table.items():
            assert set(PLACES.findall(text)) == set(PLACES.findall(english[key])), (language, key)
    for text in TOOL_TEXT["uk"].values():
        assert not re.search("[ыэъё’ʼ“”]", text)
    for text in TOOL_TEXT["ru"].values():
        assert not re.search("[іїєґ“”]", text)


def test_every_tool_text_is_used() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in [*source_files("compiler"), *source_files("runtime/wording")]
    )
    reasons = (ROOT / "runtime" / "play" / "whynot.py").read_text(encoding="utf-8")
    unused = [key for key in TOOL_TEXT["en"] if f'"{key}"' not in source and f"'{key}'" not in source]
    assert [key for key in unused if f'reason("{key.removeprefix("why-")}"' not in reasons] == []


def test_a_tool_text_is_filled() -> None:
    assert tool_text("uk", "seat", number=3) == "Гравець 3"
    assert tool_text("de", "seat", number=3) == "Player 3"


def test_many_missing_texts_of_a_file_are_told_together(run: Run, sample: Path) -> None:
    """The report for people; the one for programs has every one of them."""
    (sample / "text" / "uk.yaml").write_text("names: {moon: м}\n")
    done = run("check", str(sample))
    file = sample / "text" / "uk.yaml"
    assert f"{file}:1:1: warning[G0901]: 14 texts are missing in 'uk'\n" in done.out
    assert "\n  title\n" in done.out and "\n  names: done-for, heap, long, satchel, stone\n" in done.out
    assert "  log: pick, wait\n" in done.out and done.out.count("G0901") == 1
    assert done.out.endswith("14 warnings\n")
    found = json.loads(run("check", str(sample), "--json").out)["diagnostics"]
    assert len(found) == 14 and {row["code"] for row in found} == {"G0901"}


def test_a_few_missing_texts_are_told_one_by_one(run: Run, sample: Path) -> None:
    file = sample / "text" / "uk.yaml"
    file.write_text(file.read_text().replace("moon: m, ", ""))
    assert "no text for names.moon in 'uk'" in run("check", str(sample)).out


@pytest.mark.parametrize(
    ("language", "counts", "forms"),
    [
        ("pl", (1, 2, 5, 12, 22, 25, 101), [0, 1, 2, 2, 1, 2, 2]),
        ("cs", (1, 2, 5, 22), [0, 1, 2, 2]),
        ("fr", (0, 1, 2), [0, 0, 1]),
        ("ja", (1, 2), [0, 0]),
        ("ar", (0, 1, 2, 3, 11, 100), [0, 1, 2, 3, 4, 5]),
        ("de", (0, 1, 2), [1, 0, 1]),
        ("pt-BR", (0, 1, 2), [0, 0, 1]),
    ],
)
def test_plural_forms_of_other_languages(language: str, counts: tuple[int, ...], forms: list[int]) -> None:
    """As CLDR has them; the header of a PO file says the same."""
    assert [plural_form(language, count) for count in counts] == forms
    assert plural_forms(language) == max(forms) + 1
    number, _, rule = gettext_plurals(language).partition("; plural=")
    assert number == f"nplurals={max(forms) + 1}"
    said = c2py(rule.rstrip(";"))
    assert all(said(count) == plural_form(language, count) for count in range(500))
    assert [row[0] for row in plural_examples(language)] == [
        next(n for n in (*range(1, 1000), 0) if plural_form(language, n) == form) for form in range(max(forms) + 1)
    ]


def test_a_count_takes_the_form_of_its_language() -> None:
    said = [fill("{1} {1|karta|karty|kart}", "pl", {"1": (str(count), count)}) for count in (1, 22, 25)]
    assert said == ["1 karta", "22 karty", "25 kart"]


def test_how_an_unknown_language_counts_is_said_and_not_guessed(run: Run, sample: Path) -> None:
    assert plural_form("zz", 1) is None and plural_forms("zz") is None and plural_examples("zz") == []
    assert gettext_plurals("zz") == UNKNOWN
    assert fill("{1} {1|a|b}", "zz", {"1": ("2", 2)}) == "2 a/b"

"""Flavour: what a card tells beside its rules. Where it is read, shown, exchanged and checked; that all languages have
the same cards."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polib
import pytest

from grimoire.compiler.api.build import compile_package
from grimoire.compiler.cli import main
from grimoire.compiler.command.edition import make_volume
from grimoire.compiler.command.terminal import Terminal
from grimoire.compiler.diagnostics.report import Diagnostic
from grimoire.compiler.localisation.edition.print import make_print
from grimoire.compiler.localisation.edition.site import make_site
from grimoire.compiler.localisation.edition.typography import typeset_volume
from grimoire.runtime import new_game
from grimoire.runtime.wording.words import Words
from tests.packages import CONTENT, compile_folder

LANGUAGES = ("en", "uk", "ru")
TEXTS = {"en": "She waits by the window.", "uk": "Вона чекає біля вікна.", "ru": "Она ждёт у окна."}
WRITTEN = (
    "mythos-card",
    "item",
    "spell-card",
    "feat",
    "waypoint-card",
    "damage-card",
    "character",
    "skill-card",
    "lord",
)  # that have flavour
MOST = 110  # characters of a card
Run = Callable[[str], tuple[int, str]]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with flavour of one card in three languages."""
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "content" / "love-letter"
    shutil.copytree(CONTENT / "love-letter", root, ignore=shutil.ignore_patterns("l10n"))
    for language, text in TEXTS.items():
        write(root, language, f"princess: '{text}'")
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(line: str) -> tuple[int, str]:
        capsys.readouterr()
        code = main(line.split())
        told = capsys.readouterr()
        return code, told.out

    return call


def write(root: Path, language: str, *rows: str) -> None:
    (root / "text" / language).mkdir(exist_ok=True)
    text = "".join(f"  {row}\n" for row in rows)
    (root / "text" / language / "flavour.yaml").write_text(f"flavour:\n{text}", encoding="utf-8")


def look(root: Path) -> list[Diagnostic]:
    return [item for item in compile_folder(root, []).diags.sorted() if item.code.startswith("G09")]


def words(root: Path, language: str) -> Words:
    made = compile_folder(root, [])
    assert made.artefact is not None
    return Words(made.artefact, language)


# --- what must be there


def test_a_card_need_not_have_flavour(root: Path) -> None:
    assert look(root) == []
    assert words(root, "uk").flavour("princess") == TEXTS["uk"]
    assert words(root, "uk").flavour("guard") is None


def test_what_one_language_has_all_must_have(root: Path) -> None:
    write(root, "uk", f"princess: '{TEXTS['uk']}'", "guard: 'Стоїть.'")
    found = look(root)
    assert {(item.code, item.message) for item in found} == {
        ("G0901", "no text for flavour.guard in 'en'"),
        ("G0901", "no text for flavour.guard in 'ru'"),
    }
    assert {Path(item.span.file).parts[-2] for item in found} == {"en", "ru"}
    (root / "text" / "ru" / "flavour.yaml").unlink()  # a language without the section at all
    assert sorted(item.message for item in look(root) if "'ru'" in item.message) == [
        "no text for flavour.guard in 'ru'",
        "no text for flavour.princess in 'ru'",
    ]


def test_an_id_that_is_no_card(root: Path) -> None:
    write(root, "ru", f"princess: '{TEXTS['ru']}'", "gaurd: 'Стоит.'", "deck: 'Лежит.'")
    found = {item.message: item.hint for item in look(root)}
    assert found == {
        "flavour.gaurd is the text of nothing that the package has": "did you mean guard?",
        "flavour.deck is the text of nothing that the package has": "it belongs in names",
    }


def test_a_placeholder_is_none_here(root: Path) -> None:
    write(root, "uk", "princess: 'Вона чекає на {you}.'")
    assert [(item.code, item.hint) for item in look(root)] == [("G0903", "placeholders here: none")]


def test_one_text_for_several_cards(root: Path) -> None:
    write(root, "en", f"princess: '{TEXTS['en']}'", "'k*g': 'Tired.'")
    assert {item.message for item in look(root)} == {f"no text for flavour.king in '{id_}'" for id_ in ("uk", "ru")}
    write(root, "uk", f"princess: '{TEXTS['uk']}'", "king: 'Утомлений.'")
    write(root, "ru", f"princess: '{TEXTS['ru']}'", "'ki*': 'Устал.'")
    assert look(root) == []
    assert (words(root, "en").flavour("king"), words(root, "ru").flavour("king")) == ("Tired.", "Устал.")


# --- where it is shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_text(root: Path, run: Run, language: str) -> None:
    code, told = run(f"text love-letter princess guard --lang {language}")
    rows = told.splitlines()
    assert code == 0 and rows.count(f"    {TEXTS[language]}") == 1
    assert rows.index(f"    {TEXTS[language]}") > 1  # behind its rules
    cards = {row["id"]: row for row in json.loads(run(f"text love-letter --json --lang {language}")[1])["cards"]}
    assert cards["princess"]["flavour"] == TEXTS[language] and "flavour" not in cards["guard"]
    assert all(TEXTS[language] not in part["text"] for part in cards["princess"]["parts"])


def test_the_command_text_shows_a_card_that_says_nothing_else(run: Run) -> None:
    code, told = run(f"text {CONTENT / 'unfathomable'} binoculars iceberg --json")
    binoculars, iceberg = json.loads(told)["cards"]
    assert code == 0 and binoculars["parts"] == [] and iceberg["parts"]
    assert binoculars["flavour"] and iceberg["flavour"]


def test_the_terminal(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("view princess\n?princess\nview guard\nquit\n"))
    Terminal(new_game(compile_package(root), 2, 1), [0, 1], "first", "uk", 200).run()
    assert capsys.readouterr().out.count(TEXTS["uk"]) == 2


def test_a_book(root: Path) -> None:
    made = compile_folder(root, [])
    volume = typeset_volume(make_volume(made, "ru"))
    site = [text.replace("\u00a0", " ") for text in make_site(volume).values()]
    pages = [text for text in site if TEXTS["ru"] in text]
    assert len(pages) == 1 and f"*{TEXTS['ru']}*\n{{: .flavour }}" in pages[0]
    assert f'flavour: "{TEXTS["ru"]}")' in make_print(volume).replace("\u00a0", " ")


def test_flavour_is_text_and_no_content(root: Path) -> None:
    """It stands with the texts of the artefact and changes nothing else."""
    before = compile_folder(root, []).artefact
    write(root, "uk", "princess: 'Вона пішла.'")
    after = compile_folder(root, []).artefact
    assert before is not None and after is not None
    assert {key for key in before if before[key] != after[key]} == {"text", "hash"}
    for made in (before, after):
        del made["text"]["uk"]["flavour"], made["hash"]
    assert before == after


# --- exchange and checks


def test_stats_count_it_with_the_cards(root: Path, run: Run) -> None:
    write(root, "uk", f"princess: '{TEXTS['uk']}'", "guard: 'Стоїть.'")
    found = json.loads(run("l10n stats love-letter --json")[1])
    for language, missing in (("en", 1), ("uk", 0), ("ru", 1)):
        row = found[language]
        assert row["sections"]["flavour"] == {"total": 2, "translated": 2 - missing, "fuzzy": 0, "missing": missing}
        assert row["kinds"]["cards"]["missing"] == missing


def test_out_and_back(root: Path, run: Run) -> None:
    (root / "text" / "uk" / "flavour.yaml").unlink()
    assert run("l10n export love-letter --lang uk -o uk.po")[0] == 0
    po = polib.pofile("uk.po")
    entry = next(entry for entry in po if entry.msgctxt == "flavour.princess")
    assert (entry.msgid, entry.msgstr) == (TEXTS["en"], "")
    assert "court-card princess" in entry.tcomment and "wording uk:" in entry.tcomment  # what the card is and does
    entry.msgstr = TEXTS["uk"]
    po.save("uk.po")
    assert run("l10n import love-letter uk.po --lang uk")[0] == 0
    assert look(root) == [] and words(root, "uk").flavour("princess") == TEXTS["uk"]
    write(root, "en", "princess: 'She waits by the door.'")
    assert json.loads(run("l10n stats love-letter --json")[1])["uk"]["sections"]["flavour"]["fuzzy"] == 1
    run("l10n accept love-letter --lang uk")
    assert json.loads(run("l10n stats love-letter --json")[1])["uk"]["sections"]["flavour"]["fuzzy"] == 0


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("Вона чекaє біля вікна.", "letters"),
        ("Вона чекає біля біля вікна.", "doubled"),
        ('Вона "чекає" біля вікна.', "quotes"),
        ("Вона чекає , біля вікна.", "punctuation"),
        ("She waits by the window.", "untranslated"),
        ("Вона чекає під вікном.", ""),
        ("Вона може чекати біля двох вікон, а мусить сидіти.", ""),  # a free hand: no numbers, no may and must
    ],
)
def test_how_it_is_written_is_checked(root: Path, run: Run, text: str, check: str) -> None:
    write(root, "uk", f"princess: '{text}'")
    found = json.loads(run("l10n check love-letter --lang uk --json")[1])["findings"]
    checks = {row["check"] for row in found if row["id"] == "flavour.princess"}
    assert check in checks if check else not checks


# --- the flavour of the content


@pytest.mark.parametrize(
    ("name", "needs"), [("unfathomable", []), ("unfathomable-example-expansion", ["unfathomable"]), ("abyss", [])]
)
def test_the_cards_of_the_content(name: str, needs: list[str]) -> None:
    made = compile_folder(CONTENT / name, [CONTENT / other for other in needs])
    assert made.artefact is not None and made.model is not None
    kinds = [row["id"] for row in made.artefact["kinds"]]
    cards = {row["id"] for row in made.artefact["definitions"] if kinds[row["kind"]] in WRITTEN}
    for language in LANGUAGES:
        there = made.artefact["text"][language]["flavour"]
        said = Words(made.artefact, language)
        assert cards and [id_ for id_ in cards if not said.flavour(id_)] == []
        assert {id_: len(text) for id_, text in there.items() if len(text) > MOST} == {}
        assert len(set(there.values())) == len(there)

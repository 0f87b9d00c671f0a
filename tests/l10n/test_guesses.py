"""The checks that guess: sense, lost clauses, names, dictionary; what acceptance does to them; limits of length by
kind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.cli import main
from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.localisation.text.language import knowledge
from grimoire.compiler.localisation.translation import forms as l10n_forms
from grimoire.compiler.localisation.translation import run as l10n_check
from grimoire.compiler.localisation.translation.run import Text, check_texts, collect_texts
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.compiler.localisation.translation.word_alignment import Turned

from .measure import measure
from .sower import sow

ROOT = Path(__file__).parents[2]
EDITION = str(ROOT / "content/unfathomable")


@pytest.fixture
def no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(l10n_check, "is_installed", lambda language: False)


# --- sense ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target", "language", "check"),
    [
        ("Draw it before the roll.", "Візьміть її після кидка.", "uk", "sense"),
        ("Draw it after the roll.", "Возьмите её перед броском.", "ru", "sense"),
        ("12 or more tokens", "не більше 12 жетонів", "uk", "sense"),
        ("at most 4 items", "не меньше 4 вещей", "ru", "sense"),
        ("Take the top card.", "Візьміть нижню карту.", "uk", "sense"),
        ("The first player decides.", "Решает последний игрок.", "ru", "sense"),
        ("You may move.", "Ви мусите переміститися.", "uk", "modals"),
        ("A space can be repaired.", "Область нужно отремонтировать.", "ru", "modals"),
        ("You must discard it.", "Ви можете скинути її.", "uk", "modals"),
    ],
)
def test_turned_round(source: str, target: str, language: str, check: str) -> None:
    turned = Turned([], knowledge("en"), knowledge(language))
    assert [found.check for found in turned.check(source, target)] == [check]


@pytest.mark.parametrize(
    ("source", "target", "language"),
    [
        ("12 or more tokens", "не менше 12 жетонів", "uk"),
        ("Draw it before the roll.", "Візьміть її перед кидком.", "uk"),
        ("Once that is done, take the top card.", "Після цього візьміть верхню карту.", "uk"),
        ("Every player may draw.", "Каждый игрок может взять карту.", "ru"),
        ("as soon as it is done", "как только это сделано", "ru"),
    ],
)
def test_not_turned_round(source: str, target: str, language: str) -> None:
    turned = Turned([], knowledge("en"), knowledge(language))
    assert not list(turned.check(source, target))


# --- with an edition --------------------------------------------------------------------------------------------------


def slipped(language: str, id_: str, target: str, standing: str = "new") -> set[str]:
    """What is found in a text of the package when it is put in another way."""
    edition = open_edition(EDITION)
    texts = [text._replace(standing="new") for text in collect_texts(edition, language, "en")]
    sown = [text._replace(target=target, standing=standing) if text.id == id_ else text for text in texts]  # type: ignore[arg-type]
    assert sown != texts
    return {slip.check for slip in check_texts(language, "en", sown, edition) if slip.id == id_}


FOUND = {
    # half of it is gone; a condition that nothing follows; a name in the genitive
    "clauses.set-up.17": ("Колоду лояльності тасують і роздають кожному по одній закритій карті.", "sentences"),
    "clauses.skill-card.4b": ("Якщо це властивість «Дія».", "sentences"),
    "names.observation": ("Спостережливістю", "cases"),
    "clauses.space.13": ("Палубні пасажири пронумеровано від 1 до 8.", "terms"),
}


def test_found_with_an_edition(large_edition: Edition, no_dictionary: None) -> None:
    """All in one run: to look through an edition takes seconds."""
    texts = [text._replace(standing="new") for text in collect_texts(large_edition, "uk", "en")]
    sown = [text._replace(target=FOUND[text.id][0]) if text.id in FOUND else text for text in texts]
    assert sum(one != other for one, other in zip(sown, texts, strict=True)) == len(FOUND)
    found = {(slip.id, slip.check) for slip in check_texts("uk", "en", sown, large_edition)}
    assert {(id_, check) for id_, (_, check) in FOUND.items()} <= found


def test_two_terms_for_one_thing(no_dictionary: None) -> None:
    span = Span.point("x")
    texts = [Text("names.a", "Lamp", "Лампа", span), Text("names.b", "Lamp", "Ліхтар", span)]
    assert "consistency" in {slip.check for slip in check_texts("uk", "en", texts, None)}


def test_words_with_a_dictionary() -> None:
    if not l10n_forms.is_installed("uk"):
        pytest.skip("the dictionary is an extra")
    assert "words" in slipped("uk", "clauses.brig.9", "З власної волі гравець перемістится в карцер не можеть.")
    assert "words" not in slipped("uk", "names.lure-of-yha-nthlei", "Поклик Й'ха-Нтлеї")  # a name


# --- accepted ---------------------------------------------------------------------------------------------------------


def test_guesses_are_silent_about_what_was_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], no_dictionary: None
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "content/love-letter", tmp_path / "content/love-letter")
    text = Path("content/love-letter/text/uk.yaml")

    def change(old: str, new: str) -> None:
        before = text.read_text(encoding="utf-8")
        assert old in before
        text.write_text(before.replace(old, new), encoding="utf-8")

    def found(*more: str) -> set[tuple[str, str]]:
        main(["l10n", "check", "love-letter", "--lang", "uk", "--json", *more])
        return {(row["id"], row["check"]) for row in json.loads(capsys.readouterr().out)["findings"]}

    change("після", "перед")
    guesses = {row for row in found() if row[1] == "sense"}
    assert guesses
    assert main(["l10n", "accept", "love-letter", "--lang", "uk"]) == 0
    capsys.readouterr()
    assert not guesses & found()
    assert guesses <= found("--all")
    assert main(["check", "love-letter"]) == 0  # such a record is right
    change("Свого ходу ви берете одну карту", "Свогo ходу ви берете одну карту")
    assert ("clauses.turn.2", "letters") in found()
    # what is sure is told of accepted texts as well
    main(["l10n", "accept", "love-letter", "--lang", "uk"])
    capsys.readouterr()
    assert ("clauses.turn.2", "letters") in found()
    # an unchanged file takes back nothing that was accepted
    record = Path("content/love-letter/l10n/uk.yaml")
    change("Свогo ходу", "Свого ходу")
    main(["l10n", "accept", "love-letter", "--lang", "uk"])
    before = record.read_text(encoding="utf-8")
    main(["l10n", "export", "love-letter", "--lang", "uk", "-o", "uk.po"])
    assert main(["l10n", "import", "love-letter", "uk.po", "--lang", "uk"]) == 0
    assert record.read_text(encoding="utf-8") == before


def test_what_was_changed_since_is_looked_at_closer(no_dictionary: None) -> None:
    target = "Зміна на початку ходу передує кроку «Отримайте вміння», тому карти беруть уже за новим набам."
    assert "forms" not in slipped("uk", "clauses.item-card.10a", target)
    assert "forms" in slipped("uk", "clauses.item-card.10a", target, "changed")


# --- length -----------------------------------------------------------------------------------------------------------


def test_length_by_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, no_dictionary: None
) -> None:
    monkeypatch.chdir(ROOT)

    def kinds(*given: str) -> set[str]:
        main(["l10n", "check", "love-letter", "--lang", "uk", "--json", *given])
        rows = json.loads(capsys.readouterr().out)["findings"]
        return {row["id"].partition(".")[0] for row in rows if row["check"] == "length"}

    assert {"names", "clauses"} <= kinds("--length", "60")
    assert kinds("--length", "names=60") == {"names", "title"}
    assert "clauses" in (rules := kinds("--length", "300", "--length", "rules=60")) and "names" not in rules
    for wrong in ("4", "poems=100", "long"):
        assert main(["l10n", "check", "love-letter", "--length", wrong]) == 2
        assert "--length" in capsys.readouterr().err


# --- how good ---------------------------------------------------------------------------------------------------------


def test_the_second_sower(no_dictionary: None) -> None:
    """All kinds of slips are sown, and most are found: of a seed that the checks were not made with."""
    if not l10n_forms.is_installed("uk"):
        pytest.skip("its wrong cases are made with the dictionary, which is an extra")
    edition = open_edition(EDITION)
    texts = collect_texts(edition, "uk", "en")
    assert {slip.kind for slip in sow(edition, "uk", texts, 99, 301)} == {
        "number", "term", "modal", "case", "alphabet", "symbol", "sentence", "doubled", "sense"
    }  # fmt: skip
    result = measure(edition, "uk", texts, 99, 301, accepted=True)
    assert sum(done for done, _ in result.found.values()) >= 0.75 * 99, result.found
    assert len({row.id for row in result.flagged}) <= 0.02 * result.clean


def test_new_texts_without_a_dictionary(no_dictionary: None) -> None:
    """Most slips are found too where nobody has accepted anything, endings among them, and few clean strings are
    told."""
    edition = open_edition(EDITION)
    texts = collect_texts(edition, "uk", "en")
    result = measure(edition, "uk", texts, 99, 301)
    assert sum(done for done, _ in result.found.values()) >= 0.8 * 99, result.found
    assert result.found["case"][0] >= 0.4 * result.found["case"][1], result.missed
    assert len({row.id for row in result.flagged}) <= 0.06 * result.clean

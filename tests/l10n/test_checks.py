"""The checks of translations, one by one and as a whole: what they find, what they let pass, and how fast they are."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from grimoire.compiler.cli import main
from grimoire.compiler.localisation.text.language import knowledge
from grimoire.compiler.localisation.translation import forms as l10n_forms
from grimoire.compiler.localisation.translation import run as l10n_check
from grimoire.compiler.localisation.translation.run import Checker, check_texts, collect_texts, silence
from grimoire.compiler.localisation.translation.single_string import Pair, check_length, check_pair
from grimoire.compiler.localisation.translation.strings import Edition, Standing

from .sower import SEVEN, sow

ROOT = Path(__file__).parents[2]


def found(source: str, target: str, language: str = "uk") -> set[str]:
    return {row.check for row in check_pair(Pair(source, target, knowledge("en"), knowledge(language)))}


@pytest.mark.parametrize(
    ("source", "target", "check"),
    [
        ("Draw 3 cards.", "Візьміть 4 карти.", "numbers"),
        ("Draw two cards.", "Візьміть три карти.", "numbers"),
        ("Once per turn.", "Двічі за хід.", "numbers"),
        ("You may draw a card.", "Ви мусите взяти карту.", "modals"),
        ("You must discard a card.", "Ви можете скинути карту.", "modals"),
        ("{you} draws {1}.", "{you} бере карту.", "placeholders"),
        ("{you} draws {1}.", "{you} бере {2}.", "placeholders"),
        ("{you} draws {1}.", "{you} бере {1.", "placeholders"),
        ("{1} {1|card|cards}", "{1} {1|карта|карти}", "placeholders"),
        ("Gain [anchor].", "Отримайте.", "symbols"),
        ("<b>Action:</b> rest", "<b>Дія:<b> відпочинок", "symbols"),
        ("Strength +2", "Сила 2", "symbols"),
        ("a lamp", "лaмпа", "letters"),
        ("a lamp and oil", "лампa й oлія", "letters"),
        ("a lamp", "лампы", "letters"),
        ("a lamp", "a lamp", "untranslated"),
        ("the old lamp", "старий lamp", "untranslated"),
        ("a lamp", "лам\u00adпа", "characters"),
        ("a lamp", "лампа\ue000", "characters"),
        ("a “lamp”", 'ця "лампа"', "quotes"),
        ("a “lamp”", "ця «лампа", "brackets"),
        ("a lamp (lit)", "лампа (світить", "brackets"),
        ("The lamp is lit.", "Лампа лампа світить.", "doubled"),
        ("The lamp is lit.", "Лампа світить..", "punctuation"),
        ("The lamp is lit.", "Лампа , світить.", "punctuation"),
        ("Is the lamp lit?", "Лампа світить.", "punctuation"),
        ("five lamps", "п’ять ламп", "apostrophe"),
        ("Draw a card from the deck. Then discard a card from your hand.", "Візьміть карту з колоди.", "sentences"),
    ],
)
def test_found(source: str, target: str, check: str) -> None:
    assert check in found(source, target)


@pytest.mark.parametrize(
    ("source", "target", "language"),
    [
        ("Draw two cards.", "Візьміть 2 карти.", "uk"),
        ("Draw 5 cards.", "Возьмите пять карт.", "ru"),
        ("Once per turn, draw a card.", "Один раз за хід візьміть карту.", "uk"),
        ("Both players draw.", "Обидва гравці беруть карти.", "uk"),
        ("Play it twice.", "Розіграйте це двічі.", "uk"),
        ("You may draw.", "Можете взяти карту.", "uk"),
        ("You cannot draw.", "Брати карти не можна.", "uk"),
        ("{you} draws {1} {1|card|cards}.", "{you} бере {1} {1|карту|карти|карт}.", "uk"),
        ("columns a to g", "стовпці від a до g", "uk"),
        ("an X", "символ «X»", "uk"),
        ("Level II", "Рівень II", "uk"),
        ("The lamp is lit. It burns.", "Лампа світить, і вогонь горить.", "uk"),
        ("a “lamp”", "«лампа»", "ru"),
        ("five lamps", "п'ять ламп", "uk"),
    ],
)
def test_let_pass(source: str, target: str, language: str) -> None:
    assert found(source, target, language) == set()


def test_length_is_an_option() -> None:
    pair = Pair("Draw a card from it", "Візьміть собі рівно одну карту з цієї колоди", knowledge("en"), knowledge("uk"))
    assert [row.check for row in check_length(pair, 150)] == ["length"]
    assert not list(check_length(pair, 300))


# --- with the glossary ------------------------------------------------------------------------------------------------


SLIPS = {
    "clauses.passenger.4": (None, "У запасі є 5 пасажири.", "agreement"),
    "clauses.brig.0": (None, "Людина в карцером не може переміщуватися.", "cases"),
    "clauses.space.13": ("зони", "пасажири", "terms"),
    "clauses.hand-limit.0": (None, "Межа для кожної пасажирою.", "forms"),
}


def test_found_with_the_glossary(large_edition: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    """All slips in one run: to look through an edition takes seconds."""
    monkeypatch.setattr(l10n_check, "is_installed", lambda language: False)
    texts = collect_texts(large_edition, "uk", "en", everything=True)
    sown = list(texts)
    for at, text in enumerate(texts):
        if text.id in SLIPS:
            old, new, _ = SLIPS[text.id]
            sown[at] = text._replace(target=new if old is None else text.target.replace(old, new))
    assert sum(one != other for one, other in zip(sown, texts, strict=True)) == len(SLIPS)
    found = {(slip.id, slip.check) for slip in check_texts("uk", "en", sown, large_edition)}
    assert {(id_, check) for id_, (_, _, check) in SLIPS.items()} <= found


@pytest.mark.parametrize(
    ("accepted", "languages", "seeds", "least", "most"),
    [(True, ("uk", "ru"), (1,), 0.9, 0.05), (False, ("ru",), (4,), 0.8, 0.055)],  # more seeds: tests.l10n.measure
)
def test_how_good(
    large_edition: Edition,
    monkeypatch: pytest.MonkeyPatch,
    accepted: bool,
    languages: tuple[str, ...],
    seeds: tuple[int, ...],
    least: float,
    most: float,
) -> None:
    """200 slips of the seven kinds: at least 90 % are found and at most 5 % of the clean strings reported in each
    language where the texts had been accepted before; in texts that nobody has accepted yet fewer are found without a
    dictionary."""
    monkeypatch.setattr(l10n_check, "is_installed", lambda language: False)  # the same with and without a dictionary
    for language in languages:
        texts = collect_texts(large_edition, language, "en")
        own: Sequence[Standing] = ("accepted", "changed") if accepted else ("new", "new")
        for seed in seeds:
            slips = {slip.id: slip for slip in sow(large_edition, language, texts, 200, seed, SEVEN, dictionary=False)}
            sown = [
                text._replace(target=slips[text.id].after, standing=own[1])
                if text.id in slips
                else text._replace(standing=own[0])
                for text in texts
            ]
            checker = Checker(language, "en", sown, large_edition)
            found = {text.id: set(checker.check(text)) for text in sown}
            before = {text.id: set(checker.check(text._replace(standing=own[1]))) for text in texts if text.id in slips}
            hit = {id_ for id_ in slips if found[id_] - before[id_]}
            told = silence(
                large_edition, language, check_texts(language, "en", sown, large_edition)
            )  # as the command does
            flagged = {row.id for row in told if row.check != "silenced"} - slips.keys()
            print(language, seed, len(hit), len(flagged), Counter(slips[id_].kind for id_ in slips.keys() - hit))
            assert len(slips) == 200
            assert len(hit) >= least * len(slips), (language, seed, len(hit))
            assert len(flagged) <= most * (len(texts) - len(slips)), (language, seed, len(flagged))


def test_a_third_language_says_more(large_edition: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that the source does not name, and that the other translation has: it is compared with that one."""
    monkeypatch.setattr(l10n_check, "is_installed", lambda language: False)
    texts = [text._replace(standing="accepted") for text in collect_texts(large_edition, "ru", "en")]
    sown = [
        text._replace(target=text.target.replace("6", "5"), standing="changed") if text.id == "log.founder" else text
        for text in texts
    ]
    assert sown != texts
    slips = {
        (slip.check, slip.message) for slip in check_texts("ru", "en", sown, large_edition) if slip.id == "log.founder"
    }
    assert ("numbers", "5 is in no other language") in slips


def test_an_event_about_to_happen_is_no_must() -> None:
    assert found("When a Deep One would be defeated, you may move it.", "Когда глубоководный должен быть побеждён, можете передвинуть его.", "ru") == set()  # fmt: skip
    assert "modals" in found("You may move it.", "Вы должны быть быстры и передвинуть его.", "ru")


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(l10n_check, "is_installed", lambda language: False)
    shutil.copytree(ROOT / "content/love-letter", tmp_path / "content/love-letter")
    return tmp_path


def test_check_a_package_and_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["l10n", "check", "love-letter", "--lang", "uk", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"findings": []}
    main(["l10n", "export", "love-letter", "--lang", "uk", "-o", "uk.po"])
    file = Path("uk.po")
    file.write_text(file.read_text(encoding="utf-8").replace("Свого ходу", "Свогo ходу"), encoding="utf-8")
    assert main(["l10n", "check", "uk.po", "--lang", "uk", "--json"]) == 1
    one, *_ = json.loads(capsys.readouterr().out)["findings"]  # guesses may follow: the string was changed
    assert (one["id"], one["lang"], one["check"], one["severity"]) == ("clauses.turn.2", "uk", "letters", "error")
    assert one["span"]["file"] == "uk.po" and one["span"]["line"] > 1


def test_a_finding_is_silenced_with_a_reason(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("content/love-letter/text/uk.yaml")
    text.write_text(
        text.read_text(encoding="utf-8").replace("ви берете одну карту", "ви берете 2 карти"), encoding="utf-8"
    )
    assert (
        main(["l10n", "accept", "love-letter", "--lang", "uk"]) == 0
    )  # no guesses, but the number is still another one
    silenced = Path("content/love-letter/l10n/silenced.yaml")
    silenced.parent.mkdir(exist_ok=True)
    silenced.write_text("uk:\n  clauses.turn.2:\n    numbers: another edition of the rules\n", encoding="utf-8")
    assert main(["l10n", "check", "love-letter", "--lang", "uk"]) == 0
    assert main(["check", "love-letter"]) == 0  # the file is no content
    for wrong, told in (
        ("numbers:\n", "needs a reason"),
        ("number: because\n", "there is no check 'number'"),
        ("numbers: because\n    quotes: because\n", "quotes finds nothing here"),
    ):
        silenced.write_text(f"uk:\n  clauses.turn.2:\n    {wrong}", encoding="utf-8")
        capsys.readouterr()
        assert main(["l10n", "check", "love-letter", "--lang", "uk"]) == 1
        assert told in capsys.readouterr().out


# --- forms ------------------------------------------------------------------------------------------------------------


def test_forms_without_a_dictionary(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(l10n_forms, "find_spec", lambda name: None)
    assert main(["l10n", "inflect", "лампа", "--lang", "uk"]) == 2
    assert "pip install 'grimoire-compiler[forms-uk]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "word", "row"),
    [
        ("uk", "lamp=лампа", "lamp: {forms: лампа лампи лампі лампу лампою лампі / лампи ламп лампам лампи лампами лампах, gender: f}"),
        ("ru", "еда", "еда: {forms: еда еды еде еду едой еде, gender: f, mass: true}"),
        ("ru", "ножницы", "ножницы: {forms: / ножницы ножниц ножницам ножницы ножницами ножницах}"),
    ],
)  # fmt: skip
def test_forms(language: str, word: str, row: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not l10n_forms.is_installed(language):
        pytest.skip("the dictionary is an extra")
    assert main(["l10n", "inflect", word, "--lang", language]) == 0
    assert row in capsys.readouterr().out

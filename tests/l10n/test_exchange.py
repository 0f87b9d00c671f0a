"""Stats, export, import: what a localiser does with a package, and that nothing is lost on the way."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import polib
import pytest

from grimoire.compiler.cli import main
from grimoire.compiler.localisation.translation.forms import is_installed

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for game in ("love-letter", "connect-four"):
        shutil.copytree(ROOT / "content" / game, tmp_path / "content" / game, ignore=shutil.ignore_patterns("l10n"))
    return tmp_path


def grimoire(capsys: pytest.CaptureFixture[str], line: str) -> tuple[int, str, str]:
    code = main(["l10n", *line.split()])
    told = capsys.readouterr()
    return code, told.out, told.err


def stats(capsys: pytest.CaptureFixture[str], language: str = "uk") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(grimoire(capsys, "stats love-letter --json")[1])[language]
    return found


def change(path: str, old: str, new: str) -> None:
    file = Path(path)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


UK = "content/love-letter/text/uk.yaml"
EN = "content/love-letter/text/en.yaml"


def test_stats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = stats(capsys)
    assert (whole["translated"], whole["fuzzy"], whole["missing"]) == (whole["total"], 0, 0)
    assert sum(row["total"] for row in whole["sections"].values()) == whole["total"]
    change(UK, "  guard: Вартовий\n", "")
    now = stats(capsys)
    assert (now["total"], now["missing"], now["sections"]["names"]["missing"]) == (whole["total"], 1, 1)
    assert grimoire(capsys, "stats love-letter")[0] == 1


def test_stats_of_several_packages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = json.loads(grimoire(capsys, "stats --json")[1])["uk"]  # all of content/
    assert set(both["packages"]) == {"love-letter", "connect-four"}
    assert both["total"] == sum(row["total"] for row in both["packages"].values())
    assert {"rules", "cards", "prompts", "log", "names"} == set(both["kinds"])
    assert both["sections"]["generated"]["missing"] == 0
    code, out, _ = grimoire(capsys, "stats love-letter connect-four")
    assert (code, "all packages" in out) == (0, True)


@pytest.mark.parametrize("text", ["", 'msgid ""\nmsgstr "Language: uk\\n"\n'])
def test_a_file_without_entries(folder: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    Path("uk.po").write_text(text, encoding="utf-8")
    for line in ("check uk.po --lang uk", "import love-letter uk.po --lang uk"):
        code, out, err = grimoire(capsys, line)
        assert code == 1 and "uk.po:1:1: error[syntax]" in out + err, line


def test_a_changed_source_makes_a_translation_fuzzy(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grimoire(capsys, "accept love-letter --lang uk")[0] == 0
    assert stats(capsys)["unrecorded"] == 0
    change(EN, "  guard: Guard", "  guard: Watchman")
    assert stats(capsys)["fuzzy"] == 1
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    fuzzy = [entry.msgctxt for entry in polib.pofile("uk.po") if "fuzzy" in entry.flags]
    assert fuzzy == ["names.guard"]
    # a fuzzy entry is not taken over as it stands, and an accepted one is no longer fuzzy
    grimoire(capsys, "import love-letter uk.po --lang uk")
    assert stats(capsys)["fuzzy"] == 1
    grimoire(capsys, "accept love-letter --lang uk --string names.guard")
    assert stats(capsys)["fuzzy"] == 0


def test_export(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(UK, "  guard: Вартовий\n", "")
    assert grimoire(capsys, "export love-letter --lang uk -o uk.po")[0] == 0
    po = {entry.msgctxt: entry for entry in polib.pofile("uk.po")}
    assert (po["names.priest"].msgid, po["names.priest"].msgstr) == ("Priest", "Священник")
    assert po["clauses.turn.1"].msgid.startswith("The players who are not out")
    assert po["names.guard"].msgstr == ""  # English is never put in the place of a translation
    comment = po["names.guard"].tcomment
    assert "court-card guard" in comment and "rank: 1" in comment and "effect" in comment
    assert "wording en:" in comment and "wording uk:" in comment


def test_nothing_but_the_text_changes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(UK).read_text(encoding="utf-8")
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    code, out, _ = grimoire(capsys, "import love-letter uk.po --lang uk")
    assert (code, Path(UK).read_text(encoding="utf-8")) == (0, before)
    assert "0 added, 0 changed" in out
    change("uk.po", 'msgstr "Священник"', 'msgstr "Отець: духівник"')
    assert grimoire(capsys, "import love-letter uk.po --lang uk")[0] == 0
    assert Path(UK).read_text(encoding="utf-8") == before.replace("priest: Священник", "priest: 'Отець: духівник'")


def test_missing_keys_are_added_where_they_belong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    before = Path(UK).read_text(encoding="utf-8")
    change(UK, "  guard: Вартовий\n", "")
    change(UK, "    2: Свого ходу ви берете одну карту.\n", "")
    code, out, err = grimoire(capsys, "import love-letter uk.po --lang uk")
    assert (code, "2 added" in out) == (0, True), err
    after = Path(UK).read_text(encoding="utf-8")
    assert sorted(after.splitlines()) == sorted(before.splitlines())
    assert stats(capsys)["missing"] == 0


def test_a_new_language(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change("content/love-letter/package.yaml", "languages: [en, uk, ru]", "languages: [en, uk, ru, de]")
    grimoire(capsys, "export love-letter --lang de -o de.po")
    po = polib.pofile("de.po")
    assert all(not entry.msgstr for entry in po)
    for entry in po:
        entry.msgstr = f"Ä {entry.msgid}"
    po.save("de.po")
    assert grimoire(capsys, "import love-letter de.po --lang de")[0] == 0
    assert stats(capsys, "de")["missing"] == 0  # log.play is as silent as in English
    assert "guard: Ä Guard" in Path("content/love-letter/text/de.yaml").read_text(encoding="utf-8")


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "check", "id_"),
    [
        ('X-Grimoire-Package: love-letter', 'X-Grimoire-Package: leduc', "package", "file"),
        ('X-Grimoire-Version: 1.0.0', 'X-Grimoire-Version: 0.0.9', "version", "file"),
        ('"Language: uk', '"Language: ru', "language", "file"),
        ('msgctxt "names.priest"', 'msgctxt "names.preist"', "id", "names.preist"),
        ('msgctxt "names.priest"', 'msgctxt "names.guard"', "id", "names.guard"),
        ('msgid "Priest"', 'msgid "Parson"', "source", "names.priest"),
        ("{you} отримує", "{who} отримує", "placeholders", "log.gain"),
        ("{you} отримує", "Гравець отримує", "placeholders", "log.gain"),
        ('msgstr "Священник"', 'msgstr "Свящeнник"', "letters", "names.priest"),
        ('msgid "Priest"', 'mgsid "Priest"', "syntax", "file"),
    ],
)  # fmt: skip
def test_nothing_is_imported_from_a_file_with_errors(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, check: str, id_: str
) -> None:
    before = Path(UK).read_text(encoding="utf-8")
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    change("uk.po", 'msgstr "Барон"', 'msgstr "Пан барон"')
    change("uk.po", old, new)
    code, _, err = grimoire(capsys, "import love-letter uk.po --lang uk")
    assert code == 1
    assert f"error[{check}]: {id_}:" in err and "uk.po:" in err
    assert Path(UK).read_text(encoding="utf-8") == before
    if check != "syntax":  # string by string it can be done
        grimoire(capsys, "import love-letter uk.po --lang uk --string names.baron")
        assert Path(UK).read_text(encoding="utf-8") == before.replace("baron: Барон", "baron: Пан барон")


def test_broken_encoding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    data = Path("uk.po").read_text(encoding="utf-8").encode("cp1251", errors="replace")
    Path("uk.po").write_bytes(data)
    code, _, err = grimoire(capsys, "import love-letter uk.po --lang uk")
    assert code == 1 and "error[encoding]" in err and "UTF-8" in err


def test_a_translation_that_stands_is_not_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    change(UK, "priest: Священник", "priest: Священик")  # somebody else works on the package
    change(UK, "baron: Барон", "baron: Пан")
    change("uk.po", 'msgstr "Барон"', 'msgstr "Барон Старий"')
    change("uk.po", 'msgstr "Служниця"', 'msgstr ""')
    code, out, err = grimoire(capsys, "import love-letter uk.po --lang uk")
    text = Path(UK).read_text(encoding="utf-8")
    assert "priest: Священик" in text and "baron: Пан\n" in text and "handmaid: Служниця" in text
    assert code == 1 and "conflict" in err and "names.baron" in err
    assert "changed in the package" in out


def test_a_translation_of_an_older_source_is_known_as_such(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(UK, "  guard: Вартовий\n", "")
    grimoire(capsys, "export love-letter --lang uk -o uk.po")
    change(EN, "  guard: Guard", "  guard: Watchman")
    change("uk.po", 'msgid "Guard"\nmsgstr ""', 'msgid "Guard"\nmsgstr "Вартовий"')
    grimoire(capsys, "import love-letter uk.po --lang uk")
    assert stats(capsys)["fuzzy"] == 1


def test_wrong_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (
        "stats nothing",
        "export love-letter --lang de",
        "export love-letter --lang en",
        "import love-letter no.po --lang uk",
        "accept love-letter --lang uk --string names.gaurd",
        "check nothing.po",
        "glossary love-letter -o terms.txt",
    ):
        code, _, err = grimoire(capsys, line)
        assert code == 2 and err.startswith("grimoire: "), line
    assert main(["l10n"]) == 2


def test_strings_that_only_one_language_has_are_not_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = stats(capsys)["total"]
    change(UK, "prompts:\n", "prompts:\n  king.target: З ким?\n")
    now = stats(capsys)
    assert (now["total"], now["more"], now["missing"]) == (before, 1, 0)
    assert {"total", "translated", "fuzzy", "missing"} <= set(now)
    told = grimoire(capsys, "stats love-letter")[2]
    assert "love-letter has 1 more in 'uk'" in told and "prompts.king.target" in told


def test_a_language_that_has_nothing_yet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change("content/love-letter/package.yaml", "languages: [en, uk, ru]", "languages: [en, uk, ru, pl]")
    code, out, err = grimoire(capsys, "check love-letter --lang pl")
    assert (code, out) == (0, "no findings\n") and "love-letter lacks" in err and "l10n stats love-letter" in err
    code, out, _ = grimoire(capsys, "export love-letter --lang pl")
    assert code == 0 and "nplurals=3; plural=(n==1 ? 0 :" in out
    assert "has a form of the noun for each of: 1 / 2, 3, 4, .. / 5, 6, 7, .." in out
    assert "de" not in grimoire(capsys, "stats love-letter")[1]
    code, _, err = grimoire(capsys, "export love-letter --lang de")
    assert code == 2 and "languages in content/love-letter/package.yaml" in err


def test_of_a_folder_those_packages_are_checked_that_have_the_language(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change("content/love-letter/package.yaml", "languages: [en, uk, ru]", "languages: [en, uk, ru, pl]")
    Path("content/love-letter/text/pl.yaml").write_text("log: {gain: '{who} ma {1}.'}\n", encoding="utf-8")
    code, out, _ = grimoire(capsys, "check content --lang pl --json")
    findings = json.loads(out)["findings"]
    assert code == 1 and {row["id"] for row in findings} == {"log.gain"}
    assert {"lang": "pl", "check": "placeholders", "severity": "error"}.items() <= findings[0].items()
    assert findings[0]["span"]["file"] == "content/love-letter/text/pl.yaml"
    assert grimoire(capsys, "check content --lang de")[0] == 2
    code, out, _ = grimoire(capsys, "check love-letter connect-four --lang uk --json")
    assert (code, json.loads(out)) == (0, {"findings": []})


@pytest.mark.parametrize(
    ("language", "word", "row"),
    [
        ("uk", "жетон подорожі", "жетон жетона жетонові жетон жетоном жетоні / жетони жетонів жетонам жетони жетонами жетонах, tail: подорожі}"),
        ("uk", "глибоководний", "глибоководних глибоководними глибоководних, animate: true}"),
        ("ru", "разоблачённый предатель", "animate: true, with: разоблачённый}"),
        ("ru", "атакующий", "{forms: атакующий атакующего атакующему атакующего атакующим атакующем /"),
        ("ru", "кофе", "{forms: кофе кофе кофе кофе кофе кофе /"),
    ],
)  # fmt: skip
def test_forms_of_nouns_that_are_not_plain(
    language: str, word: str, row: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if not is_installed(language):
        pytest.skip("the dictionary is an extra")
    assert main(["l10n", "inflect", word, "--lang", language]) == 0
    assert row in capsys.readouterr().out
    assert main(["l10n", "inflect", "Батько Дагон", "--lang", language]) == 2


def test_glossary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grimoire(capsys, "glossary love-letter -o terms.csv")[0] == 0
    rows = Path("terms.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("id,language,term,gender,animate,nom.sg,gen.sg")
    assert any(row.startswith("deck,uk,колода,f,,колода,колоди,") for row in rows)
    assert grimoire(capsys, "glossary love-letter -o terms.tbx")[0] == 0
    from xml.etree import ElementTree

    tree = ElementTree.parse("terms.tbx")
    assert "колода" in {term.text for term in tree.iter("term")}
    root = tree.getroot()
    assert root.tag == "martif" and [part.tag for part in root] == ["martifHeader", "text"]
    assert root.find("martifHeader/fileDesc/titleStmt/title") is not None
    assert root.find("martifHeader/fileDesc/sourceDesc/p") is not None
    ids = [entry.get("id") for entry in tree.iter("termEntry")]
    assert len(ids) == len(set(ids)) > 30
    language = "{http://www.w3.org/XML/1998/namespace}lang"
    for part in tree.iter("langSet"):
        assert part.get(language) in ("en", "uk", "ru") and part.find("tig/term") is not None
        assert part.find("tig/termNote[@type='partOfSpeech']") is not None
    deck = next(part for part in tree.iter("tig") if part.findtext("term") == "колода")
    notes = {note.get("type"): note.text for note in deck.iter("termNote")}
    assert notes == {"partOfSpeech": "noun", "grammaticalGender": "feminine", "animacy": "inanimate"}
    assert "gen.sg: колоди" in (deck.findtext("note") or "")


def test_the_glossary_has_what_a_language_lacks_forms_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change("content/love-letter/package.yaml", "languages: [en, uk, ru]", "languages: [en, uk, ru, pl]")
    Path("content/love-letter/text/pl.yaml").write_text("names: {guard: Strażniczka}\n", encoding="utf-8")
    change(
        UK,
        "names:\n",
        "glossary:\n  box: {forms: коробка коробки коробці коробку коробкою коробці, gender: f}\n  out loud: уголос\nnames:\n",
    )
    grimoire(capsys, "glossary love-letter -o terms.csv")
    with Path("terms.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["id"], row["language"]): row for row in csv.DictReader(file)}
    assert rows["guard", "pl"]["term"] == "Strażniczka" and rows["guard", "uk"]["gen.sg"]
    assert (rows["box", "uk"]["part"], rows["box", "uk"]["acc.sg"]) == ("noun", "коробку")
    assert (rows["out loud", "uk"]["part"], rows["out loud", "uk"]["term"]) == ("phrase", "уголос")
    assert rows["draw", "uk"]["part"] == "verb" and rows["draw", "uk"]["imp"]

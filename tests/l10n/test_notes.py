"""What a translator is told with each string: no entry of a PO file without its notes, in any package."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import polib
import pytest

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.localisation.translation.export import export_po
from grimoire.compiler.localisation.translation.strings import Edition
from grimoire.runtime.wording.placeholders import places_of

ROOT = Path(__file__).parents[2]
GAMES = (
    "unfathomable",
    "unfathomable-example-expansion",
    "abyss",
    "love-letter",
    "leduc",
    "tic-tac-toe",
    "connect-four",
)
WORDED = ("unfathomable", "unfathomable-example-expansion", "abyss", "love-letter")


@cache
def edition(game: str) -> Edition:
    return open_edition(str(ROOT / "content" / game))


@cache
def entries(game: str, language: str = "uk") -> dict[str, polib.POEntry]:
    return {entry.msgctxt: entry for entry in polib.pofile(export_po(edition(game), language, "en").text)}


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_has_notes(game: str) -> None:
    assert [id_ for id_, entry in entries(game).items() if not entry.tcomment] == []


@pytest.mark.parametrize("game", WORDED)
def test_cards_have_a_picture_in_words(game: str) -> None:
    """Kind, name, printed values, effect, and the wording in both languages."""
    model, seen = edition(game).model, 0
    for id_, entry in entries(game).items():
        section, _, key = id_.partition(".")
        card = model.definitions.get(key)
        if section not in ("names", "cards") or card is None:
            continue
        seen += 1
        lines = entry.tcomment.splitlines()
        assert any(line.startswith(f"{card.kind} {card.id} «") for line in lines), id_
        assert any(line.startswith("printed: ") for line in lines) == bool(card.values), id_
        for part in (*card.programs, *card.abilities):
            assert any(line.startswith(f"effect {part}: ") for line in lines), (id_, part)
        if card.programs or card.abilities:
            assert {"wording en", "wording uk"} <= {line.partition(":")[0] for line in lines}, id_
        else:
            assert any(line.startswith(("wording en", "no effect")) for line in lines), id_
    assert seen > 3


@pytest.mark.parametrize("game", GAMES)
def test_clauses_have_their_number_and_what_they_do(game: str) -> None:
    model = edition(game).model
    for id_, entry in entries(game).items():
        section, _, key = id_.partition(".")
        if section != "clauses":
            continue
        assert " in uk" in entry.tcomment.splitlines()[0], id_
        clause = model.clauses.get(key)
        if clause is None:
            assert entry.tcomment.startswith(f"title of the rule {key}, ")
            continue
        printed = clause.numbers.get("uk")
        assert printed is None or f"number {printed} in uk" in entry.tcomment, id_
        if clause.kind == "rule":
            assert "\ndone by " in entry.tcomment, id_
        else:
            assert "done by " in entry.tcomment or "not played: " in entry.tcomment or "it says what" in entry.tcomment


@pytest.mark.parametrize("game", GAMES)
def test_what_play_shows_says_when(game: str) -> None:
    """Questions say who asks, sentences when they are told; every placeholder is explained."""
    for id_, entry in entries(game).items():
        section = id_.partition(".")[0]
        first = entry.tcomment.partition("\n")[0]
        if section == "prompts":
            assert first.startswith("question, asked by "), id_
        elif section == "choices":
            assert first.startswith("answer"), id_
        elif section == "log":
            assert first.startswith(("told when it has happened: ", "told before it happens: ")), id_
        for place in places_of(entry.msgid)[0]:
            assert f"{{{place.name}}}: " in entry.tcomment, (id_, place.name)
        if section == "log" and "|" in entry.msgid:
            assert "1, 21, 31, .. / 2, 3, 4, .. / 5, 6, 7, .." in entry.tcomment, id_


def test_a_clause_and_its_statement() -> None:
    notes = entries("unfathomable")["clauses.set-up.11"].tcomment.splitlines()
    assert notes[0] == "clause of the rule set-up «Set-up»; number IV.11 in uk, IV.11 in en, IV.11 in ru; rule"
    at = notes.index("done by set-up: shuffle the item-deck")
    assert notes[at + 1 : at + 3] == ["wording en: Shuffle the item deck.", "wording uk: Перетасуйте колоду предметів."]


def test_what_a_language_words_of_its_own_accord_is_exported_with_the_wording_it_falls_back_to(tmp_path: Path) -> None:
    package = shutil.copytree(ROOT / "content" / "love-letter", tmp_path / "love-letter")
    texts = package / "text" / "uk.yaml"
    worded = texts.read_text(encoding="utf-8").replace(
        "prompts:\n", "prompts:\n  prince.target: Хто скидає карту?\n", 1
    )
    texts.write_text(worded, encoding="utf-8")
    opened = open_edition(str(package))
    (entry,) = [
        entry for entry in polib.pofile(export_po(opened, "uk", "en").text) if entry.msgctxt == "prompts.prince.target"
    ]
    assert entry.msgid == opened.open_language("en").text("prompts.target")
    assert entry.msgstr == "Хто скидає карту?"
    assert "only where it comes from" in entry.tcomment

"""People sit down to Abyss: whole games at a terminal in each language, what the cards say there, what lists count."""

from __future__ import annotations

import io
import json
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len

from grimoire.compiler.api.card_texts import LazyTexts
from grimoire.compiler.cli import main
from grimoire.compiler.command.terminal import Terminal
from grimoire.compiler.workspace.sources import Package as Folder
from grimoire.runtime import Game, new_game
from tests.games.reign import CONTENT, package

COMMANDS = {"help", "view", "why", "pass", "decline", "done"}


@cache
def texts(language: str) -> LazyTexts:
    return LazyTexts(Folder(str(CONTENT / "abyss")), language)


class Person(io.StringIO):
    """Answers at random, lords first: a game of nothing but explorations would show little."""

    def __init__(self, game: Game, seed: int, most: int) -> None:
        super().__init__()
        self.game = game
        self.rng = random.Random(seed)
        self.left = most

    def readline(self, size: int | None = -1, /) -> str:
        assert self.game.decision is not None
        self.left -= 1
        if self.left < 0:
            return ""
        keys = self.game.decision.keys
        lords = [key for key in keys if key.startswith("recruit")]
        return f"{self.rng.choice(lords or keys)}\n"


def play(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    players: int,
    seats: list[int],
    answers: io.StringIO | None = None,
    seed: int = 3,
    width: int = 110,
    most: int = 5000,
) -> str:
    game = new_game(package(), players, seed)
    monkeypatch.setattr("sys.stdin", answers or Person(game, seed, most))
    capsys.readouterr()
    Terminal(game, seats, "random", language, width, texts(language)).run()
    return capsys.readouterr().out


def latin(text: str) -> set[str]:
    """Words in Latin letters but for keys, which stand behind two spaces at the end of an option, and for what was
    typed."""
    found: set[str] = set()
    for line in text.splitlines():
        said = line.partition("(help): ")[0].rpartition("  ")[0] if re.match(r" +\d+  ", line) else line
        said = said.partition("(help): ")[0]
        found |= set(re.findall(r"(?<![\w:.@#-])[A-Za-z]{2,}(?![\w:.@#-])", said))
    return found


_full_game: list[str] = []  # what four people see of one game: several tests look at it


@pytest.fixture
def full_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    if not _full_game:
        _full_game.append(play(capsys, monkeypatch, "en", 4, [0, 1, 2, 3]))
    return _full_game[0]


def check_language(text: str, language: str) -> None:
    """What holds of a whole game at a terminal."""
    assert "<" not in text and "{" not in text, "every id has a text"
    assert text.count("(help): ") > 90, "there was much to decide"
    assert re.search({"en": r"won", "uk": r"Перемож", "ru": r"[Пп]обед"}[language], text[-600:])
    if language != "en":
        assert latin(text) <= COMMANDS, latin(text)
    tables = [line for line in text.splitlines() if re.match(r"\S.{12,}  \S", line) and not line.startswith("──")]
    assert max(map(cell_len, tables)) <= 110


def test_a_whole_game_of_four_people(full_game: str) -> None:
    check_language(full_game, "en")


@pytest.mark.parametrize(("players", "seats"), [(2, [0]), (4, [0, 2])])  # the other seats are played by bots
@pytest.mark.parametrize("language", ["uk", "ru"])
def test_a_whole_game_in_one_language(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    players: int,
    seats: list[int],
) -> None:
    check_language(play(capsys, monkeypatch, language, players, seats), language)


def test_what_a_lord_does_is_shown_where_he_is_chosen(full_game: str) -> None:
    offers = re.findall(r"Which lord do you recruit\?\n((?: +.*\n)+)", full_game)
    assert offers
    for offer in offers:
        options = re.findall(r"^ +\d+  (.+?)  recruit:", offer, re.MULTILINE)
        assert len(options) > 1 and offer.count("Cost: strength") == len(options), offer
        assert not any(option.startswith("Recruit a") for option in options), "the question is not said again"


def test_asking_for_texts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "?\nview court\n? shaman\nwhy recruit\nwhy recruit landlord\nhelp\n"
    text = play(capsys, monkeypatch, "en", 2, [0], io.StringIO(lines), seed=3)
    assert "None of the options is a card with a text" in text
    court = text[text.index("view court") :].partition("(help)")[0]
    assert court.count("Cost: strength") == 6, "all six lords of the Court"
    assert "You are protected from the powers of soldiers." in " ".join(text.split())
    assert re.search(r"\n +\? +what the cards on offer do", text)


def test_why_nobody_can_be_recruited(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = play(
        capsys, monkeypatch, "en", 2, [0], io.StringIO("1\nwhy recruit\nwhy recruit shepherd\nwhy plot\n"), seed=5
    )
    assert text.count("you cannot pay for any lord of the Court") == 2
    assert "this does not hold: you have a pearl, the Court has a free place" in text


def test_lists_count_what_is_in_the_box(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(CONTENT / "abyss"), "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    counts: Counter[str] = Counter()
    for row in cards:
        counts[row["kind"]] += row["count"]
    assert {kind: counts[kind] for kind in ("lord", "location", "ally", "monster")} == {
        "lord": 35, "location": 20, "ally": 65, "monster": 6,
    }  # fmt: skip
    assert len({row["id"] for row in cards if row["kind"] in ("lord", "location")}) == 55


@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_the_edition_has_every_card_with_its_text(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edition", str(CONTENT / "abyss"), "--lang", language, "-o", str(tmp_path)]) == 0
    assert "clauses 101" in capsys.readouterr().out
    for kind, count in (("lord", 35), ("location", 20)):
        page = next(tmp_path.rglob(f"cards/{kind}.md")).read_text(encoding="utf-8")
        cards = page.split("\n## ")[1:]
        assert len(cards) == count and "<" not in page
        assert all(len(card.splitlines()) >= 3 and ".values" not in card for card in cards)

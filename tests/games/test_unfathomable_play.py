"""A person sits down to Unfathomable: several rounds at a terminal, in each language and width."""

from __future__ import annotations

import io
import random
import re

import pytest
from rich.cells import cell_len

from grimoire.compiler.command.terminal import Terminal
from grimoire.runtime import new_game
from tests.games.voyage import package

ANSWERS = ["1", "2", "1", "3", "1", "1", "2", "1"] * 14


def play(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    width: int,
    *answers: str,
    players: int = 4,
    seed: int = 5,
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    capsys.readouterr()
    Terminal(new_game(package(), players, seed), [0], "random", language, width).run()
    return capsys.readouterr().out


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("language", ["en", "uk", "ru"])
def test_several_rounds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, width: int
) -> None:
    text = play(capsys, monkeypatch, language, width, *ANSWERS)
    assert "<" not in text, "every id has a text"
    tables = [line for line in text.splitlines() if re.match(r"\S.{12,}  \S", line) and not line.startswith("──")]
    assert len(tables) > 100 and max(map(cell_len, tables)) <= width
    latin = {
        word for line in text.splitlines() for word in re.findall(r"(?<![\w:.@#-])[A-Za-z]{3,}(?![\w:.@#-])", line)
    }
    if language != "en":
        assert latin <= {"help", "pass", "decline", "done", "turn"} | keys_of(text), latin


def test_every_question_says_for_what_it_is_asked() -> None:
    """A card, an ability or the rule: between who is asked and the question."""
    seen: dict[str, set[str]] = {}
    for seed in range(3):
        game = new_game(package(), 4, seed)
        tables = {language: Terminal(game, [], "random", language) for language in ("en", "uk", "ru")}
        rng = random.Random(seed)
        while game.decision is not None:
            here = game.decision
            if len(here.options) > 1:
                for language, table in tables.items():
                    question = table.question(here)
                    who = table.words.seat(here.seat + 1)
                    assert question.startswith(f"{who}, ") and "<" not in question, question
                    seen.setdefault(language, set()).add(question.partition(", ")[2])
            game.choose_index(rng.randrange(len(here.options)))
    assert any(text.startswith("Set-up · 9: ") for text in seen["en"])
    assert any(re.search(r" › Skill tests · 5: ", text) for text in seen["en"]), "the crisis, and the step of the test"
    assert all(len(found) > 60 for found in seen.values())


def keys_of(text: str) -> set[str]:
    """Keys stand behind two spaces at the end of a line."""
    ends = [line.rpartition("  ")[2] for line in text.splitlines() if re.match(r" +[0-9]+  ", line)]
    return {word for end in ends for word in re.findall(r"[A-Za-z]+", end)}


def test_what_the_log_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = play(capsys, monkeypatch, "en", 120, *ANSWERS)
    assert not re.search(r"draws 0 \w+ cards", text), "nobody draws nothing"
    assert re.search(r"The die shows [1-8]\.", text)
    assert re.search(r"Skill test against [0-9]+ \([a-z, ]+\): (passed|partial pass|failed)\.", text)
    assert re.search(r"The result is -?[0-9]+\.", text) and re.search(r"Revealed: \w", text)
    assert "draws the mythos card" in text and "Player 2's turn begins." in text
    assert "something face down" not in text.casefold(), "what is hidden is not named"
    assert "…." not in text and not re.search(r"^Player [0-9][^?]*: [^?]*: .*\?$", text, re.M), "no doubled signs"
    assert "(Help 1)" not in text and "(Owner" not in text


def test_questions_say_what_they_are_about(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = play(capsys, monkeypatch, "en", 120, *ANSWERS)
    assert "Which action do you take?" in text
    assert re.search(r"Which cards do you add to the test\?\n  .*Test [0-9]+ \(", text), "the card is shown with it"
    assert not re.search(r"^ +[0-9]+  Deep One  ", text, re.M), "of several Deep Ones each is listed with its space"


@pytest.mark.parametrize(
    ("language", "words", "reason"),
    [
        ("en", "attack", "no enemy is in your space"),
        ("uk", "відремонт", "не виконано умову: вашу зону пошкоджено"),
        ("ru", "мостик", "не выполнено условие: вы на мостике"),
    ],
)
def test_why_something_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, words: str, reason: str
) -> None:
    text = play(capsys, monkeypatch, language, 80, "10", f"why {words}")
    assert reason in text, text[-1500:]

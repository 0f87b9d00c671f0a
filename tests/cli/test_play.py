"""Play in the terminal, driven through stdin as a person would, and the files that play writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grimoire.compiler.localisation.text.tool_words import TOOL_TEXT

from .conftest import Done, Run

SMALL = ["tic-tac-toe", "connect-four", "leduc", "love-letter"]
LANGUAGES = ["en", "uk", "ru"]


def said(language: str, key: str) -> str:
    """The fixed beginning of a text of the tool."""
    return TOOL_TEXT[language][key].partition("{")[0]


def brackets(done: Done) -> list[str]:
    return [line for line in done.out.splitlines() if "<" in line and ">" in line]


@pytest.mark.parametrize("game", SMALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_to_its_end(run: Run, game: str, language: str) -> None:
    """Always the first option, seat 1 against a bot: every text is there, and the game ends."""
    done = run("play", game, "--seat", "1", "--seed", "4", "--lang", language, stdin="1\n" * 200)
    assert done.code == 0
    assert said(language, "over") in done.out and said(language, "decisions") in done.out
    assert brackets(done) == []


@pytest.mark.parametrize("game", SMALL)
def test_bots_alone(run: Run, game: str) -> None:
    done = run("play", game, "--bots", "--seed", "7")
    assert done.code == 0 and done.err == ""
    assert said("en", "all-bots") in done.out and said("en", "over") in done.out
    assert run("play", game, "--seed", "7").out == done.out  # without a terminal nobody can be asked
    assert run("play", "--bots", game, "--seed", "7").out == done.out
    assert run("play", game, "--bots", "first").code == 0


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_several_people_at_one_terminal(run: Run, players: str) -> None:
    seats = [str(seat + 1) for seat in range(int(players))]
    done = run("play", "love-letter", "--players", players, "--seat", *seats, stdin="1\n" * 400)
    assert done.code == 0 and said("en", "over") in done.out
    for seat in seats:
        assert f"Player {seat}, decision" in done.out


def test_ways_to_answer(run: Run) -> None:
    """Number, key, part of a key, the words on the screen; what means nothing is refused and asked again."""
    answers = ["99", "0", "nonsense", "mark:a", "mark:a1", "b", "b2", "cell c", "quit"]
    done = run("play", "tic-tac-toe", "--seat", "1", "2", stdin="\n".join(answers) + "\n")
    assert "'99' is not offered" in done.out and "'0' is not offered" in done.out
    assert "'nonsense' is neither" in done.out
    assert "'mark:a' can mean mark:a1, mark:a2, mark:a3" in done.out
    assert "Player 1, decision 3" in done.out and "Player 2, decision 4" not in done.out
    assert done.out.endswith("You have left the game.\n")


def test_commands(run: Run, tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    lines = [
        "undo",
        "1",
        "help",
        "why",
        "why mark:a1",
        "why mark:b2",
        "why mark:z9",
        "view",
        "log",
        f"save {save}",
        "save",
    ]
    lines += [f"save {tmp_path}", "undo", "quit"]
    done = run("play", "tic-tac-toe", "--seat", "1", "2", stdin="\n".join(lines) + "\n")
    for text in (
        "You have not decided anything yet.",
        "take your last decision back",
        "Name an option",
        "it has no owner",
        "mark:b2 is offered.",
        "z9",
        f"Saved: {save}",
        "Name a file",
        f"{tmp_path} cannot be written",
    ):
        assert text in done.out
    assert json.loads(save.read_text())["format"] == "grimoire-save"
    loaded = run("play", "tic-tac-toe", "--load", str(save), "--seat", "1", "2", stdin="1\n" * 9)
    assert loaded.code == 0 and said("en", "over") in loaded.out
    assert run("play", "leduc", "--load", str(save)).code == 1
    assert run("play", "tic-tac-toe", "--load", str(save), "--players", "2").code == 2


def test_undo_takes_the_answers_of_the_bots_back(run: Run) -> None:
    done = run("play", "tic-tac-toe", "--seat", "1", stdin="1\nundo\n1\nquit\n")
    assert "Taken back: 2." in done.out
    assert done.out.count("Player 1, decision 1 ──") == 2 and done.out.count("Player 1, decision 3 ──") == 2


def test_undo_stops_at_what_became_known(run: Run) -> None:
    done = run("play", "love-letter", "--seat", "1", stdin="1\n1\n1\n1\nundo\nquit\n")
    assert "cannot be taken back" in done.out


def test_the_end_of_the_input(run: Run) -> None:
    done = run("play", "tic-tac-toe", "--seat", "1", stdin="1\n")
    assert done.code == 0 and "The input has ended" in done.out


def test_a_single_option_is_taken_with_a_note(run: Run) -> None:
    done = run("play", "tic-tac-toe", "--seat", "1", "2", stdin="a1\nb1\nc1\na2\nb2\na3\nc2\nc3\n")
    assert "– cell b3 (the only option)" in done.out and "a draw" in done.out


def test_grid(run: Run) -> None:
    done = run("play", "connect-four", "--seat", "1", "2", stdin="a\na\nb\nquit\n")
    assert "  2  O · · · · · ·\n  1  X X · · · · ·\n     a b c d e f g\n" in done.out


def test_hidden_cards_stay_hidden(run: Run) -> None:
    """What seat 1 is shown does not name the card of seat 2 before the end."""
    done = run("play", "leduc", "--seat", "1", "--seed", "11", stdin="quit\n")
    rows = [line for line in done.out.splitlines() if line.startswith("Hand, Player 2")]
    assert [row.split("  ")[-1] for row in rows] == ["face down: 1"]


def test_decisions_are_told(run: Run) -> None:
    """A bare choice goes with its question; what the event after it says is not said twice; what came of it is moved
    in."""
    done = run("play", "love-letter", "--seat", "1", "--seed", "16", stdin="1\n1\n")
    told = done.out.partition("Since your last decision:\n")[2].splitlines()
    assert told[:5] == [
        "  Player 1 lays down the Princess.",
        "  Player 1 is out of the round.",
        "    Player 1 lays down the Guard.",
        "  The round is over.",
        "    Player 2 gains 1 token.",
    ]
    assert "  Player 2: Which character do you name? – King" in told
    assert not any("face down" in line for line in told if line.startswith("  Player"))
    russian = run("play", "love-letter", "--seat", "1", "--seed", "16", "--lang", "ru", stdin="1\n1\n")
    assert "— Король" in russian.out


# --- replay files


def test_record_and_replay(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    done = run("play", "love-letter", "--players", "3", "--bots", "--seed", "5", "--record", str(file))
    assert done.code == 0 and str(file) in done.out
    record = json.loads(file.read_text())
    assert list(record) == [
        "format",
        "version",
        "package",
        "players",
        "seed",
        "options",
        "decisions",
        "length",
        "outcome",
        "digest",
    ]
    assert record["length"] == len(record["decisions"])
    assert record["players"] == 3 and record["seed"] == 5 and record["decisions"][0].startswith("p1 ")
    whole = run("replay", str(file))
    assert whole.code == 0 and said("en", "over") in whole.out
    part = run("replay", str(file), "--to", "3", "--seat", "2", "--lang", "uk")
    assert part.code == 0 and "Ухвалено рішень: 3." in part.out and brackets(part) == []
    assert run("replay", str(file), "--package", "content/love-letter").out == whole.out
    assert run("replay", str(file), "--to", "100000").code == 2
    assert run("replay", str(file), "--seat", "4").code == 2
    assert run("replay", str(file), "--package", "leduc").code in (1, 2)
    assert run("replay", str(file), "--package", "no-such-package").code == 2


def test_replay_that_does_not_fit(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    assert run("play", "tic-tac-toe", "--bots", "--record", str(file)).code == 0
    record = json.loads(file.read_text())
    record["decisions"][2] = record["decisions"][0]
    file.write_text(json.dumps(record))
    done = run("replay", str(file))
    assert (done.code, done.out) == (1, "") and "decision 3" in done.err
    record["decisions"] = ["nonsense"]
    file.write_text(json.dumps(record))
    assert run("replay", str(file)).code == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: None, "cut short: there are {less} of {all} decisions"),
        (lambda record: record.update(length=len(record["decisions"])), "after its {less} decisions the game goes on"),
        (lambda record: record.update(length=len(record["decisions"]), outcome=None), "the game ends with digest"),
        (lambda record: record.update(length=10**4299), "cut short"),
        (lambda record: record.update(length=[]), "whole number"),
    ],
)
def test_a_replay_without_its_last_decision_is_told_as_such(
    run: Run, tmp_path: Path, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    file = tmp_path / "r.json"
    assert run("play", "tic-tac-toe", "--bots", "--record", str(file)).code == 0
    record = json.loads(file.read_text())
    record["decisions"].pop()
    change(record)
    file.write_text(json.dumps(record))
    done = run("replay", str(file))
    less = len(record["decisions"])
    assert (done.code, done.out) == (1, "") and words.format(less=less, all=less + 1) in done.err
    assert run("replay", str(file), "--to", str(less)).code == 0, "as far as it goes it can still be looked at"


def test_a_seat_keeps_what_it_has_seen_and_nothing_else(run: Run, tmp_path: Path) -> None:
    save, kept = tmp_path / "save.json", tmp_path / "kept.json"
    done = run("play", "leduc", "--seat", "1", "--seed", "5", stdin=f"save {save}\nkeep {kept}\nkeep\nquit\n")
    assert done.code == 0 and "not protected" in done.out and "nothing else" in done.out and "keep FILE" in done.out
    record = json.loads(kept.read_text())
    assert record["format"] == "grimoire-seat-record" and record["seat"] == "p1" and "seed" not in kept.read_text()
    assert record["view"]["zones"]["hand.p2"] == [{"id": None}] and json.loads(save.read_text())["seed"] == 5
    assert json.loads(save.read_text())["protection"] == "none"


def test_replay_of_other_content_says_so(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    assert run("play", "tic-tac-toe", "--bots", "--record", str(file)).code == 0
    record = json.loads(file.read_text())
    now = record["package"]["hash"]
    record["package"]["hash"] = "0" * 64
    file.write_text(json.dumps(record))
    done = run("replay", str(file))
    assert done.code == 0 and "0" * 64 in done.err and now in done.err


# --- packages without texts


def test_a_package_without_texts(run: Run, sample: Path) -> None:
    for file in (sample / "text").iterdir():
        file.unlink()
    done = run("play", str(sample), "--seat", "1", stdin="1\n1\n1\n")
    assert done.code == 0 and "<sample>" in done.out and "<moon>" in done.out
    assert "no texts in 'en'" in done.err


def test_the_title_of_the_manifest_stands_in_for_a_missing_one(run: Run, sample: Path) -> None:
    manifest = sample / "package.yaml"
    manifest.write_text(manifest.read_text() + "title: A Sample\n")
    assert "Sample\n" in run("play", str(sample), "--bots").out.splitlines(keepends=True)
    text = sample / "text" / "en.yaml"
    text.write_text(text.read_text().replace("title: Sample\n", ""))
    assert run("play", str(sample), "--bots").out.startswith("A Sample\n")


def test_a_language_that_the_tool_does_not_speak(run: Run, sample: Path) -> None:
    manifest = sample / "package.yaml"
    manifest.write_text(manifest.read_text().replace("en, uk", "en, de"))
    (sample / "text" / "uk.yaml").rename(sample / "text" / "de.yaml")
    done = run("play", str(sample), "--bots", "--lang", "de")
    assert done.code == 0 and "Зразок" in done.out and "shown in English" in done.err

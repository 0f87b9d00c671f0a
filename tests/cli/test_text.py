"""The command text, and what check says of words that are missing or wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grimoire.compiler import check
from grimoire.compiler.cli import main

MANIFEST = "package: harvest\nversion: 1.0.0\nlanguage: 2\nlanguages: [en, uk]\nplayers: 2\n"
GAME = """\
kinds:
  fruit: {is: card, slots: {effect: effect}}
  player: {states: {coins: number}}
zones:
  basket: {holds: fruit, seen: nobody}
  hand: {holds: fruit, each: player, seen: owner}
verbs:
  draw:
    signature: draw <number> fruits
    done: drawn
    body: repeat (amount) times, move the top fruit of the basket to your hand
cards:
  apple:
    kind: fruit
    copies: 9
    in: basket
    effect: may draw 2 fruits
    abilities:
      again:
        window: after 2 or more fruits are drawn
        limit: once per turn
        only: you have no fruit in your hand
        do: draw 1 fruit
outcomes: [eaten]
procedures:
  game: |
    each player must take a turn
    end the game with eaten
  turn: |
    if there is a fruit in the basket, resolve the effect of the top fruit of the basket
    your coins is now your coins + 1
"""
TEXTS = """\
title: T
names: {fruit: f, basket: b, hand: h, apple: Яблуко, eaten: e}
headings: {coins: c}
prompts: {draw: p}
choices: {draw: d, apple.again: a}
log: {draw: '{you} {1} {1|a|b|c}'}
"""
WORDS = """\
terms:
  fruit: {forms: плід плода плодові плід плодом плоді / плоди плодів плодам плоди плодами плодах}
  hand: {forms: рука руки руці руку рукою руці, gender: f, at: на}
verbs:
  draw: {imp: візьміть, inf: взяти, sg: бере, pl: беруть, you: берете, past: взяли, done: взято}
"""


@pytest.fixture
def harvest(tmp_path: Path) -> Path:
    root = tmp_path / "harvest"
    (root / "text").mkdir(parents=True)
    (root / "package.yaml").write_text(MANIFEST, encoding="utf-8")
    (root / "game.yaml").write_text(GAME, encoding="utf-8")
    (root / "text" / "uk.yaml").write_text(TEXTS, encoding="utf-8")
    (root / "text" / "uk").mkdir()
    (root / "text" / "uk" / "words.yaml").write_text(WORDS, encoding="utf-8")
    (root / "text" / "en.yaml").write_text(TEXTS.replace("Яблуко", "Apple").replace("|b|c", "|b"), encoding="utf-8")
    return root


def edit(root: Path, before: str, after: str) -> None:
    file = root / "text" / "uk" / "words.yaml"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def test_a_card_in_words(harvest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", str(harvest), "apple", "--lang", "uk"]) == 0
    assert capsys.readouterr().out == (
        "Яблуко\n  Можете взяти 2 плоди.\n"
        "  Один раз за хід: після того як щонайменше 2 плоди взято, якщо ви не маєте плода на вашій руці, "
        "візьміть 1 плід.\n"
    )
    assert main(["text", str(harvest), "--lang", "uk", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["language"] == "uk" and report["missing"] == []
    assert [part["id"] for part in report["cards"][0]["parts"]] == ["effect", "again"]
    assert check([harvest]) == []


def test_what_has_no_words(harvest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(harvest, "  hand:", "  arm:")
    assert main(["text", str(harvest), "--lang", "uk"]) == 1
    shown = capsys.readouterr()
    assert "<hand>" in shown.out and "term hand" in shown.err
    found = check([harvest])
    told = [(item.code, Path(item.span.file).name) for item in found]
    assert told == [("G0910", "game.yaml"), ("G0902", "words.yaml")]
    assert "the noun hand has no words in 'uk'" in found[0].message and "apple" in found[0].message
    assert "terms.arm has the words of nothing" in found[1].message


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("плід плода плодові плід плодом плоді /", "плід плода /", "6 cases"),
        ("gender: f", "gender: x", "no gender"),
        ("gender: f", "gendre: f", "gendre"),
        ("at: на", "animate: maybe", "animate"),
    ],
)
def test_wrong_forms(harvest: Path, before: str, after: str, words: str) -> None:
    edit(harvest, before, after)
    found = check([harvest])
    assert any(words in item.message and item.span.file.endswith("words.yaml") for item in found), [
        i.message for i in found
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fruit: '{wroth} coins'", "speaks of 'wroth'"),
        ("friut: '{worth} coins'", "no such kind"),
        ("fruit: {by: colour, red: '{worth}'}", "speaks of 'colour'"),
        ("fruit: {red: '{worth}'}", "by which field"),
    ],
)
def test_a_wrong_line_for_printed_values(harvest: Path, line: str, words: str) -> None:
    game = harvest / "game.yaml"
    game.write_text(GAME.replace("slots: {effect: effect}}", "slots: {effect: effect}, fields: {worth: number}}", 1))
    game.write_text(game.read_text().replace("    copies: 9\n", "    copies: 9\n    worth: 2\n"))
    edit(harvest, "verbs:\n", f"printed:\n  {line}\nverbs:\n")
    found = [item for item in check([harvest]) if item.code == "G0917"]
    assert len(found) == 1 and words in found[0].message and found[0].span.file.endswith("words.yaml")


def test_printed_values_are_said(harvest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = harvest / "game.yaml"
    fields = "fields: {worth: number, ripe: flag, rot: number}"
    text = GAME.replace("slots: {effect: effect}}", f"slots: {{effect: effect}}, {fields}}}", 1)
    text = text.replace("    copies: 9\n", "    copies: 9\n    worth: 2\n    ripe: true\n    rot: 0\n")
    game.write_text(text, encoding="utf-8")
    line = "fruit: '{worth} {worth#монета|монети|монет}[, стиглий{ripe}][, гниль {rot}]'"
    edit(harvest, "verbs:\n", f"printed:\n  {line}\nverbs:\n")
    assert main(["text", str(harvest), "apple", "--lang", "uk"]) == 0
    assert capsys.readouterr().out.startswith("Яблуко\n  2 монети, стиглий.\n  Можете взяти 2 плоди.\n")


def test_what_goes_without_saying(harvest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = harvest / "game.yaml"
    text = GAME.replace(
        "slots: {effect: effect}}", "slots: {effect: effect}, adjectives: {fresh: it is in the basket}}", 1
    )
    text = text.replace(
        "only: you have no fruit in your hand", "only: this is fresh and you have no fruit in your hand"
    )
    game.write_text(text, encoding="utf-8")
    edit(harvest, "verbs:\n", "adjectives: {fresh: ''}\nverbs:\n")
    assert main(["text", str(harvest), "apple", "--lang", "uk"]) == 0
    assert "якщо ви не маєте плода" in capsys.readouterr().out
    edit(harvest, "fresh: ''", "fresh: свіжий")
    assert main(["text", str(harvest), "apple", "--lang", "uk"]) == 0
    assert "якщо цей плід свіжий та ви не маєте плода" in capsys.readouterr().out


def test_wrong_use(harvest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", str(harvest), "appel", "--lang", "uk"]) == 2
    assert "did you mean 'apple'" in capsys.readouterr().err
    assert main(["text", str(harvest), "--lang", "de"]) == 2
    assert "not worded in 'de': " in capsys.readouterr().err
    assert main(["text", str(harvest), "--lang", "en"]) == 2
    assert "has no words in 'en'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Можете взяти 2 плоди. Один раз за хід: якщо на руці немає плода, візьміть 1 плід.", []),
        ("Можете взяти 3 плоди. Один раз за хід: якщо на руці немає плода, візьміть 1 плід.", ["G0912", "G0912"]),
        (
            "Можете взяти 2 плоди від першого гравця. Один раз за хід: якщо на руці немає плода, візьміть 1 плід.",
            ["G0913"],
        ),
        ("Візьміть 2 плоди. Один раз за хід: якщо на руці немає плода, візьміть 1 плід.", ["G0914"]),
        ("Можете взяти 2 плоди ★. Один раз за хід: якщо на руці немає плода, візьміть 1 плід.", ["G0916"]),
    ],
)
def test_a_text_written_by_hand_says_what_the_effect_does(harvest: Path, text: str, codes: list[str]) -> None:
    file = harvest / "text" / "uk" / "cards.yaml"
    file.write_text(f"cards:\n  apple: '{text}'\n", encoding="utf-8")
    found = check([harvest])
    assert [item.code for item in found] == codes, [item.message for item in found]
    assert all(Path(item.span.file).name == "cards.yaml" and item.span.line == 2 for item in found)


def test_a_text_written_by_hand_has_the_order_of_the_effect(harvest: Path) -> None:
    game = harvest / "game.yaml"
    effect = "effect: |\n      draw 2 fruits\n      shuffle the basket\n"
    text = game.read_text(encoding="utf-8").replace("effect: may draw 2 fruits\n", effect)
    game.write_text(re.sub(r"    abilities:\n(      .*\n)+", "", text), encoding="utf-8")
    edit(harvest, "  hand:", "  basket: {forms: кошик кошика кошикові кошик кошиком кошику}\n  hand:")
    file = harvest / "text" / "uk" / "cards.yaml"
    file.write_text("cards:\n  apple: Візьміть 2 плоди. Перетасуйте кошик.\n", encoding="utf-8")
    assert [item for item in check([harvest]) if item.code.startswith("G091")] == []
    file.write_text("cards:\n  apple: Перетасуйте кошик. Візьміть 2 плоди.\n", encoding="utf-8")
    assert [item.code for item in check([harvest]) if item.code.startswith("G091")] == ["G0915"]

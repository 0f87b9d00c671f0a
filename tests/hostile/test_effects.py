"""Hostile effects and declarations: depth, size, numbers, circles. A diagnostic, or a game that stays within its
budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from grimoire.compiler import compile_package
from grimoire.runtime import BudgetExceeded, load_artefact, simulate

from .kit import SECONDS, body, codes, findings, package, with_file
from .watch import time_limit

NINES = "9" * 5_000

DEEP = {
    "conditions in a row": ", ".join(["if price = 1"] * 1_300) + ", rest",
    "steps in a row": " then ".join(["rest"] * 1_800),
    "steps with semicolons": "; ".join(["rest"] * 3_000),
    "and": "if " + " and ".join(["price = 1"] * 1_400) + ", rest",
    "or": "if " + " or ".join(["price = 1"] * 1_400) + ", rest",
    "plus": "the price is now " + " + ".join(["1"] * 4_500),
    "not": "if " + "not " * 4_500 + "price = 1, rest",
    "of": "the price is now the worth of the rope" + " of the deck" * 1_400,
    "parentheses": "the price is now " + "(" * 10_000 + "1" + ")" * 10_000,
    "parentheses that are never closed": "the price is now " + "(" * 19_000,
    "blocks": "\n".join(" " * i + "if price = 1:" for i in range(170)) + "\n" + " " * 170 + "rest",
    "either": "either rest" + " or rest" * 2_000,
    "costs": "rest" + " to rest" * 2_000,
    "loops": "repeat 9 times, " * 1_200 + "rest",
    "durations": "until the end of the turn, " * 700 + "you cannot rest",
    "windows": "after you rest, " * 1_100 + "rest",
    "a list": "if the dock is in [" + ", ".join(["dock"] * 2_500) + "], rest",
    "relative clauses": "discard a good " + "where (there is a good " * 300 + ")" * 300,
    "a text of a megabyte": "rest\n" * 180_000,
    "a number of 5000 digits": f"draw {NINES} cards",
    "a comparison with 5000 digits": f"if {NINES} = 1, rest",
    "a range of 5000 digits": f"roll\non 1-{NINES}, rest",
    "a clause sign of 10000 letters": "§" + "a" * 10_000 + " rest",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_or_long(name: str, tmp_path: Path) -> None:
    found = findings(with_file(tmp_path, body(DEEP[name])))
    assert {item.code for item in found} & {"G0402", "G0405", "G0609", "G0801"}
    assert len(found) < 10


BELOW = {
    "blocks": "\n".join(" " * i + "if price = 1:" for i in range(30)) + "\n" + " " * 30 + "rest",
    "steps": " then ".join(["rest"] * 100),
    "sums": "the price is now " + " + ".join(["1"] * 100),
    "conditions": "if " + " and ".join(["price = 1"] * 50) + ", rest",
    "lines": "\n".join(["rest"] * 3_000),
    "parentheses": "the price is now " + "(" * 40 + "1" + ")" * 40,
    "players": "\n".join(" " * i + "each player must:" for i in range(30)) + "\n" + " " * 30 + "rest",
    "alternatives": "either rest" + "".join(f" or gain {n} coins" for n in range(1, 51)),
}


@pytest.mark.parametrize("name", BELOW)
def test_what_lies_below_the_caps_is_accepted_and_can_be_loaded(name: str, tmp_path: Path) -> None:
    assert codes(with_file(tmp_path, body(BELOW[name]))) == set()


DECLARED = {
    "a kind that is its own parent": ("kinds:\n  boat: {is: boat}\n", "G0310"),
    "kinds in a circle": ("kinds:\n  boat: {is: ship}\n  ship: {is: boat}\n", "G0310"),
    "adjectives in a circle": ("kinds:\n  good:\n    adjectives: {odd: it is even, even: it is odd}\n", "G0706"),
    "an adjective of itself": ("kinds:\n  good:\n    adjectives: {odd: it is not odd}\n", "G0706"),
    "values in a circle": ("kinds:\n  good:\n    values: {one: its two + 1, two: its one + 1}\n", "G0706"),
    "values of themselves twice": ("kinds:\n  good:\n    values: {one: its one + its one}\n", "G0706"),
    "a value over all of its kind": ("kinds:\n  good:\n    values: {one: total one of goods}\n", "G0706"),
    "a grid of a million": ("boards:\n  sea: {grid: 999 x 999, kind: square}\n", "G0313"),
    "a grid of four digits": ("boards:\n  sea: {grid: 1000 x 1000, kind: square}\n", "G0310"),
    "a grid of 5000 digits": (f"boards:\n  sea: {{grid: {NINES} x 3, kind: square}}\n", "G0310"),
    "lines of a million": (
        "boards:\n  sea: {grid: 3 x 3, kind: square, lines: {kind: row-of-squares, length: 1000000}}\n",
        "G0307",
    ),
    "a thousand parameters": (
        "verbs:\n  lend:\n    signature: lend " + " ".join(f"<x{i}:good>" for i in range(1_000)) + "\n    body: rest\n",
        "G0312",
    ),
    "a signature of brackets": ("verbs:\n  lend:\n    signature: " + "[" * 10_000 + "\n    body: rest\n", "G0112"),
    "a signature of angle brackets": (
        "verbs:\n  lend:\n    signature: lend " + "<" * 9_000 + "\n    body: rest\n",
        "G0312",
    ),
    "a limit of 5000 digits": (
        f"abilities:\n  fog: {{window: after you rest, limit: {NINES} times per turn, do: gain 1 coin}}\n",
        "G0402",
    ),
    "copies": ("cards:\n  oar: {kind: good, worth: 1, copies: 1" + "0" * 30 + "}\n", "G0307"),
    "a card that replaces itself": ("replaces:\n  oar: {worth: 1}\n", "G0218"),
    "a start beyond any number": ("counters:\n  tide: {type: number, start: 1" + "0" * 30 + "}\n", "G0307"),
}


@pytest.mark.parametrize("name", DECLARED)
def test_declared(name: str, tmp_path: Path) -> None:
    text, code = DECLARED[name]
    assert codes(with_file(tmp_path, text)) == {code}


def test_a_card_that_names_itself_is_fine(tmp_path: Path) -> None:
    text = (
        "cards:\n  echo: {kind: good, worth: 1, in: deck, effect: 'if there is an echo in the heap, "
        "move each echo to the deck'}\n"
    )
    assert codes(with_file(tmp_path, text)) == set()


# --- what is accepted and runs for ever has a budget ------------------------------------------------------------------

ENDLESS = {
    "a count of a billion": "repeat 999999999 times, rest",
    "counts inside counts": "repeat 9999 times, repeat 9999 times, repeat 9999 times, rest",
    "a count that is computed": "repeat (99999 * 9999) times, rest",
    "a loop": "repeat:\n  rest",
    "a verb that does itself": "loot",
    "a card that resolves itself": "resolve the effect of the echo",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_play_is_stopped(name: str, tmp_path: Path) -> None:
    """Refused by the compiler, or stopped by the budget of the game."""
    root = package(tmp_path)
    card = "cards:\n  echo: {kind: good, worth: 1, in: deck, effect: loot}\n"
    (root / "example.yaml").write_text(body(ENDLESS[name]) + card)
    actions = root / "actions.yaml"
    text = actions.read_text().replace("    shuffle the deck\n", "    shuffle the deck\n    loot\n")
    actions.write_text(text)
    found = codes(root)
    if found:
        assert found <= {"G0609", "G0707"}
        return
    with time_limit(4 * SECONDS), pytest.raises(BudgetExceeded):
        simulate(compile_package(root), 1, players=2)


def test_an_ability_that_triggers_itself_is_stopped(tmp_path: Path) -> None:
    root = with_file(tmp_path, "abilities:\n  fog:\n    window: after you rest\n    do: rest\n")
    actions = root / "actions.yaml"
    actions.write_text(actions.read_text().replace("    shuffle the deck\n", "    shuffle the deck\n    rest\n"))
    found = codes(root)
    if found:
        assert found == {"G0707"}
        return
    with time_limit(4 * SECONDS), pytest.raises(BudgetExceeded):
        simulate(compile_package(root), 1, players=2)


def test_the_base_package_can_be_played(tmp_path: Path) -> None:
    """The tests above mean something only when the package itself is fine."""
    package_ = compile_package(package(tmp_path))
    assert load_artefact(package_.document).hash == package_.hash

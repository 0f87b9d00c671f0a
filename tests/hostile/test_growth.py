"""To go into tests/hostile/test_effects.py once the compiler bounds depth, expansion and numbers of declarations."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .kit import SECONDS, body, codes, with_file
from .watch import time_limit


def blocks(line: str, levels: int, last: str) -> str:
    return "\n".join(" " * i + line for i in range(levels)) + "\n" + " " * levels + last


TOO_MUCH = {
    "gates on one line, in blocks": blocks("secretly, " * 44 + "secretly:", 12, "rest"),
    "conditions on one line, in blocks": blocks("if price = 1, " * 20 + "if price = 1:", 30, "rest"),
    "loops on one line, in blocks": blocks("repeat, " * 40 + "repeat:", 30, "rest"),
    "may inside may": blocks("may:", 30, "discard a good"),
    "each player may inside each player may": blocks("each player may:", 30, "discard a good"),
    "first able inside first able": blocks("first able:", 30, "rest"),
    "not": "if " + "not " * 240 + "price = 1, rest",
    "costs of costs": "rest" + " to rest" * 120,
    "costs in blocks": blocks("may draw 1 card to:", 30, "discard a good"),
    "where inside where": "discard a good " + "where (there is a good " * 30 + "where (price = 1)" + ")" * 30,
    "otherwise if": "if price = 1, rest\n" + "\n".join(["otherwise if price = 1, rest"] * 600),
    "a long first able": "first able:\n" + "\n".join(["  rest"] * 200),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_is_refused_or_can_be_loaded(name: str, tmp_path: Path) -> None:
    assert codes(with_file(tmp_path, body(TOO_MUCH[name]))) <= {"G0405"}


@pytest.mark.parametrize(
    "words", ["0 to ²", "0 to --5", "0 to " + "9" * 5_000, "0 to " + "9" * 30, "9 to 1", "²  to 3"]
)
def test_bounds_of_a_number(words: str, tmp_path: Path) -> None:
    assert codes(with_file(tmp_path, f"counters:\n  tide: number {words}\n")) == {"G0310"}


@pytest.mark.parametrize(
    ("section", "joint"), [("adjectives: {b0: it is dear", " or "), ("values: {b0: its worth", " + ")]
)
def test_definitions_that_grow(section: str, joint: str, tmp_path: Path) -> None:
    word = "it is" if "adjectives" in section else "its"
    text = f"kinds:\n  good:\n    {section}"
    text += "".join(f", b{i}: {joint.join([f'{word} b{i - 1}'] * 10)}" for i in range(1, 10)) + "}\n"
    assert codes(with_file(tmp_path, text)) & {"G0405", "G0706"}


def test_a_chain_of_fourteen_adjectives_is_no_circle(tmp_path: Path) -> None:
    text = "kinds:\n  good:\n    adjectives:\n      b0: it is dear\n"
    text += "".join(f"      b{i}: it is b{i - 1}\n" for i in range(1, 14))
    assert codes(with_file(tmp_path, text)) == set()


def test_pieces_without_number(tmp_path: Path) -> None:
    text = "cards:\n" + "".join(f"  c{i}: {{kind: good, worth: 1, copies: 1000, in: deck}}\n" for i in range(200))
    assert codes(with_file(tmp_path, text)) == {"G0307"}


ACCEPTED_THEN_REFUSED = {
    "two boards with neighbours": "boards:\n  sea:\n    kind: room\n    spaces:\n      reef: {room-number: 4, "
    "adjacent to: [bay]}\n      bay: {room-number: 5}\n",
    "columns and rows of one kind": "boards:\n  sea: {grid: 2 x 2, kind: square, columns: row-of-squares, "
    "rows: row-of-squares}\n",
    "a printed field of players": "kinds:\n  player:\n    fields: {speed: number}\n",
    "names of players": "kinds:\n  player:\n    names: hero\n",
}


@pytest.mark.parametrize("name", ACCEPTED_THEN_REFUSED)
def test_what_is_accepted_can_be_loaded(name: str, tmp_path: Path) -> None:
    codes(with_file(tmp_path, ACCEPTED_THEN_REFUSED[name]))


SILENT = {
    "a signature without a verb": "verbs:\n  lend:\n    signature: <good>\n    body: rest\n",
    "a signature that ends with a preposition": "verbs:\n  lend:\n    signature: lend <good> to\n    body: rest\n",
    "a bracket that is not closed": "verbs:\n  lend:\n    signature: lend <good> [to <player>\n    body: rest\n",
    "parameters called like words": "verbs:\n  lend:\n    signature: 'lend <The: good> to <you: player>'\n    body: "
    "rest\n",
    "a space with a bad name": "boards:\n  sea:\n    kind: room\n    spaces:\n      Bad Name: {room-number: 1}\n",
    "a space called like a zone": "boards:\n  sea:\n    kind: room\n    spaces:\n      deck: {room-number: 1}\n",
    "an adjective with a bad name": "kinds:\n  good:\n    adjectives:\n      Bad Word: it is dear\n",
    "a field with a bad name": "kinds:\n  good:\n    states:\n      Bad Word: number\n",
    "a field called like a key": "kinds:\n  boat: {is: figure, fields: {kind: number, copies: flag}}\n",
    "names with a bad name": "kinds:\n  boat: {is: figure, names: Bad Name}\n",
    "names that are another kind": "kinds:\n  boat: {is: figure, names: good}\n",
    "an unknown field of a thing": "things:\n  reef: {kind: room, room-number: 3, depth: 4}\n",
    "an unknown field of a value": "values:\n  room: {reef: {room-number: 3, depth: 4}}\n",
    "values of a kind of cards": "values:\n  good: [oar]\n",
    "an unknown key of an adjective": "kinds:\n  good:\n    adjectives:\n      nice: {is: it is dear, clauze: x}\n",
    "a procedure called the": "procedures:\n  the: rest\n",
    "a verb called if": "verbs:\n  if:\n    body: rest\n",
    "a kind changed by replaces": "replaces:\n  lamp: {kind: sailor}\n",
    "a second score": "score: price\n",
    "a start outside of the bounds": "counters:\n  tide: {type: number 0 to 3, start: 9}\n",
    "a start that there is not": "counters:\n  tide: {type: room, start: nowhere-at-all}\n",
    "a set of flags": "counters:\n  tide: set of flag\n",
    "values of an option twice": "options:\n  speed: {values: [slow, slow], default: slow}\n",
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_accepted_in_silence(name: str, tmp_path: Path) -> None:
    before = "score: price + 1\n" if name == "a second score" else ""
    root = with_file(tmp_path, SILENT[name])
    if before:
        (root / "another.yaml").write_text(before)
    assert codes(root)


def test_many_unknown_nouns_in_time(tmp_path: Path) -> None:
    """Suggestions cost time: not for every one of thousands of mistakes."""
    text = "cards:\n" + "".join(
        f"  card-{i}: {{kind: good, worth: 1, effect: discard the crad-{i}}}\n" for i in range(2_000)
    )
    with time_limit(3 * SECONDS):
        assert "G0501" in codes(with_file(tmp_path, text))


def test_a_check_in_a_fresh_process(tmp_path: Path) -> None:
    """Every code is registered when it is needed, whatever was loaded before."""
    root = with_file(tmp_path, "counters:\n  Bad: number\n")
    line = "import sys; from grimoire.compiler import check; print([item.code for item in check([sys.argv[1]])])"
    done = subprocess.run(
        [sys.executable, "-c", line, str(root)],
        capture_output=True,
        text=True,
        env={**os.environ, "GRIMOIRE_CACHE": "off"},
    )
    assert done.stdout == "['G0308']\n", done.stderr

"""The grammar has no conflict and no unused word; the parser can be saved; no text, however hostile, does worse than a
ParseProblem."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grimoire.compiler.syntax.parse import (
    MAX_TEXT,
    STARTS,
    Machine,
    ParseProblem,
    build_parser,
    grammar_text,
    load_parser,
    parse,
    parse_with,
    parser,
    save_parser,
    table_of,
)
from grimoire.compiler.syntax.printer import print_node
from tests.work import count_calls

SAMPLES = [
    (
        "effect",
        "§4 if d > 3 and it is in [brig, chapel]:\n  may discard any of your cards to draw 2 cards\notherwise, stop",
    ),
    ("trigger", "when a character or a passenger would be defeated"),
    ("condition", "you are free and there is a key"),
    ("amount", "2 * number of cards whose value >= 3 in your hand - 4"),
    ("selector", "each card nearest to you breaking ties by lowest value, then first to the left of you"),
    ("selector", "each card with the lowest value of those whose rank > 2 and whose value < 9"),
    ("limit", "twice per turn"),
]


def test_the_grammar_has_no_conflict_and_the_parser_can_be_saved() -> None:
    table = table_of(build_parser(strict=True))
    body = save_parser(table)
    for machine in (Machine(table), Machine(load_parser(body)), Machine(load_parser(save_parser(load_parser(body))))):
        for start, text in SAMPLES:
            assert repr(parse_with(machine, text, start)) == repr(parse(text, start))


def test_a_broken_cache_file_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIMOIRE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("grimoire.compiler.syntax.parse.INSTALLED", tmp_path / "installed")
    fresh = parser.__wrapped__
    fresh()
    (path,) = tmp_path.glob("cache/??/*")
    for content in (b"", b"x" * 1000, path.read_bytes()[:-1], path.read_bytes()):
        path.write_bytes(content)
        for start, text in SAMPLES:
            assert repr(parse_with(fresh(), text, start)) == repr(parse(text, start))


def test_every_terminal_is_used() -> None:
    text = "\n".join(line for line in grammar_text().split("\n") if not line.startswith("//"))
    defined = set(re.findall(r"^([A-Z_]+):", text, re.MULTILINE))
    for line in re.findall(r"^%declare (.*)$", text, re.MULTILINE):
        defined |= set(line.split())
    rules = "\n".join(line for line in text.split("\n") if not re.match(r"[A-Z_]+:|%declare", line))
    used = set(re.findall(r"\b[A-Z_]{1,}\b", re.sub(r"->.*", "", rules)))
    assert defined - used == set()
    assert used - defined == set()


def test_every_keyword_is_read_by_the_lexer() -> None:
    lexer = parser().lexer
    for words in re.findall(r'^[A-Z_]+: ("[a-z].*)$', grammar_text(), re.MULTILINE):
        for keyword in re.findall(r'"([a-z ]+)"', words):
            first, _, rest = keyword.partition(" ")
            known = [" ".join(phrase) for phrase, _, _ in lexer.phrases.get(first, [])]
            assert rest in known if rest else first in lexer.single


def test_parsing_is_deterministic() -> None:
    for start, text in SAMPLES:
        assert len({repr(parse(text, start)) for _ in range(5)}) == 1


def test_every_word_has_its_place() -> None:
    tree = parse("if d > 3:\n  move  an ally   at the bottom of the deck", "effect")
    action = tree.statements[0].statement.body.statements[0].statement.action
    det = action.object.items[0].det
    prep = action.phrases[0].prep
    assert (action.verb.line, action.verb.column, action.verb.end_column) == (2, 3, 7)
    assert (det, det.column, det.end_column) == ("a", 9, 11)
    assert (prep, prep.column, prep.end_column) == ("at the bottom of", 19, 35)


HOSTILE = {
    "nested parentheses": "the price is now " + "(" * 10_000 + "1" + ")" * 9_000,
    "many parentheses": "the price is now " + "(1) + " * 3_000 + "1",
    "a megabyte": "draw a card\n" * 87_000,
    "a long word": "draw a " + "x" * 19_000 + " !",
    "a long word without a determiner": "draw " + "x" * 19_000,
    "a hyphenated word": "draw " + "x-" * 9_000,
    "spaces": "draw" + " " * 19_900 + "?",
    "digits": "draw " + "9" * 19_000 + " cards",
    "a limit of many digits": "9" * 19_000 + " times per turn",
    "steps in one line": "draw; " * 3_000 + "draw",
    "gates in one line": "if d > 1, " * 1_900 + "draw",
    "nots": "if " + "not " * 4_000 + "d > 1, draw",
    "sums": "the price is now " + "1 + " * 4_000 + "1",
    "stairs": "\n".join(" " * i + "may:" for i in range(190)),
    "lines": "draw a card\n" * 1_600 + "draw a",
    "brackets": "[" * 15_000,
    "colons": ":" * 15_000,
    "apostrophes": "the a" + "'s a" * 4_000,
    "newlines": "\n" * 19_000,
    "dashes": "-" * 19_000,
    "a surrogate": "draw \ud800",
    "an emoji": "draw a 🂡",
    "right to left": "draw \u202e a card",
    **{f"control character {i}": f"draw{chr(i)}a card" for i in range(32) if i != 10},
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("start", STARTS)
def test_a_hostile_text_is_refused_quickly(text: str, start: str) -> None:
    parse("stop", "effect")

    def refuse() -> ParseProblem:
        with pytest.raises(ParseProblem) as caught:
            parse(text, start)
        return caught.value

    problem, calls = count_calls(refuse)
    assert calls < 60 * len(text) + 60_000, "work grows with the text, not with its square"
    assert len(problem.message) < 200 and len(problem.hint or "") < 200
    assert problem.message.isprintable()


def test_the_largest_text_that_is_read_can_be_printed() -> None:
    line = "draw; " * 120 + "draw"
    text = "\n".join([line] * 27)
    assert len(text) <= MAX_TEXT
    tree = parse(text, "effect")
    assert repr(parse(print_node(tree), "effect")) == repr(tree)
    deep = "\n".join("  " * i + "may:" for i in range(39)) + "\n" + "  " * 39 + "draw; " * 120 + "draw"
    tree = parse(deep, "effect")
    assert repr(parse(print_node(tree), "effect")) == repr(tree)

"""Parse effect text into syntax nodes.

In: the text of one YAML slot and the slot's type (a start symbol of grammar/effects.lark). Out: a syntax node, or a `ParseProblem`
with the place inside the text, what is wrong and the likely repair. Names are not looked at here.

Lark makes the LALR table from the grammar, `machine` walks it, `build_nodes` makes the nodes, `parse_errors` says what is wrong.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import io
import os
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark import __version__ as lark_version

from grimoire.compiler import syntax as s
from grimoire.compiler.lexer import MAX_DEPTH, EffectLexer, LayoutError
from grimoire.compiler.machine import Machine, Unexpected
from grimoire.compiler.parse_errors import ParseProblem, explain

__all__ = [
    "MAX_TEXT",
    "STARTS",
    "ParseProblem",
    "build_parser",
    "grammar_text",
    "load_parser",
    "parse",
    "parse_with",
    "parser",
    "save_parser",
]

STARTS = ("effect", "trigger", "condition", "amount", "selector", "limit")
MAX_NESTING = 170  # clauses, conditions and amounts inside each other
_SHORT = 400  # a shorter text cannot be nested that deep
_NESTING = (s.Gated, s.Then, s.Pay, s.Not, s.Grouped, s.And, s.Or, s.Binary, s.Paren, s.Depends, s.Where, s.Part)
MAX_TEXT = 20_000  # characters of one effect text


def grammar_text() -> str:
    return importlib.resources.files("grimoire.grammar").joinpath("effects.lark").read_text(encoding="utf-8")


def build_parser(strict: bool = False) -> Lark:
    """The table made from the grammar; `strict` refuses any conflict and needs the package interegular."""
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer=EffectLexer,
        start=list(STARTS),
        strict=strict,
        maybe_placeholders=False,
    )


def save_parser(made: Lark) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def load_parser(body: bytes) -> Lark:
    made = Lark.__new__(Lark)
    return made._load(io.BytesIO(body))


@cache
def parser() -> Machine:
    """The parser, saved beside the user's other caches and loaded from there: building takes a second, loading a hundredth."""
    made_of = grammar_text() + _source_of_lexer() + lark_version
    key = hashlib.blake2b(made_of.encode(), digest_size=12).hexdigest()
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = Path(home) / "grimoire" / f"parser-{key}.bin"
    try:
        data = path.read_bytes()
        check, body = data[:32], data[32:]
        if hashlib.blake2b(body, digest_size=32).digest() == check:
            return Machine(load_parser(body))
    except Exception:
        pass  # a missing or broken cache file only costs the time to build anew
    made = build_parser()
    try:
        body = save_parser(made)
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_suffix(f".{os.getpid()}.tmp")
        scratch.write_bytes(hashlib.blake2b(body, digest_size=32).digest() + body)
        scratch.replace(path)
    except Exception:
        pass
    return Machine(made)


def _source_of_lexer() -> str:
    import grimoire.compiler.lexer as module

    with open(module.__file__, encoding="utf-8") as file:
        return file.read()


def parse(text: str, start: str) -> Any:
    """The syntax node of a text. Raises ParseProblem."""
    return parse_with(parser(), text, start)


def parse_with(machine: Machine, text: str, start: str) -> Any:
    """`parse` with a parser of your own."""
    if len(text) > MAX_TEXT:
        raise ParseProblem("G0405", f"this text has {len(text)} characters; {MAX_TEXT} is the most", 1, 1)
    if not text.strip():
        raise ParseProblem("G0401", "this text is empty", 1, 1, hint="leave the key out where nothing happens")
    if text.count("(") > MAX_DEPTH:
        _check_depth(text)
    try:
        made = machine.parse(text, start)
    except LayoutError as problem:
        raise ParseProblem(
            problem.code, problem.message, problem.line, problem.column, problem.width, problem.hint
        ) from None
    except Unexpected as problem:
        raise explain(problem, text, start) from None
    if len(text) > _SHORT:
        _check_nesting(made)
    return made


def _check_nesting(made: Any) -> None:
    """Refuse a tree that is too deep for the recursive stages behind this one."""
    waiting: list[tuple[Any, int]] = [(made, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_NESTING:
            while not isinstance(node, Token):
                node = next(part for part in node if isinstance(part, Token | tuple) and part)
            line, column = node.line or 1, node.column or 1
            hint = "declare a verb for a part of it"
            raise ParseProblem("G0405", f"more than {MAX_NESTING} clauses inside each other", line, column, hint=hint)
        inner = depth + isinstance(node, _NESTING)
        waiting.extend((part, inner) for part in node if isinstance(part, tuple) and part)


def _check_depth(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        depth = 0
        for column, char in enumerate(line, 1):
            if char == "(":
                depth += 1
                if depth > MAX_DEPTH:
                    raise ParseProblem("G0405", f"more than {MAX_DEPTH} parentheses inside each other", number, column)
            elif char == ")":
                depth -= 1

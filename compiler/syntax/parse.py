"""Parse effect text into syntax nodes.

In: the text of one YAML slot and the slot's type (a start symbol of grammar/effects.lark). Out: a syntax node, or a
`ParseProblem` with the place inside the text, what is wrong and the likely repair. Names are not looked at here.

Lark makes the LALR table from the grammar, `machine` walks it, `build_nodes` makes the nodes, `parse_errors` says what
is wrong.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

import grimoire.grammar as grammar
from grimoire.compiler.cache import Cache, blake2b, content_key
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.files import read_file, remove_file, write_file
from grimoire.compiler.source.positions import effect_position
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax import machine as _machine
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.lexer import MAX_DEPTH, LayoutError
from grimoire.compiler.syntax.machine import Machine, Rule, Table, Unexpected, table_of
from grimoire.compiler.syntax.misspelt import Misspelt, find_misspelt
from grimoire.compiler.syntax.problems import OTHER_WORDS, ParseProblem, explain
from grimoire.compiler.syntax.tokens import Token

if TYPE_CHECKING:
    from lark import Lark  # loaded only where the table is made: that takes as long as all the rest

__all__ = [
    "MAX_TEXT",
    "STARTS",
    "ParseProblem",
    "build_parser",
    "grammar_text",
    "load_parser",
    "parse",
    "parse_texts",
    "parse_with",
    "parser",
    "save_parser",
]

STARTS = ("effect", "trigger", "condition", "amount", "selector", "limit")
MAX_NESTING = 170  # clauses, conditions and amounts inside each other
_SHORT = 400  # a shorter text cannot be nested that deep
_NESTING = (s.Gated, s.Then, s.Pay, s.Not, s.Grouped, s.And, s.Or, s.Binary, s.Paren, s.Depends, s.Where, s.Part)
MAX_TEXT = 20_000  # characters of one effect text


INSTALLED = Path(grammar.__file__).with_name("__pycache__")  # where `make setup` puts the table, beside the byte code


def grammar_text() -> str:
    return grammar.read("effects.lark")


def build_parser(strict: bool = False) -> Lark:
    """The table made from the grammar; `strict` refuses any conflict and needs the package interegular."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Lark only makes the table: tokens are cut by EffectLexer."""

        def __init__(self, lexer_conf: object) -> None:
            return

        def lex(self, lexer_state: object, parser_state: object) -> NoReturn:
            raise AssertionError("texts are cut by EffectLexer")

    return Lark(
        grammar_text(),
        parser="lalr",
        lexer=NoLexer,
        start=list(STARTS),
        strict=strict,
        maybe_placeholders=False,
    )


def save_parser(table: Table) -> bytes:
    body = marshal.dumps((tuple(table._replace(rules=())), [tuple(rule) for rule in table.rules]))
    return blake2b(body, digest_size=32).digest() + body


def load_parser(data: bytes) -> Table:
    """What `save_parser` wrote. Raises ValueError for anything else."""
    body = data[32:]
    if blake2b(body, digest_size=32).digest() != data[:32]:
        raise ValueError("damaged")
    table, rules = marshal.loads(body)
    return Table(*table)._replace(rules=tuple(Rule(*rule) for rule in rules))


@cache
def parser() -> Machine:
    """The parser. Its table is found where it was installed or in the user's cache, or it is made and kept there:
    making it takes half a second, loading it some milliseconds."""
    name = _file_name()
    store, key = Cache(), content_key(name)
    places: tuple[Callable[[], bytes | None], ...] = (lambda: read_file(INSTALLED / name), lambda: store.get(key))
    for place in places:
        try:
            data = place()
            if data is not None:
                return Machine(load_parser(data))
        except Exception:  # a missing or broken file only costs the time to make the table anew
            continue
    table = table_of(build_parser())
    store.put(key, save_parser(table))
    return Machine(table)


def install_parser() -> None:
    """Put the table beside the grammar, in place of older ones: a step of the installation."""
    name = _file_name()
    for path in INSTALLED.glob("parser-*"):
        if path.name != name:
            remove_file(path)
    try:
        load_parser(read_file(INSTALLED / name))
    except Exception:
        write_file(INSTALLED / name, save_parser(table_of(build_parser())))


def _file_name() -> str:
    """The name of the file for a table: another grammar, another way to make it or another Python is another file."""
    with open(_machine.__file__, encoding="utf-8") as file:
        made_of = (grammar_text(), file.read(), repr((STARTS, sys.version_info, marshal.version)))
    return f"parser-{blake2b(repr(made_of).encode(), digest_size=12).hexdigest()}.bin"


@lru_cache(maxsize=4096)
def parse(text: str, start: str) -> s.Root:
    """The syntax node of a text, which nobody changes. Raises ParseProblem."""
    return parse_with(parser(), text, start)


class WrittenText(Protocol):
    """A text in its slot of a file, whose node is wanted."""

    @property
    def text(self) -> str: ...

    @property
    def start(self) -> str: ...

    @property
    def scalar(self) -> Scalar: ...

    @property
    def file(self) -> str: ...

    node: s.Root | None
    ok: bool


def parse_texts(texts: Iterable[WrittenText], diags: Diagnostics) -> None:
    """Fill the nodes of texts; a text that cannot be read is reported and left out of the later stages."""
    for text in texts:
        try:
            text.node = parse(text.text, text.start)
        except ParseProblem as problem:
            text.ok = False
            line, column = effect_position(text.scalar, problem.line, problem.column)
            _, end = effect_position(text.scalar, problem.line, problem.column + problem.width - 1)
            diags.add(
                problem.code,
                Span(text.file, line, column, line, max(end + 1, column + 1)),
                problem.message,
                problem.hint,
            )


def parse_with(machine: Machine, text: str, start: str) -> s.Root:
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
        raise explain_misspelt(machine, problem, text, start) or explain(problem, text, start) from None
    if len(text) > _SHORT:
        _check_nesting(made)
    return made


def explain_misspelt(machine: Machine, problem: Unexpected, text: str, start: str) -> ParseProblem | None:
    """A word of the language that was misspelt, if the text could be read with it, or at least the rest of its line."""
    line = problem.tokens[min(problem.at, len(problem.tokens) - 1)].line or 1
    words = [one for one in problem.tokens[: problem.at + 4] if one.type == "NAME" and str(one) not in OTHER_WORDS]
    before = max((one.line or 1 for one in problem.tokens[: problem.at] if one.type == "NAME"), default=line)
    here = [one for one in reversed(words) if one.line in (line, before)]

    def can_read(other: str) -> bool:
        try:
            machine.parse(other, start)
        except Unexpected as later:
            return later.at < len(later.tokens) and (later.tokens[later.at].line or 1) > line
        except LayoutError:
            return False
        return True

    found = find_misspelt(text, here, machine.lexer.list_words(), can_read)
    if found is None:
        return None
    word = found.word
    return ParseProblem("G0401", found.message, word.line or 1, word.column or 1, len(word), found.hint)


def find_slip(text: str, start: str, unknown: Token) -> Misspelt | None:
    """A word of the language that was misspelt, so that a text can be read and yet speaks of something unknown: the
    unknown word, or one before it in its noun."""
    machine = parser()
    try:
        tokens = machine.lexer.tokens(text, start)
    except LayoutError:
        return None
    at = next((i for i, one in enumerate(tokens) if (one.line, one.column) == (unknown.line, unknown.column)), None)
    if at is None:
        return None
    first = at
    while first and tokens[first - 1].type == "NAME":
        first -= 1

    def can_read(other: str) -> bool:
        try:
            machine.parse(other, start)
        except (Unexpected, LayoutError):
            return False
        return True

    return find_misspelt(text, tokens[first : at + 1][::-1], machine.lexer.list_words(), can_read)


def _check_nesting(made: s.Root) -> None:
    """Refuse a tree that is too deep for the recursive stages behind this one."""
    waiting: list[tuple[tuple[object, ...], int]] = [(made, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_NESTING:
            first: object = node
            while isinstance(first, tuple):
                first = next(part for part in first if isinstance(part, Token | tuple) and part)
            assert isinstance(first, Token)
            line, column = first.line or 1, first.column or 1
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

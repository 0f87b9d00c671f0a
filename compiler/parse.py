"""Parse effect text into syntax nodes.

In: the text of one YAML slot and the slot's type (a start symbol of grammar/effects.lark). Out: a syntax node, or a `ParseProblem`
with the place inside the text, what is wrong and the likely repair. Names are not looked at here.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import io
import os
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken

from grimoire.compiler import syntax as s
from grimoire.compiler.lexer import EffectLexer, LayoutError

STARTS = ("effect", "trigger", "condition", "amount", "selector", "limit")
MAX_TEXT = 20_000  # characters of one effect text
MAX_DEPTH = 40  # indentation levels and parentheses


class ParseProblem(Exception):
    """What is wrong with an effect text, with its place inside the text (1-based)."""

    def __init__(
        self, code: str, message: str, line: int, column: int, width: int = 1, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.width = max(width, 1)
        self.hint = hint


def grammar_text() -> str:
    return importlib.resources.files("grimoire.grammar").joinpath("effects.lark").read_text(encoding="utf-8")


def build_parser(strict: bool = False) -> Lark:
    """The parser made from the grammar; `strict` refuses any conflict and needs the package interegular."""
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer=EffectLexer,
        start=list(STARTS),
        transformer=_Builder(),
        strict=strict,
        maybe_placeholders=False,
    )


@cache
def parser() -> Lark:
    """The parser, saved beside the user's other caches and loaded from there: building takes a second, loading a hundredth."""
    key = hashlib.blake2b((grammar_text() + _source_of_lexer()).encode(), digest_size=12).hexdigest()
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = Path(home) / "grimoire" / f"parser-{key}.bin"
    try:
        data = path.read_bytes()
        check, body = data[:32], data[32:]
        if hashlib.blake2b(body, digest_size=32).digest() == check:
            return _load(body)
    except Exception:
        pass  # a missing or broken cache file only costs the time to build anew
    made = build_parser()
    try:
        buffer = io.BytesIO()
        made.save(buffer, exclude_options={"transformer"})
        body = buffer.getvalue()
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_suffix(f".{os.getpid()}.tmp")
        scratch.write_bytes(hashlib.blake2b(body, digest_size=32).digest() + body)
        scratch.replace(path)
    except Exception:
        pass
    return made


def _load(body: bytes) -> Lark:
    made = Lark.__new__(Lark)
    return made._load(io.BytesIO(body), transformer=_Builder())


def _source_of_lexer() -> str:
    import grimoire.compiler.lexer as module

    with open(module.__file__, encoding="utf-8") as file:
        return file.read()


def parse(text: str, start: str) -> Any:
    """The syntax node of a text. Raises ParseProblem."""
    if len(text) > MAX_TEXT:
        raise ParseProblem("G0405", f"this text has {len(text)} characters; {MAX_TEXT} is the most", 1, 1)
    if not text.strip():
        raise ParseProblem("G0401", "this text is empty", 1, 1, hint="leave the key out where nothing happens")
    _check_depth(text)
    try:
        return parser().parse(text, start=start)
    except LayoutError as problem:
        raise ParseProblem("G0402", problem.message, problem.line, problem.column, problem.width) from None
    except UnexpectedToken as problem:
        raise _explain(problem, text) from None
    except UnexpectedInput as problem:  # pragma: no cover - the lexer raises LayoutError itself
        raise ParseProblem("G0401", "this cannot be read", problem.line, problem.column) from None


def _check_depth(text: str) -> None:
    deepest = depth = 0
    for char in text:
        if char == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif char == ")":
            depth -= 1
    if deepest > MAX_DEPTH:
        raise ParseProblem("G0405", f"more than {MAX_DEPTH} parentheses inside each other", 1, 1)


# ---------------------------------------------------------------- errors

_NOUNS = {"NAME"}


def _explain(problem: UnexpectedToken, text: str) -> ParseProblem:
    token: Token = problem.token
    lines = text.split("\n")
    line = token.line or len(lines)
    column = token.column or 1
    if token.type == "$END" or line > len(lines):
        line = len(lines)
        while line > 1 and not lines[line - 1].strip():
            line -= 1
        return ParseProblem(
            "G0401",
            "the text ends too early",
            line,
            len(lines[line - 1]) or 1,
            hint="finish the last clause, or indent a line below the colon",
        )
    expected = set(problem.accepts or problem.expected)
    before = _before(problem, lines, line, column)
    width = max(len(str(token)), 1)
    word = str(token)
    if token.type == "_INDENT":
        return ParseProblem(
            "G0403",
            "this line is indented, but the line above does not end with a colon",
            line,
            1,
            column - 1 or 1,
            hint="end the line above with ':' or take the indentation away",
        )
    if token.type == "_NL":
        return ParseProblem(
            "G0401",
            "the line ends too early" + (f' after "{before}"' if before else ""),
            line,
            max(column - 1, 1),
            hint=_expected_hint(expected),
        )
    if token.type == "NAME":
        if before and word.endswith("s") and expected & {"MAY", "MUST", "IS_NOW"}:
            verb = word[:-1]
            return ParseProblem(
                "G0404",
                f'"{word}" is not a modal: somebody else acts through must or may',
                line,
                column,
                width,
                hint=f'write "must {verb}" or "may {verb}"',
            )
        if expected & {"THE", "A", "EACH"} or "det" in expected:
            return ParseProblem(
                "G0406",
                f'"{word}" stands without a determiner',
                line,
                column,
                width,
                hint=f'write "the {word}", "a {word}" or "each {word}"',
            )
        if not expected & _NOUNS:
            return ParseProblem(
                "G0401",
                f'"{word}" cannot stand here' + (f' after "{before}"' if before else ""),
                line,
                column,
                width,
                hint=_expected_hint(expected),
            )
    if token.type == "_COLON":
        return ParseProblem(
            "G0403",
            "a colon ends only a line that opens a block",
            line,
            column,
            width,
            hint="a block is opened by if, otherwise, for each, may, either, or, instead, repeat, a window, or a cost",
        )
    if token.type in ("AND_NP", "OR_NP"):
        return ParseProblem(
            "G0401",
            f'"{word}" joins two noun phrases here, and one is missing or of another sort',
            line,
            column,
            width,
            hint="start a new line for a new clause; inside a condition repeat the whole condition",
        )
    return ParseProblem(
        "G0401",
        f'"{word.strip() or "this"}" cannot stand here' + (f' after "{before}"' if before else ""),
        line,
        column,
        width,
        hint=_expected_hint(expected),
    )


def _before(problem: UnexpectedToken, lines: list[str], line: int, column: int) -> str:
    words = lines[line - 1][: column - 1].split() if line <= len(lines) else []
    return words[-1] if words else ""


_READABLE = {
    "NAME": "a word", "NUMBER": "a number", "_NL": "the end of the line", "_COMMA": "a comma", "_COLON": "a colon", "CMP": "a comparison",
    "AS": "as", "IS": "is", "MAY": "may", "MUST": "must", "_TO_DO": "to and a verb", "THEN": "then", "_RPAR": "a closing parenthesis",
    "_INDENT": "an indented line", "PART_OF": "of",
}  # fmt: skip


def _expected_hint(expected: set[str]) -> str | None:
    named = sorted({_READABLE[name] for name in expected if name in _READABLE})
    if expected & {"THE", "A"}:
        named.append("a noun phrase (the .., a .., each .., 2 ..)")
    if not named:
        return None
    return "expected " + (named[0] if len(named) == 1 else ", ".join(named[:-1]) + " or " + named[-1])


# ---------------------------------------------------------------- from rules to nodes


def _pick(parts: list[Any], *types: str) -> list[Token]:
    return [p for p in parts if isinstance(p, Token) and p.type in types]


def _full(parts: list[Any]) -> s.Full:
    return s.Full(parts[0], tuple(p for p in parts[1:] if isinstance(p, s.Phrase)))


class _Builder(Transformer[Any, Any]):
    """One method for each rule or alias of the grammar. Called while parsing: no tree is kept."""

    # start symbols
    def effect(self, p: list[Any]) -> s.Block:
        return s.Block(tuple(p))

    def trigger(self, p: list[Any]) -> s.Window:
        return p[0]  # type: ignore[no-any-return]

    condition = amount = trigger

    def selector(self, p: list[Any]) -> s.Full:
        return _full(p)

    def limit(self, p: list[Any]) -> s.Limit:
        word, times = p[0]
        return s.Limit(word, times, tuple(_pick(p[1:], "NAME")))

    def often(self, p: list[Any]) -> tuple[Token, int]:
        return p[0], {"ONCE": 1, "TWICE": 2}.get(p[0].type) or int(p[0])

    # statements
    def line(self, p: list[Any]) -> s.Line:
        clause = p[0] if isinstance(p[0], Token) else None
        return s.Line(clause, p[-1], False)

    def block(self, p: list[Any]) -> s.Line:
        clause = p[0] if isinstance(p[0], Token) else None
        opener = p[1] if clause is not None else p[0]
        body: s.Statement = s.Block(tuple(x for x in p if isinstance(x, s.Line)))
        for gate in reversed(opener):
            body = s.Gated(gate, body)
        return s.Line(clause, body, True)

    def then(self, p: list[Any]) -> s.Then:
        return s.Then(p[0], "then", p[2])

    def next(self, p: list[Any]) -> s.Then:
        return s.Then(p[0], ";", p[1])

    def gated(self, p: list[Any]) -> s.Gated:
        return s.Gated(p[0], p[1])

    def pay(self, p: list[Any]) -> s.Pay:
        return s.Pay(p[0], p[1])

    def open_gate(self, p: list[Any]) -> list[s.Gate]:
        return [p[0]]

    def open_nested(self, p: list[Any]) -> list[s.Gate]:
        return [p[0], *p[1]]

    def open_modal(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[-1], "modal", noun=p[0] if len(p) == 2 else None)]

    def open_pay(self, p: list[Any]) -> list[s.Gate]:
        extent = s.extent(p[0])
        return [s.Gate(extent[0] if extent else Token("NAME", ""), "pay", cost=p[0])]

    def open_either(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "either")]

    def open_or(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "or")]

    def open_instead(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "instead")]

    def open_first_able(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "first_able")]

    def together(self, p: list[Any]) -> s.Together:
        return s.Together(tuple(p))

    def act(self, p: list[Any]) -> s.Act:
        return s.Act(None, None, p[0])

    def may_act(self, p: list[Any]) -> s.Act:
        return s.Act(None, p[0], p[1])

    def subject_act(self, p: list[Any]) -> s.Act:
        return s.Act(p[0], p[1], p[2])

    def cannot(self, p: list[Any]) -> s.Cannot:
        return s.Cannot(p[0], p[2])

    def cannot_be(self, p: list[Any]) -> s.CannotBe:
        return s.CannotBe(p[0], p[2], tuple(p[3:]))

    def assign(self, p: list[Any]) -> s.Assign:
        return s.Assign(p[0], p[2])

    def gets(self, p: list[Any]) -> s.Gets:
        return s.Gets(p[0], p[2], p[3], tuple(p[4:]))

    def either(self, p: list[Any]) -> s.Either:
        return s.Either(p[0], tuple(x for x in p if isinstance(x, s.Action)))

    def require(self, p: list[Any]) -> s.Require:
        return s.Require(p[0], p[1])

    def subject(self, p: list[Any]) -> s.Full:
        return _full(p)

    def modal(self, p: list[Any]) -> Token:
        return p[0]  # type: ignore[no-any-return]

    sign = value = or_word = and_word = det = pron = prep = modal

    def vp(self, p: list[Any]) -> s.Action:
        operand: s.Operand | None = None
        phrases: list[s.Phrase] = []
        bind: Token | None = None
        able = instead = False
        for part in p[1:]:
            if isinstance(part, s.Operand):
                operand = part
            elif isinstance(part, s.Phrase):
                phrases.append(part)
            elif part.type == "IF_ABLE":
                able = True
            elif part.type == "INSTEAD":
                instead = True
            else:
                bind = part
        return s.Action(p[0], operand, tuple(phrases), bind, able, instead)

    def bind(self, p: list[Any]) -> Token:
        return p[1]  # type: ignore[no-any-return]

    def all_of(self, p: list[Any]) -> s.Operand:
        return s.Operand(tuple(x for x in p if not isinstance(x, Token)), "and")

    def one_of(self, p: list[Any]) -> s.Operand:
        return s.Operand(tuple(x for x in p if not isinstance(x, Token)), "or")

    def item(self, p: list[Any]) -> Any:
        return p[0]

    bare_count = item

    def ppl(self, p: list[Any]) -> s.Phrase:
        item = p[1]
        if isinstance(item, s.Operand) and len(item.items) == 1:
            item = item.items[0]
        return s.Phrase(p[0], item)

    pp = ppl

    def ppl_item(self, p: list[Any]) -> Any:
        return p[0]

    pp_item = ppl_item

    def bare_item(self, p: list[Any]) -> s.BareWords:
        return s.BareWords(tuple(p))

    # gates
    def g_if(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "if", condition=p[1])

    def g_otherwise(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "otherwise")

    def g_otherwise_if(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "otherwise_if", condition=p[2])

    def g_on(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "on", outcomes=p[1])

    def outcomes(self, p: list[Any]) -> tuple[s.Outcome, ...]:
        return tuple(x for x in p if isinstance(x, s.Outcome))

    def outcome(self, p: list[Any]) -> s.Outcome:
        form = {"NAME": "name", "RANGE": "range", "NUMBER": "number"}[p[0].type]
        return s.Outcome(p[0], form)

    def at_least(self, p: list[Any]) -> s.Outcome:
        return s.Outcome(p[0], "at_least")

    def at_most(self, p: list[Any]) -> s.Outcome:
        return s.Outcome(p[0], "at_most")

    def g_each(self, p: list[Any]) -> s.Gate:
        words = tuple(_pick(p[1:-1], "NAME"))
        relative = next((x for x in p if isinstance(x, s.Whose | s.WhoIs | s.Where | s.Superlative | s.Nearest)), None)
        noun = s.Noun(None, words, None, (), relative)
        return s.Gate(p[0], "each", noun=s.Full(noun, tuple(x for x in p if isinstance(x, s.Phrase))), bind=p[-1])

    def g_each_of(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "each", noun=_full(p[1:-1]), bind=p[-1])

    def g_while(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "while", condition=p[1])

    def g_until(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "until", noun=s.Full(p[1], ()))

    def g_window(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0].word, "window", window=p[0])

    def g_in_turn(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "in_turn", noun=_full(p[1:]))

    def g_at_once(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "at_once")

    def g_secretly(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "secretly")

    def g_repeat(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "repeat")

    def g_repeat_times(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "repeat", amount=p[1])

    # windows
    def _window(self, kind: str, p: list[Any]) -> s.Window:
        return s.Window(p[0], kind, p[1], None)

    def w_before(self, p: list[Any]) -> s.Window:
        return self._window("before", p)

    def w_after(self, p: list[Any]) -> s.Window:
        return self._window("after", p)

    def w_when(self, p: list[Any]) -> s.Window:
        return self._window("when", p)

    def w_next(self, p: list[Any]) -> s.Window:
        return self._window("next", p)

    def w_start(self, p: list[Any]) -> s.Window:
        return s.Window(p[0], "start", None, _full(p[1:]))

    def w_end(self, p: list[Any]) -> s.Window:
        return s.Window(p[0], "end", None, _full(p[1:]))

    def w_any(self, p: list[Any]) -> s.Window:
        return s.Window(p[0], "any", None, None)

    def _event(self, form: str, p: list[Any]) -> s.Event:
        nouns = p[: next(i for i, x in enumerate(p) if isinstance(x, Token))]
        rest = p[len(nouns) :]
        verb = next(x for x in rest if isinstance(x, Token) and x.type == "NAME")
        return s.Event(form, _full(nouns), verb, None, tuple(x for x in rest if isinstance(x, s.Phrase)))

    def would_be(self, p: list[Any]) -> s.Event:
        return self._event("would_be", p)

    def is_done(self, p: list[Any]) -> s.Event:
        return self._event("is_done", p)

    def would(self, p: list[Any]) -> s.Event:
        action = p[-1]
        return s.Event("would", _full(p[:-2]), action.verb, action, ())

    def you_do(self, p: list[Any]) -> s.Event:
        return s.Event("you_do", s.Full(s.Pronoun(p[0]), ()), p[1].verb, p[1], ())

    # noun phrases
    def noun(self, p: list[Any]) -> s.Noun:
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Noun(p[0], tuple(_pick(p[1:], "NAME")), None, (), relative)

    def noun_n(self, p: list[Any]) -> s.Noun:
        at = next(i for i, x in enumerate(p) if i and not (isinstance(x, Token) and x.type == "NAME"))
        amount = s.Number(p[at]) if isinstance(p[at], Token) else s.Paren(p[at])
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Noun(p[0], tuple(p[1:at]), amount, tuple(_pick(p[at + 1 :], "NAME")), relative)

    def counted(self, p: list[Any]) -> s.Counted:
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Counted(p[0], tuple(_pick(p[1:], "NAME")), relative)

    def part(self, p: list[Any]) -> s.Part:
        return s.Part(p[0], p[2])

    def all_but(self, p: list[Any]) -> s.Part:
        amount = s.Number(p[1]) if isinstance(p[1], Token) else s.Paren(p[1])
        return s.Part(s.Count(p[0], "all_but", amount, None), p[-1])

    def pronoun(self, p: list[Any]) -> s.Pronoun:
        return s.Pronoun(p[0])

    def owned(self, p: list[Any]) -> s.Owned:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token) and x.type == "APOS")
        relative = None if isinstance(p[-1], Token) else p[-1]
        return s.Owned(p[0], tuple(p[1:at]), tuple(_pick(p[at:], "NAME")), relative)

    def listed(self, p: list[Any]) -> s.Listed:
        return s.Listed(tuple(p))

    def exactly(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "exactly", s.Number(p[0]), None)

    def exactly_sum(self, p: list[Any]) -> s.Count:
        return s.Count(_first(p[0]), "exactly", s.Paren(p[0]), None)

    def between(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "between", s.Number(p[0]), s.Number(p[2]))

    def or_more(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "or_more", s.Number(p[0]), None)

    def up_to(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "up_to", None, s.Number(p[1]))

    def up_to_sum(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "up_to", None, s.Paren(p[1]))

    def any_number(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "any", None, None)

    def whose(self, p: list[Any]) -> s.Whose:
        return s.Whose(
            p[0], tuple(_pick(p[1:], "NAME")), next(x for x in p if isinstance(x, Token) and x.type == "CMP"), p[-1]
        )

    def who_is(self, p: list[Any]) -> s.WhoIs:
        return s.WhoIs(p[0], len(p) == 4, p[-1])

    def where(self, p: list[Any]) -> s.Where:
        return s.Where(p[0], p[1])

    def superlative(self, p: list[Any]) -> s.Superlative:
        return s.Superlative(p[0], tuple(_pick(p[1:], "NAME")), p[-1] if isinstance(p[-1], s.Ties) else None)

    def nearest(self, p: list[Any]) -> s.Nearest:
        anchor = p[1].noun.noun if isinstance(p[1], s.Read) else p[1]
        return s.Nearest(p[0], anchor, p[2] if len(p) == 3 else None)

    def ties(self, p: list[Any]) -> s.Ties:
        return s.Ties(p[0], p[1], tuple(p[2:]))

    def measure_noun(self, p: list[Any]) -> s.Read:
        return s.Read(s.Full(s.Noun(p[0], tuple(p[1:]), None, (), None), ()))

    def measure_pron(self, p: list[Any]) -> s.Read:
        return s.Read(s.Full(s.Pronoun(p[0]), ()))

    # conditions
    def or_(self, p: list[Any]) -> s.Or:
        return s.Or(p[0], p[2])

    def and_(self, p: list[Any]) -> s.And:
        return s.And(p[0], p[2])

    def compare(self, p: list[Any]) -> s.Compare:
        return s.Compare(p[0], p[1], p[2])

    def is_(self, p: list[Any]) -> s.Is:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token) and x.type == "IS")
        return s.Is(_full(p[:at]), len(p) - at == 3, p[-1])

    def has(self, p: list[Any]) -> s.Has:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token) and x.type == "HAS")
        return s.Has(_full(p[:at]), _full(p[at + 1 :]))

    def there(self, p: list[Any]) -> s.There:
        return s.There(p[0], _full(p[1:]))

    def you_did(self, p: list[Any]) -> s.Did:
        return s.Did(p[0], False)

    def you_did_not(self, p: list[Any]) -> s.Did:
        return s.Did(p[0], True)

    def not_(self, p: list[Any]) -> s.Not:
        return s.Not(p[1])

    def p_words(self, p: list[Any]) -> s.Predicate:
        return s.Predicate(tuple(p), None, None)

    def p_np(self, p: list[Any]) -> s.Predicate:
        return s.Predicate((), p[0], None)

    def p_in(self, p: list[Any]) -> s.Predicate:
        return s.Predicate((), p[1], p[0])

    # amounts
    def add(self, p: list[Any]) -> s.Binary:
        return s.Binary(p[1], p[0], p[2])

    sub = mul = div = add

    def number(self, p: list[Any]) -> s.Number:
        return s.Number(p[-1])

    def bare(self, p: list[Any]) -> s.Bare:
        return s.Bare(p[0])

    def paren(self, p: list[Any]) -> s.Paren:
        return s.Paren(p[-1])

    def read(self, p: list[Any]) -> s.Read:
        return s.Read(_full(p))

    def number_of(self, p: list[Any]) -> s.NumberOf:
        return s.NumberOf(p[0], p[1])

    def total(self, p: list[Any]) -> s.Total:
        return s.Total(p[0], p[1], p[3])

    extreme = different = total

    def bare_noun(self, p: list[Any]) -> s.Full:
        relative = next((x for x in p if not isinstance(x, Token | s.Phrase)), None)
        return s.Full(
            s.Noun(None, tuple(_pick(p, "NAME")), None, (), relative), tuple(x for x in p if isinstance(x, s.Phrase))
        )

    def full_noun(self, p: list[Any]) -> s.Full:
        return _full(p)


def _first(node: object) -> Token:
    found = s.extent(node)
    return found[0] if found else Token("NUMBER", "0")

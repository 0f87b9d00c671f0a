"""Parse effect text into syntax nodes.

In: the text of one YAML slot and the slot's type (a start symbol of grammar/effects.lark). Out: a syntax node, or a `ParseProblem`
with the place inside the text, what is wrong and the likely repair. Names are not looked at here.

Lark makes the LALR table from the grammar; `Machine` walks it, because the nodes are built while parsing and no tree is wanted.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import io
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token
from lark import __version__ as lark_version

from grimoire.compiler import syntax as s
from grimoire.compiler.lexer import MAX_DEPTH, EffectLexer, LayoutError

STARTS = ("effect", "trigger", "condition", "amount", "selector", "limit")
MAX_TEXT = 20_000  # characters of one effect text


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
        return machine.parse(text, start)
    except LayoutError as problem:
        raise ParseProblem(
            problem.code, problem.message, problem.line, problem.column, problem.width, problem.hint
        ) from None
    except Unexpected as problem:
        raise _explain(problem, text, start) from None


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


# ---------------------------------------------------------------- the machine

Reducer: TypeAlias = Callable[[list[Any]], Any]


class Unexpected(Exception):
    """A token that cannot follow: all tokens of the text, its index among them (or their number, at the end), what could stand there."""

    def __init__(self, tokens: list[Token], at: int, accepts: frozenset[str]) -> None:
        super().__init__(at)
        self.tokens = tokens
        self.at = at
        self.accepts = accepts


class _Reduce(NamedTuple):
    size: int
    make: Reducer | None  # None: the value of the only part
    goto: dict[int, int]


class Machine:
    """A table made by Lark, with one function of the builder for each rule."""

    def __init__(self, lark: Lark) -> None:
        frontend: Any = lark.parser
        table: Any = frontend.parser._parse_table
        self.lexer = EffectLexer(frontend.lexer_conf)
        self.starts: dict[str, int] = dict(table.start_states)
        self.ends: dict[str, int] = dict(table.end_states)
        builder = _Builder()
        gotos: dict[str, dict[int, int]] = {}
        reduces: dict[Any, _Reduce] = {}
        self.states: dict[int, dict[str, int | _Reduce]] = {}
        for state, row in table.states.items():
            self.states[state] = made = {}
            for symbol, (action, arg) in row.items():
                if action.name == "Reduce":
                    if arg not in reduces:
                        goto = gotos.setdefault(arg.origin.name, {})
                        reduces[arg] = _Reduce(len(arg.expansion), _reducer(arg, builder), goto)
                    made[symbol] = reduces[arg]
                elif symbol.isupper():
                    made[symbol] = arg
                else:
                    gotos.setdefault(symbol, {})[state] = arg

    def parse(self, text: str, start: str) -> Any:
        tokens = self.lexer.tokens(text, start)
        states = self.states
        stack = [self.starts[start]]
        values: list[Any] = []
        for at, token in enumerate(tokens):
            sort = token.type
            while True:
                action = states[stack[-1]].get(sort)
                if isinstance(action, int):
                    stack.append(action)
                    values.append(token)
                    break
                if action is None:
                    raise Unexpected(tokens, at, self.accepts(stack))
                size, make, goto = action
                if size == 1:
                    if make is not None:
                        values[-1] = make(values[-1:])
                    stack[-1] = goto[stack[-2]]
                else:
                    assert make is not None
                    parts = values[-size:]
                    del values[-size:], stack[-size:]
                    values.append(make(parts))
                    stack.append(goto[stack[-1]])
        end = self.ends[start]
        while stack[-1] != end:
            last = states[stack[-1]].get("$END")
            if not isinstance(last, _Reduce):
                raise Unexpected(tokens, len(tokens), self.accepts(stack))
            parts = values[-last.size :]
            del values[-last.size :], stack[-last.size :]
            values.append(last.make(parts) if last.make is not None else parts[0])
            stack.append(last.goto[stack[-1]])
        return values[-1]

    def accepts(self, stack: list[int]) -> frozenset[str]:
        """The terminals that could really follow; a row of the table alone names more."""
        return frozenset(symbol for symbol in self.states[stack[-1]] if self._takes(stack[:], symbol))

    def _takes(self, stack: list[int], symbol: str) -> bool:
        while True:
            action = self.states[stack[-1]].get(symbol)
            if not isinstance(action, _Reduce):
                return action is not None
            del stack[-action.size :]
            if stack[-1] not in action.goto:
                return symbol == "$END"
            stack.append(action.goto[stack[-1]])
            if symbol == "$END" and stack[-1] in self.ends.values():
                return True


def _reducer(rule: Any, builder: _Builder) -> Reducer | None:
    """What makes the value of a rule from the values of its parts: Lark's tree shaping, without trees.

    Marks and layout (terminals with an underscore) are left out. The helper rules that Lark makes for `x*` and `x+` have lists as
    values, which are poured into the parts of the rule that uses them.
    """
    shape = [
        (i, symbol.name.startswith("_"))
        for i, symbol in enumerate(rule.expansion)
        if not (symbol.is_term and symbol.filter_out)
    ]
    plain = len(shape) == len(rule.expansion) and not any(pour for _, pour in shape)
    helper = rule.origin.name.startswith("_")
    name = rule.alias or rule.origin.name
    if not helper:
        if rule.options.expand1 and not rule.alias and len(shape) == 1 and not shape[0][1]:
            if plain:
                return None
            return lambda parts, i=shape[0][0]: parts[i]  # type: ignore[misc]
        make: Reducer = getattr(builder, name)
        if make == builder.same:
            return None if len(rule.expansion) == 1 else lambda parts, i=shape[0][0]: parts[i]  # type: ignore[misc]
        if plain:
            return make
    elif plain:
        return lambda parts: parts
    else:
        make = list

    if helper and shape[0] == (0, True) and not any(pour for _, pour in shape[1:]):
        rest = [i for i, _ in shape[1:]]

        def grow(parts: list[Any]) -> list[Any]:
            first: list[Any] = parts[0]
            first.extend(parts[i] for i in rest)
            return first

        return grow

    def gather(parts: list[Any]) -> Any:
        kept: list[Any] = []
        for i, pour in shape:
            if pour:
                kept += parts[i]
            else:
                kept.append(parts[i])
        return make(kept)

    return gather


# ---------------------------------------------------------------- errors

_CLAUSE_START = frozenset(("_COMMA", "_SEMI", "THEN", "_COLON", "_NL", "_INDENT", "_DEDENT", "CLAUSE"))
_LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT", "$END"))
_DETS = frozenset(["THE", "A", "EACH", "ALL", "ANY", "ANOTHER", "NO", "BOTH", "YOUR", "ITS", "THEIR", "THIS_DET"])
_PRONOUNS = frozenset(("YOU", "IT", "THEY", "THIS"))
_PREDICATES = frozenset(["MAY", "MUST", "CANNOT", "CANNOT_BE", "IS", "IS_NOW", "HAS", "GETS", "WOULD"])
_GATES = {
    "IF": "the condition", "OTHERWISE": '"otherwise"', "ON": "the outcome", "FOR_EACH": "the name", "FOR_EACH_OF": "the name",
    "WHILE": "the condition", "UNTIL_END_OF": "the duration", "BEFORE": "the event", "AFTER": "the event", "WHEN": "the event",
    "NEXT_TIME": "the event", "AT_START_OF": "the time", "AT_END_OF": "the time", "AT_ANY_TIME": "the time", "AS_SOON_AS": "the condition",
    "IN_TURN_FROM": "the player", "AT_ONCE": '"at the same time"', "SECRETLY": '"secretly"', "REPEAT": "the number of times",
}  # fmt: skip
_BEFORE_CONDITION = frozenset(("IF", "WHILE", "REQUIRE", "AS_SOON_AS", "AND", "OR", "NOT", ""))
_SLOTS = {
    "trigger": ("an event", "when a card is drawn, at the start of the turn"),
    "condition": ("a condition", "the captain is in the brig and d >= 3"),
    "amount": ("an amount", "2 * number of your cards"),
    "selector": ("a noun phrase", "each card in your hand"),
    "limit": ("a limit", "once per turn, twice per round, 3 times per game"),
}
_DIGITS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_WORDING = {
    "between": 'write "2 to 4"', "less": 'write "up to 2", or compare: number of .. < 3', "fewer": 'write "up to 2"',
    "more": 'write "3 or more", or compare: number of .. > 2', "least": 'write "3 or more"', "most": 'write "up to 3"',
    "equals": 'write "="', "equal": 'write "="', "exceeds": 'write ">"', "greater": 'write ">"', "every": 'write "each"',
    "until": 'write "until the end of the turn," in front of the line; to search, write repeat: and stop',
    "some": 'write "any number of" or "1 or more"', "unless": 'write "if not"', "else": 'write "otherwise"', "can": 'write "may"',
    "can't": 'write "cannot"', "shall": 'write "must"', "should": 'write "must"', "does": 'write "is not", "has no" or "if you do not"',
}  # fmt: skip
_OWN = {"IT": "its", "YOU": "your", "THEY": "their", "ITS": "its", "YOUR": "your", "THEIR": "their"}
_READABLE = {
    "NAME": "a word", "NUMBER": "a number", "_NL": "the end of the line", "_COMMA": "a comma", "_COLON": "a colon", "CMP": "a comparison",
    "AS": "as", "IS": "is", "MAY": "may", "MUST": "must", "_TO_DO": "to and a verb", "THEN": "then", "_RPAR": "a closing parenthesis",
    "_RSQB": "a closing bracket", "_INDENT": "an indented line", "PART_OF": "of", "PER": "per", "TIMES": "times", "WOULD": "would",
}  # fmt: skip


class _Place:
    """A token that cannot follow, with what the rules below look at."""

    def __init__(self, problem: Unexpected, text: str, start: str) -> None:
        self.tokens = problem.tokens
        self.at = problem.at
        self.accepts = problem.accepts
        self.lines = text.split("\n")
        self.start = start
        self.ended = self.at == len(self.tokens)
        last = self.tokens[-1]
        self.token = Token.new_borrow_pos("$END", "", last) if self.ended else self.tokens[self.at]
        self.sort = self.token.type
        first = self.at
        while first and self.tokens[first - 1].type not in _LAYOUT:
            first -= 1
        self.line = self.tokens[first : self.at]  # what stands before it on its line
        begin = self.at
        listing = False
        while begin > first and (listing or self.tokens[begin - 1].type not in _CLAUSE_START):
            begin -= 1
            listing = self.tokens[begin].type == "_RSQB" or (listing and self.tokens[begin].type != "_LSQB")
        self.clause = self.tokens[begin : self.at]  # what stands before it in its clause

    @property
    def before(self) -> str:
        return self.line[-1].type if self.line else ""

    def follows(self) -> str:
        return self.tokens[self.at + 1].type if self.at + 1 < len(self.tokens) else "$END"

    def shown(self, token: Token) -> str:
        """A token as it was written."""
        line = self.lines[(token.line or 1) - 1] if (token.line or 1) <= len(self.lines) else ""
        text = line[(token.column or 1) - 1 : (token.end_column or 1) - 1].strip()
        return text if len(text) <= 40 else text[:37] + "..."

    def after(self) -> str:
        return f' after "{self.shown(self.line[-1])}"' if self.line else ""

    def problem(self, code: str, message: str, token: Token, hint: str | None) -> ParseProblem:
        line, column = token.line or 1, token.column or 1
        width = (token.end_column or column + 1) - column
        if token.type in _LAYOUT:
            line = min(line, len(self.lines))
            while line > 1 and not self.lines[line - 1].strip():
                line -= 1
            column, width = max(len(self.lines[line - 1].rstrip()), 1), 1
        return ParseProblem(code, message, line, column, width, hint)


def _explain(problem: Unexpected, text: str, start: str) -> ParseProblem:
    """What to tell the author: the first rule that knows the mistake, or what stands there and what could."""
    place = _Place(problem, text, start)
    for rule in _RULES:
        found = rule(place)
        if found is not None:
            return found
    token = place.token
    if place.sort in _LAYOUT:
        message = "the text ends too early" if place.ended else f"the line ends too early{place.after()}"
    else:
        message = f'"{place.shown(token)}" cannot stand here{place.after()}'
    return place.problem("G0401", message, token, _expected_hint(place))


def _expected_hint(place: _Place) -> str | None:
    named = sorted({_READABLE[name] for name in place.accepts if name in _READABLE})
    if place.accepts >= {"THE", "A"}:
        named.append("a noun phrase (the .., a .., each .., 2 ..)")
    if not named:
        return None
    return "expected " + (named[0] if len(named) == 1 else ", ".join(named[:-1]) + " or " + named[-1])


def _on_layout(p: _Place) -> ParseProblem | None:
    """Lines, indentation, blocks."""
    if p.sort == "_INDENT":
        above = next((t for t in reversed(p.tokens[: p.at]) if t.type != "_NL"), p.token)
        width = (p.token.column or 2) - 1
        what = "ends with a comma, not with a colon" if above.type == "_COMMA" else "does not end with a colon"
        return ParseProblem(
            "G0403",
            f"this line is indented, but the line above {what}",
            p.token.line or 1,
            1,
            width,
            "end the line above with ':' or take the indentation away",
        )
    if p.accepts == {"_INDENT"}:
        if p.ended or p.sort == "_DEDENT":
            colon = next(t for t in reversed(p.tokens[: p.at]) if t.type not in _LAYOUT)
            return p.problem("G0403", "nothing stands below the colon", colon, "indent a line below it")
        hint = "indent this line, or take the colon away"
        return p.problem("G0403", "the line above ends with a colon, and this line is not indented", p.token, hint)
    if p.sort == "CLAUSE":
        hint = "write it in front of the whole line"
        return p.problem("G0401", f'"{p.shown(p.token)}" stands inside a line', p.token, hint)
    return None


def _on_slot(p: _Place) -> ParseProblem | None:
    """Slots that hold no clauses."""
    if p.start not in _SLOTS:
        return None
    what, example = _SLOTS[p.start]
    if p.accepts == {"$END"}:
        return p.problem("G0401", f"{what} is one line", p.token, f"for example: {example}")
    if p.start == "limit":
        return p.problem("G0401", "this is not a limit", p.token, f"write {example}")
    if p.sort in ("_COMMA", "_COLON", "_SEMI", "THEN") and "_NL" in p.accepts:
        hint = "end it here; what happens stands in the slot of an effect"
        return p.problem("G0401", f"only {what} stands in this slot", p.token, hint)
    first = next((t for t in p.tokens if t.type not in _LAYOUT), None)
    if p.start == "condition" and first is not None and first.type in ("IF", "WHILE") and p.token is first:
        return p.problem("G0401", f'"{p.shown(first)}" is left out in this slot', first, "write the condition alone")
    if p.start == "trigger" and p.token is first:
        hint = "it starts with before, after, when, at the start of, at the end of or as soon as"
        return p.problem("G0401", f'"{p.shown(first)}" does not start an event', first, hint)
    return None


def _on_brackets(p: _Place) -> ParseProblem | None:
    """Parentheses and brackets."""
    opened: list[int] = []
    for i, token in enumerate(p.line):
        if token.type in ("_LPAR", "_LSQB"):
            opened.append(i)
        elif token.type in ("_RPAR", "_RSQB") and opened:
            opened.pop()
    if p.sort in ("_RPAR", "_RSQB") and not opened:
        return p.problem("G0401", f'"{p.shown(p.token)}" closes nothing', p.token, "open it before, or delete it")
    if not opened:
        return None
    opener = p.line[opened[-1]]
    outside = p.line[opened[-1] - 1].type if opened[-1] else ""
    if opener.type == "_LSQB":
        if p.sort in ("NAME", "AND", "_AND", "OR") and "_COMMA" in p.accepts:
            return p.problem("G0401", "the names of a list are separated by commas", p.token, "write [brig, chapel]")
        if p.sort in _DETS:
            return p.problem("G0401", "a list holds names without determiners", p.token, "write [brig, chapel]")
    elif p.sort in ("CMP", "IS", "HAS", "THERE_IS", "NOT", "AND", "OR") and outside in _BEFORE_CONDITION:
        hint = 'leave the parentheses out: "and" binds tighter than "or"; or declare an adjective'
        return p.problem("G0401", "a condition does not stand in parentheses", opener, hint)
    if p.sort in _LAYOUT and ("_RPAR" in p.accepts or "_RSQB" in p.accepts):
        closing = ")" if opener.type == "_LPAR" else "]"
        return p.problem("G0401", f'"{p.shown(opener)}" is never closed', opener, f'write "{closing}"')
    return None


def _on_wording(p: _Place) -> ParseProblem | None:
    """Words that have another form here."""
    word = str(p.token)
    if p.sort == "RANGE":
        hint = "put spaces around the minus, or write 2 to 4 for a choice"
        return p.problem("G0401", f'"{p.shown(p.token)}" is a range, which stands only behind "on"', p.token, hint)
    if p.sort == "NAME" and word in _DIGITS:
        return p.problem("G0406", "numbers are written in digits", p.token, f'write "{_DIGITS[word]}"')
    if p.sort == "NAME" and word in _WORDING:
        return p.problem("G0401", f'"{word}" cannot stand here{p.after()}', p.token, _WORDING[word])
    last = p.line[-1] if p.line else None
    if last is not None and last.type == "NAME" and str(last) in _WORDING:
        return p.problem("G0401", f'"{last}" cannot stand here', last, _WORDING[str(last)])
    if p.sort == "AT" and p.follows() == "NAME" and str(p.tokens[p.at + 1]) in ("least", "most"):
        word = str(p.tokens[p.at + 1])
        return p.problem("G0401", f'"at {word}" cannot stand here', p.token, _WORDING[word])
    if p.sort == "IS" and p.follows() == "NUMBER":
        return p.problem("G0401", f'numbers are not compared with "{p.token}"', p.token, 'write "=", "!=", ">=" ..')
    if p.before == "WHERE" and p.sort != "_LPAR":
        hint = "write where (it is free and d >= 3)"
        return p.problem("G0401", 'the condition behind "where" stands in parentheses', p.token, hint)
    if p.sort == "NUMBER" and p.before in _DETS:
        number, det = p.token, p.shown(p.line[-1])
        hint = f'write "{number} ..", "{number} of {det} .." or "{det} top {number} .."'
        return p.problem("G0401", f'"{number}" does not stand behind "{det}"', number, hint)
    if p.sort == "SUPER_WORD" and p.before == "WITH":
        return p.problem("G0401", f'"the" is missing before "{p.token}"', p.token, f'write "with the {p.token}"')
    if p.sort == "AT" and p.follows() == "NAME" and str(p.tokens[p.at + 1]) in ("start", "end"):
        edge = str(p.tokens[p.at + 1])
        return p.problem("G0401", f'"the" is missing before "{edge}"', p.token, f'write "at the {edge} of"')
    if p.before == "INSTEAD" and len(p.clause) == 1:
        hint = "write it behind the clause, or write instead: and indent the lines"
        return p.problem("G0401", '"instead" stands behind the clause that replaces', p.line[-1], hint)
    if p.sort == "APOS" and p.before in _OWN:
        hint = f'write "{_OWN[p.before]}"'
        return p.problem("G0401", f'"{p.shown(p.line[-1])}" takes no \'s', p.token, hint)
    if p.sort == "CMP" and p.before == "CMP":
        return p.problem("G0401", "two comparisons stand here", p.token, "write one of = != < <= > >=")
    if p.before == "GETS" and p.sort in ("NUMBER", "_LPAR"):
        return p.problem("G0401", "what somebody gets has a sign", p.token, f'write "+{p.shown(p.token)}"')
    if p.before == "NUMBER" and len(p.line) > 1 and p.line[-2].type in ("IS", "NOT") and "NAME" in p.accepts:
        verb = next(t for t in reversed(p.line) if t.type == "IS")
        return p.problem("G0401", f'numbers are not compared with "{verb}"', verb, 'write "=", "!=", ">=" ..')
    return None


def _on_names(p: _Place) -> ParseProblem | None:
    """`as` and its name, and keywords in the place of a name."""
    if p.before == "AS":
        if p.sort in _LAYOUT or p.sort.startswith("_"):
            return p.problem("G0401", '"as" needs a name', p.line[-1], "write as target, and say the target later")
        hint = "choose another name behind as"
        word = p.shown(p.token)
        if p.sort in ("NUMBER", "RANGE"):
            return p.problem("G0401", f'"{word}" is not a name', p.token, hint)
        return p.problem("G0401", f'"{word}" is a word of the language and cannot be a name', p.token, hint)
    loop = next((t for t in p.clause if t.type in ("FOR_EACH", "FOR_EACH_OF")), None)
    if loop is not None and "AS" in p.accepts and p.sort in ("_COMMA", "_COLON", "_NL"):
        hint = "write for each .. as person, and say the person in the clause"
        return p.problem("G0401", '"for each" gives no name to the one it is at', loop, hint)
    reserved = p.sort not in ("NUMBER", "RANGE") and p.token[:1].isalpha()
    if reserved and p.sort != "NAME" and p.before in _DETS and "NAME" in p.accepts:
        word = p.shown(p.token)
        return p.problem(
            "G0401",
            f'"{word}" is a word of the language and cannot be a name',
            p.token,
            "use another word, or join two with -",
        )
    return None


def _on_subject(p: _Place) -> ParseProblem | None:
    """Who acts: modals, verbs in the third person, a second subject in one line."""
    if not p.clause:
        return None
    if p.sort in _PREDICATES:
        joint = next((t for t in reversed(p.clause) if t.type in ("TO", "AND_NP", "OR_NP", "_AND", "_TO_DO")), None)
        if joint is not None and joint.type == "TO":
            hint = "end the line with to: and indent what is paid for"
            return p.problem("G0401", f'behind "to" stands a verb, not "{p.shown(p.token)}"', p.token, hint)
        if joint is not None and joint.type in ("AND_NP", "OR_NP"):
            word = p.shown(joint)
            hint = "start a new line, or write ; in its place"
            if word == "or":
                hint = "write the possibilities as blocks: either: .. or: .."
            return p.problem("G0401", f'"{word}" stands before a clause with a subject of its own', joint, hint)
    lead = p.clause[0]
    if p.before in ("MAY", "MUST") and len(p.clause) == 1 and (p.sort in _DETS or p.sort in _PRONOUNS):
        hint = f'write "the captain {lead} .."'
        return p.problem("G0404", f'who acts stands before "{lead}"', p.token, hint)
    if not p.accepts & {"MAY", "MUST"}:
        return None
    if p.sort in ("IS", "HAS", "CMP"):
        word = p.shown(p.token)
        hint = 'write "is now" to set something, or "if .., .." to ask'
        return p.problem("G0401", f'"{word}" stands only in a condition', p.token, hint)
    if lead.type in _PRONOUNS and len(p.clause) == 1 and p.sort == "NAME":
        if lead.type == "YOU":
            return p.problem("G0404", '"you" is left out before a verb', lead, f'write "{p.token}" alone')
        return _must(p, p.token)
    if lead.type not in _DETS and lead.type not in ("NUMBER", "EACH_OF", "ANY_OF", *_PRONOUNS):
        return None
    for i, token in enumerate(p.clause):
        if token.type != "NAME" or not _third_person(str(token)):
            continue
        behind = p.clause[i + 1].type if i + 1 < len(p.clause) else p.sort
        alone = i and p.clause[i - 1].type in _DETS and p.clause[i - 1].type != "THIS_DET"
        if not alone and behind != "NAME" and p.clause[i - 1].type in ("NAME", "THIS_DET"):
            return _must(p, token)
    if p.sort == "NAME" and _third_person(str(p.token)):
        return _must(p, p.token)
    return None


def _must(p: _Place, token: Token) -> ParseProblem:
    word = p.shown(token)
    verb = _base(word)
    hint = f'write "must {verb}" or "may {verb}"'
    return p.problem("G0404", f'"{word}" is not a modal: somebody else acts through must or may', token, hint)


def _third_person(word: str) -> bool:
    return len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us"))


def _base(verb: str) -> str:
    """discards, passes, carries -> discard, pass, carry."""
    if not _third_person(verb):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def _on_joints(p: _Place) -> ParseProblem | None:
    """Commas, colons, semicolons, `or`, `and`."""
    gate = next((t for t in p.clause if t.type in _GATES), None)
    char = p.shown(p.token)
    if p.sort == "_NL" and p.before == "_COMMA":
        hint = "end it with a colon and indent what follows, or go on with a clause"
        return p.problem("G0403", "the line ends with a comma", p.line[-1], hint)
    if gate is not None and "_COMMA" in p.accepts and p.sort != "_COMMA":
        what = _GATES[gate.type]
        verb = _swallowed(p)
        if verb is not None:
            hint = f'write a comma before "{p.shown(verb)}"'
            return p.problem("G0401", f"a comma is missing behind {what}", verb, hint)
        if p.sort in _LAYOUT:
            hint = "write a comma and a clause, or a colon and an indented block"
            return p.problem("G0401", f"nothing stands behind {what}", p.token, hint)
        hint = f'write a comma before "{char}"' if p.sort not in ("_SEMI", "THEN") else "write a comma in its place"
        return p.problem("G0401", f"a comma is missing behind {what}", p.token, hint)
    if p.sort in _GATES and p.clause:
        name = " as one" if p.sort in ("FOR_EACH", "FOR_EACH_OF") else ""
        hint = f'write "{char} ..{name}, {p.shown(p.clause[0])} .."'
        if p.sort == "OTHERWISE":
            hint = "start a new line with it"
        return p.problem("G0401", f'"{char}" does not stand behind what it is said of', p.token, hint)
    if char == ":":
        if p.sort == "_COMMA":
            hint = "leave the colon out, or end the line with it and indent what follows"
            return p.problem("G0403", f"a colon does not stand here{p.after()}", p.token, hint)
        hint = "a block is opened by if, otherwise, for each, may, either, or, instead, repeat, a window, or a cost"
        return p.problem("G0403", "a colon ends only a line that opens a block", p.token, hint)
    if p.sort == "_COMMA" and "_NL" in p.accepts:
        if p.follows() in _GATES:
            word = p.shown(p.tokens[p.at + 1])
            return p.problem(
                "G0401", f'"{word}" starts a line of its own', p.tokens[p.at + 1], "start a new line with it"
            )
        hint = 'join clauses with "then", ";" or a new line; join things with "and"'
        return p.problem("G0401", f'"," joins no clauses{p.after()}', p.token, hint)
    if p.sort == "OR" and not any(t.type == "EITHER" for t in p.clause):
        hint = "write either .. or .., or two blocks: either: .. or: .."
        return p.problem("G0401", '"or" stands between clauses without "either"', p.token, hint)
    if p.sort in ("AND_NP", "OR_NP"):
        hint = "start a new line for a new clause; inside a condition repeat the whole condition"
        message = f'"{char}" joins two noun phrases here, and one is missing or of another sort'
        return p.problem("G0401", message, p.token, hint)
    return None


def _swallowed(p: _Place) -> Token | None:
    """A verb that was read as the last word of a noun, because the comma before it is missing: it has a number or a noun behind it."""
    for i in range(len(p.clause) - 1, 1, -1):
        behind = p.clause[i + 1].type if i + 1 < len(p.clause) else p.sort
        if p.clause[i].type == "NAME" and behind in ("NUMBER", "_LPAR", "UP_TO", *_DETS, *_PRONOUNS):
            return p.clause[i] if p.clause[i - 1].type in ("NAME", "NUMBER") else None
    return None


def _on_determiner(p: _Place) -> ParseProblem | None:
    """Nouns without a determiner."""
    last = p.clause[-1] if p.clause else None
    if last is not None and last.type == "NAME" and (p.sort in _PREDICATES or p.sort == "APOS"):
        first = len(p.clause) - 1
        while first and p.clause[first - 1].type == "NAME":
            first -= 1
        if first == 0 or p.clause[first - 1].type not in _DETS:
            return _determiner(p, p.clause[first])
    if p.sort == "NAME" and "NAME" not in p.accepts and p.accepts & {"THE", "A"}:
        return _determiner(p, p.token)
    return None


def _determiner(p: _Place, token: Token) -> ParseProblem:
    word = p.shown(token)
    hint = f'write "the {word}", "a {word}" or "each {word}"'
    if _third_person(word):
        hint = f'write "the {word}", "all {word}" or "2 {word}"'
    return p.problem("G0406", f'"{word}" stands without a determiner', token, hint)


_RULES = (_on_layout, _on_slot, _on_brackets, _on_wording, _on_names, _on_subject, _on_joints, _on_determiner)


# ---------------------------------------------------------------- from rules to nodes


def _pick(parts: list[Any], *types: str) -> list[Token]:
    return [p for p in parts if isinstance(p, Token) and p.type in types]


def _full(parts: list[Any]) -> s.Full:
    return s.Full(parts[0], tuple(p for p in parts[1:] if isinstance(p, s.Phrase)))


class _Builder:
    """One method for each rule or alias of the grammar. Called while parsing: no tree is kept."""

    # start symbols
    def effect(self, p: list[Any]) -> s.Block:
        return s.Block(tuple(p))

    def same(self, p: list[Any]) -> Any:
        return p[0]

    trigger = condition = amount = same

    def selector(self, p: list[Any]) -> s.Full:
        return _full(p)

    def limit(self, p: list[Any]) -> s.Limit:
        word, times = p[0]
        return s.Limit(word, times, tuple(_pick(p[1:], "NAME")))

    def often(self, p: list[Any]) -> tuple[Token, int]:
        word: Token = p[0]
        if word.type == "NUMBER":
            word = {"1": word.update("ONCE", "once"), "2": word.update("TWICE", "twice")}.get(word.value, word)
        return word, {"ONCE": 1, "TWICE": 2}.get(word.type) or int(p[0])

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
        return s.Pay(_as_cost(p[0]), p[1])

    def open_gate(self, p: list[Any]) -> list[s.Gate]:
        return [p[0]]

    def open_nested(self, p: list[Any]) -> list[s.Gate]:
        return [p[0], *p[1]]

    def open_modal(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[-1], "modal", noun=p[0] if len(p) == 2 else None)]

    def open_pay(self, p: list[Any]) -> list[s.Gate]:
        extent = s.extent(p[0])
        return [s.Gate(extent[0] if extent else Token("NAME", ""), "pay", cost=_as_cost(p[0]))]

    def open_either(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "either")]

    def open_or(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "or")]

    def open_instead(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "instead")]

    def open_first_able(self, p: list[Any]) -> list[s.Gate]:
        return [s.Gate(p[0], "first_able")]

    def together(self, p: list[Any]) -> s.Together:
        return s.Together(_inherit(p))

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
        return s.Assign(p[0], p[2], _agree(p[1], p[0]))

    def assign_not(self, p: list[Any]) -> s.Assign:
        return s.Assign(p[0], s.Negated(p[3]), _agree(p[1], p[0]))

    def gets(self, p: list[Any]) -> s.Gets:
        return s.Gets(p[0], p[2], p[3], tuple(p[4:]), _agree(p[1], p[0]))

    def either(self, p: list[Any]) -> s.Either:
        return s.Either(p[0], tuple(x for x in p if isinstance(x, s.Action)))

    def require(self, p: list[Any]) -> s.Require:
        return s.Require(p[0], p[1])

    def subject(self, p: list[Any]) -> s.Full:
        return _full(p)

    modal = sign = value = det = pron = prep = same

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

    item = bare_count = same

    def bonus(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "exactly", s.Number(p[1]), None)

    def malus(self, p: list[Any]) -> s.Count:
        return s.Count(p[0], "exactly", self.negative(p), None)

    def ppl(self, p: list[Any]) -> s.Phrase:
        item = p[1]
        if isinstance(item, s.Operand) and len(item.items) == 1:
            item = item.items[0]
        return s.Phrase(p[0], item)

    pp = ppl

    ppl_item = pp_item = same

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
        return s.Gate(p[0], "until", noun=_full(p[1:]))

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

    def g_repeat_up_to(self, p: list[Any]) -> s.Gate:
        return s.Gate(p[0], "repeat", amount=p[2], up_to=True)

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

    def w_soon(self, p: list[Any]) -> s.Window:
        return s.Window(p[0], "soon", None, None, p[1])

    def subjects(self, p: list[Any]) -> tuple[s.Full, ...]:
        return tuple(x for x in p if not isinstance(x, Token))

    def would_be(self, p: list[Any]) -> s.Event:
        return s.Event("would_be", p[0][0], p[3], None, tuple(p[4:]), p[0][1:])

    def is_done(self, p: list[Any]) -> s.Event:
        return s.Event("is_done", p[0][0], p[2], None, tuple(p[3:]), p[0][1:], _agree(p[1], p[0][-1]))

    def would(self, p: list[Any]) -> s.Event:
        return s.Event("would", p[0][0], p[2].verb, p[2], (), p[0][1:])

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

    def part_any(self, p: list[Any]) -> s.Part:
        return s.Part(s.Count(p[0], "any", None, None), p[1])

    def part_each(self, p: list[Any]) -> s.Part:
        return s.Part(s.Count(p[0], "each", None, None), p[1])

    def part_one(self, p: list[Any]) -> s.Part:
        return s.Part(s.Count(p[0], "exactly", s.Number(p[0].update("NUMBER", "1")), None), p[1])

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
        return s.WhoIs(p[0], len(p) == 4, p[-1], p[1])

    def where(self, p: list[Any]) -> s.Where:
        return s.Where(p[0], p[1])

    def superlative(self, p: list[Any]) -> s.Superlative:
        return s.Superlative(p[0], tuple(_pick(p[1:], "NAME")), p[-1] if isinstance(p[-1], s.Ties) else None)

    def nearest(self, p: list[Any]) -> s.Nearest:
        anchor = p[1].noun.noun
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
        at = next(i for i, x in enumerate(p) if isinstance(x, Token))
        subject = _full(p[:at])
        negated = isinstance(p[at + 1], Token)
        predicate: s.Predicate = p[at + 2 if negated else at + 1]
        phrases = tuple(p[at + 3 if negated else at + 2 :])
        return s.Is(
            subject, negated, predicate._replace(phrases=phrases) if phrases else predicate, _agree(p[at], subject)
        )

    def has(self, p: list[Any]) -> s.Has:
        at = next(i for i, x in enumerate(p) if isinstance(x, Token))
        subject = _full(p[:at])
        return s.Has(subject, _full(p[at + 1 :]), _agree(p[at], subject))

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

    def negative(self, p: list[Any]) -> s.Binary:
        return s.Binary(p[0], s.Number(p[0].update("ZERO", "0")), s.Number(p[1]))

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


def _inherit(parts: list[Any]) -> tuple[s.Statement, ...]:
    """`each human must draw a card and discard a card`: a part without a subject takes the subject of the part before it, and one
    without a modal of its own its modal as well. What is taken over is the very same object, by which it can be told from what was
    written."""
    made: list[s.Statement] = []
    before: s.Statement | None = None
    for part in parts:
        if isinstance(part, s.Act) and part.subject is None and before is not None:
            if isinstance(before, s.Act):
                part = s.Act(before.subject, part.modal or before.modal, part.action)
            elif isinstance(before, s.Cannot) and part.modal is None:
                part = s.Cannot(before.subject, part.action)
        made.append(part)
        before = part
    return tuple(made)


def _as_cost(cost: s.Statement) -> s.Statement:
    """A joint cost is one thing: its first part says who may pay it."""
    if isinstance(cost, s.Together) and isinstance(cost.parts[0], s.Act):
        lead = cost.parts[0]
        return s.Together(
            (
                lead,
                *(
                    s.Act(None, None, part.action)
                    if isinstance(part, s.Act) and part.subject is lead.subject and part.modal is lead.modal
                    else part
                    for part in cost.parts[1:]
                ),
            )
        )
    return cost


_FORMS = {
    "is": ("is", "are"), "are": ("is", "are"), "has": ("has", "have"), "have": ("has", "have"),
    "gets": ("gets", "get"), "get": ("gets", "get"), "is now": ("is now", "are now"), "are now": ("is now", "are now"),
}  # fmt: skip
_PLURAL = {
    "YOU": True,
    "THEY": True,
    "BOTH": True,
    "IT": False,
    "THIS": False,
    "A": False,
    "EACH": False,
    "ANOTHER": False,
}


def _agree(verb: Token, subject: s.Full) -> Token:
    """is or are, has or have, .. in the form that a pronoun or determiner asks for; otherwise as it was written."""
    noun = subject.noun
    word = noun.word if isinstance(noun, s.Pronoun) else noun.det if isinstance(noun, s.Noun) else None
    plural = _PLURAL.get(word.type) if word is not None else None
    if plural is None:
        return verb
    form = _FORMS[verb][plural]
    return verb if form == verb else verb.update(value=form)


def _first(node: object) -> Token:
    found = s.extent(node)
    return found[0] if found else Token("NUMBER", "0")

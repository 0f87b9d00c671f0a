"""Walk the LALR table that Lark makes from the grammar: tokens in, the node of the start symbol out.

Lark's own walker builds trees first and is half as quick; the builder here makes the nodes at once. Lark itself is not
loaded here: `table_of` turns what it made into plain data, which can be kept in a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from grimoire.compiler.syntax.build import Builder, Parts
from grimoire.compiler.syntax.lexer import EffectLexer
from grimoire.compiler.syntax.nodes import Root
from grimoire.compiler.syntax.tokens import Token

if TYPE_CHECKING:
    from lark import Lark

_Lark: TypeAlias = Any  # what stands inside of Lark's parser: it has no types
Reducer: TypeAlias = Callable[[Parts], object]


class Rule(NamedTuple):
    """One rule of the grammar: the names of its parts, each with whether it is left out of the node."""

    name: str
    alias: str | None
    expand1: bool  # a node with a single part is that part
    parts: tuple[tuple[str, bool], ...]


class Table(NamedTuple):
    """All that the machine needs to know of the grammar, as plain data. An action below 0 reduces by the rule -1 -
    action."""

    starts: dict[str, int]
    ends: dict[str, int]
    rules: tuple[Rule, ...]
    states: dict[int, dict[str, int]]
    gotos: dict[str, dict[int, int]]
    keywords: tuple[tuple[str, str], ...]  # text and sort


def table_of(lark: Lark) -> Table:
    """What Lark made of the grammar."""
    made: _Lark = lark.parser
    found: _Lark = made.parser._parse_table
    rules: dict[_Lark, int] = {}
    states: dict[int, dict[str, int]] = {}
    gotos: dict[str, dict[int, int]] = {}
    for state, row in found.states.items():
        states[state] = actions = {}
        for symbol, (action, arg) in row.items():
            if action.name == "Reduce":
                actions[str(symbol)] = -1 - rules.setdefault(arg, len(rules))
            elif symbol.isupper():
                actions[str(symbol)] = arg
            else:
                gotos.setdefault(str(symbol), {})[state] = arg
    plain = tuple(
        Rule(
            str(rule.origin.name),
            None if rule.alias is None else str(rule.alias),
            rule.options.expand1,
            tuple((str(part.name), bool(part.is_term and part.filter_out)) for part in rule.expansion),
        )
        for rule in rules
    )
    keywords = tuple(
        (text, terminal.name) for terminal in lark.terminals for text in _strings(terminal.pattern) if text[0].isalpha()
    )
    return Table(dict(found.start_states), dict(found.end_states), plain, states, gotos, keywords)


def _strings(pattern: _Lark) -> list[str]:
    """The literal words of a string terminal, or of an alternation of them; nothing for a real regular expression."""
    source: str = pattern.value
    if pattern.type == "str":
        return [str(source)]
    if source.startswith("(?:") and source.endswith(")"):
        parts = source[3:-1].split("|")
        if all(re.fullmatch(r"[a-z\\ ]+", part) for part in parts):
            return [part.replace("\\", "") for part in parts]
    return []


class Unexpected(Exception):
    """A token that cannot follow: all tokens of the text, its index among them (or their number, at the end), what
    could stand there."""

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
    """A table with one function of the builder for each rule."""

    def __init__(self, table: Table) -> None:
        self.lexer = EffectLexer(table.keywords)
        self.starts = table.starts
        self.ends = table.ends
        builder = Builder()
        reduces = [
            _Reduce(len(rule.parts), _reducer(rule, builder), table.gotos.setdefault(rule.name, {}))
            for rule in table.rules
        ]
        self.states: dict[int, dict[str, int | _Reduce]] = {
            state: {symbol: action if action >= 0 else reduces[-1 - action] for symbol, action in row.items()}
            for state, row in table.states.items()
        }

    def parse(self, text: str, start: str) -> Root:
        tokens = self.lexer.tokens(text, start)
        states = self.states
        stack = [self.starts[start]]
        values: Parts = []
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
        root: Root = values[-1]
        return root

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


def _reducer(rule: Rule, builder: Builder) -> Reducer | None:
    """What makes the value of a rule from the values of its parts: Lark's tree shaping, without trees.

    Marks and layout (terminals with an underscore) are left out. The helper rules that Lark makes for `x*` and `x+`
    have lists as values, which are poured into the parts of the rule that uses them.
    """
    shape = [(i, name.startswith("_")) for i, (name, left_out) in enumerate(rule.parts) if not left_out]
    plain = len(shape) == len(rule.parts) and not any(pour for _, pour in shape)
    helper = rule.name.startswith("_")
    name = rule.alias or rule.name
    if not helper:
        if rule.expand1 and not rule.alias and len(shape) == 1 and not shape[0][1]:
            if plain:
                return None
            return lambda parts, i=shape[0][0]: parts[i]  # type: ignore[misc]
        make: Reducer = getattr(builder, name)
        if make == builder.same:
            return None if len(rule.parts) == 1 else lambda parts, i=shape[0][0]: parts[i]  # type: ignore[misc]
        if plain:
            return make
    elif plain:
        return lambda parts: parts
    else:
        make = list

    if helper and shape[0] == (0, True) and not any(pour for _, pour in shape[1:]):
        rest = [i for i, _ in shape[1:]]

        def grow(parts: Parts) -> Parts:
            first: Parts = parts[0]
            first.extend(parts[i] for i in rest)
            return first

        return grow

    def gather(parts: Parts) -> object:
        kept: Parts = []
        for i, pour in shape:
            if pour:
                kept += parts[i]
            else:
                kept.append(parts[i])
        return make(kept)

    return gather

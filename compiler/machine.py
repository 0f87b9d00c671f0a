"""Walk the LALR table that Lark makes from the grammar: tokens in, the node of the start symbol out.

Lark's own walker builds trees first and is half as quick; the builder here makes the nodes at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token

from grimoire.compiler.build_nodes import Builder
from grimoire.compiler.lexer import EffectLexer

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
        builder = Builder()
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


def _reducer(rule: Any, builder: Builder) -> Reducer | None:
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

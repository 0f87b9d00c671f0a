"""Cut effect text into tokens: the first half of the parse stage.

In: the text of one YAML slot. Out: tokens for the LALR parser, layout included. The keywords and phrases are the terminals of
grammar/effects.lark; what this module adds is layout (lines, indentation) and one token of look-ahead for the few words that join
either noun phrases or clauses. It does not know any verb or noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer
from lark.lexer import PatternStr as _PatternStr

_WORD = re.compile(
    r"(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)"
    r"|(?P<range>[0-9]+-[0-9]+)"
    r"|(?P<number>[0-9]+)"
    r"|(?P<clause>§[a-z0-9.-]+)"
    r"|(?P<apos>'s(?![a-z0-9-]))"
    r"|(?P<cmp><=|>=|!=|<|>|=)"
    r"|(?P<mark>[-+*/(),:;\[\]])"
    r"|(?P<space> +)"
)
_MARKS = {
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES_OP",
    "/": "OVER_OP",
    "(": "_LPAR",
    ")": "_RPAR",
    ",": "_COMMA",
    ":": "_COLON",
    ";": "_SEMI",
    "[": "_LSQB",
    "]": "_RSQB",
}
# Other spellings of a keyword; the printer writes the first form.
_ALIASES = {
    "an": "A",
    "are": "IS",
    "have": "HAS",
    "get": "GETS",
    "that": "WHO",
    "them": "THEY",
    "there are": "THERE_IS",
    "are now": "IS_NOW",
    "towards": "TOWARD",
    "they do": "IF_DO",
    "they do not": "IF_DO_NOT",
    "to the bottom of": "AT_BOTTOM_OF",
}
_NOUN_START = frozenset(
    "THE A EACH ALL ALL_BUT ANY ANY_NUMBER_OF ANOTHER NO BOTH YOUR ITS THEIR YOU IT THEY THIS NUMBER UP_TO _LPAR _LSQB RANGE "
    "NUMBER_OF TOTAL SUPER_WORD DIFFERENT".split()
)


class LayoutError(Exception):
    """A character or an indentation that no token can be made of."""

    def __init__(self, message: str, line: int, column: int, width: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.width = width


class EffectLexer(Lexer):
    """Tokens of one effect text. The set of keywords comes from the grammar's string terminals."""

    def __init__(self, lexer_conf: LexerConf) -> None:
        self.single: dict[str, str] = {}
        phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        words: list[tuple[str, str]] = []
        for terminal in lexer_conf.terminals:
            for text in _strings(terminal.pattern):
                if text[0].isalpha():
                    words.append((text, terminal.name))
        words.extend(_ALIASES.items())
        for text, name in words:
            parts = tuple(text.split(" "))
            if len(parts) == 1:
                self.single[text] = name
            else:
                phrases.setdefault(parts[0], []).append((parts[1:], name))
        for choices in phrases.values():
            choices.sort(key=lambda item: -len(item[0]))
        self.phrases = phrases

    def lex(self, text: Any, parser_state: Any = None) -> Iterator[Token]:
        return iter(self.tokens(text))

    def tokens(self, text: str) -> list[Token]:
        out: list[Token] = []
        indents = [0]
        number = 0
        for raw in text.split("\n"):
            number += 1
            line = raw.rstrip()
            if not line:
                continue
            body = line.lstrip(" ")
            depth = len(line) - len(body)
            if out:
                if depth > indents[-1]:
                    indents.append(depth)
                    out.append(Token("_INDENT", "", line=number, column=depth + 1))
                else:
                    while depth < indents[-1]:
                        indents.pop()
                        out.append(Token("_DEDENT", "", line=number, column=depth + 1))
                    if depth != indents[-1]:
                        raise LayoutError("this line is indented like no line above it", number, 1, depth)
            else:
                indents[0] = depth
            self._line(line, depth, number, out)
            out.append(Token("_NL", "\n", line=number, column=len(line) + 1))
        last = number + 1
        for _ in indents[1:]:
            out.append(Token("_DEDENT", "", line=last, column=1))
        return out

    def _line(self, line: str, start: int, number: int, out: list[Token]) -> None:
        found: list[tuple[str, str, int]] = []
        at = start
        length = len(line)
        match = _WORD.match
        while at < length:
            hit = match(line, at)
            if hit is None:
                raise LayoutError(_bad_character(line[at]), number, at + 1)
            kind = hit.lastgroup
            if kind != "space":
                found.append((kind or "", hit.group(), at + 1))
            at = hit.end()
        self._classify(found, number, out)

    def _classify(self, found: list[tuple[str, str, int]], number: int, out: list[Token]) -> None:
        single, phrases = self.single, self.phrases
        tokens: list[Token] = []
        i = 0
        size = len(found)
        while i < size:
            kind, text, column = found[i]
            i += 1
            if kind == "name":
                name = single.get(text, "NAME")
                for rest, phrase in phrases.get(text, ()):
                    width = len(rest)
                    if i + width <= size and all(found[i + k][1] == rest[k] for k in range(width)):
                        text = " ".join((text, *rest))
                        name = phrase
                        i += width
                        break
            elif kind == "mark":
                name = _MARKS[text]
            elif kind == "cmp":
                name = "CMP"
            else:
                name = kind.upper()
            end = found[i - 1][2] + len(found[i - 1][1])
            tokens.append(Token(name, text, line=number, column=column, end_line=number, end_column=end))
        self._look_ahead(tokens)
        out.extend(tokens)

    def _look_ahead(self, tokens: list[Token]) -> None:
        size = len(tokens)
        for i, token in enumerate(tokens):
            kind = token.type
            after = tokens[i + 1] if i + 1 < size else None
            following = "_NL" if after is None else "THIS" if after == "this" else after.type
            if kind == "NAME":
                text = str(token)
                if text == "to":
                    before = tokens[i - 1].type if i else ""
                    if following == "NUMBER" and before == "NUMBER":
                        token.type = "TO_NUM"
                    else:
                        token.type = "TO" if following in _NOUN_START else "_TO_DO"
                elif text == "and":
                    token.type = "AND_NP" if following in _NOUN_START else "_AND"
                elif text == "or":
                    token.type = "OR_NP" if following in _NOUN_START else "OR"
                elif text == "this":
                    token.type = "THIS_DET" if following == "NAME" and after not in ("to", "and", "or") else "THIS"
            elif kind == "ON" and i and tokens[i - 1].type not in ("_COMMA", "THEN", "_SEMI", "CLAUSE", "OTHERWISE"):
                token.type = "ON_PREP"
            elif kind == "OF" and i and tokens[i - 1].type in ("NUMBER", "OR_MORE", "_RPAR"):
                token.type = "PART_OF"
            elif kind == "_COLON" and following != "_NL":
                token.type = "_COMMA"
        kept: list[Token] = []
        for token in tokens:
            # a line that starts with "then" is the next step anyway; ", then" and "; then" are one joint
            if token.type == "THEN" and (not kept or kept[-1].type == "CLAUSE"):
                continue
            if token.type == "THEN" and kept and kept[-1].type in ("_COMMA", "_SEMI"):
                kept.pop()
            kept.append(token)
        # `and` inside a condition joins conditions, whatever follows
        depth_if = False
        for token in kept:
            if token.type in ("IF", "WHILE", "WHERE", "REQUIRE"):
                depth_if = True
            elif token.type in ("_COMMA", "THEN", "_SEMI", "_COLON"):
                depth_if = False
            elif depth_if and token.type == "_AND":
                token.type = "AND"
        tokens[:] = kept


def _strings(pattern: Any) -> list[str]:
    """The literal words of a string terminal, or of an alternation of them; nothing for a real regular expression."""
    if isinstance(pattern, _PatternStr):
        return [pattern.value]
    source: str = pattern.value
    if source.startswith("(?:") and source.endswith(")"):
        parts = source[3:-1].split("|")
        if all(re.fullmatch(r"[a-z\\ ]+", part) for part in parts):
            return [part.replace("\\", "") for part in parts]
    return []


def _bad_character(char: str) -> str:
    if char == "\t":
        return "a tab: indent with spaces"
    if char.isupper():
        return f'"{char}": effect text is written in lower case'
    if char in "“”\"'«»":
        return f"{char} has no meaning here: names stand without quotes"
    return f'"{char}" has no meaning in effect text'

"""Cut effect text into tokens: the first half of the parse stage.

In: the text of one YAML slot and its start symbol. Out: tokens for the LALR parser, layout included. The keywords and
phrases are the terminals of grammar/effects.lark; what this module adds is layout (lines, indentation), one spelling
for words that have several, and the sorts of the few words that join either noun phrases, clauses or conditions
(`_join`). It does not know any verb or noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from grimoire.compiler.diagnostics.report import lookalike
from grimoire.compiler.syntax.tokens import Token

MAX_DEPTH = 40  # indentation levels, and parentheses inside each other
MAX_WORDS = 250  # words and marks of one line: it bounds the depth of the tree
MAX_DIGITS = 18

_WORD = re.compile(
    r" *(?:([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"  # 1 name
    r"|([0-9]+(?:-[0-9]+)?)"  # 2 number or range
    r"|([-+*/(),:;\[\]])"  # 3 mark
    r"|(<=|>=|!=|<|>|=)"  # 4 comparison
    r"|('s(?![a-z0-9-]))"  # 5 apostrophe
    r"|(§[a-z0-9.-]+(?:,[a-z0-9.-]+)*)"  # 6 clauses
    r"|(.))",  # 7 what no token can be made of
    re.DOTALL,
)
_NAME, _NUMBER, _MARK, _CMP, _APOS, _CLAUSE, _BAD = range(1, 8)
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
# Other spellings of a keyword. With one spelling given, the token holds that one and the printer finds the right form
# by position (a or an, they or them); without, the token keeps what the author wrote (is or are cannot be known from
# the words alone).
_ALIASES = {
    "an": ("A", "a"),
    "are": ("IS", None),
    "have": ("HAS", None),
    "get": ("GETS", None),
    "that": ("WHO", None),
    "them": ("THEY", "they"),
    "there are": ("THERE_IS", None),
    "are now": ("IS_NOW", None),
    "towards": ("TOWARD", "toward"),
    "they do": ("IF_DO", None),
    "they do not": ("IF_DO_NOT", None),
    "to the bottom of": ("AT_BOTTOM_OF", "at the bottom of"),
}
# Words whose sort `_join` decides; until then they bear one of the possible sorts.
_JOINTS = {"to": "TO", "and": "AND", "or": "OR", "this": "THIS"}
_NOUN_START = frozenset(
    [
        "THE",
        "A",
        "EACH",
        "EACH_OF",
        "ALL",
        "ALL_BUT",
        "ANY",
        "ANY_OF",
        "ANY_NUMBER_OF",
        "ANOTHER",
        "NO",
        "BOTH",
        "YOUR",
        "ITS",
        "THEIR",
        "YOU",
        "IT",
        "THEY",
        "THIS",
        "NUMBER",
        "UP_TO",
        "THAT_MANY",
        "_LPAR",
        "_LSQB",
        "RANGE",
        "NUMBER_OF",
        "EXTREME_OF",
        "TOTAL",
        "SUPER_WORD",
        "DIFFERENT",
    ]
)
_CONDITION_START = frozenset(("IF", "WHILE", "REQUIRE", "AS_SOON_AS", "UNTIL"))
_CLAUSE_END = frozenset(("THEN", "_SEMI", "_COLON"))
_ACTION_END = frozenset(("AS", "IF_ABLE", "INSTEAD"))  # what stands behind the phrases of a verb
_BEFORE_ON = frozenset(("_COMMA", "THEN", "_SEMI", "CLAUSE", "OTHERWISE"))
_BEFORE_TIMES = frozenset(("REPEAT", "UP_TO"))
_FILTERS = frozenset(("WHOSE", "WHO", "WHERE"))  # what starts a relative clause that is true of each by itself
_TIES = frozenset(("SUPER_WORD", "NEAREST_TO", "FIRST_TO"))
_SIGNS = frozenset(("PLUS", "MINUS"))
_VALUE_END = frozenset(("NAME", "NUMBER", "YOU", "IT", "THEY", "THIS", "_RPAR", "_RSQB"))  # a sign behind these adds
_DECIDED = frozenset(
    (
        "TO",
        "AND",
        "OR",
        "THIS",
        "ON",
        "OF",
        "WHOSE",
        "CMP",
        "EXTREME_OF",
        "WITH",
        "TIMES",
        *_ACTION_END,
        *_MARKS.values(),
        *_CONDITION_START,
        *_CLAUSE_END,
    )
)
_CLAUSES, _CONDITION, _OUTCOMES = range(3)  # what stands at a place of a line


class LayoutError(Exception):
    """A character, an indentation or a size that no tokens can be made of."""

    def __init__(
        self, message: str, line: int, column: int, width: int = 1, hint: str | None = None, code: str = "G0402"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.width = width
        self.hint = hint
        self.code = code


class EffectLexer:
    """Tokens of one effect text. The keywords (text and sort) come from the grammar's string terminals."""

    def __init__(self, keywords: Iterable[tuple[str, str]]) -> None:
        self.single: dict[str, tuple[str, str | None]] = {word: (sort, None) for word, sort in _JOINTS.items()}
        self.phrases: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
        words: list[tuple[str, str, str | None]] = [(text, sort, None) for text, sort in keywords]
        words.extend((text, sort, spelling) for text, (sort, spelling) in _ALIASES.items())
        for text, sort, spelling in words:
            parts = tuple(text.split(" "))
            if len(parts) == 1:
                self.single[text] = (sort, spelling)
            else:
                self.phrases.setdefault(parts[0], []).append((parts[1:], sort, spelling or text))
        for choices in self.phrases.values():
            choices.sort(key=lambda item: -len(item[0]))

    def list_words(self) -> frozenset[str]:
        """All words of the language: those that stand alone, and those of phrases."""
        parts = {word for first, rows in self.phrases.items() for rest, *_ in rows for word in (first, *rest)}
        return frozenset(self.single) | parts

    def tokens(self, text: str, start: str) -> list[Token]:
        out: list[Token] = []
        indents = [0]
        number = 0
        outermost = _CONDITION if start == "condition" else _CLAUSES
        for raw in text.split("\n"):
            number += 1
            line = raw.rstrip()
            if not line:
                continue
            depth = len(line) - len(line.lstrip(" "))
            if not out:
                indents[0] = depth
            elif depth > indents[-1]:
                indents.append(depth)
                if len(indents) > MAX_DEPTH:
                    raise LayoutError(f"more than {MAX_DEPTH} levels of indentation", number, 1, depth, code="G0405")
                out.append(_token("_INDENT", "", number, depth + 1, depth + 1))
            else:
                while depth < indents[-1] and len(indents) > 1:
                    indents.pop()
                    out.append(_token("_DEDENT", "", number, depth + 1, depth + 1))
                if depth != indents[-1]:
                    raise LayoutError(
                        "this line is indented like no line above it",
                        number,
                        1,
                        max(depth, 1),
                        "indent it exactly like the line that it belongs to",
                    )
            self._line(line, depth, number, outermost, out)
            out.append(_token("_NL", "\n", number, len(line) + 1, len(line) + 2))
        out.extend(_token("_DEDENT", "", number + 1, 1, 1) for _ in indents[1:])
        return out

    def _line(self, line: str, start: int, number: int, outermost: int, out: list[Token]) -> None:
        sorts: list[str] = []
        texts: list[str] = []
        columns: list[int] = []
        ends: list[int] = []
        found: list[tuple[int, str, int]] = []
        for hit in _WORD.finditer(line, start):
            group = hit.lastindex or _BAD
            end = hit.end()
            text = hit[group]
            if group == _BAD:
                raise _bad_character(line, number, end)
            found.append((group, text, end))
        size = len(found)
        if size > MAX_WORDS:
            raise LayoutError(
                f"this line has more than {MAX_WORDS} words and marks", number, 1, 1, "write several lines", "G0405"
            )
        single, phrases = self.single, self.phrases
        i = 0
        while i < size:
            group, text, end = found[i]
            columns.append(end - len(text) + 1)
            i += 1
            if group == _NAME:
                sort = "NAME"
                if text in single:
                    sort, spelling = single[text]
                    if spelling is not None:
                        text = spelling
                if found[i - 1][1] in phrases:
                    for rest, phrase, spelling in phrases[found[i - 1][1]]:
                        width = len(rest)
                        if i + width <= size and all(found[i + k][1] == rest[k] for k in range(width)):
                            text = spelling
                            sort = phrase
                            i += width
                            end = found[i - 1][2]
                            break
            elif group == _MARK:
                sort = _MARKS[text]
            elif group == _NUMBER:
                if end < len(line) and line[end].isalpha():
                    raise _report_glued(line, number, columns[-1])
                sort = "NUMBER"
                if not text.isdigit():
                    sort = "RANGE"
                elif text[0] == "0":
                    text = text.lstrip("0") or "0"
                if len(text) > MAX_DIGITS:
                    raise LayoutError(
                        f"{text[:6]}... is too large a number",
                        number,
                        columns[-1],
                        end - columns[-1] + 1,
                        "numbers go up to 999999999",
                    )
            else:
                sort = "CMP" if group == _CMP else "APOS" if group == _APOS else "CLAUSE"
            sorts.append(sort)
            texts.append(text)
            ends.append(end + 1)
        _join(sorts, outermost)
        for sort, text, column, stop in zip(sorts, texts, columns, ends, strict=True):
            # a line that starts with "then" is the next step anyway; ", then" and "; then" are one joint
            if sort == "THEN":
                before = out[-1].type if out else "_NL"
                if before in ("_NL", "CLAUSE", "_INDENT", "_DEDENT"):
                    continue
                if before in ("_COMMA", "_SEMI"):
                    out.pop()
            elif sort == "TIE_THEN" and out and out[-1].type == "_COMMA":
                out.pop()
            out.append(_token(sort, text, number, column, stop))


def _token(sort: str, text: str, line: int, column: int, end: int) -> Token:
    """A token of one line, without the detour over its constructor."""
    made = str.__new__(Token, text)
    made.type = sort
    made.line = made.end_line = line
    made.column = column
    made.end_column = end
    return made


def _join(sorts: list[str], outermost: int) -> None:
    """Decide the sorts of the joining words of one line, from their neighbours and from what stands there.

    A place of a line holds clauses, a condition (behind `if`, `while`, `require`, `as soon as`, inside `where (..)`, in
    a condition slot) or outcomes (behind `on`). In a condition and between outcomes `and` and `or` join these, whatever
    follows; between clauses they join noun phrases where one follows. The first `and` behind `the lower of` joins its
    two amounts. `with NAME NP` gives an argument by its name, and `and NAME NP` behind it another one.
    """
    here = outermost
    # at each open parenthesis: what stood there, the index of the word before it, how many pairs of amounts were open,
    # and whether arguments have names
    outer: list[tuple[int, int, int, bool]] = []
    pairs = 0
    named = False
    closed = -1  # the index of the word before the parenthesis that was closed last
    whose = listing = False
    measure = -2  # the index of the last comparison behind `whose`: what follows is a value and never a count
    size = len(sorts)
    for i, sort in enumerate(sorts):
        if sort not in _DECIDED:
            continue
        following = sorts[i + 1] if i + 1 < size else "_NL"
        if sort == "TO":
            before = sorts[i - 1] if i else ""
            taken = i - 2 == measure or (i > 1 and sorts[i - 2] == "TO_NUM")
            if following == before == "NUMBER" and not taken and not _has_sign(sorts, i - 1):
                sorts[i] = "TO_NUM"
            elif following not in _NOUN_START:
                sorts[i] = "_TO_DO"
                here, named = outermost, False
        elif sort == "AND":
            if following in _FILTERS:
                sorts[i] = "AND_REL"
            elif pairs:
                pairs -= 1
                sorts[i] = "AND_OF"
            elif here != _CONDITION:
                sorts[i] = "AND_NP" if following in _NOUN_START else "_AND"
                if named and _starts_argument(sorts, i + 1):
                    sorts[i] = "AND_ARG"
        elif sort == "WITH":
            if here != _CONDITION and _starts_argument(sorts, i + 1):
                sorts[i], named = "WITH_ARG", True
        elif sort in _ACTION_END:
            named = False
        elif sort == "OR":
            if here == _CLAUSES and following in _NOUN_START:
                sorts[i] = "OR_NP"
        elif sort == "THIS":
            if following == "NAME":
                sorts[i] = "THIS_DET"
        elif sort == "OF":
            before = sorts[i - 1] if i else ""
            if before == "_RPAR":
                if closed != measure and (closed < 0 or sorts[closed] != "WHERE"):
                    sorts[i] = "PART_OF"
            elif before in ("OR_MORE", "THAT_MANY") or (
                before == "NUMBER" and i - 2 != measure and not _has_sign(sorts, i - 1)
            ):
                sorts[i] = "PART_OF"
        elif sort == "TIMES":
            _mark_again(sorts, i, closed)
        elif sort == "WHOSE":
            whose = True
        elif sort == "CMP":
            if whose:
                whose, measure = False, i
        elif sort == "ON":
            if i and sorts[i - 1] not in _BEFORE_ON:
                sorts[i] = "ON_PREP"
            else:
                here = _OUTCOMES
        elif sort == "_LPAR":
            outer.append((here, i - 1, pairs, named))
            pairs, named = 0, False
            here = _CONDITION if i and sorts[i - 1] == "WHERE" else here
        elif sort == "_RPAR":
            if outer:
                here, closed, pairs, named = outer.pop()
        elif sort == "EXTREME_OF":
            pairs += 1
        elif sort == "_LSQB":
            listing = True
        elif sort == "_RSQB":
            listing = False
        elif sort in _CONDITION_START:
            here = _CONDITION
        elif sort == "_COLON" and following != "_NL":
            sorts[i] = "_COMMA"
            here, named = outermost, False
        elif sort == "THEN" and following in _TIES:
            sorts[i] = "TIE_THEN"
        elif sort == "_COMMA" and sorts[i + 1 : i + 2] == ["THEN"] and i + 2 < size and sorts[i + 2] in _TIES:
            continue
        elif (sort == "_COMMA" and not listing) or sort in _CLAUSE_END:
            here, named = outermost, False


def _mark_again(sorts: list[str], i: int, closed: int) -> None:
    """`3 times`, `(N) times` behind a verb: how often it is done. Behind `repeat` it is how often the line is."""
    if i > 1 and sorts[i - 1] == "NUMBER" and sorts[i - 2] not in _BEFORE_TIMES:
        sorts[i - 1] = "NUMBER_AGAIN"
    elif i > 1 and sorts[i - 1] == "_RPAR" and closed >= 0 and sorts[closed] not in _BEFORE_TIMES:
        sorts[closed + 1] = "_LPAR_AGAIN"


def _starts_argument(sorts: list[str], i: int) -> bool:
    """Whether the name of an argument and its value stand at this index: `weight 12`, `mate the ..`."""
    following = sorts[i + 1] if i + 1 < len(sorts) and sorts[i] == "NAME" else "_NL"
    return following in _NOUN_START or following in _SIGNS


def _has_sign(sorts: list[str], i: int) -> bool:
    """Whether the number at this index has a sign of its own, as in `with -1`: then it counts nothing."""
    return i > 0 and sorts[i - 1] in _SIGNS and (i < 2 or sorts[i - 2] not in _VALUE_END)


def _report_glued(line: str, number: int, column: int) -> LayoutError:
    """A number with letters behind it, as in 2d6 or 3rd."""
    found = re.match(r"[0-9]+-?[0-9]*([a-z0-9-]+)", line[column - 1 :])
    text = found[0] if found else line[column - 1]
    if re.fullmatch(r"[0-9]+d[0-9]+", text):
        sides = text.partition("d")[2]
        message = f'"{text}": dice are rolled by a verb that gives a result'
        hint = f"result: number, and in its body choose a random number from 1 to {sides} as pips; then on 1-2, .."
    else:
        message = f'"{text}" is neither a number nor a name'
        hint = "write a space behind the number; names start with a letter"
    return LayoutError(message, number, column, len(text), hint)


_CHARACTERS = {
    "\t": ("a tab stands here", "indent with spaces"),
    ".": ('"." has no meaning in effect text', "end a sentence by ending the line"),
    "_": ('"_" has no meaning in effect text', "join the words of a name with -"),
    "!": ('"!" has no meaning in effect text', 'write "!=" for "is not equal to", or "not" before the condition'),
    "&": ('"&" has no meaning in effect text', 'write "and"'),
    "|": ('"|" has no meaning in effect text', 'write "or"'),
    "§": ('"§" stands without the number of a clause', "write §4.2"),
    "%": ('"%" has no meaning in effect text', "write a fraction: * 1 / 2"),
    "#": ('"#" has no meaning in effect text', "write remarks in the YAML around the text"),
    "{": ('"{" has no meaning in effect text', "write a list in brackets: [a, b]"),
    "×": ('"×" has no meaning in effect text', 'write "*"'),
    "÷": ('"÷" has no meaning in effect text', 'write "/"'),
    "≥": ('"≥" has no meaning in effect text', 'write ">="'),
    "≤": ('"≤" has no meaning in effect text', 'write "<="'),
    "≠": ('"≠" has no meaning in effect text', 'write "!="'),
    "–": ('"–" has no meaning in effect text', 'write "-"'),
    "—": ('"—" has no meaning in effect text', 'write "-"'),
    "−": ('"−" has no meaning in effect text', 'write "-"'),
    "…": ('"…" has no meaning in effect text', None),
}


def _bad_character(line: str, number: int, end: int) -> LayoutError:
    char = line[end - 1]
    width = 1
    if char in _CHARACTERS:
        message, hint = _CHARACTERS[char]
    elif char.isupper():
        word = re.match(r"[\w'-]{1,40}", line[end - 1 :])
        text = word[0] if word else char
        width = len(text)
        message = f'"{text}": effect text is written in lower case'
        hint = f'write "{text.lower()}"'
    elif char in "“”\"'‘’«»`":
        message, hint = f"{char} has no meaning here: names stand without quotes", "an owner has 's behind it"
    elif not char.isprintable():
        message, hint = f"a character that cannot be seen stands here (U+{ord(char):04X})", "delete it"
    elif char.isalpha():
        message = f'"{char}" has no meaning in effect text'
        hint = "words are written with the letters a to z; other languages stand in the text files"
        found = re.search(r"[\w-]*$", line[: end - 1])
        word = re.match(r"[\w-]*", line[found.start() if found else end - 1 :])
        hint = lookalike(word[0] if word else char) or hint
    else:
        message, hint = f'"{char}" has no meaning in effect text', None
    return LayoutError(message, number, end, width, hint)

"""Tell in plain words why a file is not well-formed YAML: what the parser says, where, and what to write.

In: the error of the parser and the file. Out: one diagnostic (G0110, G0111, G0116, G0117).
"""

from __future__ import annotations

import re

import yaml

from grimoire.compiler.diagnostics.report import Diagnostics, Related, Span
from grimoire.compiler.source.source_file import SourceFile

# What the parser says -> (what we say, hint). The first pattern found in "context / problem" counts; both parsers are
# covered.
_SYNTAX: list[tuple[str, str, str]] = [
    (
        r"quoted scalar.*(end of stream|document (indicator|separator))",
        "the quote that opens here is never closed",
        "close it; inside '...' an apostrophe is written twice: ''",
    ),
    (
        r"unknown escape",
        "a backslash sequence that does not exist",
        "write \\\\ for a backslash, or use single quotes, in which it has no meaning",
    ),
    (
        r"hexdecimal|hexadecimal|invalid Unicode|escape sequence of",
        "a backslash sequence that is not a character",
        "write the character itself",
    ),
    (
        r"expected (the )?node content",
        "a value is missing before this sign",
        "delete the sign if it is one too many; put the text in quotes if the sign belongs to it",
    ),
    (
        r"flow (sequence|mapping).*(expected|end of stream)",
        "a comma or a closing bracket is missing before this",
        "close every '[' with ']' and every '{' with '}', put a comma between entries, and quote a text that has "
        "one of these signs in it",
    ),
    (
        r"mapping values are not allowed",
        "a ': ' stands where no key can be",
        "put the text in quotes if the colon belongs to it; otherwise check the indentation of this line and "
        "the one "
        "before",
    ),
    (
        r"could not find expected ':'",
        "a line without ': ' stands where 'key: value' is wanted",
        "a text of several lines starts with | after its key and is indented more deeply",
    ),
    (
        r"block collection|block sequence.*(expected '-'|expected <block end>)",
        "this line does not fit into the list above it",
        "start every entry with '- ' in the same column",
    ),
    (
        r"sequence entries are not allowed",
        "a '- ' cannot stand here",
        "start the list on a line of its own, or quote the text if the sign belongs to it",
    ),
    (
        r"block mapping.*(expected key|expected <block end>)",
        "this line does not fit into the mapping above it",
        "give it the same indentation as the lines that it belongs to; a text that goes on after a closing "
        "quote or "
        "bracket has to be in quotes as a whole",
    ),
    (
        r"mapping keys are not allowed",
        "a '? ' cannot stand here",
        "quote the text if the sign belongs to it",
    ),
    (
        r"block scalar",
        "after | or > the text starts on the next line",
        "start the text on the next line, indented; quote a text that starts with this sign",
    ),
    (
        r"cannot start any",
        "a text cannot start with this sign",
        "put the text in quotes",
    ),
    (
        r"<document start>",
        "this does not belong to what stands before it",
        "a file is one mapping or one list; check the indentation",
    ),
]


_SIGNS = re.compile(r"""(?<=[\s\[{,:])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<=\s)\#[^\n]*|[\[\]{}]""")
_COLON_FORGOTTEN = re.compile(r"([a-z][a-z0-9-]*) +([^\s:]{1,40})\s*$")  # target 9


def report_syntax(error: yaml.MarkedYAMLError, source: SourceFile, diags: Diagnostics) -> None:
    context, problem = error.context or "", error.problem or ""
    mark = error.problem_mark or error.context_mark
    line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
    # The end of the file lies one past its last line; show the last line that has something.
    while line > 1 and (line > len(source.lines) or not source.lines[line - 1]):
        line -= 1
        column = len(source.lines[line - 1]) + 1
    span = source.span(line, column)
    both = f"{context} / {problem}"
    tab = _tab_indent(source, line)
    if tab is not None and ("tab" in problem or "cannot start any" in problem or "expected" in problem):
        diags.add("G0111", tab, "a tab stands in the indentation", "indent with spaces, two for each level")
        return
    if "scanning an alias" in both or "scanning an anchor" in both or "duplicate anchor" in both:
        hint = "put the text in quotes if the sign belongs to it"
        diags.add("G0116", span, "a text cannot start with '*' or '&'", hint)
        return
    if re.search(r"\ba tag\b|tag handle|%TAG|directive|incompatible YAML|tag URI", both):
        hint = "put the text in quotes if the sign belongs to it"
        diags.add("G0117", span, "a text cannot start with '!' or '%'", hint)
        return
    related = []
    opened = error.context_mark
    if opened is not None and context.startswith("while parsing a flow") and not is_closed(source.text, opened.index):
        sign = source.text[opened.index : opened.index + 1]
        other = {"[": "]", "{": "}"}.get(sign)
        if other is not None:
            related = [Related(span, "up to here it is one list" if sign == "[" else "up to here it is one mapping")]
            place = source.span(opened.line + 1, opened.column + 1)
            diags.add("G0110", place, f"'{sign}' is never closed", f"write '{other}' where it ends", related)
            return
    if opened is not None and (opened.line + 1, opened.column + 1) != (line, column):
        related = [Related(source.span(opened.line + 1, opened.column + 1), "what is not complete starts here")]
    for pattern, message, hint in _SYNTAX:
        if re.search(pattern, both):
            if opened is not None and ("never closed" in message or "simple key" in context):
                span, related = source.span(opened.line + 1, opened.column + 1), []
            if "simple key" in context:
                forgotten = _COLON_FORGOTTEN.match(source.lines[span.line - 1][span.column - 1 :])
                hint = f"write '{forgotten[1]}: {forgotten[2]}'; {hint}" if forgotten else hint
            diags.add("G0110", span, message, hint, related)
            return
    detail = ", ".join(part for part in (context, problem) if part) or "unknown reason"
    diags.add("G0110", span, f"this is not well-formed YAML ({detail})", None, related)


def is_closed(text: str, opened: int) -> bool:
    """Whether the bracket or brace at an index is closed by its own sign, whatever else is wrong inside of it."""
    waiting: list[str] = []
    for found in _SIGNS.finditer(text, opened):
        sign = found[0]
        if sign in "[{":
            waiting.append("]" if sign == "[" else "}")
        elif sign in "]}":
            if not waiting or waiting.pop() != sign:
                return False
            if not waiting:
                return True
    return False


def _tab_indent(source: SourceFile, line: int) -> Span | None:
    for number in (line, line - 1):
        if 1 <= number <= len(source.lines):
            text = source.lines[number - 1]
            indent = text[: len(text) - len(text.lstrip(" \t"))]
            if "\t" in indent:
                column = indent.index("\t") + 1
                return source.span(number, column)
    return None

"""Map a place inside a scalar's text back to its place in the YAML file.

In: a scalar of any style and a line and column of its text. Out: line and column of the file, exact for every style.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.source.tree import Scalar, Style


class _TextMap(NamedTuple):
    """Where the characters of a scalar's text stand: from each offset on, columns run along until the next one."""

    offsets: list[int]
    places: list[tuple[int, int]]
    line_starts: list[int]


def effect_position(scalar: Scalar, line_in_text: int, column_in_text: int) -> tuple[int, int]:
    """The line and column in the file of a place inside the scalar's text.

    All count from 1; lines of the text end at line feeds. A place past the end of a line or of the text is moved to the
    end. Exact for every style; a text whose layout cannot be retraced (it follows a refused tag) gets the scalar's
    start.
    """
    text = scalar.value
    if scalar.line == scalar.end_line and "\n" not in text:
        if scalar.style == "plain" and scalar.end_column - scalar.column == len(text):
            return scalar.line, scalar.column + min(max(column_in_text - 1, 0), len(text))
        if scalar.style == "single" and scalar.end_column - scalar.column == len(text) + 2:
            return scalar.line, scalar.column + 1 + min(max(column_in_text - 1, 0), len(text))
    mapping = _text_map(scalar)
    starts = mapping.line_starts
    if line_in_text < 1:
        return offset_position(scalar, 0)
    if line_in_text > len(starts):
        return offset_position(scalar, len(text))
    start = starts[line_in_text - 1]
    end = starts[line_in_text] - 1 if line_in_text < len(starts) else len(text)
    return offset_position(scalar, min(start + max(column_in_text - 1, 0), end))


def effect_span(scalar: Scalar, line: int, column: int, end_line: int, end_column: int) -> Span:
    """The span in the file of a stretch of the scalar's text (the end is exclusive)."""
    start = effect_position(scalar, line, column)
    if (end_line, end_column) <= (line, column):
        return Span(scalar.source.path, *start, *start)
    # The last character is mapped, not the one after it, which may stand on another line of the file.
    last = effect_position(scalar, end_line, end_column - 1) if end_column > 1 else None
    end = (last[0], last[1] + 1) if last is not None else effect_position(scalar, end_line, end_column)
    return Span(scalar.source.path, *start, *max(start, end))


def offset_position(scalar: Scalar, offset: int) -> tuple[int, int]:
    mapping = _text_map(scalar)
    text = scalar.value
    # After the last line feed stands nothing in the file: the end of the text is the end of its last line.
    if offset == len(text):
        offset = len(text.rstrip("\n"))
    index = bisect_right(mapping.offsets, offset) - 1
    line, column = mapping.places[index]
    return line, column + offset - mapping.offsets[index]


def _text_map(scalar: Scalar) -> _TextMap:
    maps = scalar.source.maps
    key = (scalar.line, scalar.column)
    found = maps.get(key)
    if not isinstance(found, _TextMap):
        found = maps[key] = _make_text_map(scalar)
    return found


def _make_text_map(scalar: Scalar) -> _TextMap:
    starts = [0] + [found.end() for found in re.finditer("\n", scalar.value)]
    if scalar.style in ("literal", "folded"):
        tracer = _trace_block(scalar)
    elif scalar.style == "plain":
        tracer = _trace_flow(scalar, scalar.column - 1, scalar.end_column - 1)
    else:
        tracer = _trace_flow(scalar, scalar.column, scalar.end_column - 2)
    if tracer is None or "".join(tracer.pieces) != scalar.value:
        return _TextMap([0, 1], [(scalar.line, scalar.column)] * 2, starts)
    if not tracer.pieces and scalar.style in ("literal", "folded"):  # nothing stands below the header
        tracer.end = (scalar.line, scalar.column)
    tracer.add("", *tracer.end)
    return _TextMap(tracer.offsets, tracer.places, starts)


_MAX_BLANK_INDENT: Final = 20


class _Tracer:
    """Builds a text again from the lines of the file and remembers where each piece comes from."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.offsets: list[int] = []
        self.places: list[tuple[int, int]] = []
        self.length = 0
        self.end = (1, 1)

    def add(self, piece: str, line: int, column: int) -> None:
        """`piece` comes from this place of the file (line and column from 1)."""
        self.pieces.append(piece)
        self.offsets.append(self.length)
        self.places.append((line, column))
        self.length += len(piece)
        self.end = (line, column + len(piece))


def _trace_block(scalar: Scalar) -> _Tracer | None:
    lines = scalar.source.lines
    first = scalar.line  # index of the line after the header
    last = min(scalar.end_line if scalar.end_column > 1 else scalar.end_line - 1, len(lines))
    widest = _first_indent(lines[first:last])
    if widest is not None:
        # An indentation indicator may leave some of the spaces to the text.
        kept = _first_indent(scalar.value.split("\n")) or 0
        tracer = _retrace_block(scalar, lines[first:last], first + 1, max(widest - kept, 0))
        return tracer if "".join(tracer.pieces) == scalar.value else None
    # Nothing but blanks: try the indentations that lines of blanks can have.
    widest = max((len(text) for text in lines[first:last]), default=0)
    for indent in range(min(widest, _MAX_BLANK_INDENT), -1, -1):
        tracer = _retrace_block(scalar, lines[first:last], first + 1, indent)
        if "".join(tracer.pieces) == scalar.value:
            return tracer
    return None


def _first_indent(lines: Iterable[str]) -> int | None:
    """Leading spaces of the first line that has anything else."""
    for text in lines:
        stripped = text.lstrip(" ")
        if stripped:
            return len(text) - len(stripped)
    return None


def _retrace_block(scalar: Scalar, lines: tuple[str, ...], number: int, indent: int) -> _Tracer:
    """What YAML does with the lines of a block text, for a given indentation; cut to the length of the text."""
    tracer = _Tracer()
    wanted = len(scalar.value)
    folding = scalar.style == "folded"
    pending: tuple[int, int] | None = None  # place of the line end that is not yet written
    blanks: list[tuple[int, int]] = []  # places of the empty lines after it
    after_blank = False
    for index, text in enumerate(lines):
        place = (number + index, len(text) + 1)
        body = text[indent:]
        if not body and not text.strip(" "):
            blanks.append((place[0], min(indent, len(text)) + 1))
            continue
        if text[:indent].strip(" "):
            break
        starts_blank = body[0] in " \t"
        if pending is not None:
            if folding and not after_blank and not starts_blank:
                if not blanks:
                    tracer.add(" ", *pending)
            else:
                tracer.add("\n", *pending)
        for blank in blanks:
            tracer.add("\n", *blank)
        blanks = []
        tracer.add(body, number + index, indent + 1)
        after_blank, pending = starts_blank, place
        if tracer.length > wanted:
            return tracer
    # Line ends at the very end are kept, cut to one or dropped by the header; the text says which.
    for place in ([pending] if pending is not None else []) + blanks:
        if tracer.length < wanted:
            tracer.add("\n", *place)
    return tracer


_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}
_SPECIAL = {"plain": re.compile(r"(?!)"), "single": re.compile("''"), "double": re.compile(r"\\(.|\Z)", re.DOTALL)}


def _trace_flow(scalar: Scalar, start: int, stop: int) -> _Tracer | None:
    """Plain and quoted texts: lines are joined by a blank, empty lines become line ends, escapes are undone.

    The value itself tells what an escape stands for: one character.
    """
    tracer = _Tracer()
    lines = scalar.source.lines
    special = _SPECIAL[scalar.style]
    pending: tuple[int, int] | None = None
    blanks: list[tuple[int, int]] = []
    joined = False
    tracer.end = (scalar.line, start + 1)
    for number in range(scalar.line, scalar.end_line + 1):
        if number > len(lines):
            return None
        text = lines[number - 1]
        is_first, is_last = number == scalar.line, number == scalar.end_line
        low = start if is_first else len(text) - len(text.lstrip(" \t"))
        high = stop if is_last else _end_without_blanks(text, low, scalar.style)
        low = min(low, high)
        if not is_first:
            if low >= high and not is_last:
                blanks.append((number, low + 1))
                continue
            if blanks:
                for blank in blanks:
                    tracer.add("\n", *blank)
            elif pending is not None and not joined:
                tracer.add(" ", *pending)
            blanks = []
        joined = _trace_line(tracer, scalar, text, number, low, high, special)
        pending = (number, high + 1)
    return tracer


def _end_without_blanks(text: str, low: int, style: Style) -> int:
    high = len(text.rstrip(" \t"))
    if style == "double" and high < len(text):
        # An escaped blank at the end of a line belongs to the text.
        backslashes = len(text[:high]) - len(text[:high].rstrip("\\"))
        if backslashes % 2:
            high += 1
    return max(high, low)


def _trace_line(
    tracer: _Tracer, scalar: Scalar, text: str, number: int, low: int, high: int, special: re.Pattern[str]
) -> bool:
    """Add the characters low..high of a line; True when it ends with a backslash that joins it to the next line."""
    at = low
    while at < high:
        found = special.search(text, at, high)
        stop = found.start() if found else high
        if stop > at:
            tracer.add(text[at:stop], number, at + 1)
        if found is None:
            break
        if scalar.style == "single":
            tracer.add("'", number, stop + 1)
            at = stop + 2
            continue
        sign = found[1]
        if sign == "":
            return True
        at = stop + 2 + _ESCAPE_DIGITS.get(sign, 0)
        tracer.add(scalar.value[tracer.length : tracer.length + 1], number, stop + 1)
        tracer.end = (number, at + 1)
    return False

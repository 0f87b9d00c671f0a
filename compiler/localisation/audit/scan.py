"""The plain text of a scanned book: its encoding, repeated page lines, the style of its clause numbers.

In: a file. Out: lines in which nothing but the book is left; what was taken off leaves an empty mark, so that places
stay right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from grimoire.compiler.localisation.tuning import (
    SCAN_APART,
    SCAN_OFTEN,
    SCAN_WORDS,
)
from grimoire.compiler.telling import Finding, make_printable, read_given

NOTHING: Final = "\0"  # a line that was taken off: the text goes on over it
_PAGE: Final = re.compile(r"\s*[-–—•·*|]*\s*(?:\w{1,5}\.?\s*)?\d{1,3}\s*[-–—•·*|]*\s*\Z")
_BARE: Final = re.compile(r"\s*[-–—•·*|]*\s*\d{1,3}\s*[-–—•·*|]*\s*\Z")
_STOP: Final = re.compile(r"[.!?…:;,][»“”\"')\]*_]*\s*\Z")
_MARKED: Final = re.compile(r"\s*(?:#{1,6}\s|\d{1,3}\s*\.\s*\d|[^\w\s]\s+\S)")
_LOOSE: Final = re.compile(r"(\W*)(\d{1,3})\s*[.,]\s+(\d{1,3})[.):]?\s+(?=\D)")
_CLOSE: Final = re.compile(r"(\W*)(\d{1,3})\.(\d{1,3})\b")
_AFTER: Final = re.compile(r"(\W*\d{1,3}\.\d{1,3})[):](?=\s)")
_MARKS: Final = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_CYRILLIC: Final = re.compile(r"[а-яёіїєґА-ЯЁІЇЄҐ]")


def read_text(path: Path, name: str) -> str:
    """The text of a file. Raises WrongUse, Finding."""
    raw = read_given(path, "a text")
    try:
        text = raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        kind = guess_encoding(raw)
        guess = f"; it seems to be {kind}" if kind else ""
        raise Finding(
            f"{make_printable(name)} is not UTF-8: byte {error.start + 1} cannot be read{guess}. Save it as UTF-8"
        ) from None
    if not text.strip("\ufeff \t\n\0"):
        raise Finding(f"{make_printable(name)} is empty")
    return text


def guess_encoding(raw: bytes) -> str:
    """What an encoding may be, by what its letters are then."""
    if raw[:2] in _MARKS:
        return _MARKS[raw[:2]]
    text = raw.decode("cp1251", "replace")
    letters = [letter for letter in text if letter.isalpha()]
    share = sum(bool(_CYRILLIC.match(letter)) for letter in letters) / max(len(letters), 1)
    high = sum(byte > 127 for byte in raw) / max(len(raw), 1)
    if share > 0.6 and high > 0.3:
        small = sum(letter.islower() for letter in letters) / max(len(letters), 1)
        return "cp1251" if small > 0.5 else "KOI8 or cp866"
    return "latin-1" if high < 0.2 else ""


def clean_lines(lines: Sequence[str], titles: frozenset[str], folded: Mapping[str, str]) -> list[str]:
    """The lines without heads, feet and numbers of pages; clauses are numbered in the usual way."""
    found = [line.replace("\0", " ") for line in lines]
    off = find_page_lines(found, titles, folded)
    loose = sum(_LOOSE.match(line) is not None for line in found)
    close = sum(_CLOSE.match(line) is not None for line in found)
    rows = []
    for at, line in enumerate(found):
        if at in off:
            rows.append(NOTHING)
            continue
        if loose > close:
            line = _LOOSE.sub(lambda found: f"{found[1]}{found[2]}.{found[3]} ".ljust(len(found[0])), line, count=1)
        rows.append(_AFTER.sub(r"\1 ", line, count=1))
    return rows


def find_page_lines(lines: Sequence[str], titles: frozenset[str], folded: Mapping[str, str]) -> set[int]:
    """The lines that stand on every page."""
    places: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        words = line.split()
        if (
            not words
            or len(words) > SCAN_WORDS
            or _STOP.search(line)
            or (_MARKED.match(line) and not _PAGE.match(line))
        ):
            continue
        places.setdefault(re.sub(r"\d+", "", line).strip(" -–—•·*|").casefold(), []).append(at)
    off: set[int] = set()
    for text, where in places.items():
        gaps = Counter(b - a >= SCAN_APART for a, b in pairwise(where))
        if len(where) < SCAN_OFTEN or gaps[False] > gaps[True] / 4 or folded.get(text, text) in titles:
            continue
        if text or all(_BARE.match(lines[at]) for at in where):
            off.update(where)
    return off

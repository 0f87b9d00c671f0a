"""Collect and print diagnostics: what is wrong in the authors' files, where, and the likely repair.

In: calls to `Diagnostics.add` from every pass. Out: a sorted, capped list of `Diagnostic`, as JSON or as text with
the source line and a caret. Authors' mistakes are values here, never exceptions; only an unregistered code, a mistake
of ours, raises.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from grimoire.compiler.diagnostics.codes import Severity, code_of
from grimoire.compiler.records import record

if TYPE_CHECKING:  # a run that knows its answer does not load the runtime
    from grimoire.runtime.plain_data import Json

MAX_PER_FILE = 200
MAX_IN_ALL = 2_000
_STORED_IN_ALL = 10 * MAX_IN_ALL
_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}


@record(frozen=True, order=True)
class Span:
    """A stretch of a file: lines and columns count from 1 in characters, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def point(cls, file: str, line: int = 1, column: int = 1) -> Span:
        """An empty span: a file as a whole, or a place between two characters."""
        return cls(file, line, column, line, column)

    def plain(self) -> dict[str, Json]:
        """As programs read it."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        }


@record(frozen=True)
class Related:
    """Another place that a diagnostic speaks about."""

    span: Span
    message: str


@record(frozen=True)
class Diagnostic:
    """One thing that is wrong: its code, where it stands, what it is and the likely repair."""

    code: str
    severity: Severity
    span: Span
    message: str
    hint: str | None = None
    related: tuple[Related, ...] = ()


class Diagnostics:
    """A collector that every pass adds to; `sorted()` gives the report.

    What is stored is bounded too, so that a hostile file with a million mistakes costs no more memory than one with
    some hundred.
    """

    def __init__(self, items: Iterable[Diagnostic] = ()) -> None:
        self._items: list[Diagnostic] = []
        self._stored: dict[tuple[str, bool], int] = {}
        self._dropped: dict[str, int] = {}
        self._errors = 0
        if items:
            self.extend(items)

    def add(
        self,
        code: str,
        span: Span,
        message: str,
        hint: str | None = None,
        related: Iterable[Related] = (),
        *,
        severity: Severity | None = None,
    ) -> None:
        """Add one diagnostic; its severity is that of its code unless given. An unregistered code raises KeyError."""
        self._keep(Diagnostic(code, severity or code_of(code).severity, span, message, hint, tuple(related)))

    def extend(self, items: Iterable[Diagnostic] | Diagnostics) -> None:
        """Add what another collector or list holds."""
        if isinstance(items, Diagnostics):
            for item in list(items._items):
                self._keep(item)
            for file, count in list(items._dropped.items()):
                self._dropped[file] = self._dropped.get(file, 0) + count
            # Every stored error was counted by _keep; what the other dropped may have been errors as well.
            self._errors = max(self._errors, items._errors)
            return
        for item in items:
            self._keep(item)

    @property
    def has_errors(self) -> bool:
        """True when any error was added, also one beyond the caps."""
        return self._errors > 0

    @property
    def errors(self) -> int:
        """How many errors were added, also beyond the caps."""
        return self._errors

    def list_added(self) -> tuple[Diagnostic, ...]:
        """What is stored, in the order in which it was added."""
        return tuple(self._items)

    def sorted(self) -> list[Diagnostic]:
        """All diagnostics by place, without repetitions, capped per file and in all, each cap with a closing note."""
        shown: list[Diagnostic] = []
        if not self._items and not self._dropped:
            return shown
        room, beyond = MAX_IN_ALL, 0
        for file, items in self._by_file():
            limit = min(MAX_PER_FILE, room)
            kept = sorted(sorted(items, key=_importance)[:limit], key=_place)
            room -= len(kept)
            shown.extend(kept)
            hidden = len(items) - len(kept) + self._dropped.get(file, 0)
            if hidden and limit < MAX_PER_FILE:
                beyond += hidden
            elif hidden:
                shown.append(_closing_note(kept[-1].span if kept else Span.point(file), hidden, "in this file"))
        if beyond:
            shown.append(_closing_note(shown[-1].span, beyond, "in this and later files"))
        return shown

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())

    def __len__(self) -> int:
        """How many were added, also beyond the caps."""
        return len(self._items) + sum(self._dropped.values())

    def __bool__(self) -> bool:
        return len(self) > 0

    def _keep(self, item: Diagnostic) -> None:
        is_error = item.severity == "error"
        self._errors += is_error
        key = (item.span.file, is_error)
        stored = self._stored.get(key, 0)
        # Errors and the rest are stored apart, so that many warnings cannot crowd out an error that is added late.
        if stored >= 2 * MAX_PER_FILE or len(self._items) >= _STORED_IN_ALL:
            self._dropped[item.span.file] = self._dropped.get(item.span.file, 0) + 1
            return
        self._stored[key] = stored + 1
        self._items.append(item)

    def _by_file(self) -> list[tuple[str, list[Diagnostic]]]:
        groups: dict[str, dict[Diagnostic, None]] = {file: {} for file in self._dropped}
        for item in self._items:
            groups.setdefault(item.span.file, {})[item] = None
        return [(file, list(groups[file])) for file in sorted(groups)]


def _closing_note(span: Span, hidden: int, where: str) -> Diagnostic:
    return Diagnostic("G0199", "note", span, f"{hidden:,} more {where} {'is' if hidden == 1 else 'are'} not shown")


def _place(item: Diagnostic) -> tuple[Span, int, str, str]:
    return (item.span, _RANK[item.severity], item.code, item.message)


def _importance(item: Diagnostic) -> tuple[int, Span, str, str]:
    return (_RANK[item.severity], item.span, item.code, item.message)


class CompileFailed(Exception):
    """The package has errors. Carries all diagnostics, sorted."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        errors = sum(1 for d in diagnostics if d.severity == "error")
        first = next((d for d in diagnostics if d.severity == "error"), None)
        text = f"{errors} error{'' if errors == 1 else 's'}"
        if first is not None:
            text += f"; the first: {_where(first.span)}: [{first.code}] {first.message}"
        super().__init__(text)
        self.diagnostics = diagnostics


# --- JSON -----------------------------------------------------------------------------------------------------------


def to_json(diags: Iterable[Diagnostic]) -> dict[str, Json]:
    """The machine-readable report."""
    return {
        "diagnostics": [
            {
                "code": item.code,
                "severity": item.severity,
                **item.span.plain(),
                "message": item.message,
                "hint": item.hint,
                "related": [{**other.span.plain(), "message": other.message} for other in item.related],
            }
            for item in diags
        ]
    }


# --- text -----------------------------------------------------------------------------------------------------------

_WIDTH = 100  # cells of source text shown on a line
_TAB = "    "
_COLORS: dict[Severity, str] = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class HasLines(Protocol):
    """Whatever knows the lines of a file, such as `source.SourceFile`."""

    @property
    def lines(self) -> Sequence[str]: ...


def render_text(
    diags: Iterable[Diagnostic], sources: Mapping[str, HasLines | Sequence[str] | str], *, color: bool = False
) -> str:
    """The report for people. `sources` gives the text, the lines or the source file for each file name, where known."""
    cache: dict[str, Sequence[str] | None] = {}

    def lines_of(file: str) -> Sequence[str] | None:
        if file not in cache:
            cache[file] = _lines(sources.get(file))
        return cache[file]

    out: list[str] = []
    for item in diags:
        paint = _COLORS[item.severity] if color else ""
        bold, reset = (_BOLD, _RESET) if color else ("", "")
        label = f"{paint}{item.severity}[{item.code}]{reset}"
        out.append(f"{bold}{_where(item.span)}:{reset} {label}: {_visible(item.message)}")
        out.extend(_excerpt(item.span, lines_of(item.span.file), paint, reset))
        if item.hint is not None:
            out.append(f"  {bold}hint:{reset} {_visible(item.hint)}")
        for other in item.related:
            out.append(f"  {_where(other.span)}: {_visible(other.message)}")
            out.extend(_excerpt(other.span, lines_of(other.span.file), _DIM if color else "", reset))
    return "".join(line + "\n" for line in out)


def _lines(source: HasLines | Sequence[str] | str | None) -> Sequence[str] | None:
    if source is None:
        return None
    if isinstance(source, str):
        return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if isinstance(source, Sequence):
        return source
    return source.lines


def _where(span: Span) -> str:
    return f"{_visible(span.file)}:{span.line}:{span.column}"


def _excerpt(span: Span, lines: Sequence[str] | None, paint: str, reset: str) -> list[str]:
    if lines is None or not 1 <= span.line <= len(lines):
        return []
    text, carets = _cut(lines[span.line - 1], span)
    if not text.strip():
        return []
    number = str(span.line)
    margin = " " * len(number)
    return [f"  {number} | {text}".rstrip(), f"  {margin} | {paint}{carets}{reset}"]


def _cut(line: str, span: Span) -> tuple[str, str]:
    """The part of a line round the span as it is printed, and the carets under it."""
    start = min(max(span.column - 1, 0), len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    end = min(max(end, start + 1), max(len(line), start + 1))
    # Only characters that may be shown are looked at: a line can have millions.
    low, left = start, 0
    while low > 0 and left < _WIDTH // 2:
        low -= 1
        left += _cell(line[low])[1]
    high, right = start, 0
    while high < len(line) and right < _WIDTH - min(left, _WIDTH // 2):
        right += _cell(line[high])[1]
        high += 1
    before = "".join(_cell(char)[0] for char in line[low:start])
    shown = "".join(_cell(char)[0] for char in line[start:high])
    head, tail = "..." if low else "", "..." if high < len(line) else ""
    indent = len(head) + sum(_cell(char)[1] for char in line[low:start])
    carets = max(1, sum(_cell(char)[1] for char in line[start : min(end, high)]))
    return head + before + shown + tail, " " * indent + "^" * carets


def _cell(char: str) -> tuple[str, int]:
    """How a character is printed, and how many cells of a terminal it takes."""
    if " " <= char <= "~":
        return char, 1
    if char == "\t":
        return _TAB, len(_TAB)
    category = unicodedata.category(char)
    if category in ("Mn", "Me"):
        return char, 0
    if category in ("Cc", "Cs", "Zl", "Zp", "Cf"):
        # Shown as a sign, so that a file can neither steer the terminal nor turn the text round.
        if char in "\u200c\u200d":
            return char, 0
        return (chr(0x2400 + ord(char)) if char < " " else "\N{REPLACEMENT CHARACTER}"), 1
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(_cell(char)[0] for char in text)


# --- suggestions ----------------------------------------------------------------------------------------------------

_CUTOFF = 0.7
_LOWEST = 0.5  # of a short word that is one letter off
_DIGITS = str.maketrans("", "", "0123456789")
_LONGEST_WORD = 80
_MANY_WORDS = 1_000  # more are not all compared: only those that begin or end like the word


_LOOKALIKE = str.maketrans(
    "асеіјорѕухһԁ", "aceijopsyxhd"
)  # Cyrillic letters that cannot be told from Latin ones by eye


def lookalike(word: str) -> str | None:
    """A hint for a name in which Cyrillic letters stand for the Latin ones that they look like; None for any other."""
    found = next((char for char in word if "\u0400" <= char <= "\u052f"), None)
    latin = word.translate(_LOOKALIKE)
    return f"'{found}' is a Cyrillic letter: write {latin} in Latin letters" if found and latin.isascii() else None


def is_one_letter_off(word: str, other: str) -> bool:
    """Whether one letter was left out, added, replaced or swapped with the next. Digits are no letters: what differs in
    a number is something else, and was not misspelt."""
    if word == other or abs(len(word) - len(other)) > 1 or max(len(word), len(other)) < 2:
        return False
    head = 0
    while head < min(len(word), len(other)) and word[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(word), len(other)) - head and word[-1 - tail] == other[-1 - tail]:
        tail += 1
    one, two = word[head : len(word) - tail], other[head : len(other) - tail]
    if one.isdigit() and two.isdigit():
        return False
    if len(one) == len(two) == 2:
        return one == two[::-1] and not one.isdigit()
    return len(one) <= 1 and len(two) <= 1 and head + tail > 0


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to a misspelt word, or None; the same answer whatever the order of the candidates.

    A candidate that is one letter off is nearer than any other; one that differs in a number alone is the last."""
    if not word or len(word) > _LONGEST_WORD:
        return None
    from difflib import SequenceMatcher  # only who misspells waits for it

    best: tuple[int, float, str] | None = None
    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    folded = word.casefold()
    among = list(candidates)
    if len(among) > _MANY_WORDS:
        head, tail = word[:2], word[-2:]
        among = [candidate for candidate in among if candidate.startswith(head) or candidate.endswith(tail)]
    matcher.set_seq2(folded)
    bare = folded.translate(_DIGITS)
    for candidate in among:
        total = len(folded) + len(candidate)
        if candidate == word or 2 * min(len(folded), len(candidate)) < _LOWEST * total:
            continue
        other = candidate.casefold()
        is_near = is_one_letter_off(folded, other)
        rank = 0 if is_near else 1 if other.translate(_DIGITS) != bare else 2
        if best is not None and rank > best[0]:
            continue
        matcher.set_seq1(other)
        bar = _LOWEST if is_near else _CUTOFF
        if matcher.quick_ratio() < bar:
            continue
        ratio = matcher.ratio()
        if ratio < bar:
            continue
        found = (rank, -ratio, candidate)
        if best is None or found < best:
            best = found
    return None if best is None else best[2]

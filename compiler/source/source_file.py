"""A file as it was read: its text, its lines, and the places in it."""

from __future__ import annotations

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.records import field, record


@record(frozen=True, eq=False)
class SourceFile:
    """One file as it was read: its name in reports, its text without a byte order mark, its lines without line ends."""

    path: str
    text: str = field(repr=False)
    lines: tuple[str, ...] = field(repr=False)
    maps: dict[tuple[int, int], object] = field(repr=False, default_factory=dict)

    @classmethod
    def of_text(cls, path: str, text: str) -> SourceFile:
        plain = text if "\r" not in text else text.replace("\r\n", "\n").replace("\r", "\n")
        return cls(path, text, tuple(plain.split("\n")))

    def span(self, line: int, column: int, end_line: int | None = None, end_column: int | None = None) -> Span:
        """A span of this file; without an end it covers one character."""
        if end_line is None or end_column is None:
            return Span(self.path, line, column, line, column + 1)
        return Span(self.path, line, column, end_line, end_column)

"""The places in the source that an artefact names."""

from __future__ import annotations

from typing import NamedTuple

from grimoire.runtime.core.tables import Artefact


class SourcePlace(NamedTuple):
    """A stretch of a file, and what stands there."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str

    @property
    def start(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        return self.end_line, self.end_column


def read_places(artefact: Artefact) -> list[SourcePlace]:
    """The places of an artefact that the compiler wrote, by their number."""
    found = []
    for row in artefact.places:
        file, line, column, end_line, end_column, text = row
        numbers = (line, column, end_line, end_column)
        assert isinstance(file, str) and isinstance(text, str)
        first, at, last, end = (number for number in numbers if isinstance(number, int))
        found.append(SourcePlace(file, first, at, last, end, text))
    return found

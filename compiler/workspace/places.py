"""Where things stand in the files as they are now: places of entries become places of files.

In: spans, diagnostics, models and scenarios with places of entries. Out: the same at the lines of the files.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from grimoire.compiler.declare.model import Text
from grimoire.compiler.diagnostics.report import Diagnostic, Span
from grimoire.compiler.records import replace
from grimoire.compiler.source.tree import ENTRY, Scalar, SourceFile, shift_span
from grimoire.compiler.workspace.engine import Database
from grimoire.compiler.workspace.sources import layout

T = TypeVar("T")
_Part: TypeAlias = Any  # something in a model: a record of any class, or plain data


def anchor(db: Database, item: Diagnostic) -> Diagnostic:
    """A diagnostic at the places where things stand now."""
    span = anchor_span(db, item.span)
    related = tuple(replace(other, span=anchor_span(db, other.span)) for other in item.related)
    return item if span is item.span and not related else replace(item, span=span, related=related)


def anchor_span(db: Database, span: Span) -> Span:
    file, sign, _ = span.file.partition(ENTRY)
    return shift_span(span, layout(db, file).get(span.file, 0)) if sign else span


class Placer:
    """Makes copies of records in which all places are those of files. What was parsed is shared."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.sources: dict[str, tuple[SourceFile, int]] = {}
        self.made: dict[int, tuple[object, object]] = {}  # by identity, with what is copied, so that it stays alive

    def place(self, value: T) -> T:
        made: T = self._place(value)
        return made

    def _place(self, value: _Part) -> _Part:
        if isinstance(value, str | int | None):
            return value
        if isinstance(value, Span):
            return anchor_span(self.db, value)
        if isinstance(value, Scalar):
            source, base = self._source(value.source)
            return value._replace(line=value.line + base, end_line=value.end_line + base, source=source)
        if type(value) is dict:
            return {key: self._place(one) for key, one in value.items()}
        if type(value) in (list, tuple):
            return type(value)([self._place(one) for one in value])
        names = getattr(type(value), "__match_args__", None)
        if names is None or isinstance(value, tuple):
            return value
        known = self.made.get(id(value))
        if known is None:
            known = self.made[id(value)] = value, self._copy(value, names)
        return known[1]

    def _copy(self, value: _Part, names: tuple[str, ...]) -> _Part:
        parts = {name: getattr(value, name) for name in names}
        if isinstance(value, SourceFile):
            return self._source(value)[0]
        if isinstance(value, Text):
            parts |= {"scalar": self._place(value.scalar), "file": value.file.partition(ENTRY)[0]}
            return type(value)(**parts)
        if {"line", "end_line", "source"} <= parts.keys():
            base = self._source(value.source)[1]
            parts |= {"line": value.line + base, "end_line": value.end_line + base}
        return type(value)(**{name: self._place(one) for name, one in parts.items()})

    def _source(self, source: SourceFile) -> tuple[SourceFile, int]:
        found = self.sources.get(source.path)
        if found is None:
            file, sign, _ = source.path.partition(ENTRY)
            base = layout(self.db, file).get(source.path, 0) if sign else 0
            found = self.sources[source.path] = SourceFile(file, "", ()), base
        return found

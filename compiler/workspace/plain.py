"""Answers as plain data, and back: what the disk keeps between two runs.

Whatever is read back is looked at: a value of another shape raises ValueError, and the answer is computed instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from grimoire.compiler.cache import blake2b
from grimoire.compiler.diagnostics.codes import Severity
from grimoire.compiler.diagnostics.report import Diagnostic, Related, Span

if TYPE_CHECKING:  # a run that knows its answer does not load the runtime
    from grimoire.runtime.plain_data import Json

_SEVERITIES: Final[dict[str, Severity]] = {"error": "error", "warning": "warning", "note": "note"}


def fingerprint_of(*parts: object) -> str:
    """A word for plain values: equal ones have equal words."""
    digest = blake2b(digest_size=16)
    for part in parts:
        data = (
            part
            if isinstance(part, bytes)
            else (part if isinstance(part, str) else repr(part)).encode("utf-8", "surrogatepass")
        )
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


def number(value: Json) -> int:
    if type(value) is not int:
        raise ValueError("no number")
    return value


def rows(value: Json, size: int | None = None) -> list[Json]:
    if not isinstance(value, list) or (size is not None and len(value) != size):
        raise ValueError("no list")
    return value


def names(value: Json) -> Iterable[tuple[str, Json]]:
    if not isinstance(value, dict):
        raise ValueError("no names")
    return value.items()


def texts(value: Json) -> list[str]:
    return [text(item) for item in rows(value)]


def write_texts(value: frozenset[str]) -> Json:
    return sorted(value)


def read_texts(value: Json) -> frozenset[str]:
    return frozenset(texts(value))


def write_span(span: Span) -> Json:
    return [span.file, span.line, span.column, span.end_line, span.end_column]


def read_span(value: Json) -> Span:
    file, *numbers = rows(value, 5)
    return Span(text(file), *map(number, numbers))


def write_problems(items: Iterable[Diagnostic]) -> Json:
    return [
        [
            item.code,
            item.severity,
            write_span(item.span),
            item.message,
            item.hint,
            [[write_span(other.span), other.message] for other in item.related],
        ]
        for item in items
    ]


def read_problems(value: Json) -> tuple[Diagnostic, ...]:
    return tuple(_read_problem(item) for item in rows(value))


def _read_problem(value: Json) -> Diagnostic:
    code, severity, span, message, hint, related = rows(value, 6)
    level = _SEVERITIES.get(text(severity))
    if level is None:
        raise ValueError("no severity")
    others = tuple(Related(read_span(at), text(said)) for at, said in (rows(one, 2) for one in rows(related)))
    return Diagnostic(text(code), level, read_span(span), text(message), None if hint is None else text(hint), others)

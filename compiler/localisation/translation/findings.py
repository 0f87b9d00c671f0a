"""What the checks of translations find: a record with the id of the string, the check, how bad it is, and the place.

In: nothing. Out: `Slip`, and how it is shown to people and to programs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.telling import visible
from grimoire.runtime.plain_data import Json

ERROR: Final = "error"  # the text cannot be used as it stands: nothing is imported from a file that has one
WARNING: Final = "warning"  # it is most likely wrong
CHECKS: Final = (
    "numbers",
    "modals",
    "sense",
    "placeholders",
    "symbols",
    "letters",
    "untranslated",
    "characters",
    "quotes",
    "brackets",
    "doubled",
    "punctuation",
    "apostrophe",
    "sentences",
    "terms",
    "agreement",
    "cases",
    "forms",
    "consistency",
    "words",
    "length",
)


class Slip(NamedTuple):
    """One finding."""

    id: str
    lang: str
    check: str
    severity: str
    message: str
    span: Span

    def plain(self) -> dict[str, Json]:
        return {**self._asdict(), "span": self.span.plain()}


def format_findings(slips: Iterable[Slip]) -> str:
    """Findings for people, one line each, and how many there are."""
    rows = list(slips)
    lines = [
        f"{slip.span.file}:{slip.span.line}:{slip.span.column}: {slip.severity}[{slip.check}]: "
        f"{slip.id or 'file'}: {slip.message}"
        for slip in rows
    ]
    count = f"{len(rows)} finding{'' if len(rows) == 1 else 's'}"
    return visible("\n".join([*lines, count])) if rows else ""

"""What a scenario says, read and resolved: plain data that can be sent to another process.

In: nothing. Out: frozen data classes. Names are the ids that the runtime's position editor, views and keys use; texts
of the effect language have become procedures and functions of the artefact and are named by id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from grimoire.compiler.diagnostics.report import Diagnostic, Span
from grimoire.compiler.lower.output import Reading
from grimoire.compiler.records import record

Given: TypeAlias = int | str | Sequence[int | str | None] | None


@record(frozen=True)
class Check:
    """Something that must hold. `function` is a condition's; `readings` are what it reads: their functions are called
    as its own, with `:1`, `:2` .. behind that."""

    kind: str
    span: Span
    text: str
    function: str | None = None
    readings: tuple[Reading, ...] = ()
    seat: int = -1
    names: tuple[str, ...] = ()
    value: str | None = None


@record(frozen=True)
class Step:
    """A decision of a seat, or checks between decisions (then `key` is None)."""

    span: Span
    seat: int = -1
    key: str | None = None
    checks: tuple[Check, ...] = ()


@record(frozen=True)
class Edit:
    """`what`: var, col or zone. `target` is its id, `of` the object of a column, `value` what a variable or a column
    holds, `pieces` what lies in a zone."""

    what: str
    span: Span
    target: str
    value: Given = None
    of: str | None = None
    pieces: tuple[str, ...] = ()


@record(frozen=True)
class Scenario:
    """One test as content. `problems` are the mistakes in the file; a scenario with any is not run."""

    id: str
    span: Span
    proves: tuple[str, ...] = ()
    players: int = 1
    seed: int = 0
    options: tuple[tuple[str, str], ...] = ()
    start: str | None = None
    you: int = 0
    edits: tuple[Edit, ...] = ()
    random: tuple[str | int, ...] = ()
    steps: tuple[Step, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    shuffles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    set_up: bool = False

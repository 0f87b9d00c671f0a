"""Suppressed findings of the audit: false or known ones, each with its reason, in a file beside the book.

In: findings and the file (statement -> severity, or how the message begins -> reason). Out: the findings that are left,
and one for each silence that silences nothing, has no reason or is no silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grimoire.compiler.diagnostics.report import CompileFailed, Diagnostics, Span
from grimoire.compiler.localisation.audit.statements import SEVERITIES, WORDING, Remark
from grimoire.compiler.source.tree import Mapping, Node, Scalar, load_file
from grimoire.compiler.telling import WrongUse, make_printable


def suppress_findings(found: Sequence[Remark], path: str, language: str) -> list[Remark]:
    """Findings without the silenced ones. Raises WrongUse, CompileFailed."""
    if not Path(path).is_file():
        raise WrongUse(f"there is no file {make_printable(path)}")
    diags = Diagnostics()
    tree = load_file(Path(path), diags, name=path)
    if diags.has_errors:
        raise CompileFailed(diags.sorted())
    gone: set[int] = set()
    wrong: list[Remark] = []

    def odd(id_: str, message: str, span: Span) -> None:
        wrong.append(Remark(id_, "", language, WORDING, message, span, weight=9.0))

    if not isinstance(tree, Mapping):
        if tree is not None and not (isinstance(tree, Scalar) and tree.is_missing):
            odd("", "silences are a mapping: statement, then severity or message, then the reason", tree.span)
        return [*found, *wrong]
    for id_, rows in tree.entries:
        if not isinstance(rows, Mapping):
            odd(id_.value, "write the severity, or how the message begins, and the reason", id_.span)
            continue
        for what, reason in rows.entries:
            hits = [at for at, row in enumerate(found) if is_meant(row, id_.value, what.value)]
            if not has_reason(reason):
                odd(id_.value, "a silence needs a reason", what.span)
            elif not hits:
                odd(id_.value, f"nothing is silenced: the audit finds no '{what.value}' here", what.span)
            gone.update(hits if has_reason(reason) else ())
    return [*(row for at, row in enumerate(found) if at not in gone), *wrong]


def has_reason(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.is_missing and bool(node.value.strip())


def is_meant(row: Remark, id_: str, what: str) -> bool:
    """Whether a silence is about a finding: by the statement or the number, and by the severity or the words."""
    if id_ not in (row.id, row.number):
        return False
    return row.severity == what if what in SEVERITIES else bool(what) and row.message.startswith(what)

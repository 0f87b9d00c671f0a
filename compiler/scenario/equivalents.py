"""Read what nothing can notice: `equivalent:` in a scenario file, broken programs that play as the whole one does.

In: the trees of the scenario files. Out: `Equivalent` values: the clause or the part of a card, how it is broken in the
words of trace, and the reason why no scenario can tell the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from grimoire.compiler.diagnostics.report import Diagnostics, Related, Span
from grimoire.compiler.records import record
from grimoire.compiler.source.shapes import as_mapping, as_text
from grimoire.compiler.source.tree import Mapping

SECTION = "equivalent"


@record(frozen=True)
class Equivalent:
    """One way of breaking a clause or a part of a card that changes nothing in play."""

    of: str
    broken: str
    reason: str
    span: Span


def read_equivalents(trees: Iterable[tuple[str, Mapping]], diags: Diagnostics) -> list[Equivalent]:
    """All of the files, in their order."""
    found: dict[tuple[str, str], Equivalent] = {}
    for _, tree in trees:
        body = tree.get(SECTION)
        section = as_mapping(body, diags, SECTION) if body is not None else None
        for name, node in section.entries if section is not None else ():
            ways = as_mapping(node, diags, name.value)
            for broken, said in ways.entries if ways is not None else ():
                reason = as_text(said, diags, broken.value)
                if reason is None:
                    continue
                first = found.setdefault(
                    (name.value, broken.value), Equivalent(name.value, broken.value, reason, broken.span)
                )
                if first.span != broken.span:
                    related = (Related(first.span, "the other one"),)
                    message = f"'{broken.value}' of {name.value} is called equivalent twice"
                    diags.add("G0819", broken.span, message, "take one of the two out", related)
    return list(found.values())


__all__ = ["SECTION", "Equivalent", "read_equivalents"]

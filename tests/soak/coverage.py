"""What never happens in steered games of a large package, all its cards and those of the packages it needs, is a
finding.

What is known never to happen stands in `never/PACKAGE.yaml`, with the reason. `grimoire cover` is the same for authors.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grimoire.compiler.command.cover import explanations
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.proof.coverage import Coverage, Table, cover
from grimoire.compiler.resolve import resolve_paths
from grimoire.runtime import load_artefact
from tests.packages import CONTENT, compile_folder, needs

NEVER = Path(__file__).parent / "never"
SHOWN = 20


def covered(name: str, games: int, seed: int = 0, tables: list[Table] | None = None) -> Coverage:
    """Steered games of a package."""
    made = compile_folder(*resolve_paths([CONTENT / name], Diagnostics())[0])
    assert made.artefact is not None and made.model is not None
    reasons: dict[str, str] = {}
    for package in (*needs(name), name):
        file = NEVER / f"{package}.yaml"
        reasons |= explanations(str(file)) if file.is_file() else {}
    return cover(load_artefact(made.artefact), made.model, games, seed, tables, all_cards=True, explained=reasons)


def run_coverage(name: str, games: int, seed: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """The row of a package in the summary of the soak."""
    began = time.monotonic()
    found = covered(name, games, seed)
    wrong = [f"{part.id} ({part.place}) never happened" for part in found.never] + found.errors
    wrong += [f"{part} is said never to happen, but it does, or there is no such part" for part in found.idle]
    tell(f"coverage of {name}: {found.summary}, {found.games} games, {time.monotonic() - began:.0f} s")
    row = {"probe": "coverage", "package": name, "games": found.games, "decisions": found.decisions, **found.summary}
    marks = {games: found.curve[games - 1] for games in (1, 10, 30, 100, 300) if games <= found.games}
    return row | {"happened_after": marks, "findings": wrong[:SHOWN], "found": len(wrong)}

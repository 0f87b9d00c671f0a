"""Pieces that nobody can tell apart: of one definition, in one zone, with the same columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grimoire.runtime.kernel.state import State


def alike(g: State, p: int, q: int, columns: list[int]) -> bool:
    """Whether two pieces of one definition and zone have the same columns."""
    mem = g.mem
    for base in columns:  # noqa: SIM110
        if mem[base + p] != mem[base + q]:
            return False
    return True


def merge_alike(g: State, seat: int, items: list[int], columns: list[int]) -> list[int]:
    """The pieces without those that the seat knows and cannot tell from another one.

    Of two alike the one stays that more seats know: what the others see leave is what they had seen, so that it does
    not tell them of a second one. Where one seat knows this one and another seat that one, see ``settle``.
    """
    if len(items) < 2:
        return items
    t = g.tables
    if len(items) == 2:
        if t.piece_def[items[0]] != t.piece_def[items[1]]:
            return items
    elif len({t.piece_def[p] for p in items}) == len(items):
        return items
    mem = g.mem
    base = t.known
    seen: dict[int, list[int]] = {}
    found: list[int] = []
    for p in items:
        if (mem[base + p] >> seat) & 1:
            same = seen.get((t.piece_def[p] << 20) + g.loc[p])
            if same is None:
                seen[(t.piece_def[p] << 20) + g.loc[p]] = [p]
            else:
                double = False
                if len(same) > 8:
                    g.work += len(same) * (1 + len(columns))
                for at, q in enumerate(same):
                    if alike(g, p, q, columns):
                        double = True
                        if (mem[base + p] | mem[base + q]) == mem[base + p] != mem[base + q]:
                            found[found.index(q)] = same[at] = p
                if double:
                    continue
                same.append(p)
        found.append(p)
    return found


def is_another(g: State, p: int, passed: dict[int, list[int]], columns: list[int]) -> bool:
    """Whether one of the pieces that passed is like this one, and the same seats know it; ``passed``: lists by
    definition and zone."""
    same = passed.get((g.tables.piece_def[p] << 20) + g.loc[p])
    if same is None:
        return False
    mem = g.mem
    base = g.tables.known
    if len(same) > 8:
        g.work += len(same) * (1 + len(columns))
    for q in same:  # noqa: SIM110
        if mem[base + p] == mem[base + q] and alike(g, p, q, columns):
            return True
    return False


def note_passed(g: State, p: int, passed: dict[int, list[int]]) -> None:
    """Keep a piece in lists by definition and zone."""
    key = (g.tables.piece_def[p] << 20) + g.loc[p]
    same = passed.get(key)
    if same is None:
        passed[key] = [p]
    else:
        same.append(p)

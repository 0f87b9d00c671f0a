"""Suspended work: the frames of a waiting game, their live slots, and the moments at which running events began."""

from __future__ import annotations

from grimoire.runtime.build.program import Program
from grimoire.runtime.kernel.state import State

FrameData = tuple[int, int, list[int]]


def frames_data(program: Program, g: State) -> list[FrameData]:
    """The frames from the bottom: unit, position, values of the live slots."""
    if g.over >= 0:
        return []
    live = program.live_slots()
    found: list[FrameData] = []
    for number in range(g.depth + 1):
        unit = g.frame_unit(number)
        pc = g.frame_pc(number)
        base = g.frame_base(number)
        found.append((unit, pc, [g.slots[base + i] for i in live.at(unit, pc)]))
    return found


def since_slots(g: State) -> list[int]:
    """The slots in which running events keep the moment at which they began, for the log."""
    found: list[int] = []
    for number in range(g.depth + 1):
        base = g.frame_base(number)
        found.extend(base + offset for offset in g.units[g.frame_unit(number)].since)
    return found


def since_data(g: State) -> list[int]:
    """What they hold."""
    return [] if g.over >= 0 else [g.slots[at] for at in since_slots(g)]

"""Redeal: another game that one seat cannot tell from this one, for tests of what a seat may know."""

from __future__ import annotations

from grimoire.runtime import given, trial
from grimoire.runtime.base import VARS
from grimoire.runtime.errors import SetupError
from grimoire.runtime.game import Game
from grimoire.runtime.save import frames_data, rebuild_index
from grimoire.runtime.selectors import bits
from grimoire.runtime.streams import Dice


def redeal(game: Game, seat: int, rng_seed: int = 0) -> Game:
    """A clone in which the pieces that the seat does not know are permuted, within their kind, among their places.

    What lies on a piece (its columns, who knows it) stays at the place; so do pieces that pending work refers to. What is covered
    where nobody is told how many there are is first dealt out anew among such places, in other numbers.
    """
    if not isinstance(game, Game):
        raise SetupError(f"redeal takes a game, not {given.shown(game)}")
    given.seat(seat, game.players)
    given.whole(rng_seed, "a seed", 0)
    other = game.clone()
    p, g = other.program, other.state
    pinned = _pinned(game)
    dice = Dice(rng_seed, "redeal")
    _recount(other, pinned, dice)
    groups: dict[int, list[int]] = {}
    for zone in g.zones:
        for piece in zone:
            if not (g.mem[p.known + piece] >> seat) & 1 and piece not in pinned:
                groups.setdefault(p.doc["definitions"][p.piece_def[piece]]["kind"], []).append(piece)
    swap = list(range(len(p.piece_def)))
    for kind in sorted(groups):
        order = groups[kind][:]
        dice.shuffle(order)
        for before, after in zip(groups[kind], order, strict=True):
            swap[before] = after
    g.zones = [[swap[piece] for piece in zone] for zone in g.zones]
    for at, pieces in enumerate(g.zones):
        for piece in pieces:
            g.loc[piece] = at
    old_mem = g.mem[:]
    bases = [p.known]
    for at, row in enumerate(p.doc["columns"]):
        base = p.builder.column_base[at]
        if base >= 0 and row["of"] == "piece":
            bases.append(base)
    for base in bases:
        for piece, new in enumerate(swap):
            g.mem[base + new] = old_mem[base + piece]
    _rename(other, swap)
    rebuild_index(p, g)
    trial.refresh(g)
    return other


def _recount(game: Game, pinned: set[int], dice: Dice) -> None:
    """Deal what is covered in zones that are not counted out among those of them that show a top of the same kind."""
    p, g = game.program, game.state

    def kind_of(piece: int) -> int:
        return int(p.doc["definitions"][p.piece_def[piece]]["kind"])

    def idle(piece: int) -> bool:
        return piece not in pinned and not any(
            hook.live[zone] for hook in p.tables.hooks[piece] for zone in p.uncounted
        )

    zones = [zone for zone in sorted(p.uncounted) if g.zones[zone]]
    for kind in sorted({kind_of(g.zones[zone][-1]) for zone in zones}):
        among = [zone for zone in zones if kind_of(g.zones[zone][-1]) == kind]
        loose = [piece for zone in among for piece in g.zones[zone][:-1] if kind_of(piece) == kind and idle(piece)]
        for zone in among:
            g.zones[zone] = [piece for piece in g.zones[zone] if piece not in loose]
        for piece in loose:
            g.zones[among[dice.below(len(among))]].insert(0, piece)


def _pinned(game: Game) -> set[int]:
    """Pieces that frames or floating effects may refer to; their slots have no sorts, so this errs on the safe side."""
    pinned: set[int] = set()
    values: list[int] = []
    for _, _, slots in frames_data(game):
        values.extend(slots)
    for effect in game.state.floats.values():
        values.extend(effect[5:])
    n = len(game.program.piece_def)
    for value in values:
        if value >= 0:
            if value < n:
                pinned.add(value)
            pinned.update(x for x in bits(value) if x < n)
            while value >> 31:
                if 0 <= (value & 0xFFFFFFFF) - (1 << 31) < n:
                    pinned.add((value & 0xFFFFFFFF) - (1 << 31))
                value >>= 32
    return pinned


def _rename(game: Game, swap: list[int]) -> None:
    """Variables and columns that point at a piece point at what is now in its place."""
    p, g = game.program, game.state
    cells: list[tuple[int, bool]] = []
    for at, row in enumerate(p.doc["vars"]):
        if row["sort"] == "piece":
            cells.append((VARS + at, bool(row.get("set"))))
    sizes = {"seat": p.seats, "fixture": len(p.fixture_names), "piece": len(p.piece_def)}
    for at, row in enumerate(p.doc["columns"]):
        base = p.builder.column_base[at]
        if base >= 0 and row["sort"] == "piece":
            cells.extend((base + i, bool(row.get("set"))) for i in range(sizes[row["of"]]))
    for address, many in cells:
        value = g.mem[address]
        if many:
            g.mem[address] = sum(1 << swap[x] for x in bits(value))
        elif value >= 0:
            g.mem[address] = swap[value]

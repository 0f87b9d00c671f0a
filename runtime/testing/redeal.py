"""Redeal: another game that one seat cannot tell from this one, for tests of what a seat may know.

What is exchanged: the pieces that the seat does not know, among their places; what is covered where nobody counts; the answers of others
to an open poll; columns of the other seats that only their owners see. What depends on the place stays there: columns of a piece, who
knows it, variables and pending work that refer to it. docs/design/secrecy.md says which exchanges are made and why.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from grimoire.runtime.artefact import arguments
from grimoire.runtime.build.program import Program
from grimoire.runtime.build.slot_sorts import LIST, MIXED, PIECE, PIECES, named
from grimoire.runtime.errors import SetupError
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import VARS, X_SPENT, Floating
from grimoire.runtime.kernel.menus import PollOp
from grimoire.runtime.kernel.ops import pack, unpack
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.selectors import bits
from grimoire.runtime.play.game import Game
from grimoire.runtime.play.listener_index import rebuild_index
from grimoire.runtime.play.log import Log


@dataclass(frozen=True)
class Redealt:
    """The other game, and how much was exchanged."""

    game: Game
    moved: int  # pieces that lie in the place of another
    pinned: int  # pieces that had to stay though the seat does not know them
    pending: bool  # pending work refers to others now: somebody has chosen otherwise before


def redeal(game: Game, seat: int, rng_seed: int = 0) -> Game:
    """A clone that differs from the game in what the seat cannot see, and in nothing else."""
    return deal_again(game, seat, rng_seed).game


def deal_again(game: Game, seat: int, rng_seed: int = 0, among: Collection[int] | None = None) -> Redealt:
    """The same, with how much was exchanged. `among`: no other pieces are, so that what differs comes to light later."""
    if not isinstance(game, Game):
        raise SetupError(f"redeal takes a game, not {arguments.shown(game)}")
    arguments.seat(seat, game.players)
    arguments.whole(rng_seed, "a seed", 0)
    other = game.clone()
    dice = Dice(rng_seed, "redeal")
    pending = Pending(other)
    pinned = pending.pinned()
    if among is None:
        _recount(other, pinned, dice)
    unknown = [piece for zone in other.state.zones for piece in zone if not _knows(other, seat, piece)]
    free = [piece for piece in unknown if piece not in pinned and (among is None or piece in among)]
    swap = _swap(other, free, dice)
    _place(other, swap)
    _rename_cells(other, swap)
    renamed_any = pending.apply(swap)
    _exchange_columns(other, seat, dice)
    rebuild_index(other.state)
    _answer_again(other, seat, dice)
    trial.refresh(other.state)
    moved = sum(swap[piece] != piece for piece in unknown)
    return Redealt(other, moved, sum(piece in pinned for piece in unknown), renamed_any)


def _knows(game: Game, seat: int, piece: int) -> bool:
    return bool((game.state.mem[game.program.known + piece] >> seat) & 1)


# -- which piece becomes which


def _swap(game: Game, pieces: list[int], dice: Dice) -> list[int]:
    """What takes the place of each piece: one of its own kind anywhere, then one with the same back where kinds lie mixed.

    That a zone can hold a kind is not written anywhere, but one that holds two kinds now can hold them in other numbers.
    """
    p, g = game.program, game.state
    swap = list(range(len(p.piece_def)))

    def permute(places: list[int]) -> None:
        """Deal what lies at these places, called by the pieces there at first, out among them."""
        dealt = [swap[place] for place in places]
        dice.shuffle(dealt)
        for place, piece in zip(places, dealt, strict=True):
            swap[place] = piece

    kinds: dict[int, list[int]] = {}
    for piece in pieces:
        kinds.setdefault(_kind(p, piece), []).append(piece)
    for kind in sorted(kinds):
        permute(kinds[kind])
    mixed: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for zone in g.zones:
        backs: dict[str, list[int]] = {}
        for piece in zone:
            back = p.backs[p.piece_def[piece]]
            if back is not None and piece in kinds.get(_kind(p, piece), ()):
                backs.setdefault(back, []).append(piece)
        for back, there in backs.items():
            among = tuple(sorted({_kind(p, piece) for piece in there}))
            if len(among) > 1:
                mixed.setdefault((back, among), []).extend(there)
    for key in sorted(mixed):
        permute(mixed[key])
    return swap


def _kind(p: Program, piece: int) -> int:
    return p.artefact.definitions[p.piece_def[piece]].kind


def _recount(game: Game, pinned: set[int], dice: Dice) -> None:
    """Deal what is covered in zones that are not counted out among those of them that show a top of the same kind."""
    p, g = game.program, game.state

    def idle(piece: int) -> bool:
        return piece not in pinned and not any(
            hook.live[zone] for hook in p.tables.hooks[piece] for zone in p.uncounted
        )

    zones = [zone for zone in sorted(p.uncounted) if g.zones[zone]]
    for kind in sorted({_kind(p, g.zones[zone][-1]) for zone in zones}):
        among = [zone for zone in zones if _kind(p, g.zones[zone][-1]) == kind]
        loose = [piece for zone in among for piece in g.zones[zone][:-1] if _kind(p, piece) == kind and idle(piece)]
        for zone in among:
            g.zones[zone] = [piece for piece in g.zones[zone] if piece not in loose]
        for piece in loose:
            g.zones[among[dice.below(len(among))]].insert(0, piece)


# -- carrying it out


def _place(game: Game, swap: list[int]) -> None:
    """Put the pieces into their new places, with what lies on a piece left at the place."""
    p, g = game.program, game.state
    g.zones = [[swap[piece] for piece in zone] for zone in g.zones]
    for at, pieces in enumerate(g.zones):
        for piece in pieces:
            g.loc[piece] = at
    bases = [p.known, *[base for row, base in p.stored_columns() if row.of == "piece"]]
    old = g.mem[:]
    for base in bases:
        for piece, new in enumerate(swap):
            g.mem[base + new] = old[base + piece]


def _rename_cells(game: Game, swap: list[int]) -> None:
    """Variables and columns that point at a piece point at what is now in its place."""
    p, g = game.program, game.state
    cells = [(VARS + at, named(row.sort, bool(row.set))) for at, row in enumerate(p.artefact.vars)]
    for row, base in p.stored_columns():
        cells.extend((base + i, named(row.sort, row.set)) for i in range(p.size(row.of)))
    for address, sort in cells:
        g.mem[address] = renamed(sort, g.mem[address], swap)


def renamed(sort: int, value: int, swap: list[int]) -> int:
    """A value of a sort, in terms of the new pieces."""
    if value < 0:
        return value
    if sort == PIECE:
        return swap[value]
    if sort == PIECES:
        return sum(1 << swap[x] for x in bits(value))
    if sort == LIST:
        return pack([swap[x] if x >= 0 else x for x in unpack(value)])
    return value


class Pending:
    """What is suspended in a game, as far as it refers to pieces: frames, floating effects, events that the log holds open."""

    def __init__(self, game: Game) -> None:
        self.game = game
        p, g = game.program, game.state
        self.sorts = p.slot_sorts()
        self.cells: list[tuple[int, int]] = []  # address in the slots, sort
        self.frames = [] if g.over >= 0 else range(len(g.frames) // 3 + 1)
        live = p.live_slots()
        for number in self.frames:
            unit, base = g.frame_unit(number), g.frame_base(number)
            pc = g.pc if number == len(g.frames) // 3 else g.frames[number * 3 + 1]
            sorts = self.sorts.of_unit(unit)
            self.cells.extend((base + i, sorts[i]) for i in live.at(unit, pc))

    def pinned(self) -> set[int]:
        """The pieces that must stay: whose own text is being carried out, or has been used in this chain; and whatever a slot of
        no single sort could mean.
        """
        p, g = self.game.program, self.game.state
        texts = p.live_slots().texts
        found: set[int] = set()
        for number in self.frames:
            u, base = g.units[g.frame_unit(number)], g.frame_base(number)
            if u.ability or (u.proc in texts and not u.event):
                found.add(g.slots[base + 1])
            if u.event:
                spent = g.slots[base + u.extras + X_SPENT]
                found.update(p.tables.instance_piece[x] for x in bits(spent) if x < len(p.tables.instance_piece))
        for address, sort in self.cells:
            if sort == MIXED:
                found |= _meant(g.slots[address])
        for effect in g.floats.values():
            for sort, value in zip(self._captures(effect), effect.captures, strict=True):
                if sort == MIXED:
                    found |= _meant(value)
        return found

    def apply(self, swap: list[int]) -> bool:
        """Let everything suspended mean the pieces that are now in the places; whether that changed anything."""
        g = self.game.state
        before = g.slots[:], g.floats
        for address, sort in self.cells:
            g.slots[address] = renamed(sort, g.slots[address], swap)
        g.floats = {serial: self._renamed_effect(effect, swap) for serial, effect in g.floats.items()}
        log = g.log
        if isinstance(log, Log):
            for piece, moment in enumerate(log.blurred[:]):
                log.blurred[swap[piece]] = moment
            for moment, begun in log.open.items():
                sorts = self.sorts.procs[begun.proc].slots
                width = log.widths[begun.proc]
                args = [renamed(sorts[i], x, swap) for i, x in enumerate(begun.slots[:width])]
                log.open[moment] = begun._replace(slots=args + begun.slots[width:])
        for number in self.frames:
            self._rename_polls(g.frame_unit(number), g.frame_base(number), swap)
        return (g.slots, g.floats) != before

    def _captures(self, effect: Floating) -> list[int]:
        return self.sorts.of_captures(not effect.modifies, effect.which, len(effect.captures))

    def _renamed_effect(self, effect: Floating, swap: list[int]) -> Floating:
        captures = [renamed(*pair, swap) for pair in zip(self._captures(effect), effect.captures, strict=True)]
        return Floating(effect.modifies, effect.which, effect.owner, effect.depth, effect.stamp, captures)

    def _rename_polls(self, unit: int, base: int, swap: list[int]) -> None:
        """The answers that a poll keeps: the number of an entry, then the values of its domains."""
        p, g = self.game.program, self.game.state
        live = {address for address, _ in self.cells}
        for hidden, menu in p.windows[unit].polls:
            for at in range(base + hidden + 2, base + hidden + 2 + p.seats):
                answer = unpack(g.slots[at]) if at in live and g.slots[at] > 0 else []
                if answer:
                    domains = menu.entries[answer[0]].domains
                    values = [renamed(named(d.sort), x, swap) for d, x in zip(domains, answer[1:], strict=True)]
                    g.slots[at] = pack([answer[0], *values])


def _meant(value: int) -> set[int]:
    """Every piece that a number could mean: itself, a set, a list."""
    if value < 0:
        return set()
    return {value, *bits(value), *unpack(value)}


# -- secrets that are no pieces


def _exchange_columns(game: Game, seat: int, dice: Dice) -> None:
    """What other seats alone see of themselves is dealt out among them. Pointers to pieces stay: they may belong to the seat."""
    p, g = game.program, game.state
    others = [x for x in range(p.seats) if x != seat]
    for row, base in p.stored_columns():
        if row.of == "seat" and row.seen == "owner" and row.sort != "piece":
            values = [g.mem[base + x] for x in others]
            dice.shuffle(values)
            for x, value in zip(others, values, strict=True):
                g.mem[base + x] = value


def _answer_again(game: Game, seat: int, dice: Dice) -> None:
    """In an open poll the others who have answered may have answered otherwise."""
    g = game.state
    if not g.waiting:
        return
    op = g.waiter()
    if not isinstance(op, PollOp):
        return
    pending = g.slots[g.base + op.hidden]
    for other in op.asked(g, g.base):
        if other != seat and not (pending >> other) & 1 and g.slots[g.base + op.hidden + 2 + other]:
            op.ask(g, g.base, other)
            if g.opts:
                op.answer(g, g.base, other, dice.below(len(g.opts)))
    g.slots[g.base + op.hidden] = pending

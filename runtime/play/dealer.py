"""What could lie where, for one seat: the places of pieces that it does not know are dealt out anew, and all follows.

A piece changes places with one of its own kind anywhere, or with one of another kind that shows the same back where
both lie. What belongs to a place stays there: columns of a piece, who knows it, what refers to it; pending work means
what is in the place now. What is dealt follows from what the seat sees and from chance, never from where things
really are. `testing/redeal.py` makes games for tests with it, `bots/imagine.py` positions to think in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from grimoire.runtime.build.program import Program
from grimoire.runtime.build.slot_sorts import LIST, MIXED, PIECE, PIECES, number_sort
from grimoire.runtime.kernel.base import VARS, X_SPENT, Floating
from grimoire.runtime.kernel.menus import PollOp
from grimoire.runtime.kernel.ops import pack, unpack
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.selectors import bits
from grimoire.runtime.kernel.state import State
from grimoire.runtime.play.log import Log

Swap = dict[int, int]  # which piece is now where another was; those that stayed are left out
_REFER: Final = (PIECE, PIECES, LIST, MIXED)


class Dealer:
    """The tables of a program that tell what can be dealt, read once."""

    def __init__(self, program: Program) -> None:
        p = program
        self.program = p
        self.live = p.live_slots()
        self.sorts = p.slot_sorts()
        definitions = p.artefact.definitions
        self.kinds = [definitions[d].kind for d in p.piece_def]
        self.backs = [p.backs[d] for d in p.piece_def]
        shared: dict[str | None, set[int]] = {}
        for kind, back in zip(self.kinds, self.backs, strict=True):
            shared.setdefault(back, set()).add(kind)
        self.mixable = frozenset(back for back, kinds in shared.items() if back is not None and len(kinds) > 1)
        self.uncounted = sorted(p.uncounted)
        stored = p.stored_columns()
        self.columns = [p.known, *[base for row, base in stored if row.of == "piece"]]
        cells = [(VARS + at, number_sort(row.sort, bool(row.set))) for at, row in enumerate(p.artefact.vars)]
        cells += [(base + i, number_sort(row.sort, row.set)) for row, base in stored for i in range(p.size(row.of))]
        self.pointers = [(address, sort) for address, sort in cells if sort in _REFER]
        self._references: dict[tuple[int, int], list[tuple[int, int]]] = {}

    # -- what there is to deal

    def unknown(self, g: State, seat: int) -> list[int]:
        """The pieces in play that a seat does not know, by place."""
        mem, known, bit = g.mem, self.program.known, 1 << seat
        return [piece for zone in g.zones for piece in zone if not mem[known + piece] & bit]

    def find_pinned(self, g: State) -> set[int]:
        """The pieces that must stay: whose own text is being carried out, or has been used in this chain; and whatever
        a slot of no single sort could mean.
        """
        texts, borne = self.live.texts, g.tables.instance_piece
        found: set[int] = set()
        for unit, _, base in frames_of(g):
            u = g.units[unit]
            if u.ability or (u.proc in texts and not u.event):
                found.add(g.slots[base + 1])
            if u.event:
                spent = g.slots[base + u.extras + X_SPENT]
                if spent > 0:
                    found.update(borne[x] for x in bits(spent) if x < len(borne))
        for address, sort in self.find_references(g):
            if sort == MIXED:
                found |= _find_meant_pieces(g.slots[address])
        for effect in g.floats.values():
            for sort, value in zip(self._captures(effect), effect.captures, strict=True):
                if sort == MIXED:
                    found |= _find_meant_pieces(value)
        return found

    def find_references(self, g: State) -> list[tuple[int, int]]:
        """The live slots of all frames that may refer to pieces: address and sort."""
        found: list[tuple[int, int]] = []
        for unit, pc, base in frames_of(g):
            rows = self._references.get((unit, pc))
            if rows is None:
                sorts = self.sorts.of_unit(unit)
                rows = [(i, sorts[i]) for i in self.live.at(unit, pc) if sorts[i] in _REFER]
                self._references[unit, pc] = rows
            found += [(base + i, sort) for i, sort in rows]
        return found

    def spread_covered(self, g: State, seat: int, pinned: set[int], choose: Callable[[list[int]], int]) -> None:
        """Where nobody is told how many pieces lie: what is covered may lie in any of these zones that shows a piece of
        its kind. ``choose`` says in which, for one piece after the other; what the seat does not know comes first, so
        that the order does not tell what it is.
        """
        hooks, kinds = g.tables.hooks, self.kinds
        unknown = set(self.unknown(g, seat))
        zones = [zone for zone in self.uncounted if g.zones[zone]]
        for kind in sorted({kinds[g.zones[zone][-1]] for zone in zones}):
            among = [zone for zone in zones if kinds[g.zones[zone][-1]] == kind]
            covered = (
                piece
                for zone in among
                for piece in g.zones[zone][:-1]
                if kinds[piece] == kind
                and piece not in pinned
                and not any(hook.live[place] for hook in hooks[piece] for place in self.uncounted)
            )
            loose = sorted(covered, key=lambda piece: (piece not in unknown, piece))
            for zone in among:
                g.zones[zone] = [piece for piece in g.zones[zone] if piece not in loose]
            for piece in reversed(loose):
                zone = choose(among)
                g.zones[zone].insert(0, piece)
                g.loc[piece] = zone
        g.unlist_all()

    # -- dealing

    def deal(self, g: State, free: Iterable[int], dice: Dice) -> Swap:
        """What takes the place of each free piece: one of its own kind anywhere, then one with the same back where
        kinds lie mixed.

        That a zone can hold a kind is not written anywhere, but one that holds two kinds now can hold them otherwise.
        """
        groups: dict[int, list[int]] = {}
        for piece in free:
            groups.setdefault(self.kinds[piece], []).append(piece)
        swap: Swap = {}
        for kind in sorted(groups):
            places = groups[kind]
            dealt = sorted(places)  # the order must not depend on where they really are
            dice.shuffle(dealt)
            swap.update(zip(places, dealt, strict=True))
        if self.mixable:
            for places in self._group_mixed(g, swap):
                dealt = sorted([swap[place] for place in places])
                dice.shuffle(dealt)
                swap.update(zip(places, dealt, strict=True))
        return {before: after for before, after in swap.items() if before != after}

    def _group_mixed(self, g: State, free: Swap) -> list[list[int]]:
        """The places of free pieces with the same back in zones where the same kinds lie."""
        mixed: dict[tuple[str, tuple[int, ...]], list[int]] = {}
        for zone in g.zones:
            backs: dict[str, list[int]] = {}
            for piece in zone:
                back = self.backs[piece]
                if back is not None and back in self.mixable and piece in free:
                    backs.setdefault(back, []).append(piece)
            for back, there in backs.items():
                kinds = tuple(sorted({self.kinds[piece] for piece in there}))
                if len(kinds) > 1:
                    mixed.setdefault((back, kinds), []).extend(there)
        return [mixed[key] for key in sorted(mixed)]

    # -- carrying it out

    def carry_out(self, g: State, swap: Swap) -> bool:
        """Put the pieces into their new places, with all that refers to these; whether pending work was among it."""
        if not swap:
            return False
        self._place(g, swap)
        mem, pieces = g.mem, len(self.kinds)
        for base in self.columns:
            old = mem[base : base + pieces]
            for before, after in swap.items():
                mem[base + after] = old[before]
        for address, sort in self.pointers:
            if mem[address] >= 0:
                mem[address] = rename(sort, mem[address], swap)
        if isinstance(g.log, Log):
            self._rename_log(g.log, swap)
        return self.rename_pending(g, swap)

    def _place(self, g: State, swap: Swap) -> None:
        loc, hooks = g.loc, g.tables.hooks
        moves = [(after, loc[after], loc[before]) for before, after in swap.items() if loc[after] != loc[before]]
        for zone in dict.fromkeys([loc[before] for before in swap]):
            g.zones[zone] = [swap.get(piece, piece) for piece in g.zones[zone]]
        for piece, was, now in moves:
            loc[piece] = now
            if hooks[piece]:
                g.rehook(piece, was, now)
        g.unlist_all()

    def rename_pending(self, g: State, swap: Swap) -> bool:
        """Let everything suspended mean the pieces that are now in the places; whether that changed anything."""
        changed = False
        slots = g.slots
        references = self.find_references(g)
        for address, sort in references:
            value = rename(sort, slots[address], swap)
            if value != slots[address]:
                slots[address] = value
                changed = True
        for serial, effect in g.floats.items():
            pairs = zip(self._captures(effect), effect.captures, strict=True)
            captures = [rename(sort, value, swap) for sort, value in pairs]
            if captures != effect.captures:
                renamed = Floating(effect.modifies, effect.which, effect.owner, effect.depth, effect.stamp, captures)
                g.floats[serial] = renamed
                changed = True
        for unit, pc, base in frames_of(g):
            changed |= self._rename_polls(g, unit, pc, base, swap)
        return changed

    def _captures(self, effect: Floating) -> list[int]:
        return self.sorts.of_captures(not effect.modifies, effect.which, len(effect.captures))

    def _rename_polls(self, g: State, unit: int, pc: int, base: int, swap: Swap) -> bool:
        """The answers that a poll keeps: the number of an entry, then the values of its domains."""
        changed = False
        for hidden, menu in self.program.windows[unit].polls:
            live = self.live.at(unit, pc)
            for at in range(hidden + 2, hidden + 2 + self.program.seats):
                answer = unpack(g.slots[base + at]) if at in live and g.slots[base + at] > 0 else []
                if answer:
                    domains = menu.entries[answer[0]].domains
                    values = [rename(number_sort(d.sort), x, swap) for d, x in zip(domains, answer[1:], strict=True)]
                    changed |= values != answer[1:]
                    g.slots[base + at] = pack([answer[0], *values])
        return changed

    def _rename_log(self, log: Log, swap: Swap) -> None:
        """What the log holds open, and when each place was last lost from sight."""
        old = [log.blurred[before] for before in swap]
        for after, moment in zip(swap.values(), old, strict=True):
            log.blurred[after] = moment
        for moment, begun in log.open.items():
            sorts = self.sorts.procs[begun.proc].slots
            width = log.widths[begun.proc]
            args = [rename(sorts[i], x, swap) for i, x in enumerate(begun.slots[:width])]
            log.open[moment] = begun._replace(slots=args + begun.slots[width:])


def frames_of(g: State) -> list[tuple[int, int, int]]:
    """Unit, position and base of every frame of a game that goes on, from the bottom."""
    if g.over >= 0:
        return []
    frames = g.callers()
    found = [(frames[at], frames[at + 1], frames[at + 2]) for at in range(0, len(frames), 3)]
    return [*found, (g.unit, g.pc, g.base)]


def rename(sort: int, value: int, swap: Swap) -> int:
    """A value of a sort, in terms of the new pieces."""
    if value < 0:
        return value
    if sort == PIECE:
        return swap.get(value, value)
    if sort == PIECES:
        return sum([1 << swap.get(x, x) for x in bits(value)])
    if sort == LIST:
        return pack([swap.get(x, x) for x in unpack(value)])
    return value


def answer_polls(g: State, seat: int, dice: Dice, all_others: bool) -> None:
    """In an open poll the answers of others are given anew: of those who have given one, or of all others."""
    if not g.waiting:
        return
    op = g.waiter()
    if not isinstance(op, PollOp):
        return
    pending = g.slots[g.base + op.hidden]
    for other in op.find_asked(g, g.base):
        answered = not (pending >> other) & 1 and g.slots[g.base + op.hidden + 2 + other]
        if other != seat and (all_others or answered):
            op.ask(g, g.base, other)
            if g.opts:
                op.answer(g, g.base, other, dice.below(len(g.opts)))
    g.slots[g.base + op.hidden] = 1 << seat if all_others else pending


def _find_meant_pieces(value: int) -> set[int]:
    """Every piece that a number could mean: itself, a set, a list."""
    if value < 0:
        return set()
    return {value, *bits(value), *unpack(value)}

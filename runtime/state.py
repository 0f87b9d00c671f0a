"""The kernel's state: flat lists of ints, the one mutation path, the trail for undo, and the main loop.

Everything that is suspended lives in ``frames`` (three ints for each caller) and ``slots``; nothing stays on the
Python stack while a game waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.base import (
    CALL,
    DONE,
    DRAWS,
    END,
    GRANTED,
    MAX_DEPTH,
    MAX_TICKS,
    RET,
    SERIAL,
    SPARE,
    T_FLOATS,
    T_MOVE,
    T_ORDER,
    WAIT,
    X_RESULT,
    Tables,
    WaitOp,
)
from grimoire.runtime.errors import BudgetExceeded
from grimoire.runtime.streams import block

if TYPE_CHECKING:
    from grimoire.runtime.ports import Recorder, Script

FRESH: Final[list[int]] = [-1] * (SPARE + 64)


class Mark:
    """What undo needs besides the trail."""

    __slots__ = (
        "abil",
        "barrier",
        "base",
        "frames",
        "log",
        "over",
        "pc",
        "slots",
        "ticks",
        "trail",
        "unit",
        "waiting",
        "winners",
    )

    def __init__(self, g: State) -> None:
        self.trail = len(g.trail)
        self.frames = g.frames[:]
        self.slots = g.slots[: g.base + g.units[g.unit].window]
        self.unit = g.unit
        self.pc = g.pc
        self.base = g.base
        self.abil = g.abil
        self.ticks = g.ticks
        self.barrier = g.barrier
        self.over = g.over
        self.winners = g.winners
        self.waiting = g.waiting
        self.log = -1 if g.log is None else g.log.size()


class State:
    """A game in play. Only ``put``, ``move``, ``reorder``, ``draw`` and the floats' methods write what is saved."""

    __slots__ = (
        "abil",
        "barrier",
        "base",
        "block",
        "block_number",
        "float_trail",
        "floats",
        "frames",
        "goal_depth",
        "goal_pc",
        "index",
        "loc",
        "log",
        "mem",
        "ok",
        "opts",
        "over",
        "pc",
        "result",
        "script",
        "slots",
        "stream",
        "tables",
        "ticks",
        "tracing",
        "track",
        "trail",
        "trial",
        "unit",
        "units",
        "vals",
        "waiting",
        "winners",
        "zones",
    )

    def __init__(self, tables: Tables, stream: bytes, source: State | None) -> None:
        """At the start of a game, or with the same pieces, numbers and slots as another state."""
        self.tables = tables
        self.units = tables.units
        self.stream = stream
        if source is None:
            self.mem = tables.mem[:]
            self.zones = [zone[:] for zone in tables.zones]
            self.loc = tables.loc[:]
            self.index = tables.index[:]
            self.slots = FRESH[:]
        else:
            self.mem = source.mem[:]
            self.zones = [zone[:] for zone in source.zones]
            self.loc = source.loc[:]
            self.index = source.index[:]
            self.slots = source.slots[:]
        self.floats: dict[int, tuple[int, ...]] = {}
        self.frames: list[int] = []
        self.unit = tables.main
        self.pc = 0
        self.base = 0
        self.abil = 0
        self.ticks = 0
        self.barrier = 0
        self.over = -1
        self.winners = 0
        self.waiting = False
        self.ok = 1
        self.result = -1
        self.opts: list[int] = []
        self.vals: list[tuple[int, ...]] = []
        self.trail: list[int] = []
        self.float_trail: list[dict[int, tuple[int, ...]]] = []
        self.tracing = 0
        self.trial = 0  # abilities running when a trial of a cost began, plus one; 0: no trial
        self.goal_depth = -1
        self.goal_pc = -1
        self.block: tuple[int, ...] = ()
        self.block_number = -1
        self.log: Recorder | None = None
        self.script: Script | None = None
        self.track: list[int] | None = None

    # -- copying

    def copy(self) -> State:
        """An independent copy without history."""
        return self.copy_for(self.stream)

    def copy_for(self, stream: bytes) -> State:
        """The same with another stream of random numbers."""
        g = State(self.tables, stream, self)
        g.floats = self.floats
        g.frames = self.frames[:]
        g.unit = self.unit
        g.pc = self.pc
        g.base = self.base
        g.abil = self.abil
        g.ticks = self.ticks
        g.over = self.over
        g.winners = self.winners
        g.waiting = self.waiting
        g.opts = self.opts
        g.vals = self.vals
        if stream is self.stream:
            g.block = self.block
            g.block_number = self.block_number
        g.script = self.script
        return g

    def mark(self) -> Mark:
        """Remember this moment; until the mark is dropped, every write goes to the trail."""
        self.tracing += 1
        return Mark(self)

    def drop(self) -> None:
        """Forget the latest mark."""
        self.tracing -= 1
        if self.tracing == 0:
            self.trail.clear()
            self.float_trail.clear()

    def undo(self, mark: Mark) -> None:
        """Back to the mark, which stays set. The options of a waiting game must be refreshed."""
        trail = self.trail
        mem = self.mem
        while len(trail) > mark.trail:
            tag = trail.pop()
            if tag >= 0:
                mem[tag] = trail.pop()
            elif tag == T_MOVE:
                at = trail.pop()
                zone = trail.pop()
                self._shift(trail.pop(), zone, at)
            elif tag == T_ORDER:
                zone = trail.pop()
                n = trail.pop()
                self.zones[zone] = trail[len(trail) - n :]
                del trail[len(trail) - n :]
            else:
                self._set_floats(self.float_trail.pop())
        self.frames = mark.frames[:]
        saved = mark.slots
        self.slots[: len(saved)] = saved
        self.unit = mark.unit
        self.pc = mark.pc
        self.base = mark.base
        self.abil = mark.abil
        self.ticks = mark.ticks
        self.barrier = mark.barrier
        self.over = mark.over
        self.winners = mark.winners
        self.waiting = mark.waiting
        if self.log is not None:
            self.log.cut(mark.log)

    # -- the one mutation path

    def put(self, address: int, value: int) -> None:
        """Write one number."""
        if self.tracing:
            self.trail.append(self.mem[address])
            self.trail.append(address)
        self.mem[address] = value

    def _shift(self, piece: int, zone: int, at: int) -> None:
        """Move without trail and knowledge: used by undo."""
        old = self.loc[piece]
        if old >= 0:
            self.zones[old].remove(piece)
        if zone >= 0:
            self.zones[zone].insert(at, piece)
        self.loc[piece] = zone
        if self.tables.hooks[piece]:
            self._rehook(piece, old, zone)

    def move(self, piece: int, zone: int, top: bool, seen: int) -> None:
        """Move a piece to the top or bottom of a zone (-1: out of play).

        ``seen``: 0 those that see into the zone learn it, 1 nobody knows it, 2 everybody, 3 no change.
        """
        t = self.tables
        old = self.loc[piece]
        at = -1
        gains = t.sees[zone] if zone >= 0 else 0  # there is no such zone: nothing is changed
        if old >= 0:
            source = self.zones[old]
            if source[-1] == piece:
                at = len(source) - 1
                source.pop()
            else:
                at = source.index(piece)
                del source[at]
        if self.tracing:
            trail = self.trail
            trail.append(piece)
            trail.append(old)
            trail.append(at)
            trail.append(T_MOVE)
        self.loc[piece] = zone
        if zone >= 0:
            if top:
                self.zones[zone].append(piece)
            else:
                self.zones[zone].insert(0, piece)
        if seen == 0:
            address = t.known + piece
            known = self.mem[address]
            if gains & ~known:
                self.barrier += 1
                if self.tracing:
                    self.trail.append(known)
                    self.trail.append(address)
                self.mem[address] = known | gains
        elif seen == 1:
            self.forget(piece, 0)
        elif seen == 2:
            self.learn(piece, t.everyone)
        if t.hooks[piece]:
            self._rehook(piece, old, zone)
        if t.tops:
            if old >= 0 and t.sees_top[old] and self.zones[old]:
                self.learn(self.zones[old][-1], t.everyone)
            if zone >= 0 and seen == 0 and t.sees_top[zone]:
                self.learn(self.zones[zone][-1], t.everyone)

    def move_all(self, pieces: list[int], zone: int, top: bool, seen: int) -> None:
        """Move pieces one after the other."""
        t = self.tables
        hooks = t.hooks
        if self.tracing or zone < 0 or not top or seen or t.sees_top[zone]:
            for piece in pieces:
                self.move(piece, zone, top, seen)
            return
        loc = self.loc
        zones = self.zones
        sees_top = t.sees_top
        gains = t.sees[zone]
        known = t.known
        mem = self.mem
        target = zones[zone]
        for piece in pieces:
            old = loc[piece]
            if old < 0 or hooks[piece] or sees_top[old]:
                self.move(piece, zone, True, 0)
                continue
            zones[old].remove(piece)
            target.append(piece)
            loc[piece] = zone
            if gains & ~mem[known + piece]:
                self.learn(piece, gains)

    def learn(self, piece: int, seats: int) -> None:
        """Those seats now know the piece."""
        address = self.tables.known + piece
        known = self.mem[address]
        if seats & ~known:
            self.barrier += 1
            self.put(address, known | seats)

    def forget(self, piece: int, seats: int) -> None:
        """Only those seats still know the piece, if they did."""
        address = self.tables.known + piece
        known = self.mem[address]
        if known & ~seats:
            if self.log is not None:
                self.log.blur(piece)
            self.put(address, known & seats)

    def reorder(self, zone: int, order: list[int]) -> None:
        """Give a zone a new order of the same pieces."""
        if self.tracing:
            trail = self.trail
            old = self.zones[zone]
            trail.extend(old)
            trail.append(len(old))
            trail.append(zone)
            trail.append(T_ORDER)
        self.zones[zone] = order

    def shuffle(self, zone: int) -> None:
        """Random order; only those that see into the zone still know its pieces."""
        order = self.zones[zone]
        n = len(order)
        if n > 1:
            mem = self.mem
            count = mem[DRAWS]
            if self.tracing:
                self.trail.append(count)
                self.trail.append(DRAWS)
                self.reorder(zone, order[:])
                order = self.zones[zone]
            mem[DRAWS] = count + n - 1
            self.barrier += 1
            number = count >> 4
            words = self.block if number == self.block_number else block(self.stream, number)
            at = count & 15
            for i in range(n - 1, 0, -1):
                if at == 16:
                    number += 1
                    words = block(self.stream, number)
                    at = 0
                j = (words[at] * (i + 1)) >> 32
                at += 1
                piece = order[i]
                order[i] = order[j]
                order[j] = piece
            self.block = words
            self.block_number = number
        t = self.tables
        hidden = ~t.sees[zone] & t.everyone
        if hidden:
            mem = self.mem
            base = t.known
            for piece in order:
                if mem[base + piece] & hidden:
                    self.put(base + piece, mem[base + piece] & ~hidden)
            if self.log is not None:
                for piece in order:
                    self.log.blur(piece)
            if n and t.sees_top[zone]:
                self.learn(order[-1], t.everyone)

    def draw(self, n: int) -> int:
        """A random number 0 .. n-1."""
        count = self.mem[DRAWS]
        self.put(DRAWS, count + 1)
        self.barrier += 1
        number = count >> 4
        if number != self.block_number:
            self.block = block(self.stream, number)
            self.block_number = number
        return (self.block[count & 15] * n) >> 32

    # -- the index of listeners

    def _rehook(self, piece: int, old: int, new: int) -> None:
        for hook in self.tables.hooks[piece]:
            was = old >= 0 and hook.live[old]
            now = new >= 0 and hook.live[new]
            if was == now:
                continue
            if now:
                self.index[hook.key] = with_instance(self.index[hook.key], hook.instance)
            else:
                self.index[hook.key] = without_instance(self.index[hook.key], hook.instance)

    def float_key(self, effect: tuple[int, ...]) -> int:
        """The index key of a floating effect."""
        t = self.tables
        return t.abilities[effect[1]].key if effect[0] == 0 else t.modifiers[effect[1]].key

    def float_instance(self, serial: int, effect: tuple[int, ...]) -> int:
        """The instance number of a floating effect: behind the static ones."""
        t = self.tables
        return serial + (len(t.instance_ability) if effect[0] == 0 else len(t.mod_instance))

    def _set_floats(self, floats: dict[int, tuple[int, ...]]) -> None:
        for serial, effect in self.floats.items():
            if serial not in floats:
                key = self.float_key(effect)
                self.index[key] = without_instance(self.index[key], self.float_instance(serial, effect))
        for serial, effect in floats.items():
            if serial not in self.floats:
                key = self.float_key(effect)
                self.index[key] = with_instance(self.index[key], self.float_instance(serial, effect))
        self.floats = floats

    def replace_floats(self, floats: dict[int, tuple[int, ...]]) -> None:
        """Put another set of floating effects in force."""
        if self.tracing:
            self.float_trail.append(self.floats)
            self.trail.append(T_FLOATS)
        self._set_floats(floats)

    def grant(self, kind: int, which: int, owner: int, depth: int, captures: list[int]) -> None:
        """Put a floating ability (kind 0) or modifier (1) in force while the frame at that depth runs (-1: always)."""
        serial = self.mem[GRANTED]
        self.put(GRANTED, serial + 1)
        floats = dict(self.floats)
        floats[serial] = (kind, which, owner, depth, 0, *captures)
        self.replace_floats(floats)

    def end_floats(self, depth: int) -> None:
        """A frame ends: so do the effects that lasted as long as it, or as one above it."""
        for effect in self.floats.values():
            if effect[3] >= depth:
                self.replace_floats({s: e for s, e in self.floats.items() if e[3] < depth})
                return

    # -- frames

    def current(self) -> int:
        """The current seat: the variable that names it, else the first seat."""
        address = self.tables.current
        if address < 0:
            return 0
        seat = self.mem[address]
        return seat if seat >= 0 else 0

    def running(self, proc: int) -> int:
        """The number (from the bottom) of the nearest running frame of a procedure, or -1."""
        units = self.units
        if units[self.unit].proc == proc:
            return len(self.frames) // 3
        frames = self.frames
        for i in range(len(frames) - 3, -1, -3):
            if units[frames[i]].proc == proc:
                return i // 3
        return -1

    def frame_base(self, number: int) -> int:
        """The base of the slots of a frame by its number."""
        return self.base if number * 3 == len(self.frames) else self.frames[number * 3 + 2]

    def frame_unit(self, number: int) -> int:
        """The unit of a frame by its number."""
        return self.unit if number * 3 == len(self.frames) else self.frames[number * 3]

    def enter(self, unit: int, pc: int, args: list[int]) -> None:
        """Push a frame: ``pc`` is the position of the calling operation, ``args`` the first slots."""
        units = self.units
        u = units[unit]
        base = self.base + units[self.unit].window
        self.frames += [self.unit, pc, self.base]
        top = base + u.window
        if len(self.slots) < top + SPARE:
            self.room(top)
        values = args + u.pad
        if len(values) != u.window:  # an ability, with its captures
            values = args + [-1] * (u.window - len(args))
        self.slots[base:top] = values
        self.unit = unit
        self.base = base
        self.pc = 0
        self.open_scope()

    def begin(self, unit: int, args: list[int]) -> None:
        """Drop all pending work and stand at the start of a unit, at the bottom."""
        u = self.units[unit]
        self.frames = []
        self.floats_end()
        self.unit = unit
        self.base = 0
        self.pc = 0
        self.abil = 0
        self.waiting = False
        self.over = -1
        self.winners = 0
        self.room(u.window)
        self.slots[: u.window] = (args + u.pad)[: u.window]
        self.open_scope()

    def floats_end(self) -> None:
        """End the floating effects that last as long as some frame."""
        if self.floats:
            self.end_floats(0)

    def open_scope(self) -> None:
        """The frame just pushed gets its serial, if limits count by it; work and depth are counted."""
        u = self.units[self.unit]
        if u.serial >= 0:
            serial = self.mem[SERIAL] + 1
            self.put(SERIAL, serial)
            self.slots[self.base + u.serial] = serial
        self.ticks += 1
        if self.ticks > MAX_TICKS or len(self.frames) > MAX_DEPTH * 3:
            self.exceeded()

    def room(self, top: int) -> None:
        """Make sure that slots up to ``top`` exist."""
        if len(self.slots) < top + SPARE:
            self.slots.extend([-1] * (top + SPARE - len(self.slots)))

    def tick(self) -> None:
        """Count work that is not a frame."""
        self.ticks += 1
        if self.ticks > MAX_TICKS:
            self.exceeded()

    def exceeded(self) -> None:
        """Raise with the chain of what is running."""
        chain: list[str] = []
        for number in range(len(self.frames) // 3, -1, -1):
            unit = self.units[self.frame_unit(number)]
            place = self.tables.places[unit.place] if 0 <= unit.place < len(self.tables.places) else ""
            chain.append(f"{unit.name} ({place})" if place else unit.name)
        text = " < ".join(chain[:12]) + (" < ..." if len(chain) > 12 else "")
        what = "too deep a chain" if self.ticks <= MAX_TICKS else f"more than {MAX_TICKS} steps in one decision"
        raise BudgetExceeded(f"{what}: {text}")

    def leave_frame(self) -> int:
        """Pop the running frame; returns the next position in the caller, or END when nothing is left."""
        u = self.units[self.unit]
        frames = self.frames
        if self.goal_depth == len(frames) // 3:
            return DONE
        if u.until and self.floats:
            self.end_floats(len(frames) // 3)
        if u.ability:
            self.abil -= 1
        if not frames:
            return self.finish(0, 0)
        self.base = frames.pop()
        pc = frames.pop()
        self.unit = frames.pop()
        return self.units[self.unit].code[pc].resume(self, self.base)

    def unwind(self, proc: int) -> int:
        """Leave everything down to the nearest running frame of a procedure, which returns ``g.result``."""
        number = self.running(proc)
        if self.goal_depth >= 0 and number <= self.goal_depth:
            return DONE
        if number < 0:
            return self.finish(0, 0)
        frames = self.frames
        while len(frames) > number * 3:
            if self.units[self.unit].ability:
                self.abil -= 1
            self.base = frames.pop()
            frames.pop()
            self.unit = frames.pop()
        if self.floats:
            self.end_floats(number + 1)
        u = self.units[self.unit]
        if u.event:
            self.slots[self.base + u.extras + X_RESULT] = self.result
            self.pc = u.after
            return CALL
        self.ok = 1
        return RET

    def finish(self, outcome: int, winners: int) -> int:
        """The game is over."""
        self.over = outcome
        self.winners = winners
        return END

    # -- the main loop

    def run(self, pc: int) -> int:
        """Go on from a position until the game waits, is over, or a trial reaches its goal."""
        units = self.units
        code = units[self.unit].code
        b = self.base
        while True:
            while pc >= 0:
                pc = code[pc].step(self, b)
            if pc == CALL:
                pc = self.pc
            elif pc == RET:
                pc = self.leave_frame()
            else:
                self.waiting = pc == WAIT
                return pc
            code = units[self.unit].code
            b = self.base

    def waiter(self) -> WaitOp:
        """The operation that the game waits at."""
        op = self.units[self.unit].code[self.pc]
        assert isinstance(op, WaitOp)
        return op

    def choose(self, i: int) -> int:
        """Answer with option number i and run on."""
        return self.run(self.units[self.unit].code[self.pc].pick(self, self.base, i))


def with_instance(found: tuple[int, ...], instance: int) -> tuple[int, ...]:
    at = 0
    n = len(found)
    while at < n and found[at] < instance:
        at += 1
    return (*found[:at], instance, *found[at:])


def without_instance(found: tuple[int, ...], instance: int) -> tuple[int, ...]:
    at = found.index(instance)
    return found[:at] + found[at + 1 :]

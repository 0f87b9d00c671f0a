"""What a game is made of: numbers, places, knowledge, listeners in force. The one mutation path, and the trail for
undo."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from grimoire.runtime.kernel.base import DRAWS, GRANTED, MIXES, T_FLOATS, T_MOVE, T_ORDER, Floating, Tables
from grimoire.runtime.kernel.rng import Words, mixing

if TYPE_CHECKING:
    from mypy_extensions import i64

    from grimoire.runtime.kernel.protocols import Recorder


class Store:
    """Only ``put``, ``move``, ``reorder``, ``draw`` and the floats' methods write what is saved."""

    __slots__ = (
        "barrier",
        "dice",
        "float_trail",
        "floats",
        "index",
        "kept",
        "lists",
        "loc",
        "log",
        "mem",
        "mixer",
        "stirred",
        "stream",
        "tables",
        "tracing",
        "trail",
        "work",
        "zones",
    )

    def __init__(self, tables: Tables, stream: bytes, source: Store | None) -> None:
        """At the start of a game, or with the same pieces and numbers as another store."""
        self.tables = tables
        self.stream = stream
        if source is None:
            self.mem = tables.mem[:]
            self.zones = [zone[:] for zone in tables.zones]
            self.loc = tables.loc[:]
            self.index = tables.index[:]
            # by number, the pieces of a kind by zone and place; None: something has moved since they were looked for
            self.lists: list[list[int] | None] = [None] * tables.lists
        else:
            self.mem = source.mem[:]
            self.zones = [zone[:] for zone in source.zones]
            self.loc = source.loc[:]
            self.index = source.index[:]
            self.lists = source.lists[:]
        self.kept: i64 = 0 if source is None else source.kept  # how many of the lists are not None
        self.floats: dict[int, Floating] = {} if source is None else dict(source.floats)  # by serial
        self.trail: list[int] = []
        self.float_trail: list[tuple[int, Floating | None]] = []  # serial, and the effect before
        self.tracing: i64 = 0
        self.work: i64 = 0  # units spent in this decision; the kernel asks for the limit where it loops or calls
        self.barrier: i64 = 0
        # two bits for each zone that shows its top: something moved there since the game last waited; its top lies
        # hidden
        self.stirred = 0
        known = source if source is not None and stream is source.stream else None
        self.dice: Words = Words(stream, None if known is None else known.dice)
        self.mixer: Words = Words(mixing(stream), None if known is None else known.mixer)
        self.log: Recorder | None = None

    def restart_store(self, stream: bytes, source: Store | None) -> None:
        """As it was made, for another game. `__init__` says the same again: of what it does not assign itself, compiled
        code asks at each reading whether it is there."""
        tables = self.tables
        self.stream = stream
        if source is None:
            self.mem = tables.mem[:]
            self.zones = [zone[:] for zone in tables.zones]
            self.loc = tables.loc[:]
            self.index = tables.index[:]
            if self.kept:
                self.unlist_all()
        else:
            self.mem = source.mem[:]
            self.zones = [zone[:] for zone in source.zones]
            self.loc = source.loc[:]
            self.index = source.index[:]
            self.lists = source.lists[:]
            self.kept = source.kept
        if self.floats or (source is not None and source.floats):
            self.floats = {} if source is None else dict(source.floats)
        self.forget_trail()
        self.tracing = 0
        self.work = 0
        self.barrier = 0
        self.stirred = 0
        self.dice.restart(stream)
        self.mixer.restart(mixing(stream))
        self.log = None

    def rewind(self, length: i64) -> None:
        """Take back what the trail holds beyond a length."""
        trail = self.trail
        mem = self.mem
        while len(trail) > length:
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
                order = trail[len(trail) - n :]
                self.zones[zone] = order
                del trail[len(trail) - n :]
                self.unlist(order)
            else:
                serial, effect = self.float_trail.pop()
                self._set_float(serial, effect)

    def forget_trail(self) -> None:
        """Nothing can be taken back any more."""
        self.trail.clear()
        self.float_trail.clear()

    # -- numbers, places, knowledge

    def put(self, address: i64, value: int) -> None:
        """Write one number."""
        if self.tracing:
            self.trail.append(self.mem[address])
            self.trail.append(address)
        self.mem[address] = value

    def _shift(self, piece: i64, zone: i64, at: i64) -> None:
        """Move without trail and knowledge: used by undo."""
        old: i64 = self.loc[piece]
        if old >= 0:
            self.zones[old].remove(piece)
        if zone >= 0:
            self.zones[zone].insert(at, piece)
        self.loc[piece] = zone
        if self.kept:
            self.unlist([piece])
        if self.tables.hooks[piece]:
            self.rehook(piece, old, zone)

    def move(self, piece: i64, zone: i64, top: bool, seen: int) -> None:
        """Move a piece to the top or bottom of a zone (-1: out of play).

        ``seen``: 0 those that see into the zone learn it, 1 nobody knows it, 2 everybody, 3 no change.
        """
        t = self.tables
        old: i64 = self.loc[piece]
        at: i64 = -1
        gains = t.sees[zone] if zone >= 0 else 0  # there is no such zone: nothing is changed
        if old >= 0:
            source = self.zones[old]
            if source[-1] == piece:
                at = len(source) - 1
                source.pop()
            else:
                at = source.index(piece)
                del source[at]
                self.work += at >> 5
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
                self.work += len(self.zones[zone]) >> 5
        if seen == 0:
            address = t.known + piece
            known = self.mem[address]
            if gains & ~known:
                self.barrier += 1
                if self.tracing:
                    self.trail.append(known)
                    self.trail.append(address)
                self.mem[address] = known | gains
            elif old >= 0 and gains & ~t.sees[old]:
                self.barrier += 1  # who knew it already is not for others to see
        elif seen == 1:
            self.forget(piece, 0)
        elif seen == 2:
            self.learn(piece, t.everyone)
            if old >= 0 and t.everyone & ~t.sees[old]:
                self.barrier += 1
        if self.kept and t.listed[piece]:
            self.unlist([piece])
        if t.hooks[piece]:
            self.rehook(piece, old, zone)
        if t.tops:
            if old >= 0 and t.sees_top[old]:
                self.note_top(old, at == len(self.zones[old]), True)
            if zone >= 0 and t.sees_top[zone]:
                self.note_top(zone, self.zones[zone][-1] == piece, seen == 0)
                if old >= 0 and seen == 0 and t.everyone & ~t.sees[old]:
                    self.barrier += 1
        if zone >= 0 and t.mixes[zone]:
            self.mix(zone)

    def move_all(self, pieces: list[int], zone: int, top: bool, seen: int) -> None:
        """Move pieces one after the other."""
        t = self.tables
        if (
            len(pieces) < 2
            or self.tracing
            or zone < 0
            or not top
            or seen
            or t.mixes[zone]
            or (t.tops and (t.sees_top[zone] or self.leaves_top(pieces)))
        ):
            for piece in pieces:
                self.move(piece, zone, top, seen)
            return
        loc = self.loc
        old = loc[pieces[0]]
        downwards = old >= 0 and self.zones[old][-1] == pieces[0]
        for piece in pieces if downwards else pieces[::-1]:  # from the top of each zone, where that is their order
            old = loc[piece]
            if old >= 0:
                source = self.zones[old]
                if source[-1] == piece:
                    source.pop()
                else:
                    source.remove(piece)
        gains = t.sees[zone]
        known = t.known
        mem = self.mem
        for piece in pieces:
            old = loc[piece]
            loc[piece] = zone
            if gains & ~mem[known + piece]:
                self.learn(piece, gains)
            elif old >= 0 and gains & ~t.sees[old]:
                self.barrier += 1
            if t.hooks[piece]:
                self.rehook(piece, old, zone)
        self.zones[zone].extend(pieces)
        self.unlist(pieces)

    def leaves_top(self, pieces: list[int]) -> bool:
        """Whether one of the pieces lies in a zone that shows its top."""
        for piece in pieces:
            zone = self.loc[piece]
            if zone >= 0 and self.tables.sees_top[zone]:
                return True
        return False

    def unlist(self, pieces: list[int]) -> None:
        """Those pieces lie elsewhere or in another order: what lists of a kind they stand in is to be found anew."""
        if self.kept:
            lists = self.lists
            listed = self.tables.listed
            for piece in pieces:
                for number in listed[piece]:
                    if lists[number] is not None:
                        lists[number] = None
                        self.kept -= 1

    def unlist_all(self) -> None:
        """Pieces were laid by hand."""
        self.lists = [None] * self.tables.lists
        self.kept = 0

    def note_top(self, zone: int, top: bool, open_: bool) -> None:
        """Something came to a zone that shows its top, or left it: whether it has another top, and whether that lies as
        the zone says."""
        if top:
            self.stirred = self.stirred & ~(3 << (2 * zone)) | (1 if open_ else 3) << (2 * zone)
        else:
            self.stirred |= 1 << (2 * zone)

    def show_tops(self) -> list[int]:
        """Everybody sees what lies on top where that has changed; gives what there is to see."""
        zones = range((self.stirred.bit_length() + 1) // 2)
        shown = [self.zones[z][-1] for z in zones if (self.stirred >> (2 * z)) & 3 == 1 and self.zones[z]]
        for piece in shown:
            self.learn(piece, self.tables.everyone)
        return shown

    def learn(self, piece: i64, seats: int) -> None:
        """Those seats now know the piece."""
        address = self.tables.known + piece
        known = self.mem[address]
        if seats & ~known:
            self.barrier += 1
            self.put(address, known | seats)

    def show(self, piece: i64, seats: int) -> None:
        """Those seats are shown the piece where it lies. Whether they knew it already is not for others to see: it
        stands in the way of undo all the same."""
        zone = self.loc[piece]
        self.learn(piece, seats)
        if zone >= 0 and seats & ~self.tables.sees[zone]:
            self.barrier += 1

    def forget(self, piece: i64, seats: int) -> None:
        """Only those seats still know the piece, if they did."""
        address = self.tables.known + piece
        known = self.mem[address]
        if known & ~seats:
            if self.log is not None:
                self.log.blur(piece)
            self.put(address, known & seats)

    # -- chance

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
        self.unlist(order)

    def shuffle(self, zone: int) -> None:
        """Random order; only those that see into the zone still know its pieces."""
        order = self.zones[zone]
        n = len(order)
        self.work += n << 2
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
            self.dice.shuffle(order, count)
            self.unlist(order)
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
            if t.sees_top[zone]:
                self.note_top(zone, True, True)

    def draw(self, n: int) -> int:
        """A random number 0 .. n-1."""
        count = self.mem[DRAWS]
        self.put(DRAWS, count + 1)
        self.barrier += 1
        return self.dice.below(count, n)

    def mix(self, zone: int) -> None:
        """Another order of a zone that has none by the rules: what lies where does not tell what came there when.

        Whoever knows a piece still does, and nothing that is random otherwise depends on it: it can be taken back.
        """
        order = self.zones[zone]
        n = len(order)
        if n > 1:
            self.work += n
            count = self.mem[MIXES]
            self.put(MIXES, count + n - 1)
            if n > 2:
                order = order[:]
                self.mixer.shuffle(order, count)
                self.reorder(zone, order)
            elif self.mixer.below(count, 2) == 0:  # as a shuffle would
                self.reorder(zone, [order[1], order[0]])

    # -- the index of listeners

    def rehook(self, piece: i64, old: i64, new: i64) -> None:
        """The abilities of a piece that was in one zone and is in another: in force or not."""
        for hook in self.tables.hooks[piece]:
            was = old >= 0 and hook.live[old]
            now = new >= 0 and hook.live[new]
            if was == now:
                continue
            found = self.index[hook.key]
            self.work += len(found)
            if now:
                self.index[hook.key] = with_instance(found, hook.instance)
            else:
                self.index[hook.key] = without_instance(found, hook.instance)

    def float_key(self, effect: Floating) -> int:
        """The index key of a floating effect."""
        t = self.tables
        return t.modifiers[effect.which].key if effect.modifies else t.abilities[effect.which].key

    def float_instance(self, serial: int, effect: Floating) -> int:
        """The instance number of a floating effect: behind the static ones."""
        t = self.tables
        return serial + (len(t.mod_instance) if effect.modifies else len(t.instance_ability))

    def _set_float(self, serial: int, effect: Floating | None) -> None:
        """Put one floating effect in force, change it or end it, without trail: used by undo."""
        old = self.floats.get(serial)
        if effect is not None:
            self.floats[serial] = effect
            if old is None:
                key = self.float_key(effect)
                self.work += len(self.index[key]) >> 3
                self.index[key] = with_instance(self.index[key], self.float_instance(serial, effect))
        elif old is not None:
            del self.floats[serial]
            key = self.float_key(old)
            self.work += len(self.index[key]) >> 3
            self.index[key] = without_instance(self.index[key], self.float_instance(serial, old))

    def put_float(self, serial: int, effect: Floating | None) -> None:
        """Put one floating effect in force, change it, or (with none) end it."""
        if self.tracing:
            self.float_trail.append((serial, self.floats.get(serial)))
            self.trail.append(T_FLOATS)
        self._set_float(serial, effect)

    def grant(self, effect: Floating) -> None:
        """Put a floating effect in force."""
        serial = self.mem[GRANTED]
        self.put(GRANTED, serial + 1)
        self.put_float(serial, effect)

    def end_floats(self, depth: int) -> None:
        """A frame ends: so do the effects that lasted as long as it, or as one above it."""
        self.work += len(self.floats)
        for serial in [s for s, effect in self.floats.items() if effect.depth >= depth]:
            self.put_float(serial, None)

    def current(self) -> int:
        """The current seat: the variable that names it, else the first seat."""
        address = self.tables.current
        if address < 0:
            return 0
        seat = self.mem[address]
        return seat if seat >= 0 else 0


def with_instance(found: list[int], instance: int) -> list[int]:
    more = found[:]
    insort(more, instance)
    return more


def without_instance(found: list[int], instance: int) -> list[int]:
    rest = found[:]
    del rest[bisect_left(found, instance)]
    return rest

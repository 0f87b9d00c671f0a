"""Events: propose, look for what forbids, precedes or replaces, happen, look for what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.alike import alike
from grimoire.runtime.kernel.base import (
    CALL,
    CANCELLED,
    END,
    FIRST,
    HAPPENED,
    IN_TURN,
    OPTION_ABILITY,
    OPTION_IN_TURN,
    OPTION_PASS,
    OPTION_SEAT,
    OVER,
    PASS,
    RET,
    RETURN,
    SPARE,
    WAIT,
    X_ASKED,
    X_PASSED,
    X_RESULT,
    X_SINCE,
    X_SPENT,
    X_STATUS,
    Ability,
    Asking,
    Blind,
    Expr,
    Floating,
    Op,
    Unit,
    fill_window,
)
from grimoire.runtime.kernel.blocks import Routine
from grimoire.runtime.kernel.effects import breach
from grimoire.runtime.kernel.hearing import hears, limit_serial, limit_used, might_hear, stamp_address, stamp_count
from grimoire.runtime.kernel.menus import disputed, settle
from grimoire.runtime.kernel.selectors import first_seat, seats_from
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import LISTENER, MAX_WORK

if TYPE_CHECKING:
    from mypy_extensions import i64

CLEAR: Final = -9
UNSETTLED: Final = -2  # in the place of a seat: who comes first has to be asked
SAID: Final = 256  # from this bit on a window keeps what was said to that: a seat plus one, or
AS_TURNS: Final = 255
ROLL: Final = 264  # from this bit on a window keeps which of two masks of abilities follows, and the mask itself:
IN_FORCE: Final = 1  # ... those in force when the first was used in it
CAME: Final = 2  # ... or those that came into force while one was used before the event
AFTER: Final = 3  # the number of that phase


def ability_of(g: State, instance: int) -> Ability:
    """The ability of an instance, floating ones included."""
    t = g.tables
    static = len(t.instance_ability)
    if instance < static:
        return t.abilities[t.instance_ability[instance]]
    return t.abilities[g.floats[instance - static].which]


def bearer_of(g: State, instance: int) -> int:
    """The piece that bears an instance, or -1."""
    t = g.tables
    return t.instance_piece[instance] if instance < len(t.instance_piece) else -1


def lead_of(g: State, instance: int) -> int:
    """The instance by which uses are known: several windows of one ability share that of the first."""
    lead = g.tables.instance_lead
    return lead[instance] if instance < len(lead) else instance


def owner_of(g: State, instance: int) -> int:
    """The seat that owns an instance: holder of the piece, who granted it, or the current seat."""
    t = g.tables
    static = len(t.instance_ability)
    owner = -1
    if instance >= static:
        owner = g.floats[instance - static].owner
    else:
        piece = t.instance_piece[instance]
        if piece >= 0 and g.loc[piece] >= 0:
            owner = t.holder[g.loc[piece]]
    return owner if owner >= 0 else g.current()


def find_spent(g: State) -> int:
    """What is spent already for an event proposed now: that of the event which an ability is replacing."""
    units = g.units
    slots = g.slots
    number = g.depth
    while number >= 0:
        u = units[g.frame_unit(number)]
        if u.event or u.apart:
            return 0
        if u.ability:
            extras = slots[g.frame_base(number) + u.extras + 1]
            return slots[extras + X_SPENT] if slots[extras + X_STATUS] != HAPPENED else 0
        number -= 1
    return 0


def forbidden(g: State, key: i64, base: i64, extras: i64, top: i64) -> bool:
    """Whether an ability under the key forbids the event."""
    found = g.index[key]
    g.work += len(found) * LISTENER
    if g.work > MAX_WORK:
        g.raise_exceeded(-1)
    for instance in found:
        if hears(g, instance, base, extras, top) >= 0:
            if g.bars is not None:
                g.bars[ability_of(g, instance).track] += 1
            return True
    return False


def answers(g: State, key: i64, spent: int, base: i64, extras: i64, top: i64) -> bool:
    """Whether any instance under the key that is not spent answers the event."""
    found = g.index[key]
    g.work += len(found) * LISTENER
    if g.work > MAX_WORK:
        g.raise_exceeded(-1)
    for instance in found:
        if not (spent and (spent >> instance) & 1) and hears(g, instance, base, extras, top) >= 0:
            return True
    return False


def any_answers(g: State, key: i64, spent: int, base: i64, extras: i64, top: i64) -> bool:
    """Whether somebody answers under the key, or must be asked."""
    if g.index[key] and answers(g, key, spent, base, extras, top):
        return True
    return len(g.tables.blind[key]) > 0 and seats_to_ask(g, key, base, extras, top) != 0


def asked_bit(key: int, seat: int) -> int:
    """The mark of a seat that has been asked in one phase of an event."""
    return 1 << (seat + 64 * (key & 3))


def asked_seats(g: State, key: int, extras: i64) -> int:
    """The seats that have been asked in one phase of an event: a mask."""
    asked = g.slots[extras + X_ASKED]
    return (asked >> (64 * (key & 3))) & g.tables.everyone if asked else 0


def asked_seat(g: State, instance: int, b: i64, extras: i64, top: i64) -> int:
    """The seat that decides about an optional instance."""
    a = ability_of(g, instance)
    owner = owner_of(g, instance)
    if a.asks is None:
        return owner
    g.room(top + a.cond_window + 16)
    slots = g.slots
    slots[top] = owner
    slots[top + 1] = bearer_of(g, instance)
    static = len(g.tables.instance_ability)
    if instance >= static:
        at = top + 2
        for capture in g.floats[instance - static].captures:
            slots[at] = capture
            at += 1
    slots[top + a.cond_window] = b
    slots[top + a.cond_window + 1] = extras
    seat = a.asks.ev(g, top)
    return seat if seat >= 0 else owner


def list_in_force(g: State, key: i64) -> int:
    """The abilities in force that could answer in any window of the event of a key: a mask over those that count their
    uses."""
    mask = 0
    for k in range(key & ~3, (key & ~3) + 4):
        found = g.index[k]
        g.work += len(found)
        for instance in found:
            mask |= 1 << lead_of(g, instance)
    return mask


def is_late(g: State, extras: i64, instance: int) -> bool:
    """Whether an ability came into force in a window of the event, and so waits for the next one."""
    roll = g.slots[extras + X_ASKED] >> ROLL
    if roll == 0:
        return False
    listed = (roll >> 2) >> lead_of(g, instance) & 1
    return (listed == 0 if roll & 3 == IN_FORCE else listed == 1) and not ability_of(g, instance).late


def unseen_at(g: State, zones: list[int]) -> bool:
    """Whether a piece lies there that not everybody knows."""
    t = g.tables
    mem = g.mem
    for zone in zones:
        pieces = g.zones[zone]
        for piece in pieces:
            if mem[t.known + piece] != t.everyone:
                return True
        if pieces:
            g.work += len(pieces)
    return False


def unseen_seats(g: State, zones: list[list[int]]) -> int:
    """The seats in whose zones a piece lies that not everybody knows: a mask."""
    found = 0
    for seat, own in enumerate(zones):
        if unseen_at(g, own):
            found |= 1 << seat
    return found


def seats_to_ask(g: State, key: i64, b: i64, extras: i64, top: i64) -> int:
    """The seats that, by what everybody can see, could have something to use, and have not been asked: a mask.

    They are asked whether or not they really have it: who is asked tells nothing about what is hidden.
    """
    t = g.tables
    found = asked = asked_seats(g, key, extras)
    blind = t.blind[key]
    g.work += blind[0].weight
    zones: list[list[int]] | None = None
    holders = 0
    for x in blind:
        a = t.abilities[x.ability]
        if x.zones:
            if x.zones is not zones:  # most abilities under one key work in the same zones
                zones = x.zones
                holders = unseen_seats(g, zones)
            seats = holders & ~found
            if not seats:
                continue
            hidden = find_hidden(g, x)
            if hidden >= 0 and might_hear(g, a, a.might_all, -1, hidden, b, extras, top):
                for seat in range(t.seats):
                    if (seats >> seat) & 1 and might_hear(g, a, a.might_own, seat, hidden, b, extras, top):
                        found |= 1 << seat
            continue
        for instance in x.instances:
            lead = lead_of(g, instance)
            done = g.slots[extras + X_SPENT] | g.slots[extras + X_PASSED]
            g.work += len(g.index[key])
            if (done >> lead) & 1 or instance not in g.index[key] or is_late(g, extras, instance):
                continue
            if a.limit >= 0 and limit_used(g, a, instance, b, extras, top) >= a.limit:
                continue
            seat = asked_seat(g, instance, b, extras, top)
            if (found >> seat) & 1:
                continue
            if might_hear(g, a, a.might, owner_of(g, instance), bearer_of(g, instance), b, extras, top):
                found |= 1 << seat
    return found & ~asked


def find_hidden(g: State, x: Blind) -> int:
    """A piece that bears the ability and that not everybody knows, or -1; copies are alike."""
    t = g.tables
    for instance in x.instances:
        piece = t.instance_piece[instance]
        if g.mem[t.known + piece] != t.everyone:
            return piece
    return -1


def find_in_question(g: State, key: i64, b: i64, extras: i64, top: i64) -> list[tuple[int, int]]:
    """The seats that ``seats_to_ask`` finds, each with every ability that it could have by what everybody can see."""
    t = g.tables
    found: list[tuple[int, int]] = []
    zones: list[list[int]] | None = None
    holders = 0
    if t.blind[key]:
        g.work += t.blind[key][0].weight
    for x in t.blind[key]:
        a = t.abilities[x.ability]
        if not x.zones:
            for instance in x.instances:
                lead = lead_of(g, instance)
                done = g.slots[extras + X_SPENT] | g.slots[extras + X_PASSED]
                g.work += len(g.index[key])
                if (done >> lead) & 1 or instance not in g.index[key] or is_late(g, extras, instance):
                    continue
                if a.limit >= 0 and limit_used(g, a, instance, b, extras, top) >= a.limit:
                    continue
                if might_hear(g, a, a.might, owner_of(g, instance), bearer_of(g, instance), b, extras, top):
                    found.append((asked_seat(g, instance, b, extras, top), x.ability))
            continue
        if x.zones is not zones:
            zones = x.zones
            holders = unseen_seats(g, zones)
        hidden = find_hidden(g, x) if holders else -1
        if hidden >= 0 and might_hear(g, a, a.might_all, -1, hidden, b, extras, top):
            found += [
                (seat, x.ability)
                for seat in range(t.seats)
                if (holders >> seat) & 1 and might_hear(g, a, a.might_own, seat, hidden, b, extras, top)
            ]
    asked = asked_seats(g, key, extras)
    return [(seat, at) for seat, at in found if not (asked >> seat) & 1]


class DoOp(Op):
    """Proposes an event: looks first, and pushes a frame only when something answers or the body waits."""

    __slots__ = (
        "after",
        "args",
        "before",
        "cannot",
        "instead",
        "next",
        "ok",
        "result",
        "routine",
        "unit",
        "window",
    )

    def __init__(
        self, unit: Unit, routine: Routine | None, args: list[Expr], window: i64, ok: int, result: int
    ) -> None:
        super().__init__()
        self.unit = unit
        self.routine = routine
        self.args = args
        self.window = window
        self.ok = ok
        self.result = result
        self.cannot: i64 = -1
        self.before: i64 = -1
        self.instead: i64 = -1
        self.after: i64 = -1
        self.next: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]

    def push(self, g: State, b: i64, start: int) -> i64:
        """Enter the event's unit, whose slots are filled already."""
        g.push_caller(self.pc)
        g.unit = self.unit.index
        g.base = b + self.window
        g.pc = start
        g.open_scope()
        return CALL

    def step(self, g: State, b: i64) -> i64:
        u = self.unit
        base = b + self.window
        window = fill_window(u.blank, self.args, g, b)
        slots = g.slots
        top = base + u.window
        if len(slots) < top + SPARE:
            g.room(top)
        slots[base:top] = window
        extras = base + u.extras
        spent = 0
        if g.abil:
            spent = find_spent(g)
            slots[extras] = spent
        if g.log is not None:
            slots[extras + X_SINCE] = g.log.begin(g, u.proc, base)
        g.work += self.weight
        if self.cannot >= 0 and g.index[self.cannot] and forbidden(g, self.cannot, base, extras, top):
            return self.fail(g, b, base)
        r = self.routine
        if self.before >= 0:
            blind = len(g.tables.blind[self.before]) + len(g.tables.blind[self.instead])
            if blind or g.index[self.before] or g.index[self.instead]:
                # Where there is a frame in any case, or most likely, the window itself looks: once.
                if (
                    r is None
                    or (blind and u.serial < 0)
                    or any_answers(g, self.before, spent, base, extras, top)
                    or any_answers(g, self.instead, spent, base, extras, top)
                ):
                    code = self.push(g, b, 0)
                    g.allowed = True
                    return code
        if r is None:
            return self.push(g, b, u.body)
        code = r.body.run(g, base)
        if g.log is not None:
            g.log.event(g, u.proc, base, 1, slots[extras + X_SINCE], g.result if code == RETURN else -1)
        if code == OVER:
            return END
        result = g.result if code == RETURN else -1
        if self.after >= 0 and (g.index[self.after] or g.tables.blind[self.after]):
            slots[extras + X_STATUS] = HAPPENED
            slots[extras + X_RESULT] = result
            blind = len(g.tables.blind[self.after])
            if (blind and u.serial < 0) or any_answers(g, self.after, spent, base, extras, top):
                return self.push(g, b, u.after)
        if self.ok >= 0:
            slots[b + self.ok] = 1
        if self.result >= 0:
            slots[b + self.result] = result
        return self.next

    def fail(self, g: State, b: i64, base: i64) -> i64:
        """The event is forbidden."""
        breach(g)
        if g.log is not None:
            g.log.event(g, self.unit.proc, base, 0, g.slots[base + self.unit.extras + X_SINCE])
        if self.ok >= 0:
            g.slots[b + self.ok] = 0
        if self.result >= 0:
            g.slots[b + self.result] = -1
        return self.next

    def resume(self, g: State, b: i64) -> i64:
        if not g.ok:
            breach(g)
        if self.ok >= 0:
            g.slots[b + self.ok] = g.ok
        if self.result >= 0:
            g.slots[b + self.result] = g.result
        return self.next


class WindowOp(Op):
    """The base of the windows of an event. Options are instances; -1 is ``pass``."""

    __slots__ = ("columns", "keys", "unit")

    def __init__(self, unit: Unit, columns: list[int]) -> None:
        super().__init__(asks=True)
        self.keys: list[int] = []  # the index keys of the phases in this window
        self.unit = unit
        self.columns = columns

    def pays(self) -> bool:
        return False

    def resume(self, g: State, b: i64) -> i64:
        return self.pc

    def scan(self, g: State, b: i64, key: i64) -> tuple[list[int], list[int]]:
        """The forced and the optional instances that answer now."""
        forced: list[int] = []
        optional: list[int] = []
        extras = b + self.unit.extras
        top = b + self.unit.window
        spent = g.slots[extras + X_SPENT]
        passed = g.slots[extras + X_PASSED]
        hushed = g.hush is not None and self.unit.proc not in g.hush
        rolled = g.slots[extras + X_ASKED] >> ROLL != 0
        found = g.index[key]
        g.work += len(found) * LISTENER
        if g.work > MAX_WORK:
            g.raise_exceeded(-1)
        for instance in found:
            lead = lead_of(g, instance)
            if (spent >> lead) & 1:
                continue
            a = ability_of(g, instance)
            if a.optional and (hushed or (passed >> lead) & 1):
                continue
            if rolled and is_late(g, extras, instance):
                continue
            if hears(g, instance, b, extras, top) >= 0:
                if a.optional:
                    optional.append(instance)
                else:
                    forced.append(instance)
        return forced, optional

    def same(self, g: State, x: int, y: int) -> bool:
        """Whether two instances are of one ability: on pieces that are alike, or granted alike and ending together."""
        a, c = ability_of(g, x), ability_of(g, y)
        if a.index != c.index:
            return False
        static = len(g.tables.instance_ability)
        if x >= static and y >= static:
            return g.floats[x - static] == g.floats[y - static]
        if a.of < 0:
            return False
        p, q = bearer_of(g, x), bearer_of(g, y)
        return g.loc[p] == g.loc[q] and alike(g, p, q, self.columns)

    def unlike(self, g: State, found: list[int]) -> list[int]:
        """The instances without those that are the same as another one: of two the one that more seats know stays."""
        kept: list[int] = []
        known = g.tables.known
        for x in found:
            double = False
            g.work += len(kept) * 4
            for at, y in enumerate(kept):
                if self.same(g, x, y):
                    double = True
                    if bearer_of(g, x) < 0:
                        break
                    mine, other = g.mem[known + bearer_of(g, x)], g.mem[known + bearer_of(g, y)]
                    if mine != other and mine | other == mine:
                        kept[at] = x
            if not double:
                kept.append(x)
        return kept

    def find_asked(self, g: State, b: i64, instance: int) -> int:
        """The seat that decides about an optional instance."""
        return asked_seat(g, instance, b, b + self.unit.extras, b + self.unit.window)

    def look_on(self, g: State, b: i64) -> i64:
        """Look at the phases of this window one after the other, with the results of ``look``.

        A seat that passes changes nothing: the phases before the one it was asked about stay clear, and of that one
        everything is known.
        """
        rest = g.passed
        g.passed = None
        for key in self.keys:
            if rest is not None:
                if key != rest.key:
                    continue
                code = self.ask(g, b, key, rest.optional, rest.closing, rest.waiting, rest.loose)
                rest = None
            else:
                code = self.look(g, b, key)
            if code != CLEAR:
                return code
        return CLEAR

    def look(self, g: State, b: i64, key: i64) -> i64:
        """CLEAR when nothing answers; WAIT when somebody is asked (``g.opts``); else the instance to use."""
        if key < 0 or not (g.index[key] or g.tables.blind[key]):
            return CLEAR
        forced, optional = self.scan(g, b, key)
        closing = CLEAR  # what only ends a duration: the first thing before an event, the last thing after it
        for x in forced:
            a = ability_of(g, x)
            if a.unit < 0:
                if a.phase != AFTER:
                    return x
                closing = x
        if closing != CLEAR:
            forced = [x for x in forced if ability_of(g, x).unit >= 0]
        if forced:
            if len(forced) == 1:
                return forced[0]
            g.charge(len(forced) * len(forced))
            bound: list[int] = []
            for x in forced:
                touches = ability_of(g, x).touches
                loose = True
                for y in forced:
                    if x != y and (touches >> ability_of(g, y).index) & 1:
                        loose = False
                if loose:
                    return x
                bound.append(x)
            bound = self.unlike(g, bound)
            if len(bound) == 1:
                return bound[0]
            g.opts = bound
            return WAIT
        if g.hush is not None and self.unit.proc not in g.hush:
            return closing
        return self.ask(g, b, key, optional, closing, -1, False)

    def ask(self, g: State, b: i64, key: i64, optional: list[int], closing: int, waiting: int, loose: bool) -> i64:
        """Ask the next seat about what is optional; when there is none, what is left is the closing. Who waits (-1),
        and that no order matters, may be known already."""
        if waiting < 0:
            waiting = self.find_waiting(g, b, key, optional)
        seat = self.next_seat(g, b, key, optional, waiting, loose)
        if seat == UNSETTLED:
            g.opts = [IN_TURN, *(FIRST - x for x in seats_from(g.current(), g.tables.seats, waiting))]
            return WAIT
        if seat < 0:
            return closing
        mine = [x for x in optional if self.find_asked(g, b, x) == seat and self.still_open(g, b, key, x, seat)]
        opts = self.unlike(g, mine)
        opts.append(PASS)
        g.opts = opts
        if not loose:  # else somebody has said who comes first
            loose = self.find_said(g, b) == 0
        g.asking = Asking(opts, key, seat, optional, closing, waiting, loose)
        return WAIT

    def still_open(self, g: State, b: i64, key: i64, instance: int, seat: int) -> bool:
        """Whether a seat is (still) offered an instance: what others cannot see is offered until the seat has passed
        once."""
        if not ability_of(g, instance).blind:
            return True
        return not (asked_seats(g, key, b + self.unit.extras) >> seat) & 1

    def find_waiting(self, g: State, b: i64, key: i64, optional: list[int]) -> int:
        """The seats that have to be asked about optional abilities: a mask. It follows from what everybody can see."""
        waiting = 0
        for x in optional:
            seat = self.find_asked(g, b, x)
            if self.still_open(g, b, key, x, seat):
                waiting |= 1 << seat
        if g.tables.blind[key]:
            waiting |= seats_to_ask(g, key, b, b + self.unit.extras, b + self.unit.window)
        return waiting

    def next_seat(self, g: State, b: i64, key: i64, optional: list[int], waiting: int, loose: bool) -> int:
        """Who of those to be asked about optional abilities is next; -1: nobody; UNSETTLED: the current seat says
        who. That no order matters may be known already."""
        if not waiting:
            return -1
        if g.tables.orders and waiting & (waiting - 1) and not g.trial:
            said = self.find_said(g, b)
            if said == 0 or (said != AS_TURNS and not (waiting >> (said - 1)) & 1):
                if not loose and self.needs_order(g, b, key, optional):
                    return UNSETTLED
            elif said != AS_TURNS:
                return said - 1
        return first_seat(g.current(), g.tables.seats, waiting)

    def needs_order(self, g: State, b: i64, key: i64, optional: list[int]) -> bool:
        """Whether two seats could have abilities whose order matters. Like who is asked, it tells nothing of what is
        hidden."""
        if not g.tables.ordered[key]:
            return False
        found = find_in_question(g, key, b, b + self.unit.extras, b + self.unit.window)
        for x in optional:
            if not ability_of(g, x).blind:
                found.append((self.find_asked(g, b, x), ability_of(g, x).index))
        g.charge(len(found) * len(found))
        for seat, one in found:
            touches = g.tables.abilities[one].touches
            for other, two in found:
                if seat != other and (touches >> two) & 1:
                    return True
        return False

    def settle(self, g: State, b: i64, said: int) -> None:
        """Keep who comes first; 0: that has to be asked again."""
        at = b + self.unit.extras + X_ASKED
        if g.tables.orders and self.find_said(g, b) != AS_TURNS:
            g.slots[at] = g.slots[at] & ~(AS_TURNS << SAID) | said << SAID

    def find_said(self, g: State, b: i64) -> int:
        """Who was named as the one that comes first: a seat plus one, 0 for nobody yet, or AS_TURNS."""
        asked = g.slots[b + self.unit.extras + X_ASKED]
        return (asked >> SAID) & AS_TURNS if asked else 0

    def call_roll(self, g: State, b: i64, key: i64) -> None:
        """Keep what is in force while nothing has been used in this window yet: what comes later does not answer."""
        at = b + self.unit.extras + X_ASKED
        roll = g.slots[at] >> ROLL
        if roll & 3 != IN_FORCE:
            present = list_in_force(g, key) & ~(roll >> 2)
            g.slots[at] = g.slots[at] & ((1 << ROLL) - 1) | (present << 2 | IN_FORCE) << ROLL

    def close_roll(self, g: State, b: i64) -> None:
        """What came into force before the event does not answer what follows from it; what comes now does."""
        at = b + self.unit.extras + X_ASKED
        roll = g.slots[at] >> ROLL
        if roll:
            came = list_in_force(g, max(self.keys)) & ~(roll >> 2)
            g.slots[at] = g.slots[at] & ((1 << ROLL) - 1) | ((came << 2 | CAME) << ROLL if came else 0)

    def use(self, g: State, b: i64, instance: int) -> i64:
        """Start an ability's program."""
        t = g.tables
        a = ability_of(g, instance)
        extras = b + self.unit.extras
        self.call_roll(g, b, a.key)
        g.slots[extras + X_SPENT] |= 1 << lead_of(g, instance)
        self.settle(g, b, 0)
        static = len(t.instance_ability)
        args = [owner_of(g, instance), bearer_of(g, instance)]
        if instance < static:
            if a.limit >= 0:
                address = stamp_address(g, a, instance, b, extras, b + self.unit.window)
                used = stamp_count(g, g.mem[address], a.per)
                g.put(address, (limit_serial(g, a.per) << 12) + used + 1)
        else:
            serial = instance - static
            effect = g.floats[serial]
            args += effect.captures
            if a.ends_before >= 0:
                first, last = serial - a.ends_before, serial + a.ends_behind
                for other in [s for s in g.floats if first <= s <= last]:
                    g.put_float(other, None)
            elif a.once:
                g.put_float(serial, None)
            elif a.limit >= 0:
                stamp = (limit_serial(g, a.per) << 12) + stamp_count(g, effect.stamp, a.per) + 1
                used_once_more = Floating(
                    effect.modifies, effect.which, effect.owner, effect.depth, stamp, effect.captures
                )
                g.put_float(serial, used_once_more)
        if g.track is not None:
            g.track[a.track] += 1
        if a.unit < 0:
            return self.pc
        u = g.units[a.unit]
        window = u.blank[:]
        for at, x in enumerate(args):
            window[at] = x
        window[u.extras] = b
        window[u.extras + 1] = extras
        window[u.extras + 2] = instance
        g.abil += 1
        g.enter(a.unit, self.pc, window)
        return CALL

    def pass_all(self, g: State, b: i64) -> i64:
        """The seat asked declines everything it was offered (and what is the same)."""
        extras = b + self.unit.extras
        key, seat, optional = self.find_question(g, b)
        others = 0
        for instance in optional:
            if self.find_asked(g, b, instance) != seat:
                others += 1
            else:
                g.slots[extras + X_PASSED] |= 1 << lead_of(g, instance)
                if g.track is not None:
                    g.track[ability_of(g, instance).declined] += 1
        g.slots[extras + X_ASKED] |= asked_bit(key, seat)
        self.settle(g, b, 0)
        known = g.asking
        if known is not None and known.opts is g.opts:
            passed = g.slots[extras + X_PASSED]
            left = [x for x in optional if not (passed >> lead_of(g, x)) & 1]
            waiting = known.waiting & ~(1 << seat)
            if g.tables.shares_asked or len(left) != others:
                waiting = -1
            g.passed = Asking(known.opts, key, seat, left, known.closing, waiting, known.loose)
        return self.pc

    def find_question(self, g: State, b: i64) -> tuple[int, int, list[int]]:
        """The key of the phase about which somebody is being asked, who is, and all that is optional in it."""
        known = g.asking
        if known is not None and known.opts is g.opts:
            return known.key, known.seat, known.optional
        for key in self.keys:
            if key >= 0 and (g.index[key] or g.tables.blind[key]):
                forced, optional = self.scan(g, b, key)
                seat = self.next_seat(g, b, key, optional, self.find_waiting(g, b, key, optional), False)
                if forced or seat != -1:
                    return key, seat, optional
        return -1, -1, []

    def refresh(self, g: State, b: i64) -> None:
        for key in self.keys:
            if self.look(g, b, key) == WAIT:
                return
        g.opts = []

    def seat(self, g: State, b: i64) -> int:
        if not self.optional(g):
            return g.current()
        if g.opts[0] >= 0:
            return self.find_asked(g, b, g.opts[0])
        return self.find_question(g, b)[1]

    def option_kind(self, g: State, i: i64) -> int:
        option = g.opts[i]
        if option >= 0:
            return OPTION_ABILITY
        if option == PASS:
            return OPTION_PASS
        return OPTION_IN_TURN if option == IN_TURN else OPTION_SEAT

    def optional(self, g: State) -> bool:
        """Whether the present question is about optional abilities (else about an order)."""
        if len(g.opts) == 0 or g.opts[0] <= IN_TURN:
            return False
        return g.opts[0] == PASS or ability_of(g, g.opts[0]).optional

    def label(self, g: State, b: i64) -> str:
        if len(g.opts) > 0 and g.opts[0] <= IN_TURN:
            return "who-first"
        return "react" if self.optional(g) else "order"

    def pick(self, g: State, b: i64, i: i64) -> i64:
        instance = g.opts[i]
        if instance <= IN_TURN:
            self.settle(g, b, AS_TURNS if instance == IN_TURN else FIRST - instance + 1)
            return self.pc
        if instance == PASS:
            return self.pass_all(g, b)
        bearer = bearer_of(g, instance)
        if bearer >= 0 and disputed(g, bearer) and self.optional(g):
            _, seat, optional = self.find_question(g, b)
            which = ability_of(g, instance).index
            items = [bearer_of(g, x) for x in optional if ability_of(g, x).index == which]
            settle(g, seat, bearer, items, self.columns)
        return self.use(g, b, instance)


class LookOp(WindowOp):
    """The start of an event's unit: what forbids it, then the before and the instead window."""

    __slots__ = ("cannot", "next")

    def __init__(self, unit: Unit, columns: list[int]) -> None:
        super().__init__(unit, columns)
        self.cannot: i64 = -1
        self.next: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]

    def step(self, g: State, b: i64) -> i64:
        extras = b + self.unit.extras
        allowed = g.allowed or g.passed is not None
        g.allowed = False
        if not allowed and (
            g.slots[extras + X_STATUS] == CANCELLED
            or (self.cannot >= 0 and forbidden(g, self.cannot, b, extras, b + self.unit.window))
        ):
            if g.log is not None:
                g.log.event(g, self.unit.proc, b, 0, g.slots[extras + X_SINCE])
            g.ok = 0
            g.result = -1
            return RET
        code = self.look_on(g, b)
        if code == WAIT:
            g.pc = self.pc
            return WAIT
        if code == CLEAR:
            self.close_roll(g, b)
            return self.next
        return self.use(g, b, code)


class AfterOp(WindowOp):
    """The end of an event's unit: it has happened; what follows from it."""

    __slots__ = ()

    def step(self, g: State, b: i64) -> i64:
        extras = b + self.unit.extras
        if g.slots[extras + X_STATUS] != HAPPENED:
            g.slots[extras + X_STATUS] = HAPPENED
            g.slots[extras + X_PASSED] = 0
            g.slots[extras + X_ASKED] = g.slots[extras + X_ASKED] >> ROLL << ROLL
            if g.log is not None:
                g.log.event(g, self.unit.proc, b, 1, g.slots[extras + X_SINCE], g.slots[extras + X_RESULT])
        code = self.look_on(g, b)
        if code == WAIT:
            g.pc = self.pc
            return WAIT
        if code != CLEAR:
            return self.use(g, b, code)
        g.ok = 1
        g.result = g.slots[extras + X_RESULT]
        return RET

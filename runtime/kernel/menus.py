"""Operations that ask: menus, accumulating choices, polls. Options are derived from the state, never saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.alike import alike, merge_alike
from grimoire.runtime.kernel.base import (
    DONE_OPTION,
    NO_OPTION,
    OPTION_DONE,
    OPTION_ELEMENT,
    OPTION_ENTRY,
    OPTION_PASS,
    WAIT,
    Expr,
    Op,
    Selector,
)
from grimoire.runtime.kernel.effects import breach
from grimoire.runtime.kernel.nodes import no_element
from grimoire.runtime.kernel.ops import pack, unpack
from grimoire.runtime.kernel.selectors import bits, seats_from
from grimoire.runtime.kernel.state import State
from grimoire.runtime.limits import MAX_ELEMENT

if TYPE_CHECKING:
    from mypy_extensions import i64

MAX_LISTED: Final = 6


def disputed(g: State, piece: int) -> bool:
    """Whether a piece lies where it has no place of its own, among pieces of which two seats know different ones."""
    t = g.tables
    zone = g.loc[piece]
    if zone < 0 or not t.mixes[zone]:
        return False
    pieces = g.zones[zone]
    mem = g.mem
    base = t.known
    if len(pieces) < 3:
        one = mem[base + pieces[0]]
        two = mem[base + pieces[-1]]
        return one != two and (one | two) != one and (one | two) != two
    g.work += len(pieces) >> 4
    masks = {mem[base + p] for p in pieces}
    if len(masks) > 1:
        for one in masks:
            for two in masks:
                if (one | two) != one and (one | two) != two:
                    return True
    return False


def settle(g: State, seat: int, piece: int, items: list[int], columns: list[int]) -> None:
    """A seat chooses a piece by what it is, in a zone where ``disputed`` holds; ``items``: from what it chose.

    Whoever knew one of those that the seat cannot tell apart now knows the chosen one instead, and of the others one
    less. Where each of them lies would show who is meant, so the zone is mixed, and nobody has kept an eye on any piece
    of it; that happens whatever the pieces are, as it must not tell that some are alike.
    """
    t = g.tables
    zone = g.loc[piece]
    mem = g.mem
    base = t.known
    g.work += len(items) * (1 + len(columns))
    if g.log is not None:
        for p in g.zones[zone]:
            g.log.blur(p)
    if (mem[base + piece] >> seat) & 1:
        for q in items:
            if q == piece or g.loc[q] != zone or t.piece_def[q] != t.piece_def[piece]:
                continue
            gained = mem[base + q] & ~mem[base + piece]
            if gained and (mem[base + q] >> seat) & 1 and alike(g, piece, q, columns):
                g.put(base + q, mem[base + q] & ~gained)
                g.put(base + piece, mem[base + piece] | gained)
    g.mix(zone)


class Domain:
    __slots__ = ("i", "sel", "sort")

    def __init__(self, i: i64, sort: str, sel: Selector) -> None:
        self.i = i
        self.sort = sort
        self.sel = sel


class Entry:
    __slots__ = ("body", "domains", "guard", "id", "track")

    def __init__(self, ident: str, guard: Expr | None, domains: list[Domain]) -> None:
        self.id = ident
        self.guard = guard
        self.domains = domains
        self.body: i64 = -1
        self.track: i64 = -1


class MenuOp(Op):
    """One decision: entries with guards, times the elements of their domains."""

    __slots__ = ("columns", "entries", "might", "otherwise", "source", "text", "who")

    def __init__(self, who: Expr, text: str, entries: list[Entry], columns: list[int], source: int) -> None:
        super().__init__(asks=True)
        self.might: Expr | None = None  # whether there could be options, by what all can see, where not all see them
        self.who = who
        self.text = text
        self.entries = entries
        self.columns = columns
        self.source = source  # number of the statement, for why-not and liveness
        self.otherwise: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.otherwise = thread[self.otherwise]
        for entry in self.entries:
            entry.body = thread[entry.body]

    def seat(self, g: State, b: i64) -> int:
        seat = self.who.ev(g, b)
        return seat if seat >= 0 else g.current()

    def label(self, g: State, b: i64) -> str:
        return self.text

    def option_kind(self, g: State, i: i64) -> int:
        return OPTION_PASS if g.opts[i] == NO_OPTION else OPTION_ENTRY

    def ask_all_the_same(self, g: State, b: i64) -> None:
        """A seat without options is asked where others could tell from its silence what they cannot see. A trial asks
        nobody."""
        if self.might is not None and not g.trial and self.might.test(g, b):
            g.opts = [NO_OPTION]
            g.vals = [()]

    def collect(self, g: State, b: i64, seat: int) -> None:
        """Derive the options of a seat."""
        opts: list[int] = []
        vals: list[tuple[int, ...]] = []
        for at, entry in enumerate(self.entries):
            if entry.guard is None or entry.guard.test(g, b):
                if not entry.domains:
                    opts.append(at)
                    vals.append(())
                else:
                    self.enumerate(g, b, seat, at, entry.domains, 0, (), opts, vals)
        g.opts = opts
        g.vals = vals

    def enumerate(
        self,
        g: State,
        b: i64,
        seat: int,
        entry: int,
        domains: list[Domain],
        depth: int,
        prefix: tuple[int, ...],
        opts: list[int],
        vals: list[tuple[int, ...]],
    ) -> None:
        """Every combination of the domains from ``depth`` on."""
        domain = domains[depth]
        pieces = domain.sort == "piece"
        items = domain.sel.items_apart(g, b, seat, self.columns) if pieces else domain.sel.items(g, b)
        if depth == len(domains) - 1:
            for x in items:
                opts.append(entry)
                vals.append((*prefix, x))
            return
        slots = g.slots
        for x in items:
            slots[b + domain.i] = x
            self.enumerate(g, b, seat, entry, domains, depth + 1, (*prefix, x), opts, vals)

    def find(self, g: State, b: i64) -> None:
        """Derive what can be chosen."""
        self.collect(g, b, self.seat(g, b))

    def refresh(self, g: State, b: i64) -> None:
        self.find(g, b)
        if not g.opts:
            self.ask_all_the_same(g, b)

    def step(self, g: State, b: i64) -> i64:
        self.refresh(g, b)
        if not g.opts and not self.refresh_shown(g, b):
            g.charge(self.weight)
            return self.otherwise
        g.pc = self.pc
        return WAIT

    def find_chooser(self, g: State, b: i64) -> int:
        """Whose choice is carried out."""
        return self.seat(g, b)

    def take(self, g: State, b: i64, entry: Entry, values: tuple[int, ...]) -> i64:
        """Carry out what was chosen: the elements of an entry's domains go to their slots."""
        slots = g.slots
        for at, x in enumerate(values):
            domain = entry.domains[at]
            if domain.sort == "piece" and disputed(g, x):
                settle(g, self.find_chooser(g, b), x, domain.sel.items(g, b), self.columns)
            slots[b + domain.i] = x
        if g.log is not None:
            self.tell(g, b, entry, values)
        if g.track is not None:
            g.track[entry.track] += 1
        return entry.body

    def tell(self, g: State, b: i64, entry: Entry, values: tuple[int, ...]) -> None:
        """Log what was chosen."""
        if g.log is not None:
            sorts = [domain.sort for domain in entry.domains]
            g.log.choice(g, self.find_chooser(g, b), self.text, entry.id, sorts, list(values))

    def take_none(self, g: State, b: i64) -> i64:
        """There was nothing to choose."""
        if g.log is not None:
            g.log.choice(g, self.find_chooser(g, b), self.text, "pass", [], [])
        return self.otherwise

    def pick(self, g: State, b: i64, i: i64) -> i64:
        if g.opts[i] == NO_OPTION:
            return self.take_none(g, b)
        return self.take(g, b, self.entries[g.opts[i]], g.vals[i])


class MenuOne(MenuOp):
    """One entry with one domain: the options are the elements."""

    __slots__ = ("guard", "i", "pieces", "sel", "shared")

    def __init__(
        self, who: Expr, text: str, entries: list[Entry], columns: list[int], source: int, pieces: bool, shared: bool
    ) -> None:
        super().__init__(who, text, entries, columns, source)
        self.guard = entries[0].guard
        self.i = entries[0].domains[0].i
        self.sel = entries[0].domains[0].sel
        self.pieces = pieces
        self.shared = shared

    def find(self, g: State, b: i64) -> None:
        if self.guard is not None and not self.guard.test(g, b):
            g.opts = []
            return
        seat = self.seat(g, b)
        items = self.sel.items_apart(g, b, seat, self.columns) if self.pieces else self.sel.items(g, b)
        g.opts = items[:] if self.shared else items

    def step(self, g: State, b: i64) -> i64:
        if self.pieces or self.shared or self.guard is not None:
            self.find(g, b)
        else:
            g.opts = self.sel.items(g, b)
        if not g.opts:
            self.ask_all_the_same(g, b)
            if not g.opts and not self.refresh_shown(g, b):
                g.charge(self.weight)
                return self.otherwise
        g.pc = self.pc
        return WAIT

    def pick(self, g: State, b: i64, i: i64) -> i64:
        x = g.opts[i]
        if x == NO_OPTION:
            return self.take_none(g, b)
        entry = self.entries[0]
        if self.pieces and disputed(g, x):
            settle(g, self.seat(g, b), x, self.sel.items(g, b), self.columns)
        if g.log is not None:
            self.tell(g, b, entry, (x,))
        g.slots[b + self.i] = x
        if g.track is not None:
            g.track[entry.track] += 1
        return entry.body


class MenuPlain(MenuOp):
    """Entries without domains: the options are entry numbers."""

    __slots__ = ("bodies", "guards", "lists")

    def __init__(self, who: Expr, text: str, entries: list[Entry], columns: list[int], source: int) -> None:
        super().__init__(who, text, entries, columns, source)
        self.bodies: list[int] = []
        self.guards = [entry.guard for entry in entries if entry.guard is not None]
        self.lists: list[list[int]] = []  # for each set of guards that hold: the options
        if len(self.guards) <= MAX_LISTED:
            for held in range(1 << len(self.guards)):
                self.lists.append(self.options(held))

    def relink(self, thread: list[int]) -> None:
        super().relink(thread)
        self.bodies = [entry.body for entry in self.entries]

    def options(self, held: i64) -> list[int]:
        """The options when those guards hold."""
        found: list[int] = []
        for at, entry in enumerate(self.entries):
            if entry.guard is None:
                found.append(at)
            else:
                if held & 1:
                    found.append(at)
                held >>= 1
        return found

    def find(self, g: State, b: i64) -> None:
        held: i64 = 0
        bit: i64 = 1
        for guard in self.guards:
            if guard.test(g, b):
                held |= bit
            bit <<= 1
        g.opts = self.lists[held] if self.lists else self.options(held)

    def step(self, g: State, b: i64) -> i64:
        self.find(g, b)
        if not g.opts:
            self.ask_all_the_same(g, b)
            if not g.opts and not self.refresh_shown(g, b):
                g.charge(self.weight)
                return self.otherwise
        g.pc = self.pc
        return WAIT

    def pick(self, g: State, b: i64, i: i64) -> i64:
        at = g.opts[i]
        if at == NO_OPTION:
            return self.take_none(g, b)
        if g.log is not None:
            self.tell(g, b, self.entries[at], ())
        if g.track is not None:
            g.track[self.entries[at].track] += 1
        return self.bodies[at]


# -- accumulating choice


class ChooseOp(Op):
    """One element after the other into a mask slot. Options are elements; -1 is ``done``."""

    __slots__ = ("columns", "constraint", "high", "i", "low", "might", "next", "sel", "sort", "source", "text", "who")

    def __init__(
        self,
        who: Expr,
        text: str,
        i: i64,
        sort: str,
        sel: Selector,
        low: Expr,
        high: Expr,
        constraint: Expr | None,
        might: Expr | None,
        columns: list[int],
        source: int,
    ) -> None:
        super().__init__(asks=True)
        self.might = might  # how many elements there could be, by what all can see, where not all see them
        self.source = source
        self.who = who
        self.text = text
        self.i = i
        self.sort = sort
        self.sel = sel
        self.low = low
        self.high = high
        self.constraint = constraint
        self.columns = columns
        self.next: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]

    def seat(self, g: State, b: i64) -> int:
        seat = self.who.ev(g, b)
        return seat if seat >= 0 else g.current()

    def label(self, g: State, b: i64) -> str:
        return self.text

    def meets(self, g: State, b: i64, mask: int) -> bool:
        """Whether a finished set meets the constraint."""
        if self.constraint is None:
            return True
        kept = g.slots[b + self.i]
        g.slots[b + self.i] = mask
        good = self.constraint.test(g, b)
        g.slots[b + self.i] = kept
        return good

    def reaches(self, g: State, b: i64, mask: int, size: int, rest: list[int], low: int, high: int) -> bool:
        """Whether the mask can be completed, with elements of ``rest``, to a set that meets the constraint."""
        g.charge(self.weight + len(rest))
        if size >= low and self.meets(g, b, mask):
            return True
        if size >= high or size + len(rest) < low:
            return False
        for at in range(len(rest)):
            if self.reaches(g, b, mask | (1 << rest[at]), size + 1, rest[at + 1 :], low, high):
                return True
        return False

    def all_meets(self, g: State, b: i64, mask: int, rest: list[int], low: int, high: int) -> bool:
        """Whether everything together meets the constraint: then every step can be completed, and none need be
        searched."""
        if not low <= mask.bit_count() + len(rest) <= high:
            return False
        for x in rest:
            mask |= 1 << x
        return self.meets(g, b, mask)

    def refresh(self, g: State, b: i64) -> None:
        mask = g.slots[b + self.i]
        size = mask.bit_count()
        low = self.low.ev(g, b)
        high = self.high.ev(g, b)
        if size >= high:
            g.opts = []
            return
        items = [x for x in self.sel.items(g, b) if x >= 0]
        if mask:
            chosen = set(bits(mask))
            items = [x for x in items if x not in chosen]
        if size + len(items) < low:
            breach(g)
            low = size + len(items)
        offered = items
        if self.sort == "piece":
            offered = merge_alike(g, self.seat(g, b), items, self.columns)
        if self.constraint is not None and not self.all_meets(g, b, mask, items, low, high):
            offered = [
                x
                for x in offered
                if self.reaches(g, b, mask | (1 << x), size + 1, [y for y in items if y != x], low, high)
            ]
        else:
            offered = offered[:]
        if offered and size >= low and self.meets(g, b, mask):
            offered.append(DONE_OPTION)
        elif not offered and not self.meets(g, b, mask):
            breach(g)
        if not offered and self.might is not None and not g.trial and self.might.ev(g, b) > size:
            offered = [DONE_OPTION]  # that nothing is left is not for others to see
        g.opts = offered

    def option_kind(self, g: State, i: i64) -> int:
        return OPTION_DONE if g.opts[i] == DONE_OPTION else OPTION_ELEMENT

    def step(self, g: State, b: i64) -> i64:
        self.refresh(g, b)
        if not g.opts and not self.refresh_shown(g, b):
            return self.next
        g.pc = self.pc
        return WAIT

    def pick(self, g: State, b: i64, i: i64) -> i64:
        x = g.opts[i]
        if x == DONE_OPTION:
            if g.log is not None:
                g.log.choice(g, self.seat(g, b), self.text, "done", [], [])
            return self.next
        if x > MAX_ELEMENT:
            no_element(g)
        mask = g.slots[b + self.i]
        if self.sort == "piece" and disputed(g, x):
            settle(g, self.seat(g, b), x, [y for y in self.sel.items(g, b) if not (mask >> y) & 1], self.columns)
        if g.log is not None:
            g.log.choice(g, self.seat(g, b), self.text, self.text, [self.sort], [x])
        g.slots[b + self.i] = mask | (1 << x)
        return self.pc


# -- polls


class PollStart(Op):
    """Hidden slots: who is to answer still, who was asked, then one packed answer a seat."""

    __slots__ = ("hidden", "next", "seats", "who")

    def __init__(self, who: Expr, hidden: i64, seats: int) -> None:
        super().__init__()
        self.who = who
        self.hidden = hidden
        self.seats = seats
        self.next: i64 = -1

    def step(self, g: State, b: i64) -> i64:
        mask = self.who.ev(g, b) & g.tables.everyone
        at = b + self.hidden
        g.slots[at : at + 2 + self.seats] = [mask, mask] + [0] * self.seats
        return self.next

    def relink(self, thread: list[int]) -> None:
        self.next = thread[self.next]


class PollOp(MenuOp):
    """Every seat of the mask answers; the answers are kept, and carried out when all are in."""

    __slots__ = ("hidden", "i", "next")

    def __init__(self, text: str, entries: list[Entry], columns: list[int], source: int, i: i64, hidden: i64) -> None:
        super().__init__(_NOBODY, text, entries, columns, source)
        self.i = i
        self.hidden = hidden
        self.next: i64 = -1

    def relink(self, thread: list[int]) -> None:
        super().relink(thread)
        self.next = thread[self.next]

    def find_pending(self, g: State, b: i64) -> list[int]:
        """The seats that have not answered, in turn order."""
        return seats_from(g.current(), g.tables.seats, g.slots[b + self.hidden])

    def find_asked(self, g: State, b: i64) -> list[int]:
        """All seats of the poll, in turn order."""
        return seats_from(g.current(), g.tables.seats, g.slots[b + self.hidden + 1])

    def seat(self, g: State, b: i64) -> int:
        return self.find_pending(g, b)[0]

    def find_chooser(self, g: State, b: i64) -> int:
        return g.slots[b + self.i]

    def ask(self, g: State, b: i64, seat: int) -> None:
        """Derive the options of one of the seats."""
        g.slots[b + self.i] = seat
        self.collect(g, b, seat)
        if not g.opts:
            self.ask_all_the_same(g, b)

    def refresh(self, g: State, b: i64) -> None:
        self.ask(g, b, self.seat(g, b))

    def step(self, g: State, b: i64) -> i64:
        while True:
            left = self.find_pending(g, b)
            if not left:
                return self.next
            self.ask(g, b, left[0])
            if g.opts or self.refresh_shown(g, b):
                g.pc = self.pc
                return WAIT
            g.slots[b + self.hidden] &= ~(1 << left[0])

    def pick(self, g: State, b: i64, i: i64) -> i64:
        return self.answer(g, b, self.seat(g, b), i)

    def answer(self, g: State, b: i64, seat: int, i: i64) -> i64:
        """Keep the answer of a seat: option i of those derived for it."""
        if g.opts[i] != NO_OPTION:
            g.slots[b + self.hidden + 2 + seat] = pack([g.opts[i], *g.vals[i]])
        g.slots[b + self.hidden] &= ~(1 << seat)
        return self.pc


class PollNext(Op):
    """Carries out the answers in turn order."""

    __slots__ = ("exit", "hidden", "poll")

    def __init__(self, poll: PollOp, hidden: i64) -> None:
        super().__init__()
        self.poll = poll
        self.hidden = hidden
        self.exit: i64 = -1

    def relink(self, thread: list[int]) -> None:
        self.exit = thread[self.exit]

    def step(self, g: State, b: i64) -> i64:
        slots = g.slots
        left = seats_from(g.current(), g.tables.seats, slots[b + self.hidden + 1])
        if not left:
            return self.exit
        seat = left[0]
        slots[b + self.hidden + 1] &= ~(1 << seat)
        slots[b + self.poll.i] = seat
        answer = unpack(slots[b + self.hidden + 2 + seat])
        if not answer:
            return self.poll.otherwise
        return self.poll.take(g, b, self.poll.entries[answer[0]], tuple(answer[1:]))


class _Nobody(Expr):
    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        return -1


_NOBODY: Final = _Nobody()

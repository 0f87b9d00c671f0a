"""The base of the kernel: what nodes, statements and operations are, units of code, tables, and fixed numbers."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Final

from grimoire.runtime.kernel.alike import merge_alike

if TYPE_CHECKING:
    from mypy_extensions import i64

    from grimoire.runtime.kernel.state import State

# What a step returns besides the next position.
WAIT: Final = -1
CALL: Final = -2
RET: Final = -3
END: Final = -4
DONE: Final = -5

# What a block returns.
NEXT: Final = 0
STOP: Final = 1
AGAIN: Final = 2
RETURN: Final = 3
OVER: Final = 4

# Fixed addresses of ``mem``; the variables follow.
DRAWS: Final = 0
SCRIPTED: Final = 1  # forced results used up: of random statements, and of shuffles from the bit FORCED on
SERIAL: Final = 2
GRANTED: Final = 3
MIXES: Final = 4  # like DRAWS, of the stream that zones without an order are mixed from
NIL: Final = 5  # always holds -1: the column of nothing
VARS: Final = 6

FORCED: Final = 20

# Slots behind the window of a proposed event.
X_SPENT: Final = 0
X_PASSED: Final = 1
X_STATUS: Final = 2
X_RESULT: Final = 3
X_SINCE: Final = 4
X_ASKED: Final = 5
EXTRAS: Final = 6
# Slots behind the window of an ability: event, event extras, instance.
HEARD: Final = 3

PROPOSED: Final = 0
HAPPENED: Final = 1
CANCELLED: Final = 2

# Trail tags (addresses are >= 0).
T_MOVE: Final = -1
T_ORDER: Final = -2
T_FLOATS: Final = -3

# What an option is: `Op.option_kind` tells it. Nothing outside the kernel reads it off the number in `g.opts`.
OPTION_ENTRY: Final = 0  # an entry of a menu
OPTION_ELEMENT: Final = 1  # one of those to choose from
OPTION_ABILITY: Final = 2  # to use an ability, or to let it come first
OPTION_DONE: Final = 3  # to choose no more
OPTION_PASS: Final = 4  # to use nothing, or to have nothing to choose from
OPTION_IN_TURN: Final = 5  # who reacts first is as the turns go
OPTION_SEAT: Final = 6  # that a seat reacts first

# Options in `g.opts` that are no number of an entry, an element or an instance.
NO_OPTION: Final = -(1 << 60)  # the only option of a seat that has none, but is asked because others cannot see that
DONE_OPTION: Final = -1  # elements to choose from are never below 0
PASS: Final = -1  # nor are instances
IN_TURN: Final = -2  # an option of the question who comes first: as the turns go, for the whole window
FIRST: Final = -3  # less a seat: that seat comes first

SPARE: Final = 64


class TrialFailed(Exception):
    """A cost that is being tried cannot be carried out in full."""


class Expr:
    """A pure expression: it says its value or, if it is naturally a test, its truth. The other follows from that."""

    __slots__ = ()

    def ev(self, g: State, b: i64) -> int:
        return 1 if self.test(g, b) else 0

    def test(self, g: State, b: i64) -> bool:
        return self.ev(g, b) != 0


class Selector:
    """A pure ordered list; the list returned may be shared and must not be changed."""

    __slots__ = ()

    @abstractmethod
    def items(self, g: State, b: i64) -> list[int]: ...

    def some(self, g: State, b: i64) -> bool:
        return len(self.items(g, b)) > 0

    def count(self, g: State, b: i64) -> int:
        return len(self.items(g, b))

    def first(self, g: State, b: i64) -> int:
        found = self.items(g, b)
        return found[0] if found else -1

    def items_apart(self, g: State, b: i64, seat: int, columns: list[int]) -> list[int]:
        """The pieces of the list that a seat can tell apart."""
        return merge_alike(g, seat, self.items(g, b), columns)

    def total(self, g: State, b: i64, column: list[int], base: i64) -> int:
        """The sum of a column over the elements."""
        total = 0
        for x in self.items(g, b):
            total += column[base + x]
        return total


class Stmt:
    """A statement that never waits; ``run`` returns NEXT, STOP, AGAIN, RETURN or OVER."""

    __slots__ = ()

    @abstractmethod
    def run(self, g: State, b: i64) -> i64: ...


def fill_window(blank: list[int], args: list[Expr], g: State, b: i64) -> list[int]:
    """The window of a call: its arguments, the rest blank."""
    window = blank[:]
    for at, arg in enumerate(args):
        window[at] = arg.ev(g, b)
    return window


ASKS_NOTHING: Final = "this operation asks nothing"
NO_TRACKS: Final[list[int]] = []


class Op:
    """An operation of flat code. One that asks derives its options when it is stepped on or refreshed; they are never
    saved."""

    __slots__ = ("asks", "pc", "tracks", "weight")

    def __init__(self, asks: bool = False) -> None:
        self.asks = asks  # the game can wait here
        self.pc: i64 = -1
        self.tracks = NO_TRACKS  # of one that asks: the counters of being answered
        self.weight: i64 = 1  # units of work, where they are charged by the operation itself

    @abstractmethod
    def step(self, g: State, b: i64) -> i64: ...

    def resume(self, g: State, b: i64) -> i64:
        """A frame that this operation called has returned (``g.ok``, ``g.result``)."""
        raise AssertionError("this operation calls no frame")

    def relink(self, thread: list[int]) -> None:
        """Replace jump targets by the final ones."""

    # -- only of one that asks

    def pick(self, g: State, b: i64, i: i64) -> i64:
        """Take option i; returns the next position or code."""
        raise AssertionError(ASKS_NOTHING)

    def seat(self, g: State, b: i64) -> int:
        """Who is asked."""
        raise AssertionError(ASKS_NOTHING)

    def label(self, g: State, b: i64) -> str:
        """What the question is called."""
        raise AssertionError(ASKS_NOTHING)

    def refresh(self, g: State, b: i64) -> None:
        """Derive ``g.opts`` and ``g.vals`` again."""
        raise AssertionError(ASKS_NOTHING)

    def option_kind(self, g: State, i: i64) -> int:
        """What option i of those derived is: one of the numbers ``OPTION_..``."""
        raise AssertionError(ASKS_NOTHING)

    def refresh_shown(self, g: State, b: i64) -> bool:
        """No option was found: whether there is one as soon as everybody has seen what lies on top."""
        if not g.stirred:
            return False
        mark = g.mark()
        g.show_tops()
        self.refresh(g, b)
        if not g.opts:
            g.undo(mark)
        g.drop()
        return len(g.opts) > 0

    def pays(self) -> bool:
        """Whether answers belong to a cost being paid; reactions to the payment do not."""
        return True


class Asking:
    """What a window found out when it put a question to a seat; it holds as long as these options stand."""

    __slots__ = ("closing", "key", "loose", "optional", "opts", "seat", "waiting")

    def __init__(
        self, opts: list[int], key: i64, seat: int, optional: list[int], closing: int, waiting: int, loose: bool
    ) -> None:
        self.opts = opts
        self.key = key
        self.seat = seat
        self.optional = optional
        self.closing = closing  # what ends a duration when nobody uses anything any more, or CLEAR
        self.waiting = waiting  # the seats that have to be asked, this one included: a mask; -1: to be found out
        self.loose = loose  # the order of what they could use does not matter


class Unit:
    """One piece of flat code: a procedure called, the pipeline of a verb, or an ability's program."""

    __slots__ = (
        "ability",
        "after",
        "apart",
        "blank",
        "body",
        "code",
        "event",
        "extras",
        "index",
        "name",
        "paying",
        "place",
        "proc",
        "serial",
        "since",
        "until",
        "weight",
        "window",
    )

    def __init__(self, index: int, proc: i64, name: str) -> None:
        self.index = index
        self.proc = proc
        self.name = name
        self.place: i64 = -1
        self.code: list[Op] = []
        self.window: i64 = 0  # all slots, hidden ones included
        self.blank: list[int] = []  # a window with nothing in it yet
        self.event = False
        self.ability = False
        self.apart = False  # events proposed in it do not belong to the ability that called it
        self.extras: i64 = -1  # offset of the event's or ability's extra slots
        self.body: i64 = 0  # where the body starts (events)
        self.after: i64 = -1  # where the after window stands (events)
        self.serial: i64 = -1  # offset of the scope serial, if a limit counts by it
        self.since: list[int] = []  # offsets of the slots in which events keep when they began, for the log
        self.until = False  # floating effects may end with it
        self.paying: list[int] = []  # for each position: end of the payment it lies in, or -1
        self.weight: i64 = 1  # units of work that it takes, without what is charged while it runs


class Ability:
    """A listener as declared; instances are (ability, bearing piece)."""

    __slots__ = (
        "asks",
        "blind",
        "by_seat",
        "cond",
        "cond_window",
        "declined",
        "ends_before",
        "ends_behind",
        "id",
        "index",
        "key",
        "label",
        "late",
        "later",
        "limit",
        "might",
        "might_all",
        "might_own",
        "of",
        "once",
        "optional",
        "per",
        "phase",
        "place",
        "touches",
        "track",
        "unit",
        "verb",
        "weight",
    )

    def __init__(self, index: int, ident: str) -> None:
        self.index = index
        self.id = ident
        self.label = ident
        self.verb: i64 = -1
        self.phase: i64 = 0
        self.of: i64 = -1
        self.key: i64 = -1
        self.cond: Expr | None = None
        self.cond_window: i64 = 2
        self.optional = False
        self.asks: Expr | None = None
        self.might: Expr | None = None  # what all can see of the condition
        self.might_all: Expr | None = None  # the part of it that is the same whoever has the ability
        self.might_own: Expr | None = None  # the rest of it
        self.blind = False  # others cannot see whether it may be used
        self.unit: i64 = -1
        self.limit = -1
        self.per: i64 = -1
        self.once = False
        self.late = False  # it answers an event in whose windows it came into force
        self.by_seat: i64 = -1  # base address of its uses by each seat, and by nobody; -1: all uses count together
        self.later = False  # a floating one does not answer in the frame of its limit that runs when it is granted
        self.ends_before: i64 = -1  # when it is used, so many effects granted before it and behind it end with it
        self.ends_behind: i64 = -1
        self.place: i64 = -1
        self.track: i64 = -1
        self.declined: i64 = -1
        self.weight: i64 = 0  # units of work of its condition
        self.touches = 0  # the abilities whose order with this one can matter: a mask over their numbers


class Modifier:
    """A continuous modifier as declared."""

    __slots__ = ("add", "cond", "index", "key", "of", "set", "slot", "window")

    def __init__(self, index: int) -> None:
        self.index = index
        self.of: i64 = -1
        self.key: i64 = -1
        self.slot: i64 = 2
        self.window: i64 = 3
        self.cond: Expr | None = None
        self.add: Expr | None = None
        self.set: Expr | None = None


class Floating:
    """An ability or a modifier in force that no piece bears. It is never changed: another one takes its place."""

    __slots__ = ("captures", "depth", "modifies", "owner", "stamp", "which")

    def __init__(self, modifies: bool, which: int, owner: int, depth: int, stamp: int, captures: list[int]) -> None:
        self.modifies = modifies  # a modifier, else an ability
        self.which = which  # its number among the abilities or the modifiers
        self.owner = owner  # the seat that granted it, or -1
        self.depth = depth  # the number of the frame with which it ends; -1: with none
        self.stamp = stamp  # how often it was used in which scope, as with instances that pieces bear
        self.captures = captures  # what the names in it meant when it was granted

    def row(self) -> list[int]:
        """What is saved: plain numbers."""
        return [1 if self.modifies else 0, self.which, self.owner, self.depth, self.stamp, *self.captures]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Floating) and self.row() == other.row()


class Hook:
    """Where an ability or a modifier of a piece is in force: its instance, index key and zones."""

    __slots__ = ("instance", "key", "live")

    def __init__(self, instance: int, key: i64, live: list[bool]) -> None:
        self.instance = instance
        self.key = key
        self.live = live


class Blind:
    """An optional ability of which not everybody can see whether it may be used: who could have it is asked all the
    same."""

    __slots__ = ("ability", "instances", "weight", "zones")

    def __init__(self, ability: int, instances: list[int], zones: list[list[int]]) -> None:
        self.ability = ability
        self.instances = instances
        self.weight: i64 = 1  # units of work to ask who could have it, or one that follows it under the same key
        self.zones = (
            zones  # for each seat those of its own zones in which it would work unseen; empty: it works in the open
        )


class Tables:
    """Everything about a program that the kernel reads while playing."""

    __slots__ = (
        "abilities",
        "blind",
        "current",
        "everyone",
        "fixture_zone",
        "holder",
        "hooks",
        "index",
        "inside",
        "instance_ability",
        "instance_lead",
        "instance_piece",
        "key",
        "known",
        "listed",
        "lists",
        "loc",
        "main",
        "mem",
        "mixed",
        "mixes",
        "mod_instance",
        "mod_piece",
        "modifiers",
        "ordered",
        "orders",
        "pays",
        "piece_columns",
        "piece_def",
        "places",
        "seats",
        "sees",
        "sees_top",
        "shares_asked",
        "stamps",
        "tops",
        "units",
        "zone_fixture",
        "zones",
    )

    def __init__(self) -> None:
        self.seats = 0
        self.everyone = 0
        self.key = b""
        self.mem: list[int] = []
        self.zones: list[list[int]] = []
        self.loc: list[int] = []
        self.index: list[list[int]] = []  # another list takes the place of one, it is never changed
        self.blind: list[tuple[Blind, ...]] = []  # by key, like the index
        self.current: i64 = -1  # address of the variable that names the current seat
        self.lists = 0  # how many lists of all pieces of a kind a state keeps
        self.listed: list[list[int]] = []  # for each piece the numbers of those that it stands in
        self.known: i64 = 0  # base address of the masks of those that know a piece
        self.stamps: i64 = 0  # base address of limit stamps: one for each static instance, then those by seats
        self.sees: list[int] = []
        self.sees_top: list[bool] = []
        self.tops = False  # whether any zone shows its top
        self.mixed: list[int] = []  # the zones that are mixed, by number
        self.mixes: list[bool] = []  # whether a zone has no order, and somebody does not see what lies where in it
        self.ordered: list[bool] = []  # by key: the order of two abilities under it can matter
        self.orders = False  # whether the current seat says whose optional abilities come first
        self.holder: list[int] = []
        self.zone_fixture: list[int] = []
        self.fixture_zone: list[int] = []
        self.piece_def: list[int] = []
        self.hooks: list[list[Hook]] = []
        self.units: list[Unit] = []
        self.abilities: list[Ability] = []
        self.modifiers: list[Modifier] = []
        self.instance_ability: list[int] = []
        self.instance_piece: list[int] = []
        self.instance_lead: list[int] = []  # the instance whose uses are counted: itself, or that of the first window
        self.shares_asked = False  # whether an ability that counts its uses with another says who is asked about it
        self.mod_instance: list[int] = []
        self.mod_piece: list[int] = []
        self.main: i64 = 0
        self.pays = False
        self.places: list[str] = []
        self.inside: dict[int, str] = {}  # places in procedures that run without a frame: their names
        self.piece_columns: list[int] = []  # bases of the columns by which a seat tells pieces apart

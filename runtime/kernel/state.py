"""The kernel's state: a store, what is suspended, undo, and the main loop.

Everything that is suspended lives in ``frames`` (three ints for each of ``depth`` callers; what lies behind them is
left over) and ``slots``; nothing stays on the Python stack while a game waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grimoire.runtime.errors import BudgetExceeded
from grimoire.runtime.kernel.base import (
    CALL,
    DONE,
    END,
    RET,
    SERIAL,
    SPARE,
    WAIT,
    X_RESULT,
    Asking,
    Op,
    Tables,
)
from grimoire.runtime.kernel.rng import stream
from grimoire.runtime.kernel.store import Store
from grimoire.runtime.limits import MAX_DEPTH, MAX_WORK, ROOMY, TRY

if TYPE_CHECKING:
    from mypy_extensions import i64

    from grimoire.runtime.kernel.protocols import Script

FRESH: Final[list[int]] = [-1] * (2 * SPARE)
CALLERS: Final[list[int]] = [0] * (3 * 8)  # room for callers: no list grows and shrinks with every call
NO_OPTIONS: Final[list[int]] = []
NO_VALUES: Final[list[tuple[int, ...]]] = []


class Mark:
    """What undo needs besides the trail."""

    __slots__ = (
        "abil",
        "barrier",
        "base",
        "depth",
        "frames",
        "log",
        "over",
        "pc",
        "slots",
        "stirred",
        "trail",
        "unit",
        "waiting",
        "winners",
    )

    def __init__(self, g: State, top: i64) -> None:
        self.trail = len(g.trail)
        self.depth = g.depth
        self.frames = g.frames[:]
        self.slots = g.slots[:top]
        self.unit = g.unit
        self.pc = g.pc
        self.base = g.base
        self.abil = g.abil
        self.barrier = g.barrier
        self.stirred = g.stirred
        self.over = g.over
        self.winners = g.winners
        self.waiting = g.waiting
        self.log = -1 if g.log is None else g.log.size()


class State(Store):
    """A game in play."""

    __slots__ = (
        "abil",
        "allowed",
        "asking",
        "bars",
        "base",
        "depth",
        "frames",
        "goal_depth",
        "goal_pc",
        "hush",
        "ok",
        "opts",
        "over",
        "passed",
        "pc",
        "result",
        "script",
        "slots",
        "track",
        "trial",
        "unit",
        "units",
        "vals",
        "waiting",
        "winners",
    )

    def __init__(self, tables: Tables, stream: bytes, source: State | None) -> None:
        """At the start of a game, or with the same pieces, numbers and slots as another state."""
        super().__init__(tables, stream, source)
        self.units = tables.units
        self.slots: list[int] = FRESH[:]
        self.frames: list[int] = CALLERS[:]
        self.depth: i64 = 0
        self.unit = tables.main
        self.pc: i64 = 0
        self.base: i64 = 0
        self.abil: i64 = 0
        self.over = -1
        self.winners = 0
        self.waiting = False
        self.ok: i64 = 1
        self.result = -1
        self.opts = NO_OPTIONS  # another list takes its place, it is never changed
        self.vals = NO_VALUES
        self.allowed = False  # an event is proposed just now, and nothing forbids it
        self.asking: Asking | None = None
        self.passed: Asking | None = None  # a seat has passed just now: what is left of what it was asked
        self.trial: i64 = 0  # abilities running when a trial of a cost began, plus one; 0: no trial
        self.goal_depth: i64 = -1
        self.goal_pc: i64 = -1
        self.hush: frozenset[int] | None = (
            None  # where one thinks ahead: nobody is asked to react but to these procedures
        )
        self.script: Script | None = None
        self.track: list[int] | None = None
        self.bars: list[int] | None = (
            None  # the same counters for what forbids: also in a trial, where nothing else is counted
        )

    def count_in(self, counters: list[int]) -> None:
        """Count from here on what is reached; only with a program built with tracking."""
        self.track = self.bars = counters

    def restart(self, stream: bytes, source: State | None) -> None:
        """As it was made, for another game: at its start, or where another state waits."""
        self.restart_store(stream, source)
        self.depth = 0
        self.abil = 0
        self.waiting = False
        self.over = -1
        self.winners = 0
        self.ok = 1
        self.result = -1
        self.opts = NO_OPTIONS
        self.vals = NO_VALUES
        self.allowed = False
        self.asking = None
        self.passed = None
        self.trial = 0
        self.goal_depth = -1
        self.goal_pc = -1
        self.script = None
        self.hush = None
        self.track = None
        self.bars = None
        if source is None:
            self.open_main()
        else:
            self.stand_as(source)

    def open_main(self) -> None:
        """Stand at the start of the main procedure."""
        t = self.tables
        u = self.units[t.main]
        self.unit = t.main
        self.base = 0
        self.pc = 0
        if len(self.slots) < u.window + SPARE:
            self.room(u.window)
        self.slots[: u.window] = u.blank
        self.slots[0] = 0
        if u.serial >= 0:
            self.open_scope()
        for zone in t.mixed:
            self.mix(zone)

    # -- copying

    def copy(self) -> State:
        """An independent copy without history."""
        return self.copy_for(self.stream)

    def copy_for(self, stream: bytes) -> State:
        """The same with another stream of random numbers."""
        g = State(self.tables, stream, self)
        g.stand_as(self)
        return g

    def stand_as(self, source: State) -> None:
        """Wait where another state of the same program waits, with what it would do next."""
        top = source.top()
        self.room(top)
        self.slots[:top] = source.slots[:top]
        self.frames = source.frames[:]
        self.depth = source.depth
        self.unit = source.unit
        self.pc = source.pc
        self.base = source.base
        self.abil = source.abil
        self.work = source.work
        self.over = source.over
        self.winners = source.winners
        self.waiting = source.waiting
        self.opts = source.opts
        self.vals = source.vals
        self.script = source.script
        self.hush = source.hush

    def mark(self) -> Mark:
        """Remember this moment; until the mark is dropped, every write goes to the trail."""
        self.tracing += 1
        return Mark(self, self.top())

    def mark_in(self, top: i64) -> Mark:
        """The same inside an expression, whose window above the running frame ends there."""
        self.tracing += 1
        return Mark(self, top)

    def drop(self) -> None:
        """Forget the latest mark."""
        self.tracing -= 1
        if self.tracing == 0:
            self.forget_trail()

    def undo(self, mark: Mark) -> None:
        """Back to the mark, which stays set. The options of a waiting game must be refreshed, or put back."""
        self.rewind(mark.trail)
        self.frames = mark.frames[:]
        self.depth = mark.depth
        saved = mark.slots
        self.slots[: len(saved)] = saved
        self.unit = mark.unit
        self.pc = mark.pc
        self.base = mark.base
        self.abil = mark.abil
        self.barrier = mark.barrier
        self.stirred = mark.stirred
        self.over = mark.over
        self.winners = mark.winners
        self.waiting = mark.waiting
        if self.log is not None:
            self.log.cut(mark.log)

    # -- frames

    def top(self) -> i64:
        """Where the slots of the running frame end; what lies above is left over from what has returned."""
        return self.base + self.units[self.unit].window

    def find_running(self, proc: i64) -> i64:
        """The number (from the bottom) of the nearest running frame of a procedure, or -1."""
        units = self.units
        if units[self.unit].proc == proc:
            return self.depth
        frames = self.frames
        for number in range(self.depth - 1, -1, -1):
            if units[frames[number * 3]].proc == proc:
                return number
        return -1

    def frame_base(self, number: int) -> i64:
        """The base of the slots of a frame by its number."""
        return self.base if number == self.depth else self.frames[number * 3 + 2]

    def frame_unit(self, number: int) -> i64:
        """The unit of a frame by its number."""
        return self.unit if number == self.depth else self.frames[number * 3]

    def frame_pc(self, number: int) -> i64:
        """Where a frame stands, by its number."""
        return self.pc if number == self.depth else self.frames[number * 3 + 1]

    def callers(self) -> list[int]:
        """Unit, position and base of every caller, from the bottom."""
        return self.frames[: self.depth * 3]

    def push_caller(self, pc: i64) -> None:
        """Keep where the running frame goes on when what it calls has returned."""
        frames = self.frames
        at = self.depth * 3
        if at == len(frames):
            frames.extend(CALLERS)
        frames[at] = self.unit
        frames[at + 1] = pc
        frames[at + 2] = self.base
        self.depth += 1

    def pop_caller(self) -> i64:
        """Stand in the frame of the caller; gives the position of its call."""
        frames = self.frames
        self.depth -= 1
        at = self.depth * 3
        self.unit = frames[at]
        self.base = frames[at + 2]
        return frames[at + 1]

    def enter(self, unit: i64, pc: i64, window: list[int]) -> None:
        """Push a frame with its window: ``pc`` is the position of the calling operation."""
        units = self.units
        u = units[unit]
        base = self.base + units[self.unit].window
        self.push_caller(pc)
        top = base + u.window
        if len(self.slots) < top + SPARE:
            self.room(top)
        self.slots[base:top] = window
        self.unit = unit
        self.base = base
        self.pc = 0
        self.open_scope()

    def begin(self, unit: i64, args: list[int]) -> None:
        """Drop all pending work and stand at the start of a unit, at the bottom."""
        u = self.units[unit]
        self.depth = 0
        self.floats_end()
        self.unit = unit
        self.base = 0
        self.pc = 0
        self.abil = 0
        self.waiting = False
        self.over = -1
        self.winners = 0
        self.room(u.window)
        self.slots[: u.window] = u.blank
        self.slots[: len(args)] = args
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
        self.work += u.weight
        if self.work > MAX_WORK or self.depth > MAX_DEPTH:
            self.raise_exceeded(-1)

    def room(self, top: i64) -> None:
        """Make sure that slots up to ``top`` exist."""
        if len(self.slots) < top + SPARE:
            self.slots.extend([-1] * (top + SPARE - len(self.slots)))

    def charge(self, units: int) -> None:
        """Charge work that is neither a frame nor a loop."""
        self.work += units
        if self.work > MAX_WORK:
            self.raise_exceeded(-1)

    def charge_trial(self) -> None:
        """Charge a trial, which copies the slots."""
        n = len(self.slots)
        self.work += TRY if n <= ROOMY else TRY + (n >> 3)
        if self.work > MAX_WORK:
            self.raise_exceeded(-1)

    def trim(self) -> None:
        """Give back what deep chains of earlier decisions left of the slots: every trial copies them."""
        del self.slots[max(self.base + self.units[self.unit].window + SPARE, ROOMY) :]

    def raise_exceeded(self, place: i64) -> None:
        """Raise: too much work, or too deep a chain. ``place`` is the number of that of the form at which it happened,
        or -1."""
        if self.work <= MAX_WORK:
            raise self.breach("depth", MAX_DEPTH, f"more than {MAX_DEPTH} procedures run inside each other", place)
        raise self.breach("work", MAX_WORK, f"more than {MAX_WORK:,} units of work in one decision", place)

    def breach(self, what: str, limit: int, text: str, place: int = -1) -> BudgetExceeded:
        """The error for a limit that was passed: with the place and the chain of what is running, innermost first."""
        names = self.tables.places
        chain: list[str] = []
        if place in self.tables.inside:
            where = names[place]
            chain.append(f"{self.tables.inside[place]} ({where})" if where else self.tables.inside[place])
        for number in range(self.depth, -1, -1):
            unit = self.units[self.frame_unit(number)]
            where = names[unit.place] if 0 <= unit.place < len(names) else ""
            chain.append(f"{unit.name} ({where})" if where else unit.name)
            if place < 0:
                place = unit.place
        where = names[place] if 0 <= place < len(names) else ""
        told = " < ".join(chain[:12]) + (" < ..." if len(chain) > 12 else "")
        return BudgetExceeded(f"{text}{f' at {where}' if where else ''}: {told}", what, limit, where, tuple(chain))

    def leave_frame(self) -> i64:
        """Pop the running frame; returns the next position in the caller, or END when nothing is left."""
        u = self.units[self.unit]
        if self.goal_depth == self.depth:
            return DONE
        if u.until and self.floats:
            self.end_floats(self.depth)
        if u.ability:
            self.abil -= 1
        if not self.depth:
            return self.finish(0, 0)
        pc = self.pop_caller()
        return self.units[self.unit].code[pc].resume(self, self.base)

    def unwind(self, proc: i64) -> i64:
        """Leave everything down to the nearest running frame of a procedure, which returns ``g.result``."""
        number = self.find_running(proc)
        if self.goal_depth >= 0 and number <= self.goal_depth:
            return DONE
        if number < 0:
            return self.finish(0, 0)
        if self.log is not None:
            self.log.leave(self, self.frame_base(number))
        while self.depth > number:
            if self.units[self.unit].ability:
                self.abil -= 1
            self.pop_caller()
        if self.floats:
            self.end_floats(number + 1)
        u = self.units[self.unit]
        if u.event:
            self.slots[self.base + u.extras + X_RESULT] = self.result
            self.pc = u.after
            return CALL
        self.ok = 1
        return RET

    def finish(self, outcome: int, winners: int) -> i64:
        """The game is over."""
        self.over = outcome
        self.winners = winners
        return END

    # -- the main loop

    def run(self, pc: i64) -> i64:
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
                if self.stirred and not self.trial:
                    self.rest()
                    if self.waiting and not self.opts:  # the question was about what all have seen by now
                        pc = self.pc
                        continue
                return pc
            code = units[self.unit].code
            b = self.base

    def rest(self) -> None:
        """The game waits, or is over: what lies on top is seen where tops are shown. What only passed there never
        was."""
        known = self.barrier
        shown = self.show_tops()
        self.stirred = 0
        if self.log is not None:
            self.log.rest(shown)
        if self.waiting and self.barrier != known:  # else nobody has learned anything: the options stand
            self.waiter().refresh(self, self.base)

    def waiter(self) -> Op:
        """The operation that the game waits at."""
        op = self.units[self.unit].code[self.pc]
        assert op.asks
        return op

    def choose(self, i: i64) -> i64:
        """Answer with option number i and run on."""
        return self.run(self.units[self.unit].code[self.pc].pick(self, self.base, i))


def fresh_state(tables: Tables, seed: int) -> State:
    """A state at the start of the main procedure."""
    g = State(tables, stream(tables.key, seed), None)
    g.open_main()
    return g

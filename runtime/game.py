"""The public face of a game in play: decisions, choices, undo, views, saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from grimoire.runtime import given, trial
from grimoire.runtime.artefact import Package
from grimoire.runtime.base import FORCED, SCRIPTED, SPARE
from grimoire.runtime.decision import Decision, write_choice
from grimoire.runtime.errors import GrimoireError, IllegalChoice, UndoBarrier
from grimoire.runtime.faults import FAULTS, fault
from grimoire.runtime.log import Log
from grimoire.runtime.menus import PollOp
from grimoire.runtime.program import Program, program_for
from grimoire.runtime.script import RandomScript
from grimoire.runtime.state import Mark, State
from grimoire.runtime.streams import stream

if TYPE_CHECKING:
    from grimoire.runtime.edit import Position
    from grimoire.runtime.whynot import Reason


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    id: str
    winners: tuple[int, ...]
    scores: tuple[int, ...] | None


class Game:
    """A game in play. Made by ``new_game`` or ``load_game``."""

    def __init__(
        self, program: Program, state: State, seed: int, options: dict[str, Any], script: dict[str, list[Any]] | None
    ) -> None:
        self.program = program
        self.package: Package = program.package
        self.state = state
        self.seed = seed
        self.players = program.seats
        self.options = options
        self.script = script
        self._made: list[tuple[int, str]] = []
        self._marks: list[Mark] = []
        self._decision: Decision | None = None
        self.edited = False

    # -- asking

    @property
    def decision(self) -> Decision | None:
        """What is asked now, or None when the game is over."""
        if not self.state.waiting:
            return None
        if self._decision is None:
            g = self.state
            self._decision = Decision(self.program, g, g.waiter().seat(g, g.base))
        return self._decision

    def decisions(self) -> list[Decision]:
        """All that is asked now: more than one decision only while a poll is open."""
        first = self.decision
        if first is None:
            return []
        op = self.state.waiter()
        if not isinstance(op, PollOp):
            return [first]
        g = self.state
        found = []
        for seat in op.pending(g, g.base):
            g.work = 0
            op.ask(g, g.base, seat)
            if g.opts:
                found.append(Decision(self.program, g, seat))
        trial.refresh(g)
        return found

    def choose(self, key: str, seat: int | None = None) -> None:
        """Make a decision by its key. Raises ``IllegalChoice`` and leaves the game unchanged if it is not offered."""
        decision = self._decision_of(seat)
        keys = decision.keys
        given.text(key, "the key of an option", IllegalChoice)
        if key not in keys:
            shown = ", ".join(keys[:20]) + (", ..." if len(keys) > 20 else "")
            raise IllegalChoice(f"{key!r} is not offered to p{decision.seat + 1} ({decision.label}): {shown}")
        self._take(decision, keys.index(key))

    def choose_index(self, i: int) -> None:
        """Make the present decision by the number of the option: for bots."""
        decision = self.decision
        if decision is None:
            raise IllegalChoice("the game is over")
        if not isinstance(i, int) or isinstance(i, bool) or not 0 <= i < len(self.state.opts):
            raise IllegalChoice(f"there is no option number {i!r}: they go from 0 to {len(self.state.opts) - 1}")
        self._take(decision, i)

    def _decision_of(self, seat: int | None) -> Decision:
        first = self.decision
        if first is None:
            raise IllegalChoice("the game is over")
        if seat is None or seat == first.seat:
            return first
        given.seat(seat, self.players, IllegalChoice)
        for decision in self.decisions():
            if decision.seat == seat:
                return decision
        raise IllegalChoice(f"p{seat + 1} is not asked; p{first.seat + 1} is")

    def _take(self, decision: Decision, i: int) -> None:
        g = self.state
        key = decision.options[i].key
        mark = g.mark()
        try:
            op = g.waiter()
            if isinstance(op, PollOp):
                op.ask(g, g.base, decision.seat)
                g.work = 0
                g.run(op.answer(g, g.base, decision.seat, i))
                if g.waiting and g.tables.pays:
                    trial.prune(g)
            else:
                if g.log is not None:
                    write_choice(g, op, decision.seat, i)
                trial.advance(g, i)
            close_log(g)
        except FAULTS as error:
            raised = fault(g, error)
            g.undo(mark)
            g.drop()
            trial.refresh(g)
            raise raised from (None if raised is error else error)
        self._marks.append(mark)
        self._made.append((decision.seat, key))
        self._decision = None

    # -- results

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        g = self.state
        if g.over < 0:
            return None
        winners = tuple(seat for seat in range(self.players) if (g.winners >> seat) & 1)
        score = self.program.doc.get("score")
        scores = None
        if score is not None:
            scores = tuple(self.call_function(score, seat, []) for seat in range(self.players))
        return Outcome(self.program.outcomes[g.over], winners, scores)

    def call_function(self, function: int, you: int, args: Sequence[int]) -> int:
        """The value of a pure function by its number."""
        g = self.state
        f = self.program.function(function)
        g.work = 0
        base = g.base + g.units[g.unit].window
        g.room(base + f.window)
        g.slots[base : base + 1 + len(args)] = [you, *args]
        try:
            return f.value.ev(g, base)
        except FAULTS as error:
            raised = fault(g, error)
            raise raised from (None if raised is error else error)

    def eval_function(self, function: str, you: int, args: Sequence[int] = ()) -> int:
        """The value of a pure function by its id."""
        given.seat(you, self.players, GrimoireError)
        values = given.listed(args, "what a function takes", GrimoireError)
        for at, row in enumerate(self.program.doc["functions"]):
            if row["id"] == function:
                if len(values) != row["params"] or not all(isinstance(x, int) for x in values):
                    raise GrimoireError(f"function {function} takes {row['params']} numbers, not {given.shown(args)}")
                return self.call_function(at, you, values)
        there = [row["id"] for row in self.program.doc["functions"] if ":" not in row["id"]]
        names = ", ".join(there[:12]) + (", ..." if len(there) > 12 else "")
        raise GrimoireError(f"there is no function {given.shown(function)}; there are {names or 'none'}")

    @property
    def decisions_made(self) -> tuple[str, ...]:
        """Every decision so far as ``p1 key``."""
        return tuple(f"p{seat + 1} {key}" for seat, key in self._made)

    # -- history

    def undo(self, steps: int = 1, force: bool = False) -> None:
        """Take decisions back. What became known, and random numbers, stay in the way unless forced."""
        given.whole(steps, "the number of decisions to take back", 0, UndoBarrier)
        if not steps:
            return
        if steps > len(self._marks):
            raise UndoBarrier(f"there are only {len(self._marks)} decisions to take back, not {steps}")
        mark = self._marks[-steps]
        if not force and self.state.barrier != mark.barrier:
            raise UndoBarrier("something became known or random since then; force=True takes it back all the same")
        self.state.undo(mark)
        for _ in range(steps):
            self._marks.pop()
            self._made.pop()
            self.state.drop()
        self._decision = None
        trial.refresh(self.state)

    def forget_history(self) -> None:
        """After an edit: nothing can be taken back, and what was asked is asked afresh."""
        for _ in self._marks:
            self.state.drop()
        self._marks.clear()
        self._decision = None

    def clone(self) -> Game:
        """An independent copy; its history for undo starts here."""
        g = self.state.copy()
        if isinstance(self.state.log, Log):
            g.log = self.state.log.copy()
        if self.state.track is not None:
            g.count_in(self.state.track[:])
        game = Game(self.program, g, self.seed, self.options, self.script)
        game._made = self._made[:]
        game.edited = self.edited
        return game

    # -- looking

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat sees, as plain JSON; None sees everything."""
        from grimoire.runtime.view import view_of

        return view_of(self, seat)

    def log(self, seat: int | None, choices: bool = False) -> list[dict[str, Any]]:
        """The events (and the decisions, with ``choices``) as a seat saw them when they happened; None: everything."""
        if seat is not None:
            given.seat(seat, self.players)
        log = self.state.log
        return log.entries(self.state, seat, choices) if isinstance(log, Log) else []

    def why_not(self, key: str, seat: int | None = None) -> list[Reason]:
        """Why a key is not offered."""
        from grimoire.runtime.whynot import reasons

        given.text(key, "the key of an option", IllegalChoice)
        if seat is not None:
            given.seat(seat, self.players, IllegalChoice)
        return reasons(self, key, seat)

    def digest(self) -> str:
        """A hash of content and state: equal states of equal content have equal digests, anywhere."""
        from grimoire.runtime.save import state_data

        return blake2b(repr(state_data(self)).encode("utf-8"), digest_size=16).hexdigest()

    def save(self) -> dict[str, Any]:
        """The whole game as plain JSON."""
        from grimoire.runtime.save import save_game

        return save_game(self)

    def edit(self) -> Position:
        """An editor of the position, for scenarios."""
        from grimoire.runtime.edit import Position

        return Position(self)

    @property
    def script_left(self) -> int:
        """How many forced results of the script have not come up."""
        if self.script is None:
            return 0
        used = self.state.mem[SCRIPTED]
        left = len(self.script.get("random", [])) - (used & ((1 << FORCED) - 1))
        return left + len(self.script.get("shuffle", [])) - (used >> FORCED)

    def fired(self) -> dict[str, int]:
        """How often each statement, menu entry and ability was reached (games made with ``track=True``)."""
        track = self.state.track
        if track is None:
            return {}
        found: dict[str, int] = {}
        for at, name in enumerate(self.program.tracked):
            found[f"{at} {name}"] = track[at]
        return found

    def __repr__(self) -> str:
        state = "over" if self.state.over >= 0 else f"{len(self._made)} decisions"
        return f"<Game {self.package.id} seed {self.seed}, {self.players} players, {state}>"


def new_game(
    package: Package,
    players: int = 2,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    log: bool = True,
    script: dict[str, list[Any]] | None = None,
    track: bool = False,
) -> Game:
    """Set up a game and run to its first decision."""
    given.whole(seed, "a seed", 0)
    chosen = given.options(options)
    program = program_for(given.package(package), players, chosen, track)
    g = fresh_state(program, seed)
    if script is not None:
        g.script = RandomScript(program, given.script(script))
    if log:
        g.log = Log(program)
    if track:
        g.count_in([0] * len(program.tracked))
    run_first(g)
    return Game(program, g, seed, chosen, script)


def fresh_state(program: Program, seed: int) -> State:
    """A state at the start of the main procedure."""
    g = State(program.tables, stream(program.tables.key, seed), None)
    u = program.units[program.tables.main]
    if u.window > SPARE or u.serial >= 0:
        g.begin(program.tables.main, [0])
    else:
        g.slots[0] = 0
    return g


def run_first(g: State) -> None:
    """Run to the first decision."""
    try:
        trial.start(g)
        close_log(g)
    except FAULTS as error:
        raised = fault(g, error)
        raise raised from (None if raised is error else error)


def close_log(g: State) -> None:
    """When the game is over, what it ended in is told as well."""
    if g.log is not None and not g.waiting:
        g.log.leave(g, -1)

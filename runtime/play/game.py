"""The public face of a game in play: decisions, choices, undo, views, saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.build.program import Program, program_for
from grimoire.runtime.errors import EngineError, GrimoireError, IllegalChoice, StaleChoice, UndoBarrier
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import FORCED, SCRIPTED
from grimoire.runtime.kernel.menus import PollOp
from grimoire.runtime.kernel.nodes import HUGE
from grimoire.runtime.kernel.state import Mark, State, fresh_state
from grimoire.runtime.play.decision import Decision
from grimoire.runtime.play.edit import Position
from grimoire.runtime.play.faults import FAULTS, fault, tell_faults
from grimoire.runtime.play.forced_results import RandomScript
from grimoire.runtime.play.log import Log
from grimoire.runtime.play.outcome import Outcome
from grimoire.runtime.play.save import save_game, state_data
from grimoire.runtime.play.save_check import write_large_numbers
from grimoire.runtime.play.seat_record import SeatRecord, seat_record
from grimoire.runtime.play.shapes import LogEntry, Options, Saved, Script, View
from grimoire.runtime.play.start import close_log, run_first
from grimoire.runtime.play.view import view_of
from grimoire.runtime.play.whynot import Reason, reasons


class Game:
    """A game in play. Made by ``new_game`` or ``load_game``.

    Only ``choose``, ``choose_index``, ``undo`` and ``edit`` change it. Questions are worked out on a copy of the state.
    """

    def __init__(
        self,
        program: Program,
        state: State,
        seed: int,
        options: Options,
        script: Script | None,
        made: Sequence[tuple[int, str]] = (),
        numbers: Sequence[int] | None = None,
        edited: bool = False,
    ) -> None:
        self.program = program
        self.package: Package = program.package
        self.state = state
        self.seed = seed
        self.players = program.seats
        self.options = options
        self.script = script
        self.edited = edited
        self.protected = True  # False: loaded from a save without a key, which anybody could have written
        self._made = list(made)
        self._marks: list[Mark] = []
        self._decision: Decision | None = None
        # of the question that each seat is asked next; they never go back
        self._numbers = [1] * program.seats if numbers is None else list(numbers)

    # -- asking

    @property
    def decision(self) -> Decision | None:
        """What is asked now, or None when the game is over."""
        if self._decision is None:
            self._decision = self._ask()
        return self._decision

    def _ask(self) -> Decision | None:
        g = self._aside()
        if not g.waiting:
            return None
        with tell_faults(g):
            return self._decision_for(g, g.waiter().seat(g, g.base))

    def _decision_for(self, g: State, seat: int) -> Decision:
        """The decision of a seat, whose options those of the state are."""
        if not 0 <= seat < self.players:
            raise EngineError(
                f"{g.waiter().label(g, g.base)} asks a seat that there is not ({arguments.show_value(seat)})"
            )
        return Decision(self.program, g, seat, self._numbers[seat])

    def _aside(self) -> State:
        """A copy of the state in which a question is worked out: whatever that writes, the game stays as it is."""
        g = self.state.copy()
        g.log = self.state.log  # to be read only: nothing happens in a question
        g.work = 0
        return g

    def decisions(self) -> list[Decision]:
        """All that is asked now: more than one decision only while a poll is open."""
        first = self.decision
        if first is None:
            return []
        g = self._aside()
        op = g.waiter()
        if not isinstance(op, PollOp):
            return [first]
        found = []
        with tell_faults(g):
            for seat in op.find_pending(g, g.base):
                if seat == first.seat:
                    found.append(first)
                    continue
                g.work = 0
                op.ask(g, g.base, seat)
                if g.opts:
                    found.append(self._decision_for(g, seat))
        return found

    def choose(self, key: str, seat: int | None = None, number: int | None = None) -> None:
        """Make a decision by its key. Raises ``IllegalChoice`` and leaves the game unchanged if it is not offered.

        With the ``number`` of the decision that it answers, an answer that comes twice or too late is refused
        (``StaleChoice``).
        """
        decision = self._decision_of(seat, number)
        keys = decision.keys
        arguments.text(key, "the key of an option", IllegalChoice)
        if key not in keys:
            shown = ", ".join(keys[:20]) + (", ..." if len(keys) > 20 else "")
            raise IllegalChoice(
                f"{arguments.show_value(key)} is not offered to p{decision.seat + 1} ({decision.label}): {shown}"
            )
        self._take(decision, keys.index(key))

    def choose_index(self, i: int, number: int | None = None) -> None:
        """Make the present decision by the number of the option: for bots."""
        decision = self._decision_of(None, number)
        if not isinstance(i, int) or isinstance(i, bool) or not 0 <= i < len(decision.options):
            raise IllegalChoice(
                f"there is no option number {arguments.show_value(i)}: they go from 0 to {len(decision.options) - 1}"
            )
        self._take(decision, i)

    def _decision_of(self, seat: int | None, number: int | None) -> Decision:
        """What a seat is asked (None: whoever is asked first); with a number it must be that question."""
        if number is not None:
            arguments.check_whole_number(number, "the number of a decision", 1, IllegalChoice)
        first = self.decision
        if first is None:
            raise (IllegalChoice if number is None else StaleChoice)("the game is over")
        if seat is not None:
            arguments.seat(seat, self.players, IllegalChoice)
        asked = first.seat if seat is None else seat
        if number is not None and number != self._numbers[asked]:
            raise StaleChoice(
                f"p{asked + 1} answers question {arguments.show_value(number)}, "
                f"but {self._numbers[asked]} is the next one: the answer came twice, or too late"
            )
        for decision in [first] if asked == first.seat else self.decisions():
            if decision.seat == asked:
                return decision
        raise IllegalChoice(f"p{asked + 1} is not asked; p{first.seat + 1} is")

    def _take(self, decision: Decision, i: int) -> None:
        g = self.state
        first = self.decision
        mark = g.mark()
        self._numbers[decision.seat] += 1
        try:
            op = g.waiter()
            if isinstance(op, PollOp):
                g.work = 0
                if decision is not first:
                    op.ask(g, g.base, decision.seat)
                g.run(op.answer(g, g.base, decision.seat, i))
                if g.waiting and g.tables.pays:
                    trial.prune(g)
            else:
                trial.advance(g, i)
            close_log(g)
            self._decision = self._ask()  # a question that cannot be put is a fault of this decision
        except FAULTS as error:
            raised = fault(g, error)
            g.undo(mark)
            g.drop()
            trial.refresh(g)
            self._numbers[decision.seat] -= 1
            self._decision = first
            raise raised from (None if raised is error else error)
        self._marks.append(mark)
        self._made.append((decision.seat, decision.keys[i]))

    @property
    def numbers(self) -> list[int]:
        """The number of the question that each seat is asked next; for saves."""
        return self._numbers[:]

    @numbers.setter
    def numbers(self, numbers: Sequence[int]) -> None:
        self._numbers = list(numbers)
        self._decision = None

    # -- results

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        g = self.state
        if g.over < 0:
            return None
        winners = tuple(seat for seat in range(self.players) if (g.winners >> seat) & 1)
        score = self.program.artefact.score
        scores = None
        if score is not None:
            scores = tuple(self.call_function(score, seat, []) for seat in range(self.players))
        return Outcome(self.program.outcomes[g.over], winners, scores)

    def call_function(self, function: int, you: int, args: Sequence[int]) -> int:
        """The value of a pure function by its number."""
        g = self._aside()
        f = self.program.function(function)
        base = g.base + g.units[g.unit].window
        g.room(base + f.window)
        g.slots[base : base + 1 + len(args)] = [you, *args]
        with tell_faults(g):
            return f.value.ev(g, base)

    def eval_function(self, function: str, you: int, args: Sequence[int] = ()) -> int:
        """The value of a pure function by its id."""
        arguments.seat(you, self.players, GrimoireError)
        values = arguments.check_list(args, "what a function takes", GrimoireError)
        for at, row in enumerate(self.program.artefact.functions):
            if row.id == function:
                if len(values) != row.params or not all(isinstance(x, int) and -HUGE < x < HUGE for x in values):
                    raise GrimoireError(
                        f"function {function} takes {row.params} numbers, not {arguments.show_value(args)}"
                    )
                return self.call_function(at, you, values)
        there = [row.id for row in self.program.artefact.functions if ":" not in row.id]
        names = ", ".join(there[:12]) + (", ..." if len(there) > 12 else "")
        raise GrimoireError(f"there is no function {arguments.show_value(function)}; there are {names or 'none'}")

    @property
    def made(self) -> tuple[tuple[int, str], ...]:
        """Every decision so far: seat and key."""
        return tuple(self._made)

    @property
    def decisions_made(self) -> tuple[str, ...]:
        """Every decision so far as ``p1 key``."""
        return tuple(f"p{seat + 1} {key}" for seat, key in self._made)

    # -- history

    def undo(self, steps: int = 1, force: bool = False) -> None:
        """Take decisions back. What became known, and random numbers, stay in the way unless forced."""
        arguments.check_whole_number(steps, "the number of decisions to take back", 0, UndoBarrier)
        if not steps:
            return
        if steps > len(self._marks):
            raise UndoBarrier(
                f"there are only {len(self._marks)} decisions to take back, not {arguments.show_value(steps)}"
            )
        mark = self._marks[-steps]
        if not force and self.state.barrier != mark.barrier:
            raise UndoBarrier("something became known or random since then; force=True takes it back all the same")
        self.state.undo(mark)
        for _ in range(steps):
            self._marks.pop()
            self._made.pop()
            self.state.drop()
        self._ask_afresh()
        trial.refresh(self.state)

    def _ask_afresh(self) -> None:
        """What was asked is not asked any more, or once more: no answer that is still on its way fits."""
        self._decision = None
        self._numbers = [number + 1 for number in self._numbers]

    def note_edit(self) -> None:
        """The position was edited: nothing can be taken back, and what was asked is asked afresh."""
        self.edited = True
        self.forget_history()

    def forget_history(self) -> None:
        """From here on nothing can be taken back, and what was asked is asked afresh."""
        for _ in self._marks:
            self.state.drop()
        self._marks.clear()
        self._ask_afresh()

    def clone(self) -> Game:
        """An independent copy; its history for undo starts here."""
        g = self.state.copy()
        if isinstance(self.state.log, Log):
            g.log = self.state.log.copy()
        if self.state.track is not None:
            g.count_in(self.state.track[:])
        game = Game(self.program, g, self.seed, self.options, self.script, self._made, self._numbers, self.edited)
        game.protected = self.protected
        return game

    # -- looking

    def view(self, seat: int | None) -> View:
        """What a seat sees, as plain JSON; None sees everything."""
        with tell_faults(self.state):
            return view_of(self, seat)

    def log(self, seat: int | None, choices: bool = False) -> list[LogEntry]:
        """The events (and the decisions, with ``choices``) as a seat saw them when they happened; None: everything."""
        if seat is not None:
            arguments.seat(seat, self.players)
        log = self.state.log
        with tell_faults(self.state):
            return log.entries(self.state, seat, choices) if isinstance(log, Log) else []

    def why_not(self, key: str, seat: int | None = None) -> list[Reason]:
        """Why a key is not offered."""
        arguments.text(key, "the key of an option", IllegalChoice)
        if seat is not None:
            arguments.seat(seat, self.players, IllegalChoice)
        with tell_faults(self.state):
            return reasons(self, self._aside(), key, seat)

    def digest(self) -> str:
        """A hash of content and state: equal states of equal content have equal digests, anywhere."""
        data = state_data(self)
        try:
            text = repr(data)
        except ValueError:  # a number of more digits than Python writes
            text = repr(write_large_numbers(data))
        return blake2b(text.encode("utf-8"), digest_size=16).hexdigest()

    def save(self, key: bytes | None = None) -> Saved:
        """The whole game as plain JSON, all secrets included: for whoever hosts it. With a key it is signed."""
        return save_game(self, key)

    def seat_record(self, seat: int) -> SeatRecord:
        """What a seat may keep, as plain JSON: what it has seen and chosen, and nothing else."""
        arguments.seat(seat, self.players)
        again = None
        if not self.edited:
            logged = self.state.log is not None
            again = new_game(self.package, self.players, self.seed, self.options, log=logged, script=self.script)
        return seat_record(self, again, seat)

    def edit(self) -> Position:
        """An editor of the position, for scenarios."""
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
    options: Mapping[str, object] | None = None,
    log: bool = True,
    script: Script | None = None,
    track: bool = False,
) -> Game:
    """Set up a game and run to its first decision."""
    arguments.seed(seed)
    chosen = arguments.options(options)
    program = program_for(arguments.package(package), players, chosen, track)
    g = fresh_state(program.tables, seed)
    if script is not None:
        g.script = RandomScript(program, arguments.script(script))
    if log:
        g.log = Log(program)
    if track:
        g.count_in([0] * len(program.tracked))
    run_first(g)
    return Game(program, g, seed, chosen, script)

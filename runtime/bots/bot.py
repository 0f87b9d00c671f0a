"""Bots: they choose by the number of the option, so that no key is ever written."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from grimoire.runtime.bots.imagine import Imagination
from grimoire.runtime.bots.lookahead import Lookahead, ordering
from grimoire.runtime.build.program import Program
from grimoire.runtime.errors import SetupError
from grimoire.runtime.kernel.menus import ChooseOp, MenuOne, MenuOp, MenuPlain
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.kernel.state import State
from grimoire.runtime.kernel.trial import advance
from grimoire.runtime.play.faults import FAULTS


class Bot:
    """Chooses for every seat."""

    quiet = True  # whether it can play a program that keeps no log and is never saved

    def join(self, program: Program) -> None:
        """The program that is played from here on."""

    def begin(self, seed: int) -> None:
        """A new game with this seed."""

    @abstractmethod
    def pick(self, g: State) -> int:
        """The number of the option to take."""


class FirstBot(Bot):
    """Always the first option."""

    def pick(self, g: State) -> int:
        return 0


class RandomBot(Bot):
    """Any option, each as likely as the others."""

    def __init__(self) -> None:
        self.dice = Dice(0, "bot")

    def begin(self, seed: int) -> None:
        self.dice = Dice(seed, "bot")

    def pick(self, g: State) -> int:
        return self.dice.below(len(g.opts))


class ExploreBot(Bot):
    """Prefers what it has tried least, and now and then what would reach something that never fired."""

    LOOK: Final = 12
    quiet = False

    def __init__(self) -> None:
        self.dice = Dice(0, "explore")
        self.tried: dict[tuple[int, int, int, int], int] = {}

    def begin(self, seed: int) -> None:
        self.dice = Dice(seed, "explore")

    def pick(self, g: State) -> int:
        n = len(g.opts)
        if n == 1:
            return 0
        marks = [self._mark(g, i) for i in range(n)]
        least = min(self.tried.get(mark, 0) for mark in marks)
        best = [i for i in range(n) if self.tried.get(marks[i], 0) == least]
        if g.track is not None and n <= self.LOOK and self.dice.below(4) == 0:
            news = [self._news(g, i) for i in range(n)]
            if max(news) > 0:
                best = [i for i in range(n) if news[i] == max(news)]
        i = best[self.dice.below(len(best))]
        self.tried[marks[i]] = self.tried.get(marks[i], 0) + 1
        return i

    def least(self, g: State, dice: Dice) -> int:
        """One of the options that were taken least."""
        counts = [self.tried.get(self._mark(g, i), 0) for i in range(len(g.opts))]
        least = min(counts)
        best = [i for i, count in enumerate(counts) if count == least]
        return best[dice.below(len(best))]

    def note(self, g: State, i: int) -> None:
        """An option is taken."""
        mark = self._mark(g, i)
        self.tried[mark] = self.tried.get(mark, 0) + 1

    def _mark(self, g: State, i: int) -> tuple[int, int, int, int]:
        """What an option is, up to which copy of a piece: position, entry or element, first value."""
        op = g.waiter()
        value = -1
        sort = ""
        if isinstance(op, MenuOne):
            value, sort = g.opts[i], op.entries[0].domains[0].sort
        elif isinstance(op, MenuOp) and not isinstance(op, MenuPlain) and g.vals[i]:
            value, sort = g.vals[i][0], op.entries[g.opts[i]].domains[0].sort
        elif isinstance(op, ChooseOp):
            value, sort = g.opts[i], op.sort
        if sort == "piece" and value >= 0:
            value = g.tables.piece_def[value]
        return g.unit, g.pc, -1 if isinstance(op, MenuOne | ChooseOp) else g.opts[i], value

    def _news(self, g: State, i: int) -> int:
        """How many counters an option would move from zero."""
        track = g.track
        assert track is not None
        other = g.copy()
        other.count_in([0] * len(track))
        try:
            advance(other, i)
        except FAULTS:
            return 0
        return sum(1 for at, count in enumerate(other.track or ()) if count and not track[at])


class AimsBot(Bot):
    """Plays for its side: tries what is offered in positions as its seat may imagine them, and takes what the aims like
    best.

    An option is worth what the position is worth at the next decision of somebody else, if nobody reacts. Up to there
    the seat's own next decisions are looked through as well, as far as the number of tries goes.
    """

    THOUGHTS: Final = (
        3  # positions that are imagined for a decision; each time the worse half of the options is given up
    )
    TRIES: Final = 24  # ways to go on that are tried after an option
    STEPS: Final = 160  # steps of the game that are gone for that in a position, and for an option at least
    LEAST: Final = 10
    quiet = False  # a quiet program does not say which slots are live

    def __init__(self) -> None:
        self.dice = Dice(0, "aims")
        self.lookahead: Lookahead | None = None
        self.imagination: Imagination | None = None

    def join(self, program: Program) -> None:
        self.lookahead = Lookahead(program, self.dice)
        self.imagination = Imagination(program)

    def begin(self, seed: int) -> None:
        assert self.lookahead is not None
        self.dice = self.lookahead.dice = Dice(seed, "aims")

    def pick(self, g: State) -> int:
        n = len(g.opts)
        if n == 1 or ordering(g):
            return 0
        lookahead = self.lookahead
        assert self.imagination is not None and lookahead is not None
        lookahead.seat = seat = g.waiter().seat(g, g.base)
        worths = [0] * n
        left = list(range(n))
        for _ in range(self.THOUGHTS):
            here = self.imagination.position(g, seat, self.dice)
            if len(here.opts) != n:  # what is offered tells of something hidden: nothing can be learned from trying
                return self.dice.below(n)
            within = lookahead.horizon(here)
            here.hush = lookahead.calls
            for i in left:
                lookahead.steps = max(self.LEAST, self.STEPS // len(left))
                worths[i] += lookahead.value(here, i, within, self.TRIES)
            bar = sorted([worths[i] for i in left])[len(left) // 2]
            best = max(worths[i] for i in left)
            left = [i for i in left if worths[i] >= bar]
        found = [i for i in left if worths[i] == best]
        if len(found) > 1 and found[-1] == n - 1:
            found.pop()  # rather something than nothing: to pass is the last option
        return found[self.dice.below(len(found))]


class SideBot(AimsBot):
    """Plays for some sides only: the seats of the others take any option. A seat knows which side it is on."""

    def __init__(self, sides: list[str]) -> None:
        super().__init__()
        self.sides = sides
        self.chance = Dice(0, "others")

    def join(self, program: Program) -> None:
        super().join(program)
        assert self.lookahead is not None
        there = self.lookahead.worth.side_ids
        for side in self.sides:
            if side not in there:
                raise SetupError(
                    f"no side {side!r} in the aims of this package; there are {', '.join(there) or 'none'}"
                )

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.chance = Dice(seed, "others")

    def pick(self, g: State) -> int:
        assert self.lookahead is not None
        worth = self.lookahead.worth
        if len(g.opts) > 1 and not any(side in self.sides for side in worth.sides_of(g, g.waiter().seat(g, g.base))):
            return self.chance.below(len(g.opts))
        return super().pick(g)


BOTS: Final = ("random", "first", "explore", "aims")
SIDES: Final = "aims:"  # before the sides that are played for, joined by +


def make_bot(name: str) -> Bot:
    """A bot by its name."""
    if name == "random":
        return RandomBot()
    if name == "first":
        return FirstBot()
    if name == "explore":
        return ExploreBot()
    if name == "aims":
        return AimsBot()
    if name.startswith(SIDES):
        return SideBot(name.removeprefix(SIDES).split("+"))
    raise SetupError(f"unknown bot {name!r}; there are {', '.join(BOTS)}")

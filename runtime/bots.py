"""Bots: they choose by the number of the option, so that no key is ever written."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from grimoire.runtime.base import WAIT
from grimoire.runtime.errors import SetupError
from grimoire.runtime.events import PASS, WindowOp
from grimoire.runtime.faults import FAULTS
from grimoire.runtime.imagine import Imagination
from grimoire.runtime.menus import ChooseOp, MenuOne, MenuOp, MenuPlain, PollOp
from grimoire.runtime.program import Program
from grimoire.runtime.state import State
from grimoire.runtime.streams import Dice
from grimoire.runtime.trial import advance
from grimoire.runtime.worth import WON, Worth


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
    """Plays for its side: tries what is offered in a position as its seat may imagine it, and takes what the aims like best.

    An option is worth what the position is worth at the next decision of somebody else, if nobody reacts. Up to there the seat's own
    next decisions are looked through as well, as far as the number of tries goes.
    """

    THOUGHTS: Final = 1  # positions that are imagined for a decision
    WIDTH: Final = (16,)  # how many options are tried of what the seat may choose next
    quiet = False  # a quiet program does not say which slots are live

    def __init__(self) -> None:
        self.dice = Dice(0, "aims")
        self.worth: Worth | None = None
        self.imagination: Imagination | None = None

    def join(self, program: Program) -> None:
        self.worth = Worth(program)
        self.imagination = Imagination(program)

    def begin(self, seed: int) -> None:
        self.dice = Dice(seed, "aims")

    def pick(self, g: State) -> int:
        n = len(g.opts)
        if n == 1:
            return 0
        assert self.imagination is not None
        seat = g.waiter().seat(g, g.base)
        worths = [0] * n
        for _ in range(self.THOUGHTS):
            here = self.imagination.position(g, seat, self.dice)
            if len(here.opts) != n:  # what is offered tells of something hidden: nothing can be learned from trying
                return self.dice.below(n)
            for i in range(n):
                worths[i] += self.tried(here, i, seat, here.frames[:], 0)
        best = max(worths)
        found = [i for i, worth in enumerate(worths) if worth == best]
        if len(found) > 1 and found[-1] == n - 1:
            found.pop()  # rather something than nothing: to pass is the last option
        return found[self.dice.below(len(found))]

    def tried(self, g: State, i: int, seat: int, within: list[int], depth: int) -> int:
        """What an option is worth to a seat, with what it may choose next."""
        assert self.worth is not None
        other = g.copy()
        try:
            on = settled(other, i, seat, within)
            if not on or (depth >= len(self.WIDTH) and not ends_choice(other)):
                return self.worth.of(other, seat)
            n = len(other.opts)
            few = min(n, self.WIDTH[depth]) if depth < len(self.WIDTH) else 1
            first = self.dice.below(n)
            # the last option is always among them: it ends a choice of several things
            others = [(first + n * k // few) % n for k in range(1, few)]
            return max([self.tried(other, j, seat, within, depth + 1) for j in [n - 1, *others]])
        except FAULTS:
            return -WON * 2


def settled(g: State, i: int, seat: int, within: list[int]) -> bool:
    """Take an option and let everybody pass who may react to what comes of it: whether the seat itself is asked then.

    What comes of it happens inside of the frames that were open at the decision, and no further is looked.
    """
    left = g.tables.seats * 4
    while advance(g, i) == WAIT and left and g.frames[: len(within)] == within:
        left -= 1
        op = g.waiter()
        i = len(g.opts) - 1
        if isinstance(op, PollOp):
            return False
        if i > 0:
            if op.seat(g, g.base) == seat:
                return True
            if not isinstance(op, WindowOp) or g.opts[i] != PASS:
                return False
    return False


def ends_choice(g: State) -> bool:
    """Whether the seat asked may end a choice of several things here."""
    return isinstance(g.waiter(), ChooseOp) and g.opts[-1] < 0


BOTS: Final = ("random", "first", "explore", "aims")


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
    raise SetupError(f"unknown bot {name!r}; there are {', '.join(BOTS)}")

"""Bots: they choose by the number of the option, so that no key is ever written."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.errors import SetupError
from grimoire.runtime.state import State
from grimoire.runtime.streams import Dice


class Bot:
    """Chooses for every seat."""

    def begin(self, seed: int) -> None:
        """A new game with this seed."""

    def pick(self, g: State) -> int:
        """The number of the option to take."""
        raise NotImplementedError


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


BOTS: Final = ("random", "first", "explore")


def make_bot(name: str) -> Bot:
    """A bot by its name."""
    if name == "random":
        return RandomBot()
    if name == "first":
        return FirstBot()
    raise SetupError(f"unknown bot {name!r}; there are {', '.join(BOTS)}")

"""Play a game in a terminal: shows it to the people at the table, asks them, lets bots answer for the rest.

In: a game, the seats that people play, lines from stdin. Out: the game on stdout, and the exit code. With a pipe for
stdin it works the same way, only plain. What is shown to a person comes from the view and the log of their own seat.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from grimoire.compiler.command_common import FINE
from grimoire.compiler.terminal_view import Painter, seat_style
from grimoire.compiler.wording import Words
from grimoire.runtime import Decision, Game, UndoBarrier
from grimoire.runtime.bots import make_bot

COMMANDS: Final = ("help", "why", "view", "log", "undo", "save", "quit")
PLAIN_WIDTH: Final = 120
_PARTS: Final = re.compile("[:@#.-]")


class Left(Exception):
    """A person has left the game."""


class Terminal:
    """One game at one terminal. `seats` are those that people play, from 0."""

    def __init__(self, game: Game, seats: Sequence[int], bot: str, language: str) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.bot = make_bot(bot)
        self.bot.begin(game.seed)
        self.words = Words(game.package.document, language)
        self.painter = Painter(game.package.document, self.words)
        terminal = sys.stdout.isatty()
        self.console = Console(
            file=sys.stdout, highlight=False, markup=False, emoji=False, width=None if terminal else PLAIN_WIDTH
        )
        self.told: dict[int | None, int] = {}  # how much of the log each reader has read
        self.going_on: dict[int | None, dict[int, str]] = {}  # of that: what was not over yet, and how it read
        self.made: list[int] = []  # for each decision so far: the seat of a person, or -1

    # --- saying

    def line(self, text: str | Text = "", style: str = "") -> None:
        self.console.print(text, style=style, soft_wrap=True)

    def tell(self, key: str, style: str = "", /, **places: object) -> None:
        self.line(self.words.tool(key, **places), style)

    # --- the game

    def run(self) -> int:
        """Play to the end, or until somebody leaves."""
        self.head()
        try:
            while True:
                decision = self.game.decision
                if decision is None:
                    break
                if decision.seat in self.seats:
                    self.person(decision)
                else:
                    self.game.choose_index(self.bot.pick(self.game.state))
                    self.made.append(-1)
                    if not self.seats:
                        self.news(None)
        except Left as left:
            self.tell(str(left))
            return FINE
        self.end(self.seats[0] if len(self.seats) == 1 else None)
        return FINE

    def head(self) -> None:
        self.line(self.words.title, "bold")
        for seat in self.seats:
            self.tell("you-are", number=seat + 1)
        if not self.seats:
            self.tell("all-bots")
            self.news(None)

    def news(self, seat: int | None, heading: str | None = None) -> None:
        """The lines of the log that this seat has not read yet, or that have changed: causes first, what came of them moved in."""
        entries = self.game.log(seat, choices=True)
        start = min(self.told.get(seat, 0), len(entries))
        before = self.going_on.get(seat, {})
        lines = [
            line
            for line in self.words.story(entries, start, before)
            if line.at >= start or line.text != before[line.at]
        ]
        self.told[seat] = len(entries)
        self.going_on[seat] = {
            at: self.words.sentence(entry) or "" for at, entry in enumerate(entries) if entry.get("open")
        }
        if lines and heading is not None:
            self.tell(heading, "dim")
        for line in lines:
            self.line("  " * (line.indent + 1) + line.text)

    def show(self, seat: int | None) -> None:
        drawn = self.painter.paint(self.game.view(seat))
        if self.console.is_terminal:
            self.console.print(drawn)
            return
        with self.console.capture() as captured:
            self.console.print(drawn)
        for text in captured.get().rstrip("\n").split("\n"):
            self.line(text.rstrip())

    def end(self, seat: int | None) -> None:
        self.line()
        self.news(seat, "since" if seat is not None and self.told.get(seat) else None)
        self.show(seat)
        outcome = self.game.outcome
        if outcome is None:
            self.tell("decisions", count=len(self.game.decisions_made))
            return
        self.line()
        self.tell("over", "bold", outcome=self.words.name(outcome.id))
        winners = ", ".join(self.words.seat(winner + 1) for winner in outcome.winners)
        key = "won-nobody" if not winners else "won-one" if len(outcome.winners) == 1 else "won-many"
        self.tell(key, "bold", seats=winners)
        if outcome.scores is not None:
            scores = ", ".join(f"{self.words.seat(at + 1)}: {score}" for at, score in enumerate(outcome.scores))
            self.line(f"{self.words.tool('score')}: {scores}")
        self.tell("decisions", count=len(self.game.decisions_made))

    def show_all(self, seat: int | None) -> None:
        """A game as it stands, with its whole log: for replays."""
        self.line(self.words.title, "bold")
        self.end(seat)

    # --- people

    def person(self, decision: Decision) -> None:
        """Let a person decide. A single option is taken for them, with a note."""
        options = decision.options
        if len(options) == 1:
            text = self.words.option(options[0].label, options[0].values, options[0].key)
            self.news(decision.seat)
            self.line(f"  {self.words.prompt(decision.label)} " + self.words.tool("forced", option=text), "dim")
            self.choose(options[0].key, decision.seat)
            return
        self.line()
        seat = self.words.seat(decision.seat + 1)
        self.line(f"── {self.words.tool('asked', seat=seat, number=len(self.made) + 1)} ──", seat_style(decision.seat))
        self.news(decision.seat, "since" if decision.seat in self.made else "log")
        self.show(decision.seat)
        self.ask(decision)
        while True:
            try:
                given = self.read()
            except EOFError:
                raise Left("input-ended") from None
            if given and self.answer(decision, given):
                return

    def read(self) -> str:
        prompt = self.words.tool("input")
        if sys.stdin.isatty():
            return input(prompt).strip()
        self.console.print(prompt, end="")
        text = sys.stdin.readline()
        if not text:
            self.line()
            raise EOFError
        self.line(text.strip()[:200])
        return text.strip()

    def ask(self, decision: Decision) -> None:
        self.line()
        self.line(self.words.prompt(decision.label), "bold")
        keys = decision.keys
        for at, option in enumerate(decision.options):
            text = self.words.option(option.label, option.values, option.key)
            row = Text(f"  {at + 1:>2}  {text}")
            row.append(f"  {keys[at]}", style="dim")
            self.line(row)

    def answer(self, decision: Decision, given: str) -> bool:
        """Carry out one line of input; True when the decision is made (or taken back)."""
        keys = decision.keys
        if given.isdecimal() and len(given) <= 6 and given not in keys:
            number = int(given)
            if 1 <= number <= len(keys):
                self.choose(keys[number - 1], decision.seat)
                return True
            self.tell("not-offered", "red", given=given)
            return False
        if given in keys:
            self.choose(given, decision.seat)
            return True
        word, _, rest = given.partition(" ")
        if word in COMMANDS:
            return self.command(decision, word, rest.strip())
        fitting = self.fitting(decision, given)
        if len(fitting) == 1:
            self.choose(fitting[0], decision.seat)
            return True
        if fitting:
            self.tell("several", "red", given=given, keys=", ".join(fitting[:12]))
        else:
            self.tell("unknown-command", "red", given=given[:60])
        return False

    def fitting(self, decision: Decision, given: str) -> list[str]:
        """The keys that a few letters can mean: beginning of the key, of a part of it, or of the words on the screen."""
        keys = decision.keys
        found = [key for key in keys if key.startswith(given)] or [key for key in keys if f":{given}" in key]
        if found:
            return found
        found = [key for key in keys if given in _PARTS.split(key)]
        if found:
            return found
        told = [self.words.option(option.label, option.values, option.key).casefold() for option in decision.options]
        return [key for key, text in zip(keys, told, strict=True) if text.startswith(given.casefold())]

    def choose(self, key: str, seat: int) -> None:
        self.game.choose(key, seat)
        self.made.append(seat)

    # --- commands

    def command(self, decision: Decision, word: str, rest: str) -> bool:
        match word:
            case "help":
                self.help()
            case "why":
                self.why(decision, rest)
            case "view":
                self.show(decision.seat)
                self.ask(decision)
            case "log":
                self.told[decision.seat] = 0
                self.tell("log" if self.game.log(decision.seat, choices=True) else "log-empty", "dim")
                self.news(decision.seat)
            case "undo":
                return self.undo(decision.seat)
            case "save":
                self.save(rest)
            case _:
                raise Left("left")
        return False

    def help(self) -> None:
        self.tell("help-title", "bold")
        rows = [("1, 2, ..", "help-option"), ("why KEY", "help-why"), ("view", "help-view"), ("log", "help-log")]
        rows += [("undo", "help-undo"), ("save FILE", "help-save"), ("quit", "help-quit")]
        for left, key in rows:
            self.line(f"  {left:<10} {self.words.tool(key)}")

    def why(self, decision: Decision, key: str) -> None:
        if not key:
            self.tell("why-what")
            return
        reasons = self.game.why_not(key, decision.seat)
        if not reasons:
            self.tell("why-offered", key=key)
        for reason in reasons:
            self.line(f"  {reason.text}" + (f"  ({reason.place})" if reason.place else ""))

    def undo(self, seat: int) -> bool:
        """Take back this person's last decision and whatever followed it."""
        if seat not in self.made:
            self.tell("undo-nothing")
            return False
        steps = self.made[::-1].index(seat) + 1
        try:
            self.game.undo(steps)
        except UndoBarrier:
            self.tell("undo-barrier")
            return False
        del self.made[-steps:]
        for reader in self.told:
            self.told[reader] = min(self.told[reader], len(self.game.log(reader, choices=True)))
        self.tell("undone", count=steps)
        return True

    def save(self, name: str) -> None:
        if not name:
            self.tell("save-what")
            return
        try:
            Path(name).write_text(json.dumps(self.game.save(), ensure_ascii=False) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            self.tell("save-failed", file=name, reason=getattr(error, "strerror", None) or str(error))
            return
        self.tell("saved", file=name)

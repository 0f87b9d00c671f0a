"""Play a game in a terminal: shows it to the people at the table, asks them, lets bots answer for the rest.

In: a game, the seats that people play, lines from stdin. Out: the game on stdout, and the exit code. With a pipe for
stdin it works the same way, only plain. What is shown to a person comes from the view and the log of their own seat.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from grimoire.compiler.command.common import FINE
from grimoire.compiler.command.terminal_options import Listing
from grimoire.compiler.command.terminal_view import PLAIN_WIDTH, Painter, make_table, seat_style
from grimoire.compiler.command.terminal_why import find_meant_keys
from grimoire.compiler.files import NotWritten, write_file
from grimoire.compiler.localisation.text.tool_words import FALLBACK, speaks, tool_text
from grimoire.runtime import Decision, Game, UndoBarrier
from grimoire.runtime.bots.bot import make_bot
from grimoire.runtime.play.shapes import View
from grimoire.runtime.wording.decisions import cards_of, cut_head, word_event, word_prompt, word_question
from grimoire.runtime.wording.views import word_outcome
from grimoire.runtime.wording.words import Texts, Words

COMMANDS: Final = ("help", "?", "why", "view", "log", "undo", "save", "keep", "quit")
REFUSALS: Final = ("pass", "decline", "done")
CHOSEN: Final = 3  # decisions that a question repeats
READABLE: Final = (
    1600  # signs of the texts of cards that are shown with the options; more are shown when they are asked for
)


def plain_width() -> int:
    """The width where there is no terminal: what COLUMNS says, if that makes sense."""
    given = os.environ.get("COLUMNS", "")
    return max(int(given), 40) if given.isdecimal() and len(given) < 5 and int(given) else PLAIN_WIDTH


class Left(Exception):
    """A person has left the game."""


class Terminal:
    """One game at one terminal. `seats` are those that people play, from 0."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[int],
        bot: str,
        language: str,
        width: int | None = None,
        texts: Texts | None = None,
    ) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.bot = make_bot(bot)
        self.bot.join(game.program)
        self.bot.begin(game.seed)
        self.words = Words(game.package.document, language, texts, language if speaks(language) else FALLBACK)
        self.painter = Painter(game.package.artefact, self.words)
        terminal = sys.stdout.isatty()
        fixed = width if width is not None else None if terminal else plain_width()
        self.console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=fixed)
        self.told: dict[int | None, int] = {}  # how much of the log each reader has read
        self.going_on: dict[int | None, dict[int, str]] = {}  # of that: what was not over yet, and how it read
        self.shown: dict[int | None, object] = {}  # the table as each reader was last shown it
        self.made: list[int] = []  # for each decision so far: the seat of a person, or -1

    # --- saying

    def line(self, text: str | Text = "", style: str = "") -> None:
        self.console.print(text, style=style, soft_wrap=not self.console.is_terminal)

    def tell(self, key: str, style: str = "", /, **places: object) -> None:
        self.line(self.say(key, **places), style)

    def say(self, key: str, /, **places: object) -> str:
        """A text of the command."""
        return tool_text(self.words.language, key, **places)

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
                        self.news(None, hold=True)
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

    def news(self, seat: int | None, heading: str | None = None, whole: bool = False, hold: bool = False) -> None:
        """The lines of the log that this seat has not read yet, or that have changed: causes first, what came of them
        moved in.

        What the reader has decided is told only if the log is asked for as a whole. `hold`: decisions that nothing has
        come of yet wait, because what comes of them may say the same.
        """
        entries = self.game.log(seat, choices=True)
        while hold and entries and "choice" in entries[-1]:
            entries.pop()
        start = min(self.told.get(seat, 0), len(entries))
        before = self.going_on.get(seat, {})
        lines = [
            line
            for line in self.words.story(entries, start, before)
            if (line.at >= start or line.text != before[line.at])
            and (whole or seat is None or "choice" not in entries[line.at] or entries[line.at]["you"] != f"p{seat + 1}")
        ]
        self.told[seat] = len(entries)
        texts = {line.at: line.text for line in self.words.story(entries)}
        self.going_on[seat] = {at: texts.get(at, "") for at, entry in enumerate(entries) if entry.get("open")}
        if lines and heading is not None:
            self.tell(heading, "dim")
        for line in lines:
            self.line("  " * (line.indent + 1) + line.text)

    def show(self, seat: int | None, again: bool = True) -> None:
        """The table as a seat sees it; if it has not changed, only when it is asked for again."""
        view: View = {**self.game.view(seat), "decision": None}
        if not again and self.shown.get(seat) == view:
            return
        self.shown = {seat: view}
        self.draw(self.painter.paint(view, self.console.width))

    def draw(self, drawn: RenderableType) -> None:
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
        for at, text in enumerate(word_outcome(outcome, self.words)):
            self.line(text, "bold" if at < 2 else "")  # how it ended and who has won
        self.tell("decisions", count=len(self.game.decisions_made))

    def show_all(self, seat: int | None) -> None:
        """A game as it stands, with its whole log: for replays."""
        self.line(self.words.title, "bold")
        self.end(seat)

    # --- people

    def person(self, decision: Decision) -> None:
        """Let a person decide. A single option is taken for them, with a note."""
        options = decision.options
        if len(options) == 1 and options[0].key in REFUSALS:  # asked only so that nobody learns what they hold
            self.choose(options[0].key, decision.seat)
            return
        if len(options) == 1:
            text = Listing(decision, self.words).items[0].text
            self.news(decision.seat)
            self.line(f"  {word_prompt(decision, self.words)} " + self.say("forced", option=text), "dim")
            self.choose(options[0].key, decision.seat)
            return
        self.line()
        seat = self.words.seat(decision.seat + 1)
        self.line(f"── {self.say('asked', seat=seat, number=len(self.made) + 1)} ──", seat_style(decision.seat))
        self.news(decision.seat, "since" if decision.seat in self.made else "log")
        self.show(decision.seat, again=False)
        self.ask(decision)
        while True:
            try:
                given = self.read()
            except EOFError:
                raise Left("input-ended") from None
            if given and self.answer(decision, given):
                return

    def read(self) -> str:
        prompt = self.say("input")
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
        """Who is asked, for which card, what, and the options."""
        self.line()
        source = decision.source
        event = word_event(decision, self.words)
        if event is not None:
            self.line(event)
        self.line(self.question(decision), "bold")
        wording = None
        if source is not None and source.piece is not None and source.event is None:
            wording = self.words.card(source.piece)
        if wording is not None:
            self.draw(Padding(Text(wording, style="italic"), (0, 0, 0, 2)))
        self.offer(decision)

    def offer(self, decision: Decision) -> None:
        """The options, each card with what it does, if that is not too much to read."""
        listing = Listing(decision, self.words)
        texts = self.texts(decision)
        shown = set() if listing.long or sum(map(len, texts.values())) > READABLE else set(texts)
        rows = listing.lines(self.console.width)
        for at, row in enumerate(rows):
            self.line(row)
            for id_ in cards_of(decision.options[at]) if shown else ():
                if id_ in shown:
                    shown.remove(id_)
                    self.draw(Padding(Text(texts[id_], style="italic"), (0, 0, 0, 6)))
        if listing.long:
            self.tell("narrow", "dim", count=len(listing.items))
        if texts and (listing.long or sum(map(len, texts.values())) > READABLE):
            self.tell("texts-hint", "dim")

    def texts(self, decision: Decision) -> dict[str, str]:
        """What the cards say that are offered, but for the card that asks."""
        asks = None if decision.source is None else decision.source.piece
        ids = dict.fromkeys(id_ for option in decision.options for id_ in cards_of(option) if id_ != asks)
        found = {id_: self.words.card(id_) for id_ in ids}
        return {id_: text for id_, text in found.items() if text is not None}

    def question(self, decision: Decision) -> str:
        """The question with who is asked, and what it is asked for: a card, an ability, what was chosen just before."""
        return word_question(decision, self.words, self.list_own_choices(decision.seat, decision.label))

    def list_own_choices(self, seat: int, label: str) -> list[str]:
        """What this seat has chosen since anything happened: the beginning of what it is doing now, all of the choice
        that goes on."""
        found: list[str] = []
        others = 0
        for entry in reversed(self.game.log(seat, choices=True)):
            others += entry.get("choice") != label
            if "choice" not in entry or entry["you"] != f"p{seat + 1}" or others > CHOSEN:
                break
            found.append(self.words.word_choice(entry) if entry["values"] else cut_head(self.words.word_choice(entry)))
        return found[::-1]

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
        word, _, rest = (f"? {given[1:]}" if given.startswith("?") else given).partition(" ")
        if word in COMMANDS:
            return self.command(decision, word, rest.strip())
        listing = Listing(decision, self.words)
        fitting = listing.find_fitting(given)
        if len(fitting) == 1:
            self.choose(fitting[0].key, decision.seat)
            return True
        if fitting and listing.long:
            self.tell("narrowed", count=len(fitting), all=len(keys))
            for row in listing.lines(self.console.width, fitting):
                self.line(row)
        elif fitting:
            self.tell("several", "red", given=given, keys=", ".join(item.key for item in fitting[:12]))
        else:
            self.tell("unknown-command", "red", given=given[:60])
        return False

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
            case "?" if not rest:
                texts = self.painter.texts(self.texts(decision))
                drawn = make_table(texts, max((len(label) for label, _ in texts), default=0))
                if drawn is None:
                    self.tell("texts-none")
                else:
                    self.draw(drawn)
            case "view" | "?" if rest:
                found = self.painter.detail(self.game.view(decision.seat), rest)
                if found is None:
                    self.tell("view-unknown", "red", given=rest[:60])
                else:
                    self.draw(found)
            case "view":
                self.show(decision.seat)
                self.ask(decision)
            case "log":
                self.told[decision.seat] = 0
                self.tell("log" if self.game.log(decision.seat, choices=True) else "log-empty", "dim")
                self.news(decision.seat, whole=True)
            case "undo":
                return self.undo(decision.seat)
            case "save":
                self.write(rest, self.game.save(), "save-what", "saved")
            case "keep":
                self.write(rest, self.game.seat_record(decision.seat), "keep-what", "kept")
            case _:
                raise Left("left")
        return False

    def help(self) -> None:
        self.tell("help-title", "bold")
        rows = [
            ("1, 2, ..", "help-option"),
            ("?", "help-texts"),
            (f"why {self.say('help-words')}", "help-why"),
            (f"view {self.say('help-words')}", "help-view"),
            ("log", "help-log"),
        ]
        rows += [("undo", "help-undo"), (f"save {self.say('help-file')}", "help-save")]
        rows += [(f"keep {self.say('help-file')}", "help-keep"), ("quit", "help-quit")]
        for left, key in rows:
            self.line(f"  {left:<10} {self.say(key)}")

    def why(self, decision: Decision, given: str) -> None:
        """Why something is not offered: a key, or words that name it."""
        if not given:
            self.tell("why-what")
            return
        artefact = self.game.package.artefact
        keys = find_meant_keys(given, decision, artefact, self.words, self.game.players) or [given]
        for key in keys:
            reasons = self.game.why_not(key, decision.seat)
            if len(keys) > 1 and reasons:
                self.tell("why-key", "bold", key=key)
            if not reasons:
                self.tell("why-offered", key=key)
            for reason in reasons:
                self.line(f"  {self.words.reason(reason)}" + (f"  ({reason.place})" if reason.place else ""))

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

    def write(self, name: str, document: object, missing: str, told: str) -> None:
        """Write the game, or what a seat may keep of it, to a file."""
        if not name:
            self.tell(missing)
            return
        try:
            write_file(Path(name), (json.dumps(document, ensure_ascii=False) + "\n").encode())
        except (OSError, ValueError) as error:
            self.tell("save-failed", file=name, reason=error.reason if isinstance(error, NotWritten) else str(error))
            return
        self.tell(told, file=name)

"""Play one scenario: set up its position, make its decisions, look at its checks.

In: a loaded artefact in which the texts of the scenario are procedures and functions, and a `Scenario`. Out: None when
everything holds, or a `Miss` that says what did not, where, what was expected and what there was, not the whole table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import groupby

from grimoire.compiler.diagnostics.report import Span, did_you_mean
from grimoire.compiler.lower.output import Reading
from grimoire.compiler.scenario.model import Check, Scenario, Step
from grimoire.compiler.scenario.positions import EACH, HIDDEN
from grimoire.runtime import Decision, Game, GrimoireError, Outcome, Package, new_game
from grimoire.runtime.core.expressions import Comparison, Number, ReadVariable
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import Call, If
from grimoire.runtime.core.statements import Sequence as Statements
from grimoire.runtime.core.tables import Artefact, ProcedureOf
from grimoire.runtime.play.names import Names
from grimoire.runtime.play.shapes import LogEntry, Piece, Script, Shown
from grimoire.runtime.play.view import show

IDLE = "scenario:idle"
ENDED = "done"  # the outcome of a game whose text has come to its end
IMPOSSIBLE = "G0821"
PASS = "pass"
WHO_FIRST, IN_TURN = "who-first", "in-turn"  # whose optional abilities come first, and its usual answer
LAST_EVENTS = 5
SET_UP = "scenario:set-up"
LOGGED = ("events", "no event", "prevented", "log")
MANY_KEYS = 6  # of a long list of options, so many are shown
MANY_LINES = 10  # of what happened
MANY_NAMES = 12  # of two lists longer than that, only the difference is told
MANY_REASONS = 3
_SIGN = re.compile("[@#]")


@dataclass(frozen=True, slots=True)
class Miss:
    """Why a scenario failed: a message with its place, and what was asked and had happened by then."""

    span: Span
    message: str
    output: str = ""


class _Failed(Exception):
    def __init__(self, span: Span, message: str, names_keys: bool = False) -> None:
        """`names_keys`: the message says itself what is offered."""
        super().__init__(message)
        self.span = span
        self.message = message
        self.names_keys = names_keys


class Stage:
    """A package ready for scenarios: as it is, and with a game that does nothing before the text of a scenario."""

    def __init__(self, package: Package) -> None:
        self.artefact = artefact = package.artefact
        self.ordered = {row.id: row.ordered for row in artefact.zones}
        self.ordered |= {row.id: row.seen == "top" for row in artefact.fixtures}
        self.fixtures = {row.id for row in artefact.fixtures}
        self.loaded: dict[str, Package] = {"": package}
        self.reached: set[int] | None = (
            None  # with a set: what scenarios reach is put there, by its number in `Game.fired`
        )

    def package(self, start: str) -> Package:
        """The package with a game that starts with a procedure; an empty name is its own game."""
        if start not in self.loaded:
            number = next(i for i, proc in enumerate(self.artefact.procs) if proc.id == start)
            self.loaded[start] = self.loaded[""].starting_with(number)
        return self.loaded[start]

    def play(self, scenario: Scenario, quiet: bool = False) -> Miss | None:
        """Run a scenario. Errors of the rules, such as work without end, are failures of the scenario.

        `quiet` leaves out what only a person reads: the log, unless a check reads it, and the output of a failure.
        """
        return _Run(self, scenario, quiet).play()

    def ready(self, package: Package, scenario: Scenario) -> None:
        """Called before the game of a scenario begins."""

    def refuses(self, key: str, offered: tuple[str, ...]) -> bool:
        """Whether a decision is not accepted although it is offered."""
        return False


def only_these(artefact: Artefact, starts: set[str]) -> Artefact:
    """The same games for a few scenarios alone: less has to be built for them."""
    procs = tuple(proc for proc in artefact.procs if proc.id not in (IDLE, SET_UP))
    return with_idle(replace(artefact, procs=procs), starts)


def with_idle(artefact: Artefact, starts: set[str] | None = None) -> Artefact:
    """The artefact with two more procedures, the games of scenarios that start with a text of their own: one that does
    nothing, and one that plays the real game.

    Both mention all those texts, because a program is built from what its game can reach.
    """
    reached = [
        i
        for i, proc in enumerate(artefact.procs)
        if i == artefact.main or (proc.id.startswith("scenario:") if starts is None else proc.id in starts)
    ]

    def call(number: int) -> Call:
        return Call(number, Number(0), ())

    def mention() -> Statement:
        return If(Comparison("<", ReadVariable(0), Number(-1)), Statements(tuple(map(call, reached))))

    idle = ProcedureOf(IDLE, 0, 1, mention(), False, False, "")
    ready = ProcedureOf(SET_UP, 0, 1, Statements((mention(), call(artefact.main))), False, False, "")
    return replace(artefact, procs=(*artefact.procs, idle, ready))


class _Run:
    def __init__(self, stage: Stage, scenario: Scenario, quiet: bool) -> None:
        self.stage = stage
        self.scenario = scenario
        self.quiet = quiet
        self.game: Game | None = None
        self.at = scenario.span

    def play(self) -> Miss | None:
        try:
            game = self.game = self.open()
            self.set_up(game)
            for step in self.scenario.steps:
                self.at = step.span
                self.pass_over(game, step)
                if step.key is not None:
                    self.choose(game, step.seat, step.key)
                for check in step.checks:
                    self.at = check.span
                    self.check(game, check)
            self.at = self.scenario.span
            self.check_used_up(game)
        except _Failed as failed:
            return Miss(failed.span, failed.message, self.so_far(failed.message, failed.names_keys))
        except GrimoireError as error:
            return Miss(self.at, f"{type(error).__name__}: {error}", self.so_far())
        finally:
            if self.stage.reached is not None and self.game is not None:
                self.stage.reached.update(at for at, count in enumerate(self.game.fired().values()) if count)
        return None

    def fail(self, message: str, names_keys: bool = False) -> _Failed:
        return _Failed(self.at, message, names_keys)

    # ------------------------------------------------------------ the position

    def open(self) -> Game:
        scenario = self.scenario
        package = self.stage.package("" if scenario.start is None else SET_UP if scenario.set_up else IDLE)
        forced: Script = {
            "random": list(scenario.random),
            "shuffle": [[zone, list(top)] for zone, top in scenario.shuffles],
        }
        script = forced if scenario.random or scenario.shuffles else None
        log = not self.quiet or any(c.kind in LOGGED for step in scenario.steps for c in step.checks)
        self.stage.ready(package, scenario)
        track = self.stage.reached is not None
        return new_game(package, scenario.players, scenario.seed, dict(scenario.options), log, script, track)

    def set_up(self, game: Game) -> None:
        scenario = self.scenario
        editor = game.edit()
        zones = [edit for edit in scenario.edits if edit.what == "zone"]
        if zones:
            self.at = zones[0].span
            editor.lay({edit.target: edit.pieces for edit in zones})
        for edit in scenario.edits:
            self.at = edit.span
            if edit.what == "var":
                editor.set_var(edit.target, edit.value)
            elif edit.what == "col":
                for of in self.objects(game, edit.of or ""):
                    editor.set_col(edit.target, of, edit.value)
        self.at = scenario.span
        if scenario.edits:
            self.possible(game)
        if scenario.start is not None:
            editor.start(scenario.start, scenario.you)
        elif scenario.edits:
            if game.decision is None:
                raise self.fail("the game is over before its first decision, so that nothing can be given")
            editor.settle()

    def possible(self, game: Game) -> None:
        """What the package says of every position holds in the one that is given."""
        for row in game.package.artefact.invariants or ():
            if not game.eval_function(row.function, self.scenario.you):
                raise self.fail(f"[{IMPOSSIBLE}] this position can never be: it breaks '{row.text}' ({row.id})")

    def pass_over(self, game: Game, step: Step) -> None:
        """Who is asked only so that nobody learns what they hold, and can only pass, does so by themselves.

        A step that names that seat and `pass`, or looks at what it is offered, comes first. Whose abilities come first
        is as the turns go, unless a step answers that question or looks at it.
        """
        while game.decision is not None and (game.decision.keys == (PASS,) or game.decision.label == WHO_FIRST):
            seat = game.decision.seat
            if game.decision.label == WHO_FIRST:
                if (step.seat == seat and step.key in game.decision.keys) or any(
                    check.kind in ("offered", "offers") and check.seat == seat and IN_TURN in check.names
                    for check in step.checks
                ):
                    return
                game.choose(IN_TURN, seat)
                continue
            if step.key == PASS and step.seat == seat:
                return
            if any(
                check.kind in ("offered", "offers") and check.seat == seat and PASS in check.names
                for check in step.checks
            ):
                return
            game.choose(PASS, seat)

    def objects(self, game: Game, of: str) -> list[str]:
        """What a name of the editor means: itself, or each of the pieces in a place."""
        if not of.endswith(EACH):
            return [of]
        ident, _, zone = of.removesuffix(EACH).partition("@")
        count = sum(piece["id"] == ident for piece in game.view(None)["zones"][zone])
        if not count:
            raise self.fail(f"there is no {ident} in {zone}")
        return [f"{ident}@{zone}#{number + 1}" for number in range(count)]

    def check_used_up(self, game: Game) -> None:
        if game.script_left:
            given = [*map(str, self.scenario.random), *(f"a shuffle of {zone}" for zone, _ in self.scenario.shuffles)]
            what = (
                ", ".join(given[-game.script_left :]) if not self.scenario.shuffles else f"{game.script_left} of them"
            )
            raise self.fail(f"random results were given that never came up: {what}")

    # ------------------------------------------------------------ decisions

    def choose(self, game: Game, seat: int, key: str) -> None:
        decision = find_decision(game, seat)
        if decision is None:
            raise self.fail(f"p{seat + 1} is to choose '{key}', but {who_is_asked(game)}")
        found = find_matching(key, decision.keys)
        if len(found) == 1:
            if self.stage.refuses(found[0], decision.keys):
                raise self.fail(f"'{key}' is not accepted")
            game.choose(found[0], seat)
            return
        if found:
            raise self.fail(f"'{key}' means more than one option of p{seat + 1}: {some(found)}", True)
        message = f"'{key}' is not offered to p{seat + 1} ({decision.label})"
        if self.quiet:
            raise self.fail(message)
        reasons = game.why_not(key, seat)
        guess = did_you_mean(key, decision.keys) if not any(reason.place for reason in reasons) else None
        message += f" (did you mean '{guess}'?)" if guess is not None else ""
        message += f": {some([reason.text for reason in reasons], MANY_REASONS, '; ')}" if reasons else ""
        raise self.fail(f"{message}; offered: {some(nearest(key, decision.keys))}", True)

    # ------------------------------------------------------------ checks

    def check(self, game: Game, check: Check) -> None:
        match check.kind:
            case "condition":
                self.condition(game, check)
            case "asked":
                self.check_asked(game, check)
            case "offered" | "offers" | "not offered":
                self.offers(game, check)
            case "why not":
                self.why_not(game, check)
            case "outcome" | "winners" | "score":
                self.outcome(game, check)
            case "events" | "no event" | "prevented":
                self.events(game, check)
            case "log":
                lines = [event_line(entry) for entry in game.log(check.seat)]
                self.subsequence(check.names, lines, f"the log of p{check.seat + 1}")
            case "sees":
                self.sees(game, check, check.seat)
            case "zone":
                self.sees(game, check, None)
            case "var" | "sees var":
                seat = check.seat if check.kind == "sees var" else None
                self.equal(check.text, check.value, game.view(seat)["vars"].get(check.names[0], HIDDEN))
            case "col" | "sees col":
                self.state(game, check)
            case _:
                raise AssertionError(check.kind)

    def condition(self, game: Game, check: Check) -> None:
        you = self.scenario.you
        assert check.function is not None
        if game.eval_function(check.function, you):
            return
        message = f"this does not hold: {check.text}"
        values = [] if self.quiet else read_values(game, check, you)
        raise self.fail(f"{message} ({', '.join(values)})" if values else message)

    def check_asked(self, game: Game, check: Check) -> None:
        seats = [decision.seat for decision in game.decisions()]
        if check.seat < 0 and not seats:
            return
        if check.seat in seats:
            return
        wanted = "nobody is" if check.seat < 0 else f"p{check.seat + 1} is"
        raise self.fail(f"{wanted} to be asked, but {who_is_asked(game)}")

    def offers(self, game: Game, check: Check) -> None:
        decision = find_decision(game, check.seat)
        if decision is None:
            if check.kind == "offered" and not check.names:
                return
            raise self.fail(f"{check.text}: {who_is_asked(game)}")
        keys = decision.keys
        matches = {name: find_matching(name, keys) for name in check.names}
        if check.kind == "not offered":
            there = [name for name, found in matches.items() if found]
            if there:
                raise self.fail(f"offered to p{check.seat + 1} and should not be: {some(there)}", True)
            return
        missing = [name for name, found in matches.items() if not found]
        named = {key for found in matches.values() for key in found}
        extra = [key for key in keys if key not in named] if check.kind == "offered" else []
        to = f"to p{check.seat + 1} ({decision.label})"
        if missing:
            told = [name if self.quiet else name + self.reason(game, name, check.seat) for name in missing[:MANY_KEYS]]
            message = f"not offered {to}: {', '.join(told)}{more(missing)}"
            if extra:
                raise self.fail(f"{message}; also offered: {some(extra)}", True)
            raise self.fail(f"{message}; offered: {some(nearest(missing[0], keys))}", True)
        if extra:
            raise self.fail(f"also offered {to}: {some(extra)}", True)
        unsure = [name for name, found in matches.items() if len(found) > 1]
        if unsure and check.kind == "offered":
            raise self.fail(f"'{unsure[0]}' means more than one option: {some(matches[unsure[0]])}", True)

    def reason(self, game: Game, key: str, seat: int) -> str:
        """Why a key is not offered, where that is known."""
        reasons = [reason.text for reason in game.why_not(key, seat) if reason.place]
        return f" ({some(reasons, MANY_REASONS, '; ')})" if reasons else ""

    def why_not(self, game: Game, check: Check) -> None:
        key, part = check.names[0], check.value or ""
        decision = find_decision(game, check.seat)
        if decision is not None and find_matching(key, decision.keys):
            raise self.fail(f"'{key}' is offered to p{check.seat + 1}")
        reasons = [reason.text for reason in game.why_not(key, check.seat)]
        if not any(part in reason for reason in reasons):
            found = some(reasons, MANY_REASONS, "; ") or "no reason"
            raise self.fail(f"the reason why '{key}' is not offered is to contain '{part}', but it is: {found}")

    def outcome(self, game: Game, check: Check) -> None:
        outcome = find_outcome(game)
        what = "the game goes on" if outcome is None else f"the outcome is {how_it_ended(outcome)}"
        if check.kind == "outcome":
            if check.value != (outcome.id if outcome is not None else "none"):
                raise self.fail(f"the outcome is to be {check.value}, but {what}")
        elif check.kind == "score":
            scores = None if outcome is None else outcome.scores
            if scores is None or str(scores[check.seat]) != check.value:
                found = "there is none" if scores is None else f"it is {scores[check.seat]}"
                raise self.fail(f"{check.text} is to be {check.value}, but {found}")
        elif outcome is None or sorted(check.names) != sorted(f"p{seat + 1}" for seat in outcome.winners):
            raise self.fail(f"the winners are to be {', '.join(check.names) or 'nobody'}, but {what}")

    def events(self, game: Game, check: Check) -> None:
        wanted = check.kind != "prevented"
        lines = [event_words(entry) for entry in game.log(None) if entry["ok"] is wanted]
        if check.kind != "no event":
            self.subsequence(check.names, lines, "what happened" if wanted else "what was prevented")
            return
        for name in check.names:
            if any(fits_event(name, line) for line in lines):
                raise self.fail(f"this happened, and should not: {name}")

    def subsequence(self, wanted: tuple[str, ...], lines: list[str], where: str) -> None:
        at = 0
        for number, name in enumerate(wanted):
            while at < len(lines) and not fits_event(name, lines[at]):
                at += 1
            if at == len(lines):
                after = f" after {wanted[number - 1]}" if number else ""
                there = ", ".join(lines[-MANY_LINES:]) or "nothing"
                before = len(lines) - MANY_LINES
                raise self.fail(
                    f"{where} has no '{name}'{after}: {f'{before} more, then ' if before > 0 else ''}{there}"
                )
            at += 1

    def equal(self, what: str, wanted: str | None, found: object) -> None:
        text = str(sorted(found, key=str)) if isinstance(found, list) else str(found)
        if text != wanted:
            raise self.fail(f"{what} is to be {wanted}, but it is {text}")

    def state(self, game: Game, check: Check) -> None:
        column, of = check.names
        name = column.partition(".")[2]
        seat = check.seat if check.kind == "sees col" else None
        view = game.view(seat)
        ident, _, place = of.partition("@")
        zone, _, which = place.partition("#")
        sees = f"p{check.seat + 1} sees: " if seat is not None else ""
        whole = game.view(None)["zones"]
        if not zone and of not in view["seats"] and of not in self.stage.fixtures:  # a piece of which there is one
            zone = next((where for where, pieces in whole.items() if any(piece["id"] == of for piece in pieces)), "")
            if not zone:
                raise self.fail(f"there is no {of} anywhere")
        if not zone:
            group = view["seats"] if of in view["seats"] else view["fixtures"]
            value = self.bare(game, column, group.get(of, {}).get(column, HIDDEN))
            self.equal(f"{sees}{name} of {of}", check.value, value)
            return
        shown = view["zones"][zone]
        there = [piece["id"] for piece in whole[zone][len(whole[zone]) - len(shown) :]]
        pieces = [piece for id_, piece in zip(there, shown, strict=True) if id_ == ident]
        if not pieces or (which.isdecimal() and int(which) > len(pieces)):
            raise self.fail(f"there is no {ident}{'#' + which if which.isdecimal() else ''} in {zone}")
        chosen = pieces if which == "*" else [pieces[int(which) - 1 if which else -1]]
        for piece in chosen:
            value = self.bare(game, column, piece.get(column, HIDDEN))
            self.equal(f"{sees}{name} of {ident} in {zone}", check.value, value)

    def bare(self, game: Game, column: str, value: Shown) -> Shown:
        """A value of a state; a piece by its name alone, wherever it lies."""
        sort = next((row.sort for row in game.package.artefact.columns if row.id == column), "")
        if sort != "piece":
            return value
        if isinstance(value, list):
            return [str(item).partition("@")[0] for item in value]
        return str(value).partition("@")[0]

    def sees(self, game: Game, check: Check, seat: int | None) -> None:
        zone = check.value or ""
        found = [piece_name(piece) for piece in game.view(seat)["zones"][zone]]
        wanted = list(check.names)
        if HIDDEN in wanted:  # whatever its back shows
            found = [HIDDEN if name.startswith(f"{HIDDEN} ") and name not in wanted else name for name in found]
        ordered = self.stage.ordered.get(zone.partition(".")[0], True)
        same = found == wanted if ordered else sorted(found) == sorted(wanted)
        if not same:
            raise self.fail(f"{check.text}: {unlike(found, wanted, ordered)}")

    # ------------------------------------------------------------ what led to it

    def so_far(self, message: str = "", names_keys: bool = False) -> str:
        game = self.game
        if game is None or self.quiet:
            return ""
        try:
            return describe(game, message, names_keys)
        except Exception as error:  # a broken rule may break its description too; the failure itself must still be told
            return f"(what led to it cannot be shown: {error})"


# ---------------------------------------------------------------- keys and events


def find_matching(name: str, keys: tuple[str, ...]) -> list[str]:
    """The options that a key means: itself, else those that begin with it, part by part; `play:x` means
    `play:x@place`."""
    if name in keys:
        return [name]
    parts = name.split(":")
    return [key for key in keys if fits(parts, key.split(":"))]


def fits(parts: list[str], key: list[str]) -> bool:
    return len(parts) <= len(key) and all(
        a == b or _SIGN.split(b)[0] == a or b.startswith(a + "#") for a, b in zip(parts, key, strict=False)
    )


def fits_event(name: str, line: str) -> bool:
    """`verb`, `p1 verb` or the beginning of a longer line of the log."""
    words, of = name.split(), line.split()
    return of[: len(words)] == words or of[1 : 1 + len(words)] == words


def find_decision(game: Game, seat: int) -> Decision | None:
    return next((decision for decision in game.decisions() if decision.seat == seat), None)


def find_outcome(game: Game) -> Outcome | None:
    """The outcome that the rules declared; the text of a scenario may just have come to its end."""
    outcome = game.outcome
    return None if outcome is None or outcome.id == ENDED else outcome


def who_is_asked(game: Game) -> str:
    decisions = game.decisions()
    if decisions:
        return " and ".join(f"p{d.seat + 1} is asked ({d.label})" for d in decisions)
    outcome = find_outcome(game)
    if outcome is not None:
        return f"nobody is asked: the game is over, and the outcome is {how_it_ended(outcome)}"
    return "nobody is asked any more: the text has come to its end"


def how_it_ended(outcome: Outcome) -> str:
    """An outcome with its winners, and with the scores of all if there are any."""
    scores = "" if outcome.scores is None else ", scores " + ", ".join(map(str, outcome.scores))
    return f"{outcome.id}, winners {seats_text(outcome.winners)}{scores}"


def seats_text(seats: tuple[int, ...]) -> str:
    return ", ".join(f"p{seat + 1}" for seat in seats) or "nobody"


def event_words(entry: LogEntry) -> str:
    """One entry of a log: `p1 verb argument ..`, what the reader may not know as hidden."""
    args: list[str] = []
    for arg in entry["args"]:
        value = arg["value"]
        values = value if isinstance(value, list) else [value]
        args.extend(HIDDEN if x is None else str(x) for x in values)
    return " ".join([entry["you"] or "-", entry["verb"], *args])


def event_line(entry: LogEntry) -> str:
    """The same with what became of it."""
    return event_words(entry) + {True: "", None: " (not decided)", False: " (did not happen)"}[entry["ok"]]


def more(found: Sized, most: int = MANY_KEYS) -> str:
    return f" and {len(found) - most} more" if len(found) > most else ""


def some(keys: Sequence[str], most: int = MANY_KEYS, between: str = ", ") -> str:
    """The keys of options or other names, of a long list the first ones."""
    return between.join(keys[:most]) + more(keys, most)


def nearest(key: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The options, those first that are most like a key; few options stay as they are offered."""
    if len(keys) <= MANY_KEYS:
        return keys
    from difflib import SequenceMatcher  # only what fails waits for it

    parts = key.split(":")
    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    matcher.set_seq2(key)

    def distance(other: str) -> tuple[int, float]:
        alike = 0
        for mine, its in zip(parts, other.split(":"), strict=False):
            if mine != its:
                break
            alike += 1
        matcher.set_seq1(other)
        return -alike, -matcher.ratio()

    return tuple(sorted(keys, key=distance))


def read_values(game: Game, check: Check, you: int) -> list[str]:
    """What a condition reads: `it is 3`, of several values with what they are called."""
    found: list[str] = []
    for number, reading in enumerate(check.readings):
        try:
            value = game.eval_function(f"{check.function}:{number + 1}", you)
        except GrimoireError:  # nothing can be read there: the others are told
            continue
        text = shown_value(game, reading, value)
        if reading.form == "not":
            found.append(f"not so: {text}")
        elif len(check.readings) > 1:
            found.append(f"{reading.text}: {text}")
        else:
            found.append(
                f"there {'is' if value == 1 else 'are'} {text}" if reading.form == "there" else f"it is {text}"
            )
    return found


def shown_value(game: Game, reading: Reading, value: int) -> str:
    """A value as scenario files write it."""
    if reading.sort == "flag":
        return "true" if value else "false"
    if reading.optional and value < 0 and not reading.many:
        return "nothing"
    shown = show(Names(game.program, game.state, -1), reading.sort, reading.many, value)
    return some([str(item) for item in shown]) or "nothing" if isinstance(shown, list) else str(shown)


def unlike(found: list[str], wanted: list[str], ordered: bool) -> str:
    """How two lists of pieces differ: both, if they are short, else what is missing and what is too much."""
    if max(len(runs(found)), len(runs(wanted))) <= MANY_NAMES:
        return f"[{', '.join(runs(found))}], not [{', '.join(runs(wanted))}]"
    missing, extra = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
    if missing or extra:
        lists = [some(runs(sorted(names.elements())), MANY_NAMES) for names in (missing, extra)]
        words = [f"{word}: {text}" for word, text in zip(("missing", "too much"), lists, strict=True) if text]
        return "; ".join(words)
    at = next(i for i, (a, b) in enumerate(zip(found, wanted, strict=True)) if a != b)
    return f"in another order: number {at + 1} from the bottom is {found[at]}, not {wanted[at]}"


def describe(game: Game, message: str, names_keys: bool) -> str:
    """What is asked, unless the message says it already, and what happened last."""
    lines: list[str] = []
    decisions = game.decisions()
    if not names_keys:
        lines += [f"p{d.seat + 1} is asked ({d.label}): {some(d.keys)}" for d in decisions]
        lines += [text for text in [who_is_asked(game)] if not decisions and text not in message]
    if game.decisions_made:
        lines.append("decisions: " + ", ".join(game.decisions_made[-LAST_EVENTS:]))
    lines.append("last events: " + (", ".join(map(event_line, game.log(None)[-LAST_EVENTS:])) or "none"))
    return "\n".join(lines)


def runs(names: Iterable[str]) -> list[str]:
    """Equal names in a row as scenarios write them: `3 moon`."""
    found = [(name, len(list(group))) for name, group in groupby(names)]
    return [name if count == 1 else f"{count} {name}" for name, count in found]


def piece_name(piece: Piece) -> str:
    """A piece as a seat sees it: by its name; else hidden, with its kind if its back shows that."""
    if piece["id"] is not None:
        return str(piece["id"])
    return f"{HIDDEN} {piece['kind']}" if "kind" in piece else HIDDEN

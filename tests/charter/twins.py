"""Twins: two games that differ only in what one seat cannot see, played on side by side, and compared in all that reaches the seat.

docs/design/secrecy.md has the definition. At the first difference it is asked whether something that the seat was entitled to learn
explains it: a card that it now knows by name, another event, another public number. If so the pair ends there; if not, it is a finding.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from grimoire.runtime import Game, GrimoireError, UndoBarrier
from grimoire.runtime.decision import Decision, Names
from grimoire.runtime.menus import PollOp
from grimoire.runtime.redeal import deal_again
from tests.charter.kit import positions

Json = Any
Channel = Callable[[Game, int, random.Random], Json]

# --- what reaches a seat ---------------------------------------------------------------------------------------------------


def questions(game: Game, seat: int, rng: random.Random) -> Json:
    """What the seat is asked: labels, prompt, source, options in their order."""
    return [
        [d.label, d.prompt, d.source and asdict(d.source), [[o.key, o.label, o.values] for o in d.options]]
        for d in game.decisions()
        if d.seat == seat
    ]


def reasons(game: Game, seat: int, rng: random.Random) -> Json:
    """What it hears when it asks why: of definitions, labels, abilities and places, a few at a time."""
    document = game.package.document
    ids = [str(row["id"]) for row in document["definitions"]]
    own = [decision for decision in game.decisions() if decision.seat == seat]
    labels = sorted({option.label for decision in own for option in decision.options} | {"react", "choose"})
    cards = rng.sample(ids, min(3, len(ids)))
    hands = [
        f"{zone}#{at + 1}" for zone, pieces in game.view(seat)["zones"].items() for at in range(min(2, len(pieces)))
    ]
    places = rng.sample(hands, min(2, len(hands)))
    abilities = [str(row["label"]) for row in document["abilities"]]
    tried = [*cards, *(f"{rng.choice(labels)}:{name}" for name in cards + places), *places]
    tried += rng.sample(abilities, min(2, len(abilities)))
    return [[key, [[r.text, r.place, r.condition] for r in game.why_not(key, seat)]] for key in tried]


# A channel takes the game, the seat, and a source of samples that is the same for both games.
CHANNELS: dict[str, Channel] = {
    "log": lambda game, seat, rng: game.log(seat, choices=True),
    "view": lambda game, seat, rng: game.view(seat),
    "question": questions,
    "why-not": reasons,
}


def heard(game: Game, seat: int, sample: int, channels: dict[str, Channel]) -> dict[str, Json]:
    """Everything that reaches the seat now, as plain JSON."""
    found = {name: channel(game, seat, random.Random(sample)) for name, channel in channels.items()}
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


# --- is a difference explained? ----------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """One thing that differs: what sort of thing, and where."""

    sort: str
    where: str


# What may differ by the rules, from the strongest explanation to the weakest ...
NAMED = "named"  # the seat knows a piece in both games, and it is another one
EVENT = "event"  # another event happened, or with other values
STATE = "state"  # a public number, a count or the outcome is another one
# ... and what never may on its own account: open, numbering, order, known, back, asked, options, source, why-not, undo, error.


def in_value(one: Json, two: Json, where: str) -> Iterator[Difference]:
    """Two values of one sort in the log, or of a variable or column."""
    if one == two:
        return
    if isinstance(one, list) and isinstance(two, list):
        if sorted(map(str, one)) == sorted(map(str, two)):
            yield Difference("order", where)
        elif len(one) != len(two):
            yield Difference(STATE, where)
        else:
            before, after = Counter(map(str, one)), Counter(map(str, two))
            only = [*(before - after), *(after - before)]
            yield Difference("known" if "None" in only else NAMED, where)
    elif one is None or two is None:
        yield Difference("known", where)
    else:
        yield Difference(NAMED if isinstance(one, str) else STATE, where)


def in_log(one: list[Json], two: list[Json]) -> Iterator[Difference]:
    """The first entry that differs; what comes later may follow from it."""
    for first, second in zip(one, two, strict=False):
        if first != second:
            yield from in_entry(first, second)
            return
    if len(one) != len(two):
        longer = (one if len(one) > len(two) else two)[min(len(one), len(two))]
        yield Difference("open" if longer.get("open") else EVENT, told(longer))


def told(entry: Json) -> str:
    return str(entry.get("verb") or f"{entry['choice']}/{entry['entry']}")


def in_entry(one: Json, two: Json) -> Iterator[Difference]:
    if (told(one), one["you"]) != (told(two), two["you"]):
        yield Difference(EVENT, f"{told(one)} or {told(two)}")
        return
    values = [*zip(one.get("args", []), two.get("args", []), strict=True)]
    if "values" in one and len(one["values"]) == len(two["values"]):
        values += zip(one["values"], two["values"], strict=True)
    if "result" in one and "result" in two:
        values.append((one["result"], two["result"]))
    found = []
    for first, second in values:
        if first.get("kind") != second.get("kind") and first["value"] == second["value"]:
            found.append(Difference("back", told(one)))
        found += in_value(first["value"], second["value"], told(one))
        if first.get("zone") != second.get("zone"):
            found.append(Difference(EVENT, told(one)))
    if one.get("open") != two.get("open"):
        found.append(Difference("open", told(one)))
    elif one.get("ok") != two.get("ok"):
        found.append(Difference(EVENT, told(one)))
    yield from found or [Difference("numbering", told(one))]


def in_view(one: Json, two: Json) -> Iterator[Difference]:
    """What lies and stands on the table."""
    for zone, pieces in one["zones"].items():
        others = two["zones"][zone]
        if len(pieces) != len(others):
            yield Difference(STATE, zone)
        for first, second in zip(pieces, others, strict=False):
            if first["id"] != second["id"]:
                yield Difference("known" if first["id"] is None or second["id"] is None else NAMED, zone)
            elif first.get("kind") != second.get("kind"):
                yield Difference("back", zone)
            elif first != second:
                yield Difference(STATE, zone)
    for table in ("vars", "seats", "fixtures"):
        rows = (
            [("", one[table], two[table])]
            if table == "vars"
            else [(k, v, two[table][k]) for k, v in one[table].items()]
        )
        for _, first, second in rows:
            for name, value in first.items():
                for found in in_value(value, second[name], name):
                    yield found if found.sort != NAMED else Difference(STATE, name)
    for name in ("effects", "outcome"):
        if one[name] != two[name]:
            yield Difference(STATE, name)
    if one["decision"] != two["decision"]:
        asked = [
            {key: d and d.get(key) for key in ("seat", "seats", "label")} for d in (one["decision"], two["decision"])
        ]
        yield Difference("asked" if asked[0] != asked[1] else "options", str((asked[0] or {}).get("label")))


def differences(one: dict[str, Json], two: dict[str, Json]) -> list[Difference]:
    """All that differs between what the seat hears in two games."""
    found = [*in_log(one["log"], two["log"]), *in_view(one["view"], two["view"])]
    for name in one:
        if name not in ("log", "view") and one[name] != two[name]:
            found.append(Difference({"question": "options"}.get(name, name), name))
    return found


LEAKING_LOG = ("open", "numbering", "order", "back")


def explained(found: list[Difference], log: list[Difference]) -> bool:
    """Whether something that the seat was entitled to learn explains the differences; `log`: the first one in the log."""
    sorts = {one.sort for one in found}
    if NAMED in sorts:
        return True
    if any(one.sort in LEAKING_LOG for one in log):
        return False
    return STATE in sorts


# --- the same choices of others ------------------------------------------------------------------------------------------------


def look_of(game: Game, decision: Decision, at: int, seat: int) -> str:
    """How an option of another seat looks to a seat: what it names, and what would be left where its pieces lie."""
    g = game.state
    op = g.waiter()
    if isinstance(op, PollOp):
        op.ask(g, g.base, decision.seat)
    names, owner = Names(game.program, g, seat), Names(game.program, g, decision.seat)
    option = decision.options[at]
    raw: list[Json] = [option.label]
    pieces = {owner.piece(piece): piece for zone in g.zones for piece in zone}
    for value in option.values:
        piece = pieces.get(str(value))
        if piece is None:
            raw.append(value)
            continue
        zone = g.loc[piece]
        shown = game.view(seat)["zones"][game.program.zone_names[zone]]
        place = g.zones[zone].index(piece) - (len(g.zones[zone]) - len(shown))
        rest = shown[:place] + shown[place + 1 :] if place >= 0 else shown
        raw.append([game.program.zone_names[zone], shown[place] if place >= 0 else None, rest, names.knows(piece)])
    return json.dumps(raw)


def partner(one: Game, two: Game, key: str, seat: int, asked: int) -> str | None:
    """The option of the other game for a choice that another seat makes in the first: the same one if it stays legal and looks the
    same to the seat, else one that looks the same.
    """
    mine = next((d for d in one.decisions() if d.seat == asked), None)
    theirs = next((d for d in two.decisions() if d.seat == asked), None)
    if mine is None or theirs is None or mine.label != theirs.label:
        return None
    look = look_of(one, mine, mine.keys.index(key), seat)
    if key in theirs.keys and look_of(two, theirs, theirs.keys.index(key), seat) == look:
        return key
    for at, other in enumerate(theirs.keys):
        if look_of(two, theirs, at, seat) == look:
            return other
    return None


# --- one pair ----------------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What was looked at and what was found."""

    positions: int = 0
    pairs: int = 0
    compared: int = 0
    moved: int = 0
    pinned: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    classes: Counter[str] = field(default_factory=Counter)
    work: float = 1.0  # the greatest ratio between the work of two answers

    def add(self, other: Tally) -> None:
        for name in ("positions", "pairs", "compared", "moved", "pinned"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("ends", "explained", "classes"):
            getattr(self, name).update(getattr(other, name))
        self.wrong += other.wrong
        self.work = max(self.work, other.work)


class Pair:
    """Two games that a seat cannot tell apart, until something differs."""

    def __init__(
        self, game: Game, seat: int, rng: random.Random, tally: Tally, name: str, channels: dict[str, Channel]
    ) -> None:
        dealt = deal_again(game, seat, rng.randrange(1 << 30))
        self.one, self.two = game.clone(), dealt.game
        self.seat, self.rng, self.tally, self.name, self.channels = seat, rng, tally, name, channels
        self.start = len(game.decisions_made)
        tally.pairs += 1
        tally.moved += dealt.moved
        tally.pinned += dealt.pinned

    def play(self, steps: int) -> None:
        """Compare, choose and compare again, until a difference, the end of the games or enough."""
        end = "far enough"
        if not self.same():
            return
        for _ in range(steps):
            if self.one.decision is None:
                end = "over"
                break
            keys = self.choice()
            if keys is None:
                end = "no choice in common"
                break
            if not self.step(*keys):
                return
        self.tally.ends[end] += 1

    def same(self, undone: bool = False) -> bool:
        """Whether the seat is shown the same; if not, the difference is explained or a finding."""
        self.tally.compared += 1
        sample = self.rng.randrange(1 << 30)
        mine, theirs = (heard(game, self.seat, sample, self.channels) for game in (self.one, self.two))
        if mine == theirs:
            return True
        found = differences(mine, theirs)
        log = [*in_log(mine["log"], theirs["log"])]
        if undone or not explained(found, log):
            self.wrong((log or found)[0] if not undone else Difference("undo", "afterwards"), found)
        else:
            why = next(x for sort in (NAMED, EVENT, STATE) for x in found if x.sort == sort)
            self.tally.explained[f"{why.sort} {why.where}"] += 1
            self.tally.ends["explained"] += 1
        return False

    def choice(self) -> tuple[int, str, str] | None:
        """Who chooses what, in both games."""
        asked = self.rng.choice(self.one.decisions())
        keys = list(asked.keys)
        self.rng.shuffle(keys)
        for key in keys:
            if asked.seat == self.seat:
                return asked.seat, key, key
            other = partner(self.one, self.two, key, self.seat, asked.seat)
            if other is not None:
                return asked.seat, key, other
        return None

    def step(self, asked: int, key: str, other: str) -> bool:
        """Choose in both; compare; take it back where that is allowed, compare, and choose again."""
        errors = [_attempt(self.one, key, asked), _attempt(self.two, other, asked)]
        if any(errors):
            if errors[0] != errors[1]:
                self.wrong(Difference("error", str(errors)), [])
            return False
        work = [max(game.state.ticks, 0) + 1000 for game in (self.one, self.two)]
        self.tally.work = max(self.tally.work, max(work) / min(work))
        if not self.same():
            return False
        allowed = [_undone(game) for game in (self.one, self.two)]
        if allowed[0] != allowed[1]:
            self.wrong(Difference("undo", "allowed in one game only"), [])
            return False
        if allowed[0]:
            if self.rng.randrange(4) == 0 and not self.same(undone=True):
                return False
            self.one.choose(key, asked)
            self.two.choose(other, asked)
        return True

    def wrong(self, first: Difference, found: list[Difference]) -> None:
        made = self.one.decisions_made
        others = self.two.decisions_made[-3:]
        rest = sorted({f"{x.sort} {x.where}" for x in found})
        self.tally.ends["finding"] += 1
        self.tally.classes[f"{first.sort} {first.where}"] += 1
        self.tally.wrong.append(
            f"{self.name}: p{self.seat + 1} dealt again after {self.start} decisions, after {len(made)} {first.sort}: {first.where}"
            f"; all: {rest}; last {list(made[-3:])}, there {list(others)}"
        )


def _attempt(game: Game, key: str, seat: int) -> str:
    try:
        game.choose(key, seat)
    except GrimoireError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _undone(game: Game) -> bool:
    try:
        game.undo()
    except UndoBarrier:
        return False
    return True


def twins(
    name: str, players: int, wanted: int, seed: int = 0, steps: int = 12, channels: dict[str, Channel] = CHANNELS
) -> Tally:
    """Positions of random games, each dealt again for one seat after the other and played on."""
    tally = Tally()
    while tally.positions < wanted:
        seed += 1
        rng = random.Random(f"twins {name} {players} {seed}")
        for game, _ in positions(name, players, seed):
            if rng.randrange(4) and game.decisions_made:
                continue
            tally.positions += 1
            where = f"{name} with {players}, seed {seed}"
            Pair(game, rng.randrange(players), rng, tally, where, channels).play(steps)
            if tally.positions >= wanted:
                break
    return tally

"""Twins: two games that differ only in what one seat cannot see, played on side by side, and compared in all that
reaches the seat.

docs/design/secrecy.md has the definition. At the first difference it is asked whether something that the seat was
entitled to learn explains it: a card that it now knows by name, another event, another public number. If so the pair
ends there; if not, it is a finding.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from time import process_time
from typing import Any, Final, NamedTuple

from grimoire.runtime import Game, GrimoireError, Package, UndoBarrier
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import MIXES
from grimoire.runtime.kernel.menus import merge_alike
from grimoire.runtime.play.decision import Decision
from grimoire.runtime.play.names import Names
from grimoire.runtime.testing.redeal import deal_again
from tests.charter.kit import positions

Json = Any
Channel = Callable[[Game, int, random.Random], Json]

FLOOR: Final = 0.005  # seconds: shorter answers are not told apart by their time

# --- what reaches a seat ----------------------------------------------------------------------------------------------


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
    places = [f"{zone}#{rng.randrange(1, 4)}" for zone in rng.sample(game.program.zone_names, 2)]
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


# --- is a difference explained? ---------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """One thing that differs: what sort of thing, and where."""

    sort: str
    where: str


# What may differ by the rules, from the strongest explanation to the weakest ...
NAMED = "named"  # the seat knows a piece in both games, and it is another one
EVENT = "event"  # another event happened, or with other values
STATE = "state"  # a public number, a count or the outcome is another one
PERMUTED = " in another order"  # behind the name of a zone in which the same pieces lie
# ... and what never may on its own account: open, numbering, order, known, back, asked, options, source, why-not, undo,
# error.


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


def in_log(one: list[Json], two: list[Json]) -> list[Difference]:
    """What differs in the first entry that differs; what comes later may follow from it.

    That an event is still open in one game and over in the other is looked past: it ended with something, which stands
    behind it.
    """
    opened: list[Difference] = []
    for first, second in zip(one, two, strict=False):
        if first != second:
            found = [*in_entry(first, second)]
            if any(x.sort != "open" for x in found):
                return [*opened, *found]
            opened += found
    if len(one) != len(two):
        longer = (one if len(one) > len(two) else two)[min(len(one), len(two))]
        return [*opened, Difference("open" if longer.get("open") else EVENT, told(longer))]
    return opened


def told(entry: Json) -> str:
    return str(entry.get("verb") or f"{entry['choice']}/{entry['entry']}")


def in_entry(one: Json, two: Json) -> Iterator[Difference]:
    if (told(one), one["you"]) != (told(two), two["you"]):
        names = [[arg["value"] for arg in entry.get("args", []) if arg["sort"] == "piece"] for entry in (one, two)]
        yield Difference(EVENT if names[0] == names[1] else NAMED, f"{told(one)} or {told(two)}")
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


def in_zone(zone: str, pieces: list[Json], others: list[Json]) -> Iterator[Difference]:
    """What lies in a zone."""
    if pieces == others:
        return
    mine, theirs = ([piece["id"] for piece in there] for there in (pieces, others))
    if len(mine) != len(theirs):
        yield Difference(STATE, zone)
        shorter, longer = sorted((mine, theirs), key=len)
        if any(name is not None for name in Counter(shorter) - Counter(longer)):
            yield Difference(NAMED, zone)
    elif mine != theirs:
        if Counter(mine) == Counter(theirs):
            yield Difference(NAMED, f"{zone}{PERMUTED}")
        pairs = [(one, two) for one, two in zip(mine, theirs, strict=True) if one != two]
        yield from (Difference("known" if None in pair else NAMED, zone) for pair in pairs)
    elif [piece.get("kind") for piece in pieces] != [piece.get("kind") for piece in others]:
        yield Difference("back", zone)
    else:
        yield Difference(STATE, zone)


def in_view(one: Json, two: Json) -> Iterator[Difference]:
    """What lies and stands on the table."""
    for zone, pieces in one["zones"].items():
        yield from in_zone(zone, pieces, two["zones"][zone])
    cells = [(one["vars"], two["vars"])]
    cells += [(row, two[table][name]) for table in ("seats", "fixtures") for name, row in one[table].items()]
    for first, second in cells:
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
    rest = [name for name in one if name not in ("log", "view") and one[name] != two[name]]
    return found + [Difference({"question": "options"}.get(name, name), name) for name in rest]


def halted(one: list[Json], two: list[Json]) -> str | None:
    """The innermost event in which one game waits where the other has gone on, if it has told nothing that the other
    has not."""
    if len(one) > len(two):
        one, two = two, one
    changing = ("open", "ok", "result")
    waits = None
    for first, second in zip(one, two, strict=False):
        if any(first.get(key) != second.get(key) for key in {*first, *second} if key not in changing):
            return None
        if first.get("open") != second.get("open"):
            waits = told(first)
    return waits


def explained(found: list[Difference], log: list[Difference]) -> bool:
    """Whether something that the seat was entitled to learn explains the differences; `log`: the first ones in the
    log."""
    sorts = {one.sort for one in log}
    if not sorts.isdisjoint(("numbering", "back")):
        return False
    if "order" in sorts:  # a set goes by the places of its pieces: the same pieces have come to light in another order
        return any(one.sort == NAMED and one.where.endswith(PERMUTED) for one in found)
    return any(one.sort in (NAMED, EVENT, STATE) for one in found)


def overtaken(one: Game, two: Game, seat: int, depth: int = 2) -> str | None:
    """The question that one game asks and the other skips, if after some answer to it the seat is shown the same
    again."""
    for slow, quick in ((one, two), (two, one)):
        wanted = bare(quick, seat)
        key = _catches_up(slow, wanted, seat, depth)
        if key is not None:
            assert slow.decision is not None
            return f"{slow.decision.label} of {'itself' if slow.decision.seat == seat else 'another'} ({key})"
    return None


def _catches_up(game: Game, wanted: Json, seat: int, depth: int) -> str | None:
    for decision in game.decisions():
        for key in decision.keys[:8]:
            copy = game.clone()
            if _attempt(copy, key, decision.seat):
                continue
            if bare(copy, seat) == wanted or (depth > 1 and _catches_up(copy, wanted, seat, depth - 1) is not None):
                return key
    return None


def bare(game: Game, seat: int) -> Json:
    """What a seat is shown, without a trace of who was asked."""
    log = [{key: value for key, value in entry.items() if key != "n"} for entry in game.log(seat)]
    return json.loads(json.dumps([log, game.view(seat), questions(game, seat, random.Random(0))]))


# --- the same choices of others ---------------------------------------------------------------------------------------


def looks(game: Game, decision: Decision, seat: int, zones: Json) -> list[str]:
    """How each option looks to a seat that sees these zones: what it names, and what would be left where its pieces
    lie."""
    p, g = game.program, game.state
    owner, reader = Names(p, g, decision.seat), Names(p, g, seat)
    pieces: dict[str, int] = {}  # of several that the owner cannot tell apart: one that the seat knows, if it does
    for zone in g.zones:
        named: dict[str, list[int]] = {}
        for piece in zone:
            named.setdefault(owner.piece(piece), []).append(piece)
        for name, alikes in named.items():
            chosen = merge_alike(g, decision.seat, alikes, p.tables.piece_columns)[0]
            pieces[name] = next(filter(reader.knows, alikes), chosen)
    found = []
    for option in decision.options:
        shown: list[Json] = [option.label]
        for value in option.values:
            piece = pieces.get(str(value), -1)
            if piece < 0:
                shown.append(value)
                continue
            there = zones[p.zone_names[g.loc[piece]]]
            at = g.zones[g.loc[piece]].index(piece) - (len(g.zones[g.loc[piece]]) - len(there))
            shown.append(
                [p.zone_names[g.loc[piece]], *([there[at], there[:at] + there[at + 1 :]] if at >= 0 else [there])]
            )
            if p.tables.mixes[g.loc[piece]]:
                shown.append(at)  # chance has laid it there, the same in both games
        found.append(json.dumps(shown))
    return found


def paired(one: Game, two: Game, asked: int, seat: int, zones: list[Json]) -> list[tuple[str, str]]:
    """The choices of another seat that both games allow: the same key where it looks the same to the seat, else one
    that looks so."""
    mine = next(d for d in one.decisions() if d.seat == asked)
    theirs = next((d for d in two.decisions() if d.seat == asked), None)
    if theirs is None or mine.label != theirs.label:
        return []
    look = dict(zip(mine.keys, looks(one, mine, seat, zones[0]), strict=True))
    other = dict(zip(theirs.keys, looks(two, theirs, seat, zones[1]), strict=True))
    same = [(key, key) for key in look if other.get(key) == look[key]]
    first = {shown: key for key, shown in reversed(other.items())}
    alike = [(key, first[shown]) for key, shown in look.items() if other.get(key) != shown and shown in first]
    return same + alike


class Mixing:
    """What one choice in both games brings to zones without an order, which mixes them.

    Every order is as likely there. So chance may as well lay what lies in both games into the same places: otherwise
    what comes out of there at once comes in another order, which tells the seat nothing and ends the pair. Moved are
    only pieces that the seat does not know, and only where a mixing has just put them.
    """

    def __init__(self, one: Game, two: Game, seat: int) -> None:
        self.games, self.seat = (one, two), seat
        self.draws = [game.state.mem[MIXES] for game in self.games]
        self.held = [[set(zone) for zone in game.state.zones] for game in self.games]

    def came(self, zone: int) -> bool:
        """Whether something has come to a zone in both games, and zones were mixed."""
        return all(
            game.state.mem[MIXES] > draws and not held[zone].issuperset(game.state.zones[zone])
            for game, draws, held in zip(self.games, self.draws, self.held, strict=True)
        )

    def lay_alike(self) -> None:
        """Lay the second game as the first one lies, before anybody is told of it."""
        one, two = self.games
        changed = False
        for zone, mixes in enumerate(one.program.tables.mixes):
            if mixes and self.came(zone):
                found = self.laid(one.state.zones[zone], two.state.zones[zone])
                changed |= found != two.state.zones[zone]
                two.state.zones[zone] = found
        if changed:
            trial.refresh(two.state)
            two._decision = None  # the options are the same ones, in another order

    def laid(self, mine: list[int], theirs: list[int]) -> list[int]:
        """The pieces of the second game by the places of the first; as they are if the seat is shown a difference."""
        shown = [
            self.look(piece, game) for game, zone in zip(self.games, (mine, theirs), strict=True) for piece in zone
        ]
        if len(mine) != len(theirs) or shown[: len(mine)] != shown[len(mine) :]:
            return theirs
        rest: dict[str | int, list[int]] = {}
        for piece, look in zip(theirs, shown, strict=False):
            if piece not in mine:
                rest.setdefault(look, []).append(piece)
        return [piece if piece in theirs else rest[look].pop(0) for piece, look in zip(mine, shown, strict=False)]

    def look(self, piece: int, game: Game) -> str | int:
        """What the seat sees at its place: which piece it is, or its back."""
        p = game.program
        return piece if Names(p, game.state, self.seat).knows(piece) else p.backs[p.piece_def[piece]] or "hidden"


def among(game: Game, seat: int, rng: random.Random) -> set[int] | None:
    """Which pieces are exchanged: all, or those in the keeping of others with as many that will come up late, or very
    few."""
    how = rng.randrange(4)
    if how == 0:
        return None
    p, g = game.program, game.state
    held, late = [], []
    for zone, pieces in enumerate(g.zones):
        for at, piece in enumerate(pieces):
            if not Names(p, g, seat).knows(piece):
                if p.tables.holder[zone] >= 0:
                    held.append(piece)
                elif at < len(pieces) // 2 or len(pieces) < 4:
                    late.append(piece)
    if how == 1:
        return {*held, *rng.sample(late, min(len(late), max(len(held), 4)))}
    if how == 2:
        return {*rng.sample(held, min(len(held), 2)), *rng.sample(late, min(len(late), 12))}
    return set(held)


# --- one pair ---------------------------------------------------------------------------------------------------------


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
    by_state: list[str] = field(default_factory=list)  # the explanations without a name
    wrong: list[str] = field(default_factory=list)
    classes: Counter[str] = field(default_factory=Counter)
    work: float = 1.0  # the greatest ratio between the steps that the kernel took for one choice in both games
    time: float = 1.0  # ... between the CPU time of what a seat is told after it, where it is measured at all

    def add(self, other: Tally) -> None:
        for name in ("positions", "pairs", "compared", "moved", "pinned"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("ends", "explained", "classes"):
            getattr(self, name).update(getattr(other, name))
        self.wrong += other.wrong
        self.by_state += other.by_state
        self.work = max(self.work, other.work)
        self.time = max(self.time, other.time)

    def figures(self) -> dict[str, Any]:
        """Everything but the findings, for a summary."""
        found = {name: getattr(self, name) for name in ("positions", "pairs", "compared", "moved", "pinned")}
        found |= {name: dict(getattr(self, name).most_common()) for name in ("ends", "explained", "classes")}
        return found | {"unnamed": self.by_state[:20], "work": round(self.work, 2), "time": round(self.time, 2)}


class Pair:
    """Two games that a seat cannot tell apart, until something differs."""

    def __init__(
        self,
        game: Game,
        seat: int,
        rng: random.Random,
        tally: Tally,
        name: str,
        channels: dict[str, Channel],
        timed: bool,
    ) -> None:
        dealt = deal_again(game, seat, rng.randrange(1 << 30), among(game, seat, rng))
        self.one, self.two = game.clone(), dealt.game
        self.seat, self.rng, self.tally, self.name, self.channels, self.timed = seat, rng, tally, name, channels, timed
        self.start = len(game.decisions_made)
        self.parted = dealt.pending  # somebody has chosen otherwise in the second game
        self.zones: list[Json] = []  # of both, as the seat was last shown them
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

    def hear(self, game: Game, sample: int) -> tuple[dict[str, Json], float]:
        """What the seat is told, and now and then how long that took: the best of three runs, as the machine has other
        work too."""
        found = heard(game, self.seat, sample, self.channels)
        if not self.timed or self.tally.compared % 16:
            return found, FLOOR
        spent = []
        for _ in range(3):
            began = process_time()
            heard(game, self.seat, sample, self.channels)
            spent.append(process_time() - began)
        return found, max(min(spent), FLOOR)

    def same(self, undone: bool = False) -> bool:
        """Whether the seat is shown the same; if not, the difference is explained or a finding."""
        self.tally.compared += 1
        sample = self.rng.randrange(1 << 30)
        (mine, spent), (theirs, other) = (self.hear(game, sample) for game in (self.one, self.two))
        self.tally.time = max(self.tally.time, spent / other, other / spent)
        self.zones = [mine["view"]["zones"], theirs["view"]["zones"]]
        if mine == theirs:
            return True
        found = differences(mine, theirs)
        log = in_log(mine["log"], theirs["log"])
        if undone:
            self.wrong(Difference("undo", "afterwards"), found)
        elif not explained(found, log):
            self.wrong((log or found)[0], found)
        elif (skipped := self.skipped(found, mine["log"], theirs["log"])) is not None:
            self.wrong(Difference("skipped", skipped), found)
        else:
            why = next(x for sort in (NAMED, EVENT, STATE) for x in found if x.sort == sort)
            self.tally.explained[f"{why.sort} {why.where}"] += 1
            self.tally.ends["explained"] += 1
            if why.sort != NAMED:
                self.tally.by_state.append(self.described(why, found))
        return False

    def skipped(self, found: list[Difference], mine: list[Json], theirs: list[Json]) -> str | None:
        """The question that is put in one game and not in the other, where nothing but that question may have told the
        games apart."""
        if any(x.sort == NAMED for x in found):
            return None
        event = None if self.parted else halted(mine, theirs)
        return event or overtaken(self.one, self.two, self.seat)

    def choice(self) -> tuple[int, str, str] | None:
        """Who chooses what, in both games; mostly by the same key, so that they stay alike for long."""
        asked = self.rng.choice(self.one.decisions())
        pairs = [(key, key) for key in asked.keys]
        if asked.seat != self.seat:
            pairs = paired(self.one, self.two, asked.seat, self.seat, self.zones)
            same = [(one, two) for one, two in pairs if one == two]
            if same and self.rng.randrange(8):
                pairs = same
        return (asked.seat, *self.rng.choice(pairs)) if pairs else None

    def step(self, asked: int, key: str, other: str) -> bool:
        """Choose in both; compare; take it back where that is allowed, compare, and choose again."""
        self.parted |= key != other
        mixing = Mixing(self.one, self.two, self.seat)
        errors = [_attempt(self.one, key, asked), _attempt(self.two, other, asked)]
        if any(errors):
            if errors[0] != errors[1]:
                self.wrong(Difference("error", str(errors)), [])
            return False
        mixing.lay_alike()
        work = [max(game.state.work, 0) + 1000 for game in (self.one, self.two)]
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
            mixing = Mixing(self.one, self.two, self.seat)
            self.one.choose(key, asked)
            self.two.choose(other, asked)
            mixing.lay_alike()
        return True

    def wrong(self, first: Difference, found: list[Difference]) -> None:
        self.tally.ends["finding"] += 1
        self.tally.classes[f"{first.sort} {first.where}"] += 1
        self.tally.wrong.append(self.described(first, found))

    def described(self, first: Difference, found: list[Difference]) -> str:
        """Where the games differ, so that somebody can go there."""
        mine, theirs = self.one.decisions_made, self.two.decisions_made
        rest = sorted({f"{x.sort} {x.where}" for x in found})
        return (
            f"{self.name}: p{self.seat + 1} dealt again after {self.start} decisions, after {len(mine)} "
            f"{first.sort}: {first.where}"
            f"; all: {rest}; last {list(mine[-3:])}, there {list(theirs[-3:])}"
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
    of: str | Package,
    players: int,
    wanted: int,
    seed: int = 0,
    steps: int = 30,
    channels: dict[str, Channel] = CHANNELS,
    timed: bool = False,
) -> Tally:
    """Positions of random games, each dealt again for one seat after the other and played on."""
    tally = Tally()
    name = of if isinstance(of, str) else of.id
    while tally.positions < wanted:
        seed += 1
        rng = random.Random(f"twins {name} {players} {seed}")
        for game, _ in positions(of, players, seed):
            if rng.randrange(4) and game.decisions_made:
                continue
            tally.positions += 1
            where = f"{name} with {players}, seed {seed}"
            Pair(game, rng.randrange(players), rng, tally, where, channels, timed).play(steps)
            if tally.positions >= wanted:
                break
    return tally

"""Names, values and positions in scenario files, resolved against a package.

In: nodes of a scenario and the package, lowered. Out: `Edit` values in the terms of the runtime's position editor, and
diagnostics for names that mean nothing and positions that cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from grimoire.compiler.declare.model import Field, PackageModel, Text, Type
from grimoire.compiler.diagnostics import codes_scenario as _codes  # noqa: F401
from grimoire.compiler.diagnostics.report import Diagnostics, Related, did_you_mean
from grimoire.compiler.lower.scenario_texts import ScenarioTexts
from grimoire.compiler.scenario.model import Edit, Given
from grimoire.compiler.source.shapes import as_flag, as_int, as_mapping, as_text, as_text_list
from grimoire.compiler.source.tree import Node, Scalar
from grimoire.compiler.syntax.parse import parse_texts

FIXED_KEYS = ("done", "pass", "decline", "none", "in-turn")
NOTHING = ("nobody", "nothing", "nowhere")
HIDDEN = "hidden"
EACH = "#*"  # of the name of a piece in a place: all of them
MAX_COUNT = 10_000
SEAT = re.compile(r"p([1-9][0-9]?)\Z")
NUMBER = re.compile(r"-?[0-9]+\Z")
_PLACE_SIGN = re.compile("[@#]")
_BARE_SEAT = re.compile(r"(?<![\w-])(?<!the )(?<!of )(p[1-9][0-9]?)(?![\w-])")
_OWNED = re.compile(r"(\S+) of (\S+)\Z")
_PLACED = re.compile(r"(each )?([^\s#]+)(?:#([1-9][0-9]*))? in (?:the )?(.+)\Z")
_COUNTED = re.compile(r"([0-9]{1,5}) (?:x )?(\S.*)\Z")


class Meaning(NamedTuple):
    """What an entry of a position does, and the pieces that it speaks of."""

    edits: tuple[Edit, ...]
    pieces: tuple[tuple[str, Scalar], ...] = ()


# By the identity of an entry, which is held so that it stays, and the number of players.
Resolved: TypeAlias = dict[tuple[int, int, int], tuple[Scalar, Node, Meaning]]


class PositionReader:
    """What the parts of a scenario have in common: players, places, pieces, values."""

    def __init__(
        self, lowered: ScenarioTexts, players: tuple[int, int], words: Callable[[], Collection[str]] = frozenset
    ) -> None:
        """`words` are those that options are called by; they are asked for when a key is read."""
        self.lowered = lowered
        self.model: PackageModel = lowered.model
        self.allowed = players
        self.diags = Diagnostics()
        self.players = players[0]
        self.id = ""
        self.count = 0
        self.words = words
        self.entries: Collection[str] | None = None
        self.resolved: Resolved | None = None  # entries that other scenarios share

    def seats(self) -> tuple[str, ...]:
        return seat_names(self.players)

    def seat(self, node: Node, what: str, others: Sequence[str] = ()) -> int | None:
        """A player; `others` are words that could stand there as well."""
        text = as_text(node, self.diags, what)
        if text is None:
            return None
        if text in self.seats():
            return int(text[1:]) - 1
        assert isinstance(node, Scalar)
        many = f"the players are {', '.join(self.seats())}"
        guess = did_you_mean(text, (*self.seats(), *others))
        suffix = f" (did you mean '{guess}'?)" if guess is not None else ""
        self.diags.add("G0811", node.span, f"{what}: there is no player '{text}'{suffix}", many)
        return None

    def unknown(self, code: str, item: Scalar, what: str, names: Sequence[str], word: str | None = None) -> None:
        word = item.value if word is None else word
        found = did_you_mean(word, names)
        hint = f"write {found}" if found is not None else f"one of {', '.join(names[:12])}" if names else None
        suffix = f" (did you mean '{found}'?)" if found is not None else ""
        self.diags.add(code, item.span, f"there is no {what} '{word}'{suffix}", hint)

    def is_known_key(self, node: Node, key: str) -> bool:
        """Whether every part of a key is a word of some decision or a name: others can never be offered."""
        for part in key.split(":"):
            for at, word in enumerate(_PLACE_SIGN.split(part)):
                if word in self.key_words() or NUMBER.match(word):
                    continue
                found = did_you_mean(word, self.key_words())
                suffix = f" (did you mean '{found}'?)" if found is not None else ""
                what = "place" if at else "word of a decision and no name"
                message = f"no option is ever called '{key}': '{word}' is no {what}{suffix}"
                self.diags.add("G0816", node.span, message, f"write {found}" if found is not None else None)
                return False
        return True

    def key_words(self) -> Collection[str]:
        if self.entries is None:
            self.entries = self.words()
        return self.entries

    def column_name(self, declared: Field) -> str:
        """How the artefact calls the column of a field."""
        return self.lowered.vocabulary.column_rows[declared.column].id

    def state_names(self, kind: str) -> list[str]:
        return [f for a in self.model.ancestors(kind) for f, d in self.model.kinds[a].fields.items() if d.state]

    def object(self, key: Scalar, name: str) -> tuple[str, str] | None:
        """A seat, a fixture, or a piece in a place: its name for the editor, and its kind."""
        seat = SEAT.match(name)
        if seat and int(seat[1]) <= self.players:
            return name, "player"
        thing = self.model.things.get(name)
        if thing is not None:
            return name, thing.kind
        placed = _PLACED.match(name)
        if placed is not None and placed[2] in self.model.definitions:
            zone = self.zone(key, placed[4])
            which = EACH if placed[1] else f"#{placed[3]}" if placed[3] else ""
            kind = self.model.definitions[placed[2]].kind
            return (f"{placed[2]}@{zone[0]}{which}", kind) if zone is not None else None
        if name in self.model.definitions and self.model.definitions[name].copies == 1:
            return name, self.model.definitions[name].kind
        if name in self.model.definitions:
            self.diags.add(
                "G0811",
                key.span,
                f"it is not said which {name} is meant",
                f"say where it is: '{name} in PLACE', '{name}#2 in PLACE' or 'each {name} in PLACE'",
            )
            return None
        self.unknown(
            "G0811", key, "player, space or card", [*self.seats(), *self.model.things, *self.model.definitions], name
        )
        return None

    def zone(self, key: Scalar, text: str | None = None) -> tuple[str, str] | None:
        """A place: its name for the editor, and the kind that it holds."""
        name = key.value if text is None else text
        owned = _OWNED.match(name)
        base = owned[1] if owned is not None else name
        declared = self.model.zones.get(base)
        thing = self.model.things.get(base)
        if declared is None and thing is not None and self.model.kinds[thing.kind].holds and owned is None:
            return name, "piece"
        if declared is None:
            holding = [t.id for t in self.model.things.values() if self.model.kinds[t.kind].holds]
            owned_zones = [f"{z.id} of {seat}" for z in self.model.zones.values() if z.each for seat in self.seats()]
            self.unknown("G0811", key, "place", [*self.model.zones, *holding, *owned_zones], base)
            return None
        if not declared.each:
            if owned is not None:
                self.diags.add("G0811", key.span, f"{base} belongs to nobody", f"write {base}")
                return None
            return base, declared.holds
        if owned is None:
            self.diags.add(
                "G0811", key.span, f"every player has a {base}: it does not say whose", f"write '{base} of p1'"
            )
            return None
        if owned[2] not in self.seats():
            self.unknown("G0811", key, "player", self.seats(), owned[2])
            return None
        return f"{base}.{owned[2]}", declared.holds

    def value(self, node: Node, type_: Type, what: str) -> tuple[Given] | None:
        """A value of a type, in the form that the editor takes; wrapped, because None is a value."""
        if type_.many:
            found = [self.value(item, type_.one(), what) for item in as_text_list(node, self.diags, what) or []]
            return ([one[0] for one in found if one is not None and isinstance(one[0], int | str | None)],)
        if type_.sort == "number":
            number_ = as_int(node, self.diags, what)
            if number_ is None:
                return None
            low, high = type_.low, type_.high
            if (low is not None and number_ < low) or (high is not None and number_ > high):
                bounds = (
                    f"from {low} to {high}"
                    if low is not None and high is not None
                    else f"up to {high}"
                    if low is None
                    else f"from {low} on"
                )
                self.diags.add("G0814", node.span, f"{what} goes {bounds}; {number_} is outside")
                return None
            return (number_,)
        if type_.sort == "flag":
            flag = as_flag(node, self.diags, what)
            return None if flag is None else (int(flag),)
        text = as_text(node, self.diags, what)
        if text is None:
            return None
        assert isinstance(node, Scalar)
        if text in NOTHING:
            if type_.optional:
                return (None,)
            self.diags.add("G0814", node.span, f"{what} is always a {type_}: it cannot be {text}")
            return None
        return self.read_name(node, type_, what)

    def read_name(self, node: Scalar, type_: Type, what: str) -> tuple[Given] | None:
        text = node.value
        if type_.sort == "seat":
            seat = self.seat(node, what)
            return None if seat is None else (text,)
        if type_.sort == "fixture":
            names = [t.id for t in self.model.things.values() if self.model.is_a(t.kind, type_.kind)]
            if text in names:
                return (text,)
            self.unknown("G0814", node, str(type_), names)
            return None
        if type_.sort == "zone":
            zone = self.zone(node)
            return None if zone is None else (zone[0],)
        found = self.object(node, text)
        return None if found is None else (found[0],)

    def text(self, scalar: Scalar, start: str, owner: str) -> Text:
        """A text of the effect language. Players may stand in it as they are called everywhere else: `p2 has 3
        coins`."""
        language = self.model.language(self.model.id)
        made = Text(scalar.value, start, scalar, scalar.source.path, owner, language=language)
        problems = Diagnostics()
        parse_texts([made], problems)
        if not made.ok:
            said = _BARE_SEAT.sub(r"the \1", scalar.value)
            named = Text(said, start, scalar, scalar.source.path, owner, language=language)
            parse_texts([named], Diagnostics())
            if named.ok:
                return named
        self.diags.extend(problems)
        return made

    def resolve(self, key: Scalar, value: Node, read: Callable[[Scalar, Node], Meaning]) -> Meaning:
        """What an entry of a position means. Many scenarios share a position: what is right is resolved once."""
        if self.resolved is None:
            return read(key, value)
        at = (id(key), id(value), self.players)
        known = self.resolved.get(at)
        if known is None:
            before = len(self.diags)
            known = key, value, read(key, value)
            if len(self.diags) == before:
                self.resolved[at] = known
        return known[2]

    def zones(self, node: Node | None, edits: list[Edit]) -> None:
        mapping = as_mapping(node, self.diags, "zones") if node is not None else None
        places: dict[str, list[tuple[str, Scalar]]] = {}
        for key, value in mapping.entries if mapping is not None else ():
            meant = self.resolve(key, value, self.read_zone)
            edits += meant.edits
            for ident, item in meant.pieces:
                places.setdefault(ident, []).append((key.value, item))
        for ident, uses in places.items():
            self.copies(ident, uses)

    def read_zone(self, key: Scalar, value: Node) -> Meaning:
        zone = self.zone(key)
        items = self.entries_of(value, key.value)
        if zone is None or items is None:
            return Meaning(())
        name, holds = zone
        pieces = tuple((ident, item) for item in items for ident in self.pieces(item, key.value, holds))
        return Meaning((Edit("zone", key.span, name, pieces=tuple(ident for ident, _ in pieces)),), pieces)

    def pieces(self, item: Scalar, place: str, holds: str) -> list[str]:
        """The pieces that an entry of a list means: `moon`, or `3 moon`. They must be of a kind that the place
        holds."""
        count, ident = self.split_count(item, self.model.definitions)
        definition = self.model.definitions.get(ident)
        if definition is None:
            self.unknown("G0811", item, "card", list(self.model.definitions), ident)
            return []
        if not self.model.is_a(definition.kind, holds):
            self.diags.add("G0814", item.span, f"{place} holds {holds}, and {ident} is a {definition.kind}")
            return []
        return [ident] * count

    def entries_of(self, node: Node, what: str) -> list[Scalar] | None:
        """The entries of a list; a single one with a number, such as `3 moon`, needs no brackets."""
        if isinstance(node, Scalar) and _COUNTED.match(node.value):
            return [node]
        return as_text_list(node, self.diags, what)

    def split_count(self, item: Scalar, names: Collection[str]) -> tuple[int, str]:
        """`3 moon` or `3 x moon` as a number and a name; a name that looks like that stays as it is."""
        found = _COUNTED.match(item.value) if item.value not in names else None
        return (min(int(found[1]), MAX_COUNT), found[2]) if found is not None else (1, item.value)

    def copies(self, ident: str, uses: list[tuple[str, Scalar]]) -> None:
        definition = self.model.definitions[ident]
        there = definition.copies if definition.zone is not None else 0
        if len(uses) <= there:
            return
        item = uses[there][1]
        where = " and ".join(dict.fromkeys(place for place, _ in uses))
        related = tuple(Related(other.span, "listed here") for _, other in uses[:there])
        if there == 1:
            message = f"there is one {ident}, and the position has it in {where}"
            if len({place for place, _ in uses}) == 1:
                message += f", {len(uses)} times"
            self.diags.add("G0813", item.span, message, "take it out of one of the places", related)
        else:
            message = f"the position has {len(uses)} of {ident} ({where}), and there are {there}"
            self.diags.add("G0812", item.span, message, None, related)

    def counters(self, node: Node | None, edits: list[Edit]) -> None:
        mapping = as_mapping(node, self.diags, "counters") if node is not None else None
        for key, value in mapping.entries if mapping is not None else ():
            edits += self.resolve(key, value, self.read_counter).edits

    def read_counter(self, key: Scalar, value: Node) -> Meaning:
        counter = self.model.counters.get(key.value)
        if counter is None:
            self.unknown("G0811", key, "counter", list(self.model.counters))
            return Meaning(())
        made = self.value(value, counter.type, key.value)
        return Meaning(() if made is None else (Edit("var", key.span, key.value, made[0]),))

    def states(self, node: Node | None, edits: list[Edit]) -> None:
        mapping = as_mapping(node, self.diags, "states") if node is not None else None
        for key, values in mapping.entries if mapping is not None else ():
            edits += self.resolve(key, values, self.read_states).edits

    def read_states(self, key: Scalar, values: Node) -> Meaning:
        edits: list[Edit] = []
        of = as_mapping(values, self.diags, key.value)
        for name in key.value.split(","):
            found = self.object(key, name.strip())
            if found is None or of is None:
                continue
            target, kind = found
            for state, value in of.entries:
                declared = self.model.field(kind, state.value)
                if declared is None or not declared.state:
                    self.unknown("G0811", state, f"state of a {kind}", self.state_names(kind))
                    continue
                made = self.value(value, declared.type, state.value)
                if made is not None:
                    column = self.column_name(declared)
                    edits.append(Edit("col", state.span, column, made[0], target))
        return Meaning(tuple(edits))


@cache
def seat_names(players: int) -> tuple[str, ...]:
    return tuple(f"p{n + 1}" for n in range(players))


def names_of_keys(names: Iterable[str], zones: Iterable[str], players: int) -> set[str]:
    """The names that options are called by (of things, cards, zones), and what every decision may offer."""
    found = {*FIXED_KEYS, *names}
    for seat in range(players):
        found.add(f"p{seat + 1}")
        found.update(f"{zone}.p{seat + 1}" for zone in zones)
    return found


def guess(word: str, names: list[str]) -> str | None:
    found = did_you_mean(word, names)
    return f"did you mean {found}?" if found is not None else None

"""The steps and checks of a scenario: decisions, and what must hold.

In: the nodes below `when` and `then`. Out: `Step` and `Check` values; conditions of the effect language have become
functions.
"""

from __future__ import annotations

from grimoire.compiler.lower.units import ConditionUnit
from grimoire.compiler.scenario.model import Check, Edit, Step
from grimoire.compiler.scenario.positions import HIDDEN, NOTHING, NUMBER, SEAT, PositionReader
from grimoire.compiler.source.shapes import as_int, as_mapping, as_sequence, as_text, as_text_list, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar

CHECKS = (
    "offered", "offers", "not offered", "why not", "asked", "outcome", "events", "no event", "prevented", "sees", "log",
    "counters", "states", "zones",
)  # fmt: skip


class CheckReader(PositionReader):
    """Reads what is done and what must hold."""

    def steps(self, when: Node | None, then: Node | None) -> list[Step]:
        found: list[Step] = []
        sequence = as_sequence(when, self.diags, "when") if when is not None else None
        for item in sequence.items if sequence is not None else ():
            step = self.step(item)
            if step is not None:
                found.append(step)
        if then is not None:
            found.append(Step(then.span, checks=tuple(self.checks(then))))
        return found

    def step(self, node: Node) -> Step | None:
        hint = "write '- p1: key', or '- then: [checks]'"
        if not isinstance(node, Mapping) or len(node.entries) != 1:
            self.diags.add("G0820", node.span, "a step is one decision of one player", hint)
            return None
        name, value = node.entries[0]
        if name.value == "then":
            return Step(name.span, checks=tuple(self.checks(value)))
        if not SEAT.match(name.value):
            self.unknown("G0820", name, "player", [*self.seats(), "then"])
            return None
        seat = self.seat(name, "a step")
        if isinstance(value, Mapping):
            value = check_keys(value, ("choose",), self.diags, "a step")
            inner = value.get("choose")
            if inner is None and not value.entries:
                self.diags.add("G0820", value.span, "a step says which option is chosen", "write '- p1: key'")
            if inner is None:
                return None
            value = inner
        key = as_text(value, self.diags, "the key of an option")
        if seat is None or key is None or not self.is_known_key(value, key):
            return None
        return Step(value.span, seat, key)

    def checks(self, node: Node) -> list[Check]:
        sequence = as_sequence(node, self.diags, "then")
        found: list[Check] = []
        for item in sequence.items if sequence is not None else ():
            if isinstance(item, Scalar):
                made = self.condition(item)
                found.extend([made] if made is not None else [])
            elif isinstance(item, Mapping):
                item = check_keys(item, CHECKS, self.diags, "a check")
                for key, value in item.entries:
                    if key.value in CHECKS:
                        found.extend(self.read_structured(key, value))
            else:
                self.diags.add("G0820", item.span, "a check is a condition, or a mapping such as 'asked: p1'")
        return found

    def condition(self, scalar: Scalar) -> Check | None:
        text = as_text(scalar, self.diags, "a check")
        if text is None:
            return None
        self.count += 1
        owner = f"scenario:{self.id}:{self.count}"
        made = self.text(scalar, "condition", owner)
        lowered = self.lowered.add(ConditionUnit(made, self.players, read=self.lowered.known is None))
        self.diags.extend(lowered.diagnostics)
        if lowered.failed:
            return None
        return Check("condition", scalar.span, " ".join(text.split()), owner, lowered.readings)

    def read_structured(self, key: Scalar, value: Node) -> list[Check]:
        kind = key.value
        if kind == "asked":
            text = as_text(value, self.diags, kind)
            if text in NOTHING:
                return [Check("asked", key.span, f"asked: {text}")]
            seat = self.seat(value, kind, NOTHING[:1]) if text is not None else None
            return [] if seat is None else [Check("asked", key.span, f"asked: {text}", seat=seat)]
        if kind == "outcome":
            return self.outcome(key, value)
        if kind in ("counters", "states", "zones"):
            return self.position(key, value)
        if kind in ("events", "no event", "prevented"):
            return self.events(key, value)
        found: list[Check] = []
        mapping = as_mapping(value, self.diags, kind)
        for name, inner in mapping.entries if mapping is not None else ():
            seat = self.seat(name, kind)
            if seat is None:
                continue
            if kind == "why not":
                found.extend(self.why_not(key, seat, inner))
            elif kind == "sees":
                found.extend(self.sees(key, seat, inner))
            else:
                found.extend(self.read_list(key, seat, inner))
        return found if found or self.diags.has_errors else self.empty(key)

    def position(self, key: Scalar, value: Node) -> list[Check]:
        """counters, states, zones: said as under given, and looked at."""
        edits: list[Edit] = []
        {"counters": self.counters, "states": self.states, "zones": self.zones}[key.value](value, edits)
        found: list[Check] = []
        for edit in edits:
            if edit.what == "zone":
                found.append(Check("zone", edit.span, edit.target, names=edit.pieces, value=edit.target))
            else:
                text = "none" if edit.value is None else value_text(edit.value)
                found.append(Check(edit.what, edit.span, edit.target, names=(edit.target, edit.of or ""), value=text))
        return found if found or self.diags.has_errors else self.empty(key)

    def empty(self, key: Scalar) -> list[Check]:
        self.diags.add("G0820", key.span, f"{key.value}: names nothing, so that it cannot fail", "say what must hold")
        return []

    def read_list(self, key: Scalar, seat: int, node: Node) -> list[Check]:
        """offered, offers, not offered, log: a list of keys or lines for a seat."""
        kind = key.value
        items = as_text_list(node, self.diags, kind)
        if items is None:
            return []
        if not items and kind != "offered":
            return self.empty(key)
        names = [i.value for i in items if kind == "log" or self.is_known_key(i, i.value)]
        return [Check(kind, key.span, f"{kind} to p{seat + 1}", seat=seat, names=tuple(names))]

    def why_not(self, key: Scalar, seat: int, node: Node) -> list[Check]:
        mapping = as_mapping(node, self.diags, key.value)
        found: list[Check] = []
        for name, reason in mapping.entries if mapping is not None else ():
            text = as_text(reason, self.diags, "the reason")
            if text is not None and self.is_known_key(name, name.value):
                found.append(
                    Check("why not", name.span, f"why not {name.value}", seat=seat, names=(name.value,), value=text)
                )
        return found

    def sees(self, key: Scalar, seat: int, node: Node) -> list[Check]:
        mapping = as_mapping(node, self.diags, key.value)
        found: list[Check] = []
        for name, listed in mapping.entries if mapping is not None else ():
            number = self.read_seen_number(seat, name, listed)
            if number is not None:
                found.extend(number)
                continue
            zone = self.zone(name)
            names = self.read_seen(listed, name.value)
            if zone is not None and names is not None:
                text = f"p{seat + 1} sees {name.value}"
                found.append(Check("sees", name.span, text, seat=seat, names=tuple(names), value=zone[0]))
        return found

    def read_seen_number(self, seat: int, key: Scalar, node: Node) -> list[Check] | None:
        """What a seat sees of a counter, or of a state of something: `tide: 3`, `bid of p1: hidden`. None: it is a
        place."""
        hidden = isinstance(node, Scalar) and node.value == HIDDEN
        counter = self.model.counters.get(key.value)
        if counter is not None:
            made = (HIDDEN,) if hidden else self.value(node, counter.type, key.value)
            return [] if made is None else [self.sees_value("sees var", seat, key, (key.value, ""), made[0])]
        state, _, of = key.value.partition(" of ")
        if not of or state in self.model.zones:
            return None
        found = self.object(key, of)
        if found is None:
            return []
        declared = self.model.field(found[1], state)
        if declared is None or not declared.state:
            held = [z.id for z in self.model.zones.values() if z.each] if found[1] == "player" else []
            self.unknown("G0811", key, f"state of a {found[1]}", [*self.state_names(found[1]), *held], state)
            return []
        made = (HIDDEN,) if hidden else self.value(node, declared.type, state)
        column = self.column_name(declared)
        return [] if made is None else [self.sees_value("sees col", seat, key, (column, found[0]), made[0])]

    def sees_value(self, kind: str, seat: int, key: Scalar, names: tuple[str, str], value: object) -> Check:
        text = HIDDEN if value == HIDDEN else "none" if value is None else value_text(value)
        return Check(kind, key.span, f"p{seat + 1} sees {key.value}", seat=seat, names=names, value=text)

    def read_seen(self, node: Node, what: str) -> list[str] | None:
        items = self.entries_of(node, what)
        found: list[str] = []
        for item in items or []:
            count, name = self.split_count(item, self.model.definitions)
            back = name.removeprefix(f"{HIDDEN} ")
            if name != HIDDEN and name not in self.model.definitions and (back == name or back not in self.model.kinds):
                names = [*self.model.kinds] if back != name else [HIDDEN, *self.model.definitions]
                self.unknown("G0811", item, "kind" if back != name else "card", names, back)
            found.extend([name] * count)
        return None if items is None else found

    def events(self, key: Scalar, value: Node) -> list[Check]:
        items = as_text_list(value, self.diags, key.value)
        if items is not None and not items:
            return self.empty(key)
        names: list[str] = []
        for item in items or []:
            words = item.value.split()
            if len(words) > 1 and (SEAT.match(words[0]) or words[0] not in self.model.verbs):
                if words[0] not in self.seats():
                    self.unknown("G0811", item, "player", self.seats(), words[0])
                    continue
                words.pop(0)
            strange = [word for word in words[1:] if not NUMBER.match(word) and not self.is_somebody(word)]
            if not words or words[0] not in self.model.verbs:
                self.unknown("G0811", item, "verb", list(self.model.verbs), words[0] if words else "")
            elif strange:
                with_what = [*self.model.things, *self.model.definitions, *self.seats(), "none"]
                self.unknown("G0811", item, "player, space or card", with_what, strange[0])
            else:
                names.append(item.value)
        return [Check(key.value, key.span, f"{key.value}: {', '.join(names)}", names=tuple(names))]

    def is_somebody(self, word: str) -> bool:
        """Whether an event can be about a word: a thing, a card, a player or nobody."""
        return word in self.model.things or word in self.model.definitions or word in self.seats() or word == "none"

    def outcome(self, key: Scalar, value: Node) -> list[Check]:
        if isinstance(value, Scalar):
            ident: Node | None = value
            winners = scores = None
        else:
            mapping = as_mapping(value, self.diags, "outcome")
            if mapping is None:
                return []
            mapping = check_keys(mapping, ("id", "winners", "scores"), self.diags, "outcome")
            ident, winners = mapping.get("id"), mapping.get("winners")
            scores = mapping.get("scores")
        found: list[Check] = []
        names = [t.id for t in self.model.things.values() if t.kind == "outcome"]
        text = as_text(ident, self.diags, "outcome") if ident is not None else None
        if text is not None and text not in names and (text != "none" or winners is not None):
            assert isinstance(ident, Scalar)
            self.unknown("G0811", ident, "outcome", [*names, "none"])
        elif text is not None:
            found.append(Check("outcome", key.span, f"outcome: {text}", value=text))
        if winners is not None:
            seats = [(i.value, self.seat(i, "winners")) for i in as_text_list(winners, self.diags, "winners") or []]
            found.append(
                Check("winners", key.span, "winners", names=tuple(name for name, seat in seats if seat is not None))
            )
        points = as_mapping(scores, self.diags, "scores") if scores is not None else None
        for name, number in points.entries if points is not None else ():
            seat, wanted = self.seat(name, "scores"), as_int(number, self.diags, name.value)
            if seat is not None and wanted is not None:
                found.append(Check("score", name.span, f"the score of {name.value}", seat=seat, value=str(wanted)))
        return found if found or self.diags.has_errors else self.empty(key)


def value_text(value: object) -> str:
    """A value as a view shows it."""
    return str(sorted(value, key=str)) if isinstance(value, list) else str(value)

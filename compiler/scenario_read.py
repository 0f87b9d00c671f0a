"""Read scenario files and resolve them against a package: names, values, positions, texts of the effect language.

In: the YAML trees of a package's scenarios and the lowering of the package, which still takes more texts. Out: `Scenario` values. Each
carries its own problems, so that one bad scenario does not keep the others from running.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grimoire.compiler import codes_scenario as _codes  # noqa: F401
from grimoire.compiler import syntax as s
from grimoire.compiler.base import Unresolved
from grimoire.compiler.diagnostics import Diagnostics, Related, Span, did_you_mean
from grimoire.compiler.lower import Lowering
from grimoire.compiler.model import PackageModel, Text, Type
from grimoire.compiler.package import parse_texts
from grimoire.compiler.scenario_model import Check, Edit, Scenario, Step
from grimoire.compiler.scenario_positions import Positions
from grimoire.compiler.shapes import as_flag, as_int, as_mapping, as_sequence, as_text, as_text_list, check_keys
from grimoire.compiler.source import Mapping, Node, Scalar, Sequence, list_files, load_file

KEYS = ("proves", "position", "players", "seed", "options", "given", "when", "then")
GIVEN = ("start", "as", "current", "counters", "states", "zones", "random")
CHECKS = (
    "offered", "offers", "not offered", "why not", "asked", "outcome", "events", "no event", "sees", "log",
    "counters", "states", "zones",
)  # fmt: skip
FIXED_KEYS = ("done", "pass", "decline", "none")
NOTHING = ("nobody", "nothing", "nowhere")
HIDDEN = "hidden"
_SEAT = re.compile(r"p([1-9][0-9]?)\Z")
_BARE_SEAT = re.compile(r"(?<![\w-])(?<!the )(?<!of )(p[1-9][0-9]?)(?![\w-])")
_OWNED = re.compile(r"(\S+) of (\S+)\Z")
_PLACED = re.compile(r"(\S+) in (?:the )?(.+)\Z")
_NUMBER = re.compile(r"-?[0-9]+\Z")
_MANY_HIDDEN = re.compile(r"([0-9]+) hidden\Z")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
MAX_HIDDEN = 10_000


def load_trees(root: Path, diags: Diagnostics) -> list[tuple[str, Mapping]]:
    """The scenario files of a package folder, with their names in reports."""
    found: list[tuple[str, Mapping]] = []
    for name in list_files(root, Diagnostics()):
        if not name.startswith("scenarios/"):
            continue
        tree = load_file(root / name, diags, name=str(root / name))
        if isinstance(tree, Mapping):
            check_keys(tree, ("scenarios", "positions"), diags, "a scenario file")
            found.append((str(root / name), tree))
        elif tree is not None:
            diags.add("G0301", tree.span, "a scenario file must be a mapping", "scenarios: {name: ..}")
    return found


class ScenarioReader:
    """Resolves the scenarios of one package."""

    def __init__(self, lowering: Lowering, players: tuple[int, int], diags: Diagnostics) -> None:
        self.lowering = lowering
        self.model: PackageModel = lowering.model
        self.allowed = players
        self.file_diags = diags
        self.diags = diags
        self.players = players[0]
        self.id = ""
        self.count = 0
        self.entries: set[str] | None = None

    # ------------------------------------------------------------ files

    def read(self, trees: Iterable[tuple[str, Mapping]]) -> list[Scenario]:
        """All scenarios in the order of the files."""
        first: dict[str, Span] = {}
        found: list[Scenario] = []
        wanted: list[tuple[Scalar, Node]] = []
        trees = list(trees)
        positions = Positions(trees, self.file_diags)
        for _, tree in trees:
            body = tree.get("scenarios")
            mapping = as_mapping(body, self.file_diags, "scenarios") if body is not None else None
            for name, node in mapping.entries if mapping is not None else ():
                if name.value in first:
                    related = (Related(first[name.value], "the other one"),)
                    message = f"there is another scenario called {name.value}"
                    self.file_diags.add("G0819", name.span, message, "rename one of the two", related)
                    continue
                if not _ID.match(name.value):
                    hint = "lower case letters, digits and single hyphens: first-steps"
                    self.file_diags.add("G0308", name.span, f"'{name.value}' is no name of a scenario", hint)
                    continue
                first[name.value] = name.span
                wanted.append((name, positions.lay(node, self.file_diags)))
        positions.unused(self.file_diags)
        starts = {name.value: self.start(name, node) for name, node in wanted}
        for name, node in wanted:
            found.append(self.scenario(name, node, *starts[name.value]))
        return found

    def start(self, name: Scalar, node: Node) -> tuple[str | None, list[Any]]:
        """The text that a scenario starts with, lowered before anything else: keys are checked against all texts."""
        self.begin(name)
        given = node.get("given") if isinstance(node, Mapping) else None
        text = given.get("start") if isinstance(given, Mapping) else None
        if text is None:
            return None, []
        if isinstance(node, Mapping):
            self.read_players(node.get("players"))
            self.diags = Diagnostics()
        if as_text(text, self.diags, "start") is None:
            return None, list(self.diags.sorted())
        assert isinstance(text, Scalar)
        made = self.text(text, "effect", f"scenario:{self.id}")
        self.lowering.diags, kept = self.diags, self.lowering.diags
        try:
            proc = self.lowering.extra_effect(made, self.players)
        finally:
            self.lowering.diags = kept
        return (None if self.diags.has_errors else proc), list(self.diags.sorted())

    def begin(self, name: Scalar) -> None:
        self.diags = Diagnostics()
        self.id = name.value
        self.count = 0
        self.players = self.allowed[0]

    def text(self, scalar: Scalar, start: str, owner: str) -> Text:
        """A text of the effect language. Players may stand in it as they are called everywhere else: `p2 has 3 coins`."""
        made = Text(scalar.value, start, scalar, scalar.source.path, owner)
        problems = Diagnostics()
        parse_texts([made], problems)
        if not made.ok:
            named = Text(_BARE_SEAT.sub(r"the \1", scalar.value), start, scalar, scalar.source.path, owner)
            parse_texts([named], Diagnostics())
            if named.ok:
                return named
        self.diags.extend(problems)
        return made

    # ------------------------------------------------------------ one scenario

    def scenario(self, name: Scalar, node: Node, start: str | None, problems: list[Any]) -> Scenario:
        self.begin(name)
        self.diags.extend(problems)
        mapping = as_mapping(node, self.diags, name.value)
        if mapping is None:
            return Scenario(name.value, name.span, problems=tuple(self.diags.sorted()))
        check_keys(mapping, KEYS, self.diags, "a scenario")
        self.read_players(mapping.get("players"))
        seed_node = mapping.get("seed")
        seed = as_int(seed_node, self.diags, "the seed", low=0) if seed_node is not None else 0
        given_node = mapping.get("given")
        given = as_mapping(given_node, self.diags, "given") if given_node is not None else None
        you, edits, random = self.given(given) if given is not None else (0, [], [])
        steps = self.steps(mapping.get("when"), mapping.get("then"))
        if not any(step.checks for step in steps) and not self.diags.has_errors:
            self.diags.add("G0815", name.span, f"the scenario {name.value} checks nothing", "then: [what must hold]")
        return Scenario(
            name.value, name.span, self.proves(mapping.get("proves")), self.players, seed or 0,
            tuple(self.options(mapping.get("options"))), start, you, tuple(edits), tuple(random), tuple(steps),
            tuple(self.diags.sorted()),
        )  # fmt: skip

    def read_players(self, node: Node | None) -> None:
        low, high = self.allowed
        if node is None:
            return
        number = as_int(node, self.diags, "players")
        if number is None:
            return
        if not low <= number <= high:
            allowed = str(low) if low == high else f"{low} to {high}"
            self.diags.add("G0817", node.span, f"the game is for {allowed} players, not {number}")
            return
        self.players = number

    def proves(self, node: Node | None) -> tuple[str, ...]:
        found: list[str] = []
        for item in as_text_list(node, self.diags, "proves") or [] if node is not None else []:
            if item.value in self.model.clauses or item.value in self.model.definitions:
                found.append(item.value)
                continue
            self.unknown("G0818", item, "clause or card", [*self.model.clauses, *self.model.definitions])
        return tuple(found)

    def options(self, node: Node | None) -> list[tuple[str, str]]:
        mapping = as_mapping(node, self.diags, "options") if node is not None else None
        found: list[tuple[str, str]] = []
        for key, value in mapping.entries if mapping is not None else ():
            declared = self.model.options.get(key.value)
            if declared is None:
                self.unknown("G0811", key, "option", list(self.model.options))
                continue
            text = as_text(value, self.diags, key.value)
            allowed = ["true", "false"] if declared.sort == "flag" else [str(v) for v in declared.values]
            if text is not None and text not in allowed:
                message = f"{key.value} is one of {', '.join(allowed)}, not {text}"
                self.diags.add("G0814", value.span, message, guess(text, allowed))
            elif text is not None:
                found.append((key.value, text))
        return found

    # ------------------------------------------------------------ given

    def given(self, given: Mapping) -> tuple[int, list[Edit], list[str | int]]:
        check_keys(given, GIVEN, self.diags, "given")
        you = 0
        edits: list[Edit] = []
        actor, current = given.get("as"), given.get("current")
        if actor is not None:
            if given.get("start") is None:
                hint = "write start: what p1 does, or leave as: out"
                self.diags.add("G0820", actor.span, "as: goes with start:", hint)
            seat = self.seat(actor, "as")
            you = seat if seat is not None else 0
        seat = self.seat(current, "current") if current is not None else you if given.get("start") is not None else None
        self.zones(given.get("zones"), edits)
        self.counters(given.get("counters"), edits)
        self.states(given.get("states"), edits)
        if seat is not None and not any(e.what == "var" and e.target == "current-player" for e in edits):
            edits.append(Edit("var", (current or given).span, "current-player", f"p{seat + 1}"))
        return you, edits, self.random(given.get("random"))

    def zones(self, node: Node | None, edits: list[Edit]) -> None:
        mapping = as_mapping(node, self.diags, "zones") if node is not None else None
        places: dict[str, list[tuple[str, Scalar]]] = {}
        for key, value in mapping.entries if mapping is not None else ():
            zone = self.zone(key)
            items = as_text_list(value, self.diags, key.value)
            if zone is None or items is None:
                continue
            name, holds = zone
            listed: list[str] = []
            for item in items:
                definition = self.model.definitions.get(item.value)
                if definition is None:
                    self.unknown("G0811", item, "card", list(self.model.definitions))
                elif not self.model.is_a(definition.kind, holds):
                    self.diags.add(
                        "G0814", item.span, f"{key.value} holds {holds}, and {item.value} is a {definition.kind}"
                    )
                else:
                    listed.append(item.value)
                    places.setdefault(item.value, []).append((key.value, item))
            edits.append(Edit("zone", key.span, name, tuple(listed)))
        for ident, uses in places.items():
            self.copies(ident, uses)

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
            counter = self.model.counters.get(key.value)
            if counter is None:
                self.unknown("G0811", key, "counter", list(self.model.counters))
                continue
            made = self.value(value, counter.type, key.value)
            if made is not None:
                edits.append(Edit("var", key.span, key.value, made[0]))

    def states(self, node: Node | None, edits: list[Edit]) -> None:
        mapping = as_mapping(node, self.diags, "states") if node is not None else None
        for key, values in mapping.entries if mapping is not None else ():
            of = as_mapping(values, self.diags, key.value)
            for name in key.value.split(","):
                found = self.object(key, name.strip())
                if found is None or of is None:
                    continue
                target, kind = found
                for state, value in of.entries:
                    declared = self.model.field(kind, state.value)
                    if declared is None or not declared.state:
                        names = [
                            f
                            for a in self.model.ancestors(kind)
                            for f, d in self.model.kinds[a].fields.items()
                            if d.state
                        ]
                        self.unknown("G0811", state, f"state of a {kind}", names)
                        continue
                    made = self.value(value, declared.type, state.value)
                    if made is not None:
                        column = self.lowering.columns[declared.column]["id"]
                        edits.append(Edit("col", state.span, column, made[0], target))

    def object(self, key: Scalar, name: str) -> tuple[str, str] | None:
        """A seat, a fixture, or a piece in a place: its name for the editor, and its kind."""
        seat = _SEAT.match(name)
        if seat and int(seat[1]) <= self.players:
            return name, "player"
        thing = self.model.things.get(name)
        if thing is not None:
            return name, thing.kind
        placed = _PLACED.match(name)
        if placed is not None and placed[1] in self.model.definitions:
            zone = self.zone(key, placed[2])
            return (f"{placed[1]}@{zone[0]}", self.model.definitions[placed[1]].kind) if zone is not None else None
        if name in self.model.definitions and self.model.definitions[name].copies == 1:
            return name, self.model.definitions[name].kind
        if name in self.model.definitions:
            self.diags.add(
                "G0811", key.span, f"it is not said which {name} is meant", f"say where it is: '{name} in PLACE'"
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
            self.unknown("G0811", key, "place", [*self.model.zones, *holding], base)
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

    def value(self, node: Node, type_: Type, what: str) -> tuple[Any] | None:
        """A value of a type, in the form that the editor takes; wrapped, because None is a value."""
        if type_.many:
            found = [self.value(item, type_.one(), what) for item in as_text_list(node, self.diags, what) or []]
            return ([one[0] for one in found if one is not None],)
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
        return self.named(node, type_, what)

    def named(self, node: Scalar, type_: Type, what: str) -> tuple[Any] | None:
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

    def random(self, node: Node | None) -> list[str | int]:
        found: list[str | int] = []
        names = [*self.seats(), *self.model.things, *self.model.definitions]
        for item in as_text_list(node, self.diags, "random") or [] if node is not None else []:
            if _NUMBER.match(item.value):
                found.append(int(item.value))
            elif item.value in names:
                found.append(item.value)
            else:
                self.unknown("G0811", item, "result", names)
        return found

    # ------------------------------------------------------------ when and then

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
        if not _SEAT.match(name.value):
            self.unknown("G0820", name, "player", [*self.seats(), "then"])
            return None
        seat = self.seat(name, "a step")
        if isinstance(value, Mapping):
            check_keys(value, ("choose",), self.diags, "a step")
            inner = value.get("choose")
            if inner is None and not value.entries:
                self.diags.add("G0820", value.span, "a step says which option is chosen", "write '- p1: key'")
            if inner is None:
                return None
            value = inner
        key = as_text(value, self.diags, "the key of an option")
        if seat is None or key is None or not self.known_key(value, key):
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
                check_keys(item, CHECKS, self.diags, "a check")
                for key, value in item.entries:
                    if key.value in CHECKS:
                        found.extend(self.structured(key, value))
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
        lowering = self.lowering
        lowering.diags, kept = self.diags, lowering.diags
        try:
            function = lowering.extra_condition(made, self.players)
            sides = self.sides(made, owner) if function is not None else None
        finally:
            lowering.diags = kept
        if function is None:
            return None
        return Check("condition", scalar.span, " ".join(text.split()), function, sides)

    def sides(self, text: Text, owner: str) -> tuple[str, str] | None:
        """Functions for the two sides of a comparison of numbers: a failure says what they are."""
        if not isinstance(text.node, s.Compare):
            return None
        lowering = self.lowering
        names: list[str] = []
        lowering.quiet += 1
        try:
            for side, node in (("left", text.node.left), ("right", text.node.right)):
                scope = lowering.extra_scope(text, self.players)
                assert scope is not None
                value = lowering.amount(node, scope)
                names.append(f"{owner}:{side}")
                made = {"id": names[-1], "params": 0, "slots": scope.unit.slots, "value": value}
                lowering.tables.functions.append(made)
        except Unresolved:
            return None
        finally:
            lowering.quiet -= 1
        return names[0], names[1]

    def structured(self, key: Scalar, value: Node) -> list[Check]:
        kind = key.value
        if kind == "asked":
            text = as_text(value, self.diags, kind)
            if text in NOTHING:
                return [Check("asked", key.span, f"asked: {text}")]
            seat = self.seat(value, kind) if text is not None else None
            return [] if seat is None else [Check("asked", key.span, f"asked: {text}", seat=seat)]
        if kind == "outcome":
            return self.outcome(key, value)
        if kind in ("counters", "states", "zones"):
            return self.position(key, value)
        if kind in ("events", "no event"):
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
                found.extend(self.listed(key, seat, inner))
        return found if found or self.diags.has_errors else self.empty(key)

    def position(self, key: Scalar, value: Node) -> list[Check]:
        """counters, states, zones: said as under given, and looked at."""
        edits: list[Edit] = []
        {"counters": self.counters, "states": self.states, "zones": self.zones}[key.value](value, edits)
        found: list[Check] = []
        for edit in edits:
            if edit.what == "zone":
                found.append(Check("zone", edit.span, edit.target, names=tuple(edit.value), value=edit.target))
            else:
                text = "none" if edit.value is None else value_text(edit.value)
                found.append(Check(edit.what, edit.span, edit.target, names=(edit.target, edit.of or ""), value=text))
        return found if found or self.diags.has_errors else self.empty(key)

    def empty(self, key: Scalar) -> list[Check]:
        self.diags.add("G0820", key.span, f"{key.value}: names nothing, so that it cannot fail", "say what must hold")
        return []

    def listed(self, key: Scalar, seat: int, node: Node) -> list[Check]:
        """offered, offers, not offered, log: a list of keys or lines for a seat."""
        kind = key.value
        items = as_text_list(node, self.diags, kind)
        if items is None:
            return []
        if not items and kind != "offered":
            return self.empty(key)
        names = [i.value for i in items if kind == "log" or self.known_key(i, i.value)]
        return [Check(kind, key.span, f"{kind} to p{seat + 1}", seat=seat, names=tuple(names))]

    def why_not(self, key: Scalar, seat: int, node: Node) -> list[Check]:
        mapping = as_mapping(node, self.diags, key.value)
        found: list[Check] = []
        for name, reason in mapping.entries if mapping is not None else ():
            text = as_text(reason, self.diags, "the reason")
            if text is not None and self.known_key(name, name.value):
                found.append(
                    Check("why not", name.span, f"why not {name.value}", seat=seat, names=(name.value,), value=text)
                )
        return found

    def sees(self, key: Scalar, seat: int, node: Node) -> list[Check]:
        mapping = as_mapping(node, self.diags, key.value)
        found: list[Check] = []
        for name, listed in mapping.entries if mapping is not None else ():
            zone = self.zone(name)
            names = self.seen(listed, name.value)
            if zone is not None and names is not None:
                text = f"p{seat + 1} sees {name.value}"
                found.append(Check("sees", name.span, text, seat=seat, names=tuple(names), value=zone[0]))
        return found

    def seen(self, node: Node, what: str) -> list[str] | None:
        many = _MANY_HIDDEN.match(node.value) if isinstance(node, Scalar) else None
        if many is not None:
            return [HIDDEN] * min(int(many[1][:6]), MAX_HIDDEN)
        items = as_text_list(node, self.diags, what)
        for item in items or []:
            if item.value != HIDDEN and item.value not in self.model.definitions:
                self.unknown("G0811", item, "card", [HIDDEN, *self.model.definitions])
        return None if items is None else [item.value for item in items]

    def events(self, key: Scalar, value: Node) -> list[Check]:
        items = as_text_list(value, self.diags, key.value)
        if items is not None and not items:
            return self.empty(key)
        names: list[str] = []
        for item in items or []:
            words = item.value.split()
            seat = words.pop(0) if len(words) == 2 else None
            if seat is not None and seat not in self.seats():
                self.unknown("G0811", item, "player", self.seats(), seat)
            elif not words or words[0] not in self.model.verbs:
                self.unknown("G0811", item, "verb", list(self.model.verbs), words[0] if words else "")
            else:
                names.append(item.value)
        return [Check(key.value, key.span, f"{key.value}: {', '.join(names)}", names=tuple(names))]

    def outcome(self, key: Scalar, value: Node) -> list[Check]:
        if isinstance(value, Scalar):
            ident: Node | None = value
            winners = None
        else:
            mapping = as_mapping(value, self.diags, "outcome")
            if mapping is None:
                return []
            check_keys(mapping, ("id", "winners"), self.diags, "outcome")
            ident, winners = mapping.get("id"), mapping.get("winners")
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
        return found if found or self.diags.has_errors else self.empty(key)

    # ------------------------------------------------------------ names

    def seats(self) -> list[str]:
        return [f"p{n + 1}" for n in range(self.players)]

    def seat(self, node: Node, what: str) -> int | None:
        text = as_text(node, self.diags, what)
        if text is None:
            return None
        if text in self.seats():
            return int(text[1:]) - 1
        assert isinstance(node, Scalar)
        many = f"the players are {', '.join(self.seats())}"
        self.diags.add("G0811", node.span, f"{what}: there is no player '{text}'", many)
        return None

    def unknown(self, code: str, item: Scalar, what: str, names: list[str], word: str | None = None) -> None:
        word = item.value if word is None else word
        found = did_you_mean(word, names)
        hint = f"write {found}" if found is not None else f"one of {', '.join(names[:12])}" if names else None
        suffix = f" (did you mean '{found}'?)" if found is not None else ""
        self.diags.add(code, item.span, f"there is no {what} '{word}'{suffix}", hint)

    def known_key(self, node: Node, key: str) -> bool:
        """Whether every part of a key is a word of some decision or a name: others can never be offered."""
        for part in key.split(":"):
            for at, word in enumerate(re.split("[@#]", part)):
                if _NUMBER.match(word) or word in self.key_words():
                    continue
                found = did_you_mean(word, self.key_words())
                suffix = f" (did you mean '{found}'?)" if found is not None else ""
                what = "place" if at else "word of a decision and no name"
                message = f"no option is ever called '{key}': '{word}' is no {what}{suffix}"
                self.diags.add("G0816", node.span, message, f"write {found}" if found is not None else None)
                return False
        return True

    def key_words(self) -> set[str]:
        if self.entries is None:
            self.entries = set(FIXED_KEYS)
            for proc in self.lowering.tables.procs:
                collect_entries(proc.get("body"), self.entries)
            self.entries.update(a["id"] for a in self.lowering.tables.abilities)
            self.entries.update(part for a in self.lowering.tables.abilities for part in str(a["id"]).split(":"))
            self.entries.update(self.model.things, self.model.definitions, self.model.zones)
            for seat in range(self.allowed[1]):
                self.entries.add(f"p{seat + 1}")
                self.entries.update(f"{zone}.p{seat + 1}" for zone in self.model.zones)
        return self.entries


def collect_entries(node: object, found: set[str]) -> None:
    """The ids of all menu entries below a statement."""
    if isinstance(node, dict):
        for entry in node.get("entries", ()) if node.get("op") in ("menu", None) else ():
            found.update(str(entry["id"]).split(":"))
        for value in node.values():
            collect_entries(value, found)
    elif isinstance(node, list):
        for value in node:
            collect_entries(value, found)


def value_text(value: Any) -> str:
    """A value as a view shows it."""
    return str(sorted(value, key=str)) if isinstance(value, list) else str(value)


def guess(word: str, names: list[str]) -> str | None:
    found = did_you_mean(word, names)
    return f"did you mean {found}?" if found is not None else None


__all__ = ["HIDDEN", "ScenarioReader", "Sequence", "load_trees"]

"""Read scenario files: one scenario after the other, each with its own problems.

In: the YAML trees of a package's scenarios and the package, lowered, to which their texts are added. Out: `Scenario`
values, so that one bad scenario does not keep the others from running.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostic, Diagnostics, Related, Span, lookalike
from grimoire.compiler.lower.units import EffectUnit
from grimoire.compiler.scenario.checks import CheckReader
from grimoire.compiler.scenario.equivalents import SECTION as EQUIVALENT
from grimoire.compiler.scenario.equivalents import read_equivalents
from grimoire.compiler.scenario.model import Edit, Scenario
from grimoire.compiler.scenario.positions import NUMBER, guess
from grimoire.compiler.scenario.tables import Positions
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import as_flag, as_int, as_mapping, as_sequence, as_text, as_text_list, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar

SECTIONS = ("scenarios", "positions", EQUIVALENT)
KEYS = ("proves", "position", "players", "seed", "options", "given", "when", "then")
GIVEN = ("start", "as", "set up", "current", "counters", "states", "zones", "random", "shuffles")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


def load_trees(root: Path, diags: Diagnostics, reader: SourceReader = DISK) -> list[tuple[str, Mapping]]:
    """The scenario files of a package folder, with their names in reports."""
    found: list[tuple[str, Mapping]] = []
    for name in reader.list_files(root, Diagnostics()):
        if not name.startswith("scenarios/"):
            continue
        tree = reader.load_file(root / name, diags, name=(root / name).as_posix())
        if isinstance(tree, Mapping):
            tree = check_keys(tree, SECTIONS, diags, "a scenario file")
            found.append(((root / name).as_posix(), tree))
        elif tree is not None:
            diags.add("G0301", tree.span, "a scenario file must be a mapping", "scenarios: {name: ..}")
    return found


class Laid(NamedTuple):
    """A scenario with what its position gives it."""

    name: Scalar
    node: Node

    @property
    def has_start(self) -> bool:
        given = self.node.get("given") if isinstance(self.node, Mapping) else None
        return isinstance(given, Mapping) and given.get("start") is not None


def gather(
    trees: Iterable[tuple[str, Mapping]], below: Iterable[tuple[str, Mapping]], diags: Diagnostics
) -> list[Laid]:
    """All scenarios in the order of the files; positions may also stand in files of the packages below."""
    first: dict[str, Span] = {}
    found: list[Laid] = []
    trees = list(trees)
    positions = Positions(trees, diags, below)
    for _, tree in trees:
        body = tree.get("scenarios")
        mapping = as_mapping(body, diags, "scenarios") if body is not None else None
        for name, node in mapping.entries if mapping is not None else ():
            if name.value in first:
                related = (Related(first[name.value], "the other one"),)
                message = f"there is another scenario called {name.value}"
                diags.add("G0819", name.span, message, "rename one of the two", related)
                continue
            if not _ID.match(name.value):
                hint = lookalike(name.value) or "lower case letters, digits and single hyphens: first-steps"
                diags.add("G0308", name.span, f"'{name.value}' is no name of a scenario", hint)
                continue
            first[name.value] = name.span
            found.append(Laid(name, positions.lay(node, diags)))
    positions.report_unused(diags)
    read_equivalents(trees, diags)
    return found


class ScenarioReader(CheckReader):
    """Resolves the scenarios of one package."""

    def start(self, name: Scalar, node: Node) -> tuple[str | None, list[Diagnostic]]:
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
        lowered = self.lowered.add(EffectUnit(made, self.players))
        self.diags.extend(lowered.diagnostics)
        return (None if lowered.failed or self.diags.has_errors else made.owner), list(self.diags.sorted())

    def begin(self, name: Scalar) -> None:
        self.diags = Diagnostics()
        self.id = name.value
        self.count = 0
        self.players = self.allowed[0]

    def scenario(self, name: Scalar, node: Node, start: str | None, problems: list[Diagnostic]) -> Scenario:
        self.begin(name)
        self.diags.extend(problems)
        mapping = as_mapping(node, self.diags, name.value)
        if mapping is None:
            return Scenario(name.value, name.span, problems=tuple(self.diags.sorted()))
        mapping = check_keys(mapping, KEYS, self.diags, "a scenario")
        self.read_players(mapping.get("players"))
        seed_node = mapping.get("seed")
        seed = as_int(seed_node, self.diags, "the seed", low=0) if seed_node is not None else 0
        given_node = mapping.get("given")
        given = as_mapping(given_node, self.diags, "given") if given_node is not None else None
        you, edits = self.read_given(given) if given is not None else (0, [])
        random = self.random(given.get("random")) if given is not None else []
        shuffles = self.shuffles(given.get("shuffles")) if given is not None else []
        ready = given.get("set up") if given is not None else None
        set_up = as_flag(ready, self.diags, "set up") if ready is not None else False
        if ready is not None and given is not None and given.get("start") is None:
            hint = "leave it out: without start: the game is always set up"
            self.diags.add("G0820", ready.span, "set up: goes with start:", hint)
        steps = self.steps(mapping.get("when"), mapping.get("then"))
        if not any(step.checks for step in steps) and not self.diags.has_errors:
            self.diags.add("G0815", name.span, f"the scenario {name.value} checks nothing", "then: [what must hold]")
        return Scenario(
            name.value, name.span, self.proves(mapping.get("proves")), self.players, seed or 0,
            tuple(self.options(mapping.get("options"))), start, you, tuple(edits), tuple(random), tuple(steps),
            tuple(self.diags.sorted()), tuple(shuffles), bool(set_up),
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

    def read_given(self, given: Mapping) -> tuple[int, list[Edit]]:
        given = check_keys(given, GIVEN, self.diags, "given")
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
        return you, edits

    def shuffles(self, node: Node | None) -> list[tuple[str, tuple[str, ...]]]:
        """What lies on top after the next shuffles, place by place."""
        found: list[tuple[str, tuple[str, ...]]] = []
        sequence = as_sequence(node, self.diags, "shuffles") if node is not None else None
        for item in sequence.items if sequence is not None else ():
            mapping = as_mapping(item, self.diags, "a shuffle")
            for key, value in mapping.entries if mapping is not None else ():
                zone, items = self.zone(key), self.entries_of(value, key.value)
                if zone is not None and items is not None:
                    found.append((zone[0], tuple(i for name in items for i in self.pieces(name, key.value, zone[1]))))
        return found

    def random(self, node: Node | None) -> list[str | int]:
        found: list[str | int] = []
        for item in as_text_list(node, self.diags, "random") or [] if node is not None else []:
            if NUMBER.match(item.value):
                found.append(int(item.value))
            elif item.value in self.seats() or item.value in self.model.things or item.value in self.model.definitions:
                found.append(item.value)
            else:
                names = [*self.seats(), *self.model.things, *self.model.definitions]
                self.unknown("G0811", item, "result", names)
        return found


__all__ = ["ScenarioReader", "load_trees"]

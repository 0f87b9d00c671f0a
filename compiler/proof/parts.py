"""Finds the parts of all cards: abilities, texts, and their lines, branches, options, costs and conditions.

In: an artefact, and the model that it was made of (which knows what stands in which text). Out: `Owner` values with
their `Part`s, each with the mutant that breaks it everywhere in the artefact: a cost, for one, is looked at where the
ability is offered, and paid later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from grimoire.compiler.declare.model import Ability, Definition, PackageModel, Text, lent
from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.lower.footprints import certain_statements
from grimoire.compiler.proof.details import Details
from grimoire.compiler.proof.mutate import (
    PRINTED,
    Edit,
    Json,
    Mutant,
    Path,
    find_first_place,
    find_node,
    has_own_limit,
    shorten_text,
)
from grimoire.runtime.core.reading import WINDOW, read_artefact, read_statement, tables_of

LINES = frozenset(
    [
        "do",
        "setvar",
        "setcol",
        "setting",
        "move",
        "shuffle",
        "random",
        "look",
        "call",
        "program",
        "cancel",
        "setarg",
        "setresult",
        "grant",
        "end",
        "leave",
        "return",
    ]
)
IMPOSSIBLE = ["int", -1]
DECLINE = "decline"


@dataclass(slots=True)
class Part:
    """One part of a card. `reached` are the statements and abilities whose use shows that a scenario comes to it."""

    id: str
    place: str
    mutant: Mutant
    reached: tuple[Path, ...] = ()
    others: tuple[Mutant, ...] = ()  # as good as the first: it is proved when a scenario notices any of them


@dataclass(slots=True)
class Owner:
    """Whatever has texts: a card, a kind (its abilities are written once for all its cards), or an ability of the
    rules.

    `bodies` are its programs and abilities in the artefact, `names` what a scenario calls it.
    """

    id: str
    kind: str
    names: frozenset[str]
    parts: list[Part] = field(default_factory=list)
    bodies: list[Path] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Demand:
    """A condition of an `only:`, by the place of its text."""

    place: int
    text: str


class Finder:
    """Walks over what a package declares and finds it again in the artefact."""

    def __init__(self, artefact: dict[str, Any], model: PackageModel, package: str) -> None:
        self.artefact = artefact
        self.model = model
        self.package = package
        self.ranges: list[tuple[Text, Path]] = []
        self.conditions: dict[int, list[Path]] = {}  # place -> where such a condition stands
        self.inner: dict[int, set[int]] = {}  # place -> places directly below it, through "and" alone
        self.files = {str(row[0]) for row in artefact["places"]}
        self.tables = tables_of(artefact)
        self.certain = certain_statements(read_artefact(artefact))
        for table, key in (
            ("procs", "body"),
            ("functions", "value"),
            ("abilities", "cond"),
            ("abilities", "might"),
            ("modifiers", "cond"),
        ):
            for number, row in enumerate(artefact[table]):
                if row.get(key) is not None:
                    self.note(row[key], (table, number, key))
        self.details = Details(artefact)
        self.by_place: dict[str, dict[int, list[int]]] = {}
        for place in self.conditions:
            file, line = artefact["places"][place][:2]
            self.by_place.setdefault(str(file), {}).setdefault(int(line), []).append(place)

    def note(self, node: Json, path: Path) -> None:
        """Remember the conditions that have a place."""
        if isinstance(node, dict):
            for key, value in node.items():
                if isinstance(value, dict | list):
                    self.note(value, (*path, key))
            return
        if len(node) == 3 and node[0] == "at" and isinstance(node[1], int):
            self.conditions.setdefault(node[1], []).append(path)
            below = node[2][1:] if isinstance(node[2], list) and node[2] and node[2][0] == "and" else [node[2]]
            found = {x[1] for x in below if isinstance(x, list) and len(x) == 3 and x[0] == "at"}
            if found and len(found) == len(below):
                self.inner.setdefault(node[1], set()).update(found)
        for index, value in enumerate(node):
            if isinstance(value, dict | list):
                self.note(value, (*path, index))

    def list_demands(self, text: Text | None) -> list[Demand]:
        """The conditions of an `only:` that must all hold, in the order of the text."""
        if text is None or text.node is None:
            return []
        scalar = text.scalar
        found: set[int] = set()
        for lines in self.by_place.values():
            for line in range(scalar.line, scalar.end_line + 1):
                found |= {place for place in lines.get(line, ()) if self.is_within(place, text)}
        rows = self.artefact["places"]
        wide = {p for p in found if self.inner.get(p, set()) & found}  # said by the conditions below it
        narrow = found - wide
        outer = {
            p for p in narrow
            if not any(q != p and rows[q][1:3] <= rows[p][1:3] and rows[p][3:5] <= rows[q][3:5] for q in narrow)
        }  # fmt: skip
        return [Demand(p, str(rows[p][5])) for p in sorted(outer, key=lambda p: rows[p][1:3])]

    def is_within(self, place: int, text: Text) -> bool:
        """Whether a place lies in a text."""
        file, line, column, end_line, end_column = self.artefact["places"][place][:5]
        scalar = text.scalar
        if (line, column) < (scalar.line, scalar.column) or (end_line, end_column) > (
            scalar.end_line,
            scalar.end_column,
        ):
            return False
        return str(scalar.source.path).endswith("/" + str(file).partition("/")[2])

    def drop_demand(self, demand: Demand, rows: list[Path] | None = None, kind: str = "") -> Mutant:
        """The mutant in which a condition is not asked for; `rows` narrow down where. What a kind demands in several of
        its abilities in the same words is one condition."""
        paths = [p for p in self.conditions[demand.place] if rows is None or any(p[: len(r)] == r for r in rows)]
        if kind:
            demands = [
                d for ability in self.model.kinds[kind].abilities.values() for d in self.list_demands(ability.only)
            ]
            others = [d.place for d in demands if d.text == demand.text]
            paths = sorted({p for place in others for p in self.conditions[place]}, key=str)
        return Mutant(f"without '{shorten_text(demand.text)}'", tuple(Edit((*path, 2), "holds") for path in paths))

    # ------------------------------------------------------------ for clauses

    def collect_row_demands(self) -> dict[Path, list[Mutant]]:
        """What the abilities and verbs of the rules demand: mutants by the row of the table."""
        made: dict[Path, list[Mutant]] = {}
        for rows, ability, kind in self.iterate_declared():
            name = f"ability {self.artefact['abilities'][rows[0][1]]['id']}"
            limits = tuple(Edit(path, "limit lifted") for path in rows if has_own_limit(find_node(self.artefact, path)))
            found = [
                Mutant("without its limit", limits),
                *(self.drop_demand(d, rows, kind) for d in self.list_demands(ability.only)),
            ]
            for path in rows:
                made[path] = [Mutant(f"{name} {mutant.name}", mutant.edits) for mutant in found]
        for verb in self.model.verbs.values():
            for demand in self.list_demands(verb.only):
                plain = self.drop_demand(demand)
                named = Mutant(f"{verb.id} {plain.name}", plain.edits)
                made.setdefault(("procs", verb.index), []).append(named)
        return {path: [mutant for mutant in found if mutant.edits] for path, found in made.items()}

    def iterate_declared(self) -> Iterator[tuple[list[Path], Ability, str]]:
        """The abilities of cards, kinds and rules, each with its rows: those of a kind have some for every card."""
        rows: dict[int, tuple[list[Path], Ability, str]] = {}
        for number, row in enumerate(self.artefact["abilities"]):
            if row["of"] >= 0:
                definition = self.model.definitions[self.artefact["definitions"][row["of"]]["id"]]
                ability, kind = self.find_ability(row, definition, self.collect_abilities(definition))[1]
            else:
                rule = self.find_rule(row) if row["of"] == -1 else None
                if rule is None:
                    continue
                ability, kind = rule[1], ""
            rows.setdefault(id(ability), ([], ability, kind))[0].append(("abilities", number))
        yield from rows.values()

    def collect_abilities(self, definition: Definition) -> dict[str, tuple[Ability, str]]:
        """The abilities that a card has, and the kind or the card that gives it each; its own have an empty name
        there."""
        found: dict[str, tuple[Ability, str]] = {}
        for kind in reversed(self.model.ancestors(definition.kind)):
            found |= {name: (ability, kind) for name, ability in self.model.kinds[kind].abilities.items()}
        found |= {ability.id: (ability, lender) for lender, ability in lent(self.model, definition)}
        return found | {name: (ability, "") for name, ability in definition.abilities.items()}

    # ------------------------------------------------------------ owners

    def list_owners(self) -> list[Owner]:
        made: dict[tuple[str, str], Owner] = {}
        rows: dict[tuple[str, str, str], tuple[Owner, Ability, list[Path]]] = {}
        own = {kind for kind, k in self.model.kinds.items() if k.package == self.package}
        own |= {card.id for card in self.model.definitions.values() if card.package == self.package}
        for number, row in enumerate(self.artefact["definitions"]):
            definition = self.model.definitions[row["id"]]
            abilities = self.collect_abilities(definition)
            if definition.package == self.package:
                names = frozenset((definition.id,))
                owner = made.setdefault(("", definition.id), Owner(definition.id, definition.kind, names))
                owner.parts += self.find_printed(definition, number)
                for slot, proc in row.get("programs", {}).items():
                    _Texts(self, owner, f"{definition.id}.{slot}", definition.programs[slot]).read_program(proc)
            for table in ("abilities", "modifiers"):
                for index, entry in enumerate(self.artefact[table]):
                    if entry["of"] != number:
                        continue
                    name, (ability, kind) = self.find_ability(entry, definition, abilities)
                    if (kind not in own) if kind else (definition.package != self.package):
                        continue
                    key = (kind, kind or definition.id)
                    if key not in made:
                        lender = self.model.definitions.get(kind)
                        made[key] = Owner(kind, "kind" if lender is None else lender.kind, frozenset())
                    owner = made[key]
                    if kind:
                        owner.names |= {definition.id}
                    rows.setdefault((*key, name), (owner, ability, []))[2].append((table, index))
        for table in ("abilities", "modifiers"):
            for index, entry in enumerate(self.artefact[table]):
                if entry["of"] != -1:
                    continue
                found = self.find_rule(entry)
                if found is not None and self.find_package(entry) == self.package:
                    name, ability = found
                    owner = made.setdefault(("ability", name), Owner(name, "ability", frozenset((name,))))
                    rows.setdefault(("ability", name, ""), (owner, ability, []))[2].append((table, index))
        for (_, _, name), (owner, ability, paths) in rows.items():
            label = f"{owner.id}.{name}" if name else owner.id
            _Texts(self, owner, label, ability.do or ability.always).read_ability(ability, paths)
        return [owner for owner in made.values() if owner.parts]

    def find_printed(self, definition: Definition, number: int) -> Iterator[Part]:
        """The numbers that are printed on a card."""
        for name, node in definition.values.items():
            declared = self.model.field(definition.kind, name)
            if declared is None or declared.state or declared.type.sort != "number" or declared.type.many:
                continue
            values = self.artefact["columns"][declared.column]["printed"]
            edit = Edit(("columns", declared.column, "printed", number), f"{PRINTED}{values[number] + 1}")
            what = f"its {name} is {values[number] + 1}, not {values[number]}"
            yield Part(f"{definition.id}.{name}", self.describe_place(node.span), Mutant(what, (edit,)))

    def describe_place(self, span: Span) -> str:
        """A place of a file of the package, as the artefact tells it."""
        path = str(span.file)
        found = (f for f in sorted(self.files) if path.endswith("/" + f.partition("/")[2]))
        return f"{next(found, path)}:{span.line}"

    def find_package(self, entry: dict[str, Any]) -> str:
        return str(self.artefact["places"][entry["at"]][0]).partition("/")[0]

    def find_ability(
        self, entry: dict[str, Any], definition: Definition, abilities: dict[str, tuple[Ability, str]]
    ) -> tuple[str, tuple[Ability, str]]:
        """Which ability of a card a row was made of: by its name, or, where it has none, by where its text stands."""
        name = str(entry.get("id", "")).removeprefix(f"{definition.id}.")
        if name in abilities:
            return name, abilities[name]
        return next((name, found) for name, found in abilities.items() if self.is_written_in(entry, found[0]))

    def find_rule(self, entry: dict[str, Any]) -> tuple[str, Ability] | None:
        name = str(entry.get("id", ""))
        if name in self.model.abilities:
            return name, self.model.abilities[name]
        return next(((n, a) for n, a in self.model.abilities.items() if self.is_written_in(entry, a)), None)

    def is_written_in(self, entry: dict[str, Any], ability: Ability) -> bool:
        row = self.artefact["places"][entry["at"]]
        for text in (ability.always, ability.do):
            if text is not None and str(text.scalar.source.path).endswith("/" + str(row[0]).partition("/")[2]):
                scalar = text.scalar
                if (scalar.line, scalar.column) <= (row[1], row[2]) and row[3] <= scalar.end_line:
                    return True
        return False

    def describe_line(self, place: int | None, text: Text | None) -> str:
        """File and line, for people."""
        if place is not None:
            file, line = self.artefact["places"][place][:2]
            return f"{file}:{line}"
        return "" if text is None else self.describe_place(text.scalar.span)


class _Texts:
    """The parts of one text of an owner: of a slot, or of an ability with all its windows."""

    def __init__(self, finder: Finder, owner: Owner, label: str, text: Text | None) -> None:
        self.finder = finder
        self.artefact = finder.artefact
        self.owner = owner
        self.label = label
        self.text = text
        self.bodies: list[Path] = []
        self.counts: dict[str, int] = {}
        self.copies: dict[str, list[Path]] = {}  # what is written twice in the artefact, but once by the author

    def add_details(self) -> None:
        """The numbers of a text, and what its nouns are narrowed down by."""
        paths = [path if path[0] == "procs" else (*path, key) for path in self.bodies for key in ("cond", "value")]
        there = [path for path in dict.fromkeys(paths) if isinstance(self.find_node(path), dict | list)]
        for detail in self.finder.details.list_details(there):
            if self.text is not None and self.finder.is_within(detail.place, self.text):
                first, *others = detail.mutants
                where = self.finder.describe_line(detail.place, self.text)
                name = f"{self.label}.{self.make_number(detail.name)}"
                self.owner.parts.append(Part(name, where, first, detail.within, tuple(others)))

    def add(self, name: str, what: str, edits: list[Edit], place: int | None, reached: list[Path]) -> None:
        if not edits:
            return
        ident = f"{self.label}.{name}" if name else self.label
        where = self.finder.describe_line(place, self.text)
        self.owner.parts.append(Part(ident, where, Mutant(what, tuple(edits)), tuple(reached)))

    def make_number(self, name: str) -> str:
        self.counts[name] = self.counts.get(name, 0) + 1
        return f"{name}-{self.counts[name]}"

    # ------------------------------------------------------------ slots and abilities

    def read_program(self, proc: int) -> None:
        path: Path = ("procs", proc)
        self.bodies = [path]
        self.owner.bodies.append(path)
        self.add("", "the whole text removed", [Edit(path, "emptied")], None, [(*path, "body")])
        self.read_branches((*path, "body"), [])
        self.add_details()

    def read_ability(self, ability: Ability, rows: list[Path]) -> None:
        entries = [find_node(self.artefact, path) for path in rows]
        self.owner.bodies.extend(rows)
        procs = [("procs", entry["proc"]) for entry in entries if entry.get("proc", -1) >= 0]
        self.bodies = [*procs, *rows]
        self.owner.bodies.extend(procs)
        place = entries[0].get("at")
        self.add("", "removed", [Edit(path, "removed") for path in rows], place, rows)
        windows: dict[str, list[Path]] = {}  # one for each event, whoever bears it
        for path, entry in zip(rows, entries, strict=True):
            key = json.dumps(
                [entry.get("on"), entry.get("phase"), entry.get("col"), entry.get("at"), self.read_tests(entry)]
            )
            windows.setdefault(key, []).append(path)
        if len(windows) > 1:
            for number, paths in enumerate(windows.values(), 1):
                at = find_node(self.artefact, paths[0]).get("at")
                name = f"line-{number}" if ability.do is None else f"window-{number}"
                self.add(name, "removed", [Edit(path, "removed") for path in paths], at, paths)
        for number, demand in enumerate(self.finder.list_demands(ability.only), 1):
            mutant = self.finder.drop_demand(demand, self.bodies, self.owner.id if self.owner.kind == "kind" else "")
            self.add(f"only-{number}", mutant.name, list(mutant.edits), demand.place, rows)
        if any(has_own_limit(entry) for entry in entries):
            edits = [Edit(path, "limit lifted") for path in rows]
            self.add("limit", "without its limit", edits, place, rows)
        offered = [path for path, entry in zip(rows, entries, strict=True) if entry.get("optional")]
        if offered and ability.use is None:
            edits = [Edit(path, "forced") for path in offered]
            self.add(DECLINE, "cannot be declined", edits, place, offered)
        trials = [Edit(inner, "holds") for path in rows for inner in self.find_trials(path)]
        for proc in procs[:1]:
            self.read_branches((*proc, "body"), trials, ability.use is not None, bool(offered))
        self.add_details()

    @staticmethod
    def read_tests(entry: dict[str, Any]) -> Json:
        """The conditions of a row without who bears it: what tells windows of one ability apart."""
        return None if entry.get("of", -1) >= 0 and "shares" not in entry else entry.get("cond")

    def find_trials(self, path: Path) -> Iterator[Path]:
        """Where the condition of an ability asks whether it can be carried out."""
        cond = find_node(self.artefact, path).get("cond")
        if cond is None:
            return
        parts = [((*path, "cond"), cond)]
        if cond[0] == "and":
            parts = [((*path, "cond", i), part) for i, part in enumerate(cond) if i]
        for inner, part in parts:
            if part[0] == "can":
                yield inner

    # ------------------------------------------------------------ lines and branches

    def read_branches(self, root: Path, trials: list[Edit], use: bool = False, offered: bool = False) -> None:
        """The parts of one program. `trials` are where its ability asks whether it can be done; one that is `offered`
        and does not ask has a cost that can always be paid."""
        found = list(self.walk(root, ()))
        for body in self.bodies:
            self.index(find_node(self.artefact, body), body, body == root[:2])
        lines = [(path, node) for path, node, _ in found if self.is_line(node, use)]
        paid = False
        for path, node, around in found:
            op = node["op"]
            place = node.get("at", find_first_place(node))
            if op in LINES and len(lines) > 1 and self.is_line(node, use):
                what = f"without {self.describe_node(node, place)}"
                edits = [Edit(p, "removed") for p in self.find_same(path, node)]
                self.add(self.make_number("line"), what, edits, place, [path])
            elif op == "if":
                self.read_branch(path, node, place, around)
            elif op == "pay" and not around:
                edits = [Edit(p, "on credit") for p in self.find_same(path, node)]
                first, paid = not paid, True
                if (first and offered and not trials) or self.is_sure(node["cost"]):
                    continue
                name = self.make_number("cost")
                cost = self.describe_node(node["cost"], find_first_place(node["cost"]))
                what = f"done though its cost cannot be paid: {cost}"
                edits += [Edit(p, "holds") for p in self.find_guard(path)]
                self.add(name, what, [*edits, *(trials if first else [])], place, [path])
            elif op in ("menu", "poll"):
                self.read_options(path, node, place)

    def find_guard(self, path: Path) -> list[Path]:
        """The guard of the option that begins with this cost: it asks whether the cost can be begun."""
        for end in range(len(path) - 1, 0, -1):
            if path[end] == "body" and end >= 2 and path[end - 2] == "entries":
                entry = find_node(self.artefact, path[:end])
                if begins_with_cost(entry["body"]) and entry.get("guard") is not None and entry["guard"][0] != "and":
                    return [(*path[:end], "guard")]
                return []
        return []

    def is_sure(self, cost: dict[str, Any]) -> bool:
        """Whether a cost can always be paid: a choice among what is printed, an option that is always there, what is
        always carried out."""
        if cost["op"] == "seq":
            return all(self.is_sure(part) for part in cost["body"])
        if cost["op"] == "menu":
            return any(
                entry.get("guard") is None
                and all(is_fixed(domain["in"]) for domain in entry["domains"])
                and (entry.get("body") is None or self.is_sure(entry["body"]))
                for entry in cost["entries"]
            )
        return self.finder.certain.stmt(read_statement(self.finder.tables, cost, WINDOW, ""))

    def read_options(self, path: Path, node: dict[str, Any], place: int | None) -> None:
        menu = node["menu"] if node["op"] == "poll" else node
        inner: Path = (*path, "menu") if node["op"] == "poll" else path
        entries = menu["entries"]
        if len(entries) < 2:
            return
        may = any(entry["id"] == DECLINE for entry in entries)
        name = self.make_number("may" if may else "either")
        for number, entry in enumerate(entries):
            at = find_first_place(entry.get("body")) or place
            here: Path = (*inner, "entries", number)
            edits = [Edit(p, "not offered") for p in self.find_same(here, entry)]
            if entry["id"] == DECLINE:
                self.add(f"{name}.{DECLINE}", "cannot be declined", edits, place, [here])
            else:
                what = "never offered" if may else f"the option {entry['id']} is never offered"
                self.add(f"{name}.{'take' if may else entry['id']}", what, edits, at, [here])
            for domain_number, domain in enumerate(entry.get("domains", ())):
                tried = (
                    domain["in"][3]
                    if may and begins_with_cost(entry.get("body")) and domain["in"][0] == "filter"
                    else ["int", 1]
                )
                # a single step with what was chosen: where it cannot be taken, there is nothing to choose
                if tried[0] == "can" and sum(self.is_line(step, False) for step in walk_steps(tried[1])) > 1:
                    trial: Path = (*here, "domains", domain_number, "in", 3)
                    copies = self.find_same(trial, domain["in"][3])
                    what = "offered though its cost cannot be paid"
                    self.add(f"{name}.cost", what, [Edit(p, "holds") for p in copies], place, [path])

    def read_branch(self, path: Path, node: dict[str, Any], place: int | None, around: tuple[str, ...]) -> None:
        cond = node["cond"]
        if cond[0] == "can":
            menu = node["then"]
            if menu["op"] == "menu" and any(begins_with_cost(entry.get("body")) for entry in menu["entries"]):
                what = (
                    f"offered though its cost cannot be paid: {self.describe_node(cond[1], find_first_place(cond[1]))}"
                )
                edits = [Edit(p, "holds") for p in self.find_same((*path, "cond"), cond)]
                self.add(self.make_number("cost"), what, edits, place, [path])
            return
        if not self.is_asked(node, around):
            return
        name = self.make_number("if")
        place = find_first_place(cond) if find_first_place(cond) is not None else place
        words = (
            self.describe_node(node, place)
            if find_first_place(cond) is not None
            else f"'if you do{'' if cond[0] == '==' else ' not'}'"
        )
        conds = [(*p, "cond") for p in self.find_same(path, node)]
        self.add(f"{name}.yes", f"never taken: {words}", [Edit(p, "fails") for p in conds], place, [path])
        self.add(f"{name}.no", f"always taken: {words}", [Edit(p, "holds") for p in conds], place, [path])

    def is_asked(self, node: dict[str, Any], around: tuple[str, ...]) -> bool:
        """Whether the author wrote this condition here: what a verb demands stands elsewhere, what the compiler asks
        has no place. `if you do` has none either."""
        cond = node["cond"]
        place = find_first_place(cond)
        if place is not None:
            return self.text is not None and self.finder.is_within(place, self.text)
        if cond[0] not in ("==", "!=") or cond[1][0] != "slot" or cond[2] not in (["int", 0], ["int", 1]):
            return False
        if around and around[-1] == "pay.then":
            return False
        inner = node["then"]["body"] if node["then"]["op"] == "seq" else [node["then"]]
        return any(part["op"] != "let" for part in inner)

    def is_line(self, node: dict[str, Any], use: bool) -> bool:
        if node["op"] not in LINES:
            return False
        if node["op"] == "move" and node["piece"] == IMPOSSIBLE:
            return False
        return not (node["op"] == "cancel" and use)

    def describe_node(self, node: Json, place: int | None) -> str:
        if place is None:
            return str(node["op"]) if isinstance(node, dict) else "it"
        return f"'{shorten_text(str(self.artefact['places'][place][5]))}'"

    def walk(self, path: Path, around: tuple[str, ...]) -> Iterator[tuple[Path, dict[str, Any], tuple[str, ...]]]:
        """The statements of a text in order, with those that a floating effect brings."""
        node = find_node(self.artefact, path)
        if isinstance(node, list):
            for index in range(len(node)):
                yield from self.walk((*path, index), around)
            return
        op = node.get("op", "menu")
        if op != "seq":
            yield path, node, around
        if op == "if":
            tried = (*around, "can") if node["cond"][0] == "can" else around
            yield from self.walk((*path, "then"), tried)
        elif op == "pay":
            yield from self.walk((*path, "cost"), (*around, "pay.cost"))
            yield from self.walk((*path, "then"), (*around, "pay.then"))
        elif op in ("seq", "foreach", "repeat"):
            yield from self.walk((*path, "body"), around)
        if (op == "if" and node.get("else") is not None) or (op == "pay" and node.get("else") is not None):
            yield from self.walk((*path, "else"), around)
        if op in ("menu", "poll"):
            menu: Path = (*path, "menu") if op == "poll" else path
            entries = find_node(self.artefact, menu)["entries"]
            may = any(entry["id"] == DECLINE for entry in entries)
            for number, entry in enumerate(entries):
                if entry.get("body") is not None:
                    inside = (*around, "may") if may else ()
                    yield from self.walk((*menu, "entries", number, "body"), inside)
            if find_node(self.artefact, menu).get("otherwise") is not None:
                yield from self.walk((*menu, "otherwise"), around)
        elif op == "grant":
            for number in node["abilities"]:
                proc = self.artefact["abilities"][number]["proc"]
                if proc >= 0:
                    body: Path = ("procs", proc)
                    if body not in self.bodies:
                        self.bodies.append(body)
                        self.owner.bodies.append(body)
                    yield from self.walk((*body, "body"), ())

    # -------------------------------------------------- the same thing, written by the compiler in several places

    def index(self, node: Json, path: Path, main: bool) -> None:
        """Remember where equal nodes stand."""
        if isinstance(node, dict):
            if "op" in node or "guard" in node:
                self.copies.setdefault(self.make_key(node), []).append(path)
            for key, value in node.items():
                if isinstance(value, dict | list):
                    self.index(value, (*path, key), main)
        elif isinstance(node, list):
            if node and node[0] == "can":
                self.copies.setdefault(self.make_key(node), []).append(path)
            for number, value in enumerate(node):
                if isinstance(value, dict | list):
                    self.index(value, (*path, number), main)

    @staticmethod
    def make_key(node: Json) -> str:
        if isinstance(node, dict) and "at" in node and node["op"] == "do":
            return f"do {node['at']}"
        return json.dumps(node)

    def find_same(self, path: Path, node: Json) -> list[Path]:
        """Where this node stands: here, and in copies that are not part of the same program's own lines."""
        found = self.copies.get(self.make_key(node), [])
        own = path[:2]
        twins = [p for p in found if p != path and (p[:2] != own or self.is_in_trial(p))]
        for body in self.bodies:  # other cards of a kind, other windows of an ability
            if body[0] == own[0] and body != own:
                other = self.find_node((*body, *path[2:]))
                if type(other) is type(node) and isinstance(node, dict) and other.get("op") == node.get("op"):
                    twins.append((*body, *path[2:]))
        kept: list[Path] = []
        for p in sorted([path, *twins], key=len):
            if not any(p[: len(q)] == q for q in kept):
                kept.append(p)
        return kept

    def find_node(self, path: Path) -> Json:
        """What stands at a path, or None."""
        try:
            return find_node(self.artefact, path)
        except (KeyError, IndexError, TypeError):
            return None

    def is_in_trial(self, path: Path) -> bool:
        """Whether a place lies in a trial."""
        node: Json = self.artefact
        for key in path:
            node = node[key]
            if isinstance(node, list) and node and node[0] == "can":
                return True
        return False


def walk_steps(node: Json) -> Iterator[dict[str, Any]]:
    """All statements at and below a statement, those of trials left out."""
    if isinstance(node, list):
        for part in node:
            if isinstance(part, dict):
                yield from walk_steps(part)
        return
    if "op" in node:
        yield node
    for key in ("body", "then", "else", "cost", "otherwise", "menu", "entries"):
        if isinstance(node.get(key), dict | list):
            yield from walk_steps(node[key])


def is_fixed(source: Json) -> bool:
    """Whether a selector always finds the same: what is printed, or numbers."""
    return bool(source[0] == "fixtures" or (source[0] == "range" and source[1][0] == source[2][0] == "int"))


def begins_with_cost(body: Json) -> bool:
    """Whether what is done begins with a cost."""
    parts = [] if body is None else body["body"] if body["op"] == "seq" else [body]
    first = next((part for part in parts if part["op"] != "let"), None)
    return first is not None and first["op"] == "pay"


__all__ = ["Demand", "Finder", "Owner", "Part"]

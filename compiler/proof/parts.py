"""Finds the parts of all cards: abilities, texts, and their lines, branches, options, costs and conditions.

In: an artefact, and the model that it was made of (which knows what stands in which text). Out: `Owner` values with
their `Part`s, each with the mutant that breaks it everywhere in the artefact: a cost, for one, is looked at where the
ability is offered, and paid later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from grimoire.compiler.declare.model import Ability as DeclaredAbility
from grimoire.compiler.declare.model import Definition, PackageModel, Text, lent
from grimoire.compiler.diagnostics.report import Span
from grimoire.compiler.lower.footprints import certain_statements
from grimoire.compiler.proof import changes as ch
from grimoire.compiler.proof.changes import find_first_place
from grimoire.compiler.proof.copies import Copies
from grimoire.compiler.proof.details import Details
from grimoire.compiler.proof.mutate import Edit, Mutant, has_own_limit, shorten_text
from grimoire.compiler.proof.order import Order, Orders
from grimoire.compiler.proof.places import read_places
from grimoire.compiler.proof.windows import Windows
from grimoire.compiler.source.tree import Node
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.analysis import body_of, statements_in
from grimoire.runtime.core.expressions import And, CanCarryOut, Comparison, Number, Placed, Slot
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.selectors import Filter, FixturesOfKind, Range
from grimoire.runtime.core.tables import Ability, Artefact, Modifier, ProcedureOf
from grimoire.runtime.core.walk import Path, find_at, walk, walk_paths
from grimoire.runtime.core.writing import name_of

LINES: Final = (
    st.Propose,
    st.SetVariable,
    st.SetColumn,
    st.SetSetting,
    st.Move,
    st.Shuffle,
    st.ChooseAtRandom,
    st.Look,
    st.Call,
    st.RunProgram,
    st.Cancel,
    st.SetArgument,
    st.SetResult,
    st.Grant,
    st.EndGame,
    st.Leave,
    st.Return,
)
IMPOSSIBLE: Final = Number(-1)
DECLINE: Final = "decline"


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

    def __init__(self, artefact: Artefact, model: PackageModel, package: str) -> None:
        self.artefact = artefact
        self.model = model
        self.package = package
        self.places = read_places(artefact)
        self.conditions: dict[int, list[Path]] = {}  # place -> where such a condition stands
        self.inner: dict[int, set[int]] = {}  # place -> places directly below it, through "and" alone
        self.files = {place.file for place in self.places}
        self.certain = certain_statements(artefact)
        for number, proc in enumerate(artefact.procs):
            self.note(proc.body, ("procs", number, "body"))
        for number, function in enumerate(artefact.functions):
            self.note(function.value, ("functions", number, "value"))
        for number, ability in enumerate(artefact.abilities):
            self.note(ability.cond, ("abilities", number, "cond"))
        for number, ability in enumerate(artefact.abilities):
            self.note(ability.might, ("abilities", number, "might"))
        for number, modifier in enumerate(artefact.modifiers):
            self.note(modifier.cond, ("modifiers", number, "cond"))
        self.details = Details(artefact)
        self.orders = Orders(artefact, self.certain.prints, self.places)
        self.windows = Windows(artefact, self.places, self.is_within)
        self.by_place: dict[str, dict[int, list[int]]] = {}
        for at in self.conditions:
            place = self.places[at]
            self.by_place.setdefault(place.file, {}).setdefault(place.line, []).append(at)

    def note(self, record: object, path: Path) -> None:
        """Remember the conditions that have a place."""
        if record is None:
            return
        for inner, one in walk_paths(record, path):
            if isinstance(one, Placed):
                self.conditions.setdefault(one.place, []).append(inner)
                below = one.value.conditions if isinstance(one.value, And) else (one.value,)
                found = {part.place for part in below if isinstance(part, Placed)}
                if found and len(found) == len(below):
                    self.inner.setdefault(one.place, set()).update(found)

    def list_demands(self, text: Text | None) -> list[Demand]:
        """The conditions of an `only:` that must all hold, in the order of the text."""
        if text is None or text.node is None:
            return []
        scalar = text.scalar
        found: set[int] = set()
        for lines in self.by_place.values():
            for line in range(scalar.line, scalar.end_line + 1):
                found |= {place for place in lines.get(line, ()) if self.is_within(place, text)}
        rows = self.places
        wide = {p for p in found if self.inner.get(p, set()) & found}  # said by the conditions below it
        narrow = found - wide
        outer = {
            p for p in narrow
            if not any(q != p and rows[q].start <= rows[p].start and rows[p].end <= rows[q].end for q in narrow)
        }  # fmt: skip
        return [Demand(p, rows[p].text) for p in sorted(outer, key=lambda p: rows[p].start)]

    def is_within(self, at: int, text: Text) -> bool:
        """Whether a place lies in a text."""
        place, scalar = self.places[at], text.scalar
        if place.start < (scalar.line, scalar.column) or place.end > (scalar.end_line, scalar.end_column):
            return False
        return is_same_file(text, place.file)

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
        edits = tuple(Edit((*path, "value"), ch.HOLD) for path in paths)
        return Mutant(f"without '{shorten_text(demand.text)}'", edits)

    # ------------------------------------------------------------ for clauses

    def collect_row_demands(self) -> dict[Path, list[Mutant]]:
        """What the abilities and verbs of the rules demand: mutants by the row of the table."""
        made: dict[Path, list[Mutant]] = {}
        for rows, ability, kind in self.iterate_declared():
            name = f"ability {self.artefact.abilities[rows[0]].id}"
            paths: list[Path] = [("abilities", number) for number in rows]
            limits = tuple(
                Edit(("abilities", number), ch.LIFT_LIMIT)
                for number in rows
                if has_own_limit(self.artefact.abilities[number])
            )
            found = [
                Mutant("without its limit", limits),
                *(self.drop_demand(d, paths, kind) for d in self.list_demands(ability.only)),
                *(heard.mutant for heard in self.windows.list_heard(ability, paths)),
            ]
            for path in paths:
                made[path] = [Mutant(f"{name} {mutant.name}", mutant.edits) for mutant in found]
        for verb in self.model.verbs.values():
            for demand in self.list_demands(verb.only):
                plain = self.drop_demand(demand)
                named = Mutant(f"{verb.id} {plain.name}", plain.edits)
                made.setdefault(("procs", verb.index), []).append(named)
        return {path: [mutant for mutant in found if mutant.edits] for path, found in made.items()}

    def iterate_declared(self) -> Iterator[tuple[list[int], DeclaredAbility, str]]:
        """The abilities of cards, kinds and rules, each with its rows: those of a kind have some for every card."""
        rows: dict[int, tuple[list[int], DeclaredAbility, str]] = {}
        for number, row in enumerate(self.artefact.abilities):
            if row.of >= 0:
                definition = self.model.definitions[self.artefact.definitions[row.of].id]
                ability, kind = self.find_ability(row, definition, self.collect_abilities(definition))[1]
            else:
                rule = self.find_rule(row) if row.of == -1 else None
                if rule is None:
                    continue
                ability, kind = rule[1], ""
            rows.setdefault(id(ability), ([], ability, kind))[0].append(number)
        yield from rows.values()

    def collect_abilities(self, definition: Definition) -> dict[str, tuple[DeclaredAbility, str]]:
        """The abilities that a card has, and the kind or the card that gives it each; its own have an empty name
        there."""
        found: dict[str, tuple[DeclaredAbility, str]] = {}
        for kind in reversed(self.model.ancestors(definition.kind)):
            found |= {name: (ability, kind) for name, ability in self.model.kinds[kind].abilities.items()}
        found |= {ability.id: (ability, lender) for lender, ability in lent(self.model, definition)}
        return found | {name: (ability, "") for name, ability in definition.abilities.items()}

    def list_clause_orders(self) -> dict[str, list[Order]]:
        """The orders of effects that the programs of clauses ask for, by clause: an order belongs to the clauses of its
        two effects, else to what they stand in, and is told with the first of them."""
        found: dict[str, list[Order]] = {}
        for number, proc in enumerate(self.artefact.procs):
            if not self.has_marks(proc):
                continue
            body: Path = ("procs", number, "body")
            for order in self.orders.list_orders(body):
                marks = order.marks or self.find_marks_around(order.path, proc.clauses or ())
                order = replace(order, marks=marks, name=f"{order.name} in {proc.id}")
                for clause in marks[:1]:
                    found.setdefault(clause, []).append(order)
        return found

    def has_marks(self, proc: ProcedureOf) -> bool:
        """Whether a procedure carries out a clause, as a whole or in a statement."""
        return bool(proc.clauses) or any(
            isinstance(part, Statement) and part.clause is not None for part in walk(proc.body) if proc.body is not None
        )

    def find_marks_around(self, path: Path, whole: tuple[str, ...]) -> tuple[str, ...]:
        """The clause of the nearest statement that something stands in, else those of the procedure."""
        for end in range(len(path), 2, -1):
            record = find_at(self.artefact, path[:end])
            if isinstance(record, Statement) and record.clause is not None:
                return (record.clause,)
        return whole

    # ------------------------------------------------------------ owners

    def list_owners(self) -> list[Owner]:
        made: dict[tuple[str, str], Owner] = {}
        rows: dict[tuple[str, str, str], tuple[Owner, DeclaredAbility, list[Path]]] = {}
        own = {kind for kind, k in self.model.kinds.items() if k.package == self.package}
        own |= {card.id for card in self.model.definitions.values() if card.package == self.package}
        for number, row in enumerate(self.artefact.definitions):
            definition = self.model.definitions[row.id]
            abilities = self.collect_abilities(definition)
            if definition.package == self.package:
                names = frozenset((definition.id,))
                owner = made.setdefault(("", definition.id), Owner(definition.id, definition.kind, names))
                owner.parts += self.find_printed(definition, number)
                for slot, proc in row.programs.items():
                    _Texts(self, owner, f"{definition.id}.{slot}", definition.programs[slot]).read_program(proc)
            for path, entry in self.list_rows():
                if entry.of != number:
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
                rows.setdefault((*key, name), (owner, ability, []))[2].append(path)
        for path, entry in self.list_rows():
            if entry.of != -1:
                continue
            found = self.find_rule(entry)
            if found is not None and self.find_package(entry) == self.package:
                name, ability = found
                owner = made.setdefault(("ability", name), Owner(name, "ability", frozenset((name,))))
                rows.setdefault(("ability", name, ""), (owner, ability, []))[2].append(path)
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
            values = self.artefact.columns[declared.column].printed
            assert values is not None and isinstance(node, Node)
            edit = Edit(("columns", declared.column, "printed", number), ch.Print(values[number] + 1))
            what = f"its {name} is {values[number] + 1}, not {values[number]}"
            yield Part(f"{definition.id}.{name}", self.describe_place(node.span), Mutant(what, (edit,)))

    def describe_place(self, span: Span) -> str:
        """A place of a file of the package, as the artefact tells it."""
        path = str(span.file)
        found = (f for f in sorted(self.files) if path.endswith("/" + f.partition("/")[2]))
        return f"{next(found, path)}:{span.line}"

    def list_rows(self) -> list[tuple[Path, Ability | Modifier]]:
        """The rows of abilities, then those of modifiers."""
        return [
            *((("abilities", number), ability) for number, ability in enumerate(self.artefact.abilities)),
            *((("modifiers", number), modifier) for number, modifier in enumerate(self.artefact.modifiers)),
        ]

    def find_package(self, entry: Ability | Modifier) -> str:
        assert entry.at is not None
        return self.places[entry.at].file.partition("/")[0]

    def find_ability(
        self, entry: Ability | Modifier, definition: Definition, abilities: dict[str, tuple[DeclaredAbility, str]]
    ) -> tuple[str, tuple[DeclaredAbility, str]]:
        """Which ability of a card a row was made of: by its name, or, where it has none, by where its text stands."""
        name = name_row(entry).removeprefix(f"{definition.id}.")
        if name in abilities:
            return name, abilities[name]
        return next((name, found) for name, found in abilities.items() if self.is_written_in(entry, found[0]))

    def find_rule(self, entry: Ability | Modifier) -> tuple[str, DeclaredAbility] | None:
        name = name_row(entry)
        if name in self.model.abilities:
            return name, self.model.abilities[name]
        return next(((n, a) for n, a in self.model.abilities.items() if self.is_written_in(entry, a)), None)

    def is_written_in(self, entry: Ability | Modifier, ability: DeclaredAbility) -> bool:
        assert entry.at is not None
        place = self.places[entry.at]
        for text in (ability.always, ability.do):
            if text is not None and is_same_file(text, place.file):
                scalar = text.scalar
                if (scalar.line, scalar.column) <= place.start and place.end_line <= scalar.end_line:
                    return True
        return False

    def describe_line(self, place: int | None, text: Text | None) -> str:
        """File and line, for people."""
        if place is not None:
            return f"{self.places[place].file}:{self.places[place].line}"
        return "" if text is None else self.describe_place(text.scalar.span)


def is_same_file(text: Text, file: str) -> bool:
    """Whether a text stands in a file that the artefact names."""
    return str(text.scalar.source.path).endswith("/" + file.partition("/")[2])


def name_row(entry: Ability | Modifier) -> str:
    return entry.id if isinstance(entry, Ability) else ""


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
        self.copies = Copies(finder.artefact, ())

    def add_details(self) -> None:
        """The numbers of a text, and what its nouns are narrowed down by."""
        paths: list[Path] = []
        for path in dict.fromkeys(self.bodies):
            row = find_at(self.artefact, path)
            if isinstance(row, Ability | Modifier):
                paths += [(*path, "cond")] if row.cond is not None else []
            else:
                paths.append(path)
        for detail in self.finder.details.list_details(paths):
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
        self.add("", "the whole text removed", [Edit(path, ch.EMPTY)], None, [(*path, "body")])
        self.read_branches(proc, [])
        self.add_details()

    def read_ability(self, ability: DeclaredAbility, rows: list[Path]) -> None:
        entries = [self.find_row(path) for path in rows]
        self.owner.bodies.extend(rows)
        procs = [entry.proc for entry in entries if isinstance(entry, Ability) and entry.proc >= 0]
        bodies: list[Path] = [("procs", proc) for proc in procs]
        self.bodies = [*bodies, *rows]
        self.owner.bodies.extend(bodies)
        place = entries[0].at
        self.add("", "removed", [Edit(path, ch.DISABLE) for path in rows], place, rows)
        windows: dict[Hashable, list[Path]] = {}  # one for each event, whoever bears it
        for path, entry in zip(rows, entries, strict=True):
            windows.setdefault(make_window_key(entry), []).append(path)
        if len(windows) > 1:
            for number, paths in enumerate(windows.values(), 1):
                at = self.find_row(paths[0]).at
                name = f"line-{number}" if ability.do is None else f"window-{number}"
                self.add(name, "removed", [Edit(path, ch.DISABLE) for path in paths], at, paths)
        for number, demand in enumerate(self.finder.list_demands(ability.only), 1):
            mutant = self.finder.drop_demand(demand, self.bodies, self.owner.id if self.owner.kind == "kind" else "")
            self.add(f"only-{number}", mutant.name, list(mutant.edits), demand.place, rows)
        for heard in self.finder.windows.list_heard(ability, rows):
            self.add(self.make_number(heard.sort), heard.mutant.name, list(heard.mutant.edits), heard.place, rows)
        if any(has_own_limit(entry) for entry in entries):
            edits = [Edit(path, ch.LIFT_LIMIT) for path in rows]
            self.add("limit", "without its limit", edits, place, rows)
        offered = [
            path for path, entry in zip(rows, entries, strict=True) if isinstance(entry, Ability) and entry.optional
        ]
        if offered and ability.use is None:
            edits = [Edit(path, ch.FORCE) for path in offered]
            self.add(DECLINE, "cannot be declined", edits, place, offered)
        trials = [Edit(inner, ch.HOLD) for path in rows for inner in self.find_trials(path)]
        for proc in procs[:1]:
            self.read_branches(proc, trials, ability.use is not None, bool(offered))
        self.add_details()

    def find_row(self, path: Path) -> Ability | Modifier:
        row = find_at(self.artefact, path)
        assert isinstance(row, Ability | Modifier)
        return row

    def find_trials(self, path: Path) -> Iterator[Path]:
        """Where the condition of an ability asks whether it can be carried out."""
        cond = self.find_row(path).cond
        if isinstance(cond, And):
            for number, part in enumerate(cond.conditions):
                if isinstance(part, CanCarryOut):
                    yield (*path, "cond", "conditions", number)
        elif isinstance(cond, CanCarryOut):
            yield (*path, "cond")

    # ------------------------------------------------------------ lines and branches

    def read_branches(self, proc: int, trials: list[Edit], use: bool = False, offered: bool = False) -> None:
        """The parts of one program. `trials` are where its ability asks whether it can be done; one that is `offered`
        and does not ask has a cost that can always be paid."""
        found = list(self.walk(self.artefact.procs[proc].body, ("procs", proc, "body"), ()))
        self.copies = Copies(self.artefact, self.bodies)
        lines = sum(is_line(statement, use) for _, statement, _ in found)
        paid = False
        for path, statement, around in found:
            place = find_first_place(statement)
            if lines > 1 and is_line(statement, use):
                what = f"without {self.describe(statement, place)}"
                edits = [Edit(p, ch.REMOVE) for p in self.copies.find_same(path, statement)]
                self.add(self.make_number("line"), what, edits, place, [path])
            elif isinstance(statement, st.If):
                self.read_branch(path, statement, place, around)
            elif isinstance(statement, st.Pay) and not around:
                edits = [Edit(p, ch.PAY_ON_CREDIT) for p in self.copies.find_same(path, statement)]
                first, paid = not paid, True
                if (first and offered and not trials) or self.is_sure(statement.cost):
                    continue
                name = self.make_number("cost")
                cost = self.describe(statement.cost, find_first_place(statement.cost))
                what = f"done though its cost cannot be paid: {cost}"
                edits += [Edit(p, ch.HOLD) for p in self.find_guard(path)]
                self.add(name, what, [*edits, *(trials if first else [])], place, [path])
            elif isinstance(statement, st.Menu):
                self.read_options(path, path, statement, place)
            elif isinstance(statement, st.Poll):
                self.read_options(path, (*path, "menu"), statement.menu, place)
        for body in dict.fromkeys(path[:3] for path, _, _ in found):
            self.read_orders(body)

    def read_orders(self, body: Path) -> None:
        """The effects of a program that stand in an order."""
        for order in self.finder.orders.list_orders(body):
            sequence = find_at(self.artefact, order.path)
            assert isinstance(sequence, st.Sequence)
            same = [p for p in self.copies.find_same(order.path, sequence) if self.has_length(p, len(sequence.body))]
            edits = [Edit(p, order.change) for p in same]
            self.add(self.make_number("order"), order.name, edits, order.place, list(order.reached))

    def has_length(self, path: Path, length: int) -> bool:
        record = find_at(self.artefact, path)
        return isinstance(record, st.Sequence) and len(record.body) == length

    def find_guard(self, path: Path) -> list[Path]:
        """The guard of the option that begins with this cost: it asks whether the cost can be begun."""
        for end in range(len(path) - 1, 0, -1):
            entry = find_at(self.artefact, path[:end])
            if isinstance(entry, st.Entry):
                if begins_with_cost(entry.body) and entry.guard is not None and not isinstance(entry.guard, And):
                    return [(*path[:end], "guard")]
                return []
        return []

    def is_sure(self, cost: Statement) -> bool:
        """Whether a cost can always be paid: a choice among what is printed, an option that is always there, what is
        always carried out."""
        if isinstance(cost, st.Sequence):
            return all(self.is_sure(part) for part in cost.body)
        if isinstance(cost, st.Menu):
            return any(
                entry.guard is None
                and all(is_fixed(domain.in_) for domain in entry.domains)
                and (entry.body is None or self.is_sure(entry.body))
                for entry in cost.entries
            )
        return self.finder.certain.stmt(cost)

    def read_options(self, path: Path, inner: Path, menu: st.Menu, place: int | None) -> None:
        if len(menu.entries) < 2:
            return
        may = can_be_declined(menu)
        name = self.make_number("may" if may else "either")
        for number, entry in enumerate(menu.entries):
            at = find_first_place(entry.body) or place
            here: Path = (*inner, "entries", number)
            edits = [Edit(p, ch.WITHHOLD) for p in self.copies.find_same(here, entry)]
            if entry.id == DECLINE:
                self.add(f"{name}.{DECLINE}", "cannot be declined", edits, place, [here])
            else:
                what = "never offered" if may else f"the option {entry.id} is never offered"
                self.add(f"{name}.{'take' if may else entry.id}", what, edits, at, [here])
            for at_domain, domain in enumerate(entry.domains):
                if not (may and begins_with_cost(entry.body) and isinstance(domain.in_, Filter)):
                    continue
                tried = domain.in_.condition
                # a single step with what was chosen: where it cannot be taken, there is nothing to choose
                if isinstance(tried, CanCarryOut) and sum(is_line(s, False) for s in walk_steps(tried.statement)) > 1:
                    copies = self.copies.find_same((*here, "domains", at_domain, "in_", "condition"), tried)
                    what = "offered though its cost cannot be paid"
                    self.add(f"{name}.cost", what, [Edit(p, ch.HOLD) for p in copies], place, [path])

    def read_branch(self, path: Path, statement: st.If, place: int | None, around: tuple[str, ...]) -> None:
        cond = statement.cond
        if isinstance(cond, CanCarryOut):
            menu = statement.then
            if isinstance(menu, st.Menu) and any(begins_with_cost(entry.body) for entry in menu.entries):
                cost = self.describe(cond.statement, find_first_place(cond.statement))
                edits = [Edit(p, ch.HOLD) for p in self.copies.find_same((*path, "cond"), cond)]
                what = f"offered though its cost cannot be paid: {cost}"
                self.add(self.make_number("cost"), what, edits, place, [path])
            return
        if not self.is_asked(statement, around):
            return
        name = self.make_number("if")
        asked = find_first_place(cond)
        if asked is not None:
            place = asked
            words = self.describe(statement, place)
        else:
            words = f"'if you do{'' if isinstance(cond, Comparison) and cond.op == '==' else ' not'}'"
        conds = [(*p, "cond") for p in self.copies.find_same(path, statement)]
        self.add(f"{name}.yes", f"never taken: {words}", [Edit(p, ch.FAIL) for p in conds], place, [path])
        self.add(f"{name}.no", f"always taken: {words}", [Edit(p, ch.HOLD) for p in conds], place, [path])

    def is_asked(self, statement: st.If, around: tuple[str, ...]) -> bool:
        """Whether the author wrote this condition here: what a verb demands stands elsewhere, what the compiler asks
        has no place. `if you do` has none either."""
        place = find_first_place(statement.cond)
        if place is not None:
            return self.text is not None and self.finder.is_within(place, self.text)
        if not asks_whether_done(statement.cond) or (around and around[-1] == "pay.then"):
            return False
        return any(not isinstance(part, st.Let) for part in body_of(statement.then))

    def describe(self, statement: Statement, place: int | None) -> str:
        return name_of(statement) if place is None else f"'{shorten_text(self.finder.places[place].text)}'"

    def walk(
        self, statement: Statement | None, path: Path, around: tuple[str, ...]
    ) -> Iterator[tuple[Path, Statement, tuple[str, ...]]]:
        """The statements of a text in order, with those that a floating effect brings."""
        if statement is None:
            return
        if isinstance(statement, st.Sequence):
            for number, part in enumerate(statement.body):
                yield from self.walk(part, (*path, "body", number), around)
            return
        yield path, statement, around
        match statement:
            case st.If():
                tried = (*around, "can") if isinstance(statement.cond, CanCarryOut) else around
                yield from self.walk(statement.then, (*path, "then"), tried)
                yield from self.walk(statement.else_, (*path, "else_"), around)
            case st.Pay():
                yield from self.walk(statement.cost, (*path, "cost"), (*around, "pay.cost"))
                yield from self.walk(statement.then, (*path, "then"), (*around, "pay.then"))
                yield from self.walk(statement.else_, (*path, "else_"), around)
            case st.ForEach() | st.Repeat():
                yield from self.walk(statement.body, (*path, "body"), around)
            case st.Menu():
                yield from self.walk_menu(statement, path, around)
            case st.Poll():
                yield from self.walk_menu(statement.menu, (*path, "menu"), around)
            case st.Grant():
                for number in statement.abilities:
                    yield from self.walk_granted(self.artefact.abilities[number].proc)

    def walk_menu(
        self, menu: st.Menu, path: Path, around: tuple[str, ...]
    ) -> Iterator[tuple[Path, Statement, tuple[str, ...]]]:
        inside = (*around, "may") if can_be_declined(menu) else ()
        for number, entry in enumerate(menu.entries):
            yield from self.walk(entry.body, (*path, "entries", number, "body"), inside)
        yield from self.walk(menu.otherwise, (*path, "otherwise"), around)

    def walk_granted(self, proc: int) -> Iterator[tuple[Path, Statement, tuple[str, ...]]]:
        if proc >= 0:
            body: Path = ("procs", proc)
            if body not in self.bodies:
                self.bodies.append(body)
                self.owner.bodies.append(body)
            yield from self.walk(self.artefact.procs[proc].body, (*body, "body"), ())


def make_window_key(entry: Ability | Modifier) -> Hashable:
    """What tells windows of one ability apart: not who bears it."""
    if isinstance(entry, Modifier):
        return entry.col, entry.at, None if entry.of >= 0 else entry.cond
    return entry.on, entry.phase, entry.at, None if entry.of >= 0 and entry.shares is None else entry.cond


def is_line(statement: Statement, use: bool) -> bool:
    """Whether a statement does something that an author wrote; to be used instead is not told apart."""
    if isinstance(statement, st.Move) and statement.piece == IMPOSSIBLE:
        return False
    return isinstance(statement, LINES) and not (use and isinstance(statement, st.Cancel))


def can_be_declined(menu: st.Menu) -> bool:
    return any(entry.id == DECLINE for entry in menu.entries)


def walk_steps(statement: Statement) -> Iterator[Statement]:
    """All statements at and below a statement, those of trials left out."""
    yield statement
    for inner in statements_in(statement):
        yield from walk_steps(inner)


def asks_whether_done(condition: Expression) -> bool:
    """Whether a condition is that of `if you do`: it compares a slot with 0 or 1."""
    return (
        isinstance(condition, Comparison)
        and condition.op in ("==", "!=")
        and isinstance(condition.left, Slot)
        and condition.right in (ch.NEVER, ch.ALWAYS)
    )


def is_fixed(source: Selector) -> bool:
    """Whether a selector always finds the same: what is printed, or numbers."""
    if isinstance(source, Range):
        return isinstance(source.low, Number) and isinstance(source.high, Number)
    return isinstance(source, FixturesOfKind)


def begins_with_cost(body: Statement | None) -> bool:
    """Whether what is done begins with a cost."""
    first = next((part for part in body_of(body) if not isinstance(part, st.Let)), None)
    return isinstance(first, st.Pay)


__all__ = ["Demand", "Finder", "Owner", "Part"]

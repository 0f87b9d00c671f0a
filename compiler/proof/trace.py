"""Trace every clause of a rulebook, and every part of every card, to the scenarios that prove it.

In: a package with a ledger of clauses, cards and scenarios. Out: a `TraceReport`. A clause that is a rule is proved
when each statement, ability or declaration that carries it out, once broken, makes at least one of its scenarios fail;
a part of a card when any scenario fails that comes by. Trace breaks it and looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

from grimoire.compiler.proof.bench import NO, YES, Bench, Benches, number_statements
from grimoire.compiler.proof.mutate import Carrier, Edit, Mutant, find_carriers
from grimoire.compiler.proof.parts import Finder, Owner, Part
from grimoire.compiler.scenario.equivalents import Equivalent
from grimoire.compiler.scenario.model import Scenario
from grimoire.compiler.scenario.report import Failure, Loaded, Progress
from grimoire.runtime.core.analysis import forms_in, forms_of
from grimoire.runtime.core.expressions import IsAllowed
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.statements import Propose
from grimoire.runtime.core.tables import Ability, Artefact, CarryingRow
from grimoire.runtime.core.walk import Path as Place
from grimoire.runtime.core.walk import find_at
from grimoire.runtime.plain_data import Json

STALE = "G0822"
_PLACE = re.compile(r" \([^ ()]+\.yaml:\d+\)")
Task = tuple[int, tuple[int, ...]]  # a mutant and the scenarios to be tried, by number
Group = tuple[tuple[Mutant, ...], tuple[int, ...]]  # mutants of which one must be noticed, and the scenarios to try


@dataclass(slots=True)
class TracedClause:
    """A clause of the ledger and how it fared. `killed` is None for what is no rule."""

    id: str
    kind: str
    numbers: dict[str, str]
    scenarios: list[str]
    killed: bool | None = None
    reason: str | None = None
    survivors: list[str] = field(default_factory=list)
    equivalent: list[str] = field(default_factory=list)  # what nothing can notice, as a scenario file says

    def to_json(self) -> dict[str, Json]:
        made: dict[str, Json] = {
            "id": self.id, "numbers": self.numbers, "kind": self.kind, "scenarios": self.scenarios,
            "killed": self.killed, "reason": self.reason,
        }  # fmt: skip
        made |= {"survivors": self.survivors} if self.survivors else {}
        return made | ({"equivalent": self.equivalent} if self.equivalent else {})


@dataclass(slots=True)
class TracedPart:
    """A part of a card: how it was broken, and which scenarios come to it."""

    id: str
    place: str
    broken: str
    scenarios: list[str]
    killed: bool = False
    reason: str | None = None
    equivalent: bool = False  # nothing can notice it, as a scenario file says: the reason is told there

    def to_json(self) -> dict[str, Json]:
        made: dict[str, Json] = {
            "id": self.id, "scenarios": self.scenarios, "killed": self.killed, "reason": self.reason,
            "broken": self.broken, "place": self.place,
        }  # fmt: skip
        return {**made, "equivalent": True} if self.equivalent else made


@dataclass(slots=True)
class TracedCard:
    """A card with its parts. `kind` is its kind; `kind` itself for a kind with abilities, `ability` for one of the
    rules."""

    id: str
    kind: str
    parts: list[TracedPart] = field(default_factory=list)

    def to_json(self) -> dict[str, Json]:
        return {"id": self.id, "kind": self.kind, "parts": [part.to_json() for part in self.parts]}


@dataclass(slots=True)
class TraceReport:
    """The ledger of a package and its cards, proved or not. `failures` are scenarios that prove nothing because they
    fail."""

    package: str
    clauses: list[TracedClause] = field(default_factory=list)
    cards: list[TracedCard] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    mutants: int = 0

    @property
    def summary(self) -> dict[str, int]:
        kinds = [clause.kind for clause in self.clauses]
        rules = [clause for clause in self.clauses if clause.kind == "rule"]
        proved = sum(1 for clause in rules if clause.killed)
        parts = [part for card in self.cards for part in card.parts]
        sure = sum(part.killed or part.equivalent for part in parts)
        alike = sum(len(clause.equivalent) for clause in rules) + sum(part.equivalent for part in parts)
        return {
            "clauses": len(self.clauses), "rule": len(rules), "definition": kinds.count("definition"),
            "manners": kinds.count("manners"), "proved": proved, "unproved": len(rules) - proved,
            "cards": len(self.cards), "parts": len(parts), "parts_proved": sure, "parts_unproved": len(parts) - sure,
            "equivalent": alike,
        }  # fmt: skip

    @property
    def failed(self) -> bool:
        return bool(self.failures) or self.summary["unproved"] > 0 or self.summary["parts_unproved"] > 0

    def to_json(self) -> dict[str, Json]:
        return {
            "clauses": [clause.to_json() for clause in self.clauses],
            "summary": self.summary,
            "cards": [card.to_json() for card in self.cards],
            "failures": [failure.to_json() for failure in self.failures],
        }

    def render(self) -> str:
        """The report for people: what is wrong, what is not proved, then the counts."""
        lines = [f"{f.file}:{f.line}: {f.id or 'scenarios'}: {f.message}" for f in self.failures]
        for clause in self.clauses:
            if clause.kind == "rule" and not clause.killed:
                lines.append(f"{clause.id}: not proved: {clause.reason}")
                lines.extend(f"    survives: {name}" for name in clause.survivors)
        parts = [part for card in self.cards for part in card.parts if not (part.killed or part.equivalent)]
        lines.extend(f"{part.place}: {part.id}: not proved: {part.broken}; {part.reason}" for part in parts)
        s = self.summary
        if self.failures:
            lines.append(f"scenarios that fail as they are: {len(self.failures)}")
        cards = (
            f"{s['cards']} cards with {s['parts']} parts, {s['parts_proved']} proved, {s['parts_unproved']} "
            "not proved; "
            if self.cards
            else ""
        )
        lines.append(
            f"{self.package}: {s['clauses']} clauses ({s['rule']} rules, {s['definition']} definitions, {s['manners']} "
            f"table manners), {s['proved']} proved, {s['unproved']} not proved; {cards}{self.mutants} broken "
            "programs tried" + (f", {s['equivalent']} of them equivalent" if s["equivalent"] else "")
        )
        return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- the report


class Tracer:
    """One run of trace."""

    def __init__(
        self,
        loaded: Loaded,
        artefact: Artefact,
        progress: Progress | None,
        jobs: int,
        only: Sequence[str],
        equivalents: Sequence[Equivalent] = (),
    ) -> None:
        assert loaded.model is not None
        self.artefact = artefact
        self.root = str(loaded.root)
        self.only = only
        self.own = artefact.package.id
        self.report = TraceReport(self.own, failures=list(loaded.failures))
        wrong = {failure.id for failure in self.report.failures}
        self.scenarios = tuple(scenario for scenario in loaded.scenarios if scenario.id not in wrong)
        self.index = {scenario.id: number for number, scenario in enumerate(self.scenarios)}
        self.mutants: list[Mutant] = []
        self.known: dict[tuple[Edit, ...], int] = {}  # one that carries out several clauses is broken once
        self.tasks: list[Task] = []
        self.settle: list[tuple[int, int, Callable[[list[bool]], None]]] = []
        self.numbers = number_statements(artefact)
        self.events: dict[Place, set[int]] = {}
        self.failing: set[int] = set()
        self.looked: set[int] = set()
        self.reaching: dict[int, list[int]] = {}  # number of a statement or an ability -> scenarios
        self.naming: dict[str, list[int]] = {}
        for number, scenario in enumerate(self.scenarios):
            for name in collect_names(scenario):
                self.naming.setdefault(name, []).append(number)
        self.progress = progress
        self.benches = Benches(Bench(artefact, self.scenarios, self.mutants), jobs)
        self.finder = finder = Finder(artefact, loaded.model, self.own)
        self.equivalents: dict[str, dict[str, Equivalent]] = {}
        for one in equivalents:
            self.equivalents.setdefault(one.of, {})[one.broken] = one
        self.noticed: set[tuple[str, str]] = set()
        self.said: set[tuple[str, str]] = set()  # those of them that are so
        self.orders = finder.list_clause_orders()
        owners = [owner for owner in finder.list_owners() if self.select_parts(owner)]
        carried: dict[str, list[Carrier]] = {}
        for carrier in find_carriers(artefact, finder.collect_row_demands()):
            carried.setdefault(carrier.clause, []).append(carrier)
        everything = range(len(self.scenarios))
        self.look(self.find_likely(owners, carried) if only else list(everything))
        self.trace_clauses(carried)
        for owner in owners:
            self.trace_card(owner)
        self.run()
        summary = self.report.summary
        if only and (summary["parts_unproved"] or summary["unproved"]):
            # perhaps a scenario notices that does not name the card or the clause
            self.look([number for number in everything if number not in self.looked])
            self.report.clauses, self.report.cards = [], []
            self.trace_clauses(carried)
            for owner in owners:
                self.trace_card(owner)
            self.run()
        self.report_stale()

    def report_stale(self) -> None:
        """Tell what is called equivalent and is noticed, or is not tried at all."""
        seen = {clause.id for clause in self.report.clauses} | {part.id for c in self.report.cards for part in c.parts}
        for of, ways in self.equivalents.items():
            if of not in seen and self.only:
                continue
            for broken, one in ways.items():
                if (of, broken) in self.said:
                    continue
                what = "a scenario notices it" if (of, broken) in self.noticed else "trace does not break it so"
                message = f"[{STALE}] '{broken}' of {of} is called equivalent, but {what} (take the line out)"
                self.report.failures.append(Failure("", one.span.file, one.span.line, message))

    def run(self) -> None:
        """Try what is in the list."""
        self.report.mutants += len(self.tasks)
        results = self.benches.find_survivors(self.tasks, self.progress)
        for first, last, settle in self.settle:
            settle(results[first:last])
        self.tasks.clear()
        self.settle.clear()

    def find_likely(self, owners: list[Owner], carried: dict[str, list[Carrier]]) -> list[int]:
        """Where only some clauses or cards are asked for: the scenarios that name them."""
        names = {name for owner in owners for name in owner.names}
        clauses = {id_ for id_ in self.artefact.clauses if self.is_wanted(id_)}
        for clause in list(clauses):
            for carrier in carried.get(clause, ()):
                clauses.update(carrier.clauses)
                for mutant in carrier.demands:
                    clauses |= self.list_clauses(edit.path for edit in mutant.edits)
        found = {number for name in names for number in self.naming.get(name, ())}
        found |= {n for n, scenario in enumerate(self.scenarios) if clauses.intersection(scenario.proves)}
        for owner in owners:
            found.update(self.find_citing(owner))
        return sorted(found)

    def is_wanted(self, name: str) -> bool:
        return not self.only or any(fnmatch(name, pattern) for pattern in self.only)

    def select_parts(self, owner: Owner) -> list[Part]:
        return [part for part in owner.parts if self.is_wanted(owner.id) or self.is_wanted(part.id)]

    # ------------------------------------------------------------ what scenarios reach

    def look(self, wanted: list[int]) -> None:
        """Play scenarios once: which fail, and what each reaches."""
        self.looked.update(wanted)
        for number, (missed, reached) in zip(wanted, self.benches.look(wanted, self.progress), strict=True):
            if missed is not None:
                self.failing.add(number)
                scenario = self.scenarios[number]
                found = Failure(scenario.id, missed.span.file, missed.span.line, missed.message, missed.output)
                self.report.failures.append(found)
                continue
            for at in reached:
                self.reaching.setdefault(at, []).append(number)
        self.bodies: dict[Place, set[int]] = {}
        for path, at in self.numbers.items():
            if at in self.reaching:
                self.bodies.setdefault(path[:2], set()).update(self.reaching[at])

    def find_reaching(self, part: Part) -> list[int]:
        """The scenarios that come to a part."""
        found: set[int] = set()
        for path in part.reached:
            at = self.numbers.get(path)
            found.update(self.reaching.get(at, ()) if at is not None else self.bodies.get(path[:2], ()))
        return sorted(found)

    # ------------------------------------------------------------ clauses

    def trace_clauses(self, carried: dict[str, list[Carrier]]) -> None:
        proving: dict[str, list[str]] = {}
        for scenario in self.scenarios:
            for name in dict.fromkeys(scenario.proves):
                proving.setdefault(name, []).append(scenario.id)
        for id_, row in self.artefact.clauses.items():
            if (row.package or self.own) != self.own or not self.is_wanted(id_):
                continue  # the package that declares a clause proves it
            clause = TracedClause(id_, row.kind, dict(row.numbers or {}), proving.get(id_, []), None, row.reason)
            self.report.clauses.append(clause)
            if clause.kind == "rule":
                clause.reason = None
                self.trace_clause(clause, carried.get(id_, []), proving)

    def trace_clause(self, clause: TracedClause, of: list[Carrier], proving: dict[str, list[str]]) -> None:
        """Settle a clause, or put its mutants into the list."""
        broken = [name for name in clause.scenarios if self.index[name] in self.failing]
        if not of:
            clause.killed, clause.reason = False, "nothing in the package carries it out"
        elif not clause.scenarios:
            clause.killed, clause.reason = False, "no scenario proves it"
        elif broken:
            clause.killed, clause.reason = False, f"the scenario {broken[0]} fails as it is"
        else:
            tried = tuple(self.index[name] for name in clause.scenarios)
            work: list[Group] = [((mutant,), tried) for carrier in of for mutant in carrier.mutants]
            for carrier in of:
                # what a row demands belongs to all the clauses that it carries out: a scenario of any of them may
                # notice
                work += [
                    ((mutant,), self.list_proving(tried, self.find_clauses(carrier, mutant), proving))
                    for mutant in carrier.demands
                ]
                work += self.list_details(carrier, tried)
            for order in self.orders.get(clause.id, ()):
                # so with the order of two effects
                mutant = Mutant(order.name, (Edit(order.path, order.change),))
                work.append(((mutant,), self.list_proving(tried, order.marks, proving)))
            work = list({tuple(mutant.edits for mutant in group): (group, names) for group, names in work}.values())

            def settle(survives: list[bool]) -> None:
                numbers = [number for number, (group, _) in enumerate(work) for _ in group]
                noticed = {number for number, lives in zip(numbers, survives, strict=True) if not lives}
                names = [str(group[0]) for group, _ in work]
                alive = [name for number, name in enumerate(names) if number not in noticed]
                alike = [name for name in alive if self.is_equivalent(clause.id, name)]
                self.noticed |= {(clause.id, drop_place(name)) for name in names if name not in alive}
                clause.survivors = [name for name in alive if name not in alike]
                clause.equivalent = alike
                clause.killed = not clause.survivors
                if clause.survivors:
                    clause.reason = f"its scenarios still pass with this: {clause.survivors[0]}"

            self.add([(mutant, names) for group, names in work for mutant in group], settle)

    def find_clauses(self, carrier: Carrier, mutant: Mutant) -> set[str]:
        """The clauses of what a mutant of a carrier breaks."""
        return {*carrier.clauses, *self.list_clauses(edit.path for edit in mutant.edits)}

    def list_proving(
        self, tried: tuple[int, ...], clauses: Iterable[str], proving: dict[str, list[str]]
    ) -> tuple[int, ...]:
        """Scenarios to be tried, and behind them those that say they prove one of some clauses."""
        also = {self.index[name] for clause in clauses for name in proving.get(clause, ())}
        return tuple(dict.fromkeys([*tried, *sorted(also - self.failing)]))

    def list_details(self, carrier: Carrier, tried: tuple[int, ...]) -> list[Group]:
        """The numbers and tests in what carries out a clause."""
        details = self.finder.details.list_written(carrier.body) if carrier.body else ()
        return [(detail.mutants, tried) for detail in details]

    def add(self, work: list[tuple[Mutant, tuple[int, ...]]], settle: Callable[[list[bool]], None]) -> None:
        first = len(self.tasks)
        for mutant, tried in work:
            number = self.known.setdefault(mutant.edits, len(self.mutants))
            if number == len(self.mutants):
                self.mutants.append(mutant)
            self.tasks.append((number, tried))
        self.settle.append((first, len(self.tasks), settle))

    def is_equivalent(self, of: str, broken: str) -> bool:
        """Whether a scenario file says that nothing can notice this."""
        name = drop_place(broken)
        if name not in self.equivalents.get(of, ()):
            return False
        self.said.add((of, name))
        return True

    # ------------------------------------------------------------ cards

    def trace_card(self, owner: Owner) -> None:
        card = TracedCard(owner.id, owner.kind)
        self.report.cards.append(card)
        near = {number for body in owner.bodies for number in self.bodies.get(body, ())}
        named = {number for name in owner.names for number in self.naming.get(name, ())} & self.looked - self.failing
        hearing = self.find_hearing(owner)
        for part in self.select_parts(owner):
            reached = self.find_reaching(part)
            tried = list(dict.fromkeys([*reached, *sorted(near & named), *sorted(near | named), *hearing]))
            self.trace_part(card, part, reached, tuple(tried))

    def find_hearing(self, owner: Owner) -> list[int]:
        """For an ability of the rules, which nobody needs to name: scenarios of its clauses, then those with an event
        that it hears."""
        if owner.kind != "ability":
            return []
        found = [number for number in self.find_citing(owner) if number in self.looked]
        verbs = {row.on for path in owner.bodies if isinstance(row := find_at(self.artefact, path[:2]), Ability)}
        heard: set[int] = set()
        for path, at in self.numbers.items():
            if (
                at in self.reaching
                and path[0] == "procs"
                and path[-1] not in (YES, NO)
                and verbs.intersection(self.find_proposed_events(path))
            ):
                heard.update(self.reaching[at])
        return [number for number in dict.fromkeys([*found, *sorted(heard)]) if number not in self.failing]

    def find_citing(self, owner: Owner) -> list[int]:
        """The scenarios that say they prove a clause which the owner carries out."""
        clauses = self.list_clauses(owner.bodies)
        return [n for n, scenario in enumerate(self.scenarios) if clauses.intersection(scenario.proves)]

    def list_clauses(self, paths: Iterable[Place]) -> set[str]:
        """The clauses of the rows in which something stands."""
        rows = [find_at(self.artefact, path[:2]) for path in paths]
        return {clause for row in rows if isinstance(row, CarryingRow) for clause in row.clauses or ()}

    def find_proposed_events(self, path: Place) -> set[int]:
        """The events that a statement proposes, or asks about."""
        if path not in self.events:
            statement = find_at(self.artefact, path)
            found = {statement.verb} if isinstance(statement, Propose) else set()
            for form in forms_of(statement) if isinstance(statement, Statement) else ():
                found |= find_allowed_events(form)
            self.events[path] = found
        return self.events[path]

    def trace_part(self, card: TracedCard, part: Part, reached: list[int], tried: tuple[int, ...]) -> None:
        names = [self.scenarios[number].id for number in reached]
        traced = TracedPart(part.id, self.locate_place(part.place), str(part.mutant), names)
        card.parts.append(traced)

        def settle(survives: list[bool]) -> None:
            traced.killed = not all(survives)
            if traced.killed:
                self.noticed.add((part.id, drop_place(traced.broken)))
                return
            traced.equivalent = self.is_equivalent(part.id, traced.broken)
            if traced.equivalent:
                return
            if not reached:
                traced.reason = "no scenario comes to it"
            else:
                one = len(reached) == 1
                traced.reason = (
                    f"{len(reached)} scenario{'' if one else 's'} come{'s' if one else ''} to it and still "
                    f"pass{'es' if one else ''}: {', '.join(names[:3])}{' ..' if len(names) > 3 else ''}"
                )

        self.add([(mutant, tried) for mutant in (part.mutant, *part.others)], settle)

    def locate_place(self, place: str) -> str:
        """A place as a path that can be opened."""
        package, _, rest = place.partition("/")
        return f"{self.root}/{rest}" if package == self.own else place


def drop_place(broken: str) -> str:
    """How something is broken, without the line that it stands in: that is another one after the next edit."""
    return _PLACE.sub("", broken)


def find_allowed_events(form: Expression | Selector) -> set[int]:
    """The events about which a form asks whether they are allowed."""
    own = {form.verb} if isinstance(form, IsAllowed) else set()
    return own.union(*(find_allowed_events(part) for part in forms_in(form)))


def collect_names(scenario: Scenario) -> set[str]:
    """All names in a scenario, whatever they are names of."""
    found: set[str] = set(scenario.proves)
    texts: list[str] = [str(x) for x in scenario.random]
    for edit in scenario.edits:
        values = edit.value if isinstance(edit.value, list | tuple) else [edit.value]
        texts += [edit.target, edit.of or "", *map(str, values), *edit.pieces]
    for _, top in scenario.shuffles:
        texts += top
    for step in scenario.steps:
        texts.append(step.key or "")
        for check in step.checks:
            texts += [check.text, *check.names]
    for text in texts:
        for word in text.replace(":", " ").replace("@", " ").replace("#", " ").replace(".", " ").split():
            found.add(word.strip(",()[]'\""))
    return found


__all__ = ["TraceReport", "TracedCard", "TracedClause", "TracedPart", "Tracer"]

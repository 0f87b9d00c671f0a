"""Close the tables of a package when all of it is lowered: what waits for a state gets its events, footprints,
questions.

In: tables with absolute numbers, as `link.py` has put them together. Out: the same tables, ready for the artefact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.lower.asking import Asking
from grimoire.compiler.lower.beginnings import Beginnings
from grimoire.compiler.lower.footprints import Certain, Footprints, Print, Secret, give_guards
from grimoire.compiler.lower.forms import ONE, ZERO, both
from grimoire.compiler.lower.output import PlaceKey
from grimoire.compiler.lower.states import Phase, set_latch
from grimoire.compiler.lower.tidy import has_trial
from grimoire.compiler.records import field, record
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.tables import Ability, Column, Function, Modifier, ProcedureOf, VariableOf
from grimoire.runtime.core.walk import rewrite

F = TypeVar("F", bound=Expression | Statement)


@record()
class WaitingRow:
    """One ability that waits for a state."""

    made: Ability
    condition: Expression
    latch: Expression
    slots: int


@record()
class Tables:
    """The tables that units fill, with absolute numbers."""

    zones: int
    places: list[PlaceKey] = field(default_factory=list)
    procs: list[ProcedureOf] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    abilities: list[Ability] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    variables: list[VariableOf] = field(default_factory=list)
    programs: dict[str, list[int]] = field(default_factory=dict)  # the procedures of a slot's texts
    texts: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # ... each with the definition that has it
    waiting: list[WaitingRow] = field(default_factory=list)
    floating: list[tuple[Ability, Expression]] = field(default_factory=list)
    guarded: list[tuple[int, Expression, Expression | None]] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)  # abilities of whose condition nobody can see anything

    def footprints(self, before: Footprints | None = None) -> Footprints:
        rows = self.procs, self.abilities, self.modifiers
        return Footprints(*rows, self.programs, self.zones, self.functions, before)

    def bounds(self, stmt: st.SetVariable | st.SetColumn) -> tuple[int | None, int | None]:
        row = self.variables[stmt.var] if isinstance(stmt, st.SetVariable) else self.columns[stmt.col]
        return row.min, row.max

    def is_bounded(self, stmt: st.SetVariable | st.SetColumn) -> bool:
        return self.bounds(stmt) != (None, None)


def close_tables(tables: Tables, model: PackageModel) -> None:
    """Footprints, conditions of optional abilities, no needless trials, questions that tell nothing."""
    say_what_begins(tables)
    if tables.floating:
        hang_floating(tables)
    if tables.waiting:
        hang_on_events(tables)
    secret = secrets_of(model)
    prints = tables.footprints()
    give_guards(tables.abilities, tables.guarded, prints)
    note_what_all_see(tables, secret, prints)
    take_out_trials(tables, prints)
    prints = tables.footprints(prints)
    for i, own in enumerate(prints.of_ability):
        reads, writes = tuple(sorted(own.reads)), tuple(sorted(own.writes))
        tables.abilities[i] = replace(tables.abilities[i], reads=reads, writes=writes)
    asking = Asking(secret, prints, tables.functions)
    for i, proc in enumerate(tables.procs):
        if proc.body is not None:
            tables.procs[i] = replace(proc, body=asking.statement(proc.body))


def say_what_begins(tables: Tables) -> None:
    """Whether something can begin is asked of functions from now on."""
    begun = Beginnings(tables.procs, tables.functions, tables.abilities, tables.texts, tables.bounds)

    def put_in(row: Ability) -> Ability:
        return row if row.cond is None else change_cond(row, begun.put_in(row.cond))

    for i, proc in enumerate(tables.procs):
        if proc.body is not None:
            body = begun.put_in(proc.body)
            if body is not proc.body:
                tables.procs[i] = replace(proc, body=body)
    tables.abilities = [put_in(row) for row in tables.abilities]
    tables.guarded = [
        (number, begun.put_in(guard), None if cheap is None else begun.put_in(cheap))
        for number, guard, cheap in tables.guarded
    ]
    tables.guarded = [(number, guard, cheap) for number, guard, cheap in tables.guarded if guard != ONE]
    for waiting in tables.waiting:
        waiting.made = put_in(waiting.made)
    tables.floating = [(put_in(made), condition) for made, condition in tables.floating]


def change_cond(row: Ability, cond: Expression) -> Ability:
    return row if cond is row.cond else replace(row, cond=None if cond == ONE else cond)


def note_what_all_see(tables: Tables, secret: Secret, prints: Footprints) -> None:
    """Give optional abilities what all can see of their conditions, where that is not all of it."""
    for i, ability in enumerate(tables.abilities):
        shown = secret.open_conditions(ability, prints) if ability.optional else None
        if shown:
            tables.abilities[i] = replace(ability, might=both(shown))
        elif shown is not None:
            tables.hidden.add(i)


def take_out_trials(tables: Tables, prints: Footprints) -> None:
    """Nobody tries what cannot fail."""
    certain = Certain(prints, tables.is_bounded)
    for i, proc in enumerate(tables.procs):
        if proc.body is not None and has_trial(proc.body):
            tables.procs[i] = replace(proc, body=certain.simpler_statement(proc.body))
    for i, ability in enumerate(tables.abilities):
        if ability.cond is not None and has_trial(ability.cond):
            tables.abilities[i] = replace(ability, cond=certain.simpler_condition(ability.cond))


def secrets_of(model: PackageModel) -> Secret:
    """What only some seats see."""
    zones = [zone for zone in model.zones.values() if zone.seen == "owner" and zone.each]
    kinds = {
        kind.index
        for zone in zones
        for kind in model.kinds.values()
        if kind.sort == "piece" and model.fits(kind.id, zone.holds)
    }
    columns = [f.column for kind in model.kinds.values() for f in kind.fields.values() if f.seen == "owner"]
    return Secret([zone.index for zone in zones], kinds, columns)


# ------------------------------------------------------------ what waits for a state


def hang_floating(tables: Tables) -> None:
    """Give each floating ability that waits for a state its rows, one for each event; the first that answers ends them
    all."""
    prints = tables.footprints()
    changed = prints.own_writes()
    rows: list[list[int]] = []
    for made, condition in tables.floating:
        own = Print()
        prints.expression(condition, own, {})
        heard = [verb for verb, writes in enumerate(changed) if writes & own.reads]
        first = len(tables.abilities)
        rows.append(list(range(first, first + len(heard))))
        for i, verb in enumerate(heard):
            tables.abilities.append(replace(made, on=verb, ends=(i, len(heard) - 1 - i)))
    for i, proc in enumerate(tables.procs):
        if proc.body is not None:
            tables.procs[i] = replace(proc, body=fill_grants(proc.body, rows, tables.abilities))
    for i in range(len(tables.abilities)):
        cond = tables.abilities[i].cond
        if cond is not None:
            filled = fill_grants(cond, rows, tables.abilities)
            tables.abilities[i] = replace(tables.abilities[i], cond=filled)
    tables.guarded = [
        (i, fill_grants(guard, rows, tables.abilities), cheap and fill_grants(cheap, rows, tables.abilities))
        for i, guard, cheap in tables.guarded
    ]


def fill_grants(form: F, rows: list[list[int]], abilities: list[Ability]) -> F:
    """Put the rows of floating abilities where a negative number stands for them."""

    def change(part: object) -> object:
        if not isinstance(part, st.Grant) or all(index >= 0 for index in part.abilities):
            return part
        granted = tuple(i for index in part.abilities for i in ([index] if index >= 0 else rows[-index - 1]))
        if granted and abilities[granted[0]].proc < 0:
            ends = (0, len(granted) + len(part.modifiers) - 1)
            abilities[granted[0]] = replace(abilities[granted[0]], ends=ends)
        return replace(part, abilities=granted)

    return rewrite(form, change)


def hang_on_events(tables: Tables) -> None:
    """Give each waiting ability its events: those that may change what it waits for."""
    prints = tables.footprints()
    changed = prints.own_writes()
    for waiting in tables.waiting:
        own = Print()
        prints.expression(waiting.condition, own, {})
        idle = ex.Comparison("==", waiting.latch, ZERO)
        over = both([ex.Comparison("!=", waiting.latch, ZERO), ex.Not(waiting.condition)])
        rows = [waiting.made, latch_row(tables, waiting, "over", "after", over, 0)]
        if waiting.made.optional:
            rows.append(latch_row(tables, waiting, "begun", "after", both([idle, waiting.condition]), 1))
            rows.append(latch_row(tables, waiting, "asked", "before", ex.Comparison("==", waiting.latch, ONE), 2))
        for verb, writes in enumerate(changed):
            if writes & own.reads:
                tables.abilities.extend(replace(row, on=verb) for row in rows)


def latch_row(tables: Tables, waiting: WaitingRow, name: str, phase: Phase, cond: Expression, value: int) -> Ability:
    """An ability that keeps the latch of a waiting one."""
    label = f"{waiting.made.id}.{name}"
    proc = f"ability:{label}"
    tables.procs.append(ProcedureOf(proc, 0, waiting.slots, set_latch(waiting.latch, value), False, False, proc))
    return replace(
        waiting.made, id=label, label=label, phase=phase, cond=cond, optional=False, asks=None, clauses=None,
        proc=len(tables.procs) - 1,
    )  # fmt: skip

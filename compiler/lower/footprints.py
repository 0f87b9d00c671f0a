"""What procedures and abilities read and write, and what follows from it: the last pass over the lowered tables.

Footprints decide whether the order of two simultaneous abilities can matter. They are joined over everything that a
statement calls and over every ability that hears the events it proposes, and never too small. Names: `col:N`, `var:N`,
`zone:N` (a zone or a family of zones), `zone:board` (the zones of spaces), `setting:P:S`, `random`, `known` (who has
seen what), `effects` (what lasts for a time), `event` (the event that is heard: its arguments, its result, whether it
happens), `flow` (procedures left early), `end`.

The same look at the tables takes out trials of what cannot fail, and gives every optional ability the condition that it
can be started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from grimoire.compiler.lower.forms import NOTHING, ONE, both
from grimoire.compiler.lower.tidy import has_trial
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Selector, Statement
from grimoire.runtime.core.tables import Ability, Artefact, Function, Modifier, ProcedureOf
from grimoire.runtime.core.walk import children, rewrite_inside, walk

_BOARD: Final = "zone:board"
Touched = tuple[str, str | int]  # how, and what


class Print:
    """The footprint of one procedure or ability."""

    __slots__ = ("programs", "reads", "verbs", "writes")

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.verbs: set[int] = set()  # procedures called or proposed
        self.programs: set[str] = set()

    def copy(self) -> Print:
        made = Print()
        made.reads, made.writes = set(self.reads), set(self.writes)
        made.verbs, made.programs = set(self.verbs), set(self.programs)
        return made

    def join(self, other: Print) -> None:
        """Take in another footprint."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.verbs |= other.verbs

    def mask(self, names: dict[Touched, int]) -> int:
        """The whole as one number; `names` says which bit is whose, and grows."""
        found = 0
        for sort, members in (("reads", self.reads), ("writes", self.writes)):
            for name in members:
                found |= 1 << names.setdefault((sort, name), len(names))
        for verb in self.verbs:
            found |= 1 << names.setdefault(("verbs", verb), len(names))
        return found

    def take(self, other: Print) -> None:
        """Read, write and call what another one does, which has all of this one."""
        self.reads, self.writes, self.verbs = set(other.reads), set(other.writes), set(other.verbs)


def _name_bits(mask: int, names: list[Touched]) -> Print:
    made = Print()
    while mask:
        low = mask & -mask
        sort, name = names[low.bit_length() - 1]
        if isinstance(name, int):
            made.verbs.add(name)
        else:
            (made.reads if sort == "reads" else made.writes).add(name)
        mask ^= low
    return made


class Footprints:
    """The footprints of a whole set of tables."""

    def __init__(
        self,
        procs: Sequence[ProcedureOf],
        abilities: Sequence[Ability],
        modifiers: Sequence[Modifier],
        programs: Mapping[str, Sequence[int]],
        zones: int,
        functions: Sequence[Function],
        before: Footprints | None = None,
    ) -> None:
        """`before`: of the same tables, some rows of which have changed since."""
        self.procs = procs
        self.abilities = abilities
        self.modifiers = modifiers
        self.functions = functions
        self.programs = programs
        self.every_zone = frozenset({f"zone:{z}" for z in range(zones)} | {_BOARD})
        self.changes: dict[int, set[str]] = {}  # column -> what its modifiers read
        for modifier in modifiers:
            own = Print()
            for form in (modifier.cond, modifier.add, modifier.set):
                self.expression(form, own, {})
            self.changes.setdefault(modifier.col, set()).update(own.reads | {"effects"})
        self.hearing: dict[int, list[int]] = {}
        for i, ability in enumerate(abilities):
            self.hearing.setdefault(ability.on, []).append(i)
        self.of_proc: list[Print] = []
        self.raw: list[tuple[Statement | None, Print]] = []  # of each procedure: its body, and what that alone does
        for i, proc in enumerate(procs):
            if before is not None and i < len(before.raw) and before.raw[i][0] is proc.body:
                own = before.raw[i][1].copy()
            else:
                own = Print()
                self.statement(proc.body, own, {})
            self.raw.append((proc.body, own.copy()))
            self.of_proc.append(own)
        self.direct = [(own.writes, own.programs) for _, own in self.raw]
        self.of_ability: list[Print] = []
        for ability in abilities:
            own = Print()
            for form in (ability.cond, ability.asks):
                self.expression(form, own, {})
            self.of_ability.append(own)
        self.settle()

    def settle(self) -> None:
        """Join what calls what until nothing changes: what is read, written and called is one number for each, a bit
        for each name."""
        nodes = [*self.of_proc, *self.of_ability]
        first = len(self.of_proc)
        names: dict[Touched, int] = {}
        whole = [own.mask(names) for own in nodes]
        after = {verb: [first + i for i in heard] for verb, heard in self.hearing.items()}
        edges: list[list[int]] = []
        for own in nodes:
            found = {proc for name in own.programs for proc in self.programs.get(name, ())}
            for verb in own.verbs:
                found.add(verb)
                found.update(after.get(verb, ()))
            edges.append(sorted(found))
        for i, ability in enumerate(self.abilities):
            if ability.proc >= 0:
                edges[first + i].append(ability.proc)
        changed = True
        while changed:
            changed = False
            for at in range(len(nodes) - 1, -1, -1):
                mask = before = whole[at]
                for to in edges[at]:
                    mask |= whole[to]
                if mask != before:
                    whole[at] = mask
                    changed = True
        known: dict[int, Print] = {}
        listed = list(names)
        for own, mask in zip(nodes, whole, strict=True):
            if mask not in known:
                known[mask] = _name_bits(mask, listed)
            own.take(known[mask])

    def own_writes(self) -> list[set[str]]:
        """What each verb changes by its own text and by the card texts that it resolves; nothing for what is no
        verb."""
        found: list[set[str]] = []
        for proc, (writes, programs) in zip(self.procs, self.direct, strict=True):
            whole = set(writes)
            for name in programs:
                for program in self.programs.get(name, ()):
                    whole |= self.direct[program][0]
            found.append(whole if proc.verb else set())
        return found

    # ------------------------------------------------------------ expressions and selectors

    def zones_of(self, expr: Expression) -> frozenset[str]:
        match expr:
            case ex.Zone(zone) | ex.ZoneOfSeat(zone):
                return frozenset({f"zone:{zone}"})
            case ex.ZoneOfFixture():
                return frozenset({_BOARD})
            case ex.Placed(_, value):
                return self.zones_of(value)
            case ex.Conditional(_, then, otherwise):
                return self.zones_of(then) | self.zones_of(otherwise)
        return self.every_zone

    def expression(self, form: Expression | Selector | None, own: Print, slots: dict[int, frozenset[str]]) -> None:
        if form is None:
            return
        match form:
            case ex.Slot() | ex.Number():
                return
            case ex.ReadVariable(variable):
                own.reads.add(f"var:{variable}")
            case ex.ReadColumn(column):
                own.reads.add(f"col:{column}")
            case ex.ReadModified(column):
                own.reads.add(f"col:{column}")
                own.reads |= self.changes.get(column, set())
            case se.PiecesOfZone(zone) | ex.HeightOfZone(zone) | ex.TopOfZone(zone) | se.TopPieces(zone):
                own.reads |= self.zones_of(zone)
            case se.PiecesOfKind() | ex.ZoneOfPiece():
                own.reads |= self.every_zone
            case ex.ReadSetting(procedure, slot):
                own.reads.add(f"setting:{procedure}:{slot}")
            case ex.EventArgument() | ex.EventResult():
                own.reads.add("event")
            case ex.CallFunction(function):
                self.expression(self.functions[function].value, own, slots)
            case ex.IsRunning():
                own.reads.add("flow")
            case ex.IsAllowed():
                own.reads.add("effects")
            case ex.CanCarryOut(statement):
                inner = Print()
                self.statement(statement, inner, dict(slots))
                own.reads |= inner.reads | inner.writes
                own.verbs |= inner.verbs
                own.programs |= inner.programs
                return
        for part in children(form):
            self.expression(part, own, slots)

    def source(self, sel: Selector) -> frozenset[str]:
        """The zones that the pieces of a selector lie in."""
        match sel:
            case se.Filter() | se.Except() | se.Best() | se.Take():
                return self.source(sel.selector)
            case se.PiecesOfZone(zone) | se.TopPieces(zone) | se.Lone(ex.TopOfZone(zone)):
                return self.zones_of(zone)
            case se.Concatenation(lists):
                return frozenset().union(*map(self.source, lists))
        return self.every_zone

    # ------------------------------------------------------------ statements

    def statement(self, stmt: Statement | None, own: Print, slots: dict[int, frozenset[str]]) -> None:
        if stmt is None:
            return
        inside = children(stmt)
        if isinstance(stmt, (st.Menu, st.Choose)):
            inside = [part for part in inside if part is not stmt.might]
        for part in inside:
            if isinstance(part, (Expression, Selector)):
                self.expression(part, own, slots)
        self.note(stmt, own, slots)
        if isinstance(stmt, st.Pay):
            inside = [stmt.then, stmt.else_, stmt.cost]
        elif isinstance(stmt, st.Poll):
            self.menu(stmt.menu, own, slots)
            return
        for part in inside:
            if isinstance(part, Statement):
                self.statement(part, own, slots)
        if isinstance(stmt, st.Menu):
            self.menu(stmt, own, slots)

    def note(self, stmt: Statement, own: Print, slots: dict[int, frozenset[str]]) -> None:
        """What a statement itself does."""
        match stmt:
            case st.ForEach() | st.Choose():
                slots[stmt.slot] = self.source(stmt.in_)
            case st.ChooseAtRandom():
                slots[stmt.slot] = self.source(stmt.from_)
                own.writes.add("random")
            case st.SetVariable():
                own.writes.add(f"var:{stmt.var}")
            case st.SetColumn():
                own.writes.add(f"col:{stmt.col}")
            case st.SetSetting():
                own.writes.add(f"setting:{stmt.proc}:{stmt.slot}")
            case st.Move():
                self.add_move(stmt, own, slots)
            case st.Shuffle():
                own.writes |= {"random", *self.zones_of(stmt.zone)}
            case st.Look():
                own.writes.add("known")
            case st.Propose() | st.Call():
                own.verbs.add(stmt.verb if isinstance(stmt, st.Propose) else stmt.proc)
                own.reads.add("effects")
            case st.RunProgram():
                own.programs.add(stmt.name)
            case st.Cancel() | st.SetArgument() | st.SetResult():
                own.writes.add("event")
            case st.Leave():
                own.writes.add("flow")
            case st.EndGame():
                own.writes.add("end")
            case st.Grant():
                own.writes.add("effects")
                own.writes |= {f"col:{self.modifiers[i].col}" for i in stmt.modifiers}

    def menu(self, menu: st.Menu, own: Print, slots: dict[int, frozenset[str]]) -> None:
        self.expression(menu.seat, own, slots)
        for entry in menu.entries:
            self.expression(entry.guard, own, slots)
            for domain in entry.domains:
                self.expression(domain.in_, own, slots)
                slots[domain.slot] = self.source(domain.in_)
            self.statement(entry.body, own, slots)
        self.statement(menu.otherwise, own, slots)

    def add_move(self, stmt: st.Move, own: Print, slots: dict[int, frozenset[str]]) -> None:
        piece = stmt.piece
        if piece == NOTHING:
            return
        own.writes |= self.zones_of(stmt.to)
        if isinstance(piece, ex.TopOfZone):
            own.writes |= self.zones_of(piece.zone)
        elif isinstance(piece, ex.Slot) and piece.slot in slots:
            own.writes |= slots[piece.slot]
        else:
            own.writes |= self.every_zone

    # ------------------------------------------------------------ what cannot fail

    def reach(self, stmt: Statement) -> set[int]:
        """Every event that a statement may lead to."""
        own = Print()
        self.statement(stmt, own, {})
        found: set[int] = set()
        stack = [*own.verbs, *(p for name in own.programs for p in self.programs.get(name, ()))]
        while stack:
            verb = stack.pop()
            if verb in found:
                continue
            found.add(verb)
            stack.extend(self.of_proc[verb].verbs)
            for i in self.hearing.get(verb, ()):
                stack.extend(self.of_ability[i].verbs)
        return found


class Certain:
    """Which statements are always carried out in full, so that nobody needs to try them first."""

    def __init__(self, prints: Footprints, bounded: Callable[[st.SetVariable | st.SetColumn], bool]) -> None:
        self.prints = prints
        self.bounded = bounded
        self.known: dict[int, bool] = {}

    def proc(self, index: int) -> bool:
        found = self.known.get(index)
        if found is None:
            self.known[index] = False  # a procedure that calls itself is tried
            found = self.known[index] = self.stmt(self.prints.procs[index].body)
        return found

    def stmt(self, stmt: Statement | None) -> bool:
        match stmt:
            case None:
                return True
            case (
                st.Let()
                | st.SetSetting()
                | st.Shuffle()
                | st.Look()
                | st.ChooseAtRandom()
                | st.Grant()
                | st.Cancel()
                | st.SetArgument()
                | st.SetResult()
            ):
                return True
            case st.SetVariable() | st.SetColumn():
                return not self.bounded(stmt)
            case st.Move():
                return isinstance(stmt.piece, ex.Slot)
            case st.Sequence():
                return all(self.stmt(part) for part in stmt.body)
            case st.If():
                return self.stmt(stmt.then) and self.stmt(stmt.else_)
            case st.ForEach():
                return self.stmt(stmt.body)
            case st.Repeat():
                return stmt.times is not None and self.stmt(stmt.body)
            case st.Propose():
                heard = [self.prints.abilities[i].phase for i in self.prints.hearing.get(stmt.verb, ())]
                return all(phase == "after" for phase in heard) and self.proc(stmt.verb)
        return False

    # ------------------------------------------------------------ simpler tables

    def simpler_statement(self, stmt: Statement) -> Statement:
        """The same statement without trials that always succeed."""
        made = self.simpler(stmt)
        assert isinstance(made, Statement)
        return made

    def simpler_condition(self, cond: Expression) -> Expression | None:
        """The same condition without trials that always succeed; none if it always holds then."""
        made = self.simpler(cond)
        assert isinstance(made, Expression)
        return None if made == ONE else made

    def simpler(self, form: object) -> object:
        if isinstance(form, ex.CanCarryOut) and self.stmt(form.statement):
            return ONE
        made = rewrite_inside(form, self.simpler)
        match made:
            case st.If() if made.cond == ONE and made.clause is None:
                return made.then
            case se.Filter() if made.condition == ONE:
                return made.selector
            case ex.And():
                return both(made.conditions)
        return made


def certain_statements(artefact: Artefact, widest: int | None = None) -> Certain:
    """Which statements of an artefact are always carried out in full; `widest`: a bound that no number comes to."""
    programs: dict[str, list[int]] = {}
    for definition in artefact.definitions:
        for name, proc in definition.programs.items():
            programs.setdefault(name, []).append(proc)

    def is_bounded(stmt: st.SetVariable | st.SetColumn) -> bool:
        row = artefact.vars[stmt.var] if isinstance(stmt, st.SetVariable) else artefact.columns[stmt.col]
        return any(bound is not None and abs(bound) != widest for bound in (row.min, row.max))

    zones, functions = len(artefact.zones), artefact.functions
    prints = Footprints(artefact.procs, artefact.abilities, artefact.modifiers, programs, zones, functions)
    return Certain(prints, is_bounded)


class Secret:
    """What only some seats see: who is asked about an ability must not tell it."""

    def __init__(self, zones: Iterable[int], kinds: Iterable[int], columns: Iterable[int]) -> None:
        self.numbers = set(zones)
        self.zones = {f"zone:{zone}" for zone in self.numbers}  # those that only their owner sees into
        self.kinds = set(kinds)  # kinds of which pieces may lie there
        self.columns = {f"col:{column}" for column in columns}  # states that only their owner sees

    def open_conditions(self, ability: Ability, prints: Footprints) -> list[Expression] | None:
        """What all can see of the condition of an ability, where that is not all of it."""
        parts = conjuncts(ability.cond)
        open_ = [part for part in parts if not self.reads(part, prints)]
        live = ability.live
        hidden = ability.of >= 0 and (live is None or any(zone in self.numbers for zone in live)) and bool(self.zones)
        return open_ if hidden or len(open_) < len(parts) else None

    def reads(self, form: Expression | Selector, prints: Footprints) -> bool:
        """Whether an expression tells what lies in a secret place (how many pieces is no secret)."""
        match form:
            case ex.CanCarryOut():
                own = Print()
                prints.expression(form, own, {})
                for verb in tuple(own.verbs):
                    own.join(prints.of_proc[verb])
                for name in own.programs:
                    for proc in prints.programs.get(name, ()):
                        own.join(prints.of_proc[proc])
                return bool((own.reads | own.writes) & (self.zones | self.columns))
            case ex.CallFunction(function) if self.reads(prints.functions[function].value, prints):
                return True
            case se.PiecesOfZone(zone) | se.TopPieces(zone) | ex.TopOfZone(zone):
                return bool(prints.zones_of(zone) & self.zones)
            case ex.CountOf(se.PiecesOfZone()) | ex.AnyOf(se.PiecesOfZone()):
                return False
            case se.PiecesOfKind(kind):
                return kind in self.kinds
            case ex.ZoneOfPiece():
                return True
            case ex.FixtureOfZone(ex.ZoneOfPiece(piece)) | ex.HolderOfZone(ex.ZoneOfPiece(piece)):
                return self.reads(piece, prints)
            case ex.ReadColumn(column) | ex.ReadModified(column) if f"col:{column}" in self.columns:
                return True
        return any(self.reads(part, prints) for part in children(form))


def conjuncts(cond: Expression | None) -> list[Expression]:
    if cond is None:
        return []
    return list(cond.conditions) if isinstance(cond, ex.And) else [cond]


def give_guards(
    abilities: list[Ability], guarded: Iterable[tuple[int, Expression, Expression | None]], prints: Footprints
) -> None:
    """Give optional abilities the condition that they can be started."""
    for number, guard, cheap in guarded:
        ability = abilities[number]
        if has_trial(guard) and leads_to(guard, ability.on, prints):
            if cheap is None or has_trial(cheap):
                continue
            guard = cheap  # trying the cost would ask for this very ability again
        abilities[number] = replace(ability, cond=guard if ability.cond is None else both([ability.cond, guard]))


def leads_to(form: Expression, verb: int, prints: Footprints) -> bool:
    """Whether a trial inside an expression leads to an event."""
    return any(isinstance(part, ex.CanCarryOut) and verb in prints.reach(part.statement) for part in walk(form))

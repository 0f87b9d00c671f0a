"""Slot sorts: which slots of suspended work hold a piece, a set of pieces, a list of them, or something else.

Slots are plain ints. Only parameters are declared with a sort; those of the other slots follow from what the code
writes into them, worked out here once for a whole program, without regard to the order of statements. A slot into which
different sorts are written is ``MIXED``: nothing can be said about it.
"""

from __future__ import annotations

from typing import Final

from grimoire.runtime.build.references import References, find_called
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.core import expressions, selectors, statements
from grimoire.runtime.core.analysis import Form, body_of, find_bound_slot, forms_in, forms_of, statements_in
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.kernel.base import X_RESULT

NOTHING: Final = 0  # never written, or only with what stands for nothing
PIECE: Final = 1
PIECES: Final = 2  # a mask
OTHER: Final = 4
MIXED: Final = 8
LIST: Final = 16  # what is left of a loop over pieces: a packed list

_MASKED: Final = {PIECE: PIECES, PIECES: MIXED, NOTHING: NOTHING, OTHER: OTHER, MIXED: MIXED}
_MEMBER: Final = {PIECES: PIECE, PIECE: MIXED, NOTHING: NOTHING, OTHER: OTHER, MIXED: MIXED}

Bound = dict[int, int]


def number_sort(sort: str, many: bool = False) -> int:
    """The sort of a name in the artefact."""
    if sort == "set:piece" or (many and sort == "piece"):
        return PIECES
    return PIECE if sort == "piece" else OTHER


def join_sorts(one: int, two: int) -> int:
    """What a slot holds into which both are written."""
    if one in (NOTHING, two):
        return two
    return one if two == NOTHING else MIXED


class Window:
    """The slots of a procedure or function, with what it returns and the events that its ability hears."""

    def __init__(self, slots: int) -> None:
        self.slots = [NOTHING] * slots
        self.result = NOTHING
        self.heard: list[Window] = []

    def at(self, slot: int) -> int:
        return self.slots[slot] if slot < len(self.slots) else NOTHING


class SlotSorts:
    """The sorts of a program."""

    def __init__(self, references: References, registry: Registry) -> None:
        self.references = references
        self.registry = registry
        self.artefact = artefact = references.artefact
        self.procs = [
            Window(max(row.slots, 2 + references.captures.get(at, 0))) for at, row in enumerate(references.procs)
        ]
        self.functions = [Window(max(row.slots, 1 + row.params)) for row in artefact.functions]
        self.abilities = [Window(2) for _ in artefact.abilities]  # of their conditions
        self.modifiers = [Window(2) for _ in artefact.modifiers]
        self.units: dict[int, list[int]] = {}
        self.changed = False
        self._declare()
        self.changed = True
        while self.changed:
            self.changed = False
            self._pass()

    def _declare(self) -> None:
        """Write what the tables say."""
        artefact = self.artefact
        for window, procedure in zip(self.procs, artefact.procs, strict=True):
            self._write(window, 0, OTHER)
            for slot, sort in enumerate(procedure.sorts or (), 1):
                self._write(window, slot, number_sort(sort) if sort else NOTHING)
        for window in self.functions:
            self._write(window, 0, OTHER)
        for definition in artefact.definitions:
            for proc in definition.programs.values():
                self._write(self.procs[proc], 1, PIECE)
        for window, ability in zip(self.abilities, artefact.abilities, strict=True):
            window.heard.append(self.procs[ability.on])
            if ability.proc >= 0:
                self._write(self.procs[ability.proc], 1, PIECE)
                self.procs[ability.proc].heard.append(self.procs[ability.on])
        for window, modifier in zip(self.modifiers, artefact.modifiers, strict=True):
            self._write(window, modifier.slot, number_sort(artefact.columns[modifier.col].of))
        for window in [*self.abilities, *self.modifiers]:
            self._write(window, 0, OTHER)
            self._write(window, 1, PIECE)

    def of_unit(self, unit: int) -> list[int]:
        """The sort of each slot of a frame."""
        found = self.units.get(unit)
        if found is None:
            found = self.units[unit] = self._unit(unit)
        return found

    def of_captures(self, ability: bool, which: int, n: int) -> list[int]:
        """The sorts of what a floating effect has captured."""
        return (self.abilities if ability else self.modifiers)[which].slots[2 : 2 + n]

    # -- suspended frames

    def _unit(self, unit: int) -> list[int]:
        u = self.registry.units[unit]
        frame = self.registry.windows[unit]
        found = [OTHER] * u.window  # what no statement of the package writes: counts, marks, addresses
        if u.proc < 0:
            return [MIXED] * u.window
        own = self.procs[u.proc]
        found[: frame.slots] = [*own.slots, *[NOTHING] * frame.slots][: frame.slots]
        for at, proc in frame.calls:
            inner = self.procs[proc]
            width = self.references.procs[proc].slots
            found[at : at + width] = inner.slots[:width]
            found[at + width] = inner.result
        whole = Window(0)
        whole.slots, whole.heard = found, own.heard
        for hidden, selector in frame.lists:
            found[hidden] = {PIECE: LIST, MIXED: MIXED}.get(self._form(selector, whole, {}), OTHER)
        if u.event:
            found[u.extras + X_RESULT] = own.result
        return found

    # -- one look at all the code

    def _pass(self) -> None:
        for at, procedure in enumerate(self.references.procs):
            self._statement(procedure.body, self.procs[at])
        for at, function in enumerate(self.artefact.functions):
            window = self.functions[at]
            self._return(window, self._form(function.value, window, {}))
        for at, ability in enumerate(self.artefact.abilities):
            self._conditions((ability.cond, ability.asks, ability.might), self.abilities[at])
        for at, modifier in enumerate(self.artefact.modifiers):
            self._conditions((modifier.cond, modifier.add, modifier.set), self.modifiers[at])

    def _conditions(self, forms: tuple[Expression | None, ...], window: Window) -> None:
        for form in forms:
            if form is not None:
                self._form(form, window, {})

    def _write(self, window: Window, slot: int, sort: int) -> None:
        if slot >= len(window.slots):
            window.slots += [NOTHING] * (slot + 1 - len(window.slots))
        now = join_sorts(window.slots[slot], sort)
        if now != window.slots[slot]:
            window.slots[slot] = now
            self.changed = True

    def _return(self, window: Window, sort: int) -> None:
        now = join_sorts(window.result, sort)
        if now != window.result:
            window.result = now
            self.changed = True

    def _statement(self, statement: Statement | None, window: Window) -> None:
        for s in body_of(statement):
            self._writes(s, window)
            for child in statements_in(s):
                self._statement(child, window)

    def _writes(self, s: Statement, window: Window) -> None:
        """What one statement writes, the statements inside it left aside."""
        match s:
            case statements.Let():
                self._write(window, s.slot, self._form(s.value, window, {}))
            case statements.SetSetting():
                self._write(self.procs[s.proc], s.slot, self._form(s.value, window, {}))
            case statements.ChooseAtRandom():
                self._write(window, s.slot, self._form(s.from_, window, {}))
            case statements.ForEach():
                self._write(window, s.slot, self._form(s.in_, window, {}))
            case statements.Choose():
                self._write(window, s.slot, PIECES if s.sort == "piece" else OTHER)
            case statements.Propose() | statements.Call():
                self._call(s, self.procs[find_called(s)], window)
            case statements.RunProgram():
                for proc in self.references.programs.get(s.name, []):
                    if proc >= 0 and s.result is not None:
                        self._write(window, s.result, self.procs[proc].result)
            case statements.Return(value=value) if value is not None:
                self._return(window, self._form(value, window, {}))
            case statements.Leave(value=value) if value is not None:
                self._return(self.procs[s.proc], self._form(value, window, {}))
            case statements.SetArgument():
                for event in window.heard:
                    self._write(event, s.arg, self._form(s.value, window, {}))
            case statements.SetResult():
                for event in window.heard:
                    self._return(event, self._form(s.value, window, {}))
            case statements.Grant():
                self._grant(s, window)
            case statements.Menu():
                self._menu(s, window)
            case statements.Poll():
                self._write(window, s.slot, OTHER)
                self._menu(s.menu, window)
        for form in forms_of(s):
            self._form(form, window, {})

    def _menu(self, s: statements.Menu, window: Window) -> None:
        for entry in s.entries:
            for domain in entry.domains:
                self._write(window, domain.slot, number_sort(domain.sort))

    def _grant(self, s: statements.Grant, window: Window) -> None:
        for slot, form in enumerate(s.captures, 2):
            sort = self._form(form, window, {})
            for which in s.modifiers:
                self._write(self.modifiers[which], slot, sort)
            for which in s.abilities:
                self._write(self.abilities[which], slot, sort)
                if self.artefact.abilities[which].proc >= 0:
                    self._write(self.procs[self.artefact.abilities[which].proc], slot, sort)

    def _call(self, s: statements.Propose | statements.Call, called: Window, window: Window) -> None:
        for slot, form in enumerate(s.args, 1):
            self._write(called, slot, self._form(form, window, {}))
        if s.result is not None:
            self._write(window, s.result, called.result)
        if isinstance(s, statements.Propose) and s.ok is not None:
            self._write(window, s.ok, OTHER)

    # -- expressions and selectors

    def _form(self, form: Form, window: Window, bound: Bound) -> int:
        """The sort of an expression, or of the elements of a selector; functions are told what they are given."""
        if isinstance(form, expressions.Number):
            return NOTHING if form.value <= 0 else OTHER  # nothing, or the empty set
        if isinstance(form, expressions.Slot):
            return bound[form.slot] if form.slot in bound else window.at(form.slot)
        if isinstance(form, expressions.CanCarryOut):
            self._statement(form.statement, window)
            return OTHER
        inner = self._parts(form, window, bound)
        if isinstance(form, expressions.CallFunction):
            called = self.functions[form.function]
            for slot, sort in enumerate(inner[1:], 1):
                self._write(called, slot, sort)
            return called.result
        return self._sort(form, inner, window)

    def _parts(self, form: Form, window: Window, bound: Bound) -> list[int]:
        """The sorts of the expressions and selectors in a form, from left to right; its last part sees the slot that it
        binds."""
        slot = find_bound_slot(form)
        inside = forms_in(form)
        if slot < 0:
            return [self._form(part, window, bound) for part in inside]
        found = [self._form(part, window, bound) for part in inside[:-1]]
        found.append(self._form(inside[-1], window, {**bound, slot: found[-1]}))
        return found

    def _sort(self, form: Form, inner: list[int], window: Window) -> int:
        """The sort of a form whose parts have these sorts."""
        match form:
            case expressions.ReadVariable():
                variable = self.artefact.vars[form.variable]
                return number_sort(variable.sort, bool(variable.set))
            case expressions.ReadColumn() | expressions.ReadModified():
                column = self.artefact.columns[form.column]
                return number_sort(column.sort, column.set)
            case expressions.ThisPiece() | expressions.TopOfZone():
                return PIECE
            case selectors.PiecesOfZone() | selectors.TopPieces() | selectors.PiecesOfKind():
                return PIECE
            case expressions.SetOf() | expressions.SetWith():
                return _MASKED[inner[0]]
            case expressions.FirstOfSet():
                return _MEMBER[inner[0]]
            case selectors.Members():
                return PIECE if form.sort == "piece" else OTHER
            case expressions.Placed() | expressions.FirstOf() | selectors.Lone() | selectors.Filter():
                return inner[0]
            case selectors.Best() | selectors.Except():
                return inner[0]
            case selectors.Take():
                return inner[-1]
            case expressions.Aggregate(op="maxof" | "minof"):
                return inner[-1]
            case expressions.Conditional():
                return join_sorts(join_sorts(NOTHING, inner[1]), inner[2])
            case expressions.SetArithmetic() | selectors.Concatenation():
                return join_all(inner)
            case expressions.EventArgument():
                return join_all([event.at(form.slot) for event in window.heard])
            case expressions.EventResult():
                return join_all([event.result for event in window.heard])
            case expressions.ReadSetting():
                return self.procs[form.procedure].at(form.slot)
        return OTHER


def join_all(sorts: list[int]) -> int:
    found = NOTHING
    for sort in sorts:
        found = join_sorts(found, sort)
    return found

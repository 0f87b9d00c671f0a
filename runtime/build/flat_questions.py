"""Flat code of what asks: menus, choices of several things, polls."""

from __future__ import annotations

from grimoire.runtime.build.context import Context
from grimoire.runtime.build.flat_writer import Code, Exits, FlatWriter, Note
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core.analysis import free_slots
from grimoire.runtime.core.records import Expression
from grimoire.runtime.core.statements import Choose, Menu, Poll
from grimoire.runtime.kernel import effects, fused, menus, ops
from grimoire.runtime.kernel.base import Expr
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.kernel.selectors import Charged, InZone
from grimoire.runtime.limits import OPTION


class Entries:
    """The entries of a menu, the slots that they read, and the slots that each of them binds."""

    def __init__(self) -> None:
        self.made: list[menus.Entry] = []
        self.reads: set[int] = set()
        self.binds: list[set[int]] = []


class QuestionWriter:
    """Writes questions."""

    def __init__(self, context: Context, writer: FlatWriter, registry: Registry) -> None:
        self.context = context
        self.writer = writer
        self.registry = registry

    def source(self, s: Menu | Choose) -> int:
        """The number under which others find what asks."""
        self.registry.menus.append(s)
        return len(self.registry.menus) - 1

    # -- menus

    def entries(self, s: Menu, scope: Scope) -> Entries:
        """The entries of a menu."""
        c = self.context
        found = Entries()
        for row in s.entries:
            guard = None if row.guard is None else c.expr(row.guard, scope)
            if row.guard is not None:
                found.reads |= free_slots(row.guard)
            domains: list[menus.Domain] = []
            bound: set[int] = set()
            for at, domain in enumerate(row.domains):
                found.reads |= free_slots(domain.in_) - bound
                bound.add(domain.slot)
                sel = c.selector(domain.in_, scope, c.sizes.option(row.domains, at))
                domains.append(menus.Domain(domain.slot, domain.sort, sel))
            entry = menus.Entry(row.id, guard, domains)
            entry.track = c.numbers.of_entry(row)
            found.made.append(entry)
            found.binds.append(bound)
        return found

    def write_menu(self, s: Menu, code: Code, scope: Scope, exits: Exits) -> None:
        """Write a menu, the bodies of its entries behind it."""
        entries = self.entries(s, scope)
        entries.reads |= free_slots(s.seat)
        menu = self.menu_op(s, entries.made, self.context.expr(s.seat, scope))
        menu.might = self.might(s.might, scope, entries.reads)
        menu.weight = self.context.sizes.asking(s)
        end = code.label()
        edges: list[tuple[int, set[int]]] = []
        for entry, bound in zip(menu.entries, entries.binds, strict=True):
            entry.body = code.label()
            edges.append((entry.body, bound))
        menu.otherwise = code.label()
        edges.append((menu.otherwise, set()))
        code.emit(menu, Note(entries.reads, edges))
        for entry, row in zip(menu.entries, s.entries, strict=True):
            code.mark(entry.body)
            self.writer.write(row.body, code, scope, exits)
            code.jump(end)
        code.mark(menu.otherwise)
        self.writer.write(s.otherwise, code, scope, exits)
        code.mark(end)

    def menu_op(self, s: Menu, found: list[menus.Entry], who: Expr) -> menus.MenuOp:
        """The operation that asks; one list of things, or none, has an operation of its own."""
        columns, source = self.context.tables.piece_columns, self.source(s)
        if len(found) == 1 and len(found[0].domains) == 1:
            domain = found[0].domains[0]
            plain = domain.sel.sel if isinstance(domain.sel, Charged) else domain.sel
            shared = isinstance(plain, InZone | fused.FixedZone | fused.HandOfSlot)
            return menus.MenuOne(who, s.label, found, columns, source, domain.sort == "piece", shared)
        if all([not entry.domains for entry in found]):
            pair = sum([entry.guard is not None for entry in found]) == 2
            return (menus.MenuPair if pair else menus.MenuPlain)(who, s.label, found, columns, source)
        return menus.MenuOp(who, s.label, found, columns, source)

    def might(self, form: Expression | None, scope: Scope, reads: set[int]) -> Expr | None:
        """What all can see of whether a question has options, where that is not all."""
        if form is None:
            return None
        reads |= free_slots(form)
        return self.context.expr(form, scope)

    # -- several things

    def write_choose(self, s: Choose, code: Code, scope: Scope) -> None:
        """Write a choice of several things: the set is empty at first."""
        c = self.context
        start = ops.block_op(effects.Let(s.slot, Const(0)), scope.window.extras)
        ask, end = code.label(), code.label()
        start.next = ask
        code.emit(start, Note(set(), [(ask, {s.slot})]))
        constraint = None if s.constraint is None else c.expr(s.constraint, scope)
        reads = {s.slot}
        op = menus.ChooseOp(
            c.expr(s.seat, scope),
            s.label,
            s.slot,
            s.sort,
            c.selector(s.in_, scope, OPTION),
            c.expr(s.low, scope),
            c.expr(s.high, scope),
            constraint,
            self.might(s.might, scope, reads),
            c.tables.piece_columns,
            self.source(s),
        )
        op.weight = c.sizes.asking(s)
        op.next = end
        for form in (s.seat, s.in_, s.low, s.high, s.constraint):
            if form is not None:
                reads |= free_slots(form)
        code.mark(ask)
        code.emit(op, Note(reads, [(end, set()), (ask, set())]))
        code.mark(end)

    # -- all seats at once

    def write_poll(self, s: Poll, code: Code, scope: Scope, exits: Exits) -> None:
        """Write a poll: all are asked, then the bodies are run seat by seat."""
        c, menu = self.context, s.menu
        hidden = scope.window.take(2 + c.players)
        scope.window.polls.append((hidden, menu))
        own = set(range(hidden, hidden + 2 + c.players))
        start = menus.PollStart(c.expr(s.seats, scope), hidden, c.players)
        ask, each, end = code.label(), code.label(), code.label()
        start.next = ask
        code.emit(start, Note(free_slots(s.seats), [(ask, own)]))
        entries = self.entries(menu, scope)
        poll = menus.PollOp(menu.label, entries.made, c.tables.piece_columns, self.source(menu), s.slot, hidden)
        poll.might = self.might(menu.might, scope, entries.reads)
        poll.next = each
        poll.weight = c.sizes.asking(s)
        for entry in entries.made:
            entry.body = code.label()
        poll.otherwise = code.label()
        code.mark(ask)
        code.emit(poll, Note((entries.reads - {s.slot}) | own, [(each, set())]))
        code.mark(each)
        step = menus.PollNext(poll, hidden)
        step.exit = end
        edges = [(entry.body, {s.slot} | {domain.i for domain in entry.domains}) for entry in entries.made]
        code.emit(step, Note(own - {hidden}, [*edges, (poll.otherwise, {s.slot}), (end, set())]))
        for entry, row in zip(entries.made, menu.entries, strict=True):
            code.mark(entry.body)
            self.writer.write(row.body, code, scope, exits)
            code.jump(each)
        code.mark(poll.otherwise)
        self.writer.write(menu.otherwise, code, scope, exits)
        code.jump(each)
        code.mark(end)

"""Flat code of what asks: menus, choices of several things, polls."""

from __future__ import annotations

from grimoire.runtime.build.context import Context
from grimoire.runtime.build.flat_writer import NO_SLOTS, Code, Exits, FlatWriter, Note, plain
from grimoire.runtime.build.registry import Registry
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.core.analysis import Form
from grimoire.runtime.core.statements import Choose, Menu, Poll
from grimoire.runtime.kernel import effects, fused, menus, ops
from grimoire.runtime.kernel.base import Expr
from grimoire.runtime.kernel.nodes import Const
from grimoire.runtime.kernel.selectors import ChargedList, InZone
from grimoire.runtime.limits import OPTION


class Entries:
    """The entries of a menu, the forms in them with the slots that are bound before, and the slots that each entry
    binds."""

    def __init__(self) -> None:
        self.made: list[menus.Entry] = []
        self.forms: list[tuple[Form, set[int]]] = []
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
                found.forms.append((row.guard, NO_SLOTS))
            domains: list[menus.Domain] = []
            bound: set[int] = set()
            for at, domain in enumerate(row.domains):
                found.forms.append((domain.in_, set(bound) if bound else NO_SLOTS))
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
        menu = self.menu_op(s, entries.made, self.context.expr(s.seat, scope))
        menu.might = None if s.might is None else self.context.expr(s.might, scope)
        menu.weight = self.context.sizes.measure_question(s)
        end = code.label()
        edges: list[tuple[int, set[int]]] = []
        for entry, bound in zip(menu.entries, entries.binds, strict=True):
            entry.body = code.label()
            edges.append((entry.body, bound))
        menu.otherwise = code.label()
        edges.append((menu.otherwise, NO_SLOTS))
        code.emit(menu, Note(edges, None, [*entries.forms, *plain(s.seat, s.might)]))
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
            plain = domain.sel.sel if isinstance(domain.sel, ChargedList) else domain.sel
            shared = isinstance(plain, InZone | fused.FixedZone | fused.HandOfSlot)
            return menus.MenuOne(who, s.label, found, columns, source, domain.sort == "piece", shared)
        if all(not entry.domains for entry in found):
            return menus.MenuPlain(who, s.label, found, columns, source)
        return menus.MenuOp(who, s.label, found, columns, source)

    # -- several things

    def write_choose(self, s: Choose, code: Code, scope: Scope) -> None:
        """Write a choice of several things: the set is empty at first."""
        c = self.context
        start = ops.block_op(effects.Let(s.slot, Const(0)), scope.window.extras)
        ask, end = code.label(), code.label()
        start.next = ask
        code.emit(start, Note([(ask, {s.slot})]))
        constraint = None if s.constraint is None else c.expr(s.constraint, scope)
        op = menus.ChooseOp(
            c.expr(s.seat, scope),
            s.label,
            s.slot,
            s.sort,
            c.selector(s.in_, scope, OPTION),
            c.expr(s.low, scope),
            c.expr(s.high, scope),
            constraint,
            None if s.might is None else c.expr(s.might, scope),
            c.tables.piece_columns,
            self.source(s),
        )
        op.weight = c.sizes.measure_question(s)
        op.next = end
        forms = plain(s.seat, s.in_, s.low, s.high, s.constraint, s.might)
        code.mark(ask)
        code.emit(op, Note([(end, NO_SLOTS), (ask, NO_SLOTS)], {s.slot}, forms))
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
        code.emit(start, Note([(ask, own)], None, plain(s.seats)))
        entries = self.entries(menu, scope)
        poll = menus.PollOp(menu.label, entries.made, c.tables.piece_columns, self.source(menu), s.slot, hidden)
        poll.might = None if menu.might is None else c.expr(menu.might, scope)
        poll.next = each
        poll.weight = c.sizes.measure_question(s)
        for entry in entries.made:
            entry.body = code.label()
        poll.otherwise = code.label()
        code.mark(ask)
        asked = [(form, bound | {s.slot}) for form, bound in (*entries.forms, *plain(menu.might))]
        code.emit(poll, Note([(each, NO_SLOTS)], own, asked))
        code.mark(each)
        step = menus.PollNext(poll, hidden)
        step.exit = end
        edges = [(entry.body, {s.slot} | {domain.i for domain in entry.domains}) for entry in entries.made]
        code.emit(step, Note([*edges, (poll.otherwise, {s.slot}), (end, NO_SLOTS)], own - {hidden}))
        for entry, row in zip(entries.made, menu.entries, strict=True):
            code.mark(entry.body)
            self.writer.write(row.body, code, scope, exits)
            code.jump(each)
        code.mark(poll.otherwise)
        self.writer.write(menu.otherwise, code, scope, exits)
        code.jump(each)
        code.mark(end)

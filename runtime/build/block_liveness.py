"""Live slots of statements: what can still be read before one runs, given what is live where it leads."""

from __future__ import annotations

from collections.abc import Sequence as Statements

from grimoire.runtime.core.analysis import body_of, forms_of, free_slots, list_written_slots
from grimoire.runtime.core.records import Statement
from grimoire.runtime.core.statements import (
    Again,
    Choose,
    EndGame,
    ForEach,
    Grant,
    If,
    Leave,
    Menu,
    Pay,
    Poll,
    Repeat,
    Return,
    Sequence,
    Stop,
)


class Ways:
    """What is live where stop, again and return lead."""

    __slots__ = ("again", "back", "stop")

    def __init__(self, stop: set[int], again: set[int], back: set[int]) -> None:
        self.stop = stop
        self.again = again
        self.back = back


NO_WAYS = Ways(set(), set(), set())


def block_live(statements: Statements[Statement], out: set[int], ways: Ways) -> set[int]:
    """What is live before statements, given what is live after them."""
    live = set(out)
    for statement in reversed(statements):
        live = _one_live(statement, live, ways)
    return live


def _part_live(statement: Statement | None, out: set[int], ways: Ways) -> set[int]:
    return block_live(body_of(statement), out, ways)


def _one_live(s: Statement, out: set[int], ways: Ways) -> set[int]:
    if isinstance(s, Sequence):
        return block_live(s.body, out, ways)
    if isinstance(s, Stop):
        return set(ways.stop)
    if isinstance(s, Again):
        return set(ways.again)
    if isinstance(s, Menu):
        return _menu_live(s, out, ways)
    reads: set[int] = set()
    for form in forms_of(s):
        reads |= free_slots(form)
    if isinstance(s, Grant):
        reads.add(0)  # what is granted belongs to you
    if isinstance(s, Return):
        return reads | ways.back
    if isinstance(s, EndGame | Leave):
        return reads
    if isinstance(s, If):
        return reads | _part_live(s.then, out, ways) | _part_live(s.else_, out, ways)
    if isinstance(s, Pay):
        paid = _part_live(s.cost, _part_live(s.then, out, ways), ways)
        return reads | paid | _part_live(s.else_, out, ways)
    if isinstance(s, Poll):
        return reads | (_menu_live(s.menu, out, ways) - {s.slot}) | out
    if isinstance(s, Choose):
        return (reads | out) - {s.slot}
    if isinstance(s, ForEach | Repeat):
        return reads | _loop_live(s, out, ways)
    return reads | (out - set(list_written_slots(s)))


def _loop_live(s: ForEach | Repeat, out: set[int], ways: Ways) -> set[int]:
    bound = {s.slot} if isinstance(s, ForEach) else set()
    endless = isinstance(s, Repeat) and s.times is None
    head: set[int] = set() if endless else set(out)
    while True:
        inside = _part_live(s.body, head, Ways(out, head, ways.back)) - bound
        grown = inside if endless else inside | out
        if grown <= head:
            return head
        head = head | grown


def _menu_live(s: Menu, out: set[int], ways: Ways) -> set[int]:
    live = free_slots(s.seat) | _part_live(s.otherwise, out, ways)
    for entry in s.entries:
        bound: set[int] = set()
        if entry.guard is not None:
            live |= free_slots(entry.guard)
        for domain in entry.domains:
            live |= free_slots(domain.in_) - bound
            bound.add(domain.slot)
        live |= _part_live(entry.body, out, ways) - bound
    return live

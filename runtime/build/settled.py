"""What is known after a menu: tests that its answer settles are settled when the program is built.

After ``choose x`` the rules often ask whether there was an x. Where a menu binds it, there was; where the menu had no option, there was
not. So the statements that ask are moved into the branches of the menu, as long as each of them is settled in both.
"""

from __future__ import annotations

from collections.abc import Sequence as Statements
from dataclasses import replace
from typing import Final

from grimoire.runtime.core.analysis import (
    body_of,
    free_slots,
    never_negative,
    statements_in,
    strip,
    without_places,
    written_slots,
)
from grimoire.runtime.core.expressions import Comparison, Number, Slot
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.statements import Entry, If, Let, Menu, Sequence

NOT_NOTHING: Final = "not nothing"
Facts = dict[int, int | str]  # slot -> its value, or that it is not -1


def settle(statements: Statements[Statement]) -> Statements[Statement]:
    """The statements of a sequence with their menus made wiser."""
    if not any([isinstance(one, Menu) for one in statements]):
        return statements
    found: list[Statement] = []
    at = 0
    while at < len(statements):
        one = statements[at]
        at += 1
        if isinstance(one, Menu):
            one = without_guards(one)
            taken = absorb(one, statements[at:])
            if taken is not None:
                one, used = taken
                at += used
        found.append(one)
    return found


def without_guards(menu: Menu) -> Menu:
    """A menu in whose bodies the guard of the entry, which holds when it is chosen, is not asked again."""
    entries = tuple([_without_guard(entry) for entry in menu.entries])
    same = all([new is old for new, old in zip(entries, menu.entries, strict=True)])
    return menu if same else replace(menu, entries=entries)


def _without_guard(entry: Entry) -> Entry:
    guard, body = entry.guard, body_of(entry.body)
    if guard is None or not body:
        return entry
    first = body[0]
    if not isinstance(first, If) or without_places(first.cond) != without_places(guard):
        return entry
    if free_slots(guard) & {domain.slot for domain in entry.domains}:
        return entry
    return replace(entry, body=Sequence((first.then, *body[1:])))


def absorb(menu: Menu, rest: Statements[Statement]) -> tuple[Menu, int] | None:
    """A menu with one entry that has taken in the statements settled by its answer, and how many they were."""
    if len(menu.entries) != 1:
        return None
    entry = menu.entries[0]
    chosen: Facts = {domain.slot: NOT_NOTHING for domain in entry.domains if never_negative(domain.in_)}
    other: Facts = {}
    yes, no = list(body_of(entry.body)), list(body_of(menu.otherwise))
    for one in yes:
        forget(chosen, one)
    for one in no:
        forget(other, one)
        if isinstance(one, Let):
            value = strip(one.value)
            if isinstance(value, Number):
                other[one.slot] = value.value
    used = 0
    for one in rest:
        if not isinstance(one, Let | If):
            break
        form = one.value if isinstance(one, Let) else one.cond
        first, second = known(form, chosen), known(form, other)
        if first is None or second is None or (isinstance(one, If) and bool(first) == bool(second)):
            break
        used += 1
        if isinstance(one, If):
            yes += [part for part in (one.then if first else one.else_,) if part is not None]
            no += [part for part in (one.then if second else one.else_,) if part is not None]
            break
        yes.append(replace(one, value=Number(first)))
        no.append(replace(one, value=Number(second)))
        chosen[one.slot], other[one.slot] = first, second
    if not used:
        return None
    wiser = replace(entry, body=Sequence(tuple(yes)))
    return replace(menu, entries=(wiser,), otherwise=Sequence(tuple(no))), used


def forget(facts: Facts, statement: Statement) -> None:
    """Drop what is known of the slots that a statement writes."""
    for slot in written_slots(statement):
        facts.pop(slot, None)
    for child in statements_in(statement):
        forget(facts, child)


def known(form: Expression, facts: Facts) -> int | None:
    """The value of a form where the facts settle it."""
    form = strip(form)
    if not isinstance(form, Comparison) or form.op not in ("==", "!="):
        return None
    left, right = strip(form.left), strip(form.right)
    if isinstance(right, Slot):
        left, right = right, left
    if not isinstance(left, Slot) or not isinstance(right, Number) or left.slot not in facts:
        return None
    fact = facts[left.slot]
    if isinstance(fact, str):
        return None if right.value != -1 else int(form.op == "!=")
    return int((fact == right.value) == (form.op == "=="))

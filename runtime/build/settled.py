"""What is known after a menu: tests that its answer settles are settled when the program is built.

After ``choose x`` the rules often ask whether there was an x. Where a menu binds it, there was; where the menu had no option, there was
not. So the statements that ask are moved into the branches of the menu, as long as each of them is settled in both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimoire.runtime.build.forms import Json, body_of, children, free_slots, written_slots

NOT_NOTHING: Final = "not nothing"
Facts = dict[int, int | str]  # slot -> its value, or that it is not -1


def bare(form: Json) -> Json:
    """A form without any places in it."""
    if isinstance(form, list):
        if form and form[0] == "at":
            return bare(form[2])
        return [bare(part) for part in form]
    return form


def settled(parts: list[Json], objects_only: Callable[[Json], bool]) -> list[Json]:
    """The statements of a sequence with their menus made wiser."""
    found: list[Json] = []
    at = 0
    while at < len(parts):
        part = parts[at]
        at += 1
        if isinstance(part, dict) and part["op"] == "menu":
            part = without_guards(part)
            taken = absorbed(part, parts[at:], objects_only)
            if taken is not None:
                part, used = taken
                at += used
        found.append(part)
    return found


def without_guards(menu: Json) -> Json:
    """A menu in whose bodies the guard of the entry, which holds when it is chosen, is not asked again."""
    entries = []
    for entry in menu["entries"]:
        guard, body = entry.get("guard"), body_of(entry.get("body"))
        if guard is not None and body and isinstance(body[0], dict) and body[0]["op"] == "if":
            bound = {domain["slot"] for domain in entry.get("domains", [])}
            if bare(body[0]["cond"]) == bare(guard) and not free_slots(guard) & bound:
                entry = {**entry, "body": [body[0]["then"], *body[1:]]}
        entries.append(entry)
    return {**menu, "entries": entries}


def absorbed(menu: Json, rest: list[Json], objects_only: Callable[[Json], bool]) -> tuple[Json, int] | None:
    """A menu with one entry that has taken in the statements settled by its answer, and how many they were."""
    if len(menu["entries"]) != 1:
        return None
    entry = menu["entries"][0]
    chosen: Facts = {}
    for domain in entry.get("domains", []):
        if objects_only(domain["in"]):
            chosen[domain["slot"]] = NOT_NOTHING
    other: Facts = {}
    yes, no = body_of(entry.get("body")), body_of(menu.get("otherwise"))
    for part in yes:
        forget(chosen, part)
    for part in no:
        forget(other, part)
        if isinstance(part, dict) and part["op"] == "let" and bare(part["value"])[0] == "int":
            other[part["slot"]] = bare(part["value"])[1]
    used = 0
    for part in rest:
        if not isinstance(part, dict) or part["op"] not in ("let", "if"):
            break
        form = part["value"] if part["op"] == "let" else part["cond"]
        first, second = known(form, chosen), known(form, other)
        if first is None or second is None or (part["op"] == "if" and bool(first) == bool(second)):
            break
        used += 1
        if part["op"] == "if":
            yes = [*yes, part["then"] if first else part.get("else")]
            no = [*no, part["then"] if second else part.get("else")]
            break
        yes = [*yes, {**part, "value": ["int", first]}]
        no = [*no, {**part, "value": ["int", second]}]
        chosen[part["slot"]], other[part["slot"]] = first, second
    if not used:
        return None
    entry = {**entry, "body": [part for part in yes if part is not None]}
    return {**menu, "entries": [entry], "otherwise": [part for part in no if part is not None]}, used


def forget(facts: Facts, statement: Json) -> None:
    """Drop what is known of the slots that a statement writes."""
    for slot in written_slots(statement):
        facts.pop(slot, None)
    for child in children(statement):
        forget(facts, child)


def known(form: Json, facts: Facts) -> int | None:
    """The value of a form where the facts settle it."""
    form = bare(form)
    if not isinstance(form, list) or form[0] not in ("==", "!="):
        return None
    left, right = form[1], form[2]
    if right[0] == "slot":
        left, right = right, left
    if left[0] != "slot" or right[0] != "int" or left[1] not in facts:
        return None
    fact = facts[left[1]]
    if isinstance(fact, str):
        return None if right[1] != -1 else int(form[0] == "!=")
    return int((fact == right[1]) == (form[0] == "=="))

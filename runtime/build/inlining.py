"""Inlining: moving the body of a procedure into other slots, so that it can be written into its caller."""

from __future__ import annotations

from collections.abc import Callable

from grimoire.runtime.build.forms import STATEMENTS, Json, children, expressions_of, parts, written_slots


def only_inlinable(statement: Json, waits: bool) -> bool:
    """Whether a statement has none of what needs a window of its own."""
    if isinstance(statement, dict):
        op = statement.get("op", "menu")
        if op in ("grant", "cancel", "setarg", "setresult") or (op in ("return", "pay") and not waits):
            return False
    for form in expressions_of(statement):
        if not plain_form(form):
            return False
    return all(only_inlinable(child, waits) for child in children(statement))


def plain_form(form: Json) -> bool:
    """Whether a form can be moved to other slots."""
    if isinstance(form, int):
        return True
    if form[0] in ("can", "this", "arg", "result"):
        return False
    return all(plain_form(part) for code, part in parts(form) if code in "eS")


class Shift:
    """Where slots go: so many on, except those that stand for a simple argument of the call."""

    def __init__(self, by: int, instead: dict[int, Json], copied: Callable[[Json, Json], None]) -> None:
        self.by = by
        self.instead = instead
        self.copied = copied  # told of every statement and menu entry that is copied


def shifted(statement: Json, shift: Shift) -> Json:
    """A statement with all its own slots moved."""
    if statement is None:
        return None
    if isinstance(statement, list):
        return [shifted(part, shift) for part in statement]
    found = dict(statement)
    shift.copied(statement, found)
    for name, (code, _) in STATEMENTS[statement.get("op", "menu")].items():
        value = statement.get(name)
        if value is None:
            continue
        if code == "w":
            found[name] = value + shift.by
        elif code in "eS":
            found[name] = shifted_form(value, shift)
        elif code == "E":
            found[name] = [shifted_form(part, shift) for part in value]
        elif code in "TLU":
            found[name] = shifted(value, shift)
        elif code == "G":
            found[name] = [shifted_entry(entry, shift) for entry in value]
    return found


def shifted_entry(entry: Json, shift: Shift) -> Json:
    """A menu entry with all its own slots moved."""
    found = dict(entry)
    shift.copied(entry, found)
    if entry.get("guard") is not None:
        found["guard"] = shifted_form(entry["guard"], shift)
    found["domains"] = [
        {**domain, "slot": domain["slot"] + shift.by, "in": shifted_form(domain["in"], shift)}
        for domain in entry.get("domains", [])
    ]
    found["body"] = shifted(entry.get("body"), shift)
    return found


def assigned(statement: Json) -> set[int]:
    """Every slot that a statement, or anything inside it, writes or binds."""
    found = set(written_slots(statement))
    for form in expressions_of(statement):
        found |= bound_in(form)
    for child in children(statement):
        found |= assigned(child)
    return found


def bound_in(form: Json) -> set[int]:
    """The slots that a form binds."""
    if isinstance(form, int):
        return set()
    found: set[int] = set()
    for code, part in parts(form):
        if code == "b":
            found.add(part)
        elif code in "eS":
            found |= bound_in(part)
    return found


def own_leaves(statement: Json, proc: int) -> Json:
    """A statement of a procedure in which leaving that same procedure is written as a return."""
    if isinstance(statement, list):
        return [own_leaves(part, proc) for part in statement]
    if not isinstance(statement, dict):
        return statement
    if statement.get("op") == "leave" and statement["proc"] == proc:
        found = {key: value for key, value in statement.items() if key != "proc"}
        found["op"] = "return"
        return found
    if not children(statement):
        return statement
    found = dict(statement)
    for name in ("body", "then", "else", "cost", "otherwise", "menu"):
        if isinstance(statement.get(name), dict | list):
            found[name] = own_leaves(statement[name], proc)
    if "entries" in statement:
        found["entries"] = [{**entry, "body": own_leaves(entry.get("body"), proc)} for entry in statement["entries"]]
    return found


def shifted_form(form: Json, shift: Shift) -> Json:
    """An expression or selector with all its slots moved."""
    if isinstance(form, int):
        return form
    if form[0] == "slot" and form[1] in shift.instead:
        return shift.instead[form[1]]
    found = [form[0]]
    for code, part in parts(form):
        if code in "sb":
            found.append(part + shift.by)
        elif code in "eS":
            found.append(shifted_form(part, shift))
        else:
            found.append(part)
    return found

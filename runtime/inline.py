"""Inlining: moving the body of a short procedure into other slots."""

from __future__ import annotations

from grimoire.runtime.forms import STATEMENTS, Json, children, expressions_of, parts


def only_inlinable(statement: Json) -> bool:
    """Whether a statement has none of what needs a window of its own."""
    if isinstance(statement, dict) and statement["op"] in ("return", "grant", "cancel", "setarg", "setresult", "pay"):
        return False
    for form in expressions_of(statement):
        if not plain_form(form):
            return False
    return all(only_inlinable(child) for child in children(statement))


def plain_form(form: Json) -> bool:
    """Whether a form can be moved to other slots."""
    if isinstance(form, int):
        return True
    if form[0] in ("can", "this", "arg", "result"):
        return False
    return all(plain_form(part) for code, part in parts(form) if code in "eSx")


def shifted(statement: Json, by: int) -> Json:
    """A statement with all its own slots moved."""
    if statement is None:
        return None
    if isinstance(statement, list):
        return [shifted(part, by) for part in statement]
    found = dict(statement)
    for name, (code, _) in STATEMENTS[statement["op"]].items():
        value = statement.get(name)
        if value is None:
            continue
        if code == "w":
            found[name] = value + by
        elif code in "eSx":
            found[name] = shifted_form(value, by)
        elif code == "E":
            found[name] = [shifted_form(part, by) for part in value]
        elif code in "TL":
            found[name] = shifted(value, by)
    return found


def shifted_form(form: Json, by: int) -> Json:
    """An expression or selector with all its slots moved."""
    if isinstance(form, int):
        return form
    found = [form[0]]
    for code, part in parts(form):
        if code in "sb":
            found.append(part + by)
        elif code in "eSx":
            found.append(shifted_form(part, by))
        else:
            found.append(part)
    return found

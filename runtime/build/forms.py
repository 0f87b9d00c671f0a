"""The forms of the core as plain JSON: which parts each has, and walks over them.

What the forms are is declared in `core`; the tables here say the same as letters, for those who read JSON:

====== =============================================  ====== ==========================================
``e``  expression                                     ``S``  selector
``T``  statement                                      ``*``  the rest are expressions
``@``  the rest are selectors                         ``n``  number
``s``  slot that is read                              ``b``  slot bound for the parts that follow
``o``  slot of another procedure's window             ``w``  slot that is written
``v c f z r d p``  index of a var, column, function, zone, relation, definition, procedure (or -1)
``k``  kind index (or -1)                             ``q``  one of a few words
``P``  place index                                    ``O``  option id
``L``  list of statements                             ``E``  list of expressions
``A``  list of abilities                              ``M``  list of modifiers
``G``  entries of a menu                              ``U``  a menu
``t``  text
====== =============================================  ====== ==========================================
"""

from __future__ import annotations

from typing import Any, Final

from grimoire.runtime.core import statements
from grimoire.runtime.core.records import (
    FORMS,
    Expression,
    Many,
    Maybe,
    Plain,
    Row,
    Selector,
    Slots,
    Statement,
    What,
    Words,
    parts_of,
)

Json = Any

_LETTERS: Final[dict[Any, str]] = {
    Expression: "e",
    Selector: "S",
    Statement: "T",
    statements.Menu: "U",
    Slots.READ: "s",
    Slots.WRITTEN: "w",
    Slots.BOUND: "b",
    Slots.OUTER: "o",
    Plain.NUMBER: "n",
    Plain.TEXT: "t",
    Plain.OPTION: "O",
    Many(Expression): "E",
    Many(Selector): "@",
    Many(Statement): "L",
    Many(statements.Entry): "G",
    Many(Row("abilities")): "A",
    Many(Row("modifiers")): "M",
}
_TABLES: Final = {
    "vars": "v",
    "columns": "c",
    "functions": "f",
    "zones": "z",
    "relations": "r",
    "definitions": "d",
    "procs": "p",
    "kinds": "k",
    "places": "P",
}


def _letter(what: What) -> str:
    if isinstance(what, Maybe):
        return _letter(what.of)
    if isinstance(what, Row):
        return _TABLES[what.table]
    return "q" if isinstance(what, Words) else _LETTERS[what]


def _signatures(base: type[Any]) -> dict[str, str]:
    return {
        name: "".join(_letter(part.what) for part in parts_of(form.record)).replace("E", "*")
        for name, form in FORMS[base].items()
    }


EXPRESSIONS: Final[dict[str, str]] = _signatures(Expression)
SELECTORS: Final[dict[str, str]] = _signatures(Selector)
# Of a statement: name of the field -> letter, and whether it must be there.
STATEMENTS: Final[dict[str, dict[str, tuple[str, bool]]]] = {
    name: {part.name: (_letter(part.what), not part.default) for part in parts_of(form.record)}
    for name, form in FORMS[Statement].items()
}


def secretless(sorts: list[str]) -> bool:
    """Whether values of these sorts are told to everybody alike."""
    return not any(sort in ("", "piece", "set:piece") for sort in sorts)


def told_alike(proc: Json) -> bool:
    """Whether everybody may read the same of an event of this procedure: it names no piece."""
    arguments = not proc["params"] or secretless(proc.get("sorts") or [""])
    return arguments and secretless([proc.get("tells", "number")])


def body_of(statement: Json) -> list[Json]:
    """A statement as a list: nothing, one, or the parts of a sequence."""
    if statement is None:
        return []
    if isinstance(statement, list):
        return statement
    if statement["op"] == "seq":
        return body_of(statement["body"])
    return [statement]


def children(statement: Json) -> list[Json]:
    """The statements directly inside a statement."""
    if statement is None:
        return []
    if isinstance(statement, list):
        return list(statement)
    op = statement.get("op", "menu")
    if op == "seq":
        return body_of(statement["body"])
    if op in ("if", "pay"):
        parts = [statement["cost"]] if op == "pay" else []
        return [part for part in [*parts, statement["then"], statement.get("else")] if part is not None]
    if op in ("foreach", "repeat"):
        return [statement["body"]]
    if op == "menu":
        parts = [entry.get("body") for entry in statement["entries"]]
        return [part for part in [*parts, statement.get("otherwise")] if part is not None]
    if op == "poll":
        return children(statement["menu"])
    return []


def expressions_of(statement: Json) -> list[Json]:
    """The expressions and selectors directly in a statement (not those of statements inside it)."""
    if statement is None or isinstance(statement, list):
        return []
    found: list[Json] = []
    for name, (code, _) in STATEMENTS[statement.get("op", "menu")].items():
        value = statement.get(name)
        if value is None:
            continue
        if code in "eS":
            found.append(value)
        elif code == "E":
            found.extend(value)
        elif code == "G":
            for entry in value:
                if entry.get("guard") is not None:
                    found.append(entry["guard"])
                found.extend(domain["in"] for domain in entry.get("domains", []))
        elif code == "U":
            found.extend(expressions_of(value))
    return found


def parts(form: Json) -> list[tuple[str, Json]]:
    """The parts of an expression or selector with their codes, rest parts spelt out."""
    op = form[0]
    signature = EXPRESSIONS.get(op)
    if signature is None:
        signature = SELECTORS[op]
    found: list[tuple[str, Json]] = []
    at = 1
    for code in signature:
        if code == "*":
            found.extend(("e", part) for part in form[at:])
        elif code == "@":
            found.extend(("S", part) for part in form[at:])
        else:
            found.append((code, form[at]))
            at += 1
    return found


def free_slots(form: Json) -> set[int]:
    """The slots that an expression or selector reads from outside itself."""
    if isinstance(form, int):
        return set()
    if form[0] == "this":
        return {1}
    found: set[int] = set()
    bound = -1
    for code, part in parts(form):
        if code == "s":
            found.add(part)
        elif code == "b":
            bound = part
        elif code in "eS":
            inner = free_slots(part)
            if bound >= 0:
                inner.discard(bound)
            found |= inner
        elif code == "T":
            found |= statement_slots(part)
    return found


def statement_slots(statement: Json) -> set[int]:
    """Every slot that a statement reads anywhere (an over-estimate of what it needs from outside)."""
    found: set[int] = set()
    for form in expressions_of(statement):
        found |= free_slots(form)
    for child in children(statement):
        found |= statement_slots(child)
    return found


def max_slot(form: Json) -> int:
    """The highest slot that an expression or selector mentions, or -1."""
    if isinstance(form, int):
        return -1
    highest = 1 if form[0] == "this" else -1
    for code, part in parts(form):
        if code in "sb":
            highest = max(highest, part)
        elif code in "eS":
            highest = max(highest, max_slot(part))
        elif code == "T":
            highest = max(highest, statement_max_slot(part))
    return highest


def written_slots(statement: Json) -> list[int]:
    """The slots that a statement itself writes (not the statements inside it)."""
    if statement is None or isinstance(statement, list):
        return []
    found: list[int] = []
    for name, (code, _) in STATEMENTS[statement.get("op", "menu")].items():
        value = statement.get(name)
        if value is None:
            continue
        if code == "w":
            found.append(value)
        elif code == "G":
            found.extend(domain["slot"] for entry in value for domain in entry.get("domains", []))
        elif code == "U":
            found.extend(written_slots(value))
    return found


def statement_max_slot(statement: Json) -> int:
    """The highest slot that a statement mentions, or -1."""
    highest = max(written_slots(statement), default=-1)
    for form in expressions_of(statement):
        highest = max(highest, max_slot(form))
    for child in children(statement):
        highest = max(highest, statement_max_slot(child))
    return highest


def strip(form: Json) -> Json:
    """A form without the places around it."""
    while isinstance(form, list) and form and form[0] == "at":
        form = form[2]
    return form if isinstance(form, list) else ["int", form]


def never_negative(sel: Json) -> bool:
    """Whether a selector gives objects only, never nothing or a number."""
    op = sel[0]
    if op in ("filter", "except"):
        return never_negative(sel[1])
    if op in ("take", "best"):
        return never_negative(sel[2])
    if op == "cat":
        return all(never_negative(part) for part in sel[1:])
    return op in ("zone*", "top*", "pieces", "fixtures", "seats", "rel", "members")


def has_statement(form: Json) -> bool:
    """Whether a form tries a statement: such are not moved or built twice."""
    if isinstance(form, int):
        return False
    return any(code == "T" or (code in "eS" and has_statement(part)) for code, part in parts(form))

"""Shorter wordings of common effects: a row of objects, somebody chosen on the way, so much for every so many.

In: syntax nodes. Out: nodes that say the same and mean the same, or the parts of such a shape. Used by `say` and
`nouns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

_EACH = Token("EACH", "each")
_PICKED = ("A", "ANOTHER")
_BACK = ("IT", "ITS", "THEY", "THEIR")


class Row(NamedTuple):
    """A step that does one thing to one object."""

    verb: str
    phrases: tuple[s.Phrase, ...]
    action: s.Action
    item: s.Noun | s.Counted


def row_of(node: s.Statement) -> Row | None:
    """`paint the door`, `for each door in the room as x, paint the x`: the verb, its object and the phrases behind
    it."""
    if isinstance(node, s.Act):
        item = plain_object(node)
        if item is None or item.relative is not None:
            return None
        return Row(str(node.action.verb), node.action.phrases, node.action, item)
    if not isinstance(node, s.Gated) or node.gate.kind != "each" or node.gate.word.type == "FOR_EACH_OF":
        return None
    gate, body = node.gate, node.body
    over = gate.noun.noun if gate.noun is not None else None
    if not isinstance(body, s.Act) or not isinstance(over, s.Noun) or over.relative is not None or gate.noun is None:
        return None
    item = plain_object(body)
    named = (
        isinstance(item, s.Noun) and gate.bind is not None and [str(word) for word in item.words] == [str(gate.bind)]
    )
    if not named or sum(str(token) == str(gate.bind) for token in s.tokens(body)) != 1:
        return None
    phrases = (*gate.noun.phrases, *body.action.phrases)
    return Row(str(body.action.verb), phrases, body.action, over._replace(det=_EACH))


def plain_object(node: s.Act) -> s.Noun | s.Counted | None:
    """The one object of a step that everybody must take and that gives no name."""
    action = node.action
    if node.subject is not None or node.modal is not None or action.bind is not None or action.able or action.instead:
        return None
    items = action.object.items if action.object is not None else ()
    item = items[0] if len(items) == 1 else None
    return item if isinstance(item, (s.Noun, s.Counted)) else None


def in_one_row(statements: Sequence[s.Statement]) -> tuple[int, s.Act | None]:
    """Steps one behind the other that do the same to different things: how many there are, and the one that says them
    all."""
    rows: list[Row] = []
    for node in statements:
        row = row_of(node)
        if row is None or (rows and (row.verb, row.phrases) != (rows[0].verb, rows[0].phrases)):
            break
        if any(row.item == other.item for other in rows) or any(token.type in _BACK for token in s.tokens(row.phrases)):
            break
        rows.append(row)
    if len(rows) < 2:
        return 1, None
    first = rows[0]
    items = s.Operand(tuple(row.item for row in rows), "and")
    return len(rows), s.Act(None, None, first.action._replace(object=items, phrases=first.phrases))


class Pick(NamedTuple):
    """`choose another player as x to send the x away`: whoever is chosen is said in the step itself."""

    name: str
    noun: s.Noun
    phrases: tuple[s.Phrase, ...]
    step: s.Act


def find_pick(cost: s.Statement, rest: s.Statement) -> Pick | None:
    if not isinstance(cost, s.Act) or not isinstance(rest, s.Act) or str(cost.action.verb) != "choose":
        return None
    choice = cost.action
    noun = choice.object.items[0] if choice.object is not None and len(choice.object.items) == 1 else None
    if choice.bind is None or choice.able or choice.instead or not isinstance(noun, s.Noun):
        return None
    if noun.det is None or noun.det.type not in _PICKED or cost.subject is not None:
        return None
    if rest.subject is not None or rest.modal is not None:
        return None
    name = str(choice.bind)
    if sum(str(token) == name for token in s.tokens(rest)) != 1 or not is_said(rest.action, name):
        return None
    return Pick(name, noun, choice.phrases, rest._replace(modal=cost.modal))


def is_said(action: s.Action, name: str) -> bool:
    """Whether something is done to what has the name, or to something of it."""
    nouns: list[object] = [*(action.object.items if action.object is not None else ())]
    nouns += [phrase.item for phrase in action.phrases if phrase.prep.type == "OF"]
    nouns += [part for noun in nouns if isinstance(noun, s.Operand) for part in noun.items]
    return any(isinstance(noun, s.Noun) and [str(word) for word in noun.words] == [name] for noun in nouns)


class Excess(NamedTuple):
    """`N + (the higher of 0 and ((VALUE - LIMIT) / STEP))`: N, and 1 more for every STEP by which VALUE exceeds
    LIMIT."""

    base: s.Amount
    value: s.Amount
    limit: s.Amount
    step: s.Number


def excess(node: s.Amount) -> Excess | None:
    node = inner(node)
    if not isinstance(node, s.Binary) or str(node.op) != "+" or not isinstance(node.left, s.Number):
        return None
    most = inner(node.right)
    if not isinstance(most, s.Extreme) or "higher" not in str(most.word):
        return None
    zero, part = most.left, inner(most.right)
    if (
        not isinstance(zero, s.Number)
        or str(zero.value) != "0"
        or not isinstance(part, s.Binary)
        or str(part.op) != "/"
    ):
        return None
    over, step = inner(part.left), part.right
    if (
        not isinstance(over, s.Binary)
        or str(over.op) != "-"
        or not isinstance(step, s.Number)
        or str(step.value) == "1"
    ):
        return None
    if isinstance(over.left, s.Binary) or not isinstance(over.right, s.Number):
        return None
    return Excess(node.left, over.left, over.right, step)


def inner(node: s.Amount) -> s.Amount:
    """An amount without the parentheses around it."""
    while isinstance(node, s.Paren):
        node = node.inner
    return node

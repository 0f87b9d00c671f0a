"""Change one thing in the tree of an effect: a number, a term, may or must, a limit, who decides, the order, a test.

In: a node of `syntax`. Out: (what was changed, the node with the change). The trees need not make sense, they only say
something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token

Change = tuple[str, Any]
OPERATORS = {"=": "!=", "!=": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
MAY, MUST = Token("MAY", "may"), Token("MUST", "must")
SOMEBODY = s.Full(s.Noun(Token("THE", "the"), (Token("NAME", "first-player"),), None, (), None), ())


def changes(node: Any, other: str, verb: str) -> Iterator[Change]:
    """Everything that can be changed; `other` is a term and `verb` a verb that the effect does not have."""
    yield from own(node, other, verb)
    if isinstance(node, tuple) and not isinstance(node, Token):
        for at, part in enumerate(node):
            for what, changed in changes(part, other, verb):
                rest = (*node[:at], changed, *node[at + 1 :])
                yield what, type(node)._make(rest) if hasattr(node, "_make") else rest


def own(node: Any, other: str, verb: str) -> Iterator[Change]:
    """What can be changed in a node itself."""
    match node:
        case s.Number(value):
            yield f"number {value}", s.Number(Token("NUMBER", str(int(value) + 1)))
        case s.Outcome(token, form) if form in ("number", "at_least", "at_most"):
            yield f"outcome {token}", s.Outcome(Token(token.type, str(int(token) + 1)), form)
        case s.Outcome(token, "range"):
            low, high = str(token).split("-")
            yield f"range {token}", s.Outcome(Token(token.type, f"{low}-{int(high) + 1}"), "range")
            yield f"range {token}", s.Outcome(Token(token.type, f"{int(low) + 1}-{high}"), "range")
        case s.Limit(word, times, scope):
            yield "limit times", s.Limit(word, times + 1, scope)
            yield "limit scope", s.Limit(word, times, (Token("NAME", other),))
        case s.Noun(_, words, _, rest, _) if str((*words, *rest)[-1]) != other:
            if rest:
                yield f"term {rest[-1]}", node._replace(rest=(Token("NAME", other),))
            else:
                yield f"term {words[-1]}", node._replace(words=(*words[:-1], Token("NAME", other)))
        case s.Counted(_, words, _) if str(words[-1]) != other:
            yield f"term {words[-1]}", node._replace(words=(*words[:-1], Token("NAME", other)))
        case s.Owned(_, _, words, _):
            yield f"term {words[-1]}", node._replace(words=(Token("NAME", other),))
        case s.Compare(left, op, right):
            yield f"test {op}", s.Compare(left, Token(op.type, OPERATORS[str(op)]), right)
        case s.Is() | s.WhoIs() | s.Did():
            yield "test not", node._replace(negated=not node.negated)
        case s.Whose(word, field, op, value):
            yield f"whose {op}", s.Whose(word, field, Token(op.type, OPERATORS[str(op)]), value)
        case s.And(left, right):
            yield "and", s.Or(left, right)
        case s.Or(left, right):
            yield "or", s.And(left, right)
        case s.Window(_, kind, event, _, _) if event is not None:
            yield f"window {kind}", node._replace(kind="after" if kind != "after" else "before")
        case s.Window(_, kind, _, noun, _) if noun is not None:
            yield f"window {kind}", node._replace(kind="end" if kind == "start" else "start")
        case s.Count(_, kind, low, high) if kind in ("exactly", "up_to") and (low is not None or high is not None):
            number = low if low is not None else high
            yield (
                f"count {kind}",
                node._replace(
                    kind="up_to" if kind == "exactly" else "exactly",
                    low=number if kind != "exactly" else None,
                    high=number if kind == "exactly" else None,
                ),
            )
        case s.Act(subject, modal, action):
            if modal is not None and modal.type == "MAY":
                yield "may", node._replace(modal=MUST if subject is not None else None)
            else:
                yield "must", node._replace(modal=MAY)
            yield (
                "decider",
                node._replace(subject=None, modal=None) if subject else node._replace(subject=SOMEBODY, modal=MUST),
            )
            if str(action.verb) not in ("take", verb):
                yield f"verb {action.verb}", node._replace(action=action._replace(verb=Token("NAME", verb)))
        case s.Gated(gate, _) if gate.kind == "modal":
            yield "modal block", node._replace(gate=gate._replace(word=MUST if gate.word.type == "MAY" else MAY))
        case s.Block(statements):
            yield from stepped_out(node)
            for at in range(len(statements) - 1):
                pair = statements[at : at + 2]
                if pair[0].statement != pair[1].statement and not any(bound_to_place(line.statement) for line in pair):
                    swapped = (*statements[:at], pair[1], pair[0], *statements[at + 2 :])
                    yield "order", node._replace(statements=swapped)


def stepped_out(node: s.Block) -> Iterator[Change]:
    """The last step of an inner block leaves it: it no longer depends on what the block depends on."""
    for at, line in enumerate(node.statements):
        inner = line.statement.body if isinstance(line.statement, s.Gated) else None
        if not isinstance(inner, s.Block) or len(inner.statements) < 2 or line.statement.gate.kind in ("either", "or"):
            continue
        *kept, last = inner.statements
        if bound_to_place(last.statement):
            continue
        shorter = line._replace(statement=line.statement._replace(body=inner._replace(statements=tuple(kept))))
        yield (
            "out of its block",
            node._replace(statements=(*node.statements[:at], shorter, last, *node.statements[at + 1 :])),
        )


def bound_to_place(statement: Any) -> bool:
    """Statements that answer the one before them."""
    return isinstance(statement, s.Gated) and statement.gate.kind in ("otherwise", "otherwise_if", "or", "either", "on")

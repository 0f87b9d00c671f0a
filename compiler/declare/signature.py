"""Read a verb's signature: the source pattern that says how the verb is written and what it takes.

draw <number> cards            an amount of a fixed noun
lose <number> <resource>       an amount of a named thing
mark <cell>                    one object; several are taken one after the other
gather <set of card>           a set as one event
offer <card> to <player> [for <number>]
duel <rival: player>           a parameter with a name of its own
haul <card> with weight <number> [and mate <player>]         arguments that are given by their names
"""

from __future__ import annotations

import re
from collections.abc import Callable

from grimoire.compiler.declare.model import Param, Type
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.source.tree import Scalar

_PART = re.compile(r"(?P<open>\[)|(?P<close>\])|<(?P<type>[^<>]*)>|(?P<word>[a-z][a-z0-9-]*)|(?P<space>\s+)|(?P<bad>.)")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
PREPOSITIONS = {
    "in": "IN", "into": "INTO", "on": "ON_PREP", "onto": "ONTO", "to": "TO", "from": "FROM", "of": "OF",
    "with": "WITH", "at": "AT", "by": "BY", "for": "FOR", "over": "OVER", "under": "UNDER", "through": "THROUGH",
    "toward": "TOWARD", "along": "ALONG", "within": "WITHIN", "beside": "BESIDE", "behind": "BEHIND",
    "without": "WITHOUT", "against": "AGAINST", "about": "ABOUT", "around": "AROUND",
}  # fmt: skip


def parse_signature(
    text: str, node: Scalar, type_of: Callable[[str, Scalar, str], Type | None], diags: Diagnostics
) -> tuple[str | None, list[Param]]:
    """The verb's word and its parameters; None for the word when the text is no signature."""
    params: list[Param] = []
    verb: str | None = None
    optional = False
    prep: str | None = None
    given: str | None = None  # the name by which a call gives the next parameter
    named = False
    for match in _PART.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        if kind == "bad":
            diags.add(
                "G0312",
                node.span,
                f'"{match.group()}" has no meaning in a signature',
                "draw <number> cards, give <card> to <player>",
            )
            return None, []
        if kind in ("open", "close"):
            if optional is (kind == "open"):
                diags.add("G0312", node.span, "brackets stand in pairs, and not inside each other", "[for <number>]")
                return None, []
            optional = kind == "open"
        elif kind == "word":
            word = match.group()
            if verb is None:
                verb = word
            elif word in PREPOSITIONS and prep is None and given is None:
                prep = PREPOSITIONS[word]
            elif given is None and (prep == "WITH" or (named and prep == "AND")):
                given, named = word, True
            elif word == "and" and prep is None and named:
                prep = "AND"
            elif params and params[-1].role == "amount" and params[-1].noun is None:
                params[-1].noun = word
            else:
                diags.add(
                    "G0312",
                    node.span,
                    f'"{word}" is neither a preposition nor the noun of an amount',
                    "put types in <>: draw <number> cards",
                )
                return None, []
        else:
            inner = match.group("type")
            name, _, type_text = inner.rpartition(":")
            if verb is None:
                break
            made = type_of(type_text.strip(), node, "a parameter")
            if made is None:
                return None, []
            if prep == "AND" and given is None:
                diags.add(
                    "G0312",
                    node.span,
                    'what stands behind "and" needs a name',
                    "with weight <number> and mate <player>",
                )
                return None, []
            role = prep or ("amount" if made.sort == "number" else "object")
            default = "amount" if made.sort == "number" else str(made.kind or made.sort)
            label = given or name.strip() or default
            if not _NAME.match(label):
                diags.add("G0308", node.span, f'"{label}" is no name', "lower case letters, digits and single hyphens")
                return None, []
            if any(p.name == label for p in params):
                diags.add(
                    "G0312", node.span, f'two parameters are called "{label}"', f"name one of them: <giver: {made}>"
                )
                return None, []
            if given is None and any(p.role == role for p in params):
                diags.add(
                    "G0312",
                    node.span,
                    "two parameters stand in the same place",
                    "use prepositions: give <card> to <player>",
                )
                return None, []
            params.append(Param(label, made, None if given else role, optional or made.optional))
            prep = given = None
    if verb is None:
        diags.add("G0312", node.span, "a signature starts with the verb", "mark <cell>")
    elif prep is not None or optional:
        what = "a bracket is not closed" if optional else "nothing stands behind the last preposition"
        diags.add("G0312", node.span, what, "give <card> to <player> [for <number>]")
        return None, []
    return verb, params

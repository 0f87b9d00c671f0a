"""Printed values: what a field of a thing or a card says, as a number; and the columns that hold them."""

from __future__ import annotations

from typing import Final, Literal

from grimoire.compiler.declare.model import Definition, Field, Kind, PackageModel, Thing, Type, Zone
from grimoire.compiler.diagnostics.report import Diagnostics, did_you_mean
from grimoire.compiler.lower.forms import as_sort
from grimoire.compiler.source.shapes import as_flag, as_int, as_text, as_text_list
from grimoire.compiler.source.tree import Node
from grimoire.runtime.core.tables import Column

MAX_NUMBER = 999_999_999
_OWNERS: Final[dict[str, Literal["seat", "fixture", "piece"]]] = {
    "seat": "seat",
    "fixture": "fixture",
    "piece": "piece",
}
_SEEN: Final[dict[str, Literal["all", "owner", "none"]]] = {"all": "all", "owner": "owner", "none": "none"}


def make_column(model: PackageModel, kind: Kind, declared: Field, diags: Diagnostics) -> Column:
    """The row of a declared field, without what is printed."""
    type_ = declared.type
    start = 0 if type_.sort in ("number", "flag") or type_.many else -1
    if type_.sort == "number":
        start = -1 if type_.optional else type_.low or 0
    if declared.start is not None:
        value = read_value(model, declared.start, type_, f"the start of {declared.name}", diags)
        start = value if value is not None else start
    low, high = bounds_of(type_)
    return Column(
        f"{kind.id}.{declared.name}",
        _OWNERS[kind.sort],
        as_sort(type_.sort),
        type_.many,
        start,
        low,
        high,
        _SEEN[declared.seen],
        None if declared.state else (),
        declared.clauses or None,
    )


def read_value(model: PackageModel, node: Node | int | str, type_: Type, what: str, diags: Diagnostics) -> int | None:
    """A printed value as an int."""
    if isinstance(node, int):
        return node
    if isinstance(node, str):
        return model.things[node].index
    if type_.many:
        mask = 0
        for item in as_text_list(node, diags, what) or []:
            one = read_value(model, item, type_.one(), what, diags)
            mask |= 1 << one if one is not None else 0
        return mask
    if type_.sort == "number":
        return as_int(node, diags, what)
    if type_.sort == "flag":
        flag = as_flag(node, diags, what)
        return None if flag is None else int(flag)
    text = as_text(node, diags, what)
    if text is None:
        return None
    if text == "nothing" and type_.optional:
        return -1
    found = _find_named(model, type_, text)
    if found is None:
        names = _names(model, type_)
        guess = did_you_mean(text, names)
        diags.add(
            _find_code(model, type_),
            node.span,
            f'{what} is a {type_}, and "{text}" is none' + (f": did you mean {guess}?" if guess else ""),
            f"write {guess}" if guess else f"one of {', '.join(names[:12])}" if names else None,
        )
        return None
    if isinstance(found, Zone) and found.each:
        diags.add(
            "G0506",
            node.span,
            f"{what} names {text}, and every player has one: it does not say whose",
            "name a common zone here, and the zone of a player in the effect that reads the field",
        )
        return None
    return found.index


def _find_named(model: PackageModel, type_: Type, text: str) -> Thing | Zone | Definition | None:
    """What a name means where a thing, a zone or a card is wanted."""
    if type_.sort == "fixture":
        thing = model.things.get(text)
        return thing if thing is not None and model.is_a(thing.kind, type_.kind) else None
    if type_.sort == "zone":
        return model.zones.get(text)
    return model.definitions.get(text) if type_.sort == "piece" else None


def _names(model: PackageModel, type_: Type) -> list[str]:
    if type_.sort == "fixture":
        return [thing.id for thing in model.things.values() if model.is_a(thing.kind, type_.kind)]
    return list(model.zones) if type_.sort == "zone" else list(model.definitions) if type_.sort == "piece" else []


def _find_code(model: PackageModel, type_: Type) -> str:
    """The code for a printed value that does not exist: a space, a card that is named, or any other."""
    if type_.kind is not None and model.is_a(type_.kind, "space"):
        return "G0521"
    named = any(kind.names is not None and kind.names == type_.kind for kind in model.kinds.values())
    return "G0522" if named else "G0501"


def read_values(model: PackageModel, owner: Thing | Definition, diags: Diagnostics) -> dict[int, int]:
    """What is printed on a thing or a card, by column; what is not said, or wrongly, is left out."""
    found: dict[int, int] = {}
    for kind in model.ancestors(owner.kind):
        for declared in model.kinds[kind].fields.values():
            node = owner.values.get(declared.name) if not declared.state else None
            if node is not None:
                value = read_value(model, node, declared.type, f"{owner.id}.{declared.name}", diags)
                if value is not None:
                    found[declared.column] = value
    return found


def bounds_of(type_: Type) -> tuple[int | None, int | None]:
    """Every number has bounds, so that no loop can make one grow without end."""
    if type_.sort != "number" or type_.many:
        return None, None
    low = -MAX_NUMBER if type_.low is None else type_.low
    return low, MAX_NUMBER if type_.high is None else type_.high

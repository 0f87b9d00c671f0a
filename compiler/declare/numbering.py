"""Number what a package declares: every table of the artefact counts in the order of declaration. The last step of
declaring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from grimoire.compiler.declare.model import Field, PackageModel, Thing, Type


class _Numbered(Protocol):
    index: int


def number_declarations(model: PackageModel) -> None:
    """Give every declared thing its place in its table, and every field its column. To do it twice changes nothing."""
    for kind in model.kinds.values():
        if kind.names is not None:
            _name_values(model, kind.id, kind.names)
    tables: list[Iterable[_Numbered]] = [
        model.kinds.values(),
        model.things.values(),
        model.zones.values(),
        model.counters.values(),
        model.definitions.values(),
        model.relations,
        model.verbs.values(),
    ]
    for table in tables:
        for number, item in enumerate(table):
            item.index = number
    fields = (declared for kind in model.kinds.values() for declared in kind.fields.values())
    for number, declared in enumerate(fields):
        declared.column = number


def _name_values(model: PackageModel, kind: str, names: str) -> None:
    """`names: character` gives every definition of the kind a value of that name and a printed field."""
    owner = model.kinds[kind]
    owner.fields.setdefault(names, Field(names, Type("fixture", names), False, None, "all", owner.span))
    for definition in model.definitions.values():
        if model.is_a(definition.kind, kind):
            if definition.id not in model.things:
                model.things[definition.id] = Thing(definition.id, names, {}, definition.span)
            definition.values.setdefault(names, definition.id)

"""A JSON schema for the files of one package, made from the kinds that it declares: editors complete and check by it.

It knows what stands on the pieces of each kind. Texts and everything that needs the whole package are left to `check`.
"""

from __future__ import annotations

from collections.abc import Iterable

from grimoire.compiler.declare.base import ABILITY_KEYS, MAX_COPIES, PIECE_SECTIONS, SECTIONS
from grimoire.compiler.declare.model import Definition, Field, PackageModel, Type
from grimoire.runtime.plain_data import Json

DIALECT = "http://json-schema.org/draft-07/schema#"  # the newest that editors of YAML understand well
_TEXT: dict[str, Json] = {"type": "string"}


def make_schema(model: PackageModel) -> dict[str, Json]:
    """The schema of all files of content of a package; what it needs counts as its own."""
    kinds = [kind.id for kind in model.kinds.values() if kind.sort == "piece"]
    sections: dict[str, Json] = {section: {} for section in SECTIONS}
    for section in PIECE_SECTIONS:
        sections[section] = {"type": "object", "additionalProperties": _choose_kind(kinds, section[:-1])}
    sections["replaces"] = {
        "type": "object",
        "properties": {one.id: _refer(f"{one.kind} replaced") for one in model.definitions.values()},
        "additionalProperties": False,
    }
    shared: dict[str, Json] = {
        "a clause": _one_or_more(model.clauses),
        "an ability": _describe_ability(model),
    }
    shared |= {kind: _describe_piece(model, kind, True) for kind in kinds}
    shared |= {f"{kind} replaced": _describe_piece(model, kind, False) for kind in kinds}
    return {
        "$schema": DIALECT,
        "title": f"Files of {model.id}",
        "type": "object",
        "properties": sections,
        "additionalProperties": False,
        "definitions": shared,
    }


def _choose_kind(kinds: list[str], plain: str) -> dict[str, Json]:
    """A piece is looked at by the kind that it names; one that names none is of the kind of its section."""
    rows: list[Json] = [
        {"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": _refer(kind)} for kind in kinds
    ]
    rows.append({"if": {"not": {"required": ["kind"]}}, "then": _refer(plain)})
    return {"type": "object", "properties": {"kind": {"enum": [*kinds]}}, "allOf": rows}


def _refer(name: str) -> dict[str, Json]:
    """To one of the shared definitions; the names of those that are no kinds have spaces, as no kind has."""
    return {"$ref": f"#/definitions/{name.replace(' ', '%20')}"}


def _describe_piece(model: PackageModel, kind: str, is_whole: bool) -> dict[str, Json]:
    """What stands on a piece of a kind; of one that is replaced only what is new."""
    above = [model.kinds[name] for name in model.ancestors(kind)]
    fields = {field.name: field for one in above for field in one.fields.values() if not field.state}
    named = {one.names for one in above}
    zones = [zone.id for zone in model.zones.values() if not zone.each and model.fits(kind, zone.holds)]
    zones += [thing.id for thing in model.things.values() if model.kinds[thing.kind].holds]
    found: dict[str, Json] = {
        "kind": {"const": kind},
        "copies": {"type": "integer", "minimum": 1, "maximum": MAX_COPIES},
        "in": {"enum": [*zones]},
        "abilities": {"type": "object", "additionalProperties": _refer("an ability")},
        "clause": _refer("a clause"),
        "when": _describe_when(model),
    }
    for one in above:
        for slot, what in one.slots.items():
            found[slot] = _TEXT if what == "effect" else {"type": "array", "items": _TEXT}
    found |= {name: _describe_value(model, field) for name, field in fields.items()}
    required = [name for name, field in fields.items() if not _may_be_left_out(field) and name not in named]
    made: dict[str, Json] = {"type": "object", "properties": found, "additionalProperties": False}
    return made | ({"required": [*required]} if is_whole and required else {})


def _may_be_left_out(field: Field) -> bool:
    return field.type.optional or field.start is not None


def _describe_ability(model: PackageModel) -> dict[str, Json]:
    found: dict[str, Json] = dict.fromkeys(ABILITY_KEYS, _TEXT)
    found |= {verb.uses: _TEXT for verb in model.verbs.values() if verb.uses}
    found["window"] = {"type": ["string", "array"]}
    found["in"] = _one_or_more(model.zones)
    found["clause"] = _refer("a clause")
    return {"type": "object", "properties": found, "additionalProperties": False}


def _describe_value(model: PackageModel, field: Field) -> dict[str, Json]:
    type_ = field.type
    if type_.many:
        return {"type": "array", "items": _describe_one(model, type_)}
    return _describe_one(model, type_)


def _describe_one(model: PackageModel, type_: Type) -> dict[str, Json]:
    if type_.sort == "number":
        found: dict[str, Json] = {"type": "integer"}
        return found | {k: v for k, v in (("minimum", type_.low), ("maximum", type_.high)) if v is not None}
    if type_.sort == "flag":
        return {"type": "boolean"}
    names = _list_names(model, type_)
    return {"enum": [*names, "nothing"] if type_.optional else [*names]}


def _list_names(model: PackageModel, type_: Type) -> list[str]:
    if type_.sort == "zone":
        return [*model.zones]
    rows: Iterable[Definition] = model.definitions.values()
    if type_.sort == "piece":
        return [one.id for one in rows if model.is_a(one.kind, type_.kind)]
    found = [thing.id for thing in model.things.values() if model.is_a(thing.kind, type_.kind)]
    bearing = [kind.id for kind in model.kinds.values() if kind.names is not None and kind.names == type_.kind]
    return found + [one.id for one in rows if any(model.is_a(one.kind, kind) for kind in bearing)]


def _describe_when(model: PackageModel) -> dict[str, Json]:
    """The options that bring something."""
    rows: dict[str, Json] = {
        one.id: _one_or_more(one.values) if one.values else {"type": "boolean"} for one in model.options.values()
    }
    return {"type": "object", "properties": rows, "additionalProperties": False}


def _one_or_more(names: Iterable[str]) -> dict[str, Json]:
    one: dict[str, Json] = {"enum": [*names]}
    return {"anyOf": [one, {"type": "array", "items": one}]}

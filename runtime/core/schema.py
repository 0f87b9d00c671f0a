"""The JSON Schema of an artefact, from the declarations of the core."""

from __future__ import annotations

from typing import Final

from grimoire.runtime.core.records import (
    FORMS,
    Expression,
    Many,
    Maybe,
    Named,
    Plain,
    RecordClass,
    Row,
    Selector,
    Slots,
    Statement,
    What,
    Words,
    parts_of,
)
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.plain_data import Json

Schema = dict[str, Json]

_SORT: Final = "^(set:)?(number|flag|seat|fixture|piece|zone)?$"
_PLAIN: Final[dict[Plain, Schema]] = {
    Plain.NUMBER: {"type": "integer"},
    Plain.FLAG: {"type": "boolean"},
    Plain.TEXT: {"type": "string"},
    Plain.OPTION: {"type": "string"},
    Plain.SORT: {"type": "string", "pattern": _SORT},
    Plain.ZONE: {"type": "integer", "minimum": 0},
    Plain.JSON: {},
}
_BASES: Final[dict[RecordClass, str]] = {Expression: "expression", Selector: "selector", Statement: "statement"}


def artefact_schema() -> Schema:
    """The schema of the whole document. The runtime also checks that every index is in range."""
    records: dict[str, Schema] = {}
    schema = _object(Artefact, records)
    forms = {
        "expression": _describe_list_forms(Expression, records),
        "selector": _describe_list_forms(Selector, records),
        "statement": _describe_statements(records),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Grimoire artefact",
        "description": "What the compiler writes and the runtime plays. "
        "The runtime also checks that every index is in range.",
        **schema,
        "$defs": forms | dict(sorted(records.items())),
    }


def _of(what: What, records: dict[str, Schema]) -> Schema:
    if isinstance(what, Many):
        return {"type": "array", "items": _of(what.of, records)}
    if isinstance(what, Maybe):
        return {"anyOf": [{"type": "null"}, _of(what.of, records)]}
    if isinstance(what, Named):
        return {"type": "object", "additionalProperties": _of(what.of, records)}
    if isinstance(what, Row):
        return {"type": "integer", "minimum": what.low}
    if isinstance(what, Words):
        return {"enum": list(what.words)}
    if isinstance(what, Slots):
        return {"type": "integer", "minimum": 0}
    if isinstance(what, Plain):
        return _PLAIN[what]
    name = _BASES.get(what) or ("statement" if issubclass(what, Statement) else what.__name__)
    if name == what.__name__ and name not in records:
        records[name] = {}
        records[name] |= _object(what, records)
    return {"$ref": f"#/$defs/{name}"}


def _object(record: RecordClass, records: dict[str, Schema], name: str = "") -> Schema:
    """An object with the parts of a record; with a name it is the statement that is called so."""
    parts = parts_of(record)
    common: Schema = (
        {"op": {"const": name}, "at": {"type": "integer", "minimum": -1}, "clause": {"type": "string"}} if name else {}
    )
    return {
        "type": "object",
        "properties": common | {part.name: _of(part.what, records) for part in parts},
        "required": [*(["op"] if name else []), *(part.name for part in parts if not part.default)],
        "additionalProperties": False,
    }


def _describe_list_forms(base: RecordClass, records: dict[str, Schema]) -> Schema:
    """Expressions and selectors: a list that begins with the name."""
    cases = []
    for name, form in FORMS[base].items():
        then: Schema = {"type": "array", "items": False}
        fixed: list[Schema] = [{"const": name}]
        for part in parts_of(form.record):
            if isinstance(part.what, Many):
                then["items"] = _of(part.what.of, records)
            else:
                fixed.append(_of(part.what, records))
        cases.append(_when({"prefixItems": [{"const": name}]}, then | {"prefixItems": fixed, "minItems": len(fixed)}))
    names = {"enum": sorted(FORMS[base])}
    return {"type": "array", "minItems": 1, "prefixItems": [names], "allOf": cases}


def _describe_statements(records: dict[str, Schema]) -> Schema:
    """Statements: an object whose `op` is the name."""
    cases = []
    for name, form in FORMS[Statement].items():
        cases.append(_when({"properties": {"op": {"const": name}}}, _object(form.record, records, name)))
    names = {"op": {"enum": sorted(FORMS[Statement])}}
    return {"type": "object", "required": ["op"], "properties": names, "allOf": cases}


def _when(condition: Schema, then: Schema) -> Schema:
    return {"if": condition, "then": then}

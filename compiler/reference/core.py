"""Make the tables of docs/design/core.md and the schema of the artefact from the declarations of the core.

In: the text of the page. Out: `render(text)`, the text with its tables made anew: each stands between `<!-- forms: NAME
-->` and `<!-- end -->`. Run as a module to write the page and the schema anew: `python -m
grimoire.compiler.reference.core`. A test compares them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from grimoire.compiler.files import write_file
from grimoire.runtime import artefact_schema
from grimoire.runtime.core.records import (
    FORMS,
    Expression,
    Form,
    Many,
    Maybe,
    Named,
    Part,
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

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "design" / "core.md"
SCHEMA: Final = ROOT / "grammar" / "artefact.schema.json"
_TABLES: Final[dict[str, RecordClass]] = {"expressions": Expression, "selectors": Selector, "statements": Statement}


def render(text: str) -> str:
    """The page with its tables made anew."""
    for name, base in _TABLES.items():
        table = _statements() if base is Statement else _lists(base)
        marks = re.compile(rf"(<!-- forms: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = marks.subn(lambda match, table=table: f"{match[1]}{table}{match[2]}", text)  # type: ignore[misc]
        if found != 1:
            raise ValueError(f"the page has {found} places for the table of {name}, it needs one")
    return text


def render_schema() -> str:
    """The schema as its file has it."""
    return json.dumps(artefact_schema(), indent=1) + "\n"


def _lists(base: RecordClass) -> str:
    """Forms that are written as lists; those of one record share a line."""
    lines = ["| form | value |", "| --- | --- |"]
    for names, form in _records(base):
        parts = parts_of(form.record)
        shown = ", ".join([f'"{names[0]}"', *(_name_part(part) for part in parts)])
        others = "".join(f" `{_cell(name)}`" for name in names[1:])
        lines.append(f"| `[{_cell(shown)}]`{others} | {_cell(form.meaning)} |")
    return "\n".join(lines) + "\n"


def _statements() -> str:
    lines = ["| op | fields | meaning |", "| --- | --- | --- |"]
    for names, form in _records(Statement):
        fields = ", ".join(
            f"`{part.name}`{'?' if part.default else ''}: {_say(part.what)}" for part in parts_of(form.record)
        )
        lines.append(f"| `{names[0]}` | {_cell(fields)} | {_cell(form.meaning)} |")
    return "\n".join(lines) + "\n"


def _records(base: RecordClass) -> list[tuple[list[str], Form]]:
    found: dict[RecordClass, list[str]] = {}
    for name, form in FORMS[base].items():
        found.setdefault(form.record, []).append(name)
    return [(names, FORMS[base][names[0]]) for names in found.values()]


def _name_part(part: Part) -> str:
    return f"{part.name} .." if isinstance(part.what, Many) else part.name


def _say(what: What) -> str:
    """What may stand in a field, in a few words."""
    if isinstance(what, Maybe):
        return _say(what.of)
    if isinstance(what, Many | Named):
        return f"list of {_say(what.of)}"
    if isinstance(what, Row):
        return f"row of {what.table}{' or -1' if what.low < 0 else ''}"
    if isinstance(what, Words):
        return " or ".join(f"`{word}`" for word in what.words)
    if isinstance(what, Slots):
        return f"slot ({what.value})"
    if isinstance(what, Plain):
        return what.name.lower()
    return what.__name__.lower()


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    write_file(PAGE, render(PAGE.read_text(encoding="utf-8")).encode())
    write_file(SCHEMA, render_schema().encode())

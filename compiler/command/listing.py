"""The command `list`: what a package has.

In: the parsed command line. Out: an exit code, and on stdout the sections of the package as text or as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from grimoire.compiler.command.common import FINE, open_package, print_json
from grimoire.compiler.records import record
from grimoire.compiler.telling import WrongUse, guess, list_names, make_printable
from grimoire.runtime.core.tables import Artefact
from grimoire.runtime.core.writing import write, write_row
from grimoire.runtime.plain_data import Json

if TYPE_CHECKING:
    import argparse

BASES: Final = ("card", "sheet", "token", "figure")  # what is printed: all of it stands under `cards`
LANGUAGES: Final = "languages"


def list_command(args: argparse.Namespace) -> int:
    artefact = open_package(args.package).artefact
    kinds = list(dict.fromkeys([row.id for row in artefact.kinds] + headings_of(artefact)))
    if args.kind is not None and args.kind not in kinds:
        raise WrongUse(
            f"{artefact.package.id} has no kind '{make_printable(args.kind)}'{guess(args.kind, kinds)}; "
            f"its kinds: {list_names(kinds, 30)}"
        )
    found = unverified_clauses_of(artefact) if args.unverified else contents_of(artefact, args.kind)
    if args.json:
        print_json(found.to_json())
    else:
        _print_contents(found)
    return FINE


Rows: TypeAlias = list[dict[str, Json]]


@record()
class Contents:
    """What an artefact has, by section; each row has an `id`."""

    artefact: Artefact
    sections: dict[str, Rows]

    def to_json(self) -> dict[str, Json]:
        found: dict[str, Json] = {"package": write(self.artefact.package), "players": write(self.artefact.players)}
        for section, rows in self.sections.items():
            found[section] = list(self.artefact.languages) if section == LANGUAGES else rows
        return found


def contents_of(artefact: Artefact, kind: str | None) -> Contents:
    """What an artefact has; with a kind, only its things of that kind, of a kind below it, or under that heading."""
    above, headings = _ancestors(artefact), headings_of(artefact)

    def is_wanted(index: int) -> bool:
        return kind is None or kind in above[index] or kind == headings[index]

    found: dict[str, Rows] = {}
    found["cards"] = [
        {
            "id": row.id,
            "kind": headings[row.kind],
            "count": row.copies,
            "base": next((base for base in BASES if base in above[row.kind]), "piece"),
        }
        for row in artefact.definitions
        if is_wanted(row.kind)
    ]
    found["things"] = [
        {"id": row.id, "kind": artefact.kinds[row.kind].id} for row in artefact.fixtures if is_wanted(row.kind)
    ]
    if kind is None:
        found["zones"] = [{"id": row.id, "each": row.each, "seen": row.seen} for row in artefact.zones]
        found["options"] = [write_row(row) for row in artefact.options]
        found[LANGUAGES] = [{"id": id_} for id_ in artefact.languages]
        found["clauses"] = [{"id": id_, "kind": row.kind} for id_, row in artefact.clauses.items()]
    return Contents(artefact, found)


def unverified_clauses_of(artefact: Artefact) -> Contents:
    """The clauses of the ledger that no certain source confirms."""
    rows: Rows = [
        {"id": id_, "kind": row.kind, "unverified": row.unverified}
        for id_, row in artefact.clauses.items()
        if row.unverified is not None
    ]
    return Contents(artefact, {"clauses": rows})


def headings_of(artefact: Artefact) -> list[str]:
    """For each kind the word under which lists show it: `listed` of the nearest kind that has it, or its own id."""
    found: list[str] = []
    for row in artefact.kinds:
        above = row
        while above.listed is None and above.is_ >= 0:
            above = artefact.kinds[above.is_]
        found.append(row.id if above.listed is None else above.listed)
    return found


def _ancestors(artefact: Artefact) -> list[list[str]]:
    """For each kind its own id and those of the kinds above it."""
    found: list[list[str]] = []
    for row in artefact.kinds:
        names = [row.id]
        while row.is_ >= 0:
            row = artefact.kinds[row.is_]
            names.append(row.id)
        found.append(names)
    return found


def _print_contents(found: Contents) -> None:
    about, players = found.artefact.package, found.artefact.players
    sizes = str(players.min) if players.min == players.max else f"{players.min} to {players.max}"
    print(f"{about.id} {about.version}, {sizes} players")
    for section, rows in found.sections.items():
        if not rows:
            continue
        if section == LANGUAGES:
            print(f"languages: {', '.join(found.artefact.languages)}")
            continue
        print(f"{section}:")
        width = max(len(str(row["id"])) for row in rows)
        for row in rows:
            rest = [_word_value(key, value) for key, value in row.items() if key != "id"]
            print(f"  {row['id']:<{width}}  {'  '.join(part for part in rest if part)}".rstrip())


def _word_value(key: str, value: object) -> str:
    if key == "count":
        return f"{value} x"
    if key == "base":
        return "" if value == "card" else str(value)
    return _word_visibility(str(value)) if key == "seen" else _cell(value)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "one a player" if value else ""
    if isinstance(value, list):
        return " | ".join(str(item) for item in value)
    return "" if value is None else str(value)


def _word_visibility(value: str) -> str:
    """Who sees into a zone, in the words of the files."""
    return {"all": "everyone", "none": "nobody"}.get(value, value)

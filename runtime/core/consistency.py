"""What must hold between the rows of an artefact, beyond what each of them says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NoReturn

from grimoire.runtime.core.reading import WINDOW
from grimoire.runtime.core.tables import Ability, Artefact, Column, Function, ProcedureOf
from grimoire.runtime.errors import ArtefactError
from grimoire.runtime.limits import MAX_ABILITIES, MAX_PIECES

SEATS: Final = 64
SPOTS: Final = 1_000  # steps of a drawing, from the left and from the top


def check_consistency(artefact: Artefact) -> None:
    """Raise ``ArtefactError`` for the first thing that does not fit another."""
    low, high = artefact.players.min, artefact.players.max
    if not 1 <= low <= high <= SEATS:
        _fail("players", f"{low} to {high} is no range of players (1 to {SEATS})")
    _check_ids(artefact)
    _check_kinds(artefact)
    _check_pieces(artefact)
    for at, relation in enumerate(artefact.relations):
        if len(relation.table) != len(artefact.fixtures):
            _fail(f"relations[{at}]", f"the table needs one row for each of {len(artefact.fixtures)} fixtures")
        if any(len(pair) != 2 for only in relation.only or () for pair in only.pairs):
            _fail(f"relations[{at}]", "a pair has two fixtures")
    for at, fixture in enumerate(artefact.fixtures):
        if fixture.spot is not None and (
            len(fixture.spot) != 2 or not 0 <= min(fixture.spot) <= max(fixture.spot) < SPOTS
        ):
            _fail(f"fixtures[{at}]", f"a spot has two numbers from 0 to {SPOTS - 1}")
    for at, option in enumerate(artefact.options):
        if option.sort == "choice" and not option.values:
            _fail(f"options[{at}]", "a choice needs values")
    for at, place in enumerate(artefact.places):
        if len(place) < 3:
            _fail(f"places[{at}]", "expected [file, line, column, ..]")
    for at, column in enumerate(artefact.columns):
        _check_printed(artefact, column, f"columns[{at}]")
    for at, procedure in enumerate(artefact.procs):
        _check_window(procedure, f"procs[{at}]")
        if procedure.sorts is not None and len(procedure.sorts) != procedure.params:
            _fail(f"procs[{at}]", f"sorts needs {procedure.params} entries")
    for at, function in enumerate(artefact.functions):
        _check_window(function, f"functions[{at}]")
    if len(artefact.abilities) > MAX_ABILITIES:
        _fail("abilities", f"{len(artefact.abilities)} are too many (at most {MAX_ABILITIES})")
    for at, ability in enumerate(artefact.abilities):
        _check_ability(artefact, ability, f"abilities[{at}:{ability.id}]")
    for at, modifier in enumerate(artefact.modifiers):
        if not 0 <= modifier.slot < WINDOW:
            _fail(f"modifiers[{at}].slot", f"slot {modifier.slot} is outside the window of {WINDOW} slots")


def _check_ids(artefact: Artefact) -> None:
    tables: dict[str, Iterator[str]] = {
        "kinds": (row.id for row in artefact.kinds),
        "fixtures": (row.id for row in artefact.fixtures),
        "zones": (row.id for row in artefact.zones),
        "vars": (row.id for row in artefact.vars),
        "columns": (row.id for row in artefact.columns),
        "definitions": (row.id for row in artefact.definitions),
        "functions": (row.id for row in artefact.functions),
        "relations": (row.id for row in artefact.relations),
    }
    for name, ids in tables.items():
        seen: set[str] = set()
        for at, ident in enumerate(ids):
            if ident in seen:
                _fail(f"{name}[{at}]", f"the id {ident!r} is used twice")
            seen.add(ident)


def _check_kinds(artefact: Artefact) -> None:
    for at in range(len(artefact.kinds)):
        steps, kind = 0, at
        while kind >= 0:
            kind = artefact.kinds[kind].is_
            steps += 1
            if steps > len(artefact.kinds):
                _fail(f"kinds[{at}]", "the chain of parents is a circle")


def _check_pieces(artefact: Artefact) -> None:
    pieces = 0
    for at, definition in enumerate(artefact.definitions):
        pieces += max(definition.copies, 0)
        if definition.copies < 0 or pieces > MAX_PIECES:
            _fail(f"definitions[{at}]", f"{definition.copies} copies are too many or too few")
        if definition.start >= 0 and artefact.zones[definition.start].each:
            _fail(f"definitions[{at}]", "pieces cannot start in a zone that each seat has")
        if definition.on is not None and (definition.start >= 0 or not artefact.fixtures[definition.on].holds):
            _fail(f"definitions[{at}]", "pieces start in one place, one that holds pieces")


def _check_printed(artefact: Artefact, column: Column, where: str) -> None:
    if column.printed is None:
        return
    rows: Sequence[object] = {"fixture": artefact.fixtures, "piece": artefact.definitions, "seat": ()}[column.of]
    if column.of == "seat" or len(column.printed) != len(rows):
        _fail(where, f"printed needs {len(rows)} values")


def _check_window(row: ProcedureOf | Function, where: str) -> None:
    if not 0 <= row.params < row.slots <= WINDOW:
        _fail(where, f"{row.slots} slots do not hold you and {row.params} parameters")


def _check_ability(artefact: Artefact, ability: Ability, where: str) -> None:
    if not artefact.procs[ability.on].verb:
        _fail(where, "hears a procedure that is no verb")
    if ability.ends is not None and (len(ability.ends) != 2 or ability.of != -2 or min(ability.ends) < 0):
        _fail(where, "ends has two numbers from 0 on, and stands in a floating ability")
    if ability.proc < 0 and ability.phase != "cannot" and ability.ends is None:
        _fail(where, "has no procedure")


def _fail(path: str, text: str) -> NoReturn:
    raise ArtefactError(f"{path}: {text}")

"""Views: what a seat sees of a game, as plain JSON. Piece numbers never leave the kernel."""

from __future__ import annotations

from grimoire.runtime.artefact import arguments
from grimoire.runtime.build.program import Program
from grimoire.runtime.core.tables import Column
from grimoire.runtime.kernel.base import VARS, Floating
from grimoire.runtime.kernel.menus import PollOp
from grimoire.runtime.play.names import Names
from grimoire.runtime.play.protocols import PlayedGame
from grimoire.runtime.play.shapes import DecisionView, EffectView, Piece, Shown, View


def view_of(game: PlayedGame, seat: int | None) -> View:
    """The view of a seat; None sees everything."""
    p, g = game.program, game.state
    if seat is not None:
        arguments.seat(seat, p.seats)
    names = Names(p, g, -1 if seat is None else seat)
    shown: View = {
        "package": p.package.id,
        "players": p.seats,
        "seat": None if seat is None else p.seat_names[seat],
        "vars": {
            row.id: show(names, row.sort, bool(row.set), g.mem[VARS + at])
            for at, row in enumerate(p.artefact.vars)
            if seat is None or row.seen == "all"
        },
        "seats": {name: {} for name in p.seat_names},
        "fixtures": {},
        "zones": {},
    }
    columns = p.stored_columns()
    absent = p.layout.absent
    if absent:
        shown["absent"] = [p.fixture_names[at] for at in sorted(absent)]
    if p.layout.closed_ways:
        shown["closed"] = [[p.fixture_names[start], p.fixture_names[end]] for start, end in p.layout.closed_ways]
    for row, base in columns:
        if row.of == "seat":
            for other, name in enumerate(p.seat_names):
                if seat is None or row.seen == "all" or (row.seen == "owner" and other == seat):
                    shown["seats"][name][row.id] = show(names, row.sort, row.set, g.mem[base + other])
        elif row.of == "fixture" and (seat is None or row.seen == "all"):
            for at, name in enumerate(p.fixture_names):
                if at in absent or not bears(p, row, at):
                    continue
                value = show(names, row.sort, row.set, g.mem[base + at])
                shown["fixtures"].setdefault(name, {})[row.id] = value
    of_pieces = [(row, base) for row, base in columns if row.of == "piece"]
    for zone, name in enumerate(p.zone_names):
        if zone in p.layout.absent_zones:
            continue
        pieces = g.zones[zone]
        if seat is not None and zone in p.uncounted:
            pieces = pieces[-1:]
        shown["zones"][name] = [piece_view(names, piece, of_pieces) for piece in pieces]
    if seat is not None and p.uncounted:
        shown["uncounted"] = [p.zone_names[zone] for zone in sorted(p.uncounted)]
    abilities = p.tables.abilities
    shown["effects"] = [
        effect_view(names, effect)
        for _, effect in sorted(g.floats.items())
        if effect.modifies or abilities[effect.which].unit >= 0 or abilities[effect.which].ends_before < 0
    ]
    shown["decision"] = decision_view(game, seat)
    outcome = game.outcome
    shown["outcome"] = None
    if outcome is not None:
        winners = [p.seat_names[winner] for winner in outcome.winners]
        scores = None if outcome.scores is None else list(outcome.scores)
        shown["outcome"] = {"id": outcome.id, "winners": winners, "scores": scores}
    return shown


def bears(p: Program, row: Column, number: int) -> bool:
    """Whether a fixture or a piece is of the kind that has the state."""
    kind, dot, _ = row.id.partition(".")
    found = p.kind_numbers.get(kind, -1) if dot else -1
    return found < 0 or p.is_of_kind(row.of, found, number)


def show(names: Names, sort: str, many: bool, value: int) -> Shown:
    """A value by its sort."""
    if many:
        return [names.value(sort, x) for x in names.members(sort, value)]
    return names.value(sort, value)


def piece_view(names: Names, piece: int, columns: list[tuple[Column, int]]) -> Piece:
    """A piece in its zone: definition (null if not known) and the columns that may be seen."""
    g, p = names.g, names.program
    knows = names.knows(piece)
    shown: Piece = {"id": p.definition_names[p.piece_def[piece]] if knows else None}
    if not knows and p.backs[p.piece_def[piece]] is not None:
        shown["kind"] = p.backs[p.piece_def[piece]]
    for row, base in columns:
        if not bears(p, row, piece):
            continue
        if names.seat < 0 or row.seen == "all" or (row.seen == "owner" and knows):
            shown[row.id] = show(names, row.sort, row.set, g.mem[base + piece])
    return shown


def effect_view(names: Names, effect: Floating) -> EffectView:
    """A floating effect: what and whose."""
    p = names.program
    owner = p.seat_names[effect.owner] if effect.owner >= 0 else None
    if not effect.modifies:
        return {"ability": p.tables.abilities[effect.which].id, "owner": owner}
    return {"modifies": p.artefact.columns[p.artefact.modifiers[effect.which].col].id, "owner": owner}


def decision_view(game: PlayedGame, seat: int | None) -> DecisionView | None:
    """Who is thinking; what about, and the options, only for the seat itself."""
    g, p = game.state, game.program
    if not g.waiting:
        return None
    op = g.waiter()
    if isinstance(op, PollOp):
        found: DecisionView = {"seats": [p.seat_names[s] for s in op.find_pending(g, g.base)]}
        for decision in game.decisions():
            if decision.seat == seat:
                return {
                    **found,
                    "seat": p.seat_names[seat],
                    "number": decision.number,
                    "label": decision.label,
                    "options": list(decision.keys),
                }
        return found
    decision = game.decisions()[0]
    if seat is not None and seat != decision.seat:
        return {"seat": p.seat_names[decision.seat]}
    return {
        "seat": p.seat_names[decision.seat],
        "number": decision.number,
        "label": decision.label,
        "options": list(decision.keys),
    }

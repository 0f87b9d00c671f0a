"""Saves: the whole game as plain JSON, pending work included; loading checks the content hash."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from grimoire.runtime import given, trial
from grimoire.runtime.artefact import Package, canonical
from grimoire.runtime.base import NIL, VARS, WaitOp
from grimoire.runtime.errors import ContentMismatch, GrimoireError, SaveError
from grimoire.runtime.game import Game, fresh_state, new_game
from grimoire.runtime.live import LiveSlots
from grimoire.runtime.log import Begun, Log, Written
from grimoire.runtime.program import Program, program_for
from grimoire.runtime.script import RandomScript
from grimoire.runtime.state import State
from grimoire.runtime.store import with_instance

FORMAT: Final = "grimoire-save"
VERSION: Final = 2


def live_slots(program: Program) -> LiveSlots:
    """The live sets of a program, kept with it."""
    if program.live is None:
        program.live = LiveSlots(program)
    found = program.live
    assert isinstance(found, LiveSlots)
    return found


def frames_data(game: Game) -> list[list[Any]]:
    """The frames from the bottom: unit, position, values of the live slots."""
    g = game.state
    if g.over >= 0:
        return []
    live = live_slots(game.program)
    found: list[list[Any]] = []
    for number in range(len(g.frames) // 3 + 1):
        top = number * 3 == len(g.frames)
        unit = g.frame_unit(number)
        pc = g.pc if top else g.frames[number * 3 + 1]
        base = g.frame_base(number)
        found.append([unit, pc, [g.slots[base + i] for i in live.at(unit, pc)]])
    return found


def since_slots(g: State) -> list[int]:
    """The slots in which running events keep the moment at which they began, for the log."""
    found: list[int] = []
    for number in range(len(g.frames) // 3 + 1):
        base = g.frame_base(number)
        found.extend(base + offset for offset in g.units[g.frame_unit(number)].since)
    return found


def since_data(g: State) -> list[int]:
    """What they hold."""
    return [] if g.over >= 0 else [g.slots[at] for at in since_slots(g)]


def floats_data(g: State) -> list[list[int]]:
    """The floating effects, by serial."""
    return [[serial, *effect] for serial, effect in sorted(g.floats.items())]


def state_data(game: Game) -> list[Any]:
    """Everything that makes two games differ, as nested lists of ints and text."""
    g, p = game.state, game.program
    options = [p.option_values[row["id"]] for row in p.doc["options"]]
    ended = ["", 0] if g.over < 0 else [p.outcomes[g.over], g.winners]
    return [p.package.hash, p.seats, options, g.mem, g.zones, frames_data(game), floats_data(g), ended]


def save_game(game: Game) -> dict[str, Any]:
    """The save of a game."""
    g, p = game.state, game.program
    variables = {row["id"]: g.mem[VARS + at] for at, row in enumerate(p.doc["vars"])}
    columns: dict[str, list[int]] = {}
    sizes = {"seat": p.seats, "fixture": len(p.fixture_names), "piece": len(p.piece_def)}
    for at, row in enumerate(p.doc["columns"]):
        base = p.builder.column_base[at]
        if base >= 0:
            columns[row["id"]] = g.mem[base : base + sizes[row["of"]]]
    frames = []
    for unit, pc, values in frames_data(game):
        u = p.units[unit]
        sort = "event" if u.event else "ability" if u.ability else "call"
        frames.append({"proc": u.name, "as": sort, "unit": unit, "at": pc, "slots": values})
    saved: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "package": {"id": p.package.id, "version": p.package.version},
        "content": p.package.hash,
        "seed": game.seed,
        "players": game.players,
        "options": dict(game.options),
        "script": game.script,
        "decisions": list(game.decisions_made),
        "edited": game.edited,
        "state": {
            "counters": g.mem[:NIL],
            "vars": variables,
            "columns": columns,
            "zones": {
                name: [p.piece_names[piece] for piece in g.zones[zone]] for zone, name in enumerate(p.zone_names)
            },
            "known": g.mem[p.known : p.known + len(p.piece_def)],
            "stamps": g.mem[p.tables.stamps :],
            "frames": frames,
            "floats": floats_data(g),
            "outcome": None if g.over < 0 else [p.outcomes[g.over], g.winners],
        },
    }
    if isinstance(g.log, Log):
        saved["log"] = [{"begin": row.begin, "end": row.end, "told": list(row.versions)} for row in g.log.written]
        saved["seen"] = {"moment": g.log.moment, "blurred": g.log.blurred[:], "since": since_data(g)}
        saved["open"] = [[moment, begun.proc, begun.base, *begun.slots] for moment, begun in sorted(g.log.open.items())]
    saved["check"] = checksum(saved)
    return saved


def checksum(saved: dict[str, Any]) -> str:
    """What tells a whole save from a damaged or edited one."""
    rest = {key: value for key, value in saved.items() if key != "check"}
    return hashlib.blake2b(canonical(rest), digest_size=16).hexdigest()


def load_game(package: Package, save: dict[str, Any], migrate: bool = False) -> Game:
    """A game from its save. Another content hash is refused, unless ``migrate``: then the decisions are replayed."""
    given.package(package)
    try:
        if not isinstance(save, dict) or save.get("format") != FORMAT:
            raise SaveError("this is no saved game")
        if save.get("version") != VERSION:
            raise SaveError(f"save version {save.get('version')!r} is not known; this runtime loads {VERSION}")
        if save["content"] != package.hash:
            if not migrate:
                raise ContentMismatch(str(save["content"]), package.hash)
            return _migrate(package, save)
        if save.get("check") != checksum(save):
            raise SaveError("the save was damaged or edited: its checksum does not fit")
        return _restore(package, save)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise SaveError(f"the save is damaged: {type(error).__name__} {error}") from None


def _migrate(package: Package, save: dict[str, Any]) -> Game:
    if save.get("edited"):
        raise SaveError("the position was edited, so its decisions cannot be replayed on other content")
    known = {row["id"] for row in package.document["options"]}
    options = {name: value for name, value in save["options"].items() if name in known}
    game = new_game(package, save["players"], save["seed"], options, script=save.get("script"))
    for at, line in enumerate(save["decisions"]):
        seat, key = split_decision(line)
        try:
            game.choose(key, seat)
        except GrimoireError as error:
            raise SaveError(f"decision {at + 1} ({line}) does not fit the new content: {error}") from None
    return game


def split_decision(line: str) -> tuple[int, str]:
    """``p1 key`` -> seat number and key."""
    name, _, key = line.partition(" ") if isinstance(line, str) else ("", "", "")
    if not name.startswith("p") or not name[1:].isdigit():
        raise SaveError(f"{line!r} is no decision: expected 'p1 key'")
    return int(name[1:]) - 1, key


def _restore(package: Package, save: dict[str, Any]) -> Game:
    options = dict(save["options"])
    p = program_for(package, save["players"], options)
    g = fresh_state(p, save["seed"])
    state = save["state"]
    mem = [*_ints(state["counters"], NIL), -1]
    mem.extend(_int(state["vars"][row["id"]]) for row in p.doc["vars"])
    sizes = {"seat": p.seats, "fixture": len(p.fixture_names), "piece": len(p.piece_def)}
    for at, row in enumerate(p.doc["columns"]):
        if p.builder.column_base[at] >= 0:
            mem.extend(_ints(state["columns"][row["id"]], sizes[row["of"]]))
    mem.extend(_ints(state["known"], len(p.piece_def)))
    mem.extend(_ints(state["stamps"], len(p.tables.instance_ability)))
    if len(mem) != len(g.mem):
        raise SaveError("the save is damaged: wrong number of values")
    g.mem = mem
    _restore_zones(p, g, state["zones"])
    g.floats = {_int(row[0]): tuple(_ints(row[1:], len(row) - 1)) for row in state["floats"]}
    rebuild_index(p, g)
    if save.get("script") is not None:
        g.script = RandomScript(p, save["script"])
    if state["outcome"] is not None:
        g.over = p.outcomes.index(state["outcome"][0])
        g.winners = _int(state["outcome"][1])
        g.waiting = False
    else:
        _restore_frames(p, g, state["frames"])
    if "log" in save:
        log = Log(p)
        log.written = [Written(_int(row["begin"]), _int(row["end"]), list(row["told"])) for row in save["log"]]
        log.open = {
            _int(row[0]): Begun(_int(row[1]), _int(row[2]), _ints(row[3:], len(row) - 3)) for row in save["open"]
        }
        seen = save["seen"]
        log.moment = _int(seen["moment"])
        log.blurred = _ints(seen["blurred"], len(p.piece_def))
        if g.over < 0:
            slots = since_slots(g)
            for at, moment in zip(slots, _ints(seen["since"], len(slots)), strict=True):
                g.slots[at] = moment
        g.log = log
    game = Game(p, g, save["seed"], options, save.get("script"))
    game.edited = bool(save.get("edited"))
    game._made = [split_decision(line) for line in save["decisions"]]
    trial.refresh(g)
    return game


def _restore_zones(p: Program, g: State, zones: dict[str, list[str]]) -> None:
    numbers = {name: piece for piece, name in enumerate(p.piece_names)}
    g.loc = [-1] * len(p.piece_def)
    g.zones = [[numbers[name] for name in zones[zone]] for zone in p.zone_names]
    for zone, pieces in enumerate(g.zones):
        for piece in pieces:
            if g.loc[piece] >= 0:
                raise SaveError(f"the save is damaged: {p.piece_names[piece]} is in two places")
            g.loc[piece] = zone


def _restore_frames(p: Program, g: State, frames: list[dict[str, Any]]) -> None:
    live = live_slots(p)
    base = 0
    g.frames = []
    g.abil = 0
    for at, frame in enumerate(frames):
        unit, pc = _int(frame["unit"]), _int(frame["at"])
        u = p.units[unit]
        if u.name != frame["proc"] or not 0 <= pc < len(u.code):
            raise SaveError("the save is damaged: a frame does not fit the program")
        slots = live.at(unit, pc)
        values = _ints(frame["slots"], len(slots))
        g.room(base + u.window)
        g.slots[base : base + u.window] = [-1] * u.window
        for i, value in zip(slots, values, strict=True):
            g.slots[base + i] = value
        if u.ability:
            g.abil += 1
            event = g.frames[-1]
            g.slots[base + u.extras] = event
            g.slots[base + u.extras + 1] = event + p.units[g.frames[-3]].extras
        if at == len(frames) - 1:
            g.unit, g.pc, g.base = unit, pc, base
        else:
            g.frames += [unit, pc, base]
        base += u.window
    if not frames or not isinstance(g.units[g.unit].code[g.pc], WaitOp):
        raise SaveError("the save is damaged: the game does not stand at a decision")
    g.waiting = True


def rebuild_index(p: Program, g: State) -> None:
    """The index of listeners, afresh from the places of the pieces and the floating effects."""
    g.index = [() for _ in p.tables.index]
    for instance, piece in enumerate(p.tables.instance_piece):
        if piece < 0:
            key = p.tables.abilities[p.tables.instance_ability[instance]].key
            g.index[key] = with_instance(g.index[key], instance)
    for instance, piece in enumerate(p.tables.mod_piece):
        if piece < 0:
            key = p.tables.modifiers[p.tables.mod_instance[instance]].key
            g.index[key] = with_instance(g.index[key], instance)
    for piece, hooks in enumerate(p.tables.hooks):
        for hook in hooks:
            if g.loc[piece] >= 0 and hook.live[g.loc[piece]]:
                g.index[hook.key] = with_instance(g.index[hook.key], hook.instance)
    for serial, effect in sorted(g.floats.items()):
        key = g.float_key(effect)
        g.index[key] = with_instance(g.index[key], g.float_instance(serial, effect))


def _int(value: Any) -> int:
    if not isinstance(value, int):
        raise SaveError(f"the save is damaged: {value!r} is no whole number")
    return value


def _ints(values: Any, n: int) -> list[int]:
    if not isinstance(values, list) or len(values) != n:
        raise SaveError("the save is damaged: wrong number of values")
    return [_int(value) for value in values]

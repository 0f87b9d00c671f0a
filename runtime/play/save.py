"""Saves: the whole game as plain JSON, pending work included; loading checks the content hash."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.documents import SIGNED, canonical, read_json, sign, verify
from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.build.liveness import LiveSlots
from grimoire.runtime.build.program import Program, program_for
from grimoire.runtime.errors import ContentMismatch, GrimoireError, SaveError
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import GRANTED, NIL, VARS
from grimoire.runtime.kernel.state import State
from grimoire.runtime.kernel.store import with_instance
from grimoire.runtime.play.faults import FAULTS
from grimoire.runtime.play.forced_results import RandomScript
from grimoire.runtime.play.game import Game, fresh_state, new_game
from grimoire.runtime.play.log import Begun, Log, Written
from grimoire.runtime.play.save_check import (
    LOGGED,
    MOST,
    STATE,
    TOP,
    SaveCheck,
    decision_line,
    fail,
    listed,
    spelled,
    table,
    text,
    whole,
)

FORMAT: Final = "grimoire-save"
VERSION: Final = 3


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


def save_game(game: Game, key: bytes | None) -> dict[str, Any]:
    """The save of a game, signed if there is a key."""
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
        "numbers": game.numbers,
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
        "protection": "none" if key is None else SIGNED,
    }
    if isinstance(g.log, Log):
        saved["log"] = [{"begin": row.begin, "end": row.end, "told": list(row.versions)} for row in g.log.written]
        saved["seen"] = {"moment": g.log.moment, "blurred": g.log.blurred[:], "since": since_data(g)}
        saved["open"] = [[moment, begun.proc, begun.base, *begun.slots] for moment, begun in sorted(g.log.open.items())]
    saved = spelled(saved)
    saved["check"] = checksum(saved)
    return saved if key is None else sign(saved, key)


def checksum(saved: dict[str, Any]) -> str:
    """What tells a whole save from a damaged one. It has no secret: against whoever means to, only a key helps."""
    rest = {name: value for name, value in saved.items() if name not in ("check", "signature")}
    return hashlib.blake2b(canonical(rest), digest_size=16).hexdigest()


def check_whole(save: dict[str, Any], key: bytes | None) -> None:
    """Refuse a save that is damaged or, if there is a key, not signed with it."""
    try:
        if key is not None:
            verify(save, key, "the save")
        if save.get("check") != checksum(save):
            raise SaveError("the save was damaged or edited: its checksum does not fit")
    except (TypeError, ValueError, RecursionError) as error:
        raise SaveError(f"the save is not plain JSON: {error}") from None


def load_game(package: Package, save: dict[str, Any] | bytes, migrate: bool = False, key: bytes | None = None) -> Game:
    """A game from its save, or from the bytes of one. Another content hash is refused, unless ``migrate``: then the decisions are replayed.

    With a key, a save that was not signed with it, or was changed since, is refused; ``Game.protected`` tells.
    """
    arguments.package(package)
    if isinstance(save, bytes | bytearray):
        save = read_json(bytes(save), "the save", SaveError)
    if not isinstance(save, dict) or save.get("format") != FORMAT:
        raise SaveError("this is no saved game")
    if save.get("version") != VERSION:
        raise SaveError(
            f"save version {arguments.shown(save.get('version'))} is not known; this runtime loads {VERSION}. "
            "Its decisions can be played again: replay(package, save)"
        )
    check_whole(save, key)
    try:
        _check_head(save)
        if save["content"] != package.hash:
            if not migrate:
                raise ContentMismatch(save["content"], package.hash)
            game = _migrate(package, save)
        else:
            game = _restore(package, save)
    except SaveError:
        raise
    except FAULTS as error:
        raise SaveError(f"the save is damaged: {type(error).__name__} {error}") from None
    game.protected = key is not None
    return game


def _check_head(save: dict[str, Any]) -> None:
    """Everything but the state and the log."""
    logged = LOGGED if "log" in save else ()
    table(save, "the save", {*TOP, *logged}, ("signature",))
    if save["protection"] not in ("none", SIGNED) or (save["protection"] == SIGNED) != ("signature" in save):
        fail("protection", "it says something else than the signature")
    head = table(save["package"], "package", ("id", "version"))
    for name, value in {"content": save["content"], "check": save["check"], **head}.items():
        text(value, name)
    players = whole(save["players"], "players", 1, 64)
    for name, value in table(save["options"], "options", (), save["options"] or ()).items():
        if type(value) not in (bool, int, str) and value is not None:
            fail(f"options.{text(name, 'options')}", f"{arguments.shown(value)} is no value")
    if type(save["edited"]) is not bool:
        fail("edited", "expected true or false")
    for at, line in enumerate(listed(save["decisions"], "decisions")):
        if decision_line(line, f"decisions[{at}]")[0] >= players:
            fail(f"decisions[{at}]", f"{arguments.shown(line)} is of a seat that there is not")
    for at, x in enumerate(listed(save["numbers"], "numbers", players)):
        whole(x, f"numbers[{at}]", 1, MOST)


def _migrate(package: Package, save: dict[str, Any]) -> Game:
    if save["edited"]:
        raise SaveError("the position was edited, so its decisions cannot be replayed on other content")
    known = {row["id"] for row in package.document["options"]}
    options = {name: value for name, value in save["options"].items() if name in known}
    game = new_game(package, save["players"], save["seed"], options, script=save["script"])
    for at, line in enumerate(save["decisions"]):
        seat, choice = decision_line(line, f"decision {at + 1}")
        try:
            game.choose(choice, seat)
        except GrimoireError as error:
            raise SaveError(
                f"decision {at + 1} ({arguments.shown(line)}) does not fit the new content: {error}"
            ) from None
    game.numbers = save["numbers"]
    return game


def _restore(package: Package, save: dict[str, Any]) -> Game:
    options = dict(save["options"])
    p = program_for(package, save["players"], options)
    g = fresh_state(p, arguments.seed(save["seed"], SaveError))
    script = None if save["script"] is None else arguments.script(save["script"])
    state = table(save["state"], "state", STATE)
    check = SaveCheck(p, live_slots(p))
    counters = check.counters(state["counters"], script)
    g.mem = [
        *counters,
        -1,
        *check.cells(state["vars"], p.doc["vars"]),
        *check.columns(state["columns"]),
        *check.masks(state["known"], "known"),
        *check.moments(state["stamps"], "stamps", len(p.tables.instance_ability)),
    ]
    g.zones = check.zones(state["zones"])
    g.loc = [-1] * len(p.piece_def)
    for zone, pieces in enumerate(g.zones):
        for piece in pieces:
            g.loc[piece] = zone
    g.floats = check.floats(state["floats"], counters[GRANTED], len(listed(state["frames"], "frames")))
    rebuild_index(p, g)
    if script is not None:
        g.script = RandomScript(p, script)
    g.over, g.winners = check.outcome(state["outcome"])
    if g.over < 0:
        _restore_frames(p, g, check.frames(state["frames"], counters[GRANTED]))
    else:
        listed(state["frames"], "frames", 0)
    if "log" in save:
        g.log = _restore_log(p, g, check, save)
    game = Game(p, g, save["seed"], options, script)
    game.edited = save["edited"]
    game._made = [decision_line(line, "decisions") for line in save["decisions"]]
    game.numbers = save["numbers"]
    trial.refresh(g)
    for decision in game.decisions():  # whatever is asked can be shown
        assert decision.options or game.edited
    return game


def _restore_log(p: Program, g: State, check: SaveCheck, save: dict[str, Any]) -> Log:
    log = Log(p)
    seen = table(save["seen"], "seen", ("moment", "blurred", "since"))
    log.moment = whole(seen["moment"], "seen.moment", 0, MOST)
    log.blurred = check.moments(seen["blurred"], "seen.blurred", len(p.piece_def))
    log.written = [Written(*row) for row in check.written(save["log"], log.moment)]
    log.open = {moment: Begun(*row) for moment, row in check.begun(save["open"], log.moment).items()}
    slots = [] if g.over >= 0 else since_slots(g)
    for at, moment in zip(slots, check.moments(seen["since"], "seen.since", len(slots)), strict=True):
        g.slots[at] = moment
    return log


def _restore_frames(p: Program, g: State, frames: list[tuple[int, int, list[int]]]) -> None:
    live = live_slots(p)
    base = 0
    g.frames = []
    g.abil = 0
    for at, (unit, pc, values) in enumerate(frames):
        u = p.units[unit]
        g.room(base + u.window)
        g.slots[base : base + u.window] = [-1] * u.window
        for i, value in zip(live.at(unit, pc), values, strict=True):
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
